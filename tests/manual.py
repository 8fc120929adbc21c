"""The README and the pages of the manual as what can be run: files, commands, Python.

A page is a story: its blocks run from the top down, in one folder. HTML comments, which no reader
sees, say what a block cannot:

    <!-- folder: empty -->          start in an empty folder, or in a copy of the one that is named;
                                    without it, in the repository
    <!-- sandbox -->                start the sandbox, and set the variables that point to it
    <!-- not run: REASON -->        do not run the next block
    <!-- from: examples/a.py -->    the next block is this file of the repository, which has tests
                                    of its own; a line `# …` stands for any lines
    <!-- generated: settings -->    what follows, up to <!-- end -->, is made of what the package
                                    declares: `tests/reference.py`

A block that is a file has its name above it, as readers see it, and is written to that file if the
page has a folder of its own:

    **`widgets/a.json`**

Blocks of `console` are commands after `$ ` with what they print, where a line `…` stands for any
lines; `sh` are commands that succeed; `python` runs in one interpreter for the whole page, and what
it prints is the block of `text` behind it, if there is one.

`python -m tests.manual` counts what is run; `python -m tests.manual --write [PAGE...]` runs it, and
writes files, generated parts, and what commands and Python print into the pages. Read the
difference. With `--generate`, it writes without running anything.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from tests.checkout import ROOT, git_environment
from tests.findings import write_pages
from tests.reference import generated

# The pages of codes, whose examples are run by a test of their own, are written whole.
PAGES = (
    ROOT / "README.md",
    *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "findings"),
)
RUN = ("console", "python", "sh")
ANY_LINES = re.compile(r"^(?:# )?…\n", re.MULTILINE)
_FENCE = re.compile(
    r"(?:^\*\*`(?P<file>[^`\n]+)`\*\*\n+)?"
    r"(?P<notes>(?:^<!--[^\n]*-->\n+)*)"
    r"^(?P<fence>`{3,})(?P<language>[\w-]+)[^\n]*\n(?P<code>.*?)^(?P=fence)[ ]*$",
    re.DOTALL | re.MULTILINE,
)
_NOTE = re.compile(r"<!-- (folder|sandbox|from|not run)(?:: (.*?))? -->")
GENERATED = re.compile(
    r"^<!-- generated: (?P<name>[^>]*?) -->\n\n(?P<text>.*?)(?=^<!-- end -->$)",
    re.DOTALL | re.MULTILINE,
)
# Runs the Python of a page: a line with a JSON string, the code; a line back with what it printed.
_INTERPRETER = """
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


@dataclass(frozen=True)
class Block:
    """One fenced block of a page.

    `start` and `end` are the places of `code` in the text of the page, `line` is where the block
    begins. `file` is the path that the block is to be written to, `source` the file of the
    repository that it shows; `skipped` says why it is not run; `output` is the block with what its
    Python prints.
    """

    line: int
    language: str
    code: str
    start: int = 0
    end: int = 0
    file: str | None = None
    source: str | None = None
    skipped: str | None = None
    output: Block | None = None


@dataclass(frozen=True)
class Page:
    """A page: its text and blocks, the folder it starts in, and what runs beside it."""

    path: Path
    text: str
    blocks: tuple[Block, ...]
    folder: str | None
    has_sandbox: bool

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


def read(path: Path) -> Page:
    """Read a page."""
    text = path.read_text(encoding="utf-8")
    notes = dict(_NOTE.findall(text))
    return Page(path, text, tuple(_blocks(text)), notes.get("folder"), "sandbox" in notes)


def _blocks(text: str) -> Iterator[Block]:
    last = None
    for match in [*_FENCE.finditer(text)]:
        notes = dict(_NOTE.findall(match["notes"]))
        block = Block(
            text.count("\n", 0, match.start("fence")) + 1,
            match["language"],
            match["code"],
            *match.span("code"),
            match["file"],
            notes.get("from"),
            notes.get("not run"),
        )
        if last is not None and last.language == "python" and block.language == "text":
            if not text[last.end : match.start("fence")].strip("`\n "):
                last = replace(last, output=block)
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


