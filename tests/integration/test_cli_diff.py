"""`widgetschema diff`: files, folders, ids and standard input; saved data; exit codes."""

from __future__ import annotations

import copy
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.command import GOOD, INPUTS, run, run_process
from widgetschema.catalog.store import bundled

Capture = pytest.CaptureFixture[str]
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
COUNTDOWN = bundled()["countdown"]


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def newer(**changes: Any) -> dict[str, Any]:
    """The countdown schema without the animation "flip", and with `changes` of timerDays."""
    schema: dict[str, Any] = copy.deepcopy(COUNTDOWN)
    definitions = schema["definitions"]
    definitions["IPluginStyles"]["properties"]["animationType"]["enum"].remove("flip")
    definitions["IPluginContent"]["properties"]["timerDays"].update(changes)
    return schema


def titled() -> dict[str, Any]:
    return {**copy.deepcopy(COUNTDOWN), "description": "All that counts down."}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return write(tmp_path / "old.json", COUNTDOWN)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write(tmp_path / "new.json", newer())


NOT_ALLOWED = '"flip" is not one of the allowed values: "dissolve", "tick", "normal"'
FLIP = {"content": {}, "settings": {}, "styles": {"animationType": "flip"}}


def test_text(capsys: Capture, old: Path, new: Path) -> None:
    result = run(capsys, "diff", old, new)

    assert result.out.splitlines() == [
        "countdown: breaking: 1 change (1 breaking)",
        '  breaking /styles/animationType: the value "flip" is no longer allowed',
        '      was valid: {"content": {}, "settings": {}, "styles": {"animationType": "flip"}}',
        f"      now: enum /styles/animationType: {NOT_ALLOWED}",
    ]
    plan = shlex.join(["widgetschema", "migrate", "plan", str(old), str(new)])
    advice = f"`{plan}` proposes how to migrate stored data"
    assert result.err == f"1 type: 1 breaking\n1 breaking change: {advice}\n"
    assert result.code == 1


def test_json(capsys: Capture, old: Path, new: Path) -> None:
    result = run(capsys, "diff", old, new, "--format", "json", "--quiet")

    shown = json.loads(result.out)
    assert (shown["version"], shown["breaking"], shown["exit_code"]) == (1, True, 1)
    assert (shown["gone"], shown["added"], shown["data"]) == ([], [], None)
    (comparison,) = shown["comparisons"]
    assert comparison["verdict"] == "breaking"
    (change,) = comparison["changes"]
    assert change["pointer"] == "/definitions/IPluginStyles/properties/animationType/enum"
    assert change["witness"]["data"] == FLIP
    assert result.err == ""


@pytest.mark.parametrize(
    ("schema", "code", "words"),
    [
        (COUNTDOWN, 0, "countdown: same"),
        (titled(), 0, "annotation: 1 change"),
        (newer(), 1, "breaking: 1 change"),
    ],
    ids=["same", "annotation", "breaking"],
)
def test_exit_codes(capsys: Capture, tmp_path: Path, schema: Any, code: int, words: str) -> None:
    result = run(capsys, "diff", "countdown", write(tmp_path / "a.json", schema))

    assert result.code == code
    assert words in result.out


def test_unknown_changes_fail_unless_they_are_allowed(capsys: Capture, tmp_path: Path) -> None:
    data = {"type": "string", "pattern": "^(?=a)a+$"}
    old = write(tmp_path / "a.json", {"properties": {"data": data}})
    data = {"type": "string", "pattern": "^(?=a)aa*$"}
    new = write(tmp_path / "b.json", {"properties": {"data": data}})
    plugin = write(tmp_path / "plugin.json", {})

    result = run(capsys, "diff", old, new, "--plugin", plugin)
    assert result.code == 1
    says = "b: 1 change of unknown effect: no data was found that it breaks, but that is not proven"
    assert f"{says}; see --data and --allow-unknown\n" in result.err
    result = run(capsys, "diff", old, new, "--plugin", plugin, "--allow-unknown", "--quiet")
    assert result.code == 0
    assert result.err.endswith(f"{says}\n")
    result = run(capsys, "diff", old, new, "--plugin", plugin, "--format", "json")
    shown = json.loads(result.out)
    assert (shown["breaking"], shown["harmless"], shown["exit_code"]) == (False, False, 1)


def test_without_a_platform_the_missing_schema_is_named(capsys: Capture) -> None:
    result = run(capsys, "diff", "countdown")
    assert result.code == 5
    assert "there is no NEW, so OLD is compared with the schemas of the platform" in result.err


