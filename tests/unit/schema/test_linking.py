"""Linking: what each `$id` and `$ref` means, what is refused, and what a member's view says."""

from __future__ import annotations

import copy
import math
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

import pytest
import referencing.jsonschema
from hypothesis import given
from hypothesis import strategies as st

from widgetschema import (
    InvalidSchema,
    ReferenceLoop,
    UnreadableSchema,
    UnresolvableReference,
    UnsupportedDialect,
    Validator,
)
from widgetschema.pointers import escape_token
from widgetschema.schema.linking import MAX_CHAIN, LinkedSchema, link
from widgetschema.schema.linking.bundling import bundle
from widgetschema.schema.located import LocatedSchemas, Place
from widgetschema.schema.metaschema import METASCHEMA

META = "http://json-schema.org/draft-07/schema"
COUNTDOWN_IDS = ["countdown", "https://types.example/v1/countdown", None]
PLUGIN_IDS = ["plugin", "https://base.example/plugin", None]
SPELLINGS = [
    "plugin",
    "plugin#",
    "/plugin",
    "plugin.json",
    "./plugin",
    "/plugin.json#",
]


def with_id(own_id: str | None, schema: dict[str, Any]) -> dict[str, Any]:
    return schema if own_id is None else {"$id": own_id, **schema}


def looked_up(linked: LinkedSchema, pointer: str) -> Any:
    """Return what `referencing` finds for the `$ref` at `pointer`, from the base URI there."""
    root = linked.registry().resolver(base_uri=(linked.id or "").partition("#")[0])
    holder = root.lookup(f"#{quote(pointer)}")
    return holder.resolver.lookup(holder.contents["$ref"]).contents


def assert_self_contained(linked: LinkedSchema) -> None:
    """Others resolve every reference as we do, and linking again changes nothing."""
    for pointer, target in linked.references.items():
        assert looked_up(linked, pointer) is linked.at[target], pointer
    again = link(linked.schema)
    assert again.schema == linked.schema
    assert again.references == linked.references
    assert again.digest == linked.digest


class Folder(LocatedSchemas):
    """Schemas in the files of a folder, by their names; the linked schema is in `own.json`."""

    def __init__(self, **schemas: Any) -> None:
        self.schemas = {name.replace("_", "."): schema for name, schema in schemas.items()}

    def place(self, name: str | None) -> Place:
        return Place("/here", f"/here/{(name or 'own').removesuffix('.json')}.json", "here")

    def find(self, uri: str, place: Place) -> str | None:
        name = uri.removeprefix("file:///here/").removesuffix(".json")
        if name != "own" and name not in self.schemas:
            raise UnreadableSchema(name, f"here has no {name}.json")
        return None if name == "own" else name

    def located(self) -> list[str]:
        return [*self.schemas]

    def __getitem__(self, name: str) -> Any:
        return self.schemas[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.schemas)

    def __len__(self) -> int:
        return len(self.schemas)


class TestFiles:
    @pytest.mark.parametrize("own_id", [None, "own", "https://types.example/v1/own"])
    @pytest.mark.parametrize(
        ("reference", "target"),
        [
            ("a.json", "/definitions/a"),
            ("./a.json#/definitions/X", "/definitions/a/definitions/X"),
            ("b.json", "/definitions/b"),
            ("own.json", ""),
            ("plugin.json", "/definitions/plugin"),
        ],
    )
    def test_a_relative_reference_leads_to_the_file_beside(
        self, reference: str, target: str, own_id: str | None
    ) -> None:
        folder = Folder(
            a={"definitions": {"X": {}}, "items": {"$ref": "own.json"}}, b_json={}, plugin={}
        )
        linked = link(with_id(own_id, {"properties": {"p": {"$ref": reference}}}), folder)

        assert linked.references["/properties/p"] == target
        assert linked.references.get("/definitions/a/items", "") == ""

    def test_a_file_that_is_missing_is_named(self) -> None:
        with pytest.raises(UnresolvableReference, match=r"here has no c\.json"):
            link({"items": {"$ref": "c.json"}}, Folder(a={}))


def test_a_bundle_keeps_what_a_reference_leads_to_beside_ref() -> None:
    beside = {"properties": {"x": {"type": "string"}}, "minLength": 1}
    inside = {"$ref": "#/properties/a/properties/x"}
    schema = {"properties": {"a": {"$ref": "#/definitions/T", **beside}, "b": inside}}
    bundled = bundle(link({**schema, "definitions": {"T": {}}}))

    kept = {"siblings": {"properties": beside["properties"]}}
    assert bundled["properties"] == {
        "a": {"$ref": "#/definitions/T", "definitions": kept},
        "b": {"$ref": "#/properties/a/definitions/siblings/properties/x"},
    }
    assert bundle(link(bundled)) == bundled


