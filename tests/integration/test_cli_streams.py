"""Inputs that `widgetschema validate` reads line by line or unpacks: NDJSON and gzip."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd

from tests.command import BAD, GOOD, SIX_MISTAKES, VALID, Run, run
from widgetschema.jsontext import Limits
from widgetschema.project.inputs.model import Text
from widgetschema.project.inputs.streams import read_stream

Capture = pytest.CaptureFixture[str]


def validate(capsys: Capture, *arguments: str | Path) -> Run:
    return run(capsys, "validate", "--type", "countdown", *arguments)


def summary(result: Run) -> str:
    return result.err.splitlines()[-1]


# NDJSON


@pytest.mark.parametrize(
    ("content", "lines", "said"),
    [
        (GOOD + b"\n" + BAD + b"\n", [2], "1 valid, 1 invalid"),
        (BAD, [1], "1 invalid"),
        (GOOD + b"\r\n" + BAD + b"\r\n" + BAD, [2, 3], "1 valid, 2 invalid"),
        (b"\n\n" + GOOD + b"\n \t \n\r\n" + BAD, [6], "1 valid, 1 invalid"),
        (GOOD + b"\n{\n" + BAD + b"\n}\n" + GOOD, [2, 3, 4], "2 valid, 1 invalid"),
        (GOOD + b"\n" + BAD[:-1] + b"\n" + GOOD, [2], "2 valid; 1 unreadable"),
        (GOOD + b"\n" + GOOD + GOOD + b"\n" + BAD, [2, 3], "1 valid, 1 invalid"),
        (GOOD + b"\n" + b'{"content": "\xff"}' + b"\n" + BAD, [2, 3], "1 valid, 1 invalid"),
        (GOOD + b"\n" + b"[" * 300 + b"\n" + BAD, [2, 3], "1 valid, 1 invalid"),
        (b"", [], "0 documents in 1 file: 0 valid"),
        (b"\n\n", [], "0 documents in 1 file: 0 valid"),
        (b"[" + GOOD + b"]", [], "1 valid"),
        (GOOD + b"\n[" + GOOD + b", " + BAD + b"]", [2], "2 valid, 1 invalid"),
    ],
)
@pytest.mark.parametrize("suffix", [".ndjson", ".jsonl", ".NDJSON", ".ndjson.gz", ".jsonl.gz"])
def test_lines_of_ndjson_have_their_numbers(
    content: bytes, lines: list[int], said: str, suffix: str, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)

    result = validate(capsys, path)

    assert [int(line) for line in re.findall(r"x[.\w]+:(\d+):\d+: ", result.out)] == lines
    assert [int(line) for line in re.findall(r"^  (\d+) \| ", result.out, re.MULTILINE)] == lines
    assert said in summary(result)


def test_a_problem_in_ndjson_has_its_line(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_bytes(GOOD + b'\n\n{"id": "1", "type": "countdwn", "data": {}}\n[{"id": 1}]\n')

    result = run(capsys, "validate", "--as", "document", path)

    assert re.findall(r"x\.ndjson(:[^:]*): (\w+)", result.err) == [
        (":1", "cannot"),
        (":4 at /0", "cannot"),
    ]
    assert "x.ndjson:3:21: document.type " in result.out


@pytest.mark.parametrize("suffix", [".ndjson", ".ndjson.gz"])
def test_a_line_over_the_limit_is_refused_and_the_next_is_checked(
    suffix: str, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / f"x{suffix}"
    long = b'{"content": "' + b"x" * Limits().max_bytes
    content = GOOD + b"\n" + long + b'"}\n' + BAD
    path.write_bytes(gzip.compress(content, 1) if suffix.endswith(".gz") else content)

    result = validate(capsys, path)

    assert result.code == 3
    assert "2:1: json.size (root): the document has more than 67,108,864 bytes, the limit" in (
        result.out
    )
    assert f"x{suffix}:3:54: type /styles/fontId" in result.out
    assert all(len(line) < 300 for line in result.out.splitlines())


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("length", [9, 10, 11, 12, 21, 22, 23, 24, 33])
def test_lines_around_the_limit_never_run_into_each_other(
    length: int, end: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "x.ndjson"
    path.write_bytes(b"1\n" + b"x" * length + b"\n2\n" + b"y" * length + end)

    texts = [item for item in read_stream(str(path), 10) if type(item) is Text]

    assert [text.line for text in texts] == [1, 2, 3, 4]
    expected = [b"1", b"x", b"2", b"y"] if length <= 10 else [b"1", b" ", b"2", b" "]
    assert [text.raw[:1] for text in texts] == expected
    assert [len(text.raw) > 10 for text in texts] == [False, length > 10, False, length > 10]


def test_a_file_over_the_limit_is_read_no_further(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"[" + b"1," * 100)

    opened, text = read_stream(str(path), 10)

    assert opened is None
    assert isinstance(text, Text)
    assert (len(text.raw), text.line) == (11, None)


# gzip and zstd


@pytest.mark.parametrize("name", ["x.ndjson.zst", "x.JSON.ZSTD", "x"])
def test_zstd_is_known_by_its_content(name: str, capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(zstd.compress(GOOD + b"\n" + BAD))

    result = validate(capsys, tmp_path / name)

    assert result.code == 1
    assert f"{name}:2:54: type /styles/fontId" in result.out


@pytest.mark.parametrize("name", ["x.json.gz", "x.JSON.GZ", "x.json", "x"])
def test_gzip_is_known_by_its_content(name: str, capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(SIX_MISTAKES.read_bytes()))
    plain = tmp_path / "plain.json.gz"
    plain.write_bytes(SIX_MISTAKES.read_bytes())

    packed, unpacked = validate(capsys, path), validate(capsys, plain)

    assert packed.out.replace(str(path), str(plain)) == unpacked.out
    assert packed.out.count("hint:") >= 3


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda raw: raw[:-9], "its compressed data is cut off"),
        (lambda raw: raw[:20] + b"\xff" + raw[21:], "its compressed data is damaged ("),
        (lambda raw: raw[:-8] + b"\0\0\0\0" + raw[-4:], "incorrect data check"),
        (lambda raw: raw[:2] + b"\x09" + raw[3:], "unknown compression method"),
        (lambda raw: raw + b"trailing", "incorrect header check"),
        (lambda raw: raw[:2], "its compressed data is cut off"),
    ],
    ids=["cut off", "changed", "wrong checksum", "method", "trailing bytes", "magic only"],
)
def test_broken_gzip_is_one_line(
    damage: Callable[[bytes], bytes], said: str, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "x.json.gz"
    path.write_bytes(damage(gzip.compress(GOOD)))

    result = validate(capsys, path, VALID)

    assert result.code == 3
    assert len(result.err.splitlines()) == 2
    assert said in result.err
    assert "1 valid; 1 problem" in summary(result)


def test_lines_before_the_break_of_a_gzip_are_checked(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson.gz"
    noise = os.urandom(200_000).hex().encode()
    path.write_bytes(gzip.compress(BAD + b'\n{"x": "' + noise + b'"}\n')[:-100_000])

    result = validate(capsys, path)

    assert "x.ndjson.gz:1:54:" in result.out
    assert "its compressed data is cut off" in result.err
