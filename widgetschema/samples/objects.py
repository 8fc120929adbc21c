"""Objects: which members there are, named in the schema or not, and what is in them.

Validation specification, section 6.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.jsontext import preview
from widgetschema.samples.choosers import MOST_REQUIRED, Below, Lane, Path, Stream, Stuck
from widgetschema.samples.containers import TRIES, USUAL, Items
from widgetschema.samples.step import Never, Step
from widgetschema.samples.values.realism import name_for, object_for

if TYPE_CHECKING:
    from widgetschema.samples.choosers import Chooser
    from widgetschema.samples.plan import Plan
    from widgetschema.schema.tree import Node

_READY: Final = 63  # objects of which nothing is said, kept ready


class Member:
    """A member that has a name of its own in the schema."""

    __slots__ = ("_names", "_node", "_plan", "_step", "name", "required")

    def __init__(
        self, plan: Plan, name: str, node: Node, names: tuple[str, ...], required: bool
    ) -> None:
        self.name = name
        self.required = required
        self._plan, self._node, self._names = plan, node, names
        self._step: Step | None = None

    @property
    def step(self) -> Step:
        """Its step, made when it is first asked for."""
        if self._step is None:
            self._step = self._plan.step(self._node, (*self._names[-1:], self.name))
        return self._step

    def __repr__(self) -> str:
        return f"<Member {self.name}>"


def closure(names: Iterable[str], dependencies: Mapping[str, Sequence[str]]) -> dict[str, None]:
    """The names, and all that they bring with them (section 6.5.7)."""
    every = dict.fromkeys(names)
    todo = list(every)
    while todo:
        for other in dependencies.get(todo.pop(), ()):
            if other not in every:
                every[other] = None
                todo.append(other)
    return every


class _Row(NamedTuple):
    """A member as it is made quickly."""

    name: str
    required: bool
    pool: Sequence[Any] | None
    size: int
    fast: Callable[[Below], Any] | None
    step: Step

    @classmethod
    def of(cls, member: Member) -> _Row:
        step, pool = member.step, member.step.pool
        size = 0 if pool is None else len(pool)
        return cls(member.name, member.required, pool, size, step.fast, step)


class Record(Items):
    """An object: `members` have names, `low` to `high` count those that have none."""

    members: Sequence[Member]
    required: Sequence[Member]

    def __init__(self, plan: Plan, node: Node, names: tuple[str, ...]) -> None:
        super().__init__(plan, node, names)
        self._set_members()
        self.least, self.most = node.least("minProperties"), node.most("maxProperties")
        if self.most is not None and len(self.required) > self.most:
            number = len(self.required)
            raise Stuck(node.pointer, f"{number:,} members are required, {self.most:,} allowed")
        self.sources = self._sources()
        missing = max(0, self.least - len(self.members))
        if missing and not self.sources:
            raise Stuck(node.pointer, f"there are fewer members than {self.least:,}")
        most = None if self.most is None else max(0, self.most - len(self.required))
        self.settle(missing, most if self.sources else 0)
        described = bool(node.patterns or any(node.said("additionalProperties")))
        self.described = described
        if not described or (self.members and not missing):
            more = self.low + (1 if described and self.sources else 0)
            self.usual = (self.low, more if self.high is None else min(more, self.high))
        empty = not self.members and not described and not node.dependencies
        counted = bool(self.least or self.most is not None or node.dependencies)
        self._plain = not counted and self.usual == (0, 0)
        self._made_up: list[dict[str, Any]] = []
        if empty and not self.least:
            self._make_up()
        self._simple = not (counted or self.sources or empty)

    def _make_up(self) -> None:
        """Keep some likely objects ready: nothing is said of the members of this one."""
        node, below = self.node, Stream("objects").below
        made, more = object_for(self.names, self.plan.locale), self.most is not None
        self._made_up = [{}, *(made(below) for _ in range(_READY))]
        if more or self._names_fit is not None or node.key.refused:
            self._made_up = [*filter(self.plan.checker(node), self._made_up)]
        self.usual = (self.low, self.low + USUAL if self.high is None else self.high)
        if self._made_up:
            self.fast = self._drawn

    def _drawn(self, below: Below) -> dict[str, Any]:
        return self._made_up[below(len(self._made_up))].copy()

    def _set_members(self) -> None:
        """Settle which named members there may be. Raises `Stuck`."""
        node, plan = self.node, self.plan
        must = dict.fromkeys(self._with_needs(dict.fromkeys(node.required)))
        every = dict.fromkeys((*node.properties, *must))
        for names in list(node.dependencies.values()):
            every.update(dict.fromkeys(names))
        restricted = any(node.said("propertyNames"))
        self._names_fit = fits = plan.checker(node.names) if restricted else None
        self.members = []
        for name in every:
            child = node.child(name)
            possible = name not in node.absent and (fits is None or fits(name))
            if possible and plan.possible(child):
                member = Member(plan, name, child, self.names, name in must)
                self.members.append(member)
            elif name in must:
                raise Stuck(*self._blame(name, child, possible))
            else:
                self.never.append(Never("present", "", "the schema excludes it", name))
        self.named = {member.name: member for member in self.members}
        self.members = [one for one in self.members if one.required or self._possible(one.name)]
        self.required = [member for member in self.members if member.required]

    def _blame(self, name: str, child: Node, allowed: bool) -> tuple[str, str]:
        """Where it is that makes a required member impossible, and why."""
        if allowed:
            pointer, reason = self.plan.blame(child)
        elif name in self.node.absent:
            pointer, reason = self.node.pointer, "it must not be there"
        else:
            pointer, reason = self.node.place("propertyNames"), "it may not have this name"
        pointer = self.node.pointer if child.kinds else pointer
        return pointer, f"the required member {preview(name)} is impossible: {reason}"

    def _possible(self, name: str) -> bool:
        """Whether all that a member brings with it is possible."""
        return all(other in self.named for other in self._with_needs({name: None}))

    def _sources(self) -> list[str | None]:
        """Where names of further members come from: patterns, and None for any other name."""
        possible = self.plan.possible(self.node.other)
        return [*self.node.patterns, *([None] if possible else [])]

    def make(self, chooser: Chooser, path: Path) -> dict[str, Any]:
        if self._made_up and chooser.realistic:
            made_up = self._drawn(chooser.below)
            chooser.made(self, path, made_up)
            return made_up
        lane = chooser.lane() if self._plain else None
        if lane is not None:
            return self._quickly(lane, chooser, path)
        chooser.budget -= 1
        if chooser.budget < -MOST_REQUIRED:
            raise self.too_large()
        chosen = chooser.members(self, path)
        if not self._simple:
            chosen = self._completed(chosen, chooser)
        value: dict[str, Any] = {}
        for member in chosen:
            try:
                value[member.name] = member.step.make(chooser, (path, member.name))
            except Stuck:
                chooser.forget((path, member.name))
                if member.required or self.node.dependencies:
                    raise
        if not self._simple:
            self._add_others(value, chooser, path)
        chooser.made(self, path, value)
        return value

    def _quickly(self, lane: Lane, chooser: Chooser, path: Path) -> dict[str, Any]:
        """An object without anything that has to be completed or counted."""
        chooser.budget -= 1
        if chooser.budget < -MOST_REQUIRED:
            raise self.too_large()
        draw, below, threshold = lane
        value: dict[str, Any] = {}
        for name, required, pool, size, fast, step in self._rows:
            if required or draw() < threshold:
                if pool is not None:
                    value[name] = pool[draw() * size >> 16]
                elif fast is not None:
                    value[name] = fast(below)
                else:
                    try:
                        value[name] = step.make(chooser, (path, name))
                    except Stuck:
                        if required:
                            raise
        return value

    @cached_property
    def _rows(self) -> list[_Row]:
        return [_Row.of(member) for member in self.members]

    def _completed(self, chosen: Iterable[Member], chooser: Chooser) -> list[Member]:
        """The chosen members and all they bring with them, as many as are allowed."""
        names = dict.fromkeys(member.name for member in chosen)
        if self.most is not None:
            while len(self._with_needs(names)) > self.most:
                optional = [name for name in names if not self.named[name].required]
                if not optional:
                    raise Stuck(self.node.pointer, "more members are required than are allowed")
                del names[optional[chooser.below(len(optional))]]
        short = min(self.least, len(self.members))
        left = [one.name for one in self.members if one.name not in names]
        while left and len(self._with_needs(names)) < short:
            names[left.pop(chooser.below(len(left)))] = None
        every = self._with_needs(names)
        return [member for member in self.named.values() if member.name in every]

    def _with_needs(self, names: dict[str, None]) -> dict[str, None]:
        return closure(names, self.node.dependencies)

    def _add_others(self, value: dict[str, Any], chooser: Chooser, path: Path) -> None:
        """Members that the schema does not name."""
        if not self.sources:
            return
        wanted = len(value) + chooser.count(self, path)
        if self.most is not None:
            wanted = min(wanted, self.most)
        wanted = max(wanted, self.least)
        for attempt in range(wanted * 4 + TRIES):
            if len(value) >= wanted:
                return
            name = self._name(chooser, attempt)
            if name is None or name in value or name in self.named or name in self.node.absent:
                continue
            child = self.node.child(name)
            if not self.plan.possible(child) or self.node.dependencies.get(name):
                continue
            try:
                step = self.plan.step(child, (*self.names[-1:], name))
                value[name] = step.make(chooser, (path, name))
            except Stuck:
                chooser.forget((path, name))
        if len(value) < self.least:
            raise Stuck(self.node.pointer, "too few names for members were found")

    def _name(self, chooser: Chooser, attempt: int) -> str | None:
        """A name for a further member."""
        # One number of the chooser makes a whole name: enough for variety, and quick to shrink.
        stream = Stream(f"{attempt}/{chooser.name()}")
        source = self.sources[stream.below(len(self.sources))]
        name: str | None
        if source is not None:
            name = self.plan.pattern(source).make(stream.below)
        elif self._names_fit is not None:
            name = self.plan.step(self.node.names, ("name",)).make(stream, ())
        else:
            name = name_for(self.names, self.plan.locale)(stream.below)
            name = name if attempt < TRIES else f"{name}-{attempt}"
        if name is None or (self._names_fit is not None and not self._names_fit(name)):
            return None
        return name
