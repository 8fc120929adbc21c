"""Files: read whole, written whole or not at all; locks; and the user's folders.

This is the one place that writes files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, TextIO

from widgetschema.errors import StoreError

FOLDER_VARIABLES: Final = {  # with what the manual says of them
    "WIDGETSCHEMA_CACHE_DIR": "The folder of the caches, in place of the user's: an absolute path.",
    "WIDGETSCHEMA_TOKENS_DIR": "The folder of the stored tokens, in place of the user's: an "
    "absolute path.",
}
_TEMPORARY: Final = re.compile(r"\.(.{1,40})\.[0-9a-f]{16}", re.DOTALL)
_FLUSH_THREADS: Final = 16
_NAME: Final = "widgetschema"  # of the folders of this package
_LOCK_TIMEOUT: Final = 60.0  # seconds to wait for another process that writes into a folder
_LOCK_INTERVAL: Final = 0.01  # seconds


def digest(raw: bytes) -> str:
    """Return the sha256 of a file's content, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def read_bytes(path: str) -> bytes:
    """Return the content of a file. Raises `StoreError`."""
    try:
        with open(path, "rb", opener=open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise StoreError(path, "is not a regular file")
            return file.read()
    except OSError as error:
        raise StoreError(path, error.strerror or type(error).__name__) from None


def write_atomically(
    path: str | os.PathLike[str], text: str, *, durable: bool = True, mode: int | None = None
) -> None:
    """Write a text file whole or not at all: see `writing_atomically`. Raises `OSError`."""
    with writing_atomically(path, durable=durable, mode=mode) as file:
        file.write(text)


def write_bytes_atomically(
    path: str | os.PathLike[str], raw: bytes, *, durable: bool = True, mode: int | None = None
) -> None:
    """Write a file of bytes whole or not at all: see `writing_atomically`. Raises `OSError`."""
    with writing_atomically(path, durable=durable, mode=mode) as file:
        file.buffer.write(raw)


@contextlib.contextmanager
def writing_atomically(
    path: str | os.PathLike[str],
    *,
    durable: bool = True,
    mode: int | None = None,
    unnamed: bool = False,
    before_move: Callable[[], object] | None = None,
) -> Iterator[TextIO]:
    """Open a text file that is written whole or not at all: beside the old one, then moved.

    If writing fails or is interrupted, no temporary file is left. With `unnamed`, for files that
    take long to write, hardly ever one is left even if this process is killed, where the system
    supports that; `remove_unfinished` removes the others. `before_move` is called last, and may
    raise an error to keep the old file. A symbolic link stays one: its target is replaced. A pipe
    or a device is written to, since it cannot be replaced. Unless `durable`, the system may keep
    the content in memory for a while: that is for many small files that can be made again. `mode`
    is the permissions, by default those of the old file, else the usual ones; other users cannot
    read the file before it has them. Owner and group stay, where the system allows it. Raises
    `OSError`.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", newline="") as file:
            yield file
        return
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    before = os.stat(target) if os.path.exists(target) else None
    if mode is None and before is not None:
        mode = before.st_mode & 0o777
    # The name is known before there is such a file: no moment at which it would be left behind.
    temporary = os.path.join(folder, f".{name[:40]}.{os.urandom(8).hex()}")
    opener = None if mode is None else _open_private  # None: as the umask says
    number = _open_unnamed(folder, 0o666 if mode is None else 0o600) if unnamed else None
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


def open_without_waiting(path: str, flags: int) -> int:
    """Open a file, for `open`, without waiting for a writer if it is a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


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
                if _try_lock(number):
                    os.unlink(path)
            finally:
                os.close(number)

    def _try_lock(number: int) -> bool:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
