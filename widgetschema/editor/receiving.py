"""The controls of a form out of a request, within limits that are set on purpose.

Nothing is known here of what the controls mean.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from widgetschema.editor.editing import Unusable
from widgetschema.errors import TooManyFields
from widgetschema.forms.posted import MOST_CONTROLS

MOST_BYTES: Final = 64 * 1024 * 1024
_PATIENCE: Final = 16  # how many times as much as is taken is listened to
_MOST_OWN: Final = 100  # controls of the page beside those of the form


async def controls_of(request: Request, most_bytes: int = MOST_BYTES) -> dict[str, list[str]]:
    """The controls by name, with their values in order.

    Raises `Unusable` for what is too large or no form, `TooManyFields`, and what
    `Request.stream` raises.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise Unusable(415, "This is not what a form sends.")
    body = await _body(request, most_bytes)
    if media_type == "multipart/form-data":
        pairs = await _multipart(request.headers, body, most_bytes)
    else:
        pairs = _urlencoded(body)
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


async def _body(request: Request, most: int) -> bytes:
    body, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= most:
            body += chunk
        elif size > most * _PATIENCE:
            break
    # A browser reads the answer when it has sent everything, and else says that there was none.
    if size > most:
        raise Unusable(413, f"This is more than the editor takes: at most {most:,} bytes.")
    return bytes(body)


def _urlencoded(body: bytes) -> list[tuple[str, str]]:
    most = MOST_CONTROLS + _MOST_OWN
    count = body.count(b"&") + 1
    if count > most:
        raise TooManyFields(count, MOST_CONTROLS)
    try:
        return parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        raise Unusable(422, "What came is not text in UTF-8, and nothing was done.") from None


async def _multipart(headers: Headers, body: bytes, most: int) -> list[tuple[str, str]]:
    async def stream() -> AsyncIterator[bytes]:
        yield body

    most_fields = MOST_CONTROLS + _MOST_OWN
    parser = MultiPartParser(
        headers,
        stream(),  # type: ignore[arg-type]
        max_files=0,
        max_fields=most_fields,
        max_part_size=most,
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        if body.count(b"form-data") > most_fields:
            raise TooManyFields(body.count(b"form-data"), MOST_CONTROLS) from None
        raise Unusable(422, f"What came cannot be read: {error.message}") from None
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
