"""Hypothesis strategies for draft-07 schemas and for instances that come near them.

Schemas and instances draw names, texts and numbers from the same small pools, so that
they meet: most random data fails most random schemas in the first member.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "c", "A", "type", "a b", "a/b", "é", ""])
TEXTS = st.sampled_from(["", "a", "b", "A", "a ", "abc", "true", "1", "1.5", "é", "😀", "video"])
PATTERNS = st.sampled_from(
    ["^a", "b$", "^[a-c]*$", "^.$", r"^\d+$", r"\w", "é", "^(a|b)+$", r"(a)\1|b", "(?=a)", "[^]"]
)
INTEGERS = st.integers(-3, 5)
NUMBERS = st.one_of(INTEGERS, st.sampled_from([0.0, 1.0, 1.5, -0.5, 2.25, 1e300, 2**53, 2**63]))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
FORMATS = st.sampled_from(["date", "ipv4", "json-pointer", "regex", "unheard-of"])
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
COUNTS = st.integers(0, 3)


@cache
def instances(depth: int = 3) -> st.SearchStrategy[Any]:
    """JSON values over the shared pools, nested at most `depth` deep."""
    if depth == 0:
        return SCALARS
    inner = instances(depth - 1)
    return st.one_of(
        SCALARS, st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)
    )


@cache
def _assertions() -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        st.fixed_dictionaries({"type": TYPES}),
        st.fixed_dictionaries({"type": st.lists(TYPES, min_size=1, max_size=3, unique=True)}),
        st.fixed_dictionaries({"const": instances(2)}),
        st.fixed_dictionaries({"enum": st.lists(instances(1), min_size=1, max_size=4)}),
        st.fixed_dictionaries({}, optional={"minimum": NUMBERS, "exclusiveMaximum": NUMBERS}),
        st.fixed_dictionaries({}, optional={"maximum": NUMBERS, "exclusiveMinimum": NUMBERS}),
        st.fixed_dictionaries({"multipleOf": st.sampled_from([1, 2, 0.5, 0.1])}),
        st.fixed_dictionaries({}, optional={"minLength": COUNTS, "maxLength": COUNTS}),
        st.fixed_dictionaries({"pattern": PATTERNS}),
        st.fixed_dictionaries({"format": FORMATS}),
        st.fixed_dictionaries(
            {}, optional={"minItems": COUNTS, "maxItems": COUNTS, "uniqueItems": st.booleans()}
        ),
        st.fixed_dictionaries(
            {},
            optional={
                "minProperties": COUNTS,
                "maxProperties": COUNTS,
                "required": st.lists(NAMES, max_size=3, unique=True),
            },
        ),
    )


def _applicators(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    many = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    return st.one_of(
        st.fixed_dictionaries(
            {"properties": named},
            optional={
                "additionalProperties": st.one_of(st.just(False), inner),
                "required": st.lists(NAMES, max_size=2, unique=True),
                "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
            },
        ),
        st.fixed_dictionaries({"patternProperties": st.dictionaries(PATTERNS, inner, max_size=2)}),
        st.fixed_dictionaries({"propertyNames": inner}),
        st.fixed_dictionaries(
            {
                "dependencies": st.dictionaries(
                    NAMES, st.one_of(inner, st.lists(NAMES, max_size=2, unique=True)), max_size=2
                )
            }
        ),
        st.fixed_dictionaries({"items": inner}),
        st.fixed_dictionaries({"items": many}, optional={"additionalItems": inner}),
        st.fixed_dictionaries({"contains": inner}),
        st.fixed_dictionaries({"allOf": many}),
        st.fixed_dictionaries({"anyOf": many}),
        st.fixed_dictionaries({"oneOf": many}),
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
    )


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for part in parts:
        schema.update(part)
    return schema


@cache
def subschemas(depth: int = 3) -> st.SearchStrategy[Any]:
    """Schemas that may refer to `#`, `#/definitions/a` and `#/definitions/b/x`."""
    references = st.sampled_from(["#", "#/definitions/a", "#/definitions/b~1x"])
    leaves = st.one_of(
        st.lists(_assertions(), max_size=2).map(_merged),
        st.booleans(),
        references.map(lambda reference: {"$ref": reference}),
    )
    if depth == 0:
        return leaves
    applicators = _applicators(subschemas(depth - 1))
    parts = st.lists(st.one_of(applicators, _assertions()), min_size=1, max_size=3).map(_merged)
    return st.one_of(parts, parts, leaves)


@st.composite
def schemas(draw: st.DrawFn, depth: int = 3) -> Any:
    """Whole draft-07 schemas, recursion included; some cannot be linked (loops)."""
    schema = draw(subschemas(draw(st.integers(0, depth))))
    if isinstance(schema, bool):
        return schema
    definitions = {"a": draw(subschemas(1)), "b/x": draw(subschemas(1))}
    return {**schema, "definitions": definitions}
