"""The envelopes that other systems put around records, and values that they write in their own way.

Each is recognized by members of its own, record by record: nothing is guessed from a file's name.
Only the documents of mongoexport may have none, and then somebody has to say that they are some.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import read

# Members of which each envelope has one: a text without these is in none.
MARKS: Final = ("_id", "_source", "create", "delete", "index", "op", "payload", "update")
_MARKS: Final = frozenset(MARKS)
WITHOUT_MEANING: Final = "without_meaning "  # begins what is noted of a value that JSON cannot say

_ACTIONS: Final = frozenset({"index", "create", "delete", "update"})
_OF_UPDATES: Final = frozenset(
    "detect_noop doc doc_as_upsert script scripted_upsert upsert _source".split()
)
_PARTIAL: Final = (
    "this looks like a partial update of Elasticsearch: only whole records can be checked"
)
_RESPONSE: Final = "this is a response of Elasticsearch: write each hit on a line of its own"
_EVENTS: Final = frozenset("crudtm")  # the operations of Debezium
_CHANGES: Final = frozenset("cru")  # of these, those that leave a record
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_UNSAYABLE: Final = frozenset(
    "$binary $code $dbPointer $maxKey $minKey $regularExpression $timestamp $undefined".split()
)


class Unwrapped(NamedTuple):
    """A record without its envelope: what it is, where it was, its id there; and what is noted.

    `holds_record` is False for a note that something was deleted, and the like.
    """

    notes: tuple[str, ...]
    value: Any = None
    pointer: str = ""
    id: Any = None
    holds_record: bool = True


def unwrapped(value: Any) -> Unwrapped | None:
    """Return the record in an envelope; None if a value is in none."""
    if type(value) is not dict or _MARKS.isdisjoint(value):
        return None
    if "_source" in value and "_index" in value:
        return Unwrapped(("elasticsearch",), value["_source"], "/_source", value.get("_id"))
    if len(value) == 1 and not _ACTIONS.isdisjoint(value):
        [action] = value.values()
        if type(action) is dict and not action.keys().isdisjoint({"_index", "_id"}):
            return Unwrapped(("bulk_actions",), holds_record=False)
    for event, pointer in ((value, ""), (value.get("payload"), "/payload")):
        if type(event) is dict and event.keys() >= {"op", "source", "after"}:
            operation = event["op"]
            if isinstance(operation, str) and operation in _EVENTS:
                if event["after"] is None:
                    is_change = operation in _CHANGES
                    note = "changes_without_record" if is_change else "deletions"
                    return Unwrapped((note,), holds_record=False)
                return Unwrapped(("debezium",), event["after"], f"{pointer}/after")
    return of_mongoexport(value) if is_extended(value.get("_id")) else None


def of_mongoexport(value: Any) -> Unwrapped:
    """Return a document of mongoexport as a record."""
    unsayable: set[str] = set()
    record = plain(value, unsayable)
    notes = ("mongoexport", *(f"{WITHOUT_MEANING}{name}" for name in sorted(unsayable)))
    id = record.get("_id") if type(record) is dict else None
    return Unwrapped(notes, record, "", id if type(id) in (str, int, float) else None)


def is_extended(value: Any) -> bool:
    """Return whether a value is a scalar in MongoDB's Extended JSON, such as `{"$oid": "5f"}`."""
    return type(value) is dict and len(value) == 1 and not _MEANINGS.keys().isdisjoint(value)


def is_empty_list(value: Any) -> bool:
    """Return whether a value is a list of widgets, or a response of Elasticsearch, with nothing."""
    if type(value) is not dict or "type" in value or "data" in value:
        return False
    if value.get("docs") == [] and len(value) == 1:
        return True
    hits = value.get("hits")
    return type(hits) is dict and hits.get("hits") == [] and "took" in value


def other_hint(value: Any) -> str | None:
    """Return a hint if a value without a type is something else of Elasticsearch than a hit."""
    if type(value) is not dict:
        return None
    hits = value.get("hits")
    if "took" in value and type(hits) is dict and type(hits.get("hits")) is list:
        return _RESPONSE
    is_update = value.keys() <= _OF_UPDATES and not value.keys().isdisjoint({"doc", "script"})
    return _PARTIAL if is_update else None


def plain(value: Any, unsayable: set[str]) -> Any:
    """Return what a value in MongoDB's Extended JSON means, canonical or relaxed (version 2).

    What JSON has no value for stays as it is, and its name is put among the `unsayable`.
    """
    if type(value) is list:
        return [plain(item, unsayable) for item in value]
    if type(value) is not dict:
        return value
    if len(value) == 1:
        [(name, inner)] = value.items()
        meaning = _MEANINGS.get(name)
        if meaning is not None:
            found = meaning(inner)
            if found is None:
                unsayable.add(name)
            return value if found is None else found
    unsayable.update(name for name in value if name in _UNSAYABLE)
    return {name: plain(item, unsayable) for name, item in value.items()}


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


def _integer(value: Any) -> int | None:
    return int(value) if type(value) is str and _INTEGER.fullmatch(value) else None


def _number(value: Any) -> int | float | None:
    """Return a number that is written as JSON; not NaN and Infinity, for which JSON has none."""
    if type(value) is not str:
        return None
    try:
        found = read(value)
    except UnreadableDocument:
        return None
    return found if type(found) in (int, float) else None


def _uuid(value: Any) -> str | None:
    """Return a UUID that is written as bytes; not other bytes, for which JSON has no value."""
    if type(value) is not dict or value.get("subType") not in ("04", "4"):
        return None
    written = value.get("base64")
    try:
        return str(UUID(bytes=b64decode(written, validate=True))) if written else None
    except (TypeError, ValueError):
        return None


def _date(value: Any) -> str | None:
    """Return a date as the platform writes it, from a text or milliseconds since 1970."""
    if type(value) is dict:
        value = _integer(value.get("$numberLong"))
    if type(value) is not int:
        return _text(value)
    try:
        moment = _EPOCH + timedelta(milliseconds=value)
    except OverflowError:
        return None
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


_MEANINGS: Final[dict[str, Callable[[Any], Any]]] = {
    "$oid": _text,
    "$uuid": _text,
    "$binary": _uuid,
    "$symbol": _text,
    "$date": _date,
    "$numberInt": _integer,
    "$numberLong": _integer,
    "$numberDouble": _number,
    "$numberDecimal": _number,
}
