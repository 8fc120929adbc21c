"""What both clients know: where the platform is, and how it is asked. No I/O."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from widgetschema.platform.client import operations
from widgetschema.platform.client.operations import Place
from widgetschema.platform.client.retrying import Means, Operation
from widgetschema.platform.endpoints import Address, checked_address, proxy_for
from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse
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
