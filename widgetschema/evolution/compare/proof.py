"""`Prover`: prove that one schema accepts all data that another one accepts.

`contained(left, right)` is empty only if all data that is valid by the left node is valid by the
right one. The proof is by induction on the size of the data: if a pair of nodes recurs inside
itself, it is about smaller data, and may be assumed. The rules are incomplete and effort is
bounded, so an obstacle is a doubt, not a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations, islice, takewhile
from typing import Any, Final, NamedTuple

from widgetschema.evolution.compare.assertions import (
    Asserts,
    leaf_obstacles,
    plain,
    value_obstacles,
)
from widgetschema.evolution.compare.equivalence import Equivalence
from widgetschema.evolution.compare.implied import Implied, least, texts_of
from widgetschema.evolution.compare.joined import BudgetedTree, reference
from widgetschema.evolution.compare.obstacles import EFFORT, Obstacle, Token, without_repeats
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import escape_token
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.objects import closure
from widgetschema.samples.values.automata import find_text
from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.linking import ANNOTATIONS, is_schema
from widgetschema.schema.tree import KIND_OF, Choice, Node
from widgetschema.schema.tree.tree import Key
from widgetschema.validation import Validator

_PAIR_COST: Final = 3  # the cost of a new pair of nodes
_MAX_COMPARISONS: Final = 2_000_000  # of listed values
_MAX_DEPTH: Final = 60  # of nested pairs
_MAX_SPLIT_DEPTH: Final = 2  # of nested choices by which a left node is split
_MAX_SPLITS: Final = 2  # choices of a left node that are tried, one after the other
_MAX_BRANCHES: Final = 256  # of one choice
_MAX_EXCLUSIVE: Final = 40  # branches of a choice that are compared in pairs
_MAX_OBSTACLES: Final = 200  # of different keywords that one pair may return
_MAX_PLACES: Final = 1_000  # obstacles that one pair may return: a keyword applies at many places
_OBSTACLES_PER_EFFORT: Final = 8
_CHOICES: Final = ("anyOf", "oneOf", "if")
_MAX_DETAILS: Final = 3  # obstacles of a branch; with more, it is not the corresponding branch
_MAX_COVERED: Final = 8  # branches of a choice, one of which may accept what the others reject
_NAMES: Final = ("other", "more", "any", "o", "other member", "0", "_", "x-other")
_TRIES: Final = 20  # names of a pattern
_OF_NAMES: Final = frozenset(("type", "pattern", "minLength", "maxLength"))


class Requirement(NamedTuple):
    """A requirement, as a function that returns its obstacles for a left node.

    `choice` is its place if the requirement is a choice.
    """

    obstacles: Callable[[Node], Iterable[Obstacle]]
    choice: str = ""


class Prover:
    """Proofs on one tree that has both schemas; `asserts` says where formats are checked.

    They stop after `effort` of the tree.
    """

    def __init__(
        self,
        tree: BudgetedTree,
        sameness: Equivalence,
        asserts: Asserts,
        engine: str | None,
        effort: int,
    ) -> None:
        self.tree = tree
        self.same = sameness
        self._last = tree.effort_spent + effort
        self._asserts = asserts
        self._engine = engine
        self._known: dict[tuple[Key, Key], tuple[Obstacle, ...]] = {}
        # Pairs in progress, with the number of open pairs before, and the depth in the value.
        self._open: dict[tuple[Key, Key], tuple[int, int]] = {}
        self._inside = 0
        self._exclusive: dict[str, bool] = {}
        self._assumed_depth = _MAX_DEPTH  # the outermost open pair that was assumed
        self._checkers: dict[Any, Callable[[Any], bool]] = {}
        self.implied = Implied(self.checker)

    @property
    def exhausted(self) -> bool:
        """True if the effort is exhausted."""
        return self.tree.effort_spent > self._last

    def obstacles(
        self, left: Node, right: Node, without: str | None = None
    ) -> tuple[Obstacle, ...]:
        """Decide as `contained`, wherever on the stack it is called; for one proof of a whole."""
        try:
            return self.contained(left, right, without)
        except RecursionError:
            return (_unsure(left, right),)

    def contained(
        self, left: Node, right: Node, without: str | None = None
    ) -> tuple[Obstacle, ...]:
        """Return the obstacles to data of `left` being valid by `right`; empty if it is proven.

        The member `without` of the value itself is ignored.
        """
        key = (left.key, right.key)
        if key in self._known and without is None:
            return self._known[key]
        if key in self._open:
            depth, inside = self._open[key]
            if self._inside == inside:  # of the same value: a circular proof
                return (_unsure(left, right),)
            self._assumed_depth = min(self._assumed_depth, depth)
            return ()
        self.tree.effort_spent += _PAIR_COST
        if self.exhausted or len(self._open) >= _MAX_DEPTH:
            return (_unsure(left, right),)
        depth = len(self._open)
        self._open[key] = (depth, self._inside)
        before, self._assumed_depth = self._assumed_depth, _MAX_DEPTH
        found = self._obstacles(left, right, without)
        self.tree.effort_spent += len(found) // _OBSTACLES_PER_EFFORT
        del self._open[key]
        # A proof that assumes an open pair depends on the proof of that pair.
        if without is None and (found or self._assumed_depth >= depth):
            self._known[key] = found
        self._assumed_depth = min(
            before, self._assumed_depth if self._assumed_depth < depth else _MAX_DEPTH
        )
        return found

    def inside(self, left: Node, right: Node) -> tuple[Obstacle, ...]:
        """Return the result of `contained` for a value inside the current one."""
        self._inside += 1
        try:
            return self.contained(left, right)
        finally:
            self._inside -= 1

    def _obstacles(self, left: Node, right: Node, without: str | None) -> tuple[Obstacle, ...]:
        if self.empty(left):
            return ()
        asked = self._open_demands(left, right)
        if not asked.key.pointers and not asked.key.refused and asked.key.kind is None:
            return ()
        if left.values is not None:
            gone, is_all = self._lost_values(left.values, left, asked)
            found = self._with_nodes(value_obstacles(left, asked, gone), left, asked)
            return without_repeats(found if is_all else [*found, _unsure(left, asked)])
        few = self.implied.few_values(left)
        if few is not None and self._lost_values(tuple(few), left, asked) == ([], True):
            return ()
        told: list[Obstacle] = []
        for requirement in self._requirements(left, asked, without):
            told += self._after_choices(left, asked, requirement, _MAX_SPLIT_DEPTH)
            if _are_many(told):
                return (*without_repeats(_few(told)), _unsure(left, asked))
        return without_repeats(told)

    def _open_demands(self, left: Node, right: Node) -> Node:
        """Return the right node without the requirements that the left one has, too."""
        applied = self.same.classes_of(left.key.pointers)
        refused = self.same.classes_of(left.key.refused)
        key = right.key._replace(
            pointers=tuple(p for p in right.key.pointers if self.same.class_of(p) not in applied),
            refused=tuple(p for p in right.key.refused if self.same.class_of(p) not in refused),
            kind=None if right.key.kind == left.key.kind else right.key.kind,
        )
        return self.tree.node_of(key) if key != right.key else right

    def _requirements(self, left: Node, right: Node, without: str | None) -> Iterator[Requirement]:
        applied = self.same.classes_of(left.key.pointers)
        for pointer, schema in right.schemas:
            if self.same.class_of(pointer) in applied:  # it came back with an `allOf` around it
                continue
            if type(schema) is not dict:
                nothing = Obstacle((), "schema", "nothing", pointer, leaf=True)
                yield Requirement(lambda _, nothing=nothing: [nothing])  # type: ignore[misc]
                return
            yield Requirement(
                partial(
                    leaf_obstacles,
                    pointer=pointer,
                    schema=schema,
                    of=self._asserts,
                    implied=self.implied,
                )
            )
            yield Requirement(partial(_object_obstacles, self, pointer=pointer, schema=schema))
            if "contains" in schema:
                yield Requirement(partial(_contains_obstacles, self, place=f"{pointer}/contains"))
            for keyword in _CHOICES:
                if keyword in schema:
                    found = partial(_choice_obstacles, self, keyword, pointer, schema)
                    yield Requirement(found, choice=f"{pointer}/{keyword}")
        if right.key.kind is not None:
            yield Requirement(partial(_kind_obstacles, right=right))
        yield Requirement(partial(_member_obstacles, self, right=right, without=without))
        yield Requirement(partial(_item_obstacles, self, right=right))
        for refused in right.key.refused:
            yield Requirement(partial(_refusal_obstacles, self, refused=refused))

    def _with_nodes(self, obstacles: Iterable[Obstacle], left: Node, right: Node) -> list[Obstacle]:
        return [
            one._replace(left_node=left, right_node=right) if one.left_node is None else one
            for one in islice(obstacles, _MAX_PLACES + 1)
        ]

    # Choices of the left node

    def _after_choices(
        self, left: Node, right: Node, requirement: Requirement, splits: int
    ) -> tuple[Obstacle, ...]:
        """Return the obstacles of a requirement; fewer, if possible, after splitting choices."""
        found = without_repeats(self._with_nodes(requirement.obstacles(left), left, right))
        if not found or not splits:
            return found
        if left.key.kind is None and left.kinds == ("object",):
            left = left.of_kind("object")  # which may bring choices
        told: tuple[Obstacle, ...] | None = None
        ways: list[Iterable[Node]] = [
            map(partial(left.choose, choice), range(len(choice.branches)))
            for choice in self._ranked(left, requirement)[:_MAX_SPLITS]
        ]
        if len(left.kinds) > 1 and (requirement.choice or found[0].fact == "dependency"):
            ways.append(map(left.of_kind, left.kinds))
        for nodes in ways:
            parts: list[Obstacle] = []
            for node in nodes:
                if not self.empty(node):
                    listed = node.values is not None  # then each value can be checked
                    parts += _chosen(
                        node,
                        self.contained(node, right)
                        if listed
                        else self._after_choices(node, right, requirement, splits - 1),
                    )
                if _are_many(parts) or self.exhausted:
                    parts.append(_unsure(left, right))
                    break
            if not parts:
                return ()
            if told is None or len(parts) < len(told):
                told = without_repeats(parts)
        # Impossible branches are no obstacles. With exhausted effort, branches tell less.
        if told is None or self.exhausted or any(one.fact == EFFORT for one in told):
            return found
        return told

    def _ranked(self, left: Node, requirement: Requirement) -> list[Choice]:
        """Return the choices of the left node, those most similar to the requirement first."""
        wanted = self.same.classes_of(self._branches(requirement.choice))

        def unlike(choice: Choice) -> tuple[int, bool]:
            """Return a sort key: similar choices first."""
            own = self.same.classes_of(branch.pointer for branch in choice.branches)
            return -len(own & wanted), not requirement.choice.endswith(f"/{choice.keyword}")

        choices = [
            choice
            for choice in left.choices
            if choice.keyword != "not" and len(choice.branches) <= _MAX_BRANCHES
        ]
        return sorted(choices, key=unlike) if len(choices) > 1 else choices

    def _branches(self, place: str) -> list[str]:
        """Return the pointers of the branches of a choice."""
        at = self.tree.linked.at
        if place.endswith("/if"):
            around = place.removesuffix("/if")
            return [f"{around}/{word}" for word in ("if", "then", "else")]
        places = (f"{place}/{index}" for index in range(_MAX_BRANCHES))
        return [*takewhile(at.__contains__, places)]

    def deferred(self, left: Node, place: str) -> bool:
        """Return True if a choice on the right is better decided once one like it is made on
        the left.
        """
        wanted = self.same.classes_of(self._branches(place))
        made = (self.same.classes_of(self._branches(one)) for one in left.key.decided)
        if any(not wanted.isdisjoint(own) for own in made):
            return False
        places = ([branch.pointer for branch in choice.branches] for choice in left.choices)
        return any(not wanted.isdisjoint(self.same.classes_of(some)) for some in places)

    def taken(self, left: Node) -> frozenset[int]:
        """Return the classes of all branches of the choices that were made on the way to a node."""
        places = [branch for place in left.key.decided for branch in self._branches(place)]
        return self.same.classes_of(places)

    def likely(self, left: Node, place: str, size: int) -> list[int]:
        """Return the indices of the branches of a choice, the likeliest to fit first."""
        applied = self.same.classes_of(left.key.pointers)
        order = [self.same.class_of(f"{place}/{index}") not in applied for index in range(size)]
        return sorted(range(size), key=order.__getitem__)

    # Quick decisions

    def empty(self, node: Node) -> bool:
        """Return True if certainly no data is valid by a node."""
        if not node.kinds or node.values == () or not self._kinds(node):
            return True
        if node.kinds == ("string",) and node.values is None and texts_of(node).none:
            return True
        if node.kinds == ("object",) and self.implied.members(node).contradict:
            return True
        if self.implied.few_values(node) == []:
            return True
        refused = self.same.classes_of(node.key.refused)
        return bool(refused) and not refused.isdisjoint(self.same.classes_of(node.key.pointers))

    def _kinds(self, node: Node) -> list[str]:
        """Return the types that are left: a refused schema about one type accepts all others."""
        about = {self._about(pointer) for pointer in node.key.refused} - {None}
        return [kind for kind in node.kinds if about <= {kind}]

    def _about(self, pointer: str) -> str | None:
        """Return the one type that a schema says anything about, if there is one."""
        schema = self.tree.linked.at.get(pointer)
        if type(schema) is not dict or "$ref" in schema:
            return None
        kinds = {KIND_OF.get(word) for word in _words(schema)}
        return kinds.pop() if len(kinds) == 1 else None

    def disjoint(self, left: Node, pointer: str) -> bool:
        """Return True if certainly no data is valid by both a node and a schema."""
        if self.same.class_of(pointer) in self.same.classes_of(left.key.refused):
            return True
        if self.exhausted:
            return False
        if self.empty(left.narrowed((pointer,))):
            return True
        other = self.tree.node([pointer])
        for some, against in ((left, other), (other, left)):
            values = self.implied.few_values(some)
            if values is not None and not any(map(self.checker(against), values)):
                return True
        if left.values is not None:
            return False
        narrowed = left.narrowed((pointer,))
        return any(
            not self.contained(some, self.tree.node([refused]))
            for refused in left.key.refused
            if refused in self.tree.linked.at
            for some in (other, narrowed)
        )

    def yielding(self, left: Node) -> bool:
        """Return True if loosening a branch of a choice on the left certainly rejects no data."""
        places = {*left.key.decided, *(choice.place for choice in left.choices)}
        exclusive = {place for place in places if place.endswith("/oneOf")}
        if not all(map(self._is_exclusive, exclusive)):
            return False
        missed = {branch for place in exclusive for branch in self._branches(place)}
        missed |= {*map(self.tree.linked.target, missed)}
        return missed.issuperset(left.key.refused) and all(
            place.endswith("/anyOf") or "/dependencies/" in place
            for place in places - exclusive - missed
        )

    def _is_exclusive(self, place: str) -> bool:
        """Return True if certainly no data meets two branches of a choice."""
        if place not in self._exclusive:
            branches = self._branches(place)
            self._exclusive[place] = len(branches) <= _MAX_EXCLUSIVE and all(
                self.disjoint(self.tree.node([one]), other)
                for one, other in combinations(branches, 2)
            )
        return self._exclusive[place]

    def checker(self, node: Node) -> Callable[[Any], bool]:
        """Return a function that says if a value satisfies all schemas of a node, by the engine."""
        refused = tuple(p for p in node.key.refused if p in self.tree.linked.at)
        key = (node.key.pointers, refused)
        if key not in self._checkers:
            linked = self.tree.linked.conjunction(*key)
            formats = all(map(self._asserts, node.key.pointers))
            validator = Validator.from_linked(linked, formats=formats, engine=self._engine)
            self._checkers[key] = validator.is_valid
        return self._checkers[key]

    def _lost_values(
        self, values: tuple[Any, ...], left: Node, right: Node
    ) -> tuple[list[Any], bool]:
        """Return the values of the left node that the right one refuses, and True if all were
        examined.
        """
        is_all = True
        listed = [Options(some) for _, some in right.said("enum")]
        listed += [Options([one]) for _, one in right.said("const")]
        kept = [value for value in values if all(value in some for some in listed)]
        gone = [value for value in values if not all(value in some for some in listed)]
        words = {word for _, schema in right.schemas for word in _words(schema)}
        if right.key.refused or not words <= {"enum", "const"}:
            # The engine looks through a list that holds arrays or objects from its beginning.
            size = max((len(some.values) for some in listed), default=1)
            if len(kept) * size <= _MAX_COMPARISONS:
                fits = self.checker(right)
                gone += [value for value in kept if not fits(value)]
            else:
                is_all = False
        if gone and len(gone) * len(values) <= _MAX_COMPARISONS:
            was = self.checker(left)
            gone = [value for value in gone if was(value)]
        return gone, is_all


def _are_many(obstacles: list[Obstacle]) -> bool:
    return len(obstacles) > _MAX_OBSTACLES and len(_few(obstacles)) < len(obstacles)


def _few(obstacles: list[Obstacle]) -> list[Obstacle]:
    """Return the first obstacles, as many as one pair may return."""
    kinds: set[tuple[str, ...]] = set()
    found: list[Obstacle] = []
    for obstacle in obstacles[:_MAX_PLACES]:
        kind = (obstacle.right_place, obstacle.fact, repr(obstacle.subject))
        if len(kinds) == _MAX_OBSTACLES and kind not in kinds:
            break
        kinds.add(kind)
        found.append(obstacle)
    return found


def _words(schema: Any) -> Iterable[str]:
    """Yield the keywords of a schema that assert something."""
    return schema.keys() - ANNOTATIONS - {"$id"} if type(schema) is dict else ["false"]


def _chosen(node: Node, obstacles: Iterable[Obstacle]) -> Iterator[Obstacle]:
    """Yield the obstacles, for data of the chosen node."""
    for obstacle in obstacles:
        yield obstacle._replace(around=((len(obstacle.path), node), *obstacle.around))


def _unsure(left: Node, right: Node) -> Obstacle:
    return Obstacle(
        (), "schema", EFFORT, right.pointer, left.pointer,
        leaf={"not": {"allOf": [reference(p) for p in right.key.pointers]}},
        left_node=left, right_node=right, rigid=0,
    )  # fmt: skip


def _kind_obstacles(left: Node, right: Node) -> Iterator[Obstacle]:
    """Yield the obstacle of the type that a node is narrowed to, as names of members are."""
    if {*left.kinds} > {right.key.kind}:
        yield Obstacle((), "type", "type", right.pointer, right=right.key.kind, leaf=True)


# Choices and negations (validation specification, sections 6.6 and 6.7): a choice of the right
# schema is met if one branch accepts all data of the left node. If different data needs different
# branches, the prover first splits the left node by its own choices.


def _choice_obstacles(
    prover: Prover, keyword: str, pointer: str, schema: dict[str, Any], left: Node
) -> list[Obstacle]:
    """Return the obstacles of one choice, of `_CHOICES`."""
    if keyword == "if":
        return _condition(prover, left, pointer, schema)
    place = f"{pointer}/{keyword}"
    if prover.deferred(left, place):
        leaf = {"not": _list(keyword, place, len(schema[keyword]))}
        return [_changed_choice(prover, keyword, place, left, leaf)]
    some = _any_of if keyword == "anyOf" else _one_of
    return some(prover, left, place, len(schema[keyword]))


def _refusal_obstacles(prover: Prover, left: Node, refused: str) -> list[Obstacle]:
    """Return the obstacle of a schema that must not match, unless the left node never does."""
    if prover.disjoint(left, refused):
        return []
    place = prover.tree.place(refused)
    return [_changed_choice(prover, "not", place, left, reference(place))]


def _changed(keyword: str, place: str, left: Node, leaf: Any) -> Obstacle:
    """Return the obstacle of a subschema as a whole."""
    return Obstacle((), keyword, keyword, place, left.place(keyword), leaf=leaf)


def _changed_choice(prover: Prover, keyword: str, place: str, left: Node, leaf: Any) -> Obstacle:
    rigid = None if keyword == "anyOf" or prover.yielding(left) else 0
    return _changed(keyword, place, left, leaf)._replace(rigid=rigid)


def _rigid(prover: Prover, left: Node, found: Iterable[Obstacle]) -> list[Obstacle]:
    """Return obstacles of a choice that may refuse more where one of them is loosened."""
    if prover.yielding(left):
        return [*found]
    return [one._replace(rigid=len(one.path)) for one in found]


def _any_of(prover: Prover, left: Node, place: str, size: int) -> list[Obstacle]:
    trials = []
    for index in prover.likely(left, place, size):
        branch = f"{place}/{index}"
        found = prover.contained(left, prover.tree.node([branch]))
        if not found:
            return []
        trials.append((branch, found))
    if any(_covers(prover, left, place, size, branch) for branch in _promising(trials, size)):
        return []
    whole = _changed("anyOf", place, left, {"not": _list("anyOf", place, size)})
    return _reported(prover, trials, left, whole)


def _one_of(prover: Prover, left: Node, place: str, size: int) -> list[Obstacle]:
    trials = []
    every = [f"{place}/{index}" for index in range(size)]
    for index in prover.likely(left, place, size):
        found = prover.contained(left, prover.tree.node([every[index]]))
        if found:
            trials.append((every[index], tuple(_rigid(prover, left, found))))
        elif all(prover.disjoint(left, other) for other in every if other != every[index]):
            return []
    if any(
        _covers(prover, left, place, size, branch) for branch in _promising(trials, size)
    ) and _apart(prover, left, every):
        return []
    leaf = {"not": _list("oneOf", place, size)}
    whole = _changed_choice(prover, "oneOf", place, left, leaf)
    if len(trials) < size:  # one fits, but others may fit, too
        return [whole]
    return _reported(prover, trials, left, whole)


def _condition(prover: Prover, left: Node, pointer: str, schema: dict[str, Any]) -> list[Obstacle]:
    """Return the obstacles with `if` matched and with `if` refused (section 6.6)."""
    condition = f"{pointer}/if"
    found: list[Obstacle] = []
    if "then" in schema:
        node = left.narrowed((condition,))
        found += prover.contained(node, prover.tree.node([f"{pointer}/then"]))
    if "else" in schema:
        node = left.narrowed(refused=(condition,))
        found += prover.contained(node, prover.tree.node([f"{pointer}/else"]))
    return _rigid(prover, left, found)


def _promising(trials: list[tuple[str, tuple[Obstacle, ...]]], size: int) -> list[str]:
    """Return the branches that may well be met by all that meets no other one."""
    if size > _MAX_COVERED:
        return []
    return [branch for branch, found in trials if len(found) <= _MAX_DETAILS]


def _covers(prover: Prover, left: Node, place: str, size: int, branch: str) -> bool:
    """Return True if all of the left node that meets no other branch surely meets this one."""
    others = tuple(f"{place}/{index}" for index in range(size) if f"{place}/{index}" != branch)
    rest = left.narrowed(refused=others)
    return not prover.contained(rest, prover.tree.node([branch]))


def _apart(prover: Prover, left: Node, branches: list[str]) -> bool:
    """Return True if certainly no data of the left node meets two of the branches."""
    return all(
        prover.disjoint(left.narrowed((one,)), other) for one, other in combinations(branches, 2)
    )


def _reported(
    prover: Prover,
    trials: list[tuple[str, tuple[Obstacle, ...]]],
    left: Node,
    whole: Obstacle,
) -> list[Obstacle]:
    """Return the obstacles of the most likely branch, or that of the choice as a whole.

    While the left node has choices, too, these are to be made first. A branch that is one of
    the left schema's other branches is not what became of this one.
    """
    if any(choice.keyword != "not" for choice in left.choices):
        return [whole]
    taken = prover.taken(left)
    others = [found for branch, found in trials if prover.same.class_of(branch) not in taken]
    best = min(others, default=None, key=lambda found: (_is_of_another_type(found), len(found)))
    if best is not None and len(best) <= _MAX_DETAILS:
        return [one._replace(against=((len(one.path), whole.leaf), *one.against)) for one in best]
    removed = taken and all(map(_is_of_another_type, others))
    return [whole._replace(subject="branch" if removed else None)]


def _is_of_another_type(found: tuple[Obstacle, ...]) -> bool:
    """Return True if a branch is not what became of another: it does not allow its type."""
    return any(one.fact == "type" and not one.path for one in found)


def _list(keyword: str, place: str, size: int) -> dict[str, Any]:
    return {keyword: [reference(f"{place}/{index}") for index in range(size)]}


# The content of arrays and objects (sections 6.4 and 6.5)


def _member_obstacles(
    prover: Prover, left: Node, right: Node, without: str | None
) -> Iterator[Obstacle]:
    """Members by name, by pattern, and all others (6.5.4 to 6.5.6); `without` is left out."""
    if "object" not in left.kinds:
        return
    members = prover.implied.members(left)
    names = dict.fromkeys((*left.properties, *right.properties, *sorted(members.possible or ())))
    for name in names:
        if name != without and name not in left.absent and members.may_have(name):
            yield from _member(prover, left.child(name), right.child(name), left, name)
    if members.possible is None:
        yield from _other_members(prover, left, right, frozenset(names))


def _member(prover: Prover, left: Node, right: Node, around: Node, name: str) -> Iterator[Obstacle]:
    if prover.empty(left):
        return
    token = Token(name, name)
    if any(schema is False for _, schema in right.schemas):
        place = next(pointer for pointer, schema in right.schemas if schema is False)
        where = around.place("properties")
        where = next((p for p, _ in left.schemas), where)
        gone = Obstacle((), place.rpartition("/")[2], "member", place, where, name, leaf=True)
        if gone.keyword != "additionalProperties":
            gone = gone._replace(keyword="properties")
        yield gone._replace(left_node=left, right_node=right).under(token, around)
        return
    for obstacle in prover.inside(left, right):
        yield obstacle.under(token, around)


def _other_members(
    prover: Prover, left: Node, right: Node, names: frozenset[str]
) -> Iterator[Obstacle]:
    """Yield the obstacles of members that `properties` does not name.

    Several patterns may match a name. Since it is unknown which ones do, each pattern of the left
    node is compared with each requirement of the right one that may apply.
    """
    every = left.patterns
    groups: dict[str | None, Node] = {pattern: left.described_by(pattern) for pattern in every}
    groups[None] = left.other
    for pattern in right.patterns:
        asked = right.described_by(pattern)
        fit = [pattern] if pattern in groups else [*groups]
        for one in fit:
            # What no pattern of the left describes may be described by this one of the right.
            if _is_name(left, [pattern, one], [*every] if one is None else []):
                yield from _others(prover, left, groups[one], asked, pattern, names)
    for pointer, schema in right.schemas:
        if type(schema) is dict and "additionalProperties" in schema:
            asked = right.tree.node([f"{pointer}/additionalProperties"])
            described = schema.get("patternProperties", ())
            for one, node in groups.items():
                if _is_name(left, [one], [*described, *(every if one is None else ())]):
                    yield from _others(prover, left, node, asked, one, names)


def _is_name(node: Node, matched: list[str | None], missed: list[str]) -> bool:
    """Return False if certainly no member has a name with some patterns and without others."""
    patterns = {one for one in matched if one is not None}
    if not patterns.isdisjoint(missed):
        return False
    named = patterns.union(node.names.texts("pattern"))
    return not find_text(frozenset(named), frozenset(missed)).none


def _others(
    prover: Prover,
    around: Node,
    left: Node,
    right: Node,
    pattern: str | None,
    names: frozenset[str],
) -> Iterator[Obstacle]:
    if prover.empty(left):
        return
    found = prover.inside(left, right)
    if not found:
        return
    token = Token("*", _example(around, pattern, names))
    if any(schema is False for _, schema in right.schemas):
        place = next(pointer for pointer, schema in right.schemas if schema is False)
        keyword = "additionalProperties" if pattern is None else "patternProperties"
        gone = Obstacle((), keyword, "others", place, "", pattern, leaf=True)
        yield gone._replace(left_node=left, right_node=right).under(token, around)
        return
    for obstacle in found:
        yield obstacle.under(token, around)


def _example(node: Node, pattern: str | None, names: frozenset[str]) -> str:
    """Return a name that only this describes, as far as one is found."""
    if pattern is not None:
        maker = TextPattern(pattern)
        for turn in range(_TRIES):
            made = maker.make(StreamChooser(f"name/{turn}").randbelow)
            if made is not None and made not in names:
                return made
    if node.place("propertyNames"):
        allowed = Validator.from_linked(
            node.tree.linked.conjunction(node.names.key.pointers)
        ).is_valid
        listed = [name for name in node.names.values or () if name not in names]
        makers = [TextPattern(text) for text in node.names.texts("pattern")]
        texts = (
            m.make(StreamChooser(f"name/{turn}").randbelow)
            for m in makers
            for turn in range(_TRIES)
        )
        for one in (*_NAMES, *listed, *texts):
            if type(one) is str and one not in names and allowed(one):
                return one
    fits = [name for name in _NAMES if name not in names]
    return next((name for name in fits if node.child(name).kinds), (fits or ["other"])[0])


def _object_obstacles(
    prover: Prover, left: Node, pointer: str, schema: dict[str, Any]
) -> Iterator[Obstacle]:
    """Yield the obstacles of required members, dependencies and names (6.5.3, 6.5.7, 6.5.8)."""
    if "object" not in left.kinds:
        return
    there = prover.implied.members(left).required
    for name in schema.get("required", ()):
        if name not in there:
            leaf = {"type": "object", "not": {"required": [name]}}
            yield Obstacle(
                (), "required", "required", f"{pointer}/required", left.place("required"),
                name, None, schema["required"], leaf,
            )  # fmt: skip
    for name, needed in schema.get("dependencies", {}).items():
        yield from _dependency(prover, left, pointer, name, needed)
    if "propertyNames" in schema:
        asked = left.tree.node([f"{pointer}/propertyNames"])
        if not _names_fit(prover, left, asked):
            leaf = {"type": "object", "not": {"propertyNames": reference(asked.pointer)}}
            place = f"{pointer}/propertyNames"
            yield _changed("propertyNames", place, left, leaf)


def _names_fit(prover: Prover, left: Node, asked: Node) -> bool:
    if not prover.inside(left.names, asked):
        return True
    if not prover.empty(left.other):
        return False
    fits = prover.checker(asked)
    return all(fits(name) or prover.empty(left.child(name)) for name in left.properties) and all(
        _pattern_fits(left, pattern, asked) for pattern in left.patterns
    )


def _pattern_fits(left: Node, pattern: str, asked: Node) -> bool:
    """Return True if all names that match a pattern certainly fit the patterns and lengths."""
    said = [item for _, schema in asked.schemas if type(schema) is dict for item in schema.items()]
    words = {word for word, value in said if word != "format" or value in FORMATS}
    if asked.key.refused or not words - ANNOTATIONS <= _OF_NAMES or "string" not in asked.kinds:
        return False
    named = frozenset({pattern, *left.names.texts("pattern")})
    short, most = asked.least("minLength"), asked.most("maxLength")
    wrong = [find_text(named, frozenset({text})) for text in asked.texts("pattern")]
    wrong += [find_text(named, frozenset(), 0, short - 1)] if short else []
    wrong += [find_text(named, frozenset(), most + 1)] if most is not None else []
    return all(one.none for one in wrong)


def _dependency(
    prover: Prover, left: Node, pointer: str, name: str, needed: Any
) -> Iterator[Obstacle]:
    members = prover.implied.members(left)
    if prover.empty(left.child(name)) or name in left.absent or not members.may_have(name):
        return
    place = f"{pointer}/dependencies/{escape_token(name)}"
    if is_schema(needed):
        with_it = left.narrowed(kind="object", present=(*left.key.present, name))
        yield from prover.contained(with_it, left.tree.node([place]))
        return
    there = closure((*members.required, name), left.dependencies)
    for other in needed:
        if other not in there:
            leaf = {"type": "object", "required": [name], "not": {"required": [other]}}
            yield Obstacle(
                (), "dependencies", "dependency", place, left.place("dependencies"),
                [name, other], None, needed, leaf,
            )  # fmt: skip


def _item_obstacles(prover: Prover, left: Node, right: Node) -> Iterator[Obstacle]:
    """Items, by index and all others (section 6.4.1 and 6.4.2)."""
    most = prover.implied.longest(left)
    if "array" not in left.kinds or most == 0:
        return
    described = max(left.tuple_length, right.tuple_length)
    for index in range(described + 1):
        if most is not None and index >= most:
            return
        inner = left.item(index)
        if prover.empty(inner):  # so there are no items after it, either
            return
        token = Token(str(index) if index < described else "*", index)
        asked = right.item(index)
        nothing = [place for place, schema in asked.schemas if schema is False]
        if nothing:
            gone = Obstacle((), "items", "items", nothing[0], "", index, leaf=True)
            yield gone._replace(left_node=inner, right_node=asked).under(token, left)
            continue
        for obstacle in prover.inside(inner, asked):
            yield obstacle.under(token, left)


def _contains_obstacles(prover: Prover, left: Node, place: str) -> Iterator[Obstacle]:
    """Section 6.4.6."""
    if "array" not in left.kinds:
        return
    asked = left.tree.node([place])
    for other in left.contains:
        if not prover.inside(left.tree.node([other]), asked):
            return
    some = least(left, "minItems") >= 1 or left.contains
    if some and not left.tuple_length and not prover.inside(left.item(0), asked):
        return
    leaf = {"type": "array", "not": {"contains": reference(place)}}
    value = left.tree.linked.at[place]
    yield plain(left, "", "contains", value)._replace(right_place=place, leaf=leaf)
