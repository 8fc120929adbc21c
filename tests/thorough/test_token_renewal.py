"""One renews, whoever asks: among threads, tasks and processes; nobody is in the way."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.command import environment
from tests.terminal import HANG
from tests.token_platform import (
    INVALID_GRANT,
    NOW,
    Platform,
    async_client_for,
    client_for,
    platform,
    renewing_tasks,
    renewing_threads,
)
from widgetschema.errors import (
    ErrorResponse,
    LoginRequired,
    Unreachable,
)
from widgetschema.platform.auth.auth import TokenAuth
from widgetschema.platform.auth.storage import FileStorage, MemoryStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.client.client import AsyncClient, Client
from widgetschema.platform.responses import TokenResponse
from widgetschema.platform.secret import Secret


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


WORKER = """
import sys, threading
from widgetschema.platform.connection import connect
from widgetschema.platform.auth.token_file import TokenFile

base_url, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
barrier, failures = threading.Barrier(threads), []
with connect(base_url=base_url, environ={}, file=TokenFile(path), connections=threads) as client:
    def work():
        barrier.wait()
        try:
            client.widgets()
        except BaseException as error:
            failures.append(repr(error))
    workers = [threading.Thread(target=work) for _ in range(threads)]
    print("ready", flush=True)
    sys.stdin.readline()
    for worker in workers: worker.start()
    for worker in workers: worker.join()
