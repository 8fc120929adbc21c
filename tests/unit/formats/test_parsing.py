"""Recovery of texts that are not in their format at the moment: YAML, JSON5, JSONC."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import calls
from widgetschema.errors import UnreadableDocument
from widgetschema.formats.model import Format
from widgetschema.formats.parsing import parse, recover_value
from widgetschema.formats.yaml_recovery import recover_yaml, yaml_value
from widgetschema.jsontext import Element, Limits
from widgetschema.jsontext.recovery import MISSING


def places(root: Element) -> list[tuple[int, int, str]]:
    """List the tree in the order of the text: offsets and kinds; names are kinds, too."""
    found, todo = [], [root]
    while todo:
        element = todo.pop()
        found.append((element.start, element.end, element.kind))
        found += [(one.key_start, one.key_end, f"name {one.name}") for one in element.members]
        todo += [*element.items, *(one.element for one in element.members)]
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# c\n%YAML 1.2\n---\n", None),
        ("%YAML 1.2\n---\na: 1\nb", {"a": 1}),
        ("a: b: c\nd: 1", {"a": "b: c", "d": 1}),
        ("content:\n  tim\n  days: 3\n  ho\nsettings: {}\n", {"content": {"days": 3}, "settings": {}}),
        ("content:\n  days: 3\n ho: 1\nsettings: 2", {"content": {"days": 3}, "settings": 2}),
        ("a: 1\n    b: 2\nc: 3", {"a": 1, "c": 3}),
        ("- a\n-\n- b:\n- c: 'x\n- 5", ["a", None, {}, {"c": "x"}, 5]),
        ("a: [1, {b: c, d\ne: 2", {"a": [1, {"b": "c"}], "e": 2}),
        ("a: {\n  b: 1 # c\n}\nc: [", {"a": {"b": 1}, "c": []}),
        ("a: >\n  x: 1\n  y\nb: \"", {"a": "  x: 1\n  y", "b": ""}),
        ("a: *x\n<<: *y\nb: &z 3\n&k c: !!int 4\n*x : 1", {"b": 3, "c": 4}),
        ("\"a\\tb\": 1\n'c''d': 2\n? e\n: 3\n[f]: 4\n@g: 5", {"a\tb": 1, "c'd": 2}),
        ("a:\tx\n\tb: 1", {"a": "x"}),
        ("1: x\ntrue: y", {"1": "x", "true": "y"}),
    ],
)  # fmt: skip
def test_lines_of_yaml_are_read_one_by_one(text: str, value: Any) -> None:
    recovered = yaml_value(recover_yaml(text))
    for name in ("? e", "*x ", "@g", ""):
        recovered.pop(name, None) if isinstance(recovered, dict) else None
    assert recovered == value


WORDS = st.sampled_from(
    ["a", "b c", "x-y", "no", "1", "é😀", "a: b", "# c", "- d", "", "'", '"', "{", "\\", "k\nl"]
)
SCALARS = WORDS | st.none() | st.booleans() | st.integers(-99, 99) | st.just(0.5)
VALUES = st.recursive(
    SCALARS,
    lambda some: st.lists(some, max_size=3) | st.dictionaries(WORDS, some, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([True, False, None]), st.sampled_from([2, 4]))
def test_what_is_yaml_is_recovered_as_it_is_read(
    value: Any, flow: bool | None, indent: int
) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if not flow:
        text = yaml.safe_dump(
            value, default_flow_style=flow, indent=indent, allow_unicode=True, width=10_000
        )
    if "? " in text or "\n\n" in text:  # names on lines of their own, texts of several lines
        return
    try:
        [parsed] = parse(text, "yaml")
    except UnreadableDocument:
        return
    lenient, read = recover_yaml(text), recover_value(text, "yaml")
    assert read.value == parsed.value
    if flow is not None:
        assert [one[2] for one in places(lenient)] == [one[2] for one in places(read.root)]
        assert json.dumps(yaml_value(lenient)) == json.dumps(parsed.value)
    for start, end, kind in places(read.root):
        assert 0 <= start <= end <= len(text)
        assert start < end or kind == MISSING


@given(st.text("ab:-#'\"{}[],|>&*!? \n\r\t1\ud800", max_size=40))
def test_any_text_has_a_tree_whose_places_are_in_it(text: str) -> None:
    formats: tuple[Format, ...] = ("yaml", "json5", "jsonc")
    for format in formats:
        for start, end, _ in places(recover_value(text, format).root):
            assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{type: 'countdown', // c\n data: {content: {ti", {"type": "countdown", "data": {"content": {}}}),
        ("{a: 0x10, b: 'it\\'s', c: [+1,],", {"a": 16, "b": "it's", "c": [1]}),
        ("{a: 1, b: 'x", {"a": 1}),
        ("{a: 1, /* b: 2", {"a": 1}),
    ],
)  # fmt: skip
def test_json5_that_somebody_is_typing(text: str, value: Any) -> None:
    root, recovered = recover_value(text, "json5")
    assert recovered == value
    names = {kind: text[start:end] for start, end, kind in places(root) if kind.startswith("name")}
    assert names["name a" if "a: " in text[:4] else "name type"] in ("a", "type")


@pytest.mark.parametrize(
    "text", ["- " * 3_000, "".join(f"{' ' * depth}a:\n" for depth in range(600)), "[" * 3_000]
)
def test_depth_is_bounded(text: str) -> None:
    element, depth = recover_yaml(text, Limits(max_depth=50)), 0
    while element.items or element.members:
        element = element.items[0] if element.items else element.members[0].element
        depth += 1
    assert 49 <= depth <= 52


@pytest.mark.parametrize(
    "repeated",
    [
        "a: b\n",
        "- x\n",
        "a: 'x\n",
        "a: [\n",
        "x\n",
        "   y\n",
        "- - z\n",
        "a: >\n b\n",
        '" \n',
        "k " * 9,
    ],
)
def test_the_effort_is_linear(repeated: str) -> None:
    small = calls(lambda: recover_yaml(repeated * 300))
    large = calls(lambda: recover_yaml(repeated * 3_000))
    assert large < small * 20
