"""From names to sources and partitions: nothing twice, nothing left out, little opened."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import pickle
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import fsspec
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import scaled
from widgetschema.audit.inputs.addresses import explain_error, without_secrets
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.sources import Span
from widgetschema.audit.plan import plan_sources
from widgetschema.catalog.store import MANIFEST
from widgetschema.errors import MissingExtra
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.model import SourceFailed

NO_DATA = (
    'it has no column "data": name the column with the data by --data-column; its columns are: '
)
DAMAGED = "it is not a table, or it is damaged: "


def names(*inputs: str, **options: object) -> list[str]:
    sources, _, problems = plan_sources(inputs, **options)  # type: ignore[arg-type]
    assert not problems
    return [source.name for source in sources]


def problem(*inputs: str) -> str:
    sources, partitions, [found] = plan_sources(inputs)
    assert not sources
    assert not partitions
    assert found.code == 3
    return str(found)


def lines_of(name: str, partition_bytes: int = 1 << 24) -> list[bytes]:
    sources, partitions, problems = plan_sources([name], partition_bytes=partition_bytes)
    assert not problems
    return [
        line
        for spans in partitions
        for span in spans
        for block in blocks(sources[span.source], span, max_bytes=1 << 20, block_bytes=64)
        for line in block.lines
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in (
        "data/b.ndjson.gz",
        "data/a.json",
        "data/deep/er/c.jsonl.zst",
        "data/deep/D.NDJSON.ZSTD",
        "data/deep/.hidden/e.json",
        "data/.f.json",
        "data/notes.txt",
        "data/schemas/g.json",
        f"data/schemas/{MANIFEST}",
        "data/out.ndjson",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}\n")
    return tmp_path


FOUND = [
    f"data/{name}"
    for name in ("a.json", "b.ndjson.gz", "deep/D.NDJSON.ZSTD", "deep/er/c.jsonl.zst", "notes.txt")
]


def test_a_folder(folder: Path) -> None:
    assert sorted(names("data")) == sorted([*FOUND, "data/out.ndjson"])
    assert sorted(
        names("data", search=Search(own_in=lambda _: lambda path, _: path.endswith("out.ndjson")))
    ) == sorted(FOUND)


def test_globs_and_names(folder: Path) -> None:
    assert names("data/**/*.zst*") == ["data/deep/er/c.jsonl.zst"]
    assert names("data/*.txt", "data/a.json", "./data/a.json") == ["data/notes.txt", "data/a.json"]
    os.symlink(folder / "data/a.json", folder / "link.json")
    assert names("link.json", "data/a.json") == ["link.json"]
    excluded = names("data/a.json", search=Search(own_in=lambda _: lambda path, _: True))
    assert excluded == ["data/a.json"]  # as it is named


def test_what_is_no_source(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "empty").mkdir()
    os.symlink("nowhere", folder / "lost.json")
    for name, message in (
        ("missing.json", "no such file or directory"),
        ("lost.json", "no such file or directory"),
        ("pipe", "give it as standard input"),
        (os.devnull, "device"),
        ("empty", "no file of data in this folder"),
        ("*.nothing", "no file matches"),
        ("data/schemas", "holds schemas"),
        ("a\0b", "null"),
    ):
        assert message in problem(name)


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert problem("-") == "-: standard input is closed"


PRETTY = b'{\n  "a": 1\n}\n'


@pytest.mark.parametrize(
    ("name", "content", "layout", "compression"),
    [
        ("a.json", PRETTY, "whole", ""),
        ("a.json", b"{}\n{}\n", "whole", ""),  # small: who reads it sees what it is
        ("a.JSON.gz", PRETTY, "whole", "gzip"),
        ("a.json.zst", PRETTY, "whole", "zstd"),
        ("a.ndjson", PRETTY, "lines", ""),
        ("a.jsonl.zstd", b"{}", "lines", "zstd"),
        ("dump", b"{}\n{}", "lines", ""),
        ("dump", b'{"a": 1\n{}', "lines", ""),
        ("dump", PRETTY, "whole", ""),
        ("dump", gzip.compress(PRETTY, mtime=0), "whole", "gzip"),
        ("dump", zstd.compress(b"{}\n"), "lines", "zstd"),
        ("dump", zstd.compress(b"{}\n")[:9], "lines", "zstd"),
        ("dump", b"hello\n{}\n", "lines", ""),
        ("dump", b"", "lines", ""),
        ("large.json", b"{}\n" * 99, "lines", ""),  # can be cut
        ("large.json", b"[\n" + b"{},\n" * 99 + b"{}\n]", "whole", ""),
        ("large.ndjson", gzip.compress(b"a" + os.urandom(400), mtime=0), "lines", "gzip"),
        ("packed.ndjson.gz", b"{}\n" * 99, "lines", ""),  # it is not
    ],
)
def test_how_a_source_is_read(
    tmp_path: Path, name: str, content: bytes, layout: str, compression: str
) -> None:
    (tmp_path / name).write_bytes(content)
    [source], _, _ = plan_sources([str(tmp_path / name)], partition_bytes=200)
    assert (source.layout, source.compression) == (layout, compression)
    assert source.size == len(content)
    assert pickle.loads(pickle.dumps(source)) == source


@settings(max_examples=scaled(60))
@given(
    sizes=st.lists(st.integers(0, 60), min_size=1, max_size=8),
    partition_bytes=st.integers(1, 20_000),
)
def test_partitions_cover_everything_once(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], partition_bytes: int
) -> None:
    folder = tmp_path_factory.mktemp("sizes")
    for number, size in enumerate(sizes):
        (folder / f"{number}.ndjson").write_bytes(b"x\n" * size)
    sources, partitions, problems = plan_sources([str(folder)], partition_bytes=partition_bytes)
    assert not problems
    spans = [span for partition in partitions for span in partition]
    for number, source in enumerate(sources):
        own = [span for span in spans if span.source == number]
        assert [span.start for span in own] == [0, *(span.end for span in own[:-1])]
        assert own[-1].end == source.size
        assert all(span.end is not None for span in own)
        assert all((span.end or 0) - span.start <= partition_bytes for span in own)
    assert [span.source for span in spans] == sorted(span.source for span in spans)
    if partition_bytes >= 5000 * len(sizes):
        assert len(partitions) == 1
    assert sum(len(lines_of(source.name)) for source in sources) == sum(sizes)


def test_lines_come_together_again(tmp_path: Path) -> None:
    content = b'{"a":1}\r\n\n' * 500 + '{"ä":2}'.encode()
    lines = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    for name, pack in (
        ("a.ndjson", bytes),
        ("a.ndjson.gz", gzip.compress),
        ("a.ndjson.zst", zstd.compress),
    ):
        (tmp_path / name).write_bytes(pack(content))
        for partition_bytes in (1, 7, 999, 1 << 24):
            assert lines_of(str(tmp_path / name), partition_bytes=partition_bytes) == lines


@pytest.mark.parametrize(
    ("change", "read", "message"),
    [
        (lambda file, new: os.replace(new, file), 2, "content was replaced"),
        (lambda file, new: file.write_bytes(new.read_bytes()), 4, "became longer"),
        (lambda file, new: file.write_bytes(file.read_bytes() + b"{}\n"), 6, "became longer"),
        (lambda file, new: os.truncate(file, 6), 2, "became shorter"),
        (lambda file, new: os.utime(file, ns=(1, 1)), 6, None),
    ],
)
def test_what_is_changed_between_two_parts_is_named(
    tmp_path: Path, change: Callable[[Path, Path], object], read: int, message: str | None
) -> None:
    file, new = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    file.write_bytes(b"{}\n" * 6)
    new.write_bytes(b"[1,2,3]\n" * 6)
    [source], partitions, _ = plan_sources([str(file)], partition_bytes=6)
    lines: list[bytes] = []
    told: set[str] = set()
    for number, [span] in enumerate(partitions):
        if number == 1:
            change(file, new)
        try:
            for block in blocks(source, span, max_bytes=1 << 20):
                lines += block.lines
        except SourceFailed as error:
            told.add(error.message)
    assert len(lines) == read
    assert len(told) == (message is not None)
    assert all(message is not None and message in one for one in told)


def test_packed_sources_and_texts_are_not_cut(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"[" + b"1,\n" * 999 + b"1]")
    (tmp_path / "b.ndjson.gz").write_bytes(gzip.compress(os.urandom(999), mtime=0))
    (tmp_path / "c.ndjson").write_bytes("{}\n".encode("utf-16") * 999)  # is told once
    _, partitions, _ = plan_sources([str(tmp_path)], partition_bytes=100)
    assert [[span.start for span in spans] for spans in partitions] == [[0], [0], [0]]


def test_many_small_files(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"{number:04}.json").write_bytes(b"{}")
    sources, partitions, _ = plan_sources([str(tmp_path)])
    assert len(sources) == 1000
    assert 1 <= len(partitions) <= 3


def test_a_stamp_changes_with_the_content(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"{}")
    memory = fsspec.filesystem("memory")
    memory.pipe("/stamps/a.json", b"{}")
    inputs = [str(file), "memory://stamps/a.json"]
    before, again = plan_sources(inputs)[0], plan_sources(inputs)[0]
    assert [source.stamp for source in before] == [source.stamp for source in again]
    file.write_bytes(b"[]")
    os.utime(file, ns=(1, 1))
    memory.pipe("/stamps/a.json", b"[]")
    for old, new in zip(before, plan_sources(inputs)[0], strict=True):
        assert old.stamp != new.stamp


@pytest.fixture
def memory(folder: Path) -> Iterator[None]:
    files = fsspec.filesystem("memory")
    for path in folder.rglob("*.*"):
        if path.is_file():
            files.pipe(f"/{path.relative_to(folder).as_posix()}", path.read_bytes())
    yield
    files.rm("/data", recursive=True)


@pytest.mark.usefixtures("memory")
def test_addresses(folder: Path) -> None:
    inside = sorted([*FOUND, "data/out.ndjson"])
    for name in ("memory://data", "memory://data/"):
        assert sorted(names(name)) == [f"memory://{one}" for one in inside]
    assert names("memory://data/**/*.zst") == ["memory://data/deep/er/c.jsonl.zst"]
    assert sorted(names("memory://dat*")) == [f"memory://{one}" for one in inside]
    assert names("memory://data/a.json", "memory://data/*.json") == ["memory://data/a.json"]
    mixed = ["data/out.ndjson", "memory://data/a.json", "./data/out.ndjson"]
    assert names(*mixed) == mixed[:2]
    assert names(f"file://{folder}/data/a.json", "data/a.json") == [f"{folder}/data/a.json"]
    assert len(names(f"file://{folder}/data/**/*.json*")) == 2  # none of a folder of schemas
    for name, message in (
        ("memory://nowhere", "nothing is at this address"),
        ("memory://data/*.nothing", "nothing matches"),
        ("memory://data/schemas", "no JSON file in this folder"),
        ("nothing://data", "addresses that begin with nothing:// are not supported: export"),
        ("postgresql+psycopg://host/a", "write this address as postgresql://HOST/NAME"),
    ):
        assert problem(name) == f"{name}: {problem(name).split(': ', 1)[1]}"
        assert message in problem(name)


def test_a_name_that_looks_like_a_pattern() -> None:
    files = fsspec.filesystem("memory")
    for name in ("a[1].ndjson", "what?.ndjson"):
        files.pipe(f"/odd/{name}", b"{}\n")
        assert names(f"memory://odd/{name}") == [f"memory://odd/{name}"]


def test_what_is_at_an_address_is_cut_and_read() -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/cut/a.ndjson", b"{}\n" * 100)
    assert lines_of("memory://cut/a.ndjson", partition_bytes=10) == [b"{}"] * 100
    assert lines_of("memory://cut/*", partition_bytes=1000) == [b"{}"] * 100
    files.pipe("/cut/b.ndjson.gz", gzip.compress(b"{}\n" * 50, mtime=0))
    assert lines_of("memory://cut", partition_bytes=10) == [b"{}"] * 150
    assert lines_of("simplecache::memory://cut/*.ndjson", partition_bytes=10) == [b"{}"] * 100


def test_chained_addresses(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("in/a.ndjson", "{}\n" * 100)
        archive.writestr("in/b.json", "[]")
    fsspec.filesystem("memory").pipe("/zips/a.zip", stream.getvalue())
    end = "::memory://zips/a.zip"
    assert names(f"zip://in/*{end}") == [f"zip://in/a.ndjson{end}", f"zip://in/b.json{end}"]
    _, partitions, _ = plan_sources([f"zip://in/a.ndjson{end}"], partition_bytes=10)
    assert partitions == [(Span(0),)]  # parts of it are not to be had
    assert lines_of(f"zip://in/a.ndjson{end}", partition_bytes=10) == [b"{}"] * 100
    (tmp_path / "a.zip").write_bytes(stream.getvalue())  # a plain file, unlike one in memory, ends
    for archive_of in (f"::{tmp_path}/a.zip", f"::file://{tmp_path}/a.zip"):
        assert lines_of(f"zip://in/a.ndjson{archive_of}") == [b"{}"] * 100


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    assert problem("s3://bucket/a.json") == (
        "s3://bucket/a.json: install s3fs to access S3: pip install s3fs"
    )
    monkeypatch.setitem(sys.modules, "paramiko", None)
    assert problem("sftp://host/a.json").endswith("to be installed: pip install paramiko")
    monkeypatch.setitem(sys.modules, "smbclient", None)  # its package has another name
    assert "pip install" not in problem("smb://host/a.json")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtra, match=r"pip install 'widgetschema\[audit\]'"):
        plan_sources(["memory://a"])
    assert names(os.path.abspath(__file__)) == [os.path.abspath(__file__)]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ftp://me:secret@host/a.json", "ftp://me@host/a.json"),
        ("https://host/a.json?X-Amz-Signature=secret", "https://host/a.json"),
        ("zip://*::https://:secret@host/a?sig=secret", "zip://*::https://@host/a"),
        ("github://org:repo@main/a.json", "github://org:repo@main/a.json"),
        ("s3://bucket/a:b@c.json", "s3://bucket/a:b@c.json"),
    ],
)
def test_secrets_are_not_shown(address: str, name: str) -> None:
    assert without_secrets(address) == name


def test_secrets_are_in_no_problem() -> None:
    assert "secret" not in problem("ftp://me:secret@localhost:1/a.json")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError("b/a"), "nothing is at this address, or the server does not respond"),
        (PermissionError("Access Denied"), "permission denied"),
        (TimeoutError(), "the server did not respond in time"),
        (RuntimeError(), "RuntimeError"),
        (ValueError("GET https://h/a?sig=secret\nfailed"), "GET https://h/a failed"),
        (OSError("Cannot reach ftp://me:secret@h"), "cannot reach ftp://me@h"),
    ],
)
def test_errors_behind_addresses(error: Exception, said: str) -> None:
    assert explain_error(error).startswith(said)
    assert "secret" not in explain_error(error)


class _Answer(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


@pytest.mark.parametrize(
    ("status", "said"),
    [(404, "nothing is at"), (403, "permission denied"), (503, "the server answers 503: ")],
)
def test_what_a_server_answers(status: int, said: str) -> None:
    error = FileNotFoundError("https://h/a?sig=secret")
    error.__cause__ = _Answer(status)
    assert explain_error(error).startswith(said)
    assert "secret" not in explain_error(error)


def test_what_is_in_a_folder_is_read_or_named(tmp_path: Path) -> None:
    line = b'{"a": 1}\n'
    read = {
        "a.ldjson": line * 3,
        "b.txt": b"[1]",
        "c": PRETTY,
        "d.gz": gzip.compress(line),
        "e.backup.zst": zstd.compress(PRETTY),
        "f.log": b'{"a": "' + b"x" * 100_000 + b'"}',
        "sub/g.bin": b"\n " + line,
        "s.json-seq": b"\x1e" + line,
        "t.json-seq": b"\xef\xbb\xbf\x1e\n\x1e" + PRETTY + b"\n",
        "u.json-seq.gz": gzip.compress(b"\x1e" + line),
        "h.gz": gzip.compress(line)[:12],  # is packed, and cut off: reading says so
    }
    other = {
        "i.txt": (b"hello\n{}\n", "it does not begin as JSON"),
        "v.json-seq": (b"\x1ehello\n", "it does not begin as JSON"),
        "j.toml": (b"[section]\na = 1\n", "it does not begin as JSON"),
        "k.md": (b"[a link](x)", "it does not begin as JSON"),
        "l.bz2": (bz2.compress(line), "it is compressed with bzip2"),
        "m.parquet": (b"PAR1" * 9, DAMAGED),
        "n.txt": (b"", "it is empty"),
        "o.txt": ('{"a": 1}'.encode("utf-16"), "it is encoded in UTF-16, not UTF-8"),
        "p.gz": (gzip.compress(b"hello"), "it does not begin as JSON"),
        "sub/q.csv": (b"1,2\n", f"{NO_DATA}1, 2"),
    }
    (tmp_path / "sub").mkdir()
    for name, content in read.items() | {(name, of[0]) for name, of in other.items()}:
        (tmp_path / name).write_bytes(content)
    (tmp_path / ".hidden").write_bytes(b"{}")
    os.mkfifo(tmp_path / "pipe")

    for must_read in (False, True):
        sources, _, problems = plan_sources([str(tmp_path)], must_read=must_read)
        assert {os.path.relpath(one.name, tmp_path) for one in sources} == {*read}
        told = {os.path.relpath(one.file, tmp_path): one.message for one in problems}
        assert told.pop("pipe").startswith("not read: it is a pipe")
        assert told.keys() == other.keys()
        for name, (_, why) in other.items():
            assert told[name].startswith(f"not read: {why}")
        assert {one.code for one in problems} == {3 if must_read else 0}
    os.symlink(tmp_path / "a.ldjson", tmp_path / "link")  # what it leads to is read once
    assert len(plan_sources([str(tmp_path)])[0]) == len(read)
    named = [str(tmp_path), str(tmp_path / "i.txt")]  # a file that is named is read
    assert str(tmp_path / "i.txt") in [one.name for one in plan_sources(named)[0]]
    assert "i.txt" not in {os.path.basename(one.file) for one in plan_sources(named)[2]}


def test_what_is_in_a_folder_at_an_address_is_read_or_named() -> None:
    import fsspec

    files = fsspec.filesystem("memory")
    files.pipe({"/unread/a.ldjson": b"{}\n{}\n", "/unread/b.csv": b"1,2\n"})

    sources, _, [problem] = plan_sources(["memory://unread"])

    assert [one.name for one in sources] == ["memory://unread/a.ldjson"]
    assert (problem.message, problem.code) == (f"not read: {NO_DATA}1, 2", 0)
