"""`merge`: the edits that two people made to the same JSON text, in one text.

`base` is the text that both began with, `mine` and `theirs` are what they made of it. An edit that
only one of them made is taken; where both did, and the results differ, there is a conflict. The
result is an edit of `theirs`, whose bytes stay wherever nothing of mine comes in. Another spelling
of the same value is not an edit of theirs.

Items of arrays are the same if their origin says so, or else if they are equal or similar; they can
be added, removed and moved by both. New ones come after the item that was before them. The order of
the items is one place: only one of the two can change it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple

from widgetschema.jsontext.digests import value_digests
from widgetschema.jsontext.rewriting import Items, Keep, Members, NewMember, Node, Raw
from widgetschema.jsontext.tree import Element, Member
from widgetschema.lazy import names_successors
from widgetschema.pointers import escape_token, parse_pointer

Side = Literal["mine", "theirs"]


class Origin(NamedTuple):
    """The container that a container was, and which of its children the children were.

    `children` are indices of items, or names of members; None for new ones.
    """

    container: Element
    children: tuple[int | str | None, ...]


Origins = Mapping[int, Origin]  # by the `id` of a container

_MAX_PAIRS: Final = 40_000  # of objects whose members are compared
_MAX_COMPARISONS: Final = 10_000  # of items, for the longest order that two arrays have in common
_LEAST_ALIKE: Final = 0.5  # of the members of two objects


@names_successors
@dataclass(frozen=True)
class ConcurrentEdit:
    """A place that somebody else edited meanwhile.

    Attributes:
        path: The JSON Pointer of the place, in the text from before.
        base: The JSON text from before; None if there was no value.
        mine: The JSON text of your edit; None if you removed it.
        theirs: The JSON text of the other edit; None if it was removed. If somebody renamed members
            of an object, all three are objects with these members only, and the path is that of
            the first one.
        is_order: True if it is the order of the items of an array.
        is_secret: True if the values are secrets, or hold some: show none of them.
    """

    path: str
    base: str | None = field(repr=False)
    mine: str | None = field(repr=False)
    theirs: str | None = field(repr=False)
    is_order: bool = False
    is_secret: bool = False


@dataclass(frozen=True, eq=False)
class Merge:
    """The result: `conflicts`, and `changes`, the edits of theirs that were merged.

    `node` is the edit of theirs that brings in mine, also where there are conflicts. `rest` is the
    edit of theirs in which every place of a conflict is as it was in the base, so that merging
    `node` into theirs with `rest` as the base gives the same conflicts and nothing else. Both are
    None if there is no value.
    """

    conflicts: tuple[ConcurrentEdit, ...]
    changes: tuple[ConcurrentEdit, ...]
    node: Node | None
    rest: Node | None
    root: _Place

    def path_of(self, mine: str) -> str | None:
        """Return the JSON Pointer in the result for one into mine; None if it is not there."""
        place: _Place | None = self.root
        tokens = parse_pointer(mine)
        found: list[str] = []
        while place is not None and place.kind in ("object", "array") and tokens:
            token = tokens.pop(0)
            child = place.children_of_mine.get(token, -1)
            if place.kind == "array" and child not in place.positions:
                return None
            found.append(str(place.positions[child]) if place.kind == "array" else token)
            place = None if child < 0 else place.children[child]
        if place is not None and place.kind == "theirs":
            if place.is_mine_changed or (tokens and place.is_theirs_changed):
                return None
        return "".join(f"/{escape_token(token)}" for token in [*found, *tokens])

    def unchanged_in_rest(self, mine: str) -> dict[str, str]:
        """Return the places in the rest of the unchanged children of a container of the base.

        `mine` is the JSON Pointer of the container in mine. The children are by their reference
        tokens in the base; those that theirs changed are not among them.
        """
        place: _Place | None = self.root
        for token in parse_pointer(mine):
            at = None if place is None else place.children_of_mine.get(token)
            place = None if place is None or at is None else place.children[at]
        if place is None or place.base is None or place.kind not in ("object", "array"):
            return {}
        kept = [
            (at, child)
            for at, child in enumerate(place.children)
            if child.base is not None
            and (child.kind == "conflict" or _is_same_text(child.base, child.theirs))
        ]
        if place.kind == "object":
            return {child.former_name: child.former_name for _, child in kept}
        known = place.rest_positions  # the items of the base are the first children
        return {str(at): str(known[at]) for at, _ in kept if at in known}

    def conflict_paths_in_rest(self) -> dict[str, str]:
        """Return the JSON Pointers in the rest of the places of conflicts, by those in the base."""
        found: dict[str, str] = {}
        todo = [("", self.root)]
        while todo:
            pointer, place = todo.pop()
            if "conflict" in (place.kind, place.order_of):
                found[place.path] = pointer
            if place.kind == "object":
                tokens = {child: child.former_name for child in place.children}
            elif place.kind == "array":
                known = place.rest_positions.items()
                tokens = {place.children[child]: str(at) for child, at in known}
            else:
                continue
            todo += [(f"{pointer}/{escape_token(it)}", child) for child, it in tokens.items()]
        return found

    def tokens_in_rest(self) -> dict[str, dict[str, str]]:
        """Return the children of the containers of the result, each with the one of the rest.

        They are by the JSON Pointer of the container; children by their reference tokens.
        """
        found: dict[str, dict[str, str]] = {}
        for pointer, place in self._places():
            if place.kind == "object":
                was = (
                    (child.name, child.former_name if child.kind == "theirs" else child.origin)
                    for child in place.children
                )
                found[pointer] = {name: other for name, other in was if other is not None}
            elif place.kind == "array":
                known = place.rest_positions
                found[pointer] = {
                    str(at): str(known[child])
                    for child, at in place.positions.items()
                    if child in known
                }
        return found

    def overruled(self) -> list[tuple[str, Element | None, Element]]:
        """Return the values of mine that do not hold, with their places, and those of the base.

        The places are JSON Pointers into the result.
        """
        return [
            (pointer, place.base, place.mine)
            for pointer, place in self._places()
            if place.kind == "theirs" and place.is_mine_changed and place.mine is not None
        ]

    def _places(self) -> Iterator[tuple[str, _Place]]:
        """Yield all places of the result, with their JSON Pointers."""
        todo = [("", self.root)]
        while todo:
            pointer, place = todo.pop()
            yield pointer, place
            if place.kind == "object":
                todo += [
                    (f"{pointer}/{escape_token(child.name)}", child) for child in place.children
                ]
            elif place.kind == "array":
                known = place.positions.items()
                todo += [(f"{pointer}/{at}", place.children[child]) for child, at in known]


@dataclass(eq=False)
class _Place:
    """A place in all three texts; `kind` is "theirs", "mine" or "conflict", or a container's."""

    path: str
    base: Element | None
    mine: Element | None
    theirs: Element | None
    mine_path: str | None
    theirs_member: Member | None = None
    name: str = ""  # of a member
    former_name: str = ""  # the same, in theirs and in the base
    origin: str | None = None  # the name in the base of the member that mine has there
    kind: str = ""
    is_mine_changed: bool = False
    is_theirs_changed: bool = False
    children: list[_Place] = field(default_factory=list)
    children_of_mine: dict[str, int] = field(default_factory=dict)
    order: dict[str, list[int]] = field(default_factory=dict)  # of children, in each text
    order_of: str = "theirs"  # the text that decides: "theirs", "mine" or "conflict"
    positions: dict[int, int] = field(default_factory=dict)  # of children in the result
    rest_positions: dict[int, int] = field(default_factory=dict)  # the same in the rest


