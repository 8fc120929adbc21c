"""The response to a request: that of a fault or of the operation, changed as other faults want."""

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
    Answer,
    Call,
    Refused,
    error_answer,
    json_answer,
)
from widgetschema.sandbox.operations import get_schema, get_token, list_widgets, refusal
from widgetschema.sandbox.state import Sandbox

_MEGABYTE: Final = 1024 * 1024
_BEGINNING: Final = b'{"total": 0, "docs": [], "padding": "'
_LOGIN_PAGE: Final = (
    b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head>"
    b'<body><form method="post"><input name="user"></form></body></html>\n'
)
_OPERATIONS: Final[Mapping[str, Callable[[Sandbox, Call], Answer]]] = {
    WIDGETS: list_widgets,
    SCHEMA: get_schema,
    EXCHANGE: get_token,
    REFRESH: get_token,
}


def delay(sandbox: Sandbox, operation: str) -> float:
    """How many seconds an answer takes."""
    with sandbox.lock:
        slow = sandbox.take("slow", operation)
        return sandbox.latency + (slow.number / 1000 if slow else 0)


def handle(sandbox: Sandbox, call: Call) -> Answer:
    """The answer to a call."""
    with sandbox.lock:
        try:
            answer = _answer(sandbox, call)
        except Refused as refused:
            answer = refusal(refused)
        return spoilt(sandbox, call.operation, answer) if sandbox.faults else answer


def _answer(sandbox: Sandbox, call: Call) -> Answer:
    instead = sandbox.faults.take(_INSTEAD, call.operation) if sandbox.faults else None
    if instead:
        return _INSTEAD[instead.name](sandbox, call, instead)
    return _OPERATIONS[call.operation](sandbox, call)


# What answers in place of an operation


def _status(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    return error_answer(fault.number, "sandbox_fault", f"status {fault.number}, as asked for")


def _rate_limit(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    answer = error_answer(429, "too_many_requests", "wait a moment")
    return answer if fault.value is None else answer.adding(retry_after=fault.value)


def _rate_limit_date(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    moment = formatdate(sandbox.clock() + fault.number, usegmt=True)
    return error_answer(429, "too_many_requests", "wait a moment", retry_after=moment)


def _close(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    return Answer(0, closed=True)


def _html(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    return Answer(200, _LOGIN_PAGE, {"content-type": "text/html; charset=utf-8"})


def _empty(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    return Answer(200, b"", {"content-type": JSON})


def _bomb(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    async def body() -> AsyncIterator[bytes]:
        packer = zlib.compressobj(9, wbits=31)
        yield packer.compress(_BEGINNING)
        for _ in range(fault.number):
            yield packer.compress(b" " * _MEGABYTE)
            await anyio.sleep(0)  # others want to be answered, too
        yield packer.compress(b'"}') + packer.flush()

    return Answer(200, headers={"content-type": JSON, "content-encoding": "gzip"}, stream=body)


def _endless(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    async def body() -> AsyncIterator[bytes]:
        yield _BEGINNING
        for _ in range(fault.number * 16):
            yield b" " * (_MEGABYTE // 16)
            await anyio.sleep(0)
        yield b'"}'

    return Answer(200, headers={"content-type": JSON}, stream=body)


def _redirect(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    target = fault.text
    if not target:
        name, colon, port = call.host.rpartition(":")
        other = "127.0.0.1" if name == "localhost" else "localhost"
        target = f"http://{other}{colon}{port}" if colon else f"http://{other}"
    if urlsplit(target).path in ("", "/"):
        target = target.rstrip("/") + call.target
    return Answer(307, headers={"location": _header(target)})


def _redirect_loop(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    return Answer(307, headers={"location": _header(f"http://{call.host}{call.target}")})


def _echo(sandbox: Sandbox, call: Call, fault: Fault) -> Answer:
    authorization = call.headers.get("authorization", "")
    body = call.body.decode("utf-8", "replace")
    said = {
        "error": "sandbox_echo",
        "error_description": f"{authorization} {body}",
        "authorization": authorization,
        "form": dict(call.form),
        "target": call.target,
    }
    echoed = quote(f"{authorization} {body}"[:2000], safe=" &=+%")
    return json_answer(said, fault.number, x_request_id=echoed.strip() or "none")


def _header(address: str) -> str:
    """An address that can be in a header."""
    return quote(address, safe=":/?#[]@!$&'()*+,;=%")


_INSTEAD: Final[Mapping[str, Callable[[Sandbox, Call, Fault], Answer]]] = {
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


def spoilt(sandbox: Sandbox, operation: str, answer: Answer) -> Answer:
    """The answer as faults want it; one without a body has nothing to spoil."""
    if not answer.body:
        return answer
    if sandbox.take("invalid-json", operation):
        answer = replace(answer, body=answer.body[: len(answer.body) // 2])
    if sandbox.take("bom", operation):
        answer = replace(answer, body=_BOM + answer.body)
    charset = sandbox.take("charset", operation)
    if charset:
        body = answer.body.decode().encode(charset.text, "replace")
        answer = replace(answer, body=body).adding(content_type="application/json; charset=utf-8")
    content_type = sandbox.take("content-type", operation)
    if content_type:
        answer = answer.adding(content_type=content_type.text)
    drip = sandbox.take("drip", operation)
    if drip:
        answer = replace(answer, drip=drip.number / 1000)
    cut = sandbox.take("cut", operation)
    if cut:
        most = len(answer.body) - 1
        answer = replace(answer, cut=min(most, cut.number) if cut.value else len(answer.body) // 2)
    return answer