class TestBaseSchemas:
    @pytest.mark.parametrize("plugin_id", PLUGIN_IDS)
    @pytest.mark.parametrize("own_id", COUNTDOWN_IDS)
    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_every_spelling_of_plugin_means_the_given_base_schema(
        self, spelling: str, own_id: str | None, plugin_id: str | None
    ) -> None:
        schema = with_id(own_id, {"allOf": [{"$ref": spelling}]})
        linked = link(schema, {"plugin": with_id(plugin_id, {"type": "object"})})

        assert linked.references == {"/allOf/0": "/definitions/plugin"}
        assert linked.bases == {"/definitions/plugin": "plugin"}
        embedded = linked.at["/definitions/plugin"]
        assert embedded == {"$id": plugin_id or "plugin", "type": "object"}
        assert linked.id == own_id
        assert_self_contained(linked)

    @pytest.mark.parametrize(
        "reference",
        [
            "https://types.example/plugin",
            "https://types.example/v2/plugin.json#",
            "https://TYPES.example/v1/plugin#",
        ],
    )
    def test_an_address_on_the_origin_of_the_schema_means_the_base_schema(
        self, reference: str
    ) -> None:
        own_id = "https://types.example/v1/countdown"
        linked = link({"$id": own_id, "allOf": [{"$ref": reference}]}, {"plugin": {}})

        assert linked.references == {"/allOf/0": "/definitions/plugin"}
        assert_self_contained(linked)

    @pytest.mark.parametrize("own_id", COUNTDOWN_IDS)
    @pytest.mark.parametrize(
        "reference",
        [
            "https://design.example/v3/plugin",
            "https://design.example/v3/plugin.json",
            "https://types.example:8443/v1/plugin",
            "http://types.example/v1/plugin",
            "https://types.example/v1/my-plugin",
            "https://types.example/v1/plugin?version=1",
            "//design.example/plugin",
            "/vendor/plugin.txt",
        ],
    )
    def test_what_only_ends_like_the_base_schema_is_another(
        self, reference: str, own_id: str | None
    ) -> None:
        schema = with_id(own_id, {"allOf": [{"$ref": reference}]})
        with pytest.raises(UnresolvableReference, match="add a schema with this") as caught:
            link(schema, {"plugin": {}})

        assert caught.value.resolved in str(caught.value)

    @pytest.mark.parametrize("own_id", COUNTDOWN_IDS)
    @pytest.mark.parametrize(
        ("reference", "resource"),
        [
            pytest.param("https://design.example/v3/button.json", {}, id="address"),
            pytest.param("https://design.example/v3/button", {"$id": "button"}, id="its-id"),
            pytest.param("//design.example/button", {}, id="other-host"),
            pytest.param(
                "https://design.example/schema.json",
                {"$id": "https://other.example/button/schema.json"},
                id="last-name-of-its-id",
            ),
            pytest.param("schema.json", {"$id": "https://other.example/schema.json"}, id="path"),
            pytest.param("vendor/button", {}, id="other-folder"),
            pytest.param("/vendor/button.json", {}, id="other-path"),
            pytest.param("button.txt", {}, id="other-file"),
        ],
    )
    def test_a_last_name_is_no_name(
        self, reference: str, resource: dict[str, Any], own_id: str | None
    ) -> None:
        schema = with_id(own_id, {"properties": {"a": {"$ref": reference}}})
        with pytest.raises(UnresolvableReference) as caught:
            link(schema, {"button": resource})

        resolved = caught.value.resolved
        assert f'resources={{"{resolved}": …}}' in str(caught.value)
        linked = link(schema, {"button": resource, resolved: {"type": "string"}})
        assert linked.at[linked.references["/properties/a"]]["type"] == "string"

    @pytest.mark.parametrize("own_id", COUNTDOWN_IDS)
    @pytest.mark.parametrize("reference", ["button", "button.json", "./button", "./button.json#"])
    @pytest.mark.parametrize("button_id", ["button", "https://base.example/button", None])
    def test_a_relative_reference_means_the_schema_of_that_name_or_file(
        self, reference: str, own_id: str | None, button_id: str | None
    ) -> None:
        schema = with_id(own_id, {"properties": {"a": {"$ref": reference}}})
        linked = link(schema, {"plugin": {}, "button": with_id(button_id, {})})

        assert linked.references == {"/properties/a": "/definitions/button"}
        assert linked.bases == {"/definitions/button": "button"}
        assert_self_contained(linked)

    def test_a_schema_inside_with_an_address_of_its_own_means_the_same_base_schema(self) -> None:
        part = {"$id": "https://part.example/x", "items": {"$ref": "plugin"}}
        linked = link({"$id": "countdown", "definitions": {"P": part}}, {"plugin": {}})

        assert linked.references == {"/definitions/P/items": "/definitions/plugin"}
        assert_self_contained(linked)

    @pytest.mark.parametrize(
        ("reference", "target"),
        [
            pytest.param("plugin#/definitions/Base", "/definitions/Base", id="pointer"),
            pytest.param("plugin.json#/definitions/Base", "/definitions/Base", id="file-pointer"),
            pytest.param("plugin#named", "/definitions/Named", id="name"),
            pytest.param("/plugin#named", "/definitions/Named", id="path-name"),
            pytest.param("part", "/definitions/Part", id="id-inside"),
        ],
    )
    def test_places_inside_the_base_schema_can_be_referred_to(
        self, reference: str, target: str
    ) -> None:
        plugin = {
            "$id": "plugin",
            "definitions": {
                "Base": {"type": "object"},
                "Named": {"$id": "#named"},
                "Part": {"$id": "part"},
            },
        }
        schema = {"$id": "countdown", "allOf": [{"$ref": "plugin"}, {"$ref": reference}]}
        linked = link(schema, {"plugin": plugin})

        assert linked.references["/allOf/1"] == f"/definitions/plugin{target}"
        assert_self_contained(linked)

    @pytest.mark.parametrize(
        "spellings",
        [
            pytest.param(("plugin.json", "plugin"), id="file-then-name"),
            pytest.param(("plugin", "/plugin.json", "./plugin#"), id="name-then-paths"),
            pytest.param(("https://a.example/plugin", "plugin"), id="absolute-then-name"),
        ],
    )
    def test_spellings_of_one_schema_embed_it_once_and_are_made_alike(
        self, spellings: tuple[str, ...]
    ) -> None:
        own_id = "https://a.example/v1/countdown"
        schema = {"$id": own_id, "allOf": [{"$ref": text} for text in spellings]}
        linked = link(schema, {"plugin": {}})

        assert set(linked.references.values()) == {"/definitions/plugin"}
        meant = [urljoin(own_id, item["$ref"]).rstrip("#") for item in linked.at[""]["allOf"]]
        assert meant == ["https://a.example/v1/plugin"] * len(spellings)
        assert_self_contained(linked)

    def test_schemas_with_the_same_last_name_are_kept_apart(self) -> None:
        schema = {
            "properties": {
                "a": {"$ref": "https://a.example/plugin"},
                "b": {"$ref": "https://b.example/plugin"},
            }
        }
        resources = {
            "https://a.example/plugin": {"type": "string"},
            "https://b.example/plugin": {"type": "integer"},
        }
        linked = link(schema, resources)

        assert linked.at[linked.references["/properties/a"]]["type"] == "string"
        assert linked.at[linked.references["/properties/b"]]["type"] == "integer"
        assert_self_contained(linked)

    @pytest.mark.parametrize(
        ("resources", "found"),
        [
            pytest.param({"x": {"$id": "https://b.example/base"}}, "x", id="its-id"),
            pytest.param({"x": {"$id": "https://b.example/base#"}}, "x", id="id-with-fragment"),
            pytest.param(
                {"https://b.example/base#": {}}, "https://b.example/base#", id="key-with-fragment"
            ),
            pytest.param(
                {"x": {"$id": "y/base"}, "z": {"$id": "https://b.example/base"}},
                "z",
                id="not-the-name-of-an-id",
            ),
            pytest.param(
                {"base": {}, "https://b.example/base": {}},
                "https://b.example/base",
                id="not-a-bare-name",
            ),
            pytest.param(
                {"x": {"$id": "https://b.example/base"}, "https://b.example/base": {}},
                "https://b.example/base",
                id="key-before-id",
            ),
        ],
    )
    def test_a_resource_is_found_by_its_key_and_by_its_id(
        self, resources: dict[str, Any], found: str
    ) -> None:
        linked = link({"$id": "t", "allOf": [{"$ref": "https://b.example/base"}]}, resources)

        [(pointer, name)] = linked.bases.items()
        assert name == found
        assert linked.references == {"/allOf/0": pointer}
        assert_self_contained(linked)

    @pytest.mark.parametrize(
        "own_id",
        [
            pytest.param({"$id": ""}, id="empty"),
            pytest.param({"$id": "#"}, id="empty-fragment"),
            pytest.param({"$id": "#base"}, id="fragment"),
            pytest.param({"$id": "countdown"}, id="the-id-of-the-type"),
            pytest.param({}, id="none"),
        ],
    )
    def test_references_of_a_base_schema_stay_in_it_whatever_its_id(
        self, own_id: dict[str, str]
    ) -> None:
        plugin = {**own_id, "allOf": [{"$ref": "#/definitions/X"}], "definitions": {"X": True}}
        schema = {
            "$id": "countdown",
            "definitions": {"X": {"type": "null"}},
            "allOf": [{"$ref": "plugin"}],
        }
        linked = link(schema, {"plugin": plugin})

        assert linked.references == {
            "/allOf/0": "/definitions/plugin",
            "/definitions/plugin/allOf/0": "/definitions/plugin/definitions/X",
        }
        assert_self_contained(linked)

    @pytest.mark.parametrize(
        ("plugin", "embedded"),
        [
            pytest.param(True, {"$id": "plugin", "allOf": [True]}, id="true"),
            pytest.param(False, {"$id": "plugin", "allOf": [False]}, id="false"),
            pytest.param(
                {"$ref": "#/definitions/X", "title": "Base", "definitions": {"X": {}}},
                {
                    "$id": "plugin",
                    "allOf": [{"$ref": "#/definitions/X"}],
                    "title": "Base",
                    "definitions": {"X": {}},
                },
                id="reference-at-the-root",
            ),
        ],
    )
    def test_a_base_schema_without_room_for_an_id_is_wrapped(
        self, plugin: Any, embedded: dict[str, Any]
    ) -> None:
        linked = link({"$id": "countdown", "allOf": [{"$ref": "plugin"}]}, {"plugin": plugin})

        assert linked.at["/definitions/plugin"] == embedded
        assert linked.lints == ()
        assert_self_contained(linked)

    def test_ignored_siblings_stay_ignored_and_are_linted_in_a_wrapped_base_schema(self) -> None:
        plugin = {"$ref": "#/definitions/X", "type": "null", "definitions": {"X": {}}}
        linked = link({"$id": "countdown", "allOf": [{"$ref": "plugin"}]}, {"plugin": plugin})

        assert Validator.from_linked(linked).is_valid({})
        assert [lint.path for lint in linked.lints] == ["/definitions/plugin/allOf/0/$ref"]

    def test_base_schemas_refer_to_the_type_and_to_each_other(self) -> None:
        schema = {
            "$id": "countdown",
            "allOf": [{"$ref": "plugin"}],
            "definitions": {"Own": {"type": "string"}},
        }
        resources = {
            "plugin": {
                "properties": {
                    "own": {"$ref": "countdown#/definitions/Own"},
                    "whole": {"$ref": "countdown"},
                    "common": {"$ref": "common.json#/definitions/Id"},
                }
            },
            "common": {"definitions": {"Id": {"$ref": "plugin"}}},
        }
        linked = link(schema, resources)

        assert linked.references == {
            "/allOf/0": "/definitions/plugin",
            "/definitions/plugin/properties/own": "/definitions/Own",
            "/definitions/plugin/properties/whole": "",
            "/definitions/plugin/properties/common": "/definitions/common/definitions/Id",
            "/definitions/common/definitions/Id": "/definitions/plugin",
        }
        assert linked.bases == {
            "/definitions/plugin": "plugin",
            "/definitions/common": "common",
        }
        assert linked.target("/definitions/plugin/properties/common") == "/definitions/plugin"
        assert_self_contained(linked)

    def test_a_relative_reference_in_a_base_schema_begins_at_its_own_address(self) -> None:
        resources = {
            "plugin": {"$id": "https://base.example/v1/plugin", "items": {"$ref": "common.json"}},
            "common": {"$id": "https://base.example/v1/common.json", "type": "string"},
        }
        schema = {"$id": "countdown", "allOf": [{"$ref": "plugin"}]}
        linked = link(schema, resources)

        assert linked.references["/definitions/plugin/items"] == "/definitions/common"
        assert_self_contained(linked)
        with pytest.raises(UnresolvableReference, match=r"https://base\.example/v1/common\.json"):
            link(schema, {**resources, "common": {"type": "string"}})

    @pytest.mark.parametrize(
        ("own", "member"),
        [
            pytest.param({"plugin": {"type": "null"}}, "plugin-2", id="once"),
            pytest.param({"plugin": {}, "plugin-2": {}}, "plugin-3", id="twice"),
            pytest.param({"other": {}}, "plugin", id="not"),
        ],
    )
    def test_definitions_of_the_same_name_keep_their_place(
        self, own: dict[str, Any], member: str
    ) -> None:
        schema = {"$id": "countdown", "allOf": [{"$ref": "plugin"}], "definitions": own}
        linked = link(schema, {"plugin": {"title": "Base"}})

        assert linked.references == {"/allOf/0": f"/definitions/{member}"}
        assert list(linked.at[""]["definitions"]) == [*own, member]
        assert {name: linked.at[f"/definitions/{name}"] for name in own} == own
        assert_self_contained(linked)

    def test_a_definition_with_the_id_of_the_base_schema_is_the_base_schema(self) -> None:
        own = {"Base": {"$id": "plugin", "type": "object"}}
        schema = {"$id": "countdown", "allOf": [{"$ref": "plugin"}], "definitions": own}
        linked = link(schema, {"plugin": False})

        assert linked.references == {"/allOf/0": "/definitions/Base"}
        assert linked.schema == schema
        assert linked.bases == {}

    def test_an_id_that_is_taken_is_not_given_again(self) -> None:
        schema = {
            "$id": "v1/countdown",
            "definitions": {"Own": {"$id": "plugin", "type": "string"}},
            "properties": {"own": {"$ref": "plugin"}, "base": {"$ref": "/plugin"}},
        }
        linked = link(schema, {"plugin": {"$id": "plugin", "type": "null"}})

        assert linked.references["/properties/own"] == "/definitions/Own"
        assert linked.references["/properties/base"] == "/definitions/plugin"
        assert linked.at["/definitions/plugin"]["$id"] == "/plugin"
        assert_self_contained(linked)

    def test_a_base_uri_that_no_reference_can_leave_is_no_obstacle(self) -> None:
        schema = {
            "$id": "v1/countdown",
            "definitions": {"Part": {"$id": "v2/part", "items": {"$ref": "plugin"}}},
        }
        linked = link(schema, {"plugin": {"type": "null"}})

        assert linked.references == {"/definitions/Part/items": "/definitions/plugin"}
        assert linked.at["/definitions/plugin"] == {"$id": "plugin", "type": "null"}

    def test_members_keep_their_order(self) -> None:
        schema = {
            "title": "T",
            "properties": {"z": {}, "a": {"type": "string", "enum": ["y", "x"]}, "m": True},
            "allOf": [{"$ref": "plugin"}],
            "$id": "countdown",
            "definitions": {"Z": {}, "A": {}},
            "$schema": f"{META}#",
        }
        linked = link(schema, {"plugin": {"type": "object", "$comment": "c", "properties": {}}})

        assert list(linked.at[""]) == list(schema)
        assert list(linked.at[""]["properties"]) == ["z", "a", "m"]
        assert list(linked.at["/properties/a"]) == ["type", "enum"]
        assert list(linked.at[""]["definitions"]) == ["Z", "A", "plugin"]
        embedded = linked.at["/definitions/plugin"]
        assert list(embedded) == ["$id", "type", "$comment", "properties"]


