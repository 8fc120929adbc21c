"""The pages of the manual as what can be run: files, commands, Python.

A page is a story: its blocks run from the top down, in one folder. HTML comments, which no reader
sees, say what a block cannot:

    <!-- folder: empty -->          start in an empty folder, or in a copy of the one that is named;
                                    without it, in the repository
    <!-- sandbox -->                start the sandbox, and set the variables that point to it
    <!-- file: widgets/a.json -->   write the next block to this file
    <!-- not run: REASON -->        do not run the next block

Blocks of `console` are commands after `$ ` with what they print, where a line `…` stands for any
lines; `sh` are commands that succeed; `python` runs in one interpreter for the whole page, and what
it prints is the block of `text` behind it, if there is one.

`python -m tests.manual` counts what is run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import ROOT

PAGES = tuple(sorted((ROOT / "docs").rglob("*.md")))
_FENCE = re.compile(
    r"(?P<notes>(?:^<!--[^\n]*-->\n+)*)"
    r"^(?P<fence>`{3,})(?P<language>[\w-]+)[^\n]*\n(?P<code>.*?)^(?P=fence)[ ]*$",
    re.DOTALL | re.MULTILINE,
)
_NOTE = re.compile(r"<!-- (folder|sandbox|file|not run)(?:: (.*?))? -->")
RUN = ("console", "python", "sh")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page, with the line it begins at.

    `file` is the path that the block is to be written to; `skipped` says why it is not run;
    `output` is what the Python of the block prints.
    """

    line: int
    language: str
    code: str
    file: str | None = None
    skipped: str | None = None
    output: str | None = None


@dataclass(frozen=True)
class Page:
    """A page: its blocks, the folder it starts in, and what runs beside it."""

    path: Path
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
    return Page(path, tuple(_blocks(text)), notes.get("folder"), "sandbox" in notes)


def _blocks(text: str) -> Iterator[Block]:
    found = [*_FENCE.finditer(text)]
    for index, match in enumerate(found):
        notes = dict(_NOTE.findall(match["notes"]))
        after = found[index + 1] if index + 1 < len(found) else None
        output = None
        if match["language"] == "python":
            follows = after is not None and not text[match.end() : after.start()].strip()
            output = after["code"] if after and follows and after["language"] == "text" else ""
        yield Block(
            text.count("\n", 0, match.start("fence")) + 1,
            match["language"],
            match["code"],
            notes.get("file"),
            notes.get("not run"),
            output,
        )


def commands(code: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a console block, each with what it prints."""
    yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE)


def main() -> None:
    """Print how many blocks of which language are run, and why the others are not."""
    run: Counter[str] = Counter()
    for page in map(read, PAGES):
        for block in page.blocks:
            if block.file is not None or block.language not in RUN:
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
