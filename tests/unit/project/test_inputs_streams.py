"""Every text of a file is read once, with the number of its line, however the file is stored."""

from __future__ import annotations

import gzip
import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from widgetschema.project.checking.results import Problem
from widgetschema.project.inputs.model import PassedOver, SourceFailed, Text
from widgetschema.project.inputs.streams import begins_with_lines, read_stream, texts_of

PACKS: list[Callable[[bytes], bytes]] = [bytes, gzip.compress, zstd.compress]
PIECES = (b"\n", b"\r\n", b"\r", b" ", b"a", b'{"b":1}', "ä€😀".encode(), b"\0", b"long" * 9)
CONTENT = st.lists(st.sampled_from(PIECES), max_size=30).map(
    lambda pieces: b"text" + b"".join(pieces)
)
VALUE = b'{"a": 1}'


class Trickle(io.BytesIO):
    """A stream that gives a few bytes at a time."""

    def __init__(self, content: bytes, most: int) -> None:
        super().__init__(content)
        self.most = most

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most so many bytes."""
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


@settings(max_examples=scaled(60))
@given(
    content=CONTENT, cut=st.integers(0, 60), at_a_time=st.integers(1, 24), most=st.integers(1, 40)
)
def test_lines_have_their_numbers(content: bytes, cut: int, at_a_time: int, most: int) -> None:
    lines = content.split(b"\n")
    expected = []
    for number, line in enumerate(lines if lines[-1] else lines[:-1], 1):
        text = line.removesuffix(b"\r")
        if len(text) > most:
            expected.append(Text("x", b" " * (most + 1), number))
        elif text.strip():
            expected.append(Text("x", text, number))
    for pack in PACKS:
        stored = pack(content[:cut]) + pack(content[cut:])
        found = texts_of("x", Trickle(stored, at_a_time), most, are_lines=True)
        assert [*found] == expected


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (VALUE, [None]),
        (VALUE + b"\n", [None]),
        (b"", [None]),
        (b"{\n}\n{\n}", [None]),
        (VALUE + b"\r\n\n" + VALUE, [1, 3]),
        (b"\xef\xbb\xbf" + VALUE + b"\n" + VALUE, [1, 2]),
        (b'["' + b"x" * 700_000 + b'"]\n' + VALUE, [1, 2]),
    ],
    ids=range(7),
)
def test_the_first_lines_say_whether_a_file_holds_lines(
    content: bytes, lines: list[int | None], pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_bytes(pack(content))
    opened, *texts = read_stream(str(tmp_path / "x.json"), 1_000_000)
    assert opened is None
    assert [text.line for text in texts if isinstance(text, Text)] == lines
    known_at_once = len(content) < 100_000
    assert begins_with_lines(str(tmp_path / "x.json")) == (lines != [None] and known_at_once)


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_what_is_before_damage_is_read(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    content = b"".join(b'{"n": %d}\n' % number for number in range(20_000))
    (tmp_path / "x.ndjson.gz").write_bytes(pack(content) + pack(content)[:-9])
    opened, *texts, problem = read_stream(str(tmp_path / "x.ndjson.gz"), 99)
    assert opened is None
    assert len(texts) >= 20_000
    assert isinstance(problem, Problem)
    assert "cut off" in problem.message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PAR1", "`audit` reads it if its name ends in .parquet"),
        (b"SQLite format 3\0", "`audit` reads it if its name ends in .db"),
        (b"PK\x03\x04", "is a zip archive, which is not supported"),
        (VALUE.decode().encode("utf-16"), "encoded in UTF-16, but JSON is UTF-8"),
        (gzip.compress(gzip.compress(VALUE, mtime=0), mtime=0), "compressed twice"),
        (gzip.compress(b"BZh9", mtime=0), "compressed with bzip2"),
    ],
)
def test_what_is_no_data_is_named(content: bytes, said: str) -> None:
    with pytest.raises(SourceFailed, match=said):
        [*texts_of("x", io.BytesIO(content), 99, are_lines=True)]


def test_an_artifact_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b'{"undo":1,"file":')
    assert [*read_stream(str(tmp_path / "x"), 99)] == [PassedOver(str(tmp_path / "x"), "undo file")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_line_of_a_pipe_is_read_before_the_next_is_written(tmp_path: Path) -> None:
    pipe, was_read = tmp_path / "x.ndjson", threading.Event()
    os.mkfifo(pipe)
    waited = []

    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            file.write(VALUE + b"\n" + VALUE + b"\n")
            waited.append(was_read.wait(60))
            file.write(VALUE)

    thread = threading.Thread(target=write)
    thread.start()
    texts = read_stream(str(pipe), 99)
    assert next(texts) is None
    assert [next(texts) for _ in range(2)] == [Text(str(pipe), VALUE, line) for line in (1, 2)]
    was_read.set()
    assert [*texts] == [Text(str(pipe), VALUE, 3)]
    thread.join()
    assert waited == [True]