class TestIds:
    @pytest.mark.parametrize(
        ("schema", "references"),
        [
            pytest.param(
                {"$id": "type#root", "properties": {"a": {"$ref": "#root"}}},
                {"/properties/a": ""},
                id="name-of-the-root-with-its-uri",
            ),
            pytest.param(
                {
                    "$id": "https://x.example/type",
                    "definitions": {"P": {"$id": "part#named"}},
                    "properties": {"a": {"$ref": "part#named"}},
                },
                {"/properties/a": "/definitions/P"},
                id="name-with-a-uri",
            ),
            pytest.param(
                {
                    "definitions": {"N": {"$id": "#näme"}},
                    "properties": {"a": {"$ref": "#n%C3%A4me"}},
                },
                {"/properties/a": "/definitions/N"},
                id="percent-encoded-name",
            ),
            pytest.param(
                {
                    "$id": "https://x.example/a/type",
                    "properties": {"a": {"$id": "https://y.example/b/", "$ref": "part"}},
                    "definitions": {"P": {"$id": "part"}},
                },
                {"/properties/a": "/definitions/P"},
                id="id-beside-a-reference-is-ignored",
            ),
            pytest.param(
                {
                    "$id": "urn:example:type",
                    "definitions": {"P": {"items": {"$ref": "#"}}},
                    "properties": {"a": {"$ref": "urn:example:type#/definitions/P"}},
                },
                {"/properties/a": "/definitions/P", "/definitions/P/items": ""},
                id="urn",
            ),
            pytest.param(
                {
                    "definitions": {"A": {"$id": "", "items": {"$ref": "#"}}},
                },
                {"/definitions/A/items": ""},
                id="an-empty-id-changes-nothing",
            ),
        ],
    )
    def test_ids_inside(self, schema: dict[str, Any], references: dict[str, str]) -> None:
        linked = link(schema)

        assert linked.references == references
        assert linked.schema == schema

    def test_the_first_of_two_equal_ids_counts(self) -> None:
        schema = {
            "definitions": {
                "A": {"$id": "part", "type": "string"},
                "B": {"$id": "part", "type": "null"},
                "C": {"$id": "#name", "type": "string"},
                "D": {"$id": "#name", "type": "null"},
            },
            "properties": {"a": {"$ref": "part"}, "b": {"$ref": "#name"}},
        }

        assert link(schema).references == {
            "/properties/a": "/definitions/A",
            "/properties/b": "/definitions/C",
        }

    @pytest.mark.parametrize(
        ("own_id", "given", "expected"),
        [
            pytest.param("countdown", None, "countdown", id="own"),
            pytest.param("countdown", "other", "countdown", id="own-before-given"),
            pytest.param(None, "other", "other", id="given"),
            pytest.param("#name", "other", "other", id="own-is-only-a-name"),
            pytest.param("", "other", "other", id="own-is-empty"),
            pytest.param(None, None, None, id="none"),
        ],
    )
    def test_the_id_of_the_whole(
        self, own_id: str | None, given: str | None, expected: str | None
    ) -> None:
        schema = with_id(own_id, {"properties": {"a": {"$ref": "plugin"}}})
        linked = link(schema, {"plugin": {}}, id=given)

        assert linked.id == expected
        assert linked.references == {"/properties/a": "/definitions/plugin"}

    @pytest.mark.parametrize(
        ("schema", "resources", "name", "path"),
        [
            pytest.param({"$id": "http://[x"}, {}, "http://[x", "/$id", id="root"),
            pytest.param(
                {"$id": "t", "items": {"$id": "//["}}, {}, "t", "/items/$id", id="subschema"
            ),
            pytest.param(
                {"$id": "t", "items": {"$ref": "plugin"}},
                {"plugin": {"$id": "http://[x"}},
                "plugin",
                "/$id",
                id="base-schema",
            ),
            pytest.param(
                {"$id": "t", "items": {"$ref": "plugin"}},
                {"plugin": {"items": {"$id": "http://[x"}}},
                "plugin",
                "/items/$id",
                id="inside-a-base-schema",
            ),
        ],
    )
    def test_an_id_that_is_no_uri_is_refused(
        self, schema: dict[str, Any], resources: dict[str, Any], name: str, path: str
    ) -> None:
        with pytest.raises(InvalidSchema, match="is not a URI reference") as caught:
            link(schema, resources)

        assert caught.value.report.subject == f"schema {name!r}"
        assert [finding.path for finding in caught.value.report] == [path]


NAMES: dict[str, Any] = {
    "plain": {"type": "string"},
    "a/b": {"type": "string"},
    "m~n": {"type": "string"},
    "~1": {"type": "string"},
    "100%": {"type": "string"},
    "x y": {"type": "string"},
    "ü": {"type": "string"},
    'q"uote': {"type": "string"},
    "": {"type": "string"},
    "$ref": {"type": "string"},
}


class TestPointers:
    @pytest.mark.parametrize(
        ("fragment", "name"),
        [
            ("/definitions/~01", "~1"),
            ("/definitions/q%22uote", 'q"uote'),
            ("/definitions/", ""),
            ("/%64efinitions/a%7E1b", "a/b"),
        ],
    )
    def test_pointers_are_unescaped(self, fragment: str, name: str) -> None:
        linked = link({"definitions": NAMES, "properties": {"it": {"$ref": f"#{fragment}"}}})

        assert linked.references == {"/properties/it": f"/definitions/{escape_token(name)}"}
        assert (
            looked_up(linked, "/properties/it") is linked.at[f"/definitions/{escape_token(name)}"]
        )

    @pytest.mark.parametrize(
        "pointer",
        [
            "",
            "/properties/a",
            "/patternProperties/^a~1",
            "/additionalProperties",
            "/items/0",
            "/items/1",
            "/additionalItems",
            "/contains",
            "/propertyNames",
            "/dependencies/a",
            "/anyOf/1",
            "/oneOf/0",
            "/allOf/0",
            "/not",
            "/if",
            "/then",
            "/else",
            "/definitions/D/definitions/E",
        ],
    )
    def test_every_place_of_a_subschema_can_be_pointed_to(self, pointer: str) -> None:
        schema = {
            "properties": {"a": {}, "it": {"properties": {"deep": {"$ref": f"#{quote(pointer)}"}}}},
            "patternProperties": {"^a/": {}},
            "additionalProperties": {},
            "items": [{}, True],
            "additionalItems": {},
            "contains": {},
            "propertyNames": {},
            "dependencies": {"a": {}, "b": ["a"]},
            "anyOf": [False, {}],
            "oneOf": [{}],
            "allOf": [{}],
            "not": {},
            "if": {},
            "then": {},
            "else": {},
            "definitions": {"D": {"definitions": {"E": {}}}},
        }
        linked = link(schema)

        assert linked.references == {"/properties/it/properties/deep": pointer}
        # root, D, E, it and its member, and 17 places; the list of names is no schema
        assert len(linked.at) == 22

    def test_definitions_beside_a_reference_can_be_pointed_to(self) -> None:
        schema = {"$ref": "#/definitions/A", "definitions": {"A": {"type": "object"}}}
        linked = link(schema)

        assert linked.references == {"": "/definitions/A"}
        assert linked.target("") == "/definitions/A"
        assert linked.lints == ()


