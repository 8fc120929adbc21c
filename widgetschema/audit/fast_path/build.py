"""Build the fast path of a schema, from its tree, the engine that decides, and the limits.

Whatever the engine is asked, about scalars, members or whole values, it is asked with the form of
the schema that it decides with, so its answers are those of the slow path.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Literal

from widgetschema.audit.fast_path.fast_path import FastPath
from widgetschema.audit.fast_path.member_order import MemberOrder
from widgetschema.audit.fast_path.residual_checks import ResidualChecks
from widgetschema.audit.fast_path.types import Pins, TypeBuilder
from widgetschema.audit.fast_path.value_types import Check, Inexpressible
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.jsontext import read
from widgetschema.schema.linking import LinkedSchema, link
from widgetschema.schema.tree import SchemaTree
from widgetschema.validation import Validator
from widgetschema.validation.engines import Decide, compile_form, load_engine


def fast_path_of(
    widget_type: WidgetType,
    kind: Literal["data", "document"],
    pinned: Mapping[str, str | None] | None = None,
    *,
    absent: Collection[str] = (),
) -> FastPath | None:
    """Return the fast path of data, or of documents, which have data; as `build_fast_path`."""
    if kind == "data":
        return build_fast_path(widget_type.validator, pinned, absent=absent)
    validator = widget_type.document_validator
    return build_fast_path(validator, pinned, present=("data",), absent=absent)


def build_fast_path(
    validator: Validator,
    pinned: Mapping[str, str | None] | None = None,
    *,
    present: Collection[str] = (),
    absent: Collection[str] = (),
) -> FastPath | None:
    """Return a typed decoder that tells certainly valid texts from all others.

    `pinned` are members of the root object that must be there with this text, or with any if
    None; `present` are members that must be there, `absent` those that must not. None if no type
    expresses the schema. Each call builds a fast path of its own: milliseconds, or half a second
    for a huge schema.
    """
    linked, limits, formats = validator.linked, validator.limits, validator.formats
    engine, decide = load_engine(validator.engine), validator.decides

    def compile(linked: LinkedSchema) -> Decide:
        try:
            return compile_form(engine, linked, formats)
        except InvalidSchema as error:
            raise Inexpressible from error

    compiled: dict[str, Check] = {}

    def leaf(schema: Any) -> Check:
        key = repr(schema)
        if key not in compiled:
            compiled[key] = compile(link(schema))
        return compiled[key]

    @cache
    def pattern(text: str) -> Decide:
        return compile(link({"pattern": text}))

    def read_valid(text: bytes) -> tuple[Any] | None:
        try:
            value = read(text, limits)
        except UnreadableDocument:
            return None
        return (value,) if decide(value) else None

    root = SchemaTree(linked, lambda text, name: pattern(text)(name)).root
    pins = Pins(pinned or {}, present, absent) if pinned or present or absent else None
    residual = ResidualChecks(compile)

    def builder(order: MemberOrder) -> TypeBuilder:
        return TypeBuilder(
            leaf, residual, order.order, formats=formats, max_depth=limits.max_depth, pins=pins
        )

    try:
        return FastPath(root, builder, read_valid, limits)
    except (Inexpressible, RecursionError):  # of the latter, schemas that refer far into themselves
        return None
