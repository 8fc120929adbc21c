"""The search for data that was valid and no longer is, decided by both validators.

The sampler makes data of a special schema: the older schema, and at the place of the change a value
that the newer schema rejects. This data is only a proposal. Effort is counted in steps, so the
answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from widgetschema.errors import SchemaError
from widgetschema.evolution.compare.changes import Witness
from widgetschema.evolution.compare.joined import own_pointer, reference
from widgetschema.evolution.compare.making import Maker, Matches, schemas_around
from widgetschema.evolution.compare.obstacles import Obstacle, at_path
from widgetschema.evolution.compare.surroundings import Surroundings
from widgetschema.findings import Finding
from widgetschema.pointers import matches
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.coverage import Coverage
from widgetschema.samples.model import DeadEnd
from widgetschema.samples.near_misses import NearMisses
from widgetschema.schema.linking import LinkedSchema
from widgetschema.validation import Validator

_POOL_CASES: Final = 60  # of the coverage set, and of the near-misses
_SAMPLES_PER_SCHEMA: Final = 24
_MAX_LINKED: Final = 30_000  # subschemas that are linked for searches of whole documents together
_MAX_SEARCHES: Final = 60  # searches of whole documents
_MAX_FINDINGS: Final = 1_000  # of one witness
_MAX_COVERED_SIZE: Final = 4_000  # subschemas in a schema whose coverage set is made


class Witnesses:
    """Searches for one pair of schemas; `both` is the result of `join_schemas`."""

    def __init__(
        self, old: Validator, new: Validator, both: LinkedSchema, matches: Matches
    ) -> None:
        self.old = old
        self.new = new
        self.both = both
        self._maker = Maker(old, both, matches)
        self._surroundings = Surroundings(self._maker)
        self._searches = min(_MAX_SEARCHES, max(2, _MAX_LINKED // max(1, len(both.at))))

    def find(self, obstacles: Sequence[Obstacle]) -> list[Witness | None]:
        """Return a witness of each obstacle, if found: its own, or another one that shows it."""
        found = [self._directed(one) for one in obstacles]
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
        """Return data that was valid and is invalid by the schema at `root`, at any place."""
        if self._pool:
            return self._pool[0]
        refused = {"allOf": [reference(self.both.root), {"not": reference(root)}]}
        proven = filter(None, map(self.confirm, self._maker.made(refused)))
        return next(proven, None)

    def confirm(self, data: Any) -> Witness | None:
        """Return data as a witness, if it is one."""
        if not self.old.is_valid(data):
            return None
        findings = self.new.check(data, max_findings=_MAX_FINDINGS).findings
        return Witness(data, findings) if findings else None

    def _directed(self, obstacle: Obstacle) -> Witness | None:
        """Return a witness from data that is made to meet an obstacle; the best of the first
        few.
        """
        self._maker.begin()
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
        for leaf in self._leaves(obstacle):
            yield self._surroundings.data(obstacle, leaf)
        around: dict[int, list[Any]] = {}
        for steps, node in obstacle.around:
            around.setdefault(steps, []).extend(schemas_around(node))
        for steps, refused in obstacle.against:
            around.setdefault(steps, []).append(refused)
        for leaf in self._leaves(obstacle):
            if self._searches <= 0:
                return
            self._searches -= 1
            wanted = {"allOf": [reference(self.both.root), at_path(obstacle.path, leaf, around)]}
            yield self._maker.made(wanted)

    def _leaves(self, obstacle: Obstacle) -> Iterator[Any]:
        """Yield schemas for the place of an obstacle: its violation, then any rejected value."""
        left, right = obstacle.left_node, obstacle.right_node
        around = [] if left is None else schemas_around(left)
        if obstacle.fact == "propertyNames" and left is not None:
            asked = [*schemas_around(left.names), {"not": obstacle.leaf["not"]["propertyNames"]}]
            if left.closed:
                known = [{"pattern": pattern} for pattern in left.patterns]
                asked.append({"anyOf": [{"enum": [*left.properties]}, *known]})
            for found in self._maker.made({"type": "string", "allOf": asked}):
                yield {"allOf": [*around, {"type": "object", "required": [found]}]}
        elif obstacle.leaf is not None:
            yield {"allOf": [*around, obstacle.leaf]}
        if right is not None:
            demands = schemas_around(right)
            yield {"allOf": [*around, {"not": {"allOf": demands}} if demands else True]}

    @cached_property
    def _pool(self) -> list[Witness]:
        """Yield witnesses among the samples, coverage sets and near-misses of both schemas."""
        self._maker.begin()
        found = [one for one in map(self.confirm, self._proposals()) if one is not None]
        return sorted(found, key=lambda one: len(repr(one.data)))  # the least is the best to read

    def _proposals(self) -> Iterator[Any]:
        try:
            plan = self._maker.plan(self.old)
            for turn in range(_SAMPLES_PER_SCHEMA):
                yield from self._maker.attempt(plan, StreamChooser(f"sample/{turn}")) or ()
            if len(self.both.at) > _MAX_COVERED_SIZE:
                return
            covered = Coverage(self._maker.plan(self.old), self.old, _POOL_CASES).run()
            yield from (case.data for case in covered)
            explored = Coverage(self._maker.plan(self.new), self.new, _POOL_CASES)
            explored.explore(places=True)
            near = NearMisses(self.new).run(explored.bases, _POOL_CASES)
            yield from (case.data for case in near)
        except (DeadEnd, SchemaError, RecursionError, OverflowError):
            return


def shows(witness: Witness, obstacle: Obstacle) -> bool:
    """Return True if a finding of a witness is about the very keyword of an obstacle."""
    place = own_pointer(obstacle.right_place)
    return any(one.schema_path == place and _fits(one, obstacle) for one in witness.findings)


def _fits(finding: Finding, obstacle: Obstacle) -> bool:
    """Return True if a finding is about the same member or value, if there are several."""
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
