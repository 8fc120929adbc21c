"""Memory of earlier runs: never anything but the truth, and nothing anyone can plant."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import widgetschema
from tests.command import BAD, GOOD, SIX_MISTAKES, run
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled
from widgetschema.cli.pipeline.validation import ValidateOptions, plan
from widgetschema.findings import Finding
from widgetschema.project.checking.cache import VERSION, FileStamp, ResultCache, is_settled
from widgetschema.project.checking.cache_key import cache_file, cache_key
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.results import DocumentResult, LocatedFinding, Problem
from widgetschema.project.inputs.model import Text

HOUR = 3_600_000_000_000


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a good file and a bad one, both written an hour ago."""
    folder = tmp_path / "project"
    (folder / "widgets").mkdir(parents=True)
    (folder / "widgetschema.toml").write_text(
        '[files]\n"widgets/*" = "countdown"\n', encoding="utf-8"
    )
    write(folder / "widgets" / "bad.json", BAD)
    write(folder / "widgets" / "good.json", GOOD)
    monkeypatch.chdir(folder)
    return folder


def write(path: Path, content: bytes, age: float = 3600.0) -> None:
    path.write_bytes(content)
    moment = time.time() - age
    os.utime(path, (moment, moment))


def caches(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "widgetschema" / "results").glob("*.json"))


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    result = run(capsys, "validate", "--format", "json", *arguments)
    return result.code, json.loads(result.out), result.err, result.schemas


def test_a_second_run_says_the_same(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = as_json(capsys)
    time.sleep(0.15)  # until the times of the files prove something
    second, third = as_json(capsys), as_json(capsys)

    assert first == second == third
    assert first[0] == 1
    assert first[1]["summary"]["documents"] == 2
    assert first == as_json(capsys, "--no-cache")


def test_nothing_is_checked_again(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "validate")
    [cache] = caches(tmp_path)
    value = json.loads(cache.read_text(encoding="utf-8"))
    entry = value["files"][str(project / "widgets" / "good.json")]
    entry[2] = value["files"][str(project / "widgets" / "bad.json")][2]  # a lie, to be told again
    entry[0][3:5] = [os.stat(project / "widgets" / "good.json").st_ino, time.time_ns()]
    cache.write_text(json.dumps(value), encoding="utf-8")

    told = as_json(capsys)

    assert told[1]["summary"]["findings"] == 2


@pytest.mark.parametrize("age", [3600.0, 0.0])
@pytest.mark.parametrize("content", [GOOD, BAD.replace(b"3", b"4"), b"{", b""])
def test_a_file_that_was_written_to_is_checked_again(
    project: Path, capsys: pytest.CaptureFixture[str], content: bytes, age: float
) -> None:
    as_json(capsys)
    write(project / "widgets" / "bad.json", content, age)

    assert as_json(capsys) == as_json(capsys, "--no-cache")


def test_a_change_within_one_tick_of_the_clock_is_noticed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / "widgets" / "good.json"
    same = BAD.replace(b"fontId", b"fontI_")[: len(BAD)]
    file.write_bytes(BAD)
    before = os.stat(file)
    as_json(capsys)
    file.write_bytes(same)  # as long as before …
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # … and as old

    assert as_json(capsys) == as_json(capsys, "--no-cache")


@pytest.mark.parametrize(
    ("arguments", "differs"),
    [
        ((), False),
        (("--type", "countdown"), False),
        (("--no-formats",), False),
        (("--engine", "python"), False),
        (("--as", "document"), True),
    ],
)
def test_settings_have_results_of_their_own(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], differs: bool
) -> None:
    plain = as_json(capsys)
    with_them = as_json(capsys, *arguments)

    assert (plain[1]["documents"] != with_them[1]["documents"]) == differs
    assert as_json(capsys) == plain
    assert as_json(capsys, *arguments) == with_them


