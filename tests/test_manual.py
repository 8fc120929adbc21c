"""The manual is true: its commands print what it shows, its Python runs, its links lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.manual import PAGES, Block, Page, Reader, read


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
            for start, end, printed in reader.follow(block):
                assert printed == page.text[start:end]
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
    reader = Reader(Page(ROOT / "x.md", "", (), "empty", has_sandbox=False), tmp_path, stack)

    assert (
        reader.follow(Block(1, "console", "$ echo a; echo b\n…\nb\n$ false\n$ echo $?\n1\n")) == []
    )
    assert reader.follow(Block(1, "console", "$ echo a\nb\n")) == [(0, 0, "$ echo a\na\n")]
    assert reader.follow(Block(1, "python", "print(1)", output=Block(1, "text", "1\n"))) == []
    assert reader.follow(Block(1, "python", "print(1)", output=Block(1, "text", "2\n"))) != []
    for wrong in (
        Block(1, "sh", "false\n"),
        Block(1, "python", "print(1)"),
        Block(1, "python", "1 / 0\n"),
    ):
        with pytest.raises(AssertionError):
            reader.follow(wrong)
