"""Requirements of one value: type, values, bounds, lengths, patterns, formats, counts.

Section numbers are those of the draft-07 validation specification. Each function returns the
obstacles of one schema: its requirements that the left node does not imply.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from widgetschema.evolution.compare.obstacles import Obstacle
from widgetschema.jsontext.decimals import decimal_value
from widgetschema.jsontext.equality import Options
from widgetschema.samples.values.automata import Answer, find_text
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.schema.tree import KIND_OF, KINDS, Limit, Node
from widgetschema.schema.tree.negation import kinds_of

_LOWER_BOUNDS: Final = ("minLength", "minItems", "minProperties")
_UPPER_BOUNDS: Final = ("maxLength", "maxItems", "maxProperties")
_CONTENT: Final = ("contentEncoding", "contentMediaType")
_EXACT_BELOW: Final = 2**53  # from here on doubles are farther apart than integers
_MAX_LISTED_INTEGERS: Final = 100  # integers within bounds that are checked one by one
# The formats that every text of a format has as well, by the checks of all engines. A hostname need
# be no idn-hostname, whose labels of other characters must be normal ones: `xn--yca`. So it is with
# the addresses of an email.
WIDER_FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "ipv4": ("hostname",),
    "iri": ("iri-reference",),
    "uri": ("uri-reference", "iri", "iri-reference"),
    "uri-reference": ("iri-reference",),
}
MOST_VALUES: Final = 12  # values that are reported one by one

Asserts = Callable[[str], bool]


def leaf_obstacles(
    left: Node, pointer: str, schema: dict[str, Any], of: Asserts
) -> Iterator[Obstacle]:
    """Yield the obstacles of all keywords about one value; `of` says where formats are checked."""
    yield from _type(left, pointer, schema)
    yield from _values(left, pointer, schema)
    for keyword, value in schema.items():
        if keyword in KIND_OF and KIND_OF[keyword] not in left.kinds:
            continue
        if keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
            yield from _bound(left, pointer, keyword, value)
        elif keyword in _LOWER_BOUNDS or keyword in _UPPER_BOUNDS:
            yield from _count(left, pointer, keyword, value)
        elif keyword == "multipleOf":
            if not _is_multiple(left, value):
                yield plain(left, pointer, keyword, value)
        elif keyword == "pattern":
            answer = texts_of(left, missed=(value,))
            if not answer.none:
                yield _example(plain(left, pointer, keyword, value), answer)
        elif keyword == "format":
            yield from _format(left, pointer, value, of)
        elif keyword == "uniqueItems" and value and not left.unique:
            most = left.most("maxItems")
            if most is None or most > 1:
                yield plain(left, pointer, keyword, value)
    yield from _content(left, pointer, schema, of)


def plain(left: Node, pointer: str, keyword: str, value: Any) -> Obstacle:
    """Return the obstacle of a keyword that does not depend on its siblings."""
    leaf: dict[str, Any] = {"not": {keyword: value}}
    if keyword in KIND_OF:
        leaf = {"type": KIND_OF[keyword], **leaf}
    return Obstacle(
        (),
        keyword,
        keyword,
        f"{pointer}/{keyword}",
        left.place(keyword),
        left=left.annotation(keyword),
        right=value,
        leaf=leaf,
    )


def type_names(node: Node) -> str | list[str] | None:
    """Return the types of a node as the keyword `type` would name them; None if any is allowed."""
    if node.kinds == KINDS and not node.integer:
        return None
    names = ["integer" if kind == "number" and node.integer else kind for kind in node.kinds]
    return names[0] if len(names) == 1 else names


def _type(left: Node, pointer: str, schema: dict[str, Any]) -> Iterator[Obstacle]:
    """Section 6.1.1."""
    if "type" not in schema:
        return
    value = schema["type"]
    names = [value] if type(value) is str else value
    halves = "integer" in names and "number" not in names
    fits = set(left.kinds) <= kinds_of(value)
    if fits and not (halves and "number" in left.kinds and not left.integer):
        return
    leaf = {"not": {"type": value}}
    place, where = f"{pointer}/type", left.place("type")
    yield Obstacle((), "type", "type", place, where, None, type_names(left), value, leaf)


def _values(left: Node, pointer: str, schema: dict[str, Any]) -> Iterator[Obstacle]:
    """Yield obstacles of sections 6.1.2 and 6.1.3, if the left node does not list its values."""
    for keyword, word in (("enum", "enum"), ("const", "const")):
        if keyword not in schema:
            continue
        listed = schema[keyword] if keyword == "enum" else [schema[keyword]]
        options = Options(listed)
        few: dict[str, list[Any]] = {"null": [None], "boolean": [False, True]}
        every = [one for kind in left.kinds for one in few.get(kind, ())]
        if set(left.kinds) <= few.keys() and all(one in options for one in every):
            continue
        leaf = {"not": {"enum": listed}}
        place, where = f"{pointer}/{word}", left.place("enum") or left.place("const")
        yield Obstacle((), word, "values", place, where, None, None, schema[keyword], leaf)


def few_values(node: Node) -> list[Any] | None:
    """Return values among which all of a node are, where its types and bounds leave only a few."""
    found: list[Any] = []
    for kind in node.kinds:
        if kind == "null":
            found.append(None)
        elif kind == "boolean":
            found += [False, True]
        elif kind != "number" or not node.integer or not (node.minimum and node.maximum):
            return None
        else:
            low, high = math.ceil(node.minimum.value), math.floor(node.maximum.value)
            if high - low >= _MAX_LISTED_INTEGERS or max(abs(low), abs(high)) >= _EXACT_BELOW:
                return None
            found += range(low, high + 1)
    return [one for one in found if not any(one in some for some in node.excluded)]


def value_obstacles(left: Node, right: Node, gone: list[Any]) -> Iterator[Obstacle]:
    """Yield one obstacle for each listed value that is no longer allowed."""
    keyword = "const" if not any(right.said("enum")) and any(right.said("const")) else "enum"
    place = right.place(keyword)
    if not place:  # it is not the list that refuses it
        keyword = "enum"
        place = next((f"{pointer}/type" for pointer, _ in right.said("type")), "")
    left_place = left.place("enum") or left.place("const")
    said, says = left.values, right.values
    for value in gone[:MOST_VALUES]:
        yield Obstacle(
            (),
            keyword,
            "value",
            place or right.pointer,
            left_place,
            subject=value,
            left=None if said is None else [*said],
            right=None if says is None else [*says],
            leaf={"enum": [value]},
        )
    if len(gone) > MOST_VALUES:
        rest = gone[MOST_VALUES:]
        leaf = {"enum": rest[:MOST_VALUES]}
        yield Obstacle(
            (), keyword, "more values", place or right.pointer, left_place, len(rest), leaf=leaf
        )


def _bound(left: Node, pointer: str, keyword: str, value: Any) -> Iterator[Obstacle]:
    """Sections 6.2.2 to 6.2.5. Of integers, those next to an excluded bound count."""
    low = keyword in ("minimum", "exclusiveMinimum")
    excluded = keyword.startswith("exclusive")
    limit = left.minimum if low else left.maximum
    if limit is not None and _within(left, limit, low, value, excluded):
        return
    yield Obstacle(
        (),
        keyword,
        "least" if low else "greatest",
        f"{pointer}/{keyword}",
        limit.place if limit else "",
        left=limit.value if limit else None,
        right=value,
        leaf={"type": "number", "not": {keyword: value}},
    )


def _within(left: Node, limit: Limit, low: bool, value: Any, excluded: bool) -> bool:
    sign = 1 if low else -1
    bound, asked = sign * limit.value, sign * value
    if bound > asked or (bound == asked and (limit.excluded or not excluded)):
        return True
    if not left.integer:
        return False
    first = math.floor(bound) + 1 if limit.excluded else math.ceil(bound)
    return first > asked or (first == asked and not excluded)


def _count(left: Node, pointer: str, keyword: str, value: Any) -> Iterator[Obstacle]:
    """Sections 6.3.1, 6.3.2, 6.4.3, 6.4.4, 6.5.1 and 6.5.2."""
    if keyword in _LOWER_BOUNDS:
        least = left.least(keyword)
        if keyword == "minProperties":
            least = max(least, len(left.required))
        holds = least >= value
    else:
        most = left.most(keyword)
        if keyword == "maxProperties" and most is None and left.closed and not left.patterns:
            most = len(left.properties)
        if keyword == "maxItems" and most is None and not left.item(left.tuple_length).kinds:
            most = left.tuple_length
        holds = most is not None and most <= value
    if holds:
        return
    obstacle = plain(left, pointer, keyword, value)
    if keyword in ("minLength", "maxLength") and left.texts("pattern"):
        bounds = {"high": value - 1} if keyword == "minLength" else {"low": value + 1}
        answer = texts_of(left, **bounds)
        if answer.none:
            return
        obstacle = _example(obstacle, answer)
    yield obstacle


def texts_of(
    node: Node, *, missed: tuple[str, ...] = (), low: int = 0, high: int | None = None
) -> Answer:
    """Return a text by the patterns and lengths of a node, in which other patterns match nowhere.

    The text may be refused for other reasons; if there is none, nothing of the node is a text.
    """
    most = node.most("maxLength")
    within = [limit for limit in (high, most) if limit is not None]
    refused = (node.tree.linked.at.get(pointer) for pointer in node.key.refused)
    gone = [schema["pattern"] for schema in refused if schema and _is_pattern(schema)]
    least = max(low, node.least("minLength"))
    matched = frozenset(node.texts("pattern"))
    return find_text(matched, frozenset((*missed, *gone)), least, min(within, default=None))


def _is_pattern(schema: Any) -> bool:
    """Return True if a schema only rejects texts that do not match its pattern."""
    if type(schema) is not dict or "pattern" not in schema or "$ref" in schema:
        return False
    type_word = schema.get("type", "string")
    return schema.keys() - ANNOTATIONS <= {"type", "pattern"} and (
        type_word == "string" or "string" in type_word
    )


def _example(obstacle: Obstacle, answer: Answer) -> Obstacle:
    """Return an obstacle whose data is, if possible, the text that was found."""
    if answer.text is None:
        return obstacle
    return obstacle._replace(leaf={"anyOf": [{"const": answer.text}, obstacle.leaf]})


def _is_multiple(left: Node, value: Any) -> bool:
    """Section 6.2.1: what is a multiple of a multiple is one as well."""
    divisor, units = decimal_value(value), [*map(decimal_value, left.multiples)]
    if left.integer:
        units.append(Fraction(1))
    return any((unit / divisor).denominator == 1 for unit in units)


def _format(left: Node, pointer: str, value: Any, asserts: Asserts) -> Iterator[Obstacle]:
    """Yield obstacles of section 7, of formats that the validators check."""
    if not asserts(pointer) or value not in FORMATS or "string" not in left.kinds:
        return
    said = [one for place, one in left.said("format") if asserts(place) and type(one) is str]
    if not any(value == one or value in WIDER_FORMATS.get(one, ()) for one in said):
        yield plain(left, pointer, "format", value)


def _content(
    left: Node, pointer: str, schema: dict[str, Any], asserts: Asserts
) -> Iterator[Obstacle]:
    """Section 8: encoding and media type are read together."""
    asked = {keyword: schema[keyword] for keyword in _CONTENT if keyword in schema}
    if not asked or not asserts(pointer) or "string" not in left.kinds:
        return
    for place, other in left.schemas:
        if type(other) is dict and asserts(place):
            if asked == {keyword: other[keyword] for keyword in _CONTENT if keyword in other}:
                return
    keyword = next(iter(asked))
    leaf = {"type": "string", "not": asked}
    yield plain(left, pointer, keyword, asked[keyword])._replace(leaf=leaf)
