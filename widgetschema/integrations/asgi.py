"""The guard for ASGI applications: middleware that checks widget data before the application."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import WidgetSchemaError
from widgetschema.integrations.async_bodies import checked_body
from widgetschema.integrations.bodies import MAX_BODY_BYTES
from widgetschema.integrations.form_views import Answer, answer_to
from widgetschema.integrations.guarding import CHECKED_METHODS, Guard
from widgetschema.integrations.problems import Problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class GuardMiddleware:
    """Check the widget data in requests before an ASGI application gets them.

    The body of a request that matches is read, checked in a thread, and passed on, byte for byte.
    Otherwise, the response is a problem (RFC 9457), and the application is not called. Everything
    else, such as other paths, lifespan and WebSockets, is passed on unchanged.

    Args:
        app: The application.
        paths: For each pattern of paths, such as `/widgets/{type}`, the id of the widget type: a
            text, or a placeholder of the pattern (`{type}`). None takes the member `type` of the
            documents. The first pattern that matches counts. A placeholder is one segment.
        catalog: The catalog, or a function that returns it.
        documents: The bodies are widget documents, not the data alone.
        methods: The methods whose bodies are checked. Any other method that might save data, such
            as PATCH, is refused (405).
        max_bytes: The largest body, in bytes.

    Raises:
        ValueError: For a pattern or a type that cannot be used.
    """

    def __init__(
        self,
        app: Application,
        paths: Mapping[str, str | None],
        *,
        catalog: Catalog | Callable[[], Catalog] = Catalog.default,
        documents: bool = False,
        methods: Collection[str] = CHECKED_METHODS,
        max_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._app = app
        self._guard = Guard(
            paths, catalog=catalog, documents=documents, methods=methods, max_bytes=max_bytes
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a connection."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path, root = scope["path"], scope.get("root_path", "").rstrip("/")
        raw_path = (scope.get("raw_path") or b"").decode("latin-1")
        match = self._guard.match(scope["method"], [path.removeprefix(root), path], raw_path)
        if match is None:
            return await self._app(scope, receive, send)
        if isinstance(match, Problem):
            return await _send(answer_to(match), send)
        refused = self._guard.refused(
            _values(scope, b"content-type"),
            _values(scope, b"content-encoding"),
            *_values(scope, b"content-length")[:1],
        )
        if refused is not None:
            return await _send(answer_to(refused), send)
        body = await self._read(receive)
        if body is None:  # the client has disconnected
            return None
        if len(body) > self._guard.max_bytes:
            return await _send(answer_to(self._guard.too_large()), send)
        guard = self._guard
        try:
            await checked_body(
                body,
                match.type,
                guard.catalog,
                is_document=guard.documents,
                max_bytes=guard.max_bytes,
            )
        except WidgetSchemaError as error:
            return await _send(answer_to(guard.refusal(match, error)), send)
        return await self._app(scope, _replayed(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the body, or the beginning of one that is too large; None if it does not end."""
        chunks: list[bytes] = []
        size, more = 0, True
        while more and size <= self._guard.max_bytes:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunks.append(message.get("body", b""))
            size += len(chunks[-1])
            more = message.get("more_body", False)
        return b"".join(chunks)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a function that yields the body again, and then what comes after it."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


async def _send(answer: Answer, send: Send) -> None:
    headers = {
        "Content-Type": answer.media_type,
        "Content-Length": str(len(answer.body)),
        **answer.headers,
    }
    lines = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": lines})
    await send({"type": "http.response.body", "body": answer.body})
