"""Search for the mistakes of an instance: a walk over linked schema and instance together.

The engine has decided that the instance is invalid; this walk finds every mistake, once,
at the place where a person has to change something. It is the same walk whatever the
engine, so the findings are the same too. Where engines could differ (patterns, formats,
content) it asks the engine about the single value.

A schema becomes a `Node`: for each JSON type, the checks that apply. Checks write
`Violation`s and put what is below onto the list of work, so that depth costs no stack. A visit
brings together what all schemas say of one value, so that violations come in the order of the
instance, as they are found; no more is held than what is open. Sentences are made last, in
`messages`, and only for violations that are reported.

Alternatives and conditions have walks of their own, whose results the check remembers: a value
is walked against a subschema once, however many references lead there, and what it violates is
found once. Else recursion through two keywords would double the work at every level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final, NamedTuple, cast

from widgetschema.findings import Finding, Fix
from widgetschema.jsontext import dump_line
from widgetschema.jsontext.values import accepts_none
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import texts
from widgetschema.schema.linking import ANNOTATIONS, LinkedSchema
from widgetschema.validation.engines.engine import Decide, Engine, completed, engine_form
from widgetschema.validation.explain.messages import sentence
from widgetschema.validation.explain.offered import NO_FIXES, Signature, effective_fixes
from widgetschema.validation.explain.repeated import RepeatedMistakes
from widgetschema.validation.explain.violations import (
    Condition,
    Path,
    Violation,
    Way,
    decide,
    found_again,
    tokens,
    without_consequences,
)

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}
ALL_TYPES: Final = frozenset((type(None), bool, int, float, str, list, dict))
_ANNOTATIONS: Final = ANNOTATIONS | {"$id"}


class ItemsOf(NamedTuple):
    """A node that applies to many items of a value: those at the tokens."""

    node: Node
    tokens: Sequence[Any]


class Walk:
    """The state of one walk: places to visit, and work to do and violations found at one of them.

    `state` is shared by all walks of one check. Of more than `most` violations that one check
    finds, or that are found within one alternative, only the first have to be reported. An `inner`
    walk is one of those whose results are remembered.
    """

    __slots__ = (
        *(
            "explainer",
            "gathered",
            "has_stopped",
            "inner",
            "is_mixed",
            "most",
            "node",
            "path",
            "pushed",
            "state",
            "todo",
            "violations",
            "visits",
        ),
    )

    def __init__(
        self,
        explainer: Explainer,
        state: State,
        most: int | None,
        node: Node,
        value: Any,
        path: Path,
        inner: bool = False,
    ) -> None:
        self.explainer = explainer
        self.state = state
        self.most = most
        self.node = node
        self.path = path
        self.inner = inner
        self.visits: list[Visit] = [(node, value, path)]  # the next one last
        self.todo: list[Work] = []
        self.violations: list[Violation] = []
        self.pushed: set[int] = set()  # ids of nodes for the value
        self.has_stopped = False  # whether there may be more violations than were reported
        self.gathered: list[list[Violation]] | None = None  # what other walks found at the value
        self.is_mixed = (
            False  # whether a node put more into `todo` than members or items one by one
        )

    def stops(self) -> bool:
        """Return whether a check may stop, since there are violations enough; remember it."""
        if self.most is None or len(self.violations) < self.most:
            return False
        self.has_stopped = True
        return True

    def violations_of(self, node: Node, value: Any, path: Path) -> list[Violation]:
        """Return the violations of one value against one node; empty if it is valid."""
        if type(value) in node.accepts or node.is_valid(value):
            return []
        memo = self.state.memo
        key: tuple[Any, ...] = (id(node), id(value))
        known = memo.get(key)
        if known is not None and known[0] is not path and known[0] != path:
            known = None  # the same object stands in two places
            if self.state.is_deep or type(value) in _CONTAINERS:
                key = (*key, path)
                known = memo.get(key)
        if known is None:
            known = self._remembered(key, node, value, path)
        return known[2]

    def _remembered(self, key: tuple[Any, ...], node: Node, value: Any, path: Path) -> Result:
        """Return the result of an inner walk, and remember it."""
        state = self.state
        if not self.inner and len(state.memo) > _MOST_KNOWN and not state.is_deep:
            state.memo.clear()
        if state.depth >= _DEEPEST:
            raise TooDeep(node, value, path)
        if key in state.suspended:
            walk, violations = state.suspended.pop(key)
        else:
            walk = Walk(self.explainer, state, self.most, node, value, path, True)
            violations = []
        state.depth += 1
        try:
            while walk.visits and (self.most is None or len(violations) < self.most):
                violations += walk.next_violations()
        except TooDeep:
            state.suspended[key] = (walk, violations)
            raise
        state.depth -= 1
        if self.most == 1:  # no more than one of them is asked for
            del violations[1:]
        result = state.memo[key] = (path, value, violations)
        return result

    def gather(self, violations: list[Violation]) -> None:
        """Add what another walk found."""
        if self.gathered is None:
            self.gathered = [violations]
        else:
            self.gathered.append(violations)
        self.violations += violations

    def push_once(self, node: Node, value: Any, path: Path) -> None:
        """Put a node that applies in place onto the work to do, if it was not there yet."""
        if id(node) not in self.pushed:
            self.is_mixed = True
            self.pushed.add(id(node))
            self.todo.append((node, value, path))

    def push_each(self, node: Node, tokens: Sequence[Any], value: Any, path: Path) -> None:
        """Put a node that applies to all these members or items onto the work to do."""
        self.is_mixed = True
        self.todo.append((ItemsOf(node, tokens), value, path))

    def _distinct_work(self, works: list[Work]) -> list[Work]:
        """Return work for one value without nodes that are there twice, the first one last."""
        self.state.spend(len(works))
        todo: list[Work] = []
        for work in works:
            if type(work[0]) is Node:
                if id(work[0]) in self.pushed:
                    continue
                self.pushed.add(id(work[0]))
            todo.append(work)
        todo.reverse()
        return todo

    def _shared(self, node: Node, value: Any, path: Path) -> list[Violation] | None:
        """Return the violations of a value against a node to which several references lead.

        None if they are to be found by this walk.
        """
        if not self.inner:
            known = self.state.memo.get((id(node), id(value)))
            return None if known is None or known[0] != path else known[2]
        if node is self.node and path is self.path:
            return None
        return self.violations_of(node, value, path)

    def next_violations(self) -> list[Violation]:
        """Return the violations at the next value that has any; nothing at the end.

        What is about something inside of a value, work and violations, is kept until that is
        visited, in the order in which it came up. So everything is said in the order of the
        instance. An inner walk may return the violations of many values at once.
        """
        visits, found, pushed, state = self.visits, self.violations, self.pushed, self.state
        own: list[Violation] = []
        visit: Visit
        try:
            while visits:
                visit = visits.pop()
                if isinstance(visit, tuple):
                    work, todo = visit, []
                elif isinstance(visit, list):
                    todo = self._distinct_work(visit)
                    work = todo.pop()
                else:
                    one = next(visit, None)
                    if one is not None:
                        visits += (visit, one)
                    continue
                what, value, path = work
                at, kind = path, type(value)
                self.todo = todo
                below: list[Work] = []
                while True:
                    if at is not path:
                        below.append(work)
                    elif type(what) is Node:
                        is_last, self.is_mixed = not todo, False
                        if what.is_shared and kind in _CONTAINERS:
                            known = self._shared(what, value, path)
                        else:
                            known = None
                        if known is None:
                            for check in what.checks[kind]:
                                if check(value, path, self):
                                    break
                        elif known:
                            if self.inner and not (todo or own or below):
                                pushed.clear()
                                return known
                            self.gather(known)
                        if found:
                            for violation in found:
                                if violation.path is path:
                                    own.append(violation)
                                else:
                                    self._keep(violation, value, path, own, below)
                            found.clear()
                        if is_last and not self.is_mixed and not below:
                            break
                    elif type(what) is Violation:
                        if what.path is path:
                            own.append(what)
                        else:
                            self._keep(what, value, path, own, below)
                    else:
                        below.append(work)
                    if not todo:
                        break
                    work = todo.pop()
                    what, _, at = work
                if pushed:
                    pushed.clear()
                if state.has_undecided and (len(own) + len(below) > 1 or (own and own[0].because)):
                    own, below = self._decided(value, path, own, below, todo)
                if self.gathered is not None:
                    gathered, self.gathered = self.gathered, None
                    if len(gathered) > 1 or len(own) + len(below) > len(gathered[0]):
                        own, below = self._once(path, own, below)
                    if self.inner and not todo and all(type(one[0]) is Violation for one in below):
                        return own + [cast("Violation", one[0]) for one in below]
                if todo:  # members or items of which one node alone says anything, in order
                    todo.reverse()
                    visits += todo
                elif below:
                    visits += _inside(value, path, below)
                if own:
                    return own
        except TooDeep:  # what is too deep is found first, and then this visit made again
            visits.append(visit)
            found.clear()
            pushed.clear()
            self.gathered = None
            self.state.spend(len(value) if kind in _CONTAINERS else 1)
            raise
        return own

    def _keep(
        self,
        violation: Violation,
        value: Any,
        path: Path,
        own: list[Violation],
        below: list[Work],
    ) -> None:
        """Keep a violation: at the value with this path, or at the item in which it is."""
        if violation.path and violation.path[0] is path:
            below.append((violation, value[violation.path[1]], violation.path))
            return
        # It was found by another walk: by an equal path, but not this one; or it is further inside.
        way = self.state.way(violation.path)
        depth = len(self.state.way(path))
        if len(way) == depth:
            own.append(violation)
        else:
            token = way[depth]
            below.append((violation, value[token], (path, token)))

    def _once(
        self, path: Path, own: list[Violation], below: list[Work]
    ) -> tuple[list[Violation], list[Work]]:
        """Drop what is found twice, by ways that lead to the same subschema."""
        inside = [index for index, work in enumerate(below) if type(work[0]) is Violation]
        violations = own + [cast("Violation", below[index][0]) for index in inside]
        self.state.spend(len(violations))
        again = found_again(violations, path, self.state.way)
        if not again:
            return own, below
        number = len(own)
        dropped = {inside[index - number] for index in again if index >= number}
        return (
            [one for index, one in enumerate(own) if index not in again],
            [work for index, work in enumerate(below) if index not in dropped],
        )

    def _decided(
        self,
        value: Any,
        path: Path,
        own: list[Violation],
        below: list[Work],
        other: list[Work],
    ) -> tuple[list[Violation], list[Work]]:
        """Drop what follows from other mistakes of a value: at the value, and inside it.

        `other` is more work inside it, without violations so far.
        """
        violations = own + [work[0] for work in below if type(work[0]) is Violation]
        if len(violations) > _FEW:
            violations = [one for one in violations if _may_follow(one, path, self.state.way)]
        if not violations or (len(violations) == 1 and not violations[0].because):
            return own, below

        def is_wrong(name: str) -> bool:
            for what, item, at in (*below, *other):
                if type(what) is ItemsOf or at[1] != name:
                    continue
                if type(what) is Violation:
                    wrong = what.path == at and not what.because
                else:
                    wrong = bool(self.violations_of(cast("Node", what), item, at))
                if wrong:
                    return True
            return False

        dropped, added = decide(value, path, violations, is_wrong)
        if not dropped:
            return own, below
        return (
            [one for one in own if id(one) not in dropped] + added,
            [work for work in below if id(work[0]) not in dropped],
        )


class TooDeep(Exception):
    """Walks within walks are too many for Python's stack: that of these arguments comes first."""

    def __init__(self, node: Node, value: Any, path: Path) -> None:
        self.arguments = (node, value, path)


