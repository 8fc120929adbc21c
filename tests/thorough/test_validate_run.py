"""`validate` with a configuration: which files, which types, which outputs, and what goes together."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread, main_thread
from xml.etree import ElementTree

import pytest

from tests.command import BAD, GOOD, Run, environment, run, run_process
from tests.terminal import HANG
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.cli.pipeline.validation import validate
from widgetschema.project.checking.results import MOST_IN_A_TEXT

Capture = pytest.CaptureFixture[str]
FAQ = b'{"$id": "faq", "properties": {"data": {"type": "object", "required": ["question"]}}}'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two types of widgets, a configuration, and files that are none of its business."""
    folder = tmp_path / "project"
    for name, content in {
        "widgetschema.toml": b'schemas = "types"\ninclude = ["documents/*.json"]\n'
        b'exclude = ["widgets/old"]\n[files]\n"widgets/**/*.json" = "countdown"\n'
        b'"widgets/faq/*.json" = "faq"\n',
        "types/faq.json": FAQ,
        "widgets/one.json": GOOD,
        "widgets/old/bad.json": BAD,
        "widgets/faq/question.json": b'{"question": "?"}',
        "documents/own.json": b'{"id": "1", "type": "faq", "data": {"question": "?"}}',
        "package.json": b'{"type": "module", "name": "x"}',
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    monkeypatch.chdir(folder)
    return folder


def types(capsys: Capture, *arguments: str) -> list[tuple[str, str, int]]:
    """Per document: file, type, number of findings."""
    result = run(capsys, "validate", "--format", "junit", *arguments)
    assert result.code in (0, 1), result.err
    cases = ElementTree.fromstring(result.out).iter("testcase")
    return [(one.attrib["name"], one.attrib["classname"], len(one)) for one in cases]


# Which files, and of which types


def test_without_arguments_all_that_is_mapped_is_checked(project: Path, capsys: Capture) -> None:
    found = types(capsys)

    assert [(file, kind) for file, kind, _ in found] == [
        ("documents/own.json", "faq"),
        ("widgets/faq/question.json", "faq"),
        ("widgets/one.json", "countdown"),
    ]


def test_what_is_excluded_can_be_named(project: Path, capsys: Capture) -> None:
    assert types(capsys, "widgets/old/bad.json") == [("widgets/old/bad.json", "countdown", 1)]
    assert "widgets/old/bad.json" not in [file for file, *_ in types(capsys, "widgets")]


@pytest.mark.parametrize(
    ("content", "arguments", "type_id"),
    [
        ("{DATA}", (), "countdown"),
        ("{DATA}", ("--type", "faq"), "faq"),
        ('{"id": "1", "type": "faq", "data": {DATA}}', (), "faq"),
        ('{"id": "1", "type": "faq", "data": {DATA}}', ("--type", "countdown"), "countdown"),
        ('{"$schema": "faq", "question": ""}', (), "faq"),
        ('{"$schema": "../types/faq.json", "question": ""}', (), "faq"),
        ('{"$schema": "..\\\\types\\\\faq.schema.json", "question": ""}', (), "faq"),
        ('{"$schema": "../types/by-hand.json", "question": ""}', (), "faq"),
        ('{"$schema": "https://x.example/nothing.json", "content": {}}', (), "countdown"),
        ('{"$schema": "https://x.example/types/faq.json", "content": {}}', (), "countdown"),
        ('{"$schema": "https://x.example/widget-types/faq/schema"}', (), "countdown"),
        ('{"$schema": "https://p.example/v1/widget-types/faq/schema/"}', (), "faq"),
        ('{"$schema": "https://p.example/v2/widget-types/faq/schema"}', (), "countdown"),
        ('{"$schema": "https://types.example/menu.json#", "question": ""}', (), "menu"),
        ('{"$schema": "//types.example/menu.json"}', (), "countdown"),
        ('{"$schema": "../../vendor/faq.json", "content": {}}', (), "countdown"),
        ('{"$schema": "../../vendor/copy/faq.json", "question": ""}', (), "faq"),
        ('{"$schema": "{FOLDER}/types/faq.json", "question": ""}', (), "faq"),
        ('{"$schema": "file://{FOLDER}/types/faq.json", "question": ""}', (), "faq"),
        ('{"$schema": "file://{FOLDER}/../vendor/faq.json"}', (), "countdown"),
        ('{"$schema": 5, "content": {}}', (), "countdown"),
        ('{"$schema": "faq", "id": "1", "type": "countdown", "data": {}}', (), "countdown"),
    ],
)
def test_which_type_a_document_is_of(
    content: str, arguments: tuple[str, ...], type_id: str, project: Path, capsys: Capture
) -> None:
    data = '{"content": {}, "settings": {}, "styles": {}}'
    for name, schema in {
        "types/menu.json": b'{"$id": "https://types.example/menu.json", "type": "object"}',
        "types/by-hand.json": FAQ,
        "../vendor/faq.json": b'{"type": "object"}',
        "../vendor/copy/faq.json": FAQ,
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(schema)
    origin = {"source": "https://p.example/v1", "fetched": "2026-01-01T00:00:00Z"}
    manifest = {
        id: {"file": f, "sha256": hashlib.sha256((project / "types" / f).read_bytes()).hexdigest()}
        for id, f in {"faq": "by-hand.json", "menu": "menu.json"}.items()
    }
    manifest["faq"] |= origin
    text = json.dumps({"version": 1, "schemas": manifest})
    (project / "types" / "manifest.json").write_text(text)
    file = project / "widgets" / "x.json"
    content = content.replace("{DATA}", data).replace("{FOLDER}", project.as_posix())
    file.write_text(content, encoding="utf-8")

    [(_, kind, _)] = types(capsys, *arguments, "widgets/x.json")

    assert kind == type_id


@pytest.mark.parametrize(
    ("comment", "type_id"),
    [
        ("# yaml-language-server: $schema=../types/faq.json", "faq"),
        ("# $schema: faq", "faq"),
        ("# $schema: https://x.example/none.json", "countdown"),
        ("# type: faq", "countdown"),
    ],
)
def test_a_comment_in_yaml_names_the_type(
    comment: str, type_id: str, project: Path, capsys: Capture
) -> None:
    config = project / "widgetschema.toml"
    config.write_text(f"{config.read_text()}'widgets/*.yaml' = 'countdown'\n", encoding="utf-8")
    (project / "widgets" / "x.yaml").write_text(f"{comment}\nquestion: x\n", encoding="utf-8")

    [(_, kind, _)] = types(capsys, "widgets/x.yaml")

    assert kind == type_id


def test_fixes_in_yaml_follow_the_comment(project: Path, capsys: Capture) -> None:
    integer = b'{"properties": {"data": {"properties": {"n": {"type": "integer"}}}}}'
    (project / "types" / "count.json").write_bytes(integer)
    file = project / "x.yaml"
    file.write_text("# $schema: types/count.json\nn: '3'\n", encoding="utf-8")

    run(capsys, "validate", "--fix", "x.yaml")

    assert file.read_text(encoding="utf-8") == "# $schema: types/count.json\nn: 3\n"


MISSPELT = b'{"properties": {"n": {"type": "integer", "maximun": 3}}}'


@pytest.mark.parametrize("quiet", [[], ["-q"]], ids=["said", "quiet"])
@pytest.mark.parametrize("command", ["validate", "audit"])
def test_a_warning_about_a_schema_is_no_summary(
    project: Path, capsys: Capture, command: str, quiet: list[str]
) -> None:
    (project / "n.json").write_bytes(MISSPELT)
    result = run(capsys, command, *quiet, "--data-schema", "n.json", "widgets/faq/question.json")
    assert 'did you mean "maximum"?' in result.err


def test_an_address_that_no_schema_has_is_named(project: Path, capsys: Capture) -> None:
    (project / "x.json").write_text('{"$schema": "https://design.example/v3/faq.json"}')

    result = run(capsys, "validate", "x.json")

    assert result.code == 2
    assert '"$schema", "https://design.example/v3/faq.json", is not a known schema' in result.err


def test_the_member_of_editors_is_no_mistake(project: Path, capsys: Capture) -> None:
    file = project / "widgets" / "x.json"
    file.write_bytes(GOOD.replace(b"{", b'{"$schema": "countdown", ', 1))
    assert types(capsys, "widgets/x.json") == [("widgets/x.json", "countdown", 0)]

    file.write_bytes(BAD.replace(b"{", b'{"$schema": "countdown", ', 1))
    assert types(capsys, "widgets/x.json") == [("widgets/x.json", "countdown", 1)]

    file.write_bytes(GOOD.replace(b"{", b'{"$schema": 7, ', 1))
    assert types(capsys, "widgets/x.json") == [("widgets/x.json", "countdown", 1)]


@pytest.mark.parametrize(
    ("named", "checked"),
    [
        (["package.json"], []),
        (["package.json", "widgets/one.json"], ["widgets/one.json"]),
        (["widgets/old/bad.json"], []),
        (["widgetschema.toml"], "all"),
        (["types/faq.json", "package.json"], "all"),
    ],
)
def test_only_what_is_mapped(
    named: list[str], checked: list[str] | str, project: Path, capsys: Capture
) -> None:
    found = [file for file, *_ in types(capsys, "--force-exclude", *named)]

    every = ["documents/own.json", "widgets/faq/question.json", "widgets/one.json"]
    assert found == (every if checked == "all" else checked)


def test_without_a_map_only_what_says_its_type(project: Path, capsys: Capture) -> None:
    (project / "broken.json").write_text("{", encoding="utf-8")
    (project / "unknown.json").write_text(
        '{"id": "1", "type": "fak", "data": {}}', encoding="utf-8"
    )

    result = run(
        capsys,
        *"validate --no-config --schemas types --force-exclude --format json".split(),
        *"package.json broken.json documents/own.json widgets/one.json unknown.json".split(),
    )

    value = json.loads(result.out)
    assert (value["summary"]["documents"], value["summary"]["files"]) == (2, 2)
    assert [one["file"] for one in value["documents"] if not one["valid"]] == ["unknown.json"]
    assert value["problems"] == []


# What the command writes itself


def test_a_baseline_that_a_shell_names_is_no_data(project: Path, capsys: Capture) -> None:
    (project / "widgets" / "one.json").write_bytes(BAD)
    run(capsys, "validate", "widgets/one.json", "--write-baseline")
    result = run(capsys, "validate", "widgets/one.json", "widgetschema-baseline.json")
    assert (result.code, result.out) == (0, "")
    assert "1 finding in the baseline" in result.err


def test_what_is_written_to_the_baseline_is_counted_and_not_shown(
    project: Path, capsys: Capture
) -> None:
    (project / "widgets" / "one.json").write_bytes(BAD)
    arguments = ("validate", "widgets/one.json", "--write-baseline")
    first = run(capsys, *arguments)
    assert (first.code, first.out) == (0, "")
    assert "1  type\n" in first.err
    assert "wrote widgetschema-baseline.json: 1 finding\n" in first.err

    report = json.loads(run(capsys, *arguments, "--format", "json").out)
    assert [one["keyword"] for one in report["documents"][0]["findings"]] == ["type"]

    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write('\n[severities]\ntype = "warning"\n')
    warned = run(capsys, *arguments)  # a baseline holds errors only
    assert "widgets/one.json:1:" in warned.out
    assert "wrote widgetschema-baseline.json: 0 findings" in warned.err


def test_selected_codes_with_a_baseline_and_fixes(project: Path, capsys: Capture) -> None:
    file = project / "widgets" / "one.json"
    file.write_bytes(BAD)
    arguments = ("validate", "widgets/one.json")
    left_out = run(capsys, *arguments, "--ignore", "type")
    assert (left_out.code, left_out.out) == (0, "")
    assert "1 finding ignored" in left_out.err
    assert run(capsys, *arguments, "--select", "enum,minimum").code == 0
    assert run(capsys, *arguments, "--select", "enum", "--select", "type").code == 1
    assert run(capsys, *arguments, "--ignore", "type", "--fix").code == 0
    assert file.read_bytes() == BAD

    run(capsys, *arguments, "--write-baseline")
    report = json.loads(run(capsys, *arguments, "--select", "enum", "--format", "json").out)
    assert (report["summary"]["known"], report["resolved"]) == (1, [])

    file.write_text("{", encoding="utf-8")  # cannot be read, so nothing of it was checked
    assert run(capsys, *arguments, "--select", "enum").code == 3


def test_a_base_schema_of_two_types_is_named_once(project: Path, capsys: Capture) -> None:
    (project / "types" / "faq.json").write_bytes(
        FAQ.replace(b"{", b'{"allOf": [{"$ref": "plugin"}], ', 1)
    )
    result = run(capsys, "validate", "--format", "json")
    ids = [one["id"] for one in json.loads(result.out)["schemas"]]
    assert sorted(ids) == ["countdown", "faq", "plugin"]


NO_MATCH = "no document was checked: no file matches what the configuration maps"


@pytest.mark.parametrize("options", [(), ("--quiet",), ("--changed",), ("--jobs=1",)])
def test_a_run_that_checks_no_document_fails(
    project: Path, capsys: Capture, options: tuple[str, ...]
) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    shutil.rmtree(project / "documents")
    (project / "widgets").rename(project / "gadgets")

    result = run(capsys, "validate", *options)
    allowed = run(capsys, "validate", "--allow-empty", *options)
    report = json.loads(run(capsys, "validate", "--format", "json", *options).out)

    assert result.code == report["summary"]["exit_code"] == 3
    assert f"widgetschema: widgetschema.toml: {NO_MATCH} (pass --allow-empty" in result.err
    assert report["problems"][0]["message"].startswith(NO_MATCH)
    assert (allowed.code, NO_MATCH in allowed.err) == (0, False)


@pytest.mark.parametrize(
    ("content", "name"),
    [(b"[]", "a.json"), (b"\n", "a.ndjson"), (b'{"docs": [], "total": 0}', "a.json")],
)
def test_files_without_documents_fail(
    project: Path, capsys: Capture, content: bytes, name: str
) -> None:
    (project / "empty").mkdir()
    (project / "empty" / name).write_bytes(content)

    result = run(capsys, "validate", "--as", "document", f"empty/{name}")
    with_others = run(capsys, "validate", "--as", "document", f"empty/{name}", "documents")

    assert result.code == 3
    assert (
        f"widgetschema: empty/{name}: no document was checked: there is none in 1 file"
        in result.err
    )
    assert with_others.code == 0


def test_a_baseline_is_not_written_anew_by_a_run_that_checked_nothing(
    project: Path, capsys: Capture
) -> None:
    (project / "widgets/one.json").write_bytes(BAD)
    assert run(capsys, "validate", "--write-baseline").code == 0
    before = (project / "widgetschema-baseline.json").read_bytes()
    shutil.rmtree(project / "documents")
    (project / "widgets").rename(project / "gadgets")

    result = run(capsys, "validate", "--write-baseline")

    assert (result.code, "the baseline was not written" in result.err) == (3, True)
    assert (project / "widgetschema-baseline.json").read_bytes() == before


def test_a_pattern_that_matches_no_file_is_named(project: Path, capsys: Capture) -> None:
    assert "no file matches" not in run(capsys, "validate").err

    (project / "documents").rename(project / "papers")

    result = run(capsys, "validate")
    assert (result.code, "no file matches the pattern 'documents/*.json'" in result.err) == (
        0,
        True,
    )


@pytest.mark.parametrize("link", ["widgets/more.json", "widgets/more"])
def test_a_mapped_link_out_of_the_folder_is_named(
    project: Path, capsys: Capture, link: str
) -> None:
    assert "not followed" not in run(capsys, "validate").err
    (project.parent / "more").mkdir()
    (project.parent / "more" / "bad.json").write_bytes(BAD)
    name = "more/bad.json" if link.endswith(".json") else "more"
    (project / link).symlink_to(project.parent / name)
    (project / "other.txt").symlink_to(project.parent / name)

    result = run(capsys, "validate")

    assert (result.code, result.out) == (0, "")
    assert f"not followed: 1 link out of the folder, such as {link}\n" in result.err


def test_skipped_files_beside_mapped_ones_are_named(project: Path, capsys: Capture) -> None:
    for name in ("x/a-1", "x/b-1", "y/c"):
        (project / f"{name}.json").parent.mkdir(exist_ok=True)
        (project / f"{name}.json").write_bytes(GOOD)
    (project / "widgetschema.toml").write_text('files = {"x/a-*.json" = "countdown"}')

    result = run(capsys, "validate", "x", "y")

    assert "2 files skipped: no widget type; 1 beside mapped files, such as x/b-1.json; list" in (
        result.err
    )


def test_nothing_to_check_for_a_good_reason_is_no_failure(project: Path, capsys: Capture) -> None:
    for command in ("init -q", "add --all", "-c user.name=x -c user.email=x commit -qm x"):
        subprocess.run(["git", *command.split()], check=True)

    unchanged = run(capsys, "validate", "--changed")
    others = run(capsys, "validate", "--force-exclude", "package.json")
    untyped = run(capsys, "validate", "--force-exclude", "--no-config", "package.json")
    assert (unchanged.code, others.code, untyped.code) == (0, 0, 0)
    assert "0 of 4 files have changed: nothing to check" in unchanged.err
    assert "1 file skipped: no widget type; list them with --show-skipped" in others.err

    # A hook that names other files only, because the folder was renamed, is no good reason.
    shutil.rmtree(project / "documents")
    (project / "widgets").rename(project / "gadgets")
    renamed = run(capsys, "validate", "--force-exclude", "gadgets/one.json")
    assert (renamed.code, NO_MATCH in renamed.err) == (3, True)


# What goes together


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--fix --diff", "--fix and --diff cannot be combined"),
        ("--watch --fix", "--watch and --fix cannot be combined"),
        ("--fix --write-baseline", "cannot be combined"),
        ("--select type --write-baseline", "cannot be combined"),
        ("--ignore type --write-baseline", "cannot be combined"),
        ("--select yaml.aliasses", 'unknown code "yaml.aliasses"; did you mean "yaml.aliases"?'),
        ("--select json", 'unknown code "json"; did you mean "json.syntax", '),
        ("--select tpye", "Invalid value for '--select': unknown code \"tpye\"; did you mean"),
        ("--ignore ,", "name at least one code of findings."),
        ("--baseline x --no-baseline", "cannot be combined"),
        ("--config widgetschema.toml --no-config", "cannot be combined"),
        ("--format text --format json", "Two formats cannot share standard output"),
        ("--format jsn", 'did you mean "json"?'),
        ("--format sarif=", "the file is missing"),
        ("--baseline nowhere.json", "nowhere.json"),
        ("--config nowhere.toml", "nowhere.toml"),
        ("--jobs -1", "-1"),
        ("--watch -", "cannot watch standard input"),
        ("--changed --output", "requires an argument"),
        ("--changed widgets", "write --changed -- widgets"),
        ("--no-config --changed widgets", "write --changed -- widgets"),
        ("widgets/one.json --output widgets/one.json", "cannot be written to"),
        ("--format json=types/faq.json", "cannot be written to"),
        ("--format text=widgetschema.toml", "cannot be written to"),
    ],
)
def test_usage(arguments: str, said: str, project: Path, capsys: Capture) -> None:
    result = run(capsys, "validate", *arguments.split())

    assert result.code in (2, 3), result.err
    assert said in result.err
    assert "Traceback" not in result.err


