"""`DirectedChooser`: follows given decisions, and records every question that it is asked.

A *question* is a step at a place, with named answers: is an optional member present, which value,
which branch, how many items, which edge case of a number or text? The same decisions (`needs`) lead
to the same question, where any of its answers can then be given.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.pointers import pointer_of
from widgetschema.samples.arrays import Array
from widgetschema.samples.choosers import DEFAULT_FULL_DEPTH, StreamChooser
from widgetschema.samples.model import (
    CountedStep,
    Member,
    ObjectStep,
    Path,
    PickStep,
    ScalarStep,
    Step,
)
from widgetschema.samples.numbers import Number
from widgetschema.samples.objects import Object
from widgetschema.samples.steps import Alternatives
from widgetschema.samples.texts import Text

ABSENT, PRESENT = 0, 1
_MAX_PLACES: Final = 1_000  # values in one instance
# Alternatives and refused schemas at all places of an instance, together.
_MAX_REQUIREMENTS: Final = 1_000


class QuestionKey:
    """A question's identity: the place, the step, and the member's name if it is about one.

    There is one object for each question (see `QuestionKeys`), which is quick to look up. `place`
    is the place that it is about: that of the member if it has a name.
    """

    __slots__ = ("name", "path", "place", "step")

    def __init__(self, path: Path, step: Step, name: str | None = None) -> None:
        self.path, self.step, self.name = path, step, name
        self.place: Path = path if name is None else (path, name)


Trace = list[tuple[QuestionKey, int | None]]


class QuestionKeys:
    """The identities of all questions of one run."""

    def __init__(self) -> None:
        self._keys: dict[tuple[Path, Step], QuestionKey] = {}
        self._members: dict[tuple[Path, ObjectStep], dict[str, QuestionKey]] = {}

    def of(self, path: Path, step: Step) -> QuestionKey:
        """Return the question of a step at a place."""
        key = self._keys.get((path, step))
        if key is None:
            key = self._keys[path, step] = QuestionKey(path, step)
        return key

    def of_members(self, path: Path, step: ObjectStep) -> Mapping[str, QuestionKey]:
        """Return the questions about the optional members of an object, by name."""
        found = self._members.get((path, step))
        if found is None:
            found = self._members[path, step] = {
                one.name: QuestionKey(path, step, one.name)
                for one in step.members
                if not one.required
            }
        return found


@dataclass(frozen=True, eq=False)
class Question:
    """A question, its answers' names, and the decisions that lead to it."""

    key: QuestionKey
    keyword: str
    pointer: str
    labels: Sequence[str]
    needs: Mapping[QuestionKey, int] = field(repr=False)

    number: int = 1  # of several questions of this kind at this place

    @cached_property
    def ids(self) -> Sequence[str]:
        """The names of the answers, as in `enum@/content/layout#"layout-1"`."""
        if self.key.name is not None:
            return [f"{label}@{self.pointer}" for label in self.labels]
        more = "" if self.number == 1 else f"~{self.number}"
        return [f"{self.keyword}@{self.pointer}{more}#{label}" for label in self.labels]

    @property
    def structural(self) -> bool:
        """True for a choice of shape or value, False for one among edge-case numbers or texts."""
        return self.keyword not in ("number", "text")


class PlacedValue(NamedTuple):
    """A value that was made: its place and its step."""

    path: Path
    step: Step
    value: Any


