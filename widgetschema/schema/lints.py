"""Lints: keywords of a schema that certainly have no effect, among them misspelled ones.

A lint is no error: draft-07 ignores keywords that it does not know (core specification, section
6.4), and people use that for annotations of their own. So only what cannot be meant is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from widgetschema.findings import Finding
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import (
    ANNOTATION_WORDS,
    KEYWORDS,
    OTHER_DRAFTS,
    codes,
    texts,
)
from widgetschema.schema.linking.linked import LinkedSchema
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.schema.subschemas import is_schema
from widgetschema.suggest import Vocabulary, plain_form

_UNKNOWN: Final = "keyword.unknown"
_UNSUPPORTED: Final = "keyword.unsupported"
_NO_EFFECT: Final = "keyword.no-effect"
_TYPES: Final = frozenset(METASCHEMA["definitions"]["simpleTypes"]["enum"])
# Keywords that assert something about one JSON type, and nothing about others. Formats and content
# keywords are annotations, too.
_ABOUT: Final[Mapping[str, str]] = {
    code: one.instance
    for code in (*codes("number"), *codes("string"), *codes("array"), *codes("object"))
    if (one := KEYWORDS[code]).instance is not None
    and code not in ("format", "contentEncoding", "contentMediaType")
}
# What may be a misspelled keyword: letters in words, and no extension such as `x-order`.
_NAME: Final = re.compile(r"(?!x-)\$?[A-Za-z]+([_-][A-Za-z]+)*")
_MAKE_A_SCHEMA: Final = (METASCHEMA["properties"].keys() | OTHER_DRAFTS.keys()) - {
    *("$comment", "title", "description", "default", "examples", "readOnly")
}
_CONTAINER: Final = "$defs"  # useful in draft-07 if a reference leads into it


def lints(linked: LinkedSchema) -> Iterator[Finding]:
    """Yield findings about the keywords of a schema, and of the schemas embedded in it.

    Args:
        linked: The linked schema.

    Yields:
        A finding for each keyword that has no effect; its `path` points into the linked schema.
    """
    for pointer, schema in linked.at.items():
        is_view = pointer[:1] not in ("", "/")  # made by us, for a member or a conjunction
        if type(schema) is not dict or "$ref" in schema or is_view:
            continue
        for keyword in schema:
            one = _lint(schema, keyword)
            if one is None or (keyword == _CONTAINER and _leads_into(linked, pointer)):
                continue
            code, message, hint = one
            yield Finding(code, f"{pointer}/{escape_token(keyword)}", "", message, hint)


def seems_data(schema: Any) -> bool:
    """Return whether an object has members, but no keyword, not even a misspelled one.

    As a schema, it would accept anything. Data has members such as `title`, too.
    """
    if type(schema) is not dict or not schema or not _MAKE_A_SCHEMA.isdisjoint(schema):
        return False
    return all(word in METASCHEMA["properties"] or _meant(schema, word) is None for word in schema)


def _leads_into(linked: LinkedSchema, pointer: str) -> bool:
    """Return whether a reference leads into the `$defs` of the schema at `pointer`."""
    return any(place.startswith(f"{pointer}/{_CONTAINER}/") for place in linked.found)


def _lint(schema: dict[str, Any], keyword: str) -> tuple[str, str, str] | None:
    """Return code, message and hint of the lint about one keyword; None if there is none."""
    say = texts()
    shown = f'"{keyword}"'
    value = schema[keyword]
    asserts = value is not True and value not in ({}, [])
    if keyword in METASCHEMA["properties"]:
        return _lint_known(schema, keyword) if asserts else None
    if keyword in OTHER_DRAFTS:
        if not asserts:
            return None
        draft, instead = OTHER_DRAFTS[keyword]
        hint = say[f"{_UNSUPPORTED}.none"]() if instead is None else instead
        return _UNSUPPORTED, say[_UNSUPPORTED](keyword=shown, draft=draft), hint
    meant = _meant(schema, keyword)
    if meant is None:
        return None
    return _UNKNOWN, say[_UNKNOWN](keyword=shown), say["hint.meant"](value=f'"{meant}"')


def _lint_known(schema: dict[str, Any], keyword: str) -> tuple[str, str, str] | None:
    """Return the lint about a keyword of draft-07 that has no effect beside the others."""
    say, value = texts(), schema[keyword]
    shown = f'"{keyword}"'
    if keyword in ("then", "else") and "if" not in schema:
        return _NO_EFFECT, say[f"{_NO_EFFECT}.then"](keyword=shown), say["hint.add-if"]()
    if keyword == "if" and not schema.keys() & {"then", "else"}:
        return _NO_EFFECT, say[f"{_NO_EFFECT}.if"](), say["hint.add-then"]()
    if keyword == "additionalItems" and type(schema.get("items")) is not list:
        hint = say["hint.remove"](keyword=shown)
        return _NO_EFFECT, say[f"{_NO_EFFECT}.items"](), hint
    about = _ABOUT.get(keyword)
    allowed = schema.get("type")
    types = allowed if type(allowed) is list else [allowed]
    if about is None or not types or not all(type(one) is str and one in _TYPES for one in types):
        return None
    if about in types or (about == "number" and "integer" in types):
        return None
    if value == 0 and keyword.startswith("min"):
        return None
    message = say[f"{_NO_EFFECT}.type"](keyword=shown, about=about)
    return _NO_EFFECT, message, say["hint.remove-or-type"](keyword=shown)


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(METASCHEMA["properties"])


def _meant(schema: dict[str, Any], word: str) -> str | None:
    """Return the keyword that a word is certainly meant to be, None if it may be an annotation."""
    if _NAME.fullmatch(word.strip()) is None or word in ANNOTATION_WORDS:
        return None
    meant = _vocabulary().best_match(word)
    if meant is None or not _fits(meant, schema[word]):
        return None
    has_same_letters = sorted(plain_form(word)) == sorted(plain_form(meant))
    if word[:1].casefold() != meant[:1] and not has_same_letters and meant[:1] != "$":
        return None  # many words have their own meaning by what is in front: `dtype`
    if meant.startswith("$") and not word.startswith("$"):
        # `schema` and `comment` are words that people use: only a reference is told by its value.
        return meant if word == "ref" and "#/" in schema[word] else None
    shortest = 5 if meant in schema else 4  # beside `type`, `typ` may be a word of its own
    is_near_many = len(meant) < shortest or KEYWORDS[meant].value == "any"  # as `cost`
    return None if is_near_many and not has_same_letters else meant


def _fits(keyword: str, value: Any) -> bool:
    """Return whether a value is of the kind that a keyword has."""
    match KEYWORDS[keyword].value:
        case "array":
            return type(value) is list
        case "boolean":
            return type(value) is bool
        case "count":
            return type(value) is int and value >= 0
        case "names":
            return type(value) is list and all(type(one) is str for one in value)
        case "number":
            return type(value) in (int, float)
        case "schema":
            return type(value) is dict or (keyword.startswith("additional") and is_schema(value))
        case "schema or schemas":
            return type(value) is dict or _are_schemas(value)
        case "schemas":
            return _are_schemas(value)
        case "schemas by name":
            return type(value) is dict and all(map(is_schema, value.values()))
        case "schemas or names by name":
            return type(value) is dict and all(
                is_schema(one) or type(one) is list for one in value.values()
            )
        case "string":
            return type(value) is str
        case "type names":
            names = value if type(value) is list else [value]
            return bool(names) and all(type(name) is str and name in _TYPES for name in names)
    return True


def _are_schemas(value: Any) -> bool:
    return type(value) is list and bool(value) and all(map(is_schema, value))
