"""`ContainmentProver`: prove that one schema accepts all data that another one accepts.

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
    few_values,
    leaf_obstacles,
    texts_of,
    value_obstacles,
)
from widgetschema.evolution.compare.choices import CHOICES, choice_obstacles, refusal_obstacles
from widgetschema.evolution.compare.containers import (
    contains_obstacles,
    item_obstacles,
    member_obstacles,
    object_obstacles,
)
from widgetschema.evolution.compare.equivalence import Equivalence
from widgetschema.evolution.compare.joined import BudgetedTree, reference
from widgetschema.evolution.compare.obstacles import EFFORT, Obstacle, Prover, without_repeats
from widgetschema.jsontext.equality import Options
from widgetschema.schema.linking import ANNOTATIONS
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
_MAX_OBSTACLES: Final = 200  # that one pair may return


class Requirement(NamedTuple):
    """A requirement, as a function that returns its obstacles for a left node.

    `choice` is its place if the requirement is a choice.
    """

    obstacles: Callable[[Node], Iterable[Obstacle]]
    choice: str = ""


class ContainmentProver(Prover):
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
        few = few_values(left)
        if few is not None and self._lost_values(tuple(few), left, asked) == ([], True):
            return ()
        told: list[Obstacle] = []
        for requirement in self._requirements(left, asked, without):
            told += self._after_choices(left, asked, requirement, _MAX_SPLIT_DEPTH)
            if len(told) > _MAX_OBSTACLES:
                return (*without_repeats(told[:_MAX_OBSTACLES]), _unsure(left, asked))
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
                partial(leaf_obstacles, pointer=pointer, schema=schema, of=self._asserts)
            )
            yield Requirement(partial(object_obstacles, self, pointer=pointer, schema=schema))
            if "contains" in schema:
                yield Requirement(partial(contains_obstacles, self, place=f"{pointer}/contains"))
            for keyword in CHOICES:
                if keyword in schema:
                    found = partial(choice_obstacles, self, keyword, pointer, schema)
                    yield Requirement(found, choice=f"{pointer}/{keyword}")
        if right.key.kind is not None:
            yield Requirement(partial(_kind_obstacles, right=right))
        yield Requirement(partial(member_obstacles, self, right=right, without=without))
        yield Requirement(partial(item_obstacles, self, right=right))
        for refused in right.key.refused:
            yield Requirement(partial(refusal_obstacles, self, refused=refused))

    def _with_nodes(self, obstacles: Iterable[Obstacle], left: Node, right: Node) -> list[Obstacle]:
        return [
            one._replace(left_node=left, right_node=right) if one.left_node is None else one
            for one in islice(obstacles, _MAX_OBSTACLES + 1)
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
                if len(parts) > _MAX_OBSTACLES or self.exhausted:
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
        places = ([branch.pointer for branch in one.branches] for one in left.choices)
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
        if left.values is not None:
            fits = self.checker(other)
            return not any(map(fits, left.values))
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


def _words(schema: Any) -> Iterable[str]:
    """Yield the keywords of a schema that assert something."""
    return schema.keys() - ANNOTATIONS - {"$id"} if type(schema) is dict else ["false"]


def _chosen(node: Node, obstacles: Iterable[Obstacle]) -> Iterator[Obstacle]:
    """Yield the obstacles, for data of the chosen node."""
    for one in obstacles:
        yield one._replace(around=((len(one.path), node), *one.around))


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
