"""Positions in TOML: where a generated text says each value is, and texts that are no fun."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import bounded, scaled
from widgetschema.formats.toml import (
    Position,
    TomlError,
    deep_nesting,
    line_and_column,
    long_key,
    parse,
    positions,
)
from widgetschema.pointers import escape_token

NAMES = st.sampled_from(
    ["a", "b", "c-d", "1", "0", "a.b", "é", "", "a b", 'q"q', "it's", "x/y~z", "#", "a\tb", "[x]"]
)
TEXTS = st.text(alphabet="ab \"'\\#[]{},=.\n\té→", max_size=12)
SCALARS = st.one_of(
    st.integers(-99, 99),
    st.booleans(),
    st.sampled_from([1.5, -0.25, 1e10]),
    st.sampled_from([date(1979, 5, 27), datetime(1979, 5, 27, 7, 32)]),
    TEXTS,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(NAMES, inner, max_size=3),
        st.lists(st.dictionaries(NAMES, inner, max_size=2), min_size=1, max_size=3),
    ),
    max_leaves=12,
)
Draw = Callable[[Any], Any]


class Writer:
    """Writes a value as TOML, in whatever style is drawn, and keeps where everything is."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.text = ""
        self.keys: dict[str, int] = {}
        self.values: dict[str, int] = {}

    def chance(self) -> bool:
        return bool(self.draw(st.booleans()))

    def blank(self) -> None:
        self.text += self.draw(st.sampled_from(["", " ", "\t "]))

    def space(self) -> None:
        """Add a text that may be between the items of an array."""
        self.text += self.draw(st.sampled_from(["", " ", "\n", "\n  ", ' # ] } "\' """ \n']))

    def end_line(self) -> None:
        self.text += self.draw(st.sampled_from(["\n", " # a = [1]\n", "\n\n", "\t\n  # '''\n"]))

    def mention(self, pointer: str) -> None:
        self.keys.setdefault(pointer, len(self.text))
        self.values.setdefault(pointer, self.keys[pointer])

    def name(self, name: str) -> None:
        styles = [json.dumps(name, ensure_ascii=False)]
        if re.fullmatch(r"[A-Za-z0-9_-]+", name):
            styles += [name, name]
        if "'" not in name:
            styles.append(f"'{name}'")
        if all(ord(character) < 0x10000 for character in name):
            styles.append('"' + "".join(f"\\u{ord(character):04x}" for character in name) + '"')
        self.text += self.draw(st.sampled_from(styles))

    def dotted(self, names: list[str], pointers: list[str]) -> None:
        for index, (name, pointer) in enumerate(zip(names, pointers, strict=True)):
            if index:
                self.blank()
                self.text += "."
                self.blank()
            self.mention(pointer)
            self.name(name)

    def string(self, text: str) -> None:
        styles = [json.dumps(text, ensure_ascii=False)]
        escaped = text.replace("\\", "\\\\").replace('"""', '""\\"')
        styles.append(f'"""\n{escaped}"""')
        if "'" not in text and "\n" not in text:
            styles.append(f"'{text}'")
        if "'''" not in text:
            styles.append(f"'''\n{text}'''")
        self.text += self.draw(st.sampled_from(styles))

    def value(self, value: Any, pointer: str) -> None:
        self.values[pointer] = len(self.text)
        self.keys.setdefault(pointer, len(self.text))
        if isinstance(value, str):
            self.string(value)
        elif isinstance(value, dict):
            self.inline(value, pointer)
        elif isinstance(value, list):
            self.array(value, pointer)
        elif isinstance(value, datetime):
            self.text += value.isoformat(self.draw(st.sampled_from([" ", "T"])))
        else:
            self.text += json.dumps(value) if not isinstance(value, date) else value.isoformat()

    def array(self, items: list[Any], pointer: str) -> None:
        self.text += "["
        for index, item in enumerate(items):
            self.space()
            self.value(item, f"{pointer}/{index}")
            self.space()
            if index + 1 < len(items) or self.chance():
                self.text += ","
        self.space()
        self.text += "]"

    def inline(self, table: dict[str, Any], pointer: str) -> None:
        self.text += "{"
        pairs = list(self.pairs(table, [], pointer, dotted=True))
        for index, (names, pointers, value) in enumerate(pairs):
            self.blank()
            self.pair(names, pointers, value)
            self.blank()
            if index + 1 < len(pairs):
                self.text += ","
        self.text += "}"

    def pair(self, names: list[str], pointers: list[str], value: Any) -> None:
        self.dotted(names, pointers)
        self.blank()
        self.text += "="
        self.blank()
        self.value(value, pointers[-1])

    def pairs(self, table: dict[str, Any], names: list[str], around: str, *, dotted: bool) -> Any:
        """The members of a table as pairs: (names, pointers, value), with dotted names perhaps."""
        for name, value in table.items():
            pointer = f"{around}/{escape_token(name)}"
            way = [*names, name]
            if dotted and isinstance(value, dict) and value and self.chance():
                for inner, pointers, item in self.pairs(value, way, pointer, dotted=True):
                    yield inner, [pointer, *pointers], item
            else:
                yield way, [pointer], value

    def table(self, table: dict[str, Any], names: list[str], pointers: list[str]) -> None:
        """The members of a table, behind its header: pairs first, then further headers."""
        around = pointers[-1] if pointers else ""
        later: dict[str, Any] = {}
        now: dict[str, Any] = {}
        for name, value in table.items():
            is_items = isinstance(value, list) and value and all(type(i) is dict for i in value)
            as_header = (isinstance(value, dict) or is_items) and self.chance()
            (later if as_header else now)[name] = value
        for pair in self.pairs(now, [], around, dotted=True):
            self.blank()
            self.pair(*pair)
            self.end_line()
        for name, value in later.items():
            pointer = f"{around}/{escape_token(name)}"
            way, places = [*names, name], [*pointers, pointer]
            if isinstance(value, dict):
                self.header(way, places)
                self.table(value, way, places)
                continue
            for index, item in enumerate(value):
                place = f"{pointer}/{index}"
                self.header(way, places, item=place)
                self.table(item, way, [*pointers, place])

    def header(self, names: list[str], pointers: list[str], item: str | None = None) -> None:
        self.blank()
        if item is not None:
            self.keys[item] = self.values[item] = len(self.text)
        self.text += "[[" if item is not None else "["
        self.blank()
        self.dotted(names, pointers)
        self.blank()
        self.text += "]]" if item is not None else "]"
        self.end_line()


