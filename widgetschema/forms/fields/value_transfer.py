"""Transfer a value to another alternative, as far as that can hold it.

The value keeps its text wherever the alternative can hold it. The rest stays behind, as a draft in
the alternative where it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from widgetschema.forms.fields.control_kinds import kind_of_format
from widgetschema.forms.fields.presentation import Alternative, presentation
from widgetschema.forms.model import (
    CHOICE_KINDS,
    NUMBER_KINDS,
    TEXT_KINDS,
    Shape,
)
from widgetschema.jsontext import dump
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tokens import NUMBER
from widgetschema.jsontext.tree import Element, scanned
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.schema.tree import Node

_NOT_ASSERTIONS = ANNOTATIONS | {"$id", "$ref", "type"}


def transferable_text(element: Element, shape: Shape, source: Node) -> str | None:
    """Return the JSON text of what an alternative can hold of a value; None for nothing.

    `shape` is that of the alternative, `source` the schemas of the one where the value was. Members
    that only `source` describes are left behind; members that neither describes are transferred.
    """
    kind = shape.kind
    if kind in CHOICE_KINDS:
        return _text_among(element, [choice.value for choice in shape.choices])
    if kind == "json":
        return _text_of_type(element, shape.node.kinds)
    if kind in TEXT_KINDS:
        is_file = kind_of_format(source) == "upload"
        return _text_of_type(element, ("string",)) if is_file is (kind == "upload") else None
    if kind in NUMBER_KINDS:
        return _text_of_type(element, ("number",))
    if kind == "object":
        return _object_text(element, shape.node, source) if element.kind == "object" else None
    if kind == "alternatives":
        return _text_for_node(element, shape.node, source)
    return element.raw if element.kind == "array" else None


def _text_for_node(element: Element, node: Node, source: Node) -> str | None:
    """Return the text for a place inside an alternative, where there is no shape."""
    shown = presentation(node)
    if shown.values is not None:
        return _text_among(element, [dump(value, indent=False) for value, _ in shown.values])
    if element.kind == "object" and "object" in shown.kinds and not shown.options:
        return _object_text(element, shown.node, source)
    return _text_of_type(element, node.kinds if shown.anything else shown.kinds)


def _text_of_type(element: Element, kinds: Sequence[str]) -> str | None:
    """Return the value if one of these types is shown; a scalar may become another type."""
    if element.kind in kinds:
        return element.raw
    text = _scalar_text(element)
    if text is None:
        return None
    if "string" in kinds:
        return _quoted(text)
    if "number" in kinds and NUMBER.fullmatch(text.strip()):
        return text.strip()
    return text if "boolean" in kinds and text in ("true", "false") else None


def _scalar_text(element: Element) -> str | None:
    """Return a scalar as a person reads it."""
    if element.kind == "string":
        return str(element.value)
    return element.raw if element.kind in ("number", "boolean") else None


def _text_among(element: Element, values: Iterable[str | None]) -> str | None:
    """Return the value if it is one of these JSON texts, or the one that reads the same."""
    known = [(text, scanned(text)) for text in values if text is not None]
    same = canonical(element.value)
    if any(canonical(value.value) == same for _, value in known):
        return element.raw
    read = _scalar_text(element)
    return next(
        (text for text, value in known if read is not None and _scalar_text(value) == read), None
    )


def _object_text(element: Element, node: Node, source: Node) -> str:
    """Return an object with those of its members that a place can hold."""
    kept: list[str] = []
    is_same = True
    for member in element.members:
        name = member.name
        if _describes_member(node, name):
            text = _text_for_node(member.element, node.child(name), source.child(name))
        elif _describes_member(source, name):
            text = None
        else:
            text = _text_for_node(member.element, node.other, source.other)
        is_same = is_same and text == member.element.raw
        if text is not None:
            kept.append(f"{_quoted(name)}: {text}")
    return element.raw if is_same else f"{{{', '.join(kept)}}}"


def merge_with_draft(draft: Element, element: Element, held: Element) -> str:
    """Return what comes to an alternative that has a draft; of objects, the members of both.

    Those of the draft count that are not in what the other alternative has `held` of it.
    """
    if draft.kind != "object" or element.kind != "object":
        return element.raw
    members = {member.name: member.element.raw for member in draft.members}
    members |= {
        member.name: member.element.raw
        for member in element.members
        if member.name not in members or held.member(member.name) is not None
    }
    parts = (f"{_quoted(name)}: {raw}" for name, raw in members.items())
    return f"{{{', '.join(parts)}}}"


def reads_alike(element: Element, other: Element) -> bool:
    """Return True if two values are equal, or scalars that a person reads as the same text."""
    text = _scalar_text(element)
    if text is not None and text == _scalar_text(other):
        return True
    return bool(canonical(element.value) == canonical(other.value))


def _quoted(text: str) -> str:
    """Return a JSON string that HTML can carry: halves of surrogate pairs are escaped."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return json.dumps(text, ensure_ascii=False)


def _describes_member(node: Node, name: str) -> bool:
    patterns = (node.tree.matches(pattern, name) for pattern in node.patterns)
    return name in node.properties or any(patterns)


def is_narrower(
    one: Alternative, other: Alternative, accepts: Callable[[Alternative, Any], bool]
) -> bool:
    """Return True if an alternative asserts everything that another one does, and more.

    `accepts(option, value)` returns True if an alternative accepts a value. Assertions are compared
    keyword by keyword: of two alternatives that cannot be compared, none is narrower.
    """
    shown, around = presentation(one.node), presentation(other.node)
    if shown.values is not None:
        values = [value for value, _ in shown.values]
        if around.values is not None:
            return len(values) < len(around.values) and _are_among(values, around.values)
        return bool(values) and all(accepts(other, value) for value in values)
    if around.values is not None:
        return False
    kinds, those = _value_types(one.node), _value_types(other.node)
    demands, others = _assertions(one.node), _assertions(other.node)
    return kinds <= those and demands >= others and (kinds, demands) != (those, others)


def _are_among(values: Iterable[Any], those: Iterable[tuple[Any, str | None]]) -> bool:
    known = {canonical(value) for value, _ in those}
    return all(canonical(value) in known for value in values)


def _value_types(node: Node) -> frozenset[str]:
    return frozenset(presentation(node).kinds or node.kinds) - {"null"}


def _assertions(node: Node) -> frozenset[Any]:
    """Return what the schemas of a place assert, except the type: keywords with their values."""
    found: set[Any] = {("type", "integer")} if node.integer else set()
    for _, schema in node.schemas:
        if type(schema) is not dict:
            continue
        for keyword, value in schema.items():
            if keyword == "required" and type(value) is list:
                found.update((keyword, name) for name in value if type(name) is str)
            elif keyword == "properties" and type(value) is dict:
                found.update((keyword, name, canonical(value[name])) for name in value)
            elif keyword not in _NOT_ASSERTIONS:
                found.add((keyword, canonical(value)))
    return frozenset(found)
