"""Check request bodies that carry widget data, and refuse those that must not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType, with_hint
from widgetschema.errors import InvalidWidgetData, UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.integrations import CatalogSource, catalog_of
from widgetschema.integrations.problems import RefusedRequest
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, SourceText, preview, read
from widgetschema.jsontext.tree import json_at
from widgetschema.validation import Validator

MAX_BODY_BYTES: Final = 4 * 1024 * 1024
_MOST_FINDINGS: Final = 100
_SUBJECT: Final = "request body"
_HAS_TYPE: Final = Validator(
    {"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}}
)


def require_json(content_types: Sequence[str], content_encodings: Sequence[str]) -> None:
    """Refuse a body that cannot be JSON, before it is read.

    The check and the application must read the same text. Therefore, the body must be JSON in
    UTF-8 (RFC 8259, section 8.1) without a content coding (RFC 9110, section 8.4).

    Args:
        content_types: The values of all headers `Content-Type`; there may be none.
        content_encodings: The values of all headers `Content-Encoding`.

    Raises:
        RefusedRequest: If its media type, its charset or its content coding is another one.
    """
    if any(one.strip().lower() not in ("", "identity") for one in content_encodings):
        detail = "send the body without a Content-Encoding"
        raise RefusedRequest(415, detail, {"Accept-Encoding": "identity"})
    if len(content_types) > 1:
        raise RefusedRequest(400, "the request has more than one Content-Type")
    # Without a content type, a page of another site could make a browser send the request.
    for content_type in content_types or [""]:
        media_type, _, parameters = content_type.lower().partition(";")
        is_json = media_type.strip() == "application/json" or media_type.strip().endswith("+json")
        charsets = [one.strip() for one in parameters.split(";") if "charset" in one]
        is_utf8 = all(one in ("charset=utf-8", 'charset="utf-8"') for one in charsets)
        if not is_json or not is_utf8:
            raise RefusedRequest(415, "send the body as application/json, in UTF-8")


class CheckedBody(NamedTuple):
    """The body of a request that has valid widget data.

    `text` is the JSON text of the data as it was sent, which is what to store; `data` is its value,
    and `document` the value of the whole body if that is a widget document.
    """

    widget_type: WidgetType
    text: str
    data: Any
    document: Any = None


class ReadBody(NamedTuple):
    """The body of a request that was read: its text, its value, and the id of the widget type."""

    raw: bytes
    value: Any
    id: str


def read_body(raw: bytes, id: str | None, *, max_bytes: int = MAX_BODY_BYTES) -> ReadBody:
    """Return the body of a request, which is read before its type, which may have to be fetched.

    Args:
        raw: The JSON text of widget data, or of a whole widget document.
        id: The id of the widget type; None takes the member `type` of the document.
        max_bytes: The size of the largest body.

    Raises:
        UnreadableDocument: If the text is not JSON, or too large.
        InvalidWidgetData: If there is no `id`, and no member `type`.
    """
    value = read(raw, Limits(max_bytes=max_bytes), _SUBJECT)
    if id is None:
        _raise_invalid(replace(_HAS_TYPE.check_plain(value), subject=_SUBJECT), raw)
        id = str(value["type"])
    return ReadBody(raw, value, id)


def check_body(body: ReadBody, widget_type: WidgetType, *, is_document: bool) -> CheckedBody:
    """Return a body that was read, if it is valid.

    Args:
        body: The body.
        widget_type: The type with its id.
        is_document: It is a widget document, not the data alone.

    Raises:
        InvalidWidgetData: If it is invalid, or a document of another type; at most 100 findings,
            with lines and columns.
    """
    raw, value, id = body
    kind = "document" if is_document else "data"
    depth = DEFAULT_LIMITS.max_depth
    report = widget_type.check_plain(value, kind, depth, max_findings=_MOST_FINDINGS)
    if is_document and type(value) is dict and value.get("type", id) != id:
        message = f"the widget type is {preview(id)}, but the document is of another one"
        wrong = Finding("const", "/type", "", message, f"write {preview(id)}", expected=id)
        report = replace(report, findings=(wrong, *report.findings))
    if not (report.valid or is_document):
        report = with_hint(report, value)
    _raise_invalid(report, raw)
    if is_document:
        return CheckedBody(widget_type, json_at(raw, "/data"), value["data"], value)
    return CheckedBody(widget_type, raw.decode(), value)


def checked_body(
    raw: bytes,
    id: str | None,
    catalog: CatalogSource = Catalog.default,
    *,
    is_document: bool = False,
    max_bytes: int = MAX_BODY_BYTES,
) -> CheckedBody:
    """Return the body of a request, if it is valid. May wait for a schema.

    Args:
        raw: See `read_body`.
        id: See `read_body`.
        catalog: The catalog, or a function that returns it.
        is_document: See `check_body`.
        max_bytes: See `read_body`.

    Raises:
        UnreadableDocument: See `read_body`.
        InvalidWidgetData: See `read_body` and `check_body`.
        WidgetSchemaError: If the type is unknown, or cannot be used.
    """
    body = read_body(raw, id, max_bytes=max_bytes)
    return check_body(body, catalog_of(catalog)[body.id], is_document=is_document)


def cut_off() -> RefusedRequest:
    """Return the error about a body that ends too early."""
    return RefusedRequest(400, "the body is shorter than its Content-Length")


def too_large(max_bytes: int) -> UnreadableDocument:
    """Return the error about a body that is too large to be read."""
    message = f"the body has more than the limit of {max_bytes:,} bytes"
    return UnreadableDocument(Report((Finding("json.size", "", "", message),), "request body"))


def _raise_invalid(report: Report, raw: bytes) -> None:
    if not report.valid:
        raise InvalidWidgetData(replace(report, findings=SourceText(raw).place(report.findings)))
