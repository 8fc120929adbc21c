"""`Catalog`: where widget types come from. Sources in order; the first that has an id wins."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable
from urllib.parse import unquote

from widgetschema.documents import DEFAULT_LIMITS, Limits
from widgetschema.errors import InvalidSchema, InvalidTypeId, StoreError, UnknownWidgetType
from widgetschema.findings import Provenance
from widgetschema.platform.type_ids import schema_path
from widgetschema.store import PLUGIN, Store, bundled, find_project_store
from widgetschema.widget_types import WidgetType
from widgetschema.words import nearest

Source = Store | Mapping[str, Any] | str | os.PathLike[str]


@runtime_checkable
class Provided(Protocol):
    """A source that can say where each of its schemas came from: a store, a fetcher."""

    def provenance(self, id: str) -> Provenance:
        """Where a schema came from."""


class Catalog:
    """Widget types by id, from one or more sources.

    A source is a `Store`, the path of one, or a mapping from id to schema. The base schema
    `plugin` of a type is taken from its own source, else from the others in order, else
    the bundled one. Types are linked and compiled once. Safe to share among threads.

    Raises `StoreError` for a folder that cannot be used.
    """

    def __init__(
        self,
        sources: Source | Sequence[Source],
        *,
        formats: bool = True,
        engine: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        if isinstance(sources, (str, os.PathLike, Mapping)):
            sources = [sources]
        self.sources: tuple[Mapping[str, Any], ...] = tuple(
            source if isinstance(source, Mapping) else Store(source) for source in sources
        )
        self._formats = formats
        self._engine = engine
        self._limits = limits
        self._types: dict[str, WidgetType] = {}

    @staticmethod
    def default() -> Catalog:
        """The nearest project folder `schemas` that has a manifest, then the bundled schemas.

        The nearest: in the working directory or above it. Read once per directory.
        """
        return _default(os.getcwd())

    def ids(self) -> tuple[str, ...]:
        """The ids of all widget types, in the order of the sources."""
        every = [id for source in self.sources for id in source if id != PLUGIN]
        return tuple(dict.fromkeys(every))

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids())

    def __contains__(self, id: object) -> bool:
        return id != PLUGIN and any(id in source for source in self.sources)

    def id_at(self, address: str) -> str | None:
        """The id of the type whose schema has this `$id`, or was fetched from this address.

        Sources that may have to fetch are asked for those types only that the address ends in.
        """
        address = _plain(address)
        ending = address.rpartition("/")[2]
        served = unquote(address.removesuffix("/schema").rpartition("/")[2])
        likely = dict.fromkeys([served, ending, ending.partition(".")[0]])
        for source in self.sources:
            is_at_hand = isinstance(source, Store) or not isinstance(source, Provided)
            for id in source if is_at_hand else likely:
                if id != PLUGIN and id in source:
                    with contextlib.suppress(StoreError):  # of a file that nobody asked for
                        origin = source.provenance(id) if isinstance(source, Provided) else None
                        if is_at(address, id, source[id], origin):
                            return id
        return None

    def __getitem__(self, id: str) -> WidgetType:
        """The widget type with this id.

        Raises `UnknownWidgetType`, and what `WidgetType.from_schema` raises.
        """
        known = self._types.get(id)
        if known is None:
            known = self._types.setdefault(id, self._make(id))
        return known

    def _make(self, id: str) -> WidgetType:
        for source in self.sources:
            if isinstance(id, str) and id != PLUGIN and id in source:
                others = [source, *(other for other in self.sources if other is not source)]
                try:
                    return WidgetType.from_schema(
                        source[id],
                        id=id,
                        resources=_Together(others),
                        source=_name(source),
                        provenance=_Origins(id, source, others),
                        formats=self._formats,
                        engine=self._engine,
                        limits=self._limits,
                    )
                except InvalidSchema:
                    _locate(id, others)
                    raise
        known = [one for one in self.ids() if one != id]  # a cache may list one that is refused now
        raise UnknownWidgetType(str(id), known, nearest(str(id), known))


def is_at(address: str, id: str, schema: Any, provenance: Provenance | None) -> bool:
    """Whether an absolute address is the `$id` of a schema, or that from which it was fetched."""
    own_id = schema.get("$id") if isinstance(schema, dict) else None
    if isinstance(own_id, str) and _plain(own_id) == _plain(address):
        return True
    if provenance is None or provenance.origin is None:
        return False
    with contextlib.suppress(InvalidTypeId):
        return _plain(address) == f"{provenance.origin.rstrip('/')}{schema_path(id)}"
    return False


def _plain(address: str) -> str:
    return address.partition("#")[0].rstrip("/")


def _locate(id: str, sources: Sequence[Mapping[str, Any]]) -> None:
    """Raise `InvalidSchema` with positions, if a file of the type or its base is to blame."""
    for name in (id, PLUGIN):
        source = next((source for source in sources if name in source), None)
        if isinstance(source, Store):
            report = source.check(name)
            if not report.valid:
                raise InvalidSchema(report) from None


class _Together(Mapping[str, Any]):
    """Several sources as one: the first that has a name wins."""

    def __init__(self, sources: Sequence[Mapping[str, Any]]) -> None:
        self._sources = sources

    def __getitem__(self, name: str) -> Any:
        for source in self._sources:
            if name in source:
                return source[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for source in self._sources for name in source))

    def __len__(self) -> int:
        return len([*iter(self)])


class _Origins:
    """Where the schema of a type, and those that it refers to, came from."""

    def __init__(
        self, id: str, own: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]
    ) -> None:
        self._id = id
        self._own = own
        self._sources = sources

    def __call__(self, name: str) -> Provenance | None:
        if name == self._id:
            source: Mapping[str, Any] | None = self._own
        else:
            source = next((source for source in self._sources if name in source), None)
        return source.provenance(name) if isinstance(source, Provided) else None


def _name(source: Mapping[str, Any]) -> str:
    if isinstance(source, Store):
        return "bundled" if source.folder == bundled().folder else str(source.folder)
    return str(source) if isinstance(source, Provided) else "given"


@lru_cache(maxsize=16)
def _default(directory: str) -> Catalog:
    own = find_project_store(directory)
    bundle = bundled()
    if own is None or os.path.samefile(own, bundle.folder):
        return Catalog([bundle])
    return Catalog([Store(own), bundle])
