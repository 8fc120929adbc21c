"""The coverage set: valid data that uses every option of a schema at least once.

A question is a decision of the generator, with its possible answers. Starting from small and full
data, each answer of each known question is made once, with as few decisions as possible;
questions that come up are added. Then rows are added until every possible pair of answers has
occurred together (pairwise testing), since most bugs need two conditions at once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import pointer_of
from widgetschema.samples.cases import LEFT_OUT, Case, CaseSet, Target
from widgetschema.samples.choosers import DEFAULT_FULL_DEPTH
from widgetschema.samples.directed import (
    ABSENT,
    PRESENT,
    BaseData,
    DirectedChooser,
    PlacedValue,
    Question,
    QuestionKey,
    QuestionKeys,
    Trace,
    general,
    signature,
    weight,
    within,
)
from widgetschema.samples.model import DeadEnd, Path, Step
from widgetschema.samples.objects import closure
from widgetschema.samples.plan import Plan
from widgetschema.samples.steps import Alternatives, Values
from widgetschema.validation import Validator

MAX_QUESTIONS: Final = 120
MAX_ROWS: Final = 1_000
_NOT_EVERY_WAY: Final = "not every way was tried"


class Pairs:
    """The pairs of answers that have not occurred together, and the rows made so far."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = questions[:MAX_QUESTIONS]
        self.left_out = len(questions) - len(self.questions)
        self.rows = 0
        self._answers: list[tuple[Question, int]] = []
        self._first: dict[QuestionKey, int] = {}  # the number of a question's first answer
        for question in self.questions:
            self._first[question.key] = len(self._answers)
            self._answers += [(question, answer) for answer in range(len(question.labels))]
        self._open = [0] * len(self._answers)  # by answer, a bit for each that is still to join it
        self._members: dict[tuple[Path, Step], dict[str, QuestionKey]] = {}  # that may be absent
        for key in self._first:
            if key.name is not None and key.step.node.dependencies:
                self._members.setdefault((key.path, key.step), {})[key.name] = key
        ways = [self._way(question, answer) for question, answer in self._answers]
        for index, (question, _) in enumerate(self._answers):
            for other in range(index + 1, len(ways)):
                if self._answers[other][0] is not question and _agree(ways[index], ways[other]):
                    self._open[index] |= 1 << other
                    self._open[other] |= 1 << index
        self.total = self._left
        self._never: list[tuple[int, int]] = []
        self._target: tuple[int, int] = (0, 0)

    def _way(self, question: Question, answer: int) -> Mapping[QuestionKey, int]:
        """Return the decisions that lead to an answer, with the members that members require."""
        way = {**question.needs, question.key: answer}
        for key, decided in [*way.items()]:
            members = self._members.get((key.path, key.step), {})
            if key.name in members and decided == PRESENT:
                names = closure((key.name,), key.step.node.dependencies)
                way |= {members[name]: PRESENT for name in names if name in members}
        return way

    def next_row(self) -> dict[QuestionKey, int] | None:
        """Return the decisions of the next row, or None if no pair is left."""
        first = next((index for index, others in enumerate(self._open) if others), None)
        if first is None or self.rows >= MAX_ROWS:
            return None
        self.rows += 1
        others = self._open[first]
        self._target = first, (others & -others).bit_length() - 1
        row = self._decisions_for_target()
        joined = self._bits(row)
        for question in self.questions:
            if question.key in row or any(row.get(k, a) != a for k, a in question.needs.items()):
                continue
            first = self._first[question.key]
            gains = [
                ((self._open[first + answer] & joined).bit_count(), answer)
                for answer in range(len(question.labels))
            ]
            _, best = max(gains)
            new = {**question.needs, question.key: best}
            joined |= self._bits({key: one for key, one in new.items() if key not in row})
            row |= new
        return row

    def _bits(self, answers: Mapping[QuestionKey, int | None]) -> int:
        """Return the bits of some answers."""
        first = self._first
        return sum(
            1 << first[key] + answer
            for key, answer in answers.items()
            if answer is not None and key in first
        )

    @property
    def _left(self) -> int:
        """The number of pairs that have not occurred together."""
        return sum(others.bit_count() for others in self._open) // 2

    def record_row(self, trace: Trace) -> None:
        """Record which answers occurred together."""
        joined = self._bits(dict(trace))
        left = joined
        while left:
            self._open[left.bit_length() - 1] &= ~joined
            left ^= 1 << left.bit_length() - 1

    def target_decisions(self) -> dict[QuestionKey, int] | None:
        """Return the pair that the row was made for, alone, if the row does not contain it."""
        one, other = self._target
        return self._decisions_for_target() if self._open[one] >> other & 1 else None

    @property
    def target_ids(self) -> tuple[str, str]:
        """Return the names of the two answers that the row was made for."""
        return self._ids(self._target)

    def _ids(self, pair: tuple[int, int]) -> tuple[str, str]:
        (first, answer), (second, second_answer) = (self._answers[one] for one in pair)
        return first.ids[answer], second.ids[second_answer]

    def _decisions_for_target(self) -> dict[QuestionKey, int]:
        row: dict[QuestionKey, int] = {}
        for number in self._target:
            question, answer = self._answers[number]
            row.update(question.needs)
            row[question.key] = answer
        return row

    def drop_target(self) -> None:
        """Record that the pair that the row was made for cannot occur together."""
        one, other = self._target
        if self._open[one] >> other & 1:
            self._open[one] ^= 1 << other
            self._open[other] ^= 1 << one
            self._never.append(self._target)

    def ledger(self, case: str | None) -> list[Target]:
        """Return one line for all pairs that occurred together, and one for each that cannot.

        `case` is the id of the first case, which stands for all.
        """
        why = f"no valid data was found that has both; {_NOT_EVERY_WAY}"
        lines = [Target(" & ".join(self._ids(pair)), None, why) for pair in self._never]
        together = self.total - len(self._never) - self._left
        if together and case is not None:
            lines.insert(0, Target(f"pairs: {together:,}", case))
        if self._left:
            lines.append(Target(f"pairs: {self._left:,}", None, f"{LEFT_OUT}too many rows"))
        if self.left_out:
            why = f"{LEFT_OUT}pairs are made of the first {MAX_QUESTIONS} questions"
            lines.append(Target(f"pairs with {self.left_out:,} more questions", None, why))
        return [*{line.id: line for line in lines}.values()]


