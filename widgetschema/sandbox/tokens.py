"""Codes and tokens of the sandbox: issued, checked, expired. They derive from a seed and a count.

So a run repeats, to the letter; and none of them protects anything.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from widgetschema.sandbox.messages import RequestRefused

CODE_LIFETIME: Final = 600.0  # seconds; RFC 6749, section 4.1.2


@dataclass(slots=True)
class _Issued:
    """One code or token: when it expires, whose it is, and how often it was used."""

    expires: float
    client_id: str
    redirect_uri: str = ""
    used: int = 0


class Tokens:
    """Everything that was issued. Lifetimes are in seconds, the clock in seconds since 1970."""

    def __init__(
        self, seed: int | str, clock: Callable[[], float], lifetime: float, refresh_lifetime: float
    ) -> None:
        self.lifetime = lifetime
        self.refresh_lifetime = refresh_lifetime
        self._seed = seed
        self._clock = clock
        self._made = Counter[str]()
        self._codes: dict[str, _Issued] = {}
        self._access: dict[str, _Issued] = {}
        self._refresh: dict[str, _Issued] = {}

    def new_code(self, client_id: str, redirect_uri: str) -> str:
        """Issue a code for one exchange."""
        code = self._text("code")
        self._codes[code] = _Issued(self._clock() + CODE_LIFETIME, client_id, redirect_uri)
        return code

    def new_access(self, client_id: str) -> str:
        """Issue an access token."""
        token = self._text("access")
        self._access[token] = _Issued(self._clock() + self.lifetime, client_id)
        return token

    def new_refresh(self, client_id: str) -> str:
        """Issue a refresh token."""
        token = self._text("refresh")
        self._refresh[token] = _Issued(self._clock() + self.refresh_lifetime, client_id)
        return token

    def spend_code(self, code: str, client_id: str, redirect_uri: str) -> None:
        """Take a code for an exchange; it is void after that. Raises `RequestRefused`."""
        issued = self._codes.get(code)
        if issued is None:
            raise _invalid("this code was not issued here")
        if issued.used:
            raise _invalid("this code has been used")
        if self._clock() >= issued.expires:
            raise _invalid("this code has expired")
        if issued.client_id != client_id:
            raise _invalid("this code was issued for another client")
        if issued.redirect_uri != redirect_uri:
            raise _invalid("redirect_uri is not the one that the code was issued for")
        issued.used += 1

    def use_refresh(self, token: str, client_id: str, *, void: bool) -> None:
        """Take a refresh token; if `void`, it is good no more. Raises `RequestRefused`."""
        issued = self._refresh.get(token)
        if issued is None or issued.client_id != client_id:
            raise _invalid("this refresh token is unknown")
        if self._clock() >= issued.expires:
            raise _invalid("this refresh token has expired")
        if void:
            del self._refresh[token]

    def use_access(self, token: str, most: int | None = None) -> bool:
        """Take an access token for a call; True if it was used up: `most` calls had been made.

        Raises `RequestRefused`.
        """
        issued = self._access.get(token)
        if issued is None:
            raise RequestRefused(401, "invalid_token", "this access token is unknown")
        if self._clock() >= issued.expires:
            raise RequestRefused(401, "invalid_token", "this access token has expired")
        if most is not None and issued.used >= most:
            issued.expires = self._clock()
            return True
        issued.used += 1
        return False

    def expire_access(self) -> None:
        """Expire all access tokens now."""
        for issued in self._access.values():
            issued.expires = min(issued.expires, self._clock())

    def _text(self, kind: str) -> str:
        self._made[kind] += 1
        key = f"{self._seed}/{kind}/{self._made[kind]}"
        made = sha256(key.encode("utf-8", "surrogatepass")).digest()
        # With + and /, which a client has to encode; never with a leading -, as of an option.
        return b64encode(made).decode().rstrip("=")


def _invalid(reason: str) -> RequestRefused:
    return RequestRefused(400, "invalid_grant", reason)
