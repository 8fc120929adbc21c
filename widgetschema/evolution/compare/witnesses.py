"""The search for data that was valid and no longer is, decided by both validators.

The sampler is asked for data of a schema made for the purpose: all that the older schema asks
for, and at the place of the change something that the newer one refuses. What it gives is only a
proposal. How much is tried is counted, so that the answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from widgetschema.errors import SchemaError
from widgetschema.evolution.compare.changes import Witness
from widgetschema.evolution.compare.joined import BudgetedTree, own_pointer, reference, with_schema
from widgetschema.evolution.compare.obstacles import Obstacle, at_path
from widgetschema.findings import Finding
from widgetschema.pointers import matches
from widgetschema.samples.choosers import LeastChooser, StreamChooser
from widgetschema.samples.coverage import Coverage
from widgetschema.samples.model import Chooser, DeadEnd
from widgetschema.samples.near_misses import NearMisses
from widgetschema.samples.plan import Plan
from widgetschema.samples.values.locales import load_locale
from widgetschema.schema.linking import LinkedSchema
from widgetschema.schema.tree import Node
from widgetschema.validation import Validator

_TURNS: Final = 12  # tries for each schema that is made
_TRIES: Final = 100  # that may be in vain within one of them
_POOL_CASES: Final = 60  # of the coverage set, and of the near-misses
_POOL_SAMPLES: Final = 24
_EFFORT: Final = 120_000  # of the trees of all searches together
_LINKED: Final = 30_000  # subschemas that are linked for all searches together
_MOST: Final = 60  # searches
_MOST_FINDINGS: Final = 1_000  # of one witness
_MOST_LARGE: Final = 4_000  # subschemas of which the coverage set is made

Matches = Callable[[str, str], bool]


class Witnesses:
    """Searches for one pair of schemas; `both` is `beside` of them."""

    def __init__(
        self, old: Validator, new: Validator, both: LinkedSchema, matches: Matches
    ) -> None:
        self.old = old
        self.new = new
        self.both = both
        self._matches = matches
        self._trees: list[BudgetedTree] = []
        self._beyond = 0  # arrays and objects beyond the usual number, in all data that was made
        self._searches = min(_MOST, max(2, _LINKED // max(1, len(both.at))))

    def find(self, obstacles: Sequence[Obstacle]) -> list[Witness | None]:
        """Return a witness of each obstacle, if one is found: for it alone, or else one that
        shows it.
        """
        found = [self._directed(one) for one in obstacles[:_MOST]]
        found += [None] * (len(obstacles) - len(found))
        shared = [one for one in found if one is not None]
        for index, obstacle in enumerate(obstacles):
            if found[index] is None:
                fits = (one for one in shared if shows(one, obstacle))
                found[index] = next(fits, None)
        if obstacles and not all(found):
            shared += self._pool
            for index, obstacle in enumerate(obstacles):
                if found[index] is None:
                    fits = (one for one in self._pool if shows(one, obstacle))
                    found[index] = next(fits, None)
        return found

    def anything(self, root: str) -> Witness | None:
        """Return data that was valid and is not by the schema at `root`, wherever that is seen."""
        if self._pool:
            return self._pool[0]
        refused = {"allOf": [reference(self.both.root), {"not": reference(root)}]}
        proven = filter(None, map(self.confirm, self._made(refused)))
        return next(proven, None)

    def confirm(self, data: Any) -> Witness | None:
        """Return data as a witness, if it is one."""
        if not self.old.is_valid(data):
            return None
        findings = self.new.check(data, max_findings=_MOST_FINDINGS).findings
        return Witness(data, findings) if findings else None

    def _directed(self, obstacle: Obstacle) -> Witness | None:
        """Return a witness from data that is made to meet an obstacle; the best of the first
        few.
        """
        if self._effort <= 0:
            return None
        for some in self._ways(obstacle):
            near: Witness | None = None
            for witness in filter(None, map(self.confirm, some)):
                if shows(witness, obstacle):
                    return witness
                if near is None and is_near(witness, obstacle):
                    near = witness
            if near is not None:
                return near
        return None

    def _ways(self, obstacle: Obstacle) -> Iterator[Iterator[Any]]:
        """Yield data that may meet an obstacle, the cheapest first."""
        tokens = [token.actual for token in obstacle.path]
        least = self._least if tokens and not obstacle.around else None
        around: dict[int, list[Any]] = {}
        for steps, node in obstacle.around:
            around.setdefault(steps, []).extend(_schemas_around(node))
        if least is not None and reachable(least[0], tokens):
            # The least data of the older schema, with what is asked for put where it belongs.
            for leaf in self._leaves(obstacle):
                yield (put(least[0], tokens, value) for value in self._made(leaf))
        for leaf in self._leaves(obstacle):
            if self._searches <= 0:
                return
            self._searches -= 1
            wanted = {"allOf": [reference(self.both.root), at_path(obstacle.path, leaf, around)]}
            yield self._made(wanted)

    def _leaves(self, obstacle: Obstacle) -> Iterator[Any]:
        """Schemas for the place of an obstacle: what it is about, then whatever is refused."""
        left, right = obstacle.left_node, obstacle.right_node
        around = [] if left is None else _schemas_around(left)
        if obstacle.fact == "propertyNames" and left is not None:
            name = {
                "allOf": [
                    *_schemas_around(left.names),
                    {"not": obstacle.leaf["not"]["propertyNames"]},
                ]
            }
            for found in self._made({"type": "string", **name}):
                yield {"allOf": [*around, {"type": "object", "required": [found]}]}
        elif obstacle.leaf is not None:
            yield {"allOf": [*around, obstacle.leaf]}
        if right is not None:
            demands = _schemas_around(right)
            yield {"allOf": [*around, {"not": {"allOf": demands}} if demands else True]}

    def _made(self, schema: Any) -> Iterator[Any]:
        """Yield data of a schema: the least, then some samples."""
        linked = with_schema(self.both, schema)
        try:
            validator = Validator.from_linked(
                linked, formats=self.old.formats, engine=self.old.engine
            )
            plan = self._plan(validator)
        except (SchemaError, DeadEnd):
            return
        for turn in range(_TURNS):
            data = self._attempt(plan, _chooser(turn))
            if data is not None and validator.is_valid(data[0]):
                yield data[0]

    def _plan(self, validator: Validator) -> Plan:
        """Return a plan of a schema, with what is left of all effort."""
        tree = BudgetedTree(validator.linked, self._matches)
        tree.limit = max(0, min(self._effort, _EFFORT // 4))
        self._trees.append(tree)
        return Plan(tree, load_locale("en"), formats=validator.formats, engine=validator.engine)

    @property
    def _effort(self) -> int:
        """Return what is left of all effort."""
        return _EFFORT - self._beyond - sum(tree.effort_spent for tree in self._trees)

    def _attempt(self, plan: Plan, chooser: Chooser) -> tuple[Any] | None:
        chooser.effort = _TRIES
        try:
            return (plan.root.make(chooser, ()),)
        except (DeadEnd, SchemaError, RecursionError, OverflowError):
            return None
        finally:
            self._beyond += max(0, -chooser.budget)

    @cached_property
    def _least(self) -> tuple[Any] | None:
        """The least data of the older schema."""
        try:
            plan = self._plan(self.old)
        except DeadEnd:
            return None
        made = [self._attempt(plan, _chooser(turn)) for turn in range(_TURNS)]
        fits = [one for one in made if one is not None and self.old.is_valid(one[0])]
        return min(fits, key=lambda one: len(repr(one[0])), default=None)

    @cached_property
    def _pool(self) -> list[Witness]:
        """Witnesses among what can be made of either schema, without knowing what for."""
        found = [one for one in map(self.confirm, self._proposals()) if one is not None]
        return sorted(found, key=lambda one: len(repr(one.data)))  # the least is the best to read

    def _proposals(self) -> Iterator[Any]:
        try:
            plan = self._plan(self.old)
            for turn in range(_POOL_SAMPLES):
                yield from self._attempt(plan, StreamChooser(f"sample/{turn}")) or ()
            if len(self.both.at) > _MOST_LARGE:
                return
            covered = Coverage(self._plan(self.old), self.old, _POOL_CASES).run()
            yield from (case.data for case in covered)
            explored = Coverage(self._plan(self.new), self.new, _POOL_CASES)
            explored.explore(places=True)
            near = NearMisses(self.new).run(explored.bases, _POOL_CASES)
            yield from (case.data for case in near)
        except (DeadEnd, SchemaError, RecursionError, OverflowError):
            return


def _chooser(turn: int) -> Chooser:
    """Return the chooser of an attempt, the simplest first."""
    if turn < _TURNS // 2:
        return LeastChooser(f"least/{turn}") if turn else Chooser()
    return StreamChooser(f"some/{turn}", turn % 3 / 2)


def _schemas_around(node: Node) -> list[Any]:
    """Return what a node asks for, as schemas that refer to it."""
    at = node.tree.linked.at
    found: list[Any] = [reference(pointer) for pointer in node.key.pointers]
    found += [{"not": reference(p)} for p in node.key.refused if p in at]
    if node.key.present:
        found.append({"required": [*node.key.present]})
    return found + [{"not": {"required": [name]}} for name in node.key.absent]


def shows(witness: Witness, obstacle: Obstacle) -> bool:
    """Return True if a finding of a witness is about the very keyword of an obstacle."""
    place = own_pointer(obstacle.right_place)
    return any(one.schema_path == place and _fits(one, obstacle) for one in witness.findings)


def _fits(finding: Finding, obstacle: Obstacle) -> bool:
    """Return True if a finding is about the same member or value, where there are several."""
    if obstacle.fact == "required":
        return bool(finding.expected == obstacle.subject)
    return matches(obstacle.shown_path, finding.path)


def is_near(witness: Witness, obstacle: Obstacle) -> bool:
    """Return True if a finding of a witness is at the place of an obstacle, above it, or inside."""
    path = obstacle.actual_path
    return any(
        f"{path}/".startswith(f"{one.path}/") or one.path.startswith(f"{path}/")
        for one in witness.findings
    )


def reachable(data: Any, path: Sequence[str | int]) -> bool:
    """Return True if data has a place where a value can be put at a path."""
    if not path:
        return False
    for step in path[:-1]:
        if type(data) is dict and step in data:
            data = data[step]
            continue
        if type(data) is not list or type(step) is not int or step >= len(data):
            return False
        data = data[step]
    last = path[-1]
    if type(data) is list:
        return type(last) is int and last <= len(data)
    return type(data) is dict and type(last) is str


def put(data: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a copy of data with a value at a path, which is `reachable`."""
    step, rest = path[0], path[1:]
    if type(data) is list:
        assert type(step) is int
        inner = put(data[step], rest, value) if rest else value
        return [*data[:step], inner, *data[step + 1 :]]
    return {**data, step: put(data[step], rest, value) if rest else value}