def _agree(way: Mapping[QuestionKey, int], other: Mapping[QuestionKey, int]) -> bool:
    """Return True if two answers may be given together, as far as the decisions of both tell."""
    return all(other.get(key, answer) == answer for key, answer in way.items())


MAX_CASES: Final = 5_000
_NOT_REACHED: Final = f"not reached: every attempt gave other data; {_NOT_EVERY_WAY}"
MAX_COMBINATIONS: Final = 8  # in which one answer is given, to find further questions
MAX_STEPS: Final = 500_000  # in all cases together
_QUESTIONS_PER_STEP: Final = 4  # questions that count as one step
_SCHEMAS_PER_STEP: Final = 25  # schemas that the engine compiles for one step
_FAILURE_COST: Final = 5  # steps that a failed attempt counts for
# Nodes of a value beyond which further cases start from the minimal value.
_LARGE_VALUE: Final = 300
_ATTEMPTS: Final = 8  # attempts for one combination, with other numbers and texts


class Coverage:
    """One run: the questions so far, the cases, and the targets that each case covers."""

    def __init__(
        self,
        plan: Plan,
        validator: Validator,
        max_cases: int = MAX_CASES,
        max_depth: int = DEFAULT_FULL_DEPTH,
        max_steps: int | None = None,
        large_value: int = _LARGE_VALUE,
    ) -> None:
        self.plan = plan
        self.large_value = large_value
        self.max_steps = MAX_STEPS if max_steps is None else max_steps
        self.max_depth = max_depth
        self.validator = validator
        self.max_cases = max_cases
        self.keys = QuestionKeys()
        self.questions: dict[QuestionKey, Question] = {}
        self.targets: list[tuple[Question, int]] = []
        # The different questions of one kind at one place: their signatures.
        self.named: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        self.steps = 0  # values made, questions asked, and failed attempts, so far
        self.compiled = 0  # schemas that the plan had compiled when they were last counted
        self.is_large = False  # there is data of many values
        self.done = 0  # how many of them have had their turn
        self.covered: dict[str, str] = {}
        self.impossible: dict[str, str] = {}
        self.left_out: dict[str, str] = {}  # targets that were not tried, and why
        self.cases: dict[Any, tuple[str, Any]] = {}  # by the data: id and data
        self.excluded: dict[str, str] = {}  # options that are impossible somewhere: by id, why
        self.excluded_members: dict[str, Path] = {}  # the members among them
        self.taken: set[tuple[QuestionKey, int | None]] = set()  # every answer that was given
        self.ways: Counter[str] = Counter()  # in how many combinations an answer was given
        self.listed: dict[str, str] = {}  # values that occur without a question
        self.ids: set[str] = set()
        self.traces: list[Trace] = []
        self.covers: dict[str, list[str]] = {}
        self.pairs: dict[str, tuple[str, str]] = {}  # for which a case was made
        self.bases: list[BaseData] = []  # the cases in which a step was first used
        self.places: set[tuple[tuple[Any, ...], Step]] = set()

    def run(self) -> CaseSet:
        """Return all cases."""
        self.add("small", {}, most=False)
        self.add("full", {}, most=True)
        deque(self.answers(), 0)
        pairs = Pairs([question for question in self.questions.values() if question.structural])
        for trace in self.traces:
            pairs.record_row(trace)
        while self._goes_on and (row := pairs.next_row()) is not None:
            id = f"pairs-{pairs.rows}"
            self.pairs[id] = pairs.target_ids
            chooser = self.add(id, row, most=False)
            pairs.record_row(chooser.trace if chooser else [])
            if (alone := pairs.target_decisions()) is not None:
                chooser = self.add(id, alone, most=False)
                pairs.record_row(chooser.trace if chooser else [])
                pairs.drop_target()
        deque(self.answers(), 0)  # questions that only came up in the rows
        return self.result(pairs)

    @property
    def _goes_on(self) -> bool:
        return len(self.cases) < self.max_cases and self.steps < self.max_steps

    def found_bases(self) -> Iterator[BaseData]:
        """Yield data with new places, as it is found: the answers that lead to some are made once
        each.
        """
        self.add("small", {}, most=False)
        self.add("full", {}, most=True, at_most=self.large_value)
        yield from reversed(self.bases)  # more can go wrong where more is there
        number = len(self.bases)
        for _ in self.answers(places=True):
            yield from self.bases[number:]
            number = len(self.bases)

    def answers(self, *, places: bool = False) -> Iterator[None]:
        """Make the answers that were not made yet, one each time; or only those that lead to new
        places.
        """
        while self.done < len(self.targets):  # grows while it is gone through
            question, answer = self.targets[self.done]
            self.done += 1
            id = question.ids[answer]
            alone = question.key.name is not None
            if (
                id in self.covered
                and (places or not alone)
                and not self.needs_other_way(question, answer)
            ):
                continue
            if places and not question.structural:
                continue
            if not self._goes_on:
                why = f"{LEFT_OUT}more than {self.max_cases:,} cases, or {self.max_steps:,} steps"
                self.impossible.setdefault(id, why)
                self.left_out.setdefault(id, why)
                continue
            told = {**question.needs, question.key: answer}
            # A member that is there is best seen alone; one that is not, among all others, unless
            # these are so many that each of them would cost as much as all that is alone.
            most = alone and answer == ABSENT and not self.is_large
            chooser = self.add(id, told, most=most)
            if id not in self.covered:
                reason = self.impossible.get(id) if chooser is None else None
                self.impossible[id] = reason or _NOT_REACHED
            yield

    def add(
        self,
        id: str,
        told: Mapping[QuestionKey, int],
        *,
        most: bool,
        at_most: int | None = None,
    ) -> DirectedChooser | None:
        """Make data by decisions; None if there is no valid data within the size."""
        why = ""
        for turn in range(_ATTEMPTS):
            if turn and not self._goes_on:
                break
            chooser = DirectedChooser(
                self.keys, told, most=most, turn=turn, max_depth=self.max_depth
            )
            try:
                data = self.plan.root.make(chooser, ())
            except DeadEnd as stuck:
                why = f"{stuck.pointer or '(root)'}: {stuck.reason}"
                continue
            finally:  # most attempts may have failed even if the last one succeeds
                compiled, self.compiled = self.plan.compiled - self.compiled, self.plan.compiled
                self.steps += _FAILURE_COST * chooser.effort_spent + compiled // _SCHEMAS_PER_STEP
            if self.validator.is_valid(data):
                self.is_large |= len(chooser.places) > self.large_value
                if at_most is not None and len(chooser.places) > at_most:
                    return None
                self.record_case(id, data, chooser)
                return chooser
            why = next(iter(self.validator.check(data))).headline
        self.impossible[id] = why
        return None

    def record_case(self, id: str, data: Any, chooser: DirectedChooser) -> None:
        """Record a case, the targets that it covers, and new questions."""
        number = 1
        while id in self.ids and canonical(data) not in self.cases:
            number += 1  # several combinations may lead to the same place
            id = f"{id.partition('~')[0]}~{number}"
        case, _ = self.cases.setdefault(canonical(data), (id, data))
        self.ids.add(case)
        self.traces.append(chooser.trace)
        self.steps += weight(chooser.places) + len(chooser.trace) // _QUESTIONS_PER_STEP
        places = {(general(made.path), made.step) for made in chooser.places}
        for index, made in enumerate(chooser.places):
            if made.step.excluded:
                self.record_excluded(chooser.places, index)
            if isinstance(made.step, Values) and any(made.step.node.said("enum")):
                at = [index for index, one in enumerate(made.step.values) if one is made.value]
                for index in at:  # of a single one nobody asks
                    id = self.id_of(made, "enum", made.step.labels[index])
                    self.listed.setdefault(id, case)
                    self.covers.setdefault(case, []).append(id)
        new = not places <= self.places
        self.places |= places
        for question in chooser.questions(self.questions):
            if question.key.name is None:
                number = self.number(question.keyword, question.pointer, question.key.step)
                question = replace(question, number=number)
            self.questions[question.key] = question
            every = range(len(question.labels))
            order = (PRESENT, ABSENT) if question.key.name is not None else every
            self.targets += [(question, answer) for answer in order]
        self.taken.update(chooser.trace)
        covers = self.covers.setdefault(case, [])
        for key, answer in dict(chooser.trace).items():
            if answer is not None and key in self.questions:
                target = self.questions[key].ids[answer]
                self.covered.setdefault(target, case)
                covers.append(target)
        if new:
            self.bases.append(BaseData.of(data, chooser.places))

    def needs_other_way(self, question: Question, answer: int) -> bool:
        """Return True if an answer that was given in other contexts is to be given in this one."""
        id = question.ids[answer]
        if not isinstance(question.key.step, Alternatives) or self.ways[id] >= MAX_COMBINATIONS:
            return False
        self.ways[id] += 1
        return (question.key, answer) not in self.taken

    def number(self, keyword: str, pointer: str, step: Step) -> int:
        """Return the number of a question among those of one kind at one place, from 1 on."""
        named = self.named.setdefault((keyword, pointer), [])
        sign = signature(step)
        if sign not in named:
            named.append(sign)
        return named.index(sign) + 1

    def record_excluded(self, places: Sequence[PlacedValue], index: int) -> None:
        """Record options that are impossible at a place; they may be possible elsewhere, or with
        other choices around it.
        """
        made = places[index]
        for never in made.step.excluded:
            if never.member is not None:
                place = made.path, never.member
                id = f"{never.keyword}@{pointer_of(place)}"
                self.excluded_members[id] = place
            else:
                id = self.id_of(made, never.keyword, never.label)
            if id not in self.excluded:
                depends = any(  # what is around a place is finished after it
                    isinstance(other.step, Alternatives)
                    and other.step.choice is not None
                    and within(made.path, other.path)
                    for other in places[index + 1 :]
                )
                given = f", given the choices around it; {_NOT_EVERY_WAY}" if depends else ""
                self.excluded[id] = f"{never.why}{given}"

    def id_of(self, made: PlacedValue, keyword: str, label: str) -> str:
        """Return the id of one answer at a place."""
        pointer = pointer_of(made.path)
        number = self.number(keyword, pointer, made.step)
        return f"{keyword}@{pointer}{'' if number == 1 else f'~{number}'}#{label}"

    def find_members(self) -> None:
        """Cover present and absent members in cases that were made for other targets.

        In other combinations than those of their question, they are not asked for: a member that
        one branch excludes may be required in another.
        """
        members = [
            (question.ids[answer], question.key.place, answer == PRESENT)
            for question, answer in self.targets
            if question.key.name is not None
        ]
        members += [(id, place, True) for id, place in self.excluded_members.items()]
        for id, (path, name), is_present in members:
            if id in self.covered or id in self.left_out:
                continue
            for case, data in self.cases.values():
                whole = _value_at(data, path)
                if type(whole) is dict and (name in whole) == is_present:
                    self.covered[id] = case
                    self.covers.setdefault(case, []).append(id)
                    break

    def result(self, pairs: Pairs) -> CaseSet:
        """Return the cases and the ledger."""
        self.find_members()
        cases = tuple(
            Case(
                id,
                "coverage",
                data,
                covers=tuple(dict.fromkeys(self.covers.get(id, ()))),
                pair=self.pairs.get(id),
            )
            for id, data in self.cases.values()
        )
        ledger = [
            Target(id, self.covered[id])
            if id in self.covered
            else Target(id, None, self.impossible.get(id))
            for id in dict.fromkeys(question.ids[answer] for question, answer in self.targets)
        ]
        seen = {target.id for target in ledger}
        ledger += [Target(id, case) for id, case in self.listed.items() if id not in seen]
        seen.update(self.listed)
        ledger += [
            Target(id, self.covered[id]) if id in self.covered else Target(id, None, why)
            for id, why in self.excluded.items()
            if id not in seen
        ]
        ledger += pairs.ledger(next((id for id, _ in self.cases.values()), None))
        return CaseSet(cases, tuple(ledger), self.steps)


def _value_at(data: Any, path: Path) -> Any:
    """Return the value at a path of data, None if there is none."""
    if not path:
        return data
    path, token = path
    around = _value_at(data, path)
    if type(around) is dict:
        return around.get(token)
    is_item = type(around) is list and type(token) is int and token < len(around)
    return around[token] if is_item else None
