"""Arrays, texts one after the other, and sequences, cut into their texts without losing a byte."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from widgetschema.audit.inputs.cutting.cutter import cut
from widgetschema.audit.inputs.cutting.window import Cut
from widgetschema.project.inputs.formats import Framing, Kind

Json = Any
MOST = 1 << 20
# Strings that look like what is between records, or like the end of something.
STRINGS = st.sampled_from(["", "a", '},{"a":', "}\n{", "é😀\u2028", '\\"', "x]", "[", "\x1e"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9, 99), STRINGS)
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=12,
)
RECORDS = st.lists(st.fixed_dictionaries({"id": st.integers(0, 9), "data": VALUES}), max_size=20)
STYLES: st.SearchStrategy[dict[str, Json]] = st.sampled_from(
    [{"separators": (",", ":")}, {}, {"indent": 2}, {"indent": 1, "ensure_ascii": False}]
)
BLOCKS = st.sampled_from([1, 7, 50, 300, 5000])


def all_of(
    raw: bytes,
    kind: Kind = "array",
    block: int = 50,
    most: int = MOST,
    *,
    may_be_one: bool = False,
) -> list[Cut]:
    """All that a text is cut into; every byte is in one place."""
    file = io.BytesIO(raw)
    found = [
        *cut(
            file.read,
            file.read(block),
            Framing(kind, may_be_one=may_be_one),
            max_bytes=most,
            block_bytes=block,
        )
    ]
    if not any(one.whole and one.oversize for one in found):
        assert b"".join(one.text for one in found) == raw
    return found


def texts(found: list[Cut]) -> list[bytes]:
    return [text for one in found for text in one.texts]


def wrong(found: list[Cut]) -> list[tuple[int, int, str]]:
    """The mistakes, by line and column, both from 1."""
    return [(one.line, one.column + 1, one.wrong.partition(";")[0]) for one in found if one.wrong]


def placed(raw: bytes, found: list[Cut]) -> Iterator[tuple[bytes, bytes, str]]:
    """Each text, what is at its line and column, and its pointer."""
    lines = raw.decode().split("\n")
    for one in found:
        places = one.places(range(len(one.texts)))
        for index, text in enumerate(one.texts):
            place = places[index]
            here = "\n".join([lines[place.line - 1][place.column :], *lines[place.line :]])
            yield text, here.encode()[: len(text)], place.pointer


@settings(max_examples=scaled(60))
@given(RECORDS, STYLES, BLOCKS, st.sampled_from([",", ",\n", " , "]))
def test_the_items_of_an_array(
    records: list[Json], style: dict[str, Json], block: int, comma: str
) -> None:
    one_by_one = "[\n" + comma.join(json.dumps(one, **style) for one in records) + "\n]"
    pages = {"total": 3, "docs": records, "more": {"a": [1]}}
    for text, prefix, expected in (
        (one_by_one, "", records),
        (json.dumps(records, **style), "", records),
        (json.dumps(pages, **style), "/docs", records or [pages]),
    ):
        raw = text.encode()
        found = all_of(raw, block=block)
        assert [json.loads(one) for one in texts(found)] == expected
        assert not wrong(found)
        for index, (one, here, pointer) in enumerate(placed(raw, found)):
            assert here == one
            assert pointer == f"{prefix}/{index}" or not records


@settings(max_examples=scaled(60))
@given(RECORDS, STYLES, BLOCKS, st.sampled_from(["", "\n", " \n\n"]))
def test_texts_one_after_the_other(
    records: list[Json], style: dict[str, Json], block: int, between: str
) -> None:
    parts = [json.dumps(one, **style) for one in records]
    raw = between.join(parts).encode()
    found = all_of(raw, block=block)
    assert texts(found) == [one.encode() for one in parts]
    assert all(here == one and not pointer for one, here, pointer in placed(raw, found))
    raw = "".join(f"\x1e{one}\n" for one in parts).encode()
    found = all_of(raw, "sequence", block)
    assert texts(found) == [one.encode() for one in parts]
    assert all(here == one for one, here, _ in placed(raw, found))
    assert not wrong(found)


@settings(max_examples=scaled(80))
@given(
    RECORDS,
    STYLES,
    st.lists(
        st.tuples(st.integers(0, 2000), st.sampled_from([b"", *b'{}[],:"\\ \n\x1ex'])), max_size=3
    ),
    st.sampled_from(["array", "texts", "sequence"]),
    st.sampled_from([MOST, 40]),
)
def test_damage_is_the_same_in_blocks_of_any_size(
    records: list[Json],
    style: dict[str, Json],
    damage: list[tuple[int, int | bytes]],
    framing: Kind,
    most: int,
) -> None:
    raw = bytearray(json.dumps({"docs": records, "page": 1}, **style).encode())
    for at, byte in damage:
        raw[at % len(raw) : at % len(raw) + 1] = byte if isinstance(byte, bytes) else bytes([byte])
    expected = all_of(bytes(raw), framing, 9000, most)
    for block in (3, 80):
        found = all_of(bytes(raw), framing, block, most)
        assert texts(found) == texts(expected)
        assert wrong(found) == wrong(expected)


@pytest.mark.parametrize(
    ("raw", "expected", "said"),
    [
        (b"[1,\n 2 3]", [b"1", b"2", b"3"], [(2, 4, "a comma is missing between these items")]),
        (b"[1,,2]", [b"1", b"2"], [(1, 4, "a value is missing at this comma")]),
        (b"[1,]", [b"1"], [(1, 4, "a value is missing: this comma is the last one")]),
        (b'[{"a":1},{"a"', [b'{"a":1}', b'{"a"'], []),
        (b"[{},", [b"{}"], [(1, 5, "the text ends inside an array: ']' is missing")]),
        (b"[1", [b"1"], [(1, 3, "the text ends inside an array: ']' is missing")]),
        (b"[1, {]}, 2]", [b"1"], [(1, 5, "the bracket ']' closes nothing that is open")]),
        (b"[1, abc, NaN]", [b"1", b"abc", b"NaN"], []),
        (b"[1] x [2]", [b"1"], [(1, 5, "no JSON text begins like this")]),
        (b"[1][2]", [b"1", b"2"], []),
        (b'{"docs":[{"id":"a","data":1}],', [b'{"id":"a","data":1}'], []),
        (b"[]", [], []),
        (b"", [], []),
    ],
)
def test_mistakes_in_arrays(
    raw: bytes, expected: list[bytes], said: list[tuple[int, int, str]]
) -> None:
    found = all_of(raw, block=4)
    assert texts(found) == expected
    if b"docs" in raw:
        said = [(1, 31, "the text ends inside an object: '}' is missing")]
    assert wrong(found) == said


@pytest.mark.parametrize("rest", [b', "total" : {"a": "b"} , "x":1}', b" }"])
def test_an_object_that_is_cut_off_behind_its_records(rest: bytes) -> None:
    raw = b'{"docs": [{"id": "a", "data": 1}]'
    for block in range(1, 64):
        found = all_of(raw + rest, block=block)
        assert (texts(found), wrong(found)) == ([b'{"id": "a", "data": 1}'], [])
    for end in range(len(rest)):
        for block in (1, 64):
            found = all_of(raw + rest[:end], block=block)
            assert texts(found) == [b'{"id": "a", "data": 1}']
            [(line, column, why)] = wrong(found)
            assert (line, why) == (1, "the text ends inside an object: '}' is missing")
            assert column <= len(raw) + end + 1


@pytest.mark.parametrize("rest", [b" x}", b', x": 1}', b', "x" 1}', b', "x": ]}', b"]}"])
def test_what_is_no_member_behind_the_records(rest: bytes) -> None:
    found = all_of(b'{"docs": [{"id": "a", "data": 1}]' + rest)
    [(*_, why)] = wrong(found)
    assert why == "this is neither a member of an object nor its end"


def test_characters_that_blocks_cut_are_counted_once() -> None:
    raw = '{" "docs": [ { "id": 0, "data": { "é😀\u2028": "},{\\"a\\":" } } ] }'.encode()
    places = {tuple(wrong(all_of(raw, "texts", block, 20))) for block in range(1, 80)}
    column = raw.decode().index('},{\\"') + 2
    assert places == {((1, column, "no JSON text begins like this"),)}


TWICE = 'the member "{}" appears twice'


@pytest.mark.parametrize(
    ("rest", "column", "said"),
    [
        (b', "page": 1, "docs": [{"id": "b", "data": 5}]}', 59, TWICE.format("docs")),
        (b', "total": 2}', 48, TWICE.format("total")),
        (b', "a": 1, "a": 2, "b": 1}', 56, TWICE.format("a")),
        (b', "a": {"b": 1, "b": 2}}', 48, TWICE.format("b")),
        (b', "a": [tru], "b": 1}', 48, "expected a value, found 'tru'"),
        (b', "hits": {"docs": []}, "rows": 3}', None, ""),
    ],
)
def test_no_member_behind_the_records_is_lost(rest: bytes, column: int | None, said: str) -> None:
    raw = b'{"total": 1, "docs": [{"id": "a", "data": 1}]' + rest
    for block in (4, 1000):
        found = all_of(raw, block=block, may_be_one=True)
        assert texts(found) == [b'{"id": "a", "data": 1}']
        told = wrong(found)
        assert [(line, at) for line, at, _ in told] == ([] if column is None else [(1, column)])
        assert all(why.startswith(said) for *_, why in told)


@pytest.mark.parametrize(
    "before",
    [b'"total": 1, "total": 2', b'"docs": []', b'"a": {"b": 1, "b": 2}', b'"a": [tru]'],
)
def test_an_object_with_other_members_that_are_wrong_is_not_cut(before: bytes) -> None:
    raw = b"{" + before + b', "docs": [{"id": "a", "data": 1}]}'
    [one] = all_of(raw, may_be_one=True)
    assert (one.whole, one.texts) == (True, [raw])


@pytest.mark.parametrize("block", [7, 131_072])
def test_many_separators_of_a_sequence_are_taken_at_once(block: int) -> None:
    raw = b"\x1e1\n" + b"\x1e \x1e\n" * 20_000 + b"\x1e2\n"
    found = all_of(raw, "sequence", block)
    assert texts(found) == [b"1", b"2"]
    assert len(found) <= 10 + 2 * len(raw) / block
    assert texts(all_of(b"\x1e1\n\x1e" * 20_000 + b"\x1e2\n", "sequence", block)) == [
        *[b"1"] * 20_000,
        b"2",
    ]


def test_texts_that_are_cut_off_in_a_sequence_are_told() -> None:
    cut_off = "a number, true, false or null ends a sequence without a line end: it is cut off"
    found = all_of(b'\x1e{"a":1}\n\x1e12\x1e{"b":\n\x1e\x1e"c"\x1etrue', "sequence")
    assert texts(found) == [b'{"a":1}', b'{"b":', b'"c"']
    assert wrong(found) == [(2, 1, cut_off), (3, 6, cut_off)]


@pytest.mark.parametrize("framing", ["array", "texts", "sequence"])
@pytest.mark.parametrize(
    "large",
    [b'"' + b'x\\\\\\"' * 99 + b'"', b"[" * 200 + b"]" * 200, b'{"a":"' + b"]" * 300 + b'"}'],
)
def test_what_is_too_large_is_passed_over_alone(framing: Kind, large: bytes) -> None:
    parts = [b'{"a":1}', large, b'{"a":2}']
    raw = b"[" + b",".join(parts) + b"]"
    if framing == "texts":
        raw = b"\n".join(parts)
    elif framing == "sequence":
        raw = b"".join(b"\x1e" + one + b"\n" for one in parts)
    for block in (5, 100, 1000):
        found = all_of(raw, framing, block, most=100)
        assert texts(found) == [parts[0], parts[2]]
        [size] = [one.oversize for one in found if one.oversize is not None]
        assert size >= len(large)


def test_a_single_text_is_whole_whatever_is_wrong_with_it() -> None:
    for raw in (b'{\n "a": 1\n}\n', b'{"a":1} x', b"{]", b"x", b"", b'{"a":', b"1 2"):
        [one] = all_of(raw, may_be_one=True)
        assert (one.whole, one.texts) == (True, [raw])
    found = all_of(b'{"a":\n1}\n{"b":2}', may_be_one=True)
    assert texts(found) == [b'{"a":\n1}', b'{"b":2}']
    assert not any(one.whole for one in found)


def test_little_is_held_of_what_is_large() -> None:
    most, left = 0, 20_000

    def read(size: int) -> bytes:
        """Read from an array without an end, as much as is asked for."""
        nonlocal most, left
        most = max(most, size)
        left -= 1
        return b'{"a":"' + b"x" * 100 + b'"},' if left > 0 else b""

    found = cut(read, b"[", Framing("array"), max_bytes=MOST, block_bytes=4096)
    sizes = [len(one.text) for one in found]
    assert sum(sizes) > 2_000_000
    assert max(sizes) < 50_000
    assert most < 50_000


def test_a_string_that_looks_like_the_end_of_a_text_is_kept() -> None:
    parts = [b'{"a":1}', b'{"b":2}', *(b'{"c%d":"}{","d":[{},{}]}' % n for n in range(9))]
    for block in (9, 60, 1000):
        assert texts(all_of(b"".join(parts), block=block)) == parts
