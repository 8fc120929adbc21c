"""`Client` and `AsyncClient`: thin drivers of the operations, for threads and for tasks."""

from __future__ import annotations

import re
import ssl
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import random as by_chance
from typing import Any, Final, NoReturn, Self, TypeVar

import anyio
import anyio.to_thread
import httpx

from widgetschema.catalog.platform_schema import PlatformSchema
from widgetschema.platform.auth.auth import BearerAuth, OwnToken, TokenAuth
from widgetschema.platform.client.messages import (
    SEND_ERRORS,
    ApiResponse,
    SendResult,
    read_failure,
    read_response,
    sent_secrets,
)
from widgetschema.platform.client.operations import (
    Endpoints,
    Filters,
    Operations,
    SchemaResponse,
    comma_separated,
)
from widgetschema.platform.client.retrying import (
    DEFAULT_RETRIES,
    Operation,
    Patience,
    RequestContext,
    Retries,
    Send,
    Step,
)
from widgetschema.platform.client.transport import AsyncGuardedTransport, GuardedTransport
from widgetschema.platform.endpoints import Address, parse_address, proxy_for
from widgetschema.platform.responses import TokenResponse, Widget, WidgetList
from widgetschema.platform.secret import Secret, as_secret
from widgetschema.version import __version__

T = TypeVar("T")

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, section 5.1
_VALUE: Final = re.compile(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?")  # section 5.5
# Set by this package for each request.
_OWN: Final = frozenset(
    "accept-encoding connection content-length content-type transfer-encoding".split()
)
DEADLINE: Final = 30.0
_LARGE: Final = 64 * 1024  # bytes of a response that takes so long to read that tasks wait


class _Client:
    """The part of a client that does no I/O."""

    def __init__(
        self,
        base_url: str,
        auth_url: str | None,
        auth: httpx.Auth | None,
        token: OwnToken | None,
        headers: Mapping[str, str] | None,
        account: str,
        insecure: bool,
        connections: int,
        context: RequestContext,
    ) -> None:
        if connections < 1:
            raise ValueError("connections must be at least 1")
        if auth is not None and token is not None:
            raise ValueError("a client takes a token or an auth, not both")
        base = parse_address(base_url, "base_url", insecure=insecure)
        endpoint = None
        if auth_url is not None:
            endpoint = parse_address(auth_url, "auth_url", insecure=insecure)
        own = {"user-agent": f"widgetschema/{__version__}"}
        self._endpoints = Endpoints(base, endpoint, {**own, **_check_headers(headers or {})})
        self._operations = Operations(self._endpoints, context)
        self._auth = auth if token is None else BearerAuth(token, base)
        self._account = account
        self._is_shared = False

    @property
    def account(self) -> str:
        """The name of the account whose widgets and schemas these are, as it was given."""
        return self._account

    @property
    def base_url(self) -> str:
        """The platform's address, without a final slash."""
        return str(self._endpoints.base)

    @property
    def origin(self) -> str:
        """Scheme, host and port of the platform, as in `https://host:8443`."""
        return self._endpoints.base.origin

    @property
    def auth_url(self) -> str | None:
        """The address that `/oauth/token` is below, without a final slash."""
        return None if self._endpoints.auth is None else str(self._endpoints.auth)

    def for_account(self, auth: httpx.Auth, account: str) -> Self:
        """Return a client of another account, which uses the connections of this one.

        A new https client takes much longer to make. Closing the returned one leaves the
        connections open; closing this one closes them for both.

        Args:
            auth: Sets the header `Authorization` of its requests to the platform.
            account: A name for the account, which keeps its cached schemas apart from others'.

        Returns:
            The client.
        """
        other = object.__new__(type(self))
        vars(other).update(vars(self), _auth=auth, _account=account, _is_shared=True)
        return other

    def __repr__(self) -> str:
        is_made = "_endpoints" in vars(self)  # not in the traceback of an unusable address
        return f"{type(self).__name__}({self.base_url!r})" if is_made else type(self).__name__

    def __getstate__(self) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__} cannot be pickled, since it holds connections and tokens: make "
            "one in each process"
        )

    def _auth_of(self, step: Send) -> httpx.Auth | None:
        return self._auth if step.call.authenticated else None

    def _mounts(self, guarded: Callable[[Address], T]) -> dict[str, T]:
        """Return a transport of its own for the token endpoint, if another proxy leads to it."""
        base, token = self._endpoints.base, self._endpoints.auth
        if token is None or proxy_for(token) == proxy_for(base):
            return {}
        return {token.origin: guarded(token)}

    def _trust(self) -> ssl.SSLContext:
        """Return the trusted certificates: the system's, or none where TLS is not used.

        Loading them takes longer than a request to this machine. Raises `ValueError`.
        """
        addresses = (self._endpoints.base, self._endpoints.auth)
        if not any(one is not None and one.scheme == "https" for one in addresses):
            return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            return httpx.create_ssl_context()
        except OSError as error:
            reason = error.strerror or type(error).__name__
        raise ValueError(
            f"the trusted certificates (SSL_CERT_FILE, SSL_CERT_DIR) cannot be loaded: {reason}"
        )


