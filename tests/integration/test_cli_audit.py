"""`widgetschema audit`: what people see, what is written, and what cannot be asked for."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import BAD, GOOD, Run, environment, run, run_process
from tests.many_widgets import widgets, write
from tests.terminal import Terminal
from widgetschema.audit.pipeline.audit_options import AuditOptions
from widgetschema.audit.pipeline.auditing import audit as audited
from widgetschema.catalog.store import bundled
from widgetschema.sandbox import running

SCHEMAS = ["--type=countdown"]
DRIFT = Path(__file__).parents[1] / "data" / "drift"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in: 300 widgets, three of which have a mistake."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "here"
    folder.mkdir()
    write(folder / "w.ndjson", 300)
    monkeypatch.chdir(folder)
    return folder


def audit(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    return run(capsys, "audit", *SCHEMAS, *arguments)


def summary(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    return json.loads(audit(capsys, "--format=json", *arguments).out)


def document(id: str, data: str, **more: Any) -> bytes:
    record = {"id": id, "type": "countdown", "updated": "2026-11-03T10:00:00.000Z", **more}
    return json.dumps({**record, "data": json.loads(data)}, separators=(",", ":")).encode() + b"\n"


def test_the_configuration_says_of_which_type_records_are(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An array is one record where its type allows that."""
    (here / "schemas").mkdir()
    for name, type in (("flag", "boolean"), ("list", "array")):
        schema = {"$schema": "http://json-schema.org/draft-07/schema#", "type": type}
        (here / "schemas" / f"{name}.json").write_text(json.dumps(schema))
    (here / "f.ndjson").write_text("true\nfalse\n3\n")
    (here / "l.json").write_text("[1, 2]")
    (here / "d.ndjson").write_bytes(document("1", GOOD.decode()))
    mapping = '[files]\n"f.*" = "flag"\n"l.*" = "list"\n"d.*" = "flag"\n'
    (here / "widgetschema.toml").write_text(mapping)

    result = run(capsys, "audit", "f.ndjson", "l.json", "d.ndjson", "--format=json")

    types = json.loads(result.out)["types"]
    assert {one["type"]: (one["valid"], one["invalid"]) for one in types} == {
        "flag": (2, 1),
        "list": (1, 0),
        "countdown": (1, 0),
    }


