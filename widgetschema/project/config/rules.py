"""Formats of texts in the configuration that JSON Schema does not know.

A rule takes a text, and the folder of the configuration file (None for an environment variable).
It returns None if the text may be used, else what is wrong and a hint.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final

from widgetschema.schema import keywords

Fault = tuple[str, str | None]

KEYWORDS: Final = tuple(code for code, one in keywords.KEYWORDS.items() if one.selectable)
_GROUPS: Final = sorted({code.partition(".")[0] for code in KEYWORDS if "." in code})
# Other packages have codes such as `brand.color`.
OTHER_KEYWORDS: Final = rf"^(?!(?:{'|'.join(_GROUPS)})\.)[a-z]{{1,40}}\.[a-z-]{{1,40}}$"

_ADDRESS: Final = re.compile(r"https?://[^\s/?#@\\]+(?:/[^\s?#\\]*)?")
_USER: Final = re.compile(r"(?<=://)[^\s\"]*@")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# What a report or a baseline may be called in a file: nothing that other programs run or obey.
_ENDINGS: Final = (".json", ".sarif", ".xml", ".ndjson", ".jsonl", ".md", ".txt", ".log", ".csv")
_BY_OPTION: Final = "only an option or an environment variable may name another file"


def address_fault(text: str, folder: str | None = None) -> Fault | None:
    """Return why a text is not an address of the platform, without repeating it: it may be secret.

    Whether the address can be asked, the client decides; that requires heavy imports.
    """
    if not text.isprintable():
        return "the address contains an invisible character", None
    if "@" in text:
        return "the address contains a user name or password", "remove everything up to the @"
    if "?" in text or "#" in text:
        return "the address contains a query or fragment", "remove everything from the ? or # on"
    if _ADDRESS.fullmatch(text) is None:
        return "this is not an address", "write it like https://host/path"
    return None


def path_fault(text: str, folder: str | None = None) -> Fault | None:
    """Return why a text is not a path, without repeating it."""
    if not text.isprintable():
        return "the path contains an invisible character", None
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        encoding = sys.getfilesystemencoding()
        return (
            f"the path contains a character that names of files here, in {encoding}, cannot have",
            "set a locale with UTF-8, such as LC_ALL=C.UTF-8, or PYTHONUTF8=1",
        )
    return ("this is an address, not a path", None) if "://" in text else None


def output_fault(text: str, folder: str | None) -> Fault | None:
    """Return why a file must not be written that a configuration file in `folder` names.

    Checking somebody else's repository runs its configuration: that may write reports below its
    own folder, and nothing there that other programs run or obey. Options and variables may name
    any file.
    """
    fault = path_fault(text)
    if fault is not None or folder is None:
        return fault
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, text))
    names = os.path.relpath(path, root).split(os.sep)
    if not path.startswith(os.path.join(root, "")):
        why = "is outside the folder of the configuration"
    elif any(name.startswith(".") for name in names):
        why = "is hidden, or in a hidden folder"
    elif not names[-1].lower().endswith(_ENDINGS):
        why = f"does not end in one of {', '.join(_ENDINGS)}"
    else:
        return None
    return f"{quoted(text)} {why}, so it is not written", _BY_OPTION


def reporter_fault(text: str, folder: str | None) -> Fault | None:
    """Return why a text is not `FORMAT` or `FORMAT=FILE`."""
    from widgetschema.project.report_formats import InvalidReportTarget, parse_target

    try:
        parse_target(text)
    except InvalidReportTarget as error:
        return error.reason, error.hint
    file = text.partition("=")[2]
    return output_fault(file, folder) if file else None


def keyword_fault(text: str, folder: str | None) -> Fault | None:
    """Return that there are no findings with this keyword."""
    if text in KEYWORDS or re.fullmatch(OTHER_KEYWORDS, text):
        return None
    return f"unknown code {quoted(text)}", codes_like(text, KEYWORDS)


def codes_like(text: str, known: Iterable[str]) -> str:
    """Return the hint that names the codes that a text may mean, or says where they are listed."""
    if text in keywords.FORMATS:
        return 'the code is "format"'
    begin, end = f"{text.rstrip('.*')}.", f".{text}"
    found = [code for code in known if code.startswith(begin) or code.endswith(end)]
    if found:
        return f"did you mean {', '.join(map(quoted, found))}?"
    return did_you_mean(text, known) or "all codes are listed by: widgetschema explain"


def pattern_fault(text: str, folder: str | None, *, folders: bool = False) -> Fault | None:
    """Return why a text is not a pattern of paths."""
    from widgetschema.project.config.globs import GlobError, parse_glob  # only with patterns

    try:
        parse_glob(text, folders)
    except GlobError as error:
        return f"invalid pattern {quoted(text)}: {error.reason}", error.hint
    return None


def folder_pattern_fault(text: str, folder: str | None) -> Fault | None:
    """Return why a text is not a pattern of paths that may end in a folder."""
    return pattern_fault(text, folder, folders=True)


def pointer_pattern_fault(text: str, folder: str | None) -> Fault | None:
    """Return why a text is not a pattern of JSON Pointers."""
    from widgetschema.pointers import PointerError, parse_pattern  # only with ignores

    try:
        parse_pattern(text)
    except PointerError as error:
        return f"invalid pattern {quoted(text)}: {error.reason}", error.hint
    return None


def reason_fault(text: str, folder: str | None) -> Fault | None:
    """Return that a reason is blank."""
    said = text.replace("\ufeff", "").strip()  # a blank, too, in patterns of JSON Schema
    return None if said else ("this is blank", "say why the finding is ignored")


def date_fault(text: str, folder: str | None) -> Fault | None:
    """Return that there is no such day (RFC 3339, full-date)."""
    from datetime import date  # reading a file has brought it along

    try:
        if _DATE.fullmatch(text) and date.fromisoformat(text):
            return None
    except ValueError:  # such as February 30
        pass
    return f"expected a date such as 2026-11-27, found {quoted(text)}", None


FORMATS: Final[dict[str, Callable[[str, str | None], Fault | None]]] = {
    "address": address_fault,
    "path": path_fault,
    "output-path": output_fault,
    "reporter": reporter_fault,
    "keyword": keyword_fault,
    "path-pattern": pattern_fault,
    "folder-pattern": folder_pattern_fault,
    "pointer-pattern": pointer_pattern_fault,
    "reason": reason_fault,
    "date": date_fault,
}


def did_you_mean(word: Any, known: Iterable[str]) -> str | None:
    """Return the hint that names the nearest known word, or the word in singular or plural."""
    from widgetschema.suggest import nearest, singular  # only for what is wrong

    if not isinstance(word, str):
        return None
    close = nearest(word[:100], known, 1)
    close = close or [one for one in known if singular(one) == singular(word)]
    return f"did you mean {quoted(close[0])}?" if close else None


def quoted(value: Any) -> str:
    """Return a value as short JSON text."""
    from widgetschema.jsontext import preview  # heavy, and only for what is wrong

    return preview(value)


def redact_users(text: str) -> str:
    """Return a text without the user names and passwords of the addresses in it."""
    return _USER.sub("…@", text)
