"""`widgetschema migrate apply` and `revert`: files carried over, and brought back."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.command import Run, run
from tests.killing import killed_at, operations
from tests.migrating import NEW, OLD, STEPS, plan_text, step, widget_type
from widgetschema.audit.migration import undo as undo_file
from widgetschema.audit.pipeline import bulk_migration
from widgetschema.audit.runners import local
from widgetschema.cli import main
from widgetschema.files import folder_lock

# The suite runs in several processes, each with a thread that does nothing but wait.
LOADED = (bulk_migration, local)  # before processes are forked
KILLS = 16
pytestmark = pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in: a plan, its schemas, and two files of records."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "here"
    (folder / "data").mkdir(parents=True)
    monkeypatch.chdir(folder)
    text = plan_text(STEPS)
    for name, one in (("old", OLD), ("new", NEW)):
        (folder / f"{name}.json").write_text(json.dumps(one.schema))
        side = f'schema = "{name}.json"\ndata-schema = true'
        text = text.replace(f"[{name}]\n", f"[{name}]\n{side}\n")
    (folder / "plan.toml").write_text(text)
    for name in ("a", "b"):
        (folder / "data" / f"{name}.ndjson").write_bytes(records(name))
    return folder


def records(name: str, number: int = 60) -> bytes:
    """Return records, of which a third are to be migrated, and one is not valid."""
    kinds: list[Any] = [
        {"heading": name, "legacy": [1]},
        {"title": name, "shown": True},
        {"title": name, "shown": False, "rest": "ä"},
    ]
    lines = [json.dumps(kinds[index % 3], ensure_ascii=False) for index in range(number)]
    lines[-1] = '{"heading": 7}'
    return "\n".join([*lines, ""]).encode()


def apply(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    return run(capsys, "migrate", "apply", "plan.toml", *arguments)


def contents(folder: Path) -> dict[str, bytes]:
    """Return what is in the files of a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_there_and_back(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(here)

    result = apply(capsys, "data", "--quarantine=left.ndjson")

    assert result.code == 1
    assert result.out.startswith(
        "120 records in 2 files: 40 migrated, 78 valid already, 2 left unchanged (2 valid by "
        "neither schema); 2 files changed\n"
    )
    assert "  step 4 (drop /legacy): 40 places, 40 values lost\n" in result.out
    assert "/heading: 7 is a number, but must be a string\n  data/a.ndjson:60\n" in result.out
    assert (here / "left.ndjson").read_bytes() == b'{"heading": 7}\n' * 2
    lost = (here / "plan.lost.ndjson").read_bytes().splitlines()
    assert json.loads(lost[-1])["value"] == [1]
    assert len(lost) == 40
    after = contents(here)
    assert b"legacy" not in after["data/a.ndjson"]
    assert result.err.endswith("to undo it: widgetschema migrate revert plan.undo.ndjson\n")

    again = apply(capsys, "data")

    assert "0 migrated, 118 valid already" in again.out
    assert contents(here) == after

    dry = run(capsys, "migrate", "revert", "--dry-run", "plan.undo.ndjson")
    assert (dry.code, dry.out) == (0, "2 files would be as before\n")
    back = run(capsys, "migrate", "revert", "plan.undo.ndjson")
    assert back.code == 0
    now = contents(here)
    assert back.out == (
        "2 files as before; no longer needed, so removed: plan.lost.ndjson and plan.undo.ndjson\n"
    )
    assert now == {**before, "left.ndjson": after["left.ndjson"]}
    apply(capsys, "data", "--quarantine=left.ndjson")
    assert contents(here) == after


def test_nothing_is_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(here)

    dry = apply(capsys, "data", "--dry-run", "--format=json")
    diff = apply(capsys, "data", "--diff")

    summary = json.loads(dry.out)
    assert (dry.code, diff.code) == (1, 1)
    assert summary["records"] == {
        "all": 120,
        "migrated": 40,
        "already": 78,
        "invalid": 0,
        "failed": 0,
        "not_old": 2,
        "unwritten": 0,
        "unreadable": 0,
    }
    assert summary["files"] == {"changed": 2, "unchanged": 0, "failed": 0}
    assert [one["applied"] for one in summary["steps"]] == [40, 0, 0, 40, 40]
    assert summary["steps"][0]["what"] == "rename /heading"
    assert diff.out.startswith("--- a/data/a.ndjson\n+++ b/data/a.ndjson\n@@ ")
    assert '\n-{"heading": "a", "legacy": [1]}\n+{"title": "a", "shown": true}\n' in diff.out
    assert "40 would be migrated" in diff.err
    assert contents(here) == before


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_others_cannot_read_copies_of_private_data(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, permissions in (("a", 0o600), ("b", 0o640)):
        (here / "data" / f"{name}.ndjson").chmod(permissions)
    apply(capsys, "data", "--output=new")
    apply(capsys, "data")

    def mode(name: str) -> str:
        return oct((here / name).stat().st_mode & 0o777)

    assert [mode(f"new/data/{name}.ndjson") for name in "ab"] == ["0o600", "0o640"]
    assert [mode(f"data/{name}.ndjson") for name in "ab"] == ["0o600", "0o640"]
    assert {mode(f"{folder}plan.lost.ndjson") for folder in ("", "new/")} == {"0o600"}


def test_into_a_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(here)

    result = apply(capsys, "data", "--output=new")

    now = contents(here)
    assert result.code == 1
    assert {name: now[name] for name in before} == before
    assert {*now} - {*before} == {"new/data/a.ndjson", "new/data/b.ndjson", "new/plan.lost.ndjson"}
    assert "lost values: " in result.err
    assert apply(capsys, "data", "--output=new").code == 1  # a second time, the same
    assert contents(here) == now
    apply(capsys, "data")  # no file of the trial is in the way
    after = contents(here)
    assert after["data/a.ndjson"] == now["new/data/a.ndjson"]
    assert after["plan.lost.ndjson"] == now["new/plan.lost.ndjson"]


def test_lost_values_of_an_earlier_trial_are_removed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apply(capsys, "data", "--output=new")
    assert "new/plan.lost.ndjson" in contents(here)
    for name in "ab":
        (here / "data" / f"{name}.ndjson").write_text('{"title": "a", "shown": true}\n')
    (here / "mine").write_text("before")

    apply(capsys, "data", "--output=new", "--lost=mine")

    assert "new/plan.lost.ndjson" in contents(here)
    assert contents(here)["mine"] == b"before"
    assert apply(capsys, "data", "--output=new").code == 0
    assert "new/plan.lost.ndjson" not in contents(here)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["c.ndjson.gz"], "c.ndjson.gz: it is compressed by gzip: decompress it first."),
        (["-"], "Standard input cannot be migrated: name files."),
        (["data", "--output=."], "it is migrated"),
        (["data", "--lost=plan.toml"], "the migration reads it"),
        (["data", "--quarantine=new.json"], "the migration reads it"),
        (["data", "--output=x", "--undo=y"], "--undo is for files that are replaced"),
        (["data", "--output=x", "--diff"], "--output cannot be combined"),
        (["data", "--output=x", "--lost=x/data/a.ndjson"], "The folder of"),
        (["plan.lost.ndjson", "--output=n"], "n/plan.lost.ndjson is a migrated file: name"),
        (["data", "--lost=other"], "holds values that another migration lost"),
    ],
)
def test_what_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (here / "c.ndjson.gz").write_bytes(gzip.compress(records("c")))
    assert apply(capsys, "data", "--undo=data/a.ndjson").code == 3
    (here / "other").write_bytes(
        b'{"file":"x","line":1,"document":"","id":null,"step":1,"path":"","value":1}\n'
    )
    if "plan.lost.ndjson" in arguments:
        (here / "plan.lost.ndjson").write_bytes(records("l"))
    before = contents(here)

    result = apply(capsys, *arguments)

    assert result.code == 2
    assert message in " ".join(result.err.split())
    assert contents(here) == before


