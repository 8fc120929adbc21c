"""A finding claims a condition only if the data shows it."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from widgetschema import Validator
from widgetschema.pointers import parse_pointer

NAMES = st.sampled_from(["type", "mode", "url"])
VALUES = st.sampled_from(["a", "b", 1])
TESTS = st.dictionaries(
    NAMES,
    st.builds(lambda value: {"const": value}, VALUES)
    | st.builds(lambda values: {"enum": values}, st.lists(VALUES, min_size=1, unique=True)),
    min_size=1,
)
DEMANDS = st.one_of(
    st.builds(lambda name: {"required": [name]}, NAMES),
    st.builds(lambda name: {"properties": {name: {"type": "string"}}}, NAMES),
    st.just({"properties": {"type": {}}, "additionalProperties": False}),
)


def _conditional(draw: Any, depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"if": {"properties": draw(TESTS)}}
    if draw(st.booleans()):
        schema["if"]["required"] = draw(st.lists(NAMES, min_size=1, unique=True))
    for branch in ("then", "else"):
        nested = depth and draw(st.booleans())
        schema[branch] = _conditional(draw, depth - 1) if nested else draw(DEMANDS)
    return schema


@st.composite
def conditional_schemas(draw: Any) -> dict[str, Any]:
    """Return a schema whose items have conditions about a few members."""
    item: dict[str, Any] = {"allOf": [_conditional(draw, 1) for _ in range(draw(st.just(3)))]}
    if draw(st.booleans()):
        item["required"] = draw(st.lists(NAMES, unique=True))
    return {"items": item}


OBJECTS = st.dictionaries(st.sampled_from(["type", "mode", "url", "tpye"]), VALUES | st.just([]))
CLAUSE = re.compile(r'"(\w+)" is ((?:missing|"\w+"|1)(?: or (?:"\w+"|1)|, (?:"\w+"|1))*|present)')


@given(schema=conditional_schemas(), instance=st.lists(OBJECTS, min_size=1, max_size=2))
def test_claimed_conditions_are_shown_by_the_data(schema: Any, instance: Any) -> None:
    report = Validator(schema, engine="rust").check(instance)

    assert report == Validator(schema, engine="python").check(instance)
    for finding in report:
        _, claimed, reason = finding.message.partition(" (when ")
        if not claimed:
            continue
        item = instance[int(parse_pointer(finding.path)[0])]
        clauses = CLAUSE.findall(reason)
        assert len(clauses) == reason.count('" is ')
        for name, values in clauses:
            if values == "present":
                assert name in item
            elif name in item:
                shown = f'"{item[name]}"' if isinstance(item[name], str) else str(item[name])
                assert shown in re.split(", | or ", values)
            else:
                assert values.startswith("missing")
