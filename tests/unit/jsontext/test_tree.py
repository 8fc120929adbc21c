"""The tree of a text: every value in its place, as it was written, and strict as reading is."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laid_out import texts
from tests.unit.jsontext.test_reading import DUPLICATES, EXACT, JSON_VALUES, REFUSED, TOKENS, nested
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.jsontext import DEFAULT_LIMITS, Element, Limits, SourceText, parse, read
from widgetschema.jsontext.tree import json_at
from widgetschema.pointers import escape_token


def walk(element: Element, pointer: str = "") -> Iterator[tuple[str, Element]]:
    """Every element with its JSON Pointer."""
    yield pointer, element
    for member in element.members:
        yield from walk(member.element, f"{pointer}/{escape_token(member.name)}")
    for index, item in enumerate(element.items):
        yield from walk(item, f"{pointer}/{index}")


def refused(raw: bytes | str, limits: Limits = DEFAULT_LIMITS) -> tuple[Finding, ...]:
    with pytest.raises(UnreadableDocument) as caught:
        parse(raw, limits, "it")
    assert caught.value.report.subject == "it"
    return caught.value.report.findings


def of_python(text: str) -> Any:
    """Return the result of Python's own parser: the same, with inf for numbers that are too large."""
    return json.loads(
        text, parse_int=lambda digits: int(digits) if len(digits) < 309 else float(digits)
    )


# What is where


@given(texts())
def test_every_element_is_in_its_place(text: str) -> None:
    tree = parse(text)
    assert (tree.text, tree.root.raw) == (text, text.strip())
    assert repr(tree.root.value) == repr(of_python(text))
    elements = dict(walk(tree.root))
    located = SourceText(text).locate(elements)
    for pointer, element in elements.items():
        assert tree.at(pointer) is element
        assert (element.start, element.end) == located[pointer][:2]
        assert repr(element.value) == repr(of_python(element.raw))
        for member in element.members:
            place = located[f"{pointer}/{escape_token(member.name)}"]
            assert (member.key_start, member.key_end) == place[2:]
            assert element.member(member.name) is member


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("{}", "object"), ("[]", "array"), ('""', "string"), ("-1", "number"), ("7e0", "number")),
        *(("true", "boolean"), ("false", "boolean"), ("null", "null"), ('{"a": 1}', "object")),
    ],
)
def test_kinds_are_the_types_of_json(text: str, kind: str) -> None:
    root = parse(f" {text}\n").root
    assert root.kind == kind
    assert (root.start, root.end, root.raw) == (1, 1 + len(text), text)
    assert f"{root!r}" == f"<{kind} from 1 to {1 + len(text)}>"


def test_bytes_are_read_too() -> None:
    tree = parse('{"é": "ü"}'.encode())
    assert tree.text == '{"é": "ü"}'
    assert f"{tree.root.member('é')!r}" == "<member 'é': <string from 6 to 9>>"


@pytest.mark.parametrize(
    "pointer",
    [
        *("a", "/", "/a", "/l/2", "/l/-", "/l/-1", "/l/01", "/l/+1", "/l/1e0", "/l/ 1", "/l/a"),
        *("/l/", "/l/1/0", "/s/0", "/l/" + "1" * 5000, "/l/١", "/l/²", "l", "#/l", "/o/x/y"),
    ],
)
def test_where_nothing_is(pointer: str) -> None:
    assert parse('{"l": [0, 1], "s": "text", "o": {"x": 1}}').at(pointer) is None


def test_what_is_named_like_an_index() -> None:
    tree = parse('{"0": {"~1": {"": 7}}}')
    found = tree.at("/0/~01/")
    assert found is not None
    assert found.value == 7


def test_a_value_is_a_new_one_each_time() -> None:
    root = parse('{"a": [1]}').root
    root.value["a"].append(2)
    assert root.value == {"a": [1]}


# Numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1e400", math.inf), ("-1e400", -math.inf), ("1" + "0" * 4300, math.inf)),
        *(("-" + "9" * 4301, -math.inf), ("1" + "0" * 400 + ".0", math.inf)),
        *(("9" * 308, int("9" * 308)), ("-" + "9" * 309, -math.inf), ("1.0", 1.0)),
    ],
    ids=lambda value: str(value)[:8] if isinstance(value, str) else "",
)
def test_numbers_of_any_size(text: str, value: float) -> None:
    for one in (text, f"[{text}]", f'{{"a": {text}}}'):
        assert parse(one).text == one
    root = parse(text).root
    assert root.raw == text
    assert root.value == value
    assert type(root.value) is type(value)
    assert parse(f"[{text}]").root.value == [value]


def test_numbers_excuse_nothing_else() -> None:
    (finding,) = refused('[1e400, {"a": 1, "a": 2}]')
    assert (finding.keyword, finding.path) == ("json.duplicate-member", "/1/a")
    (finding,) = refused("[1e400, NaN]")
    assert finding.message == "JSON has no NaN"
    many = "[" + "1e400, " * 1500
    assert [finding.keyword for finding in refused(many)] == ["json.syntax"]
    assert len(parse(many + "1]").root.items) == 1501


