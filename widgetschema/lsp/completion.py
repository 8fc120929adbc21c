"""Completion: the members, values and widget types that may be written at the cursor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from widgetschema.catalog.widget_type import RECORD_MEMBERS
from widgetschema.errors import WidgetSchemaError
from widgetschema.jsontext import dump, preview
from widgetschema.lsp.documents import Document
from widgetschema.lsp.places import Context, Place, context_of, place_at
from widgetschema.lsp.projects import Project
from widgetschema.project.checking.checker import SCHEMA_MEMBER, TYPE_MEMBER
from widgetschema.project.checking.documents import is_envelope
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.description import NO_DEFAULT, default_of, limits_of
from widgetschema.schema.tree.navigation import alternatives, named_members
from widgetschema.text import join

_SNIPPET: Final = re.compile(r"[\\$}]")
_LONGEST_DETAIL: Final = 200
_MOST_ITEMS: Final = 1_000
_NEXT: Final = re.compile(r"\s*+(.?)", re.DOTALL)
_EMPTY: Final = {"object": ("{", "}"), "array": ("[", "]"), "string": ('"', '"')}


class Item(NamedTuple):
    """One completion: the text between `start` and `end` becomes `text`.

    If it is a `snippet`, `$0` in it is where the cursor goes; `plain` is the text for a client that
    has no snippets. What is typed already, from `start`, is the beginning of `label`: clients
    compare the two.
    """

    label: str
    kind: Literal["member", "value", "type"]
    start: int
    end: int
    text: str
    plain: str
    detail: str = ""
    documentation: str = ""
    is_required: bool = False


def complete(document: Document, project: Project, offset: int) -> list[Item]:
    """Return what may be written at an offset, the most likely first."""
    place = place_at(document, offset)
    if place is None:
        return []
    items = [*_types(document, project, place)]
    if not items:
        context = context_of(document, project, place.tokens)
        if context is None:
            return []
        found = (
            _names(document, place, context) if place.kind == "name" else _values(place, context)
        )
        items = sorted(found, key=lambda one: not one.is_required)
    return items[:_MOST_ITEMS]


def _types(document: Document, project: Project, place: Place) -> Iterator[Item]:
    """Yield the ids of widget types, where the value of the member `type` is written."""
    if place.kind != "value" or place.tokens[-1:] != (TYPE_MEMBER,):
        return
    whole = document.value
    holders = {0: whole, 1: None, 2: None}
    if type(whole) is list and len(place.tokens) == 2:
        holders[1] = whole[int(place.tokens[0])]
    elif is_envelope(whole) and len(place.tokens) == 3 and place.tokens[0] == "docs":
        holders[2] = whole["docs"][int(place.tokens[1])]
    holder = holders.get(len(place.tokens) - 1)
    if type(holder) is not dict or not holder.keys() <= {*RECORD_MEMBERS, "data", SCHEMA_MEMBER}:
        return
    for id in project.catalog.ids():
        try:
            title = project.catalog[id].title or ""
        except WidgetSchemaError as error:
            title = str(error)
        text = json.dumps(id, ensure_ascii=False)
        yield Item(text, "type", place.start, place.end, text, text, "widget type", title)


def _names(document: Document, place: Place, context: Context) -> Iterator[Item]:
    """Yield the members that an object may have and does not."""
    own = {} if type(context.own_value) is not dict else context.own_value
    current = place.member
    there = {*own} - ({current.name} if current is not None else set())
    if place.around is not None:
        there |= {one.name for one in place.around.members if one is not current}
    required = {
        name
        for node in context.nodes()
        if "object" in node.kinds
        for name in node.of_kind("object").required
    }
    has_colon = current is not None and _next(document.text, place.end) == ":"
    needs_comma = not has_colon and _next(document.text, place.end) == '"'
    is_quoted = place.start < place.end and document.text[place.start] == '"'
    for name, found in named_members(context.nodes(), own).items():
        if name in there:
            continue
        nodes = [leaf for node in found for leaf in alternatives(node)]
        before, after = ("", "") if has_colon else _new_value(nodes)
        quoted = json.dumps(name, ensure_ascii=False)[is_quoted:]
        before = quoted if has_colon else f"{quoted}: {before}"
        after += "," if needs_comma else ""
        yield Item(
            name,
            "member",
            place.start + is_quoted,
            place.end,
            before if has_colon else f"{_escaped(before)}$0{_escaped(after)}",
            before + after,
            detail_of(nodes),
            documentation_of(nodes),
            is_required=name in required,
        )


def _values(place: Place, context: Context) -> Iterator[Item]:
    """Yield the values that are allowed, as far as they can be listed."""
    nodes = context.alternatives()
    seen = set()
    for node in nodes:
        default = default_of(node)
        listed = [] if default is NO_DEFAULT else [(default, "default")]
        listed += [(value, "") for value in node.values or ()]
        listed += [(value, "") for value in _implied(node)]
        listed += [(value, "example") for value in _examples(node)]
        for value, detail in listed:
            text = dump(value, indent=False)
            if text not in seen:
                seen.add(text)
                label = preview(value, _LONGEST_DETAIL)
                yield Item(
                    label,
                    "value",
                    place.start,
                    place.end,
                    text,
                    text,
                    detail,
                    documentation_of(nodes),
                    is_required=detail == "default",
                )


def _implied(node: Node) -> list[Any]:
    """Return the values that a type has, if there are few."""
    if node.values is not None:
        return []
    return [
        value
        for kind, values in (("boolean", [True, False]), ("null", [None]))
        if kind in node.kinds and len(node.kinds) < 4  # else any value may be there
        for value in values
    ]


def _examples(node: Node) -> Sequence[Any]:
    examples = node.annotation("examples")
    return examples[:20] if type(examples) is list else ()


def _new_value(nodes: Sequence[Node]) -> tuple[str, str]:
    """Return what a new member begins with, before and after the cursor."""
    for node in nodes[:1]:
        default = default_of(node)
        if default is not NO_DEFAULT:
            return dump(default, indent=False), ""
        if node.values is not None and len(node.values) == 1:
            return dump(node.values[0], indent=False), ""
        if node.values is None and len(node.kinds) == 1:
            return _EMPTY.get(node.kinds[0], ("", ""))
    return "", ""


def detail_of(nodes: Sequence[Node]) -> str:
    """Return what some nodes allow, in one line."""
    said = dict.fromkeys(", ".join(limits_of(node)) for node in nodes[:4])
    text = join([*said], "or")
    return text if len(text) <= _LONGEST_DETAIL else f"{text[: _LONGEST_DETAIL - 1]}…"


def documentation_of(nodes: Sequence[Node]) -> str:
    """Return the titles, descriptions and defaults of some nodes, as plain text."""
    parts: dict[str, None] = {}
    for node in nodes:
        for keyword in ("title", "description"):
            text = node.annotation(keyword)
            if type(text) is str and text.strip():
                parts[text.strip()] = None
        default = default_of(node)
        if default is not NO_DEFAULT:
            parts[f"Default: {preview(default, _LONGEST_DETAIL)}"] = None
    return "\n\n".join(parts)


def _escaped(text: str) -> str:
    """Return a text as a snippet has it (language server protocol, snippet syntax)."""
    return _SNIPPET.sub(r"\\\g<0>", text)


def _next(text: str, offset: int) -> str:
    match = _NEXT.match(text, offset)
    return match[1] if match else ""