def test_another_schema_or_another_type_means_another_result(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert as_json(capsys)[1]["summary"]["invalid"] == 1
    schemas = project / "schemas"
    schemas.mkdir()
    schema = schemas / "countdown.json"
    schema.write_text('{"$id": "countdown"}', encoding="utf-8")
    assert as_json(capsys, "--schemas", "schemas")[1]["summary"]["invalid"] == 0
    schema.write_text('{"$id": "countdown", "properties": {"data": false}}', encoding="utf-8")
    assert as_json(capsys, "--schemas", "schemas")[1]["summary"]["invalid"] == 2
    (schemas / "faq.json").write_text('{"$id": "faq"}', encoding="utf-8")
    mapping = project / "widgetschema.toml"
    mapping.write_text('[files]\n"widgets/*" = "faq"\n', encoding="utf-8")
    assert as_json(capsys, "--schemas", "schemas")[1]["summary"]["invalid"] == 0


def test_a_map_ends_that_files_are_passed_over(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project / "broken.json", b"{")
    arguments = ("--force-exclude", "broken.json")
    settings = project / "widgetschema.toml"
    settings.write_text("", encoding="utf-8")
    assert as_json(capsys, *arguments)[0] == 0
    settings.write_text('include = ["*.json"]\n', encoding="utf-8")

    assert as_json(capsys, *arguments)[0] == 3
    settings.write_text("", encoding="utf-8")
    assert as_json(capsys, *arguments)[0] == 0


def test_results_of_a_schema_that_was_edited_during_the_run_are_not_kept(
    tmp_path: Path,
) -> None:
    file, keys = str(tmp_path / "cache.json"), iter(["edited", "key"])
    seen = FileStamp(1, 2, 3, 4, HOUR, "abc")
    for expected in (None, ()):
        cache = ResultCache(file, "key", lambda: next(keys))
        cache.put("x.json", seen, None, ())
        cache.write({})
        assert ResultCache(file, "key").by_content("x.json", seen, None) == expected


def test_a_schema_that_is_edited_and_taken_back(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = project / "types" / "countdown.json"
    schema.parent.mkdir()
    good, edited = '{"$id": "countdown"}', '{"$id": "countdown", "properties": {"data": false}}'
    schema.write_text(good, encoding="utf-8")
    options = ValidateOptions((), schemas="types", formats=("json",))
    planned = plan(options, options.settings())
    schema.write_text(edited, encoding="utf-8")
    assert planned.run() == 1
    schema.write_text(good, encoding="utf-8")
    capsys.readouterr()

    assert as_json(capsys, "--schemas", "types")[1]["summary"]["invalid"] == 0


def test_severities_ignores_and_baselines_are_no_part_of_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert as_json(capsys)[0] == 1
    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write('[severities]\ntype = "warning"\n')
    code, value, _, _ = as_json(capsys)
    assert (code, value["summary"]["warnings"]) == (0, 1)


def test_a_type_that_is_gone_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, "--type", "countdown")

    result = run(capsys, "validate", "--type", "countdwn")

    assert result.code == 2
    assert "did you mean 'countdown'?" in result.err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"version": 1}',
        b'{"version": 1, "key": "x", "files": {}, "schemas": {}}',
        b'{"version": 2, "key": "KEY", "untyped": {}, "notes": {}, "files": [], "schemas": {}}',
        b'{"version": 2, "key": "KEY", "untyped": {}, "notes": {}, "files": {}, "schemas": null}',
        b'{"version": 2, "key": "KEY", "untyped": {}, "notes": {}, "files": {"FILE": 1}, "schemas": {}}',
        b'{"version": 2, "key": "KEY", "untyped": {}, "notes": {}, "files": {"FILE": [[], null, []]}, "schemas": {}}',
        b'{"version": 2, "key": "KEY", "untyped": {}, "notes": {}, "files": {"FILE": [[1,2], null, [[1]]]}, "schemas": {"x": 1}}',
    ],
)
def test_a_cache_that_is_none_counts_as_empty(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    expected = as_json(capsys)
    [cache] = caches(tmp_path)
    key = json.loads(cache.read_text(encoding="utf-8"))["key"].encode()
    file = str(project / "widgets" / "bad.json").encode()
    cache.write_bytes(content.replace(b"KEY", key).replace(b"FILE", file))

    code, value, err, hits = as_json(capsys)
    line = f"widgetschema: {cache} is damaged: it is not used, and written again\n"
    assert (code, value, err.removeprefix(line), hits) == expected
    assert as_json(capsys) == expected


@pytest.mark.parametrize("obstacle", ["file", "folder", "dangling", "pipe"])
def test_a_cache_that_cannot_be_written_is_done_without(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], obstacle: str
) -> None:
    expected = as_json(capsys)
    [cache] = caches(tmp_path)
    cache.unlink()
    if obstacle == "file":
        cache.parent.rmdir()
        cache.parent.write_text("in the way", encoding="utf-8")
    elif obstacle == "folder":
        cache.mkdir()
    elif obstacle == "pipe":
        os.mkfifo(cache)
    else:
        cache.symlink_to(tmp_path / "no" / "where")

    assert as_json(capsys) == expected
    assert as_json(capsys) == expected