class TestSiblings:
    @pytest.mark.parametrize(
        ("siblings", "ignored"),
        [
            pytest.param({"type": "string"}, "type", id="assertion"),
            pytest.param({"minLength": 1, "pattern": "a"}, "minLength, pattern", id="two"),
            pytest.param({"$id": "part"}, "$id", id="id"),
            pytest.param({"unknown": 1, "markdownDescription": ""}, None, id="unknown"),
            pytest.param({"prefixItems": [True]}, "prefixItems", id="other-draft"),
            pytest.param(
                {"title": "T", "description": "D", "$comment": "C"}, None, id="annotation"
            ),
            pytest.param({"default": 1, "examples": [1], "readOnly": True}, None, id="hints"),
            pytest.param({"definitions": {}}, None, id="definitions"),
        ],
    )
    def test_what_a_reference_makes_void_is_linted(
        self, siblings: dict[str, Any], ignored: str | None
    ) -> None:
        schema = {"properties": {"a": {"$ref": "#/definitions/A", **siblings}}}
        linked = link({**schema, "definitions": {"A": {}}})

        assert [lint.path for lint in linked.lints] == ["/properties/a/$ref"] * bool(ignored)
        for lint in linked.lints:
            assert lint.keyword == "$ref"
            assert lint.message == f"draft-07 ignores everything beside $ref, here: {ignored}"
            assert lint.hint is not None

    def test_siblings_assert_nothing(self) -> None:
        schema = {"properties": {"a": {"$ref": "#/definitions/A", "type": "null"}}}
        validator = Validator({**schema, "definitions": {"A": {"type": "string"}}})

        assert validator.is_valid({"a": "text"})
        assert not validator.is_valid({"a": None})

    def test_references_beside_a_reference_are_not_followed(self) -> None:
        schema = {
            "$ref": "#/definitions/A",
            "properties": {"a": {"$ref": "nowhere"}},
            "definitions": {"A": {}},
        }

        assert link(schema).references == {"": "/definitions/A"}


LOOK_ALIKES = [
    pytest.param({"const": {"$ref": "nowhere", "$id": "decoy"}}, id="const"),
    pytest.param({"enum": [{"$ref": "nowhere", "$id": "decoy"}]}, id="enum"),
    pytest.param({"default": {"$ref": "nowhere", "$id": "decoy"}}, id="default"),
    pytest.param({"examples": [{"$ref": "nowhere", "$id": "decoy"}]}, id="examples"),
    pytest.param({"x-own": {"$ref": "nowhere", "$id": "decoy"}}, id="unknown-keyword"),
    pytest.param({"$defs": {"A": {"$ref": "nowhere", "$id": "decoy"}}}, id="keyword-of-2019-09"),
    pytest.param({"required": ["$ref", "$id"]}, id="required"),
    pytest.param({"dependencies": {"a": ["$ref", "$id"]}}, id="dependencies"),
]


class TestLookAlikes:
    @pytest.mark.parametrize("member", LOOK_ALIKES)
    def test_data_that_looks_like_a_reference_is_data(self, member: dict[str, Any]) -> None:
        linked = link({"properties": {"a": member}})

        assert linked.references == {}
        assert linked.schema == {"properties": {"a": member}}

    @pytest.mark.parametrize("member", LOOK_ALIKES)
    def test_data_that_looks_like_an_id_names_nothing(self, member: dict[str, Any]) -> None:
        with pytest.raises(UnresolvableReference, match="'decoy'"):
            link({"properties": {"a": member, "b": {"$ref": "decoy"}}})

    @pytest.mark.parametrize("keyword", ["properties", "patternProperties", "definitions"])
    def test_members_named_like_keywords_are_members(self, keyword: str) -> None:
        named = {"$ref": {"type": "string"}, "$id": {"type": "string"}, "enum": {"$ref": "#"}}
        linked = link({keyword: named})

        assert linked.references == {f"/{keyword}/enum": ""}
        assert f"/{keyword}/$ref" in linked.at

    @pytest.mark.parametrize(
        ("schema", "pointer"),
        [
            pytest.param({"x-own": {"$ref": "#/definitions/A"}}, "/x-own", id="unknown-keyword"),
            pytest.param({"$defs": {"B": {"$ref": "#/definitions/A"}}}, "/$defs/B", id="$defs"),
            pytest.param({"x": [{}, {"$ref": "#/definitions/A"}]}, "/x/1", id="in-an-array"),
            pytest.param({"default": {"$ref": "#/definitions/A"}}, "/default", id="default"),
        ],
    )
    def test_what_a_reference_points_to_is_a_schema(
        self, schema: dict[str, Any], pointer: str
    ) -> None:
        schema = {**schema, "items": {"$ref": f"#{pointer}"}, "definitions": {"A": {}}}

        assert link(schema).references == {"/items": pointer, pointer: "/definitions/A"}

    def test_a_part_of_it_may_have_been_pointed_to_before(self) -> None:
        schema = {
            "x-own": {"not": {"items": {"$ref": "#/definitions/A"}}},
            "anyOf": [{"$ref": "#/x-own/not"}, {"$ref": "#/x-own"}],
            "definitions": {"A": {}},
        }

        assert link(schema).references == {
            "/anyOf/0": "/x-own/not",
            "/anyOf/1": "/x-own",
            "/x-own/not/items": "/definitions/A",
        }

    @pytest.mark.parametrize("keyword", ["anyOf", "properties", "not", "dependencies"])
    @pytest.mark.parametrize("value", [[1, {}], {"a": 1}, 1, None, "text"])
    def test_what_is_no_schema_where_one_should_be_is_left_to_the_meta_schema(
        self, keyword: str, value: Any
    ) -> None:
        schema = {keyword: value}

        assert link(schema).schema == schema

    def test_a_schema_in_an_unknown_keyword_has_the_base_uri_of_what_is_around_it(self) -> None:
        schema = {
            "$id": "https://x.example/type",
            "definitions": {
                "P": {"$id": "folder/part", "x-own": {"deep": {"not": {"$ref": "other"}}}},
                "O": {"$id": "folder/other"},
            },
            "items": {"$ref": "#/definitions/P/x-own/deep"},
        }

        references = link(schema).references
        assert references["/definitions/P/x-own/deep/not"] == "/definitions/O"

    def test_what_is_pointed_to_must_itself_resolve(self) -> None:
        with pytest.raises(UnresolvableReference) as caught:
            link({"items": {"$ref": "#/x-own"}, "x-own": {"not": {"$ref": "nowhere"}}})

        assert caught.value.pointer == "/x-own/not/$ref"


class TestMetaschema:
    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param({"$id": "countdown", "properties": {}}, id="relative-id"),
            pytest.param({"$id": "schema", "properties": {}}, id="type-named-schema"),
            pytest.param({"$id": "draft-07", "properties": {}}, id="type-named-draft-07"),
            pytest.param({"definitions": {"draft-07": False}, "properties": {}}, id="definition"),
            pytest.param({"$id": "https://x.example/schema", "properties": {}}, id="absolute-id"),
        ],
    )
    @pytest.mark.parametrize("fragment", ["", "#"])
    def test_it_is_a_known_resource(self, schema: dict[str, Any], fragment: str) -> None:
        schema = {**schema, "properties": {"schema": {"$ref": META + fragment}}}
        linked = link(schema, {"schema": False, "draft-07": False})

        validator = Validator.from_linked(linked)
        assert validator.is_valid({"schema": {"properties": {"a": {"type": "string"}}}})
        assert not validator.is_valid({"schema": {"properties": {"a": {"type": "text"}}}})
        assert_self_contained(linked)

    def test_places_in_it_are_known(self) -> None:
        linked = link({"items": {"$ref": f"{META}#/definitions/simpleTypes"}})

        assert linked.references["/items"] == "/definitions/draft-07/definitions/simpleTypes"
        assert linked.bases == {"/definitions/draft-07": "draft-07"}

    def test_a_resource_of_the_same_short_name_is_another(self) -> None:
        schema = {"properties": {"a": {"$ref": f"{META}#"}, "b": {"$ref": "draft-07"}}}
        linked = link(schema, {"draft-07": {"type": "null"}})

        assert linked.at[linked.references["/properties/a"]]["$id"] == f"{META}#"
        assert linked.at[linked.references["/properties/b"]]["type"] == "null"
        assert_self_contained(linked)

    def test_it_links_itself(self) -> None:
        linked = link(METASCHEMA)

        assert linked.schema == METASCHEMA
        assert linked.references["/properties/not"] == ""
        assert_self_contained(linked)

    def test_its_constant_is_not_touched(self) -> None:
        before = copy.deepcopy(METASCHEMA)
        linked = link({"items": {"$ref": META}})
        linked.at["/definitions/draft-07"]["title"] = "changed"

        assert before == METASCHEMA


