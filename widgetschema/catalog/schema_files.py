"""Read the files of schemas: JSON, or YAML by their names, read strictly."""

from __future__ import annotations

import os
import re
from typing import Any, Final

from widgetschema.errors import MissingExtra, StoreError, UnreadableDocument
from widgetschema.files import digest, read_bytes
from widgetschema.findings import Finding, Report
from widgetschema.formats.model import format_of
from widgetschema.jsontext import Limits, SourceText, read

LARGEST: Final = 5 * 1024 * 1024  # bytes of a schema
_LIMITS: Final = Limits(max_bytes=LARGEST)
_CONFLICT: Final = re.compile(rb"^<{7} ", re.MULTILINE)  # as version control writes it


def parse_schema(raw: bytes, path: str, subject: str | None = None) -> tuple[Any, SourceText]:
    """Return the value of the text of a schema, and its places.

    YAML is refused if other programs would read another value, or if it has several documents.
    Errors are about the `subject`, by default the path. Raises `UnreadableDocument`, and
    `MissingExtra` for YAML if its parser is not installed.
    """
    subject = path if subject is None else subject
    if format_of(path.lower()) != "yaml":
        value = read(raw, _LIMITS, subject)
        return value, SourceText(raw, value=value)
    from widgetschema.formats.parsing import parse  # most schemas are JSON

    schema, *others = parse(raw, "yaml", _LIMITS, subject)
    findings = schema.source.place([one.finding for one in schema.warnings])
    if others:
        message = "a second document begins here, but a file holds one schema"
        findings = (Finding("json.syntax", "", "", message, line=others[0].line, column=1),)
    if findings:
        raise UnreadableDocument(Report(findings, subject))
    return schema.value, schema.source


def parsed(raw: bytes, path: str) -> Any:
    """Return the schema that the content of a file is. Raises `StoreError`."""
    try:
        return parse_schema(raw, path, "not a schema")[0]
    except MissingExtra as error:
        raise StoreError(path, str(error)) from None
    except UnreadableDocument as error:
        raise unreadable(error, raw, path) from error


def schema_digest(raw: bytes) -> str:
    """Return the sha256 of a schema's file: the same if Git has turned its line ends into CRLF."""
    return digest(raw.replace(b"\r\n", b"\n"))


def unreadable(error: UnreadableDocument, raw: bytes, path: str) -> StoreError:
    """Return the error of a file that cannot be read, perhaps because of a merge conflict."""
    marker = _CONFLICT.search(raw)
    if marker is None:
        return StoreError(path, str(error))
    line = raw.count(b"\n", 0, marker.start()) + 1
    folder = os.path.dirname(path)
    advice = f"resolve them, then run: widgetschema types --schemas {folder} --pin"
    return StoreError(path, f"it has merge conflict markers (line {line})", advice)


def located(report: Report, path: str) -> Report:
    """Return a report about the schema in a file with lines and columns. Raises `StoreError`."""
    if report.valid:
        return report
    _, source = parse_schema(read_bytes(path), path)
    return Report(source.place(report.findings), path)
