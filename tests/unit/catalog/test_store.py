"""Folders of schemas: what is read, what is refused, what is written; and the bundled ones."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from widgetschema import Store, StoreError, UnknownWidgetType, Validator, WidgetType
from widgetschema.catalog.store import (
    NewSchema,
    bundled,
    find_project_store,
    find_schema_folders,
    install,
    write_manifest,
)
from widgetschema.files import digest

SCHEMAS = Path(__file__).parents[3] / "schemas"
STRING: dict[str, Any] = {"type": "string"}


def write(folder: Path, files: dict[str, Any]) -> Path:
    """Write files: text and bytes as they are, everything else as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def entry(file: str, content: Any) -> dict[str, str]:
    return {"file": file, "sha256": hashlib.sha256(json.dumps(content).encode()).hexdigest()}


def with_manifest(folder: Path, schemas: dict[str, Any]) -> Path:
    """A store whose manifest lists one file for each id."""
    files = {f"{id}.json": schema for id, schema in schemas.items()}
    entries = {id: entry(f"{id}.json", schema) for id, schema in schemas.items()}
    return write(folder, {**files, "manifest.json": {"version": 1, "schemas": entries}})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestManifest:
    def test_it_says_which_file_is_which(self, tmp_path: Path) -> None:
        manifest = {
            "version": 1,
            "schemas": {"faq": entry("x.json", STRING), "plugin": entry("y.json", {})},
        }
        files = {"x.json": STRING, "y.json": {}, "unlisted.json": "not even JSON"}
        store = Store(write(tmp_path, {**files, "manifest.json": manifest}))

        assert list(store) == ["faq", "plugin"]
        assert len(store) == 2
        assert dict(store) == {"faq": STRING, "plugin": {}}
        assert store.ids == ("faq",)
        assert store.path("faq") == tmp_path / "x.json"
        assert "unlisted" not in list(store)

    def test_order_is_kept(self, tmp_path: Path) -> None:
        ids = ["z", "plugin", "a", "m"]

        assert list(Store(with_manifest(tmp_path, dict.fromkeys(ids, STRING)))) == ids

    def test_a_schema_is_read_once(self, tmp_path: Path) -> None:
        store = Store(with_manifest(tmp_path, {"faq": STRING}))
        first = store["faq"]
        write(tmp_path, {"faq.json": "changed"})

        assert store["faq"] is first

    def test_a_changed_file_is_refused_with_advice(self, tmp_path: Path) -> None:
        store = Store(with_manifest(tmp_path, {"faq": STRING, "other": {}}))
        write(tmp_path, {"faq.json": {"type": "null"}})
        with pytest.raises(StoreError) as caught:
            store["faq"]

        assert caught.value.path == str(tmp_path / "faq.json")
        assert "the file has changed since manifest.json was written" in str(caught.value)
        assert f"widgetschema types --schemas {tmp_path} --pin" in str(caught.value)
        assert store["other"] == {}

    def test_what_the_advice_does_helps(self, tmp_path: Path) -> None:
        store = Store(with_manifest(tmp_path, {"faq": STRING}))
        write(tmp_path, {"faq.json": {"type": "null"}, "new.json": True})
        path = store.pin()

        assert path == tmp_path / "manifest.json"
        assert dict(store) == dict(Store(tmp_path)) == {"faq": {"type": "null"}, "new": True}

    @pytest.mark.parametrize(
        ("manifest", "says"),
        [
            pytest.param("", "the text is empty", id="empty"),
            pytest.param('{"schemas": ', "expected a value, found the end", id="broken"),
            pytest.param('{"schemas": {}, "schemas": {}}', "appears twice", id="duplicate"),
            pytest.param(b"\xff\xfe{\x00}\x00", "UTF-16", id="utf-16"),
            pytest.param([], 'needs an object "schemas"', id="array"),
            pytest.param({}, 'needs an object "schemas"', id="no-schemas"),
            pytest.param({"schemas": []}, 'needs an object "schemas"', id="schemas-array"),
            pytest.param({"schemas": {"a": 1}}, "'a' needs \"file\" and", id="entry-number"),
            pytest.param({"schemas": {"a": {"file": "a.json"}}}, "'a' needs", id="no-digest"),
            pytest.param({"schemas": {"a": {"sha256": ""}}}, "'a' needs", id="no-file"),
            pytest.param(
                {"schemas": {"a": {"file": ["a.json"], "sha256": ""}}}, "'a' needs", id="file-array"
            ),
        ],
    )
    def test_a_broken_one_is_refused(self, manifest: Any, says: str, tmp_path: Path) -> None:
        write(tmp_path, {"manifest.json": manifest, "a.json": {}})
        with pytest.raises(StoreError) as caught:
            Store(tmp_path)

        assert caught.value.path == str(tmp_path / "manifest.json")
        assert says in caught.value.reason

    @pytest.mark.parametrize(
        "file",
        [
            "../x.json",
            "..\\x.json",
            "/etc/passwd",
            "/etc/x.json",
            "a/b.json",
            "a\\b.json",
            "C:x.json",
            ".hidden.json",
            "..json",
            ".json",
            "",
            ".",
            "..",
            "x.txt",
            "x.json\n",
            "x\x00.json",
            "x\u001b[2J.json",
            f"{'x' * 300}.json",
        ],
    )
    def test_a_hostile_file_name_is_refused(self, file: str, tmp_path: Path) -> None:
        folder = with_manifest(tmp_path / "schemas", {"ok": {}})
        write(tmp_path, {"x.json": STRING})
        write(folder, {"manifest.json": {"schemas": {"faq": entry(file, STRING)}}})
        with pytest.raises(
            StoreError, match="the entry 'faq' names no file of this folder"
        ) as caught:
            Store(folder)

        assert repr(file) in caught.value.reason
        assert caught.value.reason.isprintable()

    def test_a_missing_file(self, tmp_path: Path) -> None:
        store = Store(with_manifest(tmp_path, {"faq": STRING}))
        (tmp_path / "faq.json").unlink()
        with pytest.raises(StoreError, match="No such file") as caught:
            store["faq"]

        assert caught.value.path == str(tmp_path / "faq.json")
        assert "faq" in store

    def test_a_pinned_file_that_is_no_json(self, tmp_path: Path) -> None:
        text = b'{"type": }'
        manifest = {"schemas": {"faq": {"file": "faq.json", "sha256": digest(text)}}}
        store = Store(write(tmp_path, {"faq.json": text, "manifest.json": manifest}))
        with pytest.raises(StoreError, match="not a schema: ") as caught:
            store["faq"]

        assert "1:10 json.syntax" in str(caught.value)

    @pytest.mark.parametrize("name", ["manifest.json", "x.json"])
    def test_a_merge_conflict(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text('{"$id": "x"}', encoding="utf-8")
        if name == "manifest.json":
            write_manifest(tmp_path)
        text = '{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> topic\n}'
        (tmp_path / name).write_text(text, encoding="utf-8")

        with pytest.raises(StoreError) as caught:
            _ = Store(tmp_path)["x"]

        assert str(caught.value) == (
            f"{tmp_path / name}: it has merge conflict markers (line 2); resolve them, then run: "
            f"widgetschema types --schemas {tmp_path} --pin"
        )

    def test_a_manifest_that_is_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "manifest.json").mkdir()
        with pytest.raises(StoreError, match="Is a directory"):
            Store(tmp_path)


