"""Projects: the configuration as it is now, catalogs that are kept, and nothing from the network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.lsp.opened import create
from widgetschema.cli.common import catalog_for
from widgetschema.errors import ConfigurationError
from widgetschema.lsp.projects import Projects


@pytest.mark.parametrize(
    ("fetch", "expected"),
    [
        (None, None),
        ("auto", "offline"),
        ("refresh", "offline"),
        ("offline", "offline"),
        ("frozen", "frozen"),
    ],
)
def test_nothing_is_fetched(fetch: str | None, expected: str | None, tmp_path: Path) -> None:
    text = "" if fetch is None else f'fetch = "{fetch}"\n'
    (tmp_path / "widgetschema.toml").write_text(text)
    seen = []

    def record(configuration: Any) -> Any:
        seen.append(configuration.fetch)
        return create(configuration)

    assert Projects(record, {}).of_folder(str(tmp_path)).configuration.fetch == expected
    assert seen == [expected]


def test_the_configuration_is_as_it_is_now_and_a_catalog_is_kept(tmp_path: Path) -> None:
    projects = Projects(create, {})
    first = projects.of_folder(str(tmp_path))
    (tmp_path / "widgetschema.toml").write_text('[severities]\ntype = "off"\n')
    below = tmp_path / "below"
    below.mkdir()
    second = projects.of_folder(str(below))
    assert dict(second.configuration.severities) == {"type": "off"}
    assert second.catalog is first.catalog
    (tmp_path / "widgetschema.toml").write_text("formats = false\n")
    assert projects.of_folder(str(tmp_path)).catalog is not first.catalog
    (below / "widgetschema.toml").write_text("[")
    with pytest.raises(ConfigurationError):
        projects.of_folder(str(below), str(tmp_path))
    (tmp_path / "widgetschema.toml").write_text("[")
    with pytest.raises(ConfigurationError):
        projects.of_folder(str(tmp_path))


def test_catalogs_are_bounded(tmp_path: Path) -> None:
    made: list[Any] = []

    def record(configuration: Any) -> Any:
        made.append(configuration)
        return create(configuration)

    projects = Projects(record, {})
    for number in range(20):
        folder = tmp_path / str(number)
        (folder / "schemas").mkdir(parents=True)
        (folder / "schemas" / "thing.json").write_text('{"properties": {"data": {}}}')
        projects.of_folder(str(folder))
    assert len(made) == 20
    projects.of_folder(str(tmp_path / "19"))
    assert len(made) == 20
    projects.of_folder(str(tmp_path / "0"))
    assert len(made) == 21


def test_the_baseline_is_read_again_when_it_changes(tmp_path: Path) -> None:
    (tmp_path / "widgetschema.toml").write_text("")
    projects = Projects(create, {})
    assert projects.of_folder(str(tmp_path)).baseline is None
    for findings in (0, 1):
        entry = {"file": "a.json", "fingerprint": "0" * 16, "keyword": "type", "path": ""}
        text = json.dumps({"version": 1, "findings": [entry] * findings}, indent=2)
        (tmp_path / "widgetschema-baseline.json").write_text(text)
        baseline = projects.of_folder(str(tmp_path)).baseline
        assert baseline is not None
        assert len(baseline) == findings
        assert projects.of_folder(str(tmp_path)).baseline is baseline


def test_a_named_schema_is_read_again_when_it_changes(tmp_path: Path) -> None:
    (tmp_path / "widgetschema.toml").write_text('[data-schemas]\nnote = "note.schema.yaml"\n')
    (tmp_path / "note.schema.yaml").write_text("type: object\n")
    projects = Projects(catalog_for, {})
    assert projects.of_folder(str(tmp_path)).catalog["note"].is_valid({})
    (tmp_path / "note.schema.yaml").write_text("type: array\n")
    projects.refresh()
    assert not projects.of_folder(str(tmp_path)).catalog["note"].is_valid({})
