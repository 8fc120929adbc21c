"""`widgetschema types`, `widgetschema bundle`, and the command as a whole: help, version."""

from __future__ import annotations

import json
import os
import pickle
import re
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import jsonschema
import jsonschema_rs
import pytest

from tests.command import INPUTS, SIX_MISTAKES, STORES, VALID, run
from widgetschema import Catalog, WidgetType, errors
from widgetschema.catalog.store import Store
from widgetschema.cli.main import cli
from widgetschema.findings import Report
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.reporters.style import columns

Capture = pytest.CaptureFixture[str]
EVENT = (STORES / "good" / "event.json").read_bytes()
LINT = "widgetschema: event: $ref /properties/data/$ref: draft-07 ignores everything beside $ref"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder with one schema, and no manifest yet."""
    (tmp_path / "event.json").write_bytes(EVENT)
    return tmp_path


# types


def test_types_in_text(capsys: Capture) -> None:
    result = run(capsys, "types", "--schemas", STORES / "good")

    header, event, countdown = (line.split() for line in result.out.splitlines())
    assert result.code == 0
    assert header == ["ID", "TITLE", "DESCRIBES", "SOURCE", "DIGEST"]
    assert event[:4] == ["event", "Event", "document", os.path.relpath(STORES / "good")]
    assert countdown[:4] == ["countdown", "-", "document", "bundled"]
    assert result.err.startswith(LINT)


def test_types_in_json(capsys: Capture) -> None:
    result = run(capsys, "types", "--schemas", STORES / "good", "--format", "json")

    value = json.loads(result.out)
    digests = [(one.pop("digest"), one.pop("linked_digest")) for one in value["types"]]
    about = {"describes": "document", "source": str(STORES / "good")}
    assert value == {
        "version": 1,
        "types": [
            {"id": "event", "title": "Event", **about, "unpinned": True},
            {"id": "countdown", "title": None, "describes": "document", "source": "bundled"},
        ],
    }
    linked = WidgetType.from_schema(json.loads(EVENT))
    assert digests[0] == (sha256(EVENT).hexdigest(), linked.linked_digest)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for pair in digests for digest in pair)


def test_a_digest_is_that_of_the_schema_file_everywhere(capsys: Capture, store: Path) -> None:
    digest = sha256(EVENT).hexdigest()

    table = run(capsys, "types", "--schemas", store, "--pin").out
    options = ("--type", "event", "--schemas", store, "--format", "json")
    report = json.loads(run(capsys, "validate", *options, VALID).out)
    pinned = json.loads((store / "manifest.json").read_bytes())["schemas"]["event"]["sha256"]
    event = Catalog([Store(store)])["event"]

    assert table.splitlines()[1].split()[-1] == digest[:12]
    assert report["schemas"][0]["digest"] == pinned == event.digest == digest
    assert pickle.loads(pickle.dumps(event)).digest == digest


def test_one_bad_schema_does_not_hide_the_others(capsys: Capture, store: Path) -> None:
    for broken in ("unresolvable/orphan.json", "meta/typo.json"):
        (store / Path(broken).name).write_bytes((STORES / broken).read_bytes())

    result = run(capsys, "types", "--schemas", store)

    assert result.code == 4
    assert [line.split()[0] for line in result.out.splitlines()] == ["ID", "event", "countdown"]
    assert "the schema of widget type 'orphan' cannot be used" in result.err
    assert "the schema of widget type 'typo' cannot be used" in result.err


def test_titles_are_shown_safely_and_in_columns(capsys: Capture, store: Path) -> None:
    for id, title in {"a": "日本語", "b\x1b[31m": "\x1b[31mred\u202e\n", "c": "e\u0301"}.items():
        schema = json.dumps({"$id": id, "title": title})
        (store / f"{ord(id[0])}.json").write_text(schema, encoding="utf-8")

    result = run(capsys, "types", "--schemas", store)

    rows = result.out.split("\n")[:-1]
    assert all(row.isprintable() for row in rows)
    assert {columns(row.partition(str(store))[0]) for row in rows if str(store) in row} == {
        rows[0].index("SOURCE")
    }


def test_pin_writes_the_manifest_that_is_then_checked(capsys: Capture, store: Path) -> None:
    pin = ("types", "--schemas", store, "--pin")
    check = ("validate", "--schemas", store, "--type", "event", INPUTS / "formats.json")

    pinned = run(capsys, *pin)
    assert pinned.code == 0
    assert pinned.err.startswith(f"widgetschema: wrote {store / 'manifest.json'}\n")
    assert run(capsys, *check).code == 1

    (store / "event.json").write_bytes(EVENT.replace(b'"minimum": 0', b'"minimum": 1'))
    changed = run(capsys, *check)
    assert changed.code == 4
    assert f"widgetschema types --schemas {store} --pin" in changed.err

    assert run(capsys, *pin).code == 0
    assert run(capsys, *check).code == 1


def test_a_manifest_that_cannot_be_written_is_one_line(capsys: Capture, store: Path) -> None:
    (store / "manifest.json").symlink_to("missing/manifest.json")

    result = run(capsys, "types", "--schemas", store, "--pin")

    assert result.code == 3
    assert result.err == (
        f"widgetschema: {store}: manifest.json cannot be written: no such file or directory\n"
    )


# bundle


def bundle(capsys: Capture, id: str, schemas: Path | None = None) -> Any:
    arguments = [] if schemas is None else ["--schemas", str(schemas)]
    result = run(capsys, "bundle", id, *arguments)
    assert result.code == 0
    return json.loads(result.out)


@pytest.mark.parametrize(
    ("document", "valid"),
    [
        ({"id": "1", "data": {"content": {}, "settings": {}, "styles": {}}}, True),
        ({"id": "1"}, True),  # the platform's list has such records
        ({"data": {"content": {}, "settings": {}}}, False),
        ({"data": {"content": {}, "settings": {}, "styles": {"layout": "layout-7"}}}, False),
        ({"data": []}, False),
        ([], False),
    ],
    ids=json.dumps,
)
def test_a_bundle_works_alone_in_other_validators(
    document: Any, valid: bool, capsys: Capture
) -> None:
    schema = bundle(capsys, "countdown")

    jsonschema.Draft7Validator.check_schema(schema)
    assert jsonschema.Draft7Validator(schema).is_valid(document) is valid
    assert jsonschema_rs.Draft7Validator(schema).is_valid(document) is valid


def test_other_validators_find_the_same_six_mistakes(capsys: Capture) -> None:
    data = json.loads(SIX_MISTAKES.read_bytes())
    result = run(capsys, "validate", "--format", "json", "--type", "countdown", SIX_MISTAKES)

    theirs = jsonschema.Draft7Validator(bundle(capsys, "countdown")).iter_errors({"data": data})
    ours = json.loads(result.out)["documents"][0]["findings"]

    keywords = {(error.validator, len(list(error.absolute_path))) for error in theirs}
    for finding in ours:
        depth = finding["path"].count("/") + (finding["keyword"] != "additionalProperties")
        assert (finding["keyword"], depth) in keywords


def test_a_bundle_keeps_the_order_of_the_schema(capsys: Capture) -> None:
    schema = bundle(capsys, "event", STORES / "good")

    assert list(schema) == ["$comment", *json.loads(EVENT)]
    assert list(schema["definitions"]) == ["Data", "plugin"]
    properties = schema["definitions"]["Data"]["properties"]
    assert list(properties) == ["title", "starts", "code", "seats"]


@pytest.mark.parametrize("schema", [True, False])
def test_the_bundle_of_a_boolean_schema_is_recognized_too(
    capsys: Capture, tmp_path: Path, *, schema: bool
) -> None:
    (tmp_path / "any.json").write_text(json.dumps(schema))
    output = tmp_path.parent / f"{schema}.json"

    for _ in range(2):
        found = run(capsys, "bundle", "any", "--schemas", tmp_path, "--output", output)
        assert found.code == 0
    written = json.loads(output.read_bytes())
    assert jsonschema.Draft7Validator(written).is_valid({"id": "1"}) is schema


def test_a_bundle_goes_to_a_file_and_lints_to_stderr(capsys: Capture, tmp_path: Path) -> None:
    arguments = ["bundle", "event", "--schemas", str(STORES / "good")]
    target = tmp_path / "event.schema.json"

    shown = run(capsys, *arguments)
    filed = run(capsys, *arguments, "--output", target)

    assert (filed.code, filed.out) == (0, "")
    assert target.read_text(encoding="utf-8") == shown.out
    assert shown.err == filed.err
    assert shown.err.startswith(LINT)


@pytest.mark.parametrize(
    ("id", "schemas", "code", "said"),
    [
        ("countdwn", None, 2, "did you mean 'countdown'?"),
        ("plugin", None, 2, "unknown widget type 'plugin' (known: 'countdown')"),
        ("\x1b[31m", None, 2, r"unknown widget type '\x1b[31m'"),
        ("orphan", "unresolvable", 4, "nearest that exist: 'plugin'"),
        ("odd", "pattern", 4, "/properties/data/properties/code/pattern"),
        ("event", "changed", 4, "has changed"),
    ],
)
def test_what_cannot_be_bundled(
    id: str, schemas: str | None, code: int, said: str, capsys: Capture
) -> None:
    arguments = ["--schemas", str(STORES / schemas)] if schemas else []

    result = run(capsys, "bundle", id, *arguments)

    assert (result.code, result.out) == (code, "")
    assert said in result.err


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("command", ["bundle", "validate", "sample", "form"])
def test_a_schema_that_multiplies_is_refused(
    command: str, engine: str, capsys: Capture, tmp_path: Path
) -> None:
    twice = [{"allOf": [{"$ref": f"#/definitions/l{n}"}] * 2} for n in range(1, 31)]
    definitions = {f"l{n}": schema for n, schema in enumerate([*twice, {}])}
    data = {"$ref": "#/definitions/l0"}
    schema = {"$id": "bomb", "properties": {"data": data}, "definitions": definitions}
    (tmp_path / "bomb.json").write_text(json.dumps(schema))
    (tmp_path / "data.json").write_text("{}")
    file = str(tmp_path / "data.json")
    arguments = {
        "bundle": ["bomb"],
        "validate": ["--type", "bomb", "--engine", engine, file],
        "sample": ["bomb"],
        "form": ["bomb", file],
    }[command]

    result = run(capsys, command, *arguments, "--schemas", str(tmp_path))

    assert result.code == 4
    assert "more than 50,000 schemas apply to a single value" in result.out + result.err


# The command as a whole


def test_version(capsys: Capture) -> None:
    result = run(capsys, "--version")

    assert (result.code, result.out) == (0, f"widgetschema {version('widgetschema')}\n")


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("name", ["", "bundle", "types", "validate"])
def test_help_names_every_option_and_argument(name: str, flag: str, capsys: Capture) -> None:
    result = run(capsys, *name.split(), flag)

    context = click.Context(cli)
    command = cli.get_command(context, name) if name else cli
    assert command is not None
    assert (result.code, result.err) == (0, "")
    assert command.help is not None
    assert command.help.split("\n")[0] in " ".join(result.out.split())
    for parameter in command.params:
        assert (parameter.metavar or max(parameter.opts, key=len)) in result.out
    if not name:
        assert re.findall(r"^  (\w+)  +\w", result.out, re.MULTILINE) == cli.list_commands(context)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "Usage: widgetschema [OPTIONS] COMMAND"),
        ("validat", "No such command 'validat'. Did you mean 'validate'?"),
        ("Types", "Did you mean 'types'?"),
        (
            "frobnicate",
            "No such command 'frobnicate'. (Commands: audit, bundle, completion, config, diff,",
        ),
        ("--colour", "--colour"),
        ("-- --colour", "--colour"),
        ("validate --colour never x", "--color"),
        ("validate --as thing x", "'thing' is not one of 'data', 'document', 'auto'"),
        ("validate --max-findings -1 x", "-1 is not in the range x>=0"),
        ("validate --max-findings some x", "'some' is not a valid integer"),
        ("types --pin", "--pin requires --schemas DIR"),
        ("types x", "x"),
        ("bundle", "Missing argument 'ID'"),
    ],
)
def test_usage_errors(arguments: str, said: str, capsys: Capture) -> None:
    result = run(capsys, *arguments.split())

    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UnknownWidgetType("x", []), 2),
        (errors.EngineUnavailable("x", "why"), 2),
        (errors.UnknownLanguage("x", []), 2),
        (errors.InvalidTranslation("x.po", 1, "why"), 3),
        (errors.UnreadableDocument(Report()), 3),
        (errors.InvalidSchema(Report()), 4),
        (errors.UnsupportedDialect("x", "y"), 4),
        (errors.UnresolvableReference("x", "", "y", "z", "why"), 4),
        (errors.ReferenceLoop("x", ["/a"], "why"), 4),
        (errors.StoreError("x", "why"), 4),
        (errors.InvalidWidgetData(Report()), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_has_its_exit_code(error: errors.WidgetSchemaError, code: int) -> None:
    assert exit_code(error) == code


@pytest.mark.parametrize("arguments", ["types", "bundle countdown", f"validate {VALID}"])
def test_a_working_directory_that_is_gone(
    arguments: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    result = run(capsys, *arguments.split())

    assert result.code == 3
    assert result.err == "widgetschema: the working directory: no such file or directory\n"


@pytest.mark.parametrize("command", [["types"], ["validate", VALID], ["bundle", "countdown"]])
def test_a_name_that_the_system_refuses(command: list[str], capsys: Capture) -> None:
    result = run(capsys, *command, "--schemas", f"{'n' * 300}\x1b[31m")

    assert result.code == 3
    assert result.err == f"widgetschema: {'n' * 300}·[31m: no such folder of schemas\n"
