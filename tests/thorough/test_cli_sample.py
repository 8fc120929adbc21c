"""`widgetschema sample` as a process: pipes, interrupts, memory, and the terminal."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import INTERRUPTIBLE, STORES, environment
from tests.integration.test_cli_sample import (
    COMMAND,
    KINDS,
    dump_lines,
    names,
    widget_type,
)
from tests.integration.test_cli_sample import store as store
from tests.terminal import HANG, Terminal


@contextlib.contextmanager
def start(*arguments: str | Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The command as a process, which SIGINT interrupts whoever started the tests."""
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "sample", *map(str, arguments)],
        **{"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    ) as process:
        try:
            yield process
        finally:
            process.kill()  # if it is still there, something is wrong already


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bytes_in_every_process(kind: str) -> None:
    arguments = ["event", "--schemas", str(STORES / "good"), "--kind", kind, "--as", "document"]
    if kind == "valid":
        arguments += ["--count", "50"]
    outputs = set()
    for hash_seed in ("1", "2"):
        with start(*arguments, env=environment(PYTHONHASHSEED=hash_seed)) as process:
            outputs.add(process.communicate(timeout=HANG))
            assert process.returncode == 0

    assert len(outputs) == 1


def test_samples_go_through_a_pipe_to_validate() -> None:
    made = subprocess.run(
        [*COMMAND, "sample", "countdown", "--count", "300", "--locale", "de"],
        env=environment(),
        capture_output=True,
        check=True,
    )
    checked = subprocess.run(
        [*COMMAND, "validate", "--type", "countdown", "-"],
        env=environment(),
        input=made.stdout,
        capture_output=True,
        check=False,
    )

    assert made.stderr == checked.stdout == b""
    assert checked.stderr.startswith(b"300 documents in 1 file: 300 valid\n")
    assert checked.returncode == 0


@pytest.mark.parametrize(
    ("layout", "first"), [("json", b"[\n"), ("ndjson", b'{"n":10000000000000000000000}\n')]
)
def test_nothing_is_made_that_nobody_reads(layout: str, first: bytes, store: Path) -> None:
    options = ["--count", str(10**30), "--format", layout]
    with start("large", "--schemas", store, *options) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == first
        process.stdout.close()
        said = process.stderr.read().decode()
        process.wait(timeout=HANG)

    assert (process.returncode, said) == (0, "")


def test_a_slow_schema_is_seen_at_work(store: Path) -> None:
    """The first lines come long before there is an end."""
    with start("slow", "--schemas", store, "--count", str(10**9)) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())


@pytest.mark.parametrize("target", ["closed", "closed pipe", "full disk"])
def test_standard_output_that_takes_nothing(target: str, store: Path) -> None:
    if target == "full disk" and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    arguments = ["sample", "small", "--schemas", str(store), "--kind", "coverage"]
    redirected = {"closed": ">&-", "full disk": ">/dev/full", "closed pipe": ""}[target]
    end, stdout = os.pipe()
    os.close(end)
    process = subprocess.run(
        ["sh", "-c", f"{shlex.join([*COMMAND, *arguments])} {redirected}"],
        env=environment(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(stdout)

    said = process.stderr.decode().splitlines()
    if target == "full disk":
        assert said == ["widgetschema: standard output: no space left on device"]
    elif target == "closed pipe":
        assert not said
    else:
        assert "targets covered" in said[0]
    assert process.returncode == (3 if target == "full disk" else 0)


def wait_for(folder: Path, pattern: str) -> Path:
    """A file that the command makes, as soon as it is there and something is in it."""
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        with contextlib.suppress(FileNotFoundError):
            found = [path for path in folder.glob(pattern) if path.stat().st_size]
            if found:
                return found[0]
        time.sleep(0.01)
    raise AssertionError(f"there is no {pattern}")


def wait_for_output(process: int, folder: Path) -> None:
    """Wait until something is in a file below a folder, which need not have a name yet."""
    opened = Path(f"/proc/{process}/fd")
    if not opened.exists():
        wait_for(folder, ".x.*")
        return
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        with contextlib.suppress(FileNotFoundError):
            for file in opened.iterdir():
                if os.readlink(file).startswith(f"{folder}/") and file.stat().st_size:
                    return
        time.sleep(0.01)
    raise AssertionError("nothing is written")


@pytest.mark.parametrize("before", [True, False], ids=["replaced", "new"])
def test_an_interrupted_file_is_as_it_was(before: bool, store: Path, tmp_path: Path) -> None:
    if before:
        (tmp_path / "x").write_text("before")
        (tmp_path / "x.manifest").write_text("before")
    target: list[str | Path] = ["--output", tmp_path / "x", "--force"]
    with start("small", "--schemas", store, "--count", "1000000000", *target) as process:
        wait_for_output(process.pid, tmp_path)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)

    assert (process.returncode, output, errors) == (130, b"", b"widgetschema: interrupted\n")
    assert names(tmp_path) == (["x", "x.manifest"] if before else [])
    assert {path.read_text() for path in tmp_path.iterdir()} <= {"before"}


def test_an_interrupted_folder_holds_whole_files_and_no_manifest(
    store: Path, tmp_path: Path
) -> None:
    with start(
        "small", "--schemas", store, "--count", "1000000", "--output", f"{tmp_path}/x/"
    ) as process:
        wait_for(tmp_path, "x/*.json")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)

    assert (process.returncode, output, errors) == (130, b"", b"widgetschema: interrupted\n")
    for path in (tmp_path / "x").iterdir():
        assert re.fullmatch(r"small-\d{6}\.json", path.name)
        assert list(json.loads(path.read_bytes())) == ["n"]


