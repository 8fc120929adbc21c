"""Inputs of `widgetschema validate`: files, folders, globs, lists, hostile names."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import BAD, GOOD, INPUTS, STORES, VALID, Run, environment, run, skip_if_away
from widgetschema.project.checking.results import Problem
from widgetschema.project.checking.runner import batches
from widgetschema.project.inputs.discovery import find_files
from widgetschema.project.inputs.formats import holds_lines
from widgetschema.project.inputs.model import File

Capture = pytest.CaptureFixture[str]
posix = pytest.mark.skipif(os.name != "posix", reason="pipes with names")


def validate(capsys: Capture, *arguments: str | Path) -> Run:
    return run(capsys, "validate", "--type", "countdown", *arguments)


def summary(result: Run) -> str:
    return result.err.splitlines()[-1]


# Folders and globs


EVERYTHING = """
    UPPER.JSON a.json b.json other/manifest.json
    sub/lines.jsonl sub/lines.ndjson sub/packed.json.gz x.json/y.json
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project: good and bad files, and what is none of a check's business."""
    files = {
        "b.json": BAD,
        "a.json": GOOD,
        "UPPER.JSON": GOOD,
        "notes.txt": b"no JSON",
        ".hidden.json": b"{",
        ".git/x.json": b"{",
        "sub/.cache/x.json": b"{",
        "sub/lines.ndjson": GOOD + b"\n" + BAD,
        "sub/lines.jsonl": GOOD,
        "sub/packed.json.gz": gzip.compress(BAD),
        "sub/schemas/manifest.json": b"{",
        "sub/schemas/x.json": b"{",
        "sub/schemas/deeper/x.json": b"{",
        "other/manifest.json": GOOD,  # any project may have a file of this name
        "x.json/y.json": GOOD,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty").mkdir()
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        (["."], EVERYTHING),
        (["sub"], "sub/lines.jsonl sub/lines.ndjson sub/packed.json.gz"),
        (["*.json"], "a.json b.json x.json/y.json"),
        (["**/*.gz"], "sub/packed.json.gz"),
        (["s*"], "sub/lines.jsonl sub/lines.ndjson sub/packed.json.gz"),
        (["?.json"], "a.json b.json x.json/y.json"),
        (["b.json", "a.json"], "b.json a.json"),
        (
            ["a.json", "./a.json", "sub/../a.json", "*.json", "a.json"],
            "a.json b.json x.json/y.json",
        ),
        ([".hidden.json"], ".hidden.json"),
        ([".git"], ".git/x.json"),
        (["notes.txt"], "notes.txt"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_files_that_paths_mean(paths: list[str], files: str, tree: Path) -> None:
    found = [item.name for item in find_files(paths) if isinstance(item, File)]

    assert found == files.split()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("empty", "there is no file of data in this folder"),
        ("nothing", "no such file or directory"),
        ("*.yaml", "no file matches this pattern"),
        ("empt?", "no file matches this pattern"),
        ("sub/schemas", "this folder holds schemas, not data"),
        ("a.json/b.json", "not a directory"),
        ("", "no such file or directory"),
    ],
)
def test_what_cannot_be_found_is_one_line(
    path: str, said: str, capsys: Capture, tree: Path
) -> None:
    result = validate(capsys, path, "a.json")

    assert result.code == 3
    assert result.err == f"widgetschema: {path}: {said}\n1 document in 1 file: 1 valid; 1 problem\n"


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(capsys: Capture, tree: Path) -> None:
    (tree / "[ab].json").write_bytes(BAD)

    assert "[ab].json:1:54:" in validate(capsys, "[ab].json").out


def test_a_folder_given_as_schemas_is_left_out(capsys: Capture, tree: Path) -> None:
    (tree / "mine").mkdir()
    (tree / "mine" / "event.json").write_bytes((STORES / "good" / "event.json").read_bytes())

    result = validate(capsys, ".", "--schemas", "mine")
    without = validate(capsys, ".")

    assert "event.json" not in result.out
    assert "event.json" in without.out


def test_links_are_followed_to_files_and_looped_links_are_one_line(
    capsys: Capture, tree: Path
) -> None:
    (tree / "again.json").symlink_to("a.json")
    (tree / "dangling.json").symlink_to("gone.json")
    (tree / "loop.json").symlink_to("loop.json")
    (tree / "up").symlink_to("..")

    result = validate(capsys, "again.json", "a.json", "dangling.json", "loop.json", ".")

    assert result.code == 3
    *problems, last = result.err.splitlines()
    assert problems == [
        "widgetschema: dangling.json: no such file or directory",
        "widgetschema: loop.json: too many levels of symbolic links",
    ]
    assert last == "9 documents in 8 files: 6 valid, 3 invalid (3 findings); 2 problems"


