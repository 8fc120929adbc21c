"""A linked schema as one self-contained schema: for OpenAPI, code generators, other validators.

Everything that can be reached from the root is written anew with the same meaning, in draft-07 or
in 2020-12. References lead to definitions only, and nothing has an `$id`, so the result can become
a part of another document. Only keywords of draft-07 are kept: others mean nothing there, but some
of them do in 2020-12.

What 2020-12 has in place of keywords of draft-07 (its core specification, section 10.3.1, and its
validation specification, appendix A): `$defs` for `definitions`, `prefixItems` and `items` for an
array of `items` and `additionalItems`, `dependentRequired` and `dependentSchemas` for
`dependencies`. There, `format` and the content keywords are annotations, unless a validator is set
to assert them.
"""

from __future__ import annotations

import re
from copy import deepcopy
from hashlib import sha256
from typing import Any, Final, Literal

from widgetschema.pointers import escape_token, parse_pointer
from widgetschema.schema.keywords import ASSERTIONS
from widgetschema.schema.linking import (
    ANNOTATIONS,
    MANY,
    NAMED,
    ONE,
    LinkedSchema,
    is_schema,
)
from widgetschema.schema.metaschema import DRAFT7

Dialect = Literal["draft-07", "2020-12"]

_URIS: Final = {
    "draft-07": f"{DRAFT7}#",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
_ANNOTATIONS: Final = ANNOTATIONS - {"$schema", "definitions"}
_VALUES: Final = frozenset("pattern format contentEncoding contentMediaType".split())
_KEYWORDS: Final = NAMED | MANY | ONE
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")


def standalone(
    linked: LinkedSchema, dialect: Dialect, ref_prefix: str | None = None, owner: str = ""
) -> dict[str, Any]:
    """Return a linked schema in a dialect, with the definitions that it needs.

    Args:
        linked: The linked schema.
        dialect: The dialect to write.
        ref_prefix: The beginning of all references. By default, that of the member with the
            definitions in the result.
        owner: The beginning of the names of all definitions, with which those of several schemas
            can be in one object.

    Raises:
        ValueError: For another dialect.
    """
    if dialect not in _URIS:
        raise ValueError(f"the dialect must be draft-07 or 2020-12, not {dialect!r}")
    member = "definitions" if dialect == "draft-07" else "$defs"
    begin = f"#/{member}/" if ref_prefix is None else ref_prefix
    writer = SchemaWriter(linked, dialect, begin, owner)
    body = writer.form(linked.target(linked.root))
    definitions = writer.definitions()
    schema: dict[str, Any] = {"$schema": _URIS[dialect]}
    schema.update(body if type(body) is dict else {} if body else {"not": {}})
    if "$ref" in schema and dialect == "draft-07":  # which ignores what is beside it
        schema["allOf"] = [{"$ref": schema.pop("$ref")}]
    if definitions:
        schema[member] = definitions
    return deepcopy(schema)


def safe_name(name: str) -> str:
    """Return a name of letters, digits, `_` and `-`, which differs for different names."""
    cleaned = _UNSAFE.sub("_", name)
    if cleaned == name and name:
        return name
    return f"{cleaned}-{sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"


class SchemaWriter:
    """Writes what can be reached from a schema anew: the names of definitions, and their order.

    References begin with `begin`, the names of definitions with `owner`.
    """

    def __init__(self, linked: LinkedSchema, dialect: Dialect, begin: str, owner: str = "") -> None:
        self.linked = linked
        self.dialect = dialect
        self.begin = begin
        self.owner = f"{safe_name(owner)}." if owner else ""
        self.shared = {
            target
            for _, below in linked.reachable()
            for _, place, target in below
            if target != place
        }
        self.names: dict[str, str] = {}  # of definitions, by pointer
        self.taken: set[str] = set()
        self.pending: list[str] = []

    def definitions(self) -> dict[str, Any]:
        """Return the definitions that have been referred to, in the order of the references."""
        definitions: dict[str, Any] = {}
        for pointer in self.pending:  # grows while it is gone through
            definitions[self.names[pointer]] = self.body(pointer)
        return definitions

    def form(self, pointer: str) -> Any:
        """Return a subschema in its place: itself, or a reference and its annotations."""
        target = self.linked.target(pointer)
        if target not in self.shared:
            return self.body(target)
        if target not in self.names:
            self.names[target] = self.name(target)
            self.pending.append(target)
        reference = {"$ref": f"{self.begin}{self.names[target]}"}
        beside = self.linked.at[pointer]
        if pointer == target or self.dialect == "draft-07" or type(beside) is not dict:
            return reference
        return {**reference, **{key: beside[key] for key in beside if key in _ANNOTATIONS}}

    def name(self, pointer: str) -> str:
        """Return a new name for a definition: the last one in its pointer."""
        tokens = parse_pointer(pointer) or ["document"]
        names = [token for token in tokens if token not in _KEYWORDS and not token.isdigit()]
        name = first = f"{self.owner}{safe_name((names or tokens)[-1])}"
        number = 1
        while name in self.taken:
            number += 1
            name = f"{first}-{number}"
        self.taken.add(name)
        return name

    def body(self, pointer: str) -> Any:
        """Return a schema written anew."""
        schema = self.linked.at[pointer]
        if type(schema) is not dict:
            return schema
        body: dict[str, Any] = {}
        for keyword, value in schema.items():
            here = f"{pointer}/{keyword}"
            if keyword in ASSERTIONS or keyword in _ANNOTATIONS or keyword in _VALUES:
                body[keyword] = value
            elif keyword == "dependencies":
                self.dependencies(body, value, here)
            elif keyword in NAMED and keyword != "definitions":
                body[keyword] = {name: self.form(f"{here}/{escape_token(name)}") for name in value}
            elif keyword in MANY and type(value) is list:
                forms = [self.form(f"{here}/{index}") for index in range(len(value))]
                body[self.renamed(keyword)] = forms
            elif keyword == "additionalItems":
                if type(schema.get("items")) is list:  # otherwise it says nothing
                    body[self.renamed(keyword)] = self.form(here)
            elif keyword in ONE and is_schema(value):
                body[keyword] = self.form(here)
        return body

    def renamed(self, keyword: str) -> str:
        """Return the name of a keyword in the dialect."""
        if self.dialect == "draft-07":
            return keyword
        return {"items": "prefixItems", "additionalItems": "items"}.get(keyword, keyword)

    def dependencies(self, body: dict[str, Any], value: dict[str, Any], here: str) -> None:
        """Write `dependencies` into `body`."""
        names = {name: one for name, one in value.items() if type(one) is list}
        forms = {
            name: self.form(f"{here}/{escape_token(name)}") for name in value if name not in names
        }
        if self.dialect == "draft-07":
            body["dependencies"] = {name: names.get(name, forms.get(name)) for name in value}
            return
        if names:
            body["dependentRequired"] = names
        if forms:
            body["dependentSchemas"] = forms
