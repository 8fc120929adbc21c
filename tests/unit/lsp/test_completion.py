"""Completion: what may be written at the cursor, in JSON and in what is not JSON yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.lsp.opened import at_cursor, project_in, project_of
from widgetschema.lsp.completion import Item, complete

SCHEMA: Any = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title"],
    "properties": {
        "note": {"type": "string", "description": "A remark.", "default": "$1}"},
        "size": {"enum": ["small", "big", 3, None], "title": "Size"},
        "is_open": {"type": "boolean", "default": True},
        "title": {"type": "string", "examples": ["Sale"]},
        "list": {"type": "array", "items": {"$ref": "#/definitions/item"}},
        "fixed": {"const": {"a": 1}},
    },
    "definitions": {
        "item": {
            "oneOf": [
                {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}},
                {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}},
            ]
        }
    },
}


def items(text: str, folder: Path) -> list[Item]:
    document, offset = at_cursor(text, folder / "a.json")
    return complete(document, project_of(folder, SCHEMA), offset)


def labels(text: str, folder: Path) -> list[str]:
    return [one.label for one in items(text, folder)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{|}", ["title", "note", "size", "is_open", "list", "fixed"]),  # what is required is first
        ("{|", ["title", "note", "size", "is_open", "list", "fixed"]),
        ('{"title": "a", "size": 3, |', ["note", "is_open", "list", "fixed"]),
        ('{"ti|", "size": 3}', ["title", "note", "is_open", "list", "fixed"]),
        ('{"size": |}', ['"small"', '"big"', "3", "null"]),
        ('{"size": "b|', ['"small"', '"big"', "3", "null"]),
        ('{"is_open": |', ["true", "false"]),
        ('{"note": |', ['"$1}"']),
        ('{"title": "|"}', ['"Sale"']),
        ('{"fixed": |}', ['{"a": 1}']),
        ('{"list": [{|', ["kind", "radius", "side"]),
        ('{"list": [{"kind": "circle", |', ["radius"]),
        ('{"list": [{"kind": "|"', ['"circle"', '"square"']),
        ('{"title": "x"}|', []),
        ('{"unknown": {|', []),
    ],
)
def test_names_and_values(text: str, expected: list[str], tmp_path: Path) -> None:
    assert labels(text, tmp_path) == expected


@pytest.mark.parametrize(
    ("text", "label", "result"),
    [
        ("{|}", "title", '{"title": ""}'),
        ("{|}", "list", '{"list": []}'),
        ("{|}", "note", '{"note": "$1}"}'),
        ("{|}", "fixed", '{"fixed": {"a":1}}'),
        ('{|"size": 3}', "title", '{"title": "","size": 3}'),
        ('{"ti|": 1}', "title", '{"title": 1}'),
        ('{"ti|}', "title", '{"title": ""}'),
        ('{"size": "b|"}', '"big"', '{"size": "big"}'),
        ('{"size": b|}', '"big"', '{"size": "big"}'),
        ('{"size": |}', "null", '{"size": null}'),
    ],
)
def test_what_is_written(text: str, label: str, result: str, tmp_path: Path) -> None:
    document, _ = at_cursor(text)
    one = next(one for one in items(text, tmp_path) if one.label == label)
    written = document.text[: one.start] + one.plain + document.text[one.end :]
    assert written == result
    unescaped = one.text.replace("$0", "").replace("\\$", "$").replace("\\}", "}")
    assert unescaped == one.plain


def test_what_is_said_about_a_member(tmp_path: Path) -> None:
    found = {one.label: one for one in items("{|", tmp_path)}
    assert (found["note"].detail, found["note"].documentation) == (
        "string",
        'A remark.\n\nDefault: "$1}"',
    )
    assert found["size"].detail == 'null or number or string, one of "small", "big", 3, null'
    assert found["size"].documentation == "Size"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"type": "|", "id": "x", "data": {}}', True),
        ('{"type": |', True),
        ('[{"type": "", "id": 1, "data": {}}, {"type": "|", "id": 2, "data": {}}]', True),
        ('{"total": 1, "docs": [{"type": "|"}]}', True),
        ('{"name": "app", "type": "|", "scripts": {}}', False),
        ('{"a": {"type": "|"}}', False),
    ],
)
def test_widget_types(text: str, expected: bool, tmp_path: Path) -> None:
    document, offset = at_cursor(text)
    found = [one.label for one in complete(document, project_in(tmp_path, None), offset)]
    assert found == (['"countdown"'] if expected else [])


def test_a_member_of_a_document(tmp_path: Path) -> None:
    text = '{"type": "countdown", "id": "x", "data": {"content": {"timer|'
    document, offset = at_cursor(text)
    found = [one.label for one in complete(document, project_in(tmp_path, None), offset)]
    assert "timerTitle" in found


def test_nothing_is_offered_in_other_files(tmp_path: Path) -> None:
    document, offset = at_cursor("{|}", tmp_path / "a.json")
    assert complete(document, project_in(tmp_path, None), offset) == []
