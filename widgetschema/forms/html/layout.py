"""Arrange the members of an object in groups and tabs, as a UI description says. No markup is made.

Nothing is left out: a member that is in no group and no tab stands where it would without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from widgetschema.forms.control_names import decode_token
from widgetschema.forms.model import Field, Group


class GroupedFields(NamedTuple):
    """A group with the fields of its members; `id` is that of its element."""

    group: Group
    id: str
    fields: tuple[Field, ...]


class TabbedFields(NamedTuple):
    """A tab: its label, the id of its element, and the fields and groups in it."""

    label: str
    id: str
    parts: tuple[Field | GroupedFields, ...]


class Arrangement(NamedTuple):
    """The members of an object: `parts` above the `tabs`, if there are any."""

    parts: tuple[Field | GroupedFields, ...]
    tabs: tuple[TabbedFields, ...] = ()


def arrange(holder: Field, members: Sequence[Field]) -> Arrangement:
    """Return the members that the schema names of an object in their groups and tabs."""
    ui = holder.shape.ui
    if not (ui.groups or ui.tabs):
        return Arrangement(tuple(members))
    by_name = {decode_token(field.name.rpartition("/")[2]): field for field in members}
    tabs, placed = [], set[str]()
    for number, tab in enumerate(ui.tabs):
        names = [name for name in tab.members if name in by_name]
        placed.update(names)
        parts = _in_groups(holder, names, by_name)
        if parts:
            tabs.append(TabbedFields(tab.label, f"{holder.id}:tab{number}", parts))
    above = [name for name in by_name if name not in placed]
    return Arrangement(_in_groups(holder, above, by_name), tuple(tabs))


def _in_groups(
    holder: Field, names: Sequence[str], by_name: dict[str, Field]
) -> tuple[Field | GroupedFields, ...]:
    """Return these members, with each group in the place of its first member."""
    groups, here = holder.shape.ui.groups, frozenset(names)
    group_of = {name: number for number, group in enumerate(groups) for name in group.members}
    parts: list[Field | GroupedFields] = []
    done: set[int] = set()
    for name in names:
        number = group_of.get(name)
        if number is None:
            parts.append(by_name[name])
        elif number not in done:
            done.add(number)
            group = groups[number]
            fields = tuple(by_name[one] for one in group.members if one in here)
            parts.append(GroupedFields(group, f"{holder.id}:group{number}", fields))
    return tuple(parts)


def fields_of(parts: Sequence[Field | GroupedFields]) -> tuple[Field, ...]:
    """Return the fields of parts, those in groups too."""
    return tuple(
        field for part in parts for field in ((part,) if isinstance(part, Field) else part.fields)
    )