def test_formats_go_where_they_are_sent(project: Path, capsys: Capture) -> None:
    result = run(
        capsys,
        *"validate --format json --format sarif=a.sarif --format text --output b.txt".split(),
    )
    # The first format without a file takes --output.
    assert result.code == 0
    assert json.loads((project / "b.txt").read_text(encoding="utf-8"))["version"] == 1
    assert json.loads((project / "a.sarif").read_text(encoding="utf-8"))["runs"]


def test_a_file_that_cannot_be_written_is_said_and_the_others_are(
    project: Path, capsys: Capture
) -> None:
    result = run(
        capsys, *"validate --format sarif=no/where.sarif --format junit=x.xml --format text".split()
    )

    assert result.code == 3
    assert "no/where.sarif: cannot be written" in result.err
    assert (project / "x.xml").exists()


def test_annotations_in_a_workflow(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    result = run(capsys, "validate", "widgets/old/bad.json")

    assert "::error file=widgets/old/bad.json,line=1" in result.out


def test_a_summary_is_added_to_that_of_a_workflow(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = project / "summary.md"
    summary.write_text("# Before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    run(capsys, "validate", "--format", f"markdown={summary}")
    run(capsys, "validate", "--format", f"markdown={summary}")

    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# Before\n")
    assert len(text.split("3 documents")) == 3


def test_names_in_reports_begin_at_the_repository(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    monkeypatch.chdir(project / "widgets")

    result = run(capsys, "validate", "--format", "gitlab", "old/bad.json")

    [issue] = json.loads(result.out)
    assert issue["location"]["path"] == "widgets/old/bad.json"


@pytest.mark.parametrize(
    ("level", "code", "counts"),
    [
        ("warning", 0, (0, 1)),
        ("note", 0, (0, 1)),
        ("off", 0, (0, 0)),
        ("error", 1, (1, 0)),
    ],
)
def test_severities(
    level: str, code: int, counts: tuple[int, int], project: Path, capsys: Capture
) -> None:
    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write(f'[severities]\ntype = "{level}"\n')

    result = run(capsys, "validate", "--format", "json", "widgets/old/bad.json")

    summary = json.loads(result.out)["summary"]
    assert result.code == code
    assert (summary["findings"], summary["warnings"]) == counts


def test_an_ignore_is_counted_and_an_idle_one_is_a_finding(project: Path, capsys: Capture) -> None:
    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write(
            '[[ignores]]\npath = "widgets/one.json"\nkeyword = "type"\nreason = "old"\n'
            '[[ignores]]\nkeyword = "format"\nreason = "later"\nexpires = 2020-01-01\n'
        )
    (project / "widgets" / "one.json").write_bytes(BAD)

    first = json.loads(run(capsys, "validate", "--format", "json").out)
    assert first["summary"]["ignored"] == 1
    [document] = first["documents"]
    assert document["file"] == "widgetschema.toml"
    assert [(one["keyword"], one["line"]) for one in document["findings"]] == [
        ("ignore.expired", 11)
    ]

    (project / "widgets" / "one.json").write_bytes(GOOD)
    second = run(capsys, "validate")
    assert second.code == 1
    assert "widgetschema.toml:7:1: ignore.unused" in second.out
    assert "ignore.unused" not in run(capsys, "validate", "widgets/one.json").out


def test_a_run_that_does_not_begin_leaves_no_older_report(project: Path, capsys: Capture) -> None:
    (project / "broken").mkdir()
    (project / "broken" / "faq.json").write_text('{"$ref": "nowhere"}', encoding="utf-8")
    formats = [
        part for name in ("json", "sarif", "junit") for part in ("--format", f"{name}=r.{name}")
    ]
    run(capsys, "validate", *formats)

    result = run(capsys, "validate", *formats, "--schemas", "broken", "--type", "faq")

    assert result.code == 4
    [problem] = json.loads((project / "r.json").read_text(encoding="utf-8"))["problems"]
    assert problem["code"] == 4
    [one] = json.loads((project / "r.sarif").read_text(encoding="utf-8"))["runs"]
    assert one["results"][0]["message"]["text"].startswith(problem["message"][:40])
    assert len(list(ElementTree.parse(project / "r.junit").getroot().iter("error"))) == 1


def test_an_interrupted_run_writes_no_baseline(project: Path, capsys: Capture) -> None:
    # A schema problem is nobody's old mistake: no baseline can hold it.
    (project / "types" / "faq.json").write_text('{"$ref": "nowhere"}', encoding="utf-8")

    result = run(capsys, "validate", "--write-baseline")

    assert result.code == 4
    assert "wrote widgetschema-baseline.json" in result.err
    assert run(capsys, "validate").code == 4


def test_the_same_about_many_files_is_said_a_few_times(project: Path, capsys: Capture) -> None:
    (project / "widgetschema.toml").write_text('[files]\n"widgets/*" = "fak"\n', encoding="utf-8")
    for number in range(20):
        (project / "widgets" / f"{number}.json").write_bytes(GOOD)

    result = run(capsys, "validate", "--format", "json=all.json")

    assert result.code == 2
    assert result.err.count("unknown widget type 'fak'") == 4
    assert "18 more: unknown widget type 'fak'" in result.err
    problems = json.loads((project / "all.json").read_text(encoding="utf-8"))["problems"]
    assert len(problems) == 21


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ("{\n", "file=types/faq.json,line=2,endLine=2,col=1,endColumn=1"),
        ('{"type": "text"}', "file=types/faq.json,line=1,endLine=1,col=10,endColumn=10"),
        ('{"$ref": "nowhere"}', "file=types/faq.json"),
    ],
)
def test_a_broken_schema_is_one_problem_of_its_file(
    schema: str, place: str, project: Path, capsys: Capture
) -> None:
    (project / "types" / "faq.json").write_text(schema, encoding="utf-8")
    (project / "widgetschema.toml").write_text(
        'schemas = "types"\n[files]\n"widgets/*" = "faq"\n"good.json" = "countdown"\n',
        encoding="utf-8",
    )
    (project / "good.json").write_bytes(GOOD)
    for number in range(20):
        (project / "widgets" / f"{number}.json").write_bytes(GOOD)

    result = run(capsys, "validate", "--format", "github")

    assert result.code == 4
    [annotation] = [line for line in result.out.splitlines() if "::error" in line]
    assert annotation.startswith(f"::error {place},title=problem.schema::")
    assert "this schema cannot be used, which leaves 22 documents unchecked: " in annotation
    assert result.err.count("unchecked") == 1
    assert "1 document in 23 files: 1 valid; 1 problem" in result.err


@pytest.mark.parametrize(("limit", "said"), [(300, 0), (250, 1), (200, 1)])
def test_the_limit_of_depth_is_that_of_the_configuration(
    limit: int, said: int, project: Path, capsys: Capture
) -> None:
    (project / "types" / "free.json").write_text('{"$id": "free"}', encoding="utf-8")
    (project / "deep.json").write_text("[" * 260 + "]" * 260, encoding="utf-8")
    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write(f"[limits]\nmax-depth = {limit}\n")

    result = run(capsys, "validate", "--type", "free", "deep.json")

    assert result.out.count("json.depth") == said


def test_the_configuration_is_no_document(project: Path, capsys: Capture) -> None:
    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write('[[ignores]]\nkeyword = "format"\nreason = "x"\n')

    result = run(capsys, "validate")

    assert result.code == 1
    assert "3 documents in 3 files: 3 valid, 1 finding about the configuration" in result.err


def test_a_configuration_does_not_overwrite_what_it_maps(project: Path, capsys: Capture) -> None:
    text = (project / "widgetschema.toml").read_text(encoding="utf-8")
    (project / "widgetschema.toml").write_text(
        f'reporters = ["json=widgets/one.json"]\n{text}', encoding="utf-8"
    )

    result = run(capsys, "validate")

    assert result.code == 2
    assert "widgetschema.toml:1:14" in result.err or "1:14" in result.err
    assert "this file is one of the files that are checked" in result.err
    assert (project / "widgets" / "one.json").read_bytes() == GOOD


# Watching


def test_watching_without_the_library_says_so_at_once(project: Path) -> None:
    script = (
        "import sys; sys.modules['watchfiles'] = None\n"
        "from widgetschema.cli.main import main; sys.exit(main(['validate', '--watch']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        encoding="utf-8",
        cwd=project,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("widgetschema: --watch needs the library watchfiles")


def test_watching_tells_of_what_changed(project: Path, capsys: Capture) -> None:
    said: list[Run] = []

    def changes() -> Iterator[frozenset[str]]:
        for path, content in (
            ("widgets/one.json", BAD),
            ("widgets/faq/question.json", b'{"question": "??"}'),
            ("widgets/one.json", GOOD),
            ("widgetschema.toml", b"nonsense = 1\n"),
            ("types/faq.json", FAQ.replace(b"question", b"answer")),
            ("widgetschema.toml", b'schemas = "types"\n[files]\n"widgets/faq/*" = "faq"\n'),
        ):
            captured = capsys.readouterr()
            said.append(Run(0, captured.out, captured.err))
            (project / path).write_bytes(content)
            yield frozenset([str(project / path)])

    code = validate(ValidateOptions(color="never", formats=("text",), watch=True), changes())
    captured = capsys.readouterr()
    said.append(Run(0, captured.out, captured.err))

    assert code == 0
    first, broken, other, fixed, odd, waits, again = said
    assert "3 valid" in first.err
    assert "widgets/one.json:1:54: type" in broken.out
    assert "changed: widgets/one.json" in broken.err
    assert other.out == ""  # one.json is still wrong, and was said to be
    assert "1 invalid (1 finding)" in other.err
    assert fixed.out == ""
    assert "3 valid" in fixed.err
    assert "nonsense" in odd.err
    assert "nonsense" in waits.err
    assert "required" in again.out
    assert "Traceback" not in "".join(one.err for one in said)


def test_watching_tells_of_folders_that_were_moved(project: Path, capsys: Capture) -> None:
    said: list[Run] = []
    (project.parent / "moved").mkdir()
    (project.parent / "moved" / "new.json").write_bytes(BAD)

    def changes() -> Iterator[frozenset[str]]:
        for old, new in (
            (project.parent / "moved", project / "widgets/moved"),
            (project / "widgets/moved", project.parent / "moved"),
            (project / "types", project / "other"),  # the schemas
        ):
            captured = capsys.readouterr()
            said.append(Run(0, captured.out, captured.err))
            old.rename(new)
            yield frozenset(str(one) for one in (old, new) if one.is_relative_to(project))

    validate(ValidateOptions(color="never", formats=("text",), watch=True), changes())
    captured = capsys.readouterr()
    said.append(Run(0, captured.out, captured.err))

    _, moved, gone, schemas = said
    assert "widgets/moved/new.json:1:54: type" in moved.out
    assert (gone.out, "changed: widgets/moved" in gone.err) == ("", True)
    assert "types: no such folder of schemas" in schemas.err


def test_watching_passes_over_what_a_run_writes_itself(project: Path, capsys: Capture) -> None:
    text = 'reporters = ["text", "json=a.json"]\n'
    (project / "widgetschema.toml").write_text(text, encoding="utf-8")
    options = ValidateOptions(paths=("widgets",), type_id="countdown", output="b.json", watch=True)

    validate(options, [frozenset(str(project / name) for name in ("a.json", "b.json"))])

    assert "changed" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes")
@pytest.mark.parametrize("first", [True, False])
def test_ctrl_c_during_a_check_ends_the_watching(
    project: Path, capsys: Capture, first: bool
) -> None:
    pipe, done = project / "widgets" / "pipe", Event()
    if first:
        os.mkfifo(pipe)
    else:
        pipe.write_bytes(GOOD)

    def changes() -> Iterator[frozenset[str]]:
        if first:
            pytest.fail("it goes on")
        pipe.unlink()
        os.mkfifo(pipe)
        yield frozenset([str(pipe)])
        pytest.fail("it goes on")

    def interrupt() -> None:
        while not (pipe.is_fifo() or done.wait(0.01)):
            pass
        with pipe.open("wb"):  # when somebody reads it
            signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
            done.wait(HANG)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    other = Thread(target=interrupt, daemon=True)
    other.start()
    try:
        code = validate(
            ValidateOptions(paths=(str(pipe),), type_id="countdown", watch=True), changes()
        )
    finally:
        done.set()
        signal.signal(signal.SIGINT, before)
    other.join()

    assert code == 0
    assert capsys.readouterr().err.count("interrupted") == 1


def test_watching_for_real(project: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "widgetschema", "validate", "--watch"],
        cwd=project,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    lines: Queue[str] = Queue()
    reader = Thread(target=_put_all, args=(process.stdout, lines), daemon=True)
    reader.start()
    try:
        assert _comes("watching", lines, HANG)
        for _ in range(40):  # until the system has begun to watch
            (project / "widgets" / "one.json").write_bytes(BAD)
            if _comes("widgets/one.json:1:54: type", lines, 3):
                break
        else:
            pytest.fail("nothing was noticed")
        folder = project.parent / "moved"
        folder.mkdir()
        (folder / "two.json").write_bytes(BAD)
        folder.rename(project / "widgets" / "moved")
        assert _comes("widgets/moved/two.json:1:54: type", lines, HANG)
        (project / "widgets" / "moved").rename(folder)
        assert _comes("changed: widgets/moved", lines, HANG)
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()


def _put_all(stream: Iterable[str], lines: Queue[str]) -> None:
    for line in stream:
        lines.put(line)


def _comes(wanted: str, lines: Queue[str], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(Empty):
            if lines.get(timeout=0.2).startswith(wanted):
                return True
    return False


# Little things


def test_the_address_of_a_file_never_gets_tokens_of_the_environment(project: Path) -> None:
    with (project / "widgetschema.toml").open("r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write('base-url = "http://127.0.0.1:9/evil"\n' + text)

    result = subprocess.run(
        [sys.executable, "-m", "widgetschema", "widgets"],
        cwd=project,
        env=environment(WIDGETSCHEMA_ACCESS_TOKEN="s3cret", XDG_CONFIG_HOME=str(project / "none")),
        capture_output=True,
        check=False,
    )

    said = result.stderr.decode()
    assert result.returncode == 5
    assert "no WIDGETSCHEMA_BASE_URL says for which platform" in said
    assert "s3cret" not in said


def test_a_removed_working_directory_is_said(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m widgetschema validate x.json"

    result = subprocess.run(
        ["bash", "-c", code], env=environment(), capture_output=True, check=False
    )

    assert result.returncode == 3  # input that cannot be read
    assert b"Traceback" not in result.stderr


def test_a_run_from_a_folder_below(project: Path) -> None:
    result = run_process("validate", cwd=project / "widgets")

    assert result.code == 0
    assert "3 documents in 3 files" in result.err
    assert os.listdir(project / "widgets") == os.listdir(project / "widgets")


# Documents with very many findings


@pytest.fixture
def crowded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A document with more findings than are looked for in one."""
    names = [f"x{index}" for index in range(MOST_IN_A_TEXT + 5)]
    data = {"content": dict.fromkeys(names, 1), "settings": {}, "styles": {}}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crowded.json").write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


def test_findings_that_were_not_looked_for_are_a_problem(
    crowded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("validate", "crowded.json", "--type=countdown", "--max-findings=1")
    result = run(capsys, *arguments)

    assert result.code == 1
    assert "crowded.json: there are more than 10,000 findings; the others were not looked for" in (
        result.out + result.err
    )
    shown = run(capsys, *arguments, "--format=json")
    [problem] = json.loads(shown.out)["problems"]
    assert problem["keyword"] == "problem.truncated"


def test_a_baseline_never_holds_what_was_not_looked_for(
    crowded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("validate", "crowded.json", "--type=countdown", "--quiet")
    run(capsys, *arguments, "--write-baseline")
    result = run(capsys, *arguments)

    assert result.code == 1
    assert "more than 10,000 findings" in result.out + result.err