class Exhausted(Exception):
    """The effort that a check may take is exhausted."""


class State:
    """The state that the walks of one check share.

    `memo`: the results of inner walks, of which `depth` are on the stack; `suspended` are those
    that go on once a deeper one is done. `effort`: how many more comparisons may be spent on
    guessing what was meant, so that guessing never takes longer than finding. `spent`: steps for
    results that are used again, with a `limit` that grows with the instance. `has_undecided`: some
    violation may follow from another one (`decide`).
    """

    __slots__ = (
        *("depth", "effort", "has_undecided", "instance", "is_deep", "limit", "memo"),
        *("same", "spent", "suspended", "ways"),
    )

    def __init__(self, instance: Any, limit: int) -> None:
        self.instance: Any = instance
        self.memo: dict[tuple[Any, ...], Result] = {}
        self.suspended: dict[tuple[Any, ...], tuple[Walk, list[Violation]]] = {}
        self.ways: dict[int, tuple[Path, Way]] = {}
        self.same: dict[Way, Way] = {}
        self.effort = 100_000
        self.spent = 0
        self.limit = limit
        self.has_undecided = False
        self.depth = 0
        self.is_deep = False

    def way(self, path: Path) -> Way:
        """Return the tokens of a path, outermost first: the same object for equal paths."""
        known = self.ways.get(id(path))
        if known is None:
            if len(self.ways) > _MOST_KNOWN:
                self.ways.clear()
                self.same.clear()
            way = tuple(tokens(path))
            known = self.ways[id(path)] = (path, self.same.setdefault(way, way))
        return known[1]

    def spend(self, steps: int) -> None:
        """Count steps. Raises `Exhausted` beyond the limit."""
        self.spent += steps
        if self.spent > self.limit:
            self.limit += _EFFORT_PER_VALUE * _size(self.instance)
            self.instance = None  # so that its size counts once
            if self.spent > self.limit:
                raise Exhausted

    def next_violations(self, walk: Walk) -> list[Violation]:
        """Return the next violations of a walk that is no inner one.

        Python's stack is as deep as few inner walks, however deep the instance is.
        """
        self.is_deep = False
        while True:
            self.depth = 0
            try:
                return walk.next_violations()
            except TooDeep as error:
                self.is_deep = True  # so that no result is forgotten
                waiting = [error.arguments]
            while waiting:
                self.depth = 0
                try:
                    walk.violations_of(*waiting[-1])
                    waiting.pop()
                except TooDeep as error:
                    waiting.append(error.arguments)


