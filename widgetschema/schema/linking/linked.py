"""`LinkedSchema`: one self-contained schema, and where everything in it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from widgetschema.findings import Finding
from widgetschema.jsontext import dump
from widgetschema.schema.linking.schemas import Schema

if TYPE_CHECKING:
    from referencing import Registry


@dataclass(frozen=True)
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
    at: Mapping[str, Any] = field(repr=False)
    references: Mapping[str, str] = field(repr=False)
    bases: Mapping[str, str] = field(repr=False, default_factory=dict)
    lints: tuple[Finding, ...] = field(repr=False, default=())
    root: str = ""
    found: tuple[str, ...] = field(repr=False, default=())

    @cached_property
    def digest(self) -> str:
        """The sha256 of the linked schema as compact JSON text, in hexadecimal."""
        return hashlib.sha256(dump(self.schema, indent=False).encode()).hexdigest()

    @property
    def registry(self) -> Registry[Any]:
        """The linked schema as a `referencing` registry, for other validators."""
        from referencing import Registry
        from referencing.jsonschema import DRAFT7 as SPECIFICATION

        resource = SPECIFICATION.create_resource(self.schema)
        uris = {"", (self.id or "").partition("#")[0]}
        return Registry().with_resources((uri, resource) for uri in sorted(uris)).crawl()

    def target(self, pointer: str) -> str:
        """Where validation goes on from `pointer`: the end of its references."""
        while pointer in self.references:
            pointer = self.references[pointer]
        return pointer

    def for_member(
        self, name: str, matches: Callable[[str, str], bool] | None = None
    ) -> LinkedSchema:
        """The same schema, for the value of one member of an object it describes.

        Of a widget type's schema, which describes a whole widget document, this makes
        the schema of the member `data` alone. Where the rest of the document would
        decide between alternatives (`anyOf`, `if` …) each of them is allowed.
        `matches(pattern, name)` decides `patternProperties`, as an engine would: without
        it, patterns are read as Python reads them.
        """
        from widgetschema.schema.linking.member import MemberView

        return MemberView(self, name, matches).linked()

    def conjunction(self, pointers: Iterable[str], refused: Iterable[str] = ()) -> LinkedSchema:
        """The same schema, for a value that all of `pointers` apply to, and none of `refused`."""
        root = "all#"  # no JSON Pointer begins like this: no name clashes
        at, references = dict(self.at), dict(self.references)
        parts: list[Any] = []
        for pointer in pointers:
            at[f"{root}/allOf/{len(parts)}"] = {"$ref": f"#{pointer}"}
            references[f"{root}/allOf/{len(parts)}"] = pointer
            parts.append({"$ref": f"#{pointer}"})
        for pointer in refused:
            place = f"{root}/allOf/{len(parts)}"
            parts.append({"not": {"$ref": f"#{pointer}"}})
            at[place], at[f"{place}/not"] = parts[-1], parts[-1]["not"]
            references[f"{place}/not"] = pointer
        at[root] = {"allOf": parts} if parts else True
        return replace(self, at=at, references=references, root=root)
