"""The content of the sandbox: schemas with their validators and versions, and widgets in a list.

Last-Modified is derived from the content, like the ETag, and compared for equality. So it also
distinguishes versions less than a second old, and those of an earlier run at the same address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from email.utils import formatdate
from hashlib import sha256
from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.samples.records import document
from widgetschema.sandbox.messages import RequestRefused

_OLDEST: Final = 1_704_067_200  # 2024-01-01, in seconds since 1970
_RANGE: Final = 30_000_000  # seconds, about a year


@dataclass(frozen=True, slots=True)
class ServedSchema:
    """A schema as it is sent: `etag` and `last_modified` are the texts of the headers."""

    value: Any
    body: bytes
    etag: str
    last_modified: str


def prepare_schema(value: Any) -> ServedSchema:
    """Prepare a schema. Raises `TypeError` or `ValueError` if it cannot be JSON."""
    body = dump(value).encode()
    digest = sha256(body).hexdigest()
    seconds = _OLDEST + int(digest, 16) % _RANGE
    return ServedSchema(value, body, f'"{digest[:32]}"', formatdate(seconds, usegmt=True))


def version(value: Any, number: int) -> Any:
    """Return version `number` of a schema; 0 is the schema itself.

    Odd ones allow one value more in an `enum`, even ones one less; each enum has its turn. A
    schema without an enum has another `$comment`.
    """
    if number == 0 or not isinstance(value, dict):
        return value
    changed = deepcopy(value)
    enums = [*_enums(changed)]
    if not enums:
        return {**changed, "$comment": f"version {number} of the sandbox"}
    enum = enums[(number - 1) // 2 % len(enums)]
    if number % 2 or len(enum) == 1:
        enum.append(f"sandbox-{number}")
    else:
        del enum[0]
    return changed


def unlinkable(value: Any) -> Any:
    """Return the schema with a reference to nowhere."""
    nowhere = {"$ref": "#/definitions/NowhereInTheSandbox"}
    if not isinstance(value, dict):
        return {"allOf": [value, nowhere]}
    before = value.get("allOf")
    return {**value, "allOf": [*(before if isinstance(before, list) else []), nowhere]}


def is_current(served: ServedSchema, if_none_match: str | None, since: str | None) -> bool:
    """Return whether the client has what would be sent (RFC 9110, 13.1.2 and 13.1.3)."""
    if if_none_match is not None:
        tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
        return "*" in tags or served.etag in tags
    return since is not None and since.strip() == served.last_modified


def _enums(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, dict):
        for name, member in value.items():
            if name == "enum" and isinstance(member, list) and member:
                yield member
            else:
                yield from _enums(member)
    elif isinstance(value, list):
        for item in value:
            yield from _enums(item)


DEFAULT_LIMIT: Final = 10
_PROJECTS: Final = 3
_MOST_DIGITS: Final = 9

Record = dict[str, Any]


def generate_widgets(types: Sequence[str], count: int, seed: int | str) -> tuple[Record, ...]:
    """Return `count` records of these widget types, in turn, with every documented member."""
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


def given_widgets(records: Iterable[Mapping[str, Any]]) -> tuple[Record, ...]:
    """Return given records, without their `data`.

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
        raise ValueError(f"a widget record is not JSON: {error}") from None
    return tuple(kept)


def filter_widgets(records: Sequence[Record], query: Mapping[str, str]) -> list[Record]:
    """Return the widgets that `projectId`, `type` and `search` ask for."""
    found = [*records]
    for name in ("projectId", "type"):
        if query.get(name):
            found = [record for record in found if record.get(name) == query[name]]
    search = query.get("search", "").casefold()
    if search:
        found = [record for record in found if search in _searched(record)]
    return found


def parse_limit(query: Mapping[str, str]) -> int:
    """Return the requested limit, or the documented default. Raises `RequestRefused`."""
    text = query.get("limit") or str(DEFAULT_LIMIT)
    plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not plain or int(text) < 1:
        reason = f"limit must be a whole number from 1, not {text[:40]!r}"
        raise RequestRefused(400, "invalid_request", reason)
    return int(text)


def envelope(found: Sequence[Record], limit: int, fields: str = "") -> dict[str, Any]:
    """Return the envelope of a list (documentation of the platform, section 2.2)."""
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