class BaseData(NamedTuple):
    """Valid data, with the step of each part."""

    data: Any
    places: Sequence[PlacedValue]
    choices: Sequence[PlacedValue]  # the places at which a branch was chosen
    steps: int  # the cost of each check of this data with a mistake

    @classmethod
    def of(cls, data: Any, places: Sequence[PlacedValue]) -> BaseData:
        """Return the base data with these places."""
        chosen, schemas = [], 0  # that are checked to explain a mistake
        for place in places:
            schemas += len(place.step.node.key.refused)
            if isinstance(place.step, Alternatives) and place.step.choice:
                chosen.append(place)
                schemas += len(place.step.choice.branches)
        return cls(data, places, chosen, weight(places) + schemas * schemas // _MAX_REQUIREMENTS)


class DirectedChooser(StreamChooser):
    """Answers as `told`; other questions with the minimum, or with the maximum."""

    is_plain = False

    def __init__(
        self,
        keys: QuestionKeys,
        told: Mapping[QuestionKey, int],
        *,
        most: bool,
        turn: int = 0,
        max_depth: int = DEFAULT_FULL_DEPTH,
    ) -> None:
        super().__init__(f"directed/{turn}", max_depth=max_depth)
        self._keys = keys
        self._decisions = told
        self._most = most
        self._is_strict = not turn  # other attempts may add members that are to be absent
        self._described: dict[Path, int] = {}  # items with steps of their own, by array
        self._open: dict[Path, Object] = {}  # the objects with unconstrained additional members
        self.trace: Trace = []
        self._counted: set[QuestionKey] = set()
        # The questions about members that were asked, by object.
        self._members: dict[tuple[Path, Step], Iterable[QuestionKey]] = {}
        self.places: list[PlacedValue] = []

    def _asks_nothing(self, step: Step, path: Path) -> bool:
        """Return True where no question is recorded: recursion has to end, the schema says
        nothing, or a similar item was asked about.
        """
        if self.must_end or not (step.node.key.pointers or isinstance(step, Alternatives)):
            return True
        while path:
            path, token = path
            if type(token) is int and token >= self._described[path]:
                return True
            if path in self._open and token not in self._open[path].named:
                return True
        return False

    def _ask(self, key: QuestionKey, default: int | None) -> int | None:
        answer = self._decisions.get(key, default)
        self.trace.append((key, answer))
        return answer

    def option(self, step: PickStep, path: Path) -> int:
        """Return the option that was decided on, else the default."""
        if self._asks_nothing(step, path):
            return step.shallow[0] if self.must_end else super().option(step, path)
        default = step.deep if self._most else step.shallow[0]
        answer = self._ask(self._keys.of(path, step), default)
        assert answer is not None
        return answer

    def draw_source(self) -> None:
        """Let every step ask."""

    def takes_example(self, one_in: int, *, whole: bool) -> bool:
        """Return False: answers are made, not examples."""
        return False

    def value(self, step: PickStep, path: Path) -> int:
        """Return the value that was decided on, else the default."""
        return self.option(step, path)

    def on_fallback(self, step: PickStep, path: Path, index: int) -> None:
        """Correct the record: another option was made."""
        if not self._asks_nothing(step, path):
            self.trace.append((self._keys.of(path, step), index))

    def members(self, step: ObjectStep, path: Path) -> Iterable[Member]:
        """Return the required members and those that were decided on."""
        if self.must_end:
            return step.required
        if self._asks_nothing(step, path):
            return step.members if self._most else step.required
        default = PRESENT if self._most else ABSENT
        optional, told = self._keys.of_members(path, step), self._decisions
        answers = {name: told.get(key, default) for name, key in optional.items()}
        self.trace += zip(optional.values(), answers.values(), strict=True)
        self._members[path, step] = optional.values()
        return [one for one in step.members if answers.get(one.name, PRESENT) == PRESENT]

    def avoided(self, step: ObjectStep, path: Path) -> Set[str]:
        """Return the names of members that were decided to be absent."""
        if not self._is_strict:
            return frozenset()
        optional, told = self._keys.of_members(path, step), self._decisions
        return {name for name, key in optional.items() if told.get(key) == ABSENT}

    def count(self, step: CountedStep, path: Path) -> int:
        """Return the number of items that was decided on, else the default."""
        if self.must_end:
            return step.low
        usual = step.usual[1] if self._most else step.low
        if (limit := step.plan.max_items) is not None:
            usual = min(usual, max(step.low, limit))
        if isinstance(step, Array):
            self._described[path] = step.described
        elif isinstance(step, Object) and not step.described:
            self._open[path] = step
        if self._asks_nothing(step, path):
            return usual
        counts = step.counts
        default = next((index for index, (_, number) in enumerate(counts) if number == usual), None)
        key = self._keys.of(path, step)
        self._counted.add(key)
        answer = self._ask(key, default)
        return usual if answer is None else counts[answer][1]

    def name(self) -> int:
        """Return 0: names are the same in all data, so that a place is found again."""
        return 0

    def scalar(self, step: ScalarStep, path: Path) -> Any:
        """Return the edge case that was decided on, else a likely value."""
        if self._asks_nothing(step, path):
            return step.draw(self.randbelow)
        answer = self._ask(self._keys.of(path, step), None)
        return step.draw(self.randbelow) if answer is None else step.boundaries[answer][1]

    def on_made(self, step: Step, path: Path, value: Any) -> None:
        """Record a value and the place where it was made."""
        self.places.append(PlacedValue(path, step, value))
        if isinstance(step, CountedStep):
            self._record_outcome(step, path, value)

    def _record_outcome(self, step: CountedStep, path: Path, value: Any) -> None:
        """Replace the decided number, and members, by the actual ones, which may differ."""
        number = len(value)
        if isinstance(step, Object):
            number -= sum(name in step.named for name in value)
            self.trace += [
                (key, PRESENT if key.name in value else ABSENT)
                for key in self._members.get((path, step), ())
            ]
        key = self._keys.of(path, step)
        if key in self._counted:
            counts = [one for _, one in step.counts]
            self.trace.append((key, counts.index(number) if number in counts else None))

    def on_discard(self, path: Path) -> None:
        """Remove the records at a path and below it. They are the last ones."""
        while self.trace and within(self.trace[-1][0].path, path):
            self.trace.pop()
        while self.places and within(self.places[-1].path, path):
            self.places.pop()

    def questions(self, known: Container[QuestionKey]) -> list[Question]:
        """Return the questions that are not known yet, in order, with the decisions that led
        there.
        """
        answers = dict(self.trace)
        new = [key for key in answers if key not in known]
        if not new:
            return []
        # By place: a question depends only on decisions at the places around it.
        by_place: dict[Path, list[tuple[int, QuestionKey, int]]] = {}
        for number, (key, answer) in enumerate(answers.items()):
            if answer is not None:
                by_place.setdefault(key.place, []).append((number, key, answer))
        found = []
        for key in new:
            labels = key.step.labels if key.name is None else ("absent", "present")
            if not labels:
                continue
            # An unrequested member may be present because another one requires it.
            around = [
                one
                for place in _places(key.path)
                for one in by_place.get(place, ())
                if one[1] is not key and _leads_to(one[1], key)
            ]
            needs = {
                other: answer if other.name is None else PRESENT
                for _, other, answer in sorted(around, key=itemgetter(0))
            }
            found.append(Question(key, key.step.keyword, pointer_of(key.place), labels, needs))
        return found


def within(path: Path, place: Path) -> bool:
    """Return True if a path is a place of the same data, or below it."""
    while path:
        if path is place or (place and path[1] == place[1] and path[0] == place[0]):
            return True
        path = path[0]
    return not place


def _places(path: Path) -> Iterator[Path]:
    """Yield a path and all paths around it."""
    yield path
    while path:
        path = path[0]
        yield path


def weight(places: Sequence[PlacedValue]) -> int:
    """Return the cost of data in steps, superlinear for large data."""
    return len(places) * (1 + len(places) // _MAX_PLACES)


def general(path: Path) -> tuple[Any, ...]:
    """Return the tokens of a path, innermost first, with `*` for every index: items are alike."""
    tokens = []
    while path:
        path, token = path
        tokens.append("*" if type(token) is int else token)
    return tuple(tokens)


def _leads_to(one: QuestionKey, key: QuestionKey) -> bool:
    """Return True if a decision is one of those on the way to a question."""
    if one.name is not None:
        return within(key.path, (one.path, one.name))
    if one.path == key.path:  # choices at one place are made one after the other
        return isinstance(one.step, PickStep) and one.step is not key.step
    return within(key.path, one.path) and isinstance(one.step, (PickStep, CountedStep))


def signature(step: Step) -> tuple[Any, ...]:
    """Return the differences of a question from others of its kind at the same place."""
    if isinstance(step, Alternatives) and step.choice is not None:
        return (step.choice.place,)
    if isinstance(step, PickStep):
        for word in ("enum", "const", "type"):
            if any(step.node.said(word)):
                return tuple(place for place, _ in step.node.said(word))
        return ()
    assert isinstance(step, (Number, Text, CountedStep))
    return (step.low, step.high, *step.labels)
