"""Patches that the program `patch` takes, as Git does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.fixes.test_fixing import NAMES, PATCHES, applies

PATCH = ("patch", "-s", "-p1", "--binary")


@pytest.mark.parametrize(("old", "new"), PATCHES.values(), ids=PATCHES)
def test_the_patch_applies(old: str, new: str, tmp_path: Path) -> None:
    applies(tmp_path, "widgets/a.json", old, new, PATCH)


@pytest.mark.parametrize("name", NAMES)
def test_a_patch_names_its_file(name: str, tmp_path: Path) -> None:
    applies(tmp_path, name, "a\n", "b\n", PATCH)
