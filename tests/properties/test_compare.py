"""Properties of comparisons of random schemas: nothing is called harmless that breaks somebody."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from tests.strategies import NAMES, instances, schemas, subschemas
from widgetschema import Validator, WidgetType
from widgetschema.errors import CannotGenerate, SchemaError
from widgetschema.evolution.compare import Comparison, Subject, Version, compare
from widgetschema.samples import Products
from widgetschema.schema.linking import subschemas as below

BOUNDS = (
    "minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems "
    "minProperties maxProperties"
).split()
HARMLESS = ("same", "annotation", "widening")
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def places(schema: Any) -> list[dict[str, Any]]:
    """All subschemas that are objects, as they stand in the schema."""
    found, todo = [], [schema]
    while todo:
        one = todo.pop()
        if type(one) is dict:
            found.append(one)
            todo += [item for _, _, item in below(one, "")]
    return found


@st.composite
def mutated(draw: st.DrawFn, schema: Any) -> Any:
    """A schema with one thing changed somewhere."""
    schema = copy.deepcopy(schema)
    if not isinstance(schema, dict):
        return draw(schemas(1))
    place = draw(st.sampled_from(places(schema)))
    words = [word for word in place if word != "definitions"]
    how = draw(st.sampled_from(["drop", "add", "bound", "replace", "list", "swap"]))
    if how == "drop" and words:
        del place[draw(st.sampled_from(words))]
    elif how == "bound" and (bounds := [word for word in words if word in BOUNDS]):
        word = draw(st.sampled_from(bounds))
        number = place[word] + draw(st.sampled_from([-1, 1]))
        place[word] = number if word.endswith("imum") else max(0, number)
    elif how == "list" and (lists := [w for w in words if w in ("enum", "required", "type")]):
        word = draw(st.sampled_from(lists))
        values = place[word] if type(place[word]) is list else [place[word]]
        if len(values) > 1 and draw(st.booleans()):
            place[word] = values[1:]
        elif word == "enum":
            place[word] = [*values, "added"]
        elif word == "required":
            place[word] = [*values, *({draw(NAMES)} - {*values})]
    elif how == "swap" and (many := [w for w in words if w in ("anyOf", "oneOf", "allOf")]):
        word = draw(st.sampled_from(many))
        place[word] = [*place[word][1:], draw(subschemas(1))]
    elif how == "replace":
        new = draw(subschemas(1))
        if isinstance(new, dict):
            kept = {key: place[key] for key in place if key == "definitions"}
            place.clear()
            place.update(new, **kept)
    else:
        new = draw(subschemas(0))
        if isinstance(new, dict):
            place.update(new)
    return schema


def rearranged(schema: Any, how: int) -> Any:
    """A schema that says the same in another way."""
    schema = copy.deepcopy(schema)
    if not isinstance(schema, dict):
        return {"allOf": [schema]}
    if how == 0:  # definitions by other names
        text = json.dumps(schema).replace('"#/definitions/a"', '"#/definitions/new"')
        schema = json.loads(text)
        if "definitions" in schema and "a" in schema["definitions"]:
            schema["definitions"]["new"] = schema["definitions"].pop("a")
    elif how == 1:  # the other order of members
        return dict(reversed([*schema.items()]))
    elif how == 2:  # all of it moved into `allOf`
        inner = {key: value for key, value in schema.items() if key != "definitions"}
        return {"allOf": [inner], "definitions": schema.get("definitions", {})}
    elif how == 3:  # types as lists, constants as lists of one
        for place in places(schema):
            if isinstance(place.get("type"), str):
                place["type"] = [place["type"]]
            if "const" in place and "enum" not in place and "$ref" not in place:
                place["enum"] = [place.pop("const")]
    elif how == 4:  # an unused definition, and a title
        return {
            **schema,
            "definitions": {**schema.get("definitions", {}), "z": False},
            "title": "t",
        }
    return schema


def linked(schema: Any) -> Validator | None:
    try:
        return Validator(schema)
    except SchemaError:
        return None


def compared(old: Validator, new: Validator) -> Comparison:
    """A comparison of two validators; there is nothing but data."""
    anything = Validator(True)
    return compare(
        Subject(Version("old", "1"), old, anything),
        Subject(Version("new", "2"), new, anything),
    )


def made(validator: Validator) -> Iterator[Any]:
    """Yield values that the sampler makes of a schema, many of them at the limits."""
    products = Products(validator)
    try:
        yield products.sampler().minimal()
        yield from products.sampler().samples(10)
        yield from (case.data for case in products.coverage(max_cases=40))
    except (CannotGenerate, RecursionError):  # nothing can be made of it
        return


def nearly_made(validator: Validator) -> Iterator[Any]:
    try:
        near = Products(validator).near_misses(max_cases=40)
    except (CannotGenerate, RecursionError):  # nothing can be made of it
        return
    yield from (case.data for case in near)


@settings(suppress_health_check=QUIET)
@given(st.data())
def test_what_is_called_harmless_breaks_nobody(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    newer = data.draw(st.one_of(mutated(schema), mutated(schema), schemas(1)))
    if data.draw(st.booleans()):
        newer = data.draw(mutated(newer))
    both = (linked(schema), linked(newer))
    old, new = both[::-1] if data.draw(st.booleans()) else both
    if old is None or new is None:
        return
    comparison = compared(old, new)
    event(comparison.verdict)
    for change in comparison:
        assert (change.witness is not None) == (change.kind == "breaking")
        if change.witness is not None:
            assert old.is_valid(change.witness.data)
            assert not new.is_valid(change.witness.data)
            assert change.witness.findings == new.check(change.witness.data).findings
    if comparison.verdict in HARMLESS:
        drawn = [data.draw(instances()) for _ in range(15)]
        for instance in [*drawn, *made(old), *nearly_made(new)]:
            assert new.is_valid(instance) or not old.is_valid(instance), instance


SMALL: list[Any] = [
    *(None, False, True, *range(-1, 5), 0.5, 1.0),
    *("", "a", "b", "ab", "ba", "a-b", "aa", "A", "b1", "1", "a\n"),
]
MEMBERS: list[Any] = [0, "a", "ab", None, [], 1, "b", {}]
WORLD = [
    *SMALL,
    *([], [0], ["a"], [True, 1], ["a", "b"], [None, None]),
    *({}, *({name: value} for name in ("a", "b", "ab", "c1") for value in MEMBERS)),
    *({"a": value, "b": other} for value in MEMBERS for other in MEMBERS),
]
LEAVES = st.one_of(
    st.sampled_from(
        [
            *({"type": one} for one in ("string", "integer", "number", "boolean", "null")),
            *({"pattern": one} for one in ("^a", "^[ab]+$", "b$", "^(a|b)?$", "-|1", "^a*b?$")),
            *({"type": "integer", "minimum": 0, "maximum": most} for most in (1, 2)),
            *({"minLength": 1}, {"maxLength": 2}, {"multipleOf": 2}, {"type": ["null", "string"]}),
            *({"required": ["a"]}, {"propertyNames": {"pattern": "^[ab]+$"}}, {"maximum": 2}),
            *({"multipleOf": one} for one in (0.5, 1.0, 3)),
            *({"not": {"enum": [some]}} for some in (*SMALL[5:], [], {}, {"a": 1})),
            *({"minProperties": 1}, {"maxProperties": 1}, {"propertyNames": {"enum": ["a", "b"]}}),
            *({"minimum": 0, "maximum": 1, "multipleOf": 0.5}, {"exclusiveMinimum": 0}),
            *({"pattern": "^[ab]{1,2}$"}, {"const": {"a": 1}}, {"const": ["a"]}, {"maxItems": 1}),
        ]
    ),
    st.lists(st.sampled_from(SMALL), min_size=1, max_size=4).map(lambda some: {"enum": some}),
)


def small(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas that put others together, for values of a world that is small enough to try all."""
    some = st.lists(inner, min_size=1, max_size=3)
    closed: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
        [{}, {"additionalProperties": False}, {"required": ["a"]}]
    )
    return st.one_of(
        some.map(lambda parts: {"oneOf": parts}),
        some.map(lambda parts: {"oneOf": parts}),
        some.map(lambda parts: {"anyOf": parts}),
        some.map(lambda parts: {"allOf": parts}),
        inner.map(lambda one: {"not": one}),
        st.tuples(inner, inner, inner).map(lambda of: {"if": of[0], "then": of[1], "else": of[2]}),
        st.tuples(inner, closed).map(
            lambda of: {"type": "object", "properties": {"a": of[0]}, **of[1]}
        ),
        inner.map(lambda one: {"patternProperties": {"^a": one}, "additionalProperties": False}),
        inner.map(lambda one: {"items": one}),
    )


