"""`link`: the index of a schema, its references resolved, its base schemas embedded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from widgetschema.cached import cached_property
from widgetschema.errors import (
    InvalidSchema,
    StoreError,
    UnreadableSchema,
    UnresolvableReference,
    UnsupportedDialect,
)
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import DEFAULT_LIMITS, Guard, plain_copy, preview
from widgetschema.pointers import escape_token, is_index
from widgetschema.schema.keywords import OTHER_DRAFTS
from widgetschema.schema.linking.limits import check_references
from widgetschema.schema.linking.linked import LinkedSchema
from widgetschema.schema.located import LocatedSchemas, Place
from widgetschema.schema.metaschema import DRAFT7, METASCHEMA
from widgetschema.schema.subschemas import ANNOTATIONS, Schema, is_schema, subschemas
from widgetschema.schema.uri_references import decoded, encoded
from widgetschema.suggest import nearest

# What is ignored beside a reference; what draft-07 does not know at all is ignored everywhere.
_ASSERTING: Final = frozenset({*METASCHEMA["properties"], *OTHER_DRAFTS} - ANNOTATIONS - {"$ref"})
# The base schema, and the references that mean it in every schema.
_BASE_SCHEMA: Final = "plugin"
_BASE_SPELLINGS: Final = ("plugin", "plugin.json", "/plugin", "/plugin.json")
_FILES: Final = (".json", ".yaml", ".yml")  # how the path of a reference to a file ends


def link(
    schema: Any, resources: Mapping[str, Any] | None = None, *, id: str | None = None
) -> LinkedSchema:
    """Link `schema` with the `resources` (name or URI → schema) that it refers to.

    `id` names the schema where it has no `$id`. A resource is found by its URI: its key,
    also with `.json`, or its `$id`; where these are relative, they begin at the base URI of
    `schema`. Only the base schema has more spellings: `plugin`, `plugin#`, `/plugin` and
    `plugin.json` mean the resource `plugin`, as does an absolute URL that ends so, on the
    origin of the schema that holds the reference.

    Of `LocatedSchemas`, a relative reference may also lead to a file: it begins at the file that
    the schema was read from, whatever its `$id` is.

    Raises `InvalidSchema` for a value that JSON cannot carry, `UnsupportedDialect`,
    `UnresolvableReference`, `ReferenceLoop`.
    """
    return _Linker(schema, resource_map(resources), id).run()


def resource_map(resources: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the resources, none if there are none; raise `TypeError` for anything but a mapping.

    An empty mapping is returned as it is: a source that fetches may know of nothing yet.
    """
    if resources is None:
        return {}
    if not isinstance(resources, Mapping):
        raise TypeError(
            'resources must map names to schemas, as in resources={"plugin": schema}, '
            f"not {type(resources).__name__}"
        )
    return resources


_FEW: Final = 5  # names of resources that a message lists, if none is near
_ITSELF: Final = ""  # the key of the linked schema, where a reference leads to its file


class _Reference(NamedTuple):
    """One `$ref`: the pointer of the schema that holds it, its base URI, its text."""

    pointer: str
    base: str
    text: str


