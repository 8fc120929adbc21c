"""Steps that pick one of several options, and steps that wrap another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import Options
from widgetschema.samples.model import (
    MAX_POOL,
    RECURSION_COST,
    Chooser,
    DeadEnd,
    Excluded,
    Path,
    PickStep,
    Planner,
    Step,
    copy_json,
)
from widgetschema.samples.values import RandBelow
from widgetschema.samples.values.likely import examples_in, is_placeholder
from widgetschema.samples.values.realism import in_ensemble
from widgetschema.schema.tree import PYTHON, Choice, Node

_EXAMPLE_ODDS: Final = 2  # one in so many values is an example
_SCALAR_KINDS: Final = ("number", "string")
_DEFAULT_ODDS: Final = 4  # one in so many values is the default, so that others occur, too


class Values(PickStep):
    """One of the values that `const` and `enum` list, or true and false, or null."""

    keyword = "enum"

    def __init__(
        self, plan: Planner, node: Node, names: tuple[str, ...], values: Sequence[Any]
    ) -> None:
        super().__init__(plan, node, names)
        self.values = values
        kept = Options([*values])
        listed = [value for _, some in node.said("enum") for value in some]
        why = "it is listed, but excluded by the other requirements"
        self.excluded = [
            Excluded("enum", preview(value, 40), why) for value in listed if value not in kept
        ]
        self.weighted = self.shallow = self.in_order = range(len(values))
        self.deep = 0
        self._plain = all(type(value) not in (list, dict) for value in values)
        self._only = len(values) == 1
        if self._plain:
            self.fast = self._draw
            self.pool = values if len(values) <= MAX_POOL else None

    def _draw(self, randbelow: RandBelow) -> Any:
        values = self.values
        return values[0 if self._only else randbelow(len(values))]

    @cached_property
    def labels(self) -> Sequence[str]:
        """The values as text, numbered if two look alike."""
        shown = [preview(value, 40) for value in self.values]
        if len(set(shown)) == len(shown):
            return shown
        return [f"{index}: {one}" for index, one in enumerate(shown)]

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Return a copy of the value that the chooser wants."""
        value = self.values[0 if self._only else chooser.value(self, path)]
        if not self._plain:
            value = copy_json(value)
        chooser.on_made(self, path, value)
        return value


class Alternatives(PickStep):
    """One of several nodes: the branches of a choice, or the types that are allowed."""

    def __init__(
        self,
        plan: Planner,
        node: Node,
        names: tuple[str, ...],
        keyword: str,
        choice: Choice | None,
        options: Sequence[tuple[str, Node]],
        heights: Sequence[int],
        weights: Sequence[int],
    ) -> None:
        super().__init__(plan, node, names)
        self.keyword = keyword
        self.choice = choice
        self.labels = [label for label, _ in options]
        self.nodes = [option for _, option in options]
        self.shallow = [i for i, height in enumerate(heights) if height == min(heights)]
        self.deep = heights.index(max(heights))
        self.in_order = sorted(range(len(heights)), key=heights.__getitem__)
        self.weighted = [index for index, weight in enumerate(weights) for _ in range(weight)]
        self.weighted = self.weighted or range(len(self.nodes))
        self.matching_both: dict[tuple[str, str], list[Any]] = {}  # values, by two branches

    def step(self, index: int) -> Step:
        """Return the step of an option; not kept here, so that the plan can drop it."""
        return self.plan.step(self.nodes[index], self.names)

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Return a value of the chosen option, or of the next one that leads to a value."""
        first = chooser.option(self, path)
        size = len(self.nodes)
        for offset in range(size):
            index = (first + offset) % size
            if offset:
                chooser.on_fallback(self, path, index)
            try:
                value = self.step(index).make(chooser, path)
                chooser.on_made(self, path, value)
                return value
            except DeadEnd as stuck:
                chooser.on_discard(path)
                chooser.effort -= 1
                if offset == size - 1 or chooser.effort < 0:
                    raise
                self.plan.leave_out(stuck, chooser, path)
                last = stuck
        raise last


class Impossible(Step):
    """A place where nothing can be made; `stuck` says why."""

    def __init__(self, plan: Planner, node: Node, stuck: DeadEnd) -> None:
        super().__init__(plan, node, ())
        self.stuck = stuck

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Raise `DeadEnd`."""
        raise DeadEnd(self.stuck.pointer, self.stuck.reason, given_up=self.stuck.given_up)


