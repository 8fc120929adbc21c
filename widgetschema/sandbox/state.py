"""`Sandbox`: all that the stand-in remembers. There is no HTTP in it.

Requests are handled in one thread, tests call from others: so every public method takes the lock.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from widgetschema.catalog.store import PLUGIN, bundled
from widgetschema.local_server import without_port
from widgetschema.sandbox.content import (
    Record,
    ServedSchema,
    generate_widgets,
    given_widgets,
    prepare_schema,
)
from widgetschema.sandbox.faults import ActiveFaults, Fault, as_fault
from widgetschema.sandbox.tokens import Tokens

API: Final = "/platform/api/v1"
TOKEN_PATH: Final = "/oauth/token"  # noqa: S105
AUTHORIZE: Final = "/oauth/authorize"
CLIENT_ID: Final = "sandbox-client"
CLIENT_SECRET: Final = "sandbox-secret"  # noqa: S105  protects nothing
REDIRECT_URI: Final = "http://127.0.0.1:8765/callback"
DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Counters:
    """The numbers of requests since the start, or since the last reset.

    `operations`: requests by operation (widgets, schema, exchange, refresh,
    authorize, and unknown for another path or method); those of the control interface do not count.
    `statuses`: responses by status; 0 is a connection closed without one. `exchanges` and
    `refreshes` are those that gave tokens. `in_flight_at_most`: how many requests were being
    answered at one time. `token_hosts`: the names (header Host) under which an Authorization
    header came in.
    """

    operations: Mapping[str, int]
    statuses: Mapping[int, int]
    requests: int
    exchanges: int
    refreshes: int
    in_flight_at_most: int
    token_hosts: tuple[str, ...]

    def __getitem__(self, operation: str) -> int:
        """Return the number of requests of an operation."""
        return self.operations.get(operation, 0)


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request, for a log: `path` without the query, where codes are; status 0 is none."""

    method: str
    path: str
    status: int
    milliseconds: float