TYPE: dict[str, Any] = {
    "$id": "countdown",
    "definitions": {"IPluginData": {}, "IPluginStyles": {"$id": "#styles"}},
}


class TestUnencodedReferences:
    @pytest.mark.parametrize(
        ("name", "encoded"),
        [
            ("Record<string,string>", "Record%3Cstring,string%3E"),
            ("é", "%C3%A9"),
            ("日本", "%E6%97%A5%E6%9C%AC"),
            ("a b", "a%20b"),
            (" a ", "%20a%20"),
            ("a\nb", "a%0Ab"),
            ("child[one]", "child%5Bone%5D"),
            ("List`1[[System.String, mscorlib]]", "List%601%5B%5BSystem.String,%20mscorlib%5D%5D"),
            ('{"a"|^b}\\', "%7B%22a%22%7C%5Eb%7D%5C"),
            ("a#b", "a%23b"),
            ("%", "%25"),
            ("100%", "100%25"),
            ("%zz", "%25zz"),
            ("5%ff", "5%25ff"),
            ("a%20b", "a%2520b"),
            ("é%20", "%C3%A9%2520"),
        ],
    )
    @pytest.mark.parametrize("own_id", COUNTDOWN_IDS)
    @pytest.mark.parametrize("where", ["", "plugin", "parts"])
    def test_they_lead_where_their_encoded_form_leads_and_are_linted(
        self, where: str, own_id: str | None, name: str, encoded: str
    ) -> None:
        holder = {"definitions": {name: {"type": "string"}}}
        parts = {"plugin": holder, "parts": {"$id": "https://other.example/p.json", **holder}}
        reference = {"$ref": f"{where}#/definitions/{name}"}
        own = {} if where else holder
        linked = link(with_id(own_id, {"properties": {"v": reference}, **own}), parts)

        assert linked.at[linked.target("/properties/v")] == {"type": "string"}
        assert linked.at["/properties/v"]["$ref"].endswith(f"#/definitions/{encoded}")
        assert [(lint.keyword, lint.path, lint.hint) for lint in linked.lints] == [
            ("$ref", "/properties/v/$ref", f'write "{where}#/definitions/{encoded}"')
        ]
        assert_self_contained(linked)
        assert Validator.from_linked(linked).is_valid({"v": "text"})
        assert not Validator.from_linked(linked).is_valid({"v": 1})

    @pytest.mark.parametrize("reference", ["größe", "größe.json", "gr%C3%B6%C3%9Fe", "./größe#"])
    def test_names_of_schemas_and_of_subschemas_can_be_unencoded(self, reference: str) -> None:
        linked = link({"items": {"$ref": reference}}, {"größe": {"type": "string"}})

        assert linked.references == {"/items": "/definitions/größe"}
        assert linked.at["/definitions/größe"]["$id"] == "gr%C3%B6%C3%9Fe"
        assert_self_contained(linked)
        named = {"items": {"$ref": "#é"}, "definitions": {"E": {"$id": "#%C3%A9"}}}
        assert link(named).references == {"/items": "/definitions/E"}

    def test_what_is_encoded_comes_first_and_is_no_lint(self) -> None:
        definitions = {"a b": {"type": "string"}, "a%20b": {"type": "null"}}
        linked = link({"items": {"$ref": "#/definitions/a%20b"}, "definitions": definitions})

        assert linked.references == {"/items": "/definitions/a b"}
        assert linked.lints == ()

    @pytest.mark.parametrize("name", ["Record<string>", "é", "100%", "a%20b"])
    def test_what_leads_nowhere_is_an_error_that_names_it_as_it_was_written(
        self, name: str
    ) -> None:
        schema = {"$id": "t", "$ref": f"#/definitions/{name}", "definitions": {f"{name}s": {}}}
        with pytest.raises(UnresolvableReference) as caught:
            Validator(schema)

        assert caught.value.reference == f"#/definitions/{name}"
        assert "/definitions has no" in caught.value.reason


class TestUnresolvable:
    @pytest.mark.parametrize(
        ("reference", "resolved", "nearest", "says"),
        [
            pytest.param(
                "#/definitions/IPluginDate",
                "countdown#/definitions/IPluginDate",
                ("/definitions/IPluginData",),
                "/definitions has no 'IPluginDate'",
                id="definition",
            ),
            pytest.param(
                "#/definition/IPluginData",
                "countdown#/definition/IPluginData",
                ("/definitions",),
                "the schema has no 'definition'",
                id="keyword",
            ),
            pytest.param(
                "plugin", "plugin", ("plugins",), "no schema with this URI is available", id="base"
            ),
            pytest.param(
                "https://x.example/v1/plugin.json#/definitions/A",
                "https://x.example/v1/plugin.json#/definitions/A",
                ("plugins",),
                "references are never fetched",
                id="absolute",
            ),
            pytest.param(
                "entirely-else",
                "entirely-else",
                ("plugins", "countdown"),
                "no schema with this URI is available",
                id="all-known-where-none-is-near",
            ),
            pytest.param(
                "#style", "countdown#style", ("styles",), "no subschema has this name", id="name"
            ),
            pytest.param(
                "plugins#data",
                "plugins#data",
                (),
                "a JSON Pointer begins with a slash: '#/data'",
                id="pointer-without-slash",
            ),
            pytest.param(
                "plugins#/properties/dat",
                "plugins#/properties/dat",
                ("/properties/data",),
                "/properties has no 'dat'",
                id="inside-a-base",
            ),
            pytest.param("http://[x", "http://[x", (), "it is not a URI reference", id="no-uri"),
            pytest.param("#/$id", "countdown#/$id", (), "it leads to a plain value", id="text"),
            pytest.param(
                "#/$id/x", "countdown#/$id/x", (), "/$id has no 'x'", id="below-a-plain-value"
            ),
            pytest.param("#/allOf", "countdown#/allOf", (), "it leads to an array", id="array"),
            pytest.param(
                "#/allOf/2", "countdown#/allOf/2", (), "/allOf has no '2'", id="index-too-large"
            ),
            pytest.param("#/allOf/01", "countdown#/allOf/01", (), "has no '01'", id="leading-zero"),
            pytest.param("#/allOf/-", "countdown#/allOf/-", (), "has no '-'", id="past-the-end"),
            pytest.param("#/allOf/٠", "countdown#/allOf/٠", (), "has no '٠'", id="other-digits"),
            pytest.param("#/x", "countdown#/x", ("/x",), "it leads to null", id="null"),
        ],
    )
    def test_the_error_says_where_what_and_what_was_near(
        self, reference: str, resolved: str, nearest: tuple[str, ...], says: str
    ) -> None:
        schema = {**TYPE, "x": None, "allOf": [{}, {"not": {"$ref": reference}}]}
        with pytest.raises(UnresolvableReference) as caught:
            link(schema, {"plugins": {"properties": {"data": {}}}})

        error = caught.value
        assert (error.schema, error.pointer) == ("countdown", "/allOf/1/not/$ref")
        assert (error.reference, error.resolved) == (reference, resolved)
        assert error.nearest == nearest
        assert says in error.reason
        assert says in str(error)
        assert "/allOf/1/not/$ref" in str(error)
        assert all(repr(name) in str(error) for name in nearest)

    @pytest.mark.parametrize(
        ("plugin", "pointer"),
        [
            pytest.param({"allOf": [{"$ref": "nowhere"}]}, "/allOf/0/$ref", id="inside"),
            pytest.param({"$ref": "nowhere"}, "/$ref", id="at-its-root"),
            pytest.param({"allOf": [{"$ref": "#/allOf/0/not"}]}, "/allOf/0/$ref", id="pointer"),
        ],
    )
    def test_inside_a_base_schema_the_error_names_the_base_schema(
        self, plugin: dict[str, Any], pointer: str
    ) -> None:
        with pytest.raises(UnresolvableReference) as caught:
            link({"$id": "countdown", "allOf": [{"$ref": "plugin"}]}, {"plugin": plugin})

        assert (caught.value.schema, caught.value.pointer) == ("plugin", pointer)

    def test_a_schema_without_any_name_is_called_schema(self) -> None:
        with pytest.raises(UnresolvableReference) as caught:
            link({"$ref": "nowhere"})

        assert (caught.value.schema, caught.value.pointer) == ("schema", "/$ref")
        assert str(caught.value).startswith("schema 'schema', /$ref: cannot resolve $ref 'nowhere'")

    @pytest.mark.parametrize("engine", ["rust", "python"])
    def test_nothing_is_fetched(self, engine: str, tmp_path: Path) -> None:
        file = tmp_path / "base.json"
        file.write_text("{}")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.setblocking(False)
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/base.json"
            for uri in (address, file.as_uri()):
                with pytest.raises(UnresolvableReference, match="never fetched"):
                    Validator({"items": {"$ref": uri}}, engine=engine)
                known = Validator({"items": {"$ref": uri}}, resources={uri: False}, engine=engine)
                assert not known.is_valid([1])
            with pytest.raises(BlockingIOError):
                listener.accept()


