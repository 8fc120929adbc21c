"""`widgetschema validate` in repositories as people have them: what is checked, what is skipped."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import BAD, GOOD, environment, run
from widgetschema.project import git
from widgetschema.project.config import Configurations, load
from widgetschema.project.inputs.project_files import find_project_files

Capture = pytest.CaptureFixture[str]
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
TYPED = b'{"type": "countdown", "id": "1", "data": %s}'
MAP = b'[files]\n"widgets/**/*.json" = "countdown"\n'
EVENT = b'{"specversion": "1.0", "type": "com.github.push", "id": "1", "data": {}}'

REPOSITORY = {
    ".gitignore": b"/out/\n!/out/c.json\n*.tmp.json\n!keep.tmp.json\n",
    "widgetschema.toml": MAP,
    "widgets/a.json": BAD,
    "widgets/deep/b.json": BAD,
    "widgets/x.tmp.json": BAD,
    "widgets/keep.tmp.json": BAD,
    "src/.gitignore": b"secret.json\n",
    "src/secret.json": TYPED % BAD,
    "src/typed.json": TYPED % BAD,
    "events/event.json": EVENT,
    "package.json": b'{"name": "x", "type": "module"}',
    "tsconfig.json": b"// comments\n{}",
    "out/c.json": TYPED % BAD,
    "node_modules/p/d.json": TYPED % BAD,
    "dist/e.json": TYPED % BAD,
    "env/pyvenv.cfg": b"",
    "env/lib/f.json": TYPED % BAD,
    ".github/g.json": TYPED % BAD,
    ".h.json": TYPED % BAD,
    ".env": b"",
    "notes\nof.json": b"[]",
}
CHECKED = ["src/typed.json", "widgets/a.json", "widgets/deep/b.json", "widgets/keep.tmp.json"]


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def commit(folder: Path) -> None:
    for command in ("init -q", "add -A", "-c user.name=x -c user.email=x commit -qm x"):
        subprocess.run(["git", *command.split()], check=True, cwd=folder)


def files(capsys: Capture, *arguments: str | Path) -> list[str]:
    result = run(capsys, "validate", "--format", "json", *arguments)
    assert result.code in (0, 1), result.err
    return [document["file"] for document in json.loads(result.out)["documents"]]


@pytest.fixture(params=["tracked", "new", "no git"])
def repository(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    folder = tmp_path / "repository"
    write(folder, REPOSITORY)
    if request.param == "tracked":
        commit(folder)
    elif request.param == "new":
        subprocess.run(["git", "init", "-q"], check=True, cwd=folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("paths", [[], ["."], ["**/*.json"], ["{FOLDER}"]])
def test_what_is_checked(paths: list[str], repository: Path, capsys: Capture) -> None:
    given = [path.replace("{FOLDER}", str(repository)) for path in paths]

    found = files(capsys, *given)

    assert [os.path.relpath(file) for file in found] == CHECKED
    if given != [str(repository)]:
        assert found == CHECKED


def test_what_is_skipped_is_counted_and_listed(repository: Path, capsys: Capture) -> None:
    counted = run(capsys, "validate").err
    listed = run(capsys, "validate", "--show-skipped").err

    assert "4 files and 3 folders skipped: no widget type (3), " in counted
    assert "list them with --show-skipped" in counted
    assert "list them" not in listed
    for line in (
        ".github/: skipped: hidden, and no pattern names it",
        ".h.json: skipped: hidden, and no pattern names it",
        "dist/: skipped: a build folder",
        "env/: skipped: a virtual environment",
        "node_modules/: skipped: installed packages",
        "notes·of.json: skipped: no widget type",
        'events/event.json: skipped: unknown widget type "com.github.push"',
        "src/secret.json: skipped: ignored by git",
        "out/: skipped: ignored by git",
        "package.json: skipped: no widget type",
    ):
        assert f"{line}\n" in listed
    assert listed.count("skipped:") == 12
    assert "skipped" not in run(capsys, "validate", "--quiet").err


def test_what_is_named_is_checked(repository: Path, capsys: Capture) -> None:
    assert files(capsys, "out/c.json", "src/secret.json") == ["out/c.json", "src/secret.json"]
    assert files(capsys, "out") == ["out/c.json"]
    assert files(capsys, "node_modules/p", "dist") == ["node_modules/p/d.json", "dist/e.json"]
    assert files(capsys, "dist/*.json") == ["dist/e.json"]
    named = run(capsys, "validate", "package.json")
    assert named.code == 2
    assert "or map the file ([files] 'widgets/*.json' = 'countdown'" in named.err


def test_ignore_files_can_be_overruled(repository: Path, capsys: Capture) -> None:
    others = "dist/e.json env/lib/f.json node_modules/p/d.json out/c.json src/secret.json"
    every = sorted([*CHECKED, *others.split(), "widgets/x.tmp.json"])

    assert files(capsys, "--no-ignore-files") == every


@pytest.mark.parametrize(
    ("paths", "is_said"),
    [((), True), ((".",), True), (("../x",), True), (("widgets",), False)],
    ids=["no path", "here", "above", "below"],
)
def test_a_pattern_that_maps_only_ignored_files_is_named(
    paths: tuple[str, ...], is_said: bool, repository: Path, capsys: Capture
) -> None:
    (repository / "widgetschema.toml").write_bytes(MAP + b'"out/*.json" = "countdown"\n')
    (repository.parent / "x").symlink_to(repository)

    result = run(capsys, "validate", *paths)

    said = "the pattern 'out/*.json' matches only files that are ignored, such as "
    assert result.err.count(said) == is_said
    assert result.err.count("out/c.json: name them, or pass --no-ignore-files\n") == is_said


def test_a_pattern_for_another_name_of_a_checked_file_is_no_mistake(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"real/one.json": GOOD, "widgetschema.toml": MAP + b'"a.json" = "countdown"\n'})
    (tmp_path / "widgets").symlink_to("real")
    (tmp_path / "a.json").symlink_to("real/one.json")
    monkeypatch.chdir(tmp_path)

    result = run(capsys, "validate")

    assert (result.code, result.err) == (0, "1 document in 1 file: 1 valid\n")


def test_of_many_patterns_without_files_some_are_named(repository: Path, capsys: Capture) -> None:
    patterns = "".join(f'"none/{number}/*.json" = "countdown"\n' for number in range(30))
    (repository / "widgetschema.toml").write_bytes(MAP + patterns.encode())

    result = run(capsys, "validate")

    assert result.err.count("no file matches the pattern 'none/") == 10
    assert "20 more patterns match no file that is checked\n" in result.err


def test_a_file_that_was_deleted_is_no_problem(repository: Path, capsys: Capture) -> None:
    (repository / "widgets" / "a.json").unlink()

    assert files(capsys) == [file for file in CHECKED if file != "widgets/a.json"]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b'{"type": "countdown", "data": {},}', 3, "remove the comma"),
        (b'<<<<<<< HEAD\n{"type": "countdown", "data": {}}', 3, "1 unreadable"),
        (b'{"type": "countdwn", "id": "1", "data": {}}', 1, 'did you mean "countdown"'),
        (b'{"type": "faq", "modelVersion": 1, "data": {}}', 1, "unknown widget type"),
        (b'{"\\u0074ype": "countdown", "data": {"content": 1}}', 1, "content"),
        (b'{"typ\\u0065": "countdown", "d\\u0061ta": {"content": 1}}', 1, "content"),
        (b'[{"type": "countdown", "data": {}}, {"id": "2", "data": {}}]', 2, "cannot determine"),
        (b'{"$schema": "countdown", "content": 1}', 1, "/content"),
        (b"{'type': 'countdown', 'data': {}}", 3, "put member names in double quotes"),
        ("{“type”: “countdown”, “data”: {}}".encode(), 3, "a member name in typographic quotes"),
        ("{“type”: “module”, “data”: {}}".encode(), 3, "1 file skipped: no widget type"),
        (b"type: countdown\ndata: {}\n", 3, "name it .yaml"),
        (b"{type: 'countdown', data: {}}", 3, "json.syntax"),
        (b"{'type': 'module', 'data': {}}", 3, "1 file skipped: no widget type"),
        (b'{"type": "faq", "data": {}}', 3, "1 file skipped: unknown widget type"),
        (EVENT, 3, "1 file skipped: unknown widget type"),
        (b"{]", 3, "1 file skipped: no widget type"),
        (b'{"data": {}, "meta": "type"}', 3, "1 file skipped: no widget type"),
    ],
)
def test_which_files_name_a_type(
    content: bytes,
    code: int,
    said: str,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"x.json": content})

    for _ in range(2):  # the second time by the cache, if it has it
        result = run(capsys, "validate")

        assert (result.code, said in result.err + result.out) == (code, True), result


def test_a_known_type_without_data_is_named(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"x.json": b'{"type": "countdown", "dta": {}}'})

    result = run(capsys, "validate", "x.json")

    assert result.code == 2
    assert 'its type, "countdown", counts only beside a property "data"' in result.err


def test_an_empty_folder_fails(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = run(capsys, "validate")

    assert result.code == 3
    assert "no document was checked: there is no file to check" in result.err
    assert run(capsys, "validate", "--allow-empty").code == 0


def test_cached_results_are_those_of_the_way_a_file_was_found(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"x.json": b'[{"data": {}, "id": "1"}]'})

    assert run(capsys, "validate", "x.json").code == 2
    assert "1 file skipped" in run(capsys, "validate").err
    assert run(capsys, "validate", "x.json").code == 2


def test_a_file_that_was_skipped_is_checked_when_it_names_a_type(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"x.json": b'{"name": "x"}', "y.json": TYPED % BAD})
    os.utime(tmp_path / "x.json", (1_000_000_000, 1_000_000_000))

    for _ in range(3):  # by reading, then by the cache
        assert files(capsys) == ["y.json"]
        assert "1 file skipped: no widget type" in run(capsys, "validate").err
    write(tmp_path, {"x.json": TYPED % BAD})
    assert files(capsys) == ["x.json", "y.json"]
    write(tmp_path, {"x.json": b'{"name": "x"}'})
    assert files(capsys) == ["y.json"]


def test_force_exclude_checks_of_named_files_what_a_run_without_names_checks(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = [name for name in REPOSITORY if name.endswith(".json")]

    assert files(capsys, "--force-exclude", *named) == [name for name in named if name in CHECKED]
    shown = run(capsys, "validate", "--force-exclude", "--show-skipped", *named).err
    for name, why in (
        ("src/secret.json", "ignored by git"),
        ("out/c.json", "ignored by git"),
        ("node_modules/p/d.json", "installed packages"),
        ("dist/e.json", "a build folder"),
        ("env/lib/f.json", "a virtual environment"),
        (".github/g.json", "hidden, and no pattern names it"),
    ):
        assert f"{name}: skipped: {why}" in shown
    unignored = files(capsys, "--force-exclude", "--no-ignore-files", *named)
    assert {"src/secret.json", "out/c.json", "dist/e.json", "env/lib/f.json"} < {*unignored}
    (repository.parent / "link").symlink_to(repository / "widgets")
    monkeypatch.chdir(repository.parent)
    there = ["repository/src/secret.json", "link/x.tmp.json"]
    assert files(capsys, "--allow-empty", "--force-exclude", *there) == []


def test_a_file_that_git_knows_is_checked_although_a_pattern_ignores_it(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.json": TYPED % BAD, "b.json": TYPED % BAD})
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "a.json"], check=True)
    write(tmp_path, {".gitignore": b"*.json\n"})

    assert files(capsys, "--force-exclude", "a.json", "b.json") == ["a.json"]
    assert files(capsys, "a.json", "b.json") == ["a.json", "b.json"]


# More than one repository


def test_submodules_nested_repositories_and_worktrees(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, project = tmp_path / "library", tmp_path / "project"
    write(library, {"widgets/one.json": TYPED % BAD, "ignored.json": TYPED % BAD})
    write(library, {".gitignore": b"ignored.json\n"})
    commit(library)
    write(project, {"a.json": TYPED % BAD})
    commit(project)
    add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "sub"]
    subprocess.run(["git", *add], check=True, cwd=project)
    write(project / "nested", {"n.json": TYPED % BAD, "skip.json": TYPED % BAD})
    write(project / "nested", {".gitignore": b"skip.json\n"})
    subprocess.run(["git", "init", "-q"], check=True, cwd=project / "nested")
    subprocess.run(["git", "worktree", "add", "-q", "tree", "-b", "other"], check=True, cwd=project)
    write(project / "sub", {"ignored.json": TYPED % BAD})
    monkeypatch.chdir(project)
    expected = ["a.json", "nested/n.json", "sub/widgets/one.json"]

    assert files(capsys) == expected
    unread = project / "tree" / "widgetschema.toml"
    unread.write_text("no TOML")
    shown = run(capsys, "validate", "--show-skipped")
    assert (shown.code, "tree/: skipped: another worktree of a repository" in shown.err) == (
        1,
        True,
    )
    unread.unlink()
    monkeypatch.chdir(project / "tree")
    assert files(capsys) == ["a.json"]
    monkeypatch.chdir(project / "sub")
    assert files(capsys) == ["widgets/one.json"]
    monkeypatch.chdir(tmp_path)  # which is in no repository
    assert files(capsys) == sorted(
        ["library/widgets/one.json", *(f"project/{name}" for name in expected)]
    )


def test_what_a_hook_sets_does_not_mislead(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "one", {"a.json": TYPED % BAD, ".gitignore": b"x.json\n"})
    write(tmp_path / "one", {"x.json": TYPED % BAD})
    write(tmp_path / "two", {"b.json": TYPED % BAD})
    commit(tmp_path / "one")
    commit(tmp_path / "two")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "two" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "two" / ".git" / "index"))
    monkeypatch.chdir(tmp_path / "one")

    assert files(capsys) == ["a.json"]

    # The files of a home folder, whose repository is elsewhere.
    (tmp_path / "one" / ".git").rename(tmp_path / "elsewhere")
    monkeypatch.delenv("GIT_INDEX_FILE")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "one"))
    assert files(capsys) == ["a.json"]


# Root may read everything, unless it has given that up.
AS_OTHERS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if ROOT else []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_folders_that_cannot_be_read_are_problems(tmp_path: Path) -> None:
    write(tmp_path, {"a.json": TYPED % GOOD, "known/b.json": TYPED % GOOD})
    commit(tmp_path)
    write(tmp_path, {"sub/new/c.json": TYPED % GOOD, ".hidden/d.json": TYPED % GOOD})
    closed = [tmp_path / name for name in ("known", "sub/new", ".hidden")]
    for folder in closed:
        folder.chmod(0)
    try:
        for within, named in ((tmp_path, ["known", "sub/new"]), (tmp_path / "sub", ["new"])):
            result = subprocess.run(
                [*AS_OTHERS, sys.executable, "-m", "widgetschema", "validate", "."],
                capture_output=True,
                cwd=within,
                env=environment(),
                check=False,
            )
            assert result.returncode == 3
            said = re.findall("widgetschema: (.*): permission denied", result.stderr.decode())
            assert sorted({*said} - {"known/b.json"}) == named
    finally:
        for folder in closed:
            folder.chmod(stat.S_IRWXU)


def program(folder: Path, text: str) -> Path:
    folder.mkdir()
    path = folder / "git"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(stat.S_IRWXU)
    return folder


DUBIOUS = """echo "fatal: detected dubious ownership in repository at '/x'" >&2; exit 128"""


@pytest.mark.skipif(os.name != "posix", reason="a program that is a script")
@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "git is not installed"), (DUBIOUS, "detected dubious ownership")],
    ids=["absent", "refuses"],
)
def test_where_git_cannot_be_asked_its_files_are_read(
    text: str | None,
    said: str,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "repository"
    write(folder, REPOSITORY)
    commit(folder)
    path = tmp_path / "empty" if text is None else program(tmp_path / "bin", text)
    monkeypatch.setenv("PATH", str(path))
    monkeypatch.chdir(folder)

    result = run(capsys, "validate")

    assert files(capsys) == CHECKED
    assert result.err.count(said) == 1
    assert "only what files .gitignore name is passed over" in result.err


def test_lines_that_would_take_long_are_not_followed(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = b"*a*a*a*a*a*a*a*a*a*a*a*a*b"
    write(tmp_path, {".gitignore": b"y.json\n" + hostile + b"\n", "y.json": TYPED % BAD})
    write(tmp_path, {f"{'a' * 200}.json": TYPED % BAD})
    monkeypatch.chdir(tmp_path)

    result = run(capsys, "validate")

    assert result.code == 1
    assert f".gitignore: this line is not followed: {hostile.decode()}\n" in result.err
    assert "1 document in 1 file" in result.err


def test_one_process_lists_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {f"p{n % 9}/f{n}.{'json' if n % 3 else 'py'}": BAD for n in range(300)})
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    started: list[list[str]] = []

    def count(command: list[str], **more: object) -> subprocess.CompletedProcess[bytes]:
        started.append(command)
        return subprocess.run(command, **more)  # type: ignore[call-overload,no-any-return]

    listed = git.list_files(str(tmp_path), run=count)

    assert listed is not None
    assert len(listed.files) == 300
    assert len(started) == 1
    assert len(find_project_files((), Configurations(load(str(tmp_path), {}), {})).files) == 200


@pytest.mark.skipif(os.name != "posix", reason="names that are not UTF-8")
def test_hostile_names_are_listed_as_they_are(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ['a"b.json', "tab\there.json", "line\nend.json", os.fsdecode(b"caf\xe9.json"), "é.json"]
    write(tmp_path, dict.fromkeys(names, TYPED % BAD))
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)

    assert sorted(files(capsys)) == sorted(names)
    (tmp_path / "? new.json").write_bytes(TYPED % BAD)
    assert sorted(files(capsys)) == sorted([*names, "? new.json"])


def test_a_link_does_not_hide_what_is_mapped(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"widgets/a.json": BAD, "widgetschema.toml": MAP})
    (tmp_path / "a.json").symlink_to("widgets/a.json")
    monkeypatch.chdir(tmp_path)

    assert files(capsys) == ["widgets/a.json"]


def test_below_the_configuration_paths_are_relative(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"widgets/deep/a.json": BAD, "widgets/b.json": BAD, "widgetschema.toml": MAP})
    monkeypatch.chdir(tmp_path / "widgets" / "deep")

    assert sorted(files(capsys)) == ["../b.json", "a.json"]
    assert sorted(files(capsys, "..")) == ["../b.json", "a.json"]
    assert files(capsys, "./a.json") == ["a.json"]
