"""Objects: their members, those that the schema names and additional ones.

Validation specification, section 6.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.jsontext import preview
from widgetschema.samples.arrays import Array
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.model import (
    IDENTIFYING_FILL,
    REQUIRED,
    TYPICAL_ITEMS,
    VALUES_PER_CONTAINER,
    Chooser,
    DeadEnd,
    DrawSource,
    Excluded,
    Member,
    MemberNodes,
    ObjectStep,
    Path,
    Planner,
    Related,
)
from widgetschema.samples.steps import Illustrated
from widgetschema.samples.texts import some_texts
from widgetschema.samples.values.likely import likely_texts
from widgetschema.samples.values.realism import (
    Defaults,
    Ordered,
    TextMember,
    defaults_in,
    ensembles_for,
    in_ensemble,
    name_for,
    object_for,
    ordered_names,
)
from widgetschema.schema.tree import Node

_MAX_TRIES: Final = 25
_CACHED_OBJECTS: Final = 63  # objects without constraints that are kept ready


def closure(names: Iterable[str], dependencies: Mapping[str, Sequence[str]]) -> dict[str, None]:
    """Return the names and all that depend on them (section 6.5.7)."""
    every = dict.fromkeys(names)
    todo = list(every)
    while todo:
        for other in dependencies.get(todo.pop(), ()):
            if other not in every:
                every[other] = None
                todo.append(other)
    return every


def settle_members(plan: Planner, node: Node) -> MemberNodes:
    """Return the named members that an object may have. Raises `DeadEnd`."""
    required = closure(node.required, node.dependencies)
    every = dict.fromkeys((*node.properties, *required))
    for names in list(node.dependencies.values()):
        every.update(dict.fromkeys(names))
    restricted = any(node.said("propertyNames"))
    fits = plan.checker(node.names) if restricted else None
    nodes: dict[str, Node] = {}
    excluded = []
    for name in every:
        child = node.properties.get(name) or node.child(name)
        allowed = name not in node.absent and (fits is None or fits(name))
        if allowed and plan.possible(child):
            nodes[name] = child
        elif name in required:
            raise _required_is_impossible(plan, node, name, allowed)
        else:
            excluded.append(Excluded("present", "", "the schema excludes it", name))
    free = frozenset(
        name
        for name in nodes
        if name in required or all(one in nodes for one in closure((name,), node.dependencies))
    )
    return MemberNodes(nodes, frozenset(required), free, tuple(excluded), fits)


def _required_is_impossible(plan: Planner, node: Node, name: str, allowed: bool) -> DeadEnd:
    """Return the schema that makes a required member impossible, and the reason."""
    child = node.child(name)
    if allowed:
        pointer, reason = plan.explain_impossible(child)
    elif name in node.absent:
        pointer, reason = node.pointer, "it must not be there"
    else:
        pointer, reason = node.place("propertyNames"), "it may not have this name"
    pointer = node.pointer if child.kinds else pointer
    return DeadEnd(pointer, f"the required property {preview(name)} is impossible: {reason}")


def _fits(checker: Callable[[Node], Callable[[Any], bool]], node: Node, value: Any) -> bool:
    """Return True if a value is valid at a node; the checker is made when it is needed."""
    return checker(node)(value)


class Object(ObjectStep):
    """An object: `members` have names, `low` to `high` count those that have none."""

    def __init__(self, plan: Planner, node: Node, names: tuple[str, ...]) -> None:
        super().__init__(plan, node, names)
        self._likely: dict[str, tuple[str, ...]] = {}  # by pattern; "" for any name
        self._set_members()
        self.least, self.most = node.least("minProperties"), node.most("maxProperties")
        if self.most is not None and len(self.required) > self.most:
            number = len(self.required)
            raise DeadEnd(node.pointer, f"{number:,} properties required, {self.most:,} allowed")
        self.sources = self._sources()
        missing = max(0, self.least - len(self.members))
        if missing and not self.sources:
            raise DeadEnd(node.pointer, f"there are fewer properties than {self.least:,}")
        most = None if self.most is None else max(0, self.most - len(self.required))
        self.set_bounds(missing, most if self.sources else 0)
        self.cost += len(self.required) // VALUES_PER_CONTAINER
        others = [one for _, one in node.said("additionalProperties")]
        described = bool(node.patterns or any(one not in (True, {}) for one in others))
        self.described = described
        if not described or (self.members and not missing):
            more = self.low + (1 if described and self.sources else 0)
            self.usual = (self.low, more if self.high is None else min(more, self.high))
        empty = not self.members and not described and not node.dependencies
        counted = bool(self.least or self.most is not None or node.dependencies)
        plain = not counted and self.usual == (0, 0)
        if empty and not self.least:
            self._prepare_objects()
        self._plain = plain and self.fast is None
        self._simple = not (counted or self.sources or empty)

    def _prepare_objects(self) -> None:
        """Prepare some likely objects, if the members are unconstrained."""
        node, randbelow = self.node, StreamChooser("objects").randbelow
        made, more = object_for(self.names, self.plan.locale), self.most is not None
        ready = [{}, *(made(randbelow) for _ in range(_CACHED_OBJECTS))]
        if more or self._names_fit is not None or node.key.refused:
            ready = [*filter(self.plan.checker(node), ready)]
        self.usual = (self.low, self.low + TYPICAL_ITEMS if self.high is None else self.high)
        if ready:
            self.makers = makers = [prepared.copy for prepared in ready]
            self.fast = lambda randbelow: makers[randbelow(len(makers))]()

    def _set_members(self) -> None:
        """Determine the possible named members. Raises `DeadEnd`."""
        found, made = self.plan.members(self.node, self.names)
        self._names_fit, self.excluded = found.names_fit, [*found.excluded]
        self._nodes, self._made = found.nodes, made
        self.named, self.members, self.required = made.named, made.members, made.required
        self._draws, self._sparse_draws = made.draws, made.sparse_draws
        self._resolve_draw = made.resolve_draw

    @cached_property
    def _ensembles(self) -> Sequence[Related]:
        """Return the groups of related members, which are the same for all objects of a name."""
        if self._made.related is None:
            self._made.related = self._related()
        return self._made.related

    def _related(self) -> list[Related]:
        """Return the groups of related members.

        Their texts belong together, their values are ordered, or they refer to one of the options.
        """
        drawn, locale, checker = {}, self.plan.locale, self.plan.checker
        for name, node in self._nodes.items():
            title = node.annotation("title")
            is_list, is_number = node.kinds == ("array",), node.kinds == ("number",)
            if not (is_list or is_number or "string" in node.kinds):
                continue
            if not in_ensemble((*self.names[-1:], name), title, locale):
                continue
            step = self.named[name].step
            pool = step.item_pool if isinstance(step, Array) else step.pool
            if not isinstance(step, Illustrated):
                fits = partial(_fits, checker, node)
                drawn[name] = TextMember(title, pool, is_list, is_number, fits)
        ordered = [Ordered(*two, self._exchangeable(*two)) for two in ordered_names(self._nodes)]
        defaults = [
            Defaults(name, options, partial(_fits, checker, self._nodes[name]))
            for name, options in defaults_in(self._nodes)
        ]
        return [*ensembles_for(self.names, drawn, locale), *ordered, *defaults]

    def _exchangeable(self, one: str, other: str) -> Callable[[Any, Any], bool]:
        """Return a function that checks if two members may exchange their values."""
        nodes, checker = self._nodes, self.plan.checker
        return lambda first, second: checker(nodes[one])(second) and checker(nodes[other])(first)

    def _sources(self) -> list[str | None]:
        """Return the sources of names of additional members: patterns, and None for any name."""
        possible = self.plan.possible(self.node.other)
        return [*self.node.patterns, *([None] if possible else [])]

    def make(self, chooser: Chooser, path: Path) -> dict[str, Any]:
        """Return an object with the members that the chooser decides on."""
        lane = chooser.draw_source()
        if lane is None or not self._plain:
            return self._make_asking(chooser, path, lane)
        # The hot path: nothing has to be completed, counted or recorded.
        chooser.budget -= self.cost
        if chooser.budget < chooser.floor:
            raise self.too_large(chooser)
        draw, threshold, rows = lane
        value: dict[str, Any] = {}
        draws = self._draws if threshold >= IDENTIFYING_FILL else self._sparse_draws
        for name, always, pool, size, fast, step in draws:
            if always or draw() < threshold:
                if step is None:
                    _, _, pool, size, fast, step = self._resolve_draw(size)
                if pool is not None:
                    value[name] = pool[draw() * size >> 16]
                elif size:
                    value[name] = fast[draw() * size >> 16]()
                elif fast is not None:
                    value[name] = fast(chooser.randbelow)
                else:
                    assert step is not None
                    try:
                        value[name] = step.make(chooser, (path, name))
                    except DeadEnd as stuck:
                        if always == REQUIRED:
                            raise
                        self.plan.leave_out(stuck, chooser, (path, name))
        for ensemble in self._ensembles:
            ensemble.settle(value, rows)
        return value

    def _make_asking(self, chooser: Chooser, path: Path, lane: DrawSource | None) -> dict[str, Any]:
        """Return a prepared object, or one that the chooser decides on."""
        if self.fast is not None and chooser.realistic:
            value: dict[str, Any] = self.fast(chooser.randbelow)
        else:
            value = self._make_members(chooser, path)
            if lane is not None:
                for ensemble in self._ensembles:
                    ensemble.settle(value, lane[2])
        chooser.on_made(self, path, value)
        return value

    def _make_members(self, chooser: Chooser, path: Path) -> dict[str, Any]:
        """Return an object with each member as the chooser decides."""
        chooser.budget -= self.cost
        if chooser.budget < chooser.floor:
            raise self.too_large(chooser)
        chosen = chooser.members(self, path)
        if not self._simple:
            chosen = self._complete(chosen, chooser, chooser.avoided(self, path))
        value: dict[str, Any] = {}
        for member in chosen:
            try:
                value[member.name] = member.step.make(chooser, (path, member.name))
            except DeadEnd as stuck:
                chooser.on_discard((path, member.name))
                if member.required or self.node.dependencies:
                    raise
                self.plan.leave_out(stuck, chooser, (path, member.name))
        if not self._simple:
            self._add_others(value, chooser, path)
        return value

    def _complete(
        self, chosen: Iterable[Member], chooser: Chooser, avoided: Set[str]
    ) -> Iterable[Member]:
        """Return the chosen members and those that they require, within the bounds; members to be
        avoided only where nothing else can take their place.
        """
        if not self.node.dependencies and self.most is None:
            if not self.least:
                return chosen  # chosen and made one by one: the draws of a member stay together
            chosen = [*chosen]
            if len(chosen) >= self.least:
                return chosen
        names = dict.fromkeys(member.name for member in chosen)
        if self.most is not None:
            while len(self._with_dependencies(names)) > self.most:
                optional = [name for name in names if not self.named[name].required]
                if not optional:
                    raise DeadEnd(self.node.pointer, "more properties are required than allowed")
                del names[optional[chooser.randbelow(len(optional))]]
        short = min(self.least, len(self.members))
        left = [one.name for one in self.members if one.name not in names]
        others = [one for one in left if avoided.isdisjoint(self._with_dependencies({one: None}))]
        rest = [] if self.sources else [one for one in left if one not in others]
        for some in (others, rest):
            while some and len(self._with_dependencies(names)) < short:
                names[some.pop(chooser.randbelow(len(some)))] = None
        every = self._with_dependencies(names)
        return [member for member in self.named.values() if member.name in every]

    def _with_dependencies(self, names: dict[str, None]) -> dict[str, None]:
        return closure(names, self.node.dependencies)

    def _add_others(self, value: dict[str, Any], chooser: Chooser, path: Path) -> None:
        """Add as many members that the schema does not name as the chooser decides."""
        if not self.sources:
            return
        wanted = len(value) + chooser.count(self, path)
        if self.most is not None:
            wanted = min(wanted, self.most)
        self.add_others(value, chooser, path, max(wanted, self.least), self.least)

    def add_others(
        self, value: dict[str, Any], chooser: Chooser, path: Path, wanted: int, least: int
    ) -> None:
        """Add members that the schema does not name, up to a number of all members. Raises
        `DeadEnd` if there are fewer than `least`.
        """
        for attempt in range(wanted * 4 + _MAX_TRIES if self.sources else 0):
            if len(value) >= wanted:
                return
            name = self._name(chooser, attempt, is_needed=len(value) < least)
            if name is None or name in value or name in self.named or name in self.node.absent:
                continue
            child = self.node.child(name)
            if not self.plan.possible(child) or self.node.dependencies.get(name):
                continue
            try:
                step = self.plan.step(child, (*self.names[-1:], name))
                value[name] = step.make(chooser, (path, name))
            except DeadEnd as stuck:
                chooser.on_discard((path, name))
                self.plan.leave_out(stuck, chooser, (path, name))
        if len(value) < least:
            raise DeadEnd(self.node.pointer, "too few names for properties were found")

    def _name(self, chooser: Chooser, attempt: int, *, is_needed: bool) -> str | None:
        """Return a name for an additional member; an unlikely one only if it is needed."""
        is_unlikely = is_needed and attempt >= _MAX_TRIES
        if self.sources == [None] and self._names_fit is None:
            any_name = chooser.any_name()
            if any_name is not None:
                return any_name
        # A name takes one number of the chooser: enough variety, and quick to shrink.
        number = chooser.name()
        simplest = not (number or attempt)
        stream = Chooser() if simplest else StreamChooser(f"{attempt}/{number}")
        if is_unlikely:
            stream.is_plain = False
        source = self.sources[stream.randbelow(len(self.sources))]
        name: str | None
        if source is not None:
            likely = self._likely_names(source) if chooser.realistic else ()
            if likely and not is_unlikely:
                name = likely[stream.randbelow(len(likely))]
            else:
                pattern = self.plan.pattern(source)
                plain = chooser.is_plain and not is_unlikely
                name = pattern.make(stream.randbelow, plain=plain)
        elif self._names_fit is not None:
            if chooser.realistic and (likely := self._fitting_names()):
                if not is_unlikely:
                    return likely[stream.randbelow(len(likely))]
            name = self.plan.step(self.node.names, ("name",)).make(stream, ())
        else:
            name = name_for(self.names, self.plan.locale)(stream.randbelow)
            if attempt >= _MAX_TRIES:
                name = f"{name}-{attempt}" if is_needed else None
        if name is None or (self._names_fit is not None and not self._names_fit(name)):
            return None
        return name

    def _fitting_names(self) -> tuple[str, ...]:
        """Return likely names that the schema allows; none if there are too few."""
        if "" not in self._likely:
            names = some_texts(name_for(self.names, self.plan.locale))
            fitting = tuple(filter(self._names_fit, names))
            self._likely[""] = fitting if len(fitting) > 1 else ()
        return self._likely[""]

    def _likely_names(self, source: str) -> tuple[str, ...]:
        """Return likely names that match one of the patterns; none if there are too few."""
        if source not in self._likely:
            texts = some_texts(name_for(self.names, self.plan.locale))
            matches = partial(self.plan.tree.matches, source)
            self._likely[source] = likely_texts(texts, (), self.plan.locale, matches)
        return self._likely[source]
