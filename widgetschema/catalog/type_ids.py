"""Ids of widget types are data: which can be one, its path in a request, the names of its file.

Nothing here does I/O, or imports what does: folders of schemas are named by it, too.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, unquote

from widgetschema.errors import InvalidTypeId
from widgetschema.suggest import nearest

LONGEST: Final = 200  # characters
_DIGEST: Final = 12  # hexadecimal digits that keep names apart

# Control characters, halves of surrogate pairs, what turns text around, and ends of lines.
_REFUSED: Final = {
    "Cc": "it has a control character",
    "Cs": "it has a lone surrogate, which is not a character",
    "Cf": "it has an invisible character",
    "Zl": "it has a line separator",
    "Zp": "it has a paragraph separator",
}
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}(?<!\.)")
# Names that mean something else: to this package, and to Windows whatever their extension.
_RESERVED: Final = re.compile(r"manifest|(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_LAST: Final = re.compile(r"[/\\:]")
# A plain file of a folder: no path, no drive, nothing hidden.
FILE_NAME: Final = re.compile(r"(?!\.)[^/\\:\x00-\x1f]{1,250}\.(?i:json|ya?ml)")
# An `$id` that names a type: no URI, and no file, which only references mean.
_PLAIN_ID: Final = re.compile(r"(?!.*\.(?i:json|ya?ml)\Z)[^/:#?\\\x00-\x1f]{1,200}")
_ENDING: Final = re.compile(r"(?<!^)(?:\.schema)?(?:\.(?:json|ya?ml))?\Z", re.IGNORECASE)
_LIKE_DIGESTED: Final = re.compile(rf".*-[0-9a-f]{{{_DIGEST}}}")


def checked_type_id(id: str) -> str:
    """`id`, if it can be the id of a widget type.

    Which ids there are is not documented, so only that is refused which no request and no file
    should be made of. Raises `InvalidTypeId`.
    """
    problem = _problem(id)
    if problem is not None:
        raise InvalidTypeId(id if isinstance(id, str) else type(id).__name__, problem)
    return id


def schema_path(id: str) -> str:
    """Return the path of a type's schema, percent-encoded (RFC 3986, section 2.1).

    Everything but unreserved characters is quoted, so that an id is one segment and stays
    itself: the id `%2e` becomes `%252e`. Raises `InvalidTypeId`.
    """
    return f"/widget-types/{quote(checked_type_id(id), safe='')}/schema"


def foreign_id(schema: object, id: str) -> str | None:
    """Return the `$id` of a schema that was asked for under an id, if it names something else.

    What counts is the last name of `$id`, or the type in an address such as `schema_path` gives;
    `_` and `-` are the same, and an ending such as `.schema.json` is none of it.
    """
    own = schema.get("$id") if isinstance(schema, dict) else None
    if not isinstance(own, str):
        return None
    path = unquote(own.partition("#")[0].partition("?")[0]).rstrip("/")
    if not path:
        return None
    names = {path, *(_LAST.split(one)[-1] for one in (path, path.removesuffix("/schema")))}
    plain = {file_id(name).replace("_", "-") for name in names}
    return None if id.replace("_", "-") in plain else own


def plain_id(schema: object) -> str | None:
    """Return the `$id` of a schema if it is a plain name; a URI is only for references."""
    own = schema.get("$id") if isinstance(schema, dict) else None
    return own if isinstance(own, str) and _PLAIN_ID.fullmatch(own) else None


def id_in_file(schema: object, path: str) -> str:
    """Return the id of the type whose schema is in a file that no manifest lists.

    It is the `$id` of the schema, if that is a plain name, else the name of the file without
    `.schema` and suffix.
    """
    return plain_id(schema) or file_id(path)


def file_id(path: str) -> str:
    """Return the name of a file without `.schema` and suffix."""
    return _ENDING.sub("", os.path.basename(path))


def nearest_ids(given: str, known: Iterable[str]) -> list[str]:
    """Return the known ids near the one that was given, perhaps as the name of its file."""
    return nearest(file_id(given), known)


def file_name(id: str) -> str:
    """Return a portable file name for the schema of a type; no two ids have the same.

    A plain lower-case id names its file; any other gives a readable part and a digest, also
    where file systems know neither upper case nor all of Unicode. Raises `InvalidTypeId`.
    """
    checked_type_id(id)
    if _PLAIN.fullmatch(id) and not _RESERVED.fullmatch(id) and not _LIKE_DIGESTED.fullmatch(id):
        return f"{id}.json"
    slug = re.sub("[^a-z0-9]+", "-", id.lower()).strip("-")[:60].rstrip("-") or "type"
    return f"{slug}-{hashlib.sha256(id.encode()).hexdigest()[:_DIGEST]}.json"


def _problem(id: object) -> str | None:
    """Return the reason why this cannot be an id, as the end of a sentence."""
    if not isinstance(id, str):
        return "it is not text"
    if not id:
        return "it is empty"
    if len(id) > LONGEST:
        return f"it has {len(id):,} characters, more than {LONGEST}"
    if id in (".", ".."):
        return "as part of a path it would lead elsewhere"
    if "/" in id or "\\" in id:
        return "a slash would make it a path"
    if id != id.strip():
        return "it begins or ends with white space"
    refused = {unicodedata.category(character) for character in id} & _REFUSED.keys()
    return _REFUSED[min(refused)] if refused else None
