"""The manual is true: its commands print what it shows, its Python runs, its links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.checkout import ROOT, git_environment
from tests.manual import PAGES, Block, Page, commands, read

# Runs the Python of a page: a JSON string a line with code, one back with what it printed.
INTERPRETER = """
import contextlib, io, json, sys, traceback
names = {"__name__": "__main__"}
for line in sys.stdin:
    code, output, failure = json.loads(line), io.StringIO(), None
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(code, "<manual>", "exec"), names)
        except BaseException:
            failure = traceback.format_exc()
    print(json.dumps([output.getvalue(), failure]), flush=True)
"""


class Reader:
    """Somebody who follows a page: a folder, variables, an interpreter, the last exit code."""

    def __init__(self, page: Page, home: Path, stack: ExitStack) -> None:
        self.page = page
        self.home = home
        self.folder = ROOT
        if page.folder is not None:
            self.folder = home / "project"
            if page.folder == "empty":
                self.folder.mkdir()
            else:
                shutil.copytree(ROOT / page.folder, self.folder)
        self.code = 0
        self.hidden = {str(self.folder): "/home/you/project", str(home): "/home/you"}
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = git_environment(
            home,
            PATH=programs,
            XDG_CACHE_HOME=str(home / ".cache"),
            COLUMNS="100",
            LC_ALL="C.UTF-8",
        )
        if page.has_sandbox:
            from widgetschema.sandbox import running

            sandbox = stack.enter_context(running())
            self.environment |= {
                "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
                "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
                "WIDGETSCHEMA_ACCESS_TOKEN": sandbox.access_token(),
            }
            self.hidden[sandbox.auth_url] = "http://127.0.0.1:8000"
        self._stack = stack
        self._python: subprocess.Popen[str] | None = None

    def follow(self, block: Block) -> None:
        """Do what a block says, and assert that what comes of it is what the page shows."""
        if block.file is not None:
            assert self.page.folder is not None, "a page that writes files says in which folder"
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, encoding="utf-8")
        elif block.skipped is not None or block.language not in ("console", "sh", "python"):
            return
        elif block.language == "console":
            for command, shown in commands(block.code):
                assert _matches(self.run(command), shown), command
        elif block.language == "sh":
            self.run(f"set -e\n{block.code}")
            assert self.code == 0
        else:
            self.python(block)

    def run(self, command: str) -> str:
        """Run a command of a shell; return what it prints, standard error last."""
        process = subprocess.run(
            ["bash", "-c", f"(exit {self.code}); {command}"],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.code = process.returncode
        return self._plain(process.stdout + process.stderr)

    def python(self, block: Block) -> None:
        """Run Python in the interpreter of the page."""
        if self._python is None:
            self._python = self._stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", INTERPRETER],
                    cwd=self.folder,
                    env=self.environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            )
            self._stack.callback(self._python.terminate)
        assert self._python.stdin is not None
        assert self._python.stdout is not None
        self._python.stdin.write(json.dumps(block.code) + "\n")
        self._python.stdin.flush()
        output, failure = json.loads(self._python.stdout.readline())
        assert failure is None, failure
        assert _matches(self._plain(output), block.output or "")

    def _plain(self, text: str) -> str:
        for hidden, shown in self.hidden.items():
            text = text.replace(hidden, shown)
        return text


def _matches(printed: str, shown: str) -> bool:
    """Compare; a line `…` stands for any lines."""
    pattern = "(?s:.*)".join(map(re.escape, re.split(r"^…\n", shown, flags=re.MULTILINE)))
    assert re.fullmatch(pattern, printed), f"printed:\n{printed}\nshown:\n{shown}"
    return True


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_page_shows_is_what_happens(path: Path, tmp_path: Path, stack: ExitStack) -> None:
    page = read(path)
    reader = Reader(page, tmp_path, stack)
    for block in page.blocks:
        try:
            reader.follow(block)
        except AssertionError as error:
            raise AssertionError(f"{page.name}:{block.line}: {error}") from None


def test_relative_links_lead_somewhere() -> None:
    for path in PAGES:
        text = re.sub(
            r"^(`{3,}).*?^\1", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        for target in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]+)", text):
            assert (path.parent / target).exists(), f"{path}: {target}"


def test_a_page_that_lies_is_noticed(tmp_path: Path, stack: ExitStack) -> None:
    page = Page(ROOT / "x.md", (), "empty", has_sandbox=False)
    reader = Reader(page, tmp_path, stack)
    reader.follow(Block(1, "console", "$ echo a; echo b\n…\nb\n$ false\n$ echo $?\n1\n"))
    with pytest.raises(AssertionError):
        reader.follow(Block(1, "console", "$ widgetschema types\nnothing\n"))
    with pytest.raises(AssertionError):
        reader.follow(Block(1, "sh", "false\n"))
    with pytest.raises(AssertionError):
        reader.follow(Block(1, "python", "print(1)\n", output="2\n"))
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        reader.follow(Block(1, "python", "1 / 0\n", output=""))
