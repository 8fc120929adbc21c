"""`Client` and `AsyncClient`: the platform's operations over HTTP; thin drivers of one core."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import random as by_chance
from types import TracebackType
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
import httpx

from widgetschema.platform.auth.auth import TokenAuth
from widgetschema.platform.client import operations
from widgetschema.platform.client.messages import (
    SEND_ERRORS,
    Answer,
    Reply,
    answer_of,
    failure_of,
    sent_secrets,
)
from widgetschema.platform.client.operations import Filters, Place, SchemaResponse, joined
from widgetschema.platform.client.retrying import (
    DEFAULT_RETRIES,
    Means,
    Operation,
    Retries,
    Send,
    Step,
)
from widgetschema.platform.client.transport import AsyncGuardedTransport, GuardedTransport
from widgetschema.platform.endpoints import Address, checked_address, proxy_for
from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse, Widget, WidgetList
from widgetschema.version import __version__

M = TypeVar("M")

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.1
_VALUE: Final = re.compile(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?")  # section 5.5
# What this package says itself, of each request.
_OWN: Final = frozenset(
    "accept-encoding connection content-length content-type transfer-encoding".split()
)


class Common:
    """The part of a client that does no I/O."""

    def __init__(
        self,
        base_url: str,
        auth_url: str | None,
        headers: Mapping[str, str] | None,
        account: str,
        insecure: bool,
        connections: int,
        means: Means,
    ) -> None:
        if connections < 1:
            raise ValueError("connections: at least 1")
        base = checked_address(base_url, "base_url", insecure=insecure)
        auth = None
        if auth_url is not None:
            auth = checked_address(auth_url, "auth_url", insecure=insecure)
        self._place = Place(
            base, auth, {"user-agent": f"widgetschema/{__version__}", **_checked(headers or {})}
        )
        self._means = means
        self._account = account

    @property
    def account(self) -> str:
        """A name of whose widgets and schemas these are: given, never asked for."""
        return self._account

    @property
    def base_url(self) -> str:
        """The platform's address, without a last slash."""
        return str(self._place.base)

    @property
    def origin(self) -> str:
        """Scheme, host and port of the platform, as in `https://host:8443`."""
        return self._place.base.origin

    @property
    def auth_url(self) -> str | None:
        """The address that `/oauth/token` is below, without a last slash."""
        return None if self._place.auth is None else str(self._place.auth)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    def _exchanging(
        self, client_id: str, client_secret: Secret, code: Secret, redirect_uri: str
    ) -> Operation[TokenResponse]:
        fields: list[tuple[str, Secret | str]] = [
            ("client_id", client_id),
            ("client_secret", client_secret),
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
        ]
        return operations.token(self._place, self._means, fields, retried=False)

    def _refreshing(
        self, client_id: str, client_secret: Secret, refresh_token: Secret
    ) -> Operation[TokenResponse]:
        fields: list[tuple[str, Secret | str]] = [
            ("client_id", client_id),
            ("client_secret", client_secret),
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ]
        return operations.token(self._place, self._means, fields, retried=True)


def mounts(place: Place, by_us: bool, guarded: Callable[[Address], M]) -> dict[str, M]:
    """A transport of its own for the token endpoint, where another proxy leads to it."""
    if not by_us or place.auth is None or proxy_for(place.auth) == proxy_for(place.base):
        return {}
    return {place.auth.origin: guarded(place.auth)}


def trust(place: Place) -> ssl.SSLContext | bool:
    """Whose certificates are trusted: the system's way; nobody's where no TLS is to be used.

    To load them takes longer than a request to this machine.
    """
    if any(one is not None and one.scheme == "https" for one in (place.base, place.auth)):
        return True
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def secret(text: Secret | str) -> Secret:
    """A secret that may come as plain text. Raises `TypeError`."""
    if not isinstance(text, (str, Secret)):
        raise TypeError(f"a secret is a str or a Secret, not {type(text).__name__}")
    return text if isinstance(text, Secret) else Secret(text)


