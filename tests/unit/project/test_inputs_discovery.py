"""Files of folders and patterns, and those that `.gitignore` passes over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from widgetschema.project.inputs.discovery import find_files
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.gitignore import is_ignored
from widgetschema.project.inputs.model import File


@pytest.mark.parametrize(
    ("name", "is_meant"), [("w", True), ("w/*.json", True), ("*/*", False), ("w/a.json", False)]
)
def test_files_of_a_folder_that_is_named_are_meant(
    name: str, is_meant: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    [file] = find_files([name], Search(only_typed=True, root=str(tmp_path)))
    assert isinstance(file, File)
    assert (file.name, file.is_meant) == (os.path.join("w", "a.json"), is_meant)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.log", True),
        ("a.json", False),
        ("sub/keep.log", False),
        ("sub/other.log", True),
        ("sub/deep/other.log", True),
        ("build/a.json", True),
        ("sub/build", False),
    ],
)
def test_the_nearest_rule_decides_what_is_ignored(
    path: str, expected: bool, tmp_path: Path
) -> None:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n")
    remarks: list[str] = []
    assert is_ignored(str(tmp_path / path), str(tmp_path), remarks.append) is expected
    assert remarks == []
