"""Two people edit the same data: both edits hold, and where they overlap, a person chooses.

The expectation never comes from the code that merges: of texts, it is drawn together with the
edits; of forms, it is what one person would get who made both edits.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from tests.browsing import Pairs, entries
from tests.effort import scaled
from tests.laid_out import texts
from tests.posting import as_shown as controls_of
from tests.posting import cases, shape_of
from tests.properties.test_forms_lossless import Post, editable, edits
from widgetschema import Form, StaleForm
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.control_names import TEXT
from widgetschema.forms.model import NUMBER_KINDS
from widgetschema.jsontext import dump
from widgetschema.jsontext.merging import ConcurrentEdit, Merge, Origin, Origins, Side, merge
from widgetschema.jsontext.rewriting import rewrite
from widgetschema.jsontext.tree import Element, parse

# The same lines, thousands of times: a tracer would only double the time.
Json = Any
SETTINGS: Final = settings(
    max_examples=scaled(80), suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
NOTHING: Final = object()  # no value


@dataclass(frozen=True)
class Edited:
    """A value in three texts, what both edits together give, and where they overlap."""

    base: Json
    mine: Json
    theirs: Json
    both: Json
    conflicts: frozenset[str] = frozenset()

    @property
    def is_mine(self) -> bool:
        return self.mine is not self.base and self.mine != self.base

    @property
    def is_theirs(self) -> bool:
        return self.theirs is not self.base and self.theirs != self.base


def untouched(value: Json) -> Edited:
    return Edited(value, value, value, value)


@st.composite
def scalars(draw: st.DrawFn, path: str) -> Edited:
    base = f"old {path}"
    mine, theirs = f"mine {path}", f"theirs {path}"
    same = Edited(base, mine, mine, mine)
    conflict = Edited(base, mine, theirs, mine, frozenset([path]))
    return draw(
        st.sampled_from(
            [
                untouched(base),
                untouched(base),
                Edited(base, mine, base, mine),
                Edited(base, base, theirs, theirs),
                same,
                conflict,
            ]
        )
    )


@st.composite
def removed(draw: st.DrawFn, inner: Edited, path: str) -> Edited:
    """A value that somebody may have removed."""
    who = draw(st.sampled_from(["nobody", "nobody", "mine", "theirs", "both"]))
    if who == "nobody":
        return inner
    mine = inner.mine if who == "theirs" else NOTHING
    theirs = inner.theirs if who == "mine" else NOTHING
    if who == "mine" and inner.is_theirs:
        return Edited(inner.base, mine, theirs, NOTHING, frozenset([path]))
    if who == "theirs" and inner.is_mine:
        return Edited(inner.base, mine, theirs, inner.mine, frozenset([path]))
    return Edited(inner.base, mine, theirs, NOTHING)


@st.composite
def added(draw: st.DrawFn, path: str) -> Edited:
    mine, theirs = f"mine {path}", f"theirs {path}"
    return draw(
        st.sampled_from(
            [
                Edited(NOTHING, mine, NOTHING, mine),
                Edited(NOTHING, NOTHING, theirs, theirs),
                Edited(NOTHING, mine, mine, mine),
                Edited(NOTHING, mine, theirs, mine, frozenset([path])),
            ]
        )
    )


@st.composite
def objects(draw: st.DrawFn, path: str, depth: int) -> Edited:
    members: dict[str, Edited] = {}
    for name in ("a", "b", "c"):
        place = f"{path}/{name}"
        inner = draw(values(place, depth - 1))
        members[name] = draw(removed(inner, place))
    for name in draw(st.sets(st.sampled_from(["p", "q"]))):
        members[name] = draw(added(f"{path}/{name}"))
    return _joined(members)


def _joined(members: dict[str, Edited]) -> Edited:
    def side(what: str) -> Json:
        found = {name: getattr(one, what) for name, one in members.items()}
        return {name: value for name, value in found.items() if value is not NOTHING}

    conflicts = frozenset[str]().union(*(one.conflicts for one in members.values()))
    return Edited(side("base"), side("mine"), side("theirs"), side("both"), conflicts)


@st.composite
def rows(draw: st.DrawFn, path: str, depth: int) -> Edited:
    """Lists of rows that are told apart by what nobody edits."""
    size = draw(st.integers(0, 4))
    items: list[Edited] = []
    for at in range(size):
        place = f"{path}/{at}"
        inner = draw(values(f"{place}/v", depth - 1))
        same = {name: untouched(f"{name} {place}") for name in ("id", "name")}
        items.append(draw(removed(_joined({**same, "v": inner}), place)))
    how = draw(st.sampled_from(["nothing", "new rows", "moved"]))
    sides: dict[str, list[Json]] = {}
    for what in ("base", "mine", "theirs", "both"):
        sides[what] = [
            [at, getattr(one, what)]
            for at, one in enumerate(items)
            if getattr(one, what) is not NOTHING
        ]
    conflicts = frozenset[str]().union(*(one.conflicts for one in items))
    if how == "new rows" and not any(one.base != one.both and one.both is NOTHING for one in items):
        if len(sides["mine"]) == len(sides["theirs"]) == size:
            after = {who: draw(st.integers(0, size)) for who in ("mine", "theirs")}
            for who, at in after.items():
                sides[who].insert(at, [at, f"new of {who} {path}"])
            both = sides["both"]
            for who, at in sorted(after.items(), key=lambda one: (-one[1], one[0])):
                both.insert(at, [at, f"new of {who} {path}"])
    elif how == "moved":
        who = draw(st.sampled_from(["mine", "theirs"]))
        order = draw(st.permutations(range(size)))
        sides[who].sort(key=lambda pair: order[pair[0]])
        shared = {at for at, _ in sides["mine"]} & {at for at, _ in sides["theirs"]}
        left = [at for at, _ in sides[who] if at in shared]
        if {at for at, _ in sides["both"]} - shared:  # one is only there since it was edited
            sides[who].sort()
        elif left != sorted(left):
            sides["both"].sort(key=lambda pair: order[pair[0]])
    plain = {what: [one for _, one in those] for what, those in sides.items()}
    return Edited(**plain, conflicts=conflicts)


def values(path: str, depth: int = 2) -> st.SearchStrategy[Edited]:
    if depth <= 0:
        return scalars(path)
    return st.one_of(scalars(path), objects(path, depth), rows(path, depth))


@SETTINGS
@given(st.data())
def test_both_edits_hold_and_conflicts_are_where_they_overlap(data: st.DataObject) -> None:
    edit = data.draw(objects("", 3))
    base, mine, theirs = (
        data.draw(texts(st.just(shape_of(value)))) for value in (edit.base, edit.mine, edit.theirs)
    )
    found = merged(base, mine, theirs)
    assert {one.path for one in found.conflicts} == edit.conflicts
    event(f"{min(len(found.conflicts), 3)} conflicts")
    text = rewritten(theirs, found)
    assert json.loads(text) == edit.both
    if not edit.conflicts:  # it does not matter who merges
        other = json.loads(rewritten(mine, merged(base, theirs, mine)))
        assert unordered(other) == unordered(edit.both)
    assert rewritten(theirs, merged(base, base, theirs)) == theirs
    assert rewritten(base, merged(base, base, base)) == base
    again = merged(rewritten(theirs, found, is_rest=True), text, theirs)
    assert values_of(again) == values_of(found)


def values_of(found: Merge) -> set[tuple[str, ...]]:
    """The conflicts of a merge by their values, however these are laid out."""
    sides = ((one.base, one.mine, one.theirs) for one in found.conflicts)
    return {tuple("" if one is None else dump(json.loads(one)) for one in those) for those in sides}


def unordered(value: Json) -> Json:
    """The same with sorted lists: which of two new rows comes first depends on who merges."""
    if isinstance(value, dict):
        return {name: unordered(one) for name, one in value.items()}
    return sorted(map(unordered, value), key=dump) if isinstance(value, list) else value


def merged(base: str, mine: str, theirs: str) -> Merge:
    return merge(parse(base).root, parse(mine).root, parse(theirs).root)


def rewritten(theirs: str, found: Merge, *, is_rest: bool = False) -> str:
    """The text of a merge: nodes are about the tree that was merged."""
    node = found.rest if is_rest else found.node
    assert node is not None
    assert found.root.theirs is not None
    tree = parse(theirs)
    tree.root = found.root.theirs
    return rewrite(tree, tree.root, node)


# Renames, moves and positions: what each text says is counted, and not where it is


@dataclass
class Part:
    """A value that keeps its identity while it is edited, renamed and moved."""

    kind: str  # "text", "object" or "array"
    token: str = ""
    children: list[tuple[str, Part]] = dataclasses.field(default_factory=list)
    fixed: int = 0  # items by position
    uid: int = dataclasses.field(default_factory=itertools.count().__next__)

    def walk(self) -> Iterator[Part]:
        yield self
        for _, child in self.children:
            yield from child.walk()

    @property
    def value(self) -> Json:
        if self.kind == "object":
            return {name: child.value for name, child in self.children}
        return self.token if self.kind == "text" else [child.value for _, child in self.children]


def drawn_part(chance: Random, depth: int, who: str) -> Part:
    kind = chance.choice(["text", "object", "array"]) if depth else "text"
    part = Part(kind, fixed=chance.randrange(3) if kind == "array" else 0)
    part.token = f"{who}{part.uid}."
    names = chance.sample("abcdef", chance.randrange(4)) if kind != "text" else []
    part.children = [(name, drawn_part(chance, depth - 1, who)) for name in names]
    return part


def edit_part(chance: Random, root: Part, who: str) -> None:
    """Edit a value, add, remove, rename or move a member or an item."""
    part = chance.choice([*root.walk()])
    children, kind = part.children, part.kind
    if kind == "text":
        part.token = f"{who}{next_token()}."
        return
    names = {name for name, _ in children}
    what = chance.choice(["add", "remove", "move", "set", "swap"])
    first = min(part.fixed, len(children))
    at = chance.randrange(first, len(children) + 1)
    if what == "add":
        name = chance.choice("abcdefgh")
        if kind == "array" or name not in names:
            children.insert(at, (name, drawn_part(chance, 1, who)))
    elif what == "set" and children:
        at = chance.randrange(len(children))
        children[at] = children[at][0], drawn_part(chance, 1, who)
    elif what == "remove" and children:
        children.pop(at if at < len(children) else -1)
    elif what == "move" and at < len(children):
        name, child = children.pop(at)
        other = chance.choice("abcdefgh")
        if kind == "array":
            children.insert(chance.randrange(first, len(children) + 1), (name, child))
        else:
            children.insert(at, (name if other in names else other, child))
    elif what == "swap" and kind == "object" and children:
        first, second = chance.choices(range(len(children)), k=2)
        (name, child), (name_of_other, it) = children[first], children[second]
        children[first], children[second] = (name_of_other, child), (name, it)


next_token: Final = itertools.count(1_000_000).__next__


def elements_of(part: Part, element: Element) -> Iterator[tuple[Part, Element]]:
    yield part, element
    inside = [*element.items, *(one.element for one in element.members)]
    for (_, child), it in zip(part.children, inside, strict=True):
        yield from elements_of(child, it)


def origins_in(before: list[tuple[Part, Element]], now: list[tuple[Part, Element]]) -> Origins:
    known = {part.uid: (part, element) for part, element in before}
    found: dict[int, Origin] = {}
    for part, element in now:
        if part.kind != "text" and part.uid in known:
            was, container = known[part.uid]
            tokens: dict[int, int | str] = {
                child.uid: name if part.kind == "object" else at
                for at, (name, child) in enumerate(was.children)
            }
            children = tuple(tokens.get(child.uid) for _, child in part.children)
            found[id(element)] = Origin(container, children)
    return found


@SETTINGS
@given(chance=st.randoms(use_true_random=False))
def test_nothing_is_lost_or_doubled_by_renames_and_moves(chance: Random) -> None:
    base = drawn_part(chance, 3, "base")
    mine, theirs = copy.deepcopy(base), copy.deepcopy(base)
    for part, who in ((mine, "mine"), (theirs, "theirs")):
        for _ in range(chance.randrange(5)):
            edit_part(chance, part, who)
    trees = [parse(dump(part.value)) for part in (base, mine, theirs)]
    roots = [tree.root for tree in trees[:2]]
    before, now = ([*elements_of(*one)] for one in zip((base, mine), roots, strict=True))
    said = [tokens_in(tree.text) for tree in trees]

    def merged_by(side: Side | None) -> tuple[Merge, str]:
        found = merge(
            *(tree.root for tree in trees),
            origins=origins_in(before, now),
            positions={id(element): part.fixed for part, element in before},
            choose=lambda _: side,
        )
        assert found.node is not None
        return found, rewrite(trees[2], trees[2].root, found.node)

    conflicts = merged_by(None)[0].conflicts
    event(f"{min(len(conflicts), 3)} conflicts")
    asked = [
        tokens_in(" ".join(filter(None, it))) for it in zip(*map(sides_of, conflicts), strict=True)
    ]
    shown = asked or [Counter[str]()] * 3
    both = shown[0] | shown[1] | shown[2]
    for side in (None, "mine", "theirs"):
        found, text = merged_by(side)
        assert side is None or not found.conflicts
        there = tokens_in(text)
        assert not (said[0] & said[1] & said[2]) - there - both  # what both kept
        for at, who in ((1, "mine"), (2, "theirs")):
            typed = said[at] - said[0] - there
            assert not typed - (Counter() if side == who else shown[at])
        assert not there - (said[1] | said[2]) - both  # doubled, and nobody was asked
        assert max((there - both).values(), default=1) == 1


def sides_of(conflict: ConcurrentEdit) -> tuple[str | None, ...]:
    return conflict.base, conflict.mine, conflict.theirs


def tokens_in(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+(?=\.)", text))


# Forms


def as_shown(form: Form) -> Pairs:
    return [*controls_of(form), (TEXT, form.data_text)]


def by_html(form: Form) -> Pairs:
    return entries(form.render())


WAYS: Final = pytest.mark.parametrize("post", [as_shown, by_html], ids=["controls", "html"])


def typed(pairs: Pairs, texts: dict[str, str]) -> Pairs:
    return [(name, texts.get(name, value)) for name, value in pairs]


@WAYS
@SETTINGS
@given(form=cases(), data=st.data())
def test_forms_of_two_people(post: Post, form: Form, data: st.DataObject) -> None:
    """The text is, byte for byte, that of one person who made the edits of both."""
    fields = editable(form)
    who = st.sampled_from(["nobody", "mine", "theirs", "same", "both"])
    mine: dict[str, str] = {}
    theirs: dict[str, str] = {}
    overlaps = set()
    for at, field in enumerate(fields):
        chosen = data.draw(who)
        first = "70" if field.kind in NUMBER_KINDS else "new "
        if chosen in ("mine", "same", "both"):
            mine[field.name] = f"{first}{at}"
        if chosen in ("theirs", "same"):
            theirs[field.name] = f"{first}{at}"
        elif chosen == "both":
            theirs[field.name] = f"{first}9{at}"
            overlaps.add(field.path)
    before = form.submit(typed(as_shown(form), theirs))
    now = form.factory.form_json(before.text)
    if {one.name for one in editable(now)} != {one.name for one in fields}:
        event("a condition has brought other fields")
        return
    submission = now.submit(typed(post(form), mine), on_stale="rebase")
    event(f"{min(len(mine), 2)} of mine, {min(len(theirs), 2)} of theirs")
    assert {one.path for one in submission.conflicts} == overlaps
    if overlaps:
        assert submission.text == before.text
        assert not submission.valid
        event("conflicts")
    else:
        assert submission.text == form.submit(typed(as_shown(form), {**theirs, **mine})).text
    side = data.draw(st.sampled_from([0, 1]))
    chosen_pairs = post(submission.form)
    chosen_pairs += [(name, both[side]) for name, *both in map(choice_names, submission.conflicts)]
    done = now.submit(chosen_pairs, on_stale="rebase")
    assert not done.conflicts
    winner = {**theirs, **mine} if side == 0 else {**mine, **theirs}
    assert done.text == form.submit(typed(as_shown(form), winner)).text


@WAYS
@SETTINGS
@given(form=cases(), data=st.data())
def test_whatever_two_people_do_nothing_is_lost_in_silence(
    post: Post, form: Form, data: st.DataObject
) -> None:
    posted = data.draw(edits(form, post(form)))
    mine = form.submit(posted)
    before = form.submit(data.draw(edits(form, as_shown(form))))
    now = form.factory.form_json(before.text)
    try:
        submission = now.submit(posted, on_stale="rebase")
    except StaleForm:  # there are no controls for what both together would be
        event("refused")
        return
    event("conflicts" if submission.conflicts else "merged")
    assert submission.action == mine.action
    if not mine.changed and mine.complete:
        assert submission.text == before.text
    if before.text == form.text:
        assert submission.text == mine.text
    is_renamed = {*(one for one in posted if one[0].startswith("name#"))} - {*post(form)}
    # To a name that a field has; or a draft, in a part that is not set, has no place any more.
    is_told = any(finding.keyword == "stale" for finding in submission.report)
    assert submission.complete is mine.complete or is_renamed or is_told
    if not mine.complete or is_told:  # what has no place any more is said, and is no longer there
        return
    again = now.submit(post(submission.form), on_stale="rebase")
    assert again.text == submission.text
    assert again.complete is submission.complete
    assert again.conflicts == submission.conflicts
    assert again.form.signature == submission.form.signature
