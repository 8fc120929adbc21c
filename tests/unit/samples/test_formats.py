"""Texts of formats, together with patterns, lengths and what is refused."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.effort import calls
from tests.format_texts import texts
from widgetschema import CannotGenerate, Validator, WidgetType
from widgetschema.samples.values.grammars import GRAMMARS
from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.keywords import FORMATS

ENGINES = ("rust", "python")
KEYWORDS = {
    "base64": {"contentEncoding": "base64"},
    "application/json": {"contentMediaType": "application/json"},
}


def widget_type(schema: Any) -> WidgetType:
    return WidgetType.from_data_schema(schema, id="x")


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_text_of_a_grammar_has_the_format(name: str) -> None:
    grammar = GRAMMARS[name]
    schema = KEYWORDS.get(name, {"format": name})
    engines = [Validator(schema, engine=engine) for engine in ENGINES]
    refused = {"anyOf": [{"pattern": pattern} for pattern in (*grammar.missed, "(?!)")]}
    of_grammar = Validator(
        {
            "allOf": [{"pattern": pattern} for pattern in grammar.matched],
            "not": refused,
            "maxLength": grammar.longest or 1_000,
        }
    )
    rnd = random.Random(name)
    make = TextPattern(grammar.matched[0]).make
    made = (make(rnd.randrange, rnd.choice((0, 0, 5, 30))) for _ in range(300))
    some = [text for text in made if text is not None]
    some += texts(name, 300, 1) if name in FORMATS else ()
    some = [*filter(of_grammar.is_valid, some)]
    assert len(some) > 30 or name == "date"
    assert [text for text in some if not all(one.is_valid(text) for one in engines)] == []


# Each with the number of different texts that there are, or of those that are enough.
COMBINED: list[tuple[dict[str, Any], int]] = [
    ({"format": "email", "pattern": "@gmail\\."}, 8),
    ({"format": "email", "pattern": "@(foo|bar)\\.de$"}, 5),
    ({"format": "email", "maxLength": 6}, 3),
    ({"format": "email", "maxLength": 3}, 1),
    ({"format": "email", "minLength": 200, "maxLength": 200}, 2),
    ({"format": "email", "pattern": "@gmail\\.", "maxLength": 12, "not": {"pattern": "^a"}}, 1),
    ({"format": "email", "pattern": '^"'}, 1),
    ({"format": "idn-email", "pattern": "ö"}, 3),
    ({"format": "hostname", "minLength": 3, "maxLength": 10}, 4),
    ({"format": "hostname", "minLength": 250, "maxLength": 253}, 2),
    ({"format": "hostname", "pattern": "^[a-z]+$"}, 2),
    ({"format": "idn-hostname", "pattern": "^ä", "maxLength": 8}, 2),
    ({"format": "ipv4", "minLength": 15, "maxLength": 15}, 2),
    ({"format": "ipv4", "pattern": "^10\\."}, 3),
    ({"format": "ipv6", "minLength": 39, "maxLength": 39}, 2),
    ({"format": "ipv6", "minLength": 45}, 1),
    ({"format": "ipv6", "maxLength": 2}, 1),
    ({"format": "ipv6", "pattern": "^fe80:"}, 2),
    ({"format": "date-time", "minLength": 35}, 10),
    ({"format": "date-time", "minLength": 300}, 2),
    ({"format": "date-time", "pattern": "\\.[0-9]{3}\\+05:30$"}, 10),
    ({"format": "date-time", "pattern": ":60Z"}, 1),
    ({"format": "date", "pattern": "-02-29$"}, 1),
    ({"format": "date", "pattern": "^0000"}, 5),
    ({"format": "date", "not": {"pattern": "^20"}}, 5),
    ({"format": "time", "pattern": "\\.5", "minLength": 14}, 3),
    ({"format": "uri", "pattern": "youtu\\.be"}, 8),
    ({"format": "uri", "pattern": "^urn:isbn:"}, 5),
    ({"format": "uri", "maxLength": 4}, 1),
    ({"format": "uri", "pattern": "^https://a\\.b/", "minLength": 500}, 2),
    ({"format": "uri", "pattern": "\\bfoo\\b"}, 5),
    ({"format": "uri-reference", "pattern": "^\\./.*\\.json$"}, 1),
    ({"format": "uri-template", "pattern": "\\{user\\}"}, 3),
    ({"format": "iri", "pattern": "ß/ü"}, 3),
    ({"format": "iri-reference", "minLength": 100}, 5),
    ({"format": "json-pointer", "pattern": "^/definitions/"}, 3),
    ({"format": "relative-json-pointer", "pattern": "#$", "minLength": 4}, 1),
    ({"format": "regex", "minLength": 40}, 3),
    ({"format": "regex", "pattern": "^\\^foo"}, 1),
    ({"format": "uuid", "pattern": "^a"}, 10),
    ({"format": "uuid", "pattern": "^x"}, 1),  # asserts nothing
    ({"format": "unheard-of", "pattern": "^x$"}, 1),
    ({"allOf": [{"format": "hostname"}, {"format": "ipv4"}]}, 1),
    ({"allOf": [{"pattern": "a"}, {"pattern": "b"}, {"pattern": "^c"}], "maxLength": 3}, 1),
    ({"format": "uri", "pattern": "^(?=.*[0-9])(?!ftp:).{8,}$"}, 5),
    ({"oneOf": [{"format": "email", "maxLength": 200}, {"format": "email", "maxLength": 30}]}, 3),
    ({"oneOf": [{"format": "uri"}, {"format": "uri", "pattern": "^https:"}]}, 3),
    ({"format": "hostname", "not": {"format": "hostname", "pattern": "e", "minLength": 3}}, 2),
    ({"contentEncoding": "base64", "minLength": 100}, 1),
    ({"contentEncoding": "base64", "pattern": "^QQ"}, 1),
    ({"contentMediaType": "application/json", "pattern": "foo"}, 1),
    ({**KEYWORDS["base64"], **KEYWORDS["application/json"], "minLength": 30}, 3),
]


@pytest.mark.filterwarnings("ignore:.*left out")  # a branch that excludes another one
@pytest.mark.parametrize(("schema", "different"), COMBINED)
def test_formats_with_patterns_and_lengths(schema: dict[str, Any], different: int) -> None:
    schema = {"type": "string", **schema}
    kind = widget_type(schema)
    made: list[str] = []
    assert calls(lambda: made.extend(kind.samples(40))) < 6_000_000
    assert len({*made}) >= different
    for engine in ENGINES:
        assert all(map(Validator(schema, engine=engine).is_valid, (*made, kind.minimal())))


def test_as_much_as_possible_of_a_realistic_text_stays() -> None:
    kind = widget_type({"type": "string", "format": "email", "pattern": "@gmail\\."})
    names = {address.partition("@")[0] for address in kind.samples(200)}
    assert {"info", "ann.lee", "support"} <= names
    kind = widget_type({"type": "string", "format": "uri", "pattern": "youtu\\.be"})
    assert all(address.startswith("https://example.") for address in kind.samples(100))


def test_an_optional_member_that_is_left_out_is_named() -> None:
    never = {"allOf": [{"format": "email"}, {"format": "uri"}]}
    members = {"a": {"type": "string", **never}, "b": {"type": ["string", "null"], **never}}
    kind = widget_type(
        {
            "type": "object",
            "properties": {**members, "c": {"type": "array", "items": members["a"]}},
            "required": ["b"],
        }
    )
    with pytest.warns(UserWarning, match="left out") as warned:
        made = [*kind.samples(20, fill=1)]
    assert all("a" not in one and one["b"] is None and not one["c"] for one in made)
    said = [str(one.message) for one in warned]
    assert [text.partition(":")[0] for text in said] == ["/a", "/b", "/c/0"]
    assert said[0].startswith("/a: left out: /properties/a: no text was found that fits all of: ")
    with pytest.raises(CannotGenerate, match="no text was found"):
        widget_type(members["a"]).sample()


@pytest.mark.parametrize(
    ("around", "refused"),
    [
        ({"maxLength": 3}, {"maxLength": 9}),
        ({"minLength": 3}, {"minLength": 2}),
        ({"pattern": "a"}, {"pattern": "a"}),
        ({"pattern": "^b?a$"}, {"pattern": "a$"}),
        ({}, {"allOf": [{}]}),
        ({}, {"properties": {}}),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_text_that_cannot_be_is_not_missed(around: Any, refused: Any) -> None:
    either = {"oneOf": [{"type": ["string", "null"]}, {"type": "string", **refused}], **around}
    assert {*widget_type(either).samples(20)} == {None}


@pytest.mark.parametrize(
    ("text", "number"),
    [({"format": "email", "maxLength": 6}, 30), ({"format": "ipv6", "minLength": 30}, 40)],
)
def test_many_items_that_differ(text: dict[str, Any], number: int) -> None:
    items = {"type": "string", **text}
    schema = {"type": "array", "items": items, "uniqueItems": True, "minItems": number}
    for engine in ENGINES:
        assert Validator(schema, engine=engine).is_valid(widget_type(schema).sample())
