"""Data of schemas made for the purpose, within one budget for all of them, and data around a value.

How much is tried is counted, so that the answer is the same on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from widgetschema.errors import SchemaError
from widgetschema.evolution.compare.joined import BudgetedTree, reference, with_schema
from widgetschema.evolution.compare.obstacles import Obstacle, Token, at_path
from widgetschema.samples.choosers import LeastChooser, StreamChooser
from widgetschema.samples.model import (
    MAX_CONTAINERS,
    Chooser,
    DeadEnd,
    MemberNodes,
    NamedMembers,
    Path,
    size_of,
)
from widgetschema.samples.objects import closure
from widgetschema.samples.plan import Plan
from widgetschema.samples.values.locales import load_locale
from widgetschema.schema.linking import LinkedSchema
from widgetschema.schema.tree import Node
from widgetschema.validation import Validator

_MAX_SAMPLES: Final = 12  # samples of each schema
_MAX_FAILURES: Final = 100  # failed attempts within one of them
_MAX_REQUIRED: Final = 10_000  # arrays and objects in one of them, beyond the usual number
_EFFORT_PER_VALUE: Final = 6  # to make, to check and to keep it
_MEMBERS_PER_EFFORT: Final = 5  # of the objects for which a plan prepares
_MAX_SUITED: Final = 3  # values that get data around them of their own
_MAX_LINKED: Final = 600_000  # subschemas that are linked for all schemas together


class Budget(NamedTuple):
    """The effort that data may take: in all, for one schema, and for one purpose; and a proof.

    A unit is a node of a schema tree, or an array or object; each value in the data that is made
    counts, so that what is large is bounded as what is many.
    """

    total: int = 600_000
    schema: int = 20_000
    purpose: int = 60_000
    proof: int = 100_000


DEFAULT_BUDGET: Final = Budget()


class BudgetedPlan(Plan):
    """A plan that counts the members of its objects as effort of its tree."""

    tree: BudgetedTree

    def members(self, node: Node, names: tuple[str, ...]) -> tuple[MemberNodes, NamedMembers]:
        """Return the members of an object that have names of their own. Raises `DeadEnd`."""
        found = super().members(node, names)
        self.tree.spend(len(found[0].nodes) // _MEMBERS_PER_EFFORT)
        return found

    def leave_out(self, stuck: DeadEnd, chooser: Chooser, path: Path) -> None:
        """Do nothing: what is made is only a proposal."""


class Maker:
    """Makes data for schemas that refer to pointers into both schemas of a comparison.

    The data is a proposal: it is valid by the given schema, as the engine of the older schema
    decides.
    """

    def __init__(self, old: Validator, both: LinkedSchema, budget: Budget) -> None:
        self.old = old
        self.both = both
        self.is_cut = False  # effort ran out before all was tried for the current purpose
        self._budget = budget
        self._trees: list[BudgetedTree] = []
        self._made = 0  # effort for all data that was made, or failed to be made
        self._linked = 0
        self._kept = 0  # effort that is left for other purposes
        self._known: dict[str, tuple[Iterator[Any], list[Any]]] = {}

    def begin(self) -> None:
        """Begin to make data for another purpose, with a share of the remaining effort."""
        self._kept = 0
        self._kept = max(0, self.effort - self._budget.purpose)
        self.is_cut = False

    @property
    def effort(self) -> int:
        """The remaining effort for the current purpose."""
        if self._linked > _MAX_LINKED:
            return 0
        spent = self._made + sum(tree.effort_spent for tree in self._trees)
        return self._budget.total - spent - self._kept

    def spend(self, effort: int) -> None:
        """Count effort that was spent elsewhere."""
        self._made += effort
        self.is_cut |= self.effort <= 0

    def made(self, schema: Any) -> Iterator[Any]:
        """Yield data of a schema: the least, then some samples; made once for equal schemas."""
        key = json.dumps(schema)
        if key not in self._known:
            if self.effort <= 0:
                self.is_cut = True
                return
            self._known[key] = (self._make(schema), [])
        more, done = self._known[key]
        at = 0
        while True:
            if at == len(done):
                try:
                    done.append(next(more))
                except StopIteration:
                    return
            yield done[at]
            at += 1

    def first(self, schema: Any) -> tuple[Any] | None:
        """Return the least data of a schema, if any is found."""
        return next(((data,) for data in self.made(schema)), None)

    def plan(self, validator: Validator) -> BudgetedPlan:
        """Return a plan of a schema, within the remaining effort. Raises `DeadEnd`."""
        tree = BudgetedTree(validator.linked, self.old.matches)
        tree.limit = max(0, min(self.effort, self._budget.schema))
        self._trees.append(tree)
        return BudgetedPlan(
            tree, load_locale("en"), formats=validator.formats, engine=validator.engine
        )

    def attempt(self, plan: BudgetedPlan, chooser: Chooser) -> tuple[Any] | None:
        """Return data of a plan, if the attempt leads anywhere."""
        if self.effort <= 0:
            self.is_cut = True
            return None
        chooser.effort, chooser.floor = _MAX_FAILURES, -_MAX_REQUIRED
        try:
            data = plan.root.make(chooser, ())
            self._made += _EFFORT_PER_VALUE * size_of(data)
        except (DeadEnd, SchemaError, RecursionError, OverflowError):
            return None
        finally:
            self._made += MAX_CONTAINERS - chooser.budget
            self.is_cut |= plan.tree.is_exhausted
        return (data,)

    def _make(self, schema: Any) -> Iterator[Any]:
        linked = with_schema(self.both, schema)
        self._linked += len(linked.at)
        try:
            validator = Validator.from_linked(
                linked, formats=self.old.formats, engine=self.old.engine
            )
            plan = self.plan(validator)
        except (SchemaError, DeadEnd):
            return
        for turn in range(_MAX_SAMPLES):
            data = self.attempt(plan, _chooser(turn))
            if data is not None and validator.is_valid(data[0]):
                yield data[0]


def schemas_around(node: Node) -> list[Any]:
    """Return the requirements of a node, as schemas that refer to it."""
    at = node.tree.linked.at
    found: list[Any] = [reference(pointer) for pointer in node.key.pointers]
    found += [{"not": reference(p)} for p in node.key.refused if p in at]
    if node.key.kind is not None:
        found.append({"type": node.key.kind})
    if node.key.present:
        found.append({"required": [*node.key.present]})
    return found + [{"not": {"required": [name]}} for name in node.key.absent]


def _chooser(turn: int) -> Chooser:
    """Return the chooser of an attempt, the simplest first."""
    if turn < _MAX_SAMPLES // 2:
        return LeastChooser(f"least/{turn}") if turn else Chooser()
    return StreamChooser(f"some/{turn}", turn % 3 / 2)


class Surroundings:
    """Builds data of the older schema around values, place by place.

    A value is put into the smallest data of its parent that has this member or item, and so on up
    to the root. Only these places are visited, and their data is reused for all places below.
    """

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._carriers: dict[tuple[Any, str | int], tuple[Any] | None] = {}

    def data(self, obstacle: Obstacle, leaf: Any) -> Iterator[Any]:
        """Yield data with a value at the place of an obstacle that is valid by `leaf`."""
        for value in self._maker.made(leaf):
            yield from self._around(obstacle.trail, obstacle.path, value)
        for value in islice(self._maker.made(leaf), _MAX_SUITED):
            yield from self._suited(obstacle.trail, obstacle.path, value)
        if not obstacle.against:
            return
        # The choice whose other branches must not match is made as a whole.
        depth = len(obstacle.path) - max(steps for steps, _ in obstacle.against)
        outside, inside = obstacle.trail[:depth], obstacle.trail[depth:]
        around: dict[int, list[Any]] = {}
        for steps, refused in obstacle.against:
            around.setdefault(steps, []).append(refused)
        for steps, node in enumerate(reversed(inside), 1):
            around.setdefault(steps, []).extend(schemas_around(node))
        for value in self._maker.made(at_path(obstacle.path[depth:], leaf, around)):
            yield from self._around(outside, obstacle.path[:depth], value)

    def _around(self, trail: Sequence[Node], path: Sequence[Token], value: Any) -> Iterator[Any]:
        """Yield a value with the smallest data around it, if there is any."""
        for node, token in zip(reversed(trail), reversed(path), strict=True):
            carrier = self._carrier(node, token.actual)
            if carrier is None:
                return
            value = put(carrier[0], token.actual, value)
        yield value

    def _suited(self, trail: Sequence[Node], path: Sequence[Token], value: Any) -> Iterator[Any]:
        """Yield a value with data around it that is made for this value."""
        for node, token in zip(reversed(trail), reversed(path), strict=True):
            suits = at_path((token,), {"const": value}, {1: schemas_around(node)})
            found = self._maker.first(suits)
            if found is None:
                return
            value = found[0]
        yield value

    def _carrier(self, node: Node, step: str | int) -> tuple[Any] | None:
        """Return the smallest data of a node that has a member or item at a place."""
        key = (node.key, step)
        if key not in self._carriers:
            found = self._frame(node, step)
            if found is None:
                wanted = at_path((Token("", step),), True, {1: schemas_around(node)})
                found = self._maker.first(wanted)
            self._carriers[key] = found
        return self._carriers[key]

    def _frame(self, node: Node, step: str | int) -> tuple[Any] | None:
        """Return an array or object with no more than must be there, put together item by item."""
        frame: Any = {}
        inner: list[tuple[Any, Node]]
        if type(step) is int:
            frame = [None] * max(node.least("minItems"), step)
            inner = [(index, node.item(index)) for index in range(len(frame)) if index != step]
        else:
            there = closure(node.required, node.dependencies)
            inner = [(name, node.child(name)) for name in there if name != step]
        for name, child in inner:
            least = self._maker.first({"allOf": [True, *schemas_around(child)]})
            if least is None:
                return None
            frame[name] = least[0]
        return (frame,)


def put(data: Any, step: str | int, value: Any) -> Any:
    """Return a copy of an array or object with a value at a place, which may be a new one."""
    if type(data) is list:
        assert type(step) is int
        return [*data[:step], value, *data[step + 1 :]]
    return {**data, step: value}
