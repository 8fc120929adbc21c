"""Faults in the bytes of an answer: the operation was carried out, its answer arrives broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from widgetschema.sandbox.answers import Answer
from widgetschema.sandbox.state import Sandbox

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
