"""Folders of ordinary schemas: their ids, what they describe, and YAML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from widgetschema import Catalog, StoreError, UnclearSchema

Capture = pytest.CaptureFixture[str]
NOTE = {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schemas").mkdir()
    return tmp_path / "schemas"


def write(name: str, value: Any) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "own_id", "id"),
    [
        ("note.json", None, "note"),
        ("note.schema.json", None, "note"),
        ("note.schema.yaml", None, "note"),
        ("note.yml", None, "note"),
        ("a.b.json", None, "a.b"),
        ("schema.json", None, "schema"),
        ("x.json", "note", "note"),
        ("x.yaml", "note", "note"),
        ("note.json", "https://example.org/other.json", "note"),
        ("note.json", "urn:example:other", "note"),
        ("note.json", "other.json", "note"),
        ("note.schema.json", "./other.schema.json", "note"),
        ("note.json", "/other", "note"),
        ("note.json", "#other", "note"),
        ("note.json", "", "note"),
    ],
)
@pytest.mark.parametrize("pinned", [True, False])
def test_the_id_of_a_file(
    file: str, own_id: str | None, id: str, pinned: bool, folder: Path, capsys: Capture
) -> None:
    schema = NOTE if own_id is None else {"$id": own_id, **NOTE}
    write(f"schemas/{file}", schema)
    if pinned:
        run(capsys, "types", "--schemas", "schemas", "--pin")
    catalog = Catalog(folder)

    assert catalog.ids() == (id,)
    assert catalog[id].lints == ()
    assert not catalog[id].is_valid({})
    write("empty.json", {})
    result = run(capsys, "validate", "empty.json", "--data-schema", f"schemas/{file}")
    assert result.schemas.startswith(f"schemas: {id}: schemas/{file} (")
    assert run(capsys, "diff", f"schemas/{file}", f"schemas/{file}").out.startswith(f"{id}: same")


def test_two_files_of_one_id(folder: Path, capsys: Capture) -> None:
    write("schemas/note.json", NOTE)
    write("schemas/note.schema.yaml", NOTE)

    with pytest.raises(StoreError, match=r"the id 'note' is taken by note\.json"):
        Catalog(folder)
    assert "has the same id, 'note'" in run(capsys, "sample", "note").err


def test_what_is_decided_is_said(capsys: Capture) -> None:
    write("schemas/note.json", NOTE)
    write("schemas/doc.json", {"required": ["data"], "properties": {"data": NOTE}})
    write("empty.json", {})
    result = run(capsys, "validate", "--type", "note", "empty.json")
    assert result.code == 1
    assert result.schemas.endswith("of the data itself, unpinned)\n")
    result = run(capsys, "validate", "--type", "doc", "empty.json")
    assert result.code == 1
    assert "itself" not in result.schemas

    listed = run(capsys, "types").out.splitlines()
    assert [line.split()[:3] for line in listed[1:3]] == [
        ["doc", "-", "document"],
        ["note", "-", "data"],
    ]
    rows = json.loads(run(capsys, "types", "--format", "json").out)["types"]
    assert [row["describes"] for row in rows] == ["document", "data", "document"]


def test_the_own_base_schema_of_a_folder_is_named(folder: Path, capsys: Capture) -> None:
    write("schemas/plugin.json", {"required": ["name"]})
    write("schemas/doc.json", {"allOf": [{"$ref": "plugin"}], "properties": {"data": NOTE}})

    assert Catalog(folder)["doc"].describes == "document"
    result = run(capsys, "types")
    said = "schemas/plugin.json is not a type: it is the base schema of widget documents"
    assert said in result.err
    assert "plugin" not in result.out


def test_files_that_are_no_types_are_named(folder: Path, capsys: Capture) -> None:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    write("schemas/new.json", {"$schema": dialect, "type": "object"})
    write("schemas/odd.json", {"maximum": 3})
    (folder / "below").mkdir()
    write("schemas/below/invoice.json", NOTE)
    write("schemas/below/other.json", {"title": "no schema"})

    result = run(capsys, "types")
    assert result.code == 0
    for said in (
        f'new.json is not a type: its "$schema" is {dialect!r}, not that of draft-07',
        "odd.json is not a type: it has no keyword that only a schema has",
        "below/invoice.json is not a type: it is in a subfolder, and no schema refers to it",
    ):
        assert f"widgetschema: schemas/{said}\n" in result.err
    assert result.err.count("is not a type") == 3
    result = run(capsys, "sample", "invoice")
    assert "schemas/below/invoice.json is in a subfolder, and is not a type" in result.err
    result = run(capsys, "sample", "odd")
    assert "schemas/odd.json is not taken for a schema, and is not a type" in result.err
    write("schemas/poll.json", {**NOTE, "$id": "survey"})
    result = run(capsys, "sample", "poll")
    assert "schemas/poll.json has the schema of 'survey'" in result.err


def test_a_folder_that_has_schemas_only_below_is_said_to_be_none(
    folder: Path, capsys: Capture
) -> None:
    (folder / "below").mkdir()
    write("schemas/below/invoice.json", NOTE)

    result = run(capsys, "types")
    assert (
        f'no folder "schemas" in {folder.parent} or above it that has schemas directly'
        in result.err
    )
    result = run(capsys, "types", "--schemas", "schemas")
    assert result.code == 4
    assert "there is no schema (*.json, *.yaml) directly in this folder" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        "validate --data-schema doc.json data.json",
        "audit --data-schema doc.json data.json",
        "sample --data-schema doc.json",
        "form --data-schema doc.json --export rjsf",
        "diff --data-schema doc.json --data-schema doc.json",
        "migrate plan --data-schema doc.json --data-schema doc.json",
    ],
)
def test_a_decision_that_contradicts_an_option(arguments: str, capsys: Capture) -> None:
    write("doc.json", {"properties": {"data": NOTE}})
    write("data.json", {})
    Path("widgetschema.toml").write_text('[types.doc]\ndescribes = "document"\n')
    result = run(capsys, *arguments.split())

    assert result.code == 4
    assert 'but [types.doc] says describes = "document"; remove one of the two' in result.err


def test_resources_and_schemas_that_refuse_nothing(folder: Path, capsys: Capture) -> None:
    write("schemas/common.json", {"definitions": {"Title": {"type": "string", "minLength": 1}}})
    write("schemas/note.json", {"properties": {"title": {"$ref": "common#/definitions/Title"}}})
    write("schemas/open.json", {"properties": {"title": {}}})
    catalog = Catalog(folder)

    assert catalog.ids() == ("note", "open")
    assert not catalog["note"].is_valid({"title": ""})
    for id in ("common", "open"):
        with pytest.raises(UnclearSchema):
            catalog[id].is_valid({})
    result = run(capsys, "types")
    assert "open: schema 'open': it describes the data itself, but can refuse no data" in result.err
    assert "common" not in result.out
    write("x.json", {})
    assert run(capsys, "validate", "x.json", "--type", "note").code == 0
    assert run(capsys, "validate", "x.json", "--type", "open").code == 4
    assert run(capsys, "validate", "x.json", "--type", "common").code == 4


class TestYaml:
    TEXT = "type: object\nproperties:\n  size:\n    enum: [small, large]\nrequired: [size]\n"

    def test_a_folder(self, folder: Path, capsys: Capture) -> None:
        write("schemas/box.schema.yaml", self.TEXT)
        write("box.json", {"size": "huge"})
        for arguments in (("--type", "box"), ("--data-schema", "schemas/box.schema.yaml")):
            result = run(capsys, "validate", "box.json", *arguments)
            assert (result.code, "/size" in result.out) == (1, True)
        assert Catalog(folder).ids() == ("box",)
        write("schemas/box.schema.yaml", self.TEXT.replace("large", "huge"))
        assert run(capsys, "validate", "box.json", "--type", "box").code == 0

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("type: object\ntype: array\n", "2:"),
            ("type: object\n---\ntype: array\n", "a second document begins here"),
            ("enum: [yes, no]\n", "1:8"),
            ("type: [object\n", "2:1"),
            ("enum: [.nan]\n", "1:8"),
            ("type: object\nminLength: a\n", "2:12"),
            ("1: {}\n", "1:1"),
            ("a: &a [*a]\n", "1:"),
            ("type: object\nproperties: {y: {}}\n", 'write "y" if it is a text'),
            ("type: object\nrequired: [n]\n", 'write "n" if it is a text'),
            ("type: object\nproperties:\n  on: {}\n", 'write "on" if it is a text'),
            ("type: object\nproperties:\n  No: {}\n", 'write "No" if it is a text'),
        ],
    )
    def test_it_is_read_strictly(self, text: str, says: str, capsys: Capture) -> None:
        write("schemas/box.yaml", text)
        write("box.json", {})
        for arguments in (("--type", "box"), ("--data-schema", "schemas/box.yaml")):
            result = run(capsys, "validate", "box.json", *arguments)
            assert result.code in (3, 4)
            assert "schemas/box.yaml" in result.err
            assert says in result.err
            assert "name it .yaml" not in result.err
        result = run(capsys, "diff", "schemas/box.yaml", "schemas/box.yaml")
        assert result.code in (3, 4)
        assert says in result.err


def test_a_type_that_another_schema_refers_to_is_named_once(capsys: Capture) -> None:
    write("schemas/note.json", NOTE)
    write("schemas/page.json", {"type": "object", "properties": {"note": {"$ref": "note.json"}}})
    write("a.json", {"title": "x"})
    write("b.json", {"note": {"title": "x"}})
    write("widgetschema.toml", '[files]\n"a.json" = "note"\n"b.json" = "page"\n')
    said = run(capsys, "validate").schemas
    assert said.count("schemas/note.json") == 1
