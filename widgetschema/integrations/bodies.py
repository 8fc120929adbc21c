"""Bodies of requests that carry widget data: which are refused unread, and which are invalid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import InvalidWidgetData, UnreadableDocument
from widgetschema.integrations.problems import Problem, problem

MAX_BODY_BYTES: Final = 4 * 1024 * 1024
TOO_LARGE: Final = "the body may have {:,} bytes"


def refused_body(content_types: Sequence[str], content_encodings: Sequence[str]) -> Problem | None:
    """Return the response to a body that is refused unread, None if it may be read.

    What checks the body and what uses it must read the same text. Therefore, it must be JSON in
    UTF-8 (RFC 8259, section 8.1) without a content coding (RFC 9110, section 8.4).

    Args:
        content_types: The values of all headers `Content-Type`; there may be none.
        content_encodings: The values of all headers `Content-Encoding`.
    """
    if any(one.strip().lower() not in ("", "identity") for one in content_encodings):
        refused = problem(415, "send the body without a Content-Encoding")
        return refused._replace(headers={"Accept-Encoding": "identity"})
    if len(content_types) > 1:
        return problem(400, "the request has more than one Content-Type")
    for content_type in content_types:
        media_type, _, parameters = content_type.lower().partition(";")
        is_json = media_type.strip() == "application/json" or media_type.strip().endswith("+json")
        charsets = [one.strip() for one in parameters.split(";") if "charset" in one]
        is_utf8 = all(one in ("charset=utf-8", 'charset="utf-8"') for one in charsets)
        if not is_json or not is_utf8:
            return problem(415, "send the body as application/json, in UTF-8")
    return None


def check_body(widget_type: WidgetType, body: bytes, *, is_document: bool = False) -> None:
    """Check the JSON text of widget data, or of a whole widget document.

    Args:
        widget_type: The widget type.
        body: The JSON text.
        is_document: It is a widget document, not the data alone.

    Raises:
        UnreadableDocument: If the text is not JSON, or too large.
        InvalidWidgetData: If it is invalid; findings have lines and columns.
    """
    check = widget_type.check_document_json if is_document else widget_type.check_json
    report = check(body)
    if report.valid:
        return
    if report.findings[0].keyword.startswith("json."):
        raise UnreadableDocument(report)
    raise InvalidWidgetData(report)
