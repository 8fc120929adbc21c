"""`--data-schema FILE`, and the table `data-schemas`: schemas of the data itself."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.command import run

Capture = pytest.CaptureFixture[str]
# As generators write them: a reference at the root, and everything in `definitions`.
SCHEMA: dict[str, Any] = {
    "$ref": "#/definitions/Note",
    "definitions": {
        "Note": {
            "type": "object",
            "additionalProperties": False,
            "required": ["title"],
            "properties": {
                "title": {"type": "string", "maxLength": 5},
                "notes": {"type": "array", "items": {"$ref": "#"}},
            },
        }
    },
}
GOOD, LONG = {"title": "short"}, {"title": "a", "notes": [{"title": "much too long"}]}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a schema of data, and data."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    write("note.schema.json", SCHEMA)
    write("good.json", GOOD)
    write("long.json", LONG)
    return folder


def write(name: str, value: Any) -> None:
    """Write a JSON file."""
    Path(name).write_text(json.dumps(value), encoding="utf-8")


def findings(capsys: Capture, *arguments: str) -> list[tuple[str, str, str]]:
    """The file, path and schema path of each finding of `validate`."""
    result = run(capsys, "validate", "--format", "json", *arguments)
    documents = json.loads(result.out)["documents"]
    return [
        (one["file"], found["path"], found["schema_path"])
        for one in documents
        for found in one["findings"]
    ]


class TestValidate:
    PLACE = "/definitions/Note/properties/title/maxLength"

    def test_findings(self, capsys: Capture) -> None:
        expected = [("long.json", "/notes/0/title", self.PLACE)]
        option = ("--data-schema", "note.schema.json")

        assert findings(capsys, "good.json", "long.json", *option) == expected
        assert findings(capsys, "good.json", "long.json", *option) == expected  # from the cache

    def test_the_schema_is_no_data_of_the_folder(self, capsys: Capture) -> None:
        result = run(capsys, "validate", ".", "--data-schema", "note.schema.json")

        assert "2 documents in 2 files: 1 valid, 1 invalid" in result.err
        assert result.schemas.startswith("schemas: note: note.schema.json (")

    def test_documents(self, capsys: Capture) -> None:
        write("document.json", {"type": "memo", "id": "1", "data": LONG})
        result = run(capsys, "validate", "document.json", "--data-schema", "note.schema.json")

        assert "document.json:1:" in result.out
        assert " /data/notes/0/title: " in result.out
        assert 'its type is "memo", but it is checked as "note" because of --data-schema' in (
            result.err
        )

    def test_a_schema_that_changes_is_noticed(self, capsys: Capture) -> None:
        option = ("long.json", "--data-schema", "note.schema.json")
        assert findings(capsys, *option)
        write("note.schema.json", True)
        assert not findings(capsys, *option)

    def test_a_folder_means_the_same(self, capsys: Capture) -> None:
        os.mkdir("own")
        write("own/note.json", SCHEMA)
        for _ in range(2):  # the second time from the cache
            for option in (
                ("--schemas", "own", "--type", "note"),
                ("--data-schema=own/note.json",),
            ):
                assert not findings(capsys, "good.json", *option)
                assert findings(capsys, "long.json", *option)

    def test_both_readings_of_a_file_have_results_of_their_own(self, capsys: Capture) -> None:
        os.mkdir("own")
        part = {"type": "object", "required": ["title"]}
        write("own/x.json", {"required": ["data", "size"], "properties": {"data": part}})
        write("x.json", {**GOOD, "data": GOOD, "size": 1})
        for _ in range(2):  # the second time from the cache
            for decided, code in (("data", 0), ("document", 0), (None, 4)):
                text = "" if decided is None else f'[types.x]\ndescribes = "{decided}"\n'
                Path("widgetschema.toml").write_text(text, encoding="utf-8")
                option = ("--schemas", "own", "--type", "x", "--as", "data")
                assert run(capsys, "validate", "x.json", *option).code == code
                bare = 1 if decided == "data" else code
                assert run(capsys, "validate", "good.json", *option).code == bare

    def test_a_schema_by_which_any_data_is_valid(self, capsys: Capture) -> None:
        os.mkdir("own")
        write("own/note.json", {"title": "A note"})
        option = ("--schemas", "own", "--type", "note")
        for command in ("validate", "audit"):
            for _ in range(2):  # the second time from the cache
                result = run(capsys, command, "good.json", *option)
                assert result.code == 4
                assert "it describes the data itself, but can refuse no data" in result.err
        Path("widgetschema.toml").write_text('types.note.describes = "data"', encoding="utf-8")
        for command in ("validate", "audit"):
            assert run(capsys, command, "good.json", *option).code == 0

    def test_an_output_does_not_replace_it(self, capsys: Capture) -> None:
        before = Path("note.schema.json").read_bytes()
        option = ("--data-schema", "note.schema.json", "--output", "note.schema.json")
        for arguments in (("validate", "good.json", "--format", "json"), ("sample",)):
            result = run(capsys, *arguments, *option)
            assert result.code == 2
            assert "hoose another name" in " ".join(result.err.split())
        assert Path("note.schema.json").read_bytes() == before

    @pytest.mark.parametrize(
        ("file", "code", "says"),
        [
            ("none.json", 3, "none.json: No such file or directory"),
            ("-", 2, "--data-schema needs the name of a file."),
            ("broken.json", 4, "broken.json: 1 finding\n  1:10 anyOf /type: "),
            ("document.json", 4, "so it describes widget documents, and not the data itself"),
        ],
    )
    def test_unusable_schemas(self, capsys: Capture, file: str, code: int, says: str) -> None:
        write("broken.json", {"type": "text"})
        write("document.json", {"allOf": [{"$ref": "plugin"}]})
        result = run(capsys, "validate", "good.json", "--data-schema", file)

        assert result.code == code
        assert says in result.err


def test_samples(capsys: Capture) -> None:
    result = run(capsys, "sample", "--data-schema", "note.schema.json", "--count", "3")
    assert result.code == 0
    Path("samples.ndjson").write_text(result.out, encoding="utf-8")
    assert not findings(capsys, "samples.ndjson", "--data-schema", "note.schema.json")

    document = run(capsys, "sample", "memo", "--data-schema", "note.schema.json", "--as=document")
    assert json.loads(document.out)["type"] == "memo"


def test_forms(capsys: Capture) -> None:
    result = run(capsys, "form", "--data-schema", "note.schema.json", "--export", "rjsf")
    assert list(json.loads(result.out)["schema"]["properties"]) == ["title", "notes"]

    result = run(capsys, "form", "--data-schema", "note.schema.json", "good.json")
    assert result.code == 2
    assert "good.json exists already" in " ".join(result.err.split())


def test_editing(capsys: Capture) -> None:
    write("records.json", [GOOD, GOOD])
    option = ("--data-schema", "note.schema.json", "--at", "/7", "--no-browser")
    result = run(capsys, "edit", "records.json", *option)

    assert result.code != 0
    assert "cannot determine the widget type" not in result.err


@pytest.mark.parametrize("command", ["sample", "form"])
def test_without_a_type(capsys: Capture, command: str) -> None:
    result = run(capsys, command)

    assert result.code == 2
    assert "Missing argument 'ID', or option '--data-schema'." in result.err


@pytest.mark.parametrize("command", ["sample", "form"])
def test_schemas_in_a_folder(capsys: Capture, command: str) -> None:
    os.mkdir("own")
    write("own/closed.json", {"additionalProperties": False})
    write("own/open.json", {"properties": {"title": {}}})
    write("own/chart.json", {"required": ["data", "options"]})
    export = ["--export", "rjsf"] if command == "form" else []
    for id, code, says in (
        ("closed", 0, ""),
        ("open", 4, "it describes the data itself, but can refuse no data"),
        ("chart", 4, '[types.chart] describes = "data" or "document"'),
    ):
        result = run(capsys, command, id, "--schemas", "own", *export)
        assert (result.code, says in result.err) == (code, True)


class TestDiff:
    OLD, NEW = ("--data-schema", "note.schema.json"), ("--data-schema", "new.json")

    @pytest.fixture(autouse=True)
    def newer(self) -> None:
        """A newer schema, which is narrower."""
        text = Path("note.schema.json").read_text(encoding="utf-8")
        Path("new.json").write_text(text.replace("5", "3"), encoding="utf-8")

    def test_two_files(self, capsys: Capture) -> None:
        result = run(capsys, "diff", *self.OLD, *self.NEW, "--data", "good.json")

        assert result.code == 1
        assert "breaking /title: the maxLength was 5 and is 3" in result.out
        assert "good.json:1:11: maxLength /title: " in result.out
        assert "1 document in 1 file: 1 no longer valid" in result.err

    def test_an_id_and_a_file(self, capsys: Capture) -> None:
        write("widgetschema.toml", {})
        Path("widgetschema.toml").write_text('data-schemas = {note = "note.schema.json"}\n')
        result = run(capsys, "diff", "note", *self.NEW)

        assert result.code == 1
        assert "breaking /title: the maxLength was 5 and is 3" in result.out

    @pytest.mark.parametrize("command", ["diff", "migrate plan"])
    def test_a_pair_is_read_by_one_decision(self, capsys: Capture, command: str) -> None:
        result = run(capsys, *command.split(), *self.NEW, "countdown")

        assert (result.code, result.out) == (4, "")
        assert "OLD is countdown, and NEW is new.json" in result.err
        assert (
            "the older version describes widget documents, but the newer one the data itself"
            in (result.err)
        )

    @pytest.mark.parametrize("command", ["diff", "migrate plan"])
    def test_without_an_option(self, capsys: Capture, command: str) -> None:
        files = ("note.schema.json", "new.json")
        result = run(capsys, *command.split(), *files)
        options = run(capsys, *command.split(), *self.OLD, *self.NEW)

        assert result.code == options.code == (1 if command == "diff" else 0)
        assert result.out.replace("\ndata-schema = true", "") == (
            options.out.replace("\ndata-schema = true", "")
        )

    def test_folders(self, capsys: Capture) -> None:
        for folder, file in (("a", "note.schema.json"), ("b", "new.json")):
            os.mkdir(folder)
            Path(folder, "note.schema.json").write_bytes(Path(file).read_bytes())
        result = run(capsys, "diff", "a", "b")

        assert result.code == 1
        assert "note: breaking" in result.out
        assert "breaking /title: the maxLength was 5 and is 3" in result.out

    def test_three_files(self, capsys: Capture) -> None:
        result = run(capsys, "diff", "countdown", *self.OLD, *self.NEW)

        assert result.code == 2
        assert "Only two schemas can be compared" in result.err


class TestAudit:
    @pytest.fixture(autouse=True)
    def records(self) -> None:
        """Records of data, and of documents."""
        lines = [GOOD, LONG, {"id": "7", "type": "memo", "data": LONG}]
        text = "".join(json.dumps(one) + "\n" for one in lines * 60)
        Path("records.ndjson").write_text(text, encoding="utf-8")

    def counts(self, capsys: Capture, *options: str) -> tuple[int, int]:
        """The numbers of checked and of invalid records."""
        result = run(capsys, "audit", "records.ndjson", "--format", "json", *options)
        records = json.loads(result.out)["records"]
        return records["checked"], records["invalid"]

    def test_records(self, capsys: Capture) -> None:
        option = ("--data-schema", "note.schema.json")
        whole = run(capsys, "audit", "records.ndjson", *option)
        assert "180 records in 1 source: 60 valid, 120 invalid; 120 findings" in whole.out
        assert "maxLength /data/notes/*/title" in whole.out

        other = run(capsys, "audit", "records.ndjson", *option, "--partition-size", "4KiB")
        assert other.out.splitlines()[0] == whole.out.splitlines()[0]

    def test_only_what_was_valid_before(self, capsys: Capture) -> None:
        write("wider.json", True)
        option = ("--data-schema", "note.schema.json", "--against", "wider.json")
        result = run(capsys, "audit", "records.ndjson", *option)

        assert "120 no longer valid" in result.out

    def test_against_the_same(self, capsys: Capture) -> None:
        option = ("--data-schema", "note.schema.json", "--against", "note.schema.json")
        result = run(capsys, "audit", "records.ndjson", *option)

        assert result.code == 2
        assert "these are the very schemas" in " ".join(result.err.split())


class TestConfigured:
    @pytest.fixture(autouse=True)
    def configured(self) -> None:
        """A configuration that maps files to a type with a schema of data."""
        text = 'files = {"data/*.json" = "memo"}\n[data-schemas]\nmemo = "note.schema.json"\n'
        Path("widgetschema.toml").write_text(text, encoding="utf-8")
        os.mkdir("data")
        write("data/long.json", LONG)

    def test_mapped_files(self, capsys: Capture) -> None:
        assert findings(capsys) == [("data/long.json", "/notes/0/title", TestValidate.PLACE)]

    def test_files_that_name_the_schema(self, capsys: Capture) -> None:
        write("named.json", {"$schema": "./note.schema.json", **LONG})

        assert [path for _, path, _ in findings(capsys, "named.json")] == ["/notes/0/title"]

    def test_types(self, capsys: Capture) -> None:
        result = run(capsys, "types")

        assert [line.split()[0] for line in result.out.splitlines()] == ["ID", "memo", "countdown"]
        assert result.err == ""

    def test_doctor(self, capsys: Capture) -> None:
        assert run(capsys, "doctor", "--offline").code == 0

        write("note.schema.json", {"type": "text"})
        result = run(capsys, "doctor", "--offline")
        assert "anyOf /type" in result.out

    def test_an_option_adds_to_it(self, capsys: Capture) -> None:
        write("wider.json", {"properties": {"title": {"$ref": "memo#/definitions/Note"}}})

        found = findings(capsys, "good.json", "--data-schema", "wider.json")
        assert [path for _, path, _ in found] == ["/title"]


@pytest.mark.parametrize("command", ["validate", "audit", "sample", "form", "diff"])
@pytest.mark.parametrize("file", ["none.json", "broken.json"])
def test_a_schema_that_cannot_be_read(capsys: Capture, command: str, file: str) -> None:
    Path("broken.json").write_text("{", encoding="utf-8")
    files = {"validate": ["good.json"], "audit": ["good.json"], "form": ["--export", "html"]}
    files["diff"] = ["--data-schema", "note.schema.json"]
    result = run(capsys, command, *files.get(command, []), "--data-schema", file)

    assert (result.code, file in result.err) == (3, True)


@pytest.mark.parametrize("command", ["validate", "audit", "sample", "form", "edit"])
def test_two_schemas_for_one_run(capsys: Capture, command: str) -> None:
    given = ("good.json", "--data-schema", "note.schema.json", "--data-schema", "other.json")
    result = run(capsys, command, *given)

    assert (result.code, result.out) == (2, "")
    assert "Pass --data-schema only once." in result.err


def test_a_file_taken_for_an_id(capsys: Capture) -> None:
    result = run(capsys, "sample", "--data-schema", "note.schema.json", "good.json")

    assert (result.code, result.out) == (2, "")
    assert "ID must be a widget type, but good.json is a file" in " ".join(result.err.split())


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("validate", "--output"),
        ("audit", "--findings"),
        ("audit", "--invalid-ids"),
        ("audit", "--quarantine"),
        ("audit", "--html"),
    ],
)
@pytest.mark.parametrize("name", ["long.json", "long.yaml"])
def test_data_taken_for_an_output(capsys: Capture, command: str, option: str, name: str) -> None:
    # A shell wrote the names of *.json where the file of the option was forgotten.
    text = json.dumps(LONG) if name.endswith("json") else "notes: []\n"
    Path(name).write_text(text, encoding="utf-8")
    result = run(capsys, command, "--data-schema", "note.schema.json", option, name, "good.json")

    assert (result.code, result.out) == (2, "")
    assert f"cannot be written to {name}: it already exists" in " ".join(result.err.split())
    assert Path(name).read_text(encoding="utf-8") == text


def test_earlier_outputs_are_replaced(capsys: Capture) -> None:
    audit = ["audit", "long.json", "--findings", "f.ndjson", "--invalid-ids", "i.txt"]
    audit += ["--quarantine", "q.ndjson", "--html", "page.html"]
    validate = ["validate", "long.json", "--output", "text.txt", "--format", "text"]
    for name in ("json", "ndjson", "sarif", "junit", "gitlab", "github", "markdown"):
        validate += ["--format", f"{name}={name}.json"]
    for command in (audit, validate):
        for _ in range(2):
            result = run(capsys, *command, "--data-schema", "note.schema.json")
            assert result.code == 1, result.err
    assert Path("q.ndjson").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["validate", "audit", "diff"])
def test_data_taken_for_a_schema(capsys: Capture, command: str) -> None:
    files = {
        "validate": ("note.schema.json", "--data-schema", "good.json"),
        "audit": ("note.schema.json", "--data-schema", "good.json"),
        "diff": ("note.schema.json", "good.json"),
    }
    result = run(capsys, command, *files[command])

    assert result.code == 4
    assert "good.json: this seems to be data, not a schema: no property is a keyword" in (
        result.err
    )


@pytest.mark.parametrize("command", ["validate", "audit", "sample", "form", "diff"])
def test_a_misspelt_keyword_is_told(capsys: Capture, command: str) -> None:
    write("typo.schema.json", {"type": "object", "proprties": {"a": {}}, "requird": ["a"]})
    arguments = {
        "validate": ["good.json"],
        "audit": ["good.json"],
        "diff": ["--data-schema", "typo.schema.json"],
        "form": ["--export", "rjsf"],
    }
    times = 2 if command == "diff" else 1
    for _ in range(2):  # also from the cache
        result = run(
            capsys, command, "--data-schema", "typo.schema.json", *arguments.get(command, ())
        )

        assert result.code == 0
        assert (
            result.err.count('unknown keyword "proprties", which has no effect: did you') == times
        )
        assert "(and 1 more); --strict-schema refuses such schemas" in result.err


@pytest.mark.parametrize("command", ["validate", "audit", "sample", "form"])
def test_a_keyword_of_another_draft_is_told_of_schemas_of_documents_too(
    capsys: Capture, command: str
) -> None:
    Path("later").mkdir()
    data = {"type": "object", "dependentRequired": {"title": ["text"]}}
    write("later/note.json", {"properties": {"data": data}})
    arguments = {"validate": ["good.json"], "audit": ["good.json"], "form": ["--export", "rjsf"]}
    named = ["--type", "note"] if command in arguments and command != "form" else ["note"]
    for _ in range(2):  # also from the cache
        result = run(capsys, command, *named, "--schemas", "later", *arguments.get(command, ()))

        assert result.code == 0
        said = '"dependentRequired" is a keyword of 2019-09, and has no effect in draft-07'
        assert result.err.count(said) == 1


@pytest.mark.parametrize("kind", ["data", "document"])
def test_no_baseline_excuses_that_a_schema_was_read_as_one_of_documents(
    capsys: Capture, tmp_path: Path, kind: str
) -> None:
    """Else whatever is in the file later would be called known."""
    schemas = tmp_path / "schemas"
    schemas.mkdir()
    closed = {"additionalProperties": False, "properties": {"title": {"type": "string"}}}
    (schemas / "note.json").write_text(json.dumps(closed), encoding="utf-8")
    Path("widgetschema.toml").write_text('types.note.describes = "document"', encoding="utf-8")
    write("long.json", LONG if kind == "data" else {"data": LONG})
    wrong = ("validate", "long.json", "--schemas", str(schemas), "--type", "note", "--as", kind)
    result = run(capsys, *wrong, "--write-baseline", "--format", "json")
    baseline = json.loads(Path("widgetschema-baseline.json").read_text(encoding="utf-8"))

    assert result.code == 1
    assert baseline["findings"] == []

    [document] = json.loads(result.out)["documents"]
    [finding] = document["findings"]
    names = ("keyword", "path", "fingerprint")
    entry = {"file": "long.json", **{name: finding[name] for name in names}}
    write("widgetschema-baseline.json", {**baseline, "findings": [entry]})
    result = run(capsys, *wrong)

    assert result.code == 1
    assert "no longer found" not in result.out + result.err


def test_a_file_in_place_of_a_folder_is_told_the_option(capsys: Capture) -> None:
    result = run(capsys, "validate", "good.json", "--schemas", "note.schema.json")

    assert result.code == 4
    assert "this is a file; if it is a schema, pass: --data-schema note.schema.json" in result.err