# Strictness


@pytest.mark.parametrize(
    "text",
    [row[1] for row in REFUSED] + [row[0] for row in DUPLICATES],
    ids=lambda t: ascii(t[:32]),
)
def test_what_is_not_read_is_no_tree(text: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read(text)
    findings = caught.value.report.findings
    if all(one.keyword == "json.number" and one.hint is None for one in findings):
        assert parse(text).text == text  # the number is too large, and nothing else
    else:
        assert refused(text) == tuple(one for one in findings if "too large" not in one.message)


@pytest.mark.parametrize("text", EXACT, ids=lambda text: ascii(text[:32]))
def test_what_is_read_is_a_tree(text: str) -> None:
    value = parse(text).root.value
    assert (value, repr(value)) == (read(text), repr(read(text)))


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_the_value_is_what_reading_gives(value: Any, ascii_only: bool, indent: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert repr(parse(text.encode()).root.value) == repr(read(text))


@given(st.lists(TOKENS, max_size=12).map("".join))
def test_any_text_is_a_tree_or_refused(text: str) -> None:
    try:
        expected = read(text)
    except UnreadableDocument as error:
        if not all("too large" in one.message for one in error.report.findings):
            refused(text)
            return
        expected = of_python(text)
    assert repr(parse(text).root.value) == repr(expected)


def test_limits() -> None:
    assert parse("[[1]]", Limits(2)).root.items[0].items[0].value == 1
    assert [one.keyword for one in refused("[[[1]]]", Limits(2))] == ["json.depth"]
    assert [one.keyword for one in refused("[1e400]", Limits(max_bytes=3))] == ["json.size"]
    assert [one.keyword for one in refused("[[[1e400]]]", Limits(2))] == ["json.depth"]


def test_what_is_too_deep_for_reading_is_no_tree_either() -> None:
    text, limits = nested(1_000), Limits(1_000)
    findings: tuple[Finding, ...] = ()
    try:
        read(text, limits)
    except UnreadableDocument as error:  # some versions of Python go deeper than others
        findings = error.report.findings
    assert findings == (refused(text, limits) if findings else ())


def test_deep_and_large() -> None:
    text = nested(200, "1e400")
    element = parse(text).root
    value = element.value
    while element.items:
        element, value = element.items[0], value[0]
    assert (element.start, element.end, value) == (200, 205, math.inf)
    large = json.dumps([{"name": f"item {n}", "n": n} for n in range(3_000)], indent=2)
    tree = parse(large)
    last = tree.at("/2999/n")
    assert last is not None
    assert (last.raw, tree.root.value) == ("2999", json.loads(large))


# As it is shown


@pytest.mark.parametrize(
    ("text", "pointer", "shown"),
    [
        ("  1", "", "1"),
        ('{\n  "a": {\n    "b": 1\n  }\n}', "/a", '{\n  "b": 1\n}'),
        ('{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}', "/a", '{\n\t"b": 1\n}'),
        ('{\r  "a": [\r    1]\r}', "/a", "[\n  1]"),
        ('{\n    "a": [\n  1,\n\n    2]}', "/a", "[\n  1,\n\n2]"),
        ("[[\n1\n], [\n  2\n]]", "/1", "[\n  2\n]"),
        ('  {"a": "x\\ny"}', "", '{"a": "x\\ny"}'),
    ],
)
def test_the_indentation_of_its_line_is_not_shown(text: str, pointer: str, shown: str) -> None:
    element = parse(text).at(pointer)
    assert element is not None
    assert element.dedented == shown


@pytest.mark.parametrize(
    ("pointer", "raw"),
    [("", ' { "a/b": [1.0, {"é": 1e400 }] } '), ("/a~1b/1", '{"é": 1e400 }'), ("/a~1b/0", "1.0")],
)
def test_the_text_of_a_value_is_as_it_was_written(pointer: str, raw: str) -> None:
    text = ' { "a/b": [1.0, {"é": 1e400 }] } '
    assert json_at(text.encode(), pointer) == json_at(text, pointer) == raw.strip()


@pytest.mark.parametrize("pointer", ["/a", "/a~1b/2", "/a~1b/-", "a", "/a~1b/0/x"])
def test_where_no_value_is(pointer: str) -> None:
    with pytest.raises(LookupError, match="there is no value at"):
        json_at('{"a/b": [1, 2]}', pointer)


def test_the_text_of_a_value_in_something_else_than_json() -> None:
    with pytest.raises(UnreadableDocument):
        json_at('{"a": 1, "a": 2}', "/a")


def test_indices_are_tokens_below_arrays() -> None:
    tree = parse('{"0": [{"1": [5]}]}')
    assert tree.indices("/0/0/1/0") == (-3, -1)
    assert tree.indices("/0/7/1") == (-2,)
    assert tree.indices("/0/-/x") == ()
    assert tree.indices("") == tree.indices("/5") == ()
