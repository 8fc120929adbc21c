"""Edits: the smallest change between two texts, and files in which texts are replaced."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from widgetschema.audit.migration.edits import Edit, Record, edit_row, edits_of, smallest
from widgetschema.audit.migration.file_rewriting import FileRewriting
from widgetschema.audit.partition_result import CompressedLines
from widgetschema.evolution.migrate import Lost

TEXTS = st.text(st.sampled_from("aäß€😀😁é\u2028"), max_size=8).map(str.encode)


@given(TEXTS, TEXTS)
def test_the_smallest_change_is_text_and_leads_from_one_to_the_other(
    one: bytes, other: bytes
) -> None:
    start, was, now = smallest(5, one, other)
    head = one[: start - 5]
    assert head + was + one[len(head) + len(was) :] == one
    assert head + now + one[len(head) + len(was) :] == other
    assert was.decode() is not None
    assert now.decode() is not None
    if one == other:
        assert (was, now) == (b"", b"")


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=6), st.booleans())
@settings(max_examples=scaled(50))
def test_lines_of_a_file_are_replaced(rows: list[tuple[bytes, bytes, bytes]], mark: bool) -> None:
    begin = b"\xef\xbb\xbf" if mark else b""
    old = begin + b"".join(b"%b%b\n" % (before, was) for before, was, _ in rows)
    new = begin + b"".join(b"%b%b\n" % (before, now) for before, _, now in rows)
    made: list[bytes] = []
    rewriting = FileRewriting(io.BytesIO(old), made.append)
    for line, (before, was, now) in enumerate(rows, 1):
        rewriting.replace(line, len(before), was, now)
    rewriting.finish()
    assert b"".join(made) == new
    assert (rewriting.before == rewriting.after) == (old == new)


def test_an_edit_travels_as_a_line() -> None:
    lost = Lost(2, "/\ud800", "1.50")
    edit = Edit(
        3, 4, "ä\u2028".encode(), b"\\ud800", "/docs/0", "\udfff", (lost,), Record(1, 2, "0")
    )
    lines = CompressedLines()
    lines.add(edit_row(1, edit))
    assert [*edits_of(lines.finish())] == [(1, edit)]
