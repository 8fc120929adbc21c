"""The list of edits: the ranges give the fixed text, and the patch gives its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from widgetschema.findings import Finding, Fix
from widgetschema.fixes import Fixed, FixedValue, edit_list, fix
from widgetschema.fixes.edit_list import json_patch, text_edits
from widgetschema.fixes.edits import Edit
from widgetschema.formats.model import Format
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import dump, patch, read
from widgetschema.pointers import resolve_pointer


def rename(path: str, new: str) -> tuple[str, Fix]:
    return path, Fix("name", f'"{new}"')


def value(path: str, text: str) -> tuple[str, Fix]:
    return path, Fix("value", text)


def checker(*fixes: tuple[str, Fix]) -> Callable[[Any], Sequence[Finding]]:
    """A check whose findings are at the paths that are there and not yet as their fix says."""

    def check(data: Any) -> list[Finding]:
        missing = object()
        return [
            Finding(one.replace, path, "", "wrong", fix=one)
            for path, one in fixes
            if (there := resolve_pointer(data, path, missing)) is not missing
            and (one.replace == "name" or there != read(one.text))
        ]

    return check


def spliced(text: str, fixed: Fixed) -> str:
    for edit in reversed(text_edits(fixed)):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("text", "fixes", "operations"),
    [
        ('"1"', [value("", "1")], [{"op": "replace", "path": "", "value": 1}]),
        (
            '[{"a": "1"}, "x"]',
            [value("/0/a", "1"), value("/1", "null")],
            [
                {"op": "replace", "path": "/0/a", "value": 1},
                {"op": "replace", "path": "/1", "value": None},
            ],
        ),
        (  # inner names first, and values before names: all paths are those of the text
            '{"o": {"i": {"v": "1"}}}',
            [rename("/o", "O"), rename("/O/i", "I~/"), value("/O/I~0~1/v", "1")],
            [
                {"op": "replace", "path": "/o/i/v", "value": 1},
                {"op": "move", "from": "/o/i", "path": "/o/I~0~1"},
                {"op": "move", "from": "/o", "path": "/O"},
            ],
        ),
    ],
)
def test_a_patch_leads_to_the_value_of_the_fixed_text(
    text: str, fixes: list[tuple[str, Fix]], operations: list[dict[str, Any]]
) -> None:
    fixed = fix(text, checker(*fixes))
    assert len(fixed.applied) == len(fixes)
    assert json_patch(fixed) == operations
    assert read(patch(text, operations)) == read(fixed.text)
    assert spliced(text, fixed) == fixed.text


def test_later_rounds_are_ranges_of_the_first_text() -> None:
    def edit(text: str, old: str, new: str, path: str, what: str = "value") -> Edit:
        finding = Finding("type", path, "", "wrong", fix=Fix(what, new))  # type: ignore[arg-type]
        start = text.index(old)
        return Edit((path, what), start, start + len(old), new, (finding,))

    text = '{"a": "1", "b": "2", "c": "3"}'
    between = '{"AAA": "1", "b": 22222, "c": "3"}'
    after = '{"AAA": "1", "b": null, "c": 3}'
    rounds = (
        (edit(text, '"2"', "22222", "/b"), edit(text, '"a"', '"AAA"', "/a", "name")),
        (edit(between, '"3"', "3", "/c"), edit(between, "22222", "null", "/b")),
    )
    fixed = Fixed(after, (), rounds)
    assert spliced(text, fixed) == after
    assert [(one.start, one.end, one.text) for one in text_edits(fixed)] == [
        (1, 4, '"AAA"'),
        (16, 19, "null"),
        (26, 29, "3"),
    ]
    assert [len(one.findings) for one in text_edits(fixed)] == [1, 2, 1]
    operations = json_patch(fixed)
    assert operations is not None
    assert read(patch(text, operations)) == read(after)


def test_a_text_that_could_not_be_read_has_ranges_only() -> None:
    text = '\ufeff{"a": "1",\n }'
    fixed = fix(text, checker(value("/a", "1")))
    assert fixed.text == '{"a": 1\n }'
    listed = edit_list(text, [FixedValue(0, 1, fixed)])
    assert listed["patches"] == [{"line": 1, "patch": None}]
    assert [
        (one["line"], one["column"], one["offset"], one["end_offset"], one["replacement"])
        for one in listed["edits"]
    ] == [(1, 1, 0, 1, ""), (1, 8, 7, 10, "1"), (1, 11, 10, 11, "")]


def test_places_are_those_of_the_file() -> None:
    line = '{"a": "1"}'
    text = f"{{}}\r\n{line}\r\n"
    listed = edit_list(text, [FixedValue(4, 2, fix(line, checker(value("/a", "1"))))])
    assert listed["edits"] == [
        {
            "line": 2,
            "column": 7,
            "offset": 10,
            "end_line": 2,
            "end_column": 10,
            "end_offset": 13,
            "replacement": "1",
            "findings": [
                {"keyword": "value", "path": "/a", "message": "wrong", "applicability": "safe"}
            ],
        }
    ]
    assert text[10:13] == '"1"'
    patches = [{"op": "replace", "path": "/a", "value": 1}]
    assert listed["patches"] == [{"line": 2, "patch": patches}]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json5", "{a: '1', /* one */ b: .5}"),
        ("jsonc", '{"b": 2, "a": "1",} // end'),
        ("yaml", "a: '1' # one\nb: 0o17\n"),
        ("yaml", "x: &x\n  b: '2'\n<<: *x\na: '1'\n"),
    ],
)
def test_the_patch_of_other_formats_has_the_values_of_json(format: Format, text: str) -> None:
    fixed = fix(text, checker(value("/a", "1")), format=format)
    assert fixed.text == re.sub("""['"]1['"]""", "1", text)
    assert spliced(text, fixed) == fixed.text
    operations = json_patch(fixed)
    assert operations == [{"op": "replace", "path": "/a", "value": 1}]
    [old], [new] = parse(text, format), parse(fixed.text, format)
    assert read(patch(dump(old.value), operations)) == new.value


def test_a_value_with_an_alias_has_no_edits() -> None:
    """A patch would change one of its places, the text all of them."""
    text = "x: &x\n  a: '1'\ny: *x\n"
    assert fix(text, checker(value("/x/a", "1")), format="yaml") == Fixed(text, ())
    text = "x: &x '1'\ny: *x\n"
    assert fix(text, checker(value("/x", "1")), format="yaml") == Fixed(text, ())


def test_edits_that_were_taken_back_are_not_listed() -> None:
    """The first round keeps one of two edits; then the checks fail, and all is as it was."""
    both = 0

    def check(data: Any) -> list[Finding]:
        nonlocal both
        if data == {"a": 1, "b": 2}:
            both += 1
            if both == 2:
                read("{")  # raises
            return [Finding("const", "", "", "they clash")]
        return [*checker(value("/a", "1"), value("/b", "2"))(data)]

    text = '{"a": "1", "b": "2"}'
    assert fix(text, check) == Fixed(text, ())
    assert both == 2
