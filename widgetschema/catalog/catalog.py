"""`Catalog`: where widget types come from. Sources in order; the first that has an id wins."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, overload
from urllib.parse import unquote

from widgetschema.cached import cached_property
from widgetschema.catalog.data_schemas import DataSchemas
from widgetschema.catalog.schema_files import located
from widgetschema.catalog.sources import (
    FOLDER_LIFETIME,
    IN_FILES,
    LookupSource,
    Resolution,
    emit_warning,
    is_at,
    is_refusal,
    known_ids,
    list_ids,
    look_up,
    plain_address,
    retry_pause,
    source_name,
    type_ids,
)
from widgetschema.catalog.store import (
    PLUGIN,
    SCHEMAS_VARIABLE,
    Store,
    bundled,
    find_schema_folders,
)
from widgetschema.catalog.store.beside import FileSchemas, shown_path
from widgetschema.catalog.type_ids import file_id, nearest_ids
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import (
    InvalidSchema,
    StoreError,
    UnknownWidgetType,
    UnreadableSchema,
    WidgetSchemaError,
)
from widgetschema.findings import Provenance, Report
from widgetschema.forks import renew_in_forks
from widgetschema.jsontext import DEFAULT_LIMITS, Limits
from widgetschema.lazy import names_successors
from widgetschema.schema.describes import Describes, contradiction
from widgetschema.schema.located import LocatedSchemas
from widgetschema.text import duration, shorten

if TYPE_CHECKING:
    from widgetschema.calls import SharedCalls
    from widgetschema.catalog.options import TypeOptions

_Default = TypeVar("_Default")
Source = Store | Mapping[str, Any] | str | os.PathLike[str]


@names_successors
class Catalog:
    """Widget types by id, from one or more sources.

    The base schema `plugin` of a type is taken from its own source, else from the others in order,
    else the bundled one. Types are linked and compiled once. Any number of threads may share a
    catalog. It can be pickled if its sources can.

    A catalog follows its sources: a folder whose manifest has changed (without a manifest, whose
    files have changed) is read again, at most once a second; a fetcher is asked again when its
    schema is no longer fresh. If that fails, or the new schema cannot be used, the last good type
    stays in force: `warn` is called once, `Report.schemas` says `stale`, and the catalog tries
    again, after 10 seconds if the type is new, and after a minute at most. A refusal (401, 403,
    404) is raised. While one thread looks, the others get the type as it was.

    Args:
        sources: One source, or several: the first that has an id wins. A source is a `Store`, the
            path of a folder of schemas, a `Fetcher`, or a mapping from id to schema.
        formats: Check `format`.
        engine: The name of the engine; None chooses the best one that is installed.
        limits: How deep data may be nested, and how long texts may be.
        strict: Refuse schemas that have lints, such as misspelled keywords.
        describes: What the schemas of some types describe, by id: "document" or "data", as in
            `WidgetType.from_schema`.
        max_age: The age, in seconds or as a `timedelta`, from which a type is looked up again, even
            if its source says that it is still fresh. None leaves it to the sources.
        stale_while_revalidate: Use a type that is due at once, as it was, and look it up again in a
            background thread. Only the first look-up of a type waits for its sources. The thread
            ends when nothing is due, and does not keep the process alive. Types from a `Fetcher` in
            mode "refresh" are not kept, so they are always waited for.
        on_change: Called with the id, the old and the new `WidgetType.linked_digest`, once for each
            change of a type that this catalog has used, in the thread that found it, when the new
            type is in force. An exception in it is passed to `warn`.
        clock: Returns the time in seconds, from any start.
        warn: Called with a sentence; by default it emits a Python warning.

    Raises:
        StoreError: For a folder that cannot be used.
        TypeError: For a `max_age` that is neither a number nor a `timedelta`, and a `describes`
            that is no mapping.
        ValueError: For a `max_age` that is not positive.
    """

    def __init__(
        self,
        sources: Source | Sequence[Source],
        *,
        formats: bool = True,
        engine: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        strict: bool = False,
        describes: Mapping[str, Describes] | None = None,
        max_age: float | timedelta | None = None,
        stale_while_revalidate: bool = False,
        on_change: Callable[[str, str, str], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
        warn: Callable[[str], None] = emit_warning,
    ) -> None:
        if isinstance(sources, (str, os.PathLike, Mapping)):
            sources = [sources]
        self.sources: tuple[Mapping[str, Any], ...] = tuple(
            source if isinstance(source, Mapping) else _opened(source) for source in sources
        )
        self._options: TypeOptions = {"formats": formats, "engine": engine, "limits": limits}
        self._strict = strict
        if isinstance(describes, str):
            raise TypeError(
                f"describes says it for each type, {{id: {shorten(describes, 40)!r}}}, not for all"
            )
        self._describes = dict(describes or {})
        self._max_age = _seconds(max_age)
        self._stale_while_revalidate = stale_while_revalidate
        self._on_change = on_change
        self._clock = clock
        self._warn = warn
        self._folders_due = clock() + FOLDER_LIFETIME
        self._expired = -math.inf
        self._types: dict[str, _CachedType] = {}
        self._digests: dict[str, str] = {}  # as `on_change` knows them
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self._turn = threading.Lock()
        self._comparing = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        renewed = ("_turn", "_comparing", "_calls", "_background")
        return {name: value for name, value in vars(self).items() if name not in renewed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.after_fork()
        renew_in_forks(self)

    def type_of(
        self,
        schema: Any,
        id: str,
        *,
        plugin: Any = None,
        describes: Describes | None = None,
        source: str = "",
        file: str | None = None,
    ) -> WidgetType:
        """Return the widget type of another schema, such as another version of one in this catalog.

        Args:
            schema: The JSON value of the schema.
            id: The id of the type.
            plugin: The base schema; by default, that of the catalog.
            describes: What it describes, as for `WidgetType.from_schema`; by default, what the
                catalog was told about types with this id.
            source: Where the schema came from, for messages.
            file: The file that it was read from: relative references lead to files beside it.

        Returns:
            The widget type, linked with the schemas of this catalog.

        Raises:
            SchemaError: If the schema cannot be used, see `WidgetType.from_schema`.
        """
        resolution = Resolution(id, self._current())

        def origin(name: str) -> Provenance | None:
            is_given = name == id or (name == PLUGIN and plugin is not None)
            return None if is_given else resolution.origin(name)

        return WidgetType.from_schema(
            schema,
            id=id,
            plugin=plugin,
            resources=resolution if file is None else FileSchemas(file, resolution),
            describes=describes or self._describes.get(id),
            source=source,
            provenance=origin,
            **self._options,
        )

    @staticmethod
    def default(
        *,
        folder: str | os.PathLike[str] | None = None,
        describes: Mapping[str, Describes] | None = None,
    ) -> Catalog:
        """Return the default catalog of this process: the project's schemas, then the bundled ones.

        The folder of the project is `folder`, else the one that the environment variable
        WIDGETSCHEMA_SCHEMAS names, else the nearest folder `schemas` with a manifest, in the
        working directory or above it, and the folders `schemas` without one that are nearer (no
        higher than the folder that has `.git`).

        It is chosen at the first call, as an absolute path, for the whole process: changing the
        working directory later changes nothing. No configuration file is read: it is that of the
        commands.

        Args:
            folder: A folder of schemas, in place of the one that would be found. It also replaces
                the catalog that was chosen before.
            describes: What the schemas of some types describe, as for `Catalog`. It also replaces
                the catalog that was chosen before.

        Returns:
            The catalog, the same one for every call.

        Raises:
            StoreError: For a folder that cannot be used.
        """
        is_chosen = folder is not None or describes is not None
        if _DEFAULT and not is_chosen:
            return _DEFAULT[0][1]
        with _SETTLING:
            named = _named_folder(None if folder is None else os.fspath(folder))
            choice = named, dict(describes or {})
            if not _DEFAULT or (is_chosen and _DEFAULT[0][0] != choice):
                sources = _default_sources(named, is_variable=folder is None)
                _DEFAULT[:] = [(choice, Catalog(sources, describes=describes))]
            return _DEFAULT[0][1]

    def resources(self, id: str) -> LocatedSchemas:
        """Return the resources of a type: other schemas, and files beside its own.

        Args:
            id: The id of the widget type.

        Returns:
            A mapping for `WidgetType.from_schema`.
        """
        return Resolution(id, self._current())

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all widget types.

        Returns:
            The ids in the order of the sources, each once. Of a `Fetcher`, those in
            its cache and those that it lists (`Fetcher.list_ids`), for which it may make a request.

        Raises:
            WidgetSchemaError: If a source has to make a request, and fails.
        """
        return type_ids(map(list_ids, self._current()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids())

    def __len__(self) -> int:
        return len(self.ids())

    def __bool__(self) -> bool:
        """Return True, without asking a source for its ids."""
        return True

    def __contains__(self, id: object) -> bool:
        if self._stale_while_revalidate and isinstance(id, str) and id in self._types:
            return self.get(id) is not None
        return id != PLUGIN and any(id in source for source in self._current())

    def __repr__(self) -> str:
        return f"<Catalog: {', '.join(map(source_name, self.sources)) or 'no sources'}>"

    def id_at(self, address: str) -> str | None:
        """Return the id of the type whose schema has this `$id`, or was fetched from this address.

        A source that may have to fetch is asked only for types that the address ends in.

        Args:
            address: A URL, such as the `$schema` of a file.

        Returns:
            The id, None if no type has this address.

        Raises:
            WidgetSchemaError: If a source has to fetch, and fails.
        """
        address = plain_address(address)
        ending = address.rpartition("/")[2]
        served = unquote(address.removesuffix("/schema").rpartition("/")[2])
        likely = dict.fromkeys([served, ending, file_id(ending), ending.partition(".")[0]])
        for source in self._current():
            for id in likely if isinstance(source, LookupSource) else source:
                if id == PLUGIN:
                    continue
                with contextlib.suppress(StoreError):  # of a file that was not asked for
                    answer = look_up(source, id)
                    if answer.is_known and is_at(address, id, answer.schema, answer.provenance):
                        return id
        return None

    def __getitem__(self, id: str) -> WidgetType:
        """Return the widget type with this id.

        Args:
            id: The id of the widget type.

        Returns:
            The widget type, linked and compiled: the same object until its schemas change.

        Raises:
            UnknownWidgetType: If no source has the id; it names similar ids.
            SchemaError: If the schema cannot be used, see `WidgetType.from_schema`.
            StoreError: If a file of the folder cannot be used.
            PlatformError: If a `Fetcher` fails and has no copy.
        """
        try:
            known = self._types.get(id)
        except TypeError:  # it cannot be hashed: data, most likely
            raise TypeError(
                f"the id of a widget type must be a str, not {type(id).__name__}; it comes before "
                'the data, as in validate("countdown", data)'
            ) from None
        if known is not None and self._clock() < known.due:
            return known.widget_type
        if known is None:
            return self._told(id, self._resolve(id, None))
        if self._stale_while_revalidate:
            self._revalidate_later(id, known)
            return known.widget_type
        if not self._turn.acquire(blocking=False):  # another thread looks
            return known.widget_type
        try:
            widget_type = self._resolve_again(id, known)
        finally:
            self._turn.release()
        return self._told(id, widget_type)

    def cached(self, id: str) -> WidgetType | None:
        """Return the widget type with this id, unless its sources have to be asked first.

        Args:
            id: The id of the widget type.

        Returns:
            The widget type, as `catalog[id]` does, or None. It never waits. With
            `stale_while_revalidate`, a type that is due is looked up again in the background.
        """
        known = self._types.get(id)
        if known is None or self._clock() < known.due:
            return None if known is None else known.widget_type
        if not self._stale_while_revalidate:
            return None
        self._revalidate_later(id, known)
        return known.widget_type

    async def aload(self, id: str) -> WidgetType:
        """Return the widget type with this id without blocking the event loop of asyncio.

        Files are read, requests made, and types compiled in a thread; tasks that need the same type
        share one. If there is nothing to do, there is no thread. `on_change` and `warn` are called
        in threads.

        Args:
            id: The id of the widget type.

        Returns:
            The widget type, as `catalog[id]` does.

        Raises:
            WidgetSchemaError: As for `catalog[id]`.
            TypeError: In an event loop that is not one of asyncio.
        """
        try:
            cached = self.cached(id)
        except TypeError:  # it cannot be hashed
            return self[id]  # raises
        if cached is not None:
            return cached
        return await self._calls.result(id, lambda: self[id])

    @cached_property
    def _calls(self) -> SharedCalls:
        from widgetschema.calls import SharedCalls  # asyncio takes long to import

        return SharedCalls()

    @cached_property
    def _background(self) -> SharedCalls:
        from widgetschema.calls import SharedCalls  # asyncio takes long to import

        return SharedCalls("catalog", threads=1)

    @overload
    def get(self, id: str) -> WidgetType | None: ...
    @overload
    def get(self, id: str, default: _Default) -> WidgetType | _Default: ...
    def get(self, id: str, default: Any = None) -> Any:
        """Return the widget type with this id, or a default if no source has it.

        Args:
            id: The id of the widget type.
            default: Returned if no source has the id.

        Returns:
            The widget type, or the default.

        Raises:
            WidgetSchemaError: If a source has the id, but it cannot be used: as for `catalog[id]`.
        """
        try:
            return self[id]
        except UnknownWidgetType:
            return default

    def refresh(self) -> None:
        """Look at all sources again now, however fresh their schemas are.

        Failures are reported like those of any other look, see the class.
        """
        with self._turn:
            self.sources = tuple(self._reread(source) for source in self.sources)
            self._folders_due = self._clock() + FOLDER_LIFETIME
            self._expire_sources()
            for id, known in [*self._types.items()]:
                with contextlib.suppress(WidgetSchemaError):  # raised when the type is asked for
                    self._resolve_again(id, known)
        for id, known in [*self._types.items()]:
            self._told(id, known.widget_type)

    def _revalidate_later(self, id: str, known: _CachedType) -> None:
        """Look a type up again in the background thread."""
        try:
            self._background.begin(id, partial(self._revalidate, id))
        except RuntimeError as error:  # too many threads, or the process exits
            self._keep(id, known, error)

    def _revalidate(self, id: str) -> None:
        try:
            with self._turn:
                known = self._types.get(id)
                if known is not None and self._clock() >= known.due:
                    known = known._replace(widget_type=self._resolve_again(id, known))
            if known is not None:
                self._told(id, known.widget_type)
        except WidgetSchemaError:
            pass  # raised when the type is asked for
        except Exception:  # of `warn`, such as a warning that is an error
            import logging  # few need it

            logging.getLogger("widgetschema").exception("widget type %r was not looked up", id)

    def _told(self, id: str, widget_type: WidgetType) -> WidgetType:
        """Return a type, after calling `on_change` if it is not the one that was told before."""
        if self._on_change is None:
            return widget_type
        with self._comparing:
            known = self._types.get(id)  # it may be newer
            digest = (widget_type if known is None else known.widget_type).linked_digest
            before = self._digests.get(id, digest)
            self._digests[id] = digest
        if before != digest:
            try:
                self._on_change(id, before, digest)
            except Exception as error:
                self._warn(f"on_change failed for widget type {id!r}: {_reason(error)}")
        return widget_type

    def _expire_sources(self) -> None:
        self._expired = self._clock()
        for source in self.sources:
            if isinstance(source, LookupSource):
                source.expire()

    def _current(self) -> tuple[Mapping[str, Any], ...]:
        """Return the sources, folders as they are now."""
        now = self._clock()
        if now >= self._folders_due:
            self._folders_due = now + FOLDER_LIFETIME
            changed = [
                isinstance(source, IN_FILES) and source.has_changed() for source in self.sources
            ]
            if any(changed):
                self.sources = tuple(
                    self._reread(source) if is_changed else source
                    for source, is_changed in zip(self.sources, changed, strict=True)
                )
        return self.sources

    def _reread(self, source: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return files or a folder as they are now; a folder that cannot be used, as it was."""
        if isinstance(source, DataSchemas):
            return source.reread()
        if not isinstance(source, Store) or source.is_bundled:
            return source
        try:
            return source.reread()
        except StoreError as error:
            if not source.is_stale:
                self._warn(f"schemas are used as they were last read: {error}")
            return source.as_stale()

    def _resolve_again(self, id: str, known: _CachedType) -> WidgetType:
        try:
            if self._clock() >= known.since + self._max_age and self._expired <= known.since:
                self._expire_sources()
            return self._resolve(id, known)
        except Exception as error:
            if isinstance(error, WidgetSchemaError) and is_refusal(error):
                self._types.pop(id, None)
                raise
            return self._keep(id, known, error)

    def _keep(self, id: str, known: _CachedType, error: Exception) -> WidgetType:
        """Keep the last good type in force, and say so once."""
        now = self._clock()
        due = now + retry_pause(now - known.since)
        widget_type = known.widget_type
        is_first = not all(origin.stale for origin in widget_type.provenance)
        if is_first:
            stale = tuple(replace(origin, stale=True) for origin in widget_type.provenance)
            widget_type = widget_type.with_provenance(stale)
        self._types[id] = known._replace(widget_type=widget_type, due=due)
        if is_first:
            self._warn(
                f"widget type {id!r} is used as it was last read, {duration(now - known.since)} "
                f"ago: {_reason(error)}"
            )
        return widget_type

    def _misnamed(self, id: str) -> str:
        """Return a note about a file that has the name of an unknown type; "" if there is none."""
        stores = (one for one in self.sources if isinstance(one, Store) and not one.is_bundled)
        return next(filter(None, (store.misnamed.get(id) for store in stores)), "")

    def _resolve(self, id: str, known: _CachedType | None) -> WidgetType:
        """Ask the sources for a type; what has not changed is not linked again."""
        now = self._clock()
        resolution = Resolution(id, self._current())
        source = resolution.source_of(id) if isinstance(id, str) and id != PLUGIN else None
        if source is None:
            others = [other for other in type_ids(map(known_ids, self._current())) if other != id]
            nearest = nearest_ids(str(id), others)
            note = self._misnamed(str(id)) or ("" if nearest else missing_folder(self.sources))
            raise UnknownWidgetType(str(id), others, nearest, note)
        resolution.prefer(source)
        if known is not None and resolution.agrees(known.resolution):
            widget_type = known.widget_type
            origins = resolution.origins_like(widget_type.provenance)
            if origins != widget_type.provenance:
                widget_type = widget_type.with_provenance(origins)
        else:
            widget_type = self._build(id, source, resolution)
        if known is None and resolution.fresh_for <= 0:
            return widget_type
        seconds = resolution.fresh_for  # of a copy that may be stale, for which its source failed
        if not any(origin.stale for origin in widget_type.provenance):
            seconds = min(seconds, self._max_age)
        new = _CachedType(widget_type, resolution, now, now + seconds)
        if known is None:  # threads that make it at once get the same one
            return self._types.setdefault(id, new).widget_type
        self._types[id] = new
        return widget_type

    def _build(self, id: str, source: Mapping[str, Any], resolution: Resolution) -> WidgetType:
        try:
            describes, name = self._describes.get(id), source_name(source)
            if isinstance(source, DataSchemas):
                if describes == "document":
                    raise contradiction(id)
                describes, name = "data", source.path(id)
            widget_type = WidgetType.from_schema(
                resolution[id],
                id=id,
                resources=resolution,
                describes=describes,
                source=name,
                provenance=resolution.origin,
                **self._options,
            )
        except InvalidSchema:
            resolution.refuse_invalid_file()
            raise
        if self._strict:
            _refuse_lints(widget_type, resolution)
        return widget_type


class _CachedType(NamedTuple):
    """A type that was made, the look it was made from, when that was, and when to look again."""

    widget_type: WidgetType
    resolution: Resolution
    since: float
    due: float


def _seconds(max_age: float | timedelta | None) -> float:
    seconds = max_age.total_seconds() if isinstance(max_age, timedelta) else max_age
    if seconds is None:
        return math.inf
    if not isinstance(seconds, (int, float)):
        raise TypeError(f"max_age is a timedelta or seconds, not {type(max_age).__name__}")
    if not seconds > 0:
        raise ValueError(f"max_age is a timedelta or seconds, more than 0, not {max_age!r}")
    return seconds


def _reason(error: Exception) -> str:
    if isinstance(error, WidgetSchemaError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def _refuse_lints(widget_type: WidgetType, resolution: Resolution) -> None:
    """Raise `InvalidSchema` if a schema has lints, with positions if it is in a file."""
    for first in widget_type.lints[:1]:
        origin = widget_type.origin_of(first.path)
        place = None if origin is None else resolution.place(origin[0].id)
        if origin is not None and place is not None:
            origins = ((lint, widget_type.origin_of(lint.path)) for lint in widget_type.lints)
            own = [
                lint.with_path(place_in_file[1], ())
                for lint, place_in_file in origins
                if place_in_file is not None and place_in_file[0] == origin[0]
            ]
            raise InvalidSchema(located(Report((*own,)), shown_path(place.file, place)))
    widget_type.refuse_lints()


def project_sources(folders: Iterable[str], *, is_found: bool) -> list[Store]:
    """Open the folders of schemas of a project; the bundled schemas come last.

    `is_found` is for folders that were found, not named: see `Store`. Raises `StoreError`.
    """
    bundle = bundled()
    stores = [Store(folder, is_found=is_found) for folder in folders]
    if is_found:
        stores = [store for store in stores if not os.path.samefile(store.folder, bundle.folder)]
    return [*stores, bundle]


def missing_folder(sources: Iterable[object], start: str = "") -> str:
    """Return a message if all sources are bundled and no folder decides in `start`; else ""."""
    with contextlib.suppress(OSError):
        here = os.path.abspath(start)
        are_bundled = (isinstance(one, Store) and one.is_bundled for one in sources)
        if all(are_bundled) and not find_schema_folders(here):
            return (
                f'there is no folder "schemas" in {here} or above it that has schemas directly in '
                f"it, and {SCHEMAS_VARIABLE} names none"
            )
    return ""


_Choice = tuple[str | None, dict[str, Describes]]  # the folder that was named, what types describe
_DEFAULT: Final[list[tuple[_Choice, Catalog]]] = []
_SETTLING: Final = threading.Lock()


def _named_folder(folder: str | None) -> str | None:
    """Return the named folder of schemas, absolute; None if none was named."""
    named = os.environ.get(SCHEMAS_VARIABLE, "").strip() if folder is None else folder
    if not named or os.path.isabs(named):
        return named or None
    return os.path.normpath(os.path.join(_working_directory(), named))


def _default_sources(named: str | None, *, is_variable: bool) -> list[Store]:
    if named is not None:
        return [_opened(named, is_variable=is_variable), bundled()]
    return project_sources(find_schema_folders(_working_directory()), is_found=True)


def _opened(folder: str | os.PathLike[str], *, is_variable: bool = False) -> Store:
    """Return the store of a folder that a program names, or a variable of the environment."""
    try:
        return Store(folder)
    except UnreadableSchema as error:
        path = os.fspath(folder)
        if os.path.lexists(path):
            raise
        advice = (
            "put schemas into it (`widgetschema pull --schemas DIR` downloads them), or pass "
            "another path"
        )
        if is_variable:
            advice = f"the environment variable {SCHEMAS_VARIABLE} names it"
        elif not os.path.isabs(path):
            advice = (
                f"a relative path begins in the working directory, {_working_directory()}: pass "
                f"one that does not depend on it, such as Path(__file__).parent / {path!r}"
            )
        raise UnreadableSchema(error.path, error.reason, advice) from None


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        raise StoreError(
            "the working directory",
            f"{error.strerror or type(error).__name__}; set the folder of schemas with "
            f"{SCHEMAS_VARIABLE}, or call Catalog.default(folder=...)",
        ) from None


def widget_type(id: str) -> WidgetType:
    """Return a widget type of the default catalog.

    Args:
        id: The id of the widget type.

    Returns:
        The widget type.

    Raises:
        UnknownWidgetType: If the default catalog does not have the id.
        SchemaError: If its schema cannot be used.
    """
    return Catalog.default()[id]


def validate(id: str, data: Any) -> None:
    """Raise `InvalidWidgetData` unless data is valid for a widget type of the default catalog.

    Args:
        id: The id of the widget type.
        data: The widget data, as Python values.

    Raises:
        InvalidWidgetData: If the data is invalid; `report` has all findings.
        UnknownWidgetType: If the default catalog does not have the id.
    """
    widget_type(id).validate(data)


def is_valid(id: str, data: Any) -> bool:
    """Return whether data is valid for a widget type of the default catalog.

    Args:
        id: The id of the widget type.
        data: The widget data, as Python values.

    Returns:
        True if there are no findings.

    Raises:
        UnknownWidgetType: If the default catalog does not have the id.
    """
    return widget_type(id).is_valid(data)


def check(id: str, data: Any) -> Report:
    """Return the report about data, for a widget type of the default catalog.

    Args:
        id: The id of the widget type.
        data: The widget data, as Python values.

    Returns:
        All findings.

    Raises:
        UnknownWidgetType: If the default catalog does not have the id.
    """
    return widget_type(id).check(data)