class TestFolder:
    @pytest.mark.parametrize(
        ("file", "schema", "id"),
        [
            pytest.param("a.json", {"$id": "faq"}, "faq", id="plain-id"),
            pytest.param("a.json", {}, "a", id="no-id"),
            pytest.param("a.json", True, "a", id="boolean"),
            pytest.param("a.json", {"$id": ""}, "a", id="empty-id"),
            pytest.param("a.json", {"$id": 5}, "a", id="id-is-no-text"),
            pytest.param("a.json", {"$id": "https://x.example/faq"}, "a", id="absolute-id"),
            pytest.param("a.json", {"$id": "v1/faq"}, "a", id="id-with-slash"),
            pytest.param("a.json", {"$id": "#faq"}, "a", id="id-with-fragment"),
            pytest.param("a.json", {"$id": "x" * 201}, "a", id="long-id"),
            pytest.param("a.json", {"$id": "x\n"}, "a", id="id-with-control-character"),
            pytest.param("größe 1.json", {}, "größe 1", id="any-file-name"),
        ],
    )
    def test_without_a_manifest_every_file_is_a_schema(
        self, file: str, schema: Any, id: str, tmp_path: Path
    ) -> None:
        store = Store(write(tmp_path, {file: schema, "README.md": "text"}))

        assert dict(store) == {id: schema}
        assert store.path(id) == tmp_path / file

    def test_the_schemas_without_keywords_are_found(self, tmp_path: Path) -> None:
        schemas: dict[str, Any] = {"all": True, "any": {}, "none": False}
        others: dict[str, Any] = {"list": [], "number": 0}
        data = {f"{name}.json": value for name, value in others.items()} | {"b.json": {"a": {}}}
        write(tmp_path, {f"{id}.json": schema for id, schema in schemas.items()} | data)

        assert dict(Store(tmp_path, is_found=True)) == schemas

    def test_schemas_that_are_no_types(self, tmp_path: Path) -> None:
        dialect = "https://json-schema.org/draft/2020-12/schema"
        files: dict[str, Any] = {
            "a.json": STRING,
            "data.json": {"title": "x"},
            "new.json": {"$schema": dialect},
            "other.json": {"definitions": {"A": STRING}},
            "plugin.json": {},
        }
        write(tmp_path, files)
        others = [
            (str(tmp_path / "other.json"), "it is a resource for others"),
            (str(tmp_path / "plugin.json"), "it is the base schema of widget documents"),
        ]
        newer = f'its "$schema" is {dialect!r}, not that of draft-07'
        left_out = [
            (str(tmp_path / "data.json"), "it has no keyword that only a schema has"),
            (str(tmp_path / "new.json"), newer),
        ]

        assert [*Store(tmp_path, is_found=True).others()] == [*others, *left_out]
        assert [*Store(tmp_path).others()] == others  # there, it is a type that cannot be used

    def test_not_all_of_very_many_files_are_looked_at(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("widgetschema.catalog.store.manifest._MOST", 5)
        write(tmp_path, {"a.json": STRING})
        for name in "bcd":
            (tmp_path / name).mkdir()
            write(tmp_path / name, {f"{name}.json": STRING})

        *below, (folder, why) = Store(tmp_path).others()
        assert [path for path, _ in below] == [str(tmp_path / "b" / "b.json")]
        assert (folder, why) == (
            str(tmp_path),
            "not all of its subfolders were looked at: it has over 5 files",
        )

    def test_files_may_change_where_nothing_is_pinned(self, tmp_path: Path) -> None:
        store = Store(write(tmp_path, {"a.json": {}}))
        write(tmp_path, {"a.json": STRING})

        assert store["a"] == STRING

    def test_two_files_with_one_id(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.json": {"$id": "faq"}, "faq.json": {}})
        with pytest.raises(StoreError, match=r"the id 'faq' is taken by a\.json") as caught:
            Store(tmp_path)

        assert caught.value.path == str(tmp_path / "faq.json")

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            pytest.param(b'{"type": }', "1:10 json.syntax", id="syntax"),
            pytest.param(b"", "the text is empty", id="empty"),
            pytest.param(b"\xef\xbb\xbf{}", "byte order mark", id="bom"),
            pytest.param(b'{"a": 1, "a": 2}', "appears twice", id="duplicate"),
            pytest.param(b"[" * 5000, "nested deeper", id="deep"),
            pytest.param(b" " * (5 * 1024 * 1024 + 1), "more than the limit", id="size"),
        ],
    )
    def test_a_file_that_is_no_json(self, content: bytes, says: str, tmp_path: Path) -> None:
        write(tmp_path, {"a.json": {}, "b.json": content})
        store = Store(tmp_path)
        assert store["a"] == {}
        with pytest.raises(StoreError, match="not a schema: ") as caught:
            store["b"]

        assert caught.value.path == str(tmp_path / "b.json")
        assert says in str(caught.value)

    def test_what_is_hidden_or_no_file_is_passed_over(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.json": {}, ".hidden.json": {}, "._a.json": b"\x00\x05\x16"})
        (tmp_path / "folder.json").mkdir()
        (tmp_path / "dangling.json").symlink_to(tmp_path / "nowhere.json")

        assert list(Store(tmp_path)) == ["a"]

    @pytest.mark.parametrize("name", ["nowhere", "file.json"])
    def test_no_such_folder(self, name: str, tmp_path: Path) -> None:
        write(tmp_path, {"file.json": {}})
        with pytest.raises(StoreError, match="no such folder of schemas") as caught:
            Store(tmp_path / name)

        assert caught.value.path == str(tmp_path / name)

    def test_a_folder_that_cannot_be_listed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path, {"a.json": {}})
        monkeypatch.setattr("os.listdir", Mock(side_effect=PermissionError(13, "Not allowed")))
        with pytest.raises(StoreError, match="Not allowed"):
            Store(tmp_path)

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="there is no schema"):
            Store(tmp_path)


