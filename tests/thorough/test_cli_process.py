"""The command as a process: pipes, signals, standard input, terminals, locales."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import (
    BAD,
    GOOD,
    INPUTS,
    INTERRUPTIBLE,
    SIX_MISTAKES,
    VALID,
    environment,
    run,
    run_process,
    standard_input,
)
from tests.terminal import HANG

COMMAND = [sys.executable, "-m", "widgetschema"]
VALIDATE = [*COMMAND, "validate", "--type", "countdown"]

FULL_DISK = pytest.param(
    "full disk", marks=pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
)


# Standard output


@pytest.mark.parametrize(
    ("more", "code"), [([], 1), (["missing.json"], 3)], ids=["invalid data", "and a missing file"]
)
def test_a_reader_that_has_seen_enough(more: list[str], code: int, tmp_path: Path) -> None:
    (tmp_path / "long.ndjson").write_bytes((BAD + b"\n") * 5000)

    with subprocess.Popen(
        [*VALIDATE, "long.ndjson", *more],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode().splitlines()

    assert first.startswith(b"long.ndjson:1:54: type /styles/fontId")
    assert process.returncode == code
    assert len(said) == 2 + len(more)
    assert said[-2].startswith("5,000 documents in 1 file: 5,000 invalid (5,000 findings)")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("validate --type countdown six-mistakes.json", 1),
        ("validate --type countdown --format json valid.json", 0),
        ("types", 0),
        ("bundle countdown", 0),
        ("sample countdown --count 9", 0),
        ("explain pattern", 0),
        ("config", 0),
        ("--help", 0),
        ("validate --help", 0),
        ("--version", 0),
    ],
)
@pytest.mark.parametrize("target", ["closed pipe", FULL_DISK, "closed"])
def test_output_that_nobody_takes(arguments: str, code: int, target: str) -> None:
    if target == "full disk":
        stdout, end = os.open("/dev/full", os.O_WRONLY), -1
    else:
        end, stdout = os.pipe()
        os.close(end)
    closed = " >&-" if target == "closed" else ""
    process = subprocess.run(
        ["sh", "-c", f"{shlex.join(COMMAND)} {arguments}{closed}"],
        cwd=INPUTS,
        env=environment(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(stdout)

    lines = process.stderr.decode().splitlines()
    said = [line for line in lines if line.startswith("widgetschema: ")]
    assert len(lines) == len(said) + 2 * (".json" in arguments)  # the summary, in two lines
    if target == "full disk":
        assert said == ["widgetschema: standard output: no space left on device"]
        assert process.returncode == 3
    else:
        assert not said
        assert process.returncode == code


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("validate --type countdown six-mistakes.json", 1),
        ("validate missing.json", 3),
        ("validate --type countdown valid.json", 0),
        ("validat", 2),
        ("types", 0),
        ("", 2),
    ],
)
def test_nobody_reads_standard_error(
    arguments: str,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(INPUTS)
    end, stderr = os.pipe()
    os.close(end)
    process = subprocess.run(
        [*COMMAND, *arguments.split()],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=stderr,
        check=False,
    )
    os.close(stderr)

    assert process.returncode == code
    assert process.stdout.decode() == run(capsys, *arguments.split()).out


def test_output_to_a_device_leaves_the_device_alone(tmp_path: Path) -> None:
    plain = run_process("validate", "--type", "countdown", SIX_MISTAKES)
    sent = run_process("validate", "--type", "countdown", SIX_MISTAKES, "--output", "/dev/stdout")

    assert sent == plain


def test_problems_come_after_the_findings_before_them() -> None:
    """In the log of a CI run, both streams end up in one."""
    process = subprocess.run(
        [*VALIDATE, str(SIX_MISTAKES), "missing.json", str(INPUTS / "document.json")],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )

    text = process.stdout.decode()
    order = [text.index(word) for word in ("showConfetti", "missing.json", "document.json:4")]
    assert order == sorted(order)
    assert text.splitlines()[-2].startswith("2 documents in 2 files: 2 invalid")


# Ctrl-C


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_interrupted_in_the_middle_of_a_stream(output_format: str) -> None:
    document = b'{"id": "1", "type": "countdown", "data": ' + BAD + b"}\n"
    last = b'{"id": "2", "data": {}}\n'
    arguments = ["validate", "--format", output_format, "-"]
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *arguments],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(document * 200 + last)
        process.stdin.flush()
        assert (
            b"-:201: cannot determine the widget type" in process.stderr.readline()
        )  # now it waits for more
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)

    assert process.returncode == 130
    assert errors.decode().splitlines()[:-1] == [
        "widgetschema: interrupted",
        "200 documents in 1 file: 200 invalid (200 findings); 1 problem",
    ]
    if output_format == "json":
        value = json.loads(output)
        assert value["summary"]["exit_code"] == 130
        assert len(value["documents"]) == 200
    else:
        assert output.count(b"/data/styles/fontId") == 200


AT_WORK = {
    "validate": ["validate", "w.ndjson"],
    "audit": ["audit", "--partition-size=1MiB", "--findings=-", "w.ndjson"],
}


@contextlib.contextmanager
def at_work(folder: Path, command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A run with two more processes, which are stopped; itself, it waits for a reader."""
    (folder / "w.ndjson").write_bytes((BAD + b" " * 2_000 + b"\n") * 8_000)
    options = [*AT_WORK[command], "--type=countdown", "--jobs=2"]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    children: list[int] = []
    with process:
        try:
            assert process.stdout is not None
            select.select([process.stdout], [], [])  # it found more than a pipe takes
            told = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            children = [int(number) for number in told.split()]
            for child in children:
                os.kill(child, signal.SIGSTOP)
            yield process
        finally:
            process.kill()
    assert len(children) == 2
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc names the children")
@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("command", AT_WORK)
def test_interrupted_while_others_work(command: str, sent: str, tmp_path: Path) -> None:
    """Once: what was found is told, and nobody stays, whatever he is at."""
    with at_work(tmp_path, command) as process:
        process.send_signal(getattr(signal, sent))
        output, errors = process.communicate(timeout=HANG)

    said = errors.decode()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    found = output.count(b"/styles/fontId")
    assert 0 < found < 8_000
    if command == "validate":
        assert said.splitlines()[:-1] == [
            "widgetschema: interrupted",
            f"{found:,} documents in 1 file: {found:,} invalid ({found:,} findings)",
        ]
    else:
        assert f"{found:,} invalid" in said
        assert "continue with --resume" in said


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc names the children")
@pytest.mark.parametrize("command", AT_WORK)
def test_interrupted_twice_while_others_work(command: str, tmp_path: Path) -> None:
    with at_work(tmp_path, command) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=HANG)[1]

    assert (process.returncode, errors) == (130, b"widgetschema: interrupted\n")


