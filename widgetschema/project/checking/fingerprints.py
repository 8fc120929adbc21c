"""Fingerprints: short digests of findings that stay the same when the file around them changes.

Lines, columns, messages and indexes of items are left out: inserting something before a finding
or rewording it does not change its fingerprint. Equal findings of a file are numbered. Nothing here
fails, whatever the data are.
"""

from __future__ import annotations

import os
from typing import Any, Final

from widgetschema.findings import Finding
from widgetschema.pointers import parse_pointer
from widgetschema.project.checking.results import Problem

_LENGTH: Final = 20  # hexadecimal digits: 80 bits, too many for two findings to meet by chance
_ITEM: Final = "[]"
# One place may have several of these, told apart by what was expected there.
_SEVERAL: Final = frozenset({"required", "dependencies"})
# These are about the name of a member: its value may change, the mistake is the same.
_ABOUT_THE_NAME: Final = frozenset({"additionalProperties", "propertyNames", "false"})
_UNKNOWN: Final = object()
_LONGEST_INDEX: Final = 12  # digits; no array is so long


def finding_identity(finding: Finding, instance: Any) -> str:
    """Return what identifies a finding independently of its position, in hexadecimal digits.

    `instance` is the value of the whole text, at which the finding's path begins; None if the
    text could not be read. A scalar at that path counts with its type and text, a container only
    with its type, so that editing its other members does not change the finding.
    """
    parts = [finding.keyword]
    value = instance
    for token in parse_pointer(finding.path):
        part, value = _step(token, value)
        parts.append(part)
    if finding.keyword not in _ABOUT_THE_NAME:
        parts.append(_text(value))
    if finding.keyword in _SEVERAL:
        parts.append(_text(finding.expected))
    return _digest(parts)


def problem_identity(problem: Problem) -> str:
    """Return what identifies a problem independently of its position, in hexadecimal digits."""
    return finding_identity(Finding(problem.keyword, problem.pointer, "", ""), None)


def _step(token: str, value: Any) -> tuple[str, Any]:
    """Return one reference token without its index, and the value it leads to."""
    is_index = token.isascii() and token.isdigit() and len(token) <= _LONGEST_INDEX
    if isinstance(value, dict):
        return f".{token}", value.get(token, _UNKNOWN)
    if isinstance(value, list):
        found = is_index and int(token) < len(value)
        return _ITEM, value[int(token)] if found else _UNKNOWN
    return _ITEM if is_index else f".{token}", _UNKNOWN


def _text(value: Any) -> str:
    """Return type and text of a scalar, else the type; 1 and 1.0 are the same number."""
    if value is None or isinstance(value, bool):
        return f"{value}"
    if isinstance(value, str):
        return f"string {value}"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return f"number {value:x}"  # in decimal, long integers take long, or are refused
    if isinstance(value, float):
        return f"number {value!r}"
    return "object" if isinstance(value, dict) else "array" if isinstance(value, list) else ""


class FingerprintCounter:
    """Numbers equal identities within a file, so that each finding has its own fingerprint.

    The results of one file come one after another, so only one file is remembered.
    """

    def __init__(self) -> None:
        self._file: str | None = None
        self._before: dict[str, int] = {}

    def fingerprint(self, file: str, identity: str) -> str:
        """Return the fingerprint of the next finding; `file` is a name from `FileNames`."""
        if file != self._file:
            self._file, self._before = file, {}
        number = self._before.get(identity, 0)
        self._before[identity] = number + 1
        return _digest([file, identity, str(number)])


class FileNames:
    """The names of files relative to a folder, with `/`, whatever the working directory is.

    Links to folders are followed, so that a folder has one name; links to files are not. The name
    of a file outside the folder begins with `..`; on another drive, it is absolute.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._head: str | None = None  # the last folder asked for: most files are beside others
        self._prefix = ""

    def name(self, file: str) -> str:
        """Return the name of a file; that of standard input stays `-`."""
        if file == "-":
            return file
        head, tail = os.path.split(file)
        if head != self._head:
            self._head, self._prefix = head, self._prefix_of(head)
        return readable(self._prefix + tail)

    def _prefix_of(self, head: str) -> str:
        try:
            folder = os.path.realpath(head or os.curdir)
            try:
                relative = os.path.relpath(folder, os.path.realpath(self._folder))
            except ValueError:  # another drive
                relative = folder
        except (OSError, ValueError):  # no working directory any more, or no name at all
            relative = head or os.curdir
        if relative == os.curdir:
            return ""
        return relative.replace(os.sep, "/").rstrip("/") + "/"


def readable(name: str) -> str:
    r"""Return a file name as text that JSON can hold: bytes that are not UTF-8 become `\xff`."""
    if name.isascii():
        return name
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def _digest(parts: list[str]) -> str:
    import hashlib  # a run that finds nothing does without

    state = hashlib.sha256()
    for part in parts:
        raw = part.encode(errors="surrogatepass")
        state.update(b"%d:" % len(raw))  # so that no two lists of parts read the same
        state.update(raw)
    return state.hexdigest()[:_LENGTH]