class TestMapping:
    def test_an_unknown_id_names_the_nearest_and_all(self, tmp_path: Path) -> None:
        store = Store(write(tmp_path, {"countdown.json": {}, "faq.json": {}, "plugin.json": {}}))
        with pytest.raises(UnknownWidgetType) as caught:
            store["countdwon"]

        assert caught.value.id == "countdwon"
        assert caught.value.nearest == ("countdown",)
        assert caught.value.known == ("countdown", "faq")

    def test_get_has_a_default(self, tmp_path: Path) -> None:
        store = Store(write(tmp_path, {"faq.json": STRING}))

        assert store.get("faq") == STRING
        assert store.get("nope") is None
        assert store.get("nope", STRING) is STRING

    def test_a_path_may_be_text(self, tmp_path: Path) -> None:
        store = Store(str(write(tmp_path, {"faq.json": STRING})))

        assert store.folder == tmp_path
        assert store["faq"] == STRING

    def test_it_pickles(self, tmp_path: Path) -> None:
        store = Store(with_manifest(tmp_path, {"faq": STRING}))
        copy = pickle.loads(pickle.dumps(store))

        assert dict(copy) == {"faq": STRING}
        assert copy.folder == tmp_path


class TestPin:
    def test_a_folder_becomes_a_store(self, tmp_path: Path) -> None:
        store = Store(write(tmp_path, {"b.json": {"$id": "a"}, "a.json": {"$id": "b"}}))
        path = store.pin()

        text = path.read_text(encoding="utf-8")
        assert json.loads(text) == {
            "version": 1,
            "schemas": {"a": entry("b.json", {"$id": "a"}), "b": entry("a.json", {"$id": "b"})},
        }
        assert list(json.loads(text)["schemas"]) == ["a", "b"]
        assert text.endswith("}\n")
        assert names(tmp_path) == ["a.json", "b.json", "manifest.json"]

    def test_pinning_again_changes_nothing(self, tmp_path: Path) -> None:
        store = Store(write(tmp_path, {"ü.json": {}, "plugin.json": {}}))
        first = store.pin().read_bytes()

        assert store.pin().read_bytes() == first
        assert Store(tmp_path).pin().read_bytes() == first

    def test_every_pinned_folder_can_be_read(self, tmp_path: Path) -> None:
        odd = [".b.json", "c:d.json", "e\\f.json", "g\n.json"]
        Store(write(tmp_path, dict.fromkeys(["a.json", *odd], STRING))).pin()

        assert list(Store(tmp_path)) == ["a"]

    def test_a_broken_file_leaves_the_manifest_alone(self, tmp_path: Path) -> None:
        store = Store(with_manifest(tmp_path, {"faq": STRING}))
        before = (tmp_path / "manifest.json").read_bytes()
        write(tmp_path, {"faq.json": "{"})
        with pytest.raises(StoreError, match="not a schema"):
            store.pin()

        assert (tmp_path / "manifest.json").read_bytes() == before


