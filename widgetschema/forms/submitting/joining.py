"""The members of an object, put together: what stays, what goes, what is new, and where.

What stays keeps its order in the text. A member that is new stands behind the one that the form
shows before it. Additional members stand in the order of their rows.
"""

from __future__ import annotations

from collections.abc import Mapping

from widgetschema.findings import Finding, escape_token
from widgetschema.forms.model import Field
from widgetschema.forms.names import decoded, row_id
from widgetschema.forms.posted import with_lf
from widgetschema.jsontext import preview
from widgetschema.jsontext.rewriting import Items, Keep, Members, NewMember, Node
from widgetschema.jsontext.tree import Element, Member

Nodes = Mapping[int, Node | None]
Taken = list[tuple[Field, Finding]]


def joined(field: Field, nodes: Nodes) -> tuple[Node, Taken]:
    """The object of a field, and the rows whose new name is there already."""
    rest = next((child for child in field.children if child.is_rest), None)
    typed = nodes[id(rest)] if rest is not None else None
    present = [
        child for child in field.children if nodes[id(child)] is not None and child is not rest
    ]
    names, taken = _named(present, _reserved(rest, typed, present))
    present = [child for child in present if id(child) in names]
    original = field.original if is_kind(field, "object") else None
    members = [
        _member(one, nodes, names) if isinstance(one, Field) else _untouched(one)
        for one in _in_order(field, original, present)
    ]
    if rest is not None and isinstance(typed, Members):
        members, twice = _with_rest(members, rest, typed)
        taken += [(rest, _twice(field.path, name)) for name in twice]
    if original is not None and _is_untouched(members, original):
        return Keep(original), taken
    return Members(tuple(members), original), taken


def _with_rest(
    members: list[NewMember], rest: Field, typed: Members
) -> tuple[list[NewMember], list[str]]:
    """The members with those of the rest as they were typed; the names that are there already."""
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


def is_kind(field: Field, kind: str) -> bool:
    """Whether there is an original value, of this type."""
    return field.original is not None and field.original.kind == kind


def items(field: Field, nodes: list[Node]) -> Node:
    """The array of a field."""
    original = field.original if is_kind(field, "array") else None
    if original is not None and len(nodes) == len(original.items):
        pairs = zip(nodes, original.items, strict=True)
        if all(isinstance(node, Keep) and node.element is item for node, item in pairs):
            return Keep(original)
    return Items(tuple(nodes), original)


def _member(child: Field, nodes: Nodes, names: Mapping[int, str]) -> NewMember:
    node = nodes[id(child)]
    assert node is not None
    return NewMember(names[id(child)], node, child.member)


def _untouched(member: Member) -> NewMember:
    return NewMember(member.name, Keep(member.element), member)


def _is_untouched(members: list[NewMember], original: Element) -> bool:
    return len(members) == len(original.members) and all(
        new.original is old
        and new.name == old.name
        and isinstance(new.node, Keep)
        and new.node.element is old.element
        for new, old in zip(members, original.members, strict=True)
    )


# Names


def _reserved(rest: Field | None, typed: Node | None, present: list[Field]) -> frozenset[str]:
    """The names of the members that have no field of their own, unless a field had the name."""
    if rest is None:
        return frozenset()
    members = typed.members if isinstance(typed, Members) else rest.rest
    known = frozenset(one.name for one in members if not isinstance(one, Element))
    return known.difference(map(_had, present))


def _named(present: list[Field], reserved: frozenset[str]) -> tuple[dict[int, str], Taken]:
    """The name of each member. Of two that want the same, the one that had it gets it.

    Who does not get a new name keeps the old one; a new member without a name is left out.
    """
    names = {id(child): _wanted(child) for child in present}
    holders: dict[str, list[Field]] = {}
    for child in present:
        holders.setdefault(names[id(child)], []).append(child)
    taken: Taken = []
    crowded = [name for name, those in holders.items() if len(those) > 1 or name in reserved]
    while crowded:
        name = crowded.pop()
        those = holders[name]
        had = next((child for child in those if _had(child) == name), those[0])
        owner = None if name in reserved else had
        holders[name] = [] if owner is None else [owner]
        for child in those:
            if child is owner:
                continue
            taken.append((child, _twice((child.path or "").rpartition("/")[0], name)))
            old = _had(child)
            if old is None:
                del names[id(child)]
                continue
            names[id(child)] = old
            holders.setdefault(old, []).append(child)
            if len(holders[old]) > 1:
                crowded.append(old)
    return names, taken


def _wanted(child: Field) -> str:
    if not child.has_key:
        return _own_name(child)
    key = child.shown.key
    had = _had(child)
    return had if had is not None and key == with_lf(child.pristine.key) else key


def _had(child: Field) -> str | None:
    """The name that a member has in the text, or has by the schema; None for a new one."""
    if child.member is not None:
        return child.member.name
    return None if child.has_key else _own_name(child)


def _own_name(child: Field) -> str:
    """The name of a member that the schema names."""
    if child.member is not None:
        return child.member.name
    return decoded(child.name.rpartition("/")[2])


def _twice(around: str | None, name: str) -> Finding:
    at = f"{around or ''}/{escape_token(name)}"
    message = f"the member {preview(name)} is there twice"
    return Finding("json.duplicate-member", at, "", message, "choose another name")


# Order


def _in_order(field: Field, original: Element | None, present: list[Field]) -> list[Field | Member]:
    """The members in their order: fields, and members of the text that no field is made for."""
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
    return _with_new(ordered, present)


def _with_new(ordered: list[Field | Member], present: list[Field]) -> list[Field | Member]:
    """The same with the new ones, each behind the one that the form shows before it."""
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
