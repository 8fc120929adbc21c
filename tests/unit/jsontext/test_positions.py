"""Positions: every JSON Pointer leads to its value in the text, and findings to their line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.findings import Finding
from widgetschema.jsontext import Location, SourceText
from widgetschema.pointers import escape_token


def finding(path: str, keyword: str = "type", message: str = "") -> Finding:
    return Finding(keyword, path, "", message)


def places(text: str, *findings: Finding, line_offset: int = 0) -> list[str]:
    """Line, column and path of the findings, placed."""
    placed = SourceText(text, line_offset).place(findings)
    return [f"{one.line}:{one.column} {one.path}" for one in placed]


# ---- A writer that spells JSON as freely as the grammar allows, and knows where it put what ----

NAMES = st.sampled_from(
    [
        "",
        "/",
        "~",
        "~1",
        "~0/",
        'a"b',
        "a\\",
        "é",
        "😀",
        "a\nb",
        "0",
        "1",
        "-",
        " ",
        "{",
        "]",
        "\u2028",
        "name",
        "kind",
    ]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "]", '[{"', "\\", ",:", "é😀", "\n", "name", "kind"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
SPACE = st.sampled_from(["", "", "", " ", "\n", "\r\n", "\t", "\r", " \n  "])


class Writer:
    """One text, and the location of everything in it by its pointer."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.located: dict[str, Location] = {}

    def space(self) -> None:
        self.text += self.draw(SPACE)

    def string(self, string: str) -> None:
        text = json.dumps(string, ensure_ascii=self.draw(st.booleans()))
        if "/" in text and self.draw(st.booleans()):
            text = text.replace("/", "\\/")
        if string.isalnum() and string.isascii() and self.draw(st.booleans()):
            text = '"' + "".join(f"\\u{ord(character):04X}" for character in string) + '"'
        self.text += text

    def value(self, value: Any, pointer: str, key: tuple[int | None, int | None]) -> None:
        self.space()
        start = len(self.text)
        if isinstance(value, str):
            self.string(value)
        elif isinstance(value, dict):
            self.members(
                [(escape_token(name), name, item) for name, item in value.items()], pointer, "{}"
            )
        elif isinstance(value, list):
            self.members(
                [(str(index), None, item) for index, item in enumerate(value)], pointer, "[]"
            )
        else:
            self.text += json.dumps(value)
        self.located[pointer] = Location(start, len(self.text), *key)
        self.space()

    def members(
        self, members: list[tuple[str, str | None, Any]], pointer: str, brackets: str
    ) -> None:
        self.text += brackets[0]
        for number, (token, name, item) in enumerate(members):
            self.text += "," if number else ""
            self.space()
            key: tuple[int | None, int | None] = (None, None)
            if name is not None:
                start = len(self.text)
                self.string(name)
                key = (start, len(self.text))
                self.space()
                self.text += ":"
            self.value(item, f"{pointer}/{token}", key)
        self.space()
        self.text += brackets[1]


@st.composite
def written(draw: st.DrawFn) -> tuple[Any, str, dict[str, Location]]:
    value = draw(VALUES)
    writer = Writer(draw)
    writer.value(value, "", (None, None))
    return value, writer.text, writer.located


