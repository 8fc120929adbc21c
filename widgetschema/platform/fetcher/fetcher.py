"""`Fetcher`: the schemas of a platform, by way of a cache, as a source of a catalog.

The cache is a store of its own for each platform and account; its manifest keeps what a conditional
request needs (RFC 9110, section 13), and no header of any request. What is here decides when to
ask, what to believe, and what to keep; how to ask is the client's. A catalog asks it how long an
answer holds, and knows nothing else about time.

Locks, in the order in which they are taken:

1. `_Batch._lock` makes sure that a batch fetches the base schema once. It is held while that is
   fetched, which is safe: a request for the base schema has no base schema itself, so the thread
   that makes it never takes this lock.
2. `Fetcher._lock` guards the outcomes that are remembered. It is held for a few look-ups, never
   while the network, the disk or `warn` is used.
3. The lock of `SharedCalls`.

The lock of the `Cache` is not held together with any of them.
"""

from __future__ import annotations

import copy
import inspect
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, as_completed, wait
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, get_args

from widgetschema.cached import cached_property
from widgetschema.calls import Call, SharedCalls, TooManyCalls, requested_at
from widgetschema.catalog.sources import RETRY, Lookup, emit_warning, is_refusal, retry_pause
from widgetschema.catalog.store import PLUGIN, Store, bundled
from widgetschema.catalog.type_ids import checked_type_id, schema_path
from widgetschema.errors import (
    ErrorResponse,
    InvalidTypeId,
    NotAvailableOffline,
    PlatformError,
    SchemaError,
    Unreachable,
    UnusableResponse,
    WidgetSchemaError,
)
from widgetschema.files import digest
from widgetschema.findings import Provenance
from widgetschema.forks import renew_in_forks
from widgetschema.jsontext import dump
from widgetschema.platform.fetcher.cache import HOUR, NO_STORE, Cache, CachedSchema, cache_folder
from widgetschema.platform.fetcher.clients import Lister, LoopClient, SchemaClient, types_in_use
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.text import duration
from widgetschema.validation import link_checked

if TYPE_CHECKING:
    from widgetschema.platform.client.operations import SchemaResponse

