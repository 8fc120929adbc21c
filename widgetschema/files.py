"""Files: read within a limit, written whole or not at all; locks; and the user's folders.

This is the one place that opens files, to read or to write them.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, TextIO

from widgetschema.errors import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future

FOLDER_VARIABLES: Final = {  # with what the manual says of them
    "WIDGETSCHEMA_CACHE_DIR": "The folder of the caches, in place of the user's: an absolute path.",
    "WIDGETSCHEMA_TOKENS_DIR": "The folder of the stored tokens, in place of the user's: an "
    "absolute path.",
}
LARGEST: Final = 64 * 1024 * 1024  # bytes of a file that is read whole, unless its limit is lower
_TEMPORARY: Final = re.compile(r"\.(.{1,40})\.widgetschema-[0-9a-f]{16}", re.DOTALL)
_PATIENCE: Final = 10.0  # seconds that the writer of a pipe has to open it
_FLUSH_THREADS: Final = 16
_CHUNK: Final = 1024 * 1024  # bytes that are read at once of what has no size
_NAME: Final = "widgetschema"  # of the folders of this package
_LOCK_TIMEOUT: Final = 60.0  # seconds to wait for another process that writes into a folder
_LOCK_INTERVAL: Final = 0.01  # seconds


def digest(raw: bytes) -> str:
    """Return the sha256 of a file's content, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def file_digest(path: str) -> str:
    """Return the digest of a regular file, however large. Raises `OSError`."""
    with open(path, "rb", opener=_open_regular) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_file(
    path: str | os.PathLike[str],
    mode: Literal["rb", "r+b"] = "rb",
    *,
    buffering: int = -1,
    pipes: bool = False,
) -> BinaryIO:
    """Open a regular file, to read it piece by piece or to overwrite parts of it.

    Nothing else is opened: reading a device need not end, and a pipe is no file to read twice. With
    `pipes`, for what a person names, a pipe such as `<(command)` is opened as well. Raises
    `OSError`.
    """
    opener = _open_readable if pipes else _open_regular
    return open(path, mode, buffering=buffering, opener=opener)


