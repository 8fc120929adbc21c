"""`Fetcher`: the schemas of a platform, by way of a cache, as a source of a catalog.

The cache is a store whose files are named by digest, one for each platform and account; its
manifest keeps what a conditional request needs (RFC 9110, section 13), and no header of any
request. What is here decides when to ask, what to believe, and what to keep; how to ask is the
client's.
"""

from __future__ import annotations

import inspect
import math
import os
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, get_args

from widgetschema.catalog import Lookup
from widgetschema.documents import dump
from widgetschema.errors import (
    ErrorResponse,
    InvalidTypeId,
    NotAvailableOffline,
    Unreachable,
    UnusableResponse,
    WidgetSchemaError,
)
from widgetschema.fetcher.caching import HOUR, Cache, Kept
from widgetschema.fetcher.client import Answer, SchemaClient
from widgetschema.fetcher.together import at_once
from widgetschema.findings import Provenance, duration
from widgetschema.metaschema import METASCHEMA
from widgetschema.platform.type_ids import checked_type_id, schema_path
from widgetschema.store import (
    PLUGIN,
    New,
    Store,
    bundled,
    digest,
)
from widgetschema.validator import link_checked

Mode = Literal["auto", "offline", "refresh"]
MODES: Final[tuple[str, ...]] = get_args(Mode)
_MOST_STALE: Final = 30 * 24 * HOUR
_A_LOOK: Final = 10.0  # seconds that one look may take, of a catalog or of a pull
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


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=2)