@settings(suppress_health_check=QUIET)
@given(st.data())
def test_of_a_small_world_every_verdict_is_true(data: st.DataObject) -> None:
    schema = data.draw(st.recursive(LEAVES, small, max_leaves=6))
    newer = data.draw(st.one_of(mutated(schema), st.recursive(LEAVES, small, max_leaves=6)))
    old, new = linked(schema), linked(newer)
    if old is None or new is None:
        return
    for one, other in ((old, new), (new, old)):
        comparison = compared(one, other)
        event(comparison.verdict)
        for change in comparison:
            assert (change.witness is not None) == (change.kind == "breaking")
            if change.witness is not None:
                assert one.is_valid(change.witness.data)
                assert not other.is_valid(change.witness.data)
        if comparison.verdict in HARMLESS:
            broken = [value for value in WORLD if one.is_valid(value) > other.is_valid(value)]
            assert not broken, broken


@settings(suppress_health_check=QUIET)
@given(schemas(), st.integers(0, 4))
def test_what_is_only_rearranged_is_the_same(schema: Any, how: int) -> None:
    old, new = linked(schema), linked(rearranged(schema, how))
    if old is None or new is None:
        return
    verdict = compared(old, new).verdict
    assert verdict == "same" or (verdict == "annotation" and how == 4)


@settings(suppress_health_check=QUIET, max_examples=scaled(60))
@given(st.data())
def test_what_is_called_harmless_breaks_no_document(data: st.DataObject) -> None:
    """The data and what is around it are compared apart: together they must be right."""
    schema = data.draw(schemas())
    newer = data.draw(mutated(schema))
    try:
        old, new = (
            WidgetType.from_schema(
                json.loads(json.dumps(one).replace('"a"', '"data"')),
                id="t",
                plugin=True,
                describes="document",
            )
            for one in (schema, newer)
        )
        verdict = old.compare(new).verdict
    except SchemaError:
        return
    event(verdict)
    if verdict not in HARMLESS:
        return
    documents = (Validator(old.linked), Validator(new.linked))
    for instance in [data.draw(instances()) for _ in range(12)]:
        for value in (instance, {"data": instance}, {"data": instance, "b": instance}):
            assert documents[1].is_valid(value) or not documents[0].is_valid(value), value
            assert new.is_valid(value) or not old.is_valid(value), value