class Checked(Step):
    """A step whose values may turn out invalid: made again until one is accepted."""

    tries = 40

    def __init__(self, plan: Planner, inner: Step) -> None:
        super().__init__(plan, inner.node, inner.names)
        self.inner = inner
        self._is_accepted = plan.checker(inner.node)

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Return the first value of several that all schemas accept."""
        for _ in range(self.tries):
            value = self.inner.make(chooser, path)
            if self._is_accepted(value):
                return value
            chooser.on_discard(path)
            chooser.effort -= 1
            if chooser.effort < 0:
                break
        raise DeadEnd(self.node.pointer, "all that was tried breaks one of its conditions")


class Recursive(Step):
    """A step that leads back to itself: entered so often, and no more."""

    def __init__(self, plan: Planner, inner: Step) -> None:
        super().__init__(plan, inner.node, inner.names)
        self.inner = inner

        # Of what is in a value that may be anything, nothing at all is known.
        self._levels = 1 if inner.node.key.pointers else 2

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Return a value of the inner step, one level deeper."""
        chooser.level += self._levels
        chooser.budget -= RECURSION_COST
        try:
            return self.inner.make(chooser, path)
        finally:
            chooser.level -= self._levels


class Illustrated(Step):
    """A value of which the schema itself has examples: now and then, one of these.

    What the author of the schema wrote is more likely than all that is made up.
    """

    def __init__(self, plan: Planner, inner: Step, values: Sequence[Any], one_in: int) -> None:
        super().__init__(plan, inner.node, inner.names)
        self.inner = inner
        self.values = values
        self._one_in = one_in
        self._whole = isinstance(values[0], (list, dict))
        if inner.fast is not None and not self._whole:
            self.fast = self._draw

    def _draw(self, randbelow: RandBelow) -> Any:
        if randbelow(self._one_in):
            assert self.inner.fast is not None
            return self.inner.fast(randbelow)
        return self.values[randbelow(len(self.values))]

    def make(self, chooser: Chooser, path: Path) -> Any:
        """Return one of the examples, if data is drawn, or a value of the inner step."""
        if not chooser.takes_example(self._one_in, whole=self._whole):
            return self.inner.make(chooser, path)
        value = copy_json(self.values[chooser.randbelow(len(self.values))])
        chooser.on_made(self.inner, path, value)
        return value


def illustrated(plan: Planner, inner: Step) -> Step:
    """Return the step with the values of `examples` or `default` that are valid, if there are
    some.
    """
    node = inner.node
    listed = [one for _, some in node.said("examples") if type(some) is list for one in some]
    said = listed or [one for _, one in node.said("default")]
    title, locale = node.annotation("title"), plan.locale
    if not said and node.kinds == ("string",) and not in_ensemble(inner.names, title, locale):
        said = [one for _, text in node.said("description") for one in examples_in(str(text))]
    values = [one for one in said if type(one) in PYTHON and one not in ("", [], {})]
    values = [
        value for value in values if PYTHON[type(value)] in node.kinds and not is_placeholder(value)
    ]
    if values:
        values = [*filter(plan.checker(node), values)]
    if not values:
        return inner
    one_in = _EXAMPLE_ODDS if listed else _DEFAULT_ODDS
    # Of arrays and objects, half as often: much is the same at once.
    return Illustrated(plan, inner, values, one_in * (1 if node.kinds[0] in _SCALAR_KINDS else 2))