def _checked(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers that can be sent, by lower-case names. Raises `ValueError`; it repeats no value."""
    for name in headers:
        if not _NAME.fullmatch(name) or name.lower() in _OWN:
            raise ValueError(f"headers: {name[:80]!r} cannot be set")
        if not _VALUE.fullmatch(headers[name]):
            raise ValueError(f"headers: the value of {name!r} has characters that HTTP forbids")
    return {name.lower(): value for name, value in headers.items()}


T = TypeVar("T")


class Client(Common):
    """The platform's operations, for threads: one client may be used by many at once.

    `base_url` includes the version segment; `auth_url` is only needed for tokens. `auth` sets
    the header `Authorization` of platform requests, and of no others. `headers` are added to
    every request (but `Authorization` never to one for tokens). Redirects are followed within
    the origin only, cookies are not kept, `~/.netrc` is not read; proxies are taken from the
    environment, unless there is a `transport`, and never for this machine.

    `timeout` is for each single wait of the network, `total_timeout` for one answer as a whole,
    in seconds. `connections` is how many requests are under way at most: others wait. Plain
    http is for this machine only, unless `insecure`. `clock` gives epoch seconds.

    Operations raise `PlatformError` (`Unreachable`, `ErrorResponse`, `UnusableResponse`,
    `IncompleteListing`), and what `auth` raises (`LoginRequired`). A wrong address or header is
    a `ValueError`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        auth_url: str | None = None,
        auth: httpx.Auth | None = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
        timeout: float = 10.0,
        total_timeout: float = 60.0,
        connections: int = 10,
        retries: Retries = DEFAULT_RETRIES,
        account: str = "",
        insecure: bool = False,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.time,
        random: Callable[[], float] = by_chance,
    ) -> None:
        means = Means(retries, clock, chance=random)
        super().__init__(base_url, auth_url, headers, account, insecure, connections, means)
        self._auth = auth
        self._sleep = sleep
        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)

        def guarded(address: Address) -> GuardedTransport:
            proxy, trusted = proxy_for(address), trust(self._place)
            if trusted is True:
                trusted = httpx.create_ssl_context()  # once for all

            def make() -> httpx.HTTPTransport:
                return httpx.HTTPTransport(trusted, limits=limits, proxy=proxy)

            return GuardedTransport(
                make, shared=transport, slots=connections, seconds=total_timeout
            )

        self._http = httpx.Client(
            transport=guarded(self._place.base),
            mounts=mounts(self._place, transport is None, guarded),
            timeout=timeout,
            trust_env=False,
        )

    def close(self) -> None:
        """Close the connections; the client cannot be used any more."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def widgets(
        self,
        *,
        limit: int | None = None,
        fields: str | Iterable[str] | None = None,
        project_id: str | None = None,
        search: str | None = None,
        type: str | None = None,
    ) -> WidgetList:
        """A list of the account's widgets (the platform gives 10, if there is no `limit`).

        `fields` are names of members to include, or one text with commas between them.
        """
        filters = Filters(joined(fields), project_id, search, type)
        return self._run(operations.widgets(self._place, self._means, filters, limit))

    def iter_widgets(
        self,
        *,
        fields: str | Iterable[str] | None = None,
        project_id: str | None = None,
        search: str | None = None,
        type: str | None = None,
    ) -> Iterator[Widget]:
        """All widgets of the account, or `IncompleteListing` before the first of them.

        The list is asked for as a whole, with a limit that grows until it is not reached, and
        shrinks if the platform refuses it. That no widget is there twice can only be checked where
        `fields` includes `id`.
        """
        filters = Filters(joined(fields), project_id, search, type)
        yield from self._run(operations.all_widgets(self._place, self._means, filters))

    def widget_type_schema(self, id: str) -> Any:
        """The schema of a widget type: its JSON value, an object or a boolean.

        Raises `InvalidTypeId` before any request.
        """
        return self.fetch_schema(id).schema

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        """The schema of a widget type with its text and validators; conditional, if any given.

        Raises `InvalidTypeId` before any request.
        """
        return self._run(operations.schema(self._place, self._means, id, etag, last_modified))

    def exchange_code(
        self, *, client_id: str, client_secret: Secret | str, code: Secret | str, redirect_uri: str
    ) -> TokenResponse:
        """Tokens for an authorization code (RFC 6749, section 4.1.3); sent once, never again."""
        client_secret, code = secret(client_secret), secret(code)
        return self._run(self._exchanging(client_id, client_secret, code, redirect_uri))

    def refresh(
        self, *, client_id: str, client_secret: Secret | str, refresh_token: Secret | str
    ) -> TokenResponse:
        """A new access token (RFC 6749, section 6)."""
        client_secret, refresh_token = secret(client_secret), secret(refresh_token)
        return self._run(self._refreshing(client_id, client_secret, refresh_token))

    def _run(self, operation: Operation[T]) -> T:
        reply: Reply | None = None
        while True:
            try:
                step = operation.send(reply)
            except StopIteration as done:
                result: T = done.value
                return result
            if isinstance(step, Send):
                reply = self._send(step)
            else:
                self._sleep(step.seconds)
                reply = None

    def _send(self, step: Send) -> Reply:
        auth = self._auth if step.call.authenticated else None
        try:
            response = self._http.send(step.request, auth=auth)
        except SEND_ERRORS as error:
            return failure_of(error, sent_secrets(step.request, step.call))
        return answer_of(response, step.call)


_LARGE: Final = 64 * 1024  # bytes of an answer that takes so long to read that others wait


@dataclass(frozen=True, slots=True)
class _Done:
    value: Any


def _advanced(operation: Operation[Any], reply: Reply | None) -> Step | _Done:
    """The next step, or the result; a thread cannot hand on `StopIteration`."""
    try:
        return operation.send(reply)
    except StopIteration as done:
        return _Done(done.value)


class AsyncClient(Common):
    """The same for asyncio and trio; see `Client`. Use it in one event loop."""

    def __init__(
        self,
        base_url: str,
        *,
        auth_url: str | None = None,
        auth: httpx.Auth | None = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        timeout: float = 10.0,
        total_timeout: float = 60.0,
        connections: int = 10,
        retries: Retries = DEFAULT_RETRIES,
        account: str = "",
        insecure: bool = False,
        sleep: Callable[[float], Any] = anyio.sleep,
        clock: Callable[[], float] = time.time,
        random: Callable[[], float] = by_chance,
    ) -> None:
        means = Means(retries, clock, chance=random)
        super().__init__(base_url, auth_url, headers, account, insecure, connections, means)
        self._auth = auth
        self._sleep = sleep
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)

        def guarded(address: Address) -> AsyncGuardedTransport:
            inner = transport or httpx.AsyncHTTPTransport(
                trust(self._place), limits=limits, proxy=proxy_for(address)
            )
            return AsyncGuardedTransport(inner, slots=connections, seconds=total_timeout)

        self._http = httpx.AsyncClient(
            transport=guarded(self._place.base),
            mounts=mounts(self._place, transport is None, guarded),
            timeout=timeout,
            trust_env=False,
        )

    async def aclose(self) -> None:
        """Close the connections; the client cannot be used any more."""
        if isinstance(self._auth, TokenAuth):
            await self._auth.settle()  # a renewal under way: what it gets must be kept
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def widgets(
        self,
        *,
        limit: int | None = None,
        fields: str | Iterable[str] | None = None,
        project_id: str | None = None,
        search: str | None = None,
        type: str | None = None,
    ) -> WidgetList:
        """See `Client.widgets`."""
        filters = Filters(joined(fields), project_id, search, type)
        return await self._run(operations.widgets(self._place, self._means, filters, limit))

    async def iter_widgets(
        self,
        *,
        fields: str | Iterable[str] | None = None,
        project_id: str | None = None,
        search: str | None = None,
        type: str | None = None,
    ) -> AsyncIterator[Widget]:
        """See `Client.iter_widgets`."""
        filters = Filters(joined(fields), project_id, search, type)
        for widget in await self._run(operations.all_widgets(self._place, self._means, filters)):
            yield widget

    async def widget_type_schema(self, id: str) -> Any:
        """See `Client.widget_type_schema`."""
        return (await self.fetch_schema(id)).schema

    async def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        """See `Client.fetch_schema`."""
        return await self._run(operations.schema(self._place, self._means, id, etag, last_modified))

    async def exchange_code(
        self, *, client_id: str, client_secret: Secret | str, code: Secret | str, redirect_uri: str
    ) -> TokenResponse:
        """See `Client.exchange_code`."""
        client_secret, code = secret(client_secret), secret(code)
        return await self._run(self._exchanging(client_id, client_secret, code, redirect_uri))

    async def refresh(
        self, *, client_id: str, client_secret: Secret | str, refresh_token: Secret | str
    ) -> TokenResponse:
        """See `Client.refresh`."""
        client_secret, refresh_token = secret(client_secret), secret(refresh_token)
        return await self._run(self._refreshing(client_id, client_secret, refresh_token))

    async def _run(self, operation: Operation[T]) -> T:
        reply: Reply | None = None
        while True:
            if isinstance(reply, Answer) and len(reply.body) > _LARGE:
                step = await anyio.to_thread.run_sync(_advanced, operation, reply)
            else:
                step = _advanced(operation, reply)
            if isinstance(step, _Done):
                result: T = step.value
                return result
            if isinstance(step, Send):
                reply = await self._send(step)
            else:
                await self._sleep(step.seconds)
                reply = None

    async def _send(self, step: Send) -> Reply:
        auth = self._auth if step.call.authenticated else None
        try:
            response = await self._http.send(step.request, auth=auth)
        except SEND_ERRORS as error:
            return failure_of(error, sent_secrets(step.request, step.call))
        return answer_of(response, step.call)
