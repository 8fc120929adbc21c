"""Names of places: titles of the schema, else the words of the member names."""

from __future__ import annotations

import pytest

from widgetschema.audit.place_names import PlaceNames
from widgetschema.catalog.catalog import Catalog

ITEM = {"type": "object", "properties": {"answerText": {}, "n": {"title": "Number "}}}
DATA = {
    "type": "object",
    "properties": {
        "questions": {"title": "All questions", "type": "array", "items": ITEM},
        "nested": {"$ref": "#/definitions/N"},
    },
}
SCHEMA = {
    "properties": {"data": DATA},
    "definitions": {"N": {"title": "A\nnest", "properties": {"nested": {"$ref": "#/definitions/N"}}}},
}  # fmt: skip
OWN_DATA = {"type": "object", "properties": {"data": {"title": "Own"}, "x": {}}}
OWN = {"properties": {"data": OWN_DATA}}
NAMES = PlaceNames(Catalog([{"t": SCHEMA, "own": OWN, "broken": {"properties": 3}}]))


@pytest.mark.parametrize(
    ("type_id", "path", "name"),
    [
        ("t", "", ""),
        ("t", "/data", ""),
        ("t", "/questions", "All questions"),
        ("t", "/data/questions", "All questions"),
        ("t", "/data/questions/*/answerText", "All questions › Answer text"),
        ("t", "/questions/*/n", "All questions › Number"),
        ("t", "/questions/*", "All questions (any)"),
        ("t", "/questions/0/n", "All questions › 0 › Number"),
        ("t", "/**", ""),
        ("t", "/nested/nested", "A nest › A nest"),
        ("t", f"/{'nested/' * 50}other~1Name", " › ".join([*["A nest"] * 7, "Other name"])),
        ("t", "/updatedAt", "Updated at"),
        ("own", "/data", "Own"),
        ("own", "/x", "X"),
        ("broken", "/data/showTitle", "Show title"),
        ("gone", "/data/showTitle", "Show title"),
        (None, "/data/showTitle", "Show title"),
    ],
)
def test_names(type_id: str | None, path: str, name: str) -> None:
    assert NAMES.name(type_id, path) == name


def test_data_may_be_elsewhere() -> None:
    names = PlaceNames(Catalog([{"t": SCHEMA}]), "/after/data")
    assert names.name("t", "/after/data/questions") == "All questions"
    assert names.name("t", "/after/id") == "After › ID"
