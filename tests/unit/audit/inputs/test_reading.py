"""Every line of a source is read once, whatever is in it and wherever it is cut."""

from __future__ import annotations

import errno
import gzip
import io
import os
import subprocess
import sys
import tarfile
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import fsspec
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from widgetschema.audit.inputs.inspection import inspect
from widgetschema.audit.inputs.reading import blocks, read_failure
from widgetschema.audit.inputs.sources import Block, Source, Span
from widgetschema.audit.inputs.tables.files import _Lines
from widgetschema.audit.inputs.tables.model import ColumnNames
from widgetschema.errors import MissingExtra
from widgetschema.project.inputs.model import File, SourceFailed
from widgetschema.project.inputs.streams import Damaged

PIECES = (b"\n", b"\r\n", b"\r", b" ", b"a", b'{"b":1}', "ä€😀".encode(), b"\0", b"long" * 9)
CONTENT = st.lists(st.sampled_from(PIECES), max_size=30).map(
    lambda pieces: b"text" + b"".join(pieces)
)
SMALL = st.integers(1, 24)
MOST = 1 << 20


def expected(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [line.removesuffix(b"\r") for line in lines]


def source_of(path: Path | str, layout: str = "lines") -> Source:
    size = os.path.getsize(path) if isinstance(path, Path) else None
    return Source(str(path), str(path), size, "whole" if layout == "whole" else "lines")


def read(
    source: Source, span: Span, max_bytes: int = MOST, block_bytes: int = 1 << 17
) -> Iterator[bytes | int]:
    """Lines, or the sizes of those that are too long; numbers of lines must be gapless."""
    number = 1
    for block in blocks(source, span, max_bytes=max_bytes, block_bytes=block_bytes):
        if block.notes:
            continue
        assert block.first == number
        assert (block.oversize is None) == bool(block.lines)
        yield from block.lines if block.oversize is None else [block.oversize]
        number += len(block.lines) or 1


def all_of(source: Source, **sizes: int) -> list[bytes | int]:
    return list(read(source, Span(0, 0, source.size), **sizes))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reading") / "some.ndjson"


@settings(max_examples=scaled(60))
@given(content=CONTENT, cuts=st.sets(st.integers(1, 60), max_size=6), block=SMALL)
def test_each_line_is_in_one_span(file: Path, content: bytes, cuts: set[int], block: int) -> None:
    file.write_bytes(content)
    source = source_of(file)
    ends = [0, *sorted(cut for cut in cuts if cut < len(content)), len(content)]
    spans = [Span(0, start, end) for start, end in pairwise(ends)]
    found = [line for span in spans for line in read(source, span, block_bytes=block)]
    assert found == expected(content)
    assert [*read(source, Span(0), block_bytes=block)] == found


@settings(max_examples=scaled(60))
@given(content=CONTENT, block=SMALL, most=SMALL)
def test_a_line_that_is_too_long_is_passed_over(
    file: Path, content: bytes, block: int, most: int
) -> None:
    file.write_bytes(content)
    for line, found in zip(
        expected(content),
        all_of(source_of(file), max_bytes=most, block_bytes=block),
        strict=True,
    ):
        if len(line) > most:
            assert isinstance(found, int)
            assert found in (len(line), len(line) + 1)  # with its carriage return
        else:
            assert found == line


@settings(max_examples=scaled(60))
@given(content=CONTENT, cut=st.integers(0, 60), block=SMALL)
def test_what_is_packed_has_the_same_lines(
    file: Path, content: bytes, cut: int, block: int
) -> None:
    for pack in (gzip.compress, zstd.compress):
        file.write_bytes(pack(content[:cut]) + pack(content[cut:]))
        assert all_of(source_of(file), block_bytes=block) == expected(content)


@settings(max_examples=scaled(60))
@given(content=CONTENT, cut=st.integers(1, 60), block=SMALL)
def test_what_is_at_an_address_has_the_same_lines(content: bytes, cut: int, block: int) -> None:
    address = "memory://reading/some.ndjson"
    fsspec.filesystem("memory").pipe("/reading/some.ndjson", content)
    source = Source(address, address, len(content))
    cut = min(cut, len(content))
    spans = Span(0, 0, cut), Span(0, cut, len(content))
    found = [line for span in spans for line in read(source, span, block_bytes=block)]
    assert found == expected(content)
    fsspec.filesystem("memory").pipe("/reading/some.ndjson", gzip.compress(content))
    assert [*read(Source(address, address), Span(0), block_bytes=block)] == expected(content)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_bytes_as_stored_are_told(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "a"
    file.write_bytes(pack(os.urandom(300_000).hex().encode() * 2 + b"\n" + b"{}\n" * 100_000))
    source = source_of(file)
    [whole] = blocks(source_of(file, "whole"), Span(0), max_bytes=1 << 21)
    parts = list(blocks(source, Span(0, 0, source.size), max_bytes=1 << 21))
    assert len(parts) > 2
    assert sum(block.stored for block in parts) == whole.stored == source.size


@pytest.mark.parametrize("content", [b"", b" \n{\n}", b"\xff\xfe{\0", b"x" * 300_000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_a_whole_text_is_one_line(
    tmp_path: Path, content: bytes, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "a").write_bytes(pack(content))
    source = source_of(tmp_path / "a", "whole")
    [block] = blocks(source, Span(0, 0, source.size), max_bytes=300_000)
    assert block == Block([content], 1, None, block.stored, is_whole=True)
    if content:
        [block] = blocks(source, Span(0), max_bytes=len(content) - 1)
        assert block == Block([], 1, len(content), block.stored, is_whole=True)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n \n"])
@pytest.mark.parametrize("size", [1, 200_000, 700_000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_lines_are_known_by_the_first_ones(
    tmp_path: Path, pack: Callable[[bytes], bytes], size: int, before: bytes
) -> None:
    content = before + b'["' + b"x" * size + b'"]\r\n\n{}\nno JSON\n'
    (tmp_path / "a").write_bytes(pack(content))
    source = source_of(tmp_path / "a", "whole")

    found = [*blocks(source, Span(0, 0, source.size), max_bytes=1_000_000)]

    assert not any(block.is_whole for block in found)
    lines = [line for block in found for line in block.lines]
    content = content.removeprefix(b"\xef\xbb\xbf")
    assert lines == [line.removesuffix(b"\r") for line in content.split(b"\n")[:-1]]
    assert sum(block.stored for block in found) == source.size


def failing(source: Source, span: Span | None = None) -> tuple[list[bytes | int], str]:
    lines: list[bytes | int] = []
    with pytest.raises(SourceFailed) as caught:
        lines.extend(read(source, span or Span(0, 0, source.size), block_bytes=1 << 12))
    assert str(caught.value) == caught.value.message
    assert "\n" not in caught.value.message
    return lines, caught.value.message


def test_what_is_added_later_is_not_read_but_the_last_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(b'{"a":1}\n{"b":')
    source = source_of(file)
    assert all_of(source) == [b'{"a":1}', b'{"b":']
    with file.open("ab") as stream:
        stream.write(b'2}\r\n{"c":3}\n')
    assert all_of(source) == [b'{"a":1}', b'{"b":2}']
    assert [*read(source, Span(0, 8, source.size))] == [b'{"b":2}']


def test_a_file_that_becomes_shorter_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(b"{}\n" * 10_000)
    source = source_of(file)
    reading = blocks(source, Span(0, 0, source.size), max_bytes=MOST, block_bytes=1 << 12)
    assert len(next(reading).lines) > 1000
    os.truncate(file, 20)
    with pytest.raises(SourceFailed, match="became shorter"):
        list(reading)
    lines, message = failing(source)
    assert lines == [b"{}"] * 6  # the last one might have been longer
    assert "run the audit again" in message
    assert failing(source, Span(0, 5000, 6000)) == ([], message)


def test_a_file_that_vanishes_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(b"{}\n")
    source = source_of(file)
    file.unlink()
    assert "was removed while it was audited" in failing(source)[1]
    file.mkdir()
    assert "folder" in failing(source)[1]
    file.rmdir()
    os.mkfifo(file)
    assert "pipe" in failing(source)[1]  # and nobody waits for it
    assert "device" in failing(Source("null", os.devnull, 0))[1]


@pytest.mark.skipif(sys.platform != "linux", reason="reads a file of its kernel")
def test_a_file_whose_disk_fails_is_named() -> None:
    assert failing(Source("mem", "/proc/self/mem", 10)) == ([], "input/output error")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "let the user who runs the audit"),
        (FileNotFoundError(errno.ENOENT, "No such file"), "it was removed"),
        (EOFError(), "is cut off"),
        (Damaged("wrong"), "damaged (wrong)"),
        (OSError(errno.ESTALE, "Stale file handle"), "stale file handle"),
        (MissingExtra("audit", "zstd needs X"), "pip install 'widgetschema[audit]'"),
    ],
)
def test_failures_are_sentences(error: Exception, message: str) -> None:
    assert message in read_failure(error, Source("a", "/a"))


LINES = [b'{"n":%d}' % number for number in range(20_000)]
TEXT = b"\n".join(LINES)


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_what_is_before_damage_is_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "a.gz"
    stored = pack(TEXT) + pack(b"\n" + TEXT)
    for wrong, message in (
        (stored[:-9], "is cut off"),
        (stored[:-500], "is cut off"),
        (stored + b"garbage behind", "damaged"),
        (stored[:-500] + bytes(400) + stored[-100:], "damaged"),
    ):
        file.write_bytes(wrong)
        lines, said = failing(source_of(file))
        assert message in said
        assert len(lines) > 15_000
        sure = len(lines) if message != "damaged" else len(LINES)
        assert lines[:sure] == [*LINES, *LINES][:sure]
    file.write_bytes(stored[:9])
    assert failing(source_of(file))[0] == []


def test_what_may_be_between_packed_parts(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(gzip.compress(b"{}\n") + bytes(600) + gzip.compress(b"[]") + bytes(300_000))
    assert all_of(source_of(file)) == [b"{}", b"[]"]
    skipped = b"\x53\x2a\x4d\x18\x03\0\0\0abc"
    file.write_bytes(skipped + zstd.compress(b"{}\n") + skipped + zstd.compress(b"[]"))
    assert all_of(source_of(file)) == [b"{}", b"[]"]


def test_zstd_without_its_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(zstd.compress(b"{}"))
    for name in ("backports", "compression"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install 'widgetschema[audit]'" in failing(source_of(tmp_path / "a"))[1]


def test_a_source_that_is_packed_in_the_meantime_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(gzip.compress(b"{}\n" * 99))
    assert "replaced" in failing(source_of(file), Span(0, 0, 9))[1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_other_encodings_are_named(
    tmp_path: Path, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "a").write_bytes(pack('{"a": 1}\n{}'.encode(encoding)))
    lines, message = failing(source_of(tmp_path / "a"))
    assert not lines
    assert encoding[:6].upper() in message
    assert "iconv" in message


@pytest.mark.parametrize("begin", [b"\0\0\0\0{}", b"{}", b"1", b"\0"])
def test_a_strange_begin_is_a_line(tmp_path: Path, begin: bytes) -> None:
    (tmp_path / "a").write_bytes(begin + b"\n{}")
    assert all_of(source_of(tmp_path / "a")) == [begin, b"{}"]


def test_a_byte_order_mark_is_skipped_and_noted(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"\xef\xbb\xbf{}\n[]\n\xef\xbb\xbf{}\n")
    source = source_of(file)
    for spans in ([Span(0)], [Span(0, 0, source.size)], [Span(0, 0, 4), Span(0, 4, source.size)]):
        assert [line for span in spans for line in read(source, span, block_bytes=3)] == [
            b"{}",
            b"[]",
            b"\xef\xbb\xbf{}",
        ]
        [note] = [
            note
            for span in spans
            for block in blocks(source, span, max_bytes=MOST)
            for note in block.notes
        ]
        assert note == "byte_order_marks"


@pytest.mark.parametrize("begin", [b"BZh91AY&SY", b"\xfd7zXZ\0\0\x04", b"PK\x03\x04\x14\0\0\0"])
@pytest.mark.parametrize("layout", ["lines", "whole"])
def test_what_cannot_be_unpacked_is_named(tmp_path: Path, begin: bytes, layout: str) -> None:
    (tmp_path / "a").write_bytes(begin)
    assert "which is not supported" in failing(source_of(tmp_path / "a", layout))[1]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_an_archive_is_named(tmp_path: Path, pack: Callable[[bytes], bytes], form: int) -> None:
    stream, about = io.BytesIO(), tarfile.TarInfo("ä" * 40)
    about.size = 3
    with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
        archive.addfile(about, io.BytesIO(b"{}\n"))
    (tmp_path / "a.tar").write_bytes(pack(stream.getvalue()))
    lines, message = failing(source_of(tmp_path / "a.tar"))
    assert (lines, "is a tar archive" in message) == ([], True)
    (tmp_path / "b").write_bytes(b" " * 257 + b"ustar")
    assert len(all_of(source_of(tmp_path / "b"))) == 1


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_what_is_packed_in_what_is_packed_is_named(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    for inner, message in (
        (gzip.compress(b"{}", mtime=0), "compressed twice"),
        (b"PK\3\4" + b"\n" * 9, "zip"),
    ):
        (tmp_path / "a").write_bytes(pack(inner))
        lines, told = failing(source_of(tmp_path / "a"))
        assert (lines, message in told) == ([], True)


def test_addresses_that_fail_are_named() -> None:
    for address in ("memory://nothing/here", "nothing://here", "https://u:pw@h/x?sig=1"):
        _, message = failing(Source(address, address))
        assert message
        assert "pw" not in message
        assert "sig" not in message


def child(code: str, stdin: bytes = b"", *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin,
        capture_output=True,
        check=True,
        timeout=120,
    ).stdout.decode()


MEMORY = """
import os, resource, sys
from widgetschema.audit.inputs.sources import Source, Span
from widgetschema.audit.inputs.reading import blocks
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
def count(path):
    source = Source(path, path, os.path.getsize(path))
    return [(len(one.lines), one.oversize) for one in blocks(source, Span(0), max_bytes=1 << 20)]
count(sys.argv[1])
before = peak()
print([count(path) for path in sys.argv[2:]], peak() - before < 12)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="asks the system for the peak of memory")
def test_memory_does_not_grow_with_a_line(tmp_path: Path) -> None:
    size = 100_000_000
    plain, packed, bomb = (tmp_path / name for name in ("plain", "packed", "bomb"))
    with plain.open("wb") as stream:
        stream.write(b"{}\n")
        stream.truncate(size + 3)  # zeros
        stream.seek(0, os.SEEK_END)
        stream.write(b"\n{}\n")
    compressor = zlib.compressobj(1, wbits=31)
    zeros = bytes(1_000_000)
    pieces = [compressor.compress(b"{}\n"), *(compressor.compress(zeros) for _ in range(100))]
    packed.write_bytes(b"".join([*pieces, compressor.compress(b"\n{}\n"), compressor.flush()]))
    bomb.write_bytes(zstd.compress(b"{}\n" + bytes(size) + b"\n{}\n"))
    (tmp_path / "small").write_bytes(zstd.compress(b"{}\n" * 1_000_000))
    said = child(MEMORY, b"", *map(str, (tmp_path / "small", plain, packed, bomb)))
    assert said.strip() == f"{[[(1, None), (0, size), (1, None)]] * 3} True"


STDIN = """
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.plan import plan_sources
[source], [[span]], problems = plan_sources(["-", "-"])
found = [line for block in blocks(source, span, max_bytes=999) for line in block.lines]
print(source.layout, source.compression, found, problems)
"""


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_standard_input(pack: Callable[[bytes], bytes]) -> None:
    kind = {bytes: "", gzip.compress: "gzip", zstd.compress: "zstd"}[pack]
    assert (
        child(STDIN, pack(b'{"a":1}\r\n\n[]')) == f"lines {kind} [b'{{\"a\":1}}', b'', b'[]'] []\n"
    )
    assert child(STDIN, pack(b'{\n"a":1}\n')) == f"lines {kind} [b'{{\\n\"a\":1}}\\n'] []\n"


SLOWLY = """
import os, sys, threading, time
read, write = os.pipe()
os.dup2(read, 0)
os.set_blocking(0, sys.argv.pop(1) == "waits")
def trickle():
    for part in map(bytes.fromhex, sys.argv[1:]):
        os.write(write, part)
        while "plan_sources" not in globals():
            time.sleep(0.01)
        time.sleep(0.1)  # now somebody looks at what there is
    os.close(write)
threading.Thread(target=trickle).start()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="puts a pipe in the place of standard input")
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
@pytest.mark.parametrize("waits", ["waits", "is over as soon as there is nothing"])
def test_standard_input_may_come_slowly(pack: Callable[[bytes], bytes], waits: str) -> None:
    raw = pack(b' \n{\n"a":1}\n')
    parts = raw[:3].hex(), raw[3:].hex()
    said = child(SLOWLY + STDIN, b"", waits, *parts)
    assert said.endswith(" [b' \\n{\\n\"a\":1}\\n'] []\n")


COPIED = b'1\tcountdown\t{"a": 1}\n2\tfaq\t\\N\n\\.\n'
OTHERS = [
    (COPIED, "looks like the text of COPY in PostgreSQL"),
    (b'id,type,data\n1,faq,"{""a"": 1, ""b"": 2}"\n2,faq,\n', "looks like CSV"),
    (b"id;type\r\n1;faq\r\n2;faq\r\n", "looks like CSV"),
    (b'id;type;data\n1;faq;{"a": 1}\n2;faq;{"a": 1; "b": 2}\n', "looks like CSV"),
    (b'data|id\n{"a": 1}|5\n', "looks like CSV"),
    (b'id,data\n1,"{\n  ""a"": 1\n}"\n', "looks like CSV"),
    (b'{"a": "\\\\"x"}\t1\n{}\t2\n\\.\n', "looks like the text of COPY in PostgreSQL"),
    (b'{type: faq, data: {}}\n{type: "faq", data: {}}\n', "looks like YAML, JSON5"),
    (b"Stra\xc3\x9fe 1: a\n  b\nc.d: e\n", "looks like YAML"),
    (b"type: faq\ndata:\n  items:\n    - question: a\n", "looks like YAML"),
    (b"---\n- type: faq\n", "looks like YAML"),
    (b"<html>\n<body></body>\n", "looks like HTML"),
]


@pytest.mark.parametrize(("content", "what"), OTHERS, ids=range(len(OTHERS)))
@pytest.mark.parametrize("layout", ["lines", "whole"])
def test_text_in_another_format_is_named(
    tmp_path: Path, content: bytes, what: str, layout: str
) -> None:
    (tmp_path / "a").write_bytes(content * 30)
    lines, message = failing(source_of(tmp_path / "a", layout))
    assert (lines, f"it is not JSON, but {what}" in message) == ([], True)
    (tmp_path / "a.ndjson").write_bytes(content * 30)
    with pytest.raises(SourceFailed, match=what):
        inspect(File(str(tmp_path / "a.ndjson")), 10, ColumnNames())


@pytest.mark.parametrize(
    "content",
    [
        b"{a,b\n1,2\n",
        b'{"a":1\t}\n{"b":\t2}\n',
        b"1,2\n",
        b"one\ntwo\n",
        b"1\n2\n3\n",
        b'"a"\n"b"\n',
        b"a,b\nc\n",
        b"a: 1\nb\n",
        b"true\nnull\n",
        b"  1\n  true\n",
        b'a,b\n{"a": 1, "b": 2}\n',
        b'{a: 1}\n{"a": 1}\n',
        b'{"a": 1}\t\n{"b": 2}\t\n',
        b'"a,b"\n"c,d"\n',
        b'"a":1,"b":2}\n"a":3,"b":4}\n',
    ],
)
def test_json_with_mistakes_is_no_other_format(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    assert all_of(source_of(tmp_path / "a")) == expected(content)


@pytest.mark.parametrize(("text", "is_refused"), [("ab\n" * 9, 0), ("a" * 11, 1), ("\ra" * 9, 0)])
def test_a_line_of_a_table_ends(text: str, is_refused: bool) -> None:
    lines = io.BufferedReader(_Lines(io.BytesIO(text.encode()).read, 10), 4)
    if is_refused:
        with pytest.raises(SourceFailed, match="a line of more than 10 bytes"):
            lines.read()
    else:
        assert lines.read().decode() == text
