"""One side of the recorder: does all runs with the package that PYTHONPATH leads to."""

from __future__ import annotations

import argparse
import fnmatch
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import widgetschema
from tests.recorder.runs import Run, Step, runs
from widgetschema.cli import main as command

Outcome = dict[str, str]  # the texts of a run by their names: "out.0", "file a.json"

_STREAMS: Final = ("stdin", "stdout", "stderr")
_TREE: Final = str(Path(widgetschema.__file__).parents[1])
_DATES: Final = "|".join(  # the runs may go on past midnight
    f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%d[ T]|%d %B %Y, }" for days in (0, 1)
)
_PLAIN: Final = {  # what differs from run to run
    r"127\.0\.0\.1:\d+": "ADDRESS",
    r"request sandbox-\d+": "REQUEST",
    r"\b\d+(?:\.\d+)? ?(?:ms|s|seconds?)\b|(?<= time=\")[\d.]+": "TIME",
    rf"(?:{_DATES})\d\d:\d\d(?::\d\d(?:\.\d+)?)?": "NOW",
    r"(?<=::)[0-9a-f]{32}(?=::)|(?<=::stop-commands::)[0-9a-f]{32}": "TOKEN",
}


def record(run: Run, scratch: Path) -> Outcome:
    """Do a run in a new folder; return what it printed, returned and wrote."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    here = folder / "here"
    outcome: Outcome = {}
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(os.chdir, scratch)
        here.mkdir()
        for name, content in run.files.items():
            path = here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.read_bytes())
        before = _contents(here)
        os.chdir(here)
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.environ[name] = str(folder / "home")
        if run.sandbox:
            stack.enter_context(_platform())
        for index, step in enumerate(run.steps):
            texts = _step(step, run.stdin)
            outcome |= {f"{name}.{index}": text for name, text in texts.items()}
            (here / f"out.{index}").write_text(texts["out"], "utf-8")
        after = {path: text for path, text in _contents(here).items() if path[:4] != "out."}
        changed = {path for path in before.keys() | after if before.get(path) != after.get(path)}
        outcome |= {f"file {path}": after.get(path, "(removed)") for path in changed}
    return {name: _plain(text, str(folder)) for name, text in outcome.items()}


def _contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "backslashreplace")
        for path in folder.rglob("*")
        if path.is_file()
    }


def _plain(text: str, folder: str) -> str:
    if folder in text:  # of which a fingerprint is made, too, if the message names it
        text = re.sub(r'(?<="widgetschema/v1": ")[0-9a-f]+', "FINGERPRINT", text)
    text = text.replace(folder, "SCRATCH").replace(_TREE, "TREE")
    for pattern, name in _PLAIN.items():
        text = re.sub(pattern, name, text)
    return text


def _step(step: Step, stdin: bytes) -> Outcome:
    """Do a step, with files as standard input, output and error, also for child processes."""
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in _STREAMS]
        files[0].write(stdin)
        files[0].seek(0)
        for number, name in enumerate(_STREAMS):
            saved = os.dup(number)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, number)
            stack.callback(setattr, sys, name, getattr(sys, name))
            os.dup2(files[number].fileno(), number)
            raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
            buffered = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
            setattr(sys, name, io.TextIOWrapper(buffered, "utf-8", write_through=number == 2))
        try:
            returned = str(command(step.split())) if isinstance(step, str) else step()
        except Exception as error:
            returned = f"raised {type(error).__name__}: {error}"
        sys.stdout.flush()
        sys.stderr.flush()
        for file in files:
            file.seek(0)
        out, err = (file.read().decode("utf-8", "backslashreplace") for file in files[1:])
        return {"returned": returned, "out": out, "err": err}


@contextmanager
def _platform() -> Iterator[None]:
    from widgetschema.sandbox import running

    before = os.environ.copy()
    with running() as sandbox:
        os.environ["WIDGETSCHEMA_BASE_URL"] = sandbox.base_url
        os.environ["WIDGETSCHEMA_AUTH_URL"] = sandbox.auth_url
        os.environ["WIDGETSCHEMA_ACCESS_TOKEN"] = sandbox.access_token()
        yield
    for name in os.environ.keys() - before:
        del os.environ[name]


def main() -> None:
    """Do the runs whose names match, and write a line of JSON for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("recording", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(dir=options.recording.parent))
    with options.recording.open("w", encoding="utf-8") as recording:
        for run in runs(options.root, options.corpus):
            if fnmatch.fnmatchcase(run.name, options.only):
                print(json.dumps([run.name, record(run, scratch)]), file=recording, flush=True)


if __name__ == "__main__":
    main()
