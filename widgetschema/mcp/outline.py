"""`outline`: what a schema allows at a place of the data, as indented lines within a size.

A line describes a place: its name, types, limits and annotations, in the words of the schema. As
many levels are shown as fit; what is left out is said, with the place to ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from widgetschema.errors import WidgetSchemaError
from widgetschema.jsontext import preview
from widgetschema.pointers import display_pointer, escape_token, parse_pointer
from widgetschema.schema.tree import Choice, Node
from widgetschema.schema.tree.description import words_about
from widgetschema.schema.tree.navigation import children, named_members, with_branches
from widgetschema.suggest import nearest
from widgetschema.text import join, one_line, plural

_MOST_LEVELS: Final = 12
_MOST_CHOICES: Final = 30


class ToolFailure(WidgetSchemaError):
    """A tool of the MCP server cannot do what it was asked.

    Args:
        reason: Why not, and what to do.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Outline(NamedTuple):
    """The lines of an outline; `complete` unless they leave something out.

    `schema_pointers` are the places of the linked schema that apply.
    """

    text: str
    complete: bool
    schema_pointers: tuple[str, ...] = ()


def outline(root: Node, pointer: str = "", *, max_chars: int = 6000) -> Outline:
    """Return an outline of a place of the data.

    Args:
        root: The node of the data as a whole.
        pointer: The JSON Pointer (RFC 6901) of the place; `*` is any item, or any additional
            member, and a pattern of names any member that matches it.
        max_chars: The size of the outline, in characters.

    Returns:
        The outline. It shows as many levels below the place as fit.

    Raises:
        ToolFailure: If the schema describes nothing there.
    """
    node = _at(root, pointer)
    best = Outline("", complete=False)
    for levels in range(_MOST_LEVELS + 1):
        lines = _Lines(max_chars)
        lines.describe(node, pointer, pointer.rpartition("/")[2] or "data", "", levels)
        if levels <= 1 or not lines.is_full:
            best = Outline(
                "\n".join(lines.lines), not (lines.is_cut or lines.is_full), node.key.pointers
            )
        if lines.is_full or not lines.is_cut:
            break
    return best


def _at(root: Node, pointer: str) -> Node:
    node, path = root, ""
    for token in parse_pointer(pointer):
        below = _by_pattern(node, token) or next(iter(children(node, token)), None)
        if below is None:
            known = [*named_members([node]), *_patterns(node)]
            close = nearest(token, known)
            places = [f"{path}/{escape_token(name)}" for name in close]
            hint = f"; did you mean {join(places, 'or')}?" if close else ""
            if not close and known:
                hint = f"; it has {one_line(', '.join(known), 300)}"
            raise ToolFailure(
                f"the schema describes nothing at {one_line(display_pointer(pointer), 200)}: "
                f"{one_line(display_pointer(path), 200)} has no {preview(token, 60)}{hint}"
            )
        node, path = below, f"{path}/{escape_token(token)}"
    return node


def _by_pattern(node: Node, pattern: str) -> Node | None:
    """Return the node of the members whose name matches a pattern of the schema, if it is one."""
    as_object = _patterns(node).get(pattern)
    return None if as_object is None else _matching(as_object, pattern)


def _patterns(node: Node) -> dict[str, Node]:
    """Return the patterns of names of an object in any of the branches, each with its node."""
    objects = [one.of_kind("object") for one in with_branches(node) if "object" in one.kinds]
    return {pattern: one for one in reversed(objects) for pattern in one.patterns}


def _matching(node: Node, pattern: str) -> Node:
    pointers = [
        f"{pointer}/patternProperties/{escape_token(pattern)}"
        for pointer, schema in node.schemas
        if type(schema) is dict and pattern in schema.get("patternProperties", ())
    ]
    return node.tree.node(pointers)


