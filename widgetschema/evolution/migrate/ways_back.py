"""The way back of each step: carried out, and reversed, it must leave a record as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from widgetschema.evolution.migrate.draft import Node, new_text
from widgetschema.evolution.migrate.steps.members import Move
from widgetschema.evolution.migrate.steps.step import Run, Step
from widgetschema.jsontext import Text, parse, read
from widgetschema.jsontext.equality import canonical


class WayBack(NamedTuple):
    """A step in one record, and its reverse.

    Args:
        number: The number of the step, from 1.
        is_back: True if the record is as it was; None if the way back is not certain in this
            record, such as where a value was skipped, or is like what the step makes already.
        before: The JSON text before the step.
        after: The JSON text after the step and its reverse.
    """

    number: int
    is_back: bool | None
    before: str
    after: str


def ways_back(steps: tuple[Step, ...], raw: Text) -> Iterator[WayBack]:
    """Yield the way back of each step that applies to data and can be reversed.

    Each step begins with what those before it have made. Raises `StepFailed`.
    """
    tree = parse(raw)
    text = tree.text
    for number, step in enumerate(steps, 1):
        made, changed, is_whole = _carried_out(step, text)
        reverse = step.reversed
        if changed and reverse is not None:
            back, _, is_all_back = _carried_out(reverse, made)
            if is_whole and is_all_back and not _carried_out(reverse, text)[1]:
                is_back = _value(back, step) == _value(text, step)
                yield WayBack(number, is_back, text, back)
            else:
                yield WayBack(number, None, text, made)
        text = made


def _carried_out(step: Step, text: str) -> tuple[str, int, bool]:
    """Return a text after a step, how many places it changed, and whether these were all."""
    tree = parse(text)
    run = Run(Node(tree.root))
    found = len(step.places(run))
    step.apply(run)
    is_whole = not run.skipped and not run.lost and found == run.applied
    return new_text(tree, run.root), run.applied, is_whole


def _value(text: str, step: Step) -> Any:
    """Return a value to be compared; moves leave empty objects behind, and make some."""
    value = read(text)
    return canonical(_without_empty(value) if isinstance(step, Move) else value)


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        inner = {name: _without_empty(item) for name, item in value.items()}
        return {name: item for name, item in inner.items() if item != {}}
    return [_without_empty(one) for one in value] if isinstance(value, list) else value
