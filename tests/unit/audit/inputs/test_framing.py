"""The texts of a source, in whatever parts it is read."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from tests.unit.project.test_inputs_formats import texts
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.plan import plan_sources
from widgetschema.project.inputs.model import SourceFailed


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