class _Lines:
    """The lines of an outline, until they are too long."""

    def __init__(self, max_chars: int) -> None:
        self.lines: list[str] = []
        self.left = max_chars
        self.is_cut = False
        self.is_full = False

    def add(self, indent: str, text: str) -> bool:
        """Add a line; return False if there is no room for it."""
        line = f"{indent}{text}"
        self.left -= len(line) + 1
        if self.left < 0:
            self.is_full = True
        else:
            self.lines.append(line)
        return not self.is_full

    def describe(
        self, node: Node, path: str, name: str, indent: str, levels: int, *, required: bool = False
    ) -> None:
        """Add the line of a place, and those below it."""
        words = [*words_about(node)]
        if required:
            words.insert(1, "required")
        has_more = _has_more(node)
        if has_more and levels == 0:
            self.is_cut = True
            words.append(f"more at {path or '/'}")
        if self.add(indent, f"{one_line(name, 80)}: {', '.join(words)}") and levels > 0:
            self._below(node, path, f"{indent}  ", levels - 1)

    def _below(self, node: Node, path: str, indent: str, levels: int) -> None:
        as_object = node.of_kind("object") if "object" in node.kinds else None
        if as_object is not None:
            for name, child in as_object.properties.items():
                if name in as_object.absent or not child.kinds:
                    continue
                place = f"{path}/{escape_token(name)}"
                is_required = name in as_object.required
                self.describe(child, place, name, indent, levels, required=is_required)
            for pattern in as_object.patterns:
                shown = f"properties whose name matches {one_line(pattern, 80)}"
                matching, place = _matching(as_object, pattern), f"{path}/{escape_token(pattern)}"
                self.describe(matching, place, shown, indent, levels)
            if not as_object.closed and (as_object.patterns or as_object.other.key.pointers):
                self.describe(as_object.other, f"{path}/*", "other properties", indent, levels)
        if "array" in node.kinds:
            as_array = node.of_kind("array")
            for index in range(as_array.tuple_length):
                item = as_array.item(index)
                self.describe(item, f"{path}/{index}", f"item {index}", indent, levels)
            rest = as_array.item(as_array.tuple_length)
            if rest.kinds and rest.key.pointers:
                name = "other items" if as_array.tuple_length else "each item"
                self.describe(rest, f"{path}/*", name, indent, levels)
        for choice in (*node.choices, *_object_choices(node)):
            self._choice(node, choice, path, indent, levels)

    def _choice(self, node: Node, choice: Choice, path: str, indent: str, levels: int) -> None:
        """Add the branches of a choice, each with what it says itself."""
        if choice.keyword == "if":
            condition = preview(node.tree.linked.at[choice.place], 60)
            names = [f"if {condition} holds", "else"]
        elif choice.keyword == "dependencies":
            member = preview(parse_pointer(choice.place)[-1], 60)
            names = [f"without the property {member}", f"with the property {member}"]
        else:
            shown = "one of" if choice.keyword == "oneOf" else "any of"
            if not self.add(indent, f"{shown} {plural(len(choice.branches), 'alternative')}:"):
                return
            indent = f"{indent}  "
            names = [f"alternative {number}" for number in range(1, len(choice.branches) + 1)]
        for name, branch in list(zip(names, choice.branches, strict=True))[:_MOST_CHOICES]:
            own = [one for one in branch.pointers if one != choice.place or choice.keyword != "if"]
            if own and not self.is_full:
                self.describe(node.tree.node(own), path, name, indent, levels)
        if len(choice.branches) > _MOST_CHOICES:
            self.is_cut = True
            self.add(indent, f"and {len(choice.branches) - _MOST_CHOICES:,} more")


def _object_choices(node: Node) -> Sequence[Choice]:
    """Return the choices of schemas in `dependencies`, which are those of an object alone."""
    if "object" not in node.kinds:
        return ()
    known = {choice.place for choice in node.choices}
    return [one for one in node.of_kind("object").choices if one.place not in known]


def _has_more(node: Node) -> bool:
    """Return whether there is something to say below the line of a node."""
    if node.choices or _object_choices(node):
        return True
    if "object" in node.kinds:
        as_object = node.of_kind("object")
        if as_object.properties or as_object.patterns or as_object.other.key.pointers:
            return not as_object.closed or bool(as_object.properties or as_object.patterns)
    if "array" in node.kinds:
        return bool(node.of_kind("array").item(0).key.pointers)
    return False