class _Linker:
    """One run of `link`: a private copy of the schema, and what is known of it so far."""

    def __init__(self, schema: Any, resources: Mapping[str, Any], id: str | None) -> None:
        self.schema = _own_copy(schema, id or "schema")
        own_id = _id_of(self.schema)
        self.id = own_id if own_id and _without_fragment(own_id) else id
        self.name = self.id or own_id or "schema"
        self.resources = resources
        self.files = resources if isinstance(resources, LocatedSchemas) else None
        self.homes: dict[str, Place] = {}  # where what is at a pointer was read from
        self.at: dict[str, Any] = {}
        self.bases: dict[str, str] = {}  # pointer of each subschema → its base URI
        self.roots: dict[str, str] = {}  # URI of each resource → pointer of its root
        self.anchors: dict[tuple[str, str], str] = {}
        self.pending: list[_Reference] = []
        self.references: dict[str, str] = {}
        self.embedded: dict[str, str] = {}
        self.places: dict[str, str] = {}  # key of each resource in use → its pointer
        self.wrapped: set[str] = set()  # pointers of resources embedded inside an `allOf`
        self.own_roots = {""}  # pointers whose base URI was given, not to be joined again
        self.found: list[str] = []
        self.lints: list[Finding] = []

    def run(self) -> LinkedSchema:
        """Return the linked schema."""
        _check_dialect(self.schema, self.name)
        self.locate("", None)
        file = os.path.basename(self.homes[""].file) if "" in self.homes else ""
        base = self.join("", self.id or file, "")[0]
        self.roots[base] = ""
        self.roots.setdefault("", "")
        self.index(self.schema, "", base)
        while self.pending:
            references, self.pending = self.pending, []
            for reference in references:
                self.references[reference.pointer] = self.resolve(reference)
        check_references(self.name, self.at, self.references)
        return LinkedSchema(
            self.id,
            self.schema,
            self.at,
            self.references,
            self.embedded,
            tuple(self.lints),
            found=tuple(self.found),
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
        """Return the base URI inside `schema`, and record what its `$id` names."""
        own_id = _id_of(schema)
        if own_id is None or "$ref" in schema:
            return base
        uri, fragment = self.join(base, own_id, pointer)
        if own_id.startswith("#") or pointer in self.own_roots:
            uri = base
        if fragment:
            self.anchors.setdefault((uri, decoded(fragment)), pointer)
        self.roots.setdefault(uri, pointer)
        return uri

    def join(self, base: str, own_id: str, pointer: str) -> tuple[str, str]:
        """Return the URI and the fragment of the `$id` at `pointer`. Raises `InvalidSchema`."""
        try:
            urlsplit(own_id)
            return urldefrag(urljoin(base, encoded(own_id)))
        except ValueError as error:
            message = f"{preview(own_id)} is not a URI reference: {error}"
            name, place = self.owner(pointer)
            report = Report((Finding("$id", f"{place}/$id", "", message),), f"schema {name!r}")
            raise InvalidSchema(report) from None

    def lint_siblings(self, schema: dict[str, Any], pointer: str) -> None:
        """Add a lint for keywords that are ignored beside `$ref`."""
        is_root = not pointer or pointer.removesuffix("/allOf/0") in self.wrapped
        ignored = [
            name for name in schema if name in _ASSERTING and not (name == "$id" and is_root)
        ]
        if ignored:
            names = ", ".join(ignored)
            message = f"draft-07 ignores everything beside $ref, here: {names}"
            hint = 'wrap the reference: "allOf": [{"$ref": …}]'
            self.lints.append(Finding("$ref", f"{pointer}/$ref", "", message, hint))

    def resolve(self, reference: _Reference) -> str:
        """Return the pointer of the schema that a reference means, and write its encoded form."""
        text = encoded(reference.text)
        try:
            target = self.target(reference, text)
        except UnresolvableReference as error:
            literal = encoded(reference.text.replace("%", "%25"))  # each as a character
            if literal == text:
                raise
            text = literal
            try:
                target = self.target(reference, text)
            except UnresolvableReference:
                raise error from None
        if text != reference.text:
            message = (
                f"{preview(reference.text)} is not percent-encoded, as a URI reference has to be"
            )
            hint = f"write {preview(text, 500)}"
            self.lints.append(Finding("$ref", f"{reference.pointer}/$ref", "", message, hint))
        return target

    def target(self, reference: _Reference, text: str) -> str:
        """Return the pointer of the schema that the encoded text of a reference means."""
        if text.startswith("#"):
            uri, fragment = reference.base, text[1:]
        else:
            try:
                urlsplit(text)  # without a base, joining does not look at it
                uri, fragment = urldefrag(urljoin(reference.base, text))
            except ValueError as error:
                reason = f"it is not a URI reference: {error}"
                raise self.unresolvable(reference, reference.text, reason) from None
        fragment = decoded(fragment)
        root = self.roots.get(uri)
        if root is None:
            root = self.find_resource(reference, uri, text)
        target = root
        if fragment.startswith("/"):
            target = self.follow(reference, uri, root, fragment)
        elif fragment:
            target = self.anchor(reference, uri, root, fragment)
        if text != reference.text:
            self.at[reference.pointer]["$ref"] = text
        if self.bases[root] != uri and (root in self.embedded or not root):
            self.respell(reference, text, root)
        return target

    def anchor(self, reference: _Reference, uri: str, root: str, name: str) -> str:
        """Return the pointer of the subschema in the resource at `root` that an `$id` names."""
        base = self.bases[root]
        if (base, name) in self.anchors:
            return self.anchors[base, name]
        names = [anchor for resource, anchor in self.anchors if resource == base]
        reason = "no subschema has this name as its $id"
        if not names:
            reason += f"; a JSON Pointer begins with a slash: '#/{name}'"
        raise self.unresolvable(reference, f"{uri}#{name}", reason, nearest(name, names))

    def follow(self, reference: _Reference, uri: str, root: str, fragment: str) -> str:
        """Follow a JSON Pointer from the resource at `root`."""
        value, pointer = self.at[root], root
        for token in fragment[1:].split("/"):
            name = token.replace("~1", "/").replace("~0", "~")
            step: Any = None
            if type(value) is dict:
                step, names = value.get(name), list(value)
            elif type(value) is list:
                step = value[int(name)] if is_index(name) and int(name) < len(value) else None
                names = [str(index) for index in range(len(value))]
            else:
                names = []
            if step is None:
                reason = f"{pointer.removeprefix(root) or 'the schema'} has no {name!r}"
                if name in names:
                    reason = "it leads to null, not to a schema"
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
            self.found.append(pointer)
            self.index(value, pointer, self.bases[around])
        return pointer

    def find_resource(self, reference: _Reference, uri: str, text: str) -> str:
        """Return the pointer of the resource that `uri` means; embed it if need be."""
        if uri == DRAFT7:
            return self.embed(reference, uri, DRAFT7, METASCHEMA, "draft-07")
        fragment = decoded(text.partition("#")[2])
        resolved = f"{uri}#{fragment}" if fragment else uri
        key, missing = None, ""
        try:
            key = self.key_in_files(reference, uri, text)
        except UnreadableSchema as error:
            missing = str(error)
        except StoreError as error:
            raise self.unresolvable(reference, reference.text, str(error)) from None
        if key is None:
            key = self.key_of(reference, uri)
        if key is None:
            key = self.aliases.get(uri.removeprefix("./")) or self.key_by_id(
                reference, uri, self.ids
            )
        if key is not None:
            return self.embed_known(reference, uri, key, resolved)
        known = [*dict.fromkeys([*self.resources, *(root for root in self.roots if root)])]
        close = nearest(_name_of(uri), known) or (known if len(known) <= _FEW else [])
        if missing and not urlsplit(uri).scheme:
            reason = f"{missing}; no schema has this name or $id, either"
            raise self.unresolvable(reference, reference.text, reason, close)
        looked = f"{missing}; " if missing else ""
        reason = (
            f"{looked}no schema with this URI is available, and references are never fetched; add "
            f"a schema with this $id to the folder of schemas (in Python: "
            f"resources={{{preview(uri, 200)}: …}})"
        )
        raise self.unresolvable(reference, resolved, reason, close)

    def embed_known(self, reference: _Reference, uri: str, key: str, resolved: str) -> str:
        """Embed the resource with a key, unless that is the linked schema itself."""
        if key == _ITSELF:
            return ""
        try:
            resource = self.resources[key]
        except StoreError as error:
            raise self.unresolvable(reference, resolved, str(error)) from None
        return self.embed(reference, uri, key, resource, key)

    def key_of(self, reference: _Reference, uri: str) -> str | None:
        """Return the key of the resource that is meant, which nothing but its URI decides."""
        if uri in self.resources:
            return uri
        uri = uri.removeprefix("./")  # it is still there if there is no base URI
        if _BASE_SCHEMA in self.resources and self.is_base_schema(reference, uri):
            return _BASE_SCHEMA
        if uri in self.names or self.files is None or not urlsplit(uri).scheme:
            return self.names.get(uri)
        return self.key_by_id(reference, uri, self.ids_in_files)

    def key_in_files(self, reference: _Reference, uri: str, text: str) -> str | None:
        """Return the key of the schema in a file that a relative reference means.

        No resource is asked for that would have to be requested. Raises `StoreError` if there is no
        such file.
        """
        around = self.around(reference)
        path = text.partition("#")[0]
        parts = urlsplit(path)
        is_relative = not (parts.scheme or parts.netloc or parts.query)
        if self.files is None or around not in self.homes or not is_relative:
            return None
        name = uri.removeprefix("./")
        if not decoded(path).endswith(_FILES):
            return None
        if self.is_base_schema(reference, name) and _BASE_SCHEMA in self.resources:
            return _BASE_SCHEMA
        if self.names.get(name) in self.located:
            return self.names[name]
        if urlsplit(uri).scheme:
            key = self.key_by_id(reference, uri, self.ids_in_files)
            if key is not None:
                return key
        place = self.homes[around]
        file = urljoin(self.retrieved(place, around, reference.pointer), path)
        if not file.startswith("file:"):
            return None
        key = self.files.find(file, place)
        return _ITSELF if key is None else key

    def retrieved(self, place: Place, around: str, pointer: str) -> str:
        """Return the base URI by the file, not by the `$id` of the whole schema in it."""
        uri, here = place.uri, around
        for token in pointer.removeprefix(around).split("/")[1:]:
            here = f"{here}/{token}"
            schema = self.at.get(here, True)
            own_id = _id_of(schema)
            if own_id is not None and "$ref" not in schema:
                uri = urljoin(uri, encoded(own_id))
        return uri

    def around(self, reference: _Reference) -> str:
        """Return the pointer of the resource that holds a reference."""
        place = "/".join(reference.pointer.split("/")[:3])  # resources are in `definitions`
        return place if place in self.embedded else ""

    def locate(self, pointer: str, key: str | None) -> None:
        """Record where a resource was read from."""
        place = None if self.files is None else self.files.place(key)
        if place is not None:
            self.homes[pointer] = place

    def is_base_schema(self, reference: _Reference, uri: str) -> bool:
        """Return whether a URI means the base schema, in the schema that holds the reference."""
        own = self.bases[self.around(reference)]
        for base in (own, reference.base):
            if uri in [urljoin(base, spelling) for spelling in _BASE_SPELLINGS]:
                return True
        there, here = urlsplit(uri), urlsplit(own)
        is_own = there.netloc.lower() == here.netloc.lower() != "" and there.scheme == here.scheme
        return is_own and not there.query and there.path.endswith(("/plugin", "/plugin.json"))

    @cached_property
    def names(self) -> dict[str, str]:
        """The keys of the resources, by the URIs of their names."""
        return {self.uri(key.partition("#")[0]): key for key in self.resources}

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The keys of the resources, by the URIs of what their files may be called."""
        names = ((f"{key.partition('#')[0]}.json", key) for key in self.resources)
        return {self.uri(name): key for name, key in names}

    @cached_property
    def ids(self) -> dict[str, list[str]]:
        """The keys of the resources that have an `$id`, by its URI."""
        return self.ids_of(self.resources)

    @cached_property
    def ids_in_files(self) -> dict[str, list[str]]:
        """The same of those that are in files, so that nothing has to be requested."""
        return self.ids_of(self.located)

    @cached_property
    def located(self) -> dict[str, None]:
        """The keys of the resources that are in files."""
        return dict.fromkeys(self.files.located() if self.files is not None else ())

    def ids_of(self, keys: Iterable[str]) -> dict[str, list[str]]:
        """Return the keys of resources by the URIs of their `$id`."""
        found: dict[str, list[str]] = {}
        for key in keys:
            with suppress(StoreError):  # using it says why
                own_id = _without_fragment(_id_of(self.resources[key]) or "")
                if own_id:
                    found.setdefault(self.uri(own_id), []).append(key)
        return found

    def key_by_id(
        self, reference: _Reference, uri: str, ids: Mapping[str, list[str]]
    ) -> str | None:
        """Return the key of the one resource that has a URI as its `$id`."""
        keys = ids.get(uri, [])
        for other in keys[1:]:
            if self.resources[other] != self.resources[keys[0]]:
                reason = f"the schemas {keys[0]!r} and {other!r} both have this $id"
                raise self.unresolvable(reference, uri, reason)
        return keys[0] if keys else None

    def uri(self, name: str) -> str:
        """Return the URI of a resource: its name is resolved against the base URI of the schema."""
        try:
            return urljoin(self.bases[""], encoded(name))
        except ValueError:  # it is no URI: nothing refers to it
            return name

    def embed(self, reference: _Reference, uri: str, key: str, resource: Any, name: str) -> str:
        """Put a resource under `definitions`, unless it is there; its pointer."""
        if key in self.places:
            return self.places[key]
        copy = _own_copy(resource, name)
        _check_dialect(copy, name)
        definitions = self.schema.setdefault("definitions", {})
        if type(definitions) is not dict:
            message = f"{preview(definitions)} must be an object"
            finding = Finding("type", "/definitions", "", message)
            raise InvalidSchema(Report((finding,), f"schema {self.name!r}"))
        short = _name_of(name) or "schema"
        member, number = short, 2
        while member in definitions:
            member, number = f"{short}-{number}", number + 1
        pointer = f"/definitions/{escape_token(member)}"
        self.embedded[pointer], self.places[key] = name, pointer
        self.locate(pointer, key)
        self.own_roots.add(pointer)
        if type(copy) is not dict or "$ref" in copy:
            # Beside `$ref` an `$id` names nothing, and a boolean has no room for one.
            copy = _wrapped(copy)
            self.wrapped.add(pointer)
        base, own_id = self.name_embedded(
            reference, pointer, uri, (_id_of(copy), name.partition("#")[0])
        )
        if isinstance(copy.get("$id", ""), str):
            copy = {**copy, "$id": own_id} if "$id" in copy else {"$id": own_id, **copy}
        definitions[member] = copy
        self.index(copy, pointer, base)
        return pointer

    def name_embedded(
        self, reference: _Reference, pointer: str, uri: str, ids: tuple[str | None, ...]
    ) -> tuple[str, str]:
        """Return the base URI and the `$id` of a resource: its own, its name, or the requested URI.

        The id has to be free, and other validators should get there from the reference.
        """
        base = _without_fragment(self.id or "")
        own_id, name = ids
        if own_id and name and "/" in name and pointer in self.homes:  # it begins at its file
            ids = (self.join(self.uri(name), own_id, pointer)[0], name)
        ways = [
            (self.join(base, one, pointer)[0], encoded(one))
            for one in ids
            if one and _without_fragment(one)
        ]
        free = [way for way in (*ways, (uri, uri)) if way[0] not in self.roots]
        reached = [way for way in free if _spelling(reference.base, *way) is not None]
        return (reached or free)[0]

    def respell(self, reference: _Reference, text: str, root: str) -> None:
        """Name what was meant: the text would lead elsewhere in another validator."""
        own, fragment = self.at[root], text.partition("#")[2]
        spelling: str | None = ""
        if reference.base != self.bases[root]:
            uri = self.bases[root]
            up = "../" * reference.base.count("/")  # to the folder that relative URIs begin at
            spelling = _spelling(reference.base, uri, own.get("$id", ""), up + uri)
            if not root:
                own.setdefault("$id", self.bases[root])
        if spelling is not None:
            self.at[reference.pointer]["$ref"] = (
                f"{spelling}#{fragment}" if "#" in text or not spelling else spelling
            )

    def owner(self, pointer: str) -> tuple[str, str]:
        """Return whose schema a pointer is in, and the pointer there, as its author wrote it."""
        for place, name in self.embedded.items():
            if pointer == place or pointer.startswith(f"{place}/"):
                pointer = pointer.removeprefix(place)
                return name, pointer.removeprefix("/allOf/0" if place in self.wrapped else "")
        return self.name, pointer

    def unresolvable(
        self,
        reference: _Reference,
        resolved: str,
        reason: str,
        close: list[str] | tuple[str, ...] = (),
    ) -> UnresolvableReference:
        """Return the error of a reference that leads nowhere."""
        schema, pointer = self.owner(reference.pointer)
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


def _id_of(schema: Any) -> str | None:
    own_id = schema.get("$id") if type(schema) is dict else None
    return own_id if isinstance(own_id, str) else None


def _wrapped(schema: Schema) -> dict[str, Any]:
    """Return a boolean or a reference as an equivalent schema that may have an `$id`."""
    if type(schema) is not dict:
        return {"allOf": [schema]}
    inner = {name: value for name, value in schema.items() if name not in ANNOTATIONS}
    outer = {name: value for name, value in schema.items() if name in ANNOTATIONS}
    return {"allOf": [inner], **outer}


def _spelling(base: str, uri: str, own_id: str, *others: str) -> str | None:
    """Return a reference that leads from `base` to `uri`, if there is one."""
    for text in (uri, _without_fragment(own_id), *others):
        if urljoin(base, text) == uri:
            return text
    return None


def _without_fragment(uri: str) -> str:
    return uri.partition("#")[0]


def _name_of(uri: str) -> str:
    """Return the last segment of a URI's path, without `.json`."""
    path = _without_fragment(uri).partition("?")[0].rstrip("/")
    return path.rpartition("/")[2].removesuffix(".json")
