"""Boolean schemas and those with nothing but annotations, wherever a schema may stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from widgetschema import Validator, WidgetType
from widgetschema.errors import WidgetSchemaError
from widgetschema.jsontext import dump

MODE: Final = {"properties": {"mode": {"const": "basic"}}}
# Schemas with another two at one place.
POSITIONS: Final[list[Callable[[Any, Any], Any]]] = [
    lambda one, other: {"properties": {"a": one, "b": other}},
    lambda one, other: {"properties": {"a": other}, "additionalProperties": one},
    lambda one, other: {"patternProperties": {"^a": one, "d$": other}},
    lambda one, other: {"propertyNames": one, "additionalProperties": other},
    lambda one, other: {"dependencies": {"a": one, "mod": other}},
    lambda one, other: {"items": one, "additionalProperties": other},
    lambda one, other: {"items": [one, other]},
    lambda one, other: {"items": [other], "additionalItems": one},
    lambda one, other: {"contains": one, "items": other},
    lambda one, other: {"allOf": [one, other]},
    lambda one, other: {"anyOf": [one, other]},
    lambda one, other: {"oneOf": [one, other]},
    lambda one, other: {"not": one, "required": ["mode"]},
    lambda one, other: {"if": one, "then": other},
    lambda one, other: {"if": one, "else": other},
    lambda one, other: {"if": MODE, "then": one, "else": other},
    lambda one, other: {"if": {"required": ["mode"]}, "then": one, "else": other},
    lambda one, other: {"if": {"not": {"required": ["mode"]}}, "then": {"allOf": [other, one]}},
]
TRIVIAL: Final = st.sampled_from([True, False, {}, {"title": "x"}, {"default": 1, "examples": [2]}])
OTHERS: Final = st.sampled_from(
    [{"type": "array"}, {"required": ["mode"]}, {"enum": [1, [2], "a"]}, {"minimum": 1}, MODE]
)
INSTANCES: Final = st.sampled_from(
    [None, 0, "a", [], [1, "a"], {}, {"a": 1}, {"mod": 1}, {"mode": "basic", "b": []}]
)


def _positions(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(
        lambda at, one, other: at(one, other), st.sampled_from(POSITIONS), inner, inner
    )


SCHEMAS: Final = _positions(
    st.one_of(TRIVIAL, _positions(st.one_of(TRIVIAL, _positions(TRIVIAL), OTHERS)), OTHERS)
)
SETTINGS: Final = settings(suppress_health_check=[HealthCheck.too_slow])


def type_of(schema: Any) -> WidgetType:
    """Return the widget type of a schema; it may be one that cannot be linked."""
    try:
        return WidgetType.from_data_schema(schema, id="trivial")
    except WidgetSchemaError:
        assume(False)
        raise


@pytest.mark.parametrize("engine", ["rust", "python"])
@given(schema=SCHEMAS, instance=INSTANCES)
@SETTINGS
def test_checks_end_with_a_report_that_agrees_with_the_verdict(
    engine: str, schema: Any, instance: Any
) -> None:
    validator = Validator(schema, engine=engine)
    report = validator.check(instance)
    assert report.valid is validator.is_valid(instance)
    assert str(report)


@given(schema=SCHEMAS, instance=INSTANCES)
@SETTINGS
def test_forms_show_and_export_everything(schema: Any, instance: Any) -> None:
    form = type_of(schema).form_json(dump(instance))
    assert "<form" in form.page()
    assert "<form" in form.submit({}).form.page()
    assert form.to_rjsf().losses is not None
    assert form.to_jsonforms().losses is not None


@given(schema=SCHEMAS)
@SETTINGS
def test_samples_are_valid(schema: Any) -> None:
    type = type_of(schema)
    try:
        samples = [type.minimal(), type.maximal(), *type.samples(2)]
    except WidgetSchemaError:
        return  # there may be no valid data
    assert all(map(type.is_valid, samples))


@given(schema=SCHEMAS, newer=SCHEMAS, instance=INSTANCES)
@SETTINGS
def test_versions_are_compared_and_migrated(schema: Any, newer: Any, instance: Any) -> None:
    old, new = type_of(schema), type_of(newer)
    assert str(old.compare(new))
    assert old.migration(new).migrate_json(dump(instance)).status
