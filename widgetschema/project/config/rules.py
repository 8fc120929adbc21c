"""What a schema cannot say: addresses, patterns, and files that a configuration may have written.

A rule looks at what it is about, and passes over what is of another type: the schema says that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

from widgetschema.findings import Finding, escape_token
from widgetschema.project.config.addresses import address_fault
from widgetschema.project.config.globs import GlobError, parse_glob, parse_pointer
from widgetschema.project.config.members import LONGEST_GLOB, LONGEST_TEXT
from widgetschema.project.report_formats import InvalidReportTarget, parse_target

# What a report or a baseline may be named in a file: nothing that is run or read by others.
_ENDINGS: Final = (".json", ".sarif", ".xml", ".ndjson", ".jsonl", ".md", ".txt", ".log")
_BY_ARGUMENT: Final = "only an argument or a variable of the environment may name another file"


def rule_findings(table: Any, folder: str) -> Iterator[Finding]:
    """What the rules find in a configuration of this folder, without positions."""
    if not isinstance(table, dict):
        return
    for name in ("base-url", "auth-url"):
        if name in table:
            yield from _address(name, table[name])
    if isinstance(table.get("schemas"), str):
        fault = path_fault(table["schemas"])
        if fault is not None:
            yield _finding("/schemas", f"this cannot be used: {fault}")
    if _is_text(table.get("baseline"), LONGEST_TEXT):
        fault = output_fault(table["baseline"], folder)
        if fault is not None:
            yield _finding("/baseline", f"{_quoted(table['baseline'])}: {fault}", _BY_ARGUMENT)
    for index, text in _items(table.get("reporters")):
        yield from _reporter(f"/reporters/{index}", text, folder)
        file = text.partition("=")[2]
        if file and _is_data(file, table):
            message = f"{_quoted(text)}: this file is one of those that are checked"
            yield _finding(f"/reporters/{index}", message, "give it another name, or exclude it")
    for name in ("include", "exclude"):
        for index, text in _items(table.get(name)):
            yield from _glob(f"/{name}/{index}", text, "format", folders=name == "exclude")
    if isinstance(table.get("files"), dict):
        for text in table["files"]:
            yield from _glob(f"/files/{escape_token(text)}", text, "propertyNames")
    if isinstance(table.get("ignores"), list):
        for index, entry in enumerate(table["ignores"]):
            if isinstance(entry, dict):
                yield from _ignore(f"/ignores/{index}", entry)


def reporter_fault(text: str) -> tuple[str, str | None] | None:
    """Why a text is not `FORMAT` or `FORMAT=FILE`, and what was meant; None if it is."""
    try:
        parse_target(text)
    except InvalidReportTarget as error:
        return error.reason, error.hint
    wrong = path_fault(text.partition("=")[2])
    return None if wrong is None else (f"{_quoted(text)}: {wrong}", None)


def path_fault(text: str) -> str | None:
    """Why a text is no path, without repeating it; None if it may be one."""
    if not text.isprintable():
        return "the path has a character that cannot be seen"
    return "an address is no path" if "://" in text else None


def output_fault(text: str, folder: str) -> str | None:
    """Why a file that a configuration names must not be written; None if it may be.

    Whoever checks a repository of somebody else runs its configuration: that may write reports
    below its own folder, and nothing there that other programs run or obey.
    """
    fault = path_fault(text)
    if fault is not None:
        return fault
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, text))
    if not path.startswith(os.path.join(root, "")):
        return "a file outside the folder of the configuration is not written"
    names = os.path.relpath(path, root).split(os.sep)
    if any(name.startswith(".") for name in names):
        return "a hidden file, or one in a hidden folder, is not written"
    if not names[-1].lower().endswith(_ENDINGS):
        return f"the name of a report ends in one of {', '.join(_ENDINGS)}"
    return None


def _address(name: str, value: Any) -> Iterator[Finding]:
    if not isinstance(value, str):
        yield Finding("type", f"/{name}", "", "an address is a string")  # it may hold a password
        return
    fault = "it is too long" if len(value) > LONGEST_TEXT else address_fault(value)
    if fault is not None:
        yield _finding(f"/{name}", f"the address cannot be used: {fault}")


def _reporter(pointer: str, text: str, folder: str) -> Iterator[Finding]:
    if len(text) > LONGEST_TEXT:
        return
    fault = reporter_fault(text)
    if fault is not None:
        yield _finding(pointer, *fault)
        return
    file = text.partition("=")[2]
    outside = output_fault(file, folder) if file else None
    if outside is not None:
        yield _finding(pointer, f"{_quoted(text)}: {outside}", _BY_ARGUMENT)


def _glob(pointer: str, text: str, keyword: str, folders: bool = False) -> Iterator[Finding]:
    if not _is_text(text, LONGEST_GLOB):
        return
    try:
        parse_glob(text, folders)
    except GlobError as error:
        message = f"the pattern {_quoted(text)} cannot be used: {error.reason}"
        yield Finding(keyword, pointer, "", message, error.hint)


def _ignore(pointer: str, entry: dict[str, Any]) -> Iterator[Finding]:
    missing: list[str] = []
    if entry.keys().isdisjoint(("path", "pointer", "keyword")):
        missing.append("path, pointer or keyword: what is put up with")
    if "reason" not in entry:
        missing.append("reason: why it is put up with")
    if missing:
        message = f"an ignore needs a {', and a '.join(missing)}"
        yield Finding("required", pointer, "", message)
    reason, path, place = (entry.get(name) for name in ("reason", "path", "pointer"))
    if isinstance(reason, str) and not reason.strip():
        yield _finding(f"{pointer}/reason", "the reason is blank", "say why it is put up with")
    if isinstance(path, str):
        yield from _glob(f"{pointer}/path", path, "format", folders=True)
    if isinstance(place, str) and len(place) <= LONGEST_GLOB:
        try:
            parse_pointer(place)
        except GlobError as error:
            message = f"the pattern {_quoted(place)} cannot be used: {error.reason}"
            yield _finding(f"{pointer}/pointer", message, error.hint)


def _is_data(file: str, table: dict[str, Any]) -> bool:
    """Whether a configuration gives a type to a file that it has written.

    What `include` matches may be a report all the same: it is left out of what is checked.
    """
    names = os.path.normpath(file).replace(os.sep, "/").split("/")
    files = table.get("files")
    patterns = [*files] if isinstance(files, dict) else []
    excluded = [text for _, text in _items(table.get("exclude"))]
    try:
        if any(parse_glob(text, True).matches_part(names) for text in excluded):
            return False
        return any(parse_glob(text).matches(names, hidden=False) for text in patterns)
    except GlobError:  # which is told elsewhere
        return False


def _items(value: Any) -> Iterator[tuple[int, str]]:
    """The texts in an array, if it is one."""
    if isinstance(value, list):
        yield from ((i, item) for i, item in enumerate(value) if isinstance(item, str))


def _is_text(value: Any, longest: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= longest


def _finding(pointer: str, message: str, hint: str | None = None) -> Finding:
    return Finding("format", pointer, "", message, hint)


def _quoted(text: str) -> str:
    from widgetschema.jsontext import preview  # only for what is wrong

    return preview(text)
