"""Write the linked schema so that libraries for browsers read it as it is meant.

These libraries resolve references of the form `#/definitions/…` only, heed keywords beside a
`$ref`, do not look into `allOf` everywhere, and validate with Ajv, which compiles patterns with
the flag `u` and warns about formats that it does not know. So the schema is written anew, with the
same meaning, in the same order: only what is reachable, no `$id`, `allOf` merged where that
is exact, a `type` wherever the allowed values imply one.

Two schemas are merged only where that is exact. The keywords of draft-07 are independent of each
other except for a few that look at their neighbours: `additionalProperties` at `properties` and
`patternProperties`, `additionalItems` at `items`, `then` and `else` at `if`. Where such a
neighbour would change, two schemas stay two.

Without the flag `u`, backslash-hyphen and backslash-underscore outside of a class, a lone brace or
bracket, and octal escapes stand for themselves; with it, the schema cannot be used at all (ECMA
262, section B.1.2). Such patterns are written in the common form of `validation.patterns`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from widgetschema.forms.exports.export import Loss
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import parse_pointer
from widgetschema.schema.linking import ANNOTATIONS, LinkedSchema, subschemas
from widgetschema.schema.metaschema import DRAFT7
from widgetschema.schema.standalone import SchemaWriter
from widgetschema.schema.tree import PYTHON
from widgetschema.validation.patterns import translate

# The formats of draft-07 that Ajv knows (ajv-formats), and those that it does not.
KNOWN_FORMATS: Final = frozenset(
    "date-time date time email hostname ipv4 ipv6 uri uri-reference uri-template json-pointer "
    "relative-json-pointer regex".split()
)
OTHER_FORMATS: Final = frozenset("idn-email idn-hostname iri iri-reference".split())
CONTENT: Final = ("contentEncoding", "contentMediaType")
_LEFT_OUT: Final = ANNOTATIONS - {"title", "description", "default", "examples", "readOnly"}
_DEFINITIONS: Final = "#/definitions/"
_MAX_REPEATED: Final = 20_000  # subschemas that merging may write a second time, altogether
_NAMED_REFERENCE: Final = frozenset({"allOf", "title", "description"})
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_AVOIDED: Final = ("", "__proto__", "constructor", "prototype")
FALSE_SCHEMA: Final[dict[str, Any]] = {"not": {}}  # the schema `false` as an object
# The schema `true` as an object: one without members is taken for no schema at all.
TRUE_SCHEMA: Final[dict[str, Any]] = {"title": "Any value"}


class PortableSchema(NamedTuple):
    """The schema, and the keywords that Ajv does not check."""

    schema: dict[str, Any]
    unchecked: tuple[Loss, ...]


def make_portable(linked: LinkedSchema) -> PortableSchema:
    """Return the linked schema, rewritten for other libraries."""
    writing = _PortableWriter(linked)
    root = writing.body(linked.target(linked.root))
    schema: dict[str, Any] = {"$schema": f"{DRAFT7}#"}
    schema.update(_PortableWriter.as_object(root))
    if used := writing.used_by(schema):
        schema["definitions"] = used
    return PortableSchema(schema, tuple(dict.fromkeys(writing.unchecked)))


def with_changed_parts(
    schema: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    """Return a copy of a schema in which a function has changed the subschemas."""

    def changed_part(part: Any) -> Any:
        return change(part) if type(part) is dict else part

    changed = dict(schema)
    for keyword, value in schema.items():
        below = {id(part) for word, _, part in subschemas({keyword: value}, "") if word == keyword}
        if id(value) in below:
            changed[keyword] = changed_part(value)
        elif below and type(value) is dict:
            changed[keyword] = {
                name: changed_part(part) if id(part) in below else part
                for name, part in value.items()
            }
        elif below:
            changed[keyword] = [changed_part(part) for part in value]
    return changed


class _PortableWriter(SchemaWriter):
    """One run of `portable`: what has been written, and by what names it is referred to."""

    def __init__(self, linked: LinkedSchema) -> None:
        super().__init__(linked, "draft-07", _DEFINITIONS)
        self.bodies: dict[str, Any] = {}  # by pointer
        self.started: set[str] = set()
        self.sizes: dict[int, tuple[Any, int]] = {}  # by identity; the schema, so that it stays
        self.repeated = 0
        self.targets: dict[str, str] = {}  # reference → pointer
        self.unchecked: list[Loss] = []

    def used_by(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the definitions that a schema needs, in the order in which it refers to them."""
        used: dict[str, Any] = {}
        todo: list[Any] = [schema]
        while todo:
            one = todo.pop()
            reference = one.get("$ref") if type(one) is dict else None
            if reference is not None:
                pointer = self.targets[reference]
                name = reference.removeprefix(_DEFINITIONS)
                if name not in used:
                    used[name] = self.as_object(self.body(pointer))
                    todo.append(used[name])
            else:
                todo.extend(reversed([part for _, _, part in subschemas(one, "")]))
        return used

    @staticmethod
    def as_object(body: Any) -> dict[str, Any]:
        """Return a schema as an object: the libraries expect one nearly everywhere."""
        if type(body) is dict:
            return body or TRUE_SCHEMA
        return TRUE_SCHEMA if body else FALSE_SCHEMA

    def form(self, pointer: str) -> Any:
        """Return a subschema where it stands: itself, or a reference."""
        return self.as_object(super().form(pointer))

    def name(self, pointer: str) -> str:
        """Return a new name, without characters that a library would have to decode."""
        tokens = [_UNSAFE.sub("_", token).strip("_") for token in parse_pointer(pointer)]
        last = next((token for token in reversed(tokens) if token not in _AVOIDED), "document")
        name, number = last, 1
        while f"{_DEFINITIONS}{name}" in self.targets:
            number += 1
            name = f"{last}{number}"
        self.targets[f"{_DEFINITIONS}{name}"] = pointer
        return name

    def body(self, pointer: str) -> Any:
        """Return a schema rewritten, once."""
        if pointer not in self.bodies:
            self.started.add(pointer)
            body = super().body(pointer)
            if type(body) is dict:
                body = self.flat(_tidied(self.portable(body, pointer)))
            self.bodies[pointer] = body
        return self.bodies[pointer]

    def portable(self, body: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return what is written of a schema as the libraries read it."""
        schema = self.linked.at[pointer]
        found: dict[str, Any] = {}
        for keyword, written in body.items():
            value = schema[keyword]
            is_unknown = keyword == "format" and value not in KNOWN_FORMATS
            if keyword in CONTENT or (is_unknown and value in OTHER_FORMATS):
                place = f"{pointer}/{keyword} of the schema"
                message = f"Ajv does not check {keyword} {value} ({place})"
                self.unchecked.append(Loss("checking", "", message))
            if is_unknown or keyword in _LEFT_OUT:
                continue
            if keyword == "enum":
                written = _distinct_values(value)
            elif keyword == "pattern":
                written = unicode_pattern(value)
            elif keyword == "patternProperties":
                written = _with_unicode_patterns(written)
            elif keyword in ("additionalProperties", "additionalItems") and type(value) is bool:
                written = value
            found[keyword] = written
        return found

    def flat(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a schema with its `allOf`, and alternatives of one branch, merged into it."""
        if "allOf" in body and len(body["allOf"]) == 1 and body.keys() <= _NAMED_REFERENCE:
            return {**body.pop("allOf")[0], **body}  # a reference that is called something
        for keyword in ("allOf", "anyOf", "oneOf"):
            parts = body.get(keyword)
            if not parts or (keyword != "allOf" and len(parts) > 1):
                continue
            del body[keyword]
            left = []
            for part in parts:
                both = merge_schemas(body, self.inline(part))
                if both is None:
                    left.append(part)
                else:
                    body = both
            if left:
                body["allOf"] = [*left, *body.get("allOf", ())]
        return body

    def inline(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return the target of a reference, unless it is being written or would be too much."""
        target = self.targets.get(part.get("$ref", ""))
        if target is None or (target in self.started and target not in self.bodies):
            return part
        body = self.body(target)
        if type(body) is not dict:
            return self.as_object(body)
        size = self.size(body)
        if self.repeated + size > _MAX_REPEATED:
            return part
        self.repeated += size
        return body

    def size(self, body: Any) -> int:
        """Return the number of subschemas that are written with it."""
        if id(body) not in self.sizes:
            parts = [part for _, _, part in subschemas(body, "")]
            self.sizes[id(body)] = body, 1 + sum(map(self.size, parts))
        return self.sizes[id(body)][1]


def _with_unicode_patterns(schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas of `patternProperties` by patterns that the flag `u` accepts."""
    found: dict[str, Any] = {}
    for pattern, schema in schemas.items():
        common = unicode_pattern(pattern)
        # Two spellings of one pattern: both apply.
        found[common] = {"allOf": [found[common], schema]} if common in found else schema
    return found


def _tidied(body: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without empty keywords, and with the type that its values have."""
    if type(body.get("items")) is not list:
        body.pop("additionalItems", None)
    for keyword in ("dependencies", "patternProperties", "properties", "required"):
        if keyword in body and not body[keyword]:
            del body[keyword]
    if "if" in body and not ("then" in body or "else" in body):
        del body["if"]
    if "if" not in body:
        body.pop("then", None)
        body.pop("else", None)
    if "type" not in body and (kind := _scalar_type(body)):
        return {"type": kind, **body}
    return body


def _distinct_values(values: list[Any]) -> list[Any]:
    """Return the allowed values that differ in JavaScript: Ajv refuses duplicates."""
    return list({canonical(_as_doubles(value)): value for value in reversed(values)}.values())[::-1]


def _as_doubles(value: Any) -> Any:
    if type(value) is int:
        return float(value) if abs(value) < sys.float_info.max else value
    if type(value) is list:
        return list(map(_as_doubles, value))
    if type(value) is dict:
        return {name: _as_doubles(item) for name, item in value.items()}
    return value


def _scalar_type(body: dict[str, Any]) -> str | None:
    """Return the one scalar type of all values that are allowed; None if there is none."""
    if "const" in body:
        values = [body["const"]]
    elif "enum" in body:
        values = body["enum"]
    else:
        branches = body.get("oneOf") or body.get("anyOf") or [{}]
        if not all("const" in branch for branch in branches):
            return None
        values = [branch["const"] for branch in branches]
    kinds = {PYTHON[type(value)] for value in values}
    return next(iter(kinds)) if len(kinds) == 1 and kinds <= {"string", "number"} else None


# Keywords that assert nothing: the first one is kept.
_ANNOTATIONS: Final = frozenset("$comment $schema default description examples title".split())
_MEMBERS: Final = frozenset("additionalProperties patternProperties properties".split())
_ITEMS: Final = frozenset("additionalItems items".split())
_CONDITION: Final = frozenset("else if then".split())
_GREATEST: Final = frozenset("exclusiveMinimum minItems minLength minProperties minimum".split())
_LEAST: Final = frozenset("exclusiveMaximum maxItems maxLength maxProperties maximum".split())


def merge_schemas(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any] | None:
    """Return one schema that asserts what both do, `first` in front; None if that takes two."""
    if "$ref" in first or "$ref" in second:
        return None
    if not (
        _do_not_interact(first, second, _ITEMS) and _do_not_interact(first, second, _CONDITION)
    ):
        return None
    result = dict(first)
    if not _merge_members(result, second):
        return None
    for keyword, value in second.items():
        if keyword in _MEMBERS:
            continue
        if keyword not in result:
            result[keyword] = value
        elif keyword == "allOf":
            result[keyword] = [*result[keyword], *value]
        elif keyword == "required":
            result[keyword] = list(dict.fromkeys([*result[keyword], *value]))
        elif keyword in _GREATEST:
            result[keyword] = max(result[keyword], value)
        elif keyword in _LEAST:
            result[keyword] = min(result[keyword], value)
        elif keyword not in _ANNOTATIONS and canonical(result[keyword]) != canonical(value):
            return None
    return result


def _do_not_interact(
    first: dict[str, Any], second: dict[str, Any], keywords: frozenset[str]
) -> bool:
    """Return True if at most one of the two has any of these keywords, or both the same."""
    one = {keyword: first[keyword] for keyword in keywords & first.keys()}
    other = {keyword: second[keyword] for keyword in keywords & second.keys()}
    return not one or not other or bool(canonical(one) == canonical(other))


def _merge_members(result: dict[str, Any], second: dict[str, Any]) -> bool:
    """Merge what `second` says about members into `result`; return False if that is not exact."""
    if _do_not_interact(result, second, _MEMBERS):
        result.update({keyword: second[keyword] for keyword in second if keyword in _MEMBERS})
        return True
    if any("additionalProperties" in schema for schema in (result, second)):
        return False
    for keyword in ("properties", "patternProperties"):
        one, other = result.get(keyword, {}), second.get(keyword, {})
        if not all(
            canonical(one[name]) == canonical(other[name]) for name in one.keys() & other.keys()
        ):
            return False
        if one or other:
            result[keyword] = {**one, **other}
    return True


_ESCAPE: Final = (
    r"\\(?:[\^$\\.*+?()\[\]{}|/dDwWsSbBtnvfr]|0(?![0-9])|c[A-Za-z]|x[0-9A-Fa-f]{2}"
    r"|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}"
)
# Groups of no name, classes without ranges between classes, quantifiers behind atoms.
_PLAIN: Final = re.compile(
    rf"(?:[^\\\[\](){{}}*+?|]|{_ESCAPE})|\||\((?:\?:)?|\)"
    rf"|\[\^?(?:[^\\\[\]]|{_ESCAPE}|-))*\]"
    r"|(?<=[^(|*+?])[*+?]\??|(?<=[^(|*+?])\{[0-9]+(?:,[0-9]*)?\}\??)*"
)
_CLASS_IN_RANGE: Final = re.compile(r"\\[dDwWsS]-(?!\])|-\\[dDwWsS]")


def unicode_pattern(pattern: str) -> str:
    """Return an equivalent pattern that the flag `u` accepts. Raise `PatternError`."""
    if _PLAIN.fullmatch(pattern) and not _CLASS_IN_RANGE.search(pattern):
        return pattern
    return translate(pattern)
