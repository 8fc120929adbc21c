"""Errors as HTTP responses: the status and the problem details (RFC 9457) of each public error.

Errors of the client say everything that it needs to correct its request. Those of the server say
what failed, but no addresses, paths or responses of other services: log the exception for these.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from widgetschema.errors import (
    ControlError,
    ErrorResponse,
    FormError,
    InvalidFormDescription,
    InvalidTemplate,
    InvalidTypeId,
    InvalidWidgetData,
    LoginRequired,
    NotAvailableOffline,
    PlatformError,
    SchemaError,
    StaleForm,
    TooManyFields,
    UnknownWidgetType,
    UnreadableDocument,
    WidgetSchemaError,
)
from widgetschema.findings import Report, status_title
from widgetschema.text import shorten

PROBLEM_JSON: Final = "application/problem+json"
_LONGEST_DETAIL: Final = 1_000
_MOST_NEAREST: Final = 5

# The status of each kind of error, and what its response says in place of the text of the error,
# which may be for the log only; the first that fits.
_ANSWERS: Final[tuple[tuple[type[WidgetSchemaError], int, str | None], ...]] = (
    (InvalidFormDescription, 500, "the form cannot be made"),
    (InvalidTemplate, 500, "the form cannot be shown"),
    (ControlError, 500, "the form cannot be made"),
    (StaleForm, 409, None),
    (TooManyFields, 413, None),
    (FormError, 400, None),
    (LoginRequired, 401, "there is no valid login to the widget platform"),
    (PlatformError, 503, "the widget platform cannot be used at the moment; try again later"),
    (NotAvailableOffline, 503, "the schema of the widget type is not available at the moment"),
    (SchemaError, 502, "the schema of the widget type cannot be used"),
    (WidgetSchemaError, 500, "the server cannot check widget data"),
)


class Problem(NamedTuple):
    """The response to an error: its status, the members of its body, and its headers."""

    status: int
    body: dict[str, Any]
    headers: Mapping[str, str]

    def to_bytes(self) -> bytes:
        """Return the body as JSON text."""
        return json.dumps(self.body, ensure_ascii=False).encode(errors="replace")


class RefusedRequest(WidgetSchemaError):
    """A request is refused before its data is checked.

    Attributes:
        problem: The response.
    """

    def __init__(
        self, status: int, detail: str, headers: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        super().__init__(detail)
        self.problem = problem(status, detail)._replace(headers=headers)


class MisconfiguredType(WidgetSchemaError):
    """The application, not the request, names a widget type that the catalog does not have."""


@contextmanager
def naming_type(id: str | None) -> Iterator[None]:
    """Answer for a widget type that the application names: None if the request names it.

    Raises:
        MisconfiguredType: In place of an error of the request that there is no such type.
    """
    try:
        yield
    except (UnknownWidgetType, InvalidTypeId) as error:
        if id is None:
            raise
        raise MisconfiguredType(f"the application names an unknown type: {error}") from error


def problem_of(error: WidgetSchemaError, *, prefix: str = "", unknown_type: int = 422) -> Problem:
    """Return the response to an error.

    Args:
        error: Any error of this package.
        prefix: The JSON Pointer of the data in the body of the request, such as `/data`; not of a
            text that cannot be read, whose pointers are those of the whole body.
        unknown_type: The status for an unknown widget type: 404 if the URL names it, 422 if the
            body does.

    Returns:
        The response, with status 422 for invalid data, 400 for text that is not JSON (413 for one
        that is too large), 409 for a stale form, 401 without a login, 503 if the platform fails
        (with `Retry-After` if it asks for that), 502 for a schema that cannot be used, else 500.
    """
    if isinstance(error, RefusedRequest):
        return error.problem
    if isinstance(error, InvalidWidgetData):
        return _about_report(error.report, 422, prefix)
    if isinstance(error, UnreadableDocument):
        is_size = any(finding.keyword == "json.size" for finding in error.report)
        return _about_report(error.report, 413 if is_size else 400, "")
    if isinstance(error, UnknownWidgetType):
        nearest = [shorten(id, 80) for id in error.nearest[:_MOST_NEAREST]]
        detail = f"unknown widget type {shorten(error.id, 80)!r}"
        return problem(unknown_type, detail, **({"nearest": nearest} if nearest else {}))
    if isinstance(error, InvalidTypeId):
        return problem(unknown_type, str(error))
    status, detail = next(
        (status, str(error) if detail is None else detail)
        for kind, status, detail in _ANSWERS
        if isinstance(error, kind)
    )
    return problem(status, detail)._replace(headers=_headers(error, status))


def problem(status: int, detail: str, **members: Any) -> Problem:
    """Return a response with problem details.

    Args:
        status: The HTTP status.
        detail: A sentence about the problem, for people.
        **members: Further members of the problem details.
    """
    body = {
        "type": "about:blank",
        "title": status_title(status),
        "status": status,
        "detail": shorten(detail, _LONGEST_DETAIL),
        **members,
    }
    return Problem(status, body, {})


def _about_report(report: Report, status: int, prefix: str) -> Problem:
    return Problem(status, report.to_problem(status=status, prefix=prefix), {})


def _headers(error: WidgetSchemaError, status: int) -> dict[str, str]:
    if status == 401:  # which has to name a scheme (RFC 9110, section 11.6.1)
        return {"WWW-Authenticate": 'Bearer realm="widget platform"'}
    if isinstance(error, ErrorResponse) and error.retry_after is not None:
        return {"Retry-After": str(max(0, math.ceil(error.retry_after)))}
    return {}
