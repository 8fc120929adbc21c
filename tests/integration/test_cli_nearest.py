"""Configurations of a run and of its files: nearest first, up to the root of the repository."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.command import BAD, GOOD, run
from widgetschema.project.config import Configurations, load
from widgetschema.project.config.settings import SETTINGS

Capture = pytest.CaptureFixture[str]
MAP = '[files]\n"*.json" = "countdown"\n'
FAQ = b'{"$id": "faq", "properties": {"data": {"required": ["question"]}}}'
OFF = '[severities]\ntype = "off"\n'


def write(folder: Path, files: dict[str, bytes | str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def repository(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q"], check=True, cwd=folder)


@pytest.fixture
def monorepo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a configuration for all, and two of packages."""
    folder = tmp_path / "mono"
    repository(folder)
    write(
        folder,
        {
            "widgetschema.toml": f"{OFF}[files]\n'site/*.json' = 'countdown'\n",
            "site/a.json": BAD,
            "packages/shop/pyproject.toml": "[tool.widgetschema.files]\n'w/*.json' = 'countdown'\n",
            "packages/shop/w/b.json": BAD,
            "packages/help/widgetschema.toml": "schemas = 'types'\n[files]\n'w/*' = 'faq'\n",
            "packages/help/types/faq.json": FAQ,
            "packages/help/w/c.json": b'{"answer": ""}',
            "packages/help/w/sub/pyproject.toml": "[project]\nname = 'x'\n",
            "packages/plain/d.json": b'{"name": "not a widget"}',
        },
    )
    monkeypatch.chdir(folder)
    return folder


def findings(capsys: Capture, *arguments: str | Path) -> dict[str, list[str]]:
    """Return the keywords of the findings about each file."""
    result = run(capsys, "validate", "--format", "json", *arguments)
    value: dict[str, Any] = json.loads(result.out)
    return {
        one["file"]: [finding["keyword"] for finding in one["findings"]]
        for one in value["documents"]
    }


SHOP, HELP = "packages/shop/w/b.json", "packages/help/w/c.json"


def test_each_file_has_the_nearest_configuration(monorepo: Path, capsys: Capture) -> None:
    expected = {HELP: ["required"], SHOP: ["type"]}  # in site, that is turned off

    assert findings(capsys) == expected
    assert findings(capsys, ".") == expected
    assert findings(capsys, "**/*.json") == expected
    assert findings(capsys, SHOP, HELP, "site/a.json") == expected
    assert findings(capsys, "--jobs", "2") == expected
    assert findings(capsys, "--changed") == expected