Choose = Callable[[ConcurrentEdit], Side | None]


def merge(
    base: Element,
    mine: Element,
    theirs: Element,
    *,
    origins: Origins | None = None,
    positions: Mapping[int, int] | None = None,
    typed: Mapping[str, str] | None = None,
    choose: Choose = lambda _: None,
) -> Merge:
    """Return the merge of two edited values.

    Args:
        base: The value that both began with.
        mine: The value with my edits.
        theirs: The value with their edits.
        origins: What is known about the children of containers in `mine`.
        positions: How many items of arrays in `base` have a meaning by their index, by the `id` of
            the array.
        typed: Texts that were typed and could not be read, by the JSON Pointer in `mine`: they
            count as edits.
        choose: Decides a conflict, or returns None to leave it open.
    """
    roots = (base, mine, theirs)
    return _Merger(roots, origins or {}, positions or {}, typed or {}, choose).merge()


class _Merger:
    def __init__(
        self,
        roots: tuple[Element, Element, Element],
        origins: Origins,
        positions: Mapping[int, int],
        typed: Mapping[str, str],
        choose: Choose,
    ) -> None:
        self.digests: dict[int, str] = {}
        for one in roots:
            self.digests.update(value_digests(one))
        self.origins = origins
        self.positions = positions
        self.typed = typed
        self.choose = choose
        self.conflicts: list[ConcurrentEdit] = []
        self.changes: list[ConcurrentEdit] = []
        self.root = _Place("", *roots, "")

    def merge(self) -> Merge:
        """Return the merge."""
        places: list[_Place] = []
        todo = [self.root]
        while todo:
            place = todo.pop()
            places.append(place)
            self._decide(place)
            todo.extend(reversed(place.children))
        nodes: dict[int, Node | None] = {}
        rests: dict[int, Node | None] = {}
        for place in reversed(places):
            nodes[id(place)] = _node(place, nodes, is_rest=False)
            rests[id(place)] = _node(place, rests, is_rest=True)
        node, rest = nodes[id(self.root)], rests[id(self.root)]
        return Merge(tuple(self.conflicts), tuple(self.changes), node, rest, self.root)

    # Each place

    def _decide(self, place: _Place) -> None:
        if place.kind:
            return
        base, mine, theirs = place.base, place.mine, place.theirs
        place.is_mine_changed = self._is_mine_changed(place)
        if self._are_containers(base, mine, theirs) and mine is not None and theirs is not None:
            if mine.kind == "object":
                self._decide_object(place, base, mine, theirs)
                return
            if base is not None and self._decide_array(place, base, mine, theirs):
                return
        place.is_theirs_changed = not self._is_same(base, theirs)
        if place.is_mine_changed and place.is_theirs_changed:
            if self._is_same(mine, theirs) and place.mine_path not in self.typed:
                place.kind, place.is_mine_changed = "theirs", False
                return
            place.kind = self._conflict(self._edit(place))
            if place.kind == "mine" and theirs is not None and self._is_same(base, mine):
                place.mine = theirs  # what was typed, and is no value, is to stand there
            return
        respelled = base is not None and mine is not None and base.raw != mine.raw
        is_mine = place.is_mine_changed or (respelled and not place.is_theirs_changed)
        place.kind = "mine" if is_mine else "theirs"
        if place.is_theirs_changed:
            self.changes.append(self._edit(place))

    def _are_containers(
        self, base: Element | None, mine: Element | None, theirs: Element | None
    ) -> bool:
        """Return True if the edits inside of a place can be merged one by one."""
        if mine is None or theirs is None or mine.kind != theirs.kind:
            return False
        if base is None:
            return mine.kind == "object" and not self._is_same(mine, theirs)
        return base.kind == mine.kind and mine.kind in ("object", "array")

    def _is_same(self, one: Element | None, other: Element | None) -> bool:
        if one is None or other is None:
            return one is other
        return self.digests[id(one)] == self.digests[id(other)]

    def _is_mine_changed(self, place: _Place) -> bool:
        return place.mine_path in self.typed or not self._is_same(place.base, place.mine)

    def _edit(self, place: _Place, *, is_order: bool = False) -> ConcurrentEdit:
        mine = None if place.mine is None else place.mine.dedented
        mine = self.typed.get(place.mine_path, mine) if place.mine_path is not None else mine
        base, theirs = (None if one is None else one.dedented for one in (place.base, place.theirs))
        return ConcurrentEdit(place.path, base, mine, theirs, is_order)

    def _conflict(self, edit: ConcurrentEdit) -> str:
        """Return who counts: "mine", "theirs", or "conflict" if that is not decided."""
        chosen = self.choose(edit)
        if chosen is None:
            self.conflicts.append(edit)
            return "conflict"
        return chosen

    # Objects

    def _decide_object(
        self, place: _Place, base: Element | None, mine: Element, theirs: Element
    ) -> None:
        """Decide about the members of an object.

        A member with another name in mine is the same one if that name is free, and theirs has it
        under the old one. All other members that a rename joins are decided together.
        """
        place.kind = "object"
        before = () if base is None else base.members
        known = {member.name for member in before}
        origins: Sequence[int | str | None] = [*_names(mine.members)]
        origins = self._origins(base, mine) or origins
        came = {
            member.name: str(origin) if origin in known else None
            for member, origin in zip(mine.members, origins, strict=True)
        }
        moved = {was: now for now, was in came.items() if was is not None and was != now}
        taken = known | {*_names(theirs.members)}
        new_names = {
            was: now
            for was, now in moved.items()
            if now not in taken and theirs.member(was) and not mine.member(was)
        }
        former_names = {now: was for was, now in new_names.items()}
        order = [former_names.get(name, name) for name in came]
        at: dict[str, int] = {}
        for name in dict.fromkeys([*_names(before), *_names(theirs.members), *order]):
            at[name] = len(place.children)
            now = new_names.get(name, name)
            place.children.append(self._member_place(place, base, mine, theirs, name, now))
        others = [pair for pair in moved.items() if pair[0] not in new_names]
        for names in _joined([*self._renamed(before, theirs), *others]):
            children = [place.children[child] for child in sorted(map(at.__getitem__, names))]
            for child in children:
                child.origin = came.get(child.name)
            self._decide_together(children)
        place.order["theirs"] = [at[member.name] for member in theirs.members]
        place.order["mine"] = [at[name] for name in order]
        place.order["base"] = [at[member.name] for member in before]
        place.children_of_mine = {now: at[name] for now, name in zip(came, order, strict=True)}

    def _renamed(self, before: Sequence[Member], theirs: Element) -> list[tuple[str, str]]:
        """Return the members that have another name in theirs, if that is unmistakable."""
        gone, come = (
            {(one.name, self.digests[id(one.element)]) for one in members}
            for members in (before, theirs.members)
        )
        gone, come = gone - come, come - gone
        of_gone, of_come = (Counter(digest for _, digest in one) for one in (gone, come))
        names = {digest: name for name, digest in come if of_come[digest] == 1}
        return [
            (name, names[digest])
            for name, digest in sorted(gone)
            if of_gone[digest] == 1 and digest in names
        ]

    def _member_place(
        self,
        place: _Place,
        base: Element | None,
        mine: Element,
        theirs: Element,
        name: str,
        now: str,
    ) -> _Place:
        """Return the place of a member; `now` is its name in mine."""
        known = None if base is None else base.member(name)
        my, their = mine.member(now), theirs.member(name)
        mine_path = None
        if my is not None and place.mine_path is not None:
            mine_path = f"{place.mine_path}/{escape_token(now)}"
        return _Place(
            f"{place.path}/{escape_token(name)}",
            None if known is None else known.element,
            None if my is None else my.element,
            None if their is None else their.element,
            mine_path,
            their,
            now,
            name,
            name,
        )

    def _decide_together(self, places: Sequence[_Place]) -> None:
        """Decide about members that a rename joins: all are as one of the two texts has them."""
        edits = [(one.name, self._edit(one)) for one in places]
        edit = ConcurrentEdit(
            places[0].path,
            _named((name, one.base) for name, one in edits),
            _named((name, one.mine) for name, one in edits),
            _named((name, one.theirs) for name, one in edits),
        )
        is_typed = any(one.mine_path in self.typed for one in places)
        is_agreed = all(self._is_same(one.mine, one.theirs) for one in places) and not is_typed
        is_mine_changed = not is_agreed and any(map(self._is_mine_changed, places))
        is_theirs_changed = not all(self._is_same(one.base, one.theirs) for one in places)
        kind = "mine" if is_mine_changed else "theirs"
        if is_mine_changed and is_theirs_changed:
            kind = self._conflict(edit)
        elif is_theirs_changed and not is_agreed:
            self.changes.append(edit)
        for one in places:
            one.kind = kind
            one.is_mine_changed, one.is_theirs_changed = is_mine_changed, is_theirs_changed

    # Arrays

    def _decide_array(self, place: _Place, base: Element, mine: Element, theirs: Element) -> bool:
        """Decide about the items of an array; return False if they cannot be told apart."""
        fixed = self.positions.get(id(base), 0)
        if not self._keep_positions(fixed, base, mine, theirs):
            return False
        known = self._origins(base, mine)
        in_mine = (
            _aligned_items(base, mine, fixed, self.digests)
            if known is None
            else [
                at if at < fixed else one if isinstance(one, int) and one >= fixed else None
                for at, one in enumerate(known)
            ]
        )
        in_theirs = _aligned_items(base, theirs, fixed, self.digests)
        place.kind = "array"
        mine_at = {origin: at for at, origin in enumerate(in_mine) if origin is not None}
        theirs_at = {origin: at for at, origin in enumerate(in_theirs) if origin is not None}
        for at in range(1 + max((len(base.items) - 1, *mine_at, *theirs_at))):
            self._add_item(place, base, at, mine_at.get(at), theirs_at.get(at), mine, theirs)
        pairs = self._same_new_items(mine, theirs, in_mine, in_theirs)
        mine_children = dict(zip(mine_at.values(), mine_at, strict=True))
        theirs_children = dict(zip(theirs_at.values(), theirs_at, strict=True))
        for at in range(len(theirs.items)):
            if at not in theirs_children:
                theirs_children[at] = len(place.children)
                twin = pairs.get(at)
                self._add_item(place, base, None, twin, at, mine, theirs)
                if twin is not None:
                    mine_children[twin] = theirs_children[at]
        for at in range(len(mine.items)):
            if at not in mine_children:
                mine_children[at] = len(place.children)
                self._add_item(place, base, None, at, None, mine, theirs)
        place.order["theirs"] = [theirs_children[at] for at in range(len(theirs.items))]
        place.order["mine"] = [mine_children[at] for at in range(len(mine.items))]
        place.order["base"] = [*range(len(base.items))]
        place.children_of_mine = {str(at): child for at, child in mine_children.items()}
        self._decide_order(place, mine_at.keys() & theirs_at.keys())
        return True

    def _keep_positions(self, fixed: int, *arrays: Element) -> bool:
        """Return True if items by position can be merged: no item of one gets another position."""
        shortest = min(fixed, *(len(one.items) for one in arrays))
        if shortest == fixed:
            return True
        base, *edited = ([self.digests[id(it)] for it in one.items[shortest:]] for one in arrays)
        return edited[0] == edited[1] or base in edited

    def _add_item(
        self,
        place: _Place,
        base: Element,
        at: int | None,
        mine_at: int | None,
        theirs_at: int | None,
        mine: Element,
        theirs: Element,
    ) -> None:
        index = next(one for one in (at, theirs_at, mine_at) if one is not None)
        is_known = mine_at is not None and place.mine_path is not None
        place.children.append(
            _Place(
                f"{place.path}/{index}",
                base.items[at] if at is not None and at < len(base.items) else None,
                None if mine_at is None else mine.items[mine_at],
                None if theirs_at is None else theirs.items[theirs_at],
                f"{place.mine_path}/{mine_at}" if is_known else None,
            )
        )

    def _decide_order(self, place: _Place, shared: Container[int]) -> None:
        """Decide whose order of the items that were there holds."""
        mine = [child for child in place.order["mine"] if child in shared]
        theirs = [child for child in place.order["theirs"] if child in shared]
        if mine == theirs or mine == sorted(mine):
            if theirs != sorted(theirs):
                self.changes.append(self._edit(place, is_order=True))
            return
        place.order_of = "mine"
        if theirs != sorted(theirs):
            place.order_of = self._conflict(self._edit(place, is_order=True))

    def _same_new_items(
        self,
        mine: Element,
        theirs: Element,
        in_mine: Sequence[int | None],
        in_theirs: Sequence[int | None],
    ) -> dict[int, int]:
        """Return the new items that both added after the same item: theirs, and mine."""
        added: dict[tuple[int | None, str], list[int]] = defaultdict(list)
        for at, before in _new_items(in_mine):
            added[before, self.digests[id(mine.items[at])]].append(at)
        found: dict[int, int] = {}
        for at, before in _new_items(in_theirs):
            same = added.get((before, self.digests[id(theirs.items[at])]))
            if same:
                found[at] = same.pop(0)
        return found

    def _origins(self, base: Element | None, mine: Element) -> tuple[int | str | None, ...] | None:
        """Return the origins of the children of a container; None if they are unknown."""
        known = self.origins.get(id(mine))
        return None if known is None or known.container is not base else known.children