def test_standard_input(old: Path, new: Path) -> None:
    result = run_process("diff", old, "-", "-q", stdin=new.read_bytes())

    assert '"flip" is no longer allowed' in result.out
    assert (result.err, result.code) == ("", 1)


def test_folders(capsys: Capture, tmp_path: Path) -> None:
    gone, added = {"$id": "gone"}, {"$id": "added"}
    before, after = tmp_path / "before", tmp_path / "after"
    for folder, some in ((before, (COUNTDOWN, gone)), (after, (newer(), added))):
        for number, schema in enumerate((*some, {"$id": "same", "type": "object"})):
            write(folder / f"{number}.json", schema)
    result = run(capsys, "diff", before, after)

    assert "gone: breaking: the type was removed\n" in result.out
    assert "added: widening: new type\n" in result.out
    assert "1 type unchanged\n" in result.out
    first, advice = result.err.splitlines()
    assert first == "4 types: 2 breaking, 1 widening, 1 same"
    folders = shlex.join([str(before), str(after)])
    assert f"migrate plan {folders} --type countdown`" in advice
    assert result.code == 1
    assert run(capsys, "diff", before, after, "--type", "same").code == 0
    assert run(capsys, "diff", before, after, "--type", "gone").code == 1
    assert run(capsys, "diff", before, after, "--type", "added").code == 0
    write(before / "open.json", {"properties": {"a": {}}})
    write(after / "open.json", {"properties": {"a": {"type": "string"}}})
    unclear = run(capsys, "diff", before, after)
    assert unclear.code == 4
    assert "open: schema 'open': it describes the data itself, but can refuse no" in unclear.err
    assert "1 type unchanged\n" in unclear.out
    unknown = run(capsys, "diff", before, after, "--type", "adde")
    assert "did you mean 'added'?" in unknown.err
    assert unknown.code == 2


def test_the_base_schema_counts(capsys: Capture, tmp_path: Path) -> None:
    for folder, required in (("before", []), ("after", ["name"])):
        write(tmp_path / folder / "countdown.json", COUNTDOWN)
        write(tmp_path / folder / "plugin.json", {"$id": "plugin", "required": required})
    sides = (tmp_path / "before", tmp_path / "after")

    result = run(capsys, "diff", *sides)
    assert '(root) of the document: the property "name" is now required' in result.out
    assert result.code == 1
    same = run(capsys, "diff", *sides, "--plugin", tmp_path / "after" / "plugin.json")
    assert same.out == "countdown: same\n"


# Saved data


def test_data_that_stops_being_valid(capsys: Capture, tmp_path: Path, old: Path, new: Path) -> None:
    write(tmp_path / "d" / "bad.json", {"content": 3})
    write(tmp_path / "d" / "document.json", {"id": "1", "type": "countdown", "data": FLIP})
    (tmp_path / "d" / "flip.json").write_text(json.dumps(FLIP, indent=1), encoding="utf-8")
    (tmp_path / "d" / "good.json").write_bytes(GOOD)
    result = run(capsys, "diff", old, new, "--data", tmp_path / "d")

    assert f"{tmp_path / 'd' / 'flip.json'}:5:20: enum /styles/animationType: " in result.out
    assert f"{tmp_path / 'd' / 'document.json'}:1:" in result.out
    assert f"enum /data/styles/animationType: {NOT_ALLOWED}" in result.out
    assert "bad.json" not in result.out
    assert "good.json" not in result.out
    counts = "4 documents in 4 files: 2 no longer valid, 1 invalid before"
    assert result.err.splitlines()[:2] == ["1 type: 1 breaking", counts]
    assert "no longer allowed: 2 records\n" in result.out
    assert result.code == 1


def test_many_documents_are_counted(capsys: Capture, tmp_path: Path, old: Path, new: Path) -> None:
    lines = "".join(f"{json.dumps(one)}\n" for one in [FLIP] * 102)
    (tmp_path / "d.ndjson").write_text(lines + GOOD.decode().strip() + "\n", encoding="utf-8")
    result = run(capsys, "diff", old, new, "--data", tmp_path / "d.ndjson")

    assert result.out.count("d.ndjson:") == 100
    assert "\n… and 2 more documents no longer valid; --format json lists them all\n" in result.out
    assert "103 documents in 1 file: 102 no longer valid" in result.err
    values = run(capsys, "diff", old, new, "--data", tmp_path / "d.ndjson", "--format", "json")
    assert len(json.loads(values.out)["data"]["documents"]) == 102


