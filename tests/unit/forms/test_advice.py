"""Sentences for people who edit content: they say what to do, in the words of the form."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

import widgetschema
from widgetschema import WidgetType
from widgetschema.findings import Finding
from widgetschema.forms import Form
from widgetschema.forms.examples import Examples
from widgetschema.forms.model import FormFinding
from widgetschema.forms.patterns_in_words import pattern_advice
from widgetschema.forms.texts import advice


def form_of(schema: Any, data: Any) -> Form:
    return WidgetType.from_data_schema({"properties": {"x": schema}}, id="x").form({"x": data})


def sentences(form: Form) -> list[str]:
    return [form.sentence(finding) for finding in form.report]


MISTAKES: list[tuple[Any, Any, str]] = [
    ({"type": "number"}, "3", "Enter a number, for example 3"),
    ({"type": "number", "minimum": 7.5}, "3", "Enter a number, for example 10"),
    ({"type": "number", "examples": ["a", 42]}, "3", "Enter a number, for example 42"),
    ({"type": "integer"}, 1.5, "Enter a whole number, for example 3"),
    ({"type": ["number", "null"]}, "", "Enter a number, for example 3"),
    ({"type": "string"}, None, "Enter text"),
    ({"type": "string"}, 5, "This must be text, not a number"),
    ({"type": "boolean"}, "yes", "Choose yes or no"),
    ({"type": "null"}, 1, "Clear this: no value is possible here"),
    ({"type": "array", "items": {}}, "a", "This must be a list, not text"),
    ({"type": "object", "properties": {"a": {}}}, [], "This must be a group of fields, not a list"),
    ({"type": "string", "enum": ["a", "b"]}, 5, "Choose one of: a, b"),
    ({"enum": ["small", "medium", "big"]}, "x", "Choose one of: small, medium, big"),
    ({"enum": ["a, b", "", True, None, 1.5]}, "x", "Choose one of: “a, b”, (empty text), true, empty, 1.5"),
    ({"enum": [*range(40)]}, "x", "Choose one of the 40 listed values, for example 0, 1, 2"),
    ({"const": "a"}, "x", "This can only be “a”"),
    ({"minimum": 5}, 1, "Enter 5 or more"),
    ({"maximum": 5}, 9, "Enter 5 or less"),
    ({"minimum": 1, "maximum": 5}, 9, "Enter a number from 1 to 5"),
    ({"exclusiveMinimum": 5}, 5, "Enter a number above 5"),
    ({"exclusiveMaximum": 5}, 5, "Enter a number below 5"),
    ({"multipleOf": 5}, 7, "Enter a multiple of 5, for example 5"),
    ({"multipleOf": 1}, 0.5, "Enter a whole number, for example 3"),
    ({"multipleOf": 0.01}, 0.001, "Enter a number with at most 2 decimal places, for example 3"),
    ({"type": "string", "minLength": 1}, "", "Fill this in"),
    ({"type": "string", "minLength": 3}, "", "Enter at least 3 characters"),
    ({"type": "string", "minLength": 3}, "ab", "Enter at least 1 more character: 3 are needed"),
    ({"type": "string", "maxLength": 3}, "abcde", "Shorten this by 2 characters: there is room for 3"),
    ({"type": "string", "maxLength": 0}, "abcde", "Clear this: it must be empty"),
    ({"pattern": "^#[0-9a-f]{6}$"}, "red", "Enter this in the right form, for example #1a2b3c"),
    ({"pattern": "^[0-9]{5}$"}, "x", "Use only digits, exactly 5 characters, for example 12345"),
    ({"pattern": "^[a-z0-9-]+$"}, "A b", "Use only small letters (a–z), digits and -, for example small-shop"),
    ({"pattern": "^(?=(.))\\1{7}Q$", "examples": ["no"]}, "x", "Enter this in the right form"),
    (
        {"pattern": "^[A-Z]{2}\\d{3}$", "description": "Two letters and three digits."},
        "x",
        "Enter this in the right form, for example ",
    ),
    ({"format": "date"}, "x", "Enter a date as year-month-day, for example 2026-11-27"),
    ({"format": "uri"}, "https://a.de/ü", "Enter a full web address without “ü”"),
    ({"format": "uri"}, "https://a.de/b ü", "Enter a full web address without “ ”"),
    ({"format": "uri"}, "https://a.de/\xa0", "Enter a full web address, for example https://example.com/page"),
    ({"format": "email"}, "x", "Enter an email address, for example name@example.com"),
    ({"format": "regex"}, "(", "Enter a valid search pattern (a regular expression)"),
    ({"contentEncoding": "base64"}, "%", "Choose or paste this file again: it cannot be read"),
    ({"minItems": 2}, [1], "Add at least 1 more item: 2 are needed"),
    ({"minItems": 2}, [], "Add at least 2 items"),
    ({"maxItems": 1}, [1, 2, 3], "Remove 2 items: there is room for 1"),
    ({"items": [{}], "additionalItems": False}, [1, 2], "Remove the last item: there is room for 1"),
    ({"type": "array", "items": {"type": "number"}, "uniqueItems": True}, [1, 1], "Change or remove this: it is the same as item 1"),
    ({"contains": {"const": "main"}}, [], "Add “main”"),
    ({"contains": {"enum": ["a", "b"]}}, [], "Add one of: a, b"),
    ({"contains": {"title": "A picture", "type": "object"}}, [], "Add an item: A picture"),
    ({"contains": {"type": "string"}}, [], "Add an item of the kind that is missing here"),
    ({"maxProperties": 1}, {"a": 1, "b": 2}, "Remove 1 entry: there is room for 1"),
    ({"minProperties": 2}, {"a": 1}, "Fill in at least 1 more of these"),
    ({"properties": {"a": {"enum": ["v", "w"]}}, "required": ["a"]}, {}, "Choose one of: v, w"),
    ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, {}, "Fill this in"),
    ({"type": "object", "required": ["fontSize"]}, {}, "Fill this in"),
    ({"properties": {"a": {"type": "array", "minItems": 2, "items": {"type": "string"}}}, "required": ["a"]}, {}, "Add at least 2 items"),
    ({"properties": {"a": {"type": "array", "items": [{"type": "string"}], "minItems": 1}}, "required": ["a"]}, {}, "Add at least 1 item"),
    ({"properties": {"a": {"type": "array", "items": {"type": "string"}}}, "required": ["a"]}, {}, "Add this"),
    ({"properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}}}, "required": ["a"]}, {}, "Add this"),
    ({"properties": {"a": {"type": "object"}}, "required": ["a"]}, {}, "Add this"),
    ({"properties": {"a": {"type": "array", "uniqueItems": True, "items": {"enum": ["v", "w"]}}}, "required": ["a"]}, {}, "Choose one of: v, w"),
    ({"properties": {"a": {"const": "v"}}, "required": ["a"]}, {}, "This can only be v"),
    ({"properties": {"a": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}}, "required": ["a"]}, {}, "Choose a file"),
    (
        {"properties": {"a": {"anyOf": [{"type": "object", "properties": {"b": {"type": "string"}}}, {"type": "string"}]}}, "required": ["a"]},
        {},
        "Add this",
    ),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, "Remove this, or correct its name: it is not known here"),
    (
        {"properties": {"a": {"title": "Card", "type": "string"}, "b": {"type": "string"}}, "dependencies": {"a": ["b"]}},
        {"a": "x"},
        "Fill this in (needed because “Card” is filled in)",
    ),
    ({"propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": {"type": "number"}}, {"A": 1}, "Rename this: use only small letters (a–z), for example shop"),
    ({"properties": {"a": False}}, {"a": 1}, "Remove this: it is not possible here"),
    (
        {
            "properties": {"kind": {"title": "Kind of it", "enum": ["video", "text"]}, "src": {"type": "string"}},
            "if": {"properties": {"kind": {"const": "video"}}, "required": ["kind"]},
            "then": {"required": ["src"]},
        },
        {"kind": "video"},
        "Fill this in (needed because “Kind of it” is video)",
    ),
    (
        {"properties": {"kind": {"enum": ["v", "t"]}}, "if": {"properties": {"kind": {"const": "v"}}}, "else": {"properties": {"src": False}}},
        {"kind": "t", "src": 1},
        "This is not possible when “Kind” is not v",
    ),
    ({"not": {"enum": ["x", "y"]}}, "x", "Choose something other than “x” or “y”"),
    ({"properties": {"a": {}, "b": {}}, "not": {"required": ["a", "b"]}}, {"a": 1, "b": 1}, "Do not fill in “A” and “B” together"),
    ({"not": {"minimum": 3}}, 5, "Change this: it is not possible like this"),
    ({"anyOf": [{"type": "number", "minimum": 5}, {"enum": ["auto", "none"]}]}, 3, "Choose one of: auto, none; or enter 5 or more"),
    ({"anyOf": [{"type": "number"}, {"type": "string"}]}, None, "Enter a number or text"),
    (
        {"properties": {"a": {"title": "Alpha"}, "b": {}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {},
        "Fill in “Alpha” or “B”",
    ),
    (
        {"properties": {"a": {"title": "Alpha"}, "b": {}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"a": 1, "b": 1},
        "Fill in only one of “Alpha” and “B”",
    ),
    ({"oneOf": [{"title": "One", "type": "number"}, {"title": "Other", "type": "number", "minimum": 1}]}, 5, "Decide for one: this fits “One” and “Other”"),
    ({"oneOf": [{"const": "s", "title": "Small"}, {"const": "m", "title": "Medium"}]}, "l", "Choose one of: Small, Medium"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "data", "sentence"), MISTAKES)
def test_a_sentence_says_what_to_do(schema: Any, data: Any, sentence: str) -> None:
    [said] = sentences(form_of(schema, data))
    assert said == sentence or (sentence.endswith("example ") and said.startswith(sentence))


def test_an_example_in_a_sentence_is_valid() -> None:
    for schema, data, _ in MISTAKES:
        [said] = sentences(form_of(schema, data))
        example = re.search(r"for example ([^ ]+)$", said)
        if example is None or "listed values" in said or "propertyNames" in schema:
            continue
        kinds = [example[1], *([float(example[1])] if re.fullmatch(r"[\d.]+", example[1]) else [])]
        assert any(form_of(schema, one).report.valid for one in kinds), said


def test_no_finding_of_a_near_miss_shows_what_is_for_developers() -> None:
    """Not a pointer, not a pattern, not a word of JSON, for any mistake in a countdown."""
    jargon = re.compile(
        r"\b(string|integer|array|object|null|boolean|member|schema|pattern)\b|/content/|\^"
    )
    seen = 0
    for case in widgetschema.widget_type("countdown").near_misses():
        for said in sentences(widgetschema.widget_type("countdown").form(case.data)):
            seen += 1
            assert not jargon.search(re.sub("“[^”]*”", "", said)), said
            assert said[:1].isupper() or said.startswith("“")
            assert not said.endswith(".")
    assert seen > 150


def test_inside_a_field_of_json_names_are_as_they_are_in_it() -> None:
    schema = {"type": "object", "propertyNames": {"maxLength": 3}, "dependencies": {"ab": ["cdE"]}}
    data = {"x": {"theMember": 1, "ab": 2}}
    described = {"type": "object", "properties": {"x": schema}}
    form = WidgetType.from_data_schema(described, id="x").form(data, ui={"/x": {"kind": "json"}})
    field = form.field("/x")
    assert field is not None
    assert field.kind == "json"
    assert sentences(form) == [
        "“cdE”: Fill this in (needed because “ab” is filled in)",
        "“theMember”: Rename this: shorten this by 6 characters: there is room for 3",
    ]


def test_what_is_typed_and_cannot_be_read() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "number"}, "j": {}, "e": {"enum": [1, 2]}},
    }
    form = WidgetType.from_data_schema(schema, id="x").form({"n": 1, "j": 1, "e": 1})
    typed = [("#/n", "3,5"), ("kind#/j", "6"), ("#/j;6", '{\n"a": 1,,}'), ("#/e", "unset!")]
    submission = form.submit(typed)
    said = {one.path: submission.form.sentence(one) for one in submission.report}
    assert said["/n"] == "Enter a number, for example 3"
    assert said["/j"] == "Check the commas, quotes and brackets near line 2: this cannot be read"
    assert said["/e"] == "Choose one of: 1, 2"


@pytest.mark.parametrize("names", [{"type": "array"}, {"enum": [True]}, {"type": "boolean"}, False])
def test_a_name_that_could_only_be_another_value_has_no_button(names: Any) -> None:
    form = WidgetType.from_data_schema({"propertyNames": names}, id="x").form({"true": 1})
    [finding] = form.report
    assert form.button(finding) is None
    assert form.page()


def test_a_finding_of_a_form_is_equal_to_that_of_the_validator() -> None:
    countdown = widgetschema.widget_type("countdown")
    data = {"content": {"timerDays": "3"}}
    report, checked = countdown.form(data).report, countdown.check(data)
    assert {one.message for one in checked} == {one.message for one in report}
    one = next(found for found in report if found.keyword == "type")
    other = next(found for found in checked if found.keyword == "type")
    assert isinstance(one, FormFinding)
    assert one == other.with_position(one.line, one.column)
    assert hash(one) == hash(other.with_position(one.line, one.column))
    assert one != other.with_path("/elsewhere", ())
    copied = pickle.loads(pickle.dumps(one))
    assert type(copied) is Finding
    assert copied == one


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("^[a-zA-Z]+$", "Use only small letters (a–z) and capital letters (A–Z)"),
        (r"^\d{4}$", "Use only digits, exactly 4 characters"),
        (r"^[\d. _-]*$", "Use only digits, spaces, ., _ and -"),
        ("^shop", "Begin this with “shop”"),
        (r"\.png$", "End this with “.png”"),
        ("^(a|b-c)$", "Choose one of: a, b-c"),
        (r"\S", "Fill this in: spaces alone are not enough"),
        ("^https?://", "Begin this with “https://” or “http://”"),
        ("^[a-f]+$", None),
        ("^[^a]+$", None),
        ("^[+-/]+$", None),
        (r"^[\w]+$", None),
        ("^a+$", None),
        ("a", None),
        ("^[a-z]{1,3}$", None),
        (r"^a\d$", None),
    ],
)
def test_patterns_that_can_be_said(pattern: str, said: str | None) -> None:
    assert pattern_advice(advice(), pattern) == said


def test_a_hostile_pattern_has_no_example_and_does_not_stop_the_form() -> None:
    [said] = sentences(form_of({"pattern": "^(?=a{50000}$)b"}, "x"))
    assert said == "Enter this in the right form"
    examples = Examples(WidgetType.from_data_schema({"pattern": "(a+)+$"}).validator)
    assert examples.text(("",)) is None or len(examples.text(("",))) <= 60
