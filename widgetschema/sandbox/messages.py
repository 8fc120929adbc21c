"""Requests and responses as values, without any framework."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import parse_qsl

from widgetschema.jsontext import dump_line

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
MOST_FORM_BYTES: Final = 64 * 1024
_MOST_FIELDS: Final = 100


class RequestRefused(Exception):
    """A request is refused: its response has a status, a code and a sentence."""

    def __init__(self, status: int, code: str, description: str) -> None:
        super().__init__(status, code, description)
        self.status = status
        self.code = code
        self.description = description


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """A request, as far as anything depends on it.

    `target` is path and query as they came, `headers` have lower-case names, `id` is the widget
    type in the path, `server` the address that the request came to.
    """

    operation: str
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""
    id: str = ""
    server: tuple[str, int | None] = ("", None)

    @property
    def host(self) -> str:
        """The header Host: name and port."""
        return self.headers.get("host", "")

    @property
    def query(self) -> list[tuple[str, str]]:
        """The query parameters, in order."""
        return parse_pairs(self.target.partition("?")[2])

    @property
    def form(self) -> list[tuple[str, str]]:
        """The fields of a form in the body, in order."""
        return parse_pairs(self.body.decode("utf-8", "replace"))

    @property
    def media_type(self) -> str:
        """The media type of the body, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class SandboxResponse:
    """A response, and how it is sent.

    Attributes:
        status: The HTTP status.
        body: The body.
        headers: The headers.
        drip: The seconds before each of ten pieces of the body.
        cut: The number of bytes of the body that are sent before the connection is closed.
        stream: Yields the body, in place of `body`; it has no length.
        closed: The connection is closed without a response.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: float | None = None
    cut: int | None = None
    stream: Callable[[], AsyncIterator[bytes]] | None = None
    closed: bool = False

    def with_headers(self, **headers: str) -> SandboxResponse:
        """Return the response with more headers; `_` in a name stands for `-`."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return replace(self, headers={**self.headers, **more})


def json_response(value: Any, status: int = 200, **headers: str) -> SandboxResponse:
    """Return a JSON response; `_` in the name of a header stands for `-`."""
    response = SandboxResponse(status, dump_line(value), {"content-type": JSON})
    return response.with_headers(**headers)


def error_response(status: int, code: str, description: str, **headers: str) -> SandboxResponse:
    """Return an error as in RFC 6749 (section 5.2), used for every operation."""
    value = {"error": code, "error_description": description}
    return json_response(value, status, cache_control="no-store", **headers)


def parse_pairs(text: str) -> list[tuple[str, str]]:
    """Return the fields of a query or a form, in order. Raises `RequestRefused`."""
    try:
        return parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise RequestRefused(400, "invalid_request", f"more than {_MOST_FIELDS} fields") from None


def unique_fields(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Return fields, none of which may be repeated (RFC 6749, 3.1 and 3.2); not the empty ones.

    Raises `RequestRefused`.
    """
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise RequestRefused(400, "invalid_request", "a field must not be repeated")
    return {name: value for name, value in fields.items() if value}
