"""How tokens are renewed, step by step; who takes the steps, and how, is not known here.

A renewal is a generator: it yields a `Step` (reading or writing the storage: it may block) or
an `Exchange` (one request to the token endpoint), and is sent what came of it, an error of
ours being a value like any other. So one text serves threads and tasks, and no error has
another one, whose frames might hold a token, as its context.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Final

from widgetschema.errors import (
    ErrorResponse,
    LoginRequired,
    PlatformError,
    TokenStorageError,
    UnusableResponse,
    WidgetSchemaError,
)
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.tokens import Tokens, fits_form, fits_header, seconds_until
from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse

_LOGGER: Final = logging.getLogger("widgetschema")
_PAUSE: Final = 30.0  # seconds until a renewal that nobody needs yet is tried again
_EARLY: Final = 0.1  # of its life: how much earlier a token is renewed, at most


@dataclass(frozen=True, slots=True)
class Step:
    """Something quick that may block, to be called."""

    action: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A refresh, to be sent to the token endpoint."""

    client_id: str
    client_secret: Secret
    refresh_token: Secret


Outcome = Tokens | WidgetSchemaError
Renewal = Generator[Step | Exchange, Any, Outcome]


class Keeper:
    """Knows the tokens in use, and what became of the attempts to renew them.

    Its methods are called by one thread or task at a time, but for `tokens`, `attempts` and
    `is_stale`, which only look. `client_id` and `client_secret` are used in the place of those
    that are kept.
    """

    def __init__(
        self,
        storage: TokenStorage,
        clock: Callable[[], float],
        leeway: float,
        client_id: str | None,
        client_secret: Secret | None,
    ) -> None:
        self.storage = storage
        self.tokens: Tokens | None = None
        self.attempts = 0  # how many have failed
        self._clock = clock
        self._leeway = leeway
        self._client_id = client_id
        self._client_secret = client_secret
        self._seen: Tokens | None = None  # what the storage held when it was last looked at
        self._refused: Secret | None = None  # the refresh token that is known to be no good
        self._failure: WidgetSchemaError | None = None
        self._pause_until = float("-inf")
        self._warned: set[str] = set()

    def first(self) -> Tokens:
        """The tokens in the storage. Raises `LoginRequired` and `TokenStorageError`."""
        if self.tokens is None:
            tokens = self.storage.load()
            if tokens is None:
                raise LoginRequired(f"there are no tokens in {self.storage.describe()}")
            self._seen = self.tokens = tokens
        return self.tokens

    def is_stale(self, tokens: Tokens) -> bool:
        """Whether the tokens should be renewed before they are used.

        That is so if there is no access token yet, or if it is about to expire by what it
        says of itself, and can be renewed.
        """
        if not tokens.access_token:
            return True
        lifetime = seconds_until(tokens.expires_in, tokens.obtained)
        if lifetime is None or self._obstacle(tokens) is not None:
            return False
        now = self._clock()
        early = min(self._leeway, lifetime * _EARLY)
        return now >= max(tokens.obtained + lifetime - early, self._pause_until)

    def settled(self, used: Tokens, attempts: int, needed: bool) -> Outcome | None:
        """What somebody else has come to meanwhile, if that answers the question.

        `used` are the tokens that are to be renewed, `attempts` how many had failed when the
        wait for one's turn began.
        """
        tokens = self.first()
        if _are_others(tokens, used):
            return tokens
        if not needed and not self.is_stale(tokens):
            return tokens
        if self._failure is not None and self.attempts > attempts:
            return copy.copy(self._failure)  # one error, several threads that raise it
        return None

    def failed(self, error: WidgetSchemaError) -> WidgetSchemaError:
        """Remember an attempt that failed."""
        self.attempts += 1
        self._failure = error
        self._pause_until = self._clock() + _PAUSE
        return error

    def renewal(self) -> Renewal:
        """Renew the tokens, unless another process has: with the storage's lock held."""
        tokens = self.first()
        found = yield Step(self.storage.load)
        found = self._taken_over(found, tokens)
        if found is not None:
            return found
        base = self.tokens or tokens
        obstacle = self._obstacle(base)
        if obstacle is not None:
            return LoginRequired(obstacle)
        answer = yield self._exchange(base)
        problem = _problem_of(answer)
        if problem is None:
            return (yield from self._kept(base.renewed(_without_unfit(answer), self._clock())))
        if not _is_refused(problem):
            return problem
        if _oauth_error(problem) == "invalid_grant":
            self._refused = base.refresh_token
        found = yield Step(self.storage.load)
        return self._taken_over(found, base) or LoginRequired(_refusal(problem))

    def _taken_over(self, found: object, used: Tokens) -> Outcome | None:
        """What follows from what the storage holds now, if anything does."""
        if isinstance(found, TokenStorageError):
            return None  # what is in memory is all there is
        if found is None:
            return LoginRequired(f"the tokens in {self.storage.describe()} were removed")
        assert isinstance(found, Tokens)
        if found == self._seen:
            return None
        self._seen = self.tokens = found
        return found if found.access_token and _are_others(found, used) else None

    def _obstacle(self, tokens: Tokens) -> str | None:
        """Why the tokens cannot be renewed."""
        refused = "the access token is no longer accepted, and cannot be renewed"
        if tokens.refresh_token is None:
            return f"{refused}: there is no refresh token in {self.storage.describe()}"
        if tokens.refresh_token == self._refused:
            return "the platform no longer accepts the refresh token"
        if not (self._client_id or tokens.client_id):
            return f"{refused}: the client id is not known (WIDGETSCHEMA_CLIENT_ID)"
        if not (self._client_secret or tokens.client_secret):
            return f"{refused}: the client secret is not known (WIDGETSCHEMA_CLIENT_SECRET)"
        if tokens.auth_url is None:
            return f"{refused}: the token endpoint is not known (WIDGETSCHEMA_AUTH_URL)"
        return None

    def _exchange(self, tokens: Tokens) -> Exchange:
        client_id = self._client_id or tokens.client_id
        client_secret = self._client_secret or tokens.client_secret
        assert client_id  # `_obstacle` has looked at all three
        assert client_secret
        assert tokens.refresh_token
        return Exchange(client_id, client_secret, tokens.refresh_token)

    def _kept(self, renewed: Tokens) -> Renewal:
        """Use renewed tokens, and keep them if that is possible."""
        rotated = self.tokens is None or renewed.refresh_token != self.tokens.refresh_token
        self.tokens = renewed
        error = yield Step(lambda: self.storage.save(renewed))
        if error is None:
            self._seen = renewed
        else:
            self._say_unkept(error, rotated)
        return renewed

    def _say_unkept(self, error: TokenStorageError, rotated: bool) -> None:
        consequence = (
            "the platform has replaced the refresh token, so that the one that is kept may be "
            "worthless: once this process has ended, log in again (widgetschema login)"
            if rotated
            else "other processes, and later ones, will have to renew the access token again"
        )
        if consequence not in self._warned:
            self._warned.add(consequence)
            level = logging.ERROR if rotated else logging.WARNING
            _LOGGER.log(level, "renewed tokens cannot be kept: %s; %s", error, consequence)


def _are_others(tokens: Tokens, used: Tokens) -> bool:
    """Whether tokens were obtained otherwise, even if the platform gave the same again."""
    return (tokens.access_token, tokens.obtained) != (used.access_token, used.obtained)


def _problem_of(answer: object) -> PlatformError | None:
    """What is wrong with the answer to a refresh."""
    if isinstance(answer, PlatformError):
        return answer
    assert isinstance(answer, TokenResponse)
    if fits_header(answer.access_token):
        return None
    return UnusableResponse(
        "the access token in the answer has characters that no header can carry",
        method="POST",
        path="/oauth/token",
    )


def _without_unfit(answer: TokenResponse) -> TokenResponse:
    """The answer, but for a refresh token that could never be sent."""
    if answer.refresh_token is None or fits_form(answer.refresh_token):
        return answer
    return TokenResponse(answer.access_token, answer.expires_in)


def _is_refused(problem: PlatformError) -> bool:
    """Whether the refresh token is no good (RFC 6749, section 5.2): 400, or 401."""
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