def commands(code: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a console block, each with what it prints."""
    yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE)


class Reader:
    """Somebody who follows a page: a folder, variables, an interpreter, the last exit code.

    `folder` is where a page begins that names no folder of its own, by default a checkout: the
    schemas in it are those of a project, as for a reader who has installed the package from there.
    `programs` has the command and Python.
    """

    def __init__(
        self,
        page: Page,
        home: Path,
        stack: ExitStack,
        *,
        folder: Path | None = None,
        programs: Path = Path(sys.executable).parent,
    ) -> None:
        self.page = page
        self.folder = home / "project" if folder is None else folder
        if folder is None and page.folder is None:
            check_out(self.folder)
        if page.folder is not None:
            self.folder = home / "project"
            if page.folder == "empty":
                self.folder.mkdir()
            else:
                shutil.copytree(ROOT / page.folder, self.folder)
        self.code = 0
        self._shown = {str(self.folder): "/home/you/project", str(home): "/home/you"}
        self._programs = programs
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self._environment = git_environment(
            home,
            PATH=path,
            XDG_CACHE_HOME=f"{home}/.cache",
            COLUMNS="100",
            LC_ALL="C.UTF-8",
            CI="true",  # so that Hypothesis does not look at the clock
        )
        if page.has_sandbox:
            from widgetschema.sandbox import running

            sandbox = stack.enter_context(running())
            self._environment |= {
                "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
                "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
                "WIDGETSCHEMA_ACCESS_TOKEN": sandbox.access_token(),
            }
            self._shown[sandbox.auth_url] = "http://127.0.0.1:8000"
        self._stack = stack
        self._python: subprocess.Popen[str] | None = None

    def follow(self, block: Block) -> list[tuple[int, int, str]]:
        """Do what a block says; return what was printed where the page shows something else.

        Each is a start and an end in the text of the page, and the text that belongs there.
        Raises `AssertionError` if a script or Python fails.
        """
        if block.source is not None or block.skipped is not None:
            return []
        if block.file is not None and self.page.folder is not None:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, encoding="utf-8")
        elif block.language == "console":
            printed = [
                (f"$ {command}\n", shown, self.run(command))
                for command, shown in commands(block.code)
            ]
            if not all(matches(one, shown) for _, shown, one in printed):
                text = "".join(
                    command + (shown if matches(one, shown) else one)
                    for command, shown, one in printed
                )
                return [(block.start, block.end, text)]
        elif block.language == "sh":
            output = self.run(f"set -e\n{block.code}")
            assert self.code == 0, output
        elif block.language == "python":
            output, shown = self.python(block.code), block.output
            if shown is None:
                assert not output, output
            elif not matches(output, shown.code):
                return [(shown.start, shown.end, output)]
        return []

    def run(self, command: str) -> str:
        """Run a command of a shell; return what it prints, standard error last."""
        process = subprocess.run(
            ["bash", "-c", f"(exit {self.code}); {command}"],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.code = process.returncode
        return self._plain(process.stdout + process.stderr)

    def python(self, code: str) -> str:
        """Run Python in the interpreter of the page; return what it prints."""
        if self._python is None:
            self._python = self._stack.enter_context(
                subprocess.Popen(
                    [str(self._programs / "python"), "-c", _INTERPRETER],
                    cwd=self.folder,
                    env=self._environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            )
            self._stack.callback(self._python.terminate)
        assert self._python.stdin is not None
        assert self._python.stdout is not None
        self._python.stdin.write(json.dumps(code) + "\n")
        self._python.stdin.flush()
        output, failure = json.loads(self._python.stdout.readline())
        assert failure is None, failure
        return self._plain(output)

    def _plain(self, text: str) -> str:
        for hidden, shown in self._shown.items():
            text = text.replace(hidden, shown)
        return text


def check_out(folder: Path) -> None:
    """Make a folder that has what pages use of a checkout."""
    for name in ("examples", "schemas", "tests/data"):
        shutil.copytree(ROOT / name, folder / name)


def matches(printed: str, shown: str) -> bool:
    """Compare; a line `…` stands for any lines."""
    return bool(re.fullmatch("(?s:.*)".join(map(re.escape, ANY_LINES.split(shown))), printed))


def outdated(page: Page) -> Iterator[tuple[int, int, str]]:
    """Yield where a page differs from the files that it shows and from what the package declares.

    Each is a start and an end in the text of the page, and the text that belongs there.
    """
    for block in page.blocks:
        if block.source is not None:
            text = shown_parts((ROOT / block.source).read_text(encoding="utf-8"), block.code)
            if text != block.code:
                yield block.start, block.end, text
    for match in GENERATED.finditer(page.text):
        text = generated(match["name"]) + "\n"
        if text != match["text"]:
            yield *match.span("text"), text


def shown_parts(text: str, shown: str) -> str:
    """Return the parts of a file that a block shows, from the first to the last line of each.

    If there are no such lines, or the block leaves nothing out, this is the whole file.
    """
    parts, position, text = ANY_LINES.split(shown), 0, f"\n{text}"
    if len(parts) == 1:
        return text[1:]
    for index, part in enumerate(parts):
        lines = part.strip("\n").split("\n")  # empty lines beside `# …` are matters of style
        if lines != [""]:
            start = text.find(f"\n{lines[0]}\n", position)
            last = text.find(f"\n{lines[-1]}\n", start)
            if start < 0 or last < 0:
                return text[1:]
            position = last + len(lines[-1]) + 1
            parts[index] = part.replace("\n".join(lines), text[start + 1 : position])
    return "# …\n".join(parts)


def write(path: Path, *, run: bool) -> None:
    """Write what belongs into a page; if `run`, also what its commands and its Python print."""
    page = read(path)
    changes, text = [*outdated(page)], page.text
    if run:
        with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
            reader = Reader(page, Path(home), stack)
            changes += [change for block in page.blocks for change in reader.follow(block)]
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    path.write_text(text, encoding="utf-8")
    if changes:
        print(f"{page.name}: {len(changes)} changed")


def main() -> None:
    """Print how many blocks of which language are run, and why the others are not."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--generate", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    if options.write or options.generate:
        write_pages()
        for path in [path.resolve() for path in options.pages] or PAGES:
            write(path, run=options.write)
        return
    run: Counter[str] = Counter()
    for page in map(read, PAGES):
        for block in page.blocks:
            if block.file or block.source or block.language not in RUN:
                continue
            if block.skipped is not None:
                print(f"not run: {page.name}:{block.line}: {block.skipped}")
            elif block.language == "console":
                run["commands"] += len([*commands(block.code)])
            else:
                run[{"sh": "scripts", "python": "Python examples"}[block.language]] += 1
    print("run: " + ", ".join(f"{number} {what}" for what, number in sorted(run.items())))


if __name__ == "__main__":
    main()
