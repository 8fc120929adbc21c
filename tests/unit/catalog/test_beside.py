"""Relative references to files: where they lead, what they never lead to, and who notices."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from widgetschema import (
    Catalog,
    Store,
    StoreError,
    UnresolvableReference,
    Validator,
    WidgetSchemaError,
    WidgetType,
)
from widgetschema.catalog.data_schemas import DataSchemas
from widgetschema.catalog.sources import Lookup
from widgetschema.catalog.store import write_manifest
from widgetschema.catalog.store.beside import FileSchemas, files_beside

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
A = "#/definitions/A"
SOME = {"definitions": {"A": TEXT}}


def note(reference: str, **keywords: Any) -> dict[str, Any]:
    """Return a schema of documents whose `data` refers to something."""
    data = {"properties": {"data": {"properties": {"a": {"$ref": reference}}}}}
    return {**keywords, **data}


def write(folder: Path, files: dict[str, Any]) -> None:
    for name, value in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def in_folder(folder: Path) -> WidgetType:
    return Catalog([folder])["note"]


def in_pinned_folder(folder: Path) -> WidgetType:
    write_manifest(folder)
    return Catalog([folder])["note"]


def in_named_file(folder: Path) -> WidgetType:
    return Catalog([DataSchemas({"note": str(folder / "note.json")})])["note"]


def as_value(folder: Path) -> WidgetType:
    path = folder / "note.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    return WidgetType.from_schema(schema, id="note", resources=FileSchemas(str(path)))


WAYS = [in_folder, in_pinned_folder, in_named_file, as_value]
Way = Callable[[Path], WidgetType]


def assert_text(widget_type: WidgetType) -> None:
    """The member is a text by the type, by its linked schema, and by its bundle."""
    linked = WidgetType.from_schema(widget_type.linked, id="note").bundle()
    for schema in (widget_type.bundle(), linked):
        validator = Validator(schema)
        assert validator.is_valid({"data": {"a": "text"}})
        assert not validator.is_valid({"data": {"a": 1}})
    assert pickle.loads(pickle.dumps(widget_type)).linked_digest == widget_type.linked_digest


LEAD_TO_TEXT: dict[str, dict[str, Any]] = {
    "beside": {"note.json": note(f"common.json{A}"), "common.json": SOME},
    "schema suffix": {"note.json": note(f"common.schema.json{A}"), "common.schema.json": SOME},
    "with a dot": {"note.json": note(f"./common.json{A}"), "common.json": SOME},
    "the whole file": {"note.json": note("common.json"), "common.json": TEXT},
    "empty fragment": {"note.json": note("common.json#"), "common.json": TEXT},
    "a name": {
        "note.json": note("b.json#x"),
        "b.json": {"definitions": {"X": {"$id": "#x", **TEXT}}},
    },
    "below": {"note.json": note(f"./defs/b.json{A}"), "defs/b.json": SOME},
    "below and up": {
        "note.json": note(f"defs/b.json{A}"),
        "defs/b.json": {"definitions": {"A": {"$ref": f"../common.json{A}"}}},
        "common.json": SOME,
    },
    "up and down again": {"note.json": note("defs/../defs/b.json"), "defs/b.json": TEXT},
    "beside a file below": {
        "note.json": note("defs/b.json"),
        "defs/b.json": {"allOf": [{"$ref": "c.json"}]},
        "defs/c.json": TEXT,
        "c.json": NUMBER,
    },
    "two of one name": {
        "note.json": note("x/b.json"),
        "x/b.json": {"allOf": [{"$ref": "../y/b.json"}]},
        "y/b.json": TEXT,
        "b.json": NUMBER,
    },
    "encoded": {"note.json": note(f"a%20b%20%C3%A9.json{A}"), "a b é.json": SOME},
    "not encoded": {"note.json": note(f"a b é.json{A}"), "a b é.json": SOME},
    "a percent sign": {"note.json": note(f"100%.json{A}"), "100%.json": SOME},
    "its own file": {"note.json": note("note.json#/definitions/A", **SOME)},
    "a loop": {
        "note.json": note("b.json", **SOME),
        "b.json": {"anyOf": [{"$ref": f"note.json{A}"}], "items": {"$ref": "note.json"}},
    },
    "a loop below": {
        "note.json": note("defs/b.json"),
        "defs/b.json": {"allOf": [{"$ref": "c.json"}], "items": {"$ref": "b.json"}},
        "defs/c.json": {**TEXT, "items": {"$ref": "../note.json"}, "contains": {"$ref": "b.json"}},
    },
    "a reference as the whole file": {
        "note.json": note("b.json"),
        "b.json": {"$ref": "#/definitions/A", **SOME},
    },
    "absolute ids": {
        "note.json": note("common.json", **{"$id": "https://x.example/s/note.json"}),
        "common.json": {"$id": "https://x.example/s/common.json", **TEXT},
    },
    "an absolute id of the schema": {
        "note.json": note(f"defs/b.json{A}", **{"$id": "https://x.example/s/note.json"}),
        "defs/b.json": {"definitions": {"A": {"$ref": "../common.json"}}},
        "common.json": TEXT,
    },
    "an absolute id of the other": {
        "note.json": note("defs/b.json"),
        "defs/b.json": {"$id": "https://y.example/b", "allOf": [{"$ref": "c.json"}]},
        "defs/c.json": {"$id": "https://z.example/c", **TEXT},
    },
    "relative ids": {
        "note.json": note("defs/b.json", **{"$id": "s/note.json"}),
        "defs/b.json": {"$id": "b.json", "allOf": [{"$ref": "c.json"}]},
        "defs/c.json": {"$id": "defs/c.json", "allOf": [{"$ref": "../d.json"}]},
        "d.json": TEXT,
        "c.json": NUMBER,
    },
    "an id inside": {
        "note.json": {
            "properties": {
                "data": {"$id": "defs/", "properties": {"a": {"$ref": "b.json"}}},
            },
        },
        "defs/b.json": TEXT,
        "b.json": NUMBER,
    },
    "unknown keywords": {
        "note.json": note("b.json#/parts/A"),
        "b.json": {"parts": {"A": {"$ref": "c.json"}}},
        "c.json": TEXT,
    },
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", LEAD_TO_TEXT)
def test_references_lead_to_files(tmp_path: Path, name: str, way: Way) -> None:
    files = LEAD_TO_TEXT[name]
    if way is in_pinned_folder:
        files = {file: value for file, value in files.items() if file != "note.json"} | files
    write(tmp_path, files)

    assert_text(way(tmp_path))


NOWHERE: dict[str, tuple[dict[str, Any], str]] = {
    "no file": ({"note.json": note("defs/b.json")}, "b.json: there is no such file"),
    "a similar name": (
        {"note.json": note("comon.json"), "common.json": TEXT},
        "comon.json: there is no such file; did you mean common.json?",
    ),
    "no pointer": (
        {"note.json": note("b.json#/definitions/B"), "b.json": SOME},
        "/definitions has no 'B'",
    ),
    "outside": ({"note.json": note("../out.json")}, "out.json: is outside of the folder"),
    "outside, from below": (
        {"note.json": note("defs/b.json"), "defs/b.json": {"items": {"$ref": "../../out.json"}}},
        "out.json: is outside of the folder",
    ),
    "outside, encoded": (
        {"note.json": note("%2E%2E%2Fout.json")},
        "out.json: is outside of the folder",
    ),
    "outside, and in again": (
        {"note.json": note("b%2F..%2F..%2Fout.json"), "b/c.json": TEXT},
        "out.json: is outside of the folder",
    ),
    "an absolute path": ({"note.json": note("/out.json")}, "/out.json: is outside of the folder"),
    "an address": (
        {"note.json": note("https://x.example/b.json"), "b.json": TEXT},
        "references are never fetched",
    ),
    "another host": ({"note.json": note("//x.example/b.json"), "b.json": TEXT}, "never fetched"),
    "a file by its address": ({"note.json": note("file:///b.json")}, "never fetched"),
    "a query": ({"note.json": note("b.json?v=1"), "b.json": TEXT}, "never fetched"),
    "no schema by its name": ({"note.json": note("b.txt"), "b.txt": "{}"}, "never fetched"),
    "a null character": ({"note.json": note("b%00.json")}, "there is no such file"),
    "a long name": ({"note.json": note(f"{'b' * 5000}.json")}, "there is no such file"),
    "a folder": ({"note.json": note("b.json"), "b.json/c.json": TEXT}, "is not a regular file"),
    "no JSON": ({"note.json": note("defs/b.json"), "defs/b.json": "{"}, "not a schema"),
    "another dialect": (
        {
            "note.json": note("b.json"),
            "b.json": {"$schema": "http://json-schema.org/draft-04/schema#"},
        },
        "only draft-07 is supported",
    ),
    "no valid schema": (
        {"note.json": note("defs/b.json"), "defs/b.json": {"type": "text"}},
        "defs/b.json",
    ),
    "an id elsewhere": (
        {
            "note.json": {
                "properties": {"data": {"$id": "https://x.example/", "items": {"$ref": "b.json"}}}
            },
            "b.json": TEXT,
        },
        "https://x.example/b.json",
    ),
}


@pytest.mark.parametrize("way", [in_folder, in_named_file, as_value])
@pytest.mark.parametrize("name", NOWHERE)
def test_errors_name_what_was_looked_for(tmp_path: Path, name: str, way: Way) -> None:
    files, says = NOWHERE[name]
    write(tmp_path, {"out.json": TEXT})
    write(tmp_path / "schemas", files)
    if name == "an id elsewhere" and way is in_folder:
        says = ""  # the name of the schema `b` is resolved against the id
    with pytest.raises(WidgetSchemaError) as caught:
        way(tmp_path / "schemas")

    assert says in str(caught.value)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["file", "folder", "loop", "pipe", "nowhere"])
def test_links_out_and_special_files_are_not_followed(tmp_path: Path, kind: str, way: Way) -> None:
    write(tmp_path, {"out/b.json": TEXT})
    folder = tmp_path / "schemas"
    write(folder, {"note.json": note("defs/b.json")})
    if kind == "folder":
        (folder / "defs").symlink_to(tmp_path / "out")
    else:
        (folder / "defs").mkdir()
        place = folder / "defs" / "b.json"
        if kind == "pipe":
            os.mkfifo(place)
        else:
            target = {"file": tmp_path / "out" / "b.json", "loop": place}
            place.symlink_to(target.get(kind, tmp_path / "gone"))
    with pytest.raises(UnresolvableReference, match=r"b\.json: is (a link|not a regular file)"):
        way(folder)


@pytest.mark.parametrize("way", [in_folder, in_named_file, as_value])
def test_links_inside_are_followed_and_those_beside_are_not(tmp_path: Path, way: Way) -> None:
    write(tmp_path, {"out.json": TEXT})
    folder = tmp_path / "schemas"
    write(folder, {"note.json": note("b.json"), "defs/b.json": TEXT})
    (folder / "b.json").symlink_to("defs/b.json")
    assert_text(way(folder))

    (folder / "b.json").unlink()
    (folder / "b.json").symlink_to("../out.json")
    with pytest.raises(UnresolvableReference, match="is a link that leads out of the folder"):
        way(folder)


@pytest.mark.parametrize("own_id", [None, "note", "s/note.json", "https://x.example/s/note.json"])
@pytest.mark.parametrize("reference", [f"common.schema.json{A}", f"./defs/b.json{A}"])
def test_resources_go_by_their_paths_too(reference: str, own_id: str | None) -> None:
    resources = {
        "common.schema.json": SOME,
        "defs/b.json": {"definitions": {"A": {"$ref": f"../common.schema.json{A}"}}},
    }
    schema = note(reference, **({} if own_id is None else {"$id": own_id}))

    assert_text(WidgetType.from_schema(schema, id="note", resources=resources))


class Platform(Mapping[str, Any]):
    """A source that has to make a request for each schema; it lists one."""

    def __init__(self) -> None:
        self.requested: list[str] = []

    def lookup(self, id: str) -> Lookup:
        """Note the request."""
        self.requested.append(id)
        return Lookup(False)

    def expire(self) -> None:
        """Ask again."""

    def __getitem__(self, id: str) -> Any:
        raise KeyError(id)

    def __iter__(self) -> Iterator[str]:
        return iter(["other"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize("name", [name for name in LEAD_TO_TEXT if name != "an id inside"])
def test_no_request_is_made_for_a_file(tmp_path: Path, name: str) -> None:
    write(tmp_path, LEAD_TO_TEXT[name])
    platform = Platform()

    assert_text(Catalog([Store(tmp_path), platform])["note"])
    assert platform.requested == []


class TestIds:
    def test_an_id_comes_before_a_file(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            {
                "note.json": note("common.json", **{"$id": "https://x.example/note.json"}),
                "common.json": {"$id": "https://y.example/common.json", **NUMBER},
                "other.json": {"$id": "https://x.example/common.json", **TEXT},
            },
        )
        assert_text(in_folder(tmp_path))

    @pytest.mark.parametrize("reference", ["common.json", "https://x.example/common.json"])
    def test_two_files_with_one_id_are_an_error_if_it_is_meant(
        self, tmp_path: Path, reference: str
    ) -> None:
        one = {"$id": "https://x.example/common.json"}
        write(
            tmp_path,
            {
                "note.json": note(reference, **{"$id": "https://x.example/note.json"}),
                "a.json": {**one, **TEXT},
                "b.json": {**one, **NUMBER},
            },
        )
        with pytest.raises(UnresolvableReference, match="'a' and 'b' both have this \\$id"):
            in_folder(tmp_path)

        write(tmp_path, {"b.json": {**one, **TEXT}})  # the same schema twice
        assert_text(in_folder(tmp_path))

    def test_a_schema_is_embedded_once_however_it_is_called(self, tmp_path: Path) -> None:
        names = ["common.schema.json", "./common.schema.json#", f"x/b.json{A}"]
        parts = {"allOf": [{"$ref": name} for name in names]}
        write(
            tmp_path,
            {
                "note.json": {"properties": {"data": {"properties": {"a": parts}}}},
                "common.schema.json": TEXT,
                "x/b.json": {"definitions": {"A": {"$ref": "../common.schema.json"}}},
            },
        )
        widget_type = in_folder(tmp_path)

        assert_text(widget_type)
        assert len(widget_type.linked["definitions"]) == 2

    def test_the_linked_schema_does_not_depend_on_where_the_folder_is(self, tmp_path: Path) -> None:
        for way in WAYS:
            digests = set()
            for place in ("one", "two/three"):
                folder = tmp_path / way.__name__ / place
                write(folder, LEAD_TO_TEXT["below and up"])
                digests.add(way(folder).linked_digest)

            assert len(digests) == 1

    def test_a_schema_of_another_folder_refers_to_files_of_its_own(self, tmp_path: Path) -> None:
        write(tmp_path / "one", {"note.json": note("button"), "defs/b.json": NUMBER})
        write(tmp_path / "two", {"button.json": {"allOf": [{"$ref": "defs/b.json"}]}})
        write(tmp_path / "two", {"defs/b.json": TEXT})

        assert_text(Catalog([tmp_path / "one", tmp_path / "two"])["note"])

    def test_files_below_are_no_types(self, tmp_path: Path) -> None:
        write(tmp_path, LEAD_TO_TEXT["below"])
        write_manifest(tmp_path)
        for catalog in (Catalog([tmp_path]), Catalog(Store(tmp_path))):
            _ = catalog["note"]
            assert catalog.ids() == ("note",)
            assert "defs/b.json" not in catalog


class TestNoticing:
    @pytest.mark.parametrize("file", ["common.json", "defs/b.json"])
    def test_a_catalog_notices_a_change_of_a_file(self, tmp_path: Path, file: str) -> None:
        now = [0.0]
        told: list[str] = []
        write(tmp_path, LEAD_TO_TEXT["below and up"])
        catalog = Catalog(
            [tmp_path], clock=lambda: now[0], on_change=lambda name, *_: told.append(name)
        )
        before = catalog["note"]
        assert {one.id for one in before.provenance} >= {"note", "defs/b.json", "common"}

        write(tmp_path, {file: {"definitions": {"A": {"type": ["number", "null"]}}}})
        now[0] = 2.0
        after = catalog["note"]
        assert after.linked_digest != before.linked_digest
        assert after.is_valid({"a": None})
        assert told == ["note"]
        now[0] = 4.0
        assert catalog["note"] is after

    def test_a_catalog_keeps_the_last_good_type_if_a_file_disappears(self, tmp_path: Path) -> None:
        now = [0.0]
        said: list[str] = []
        write(tmp_path, LEAD_TO_TEXT["below"])
        catalog = Catalog([tmp_path], clock=lambda: now[0], warn=said.append)
        before = catalog["note"]
        (tmp_path / "defs" / "b.json").unlink()
        now[0] = 2.0

        assert catalog["note"].linked_digest == before.linked_digest
        assert len(said) == 1
        assert "b.json: there is no such file" in said[0]

    def test_a_manifest_lists_files_below_and_verifies_them(self, tmp_path: Path) -> None:
        write(tmp_path, LEAD_TO_TEXT["beside a file below"])
        write(tmp_path, {"defs/unused.json": TEXT})
        write_manifest(tmp_path)
        manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))

        assert set(manifest["schemas"]) == {"note", "c", "defs/b.json", "defs/c.json"}
        assert not any(one.unpinned for one in Catalog([tmp_path])["note"].provenance)

        write(tmp_path, {"defs/c.json": NUMBER})
        with pytest.raises(UnresolvableReference, match=r"c\.json: the file has changed since"):
            _ = Catalog([tmp_path])["note"]

        write(tmp_path, {"defs/b.json": {"$ref": "unused.json"}, "defs/c.json": TEXT})
        with pytest.raises(UnresolvableReference, match=r"b\.json: the file has changed since"):
            _ = Catalog([tmp_path])["note"]
        write_manifest(tmp_path)
        assert_text(Catalog([tmp_path])["note"])

    def test_a_file_that_the_manifest_does_not_list_is_not_read(self, tmp_path: Path) -> None:
        write(tmp_path, {"note.json": note("defs/b.json")})
        write_manifest(tmp_path)
        write(tmp_path, {"defs/b.json": TEXT})

        with pytest.raises(UnresolvableReference, match=r"manifest\.json does not list this file"):
            _ = Catalog([tmp_path])["note"]

    @pytest.mark.parametrize("file", ["../out.json", "defs/../../out.json", "x/./y", "/etc/x.json"])
    def test_a_manifest_names_no_file_elsewhere(self, tmp_path: Path, file: str) -> None:
        entry = {"file": file, "sha256": "0" * 64}
        write(tmp_path, {"manifest.json": {"version": 1, "schemas": {file: entry}}})

        with pytest.raises(StoreError, match="names no file of this folder"):
            Store(tmp_path)


class TestFilesBeside:
    @pytest.mark.parametrize("name", LEAD_TO_TEXT)
    def test_it_finds_what_linking_reads(self, tmp_path: Path, name: str) -> None:
        write(tmp_path, LEAD_TO_TEXT[name])
        resources = FileSchemas(str(tmp_path / "note.json"))
        schema = json.loads((tmp_path / "note.json").read_text(encoding="utf-8"))
        WidgetType.from_schema(schema, id="note", resources=resources)
        read = {place.file for one in resources.names() if (place := resources.place(one))}

        assert read <= set(files_beside([str(tmp_path / "note.json")]))

    def test_what_cannot_be_read_leads_nowhere(self, tmp_path: Path) -> None:
        write(tmp_path, {"note.json": note("a.json"), "a.json": "{", "out/b.json": TEXT})
        write(tmp_path / "in", {"x.json": {"items": [{"$ref": "../a.json"}, {"$ref": "y.json"}]}})

        assert files_beside([str(tmp_path / "note.json")]) == [str(tmp_path / "a.json")]
        assert files_beside([str(tmp_path / "in" / "x.json")]) == []
        assert files_beside([str(tmp_path / "gone.json")]) == []