def memory(store: Path, number: int, *options: str | Path) -> int:
    """The most memory that a run needed, in bytes."""
    code = (
        "import resource, sys\nfrom widgetschema.cli import main\ncode = main()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
        "sys.exit(code)"
    )
    arguments = ["sample", "small", "--schemas", str(store), "--count", str(number)]
    process = subprocess.run(
        [sys.executable, "-c", code, *arguments, *map(str, options)],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    return int(process.stderr) * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize("target", ["stdout", "json", "file"])
def test_memory_does_not_grow_with_the_number(target: str, store: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--format", "json"] if target == "json" else []
    if target == "file":
        options = ["--output", tmp_path / "x"]

    few, many = (memory(store, number, *options) for number in (2_000, 40_000))

    assert many - few < 4 * 1024 * 1024
    if target == "file":
        assert (tmp_path / "x").read_bytes().count(b"\n") == 40_000


# Progress


def on_terminal(store: Path, number: int, *options: str, **streams: Any) -> Terminal:
    """A terminal where samples are made; it takes what `streams` do not."""
    code = ["-c", INTERRUPTIBLE, "sample", "small", "--schemas", str(store)]
    command = [sys.executable, *code, "--count", str(number), *options]
    return Terminal(command, store, {**environment(), "TERM": "xterm"}, **streams)


@pytest.mark.parametrize("to_file", [True, False])
def test_a_terminal_shows_how_far_it_is(to_file: bool, store: Path, tmp_path: Path) -> None:
    options = ["--output", str(tmp_path / "x")] if to_file else []
    streams = {} if to_file else {"stdout": subprocess.DEVNULL}

    with on_terminal(store, 10**9, *options, **streams) as screen:  # it goes on until it is ended
        screen.wait_for("0%")
        screen.shown = ""
        screen.wait_for("0%")
        screen.process.send_signal(signal.SIGINT)
        code = screen.wait_for_end()

    assert code == 130
    assert screen.shown.endswith("\x1b[?25hwidgetschema: interrupted\r\n")


def test_a_terminal_that_shows_the_samples_shows_nothing_else(store: Path) -> None:
    with on_terminal(store, 10**9) as screen:
        screen.wait_for("}")
        until = time.monotonic() + 1  # there would be a progress bar before that …
        while time.monotonic() < until:
            screen.look()
        much = len(screen.shown) + 100_000  # … and no terminal holds back as much
        while len(screen.shown) < much:
            screen.look()

    whole = screen.shown[: screen.shown.rindex("\r\n") + 2]
    made = widget_type(store, "small").samples(whole.count("\r\n"))
    assert whole == dump_lines(made).replace("\n", "\r\n")
