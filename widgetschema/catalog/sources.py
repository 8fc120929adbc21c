"""Sources of a catalog: what they answer about a schema, and for how long that holds."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from widgetschema.catalog.data_schemas import DataSchemas
from widgetschema.catalog.schema_files import located
from widgetschema.catalog.store import PLUGIN, Store
from widgetschema.catalog.store.beside import name_beside, path_at, shown_path
from widgetschema.catalog.type_ids import foreign_id, plain_id, schema_path
from widgetschema.errors import (
    ErrorResponse,
    InvalidSchema,
    InvalidTypeId,
    LoginRequired,
    UnknownWidgetType,
    WidgetSchemaError,
)
from widgetschema.findings import Provenance
from widgetschema.schema.located import LocatedSchemas, Place
from widgetschema.validation import check_schema

FOLDER_LIFETIME: Final = 1.0  # seconds for which a folder is taken to be as it was
IN_FILES: Final = (Store, DataSchemas)
RETRY: Final = 10.0  # seconds until a source that failed is asked again, at first
_MAX_RETRY: Final = 60.0
_REFUSALS: Final = (401, 403, 404)


class Lookup(NamedTuple):
    """The response of a source about one id.

    `fresh_for` is for how many seconds it holds, also the one that there is no such schema:
    `math.inf` for ever, 0 for this one look-up.
    """

    is_known: bool
    schema: Any = None
    provenance: Provenance | None = None
    fresh_for: float = math.inf


@runtime_checkable
class LookupSource(Protocol):
    """A source that knows how long its answers hold, such as a `Fetcher`."""

    def lookup(self, id: str) -> Lookup:
        """Look up a schema; a request may be made for it."""

    def expire(self) -> None:
        """Ask again at the next look-up, however fresh the responses are."""


@runtime_checkable
class ListsIds(Protocol):
    """A source that may have to ask which ids it has, such as a `Fetcher`."""

    def list_ids(self) -> tuple[str, ...]:
        """Return the ids; a request may be made for them."""


def emit_warning(message: str) -> None:
    """Emit a Python warning, which is how a catalog and its sources warn by default."""
    warnings.warn(message, UserWarning, stacklevel=2)


def look_up(source: Mapping[str, Any], name: str) -> Lookup:
    """Look up a schema in a source of any kind."""
    # A folder is asked for first: to compare with a protocol takes many times longer.
    if not isinstance(source, Store) and isinstance(source, LookupSource):
        return source.lookup(name)
    if name not in source:
        return Lookup(False)
    provenance = source.provenance(name) if isinstance(source, IN_FILES) else None
    return Lookup(True, source[name], provenance)


def list_ids(source: Mapping[str, Any]) -> Iterable[str]:
    """Return the ids of a source; one that lists them may make a request."""
    return source.list_ids() if isinstance(source, ListsIds) else known_ids(source)


def known_ids(source: Mapping[str, Any]) -> Iterable[str]:
    """Return the ids of a source, without a request."""
    return source.ids if isinstance(source, Store) else source


def type_ids(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the ids of all lists, each once, without that of the base schema."""
    return tuple(dict.fromkeys(id for ids in lists for id in ids if id != PLUGIN))


def source_name(source: Mapping[str, Any]) -> str:
    """Return the name of a source for messages."""
    if isinstance(source, Store):
        return "bundled" if source.is_bundled else str(source.folder)
    return str(source) if isinstance(source, (LookupSource, DataSchemas)) else "given"