class Sandbox:
    """Schemas, widgets, codes and tokens, faults, counters; for the parameters see `app`.

    Attributes:
        url: The origin, such as `http://127.0.0.1:49152`, while `running` serves it.

    Raises:
        ValueError: For an unusable fault, widget, client or time.
        StoreError: If a schema cannot be read.
    """

    url = ""

    def __init__(
        self,
        schemas: Mapping[str, Any] | None = None,
        *,
        widgets: Iterable[Mapping[str, Any]] | None = None,
        count: int = 25,
        seed: int | str = 0,
        latency: float = 0.0,
        faults: Sequence[Fault | str] = (),
        client_id: str = CLIENT_ID,
        client_secret: str = CLIENT_SECRET,
        token_lifetime: float = 3600.0,
        refresh_lifetime: float = 30 * DAY,
        max_age: int | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        source = bundled() if schemas is None else schemas
        self._given = {id: prepare_schema(source[id]) for id in source}
        types = [id for id in self._given if id != PLUGIN]
        self.widgets: tuple[Record, ...] = (
            generate_widgets(types, count, seed) if widgets is None else given_widgets(widgets)
        )
        self.client_id = _visible("client_id", client_id)
        self.client_secret = _visible("client_secret", client_secret)
        self.latency = _seconds("latency", latency)
        self.max_age = max_age
        self.clock = clock = clock or time.time
        self._first_faults = tuple(map(as_fault, faults))
        self._issue = partial(
            Tokens,
            seed,
            clock,
            _seconds("token_lifetime", token_lifetime),
            _seconds("refresh_lifetime", refresh_lifetime),
        )
        self.lock = threading.RLock()
        self.reset()

    def reset(self) -> None:
        """Reset schemas, codes, tokens, faults and counters.

        What is issued from now on is what was issued at first.
        """
        with self.lock:
            self.schemas: dict[str, ServedSchema] = dict(self._given)
            self.tokens = self._issue()
            self.faults = ActiveFaults(self._first_faults)
            self._schema_responses = Counter[str]()
            self._operations = Counter[str]()
            self._statuses = Counter[int]()
            self._grants = Counter[str]()
            self._in_flight = 0
            self._in_flight_at_most = 0
            self._token_hosts: dict[str, None] = {}

    @property
    def base_url(self) -> str:
        """The platform's base address, version segment included."""
        return f"{self.url}{API}"

    @property
    def auth_url(self) -> str:
        """The address that `/oauth/token` is below."""
        return self.url

    @property
    def authorize_url(self) -> str:
        """The authorize page."""
        return f"{self.url}{AUTHORIZE}"

    # What tests do

    def set_schema(self, id: str, schema: Any) -> None:
        """Serve another schema, or one more. Raises `TypeError` if it cannot be JSON."""
        served = prepare_schema(schema)
        with self.lock:
            self.schemas[id] = served

    def remove_schema(self, id: str) -> None:
        """Stop serving a schema."""
        with self.lock:
            self.schemas.pop(id, None)

    def fault(self, *faults: Fault | str) -> None:
        """Add faults, such as `"status=503x2"`. Raises `ValueError`."""
        wanted = [as_fault(fault) for fault in faults]
        with self.lock:
            self.faults.add(wanted)

    def clear_faults(self) -> None:
        """Remove all faults."""
        with self.lock:
            self.faults.clear()

    def code(self, redirect_uri: str = REDIRECT_URI, client_id: str | None = None) -> str:
        """Return a fresh authorization code, as if Allow had been pressed."""
        with self.lock:
            return self.tokens.new_code(client_id or self.client_id, redirect_uri)

    def access_token(self) -> str:
        """Return a fresh access token, without an exchange."""
        with self.lock:
            return self.tokens.new_access(self.client_id)

    def expire_tokens(self) -> None:
        """Expire all access tokens now; refresh tokens stay valid."""
        with self.lock:
            self.tokens.expire_access()

    @property
    def counters(self) -> Counters:
        """The counters as they are now."""
        with self.lock:
            return Counters(
                operations=dict(self._operations),
                statuses=dict(self._statuses),
                requests=self._operations.total(),
                exchanges=self._grants["exchange"],
                refreshes=self._grants["refresh"],
                in_flight_at_most=self._in_flight_at_most,
                token_hosts=tuple(self._token_hosts),
            )

    # What the operations do

    def begin(self, operation: str, host: str, authorised: bool) -> str:
        """Count a request that has come in, and return its id."""
        with self.lock:
            self._operations[operation] += 1
            self._in_flight += 1
            self._in_flight_at_most = max(self._in_flight_at_most, self._in_flight)
            if authorised:
                self._token_hosts[without_port(host)] = None
            return f"sandbox-{self._operations.total():06}"

    def answered(self, status: int) -> None:
        """Count a response before it is sent, so that its receiver finds it counted."""
        with self.lock:
            self._statuses[status] += 1

    def end(self) -> None:
        """Note that a response has been sent."""
        with self.lock:
            self._in_flight = max(0, self._in_flight - 1)  # a reset may have come between

    def count_grant(self, what: str) -> None:
        """Count an exchange or a refresh that gave tokens."""
        self._grants[what] += 1

    def take(self, name: str, operation: str) -> Fault | None:
        """Return the fault with this name, if it happens at this operation now."""
        return self.faults.take((name,), operation)

    def count_schema_response(self, id: str) -> int:
        """Count a response with a schema, and return how many there were before."""
        self._schema_responses[id] += 1
        return self._schema_responses[id] - 1


def _seconds(name: str, value: float) -> float:
    if not 0 <= value < math.inf:
        raise ValueError(f"{name} must be a number of seconds from 0, not {value}")
    return value


def _visible(name: str, text: str) -> str:
    """Return a client ID or secret as in RFC 6749 (appendix A). Raises `ValueError`."""
    if not re.fullmatch("[ -~]+", text):
        raise ValueError(f"{name} must be one or more visible ASCII characters")
    return text
