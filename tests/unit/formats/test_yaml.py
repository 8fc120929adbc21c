"""YAML: its values in the core schema of 1.2, its places, what is refused, what is warned of."""

from __future__ import annotations

import builtins
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from widgetschema.errors import MissingExtra, UnreadableDocument
from widgetschema.formats.model import Parsed
from widgetschema.formats.parsing import parse
from widgetschema.formats.yaml_scalars import core_value, is_plain_text, older_value
from widgetschema.jsontext import Limits


def read(text: str, limits: Limits = Limits()) -> Parsed:  # noqa: B008
    [parsed] = parse(text.encode(errors="surrogatepass"), "yaml", limits)
    return parsed


def refused(text: str | bytes, limits: Limits = Limits()) -> list[str]:  # noqa: B008
    with pytest.raises(UnreadableDocument) as caught:
        parse(text, "yaml", limits)
    return [finding.headline for finding in caught.value.report]


# The core schema (YAML 1.2.2, section 10.3.2), with what 1.1 takes the text for

SCALARS: list[tuple[str, Any, str | None]] = [
    ("", None, None),
    ("~", None, None),
    ("null", None, None),
    ("Null", None, None),
    ("nULL", "nULL", None),
    ("true", True, None),
    ("FALSE", False, None),
    ("tRUE", "tRUE", None),
    ("no", "no", "false"),
    ("Yes", "Yes", "true"),
    ("ON", "ON", "true"),
    ("off", "off", "false"),
    ("oN", "oN", None),
    ("y", "y", "true"),
    ("N", "N", "false"),
    ("none", "none", None),
    ("0", 0, None),
    ("-17", -17, None),
    ("+17", 17, None),
    ("010", 10, "the number 8"),
    ("-010", -10, "the number -8"),
    ("00", 0, None),
    ("089", 89, "a text"),
    ("0o10", 8, "a text"),
    ("0O10", "0O10", None),
    ("0x1F", 31, None),
    ("-0x1F", "-0x1F", "the number -31"),
    ("0b11", "0b11", "the number 3"),
    ("1_000", "1_000", "the number 1000"),
    ("0x_F", "0x_F", "the number 15"),
    ("1:30", "1:30", "the number 90"),
    ("-1:30", "-1:30", "the number -90"),
    ("12:30:45", "12:30:45", "the number 45045"),
    ("1:60", "1:60", None),
    ("09:30", "09:30", None),
    ("1:30.5", "1:30.5", "the number 90.5"),
    ("1.5", 1.5, None),
    (".5", 0.5, None),
    ("5.", 5.0, None),
    (".", ".", None),
    ("1e3", 1000.0, "a text"),
    ("1.5E3", 1500.0, "a text"),
    ("1.5e+3", 1500.0, None),
    ("1_0.5", "1_0.5", "the number 10.5"),
    ("1.2.3", "1.2.3", None),
    ("2001-12-14", "2001-12-14", "a date"),
    ("2001-1-4", "2001-1-4", None),
    ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00", "a date"),
    ("2001-12-14 21:59:43 Z", "2001-12-14 21:59:43 Z", "a date"),
    ("a date", "a date", None),
    ("=", "=", None),
    ("é", "é", None),
    ("١", "١", None),
]


@pytest.mark.parametrize(("text", "value", "was"), SCALARS, ids=[row[0] for row in SCALARS])
def test_plain_scalars(text: str, value: Any, was: str | None) -> None:
    found = core_value(text)
    assert (type(found), found) == (type(value), value)
    assert older_value(text) == was
    parsed = read(f"a: {text}")
    assert parsed.value == {"a": value}
    assert [f"{one.finding.path} {was}" for one in parsed.warnings] == (
        [f"/a {was}"] if was else []
    )
    for quoted in (f"a: '{text}'", f'a: "{text}"', f"a: !!str {text}", f"a: ! {text}"):
        parsed = read(quoted)
        assert (parsed.value, parsed.warnings) == ({"a": text}, ())