def test_interrupted_before_there_is_anything_to_sum_up() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "diff", "-", "countdown"],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b" " * 300_000)  # more than a pipe holds: it reads, and waits for more
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=HANG)

    assert (process.returncode, output, errors) == (130, b"", b"widgetschema: interrupted\n")


def test_interrupted_while_it_starts() -> None:
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def hook(event, arguments):\n"
        "    if event == 'import' and arguments[0] == 'widgetschema.cli.console.output':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.addaudithook(hook)\n"
        "from widgetschema.cli import main\n"
    )
    process = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True)

    assert (process.returncode, process.stderr) == (130, b"widgetschema: interrupted\n")


# Standard input


@pytest.mark.parametrize(
    ("content", "places", "code"),
    [
        (GOOD, [], 0),
        (GOOD + b"\n", [], 0),
        (b"\r\n\n" + GOOD + b"\n", [], 0),
        (SIX_MISTAKES.read_bytes(), "1:1 4:22 5:18 6:5 9:18 10:5".split(), 1),
        (b"\n" + SIX_MISTAKES.read_bytes(), "2:1 5:22 6:18 7:5 10:18 11:5".split(), 1),
        (BAD + b"\n" + GOOD + b"\n\n" + BAD, ["1:54", "4:54"], 1),
        (b"\n" + BAD + b"\r\n" + BAD + b"\r\n", ["2:54", "3:54"], 1),
        (GOOD + b"\n{\n" + BAD, ["2:2", "3:54"], 3),
        (b"{\n", ["2:1"], 3),
        (b"", ["1:1"], 3),
        (b"\n \n", ["3:1"], 3),
        (b"\xef\xbb\xbf" + GOOD, ["1:1"], 3),
    ],
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_standard_input(
    content: bytes,
    places: list[str],
    code: int,
    packed: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    standard_input(monkeypatch, gzip.compress(content) if packed else content)

    result = run(capsys, "validate", "--type", "countdown", "-")

    assert re.findall(r"^-:(\d+:\d+): ", result.out, re.MULTILINE) == places
    assert result.code == code
    assert "Traceback" not in result.err


def test_standard_input_among_files_is_read_once() -> None:
    result = run_process("validate", "--type", "countdown", VALID, "-", VALID, "-", stdin=BAD)

    assert result.err == "2 documents in 2 files: 1 valid, 1 invalid (1 finding)\n"


def test_broken_gzip_on_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    standard_input(monkeypatch, gzip.compress(GOOD)[:-3])

    result = run(capsys, "validate", "-")

    assert result.code == 3
    assert result.err.startswith("widgetschema: -: its compressed data is cut off")


def test_standard_input_that_is_closed() -> None:
    shell = f"{shlex.join([*VALIDATE, '-', str(VALID)])} <&-"

    process = subprocess.run(
        ["sh", "-c", shell], env=environment(), stderr=subprocess.PIPE, check=False
    )

    assert process.returncode == 3
    assert process.stderr.decode().splitlines()[:-1] == [
        "widgetschema: -: standard input is closed",
        "1 document in 1 file: 1 valid; 1 problem",
    ]


def test_standard_input_of_one_line_over_the_limit() -> None:
    stdin = gzip.compress(b'{"content": "' + b"x" * 64 * 1024 * 1024 + b'"}', 1)

    result = run_process("validate", "--type", "countdown", "-", stdin=stdin)

    assert result.code == 3
    assert result.out.startswith("-:1:1: json.size (root): the document has more than 67,108,864")


# Terminals


@pytest.mark.parametrize(
    ("color", "variables", "coloured"),
    [
        ("auto", {}, True),
        ("auto", {"NO_COLOR": ""}, True),
        ("auto", {"NO_COLOR": "1"}, False),
        ("auto", {"TERM": "dumb"}, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("never", {}, False),
    ],
)
def test_colour_on_a_terminal(color: str, variables: dict[str, str], coloured: bool) -> None:
    outside, terminal = pty.openpty()
    process = subprocess.run(
        [*VALIDATE, "--color", color, str(SIX_MISTAKES)],
        stdout=terminal,
        stderr=subprocess.PIPE,
        env=environment(**{"TERM": "xterm", **variables}),
        check=False,
    )
    os.close(terminal)
    with open(outside, "rb", buffering=0) as reader:
        shown = reader.read(65_536).decode()

    assert process.returncode == 1
    assert ("\x1b[31m" in shown) == coloured
    assert "required (root)" in shown
    assert b"\x1b" not in process.stderr


# Locales

LOCALES = {
    "C": {"LC_ALL": "C", "PYTHONIOENCODING": ""},
    "C, not coerced": {
        "LC_ALL": "C",
        "PYTHONIOENCODING": "",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    },
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "strict ascii": {"PYTHONIOENCODING": "ascii:strict"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
}


@pytest.mark.parametrize("variables", LOCALES.values(), ids=LOCALES.keys())
def test_any_locale_can_show_every_finding(variables: dict[str, str], tmp_path: Path) -> None:
    names = [str(INPUTS / name) for name in ("wide.json", "obeyed.json", "deep.json")]
    (tmp_path / "ü日.json").write_bytes(BAD)
    arguments = [*VALIDATE, *names, "ü日.json"]
    env = environment(**variables)

    text = subprocess.run(arguments, cwd=tmp_path, env=env, capture_output=True, check=False)
    value = subprocess.run(
        [*arguments, "--format", "json"], cwd=tmp_path, env=env, capture_output=True, check=False
    )

    encoding = "latin-1" if variables["PYTHONIOENCODING"] == "latin-1" else "utf-8"
    reference = run_process(*arguments[3:], "--format", "json", cwd=tmp_path)
    assert (text.returncode, value.returncode) == (1, 1)
    assert b"Traceback" not in text.stderr + value.stderr
    documents = json.loads(value.stdout.decode(encoding))["documents"]
    expected = json.loads(reference.out)["documents"]
    assert [one["findings"] for one in documents] == [one["findings"] for one in expected]
    for source, mark in re.findall(
        r"^  \d+ \| (.*)\n {4,}\| ( *\^+)$", text.stdout.decode(encoding), re.MULTILINE
    ):
        if source.isascii():
            marked = source[mark.index("^") : len(mark)]
            assert re.fullmatch(r'".*"|\d', marked)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are always in UTF-8")
def test_a_configured_path_that_the_locale_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "widgetschema.toml").write_text('schemas = "ש"\n', encoding="utf-8")
    process = subprocess.run(
        VALIDATE,
        cwd=tmp_path,
        env=environment(**LOCALES["C, not coerced"]),
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert process.returncode == 2
    assert (
        "1:11 format /schemas: the path contains a character that names of files here"
        in process.stderr
    )
    assert "hint: set a locale with UTF-8" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("variables", LOCALES.values(), ids=LOCALES.keys())
@pytest.mark.parametrize(
    "arguments", ["--help", "validate --help", "types", "bundle countdown", "validat"]
)
def test_any_locale_can_show_everything_else(arguments: str, variables: dict[str, str]) -> None:
    process = subprocess.run(
        [*COMMAND, *arguments.split()],
        env=environment(**variables),
        capture_output=True,
        check=False,
    )

    assert process.returncode == (2 if arguments == "validat" else 0)
    assert b"Traceback" not in process.stderr


@pytest.mark.parametrize(
    ("library", "command"),
    [("orjson", "validate x.json"), ("orjson", "types"), ("httpx", "status")],
)
def test_a_library_that_is_gone(library: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'{"data": {}}')
    script = (
        f"import sys; sys.modules[{library!r}] = None\n"
        f"from widgetschema.cli.main import main; sys.exit(main({command.split()}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "the installation is incomplete" in done.stderr
    assert library in done.stderr
    assert "Traceback" not in done.stderr


def test_standard_input_among_files_of_several_processes(tmp_path: Path) -> None:
    """Only the process that was started has it."""
    for number in range(2):
        (tmp_path / f"{number}.ndjson").write_bytes((GOOD + b" " * 2_000 + b"\n") * 1_000)
    names = ["0.ndjson", "-", "1.ndjson"]

    result = run_process(
        "validate", "--type=countdown", "--jobs=2", *names, stdin=BAD, cwd=tmp_path
    )

    assert result.code == 1
    assert result.out.startswith("-:1:54: type ")
    assert result.err == "2,001 documents in 3 files: 2,000 valid, 1 invalid (1 finding)\n"