class TestProjectStore:
    @pytest.mark.parametrize("start", ["", "a", "a/b/c"])
    def test_it_is_found_here_and_above(self, start: str, tmp_path: Path) -> None:
        with_manifest(tmp_path / "schemas", {"faq": {}})
        (tmp_path / "a" / "b" / "c").mkdir(parents=True)

        assert find_project_store(tmp_path / start) == str(tmp_path / "schemas")

    def test_the_nearest_with_a_manifest_counts(self, tmp_path: Path) -> None:
        with_manifest(tmp_path / "schemas", {"faq": {}})
        with_manifest(tmp_path / "a" / "schemas", {"faq": {}})
        write(tmp_path / "a" / "b" / "schemas", {"faq.json": {}})
        inner = tmp_path / "a" / "b"

        assert find_project_store(inner) == str(tmp_path / "a" / "schemas")
        assert find_schema_folders(inner) == (
            str(inner / "schemas"),
            str(tmp_path / "a" / "schemas"),
        )

    def test_a_manifest_that_is_a_folder_is_not_passed_over(self, tmp_path: Path) -> None:
        with_manifest(tmp_path / "schemas", {"faq": {}})
        (tmp_path / "a" / "schemas" / "manifest.json").mkdir(parents=True)

        assert find_project_store(tmp_path / "a") == str(tmp_path / "a" / "schemas")

    def test_without_a_manifest_only_up_to_the_folder_of_git(self, tmp_path: Path) -> None:
        write(tmp_path / "schemas", {"faq.json": {"type": "object"}})
        write(tmp_path / "a" / "schemas", {"faq.json": {"type": "object"}})
        (tmp_path / "a" / ".git").mkdir()

        assert find_schema_folders(tmp_path / "a") == (str(tmp_path / "a" / "schemas"),)

    def test_what_has_the_name_and_is_no_folder_is_found(self, tmp_path: Path) -> None:
        (tmp_path / "schemas").write_text("a file")
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "schemas").symlink_to("nowhere")
        (tmp_path / "a" / "b" / "schemas").mkdir(parents=True)

        assert find_schema_folders(tmp_path / "a" / "b")[:2] == (
            str(tmp_path / "a" / "schemas"),
            str(tmp_path / "schemas"),
        )

    def test_none_is_found(self, tmp_path: Path) -> None:
        write(tmp_path / "schemas", {"faq.json": {}})

        assert find_project_store(tmp_path) is None


