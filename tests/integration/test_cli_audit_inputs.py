"""`widgetschema audit`: what is read stays what it is, and says what became of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import BAD, GOOD, Run, environment, run, work_in_a_folder


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with one valid record."""
    folder = work_in_a_folder(tmp_path, monkeypatch)
    (folder / "w.ndjson").write_bytes(GOOD + b"\n")
    return folder


def audit(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    return run(capsys, "audit", "--type=countdown", *arguments)


@pytest.mark.parametrize("before", ["file://", "local://", "simplecache::file://"])
@pytest.mark.parametrize("option", ["--findings", "--invalid-ids", "--html"])
def test_no_output_overwrites_what_an_address_names(
    here: Path, capsys: pytest.CaptureFixture[str], before: str, option: str
) -> None:
    result = audit(capsys, f"{before}{here}/w.ndjson", f"{option}=w.ndjson")

    assert result.code == 2
    assert "w.ndjson: it is one of the inputs. Choose another name." in result.err
    assert (here / "w.ndjson").read_bytes() == GOOD + b"\n"


def test_no_output_overwrites_what_is_standard_input(here: Path) -> None:
    command = [sys.executable, "-m", "widgetschema", "audit", "--type=countdown", "-"]
    with (here / "w.ndjson").open("rb") as stream:
        process = subprocess.run(
            [*command, "--findings=w.ndjson"],
            stdin=stream,
            capture_output=True,
            cwd=here,
            env=environment(),
            check=False,
        )

    assert process.returncode == 2
    assert b"the file of standard input: it is one of the inputs" in process.stderr
    assert (here / "w.ndjson").read_bytes() == GOOD + b"\n"


@pytest.mark.parametrize("command", ["audit", "validate"])
def test_standard_output_is_not_added_to_what_is_read(here: Path, command: str) -> None:
    with (here / "w.ndjson").open("ab") as stream:
        process = subprocess.run(
            [sys.executable, "-m", "widgetschema", command, "--type=countdown", "."],
            stdout=stream,
            stderr=subprocess.PIPE,
            cwd=here,
            env=environment(),
            check=False,
        )

    assert process.returncode == 2
    assert b"w.ndjson: it is one of the inputs" in process.stderr
    assert (here / "w.ndjson").read_bytes() == GOOD + b"\n"


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_audit_without_a_record_fails(
    here: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (here / "w.ndjson").write_bytes(content)

    result = audit(capsys, "w.ndjson")

    assert result.code == 3
    assert result.out.startswith("0 records in 1 source: nothing to check\n")
    assert ("input: 2 empty lines were skipped" in result.out) == bool(content)
    assert "no record was checked: 1 source without any (pass --allow-empty" in result.err
    assert audit(capsys, "w.ndjson", "--allow-empty").code == 0


@pytest.mark.parametrize("option", ["--findings", "--invalid-ids", "--html"])
@pytest.mark.parametrize("name", ["w.ndjson", "./w.ndjson", "symbolic", "hard"])
@pytest.mark.parametrize("inputs", [["."], ["*.ndjson"], ["../here/w.ndjson"]])
def test_no_output_overwrites_what_is_found(
    here: Path, capsys: pytest.CaptureFixture[str], option: str, name: str, inputs: list[str]
) -> None:
    (here / "symbolic").symlink_to("w.ndjson")
    os.link(here / "w.ndjson", here / "hard")

    result = audit(capsys, *inputs, option, name)

    assert result.code == 2
    told = "it is one of the inputs. Choose another name."
    assert f"w.ndjson: {told}" in result.err or f"hard: {told}" in result.err
    assert (here / "w.ndjson").read_bytes() == GOOD + b"\n"


def test_the_findings_of_an_earlier_run_are_replaced(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "w.ndjson").write_bytes(BAD + b"\n")
    first = audit(capsys, ".", "--findings", "findings.ndjson", "--html", "page.json")
    text = (here / "findings.ndjson").read_bytes()
    again = audit(capsys, ".", "--findings", "findings.ndjson", "--html", "page.json")
    assert (here / "findings.ndjson").read_bytes() == text
    named = audit(capsys, "w.ndjson", "findings.ndjson", "--findings", "findings.ndjson")

    assert first.code == again.code == named.code == 1
    assert first.out == again.out
    assert named.out.startswith("1 record in 1 source: 1 invalid")


@pytest.mark.parametrize("text", [b"true\n17\n", b"one two\n", b'{"a":\n', b"a,b\n1,2\n"])
def test_only_ids_are_replaced_by_ids(
    here: Path, capsys: pytest.CaptureFixture[str], text: bytes
) -> None:
    (here / "ids.ndjson").write_bytes(text)

    assert audit(capsys, ".", "--invalid-ids", "ids.ndjson").code == 2
    assert (here / "ids.ndjson").read_bytes() == text


def test_files_of_folders_that_are_not_read_are_told(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "f").mkdir()
    (here / "f" / "a.ldjson").write_bytes(GOOD + b"\n")
    for number in range(150):
        (here / "f" / f"{number:03}.txt").write_text("1,2\n")

    result = run(capsys, "audit", "f", "--type=countdown", "--html=p.html")

    assert result.code == 0
    assert result.out.startswith("1 record in 1 source: all valid, 150 files not read\n")
    assert f"{Path('f', '000.txt')}: not read: it does not begin as JSON\n" in result.out
    assert "… and 130 more files not read\n" in result.out
    assert "Files that were not read" in (here / "p.html").read_text("utf-8")
    told = json.loads(run(capsys, "audit", "f", "--type=countdown", "--format=json").out)
    assert (len(told["passed_over"]), told["other_passed_over"]) == (100, 50)

    result = run(capsys, "audit", "f", "--type=countdown", "--strict-inputs")
    assert result.code == 3
    assert "1 record in 1 source: all valid, 150 problems\n" in result.out


def test_links_to_other_folders_are_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "f" / "inner").mkdir(parents=True)
    (here / "f" / "inner" / "a.ndjson").write_bytes(GOOD + b"\n")
    (here / "elsewhere").mkdir()
    (here / "elsewhere" / "b.ndjson").write_bytes(BAD + b"\n")
    (here / "f" / "loop").symlink_to(".", target_is_directory=True)
    (here / "f" / "same").symlink_to("inner", target_is_directory=True)
    (here / "f" / "out").symlink_to(here / "elsewhere", target_is_directory=True)

    result = audit(capsys, "f")

    assert result.code == 0
    assert result.out == (
        "1 record in 1 source: all valid, 1 file not read\n"
        f"{Path('f', 'out')}: not read: it is a link to a folder, and such links are not followed: "
        "name that folder, too\n"
    )
    assert audit(capsys, "f", "--strict-inputs").code == 3
    both = audit(capsys, "f", "f/out").out
    assert both.startswith("2 records in 2 sources: 1 valid, 1 invalid; ")


def test_what_git_ignores_is_audited(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exports are often ignored. `validate --changed` asks git, and so leaves them out."""
    (here / "exports").mkdir()
    (here / "exports" / "w.ndjson").write_bytes(BAD + b"\n")
    (here / ".gitignore").write_text("exports/\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q"], check=True, cwd=here, env=environment())

    audited = audit(capsys, "exports", "--format=json")
    changed = run(capsys, "validate", "--type=countdown", "--changed", "--", "exports")

    assert audited.code == 1
    assert json.loads(audited.out)["records"] == 1
    assert changed.code == 0
    assert "0 of 1 files have changed" in changed.err


def test_records_on_one_line_are_different_examples(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(BAD)
    texts = [json.dumps({"id": f"id-{n}", "type": "countdown", "data": data}) for n in range(5)]
    (here / "one.json").write_text("".join(texts))
    result = run(capsys, "audit", "one.json", "--quiet")
    assert re.findall(r"^  one\.json:1 (id-\d)", result.out, re.M) == ["id-0", "id-1", "id-2"]
    assert "  … and 2 more\n" in result.out


def test_a_file_that_is_something_else_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = json.dumps([{"id": 1, "type": "countdown", "data": {}}] * 50)
    (tmp_path / "a.json").write_bytes(text.encode("utf-16-le"))  # no byte order mark
    (tmp_path / "b.json").write_bytes(b"PAR1" + bytes(20))
    (tmp_path / "c.json").write_bytes(b"SQLite format 3\0" + bytes(90))
    (tmp_path / "d.json").write_bytes(b"ORC" + bytes(20))

    result = run(capsys, "audit", "a.json", "b.json", "c.json", "d.json")

    assert result.code == 3
    assert result.out.splitlines() == [
        "0 records in 4 sources: 4 problems",
        "a.json: it is encoded in UTF-16, but JSON is UTF-8: convert it, for example with iconv",
        "b.json: it is a Parquet file: `audit` reads it if its name ends in .parquet",
        "c.json: it is an SQLite database: `audit` reads it if its name ends in .db",
        "d.json: it is an ORC file, which is not supported: convert it to NDJSON first",
    ]


def test_long_values_are_not_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = [json.dumps({"content": {"timerTitle": letter * 99}}) for letter in "abc"]
    records = [{"id": n, "type": "countdown", "data": one} for n, one in enumerate(texts)]
    write = (tmp_path / "d.ndjson").write_text
    write("".join(f"{json.dumps(one)}\n" for one in records))
    result = run(capsys, "audit", "d.ndjson")
    assert "values" not in result.out
    assert "  hint: the data is JSON in a string: pass --decode-strings to check it\n" in result.out

    write(
        "".join(
            f"{json.dumps({**one, 'data': data})}\n"
            for one, data in zip(records + records[:2], ["x", "y", *texts], strict=True)
        )
    )
    result = run(capsys, "audit", "d.ndjson")
    assert '  values: "x" (1), "y" (1); other values (3)\n' in result.out
