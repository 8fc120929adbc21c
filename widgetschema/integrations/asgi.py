"""The guard for ASGI applications: middleware that checks widget data before the application."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any

from anyio.to_thread import run_sync

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import WidgetSchemaError
from widgetschema.integrations import CatalogSource, catalog_of
from widgetschema.integrations.bodies import (
    CheckedBody,
    ReadBody,
    check_body,
    read_body,
    too_large,
)
from widgetschema.integrations.form_views import Answer
from widgetschema.integrations.guarding import Guard
from widgetschema.integrations.problems import naming_type

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class GuardMiddleware(Guard[Application]):
    """Check the widget data in requests before an ASGI application gets them.

    Bodies are checked in a thread. Lifespan and WebSockets are passed on unchanged. For the
    arguments, see `widgetschema.integrations.guarding.Guard`.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path, root = scope["path"], scope.get("root_path", "").rstrip("/")
        raw_path = (scope.get("raw_path") or b"").decode("latin-1")
        match = None
        try:
            match = self._match(scope["method"], [path.removeprefix(root), path], raw_path)
            if match is not None:
                body = await self._body(scope, receive)
                if body is None:  # the client has disconnected
                    return None
                with naming_type(match.of_application):
                    await checked_body(
                        body,
                        match.type,
                        self._catalog,
                        is_document=self._documents,
                        max_bytes=self._max_bytes,
                    )
                receive = _replayed(body, receive)
        except WidgetSchemaError as error:
            return await _send(self._refusal(match, error), send)
        return await self._app(scope, receive, send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """Return the body of a request; None if it does not end.

        Raises:
            RefusedRequest: If it cannot be read.
            UnreadableDocument: If it is too large.
        """
        self._require_readable(
            _values(scope, b"content-type"),
            _values(scope, b"content-encoding"),
            next(iter(_values(scope, b"content-length")), None),
        )
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self._max_bytes:
                raise too_large(self._max_bytes)
            more = message.get("more_body", False)
        return bytes(body)


async def checked_body(
    raw: bytes,
    id: str | None,
    catalog: CatalogSource,
    *,
    is_document: bool,
    max_bytes: int,
) -> CheckedBody:
    """Return the body of a request, if it is valid: as `bodies.checked_body`, for a task.

    The event loop never waits for a schema. Neither do the threads that the application has for
    everything else: if these waited, a slow platform would delay all requests as soon as enough
    users need a schema that is not at hand.

    Args:
        raw: The JSON text of widget data, or of a whole widget document.
        id: The id of the widget type; None takes the member `type` of the document.
        catalog: The catalog, or a function that returns it, which is called in a thread.
        is_document: It is a widget document, not the data alone.
        max_bytes: The size of the largest body.

    Raises:
        WidgetSchemaError: As `bodies.checked_body`.
    """

    def begin() -> CheckedBody | tuple[ReadBody, Catalog]:
        """Return the checked body, unless the schema has to be fetched first."""
        body, source = read_body(raw, id, max_bytes=max_bytes), catalog_of(catalog)
        widget_type = source.cached(body.id)
        if widget_type is None:
            return body, source
        return check_body(body, widget_type, is_document=is_document)

    begun = await run_sync(begin)
    if isinstance(begun, CheckedBody):
        return begun
    body, source = begun
    widget_type = await _load(source, body.id)
    return await run_sync(partial(check_body, body, widget_type, is_document=is_document))


async def _load(catalog: Catalog, id: str) -> WidgetType:
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # another event loop, such as that of trio
        return await run_sync(catalog.__getitem__, id)
    return await catalog.aload(id)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a function that yields the body again, and then what comes after it."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


async def _send(answer: Answer, send: Send) -> None:
    headers = answer.sent_headers.items()
    lines = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": lines})
    await send({"type": "http.response.body", "body": answer.body})
