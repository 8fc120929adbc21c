"""The FastAPI example: logins, saves and forms of two users, while schemas and platform change."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

import widgetschema
from widgetschema.sandbox import REDIRECT_URI, RunningSandbox, running

EXAMPLE = Path(__file__).parents[2] / "examples" / "fastapi_app"
VALID = '{"content": {"timerDays": 1.0}, "settings": {}, "styles": {}}'
JSON = {"content-type": "application/json"}


@pytest.fixture
def sandbox() -> Iterator[RunningSandbox]:
    with running(max_age=0) as sandbox:
        yield sandbox


@pytest.fixture
def example(
    sandbox: RunningSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ModuleType]:
    settings = {
        "DATABASE": f"sqlite:///{tmp_path / 'db'}",
        "PLATFORM": sandbox.base_url,
        "PLATFORM_AUTH": sandbox.auth_url,
        "PLATFORM_AUTHORIZE": sandbox.authorize_url,
        "CLIENT_ID": sandbox.client_id,
        "CLIENT_SECRET": sandbox.client_secret,
        "REDIRECT_URI": REDIRECT_URI,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(EXAMPLE)
    module = import_module("app")
    yield module
    module.accounts.close()
    import_module("models").engine.dispose()
    for name in ("app", "models"):
        del sys.modules[name]


def client(example: ModuleType, user: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(example.app, raise_app_exceptions=False),
        base_url="http://app.example",
        headers={"x-user": user},
        timeout=120,
    )


async def log_in(http: httpx.AsyncClient, sandbox: RunningSandbox) -> None:
    asked = await http.get("/login", params={"state": "s"})
    assert asked.headers["location"].startswith(sandbox.authorize_url)
    assert (await http.get("/callback", params={"code": sandbox.code()})).status_code == 200


async def put(http: httpx.AsyncClient, id: str, body: str) -> int:
    url = f"/widgets/{id}?type=countdown"
    return (await http.put(url, content=body, headers=JSON)).status_code


def test_a_user_logs_in_saves_and_edits(example: ModuleType, sandbox: RunningSandbox) -> None:
    async def run() -> None:
        async with client(example, "ann") as ann, client(example, "bob") as bob:
            assert await put(ann, "1", VALID) == 401
            await log_in(ann, sandbox)
            await log_in(bob, sandbox)
            assert await put(ann, "1", "{}") == 422
            assert await put(ann, "1", VALID) == 200
            assert (await ann.get("/widgets/1")).text == VALID
            assert (await bob.get("/widgets/1")).status_code == 404
            assert (await bob.get("/forms/1")).status_code == 404
            document = f'{{"type": "countdown", "data":  {VALID}}}'
            made = await ann.post("/widgets", content=document, headers=JSON)
            assert (await ann.get(f"/widgets/{made.json()}")).text == VALID

            page = await ann.get("/forms/1")
            hidden = LexborHTMLParser(page.text).css("form input[type=hidden]")
            fields: dict[str, Any] = {one.attrs["name"] or "": one.attrs["value"] for one in hidden}
            fields["#/content/timerDays"] = "2"
            live = await ann.post("/forms/1/check", data=fields)
            assert live.json()["valid"] is True
            assert (await bob.post("/forms/1", data=fields)).status_code == 404
            assert (await ann.post("/forms/1", data=fields)).status_code == 303
            assert (await ann.get("/widgets/1")).text == VALID.replace("1.0", "2")
            assert (await ann.post("/forms/1", data=fields)).status_code == 409

    anyio.run(run)


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_no_wrong_verdict_while_schemas_and_platform_change(
    example: ModuleType, sandbox: RunningSandbox
) -> None:
    countdown: dict[str, Any] = widgetschema.widget_type("countdown").schema
    changed = {**countdown, "title": "another"}
    broken = {**countdown, "properties": {"data": {"$ref": "#/nowhere"}}}
    events = {
        40: lambda: sandbox.set_schema("countdown", changed),
        80: lambda: sandbox.set_schema("countdown", broken),
        120: lambda: sandbox.fault("status=503x10000"),
        160: lambda: sandbox.set_schema("countdown", countdown),
    }
    statuses: dict[int, int] = {}
    stored: dict[int, str] = {}

    async def run() -> None:
        async with client(example, "ann") as ann:
            await log_in(ann, sandbox)
            await put(ann, "first", VALID)

            async def save(number: int) -> None:
                value = f"{number}" if number % 2 else f'"{number}"'
                statuses[number] = await put(ann, f"{number}", VALID.replace("1.0", value))
                stored[number] = (await ann.get(f"/widgets/{number}")).text

            for begin in range(0, 200, 20):
                if begin in events:
                    await anyio.to_thread.run_sync(events[begin])
                async with anyio.create_task_group() as tasks:
                    for number in range(begin, begin + 20):
                        tasks.start_soon(save, number)

    anyio.run(run)
    assert statuses == {number: 200 if number % 2 else 422 for number in range(200)}
    for number in range(1, 200, 2):
        assert stored[number] == VALID.replace("1.0", f"{number}")
