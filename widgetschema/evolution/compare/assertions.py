"""Requirements of one value: type, values, bounds, lengths, patterns, formats, counts.

Section numbers are those of the draft-07 validation specification. Each function returns the
obstacles of one schema: its requirements that the left node does not imply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from widgetschema.evolution.compare.implied import (
    Implied,
    highest,
    least,
    lowest,
    pattern_of,
    step_of,
    texts_of,
)
from widgetschema.evolution.compare.obstacles import Obstacle
from widgetschema.jsontext.decimals import decimal_value
from widgetschema.jsontext.equality import Options
from widgetschema.samples.values.automata import Answer
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.tree import KIND_OF, KINDS, Node
from widgetschema.schema.tree.negation import kinds_of

_LOWER_BOUNDS: Final = ("minLength", "minItems", "minProperties")
_UPPER_BOUNDS: Final = ("maxLength", "maxItems", "maxProperties")
_CONTENT: Final = ("contentEncoding", "contentMediaType")
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
    left: Node, pointer: str, schema: dict[str, Any], of: Asserts, implied: Implied
) -> Iterator[Obstacle]:
    """Yield the obstacles of all keywords about one value; `of` says where formats are checked."""
    yield from _type(left, pointer, schema, implied)
    yield from _values(left, pointer, schema, implied)
    for keyword, value in schema.items():
        if keyword in KIND_OF and KIND_OF[keyword] not in left.kinds:
            continue
        if keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
            yield from _bound(left, pointer, keyword, value)
        elif keyword in _LOWER_BOUNDS or keyword in _UPPER_BOUNDS:
            yield from _count(left, pointer, keyword, value, implied)
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
    place, where, was = f"{pointer}/{keyword}", left.place(keyword), left.annotation(keyword)
    return Obstacle((), keyword, keyword, place, where, None, was, value, leaf)


def type_names(node: Node) -> str | list[str] | None:
    """Return the types of a node as the keyword `type` would name them; None if any is allowed."""
    if node.kinds == KINDS and not node.integer:
        return None
    names = ["integer" if kind == "number" and node.integer else kind for kind in node.kinds]
    return names[0] if len(names) == 1 else names


def _type(left: Node, pointer: str, schema: dict[str, Any], implied: Implied) -> Iterator[Obstacle]:
    """Section 6.1.1."""
    if "type" not in schema:
        return
    value = schema["type"]
    names = [value] if type(value) is str else value
    kinds = implied.kinds(left)
    if set(kinds) <= kinds_of(value):
        unit = step_of(left)
        whole = unit is not None and unit.denominator == 1
        if "number" not in kinds or "number" in names or whole:
            return
    yield plain(left, pointer, "type", value)._replace(left=type_names(left))


def _values(
    left: Node, pointer: str, schema: dict[str, Any], implied: Implied
) -> Iterator[Obstacle]:
    """Yield obstacles of sections 6.1.2 and 6.1.3, if the left node does not list its values."""
    for keyword in ("enum", "const"):
        if keyword not in schema:
            continue
        listed = schema[keyword] if keyword == "enum" else [schema[keyword]]
        options = Options(listed)
        missed = (pattern_of(options.texts),) if options.texts else ()
        answer = texts_of(left, missed=missed) if "string" in left.kinds else Answer(True)
        others = (implied.few_values(left.of_kind(kind)) for kind in left.kinds if kind != "string")
        if answer.none and all(
            few is not None and all(one in options for one in few) for few in others
        ):
            continue
        leaf = {"not": {"enum": listed}}
        place, where = f"{pointer}/{keyword}", left.place("enum") or left.place("const")
        obstacle = Obstacle((), keyword, "values", place, where, None, None, schema[keyword], leaf)
        yield _example(obstacle, answer)


def value_obstacles(left: Node, right: Node, gone: list[Any]) -> Iterator[Obstacle]:
    """Yield one obstacle for each listed value that is no longer allowed."""
    keyword = "const" if not any(right.said("enum")) and any(right.said("const")) else "enum"
    place = right.place(keyword)
    if not place:  # it is not the list that refuses it
        keyword, place = "enum", right.place("type") or right.pointer
    where = left.place("enum") or left.place("const")
    was, now = (None if node.values is None else [*node.values] for node in (left, right))
    for value in gone[:MOST_VALUES]:
        yield Obstacle((), keyword, "value", place, where, value, was, now, {"enum": [value]})
    if rest := gone[MOST_VALUES:]:
        leaf = {"enum": rest[:MOST_VALUES]}
        yield Obstacle((), keyword, "more values", place, where, len(rest), leaf=leaf)


def _bound(left: Node, pointer: str, keyword: str, value: Any) -> Iterator[Obstacle]:
    """Sections 6.2.2 to 6.2.5. Of integers, those next to an excluded bound count."""
    low = keyword in ("minimum", "exclusiveMinimum")
    excluded = keyword.startswith("exclusive")
    limit = left.minimum if low else left.maximum
    bound = lowest(left) if low else highest(left)
    if bound is not None:
        beyond = bound.value > value if low else bound.value < value
        if beyond or (bound.value == value and (bound.excluded or not excluded)):
            return
    where, was = (limit.place, limit.value) if limit else ("", None)
    obstacle = plain(left, pointer, keyword, value)
    yield obstacle._replace(fact="least" if low else "greatest", left_place=where, left=was)


def _count(
    left: Node, pointer: str, keyword: str, value: Any, implied: Implied
) -> Iterator[Obstacle]:
    """Sections 6.3.1, 6.3.2, 6.4.3, 6.4.4, 6.5.1 and 6.5.2."""
    if keyword in _LOWER_BOUNDS:
        fewest = least(left, keyword)
        if keyword == "minProperties":
            fewest = max(fewest, len(implied.members(left).required))
        holds = fewest >= value
    else:
        most = left.most(keyword)
        if keyword == "maxProperties" and (possible := implied.members(left).possible) is not None:
            most = len(possible) if most is None else min(most, len(possible))
        if keyword == "maxItems":
            most = implied.longest(left)
        holds = most is not None and most <= value
    if holds:
        return
    obstacle = plain(left, pointer, keyword, value)
    if keyword in ("minLength", "maxLength") and (left.texts("pattern") or left.key.refused):
        bounds = {"high": value - 1} if keyword == "minLength" else {"low": value + 1}
        answer = texts_of(left, **bounds)
        if answer.none:
            return
        obstacle = _example(obstacle, answer)
    yield obstacle


def _example(obstacle: Obstacle, answer: Answer) -> Obstacle:
    """Return an obstacle whose data is, if possible, the text that was found."""
    if answer.text is None:
        return obstacle
    return obstacle._replace(leaf={"anyOf": [{"const": answer.text}, obstacle.leaf]})


def _is_multiple(left: Node, value: Any) -> bool:
    """Section 6.2.1: what is a multiple of a multiple is one as well."""
    unit = step_of(left)
    return unit is not None and (unit / decimal_value(value)).denominator == 1


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
