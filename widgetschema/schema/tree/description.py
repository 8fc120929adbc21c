"""Describe a place by the texts of its schemas, in one line for people and assistants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from widgetschema.jsontext import preview
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.schema.tree.negation import KINDS
from widgetschema.schema.tree.tree import Node
from widgetschema.text import one_line

NO_DEFAULT: Final[Any] = object()
_MOST_VALUES: Final = 20
_LONGEST_VALUE: Final = 120
_LONGEST_TEXT: Final = 300
# The keywords whose value says all: numbers and texts.
_PLAIN: Final = tuple(
    code
    for code, keyword in KEYWORDS.items()
    if keyword.category in ("number", "string", "array", "object")
    and keyword.value in ("number", "count", "string", "boolean")
)


def words_about(node: Node) -> Iterator[str]:
    """Yield the types, limits and annotations of a place, each as a few words."""
    yield from limits_of(node)
    default = default_of(node)
    if default is not NO_DEFAULT:
        yield f"default {preview(default, _LONGEST_VALUE)}"
    for text in (node.annotation("title"), node.annotation("description")):
        if type(text) is str and text.strip():
            yield f"“{one_line(text, _LONGEST_TEXT)}”"


def default_of(node: Node) -> Any:
    """Return the first `default` of a place, `NO_DEFAULT` if there is none."""
    return next((value for _, value in node.said("default")), NO_DEFAULT)


def limits_of(node: Node) -> Iterator[str]:
    """Yield the types, values and limits of a place, each as a few words."""
    kinds = node.kinds
    if not kinds:
        yield "nothing is allowed"
        return
    if len(kinds) == len(KINDS):
        yield "any value"
    else:
        yield " or ".join(
            "integer" if kind == "number" and node.integer else kind for kind in kinds
        )
    if node.values is not None:
        shown = [preview(value, _LONGEST_VALUE) for value in node.values[:_MOST_VALUES]]
        more = len(node.values) - len(shown)
        rest = f" and {more:,} more" if more else ""
        yield f"one of {', '.join(shown)}{rest}" if len(node.values) > 1 else f"always {shown[0]}"
    for keyword in _PLAIN:
        for _, value in node.said(keyword):
            yield f"{keyword} {preview(value, _LONGEST_VALUE)}"
    if "object" in kinds:
        as_object = node.of_kind("object")
        others = [name for name in as_object.required if name not in as_object.properties]
        if others:
            yield f"required properties: {one_line(', '.join(others), _LONGEST_TEXT)}"
        if as_object.closed:
            yield "no other properties"