class Resolution(LocatedSchemas):
    """One look at the sources for one type: each name is asked for once, the first source wins.

    `fresh_for` is for how many seconds all of the answers hold.
    """

    def __init__(self, id: str, sources: Sequence[Mapping[str, Any]]) -> None:
        self.id = id
        self.sources = sources
        self.fresh_for = FOLDER_LIFETIME if any(map(_may_change, sources)) else math.inf
        self._answers: dict[str, tuple[Mapping[str, Any] | None, Lookup]] = {}
        self._files: dict[str, Place] = {}  # to which references lead, by their names
        self._names: dict[str, str] = {}  # of these, by their paths

    def place(self, name: str | None) -> Place | None:
        """Return the place that a schema was read from; None is for the type itself."""
        name = self.id if name is None else name
        source = self.source_of(name)
        if name in self._files:
            return self._files[name]
        return source.place(name) if isinstance(source, IN_FILES) else None

    def find(self, uri: str, place: Place) -> str | None:
        """Return the name of the schema in a file; None for that of the type itself."""
        path = path_at(uri, place)
        for source in self._folders():
            id = source.id_at(path)
            if id is not None and self.source_of(id) is source:
                return None if id == self.id else id
        if path in self._names:
            return self._names[path]
        name = name_beside(path, place.folder)
        if name in self._files or name in [*self]:
            name = path  # the name is that of another schema
        self._files[name], self._names[path] = place._replace(file=path), name
        self._answers.pop(name, None)
        return name

    def located(self) -> Iterable[str]:
        """Return the ids of the schemas that are in files."""
        return dict.fromkeys(id for source in self._folders() for id in source)

    def _folders(self) -> list[Store | DataSchemas]:
        return [source for source in self.sources if isinstance(source, IN_FILES)]

    def refuse_invalid_file(self) -> None:
        """Raise `InvalidSchema` with positions if a schema that was looked up is in a file, and is
        not valid.
        """
        for name, (_, answer) in self._answers.items():
            place = self.place(name) if answer.is_known else None
            if place is not None:
                path = shown_path(place.file, place)
                report = located(check_schema(answer.schema, subject=path), path)
                if not report.valid:
                    raise InvalidSchema(report) from None

    def prefer(self, source: Mapping[str, Any]) -> None:
        """Ask this source before the others from now on."""
        self.sources = [source, *(other for other in self.sources if other is not source)]

    def source_of(self, name: str) -> Mapping[str, Any] | None:
        """Return the source that has a name; None if none has it."""
        return self._answer(name)[0]

    def origin(self, name: str) -> Provenance | None:
        """Return the provenance of the schema with a name, if it is known."""
        answer = self._answer(name)[1]
        if name != self.id or answer.provenance is None or isinstance(self.sources[0], DataSchemas):
            return answer.provenance  # a file was named for this id, whatever its `$id`
        return with_own_id(answer.provenance, answer.schema)

    def origins_like(self, before: Iterable[Provenance]) -> tuple[Provenance, ...]:
        """Return the provenances of a type that has not changed since `before`."""
        return tuple(
            replace(self.origin(old.id) or replace(old, stale=False), describes=old.describes)
            for old in before
        )

    def agrees(self, before: Resolution) -> bool:
        """Return whether the sources give the same as before for all that was looked up then.

        Raises `StoreError` if a file is no longer there.
        """
        self._files, self._names = before._files, before._names
        return all(_is_same(answer, self._answer(name)) for name, answer in before._answers.items())

    def _answer(self, name: str) -> tuple[Mapping[str, Any] | None, Lookup]:
        if name not in self._answers:
            self._answers[name] = self._first_answer(name)
        return self._answers[name]

    def _first_answer(self, name: str) -> tuple[Mapping[str, Any] | None, Lookup]:
        if name in self._files:
            place = self._files[name]
            path = path_at(place.uri, place)
            for folder in self._folders():
                if folder.is_beside(path):
                    schema, provenance = folder.beside(path)
                    return folder, Lookup(True, schema, replace(provenance, id=name))
        for source in self.sources:
            answer = look_up(source, name)
            self.fresh_for = min(self.fresh_for, answer.fresh_for)
            if answer.is_known:
                return source, answer
        return None, Lookup(False)

    def __getitem__(self, name: str) -> Any:
        source, answer = self._answer(name)
        if source is None:
            raise KeyError(name)
        return answer.schema

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for source in self.sources for name in source))

    def __len__(self) -> int:
        return len([*iter(self)])


def _may_change(source: Mapping[str, Any]) -> bool:
    """Return whether a source reads files that may change."""
    return isinstance(source, IN_FILES) and not (isinstance(source, Store) and source.is_bundled)


def _is_same(
    before: tuple[Mapping[str, Any] | None, Lookup], now: tuple[Mapping[str, Any] | None, Lookup]
) -> bool:
    """Return whether two answers are the same schema from the same place."""
    (old_source, old), (new_source, new) = before, now
    if (old_source is None) != (new_source is None):
        return False
    if old.provenance is None or new.provenance is None:
        return old.schema is new.schema
    return (old.provenance.source, old.provenance.digest) == (
        new.provenance.source,
        new.provenance.digest,
    )


def is_refusal(error: WidgetSchemaError) -> bool:
    """Return whether an answer is final: there is no such type, or it is not for this account."""
    if isinstance(error, ErrorResponse):
        return error.status in _REFUSALS
    return isinstance(error, (UnknownWidgetType, LoginRequired))


def retry_pause(seconds: float) -> float:
    """Return the seconds until a source is asked again that has failed for so many seconds."""
    return min(max(RETRY, seconds), _MAX_RETRY)


def with_own_id(provenance: Provenance, schema: Any) -> Provenance:
    """Add the `$id` to the provenance of a type if it is another type's.

    A `$id` that is a URI says so only on a platform: elsewhere, references mean it.
    """
    if provenance.origin is None and plain_id(schema) is None:
        return provenance
    return replace(provenance, own_id=foreign_id(schema, provenance.id))


def is_at(address: str, id: str, schema: Any, provenance: Provenance | None) -> bool:
    """Return whether an address is the `$id` of a schema, or where it was fetched from."""
    own_id = schema.get("$id") if isinstance(schema, dict) else None
    if isinstance(own_id, str) and plain_address(own_id) == plain_address(address):
        return True
    if provenance is None or provenance.origin is None:
        return False
    with contextlib.suppress(InvalidTypeId):
        return plain_address(address) == f"{provenance.origin.rstrip('/')}{schema_path(id)}"
    return False


def plain_address(address: str) -> str:
    """Return an address without fragment and slashes at its end."""
    return address.partition("#")[0].rstrip("/")