def _names(members: Iterable[Member]) -> Iterator[str]:
    """Yield the names of members."""
    return (member.name for member in members)


def _joined(pairs: Iterable[tuple[str, str]]) -> Iterable[set[str]]:
    """Return the names that are joined by pairs, directly or through others."""
    group_of: dict[str, set[str]] = {}
    for pair in pairs:
        smaller, larger = sorted((group_of.setdefault(one, {one}) for one in pair), key=len)
        larger |= smaller
        group_of.update(dict.fromkeys(smaller, larger))
    return {id(group): group for group in group_of.values()}.values()


def _new_items(origins: Sequence[int | None]) -> Iterator[tuple[int, int | None]]:
    """Yield the indices of new items, each with the origin of the item before it."""
    before: int | None = None
    for index, origin in enumerate(origins):
        if origin is None:
            yield index, before
        else:
            before = origin


# What is the same item


def origins_of(node: Node, element: Element, *, whole: bool = False) -> Origins:
    """Return the origins in the text that `node` edits; `element` is the result of the edit.

    Those of what is kept as it is are among them if the `whole` is asked for. In the result, other
    values may stand for those that were made, such as placeholders.
    """
    found: dict[int, Origin] = {}
    todo = [(node, element)]
    while todo:
        one, made = todo.pop()
        if isinstance(one, Items) and made.kind == "array":
            items = () if one.original is None else one.original.items
            index = {id(item): at for at, item in enumerate(items)}
            # What was copied is there twice: the first one is the item itself.
            children: list[int | str | None] = [
                index.pop(id(_origin(item)), None) for item in one.items
            ]
            todo += zip(one.items, made.items, strict=True)
        elif isinstance(one, Members) and made.kind == "object":
            originals = (member.original for member in one.members)
            children = [None if known is None else known.name for known in originals]
            nodes = (member.node for member in one.members)
            todo += zip(nodes, (member.element for member in made.members), strict=True)
        elif isinstance(one, Keep) and whole and one.element.kind == made.kind:
            kept = one.element
            found[id(made)] = Origin(
                kept, (*range(len(kept.items)), *(member.name for member in kept.members))
            )
            below = [*kept.items, *(member.element for member in kept.members)]
            below_made = [*made.items, *(member.element for member in made.members)]
            todo += [(Keep(was), now) for was, now in zip(below, below_made, strict=True)]
            continue
        else:
            continue
        if one.original is not None:
            found[id(made)] = Origin(one.original, tuple(children))
    return found