def test_a_file_that_cannot_be_opened_is_one_line(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("socket.json")
        result = validate(capsys, "socket.json", VALID)

    assert result.code == 3
    assert result.err.startswith("widgetschema: socket.json: not a regular file (")
    assert summary(result) == "1 document in 1 file: 1 valid; 1 problem"


NOT_FILES = ["pipe.json", "socket.ndjson", "zero.json"]


@pytest.fixture
def strange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one good file, and pipes, a device and a socket beside it."""
    folder = tmp_path / "w"
    folder.mkdir()
    (folder / "good.json").write_bytes(GOOD)
    os.mkfifo(folder / "pipe.json")
    (folder / "zero.json").symlink_to("/dev/zero")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("w/socket.ndjson")
        yield folder


@posix
@pytest.mark.parametrize(
    ("how", "configuration"),
    [
        (["validate", "w"], ""),
        (["validate", "w/*"], ""),
        (["validate", "w/good.json", *(f"w/{name}" for name in NOT_FILES)], ""),
        (["validate", "--jobs", "2", "w"], ""),
        (["validate"], "[files]\n'w/*' = 'countdown'\n"),
        (["validate"], "include = ['w/*.json', 'w/*.ndjson']\n"),
        (["audit", "w"], ""),
    ],
    ids=["folder", "glob", "shell", "jobs", "files", "include", "audit"],
)
def test_what_is_no_regular_file_is_told_and_the_run_goes_on(
    strange: Path, how: list[str], configuration: str
) -> None:
    (strange.parent / "widgetschema.toml").write_text(configuration, encoding="utf-8")
    command = [sys.executable, "-m", "widgetschema", *how, "--type", "countdown"]

    result = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env=environment()
    )

    skip_if_away(result.stderr)
    told = result.stdout if how[0] == "audit" else result.stderr
    assert result.returncode == 3
    follows = how == ["audit", "w"] or "w/good.json" in how  # of a folder, no links out of it
    for name in NOT_FILES[: None if follows else 2]:
        assert re.search(f"w/{name}: not a regular file", told)
    assert re.search("^1 (document in 1 file: 1|record in 1 source: all) valid", told, re.MULTILINE)


@posix
def test_a_pipe_that_is_named_as_one_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    ours, theirs = os.pipe()
    os.write(theirs, GOOD)
    os.close(theirs)
    named = ["--type", "countdown", "--as", "data", f"/dev/fd/{ours}", "/dev/stdin", "pipe"]

    with subprocess.Popen(
        [sys.executable, "-m", "widgetschema", "validate", *named],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[ours],
        cwd=tmp_path,
        env=environment(),
    ) as process:
        os.close(ours)
        assert process.stdin is not None
        process.stdin.write(GOOD)
        process.stdin.close()
        process.stdin = None
        (tmp_path / "pipe").write_bytes(GOOD)  # waits until it is read
        said = process.communicate(timeout=300)[1]

    assert process.returncode == 0
    assert b"3 documents in 3 files: 3 valid" in said


def test_a_folder_that_cannot_be_read_is_one_line(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deeper than the system takes names: that no user may pass, not even root."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_bytes(GOOD)
    folder = os.open(".", os.O_RDONLY)
    for _ in range(20):
        os.mkdir("n" * 250, dir_fd=folder)
        inner = os.open("n" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)

    result = validate(capsys, ".")

    assert result.code == 3
    assert re.match(r"widgetschema: [n/]+: file name too long\n", result.err)
    assert summary(result) == "1 document in 1 file: 1 valid; 1 problem"


# Names


HOSTILE = {
    "new line": "a\nb.json",
    "escape sequence": "a\x1b[31mb.json",
    "bidi control": "a\u202enosj.json",
    "C1 control": "a\x9b31m.json",
    "carriage return": "a\rb.json",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_names_are_shown_without_what_a_terminal_obeys(
    name: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(BAD)

    text = validate(capsys, ".", f"missing-{name}")
    value = validate(capsys, "--format", "json", name, f"missing-{name}")
    unopened = validate(capsys, "--output", f"no/{name}", name)

    for output in (text.out, text.err, value.out, value.err, unopened.err):
        assert all(line.isprintable() for line in output.split("\n"))
    shown = "".join(letter if letter.isprintable() else "·" for letter in name)
    assert f"{shown}:1:54: " in text.out
    assert text.err.startswith(f"widgetschema: missing-{shown}: no ")
    parsed = json.loads(value.out)
    assert parsed["documents"][0]["file"] == name
    assert parsed["problems"][0]["file"] == f"missing-{name}"


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are always UTF-8")
def test_names_that_are_not_utf8(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"caf\xe9.json")
    Path(name).write_bytes(BAD)

    text = validate(capsys, name)
    value = validate(capsys, "--format", "json", name)
    filed = validate(capsys, "--format", "json", name, "--output", "findings.json")

    assert text.out.startswith("caf·.json:1:54: ")
    assert json.loads(value.out)["documents"][0]["file"] == name
    assert filed.code == 1
    assert Path("findings.json").read_text(encoding="utf-8") == value.out


# Lists


@pytest.mark.parametrize("kind", ["auto", "document"])
@pytest.mark.parametrize("name", ["array.json", "envelope.json"])
def test_lists_hold_documents(kind: str, name: str, capsys: Capture) -> None:
    result = run(capsys, "validate", "--as", kind, INPUTS / name)

    assert result == run(capsys, "validate", INPUTS / name)
    assert f"{3 if name == 'array.json' else 2} documents in 1 file" in result.err


@pytest.mark.parametrize(
    ("content", "auto", "document", "data"),
    [
        ("[]", 1, 3, 1),
        ('{"docs": [], "total": 0}', 3, 3, 1),
        ('{"docs": []}', 1, 1, 1),
        ('{"docs": 5, "total": 0}', 1, 1, 1),
        ('{"docs": [{"id": "1", "data": {"content": {}, "settings": {}, "styles": {}}}]}', 0, 0, 1),
        ('[{"id": "1", "data": {"content": {}, "settings": {}, "styles": {}}}, 5]', 1, 1, 1),
        ('[{"id": "1", "name": "", "type": "countdown"}]', 1, 1, 1),
        ('{"data": {"content": {}, "settings": {}, "styles": {}}}', 1, 0, 1),
        ('{"id": "1", "data": {"content": {}, "settings": {}, "styles": {}}}', 0, 0, 1),
        ('{"content": {}, "settings": {}, "styles": {}}', 0, 1, 0),
        ("5", 1, 1, 1),
        ('"data"', 1, 1, 1),
        ("null", 1, 1, 1),
    ],
)
def test_what_each_kind_makes_of_a_value(
    content: str, auto: int, document: int, data: int, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")

    codes = [validate(capsys, "--as", kind, path).code for kind in ("auto", "document", "data")]

    assert codes == [auto, document, data]


def test_paths_and_problems_have_the_place_of_their_document(tmp_path: Path) -> None:
    problem = Problem("x.json", "odd", 2, "/docs/1", 7)

    assert str(problem) == "x.json:7 at /docs/1: odd"
    assert str(Problem("x.json", "odd", 2)) == "x.json: odd"


@pytest.mark.parametrize("others", ["", ', {"content": {}}'], ids=["alone", "among others"])
def test_records_of_the_widgets_list_are_known_as_such(
    others: str, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    record = '{"id": "1", "name": "", "type": "countdown", "modelVersion": 1}'
    path.write_text(f"[{record}{others}]", encoding="utf-8")

    result = run(capsys, "validate", path)

    assert 'x.json:1:2: required /0: the property "data" is missing' in result.out
    assert "records of the widgets list have no data" in result.out


# NDJSON, whatever it is called


@pytest.mark.parametrize("command", ["validate", "audit"])
@pytest.mark.parametrize("size", [0, 100_000, 9_000_000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_ndjson_called_json_is_known_by_its_first_lines(
    command: str,
    size: int,
    pack: Callable[[bytes], bytes],
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps(json.loads(GOOD)).encode(), json.dumps(json.loads(BAD)).encode()]
    lines[0] += b" " * size  # of the first line, so that the second one is far
    for name in ("a.json", "a.ndjson"):
        Path(name).write_bytes(pack(b"\n\n".join(lines)))

    told = [run(capsys, command, "--type", "countdown", name) for name in ("a.json", "a.ndjson")]

    assert told[0].code == 1
    assert "a.json:3" in told[0].out
    # How an audit took the file apart may differ: where no first line ends, it has texts.
    outs = [re.sub(r"(?m)^input: .*\n", "", one.out) for one in told]
    assert outs[0] == outs[1].replace("a.ndjson", "a.json")
    assert told[0].err == told[1].err.replace("a.ndjson", "a.json")


@pytest.mark.parametrize(
    ("content", "are_lines"),
    [
        (b"", False),
        (b"{}", False),
        (b"{}\n \r\n\t", False),
        (b"{}\n{}", True),
        (b"\xef\xbb\xbf\r\n{}\r\n\r\n{", True),  # the second line has a mistake
        (b"1\nnull", True),
        (b"{}\n}", False),  # a brace too many
        (b"{},\n{}", False),
        (b"[\n{}\n]", False),
        (b"{\n}\n{\n}\n", False),
        (b"{} {}\n{}", False),
    ],
)
def test_what_holds_lines(content: bytes, are_lines: bool) -> None:
    assert holds_lines(content, is_all=True) is are_lines
    parts = [holds_lines(content[:end], is_all=False) for end in range(len(content) + 1)]
    assert {one for one in parts if one is not None} <= {are_lines}


def test_a_large_file_of_lines_is_work_for_several_processes(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = GOOD.rstrip(b"}") + b" " * 9_000 + b"}}\n"
    Path("a.json").write_bytes(line * 1_000 + BAD)

    files = find_files(["a.json"])
    portions = [*batches(files, 1 << 26, 0)]

    assert len(portions) > 4
    alone, together = (validate(capsys, "a.json", "--jobs", jobs) for jobs in ("1", "2"))
    assert (alone.code, alone.out) == (together.code, together.out)
    assert alone.code == 1


def test_lines_of_a_file_called_json_are_fixed(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good = '{"content": {}, "settings": {}, "styles": {"animationType": "tick"}}'
    bad = good.replace("tick", "Tick")
    Path("a.json").write_text(f"{good}\n{bad}\n")

    assert validate(capsys, "a.json", "--fix").code == 0
    assert Path("a.json").read_text() == f"{good}\n{good}\n"
