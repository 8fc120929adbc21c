"""Places of fields and findings in the JSON pane, as a text area counts them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.editing import editor_of
from widgetschema.editor.pane_places import PanePlaces, pane_places
from widgetschema.forms.newlines import normalize_newlines

SCHEMA = {
    "properties": {
        "data": {
            "properties": {
                "a": {"type": "integer"},
                "list": {"type": "array", "items": {"type": "string"}},
                "title": {"type": "string", "title": "Title 👍"},
            }
        }
    }
}
TEXT = '{\r\n  "é👍": 1,\r\n\t"a": "🎉 x",\r\n  "list": ["👍", 2],\r\n  "title":\r\n    "שלום"\r\n}\r\n'


def places(tmp_path: Path, text: str, edits: dict[str, str]) -> tuple[str, PanePlaces]:
    """The text of the pane as UTF-16, and the places in it, after some controls were typed into."""
    path = tmp_path / "widget.json"
    path.write_bytes(text.encode())
    session = editor_of(path, type_id="x", schemas={"x": SCHEMA})
    shown = session.show()
    fields: dict[str, Any] = {"editor.of": [shown.of], "editor.pane-of": [shown.pane_of]}
    view = session.live_view({**fields, **{name: [value] for name, value in edits.items()}})
    return normalize_newlines(view.pane), pane_places(view)


def cut(text: str, start: int, end: int) -> str:
    """The part of a text between two offsets of a script."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def test_each_field_has_its_member_or_item(tmp_path: Path) -> None:
    text, found = places(tmp_path, TEXT, {"#/title": "ab👍", "#/list/0": "longer 👍👍"})
    parts = {place.label: cut(text, place.start, place.end) for place in found.fields}
    assert parts["A"] == '"a": "🎉 x"'
    assert parts["Title 👍"] == '"title":\n    "ab👍"'
    assert parts["List"] == '"list": ["longer 👍👍", 2]'
    assert "2" in [cut(text, place.start, place.end) for place in found.fields]
    assert cut(text, found.fields[0].start, found.fields[0].end) == text.strip()
    findings = {cut(text, place.start, place.end): place.text for place in found.findings}
    assert findings.keys() == {'"🎉 x"', "2"}
    assert "must be" in findings["2"]
    json.dumps(found._asdict())


def test_what_is_missing_is_at_what_it_is_missing_in(tmp_path: Path) -> None:
    path = tmp_path / "widget.json"
    path.write_text('{"data": {"list": {}}, "type": "x"}')
    schema = {"properties": {"data": {"properties": {"list": {"required": ["a"]}}}}}
    [finding] = pane_places(editor_of(path, schemas={"x": schema}).show()).findings
    assert cut(path.read_text(), finding.start, finding.end) == "{}"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_what_cannot_be_read_is_marked(newline: str, tmp_path: Path) -> None:
    path = tmp_path / "widget.json"
    path.write_bytes('{"👍": 1,\n "👍2": ?,\n}'.replace("\n", newline).encode())
    view = editor_of(path, type_id="x", schemas={"x": SCHEMA}).show()
    found = pane_places(view)
    assert found.fields == ()
    first = found.findings[0]
    assert cut(normalize_newlines(view.pane), first.start, first.end) == "?"


def test_a_pane_that_differs_from_the_form_has_no_places(tmp_path: Path) -> None:
    path = tmp_path / "widget.json"
    path.write_text('{"a": 1}')
    session = editor_of(path, type_id="x", schemas={"x": SCHEMA})
    shown = session.show()
    fields = {"editor.of": [shown.of], "editor.pane-of": [shown.pane_of]}
    view = session.live_view({**fields, "#/a": ["2"], "editor.pane": ['{"a": 3}']})
    assert view.needs_choice
    assert pane_places(view) == PanePlaces()
