"""Build the fast path of a schema, from its tree, the engine that decides, and the limits.

Whatever the engine is asked, about scalars, members or whole values, it is asked with the form of
the schema that it decides with, so its answers are those of the slow path.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.jsontext import Limits, read
from widgetschema.schema.linking import LinkedSchema, link
from widgetschema.schema.tree import SchemaTree
from widgetschema.validation.engines import Decide, Engine, compile_form
from widgetschema.validation.fast_path.fast_path import FastPath
from widgetschema.validation.fast_path.member_order import MemberOrder
from widgetschema.validation.fast_path.residual_checks import ResidualChecks
from widgetschema.validation.fast_path.types import Pins, TypeBuilder
from widgetschema.validation.fast_path.value_types import Check, Inexpressible


def build_fast_path(
    linked: LinkedSchema,
    engine: Engine,
    decide: Decide,
    limits: Limits,
    *,
    formats: bool,
    pinned: Mapping[str, str | None] | None,
    present: Collection[str],
    absent: Collection[str],
) -> FastPath | None:
    """Return the fast path of a schema, or None if no type expresses it.

    `decide` is the decision of `engine` about whole values; see `Validator.fast_path`.
    """

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
