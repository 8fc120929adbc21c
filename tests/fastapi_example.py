"""The FastAPI example, beside a sandbox that can be held up, and by a clock that can be put forward."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import anyio
import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

import widgetschema
from tests.terminal import HANG
from widgetschema import Accounts, Catalog
from widgetschema.sandbox import REDIRECT_URI, Sandbox, app, running

EXAMPLE: Final = Path(__file__).parents[1] / "examples" / "fastapi_app"
VALID: Final = '{"content": {"timerDays": 1.0}, "settings": {}, "styles": {}}'
JSON: Final = {"content-type": "application/json"}

COUNTDOWN: dict[str, Any] = widgetschema.widget_type("countdown").schema
CHANGED = {**COUNTDOWN, "definitions": {**COUNTDOWN["definitions"]}}
CHANGED["definitions"]["IPluginContent"] = {
    **COUNTDOWN["definitions"]["IPluginContent"],
    "properties": {
        **COUNTDOWN["definitions"]["IPluginContent"]["properties"],
        "timerDays": {"type": "number", "maximum": 1_000},
    },
}
BROKEN = {**COUNTDOWN, "properties": {"data": {"$ref": "#/nowhere"}}}


class Gate:
    """Lets requests to the platform through, or holds them until it is opened again."""

    def __init__(self) -> None:
        self.is_open = threading.Event()
        self.is_open.set()
        self.has_held = threading.Event()
        self.was_awaited = False  # somebody held everything up until the gate opened by itself

    def close(self) -> None:
        self.has_held.clear()
        self.is_open.clear()

    def is_reached(self, ask: Callable[[], object]) -> bool:
        """Ask until a request is held: one that was under way when the gate closed may answer first."""
        end = time.monotonic() + HANG
        while not self.has_held.wait(0.05) and time.monotonic() < end:
            ask()
        return self.has_held.is_set()


class GateMiddleware:
    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self.gate.is_open.is_set():
            self.gate.has_held.set()
            if not await anyio.to_thread.run_sync(self.gate.is_open.wait, HANG):
                self.gate.was_awaited = True
        await self.app(scope, receive, send)


@contextmanager
def gated_sandbox(gate: Gate) -> Iterator[Sandbox]:
    """A sandbox behind a gate, which is opened at the end."""
    platform = app(max_age=0)
    platform.add_middleware(GateMiddleware, gate=gate)
    with running(platform) as sandbox:
        yield sandbox
        gate.is_open.set()


class Clock:
    """The time by which schemas and tokens grow old."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


def turns(
    sandbox: Sandbox, gate: Gate, clock: Clock, catalog: Callable[[], Catalog]
) -> Callable[[str], None]:
    """Return a function that brings about one of the situations of a platform."""

    def turn(situation: str) -> None:
        gate.is_open.set()
        sandbox.clear_faults()
        if situation in ("changed", "broken"):
            sandbox.set_schema("countdown", CHANGED if situation == "changed" else BROKEN)
        elif situation == "held":
            gate.close()
        elif situation == "down":
            sandbox.fault("close")
        elif situation == "refusing":
            sandbox.fault("status=403")
        else:
            sandbox.set_schema("countdown", COUNTDOWN)
        clock.now += 100  # all that is known is due to be looked up again
        if situation not in ("held", "refusing"):
            catalog().refresh()
            clock.now += 100

    return turn


@contextmanager
def loaded(
    sandbox: Sandbox, clock: Clock, database: Path, warn: Callable[[str], None]
) -> Iterator[Any]:
    """The module of the example.

    Its accounts have a clock, and no deadline: what waits for a held platform waits for ever.
    """
    settings = {
        "DATABASE": f"sqlite:///{database}",
        "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
        "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
        "WIDGETSCHEMA_CLIENT_ID": sandbox.client_id,
        "WIDGETSCHEMA_CLIENT_SECRET": sandbox.client_secret,
        "REDIRECT_URI": REDIRECT_URI,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        patch.syspath_prepend(EXAMPLE)
        module: Any = import_module("app")
        module.accounts.close()
        module.accounts = Accounts(
            sandbox.base_url,
            sandbox.auth_url,
            client_id=sandbox.client_id,
            client_secret=sandbox.client_secret,
            redirect_uri=REDIRECT_URI,
            load=module.load_tokens,
            save=module.save_tokens,
            deadline=None,
            timeout=2 * HANG,
            clock=clock,
            make_catalog=lambda fetcher: Catalog(
                fetcher, stale_while_revalidate=True, clock=clock, warn=warn
            ),
            warn=warn,
        )
        yield module
        module.accounts.close()
        import_module("models").engine.dispose()
        for name in ("app", "models"):
            del sys.modules[name]


def client(example: Any, user: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(example.app, raise_app_exceptions=False),
        base_url="http://app.example",
        headers={"x-user": user},
        timeout=120,
    )


async def log_in(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    asked = await http.get("/login", params={"state": "s"})
    assert asked.headers["location"].startswith(sandbox.authorize_url)
    assert (await http.get("/callback", params={"code": sandbox.code()})).status_code == 200


async def put(http: httpx.AsyncClient, id: str, body: str) -> int:
    url = f"/widgets/{id}?type=countdown"
    return (await http.put(url, content=body, headers=JSON)).status_code