class TestRefused:
    @pytest.mark.parametrize(
        "dialect",
        [
            "https://json-schema.org/draft/2020-12/schema",
            "http://json-schema.org/draft-04/schema#",
            "http://json-schema.org/draft-07/hyper-schema#",
            "http://json-schema.org/schema#",
            "",
        ],
    )
    @pytest.mark.parametrize("where", ["type", "plugin"])
    def test_another_dialect(self, dialect: str, where: str) -> None:
        schema: dict[str, Any] = {"$id": "type", "allOf": [{"$ref": "plugin"}]}
        plugin: dict[str, Any] = {}
        {"type": schema, "plugin": plugin}[where]["$schema"] = dialect
        with pytest.raises(UnsupportedDialect, match="only draft-07 is supported") as caught:
            link(schema, {"plugin": plugin})

        assert (caught.value.schema, caught.value.dialect) == (where, dialect)

    @pytest.mark.parametrize(
        "dialect", [META, f"{META}#", META.replace("http:", "https:"), f"{META}/"]
    )
    def test_every_way_to_write_draft_07(self, dialect: str) -> None:
        schema = {"$schema": dialect, "type": "object"}

        assert link(schema).schema == schema

    @pytest.mark.parametrize(
        ("schema", "message"),
        [
            pytest.param(None, "a schema is an object or a boolean, not NoneType", id="null"),
            pytest.param([], "a schema is an object or a boolean, not list", id="array"),
            pytest.param("{}", "a schema is an object or a boolean, not str", id="text"),
            pytest.param({"const": math.nan}, "JSON has no NaN", id="nan"),
            pytest.param({"enum": {1, 2}}, "a Python set is not a JSON value", id="set"),
            pytest.param({"properties": {1: {}}}, "a member name must be text", id="key"),
        ],
    )
    @pytest.mark.parametrize("where", ["type", "plugin"])
    def test_what_json_cannot_carry(self, schema: Any, message: str, where: str) -> None:
        whole = schema if where == "type" else {"items": {"$ref": "plugin"}}
        with pytest.raises(InvalidSchema, match=message) as caught:
            link(whole, {"plugin": schema}, id="type")

        assert caught.value.report.subject == f"schema {where!r}"

    def test_a_schema_that_contains_itself(self) -> None:
        schema: dict[str, Any] = {"properties": {}}
        schema["properties"]["self"] = schema
        with pytest.raises(InvalidSchema, match="contains itself") as caught:
            link(schema)

        assert [finding.path for finding in caught.value.report] == ["/properties/self"]

    @pytest.mark.parametrize("depth", [500, 100_000])
    def test_a_schema_nested_too_deep(self, depth: int) -> None:
        schema: dict[str, Any] = {}
        for _ in range(depth):
            schema = {"not": schema}
        with pytest.raises(InvalidSchema, match="nested deeper than the limit"):
            link(schema)
        while schema:  # taken apart by hand: the interpreter would recurse
            schema = schema.pop("not")

    @pytest.mark.parametrize("definitions", [[], "text", None, 1])
    def test_no_room_for_a_base_schema(self, definitions: Any) -> None:
        with pytest.raises(InvalidSchema, match="must be an object") as caught:
            link(
                {"$id": "t", "items": {"$ref": "plugin"}, "definitions": definitions},
                {"plugin": {}},
            )

        assert [finding.path for finding in caught.value.report] == ["/definitions"]

    def test_a_base_schema_whose_id_is_no_text_is_left_to_the_meta_schema(self) -> None:
        with pytest.raises(InvalidSchema) as caught:
            Validator({"items": {"$ref": "plugin"}}, resources={"plugin": {"$id": 5}})

        assert caught.value.report.subject == "schema 'plugin'"
        assert [finding.path for finding in caught.value.report] == ["/$id"]


class TestLoops:
    @pytest.mark.parametrize(
        ("schema", "pointers"),
        [
            pytest.param({"$ref": "#"}, ("", ""), id="itself"),
            pytest.param(
                {"definitions": {"A": {"$ref": "#/definitions/A"}}},
                ("/definitions/A", "/definitions/A"),
                id="a-definition",
            ),
            pytest.param(
                {
                    "definitions": {
                        "A": {"$ref": "#/definitions/B"},
                        "B": {"$ref": "#/definitions/A"},
                    }
                },
                ("/definitions/A", "/definitions/B", "/definitions/A"),
                id="two",
            ),
            *(
                pytest.param(
                    {keyword: value}, ("", f"/{keyword}{rest}", ""), id=f"through-{keyword}"
                )
                for keyword, value, rest in [
                    ("allOf", [{"$ref": "#"}], "/0"),
                    ("anyOf", [{}, {"$ref": "#"}], "/1"),
                    ("oneOf", [{"$ref": "#"}], "/0"),
                    ("not", {"$ref": "#"}, ""),
                    ("if", {"$ref": "#"}, ""),
                    ("then", {"$ref": "#"}, ""),
                    ("else", {"$ref": "#"}, ""),
                    ("dependencies", {"a": {"$ref": "#"}}, "/a"),
                ]
            ),
        ],
    )
    def test_a_loop_that_reaches_no_data_is_refused(
        self, schema: dict[str, Any], pointers: tuple[str, ...]
    ) -> None:
        with pytest.raises(ReferenceLoop, match="leads back to itself") as caught:
            link(schema)

        assert caught.value.pointers == pointers

    def test_a_loop_through_the_base_schema_is_refused(self) -> None:
        schema = {"$id": "countdown", "allOf": [{"$ref": "plugin"}]}
        with pytest.raises(ReferenceLoop) as caught:
            link(schema, {"plugin": {"anyOf": [{"$ref": "countdown"}]}})

        assert caught.value.schema == "countdown"
        assert caught.value.pointers[0] == caught.value.pointers[-1]

    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param({"properties": {"child": {"$ref": "#"}}}, id="properties"),
            pytest.param({"patternProperties": {"^a": {"$ref": "#"}}}, id="patternProperties"),
            pytest.param({"additionalProperties": {"$ref": "#"}}, id="additionalProperties"),
            pytest.param({"items": {"$ref": "#"}}, id="items"),
            pytest.param({"items": [{"$ref": "#"}], "additionalItems": {"$ref": "#"}}, id="tuple"),
            pytest.param({"contains": {"$ref": "#"}}, id="contains"),
            pytest.param({"propertyNames": {"$ref": "#"}}, id="propertyNames"),
            pytest.param({"allOf": [{"items": {"$ref": "#"}}]}, id="below-allOf"),
        ],
    )
    def test_recursion_through_data_is_fine(self, schema: dict[str, Any]) -> None:
        linked = link(schema)

        assert set(linked.references.values()) == {""}
        assert_self_contained(linked)

    def test_mutual_recursion(self) -> None:
        schema = {
            "$ref": "#/definitions/Even",
            "definitions": {
                "Even": {"additionalProperties": {"$ref": "#/definitions/Odd"}},
                "Odd": {
                    "required": ["x"],
                    "additionalProperties": {"$ref": "#/definitions/Even"},
                },
            },
        }
        validator = Validator(schema)

        assert validator.is_valid({"a": {"x": {"a": {"x": {}}}}})
        assert not validator.is_valid({"a": {"x": {"a": {}}}})

    @staticmethod
    def chain(length: int) -> dict[str, Any]:
        """`length` schemas that apply to one place: references, then the schema at their end."""
        definitions: dict[str, Any] = {
            f"d{number}": {"$ref": f"#/definitions/d{number + 1}"} for number in range(length - 1)
        }
        return {"definitions": {**definitions, f"d{length - 1}": {"type": "string"}}}

    @pytest.mark.parametrize("length", [1, 2, MAX_CHAIN - 1, MAX_CHAIN])
    def test_chains_up_to_the_limit(self, length: int) -> None:
        linked = link(self.chain(length))

        assert linked.target("/definitions/d0") == f"/definitions/d{length - 1}"

    @pytest.mark.parametrize("length", [MAX_CHAIN + 1, 3_000])
    def test_chains_beyond_the_limit(self, length: int) -> None:
        with pytest.raises(ReferenceLoop, match=f"more than {MAX_CHAIN} schemas apply") as caught:
            link(self.chain(length))

        assert len(str(caught.value)) < 400

    def test_a_long_way_into_a_long_chain_counts_as_one(self) -> None:
        schema = self.chain(MAX_CHAIN)
        schema["not"] = {"allOf": [{"$ref": "#/definitions/d2"}]}
        with pytest.raises(ReferenceLoop, match="more than"):
            link(schema)

    def test_many_ways_to_one_place_are_no_loop(self) -> None:
        schema = {
            "allOf": [{"$ref": "#/definitions/A"}, {"$ref": "#/definitions/B"}],
            "definitions": {
                "A": {"allOf": [{"$ref": "#/definitions/C"}]},
                "B": {"allOf": [{"$ref": "#/definitions/C"}, {"$ref": "#/definitions/A"}]},
                "C": {"type": "object"},
            },
        }

        assert link(schema).references["/allOf/1"] == "/definitions/B"