def test_the_working_directory_does_not_matter(
    monorepo: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(monorepo / "packages" / "shop")
    assert findings(capsys) == {"w/b.json": ["type"]}
    assert findings(capsys, "../help") == {"../help/w/c.json": ["required"]}
    assert "1 valid" in run(capsys, "validate", "../../site/a.json").err
    monkeypatch.chdir("/")
    absolute = findings(capsys, monorepo)
    assert absolute == {str(monorepo / HELP): ["required"], str(monorepo / SHOP): ["type"]}
    assert findings(capsys, monorepo / SHOP) == {str(monorepo / SHOP): ["type"]}


def test_a_pattern_for_files_of_another_configuration_says_so(
    monorepo: Path, capsys: Capture
) -> None:
    pattern = "packages/shop/w/*.json"
    write(monorepo, {"widgetschema.toml": f"[files]\n'{pattern}' = 'countdown'\n"})

    result = run(capsys, "validate")

    assert (
        f"the pattern '{pattern}' matches only files that have another configuration, such as "
        "packages/shop/w/b.json: packages/shop/pyproject.toml\n"
    ) in result.err


def test_a_named_configuration_is_that_of_all_files(
    monorepo: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("--type", "countdown", SHOP, "site/a.json")
    assert findings(capsys, *arguments) == {SHOP: ["type"]}
    assert findings(capsys, "--config", "widgetschema.toml", *arguments) == {}
    assert findings(capsys, "--no-config", *arguments) == {SHOP: ["type"], "site/a.json": ["type"]}
    monkeypatch.setenv("WIDGETSCHEMA_CONFIG", "widgetschema.toml")
    assert findings(capsys, *arguments) == {}


def test_ignores_of_a_nested_configuration(monorepo: Path, capsys: Capture) -> None:
    path = monorepo / "packages" / "shop" / "pyproject.toml"
    ignore = "[[tool.widgetschema.ignores]]\npath = 'w/b.json'\nreason = 'old'\n"
    path.write_text(ignore + path.read_text())
    assert findings(capsys) == {HELP: ["required"]}
    assert "1 finding ignored" in run(capsys, "validate").err

    path.write_text(path.read_text().replace("w/b.json", "w/other.json"))
    result = run(capsys, "validate")
    assert "packages/shop/pyproject.toml:1:1: ignore.unused" in result.out


def test_options_hold_for_all_files_and_a_setting_of_the_run_only_there(
    monorepo: Path, capsys: Capture
) -> None:
    nested = monorepo / "packages" / "help" / "widgetschema.toml"
    nested.write_text(f"jobs = 1\nreporters = ['json=x.json']\n{nested.read_text()}")

    result = run(capsys, "validate")

    place = "packages/help/widgetschema.toml"
    for line, name in enumerate(("jobs", "reporters"), 1):
        assert (
            f"{place}:{line}: {name} has no effect here: it is a setting of the run, whose "
            "configuration is widgetschema.toml\n"
        ) in result.err
    assert not (nested.parent / "x.json").exists()
    assert "has no effect" not in run(capsys, "validate", SHOP).err
    write(monorepo, {"other/zoo.json": b'{"$id": "zoo"}'})
    unknown = run(capsys, "validate", "--schemas", "other", HELP)
    assert "unknown widget type 'faq'" in unknown.err


def test_a_baseline_of_the_run_has_all_findings(monorepo: Path, capsys: Capture) -> None:
    assert run(capsys, "validate", "--write-baseline").code == 0
    assert findings(capsys) == {}
    assert (monorepo / "widgetschema-baseline.json").is_file()
    assert run(capsys, "validate").code == 0


def test_fixes_use_the_schemas_of_each_file(monorepo: Path, capsys: Capture) -> None:
    write(monorepo, {SHOP: GOOD.replace(b'"styles": {}', b'"styles": {"fontID": "x"}')})

    result = run(capsys, "validate", "--fix")

    assert b'"fontId"' in (monorepo / SHOP).read_bytes()
    assert result.code == 1
    assert "1 finding fixed" in result.err


def test_a_broken_configuration_stops_only_its_own_files(monorepo: Path, capsys: Capture) -> None:
    write(monorepo, {"packages/help/widgetschema.toml": "file = 1\n"})

    result = run(capsys, "validate")

    assert result.code == 2
    assert "packages/help/widgetschema.toml" in result.err
    assert 'did you mean "files"?' in result.err
    assert SHOP in result.out
    assert HELP not in result.out


def test_a_repository_in_another_neither_silences_nor_is_silenced(
    monorepo: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = monorepo / "vendor" / "inner"
    repository(inner)
    document = b'{"type": "countdown", "id": "1", "data": %s}' % BAD
    write(inner, {"x.json": document})
    write(monorepo, {"y.json": document})

    assert findings(capsys) == {
        HELP: ["required"],
        SHOP: ["type"],
        "vendor/inner/x.json": ["type"],
    }
    write(inner, {"widgetschema.toml": OFF})
    write(monorepo, {"widgetschema.toml": MAP})
    assert findings(capsys, "y.json", inner) == {"y.json": ["type"]}
    monkeypatch.chdir(inner)
    assert findings(capsys, "../../y.json", "x.json") == {"../../y.json": ["type"]}


def test_without_a_configuration_there_is_none_to_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path / "one")
    repository(tmp_path / "two")
    (tmp_path / "one" / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "one")
    run = load(str(tmp_path / "one"), {})
    nearest = Configurations(run, {})

    assert nearest.for_file("-") is run
    assert nearest.for_file("a.json") is run
    assert nearest.for_file("sub/../sub/a.json") is run
    other = nearest.for_file("../two/a.json")
    assert (other.file, other.folder) == (None, str(tmp_path / "two"))
    assert nearest.for_file(str(tmp_path / "two" / "deep" / "b.json")) is other
    assert nearest.all == [run, other]


def test_every_setting_says_what_it_belongs_to() -> None:
    of_run = [one.name for one in SETTINGS.values() if one.scope == "run"]

    assert of_run == "base-url auth-url fetch deadline engine reporters baseline jobs".split()


def test_show_config(monorepo: Path, capsys: Capture) -> None:
    shown = run(capsys, "validate", "--show-config", HELP, "--no-formats")
    assert shown.code == 0
    for line in (
        f"File: {HELP}",
        "Type: faq, unless the document names another",
        "Configuration: packages/help/widgetschema.toml",
    ):
        assert f"{line}\n" in shown.out
    lines = [line.split() for line in shown.out.splitlines()]
    assert ["formats", "option", "(--no-formats)", "false"] in lines
    assert ["schemas", "packages/help/widgetschema.toml:1", "packages/help/types"] in lines

    other = run(capsys, "config", "packages/plain/d.json")
    assert "Type: the document has to name it; no pattern maps the file\n" in other.out
    assert "Configuration: widgetschema.toml\n" in other.out
    value = json.loads(run(capsys, "config", SHOP, "--format", "json").out)
    assert value["about"] == {
        "file": SHOP,
        "type": "countdown",
        "mapped": "w/*.json",
        "excluded": None,
    }
    write(monorepo, {"packages/help/widgetschema.toml": "file = 1\n"})
    assert run(capsys, "validate", "--show-config", HELP).code == 2


def test_doctor_counts_what_all_of_them_map(monorepo: Path, capsys: Capture) -> None:
    (monorepo / "widgetschema.toml").unlink()

    assert re.search(r"mapped +2 files", run(capsys, "doctor").out)


def test_exit_zero_and_statistics(monorepo: Path, capsys: Capture) -> None:
    result = run(capsys, "validate", "--exit-zero", "--statistics")

    assert result.code == 0
    assert "1  required\n1  type\n" in result.err
    assert run(capsys, "validate", "--exit-zero", "missing.json").code == 3
    assert run(capsys, "validate", "--exit-zero", "--type", "none", SHOP).code == 2


NOTE = '{"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}'
NOTES = "[data-schemas]\nnote = '{}'\n[files]\n'data/*.json' = 'note'\n"
SERVICE, INNER, WEB = "svc/data/a.json", "svc/inner/data/b.json", "web/[slug]/c.json"


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository without a configuration of its own; two of three packages share a schema."""
    folder = tmp_path / "services"
    repository(folder)
    write(
        folder,
        {
            "package.json": b'{"name": "not a widget"}',
            "pyproject.toml": "[project]\nname = 'x'\n",
            "shared/note.json": NOTE[:-1] + ', "allOf": [{"$ref": "defs/any.json#"}]}',
            "shared/defs/any.json": "{}",
            "svc/widgetschema.toml": f"schemas = 'schemas'\n{NOTES.format('../shared/note.json')}",
            "svc/schemas/faq.json": FAQ,
            "svc/data/a.json": b"{}",
            "svc/other.json": b"{}",
            "svc/inner/widgetschema.toml": f"schemas = 'own'\n{NOTES.format('note.json')}",
            "svc/inner/own/faq.json": FAQ,
            "svc/inner/note.json": NOTE,
            "svc/inner/data/b.json": b"{}",
            "web/pyproject.toml": (
                "[tool.widgetschema]\nfiles = {'[slug]/*.json' = 'note'}\n"
                "data-schemas = {note = '../shared/note.json'}\n"
            ),
            "web/[slug]/c.json": b"{}",
            "web/s/d.json": b"{}",
        },
    )
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("committed", "checked"),
    [
        (["svc/widgetschema.toml"], [SERVICE]),
        (["svc/widgetschema.toml", "package.json"], [SERVICE]),
        (["svc/schemas/faq.json"], [SERVICE]),
        (["svc/schemas/deleted.json"], [SERVICE]),
        (["svc/schemas/manifest.json"], [SERVICE]),
        (["shared/note.json"], [SERVICE, WEB]),
        (["shared/defs/any.json"], [SERVICE, WEB]),
        (["svc/inner/note.json"], [INNER]),
        (["svc/inner/own/faq.json"], [INNER]),
        (["svc/inner/widgetschema.toml"], [INNER]),
        (["web/pyproject.toml"], [WEB]),
        (["web/pyproject.toml", "svc/widgetschema.toml"], [SERVICE, WEB]),
        (["web/pyproject.toml", INNER], [INNER, WEB]),
        (["svc/widgetschema.toml", SERVICE], [SERVICE]),
        ([WEB], [WEB]),
        (["package.json", "pyproject.toml"], []),
        (["svc/other.json", "web/s/d.json"], []),
    ],
    ids=lambda names: " ".join(names),
)
def test_a_commit_of_what_decides_checks_what_it_decides_about(
    services: Path, capsys: Capture, committed: list[str], checked: list[str]
) -> None:
    found = findings(capsys, "--force-exclude", "--", *committed)
    assert found == {name: ["required"] for name in sorted(checked)}


def test_a_deleted_configuration_leaves_its_files_to_the_one_above(
    services: Path, capsys: Capture
) -> None:
    inner = services / "svc/inner"
    (inner / "widgetschema.toml").unlink()
    file = services / "svc/widgetschema.toml"
    file.write_text(file.read_text().replace("data/*", "**/data/*"))
    found = findings(capsys, "--force-exclude", "--", "svc/inner/widgetschema.toml")
    assert found == {INNER: ["required"]}


def test_the_configuration_of_the_run_decides_about_all(services: Path, capsys: Capture) -> None:
    write(services, {"widgetschema.toml": "[severities]\ntype = 'warning'\n"})
    found = findings(capsys, "--force-exclude", "--", "widgetschema.toml")
    assert found == {name: ["required"] for name in (SERVICE, INNER, WEB)}