def at(value: Any, pointer: str) -> Any:
    """The value that a pointer leads to, as RFC 6901 says it."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


@given(written(), st.data())
def test_every_pointer_leads_to_its_value(
    document: tuple[Any, str, dict[str, Location]], data: st.DataObject
) -> None:
    value, text, expected = document
    assert json.loads(text) == value
    wanted = data.draw(st.lists(st.sampled_from(sorted(expected)), max_size=8))
    for pointers in (expected, wanted, [*wanted, "/not there", "/0/not there"]):
        located = SourceText(text).locate(pointers)
        assert SourceText(text, value=value).locate(pointers) == located
        assert located == {
            pointer: expected[pointer] for pointer in pointers if pointer in expected
        }
        for pointer, location in located.items():
            assert json.loads(text[location.start : location.end]) == at(value, pointer)
            if location.key_start is not None:
                name = json.loads(text[location.key_start : location.key_end])
                assert pointer.endswith("/" + escape_token(name))
    assert SourceText(text.encode()).locate(expected) == expected


@given(written(), st.data())
def test_findings_are_placed_in_the_order_of_the_text(
    document: tuple[Any, str, dict[str, Location]], data: st.DataObject
) -> None:
    _, text, expected = document
    keywords = st.sampled_from(["type", "additionalProperties"])
    chosen = data.draw(st.lists(st.tuples(keywords, st.sampled_from(sorted(expected))), max_size=8))
    findings = [finding(path, keyword) for keyword, path in chosen]
    placed = SourceText(text, line_offset=10).place(findings)
    offsets = []
    for one in placed:
        location = expected[one.path]
        offset = location.start
        if one.keyword == "additionalProperties" and location.key_start is not None:
            offset = location.key_start
        before = text[:offset]
        assert one.line == 11 + before.count("\n")
        assert one.column == len(before.rpartition("\n")[2]) + 1
        offsets.append(offset)
    assert offsets == sorted(offsets)
    assert sorted((one.keyword, one.path) for one in placed) == sorted(chosen)


# ---- Examples ----

TEXT = """{
  "a": [1, {"b": null}],
  "": {"": true},
  "a/b": "x", "m~n": "y",
  "a\\"b": "]}",
  "\\u00e9": "é",
  "😀": {"c": 2, "d": 3}
}"""


@pytest.mark.parametrize(
    "pointer",
    ["/b", "/a/2", "/a/-", "/a/00", "/a/-1", "/a/0/0", "/a/b", "/A", "///", "/a~1b/0", "/a/"],
)
def test_what_is_not_there_is_not_located(pointer: str) -> None:
    assert SourceText(TEXT).locate([pointer]) == {}
    assert set(SourceText(TEXT).locate([pointer, "/a"])) == {"/a"}


@pytest.mark.parametrize("text", ['{"a', "{1: 2}", "[[1, 2"])
def test_text_that_is_not_json_is_an_error_of_the_caller(text: str) -> None:
    with pytest.raises(ValueError, match=r"^not JSON at offset \d+: read the text before"):
        SourceText(text).locate(["/a/b", "/0", "/9"])


@pytest.mark.parametrize(
    "keyword", ["additionalProperties", "propertyNames", "false", "json.duplicate-member"]
)
def test_findings_about_a_name_are_at_the_name(keyword: str) -> None:
    text = '{\n  "a" :\n    1\n}'
    assert places(text, finding("/a", keyword)) == ["2:3 /a"]
    assert places(text, finding("/a")) == ["3:5 /a"]
    source = SourceText(text)
    assert source.span(finding("/a", keyword), source.locate(["/a"])) == (4, 7)
    assert source.offset(finding("/a", keyword), source.locate(["/a"])) == 4


@pytest.mark.parametrize(
    ("text", "pointer", "place"),
    [
        ('{"a": {"b": "c"}, "b": 1}', "/b", "1:24"),
        ('{"b": {"a": 1}, "a": 2}', "/a", "1:22"),
        ('{"x": ["a", {"a": [0, 5]}]}', "/x/1/a/1", "1:23"),
        ('{"x": "\\"a", "\\u0061": 3}', "/a", "1:24"),
        ('{"x": "\\"a\\"", "a": 3}', "/a", "1:21"),
        ('{"y": ",", ",": 3}', "/,", "1:17"),
        ('{"a": {"b": 0}, "c": 1}', "/a/c", "1:7"),
    ],
)
def test_a_name_that_is_elsewhere_too_leads_nobody_astray(
    text: str, pointer: str, place: str
) -> None:
    (placed,) = SourceText(text, value=json.loads(text)).place([finding(pointer)])
    assert f"{placed.line}:{placed.column}" == place


def test_findings_about_a_name_that_there_is_not_are_at_the_value() -> None:
    assert places("[\n1]", finding("/0", "false"), finding("", "false")) == ["1:1 ", "2:1 /0"]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/a/1/c", "2:12"),
        ("/a/1/c/d/e", "2:12"),
        ("/a/7/b", "2:8"),
        ("/b/c", "1:1"),
        ("/a/0/b/c", "2:9"),
        ("nonsense", "1:1"),
    ],
)
def test_findings_at_what_is_not_there_are_at_what_is_around(path: str, place: str) -> None:
    assert places(TEXT, finding(path)) == [f"{place} {path}"]


def test_place_keeps_the_rest_of_a_finding_and_the_order_of_equals() -> None:
    one = Finding("minimum", "/a", "/properties/a/minimum", "too small", "more", expected=5)
    others = [finding("/a", message="second"), finding("", message="first")]
    placed = SourceText('{"a": 1}').place([one, *others])
    assert [found.message for found in placed] == ["first", "too small", "second"]
    assert placed[1] == Finding(
        "minimum", "/a", "/properties/a/minimum", "too small", "more", 1, 7, expected=5
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1}', "1:7 /a"),
        ('\n\n{"a": 1}', "3:7 /a"),
        ('{\r\n"a":\r\n 1}', "3:2 /a"),
        ('{\r"a": 1}', "1:8 /a"),
        ('{"é😀": 0, "a": 1}', "1:16 /a"),
        ('{"\\ud83d\\ude00": 0, "a": 1}', "1:26 /a"),
        ('{"x": "\u2028\x85",\n"a": 1}', "2:6 /a"),
        ("{\t\"a\":\t1}", "1:8 /a"),
    ],
    ids=["one line", "lines before", "CRLF", "CR is no line", "characters", "escapes", "other breaks", "tabs"],
)  # fmt: skip
def test_lines_and_columns(text: str, place: str) -> None:
    assert places(text, finding("/a")) == [place]


def test_a_text_that_is_a_line_of_a_file() -> None:
    assert places('{"a":\n1}', finding("/a"), finding(""), line_offset=41) == ["42:1 ", "43:1 /a"]
    assert SourceText("ab\nc", 4).positions([0, 1, 3, 3, 4]) == [
        (5, 1),
        (5, 2),
        (6, 1),
        (6, 1),
        (6, 2),
    ]


def test_bytes_that_are_not_utf_8_have_a_text_nevertheless() -> None:
    assert SourceText(b'["\xff", 1]').text == '["�", 1]'


def test_many_pointers() -> None:
    items = [{"id": index, "tags": ["[", "]"] * 3} for index in range(10_000)]
    text = json.dumps(items, indent=1)
    pointers = [f"/{index}/id" for index in range(10_000)]
    located = SourceText(text).locate(reversed(pointers))
    assert [text[located[pointer].start : located[pointer].end] for pointer in pointers] == [
        str(index) for index in range(10_000)
    ]
    placed = SourceText(text).place([finding(pointer) for pointer in reversed(pointers)])
    assert [one.path for one in placed] == pointers
    assert len({one.line for one in placed}) == 10_000


def test_any_depth() -> None:
    depth = 5_000
    text = "[" * depth + "7" + "]" * depth
    pointer = "/0" * depth
    assert SourceText(text).locate([pointer]) == {pointer: Location(depth, depth + 1)}
    assert SourceText(text).locate([""]) == {"": Location(0, len(text))}
