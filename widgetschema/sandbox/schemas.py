"""The schemas that are served: their bytes and validators, made once, and their other versions.

Last-Modified is made of the content, like the ETag, and compared for being the same: so it tells
versions apart that are less than a second old, and those of an earlier run at the same address.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from email.utils import formatdate
from hashlib import sha256
from typing import Any, Final

from widgetschema.jsontext import dump

_OLDEST: Final = 1_704_067_200  # 2024-01-01, in seconds since 1970
_RANGE: Final = 30_000_000  # seconds, about a year


@dataclass(frozen=True, slots=True)
class ServedSchema:
    """A schema as it is sent: `etag` and `last_modified` are the texts of the headers."""

    value: Any
    body: bytes
    etag: str
    last_modified: str


def serve(value: Any) -> ServedSchema:
    """Prepare a schema. Raises `TypeError` or `ValueError` if it cannot be JSON."""
    body = dump(value).encode()
    digest = sha256(body).hexdigest()
    seconds = _OLDEST + int(digest, 16) % _RANGE
    return ServedSchema(value, body, f'"{digest[:32]}"', formatdate(seconds, usegmt=True))


def version(value: Any, number: int) -> Any:
    """Version `number` of a schema; 0 is the schema itself.

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
    """The schema with a reference to nowhere."""
    nowhere = {"$ref": "#/definitions/NowhereInTheSandbox"}
    if not isinstance(value, dict):
        return {"allOf": [value, nowhere]}
    before = value.get("allOf")
    return {**value, "allOf": [*(before if isinstance(before, list) else []), nowhere]}


def is_current(served: ServedSchema, if_none_match: str | None, since: str | None) -> bool:
    """Whether what the client has is what would be sent (RFC 9110, sections 13.1.2 and 13.1.3)."""
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
