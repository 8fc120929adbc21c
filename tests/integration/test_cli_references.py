"""Commands with schemas that refer to files beside them, or below."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from widgetschema import Validator
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.cli.pipeline.validation import validate

Capture = pytest.CaptureFixture[str]
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder of schemas and a schema of data, which refer to files."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    data = {"type": "object", "properties": {"a": {"$ref": "defs/b.json#/definitions/A"}}}
    write("schemas/note.json", {"properties": {"data": data}})
    write("own/memo.schema.json", data)
    for place in ("schemas", "own"):
        write(f"{place}/defs/b.json", {"definitions": {"A": {"$ref": "../common.schema.json"}}})
        write(f"{place}/common.schema.json", TEXT)
    write("good.json", {"a": "text"})
    return folder


def write(name: str, value: Any) -> None:
    """Write a JSON file."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


NAMED = [
    pytest.param(("--type", "note"), "schemas", id="folder"),
    pytest.param(("--data-schema", "own/memo.schema.json"), "own", id="file"),
]


@pytest.mark.parametrize(("named", "place"), NAMED)
@pytest.mark.parametrize("command", ["validate", "audit"])
def test_a_file_that_changes_is_noticed(
    capsys: Capture, command: str, named: tuple[str, ...], place: str
) -> None:
    for _ in range(2):  # also from the cache
        result = run(capsys, command, "good.json", *named)
        assert result.code == 0, result.err
        assert f"{place}/defs/b.json" in result.schemas
    write(f"{place}/common.schema.json", NUMBER)
    assert run(capsys, command, "good.json", *named).code == 1
    write(f"{place}/defs/b.json", {"definitions": {"A": TEXT}})
    assert run(capsys, command, "good.json", *named).code == 0
    Path(f"{place}/defs/b.json").unlink()
    result = run(capsys, command, "good.json", *named)

    assert result.code == 4
    assert f"{place}/defs/b.json: there is no such file" in result.err


@pytest.mark.parametrize(("named", "place"), NAMED)
def test_watching_checks_all_again_after_a_change_of_a_file(
    capsys: Capture, project: Path, named: tuple[str, ...], place: str
) -> None:
    Path("widgetschema.toml").write_text("", encoding="utf-8")

    def changes() -> Iterator[frozenset[str]]:
        for file in ("defs/b.json", "common.schema.json"):
            capsys.readouterr()
            write(f"{place}/{file}", {**NUMBER, "definitions": {"A": NUMBER}})
            yield frozenset([str(project / place / file)])
            assert "1 invalid (1 finding)" in capsys.readouterr().err
            write(f"{place}/{file}", {**TEXT, "definitions": {"A": TEXT}})
            yield frozenset([str(project / place / file)])
            assert "1 valid" in capsys.readouterr().err
            write(f"{place}/defs/b.json", {"definitions": {"A": {"$ref": "../common.schema.json"}}})

    option, value = named
    how: dict[str, Any] = {"type_id" if option == "--type" else "data_schema": value}

    assert validate(ValidateOptions(paths=("good.json",), watch=True, **how), changes()) == 0


def test_an_audit_goes_on_only_with_the_same_files(capsys: Capture) -> None:
    write("records.json", [{"type": "note", "data": {"a": "text"}}])
    for _ in range(2):
        assert run(capsys, "audit", "records.json", "--resume").code == 0
    write("schemas/defs/b.json", {"definitions": {"A": NUMBER}})

    assert run(capsys, "audit", "records.json", "--resume").code == 1


def test_a_bundle_is_self_contained(capsys: Capture) -> None:
    result = run(capsys, "bundle", "note")
    schema = json.loads(result.out)
    text = json.dumps(schema)

    assert result.code == 0
    assert "defs/b.json" not in text
    assert "common.schema.json" not in text
    assert Validator(schema).is_valid({"data": {"a": "text"}})
    assert not Validator(schema).is_valid({"data": {"a": 1}})


def test_pinned_files_are_verified(capsys: Capture) -> None:
    assert run(capsys, "types", "--schemas", "schemas", "--pin").code == 0
    assert "unpinned" not in run(capsys, "validate", "good.json", "--type", "note").schemas
    write("schemas/defs/b.json", {"definitions": {"A": NUMBER}})
    result = run(capsys, "validate", "good.json", "--type", "note")

    assert result.code == 4
    assert "schemas/defs/b.json: the file has changed since manifest.json was written" in result.err