@st.composite
def documents(draw: Draw) -> tuple[str, dict[str, Any], dict[str, Position]]:
    """A text, its value, and where in it everything is."""
    value = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    writer = Writer(draw)
    writer.table(value, [], [])
    places = {
        pointer: Position(
            *line_and_column(writer.text, writer.values[pointer]),
            *line_and_column(writer.text, writer.keys[pointer]),
        )
        for pointer in writer.values
    }
    return writer.text, value, places


@given(documents())
def test_everything_is_found_where_it_was_written(
    document: tuple[str, dict[str, Any], dict[str, Position]],
) -> None:
    text, value, places = document
    assert tomllib.loads(text) == value  # the generator is right

    assert positions(text, places) == places
    for pointer, place in list(places.items())[:5]:  # asked for alone: the rest is jumped over
        assert positions(text, [pointer]) == {pointer: place}
    assert positions(text.replace("\n", "\r\n"), places) == places


@settings(max_examples=scaled(80))
@given(documents(), st.data())
def test_a_text_that_breaks_off_ends_the_search(
    document: tuple[str, dict[str, Any], dict[str, Position]], data: st.DataObject
) -> None:
    text, _, places = document
    cut = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.sampled_from(["", '"', "'''", "[", "}", "=", "\\", "\0", "]]", "a.", "#"]))
    broken = text[:cut] + junk + text[cut + 1 :]

    assert positions(broken, places).keys() == places.keys()


TEXT = """\
# first
title = "x" # 1
[tool.other]
list = [1,
  { deep = "y", more.dots = [ "]", '}' ] }, # in the middle
]
[tool . "widgetschema"]
text = '''
[no.header]
key = 1'''
[tool.widgetschema.limits]
max-depth = 3
[[tool.widgetschema.ignores]]
path = "a"
[[tool.widgetschema.ignores]]
  path = "b"
"""


