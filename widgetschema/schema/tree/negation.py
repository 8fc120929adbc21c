"""Refused schemas as positive statements: what must not be, said as what must.

Draft-07 validation specification, sections 6.6.1 (`if` that is not to hold), 6.7.3 (branches of
`oneOf` that were not chosen) and 6.7.4 (`not`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from widgetschema.jsontext.equality import Options
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.schema.subschemas import ANNOTATIONS

KINDS: Final = ("null", "boolean", "number", "string", "array", "object")
ALL: Final = frozenset(KINDS)
PYTHON: Final = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


class Negation(NamedTuple):
    """A refused schema as positive statements; `exact` if they say all of it."""

    exact: bool = False
    kinds: frozenset[str] = frozenset()  # types that are refused
    values: Options | None = None  # values that are refused
    absent: str | None = None  # a member that must not be there
    present: str | None = None  # a member that must be there
    members: Mapping[str, tuple[str, ...]] = {}  # members, and what is refused of them
    items: tuple[str, ...] = ()  # what is refused of all items
    bounds: Mapping[str, Any] = {}  # keywords that follow, with their values
    missed: str | None = None  # a pattern that must match nowhere


class Statement(NamedTuple):
    """One statement of a refused schema that makes several: it is enough to break one.

    `pointer` is the pointer of the whole, `schema` the one statement.
    """

    pointer: str
    schema: dict[str, Any]


def negation_of(pointer: str, schema: Any) -> Negation:
    """Return the positive statements that follow if a schema must not match."""
    if type(schema) is not dict:
        return Negation(True, ALL if schema else frozenset())
    words = schema.keys() - ANNOTATIONS - {"$id"}
    if not words:
        return Negation(True, ALL)
    if words <= {"const", "enum", "type"} and words & {"const", "enum"}:
        return _refused_values(schema, words)
    if words == {"type"}:
        kinds = kinds_of(schema["type"])
        halves = _integers_only(schema["type"])
        return Negation(not halves, kinds - {"number"} if halves else kinds)
    if words <= {"type", "required", "properties"}:
        return _refused_members(pointer, schema, words)
    if len(words) == 1:
        return _refused_keyword(pointer, next(iter(words)), schema)
    return Negation()


def _refused_values(schema: dict[str, Any], words: set[str]) -> Negation:
    kinds = kinds_of(schema["type"]) if "type" in words else ALL
    lists = [schema["enum"]] if "enum" in words else []
    lists += [[schema["const"]]] if "const" in words else []
    options = [Options(values) for values in lists]
    both = [v for v in lists[0] if all(v in some for some in options)]
    both = [value for value in both if PYTHON[type(value)] in kinds]
    if _integers_only(schema.get("type", [])):
        both = [value for value in both if type(value) is not float or value.is_integer()]
    return Negation(True, values=Options(both))


def _integers_only(names: str | list[str]) -> bool:
    """Return whether only integers are meant of all numbers."""
    return (
        "integer" in names and "number" not in names if type(names) is list else names == "integer"
    )


def _refused_members(pointer: str, schema: dict[str, Any], words: set[str]) -> Negation:
    """Negate `{"required": ["a"]}`, and `{"properties": {"a": …}}` with or without it."""
    required = schema.get("required", [])
    properties = schema.get("properties", {})
    others = frozenset() if "type" in words else ALL - {"object"}
    if schema.get("type", "object") != "object":
        return Negation()
    if len(required) == 1 and not properties:
        return Negation(True, others, absent=required[0])
    if len(properties) == 1 and set(required) <= properties.keys():
        (name,) = properties
        place = f"{pointer}/properties/{escape_token(name)}"
        # Without `required` the member has to be there, too, to be wrong.
        present = None if required else name
        return Negation(True, others, present=present, members={name: (place,)})
    return Negation()


# Of which type a value must be for a keyword to say anything of it; and what it is to break
# the keyword, where that is a keyword, too.
KIND_OF: Final = {code: one.instance for code, one in KEYWORDS.items() if one.instance}
_OPPOSITE: Final = {
    "minimum": ("exclusiveMaximum", 0),
    "maximum": ("exclusiveMinimum", 0),
    "exclusiveMinimum": ("maximum", 0),
    "exclusiveMaximum": ("minimum", 0),
    "minLength": ("maxLength", -1),
    "maxLength": ("minLength", 1),
    "minItems": ("maxItems", -1),
    "maxItems": ("minItems", 1),
    "minProperties": ("maxProperties", -1),
    "maxProperties": ("minProperties", 1),
}


def _refused_keyword(pointer: str, keyword: str, schema: dict[str, Any]) -> Negation:
    """Return the negation of a schema of one keyword."""
    if keyword not in KIND_OF:
        return Negation()
    others, value = ALL - {KIND_OF[keyword]}, schema[keyword]
    if keyword in _OPPOSITE:
        opposite, more = _OPPOSITE[keyword]
        if opposite.startswith("max") and more and value + more < 0:
            return Negation(True, ALL)  # nothing is shorter than nothing
        return Negation(True, others, bounds={opposite: value + more})
    if keyword == "pattern":
        return Negation(True, others, missed=value)
    if keyword == "contains":
        return Negation(True, others, items=(f"{pointer}/contains",))
    if keyword in ("items", "uniqueItems", "additionalItems"):
        return Negation(False, others, bounds={"minItems": 2 if keyword == "uniqueItems" else 1})
    # Of dependencies the branch of a choice says the rest.
    return Negation(keyword == "dependencies" and not value, others)


_MOST_PAIRS: Final = 15  # of branches of a refused `oneOf` that are tried together

# A label, and what a branch of a choice then brings.
Falsification = tuple[str, dict[str, tuple[str, ...]]]


def falsifications(
    pointer: str, schema: dict[str, Any], add_statement: Callable[[Statement], str]
) -> list[Falsification]:
    """Return the ways to falsify a schema.

    `part` takes down one statement of the schema, and gives the name under which it is refused.
    """
    found: list[Falsification] = []
    for keyword in schema:
        place, value = f"{pointer}/{keyword}", schema[keyword]
        if keyword in ANNOTATIONS or keyword in ("$id", "then", "else"):
            continue
        if keyword in ("allOf", "anyOf", "oneOf"):
            places = tuple(f"{place}/{index}" for index in range(len(value)))
            if keyword == "allOf":
                found += [(f"allOf/{at}", {"refused": (p,)}) for at, p in enumerate(places)]
            else:
                found.append((keyword, {"refused": places}))
            if keyword == "oneOf":
                pairs = itertools.islice(itertools.combinations(places, 2), _MOST_PAIRS)
                found += [("oneOf/several", {"pointers": pair}) for pair in pairs]
        elif keyword == "not":
            found.append((keyword, {"pointers": (place,)}))
        elif keyword == "if":
            then, other = f"{pointer}/then", f"{pointer}/else"
            if "then" in schema:
                found.append(("then", {"pointers": (place,), "refused": (then,)}))
            if "else" in schema:
                found.append(("else", {"refused": (place, other)}))
        elif keyword == "dependencies":
            found += _falsified_dependencies(pointer, value, add_statement)
        elif keyword in ("required", "properties"):
            for name in value:
                one = [name] if keyword == "required" else {name: value[name]}
                refused = (add_statement(Statement(pointer, {keyword: one})),)
                found.append((f"{keyword}/{name}", {"refused": refused}))
        elif keyword in KIND_OF or keyword in ("type", "const", "enum"):
            found.append(
                (keyword, {"refused": (add_statement(Statement(pointer, {keyword: value})),)})
            )
    return found


def _falsified_dependencies(
    pointer: str, value: dict[str, Any], add_statement: Callable[[Statement], str]
) -> list[Falsification]:
    found: list[Falsification] = []
    is_object = add_statement(Statement(pointer, {"dependencies": {}}))
    for name, needed in value.items():
        if type(needed) is list:
            for other in needed:
                names = {"present": (name,), "absent": (other,)}
                label = f"dependencies/{name}/{other}"
                found.append((label, {"refused": (is_object,), **names}))
        else:
            place = f"{pointer}/dependencies/{escape_token(name)}"
            found.append(
                (f"dependencies/{name}", {"refused": (is_object, place), "present": (name,)})
            )
    return found


def kinds_of(value: str | list[str]) -> frozenset[str]:
    """Return the types, of `KINDS`, that `type` names."""
    names = [value] if type(value) is str else value
    return frozenset("number" if name == "integer" else name for name in names)
