"""Turn submitted fields into one edit of the text: the tree of fields, folded from the leaves up.

Each decision follows from `pristine`, `shown`, `original` and `forced` alone: a field that shows
what it showed untouched keeps its text, byte for byte. A value that cannot be read (`abc` for a
number) leaves what was there, and is reported.

Members that stay keep their order in the text. A new member goes after the one that the form
shows before it. Additional members follow the order of their rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from widgetschema.findings import Finding
from widgetschema.forms.control_names import decode_token, row_id
from widgetschema.forms.fields.untouched import UntouchedFields
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    NUMBER_KINDS,
    UNSET,
    Field,
    FormFinding,
    Message,
    selection_ids,
)
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.submit.encoding import (
    UnreadableInput,
    encode_control,
    encode_rest,
    not_offered,
    nothing_chosen,
    unread_text,
)
from widgetschema.jsontext import Limits, preview
from widgetschema.jsontext.rewriting import (
    Items,
    Keep,
    Members,
    NewMember,
    Node,
    Raw,
    as_new,
    rewrite,
)
from widgetschema.jsontext.tree import Element, Member, Tree
from widgetschema.pointers import escape_token

FindingsByControl = dict[str, list[Finding]]  # by the name of the field's control


@dataclass(frozen=True)
class EditPlan:
    """The edit of the data, `node`, and the controls that could not be read."""

    node: Node
    unreadable: FindingsByControl


def field_text(field: Field, tree: Tree, limits: Limits) -> str | None:
    """Return the JSON text that results from one field; None if there is no value.

    `tree` is the text that the form was made of. Input that cannot be read becomes a string.
    """
    if field.shown.state in ("unset", "null"):
        return None
    if field.original is None and field.kind not in CONTAINER_KINDS and not field.shown.text:
        return None
    if field.transferred is not None:
        tree = field.transferred.tree
    folding = _Fold(limits)
    node = folding.fold(field, needs_value=True)
    if field.kind in (*NUMBER_KINDS, "json", "custom") and id(field) in folding.incomplete:
        return json.dumps(field.shown.text, ensure_ascii=False)
    return None if node is None else rewrite(tree, tree.root, node).strip()


def unreadable_in(field: Field, limits: Limits) -> list[str]:
    """Return the controls in a container that cannot be read: no text of its value has theirs."""
    folding = _Fold(limits)
    folding.fold(field, needs_value=True)
    return [*folding.unreadable] if field.kind in CONTAINER_KINDS else []


def plan_edits(root: Field, limits: Limits, untouched: UntouchedFields | None = None) -> EditPlan:
    """Return the edit of the data as a whole, which cannot be absent.

    Fields of the `untouched` form are skipped.
    """
    folding = _Fold(limits, untouched)
    node = folding.fold(root, needs_value=root.needs_value)
    folding.unreadable.update((field.name, [unread_text(field)]) for field in root.unread)
    return EditPlan(node or _keep_original(root) or Raw("null"), folding.unreadable)


class _Fold:
    """One pass from the leaves to the root: `nodes` has the edit of each field."""

    def __init__(self, limits: Limits, untouched: UntouchedFields | None = None) -> None:
        self.limits = limits
        self.untouched = untouched
        self.nodes: dict[int, Node | None] = {}
        self.unreadable: FindingsByControl = {}
        self.incomplete: set[int] = set()  # the fields that could not be read, or hold such

    def fold(self, top: Field, *, needs_value: bool) -> Node | None:
        """Return the edit of a field and all below it."""
        order: list[tuple[Field, bool, bool]] = []
        todo = [(top, needs_value, False)]
        while todo:
            step = todo.pop()
            field = step[0]
            if field.original is not None and self.untouched and self.untouched.has(field):
                self.nodes[id(field)] = Keep(field.original)
                continue
            order.append(step)
            todo.extend(_relevant_children(*step))
        for field, is_forced, is_removable in reversed(order):
            node = self._node(field, is_forced, is_removable)
            transferred = field.transferred
            if node is not None and transferred is not None and transferred.new:
                node = as_new(node)
            elif node is not None and transferred is not None and field.row:
                tree = transferred.tree  # of another text, as in `_alternatives`
                node = Raw(rewrite(tree, tree.root, node))
            self.nodes[id(field)] = node
        return self.nodes[id(top)]

    def _node(self, field: Field, needs_value: bool, is_removable: bool) -> Node | None:
        if field.is_unread:
            self.unreadable[field.name] = [unread_text(field)]
            return None
        if field.is_rest:
            return self._rest(field)
        if field.kind in CONTAINER_KINDS:
            return self._container(field, needs_value)
        if field.kind == "alternatives":
            return self._alternatives(field)
        if field.kind in CHOICE_KINDS:
            return self._choice(field, needs_value)
        if field.kind == "checkboxes":
            return self._selection(field, needs_value)
        return self._typed(field, needs_value, is_removable)

    # One control

    def _rest(self, field: Field) -> Node | None:
        """Return the edit of members or items without fields, or None if they did not change."""
        if field.shown.text == normalize_newlines(field.pristine.text):
            return None
        try:
            return encode_rest(field, self.limits)
        except UnreadableInput as unreadable:
            return self._keep_unreadable(field, unreadable.finding)

    def _typed(self, field: Field, needs_value: bool, is_removable: bool) -> Node | None:
        """Return the edit of text, a number, or JSON."""
        shown, pristine = field.shown, field.pristine
        if shown.state == pristine.state and shown.text == normalize_newlines(pristine.text):
            if not _is_new_value(field, needs_value):
                return _keep_original(field)
        elif shown.state != pristine.state and shown.state != "set":
            return self._from_state(field)
        try:
            return encode_control(field, is_removable and not needs_value, self.limits)
        except UnreadableInput as unreadable:
            return self._keep_unreadable(field, unreadable.finding)

    def _choice(self, field: Field, needs_value: bool) -> Node | None:
        """Return the edit of one of several values, by the id of a choice."""
        shown, pristine = field.shown, field.pristine
        if shown.text == pristine.text and not _is_new_value(field, needs_value):
            return _keep_original(field)
        values = {choice.id: choice.value for choice in (*field.shape.choices, *field.choices)}
        if shown.text == UNSET and UNSET in values and not needs_value:
            return None
        value = values.get(shown.text)
        if value is None:
            return self._keep_unreadable(field, nothing_chosen(field))
        if _is_disabled(field, [shown.text]):
            return self._keep_unreadable(field, not_offered(field))
        return Raw(value, field.original)

    def _selection(self, field: Field, needs_value: bool) -> Node | None:
        """Return the edit of any of several values; items that stay keep their text."""
        shown, pristine = field.shown, field.pristine
        if shown == pristine and not _is_new_value(field, needs_value):
            return _keep_original(field)
        if shown.state != pristine.state and shown.state != "set":
            return self._from_state(field)
        nodes: dict[str, Node] = {
            choice.id: Raw(choice.value) for choice in field.shape.choices if choice.value
        }
        if _has_original(field, "array") and field.original is not None:
            ids = selection_ids(pristine.text)
            nodes |= dict(zip(ids, map(Keep, field.original.items), strict=True))
        chosen = selection_ids(shown.text)
        if not nodes.keys() >= {*chosen}:
            return self._keep_unreadable(field, nothing_chosen(field))
        if _is_disabled(field, set(chosen).difference(selection_ids(pristine.text))):
            return self._keep_unreadable(field, not_offered(field))
        return _array_edit(field, [nodes[id] for id in chosen])

    def _from_state(self, field: Field) -> Node | None:
        """Return the edit that a chosen state asks for, whatever the text is."""
        if field.shown.state == "null":
            return Raw("null", field.original)
        if field.shown.state == "empty":
            return Raw('""', field.original)
        return _keep_original(field) if field.shown.state == "kept" else None

    def _keep_unreadable(self, field: Field, finding: Finding) -> Node | None:
        self.unreadable.setdefault(field.name, []).append(finding)
        self.incomplete.add(id(field))
        return _keep_original(field)

    # What holds others

    def _alternatives(self, field: Field) -> Node | None:
        if not field.opened:
            return None
        child = field.children[field.shown.chosen]
        node = self.nodes[id(child)]
        if id(child) in self.incomplete:
            self.incomplete.add(id(field))
            if child.kind not in CONTAINER_KINDS and field.shown.chosen != field.pristine.chosen:
                return _keep_original(field)
        if child.transferred is None or child.transferred.new or node is None:
            return node
        tree = child.transferred.tree  # another text: what comes of it is put into this one
        return Raw(rewrite(tree, tree.root, node), field.original)

    def _container(self, field: Field, needs_value: bool) -> Node | None:
        if not _shows_content(field):
            return self._from_state(field)
        has_new = any(self.nodes[id(child)] is not None for child in field.children)
        if any(id(child) in self.incomplete for child in field.children):
            self.incomplete.add(id(field))
        if field.pristine.state != "set":  # it is not there, or null
            is_set = field.shown.state == "set" or has_new or id(field) in self.incomplete
            if not (needs_value or is_set):
                return _keep_original(field)
        if field.kind != "object":
            return _array_edit(field, self._items(field))
        node, conflicts = _object_edit(field, self.nodes)
        for row, finding in conflicts:
            self._keep_unreadable(row, finding)
            self.incomplete.add(id(field))
        return node

    def _items(self, field: Field) -> list[Node]:
        """Return the items of an array without a gap, so that each stays at its index."""
        children = [child for child in field.children if not (child.is_rest or child.is_unread)]
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
            if node is None and id(child) not in self.incomplete:  # an earlier item of a tuple
                node = self.fold(child, needs_value=True)
            found.append(Raw("null") if node is None else node)
        return found + others

    def _is_absent(self, child: Field) -> bool:
        return self.nodes[id(child)] is None and id(child) not in self.incomplete


def _relevant_children(
    field: Field, needs_value: bool, is_removable: bool
) -> Iterable[tuple[Field, bool, bool]]:
    """Yield the fields that decide about this one, each with `needs_value` and `is_removable`."""
    if not field.opened:  # nothing is there
        return
    if field.kind == "alternatives":
        child = field.children[field.shown.chosen]
        is_other = field.shown.chosen != field.pristine.chosen
        yield child, needs_value or is_other or child.needs_value, is_removable
        return
    if not _shows_content(field):
        return
    for child in field.children:
        is_named = field.kind == "object" and not child.row and not child.has_key
        yield child, child.needs_value, is_named and not child.shape.required


def _shows_content(field: Field) -> bool:
    """Return True if the content of a container decides, and not its state."""
    return field.shown.state == field.pristine.state or field.shown.state == "set"


def _is_new_value(field: Field, needs_value: bool) -> bool:
    return needs_value and field.original is None


def _keep_original(field: Field) -> Node | None:
    return None if field.original is None else Keep(field.original)


_Edits = Mapping[int, Node | None]
_NameConflicts = list[tuple[Field, Finding]]


def _object_edit(field: Field, nodes: _Edits) -> tuple[Node, _NameConflicts]:
    """Return the object of a field, and the rows whose new name is taken already."""
    rest = next((child for child in field.children if child.is_rest), None)
    typed = nodes[id(rest)] if rest is not None else None
    present = [
        child for child in field.children if nodes[id(child)] is not None and child is not rest
    ]
    reserved = _reserved_names(rest, typed, present).union(field.shape.hidden)
    names, conflicts = _resolve_names(present, reserved)
    present = [child for child in present if id(child) in names]
    original = field.original if _has_original(field, "object") else None
    members = [
        _member_edit(one, nodes, names) if isinstance(one, Field) else _keep_member(one)
        for one in _ordered_members(field, original, present)
    ]
    if rest is not None and isinstance(typed, Members):
        members, twice = _with_rest_members(members, rest, typed)
        conflicts += [(rest, _duplicate_finding(field.path, name)) for name in twice]
    if original is not None and _is_unchanged(members, original):
        return Keep(original), conflicts
    return Members(tuple(members), original), conflicts


def _with_rest_members(
    members: list[NewMember], rest: Field, typed: Members
) -> tuple[list[NewMember], list[str]]:
    """Return the members with those of the rest as typed, and the names that are duplicates."""
    others = {id(one) for one in rest.rest}
    said = {one.name: one for one in typed.members}
    found: list[NewMember] = []
    for one in members:
        if id(one.original) not in others:
            found.append(one)
        elif one.name in said:
            found.append(said.pop(one.name))
    twice = [name for name in said if any(one.name == name for one in found)]
    return [*found, *(one for name, one in said.items() if name not in twice)], twice


def _has_original(field: Field, kind: str) -> bool:
    """Return True if there is an original value of this type."""
    return field.original is not None and field.original.kind == kind


def _is_disabled(field: Field, ids: Iterable[str]) -> bool:
    """Return True if one of these choices is not offered, as a UI description says."""
    disabled = {choice.id for choice in field.shape.choices if choice.disabled}
    return not disabled.isdisjoint(ids)


def _array_edit(field: Field, nodes: list[Node]) -> Node:
    """Return the array of a field."""
    original = field.original if _has_original(field, "array") else None
    if original is not None and len(nodes) == len(original.items):
        pairs = zip(nodes, original.items, strict=True)
        if all(isinstance(node, Keep) and node.element is item for node, item in pairs):
            return Keep(original)
    return Items(tuple(nodes), original)


def _member_edit(child: Field, nodes: _Edits, names: Mapping[int, str]) -> NewMember:
    node = nodes[id(child)]
    assert node is not None
    return NewMember(names[id(child)], node, child.member)


def _keep_member(member: Member) -> NewMember:
    return NewMember(member.name, Keep(member.element), member)


def _is_unchanged(members: list[NewMember], original: Element) -> bool:
    return len(members) == len(original.members) and all(
        new.original is old
        and new.name == old.name
        and isinstance(new.node, Keep)
        and new.node.element is old.element
        for new, old in zip(members, original.members, strict=True)
    )


# Names


def _reserved_names(rest: Field | None, typed: Node | None, present: list[Field]) -> frozenset[str]:
    """Return the names of members that have no field of their own, unless a field had the name."""
    if rest is None:
        return frozenset()
    members = typed.members if isinstance(typed, Members) else rest.rest
    known = frozenset(one.name for one in members if not isinstance(one, Element))
    return known.difference(map(_former_name, present))


def _resolve_names(
    present: list[Field], reserved: frozenset[str]
) -> tuple[dict[int, str], _NameConflicts]:
    """Return the name of each member; of two that want the same, the one that had it gets it.

    A member that does not get its new name keeps the old one; so does one whose secret would be
    none under the new name, or whose name was emptied. A new member without a name is left out.
    """
    names = {id(child): _requested_name(child) for child in present}
    conflicts = [(child, _name_finding(child)) for child in present if child.tells_secret]
    for child in present:
        old = _former_name(child)
        if not names[id(child)] and child.has_key and old != "":
            conflicts.append((child, _nameless_finding(child)))
            if old is None:
                del names[id(child)]
            else:
                names[id(child)] = old
    present = [child for child in present if id(child) in names]
    wanted = set(names.values())
    if len(wanted) == len(present) and wanted.isdisjoint(reserved):
        return names, conflicts
    holders: dict[str, list[Field]] = {}
    for child in present:
        holders.setdefault(names[id(child)], []).append(child)
    crowded = [name for name, those in holders.items() if len(those) > 1 or name in reserved]
    while crowded:
        name = crowded.pop()
        those = holders[name]
        had = next((child for child in those if _former_name(child) == name), those[0])
        owner = None if name in reserved else had
        holders[name] = [] if owner is None else [owner]
        for child in those:
            if child is owner:
                continue
            conflicts.append(
                (child, _duplicate_finding((child.path or "").rpartition("/")[0], name))
            )
            old = _former_name(child)
            if old is None:
                del names[id(child)]
                continue
            names[id(child)] = old
            holders.setdefault(old, []).append(child)
            if len(holders[old]) > 1:
                crowded.append(old)
    return names, conflicts


def _requested_name(child: Field) -> str:
    if not child.has_key:
        return _schema_name(child)
    key = child.shown.key
    had = _former_name(child)
    is_kept = child.tells_secret or key == normalize_newlines(child.pristine.key)
    return had if had is not None and is_kept else key


def _former_name(child: Field) -> str | None:
    """Return the name that a member has in the text or by the schema; None for a new one."""
    if child.member is not None:
        return child.member.name
    return None if child.has_key else _schema_name(child)


def _schema_name(child: Field) -> str:
    """Return the name of a member that the schema names."""
    if child.member is not None:
        return child.member.name
    return decode_token(child.name.rpartition("/")[2])


def _duplicate_finding(around: str | None, name: str) -> Finding:
    at = f"{around or ''}/{escape_token(name)}"
    message = f"the member {preview(name)} appears twice"
    return Finding("json.duplicate-member", at, "", message, "choose another name")


def _name_finding(child: Field) -> Finding:
    name = preview(child.shown.key)
    message = f"a secret would be shown under the name {name}"
    return Finding("form.name", child.path or "", "", message, "choose another name")


def _nameless_finding(child: Field) -> Finding:
    message = "the property has no name"
    said = Message("form.name.missing")
    return FormFinding("form.name", child.path or "", "", message, "enter a name", said=said)


# Order


def _ordered_members(
    field: Field, original: Element | None, present: list[Field]
) -> list[Field | Member]:
    """Return the members in order: fields, and members of the text that have no field."""
    here = {id(child.member): child for child in present if child.member is not None}
    rows = iter([child for child in present if child.member is not None and child.has_key])
    known = {id(child.member) for child in field.children if child.member is not None}
    removed = set(field.pristine.rows).difference(field.shown.rows)
    ordered: list[Field | Member] = []
    for member in original.members if original is not None else ():
        child = here.get(id(member))
        if child is not None:
            ordered.append(next(rows) if child.has_key else child)
        elif id(member) not in known and row_id(member.name) not in removed:
            ordered.append(member)
    return _with_new_members(ordered, present)


def _with_new_members(ordered: list[Field | Member], present: list[Field]) -> list[Field | Member]:
    """Return the members with new ones, each after the one that the form shows before it."""
    behind: dict[int, list[Field]] = {}
    before: Field | None = None
    for child in present:
        if child.member is None:
            behind.setdefault(id(before), []).append(child)
        else:
            before = child
    placed: list[Field | Member] = list(behind.get(id(None), ()))
    for one in ordered:
        placed.append(one)
        placed.extend(behind.get(id(one), ()))
    return placed
