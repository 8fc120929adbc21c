"""Why an instance is invalid: a walk over linked schema and instance together.

The engine has decided that the instance is invalid; this walk finds every mistake, once,
at the place where a person has to change something. It is the same walk whatever the
engine, so the findings are the same too. Where engines could differ (patterns, formats,
multiples, content) it asks the engine about the single value.

A schema becomes a `Node`: for each JSON type, the checks that apply. Checks write
`Problem`s and put what is below onto the list of work, so that depth costs no stack. A visit
brings together what all schemas say of one value, so that problems come in the order of the
instance, as they are found; no more is held than what is open. Sentences are made last, in
`sentences`, and only for problems that are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from widgetschema.documents.equality import NotPlain
from widgetschema.findings import Finding, escape_token
from widgetschema.resolver import LinkedSchema
from widgetschema.validator.engines import Decide, Engine

Path = tuple[Any, ...]  # (path of what is around it, token); the root is ()


class Problem(NamedTuple):
    """One mistake, not yet in words.

    `place` is the pointer of the keyword in the linked schema, `value` the offending
    value, `detail` what the keyword asks for (its form depends on the keyword), `because`
    the condition under which it applies, if any. It is `guessed` if it is of one alternative
    and another may have been meant.
    """

    keyword: str
    path: Path
    place: str
    value: Any
    detail: Any = None
    because: tuple[Any, ...] = ()
    guessed: bool = False


class Each(NamedTuple):
    """A node that applies to many items of a value: all from `start`, or the members `names`."""

    node: Node
    start: int = 0
    names: Collection[str] | None = None

    def applies(self, token: Any, item: Any) -> bool:
        """Whether there may be anything to say of the item at a token."""
        inside = token >= self.start if self.names is None else token in self.names
        return inside and type(item) not in self.node.accepts


class Run:
    """The state of one walk: work to do and problems found, of the value that is looked at.

    `state` is shared by all walks of one check. Of more than `most` problems that one check
    finds, or that are found within one alternative, only the first have to be reported.
    """

    __slots__ = ("explainer", "most", "problems", "pushed", "state", "todo")

    def __init__(self, explainer: Explainer, state: State, most: int | None) -> None:
        self.explainer = explainer
        self.state = state
        self.most = most
        self.todo: list[Work] = []
        self.problems: list[Problem] = []
        self.pushed: set[int] = set()

    @property
    def is_full(self) -> bool:
        """Whether a check may stop, since there are problems enough."""
        return self.has_enough(self.problems)

    def has_enough(self, problems: Sequence[Problem]) -> bool:
        """Whether no more than these have to be found."""
        return self.most is not None and len(problems) >= self.most

    def walk(self, node: Node, value: Any, path: Path) -> list[Problem]:
        """The problems of one value against one node; empty if it is valid."""
        key = (id(node), id(value))
        memo = self.state.memo
        known = memo.get(key)
        if known is None or known[0] != path:  # the same object may stand in two places
            if len(memo) >= _MOST_KNOWN:
                memo.clear()
            run = Run(self.explainer, self.state, self.most)
            problems: list[Problem] = []
            # As `groups`, without its frame on the stack: alternatives may be 200 levels deep.
            places = [iter([_place(value, path, [(0, node)])])]
            while not run.has_enough(problems) and (at := _next_place(places)) is not None:
                own, inside = visit(run, *at)
                problems += own
                if inside is not None:
                    places.append(inside)
            known = memo[key] = (path, value, problems)
        return known[2]

    def push_once(self, node: Node, value: Any, path: Path) -> None:
        """Put a node that applies in place onto the work to do, if it was not there yet."""
        if id(node) not in self.pushed:
            self.pushed.add(id(node))
            self.todo.append((node, value, path))


class State:
    """What the walks of one check share.

    `memo`: a value is walked against a node once, however many alternatives lead there;
    else branches of branches would double the work at every level. `effort`: how many more
    comparisons may be spent on guessing what was meant, so that guessing never takes
    longer than finding.
    """

    __slots__ = ("effort", "memo")

    def __init__(self) -> None:
        self.memo: dict[tuple[int, int], tuple[Path, Any, list[Problem]]] = {}
        self.effort = 100_000


# A check reports into the run; true means that further checks here would be noise.
Check = Callable[[Any, Path, Run], bool | None]


def visit(
    run: Run, value: Any, path: Path, work: list[Work]
) -> tuple[list[Problem], Iterator[Place] | None]:
    """The problems at one value, whichever schemas say so; and what is to be done inside of it.

    What is about something inside, work and problems, is kept until that is visited, in the
    order in which it came up. So everything is said in the order of the instance.
    """
    kind = type(value)
    own: list[Problem] = []
    if kind is not dict and kind is not list:  # nothing is inside of it
        todo = run.todo = work[::-1]
        run.problems = own
        run.pushed.clear()
        while todo:
            what, _, _ = todo.pop()
            if type(what) is Node:
                for check in what.checks_of(kind, run):
                    if check(value, path, run):
                        break
            elif isinstance(what, Problem):
                own.append(what)
        return own, None
    inside: dict[Any, list[tuple[int, Node | Problem]]] = {}
    every: list[tuple[int, Each]] = []
    order = 0
    todo = run.todo = work[::-1]
    found: list[Problem] = []
    run.problems = found
    run.pushed.clear()
    while todo:
        what, _, at = todo.pop()
        if type(what) is Node and at is path:
            for check in what.checks_of(kind, run):
                is_over = check(value, path, run)
                if found:
                    for problem in found:
                        if problem.path is path:
                            own.append(problem)
                        else:
                            order += 1
                            _keep(problem, path, own, inside, order)
                    found.clear()
                if is_over:
                    break
            continue
        order += 1
        if isinstance(what, Each):
            every.append((order, what))
        elif isinstance(what, Problem):
            _keep(what, path, own, inside, order)
        else:
            inside.setdefault(at[1], []).append((order, what))
    if every:
        return own, _each_inside(value, path, inside, every)
    return own, iter(_inside(value, path, inside)) if inside else None


def _keep(
    problem: Problem,
    path: Path,
    own: list[Problem],
    inside: dict[Any, list[tuple[int, Node | Problem]]],
    order: int,
) -> None:
    """Keep a problem: at the value with this path, or at the item in which it is."""
    way: list[Any] = []
    at = problem.path
    while at and at is not path:
        at, token = at
        way.append(token)
    # It may have been found by another walk: by an equal path, but not this one.
    depth = 0 if at is path else len(tokens(path))
    if len(way) == depth:
        own.append(problem)
    else:
        inside.setdefault(way[-depth - 1], []).append((order, problem))


def _inside(
    value: Any, path: Path, inside: Mapping[Any, list[tuple[int, Node | Problem]]]
) -> list[Place]:
    """The items of a value of which there may be something to say, in their order."""
    names: Iterable[Any] = inside
    if len(inside) > 1:
        names = sorted(inside) if type(value) is list else filter(inside.__contains__, value)
    return [_place(value[name], (path, name), inside[name]) for name in names]


def _each_inside(
    value: Any,
    path: Path,
    inside: Mapping[Any, list[tuple[int, Node | Problem]]],
    every: Sequence[tuple[int, Each]],
) -> Iterator[Place]:
    """The same, one by one, where a node applies to many of them."""
    for token, item in enumerate(value) if type(value) is list else value.items():
        parts = inside.get(token, ())
        more = [(order, each.node) for order, each in every if each.applies(token, item)]
        if parts or more:
            yield _place(item, (path, token), sorted([*parts, *more], key=_FIRST))


def _next_place(places: list[Iterator[Place]]) -> Place | None:
    """The next place to visit, the innermost ones first."""
    while places:
        place = next(places[-1], None)
        if place is not None:
            return place
        places.pop()
    return None


def _place(value: Any, path: Path, parts: list[tuple[int, Node | Problem]]) -> Place:
    return value, path, [(what, value, path) for _, what in parts]


class Node:
    """A subschema as checks by type.

    `accepts` are the types of which it asks no more, `texts` the strings it lists: what is
    in these needs no check.
    """

    __slots__ = ("accepts", "checks", "pointer", "texts")

    def __init__(self, explainer: Explainer, pointer: str) -> None:
        schema = explainer.linked.at[pointer]
        self.pointer = pointer
        self.accepts = explainer.rules.accepted_types(schema)
        self.texts = explainer.rules.accepted_texts(schema)
        self.checks: dict[type, tuple[Check, ...]] | None = None  # compiled on first use

    def checks_of(self, kind: type, run: Run) -> tuple[Check, ...]:
        """The checks for values of a type. Raises `NotPlain`."""
        checks = self.checks
        if checks is None:
            checks = self.checks = run.explainer.compile(self)
        if kind not in checks:
            raise NotPlain(kind)
        return checks[kind]


# What is to be done: a node for a value, or for many items of it; or to keep a problem.
Work = tuple[Node | Each | Problem, Any, Path]
Place = tuple[Any, Path, list[Work]]  # a value, and what is to be done there


class Rules(Protocol):
    """What the keywords of a dialect mean: the module `checks`, for draft-07."""

    def put_in_words(self, problem: Problem, explainer: Explainer, instance: Any) -> Finding:
        """A problem as a finding; `instance` is the whole."""

    def accepted_types(self, schema: Any) -> frozenset[type]:
        """The Python types whose every value the schema accepts."""

    def accepted_texts(self, schema: Any) -> frozenset[str]:
        """The strings that the schema accepts because it lists them."""

    def compile_checks(
        self, explainer: Explainer, pointer: str, schema: Any
    ) -> dict[type, tuple[Check, ...]]:
        """The checks of a schema, for each type of value."""


class Explainer:
    """Compiles nodes on first use, and walks.

    Safe to share among threads: two threads may compile the same node, to the same end.
    """

    def __init__(self, linked: LinkedSchema, engine: Engine, formats: bool, rules: Rules) -> None:
        self.linked = linked
        self.rules = rules
        self.engine = engine
        self.formats = formats
        self._nodes: dict[str, Node] = {}
        self._leaves: dict[tuple[str, str], Decide] = {}
        self._sections: dict[str, list[tuple[str, str]]] | None = None
        self.root = self.node(linked.root)

    def findings(self, instance: Any, most: int | None = None) -> Iterator[Finding]:
        """The problems of a plain instance in words, in the order of the instance, as they are
        found; what two schemas say of one place is said once.

        With `most`, nothing is done for more findings than so many.
        """
        cap = None if most is None else max(most, _LEAST)
        for problems in self.groups(self.root, instance, (), State(), cap):
            said: set[tuple[str, str]] = set()
            for problem in without_noise(problems):
                finding = self.rules.put_in_words(problem, self, instance)
                same = (finding.keyword, finding.message)
                if same not in said:
                    said.add(same)
                    yield finding

    def groups(
        self, node: Node, value: Any, path: Path, state: State, most: int | None
    ) -> Iterator[list[Problem]]:
        """The problems of one value against one node: those of each place together, in order."""
        run = Run(self, state, most)
        places = [iter([_place(value, path, [(0, node)])])]
        while (at := _next_place(places)) is not None:
            own, inside = visit(run, *at)
            if own:
                yield own
            if inside is not None:
                places.append(inside)

    def node(self, pointer: str) -> Node:
        """The node of a subschema, references followed."""
        pointer = self.linked.target(pointer)
        node = self._nodes.get(pointer)
        if node is None:
            node = self._nodes.setdefault(pointer, Node(self, pointer))
        return node

    def compile(self, node: Node) -> dict[type, tuple[Check, ...]]:
        return self.rules.compile_checks(self, node.pointer, self.linked.at[node.pointer])

    def leaf(self, keyword: str, argument: Any) -> Decide:
        """The engine's decision about single values against one keyword."""
        key = (keyword, repr(argument))
        if key not in self._leaves:
            self._leaves[key] = self.engine.decider({keyword: argument}, True)
        return self._leaves[key]

    def fits(self, pointer: str, value: Any) -> bool:
        """Whether a value is valid against the subschema at a pointer."""
        node = self.node(pointer)
        if type(value) in node.accepts:
            return True
        return next(self.groups(node, value, (), State(), 1), None) is None

    def sections(self, name: str) -> list[tuple[str, str]]:
        """Where else a member of this name may be: the pointer of an object in the instance,
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
_LEAST = 1_000  # problems by which alternatives are compared, however few are wanted
_MOST_KNOWN = 100_000  # walks that are remembered
_SECTION_DEPTH = 8
_MOST_SECTIONS = 5_000


def tokens(path: Path) -> list[Any]:
    """The tokens of a path, outermost first."""
    result: list[Any] = []
    while path:
        path, token = path
        result.append(token)
    result.reverse()
    return result


def without_noise(problems: list[Problem]) -> list[Problem]:
    """The problems of one place less those that follow from another one.

    What is of the wrong type cannot have the right value; who lacks a required member
    has too few.
    """
    if len(problems) == 1:
        return problems
    keywords = {problem.keyword for problem in problems}
    if "type" in keywords:
        return [problem for problem in problems if problem.keyword == "type"]
    if "required" in keywords:
        return [problem for problem in problems if problem.keyword != "minProperties"]
    return problems