@pytest.mark.parametrize(("text", "value"), [(row[0], row[1]) for row in SCALARS if row[0]])
def test_another_reader_of_1_2_agrees(text: str, value: Any) -> None:
    # ruamel.yaml keeps some types of 1.1.
    if text in ("2001-12-14", "1:30.5") or text.startswith("2001") or "_" in text:
        return
    if text in ("0b11", "-0x1F", "="):
        return
    assert YAML(typ="safe", pure=True).load(f"a: {text}") == {"a": value}


def test_warnings_are_about_names_too() -> None:
    parsed = read("on:\n  - y: 1\n")
    assert [(one.finding.path, one.start) for one in parsed.warnings] == [
        ("/on", 0),
        ("/on/0/y", 8),
    ]
    assert parsed.warnings[0].finding.message == "on is a text here, but true in YAML 1.1"
    assert parsed.warnings[0].finding.hint == 'write "on" if it is a text'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"))
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=12,
)  # fmt: skip


@given(JSON, st.sampled_from([None, 2]))
def test_json_is_yaml(value: Any, indent: int | None) -> None:
    """With `ensure_ascii`, since YAML has fewer raw characters; not beyond the first plane."""
    text = json.dumps(value, indent=indent)
    if "\\ud8" in text or "\\ud9" in text or "\\uda" in text or "\\udb" in text:
        text = json.dumps(value, indent=indent, ensure_ascii=False)
        if any(not (character.isprintable() or character in "\n ") for character in text):
            return
    if any(len(name) > 900 for name in _names(value)):
        return
    parsed = read(text)
    assert parsed.value == value
    assert repr(parsed.value) == repr(json.loads(text))


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for one in value.values() for name in _names(one))]
    return [name for one in value for name in _names(one)] if isinstance(value, list) else []


# Places

TEXT = """\
# a comment
a: &x
  - b: 'é😀'   # another
    "c d": |
      lines
  - {e: 1, f: [2, 3]}
g: *x
h:
  <<: {i: 4, j: 5}
  j: 6
k:
"""


@pytest.mark.parametrize(
    ("pointer", "marked", "key"),
    [
        ("/a/0/b", "'é😀'", "b"),
        ("/a/0/c d", "|\n      lines\n", '"c d"'),
        ("/a/1", "{e: 1, f: [2, 3]}", None),
        ("/a/1/f/1", "3", None),
        ("/g", "*x", "g"),
        ("/g/1/e", "1", "e"),
        ("/h/i", "4", "i"),
        ("/h/j", "6", "j"),
        ("/k", "", "k"),
    ],
)
def test_places(pointer: str, marked: str, key: str | None) -> None:
    source = read(TEXT).source
    place = source.locate([pointer])[pointer]
    assert TEXT[place.start : place.end] == marked
    assert (None if place.key_start is None else TEXT[place.key_start : place.key_end]) == key


def test_there_is_no_place_of_what_is_not_there() -> None:
    assert read(TEXT).source.locate(["/a/9", "/x", "/g/0/b/c", "/a/-", "/k/l"]) == {}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_lines_and_columns(begin: str, end: str) -> None:
    text = begin + end.join(["", "a: 1", "  # c", 'b: "x\u2028y\x85"', "c: [😀, 5]"])
    parsed = read(text)
    assert parsed.value == {"a": 1, "b": "x\u2028y\x85", "c": ["😀", 5]}
    place = parsed.source.locate(["/c/1"])["/c/1"]
    assert parsed.source.positions([place.start]) == [(5, 8)]


# Anchors and merge keys


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- &a 1\n- &a 2\n- *a\n", [1, 2, 2]),
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x {b: 1, c: 1}\nd: {<<: *x, b: 2}\n", {"a": {"b": 1, "c": 1}, "d": {"b": 2, "c": 1}}),
        ("<<: [{a: 1}, {a: 2, b: 3}]\nb: 4\n", {"a": 1, "b": 4}),
        ("a: &x\n  <<: {b: 1}\nc:\n  <<: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ('"<<": 1', {"<<": 1}),
        ("- <<", ["<<"]),
        ("!!merge <<: {a: 1}", {"a": 1}),
        ("a: !!seq [!!float 3]\nb: !!map {c: !!int 2}\n", {"a": [3], "b": {"c": 2}}),
        ("? &k a\n: *k\n", {"a": "a"}),
        ("&k a: 1\nb: {*k : 2}\n", {"a": 1, "b": {"a": 2}}),
    ],
)
def test_aliases_are_resolved(text: str, value: Any) -> None:
    assert read(text).value == value


