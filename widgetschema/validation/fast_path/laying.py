"""From a validator to its lane: what it must know of the schema, the engine and the limits.

Whatever the engine is asked, about scalars, members or whole values, it is asked with the form of
the schema that it decides with, so its answers are those of the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.jsontext import read
from widgetschema.jsontext.reading import is_compact
from widgetschema.schema.linking import LinkedSchema, link
from widgetschema.schema.tree import SchemaTree
from widgetschema.validation.engines.engine import Decide, compile_form, load_engine
from widgetschema.validation.fast_path.lane import Lane, lane_of
from widgetschema.validation.fast_path.nodes import Pins
from widgetschema.validation.fast_path.orders import Orders
from widgetschema.validation.fast_path.parts import Check, Inexpressible
from widgetschema.validation.fast_path.rests import Engine
from widgetschema.validation.fast_path.types import TypeBuilder

if TYPE_CHECKING:
    from widgetschema.validation.validator import Validator


def lay(
    validator: Validator, pinned: Mapping[str, str | None] | None, present: Collection[str]
) -> Lane | None:
    """The lane of a validator; see `Validator.lane`."""
    compiled = _compiler(validator)
    leaves: dict[str, Check] = {}

    def leaf(schema: Any) -> Check:
        key = repr(schema)
        if key not in leaves:
            leaves[key] = compiled(schema)
        return leaves[key]

    rests = Engine(lambda linked: _compiled(validator, linked))

    @cache
    def pattern(text: str) -> Decide:
        return compiled({"pattern": text})

    def build(orders: Orders, pins: Pins | None) -> TypeBuilder:
        return TypeBuilder(
            leaf,
            rests,
            orders.order,
            formats=validator.formats,
            max_depth=validator.limits.max_depth,
            pins=pins,
        )

    def judge(text: bytes) -> tuple[Any, bool] | None:
        try:
            value = read(text, validator.limits)
        except UnreadableDocument:
            return None
        if not validator.decides(value):
            return None
        return value, is_compact(text, value, validator.limits)

    tree = SchemaTree(validator.linked, lambda text, name: pattern(text)(name))
    pins = Pins(pinned or {}, present) if pinned or present else None
    return lane_of(tree.root, build, judge, validator.limits, pins)


def _compiler(validator: Validator) -> Callable[[Any], Decide]:
    """What compiles a schema about scalars, for the engine that decides about the whole."""
    return lambda schema: _compiled(validator, link(schema))


def _compiled(validator: Validator, linked: LinkedSchema) -> Decide:
    try:
        return compile_form(load_engine(validator.engine), linked, validator.formats)
    except InvalidSchema as error:
        raise Inexpressible from error
