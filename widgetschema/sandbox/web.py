"""The Starlette application: it reads HTTP requests and sends responses, and decides nothing.

The endpoints are plain ASGI applications, so that what is counted includes the sending.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from email.utils import formatdate
from functools import partial
from time import perf_counter
from typing import Final

import anyio
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from widgetschema.local_server import ABORT
from widgetschema.sandbox.authorize import authorize_decision, authorize_page
from widgetschema.sandbox.control import MOST_BYTES, control, guard
from widgetschema.sandbox.faults import EXCHANGE, REFRESH, SCHEMA, TOKEN, WIDGETS
from widgetschema.sandbox.handling import delay, handle
from widgetschema.sandbox.messages import (
    MOST_FORM_BYTES,
    RequestRefused,
    SandboxRequest,
    SandboxResponse,
    error_response,
)
from widgetschema.sandbox.operations import refusal
from widgetschema.sandbox.state import API, AUTHORIZE, TOKEN_PATH, LoggedRequest, Sandbox

_PIECES: Final = 10
_AUTHORIZE: Final = "authorize"
UNKNOWN: Final = "unknown"  # what is counted as no operation

Handler = Callable[[Sandbox, SandboxRequest], Awaitable[SandboxResponse]]
Connection = tuple[Scope, Receive, Send]


def build(sandbox: Sandbox, log: Callable[[LoggedRequest], None] | None = None) -> Starlette:
    """Build the application around a sandbox. `log` is called after each request."""

    def route(path: str, methods: str, name: str, handler: Handler, most: int = 0) -> Route:
        return Route(path, _Endpoint(sandbox, log, methods.split(), name, handler, most))

    application = Starlette(
        routes=[
            route(f"{API}/widgets", "GET HEAD", WIDGETS, _operation),
            route(f"{API}/widget-types/{{id:path}}/schema", "GET HEAD", SCHEMA, _operation),
            route(TOKEN_PATH, "POST", TOKEN, _operation, MOST_FORM_BYTES),
            route(AUTHORIZE, "GET HEAD POST", _AUTHORIZE, _authorize, MOST_FORM_BYTES),
            route("/sandbox/schemas/{id:path}", "PUT DELETE", "schemas", _control, MOST_BYTES),
            route("/sandbox/faults", "PUT DELETE", "faults", _control, MOST_BYTES),
            route("/sandbox/codes", "POST", "codes", _control, MOST_BYTES),
            route("/sandbox/reset", "POST", "reset", _control, MOST_BYTES),
            route("/sandbox/expire", "POST", "expire", _control, MOST_BYTES),
            route("/sandbox/state", "GET HEAD", "state", _control),
        ]
    )
    application.router.redirect_slashes = False
    application.router.default = _Endpoint(sandbox, log, [], UNKNOWN, _operation, 0)
    application.state.sandbox = sandbox
    return application


class _Endpoint:
    """One path as an ASGI application; it reads `most` bytes of a body, and the piece beyond."""

    def __init__(
        self,
        sandbox: Sandbox,
        log: Callable[[LoggedRequest], None] | None,
        methods: list[str],
        name: str,
        handler: Handler,
        most: int,
    ) -> None:
        self._sandbox = sandbox
        self._log = log
        self._methods = methods
        self._name = name
        self._handler = handler
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = perf_counter()
        try:
            request = await _call(scope, receive, self._name, self._most)
        except ClientDisconnect:
            return
        if self._handler is _control and request.method in self._methods:
            status = await self._respond(request, self._handler, (scope, receive, send))
        else:
            status = await self._count(request, (scope, receive, send))
        if self._log is not None:
            took = (perf_counter() - started) * 1000
            self._log(LoggedRequest(request.method, request.target.partition("?")[0], status, took))

    async def _count(self, request: SandboxRequest, connection: Connection) -> int:
        """Count a request, and send its response; return the status."""
        handler = self._handler
        if request.method not in self._methods:
            handler = partial(_refuse, self._methods)
            request = replace(request, operation=UNKNOWN)
        id = self._sandbox.begin(
            request.operation, request.host, "authorization" in request.headers
        )
        try:
            return await self._respond(request, handler, connection, id)
        finally:
            self._sandbox.end()

    async def _respond(
        self,
        request: SandboxRequest,
        handler: Handler,
        connection: Connection,
        id: str | None = None,
    ) -> int:
        """Make and send a response; return the status. With an id it counts, before it is sent."""
        headers = {"date": formatdate(self._sandbox.clock(), usegmt=True)}
        response = await handler(self._sandbox, request)
        if id is not None:
            headers["x-request-id"] = id
            self._sandbox.answered(response.status)
        await _response(replace(response, headers={**headers, **response.headers}))(*connection)
        return response.status


async def _operation(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    seconds = delay(sandbox, request.operation)
    if seconds:
        await anyio.sleep(seconds)
    return handle(sandbox, request)


async def _authorize(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    try:
        guard(replace(request, method="GET"))  # a form is no JSON
    except RequestRefused as refused:
        return refusal(refused)
    return (
        authorize_page(sandbox, request)
        if request.method != "POST"
        else authorize_decision(sandbox, request)
    )


async def _control(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    method = "GET" if request.method == "HEAD" else request.method
    return control(
        sandbox, replace(request, operation=f"{method} {request.operation}", method=method)
    )


async def _refuse(methods: list[str], sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Respond to a path that does not exist, or to another method."""
    if not methods:
        return error_response(404, "not_found", "there is nothing at this path")
    known = ", ".join(methods)
    return error_response(405, "method_not_allowed", f"the method is one of {known}", allow=known)