@pytest.mark.parametrize("dry", [["--dry-run"], ["--diff"], []])
@pytest.mark.parametrize(
    ("undo", "message"),
    [
        ("data/a.ndjson", "data/a.ndjson: is not an undo file of widgetschema"),
        ("damaged", "damaged: is damaged at line 1"),
        ("none/undo.ndjson", "none: no such file or directory"),
        ("data", "data: cannot be read: is a directory"),
    ],
)
def test_undo_files_that_are_refused_by_trial_runs_too(
    here: Path, capsys: pytest.CaptureFixture[str], dry: list[str], undo: str, message: str
) -> None:
    (here / "damaged").write_bytes(b'{"undo":1,"file":1}\n')
    before = contents(here)

    result = apply(capsys, "data", f"--undo={undo}", *dry)

    assert result.code == 3
    assert message in result.err
    assert contents(here) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("output", [[], ["--output=new"]])
def test_lost_values_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], output: list[str]
) -> None:
    result = apply(capsys, "data", "--lost=/dev/full", *output)
    assert result.code == 3
    assert "/dev/full: cannot be written: no space left on device" in result.err
    assert "lost values: " not in result.err


def test_a_file_that_was_changed_since(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(here)
    apply(capsys, "data")
    changed = (here / "data" / "b.ndjson").read_bytes().replace(b'"title": "b"', b'"title": "c"')
    (here / "data" / "b.ndjson").write_bytes(changed)

    result = run(capsys, "migrate", "revert", "plan.undo.ndjson")

    assert result.code == 1
    assert "it was changed since, at or before line 1; nothing was reverted. If it" in result.err
    assert result.out == "1 file as before\n"
    now = contents(here)
    assert now["data/a.ndjson"] == before["data/a.ndjson"]
    assert now["data/b.ndjson"] == changed
    assert "plan.undo.ndjson" in now


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("none.ndjson", "cannot be read: no such file or directory"),
        ("data/a.ndjson", "is not an undo file of widgetschema"),
    ],
)
def test_what_is_no_undo_file(
    here: Path, capsys: pytest.CaptureFixture[str], file: str, reason: str
) -> None:
    before = contents(here)
    result = run(capsys, "migrate", "revert", file)
    assert (result.code, result.out) == (3, "")
    assert f"{file}: {reason}\n" in result.err
    assert contents(here) == before


