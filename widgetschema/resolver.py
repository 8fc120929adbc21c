"""Linking: a type schema and its base schemas become one self-contained schema. No I/O.

What draft-07 says about references (core specification, sections 8.2 and 8.3), and
where this file stands on it:

- `$id` sets the base URI of a subschema and all below it; `$ref` is resolved against it.
  Ids may be relative ("countdown"), absolute, or missing.
- Siblings of `$ref` are ignored, `$id` among them; `definitions` beside it can still be
  pointed into. Ignored siblings are worth a lint finding.
- Only schemas hold references: what looks like one inside `const`, `enum`, `default` or
  an unknown keyword is data, unless a reference points there and makes it a schema.
- Nothing is fetched. A reference leads into the schema itself, into one of the given
  resources, or to the draft-07 meta-schema; else it is an error, found here and now.

The result keeps the order of members, because forms show it. Resources that are referred
to are embedded under `definitions`, with their `$id`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urldefrag, urljoin

from widgetschema.documents import DEFAULT_LIMITS, Guard, dump, plain_copy, preview
from widgetschema.errors import (
    InvalidSchema,
    ReferenceLoop,
    UnresolvableReference,
    UnsupportedDialect,
)
from widgetschema.findings import Finding, Report, escape_token
from widgetschema.metaschema import DRAFT7, METASCHEMA
from widgetschema.words import nearest

if TYPE_CHECKING:
    from referencing import Registry

Schema = dict[str, Any] | bool

# Where subschemas are (draft-07 validation specification, sections 6.4 to 6.7 and 9).
ONE: Final = frozenset(
    "additionalItems additionalProperties contains else if items not propertyNames then".split()
)
MANY: Final = frozenset("allOf anyOf items oneOf".split())
NAMED: Final = frozenset("definitions dependencies patternProperties properties".split())
# Subschemas applied to the same place in the instance as the schema that holds them.
IN_PLACE: Final = frozenset("allOf anyOf dependencies else if not oneOf then".split())

# References in a row without moving on in the instance: people need about 10; an engine
# spends stack on each, at each of the levels that a document may have.
MAX_CHAIN: Final = 64
_ANNOTATIONS: Final = frozenset(
    "$comment $schema default definitions description examples readOnly title".split()
)


def subschemas(schema: Any, pointer: str) -> Iterator[tuple[str, str, Any]]:
    """The direct subschemas of a schema: (keyword, pointer, subschema), in order.

    `pointer` is the JSON Pointer of `schema`. Beside `$ref` only `definitions` count.
    """
    if type(schema) is not dict:
        return
    for keyword, value in schema.items():
        if "$ref" in schema and keyword != "definitions":
            continue
        here = f"{pointer}/{keyword}"
        if keyword in NAMED and type(value) is dict:
            for name, item in value.items():
                if is_schema(item):
                    yield keyword, f"{here}/{escape_token(name)}", item
        elif keyword in MANY and type(value) is list:
            for index, item in enumerate(value):
                if is_schema(item):
                    yield keyword, f"{here}/{index}", item
        elif keyword in ONE and is_schema(value):
            yield keyword, here, value


def is_schema(value: Any) -> bool:
    """Whether a value has the shape of a schema: an object or a boolean."""
    return type(value) is dict or type(value) is bool


@dataclass(frozen=True)
class LinkedSchema:
    """One self-contained schema, every reference resolved.

    `schema` is the schema with what it refers to embedded; `at` maps the JSON Pointer of
    each subschema in it to the subschema, `references` the pointer of each subschema with
    a `$ref` to the pointer of its target. `root` is the pointer where validation begins
    (empty: the whole). `lints` are findings about the schema that are no errors.
    `bases` names the resources that were embedded, by pointer.
    """

    id: str | None
    schema: Schema
    at: Mapping[str, Any] = field(repr=False)
    references: Mapping[str, str] = field(repr=False)
    bases: Mapping[str, str] = field(repr=False, default_factory=dict)
    lints: tuple[Finding, ...] = field(repr=False, default=())
    root: str = ""

    @cached_property
    def digest(self) -> str:
        """The sha256 of the linked schema as compact JSON text, in hexadecimal."""
        return hashlib.sha256(dump(self.schema, indent=False).encode()).hexdigest()

    @property
    def registry(self) -> Registry[Any]:
        """The linked schema as a `referencing` registry, for other validators."""
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT7 as SPECIFICATION

        resource: Resource[Any] = Resource(contents=self.schema, specification=SPECIFICATION)
        uris = {"", self.id or ""}
        return Registry().with_resources((uri, resource) for uri in sorted(uris)).crawl()

    def target(self, pointer: str) -> str:
        """Where validation goes on from `pointer`: the end of its references."""
        while pointer in self.references:
            pointer = self.references[pointer]
        return pointer

    def for_member(self, name: str) -> LinkedSchema:
        """The same schema, for the value of one member of an object it describes.

        Of a widget type's schema, which describes a whole widget document, this makes
        the schema of the member `data` alone. Where the rest of the document would
        decide between alternatives (`anyOf`, `if` …) each of them is allowed.
        """
        return _MemberView(self, name).linked()


class _MemberView:
    """One run of `for_member`: the conjunction of all that is said about the member."""

    def __init__(self, whole: LinkedSchema, name: str) -> None:
        self.whole = whole
        self.name = name
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
        return replace(
            self.whole, at=self.at, references=self.references, root=root, lints=lints
        )

    def own(self, said: list[Any]) -> bool:
        """Whether something of it stands in the schema itself, not in a base schema."""
        return any(
            any(self.own(branch) for branch in item)
            if type(item) is list
            else not any(item.startswith(f"{base}/") for base in self.whole.bases)
            for item in said
        )

    def conjunction(self, pointer: str) -> list[Any]:
        """What the schema at `pointer` says of the member: pointers, or lists of lists
        (alternatives); an empty list says nothing."""
        pointer = self.whole.target(pointer)
        schema = self.whole.at[pointer]
        if type(schema) is not dict:
            return [] if schema else [pointer]
        said: list[Any] = self.direct(schema, pointer)
        for keyword, place, _ in subschemas(schema, pointer):
            if keyword == "allOf" or place == f"{pointer}/dependencies/{escape_token(self.name)}":
                said.extend(item for item in self.conjunction(place) if item not in said)
        for keyword in ("anyOf", "oneOf"):
            places = [place for word, place, _ in subschemas(schema, pointer) if word == keyword]
            said.extend(self.alternatives(places))
        if "if" in schema:
            branches = [f"{pointer}/then", f"{pointer}/else"]
            if all(branch in self.whole.at for branch in branches):
                said.extend(self.alternatives(branches))
        return said

    def direct(self, schema: dict[str, Any], pointer: str) -> list[Any]:
        """What `properties`, `patternProperties` and `additionalProperties` say."""
        said: list[Any] = []
        place = f"{pointer}/properties/{escape_token(self.name)}"
        if place in self.whole.at:
            said.append(place)
        for pattern in schema.get("patternProperties", ()):
            place = f"{pointer}/patternProperties/{escape_token(pattern)}"
            if place in self.whole.at and _matches(pattern, self.name):
                said.append(place)
        place = f"{pointer}/additionalProperties"
        if not said and place in self.whole.at:
            said.append(place)
        return said

    def alternatives(self, places: list[str]) -> list[Any]:
        branches = [self.conjunction(place) for place in places]
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
            branches: list[Any] = []
            parts.append({"anyOf": branches})
            self.at[here] = parts[-1]
            for number, branch in enumerate(item):
                self.place(f"{here}/anyOf/{number}", branch)
                branches.append(self.at[f"{here}/anyOf/{number}"])


def link(
    schema: Any, resources: Mapping[str, Any] | None = None, *, id: str | None = None
) -> LinkedSchema:
    """Link `schema` with the `resources` (name or URI → schema) that it refers to.

    `id` names the schema where it has no `$id`. A resource is found by its name, its
    `$id`, or a reference that ends in its name: `plugin`, `plugin#`, `/plugin`,
    `plugin.json`, `https://example.com/v1/plugin` all mean the resource `plugin`.

    Raises `InvalidSchema` for a value that JSON cannot carry, `UnsupportedDialect`,
    `UnresolvableReference`, `ReferenceLoop`.
    """
    return _Linker(schema, resources or {}, id).run()


@dataclass(frozen=True, slots=True)
class _Reference:
    """One `$ref`: the pointer of the schema that holds it, its base URI, its text."""

    pointer: str
    base: str
    text: str


class _Linker:
    """One run of `link`: a private copy of the schema, and what is known of it so far."""

    def __init__(self, schema: Any, resources: Mapping[str, Any], id: str | None) -> None:
        self.schema = _own_copy(schema, id or "schema")
        own_id = self.schema.get("$id") if type(self.schema) is dict else None
        self.id = (own_id if isinstance(own_id, str) else None) or id
        self.name = self.id or "schema"
        self.resources = resources
        self.at: dict[str, Any] = {}
        self.bases: dict[str, str] = {}  # pointer of each subschema → its base URI
        self.roots: dict[str, str] = {}  # URI of each resource → pointer of its root
        self.anchors: dict[tuple[str, str], str] = {}
        self.pending: list[_Reference] = []
        self.references: dict[str, str] = {}
        self.embedded: dict[str, str] = {}
        self.own_roots = {""}  # pointers whose base URI was given, not to be joined again
        self.lints: list[Finding] = []

    def run(self) -> LinkedSchema:
        _check_dialect(self.schema, self.name)
        base = _without_fragment(self.id or "")
        self.roots[base] = ""
        self.roots.setdefault("", "")
        self.index(self.schema, "", base)
        while self.pending:
            references, self.pending = self.pending, []
            for reference in references:
                self.references[reference.pointer] = self.resolve(reference)
        _check_chains(self.name, self.at, self.references)
        return LinkedSchema(
            self.id, self.schema, self.at, self.references, self.embedded, tuple(self.lints)
        )

    def index(self, schema: Any, pointer: str, base: str) -> None:
        """Take down every subschema from `pointer` on: its place, base URI, reference."""
        todo = [(schema, pointer, base)]
        while todo:
            schema, pointer, base = todo.pop()
            if pointer in self.at:
                continue
            self.at[pointer] = schema
            if type(schema) is dict:
                base = self.identify(schema, pointer, base)
                reference = schema.get("$ref")
                if isinstance(reference, str):
                    self.pending.append(_Reference(pointer, base, reference))
                    self.lint_siblings(schema, pointer)
            self.bases[pointer] = base
            below = [(item, place, base) for _, place, item in subschemas(schema, pointer)]
            todo.extend(reversed(below))

    def identify(self, schema: dict[str, Any], pointer: str, base: str) -> str:
        """The base URI inside `schema`, taking down what its `$id` names."""
        own_id = schema.get("$id")
        if not isinstance(own_id, str) or "$ref" in schema or pointer in self.own_roots:
            return base
        if own_id.startswith("#"):
            self.anchors.setdefault((base, own_id[1:]), pointer)
            return base
        uri, fragment = urldefrag(urljoin(base, own_id))
        if fragment:
            self.anchors.setdefault((uri, fragment), pointer)
        self.roots.setdefault(uri, pointer)
        return uri

    def lint_siblings(self, schema: dict[str, Any], pointer: str) -> None:
        ignored = [name for name in schema if name != "$ref" and name not in _ANNOTATIONS]
        if ignored:
            names = ", ".join(ignored)
            message = f"draft-07 ignores everything beside $ref, here: {names}"
            hint = 'wrap the reference: "allOf": [{"$ref": …}]'
            self.lints.append(Finding("$ref", f"{pointer}/$ref", "", message, hint))

    def resolve(self, reference: _Reference) -> str:
        """The pointer of the schema that a reference means."""
        if reference.text.startswith("#"):
            uri, fragment = reference.base, reference.text[1:]
        else:
            uri, fragment = urldefrag(urljoin(reference.base, reference.text))
        root = self.roots.get(uri)
        if root is None:
            root = self.find_resource(reference, uri, fragment)
        if not fragment:
            return root
        if fragment.startswith("/"):
            return self.follow(reference, uri, root, unquote(fragment))
        for name in (fragment, unquote(fragment)):
            if (uri, name) in self.anchors:
                return self.anchors[uri, name]
        names = [anchor for resource, anchor in self.anchors if resource == uri]
        reason = "no subschema has this name as its $id"
        if any(type(value) is dict for value in self.at.values()) and not names:
            reason += f"; a JSON Pointer begins with a slash: '#/{fragment}'"
        raise self.unresolvable(reference, f"{uri}#{fragment}", reason, nearest(fragment, names))

    def follow(self, reference: _Reference, uri: str, root: str, fragment: str) -> str:
        """Follow a JSON Pointer from the resource at `root`."""
        value, pointer = self.at[root], root
        for token in fragment[1:].split("/"):
            name = token.replace("~1", "/").replace("~0", "~")
            step: Any = None
            if type(value) is dict:
                step, names = value.get(name), list(value)
            elif type(value) is list:
                step = value[int(name)] if _is_index(name, len(value)) else None
                names = [str(index) for index in range(len(value))]
            else:
                names = []
            if step is None:
                reason = f"{pointer.removeprefix(root) or 'the schema'} has no {name!r}"
                close = [f"{pointer.removeprefix(root)}/{like}" for like in nearest(name, names)]
                raise self.unresolvable(reference, f"{uri}#{fragment}", reason, close)
            value, pointer = step, f"{pointer}/{escape_token(name)}"
        if not is_schema(value):
            kind = "an array" if type(value) is list else "a plain value"
            reason = f"it leads to {kind}, not to a schema"
            raise self.unresolvable(reference, f"{uri}#{fragment}", reason)
        if pointer not in self.at:
            around = pointer
            while around not in self.bases:
                around = around.rpartition("/")[0]
            self.index(value, pointer, self.bases[around])
        return pointer

    def find_resource(self, reference: _Reference, uri: str, fragment: str) -> str:
        """The pointer of the resource that `uri` means, embedding it if need be."""
        if uri == DRAFT7:
            return self.embed(reference, uri, "draft-07", METASCHEMA)
        name = _name_of(uri)
        for pointer, embedded in self.embedded.items():
            if embedded == name:
                self.roots[uri] = pointer
                return pointer
        for key in (uri, name):
            if key in self.resources:
                return self.embed(reference, uri, _name_of(key), self.resources[key])
        for key, resource in self.resources.items():
            own_id = resource.get("$id") if type(resource) is dict else None
            own_id = own_id if isinstance(own_id, str) else key
            if uri in (_without_fragment(key), _without_fragment(own_id)) or name in (
                _name_of(key),
                _name_of(own_id),
            ):
                return self.embed(reference, uri, _name_of(key), resource)
        known = [*self.resources, *(root for root in self.roots if root)]
        reason = "no schema with this name is at hand, and references are never fetched"
        close = nearest(name, known) or known[:5]
        resolved = f"{uri}#{fragment}" if fragment else uri
        raise self.unresolvable(reference, resolved, reason, close)

    def embed(self, reference: _Reference, uri: str, name: str, resource: Any) -> str:
        """Put a resource under `definitions`; its pointer there."""
        copy = _own_copy(resource, name)
        _check_dialect(copy, name)
        definitions = self.schema.setdefault("definitions", {})
        if type(definitions) is not dict:
            message = f"{preview(definitions)} must be an object"
            finding = Finding("type", "/definitions", "", message)
            raise InvalidSchema(Report((finding,), f"schema {self.name!r}"))
        key, number = name, 2
        while key in definitions:
            key, number = f"{name}-{number}", number + 1
        if type(copy) is dict:
            own_id = copy.get("$id")
            if not isinstance(own_id, str):
                own_id = name
                copy = {"$id": own_id, **copy}
            base = _without_fragment(urljoin(self.id or "", own_id))
        else:
            base = uri
        definitions[key] = copy
        pointer = f"/definitions/{escape_token(key)}"
        self.embedded[pointer] = name
        self.own_roots.add(pointer)
        self.roots[uri] = pointer
        self.roots.setdefault(base, pointer)
        self.index(copy, pointer, base)
        if base != uri and urljoin(reference.base, base) == base:
            # The text would lead elsewhere in another validator: name what was meant.
            self.at[reference.pointer]["$ref"] = base + reference.text.partition("#")[1] + (
                reference.text.partition("#")[2]
            )
        return pointer

    def unresolvable(
        self, reference: _Reference, resolved: str, reason: str, close: list[str] | tuple[str, ...] = ()
    ) -> UnresolvableReference:
        schema, pointer = self.name, reference.pointer
        for place, name in self.embedded.items():
            if pointer == place or pointer.startswith(place + "/"):
                schema, pointer = name, pointer.removeprefix(place)
        return UnresolvableReference(
            schema, f"{pointer}/$ref", reference.text, resolved, reason, close
        )


def _own_copy(schema: Any, name: str) -> Any:
    if not is_schema(schema) and not isinstance(schema, dict):
        message = f"a schema is an object or a boolean, not {type(schema).__name__}"
        raise InvalidSchema(Report((Finding("type", "", "", message),), f"schema {name!r}"))
    guard = Guard(DEFAULT_LIMITS.max_depth)
    encoded = guard.encode(schema)
    if encoded is not None:
        return guard.decode(encoded)
    copy, findings = plain_copy(schema, DEFAULT_LIMITS.max_depth)
    if findings:
        raise InvalidSchema(Report(findings, f"schema {name!r}"))
    return copy


def _check_dialect(schema: Any, name: str) -> None:
    dialect = schema.get("$schema") if type(schema) is dict else None
    if dialect is None:
        return
    plain = dialect.removesuffix("#").rstrip("/") if isinstance(dialect, str) else dialect
    if plain not in (DRAFT7, DRAFT7.replace("http:", "https:")):
        raise UnsupportedDialect(name, dialect)


def _check_chains(name: str, at: Mapping[str, Any], references: Mapping[str, str]) -> None:
    """Refuse references that lead back to themselves at the same place of the instance.

    Such a schema says nothing, and an engine may never come back from it. Long chains
    are refused for the same reason.
    """
    length: dict[str, int] = {}  # pointer → schemas in the longest chain from it
    for start in at:
        way: dict[str, None] = {}  # the pointers being walked, in order, from `start` down
        todo = [(start, False)]
        while todo:
            pointer, done = todo.pop()
            if done:
                del way[pointer]
                ahead = [length[place] for place in _in_place(at, references, pointer)]
                length[pointer] = 1 + max(ahead, default=0)
                if length[pointer] + len(way) > MAX_CHAIN:
                    reason = f"more than {MAX_CHAIN} schemas apply to one place, one by one"
                    raise ReferenceLoop(name, [*way, pointer], reason)
                continue
            if pointer in length:
                continue
            if pointer in way:
                reason = "a reference leads back to itself without reaching any data"
                loop = list(way)
                raise ReferenceLoop(name, [*loop[loop.index(pointer) :], pointer], reason)
            way[pointer] = None
            todo.append((pointer, True))
            todo.extend((place, False) for place in _in_place(at, references, pointer))


def _in_place(at: Mapping[str, Any], references: Mapping[str, str], pointer: str) -> list[str]:
    if pointer in references:
        return [references[pointer]]
    schema = at[pointer]
    if type(schema) is not dict or not (IN_PLACE & schema.keys()):
        return []
    return [place for keyword, place, _ in subschemas(schema, pointer) if keyword in IN_PLACE]


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # reported where patterns are checked
        return False


def _without_fragment(uri: str) -> str:
    return uri.partition("#")[0]


def _name_of(uri: str) -> str:
    """The last part of a URI's path, without `.json`: what `plugin.json` is called."""
    path = _without_fragment(uri).partition("?")[0].rstrip("/")
    return path.rpartition("/")[2].removesuffix(".json")


def _is_index(token: str, length: int) -> bool:
    return len(token) < 10 and token.isdecimal() and token == str(int(token)) and int(token) < length