def origins_through(later: Origins, earlier: Origins) -> Origins:
    """Return the origins of two edits in succession; `earlier` are all of the first one."""
    found: dict[int, Origin] = {}
    for made, (container, children) in later.items():
        was = earlier.get(id(container))
        if was is None:
            continue
        if container.kind == "array":
            tokens: list[int | str | None] = [
                was.children[child] if type(child) is int and child < len(was.children) else None
                for child in children
            ]
        else:
            known = dict(zip((one.name for one in container.members), was.children, strict=True))
            tokens = [known.get(str(child)) if child is not None else None for child in children]
        found[made] = Origin(was.container, tuple(tokens))
    return found


def _origin(node: Node) -> Element | None:
    return node.element if isinstance(node, Keep) else node.original


def aligned_items(base: Element, other: Element) -> list[int | None]:
    """Return for each item of an array the index of the item that it was in `base`, if any."""
    return _aligned_items(base, other, 0, {**value_digests(base), **value_digests(other)})


def _aligned_items(
    base: Element, other: Element, fixed: int, digests: Mapping[int, str]
) -> list[int | None]:
    """Return for each item of an array the index of the item that it was in `base`.

    The first ones are `fixed` by their position. Of the rest, equal items are the same, in their
    order; of the others, objects with mostly the same members, and those that stand alone between
    the same neighbours.
    """
    before, now = base.items[fixed:], other.items[fixed:]
    found = _equal_items(*([digests[id(item)] for item in items] for items in (before, now)))
    _align_similar(before, now, digests, found)
    _align_neighbours(before, found)
    rest = (None if at is None else fixed + at for at in found)
    return [*range(min(fixed, len(other.items))), *rest]


