"""The framing of texts: one decision, however much of a source is seen."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.project.inputs.formats import MOST, Framing, Kind, Layout, framing_of

RECORDS = [{"id": 1, "data": [1, {"a": "x]\x1e"}]}, {"id": 2}, [3], 4, {"docs": [{"id": 5}]}]
COMPACT = [json.dumps(one, separators=(",", ":")) for one in RECORDS]
INDENTED = [json.dumps(one, indent=1) for one in RECORDS]
FORMS = (
    "\n".join(COMPACT),
    "\n".join(reversed(COMPACT)),
    "\n".join(INDENTED),
    "\n".join(COMPACT[::2] * 9),
    "".join(COMPACT),
    json.dumps(RECORDS),
    json.dumps(RECORDS, indent=2),
    "[\n" + ",\n".join(COMPACT) + "\n]",
    json.dumps({"total": 2, "docs": [RECORDS[0], RECORDS[1]]}, indent=1),
    "".join(f"\x1e{one}\n" for one in INDENTED),
    "[1]\n[2]\n[3]\n",
    "1\n\n2",
    "",
)
DAMAGE = st.lists(
    st.tuples(st.integers(0, 2000), st.sampled_from([b"", *b'{}[],:"\\ \n\r\x1ex'])), max_size=3
)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Records in any form, with any line ends, cut off or damaged."""
    raw = draw(st.sampled_from(FORMS)).encode()
    raw = raw.replace(b"\n", draw(st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"\n\n"])))
    raw = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf", b"\n "])) + raw
    for at, byte in draw(DAMAGE):
        at %= len(raw) + 1
        raw = raw[:at] + (byte if isinstance(byte, bytes) else bytes([byte])) + raw[at + 1 :]
    return raw[: draw(st.integers(0, len(raw)))] if draw(st.integers(0, 3)) == 0 else raw


@given(texts(), st.sampled_from(["lines", "whole"]))
def test_more_of_a_source_does_not_change_its_framing(raw: bytes, layout: Layout) -> None:
    found = framing_of(raw, layout, is_all=True)
    assert found is not None
    before = {framing_of(raw[:end], layout, is_all=False) for end in range(len(raw) + 1)}
    assert before <= {None, found}
    known: Layout = "lines" if found.kind == "lines" else "whole"
    assert framing_of(raw, known, is_all=True) == found


@pytest.mark.parametrize(
    ("begin", "layout", "kind"),
    [
        (b"[", "lines", None),
        (b"[1]" + b"\n" * 30, "lines", None),
        (b"[1]\n[", "lines", "lines"),
        (b"[1]\n// 2", "lines", "lines"),
        (b"[1]\n\x00{}", "lines", "lines"),
        (b"[1]" + b"\n," * 20, "lines", "array"),
        (b'{"a": 1}\n', "lines", "lines"),
        (b'{"a": 1}\n', "whole", None),
        (b'{"a": 1}\n{', "whole", "lines"),
        (b"\x1e{\n", "lines", "sequence"),
        (b'{"a":\n {"b": 1}\n', "lines", None),
        (b'{"a":\n {"b": 1}\n' + b",\n" * 20, "lines", "array"),
        (b'{"\xc3\xa4": \r\n\n {"a": 1}\n' + b",\n" * 20, "lines", "array"),
        (b'{"a": 1},\n' * 20, "lines", "lines"),
        (b'{\n{"a": 1}\n' * 20, "lines", "lines"),
        (b'{\n"a"\n{"a": 1}\n' * 20, "lines", "lines"),
        (b'{"\xc3\xa4"\n\n{"a": 1}\n' * 20, "lines", "lines"),
        (b"\xff\n" * 20, "whole", "array"),
        (b"\n \n", "whole", None),
        (b"[" + b" " * MOST, "lines", "array"),
        (b"{" + b" " * MOST, "lines", "lines"),
    ],
)
def test_how_a_source_begins(begin: bytes, layout: Layout, kind: Kind | None) -> None:
    found = framing_of(begin, layout, is_all=False)
    assert (None if found is None else found.kind) == kind
    assert framing_of(b"\xef\xbb\xbf\n" + begin, layout, is_all=False) == found


def test_what_was_asked_for() -> None:
    for asked, found in (
        (None, Framing("array", True, True)),
        ("uncut", Framing("texts", True)),
        ("lines", Framing("lines", True)),
        ("sequence", Framing("sequence", True)),
    ):
        assert framing_of(b"[1,\r2]", "whole", is_all=True, asked=asked) == found  # type: ignore[arg-type]
