"""The framing of texts: one decision, however a source is read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from widgetschema.audit.plan import plan_sources
from widgetschema.project.inputs.formats import Layout
from widgetschema.project.inputs.framing import MOST, Framing, Kind, framing_of
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.reading import blocks

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


@settings(max_examples=scaled(60))
@given(
    texts(),
    st.lists(st.integers(0, 3000), max_size=4),
    st.sampled_from([1, 7, 600, 131_072]),
    st.sampled_from(["w.json", "w.ndjson", "w"]),
)
def test_the_same_texts_however_a_source_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    raw: bytes,
    cuts: Sequence[int],
    block: int,
    name: str,
) -> None:
    folder = tmp_path_factory.mktemp("framing")
    (folder / name).write_bytes(raw)
    ends = sorted({0, len(raw), *(one % (len(raw) + 1) for one in cuts)})
    pairs = pairwise(ends)
    members = [gzip.compress(raw[start:end], 1) for start, end in pairs] or [gzip.compress(b"")]
    (folder / f"{name}.gz").write_bytes(b"".join(members))
    expected = read(folder / name, 131_072)
    assert read(folder / name, block) == expected
    assert read(folder / name, block, 30) == expected
    assert read(folder / f"{name}.gz", block) == expected
    if name == "w":
        (folder / "w.ndjson").write_bytes(raw)
        assert read(folder / "w.ndjson", block) == expected


def read(file: Path, block: int, partition_bytes: int = 1 << 24) -> list[object]:
    """Return the texts that are not blank, and the mistakes."""
    sources, partitions, problems = plan_sources([str(file)], partition_bytes=partition_bytes)
    found: list[object] = [str(one).rpartition(": ")[2] for one in problems]
    for span in (span for spans in partitions for span in spans):
        try:
            for one in blocks(sources[span.source], span, max_bytes=1 << 20, block_bytes=block):
                found += [line for line in one.lines if line and not line.isspace()]
                found += [one.cut.wrong] if one.cut is not None and one.cut.wrong else []
        except SourceFailed as error:
            found.append(error.message)
    return found


@pytest.mark.parametrize(
    ("begin", "layout", "kind"),
    [
        (b"[", "lines", None),
        (b"[1]" + b"\n" * 30, "lines", None),
        (b"[1]\n[", "lines", "lines"),
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