def _size(instance: Any) -> int:
    """Return how many values an instance has."""
    size, todo = 0, [instance]
    while todo:
        value = todo.pop()
        if type(value) in _CONTAINERS:
            size += len(value)
            todo += value.values() if type(value) is dict else value
    return size


# A check reports into the walk; true means that further checks here would be noise.
Check = Callable[[Any, Path, Walk], bool | None]


def _may_follow(one: Violation, path: Path, way: Callable[[Path], Way]) -> bool:
    """Return whether a violation may follow from another one at a place, or another from it."""
    if one.path is path or (one.path and one.path[0] is path):
        return True
    here = way(path)
    return len(way(one.path)) <= len(here) + 1 or (
        type(one.because) is Condition and way(one.because.path) is here
    )


def _inside(value: Any, path: Path, below: list[Work]) -> Iterable[Visit]:
    """Return the items of a value that have work to do, the last one first."""
    if len(below) == 1:
        what = below[0][0]
        return [_each(value, path, what) if type(what) is ItemsOf else below[0]]
    items: dict[Any, Work | list[Work]] = {}
    for work in below:
        what, item, at = work
        if type(what) is ItemsOf:
            return [_each_inside(value, path, below)]
        token = at[1]
        known = items.get(token)
        if known is None:
            items[token] = work
        elif isinstance(known, list):
            known.append((what, item, known[0][2]))
        else:
            items[token] = [known, (what, item, known[2])]
    names = sorted(items) if type(value) is list else filter(items.__contains__, value)
    return [items[name] for name in names][::-1]


