"""The response to a request: that of a fault or of the operation, and the faults that change it."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from email.utils import formatdate
from functools import partial
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
_BOM: Final = b"\xef\xbb\xbf"
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
_INSTEAD: Final = (  # faults that respond in place of an operation
    "status rate-limit rate-limit-date close html empty bomb endless redirect redirect-loop echo"
).split()


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
        return apply_response_faults(sandbox, request.operation, response)


def _respond(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    instead = sandbox.faults.take(_INSTEAD, request.operation)
    if instead is None:
        return _OPERATIONS[request.operation](sandbox, request)
    return _response_of(instead, sandbox, request)


def _response_of(fault: Fault, sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Return the response of a fault that takes the place of an operation."""
    match fault.name:
        case "status":
            about = f"status {fault.number}, as asked for"
            return error_response(fault.number, "sandbox_fault", about)
        case "rate-limit" | "rate-limit-date":
            wait = fault.value
            if fault.name == "rate-limit-date":
                wait = formatdate(sandbox.clock() + fault.number, usegmt=True)
            headers = {} if wait is None else {"retry_after": wait}
            return error_response(429, "too_many_requests", "wait a moment", **headers)
        case "html":
            return SandboxResponse(200, _LOGIN_PAGE, {"content-type": "text/html; charset=utf-8"})
        case "empty":
            return SandboxResponse(200, b"", {"content-type": JSON})
        case "bomb":
            headers = {"content-type": JSON, "content-encoding": "gzip"}
            return SandboxResponse(200, headers=headers, stream=partial(_bomb, fault.number))
        case "endless":
            headers = {"content-type": JSON}
            return SandboxResponse(200, headers=headers, stream=partial(_endless, fault.number))
        case "redirect":
            return _redirect(_elsewhere(fault.text, request))
        case "redirect-loop":
            return _redirect(f"http://{request.host}{request.target}")
        case "echo":
            return _echo(request, fault.number)
        case _:
            return SandboxResponse(0, closed=True)


async def _bomb(megabytes: int) -> AsyncIterator[bytes]:
    packer = zlib.compressobj(9, wbits=31)
    yield packer.compress(_BEGINNING)
    for _ in range(megabytes):
        yield packer.compress(b" " * _MEGABYTE)
        await anyio.sleep(0)  # others want to be answered, too
    yield packer.compress(b'"}') + packer.flush()


async def _endless(megabytes: int) -> AsyncIterator[bytes]:
    yield _BEGINNING
    for _ in range(megabytes * 16):
        yield b" " * (_MEGABYTE // 16)
        await anyio.sleep(0)
    yield b'"}'


def _elsewhere(target: str, request: SandboxRequest) -> str:
    """Return the address that a request is redirected to."""
    if not target:
        name, colon, port = request.host.rpartition(":")
        other = "127.0.0.1" if name == "localhost" else "localhost"
        target = f"http://{other}{colon}{port}" if colon else f"http://{other}"
    if urlsplit(target).path in ("", "/"):
        target = target.rstrip("/") + request.target
    return target


def _redirect(target: str) -> SandboxResponse:
    location = quote(target, safe=":/?#[]@!$&'()*+,;=%")
    return SandboxResponse(307, headers={"location": location})


def _echo(request: SandboxRequest, status: int) -> SandboxResponse:
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
    return json_response(said, status, x_request_id=echoed.strip() or "none")


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
