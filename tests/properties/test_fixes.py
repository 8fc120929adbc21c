"""Fixing, for any schema and data: nothing is lost, nothing new is wrong, twice is once."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import yaml
from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from tests.properties.test_samples import ALL, made, named
from tests.strategies import instances, schemas
from widgetschema import ReferenceLoop, Validator
from widgetschema.errors import UnreadableDocument
from widgetschema.fixes import Fixed, applicable, fix, unified_diff, with_effective_fixes
from widgetschema.fixes.edit_list import json_patch, text_edits
from widgetschema.formats.model import Format, Parsed
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import dump, patch, read
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import escape_token
from widgetschema.suggest import plain_form
from widgetschema.validation.explain.deferred import with_proposed_fix

SLOW: Final = [HealthCheck.too_slow, HealthCheck.filter_too_much]
TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+|[\[\]{},:]|\s+')


def moved(old: Any, new: Any) -> dict[str, str]:
    """For each path of the old value that of the new one: nothing was added, removed or moved."""
    paths = {"": ""}
    todo = [(old, new, "", "")]
    while todo:
        one, other, path, way = todo.pop()
        if isinstance(one, (dict, list)):
            assert type(one) is type(other)
            assert len(one) == len(other)
            some: Any = one.items() if isinstance(one, dict) else enumerate(one)
            others: Any = other.items() if isinstance(other, dict) else enumerate(other)
            for (name, item), (called, there) in zip(some, others, strict=True):
                here, now = (
                    f"{path}/{escape_token(str(name))}",
                    f"{way}/{escape_token(str(called))}",
                )
                paths[here] = now
                todo.append((item, there, here, now))
    return paths


def starts(text: str) -> list[tuple[int, int, str]]:
    """The tokens of a text, and the line and column where each begins."""
    tokens, line, column = [], 1, 1
    for token in TOKEN.findall(text):
        tokens.append((line, column, token))
        line += token.count("\n")
        column = len(token) - token.rindex("\n") if "\n" in token else column + len(token)
    return tokens


def holds(text: str, fixed: Fixed, validator: Validator) -> None:
    """Everything that is true of every fixed text."""
    old, new = read(text), read(fixed.text)
    before, after = validator.check(old).findings, validator.check(new).findings
    assert (fixed.text is text) == (fixed.applied == ())

    paths = moved(old, new)
    known = Counter((one.keyword, paths[one.path]) for one in before)
    assert not Counter((one.keyword, one.path) for one in after) - known
    assert len(after) < len(before) or not fixed.applied

    pairs = list(zip(starts(text), starts(fixed.text), strict=True))
    changed = {(line, column): token for (line, column, token), now in pairs if token != now[2]}
    assert all(token.startswith('"') for token in changed.values())
    assert changed.keys() == {(one.line, one.column) for one in fixed.applied}
    assert all(one.fix is not None for one in fixed.applied)

    operations = json_patch(fixed)
    assert operations is not None
    assert canonical(read(patch(text, operations))) == canonical(new)
    parts, at = [], 0
    for edit in text_edits(fixed):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    assert "".join([*parts, text[at:]]) == fixed.text

    assert fix(fixed.text, checker(validator)) == Fixed(fixed.text, ())

    safe = fix(text, safe_checker(validator))
    for one in safe.applied:
        assert one.fix is not None
        assert one.fix.is_safe
        tokens = {(line, column): token for line, column, token in starts(text)}
        was, written = read(tokens[one.line, one.column]), read(one.fix.text)  # type: ignore[index]
        assert plain_form(was) == plain_form(written if type(written) is str else one.fix.text)


def checker(validator: Validator) -> Any:
    """Return a check as that of a text, whose findings have all fixes that are proposed."""
    return lambda value: (*map(with_proposed_fix, validator.iter_findings(value)),)


def safe_checker(validator: Validator) -> Any:
    check = checker(validator)
    return lambda value: applicable(check(value), unsafe=False)


@settings(suppress_health_check=SLOW)
@given(schema=schemas(), instance=instances(), indent=st.sampled_from([None, 0, 1]))
@example(schema={"items": {"enum": ["a"]}, "uniqueItems": True}, instance=["A", "a "], indent=None)
@example(schema={"properties": {"a": {"type": "integer"}}}, instance={"a": "1"}, indent=1)
def test_nothing_is_lost_and_nothing_new_is_wrong(
    schema: Any, instance: Any, indent: int | None
) -> None:
    try:
        validator = Validator(schema)
    except ReferenceLoop:
        assume(False)
        raise
    text = json.dumps(instance, indent=indent)
    fixed = fix(text, checker(validator))
    event(f"{min(len(fixed.applied), 3)} applied")
    holds(text, fixed, validator)


NAMES = st.sampled_from(["title", "Title", "titel", "tittle", "show_title", "showTitle", "size"])
TEXTS = st.sampled_from(["small", "Small", " small", "smalll", "1", "1.0", "true", "True", "large"])
LEAVES = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "boolean"},
        {"enum": ["small", "large"]},
        {"enum": ["small", "Small"]},
        {"const": "large"},
        {"type": ["number", "null"]},
        {"type": "string", "pattern": "^[a-z]+$"},
        {"anyOf": [{"type": "integer"}, {"const": "small"}]},
        {"not": {"const": "small"}},
        {"maxLength": 5},
        {},
    ]
)


@st.composite
def objects(draw: st.DrawFn, depth: int = 2) -> Any:
    """Schemas of objects and arrays in which nearly every mistake has a fix."""
    inner = LEAVES if depth == 0 else st.one_of(LEAVES, objects(depth - 1))
    if draw(st.integers(0, 4)) == 0:
        return {"items": draw(inner), "uniqueItems": draw(st.booleans())}
    schema: dict[str, Any] = {"properties": draw(st.dictionaries(NAMES, inner, max_size=4))}
    schema["additionalProperties"] = False
    for keyword, strategy in (
        ("required", st.lists(NAMES, max_size=2, unique=True)),
        ("dependencies", st.dictionaries(NAMES, st.lists(NAMES, max_size=1), max_size=1)),
        ("propertyNames", st.just({"enum": ["title", "size", "showTitle"]})),
        ("patternProperties", st.just({"^size": {"type": "integer"}})),
        ("allOf", st.lists(LEAVES, min_size=1, max_size=2)),
        ("oneOf", st.lists(inner, min_size=1, max_size=2)),
        ("minProperties", st.integers(0, 2)),
    ):
        if draw(st.integers(0, 5)) == 0:
            schema[keyword] = draw(strategy)
    return schema


@st.composite
def nearly(draw: st.DrawFn, schema: Any) -> Any:
    """Data that comes near such a schema: names and values are there, some of them misspelled."""
    if "items" in schema:
        return draw(st.lists(nearly(schema["items"]), max_size=4))
    if "properties" not in schema:
        return draw(st.one_of(TEXTS, TEXTS, st.sampled_from([1, True, None, {}, []])))
    data = {}
    for name, member in schema["properties"].items():
        called = draw(st.sampled_from([name, name, name.upper(), f"{name} ", f"{name}e"]))
        data[called] = draw(nearly(member))
    if draw(st.integers(0, 4)) == 0:
        data[draw(NAMES)] = draw(TEXTS)
    return data


@settings(suppress_health_check=SLOW)
@given(data=st.data())
def test_the_same_where_much_can_be_fixed(data: st.DataObject) -> None:
    schema = data.draw(objects(), label="schema")
    instance = data.draw(nearly(schema), label="instance")
    validator = Validator(schema)
    text = dump(instance)
    fixed = fix(text, checker(validator))
    event(f"{min(len(fixed.applied), 5)} applied")
    holds(text, fixed, validator)
    other = Validator(schema, engine="python")
    assert other.check(instance) == validator.check(instance)
    assert fix(text, checker(other)) == fixed


NUMERALS = ["1e3", "1E5", "-1.0e3", "0.10", "12", "0o7", "1_000", "12:30:00", "~", ".inf", "0x1F"]
WORDS = ["n", "No", "YES", "on", "Y", "null", "True", "large", "Large", "lagre"]
SCALARS = st.sampled_from([*NUMERALS, *WORDS, 1, 1e22, 1000.0, True, None])
OF_WORDS = st.lists(
    st.sampled_from(["N", "Yes", "on", "large", "small", "~", "1E3", "y"]), min_size=1, max_size=3
)
MEMBERS = st.sampled_from(
    [{"type": "number"}, {"type": "integer"}, {"type": "boolean"}, {"type": "null"}]
)


@settings(suppress_health_check=SLOW)
@given(
    members=st.dictionaries(
        st.sampled_from(["size", "on", "N", "y2", "Title"]),
        MEMBERS | OF_WORDS.map(lambda words: {"enum": words}),
        max_size=4,
    ),
    data=st.dictionaries(
        st.sampled_from(["size", "Size", "On", "n", "Y2", "titel"]), SCALARS, max_size=4
    ),
    format=st.sampled_from(["yaml", "json5", "jsonc"]),
    is_block=st.booleans(),
)
def test_in_each_format_a_fixed_text_is_read_as_it_is_meant(
    members: Any, data: Any, format: Format, is_block: bool
) -> None:
    validator = Validator({"properties": members, "additionalProperties": False})
    text = json.dumps(data)
    if format == "yaml" and is_block:
        text = yaml.safe_dump(data)
    check = checker(validator)

    def read_again(text: str) -> Parsed:
        [parsed] = parse(text, format)
        return parsed

    def all_of(parsed: Parsed) -> Counter[tuple[str, str]]:
        found = [*check(parsed.value), *(one.finding for one in parsed.warnings)]
        return Counter((one.keyword, one.path) for one in found)

    before = read_again(text)
    fixed = fix(text, check, format=format)
    after = read_again(fixed.text)
    paths = moved(before.value, after.value)
    known = Counter({(keyword, paths[path]): n for (keyword, path), n in all_of(before).items()})
    assert not all_of(after) - known
    assert all_of(after).total() < known.total() or not fixed.applied
    shown = with_effective_fixes(before, check(before.value), check, read_again)
    made = {(one.keyword, one.fix) for one in fixed.applied}
    assert {(one.keyword, one.fix) for one in shown if one.fix is not None} <= made
    assert bool(made) == any(one.fix is not None for one in shown)
    event(f"{format}: {min(len(fixed.applied), 3)} applied")


@ALL
def test_near_misses(name: str) -> None:
    for case in made(name, "near_misses"):
        text = dump(case.data)
        validator = named(name).validator
        holds(text, fix(text, checker(validator)), validator)


# Valid data, broken as people break it


def mistakes(token: str, *, is_name: bool) -> list[str]:
    """Texts that a person might write for a token."""
    if not token.startswith('"'):
        quoted = [f'"{token}"', f'" {token}"', f'"{token.upper()}"']
        return quoted if token[0] in "-0123456789tf" and not is_name else []
    text = json.loads(token)
    swapped = [
        text[:at] + other + one + text[at + 2 :] for at, (one, other) in enumerate(pairwise(text))
    ]
    others = [text.upper(), text.lower(), text.title(), text + text[-1:], text[1:], text[:-1]]
    others += [f" {text}", f"{text}\n", text.replace("-", "_"), re.sub("([A-Z])", r"_\1", text)]
    return [json.dumps(one) for one in dict.fromkeys([*others, *swapped]) if one != text]


def is_name(tokens: Sequence[str], index: int) -> bool:
    return tokens[index + 1 : index + 2] == [":"]


@settings(max_examples=scaled(40), suppress_health_check=SLOW)
@given(data=st.data())
def broken_is_fixed_or_stays(name: str, data: st.DataObject) -> None:
    widget_type = named(name)
    seed = data.draw(st.integers(0, 30), label="sample")
    good = dump(widget_type.sample("fixes", seed))
    tokens = TOKEN.findall(good)
    places = [n for n, token in enumerate(tokens) if mistakes(token, is_name=is_name(tokens, n))]
    assume(places)
    bad = [*tokens]
    for place in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=4, unique=True)):
        wrong = mistakes(tokens[place], is_name=is_name(tokens, place))
        bad[place] = data.draw(st.sampled_from(wrong))
    text = "".join(bad)
    try:
        read(text)
    except UnreadableDocument:
        assume(False)
    fixed = fix(text, checker(widget_type.validator))
    event(f"{min(len(fixed.applied), 3)} applied")
    for was, broke, now in zip(tokens, bad, TOKEN.findall(fixed.text), strict=True):
        assert now in (was, broke)
    holds(text, fixed, widget_type.validator)


@ALL
def test_broken_data_is_fixed_to_what_it_was_or_stays(name: str) -> None:
    broken_is_fixed_or_stays(name)


def test_the_patch_of_a_fixed_text_has_a_line_for_each_line_with_a_mistake() -> None:
    widget_type = named("countdown")
    good = dump(widget_type.maximal())
    bad = re.sub(r": (true|false|\d+)(,?)\n", r': "\1"\2\n', good).replace("how", "ohw")
    fixed = fix(bad, checker(widget_type.validator))
    lines = unified_diff(bad, fixed.text, "a.json").splitlines()
    removed = [line for line in lines[2:] if line.startswith("-")]
    assert len(removed) == len({one.line for one in fixed.applied}) == 20