def multiplied(levels: int, twice: Callable[[Any], Any], last: Any = True) -> dict[str, Any]:
    """A schema of some levels, each of which refers to the next twice."""
    definitions = {
        f"l{level}": twice({"$ref": f"#/definitions/l{level + 1}"}) for level in range(levels)
    }
    return {"$ref": "#/definitions/l0", "definitions": {**definitions, f"l{levels}": last}}


MULTIPLY: dict[str, Callable[[Any], Any]] = {
    "allOf": lambda ref: {"allOf": [ref, ref]},
    "anyOf": lambda ref: {"anyOf": [ref, ref]},
    "oneOf": lambda ref: {"oneOf": [ref, ref]},
    "if": lambda ref: {"if": ref, "then": ref, "else": ref},
    "dependencies": lambda ref: {"dependencies": {"a": ref, "b": ref}},
    "not": lambda ref: {"not": {"anyOf": [ref, ref]}},
    "properties": lambda ref: {"allOf": [{"properties": {"a": ref}}, {"properties": {"a": ref}}]},
    "items": lambda ref: {"anyOf": [{"items": ref}, {"items": ref}]},
    "tuple": lambda ref: {"anyOf": [{"items": [True, ref]}, {"items": [False, ref]}]},
    "patterns": lambda ref: {"patternProperties": {"^a": ref, "b$": ref}},
    "contains": lambda ref: {"items": ref, "contains": ref},
    "names": lambda ref: {"anyOf": [{"propertyNames": ref}, {"propertyNames": ref}]},
    "recursion": lambda ref: {"allOf": [ref, ref], "properties": {"up": {"$ref": "#"}}},
}


class TestMultiplied:
    @pytest.mark.parametrize("twice", MULTIPLY.values(), ids=MULTIPLY)
    def test_schemas_that_multiply_are_refused(self, twice: Callable[[Any], Any]) -> None:
        with pytest.raises(InvalidSchema, match="schemas apply to a single value") as caught:
            link(multiplied(20, twice), id="bomb")

        [finding] = caught.value.report
        assert finding.path.startswith("/definitions/l")
        assert caught.value.report.subject == "schema 'bomb'"

    @pytest.mark.parametrize("twice", MULTIPLY.values(), ids=MULTIPLY)
    def test_schemas_that_multiply_a_little_are_fine(self, twice: Callable[[Any], Any]) -> None:
        assert link(multiplied(7, twice)).references[""] == "/definitions/l0"

    @pytest.mark.parametrize(
        "twice",
        [
            pytest.param(lambda ref: {"properties": {"a": ref, "b": ref}}, id="members"),
            pytest.param(lambda ref: {"items": [ref, ref]}, id="items"),
            pytest.param(lambda ref: {"items": ref, "properties": {"a": ref}}, id="kinds"),
            pytest.param(
                lambda ref: {"allOf": [{"properties": {"a": ref}}, {"properties": {"b": ref}}]},
                id="members-of-two-schemas",
            ),
        ],
    )
    def test_what_applies_to_different_values_does_not_count(
        self, twice: Callable[[Any], Any]
    ) -> None:
        assert len(link(multiplied(50, twice)).references) > 50

    @pytest.mark.parametrize("keyword", ["allOf", "anyOf"])
    def test_recursion_through_data_does_not_count(self, keyword: str) -> None:
        node = {"properties": {"child": {"$ref": "#"}}, "items": {"$ref": "#"}}

        assert link({keyword: [node, node, node]}).found == ()

    def test_many_schemas_without_references_are_fine(self) -> None:
        schema = {"anyOf": [{"properties": {"a": {"const": n}}} for n in range(10_000)]}

        assert len(link(schema).at) == 20_001


class TestLinkedSchema:
    @pytest.mark.parametrize("schema", [True, False])
    def test_booleans_are_schemas(self, schema: bool) -> None:
        linked = link(schema, id="any")

        assert linked.schema is schema
        assert linked.at == {"": schema}
        assert linked.registry().contents("any") is schema
        assert Validator.from_linked(linked).is_valid({}) is schema
        assert Validator.from_linked(linked.for_member("data")).is_valid({}) is schema

    def test_the_digest_follows_content_and_order(self) -> None:
        one, same, other = (
            link(schema).digest
            for schema in (
                {"type": "string", "title": "ü"},
                {"type": "string", "title": "\u00fc"},
                {"title": "ü", "type": "string"},
            )
        )

        assert one == same
        assert one != other
        assert len(one) == 64

    def test_integers_of_any_size_are_kept(self) -> None:
        schema = {"maximum": 10**30, "enum": (1, 2)}
        linked = link(schema)

        assert linked.schema == {"maximum": 10**30, "enum": [1, 2]}
        assert len(linked.digest) == 64


class TestForMember:
    @pytest.mark.parametrize(
        ("schema", "valid", "invalid"),
        [
            pytest.param({"properties": {"data": {"type": "string"}}}, ["a"], [1], id="properties"),
            pytest.param(
                {"patternProperties": {"^da": {"type": "string"}, "^x": {"type": "null"}}},
                ["a"],
                [1, None],
                id="patternProperties",
            ),
            pytest.param(
                {"additionalProperties": {"type": "string"}}, ["a"], [1], id="additionalProperties"
            ),
            pytest.param(
                {
                    "properties": {"data": {"minLength": 2}},
                    "patternProperties": {"^d": {"maxLength": 3}},
                    "additionalProperties": False,
                },
                ["ab", "abc"],
                ["a", "abcd"],
                id="properties-and-patterns-before-additional",
            ),
            pytest.param({"properties": {"other": {}}}, ["a", 1, None], [], id="nothing-said"),
            pytest.param(
                {"properties": {"other": {}}, "additionalProperties": False},
                [],
                [{}, 1],
                id="not-allowed",
            ),
            pytest.param({"properties": {"data": False}}, [], [{}, 1], id="false"),
            pytest.param({"properties": {"data": True}}, [{}, 1], [], id="true"),
            pytest.param(False, [], [{}], id="the-whole-is-false"),
            pytest.param({"allOf": [True, False]}, [], [{}], id="allOf-false"),
            pytest.param(
                {"$ref": "#/definitions/A", "definitions": {"A": {"properties": {"data": False}}}},
                [],
                [{}],
                id="reference",
            ),
            pytest.param(
                {
                    "allOf": [
                        {"properties": {"data": {"minimum": 1}}},
                        {"allOf": [{"$ref": "#/definitions/A"}]},
                    ],
                    "properties": {"data": {"multipleOf": 2}},
                    "definitions": {"A": {"properties": {"data": {"maximum": 5}}}},
                },
                [2, 4],
                [0, 3, 6],
                id="allOf-references-and-own",
            ),
            pytest.param(
                {
                    "anyOf": [
                        {"properties": {"data": {"type": "string"}}},
                        {"properties": {"data": {"type": "number"}}},
                    ]
                },
                ["a", 1],
                [None],
                id="anyOf",
            ),
            pytest.param(
                {
                    "properties": {"data": {"minimum": 2}},
                    "oneOf": [
                        {"properties": {"kind": {"const": "a"}, "data": {"type": "string"}}},
                        {"properties": {"kind": {"const": "b"}, "data": {"type": "number"}}},
                    ],
                },
                ["a", 2],
                [None, 1],
                id="oneOf-and-own",
            ),
            pytest.param(
                {"anyOf": [{"properties": {"data": {"type": "string"}}}, {"required": ["x"]}]},
                ["a", 1],
                [],
                id="an-alternative-that-says-nothing",
            ),
            pytest.param(
                {"anyOf": [{"properties": {"data": {"type": "string"}}}, False]},
                ["a"],
                [1],
                id="an-alternative-that-is-false",
            ),
            pytest.param(
                {
                    "anyOf": [{"$ref": "#/definitions/A"}, {"$ref": "#/definitions/A"}],
                    "definitions": {"A": {"properties": {"data": {"type": "string"}}}},
                },
                ["a"],
                [1],
                id="alternatives-that-are-the-same",
            ),
            pytest.param(
                {
                    "if": {"properties": {"kind": {"const": "a"}}},
                    "then": {"properties": {"data": {"type": "string"}}},
                    "else": {"properties": {"data": {"type": "number"}}},
                },
                ["a", 1],
                [None],
                id="if-then-else",
            ),
            pytest.param(
                {"if": {"required": ["x"]}, "then": {"properties": {"data": False}}},
                ["a", 1],
                [],
                id="if-then",
            ),
            pytest.param(
                {
                    "anyOf": [
                        {
                            "oneOf": [
                                {"properties": {"data": {"const": 1}}},
                                {"properties": {"data": {"const": 2}}},
                            ]
                        },
                        {"allOf": [{"properties": {"data": {"const": 3}}}]},
                    ]
                },
                [1, 2, 3],
                [4],
                id="alternatives-in-alternatives",
            ),
            pytest.param(
                {"dependencies": {"data": {"properties": {"data": {"type": "string"}}}}},
                ["a"],
                [1],
                id="dependency-of-the-member-itself",
            ),
            pytest.param(
                {"dependencies": {"other": {"properties": {"data": False}}, "data": ["x"]}},
                ["a"],
                [],
                id="dependency-of-another-member",
            ),
            pytest.param(
                {"not": {"properties": {"data": {"type": "string"}}}}, ["a", 1], [], id="not"
            ),
            pytest.param(
                {"properties": {"data": {"properties": {"child": {"$ref": "#/properties/data"}}}}},
                [{"child": {"child": {}}}],
                [],
                id="recursion",
            ),
        ],
    )
    def test_what_is_said_about_the_member(
        self, schema: Any, valid: list[Any], invalid: list[Any]
    ) -> None:
        validator = Validator.from_linked(link(schema).for_member("data"))

        assert [value for value in valid if not validator.is_valid(value)] == []
        assert [value for value in invalid if validator.is_valid(value)] == []
        for value in invalid:
            for finding in validator.check(value):
                assert finding.path == ""

    def test_members_whose_names_need_escapes(self) -> None:
        schema = {
            "properties": {"a/b~c": {"type": "string"}},
            "dependencies": {"a/b~c": {"properties": {"a/b~c": {"minLength": 2}}}},
        }
        validator = Validator.from_linked(link(schema).for_member("a/b~c"))

        assert validator.is_valid("ab")
        assert not validator.is_valid("a")
        assert not validator.is_valid(1)

    def test_who_reads_the_patterns_is_up_to_the_caller(self) -> None:
        linked = link({"patternProperties": {"d": {"type": "null"}, "x": {"type": "string"}}})
        view = linked.for_member("data", lambda pattern, name: pattern == "x")

        assert Validator.from_linked(view).is_valid("text")
        assert not Validator.from_linked(view).is_valid(None)

    def test_a_member_of_a_member(self) -> None:
        schema = {
            "allOf": [
                {"properties": {"data": {"properties": {"data": {"minimum": 1}}}}},
                {"properties": {"data": {"properties": {"data": {"maximum": 3}}}}},
            ]
        }
        inner = link(schema).for_member("data").for_member("data")
        validator = Validator.from_linked(inner)

        assert [number for number in range(5) if validator.is_valid(number)] == [1, 2, 3]

    def test_the_whole_stays_what_it_was(self) -> None:
        linked = link({"properties": {"data": {"type": "string"}}, "type": "object"})
        at = dict(linked.at)
        view = linked.for_member("data")

        assert (view.schema, view.id, view.digest) == (linked.schema, linked.id, linked.digest)
        assert linked.at == at
        assert linked.root == ""

    @pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
    @pytest.mark.parametrize("own", [False, True], ids=["same", "different"])
    def test_what_many_references_share_is_not_multiplied(self, keyword: str, own: bool) -> None:
        levels = 10
        definitions: dict[str, Any] = {f"l{levels}": {"properties": {"data": {"type": "string"}}}}
        for level in range(levels):
            below = {"$ref": f"#/definitions/l{level + 1}"}
            branches = [
                {"allOf": [below, {"properties": {"data": {"minLength": own * (side + 1)}}}]}
                for side in range(2)
            ]
            definitions[f"l{level}"] = {keyword: branches}
        linked = link({"$ref": "#/definitions/l0", "definitions": definitions})
        view = linked.for_member("data")

        assert len(view.at) < 20 * len(linked.at)
        assert f"/definitions/l{levels}/properties/data" in view.references.values()


