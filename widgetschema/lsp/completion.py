"""Completion: the members, values and widget types that may be written at the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from widgetschema.errors import WidgetSchemaError
from widgetschema.formats.json5 import single_quoted
from widgetschema.formats.yaml_scalars import is_plain_text
from widgetschema.jsontext import dump, preview
from widgetschema.lsp.cursor import Context, context_of, places_at
from widgetschema.lsp.documents import Document
from widgetschema.lsp.places import Place
from widgetschema.lsp.projects import Project
from widgetschema.pointers import format_pointer, resolve_pointer
from widgetschema.project.checking.checker import SCHEMA_MEMBER, TYPE_MEMBER
from widgetschema.project.checking.documents import is_envelope
from widgetschema.schema.describes import RECORD_MEMBERS
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
    """Return the completions at an offset, the most likely first."""
    found: list[Item] = []
    for place in places_at(document, offset):
        items = [*_types(document, project, place)]
        context = None if items else context_of(document, project, place.tokens, place.value)
        if context is not None:
            items += (_names if place.kind == "name" else _values)(document, place, context)
        found += items
    return sorted(found, key=lambda one: not one.is_required)[:_MOST_ITEMS]


def _types(document: Document, project: Project, place: Place) -> Iterator[Item]:
    """Yield the ids of widget types, where the value of the member `type` is written."""
    if place.kind != "value" or place.tokens[-1:] != (TYPE_MEMBER,):
        return
    whole, *above = place.value, *place.tokens[:-1]
    is_document = not above
    if type(whole) is list:
        is_document = len(above) == 1
    elif is_envelope(whole):
        is_document = len(above) == 2 and above[0] == "docs"
    holder = resolve_pointer(whole, format_pointer(above), None) if is_document else None
    if type(holder) is not dict or not holder.keys() <= {*RECORD_MEMBERS, "data", SCHEMA_MEMBER}:
        return
    for id in project.catalog.ids():
        try:
            title = project.catalog[id].title or ""
        except WidgetSchemaError as error:
            title = str(error)
        text = _written(document, place, id)
        yield Item(
            text, "type", place.start, place.end, place.lead + text, place.lead + text,
            "widget type", title,
        )  # fmt: skip


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
    behind = _next(document, place)
    has_colon = current is not None and behind == ":"
    ends = behind in ("", "}", "]", ",", "/", "#")
    needs_comma = not (place.is_block or has_colon or ends)
    is_quoted = document.text[place.start : place.end][:1] in ("'", '"')
    for name, found in named_members(context.nodes(), own).items():
        if name in there:
            continue
        nodes = [leaf for node in found for leaf in alternatives(node)]
        before, after = ("", "") if has_colon else _new_value(document, place, nodes)
        quoted = _written(document, place, name)[is_quoted:]
        before = quoted if has_colon else f"{quoted}:{before}"
        after += "," if needs_comma else ""
        before = place.lead + before
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


def _values(document: Document, place: Place, context: Context) -> Iterator[Item]:
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
            text = _written(document, place, value)
            if text not in seen:
                seen.add(text)
                is_text = type(value) is str and len(text) <= _LONGEST_DETAIL
                yield Item(
                    text if is_text else preview(value, _LONGEST_DETAIL),
                    "value",
                    place.start,
                    place.end,
                    place.lead + text,
                    place.lead + text,
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


def _new_value(document: Document, place: Place, nodes: Sequence[Node]) -> tuple[str, str]:
    """Return the text behind the colon of a new member, before and after the cursor."""
    for node in nodes[:1]:
        default = default_of(node)
        if default is not NO_DEFAULT:
            return f" {_written(document, place, default)}", ""
        if node.values is not None and len(node.values) == 1:
            return f" {_written(document, place, node.values[0])}", ""
        if place.is_block and not {"object", "array"}.isdisjoint(node.kinds):
            return "", ""  # what is in a block begins in the next line
        if not place.is_block and node.values is None and len(node.kinds) == 1:
            opening, closing = _EMPTY.get(node.kinds[0], ("", ""))
            return f" {opening}", closing
    return " ", ""


def _written(document: Document, place: Place, value: Any) -> str:
    """Return a value, or the name of a member, as the text at a place has such values."""
    text = dump(value, indent=False)
    if type(value) is not str:
        return text
    quote = document.text[place.start : place.end][:1]
    if quote == "'" and document.format == "json5":
        return single_quoted(text)
    if quote == "'" and document.format == "yaml" and "\\" not in text:
        return "'" + value.replace("'", "''") + "'"
    is_plain = place.is_block and quote not in ("'", '"') and is_plain_text(value)
    return value if is_plain else text


def detail_of(nodes: Sequence[Node]) -> str:
    """Return the limits of some nodes, in one line."""
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


def _next(document: Document, place: Place) -> str:
    """Return the first character behind a place that is not blank, in its part."""
    part = document.part_at(place.start)
    match = _NEXT.match(part.text, place.end - part.start)
    return match[1] if match else ""
