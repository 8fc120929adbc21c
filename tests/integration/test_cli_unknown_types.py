"""Documents of a type that has no schema: which of them are findings, and which are named."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import git
from tests.command import run
from tests.unit.platform.test_client import answering, http, serving
from widgetschema import Catalog
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.runner import check_file
from widgetschema.project.inputs.model import File

Capture = pytest.CaptureFixture[str]
PROMO = {"type": "promo", "data": {}}
KNOWN = {"type": "note", "data": {"title": "a"}}
UNKNOWN = "/type: unknown widget type"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the schema of one type."""
    monkeypatch.chdir(tmp_path)
    write("schemas/note.json", {"type": "object", "required": ["title"]})
    write("package.json", {"type": "module", "name": "x"})
    return tmp_path


def write(name: str, value: Any) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(json.dumps(value), encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "arguments", "code"),
    [
        pytest.param({"a/x.json": PROMO}, ["a/x.json"], 1, id="named"),
        pytest.param({"a/x.json": PROMO}, ["a"], 1, id="in-a-named-folder"),
        pytest.param({"a/b/x.json": PROMO}, ["a"], 1, id="below-a-named-folder"),
        pytest.param({"a/x.json": PROMO}, ["a/*.json*"], 1, id="by-a-pattern-in-a-folder"),
        pytest.param({"a/x.json": PROMO, "a/y.json": KNOWN}, [], 1, id="beside-a-known-one"),
        pytest.param({"x.json": PROMO, "y.json": KNOWN}, ["."], 1, id="in-the-root"),
        pytest.param({"a/z.json": KNOWN, "a/x.json": [PROMO]}, [], 1, id="list"),
        pytest.param({"a/x.json": PROMO, "b/y.json": KNOWN}, [], 0, id="elsewhere"),
        pytest.param({"a/x.json": PROMO, "a/b/y.json": KNOWN}, [], 0, id="in-a-folder-above"),
        pytest.param({"a/x.json": PROMO}, [], 3, id="alone"),
        pytest.param({"a/x.json": PROMO}, ["."], 3, id="alone-below-the-root"),
        pytest.param({"a/x.json": {**PROMO, "projectId": "1"}}, [], 1, id="member-of-widgets"),
        pytest.param({"a/x.json": {"type": "notes", "data": {}}}, [], 1, id="nearly-known"),
        pytest.param({"y.json": KNOWN}, [], 0, id="no-data-is-another-program's"),
    ],
)
def test_where_it_counts(
    files: dict[str, Any], arguments: list[str], code: int, capsys: Capture
) -> None:
    for name, value in files.items():
        write(name, value)
    for _ in range(2):  # the second time from the cache
        result = run(capsys, "validate", *arguments)

        assert result.code == code, result
        assert (UNKNOWN in result.out) == (code == 1)
        if code != 1 and "a/x.json" in files:
            assert 'unknown widget type "promo" (1)' in result.err


@pytest.mark.parametrize(
    ("files", "code"),
    [
        pytest.param({"a/y.json": KNOWN}, 1, id="beside-a-known-one"),
        pytest.param({"a/y.json": {"type": "note", "data": {}}}, 1, id="beside-an-invalid-one"),
        pytest.param({"a/y.ndjson": KNOWN}, 1, id="lines"),
        pytest.param({"a/y.json": [PROMO, KNOWN]}, 1, id="beside-one-in-a-list"),
        pytest.param({"a/y.yaml": KNOWN, "a/w.json": PROMO}, 1, id="several"),
        pytest.param({"a/w.json": PROMO}, 0, id="beside-another-unknown-one"),
        pytest.param({"a/b/y.json": KNOWN, "y.json": KNOWN}, 0, id="elsewhere"),
        pytest.param({"a/.y.json": KNOWN}, 0, id="beside-a-hidden-one"),
        pytest.param({"a/y.json": {"title": "a"}}, 0, id="beside-data"),
        pytest.param({"a/y.json": "text"}, 0, id="beside-another-text"),
    ],
)
def test_files_of_hooks_count_as_in_their_folder(
    files: dict[str, Any], code: int, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a/x.json", PROMO)
    for name, value in files.items():
        write(name, value)
    Path("a/folder.json").mkdir()
    Path("a/broken.json").write_text("{")
    for _ in range(2):  # the second time from the cache
        result = run(capsys, "validate", "--force-exclude", "--", "a/x.json")

        assert result.code == code, result
        assert (UNKNOWN in result.out) == (code == 1)
        assert 'unknown widget type "promo" (1)' in result.err or code == 1
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(PROMO).encode())))
    named = ["--force-exclude", "--stdin-filename", "a/new.json"]
    assert run(capsys, "validate", *named).code == code
    monkeypatch.chdir("a")
    assert run(capsys, "validate", "--force-exclude", "--", "x.json").code == code


def test_a_changed_file_counts_as_in_its_folder(capsys: Capture) -> None:
    write("a/y.json", KNOWN)
    git(Path(), "init", "--quiet")
    git(Path(), "add", ".")
    git(Path(), "commit", "--quiet", "--message", "x")
    write("a/x.json", PROMO)
    write("b/x.json", PROMO)
    result = run(capsys, "validate", "--changed")

    assert result.code == 1
    assert f"a/x.json:1:10: document.type {UNKNOWN}" in result.out
    assert "b/x.json" not in result.out


