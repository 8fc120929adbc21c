"""`bundle`: a linked schema as one document that every draft-07 validator reads alike."""

from __future__ import annotations

from typing import Any, Final

from widgetschema.jsontext import DEFAULT_LIMITS, plain_copy
from widgetschema.pointers import escape_token, fragment_of, resolve_pointer
from widgetschema.schema.linking.linked import LinkedSchema
from widgetschema.schema.metaschema import DRAFT7, METASCHEMA
from widgetschema.schema.subschemas import ANNOTATIONS

# What draft-07 ignores beside `$ref`, and some validators do not.
_IGNORED: Final = METASCHEMA["properties"].keys() - ANNOTATIONS - {"$ref"}
# No keywords of draft-07, but of some validators, whatever the dialect.
_FOREIGN: Final = frozenset("$anchor $async $dynamicAnchor $recursiveAnchor id nullable".split())


def bundle(linked: LinkedSchema) -> Any:
    """Return the linked schema with every reference as a JSON Pointer from its root.

    The members keep their order. Only the root has an `$id`, so no validator has to know how
    base URIs change, and `$schema`, so each reads it as draft-07. What draft-07 ignores is left
    out where a validator might not ignore it.
    """
    schema, _ = plain_copy(linked.schema, DEFAULT_LIMITS.max_depth)
    if type(schema) is not dict:
        return schema
    parts = {
        pointer: resolve_pointer(schema, pointer)
        for pointer, part in linked.at.items()
        if type(part) is dict and (not pointer or pointer.startswith("/"))  # what is in the schema
    }
    moved = _set_siblings_aside(linked, parts)
    for pointer, part in parts.items():
        for name in _FOREIGN.union(("$id", "$schema") if pointer else ()):
            part.pop(name, None)
        if pointer in linked.references:
            target = _new_place(linked.references[pointer], moved)
            part["$ref"] = fragment_of(target)
    if isinstance(schema.get("$id"), str):
        schema["$id"] = schema["$id"].partition("#")[0]
        if "$ref" in schema:  # beside it, `$id` would name nothing
            root = {"$ref": schema["$ref"]}
            schema = {
                "allOf" if name == "$ref" else name: [root] if name == "$ref" else value
                for name, value in schema.items()
            }
    if "$schema" in schema:
        schema["$schema"] = f"{DRAFT7}#"
        return schema
    return {"$schema": f"{DRAFT7}#", **schema}


def _set_siblings_aside(linked: LinkedSchema, parts: dict[str, Any]) -> dict[str, str]:
    """Remove what is ignored beside `$ref`; where a reference leads into it, it gets a definition.

    Returns the new places of what was moved, by the old ones.
    """
    moved: dict[str, str] = {}
    for pointer in [one for one in linked.references if one in parts]:
        part = parts[pointer]
        kept = {}
        for name in [name for name in part if name in _IGNORED and (pointer or name != "$id")]:
            place = f"{pointer}/{escape_token(name)}"
            if any(one == place or one.startswith(f"{place}/") for one in linked.found):
                kept[name] = part[name]
            del part[name]
        if kept:
            definitions = part.setdefault("definitions", {})
            member = "siblings"
            while member in definitions:
                member += "-2"
            definitions[member] = kept
            moved |= {f"{pointer}/{name}": f"/definitions/{member}/{name}" for name in kept}
    return moved


def _new_place(pointer: str, moved: dict[str, str]) -> str:
    old = new = ""
    for token in pointer.split("/")[1:]:
        old += f"/{token}"
        new += moved.get(old, f"/{token}")
    return new
