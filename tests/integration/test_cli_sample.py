"""`widgetschema sample`: what is made, in which form, where it goes, and what is left of it."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import STORES, Run, run
from tests.terminal import HANG
from widgetschema import Store, WidgetType
from widgetschema.catalog.store import write_manifest
from widgetschema.cli.console.progress import with_progress
from widgetschema.errors import CannotGenerate
from widgetschema.jsontext import dump
from widgetschema.samples import ALGORITHM
from widgetschema.schema.describes import RECORD_MEMBERS

Capture = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-m", "widgetschema"]
KINDS = ("valid", "minimal", "maximal", "coverage", "near-miss")
NUMBER = {"type": "integer", "minimum": 0, "maximum": 9}


def schema(**members: Any) -> dict[str, Any]:
    """A schema for data with these members, and no others."""
    data = {
        "type": "object",
        "required": list(members),
        "additionalProperties": False,
        "properties": members,
    }
    return {"allOf": [{"$ref": "plugin"}], "properties": {"data": data}}


def found_by_trial(length: int) -> dict[str, Any]:
    """Texts that take their time: the longer, the more of it, and 6 are not always found."""
    return {"type": "string", "pattern": f"^[0-9]{{{length}}}$", "not": {"pattern": "[3-9](?!x)"}}


SCHEMAS: dict[str, Any] = {
    "small": schema(n=NUMBER),
    "optional": {
        "allOf": [{"$ref": "plugin"}],
        "properties": {"data": {"properties": {"n": NUMBER, "m": NUMBER}}},
    },
    "slow": schema(n=found_by_trial(4)),
    "trying": schema(n=found_by_trial(6)),
    "never": {"properties": {"data": False}},
    "loose": schema(**{f"p{index:02}": {"anyOf": [NUMBER, {}]} for index in range(11)}),
    "wide": schema(n={"const": "größe 日本 😀 \x7f\x85\u202e"}),
    "named": schema(**{"日/本": {"enum": ["a", "b"]}, "x" * 99: {"enum": ["c", "d"]}}),
    "large": schema(n={"const": 10**22}),
    "strict": {
        "allOf": [{"$ref": "plugin"}],
        "required": ["id", "data"],
        "properties": {"id": {"maxLength": 3}, "data": {"required": ["n"]}},
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small schemas, which take little time."""
    folder = tmp_path_factory.mktemp("schemas")
    for id, value in SCHEMAS.items():
        (folder / f"{id}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def sample(capsys: Capture, store: Path, *arguments: str | Path) -> Run:
    """Run the command on the schemas of these tests."""
    return run(capsys, "sample", "--schemas", store, *arguments)


def widget_type(store: Path, id: str = "small") -> WidgetType:
    return WidgetType.from_schema(Store(store)[id], id=id)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def manifest(path: Path) -> dict[str, Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def dump_lines(values: Any) -> str:
    return "".join(dump(value, indent=False) + "\n" for value in values)


# What is made, and its form


def test_one_sample_by_default(capsys: Capture) -> None:
    countdown = WidgetType.from_schema(Store(Path(__file__).parents[2] / "schemas")["countdown"])

    assert run(capsys, "sample", "countdown") == Run(0, dump(countdown.sample(0)), "")


@pytest.mark.parametrize("number", [0, 1, 2, 199, 200, 201, 450])
def test_count_gives_one_value_a_line(number: int, capsys: Capture, store: Path) -> None:
    result = sample(capsys, store, "small", "--count", str(number))

    assert result == Run(0, dump_lines(widget_type(store).samples(number)), "")


@pytest.mark.parametrize("number", [0, 1, 2, 450])
@pytest.mark.parametrize("id", ["small", "large"])
def test_json_with_count_is_an_array(id: str, number: int, capsys: Capture, store: Path) -> None:
    result = sample(capsys, store, id, "--count", str(number), "--format", "json")

    assert result == Run(0, dump([*widget_type(store, id).samples(number)]), "")


@pytest.mark.parametrize("kind", ["valid", "minimal", "maximal"])
@pytest.mark.parametrize("layout", ["json", "ndjson"])
def test_one_value_without_count(kind: str, layout: str, capsys: Capture, store: Path) -> None:
    made = widget_type(store)
    value = {"valid": made.sample(), "minimal": made.minimal(), "maximal": made.maximal()}[kind]
    result = sample(capsys, store, "small", "--kind", kind, "--format", layout)

    assert result == Run(0, dump(value) if layout == "json" else dump_lines([value]), "")


@pytest.mark.parametrize("kind", ["coverage", "near-miss"])
def test_all_cases_and_the_first_of_them(kind: str, capsys: Capture, store: Path) -> None:
    made = widget_type(store)
    cases = made.coverage() if kind == "coverage" else made.near_misses()
    every = sample(capsys, store, "small", "--kind", kind)
    lines = sample(capsys, store, "small", "--kind", kind, "--format", "ndjson")
    most = sample(capsys, store, "small", "--kind", kind, "--count", "3")
    enough = sample(capsys, store, "small", "--kind", kind, "--count", "999")
    none = sample(capsys, store, "small", "--kind", kind, "--count", "0", "--format", "json")

    summary = f"widgetschema: {cases}\n"
    assert every == Run(0, dump([case.data for case in cases]), summary)
    assert lines == enough == Run(0, dump_lines(case.data for case in cases), summary)
    assert most.out == dump_lines(case.data for case in cases[:3])
    assert none.out == "[]\n"
    covered = f"{len(cases.ledger) - len(cases.uncovered)} of {len(cases.ledger)} targets"
    together = f"of {len(cases)} cases; all of these would cover {covered}"
    assert most.err.splitlines()[0] == f"widgetschema: 3 {together}"
    assert none.err.splitlines()[0] == f"widgetschema: 0 {together}"


def test_what_is_not_covered_is_listed_with_its_reason(capsys: Capture, store: Path) -> None:
    uncovered = widget_type(store, "loose").near_misses().uncovered
    assert len(uncovered) > 21

    first, *lines = sample(capsys, store, "loose", "--kind", "near-miss").err.splitlines()

    assert re.fullmatch(r"widgetschema: \d+ cases; \d+ of \d+ targets covered", first)
    assert lines == [
        *(f"  not covered: {target.id}: {target.why}" for target in uncovered[:20]),
        f"  and {len(uncovered) - 20} more",
    ]


# The options of valid samples


def test_start_goes_on_where_another_run_ended(capsys: Capture, store: Path) -> None:
    whole = sample(capsys, store, "optional", "--count", "7").out.splitlines(keepends=True)
    part = sample(capsys, store, "optional", "--start", "5", "--count", "2").out

    assert part == "".join(whole[5:])


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("7", 7),
        ("0", 0),
        ("-3", -3),
        ("007", "007"),
        ("-0", "-0"),
        ("1e3", "1e3"),
        ("٣", "٣"),
        ("", ""),
        ("9" * 30, "9" * 30),
        ("autumn sale", "autumn sale"),
    ],
)
def test_seed_is_a_number_or_text(
    given: str, meant: int | str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    shown = sample(capsys, store, "optional", "--seed", given, "--count", "9")
    sample(capsys, store, "optional", "--seed", given, "--output", tmp_path / "x")

    assert shown.out == dump_lines(widget_type(store, "optional").samples(9, meant))
    assert manifest(tmp_path / "x.manifest")["seed"] == meant


@pytest.mark.parametrize(("fill", "members"), [("0", 0), ("1", 18), ("1e0", 18)])
def test_fill(fill: str, members: int, capsys: Capture, store: Path) -> None:
    result = sample(capsys, store, "optional", "--fill", fill, "--count", "9")

    assert sum(len(json.loads(line)) for line in result.out.splitlines()) == members


@pytest.mark.parametrize("kind", KINDS)
def test_locale(kind: str, capsys: Capture) -> None:
    arguments = ["event", "--kind", kind, "--as", "document"]
    english = sample(capsys, STORES / "good", *arguments)
    german = sample(capsys, STORES / "good", *arguments, "--locale", "de")

    assert (english.code, german.code) == (0, 0)
    assert german.out != english.out
    assert sample(capsys, STORES / "good", *arguments, "--locale", "de_AT") == german
    assert sample(capsys, STORES / "good", *arguments, "--locale", "en-GB") == english


# Documents


@pytest.mark.parametrize("kind", KINDS)
def test_documents_are_records_around_the_data(kind: str, capsys: Capture, store: Path) -> None:
    data = sample(capsys, store, "small", "--kind", kind, "--format", "ndjson")
    documents = sample(
        capsys, store, "small", "--kind", kind, "--format", "ndjson", "--as", "document"
    )

    made = [json.loads(line) for line in documents.out.splitlines()]
    assert [document["data"] for document in made] == [*map(json.loads, data.out.splitlines())]
    assert len({document["id"] for document in made}) == len(made)
    small = widget_type(store)
    for document in made:
        assert document.keys() == RECORD_MEMBERS | {"data"}
        assert small.check_document(document).valid == (kind != "near-miss")
        assert small.check_document({**document, "data": small.minimal()}).valid


def test_documents_are_those_of_the_python_interface(capsys: Capture, store: Path) -> None:
    arguments = ["--as", "document", "--seed", "a", "--start", "3", "--count", "2"]
    result = sample(capsys, store, "optional", *arguments, "--fill", "0.5", "--locale", "de")

    made = widget_type(store, "optional")
    expected = [made.sample_document("a", index, fill=0.5, locale="de") for index in (3, 4)]
    assert result.out == dump_lines(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_schema_says_of_the_record_is_kept(
    kind: str, capsys: Capture, store: Path
) -> None:
    arguments = ["--kind", kind, "--as", "document", "--format", "ndjson"]

    result = sample(capsys, store, "strict", *arguments)

    assert result.code == 0
    assert all(len(json.loads(line)["id"]) <= 3 for line in result.out.splitlines())


# Files


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", ["json", "ndjson"])
def test_a_file_holds_what_would_be_shown(
    kind: str, layout: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    arguments = ["small", "--kind", kind, "--format", layout]
    shown = sample(capsys, store, *arguments)
    filed = sample(capsys, store, *arguments, "--output", tmp_path / "x")

    assert filed == Run(0, "", shown.err)
    assert (tmp_path / "x").read_text(encoding="utf-8") == shown.out
    assert names(tmp_path) == ["x", "x.manifest"]


def test_the_manifest_of_samples(capsys: Capture, store: Path, tmp_path: Path) -> None:
    options = "--count 3 --seed s --start 4 --fill 0.5 --locale de-AT --as document".split()
    options += ["--max-items", "1", "--horizon", "2026-01-01/2026-12-31"]
    sample(capsys, store, "small", *options, "--output", tmp_path / "x.ndjson")

    content = (tmp_path / "x.ndjson").read_bytes()
    assert manifest(tmp_path / "x.ndjson.manifest") == {
        "version": 1,
        "type": "small",
        "linked_digest": widget_type(store).linked_digest,
        "algorithm": ALGORITHM,
        "kind": "valid",
        "seed": "s",
        "start": 4,
        "count": 3,
        "fill": 0.5,
        "max_depth": 10,
        "max_items": 1,
        "examples": True,
        "horizon": "2026-01-01/2026-12-31",
        "locale": "de",
        "as": "document",
        "digest": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize("kind", ["valid", "minimal", "maximal"])
def test_a_date_outside_of_the_horizon_is_said(kind: str, capsys: Capture, tmp_path: Path) -> None:
    month = {"type": "string", "format": "date", "pattern": "-01$"}
    schema = {"type": "object", "required": ["month"], "properties": {"month": month}}
    (tmp_path / "month.json").write_text(json.dumps(schema))

    options = ["--kind", kind, "--horizon", "2026-05-10/2026-05-20"]
    result = run(capsys, "sample", "--data-schema", tmp_path / "month.json", *options)

    assert result.code == 0
    assert json.loads(result.out) == {"month": "2026-05-01"}
    assert result.err == (
        "widgetschema: warning: /month: 2026-05-01 is outside of the horizon "
        "2026-05-10/2026-05-20: no date within it was found that the schema allows\n"
    )


@pytest.mark.parametrize("kind", ["minimal", "maximal", "coverage", "near-miss"])
def test_each_kind_has_a_horizon(kind: str, capsys: Capture, store: Path, tmp_path: Path) -> None:
    properties = {"startDate": {"type": "string", "format": "date"}, "n": {"type": "integer"}}
    schema = {"type": "object", "properties": properties, "required": [*properties]}
    (tmp_path / "x.json").write_text(json.dumps(schema), encoding="utf-8")
    options = ["--data-schema", f"{tmp_path / 'x.json'}", "--kind", kind, "--as", "document"]
    options += ["--horizon", "2024-05-05/2024-05-05", "--format", "ndjson"]

    made = [json.loads(line) for line in sample(capsys, store, *options).out.splitlines()]
    if kind == "near-miss":
        made = [one for one in made if type(one["data"]) is dict and one["data"].get("n") is None]
    assert {one["data"]["startDate"] for one in made} == {"2024-05-05"}
    assert {one["created"][:10] for one in made} == {"2024-05-05"}


@pytest.mark.parametrize("kind", ["minimal", "maximal", "coverage", "near-miss"])
def test_the_manifest_of_what_is_not_drawn(
    kind: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    reach = [] if kind == "minimal" else ["--max-depth", "3"]
    sample(capsys, store, "small", "--kind", kind, *reach, "--output", tmp_path / "x")

    value = manifest(tmp_path / "x.manifest")
    assert (value["seed"], value["start"], value["fill"]) == (None, None, None)
    assert (value["max_depth"], value["max_items"]) == (3 if reach else None, None)
    assert ("cases" in value) == (kind in ("coverage", "near-miss"))
    assert value["count"] == len(value.get("cases", "1"))


@pytest.mark.parametrize("kind", ["coverage", "near-miss"])
@pytest.mark.parametrize("shape", ["data", "document"])
@pytest.mark.parametrize("place", ["line", "index", "file"])
def test_the_manifest_leads_to_each_case(
    kind: str, shape: str, place: str, capsys: Capture, tmp_path: Path
) -> None:
    """The manifest says of a case what checking says of the data."""
    event = WidgetType.from_schema(Store(STORES / "good")["event"])
    target = tmp_path / ("out/" if place == "file" else "out")
    arguments = ["event", "--kind", kind, "--as", shape, "--count", "20"]
    layout = ["--format", "ndjson" if place == "line" else "json"]
    output = f"{target}/" if place == "file" else str(target)
    sample(capsys, STORES / "good", *arguments, *(layout * (place != "file")), "--output", output)

    cases = manifest(target / "samples.manifest" if place == "file" else tmp_path / "out.manifest")
    expected = event.coverage() if kind == "coverage" else event.near_misses()
    number = min(len(expected), 20)
    assert [case["id"] for case in cases["cases"]] == [case.id for case in expected[:number]]
    assert cases["count"] == number
    for case in cases["cases"]:
        assert list(case) == ["id", place, "findings"]
        if place == "file":
            value = json.loads((target / case["file"]).read_bytes())
        elif place == "line":
            value = json.loads(target.read_bytes().splitlines()[case["line"] - 1])
        else:
            value = json.loads(target.read_bytes())[case["index"]]
        report = event.check_document(value) if shape == "document" else event.check(value)
        assert case["findings"] == [[finding.keyword, finding.path] for finding in report]
        assert report.valid == (kind == "coverage")


@pytest.mark.parametrize("id", ["wide", "large"])
@pytest.mark.parametrize("options", [[], ["--count", "2"]], ids=["json", "ndjson"])
def test_what_a_terminal_obeys_is_escaped(
    id: str, options: list[str], capsys: Capture, store: Path, tmp_path: Path
) -> None:
    shown = sample(capsys, store, id, *options)
    sample(capsys, store, id, *options, "--output", tmp_path / "x")
    sample(capsys, store, id, "--output", f"{tmp_path}/")

    wanted = SCHEMAS[id]["properties"]["data"]["properties"]["n"]["const"]
    texts = [shown.out, (tmp_path / "x").read_text(encoding="utf-8")]
    texts.append((tmp_path / f"{id}-000000.json").read_text(encoding="utf-8"))
    for text in texts:
        line = text.splitlines()[0] if options and text is not texts[-1] else text
        assert json.loads(line) == {"n": wanted}
        assert all(character.isprintable() or character == "\n" for character in text)
        assert ("größe 日本 😀" in text) == (id == "wide")


# Folders


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("slash", [True, False])
def test_a_folder_gets_a_file_for_each_sample(
    exists: bool, slash: bool, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "a" / "b"
    if exists:
        folder.mkdir(parents=True)
    output = f"{folder}/" if slash else str(folder)
    if not exists and not slash:
        assert sample(capsys, store, "small", "--output", output).code == 3
        return
    arguments = ["--start", "9", "--count", "3"]

    assert sample(capsys, store, "small", *arguments, "--output", output) == Run(0, "", "")

    expected = {f"small-{9 + index:06}.json": index for index in range(3)}
    assert names(folder) == sorted([*expected, "samples.manifest"])
    for name, index in expected.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert text == dump(widget_type(store).sample(0, 9 + index))
    assert manifest(folder / "samples.manifest")["start"] == 9


def test_the_files_of_a_folder_are_checked_by_validate(capsys: Capture, tmp_path: Path) -> None:
    assert run(capsys, "sample", "countdown", "--count", "5", "--output", f"{tmp_path}/").code == 0

    result = run(capsys, "validate", "--type", "countdown", tmp_path)

    assert (result.code, result.out, result.err) == (0, "", "5 documents in 5 files: 5 valid\n")


@pytest.mark.parametrize(("kind", "name"), [("minimal", "minimal"), ("maximal", "maximal")])
def test_what_is_there_once_has_its_kind_as_a_name(
    kind: str, name: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    sample(capsys, store, "small", "--kind", kind, "--output", f"{tmp_path}/")

    assert names(tmp_path) == ["samples.manifest", f"small-{name}.json"]


def test_no_sample_is_a_manifest_alone(capsys: Capture, store: Path, tmp_path: Path) -> None:
    sample(capsys, store, "small", "--count", "0", "--output", f"{tmp_path}/x/")
    sample(capsys, store, "small", "--count", "0", "--output", f"{tmp_path}/y")

    assert names(tmp_path / "x") == ["samples.manifest"]
    assert (tmp_path / "y").read_text() == ""
    assert manifest(tmp_path / "y.manifest")["count"] == 0


@pytest.mark.parametrize("id", ["small", "named"])
@pytest.mark.parametrize("kind", ["coverage", "near-miss"])
def test_cases_have_names_that_any_system_takes(
    id: str, kind: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    sample(capsys, store, id, "--kind", kind, "--output", f"{tmp_path}/")

    files = [name for name in names(tmp_path) if name != "samples.manifest"]
    ids = [case["id"] for case in manifest(tmp_path / "samples.manifest")["cases"]]
    assert len(files) == len(ids) == len({name.lower() for name in files})
    for number, (name, case) in enumerate(zip(files, ids, strict=True), 1):
        assert re.fullmatch(r"[0-9]{4}-[A-Za-z0-9.-]*[A-Za-z0-9]\.json", name)
        assert len(name) <= 80
        assert name.startswith(f"{number:04}-{re.split('[^A-Za-z]', case)[0]}")


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("my_widget-2.0", "my_widget-2.0"),
        ("../../x", "x"),
        ("/etc/passwd", "etc-passwd"),
        (".hidden", "hidden"),
        ("ein Widget", "ein-Widget"),
        ("日本", "sample"),
        ("..", "sample"),
        ("n" * 200, "n" * 70),
    ],
)
def test_an_id_is_no_path(id: str, name: str, capsys: Capture, tmp_path: Path) -> None:
    schemas, out = tmp_path / "schemas", tmp_path / "out"
    schemas.mkdir()
    (schemas / "x.json").write_text(json.dumps(SCHEMAS["small"]))
    write_manifest(schemas)
    text = (schemas / "manifest.json").read_text()
    (schemas / "manifest.json").write_text(text.replace('"x"', json.dumps(id)))

    assert sample(capsys, schemas, "--output", f"{out}/", "--", id).code == 0
    assert names(out) == sorted([f"{name}-000000.json", "samples.manifest"])
    assert names(tmp_path) == ["out", "schemas"]
    assert manifest(out / "samples.manifest")["type"] == id


# Whole, or not at all


START = 1


@pytest.fixture(scope="module")
def failing(store: Path) -> int:
    """Count the samples that are found, from START on, before there is none."""
    made = widget_type(store, "trying")
    for index in range(START, 60):
        try:
            made.sample(0, index)
        except CannotGenerate:
            assert index > START
            return index - START
    raise AssertionError("all were found: these tests need a schema that is harder")


def test_a_failure_half_way_leaves_a_file_as_it_was(
    failing: int, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    (tmp_path / "old").write_text("before")
    (tmp_path / "old.manifest").write_text("before")
    number = str(failing + 1)

    for name in ("new", "old"):
        for layout in ("json", "ndjson"):
            arguments = ["--count", number, "--format", layout, "--output", tmp_path / name]
            arguments += ["--start", str(START), "--force"]
            result = sample(capsys, store, "trying", *arguments)
            assert result.code == 4
            assert "cannot generate data: no text was found" in result.err

    assert names(tmp_path) == ["old", "old.manifest"]
    assert {path.read_text() for path in tmp_path.iterdir()} == {"before"}


def test_a_failure_half_way_leaves_a_folder_without_manifest(
    failing: int, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    arguments = ["--count", str(failing + 1), "--start", str(START), "--output", f"{tmp_path}/"]
    result = sample(capsys, store, "trying", *arguments)

    assert result.code == 4
    assert names(tmp_path) == [f"trying-{START + index:06}.json" for index in range(failing)]
    for index, name in enumerate(names(tmp_path), START):
        made = dump(widget_type(store, "trying").sample(0, index))
        assert (tmp_path / name).read_text() == made


def test_a_failure_half_way_shows_what_was_made_before(
    failing: int, capsys: Capture, store: Path
) -> None:
    result = sample(capsys, store, "trying", "--count", str(failing + 1), "--start", str(START))

    assert result.code == 4
    assert result.out == dump_lines(widget_type(store, "trying").samples(failing, start=START))
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ["data", "document"])
@pytest.mark.parametrize("output", [None, "x", "x/"])
def test_a_schema_without_data(
    kind: str, shape: str, output: str | None, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    options = [] if output is None else ["--output", f"{tmp_path}/{output}"]

    result = sample(capsys, store, "never", "--kind", kind, "--as", shape, *options)

    assert (result.code, result.out) == (4, "")
    assert result.err.startswith("widgetschema: schema 'never', ")
    assert "cannot generate data" in result.err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_manifest_is_only_next_to_what_it_is_about(
    capsys: Capture, store: Path, tmp_path: Path
) -> None:
    """One that cannot be removed, since it is a folder, stops the file from changing, too."""
    target, blocked = tmp_path / "x", tmp_path / "x.manifest"
    target.write_text("before")
    blocked.mkdir()

    assert sample(capsys, store, "small", "--output", target).code == 2
    result = sample(capsys, store, "small", "--output", target, "--force")

    assert (result.code, result.out) == (3, "")
    assert result.err.startswith(f"widgetschema: {blocked}: cannot be written: ")
    assert result.err.count("\n") == result.err.count("cannot be written") == 1
    assert target.read_text() == "before"
    assert names(tmp_path) == ["x", "x.manifest"]


def test_a_run_replaces_what_another_left(capsys: Capture, store: Path, tmp_path: Path) -> None:
    for number in ("3", "2"):
        sample(capsys, store, "small", "--count", number, "--output", f"{tmp_path}/x")

    assert len((tmp_path / "x").read_text().splitlines()) == 2
    assert manifest(tmp_path / "x.manifest")["count"] == 2


def test_a_sample_that_was_edited_is_kept(capsys: Capture, store: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    assert sample(capsys, store, "small", "--output", target).code == 0
    target.write_text("{}")
    for text in (None, "{", "[]", "{}"):
        if text is not None:
            (tmp_path / "x.json.manifest").write_text(text)
        result = sample(capsys, store, "small", "--output", target)
        assert (result.code, target.read_text()) == (2, "{}")
        assert "x.json exists already" in result.err
    assert sample(capsys, store, "small", "--output", target, "--force").code == 0


@pytest.mark.parametrize("name", ["x.yaml", "x.YML", "x.json"])
def test_several_samples_in_a_file_of_one_value_are_an_array(
    name: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    sample(capsys, store, "small", "--count", "2", "--output", tmp_path / name)

    assert len(json.loads((tmp_path / name).read_bytes())) == 2


def test_a_folder_holds_samples_of_one_make(capsys: Capture, store: Path, tmp_path: Path) -> None:
    arguments = ["--output", f"{tmp_path}/", "--count"]
    assert sample(capsys, store, "small", *arguments, "3").code == 0
    assert sample(capsys, store, "small", *arguments, "3").code == 0

    for change in (["2"], ["3", "--seed", "1"]):
        result = sample(capsys, store, "small", *arguments, *change)
        assert result.code == 2
        assert "holds other samples, according to samples.manifest" in result.err
        assert "--force replaces only samples of the same" in result.err
    assert len(names(tmp_path)) == 4
    (tmp_path / "samples.manifest").write_text("{")
    assert sample(capsys, store, "small", *arguments, "3").code == 2


def test_packed_files_are_left_to_others(capsys: Capture, store: Path, tmp_path: Path) -> None:
    result = sample(capsys, store, "small", "--output", f"{tmp_path}/x.ndjson.gz")

    assert result.code == 2
    assert "pipe to gzip" in result.err


def test_a_link_stays_one_and_the_manifest_is_beside_the_file(
    capsys: Capture, store: Path, tmp_path: Path
) -> None:
    folder, link = tmp_path / "there", tmp_path / "link"
    folder.mkdir()
    (folder / "real").touch(mode=0o600)
    link.symlink_to("there/real")

    assert sample(capsys, store, "small", "--output", link).code == 0
    assert link.is_symlink()
    assert stat.S_IMODE((folder / "real").stat().st_mode) == 0o600
    assert names(folder) == ["real", "real.manifest"]
    assert names(tmp_path) == ["link", "there"]


def test_a_pipe_is_written_to_and_has_no_manifest(
    capsys: Capture, store: Path, tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(fifo.read_text(encoding="utf-8")))
    reader.start()
    shown = sample(capsys, store, "small", "--count", "1000")

    result = sample(capsys, store, "small", "--count", "1000", "--output", fifo)
    reader.join(timeout=HANG)

    assert result == Run(0, "", "")
    assert received == [shown.out]
    assert names(tmp_path) == ["fifo"]


def test_a_device_has_no_manifest(capsys: Capture, store: Path) -> None:
    assert sample(capsys, store, "small", "--output", "/dev/null") == Run(0, "", "")
    assert not Path("/dev/null.manifest").exists()
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_dash_is_standard_output(
    capsys: Capture, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "-").mkdir()
    monkeypatch.chdir(tmp_path)

    assert sample(capsys, store, "small", "--output", "-") == sample(capsys, store, "small")
    assert names(tmp_path / "-") == []


# What is refused


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "Missing argument 'ID'"),
        ("small --count -1", "-1 is not in the range x>=0"),
        ("small --count many", "'many' is not a valid integer."),
        ("small --start -1", "-1 is not in the range x>=0"),
        ("small --fill 1.01", "Invalid value for --fill: 1.01 is not in the range 0<=x<=1."),
        ("small --fill -0.1", "Invalid value for --fill: -0.1 is not in the range 0<=x<=1."),
        ("small --fill nan", "Invalid value for --fill: nan is not in the range 0<=x<=1."),
        ("small --fill inf", "Invalid value for --fill: inf is not in the range 0<=x<=1."),
        ("small --fill half", "'half' is not a valid float"),
        ("small --locale xx", "no sample texts for the locale 'xx': use one of de, en."),
        ("small --locale xx --kind maximal", "use one of de, en."),
        ("small --kind nearmiss", "'nearmiss' is not one of 'valid', 'minimal', 'maximal'"),
        ("small --as record", "'record' is not one of 'data', 'document'"),
        ("small --format yaml", "'yaml' is not one of 'json', 'ndjson'"),
        ("small --seed", "Option '--seed' requires an argument"),
        ("small --seed \udcff", "Invalid value for --seed: this is not text."),
        ("small --kind minimal --count 1", "--count means nothing for --kind minimal."),
        ("small --kind maximal --count 0", "--count means nothing for --kind maximal."),
        ("small --kind coverage --seed 0", "--seed means nothing for --kind coverage."),
        ("small --kind near-miss --start 0", "--start means nothing for --kind near-miss."),
        ("small --kind minimal --max-items 1", "--max-items means nothing for --kind minimal."),
        ("small --kind coverage --horizon x", "--horizon: a horizon is two dates"),
        ("small --horizon x", "Invalid value for --horizon: a horizon is two dates"),
        ("small --kind minimal --fill 0", "--fill means nothing for --kind minimal."),
        (
            "small --kind maximal --fill 1 --seed 1",
            "--seed and --fill mean nothing for --kind maximal.",
        ),
        (
            "small --kind minimal --count 2 --seed 1 --start 1 --fill 1",
            "--seed, --start, --fill and --count mean nothing for --kind minimal.",
        ),
        ("small --output {}/ --format ndjson", "--format ndjson needs a FILE."),
        ("small --output {} --format ndjson", "--format ndjson needs a FILE."),
        ("smal", "unknown widget type 'smal'; did you mean 'small'?"),
        ("smal --output {}/x", "unknown widget type 'smal'; did you mean 'small'?"),
        ("plugin", "unknown widget type 'plugin'"),
    ],
)
def test_usage_errors(
    arguments: str, said: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    words = arguments.split(" ") if arguments else []
    result = sample(capsys, store, *(word.format(tmp_path) for word in words))

    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert names(tmp_path) == []


def test_an_output_needs_a_name(capsys: Capture, store: Path) -> None:
    result = sample(capsys, store, "small", "--output", "")

    assert result.code == 2
    assert "--output needs the name" in result.err


def test_a_schema_that_cannot_be_used(capsys: Capture) -> None:
    assert sample(capsys, STORES / "unresolvable", "orphan").code == 4
    assert sample(capsys, STORES / "none", "event").code == 3


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("missing/x", "no such file or directory"),
        ("file/x", "not a directory"),
        ("file/", "file exists"),
        ("file/x/", "not a directory"),
        (f"{'n' * 300}/", "file name too long"),
    ],
)
def test_an_output_that_cannot_be_written(
    output: str, why: str, capsys: Capture, store: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("before")

    result = sample(capsys, store, "small", "--count", "9", "--output", f"{tmp_path}/{output}")

    assert result == Run(3, "", f"widgetschema: {tmp_path}/{output}: cannot be written: {why}\n")
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "before"


def test_a_name_without_room_for_that_of_the_manifest(
    capsys: Capture, store: Path, tmp_path: Path
) -> None:
    path = tmp_path / ("n" * 250)

    result = sample(capsys, store, "small", "--output", path)

    why = "cannot be written: file name too long"
    assert result == Run(3, "", f"widgetschema: {path}.manifest: {why}\n")
    assert names(tmp_path) == []


def test_a_file_of_a_folder_that_cannot_be_written(
    capsys: Capture, store: Path, tmp_path: Path
) -> None:
    (tmp_path / "small-000002.json").mkdir()

    result = sample(capsys, store, "small", "--count", "5", "--output", tmp_path)

    path = tmp_path / "small-000002.json"
    assert result == Run(3, "", f"widgetschema: {path}: cannot be written: is a directory\n")
    assert names(tmp_path) == [f"small-{index:06}.json" for index in range(3)]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("number", [1, 5000])
def test_a_disk_that_is_full(number: int, capsys: Capture, store: Path) -> None:
    arguments = ["small", "--count", str(number), "--output", "/dev/full"]

    result = sample(capsys, store, *arguments)

    why = "no space left on device"
    assert result == Run(3, "", f"widgetschema: /dev/full: cannot be written: {why}\n")


def test_no_command_pays_for_the_samples() -> None:
    code = (
        "import sys\nfrom widgetschema.cli import main\nmain({!r})\n"
        "assert {!r} not in sys.modules, 'loaded'\n"
    )
    for arguments, module in [
        (["types"], "widgetschema.cli.commands.sample"),
        (["types"], "widgetschema.samples"),
        (["sample", "--help"], "widgetschema.samples"),
    ]:
        subprocess.run(
            [sys.executable, "-c", code.format(arguments, module)],
            stdout=subprocess.DEVNULL,
            check=True,
        )


# Progress


def test_what_takes_no_time_has_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Looked()
    monkeypatch.setattr(sys, "stderr", terminal)

    assert [*with_progress([1, 2], 2, "samples", wait=math.inf)] == [1, 2]

    assert terminal.text == ""


class Looked:
    """A stream that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""


def test_a_bar_is_removed_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the values end early, by an error."""
    terminal = Looked()
    monkeypatch.setattr(sys, "stderr", terminal)

    def values() -> Iterator[int]:
        yield 1
        yield 2
        raise CannotGenerate("x", "", "no more")

    taken = with_progress(values(), 4, "samples", wait=0)
    assert [*itertools.islice(taken, 2)] == [1, 2]
    with pytest.raises(CannotGenerate):
        next(taken)

    assert "25%" in terminal.text
    assert terminal.text.endswith("\r\x1b[2K\x1b[?25h")


def test_no_standard_error_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)

    assert list(with_progress([1, 2], 2, "samples")) == [1, 2]


def test_a_file_is_no_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "card.json").write_text('{"type": "object"}')
    result = run(capsys, "sample", "card.json")
    assert (result.code, result.out) == (2, "")
    assert "card.json is a file, not the id of a widget type" in result.err
    assert "pass --data-schema card.json" in " ".join(result.err.split())
    assert run(capsys, "sample", "--data-schema", "card.json").code == 0


def test_a_language_means_nothing_for_minimal_data(capsys: Capture) -> None:
    result = run(capsys, "sample", "countdown", "--kind", "minimal", "--locale", "de")
    assert (result.code, result.out) == (2, "")
    assert "--locale means nothing for --kind minimal" in result.err
    given = ("--kind", "minimal", "--locale", "de", "--as", "document")
    assert run(capsys, "sample", "countdown", *given).code == 0
