"""`compare`: from two widget types' schemas to the changes, each with its kind.

If there is no obstacle from the older schema to the newer one, all data that was valid still is,
and changes only widen. Otherwise, each obstacle with a witness is breaking, and each one without is
unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.evolution.compare.annotations import annotation_changes
from widgetschema.evolution.compare.changes import (
    KINDS,
    Change,
    Comparison,
    Kind,
    Scope,
    Version,
    Witness,
    grouped,
)
from widgetschema.evolution.compare.equivalence import Equivalence
from widgetschema.evolution.compare.joined import NEW, OLD, BudgetedTree, join_schemas, own_pointer
from widgetschema.evolution.compare.making import DEFAULT_BUDGET, Budget
from widgetschema.evolution.compare.obstacles import COARSE, EFFORT, Obstacle
from widgetschema.evolution.compare.proof import Prover
from widgetschema.evolution.compare.renames import Match, RenameFinder
from widgetschema.evolution.compare.sentences import sentence, sides, subjects
from widgetschema.evolution.compare.summaries import Single, summed_up
from widgetschema.evolution.compare.witnesses import Search, Witnesses, is_near
from widgetschema.pointers import format_pointer
from widgetschema.validation import Validator

_MOST_INNER: Final = 300  # pairs of renamed members that are compared, in all of a schema


class Subject(NamedTuple):
    """One side of a comparison: a widget type, as its two validators.

    `data` is of the member `data`, `document` of the whole widget document.
    """

    version: Version
    data: Validator
    document: Validator


def compare(old: Subject, new: Subject, budget: Budget = DEFAULT_BUDGET) -> Comparison:
    """Return the changes from `old` to `new`, and the data that they break.

    `budget` bounds proofs and the search for data that a change breaks; what they leave open is
    unknown.
    """
    if (
        old.version.linked_digest == new.version.linked_digest
        and old.document.linked.root == new.document.linked.root  # of documents, or of data
        and old.data.formats == new.data.formats
    ):
        return Comparison(old.version, new.version)
    changes = _SchemaComparison(old.data, new.data, "data", budget).changes()
    changes += _SchemaComparison(old.document, new.document, "document", budget).changes("data")
    ordered = sorted(grouped(changes), key=lambda change: KINDS.index(change.kind))
    return Comparison(old.version, new.version, tuple(ordered))


class _Inner:
    """The changes between the schemas of two members: None while they are compared.

    `repeated` are the old and the new names of members within that have these schemas again.
    """

    def __init__(self) -> None:
        self.changes: tuple[Change, ...] | None = None
        self.repeated: set[tuple[str, str]] = set()


class _SchemaComparison:
    """The comparison of two schemas for one value, of data or of documents."""

    def __init__(
        self,
        old: Validator,
        new: Validator,
        scope: Scope,
        budget: Budget,
        inner: dict[Any, _Inner] | None = None,
    ) -> None:
        self._inner = {} if inner is None else inner
        self._budget = budget
        self.old = old
        self.new = new
        self.scope = scope
        self.both = join_schemas(old.linked, new.linked)
        self.new_root = NEW + new.linked.root
        self.tree = BudgetedTree(self.both, old.matches)
        self.same = Equivalence(self.both, [self.both.root, self.new_root], self._asserts)
        self.witnesses = Witnesses(old, new, self.both, budget)

    def _asserts(self, pointer: str) -> bool:
        """Return True if formats are checked at a pointer."""
        return self.old.formats if pointer.startswith(OLD) else self.new.formats

    def changes(self, without: str | None = None) -> list[Change]:
        """Return all changes; of a member `without` only what depends on choices made elsewhere."""
        old, new = self.tree.root, self.tree.node([self.new_root])
        every = self._prover().obstacles(old, new, without)
        narrower, known = _one_doubt(every), {one.about for one in every}
        coarse = {one.shown for one in every if one.fact in COARSE}
        wider = _one_doubt(
            obstacle
            for obstacle in self._prover().obstacles(new, old, without)
            if obstacle.about not in known
        )
        searches, general = self._search(narrower)
        singles = [
            Single(one, True, self._change(one, search))
            for one, search in zip(narrower, searches, strict=True)
        ]
        for one in wider:
            # Below a change without details, the same place may also reject more data.
            told = all(one.shown[:size] not in coarse for size in range(len(one.shown) + 1))
            place = one.rigid_place
            free = place is None or not any(other.shown[: len(place)] == place for other in every)
            sure = not narrower or (free and told)
            singles.append(Single(one, False, self._widening(one, sure=sure)))
        renames, described = RenameFinder(old, new, self._prover()).find([*narrower, *wider])
        found = summed_up(singles, renames, described, self._differences)
        if general is not None:
            found.append(self._general(general))
        for change in annotation_changes(old, new, self._asserts):
            inside = change.path == f"/{without}" or change.path.startswith(f"/{without}/")
            if without is None or not inside:
                found.append(replace(change, scope=self.scope))
        return found

    def _prover(self) -> Prover:
        return Prover(self.tree, self.same, self._asserts, self.old.engine, self._budget.proof)

    def _search(self, obstacles: tuple[Obstacle, ...]) -> tuple[list[Search], Witness | None]:
        """Search for a witness of each obstacle; also return one that belongs to none of them."""
        searches = self.witnesses.find(obstacles)
        if not obstacles or any(search.witness for search in searches):
            return searches, None
        general = self.witnesses.anything(self.new_root)
        near = (at for at, one in enumerate(obstacles) if general and is_near(general, one))
        if (index := next(near, None)) is not None:
            searches[index], general = Search(general), None
        return searches, general

    def _general(self, witness: Witness) -> Change:
        """Return the change for a witness that belongs to no obstacle."""
        first = witness.findings[0]
        message = "some data that was valid no longer is"
        return Change(
            "breaking",
            first.path,
            first.schema_path,
            first.keyword,
            message,
            witness=witness,
            scope=self.scope,
        )

    def _differences(self, match: Match) -> tuple[Change, ...]:
        """Return the changes between the schemas of two members, for the value of the member.

        Each two schemas are compared once. Where they lead back to themselves, members within that
        were renamed in the same way are no further changes.
        """
        names = (match.old.name, match.new.name)
        pointers = (
            tuple(pointer.removeprefix(OLD) for pointer in match.old.node.key.pointers),
            tuple(pointer.removeprefix(NEW) for pointer in match.new.node.key.pointers),
        )
        inner = self._inner.get(pointers)
        if inner is None and len(self._inner) < _MOST_INNER:
            inner = self._inner[pointers] = _Inner()
            was, now = (
                Validator.from_linked(
                    of.linked.conjunction(some), formats=of.formats, engine=of.engine
                )
                for some, of in zip(pointers, (self.old, self.new), strict=True)
            )
            inside = _SchemaComparison(was, now, self.scope, self._budget, self._inner)
            inner.changes = tuple(inside.changes())
        if inner is None:
            return ()
        if inner.changes is None:
            inner.repeated.add(names)
            return ()
        path = format_pointer(match.new.path)
        return tuple(
            change.inside(path)
            for change in inner.changes
            if change.kind != "annotation"
            and not (change.guess and change.subjects in inner.repeated)
        )

    def _change(self, obstacle: Obstacle, search: Search) -> Change:
        witness = search.witness
        kind: Kind = "unknown" if witness is None else "breaking"
        message = sentence(obstacle, narrows=True, sure=witness is not None)
        if witness is None:
            message += "; no data was found that this breaks, but there may be some"
            message += ": the search was cut off at its limit of effort" if search.is_cut else ""
        return self._single(obstacle, kind, message, witness, narrows=True)

    def _widening(self, obstacle: Obstacle, *, sure: bool) -> Change:
        message = sentence(obstacle, narrows=False, sure=sure)
        if obstacle.fact == EFFORT and sure:
            message += "; all that was valid still is, but more may be"
        elif not sure:
            message += "; whether it refuses anything as well is not certain"
        return self._single(obstacle, "widening" if sure else "unknown", message, narrows=False)

    def _single(
        self,
        obstacle: Obstacle,
        kind: Kind,
        message: str,
        witness: Witness | None = None,
        *,
        narrows: bool,
    ) -> Change:
        left = "" if narrows else obstacle.left_place
        return Change(
            kind,
            obstacle.shown_path,
            own_pointer(left or obstacle.right_place),
            obstacle.keyword,
            message,
            *sides(obstacle, narrows=narrows),
            witness,
            self.scope,
            subjects(obstacle),
            narrows=narrows,
        )


def _one_doubt(obstacles: Iterable[Obstacle]) -> tuple[Obstacle, ...]:
    """Return the obstacles, with only one of those from exhausted effort."""
    every = tuple(obstacles)
    doubts = [one for one in every if one.fact == EFFORT]
    return tuple(one for one in every if one.fact != EFFORT or one is doubts[0])
