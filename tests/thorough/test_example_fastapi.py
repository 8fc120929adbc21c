"""The FastAPI example: logins, saves and forms of two users, while schemas and platform change."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import anyio
import httpx
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from selectolax.lexbor import LexborHTMLParser

from tests.checkout import ROOT
from tests.command import environment
from tests.fastapi_example import (
    EXAMPLE,
    JSON,
    VALID,
    Clock,
    Gate,
    client,
    gated_sandbox,
    loaded,
    log_in,
    put,
    turns,
)
from tests.terminal import HANG
from widgetschema.sandbox import Sandbox


def test_the_commands_of_its_page(tmp_path: Path) -> None:
    page = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    [install, command] = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    [extras] = re.findall(r"pip install \"\.\[(.*)\]\"", install)
    assert {*extras.split(",")} <= {*(metadata("widgetschema").get_all("Provides-Extra") or ())}
    words = [str(EXAMPLE) if one.startswith("examples/") else one for one in command.split()]
    assert words[0] == "widgetschema"
    output = tmp_path / "output"
    with (
        output.open("wb") as log,
        subprocess.Popen(
            [sys.executable, "-m", "widgetschema", *words[1:], "--port", "0"],
            cwd=tmp_path,
            env=environment(
                PYTHONPATH=str(ROOT), PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            ),
            stdout=log,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            for _ in range(int(HANG / 0.1)):
                url = re.search(r"running on (http://\S+)", output.read_text())
                if url is not None or process.poll() is not None:
                    break
                time.sleep(0.1)
            assert url is not None, output.read_text()
            with httpx.Client(base_url=url[1], timeout=HANG) as http:
                asked = httpx.URL(http.get("/login?state=try").headers["location"])
                allowed = httpx.post(
                    asked.copy_with(query=None), data={**asked.params, "decision": "allow"}
                )
                code = httpx.URL(allowed.headers["location"]).params["code"]
                assert http.get("/callback", params={"code": code}).status_code == 200
                sale = "/widgets/sale?type=countdown"
                assert http.put(sale, content=VALID, headers=JSON).status_code == 200
                wrong = VALID.replace("1.0", '"1"')
                assert http.put(sale, content=wrong, headers=JSON).status_code == 422
                assert "timerDays" in http.get("/forms/sale").text
        finally:
            process.terminate()


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    assert not gate.was_awaited


@pytest.fixture
def sandbox(gate: Gate) -> Iterator[Sandbox]:
    with gated_sandbox(gate) as sandbox:
        yield sandbox


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def warned() -> list[str]:
    return []


@pytest.fixture
def example(sandbox: Sandbox, clock: Clock, warned: list[str], tmp_path: Path) -> Iterator[Any]:
    with loaded(sandbox, clock, tmp_path / "db", warned.append) as module:
        yield module


def controls(page: str) -> dict[str, str]:
    """The hidden controls of a form: what is not posted stays as it is."""
    hidden = LexborHTMLParser(page).css("form input[type=hidden]")
    return {f"{one.attrs['name']}": f"{one.attrs['value']}" for one in hidden}


def test_a_user_logs_in_saves_and_edits(example: Any, sandbox: Sandbox) -> None:
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
            fields = {**controls(page.text), "#/content/timerDays": "2"}
            live = await ann.post("/forms/1/check", data=fields)
            assert live.json()["valid"] is True
            assert (await bob.post("/forms/1", data=fields)).status_code == 404
            assert (await ann.post("/forms/1", data=fields)).status_code == 303
            assert (await ann.get("/widgets/1")).text == VALID.replace("1.0", "2")
            again = await ann.post("/forms/1", data=fields)
            assert again.status_code == 303  # both changed it to the same
            other = {**fields, "#/content/timerDays": "3"}
            assert (await ann.post("/forms/1", data=other)).status_code == 409

    anyio.run(run)


def test_its_openapi_is_valid(example: Any) -> None:
    OpenAPIV31SpecValidator(example.app.openapi()).validate()


# ---- 200 at once ----


class Save:
    """A save that is under way: the application reads its body, which does not end before `go`."""

    def __init__(self, body: str) -> None:
        self.begun = anyio.Event()
        self.go = anyio.Event()
        self.sent = anyio.Event()
        self.done = anyio.Event()
        self.body = body.encode()
        self.status = 0

    async def parts(self) -> AsyncIterator[bytes]:
        yield self.body[:10]
        self.begun.set()
        await self.go.wait()
        yield self.body[10:]
        self.sent.set()

    async def run(self, http: httpx.AsyncClient, id: str) -> None:
        url = f"/widgets/{id}?type=countdown"
        self.status = (await http.put(url, content=self.parts(), headers=JSON)).status_code
        self.done.set()


LARGE = VALID.replace("1.0", "5000")  # the changed schema refuses it
SITUATIONS = ("healthy", "changed", "broken", "held", "down", "refusing", "healthy again")


def test_200_saves_at_once_while_schemas_and_platform_change(
    example: Any, sandbox: Sandbox, gate: Gate, clock: Clock, warned: list[str]
) -> None:
    turn = turns(sandbox, gate, clock, lambda: example.accounts.catalog("ann"))

    def look_up() -> None:
        clock.now += 100
        assert example.accounts.catalog("ann")["countdown"]

    saves = [
        Save(VALID.replace("1.0", f"{number}" if number % 2 else f'"{number}"'))
        for number in range(200)
    ]
    groups = [saves[at :: len(SITUATIONS)] for at in range(len(SITUATIONS))]
    large: dict[str, int] = {}

    async def run() -> None:
        async with client(example, "ann") as ann, anyio.create_task_group() as tasks:
            await log_in(ann, sandbox)
            assert await put(ann, "first", VALID) == 200
            for number, save in enumerate(saves):
                tasks.start_soon(save.run, ann, f"{number}")
            for save in saves:
                await save.begun.wait()
            assert not any(save.status for save in saves)  # all 200 are under way
            for situation, group in zip(SITUATIONS, groups, strict=True):
                await anyio.to_thread.run_sync(turn, situation)
                async with anyio.create_task_group() as finished:
                    for save in group:
                        save.go.set()
                    for number, save in enumerate(saves):
                        if save in group:
                            finished.start_soon(stored_or_refused, ann, number, save, situation)
                if situation == "held":  # a look-up is under way, for which no save has waited
                    assert await anyio.to_thread.run_sync(gate.is_reached, look_up)
                    assert not gate.is_open.is_set()
                large[situation] = await put(ann, "large", LARGE)

    anyio.run(run)
    others = dict.fromkeys(("changed", "broken", "held", "down"), 422)
    assert large.pop("refusing") in (422, 503)
    assert large == {"healthy": 200, **others, "healthy again": 200}
    for reason in ("cannot resolve $ref '#/nowhere'", "the connection was closed"):
        assert any(reason in sentence for sentence in warned)


async def stored_or_refused(
    http: httpx.AsyncClient, number: int, save: Save, situation: str
) -> None:
    """Wait for a save, and assert that it was answered rightly, and stored if it was accepted."""
    await save.done.wait()
    right = 200 if number % 2 else 422
    assert save.status == right or (situation == "refusing" and save.status == 503)
    stored = await http.get(f"/widgets/{number}")
    assert stored.status_code == (200 if save.status == 200 else 404)
    assert save.status != 200 or stored.content == save.body


def test_users_who_wait_for_a_schema_delay_nobody_else(
    example: Any, sandbox: Sandbox, gate: Gate
) -> None:
    async def run() -> None:
        async with contextlib.AsyncExitStack() as clients:
            users = [
                await clients.enter_async_context(client(example, f"user {number}"))
                for number in range(60)  # more than there are threads
            ]
            for user in users:
                await log_in(user, sandbox)
            assert await put(users[0], "first", VALID) == 200
            gate.close()
            waiting = [Save(VALID) for _ in users[1:]]
            async with anyio.create_task_group() as tasks:
                for user, save in zip(users[1:], waiting, strict=True):
                    save.go.set()
                    tasks.start_soon(save.run, user, "1")
                for save in waiting:
                    await save.sent.wait()
                for number in range(20):
                    assert await put(users[0], f"{number}", VALID) == 200
                assert not any(save.status for save in waiting)
                gate.is_open.set()
            assert {save.status for save in waiting} == {200}

    anyio.run(run)


def test_of_edits_at_once_none_is_lost(example: Any, sandbox: Sandbox) -> None:
    answers: dict[int, httpx.Response] = {}

    async def run() -> str:
        async with client(example, "ann") as ann:
            await log_in(ann, sandbox)
            await put(ann, "1", VALID)
            hidden = controls((await ann.get("/forms/1")).text)
            begun = 0
            all_begun = anyio.Event()

            async def edit(number: int) -> None:
                body = urlencode({**hidden, "#/content/timerDays": f"{number}"}).encode()

                async def parts() -> AsyncIterator[bytes]:
                    nonlocal begun
                    begun += 1
                    if begun == 50:
                        all_begun.set()
                    await all_begun.wait()
                    yield body

                headers = {"content-type": "application/x-www-form-urlencoded"}
                answers[number] = await ann.post("/forms/1", content=parts(), headers=headers)

            async with anyio.create_task_group() as tasks:
                for number in range(2, 52):
                    tasks.start_soon(edit, number)
            return (await ann.get("/widgets/1")).text

    text = anyio.run(run)
    [saved] = [number for number, answer in answers.items() if answer.status_code == 303]
    assert text == VALID.replace("1.0", f"{saved}")
    for number, answer in answers.items():
        if number != saved:  # the person sees what was typed, and may save it again
            assert answer.status_code == 409
            [control] = LexborHTMLParser(answer.text).css('[name="#/content/timerDays"]')
            assert control.attrs["value"] == f"{number}"
