"""The search for data that was valid and no longer is, decided by both validators.

The sampler makes data of a special schema: the older schema, and at the place of the change a value
that the newer schema rejects. This data is only a proposal. Effort is counted in steps, so the
answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.errors import SchemaError
from widgetschema.evolution.compare.changes import Witness
from widgetschema.evolution.compare.joined import own_pointer, reference
from widgetschema.evolution.compare.making import (
    Budget,
    Maker,
    Surroundings,
    schemas_around,
)
from widgetschema.evolution.compare.obstacles import Obstacle, at_path
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
_PLACES: Final = 3  # places of a shared definition with a witness, of which the least is taken
_MAX_LINKED: Final = 30_000  # subschemas that are linked for searches of whole documents together
_MAX_SEARCHES: Final = 60  # searches of whole documents
_MAX_FINDINGS: Final = 1_000  # of one witness
_MAX_COVERED_SIZE: Final = 4_000  # subschemas in a schema whose coverage set is made


class Search(NamedTuple):
    """The result of a search; with `is_cut`, its effort ran out before all was tried."""

    witness: Witness | None
    is_cut: bool = False


class Witnesses:
    """Searches for one pair of schemas; `both` is the result of `join_schemas`."""

    def __init__(
        self,
        old: Validator,
        new: Validator,
        both: LinkedSchema,
        budget: Budget,
    ) -> None:
        self.old = old
        self.new = new
        self.both = both
        self._maker = Maker(old, both, budget)
        self._surroundings = Surroundings(self._maker)
        self._searches = min(_MAX_SEARCHES, max(2, _MAX_LINKED // max(1, len(both.at))))

    def find(self, obstacles: Sequence[Obstacle]) -> list[Search]:
        """Search for a witness of each obstacle: its own, or another one that shows it.

        Obstacles of one source share the least witness that is found for some of them.
        """
        sources: dict[Any, list[Obstacle]] = {}
        for one in obstacles:
            sources.setdefault(one.source, []).append(one)
        found = {source: self._least(some) for source, some in sources.items()}
        shared = [one.witness for one in found.values() if one.witness is not None]
        found = {key: _shown(one, sources[key], shared) for key, one in found.items()}
        if not all(one.witness for one in found.values()):
            pool, is_cut = self._pool
            found = {
                key: _shown(one, sources[key], pool, is_cut=is_cut) for key, one in found.items()
            }
        return [found[one.source] for one in obstacles]

    def _least(self, obstacles: Sequence[Obstacle]) -> Search:
        """Return the search with the least witness, of the first few that find one."""
        is_cut = False
        witnesses: list[tuple[bool, int, int, Search]] = []
        for one in sorted(obstacles, key=lambda one: len(one.path)):
            search = self._directed(one)
            is_cut |= search.is_cut
            if search.witness is not None:
                exact = any(shows(search.witness, other) for other in obstacles)
                witnesses.append((not exact, _size(search.witness), len(witnesses), search))
            if len(witnesses) == _PLACES:
                break
        return min(witnesses)[-1] if witnesses else Search(None, is_cut)

    def anything(self, root: str) -> Witness | None:
        """Return data that was valid and is invalid by the schema at `root`, at any place."""
        pool, _ = self._pool
        if pool:
            return pool[0]
        refused = {"allOf": [reference(self.both.root), {"not": reference(root)}]}
        proven = filter(None, map(self.confirm, self._maker.made(refused)))
        return next(proven, None)

    def confirm(self, data: Any) -> Witness | None:
        """Return data as a witness, if it is one."""
        if not self.old.is_valid(data):
            return None
        findings = self.new.check(data, max_findings=_MAX_FINDINGS).findings
        return Witness(data, findings) if findings else None

    def _directed(self, obstacle: Obstacle) -> Search:
        """Search in data that is made to meet an obstacle, for the best of the first few."""
        self._maker.begin()
        for some in self._ways(obstacle):
            near: Witness | None = None
            for witness in filter(None, map(self.confirm, some)):
                if shows(witness, obstacle):
                    return Search(witness)
                if near is None and is_near(witness, obstacle):
                    near = witness
            if near is not None:
                return Search(near)
        return Search(None, self._maker.is_cut or self._searches <= 0)

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
    def _pool(self) -> tuple[list[Witness], bool]:
        """Return witnesses among the samples, coverage sets and near-misses of both schemas.

        Also return True if effort ran out before all of these were made.
        """
        self._maker.begin()
        found = [one for one in map(self.confirm, self._proposals()) if one is not None]
        found.sort(key=_size)  # the least is the best to read
        return found, self._maker.is_cut

    def _proposals(self) -> Iterator[Any]:
        maker = self._maker
        try:
            plan = maker.plan(self.old)
            for turn in range(_SAMPLES_PER_SCHEMA):
                yield from maker.attempt(plan, StreamChooser(f"sample/{turn}")) or ()
            if len(self.both.at) > _MAX_COVERED_SIZE:
                maker.is_cut = True
                return
            covered = Coverage(maker.plan(self.old), self.old, _POOL_CASES, max_steps=maker.effort)
            yield from (case.data for case in covered.run())
            maker.spend(covered.steps)
            explored = Coverage(maker.plan(self.new), self.new, _POOL_CASES, max_steps=maker.effort)
            bases = [*explored.found_bases()]
            maker.spend(explored.steps)
            near = NearMisses(self.new, max_steps=maker.effort)
            yield from (case.data for case in near.run(bases, _POOL_CASES))
        except (DeadEnd, SchemaError, RecursionError, OverflowError):
            return


def _size(witness: Witness) -> int:
    return len(repr(witness.data))


def _shown(
    search: Search,
    obstacles: Sequence[Obstacle],
    witnesses: Iterable[Witness],
    *,
    is_cut: bool = False,
) -> Search:
    """Return a search with the first of some witnesses that shows an obstacle, if it has none.

    `is_cut` is True if there might have been more witnesses.
    """
    if search.witness is not None:
        return search
    shown = (w for w in witnesses if any(shows(w, obstacle) for obstacle in obstacles))
    fits = next(shown, None)
    return Search(fits, search.is_cut or is_cut)


def shows(witness: Witness, obstacle: Obstacle) -> bool:
    """Return True if a finding of a witness is about the very keyword of an obstacle."""
    place = own_pointer(obstacle.right_place)
    return any(
        finding.schema_path == place and _fits(finding, obstacle) for finding in witness.findings
    )


def _fits(finding: Finding, obstacle: Obstacle) -> bool:
    """Return True if a finding is about the same member or value, if there are several."""
    if obstacle.fact == "required":
        return bool(finding.expected == obstacle.subject)
    return matches(obstacle.shown_path, finding.path)


def is_near(witness: Witness, obstacle: Obstacle) -> bool:
    """Return True if a finding of a witness is at the place of an obstacle, above it, or inside."""
    path = obstacle.actual_path
    return any(
        f"{path}/".startswith(f"{finding.path}/") or finding.path.startswith(f"{path}/")
        for finding in witness.findings
    )
