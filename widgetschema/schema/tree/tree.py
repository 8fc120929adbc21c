"""`SchemaTree`: makes nodes, and keeps them, so that what says the same is the same node."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from widgetschema.schema.linking import LinkedSchema, components, subschemas
from widgetschema.schema.tree.choices import Branch, Choice, choices_of
from widgetschema.schema.tree.node import Key, Node
from widgetschema.schema.tree.refusals import Part, Refusal, refusal, ways


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
        self._parts: dict[str, Part] = {}  # statements of refused schemas, by a name of our own

    @cached_property
    def root(self) -> Node:
        """The node of the instance as a whole."""
        return self.node([self.linked.root])

    def forget(self) -> None:
        """Let go of all nodes, and of names that were matched: they are made again if need be."""
        self._nodes.clear()
        self._matched.clear()

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern describes a name; asked once."""
        key = (pattern, name)
        found = self._matched.get(key)
        if found is None:
            found = self._matched[key] = self._matches(pattern, name)
        return found

    def schema(self, pointer: str) -> Any:
        """The subschema at a pointer, references followed."""
        return self.linked.at[self.linked.target(pointer)]

    def node(self, pointers: Iterable[str], refused: Iterable[str] = ()) -> Node:
        """The node in which all of `pointers` apply, and none of `refused`."""
        return self.keyed(Key(tuple(pointers), tuple(refused)))

    def keyed(self, key: Key) -> Node:
        """The node that says what the key says."""
        node = self._nodes.get(key)
        if node is None:
            plain = self._plain(key)
            node = self._nodes.get(plain) or self._nodes.setdefault(plain, Node(self, plain))
            self._nodes[key] = node
        return node

    def _plain(self, key: Key) -> Key:
        """The same, references followed, `allOf` taken apart, `not` moved to the refused."""
        todo = list(reversed(key.pointers))
        refusals = list(reversed(key.refused))
        applied: dict[str, None] = {}
        refused: dict[str, None] = {}
        seen: set[str] = set()  # what has been taken apart, and says no more itself
        while todo or refusals:
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
                    refusals.extend([f"{pointer}/not"] if "not" in schema else [])
                continue
            pointer = refusals.pop()
            if pointer in self._parts:
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
                refusals.extend(p for _, p, _ in subschemas(schema, pointer))
            else:
                refused[pointer] = None
        return key._replace(pointers=tuple(applied), refused=tuple(refused))

    def choices_at(self, pointer: str) -> tuple[Choice, ...]:
        """The choices that a subschema brings, made once."""
        found = self._choices.get(pointer)
        if found is None:
            found = self._choices[pointer] = tuple(choices_of(pointer, self.linked.at[pointer]))
        return found

    def refusal(self, pointer: str) -> Refusal:
        """What it means that a schema, or a part of one, is refused."""
        if pointer in self._parts:
            return refusal(*self._parts[pointer])
        return refusal(pointer, self.schema(pointer))

    def place(self, pointer: str) -> str:
        """The JSON Pointer of a schema, or of the one that a part belongs to."""
        return self._parts[pointer].pointer if pointer in self._parts else pointer

    def ways_to_break(self, pointer: str) -> Choice | None:
        """A refused schema that makes several statements, as a choice: which one is broken."""
        schema = self.schema(pointer) if pointer not in self._parts else None
        if type(schema) is not dict:
            return None
        branches = [
            Branch(f"{pointer}/{label}", **way) for label, way in ways(pointer, schema, self._part)
        ]
        return Choice("not", pointer, tuple(branches)) if branches else None

    def _part(self, part: Part) -> str:
        ((keyword, value),) = part.schema.items()
        names = json.dumps(value) if keyword in ("required", "properties") else ""
        name = f"part#{keyword}#{names}#{part.pointer}"  # no JSON Pointer begins like this
        self._parts[name] = part
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
