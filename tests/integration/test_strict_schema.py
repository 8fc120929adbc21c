"""Lints in every command that reads schemas; `--strict-schema` makes them errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import run
from widgetschema import Catalog, InvalidSchema
from widgetschema.sandbox import running

Capture = pytest.CaptureFixture[str]
SCHEMA = """\
{
  "$id": "faq",
  "properties": {
    "data": { "type": "object", "requird": ["title"] }
  }
}
"""
LINT = 'keyword.unknown /properties/data/requird: unknown keyword "requird", which has no effect'
PLACED = f'4:33 {LINT}\n    hint: did you mean "required"?'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a schema that has a lint."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    (folder / "schemas").mkdir()
    (folder / "schemas" / "faq.json").write_text(SCHEMA, encoding="utf-8")
    (folder / "data.schema.json").write_text('{"typ": "object"}', encoding="utf-8")
    (folder / "data.json").write_text("{}", encoding="utf-8")
    (folder / "data.ndjson").write_text("{}\n", encoding="utf-8")
    return folder


COMMANDS = [
    "validate data.json --type faq",
    "audit data.ndjson --type faq",
    "sample faq",
    "form faq --export html --output page.html",
    "bundle faq",
    "types",
    "diff countdown schemas/faq.json",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_lint_is_an_error(capsys: Capture, command: str) -> None:
    result = run(capsys, *command.split(), "--strict-schema")

    assert result.code == 4
    assert LINT in result.err
    if not command.startswith("diff"):
        assert PLACED in result.err


@pytest.mark.parametrize("command", COMMANDS[:-1])
def test_without_the_option_it_is_none(capsys: Capture, command: str) -> None:
    assert run(capsys, *command.split()).code == 0


@pytest.mark.parametrize("command", ["validate data.json", "sample", "audit data.ndjson"])
def test_schemas_of_data(capsys: Capture, command: str) -> None:
    option = ("--data-schema", "data.schema.json")

    assert run(capsys, *command.split(), *option).code == 0
    result = run(capsys, *command.split(), *option, "--strict-schema")
    assert result.code == 4
    assert "data.schema.json: 1 finding\n  1:2 keyword.unknown /typ: " in result.err


def test_results_are_not_taken_from_a_run_that_was_less_strict(capsys: Capture) -> None:
    for options, code in (((), 0), (("--strict-schema",), 4), ((), 0)):
        assert run(capsys, "validate", "data.json", "--type", "faq", *options).code == code


def test_the_configuration(capsys: Capture, project: Path) -> None:
    (project / "widgetschema.toml").write_text("strict-schema = true\n", encoding="utf-8")

    assert run(capsys, "types").code == 4
    assert run(capsys, "validate", "data.json", "--type", "faq").code == 4
    assert run(capsys, "validate", "data.json", "--type", "faq", "--no-config").code == 0


def test_types_and_doctor_report_lints(capsys: Capture) -> None:
    assert f"faq: {LINT}" in run(capsys, "types").err
    result = run(capsys, "doctor", "--offline")
    assert f"faq: {LINT}" in result.out


def test_pull(capsys: Capture, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clean = {"$id": "clean", "properties": {"data": {"type": "object"}}}
    with running({"faq": json.loads(SCHEMA), "clean": clean}) as sandbox:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", sandbox.base_url)
        monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", sandbox.access_token())
        ids = ("faq", "clean", "--schemas", "pulled")
        strict = run(capsys, "pull", *ids, "--strict-schema")
        assert (strict.code, (project / "pulled").exists()) == (4, False)
        assert LINT in strict.err
        assert run(capsys, "pull", *ids, "--strict-schema", "--check").code == 4

        some = run(capsys, "pull", *ids, "--strict-schema", "--keep-going")
        assert some.code == 4
        assert (project / "pulled" / "clean.json").exists()
        assert not (project / "pulled" / "faq.json").exists()

        result = run(capsys, "pull", *ids)
        assert result.code == 0
        assert f"faq: {LINT}" in result.err
        assert LINT not in run(capsys, "pull", *ids).err  # it is not new
        assert run(capsys, "pull", *ids, "--strict-schema").code == 4


def test_a_catalog() -> None:
    assert Catalog("schemas")["faq"].is_valid({})
    with pytest.raises(InvalidSchema) as caught:
        Catalog("schemas", strict=True)["faq"]
    [finding] = caught.value.report
    assert (finding.keyword, finding.line, finding.column) == ("keyword.unknown", 4, 33)
    with pytest.raises(InvalidSchema, match=r"keyword\.unknown /typ"):
        Catalog({"x": {"typ": "object", "properties": {"data": {}}}}, strict=True)["x"]
