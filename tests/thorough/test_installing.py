"""Writing schemas into a store: all or nothing, at any moment, whoever else writes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.forking import exit_code_of_fork
from tests.killing import killed_at
from widgetschema import Store, StoreError
from widgetschema.catalog.store import NewSchema, install, write_manifest
from widgetschema.catalog.store.store import STAGED
from widgetschema.jsontext import dump

# The suite runs in several processes, each with a thread that does nothing but wait.
pytestmark = pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")

OLD = {"a": {"title": "old a"}, "b": {"title": "old b"}, "c": {"title": "c"}}
NEW = {"a": {"title": "new a"}, "b": {"title": "new b"}, "d": {"title": "new d"}}


def new(schemas: Mapping[str, Any]) -> dict[str, NewSchema]:
    return {id: NewSchema(dump(schema), {"source": "here"}) for id, schema in schemas.items()}


def held(folder: Path) -> dict[str, Any]:
    """Return the content of a store, each schema read anew."""
    store = Store(folder)
    return {id: store[id] for id in store}


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_folder_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "schemas"
    install(folder, new(OLD))
    assert held(folder) == OLD
    assert files(folder) == {"a.json", "b.json", "c.json", "manifest.json"}
    assert files(folder.parent) == {"schemas"}


def test_the_manifest_says_what_is_known(tmp_path: Path) -> None:
    install(tmp_path, {"a": NewSchema(dump(OLD["a"]), {"source": "x", "etag": '"1"'})})
    entry = Store(tmp_path).entry("a")
    assert entry is not None
    assert (entry.file, entry.text("source"), entry.text("etag")) == ("a.json", "x", '"1"')
    assert (entry.text("nothing"), entry.number("source"), entry.number("x")) == (None, None, None)


def test_what_is_not_written_stays(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    (tmp_path / "README.md").write_text("ours", encoding="utf-8")
    install(tmp_path, new(NEW))
    assert held(tmp_path) == {**OLD, **NEW}
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "ours"
    assert STAGED not in files(tmp_path)


def test_git_ignores_what_an_unfinished_write_leaves(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    install(folder, new(OLD))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "schemas")
    (folder / "b.json").unlink()
    (folder / "b.json").symlink_to(tmp_path / "missing" / "b.json")  # stops the write half-way
    git(tmp_path, "add", "schemas")

    with pytest.raises(StoreError, match="cannot be written"):
        install(folder, new(NEW), force=True)

    assert STAGED in files(folder)
    assert Store(folder)["a"] == OLD["a"]  # ours see the old folder, git sees the file
    status = git(tmp_path, "status", "--porcelain", "--untracked-files=all").splitlines()
    assert [line for line in status if not line.startswith("A  ")] == ["AM schemas/a.json"]


class Killing(dict[str, NewSchema]):
    """Schemas that end the process when they are written, as if it was killed."""

    def items(self) -> Any:
        os._exit(7)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_git_ignores_a_new_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")

    def killed() -> int:
        install(tmp_path / "schemas", Killing())
        return 0

    assert exit_code_of_fork(killed) == 7
    (left,) = files(tmp_path) - {".git"}
    assert left.startswith(".schemas.new-")
    assert git(tmp_path, "status", "--porcelain", "--untracked-files=all") == ""
    install(tmp_path / "schemas", new(OLD))
    assert files(tmp_path) == {".git", "schemas"}
    assert ".gitignore" not in files(tmp_path / "schemas")


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


def test_the_same_again_writes_nothing(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    install(tmp_path, new(OLD))
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_two_ids_may_have_one_text(tmp_path: Path) -> None:
    same = {"a": {"type": "string"}, "b": {"type": "string"}}
    install(tmp_path, new(same))
    assert held(tmp_path) == same


def test_a_folder_without_a_manifest_gets_one(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"title": "mine"}', encoding="utf-8")
    install(tmp_path, new(OLD))
    assert held(tmp_path) == {**OLD, "mine": {"title": "mine"}}


def test_without_a_manifest_no_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"title": "mine"}', encoding="utf-8")
    for _ in range(2):
        with pytest.raises(StoreError, match=r"without a manifest\.json, the file may have been"):
            install(tmp_path, new(OLD))
        assert files(tmp_path) == {"a.json"}
    assert held(tmp_path) == {"a": {"title": "mine"}}
    install(tmp_path, new(OLD), force=True)
    assert held(tmp_path) == OLD


def test_a_file_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "other-name.json").write_text('{"$id": "a"}', encoding="utf-8")
    write_manifest(tmp_path)
    install(tmp_path, new(NEW))
    assert "a.json" not in files(tmp_path)
    assert json.loads((tmp_path / "other-name.json").read_text(encoding="utf-8")) == NEW["a"]


def test_a_file_that_was_changed_by_hand_is_not_lost(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    (tmp_path / "a.json").write_text('{"title": "mine"}', encoding="utf-8")
    before = (tmp_path / "manifest.json").read_bytes()
    with pytest.raises(StoreError, match="edited after"):
        install(tmp_path, new(NEW))
    assert (tmp_path / "manifest.json").read_bytes() == before
    assert Store(tmp_path)["b"] == OLD["b"]
    install(tmp_path, new(NEW), force=True)
    assert Store(tmp_path)["a"] == NEW["a"]


def test_a_file_that_is_not_listed_is_not_lost(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    (tmp_path / "d.json").write_text('{"title": "mine"}', encoding="utf-8")
    with pytest.raises(StoreError, match="does not list it"):
        install(tmp_path, new(NEW))
    assert held(tmp_path) == OLD


def test_a_file_that_was_removed_by_hand_comes_back(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    (tmp_path / "a.json").unlink()
    install(tmp_path, new(OLD))
    assert held(tmp_path) == OLD


def test_ids_that_differ_by_case_do_not_share_a_file(tmp_path: Path) -> None:
    install(tmp_path, new({"a": {}, "A": {"title": "capital"}}))
    assert held(tmp_path) == {"a": {}, "A": {"title": "capital"}}
    assert len({name.casefold() for name in files(tmp_path)}) == 3


def test_a_file_of_another_id_is_not_shared(tmp_path: Path) -> None:
    install(tmp_path, new({"a": {}}))
    (tmp_path / "manifest.json").write_text(
        (tmp_path / "manifest.json").read_text().replace('"a":', '"b":')
    )
    with pytest.raises(StoreError, match="taken by 'b'"):
        install(tmp_path, new({"a": {}}))


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "schemas", tmp_path / "elsewhere.json"
    install(folder, new(OLD))
    (folder / "a.json").rename(elsewhere)
    (folder / "a.json").symlink_to(elsewhere)
    install(folder, new(NEW))
    assert (folder / "a.json").is_symlink()
    assert json.loads(elsewhere.read_text(encoding="utf-8")) == NEW["a"]


def test_a_folder_may_be_a_link(tmp_path: Path) -> None:
    install(tmp_path / "real", new(OLD))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    install(tmp_path / "link", new(NEW))
    assert held(tmp_path / "real") == {**OLD, **NEW}
    assert (tmp_path / "link").is_symlink()


def test_permissions_stay(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    (tmp_path / "a.json").chmod(0o640)
    install(tmp_path, new(NEW))
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o640


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written"):
        install(tmp_path / "file" / "schemas", new(OLD))


def test_nobody_else_reads_a_private_folder(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "x"
    install(folder, new(OLD), private=True)
    install(folder, new(NEW), private=True, force=True)
    assert held(folder) == {**OLD, **NEW}
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder)}
    assert modes == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_an_early_reader_finds_the_new_schema(tmp_path: Path) -> None:
    install(tmp_path, new(OLD))
    early = Store(tmp_path)
    install(tmp_path, new(NEW))
    assert early["a"] == NEW["a"]


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    def write(number: int) -> None:
        install(tmp_path / "x", new({f"id{number}": {"title": f"{number}"}}))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(32)))
    assert held(tmp_path / "x") == {f"id{n}": {"title": f"{n}"} for n in range(32)}


# Killed at any moment: a child process ends itself, without any clearing up, at its nth
# change of a file or a folder; n is every number there is.


@pytest.mark.parametrize("there", [True, False], ids=["an old folder", "no folder"])
@pytest.mark.parametrize("private", [False, True])
def test_killed_at_any_moment_it_is_the_old_one_or_the_new_one(
    tmp_path: Path, there: bool, private: bool
) -> None:
    old, whole = (OLD, {**OLD, **NEW}) if there else ({}, NEW)
    seen = []
    for number in range(1, 10_000):
        folder = tmp_path / f"{number}" / "schemas"
        if there:
            install(folder, new(OLD), private=private)
        killed = killed_at(
            number,
            lambda folder=folder: install(folder, new(NEW), private=private),  # type: ignore[misc]
            changes=True,
        )
        after = held(folder) if folder.exists() else {}
        assert after in (old, whole), f"killed at operation {number}"
        seen.append(after == whole)
        install(folder, new(NEW), private=private)  # and the next one clears up
        assert held(folder) == whole
        assert not any(name.startswith(".") for name in files(folder) | files(folder.parent))
        if not killed:
            break
    assert seen[-1]
    assert seen.count(False) > 5


def test_a_folder_without_a_manifest_is_the_old_one_until_the_end(tmp_path: Path) -> None:
    for number in range(1, 10_000):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        for id, schema in OLD.items():
            (folder / f"{id}.json").write_text(dump(schema), encoding="utf-8")
        killed = killed_at(
            number,
            lambda folder=folder: install(folder, new(NEW), force=True),  # type: ignore[misc]
            changes=True,
        )
        assert held(folder) in (OLD, {**OLD, **NEW}), f"killed at operation {number}"
        if not killed:
            return