def _equal_items(base: Sequence[str], other: Sequence[str]) -> list[int | None]:
    """Return for each item the index of an equal one: in the same order, then those that moved."""
    found: list[int | None] = [None] * len(other)
    pairs = [*zip(base, other, strict=False)]
    same_index = [at for at, (one, item) in enumerate(pairs) if one == item]
    head = next((at for at, (one, item) in enumerate(pairs) if one != item), len(pairs))
    tail = 0
    while tail < len(pairs) - head and base[-1 - tail] == other[-1 - tail]:
        tail += 1
    rows, columns = len(base) - head - tail, len(other) - head - tail
    blocks = [(0, 0, head), (len(base) - tail, len(other) - tail, tail)]
    if rows * columns <= _MAX_COMPARISONS:
        middle = SequenceMatcher(
            None, base[head : head + rows], other[head : head + columns], autojunk=False
        )
        blocks += [(head + one, head + at, size) for one, at, size in middle.get_matching_blocks()]
    if len(base) == len(other) and len(same_index) >= sum(size for *_, size in blocks):
        blocks = [(at, at, 1) for at in same_index]
    for one, at, size in blocks:
        found[at : at + size] = range(one, one + size)
    known = frozenset(found)
    equal: dict[str, list[int]] = defaultdict(list)
    for one in reversed(range(len(base))):
        if one not in known:
            equal[base[one]].append(one)
    for at, item in enumerate(other):
        if found[at] is None and equal[item]:
            found[at] = equal[item].pop()
    return found


