"""Decide what a schema describes: widget documents, or the data itself.

One rule holds wherever a schema comes in. It looks only at what applies to the whole value for
certain: the root, and what the root refers to through `$ref` and `allOf`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, Literal

from widgetschema.errors import UnclearSchema
from widgetschema.jsontext import preview
from widgetschema.schema.linking.linked import LinkedSchema
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.schema.subschemas import ANNOTATIONS, subschemas

Describes = Literal["data", "document"]

BASE_SCHEMA: Final = "plugin"  # the schema that those of widget documents refer to
# The members of a widget record that the platform documents.
RECORD_MEMBERS: Final = frozenset(
    "id name description type projectId previewImage status modelVersion created updated".split()
)
_APPLICATORS: Final = frozenset(
    "allOf anyOf oneOf if then else dependencies properties patternProperties additionalProperties "
    "propertyNames items additionalItems".split()
)
_ASSERTIONS: Final = METASCHEMA["properties"].keys() - ANNOTATIONS - _APPLICATORS - {"$id", "$ref"}
_NOTHING: Final[Mapping[str, Any]] = {  # the values of keywords that then assert nothing
    **dict.fromkeys(("minItems", "minLength", "minProperties"), 0),
    "not": False,
    "required": [],
    "uniqueItems": False,
}
_MOST_NAMES: Final = 5  # in a message
_SHOWN: Final[Mapping[Describes, str]] = {
    "data": "the data itself",
    "document": "widget documents",
}


def decide(
    linked: LinkedSchema,
    name: str,
    *,
    decided: Describes | None = None,
    from_platform: bool = False,
) -> Describes:
    """Decide what a schema describes.

    Args:
        linked: The linked schema.
        name: The id of the type, for messages.
        decided: What the user says that it describes.
        from_platform: The platform serves it, as a schema of widget documents.

    Returns:
        "document" if the user says so, if the platform serves it, if its root refers to the base
        schema, or if its root names `data` and otherwise only members of a widget record; "data"
        if the user says so, and in all other cases.

    Raises:
        UnclearSchema: If the root names `data` beside other members and the user does not say what
            is meant, or says what contradicts the schema.
        ValueError: If `decided` is neither "data", "document" nor None.
    """
    if decided is not None and decided not in _SHOWN:
        raise ValueError(f'describes is "data", "document" or None, not {decided!r}')
    roots = [*_roots(linked)]
    is_based = any(_is_in(place, base_places(linked)) for place in roots)
    if decided == "data" and is_based:
        reason = (
            "its root refers to the base schema plugin, so it describes widget documents, and not "
            "the data itself"
        )
        advice = "leave that decision out, and pass its folder with --schemas, not --data-schema"
        raise UnclearSchema(name, reason, advice)
    if decided is not None:
        return decided
    if from_platform or is_based:
        return "document"
    named = root_names(linked)
    if "data" not in named:
        return "data"
    others = [member for member in named if member != "data" and member not in RECORD_MEMBERS]
    if not others:
        return "document"
    shown = ", ".join(preview(name, 40) for name in others[:_MOST_NAMES])
    shown += ", …" if len(others) > _MOST_NAMES else ""
    raise UnclearSchema(
        name,
        f'it names "data" beside properties that no widget record has ({shown}), so it may '
        "describe a widget document, or the data itself",
        _how_to_decide(name),
    )


def _how_to_decide(name: str) -> str:
    return (
        f'decide: for commands, [types.{_toml_key(name)}] describes = "data" or "document" in the '
        f'configuration; in Python, describes={{{preview(name, 40)}: "data"}} for Catalog or '
        'Catalog.default, describes="data" for WidgetType.from_schema, or '
        "WidgetType.from_data_schema"
    )


def different_readings(name: str, older: Describes, newer: Describes) -> UnclearSchema:
    """Return the error of two versions of a type that cannot be compared."""
    reason = f"the older version describes {_SHOWN[older]}, but the newer one {_SHOWN[newer]}"
    return UnclearSchema(name, reason, _how_to_decide(name))


def contradiction(name: str) -> UnclearSchema:
    """Return the error of a schema that is named as one of the data, but said to be another."""
    reason = (
        "its file is named as a schema of the data itself (--data-schema, data-schemas), but "
        f'[types.{_toml_key(name)}] says describes = "document"'
    )
    return UnclearSchema(name, reason, "remove one of the two")


def refuse_bundled_base(name: str, places: Collection[str]) -> None:
    """Raise `UnclearSchema` if a schema of the data has the bundled base schema at `places`."""
    if places:
        reason = (
            "it describes the data itself, but a part of it refers to the base schema plugin, "
            "which is one of widget documents"
        )
        advice = "if another schema is meant, add it as plugin.json to the folder of schemas"
        raise UnclearSchema(name, reason, advice)


def without_assertion(
    linked: LinkedSchema,
    data_schema: LinkedSchema,
    schema: Any,
    name: str,
    ignored: Collection[str],
    *,
    is_decided: bool = False,
) -> UnclearSchema | None:
    """Return the error of a type that can refuse no data, as its schema is read; else None.

    If the user has decided how to read it, a schema that asserts nothing at all is meant like that,
    and so is one that names `data`.

    Args:
        linked: The linked schema.
        data_schema: The same for the data.
        schema: The schema as it was given.
        name: The id of the type, for messages.
        ignored: The pointers of schemas that say nothing about this type.
        is_decided: True if the user says what the schema describes.
    """
    describes: Describes = "data" if linked.root else "document"
    names_data = describes == "document" and "data" in root_names(linked)
    if asserts(data_schema, ignored=ignored) or (is_decided and names_data):
        return None
    if is_resource(schema):
        reason = "it has definitions for other schemas but asserts nothing: it is not a widget type"
        return UnclearSchema(name, reason, 'if it is one, refer to a definition with "$ref"')
    if is_decided and not asserts(linked, "", ignored=ignored):
        return None
    if describes == "data" or names_data:
        reason = f"it describes {_SHOWN[describes]}, but can refuse no data"
        advice = f"add assertions; if any data is to be valid, {_how_to_decide(name)}"
    else:
        reason = "the schema says nothing about 'data' of widget documents: it can refuse none"
        advice = f"if it describes the data itself, {_how_to_decide(name)}"
    return UnclearSchema(name, reason, advice)


def root_names(linked: LinkedSchema) -> list[str]:
    """Return the names that the root gives literally, in `properties` and `required`."""
    schemas = (linked.at[place] for place in _roots(linked))
    return [*dict.fromkeys(name for schema in schemas for name in _names(schema))]


def base_places(linked: LinkedSchema) -> list[str]:
    """Return the pointers at which the base schema is embedded."""
    return [place for place, name in linked.bases.items() if name == BASE_SCHEMA]


def asserts(
    linked: LinkedSchema, root: str | None = None, *, ignored: Collection[str] = ()
) -> bool:
    """Return whether a keyword that asserts something can be reached: the schema may refuse data.

    Args:
        linked: The linked schema.
        root: The pointer to begin at; by default, the root of the linked schema.
        ignored: Pointers of schemas whose keywords do not count.
    """
    start = linked.root if root is None else root
    return _asserts(linked.at[start], start, linked, ignored)


def is_resource(schema: Any) -> bool:
    """Return whether a schema only has definitions for others, and describes nothing itself."""
    if type(schema) is not dict or not (schema.get("definitions") or schema.get("$defs")):
        return False
    return not _asserts(schema, "", None)


def _asserts(
    schema: Any, pointer: str, linked: LinkedSchema | None, ignored: Collection[str] = ()
) -> bool:
    """Return whether an assertion can be reached; if it is not linked, a reference counts."""
    seen: set[str] = set()
    todo = [(pointer, schema)]
    while todo:
        pointer, schema = todo.pop()
        if pointer in seen or _is_in(pointer, ignored):
            continue
        seen.add(pointer)
        if type(schema) is not dict:
            if schema is False:
                return True
        elif "$ref" in schema:
            if linked is None:
                return True
            target = linked.references[pointer]
            todo.append((target, linked.at[target]))
        elif any(_is_assertion(keyword, value) for keyword, value in schema.items()):
            return True
        else:
            todo += (
                (place, below)
                for keyword, place, below in subschemas(schema, pointer)
                if _is_applied(keyword, schema)
            )
    return False


def _is_assertion(keyword: str, value: Any) -> bool:
    if keyword == "dependencies":
        return type(value) is dict and any(type(one) is list and one for one in value.values())
    if keyword == "oneOf":
        return type(value) is list and len(value) > 1  # not both of two may be valid
    return keyword in _ASSERTIONS and (keyword not in _NOTHING or value != _NOTHING[keyword])


def _is_applied(keyword: str, schema: dict[str, Any]) -> bool:
    """Return whether a subschema may refuse what the schema is applied to."""
    if keyword in ("then", "else"):
        return "if" in schema
    if keyword == "additionalItems":
        return type(schema.get("items")) is list
    return keyword not in ("definitions", "if", "not")


def _roots(linked: LinkedSchema) -> Iterator[str]:
    """Yield the root and what it refers to, through `$ref` and `allOf` only."""
    seen: set[str] = set()
    todo = [linked.root]
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        yield place
        if place in linked.references:
            todo.append(linked.references[place])
        else:
            below = subschemas(linked.at[place], place)
            todo += reversed([one for keyword, one, _ in below if keyword == "allOf"])


def _names(schema: Any) -> Iterator[str]:
    """Yield the names that a schema gives literally, in `properties` and `required`."""
    if type(schema) is dict and "$ref" not in schema:
        yield from schema.get("properties", ())
        yield from schema.get("required", ())


def _is_in(place: str, places: Collection[str]) -> bool:
    return any(f"{place}/".startswith(f"{one}/") for one in places)


def _toml_key(name: str) -> str:
    is_bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if is_bare else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
