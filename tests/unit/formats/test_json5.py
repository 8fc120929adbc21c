"""JSON5 and JSONC: their values, places, and what is refused."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.errors import UnreadableDocument
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import Limits

Kind = Literal["json5", "jsonc"]


def value_of(text: str, kind: Kind = "json5") -> Any:
    [parsed] = parse(text, kind)
    return parsed.value


def refused(text: str, kind: Kind = "json5", limits: Limits = Limits()) -> list[str]:  # noqa: B008
    with pytest.raises(UnreadableDocument) as caught:
        parse(text, kind, limits)
    return [finding.headline for finding in caught.value.report]


# https://spec.json5.org, section by section

VALUES: list[tuple[str, Any]] = [
    ("{a: 1, $b_1: 2, ünï: 3, \\u0061b: 4, _: 5}", {"a": 1, "$b_1": 2, "ünï": 3, "ab": 4, "_": 5}),
    ("{Infinity: 1, NaN: 2, null: 3, true: 4}", {"Infinity": 1, "NaN": 2, "null": 3, "true": 4}),
    ("{'a': 1, \"b\": 2,}", {"a": 1, "b": 2}),
    ("[1, 2,]", [1, 2]),
    ("[[], {}, [,]]"[:8] + "]", [[], {}]),
    ("'a\"b'", 'a"b'),
    ("'it\\'s'", "it's"),
    ('"it\'s"', "it's"),
    ("'\\x41\\u0042\\v\\0\\a\\/\\\n\\\r\n\\\u2028c'", "AB\v\0a/c"),
    ("'\\ud83d\\ude00😀'", "😀😀"),
    ("'a\tb\u2028c'", "a\tb\u2028c"),
    ("[+1, -1, .5, -.5, 5., 5.e1, 1E+2, +0]", [1, -1, 0.5, -0.5, 5, 50.0, 100.0, 0]),
    ("[0x1F, 0XaB, -0x10, +0x0]", [31, 171, -16, 0]),
    ("// a\n/* b\n * c */ 1 // d", 1),
    ("\ufeff\u00a0\v\f\u3000[1]\u2029", [1]),
    ("'// no comment, /* either */ ,]'", "// no comment, /* either */ ,]"),
    ("{a: [{b: {c: 'd',},},],}", {"a": [{"b": {"c": "d"}}]}),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values(text: str, value: Any) -> None:
    assert value_of(text) == value
    assert repr(value_of(f"[{text}\n]")) == repr([value_of(text)])


REFUSED = [
    ("[Infinity, -Infinity, +Infinity, NaN]",
     [f"1:{column} json.number /{index}: JSON has no {text}"
      for index, (column, text) in enumerate([(2, "Infinity"), (12, "-Infinity"), (23, "+Infinity"), (34, "NaN")])]),
    ("{a: 1,\n 'a': 2}", ['2:2 json.duplicate-member /a: the member "a" appears twice']),
    ("[010]", ["1:2 json.syntax /0: expected a value, found '010'"]),
    ("[-1+1]", ["1:2 json.syntax /0: expected a value, found '-1+1'"]),
    ("[1e1-3]", ["1:2 json.syntax /0: expected a value, found '1e1-3'"]),
    ("[0x1F+1]", ["1:2 json.syntax /0: expected a value, found '0x1F+1'"]),
    ("'\\01'", ["1:1 json.syntax (root): the string that begins here has an escape that is not valid in JSON5"]),
    ("[,]", ["1:2 json.syntax /0: expected a value, found ','"]),
    ("[1,,]", ["1:4 json.syntax /1: expected a value, found ','"]),
    ("{,}", ["1:2 json.syntax (root): expected a member name, found ','"]),
    ("{a: 1 /* c */\n b: 2}", ["2:2 json.syntax (root): expected ',' or '}', found 'b'"]),
    ("{a b}", ["1:4 json.syntax /a: expected ':' after the member name, found 'b'"]),
    ("[a]", ["1:2 json.syntax /0: expected a value, found 'a'"]),
    ("{1: 2}", ["1:2 json.syntax (root): expected a member name, found '1'"]),
    ("{a: True}", ["1:5 json.syntax /a: JSON has no True"]),
    ("{a: 'x}", ["1:5 json.syntax (root): the string that begins here has no closing quote"]),
    ("['a\nb']", ["1:2 json.syntax (root): the string that begins here has no closing quote"]),
    ("'\\1'", ["1:1 json.syntax (root): the string that begins here has an escape that is not valid in JSON5"]),
    ("'\\xg0'", ["1:1 json.syntax (root): the string that begins here has an escape that is not valid in JSON5"]),
    ("1 /* x", ["1:3 json.syntax (root): the comment that begins here is not closed"]),
    ("# x\n1", ["1:1 json.syntax (root): a comment begins with // or /*"]),
    ("", ["1:1 json.empty (root): the text is empty, but must hold one JSON value"]),
    ("// x\n", ["2:1 json.empty (root): the text holds only white space, but must hold one JSON value"]),
    ("0x" + "f" * 400, ["1:1 json.number (root): the number 1e999 is too large for a double (about 1.8e308)"]),
    ("'\\ud83d'", ["1:1 json.surrogate (root): half of a surrogate pair (U+D83D) is not a character"]),
    ("[\x1c1]", ["1:2 json.syntax /0: expected a value, found '\\u001c'"]),
    ("{a: 1,\n<<<<<<< x\n}", ["2:1 json.syntax (root): there is a Git conflict marker, '<<<<<<<'"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "headlines"), REFUSED, ids=[row[0][:20] for row in REFUSED])
def test_refused(text: str, headlines: list[str]) -> None:
    assert refused(text) == headlines


def test_limits() -> None:
    assert "json.depth" in refused("[" * 300)[0]
    assert "json.size" in refused("[1, 2]", limits=Limits(max_bytes=5))[0]


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("{'a': 1}", "1:2 json.syntax (root): a member name in single quotes is not allowed"),
        ("{a: 1}", "1:2 json.syntax (root): expected a member name, found 'a'"),
        ("[0x1]", "1:2 json.syntax /0: expected a value, found '0x1'"),
        ("[+1]", "1:2 json.syntax /0: expected a value, found '+1'"),
        ("[1]\f", "1:4 json.syntax (root): unexpected '\\f' after the end of the value"),
        ("\ufeff[1]", "1:1 json.encoding (root): the text begins with a byte order mark, which JSON does not allow"),
    ],
)  # fmt: skip
def test_jsonc_has_comments_and_commas_only(text: str, headline: str) -> None:
    assert refused(text, "jsonc") == [headline]


def test_jsonc() -> None:
    text = '// a\n{"b": [1, /* 2, */ 3,], // "c\n "d//": "/*",\n}\n'
    assert value_of(text, "jsonc") == {"b": [1, 3], "d//": "/*"}


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)  # fmt: skip


@given(NESTED, st.sampled_from(["json5", "jsonc"]), st.sampled_from([None, 1]), st.booleans())
def test_json_is_both(value: Any, kind: Kind, indent: int | None, ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    try:
        expected = repr(parse(text, "json")[0].value)
    except UnreadableDocument:
        refused(text, kind)
        return
    assert repr(value_of(text, kind)) == expected


TEXT = "// é😀\n{ a: 'b',\n  /* c */ 'd': [+1, 0x2, {e: \"f\\\ng\",},],\n  \"h\": 1, }"


@pytest.mark.parametrize(
    ("pointer", "marked", "key"),
    [
        ("/a", "'b'", "a"),
        ("/d", '[+1, 0x2, {e: "f\\\ng",},]', "'d'"),
        ("/d/0", "+1", None),
        ("/d/1", "0x2", None),
        ("/d/2/e", '"f\\\ng"', "e"),
        ("/h", "1", '"h"'),
    ],
)
def test_places(pointer: str, marked: str, key: str | None) -> None:
    [parsed] = parse(TEXT, "json5")
    place = parsed.source.locate([pointer])[pointer]
    assert TEXT[place.start : place.end] == marked
    assert (None if place.key_start is None else TEXT[place.key_start : place.key_end]) == key


def test_lines_are_those_of_the_text() -> None:
    [parsed] = parse(TEXT, "json5")
    places = parsed.source.locate(["/h", "/x"])
    assert parsed.source.positions([places["/h"].start]) == [(5, 8)]
    assert "/x" not in places


@pytest.mark.parametrize(
    ("text", "pointer", "new", "written"),
    [
        ("['a']", "/0", '"it\'s"', "'it\\'s'"),
        ("['a']", "/0", '"a\\"b\\\\"', "'a\"b\\\\'"),
        ("['30']", "/0", "30", "30"),
        ('["a"]', "/0", '"b"', '"b"'),
        ("[30]", "/0", '"30"', None),
        ("[null]", "/0", '"30"', None),
        ("[{}]", "/0", "30", None),
        ("['a\\\nb']", "/0", '"b"', None),
    ],
)
def test_tokens(text: str, pointer: str, new: str, written: str | None) -> None:
    [parsed] = parse(text, "json5")
    place = parsed.source.locate([pointer])[pointer]
    assert parsed.source.token(place.start, place.end, new) == written
    if written is not None:
        assert value_of(text[: place.start] + written + text[place.end :]) == [json.loads(new)]


@pytest.mark.parametrize(("new", "written"), [('"b"', "b"), ('"b c"', '"b c"'), ('"é"', '"é"')])
def test_names_keep_their_style(new: str, written: str) -> None:
    [parsed] = parse("{a: 1}", "json5")
    place = parsed.source.locate(["/a"])["/a"]
    assert place.key_start is not None
    assert place.key_end is not None
    assert parsed.source.token(place.key_start, place.key_end, new) == written


@pytest.mark.parametrize("part", [".5,", "'',", "/**/", "0x1,", "{a:1},", "[1,],"])
def test_the_number_of_translated_places_is_limited(part: str) -> None:
    text = f"[{part * 1_500}0]"
    [headline] = refused(text, limits=Limits(max_bytes=20_000))
    assert "json.size" in headline
    assert "JSON writes more than 1,000 places of the file differently" in headline
    assert parse(text.encode(), "json5", Limits(max_bytes=200_000))
