"""Fetching in event loops: nothing blocks the loop, whatever the platform does."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.terminal import HANG
from tests.token_platform import platform
from tests.unit.platform.test_accounts import AsyncDatabase, Database, in_sandbox
from tests.unit.platform.test_fetcher import (
    COUNTDOWN,
    HOUR,
    PLAIN,
    Answer,
    Held,
    Waits,
    World,
    refused,
)
from widgetschema import (
    AsyncClient,
    Catalog,
    Client,
    ErrorResponse,
    Fetcher,
    LoginRequired,
    UnknownWidgetType,
    Unreachable,
    WidgetType,
    aconnect,
)
from widgetschema.calls import SharedCalls, requested_at
from widgetschema.catalog.platform_schema import PlatformSchema
from widgetschema.files import file_lock
from widgetschema.platform.auth.storage import FileStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.sandbox import running

GOOD: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "cache")


def run(main: Callable[[], Awaitable[None]]) -> None:
    """Run a coroutine, with a bound to a hang."""

    async def bounded() -> None:
        await asyncio.wait_for(main(), HANG)

    asyncio.run(bounded())


async def turn() -> None:
    """Let everything happen that is due in the loop; a loop that is blocked never comes here."""
    for _ in range(3):
        await asyncio.sleep(0)


async def reached(event: threading.Event) -> None:
    """Wait for an event of a thread in the loop."""
    assert await asyncio.to_thread(event.wait, HANG)


BLOCKING = (  # audit events of what may block: files, folders, locks, names of hosts, connections
    "open",
    *("os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.truncate"),
    *("fcntl.flock", "fcntl.lockf", "socket.getaddrinfo", "sqlite3.connect", "time.sleep"),
    "subprocess.Popen",
)
_WATCHED: dict[int, list[tuple[str, object]]] = {}  # what the threads did that are watched


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _WATCHED and event in BLOCKING and (done := _WATCHED.get(threading.get_ident())) is not None:
        done.append((event, arguments[:1]))


@contextlib.contextmanager
def blocking_calls() -> Iterator[list[tuple[str, object]]]:
    """Yield a list of the calls in this thread that may block."""
    if not hasattr(blocking_calls, "hook"):  # there is no way to remove it
        sys.addaudithook(_watch)
        blocking_calls.hook = _watch  # type: ignore[attr-defined]
    done = _WATCHED[threading.get_ident()] = []
    try:
        yield done
    finally:
        del _WATCHED[threading.get_ident()]


def test_what_may_block_is_seen(tmp_path: Path) -> None:
    with blocking_calls() as done:
        (tmp_path / "a").write_text("x")
        with file_lock(str(tmp_path / "lock"), 1):
            pass
    names = {name for name, _ in done}
    assert "open" in names
    assert names & {"fcntl.flock", "fcntl.lockf"}


class HeldLock:
    """A lock of a file or a folder that another process holds until `release`."""

    def __init__(self, path: Path, kind: str = "file_lock") -> None:
        script = (
            f"from widgetschema.files import {kind} as lock\n"
            f"with lock({str(path)!r}, {HANG}): print('held', flush=True); input()"
        )
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([sys.executable, "-c", script], text=True, **pipes)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "held\n"

    def release(self) -> None:
        """Let the process end."""
        self.process.communicate("\n")


class TestNothingBlocksTheLoop:
    """The loop itself ends each wait, so it would wait for ever if it were blocked.

    No wait has an end for a task that never runs, and nothing that may block happens in its thread.
    """

    @pytest.mark.parametrize("kind", ["cold", "fresh on disk", "stale on disk", "folder"])
    def test_types(self, world: World, kind: str) -> None:
        held = Held(Answer(COUNTDOWN))
        world.platform.answers["countdown"] = Answer(COUNTDOWN)
        if kind.endswith("disk"):
            world.fetcher().fetch("countdown")
        world.now += HOUR if kind == "stale on disk" else 0
        world.platform.answers["countdown"] = held
        source: Any = "schemas" if kind == "folder" else world.fetcher(deadline=None)
        catalog = Catalog(source, clock=lambda: world.now)

        async def main() -> None:
            with blocking_calls() as done:
                task = asyncio.create_task(catalog.aload("countdown"))
                if kind in ("cold", "stale on disk"):
                    await reached(held.begun)
                    assert not task.done()
                held.gate.set()
                assert (await task).is_valid(GOOD)
                world.now += 2 * HOUR
                await catalog.aload("countdown")  # looked up again
                if isinstance(source, Fetcher):
                    await source.afetch("countdown")
            assert done == []

        run(main)

    def test_a_cache_that_another_process_writes(self, world: World) -> None:
        held = Held(Answer(COUNTDOWN))
        world.platform.answers["countdown"] = held
        world.folder.mkdir(parents=True)
        other = HeldLock(world.folder, "folder_lock")
        fetcher = world.fetcher()

        async def main() -> None:
            with blocking_calls() as done:
                task = asyncio.create_task(fetcher.afetch("countdown"))
                await reached(held.begun)
                held.gate.set()
                await turn()
                assert not task.done()
            assert done == []
            await asyncio.to_thread(other.release)
            assert (await task).schema == COUNTDOWN

        run(main)
        assert world.warned == []

    def test_tokens_that_another_process_renews(self, tmp_path: Path) -> None:
        path = tmp_path / "tokens.json"

        async def main() -> None:
            async with made[0] as client:
                with blocking_calls() as done:
                    task = asyncio.create_task(client.widgets())
                    await reached(waits)
                    await turn()
                    assert not task.done()
                assert done == []
                await asyncio.to_thread(other.release)
                assert (await task).docs == ()

        class Storage(FileStorage):
            """Tells when its lock is waited for."""

            def lock(self) -> AbstractContextManager[None]:
                waits.set()
                return super().lock()

        waits = threading.Event()
        with platform() as real:
            file = TokenFile(path, patience=HANG)
            file.put(real.tokens())
            other = HeldLock(Path(f"{path}.lock"))
            made = [
                aconnect(base_url=real.base_url, environ={}, storage=Storage(file, real.base_url))
            ]
            run(main)

    def test_an_application_with_asyncio(self, tmp_path: Path) -> None:
        database = AsyncDatabase(tmp_path)

        async def main() -> None:
            await accounts.afinish_login("ann", sandbox.code())
            before = len(database.tasks["load"])
            with blocking_calls() as done:
                catalog = await accounts.acatalog("ann")
                assert (await catalog.aload("countdown")).is_valid(GOOD)
            assert len(database.tasks["load"]) > before
            files = {str(arguments) for event, arguments in done if event != "sqlite3.connect"}
            assert files == set()  # the database of the test is the application's

        with running() as sandbox, in_sandbox(database, sandbox, cache=tmp_path) as accounts:
            run(main)


def test_tasks_share_a_request_and_the_loop_goes_on(world: World) -> None:
    held = Held(Answer(PLAIN))
    world.platform.answers["plain"] = held
    fetcher = world.fetcher()

    async def main() -> None:
        tasks = [asyncio.create_task(fetcher.afetch("plain")) for _ in range(100)]
        await reached(held.begun)
        tasks[0].cancel()
        await turn()
        assert tasks[0].cancelled()
        assert not any(task.done() for task in tasks[1:])
        held.gate.set()
        assert {(await task).schema["$id"] for task in tasks[1:]} == {"plain"}
        assert (await fetcher.afetch("plain")).schema == PLAIN

    run(main)
    assert len(world.asked()) == 1


def test_a_timeout_takes_the_copy_and_refreshes_it_in_the_background(world: World) -> None:
    world.platform.answers["plain"] = Answer(PLAIN)
    fetcher = world.fetcher()
    _ = fetcher["plain"]
    world.now += HOUR
    held = Held(Answer({**PLAIN, "title": "newer"}))
    world.platform.answers["plain"] = held

    async def main() -> None:
        fetched = await asyncio.gather(*(fetcher.afetch("plain", timeout=0) for _ in range(50)))
        assert all(one.schema == PLAIN and one.provenance.stale for one in fetched)
        held.gate.set()
        for thread in threading.enumerate():
            if thread.name == "fetch":
                await asyncio.to_thread(thread.join, HANG)
        assert (await fetcher.afetch("plain", timeout=0)).schema["title"] == "newer"

    run(main)


def test_many_tasks_have_one_deadline(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """50 types, and 32 threads that look for them: none waits for a thread and then once more."""
    waits, held = Waits(monkeypatch, together=32), Held(Answer(PLAIN))
    world.platform.answers |= {f"x{index}": held for index in range(50)}
    catalog = Catalog([world.fetcher(deadline=3)])

    async def main() -> None:
        loads = (catalog.aload(f"x{index}") for index in range(50))
        outcomes = await asyncio.gather(*loads, return_exceptions=True)
        assert {type(one) for one in outcomes} == {Unreachable}

    run(main)
    held.gate.set()
    assert waits.seconds == [3] * 32


def test_each_task_gets_an_error_of_its_own(world: World) -> None:
    world.platform.answers["plain"] = refused(403)
    fetcher = world.fetcher()

    async def main() -> None:
        results = await asyncio.gather(
            *(fetcher.afetch("plain") for _ in range(10)), return_exceptions=True
        )
        assert {type(one) for one in results} == {ErrorResponse}
        assert len({id(one) for one in results}) == 10

    run(main)
    assert len(world.asked()) == 1


def test_a_loop_that_ends_leaves_the_request_to_others(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    held = Held(Answer(PLAIN))
    world.platform.answers["plain"] = held
    fetcher = world.fetcher()

    async def leaves() -> None:
        task = asyncio.create_task(fetcher.afetch("plain"))
        await reached(held.begun)
        task.cancel()

    async def stays() -> None:
        task = asyncio.create_task(fetcher.afetch("plain"))
        await turn()
        held.gate.set()
        assert (await task).schema == PLAIN

    run(leaves)
    run(stays)
    assert len(world.asked()) == 1
    assert caplog.records == []


def test_calls_wait_for_a_thread_and_for_no_longer_than_they_should() -> None:
    calls, gate, begun = SharedCalls(), threading.Event(), threading.Semaphore(0)

    def blocking() -> bool:
        begun.release()
        return gate.wait(HANG)

    async def main() -> None:
        tasks = [asyncio.create_task(calls.result(key, blocking)) for key in range(40)]
        for _ in range(32):
            assert await asyncio.to_thread(begun.acquire, True, HANG)
        assert not begun.acquire(blocking=False)  # the others have no thread
        before = time.monotonic()
        requested = asyncio.create_task(calls.result("requested", requested_at))
        await turn()
        after = time.monotonic()
        gate.set()
        assert await asyncio.gather(*tasks) == [True] * 40
        assert before <= (await requested or 0.0) <= after  # the wait for a thread counts
        assert requested_at() is None
        assert calls.begin("in the background", requested_at).result(HANG) is None
        with pytest.raises(ZeroDivisionError):
            await calls.result("wrong", lambda: 1 // 0)

    run(main)


@pytest.mark.parametrize("kind", ["source", "folder"])
def test_a_type_is_loaded_without_blocking(world: World, kind: str, tmp_path: Path) -> None:
    held = Held(Answer(COUNTDOWN))
    world.platform.answers["countdown"] = held
    catalog = Catalog([world.fetcher(deadline=None)] if kind == "source" else ["schemas"])

    async def main() -> None:
        task = asyncio.create_task(catalog.aload("countdown"))
        if kind == "source":
            await reached(held.begun)
            assert not task.done()
        held.gate.set()
        countdown = await task
        assert countdown.is_valid(GOOD)
        assert await catalog.aload("countdown") is countdown is catalog["countdown"]
        with pytest.raises(UnknownWidgetType):
            await catalog.aload("nothing")
        with pytest.raises(TypeError, match="comes before the data"):
            await catalog.aload({})  # type: ignore[arg-type]

    run(main)


def test_an_async_client_makes_the_requests_in_its_loop(tmp_path: Path) -> None:
    async def main() -> None:
        options: dict[str, Any] = {"token": sandbox.access_token(), "account": "me"}
        async with AsyncClient(sandbox.base_url, **options) as client:
            fetcher = Fetcher(client, cache=tmp_path)
            catalog = Catalog(fetcher)
            types = await asyncio.gather(*(catalog.aload("countdown") for _ in range(20)))
            assert {id(one) for one in types} == {id(types[0])}
            assert types[0].is_valid(GOOD)
            assert types[0].provenance[0].origin == sandbox.base_url
            assert (await fetcher.afetch("plugin")).provenance.origin == sandbox.base_url
            assert await asyncio.to_thread(catalog.ids) == ("countdown",)
            blocking: list[Callable[[], object]] = [
                lambda: fetcher.fetch("other"),
                lambda: dict(fetcher.fetch_many(["other"])),
                lambda: Catalog(fetcher)["other"],
                lambda: Fetcher(client, cache=None).list_ids(),
            ]
            for block in blocking:
                with pytest.raises(TypeError, match=r"use `await fetcher\.afetch"):
                    block()

    with running() as sandbox:
        run(main)
        assert sandbox.counters.requests == 3  # countdown, plugin, and the list


def test_a_fetcher_of_an_async_client_is_made_in_its_loop() -> None:
    client = AsyncClient("https://platform.example")
    with pytest.raises(TypeError, match="made in the event loop of asyncio"):
        Fetcher(client, cache=None)
    asyncio.run(client.aclose())


def test_a_loop_that_is_closed_is_no_platform() -> None:
    async def main() -> None:
        async with AsyncClient("https://platform.example") as client:
            fetchers.append(Fetcher(client, cache=None))

    fetchers: list[Fetcher] = []
    run(main)
    with pytest.raises(RuntimeError, match="closed"):
        fetchers[0].fetch("x")


def revalidated() -> None:
    """Wait for the look-ups in the background."""
    for thread in threading.enumerate():
        if thread.name == "catalog":
            thread.join(HANG)


def test_users_of_an_async_application(tmp_path: Path) -> None:
    """Two hundred saves: while the platform is well, down, broken, slow, and while it refuses."""
    database, warned, now = Database(tmp_path), list[str](), [1_800_000_000.0]
    users = [f"user-{index}" for index in range(4)]

    def catalog_of(fetcher: Fetcher) -> Catalog:
        options: dict[str, Any] = {"clock": lambda: now[0], "warn": warned.append}
        return Catalog(fetcher, stale_while_revalidate=True, **options)

    async def save(index: int) -> bool | str:
        catalog = await accounts.acatalog(users[index % 4])
        try:
            return (await catalog.aload("countdown")).is_valid(GOOD)
        except ErrorResponse as error:
            return f"{error.status}"

    async def saves() -> set[bool | str]:
        return {*await asyncio.gather(*(save(index) for index in range(200)))}

    async def main() -> None:
        for user in users:
            await asyncio.to_thread(accounts.finish_login, user, sandbox.code())
        assert await saves() == {True}
        assert sandbox.counters["schema"] == 8  # a type and a base schema for each user
        for fault in ("status=503", "close", "html"):
            sandbox.fault(f"{fault}@schema")
            now[0] += HOUR
            before = sandbox.counters["schema"]
            assert await saves() == {True}
            await asyncio.to_thread(revalidated)
            assert sandbox.counters["schema"] == before + 8
            sandbox.clear_faults()
        assert len(warned) == 8  # once for each schema
        for user in users:
            fetcher = accounts.catalog(user).sources[0]
            assert isinstance(fetcher, Fetcher)
            fetcher.deadline = 0
        sandbox.fault("slow=60000@schema")
        now[0] += HOUR
        assert await saves() == {True}
        assert await saves() == {True}
        await asyncio.to_thread(revalidated)
        sandbox.clear_faults()
        with pytest.raises(LoginRequired):
            await accounts.acatalog("nobody")
        for user in users:  # what takes a minute is not waited for
            await asyncio.to_thread(accounts.finish_login, user, sandbox.code())
        sandbox.fault("status=403@schema")
        assert await saves() == {"403"}
        sandbox.clear_faults()
        now[0] += HOUR
        assert await saves() == {True}

    with (
        running() as sandbox,
        in_sandbox(
            database,
            sandbox,
            warn=warned.append,
            clock=lambda: now[0],
            deadline=None,
            make_catalog=catalog_of,
        ) as accounts,
    ):
        run(main)


def test_a_schema_from_a_client_is_not_quietly_linked_with_the_bundled_base_schema() -> None:
    async def main() -> None:
        async with AsyncClient(sandbox.base_url, token=sandbox.access_token()) as client:
            schema = await client.widget_type_schema("countdown")
            with pytest.warns(
                UserWarning, match=rf"from {sandbox.base_url} is linked with the bun"
            ):
                countdown = WidgetType.from_schema(schema)
            assert countdown.provenance[1].source == "bundled"
            plugin = await client.widget_type_schema("plugin")
            for chosen in (plugin, "bundled"):  # no warning
                assert WidgetType.from_schema(schema, plugin=chosen).is_valid(GOOD)

    with running() as sandbox, Client(sandbox.base_url, token=sandbox.access_token()) as client:
        run(main)
        with pytest.warns(UserWarning, match="linked with the bundled base schema"):
            _ = Catalog([{"countdown": client.widget_type_schema("countdown")}])["countdown"]
    plain = {"$id": "x", "properties": {"data": {}}}
    assert WidgetType.from_schema(PlatformSchema(plain)).id == "x"  # it needs no base schema
    with pytest.raises(TypeError, match="plugin is a schema, None or \"bundled\", not 'bundle'"):
        WidgetType.from_schema(plain, plugin="bundle")
