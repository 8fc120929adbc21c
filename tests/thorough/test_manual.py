"""The manual is true: its commands print what it shows, its Python runs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
import pytest

from tests.checkout import ROOT, git_environment
from tests.manual import GENERATED, PAGES, Block, Page, Reader, read
from widgetschema.cli.main import cli
from widgetschema.project.config import load


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


def test_the_readme_begins_with_a_command_that_finds_mistakes() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    screen, text = "\n".join(lines[:40]), "\n".join(lines)
    command = re.search(r"<!-- main job -->\n```sh\n.*(widgetschema validate .*)\n```", screen)
    assert command is not None
    process = subprocess.run(
        [Path(sys.executable).parent / "widgetschema", *command[1].split()[1:]],
        cwd=ROOT,
        env=git_environment(ROOT),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 1
    assert "1 invalid (6 findings)" in process.stdout + process.stderr  # so says .ci/run, too
    assert re.search(r"## Develop\n(?:.*\n)*<!-- tests -->\n```sh\n.*pytest", text)
    assert len(lines) <= 160


@pytest.mark.parametrize(
    "page", ["README.md", "guides/configuration.md", "guides/existing-code.md"]
)
def test_configurations_are_valid(page: str, tmp_path: Path) -> None:
    path = ROOT / page if page == "README.md" else ROOT / "docs" / page
    blocks = re.findall(r"^```toml\n(.*?)^```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        (tmp_path / "widgetschema.toml").write_text(block, encoding="utf-8")
        assert load(str(tmp_path), {}).file is not None


def test_every_command_is_in_a_guide() -> None:
    """Their options are in the reference, which is generated."""
    text = "\n".join(GENERATED.sub("", path.read_text("utf-8")) for path in PAGES)
    for name in cli.list_commands(click.Context(cli)):
        assert f"widgetschema {name}" in text


def test_the_changelog_has_what_is_not_released() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[Unreleased\]", changelog, re.MULTILINE)


def test_every_picture_is_shown() -> None:
    text = "".join(path.read_text("utf-8") for path in PAGES)
    pictures = ROOT / "docs" / "_static" / "pictures"
    for path in pictures.rglob("*.png"):
        assert f"_static/pictures/{path.relative_to(pictures).as_posix()})" in text


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
