"""A self-contained schema accepts what the widget type accepts, in either dialect."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
from hypothesis import assume, given

from tests.strategies import instances, schemas
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import SchemaError


@given(schemas(), instances(), instances())
def test_both_dialects_accept_the_same(schema: Any, one: Any, other: Any) -> None:
    try:
        widget = WidgetType.from_data_schema(schema, id="t")
        widget.require_clear()
    except SchemaError:
        assume(False)
    # A regular expression of ECMA 262 that jsonschema-rs does not know by itself.
    assume("[^]" not in json.dumps(schema))
    written = [widget.data_schema(dialect="draft-07"), widget.data_schema(dialect="2020-12")]
    for made in written:
        jsonschema_rs.meta.validate(made)
        validator = jsonschema_rs.validator_for(made, validate_formats=True)
        for data in (one, other):
            assert validator.is_valid(data) == widget.is_valid(data), made
