"""Logging in: the address to open (RFC 6749, section 4.1.1), and a code for tokens (4.1.3).

Nothing is printed here, and nobody is asked. The listener is in `callback.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlencode, urlsplit, urlunsplit

from widgetschema.errors import UnusableResponse
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.tokens import Tokens, fits_form, fits_header
from widgetschema.platform.endpoints import checked_address
from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse


class Exchanger(Protocol):
    """What is needed of a `Client`: the code exchange of PLATFORM.md, section 4.3."""

    def exchange_code(
        self, *, client_id: str, client_secret: Secret, code: Secret, redirect_uri: str
    ) -> TokenResponse:
        """Raises `PlatformError`."""
        ...


def new_state() -> str:
    """A text that nobody can guess (RFC 6749, section 10.12)."""
    return secrets.token_urlsafe(24)


def authorize_request(authorize_url: str, client_id: str, redirect_uri: str, state: str) -> str:
    """The address to open in a browser; a query that the address has is kept.

    Raises `ValueError`, without the text, for what is no http(s) address.
    """
    base, _, query = authorize_url.strip().partition("?")
    checked_address(base, "the authorize URL")
    if "#" in query:
        raise ValueError("the authorize URL must not have a fragment (#)")
    parts = urlsplit(base)
    fields = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "state": state,
    }
    whole = "&".join(part for part in (query, urlencode(fields)) if part)
    return urlunsplit(parts._replace(query=whole))


def exchange(
    endpoint: Exchanger,
    storage: TokenStorage,
    *,
    base_url: str,
    auth_url: str,
    client_id: str,
    client_secret: Secret,
    code: Secret,
    redirect_uri: str,
    clock: Callable[[], float],
) -> Tokens:
    """Spend the code, and keep what it gives: the tokens, of an account with a new name.

    A code can be spent once: see first whether the storage can be written (`probe`). Raises
    `PlatformError` and `TokenStorageError`.
    """
    response = endpoint.exchange_code(
        client_id=client_id, client_secret=client_secret, code=code, redirect_uri=redirect_uri
    )
    refresh_token = response.refresh_token or None
    sendable = refresh_token is None or fits_form(refresh_token)
    if not fits_header(response.access_token) or not sendable:
        raise UnusableResponse(
            "a token in the answer has characters that cannot be sent back",
            method="POST",
            path="/oauth/token",
        )
    now = clock()
    tokens = Tokens(
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
    with storage.lock():
        storage.save(tokens)
    return tokens
