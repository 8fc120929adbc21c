"""Members and values that are gone, paired with new ones that they have probably become.

Schemas do not say that a member was renamed or moved: one is gone and another is new. That they
are the same is a guess, for which their names, schemas and annotations speak: within one object,
names that differ only in case and separators are paired first. Guesses are made only where
obstacles are, so they explain changes that were found; they never add or hide any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from widgetschema.evolution.compare.changes import GuessKind
from widgetschema.evolution.compare.changes import Pair as Renamed
from widgetschema.evolution.compare.obstacles import Obstacle, Pair, branch_pairs, pairs_below
from widgetschema.evolution.compare.proof import Prover
from widgetschema.jsontext import dump
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import ANY
from widgetschema.schema.keywords import texts
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.schema.tree import Node
from widgetschema.suggest import Vocabulary, plain_form, split_words

_MOST_PAIRS: Final = 400  # of members whose schemas are compared, in one object
_MAX_PLACES: Final = 2_000  # objects that are compared
_DEEPEST: Final = 3  # objects inside of one that is new or gone
_MAX_MEMBERS: Final = 10_000  # members that may have moved, on each side
_MAX_MOVES: Final = 100_000  # pairs of members, one of which may have become the other
# Reasons that are enough for "probably": names that share a word often mean different things.
_STRONG: Final = frozenset({"name.letters", "name.similar", "title.same", "description.same"})
_LIKE: Final = 3  # differences of two schemas that are similar
_SHORTEST_WORD: Final = 3  # that two names may share

Shown = tuple[str, ...]  # a path as shown


class Member(NamedTuple):
    """A removed or new member: its path, its schema, and the outermost removed or new object.

    `top` is the path of the outermost removed or new member: its own, or that of an object around
    it. `required` is True if it and all objects around it, up to `top`, are required.
    """

    path: Shown
    node: Node
    top: Shown
    required: bool

    @property
    def name(self) -> str:
        """The name of the member."""
        return self.path[-1]


class Match(NamedTuple):
    """A member that is gone, and the new one that it probably is."""

    old: Member
    new: Member
    reasons: tuple[str, ...]
    score: float
    likely: bool
    same: bool  # their schemas assert the same
    sure: bool = False  # the schemas say it in their own words


class Found(NamedTuple):
    """Members that changed together: those of one object that is new or gone, or a single one."""

    kind: GuessKind
    matches: tuple[Match, ...]


class _Object(NamedTuple):
    path: Shown
    gone: list[Member]
    new: list[Member]
    free: frozenset[Shown]  # new members as which the older schema allows any value
    shared: frozenset[str]  # plain forms of several names of one schema


class RenameFinder:
    """Finds renamed and moved members below two nodes, at the places of obstacles."""

    def __init__(self, old: Node, new: Node, prover: Prover) -> None:
        self._roots = (old, new)
        self._prover = prover
        self._left = _MOST_PAIRS

    def find(self, obstacles: Iterable[Obstacle]) -> tuple[list[Found], list[Shown]]:
        """Return the guesses that explain obstacles in either direction.

        Also return the paths of the other members that only the newer schema describes, where the
        older one allows any value.
        """
        objects = self._objects({obstacle.shown[:-1] for obstacle in obstacles if obstacle.path})
        found = [Found("rename", (match,)) for holder in objects for match in self._renamed(holder)]
        renamed = {member.path for one in found for match in one.matches for member in match[:2]}
        gone = [
            member for holder in objects for member in holder.gone if member.path not in renamed
        ]
        new = [member for holder in objects for member in holder.new if member.path not in renamed]
        found += self._moved(gone, new)
        moved = {match.new.top for one in found for match in one.matches}
        described = [
            member.path
            for holder in objects
            for member in holder.new
            if member.path in holder.free and member.path not in moved
        ]
        return found, described

    def _objects(self, wanted: set[Shown]) -> list[_Object]:
        """Return the objects at some paths that have removed or new members."""
        todo: list[tuple[Shown, list[Pair]]] = [((), [self._roots])]
        ways = {path[:size] for path in wanted for size in range(len(path) + 1)}
        found: list[_Object] = []
        while todo and len(found) < _MAX_PLACES:
            path, pairs = todo.pop()
            every = _with_branches(pairs)
            if path in wanted:
                one = _object(path, every)
                if one is not None:
                    found.append(one)
            below: dict[str, list[Pair]] = {}
            for was, now in every:
                for token, a, b in pairs_below(was, now):
                    if (*path, token.shown) in ways and a.key.pointers and b.key.pointers:
                        below.setdefault(token.shown, []).append((a, b))
            todo += [((*path, name), some) for name, some in below.items()]
        return sorted(found, key=lambda one: one.path)

    def _renamed(self, one: _Object) -> list[Match]:
        """Return the members with another name: those of like names, then those of like schemas."""
        named = [*self._named(one)]
        paired = {member.path for match in named for member in match[:2]}
        gone, new = (
            [member for member in members if member.path not in paired]
            for members in (one.gone, one.new)
        )
        alike: list[tuple[Member, Member, bool]] = []
        for old, other in [(old, other) for old in gone for other in new][:_MOST_PAIRS]:
            same, similar = self._likeness(old.node, other.node)
            if same or similar:
                alike.append((old, other, same))
        olds, news = [old.path for old, _, _ in alike], [other.path for _, other, _ in alike]
        found = (
            _match(
                old,
                other,
                one.shared,
                same=same,
                only=olds.count(old.path) == news.count(other.path) == 1,
            )
            for old, other, same in alike
        )
        return named + _assigned(match for match in found if match is not None)

    def _named(self, one: _Object) -> Iterator[Match]:
        """Yield the members whose names differ only in case and separators, from no others."""
        by_form = {plain_form(member.name): member for member in one.new}
        for old in one.gone:
            form = plain_form(old.name)
            if form and form in by_form and form not in one.shared:
                new = by_form[form]
                same, similar = self._likeness(old.node, new.node)
                reasons = [f"schema.{'same' if same else 'similar'}"] if same or similar else []
                is_sure = _is_spelling(old.name, new.name)
                yield Match(old, new, (*reasons, "name.letters"), 0.0, True, same, is_sure)

    def _likeness(self, old: Node, new: Node) -> tuple[bool, bool]:
        """Return whether two schemas assert the same, and whether they are similar."""
        if not self._prover.same.classes_of(old.key.pointers):
            return False, False
        same = self._prover.same.classes_of(old.key.pointers) == self._prover.same.classes_of(
            new.key.pointers
        )
        if same or self._left <= 0:
            return same, False
        if {*old.kinds} != {*new.kinds}:
            return False, self._is_item(old, new) or self._is_item(new, old)
        self._left -= 1
        there, back = self._prover.contained(old, new), self._prover.contained(new, old)
        if not there and not back:
            return True, False
        about = {obstacle.about for obstacle in (*there, *back)}
        return False, not there or not back or len(about) <= _LIKE

    def _is_item(self, one: Node, many: Node) -> bool:
        """Return whether one schema describes the items of lists that the other describes."""
        if many.kinds != ("array",) or many.tuple_length:
            return False
        item = many.item(0).key.pointers
        classes = self._prover.same.classes_of
        return bool(item) and classes(one.key.pointers) == classes(item)

    def _moved(self, gone: list[Member], new: list[Member]) -> list[Found]:
        """Return members that are in another object now, those of one object together."""
        by_name: tuple[dict[str, list[Member]], ...] = ({}, {})
        for known, members in zip(by_name, (gone, new), strict=True):
            for member in _with_inner(members):
                known.setdefault(plain_form(member.name), []).append(member)
        pairs = (
            (old, other)
            for form, olds in by_name[0].items()
            for old in olds
            for other in by_name[1].get(form, ())
        )
        matches: list[Match] = []
        for old, other in islice(pairs, _MAX_MOVES):
            if _is_movable(old.path, other.path):
                same, similar = self._likeness(old.node, other.node)
                if same or similar:
                    word = "schema.same" if same else "schema.similar"
                    names = "name.same" if old.name == other.name else "name.letters"
                    score = 4.0 * same - abs(len(old.path) - len(other.path))
                    likely = same and _says(old.node) > 1
                    matches.append(Match(old, other, (word, names), score, likely, same))
        groups: dict[tuple[Shown, Shown], list[Match]] = {}
        for match in _assigned(matches):
            inside = match.new.path != match.new.top
            key: tuple[Shown, Shown] = ((), match.new.top) if inside else (match.old.top, ())
            if not inside and match.old.path == match.old.top:
                key = (match.old.top, match.new.top)
            groups.setdefault(key, []).append(match)
        tops = {member.path: member for member in (*gone, *new)}
        found: list[Found] = []
        for some in groups.values():
            apart, together = _sides(some, tops)
            if apart is False and together is False:
                continue  # two objects have a few members in common, and each has others
            # That several members are in one other object is hardly by chance.
            moved = [one._replace(likely=one.likely or len(some) > 1) for one in some]
            is_sure = {apart, together} == {None, True} and all(
                one.likely and _is_same_name(one, by_name) for one in moved
            )
            found.append(Found("move", tuple(one._replace(sure=is_sure) for one in moved)))
        return found


def _match(
    old: Member, new: Member, shared: frozenset[str], *, same: bool, only: bool
) -> Match | None:
    """Return two members with like schemas as one with another name, if enough speaks for it."""
    reasons = ["schema.same" if same else "schema.similar"]
    named = _name_reason(old.name, new.name)
    reasons += [named] if named else []
    reasons += [f"{word}.same" for word in ("title", "description") if _shared(old, new, word)]
    told = len(reasons) > 1
    special = _says(old.node) if same else 0
    if not (told or special > 1 or (same and only)):
        return None
    score = 4 * same + 2 * (len(reasons) - 1) + (special > 1) + only
    score += old.required == new.required
    is_clear = shared.isdisjoint(map(plain_form, (old.name, new.name)))
    is_sure = is_clear and bool(named) and "description.same" in reasons
    return Match(old, new, tuple(reasons), score, not _STRONG.isdisjoint(reasons), same, is_sure)


def _is_same_name(match: Match, by_form: Iterable[Mapping[str, Sequence[Member]]]) -> bool:
    """Return whether a moved member keeps its name, but for case and separators, as no other."""
    old, new = match.old.name, match.new.name
    is_only = all(len(known[plain_form(old)]) == 1 for known in by_form)
    return old == new or (is_only and _is_spelling(old, new))


def _is_spelling(old: str, new: str) -> bool:
    """Return whether two texts of one plain form certainly mean the same."""
    return Vocabulary([new]).is_certain(old, new)


def covers(found: Found, obstacle: Obstacle, *, narrows: bool) -> bool:
    """Return True if a guess explains an obstacle.

    It explains differences at and inside of the removed and the new members, and that a new member
    is required if the removed one was.
    """
    for match in found.matches:
        for member in match[:2]:
            if obstacle.shown[: len(member.top)] == member.top:
                return True
        if obstacle.fact == "required" and match.old.required and match.new.required:
            top = match.new.top if narrows else match.old.top
            if (*obstacle.shown, obstacle.subject) == top:
                return True
    return False


def value_pairs(gone: Sequence[Any], new: Sequence[Any]) -> tuple[tuple[Renamed, ...], str]:
    """Return values that are gone, each with the new one that it probably is, and the reason.

    The reason is the id of a text; empty if there is none.
    """
    plain: dict[str, list[Any]] = {}
    for value in new:
        plain.setdefault(plain_form(_value_text(value)), []).append(value)
    same = [(value, plain.get(plain_form(_value_text(value)), [])) for value in gone]
    words = Vocabulary([value for value in new if type(value) is str])
    best = [(value, words.best_match(value)) for value in gone if type(value) is str]
    ways = {
        "value.letters": [Renamed(value, some[0]) for value, some in same if len(some) == 1],
        "value.similar": [Renamed(value, one) for value, one in best if one is not None],
        "value.begins": [*_begun(gone, new)],
    }
    for reason, pairs in ways.items():
        if pairs and len({canonical(pair.new) for pair in pairs}) == len(pairs):
            return tuple(pairs), reason
    if len(gone) == len(new) == 1 and type(gone[0]) is type(new[0]):
        return (Renamed(gone[0], new[0]),), "value.only"
    return (), ""


def _begun(gone: Sequence[Any], new: Sequence[Any]) -> Iterator[Renamed]:
    """Yield values that were shortened or written out: `s` and `small`."""
    if not all(type(value) is str and value for value in (*gone, *new)):
        return
    for value in gone:
        fits = [one for one in new if one.startswith(value) or value.startswith(one)]
        if len(fits) == 1:
            yield Renamed(value, fits[0])


def are_clear(pairs: Iterable[Renamed], *lists: Iterable[Any]) -> bool:
    """Return whether pairs are spellings of one value, which no other value of some lists is."""
    counts = [Counter(plain_form(_value_text(value)) for value in values) for values in lists]
    return all(
        _is_spelling(*map(_value_text, pair))
        and all(counted[plain_form(_value_text(pair.old))] <= 1 for counted in counts)
        for pair in pairs
    )


def _value_text(value: Any) -> str:
    """Return the text by which spellings are compared: `5` is one of `"5"`."""
    return value if type(value) is str else dump(value, indent=False)


def reason_text(ids: Sequence[str]) -> str:
    """Return the evidence for a guess, in words."""
    say = texts()
    return say["and"](items=[say[f"guess.{id}"]() for id in dict.fromkeys(ids)])


def _assigned(matches: Iterable[Match]) -> list[Match]:
    """Return the best matches, with each member at most once; none if two are equally good."""
    every = [*matches]
    best: dict[tuple[bool, Shown], list[float]] = {}
    for match in every:
        for side, member in enumerate(match[:2]):
            best.setdefault((bool(side), member.path), []).append(match.score)
    chosen = []
    for match in every:
        scores = [best[bool(side), member.path] for side, member in enumerate(match[:2])]
        if all(max(some) == match.score and some.count(match.score) == 1 for some in scores):
            chosen.append(match)
    return chosen


def _with_branches(pairs: Iterable[Pair]) -> list[Pair]:
    """Return pairs of nodes and those of the branches of their choices, without end."""
    found: dict[Any, Pair] = {}
    todo = [*pairs]
    while todo:
        was, now = todo.pop(0)
        if (was.key, now.key) in found:
            continue
        found[was.key, now.key] = was, now
        todo += branch_pairs(was, now)
        olds, news = (_object_branches(node) for node in (was, now))
        if len(olds) == len(news) == 1 and (olds, news) != ([was], [now]):
            todo.append((olds[0], news[0]))
    return [*found.values()]


def _object_branches(node: Node) -> list[Node]:
    """Return the alternatives of a node that allow objects; the node, if it has none."""
    choices = [choice for choice in node.choices if choice.keyword in ("anyOf", "oneOf")]
    if not choices:
        return [node] if "object" in node.kinds else []
    nodes = [node.tree.node(branch.pointers) for choice in choices for branch in choice.branches]
    return [one for one in nodes if "object" in one.kinds]


def _object(path: Shown, pairs: list[Pair]) -> _Object | None:
    """Return the members that are gone and new at a path.

    Where several schemas describe it, only those are that each of them has, or that no other
    mentions: what went from one schema to another is not gone.
    """
    olds, news = ([{*_described(pair[side])} for pair in pairs] for side in (0, 1))
    every_old, every_new = set().union(*olds), set().union(*news)
    gone: dict[str, Member] = {}
    new: dict[str, Member] = {}
    for was, now in pairs:
        for node, others, found in ((was, every_new, gone), (now, every_old, new)):
            for name, child in _described(node).items():
                if name not in others:
                    own = (*path, name)
                    found.setdefault(name, Member(own, child, own, name in node.required))
    if not (gone or new):
        return None
    free = (
        (*path, name)
        for name in new
        if not any(was.child(name).key.pointers or name in was.absent for was, _ in pairs)
    )
    forms = (Counter(map(plain_form, names)) for names in (every_old, every_new))
    shared = (form for counts in forms for form, count in counts.items() if count > 1)
    return _Object(path, [*gone.values()], [*new.values()], frozenset(free), frozenset(shared))


def _described(node: Node) -> dict[str, Node]:
    """Return the members that a node names and allows."""
    if "object" not in node.kinds:
        return {}
    return {
        name: child
        for name, child in node.properties.items()
        if child.kinds and name not in node.absent
    }


def _with_inner(members: Sequence[Member]) -> list[Member]:
    """Return members and those inside of them: as many levels as there is room for.

    All the members of a level are there or none, so that no move is found or missed by the order of
    the members.
    """
    for depth in reversed(range(1, _DEEPEST + 1)):
        every = [*islice(_inside(members, depth), _MAX_MEMBERS + 1)]
        if len(every) <= _MAX_MEMBERS:
            return every
    return [*members[:_MAX_MEMBERS]]


def _inside(members: Iterable[Member], depth: int) -> Iterator[Member]:
    """Yield each member, followed by those that are at most some levels inside of it."""
    for member in members:
        yield member
        if depth:
            yield from _inside(_inner(member), depth - 1)


def _inner(member: Member) -> Iterator[Member]:
    """Yield the members of a member that is an object."""
    if member.node.kinds != ("object",):
        return
    for name, node in _described(member.node).items():
        required = member.required and name in member.node.required
        yield Member((*member.path, name), node, member.top, required)


def _sides(matches: Sequence[Match], tops: Mapping[Shown, Member]) -> tuple[bool | None, ...]:
    """Return, for the old and the new side, whether whole objects were flattened, or created.

    None for a side if members were moved, but not out of a removed object or into a new one.
    """
    found: list[bool | None] = []
    for members in ([match.old for match in matches], [match.new for match in matches]):
        paths = {member.path for member in members}
        inside = [member.top for member in members if paths.isdisjoint(_around(member.path))]
        objects = [top for top in dict.fromkeys(inside) if top not in paths]
        whole = [_is_whole(tops[top], paths, closed=not found) for top in objects]
        found.append(all(whole) if whole else None)
    return tuple(found)


def _around(path: Shown) -> Iterator[Shown]:
    """Yield the paths of the objects around a member."""
    return (path[:size] for size in range(len(path)))


def _is_whole(member: Member, moved: set[Shown], *, closed: bool) -> bool:
    """Return True if all members of an object were moved; with `closed`, all possible ones."""
    if member.path in moved:
        return True
    if len(member.path) - len(member.top) == _DEEPEST:  # a schema may lead back to itself
        return False
    inner = [*_inner(member)]
    return (
        bool(inner)
        and (member.node.closed or not closed)
        and all(_is_whole(one, moved, closed=closed) for one in inner)
    )


def _is_movable(old: Shown, new: Shown) -> bool:
    """Return True if both paths have one place in a document, and are in different objects.

    That is, they have `*` only in their common part. Within one object, a member has another name.
    """
    if old[:-1] == new[:-1]:
        return False
    shared = next(
        (size for size, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    if shared in (len(old), len(new)):  # a value cannot move into itself
        return False
    return not any(step == ANY or step.isdigit() for step in (*old[shared:], *new[shared:]))


def _name_reason(old: str, new: str) -> str:
    """Return the id of the similarity of two names; empty if there is none."""
    if plain_form(old) == plain_form(new):
        return "name.letters"
    if Vocabulary([new]).best_match(old):
        return "name.similar"
    ours, theirs = ({word.casefold() for word in split_words(name)} for name in (old, new))
    long = {word for word in ours & theirs if len(word) >= _SHORTEST_WORD}
    if long:
        return "name.words"
    short, longer = sorted((plain_form(old), plain_form(new)), key=len)
    return "name.begins" if short and longer.startswith(short) else ""


def _shared(old: Member, new: Member, keyword: str) -> bool:
    text = old.node.annotation(keyword)
    return type(text) is str and bool(text.strip()) and text == new.node.annotation(keyword)


def _says(node: Node) -> int:
    """Return the number of keywords that assert something, or describe children."""
    return sum(
        len(schema.keys() - ANNOTATIONS - {"$ref", "$id"})
        for _, schema in node.schemas
        if type(schema) is dict
    )