def _each(value: Any, path: Path, each: ItemsOf) -> Items:
    """Yield the items of a value one by one, where one node applies to many of them."""
    node, accepts = each.node, each.node.accepts
    for token in each.tokens:
        item = value[token]
        if type(item) not in accepts and not node.is_valid(item):
            yield node, item, (path, token)


def _each_inside(value: Any, path: Path, below: list[Work]) -> Items:
    """Yield the items of a value with all work of each, where many nodes apply."""
    every = []
    inside: dict[Any, list[tuple[int, Node | Violation]]] = {}
    for order, (what, _, at) in enumerate(below):
        if isinstance(what, ItemsOf):
            chosen = what.tokens if isinstance(what.tokens, range) else frozenset(what.tokens)
            every.append((order, what.node, chosen))
        else:
            inside.setdefault(at[1], []).append((order, what))
    for token, item in enumerate(value) if type(value) is list else value.items():
        parts: list[tuple[int, Node | Violation]] = [
            (order, node)
            for order, node, chosen in every
            if token in chosen and type(item) not in node.accepts
        ]
        parts += inside.get(token, ())
        if parts:
            at = (path, token)
            yield [(what, item, at) for _, what in sorted(parts, key=_FIRST)]


def accepted_types(schema: Any) -> frozenset[type]:
    """Return the Python types whose every value the schema obviously accepts."""
    if type(schema) is not dict:
        return ALL_TYPES if schema else frozenset()
    keywords = schema.keys() - _ANNOTATIONS
    if not keywords:
        return ALL_TYPES
    if keywords == {"type"}:
        return types_of(schema["type"])
    if keywords == {"anyOf"}:
        return frozenset().union(*(accepted_types(branch) for branch in schema["anyOf"]))
    return frozenset()


