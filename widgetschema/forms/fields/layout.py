"""Arrange the members of an object in groups and tabs, as a UI description says.

Nothing is left out: a member that is in no group and no tab stands where it would without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from widgetschema.forms.model import Group, UiOptions

Item = TypeVar("Item")


class GroupedItems(NamedTuple, Generic[Item]):
    """A group with its members; `number` is its index in the description."""

    group: Group
    number: int
    items: tuple[Item, ...]


class TabbedItems(NamedTuple, Generic[Item]):
    """A tab: its label, its index in the description, and the members and groups in it."""

    label: str
    number: int
    parts: tuple[Item | GroupedItems[Item], ...]


class Arrangement(NamedTuple, Generic[Item]):
    """The members of an object: `parts` above the `tabs`, if there are any."""

    parts: tuple[Item | GroupedItems[Item], ...]
    tabs: tuple[TabbedItems[Item], ...] = ()


def arrange(ui: UiOptions, members: Mapping[str, Item]) -> Arrangement[Item]:
    """Return the members of an object, by their names, in their groups and tabs."""
    if not (ui.groups or ui.tabs):
        return Arrangement(tuple(members.values()))
    tabs, placed = [], set[str]()
    for number, tab in enumerate(ui.tabs):
        names = [name for name in tab.members if name in members]
        placed.update(names)
        parts = _in_groups(ui.groups, names, members)
        if parts:
            tabs.append(TabbedItems(tab.label, number, parts))
    above = [name for name in members if name not in placed]
    return Arrangement(_in_groups(ui.groups, above, members), tuple(tabs))


def _in_groups(
    groups: Sequence[Group], names: Sequence[str], members: Mapping[str, Item]
) -> tuple[Item | GroupedItems[Item], ...]:
    """Return these members, with each group in the place of its first member."""
    group_of = {name: number for number, group in enumerate(groups) for name in group.members}
    here = frozenset(names)
    parts: list[Item | GroupedItems[Item]] = []
    done: set[int] = set()
    for name in names:
        number = group_of.get(name)
        if number is None:
            parts.append(members[name])
        elif number not in done:
            done.add(number)
            group = groups[number]
            items = tuple(members[one] for one in group.members if one in here)
            parts.append(GroupedItems(group, number, items))
    return tuple(parts)


def items_of(parts: Sequence[Item | GroupedItems[Item]]) -> tuple[Item, ...]:
    """Return the members in parts, those in groups too."""
    found: list[Item] = []
    for part in parts:
        if isinstance(part, GroupedItems):
            found += part.items
        else:
            found.append(part)
    return tuple(found)