@pytest.mark.parametrize(
    ("pointer", "line", "column", "key_line", "key_column"),
    [
        ("/title", 2, 9, 2, 1),
        ("/tool", 3, 2, 3, 2),
        ("/tool/other/list/1/deep", 5, 12, 5, 5),
        ("/tool/other/list/1/more/dots/1", 5, 36, 5, 36),
        ("/tool/widgetschema", 7, 9, 7, 9),
        ("/tool/widgetschema/text", 8, 8, 8, 1),
        ("/tool/widgetschema/limits/max-depth", 12, 13, 12, 1),
        ("/tool/widgetschema/ignores", 13, 21, 13, 21),
        ("/tool/widgetschema/ignores/1", 15, 1, 15, 1),
        ("/tool/widgetschema/ignores/1/path", 16, 10, 16, 3),
        ("", 1, 1, 1, 1),
    ],
)
def test_places(pointer: str, line: int, column: int, key_line: int, key_column: int) -> None:
    assert positions(TEXT, [pointer]) == {pointer: Position(line, column, key_line, key_column)}


@pytest.mark.parametrize(
    "value",
    [
        '"""a"""""',
        '"""a""""',
        '""""a"""',
        r'"""\\"""',
        "'''a'''''",
        '""',
        "''",
        '"""""" # """',
        "1979-05-27 07:32:00 # x",
        "[1979-05-27 07:32:00, 1]",
        "{a = 1979-05-27 07:32:00 }",
        "inf",
        "[\n'''\n]''',#]\n]",
    ],
)
def test_values_that_are_jumped_over(value: str) -> None:
    text = f"a = {value}\nb = 1"
    assert tomllib.loads(text)["b"] == 1
    line = text.count("\n") + 1

    assert positions(text, ["/b"]) == {"/b": Position(line, 5, line, 1)}


def test_what_is_not_there_has_the_place_around_it() -> None:
    base = "/tool/widgetschema"
    found = positions(TEXT, ["/limits/min/deeper", "/nothing", "/ignores/1/pointer", ""], base)

    assert {pointer: place.line for pointer, place in found.items()} == {
        "/limits/min/deeper": 11,
        "/nothing": 7,
        "/ignores/1/pointer": 15,
        "": 7,
    }
    assert {one.line for one in positions(TEXT, ["/no", "/key"]).values()} == {1}
    assert positions(TEXT, ["/tool/other/list/9"]) == {"/tool/other/list/9": Position(4, 8, 4, 1)}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a = 1\n" + ".".join(["a"] * 100) + " = 1", 6),
        ("[" + " . ".join(["'a'"] * 100) + "]", 1),
        ("x = {" + ".".join(['"a.b"'] * 100) + " = 1}", 5),
        ("a = '" + "." * 1000 + "'", None),
        ("a = " + "1." * 63, None),
        ("\n".join(["a.b.c = 1"] * 100), None),
    ],
    ids=["key", "header", "inline", "dots", "few", "lines"],
)
def test_keys_of_absurdly_many_parts(text: str, where: int | None) -> None:
    assert long_key(text) == where


def test_nesting() -> None:
    assert deep_nesting("a = " + "[" * 10 + "]" * 10, 3) == 7
    assert deep_nesting('a = "[[[[" # [[[\nb = [[[]]]', 3) == 0


@pytest.mark.parametrize(
    "text",
    [
        "a" * 900_000,
        "a." * 60 + "\n" + "a" * 900_000,
        '"\\' * 450_000 + "." * 64,
        "'" * 900_000 + "." * 64,
        " a . " * 180_000,
        "a = [" * 180_000,
        'a = """' + '"" ' * 100_000,
        "[a]\n" * 60_000,
        "#" * 900_000,
        "a" + " " * 900_000 + "." * 64,
    ],
    ids=range(10),
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    with bounded():
        long_key(text)
        deep_nesting(text, 64)
        positions(text, ["/a/b/c", "/b"])


def test_an_integer_of_too_many_digits_has_its_place() -> None:
    with pytest.raises(TomlError) as caught:
        parse(f"a = 1\nb = {'1' * 5_000}\n")
    assert caught.value.message == "this integer has too many digits"
    assert caught.value.place == (2, 5)