def test_nothing_is_shared() -> None:
    value = read("a: &x {b: [1]}\nc: *x\nd: {<<: *x}\n").value
    assert value["a"] is not value["c"]
    assert value["a"]["b"] is not value["d"]["b"]


def laughs(levels: int, each: int = 9) -> str:
    """Return the bomb known as "billion laughs"."""
    lines = [f"a0: &a0 [{', '.join(['lol'] * each)}]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * each)}]")
    return "\n".join(lines)


def test_bombs_are_refused() -> None:
    text = laughs(12)
    [headline] = refused(text)
    assert "yaml.aliases" in headline
    assert "more than 1,048,576 characters" in headline
    merged = "a: &a {x: &b [1]}\n" + "".join(f"b{n}: {{<<: *a}}\n" for n in range(100))
    assert len(read(merged).value) == 101
    assert len(read(laughs(4)).value["a3"]) == 9


def test_the_limit_of_aliases_grows_with_the_file() -> None:
    long = "x" * 200_000
    assert len(read(f"- &a {long}\n" + "- *a\n" * 8).value) == 9
    [headline] = refused(f"- &a {long}\n" + "- *a\n" * 11)
    assert headline.startswith("11:3 yaml.aliases /10: ")


@pytest.mark.parametrize(
    "text",
    [
        "[" + "0," * 1_000 + "]",
        "- 0\n" * 1_000,
        "".join(f"k{n}: 0\n" for n in range(500)),
        "- [[[0]]]\n" * 300,
        "---\n0\n" * 60,
        f"a: &a [0, 0, 0]\nb: [{'*a, ' * 250}]",
        f"a: &a {{x: 0, y: 0}}\nb: [{'{<<: *a}, ' * 150}]",
    ],
)
def test_the_number_of_values_in_a_file_is_limited(text: str) -> None:
    [headline] = refused(text, Limits(max_bytes=10_000))
    assert "json.size" in headline
    assert "the file has more than 1,000 values, too many for YAML" in headline
    assert parse(text, "yaml", Limits(max_bytes=200_000))


def test_depth_counts_what_aliases_stand_for() -> None:
    nested = "a: &a " + "[" * 150 + "]" * 150 + "\nb: " + "[" * 60 + "*a" + "]" * 60
    [headline] = refused(nested)
    assert "json.depth" in headline
    assert refused("[" * 300)[0].startswith("1:201 json.depth")
    assert read("[" * 200 + "]" * 200).value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a: 1\n---\n", [{"a": 1}]),
        ("# c\n---\n---\na: 1\n...\n---\n# d\n", [{"a": 1}]),
        ("---\n---\na: 1\n---\n---\n~\n", [{"a": 1}, None]),
        ("--- ''\n--- !!str\n--- &a\n", ["", "", None]),
    ],
)
def test_documents_in_which_nothing_is_written_are_none(text: str, values: list[Any]) -> None:
    parsed = parse(text, "yaml")
    assert [one.value for one in parsed] == values
    assert [one.line is None for one in parsed] == [len(values) == 1] * len(values)


# What is refused

