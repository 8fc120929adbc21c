"""Why an instance is invalid: a walk over linked schema and instance together.

The engine has decided that the instance is invalid; this walk finds every mistake, once,
at the place where a person has to change something. It is the same walk whatever the
engine, so the findings are the same too. Where engines could differ (patterns, formats,
multiples, content) it asks the engine about the single value.

A schema becomes a `Node`: for each JSON type, the checks that apply. Checks write
`Problem`s and put what is below onto the list of work, so that depth costs no stack.
Sentences are made later, in `sentences`, and only for problems that are reported.
"""

from __future__ import annotations

from collections.abc import Callable
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


class Run:
    """The state of one walk: work to do and problems found.

    `state` is shared by all walks of one check.
    """

    __slots__ = ("explainer", "problems", "state", "todo")

    def __init__(self, explainer: Explainer, state: State) -> None:
        self.explainer = explainer
        self.state = state
        self.todo: list[tuple[Node, Any, Path]] = []
        self.problems: list[Problem] = []

    def walk(self, node: Node, value: Any, path: Path) -> list[Problem]:
        """The problems of one value against one node; empty if it is valid."""
        key = (id(node), id(value))
        known = self.state.memo.get(key)
        if known is None or known[0] != path:  # the same object may stand in two places
            known = (path, value, self.explainer.walk(node, value, path, self.state))
            self.state.memo[key] = known
        return known[2]

    def push_once(self, node: Node, value: Any, path: Path) -> None:
        """Put a node that applies in place onto the work to do, if it is not there yet."""
        key = (id(node), id(path), id(self))
        if key not in self.state.memo:
            self.state.memo[key] = (path, value, [])  # keeps the path, and so its id, alive
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
        self.memo: dict[tuple[int, ...], tuple[Path, Any, list[Problem]]] = {}
        self.effort = 100_000


# A check reports into the run; true means that further checks here would be noise.
Check = Callable[[Any, Path, Run], bool | None]


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

    def problems(self, instance: Any) -> list[Problem]:
        """All problems of a plain instance, in the order of the instance."""
        return in_order(without_noise(self.walk(self.root, instance, ())), instance)

    def findings(self, instance: Any) -> tuple[Finding, ...]:
        """The problems in words; what two schemas say of one place is said once."""
        findings: list[Finding] = []
        said: set[tuple[str, str, str]] = set()
        for problem in self.problems(instance):
            finding = self.rules.put_in_words(problem, self, instance)
            same = (finding.keyword, finding.path, finding.message)
            if same not in said:
                said.add(same)
                findings.append(finding)
        return tuple(findings)

    def walk(self, node: Node, value: Any, path: Path, state: State | None = None) -> list[Problem]:
        """The problems of one value against one node; empty if it is valid."""
        run = Run(self, state or State())
        todo = run.todo
        todo.append((node, value, path))
        while todo:
            node, value, path = todo.pop()
            checks = node.checks
            if checks is None:
                checks = node.checks = self.compile(node)
            kind = type(value)
            if kind not in checks:
                raise NotPlain(kind)
            for check in checks[kind]:
                if check(value, path, run):
                    break
        return run.problems

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
        return type(value) in node.accepts or not self.walk(node, value, ())

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
    """The problems less those that follow from another one at the same place.

    What is of the wrong type cannot have the right value; who lacks a required member
    has too few.
    """
    if len({problem.path for problem in problems}) == len(problems):
        return problems
    mistyped = {problem.path for problem in problems if problem.keyword == "type"}
    lacking = {problem.path for problem in problems if problem.keyword == "required"}
    return [
        problem
        for problem in problems
        if not (problem.keyword != "type" and problem.path in mistyped)
        and not (problem.keyword == "minProperties" and problem.path in lacking)
    ]


def in_order(problems: list[Problem], instance: Any) -> list[Problem]:
    """The problems in the order in which their places stand in the instance."""
    if len(problems) < 2:
        return problems
    ranks: dict[int, dict[str, int]] = {}
    places: dict[int, tuple[tuple[int, ...], Any]] = {id(()): ((), instance)}

    def rank(container: dict[str, Any], name: str) -> int:
        if len(container) < 64:
            return [*container].index(name)
        ranked = ranks.get(id(container))
        if ranked is None:
            ranked = ranks[id(container)] = {name: at for at, name in enumerate(container)}
        return ranked[name]

    def place(path: Path) -> tuple[tuple[int, ...], Any]:
        """The ranks of the tokens of a path, and the value there; shared paths once."""
        known = places.get(id(path))
        if known is None:
            around, token = path
            key, value = place(around)
            key = (*key, rank(value, token) if type(value) is dict else token)
            known = places[id(path)] = (key, value[token])
        return known

    return sorted(problems, key=lambda problem: place(problem.path)[0])