def test_the_cache_is_private_and_outside_of_the_project(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(project.rglob("*"))
    run(capsys, "validate")

    [cache] = caches(tmp_path)
    assert cache.stat().st_mode & 0o777 == 0o600
    assert cache.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(project.rglob("*")) == before


def test_without_a_home_there_is_no_cache(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(project.rglob("*"))
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "~")  # what is left of ~ for a user whom the system does not know

    assert as_json(capsys)[0] == 1
    assert sorted(project.rglob("*")) == before


def test_files_that_are_gone_are_forgotten_when_there_are_many(tmp_path: Path) -> None:
    file = str(tmp_path / "cache.json")
    seen = FileStamp(1, 2, 3, 4, HOUR, "abc")
    cache = ResultCache(file, "key")
    for number in range(5_000):
        cache.put(str(tmp_path / f"{number}.json"), seen, None, ())
    cache.write({})

    later = ResultCache(file, "key")
    later.put(str(tmp_path / "new.json"), seen, None, ())
    later.write({})

    assert len(json.loads(Path(file).read_text(encoding="utf-8"))["files"]) == 1


def test_old_caches_are_removed(tmp_path: Path) -> None:
    for number in range(130):
        write(tmp_path / f"{number}.json", b"{}", age=1000 - number)
    cache = ResultCache(str(tmp_path / "new.json"), "key")
    cache.put("x.json", FileStamp(1, 2, 3, 4, HOUR, "abc"), None, ())
    cache.write({})

    assert len(list(tmp_path.glob("*.json"))) == 100
    assert (tmp_path / "new.json").exists()
    assert not (tmp_path / "0.json").exists()


@pytest.mark.parametrize(
    "path",
    [
        *(f"schemas/countdown/0/{name}" for name in ("id", "source", "digest", "fetched")),
        "files/FILE/2/0/7/0/4",
        "files/FILE/2/0/7/0/0/keyword",
        "files/FILE/2/0/7/0/0/message",
    ],
)
def test_values_of_another_sort_count_as_none(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    time.sleep(0.15)  # until the times of the files prove something
    expected = as_json(capsys)
    [cache] = caches(tmp_path)
    value = at = json.loads(cache.read_text(encoding="utf-8"))
    *names, last = path.split("/")
    for name in names:
        name = str(project / "widgets" / "bad.json") if name == "FILE" else name
        at = at[int(name) if isinstance(at, list) else name]
    at[int(last) if isinstance(at, list) else last] = {"odd": [1]}
    cache.write_text(json.dumps(value), encoding="utf-8")

    assert as_json(capsys) == expected


def test_what_was_no_document_is_not_kept(tmp_path: Path) -> None:
    cache = ResultCache(str(tmp_path / "cache.json"), "key")
    seen = FileStamp(1, 2, 3, 4, HOUR, "abc")

    cache.put("x.json", seen, None, (Problem("x.json", "odd", 2),))
    cache.put("y.json", seen, None, tuple(DocumentResult("y.json", f"/{n}") for n in range(101)))
    found = LocatedFinding(Finding("type", "", "", "odd"), 1, 1)
    cache.put("z.json", seen, None, (DocumentResult("z.json", findings=(found,) * 501),))
    cache.write({})

    assert not (tmp_path / "cache.json").exists()


@pytest.mark.parametrize(
    ("modified", "changed", "read", "still"),
    [
        (HOUR + 1, HOUR + 1, 2 * HOUR, True),
        (HOUR + 1, HOUR + 1, HOUR + 50_000_000, False),  # read within a tick of being written
        (HOUR + 1, HOUR + 200_000_001, HOUR + 250_000_000, False),
        (HOUR, HOUR, HOUR + 1_000_000_000, False),  # times in whole seconds prove less
        (HOUR, HOUR, HOUR + 3_000_000_000, True),
        (HOUR + 1, HOUR + 1, HOUR - 5, False),  # a clock that was turned back
    ],
)
def test_when_the_times_of_a_file_prove_something(
    tmp_path: Path, modified: int, changed: int, read: int, still: bool
) -> None:
    class Status:
        st_size, st_mtime_ns, st_ctime_ns, st_ino = 7, modified, changed, 5

    seen = FileStamp(7, modified, changed, 5, read, "abc")

    assert seen.matches(Status) == still  # type: ignore[arg-type]
    for name in ("size", "modified", "changed", "number"):
        assert not seen._replace(**{name: 99}).matches(Status)  # type: ignore[arg-type]


def test_a_file_without_type_is_known_as_long_as_its_status_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "package.json"
    write(file, b"{}")
    status = file.stat()
    cache = ResultCache(str(tmp_path / "cache.json"), "key")
    cache.put_untyped(str(file), FileStamp.of(status, status.st_ctime_ns + HOUR, ""))
    unsettled = str(tmp_path / "just_written.json")
    cache.put_untyped(unsettled, FileStamp.of(status, status.st_ctime_ns, ""))
    cache.write({})

    known = ResultCache(str(tmp_path / "cache.json"), "key")
    assert known.is_untyped(str(file), status)
    assert not known.is_untyped(unsettled, status)
    assert not known.is_untyped(str(tmp_path / "other.json"), status)
    file.write_bytes(b"[]")
    assert not known.is_untyped(str(file), file.stat())  # as large as before, written later
    write(file, b"{} ")
    assert not known.is_untyped(str(file), file.stat())


def test_findings_come_back_as_they_were(tmp_path: Path) -> None:
    checker = Checker(Catalog([bundled()]), type_id="countdown")
    raw = SIX_MISTAKES.read_bytes()
    results = checker.check(Text("x.json", raw))
    results += checker.check(
        Text("x.json", b'{"data": 1, "type": "countdown", "id": "\\ud83d\\ude00"}')
    )
    results += checker.check(Text("x.json", b"{"))
    cache = ResultCache(str(tmp_path / "cache.json"), "key")
    seen = FileStamp(1, 2, 3, 4, HOUR, "abc")
    cache.put("x.json", seen, None, results)
    cache.write({"countdown": checker.schemas_of(["countdown"])})

    known = ResultCache(str(tmp_path / "cache.json"), "key")

    assert known.by_content("x.json", seen, None) == tuple(results)
    assert known.by_content("x.json", seen, "faq") is None
    assert known.by_content("x.json", seen._replace(digest="other"), None) is None
    assert known.schemas_of(["countdown"]) == checker.schemas_of(["countdown"])
    assert known.schemas_of(["faq"]) is None


def test_the_key_names_what_results_depend_on(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    folders = [str(tmp_path)]
    key = cache_key(folders, ("x",))

    assert cache_key(folders, ("x",)) == key
    assert cache_key(folders, ("y",)) != key
    assert cache_key([], ("x",)) != key
    assert cache_key(folders, ("x",), "python") != key
    (tmp_path / "notes.txt").write_text("no schema", encoding="utf-8")
    assert cache_key(folders, ("x",)) == key
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    assert cache_key(folders, ("x",)) != key
    assert cache_file(("x",), "/r") != cache_file(("y",), "/r")


def test_files_that_schemas_refer_to_count(tmp_path: Path) -> None:
    def write(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def keys() -> list[str]:
        folder = str(tmp_path / "schemas")
        return [cache_key([folder], ()), cache_key([], (), files=[f"{folder}/a.json"])]

    write("schemas/a.json", '{"items": {"$ref": "defs/b.json"}}')
    first = keys()
    for name in ("schemas/defs/b.json", "schemas/defs/c.json"):  # the first refers to the second
        write(name, '{"\\u0024ref": "c.json"}')
        second = keys()
        assert all(one != other for one, other in zip(first, second, strict=True))
        first = second
    write("schemas/defs/d.json", "{}")  # nothing refers to it
    (tmp_path / "schemas" / "defs" / "e.json").symlink_to("c.json")
    assert keys() == first


def test_every_file_of_the_program_counts(tmp_path: Path) -> None:
    package = tmp_path / "widgetschema"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(widgetschema.__file__).parent, package, ignore=ignored)

    def key() -> str:
        return cache_key((), (), package=str(package))

    before = key()
    assert before == cache_key((), ())
    # One file of each suffix in each folder: the key reads all of them each time.
    files = {
        (file.parent, file.suffix): file
        for file in sorted(package.rglob("*"))
        if file.is_file() and file.stat().st_size
    }
    assert {".py", ".html", ".css", ".js", ".po"} <= {suffix for _, suffix in files}
    for file in files.values():
        status, content = file.stat(), file.read_bytes()
        file.write_bytes(content[:-1] + b"?")  # as long as before …
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # … and as old
        assert key() != before, file
        file.write_bytes(content)
    assert key() == before
    (package / "validation" / "new.py").touch()
    assert key() != before


@pytest.mark.parametrize("library", ["jsonschema_rs", "msgspec", "orjson"])
def test_the_version_of_a_library_that_decides_counts(tmp_path: Path, library: str) -> None:
    module = tmp_path / library / "inside" / "module.py"
    module.parent.mkdir(parents=True)
    (tmp_path / library / "__init__.py").touch()
    module.touch()
    version = tmp_path / f"{library}-1.0.dist-info"
    version.mkdir()

    def key() -> str:
        script = (
            "from widgetschema.project.checking.cache_key import cache_key\n"
            "print(cache_key((), ()))"
        )
        where = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-c", script]
        return subprocess.run(command, env=where, check=True, capture_output=True, text=True).stdout

    before = key()
    assert key() == before
    version = version.rename(tmp_path / f"{library}-1.1.dist-info")
    newer = key()
    assert newer != before
    module.write_text("pass", encoding="utf-8")
    assert key() != newer


def test_the_digest_of_the_program_is_remembered(tmp_path: Path) -> None:
    package, root = tmp_path / "package", tmp_path / "cache"
    (package / "inside").mkdir(parents=True)
    file = package / "inside" / "module.py"
    file.write_text("one", encoding="utf-8")

    def key() -> str:
        return cache_key((), (), package=str(package), root=str(root))

    before = key()
    assert before == cache_key((), (), package=str(package))
    assert not root.exists()  # the file may change once more within the same tick
    wait_until_settled(file)
    assert key() == before
    [memory] = (root / "program").iterdir()
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    known = json.loads(memory.read_text())
    memory.write_text(json.dumps({**known, "digest": "another"}))
    assert key() != before  # the file is not read
    file.write_text("two", encoding="utf-8")
    changed = key()
    assert changed == cache_key((), (), package=str(package)) != before
    file.write_text("one", encoding="utf-8")
    assert key() == before
    stamp = {"stamp": known["stamp"]}
    others: Any = (
        {},
        [],
        None,
        1,
        stamp,
        {**stamp, "digest": 5},
        {"stamp": 1},
        {"digest": "another"},
    )
    for damaged in ("", "{", "[" * 999, *map(json.dumps, others)):
        memory.write_text(damaged)
        said: list[str] = []
        assert before == cache_key(
            (), (), package=str(package), root=str(root), on_damage=said.append
        )
        assert said == [str(memory)]
        wait_until_settled(file)
        assert key() == before
        assert json.loads(memory.read_text()).keys() == known.keys()


@pytest.mark.parametrize(
    "damaged", ["", "{", "[" * 9_999, "[]", "1", "{}", '{"version": 2}', '{"key": "key"}']
)
def test_a_cache_that_cannot_be_used_is_said_and_written_again(
    damaged: str, tmp_path: Path
) -> None:
    file = tmp_path / "results.json"
    file.write_text(damaged, encoding="utf-8")
    said: list[str] = []
    ResultCache(str(file), "key", None, said.append)
    assert said == [str(file)]


@pytest.mark.parametrize("other", [{"version": 1}, {"key": "another"}])
def test_a_cache_of_another_run_is_not_damaged(other: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps({"version": VERSION, "key": "key", **other}), encoding="utf-8")
    said: list[str] = []
    ResultCache(str(file), "key", None, said.append)
    ResultCache(str(tmp_path / "none.json"), "key", None, said.append)
    assert said == []


def wait_until_settled(file: Path) -> None:
    """Wait until the times of a file prove that it was not written to since."""
    while not is_settled(file.stat().st_ctime_ns, time.time_ns()):
        Event().wait(0.02)