assert not failures, failures
"""


@pytest.mark.parametrize("rotates", [False, True], ids=["one refresh token", "rotation"])
def test_4_processes_with_16_threads_make_one_refresh(
    real: Platform, tmp_path: Path, rotates: bool
) -> None:
    real.rotates = rotates
    real.hold = lambda: time.sleep(0.2)  # it is likely that many want the same at once
    path = tmp_path / "widgetschema" / "tokens.json"
    TokenFile(path).put(real.tokens())
    command = [sys.executable, "-c", WORKER, real.base_url, str(path), "16"]
    processes = [
        subprocess.Popen(
            command,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=120)[1] for process in processes]

    assert errors == [""] * 4
    assert real.refreshes == 1
    assert real.bearers.count("Bearer access-1") == 64
    kept = TokenFile(path).get(real.base_url)
    assert kept is not None
    assert kept.access_token == Secret("access-1")
    assert kept.refresh_token == Secret("refresh-1" if rotates else "refresh-0")


def in_threads(number: int, work: Callable[[], object]) -> list[BaseException]:
    """Do the same in many threads at once; what went wrong."""
    failures: list[BaseException] = []
    barrier = threading.Barrier(number)

    def one() -> None:
        barrier.wait(HANG)
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one, daemon=True) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * HANG)
        assert not thread.is_alive()
    return failures


def test_many_clients_with_one_storage_make_one_refresh(real: Platform) -> None:
    storage = MemoryStorage(real.tokens())
    clients = [client_for(real, storage) for _ in range(4)]
    turns = iter(clients * 8)

    assert in_threads(32, lambda: next(turns).widgets()) == []
    assert real.refreshes == 1
    for client in clients:
        client.close()


def test_early_refreshes_of_many_threads_are_one(real: Platform) -> None:
    good = real.tokens(access_token=Secret(real.access), expires_in="3600", obtained=NOW - 3_590)
    with client_for(real, MemoryStorage(good)) as client:
        assert in_threads(16, client.widgets) == []

    assert real.refreshes == 1
    assert real.bearers == ["Bearer access-1"] * 16


def test_a_platform_that_gives_the_same_token_again_is_asked_once(real: Platform) -> None:
    """It refuses the token, and renews it to the same: nobody asks a second time."""
    real.trouble = (200, '{"access_token": "stale", "expires_in": "3600"}')
    real.hold = lambda: real.wait_for(8, renewing_threads)
    clock = iter(range(100))
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage, now=lambda: NOW + next(clock)) as client:
        failures = in_threads(8, client.widgets)

    assert {type(failure) for failure in failures} == {ErrorResponse}
    assert real.refreshes == 1


@pytest.mark.parametrize("trouble", ["drop", INVALID_GRANT])
def test_threads_that_wait_share_a_failure(real: Platform, trouble: Any) -> None:
    """Each would otherwise wait for all the attempts of those before it."""
    real.trouble = trouble
    real.hold = lambda: real.wait_for(8, renewing_threads)
    with client_for(real, MemoryStorage(real.tokens())) as client:
        failures = in_threads(8, client.widgets)

    assert len({id(failure) for failure in failures}) == 8
    assert len({str(failure) for failure in failures}) == 1
    assert real.refreshes == 1


def test_200_tasks_make_one_refresh(real: Platform, tmp_path: Path) -> None:
    real.rotates = True
    file = TokenFile(tmp_path / "tokens.json")
    file.put(real.tokens())

    async def main() -> None:
        async with async_client_for(real, FileStorage(file, real.base_url)) as client:
            await asyncio.gather(*(client.widgets() for _ in range(200)))

    asyncio.run(main())
    assert real.refreshes == 1
    assert real.bearers.count("Bearer access-1") == 200
    kept = file.get(real.base_url)
    assert kept is not None
    assert kept.refresh_token == Secret("refresh-1")


def test_tasks_renew_early_and_only_for_the_platform(real: Platform) -> None:
    storage = MemoryStorage(
        real.tokens(access_token=Secret(real.access), expires_in="60", obtained=time.time() - 59)
    )
    auth = TokenAuth(storage, base_url=real.base_url)

    async def main() -> None:
        async with AsyncClient(real.base_url, auth_url=real.url) as endpoint:
            auth.use(endpoint)
            async with httpx.AsyncClient(auth=auth) as client:
                await client.get(f"{real.base_url}/widgets")
                with platform() as other:
                    await client.get(f"{other.base_url}/widgets")
                    assert other.bearers == [None]

    asyncio.run(main())
    assert real.bearers == ["Bearer access-1"]


def test_the_event_loop_goes_on_while_another_process_holds_the_lock(
    real: Platform, tmp_path: Path
) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    file.put(real.tokens())
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    async def main() -> None:
        async with async_client_for(real, FileStorage(file, real.base_url)) as client:
            clock = asyncio.create_task(tick())
            with file.lock():
                requests = asyncio.gather(*(client.widgets() for _ in range(60)))
                async with asyncio.timeout(HANG):
                    while ticks < 10:
                        await asyncio.sleep(0.02)
                assert real.refreshes == 0
            await requests
            clock.cancel()

    asyncio.run(main())
    assert real.refreshes == 1


def test_who_is_cancelled_loses_no_rotated_token(real: Platform, tmp_path: Path) -> None:
    gate = threading.Event()
    real.rotates, real.hold = True, gate.wait
    file = TokenFile(tmp_path / "tokens.json")
    file.put(real.tokens())

    async def main() -> None:
        async with async_client_for(real, FileStorage(file, real.base_url)) as client:
            asking = asyncio.create_task(client.widgets())
            async with asyncio.timeout(HANG):
                while not real.refreshes:
                    await asyncio.sleep(0.01)
            asking.cancel()
            gate.set()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await client.widgets()

    asyncio.run(main())
    assert real.refreshes == 1
    kept = file.get(real.base_url)
    assert kept is not None
    assert kept.refresh_token == Secret("refresh-1")
    with file.lock():
        pass


def test_who_is_cancelled_while_waiting_leaves_no_lock(real: Platform, tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    file.put(real.tokens())

    async def main() -> None:
        async with async_client_for(real, FileStorage(file, real.base_url)) as client:
            with file.lock(), pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.widgets(), 0.1)
            await client.widgets()

    asyncio.run(main())
    assert real.refreshes == 1
    with file.lock():
        pass


class Gated(MemoryStorage):
    """A storage whose lock is given when the gate opens; counts who has it."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self.asked, self.gate, self.left = (threading.Event() for _ in range(3))
        self.held = 0

    def lock(self) -> AbstractContextManager[None]:
        return self

    def __enter__(self) -> None:
        self.asked.set()
        self.gate.wait(HANG)
        self.held += 1

    def __exit__(self, *_: object) -> None:
        self.held -= 1
        self.left.set()


def test_a_lock_that_is_had_too_late_is_given_back(real: Platform) -> None:
    storage = Gated(real.tokens())

    async def main() -> None:
        async with async_client_for(real, storage) as client:
            task = asyncio.create_task(client.widgets())
            while not (storage.asked.is_set() or task.done()):
                await asyncio.sleep(0.01)
            assert not task.done()

    asyncio.run(main())
    storage.gate.set()

    assert storage.left.wait(HANG)
    assert storage.held == 0
    assert real.refreshes == 0