async def _call(scope: Scope, receive: Receive, name: str, most: int) -> SandboxRequest:
    """Read an HTTP request. Raises `ClientDisconnect`."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    path = scope.get("raw_path") or scope["path"].encode()
    query = scope["query_string"]
    target = (path + b"?" + query if query else path).decode("latin-1")
    body = bytearray()
    if most:
        async for chunk in Request(scope, receive).stream():
            body += chunk
            if len(body) > most:
                break
    id = scope.get("path_params", {}).get("id", "")
    server = scope.get("server") or ("", None)
    request = SandboxRequest(name, scope["method"], target, headers, bytes(body), id, server)
    return replace(request, operation=_grant(request)) if name == TOKEN else request


def _grant(request: SandboxRequest) -> str:
    """Return the operation of the token endpoint that a request asks for."""
    try:
        grants = [value for field, value in request.form if field == "grant_type"]
    except RequestRefused:
        grants = []
    return REFRESH if grants == ["refresh_token"] else EXCHANGE


def _response(response: SandboxResponse) -> Response:
    if response.closed:
        return _ClosedConnection()
    if response.cut is not None:
        return _CutResponse(response)
    if response.stream is not None:
        return StreamingResponse(response.stream(), response.status, response.headers)
    if response.drip is not None:
        headers = {**response.headers, "content-length": str(len(response.body))}
        body = _dripping(response.body, response.drip)
        return StreamingResponse(body, response.status, headers)
    return Response(response.body, response.status, response.headers)


async def _dripping(body: bytes, seconds: float) -> AsyncIterator[bytes]:
    size = max(1, -(-len(body) // _PIECES))
    for start in range(0, len(body), size):
        await anyio.sleep(seconds)
        yield body[start : start + size]


class _CutResponse(Response):
    """Says the whole length, sends less, and lets the server close the connection."""

    def __init__(self, response: SandboxResponse) -> None:
        super().__init__(response.body, response.status, response.headers)
        self._sent = response.body[: response.cut]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = self.raw_headers
        start = {"type": "http.response.start", "status": self.status_code, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": self._sent, "more_body": True})


class _ClosedConnection(Response):
    """No response. Another server than ours cannot close: there, it is an exception."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        abort = scope.get("extensions", {}).get(ABORT)
        if abort is None:
            raise ConnectionResetError("the fault 'close' requires widgetschema.sandbox.running")
        abort()
        while (await receive())["type"] != "http.disconnect":
            pass
