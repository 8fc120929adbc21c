"""All pairs of answers, by a greedy cover.

Most mistakes in programs need two circumstances to come together. Rows are made one by one: each
begins with a pair that has not been together yet, and takes for every other question the answer
that brings the most new pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from widgetschema.samples.cases import Target
from widgetschema.samples.directed import Question, QuestionKey

MAX_QUESTIONS: Final = 120
MAX_ROWS: Final = 1_000


class Pairs:
    """The pairs that have not been together yet, and the rows made so far."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = questions[:MAX_QUESTIONS]
        self.left_out = len(questions) - len(self.questions)
        self.rows = 0
        self._answers: list[tuple[Question, int]] = []
        self._first: dict[QuestionKey, int] = {}  # the number of a question's first answer
        for question in self.questions:
            self._first[question.key] = len(self._answers)
            self._answers += [(question, answer) for answer in range(len(question.labels))]
        self._size = len(self._answers)
        self._open: dict[int, None] = {}
        for one, (question, answer) in enumerate(self._answers):
            for other in range(one + 1, self._size):
                second = self._answers[other]
                if second[0] is not question and _agree(question, answer, *second):
                    self._open[one * self._size + other] = None
        self.total = len(self._open)
        self._never: list[tuple[int, int]] = []
        self._target: tuple[int, int] = (0, 0)

    def next_row(self) -> dict[QuestionKey, int] | None:
        """The decisions of the next row, or None if there is nothing left to bring together."""
        if not self._open or self.rows >= MAX_ROWS:
            return None
        self.rows += 1
        self._target = divmod(next(iter(self._open)), self._size)
        row = self._decisions_for_target()
        numbers = [self._first[key] + answer for key, answer in row.items() if key in self._first]
        for question in self.questions:
            if question.key in row or any(row.get(k, a) != a for k, a in question.needs.items()):
                continue
            first = self._first[question.key]
            gains = [
                (self._gain(first + answer, numbers), answer)
                for answer in range(len(question.labels))
            ]
            _, best = max(gains)
            for key, answer in (*question.needs.items(), (question.key, best)):
                if key not in row and key in self._first:
                    numbers.append(self._first[key] + answer)
                row[key] = answer
        return row

    def _gain(self, number: int, others: list[int]) -> int:
        size, left = self._size, self._open
        return sum(
            (number * size + one if number < one else one * size + number) in left for one in others
        )

    def record_row(self, trace: Iterable[tuple[QuestionKey, int | None]]) -> None:
        """Take down which answers have been together."""
        numbers = sorted(
            self._first[key] + answer
            for key, answer in dict(trace).items()
            if answer is not None and key in self._first
        )
        for index, one in enumerate(numbers):
            for other in numbers[index + 1 :]:
                self._open.pop(one * self._size + other, None)

    def target_decisions(self) -> dict[QuestionKey, int] | None:
        """The pair that the row was made for, by itself, if the row did not bring it together."""
        one, other = self._target
        if one * self._size + other not in self._open:
            return None
        return self._decisions_for_target()

    def _decisions_for_target(self) -> dict[QuestionKey, int]:
        row: dict[QuestionKey, int] = {}
        for number in self._target:
            question, answer = self._answers[number]
            row.update(question.needs)
            row[question.key] = answer
        return row

    def drop_target(self) -> None:
        """Take down that the pair the row was made for cannot be brought together."""
        one, other = self._target
        if self._open.pop(one * self._size + other, 1) is None:
            self._never.append(self._target)

    def ledger(self, case: str | None) -> list[Target]:
        """One line for all pairs that have been together, and one for each that cannot be.

        `case` is the id of the first case, which stands for all.
        """
        lines = []
        for one, other in self._never:
            (first, answer), (second, second_answer) = self._answers[one], self._answers[other]
            id = f"{first.id(answer)} & {second.id(second_answer)}"
            lines.append(Target(id, None, "no valid data was found in which both are"))
        together = self.total - len(self._never) - len(self._open)
        if together and case is not None:
            lines.insert(0, Target(f"pairs: {together:,}", case))
        if self._open:
            lines.append(Target(f"pairs: {len(self._open):,}", None, "left out: too many rows"))
        if self.left_out:
            why = f"left out: pairs are made of the first {MAX_QUESTIONS} questions"
            lines.append(Target(f"pairs with {self.left_out:,} more questions", None, why))
        return [*{line.id: line for line in lines}.values()]


def _agree(one: Question, answer: int, other: Question, other_answer: int) -> bool:
    """Whether two answers may be given together, as far as the ways to them tell."""
    way = {**one.needs, one.key: answer}
    way_too = {**other.needs, other.key: other_answer}
    return all(way_too.get(key, value) == value for key, value in way.items())