def test_the_files_are_no_data(capsys: Capture) -> None:
    settings = 'files = {"own/**" = "memo"}\ndata-schemas = {memo = "own/memo.schema.json"}\n'
    Path("widgetschema.toml").write_text(settings, encoding="utf-8")
    write("own/bad.json", {"a": 1})
    result = run(capsys, "validate", "--format", "json", "own")

    assert [one["file"] for one in json.loads(result.out)["documents"]] == ["own/bad.json"]


@pytest.mark.parametrize(
    "operands",
    [
        ("old/memo.schema.json", "own/memo.schema.json"),
        ("--data-schema", "old/memo.schema.json", "--data-schema", "own/memo.schema.json"),
        ("old", "own", "--type", "memo"),
    ],
)
@pytest.mark.parametrize("command", [("diff",), ("migrate", "plan")])
def test_two_versions_that_differ_in_a_file(
    capsys: Capture, command: tuple[str, ...], operands: tuple[str, ...]
) -> None:
    data = {"properties": {"a": {"$ref": "defs/b.json"}}}
    documents = {"$id": "memo", "properties": {"data": data}}
    for place, a in (("old", TEXT), ("own", NUMBER)):
        write(f"{place}/memo.schema.json", documents)
        write(f"{place}/defs/b.json", a)
    result = run(capsys, *command, *operands)

    assert result.code == (1 if command == ("diff",) else 0), result.err
    assert "the type was string and is integer" in result.out


@pytest.mark.parametrize("command", ["sample", "form"])
def test_samples_and_forms(capsys: Capture, command: str) -> None:
    options = ("--seed", "3") if command == "sample" else ("--export", "rjsf")

    assert run(capsys, command, "note", *options).code == 0
    assert run(capsys, command, "--data-schema", "own/memo.schema.json", *options).code == 0


@pytest.mark.parametrize("reference", ["../out.json", "out/x.json", "/out.json"])
def test_files_outside_are_not_read(capsys: Capture, tmp_path: Path, reference: str) -> None:
    write(str(tmp_path / "out.json"), TEXT)
    write(str(tmp_path / "out" / "x.json"), TEXT)
    for place in ("schemas", "own"):
        Path(place, "out").symlink_to(tmp_path / "out")
    write("out.json", TEXT)
    data = {"properties": {"a": {"$ref": reference}}}
    write("schemas/note.json", {"properties": {"data": data}})
    write("own/memo.schema.json", data)
    for named in (("--type", "note"), ("--data-schema", "own/memo.schema.json")):
        result = run(capsys, "validate", "good.json", *named)

        assert result.code == 4
        assert f"cannot resolve $ref {reference!r}" in result.err
        assert "out of the folder" in result.err or "outside of the folder" in result.err


WRONG = {
    "type": ("minimun: 3\ntype: strng\n", "2:7 anyOf /type"),
    "pattern": ("minimun: 3\npattern: '(['\n", "2:10 format /pattern"),
    "lint": ("maximum: 3\nminimun: 3\n", "2:1 keyword.unknown /minimun"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize(("named", "place"), NAMED)
def test_an_error_in_a_file_beside_has_its_file_and_line(
    capsys: Capture, project: Path, named: tuple[str, ...], place: str, case: str
) -> None:
    text, said = WRONG[case]
    write(f"{place}/common.schema.json", {"definitions": {"A": {"$ref": "defs/wrong.yaml"}}})
    name = "note.json" if place == "schemas" else "memo.schema.json"
    items = {"$ref": "common.schema.json#/definitions/A"}
    write(f"{place}/{name}", {"type": "object", "additionalProperties": items})
    (project / place / "defs/wrong.yaml").write_text(text, encoding="utf-8")
    result = run(capsys, "validate", "--strict-schema", "good.json", *named)

    assert result.code == 4
    assert f"{project / place}/defs/wrong.yaml: 1 finding\n  {said}: " in result.err


def test_a_note_on_a_file_beside_has_the_places_of_that_file(capsys: Capture) -> None:
    write("schemas/common.schema.json", {"definitions": {"A": {"minimun": 3, "type": "string"}}})
    items = {"$ref": "common.schema.json#/definitions/A"}
    write("schemas/note.json", {"type": "object", "additionalProperties": items})
    result = run(capsys, "validate", "good.json", "--type", "note")

    assert result.code == 0
    assert "note: /definitions/A/minimun of schema 'common': unknown keyword" in result.err
