"""The widgets of the sandbox's account: generated, or given; and the envelope that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.samples.records import document
from widgetschema.sandbox.answers import Refused

DEFAULT_LIMIT: Final = 10
_PROJECTS: Final = 3
_MOST_DIGITS: Final = 9

Record = dict[str, Any]


def generated(types: Sequence[str], count: int, seed: int | str) -> tuple[Record, ...]:
    """So many records of these widget types, in turn, with every documented member."""
    if not types:
        return ()
    records = []
    for index in range(count):
        record = document(types[index % len(types)], None, f"sandbox/{seed}/{index}", "en")
        del record["data"]
        records.append(record)
    projects = [record["projectId"] for record in records[:_PROJECTS]]
    for index, record in enumerate(records):  # each project has widgets of several types
        record["projectId"] = projects[index // len(types) % len(projects)]
    return tuple(records)


def given(records: Iterable[Mapping[str, Any]]) -> tuple[Record, ...]:
    """Records as somebody wrote them; what they hold as `data` is not in the list.

    Raises `ValueError` if one is not a JSON object.
    """
    kept = []
    for index, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise ValueError(f"/{index}: a widget record is an object, not {record!r:.40}")
        kept.append({name: value for name, value in record.items() if name != "data"})
    try:
        dump(kept)
    except TypeError as error:
        raise ValueError(f"a widget record cannot be JSON: {error}") from None
    return tuple(kept)


def matching(records: Sequence[Record], query: Mapping[str, str]) -> list[Record]:
    """Those that `projectId`, `type` and `search` ask for."""
    found = [*records]
    for name in ("projectId", "type"):
        if query.get(name):
            found = [record for record in found if record.get(name) == query[name]]
    search = query.get("search", "").casefold()
    if search:
        found = [record for record in found if search in _searched(record)]
    return found


def limit_of(query: Mapping[str, str]) -> int:
    """The limit that is asked for, or the documented default. Raises `Refused`."""
    text = query.get("limit") or str(DEFAULT_LIMIT)
    plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not plain or int(text) < 1:
        reason = f"limit is a whole number from 1, not {text[:40]!r}"
        raise Refused(400, "invalid_request", reason)
    return int(text)


def envelope(found: Sequence[Record], limit: int, fields: str = "") -> dict[str, Any]:
    """The envelope of the platform's documentation, section 2.2."""
    docs = found[:limit]
    names = {name.strip() for name in fields.split(",")} - {""}
    return {
        "total": len(docs),
        "limit": limit,
        "offset": 0,
        "page": 1,
        "pages": max(1, -(-len(found) // limit)),
        "docs": [
            {name: value for name, value in record.items() if not names or name in names}
            for record in docs
        ],
    }


def _searched(record: Record) -> str:
    return f"{record.get('name', '')}\n{record.get('description', '')}".casefold()
