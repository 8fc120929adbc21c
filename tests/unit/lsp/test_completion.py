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


def items(text: str, folder: Path, name: str = "a.json") -> list[Item]:
    document, offset = at_cursor(text, folder / name)
    return complete(document, project_of(folder, SCHEMA), offset)


def labels(text: str, folder: Path, name: str = "a.json") -> list[str]:
    return [one.label for one in items(text, folder, name)]


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
    ("types", "expected"),
    [("string boolean null", ["true", "false", "null"]), ("string number boolean null", [])],
)
def test_values_of_types_are_offered_where_they_are_few(
    types: str, expected: list[str], tmp_path: Path
) -> None:
    schema = {"type": "object", "properties": {"it": {"type": types.split()}}}
    document, offset = at_cursor('{"it": |}', tmp_path / "a.json")
    found = complete(document, project_of(tmp_path, schema), offset)
    assert [one.label for one in found] == expected


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


NAMES = ["title", "note", "size", "is_open", "list", "fixed"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|", NAMES),
        ("# c\nti|", NAMES),
        ("---\nti|\n", NAMES),
        ("title: x\n|\nsize: big", ["note", "is_open", "list", "fixed"]),
        ("ti|\nsize: big\n", ["title", "note", "is_open", "list", "fixed"]),
        ("title: x\r\nsi|\r\n", ["note", "size", "is_open", "list", "fixed"]),
        ("a: b: c\ntitle: [\nsi|", ["note", "size", "is_open", "list", "fixed"]),  # wrong before
        ("ti|\na: b: c", NAMES),  # and behind
        ("size: |", ["small", "big", "3", "null"]),
        ("size:|", ["small", "big", "3", "null"]),
        ("size: 'b|", ["'small'", "'big'", "3", "null"]),
        ("is_open: t|\nnote: x", ["true", "false"]),
        ("list:\n  - |", ["kind", "radius", "side"]),
        ("list:\n- k|", ["kind", "radius", "side"]),
        ("list:\n- kind: circle\n  |", ["radius"]),
        ("list:\n- kind: |\nnote: q", ["circle", "square"]),
        ("list: [{kind: circle, |}]", ["radius"]),
        ("list: [{kind: circle, r|", ["radius"]),
        ("x: &x {kind: circle}\nlist:\n- <<: *x\n  |", ["radius"]),
        ("size: big\n---\ntitle: x\n|", ["note", "size", "is_open", "list", "fixed"]),
        ("title: x # |", []),
        ("# |", []),
        ("title: >\n  a\n  |", []),
        ("title: >\n  a|", []),
        ("title: x\n    |", []),  # no indentation that a name could have here
        ("title: 'x\n  |", []),
    ],
)
def test_yaml(text: str, expected: list[str], tmp_path: Path) -> None:
    document, _ = at_cursor(text)
    found = items(text, tmp_path, "a.yaml")
    assert [one.label for one in found] == expected
    for one in found:
        assert one.start <= one.end <= len(document.text)


@pytest.mark.parametrize(
    ("name", "text", "label", "result"),
    [
        ("a.yaml", "|", "title", "title: "),
        ("a.yaml", "|", "list", "list:"),
        ("a.yaml", "|", "note", 'note: "$1}"'),
        ("a.yaml", "|", "fixed", 'fixed: {"a":1}'),
        ("a.yaml", "ti| # c\nsize: 3", "is_open", "is_open: true # c\nsize: 3"),
        ("a.yaml", "ti|: 1", "title", "title: 1"),
        ("a.yaml", '"ti|": 1', "title", '"title": 1'),
        ("a.yaml", "size:|", "big", "size: big"),
        ("a.yaml", "list:\n-|", "kind", "list:\n- kind: circle"),
        ("a.yaml", "{|}", "title", '{"title": ""}'),
        ("a.json5", "{ti|", "title", '{"title": ""'),
        ("a.json5", "{'ti|': 1}", "title", "{'title': 1}"),
        ("a.json5", "{size: 's|", "'small'", "{size: 'small'"),
        ("a.json5", "{| // c\n size: 3}", "list", '{"list": [] // c\n size: 3}'),
        ("a.json5", "{title: 'a', |size: 3}", "list", "{title: 'a', \"list\": [],size: 3}"),
        ("a.jsonc", '{"size": | // c\n}', '"big"', '{"size": "big" // c\n}'),
        ("a.ndjson", '{"size": 3}\n{"size": "b|"}\n', '"big"', '{"size": 3}\n{"size": "big"}\n'),
        ("a.ndjson", '{"size": 3}\n{"|\n{}', "title", '{"size": 3}\n{"title": ""\n{}'),
    ],
)
def test_what_is_written_in_other_formats(
    name: str, text: str, label: str, result: str, tmp_path: Path
) -> None:
    document, _ = at_cursor(text)
    one = next(one for one in items(text, tmp_path, name) if one.label == label)
    assert document.text[: one.start] + one.plain + document.text[one.end :] == result


def test_a_document_of_yaml_has_the_members_of_its_type(tmp_path: Path) -> None:
    text = "type: countdown\nid: x\ndata:\n  content:\n    timer|\n"
    document, offset = at_cursor(text, tmp_path / "b.yaml")
    project = project_in(tmp_path, None)
    assert "timerTitle" in [one.label for one in complete(document, project, offset)]
    document, offset = at_cursor("type: c|\nid: x\n", tmp_path / "b.yaml")
    assert "countdown" in [one.label for one in complete(document, project, offset)]


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
