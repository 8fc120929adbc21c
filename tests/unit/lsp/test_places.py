"""Places: what the cursor is at, also in a text that is not JSON at the moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lsp.opened import at_cursor, project_in
from widgetschema.lsp.cursor import context_of, place_at


@pytest.mark.parametrize(
    ("text", "kind", "pointer", "replaced"),
    [
        ("|", "value", "", ""),
        ('{"a": 1}|', "value", "", '{"a": 1}'),
        ("{|}", "name", "", ""),
        ("{|", "name", "", ""),
        ('{"a|": 1}', "name", "", '"a"'),
        ('{"a": |1}', "value", "/a", "1"),
        ('{"a": 1|}', "value", "/a", "1"),
        ('{"a": 1 |}', "name", "", ""),
        ('{"a": 1, |}', "name", "", ""),
        ('{"a": |}', "value", "/a", ""),
        ('{"a":|', "value", "/a", ""),
        ('{"a": |, "b": 1}', "value", "/a", ""),
        ('{"a": ,| "b": 1}', "name", "", ""),
        ('{"a": tr|', "value", "/a", "tr"),
        ('{"a": "x|y"}', "value", "/a", '"xy"'),
        ('{"a": "x|', "value", "/a", '"x'),
        (
            '{"a": "x|y\n}',
            "value",
            "/a",
            '"x',
        ),  # up to the cursor: what follows may be something else
        ('{"a": {"b|": 1}}', "name", "/a", '"b"'),
        ('{"a": {"b": [1, {"c": |', "value", "/a/b/1/c", ""),
        ('{"a": [1, |]}', "value", "/a/1", ""),
        ('{"a": [|]}', "value", "/a/0", ""),
        ('{"a": [1|, 2]}', "value", "/a/0", "1"),
        ('{"a": {|}', "name", "/a", ""),
        ('{"a": {}|', "value", "/a", "{}"),
        ('{"~/": {"b": |}}', "value", "/~0~1/b", ""),
        ('{"a" |}', "name", "", ""),
    ],
)
def test_the_cursor_is_at_a_name_or_a_value(
    text: str, kind: str, pointer: str, replaced: str
) -> None:
    document, offset = at_cursor(text)
    place = place_at(document, offset)
    assert place is not None
    at = "".join(f"/{one.replace('~', '~0').replace('/', '~1')}" for one in place.tokens)
    assert (place.kind, at, document.text[place.start : place.end]) == (kind, pointer, replaced)
    assert place.start <= offset <= place.end


def test_there_is_no_place_outside_the_value() -> None:
    assert place_at(*at_cursor('{"a": 1}\n\n|')) is None


@pytest.mark.parametrize(
    ("text", "tokens", "about"),
    [
        ('{"content": {}}', ["content"], ("countdown", ("content",))),
        ('{"type": "countdown", "id": "x", "data": {}}', ["data"], ("countdown", ("data",))),
        ('{"docs": [{"type": "countdown", "id": "x", "data": {}}], "total": 1}',
         ["docs", "0", "data"], ("countdown", ("data",))),
        ('{"docs": [{"type": "countdown", "id": "x", "data": {}}], "total": 1}', ["total"], None),
        ('{"type": "nothing-like-it", "id": "x", "data": {}}', ["data"], None),
    ],
)  # fmt: skip
def test_the_document_around_a_place_has_a_type(
    text: str, tokens: list[str], about: tuple[str, tuple[str, ...]] | None, tmp_path: Path
) -> None:
    document, _ = at_cursor(text, tmp_path / "a.json")
    value = document.part_at(0).value
    context = context_of(document, project_in(tmp_path), tokens, value)
    found = None if context is None else (context.widget_type.id, context.tokens)
    assert found == about
