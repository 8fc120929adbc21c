"""`Accounts`: the users of an application, each with a login of their own to one platform.

The application keeps the tokens, for example in its database. The connections are shared; nothing
that belongs to one user (tokens, responses, schemas) is used for another.

Locks, in the order in which they are taken: the lock of a user (first among the threads of this
process, then the application's), which is held while tokens are refreshed and saved; and
`Accounts._lock`, which is held for a few look-ups only.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar
from weakref import WeakValueDictionary

from widgetschema.calls import EventLoop, SharedCalls, WrongEventLoop
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.sources import emit_warning
from widgetschema.errors import LoginRequired, StoreError, TokenStorageError, WidgetSchemaError
from widgetschema.forks import renew_in_forks
from widgetschema.lazy import names_successors
from widgetschema.platform.auth.auth import TokenAuth
from widgetschema.platform.auth.login import authorize_request, exchange
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.client.client import Client
from widgetschema.platform.fetcher.cache import remove_cache
from widgetschema.platform.fetcher.clients import LoopClient
from widgetschema.platform.fetcher.fetcher import DEADLINE, Fetcher
from widgetschema.platform.secret import Secret, as_secret
from widgetschema.text import shorten

User = TypeVar("User", bound=Hashable)
_T = TypeVar("_T")

Text = Secret | str | None
Lock = AbstractContextManager[Any] | AbstractAsyncContextManager[Any]
_USE: Final = (
    "use the methods that are coroutines: acatalog (and aload of the catalog), afinish_login, "
    "alogout"
)
_BETWEEN: Final = (  # the files between an error of the application and its caller
    __file__,
    contextlib.__file__,
    EventLoop.result.__code__.co_filename,
    Future.result.__code__.co_filename,
)
_ADVICE: Final = "let the user log in (Accounts.finish_login)"


@names_successors
class Accounts(Generic[User]):
    """The users of an application, each with a login of their own to one platform.

    Make one for the whole application. Any number of threads may share it. All users share one
    pool of connections. Each has tokens, a cache and a `Catalog` of their own.

    `load`, `save` and `lock` are functions of the application, which are called in the thread that
    needs tokens. They may be coroutine functions of an application with asyncio: then they run in
    the event loop that has last awaited a method of this class, and the thread waits for them. What
    they raise becomes a `TokenStorageError`, which names the type of the error and the line, but
    repeats neither its text nor its traceback: both may contain tokens.

    Args:
        base_url: The platform's address, version segment included.
        auth_url: The address that `/oauth/token` is below.
        client_id: The client ID of the app.
        client_secret: The client secret of the app.
        redirect_uri: The address of the application that the platform sends the browser to.
        load: Returns the text that was saved for a user, None if there is none.
        save: Saves a text for a user in place of the one before, None to remove it. `reveal()` the
            text where it is written; it holds the tokens and the client secret.
        lock: Returns a context manager for a user (`with` or `async with`), which at most one
            process can be in. Refreshing and saving happen inside, so that two processes do not
            refresh at once. Without it, only the threads of this process take turns.
        cache: The folder of the cache of schemas; None for memory alone.
        deadline: The longest wait for a schema, see `Fetcher`.
        make_catalog: Returns the catalog of a user from the `Fetcher` that is its source. By
            default, that is its only source, and types that are due are looked up again in the
            background (`stale_while_revalidate`).
        most_users: The number of users whose catalogs are kept in memory. Those that were not used
            for the longest time are made again when they are needed.
        clock: Returns the time, in epoch seconds.
        warn: Called with a sentence; by default it emits a Python warning.
        **options: Further arguments of `Client`: `transport`, `timeout`, `connections` and so on.

    Raises:
        ValueError: For an unusable address.
    """

    def __init__(
        self,
        base_url: str,
        auth_url: str,
        *,
        client_id: str,
        client_secret: Secret | str,
        redirect_uri: str,
        load: Callable[[User], Text | Awaitable[Text]],
        save: Callable[[User, Secret | None], object],
        lock: Callable[[User], Lock] | None = None,
        cache: str | os.PathLike[str] | None = None,
        deadline: float | None = DEADLINE,
        make_catalog: Callable[[Fetcher], Catalog] | None = None,
        most_users: int = 1_000,
        clock: Callable[[], float] = time.time,
        warn: Callable[[str], None] = emit_warning,
        **options: Any,
    ) -> None:
        self._client_secret = as_secret(client_secret)
        client_secret = self._client_secret  # a traceback must not show the text
        self._client = Client(base_url, auth_url=auth_url, clock=clock, **options)
        self._client_id = client_id
        self._redirect_uri = redirect_uri
        self._load = load
        self._save = save
        self._lock_of = lock
        self._cache = cache
        self._deadline = deadline
        self._make_catalog = make_catalog or self._followed
        self._most_users = max(1, most_users)
        self._clock = clock
        self._warn = warn
        self._known: OrderedDict[User, _Account] = OrderedDict()
        self._logins = 0  # how many logins began or ended: what was loaded before may be outdated
        self._calls = SharedCalls()
        self._loop = EventLoop(_USE)
        self._needs_loop = _is_async(load) or _is_async(save)
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self._lock = threading.Lock()
        self._turns: WeakValueDictionary[User, _Turn] = WeakValueDictionary()
        self._known.clear()

    def __repr__(self) -> str:
        client = vars(self).get("_client")  # missing in the traceback of an unusable address
        return f"<Accounts {client.base_url}>" if client is not None else "<Accounts>"

    def login_url(self, authorize_url: str, state: str) -> str:
        """Return the address to send a user's browser to (RFC 6749, section 4.1.1).

        Args:
            authorize_url: The platform's authorization address, which is not documented. A query
                in it is kept.
            state: A text that cannot be guessed (`secrets.token_urlsafe()`). Keep it in the user's
                session, and compare it (`hmac.compare_digest`) with the `state` that comes back,
                before you call `finish_login`: otherwise, someone else's login could be slipped
                to the user.

        Returns:
            The address.

        Raises:
            ValueError: If `authorize_url` is not an http(s) address.
        """
        return authorize_request(authorize_url, self._client_id, self._redirect_uri, state)

    async def afinish_login(self, user: User, code: Secret | str) -> None:
        """Exchange the authorization code of a user without blocking the event loop of asyncio.

        The request is made in a thread, which goes on if the task is cancelled.

        Args:
            user: The user of the application.
            code: The `code` with which the browser came back to `redirect_uri`.

        Raises:
            WidgetSchemaError: As for `finish_login`.
        """
        code = as_secret(code)
        self._loop.bind()
        await self._calls.result(object(), partial(self.finish_login, user, code))

    def finish_login(self, user: User, code: Secret | str) -> None:
        """Exchange the authorization code of a user for tokens, and save them.

        The code is spent, so `load` is called before, in case the database does not respond.

        Args:
            user: The user of the application.
            code: The `code` with which the browser came back to `redirect_uri`.

        Raises:
            PlatformError: If the platform refuses the code, or cannot be reached.
            TokenStorageError: If tokens cannot be loaded or saved.
        """
        code = as_secret(code)
        storage = self._storage(user)
        before = storage.saved()
        exchange(
            self._client,
            storage,
            client_id=self._client_id,
            client_secret=self._client_secret,
            code=code,
            redirect_uri=self._redirect_uri,
            clock=self._clock,
        )
        self._forget(user)
        self._remove_cache(before)

    async def alogout(self, user: User) -> bool:
        """Remove the tokens and the cached schemas of a user without blocking the event loop.

        This is done in a thread, which goes on if the task is cancelled.

        Args:
            user: The user of the application.

        Returns:
            True if the user was logged in.

        Raises:
            TokenStorageError: As for `logout`.
        """
        self._loop.bind()
        return await self._calls.result(object(), partial(self.logout, user))

    def logout(self, user: User) -> bool:
        """Remove the tokens and the cached schemas of a user.

        Other processes stop to use the tokens when they refresh them. The platform documents no
        way to revoke tokens.

        Args:
            user: The user of the application.

        Returns:
            True if the user was logged in.

        Raises:
            TokenStorageError: If tokens cannot be loaded or removed.
        """
        storage = self._storage(user)
        with storage.lock():
            before = storage.saved()
            had = storage.clear()
        self._forget(user)
        self._remove_cache(before)
        return had

    def client(self, user: User) -> Client:
        """Return a client with the tokens of a user. Closing it has no effect.

        Args:
            user: The user of the application.

        Returns:
            The client, which uses the connections of all users.

        Raises:
            LoginRequired: If the user is not logged in.
            TokenStorageError: If tokens cannot be loaded.
        """
        return self._account(user).client

    def catalog(self, user: User) -> Catalog:
        """Return the widget types that a user has on the platform.

        Ask for it each time instead of keeping it: after another login of the user, it is another
        catalog.

        Args:
            user: The user of the application.

        Returns:
            The catalog, whose source is a `Fetcher` with the tokens of the user.

        Raises:
            LoginRequired: If the user is not logged in.
            TokenStorageError: If tokens cannot be loaded.
        """
        return self._account(user).catalog

    async def acatalog(self, user: User) -> Catalog:
        """Return the catalog of a user without blocking the event loop of asyncio.

        `load` is called in a thread, or awaited if it is a coroutine function. Use `Catalog.aload`
        to get a type of the catalog.

        Args:
            user: The user of the application.

        Returns:
            The catalog, as `catalog` does.

        Raises:
            LoginRequired: If the user is not logged in.
            TokenStorageError: If tokens cannot be loaded.
        """
        self._loop.bind()
        with self._lock:
            known = self._remembered(user)
        if known is not None:
            return known.catalog
        return await self._calls.result(user, lambda: self.catalog(user))

    def close(self) -> None:
        """Close the connections; nothing can be fetched after that."""
        self._client.close()

    def __enter__(self) -> Accounts[User]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _followed(self, fetcher: Fetcher) -> Catalog:
        return Catalog(fetcher, stale_while_revalidate=True, warn=self._warn)

    def _account(self, user: User) -> _Account:
        while True:
            with self._lock:
                logins = self._logins
                known = self._remembered(user)
            if known is not None:
                return known
            made = self._made(user)
            with self._lock:
                if self._logins != logins:
                    continue  # perhaps this user's: load again
                known = self._known.setdefault(user, made)
                while len(self._known) > self._most_users:
                    self._known.popitem(last=False)
                return known

    def _remembered(self, user: User) -> _Account | None:
        known = self._known.get(user)
        if known is not None:
            self._known.move_to_end(user)
        return known

    def _made(self, user: User) -> _Account:
        storage = self._storage(user)
        tokens = storage.load()
        if tokens is None:
            raise LoginRequired(f"{_shown(user)} is not logged in", _ADVICE)
        storage.account = tokens.account
        auth = TokenAuth(
            storage,
            self._client,
            base_url=self._client.base_url,
            clock=self._clock,
            client_id=self._client_id,
            client_secret=self._client_secret,
            advice=_ADVICE,
        )
        client = self._client.for_account(auth, tokens.account)
        fetcher = Fetcher(
            LoopClient(client, self._loop, is_async=False) if self._needs_loop else client,
            cache=self._cache,
            deadline=self._deadline,
            clock=self._clock,
            warn=self._warn,
        )
        return _Account(client, self._make_catalog(fetcher))

    def _storage(self, user: User) -> _UserStorage:
        with self._lock:
            turn = self._turns.get(user)
            if turn is None:
                turn = self._turns[user] = _Turn()

        return _UserStorage(self, user, turn)

    def _settled(self, value: _T | Awaitable[_T]) -> _T:
        """Return the result of a function or a coroutine function of the application."""
        if isinstance(value, Coroutine):
            result: _T = self._loop.result(value)
            return result
        return self._loop.result(_awaited(value)) if isinstance(value, Awaitable) else value

    def _forget(self, user: User) -> None:
        """Make the client and the catalog of a user anew, when they are needed again."""
        with self._lock:
            self._logins += 1
            self._known.pop(user, None)

    def _remove_cache(self, before: Tokens | None) -> None:
        """Remove the schemas of a login that is over: its name is used for no other."""
        if before is None or not before.account or self._cache is None:
            return
        try:
            remove_cache(self._client.base_url, before.account, os.fspath(self._cache))
        except StoreError as error:
            self._warn(f"the schemas of the previous login cannot be removed: {error}")


async def _awaited(value: Awaitable[_T]) -> _T:
    return await value


def _is_async(function: object) -> bool:
    """Return whether calling a function returns a coroutine, as far as this can be seen."""
    called = getattr(function, "__call__", None)  # noqa: B004  it may be an object with one
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


@dataclass(frozen=True, slots=True)
class _Account:
    """The client and the catalog of one login."""

    client: Client
    catalog: Catalog


class _Turn:
    """The lock of a user among the threads of this process."""

    def __init__(self) -> None:
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self.lock = threading.Lock()


class _UserStorage:
    """The tokens of one user, kept by functions of the application: a `TokenStorage`.

    `account` is the login that a client was made for; tokens of another login are not given to it,
    since it would mix their schemas.
    """

    def __init__(self, accounts: Accounts[Any], user: Any, turn: _Turn) -> None:
        self.account: str | None = None
        self._accounts = accounts
        self._user = user
        self._turn = turn

    def load(self) -> Tokens | None:
        """Return the tokens; None if there are none. Raises `LoginRequired`, see `_parsed`."""
        tokens = self._parsed()
        if self.account is not None and (tokens is None or tokens.account != self.account):
            self._accounts._forget(self._user)
            if tokens is not None:
                reason = f"{_shown(self._user)} has logged in again"
                raise LoginRequired(reason, "get the catalog or client of the user again")
        return tokens

    def saved(self) -> Tokens | None:
        """Return the tokens, if they can be read."""
        with contextlib.suppress(LoginRequired):
            return self._parsed()
        return None

    def _parsed(self) -> Tokens | None:
        text = self._attempt("loaded", lambda: _secret_or_type(self._loaded()))
        if text is None:
            return None
        if not isinstance(text, Secret):
            reason = f"load returned neither a str nor None, but a value of type {text.__name__}"
            raise TokenStorageError(self.describe(), reason)
        base_url = self._accounts._client.base_url
        tokens = Tokens.from_json(text, base_url)
        if tokens is None:
            reason = f"what was saved for {_shown(self._user)} are no tokens of {base_url}"
            raise LoginRequired(reason, _ADVICE)
        return tokens

    def save(self, tokens: Tokens) -> None:
        """Save these in the place of those before."""
        self._write("saved", tokens.to_json())

    def clear(self) -> bool:
        """Remove them; whether there were any."""
        had = self._attempt("loaded", lambda: self._loaded() is not None)
        if had:
            self._write("removed", None)
        return had

    def _write(self, what: str, text: Secret | None) -> None:
        accounts = self._accounts
        self._attempt(what, lambda: accounts._settled(accounts._save(self._user, text)))

    def _loaded(self) -> Text:
        return self._accounts._settled(self._accounts._load(self._user))

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock of the user."""
        with self._turn.lock:
            held = self._attempt("locked", self._entered)
            try:
                yield
            finally:
                self._attempt("unlocked", held.close)

    def _entered(self) -> contextlib.ExitStack:
        held = contextlib.ExitStack()
        lock_of = self._accounts._lock_of
        lock = None if lock_of is None else lock_of(self._user)
        if isinstance(lock, AbstractAsyncContextManager):
            held.enter_context(self._accounts._loop.entered(lock))
        elif lock is not None:
            held.enter_context(lock)
        return held

    def probe(self) -> None:
        """Do nothing: only saving shows whether the application can save."""

    def describe(self) -> str:
        """Return the name of the storage for messages."""
        return f"the application's storage for {_shown(self._user)}"

    def _attempt(self, what: str, action: Callable[[], _T]) -> _T:
        """Do it; what the application raises may hold tokens, and stays behind."""
        try:
            return action()
        except (WidgetSchemaError, WrongEventLoop):
            raise
        except Exception as error:
            problem = f"{type(error).__name__} {_place(error)}"
        raise TokenStorageError(self.describe(), f"tokens cannot be {what} ({problem})")


def _place(error: BaseException) -> str:
    """Return the line of the application that an error came from."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next and frame.tb_frame.f_code.co_filename in _BETWEEN:
        frame = frame.tb_next
    if frame is None:
        return ""
    return f"at {os.path.basename(frame.tb_frame.f_code.co_filename)}:{frame.tb_lineno}"


def _secret_or_type(text: object) -> Secret | type | None:
    """Return a text as a secret; of what is no text, its type."""
    if isinstance(text, (str, Secret)):
        return as_secret(text)
    return None if text is None else type(text)


def _shown(user: object) -> str:
    return f"user {shorten(repr(user), 80)}"
