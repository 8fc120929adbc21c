"""The schema of an export means what the linked schema means, and Ajv takes it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import strategies
from tests.browser.bundling import bundle
from tests.chromium import watched
from tests.effort import scaled
from widgetschema import SchemaError, Validator, widget_type
from widgetschema.forms.exports.javascript import javascript_losses, javascript_order, number_text
from widgetschema.forms.exports.portable_schema import make_portable, merge_schemas, unicode_pattern
from widgetschema.jsontext.tree import parse
from widgetschema.validation.patterns import pattern_fault

ROUNDS = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
NAME: dict[str, Any] = {"type": "string", "title": "Name"}
TREE: dict[str, Any] = {
    "type": "object",
    "properties": {"name": NAME, "children": {"type": "array", "items": {"$ref": "#"}}},
}


def exported(schema: Any) -> Any:
    result = dict(make_portable(Validator(schema).linked).schema)
    assert result.pop("$schema") == "http://json-schema.org/draft-07/schema#"
    return result


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param(True, {"title": "Any value"}, id="anything"),
        pytest.param(False, {"not": {}}, id="nothing"),
        pytest.param({"$id": "http://a/", "$comment": "x", "type": "null"}, {"type": "null"}, id="id"),
        pytest.param({"x-order": 3, "type": "null"}, {"type": "null"}, id="unknown keyword"),
        pytest.param(
            {"$ref": "#/definitions/a", "title": "no", "definitions": {"a": NAME}}, NAME, id="root"
        ),
        pytest.param(
            {"properties": {"a": {"$ref": "b#/definitions/c~1d", "title": "ignored"}},
             "definitions": {"b": {"$id": "b", "definitions": {"c/d": NAME}}}},
            {"properties": {"a": {"$ref": "#/definitions/c_d"}}, "definitions": {"c_d": NAME}},
            id="embedded",
        ),
        pytest.param(
            TREE,
            {**TREE, "properties": {"name": NAME, "children": {"type": "array", "items": {"$ref": "#/definitions/document"}}},
             "definitions": {"document": {**TREE, "properties": {"name": NAME, "children": {"type": "array", "items": {"$ref": "#/definitions/document"}}}}}},
            id="recursion",
        ),
        pytest.param(
            {"title": "T", "allOf": [{"$ref": "#/definitions/a"}, {"required": ["c"]}], "required": ["b"],
             "definitions": {"a": {"type": "object", "title": "A", "properties": {"b": True}}}},
            {"title": "T", "required": ["b", "c"], "type": "object", "properties": {"b": {"title": "Any value"}}},
            id="merged",
        ),
        pytest.param(
            {"properties": {"a": True}, "allOf": [{"properties": {"b": True}, "additionalProperties": False}]},
            {"properties": {"a": {"title": "Any value"}},
             "allOf": [{"properties": {"b": {"title": "Any value"}}, "additionalProperties": False}]},
            id="not merged",
        ),
        pytest.param(
            {"items": [{"$ref": "#/definitions/b/definitions/a"}, {"$ref": "#/definitions/a"}],
             "definitions": {"a": True, "b": {"definitions": {"a": NAME}}}},
            {"items": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/a2"}],
             "definitions": {"a": NAME, "a2": {"title": "Any value"}}},
            id="two of one name",
        ),
        pytest.param(
            {"items": {"title": "Item", "allOf": [{"$ref": "#/definitions/a"}]}, "definitions": {"a": NAME}},
            {"items": {"$ref": "#/definitions/a", "title": "Item"}, "definitions": {"a": NAME}},
            id="a reference that is called something",
        ),
        pytest.param({"minLength": 1, "allOf": [False]}, {"minLength": 1, "not": {}}, id="nothing applies"),
        pytest.param({"anyOf": [NAME]}, NAME, id="lone alternative"),
        pytest.param({"const": "x"}, {"type": "string", "const": "x"}, id="type of a constant"),
        pytest.param({"enum": [1, 2.5]}, {"type": "number", "enum": [1, 2.5]}, id="type of choices"),
        pytest.param({"enum": [1, "a"]}, {"enum": [1, "a"]}, id="types of choices"),
        pytest.param(
            {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]},
            {"type": "string", "oneOf": [{"type": "string", "const": "a", "title": "A"}, {"type": "string", "const": "b"}]},
            id="choices with titles",
        ),
        pytest.param({"items": True, "additionalItems": NAME}, {"items": {"title": "Any value"}}, id="no tuple"),
        pytest.param({"if": NAME, "type": "null"}, {"type": "null"}, id="if alone"),
        pytest.param({"then": NAME, "else": NAME, "type": "null"}, {"type": "null"}, id="then alone"),
        pytest.param({"format": "iri"}, {"title": "Any value"}, id="format that Ajv does not know"),
        pytest.param({"format": "colour"}, {"title": "Any value"}, id="format that nobody knows"),
        pytest.param({"format": "date"}, {"format": "date"}, id="format"),
        pytest.param(
            {"patternProperties": {"^\\-": True, "^\\x2d": NAME}},
            {"patternProperties": {"^\\x2d": {"allOf": [{"title": "Any value"}, NAME]}}},
            id="patterns that mean the same",
        ),
        pytest.param(
            {"properties": {"a": {"$ref": "#/definitions/__proto__"}}, "definitions": {"__proto__": NAME}},
            {"properties": {"a": {"$ref": "#/definitions/proto"}}, "definitions": {"proto": NAME}},
            id="a name that JavaScript takes for another",
        ),
    ],
)  # fmt: skip
def test_what_a_schema_becomes(schema: Any, expected: Any) -> None:
    before = copy.deepcopy(schema)
    assert exported(schema) == expected
    assert schema == before


def test_members_stay_in_their_order() -> None:
    schema = make_portable(widget_type("countdown").validator.linked).schema
    assert list(schema["properties"]) == ["content", "settings", "styles"]
    content = schema["definitions"]["IPluginContent"]["properties"]
    assert list(content)[:4] == ["timerTitle", "postTitle", "postDescription", "countdownType"]


def test_what_is_not_checked_is_said() -> None:
    schema = {"properties": {"a": {"format": "iri"}, "b": {"contentMediaType": "application/json"}}}
    unchecked = make_portable(Validator(schema).linked).unchecked
    keyword = "contentMediaType"
    assert [loss.message for loss in unchecked] == [
        "Ajv does not check format iri (/properties/a/format of the schema)",
        f"Ajv does not check {keyword} application/json (/properties/b/{keyword} of the schema)",
    ]


def test_merging_repeats_no_more_than_a_bound() -> None:
    layers = 40  # each refers twice to the next: 2**40 if every reference were written out
    definitions: dict[str, Any] = {
        f"d{n}": {
            "properties": {
                name: {"allOf": [{"$ref": f"#/definitions/d{n + 1}"}], "minProperties": 1}
                for name in "ab"
            }
        }
        for n in range(layers)
    }
    schema = {"$ref": "#/definitions/d0", "definitions": {**definitions, f"d{layers}": NAME}}
    assert len(json.dumps(exported(schema))) < 2_000_000


@ROUNDS
@given(strategies.schemas(), st.lists(strategies.instances(), min_size=1, max_size=8))
def test_the_meaning_stays(schema: Any, instances: list[Any]) -> None:
    try:
        before = Validator(schema)
    except SchemaError:
        return
    after = Validator(make_portable(before.linked).schema)
    for instance in instances:
        assert before.is_valid(instance) == after.is_valid(instance)


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ({"minimum": 1, "maxLength": 4}, {"minimum": 3, "maxLength": 9}, {"minimum": 3, "maxLength": 4}),
        ({"type": "string"}, {"type": "number"}, None),
        ({"const": 1}, {"const": True}, None),
        ({"const": [1, {"a": 1}]}, {"const": [1, {"a": 1}]}, {"const": [1, {"a": 1}]}),
        ({"const": [1]}, {"const": [1.0]}, {"const": [1]}),
        ({"$ref": "#/definitions/a"}, {}, None),
        ({"allOf": [NAME]}, {"allOf": [TREE]}, {"allOf": [NAME, TREE]}),
        ({"items": NAME}, {"items": [NAME]}, None),
        ({"items": NAME}, {"items": NAME}, {"items": NAME}),
        ({"if": NAME, "then": NAME}, {"if": NAME}, None),
        ({"properties": {"a": NAME}}, {"properties": {"a": NAME, "b": NAME}}, {"properties": {"a": NAME, "b": NAME}}),
        ({"properties": {"a": NAME}}, {"properties": {"a": TREE}}, None),
        ({"patternProperties": {"a": NAME}}, {"properties": {"a": TREE}}, {"patternProperties": {"a": NAME}, "properties": {"a": TREE}}),
        ({"additionalProperties": NAME}, {"properties": {"a": TREE}}, None),
        ({"additionalProperties": NAME}, {"type": "object"}, {"additionalProperties": NAME, "type": "object"}),
    ],
    ids=lambda value: json.dumps(value, separators=(",", ":"))[:40],
)  # fmt: skip
def test_merging_is_exact(first: Any, second: Any, both: Any) -> None:
    assert merge_schemas(first, second) == both


PATTERNS = [
    "", "^a$", r"^\d+$", r"\-", r"[\-a]", r"[\w-]", r"[\w-a]", r"[a-\d]", r"^[\w\-\.]+\-$", r"a{2}", r"a{,2}", "{", "a{",
    "]", "}", r"\_", r"\07", r"\0", r"(?:a)+", "(?=a)*", "(?!b)a", r"(a)\1", r"\1", "(?<n>a)\\k<n>", r"\cA", r"\c", r"[\c]",
    r"\x41", r"\u0041", r"\u{41}", r"\p{L}", "a|b|", "(|a)", "^*", r"\$\{\}", "é😀", "[^]", "[]", r"\/", r"a+?b*?", "(a|)+",
]  # fmt: skip


def test_patterns_compile_with_the_flag_u_and_mean_the_same(browser: Any) -> None:
    texts = [
        "",
        "a",
        "aa",
        "-",
        "_",
        "{",
        "}",
        "]",
        "a{",
        "a{,2}",
        "\x07",
        "0",
        "7",
        "A",
        "é",
        "😀",
        "${}",
        "b",
        "/",
        "\x01",
    ]
    patterns = [p for p in PATTERNS if pattern_fault(p) is None and p != "(?=a)*"]
    assert len(patterns) > 30
    ours = [[Validator({"pattern": p}).is_valid(text) for text in texts] for p in patterns]
    with watched(browser) as watch:
        theirs = watch.page().evaluate(
            "([patterns, texts]) => patterns.map(p => texts.map(t => new RegExp(p, 'u').test(t)))",
            [[unicode_pattern(pattern) for pattern in patterns], texts],
        )
    wrong = [
        (p, unicode_pattern(p)) for p, a, b in zip(patterns, ours, theirs, strict=True) if a != b
    ]
    assert wrong == []
    assert [p for p in PATTERNS[:8] if unicode_pattern(p) != p] == [r"\-", r"[\w-a]", r"[a-\d]"]


def test_ajv_takes_them_and_agrees(browser: Any) -> None:
    """Strict Ajv says nothing of our exports, and decides as our validator does."""
    found: list[tuple[Any, Any, list[str], list[bool]]] = []

    @given(strategies.schemas(), st.lists(strategies.instances(), min_size=1, max_size=6))
    def collect(schema: Any, instances: list[Any]) -> None:
        try:
            validator = Validator(schema)
        except SchemaError:
            return
        texts = [json.dumps(instance) for instance in instances]
        valid = [validator.is_valid(instance) for instance in instances]
        found.append((schema, make_portable(validator.linked).schema, texts, valid))

    collect()
    with watched(browser) as watch:
        page = watch.page()
        page.add_script_tag(path=bundle("ajv.js"))
        answers = page.evaluate(
            "all => all.map(([schema, data]) => { try { return window.compiled(schema, data) }"
            " catch (error) { return {said: [String(error)]} } })",
            [[schema, texts] for _, schema, texts, _ in found],
        )
    assert len(found) > scaled(60)
    for (schema, _, texts, valid), answer in zip(found, answers, strict=True):
        assert answer == {"said": [], "valid": valid}, (schema, texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1.0]", [("spelling", "/d/0", "1.0 is written 1")]),
        ("[1e3]", [("spelling", "/d/0", "1e3 is written 1000")]),
        ("[-0]", [("spelling", "/d/0", "-0 is written 0")]),
        ("[1e21, 0.1, -1.5e-7, 100]", [("spelling", "/d/0", "1e21 is written 1e+21")]),
        ("[9007199254740993]", [("data", "/d/0", "9007199254740993 becomes 9007199254740992: JavaScript has only doubles")]),
        ("[1e400]", [("data", "/d/0", "1e400 becomes null: it is beyond the range of a double")]),
        ("[1e-400]", [("data", "/d/0", "1e-400 becomes 0: JavaScript has only doubles")]),
        ("[0e-99999999999999999999]", [("spelling", "/d/0", "0e-99999999999999999999 is written 0")]),
        ('{"1": 1, "a/b": [{"c": 2.50}]}', [("spelling", "/d/a~1b/0/c", "2.50 is written 2.5")]),
        ('{"2": 1, "1": 2}', [("data", "/d", "properties whose names are whole numbers come first, in ascending order: JavaScript keeps no other")]),
        ('{"01": 1, "a": 1, "4294967295": 2}', []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_javascript_loses(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = javascript_losses(parse(text).root, "/d")
    assert [(loss.kind, loss.path, loss.message) for loss in found] == expected


NUMBERS = [0.0, -0.0, 1.5, -2e-7, 1e21, 1e20, 123456789012345680000.0, 5e-324, 0.000001, 1.7e308]
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
MEMBERS = ["a", "10", "2", "0", "-1", "1.5", "01", "4294967294", "4294967295", "", "__proto__"]


def test_numbers_and_names_as_javascript_has_them(browser: Any) -> None:
    numbers: list[float] = []

    @settings(max_examples=300)
    @given(FLOATS)
    def collect(value: float) -> None:
        numbers.append(value)

    collect()
    numbers += NUMBERS
    with watched(browser) as watch:
        page = watch.page()
        written = page.evaluate(
            "t => JSON.parse(t).map(n => JSON.stringify(n))", json.dumps(numbers)
        )
        names = page.evaluate(
            "t => Object.keys(JSON.parse(t))", json.dumps(dict.fromkeys(MEMBERS, 1))
        )
    assert written == list(map(number_text, numbers))
    assert names == javascript_order(MEMBERS)
