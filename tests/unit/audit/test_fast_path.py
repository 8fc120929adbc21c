"""The fast path: what it accepts is readable and valid; where it is on, and where it is off."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, get_args

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import inspect as inspect_types

import widgetschema
from tests.soundness import ODD_NUMBERS, ODD_TEXTS, Rnd, total, try_schema, whole_schema
from tests.strategies import schemas
from tests.type_combinations import cases, few_cases, in_processes
from tests.unit.validation.test_numbers import MULTIPLES, TABLE
from widgetschema import InvalidWidgetData, ReferenceLoop, UnreadableDocument, Validator, WidgetType
from widgetschema.audit.fast_path import FastPath, build_fast_path, fast_path_of
from widgetschema.audit.fast_path.value_types import anything
from widgetschema.jsontext import Limits, read

COUNTDOWN = widgetschema.widget_type("countdown")
SAMPLES = [orjson.dumps(data) for data in COUNTDOWN.samples(60)]


def fast_path_for(
    schema: Any, pinned: dict[str, str | None] | None = None, **options: Any
) -> FastPath:
    fast_path = build_fast_path(Validator(schema, **options), pinned)
    assert fast_path is not None
    return fast_path


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


# Soundness


@pytest.mark.parametrize(("engine", "schemas"), [("rust", 120), ("python", 12)])
def test_what_is_accepted_is_readable_and_valid(engine: str, schemas: int) -> None:
    rnd = Rnd(f"fast_path {engine}")
    tally = total([try_schema(rnd, whole_schema(rnd), 120, engine=engine) for _ in range(schemas)])

    assert not tally.wrong
    assert tally.fast_paths > schemas / 3
    assert tally.accepted > tally.valid / 3, "rejecting everything is sound, and of no use"


@settings(suppress_health_check=[*HealthCheck])
@given(schema=schemas(), seed=st.integers(0, 2**32))
def test_of_any_schema_whatsoever(schema: Any, seed: int) -> None:
    assert not try_schema(Rnd(seed), schema, 24).wrong


def test_what_the_types_combine_agrees_with_the_engine() -> None:
    """In another process, since a fault may end it; `tests/thorough` tries all combinations."""
    outcome = in_processes("tests.type_combinations", few_cases(), 1)
    assert not outcome.wrong
    assert outcome.cases == len(few_cases())
    assert outcome.accepted > 0.8 * outcome.valid


def kinds_of(part: Any) -> Iterator[str]:
    """Yield each kind of type in the description of one, and each of its bounds."""
    if isinstance(part, inspect_types.Type):
        yield type(part).__name__
        bounds = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
        yield from (
            f"{type(part).__name__} {bound}"
            for bound in bounds
            if getattr(part, bound, None) is not None
        )
    if isinstance(part, tuple):
        yield from chain.from_iterable(map(kinds_of, part))
    elif isinstance(part, (inspect_types.Type, inspect_types.Field)):
        for name in part.__struct_fields__:
            yield from kinds_of(getattr(part, name))


def kinds_of_fast_path(validator: Validator) -> set[str]:
    fast_path = build_fast_path(validator)
    if fast_path is None or fast_path._decoder is None:
        return set()
    decoder = fast_path._decoder.decode.__self__  # type: ignore[attr-defined]
    return {*kinds_of(inspect_types.type_info(decoder.type))}


def test_types_are_of_kinds_whose_combinations_are_tried() -> None:
    schemas = [case.schema() for case in cases() if len(case.parts) == 1]
    tried = set().union(*(kinds_of_fast_path(Validator(schema)) for schema in schemas))
    rnd, made = Rnd("kinds"), set()
    for _ in range(150):
        with suppress(ReferenceLoop):
            made |= kinds_of_fast_path(Validator(whole_schema(rnd)))
    assert made <= tried
    assert {"StrType min_length", "ListType", "StructType", "UnionType"} <= made
    assert "TupleType" not in tried


@pytest.mark.parametrize(
    "schema",
    [{}, {"type": ["string", "number"]}, {"type": "integer"}, {"properties": {"a": {}}}],
    ids=str,
)
def test_odd_spellings(schema: Any) -> None:
    validator = Validator(schema)
    fast_path = fast_path_for(schema)
    odd = [*ODD_NUMBERS, *ODD_TEXTS]
    texts = odd + [b'{"a":' + one + b"}" for one in odd] + [b"[" + one + b"]" for one in odd]
    texts += [b'{"a":1,"a":1}', b'{"b":{"c":1,"c":2}}', b'{"a":":","a":1}', b'{"\\u0061":1}', b""]
    for text in texts:
        if fast_path.accepts(text):
            assert validator.decides(read(text)), text
    for text in (b'{"a":1,"a":1}', b'{"b":{"c":1,"c":2}}', b"\xef\xbb\xbf1", b'"\xed\xa0\x80"'):
        assert not fast_path.accepts(text)
        with pytest.raises(UnreadableDocument):
            read(text)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 7])
def test_limits_hold(limit: int) -> None:
    schema = {"properties": {"a": {"type": "array", "items": {"type": "array"}}, "b": {}}}
    fast_path = fast_path_for(schema, limits=Limits(max_depth=limit, max_bytes=40))
    deep: Any = 1
    for depth in range(1, 9):
        deep = [deep]
        for text in (compact(deep), compact({"b": deep[0]}), compact({"a": deep[0]})):
            assert depth <= limit or not fast_path.accepts(text)
    assert fast_path.accepts(b'{"b":"' + b"x" * 32 + b'"}')
    assert not fast_path.accepts(b'{"b":"' + b"x" * 33 + b'"}')
    assert fast_path.rejected([b'{"b":1}', b'{"b":"' + b"x" * 33 + b'"}', b'{"b":2}']) == [1]


SPELLINGS: dict[str, Callable[[Any], str]] = {
    "spaced": partial(json.dumps, ensure_ascii=False),
    "escaped": json.dumps,
    "indented": partial(json.dumps, indent=2),
    "with tabs": partial(json.dumps, indent="\t", separators=(" ,", " :\r\n")),
    "solidus": lambda value: json.dumps(value).replace("/", "\\/"),
    "all escaped": lambda value: json.dumps(value).replace("g", "\\u0067"),
    "shuffled": lambda value: json.dumps(value, sort_keys=True),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_any_spelling_is_accepted_and_duplicates_in_none(spelling: str) -> None:
    fast_path = fast_path_of(COUNTDOWN, "data")
    assert fast_path is not None
    texts = [SPELLINGS[spelling](value).encode() for value in COUNTDOWN.samples(60, locale="de")]
    assert fast_path.rejected(texts) == []
    value = {**COUNTDOWN.sample(), "settings": {"showTitle": True, "showColon": True}}
    text = SPELLINGS[spelling](value).encode()
    assert fast_path.accepts(text)
    assert not fast_path.accepts(text.replace(b"showColon", b"showTitle"))


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":"x","a":"x"}',
        b'{ "a" :"x" , "a": "y" }',
        b'{"a":":","a":"x"}',
        b'{"a":"\\u003a","a":"x"}',
        b'{"a":"x","a":"\\u003A"}',
        b'{"a":"x","\\u0061":"\\u003a"}',
        b'{"b":{"c":1,"c":1}}',
        b'[{"a":"\\\\","a":":"}]',
    ],
    ids=repr,
)
@pytest.mark.parametrize("schema", [{}, {"properties": {"a": {"type": "string"}}}], ids=str)
def test_no_spelling_hides_a_duplicate(schema: Any, text: bytes) -> None:
    fast_path = fast_path_for(schema, None)
    for _ in range(3):
        assert fast_path.rejected([text] * 40) == [*range(40)]


# Where it is on


def test_it_is_on_for_the_countdown() -> None:
    fast_path = fast_path_of(COUNTDOWN, "data")
    assert fast_path is not None
    assert fast_path.rejected(SAMPLES) == []
    invalid = [case.data for case in COUNTDOWN.near_misses()]
    assert len(fast_path.rejected([orjson.dumps(value) for value in invalid])) == len(invalid)
    assert fast_path.rejected([b"", SAMPLES[0], b"{", b" " + SAMPLES[1]]) == [0, 2]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "accepted", "rejected"),
    [
        ({"type": "string", "minLength": 2}, ["ab", "😀😀"], ["a", "😀", 1]),
        ({"type": "string", "pattern": "^a"}, ["a", "ab"], ["b"]),
        ({"type": "string", "format": "date"}, ["2026-11-03"], ["2026-11-33", "x"]),
        ({"type": ["string", "null"], "format": "ipv4"}, ["1.2.3.4", None], ["1.2.3", 1]),
        ({"type": "integer", "minimum": 0, "maximum": 9}, [0, 9], [-1, 10, 1.5]),
        ({"type": "number", "exclusiveMinimum": 0}, [0.1, 5], [0, -1]),
        ({"type": "number", "minimum": 0.5}, [0.5, 1], [0.4, 0]),
        ({"type": "number", "multipleOf": 0.1}, [0.3, 1], [0.25]),
        ({"type": "number", "maximum": 2**70}, [2**63, 1.5], [1e30]),
        ({"enum": ["a", 1, None, True]}, ["a", 1, None, True], ["b", 2, False]),
        ({"const": "a"}, ["a"], ["b", None]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [[], [1, 2]], [[1, 2, 3]]),
        ({"items": {"pattern": "^a"}, "type": "array"}, [["a"]], [["b"], ["a", "b"]]),
        (
            {"type": "array", "uniqueItems": True},
            [[], [1, "1", True, None]],
            [[1, 1.0], ["a", "a"]],
        ),
        (
            {"type": "array", "uniqueItems": True, "maxItems": 2, "items": {"pattern": "^a"}},
            [["a", "ab"], ["a", 1]],
            [["a", "b"], ["a", "a"], ["a", "ab", "ac"]],
        ),
        ({"additionalProperties": {"type": "integer"}, "type": "object"}, [{"x": 1}], [{"x": "1"}]),
        ({"additionalProperties": {"pattern": "^a"}, "type": "object"}, [{"x": "a"}], [{"x": "b"}]),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ["a", 1], [True, 1.5]),
        ({"oneOf": [{"type": "string"}, {"type": "array"}]}, ["a", [1]], [1]),
        ({"anyOf": [{"type": "string", "format": "date"}, {}]}, ["x", 1, {"a": [1]}], []),
        ({"type": "object", "maxProperties": 1}, [{}, {"a": 1}], [{"a": 1, "b": 2}]),
        ({"type": "object", "additionalProperties": False}, [{}], [{"a": 1}]),
        ({"type": "array", "items": False}, [[]], [[1]]),
        ({"required": ["a"]}, [{"a": 1}, 1], [{}]),
        ({"properties": {"a": {"format": "date"}}}, [{"a": "2026-11-03"}, {"a": 1}], [{"a": "x"}]),
        ({"allOf": [{"required": ["a"]}, {"properties": {"a": {"minimum": 1}}}]}, [{"a": 1}], [{}]),
        (
            {"properties": {"a": {"$ref": "#"}}, "additionalProperties": False, "type": "object"},
            [{}, {"a": {}}, {"a": {"a": {}}}],
            [{"b": 1}, {"a": {"b": 1}}],
        ),
    ],
    ids=str,
)
def test_what_a_type_can_say(
    engine: str, schema: Any, accepted: list[Any], rejected: list[Any]
) -> None:
    fast_path = fast_path_for(schema, engine=engine)
    validator = Validator(schema, engine=engine)
    assert [value for value in accepted if not fast_path.accepts(compact(value))] == []
    assert [value for value in rejected if fast_path.accepts(compact(value))] == []
    assert all(map(validator.is_valid, accepted))
    assert not any(map(validator.is_valid, rejected))


def test_formats_that_are_not_asserted_are_not_asked_for() -> None:
    fast_path = fast_path_for({"type": "string", "format": "date"}, formats=False)
    assert fast_path.accepts(b'"x"')


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"not": {"type": "string"}},
        {"if": {"type": "string"}, "then": {"minLength": 1}},
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"type": "array", "uniqueItems": True, "items": {"type": "object"}},
        {"type": "array", "items": [{"type": "string"}]},
        {
            "type": "array",
            "items": [{"type": "string"}, {"type": "null"}],
            "additionalItems": False,
        },
        {"type": "array", "contains": {"type": "string"}},
        {"type": "object", "dependencies": {"a": ["b"]}},
        {"type": "object", "required": ['"']},
        {"enum": [{"a": 1}, [1]]},
    ],
    ids=str,
)
def test_it_is_off_where_the_engine_would_have_to_say_it_all(schema: Any) -> None:
    assert build_fast_path(Validator(schema)) is None


@pytest.mark.parametrize("levels", [90, 190, 600])
def test_it_is_off_where_a_schema_refers_too_far(levels: int) -> None:
    chain = {
        f"d{n}": {"type": "object", "properties": {"a": {"$ref": f"#/definitions/d{n + 1}"}}}
        for n in range(levels)
    }
    definitions = {**chain, f"d{levels}": TEXT}
    validator = Validator({"definitions": definitions, "allOf": [{"$ref": "#/definitions/d0"}]})
    fast_path = build_fast_path(validator)
    assert fast_path is None or fast_path.accepts(b'{"a":{}}')
    assert validator.is_valid_json(b'{"a":{}}')


def closed(required: list[str], **members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": required,
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
BLOCKS = [
    closed(["type", "text"], type={"const": "text"}, text=TEXT),
    closed(["type"], type={"enum": ["image", "film"]}, src={"format": "uri"}, text=False),
]
MENU = closed(["label"], label=TEXT, items={"type": "array", "items": {"$ref": "#"}})


def menu(levels: int) -> Any:
    return {"label": "m"} | ({"items": [menu(levels - 1)] * 2} if levels else {})


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "accepted", "rejected"),
    [
        # a member of which the engine decides, however deep
        (closed([], a={"not": TEXT}), [{"a": 1}, {"a": [[[[[[["x"]]]]]]]}, {}], [{"a": "x"}]),
        (closed([], a={"items": [TEXT]}), [{"a": ["x", 1]}, {"a": 1}], [{"a": [1]}]),
        (
            closed([], a={"type": "array", "contains": TEXT}),
            [{"a": [1, "x"]}],
            [{"a": [1]}, {"a": "x"}],
        ),
        (closed([], a={"enum": [{"b": 1}, 2]}), [{"a": {"b": 1}}, {"a": 2}], [{"a": {"b": 2}}]),
        (closed([], a={"enum": ["x", "y"], "not": {"const": "y"}}), [{"a": "x"}], [{"a": "y"}]),
        (
            closed([], a={"type": "array", "uniqueItems": True, "items": {"type": "object"}}),
            [{"a": [{"x": 1}, {"x": 2}]}],
            [{"a": [{"x": 1}, {"x": 1}]}, {"a": [1]}],
        ),
        (closed([], a={"anyOf": [{"enum": ["x"]}, {"pattern": "^y"}]}), [{"a": "x"}, {"a": "yy"}], [{"a": "z"}]),
        (closed([], a={"oneOf": [{"type": "integer"}, {"minimum": 5}]}), [{"a": 1}, {"a": "x"}], [{"a": 5}, {"a": 1.5}]),
        # some members of which the engine decides
        (
            {**closed([], a=TEXT, b=TEXT, c=TEXT), "dependencies": {"a": ["b"]}},
            [{"c": "x"}, {"a": "x", "b": "x"}],
            [{"a": "x", "c": "x"}],
        ),
        (
            {**closed(["a"], a={"enum": ["x", "y"]}, b=TEXT), "if": {"properties": {"a": {"const": "x"}}}, "then": {"required": ["b"]}},
            [{"a": "x", "b": "x"}, {"a": "y"}],
            [{"a": "x"}],
        ),
        (
            {**closed([], a=TEXT, b=closed([], c=TEXT)), "anyOf": [{"required": ["a"]}, {"properties": {"b": {"required": ["c"]}}, "required": ["b"]}]},
            [{"a": "x", "b": {}}, {"b": {"c": "x"}}],
            [{}, {"b": {}}, {"b": {"c": 1}, "a": "x"}],
        ),
        ({**closed([], a=TEXT, b=TEXT), "not": {"required": ["a", "b"]}}, [{"a": "x"}], [{"a": "x", "b": "x"}]),
        ({**closed([], a=TEXT, b=TEXT), "not": {"minProperties": 2}}, [{"a": "x"}], [{"a": "x", "b": "x"}]),
        ({**closed([], a=TEXT, b=TEXT), "minProperties": 1}, [{"b": "x"}], [{}]),
        ({**closed([], a=TEXT, b=TEXT), "maxProperties": 1}, [{"b": "x"}], [{"a": "x", "b": "x"}]),
        ({**closed([], ab=TEXT, b=TEXT), "propertyNames": {"maxLength": 1}}, [{"b": "x"}], [{"ab": "x"}]),
        (
            {"type": "object", "propertyNames": {"pattern": "^a"}, "additionalProperties": TEXT},
            [{"a": "x", "ab": "x"}],
            [{"a": "x", "b": "x"}],
        ),
        # objects that a member tells apart
        (
            {"type": "array", "items": {"oneOf": BLOCKS}},
            [[{"type": "text", "text": "x"}, {"type": "film", "src": "a:b"}]],
            [[{"type": "text"}], [{"type": "image", "src": " "}], [{"type": "x"}], [{"text": "x"}]],
        ),
        ({"anyOf": BLOCKS, "maxProperties": 1}, [{"type": "film"}], [{"type": "film", "src": "a:b"}]),
        (
            {"oneOf": [closed(["t"], t={"const": "a"}, u=TEXT), {**closed(["t"], t={"const": "b"}, u=TEXT), "not": {"required": ["u"]}}]},
            [{"t": "a", "u": "x"}, {"t": "b"}],
            [{"t": "b", "u": "x"}],
        ),
        (
            closed([], a={"oneOf": [BLOCKS[0], {**BLOCKS[0], "propertyNames": {"maxLength": 4}}]}),
            [{}],
            [{"a": {"type": "text", "text": "x"}}],
        ),
        (
            closed([], a={"oneOf": [{**closed(["type"], type={"const": one}), "propertyNames": {"maxLength": 3}} for one in "xy"]}),
            [{}],
            [{"a": {"type": "x"}}],
        ),
        (
            closed([], a={"oneOf": [BLOCKS[0], {**BLOCKS[1], "enum": [{"type": "film", "src": "a:b"}]}]}),
            [{"a": {"type": "film", "src": "a:b"}}],
            [{"a": {"type": "film"}}],
        ),
        (
            {**closed([], a=TEXT, b=TEXT), "anyOf": [{"maxProperties": 1}, {"required": ["a"], "propertyNames": {"const": "a"}}]},
            [{"a": "x"}, {"b": "x"}],
            [{"a": "x", "b": "x"}],
        ),
        (
            {"oneOf": [closed(["t"], t={"enum": ["x", "xy"], "maxLength": 1}), closed(["t"], t={"const": "z"})]},
            [{"t": "x"}],
            [{"t": "xy"}],
        ),
        # items one by one: as a list if they are alike, else by the engine
        (
            closed([], a={"type": "array", "items": [{}, {}], "additionalItems": False, "maxItems": 1}),
            [{"a": []}, {"a": [1]}],
            [{"a": [1, 2]}],
        ),
        (
            closed([], a={"type": "array", "items": [{"type": "number"}, TEXT], "additionalItems": False}),
            [{"a": [1, "x"]}, {"a": [1]}],
            [{"a": ["x", 1]}, {"a": [1, 1]}, {"a": [1, "x", 2]}],
        ),
        (
            {"type": "array", "items": [{"minimum": 1, "type": "integer"}] * 2, "additionalItems": False},
            [[], [1], [1, 2]],
            [[0], [1, 0], [1, 2, 3], ["x", 1]],
        ),
        (
            {"type": "array", "items": [TEXT, TEXT], "additionalItems": TEXT, "minItems": 1},
            [["x"], ["x", "x", "x"]],
            [[], [1], ["x", 1], ["x", "x", 1]],
        ),
        ({"type": "array", "items": [TEXT] * 3, "minItems": 2, "maxItems": 2}, [["x", "x"]], [["x"], ["x", 1], ["x"] * 3]),
        (
            {"type": "array", "items": {"items": [{"pattern": "^a"}] * 2, "maxItems": 2, "type": "array"}},
            [[["a", "a"], [1, "a"]]],
            [[["a", "b"]], [["a"] * 3]],
        ),
        # recursion
        (MENU, [menu(levels) for levels in range(8)], [{"label": "m", "items": [{}]}]),
        ({"type": "object", "additionalProperties": {"$ref": "#"}}, [{"a": {"b": {}}}], [{"a": 1}]),
    ],
    ids=str,
)  # fmt: skip
def test_what_a_type_cannot_say_the_engine_does(
    engine: str, schema: Any, accepted: list[Any], rejected: list[Any]
) -> None:
    test_what_a_type_can_say(engine, schema, accepted, rejected)


def test_what_the_engine_decides_is_no_deeper_than_the_limits() -> None:
    limit, schema = 40, closed([], a={"not": TEXT}, b={"type": "string"})
    fast_path = fast_path_for(schema, limits=Limits(max_depth=limit))
    for levels in range(2, 60):
        deep = b'{"a":' + b"[" * levels + b"]" * levels + b"}"
        assert not fast_path.accepts(deep) or levels < limit
        assert fast_path.accepts(deep) or levels > limit - 3
    broad = b'{"a":[' + b",".join([b"[[]]"] * limit) + b"]}"
    assert fast_path.accepts(broad), "many brackets, but few levels"
    assert fast_path.rejected([broad, deep, broad, b'{"b":""}', deep]) == [1, 4]
    assert not fast_path.accepts(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}")


def test_a_tag_is_pinned_as_any_member_is() -> None:
    fast_path = fast_path_for({"oneOf": BLOCKS}, {"type": "film"})
    assert fast_path.accepts(b'{"type":"film"}')
    assert not fast_path.accepts(b'{"type":"image"}')
    assert not fast_path.accepts(b'{"type":"text","text":"x"}')


def test_a_tag_may_stand_anywhere() -> None:
    fast_path = fast_path_for(
        closed(["blocks"], blocks={"type": "array", "items": {"oneOf": BLOCKS}})
    )
    text = b'{"blocks":[{"text":"x","type":"text"},{"src":"a:b","type":"film"}]}'
    assert fast_path.accepts(text)
    assert fast_path.rejected([text.replace(b"film", b"text")]) == [0]


@pytest.mark.parametrize("pin", [None, "film"])
def test_a_tag_is_not_made_up(pin: str | None) -> None:
    schema = {"oneOf": [*BLOCKS, closed(["type"], type={"const": "x"}, src=TEXT)]}
    fast_path = fast_path_for(schema, {"type": pin})
    assert fast_path.accepts(b'{ "src": "a:b", "type": "film" }')
    for text in (b'{"src":"a:b","src":"a:b"}', b'{"src":"a:b"}', b'{"src":"x","src":"a:b"}'):
        assert not fast_path.accepts(text)


def test_where_members_have_names_without_end_the_engine_decides() -> None:
    schema = {"type": "object", "properties": {"a": TEXT}, "additionalProperties": TEXT}
    fast_path = fast_path_for(closed([], map=schema))
    texts = [compact({"map": {"a": "x", f"key{n}": "x", f"{n}": "y"}}) for n in range(400)]
    for start in range(0, 400, 100):
        left = fast_path.rejected(texts[start : start + 100])
    assert left == []
    assert fast_path.rejected([b'{"map":{"a":"x","new":1}}', b'{"map":{"new":"x"}}']) == [0]


def test_what_may_be_anything_is_made_once() -> None:
    one, other = anything(3), anything(3)
    assert get_args(one["array"].type)[0] is get_args(other["object"].type)[1]

    fast_path = fast_path_for({"properties": {"a": {}}, "type": "object"})
    for deep, accepted in ((b"[[[1]]]", True), (b"[[[[1]]]]", True), (b"[[[[[1]]]]]", False)):
        assert fast_path.accepts(b'{"a":' + deep + b"}") is accepted


# Pinned members


def test_pinned_members() -> None:
    documents = [compact({"id": "w", "type": "countdown", "data": json.loads(SAMPLES[0])})] * 40
    fast_path = fast_path_of(COUNTDOWN, "document", {"type": "countdown"})
    assert fast_path is not None
    fast_path.rejected(documents)
    assert fast_path.rejected(documents) == []
    for wrong in (
        documents[0].replace(b'"type":"countdown"', b'"type":"faq"'),
        documents[0].replace(b'"type":"countdown"', b'"type":null'),
        documents[0].replace(b'"type":"countdown",', b""),
        compact({"id": "w", "type": "countdown"}),
        compact([]),
    ):
        assert not fast_path.accepts(wrong)
    other = fast_path_of(COUNTDOWN, "document", {"type": None})
    assert other is not None
    assert other.accepts(compact({"data": json.loads(SAMPLES[0]), "type": "anything"}))
    assert not other.accepts(compact({"data": json.loads(SAMPLES[0]), "type": 1}))


@pytest.mark.parametrize(
    ("schema", "pin", "accepted"),
    [
        ({"enum": ["a", "b"]}, "a", ["a"]),
        ({"type": "string", "minLength": 2}, "ab", ["ab"]),
        ({"type": "string", "pattern": "b"}, "ab", ["ab"]),
        ({"type": "string", "pattern": "b"}, "a", []),
        ({"type": ["string", "null"]}, None, ["a", "ab", "b"]),
    ],
)
def test_what_is_pinned_must_be_valid_too(schema: Any, pin: str, accepted: list[str]) -> None:
    fast_path = fast_path_for({"properties": {"t": schema}}, {"t": pin})
    assert [v for v in ("a", "ab", "b", None) if fast_path.accepts(compact({"t": v}))] == accepted


def test_what_cannot_be_pinned_switches_it_off() -> None:
    closed = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"n": {"type": "null"}},
    }
    for pinned in ({"t": "a"}, {"n": "a"}):
        assert build_fast_path(Validator(closed), pinned) is None
    assert build_fast_path(Validator({"type": "array"}), {"t": "a"}) is None


# Learning


def shuffled(text: bytes, order: Callable[[Any], list[str]]) -> bytes:
    def again(value: Any) -> Any:
        if type(value) is dict:
            return {name: again(value[name]) for name in order(value)}
        return [again(item) for item in value] if type(value) is list else value

    return compact(again(json.loads(text)))


def test_it_takes_any_order_of_members_and_learns_it() -> None:
    fast_path = fast_path_of(COUNTDOWN, "data")
    assert fast_path is not None
    texts = [shuffled(text, sorted) for text in SAMPLES]
    before = fast_path._decoder
    assert fast_path.rejected(texts) == []
    assert fast_path._decoder is not before
    assert fast_path.rejected(texts) == []


def test_it_learns_the_names_of_other_members() -> None:
    schema = {
        "properties": {"a": {"type": "string"}, "list": {"items": {"required": ["z"]}}},
        "additionalProperties": {"not": {"const": "bad"}},
        "patternProperties": {"^n": {"type": "integer"}, "^o": {"properties": {"x": True}}},
    }
    fast_path = fast_path_for(schema)
    value = {"n1": 1, "a": "a", "o": {"y": 2, "x": 1}, "list": [{"more": 1, "z": 2}]}
    assert not fast_path.accepts(compact(value))
    assert fast_path.rejected([compact(value)] * 20) == []
    assert not fast_path.accepts(compact({**value, "n1": "1"}))
    assert not fast_path.accepts(compact({**value, "a": 1}))
    assert not fast_path.accepts(compact({**value, "b": "bad"}))


def test_names_without_end_are_not_learnt_without_end() -> None:
    fast_path = fast_path_for({"properties": {"a": {"type": "string"}}})
    texts = [compact({f"key{n}-{m}": m for m in range(30)} | {"a": "x"}) for n in range(3000)]
    for start in range(0, 3000, 100):
        fast_path.rejected(texts[start : start + 100])
    assert fast_path.rejected([b"1", b'{"a":"x"}', b'{"a":1}'])[-1] == 2


def test_what_is_rejected_does_not_keep_it_from_accepting() -> None:
    fast_path = fast_path_of(COUNTDOWN, "data")
    assert fast_path is not None
    for _ in range(300):
        fast_path.rejected([b'{"content":{}}'] * 10 + [b"{"] * 10)
    assert fast_path.rejected(SAMPLES) == []


def test_threads_may_learn_at_once() -> None:
    fast_path = fast_path_of(COUNTDOWN, "data")
    assert fast_path is not None
    orders: list[Callable[[Any], list[str]]] = [sorted, list, lambda one: sorted(one)[::-1]]
    texts = [shuffled(text, order) for order in orders for text in SAMPLES] + [b'{"content":1}']
    with ThreadPoolExecutor(4) as pool:
        results = [*pool.map(lambda _: fast_path.rejected(texts), range(60))]
    assert all(len(texts) - 1 in rejected for rejected in results)


@pytest.mark.parametrize("left", [20, 30, 40, 60])
def test_far_down_the_stack_the_answers_are_the_same(left: int) -> None:
    fast_path = fast_path_of(COUNTDOWN, "data")
    assert fast_path is not None
    rejected = fast_path.rejected

    def far_down(levels: int, texts: list[bytes]) -> list[int]:
        return far_down(levels - 1, texts) if levels > 0 else rejected(texts)

    levels = sys.getrecursionlimit() - len(inspect.stack()) - left
    reordered = [shuffled(text, sorted) for text in SAMPLES]
    assert far_down(levels, [*SAMPLES, b"{}"]) == [len(SAMPLES)]
    assert far_down(levels, [*reordered, b"{}"])[-1] == len(SAMPLES)  # it cannot learn there
    assert fast_path.rejected([*SAMPLES, b"{}"]) == [len(SAMPLES)]


# Within the validator


def test_single_texts_take_the_plain_way() -> None:
    """However many there are: a decoder of the fast path is for bulk work."""
    code = (
        "import sys, widgetschema\n"
        "countdown = widgetschema.widget_type('countdown')\n"
        "for _ in range(1100):\n"
        f"    assert countdown.is_valid_json({SAMPLES[0]!r})\n"
        f"    assert countdown.check_json({SAMPLES[0]!r}).valid\n"
        f"    countdown.validate_json({SAMPLES[0]!r})\n"
        "assert 'msgspec' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_thousandth_text_is_checked_as_the_first() -> None:
    two = {"type": "array", "items": [{"type": "integer"}] * 2, "minItems": 2, "maxItems": 2}
    size = {"anyOf": [{"type": "integer", "minimum": 10}, two]}
    of_data = WidgetType.from_data_schema(
        {"type": "object", "properties": {"size": size}}, id="size"
    )
    for _ in range(1001):
        of_data.validate_json(b'{"size":12}')
    with pytest.raises(InvalidWidgetData):
        of_data.validate_json(b'{"size":2}')
    assert not of_data.is_valid_json(b'{"size":2}')
    assert not of_data.check_json(b'{"size":2}').valid
    of_data.validate_json(b'{"size":[1,2]}')


# The probe


@pytest.mark.parametrize(("schema", "valid", "invalid"), TABLE)
def test_numbers(schema: str, valid: str, invalid: str) -> None:
    fast_path = build_fast_path(Validator(json.loads(schema)))
    if fast_path is not None:
        assert not any(map(fast_path.accepts, invalid.encode().split()))


@pytest.mark.parametrize("divisor", MULTIPLES)
def test_multiples(divisor: str) -> None:
    fast_path = build_fast_path(Validator(json.loads(f'{{"multipleOf": {divisor}}}')))
    if fast_path is not None:
        assert not any(map(fast_path.accepts, MULTIPLES[divisor][1].encode().split()))
