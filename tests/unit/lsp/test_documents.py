"""Documents: every edit, in every encoding, leaves the text that the editor has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.lsp.documents import Change, Document, Encoding, Position

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
CHARACTERS = st.sampled_from(
    [*'ab"{}', "\n", "\r", "\r\n", "é", "€", "😀", "\u2028", "\x0b", "\x85", " "]
)
TEXTS = st.lists(CHARACTERS, max_size=12).map("".join)
# Typing within lines that end with line feeds has a way of its own.
PLAIN = st.lists(st.sampled_from([*"ab", "\n", "é", "😀"]), max_size=12).map("".join)


def document(text: str, encoding: Encoding = "utf-16") -> Document:
    return Document("file:///a.json", "/a.json", 1, text, encoding)


class Editor:
    """An editor that keeps a text as lines of encoded units, as the protocol describes it."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.codec, self.width = CODECS[encoding]
        self.text = text

    def lines(self) -> list[str]:
        unified = self.text.replace("\r\n", "\n").replace("\r", "\n")
        return unified.split("\n")

    def position(self, offset: int) -> Position:
        before = self.text[:offset]
        if before.endswith("\r") and self.text[offset : offset + 1] == "\n":
            before = before[:-1]  # there is no position between the two
        lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return Position(len(lines) - 1, len(lines[-1].encode(self.codec)) // self.width)

    def replace(self, start: int, end: int, text: str) -> Change:
        change = Change(text, self.position(start), self.position(end))
        self.text = self.text[:start] + text + self.text[end:]
        return change

    def is_position(self, offset: int) -> bool:
        return not (self.text[:offset].endswith("\r") and self.text[offset : offset + 1] == "\n")


@given(TEXTS | PLAIN, st.sampled_from(ENCODINGS), st.lists(TEXTS | PLAIN, max_size=8), st.data())
def test_edits_leave_the_text_of_the_editor(
    text: str, encoding: Encoding, inserted: list[str], data: st.DataObject
) -> None:
    editor, ours = Editor(text, encoding), document(text, encoding)
    for version, some in enumerate(inserted, 2):
        places = [one for one in range(len(editor.text) + 1) if editor.is_position(one)]
        start, end = sorted(data.draw(st.tuples(*[st.sampled_from(places)] * 2)))
        ours = ours.changed(version, [editor.replace(start, end, some)])
        assert (ours.text, ours.version) == (editor.text, version)
        known = document(ours.text, encoding)
        for offset in range(len(ours.text) + 1):
            assert ours.position(offset) == known.position(offset)


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_positions_and_offsets_are_the_same_places(text: str, encoding: Encoding) -> None:
    editor, ours = Editor(text, encoding), document(text, encoding)
    for offset in range(len(text) + 1):
        if editor.is_position(offset):
            assert ours.position(offset) == editor.position(offset)
            assert ours.offset(ours.position(offset)) == offset


@pytest.mark.parametrize(
    ("position", "offset"),
    [
        (Position(0, 99), 2),  # behind the end of a line is its end
        (Position(1, 99), 6),
        (Position(9, 0), 6),
        (Position(1, 2), 5),  # within a character is its beginning
    ],
)
def test_positions_that_are_nowhere(position: Position, offset: int) -> None:
    assert document("ab\r\nx😀").offset(position) == offset


def test_within_a_character_is_its_beginning() -> None:
    assert [document("é😀", "utf-8").offset(Position(0, n)) for n in range(8)] == [
        0,
        0,
        1,
        1,
        1,
        1,
        2,
        2,
    ]


def test_two_halves_of_a_character_become_one() -> None:
    end = Position(0, 1)
    halves = [Change("\ud83d", Position(0, 0), Position(0, 0)), Change("\ude00", end, end)]
    assert document("").changed(2, halves).text == "😀"


def test_a_change_without_a_range_is_the_whole_text() -> None:
    changed = document("old").changed(
        7, [Change("new"), Change("er", Position(0, 3), Position(0, 3))]
    )
    assert (changed.text, changed.version) == ("newer", 7)


def test_positions_of_findings_count_line_feeds_alone() -> None:
    ours = document('{\r"a": 1,\n"b": 2}')
    assert ours.text[ours.offset_at(2, 1) :] == '"b": 2}'
    assert ours.position(ours.offset_at(2, 1)) == Position(2, 0)


def test_what_is_no_text_is_no_json() -> None:
    assert document('"\ud800"').raw == b'"\xed\xa0\x80"'
