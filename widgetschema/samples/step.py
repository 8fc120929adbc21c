"""`Step`: one place of a plan; and the steps in which something is picked out of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import Options
from widgetschema.samples.choosers import MOST_REQUIRED, RECURSIVE, Below, Path, Stuck

if TYPE_CHECKING:
    from widgetschema.samples.choosers import Chooser
    from widgetschema.samples.plan import Plan
    from widgetschema.schema.tree import Choice, Node


MAX_POOL: Final = 1 << 16


class Never(NamedTuple):
    """Something that a schema offers, and at the same time excludes."""

    keyword: str
    label: str
    why: str
    member: str | None = None


class Step:
    """What may be made at one place: of a node, for members with these names.

    `names` are the last names on the way there; they are all that is known about what the
    value is for.
    """

    def __init__(self, plan: Plan, node: Node, names: tuple[str, ...]) -> None:
        self.plan = plan
        self.node = node
        self.names = names
        # What is written in the schema but can never be: keyword, member, label, and why.
        self.never: list[Never] = []

    # Makes a value of numbers alone, if there is nothing to ask and nothing to check; and if it
    # is only picked, what from: not more than there are 16-bit numbers.
    fast: Callable[[Below], Any] | None = None
    pool: Sequence[Any] | None = None

    def make(self, chooser: Chooser, path: Path) -> Any:
        """A value, as the chooser wants it. Raises `Stuck`."""
        raise NotImplementedError

    def too_large(self) -> Stuck:
        """The reason why no more arrays and objects are made."""
        reason = f"the least data has more than {MOST_REQUIRED:,} arrays and objects"
        return Stuck(self.node.pointer, reason)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.node!r}>"


class Pick(Step):
    """One of several options, which have labels.

    `weighted` are the indices for samples, each as often as it is likely; `in_order` are all,
    what ends soonest first, `shallow` those that end soonest, and `deep` one that does last.
    """

    labels: Sequence[str]
    weighted: Sequence[int]
    in_order: Sequence[int]
    shallow: Sequence[int]
    deep: int
    keyword: str


class Values(Pick):
    """One of the values that `const` and `enum` list, or true and false, or null."""

    keyword = "enum"

    def __init__(
        self, plan: Plan, node: Node, names: tuple[str, ...], values: Sequence[Any]
    ) -> None:
        super().__init__(plan, node, names)
        self.values = values
        kept = Options([*values])
        listed = [value for _, some in node.said("enum") for value in some]
        why = "it is listed, but excluded by all else that is asked"
        self.never = [
            Never("enum", preview(value, 40), why) for value in listed if value not in kept
        ]
        self.weighted = self.shallow = self.in_order = range(len(values))
        self.deep = 0
        self._plain = all(type(value) not in (list, dict) for value in values)
        self._only = len(values) == 1
        if self._plain:
            self.fast = self._drawn
            self.pool = values if len(values) <= MAX_POOL else None

    def _drawn(self, below: Below) -> Any:
        values = self.values
        return values[0 if self._only else below(len(values))]

    @cached_property
    def labels(self) -> Sequence[str]:  # type: ignore[override]
        shown = [preview(value, 40) for value in self.values]
        if len(set(shown)) == len(shown):
            return shown
        return [f"{index}: {one}" for index, one in enumerate(shown)]

    def make(self, chooser: Chooser, path: Path) -> Any:
        value = self.values[0 if self._only else chooser.value(self, path)]
        if not self._plain:
            value = own(value)
        chooser.made(self, path, value)
        return value


class Alternatives(Pick):
    """One of several nodes: the branches of a choice, or the types that are allowed."""

    def __init__(
        self,
        plan: Plan,
        node: Node,
        names: tuple[str, ...],
        keyword: str,
        options: Sequence[tuple[str, int, Node]],
        choice: Choice | None = None,
    ) -> None:
        super().__init__(plan, node, names)
        self.keyword = keyword
        self.choice = choice
        self.labels = [label for label, _, _ in options]
        self.nodes = [option for _, _, option in options]
        heights = [plan.height(option) or 0 for option in self.nodes]
        self.shallow = [i for i, height in enumerate(heights) if height == min(heights)]
        self.deep = heights.index(max(heights))
        self.in_order = sorted(range(len(heights)), key=heights.__getitem__)
        weights = [plan.weight(option, index, choice) for _, index, option in options]
        self.weighted = [index for index, weight in enumerate(weights) for _ in range(weight)]
        self.weighted = self.weighted or range(len(self.nodes))

    def step(self, index: int) -> Step:
        """The step of an option: not kept here, so that the plan can let go of it."""
        return self.plan.step(self.nodes[index], self.names)

    def make(self, chooser: Chooser, path: Path) -> Any:
        first = chooser.option(self, path)
        size = len(self.nodes)
        for offset in range(size):
            index = (first + offset) % size
            if offset:
                chooser.took(self, path, index)
            try:
                value = self.step(index).make(chooser, path)
                chooser.made(self, path, value)
                return value
            except Stuck as stuck:
                chooser.forget(path)
                chooser.effort -= 1
                if offset == size - 1 or chooser.effort < 0:
                    raise
                last = stuck
        raise last


class Impossible(Step):
    """Nothing can be made here; `stuck` says why."""

    def __init__(self, plan: Plan, node: Node, stuck: Stuck) -> None:
        super().__init__(plan, node, ())
        self.stuck = stuck

    def make(self, chooser: Chooser, path: Path) -> Any:
        raise Stuck(self.stuck.pointer, self.stuck.reason)


class Checked(Step):
    """A step whose values may turn out invalid: made again until one is accepted."""

    tries = 40

    def __init__(self, plan: Plan, inner: Step) -> None:
        super().__init__(plan, inner.node, inner.names)
        self.inner = inner
        self._fits = plan.checker(inner.node)

    def make(self, chooser: Chooser, path: Path) -> Any:
        for _ in range(self.tries):
            value = self.inner.make(chooser, path)
            if self._fits(value):
                return value
            chooser.forget(path)
            chooser.effort -= 1
            if chooser.effort < 0:
                break
        raise Stuck(self.node.pointer, "all that was tried breaks one of its conditions")


class Recursive(Step):
    """A step that leads back to itself: entered so often, and no more."""

    def __init__(self, plan: Plan, inner: Step) -> None:
        super().__init__(plan, inner.node, inner.names)
        self.inner = inner

        # Of what is in a value that may be anything, nothing at all is known.
        self._levels = 1 if inner.node.key.pointers else 2

    def make(self, chooser: Chooser, path: Path) -> Any:
        chooser.level += self._levels
        chooser.budget -= RECURSIVE
        try:
            return self.inner.make(chooser, path)
        finally:
            chooser.level -= self._levels


def own(value: Any) -> Any:
    """A copy of a JSON value, which others may change."""
    if type(value) is dict:
        return {name: own(item) for name, item in value.items()}
    if type(value) is list:
        return [own(item) for item in value]
    return value
