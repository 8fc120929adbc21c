"""`Applicability`: can any step of a plan change a record? Cheap where the answer is no.

First come the names in the text, then, for the steps that those leave, the value. The answer no is
certain; the answer yes is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.evolution.migrate.steps.step import WILD, Step
from widgetschema.jsontext import skim
from widgetschema.pointers import ANY, Patterns, Places, is_index, parse_pattern, step

_ESCAPED: Final = (b"\\u", b"\\/")  # as which a name may be written in other ways
_FEW: Final = 64  # steps that are looked at one by one


class Applicability:
    """The steps of a plan, arranged so that those that cannot apply are passed over fast."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    def may_apply(self, text: bytes, member: str | None) -> bool:
        """Return False if certainly no step changes a text, or what one of its members holds."""
        steps = self._steps
        if len(steps) <= _FEW:
            steps = [
                one
                for one, needles in self._needles
                if needles is None or any(needle in text for needle in needles)
            ]
            if b"\\" in text and any(escape in text for escape in _ESCAPED):
                steps = self._steps
        if not steps:
            return False
        try:
            value = skim(text)
        except ValueError:
            return True  # then it is refused, or has numbers that only a tree can hold
        if member is not None:
            if type(value) is not dict or member not in value:
                return True
            value = value[member]
        if len(steps) > _FEW:
            return _walk(value, self._places)
        return any(self._at[one](value) for one in map(id, steps))

    @cached_property
    def _needles(self) -> list[tuple[Step, tuple[bytes, ...] | None]]:
        return [
            (one, None if one.needles is None else tuple(text.encode() for text in one.needles))
            for one in self._steps
        ]

    @cached_property
    def _at(self) -> dict[int, Callable[[Any], bool]]:
        """The functions that decide about a value, by the identity of each step."""
        return {id(one): _decider(one) for one in self._steps}

    @cached_property
    def _places(self) -> Places[list[Step]]:
        """The places of all steps."""
        return _places(self._steps)


def _decider(one: Step) -> Callable[[Any], bool]:
    """Return the function that returns False if a step does nothing in a value."""
    tokens = parse_pattern(one.seen_at)
    if any(token in WILD for token in tokens):
        return partial(_walk, states=_places([one]))
    return _AtPlace(one, tokens).may_apply


class _AtPlace:
    """A step at one place."""

    def __init__(self, one: Step, tokens: list[str]) -> None:
        self._step = one
        self._tokens = tokens
        self._last = tokens[-1] if tokens else ""

    def may_apply(self, data: Any) -> bool:
        """Return False if it does nothing in a value."""
        parent, value = None, data
        for token in self._tokens:
            parent = value
            if type(value) is dict:
                if token not in value:
                    return False
                value = value[token]
            elif type(value) is list and is_index(token) and int(token) < len(value):
                value = value[int(token)]
            else:
                return False
        return self._step.may_apply(parent, self._last, value)


def _places(steps: Iterable[Step]) -> Places[list[Step]]:
    by_pattern: dict[str, list[Step]] = {}
    for one in steps:
        by_pattern.setdefault(one.seen_at, []).append(one)
    return Patterns(by_pattern).root


def _walk(data: Any, states: Places[list[Step]]) -> bool:
    """Return False if no step does anything in a value: one walk for all of them."""
    todo: list[tuple[Any, str, Any, Places[list[Step]]]] = [(None, "", data, states)]
    while todo:
        parent, token, value, states = todo.pop()
        for state in states:
            if state.value and any(one.may_apply(parent, token, value) for one in state.value):
                return True
        for name, child in _candidates(value, states):
            after = step(states, name)
            if after:
                todo.append((value, name, child, after))
    return False


def _candidates(value: Any, states: Places[list[Step]]) -> Sequence[tuple[str, Any]]:
    """Return the members or items of a value that patterns may lead to."""
    if type(value) is not dict and type(value) is not list:
        return ()
    if any(state.is_any_depth or ANY in state.children for state in states):
        if type(value) is dict:
            return [*value.items()]
        return [(str(index), item) for index, item in enumerate(value)]
    names = {name for state in states for name in state.children}
    if type(value) is dict:
        return [(name, value[name]) for name in names if name in value]
    return [(one, value[int(one)]) for one in names if is_index(one) and int(one) < len(value)]
