"""The schema of one member of an object that a linked schema describes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from widgetschema.findings import Finding, escape_token
from widgetschema.schema.linking.linked import LinkedSchema
from widgetschema.schema.linking.schemas import subschemas


class MemberView:
    """One run of `for_member`: the conjunction of all that is said about the member."""

    def __init__(
        self, whole: LinkedSchema, name: str, matches: Callable[[str, str], bool] | None
    ) -> None:
        self.whole = whole
        self.name = name
        self.matches = matches or _matches
        # What many references lead to is looked at once, and written down once.
        self.said: dict[str, list[Any]] = {}
        self.placed: dict[int, str] = {}
        self.at: dict[str, Any] = dict(whole.at)
        self.references: dict[str, str] = dict(whole.references)

    def linked(self) -> LinkedSchema:
        said = self.conjunction(self.whole.root)
        if len(said) == 1 and type(said[0]) is str and said[0] in self.at:
            root = said[0]
        else:
            root = f"{self.name}#"  # no JSON Pointer begins like this: no name clashes
            self.place(root, said)
        lints = self.whole.lints
        if type(self.whole.schema) is dict and not self.own(said):
            message = f"the schema says nothing about {self.name!r}: it will accept any"
            hint = f'describe it: "properties": {{"{self.name}": …}}'
            lints = (*lints, Finding("properties", "", "", message, hint))
        return replace(self.whole, at=self.at, references=self.references, root=root, lints=lints)

    def own(self, said: list[Any]) -> bool:
        """Whether something of it stands in the schema itself, not in a base schema."""
        todo, seen = [said], {id(said)}
        while todo:
            for item in todo.pop():
                if type(item) is list:
                    todo.extend(branch for branch in item if id(branch) not in seen)
                    seen.update(map(id, item))
                elif not any(item.startswith(f"{base}/") for base in self.whole.bases):
                    return True
        return False

    def conjunction(self, pointer: str) -> list[Any]:
        """What the schema at `pointer` says of the member, all of which applies.

        Each item is the pointer of a schema, or a list of alternatives, which are lists
        like this one; an empty list says nothing.
        """
        pointer = self.whole.target(pointer)
        if pointer not in self.said:
            self.said[pointer] = self.all_said(self.whole.at[pointer], pointer)
        return self.said[pointer]

    def all_said(self, schema: Any, pointer: str) -> list[Any]:
        if type(schema) is not dict:
            return [] if schema else [pointer]
        said: list[Any] = self.direct(schema, pointer)
        for keyword, place, _ in subschemas(schema, pointer):
            if keyword == "allOf" or place == f"{pointer}/dependencies/{escape_token(self.name)}":
                said.extend(item for item in self.conjunction(place) if item not in said)
        for keyword in ("anyOf", "oneOf"):
            places = [place for word, place, _ in subschemas(schema, pointer) if word == keyword]
            said.extend(item for item in self.alternatives(places) if item not in said)
        if "if" in schema:
            branches = [f"{pointer}/then", f"{pointer}/else"]
            if all(branch in self.whole.at for branch in branches):
                said.extend(item for item in self.alternatives(branches) if item not in said)
        return said

    def direct(self, schema: dict[str, Any], pointer: str) -> list[Any]:
        """What `properties`, `patternProperties` and `additionalProperties` say."""
        said: list[Any] = []
        place = f"{pointer}/properties/{escape_token(self.name)}"
        if place in self.whole.at:
            said.append(place)
        for pattern in schema.get("patternProperties", ()):
            place = f"{pointer}/patternProperties/{escape_token(pattern)}"
            if place in self.whole.at and self.matches(pattern, self.name):
                said.append(place)
        place = f"{pointer}/additionalProperties"
        if not said and place in self.whole.at:
            said.append(place)
        return said

    def alternatives(self, places: list[str]) -> list[Any]:
        branches: list[Any] = []
        for branch in map(self.conjunction, places):
            if branch not in branches:
                branches.append(branch)
        if len(branches) == 1:
            return list(branches[0])
        return [branches] if branches and all(branches) else []

    def place(self, pointer: str, said: list[Any]) -> None:
        """Write a conjunction down as a schema of references, at a place of its own."""
        parts: list[Any] = []
        self.at[pointer] = {"allOf": parts} if said else True
        for index, item in enumerate(said):
            here = f"{pointer}/allOf/{index}"
            if type(item) is str:
                parts.append({"$ref": f"#{item}"})
                self.at[here], self.references[here] = parts[-1], item
                continue
            if id(item) in self.placed:
                parts.append({"$ref": f"#{self.placed[id(item)]}"})
                self.at[here], self.references[here] = parts[-1], self.placed[id(item)]
                continue
            self.placed[id(item)] = here
            branches: list[Any] = []
            parts.append({"anyOf": branches})
            self.at[here] = parts[-1]
            for number, branch in enumerate(item):
                self.place(f"{here}/anyOf/{number}", branch)
                branches.append(self.at[f"{here}/anyOf/{number}"])


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # reported where patterns are checked
        return False