def _align_similar(
    base: Sequence[Element],
    other: Sequence[Element],
    digests: Mapping[int, str],
    found: list[int | None],
) -> None:
    """Align objects with mostly the same members, the most similar ones first."""
    known = frozenset(found)
    left = [at for at, item in enumerate(base) if at not in known and item.kind == "object"]
    new = [at for at, item in enumerate(other) if found[at] is None and item.kind == "object"]
    if len(left) * len(new) > _MAX_PAIRS:
        return
    pairs = [
        (-_alike(base[one], other[at], digests), abs(one - at), one, at)
        for one in left
        for at in new
    ]
    used: set[int] = set()
    for _, _, one, at in sorted(pair for pair in pairs if -pair[0] >= _LEAST_ALIKE):
        if found[at] is None and one not in used:
            found[at] = one
            used.add(one)


def _alike(one: Element, other: Element, digests: Mapping[int, str]) -> float:
    """Return the share of equal members in two objects."""
    most = max(len(one.members), len(other.members))
    same = 0
    for member in one.members:
        found = other.member(member.name)
        same += found is not None and digests[id(member.element)] == digests[id(found.element)]
    return same / most if most else 0.0


def _align_neighbours(base: Sequence[Element], found: list[int | None]) -> None:
    """Align as many items as are left after the same neighbour, if there are as many in both."""
    known = frozenset(found)
    left: dict[int | None, list[int]] = defaultdict(list)
    before: int | None = None
    for at in range(len(base)):
        if at in known:
            before = at
        else:
            left[before].append(at)
    new: dict[int | None, list[int]] = defaultdict(list)
    for at, before in _new_items(found):
        new[before].append(at)
    for before, items in new.items():
        if len(items) == len(left.get(before, ())):
            for at, one in zip(items, left[before], strict=True):
                found[at] = one


