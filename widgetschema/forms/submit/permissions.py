"""The part of an edit that the controls of a form could have done.

They leave read-only and hidden values as they are, and add, remove, move and rename only what the
form lets them. A read-only value in a new one is one that the form itself puts there, or that is
there already in another row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from widgetschema.forms.fields.builder import FormSource, allowed_rows
from widgetschema.forms.model import CHOICE_KINDS, Field
from widgetschema.forms.row_names import member_of
from widgetschema.forms.secrecy import any_row
from widgetschema.forms.submit.edits import Tokens, edit_between, without_values
from widgetschema.forms.uploads import refusal
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.rewriting import (
    Items,
    Keep,
    Members,
    NewMember,
    Node,
    Raw,
    as_new,
    rewrite,
    tokens_of,
)
from widgetschema.jsontext.tree import Element, Member, parse, scanned
from widgetschema.pointers import escape_token

_MOST_LEVELS: Final = 64  # of edits inside each other; fields have fewer
_NOTHING: Final = parse("null")


@dataclass(frozen=True, eq=False)
class Permitted:
    """The part of an edit that a form allows, the draft that it makes, and what was `refused`.

    These are new values, by the JSON Pointers of their places; None for what was to go.
    """

    node: Node
    draft: FormSource
    refused: Mapping[str, Element | None]


def permitted(source: FormSource, node: Node) -> Permitted:
    """Return what the controls of the form of `source` could have done of an edit of the data.

    Raises `TooManyFields`.
    """
    root = source.build(None, source.data)
    rules = _Rules(source)
    node = rules.node(root, node)
    draft, refused = _draft(source, node), rules.refused
    tokens, new = _parts(node)
    fixed = [*_fixed_in_new(source, root, draft, new)] if new else []
    if fixed:
        refused |= {path: draft.tree.at(path) for path in fixed}
        node = edit_between(source.element, without_values(draft, fixed).element, tokens)
        draft = _draft(source, node)
    return Permitted(node, draft, refused)


def _draft(source: FormSource, node: Node) -> FormSource:
    if isinstance(node, Keep):
        return source
    text = rewrite(source.tree, source.element, node)
    return source.edited(text, node)


def _parts(node: Node) -> tuple[Tokens, set[str]]:
    """Return which children of the text the containers of an edit have, and what is new.

    New are the values at these JSON Pointers.
    """
    tokens, new = dict[str, dict[str, str]](), set[str]()
    todo = [(node, "")]
    while todo:
        one, at = todo.pop()
        if isinstance(one, Keep):
            continue
        if isinstance(one, Raw) or one.original is None or at.count("/") > _MOST_LEVELS:
            new.add(at)
        else:
            children = [*tokens_of(one)]
            tokens[at] = {now: was for was, now, _ in children if was is not None}
            todo += [(child, f"{at}/{escape_token(now)}") for _, now, child in children]
    return tokens, new


def _fixed_in_new(
    source: FormSource, root: Field, draft: FormSource, new: Collection[str]
) -> Iterator[str]:
    """Yield the places of fixed values in new ones that no form has put there."""
    known: dict[str, set[Any]] = {}
    for path, element, _ in _fixed(root):
        known.setdefault(any_row(path), set()).add(canonical(element.value))
    for path, element, around in _fixed(draft.build(None, draft.data)):
        inside = (str(one.path).removeprefix(source.at) for one in around)
        if not any(one in new for one in inside if f"{source.at}{one}" != path):
            continue
        value = canonical(element.value)
        if value in known.get(any_row(path), ()) or value in _initial(source, path, around):
            continue
        yield path


def _initial(source: FormSource, path: str, around: Sequence[Field]) -> list[Any]:
    """Return the values that a place begins with, by itself or with one of those around it."""
    found = []
    for field in around:
        tree = source.specs.initial(field.shape.node)
        element = None if tree is None else tree.at(path.removeprefix(str(field.path)))
        found += [] if element is None else [canonical(element.value)]
    return found


def _fixed(root: Field) -> Iterator[tuple[str, Element, tuple[Field, ...]]]:
    """Yield the values that are read-only or hidden, none in another one, with the fields around.

    Rows are not among them: these can be added.
    """
    todo: list[tuple[Field, tuple[Field, ...]]] = [(root, ())]
    while todo:
        field, around = todo.pop()
        path, element = field.path, field.original
        if path is None or element is None:
            continue
        around = (*around, field)
        if field.read_only and not field.row:
            yield path, element, around
            continue
        for name in field.shape.hidden:
            if (member := element.member(name)) is not None:
                yield f"{path}/{escape_token(name)}", member.element, around
        todo += [(child, around) for child in reversed(field.children)]


class _Rules:
    """The rules of the controls of a form, for one edit."""

    def __init__(self, source: FormSource) -> None:
        self.source = source
        self.refused: dict[str, Element | None] = {}

    def node(self, field: Field, node: Node) -> Node:
        """Return what the field of a value that is there allows of its edit."""
        field = field.chosen
        original = field.original
        if isinstance(node, Raw) and original is not None:
            made = scanned(node.text)
            if made.kind == original.kind:
                node = edit_between(original, made, {})
        if isinstance(node, Keep) or original is None:
            return node
        if field.read_only:
            return self._refuse(field, node)
        if field.kind == "object" and isinstance(node, Members):
            return self._members(field, original, node)
        if field.kind in ("list", "tuple") and isinstance(node, Items):
            return self._items(field, original, node)
        return node if self._is_offered(field, node) else self._refuse(field, node)

    def _is_offered(self, field: Field, node: Node) -> bool:
        """Return True if a choice, or a file, can be that of a control."""
        if field.kind == "upload":
            made = _made(node)
            return made.kind != "string" or refusal(str(made.value), field.shape) is None
        disabled = [one.value for one in field.shape.choices if one.disabled and one.value]
        if not disabled or field.kind not in (*CHOICE_KINDS, "checkboxes"):
            return True
        before, now = (
            {canonical(value.value) for value in (one, *one.items)}
            for one in (field.original, _made(node))
            if one is not None
        )
        return now.isdisjoint({canonical(scanned(one).value) for one in disabled} - before)

    def _refuse(self, field: Field, node: Node) -> Node:
        self.refused[str(field.path)] = _made(node)
        assert field.original is not None
        return Keep(field.original)

    def _members(self, field: Field, original: Element, node: Members) -> Node:
        ui, hidden = field.shape.ui, field.shape.hidden
        children = {
            member_of(one) if one.member is None else one.member.name: one
            for one in field.children
            if not one.is_rest
        }
        found: list[NewMember] = []
        for one in node.members:
            old = one.original
            name = one.name if old is None else old.name
            child, path = children.get(name), f"{field.path}/{escape_token(name)}"
            is_fixed = name in hidden or (child is not None and child.read_only)
            if old is None:
                is_fixed = is_fixed or (child is None and ui.addable is False)
                if is_fixed:
                    self.refused[path] = _made(one.node)
                else:
                    found.append(one)
                continue
            value = one.node
            if name in hidden:
                value = Keep(old.element)
            elif child is not None:
                value = self.node(child, value)
            is_renamed = one.name != name and self._can_rename(field, child, old, one.name)
            found.append(NewMember(one.name if is_renamed else name, value, old))
        there = {id(one.original) for one in found}
        for at, old in enumerate(original.members):
            child = children.get(old.name)
            is_row = child is not None and child.row and ui.removable is False
            is_fixed = old.name in hidden or (child is not None and child.read_only)
            if id(old) not in there and (is_fixed or is_row):
                self.refused[f"{field.path}/{escape_token(old.name)}"] = None
                found.insert(at, NewMember(old.name, Keep(old.element), old))
        named = {one.name: one for one in reversed(found)}
        return Members(tuple(one for one in found if named[one.name] is one), original)

    def _can_rename(self, around: Field, child: Field | None, old: Member, name: str) -> bool:
        """Return True if a member can have another name: no secret in it may be none then."""
        if child is None or not child.has_key or child.read_only or name in around.shape.hidden:
            return False
        return self.source.secrets.fit(old.element, f"{around.path}/{escape_token(name)}")

    def _items(self, field: Field, original: Element, node: Items) -> Node:
        before = [str(at) for at in range(len(original.items))]
        rows = [was or f"+{now}" for was, now, _ in tokens_of(node)]
        positions = [one for one in field.children if not one.row and one.read_only]
        fixed = [one.name.rpartition("/")[2] for one in positions if one.original is not None]
        if [*allowed_rows(field.shape.ui, before, rows)] != rows or any(
            one not in rows or rows.index(one) != int(one) for one in fixed
        ):
            return self._refuse(field, node)
        children = {one.name.rpartition("/")[2]: one for one in field.children}
        items = [
            self.node(children[row], item) if row in children else item
            for row, item in zip(rows, node.items, strict=True)
        ]
        return Items(tuple(items), original)


def _made(node: Node) -> Element:
    """Return the value of a node, in a text of its own."""
    return scanned(rewrite(_NOTHING, _NOTHING.root, as_new(node)))