class TestWhatIsTold:
    def test_all_is_well(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "good.ndjson").write_bytes((GOOD + b"\n") * 1_234)

        result = audit(capsys, "good.ndjson")

        assert (result.code, result.err) == (0, "")
        assert result.out == "1,234 records in 1 source: all valid\n"
        assert result.schemas.startswith("schemas: countdown: ")

    def test_what_breaks_where(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        bad = document("w-1", BAD.decode()) + document("w\n2", GOOD.decode())
        lines = bad + document("w-3", BAD.decode().replace("3", "4")) + b"{\n"
        (here / "d.ndjson").write_bytes(lines)

        result = run(capsys, "audit", "d.ndjson")

        assert result.code == 3
        assert result.out == (
            "4 records in 1 source: 1 valid, 2 invalid, 1 unreadable; 3 findings\n"
            "2 records: countdown: type /data/styles/fontId: "
            "the value is a number, but must be a string\n"
            "  values: 3 (1), 4 (1)\n"
            "  d.ndjson:1 w-1: 3 is a number, but must be a string\n"
            "  d.ndjson:3 w-3: 4 is a number, but must be a string\n"
            "1 record: json.syntax (root): the text ends inside an object: '}' is missing\n"
            "  d.ndjson:4\n"
        )
        assert "every finding: --findings FILE" in result.err

    def test_the_same_in_every_way(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "w.ndjson.gz").write_bytes(gzip.compress((here / "w.ndjson").read_bytes()))
        expected = summary(capsys, "w.ndjson")

        assert (expected["records"], expected["invalid"]) == (300, 3)
        assert expected["complete"] is True
        for more in (
            ["--jobs=2"],
            ["--engine=python"],
            ["--no-formats"],
            ["--partition-size=4KiB"],
        ):
            told = summary(capsys, "w.ndjson", *more)
            assert {**told, "partitions": 0} == {**expected, "partitions": 0}
        packed = json.dumps(summary(capsys, "w.ndjson.gz")).replace("w.ndjson.gz", "w.ndjson")
        assert json.loads(packed)["places"] == expected["places"]

    def test_standard_input(self, here: Path) -> None:
        raw = widgets(300)

        result = run_process("audit", *SCHEMAS, "-", "--jobs=2", "w.ndjson", stdin=raw, cwd=here)

        assert result.code == 1
        assert result.out.startswith("600 records in 2 sources: 594 valid, 6 invalid; ")
        assert "  -:100\n" in result.out

    def test_nothing_to_check(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "empty.ndjson").touch()

        assert audit(capsys, "empty.ndjson").out == "0 records in 1 source: nothing to check\n"
        gone = audit(capsys, "gone.ndjson")
        assert gone.code == 3
        assert gone.out.startswith("0 records in 0 sources: 1 problem\ngone.ndjson: ")

    def test_of_very_much_the_beginning(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = {"content": {}, "settings": {}, "styles": {f"x{number}": 1 for number in range(50)}}
        (here / "odd.ndjson").write_text(json.dumps(data) + "\n")

        lines = audit(capsys, "odd.ndjson").out.splitlines()

        assert len([line for line in lines if line.startswith("1 record: ")]) <= 20
        assert len(lines) < 80

    def test_several_types(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "schemas").mkdir()
        faq = {"$id": "faq", "properties": {"data": {"type": "object", "maxProperties": 1}}}
        (here / "schemas" / "faq.json").write_text(json.dumps(faq))
        lines = document("1", "{}", type="faq") + document("2", '{"a":1,"b":2}', type="faq")
        lines += document("3", GOOD.decode()) + document("4", "{}", type="other")
        (here / "d.ndjson").write_bytes(lines)

        result = run(capsys, "audit", "--schemas=schemas", "d.ndjson")

        assert result.code == 1
        assert result.out.splitlines()[:3] == [
            "4 records in 1 source: 2 valid, 1 invalid, 1 of unknown type; 2 findings",
            "  countdown: 1 record",
            "  faq: 2 records, 1 invalid",
        ]

    def test_quiet(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        result = audit(capsys, "w.ndjson", "--quiet")

        assert (result.code, result.err, result.schemas) == (1, "", "")
        assert result.out

    def test_names_that_a_terminal_would_obey(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "\x1b[31m\u202e.ndjson").write_bytes(document("\x1b]0;x\x07", BAD.decode()))

        result = run(capsys, "audit", "--type=countdown", ".")

        assert result.code == 1
        assert not set(result.out) & set("\x1b\x07\u202e")


class TestAgainst:
    @pytest.fixture(autouse=True)
    def widgets(self, here: Path) -> None:
        flips = '{"content":{},"settings":{"showTitle":true},"styles":{"animationType":"flip"}}'
        kept = flips.replace("flip", "tick")
        lines = [document("1", flips), document("2", kept), document("3", BAD.decode())]
        (here / "d.ndjson").write_bytes(b"".join(lines))

    @pytest.mark.parametrize("old", [str(bundled().folder), "old.json"], ids=["folder", "file"])
    def test_whom_a_change_breaks(
        self, old: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "old.json").write_text(json.dumps(bundled()["countdown"]))

        result = run(
            capsys, "audit", "d.ndjson", "--against", old, "--schemas", DRIFT, "--findings=f"
        )

        assert result.code == 1
        assert result.out.startswith(
            "3 records in 1 source: 1 valid, 1 no longer valid, 1 invalid before; 1 finding\n"
        )
        [line] = (here / "f").read_text().splitlines()
        assert json.loads(line)["id"] == "1"
        told = "bundled" if old != "old.json" else old
        assert f"older schemas: countdown: {told} (" in result.err

    @pytest.mark.parametrize("pinned", [False, True])
    def test_a_type_by_its_id_is_the_one_from_before(
        self, pinned: bool, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        if pinned:
            shutil.copytree(bundled().folder, here / "schemas")

        result = run(capsys, "audit", "d.ndjson", "--against", "countdown", "--schemas", DRIFT)

        assert result.code == 1
        assert result.out.startswith(
            "3 records in 1 source: 1 valid, 1 no longer valid, 1 invalid before; 1 finding\n"
        )
        assert (
            f"older schemas: countdown: {'schemas/countdown.json' if pinned else 'bundled'} ("
            in (result.err.replace(f"{here}/", ""))
        )

    @pytest.mark.parametrize(
        "arguments",
        [
            ("countdown",),
            (str(bundled().folder),),
            (str(bundled().folder), "--type", "countdown"),
            ("old.json",),
            (DRIFT, "--schemas", DRIFT),
        ],
    )
    def test_a_schema_is_not_compared_with_itself(
        self, arguments: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "old.json").write_text(json.dumps(bundled()["countdown"]))

        result = run(capsys, "audit", "d.ndjson", "--against", *arguments)

        assert result.code == 2
        assert f"--against {arguments[0]}: these are the very schemas" in result.err
        assert not result.out

    def test_another_base_schema_is_another_schema(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = here / "newer"
        folder.mkdir()
        stricter = {**bundled()["plugin"], "required": ["owner"]}
        for name, schema in (("plugin", stricter), ("countdown", bundled()["countdown"])):
            (folder / f"{name}.json").write_text(json.dumps(schema))
        assert run(capsys, "types", "--schemas", "newer", "--pin").code == 0

        result = run(capsys, "audit", "d.ndjson", "--against", "countdown", "--schemas", "newer")

        assert result.code == 1, result.err
        assert "no longer valid" in result.out

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (
                ("--type-pointer", "kind"),
                "'kind' is not a JSON Pointer to a property: write /kind.",
            ),
            (("--data-pointer", "a/b"), "'a/b' is not a JSON Pointer to a property: write /a/b."),
            (
                ("--data-pointer", "$.a.b"),
                "'$.a.b' is not a JSON Pointer to a property: write /a/b.",
            ),
            (("--data-pointer", ""), "'' is not a JSON Pointer to a property"),
            (("--id-pointer", "/a~b"), "write ~0 for ~, and ~1 for /."),
            (("--data-pointer", "/a", "--as", "data"), "--data-pointer and --as cannot be"),
        ],
    )
    def test_pointers_that_cannot_be_meant(
        self, arguments: tuple[str, ...], said: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        result = run(capsys, "audit", "d.ndjson", *arguments)
        assert result.code == 2
        assert said in result.err

    def test_an_older_schema_that_does_not_say_of_which_type(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "old.json").write_text('{"properties": {"data": {}}}')

        result = run(capsys, "audit", "d.ndjson", "--against", "old.json")
        assert result.code == 2
        assert "pass --type ID" in result.err

        result = run(capsys, "audit", "d.ndjson", "--against", "old.json", "--type=countdown")
        assert result.code == 1

    @pytest.mark.parametrize("old", ["countdown", "old.json", "old"])
    def test_types_that_the_older_schemas_lack_are_not_compared(
        self, old: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        schema = {"$id": "banner", "properties": {"data": {"required": ["text"]}}}
        shutil.copytree(bundled().folder, here / "new")
        (here / "new" / "manifest.json").unlink()
        (here / "new" / "banner.json").write_text(json.dumps(schema))
        older = here / old if old.endswith(".json") else here / "old" / "countdown.json"
        older.parent.mkdir(exist_ok=True)
        older.write_text((Path(DRIFT) / "countdown.json").read_text())
        (here / "d.ndjson").write_text('{"type": "banner", "id": "1", "data": {}}\n' * 3)
        if old == "countdown":  # what is pinned here, and not what is checked by
            (here / "new" / "countdown.json").write_text(older.read_text())

        result = run(
            capsys, "audit", "d.ndjson", "--against", old, "--schemas", "new", "--html", "page.html"
        )

        assert result.code == 4
        assert "none became invalid" not in result.out
        assert "3 invalid before, 1 problem" in result.out
        assert "d.ndjson:1: the older schemas have no widget type 'banner'" in result.out
        page = (here / "page.html").read_text()
        assert "No widget became invalid, but not everything could be checked" in page
        assert "the older schemas have no widget type" in page

    def test_an_older_schema_of_another_type(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shutil.copytree(bundled().folder, here / "new")
        (here / "new" / "manifest.json").unlink()
        (here / "new" / "banner.json").write_text('{"$id": "banner"}')

        result = run(
            capsys, *"audit d.ndjson --against countdown --type banner --schemas new".split()
        )

        assert result.code == 2
        assert "--against countdown is a schema of widget type 'countdown', but" in result.err

    def test_an_older_schema_that_is_not_there(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(capsys, "audit", "d.ndjson", "--against", "gone/old.json").code == 3
        result = run(capsys, "audit", "d.ndjson", "--against", "countdwon")
        assert result.code == 2
        assert "countdown" in result.err


class TestWhatIsWritten:
    def test_findings_and_ids(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        lines = [document(f"w-{number}\u202e", BAD.decode()) for number in range(3)]
        (here / "d.ndjson").write_bytes(b"".join(lines) + BAD + b"\n")

        result = audit(capsys, "d.ndjson", "--findings=f.ndjson", "--invalid-ids=ids")

        assert result.code == 1
        found = [json.loads(line) for line in (here / "f.ndjson").read_text().splitlines()]
        assert [one["line"] for one in found] == [1, 2, 3, 4]
        assert [one["id"] for one in found] == ["w-0\u202e", "w-1\u202e", "w-2\u202e", None]
        assert {one["type"] for one in found} == {"countdown"}
        ids = (here / "ids").read_text(encoding="utf-8").splitlines()
        assert ids[:3] == ["w-0\u202e", "w-1\u202e", "w-2\u202e"]
        assert ids[3] == "d.ndjson:4"
        assert sorted(path.name for path in here.iterdir()) == [
            "d.ndjson",
            "f.ndjson",
            "ids",
            "w.ndjson",
        ]

    def test_findings_to_standard_output(self, here: Path) -> None:
        result = run_process("audit", *SCHEMAS, "w.ndjson", "--findings=-", cwd=here)

        assert result.code == 1
        found = [json.loads(line) for line in result.out.splitlines()]
        assert len(found) >= 3
        assert result.err.startswith("300 records in 1 source: 297 valid, 3 invalid; ")
        ids = run_process("audit", *SCHEMAS, "w.ndjson", "--invalid-ids=-", cwd=here)
        assert ids.out == "w.ndjson:100\nw.ndjson:200\nw.ndjson:300\n"

    def test_a_page(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert audit(capsys, "w.ndjson", "--html=report.html").code == 1

        page = (here / "report.html").read_text(encoding="utf-8")
        assert page.startswith("<!doctype html>")
        assert "Audit of w.ndjson" in page

    def test_what_is_written_is_no_input(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        outputs = ["--findings=f.ndjson", "--invalid-ids=ids.jsonl"]
        first = summary(capsys, ".", *outputs)

        assert summary(capsys, ".", *outputs) == first
        assert summary(capsys, "*.ndjson", *outputs)["records"] == 300

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    @pytest.mark.parametrize("option", ["--findings", "--invalid-ids", "--html"])
    def test_what_cannot_be_written(
        self, option: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        name = "/dev/full"
        other = "--invalid-ids=ids" if option != "--invalid-ids" else "--findings=ids"

        result = audit(capsys, "w.ndjson", f"{option}={name}", other)

        assert result.code == 3
        assert f"{name}: cannot be written: " in result.err
        assert result.out.startswith("300 records in 1 source: 297 valid, 3 invalid")
        assert len((here / "ids").read_text().splitlines()) >= 3
        assert sorted(path.name for path in here.iterdir()) == ["ids", "w.ndjson"]

    def test_nobody_reads_on(self, here: Path) -> None:
        write(here / "many.ndjson", 10_000)
        with subprocess.Popen(
            [
                sys.executable,
                "-m",
                "widgetschema",
                "audit",
                *SCHEMAS,
                "--findings=-",
                "many.ndjson",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=here,
            env=environment(),
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read().decode()
        assert process.returncode == 1
        assert "standard output" not in said
        assert "10,000 records" in said


class TestUsage:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ([], "Missing argument 'PATH...'"),
            (["w.ndjson", "--findings=w.ndjson"], "it is one of the inputs"),
            (["w.ndjson", "--html=sub/../w.ndjson"], "it is one of the inputs"),
            (["w.ndjson", "--findings=x", "--html=./x"], "Two outputs cannot share the file"),
            (["w.ndjson", "--findings=."], "is a folder"),
            (["w.ndjson", "--findings="], "needs a name"),
            (["w.ndjson", "--html=gone/x"], "The folder of gone/x does not exist"),
            (["w.ndjson", "--html=-"], "--html needs the name of a file"),
            (
                ["w.ndjson", "--findings=-", "--invalid-ids=-"],
                "--findings and --invalid-ids cannot share standard output",
            ),
            (["w.ndjson", "--against=old.json", "--html=old.json"], "--against names it"),
            (["w.ndjson", "--against=old", "--html=old/x.json"], "--against names it"),
            (["-", "--resume"], "--resume cannot continue standard input"),
            (["-", "--against=-"], "Only one of PATH and --against"),
            (["-", "--scheduler=tcp://x:1"], "cannot read standard input"),
            (["w.ndjson", "--scheduler=tcp://x:1", "--jobs=2"], "cannot be combined"),
            (["w.ndjson", "--config=x", "--no-config"], "cannot be combined"),
            (["w.ndjson", "--partition-size=much"], "'much' is not a size"),
            (["w.ndjson", "--partition-size=16 MiB of"], "is not a size"),
            (["w.ndjson", "--partition-size=4095"], "is not between 4KiB"),
            (["w.ndjson", "--partition-size=99999TB"], "is not between 4KiB"),
            (["w.ndjson", "--examples=101"], "--examples"),
            (["w.ndjson", "--type=countdwon"], "countdown"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_what_cannot_be_asked_for(
        self, arguments: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "sub").mkdir()
        (here / "old").mkdir()
        for name in ("old.json", "old/x.json"):
            (here / name).write_text(json.dumps(bundled()["countdown"]))
        before = (here / "w.ndjson").read_bytes()

        result = run(capsys, "audit", *arguments)

        assert (result.code, result.out) == (2, "")
        assert said in " ".join(result.err.split())
        assert (here / "w.ndjson").read_bytes() == before

    @pytest.mark.parametrize("size", ["65536", "64KiB", "64 kib", "64K", "0.1MB", "1M", "1GB"])
    def test_sizes(self, size: str, capsys: pytest.CaptureFixture[str]) -> None:
        result = audit(capsys, "w.ndjson", "--partition-size", size)
        assert result.code == (2 if "." in size else 1)

    def test_schemas_of_the_platform(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        schema = {"$id": "faq", "properties": {"data": {"type": "object", "maxProperties": 1}}}
        lines = document("1", "{}", type="faq") + document("2", '{"a":1,"b":2}', type="faq")
        (here / "d.ndjson").write_bytes(lines)
        with running() as sandbox:
            sandbox.set_schema("faq", schema)
            variables = environment(
                WIDGETSCHEMA_BASE_URL=sandbox.base_url,
                WIDGETSCHEMA_AUTH_URL=sandbox.auth_url,
                WIDGETSCHEMA_ACCESS_TOKEN=sandbox.access_token(),
            )
            for name, value in variables.items():
                monkeypatch.setenv(name, value)
            fetching = ("audit", "d.ndjson", "--fetch=refresh")
            asked = run_process(*fetching, cwd=here)
            typed = run_process(*fetching, "--type=faq", "--jobs=2", "--resume", cwd=here)
            refused = run_process(*fetching, "--resume", cwd=here)
        assert (asked.code, typed.code, refused.code) == (1, 1, 2)
        assert asked.out.startswith("2 records in 1 source: 1 valid, 1 invalid; 1 finding\n")
        assert typed.out == asked.out
        assert "widgetschema pull" in refused.err


def test_somebody_who_waits_sees_how_far_it_is(here: Path) -> None:
    command = [sys.executable, "-m", "widgetschema", "audit", *SCHEMAS, "-"]
    record, sent = widgets(1), 0
    with Terminal(command, here, environment(COLUMNS="120"), stdin=subprocess.PIPE) as screen:
        assert screen.process.stdin is not None
        while "MB/s" not in screen.look():  # there is always more to do until it is shown
            assert screen.process.poll() is None, screen.shown
            screen.process.stdin.write(record)
            sent += 1
        screen.process.stdin.close()
        screen.wait_for(f"{sent:,} records in 1 source: all valid")
    assert "checking  " in screen.shown


def test_a_long_run_shows_a_bar(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Looked()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    seconds = itertools.count()  # whenever somebody looks at the clock, a second has gone by

    code = audited(
        AuditOptions(inputs=("w.ndjson",), type_id="countdown"), clock=lambda: float(next(seconds))
    )

    assert code == 1
    assert capsys.readouterr().out.startswith("300 records in 1 source: 297 valid, 3 invalid")
    drawn = terminal.getvalue().split("\r\x1b[2K")
    assert any(line.startswith("checking  [#") and " left  " in line for line in drawn), drawn


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_terminal_changes_nothing(
    jobs: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = audit(capsys, "w.ndjson").out
    monkeypatch.setattr(sys, "stderr", Looked())

    result = audit(capsys, "w.ndjson", f"--jobs={jobs}", "--partition-size=32KiB")

    assert result.out == expected


class Looked(io.StringIO):
    """Standard error that somebody looks at."""

    def isatty(self) -> bool:
        """It is one."""
        return True


_HIDDEN = """
import runpy
import sys

sys.modules["jsonschema"] = None
sys.argv = ["widgetschema", "audit", "--engine=python", "w.ndjson", "--html=w.html"]
runpy.run_module("widgetschema", run_name="__main__")
"""


def test_an_engine_that_is_not_there_is_said_once() -> None:
    done = subprocess.run([sys.executable, "-c", _HIDDEN], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("widgetschema: engine 'python' is not available: ")
    assert len(done.stderr.splitlines()) == 1
    assert not Path("w.html").exists()
