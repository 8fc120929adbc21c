"""Addresses such as `s3://…`, by the library `fsspec`.

Credentials in an address (a password, a signature) appear in no name and no message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from widgetschema.audit.inputs.sources import RemoteFile
from widgetschema.errors import MissingExtra
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.config.globs import WILDCARDS
from widgetschema.project.inputs.formats import is_json_name
from widgetschema.project.inputs.streams import ByteStream

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_PASSWORD: Final = re.compile(r"(?<!github)(://[^/@:\s]*):[^/@\s]*@")
_QUERY: Final = re.compile(r"(https?://[^\s'\"?]+)\?[^\s'\"]+")
_CACHES: Final = ("simplecache::", "filecache::", "blockcache::")
_CHANGE_ON_READING: Final = {"atime", "accessed", "last_accessed"}
_WEB: Final = ("http://", "https://")
_SMALL: Final = 64 * 1024  # bytes that are asked for to see what a source is


def without_secrets(address: str) -> str:
    """Return the address as people may see it."""
    return _QUERY.sub(r"\1", _PASSWORD.sub(r"\1@", address))


def explain_error(error: Exception) -> str:
    """Return the message of an error behind an address, as a sentence without secrets."""
    status = getattr(error.__cause__, "status", None)  # of HTTP
    if isinstance(error, FileNotFoundError) and status in (None, 404, 410):
        return "nothing is at this address, or the server does not respond"
    if isinstance(error, FileNotFoundError) and status not in (401, 403):
        return f"the server answers {status}: try again later"
    if isinstance(error, (FileNotFoundError, PermissionError)):
        return "permission denied: check the credentials for this kind of address"
    if isinstance(error, TimeoutError):
        return "the server did not respond in time: try again later"
    text = reason(error).strip() or type(error).__name__
    if isinstance(error, ImportError):
        text = _with_command(text, error)
    return without_secrets(" ".join(text.split()))[:500]


def _with_command(text: str, error: ImportError) -> str:
    """Return fsspec's message on a missing library, with the command that installs it.

    Its package is known if fsspec names it, too: the one of a module may have another name.
    """
    missing = error.__cause__ if isinstance(error.__cause__, ImportError) else error
    is_named = missing.name is not None and re.search(rf"\b{re.escape(missing.name)}\b", text)
    return f"{text}: pip install {missing.name}" if is_named else text


def find_remote(
    address: str, others: Callable[[RemoteFile], None]
) -> Iterator[RemoteFile | Problem]:
    """Yield the files at an address: one, all that match a pattern, or the JSON of a folder.

    In the order of their names; `others` as for `find_inputs`. Raises `MissingExtra` where `fsspec`
    is not installed.
    """
    try:
        files, path = _resolve(address)
        if _is_local(files):
            yield RemoteFile(path, is_local=True)
            return
        yield from _expanded(address, files, path, others)
    except MissingExtra:
        raise
    except Exception as error:  # the libraries behind addresses raise whatever they like
        yield Problem(without_secrets(address), explain_error(error))


def open_address(address: str, from_begin: bool = False) -> ByteStream:
    """Open what is at an address. Raises whatever is behind it.

    `from_begin` promises that all of it is read, in order: not every server can do more.
    """
    files, path = _resolve(address)
    as_stream = from_begin and path.startswith(_WEB)
    options = {"block_size": 0} if as_stream else {}
    file = cast("ByteStream", files.open(path, "rb", **options))
    return _Inside(files, file) if "::" in address else file


class _Inside(NamedTuple):
    """A file inside of another one, which is closed when nothing refers to it any more."""

    files: AbstractFileSystem
    file: ByteStream

    def read(self, size: int) -> bytes:
        """Read at most so many bytes; none at the end."""
        return self.file.read(size)

    def seek(self, offset: int) -> object:
        """Continue reading there."""
        return self.file.seek(offset)

    def close(self) -> None:
        """Close it."""
        self.file.close()


def head_at(address: str, head: int, size: int | None) -> tuple[bytes, bool]:
    """Return the first bytes, and whether a part can be read without all that is before it."""
    files, path = _resolve(address)
    with files.open(path, "rb", block_size=_SMALL) as file:
        begin = cast("bytes", file.read(head))
        try:
            file.seek((size or 0) // 2)
            file.read(1)
        except (OSError, ValueError):
            return begin, False
    return begin, "::" not in address or address.startswith(_CACHES)


def _resolve(address: str) -> tuple[AbstractFileSystem, str]:
    try:
        from fsspec import url_to_fs  # most sources are files
    except ImportError:
        raise MissingExtra("audit", "addresses need the library fsspec") from None
    _require_known(address.partition("://")[0].rpartition("::")[2])
    files, path = url_to_fs(address)
    return files, path


def _require_known(kind: str) -> None:
    """Raise `ValueError` with advice if there is no library for addresses of a kind."""
    from fsspec import get_filesystem_class

    try:
        with suppress(ImportError):  # which opening will say
            get_filesystem_class(kind)
    except ValueError:
        if kind.lower().startswith("postgres"):
            raise ValueError("write this address as postgresql://HOST/NAME") from None
        raise ValueError(
            f"addresses that begin with {kind}:// are not supported: export the records as NDJSON"
        ) from None


def _is_local(files: AbstractFileSystem) -> bool:
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(files, LocalFileSystem)


def _expanded(
    address: str, files: AbstractFileSystem, path: str, others: Callable[[RemoteFile], None]
) -> Iterator[RemoteFile | Problem]:
    wild = "*" if path.startswith(_WEB) else WILDCARDS  # `?` begins a query
    if any(map(path.__contains__, wild)):
        pattern = path.replace("[", "[[]")  # brackets are letters, here as elsewhere
        found, none = files.glob(pattern, detail=True), "nothing matches this pattern"
        if not found and not path.startswith(_WEB) and files.exists(path):
            found = {path: files.info(path)}  # that is its name
        elif "/." not in path:
            found = {name: about for name, about in found.items() if not _is_hidden(name)}
    else:
        about = files.info(path)
        if about.get("type") != "directory":
            yield _remote_file(address, about)
            return
        found, none = {path: about}, "there is no JSON file in this folder"
    address_of = _namer(address, path)
    is_empty = True
    for name, about in sorted(found.items()):
        if about.get("type") == "directory":
            inside = sorted(files.find(name, detail=True).items())
            stores = tuple(store for one, _ in inside if (store := _store(one)) is not None)
            inside = [item for item in inside if _is_shown(item[0], name, stores)]
            chosen = [item for item in inside if is_json_name(item[0])]
            for one, what in inside:
                if not is_json_name(one):
                    is_empty = False
                    others(_remote_file(address_of(one), what))
        else:
            chosen = [(name, about)]
        for one, what in chosen:
            is_empty = False
            yield _remote_file(address_of(one), what)
    if is_empty:
        yield Problem(without_secrets(address), none)


def _store(path: str) -> str | None:
    """Return the folder of schemas that a file is the manifest of."""
    from widgetschema.catalog.store import MANIFEST  # few sources are addresses

    folder = path.removesuffix(MANIFEST)
    is_store = folder != path and f"/{folder}".endswith("/schemas/")
    return folder if is_store else None


def _is_shown(path: str, folder: str, stores: tuple[str, ...]) -> bool:
    """Return whether a file in a folder is read, by the rules for folders of this machine."""
    return not path.startswith(stores) and not _is_hidden(path.removeprefix(folder))


def _is_hidden(path: str) -> bool:
    return path.startswith(".") or "/." in path


def _remote_file(address: str, about: Mapping[str, Any]) -> RemoteFile:
    import hashlib  # few sources are addresses

    known = sorted((key, str(what)) for key, what in about.items() if key not in _CHANGE_ON_READING)
    stamp = hashlib.blake2b(repr(known).encode(errors="replace"), digest_size=12).hexdigest()
    size = about.get("size")
    return RemoteFile(address, size if isinstance(size, int) else None, stamp)


def _namer(address: str, path: str) -> Callable[[str], str]:
    """Return a function from a path that was found to the address of it alone.

    The path is the end of the first part of the address that has one; what is before it (the
    scheme, a host, who asks) and behind it (what it is inside of) stays.
    """
    parts = address.split("::")
    index = next(index for index, part in enumerate(parts) if "://" in part)
    part = parts[index].rstrip("/")
    if not part.endswith(path.rstrip("/")):
        raise ValueError("what is at this address cannot be listed: name its files one by one")
    before = part[: len(part) - len(path.rstrip("/"))]
    return lambda found: "::".join((*parts[:index], before + found, *parts[index + 1 :]))