def test_ways_do_not_share_results(capsys: Capture) -> None:
    write("a/x.json", PROMO)
    for _ in range(2):
        assert run(capsys, "validate", "a").code == 1
        assert run(capsys, "validate").code == 3
        assert run(capsys, "validate", "a/x.json").code == 1
        assert run(capsys, "validate", "package.json").code == 2
        assert run(capsys, "validate", ".", "--show-skipped").code == 3


def test_the_summary_names_the_types(capsys: Capture) -> None:
    for number in range(3):
        write(f"a/{number}.json", PROMO)
        write(f"b/{number}.json", {"type": f"event.{number}", "data": 1})
    write("c/y.json", KNOWN)

    assert (
        '7 files skipped: no widget type (1), unknown widget types "promo" (3), "event.0" (1), '
        '"event.1" (1), "event.2" (1); list them with --show-skipped'
    ) in run(capsys, "validate").err


def test_nothing_but_unknown_types(capsys: Capture) -> None:
    write("a/x.json", PROMO)
    Path("package.json").unlink()
    result = run(capsys, "validate")

    assert result.code == 3
    assert 'no document was checked: unknown widget type "promo" (1); add their schemas' in (
        result.err
    )


@pytest.mark.parametrize("arguments", [[], ["a"]])
def test_types_of_other_programs(arguments: list[str], capsys: Capture) -> None:
    Path("widgetschema.toml").write_text('foreign-types = ["promo"]', encoding="utf-8")
    write("a/x.json", PROMO)
    write("a/y.json", KNOWN)
    result = run(capsys, "validate", *arguments)
    assert result.code == 0
    assert "promo" not in result.out + result.err

    listed = run(capsys, "validate", "--show-skipped", *arguments).err
    assert 'a/x.json: skipped: foreign-types in the configuration has the type "promo"' in listed
    assert run(capsys, "validate", "a/x.json").code == 1  # it was named


@pytest.mark.parametrize("setting", ["", 'foreign-types = ["promo"]'])
def test_a_known_type_behind_others(setting: str, capsys: Capture) -> None:
    """Lines of unknown types do not hide those of a known one."""
    Path("widgetschema.toml").write_text(setting, encoding="utf-8")
    lines = [PROMO, {"type": "event", "data": 1}, {"type": "note", "data": {}}]
    Path("a").mkdir()
    Path("a/x.ndjson").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    for _ in range(2):
        result = run(capsys, "validate")

        assert result.code == 1
        assert 'a/x.ndjson:3:26: required /data: the property "title" is missing' in result.out
        assert f'a/x.ndjson:1:10: document.type {UNKNOWN} "promo"' in result.out

    checker = Checker(Catalog("schemas"), foreign_types=["promo"])
    text_by_text = check_file(lambda: checker, File("a/x.ndjson", only_typed=True), 1_000_000)
    assert [len(one.results) for one in text_by_text] == [1, 1, 1]


def test_lines_without_a_known_type(capsys: Capture) -> None:
    write("c/y.json", KNOWN)
    Path("a").mkdir()
    Path("a/x.ndjson").write_text(f"{json.dumps(PROMO)}\n" * 3 + '{"type": "log"}\n')
    result = run(capsys, "validate")

    assert result.code == 0
    assert 'unknown widget type "promo" (1)' in result.err


def test_data_that_looks_like_a_document(capsys: Capture) -> None:
    chart = {"type": "object", "required": ["type", "data", "options"]}
    write("schemas/chart.json", chart)
    text = '[types.chart]\ndescribes = "data"\n[files]\n"charts/*" = "chart"\n'
    Path("widgetschema.toml").write_text(text, encoding="utf-8")
    write("charts/good.json", {"type": "bar", "data": [], "options": {}})
    write("charts/bad.json", {"type": "bar", "data": []})
    write("charts/known.json", KNOWN)
    result = run(capsys, "validate")

    assert result.code == 1
    assert 'charts/bad.json:1:1: required (root): the property "options" is missing' in result.out
    assert "3 documents in 3 files: 2 valid, 1 invalid (1 finding)" in result.err
    assert "looks like a widget document" not in result.out + result.err
    assert run(capsys, "validate", "--type", "chart", "charts/good.json").code == 0


@pytest.mark.parametrize("files", [{}, {"x/broken.json": '{"type": "gone", "data": '}], ids=len)
def test_a_type_that_cannot_be_looked_up_stops_no_run(
    files: dict[str, str], capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The documents of other types are checked; those of this one are problems."""
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "a-token")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    write("x/a.json", {"type": "gone", "data": {}})
    write("y/b.json", KNOWN)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    with serving(answering(http(403, b"{}"))) as server:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", server.url)
        result = run(capsys, "validate", "--fetch", "auto", ".")

    assert result.code == 5
    assert "the schema of widget type 'gone' cannot be used" in result.err
    assert "1 valid" in result.err