def test_data_in_json(capsys: Capture, tmp_path: Path, old: Path, new: Path) -> None:
    flip = write(tmp_path / "flip.json", FLIP)
    bad = write(tmp_path / "bad.json", {"content": 3})
    result = run(
        capsys, "diff", old, new, "--format", "json", "--data", flip, "--data", bad,
        "--data", tmp_path / "missing.json", "--data", INPUTS / "broken.json",
    )  # fmt: skip

    data = json.loads(result.out)["data"]
    assert (data["checked"], data["no_longer_valid"], data["invalid_before"]) == (2, 1, 1)
    assert data["unreadable"] == 1
    assert [(one["file"], one["readable"]) for one in data["documents"]] == [
        (str(flip), True),
        (str(INPUTS / "broken.json"), False),
    ]
    (finding,) = data["documents"][0]["findings"]
    assert (finding["keyword"], finding["path"]) == ("enum", "/styles/animationType")
    assert finding["line"] == 1
    assert [one["code"] for one in data["problems"]] == [3]
    assert result.code == 3


def test_data_that_stays_valid(capsys: Capture, tmp_path: Path, old: Path) -> None:
    wider = write(tmp_path / "wide.json", titled())
    good = tmp_path / "good.json"
    good.write_bytes(GOOD)
    result = run(capsys, "diff", old, wider, "--data", good)

    assert result.code == 0
    assert "1 document in 1 file: 0 no longer valid" in result.err


def test_data_of_several_types_needs_its_type(capsys: Capture, tmp_path: Path) -> None:
    for folder in ("before", "after"):
        write(tmp_path / folder / "a.json", COUNTDOWN)
        write(tmp_path / folder / "b.json", {"$id": "b", "type": "object"})
    write(tmp_path / "data.json", FLIP)
    write(tmp_path / "document.json", {"id": "1", "type": "countdown", "data": FLIP})
    sides = (tmp_path / "before", tmp_path / "after")
    data = tmp_path / "data.json"

    result = run(capsys, "diff", *sides, "--data", data, "--data", tmp_path / "document.json")
    assert "cannot determine the widget type" in result.err
    assert "1 document in 2 files: 0 no longer valid; 1 problem" in result.err
    assert result.code == 2


def write_pairs(tmp_path: Path) -> tuple[Path, Path]:
    """Write two folders of schemas: in the newer one, a property of `card` has a similar name."""
    for folder, name in (("before", "titel"), ("after", "title")):
        card = {"properties": {name: {"type": "string"}}, "additionalProperties": False}
        flag = {"type": "boolean"}
        for id, schema in (("card", card), ("flag", flag)):
            write(tmp_path / folder / f"{id}.json", {"$schema": DRAFT_07, **schema})
    return tmp_path / "before", tmp_path / "after"


def test_only_what_is_stored_is_counted(capsys: Capture, tmp_path: Path) -> None:
    """A fix that is tried is no record."""
    before, after = write_pairs(tmp_path)
    data = write(tmp_path / "data.json", {"titel": "x"})
    sides = (before / "card.json", after / "card.json")

    shown = json.loads(run(capsys, "diff", *sides, "--data", data, "--format=json").out)

    [change] = shown["comparisons"][0]["changes"]
    assert change["stored"]["evidence"] == {"old": 1, "new": 0, "both": 0}
    assert change["stored"]["records"] == 1


