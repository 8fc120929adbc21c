"""What becomes of fields when they come back: the tree of fields folded into one rewriting.

Decided from `pristine`, `shown`, `original` and `forced` alone: what is shown as it was pristine
stays as it is in the text, byte for byte. Nothing is known here of schemas beyond the shapes,
nothing of controls, and no text is written.

A value that cannot be read (`abc` for a number) leaves what was there, and says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from widgetschema.findings import Finding
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    JSON_KINDS,
    NUMBER_KINDS,
    UNSET,
    Field,
)
from widgetschema.forms.posted import with_lf
from widgetschema.forms.submitting.encoding import Unread, encoded, missing, rest_of
from widgetschema.forms.submitting.joining import items, joined
from widgetschema.jsontext import Limits
from widgetschema.jsontext.rewriting import Items, Keep, Node, Raw, rewrite
from widgetschema.jsontext.tree import Element, Tree

Findings = dict[str, list[Finding]]  # by the name of the field's control


@dataclass(frozen=True)
class Outcome:
    """What becomes of the data: `node`; and what could not be read."""

    node: Node
    unread: Findings


def text_of(field: Field, tree: Tree, limits: Limits) -> str | None:
    """The JSON text of what becomes of one field; None if nothing does.

    `tree` is the text that the form was made of. Text that cannot be read becomes a string.
    """
    if field.shown.state in ("unset", "null"):
        return None
    if field.original is None and field.kind not in CONTAINER_KINDS and not field.shown.text:
        return None
    if field.carried is not None:
        tree = field.carried.tree
    fold = _Fold(limits)
    node = fold.folded(field, forced=True)
    if field.kind in (*NUMBER_KINDS, *JSON_KINDS) and id(field) in fold.missed:
        return json.dumps(field.shown.text, ensure_ascii=False)
    return None if node is None else rewrite(tree, tree.root, node).strip()


def outcome(root: Field, limits: Limits) -> Outcome:
    """What becomes of the data as a whole, which cannot be absent."""
    fold = _Fold(limits)
    node = fold.folded(root, forced=root.forced)
    return Outcome(node or _as_it_was(root) or Raw("null"), fold.unread)


class _Fold:
    """One pass from the leaves to the root: `nodes` has what becomes of each field."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes: dict[int, Node | None] = {}
        self.unread: Findings = {}
        self.missed: set[int] = set()  # the fields that could not be read, or hold such

    def folded(self, top: Field, *, forced: bool) -> Node | None:
        """What becomes of a field and all below it."""
        order: list[tuple[Field, bool, bool]] = []
        todo = [(top, forced, False)]
        while todo:
            step = todo.pop()
            order.append(step)
            todo.extend(_below(*step))
        for field, is_forced, may_go in reversed(order):
            node = self._node(field, is_forced, may_go)
            self.nodes[id(field)] = node
        return self.nodes[id(top)]

    def _node(self, field: Field, forced: bool, may_go: bool) -> Node | None:
        if field.is_rest:
            return self._rest(field)
        if field.kind in CONTAINER_KINDS:
            return self._container(field, forced)
        if field.kind == "alternatives":
            return self._alternatives(field)
        if field.kind in CHOICE_KINDS:
            return self._choice(field, forced)
        return self._typed(field, forced, may_go)

    # One control

    def _rest(self, field: Field) -> Node | None:
        """All that has no field of its own, if it was changed; None if it stays."""
        if field.shown.text == with_lf(field.pristine.text):
            return None
        try:
            return rest_of(field, self.limits)
        except Unread as unread:
            return self._missed(field, unread.finding)

    def _typed(self, field: Field, forced: bool, may_go: bool) -> Node | None:
        """Text, a number, or JSON."""
        shown, pristine = field.shown, field.pristine
        if shown.state == pristine.state and shown.text == with_lf(pristine.text):
            if not _is_new(field, forced):
                return _as_it_was(field)
        elif shown.state != pristine.state and shown.state != "set":
            return self._settled(field)
        try:
            return encoded(field, may_go and not forced, self.limits)
        except Unread as unread:
            return self._missed(field, unread.finding)

    def _choice(self, field: Field, forced: bool) -> Node | None:
        """One of several values, by the id of a choice."""
        shown, pristine = field.shown, field.pristine
        if shown.text == pristine.text and not _is_new(field, forced):
            return _as_it_was(field)
        values = {choice.id: choice.value for choice in (*field.shape.choices, *field.choices)}
        if shown.text == UNSET and UNSET in values and not forced:
            return None
        value = values.get(shown.text)
        if value is None:
            return self._missed(field, missing(field))
        return Raw(value, field.original)

    def _settled(self, field: Field) -> Node | None:
        """What a state says that was chosen, whatever the text is."""
        if field.shown.state == "null":
            return Raw("null", field.original)
        if field.shown.state == "empty":
            return Raw('""', field.original)
        return _as_it_was(field) if field.shown.state == "kept" else None

    def _missed(self, field: Field, finding: Finding) -> Node | None:
        self.unread.setdefault(field.name, []).append(finding)
        self.missed.add(id(field))
        return _as_it_was(field)

    # What holds others

    def _alternatives(self, field: Field) -> Node | None:
        child = field.children[field.shown.chosen]
        node = self.nodes[id(child)]
        if id(child) in self.missed:
            self.missed.add(id(field))
            if child.kind not in CONTAINER_KINDS and field.shown.chosen != field.pristine.chosen:
                return _as_it_was(field)
        if child.carried is None or node is None:
            return node
        tree = child.carried.tree  # another text: what comes of it is put into this one
        return Raw(rewrite(tree, tree.root, node), field.original)

    def _container(self, field: Field, forced: bool) -> Node | None:
        if not _counts(field):
            return self._settled(field)
        has_new = any(self.nodes[id(child)] is not None for child in field.children)
        if any(id(child) in self.missed for child in field.children):
            self.missed.add(id(field))
        if field.pristine.state != "set":  # it is not there, or null
            is_set = field.shown.state == "set" or has_new or id(field) in self.missed
            if not (forced or is_set):
                return _as_it_was(field)
        if field.kind != "object":
            return items(field, self._items(field))
        node, taken = joined(field, self.nodes)
        for row, finding in taken:
            self._missed(row, finding)
            self.missed.add(id(field))
        return node

    def _items(self, field: Field) -> list[Node]:
        """The items of an array: without a gap, so that each stays at its index."""
        children = [child for child in field.children if not child.is_rest]
        others: list[Node] = []
        for rest in field.children[len(children) :]:
            node = self.nodes[id(rest)]
            elements = [one for one in rest.rest if isinstance(one, Element)]
            others += node.items if isinstance(node, Items) else map(Keep, elements)
        while children and not others and self._is_absent(children[-1]):
            children.pop()
        found: list[Node] = []
        for child in children:
            node = self.nodes[id(child)]
            if node is None and id(child) not in self.missed:  # an earlier item of a tuple
                node = self.folded(child, forced=True)
            found.append(Raw("null") if node is None else node)
        return found + others

    def _is_absent(self, child: Field) -> bool:
        return self.nodes[id(child)] is None and id(child) not in self.missed


def _below(field: Field, forced: bool, may_go: bool) -> Iterable[tuple[Field, bool, bool]]:
    """The fields that count for what becomes of this one; whether each is forced, and may go."""
    if field.kind == "alternatives":
        child = field.children[field.shown.chosen]
        is_other = field.shown.chosen != field.pristine.chosen
        yield child, forced or is_other or child.forced, may_go
        return
    if not _counts(field):
        return
    for child in field.children:
        is_named = field.kind == "object" and not child.row and not child.has_key
        yield child, child.forced, is_named and not child.shape.required


def _counts(field: Field) -> bool:
    """Whether what is in a container decides, and not its state."""
    return field.shown.state == field.pristine.state or field.shown.state == "set"


def _is_new(field: Field, forced: bool) -> bool:
    return forced and field.original is None


def _as_it_was(field: Field) -> Node | None:
    return None if field.original is None else Keep(field.original)