# What a public library makes of the same references.

SEGMENTS = ["A", "a/b", "m~n", "x y", "ü", "100%", "0"]
ROOT_IDS = [None, "countdown", "https://example.com/types/countdown", "urn:example:countdown"]
NESTED_IDS = ["part-{}", "sub/part-{}.json", "/rooted-{}", "https://other.example/x/part-{}"]


@st.composite
def nodes(draw: st.DrawFn, counter: Iterator[int], depth: int) -> dict[str, Any]:
    """A schema: perhaps an id, perhaps data that looks like a reference, and subschemas."""
    node: dict[str, Any] = {}
    number = next(counter)
    kind = draw(st.sampled_from(["", "", "id", "name"]))
    if kind == "id":
        node["$id"] = draw(st.sampled_from(NESTED_IDS)).format(number)
    elif kind == "name":
        node["$id"] = f"#name-{number}"
    if draw(st.booleans()):
        keyword = draw(st.sampled_from(["const", "default", "x-own"]))
        node[keyword] = {"$ref": "nowhere", "$id": f"part-{draw(st.integers(0, 9))}"}
    if depth:
        for keyword in draw(st.lists(st.sampled_from(["definitions", "properties"]), unique=True)):
            names = draw(st.lists(st.sampled_from(SEGMENTS), max_size=2, unique=True))
            node[keyword] = {name: draw(nodes(counter, depth - 1)) for name in names}
        if draw(st.booleans()):
            node["items"] = draw(nodes(counter, depth - 1))
        if draw(st.booleans()):
            node["anyOf"] = [draw(nodes(counter, depth - 1)), draw(st.booleans())]
    return node


def places(
    schema: dict[str, Any], pointer: str, base: str, start: str
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """(pointer, base URI, pointer of the resource it is in, schema) of each object in it."""
    yield pointer, base, start, schema
    children: list[tuple[str, Any]] = [
        (f"{pointer}/{keyword}/{escape_token(name)}", child)
        for keyword in ("definitions", "properties")
        for name, child in schema.get(keyword, {}).items()
    ]
    children += [(f"{pointer}/items", schema["items"])] if "items" in schema else []
    children += [(f"{pointer}/anyOf/{i}", child) for i, child in enumerate(schema.get("anyOf", []))]
    for place, child in children:
        if isinstance(child, dict):
            own_id = child.get("$id", "#")
            if own_id.startswith("#"):
                yield from places(child, place, base, start)
            else:
                yield from places(child, place, urljoin(base, own_id), place)


@st.composite
def linkable_schemas(draw: st.DrawFn) -> dict[str, Any]:
    """A schema whose references, in every standard spelling, lead somewhere in it."""
    root_id = draw(st.sampled_from(ROOT_IDS))
    schema = draw(nodes(iter(range(1000)), 2))
    schema.pop("$id", None)
    schema = with_id(root_id, schema)
    every = list(places(schema, "", root_id or "", ""))
    for number in range(draw(st.integers(1, 5))):
        _, base, start, holder = draw(st.sampled_from(every))
        pointer, target_base, target_start, target = draw(st.sampled_from(every))
        spellings = []
        for uri, beginning in {(target_base, target_start), (root_id or "", "")}:
            fragment = f"#{quote(pointer.removeprefix(beginning))}"
            if urljoin(base, uri) == uri and uri:
                spellings.append(f"{uri}{fragment}")
            if beginning == start:
                spellings.append(fragment)
        name = target.get("$id", "")
        if name and target_base == (base if name.startswith("#") else urljoin(base, name)):
            spellings.append(name)
        if base == (root_id or ""):
            spellings += ["plugin", "plugin.json#/definitions/Base", "/plugin#base"]
        if spellings:
            properties = holder.setdefault("properties", {})
            properties[f"reference-{number}"] = {"$ref": draw(st.sampled_from(spellings))}
    return schema


PLUGIN: dict[str, Any] = {
    "properties": {"data": {"$ref": "#/definitions/Base"}},
    "definitions": {"Base": {"$id": "#base", "type": "object"}},
}


@given(schema=linkable_schemas(), plugin_id=st.sampled_from(PLUGIN_IDS))
def test_every_reference_leads_where_referencing_says(
    schema: dict[str, Any], plugin_id: str | None
) -> None:
    plugin = with_id(plugin_id, PLUGIN)
    before = copy.deepcopy((schema, plugin))
    linked = link(schema, {"plugin": plugin})

    assert (schema, plugin) == before, "the caller's schemas are the caller's"
    assert_self_contained(linked)
    assert len(linked.references) == len(
        [
            pointer
            for pointer, part in linked.at.items()
            if isinstance(part, dict) and "$ref" in part
        ]
    )


@given(schema=linkable_schemas())
def test_referencing_knows_the_same_subschemas(schema: dict[str, Any]) -> None:
    linked = link(schema, {"plugin": PLUGIN})
    todo = [linked.schema]
    count = 0
    while todo:
        part = todo.pop()
        count += 1
        if isinstance(part, dict):
            resource = referencing.jsonschema.DRAFT7.create_resource(part)
            todo.extend(sub.contents for sub in resource.subresources())

    assert count == len(linked.at)


def test_the_exact_uri_of_a_resource_comes_before_its_bare_name() -> None:
    resources = {"plugin": {"title": "by name"}, "https://a.example/plugin": {"title": "by URI"}}
    linked = link({"allOf": [{"$ref": "https://a.example/plugin"}]}, resources)
    assert linked.at[linked.references["/allOf/0"]]["title"] == "by URI"
