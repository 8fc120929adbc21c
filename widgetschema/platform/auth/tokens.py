"""`Tokens`: the tokens of one login as an immutable value, and their form as JSON.

Nothing is read, written or sent here. The JSON form holds secrets in the clear: it exists only
within a `Secret`, and in the storage.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from widgetschema.errors import UnusableResponse
from widgetschema.platform.responses import TokenResponse
from widgetschema.platform.secret import Secret, as_secret

_VISIBLE: Final = re.compile(r"[\x21-\x7e]+")  # what a header carries (RFC 6750, section 2.1)
_PRINTABLE: Final = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]+")  # what a form carries
_SECONDS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?", re.ASCII)
_SECRETS: Final = ("access_token", "refresh_token", "client_secret")
_TEXTS: Final = ("expires_in", "refresh_token_expires_in", "client_id", "auth_url", "account")
_TIMES: Final = ("obtained", "refresh_token_obtained")


def lifetime(expires_in: str | None) -> float | None:
    """Return the lifetime of a token in seconds: a hint, None if there is none.

    The unit and format of `expires_in` are not documented. Only decimal seconds are read, as RFC
    6749 (section 5.1) has them; for anything else, the platform's 401 decides.
    """
    text = expires_in.strip() if isinstance(expires_in, str) else ""
    return (float(text) or None) if _SECONDS.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one login to one platform.

    `obtained` and `refresh_token_obtained` are epoch seconds; `expires_in` and
    `refresh_token_expires_in` the platform's texts as they came, whose unit is not documented.
    `client_id` and `client_secret` are what a refresh needs besides the refresh token. They are
    sent to no other place than `base_url` (the access token) and `auth_url` (all else).
    `account` is a random name made at login and kept over refreshes: it says whose schemas are
    cached. An empty access token means that there is none yet: it takes a refresh to have one.
    """

    access_token: Secret
    base_url: str
    auth_url: str | None = None
    refresh_token: Secret | None = None
    expires_in: str | None = None
    refresh_token_expires_in: str | None = None
    obtained: float = 0.0
    refresh_token_obtained: float = 0.0
    client_id: str | None = None
    client_secret: Secret | None = None
    account: str = field(default_factory=lambda: secrets.token_hex(8))

    def expires_at(self) -> float | None:
        """Return the expiry of the access token in epoch seconds; None if nothing says so."""
        seconds = lifetime(self.expires_in)
        return None if seconds is None else self.obtained + seconds

    def refresh_token_expires_at(self) -> float | None:
        """Return the expiry of the refresh token in epoch seconds; None if nothing says so."""
        seconds = lifetime(self.refresh_token_expires_in)
        return None if seconds is None else self.refresh_token_obtained + seconds

    def to_json(self) -> Secret:
        """Return the tokens as JSON text, for a storage of your own.

        Returns:
            The text, which you `reveal()` where it is written. Encrypt it if you can.
        """
        return Secret(json.dumps({"base_url": self.base_url, **to_members(self)}))

    @staticmethod
    def from_json(text: Secret | str, base_url: str) -> Tokens | None:
        """Return the tokens that `to_json` wrote.

        Args:
            text: What `to_json` returned.
            base_url: The address of the platform that they are used for.

        Returns:
            The tokens; None for any other text, and for tokens of another platform.
        """
        text = text if isinstance(text, Secret) else Secret(text)
        try:
            return _of_platform(json.loads(text.reveal()), base_url)
        except (ValueError, RecursionError):  # it holds the text, so it must not be a context
            return None

    def renewed(self, response: TokenResponse, now: float) -> Tokens:
        """Return these tokens after a refresh.

        The documented answer to a refresh names no refresh token: then the old one goes on.
        """
        refresh_token, since = self.refresh_token, self.refresh_token_obtained
        refresh_expires_in = self.refresh_token_expires_in
        if response.refresh_token:
            refresh_token, since = response.refresh_token, now
            refresh_expires_in = response.refresh_token_expires_in
        return replace(
            self,
            access_token=response.access_token,
            expires_in=response.expires_in,
            obtained=now,
            refresh_token=refresh_token,
            refresh_token_expires_in=refresh_expires_in,
            refresh_token_obtained=since,
        )


