"""The response to a request: that of a fault or of the operation, and the faults that change it."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from email.utils import formatdate
from typing import Final
from urllib.parse import quote, urlsplit

import anyio

from widgetschema.sandbox.faults import EXCHANGE, REFRESH, SCHEMA, WIDGETS, Fault
from widgetschema.sandbox.messages import (
    JSON,
    RequestRefused,
    SandboxRequest,
    SandboxResponse,
    error_response,
    json_response,
)
from widgetschema.sandbox.operations import get_schema, get_token, list_widgets, refusal
from widgetschema.sandbox.state import Sandbox

_MEGABYTE: Final = 1024 * 1024
_BEGINNING: Final = b'{"total": 0, "docs": [], "padding": "'
_LOGIN_PAGE: Final = (
    b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head>"
    b'<body><form method="post"><input name="user"></form></body></html>\n'
)
_OPERATIONS: Final[Mapping[str, Callable[[Sandbox, SandboxRequest], SandboxResponse]]] = {
    WIDGETS: list_widgets,
    SCHEMA: get_schema,
    EXCHANGE: get_token,
    REFRESH: get_token,
}


def delay(sandbox: Sandbox, operation: str) -> float:
    """Return the seconds to wait before the response."""
    with sandbox.lock:
        slow = sandbox.take("slow", operation)
        return sandbox.latency + (slow.number / 1000 if slow else 0)


def handle(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Respond to a request."""
    with sandbox.lock:
        try:
            response = _respond(sandbox, request)
        except RequestRefused as refused:
            response = refusal(refused)
        return (
            apply_response_faults(sandbox, request.operation, response)
            if sandbox.faults
            else response
        )


def _respond(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    instead = sandbox.faults.take(_RESPONSE_FAULTS, request.operation) if sandbox.faults else None
    if instead:
        return _RESPONSE_FAULTS[instead.name](sandbox, request, instead)
    return _OPERATIONS[request.operation](sandbox, request)


# Faults that respond in place of an operation


def _status(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    return error_response(fault.number, "sandbox_fault", f"status {fault.number}, as asked for")


def _rate_limit(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    response = error_response(429, "too_many_requests", "wait a moment")
    return response if fault.value is None else response.with_headers(retry_after=fault.value)


def _rate_limit_date(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    moment = formatdate(sandbox.clock() + fault.number, usegmt=True)
    return error_response(429, "too_many_requests", "wait a moment", retry_after=moment)


def _close(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    return SandboxResponse(0, closed=True)


def _html(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    return SandboxResponse(200, _LOGIN_PAGE, {"content-type": "text/html; charset=utf-8"})


def _empty(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    return SandboxResponse(200, b"", {"content-type": JSON})


def _bomb(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    async def body() -> AsyncIterator[bytes]:
        packer = zlib.compressobj(9, wbits=31)
        yield packer.compress(_BEGINNING)
        for _ in range(fault.number):
            yield packer.compress(b" " * _MEGABYTE)
            await anyio.sleep(0)  # others want to be answered, too
        yield packer.compress(b'"}') + packer.flush()

    return SandboxResponse(
        200, headers={"content-type": JSON, "content-encoding": "gzip"}, stream=body
    )


def _endless(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    async def body() -> AsyncIterator[bytes]:
        yield _BEGINNING
        for _ in range(fault.number * 16):
            yield b" " * (_MEGABYTE // 16)
            await anyio.sleep(0)
        yield b'"}'

    return SandboxResponse(200, headers={"content-type": JSON}, stream=body)


def _redirect(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    target = fault.text
    if not target:
        name, colon, port = request.host.rpartition(":")
        other = "127.0.0.1" if name == "localhost" else "localhost"
        target = f"http://{other}{colon}{port}" if colon else f"http://{other}"
    if urlsplit(target).path in ("", "/"):
        target = target.rstrip("/") + request.target
    return SandboxResponse(307, headers={"location": _header(target)})


def _redirect_loop(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    return SandboxResponse(
        307, headers={"location": _header(f"http://{request.host}{request.target}")}
    )


def _echo(sandbox: Sandbox, request: SandboxRequest, fault: Fault) -> SandboxResponse:
    authorization = request.headers.get("authorization", "")
    body = request.body.decode("utf-8", "replace")
    said = {
        "error": "sandbox_echo",
        "error_description": f"{authorization} {body}",
        "authorization": authorization,
        "form": dict(request.form),
        "target": request.target,
    }
    echoed = quote(f"{authorization} {body}"[:2000], safe=" &=+%")
    return json_response(said, fault.number, x_request_id=echoed.strip() or "none")


def _header(address: str) -> str:
    """Return an address that can be in a header."""
    return quote(address, safe=":/?#[]@!$&'()*+,;=%")


_RESPONSE_FAULTS: Final[
    Mapping[str, Callable[[Sandbox, SandboxRequest, Fault], SandboxResponse]]
] = {
    "status": _status,
    "rate-limit": _rate_limit,
    "rate-limit-date": _rate_limit_date,
    "close": _close,
    "html": _html,
    "empty": _empty,
    "bomb": _bomb,
    "endless": _endless,
    "redirect": _redirect,
    "redirect-loop": _redirect_loop,
    "echo": _echo,
}


_BOM: Final = b"\xef\xbb\xbf"


def apply_response_faults(
    sandbox: Sandbox, operation: str, response: SandboxResponse
) -> SandboxResponse:
    """Apply faults to a response, unless it has no body."""
    if not response.body:
        return response
    if sandbox.take("invalid-json", operation):
        response = replace(response, body=response.body[: len(response.body) // 2])
    if sandbox.take("bom", operation):
        response = replace(response, body=_BOM + response.body)
    charset = sandbox.take("charset", operation)
    if charset:
        body = response.body.decode().encode(charset.text, "replace")
        response = replace(response, body=body).with_headers(
            content_type="application/json; charset=utf-8"
        )
    content_type = sandbox.take("content-type", operation)
    if content_type:
        response = response.with_headers(content_type=content_type.text)
    drip = sandbox.take("drip", operation)
    if drip:
        response = replace(response, drip=drip.number / 1000)
    cut = sandbox.take("cut", operation)
    if cut:
        most = len(response.body) - 1
        response = replace(
            response, cut=min(most, cut.number) if cut.value else len(response.body) // 2
        )
    return response