class Fetcher(Mapping[str, Any]):
    """The schemas of a platform: a mapping from id to schema, for `Catalog` and by itself.

    `mode` is "auto": from the cache while that is fresh (for the server's max-age, else an
    hour), then asked again on the condition that it has changed; if there is no answer, or 429 or
    5xx, the stale copy with a warning, for up to 30 days. Or "offline": whatever the cache has.
    Or "refresh": ask each time, and fail if there is no answer. A refusal (401, 403, 404) is never
    answered from the cache.

    `cache` is a folder, None for none. `plugin` is the base schema to use, with where it came
    from; without it the platform is asked for the type `plugin`, and if it has none, the bundled
    one is used. `warn` gets a sentence; by default it becomes a Python warning. Only what links
    is kept. Safe to share among threads.

    Iterating gives the ids that the cache has. Looking up an id raises what `fetch` raises.
    """

    def __init__(
        self,
        client: SchemaClient,
        *,
        cache: str | os.PathLike[str] | None,
        mode: Mode = "auto",
        plugin: tuple[Any, Provenance] | None = None,
        clock: Callable[[], float] = time.time,
        warn: Callable[[str], None] = _warn,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode is one of {', '.join(MODES)}, not {mode!r}")
        self.client = client
        self.mode: Mode = mode
        self._cache = Cache(None if cache is None else os.fspath(cache), clock, warn)
        self._clock = clock
        self._warn = warn
        if inspect.iscoroutinefunction(client.fetch_schema):
            raise TypeError("a Fetcher takes a Client, and runs its requests on threads")
        self._given: dict[str, Fetched] = {}
        self._done: dict[str, Fetched] = {}
        self._missing: dict[str, ErrorResponse] = {}
        self._until: dict[str, float] = {}
        self._expired = -math.inf
        self._turns: dict[str, threading.RLock] = {}
        self._turns_lock = threading.Lock()
        if plugin is not None:
            schema, provenance = plugin
            self._given[PLUGIN] = Fetched(PLUGIN, schema, dump(schema), provenance)

    def __repr__(self) -> str:
        return f"<Fetcher {self.client.base_url} {self.mode}>"

    def __str__(self) -> str:
        return self.client.base_url

    # As a source of a catalog

    def __getitem__(self, id: str) -> Any:
        return self.fetch(id).schema

    def __contains__(self, id: object) -> bool:
        """Whether the platform has the schema; a request may be made. Raises as `fetch` does.

        An id that the platform does not know (404) is not there; whatever else goes wrong is no
        reason to take another source for it.
        """
        return isinstance(id, str) and self.lookup(id).is_known

    def get(self, id: str, default: Any = None) -> Any:
        """The schema with this id, or `default`. Raises as `id in fetcher` does."""
        found = self.lookup(id)
        return found.schema if found.is_known else default

    def lookup(self, id: str) -> Lookup:
        """The schema with this id, if the platform has it, and for how long that holds.

        Raises as `id in fetcher` does.
        """
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
        """Ask again at the next look-up, however fresh the answers are."""
        self._expired = self._clock()
        self._until = dict.fromkeys(self._until, -math.inf)

    def _fresh_for(self, id: str) -> float:
        if id in self._given:
            return math.inf
        return max(0.0, self._until.get(id, -math.inf) - self._clock())

    def __iter__(self) -> Iterator[str]:
        store = self._cache.store()
        return iter([] if store is None else [*store])

    def __len__(self) -> int:
        return len([*iter(self)])

    def provenance(self, id: str) -> Provenance:
        """Where a schema came from. Raises as `fetch` does."""
        return self.fetch(id).provenance

    # Fetching

    def fetch(self, id: str) -> Fetched:
        """The schema with this id; asked for again when it is fresh no longer.

        Raises `InvalidTypeId`, `LoginRequired`, a `PlatformError`, `NotAvailableOffline`, and a
        `SchemaError` for an answer that is no schema that links.
        """
        found: Fetched | WidgetSchemaError | None = self._known(id)
        if found is None:
            with self._turns_lock:
                turn = self._turns.setdefault(id, threading.RLock())
            with turn:  # whoever comes meanwhile gets what the first one gets
                ((_, found),) = self.fetch_many([id])
        if isinstance(found, WidgetSchemaError):
            raise found
        return found

    def _known(self, id: str) -> Fetched | ErrorResponse | None:
        """What need not be asked for; a type that is not there, too, for a little while."""
        if id in self._given:
            return self._given[id]
        if self._clock() >= self._until.get(id, -math.inf):
            return None
        return self._done.get(id) or self._missing.get(id)

    def _keep_in_mind(self, id: str, outcome: Fetched | WidgetSchemaError, max_age: float) -> None:
        """Know it until it is fresh no longer; one look-up of a catalog is several of these."""
        now = self._clock()
        if self.mode == "refresh":
            return
        if isinstance(outcome, Fetched):
            self._done[id] = outcome
            self._until[id] = now + max(_A_LOOK, max_age if self.mode == "auto" else 0.0)
        elif isinstance(outcome, ErrorResponse) and outcome.status == 404:
            self._done.pop(id, None)
            self._missing[id] = outcome
            self._until[id] = now + _A_LOOK

    def fetch_many(
        self, ids: Iterable[str], connections: int = CONNECTIONS
    ) -> Generator[tuple[str, Fetched | WidgetSchemaError], None, None]:
        """Each schema, or what went wrong with it, as they come; several requests at once.

        What was fetched is kept in the cache when all are there, or the caller has seen enough.
        """
        every = [*dict.fromkeys(ids)]
        known = {id: outcome for id in every if (outcome := self._known(id)) is not None}
        yield from known.items()
        todo = [id for id in every if id not in known]
        base = _Base(self, known.get(PLUGIN))
        store = self._cache.store()
        new: dict[str, New] = {}
        outcomes = at_once(partial(self._asked, store=store), todo, connections)
        try:
            for id, came in outcomes:
                try:
                    fetched, about = self._settled(id, came, store, base)
                except WidgetSchemaError as error:
                    self._keep_in_mind(id, error, 0)
                    yield id, error
                    continue
                if about is not None:
                    new[id] = New(fetched.text, about)
                if id == PLUGIN:
                    base.fetched = fetched
                self._keep_in_mind(id, fetched, _left(came))
                yield id, fetched
        finally:
            outcomes.close()
            self._cache.keep(new)

    def _asked(self, id: str, store: Store | None) -> Answer | Kept | WidgetSchemaError:
        """What the platform answers, or the cache has; or why there is nothing."""
        kept = None
        try:
            checked_type_id(id)
            kept = self._cache.kept(id, store)
            if kept is not None and (
                self.mode == "offline" or (self.mode == "auto" and self._is_fresh(kept))
            ):
                return kept
            if self.mode == "offline":
                raise NotAvailableOffline(id, f"it is not in the cache for {self.client.base_url}")
            return self._answer(id, kept)
        except WidgetSchemaError as error:
            if kept is not None and self.mode == "auto" and _may_pass(error):
                if 0 <= kept.age <= _MOST_STALE:
                    self._warn(
                        f"the schema of widget type {id!r} is a copy of {duration(kept.age)} ago, "
                        f"and may be stale: {error}"
                    )
                    return kept
            return error

    def _is_fresh(self, kept: Kept) -> bool:
        return kept.fresh and self._clock() - kept.age > self._expired

    def _answer(self, id: str, kept: Kept | None) -> Answer:
        """The platform's answer; never one that nothing is modified where there is nothing."""
        if kept is not None:
            etag, last_modified = kept.entry.text("etag"), kept.entry.text("last_modified")
            answer = self.client.fetch_schema(id, etag=etag, last_modified=last_modified)
            if not answer.not_modified or etag is not None or last_modified is not None:
                return answer
        answer = self.client.fetch_schema(id)
        if answer.not_modified:
            reason = "it says that nothing has changed, though no condition was sent"
            raise UnusableResponse(reason, method="GET", path=schema_path(id), status=304)
        return answer

    def _settled(
        self,
        id: str,
        outcome: Answer | Kept | WidgetSchemaError,
        store: Store | None,
        base: _Base,
    ) -> tuple[Fetched, Mapping[str, Any] | None]:
        """What was fetched, and what the cache is to say of it, if that is new."""
        if isinstance(outcome, WidgetSchemaError):
            if id == PLUGIN and _is_refusal(outcome):
                return self._bundled_plugin()
            if id == PLUGIN and isinstance(outcome, NotAvailableOffline):
                return self._bundled_plugin()[0], None  # which says nothing about the platform
            raise outcome
        if isinstance(outcome, Kept):
            return self._from_cache(id, outcome, stale=not outcome.fresh), None
        now = self._clock()
        about: dict[str, Any] = {"source": self.client.base_url, "fetched": _iso(now)}
        kept = self._cache.kept(id, store) if outcome.not_modified else None
        if outcome.not_modified:
            if kept is None:  # somebody has emptied the cache while we asked
                return self._settled(id, self._answer(id, None), store, base)
            about = {**kept.entry.about}
        about["checked"] = now
        for name in ("etag", "last_modified", "max_age"):
            value = getattr(outcome, name)
            if value is not None:
                about[name] = value
            elif not outcome.not_modified:
                about.pop(name, None)
        schema = outcome.schema if kept is None else kept.schema
        text = dump(schema)
        if kept is None:
            _check(id, schema, base)
        origin = Provenance(
            id, self.client.base_url, digest(text.encode()), self.client.base_url, _iso(now)
        )
        return Fetched(id, schema, text, origin), about

    def _from_cache(self, id: str, kept: Kept, *, stale: bool) -> Fetched:
        origin = kept.entry.text("source") or self.client.base_url
        if id == PLUGIN and origin == "bundled":
            return self._bundled_plugin()[0]
        text = dump(kept.schema)
        moment = _iso(self._clock() - kept.age)
        made = Provenance(id, origin, digest(text.encode()), origin, moment, stale)
        return Fetched(id, kept.schema, text, made)

    def _bundled_plugin(self) -> tuple[Fetched, Mapping[str, Any]]:
        """The bundled base schema, kept for as long as the platform is not asked again."""
        schema = bundled()[PLUGIN]
        fetched = Fetched(PLUGIN, schema, dump(schema), bundled().provenance(PLUGIN))
        return fetched, {"source": "bundled", "checked": self._clock()}


def _check(id: str, schema: Any, base: _Base) -> None:
    """Raise if this is no schema that links: perhaps a login page, or an error in disguise."""
    if type(schema) is not dict or not schema.keys() & METASCHEMA["properties"].keys():
        reason = "the answer is no JSON Schema: there is no keyword of draft-07 in it"
        raise UnusableResponse(reason, method="GET", path=schema_path(id), status=200)
    if id == PLUGIN:
        link_checked(schema, {}, id=PLUGIN)
    else:
        link_checked(schema, base, id=id)


class _Base(Mapping[str, Any]):
    """The base schema for what is fetched together, itself fetched when a schema asks for it."""

    def __init__(self, fetcher: Fetcher, fetched: object) -> None:
        self._fetcher = fetcher
        self.fetched = fetched

    def __getitem__(self, name: str) -> Any:
        if name != PLUGIN:
            raise KeyError(name)
        if not isinstance(self.fetched, Fetched):
            self.fetched = self._fetcher.fetch(PLUGIN)
        return self.fetched.schema

    def __iter__(self) -> Iterator[str]:
        return iter([PLUGIN])

    def __len__(self) -> int:
        return 1


def _left(outcome: Answer | Kept | WidgetSchemaError) -> float:
    """For how many seconds what came is fresh."""
    if isinstance(outcome, Kept):
        return outcome.lifetime - outcome.age
    max_age = None if isinstance(outcome, WidgetSchemaError) else outcome.max_age
    return HOUR if max_age is None else max_age


def _may_pass(error: WidgetSchemaError) -> bool:
    """Whether an error may be gone in a while: then a stale copy is better than none."""
    if isinstance(error, ErrorResponse):
        return error.status == 429 or error.status >= 500
    return isinstance(error, Unreachable)


def _is_refusal(error: WidgetSchemaError) -> bool:
    """Whether the platform says that there is no such type, one way or the other."""
    return isinstance(error, ErrorResponse) and error.status in (400, 403, 404, 405, 410, 422)


def _iso(moment: float) -> str:
    """A moment (seconds since 1970) as an ISO 8601 text, UTC."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):  # somebody's editing
        return "1970-01-01T00:00:00Z"