# PLATFORM.md, section 2.3, in the order of its tables.

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
OBJECT: dict[str, Any] = {"type": "object"}
TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}


def one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


CONTENT: list[tuple[str, Any]] = [
    ("timerTitle", TEXT),
    ("postTitle", TEXT),
    ("postDescription", TEXT),
    ("countdownType", one_of("count-to-date", "count-time-by-user")),
    ("expDate", {"anyOf": [TEXT, {"type": "string", "format": "date-time"}, {}]}),
    ("daysLabel", TEXT),
    ("hoursLabel", TEXT),
    ("minutesLabel", TEXT),
    ("secondsLabel", TEXT),
    ("timerDays", NUMBER),
    ("timerHours", NUMBER),
    ("timerMinutes", NUMBER),
    ("timerSeconds", NUMBER),
    ("postCountdownType", one_of("none", "hide", "message")),
    ("showPostConfetti", BOOLEAN),
    ("showPostCountdown", BOOLEAN),
    ("postButtonText", TEXT),
    ("postButtonLink", TEXT),
]
SETTINGS: list[tuple[str, Any]] = [
    ("showTitle", BOOLEAN),
    ("showContainer", BOOLEAN),
    ("showCards", BOOLEAN),
    ("showLabels", BOOLEAN),
    ("showDays", BOOLEAN),
    ("showHours", BOOLEAN),
    ("showMinutes", BOOLEAN),
    ("showSeconds", BOOLEAN),
    ("showColon", BOOLEAN),
    ("showPostContainer", BOOLEAN),
]
STYLES: list[tuple[str, Any]] = [
    ("mainWrapper", OBJECT),
    ("title", OBJECT),
    ("container", OBJECT),
    ("cards", OBJECT),
    ("numbers", OBJECT),
    ("labels", OBJECT),
    ("labels2", OBJECT),
    ("postContainer", OBJECT),
    ("postTitle", OBJECT),
    ("postDescription", OBJECT),
    ("layoutId", {"type": "string", "const": "default"}),
    ("fontId", TEXT),
    ("customCSS", TEXT),
    ("skinId", NUMBER),
    ("animationType", one_of("dissolve", "flip", "tick", "normal")),
    (
        "layout",
        one_of("layout-1", "layout-2", "layout-3", "layout-4", "layout-5", "layout-6"),
    ),
    ("containerBg", TEXTS),
    ("cardsBg", TEXTS),
    ("postContainerBg", TEXTS),
    ("containerBorderRadius", NUMBER),
    ("cardsBorderRadius", NUMBER),
    ("cardsBorderWidth", NUMBER),
    ("cardsBorderColor", TEXT),
    ("colonColor", TEXT),
    ("separatorColor", TEXT),
    ("countdownSize", one_of("small", "medium", "big")),
]


