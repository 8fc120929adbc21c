"""The control interface below /sandbox/: for the tests of other processes, not part of a platform.

A web page in a browser on this machine must not get at it: the name in Host has to be that of
this machine (a page whose name was made to lead here has another), and what changes something
needs a header that a page may not send here without asking (JSON, or X-Sandbox).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final
from urllib.parse import urlsplit

from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import read
from widgetschema.local_server import is_loopback, without_port
from widgetschema.sandbox.faults import as_fault
from widgetschema.sandbox.messages import JSON, Answer, Call, Refused, json_answer
from widgetschema.sandbox.operations import refusal
from widgetschema.sandbox.state import REDIRECT_URI, Sandbox

MOST_BYTES: Final = 8 * 1024 * 1024


def control(sandbox: Sandbox, call: Call) -> Answer:
    """The answer to a call of the control interface; `operation` is its name."""
    try:
        guard(call)
        if len(call.body) > MOST_BYTES:
            raise Refused(413, "invalid_request", f"more than {MOST_BYTES:,} bytes")
        return _CONTROLS[call.operation](sandbox, call).adding(cache_control="no-store")
    except Refused as refused:
        return refusal(refused)


def guard(call: Call) -> None:
    """Refuse what may come from a web page. Raises `Refused`."""
    if not is_loopback(without_port(call.host)):
        raise Refused(403, "forbidden", "the header Host names another machine")
    origin = call.headers.get("origin")
    if origin is not None and not _is_ours(origin):
        raise Refused(403, "forbidden", "this is not for other web pages")
    if call.method in ("GET", "HEAD"):
        return
    if call.media_type != JSON and "x-sandbox" not in call.headers:
        raise Refused(403, "forbidden", f"send Content-Type: {JSON}, or a header X-Sandbox")


def _state(sandbox: Sandbox, call: Call) -> Answer:
    with sandbox.lock:
        counters = asdict(sandbox.counters)
        counters["statuses"] = {str(status): n for status, n in counters["statuses"].items()}
        counters["token_hosts"] = list(counters["token_hosts"])
        about = {
            "schemas": [*sandbox.schemas],
            "widgets": len(sandbox.widgets),
            "faults": sandbox.faults.texts(),
        }
        return json_answer({**counters, **about})


def _reset(sandbox: Sandbox, call: Call) -> Answer:
    sandbox.reset()
    return _state(sandbox, call)


def _expire(sandbox: Sandbox, call: Call) -> Answer:
    sandbox.expire_tokens()
    return _state(sandbox, call)


def _codes(sandbox: Sandbox, call: Call) -> Answer:
    given = _value(call) if call.body else {}
    if not isinstance(given, dict):
        raise Refused(400, "invalid_request", "send an object with redirect_uri, or nothing")
    redirect_uri = given.get("redirect_uri", REDIRECT_URI)
    client_id = given.get("client_id", sandbox.client_id)
    if not isinstance(redirect_uri, str) or not isinstance(client_id, str):
        raise Refused(400, "invalid_request", "redirect_uri and client_id are strings")
    made = sandbox.code(redirect_uri, client_id)
    return json_answer({"code": made, "redirect_uri": redirect_uri}, 201)


def _set_schema(sandbox: Sandbox, call: Call) -> Answer:
    sandbox.set_schema(call.id, _value(call))
    return json_answer({"schemas": [*sandbox.schemas]})


def _remove_schema(sandbox: Sandbox, call: Call) -> Answer:
    sandbox.remove_schema(call.id)
    return json_answer({"schemas": [*sandbox.schemas]})


def _set_faults(sandbox: Sandbox, call: Call) -> Answer:
    given = _value(call)
    if not isinstance(given, list):
        raise Refused(400, "invalid_request", 'send an array of faults: ["status=503x2"]')
    try:
        faults = [as_fault(one) for one in given]
    except ValueError as error:
        raise Refused(400, "invalid_request", str(error)) from None
    with sandbox.lock:
        sandbox.clear_faults()
        sandbox.fault(*faults)
        return json_answer({"faults": sandbox.faults.texts()})


def _clear_faults(sandbox: Sandbox, call: Call) -> Answer:
    sandbox.clear_faults()
    return json_answer({"faults": []})


def _value(call: Call) -> Any:
    try:
        return read(call.body, subject="the body")
    except UnreadableDocument as error:
        raise Refused(400, "invalid_request", str(error)) from None


def _is_ours(origin: str) -> bool:
    try:
        return is_loopback(urlsplit(origin).hostname or "")
    except ValueError:
        return False


_CONTROLS: Final[Mapping[str, Callable[[Sandbox, Call], Answer]]] = {
    "GET state": _state,
    "POST reset": _reset,
    "POST expire": _expire,
    "POST codes": _codes,
    "PUT schemas": _set_schema,
    "DELETE schemas": _remove_schema,
    "PUT faults": _set_faults,
    "DELETE faults": _clear_faults,
}