def test_files_have_the_types_that_the_configuration_maps_them_to(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document of an unknown type was not valid before, so it is counted by itself."""
    monkeypatch.chdir(tmp_path)
    write_pairs(tmp_path)
    write(tmp_path / "data" / "card.json", {"titel": "x"})
    write(tmp_path / "data" / "flag.json", True)
    write(tmp_path / "data" / "other.json", {"type": "other", "id": "1", "data": {}})
    mapping = '[files]\n"data/card.json" = "card"\n"data/flag.json" = "flag"\n'
    (tmp_path / "widgetschema.toml").write_text(mapping)
    arguments = ("diff", "before", "after", "--data", "data")

    result = run(capsys, *arguments)

    said = "3 documents in 3 files: 1 no longer valid, 1 of unknown type\n"
    assert (result.code, said in result.err) == (1, True)
    data = json.loads(run(capsys, *arguments, "--format=json").out)["data"]
    assert (data["checked"], data["no_longer_valid"], data["unknown_type"]) == (3, 1, 1)

    result = run(capsys, *arguments, "--type", "card")
    assert "3 documents in 3 files: 1 no longer valid, 2 of other types\n" in result.err

    (tmp_path / "data" / "widgetschema.toml").write_text("[files\n")
    result = run(capsys, *arguments)
    assert (result.code, "data/widgetschema.toml: 1 finding\n" in result.err) == (2, True)


# What is wrong


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["countdown", "x", "y"], 2, "unexpected extra argument"),
        (["-", "-"], 2, "Only one of OLD and NEW"),
        (["countdow", "countdown"], 2, "did you mean 'countdown'?"),
        (["missing.json", "countdown"], 3, "missing.json: no such file"),
        (["countdown", str(INPUTS / "broken.json")], 3, "a comma before '}'"),
        (["countdown", str(INPUTS.parent / "stores" / "good"), "--type", "x"], 2, "'x'"),
        (["countdown", "countdown", "--plugin", "missing"], 3, "missing: no such file"),
    ],
    ids=["one", "stdin twice", "id", "file", "json", "type", "plugin"],
)
def test_mistakes(capsys: Capture, arguments: list[str], code: int, words: str) -> None:
    result = run(capsys, "diff", *arguments)

    assert words in result.err
    assert result.out == ""
    assert result.code == code


def test_a_schema_that_is_none(capsys: Capture, tmp_path: Path) -> None:
    result = run(capsys, "diff", "countdown", write(tmp_path / "a.json", {"type": "text"}))

    assert result.code == 4
    assert "a.json" in result.err
    assert "1:10" in result.err


def test_output_goes_to_a_file(capsys: Capture, tmp_path: Path, old: Path, new: Path) -> None:
    target = tmp_path / "out.txt"
    result = run(capsys, "diff", old, new, "--output", target, "-q", "--color", "always")

    assert (result.out, result.err, result.code) == ("", "", 1)
    assert "\x1b[" in target.read_text(encoding="utf-8")


def test_every_place_of_a_change_in_a_definition_is_listed_if_asked(
    capsys: Capture, tmp_path: Path
) -> None:
    files: list[str | Path] = []
    for least in (1, 2):
        uses = {name: {"$ref": "#/definitions/d"} for name in ("a", "b", "c")}
        schema = {"properties": uses, "definitions": {"d": {"minimum": least}}}
        files += ["--data-schema", write(tmp_path / f"{least}.json", schema)]
    result = run(capsys, "diff", *files)
    assert result.code == 1
    assert "  breaking /a and at 2 other places: the minimum was 1 and is 2" in result.out
    assert "also at" not in result.out
    listed = run(capsys, "diff", "--all", *files)
    assert listed.out.splitlines()[-2:] == ["      also at /b", "      also at /c"]
    (comparison,) = json.loads(run(capsys, "diff", "--format", "json", *files).out)["comparisons"]
    (change,) = comparison["changes"]
    assert [one["path"] for one in change["others"]] == ["/b", "/c"]


DRAFT_4 = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "id": "http://example.com/a.json",
    "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
}
DRAFT_7 = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$id": "http://example.com/a.json",
    "properties": {"a": {"type": "number", "exclusiveMinimum": 0}},
}


def test_a_schema_of_draft_04_is_read_as_what_it_says(capsys: Capture, tmp_path: Path) -> None:
    old, new = write(tmp_path / "old.json", DRAFT_4), write(tmp_path / "new.json", DRAFT_7)
    for one, other in ((old, new), (new, old)):
        result = run(capsys, "diff", "--data-schema", one, "--data-schema", other)
        assert result.code == 0
        assert result.out.endswith("same\n")
        assert f"{old}: read as draft-04\n" in result.err


def test_no_migration_is_proposed_for_a_schema_of_draft_04(capsys: Capture, tmp_path: Path) -> None:
    narrower = {**DRAFT_7, "properties": {"a": {"type": "number", "exclusiveMinimum": 1}}}
    old, new = write(tmp_path / "old.json", DRAFT_4), write(tmp_path / "new.json", narrower)
    result = run(capsys, "diff", "--data-schema", old, "--data-schema", new)
    assert result.code == 1
    assert "migrate plan" not in result.err
    plan = run(capsys, "migrate", "plan", "--data-schema", old, "--data-schema", new)
    assert plan.code == 4
    assert "draft-04" in plan.err


def test_a_name_that_is_neither_a_type_nor_a_file(capsys: Capture, new: Path) -> None:
    result = run(capsys, "diff", "befor", new)
    assert result.code == 2
    assert "unknown widget type 'befor'" in result.err
    assert "; there is no file or folder of this name either" in result.err
