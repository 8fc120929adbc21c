"""`LinkedSchema`: one self-contained schema, and where everything in it is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from widgetschema.cached import cached_property
from widgetschema.findings import Finding
from widgetschema.jsontext import dump_line
from widgetschema.pointers import escape_token
from widgetschema.schema.subschemas import Schema, subschemas
from widgetschema.schema.uri_references import encoded

if TYPE_CHECKING:
    from referencing import Registry


@dataclass(frozen=True, repr=False, eq=False)
class LinkedSchema:
    """One self-contained schema, every reference resolved.

    `schema` is the schema with what it refers to embedded; `at` maps the JSON Pointer of
    each subschema in it to the subschema, `references` the pointer of each subschema with
    a `$ref` to the pointer of its target. `root` is the pointer where validation begins
    (empty: the whole). `lints` are findings about the schema that are no errors.
    `bases` names the resources that were embedded, by pointer; `found` are the pointers of
    what is a schema only because a reference leads there.
    """

    id: str | None
    schema: Schema
    at: Mapping[str, Any]
    references: Mapping[str, str]
    bases: Mapping[str, str] = field(default_factory=dict)
    lints: tuple[Finding, ...] = ()
    root: str = ""
    found: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """The sha256 of the linked schema as compact JSON text, in hexadecimal."""
        return hashlib.sha256(dump_line(self.schema)).hexdigest()

    def registry(self, name: str = "") -> Registry[Any]:
        """Return the linked schema as a `referencing` registry: by its `$id`, and by a name."""
        from referencing import Registry
        from referencing.jsonschema import DRAFT7

        uri = encoded(self.id or "").partition("#")[0] or encoded(name)
        parts = {encoded(name): {"$ref": uri}, "": self.schema, uri: self.schema}
        resources = ((key, DRAFT7.create_resource(part)) for key, part in parts.items())
        return Registry().with_resources(resources).crawl()

    def target(self, pointer: str) -> str:
        """Return the pointer at the end of the references from `pointer`."""
        while pointer in self.references:
            pointer = self.references[pointer]
        return pointer

    def reachable(self) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
        """Yield the pointers of the subschemas that are in use, each once, with their subschemas.

        Of these, the keyword, the pointer, and the pointer at the end of the references from there.
        """
        todo = [self.target(self.root)]
        seen = {*todo}
        for pointer in todo:  # grows while it is gone through
            below = [
                (keyword, place, self.target(place))
                for keyword, place, _ in subschemas(self.at[pointer], pointer)
                if keyword != "definitions"
            ]
            yield pointer, below
            for _, _, target in below:
                if target not in seen:
                    seen.add(target)
                    todo.append(target)

    def for_member(
        self, name: str, matches: Callable[[str, str], bool] | None = None
    ) -> LinkedSchema:
        """Return the same schema, for the value of one member of an object it describes.

        Of a widget type's schema, which describes a whole widget document, this makes
        the schema of the member `data` alone. Where the rest of the document would
        decide between alternatives (`anyOf`, `if` …) each of them is allowed.
        `matches(pattern, name)` decides `patternProperties`, as an engine would: without
        it, patterns are read as Python reads them.
        """
        return _MemberView(self, name, matches).linked()

    def as_member(self, name: str) -> LinkedSchema:
        """Return the same schema, for objects whose required member `name` it describes.

        `for_member` leads back: this is for a schema of data, of which it makes one of documents.
        """
        root = f"around#{name}"
        while root in self.at:  # as for the other members of this name that it is in
            root = f"around#{root}"
        members = {name: {"$ref": f"#{self.root}"}}
        whole = {"type": "object", "required": [name], "properties": members}
        return self.with_root(whole, root)

    def conjunction(self, pointers: Iterable[str], refused: Iterable[str] = ()) -> LinkedSchema:
        """Return the same schema, where all of `pointers` apply to the root, none of `refused`."""
        parts: list[Any] = [{"$ref": f"#{pointer}"} for pointer in pointers]
        parts += [{"not": {"$ref": f"#{pointer}"}} for pointer in refused]
        return self.with_root({"allOf": parts} if parts else True, "all#")

    def with_root(self, schema: Schema, root: str) -> LinkedSchema:
        """Return the same schema with another root, which refers to pointers by `#` and a pointer.

        Args:
            schema: The schema that applies to the root.
            root: Its pointer, which begins as no JSON Pointer does: no name clashes.
        """
        at, references = dict(self.at), dict(self.references)
        todo: list[tuple[str, Any]] = [(root, schema)]
        while todo:
            pointer, one = todo.pop()
            at[pointer] = one
            if type(one) is dict and "$ref" in one:
                references[pointer] = one["$ref"][1:]
            todo += [(place, below) for _, place, below in subschemas(one, pointer)]
        return replace(self, at=at, references=references, root=root)


class _MemberView:
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

    def linked(self) -> LinkedSchema:
        """Return the linked schema of the member."""
        said = self.conjunction(self.whole.root)
        if len(said) == 1 and type(said[0]) is str:
            return replace(self.whole, root=said[0])
        root = f"{self.name}#"
        return self.whole.with_root(self.schema(root, said), root)

    def conjunction(self, pointer: str) -> list[Any]:
        """Return the schemas of the member by the schema at `pointer`, all of which apply.

        Each item is the pointer of a schema, or a list of alternatives, which are lists
        like this one; an empty list says nothing.
        """
        pointer = self.whole.target(pointer)
        if pointer not in self.said:
            self.said[pointer] = self.all_said(self.whole.at[pointer], pointer)
        return self.said[pointer]

    def all_said(self, schema: Any, pointer: str) -> list[Any]:
        """Return the schemas of the member by one schema."""
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
        """Return those of `properties`, `patternProperties` and `additionalProperties`."""
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
        """Return the schemas of the member by alternatives: a list of them, or common ones."""
        branches: list[Any] = []
        for branch in map(self.conjunction, places):
            if branch not in branches:
                branches.append(branch)
        if len(branches) == 1:
            return list(branches[0])
        return [branches] if branches and all(branches) else []

    def schema(self, pointer: str, said: list[Any]) -> Schema:
        """Return a conjunction as a schema of references, for a place of its own."""
        parts: list[Any] = []
        for index, item in enumerate(said):
            here = f"{pointer}/allOf/{index}"
            if type(item) is str or id(item) in self.placed:
                target = item if type(item) is str else self.placed[id(item)]
                parts.append({"$ref": f"#{target}"})
                continue
            self.placed[id(item)] = here
            branches = enumerate(item)
            parts.append(
                {"anyOf": [self.schema(f"{here}/anyOf/{at}", branch) for at, branch in branches]}
            )
        return {"allOf": parts} if said else True


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # reported where patterns are checked
        return False