def _named(members: Iterable[tuple[str, str | None]]) -> str | None:
    """Return the JSON text of an object with these members, by names and texts; None for none."""
    there = ((name, raw) for name, raw in members if raw is not None)
    parts = [f"{json.dumps(name, ensure_ascii=False)}: {raw}" for name, raw in there]
    return f"{{{', '.join(parts)}}}" if parts else None


# What comes of it


def _is_same_text(base: Element, theirs: Element | None) -> bool:
    return theirs is not None and base.dedented == theirs.dedented


def _node(place: _Place, nodes: dict[int, Node | None], *, is_rest: bool) -> Node | None:
    if place.kind == "object":
        return _members(place, nodes, is_rest=is_rest)
    if place.kind == "array":
        return _items(place, nodes, is_rest=is_rest)
    element = place.theirs
    if place.kind == "conflict":
        element = place.base if is_rest else place.mine
    elif place.kind == "mine" and not is_rest:
        element = place.mine
    if element is place.theirs:
        return None if element is None else Keep(element)
    return None if element is None else Raw(element.dedented, place.theirs)


def _members(place: _Place, nodes: dict[int, Node | None], *, is_rest: bool) -> Node:
    found = []
    for at in _sequence(place, nodes, "theirs", "mine", "base"):
        child = place.children[at]
        node = nodes[id(child)]
        assert node is not None
        name = child.former_name if is_rest else child.name
        found.append(NewMember(name, node, child.theirs_member))
    return Members(tuple(found), place.theirs)


