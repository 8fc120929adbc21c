"""Near-misses: valid data with exactly one mistake, and exactly the findings it must give.

A mistake is made in data that is known to be valid, and handed out only once the validator has
given one finding, of the keyword and at the place that were promised. What a schema asks for that
could not be broken in this way has a line in the ledger, with the reason.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.findings import escape_token
from widgetschema.jsontext import pointer_of
from widgetschema.jsontext.equality import canonical
from widgetschema.samples.cases import Case, CaseSet, ExpectedFinding, Target
from widgetschema.samples.directed import BaseData, PlacedValue, general, weight
from widgetschema.samples.mistakes import Mistake, mistakes, unbreakable
from widgetschema.samples.model import Path, Step, copy_json
from widgetschema.samples.steps import Alternatives, Values
from widgetschema.validation import Validator

_BASES: Final = 3  # in how many bases a place is looked at
MAX_VALUES: Final = 4_000_000  # in all data that is tried, together
_MOST_TRIED: Final = 24  # values that are tried for one mistake


class _Constraint(NamedTuple):
    """What is to be broken: a keyword at a place, as it stands in these places of the schema.

    The indices of items are left out of `place`: items are alike. `suffix` tells what is asked
    twice by one keyword.
    """

    keyword: str
    place: str
    said: tuple[str, ...]
    suffix: str = ""


class NearMisses:
    """One run over some bases: the cases, and what could not be broken."""

    def __init__(self, validator: Validator) -> None:
        self.validator = validator
        self.size = 0  # values in all data that was tried
        self.cases: dict[str, Case] = {}
        self.data: set[Any] = set()
        self.open: dict[_Constraint, str] = {}  # what could not be broken, and why
        self.done: set[tuple[_Constraint, str]] = set()  # what was, and by which mistake

    def run(self, bases: Iterable[BaseData], limit: int) -> CaseSet:
        """The near-misses of all bases; each mistake is made once."""
        tried: Counter[tuple[tuple[Any, ...], Step]] = Counter()
        for base in bases:
            for made in base.places:
                key = (general(made.path), made.step)
                tried[key] += 1
                if self.size > MAX_VALUES:
                    place = pointer_of(made.path)
                    why = f"left out: more than {MAX_VALUES:,} values would be tried"
                    self.open.setdefault(_Constraint("schema", place, ()), why)
                elif tried[key] <= _BASES and len(self.cases) < limit:
                    self.add(base, made)
        cases = tuple(self.cases.values())
        ledger = [Target(case.id, case.id) for case in cases]
        broken = {constraint for constraint, _ in self.done}
        open = {c: why for c, why in self.open.items() if c not in broken}
        ledger += [
            Target(f"{constraint.keyword}@{constraint.place}{constraint.suffix}", None, why)
            for constraint, why in open.items()
        ]
        return CaseSet(cases, tuple({target.id: target for target in ledger}.values()))

    def add(self, base: BaseData, made: PlacedValue) -> None:
        """All mistakes at one place that were not made there yet."""
        thought_of: set[str] = set()
        for mistake in mistakes(made.step, made.value, _elsewhere(base, made)):
            thought_of.add(mistake.keyword)
            constraint = _constraint(made, mistake.keyword, mistake.name)
            if (constraint, mistake.name) in self.done:
                continue
            found = self.confirm(base, made, mistake)
            if isinstance(found, Case):
                self.done.add((constraint, mistake.name))
                self.record_case(found)
            else:
                self.open.setdefault(constraint, found)
        for keyword, why in unbreakable(made.step.node, made.value):
            if keyword not in thought_of:
                self.open.setdefault(_constraint(made, keyword), why)

    def record_case(self, case: Case) -> None:
        """Take down a case, with an id of its own, unless its data is there already."""
        data = canonical(case.data)
        if data in self.data:
            return
        self.data.add(data)
        id, number = case.id, 1
        while id in self.cases:
            number += 1
            id = f"{case.id}~{number}"
        self.cases[id] = replace(case, id=id)

    def random_mistake(
        self, base: BaseData, places: Iterable[PlacedValue], which: int
    ) -> Case | None:
        """One mistake at some of the places; `which` decides, each kind of mistake as likely."""
        every = [
            (zlib.crc32(f"{which} {mistake.name.partition('-')[0]}".encode()), made, mistake)
            for made in places
            for mistake in mistakes(made.step, made.value, _elsewhere(base, made))
        ]
        for _, made, mistake in sorted(every, key=lambda one: one[0]):
            found = self.confirm(base, made, mistake)
            if isinstance(found, Case):
                return found
        return None

    def confirm(self, base: BaseData, made: PlacedValue, mistake: Mistake) -> Case | str:
        """A mistake as a case that the validator has confirmed, or why there is none."""
        place = pointer_of(made.path)
        expected = {mistake.keyword, *_choices_around(base, made)}
        why = "there is nothing to put in its place"
        for value, member in list(mistake.values)[:_MOST_TRIED]:
            self.size += weight(base.places)
            path = place if member is None else f"{place}/{escape_token(str(member))}"
            data = replaced(base.data, made.path, copy_json(value))
            findings = [
                ExpectedFinding(one.keyword, one.path) for one in self.validator.check(data)
            ]
            if len(findings) == 1 and findings[0].path == path and findings[0].keyword in expected:
                id = f"{findings[0].keyword}@{place}#{mistake.name}"
                return Case(id, "near-miss", data, tuple(findings))
            why = _why_not(findings)
        return why


def _constraint(made: PlacedValue, keyword: str, name: str = "") -> _Constraint:
    tokens = (escape_token(str(token)) for token in reversed(general(made.path)))
    place = "".join(f"/{token}" for token in tokens)
    if isinstance(made.step, Alternatives) and made.step.choice and made.step.keyword == keyword:
        suffix = f"#{name}" if name == "several" else ""
        return _Constraint(keyword, place, (made.step.choice.place,), suffix)
    return _Constraint(keyword, place, tuple(where for where, _ in made.step.node.said(keyword)))


def _why_not(findings: list[ExpectedFinding]) -> str:
    if not findings:
        return "the data stays valid: something else that the schema says allows it"
    shown = ", ".join(f"{one.keyword} at {one.path or '(root)'}" for one in findings[:3])
    more = f" and {len(findings) - 3} more" if len(findings) > 3 else ""
    return f"it cannot be broken alone, or not at this place: {shown}{more}"


def replaced(data: Any, path: Path, value: Any) -> Any:
    """A copy of the data with another value at a path."""
    tokens = []
    while path:
        path, token = path
        tokens.append(token)
    if not tokens:
        return value
    result = copy_json(data)
    holder = result
    for token in reversed(tokens[1:]):
        holder = holder[token]
    holder[tokens[0]] = value
    return result


def _choices_around(base: BaseData, made: PlacedValue) -> frozenset[str]:
    """The keywords of the choices that the place is in, which may object for their branches."""
    places = [made.path]
    if isinstance(made.step, Values) and made.path:
        places.append(made.path[0])  # a member that tells branches apart
    return frozenset(
        other.step.keyword
        for other in base.choices
        if other.path in places and isinstance(other.step, Alternatives)
    )


def _elsewhere(base: BaseData, made: PlacedValue) -> dict[str, Any]:
    """Members of other objects of the data, by name."""
    if type(made.value) is not dict:
        return {}
    found: dict[str, Any] = {}
    for other in base.places:
        if type(other.value) is dict and other.value is not made.value:
            found.update(other.value)
    return found