def fits_header(secret: Secret) -> bool:
    """Return whether a header can carry a secret: libraries print what they refuse."""
    return _VISIBLE.fullmatch(secret.reveal()) is not None


def fits_form(secret: Secret) -> bool:
    """Return whether a form can carry a secret: no control characters, no surrogates."""
    return _PRINTABLE.fullmatch(secret.reveal()) is not None


def to_members(tokens: Tokens) -> dict[str, Any]:
    """Return the tokens as members of a JSON object, in the clear: bind it to no name."""
    texts = {name: getattr(tokens, name) for name in (*_TEXTS, *_TIMES)}
    hidden = {name: getattr(tokens, name) for name in _SECRETS}
    return {
        **{name: value for name, value in texts.items() if value is not None},
        **{name: secret.reveal() for name, secret in hidden.items() if secret is not None},
    }


def from_members(members: object, base_url: str) -> Tokens | None:
    """Return the tokens that `to_members` wrote, for a platform; None for anything else."""
    if not isinstance(members, Mapping):
        return None
    access_token = _secret(members.get("access_token"))
    if access_token is None:
        return None
    return Tokens(
        access_token,
        base_url,
        auth_url=_text(members.get("auth_url")),
        refresh_token=_secret(members.get("refresh_token")),
        expires_in=_text(members.get("expires_in")),
        refresh_token_expires_in=_text(members.get("refresh_token_expires_in")),
        obtained=_time(members.get("obtained")),
        refresh_token_obtained=_time(members.get("refresh_token_obtained")),
        client_id=_text(members.get("client_id")),
        client_secret=_secret(members.get("client_secret")),
        account=_text(members.get("account")) or "",
    )


def tokens_from(
    response: TokenResponse,
    *,
    base_url: str,
    auth_url: str,
    client_id: str,
    client_secret: Secret | str,
    obtained: float | None = None,
) -> Tokens:
    """Return the tokens of a login, from the response to `Client.exchange_code`.

    Args:
        response: The response. It belongs to a new login: `account` gets a new name.
        base_url: The address of the platform that the tokens are for.
        auth_url: The address that `/oauth/token` is below.
        client_id: The client ID of the app.
        client_secret: The client secret of the app, which a refresh needs.
        obtained: The time of the response, in epoch seconds; by default now.

    Returns:
        The tokens, for a `TokenStorage`.

    Raises:
        UnusableResponse: If a token has characters that cannot be sent back.
    """
    client_secret = as_secret(client_secret)
    refresh_token = response.refresh_token or None
    sendable = refresh_token is None or fits_form(refresh_token)
    if not fits_header(response.access_token) or not sendable:
        raise UnusableResponse(
            "a token in the response has characters that cannot be sent back",
            method="POST",
            path="/oauth/token",
        )
    now = time.time() if obtained is None else obtained
    return Tokens(
        response.access_token,
        base_url,
        auth_url=auth_url,
        refresh_token=refresh_token,
        expires_in=response.expires_in,
        refresh_token_expires_in=response.refresh_token_expires_in,
        obtained=now,
        refresh_token_obtained=now,
        client_id=client_id,
        client_secret=client_secret,
    )


def _of_platform(members: object, base_url: str) -> Tokens | None:
    is_ours = isinstance(members, Mapping) and members.get("base_url") == base_url
    return from_members(members, base_url) if is_ours else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _secret(value: object) -> Secret | None:
    """Return a secret, if it can be sent at all."""
    return Secret(value) if isinstance(value, str) and _PRINTABLE.fullmatch(value) else None


def _time(value: object) -> float:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e12 else 0.0