_LOG: Final = logging.getLogger("widgetschema")
Mode = Literal["auto", "offline", "refresh"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
_MAX_STALE: Final = 30 * 24 * HOUR
_OLD: Final = 24 * HOUR  # from then on, a copy is used with a warning, also within a timeout
_MAX_REMEMBERED: Final = 1_000  # ids; beyond that, what holds no longer is forgotten
_NO_BASE: Final = (400, 403, 404, 405, 410, 422)  # what a platform without a base schema says
_MOST_REQUESTS: Final = 100  # at a time, each with a thread, also for ids that nobody has
DEADLINE: Final = 10.0
CONNECTIONS: Final = 10


@dataclass(frozen=True, slots=True)
class Fetched:
    """A schema that was fetched, or found in the cache.

    `text` is the schema as indented JSON, `provenance` says where it came from.
    """

    id: str
    schema: Any
    text: str
    provenance: Provenance


Outcome = Fetched | WidgetSchemaError


class Fetcher(Mapping[str, Any]):
    """The schemas of a platform, cached: a mapping from id to schema, for `Catalog` and by itself.

    Any number of threads may share a fetcher; those that want the same schema share one request.
    Any response, also a bad one, holds for ten seconds at least, except in mode "refresh". Only
    schemas that link are cached. Each platform and account has a folder of its own in `cache`; what
    a response with `no-store` brings stays in memory. Iterating yields the ids in the cache.

    In a coroutine, use `afetch`, or `Catalog.aload` of a catalog with this source: they wait
    without blocking the event loop.

    Args:
        client: Makes the requests. If its `account` is empty, nothing is cached on disk, since it
            cannot tell whose schemas these are. An `AsyncClient` makes them in the event loop of
            asyncio in which the fetcher is made; everything else is done in threads.
        cache: The folder of the cache, None for memory alone.
        mode: "auto": use a cached schema while it is fresh (for the server's max-age, else an
            hour), then ask again, on the condition that it has changed. If the response cannot be
            used (none, an error status, no JSON, a schema that does not link), use the last good
            copy with a warning, for up to 30 days; a refusal (401, 403, 404) is raised all the
            same. "offline": use whatever the cache has, and send nothing. "refresh": ask each time,
            and fail if the response cannot be used.
        plugin: The base schema to use, and where it came from. Without it, the platform is asked
            for the type `plugin`, and if it has none, the bundled one is used.
        deadline: The longest wait of a call in mode "auto", in seconds, however many schemas are
            needed at once; None waits as long as the client does. A later response counts as none,
            and is cached when it comes. For `fetch_many`, each response puts the deadline off.
        clock: Returns the seconds since 1970.
        warn: Called with a sentence; by default it emits a Python warning.

    Raises:
        ValueError: For an unknown mode, or a deadline that is no number of seconds.
        TypeError: For an `AsyncClient`, if no event loop of asyncio is running.
    """

    def __init__(
        self,
        client: SchemaClient,
        *,
        cache: str | os.PathLike[str] | None,
        mode: Mode = "auto",
        plugin: tuple[Any, Provenance] | None = None,
        deadline: float | None = DEADLINE,
        clock: Callable[[], float] = time.time,
        warn: Callable[[str], None] = emit_warning,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode is one of {', '.join(MODES)}, not {mode!r}")
        if deadline is not None and not deadline >= 0:
            raise ValueError(f"deadline is a number of seconds, not {deadline!r}")
        self.client = client
        is_async = inspect.iscoroutinefunction(client.fetch_schema)
        self._client: Any = LoopClient.of_async(client) if is_async else client
        self.mode: Mode = mode
        self.deadline = deadline
        self._clock = clock
        self._warn = warn
        self._cache = Cache(self._folder(cache), clock, warn)
        self._given: dict[str, Fetched] = {}
        self._remembered: dict[str, tuple[Outcome, float, float]] = {}  # … since, until when
        self._failing: set[str] = set()  # ids for which the last good copy is used instead
        self._expired = -math.inf
        self._in_use: tuple[list[str], float] = [], -math.inf  # … until when
        self._requests = SharedCalls("fetch", _MOST_REQUESTS, can_wait=False)
        self._calls = SharedCalls()
        self._heard = self._missed = -math.inf  # the last response; the last late request
        self.after_fork()
        renew_in_forks(self)
        if plugin is not None:
            schema, provenance = plugin
            self._given[PLUGIN] = Fetched(PLUGIN, schema, dump(schema), provenance)

    def __getstate__(self) -> NoReturn:
        raise TypeError(
            "a Fetcher cannot be pickled, since its client holds connections and tokens: make the "
            "catalog in each process, or of a folder of schemas (widgetschema pull)"
        )

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self._lock = threading.Lock()

    def _folder(self, cache: str | os.PathLike[str] | None) -> str | None:
        if cache is None:
            return None
        if not self.client.account:
            self._warn(
                "schemas are cached in memory only, since the client has no name for the "
                "account: give it one (account=...)"
            )
            return None
        return cache_folder(os.fspath(cache), self.client.base_url, self.client.account)

    def __repr__(self) -> str:
        return f"<Fetcher {self.client.base_url} {self.mode}>"

    def __str__(self) -> str:
        return self.client.base_url

    # As a source of a catalog

    def __getitem__(self, id: str) -> Any:
        return self.fetch(id).schema

    def __contains__(self, id: object) -> bool:
        """Return whether the platform has a schema; a request may be made. Raises as `fetch` does.

        An id that the platform does not know (404) is not there; whatever else goes wrong is no
        reason to take another source for it.
        """
        return isinstance(id, str) and self.lookup(id).is_known

    def get(self, id: str, default: Any = None) -> Any:
        """Return the schema with this id, or `default`. Raises as `id in fetcher` does."""
        answer = self.lookup(id)
        return answer.schema if answer.is_known else default

    def lookup(self, id: str) -> Lookup:
        """Look up a schema, and for how long the result holds. Raises as `id in fetcher` does."""
        try:
            fetched = self.fetch(id)
        except InvalidTypeId:
            return Lookup(False)
        except ErrorResponse as error:
            if error.status == 404:
                return Lookup(False, fresh_for=self._fresh_for(id))
            raise
        return Lookup(True, fetched.schema, fetched.provenance, self._fresh_for(id))

    def expire(self) -> None:
        """Ask again at the next look-up, however fresh the responses are."""
        self._expired = self._clock()
        self._remembered.clear()
        self._in_use = self._in_use[0], -math.inf

    def _fresh_for(self, id: str) -> float:
        if id in self._given:
            return math.inf
        return max(0.0, self._remembered.get(id, (None, 0.0, 0.0))[2] - self._clock())

    def __iter__(self) -> Iterator[str]:
        return iter(self._cache.ids())

    def __len__(self) -> int:
        return len(self._cache.ids())

    def list_ids(self) -> tuple[str, ...]:
        """Return the ids of the types in the cache, and of those that the account's widgets have.

        The platform has no list of widget types. Therefore, a type that no widget has, and that was
        never fetched, is missing. The list of widgets is requested at most once an hour, and not in
        mode "offline".

        Returns:
            The ids, each once.

        Raises:
            LoginRequired: If there is no valid token.
            PlatformError: If the platform fails, and the cache is empty; otherwise, that is a
                warning.
        """
        cached = [id for id in self._cache.ids() if id != PLUGIN]
        in_use, until = self._in_use
        if until <= self._clock() and self.mode != "offline" and isinstance(self._client, Lister):
            try:
                in_use = self._types_in_use(self._client)
            except PlatformError as error:
                if not cached and not in_use:
                    raise
                self._warn(f"the list of types may be incomplete: {error}")
                self._in_use = in_use, self._clock() + RETRY
            else:
                self._in_use = in_use, self._clock() + HOUR
        return tuple(dict.fromkeys([*cached, *in_use]))

    def _types_in_use(self, client: Lister) -> list[str]:
        self._refuse_own_loop()
        if self.mode != "auto" or self.deadline is None:
            return types_in_use(client, self._warn)
        request = self._requests.begin(None, partial(types_in_use, client, self._warn))
        wait([request], min(self.deadline, threading.TIMEOUT_MAX))
        if not request.done():
            reason = f"no response within {self.deadline:g} seconds"
            raise Unreachable(reason, method="GET", path="/widgets")
        return request.result()

    def provenance(self, id: str) -> Provenance:
        """Return the provenance of a schema. Raises as `fetch` does."""
        return self.fetch(id).provenance

    # Fetching

    def fetch(self, id: str, *, timeout: float | None = None) -> Fetched:
        """Return a schema, from the cache or from the platform.

        Args:
            id: The id of a widget type, or `plugin`.
            timeout: The longest wait for the platform in mode "auto", in seconds, if it is shorter
                than `deadline`. After that, the copy in the cache is used, and the response is
                cached when it comes. `warn` is called once if the copy is a day old or older.

        Returns:
            The schema, its text, and where it came from.

        Raises:
            InvalidTypeId: For an id that no widget type can have; nothing is sent.
            LoginRequired: If there is no valid token.
            PlatformError: If the platform fails, and there is no copy.
            NotAvailableOffline: In mode "offline", if the cache does not have it.
            SchemaError: If what came is no schema, or does not link.
            TypeError: In the event loop of an `AsyncClient`, which it would block for ever.
        """
        return _fetched_or_raise(self._known(id) or self._outcome(id, timeout))

    async def afetch(self, id: str, *, timeout: float | None = None) -> Fetched:
        """Return a schema without blocking the event loop of asyncio; see `fetch`.

        The look-up is made in a thread (at most 32 at a time), together with that of other tasks. A
        task that is cancelled stops waiting, and what comes is cached all the same.

        Args:
            id: The id of a widget type, or `plugin`.
            timeout: The longest wait for the platform, in seconds.

        Returns:
            The schema, its text, and where it came from.

        Raises:
            WidgetSchemaError: As for `fetch`.
            TypeError: In an event loop that is not one of asyncio.
        """
        outcome = self._known(id)
        if outcome is None:
            key = (id, timeout)
            outcome = await self._calls.result(key, lambda: self._outcome(id, timeout))
        return _fetched_or_raise(outcome)

    def _outcome(self, id: str, timeout: float | None) -> Outcome:
        self._refuse_own_loop()
        outcome = self._look_up(id, _Batch(self), timeout, requested_at())
        self._cache.write()
        return outcome

    def fetch_many(
        self, ids: Iterable[str], connections: int = CONNECTIONS
    ) -> Generator[tuple[str, Outcome], None, None]:
        """Fetch schemas, several at a time.

        What was fetched is written to the cache at the end, or when the caller stops iterating.

        Args:
            ids: The ids of widget types; duplicates are fetched once.
            connections: The number of requests at a time.

        Yields:
            Each id with its schema, or with the error that `fetch` would raise, as they come.
        """
        self._refuse_own_loop()
        batch, calls = _Batch(self), SharedCalls("fetch", max(1, connections))
        begun: dict[Future[Outcome], str] = {}
        for id in dict.fromkeys(ids):
            begun[calls.begin(id, partial(batch.outcome, id))] = id
        try:
            for call in as_completed(begun):
                yield begun[call], call.result()
        finally:
            calls.drop_waiting()
            self._cache.write()

    def _refuse_own_loop(self) -> None:
        if isinstance(self._client, LoopClient):
            self._client.refuse_own_loop()

    def _known(self, id: str) -> Outcome | None:
        """Return the outcome that is remembered; None if a request is needed."""
        if id in self._given:
            return self._given[id]
        outcome, since, until = self._remembered.get(id, (None, math.inf, 0.0))
        return outcome if since <= self._clock() < until else None  # clocks are set back, too

    def _remember(self, id: str, outcome: Outcome, seconds: float) -> None:
        """Know it for so long."""
        if self.mode == "refresh":
            return
        now = self._clock()
        if len(self._remembered) >= _MAX_REMEMBERED:
            for other, (_, _, until) in [*self._remembered.items()]:
                if until <= now:
                    self._remembered.pop(other, None)
        until = now + max(RETRY, seconds if self.mode == "auto" else 0.0)
        self._remembered[id] = outcome, now, until

    def _look_up(
        self,
        id: str,
        batch: _Batch,
        timeout: float | None = None,
        began: float | None = None,
    ) -> Outcome:
        """Return the outcome that is remembered, or that of a request, which threads share.

        It is waited for until `timeout`, at most `deadline`, seconds after `began`, a time of the
        monotonic clock; None is now.
        """
        try:
            checked_type_id(id)
        except InvalidTypeId as error:
            return error
        try:
            with self._lock:  # a request is under way until its outcome is known
                known = self._known(id)
                if known is not None:
                    return known
                request = self._requests.begin(id, partial(self._resolve, id, batch))
        except TooManyCalls:
            reason = f"{_MOST_REQUESTS} other schemas are being requested"
            busy = Unreachable(reason, method="GET", path=schema_path(id))
            return self._fallback(id, self._cache.find(id, batch.store), busy)[0]
        if self.mode != "auto" or (self.deadline is None and timeout is None):
            return request.result()
        deadline = math.inf if self.deadline is None else self.deadline
        seconds = deadline if timeout is None else min(max(0.0, timeout), deadline)
        now = time.monotonic()
        end = min(request.since + deadline, (now if began is None else began) + seconds)
        if self._missed > self._heard and self._cache.find(id, batch.store) is not None:
            end = now  # nothing has come since a request that is late
        if not request.done():
            wait([request], min(max(0.0, end - now), threading.TIMEOUT_MAX))
        if request.done():
            return request.result()
        return self._without_waiting(id, request, batch, seconds, is_final=seconds == deadline)

    def _without_waiting(
        self, id: str, request: Call[Outcome], batch: _Batch, seconds: float, *, is_final: bool
    ) -> Outcome:
        """Return the outcome of a request that is not waited for any longer.

        What the deadline brings (`is_final`) holds for everyone, an error before it for this call
        only.
        """
        self._missed = max(self._missed, request.since)
        request.add_done_callback(lambda _: self._cache.write())
        known = self._known(id)
        if known is not None:  # it has come, or another thread has been here
            return known
        reason = f"no response within {seconds:g} seconds"
        error = Unreachable(reason, method="GET", path=schema_path(id))
        cached = self._cache.find(id, batch.store)
        is_young = not is_final and cached is not None and 0 <= cached.age < _OLD
        outcome, lifetime = self._fallback(id, cached, error, is_quiet=is_young)
        with self._lock:
            if request.done():  # meanwhile: what came is newer
                return request.result()
            if is_final or not isinstance(outcome, WidgetSchemaError):
                self._remember(id, outcome, lifetime)
        return outcome

    def _resolve(self, id: str, batch: _Batch) -> Outcome:
        """Return the schema of the cache or the platform, and remember it.

        This runs in a thread of its own: those who wait may have to go on without it.
        """
        outcome, seconds = self._resolved(id, batch)
        with self._lock:
            self._remember(id, outcome, seconds)
        return outcome

    def _resolved(self, id: str, batch: _Batch) -> tuple[Outcome, float]:
        """Return the schema of the cache or the platform, and for how many seconds it holds."""
        cached = self._cache.find(id, batch.store)
        is_fresh = cached is not None and self._is_fresh(cached)
        _LOG.debug("schema %r: %s", id, self._decision(cached, is_fresh=is_fresh))
        try:
            if cached is None and self.mode == "offline":
                reason = f"it is not in the cache for {self.client.base_url}"
                raise NotAvailableOffline(id, reason)
            if cached is None or (self.mode != "offline" and not is_fresh):
                cached, is_fresh = self._revalidate(id, cached, batch), True
                self._heard = time.monotonic()
        except WidgetSchemaError as error:
            if not isinstance(error, Unreachable):
                self._heard = time.monotonic()
            return self._fallback(id, cached, error)
        return self._fetched(id, cached, stale=not is_fresh), cached.lifetime - cached.age

    def _decision(self, cached: CachedSchema | None, *, is_fresh: bool) -> str:
        """Describe what is done with the copy in the cache, for the log."""
        if cached is None:
            return "not in the cache"
        checked = f"checked {duration(cached.age)} ago"
        if self.mode == "offline":
            return f"offline: the copy in the cache is used, {checked}"
        if is_fresh:
            return f"the copy in the cache is fresh, {checked}"
        return f"the copy in the cache was {checked}: asking the platform whether it has changed"

    def _is_fresh(self, cached: CachedSchema) -> bool:
        if self.mode == "refresh":
            return False
        return cached.fresh and self._clock() - cached.age > self._expired

    def _fallback(
        self,
        id: str,
        cached: CachedSchema | None,
        error: WidgetSchemaError,
        *,
        is_quiet: bool = False,
    ) -> tuple[Outcome, float]:
        """Return the last good copy if a response cannot be used, unless it is a refusal."""
        if cached is not None and self.mode == "auto" and cached.age <= _MAX_STALE:
            if isinstance(error, (PlatformError, SchemaError)) and not is_refusal(error):
                with self._lock:
                    is_told = is_quiet or id in self._failing
                    self._failing |= set() if is_quiet else {id}
                if not is_told:
                    self._warn(
                        f"the schema of widget type {id!r} is a copy of {duration(cached.age)} "
                        f"ago, and may be stale: {error}"
                    )
                _LOG.debug("schema %r: the copy in the cache is used instead: %s", id, error)
                failing = cached.age - cached.lifetime
                return self._fetched(id, cached, stale=True), retry_pause(failing)
        if id == PLUGIN and isinstance(error, ErrorResponse) and error.status in _NO_BASE:
            about = {"source": "bundled", "checked": self._clock()}
            cached = self._cache.add(id, bundled()[PLUGIN], about)
            return self._fetched(id, cached, stale=False), cached.lifetime
        if id == PLUGIN and isinstance(error, NotAvailableOffline):  # which says nothing about it
            return _bundled_plugin(), 0.0
        return error, 0.0

    def _revalidate(self, id: str, cached: CachedSchema | None, batch: _Batch) -> CachedSchema:
        """Return the schema of the platform: another one, or the cached one, fresh again.

        What a response without a body (304) does not say is as it was (RFC 9111, section 4.3.4).
        """
        response = self._request(id, cached)
        now = self._clock()
        about: dict[str, Any] = {"source": self.client.base_url, "fetched": _iso(now)}
        schema = response.schema
        said = {name: getattr(response, name) for name in ("etag", "last_modified", "max_age")}
        if response.not_modified and cached is not None:
            about, schema = {**cached.entry.about}, cached.schema
        else:
            _check(id, schema, batch)
        if response.cache_control is not None:
            about.pop("max_age", None)
            about.pop(NO_STORE, None)
        about |= {name: value for name, value in said.items() if value is not None}
        about["checked"] = now
        if response.no_store:
            about[NO_STORE] = True
        self._failing.discard(id)
        return self._cache.add(id, schema, about)

    def _request(self, id: str, cached: CachedSchema | None) -> SchemaResponse:
        """Request a schema; a 304 is a response only for one that is cached."""
        if cached is not None:
            etag, last_modified = cached.entry.text("etag"), cached.entry.text("last_modified")
            response: SchemaResponse = self._client.fetch_schema(
                id, etag=etag, last_modified=last_modified
            )
            if not response.not_modified or etag is not None or last_modified is not None:
                return response
        response = self._client.fetch_schema(id)
        if response.not_modified:
            reason = "it is a 304 to an unconditional request"
            raise UnusableResponse(reason, method="GET", path=schema_path(id), status=304)
        return response

    def _fetched(self, id: str, cached: CachedSchema, *, stale: bool) -> Fetched:
        origin = cached.entry.text("source") or self.client.base_url
        if id == PLUGIN and origin == "bundled":
            return _bundled_plugin()
        text = dump(cached.schema)
        moment = _iso(self._clock() - cached.age)
        made = Provenance(id, origin, digest(text.encode()), origin, moment, stale)
        return Fetched(id, cached.schema, text, made)


class _Batch(Mapping[str, Any]):
    """Schemas that are fetched together, with one cache and one base schema.

    As a mapping it is that base schema, which is fetched when a schema asks for it.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._began = time.monotonic()
        self._base: Outcome | None = None
        self._lock = threading.Lock()

    @cached_property
    def store(self) -> Store | None:
        """The folder of the cache."""
        return self._fetcher._cache.store()

    def outcome(self, id: str) -> Outcome:
        """Return a schema, or what went wrong with it.

        For all of them, there is one deadline, which each response puts off.
        """
        if id != PLUGIN:
            began = max(self._began, self._fetcher._heard)
            return self._fetcher._look_up(id, self, began=began)
        with self._lock:
            if self._base is None:
                self._base = self._fetcher._look_up(PLUGIN, self)
            return self._base

    def __getitem__(self, name: str) -> Any:
        if name != PLUGIN:
            raise KeyError(name)
        base = self.outcome(PLUGIN)
        if isinstance(base, WidgetSchemaError):
            raise copy.copy(base)
        return base.schema

    def __iter__(self) -> Iterator[str]:
        return iter([PLUGIN])

    def __len__(self) -> int:
        return 1


def _check(id: str, schema: Any, batch: _Batch) -> None:
    """Raise if this is no schema that links: perhaps a login page, or an error in disguise."""
    if type(schema) is not dict or not schema.keys() & METASCHEMA["properties"].keys():
        reason = "the response is not a JSON Schema: it has no keyword of draft-07"
        raise UnusableResponse(reason, method="GET", path=schema_path(id), status=200)
    link_checked(schema, {} if id == PLUGIN else batch, id=id)


def _bundled_plugin() -> Fetched:
    schema = bundled()[PLUGIN]
    return Fetched(PLUGIN, schema, dump(schema), bundled().provenance(PLUGIN))


def _fetched_or_raise(outcome: Outcome) -> Fetched:
    if isinstance(outcome, WidgetSchemaError):
        raise copy.copy(outcome)  # others raise it, too, each with a traceback of its own
    return outcome


def _iso(moment: float) -> str:
    """Return a moment (seconds since 1970) as an ISO 8601 text, UTC."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):  # the manifest was edited
        return "1970-01-01T00:00:00Z"
