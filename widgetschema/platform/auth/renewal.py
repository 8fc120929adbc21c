"""The authentication protocol as generators: which token a request gets, and how it is renewed.

No I/O: the generators yield steps and receive their replies. An error of ours is a reply like any
other, so that no error has another one, whose frames might hold a token, as its context. `auth`
takes the steps, in threads or in tasks.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import httpx

from widgetschema.errors import (
    ErrorResponse,
    LoginRequired,
    PlatformError,
    TokenStorageError,
    UnusableResponse,
    WidgetSchemaError,
)
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.tokens import Tokens, fits_form, fits_header, lifetime
from widgetschema.platform.responses import TokenResponse
from widgetschema.platform.secret import Secret

_LOGGER: Final = logging.getLogger("widgetschema")
_PAUSE: Final = 30.0  # seconds until a renewal that is not needed yet is tried again
_EARLY: Final = 0.1  # of its life: how much earlier a token is renewed, at most


@dataclass(frozen=True, slots=True)
class Blocking:
    """Call `action`, which may block for a moment; the reply is its result, or our error."""

    action: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Acquire:
    """Hold `lock` until the steps end; the reply is None, or our error."""

    lock: Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Refresh:
    """Send a refresh to the token endpoint; the reply is its response, or our error."""

    client_id: str
    client_secret: Secret
    refresh_token: Secret


@dataclass(frozen=True, slots=True)
class Exclusive:
    """Take these steps to their end, one such run at a time; the reply is their outcome."""

    steps: Steps


@dataclass(frozen=True, slots=True)
class Discard:
    """Close a response without reading its body; the reply is None."""

    response: httpx.Response


Outcome = Tokens | WidgetSchemaError
Steps = Generator[Blocking | Acquire | Refresh, Any, Outcome]
# Yields a request (the reply is its response), `Exclusive` or `Discard`.
AuthFlow = Generator[httpx.Request | Exclusive | Discard, Any, None]


class TokenManager:
    """The tokens in use, and what became of the attempts to renew them.

    The steps of one run are taken by one thread or task at a time (see `Exclusive`). `client_id`
    and `client_secret` take precedence over the stored ones. `advice` says how to log in.
    """

    def __init__(
        self,
        storage: TokenStorage,
        clock: Callable[[], float],
        leeway: float,
        client_id: str | None,
        client_secret: Secret | None,
        advice: str | None,
    ) -> None:
        self._storage = storage
        self._tokens: Tokens | None = None
        self._failures = 0
        self._clock = clock
        self._leeway = leeway
        self._client_id = client_id
        self._client_secret = client_secret
        self._advice = advice
        self._seen: Tokens | None = None  # what the storage held when it was last read
        self._refused: Secret | None = None  # the refresh token that is known to be invalid
        self._failure: WidgetSchemaError | None = None
        self._pause_until = float("-inf")
        self._warned: set[str] = set()

    def auth_flow(self, request: httpx.Request) -> AuthFlow:
        """Authenticate a request: yield it with a valid token, and once more after a 401.

        Raises `LoginRequired`, `TokenStorageError`, and the `PlatformError` of a refresh that was
        needed.
        """
        tokens = self._tokens
        if tokens is None:
            tokens = _tokens_or_raise((yield Exclusive(self._loading())))
        if self.is_stale(tokens):
            tokens = yield from self._renewed(tokens, needed=not tokens.access_token)
        self._put(request, tokens)
        response = yield request
        if response.status_code == 401:
            path = request.url.raw_path.partition(b"?")[0].decode("ascii")
            _LOGGER.debug("%s %s → 401: the access token was refused", request.method, path)
            yield Discard(response)
            tokens = yield from self._renewed(tokens, needed=True)
            self._put(request, tokens)
            yield request

    def _renewed(
        self, used: Tokens, *, needed: bool
    ) -> Generator[httpx.Request | Exclusive | Discard, Any, Tokens]:
        outcome = yield Exclusive(self._renewal(used, self._failures, needed))
        return used if isinstance(outcome, Exception) and not needed else _tokens_or_raise(outcome)

    def _loading(self) -> Steps:
        """Load the tokens from the storage, unless they have been loaded."""
        outcome: Outcome = yield Blocking(self._first)
        return outcome

    def _first(self) -> Tokens:
        if self._tokens is None:
            tokens = self._storage.load()
            if tokens is None:
                raise self._login_required(f"there are no tokens in {self._storage.describe()}")
            self._seen = self._tokens = tokens
        return self._tokens

    def is_stale(self, tokens: Tokens) -> bool:
        """Return whether the tokens should be renewed before they are used.

        That is so if there is no access token yet, or if it is about to expire by what it
        says of itself, and can be renewed.
        """
        if not tokens.access_token:
            return True
        seconds = lifetime(tokens.expires_in)
        if seconds is None or self._why_not_renewable(tokens) is not None:
            return False
        now = self._clock()
        early = min(self._leeway, seconds * _EARLY)
        return now >= max(tokens.obtained + seconds - early, self._pause_until)

    def _renewal(self, used: Tokens, failures: int, needed: bool) -> Steps:
        """Renew the tokens, unless another thread, task or process has.

        `used` are the tokens to be renewed, `failures` how many renewals had failed when the wait
        for this run began.
        """
        outcome = self._outcome_of_others(used, failures, needed)
        if outcome is not None:
            return outcome
        error = yield Acquire(self._storage.lock)
        outcome = error or (yield from self._locked_renewal())
        if isinstance(outcome, Exception):
            self._failures += 1
            self._failure = outcome
            self._pause_until = self._clock() + _PAUSE
        return outcome

    def _outcome_of_others(self, used: Tokens, failures: int, needed: bool) -> Outcome | None:
        """Return the outcome of another thread or task meanwhile, if there is one."""
        tokens = self._first()
        if _are_others(tokens, used):
            return tokens
        if not needed and not self.is_stale(tokens):
            return tokens
        if self._failure is not None and self._failures > failures:
            return copy.copy(self._failure)  # one error, several threads that raise it
        return None

    def _locked_renewal(self) -> Steps:
        """Renew the tokens, unless another process has: with the storage's lock held."""
        tokens = self._first()
        outcome = self._adopt((yield Blocking(self._storage.load)), tokens)
        if outcome is not None:
            return outcome
        base = self._tokens or tokens
        obstacle = self._why_not_renewable(base)
        if obstacle is not None:
            return self._login_required(obstacle)
        response = yield self._refresh(base)
        problem = _problem_of(response)
        if problem is None:
            renewed = base.renewed(_without_unsendable(response), self._clock())
            return (yield from self._store(renewed))
        if not _is_refused(problem):
            return problem
        if _oauth_error(problem) == "invalid_grant":
            self._refused = base.refresh_token
        outcome = self._adopt((yield Blocking(self._storage.load)), base)
        return outcome or self._login_required(_refusal(problem))

    def _login_required(self, reason: str) -> LoginRequired:
        return _login_required(reason, self._advice)

    def _put(self, request: httpx.Request, tokens: Tokens) -> None:
        put_token(request, tokens.access_token, self._advice)

    def _adopt(self, loaded: object, used: Tokens) -> Outcome | None:
        """Adopt the tokens that the storage holds now, if they are new; None if they are not."""
        if isinstance(loaded, TokenStorageError):
            return None  # what is in memory is all there is
        if isinstance(loaded, WidgetSchemaError):
            return loaded
        if loaded is None:
            reason = f"the tokens in {self._storage.describe()} were removed"
            return self._login_required(reason)
        assert isinstance(loaded, Tokens)
        if loaded == self._seen:
            return None
        self._seen = self._tokens = loaded
        return loaded if loaded.access_token and _are_others(loaded, used) else None

    def _why_not_renewable(self, tokens: Tokens) -> str | None:
        """Return the reason why tokens cannot be renewed, None if they can."""
        refused = "the access token is no longer accepted, and cannot be renewed"
        if tokens.refresh_token is None:
            return f"{refused}: there is no refresh token in {self._storage.describe()}"
        if tokens.refresh_token == self._refused:
            return "the platform no longer accepts the refresh token"
        if not (self._client_id or tokens.client_id):
            return f"{refused}: the client id is not known (WIDGETSCHEMA_CLIENT_ID)"
        if not (self._client_secret or tokens.client_secret):
            return f"{refused}: the client secret is not known (WIDGETSCHEMA_CLIENT_SECRET)"
        if tokens.auth_url is None:
            return f"{refused}: the token endpoint is not known (WIDGETSCHEMA_AUTH_URL)"
        return None

    def _refresh(self, tokens: Tokens) -> Refresh:
        client_id = self._client_id or tokens.client_id
        client_secret = self._client_secret or tokens.client_secret
        assert client_id  # `_why_not_renewable` has looked at all three
        assert client_secret
        assert tokens.refresh_token
        return Refresh(client_id, client_secret, tokens.refresh_token)

    def _store(self, renewed: Tokens) -> Steps:
        """Use renewed tokens, and store them if that is possible."""
        rotated = self._tokens is None or renewed.refresh_token != self._tokens.refresh_token
        self._tokens = renewed
        error = yield Blocking(lambda: self._storage.save(renewed))
        if error is None:
            self._seen = renewed
        else:
            self._warn_unstored(error, rotated)
        return renewed

    def _warn_unstored(self, error: TokenStorageError, rotated: bool) -> None:
        consequence = (
            "the platform has replaced the refresh token, so the stored one may be "
            "worthless: once this process has ended, log in again"
            if rotated
            else "other processes, and later ones, have to renew the access token again"
        )
        if consequence not in self._warned:
            self._warned.add(consequence)
            level = logging.ERROR if rotated else logging.WARNING
            _LOGGER.log(level, "renewed tokens cannot be stored: %s; %s", error, consequence)


