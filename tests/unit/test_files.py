"""Files: written whole or not at all; locks; the folders of the user."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forking import exit_code, forked
from widgetschema import files
from widgetschema.errors import StoreError
from widgetschema.files import (
    FOLDER_VARIABLES,
    append,
    file_lock,
    folder_lock,
    open_file,
    read_bytes,
    read_file,
    read_head,
    remove,
    remove_unfinished,
    replace_file,
    user_cache_folder,
    user_config_folder,
    write_atomically,
    writing_atomically,
)


def write(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def no_file(folder: str, mode: int) -> None:
    """Stand for a system without files that have no name."""


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_open_unnamed", no_file)


@pytest.fixture(params=[True, False], ids=["named", "unnamed"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(files, "_open_unnamed", no_file)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(os.path.relpath(path))


def make_sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 20_000_000_000)


NOT_REGULAR = "is not a regular file; save what it gives to a file"
READERS: list[Callable[[Path], object]] = [
    lambda path: read_file(path, 10),
    lambda path: read_file(path),
    lambda path: read_bytes(path),
    lambda path: read_head(path, 10),
    lambda path: open_file(path).close(),
    lambda path: open_file(path, "r+b").close(),
]


class TestReading:
    @pytest.mark.parametrize("reader", READERS)
    @pytest.mark.parametrize(
        ("make", "why"),
        [
            (make_folder, "[Ii]s a directory"),
            (make_device, NOT_REGULAR),
            (os.mkfifo, NOT_REGULAR),
            (make_socket, "No such device|not supported"),
            (lambda path: None, "No such file"),
        ],
        ids=["folder", "device", "pipe", "socket", "nothing"],
    )
    def test_what_is_no_file_is_refused_and_nobody_waits(
        self,
        make: Callable[[Path], object],
        why: str,
        reader: Callable[[Path], object],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        make(tmp_path / "it")
        with pytest.raises((OSError, StoreError), match=why) as raised:
            reader(tmp_path / "it")
        error = raised.value
        assert str(getattr(error, "filename", None) or getattr(error, "path", None)).endswith("it")

    @pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no such file")
    def test_what_cannot_be_read_once_it_is_open_is_named(self) -> None:
        with pytest.raises(OSError, match="Input/output error") as raised:
            read_file("/proc/self/mem")
        assert raised.value.filename == "/proc/self/mem"

    @pytest.mark.parametrize("size", [0, 1, 9, 10])
    @pytest.mark.parametrize("pipes", [True, False])
    def test_a_file_within_the_limit_is_read_whole(
        self, size: int, pipes: bool, tmp_path: Path
    ) -> None:
        (tmp_path / "it").write_bytes(b"x" * size)
        assert read_file(tmp_path / "it", 10, pipes=pipes) == b"x" * size
        assert read_bytes(tmp_path / "it", 10) == b"x" * size
        assert read_head(tmp_path / "it", 3) == b"x" * min(size, 3)

    def test_a_file_beyond_the_limit_is_refused_before_it_is_read(self, tmp_path: Path) -> None:
        make_sparse(tmp_path / "it")
        with pytest.raises(OSError, match="larger than the limit of 67,108,864 bytes"):
            read_file(tmp_path / "it")
        with pytest.raises(StoreError, match=r"limit of 10 bytes; is it the right file\?"):
            read_bytes(tmp_path / "it", 10)

    @pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no such file")
    def test_a_file_that_is_larger_than_the_system_says(self) -> None:
        assert b"Pid:" in read_file("/proc/self/status")
        with pytest.raises(OSError, match="the limit of 10 bytes"):
            read_file("/proc/self/status", 10)

    def test_a_pipe_that_a_person_names_is_read_to_the_limit(self) -> None:
        for content in (b"", b"x" * 10, b"x" * 11):
            ours, theirs = os.pipe()
            os.write(theirs, content)
            if len(content) < 11:
                os.close(theirs)  # else it goes on
            with contextlib.closing(os.fdopen(ours, "rb")):
                if len(content) < 11:
                    assert read_file(f"/dev/fd/{ours}", 10, pipes=True) == content
                else:
                    with pytest.raises(OSError, match="the limit of 10 bytes"):
                        read_file(f"/dev/fd/{ours}", 10, pipes=True)
                    os.close(theirs)
        with pytest.raises(OSError, match=NOT_REGULAR):
            read_file("/dev/zero", 10, pipes=True)


class TestReplacing:
    def test_a_file_is_replaced_if_it_is_as_it_was(self, either: None, tmp_path: Path) -> None:
        path = tmp_path / "file.json"
        replace_file(str(path), "new", None)
        replace_file(str(path), "newer", b"new")
        assert path.read_text() == "newer"
        assert names(tmp_path) == ["file.json"]

    @pytest.mark.parametrize("before", [b"old", None], ids=["a file", "none"])
    @pytest.mark.parametrize("now", ["other", "ol", "old, and more", None])
    def test_what_another_program_wrote_meanwhile_stays(
        self,
        before: bytes | None,
        now: str | None,
        either: None,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = tmp_path / "file.json"
        if before is not None:
            path.write_bytes(before)

        def write_meanwhile(_: int) -> None:
            path.unlink(missing_ok=True)
            if now is not None:
                path.write_text(now)

        monkeypatch.setattr(os, "fsync", write_meanwhile)
        if before is None and now is None:
            replace_file(str(path), "new", before)
            now = "new"
        else:
            with pytest.raises(OSError, match="another program changed it"):
                replace_file(str(path), "new", before)

        assert names(tmp_path) == ([] if now is None else ["file.json"])
        assert now is None or path.read_text() == now

    def test_what_is_added_stands_at_the_end(self, tmp_path: Path) -> None:
        append(str(tmp_path / "file.md"), "a\n")
        append(str(tmp_path / "file.md"), "b\n")
        assert (tmp_path / "file.md").read_text() == "a\nb\n"


class TestWriting:
    @pytest.mark.parametrize(
        "text", ["", "text\n", "a\r\nb\n", "größe 😀", "x" * 1_000_000], ids=lambda t: repr(t[:9])
    )
    def test_text_is_written_as_it_is(self, text: str, tmp_path: Path) -> None:
        write_atomically(tmp_path / "file.json", text)
        write_atomically(str(tmp_path / "file.json"), text)

        assert (tmp_path / "file.json").read_bytes() == text.encode()
        assert names(tmp_path) == ["file.json"]

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755, 0o444])
    def test_the_mode_is_kept(self, mode: int, tmp_path: Path) -> None:
        path = tmp_path / "file.json"
        path.write_text("old")
        path.chmod(mode)
        write_atomically(path, "new")

        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert path.read_text() == "new"

    @pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
    def test_a_new_file_obeys_the_umask(self, mask: int, mode: int, tmp_path: Path) -> None:
        before = os.umask(mask)
        try:
            write_atomically(tmp_path / "file.json", "new")
        finally:
            after = os.umask(before)

        assert stat.S_IMODE((tmp_path / "file.json").stat().st_mode) == mode
        assert after == mask

    @pytest.mark.parametrize("exists", [True, False], ids=["existing", "dangling"])
    @pytest.mark.parametrize("relative", [True, False], ids=["relative", "absolute"])
    def test_a_symbolic_link_stays_one(self, exists: bool, relative: bool, tmp_path: Path) -> None:
        target, link = tmp_path / "there" / "real.json", tmp_path / "link.json"
        target.parent.mkdir()
        if exists:
            target.write_text("old")
        link.symlink_to("there/real.json" if relative else target)
        write_atomically(link, "new")

        assert link.is_symlink()
        assert target.read_text() == "new"
        assert names(target.parent) == ["real.json"]
        assert names(tmp_path) == ["link.json", "there"]

    @pytest.mark.parametrize(
        ("spoil", "error"),
        [
            pytest.param(lambda path: path, UnicodeEncodeError, id="text-that-is-not-unicode"),
            pytest.param(lambda path: path.parent, OSError, id="target-is-a-folder"),
            pytest.param(lambda path: path / "x", OSError, id="folder-is-a-file"),
            pytest.param(lambda path: path.parent / "no" / "x", OSError, id="no-such-folder"),
        ],
    )
    def test_a_failure_leaves_everything_as_it_was(
        self, spoil: Callable[[Path], Path], error: type[Exception], tmp_path: Path
    ) -> None:
        folder = tmp_path / "folder"
        path = write(folder, {"file.json": "old"}) / "file.json"
        with pytest.raises(error):
            write_atomically(spoil(path), "new \ud800" if error is UnicodeEncodeError else "new")

        assert path.read_text() == "old"
        assert names(folder) == ["file.json"]
        assert names(tmp_path) == ["folder"]

    @pytest.mark.parametrize("name", [f"{'x' * 250}.json", f"{'文' * 83}.json"], ids=["x", "文"])
    def test_the_longest_file_names_can_be_written(self, name: str, tmp_path: Path) -> None:
        write_atomically(tmp_path / name, "new")

        assert names(tmp_path) == [name]

    @pytest.mark.parametrize("durable", [True, False])
    def test_nobody_sees_a_part(self, durable: bool, named: None, tmp_path: Path) -> None:
        path = write(tmp_path, {"file.json": "old"}) / "file.json"
        with writing_atomically(path, durable=durable) as file:
            file.write("new, ")
            file.flush()
            (temporary,) = (name for name in names(tmp_path) if name != "file.json")
            assert temporary.startswith(".file.json.")
            assert stat.S_IMODE((tmp_path / temporary).stat().st_mode) == 0o600
            assert path.read_text() == "old"
            file.write("and whole")

        assert path.read_text() == "new, and whole"
        assert names(tmp_path) == ["file.json"]

    @pytest.mark.parametrize("mode", [None, 0o600])
    @pytest.mark.parametrize("before", [None, 0o640])
    def test_a_file_without_a_name_is_written_like_any_other(
        self,
        before: int | None,
        mode: int | None,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for name in ("unnamed", "usual"):
            path = tmp_path / name
            if before is not None:
                path.write_text("old")
                path.chmod(before)
            write_atomically(path, "new", mode=mode)
            monkeypatch.setattr(files, "_open_unnamed", no_file)

        usual, unnamed = tmp_path / "usual", tmp_path / "unnamed"
        assert names(tmp_path) == ["unnamed", "usual"]
        assert unnamed.read_text() == usual.read_text() == "new"
        assert unnamed.stat().st_mode == usual.stat().st_mode

    @pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="there are no such files here")
    def test_a_disk_may_have_no_files_without_names(self) -> None:
        assert files._open_unnamed("/proc", 0o600) is None

    @pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt, GeneratorExit])
    @pytest.mark.parametrize("exists", [True, False])
    def test_nothing_is_left_of_what_failed(
        self, error: type[BaseException], exists: bool, either: None, tmp_path: Path
    ) -> None:
        def fail(path: Path) -> None:
            with writing_atomically(path) as file:
                file.write("x" * 1_000_000)
                raise error

        write(tmp_path, {"file.json": "old"} if exists else {})
        with pytest.raises(error):
            fail(tmp_path / "file.json")

        assert names(tmp_path) == (["file.json"] if exists else [])
        assert not exists or (tmp_path / "file.json").read_text() == "old"

    def test_the_old_file_may_stay_at_the_last_moment(self, either: None, tmp_path: Path) -> None:
        path = write(tmp_path, {"file.json": "old"}) / "file.json"

        def refuse() -> None:
            (temporary,) = {*names(tmp_path)} - {"file.json"}
            assert (tmp_path / temporary).read_text() == "new"
            raise ValueError

        with (
            pytest.raises(ValueError),  # noqa: PT011
            writing_atomically(path, before_move=refuse) as file,
        ):
            file.write("new")
        assert path.read_text() == "old"
        assert names(tmp_path) == ["file.json"]

    def test_what_killed_processes_left_is_removed(self, tmp_path: Path) -> None:
        end = "widgetschema-0123456789abcdef"
        long = "x" * 50
        others = [
            f".other.json.{end}",
            ".file.json.widgetschema-0123",
            ".file.json.0123456789abcdef",
            f"file.json.{end}",
            f".file.json.{end}.x",
        ]
        left = [f".file.json.{end}", f".{long[:40]}.{end}"]
        write(tmp_path, dict.fromkeys([*others, *left, "file.json"], "text"))
        folder = tmp_path / f".file.json.widgetschema-{end[:-17:-1]}"
        folder.mkdir()
        others += [f".file.json.widgetschema-{number * 16}" for number in "123"]
        os.mkfifo(tmp_path / others[-3])
        (tmp_path / others[-2]).symlink_to("file.json")
        os.link(tmp_path / others[0], tmp_path / others[-1])

        with writing_atomically(tmp_path / "file.json") as file:
            file.write("new")
            file.flush()
            remove_unfinished([str(tmp_path / one) for one in ("file.json", long, "no/file.json")])

        assert (tmp_path / "file.json").read_text() == "new"
        assert names(tmp_path) == sorted([*others, folder.name, "file.json"])

    def test_writing_a_file_again_removes_what_was_left_of_it(
        self, either: None, tmp_path: Path
    ) -> None:
        end = "widgetschema-0123456789abcdef"
        write(tmp_path, dict.fromkeys([f".file.json.{end}", f".other.json.{end}"], "text"))
        with writing_atomically(tmp_path / "file.json") as file:
            file.write("new")
            write_atomically(tmp_path / "file.json", "other")
        assert (tmp_path / "file.json").read_text() == "new"
        assert names(tmp_path) == [f".other.json.{end}", "file.json"]

    def test_the_first_error_is_told(self, named: None, tmp_path: Path) -> None:
        """Also when somebody was quicker to remove what is to be removed."""

        def fail(path: Path) -> None:
            with writing_atomically(path):
                (temporary,) = tmp_path.iterdir()
                temporary.unlink()
                raise ValueError("the first")

        with pytest.raises(ValueError, match="the first"):
            fail(tmp_path / "file.json")

    def test_what_is_not_there_is_removed_already(self, tmp_path: Path) -> None:
        write(tmp_path, {"file.json": "old"})
        remove(tmp_path / "file.json")
        remove(tmp_path / "file.json")

        assert names(tmp_path) == []
        with pytest.raises(OSError, match=r"directory|permitted"):
            remove(tmp_path)

    def test_a_pipe_is_written_to_and_stays_a_pipe(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            write_atomically(pipe, "text")
            assert os.read(reader, 100) == b"text"
            with writing_atomically(pipe) as file:
                file.write("more")
                file.flush()
                assert os.read(reader, 100) == b"more"
        finally:
            os.close(reader)
        assert pipe.is_fifo()


class TestLocks:
    def test_a_file_is_locked_among_threads_of_one_process(self, tmp_path: Path) -> None:
        name = str(tmp_path / "lock")
        with file_lock(name, 0), pytest.raises(TimeoutError), file_lock(name, 0):
            pass
        with file_lock(name, 0):
            assert (tmp_path / "lock").exists()

    def test_a_folder_is_locked_before_it_exists(self, tmp_path: Path) -> None:
        code = (
            "import sys\n"
            "from widgetschema.files import folder_lock\n"
            "with folder_lock(sys.argv[1]):\n"
            "    print('held', flush=True)\n"
            "    sys.stdin.read()\n"
        )
        folder = str(tmp_path / "new")
        other = subprocess.Popen(
            [sys.executable, "-c", code, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"held\n"
            with pytest.raises(StoreError, match="another process"), folder_lock(folder, 0):
                pass
            assert other.stdin is not None
            other.stdin.close()
            with folder_lock(folder):  # waits for the other one to end
                assert names(tmp_path) == []

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
    @pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
    def test_a_process_that_is_forked_meanwhile_does_not_keep_it(self, tmp_path: Path) -> None:
        folder = str(tmp_path / "new")
        read, write = os.pipe()
        with folder_lock(folder):
            child = forked(lambda: len(os.read(read, 1)))
        try:
            with folder_lock(folder, 0):
                pass
        finally:
            os.write(write, b"x")
            assert exit_code(child) == 1
        os.close(read)
        os.close(write)

    def test_an_error_inside_is_not_taken_for_one_of_the_lock(self, tmp_path: Path) -> None:
        with pytest.raises(TimeoutError, match="mine"), folder_lock(str(tmp_path / "new")):
            raise TimeoutError("mine")


class TestFolders:
    @pytest.mark.parametrize(("value", "below"), [("/x", "/x"), ("", None), ("relative", None)])
    @pytest.mark.skipif(sys.platform != "linux", reason="the variable is of XDG")
    def test_the_cache(
        self, value: str, below: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        expected = below or os.path.expanduser("~/.cache")
        assert user_cache_folder() == os.path.join(expected, "widgetschema")

    @pytest.mark.skipif(sys.platform != "linux", reason="the variable is of XDG")
    def test_the_settings(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", "/x")
        assert user_config_folder() == "/x/widgetschema"

    def test_folders_of_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for variable, folder in zip(
            FOLDER_VARIABLES, (user_cache_folder, user_config_folder), strict=True
        ):
            monkeypatch.setenv(variable, os.path.abspath("own"))
            assert folder() == os.path.abspath("own")
            monkeypatch.setenv(variable, "own")
            with pytest.raises(StoreError, match=f"set {variable} to an absolute path"):
                folder()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
class TestNamedPipes:
    def test_a_pipe_without_a_writer_is_not_waited_for(self, tmp_path: Path) -> None:
        pipe = str(tmp_path / "pipe")
        os.mkfifo(pipe)
        with pytest.raises(OSError, match="nothing has written to for 0 seconds"):
            files._open_pipe(pipe, os.O_RDONLY, patience=0)

    def test_a_pipe_is_read_when_its_writer_comes(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_bytes(b"text"))
        writer.start()
        assert files.read_file(str(pipe), pipes=True) == b"text"
        writer.join()

    def test_a_pipe_without_a_reader_is_refused(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with pytest.raises(OSError, match="nothing reads"), writing_atomically(pipe):
            pass
