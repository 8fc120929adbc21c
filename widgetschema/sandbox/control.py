"""The control interface below /sandbox/: for the tests of other processes, not part of a platform.

A web page in a browser on this machine must not get at it: Host and Origin have to be those of
the sandbox, and what changes something needs a header that a page may not send here without asking
(JSON, or X-Sandbox).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import read
from widgetschema.local_server import foreign_header
from widgetschema.sandbox.faults import as_fault
from widgetschema.sandbox.messages import (
    JSON,
    RequestRefused,
    SandboxRequest,
    SandboxResponse,
    json_response,
)
from widgetschema.sandbox.operations import refusal
from widgetschema.sandbox.state import REDIRECT_URI, Sandbox

MOST_BYTES: Final = 8 * 1024 * 1024


def control(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Respond to a request of the control interface; `operation` is its name."""
    try:
        guard(request)
        if len(request.body) > MOST_BYTES:
            raise RequestRefused(413, "invalid_request", f"more than {MOST_BYTES:,} bytes")
        return _CONTROLS[request.operation](sandbox, request).with_headers(cache_control="no-store")
    except RequestRefused as refused:
        return refusal(refused)


def guard(request: SandboxRequest) -> None:
    """Refuse what may come from a web page. Raises `RequestRefused`."""
    foreign = foreign_header(request.method, request.headers, request.server)
    if foreign == "host":
        raise RequestRefused(403, "forbidden", "the header Host names another server")
    if foreign:
        raise RequestRefused(403, "forbidden", "requests from web pages are refused")
    if request.method in ("GET", "HEAD"):
        return
    if request.media_type != JSON and "x-sandbox" not in request.headers:
        raise RequestRefused(403, "forbidden", f"send Content-Type: {JSON}, or a header X-Sandbox")


def _state(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    with sandbox.lock:
        counters = asdict(sandbox.counters)
        counters["statuses"] = {str(status): n for status, n in counters["statuses"].items()}
        counters["token_hosts"] = list(counters["token_hosts"])
        about = {
            "schemas": [*sandbox.schemas],
            "widgets": len(sandbox.widgets),
            "faults": sandbox.faults.texts(),
        }
        return json_response({**counters, **about})


def _reset(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    sandbox.reset()
    return _state(sandbox, request)


def _expire(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    sandbox.expire_tokens()
    return _state(sandbox, request)


def _codes(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    given = _value(request) if request.body else {}
    if not isinstance(given, dict):
        raise RequestRefused(400, "invalid_request", "send an object with redirect_uri, or nothing")
    redirect_uri = given.get("redirect_uri", REDIRECT_URI)
    client_id = given.get("client_id", sandbox.client_id)
    if not isinstance(redirect_uri, str) or not isinstance(client_id, str):
        raise RequestRefused(400, "invalid_request", "redirect_uri and client_id are strings")
    made = sandbox.code(redirect_uri, client_id)
    return json_response({"code": made, "redirect_uri": redirect_uri}, 201)


def _set_schema(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    sandbox.set_schema(request.id, _value(request))
    return json_response({"schemas": [*sandbox.schemas]})


def _remove_schema(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    sandbox.remove_schema(request.id)
    return json_response({"schemas": [*sandbox.schemas]})


def _set_faults(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    given = _value(request)
    if not isinstance(given, list):
        raise RequestRefused(400, "invalid_request", 'send an array of faults: ["status=503x2"]')
    try:
        faults = [as_fault(one) for one in given]
    except ValueError as error:
        raise RequestRefused(400, "invalid_request", str(error)) from None
    with sandbox.lock:
        sandbox.clear_faults()
        sandbox.fault(*faults)
        return json_response({"faults": sandbox.faults.texts()})


def _clear_faults(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    sandbox.clear_faults()
    return json_response({"faults": []})


def _value(request: SandboxRequest) -> Any:
    try:
        return read(request.body, subject="the body")
    except UnreadableDocument as error:
        raise RequestRefused(400, "invalid_request", str(error)) from None


_CONTROLS: Final[Mapping[str, Callable[[Sandbox, SandboxRequest], SandboxResponse]]] = {
    "GET state": _state,
    "POST reset": _reset,
    "POST expire": _expire,
    "POST codes": _codes,
    "PUT schemas": _set_schema,
    "DELETE schemas": _remove_schema,
    "PUT faults": _set_faults,
    "DELETE faults": _clear_faults,
}
