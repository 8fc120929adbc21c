"""A file that is saved and restored by its version."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from widgetschema.project.edited_file import NO_FILE, EditedFile, FileChanged


def test_what_is_written_while_we_write_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"before")
    edited = EditedFile(str(file))
    before = edited.now()
    monkeypatch.setattr(os, "fsync", lambda number: file.write_bytes(b"theirs"))
    with pytest.raises(FileChanged) as changed:
        edited.save("mine", before.digest)
    assert changed.value.now.raw == b"theirs"
    assert file.read_bytes() == b"theirs"
    assert [*file.parent.iterdir()] == [file]


def test_undo_of_a_new_file_leaves_the_link_to_it(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real.json")
    edited = EditedFile(str(link))
    edited.save("{}", NO_FILE)
    edited.undo()
    assert [*tmp_path.iterdir()] == [link]


def test_a_version_is_only_replaced_by_its_digest(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    edited = EditedFile(str(file))
    assert edited.now() == (None, NO_FILE, "")
    first = edited.save("1", NO_FILE)
    file.write_text("22")
    with pytest.raises(FileChanged):
        edited.save("3", first.digest)
    with pytest.raises(FileChanged):
        edited.undo()
    second = edited.now()
    assert second.raw == b"22"
    assert edited.save("3", second.digest).text == "3"
    assert edited.undo() == second


def test_what_was_no_text_is_not_undone(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"\xff")
    edited = EditedFile(str(file))
    edited.save("1", edited.now().digest)
    assert not edited.undoable
    with pytest.raises(FileChanged):
        edited.undo()
    assert file.read_bytes() == b"1"
