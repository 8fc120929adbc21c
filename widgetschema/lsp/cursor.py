"""The cursor: which place of a document it is at, and what the schema says there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.lsp.checks import checker_of, is_checked
from widgetschema.lsp.documents import Document
from widgetschema.lsp.places import Place, place_in_json
from widgetschema.lsp.projects import Project
from widgetschema.lsp.yaml_places import place_in_yaml, places_to_write
from widgetschema.pointers import format_pointer, parse_pointer, resolve_pointer
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.navigation import UNKNOWN, alternatives, nodes_at


def place_at(document: Document, offset: int) -> Place | None:
    """Return the place of an offset; None outside the value, and where YAML has nothing."""
    part = document.part_at(offset)
    if part.is_large:
        return None
    find = place_in_yaml if part.format == "yaml" else place_in_json
    place = find(part, offset - part.start)
    return None if place is None else place.moved(part.start)


def places_at(document: Document, offset: int) -> list[Place]:
    """Return the places that something may be written to at an offset."""
    part = document.part_at(offset)
    if part.format == "yaml" and not part.is_large:
        return [one.moved(part.start) for one in places_to_write(part, offset - part.start)]
    place = place_at(document, offset)
    return [] if place is None else [place]


class Context(NamedTuple):
    """A place in a document: the nodes that describe it, and the value there.

    `tokens` and `value` begin at the document, whose type is `widget_type`.
    """

    widget_type: WidgetType
    root: Node
    tokens: tuple[str, ...]
    value: Any

    def nodes(self) -> list[Node]:
        """Return the nodes of the place."""
        return nodes_at(self.root, self.tokens, self.value)

    def alternatives(self, value: Any = UNKNOWN) -> list[Node]:
        """Return the nodes of the place with all choices made; a value rules some out."""
        found = {one.key: one for node in self.nodes() for one in alternatives(node, value)}
        return [*found.values()]

    @property
    def own_value(self) -> Any:
        """The value at the place, `UNKNOWN` if there is none."""
        return resolve_pointer(self.value, format_pointer(self.tokens), UNKNOWN)


def context_of(
    document: Document, project: Project, tokens: Sequence[str], value: Any
) -> Context | None:
    """Return the context of a place; None in a document that is not checked.

    Args:
        document: The document.
        project: Its configuration and schemas.
        tokens: The reference tokens of the place.
        value: The value in which it is: that of the part.
    """
    checker = checker_of(document, project)
    if not is_checked(document, project, checker):
        return None
    for part in checker.documents(document.file, value, document.schema):
        above = parse_pointer(part.pointer)
        if tuple(tokens[: len(above)]) != tuple(above):
            continue
        widget_type = checker.type_of(document.file, part)
        if not isinstance(widget_type, WidgetType):
            return None
        is_whole = part.kind == "document"
        tree = widget_type.document_tree if is_whole else widget_type.schema_tree
        return Context(widget_type, tree.root, tuple(tokens[len(above) :]), part.value)
    return None
