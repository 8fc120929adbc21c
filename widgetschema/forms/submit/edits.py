"""Edits of the data that a page carries: what a merge has made of the text that the page is of.

An edit says what is meant: what stays, what has another value, what is new, and in which order. A
page sends it back, so it may say anything: `permissions` takes of it what controls could have done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.placeholders import placeholders_in
from widgetschema.forms.secrecy import is_placeholder
from widgetschema.jsontext.rewriting import (
    Items,
    Keep,
    Members,
    NewMember,
    Node,
    Raw,
    rewrite,
    tokens_of,
)
from widgetschema.jsontext.tree import Element, parse
from widgetschema.pointers import escape_token

_MOST_LEVELS: Final = 64  # of values that are edited inside; deeper ones are new as a whole

Tokens = Mapping[str, Mapping[str, str]]
"""For containers of a value, by JSON Pointer: which children of another one their children are,
all by their reference tokens."""


@dataclass(frozen=True, eq=False)
class DataEdit:
    """An edit of the data as a JSON value.

    It is None for a value that stays, and a JSON text for a new one. An object or array that is
    edited inside is one of its children: each is a list of the name or the index that it had, or
    None, and its edit.
    """

    said: Any


# From texts to edits


def edit_between(before: Element, after: Element, tokens: Tokens, at: str = "") -> Node:
    """Return the edit of one value that makes another one of it.

    In a container without `tokens`, children are the same that have the same name or index.
    """
    if before.raw == after.raw:
        return Keep(before)
    is_inside = before.kind == after.kind and at.count("/") < _MOST_LEVELS
    known = tokens.get(at)
    if is_inside and before.kind == "object":
        members = []
        for one in after.members:
            was = one.name if known is None else known.get(one.name)
            old = None if was is None else before.member(was)
            before_it = None if old is None else old.element
            new = _edit_of_child(before_it, one.element, tokens, at, one.name)
            members.append(NewMember(one.name, new, old))
        return Members(tuple(members), before)
    if is_inside and before.kind == "array":
        items = []
        for index, item in enumerate(after.items):
            token = str(index)
            was = token if known is None else known.get(token)
            items.append(_edit_of_child(before.child(was or ""), item, tokens, at, token))
        return Items(tuple(items), before)
    return Raw(after.dedented, before)


def _edit_of_child(
    before: Element | None, after: Element, tokens: Tokens, at: str, token: str
) -> Node:
    if before is None:
        return Raw(after.dedented)
    return edit_between(before, after, tokens, f"{at}/{escape_token(token)}")


def edit_of(node: Node, made: FormSource) -> DataEdit:
    """Return a node of data, which makes that of `made`, as an edit."""
    return DataEdit(_said(node, made.element, 0))


def _said(node: Node, made: Element, level: int) -> Any:
    if isinstance(node, Keep):
        return None
    if isinstance(node, Raw) or node.original is None or level > _MOST_LEVELS:
        return made.dedented
    if node.original.kind != made.kind:
        return made.dedented
    if node.original.raw == made.raw:
        return None
    said = [
        (now, was, it.dedented if was is None else _said(child, it, level + 1))
        for (was, now, child), it in zip(tokens_of(node), children_in(made), strict=True)
    ]
    if isinstance(node, Members):
        return {now: [was, value] for now, was, value in said}
    return [[None if was is None else int(was), value] for _, was, value in said]


def without_values(source: FormSource, paths: Iterable[str]) -> FormSource:
    """Return a text without the values at these places; an item of an array becomes null."""
    gone = frozenset(paths)
    around = {path for one in gone for path in accumulate(one.split("/"), "{}/{}".format)}

    def pruned(element: Element, at: str) -> Node:
        if at in gone:
            return Raw("null", element)
        if at not in around:
            return Keep(element)
        if element.kind == "array":
            items = (pruned(item, f"{at}/{index}") for index, item in enumerate(element.items))
            return Items(tuple(items), element)
        below = ((one, f"{at}/{escape_token(one.name)}") for one in element.members)
        members = (
            NewMember(one.name, pruned(one.element, path), one)
            for one, path in below
            if path not in gone
        )
        return Members(tuple(members), element)

    text = rewrite(source.tree, source.element, pruned(source.element, source.at))
    return source.with_text(text)


def children_in(element: Element) -> list[Element]:
    """Return the values in a container."""
    return [*element.items, *(one.element for one in element.members)]


# From edits to texts


def node_of(edit: DataEdit, source: FormSource) -> Node:
    """Return an edit as a node of the data of `source`.

    Raises `UnreadableDocument`, `LookupError`, `TypeError` or `ValueError` if it is none.
    """
    return _Reader(source).node(edit.said, source.element, source.at)


class _Reader:
    def __init__(self, source: FormSource) -> None:
        self.source = source
        self.limits = source.checks.limits

    def node(self, said: Any, original: Element | None, path: str) -> Node:
        if said is None and original is not None:
            return Keep(original)
        if type(said) is str:
            depth = max(self.limits.max_depth - path.count("/"), 0)
            made = parse(said, replace(self.limits, max_depth=depth)).root
            if any(one.raw not in self.source.secrets.known for _, one in placeholders_in(made)):
                raise LookupError
            return Raw(said, original)
        if path.count("/") > 2 * _MOST_LEVELS + self.source.at.count("/"):
            raise TypeError
        if type(said) is dict:
            return self._members(said, original, path)
        if type(said) is list:
            return self._items(said, original, path)
        raise TypeError

    def _members(self, said: Mapping[str, Any], original: Element | None, path: str) -> Node:
        members, used = [], set[str]()
        for name, (was, value) in said.items():
            old = None
            if was is not None:
                old = None if original is None else original.member(was)
                if old is None or was in used:
                    raise LookupError
                used.add(was)
            below = f"{path}/{escape_token(name)}"
            node = self.node(value, None if old is None else old.element, below)
            members.append(NewMember(name, node, old))
        return Members(tuple(members), original)

    def _items(self, said: list[Any], original: Element | None, path: str) -> Node:
        items = []
        for index, (was, value) in enumerate(said):
            if was is not None and (type(was) is not int or was < 0 or original is None):
                raise LookupError
            old = None if was is None or original is None else original.items[was]
            items.append(self.node(value, old, f"{path}/{index}"))
        return Items(tuple(items), original)


def with_texts(said: Any, at: str, change: Callable[[str, Any], Any]) -> Any:
    """Return what an edit says with other new texts.

    `change` gets the JSON Pointer of the place of each, and the text. Raises `TypeError` or
    `ValueError` if it is no edit.
    """
    if said is None:
        return said
    if type(said) is dict:
        return {
            name: [was, with_texts(value, f"{at}/{escape_token(name)}", change)]
            for name, (was, value) in said.items()
        }
    if type(said) is list:
        return [
            [was, with_texts(value, f"{at}/{index}", change)]
            for index, (was, value) in enumerate(said)
        ]
    return change(at, said)


def typed_in(said: Any, at: str) -> dict[str, str]:
    """Return the new texts and numbers of an edit, by the JSON Pointers of their places."""
    found: dict[str, str] = {}

    def add(path: str, text: str) -> None:
        for inside, typed in changed_texts(None, parse(text).root):
            found[f"{path}{inside}"] = typed

    try:
        with_texts(said, at, add)
    except (UnreadableDocument, TypeError, ValueError):
        return found  # no page of ours
    return found


def changed_texts(before: Element | None, after: Element) -> Iterator[tuple[str, str]]:
    """Yield the scalars of a value that another one does not have, by their JSON Pointers.

    A text is as people read it, anything else as JSON. Placeholders are none.
    """
    todo = [(before, after, "")]
    while todo:
        old, new, path = todo.pop()
        if old is not None and old.raw == new.raw:
            continue
        names = [one.name for one in new.members] or map(str, range(len(new.items)))
        if new.kind not in ("object", "array") and not is_placeholder(new.raw):
            yield path, str(new.value) if new.kind == "string" else new.raw
        for name, child in zip(names, children_in(new), strict=True):
            known = None if old is None else old.child(name)
            todo.append((known, child, f"{path}/{escape_token(name)}"))
