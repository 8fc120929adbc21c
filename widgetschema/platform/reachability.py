"""A probe of the platform's address: one request that says nothing of anybody.

No token is sent, nothing is followed, no body is read. For people who look for what is wrong:
each kind of failure has words of its own.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import httpx

from widgetschema.platform.endpoints import Address, parse_address, proxy_for
from widgetschema.text import one_line

_HEADERS: Final = {"user-agent": "widgetschema", "accept": "*/*", "accept-encoding": "identity"}
_PORTS: Final = {"http": 80, "https": 443}
_LONGEST: Final = 120  # characters of what others say


@dataclass(frozen=True, slots=True)
class Reachability:
    """The result of a request to an address.

    `status` is the HTTP status, whatever it is, or None if there was no response; `seconds` how
    long that took. `reason` says why there was none, or where a response redirects to. `proxy` is
    the proxy that the environment names for the address, without a user name or a password.
    """

    status: int | None
    seconds: float
    reason: str | None = None
    proxy: str | None = None


def check_reachability(
    base_url: str, *, timeout: float = 5.0, transport: httpx.BaseTransport | None = None
) -> Reachability:
    """Ask `base_url` once, with GET, for at most `timeout` seconds.

    Whatever answers in HTTP counts. Nothing is asked of it but the head of a response. A proxy is
    taken from the environment, unless there is a `transport` (which is left open). Raises
    `ValueError` for an address that no client would ask, without repeating it.
    """
    address = parse_address(base_url, "base_url")
    try:
        proxy = None if transport is not None else proxy_for(address)
    except ValueError as error:
        return Reachability(None, 0.0, str(error))
    shown = None if proxy is None else _without_user(proxy)
    since = time.monotonic()
    try:
        inner = _transport(address, proxy) if transport is None else transport
    except (OSError, ValueError) as error:  # SSL_CERT_FILE names nothing that can be used
        detail = one_line(getattr(error, "strerror", None) or type(error).__name__, _LONGEST)
        return Reachability(
            None, 0.0, f"the certificates to trust cannot be loaded: {detail}", shown
        )
    try:
        reply = _ask(inner, address, timeout)
    finally:
        if transport is None:
            inner.close()
    seconds = time.monotonic() - since
    if isinstance(reply, _Head):
        return Reachability(reply.status, seconds, _redirect(reply, address), shown)
    way = _Route(address, shown, timeout)
    return Reachability(None, seconds, way.describe(reply), shown)


@dataclass(frozen=True, slots=True)
class _Head:
    status: int
    location: str | None


def _transport(address: Address, proxy: str | None) -> httpx.BaseTransport:
    if address.scheme == "https" or (proxy or "").startswith("https:"):
        return httpx.HTTPTransport(httpx.create_ssl_context(), proxy=proxy)
    # To load the certificates of this machine takes longer than to ask it.
    return httpx.HTTPTransport(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), proxy=proxy)


def _ask(inner: httpx.BaseTransport, address: Address, timeout: float) -> _Head | Exception:
    """Return the head of the response, or what went wrong.

    On a thread of its own: looking up a name, and a server that sends a byte now and then, know
    no other end.
    """
    request = httpx.Request(
        "GET",
        str(address),
        headers=_HEADERS,
        extensions={"timeout": httpx.Timeout(timeout).as_dict()},
    )
    replies: queue.SimpleQueue[_Head | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            response = inner.handle_request(request)
            response.close()
            replies.put(_Head(response.status_code, response.headers.get("location")))
        except Exception as error:  # said on the other thread
            replies.put(error)

    threading.Thread(target=ask, daemon=True).start()
    try:
        return replies.get(timeout=timeout)
    except queue.Empty:
        return httpx.ReadTimeout("")


@dataclass(frozen=True, slots=True)
class _Route:
    """The route of a request: to the address, or to a proxy first."""

    address: Address
    proxy: str | None
    timeout: float

    def describe(self, error: Exception) -> str:
        """Describe an error in words."""
        reason = self._reason(error)
        if self.proxy is None or isinstance(error, httpx.ProxyError):
            return reason
        return f"{reason} (through the proxy {self.proxy} of the environment)"

    def _reason(self, error: Exception) -> str:
        if isinstance(error, httpx.ProxyError):
            code = str(error)[:3]
            said = f" (it says {code})" if code.isascii() and code.isdigit() else ""
            return f"the proxy {self.proxy} rejected the request{said}"
        if isinstance(error, httpx.ConnectTimeout):
            return f"no connection within {self.timeout:g} s"
        if isinstance(error, httpx.TimeoutException):
            return f"no response within {self.timeout:g} s"
        for cause in _causes(error):
            if isinstance(cause, socket.gaierror):
                return f"the name {self._host} cannot be resolved (DNS)"
            if isinstance(cause, ConnectionRefusedError):
                return f"the connection was refused: nothing listens at {self._host}:{self._port}"
            if isinstance(cause, ssl.SSLCertVerificationError):
                detail = one_line(cause.verify_message, _LONGEST)
                return f"its certificate is not trusted (TLS): {detail}"
            if isinstance(cause, ssl.SSLError):
                detail = one_line(cause.reason or type(cause).__name__, _LONGEST)
                return f"TLS failed ({detail}): perhaps this port does not use TLS"
        if isinstance(error, httpx.RemoteProtocolError):
            return "the server closed the connection, or does not speak HTTP"
        if isinstance(error, httpx.ConnectError):
            return f"no connection: {_system(error)}"
        if isinstance(error, httpx.NetworkError):
            return f"the connection was lost: {_system(error)}"
        return f"the request could not be made ({type(error).__name__})"

    @property
    def _host(self) -> str:
        return self.address.host if self.proxy is None else httpx.URL(self.proxy).host

    @property
    def _port(self) -> int:
        if self.proxy is None:
            return self.address.port or _PORTS[self.address.scheme]
        url = httpx.URL(self.proxy)
        return url.port or _PORTS.get(url.scheme, 1080)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _system(error: Exception) -> str:
    """Return the message of the operating system, or the kind of the error."""
    for cause in _causes(error):
        if isinstance(cause, OSError) and cause.strerror:
            return one_line(cause.strerror, _LONGEST)
    return type(error).__name__


def _redirect(head: _Head, address: Address) -> str | None:
    """Return the origin that a response redirects to, if that is another one."""
    if not 300 <= head.status < 400 or not head.location:
        return None
    try:
        url = httpx.URL(f"{address}/").join(head.location)
        if address.is_origin_of(url):
            return None
        where = one_line(f"{url.scheme}://{_authority(url)}", _LONGEST)
    except (httpx.InvalidURL, ValueError):
        return "it redirects to an invalid address"
    return f"it redirects to {where}, which is not followed"


def _without_user(proxy: str) -> str:
    url = httpx.URL(proxy)
    return one_line(f"{url.scheme}://{_authority(url)}", _LONGEST)


def _authority(url: httpx.URL) -> str:
    """Return host and port, without a user name or a password."""
    return url.netloc.decode("ascii")
