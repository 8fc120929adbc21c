"""Hover and definitions: what the schema says of a place, and where."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from tests.unit.lsp.opened import at_cursor, project_in, project_of
from widgetschema.catalog.store import bundled
from widgetschema.lsp.schema_places import definitions, hover, path_of
from widgetschema.platform.fetcher.cache import cache_root

SCHEMA = {
    "type": "object",
    "properties": {
        "size": {"enum": ["small", "big"], "title": "Size", "description": "How *large* it is.", "default": "big"},
        "more": {"oneOf": [{"type": "string"}, {"type": "number", "minimum": 1}]},
    },
}  # fmt: skip


def test_a_name_and_its_value_say_the_same(tmp_path: Path) -> None:
    project = project_of(tmp_path, SCHEMA)
    texts = []
    for text in ('{"si|ze": "small"}', '{"size": "sm|all"}', '{"size": "sm|'):
        document, offset = at_cursor(text, tmp_path / "a.json")
        found = hover(document, project, offset)
        assert found is not None
        assert found.start <= offset <= found.end
        texts.append(found.text)
    assert texts[0].split("\n\n") == [
        "Size",
        "How *large* it is.",
        'Default: "big"',
        'Allowed: string, one of "small", "big"',
        "Schema: thing.json#/properties/data/properties/size",
    ]
    assert texts[1:] == texts[:1] * 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "# c\nsi|ze: small"),
        ("a.yaml", "size: 'sm|all'"),
        ("a.yaml", "{size: |small}"),
        ("a.yaml", "x: a: b\nsize: sm|all"),  # not YAML
        ("a.yaml", "more: 1\n---\nsiz|e: small"),
        ("a.json5", "{/* c */ si|ze: 'small',}"),
        ("a.json5", "{size: |'small', more: [}"),
        ("a.jsonc", '{// c\n"size": "s|mall",}'),
        ("a.ndjson", '{"more": 1}\n{"si|ze": "small"}'),
    ],
)
def test_other_formats_say_the_same(name: str, text: str, tmp_path: Path) -> None:
    document, offset = at_cursor(text, tmp_path / name)
    project = project_of(tmp_path, SCHEMA)
    found = hover(document, project, offset)
    assert found is not None
    assert document.text[found.start : found.end].strip("'\"") in ("size", "small")
    assert found.text.endswith("Schema: thing.json#/properties/data/properties/size")
    assert len(definitions(document, project, offset)) == 1


def test_alternatives_are_all_said(tmp_path: Path) -> None:
    document, offset = at_cursor('{"more|": 3}', tmp_path / "a.json")
    found = hover(document, project_of(tmp_path, SCHEMA), offset)
    assert found is not None
    assert "Allowed: number, minimum 1" in found.text


def test_a_definition_is_a_place_in_a_file(tmp_path: Path) -> None:
    document, offset = at_cursor('{"size": "sm|all"}', tmp_path / "a.json")
    [place] = definitions(document, project_of(tmp_path, SCHEMA), offset)
    assert place.path == str(tmp_path / "schemas" / "thing.json")
    assert place.text[place.start : place.end] == '"size"'


def test_the_base_schema_is_another_file(tmp_path: Path) -> None:
    text = '{"type": "countdown", "id": "x", "da|ta": {}}'
    document, offset = at_cursor(text, tmp_path / "a.json")
    places = definitions(document, project_in(tmp_path), offset)
    assert [Path(one.path).name for one in places] == ["countdown.json", "plugin.json"]
    names = [json.loads(one.text[one.start : one.end]) for one in places]
    assert names == ["IPluginData", "data"]


def test_a_schema_that_changed_meanwhile_has_no_place(tmp_path: Path) -> None:
    document, offset = at_cursor('{"size": "sm|all"}', tmp_path / "a.json")
    project = project_of(tmp_path, SCHEMA)
    assert definitions(document, project, offset)
    (tmp_path / "schemas" / "thing.json").write_text('{"properties": ')
    assert definitions(document, project, offset) == []


def test_a_fetched_schema_is_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_CACHE_DIR", str(tmp_path))
    (Path(cache_root()) / "0-damaged").mkdir(parents=True)
    folder = Path(shutil.copytree(bundled().folder, Path(cache_root()) / "one"))
    address = "https://a.example"
    fetched = dataclasses.replace(
        bundled().provenance("plugin"), source=address, origin=f"{address}/plugin"
    )
    assert path_of(fetched) == str(folder / "plugin.json")
    assert path_of(dataclasses.replace(fetched, digest="0" * 64)) is None
    assert path_of(dataclasses.replace(fetched, id="missing")) is None
    monkeypatch.setenv("WIDGETSCHEMA_CACHE_DIR", "no absolute path")
    assert path_of(fetched) is None


def test_nothing_is_said_where_there_is_nothing(tmp_path: Path) -> None:
    project = project_of(tmp_path, SCHEMA)
    for text in ('{"size": |}', "|", '{"x": 1}\n|', "{|}", '{"size": {"no|thing": 1}}'):
        document, offset = at_cursor(text, tmp_path / "a.json")
        assert hover(document, project, offset) is None
        assert definitions(document, project, offset) == []
