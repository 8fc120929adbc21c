"""Runs the command for tests: within this process, or as a process of its own.

The examples in `tests/data/cli/cases` are what a person sees: command, standard output,
standard error, exit code. `python -m tests.command` writes them anew; read the difference.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from widgetschema.cli import main
from widgetschema.extensions import EXTENSIONS

DATA = Path(__file__).resolve().parent / "data" / "cli"
CASES = DATA / "cases"
INPUTS = DATA / "inputs"
STORES = DATA / "stores"
SIX_MISTAKES = INPUTS / "six-mistakes.json"
VALID = INPUTS / "valid.json"
GOOD = b'{"content": {}, "settings": {}, "styles": {}}'
BAD = b'{"content": {}, "settings": {}, "styles": {"fontId": 3}}'  # at column 54


@dataclass(frozen=True, slots=True)
class Run:
    """The results of a run of the command: its exit code, standard output, standard error.

    The line that says where the schemas came from, the last of standard error, is by itself.
    """

    code: int
    out: str
    err: str
    schemas: str = ""

    @staticmethod
    def of(code: int, out: str, err: str) -> Run:
        """Return the results of a run."""
        line = re.search(r"^schemas: .*\n\Z", err, re.MULTILINE)
        end = len(err) if line is None else line.start()
        return Run(code, out, err[:end], err[end:])


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Run:
    """Run the command within this process."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    skip_if_away(captured.err)
    return Run.of(code, captured.out, captured.err)


def skip_if_away(error: str) -> None:
    """Skip a test that runs a command of an extension, in a copy that has none of them.

    See `tests/thorough/test_extensions.py`.
    """
    is_away = "No such command" in error or "Missing option '--export'" in error
    if not EXTENSIONS and is_away:
        pytest.skip("this command is that of an extension, which is away")


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let the command read these bytes from standard input, within this process."""
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)))
    monkeypatch.setattr(sys, "stdin", stdin)


def environment(**variables: str) -> dict[str, str]:
    """Return the variables for a process: those of a user, and these."""
    ours = ("NO_COLOR", "PYTHONUNBUFFERED")  # what a machine that runs tests may set
    rest = {name: value for name, value in os.environ.items() if name not in ours}
    return {**rest, "PYTHONIOENCODING": "utf-8", **variables}


# The command, which SIGINT interrupts whoever started the tests: they may have told their children
# to ignore it.
INTERRUPTIBLE = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from widgetschema.cli import main; sys.exit(main())"
)


def run_process(
    *arguments: str | Path,
    stdin: bytes = b"",
    cwd: Path | None = None,
) -> Run:
    """Run the command as a process."""
    process = subprocess.run(
        [sys.executable, "-m", "widgetschema", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(),
        check=False,
    )
    return Run.of(process.returncode, process.stdout.decode(), process.stderr.decode())


def work_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a new folder the one to work in, with a cache of its own beside it, and return it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def commands(case: Path) -> list[str]:
    """The commands of an example, without their output."""
    lines = case.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("$ ")]


def transcript(command: str, result: Run) -> str:
    """A command and what it left, as an example shows it."""
    return f"{command}\n{result.out}{result.err}{result.schemas}[{result.code}]\n"


def _write_anew() -> None:
    for case in sorted(CASES.iterdir()):
        shown = [
            transcript(command, run_process(*shlex.split(command)[2:], cwd=DATA))
            for command in commands(case)
        ]
        case.write_text("".join(shown), encoding="utf-8")


if __name__ == "__main__":
    _write_anew()
