"""`rewrite`: a JSON text with one element replaced, everything else byte for byte.

What is to be there is said by a tree of nodes. What stays keeps its tokens and its white space;
what is new is laid out like its neighbours; what goes takes its line with it. White space is
chosen here alone, and the values of scalars nowhere: they come as JSON text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from widgetschema.jsontext.layout import (
    Around,
    Gaps,
    Layout,
    children_of,
    containers_in,
    last_line,
    parent_of,
    value_in,
)
from widgetschema.jsontext.tree import NEWLINE, Element, Member, Tree, scanned
from widgetschema.jsontext.values import dump
from widgetschema.pointers import escape_token

_SPACE: Final = " \t\n\r"
_STRING_OR_GAP: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[ \t\n\r]*+([,:]?)[ \t\n\r]*+')
_Child = Member | Element
_ByKind = Mapping[str, Element]
_NOTHING: Final[_ByKind] = {}


@dataclass(frozen=True)
class Keep:
    """An element of this text as it was, perhaps in another place."""

    element: Element


@dataclass(frozen=True)
class Raw:
    """JSON text to put there, `original`'s place or a new one.

    It may have several lines, the first without indentation (as `Element.dedented` gives them).
    """

    text: str
    original: Element | None = None


@dataclass(frozen=True)
class Items:
    """An array of these items; those that were in `original` are known by their own `original`."""

    items: tuple[Node, ...]
    original: Element | None = None


@dataclass(frozen=True)
class NewMember:
    """A member of an object, renamed if the name of `original` is another."""

    name: str
    node: Node
    original: Member | None = None


@dataclass(frozen=True)
class Members:
    """An object of these members, whose names differ."""

    members: tuple[NewMember, ...]
    original: Element | None = None


Node = Keep | Raw | Items | Members


def as_new(node: Node) -> Node:
    """Return a node without elements of a text: what it stands for is laid out as new content."""
    if isinstance(node, Keep):
        element = node.element
        if element.kind == "object":
            members = ((member.name, as_new(Keep(member.element))) for member in element.members)
            return Members(tuple(NewMember(name, value) for name, value in members))
        if element.kind == "array":
            return Items(tuple(as_new(Keep(item)) for item in element.items))
        return Raw(element.raw)
    if isinstance(node, Items):
        return Items(tuple(map(as_new, node.items)))
    if isinstance(node, Members):
        return Members(
            tuple(NewMember(member.name, as_new(member.node)) for member in node.members)
        )
    return Raw(node.text)


def rewrite(tree: Tree, element: Element, node: Node, around: Around | None = None) -> str:
    """Return the text of `tree` with `node` in the place of `element`.

    A value on one line stays on it. `around` is the layout of the text that `tree` is a part of.
    """
    layout = Layout(tree, around)
    parent = parent_of(tree, element)
    context = _Context(
        indentation=layout.indentation(element.start),
        like=_NOTHING if parent is None else containers_in(parent),
        on_one_line=parent is not None and not layout.style_of(parent).lines,
    )
    writer = _Writer(tree.text, layout)
    return f"{tree.text[: element.start]}{writer.text_of(node, context)}{tree.text[element.end :]}"


def value_of(node: Node) -> Any:
    """Return the Python value of what `node` stands for."""
    holder: list[Any] = []
    todo: list[tuple[Any, str | None, Node]] = [(holder, None, node)]
    while todo:
        container, name, one = todo.pop()
        value: Any
        if isinstance(one, Keep):
            value = one.element.value
        elif isinstance(one, Raw):
            value = scanned(one.text).value
        elif isinstance(one, Items):
            value = []
            todo += [(value, None, item) for item in reversed(one.items)]
        else:
            value = dict.fromkeys(member.name for member in one.members)
            todo += [(value, member.name, member.node) for member in one.members]
        if name is None:
            container.append(value)
        else:
            container[name] = value
    return holder[0]


def tokens_before(node: Node, tokens: Sequence[str]) -> list[str] | None:
    """Return the reference tokens that a value had before an edit; None if it is new."""
    return _tokens_through(node, tokens, lambda was, now: (now, was))


def tokens_after(node: Node, tokens: Sequence[str]) -> list[str] | None:
    """Return the reference tokens that a value has after an edit; None if it is not there."""
    return _tokens_through(node, tokens, lambda was, now: (was, now))


def _tokens_through(
    node: Node,
    tokens: Sequence[str],
    pair: Callable[[str | None, str], tuple[str | None, str | None]],
) -> list[str] | None:
    found: list[str] = []
    for level, token in enumerate(tokens):
        if isinstance(node, (Keep, Raw)):
            return [*found, *tokens[level:]]
        pairs = ((*pair(was, now), child) for was, now, child in tokens_of(node))
        other, node = next(((to, child) for of, to, child in pairs if of == token), (None, node))
        if other is None:
            return None
        found.append(other)
    return found


def removed_by(node: Node, at: str = "") -> Iterator[tuple[str, Element]]:
    """Yield what an edit removes from objects, from the ends of arrays, or replaces.

    Each comes with the JSON Pointer of the place where it would be now; so do the members of those.
    """
    todo = [(node, at)]
    while todo:
        one, at = todo.pop()
        if isinstance(one, Raw) and one.original is not None:
            yield at, one.original
            members = one.original.members
            todo += [(Raw("", it.element), f"{at}/{escape_token(it.name)}") for it in members]
        if isinstance(one, (Keep, Raw)):
            continue
        children = [*tokens_of(one)]
        kept = {was for was, _, _ in children}
        todo += [(child, f"{at}/{escape_token(now)}") for _, now, child in children]
        if isinstance(one, Items):
            items = () if one.original is None else one.original.items
            rest = ((str(index), items[index]) for index in range(len(children), len(items)))
        else:
            members = () if one.original is None else one.original.members
            rest = ((member.name, member.element) for member in members)
        todo += [(Raw("", it), f"{at}/{escape_token(was)}") for was, it in rest if was not in kept]


def tokens_of(node: Items | Members) -> Iterator[tuple[str | None, str, Node]]:
    """Yield the reference tokens of children before an edit and now, with their edits."""
    if isinstance(node, Members):
        for one in node.members:
            yield None if one.original is None else one.original.name, one.name, one.node
        return
    items = () if node.original is None else node.original.items
    indices = {id(item): str(at) for at, item in enumerate(items)}
    for at, item in enumerate(node.items):
        was = item.element if isinstance(item, Keep) else item.original
        yield indices.get(id(was)), str(at), item


class _Context(NamedTuple):
    """The context of new text: the indentation of its line, and containers to imitate, by kind."""

    indentation: str
    like: _ByKind
    on_one_line: bool


_Part = str | tuple[Node, _Context]


class _Writer:
    """The text of nodes, without recursion, since they may be nested deeply."""

    def __init__(self, text: str, layout: Layout) -> None:
        self._text = text
        self._layout = layout

    def text_of(self, node: Node, context: _Context) -> str:
        """Return the text of a node."""
        parts: list[str] = []
        todo: list[_Part] = [(node, context)]
        while todo:
            part = todo.pop()
            if isinstance(part, str):
                parts.append(part)
                continue
            node, context = part
            if isinstance(node, Keep):
                parts.append(self._keep(node.element, context.indentation))
            elif isinstance(node, Raw):
                parts.append(self._raw(node, context.indentation))
            else:
                todo += reversed(self._container(node, context))
        return "".join(parts)

    def _keep(self, element: Element, indentation: str) -> str:
        raw = element.raw
        if not NEWLINE.search(raw):
            return raw
        return _reindent(raw, self._layout.indentation(element.start), indentation)

    def _raw(self, node: Raw, indentation: str) -> str:
        lines = NEWLINE.split(node.text.strip(_SPACE))
        if len(lines) == 1:
            return lines[0]
        if self._layout.is_on_one_line:
            return self._on_one_line(node.text)
        ends = [self._layout.newline] * (len(lines) - 1)
        written = [lines[0], *(indentation + line if line else "" for line in lines[1:])]
        original = node.original
        if original is not None and self._layout.indentation(original.start) == indentation:
            _restore_unchanged(original, lines, written, ends)
        return "".join(line + end for line, end in zip(written, [*ends, ""], strict=True))

    def _on_one_line(self, text: str) -> str:
        """Return a JSON text in the style of this text, which is on one line."""
        gaps = {",": f",{self._layout.space}", ":": self._layout.colon, "": ""}
        return _STRING_OR_GAP.sub(
            lambda match: match[0] if match[1] is None else gaps[match[1]], text
        )

    def _container(self, node: Items | Members, context: _Context) -> list[_Part]:
        kind, brackets = ("array", "[]") if isinstance(node, Items) else ("object", "{}")
        original = node.original
        if original is not None and original.kind != kind:
            original = None
        new = _children(node)
        if not new:
            stays_empty = original is not None and not children_of(original)
            return [(Keep(original), context) if original and stays_empty else brackets]
        if original is None or not children_of(original):
            if original is not None and NEWLINE.search(original.raw):
                context = context._replace(like=_NOTHING, on_one_line=False)
            inside = self._new_content(new, context.like.get(kind), context)
        else:
            indentation = self._layout.indentation(original.start)
            if indentation != context.indentation:  # made where it was, then moved
                text = self.text_of(node, context._replace(indentation=indentation))
                return [_reindent(text, indentation, context.indentation)]
            inside = self._edited_content(new, original, context)
        return [brackets[0], *inside, brackets[1]]

    def _new_content(
        self, new: Sequence[NewMember | Node], like: Element | None, context: _Context
    ) -> list[_Part]:
        """Return the content of a container that is new, or was empty."""
        style = self._layout.style(like, context.on_one_line)
        indentation, between = context.indentation, style.space
        first = close = style.padding
        if style.lines:
            indentation += style.unit
            first = between = self._layout.newline + indentation
            close = self._layout.newline + context.indentation
        samples = _NOTHING if like is None else _samples_in(like, new)
        parts: list[_Part] = []
        for position, child in enumerate(new):
            parts.append(f",{between}" if position else first)
            around = samples
            if isinstance(child, NewMember):
                parts.append(f"{dump(child.name, indent=False)}{style.colon}")
                around = _with_namesake(samples, like, child.name)
            parts.append((_node(child), _Context(indentation, around, not style.lines)))
        return [*parts, close]

    def _edited_content(
        self, new: Sequence[NewMember | Node], original: Element, context: _Context
    ) -> list[_Part]:
        """Return the content of a container that was there, and not empty."""
        children = children_of(original)
        indices = {id(child): index for index, child in enumerate(children)}
        gaps = Gaps(self._text, original, self._layout.space)
        samples = _samples_in(original, new)
        kept = [indices[one] for one in (id(_original(child)) for child in new) if one in indices]
        in_order = kept == sorted(kept)  # then each stays as it is, whatever else came or went
        parts: list[_Part] = []
        trail = ""
        before: int | None = None
        for position, child in enumerate(new):
            index = indices.pop(id(_original(child)), None)
            lead = gaps.lead(position, index, before)
            parts.append(f"{trail},{lead}" if position else lead)
            trail = gaps.trail(index)
            old = None if index is None else children[index]
            before = before if index is None else index
            if isinstance(child, NewMember):
                parts.append(self._key(child.name, old, children[before or 0]))
            node = _node(child)
            indentation = last_line(lead) if NEWLINE.search(lead) else context.indentation
            if index is not None and (in_order or lead == gaps.leads[index]):
                element = value_in(children[index])
                if isinstance(node, Keep) and node.element is element:
                    parts.append(element.raw)
                    continue
                indentation = self._layout.indentation(element.start)
            parts.append((node, _Context(indentation, samples, not NEWLINE.search(lead))))
        return [*parts, gaps.close]

    def _key(self, name: str, old: _Child | None, neighbour: _Child) -> str:
        """Return the name of a member, and what is between it and its value."""
        key = dump(name, indent=False)
        if isinstance(old, Member):
            key = self._text[old.key_start : old.key_end] if old.name == name else key
            return key + self._text[old.key_end : old.element.start]
        colon = self._layout.colon_of(neighbour) if isinstance(neighbour, Member) else None
        return key + (colon or self._layout.colon)


def _children(node: Items | Members) -> tuple[NewMember, ...] | tuple[Node, ...]:
    return node.items if isinstance(node, Items) else node.members


def _node(child: NewMember | Node) -> Node:
    return child.node if isinstance(child, NewMember) else child


def _original(child: NewMember | Node) -> _Child | None:
    return child.element if isinstance(child, Keep) else child.original


def _reindent(text: str, old: str, new: str) -> str:
    """Replace the indentation `old` of a JSON text by `new`; empty lines stay empty."""
    if old == new:
        return text
    return re.sub(rf"((?>{NEWLINE.pattern})){old}(?![\r\n])", rf"\g<1>{new}", text)


def _restore_unchanged(
    original: Element, lines: list[str], written: list[str], ends: list[str]
) -> None:
    """Write the first and last lines that did not change as they were, with their ends."""
    was = NEWLINE.split(original.raw)
    was_ends = NEWLINE.findall(original.raw)
    dedented = original.dedented.split("\n")
    shorter = min(len(lines), len(dedented))
    head = 0
    while head < shorter and lines[head] == dedented[head]:
        head += 1
    tail = 0
    while tail < shorter - head and lines[-1 - tail] == dedented[-1 - tail]:
        tail += 1
    written[:head] = was[:head]
    written[len(written) - tail :] = was[len(was) - tail :]
    known = min(head, len(was_ends), len(ends))
    ends[:known] = was_ends[:known]
    known = min(tail, len(was_ends), len(ends))
    ends[len(ends) - known :] = was_ends[len(was_ends) - known :]


def _samples_in(element: Element, new: Sequence[NewMember | Node]) -> _ByKind:
    """Return the containers in an element that containers among `new` could look like."""
    if not any(isinstance(_node(child), (Items, Members)) for child in new):
        return _NOTHING
    return containers_in(element)


def _with_namesake(samples: _ByKind, like: Element | None, name: str) -> _ByKind:
    """Put the member of the same name first among the samples, if there is one."""
    member = None if like is None else like.member(name)
    if member is None or not children_of(member.element):
        return samples
    return {**samples, member.element.kind: member.element}