def _tokens_or_raise(outcome: Outcome) -> Tokens:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def put_token(request: httpx.Request, token: Secret, advice: str | None) -> None:
    """Add a token to a request. Raises `LoginRequired` if a header cannot contain it."""
    if not fits_header(token):  # libraries show the header that they refuse
        reason = "the access token has characters that a header cannot contain"
        if not token:
            reason = "the access token is empty"
        raise _login_required(reason, advice)
    request.headers["Authorization"] = f"Bearer {token.reveal()}"


def _login_required(reason: str, advice: str | None) -> LoginRequired:
    return LoginRequired(reason) if advice is None else LoginRequired(reason, advice)


def _are_others(tokens: Tokens, used: Tokens) -> bool:
    """Return whether tokens were obtained at another time, even if they are the same."""
    return (tokens.access_token, tokens.obtained) != (used.access_token, used.obtained)


def _problem_of(response: object) -> PlatformError | None:
    """Return the error of an unusable response to a refresh."""
    if isinstance(response, PlatformError):
        return response
    assert isinstance(response, TokenResponse)
    if fits_header(response.access_token):
        return None
    return UnusableResponse(
        "the access token in the response has characters that a header cannot contain",
        method="POST",
        path="/oauth/token",
    )


def _without_unsendable(response: TokenResponse) -> TokenResponse:
    """Return the response without a refresh token that could never be sent."""
    if response.refresh_token is None or fits_form(response.refresh_token):
        return response
    return TokenResponse(response.access_token, response.expires_in)


def _is_refused(problem: PlatformError) -> bool:
    """Return whether the refresh token is invalid (RFC 6749, section 5.2): 400, or 401."""
    return isinstance(problem, ErrorResponse) and (
        _oauth_error(problem) == "invalid_grant" or problem.status in (400, 401)
    )


def _refusal(problem: PlatformError) -> str:
    error = _oauth_error(problem)
    if error in ("invalid_client", "unauthorized_client"):
        return f"the token endpoint does not accept the client id and client secret ({error})"
    said = f"{problem.status} {error}" if error == "invalid_grant" else f"{problem.status}"
    return f"the token endpoint does not accept the refresh token ({said})"


def _oauth_error(problem: PlatformError) -> str | None:
    error = getattr(problem, "oauth_error", None)
    return error if isinstance(error, str) else None