def test_an_undo_file_that_another_process_writes(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (bulk_migration, undo_file):
        monkeypatch.setattr(module, "_WAIT", 0)
    apply(capsys, "data")
    now = contents(here)
    with folder_lock(str(here / "plan.undo.ndjson")):
        for run_again in (
            apply(capsys, "data"),
            run(capsys, "migrate", "revert", "plan.undo.ndjson"),
        ):
            assert run_again.code == 3
            assert "plan.undo.ndjson: another process has been writing here" in run_again.err
    assert contents(here) == now


def test_a_damaged_undo_file_is_kept(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(here)
    apply(capsys, "data")
    undo = here / "plan.undo.ndjson"
    undo.write_bytes(undo.read_bytes().replace(b'"was"', b"was", 1))

    result = run(capsys, "migrate", "revert", "plan.undo.ndjson")

    assert (result.code, result.out) == (3, "1 file as before\n")
    assert "plan.undo.ndjson: is damaged: edit 1 of " in result.err
    now = contents(here)
    assert now["data/a.ndjson"] != before["data/a.ndjson"]
    assert now["data/b.ndjson"] == before["data/b.ndjson"]
    assert "plan.undo.ndjson" in now

    again = apply(capsys, "data", "--lost=other.ndjson")

    assert again.code == 3
    assert "20 migrated" in again.out
    assert "other.ndjson: cannot be written: plan.undo.ndjson: is damaged" in again.err
    assert "lost values: " not in again.err


def test_records_in_a_file_that_is_not_written_are_not_migrated(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.link(here / "data" / "a.ndjson", here / "other.ndjson")
    before = contents(here)

    result = apply(capsys, "data", "--format=json")

    records = json.loads(result.out)["records"]
    assert (result.code, records["migrated"], records["unwritten"]) == (3, 20, 20)
    assert contents(here)["data/a.ndjson"] == before["data/a.ndjson"]
    text = apply(capsys, "data").out
    assert "0 migrated" in text
    assert "(2 valid by neither schema, 20 in files that were not written)" in text


def test_documents_of_other_types(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = [
        {"id": str(number), "type": "card" if number % 2 else "other", "data": {"heading": "x"}}
        for number in range(200)
    ]
    documents.append({"id": "200", "type": "other"})  # without data
    file = here / "documents.ndjson"
    file.write_text("".join(json.dumps(one) + "\n" for one in documents))

    result = apply(capsys, "documents.ndjson", "--format=json")

    summary = json.loads(result.out)
    assert (result.code, summary["records"]["migrated"], summary["other_types"]) == (0, 100, 101)
    lines = [json.loads(line)["data"] for line in file.read_text().splitlines()[:2]]
    assert lines == [{"heading": "x"}, {"title": "x", "shown": True}]


@pytest.mark.parametrize("folder", ["", "data"], ids=["of the run", "nested"])
def test_files_that_are_mapped_to_other_types(
    here: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    """Records that no step applies to, and documents that name their type, are told apart, too."""
    done = b'{"title": "x", "shown": true}\n' * 200
    (here / "data" / "b.ndjson").write_bytes(done + records("b"))
    (here / "data" / "c.ndjson").write_text('{"type": "card", "data": {"heading": "x"}}\n')
    (here / "link").symlink_to("data/b.ndjson")
    pattern = os.path.relpath("data/?.ndjson", folder or ".")
    mapping = f'[files]\n"{pattern}" = "other"\n"{pattern.replace("?", "a")}" = "card"\n'
    (here / folder / "widgetschema.toml").write_text(mapping)
    before = contents(here)

    result = apply(capsys, "link", "data", "--format=json")

    summary = json.loads(result.out)
    assert (summary["records"]["all"], summary["records"]["migrated"]) == (61, 21)
    assert summary["other_types"] == 260
    after = contents(here)
    assert after["data/b.ndjson"] == before["data/b.ndjson"]
    assert b'"title"' in after["data/c.ndjson"]


def test_a_configuration_that_cannot_say_of_which_type_files_are(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "data" / "widgetschema.toml").write_text("[files\n")
    before = contents(here)

    result = apply(capsys, "data")

    assert (result.code, contents(here)) == (2, before)
    assert result.err.startswith("widgetschema: data/widgetschema.toml: 1 finding\n")


def write_plan_between_open_schemas(here: Path, steps: str, versions: str = "") -> None:
    """Write a plan, and two schemas that accept all objects."""
    old, new = (widget_type({"title": one, "type": "object"}) for one in ("old", "new"))
    text = plan_text(steps, old, new, versions)
    for name, one in (("old", old), ("new", new)):
        (here / f"{name}.json").write_text(json.dumps(one.schema))
        side = f'schema = "{name}.json"\ndata-schema = true'
        text = text.replace(f"[{name}]\n", f"[{name}]\n{side}\n")
    (here / "plan.toml").write_text(text)


def test_steps_that_undo_each_other_are_never_carried_out_twice(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each rename is harmless twice, but all three exchange the members back."""
    renames = [("/a", "x"), ("/b", "a"), ("/x", "b")]
    steps = "".join(step("rename", at, to=f"'{to}'") for at, to in renames)
    write_plan_between_open_schemas(here, steps)
    file = here / "data" / "a.ndjson"
    file.write_text('{"a": 1, "b": 2}\n')

    apply(capsys, file)
    again = apply(capsys, file)

    assert again.err.startswith("1 file migrated before and left alone\n")
    assert file.read_text() == '{"b": 1, "a": 2}\n'


@pytest.mark.parametrize("record", ['{"n": "a"}', '{"type": "card", "data": {"n": "a"}}'])
def test_records_without_a_version_are_left_where_versions_are_needed(
    here: Path, capsys: pytest.CaptureFixture[str], record: str
) -> None:
    versions = "[model-version]\nold = 1\nnew = 2"
    exchange = step("map", "/n", values="{a = 'b', b = 'a'}")
    write_plan_between_open_schemas(here, exchange, versions)
    file = here / "data" / "a.ndjson"
    versioned = '{"modelVersion": %d, "type": "card", "data": {"n": "%s"}}\n'
    file.write_text(f"{versioned % (1, 'a')}{record}\n")

    first, again = (apply(capsys, file) for _ in range(2))

    assert (first.code, again.code) == (1, 1)
    assert "nothing says whether it was migrated before" in first.out
    assert file.read_text() == f"{versioned % (2, 'b')}{record}\n"


def test_a_step_never_does_its_work_twice(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was killed behind the first file goes on with the second one."""
    (here / "doubling.py").write_text("def double(value):\n    return 2 * value\n")
    monkeypatch.syspath_prepend(here)
    write_plan_between_open_schemas(here, step("python", "/n", python='"doubling:double"'))
    for name in ("a", "b"):
        (here / "data" / f"{name}.ndjson").write_text('{"n": 1}\n')
    assert apply(capsys, "data").code == 2
    apply(capsys, "data/a.ndjson", "--allow-code")

    dry = apply(capsys, "data", "--allow-code", "--dry-run")
    result = apply(capsys, "data", "--allow-code")
    again = apply(capsys, "data", "--allow-code")

    assert dry.out.startswith("1 record in 2 files: 1 would be migrated; 1 file would be changed\n")
    assert "1 migrated record valid by both schemas before" in result.out
    assert result.err.startswith("1 file migrated before and left alone\n")
    assert again.out.startswith("0 records in 2 files: 0 migrated\n")
    files = [here / "data" / f"{name}.ndjson" for name in ("a", "b")]
    assert [file.read_text() for file in files] == ['{"n": 2}\n'] * 2

    files[0].write_text('{"n": 2}\n{"n": 1}\n')
    refused = apply(capsys, "data", "--allow-code")

    assert refused.code == 2
    assert "was migrated, and was changed since" in " ".join(refused.err.split())
    assert files[0].read_text() == '{"n": 2}\n{"n": 1}\n'


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_killed_at_any_moment(here: Path) -> None:
    """`kill -9` at each operation on a file, and the same command again: as one run."""
    original = contents(here)
    command = [
        "migrate",
        "apply",
        "plan.toml",
        "data",
        "--jobs=1",
        "--quiet",
        "--partition-size=4KiB",
    ]

    def migrate() -> None:
        """Migrate in this process, which is a child of the test's."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        assert main([*command, "--quarantine=left"]) == 1

    def restore() -> None:
        for path in [*here.rglob("*")]:
            if path.is_file():
                path.unlink()
        for name, raw in original.items():
            (here / name).write_bytes(raw)

    def revert() -> None:
        """Revert the migration in this process."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        assert main(["migrate", "revert", "plan.undo.ndjson"]) == 0

    operations(migrate)  # remembers the digest of the program
    restore()
    usual = operations(migrate, changes=True)
    expected = contents(here)
    assert {*expected} - {*original} == {"left", "plan.lost.ndjson", "plan.undo.ndjson"}
    killed = 0
    for number in range(usual - KILLS, usual):
        restore()
        killed += killed_at(number, migrate, changes=True)
        now = contents(here)
        for name, raw in original.items():
            assert now[name] in (raw, expected[name])
        assert not killed_at(-1, migrate)
        assert contents(here) == expected
        killed_at(-1, revert) if number % 2 else killed_at(
            2 + number // 2 % 12, revert, changes=True
        )
        assert not killed_at(-1, migrate)
        assert contents(here) == expected
    assert killed > KILLS / 2
    for number in range(usual - KILLS, usual, 3):
        restore()
        killed_at(number, migrate, changes=True)
        if "plan.undo.ndjson" in contents(here):
            killed_at(-1, revert)
            assert {**contents(here), "left": b""} == {**original, "left": b""}
