"""`Accounts`: the tokens and schemas of each user of an application, kept in its database."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.forking import exit_code_of_fork
from tests.terminal import HANG
from tests.token_platform import ONCE, Platform, platform, shown
from widgetschema import (
    Accounts,
    Catalog,
    ErrorResponse,
    Fetcher,
    LoginRequired,
    Secret,
    TokenStorageError,
    Unreachable,
)
from widgetschema.sandbox import REDIRECT_URI, Sandbox, running

CANARY = "canary"
GOOD: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
BASE_URL = "https://platform.example/api/v1"


def fail(is_broken: bool, user: str, tokens: Secret | None = None) -> None:
    """Fail as a database does, with the text in the error and in its frame."""
    text = CANARY if tokens is None else tokens.reveal()
    if is_broken:
        raise OSError(f"insert into tokens values ({user}, {text})")


class Database:
    """The tokens of users in SQLite, and a lock for all processes in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.saves: list[str] = []
        self.broken = ""  # the function that fails from now on
        with self.connected("tokens.db") as connection:
            connection.execute("create table if not exists tokens (user text primary key, text)")

    @contextlib.contextmanager
    def connected(self, name: str) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.folder / name, timeout=HANG, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()

    def load(self, user: str) -> str | None:
        fail(self.broken == "load", user)
        with self.connected("tokens.db") as connection:
            row = connection.execute("select text from tokens where user = ?", [user]).fetchone()
        return row[0] if row else None

    def save(self, user: str, tokens: Secret | None) -> None:
        fail(self.broken == "save", user, tokens)
        with self.connected("tokens.db") as connection:
            if tokens is None:
                connection.execute("delete from tokens where user = ?", [user])
            else:
                row = [user, tokens.reveal()]
                connection.execute("insert or replace into tokens values (?, ?)", row)
                self.saves.append(json.loads(tokens.reveal())["refresh_token"])

    @contextlib.contextmanager
    def lock(self, user: str) -> Iterator[None]:
        fail(self.broken == "lock", user)
        with self.connected("lock.db") as connection:
            connection.execute("begin exclusive")
            yield

    def accounts(self, base_url: str, auth_url: str, **options: Any) -> Accounts[str]:
        given: dict[str, Any] = {
            "client_id": "sandbox-client",
            "client_secret": f"{CANARY}-secret",
            "redirect_uri": REDIRECT_URI,
            "load": self.load,
            "save": self.save,
            "lock": self.lock,
            "retries": ONCE,
        }
        return Accounts(base_url, auth_url, **{**given, **options})


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path)


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


def in_sandbox(database: Database, sandbox: Sandbox, **options: Any) -> Accounts[str]:
    secret = {"client_secret": sandbox.client_secret}
    return database.accounts(sandbox.base_url, sandbox.auth_url, **{**secret, **options})


def at_once(number: int, work: Any) -> list[Any]:
    """Return the results of the work in each of so many threads, which begin together."""
    barrier = threading.Barrier(number)

    def run(index: int) -> Any:
        barrier.wait(HANG)
        return work(index)

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(run, range(number)))


