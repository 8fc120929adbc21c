"""The place of the cursor: which name or value of a text it is at, and what the schema says there.

The text need not be JSON at the moment, see `jsontext.recovery`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.jsontext import Element, Member
from widgetschema.jsontext.recovery import MISSING
from widgetschema.jsontext.tokens import STRING
from widgetschema.lsp.checks import checker_of, is_checked
from widgetschema.lsp.documents import Document
from widgetschema.lsp.projects import Project
from widgetschema.pointers import format_pointer, parse_pointer, resolve_pointer
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.navigation import UNKNOWN, alternatives, nodes_at


class Place(NamedTuple):
    """The place of an offset in a text.

    At a "name", `tokens` lead to the object, and `member` is the one whose name it is, None if it
    has none yet. At a "value", `tokens` lead to the value. `start` and `end` are those of the name
    or the value, equal if there is none. `around` is the container, if there is one.
    """

    kind: Literal["name", "value"]
    tokens: tuple[str, ...]
    start: int
    end: int
    around: Element | None = None
    member: Member | None = None


def place_at(document: Document, offset: int) -> Place | None:
    """Return the place of an offset; None outside the value of the text, and in YAML."""
    if not document.is_like_json:
        return None
    text, element = document.text, document.tree.root
    if element.kind != MISSING and not element.start <= offset <= element.end:
        return None
    around: Element | None = None
    tokens: tuple[str, ...] = ()
    while True:
        if not _is_inside(element, offset, text):
            start, end = _replaced(text, element, offset)
            return Place("value", tokens, start, end, around)
        around = element
        if element.kind == "object":
            index = bisect_left(element.members, offset, key=lambda one: one.key_start) - 1
            member = element.members[index] if index >= 0 else None
            if member is None or not _is_at_value(text, member, offset):
                return _name_place(text, tokens, element, member, offset)
            tokens, element = (*tokens, member.name), member.element
        else:
            index = bisect_right(element.items, offset, key=lambda one: one.start) - 1
            if index < 0 or element.items[index].end < offset:
                return Place("value", (*tokens, str(index + 1)), offset, offset, element)
            tokens, element = (*tokens, str(index)), element.items[index]


def _is_inside(element: Element, offset: int, text: str) -> bool:
    """Return whether an offset is between the brackets of a container."""
    if element.kind not in ("object", "array") or offset <= element.start:
        return False
    if offset != element.end:
        return offset < element.end
    children = [*element.items[-1:], *(one.element for one in element.members[-1:])]
    inner_end = children[-1].end if children else element.start + 1
    return inner_end == offset or text[offset - 1] not in "}]"  # it is not closed


def _is_at_value(text: str, member: Member, offset: int) -> bool:
    """Return whether an offset behind the beginning of a member is at its value, not at a name."""
    value = member.element
    if offset <= member.key_end or offset > value.end > member.key_end:
        return False
    if value.kind == MISSING and value.start == value.end:
        between = text[member.key_end : offset]
        return ":" in between and "," not in between
    return offset >= value.start or ":" in text[member.key_end : offset]


def _name_place(
    text: str, tokens: tuple[str, ...], element: Element, member: Member | None, offset: int
) -> Place:
    if member is None or offset > member.key_end:
        return Place("name", tokens, offset, offset, element)
    is_whole = STRING.match(text, member.key_start, member.key_end) is not None
    end = member.key_end if is_whole else offset
    return Place("name", tokens, member.key_start, end, element, member)


def _replaced(text: str, element: Element, offset: int) -> tuple[int, int]:
    if not element.start <= offset <= element.end:
        return offset, offset
    is_open = element.kind == "string" and not STRING.match(text, element.start, element.end)
    return element.start, offset if is_open else element.end


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


def context_of(document: Document, project: Project, tokens: Sequence[str]) -> Context | None:
    """Return what is known about a place; None in a document that is not checked.

    Args:
        document: The document.
        project: Its configuration and schemas.
        tokens: The reference tokens of the place in the text.
    """
    checker = checker_of(document, project)
    if not is_checked(document, project, checker):
        return None
    for part in checker.documents(document.file, document.value):
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
