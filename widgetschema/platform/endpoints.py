"""Addresses: which may be asked, what their origin is, and through which proxy they are reached."""

from __future__ import annotations

import importlib.util
import ipaddress
import re
import urllib.request
from dataclasses import dataclass
from typing import Final

import httpx

_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")


@dataclass(frozen=True, slots=True)
class Address:
    """A base address: `origin` as in `https://host:8443`, `path` raw, without a last slash."""

    scheme: str
    host: str  # as it is sent: lower case, IDNA
    port: int | None  # None: the scheme's own
    path: str

    def __str__(self) -> str:
        return f"{self.origin}{self.path}"

    @property
    def origin(self) -> str:
        """Scheme, host and port (RFC 6454), without the scheme's own port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port is None else f":{self.port}")

    @property
    def is_loopback(self) -> bool:
        """True if what is sent there stays on this machine."""
        if self.host == "localhost":
            return True
        return _is_ip(self.host) and ipaddress.ip_address(self.host).is_loopback

    def is_origin_of(self, url: httpx.URL) -> bool:
        """Return whether `url` has the same scheme, host and port."""
        mine = (self.scheme, self.host, self.port or _PORTS[self.scheme])
        return mine == (
            url.scheme,
            url.raw_host.decode("ascii"),
            url.port or _PORTS.get(url.scheme),
        )


def parse_address(text: str, name: str, *, insecure: bool = False) -> Address:
    """Parse and check an address; `name` is what errors call it.

    http(s) with a host; no user, query or fragment, since each would get lost or be sent where
    it should not. Plain http is for this machine only, unless `insecure`: anybody on the way
    could read the token. Raises `ValueError`, which does not repeat `text`: there may be a
    password in it.
    """
    url = _parsed(text)
    if url is None or url.scheme not in _PORTS or not _is_host(url) or url.port == 0:
        raise ValueError(f"{name} is not an address such as https://host/path")
    if url.userinfo:
        raise ValueError(f"{name} has a user name or a password: remove everything up to the @")
    if "?" in text or "#" in text:
        raise ValueError(f"{name} has a query or a fragment: remove everything from ? or # on")
    host, path = url.raw_host.decode("ascii"), url.raw_path.decode("ascii").rstrip("/")
    port = None if url.port == _PORTS[url.scheme] else url.port
    address = Address(url.scheme, host, port, path)
    if url.scheme == "http" and not insecure and not address.is_loopback:
        raise ValueError(
            f"{name} is plain http, so anyone on the way could read the token: use https "
            "(http is for this machine only)"
        )
    return address


def proxy_for(address: Address) -> str | None:
    """Return the proxy for an address, from `HTTPS_PROXY` and so on, and `NO_PROXY`.

    None for this machine, whatever the environment says: what may be plain http because it
    stays here must not leave through a proxy. Raises `ValueError` for what is no proxy, without
    repeating it: there may be a password in it.
    """
    if address.is_loopback or urllib.request.proxy_bypass(address.host):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    if not proxy:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    url = _parsed(proxy)
    if url is None or url.scheme not in _proxy_schemes() or not _is_host(url):
        name = f"{address.scheme.upper()}_PROXY (or ALL_PROXY)"
        raise ValueError(
            f"{name} in the environment is not a usable proxy such as http://host:port"
        )
    return proxy


def _proxy_schemes() -> tuple[str, ...]:
    socks = importlib.util.find_spec("socksio") is not None  # an extra of httpx
    return (*_PORTS, "socks5", "socks5h") if socks else tuple(_PORTS)


def _is_host(url: httpx.URL) -> bool:
    """Return whether a URL has a valid host and port."""
    host = url.raw_host.decode("ascii")
    return bool(_is_ip(host) or _NAME.fullmatch(host)) and (url.port or 0) < 2**16


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _parsed(text: object) -> httpx.URL | None:
    if not isinstance(text, str):
        return None
    try:
        return httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError):  # its text would repeat what it was given
        return None
