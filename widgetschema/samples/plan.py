"""`Plan`: the schema tree as steps, each of which makes the values of one place.

A step is made when its node is first needed. Choices come first, in the order of the schema, then
the type; the rest is a conjunction for one type. A plan also knows the height of the smallest data
of each node (`height`), so recursion ends, and impossible branches are not entered.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from widgetschema.jsontext import preview
from widgetschema.pointers import escape_token, pointer_of
from widgetschema.samples.arrays import Array
from widgetschema.samples.model import (
    Chooser,
    DeadEnd,
    Excluded,
    MemberNodes,
    NamedMembers,
    Path,
    Planner,
    Step,
)
from widgetschema.samples.numbers import Number
from widgetschema.samples.objects import Object, closure, settle_members
from widgetschema.samples.steps import (
    Alternatives,
    Checked,
    Impossible,
    Recursive,
    Values,
    illustrated,
)
from widgetschema.samples.texts import Text
from widgetschema.samples.values.locales import Locale
from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.schema.tree import KINDS, Choice, Node, SchemaTree
from widgetschema.validation import Validator

# Heights that are tried: exact for small ones, then coarser, up to the limit for documents.
_HEIGHTS: Final[tuple[int, ...]] = (*range(9), 12, 16, 24, 32, 48, 64, 96, 128, 200)
# Nodes that are visited to compute a height exactly; beyond, it is estimated.
_MAX_HEIGHT_NODES: Final = 5_000
# Weights of types, if several are allowed, and of branches by their type.
_KIND_WEIGHTS: Final = {
    "null": 1,
    "boolean": 8,
    "number": 12,
    "string": 16,
    "array": 8,
    "object": 8,
}
# Weights of types for a value without constraints: people expect a text or a number.
_UNTYPED_WEIGHTS: Final = {
    "null": 1,
    "boolean": 4,
    "number": 8,
    "string": 16,
    "array": 1,
    "object": 1,
}
_SCALARS: Final = frozenset(("boolean", "number", "string"))
_DETAILS: Final = frozenset(
    "items additionalProperties minLength maxLength minimum maximum".split()
)
_ENUM_KEYWORDS: Final = frozenset(("const", "enum"))
_CHOICES: Final = ("anyOf", "oneOf")
_ENUM_WEIGHT: Final = 24  # the weight of a branch that lists values, beside one for any text
_TEMPLATE: Final = re.compile(r"(\\?\{){2}|\$\\?\{")  # in a pattern: `\{\{`, `\$\{`
_LITERAL_WEIGHT: Final = 8  # how much more likely a literal value is than a template
MAX_CACHED_STEPS: Final = 10_000  # nested choices may need very many
_LABELS: Final = {"if": ("then", "else"), "dependencies": ("absent", "present")}
_DISTINCTIVE: Final = frozenset(
    "const enum format pattern properties required items minimum maximum $ref".split()
)


class Plan(Planner):
    """The steps of one linked schema, in one locale; at most `most_steps` are cached.

    With `examples`, values may be examples of the schema. `max_items` is the largest number of
    items in coverage. `subject` is the topic of the schema, if that is known.

    Safe to share among threads: two threads may make the same step, to the same end.
    """

    def __init__(
        self,
        tree: SchemaTree,
        locale: Locale,
        *,
        formats: bool = True,
        engine: str | None = None,
        most_steps: int = MAX_CACHED_STEPS,
        examples: bool = False,
        max_items: int | None = None,
        subject: str = "",
    ) -> None:
        self.tree = tree
        self.locale = locale
        self.max_items = max_items
        self._formats = formats
        self._engine = engine
        self._most_steps = most_steps
        self._examples = examples
        self._subject = (subject,) if subject else ()
        self._steps: dict[tuple[Node, tuple[str, ...]], Step] = {}
        self._checkers: dict[Any, Callable[[Any], bool]] = {}
        self.compiled = 0  # schemas in all checkers so far: each contains the whole schema
        self._patterns: dict[str, TextPattern] = {}
        self._templates: dict[str, bool] = {}
        self._left_out: set[tuple[str, str]] = set()
        self._heights: dict[Node, int | None] = {}
        self._members: dict[Node, tuple[MemberNodes, dict[tuple[str, ...], NamedMembers]]] = {}

    @property
    def root(self) -> Step:
        """The step of the instance as a whole."""
        return self.step(self.tree.root, self._subject)

    def step(self, node: Node, names: tuple[str, ...]) -> Step:
        """Return the step of a node, for members with these names (the last two count)."""
        key = (node, names[-2:])
        step = self._steps.get(key)
        if step is None:
            if len(self._steps) >= self._most_steps:
                self._steps.clear()
                self._heights.clear()
                self._members.clear()
                self._checkers.clear()
                self.tree.forget()
            try:
                made = self._make(node, names[-2:])
            except DeadEnd as stuck:
                made = Impossible(self, node, stuck)
            step = self._steps.setdefault(key, made)
        return step

    def _make(self, node: Node, names: tuple[str, ...]) -> Step:
        if not self.possible(node):
            raise DeadEnd(*self.explain_impossible(node))
        inner = self._inner(node, names)
        if self._examples and isinstance(inner, (Number, Text)):
            return illustrated(self, inner)
        container = isinstance(inner, (Array, Object))
        if container and (node.vague or node.values is not None):
            inner = Checked(self, inner)
        if self._examples and container:
            inner = illustrated(self, inner)
        if container and (node.recursive or not node.key.pointers):
            inner = Recursive(self, inner)
        return inner

    def _inner(self, node: Node, names: tuple[str, ...]) -> Step:
        if not node.kinds:
            raise DeadEnd(*self.explain_impossible(node))
        if node.values is not None:
            values = [*node.values]
            words = {word for _, one in node.schemas if type(one) is dict for word in one}
            if (
                node.integer
                or node.key.refused
                or not words - ANNOTATIONS <= {"enum", "const", "type"}
            ):
                fits = self.checker(node)
                values = [value for value in values if fits(value)]
            if not values:
                raise DeadEnd(
                    node.pointer, "none of the listed values meets all its other requirements"
                )
            return Values(self, node, names, values)
        if node.choices:
            return self._alternatives(node, names, node.choices[0])
        if len(node.kinds) > 1:
            options = [(kind, i, node.of_kind(kind)) for i, kind in enumerate(node.kinds)]
            return self._possible(node, names, "type", options, None)
        if node.key.kind is None and node.kinds == ("object",):
            return self._inner(node.of_kind("object"), names)  # which may bring choices
        return self._of_kind(node, names, node.kinds[0])

    def _of_kind(self, node: Node, names: tuple[str, ...], kind: str) -> Step:
        if kind == "number":
            return Number(self, node, names)
        if kind == "string":
            return Text(self, node, names)
        if kind == "array":
            return Array(self, node, names)
        if kind == "object":
            return Object(self, node, names)
        values = [None] if kind == "null" else [False, True]
        left = [value for value in values if not any(value in some for some in node.excluded)]
        if not left:
            raise DeadEnd(node.pointer, "all values are excluded")
        return Values(self, node, names, left)

    def _alternatives(self, node: Node, names: tuple[str, ...], choice: Choice) -> Step:
        options = []
        for index, branch in enumerate(choice.branches):
            label = branch.pointer.rpartition("/")[2]
            if choice.keyword in _LABELS:
                label = _LABELS[choice.keyword][index]
            elif choice.keyword == "not":
                label = branch.pointer.removeprefix(f"{choice.place}/")
            options.append((label, index, node.choose(choice, index)))
        return self._possible(node, names, choice.keyword, options, choice)

    def _possible(
        self,
        node: Node,
        names: tuple[str, ...],
        keyword: str,
        options: list[tuple[str, int, Node]],
        choice: Choice | None,
    ) -> Step:
        possible = [option for option in options if self.possible(option[2])]
        if not possible:
            pointer, reason = self.explain_impossible(options[0][2])
            raise DeadEnd(choice.place if choice else pointer, reason)
        if len(possible) == 1 and choice is None:
            return self.step(possible[0][2], names)
        labelled = [(label, option) for label, _, option in possible]
        heights = [self.height(option) or 0 for _, option in labelled]
        weights = [self._weight(option, index, choice, names) for _, index, option in possible]
        step = Alternatives(self, node, names, keyword, choice, labelled, heights, weights)
        step.excluded = [
            Excluded(keyword, label, self.explain_impossible(option)[1])
            for label, index, option in options
            if (label, index, option) not in possible
        ]
        return step

    def _weight(
        self, option: Node, index: int, choice: Choice | None, names: tuple[str, ...]
    ) -> int:
        """Return the weight of an option in samples; 0 for one that says nothing.

        Templates such as `${{ name }}` are rare where there may be plain values.
        """
        weight = self._plain_weight(option, index, choice)
        if choice is not None and choice.keyword in _CHOICES and not names[len(self._subject) :]:
            # A document is hardly ever a text or a number, if it can be an object.
            nodes = [self.tree.node((branch.pointer,)) for branch in choice.branches]
            if any("object" in node.kinds and not node.recursive for node in nodes):
                return weight * _ENUM_WEIGHT if "object" in option.kinds else min(weight, 1)
        if choice is None or choice.keyword not in _CHOICES or not weight:
            return weight
        if not any(templates := [self._is_template(branch.pointer) for branch in choice.branches]):
            return weight
        return 1 if templates[index] else weight * _LITERAL_WEIGHT

    def _is_template(self, pointer: str) -> bool:
        """Return True if a schema asks for a text with a template."""
        if pointer not in self._templates:
            schema = self.tree.schema(pointer)
            asked = type(schema) is dict and not schema.keys().isdisjoint(("pattern", "$ref"))
            patterns = self.tree.node((pointer,)).texts("pattern") if asked else ()
            self._templates[pointer] = any(map(_TEMPLATE.search, patterns))
        return self._templates[pointer]

    def _plain_weight(self, option: Node, index: int, choice: Choice | None) -> int:
        """Return the weight of an option, as if none were a template."""
        if choice is None:
            weights = _KIND_WEIGHTS if option.key.pointers else _UNTYPED_WEIGHTS
            return weights[option.key.kind or "object"]
        if choice.keyword not in _CHOICES:  # the others' branches say little themselves
            return 1
        schemas = [self.tree.schema(branch.pointer) for branch in choice.branches]
        bare = [_bare_type(schema) for schema in schemas]
        kind = bare[index]
        if kind is not None and not _SCALARS.isdisjoint(bare):
            # A schema that leads back to itself allows any JSON value.
            nodes = (self.tree.node((branch.pointer,)) for branch in choice.branches)
            if any(node.recursive for node in nodes):
                return _UNTYPED_WEIGHTS[kind]
            if kind in _SCALARS and len(_SCALARS.intersection(bare)) > 1:
                return _KIND_WEIGHTS[kind]
        schema = schemas[index]
        words = schema.keys() - ANNOTATIONS if type(schema) is dict else frozenset()
        if not words:
            return 0
        listed = [
            type(one) is dict and not one.keys().isdisjoint(_ENUM_KEYWORDS) for one in schemas
        ]
        if any(listed) and "string" in bare and (listed[index] or kind == "string"):
            return _ENUM_WEIGHT if listed[index] else 1
        if "null" in bare:
            return 1 if kind == "null" else _LITERAL_WEIGHT
        return 4 if words & _DISTINCTIVE or len(words) > 1 else 1

    def members(self, node: Node, names: tuple[str, ...]) -> tuple[MemberNodes, NamedMembers]:
        """Return the members of an object that have names of their own. Raises `DeadEnd`.

        What the schema says is the same for all names on the way there; how they are made depends
        on the last one alone.
        """
        found = self._members.get(node)
        if found is None:
            found = self._members[node] = settle_members(self, node), {}
        nodes, made = found
        last = names[-1:]
        if last not in made:
            made[last] = NamedMembers(self, nodes, last)
        return nodes, made[last]

    def checker(self, node: Node) -> Callable[[Any], bool]:
        """Return a function that says if a value satisfies all schemas of a node, by the engine."""
        # What is a part of a refused schema follows from the whole.
        whole = tuple(p for p in node.key.refused if p in self.tree.linked.at)
        key = (node.key.pointers, whole)
        if key not in self._checkers:
            linked = self.tree.linked.conjunction(*key)
            self.compiled += len(linked.at)
            validator = Validator.from_linked(linked, formats=self._formats, engine=self._engine)
            self._checkers[key] = validator.is_valid
        return self._checkers[key]

    def pattern(self, pattern: str) -> TextPattern:
        """Return the text generator of a pattern."""
        if pattern not in self._patterns:
            self._patterns[pattern] = TextPattern(pattern)
        return self._patterns[pattern]

    def leave_out(self, stuck: DeadEnd, chooser: Chooser, path: Path) -> None:
        """Warn, once, that samples lack a value for which there may be valid data."""
        if not stuck.given_up or chooser.draw_source() is None:
            return
        place = stuck.pointer or "(root)"
        if (place, stuck.reason) not in self._left_out:
            self._left_out.add((place, stuck.reason))
            where = pointer_of(path) or "(root)"
            warnings.warn(f"{where}: left out: {place}: {stuck.reason}", UserWarning, stacklevel=2)

    def possible(self, node: Node) -> bool:
        """Return True unless there can be no data of a node, as far as can be told at little
        cost.

        Only what leads back to itself is searched: everything else is seen when it is made.
        """
        return bool(node.kinds) and (not node.recursive or self.height(node) is not None)

    def height(self, node: Node) -> int | None:
        """Return the number of levels of the least data of a node; None if there can be none.

        0 for all that does not lead back to itself: it ends anyway.
        """
        if not node.recursive:
            return 0
        if node not in self._heights:
            # Each search begins anew: what it finds must not depend on what was asked before.
            self._heights[node] = _HeightSearch().height(node)
        return self._heights[node]

    def explain_impossible(self, node: Node, above: tuple[Node, ...] = ()) -> tuple[str, str]:
        """Return the schema that makes data of a node impossible, and the reason as the end
        of a sentence.
        """
        if node.kinds or node in above:
            return node.pointer, "it refers to itself without end"
        for pointer, schema in node.schemas:
            if schema is False:
                return pointer, "the schema is false, which accepts nothing"
        types = [value for _, value in node.said("type")]
        if len(types) > 1:
            return node.pointer, f"its types exclude each other: {', '.join(map(str, types))}"
        if any(node.said("enum")) or any(node.said("const")):
            reason = "none of the listed values meets all other requirements"
            return node.pointer, reason
        for name in node.required:
            shown = preview(name)
            if name in node.absent:
                return node.pointer, f"the property {shown} is both required and forbidden"
            if not node.child(name).kinds:
                pointer, reason = self.explain_impossible(node.child(name), (*above, node))
                return pointer, f"the required property {shown} is impossible: {reason}"
        if node.key.refused:
            return node.pointer, "what it must not match accepts all that is left"
        asked = [place or "(root)" for place, _ in node.schemas]
        return node.pointer, f"these exclude each other: {', '.join(asked[:4])}"


def _bare_type(schema: Any) -> str | None:
    """Return the type that a schema requires, if there are only bounds and subschemas beside it."""
    if type(schema) is not dict or schema.keys() - ANNOTATIONS - _DETAILS != {"type"}:
        return None
    kind = schema["type"]
    return "number" if kind == "integer" else kind if kind in KINDS else None


class _Needs(NamedTuple):
    """The nodes that must be possible for a node to be: one of each group, at the place
    itself or inside it.
    """

    inside: bool
    groups: list[list[Node]]


class _HeightSearch:
    """One search for the height of a node: by more levels each time, so that recursion ends.

    Calls are few inside each other, since data may be as deep as Python's own stack.
    """

    def __init__(self) -> None:
        self.effort = _MAX_HEIGHT_NODES
        self.known: dict[tuple[Node, int], bool | None] = {}
        self.needs: dict[Node, _Needs] = {}

    def height(self, node: Node) -> int | None:
        """Return the first height at which there is data; None if there is none at any."""
        for height in _HEIGHTS:
            try:
                ends = self.ends(node, height)
            except RecursionError:
                return height
            if ends is not None:  # it fits, or no height would help
                return height if ends else None
        return None

    def ends(self, node: Node, height: int) -> bool | None:
        """Return True if there is data of at most this height; None if not within this height."""
        if (node, height) in self.known:
            return self.known[node, height]
        self.effort -= 1
        if self.effort < 0:
            return True
        needs = self.needs.get(node)
        if needs is None:
            needs = self.needs[node] = _needs(node)
        answer: bool | None = True
        for group in needs.groups:
            found: bool | None = False
            for one in group:
                if not needs.inside:
                    ends = self.ends(one, height)
                elif height:
                    ends = self.ends(one, height - 1)
                else:  # what is never possible is so at any height
                    ends = None if one.kinds else False
                if ends:
                    found = True
                    break
                found = None if ends is None else found
            if found is False:
                answer = False
                break
            answer = answer if found else None
        self.known[node, height] = answer
        return answer


def _needs(node: Node) -> _Needs:
    if not node.kinds:
        return _Needs(False, [[]])
    if node.values is not None:
        return _Needs(False, [] if node.values else [[]])
    if node.choices:
        choice = node.choices[0]
        return _Needs(False, [[node.choose(choice, at) for at in range(len(choice.branches))]])
    if len(node.kinds) > 1 or node.key.kind is None:
        return _Needs(False, [[node.of_kind(kind) for kind in node.kinds]])
    if node.kinds == ("array",):
        items = [node.item(index) for index in range(node.tuple_length + 1)]
        groups = [[item] for item in items[: node.least("minItems")]]
        groups += [[item.narrowed((place,)) for item in items] for place in node.contains]
        return _Needs(True, groups)
    if node.kinds == ("object",):
        names = closure(node.required, node.dependencies)
        groups = [[node.child(name)] for name in names]
        if node.least("minProperties") > len(names):
            others = [child for name, child in node.properties.items() if name not in names]
            places = [
                f"{place}/{escape_token(pattern)}"
                for place, value in node.said("patternProperties")
                for pattern in value
            ]
            groups.append([*others, *(node.tree.node([place]) for place in places), node.other])
        return _Needs(True, groups)
    return _Needs(False, [])
