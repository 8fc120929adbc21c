"""Files, read whole and written whole or not at all: the one place that writes any."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TextIO

from widgetschema.errors import StoreError

_AT_ONCE: Final = 16  # files that are waited for at the same time


def digest(raw: bytes) -> str:
    """The sha256 of a file's content, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def read_bytes(path: str) -> bytes:
    """The content of a file. Raises `StoreError`."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise StoreError(path, "is no plain file")
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
) -> Iterator[TextIO]:
    """A text file that comes to be whole or not at all: a neighbour is written, then moved over.

    If what is done with it fails, or is interrupted, there is nothing left of it; with `unnamed`,
    where the system can do that, not even if this process is killed: for what takes long. A
    symbolic link stays one: what it points to is replaced. A pipe or a device is written to, since
    it cannot be replaced. Unless `durable`, the system may keep it in memory for a while: that is
    for many small files which can be made again. `mode` are the permissions, by default those of
    the file before, else the usual ones; nobody else can read it before it has them. Owner and
    group stay, where the system lets them. Raises `OSError`.
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
    opener = None if mode is None else _private  # None: what the umask says, without asking for it
    number = _unnamed(folder, 0o666 if mode is None else 0o600) if unnamed else None
    place = temporary if number is None else number
    how: Literal["x", "w"] = "x" if number is None else "w"
    try:
        with open(place, how, encoding="utf-8", newline="", opener=opener) as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
            if number is not None:
                os.link(_as_path(number), temporary, src_dir_fd=number)  # the number: to follow it
        if before is not None:
            _keep_owner(temporary, before)
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):  # what went wrong first is what is told
            os.unlink(temporary)
        raise


def _unnamed(folder: str, mode: int) -> int | None:
    """A new file that is in no folder, on the disk of this one; None if there are no such files."""
    try:
        number = os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, mode)
    except (AttributeError, OSError):  # another system, or another sort of disk
        return None
    if os.path.exists(_as_path(number)):
        return number
    os.close(number)
    return None


def _as_path(number: int) -> str:
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
    """Write a text file that nobody reads before it has another name; `flush` it before that.

    Raises `OSError`.
    """
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    if mode is not None:
        os.chmod(path, mode)


def flush(paths: Sequence[str]) -> None:
    """Have the system put files on the disk, at once: it waits for all of them as for one.

    Raises `OSError`.
    """
    from concurrent.futures import ThreadPoolExecutor

    if len(paths) == 1:
        _flush(paths[0])
        return
    with ThreadPoolExecutor(_AT_ONCE) as pool:
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


def without_waiting(path: str, flags: int) -> int:
    """Open a file, for `open`, without waiting for a writer if it is a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