def _items(place: _Place, nodes: dict[int, Node | None], *, is_rest: bool) -> Node:
    first = place.order_of
    if first == "conflict":
        first = "base" if is_rest else "mine"
    elif is_rest:
        first = "theirs"
    others = [name for name in ("theirs", "mine", "base") if name != first]
    order = _sequence(place, nodes, first, *others)
    positions = {child: at for at, child in enumerate(order)}
    if is_rest:
        place.rest_positions = positions
    else:
        place.positions = positions
    items = (nodes[id(place.children[at])] for at in order)
    return Items(tuple(node for node in items if node is not None), place.theirs)


def _sequence(place: _Place, nodes: dict[int, Node | None], first: str, *others: str) -> list[int]:
    """Return the children that there are: those of the first order, then those of the others.

    A child of another order comes after the one that is before it there.
    """
    there = {at for at, child in enumerate(place.children) if nodes[id(child)] is not None}
    start = -1
    following: dict[int, int] = {}
    last = start
    for at in place.order[first]:
        if at in there:
            following[last] = last = at
    placed = {start, *following.values()}
    own = placed.difference(*(place.order[other] for other in others))
    for other in others:
        before = start
        for at in place.order[other]:
            if at in there and at not in placed:
                while following.get(before) in own:  # what the first one added there
                    before = following[before]
                if before in following:
                    following[at] = following[before]
                following[before] = at
                placed.add(at)
            if at in placed:
                before = at
    found = []
    at = start
    while at in following:
        at = following[at]
        found.append(at)
    return found