def read_whole(
    path: str | os.PathLike[str], most: int, *, pipes: bool = False
) -> tuple[os.stat_result, bytes]:
    """Return the status of a file, and its content of at most `most` bytes; `pipes` as `open_file`.

    There is no stream around it, since most of the time goes into opening files. Raises `OSError`,
    with the number `EFBIG` if it has more.
    """
    opener = _open_readable if pipes else _open_regular
    file = opener(os.fspath(path), os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(file)
        size = status.st_size
        if stat.S_ISDIR(status.st_mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        raw = b"" if size > most else os.read(file, size + 1)
        if len(raw) != size and size <= most:  # a pipe, or it is being written to
            chunks, left = [raw], most + 1 - len(raw)
            while left > 0 and (chunk := os.read(file, min(left, _CHUNK))):
                chunks.append(chunk)
                left -= len(chunk)
            raw = b"".join(chunks)
    except OSError as error:
        error.filename = path  # which only opening knows
        raise
    finally:
        os.close(file)
    if max(size, len(raw)) > most:
        text = f"is larger than the limit of {most:,} bytes; is it the right file?"
        raise OSError(errno.EFBIG, text, path)
    return status, raw


def read_file(path: str | os.PathLike[str], most: int = LARGEST, *, pipes: bool = False) -> bytes:
    """Return the content of a file, of at most `most` bytes; `pipes` as for `open_file`.

    Raises `OSError`.
    """
    return read_whole(path, most, pipes=pipes)[1]


def read_head(path: str | os.PathLike[str], size: int) -> bytes:
    """Return the first bytes of a regular file. Raises `OSError`."""
    with open_file(path, buffering=0) as file:
        return file.read(size)


def holds(path: str, text: str) -> bool:
    """Return whether a regular file has exactly this content. Raises `OSError`."""
    content = text.encode()
    return os.path.isfile(path) and read_head(path, len(content) + 1) == content


def read_bytes(path: str | os.PathLike[str], most: int = LARGEST) -> bytes:
    """Return the content of a regular file of at most `most` bytes. Raises `StoreError`."""
    try:
        return read_file(path, most)
    except OSError as error:
        reason, _, advice = (error.strerror or type(error).__name__).partition("; ")
    raise StoreError(os.fspath(path), reason, advice)


def _open_regular(path: str, flags: int) -> int:
    """Open a regular file or a folder, for `open`, without waiting for the writer of a pipe."""
    file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOINHERIT", 0))
    mode = os.fstat(file).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # a folder has an error of the system
        return file
    os.close(file)
    raise _not_regular(path)


def _open_readable(path: str, flags: int) -> int:
    """Open a regular file, or a pipe that is written to, for `open`."""
    if stat.S_ISFIFO(os.stat(path).st_mode):
        return _open_pipe(path, flags | os.O_CLOEXEC)
    return _open_regular(path, flags)


def _open_pipe(path: str, flags: int, patience: float = _PATIENCE) -> int:
    """Open a pipe when its writer has. Raises `OSError` if it has none for so many seconds."""
    import threading  # few files are pipes
    from concurrent.futures import Future as Opened

    opened: Future[int] = Opened()

    def run() -> None:
        try:
            opened.set_result(os.open(path, flags))
        except OSError as error:
            opened.set_exception(error)

    threading.Thread(target=run, name="pipe", daemon=True).start()
    try:
        return opened.result(patience)
    except TimeoutError:
        text = f"is a pipe that nothing has written to for {patience:g} seconds"
        raise OSError(errno.ETIMEDOUT, text, path) from None
    finally:
        if not opened.done():
            with contextlib.suppress(OSError):  # ends the wait of the thread
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            opened.add_done_callback(_close_opened)


def _close_opened(opened: Future[int]) -> None:
    if opened.exception() is None:
        os.close(opened.result())


def _open_sink(path: str, flags: int) -> int:
    """Open a device, or a pipe that is read, for `open`."""
    try:
        file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        text = "is a pipe that nothing reads; start its reader first"
        raise OSError(errno.ENXIO, text, path) from None
    if sys.platform != "win32":
        os.set_blocking(file, True)
    return file


def _not_regular(path: str) -> OSError:
    text = "is not a regular file; save what it gives to a file, and name that"
    return OSError(errno.EINVAL, text, path)


def replace_file(path: str, text: str, before: bytes | None) -> None:
    """Write a text file in place of one with the content `before`, None for no file.

    It is looked at for the last time when the new content is on the disk, just before that gets
    its name. Raises `OSError`, also if the file has another content by then.
    """
    if before is not None:
        with open_file(path, "r+b"):  # without write permission, it must not be replaced either
            pass

    def require_unchanged() -> None:
        now: bytes | None = None
        with contextlib.suppress(FileNotFoundError):
            now = read_head(path, len(before or b"") + 1)
        if now != before:
            why = "another program changed it meanwhile; nothing was written"
            raise OSError(errno.EBUSY, why, path)

    with writing_atomically(path, before_move=require_unchanged) as file:
        file.write(text)


def append(path: str, text: str) -> None:
    """Add to the end of a text file that other programs add to as well. Raises `OSError`."""
    with open(path, "a", encoding="utf-8", newline="") as file:
        file.write(text)


def open_to_add(path: str) -> BinaryIO:
    """Open a file, to add bytes to its end; a new one is for its owner alone. Raises `OSError`."""
    return open(path, "ab", buffering=0, opener=_open_private)


def write_atomically(
    path: str | os.PathLike[str], text: str, *, durable: bool = True, mode: int | None = None
) -> None:
    """Write a text file whole or not at all: see `writing_atomically`. Raises `OSError`."""
    with writing_atomically(path, durable=durable, mode=mode) as file:
        file.write(text)


@contextlib.contextmanager
def writing_atomically(
    path: str | os.PathLike[str],
    *,
    durable: bool = True,
    mode: int | None = None,
    before_move: Callable[[], object] | None = None,
) -> Iterator[TextIO]:
    """Open a text file that is written whole or not at all: beside the old one, then moved.

    If writing fails or is interrupted, no temporary file is left; hardly ever one is left even if
    this process is killed, where the system supports files without a name, and writing the file
    again removes that, if `durable`: see `remove_unfinished`. `before_move` is called last, and may
    raise an error to keep the old file. A symbolic link stays one: its target is replaced. A pipe
    or a device is written to, since it cannot be replaced. Unless `durable`, the system may keep
    the content in memory for a while: that is for many small files that can be made again. `mode`
    is the permissions, by default those of the old file, else the usual ones; other users cannot
    read the file before it has them. Owner and group stay, where the system allows it. Raises
    `OSError`.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", newline="", opener=_open_sink) as file:
            yield file
        return
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    before = os.stat(target) if os.path.exists(target) else None
    if mode is None and before is not None:
        mode = before.st_mode & 0o777
    if durable:
        remove_unfinished([target])
    # The name is known before there is such a file: no moment at which it would be left behind.
    temporary = os.path.join(folder, f".{name[:40]}.widgetschema-{os.urandom(8).hex()}")
    opener = None if mode is None else _open_private  # None: as the umask says
    number = _open_unnamed(folder, 0o666 if mode is None else 0o600)
    place, held = temporary if number is None else number, None
    how: Literal["x", "w"] = "x" if number is None else "w"
    try:
        with open(place, how, encoding="utf-8", newline="", opener=opener) as file:
            held = _hold(file.fileno())
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
            if number is not None:
                os.link(_fd_path(number), temporary, src_dir_fd=number)  # the number: to follow it
        if before is not None:
            _keep_owner(temporary, before)
        if mode is not None:
            os.chmod(temporary, mode)
        if before_move is not None:
            before_move()
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):  # the first error is the one to report
            os.unlink(temporary)
        raise
    finally:
        if held is not None:
            os.close(held)


def remove_unfinished(paths: Iterable[str]) -> None:
    """Remove the temporary files that killed processes left beside these files.

    A file that another process is writing is locked, and stays.
    """
    heads: dict[str, set[str]] = {}
    for path in paths:
        folder, name = os.path.split(os.path.realpath(path))
        heads.setdefault(folder, set()).add(name[:40])
    for folder, own in heads.items():
        with contextlib.suppress(OSError):  # a file that is left does no harm
            for found in filter(None, map(_TEMPORARY.fullmatch, os.listdir(folder))):
                if found[1] in own:
                    _unlink_unlocked(os.path.join(folder, found[0]))


def _open_unnamed(folder: str, mode: int) -> int | None:
    """Open a new file without a name on the disk of a folder; None if the system has none."""
    try:
        number = os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, mode)
    except (AttributeError, OSError):  # another system, or another sort of disk
        return None
    if os.path.exists(_fd_path(number)):
        return number
    os.close(number)
    return None


def _fd_path(number: int) -> str:
    return f"/proc/self/fd/{number}"


def _keep_owner(path: str, before: os.stat_result) -> None:
    """Give a file the owner and the group of the one that it replaces, if that is allowed."""
    now = os.stat(path)
    if (now.st_uid, now.st_gid) == (before.st_uid, before.st_gid) or not hasattr(os, "chown"):
        return
    for owner in (before.st_uid, -1):  # the group alone may be allowed
        with contextlib.suppress(OSError):
            os.chown(path, owner, before.st_gid)
            return


def write_new(path: str, text: str, mode: int | None = None) -> None:
    """Write a text file under a temporary name; `flush` it before it is moved.

    Raises `OSError`.
    """
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    if mode is not None:
        os.chmod(path, mode)


def flush(paths: Sequence[str]) -> None:
    """Flush files to the disk, all at the same time.

    Raises `OSError`.
    """
    from concurrent.futures import ThreadPoolExecutor

    if len(paths) == 1:
        _flush(paths[0])
        return
    with ThreadPoolExecutor(_FLUSH_THREADS) as pool:
        for _ in pool.map(_flush, paths):
            pass


def _flush(path: str) -> None:
    file = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def remove(path: str | os.PathLike[str]) -> None:
    """Remove a file, if it is there. Raises `OSError`."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def remove_folder(path: str) -> None:
    """Remove a folder of plain files with all that is in it, if it is there. Raises `OSError`."""
    if os.path.islink(path) or not os.path.isdir(path):  # never what a link leads to
        remove(path)
        return
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(path), reverse=True):  # a `.gitignore` goes last
            remove(os.path.join(path, name))
        os.rmdir(path)


def move(path: str, target: str) -> None:
    """Give a file another name, in place of what has that name. Raises `OSError`."""
    os.replace(path, target)


def set_aside(path: str) -> None:
    """Move a file that cannot be used out of the way: its name ends in `.corrupt` from then on.

    Raises `StoreError`.
    """
    try:
        os.replace(path, f"{path}.corrupt")
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(path, f"cannot be set aside: {error.strerror or error}") from None


def copy(path: str, target: str) -> None:
    """Copy a file, if it is there. Raises `OSError`."""
    import shutil  # most runs copy nothing

    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(path, target)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def user_cache_folder() -> str:
    """Return the user's cache folder of this package; it is not absolute without a home.

    Raises `StoreError` for a variable that is no absolute path.
    """
    if given := _given_folder("WIDGETSCHEMA_CACHE_DIR"):
        return given
    if (
        os.name == "posix" and os.uname().sysname == "Linux"
    ):  # as the XDG specification has it: most runs need no more
        home = os.environ.get("XDG_CACHE_HOME", "")
        home = home if os.path.isabs(home) else os.path.expanduser("~/.cache")
        return os.path.join(home, _NAME)
    import platformdirs

    return platformdirs.user_cache_dir(_NAME)


def user_config_folder() -> str:
    """Return the folder of the user's settings for this package, which are the stored tokens.

    Raises `StoreError` for a variable that is no absolute path.
    """
    if given := _given_folder("WIDGETSCHEMA_TOKENS_DIR"):
        return given
    import platformdirs

    return platformdirs.user_config_dir(_NAME, appauthor=False)


def _given_folder(variable: str) -> str:
    folder = os.environ.get(variable, "")
    if folder and not os.path.isabs(folder):
        raise StoreError(folder, f"set {variable} to an absolute path")
    return folder


@contextlib.contextmanager
def file_lock(path: str, timeout: float) -> Iterator[None]:
    """Hold a lock, which is a file of its own, among threads and processes.

    `timeout` is in seconds. Raises `TimeoutError`, and `OSError` or `NotImplementedError` where no
    lock can be made.
    """
    import filelock

    with filelock.FileLock(path, timeout=timeout, mode=0o600, thread_local=False):
        yield


@contextlib.contextmanager
def folder_lock(folder: str, timeout: float = _LOCK_TIMEOUT) -> Iterator[None]:
    """Hold the lock of a folder, among threads and processes.

    The lock is on the folder above, which is there before the folder is, and no file is left in
    what people share in version control. Two folders side by side share it, which does no harm.
    `timeout` is in seconds. Raises `StoreError` if another process holds it for so long, `OSError`.
    """
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(_lock_above(folder, timeout))
        except TimeoutError:
            reason = f"another process has been writing here for {timeout:.0f} seconds"
            raise StoreError(folder, f"{reason}; try again") from None
        yield


if sys.platform == "win32":

    def _lock_above(folder: str, timeout: float) -> contextlib.AbstractContextManager[None]:
        return file_lock(f"{folder}.lock", timeout)  # a folder cannot be opened there

    def _hold(number: int) -> int | None:
        return None  # an open file cannot be removed there

    def _unlink_unlocked(path: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(path)

else:
    import fcntl

    @contextlib.contextmanager
    def _lock_above(folder: str, timeout: float) -> Iterator[None]:
        number = os.open(os.path.dirname(folder), os.O_RDONLY | os.O_CLOEXEC)
        own = os.getpid()
        try:
            due = time.monotonic() + timeout
            while not _try_lock(number):
                if time.monotonic() >= due:
                    raise TimeoutError
                time.sleep(_LOCK_INTERVAL)
            yield
        finally:
            if os.getpid() == own:  # a process that was forked meanwhile has the lock, too
                fcntl.flock(number, fcntl.LOCK_UN)
            os.close(number)

    def _hold(number: int) -> int | None:
        """Return another descriptor of an open file, which locks it; None if that is impossible."""
        held = os.dup(number)
        try:
            if _try_lock(held):
                return held
        except OSError:  # the file system has no locks
            pass
        os.close(held)
        return None

    def _unlink_unlocked(path: str) -> None:
        with contextlib.suppress(OSError):  # removed in the meantime, or not a file
            number = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                status = os.fstat(number)
                if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and _try_lock(number):
                    os.unlink(path)
            finally:
                os.close(number)

    def _try_lock(number: int) -> bool:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
