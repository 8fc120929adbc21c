"""A configuration file: its text, and the table in it that is ours.

Nothing is believed of the file: it may be large, no text, no TOML, or nested absurdly.
"""

from __future__ import annotations

import os
import re
from typing import Any, Final, NamedTuple

from widgetschema.errors import ConfigurationError, StoreError
from widgetschema.files import read_bytes
from widgetschema.findings import Finding, Report
from widgetschema.project.config.members import PYPROJECT
from widgetschema.project.config.paths import told
from widgetschema.project.config.positions import deep_nesting, line_and_column, long_key

MOST_BYTES: Final = 1_000_000
MOST_DEPTH: Final = 64


class Source(NamedTuple):
    """A file with a configuration: `table` is ours, at the pointer `base` of the file.

    `path` is absolute, `name` as messages have it.
    """

    path: str
    name: str
    text: str
    base: str
    table: Any

    @property
    def folder(self) -> str:
        """What relative paths and globs count from."""
        return os.path.dirname(self.path)


def read(path: str, directory: str, *, named: bool = False) -> Source | None:
    """The configuration in a file; None if it is a `pyproject.toml` that has none.

    A file that was `named` must have one. Raises `ConfigurationError`.
    """
    name = told(path, directory)
    is_project = os.path.basename(path) == PYPROJECT
    if not path.endswith(".toml"):
        raise _refusal(name, "file", "a configuration is a .toml file", "name one that is")
    raw = _raw(path, name)
    if not is_project:
        text = _decoded(raw, name)
        return Source(path, name, text, "", plain(_parsed(text, name)))
    if b"widgetschema" in raw:
        text = _decoded(raw, name)
        tool = _parsed(text, name).get("tool")
        if isinstance(tool, dict) and "widgetschema" in tool:
            return Source(path, name, text, "/tool/widgetschema", plain(tool["widgetschema"]))
    if not named:
        return None
    raise _refusal(name, "file", "there is no table [tool.widgetschema] in this file", None)


def plain(value: Any) -> Any:
    """The value with dates and times as JSON has them, as text (RFC 3339); never recurses."""
    holder = [value]
    todo: list[tuple[Any, Any]] = [(holder, 0)]
    while todo:
        container, key = todo.pop()
        item = container[key]
        if isinstance(item, dict):
            container[key] = copy = dict(item)
            todo += ((copy, name) for name in copy)
        elif isinstance(item, list):
            container[key] = items = list(item)
            todo += ((items, index) for index in range(len(items)))
        elif not isinstance(item, (str, int, float)):
            container[key] = item.isoformat()
    return holder[0]


def _raw(path: str, name: str) -> bytes:
    try:
        size = os.stat(path).st_size
        raw = read_bytes(path) if size <= MOST_BYTES else b""
    except (OSError, ValueError) as error:  # a zero byte is a ValueError
        why = getattr(error, "strerror", None) or type(error).__name__
        raise _refusal(name, "file", f"cannot be read: {why}", None) from None
    except StoreError as error:
        raise _refusal(name, "file", f"cannot be read: {error.reason}", None) from None
    if max(size, len(raw)) > MOST_BYTES:
        raise _refusal(name, "toml.size", f"this file is larger than {MOST_BYTES:,} bytes", None)
    return raw


def _decoded(raw: bytes, name: str) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        hint = "save the file as UTF-8 without a byte order mark"
        raise _refusal(name, "toml.encoding", "there is a byte order mark", hint, (1, 1))
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        place = line_and_column(before, len(before))
        message = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
    raise _refusal(name, "toml.encoding", message, "save the file as UTF-8", place)


def _parsed(text: str, name: str) -> dict[str, Any]:
    import tomllib  # only where there is a file

    offset = long_key(text)
    if offset is not None:
        place = line_and_column(text, offset)
        raise _refusal(name, "toml.depth", "a key of absurdly many parts", None, place)
    try:
        return tomllib.loads(text)
    except RecursionError:
        place = line_and_column(text, deep_nesting(text, MOST_DEPTH))
        message, hint, keyword = "nested absurdly deep", None, "toml.depth"
    except ValueError as error:  # its text may be long, and its frames hold the file
        message, place = _fault(error, text)
        hint, keyword = _hint(text, place[0]), "toml.syntax"
    raise _refusal(name, keyword, message, hint, place)


def _fault(error: ValueError, text: str) -> tuple[str, tuple[int, int]]:
    """What the parser says, and where; without a place it is about a number or the end."""
    message = str(error)
    match = re.search(r" \(at line ([0-9]+), column ([0-9]+)\)$", message)
    if match is not None:
        said = message[: match.start()]
        return f"not TOML: {said[:1].lower()}{said[1:]}", (int(match[1]), int(match[2]))
    if "(at end of document)" in message:
        said = message.partition(" (at")[0]
        end = len(text.rstrip())
        return f"not TOML: {said[:1].lower()}{said[1:]}, at the end", line_and_column(text, end)
    long = re.search(r"(?<![0-9_])[0-9_]{4000}", text)
    if long is not None:
        return "an integer of too many digits", line_and_column(text, long.start())
    return "not TOML", (1, 1)


def _hint(text: str, line: int) -> str | None:
    """The mistake that globs invite: `widgets/*.json = …` without quotes."""
    found = text.split("\n")[line - 1 : line]
    key, equals, _ = found[0].partition("=") if found else ("", "", "")
    key = key.strip()
    if (
        equals
        and key[:1] not in ("", '"', "'", "[", "#")
        and re.search(r"[^\w.\s\"'-]", key, re.ASCII)
    ):
        return "a key with other characters than letters, digits, _ and - stands in quotes"
    return None


def _refusal(
    name: str, keyword: str, message: str, hint: str | None, place: tuple[int, int] | None = None
) -> ConfigurationError:
    line, column = place or (None, None)
    finding = Finding(keyword, "", "", message, hint, line, column)
    return ConfigurationError(Report((finding,), name))