class TestBundled:
    def test_it_is_found(self) -> None:
        store = bundled()

        assert store.ids == ("countdown",)
        assert list(store) == ["countdown", "plugin"]
        assert store is bundled()

    def test_the_digests_are_those_of_the_files(self) -> None:
        manifest = json.loads((SCHEMAS / "manifest.json").read_bytes())
        expected = {
            json.loads(path.read_bytes())["$id"]: {
                "file": path.name,
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for path in sorted(SCHEMAS.glob("*.json"))
            if path.name != "manifest.json"
        }

        assert manifest == {"version": 1, "schemas": expected}
        assert list(manifest["schemas"]) == sorted(expected)

    def test_the_store_is_in_the_house_form(self, tmp_path: Path) -> None:
        for path in SCHEMAS.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        Store(tmp_path).pin()

        assert (tmp_path / "manifest.json").read_bytes() == (SCHEMAS / "manifest.json").read_bytes()

    def test_the_countdown_schema_as_a_whole(self) -> None:
        schema = bundled()["countdown"]

        assert list(schema) == ["$id", "$schema", "allOf", "properties", "definitions"]
        assert schema["$id"] == "countdown"
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
        assert schema["allOf"] == [{"$ref": "plugin"}]
        assert schema["properties"] == {"data": {"$ref": "#/definitions/IPluginData"}}
        assert list(schema["definitions"]) == [
            "IPluginData",
            "IPluginContent",
            "IPluginSettings",
            "IPluginStyles",
        ]
        assert schema["definitions"]["IPluginData"] == {
            "type": "object",
            "additionalProperties": False,
            "required": ["content", "settings", "styles"],
            "properties": {
                "content": {"$ref": "#/definitions/IPluginContent"},
                "settings": {"$ref": "#/definitions/IPluginSettings"},
                "styles": {"$ref": "#/definitions/IPluginStyles"},
            },
        }

    @pytest.mark.parametrize(
        ("name", "members"),
        [
            pytest.param("IPluginContent", CONTENT, id="content"),
            pytest.param("IPluginSettings", SETTINGS, id="settings"),
            pytest.param("IPluginStyles", STYLES, id="styles"),
        ],
    )
    def test_its_members_are_the_documented_ones_in_their_order(
        self, name: str, members: list[tuple[str, Any]]
    ) -> None:
        definition = bundled()["countdown"]["definitions"][name]

        assert list(definition["properties"].items()) == members
        assert {**definition, "properties": {}} == {
            "type": "object",
            "additionalProperties": False,
            "properties": {},
        }

    def test_the_base_schema_is_the_most_permissive_one_that_is_true(self) -> None:
        schema = dict(bundled()["plugin"])

        assert "Replace it" in schema.pop("$comment")
        assert schema == {
            "$id": "plugin",
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {"data": {"type": "object"}},
        }

    @pytest.mark.parametrize(
        ("document", "valid"),
        [
            ({}, True),
            ({"data": {}}, True),
            ({"data": {"anything": [1]}, "more": None}, True),
            ({"data": None}, False),
            ({"data": []}, False),
            ([], False),
            ("text", False),
        ],
    )
    def test_what_the_base_schema_allows(self, document: Any, valid: bool) -> None:
        assert Validator(bundled()["plugin"]).is_valid(document) is valid

    @pytest.mark.parametrize("value", ["2030-01-01T00:00:00Z", "soon", 5, None, [], {"a": 1}])
    def test_the_date_may_be_anything(self, value: Any) -> None:
        countdown = WidgetType.from_schema(bundled()["countdown"])

        assert countdown.is_valid({"content": {"expDate": value}, "settings": {}, "styles": {}})


def test_what_another_program_writes_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.json").write_text('{"title": "a"}')
    path = Path(write_manifest(tmp_path))
    monkeypatch.setattr(os, "fsync", lambda _: path.write_text("{}"))
    with pytest.raises(OSError, match="another program changed it meanwhile"):
        write_manifest(tmp_path)
    assert path.read_text() == "{}"
    monkeypatch.undo()
    write_manifest(tmp_path)

    monkeypatch.setattr(os, "fsync", lambda _: (tmp_path / "a.json").write_text("{}"))
    with pytest.raises(StoreError, match="another program changed it meanwhile; nothing was"):
        install(tmp_path, {"a": NewSchema('{"title": "b"}', {})})
    assert (tmp_path / "a.json").read_text() == "{}"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.json", path.name]