def test_a_user_logs_in_checks_data_and_logs_out(database: Database, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with running() as sandbox, in_sandbox(database, sandbox, cache=cache) as accounts:
        with pytest.raises(LoginRequired, match="user 'ann' is not logged in; let the user log in"):
            accounts.catalog("ann")

        accounts.finish_login("ann", sandbox.code())

        catalog = accounts.catalog("ann")
        assert catalog["countdown"].is_valid({"content": {}, "settings": {}, "styles": {}})
        assert catalog["countdown"].provenance[0].origin == sandbox.base_url
        assert accounts.catalog("ann") is catalog
        assert accounts.client("ann").widgets().docs
        assert len([*cache.iterdir()]) == 1
        with pytest.raises(LoginRequired):
            accounts.client("bob")

        assert accounts.logout("ann") is True
        assert accounts.logout("ann") is False
        assert database.load("ann") is None
        assert [*cache.glob("*/manifest.json")] == []
        with pytest.raises(LoginRequired):
            accounts.catalog("ann")


def test_the_address_to_log_in_at(database: Database) -> None:
    with database.accounts(BASE_URL, "https://platform.example") as accounts:
        url = accounts.login_url("https://platform.example/authorize?prompt=x", "s t")

    assert url == (
        "https://platform.example/authorize?prompt=x&response_type=code&client_id=sandbox-client"
        "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8765%2Fcallback&state=s+t"
    )


def schema_of(user: str) -> dict[str, Any]:
    return {"$id": "x", "properties": {"data": {"const": user}}}


class ForEachUser:
    """A platform that has other schemas for each user, and lets all requests wait for others."""

    def __init__(self, number: int) -> None:
        self.barrier = threading.Barrier(number)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            code = dict(httpx.QueryParams(request.content.decode()))["code"]
            return httpx.Response(200, json={"access_token": code, "refresh_token": f"r-{code}"})
        user = request.headers["authorization"].removeprefix("Bearer ")
        if request.url.path.endswith("/plugin/schema"):
            return httpx.Response(404)
        self.barrier.wait(HANG)  # all users are in a request
        return httpx.Response(200, json=schema_of(user), headers={"etag": '"same"'})


@pytest.mark.parametrize("is_cached", [True, False])
def test_no_user_sees_a_schema_of_another(
    database: Database, tmp_path: Path, is_cached: bool
) -> None:
    users = [f"user-{index}" for index in range(8)]
    options: dict[str, Any] = {
        "transport": httpx.MockTransport(ForEachUser(len(users))),
        "cache": tmp_path / "cache" if is_cached else None,
    }
    with database.accounts(BASE_URL, "https://platform.example", **options) as accounts:
        for user in users:
            accounts.finish_login(user, user)

        found = at_once(8, lambda index: accounts.catalog(users[index])["x"].schema)

    assert found == [schema_of(user) for user in users]
    options["transport"] = httpx.MockTransport(lambda request: httpx.Response(503))
    if is_cached:  # also in a process that finds them on disk
        with database.accounts(BASE_URL, "https://platform.example", **options) as accounts:
            found = [accounts.catalog(user)["x"].schema for user in users]
        assert found == [schema_of(user) for user in users]


def logged_in(database: Database, real: Platform, **options: Any) -> Accounts[str]:
    accounts = database.accounts(real.base_url, real.url, **options)
    accounts.finish_login("ann", real.code)
    return accounts


def test_ten_requests_in_two_processes_refresh_once(database: Database, real: Platform) -> None:
    # Two `Accounts` share nothing but the database and its lock, like two processes.
    with logged_in(database, real) as one, database.accounts(real.base_url, real.url) as other:
        clients = [accounts.client("ann") for accounts in (one, other)]
        real.access = "what nobody has"
        real.calls.clear()

        lists = at_once(10, lambda index: clients[index % 2].widgets().docs)

    assert lists == [()] * 10
    assert real.refreshes == 1


def test_a_rotated_refresh_token_is_saved_before_it_is_used(
    database: Database, real: Platform
) -> None:
    real.rotates = True
    with logged_in(database, real) as accounts:
        for _ in range(3):
            real.access = "what nobody has"
            accounts.client("ann").widgets()
            assert database.saves[-1] == real.refresh

    used = [form["refresh_token"] for kind, form in real.calls[1:] if kind == "token"]
    assert used == database.saves[:3]
    assert len({*used}) == 3


def test_a_refresh_that_cannot_be_saved_is_used_and_logged(
    database: Database, real: Platform, caplog: pytest.LogCaptureFixture
) -> None:
    real.rotates = True
    with logged_in(database, real) as accounts:
        real.access = "what nobody has"
        database.broken = "save"

        assert accounts.client("ann").widgets().docs == ()
        assert accounts.client("ann").widgets().docs == ()

    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert "tokens cannot be saved (OSError at test_accounts.py:" in record.getMessage()
    assert CANARY not in caplog.text
    assert "access-" not in caplog.text


def test_a_login_that_cannot_be_saved_fails_without_its_text(
    database: Database, real: Platform
) -> None:
    database.broken = "save"
    accounts = database.accounts(real.base_url, real.url)
    with accounts, pytest.raises(TokenStorageError) as caught:
        accounts.finish_login("ann", Secret(real.code))

    assert str(caught.value).startswith(
        "the application's storage for user 'ann': tokens cannot be saved (OSError at test_accounts"
    )
    assert not any(text in shown(caught.value) for text in (CANARY, "access-1", "refresh-1"))


def test_a_code_is_not_spent_if_the_database_does_not_respond(
    database: Database, real: Platform
) -> None:
    database.broken = "load"
    with database.accounts(real.base_url, real.url) as accounts:
        with pytest.raises(TokenStorageError, match="tokens cannot be loaded"):
            accounts.finish_login("ann", real.code)
        with pytest.raises(TokenStorageError, match="tokens cannot be loaded") as caught:
            accounts.catalog("ann")

    assert real.calls == []
    assert CANARY not in shown(caught.value)


def test_a_lock_that_fails_sends_nothing(database: Database, real: Platform) -> None:
    with logged_in(database, real) as accounts:
        database.broken = "lock"
        real.access = "what nobody has"
        real.calls.clear()
        with pytest.raises(TokenStorageError, match=r"cannot be locked \(OSError at test_acc"):
            accounts.client("ann").widgets()

    assert real.refreshes == 0


@pytest.mark.parametrize(
    ("saved", "error", "text"),
    [
        ("garbage", LoginRequired, "are no tokens of"),
        ('{"base_url": "https://other.example", "access_token": "canary"}', LoginRequired, "of"),
        (b"{}", TokenStorageError, "neither a str nor None, but a value of type bytes"),
    ],
)
def test_what_is_saved_and_cannot_be_used(
    database: Database, saved: Any, error: type[Exception], text: str
) -> None:
    accounts = database.accounts(BASE_URL, BASE_URL, load=lambda user: saved)
    with accounts, pytest.raises(error, match=text) as caught:
        accounts.catalog("ann")

    assert CANARY not in shown(caught.value)


def test_another_login_in_another_process_is_another_account(
    database: Database, real: Platform
) -> None:
    with logged_in(database, real) as one, logged_in(database, real) as other:
        before = one.client("ann")
        other.finish_login("ann", real.code)
        real.access = "what nobody has"

        with pytest.raises(LoginRequired, match="user 'ann' has logged in again; get the catalog"):
            before.widgets()

        assert one.client("ann").account != before.account
        assert one.client("ann").widgets().docs == ()
        assert other.client("ann").account == one.client("ann").account


def test_a_logout_in_another_process_ends_the_login(database: Database, real: Platform) -> None:
    with logged_in(database, real) as one, database.accounts(real.base_url, real.url) as other:
        client = one.client("ann")
        client.widgets()
        other.logout("ann")
        real.access = "what nobody has"

        with pytest.raises(LoginRequired, match="were removed; let the user log in"):
            client.widgets()
        with pytest.raises(LoginRequired, match="not logged in"):
            one.client("ann")


def test_a_code_that_is_refused_leaves_the_login_before(database: Database, real: Platform) -> None:
    with logged_in(database, real) as accounts:
        before = database.load("ann")
        with pytest.raises(ErrorResponse, match="invalid_grant"):
            accounts.finish_login("ann", "wrong")
        assert accounts.client("ann").widgets().docs == ()

    assert database.load("ann") == before


def test_catalogs_that_were_not_used_for_long_are_made_again(
    database: Database, real: Platform
) -> None:
    with logged_in(database, real, most_users=2) as accounts:
        accounts.finish_login("bob", real.code)
        accounts.finish_login("eve", real.code)
        ann, bob = accounts.catalog("ann"), accounts.catalog("bob")
        accounts.catalog("ann")
        accounts.catalog("eve")

        assert accounts.catalog("ann") is ann
        assert accounts.catalog("bob") is not bob


def test_threads_that_ask_at_once_get_the_same_catalog(database: Database, real: Platform) -> None:
    with logged_in(database, real) as accounts:
        assert len({*at_once(8, lambda index: id(accounts.catalog("ann")))}) == 1


def test_the_catalog_is_made_as_the_application_wants(database: Database, real: Platform) -> None:
    with logged_in(
        database, real, make_catalog=lambda source: Catalog([{"own": {"type": "object"}}, source])
    ) as accounts:
        assert accounts.catalog("ann")["own"].is_valid({})


def test_connections_stay_open_until_the_accounts_are_closed(
    database: Database, real: Platform
) -> None:
    with logged_in(database, real) as accounts:
        with accounts.client("ann") as client:
            client.widgets()
        assert client.widgets().docs == ()

    with pytest.raises((RuntimeError, Unreachable)):
        client.widgets()


class AsyncDatabase(Database):
    """The same for an application with asyncio; it keeps where it was used."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.tasks: dict[str, list[asyncio.Task[Any] | None]] = {}

    def used(self, what: str) -> None:
        """Keep the task. Raises `RuntimeError` if no event loop is running."""
        self.tasks.setdefault(what, []).append(asyncio.current_task())

    def accounts(self, base_url: str, auth_url: str, **options: Any) -> Accounts[str]:
        own = {"load": self.aload, "save": self.asave, "lock": self.alock}
        return super().accounts(base_url, auth_url, **{**own, **options})

    async def aload(self, user: str) -> str | None:
        self.used("load")
        await asyncio.sleep(0)
        return self.load(user)

    async def asave(self, user: str, tokens: Secret | None) -> None:
        self.used("save")
        await asyncio.sleep(0)
        self.save(user, tokens)

    @contextlib.asynccontextmanager
    async def alock(self, user: str) -> AsyncIterator[None]:
        self.used("lock")
        with self.lock(user):
            yield
            fail(self.broken == "unlock", user)
        self.used("unlock")


class TestAsyncFunctions:
    @pytest.fixture
    def database(self, tmp_path: Path) -> AsyncDatabase:
        return AsyncDatabase(tmp_path)

    def test_they_run_in_the_event_loop(self, database: AsyncDatabase, real: Platform) -> None:
        async def main() -> list[Any]:
            await accounts.afinish_login("ann", real.code)
            await accounts.acatalog("ann")
            client = accounts.client("ann")
            real.access = "what nobody has"  # tokens have to be refreshed
            pages = await asyncio.gather(*(asyncio.to_thread(client.widgets) for _ in range(10)))
            assert database.tasks["lock"][-1] is database.tasks["unlock"][-1] is not None
            assert await accounts.alogout("ann")
            with pytest.raises(LoginRequired):
                await accounts.acatalog("ann")
            return [page.docs for page in pages]

        with database.accounts(real.base_url, real.url) as accounts:
            for code in ("code-0", "another"):  # in another loop, too
                real.code = code
                assert asyncio.run(main()) == [()] * 10
        assert real.refreshes == 4  # a login and a refresh each

    @pytest.mark.parametrize("where", ["load", "save", "lock", "unlock"])
    def test_errors_do_not_repeat_their_text(
        self, database: AsyncDatabase, real: Platform, where: str
    ) -> None:
        async def main() -> None:
            if where == "load":
                await accounts.acatalog("ann")
            await accounts.afinish_login("ann", real.code)

        database.broken = where
        with (
            database.accounts(real.base_url, real.url) as accounts,
            pytest.raises(TokenStorageError) as caught,
        ):
            asyncio.run(main())
        assert re.search(r"\(OSError at test_accounts\.py:\d+\)", str(caught.value))
        assert CANARY not in shown(caught.value)
        assert real.refreshes == (where != "load")  # the code is exchanged before the lock

    def test_a_loop_does_not_wait_for_itself(self, database: AsyncDatabase) -> None:
        async def main() -> None:
            await accounts.afinish_login("ann", sandbox.code())
            catalog = await accounts.acatalog("ann")
            blocking: list[Callable[[], object]] = [
                lambda: catalog["countdown"],
                lambda: catalog.ids(),
                lambda: accounts.client("ann").widgets(),
                lambda: accounts.catalog("bob"),
                lambda: accounts.finish_login("bob", sandbox.code()),
                lambda: accounts.logout("ann"),
            ]
            for block in blocking:
                with pytest.raises(TypeError, match=r"would block the event loop .*: acatalog"):
                    block()
            assert (await catalog.aload("countdown")).is_valid(GOOD)

        with running() as sandbox, in_sandbox(database, sandbox) as accounts:
            asyncio.run(main())

    def test_without_a_loop(self, database: AsyncDatabase, real: Platform) -> None:
        async def login() -> None:
            await accounts.afinish_login("ann", real.code)

        with database.accounts(real.base_url, real.url) as accounts:
            with pytest.raises(TypeError, match=r"no event loop has been used yet: use .* acat"):
                accounts.catalog("ann")
            asyncio.run(login())
            with pytest.raises(TokenStorageError, match=r"cannot be loaded .RuntimeError"):
                accounts.catalog("ann")  # the loop is closed

    def test_a_function_that_returns_a_coroutine(
        self, database: AsyncDatabase, real: Platform
    ) -> None:
        async def login() -> None:
            await accounts.afinish_login("ann", real.code)

        options: dict[str, Any] = {"save": lambda *given: database.asave(*given), "lock": None}
        with database.accounts(real.base_url, real.url, **options) as accounts:
            asyncio.run(login())
        assert database.saves == ["refresh-1"]


def test_another_event_loop_is_an_error(database: Database) -> None:
    """Code that awaits without an event loop of asyncio, as with Trio, is told what to call."""
    catalog = Catalog({"x": {"properties": {"data": {}}}})
    with database.accounts(BASE_URL, BASE_URL) as accounts:
        fetcher = Fetcher(accounts._client, cache=None)
        for awaited in (
            catalog.aload("x"),
            fetcher.afetch("x"),
            accounts.acatalog("ann"),
            accounts.afinish_login("ann", "code"),
        ):
            with pytest.raises(TypeError, match=r"needs an event loop of asyncio.*Trio"):
                awaited.send(None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_does_not_wait_for_a_login_of_its_parent(database: Database, real: Platform) -> None:
    with logged_in(database, real) as accounts:
        client = accounts.client("ann")
        client.widgets()
        real.access = "what nobody has"
        with accounts._storage("ann").lock():

            def asked() -> int:
                accounts._lock_of = None
                return 7 if client.widgets().docs == () else 1

            assert exit_code_of_fork(asked) == 7


def test_nothing_shows_a_secret(database: Database, real: Platform) -> None:
    with logged_in(database, real) as accounts:
        text = repr([accounts, accounts.client("ann"), accounts.catalog("ann"), vars(accounts)])

    assert CANARY not in text
    assert "access-" not in text
    with pytest.raises(ValueError, match="auth_url") as caught:
        database.accounts(BASE_URL, "nowhere")
    assert CANARY not in shown(caught.value)
