"""Choices: `anyOf`, `oneOf`, `if`, and schemas in `dependencies`, as branches in order.

Draft-07 validation specification, sections 6.5.7, 6.6 and 6.7.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import escape_token
from widgetschema.schema.linking import LinkedSchema, components, is_schema, subschemas
from widgetschema.schema.tree.negation import (
    ALL,
    KINDS,
    PYTHON,
    Negation,
    Statement,
    falsifications,
    kinds_of,
    negation_of,
)


class Branch(NamedTuple):
    """One way to make a choice: what then applies, is refused, must be there or must not.

    `pointer` is the subschema that the branch is named after.
    """

    pointer: str
    pointers: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


class Choice(NamedTuple):
    """`anyOf`, `oneOf`, `if`, or one schema of `dependencies`, at the pointer `place`."""

    keyword: str
    place: str
    branches: tuple[Branch, ...]


def choices_in(pointer: str, schema: Any) -> Iterator[Choice]:
    """Yield the choices that a schema brings, but for those of `dependencies`."""
    if type(schema) is not dict:
        return
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            places = [p for word, p, _ in subschemas(schema, pointer) if word == keyword]
            others = places if keyword == "oneOf" else []
            branches = tuple(Branch(p, (p,), tuple(q for q in others if q != p)) for p in places)
            yield Choice(keyword, f"{pointer}/{keyword}", branches)
    if "if" in schema and schema.keys() & {"then", "else"}:
        condition = f"{pointer}/if"
        then = (f"{pointer}/then",) if "then" in schema else ()
        other = (f"{pointer}/else",) if "else" in schema else ()
        yield Choice(
            "if",
            condition,
            (
                Branch(next(iter(then), condition), (condition, *then)),
                Branch(next(iter(other), condition), other, (condition,)),
            ),
        )


def dependency_choices(place: str, dependencies: dict[str, Any]) -> Iterator[Choice]:
    """Yield the choices that `dependencies` bring."""
    for name, needed in dependencies.items():
        if is_schema(needed):
            pointer = f"{place}/{escape_token(name)}"
            without, with_it = (
                Branch(pointer, absent=(name,)),
                Branch(pointer, (pointer,), (), (name,)),
            )
            yield Choice("dependencies", pointer, (without, with_it))


class Key(NamedTuple):
    """The identity of a node: two nodes with one key are one node.

    `pointers` apply and `refused` must not; `decided` are the choices that were made, `kind`
    is the type if one was chosen; members `present` and `absent` follow from choices. Of a member
    that decided a choice, only these schemas of the object describe the value (`deciders`): in the
    branch it would be the only one that is left.
    """

    pointers: tuple[str, ...]
    refused: tuple[str, ...] = ()
    decided: frozenset[str] = frozenset()
    kind: str | None = None
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    deciders: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Limit(NamedTuple):
    """A bound of a number: the value, whether it is excluded, and the pointer of its keyword."""

    value: int | float
    excluded: bool
    place: str


@dataclass(frozen=True, eq=False)
class Node:
    """All that applies to one place. Two nodes of one tree are equal if they are one object."""

    tree: SchemaTree
    key: Key

    def __repr__(self) -> str:
        shown = [pointer or "(root)" for pointer in self.key.pointers]
        return f"<Node {' & '.join(shown) or 'anything'}>"

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the first schema that applies, for messages."""
        return next(iter((*self.key.pointers, *map(self.tree.place, self.key.refused))), "")

    @cached_property
    def schemas(self) -> tuple[tuple[str, Any], ...]:
        """The schemas that apply: pointer and schema, in order."""
        return tuple((pointer, self.tree.linked.at[pointer]) for pointer in self.key.pointers)

    def said(self, keyword: str) -> Iterator[tuple[str, Any]]:
        """Yield the keyword's pointer and its value for each schema that has the keyword."""
        for pointer, schema in self.schemas:
            if type(schema) is dict and keyword in schema:
                yield f"{pointer}/{keyword}", schema[keyword]

    def annotation(self, keyword: str) -> Any:
        """Return the first value of `title`, `description`, `default` …; None if there is none."""
        return next((value for _, value in self.said(keyword)), None)

    def place(self, keyword: str) -> str:
        """Return the pointer of a keyword; empty if no schema has it."""
        return next((place for place, _ in self.said(keyword)), "")

    # Narrowing

    def narrowed(
        self, pointers: tuple[str, ...] = (), refused: tuple[str, ...] = (), **changes: Any
    ) -> Node:
        """Return the node in which these apply, or are refused, too."""
        key = self.key._replace(
            pointers=(*self.key.pointers, *pointers),
            refused=(*self.key.refused, *refused),
            **changes,
        )
        return self.tree.node_of(key)

    def of_kind(self, kind: str) -> Node:
        """Return the node in which the type is chosen, one of `KINDS`."""
        return self.narrowed(kind=kind)

    def choose(self, choice: Choice, index: int) -> Node:
        """Return the node in which a choice is made."""
        branch = choice.branches[index]
        # How the other branches of `oneOf` are missed is no choice of its own: they mostly are.
        missed = self.tree.refused_parts(branch.refused) if choice.keyword == "oneOf" else ()
        return self.narrowed(
            branch.pointers,
            branch.refused,
            decided=self.key.decided.union((choice.place,), missed),
            present=tuple(dict.fromkeys((*self.key.present, *branch.present))),
            absent=tuple(dict.fromkeys((*self.key.absent, *branch.absent))),
        )

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The choices that are still to be made, in order (sections 6.5.7, 6.6 and 6.7)."""
        found = [
            choice for pointer in self.key.pointers for choice in self.tree.choices_at(pointer)
        ]
        if self.key.kind == "object":
            found += [
                one
                for place, value in self.said("dependencies")
                for one in dependency_choices(place, value)
            ]
        found += filter(None, map(self.tree.falsifications_as_choice, self._vague))
        return tuple(choice for choice in found if choice.place not in self.key.decided)

    # Any type (section 6.1)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The types that are allowed, of `KINDS`; empty if nothing is.

        An object is not allowed if a member that must be there can have no value, as far as
        one look at the member tells: so that choices which exclude each other are seen early.
        """
        kinds = self.own_kinds
        if "object" in kinds and not all(self.child(name).own_kinds for name in self.required):
            return tuple(kind for kind in kinds if kind != "object")
        return kinds

    @cached_property
    def own_kinds(self) -> tuple[str, ...]:
        """The types that are allowed, whatever the members of an object must be."""
        kinds = ALL if self.key.kind is None else frozenset({self.key.kind})
        if any(schema is False for _, schema in self.schemas):
            return ()
        if not frozenset(self.key.refused).isdisjoint(self.key.pointers):
            return ()  # the same schema applies and must not
        if self.key.kind == "object" and not self.absent.isdisjoint(self.required):
            return ()
        for _, value in self.said("type"):
            kinds &= kinds_of(value)
        for refused in self._negations:
            kinds -= refused.kinds
        if self._allowed is not None:
            kinds &= frozenset(PYTHON[type(value)] for value in self._allowed)
        return tuple(kind for kind in KINDS if kind in kinds)

    @cached_property
    def integer(self) -> bool:
        """Return whether numbers must be integers (1.0 is one: section 6.1.1)."""
        for _, value in self.said("type"):
            names = [value] if type(value) is str else value
            if "integer" in names and "number" not in names:
                return True
        return False

    @cached_property
    def values(self) -> tuple[Any, ...] | None:
        """The values that `const` and `enum` leave, of the allowed types; None if any will do."""
        if self._allowed is None:
            return None
        kinds = self.own_kinds
        return tuple(value for value in self._allowed if PYTHON[type(value)] in kinds)

    @cached_property
    def _allowed(self) -> tuple[Any, ...] | None:
        lists = [value for _, value in self.said("enum")]
        lists += [[value] for _, value in self.said("const")]
        if not lists:
            return None
        options = [Options(values) for values in lists]
        excluded = [negation.values for negation in self._negations if negation.values is not None]
        return tuple(
            value
            for value in min(lists, key=len)
            if all(value in some for some in options)
            and not any(value in some for some in excluded)
        )

    @cached_property
    def excluded(self) -> tuple[Options, ...]:
        """Values that are refused one by one."""
        return tuple(r.values for r in self._negations if r.values is not None)

    # Numbers (section 6.2)

    @cached_property
    def minimum(self) -> Limit | None:
        """The greatest lower bound."""
        limits = self._limits("minimum", "exclusiveMinimum")
        return max(limits, default=None, key=lambda one: (one.value, one.excluded))

    @cached_property
    def maximum(self) -> Limit | None:
        """The least upper bound."""
        limits = self._limits("maximum", "exclusiveMaximum")
        return min(limits, default=None, key=lambda one: (one.value, not one.excluded))

    def _limits(self, inclusive: str, exclusive: str) -> list[Limit]:
        limits = [Limit(value, False, place) for place, value in self._effective(inclusive)]
        return limits + [Limit(value, True, place) for place, value in self._effective(exclusive)]

    def _effective(self, keyword: str) -> Iterator[tuple[str, Any]]:
        """Yield the values of a keyword, and those that follow from refused schemas."""
        yield from self.said(keyword)
        for pointer, refused in zip(self.key.refused, self._negations, strict=True):
            if keyword in refused.bounds:
                yield self.tree.place(pointer), refused.bounds[keyword]

    @cached_property
    def multiples(self) -> tuple[int | float, ...]:
        """The divisors of the number."""
        return tuple(dict.fromkeys(value for _, value in self.said("multipleOf")))

    # Counts: strings, arrays, objects (sections 6.3 to 6.5)

    def least(self, keyword: str) -> int:
        """Return the greatest of `minLength`, `minItems` or `minProperties`."""
        return max((int(value) for _, value in self._effective(keyword)), default=0)

    def most(self, keyword: str) -> int | None:
        """Return the least of `maxLength`, `maxItems` or `maxProperties`."""
        return min((int(value) for _, value in self._effective(keyword)), default=None)

    def texts(self, keyword: str) -> tuple[str, ...]:
        """Return the different values of `pattern`, `format` or a content keyword."""
        return tuple(dict.fromkeys(v for _, v in self.said(keyword) if type(v) is str))

    @cached_property
    def missed(self) -> tuple[str, ...]:
        """The patterns that must match nowhere in a text."""
        found = (negation.missed for negation in self._negations)
        return tuple(dict.fromkeys(pattern for pattern in found if pattern is not None))

    # Arrays (section 6.4)

    @cached_property
    def unique(self) -> bool:
        """Return whether no two items may be equal."""
        return any(value is True for _, value in self.said("uniqueItems"))

    @cached_property
    def tuple_length(self) -> int:
        """The number of items that are described one by one."""
        return max((len(v) for _, v in self.said("items") if type(v) is list), default=0)

    def item(self, index: int) -> Node:
        """Return the node of an item."""
        found: list[str] = []
        for pointer, schema in self.schemas:
            items = schema.get("items") if type(schema) is dict else None
            if type(items) is list and index < len(items):
                found.append(f"{pointer}/items/{index}")
            elif type(items) is list and "additionalItems" in schema:
                found.append(f"{pointer}/additionalItems")
            elif is_schema(items):
                found.append(f"{pointer}/items")
        return self.tree.node(
            found, [place for negation in self._negations for place in negation.items]
        )

    @cached_property
    def contains(self) -> tuple[str, ...]:
        """The schemas that at least one item must match each."""
        return tuple(place for place, _ in self.said("contains"))

    # Objects (section 6.5)

    @cached_property
    def properties(self) -> Mapping[str, Node]:
        """The members that `properties` names, in order."""
        names = [name for _, value in self.said("properties") for name in value]
        return {name: self.child(name) for name in dict.fromkeys(names)}

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """The patterns of `patternProperties`."""
        found = [pattern for _, value in self.said("patternProperties") for pattern in value]
        return tuple(dict.fromkeys(found))

    def described_by(self, pattern: str) -> Node:
        """Return the node of what one pattern of `patternProperties` describes."""
        return self.tree.node(
            f"{place}/{escape_token(pattern)}"
            for place, value in self.said("patternProperties")
            if pattern in value
        )

    @cached_property
    def other(self) -> Node:
        """The node of a member that neither `properties` nor a pattern describes."""
        return self.tree.node(place for place, _ in self.said("additionalProperties"))

    @cached_property
    def closed(self) -> bool:
        """Return whether additional members are refused."""
        return not self.other.kinds

    @cached_property
    def names(self) -> Node:
        """The node of the names of members."""
        return self.tree.node(p for p, _ in self.said("propertyNames")).of_kind("string")

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The members that must be there."""
        found = [name for _, value in self.said("required") for name in value]
        found += [r.present for r in self._negations if r.present is not None]
        return tuple(dict.fromkeys((*found, *self.key.present)))

    @cached_property
    def absent(self) -> frozenset[str]:
        """The members that must not be there."""
        refused = [negation.absent for negation in self._negations if negation.absent is not None]
        return frozenset((*self.key.absent, *refused))

    @cached_property
    def dependencies(self) -> Mapping[str, tuple[str, ...]]:
        """The members that a member requires: name → names (section 6.5.7)."""
        found: dict[str, tuple[str, ...]] = {}
        for _, value in self.said("dependencies"):
            for name, needed in value.items():
                if type(needed) is list:
                    found[name] = (*found.get(name, ()), *needed)
        return found

    def child(self, name: str) -> Node:
        """Return the node of the member with this name."""
        found: list[str] = []
        of_decider = dict(self.key.deciders).get(name)
        for pointer, schema in self.schemas:
            if type(schema) is dict and (of_decider is None or pointer in of_decider):
                found.extend(self._describing(name, pointer, schema))
        return self.tree.node(found, self._refused_members.get(name, ()))

    def _describing(self, name: str, pointer: str, schema: dict[str, Any]) -> list[str]:
        found = []
        if name in schema.get("properties", ()):
            found.append(f"{pointer}/properties/{escape_token(name)}")
        for pattern in schema.get("patternProperties", ()):
            if self.tree.matches(pattern, name):
                found.append(f"{pointer}/patternProperties/{escape_token(pattern)}")
        if not found and "additionalProperties" in schema:
            found.append(f"{pointer}/additionalProperties")
        return found

    # Refused schemas (sections 6.6.3, 6.7.4 and 6.6.1)

    @cached_property
    def _negations(self) -> tuple[Negation, ...]:
        return tuple(map(self.tree.negation_of, self.key.refused))

    @cached_property
    def _refused_members(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for negation in self._negations:
            for name, places in negation.members.items():
                found.setdefault(name, []).extend(places)
        return found

    @cached_property
    def _vague(self) -> tuple[str, ...]:
        pairs = zip(self.key.refused, self._negations, strict=True)
        return tuple(pointer for pointer, refused in pairs if not refused.exact)

    @cached_property
    def vague(self) -> bool:
        """Return whether something is refused that has no positive statement."""
        return bool(self._vague)

    @cached_property
    def recursive(self) -> bool:
        """Return whether a schema that applies leads back to itself."""
        return not self.tree.recursive.isdisjoint(self.key.pointers)


class SchemaTree:
    """The nodes of one linked schema.

    `matches(pattern, name)` decides which names a pattern of `patternProperties` describes, as
    the engine in use would. Safe to share among threads: two threads may make the same node,
    and one of the two is kept.
    """

    def __init__(self, linked: LinkedSchema, matches: Callable[[str, str], bool]) -> None:
        self.linked = linked
        self._matches = matches
        self._matched: dict[tuple[str, str], bool] = {}
        self._nodes: dict[Key, Node] = {}
        self._choices: dict[str, tuple[Choice, ...]] = {}
        self._statements: dict[str, Statement] = {}  # by a name of our own
        self._negations: dict[str, Negation] = {}
        self._falsifications: dict[str, Choice | None] = {}
        self._refused_parts: dict[tuple[str, ...], tuple[str, ...]] = {}

    @cached_property
    def root(self) -> Node:
        """The node of the instance as a whole."""
        return self.node([self.linked.root])

    def forget(self) -> None:
        """Let go of all nodes, and of names that were matched: they are made again if need be."""
        self._nodes.clear()
        self._matched.clear()

    def matches(self, pattern: str, name: str) -> bool:
        """Return whether a pattern describes a name; the answer is kept."""
        key = (pattern, name)
        found = self._matched.get(key)
        if found is None:
            found = self._matched[key] = self._matches(pattern, name)
        return found

    def schema(self, pointer: str) -> Any:
        """Return the subschema at a pointer, references followed."""
        return self.linked.at[self.linked.target(pointer)]

    def node(self, pointers: Iterable[str], refused: Iterable[str] = ()) -> Node:
        """Return the node in which all of `pointers` apply, and none of `refused`."""
        return self.node_of(Key(tuple(pointers), tuple(refused)))

    def node_of(self, key: Key) -> Node:
        """Return the node with a key; two keys that normalize alike have one node."""
        node = self._nodes.get(key)
        if node is None:
            plain = self._normalized(key)
            node = self._nodes.get(plain) or self._nodes.setdefault(plain, Node(self, plain))
            self._nodes[key] = node
        return node

    def _normalized(self, key: Key) -> Key:
        """Return the key without references, `allOf` and `not`."""
        todo = list(reversed(key.pointers))
        pending_negations = list(reversed(key.refused))
        applied: dict[str, None] = {}
        refused: dict[str, None] = {}
        seen: set[str] = set()  # what has been taken apart, and says no more itself
        while todo or pending_negations:
            if todo:
                pointer = self.linked.target(todo.pop())
                schema = self.linked.at[pointer]
                if schema is True or pointer in applied or pointer in seen:
                    continue
                seen.add(pointer)
                if type(schema) is not dict or schema.keys() != {"allOf"}:  # that says no more
                    applied[pointer] = None
                if type(schema) is dict:
                    parts = [p for word, p, _ in subschemas(schema, pointer) if word == "allOf"]
                    todo.extend(reversed(parts))
                    pending_negations.extend([f"{pointer}/not"] if "not" in schema else [])
                continue
            pointer = pending_negations.pop()
            if pointer in self._statements:
                refused[pointer] = None
                continue
            pointer = self.linked.target(pointer)
            schema = self.linked.at[pointer]
            if schema is False or pointer in refused or f"not {pointer}" in seen:
                continue
            seen.add(f"not {pointer}")
            if type(schema) is dict and len(schema) == 1 and "not" in schema:
                todo.append(f"{pointer}/not")  # what is not refused twice applies
            elif type(schema) is dict and len(schema) == 1 and "anyOf" in schema:
                pending_negations.extend(p for _, p, _ in subschemas(schema, pointer))
            else:
                refused[pointer] = None
        return key._replace(pointers=tuple(applied), refused=tuple(refused))

    def refused_parts(self, refused: tuple[str, ...]) -> tuple[str, ...]:
        """Return the refused schemas as nodes name them: references followed, `anyOf` taken apart;
        kept.
        """
        found = self._refused_parts.get(refused)
        if found is None:
            found = self._refused_parts[refused] = self._normalized(Key((), refused)).refused
        return found

    def choices_at(self, pointer: str) -> tuple[Choice, ...]:
        """Return the choices that a subschema brings; they are made once."""
        found = self._choices.get(pointer)
        if found is None:
            found = self._choices[pointer] = tuple(choices_in(pointer, self.linked.at[pointer]))
        return found

    def negation_of(self, pointer: str) -> Negation:
        """Return the negation of a schema, or of one statement of it; it is made once."""
        found = self._negations.get(pointer)
        if found is None:
            part = self._statements.get(pointer) or (pointer, self.schema(pointer))
            found = self._negations[pointer] = negation_of(*part)
        return found

    def place(self, pointer: str) -> str:
        """Return the JSON Pointer of a schema, or of the one that a statement belongs to."""
        return self._statements[pointer].pointer if pointer in self._statements else pointer

    def falsifications_as_choice(self, pointer: str) -> Choice | None:
        """Return a refused schema of several statements as a choice of which one is false; it is
        made once.
        """
        if pointer not in self._falsifications:
            self._falsifications[pointer] = self._falsify(pointer)
        return self._falsifications[pointer]

    def _falsify(self, pointer: str) -> Choice | None:
        schema = self.schema(pointer) if pointer not in self._statements else None
        if type(schema) is not dict:
            return None
        branches = [
            Branch(f"{pointer}/{label}", **way)
            for label, way in falsifications(pointer, schema, self._add_statement)
        ]
        return Choice("not", pointer, tuple(branches)) if branches else None

    def _add_statement(self, part: Statement) -> str:
        ((keyword, value),) = part.schema.items()
        names = json.dumps(value) if keyword in ("required", "properties") else ""
        name = f"part#{keyword}#{names}#{part.pointer}"  # no JSON Pointer begins like this
        self._statements[name] = part
        return name

    @cached_property
    def recursive(self) -> frozenset[str]:
        """The pointers of subschemas that lead back to themselves."""
        below = {pointer: self._below(pointer) for pointer in self.linked.at}
        return frozenset(
            pointer
            for component in components(below)
            for pointer in component
            if len(component) > 1 or pointer in below[pointer]
        )

    def _below(self, pointer: str) -> list[str]:
        if pointer in self.linked.references:
            return [self.linked.references[pointer]]
        places = subschemas(self.linked.at[pointer], pointer)
        return [place for keyword, place, _ in places if keyword != "definitions"]