REFUSED = [
    ("", ["1:1 json.empty (root): the text is empty, but must hold a value"]),
    ("# c\n", ["1:1 json.empty (root): the text holds only comments, but must hold a value"]),
    ("---\n# c\n---\n",
     ["1:1 json.empty (root): each document in the text is empty, but must hold a value"]),
    ("%YAML 2.0\n---\na: 1\n", ["1:1 yaml.syntax (root): only YAML 1.1 and 1.2 can be read"]),
    ("a: 1\nb: 2\na: 3\n", ['3:1 json.duplicate-member /a: the member "a" appears twice']),
    ('b: {c: 1, "c": 2}', ['1:11 json.duplicate-member /b/c: the member "c" appears twice']),
    ("1: a", ["1:1 json.key (root): the member name 1 is a number, not a string"]),
    ("a: {true: b}", ["1:5 json.key /a: the member name true is a boolean, not a string"]),
    ("~: b", ["1:1 json.key (root): the member name ~ is null, not a string"]),
    ("? [a]\n: b", ["1:3 json.key (root): a member name is a list or a mapping, not a string"]),
    ("&a [1]: b\n", ["1:1 json.key (root): a member name is a list or a mapping, not a string"]),
    ("- .nan\n- -.Inf\n", ["1:3 json.number /0: JSON has no .nan", "2:3 json.number /1: JSON has no -.Inf"]),
    ("1e999", ["1:1 json.number (root): the number 1e999 is too large for a double (about 1.8e308)"]),
    ("a: !!binary aGk=", ["1:4 json.type /a: JSON has no value with the tag !!binary"]),
    ("a: !!timestamp 2001-12-14", ["1:4 json.type /a: JSON has no value with the tag !!timestamp"]),
    ("a: !!set {b}", ["1:4 json.type /a: JSON has no value with the tag !!set"]),
    ("a: !secret b", ["1:4 json.type /a: JSON has no value with the tag !secret"]),
    ("a: !!int b", ['1:4 json.type /a: "b" is not what its tag !!int says']),
    ("a: !!bool 3", ['1:4 json.type /a: "3" is not what its tag !!bool says']),
    ("a: *b", ['1:4 yaml.syntax /a: there is no anchor "b" before this alias']),
    ("a: &b [*b]", ['1:8 yaml.syntax /a/0: the alias "b" is inside the value that it stands for']),
    ("- &b 1\n- &b [*b]", ['2:7 yaml.syntax /1/0: the alias "b" is inside the value that it stands for']),
    ("a: &b\n  <<: *b\n", ['2:7 yaml.syntax /a: the alias "b" is inside the value that it stands for']),
    ("- &b 1\n---\n- *b\n", ['3:3 yaml.syntax /0: there is no anchor "b" before this alias']),
    ("<<: 3", ["1:1 yaml.syntax (root): the merge key << must have a mapping or a list of mappings"]),
    ("<<: [{}, 3]", ["1:1 yaml.syntax (root): the merge key << must have a mapping or a list of mappings"]),
    ("a:\n\t- 1", ["2:1 yaml.syntax (root): a tab cannot indent"]),
    ("a: b: c", ["1:5 yaml.syntax (root): a colon and a space begin a value, which is not allowed here"]),
    ("a: @b", ['1:4 yaml.syntax (root): a value cannot begin with "@"']),
    ("a: \x07", ["1:4 yaml.syntax (root): the character U+0007 is not allowed"]),
    ("a: 1\n<<<<<<< x\nb: 2\n=======\nb: 3\n>>>>>>> y\n",
     ["2:1 yaml.syntax (root): there is a Git conflict marker, '<<<<<<<'"]),
    (b"a: \xff", ["1:4 json.encoding (root): the byte 0xff is not valid UTF-8"]),
    ("a: é".encode("utf-16"), ["1:1 json.encoding (root): the text is encoded in UTF-16, not in UTF-8"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "headlines"), REFUSED, ids=[repr(row[0])[:30] for row in REFUSED])
def test_refused(text: str | bytes, headlines: list[str]) -> None:
    assert refused(text) == headlines


def test_other_syntax_errors_have_their_place() -> None:
    [headline] = refused("a: [1,\n  2\n")
    assert headline.startswith("3:1 yaml.syntax (root): while parsing a flow sequence")


def test_very_many_findings_are_cut() -> None:
    assert len(refused("\n".join(f"{number}: a" for number in range(3000)))) == 1_000
    assert len(read("\n".join(f"a{number}: no" for number in range(3000))).warnings) == 1_000


@pytest.mark.parametrize("line", ["- no\n", "---\nno\n"], ids=["one document", "many"])
@pytest.mark.parametrize(
    ("number", "last"),
    [(1_000, "no is a text here"), (1_001, "from here on, 2 values"), (2_000, "on, 1,001 values")],
)
def test_the_last_warning_counts_the_others(number: int, last: str, line: str) -> None:
    parsed = parse(line * number, "yaml", Limits())
    warnings = [one for document in parsed for one in document.warnings]
    assert len(warnings) == 1_000
    assert last in warnings[-1].finding.message


def test_documents_are_placed_wherever_they_begin() -> None:
    parsed = parse("# a\n\n--- {a: 1}\n---\n\n  - 5\n---\nb: c\n", "yaml", Limits())
    places = [
        one.source.positions([one.source.locate([path])[path].start])
        for one, path in zip(parsed, ("/a", "/0", "/b"), strict=True)
    ]
    assert places == [[(3, 9)], [(6, 5)], [(8, 4)]]


def test_very_long_integers() -> None:
    assert read("0" * 2000 + "7").value == 7.0
    for text in ("9" * 400, "9" * 5000, "0x" + "f" * 5000, "0o" + "7" * 5000):
        assert len(refused(text)) == 1
    assert math.isinf(float("9" * 400))


def test_size() -> None:
    assert refused("a: bcd", Limits(max_bytes=5)) == [
        "1:1 json.size (root): the document has 6 bytes, more than the limit of 5"
    ]


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "yaml":
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'widgetschema\[formats\]'"):
        parse("a: 1", "yaml")


# Several documents


def test_several_documents() -> None:
    found = parse("# c\na: 1\n---\n# c\nb: no\n--- {c: 3}\n", "yaml")
    assert [(one.value, one.line, len(one.warnings)) for one in found] == [
        ({"a": 1}, 2, 0),
        ({"b": "no"}, 5, 1),
        ({"c": 3}, 6, 0),
    ]
    [one] = parse("---\na: 1\n...\n", "yaml")
    assert one.line is None


# What edits write


@pytest.mark.parametrize(
    ("text", "pointer", "new", "written"),
    [
        ('a: "30" # c', "/a", "30", "30"),
        ("a: '30'", "/a", "30", "30"),
        ("a: small", "/a", '"medium"', "medium"),
        ("a: small", "/a", '"no"', '"no"'),
        ("a: small", "/a", '"a: b"', '"a: b"'),
        ("a: small", "/a", '"#b"', '"#b"'),
        ("a: small", "/a", '"2001-12-14"', '"2001-12-14"'),
        ("a: 'small'", "/a", '"it\'s"', "'it''s'"),
        ("a: 'small'", "/a", '"a\\nb"', '"a\\nb"'),
        ('a: "small"', "/a", '"no"', '"no"'),
        ("a: 30", "/a", '"30"', None),
        ("a: ~", "/a", '"30"', None),
        ("a:", "/a", "30", None),
        ("a: !!str 30", "/a", "30", None),
        ("a: &x b\nc: *x", "/a", "30", None),
        ("a: &x b\nc: *x", "/c", "30", None),
        ("a: &x {b: c}\nd: *x", "/a/b", "30", None),
        ("a: &x {b: c}\nd: *x", "/d/b", "30", None),
        ("a: {<<: &x {b: c}}", "/a/b", "30", None),
        ("a: &x {b: c}", "/a/b", "30", "30"),
        ("a: |\n  x\n", "/a", "30", None),
        ("a: x\n  y\n", "/a", "30", None),
        ("a: {b: c}", "/a", "30", None),
    ],
)
def test_tokens(text: str, pointer: str, new: str, written: str | None) -> None:
    source = read(text).source
    place = source.locate([pointer])[pointer]
    assert source.token(place.start, place.end, new) == written
    if written is not None:
        edited = read(text[: place.start] + written + text[place.end :]).value
        for name in pointer.split("/")[1:]:
            edited = edited[name]
        assert edited == json.loads(new)


@pytest.mark.parametrize("text", ["a", "aB_c-d e", "A1"])
def test_what_is_plain(text: str) -> None:
    assert is_plain_text(text)
    assert read(text).value == text
    assert read(f"[{text}, {{{text}: {text}}}]").value == [text, {text: text}]


@pytest.mark.parametrize(
    "text", ["", "no", "y", "null", "1", "a:", "a #b", " a", "a ", "-", "é", "a,b"]
)
def test_what_is_not_plain(text: str) -> None:
    assert not is_plain_text(text)
