"""`widgetschema audit`: what is read stays what it is, and says what became of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import GOOD, Run, environment, run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with one valid record."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
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
    assert "give what is written another name" in result.err
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
    assert b"would be overwritten" in process.stderr
    assert (here / "w.ndjson").read_bytes() == GOOD + b"\n"


def test_a_file_that_grows_is_checked_as_far_as_it_was(here: Path) -> None:
    """What is written to standard output is added to the file that is read."""
    (here / "w.ndjson").write_bytes(b"1\n" * 5_000)
    command = [sys.executable, "-m", "widgetschema", "audit", "--type=countdown", "--quiet"]
    with (here / "w.ndjson").open("ab") as stream:
        process = subprocess.run(
            [*command, "--findings=-", "--partition-size=4KiB", "w.ndjson"],
            stdout=stream,
            stderr=subprocess.PIPE,
            cwd=here,
            env=environment(),
            check=False,
        )

    told = process.stderr.decode()
    assert process.returncode == 3
    assert told.startswith("5,000 records in 1 source: 5,000 invalid, 1 problem; ")
    assert "\nw.ndjson: it became longer while it was audited" in told


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_audit_without_a_record_fails(
    here: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (here / "w.ndjson").write_bytes(content)

    result = audit(capsys, "w.ndjson")

    assert (result.code, result.out) == (3, "0 records in 1 source: nothing to check\n")
    assert "no record was checked: 1 source without any (pass --allow-empty" in result.err
    assert audit(capsys, "w.ndjson", "--allow-empty").code == 0
