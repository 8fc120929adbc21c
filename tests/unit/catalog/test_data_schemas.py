"""Schemas of data in files, and the catalogs that they are in."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from widgetschema import (
    Catalog,
    InvalidSchema,
    StoreError,
    UnclearSchema,
    UnknownWidgetType,
)
from widgetschema.catalog.data_schemas import DataSchemas

CLOSED = {"additionalProperties": False, "properties": {"title": {"type": "string"}}}


def catalog(folder: Path, schema: Any, *others: Any) -> Catalog:
    """A catalog of the type `note`, whose schema of data is in a file."""
    (folder / "note.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    return Catalog([DataSchemas({"note": str(folder / "note.schema.json")}), *others])


@pytest.mark.parametrize(
    ("schema", "valid", "invalid", "schema_path"),
    [
        pytest.param(True, 1, None, None, id="true"),
        pytest.param(False, None, 1, "", id="false"),
        pytest.param(
            {
                "$ref": "#/definitions/Note",
                "definitions": {"Note": {"properties": {"title": {"type": "string"}}}},
            },
            {"title": "a"},
            {"title": 1},
            "/definitions/Note/properties/title/type",
            id="reference-at-the-root",
        ),
        pytest.param(
            {
                "$id": "https://other.example/tree.json",
                "properties": {"child": {"$ref": "#"}, "size": {"maximum": 3}},
            },
            {"child": {"child": {"size": 3}}},
            {"child": {"child": {"size": 4}}},
            "/properties/size/maximum",
            id="recursion-below-an-id",
        ),
        pytest.param(
            {
                "$id": "https://other.example/schemas/plugin.json",
                "items": {"$ref": "/schemas/item.json"},
                "definitions": {"Item": {"$id": "item.json", "const": 1}},
            },
            [1],
            [2],
            "/definitions/Item/const",
            id="ids-like-that-of-the-base-schema",
        ),
        pytest.param({"type": "array", "maxItems": 1}, [1], [1, 2], "/maxItems", id="array"),
    ],
)
def test_data_is_checked_by_the_schema_itself(
    tmp_path: Path, schema: Any, valid: Any, invalid: Any, schema_path: str | None
) -> None:
    note = catalog(tmp_path, schema)["note"]

    assert note.describes == "data"
    assert note.schema == note.linked == schema
    assert note.lints == ()
    assert schema is False or note.is_valid(valid)
    assert schema is False or note.is_valid(note.sample())
    if schema_path is not None:
        assert [one.schema_path for one in note.check(invalid)] == [schema_path]
        assert not note.is_valid_document({"data": invalid})


def test_where_a_schema_came_from(tmp_path: Path) -> None:
    note = catalog(tmp_path, CLOSED)["note"]

    [provenance] = note.check({}).schemas
    assert (provenance.id, provenance.source) == ("note", str(tmp_path / "note.schema.json"))
    assert provenance.digest == note.digest
    assert note.source == str(tmp_path / "note.schema.json")


def test_other_sources_have_what_a_schema_refers_to(tmp_path: Path) -> None:
    schema = {"properties": {"size": {"$ref": "size"}}}
    note = catalog(tmp_path, schema, {"size": {"type": "integer"}})["note"]

    assert not note.is_valid({"size": "1"})
    assert [one.id for one in note.provenance] == ["note", "size"]


def test_a_schema_of_documents_is_refused(tmp_path: Path) -> None:
    schema = {"allOf": [{"$ref": "plugin"}], "properties": {"data": {}}}

    with pytest.raises(UnclearSchema, match="describes widget documents"):
        catalog(tmp_path, schema, {"plugin": {}})["note"]


def test_a_decision_against_it_is_refused(tmp_path: Path) -> None:
    sources = catalog(tmp_path, CLOSED).sources

    assert Catalog(sources, describes={"note": "data"})["note"].describes == "data"
    with pytest.raises(UnclearSchema, match=r"\[types\.note\] says .*; remove one"):
        Catalog(sources, describes={"note": "document"})["note"]


def test_a_type_of_data_precedes_one_of_documents(tmp_path: Path) -> None:
    both = catalog(
        tmp_path, CLOSED, {"note": {"properties": {"data": False}}, "other": {"required": ["data"]}}
    )

    assert both.ids() == ("note", "other")
    assert both["note"].is_valid({"title": "a"})
    assert both["other"].describes == "document"


def test_unusable_files(tmp_path: Path) -> None:
    schemas = DataSchemas(
        {"gone": str(tmp_path / "gone.json"), "note": str(tmp_path / "note.json")}
    )
    (tmp_path / "note.json").write_text('{\n  "type": "text"}', encoding="utf-8")

    with pytest.raises(StoreError, match="No such file"):
        Catalog([schemas])["gone"]
    with pytest.raises(InvalidSchema, match="2:11 anyOf /type"):
        Catalog([schemas])["note"]
    with pytest.raises(UnknownWidgetType, match="note"):
        schemas["nite"]


def test_it_pickles(tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(catalog(tmp_path, CLOSED)))

    assert not again["note"].is_valid({"titel": "a"})


REFERRING = {"properties": {"title": {"$ref": "text.json"}}}


@pytest.mark.parametrize("refreshes", [True, False])
@pytest.mark.parametrize("file", ["note.schema.json", "text.json"])
def test_a_file_that_has_changed_is_read_again(file: str, refreshes: bool, tmp_path: Path) -> None:
    now, warned = [1_000.0], list[str]()

    def write(name: str, schema: Any) -> None:
        (tmp_path / name).unlink(missing_ok=True)  # a new file has another number
        (tmp_path / name).write_text(schema if type(schema) is str else json.dumps(schema))

    def is_valid() -> bool:
        now[0] += 100  # a broken file is tried again after a pause
        if refreshes:
            every.refresh()
        return every["note"].is_valid({"title": 1})

    write("text.json", {"type": "string"})
    write("note.schema.json", REFERRING)
    sources = [DataSchemas({"note": str(tmp_path / "note.schema.json")})]
    every = Catalog(sources, clock=lambda: now[0], warn=warned.append)
    first = every["note"]
    assert not is_valid()
    assert every["note"] is first

    write(file, {"required": ["title"]})
    assert is_valid()
    write(file, "{")
    assert is_valid()
    assert every["note"].provenance[0].stale
    (tmp_path / file).unlink()
    assert is_valid()
    assert len(warned) == 1
    write(file, {"type": "boolean"})
    assert not is_valid()
    assert not every["note"].provenance[0].stale