def accepted_texts(schema: Any) -> frozenset[str]:
    """Return the strings that the schema accepts because it lists them."""
    if type(schema) is not dict or not schema.keys() - _ANNOTATIONS <= {"type", "enum", "const"}:
        return frozenset()
    if str not in types_of(schema.get("type", "string")):
        return frozenset()
    lists = [schema[keyword] for keyword in ("enum",) if keyword in schema]
    lists += [[schema["const"]]] if "const" in schema else []
    texts = [{item for item in items if type(item) is str} for items in lists]
    return frozenset(set.intersection(*texts)) if texts else frozenset()


def types_of(value: str | list[str]) -> frozenset[type]:
    """Return the Python types of the names that `type` has."""
    names = [value] if type(value) is str else value
    return frozenset(kind for name in names for kind in _TYPES[name])


class Node:
    """A subschema as checks by type.

    `accepts` are the types of which it asks no more, `texts` the strings it lists: what is
    in these needs no check. Nor does what `is_valid` accepts: that is the engine's decision, once
    it was asked for so often that it pays to compile the subschema, and False until then. A node is
    shared if a value may come to it by several ways.
    """

    __slots__ = ("accepts", "checks", "is_shared", "is_valid", "pointer", "texts", "unasked")

    def __init__(self, explainer: Explainer, pointer: str) -> None:
        schema = explainer.linked.at[pointer]
        self.pointer = pointer
        self.is_shared = explainer.is_shared(pointer)
        self.accepts = accepted_types(schema)
        self.texts = accepted_texts(schema)
        self.checks = _Checks(explainer, pointer)
        self.unasked = len(explainer.linked.at)
        # What is not of an accepted type is wrong, and a slow engine is no help.
        is_idle = self.accepts or not explainer.engine.is_quick
        self.is_valid: Decide = accepts_none if is_idle else self._count

    def _count(self, value: Any) -> bool:
        """Count what `is_valid` is asked, until the engine decides."""
        self.unasked -= 1
        if self.unasked < 0:
            with suppress(RecursionError):  # far down the stack; later, it may be compiled
                self.is_valid = self.checks.explainer.decision(self.pointer)
        return False


class _Checks(dict[type, tuple["Check", ...]]):
    """The checks of one schema, for each type of value; compiled on first use."""

    def __init__(self, explainer: Explainer, pointer: str) -> None:
        self.explainer = explainer
        self.pointer = pointer

    def __missing__(self, kind: type) -> tuple[Check, ...]:
        explainer, pointer = self.explainer, self.pointer
        self.update(explainer.compile_checks(explainer, pointer, explainer.linked.at[pointer]))
        return self[kind]


# What is to be done: a node for a value, or for many items of it; or to keep a violation.
Work = tuple[Node | ItemsOf | Violation, Any, Path]
Items = Generator["Work | list[Work]", None, None]
Visit = Work | list[Work] | Items  # all that is to be done at one value, or at many
Result = tuple[Path, Any, list[Violation]]  # of a value, which is kept, so that its id is its own