class Client(_Client):
    """A client of the platform. Any number of threads may share it.

    Redirects are followed within the origin only, cookies are not kept, and `~/.netrc` is not
    read. Proxies are taken from the environment, unless there is a `transport`, and never for
    this machine.

    Args:
        base_url: The platform's address, version segment included.
        auth_url: The address that `/oauth/token` is below; needed for tokens only.
        token: An access token that you have, or a function that returns the current one. It is
            sent to `base_url` only, and not refreshed.
        auth: Sets the header `Authorization` of requests to the platform, and of no others.
        headers: Added to every request (`Authorization` never to one for tokens).
        transport: Sends the requests, in place of the network; it is left open.
        timeout: The longest wait for a single step of the network, in seconds.
        total_timeout: The longest wait for a usable response, in seconds: with all attempts, the
            pauses between them, redirects, and the wait for a free connection.
        connections: The number of requests at a time; others wait.
        retries: How often requests are retried.
        account: A name for the account, which keeps its cached schemas apart from others'.
        insecure: Allow plain http to other machines; anyone on the way can read the token.
        gives_up: Send nothing more once requests have taken `total_timeout` seconds in vain, all in
            all, with no usable response among them, until nothing was requested for as long: for
            commands.
        on_wait: Called with an address, in another thread, if its response takes longer than a
            tenth of `total_timeout`.
        sleep: Waits between attempts, in seconds.
        clock: Returns the time, in epoch seconds.
        random: Returns a number from 0 to 1, for the jitter of waits.

    Raises:
        ValueError: For an unusable address or header, or for both `token` and `auth`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        auth_url: str | None = None,
        token: str | Secret | Callable[[], str | Secret] | None = None,
        auth: httpx.Auth | None = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
        timeout: float = 10.0,
        total_timeout: float = DEADLINE,
        connections: int = 10,
        retries: Retries = DEFAULT_RETRIES,
        account: str = "",
        insecure: bool = False,
        gives_up: bool = False,
        on_wait: Callable[[str], object] | None = None,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.time,
        random: Callable[[], float] = by_chance,
    ) -> None:
        if token is not None and not callable(token):
            token = as_secret(token)
        patience = Patience(total_timeout, adds_up=gives_up)
        context = RequestContext(retries, clock, random=random, patience=patience)
        super().__init__(
            base_url, auth_url, auth, token, headers, account, insecure, connections, context
        )
        self._sleep = sleep
        self._on_wait, self._notice = on_wait, total_timeout / 10
        limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)

        def guarded(address: Address) -> GuardedTransport:
            proxy, trusted = proxy_for(address), self._trust()  # once for all

            def make() -> httpx.HTTPTransport:
                return httpx.HTTPTransport(trusted, limits=limits, proxy=proxy)

            return GuardedTransport(make, shared=transport, slots=connections)

        self._http = httpx.Client(
            transport=guarded(self._endpoints.base),
            mounts=self._mounts(guarded) if transport is None else {},
            timeout=timeout,
            trust_env=False,
        )

    def close(self) -> None:
        """Close the connections; the client cannot be used after that."""
        if not self._is_shared:
            self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
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
        """Return a list of the account's widgets.

        Args:
            limit: The number of widgets; the platform returns 10 by default.
            fields: Names of the properties to return: all of them by default. A text has commas
                between the names.
            project_id: Return only widgets of this project.
            search: Return only widgets that match this text.
            type: Return only widgets of this type.

        Returns:
            The widgets in their envelope. Nothing says whether there are more.

        Raises:
            PlatformError: `Unreachable`, `ErrorResponse` or `UnusableResponse`.
            LoginRequired: If `auth` has no valid token.
            ValueError: For a limit below 1, and for a field that is not documented and that no
                widget has.
        """
        filters = Filters(comma_separated(fields), project_id, search, type)
        return self._run(self._operations.widgets(filters, limit))

    def iter_widgets(
        self,
        *,
        fields: str | Iterable[str] | None = None,
        project_id: str | None = None,
        search: str | None = None,
        type: str | None = None,
    ) -> Iterator[Widget]:
        """Yield all widgets of the account.

        The platform documents no paging, so the list is requested as a whole, before the first
        widget is yielded, with a limit that grows until it is not reached, and shrinks if the
        platform refuses it.

        Args:
            fields: Names of the properties to return: all of them by default. A text has commas
                between the names.
            project_id: Return only widgets of this project.
            search: Return only widgets that match this text.
            type: Return only widgets of this type.

        Yields:
            Each widget, once. Duplicates can be detected only if `fields` includes `id`.

        Raises:
            IncompleteListing: If the list cannot be known to be complete.
            PlatformError: `Unreachable`, `ErrorResponse` or `UnusableResponse`.
            LoginRequired: If `auth` has no valid token.
            ValueError: For a field that is not documented and that no widget has.
        """
        filters = Filters(comma_separated(fields), project_id, search, type)
        yield from self._run(self._operations.all_widgets(filters))

    def widget_type_schema(self, id: str) -> Any:
        """Return the schema of a widget type.

        Args:
            id: The id of the widget type.

        Returns:
            The JSON value of the schema, an object or a boolean. It usually refers to the base
            schema `plugin`, a request of its own: see `plugin` of `WidgetType.from_schema`.

        Raises:
            InvalidTypeId: For an id that cannot be in a path; nothing is sent.
            PlatformError: `Unreachable`, `ErrorResponse` or `UnusableResponse`.
            LoginRequired: If `auth` has no valid token.
        """
        return PlatformSchema.served_by(self.base_url, self.fetch_schema(id).schema)

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        """Return the schema of a widget type with what is needed to cache it.

        Args:
            id: The id of the widget type.
            etag: The entity tag of the copy that you have (RFC 9110, section 13.1.2).
            last_modified: The date of the copy that you have (section 13.1.3).

        Returns:
            The schema, its text and its validators; `not_modified` if your copy is current.

        Raises:
            InvalidTypeId: For an id that cannot be in a path; nothing is sent.
            PlatformError: `Unreachable`, `ErrorResponse` or `UnusableResponse`.
            LoginRequired: If `auth` has no valid token.
        """
        return self._run(self._operations.schema(id, etag, last_modified))

    def exchange_code(
        self, *, client_id: str, client_secret: Secret | str, code: Secret | str, redirect_uri: str
    ) -> TokenResponse:
        """Exchange an authorization code for tokens (RFC 6749, section 4.1.3).

        The request is sent once and never retried, since a code can be used once.

        Args:
            client_id: The client ID of the app.
            client_secret: The client secret of the app.
            code: The authorization code.
            redirect_uri: The redirect URI that the code was issued for.

        Returns:
            The tokens and what the platform says about their expiry.

        Raises:
            PlatformError: `Unreachable`, `ErrorResponse` or `UnusableResponse`.
            ValueError: If the client has no `auth_url`.
        """
        client_secret, code = as_secret(client_secret), as_secret(code)
        return self._run(
            self._operations.exchange_code(client_id, client_secret, code, redirect_uri)
        )

    def refresh(
        self, *, client_id: str, client_secret: Secret | str, refresh_token: Secret | str
    ) -> TokenResponse:
        """Refresh an access token (RFC 6749, section 6).

        Args:
            client_id: The client ID of the app.
            client_secret: The client secret of the app.
            refresh_token: The refresh token of the login.

        Returns:
            A new access token; a new refresh token only if the platform sends one.

        Raises:
            PlatformError: `Unreachable`, `ErrorResponse` or `UnusableResponse`.
            ValueError: If the client has no `auth_url`.
        """
        client_secret, refresh_token = as_secret(client_secret), as_secret(refresh_token)
        return self._run(self._operations.refresh(client_id, client_secret, refresh_token))

    def _run(self, operation: Operation[T]) -> T:
        reply: SendResult | None = None
        timer: threading.Timer | None = None
        try:
            while True:
                step = _next(operation, reply)
                if isinstance(step, _Done):
                    result: T = step.value
                    return result
                if isinstance(step, Send):
                    if timer is None and self._on_wait is not None:
                        timer = threading.Timer(self._notice, self._on_wait, [step.call.url])
                        timer.daemon = True
                        timer.start()
                    reply = self._send(step)
                else:
                    self._sleep(step.seconds)
                    reply = None
        finally:
            if timer is not None:
                timer.cancel()

    def _send(self, step: Send) -> SendResult:
        try:
            response = self._http.send(step.request, auth=self._auth_of(step))
        except SEND_ERRORS as error:
            return read_failure(error, sent_secrets(step.request, step.call))
        return read_response(response, step.call)


class AsyncClient(_Client):
    """A client of the platform for asyncio and trio. Use it in one event loop.

    It is like `Client`, and takes the same arguments, except `gives_up` and `on_wait`. Its
    `transport` is one of httpx for tasks, and `sleep` a coroutine function.

    Raises:
        ValueError: As for `Client`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        auth_url: str | None = None,
        token: str | Secret | Callable[[], str | Secret] | None = None,
        auth: httpx.Auth | None = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        timeout: float = 10.0,
        total_timeout: float = DEADLINE,
        connections: int = 10,
        retries: Retries = DEFAULT_RETRIES,
        account: str = "",
        insecure: bool = False,
        sleep: Callable[[float], Any] = anyio.sleep,
        clock: Callable[[], float] = time.time,
        random: Callable[[], float] = by_chance,
    ) -> None:
        if token is not None and not callable(token):
            token = as_secret(token)
        context = RequestContext(retries, clock, random=random, patience=Patience(total_timeout))
        super().__init__(
            base_url, auth_url, auth, token, headers, account, insecure, connections, context
        )
        self._sleep = sleep
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)

        def guarded(address: Address) -> AsyncGuardedTransport:
            inner = transport or httpx.AsyncHTTPTransport(
                self._trust(), limits=limits, proxy=proxy_for(address)
            )
            return AsyncGuardedTransport(inner, slots=connections)

        self._http = httpx.AsyncClient(
            transport=guarded(self._endpoints.base),
            mounts=self._mounts(guarded) if transport is None else {},
            timeout=timeout,
            trust_env=False,
        )

    async def aclose(self) -> None:
        """Close the connections; the client cannot be used after that."""
        if isinstance(self._auth, TokenAuth):
            await self._auth.settle()  # a renewal under way: what it gets must be stored
        if not self._is_shared:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
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
        filters = Filters(comma_separated(fields), project_id, search, type)
        return await self._run(self._operations.widgets(filters, limit))

    async def iter_widgets(
        self,
        *,
        fields: str | Iterable[str] | None = None,
        project_id: str | None = None,
        search: str | None = None,
        type: str | None = None,
    ) -> AsyncIterator[Widget]:
        """See `Client.iter_widgets`."""
        filters = Filters(comma_separated(fields), project_id, search, type)
        for widget in await self._run(self._operations.all_widgets(filters)):
            yield widget

    async def widget_type_schema(self, id: str) -> Any:
        """See `Client.widget_type_schema`."""
        return PlatformSchema.served_by(self.base_url, (await self.fetch_schema(id)).schema)

    async def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        """See `Client.fetch_schema`."""
        return await self._run(self._operations.schema(id, etag, last_modified))

    async def exchange_code(
        self, *, client_id: str, client_secret: Secret | str, code: Secret | str, redirect_uri: str
    ) -> TokenResponse:
        """See `Client.exchange_code`."""
        client_secret, code = as_secret(client_secret), as_secret(code)
        return await self._run(
            self._operations.exchange_code(client_id, client_secret, code, redirect_uri)
        )

    async def refresh(
        self, *, client_id: str, client_secret: Secret | str, refresh_token: Secret | str
    ) -> TokenResponse:
        """See `Client.refresh`."""
        client_secret, refresh_token = as_secret(client_secret), as_secret(refresh_token)
        return await self._run(self._operations.refresh(client_id, client_secret, refresh_token))

    async def _run(self, operation: Operation[T]) -> T:
        reply: SendResult | None = None
        while True:
            if isinstance(reply, ApiResponse) and len(reply.body) > _LARGE:
                step = await anyio.to_thread.run_sync(_next, operation, reply)
            else:
                step = _next(operation, reply)
            if isinstance(step, _Done):
                result: T = step.value
                return result
            if isinstance(step, Send):
                reply = await self._send(step)
            else:
                await self._sleep(step.seconds)
                reply = None

    async def _send(self, step: Send) -> SendResult:
        try:
            response = await self._http.send(step.request, auth=self._auth_of(step))
        except SEND_ERRORS as error:
            return read_failure(error, sent_secrets(step.request, step.call))
        return read_response(response, step.call)


@dataclass(frozen=True, slots=True)
class _Done:
    value: Any


def _next(operation: Operation[Any], reply: SendResult | None) -> Step | _Done:
    """Return the next step, or the result; a worker thread cannot raise `StopIteration`."""
    try:
        return operation.send(reply)
    except StopIteration as done:
        return _Done(done.value)


def _check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers by lower-case names. Raises `ValueError`, which repeats no value."""
    for name in headers:
        if not _NAME.fullmatch(name) or name.lower() in _OWN:
            raise ValueError(f"headers: {name[:80]!r} cannot be set")
        if not _VALUE.fullmatch(headers[name]):
            raise ValueError(f"headers: the value of {name!r} has characters that HTTP forbids")
    return {name.lower(): value for name, value in headers.items()}