def test_a_loop_that_ends_meanwhile_leaves_no_lock(real: Platform, tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    file = TokenFile(path, patience=2)
    file.put(real.tokens())

    async def main() -> None:
        async with async_client_for(real, FileStorage(file, real.base_url)) as client:
            task = asyncio.create_task(client.widgets())
            await asyncio.sleep(0.1)
            assert not task.done()

    with file.lock():
        asyncio.run(main())
    time.sleep(0.2)
    with file.lock():
        pass


async def _fails(client: AsyncClient) -> BaseException | None:
    try:
        await client.widgets()
    except BaseException as error:
        return error
    return None


@pytest.mark.parametrize("trouble", ["drop", INVALID_GRANT, (500, "x")])
def test_tasks_that_wait_share_a_failure(real: Platform, trouble: Any) -> None:
    real.trouble = trouble

    async def main() -> list[BaseException | None]:
        loop = asyncio.get_running_loop()
        real.hold = lambda: real.wait_for(20, lambda: renewing_tasks(loop, own=21))
        async with async_client_for(real, MemoryStorage(real.tokens())) as client:
            return await asyncio.gather(*(_fails(client) for _ in range(20)))

    failures = asyncio.run(main())
    assert {type(failure) for failure in failures} <= {LoginRequired, Unreachable, ErrorResponse}
    assert real.refreshes == 1


def test_the_kinds_of_client_are_not_mixed(real: Platform) -> None:
    one, other = MemoryStorage(real.tokens()), MemoryStorage(real.tokens())
    auth, auth_async = (TokenAuth(storage, base_url=real.base_url) for storage in (one, other))
    alone = TokenAuth(one, base_url=real.base_url)

    class NoWaiting:
        def refresh(self, **fields: Any) -> Any:
            return object()  # to be awaited, as far as one can see

    auth.use(NoWaiting())
    with Client(real.base_url, auth=auth) as client, pytest.raises(TypeError, match="cannot serve"):
        client.widgets()
    with Client(real.base_url, auth=alone) as client, pytest.raises(TypeError, match="endpoint"):
        client.widgets()

    async def main() -> None:
        with Client(real.base_url, auth_url=real.url) as wrong:
            auth_async.use(wrong)
            async with AsyncClient(real.base_url, auth=auth_async) as client:
                await client.widgets()

    with pytest.raises(TypeError, match="cannot serve"):
        asyncio.run(main())


class Sharing:
    """Sends refreshes by the very client that is served: its one connection has to be free."""

    def __init__(self, client: Any, url: str) -> None:
        self._client = client
        self._url = f"{url}/oauth/token"

    def refresh(self, *, refresh_token: Secret, **_: Any) -> TokenResponse:
        response = self._client.post(self._url, data=self._form(refresh_token), auth=None)
        return TokenResponse(Secret(response.json()["access_token"]))

    def _form(self, refresh_token: Secret) -> dict[str, str]:
        return {"grant_type": "refresh_token", "refresh_token": refresh_token.reveal()}


class SharingTasks(Sharing):
    async def refresh(self, *, refresh_token: Secret, **_: Any) -> TokenResponse:  # type: ignore[override]
        response = await self._client.post(self._url, data=self._form(refresh_token), auth=None)
        return TokenResponse(Secret(response.json()["access_token"]))


ONE: dict[str, Any] = {"limits": httpx.Limits(max_connections=1), "timeout": HANG}


def test_an_answer_that_is_refused_holds_no_connection(real: Platform) -> None:
    auth = TokenAuth(MemoryStorage(real.tokens()), base_url=real.base_url)
    with httpx.Client(auth=auth, **ONE) as client:
        auth.use(Sharing(client, real.url))
        assert client.get(f"{real.base_url}/widgets").status_code == 200


def test_an_answer_that_is_refused_holds_no_connection_of_tasks(real: Platform) -> None:
    auth = TokenAuth(MemoryStorage(real.tokens()), base_url=real.base_url)

    async def main() -> None:
        async with httpx.AsyncClient(auth=auth, **ONE) as client:
            auth.use(SharingTasks(client, real.url))
            assert (await client.get(f"{real.base_url}/widgets")).status_code == 200

    asyncio.run(main())