# Compiles the checks of a schema at a pointer, for each type of value.
CompileChecks = Callable[["Explainer", str, Any], dict[type, tuple[Check, ...]]]
# Makes a finding of a violation; the last argument is the whole instance, which does not change.
FindingOf = Callable[[Violation, "Explainer", Any], Finding]


class Explainer:
    """Compiles nodes on first use, and walks.

    `compile_checks` is that of `checks`; `check` returns the first findings about a plain value,
    with the fixes that are proposed. Safe to share among threads: two threads may compile the same
    node, to the same end.
    """

    def __init__(
        self,
        linked: LinkedSchema,
        engine: Engine,
        formats: bool,
        compile_checks: CompileChecks,
        finding_of: FindingOf,
        check: Callable[[Any, int], Sequence[Finding]],
    ) -> None:
        self.linked = linked
        self.compile_checks = compile_checks
        self.finding_of = finding_of
        self.say = texts()
        self.engine = engine
        self.formats = formats
        self._nodes: dict[str, Node] = {}
        self._references = Counter(map(linked.target, linked.references))
        self._leaves: dict[tuple[str, str], Decide] = {}
        self._compiled = 0
        self._sections: dict[str, list[tuple[str, str]]] | None = None
        self._check = check
        self._effective: tuple[Any, Mapping[Signature, Fix]] = (None, NO_FIXES)
        self.known_findings: dict[Any, tuple[Any, Finding]] = {}
        """Findings anywhere, with what the keyword asks for, by what they are about."""
        self.effort = _EFFORT
        self.root = self.node(linked.root)
        self.repeated = RepeatedMistakes(linked, engine, formats)
        self.chosen: Mapping[str, Container[str]] = {}

    def with_chosen(self, chosen: Mapping[str, Container[str]]) -> Explainer:
        """Return an explainer that takes these alternatives for meant.

        Args:
            chosen: The JSON Pointers of alternatives in the schema, by that of a value.
        """
        other = copy(self)
        other.chosen = chosen
        return other

    def findings(self, instance: Any, most: int | None = None) -> Iterator[Finding]:
        """Yield the findings about a plain instance, in the order of the instance, as they are
        found; what two schemas say of one place is said once.

        With `most`, nothing is done for more findings than so many. The last one says so if effort
        ran out before all were found.
        """
        make = self.finding_of
        only = self.repeated.violation(instance)
        if only is not None:
            yield make(only, self, instance)
            return
        cap = None if most is None else max(most + 1, _LEAST)
        reported, is_cut = 0, False
        while True:
            state = State(instance, self.effort)
            walk = Walk(self, state, cap, self.root, instance, ())
            number = 0
            try:
                while violations := state.next_violations(walk):
                    if len(violations) > 1:
                        violations = self._distinct(violations)
                    for violation in violations:
                        number += 1
                        only = violation if number == 1 else None
                        if number > reported:
                            reported = number
                            yield make(violation, self, instance)
            except Exhausted:
                if not reported and cap != 1:
                    cap, is_cut = 1, True  # one violation of each alternative and condition
                    continue
                is_cut = True
            if is_cut:
                yield Finding("schema", "", "", self.say["schema.cut"]())
                return
            if cap is None or most is None or not walk.has_stopped or reported > most:
                if only is not None:
                    self.repeated.note(only)
                return
            cap *= 4  # duplicates were left out, so there is room for more

    def effective_fix(self, finding: Finding, instance: Any) -> Fix | None:
        """Return the fix of a finding about an instance, if it is one."""
        known = self._effective  # the fixes of one instance are read one after another
        if known[0] is not instance:
            fixes = effective_fixes(dump_line(instance), self._check)
            known = self._effective = (instance, fixes)
        return known[1].get((finding.keyword, finding.path, finding.schema_path))

    def _distinct(self, violations: list[Violation]) -> list[Violation]:
        """Return the violations of one place without consequences and duplicates.

        A requirement that always holds is not repeated for a condition.
        """
        rest = without_consequences(violations)
        if len(rest) == 1:
            return rest
        sentences = [(one.keyword, sentence(one, self.say)) for one in rest]
        seen = {what for what, one in zip(sentences, rest, strict=True) if not one.because}
        distinct: dict[tuple[str, str], Violation] = {}
        for what, violation in zip(sentences, rest, strict=True):
            if not (violation.because and what in seen):
                distinct.setdefault(what, violation)
        return [*distinct.values()]

    def node(self, pointer: str) -> Node:
        """Return the node of a subschema, references followed."""
        pointer = self.linked.target(pointer)
        node = self._nodes.get(pointer)
        if node is None:
            node = self._nodes.setdefault(pointer, Node(self, pointer))
        return node

    def is_shared(self, pointer: str) -> bool:
        """Return whether several ways lead to a subschema: references, and that to its place."""
        own_way = not pointer.rpartition("/")[0].endswith("/definitions")
        return self._references[pointer] + own_way > 1

    def leaf(self, keyword: str, argument: Any) -> Decide:
        """Return the engine's decision about single values against one keyword."""
        key = (keyword, repr(argument))
        if key not in self._leaves:
            self._leaves[key] = self.engine.decider(
                completed({keyword: argument}), True, within=True
            )
        return self._leaves[key]

    def decision(self, pointer: str) -> Decide:
        """Return the engine's decision about values against a subschema."""
        size = len(self.linked.at)
        if self._compiled + size > _MOST_COMPILED:
            return accepts_none
        self._compiled += size
        form = engine_form(replace(self.linked, root=pointer), self.formats)
        return self.engine.decider(form, self.formats)

    def fits(self, pointer: str, value: Any) -> bool:
        """Return whether a value is valid against the subschema at a pointer.

        False as well if it takes too much effort to find out.
        """
        node = self.node(pointer)
        if type(value) in node.accepts or node.is_valid(value):
            return True
        state = State(value, self.effort)
        try:
            return not state.next_violations(Walk(self, state, 1, node, value, ()))
        except Exhausted:
            return False

    def sections(self, name: str) -> list[tuple[str, str]]:
        """Return where else a member of this name may be: the pointer of an object in the instance,
        and that of the member's subschema.
        """
        if self._sections is None:
            self._sections = self._index_sections()
        return self._sections.get(name, [])

    def _index_sections(self) -> dict[str, list[tuple[str, str]]]:
        """Members by name, as far as they are named one by one (not inside arrays)."""
        index: dict[str, list[tuple[str, str]]] = {}
        todo = [(self.linked.root, "", 0)]
        for pointer, path, depth in todo:  # grows while it is gone through
            target = self.linked.target(pointer)
            schema = self.linked.at[target]
            if type(schema) is not dict or depth > _SECTION_DEPTH or len(todo) > _MOST_SECTIONS:
                continue
            for name in schema.get("properties", ()):
                member = f"{target}/properties/{escape_token(name)}"
                index.setdefault(name, []).append((path, member))
                todo.append((member, f"{path}/{escape_token(name)}", depth + 1))
            for keyword in ("allOf", "anyOf", "oneOf"):
                for number in range(len(schema.get(keyword, ()))):
                    todo.append((f"{target}/{keyword}/{number}", path, depth + 1))
            for keyword in ("then", "else"):
                if keyword in schema:
                    todo.append((f"{target}/{keyword}", path, depth + 1))
        return index


_FIRST = itemgetter(0)
_LEAST = 1_000  # violations by which alternatives are compared, however few are wanted
_MOST_KNOWN = 100_000  # results beyond which those of earlier places are forgotten
_DEEPEST = 40  # walks within walks, each of which is some frames of Python's stack
_EFFORT = 300_000  # steps for results that are used again, …
_EFFORT_PER_VALUE = 20  # … and those for each value of an instance that needs more
_MOST_COMPILED: Final = 30_000  # subschemas, if each that is compiled on its own has all in it
_CONTAINERS = frozenset({dict, list})
_FEW = 16  # violations of which it costs less to ask all for their consequences
_SECTION_DEPTH = 8
_MOST_SECTIONS = 5_000
