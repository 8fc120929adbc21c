"""`init` and then `validate` in five repositories as people have them, as their owners use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.command import BAD, GOOD, Run, environment, run
from tests.terminal import Terminal

Capture = pytest.CaptureFixture[str]
FAQ = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$id": "faq",
    "type": "object",
    "properties": {
        "data": {
            "type": "object",
            "additionalProperties": False,
            "required": ["questions"],
            "properties": {
                "questions": {
                    "type": "array",
                    "items": {"type": "object", "required": ["q", "a"]},
                }
            },
        }
    },
}
BASELINE = "widgetschema-baseline.json"
INIT = ("init", "--yes", "--owner", "acme@3f2a9c1")
ELSEWHERE = "it is a baseline: it counts in runs that start there, or with --baseline"
# The command, which counts the files that it opens in a folder: those whose names contain a text.
COUNTING = """
import collections, json, os, sys
folder, out = sys.argv[1:3]
by_python, by_system = collections.Counter(), collections.Counter()
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        path = os.path.abspath(arguments[0])
        if path.startswith(folder + os.sep):
            (by_system if arguments[1] is None else by_python)[path] += 1
sys.addaudithook(hook)
from widgetschema.cli import main
code = main(sys.argv[3:])
opened = collections.Counter()
for path, times in (by_python | by_system).items():  # one opening may be told as both
    opened[os.path.splitext(path)[1]] += times
with open(out, "w") as file:
    json.dump(opened, file)
sys.exit(code)
"""


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def git(folder: Path, *arguments: str) -> None:
    options = "-c user.name=x -c user.email=x@x -c protocol.file.allow=always".split()
    subprocess.run(["git", *options, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, files: dict[str, bytes]) -> Path:
    write(folder, files)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all of it")
    return folder


def toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def known(folder: Path) -> list[str]:
    entries = json.loads((folder / BASELINE).read_text(encoding="utf-8"))["findings"]
    return [f"{one['file']} {one['keyword']} {one['path']}" for one in entries]


def new(folder: Path) -> set[str]:
    """Return what git calls changed or new."""
    command = ["git", "status", "--porcelain", "-z", "-uall"]
    listed = subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout
    return {entry[3:] for entry in listed.decode().split("\0")[:-1]}


def counts(result: Run) -> str:
    """The line of the summary that has the counts."""
    return next(line for line in result.err.splitlines() if " in " in line and "document" in line)


class Owner:
    """Somebody who runs the command in some folder."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def runs(self, folder: Path | str, *arguments: str | Path) -> Run:
        self._monkeypatch.chdir(folder)
        return run(self._capsys, *arguments)


@pytest.fixture
def owner(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Owner:
    return Owner(monkeypatch, capsys)


def test_a_monorepo_with_two_configurations(tmp_path: Path, owner: Owner) -> None:
    root = commit(
        tmp_path / "mono",
        {
            ".github/workflows/test.yml": b"name: test\non: push\njobs: {}\n",
            ".gitignore": b"node_modules/\n",
            "package.json": b'{"name": "mono", "type": "module", "workspaces": ["apps/*"]}',
            "apps/shop/pyproject.toml": b'[project]\nname = "shop"  # the shop\n',
            "apps/shop/tsconfig.json": b'// ours\n{"compilerOptions": {}}\n',
            "apps/shop/widgets/a.json": GOOD,
            "apps/shop/widgets/b.json": BAD,
            "apps/shop/node_modules/p/x.json": BAD,
            "apps/blog/package.json": b'{"name": "blog"}',
            "apps/blog/schemas/faq.json": json.dumps(FAQ).encode(),
            "apps/blog/content/a.json": b'{"questions": []}',
            "apps/blog/content/b.json": b'{"questions": [{"q": "?"}]}',
        },
    )
    shop, blog = root / "apps" / "shop", root / "apps" / "blog"

    # Each application is set up by itself, and keeps what it has.
    first = owner.runs(shop, *INIT)
    assert first.code == 0
    assert "for them, run widgetschema init in ../.." in first.err
    assert (shop / "pyproject.toml").read_text() == (
        '[project]\nname = "shop"  # the shop\n\n'
        '[tool.widgetschema.files]\n"widgets/**/*.json" = "countdown"\n'
    )
    assert known(shop) == ["widgets/b.json type /styles/fontId"]
    assert owner.runs(blog, *INIT).code == 0
    assert toml(blog / "widgetschema.toml") == {"files": {"content/**/*.json": "faq"}}
    assert known(blog) == ["content/b.json required /questions/0"]
    for folder in (shop, blog):
        for paths in ((), (".",), (folder,)):
            result = owner.runs(folder, "validate", *paths)
            assert (result.code, counts(result)) == (
                0,
                "2 documents in 2 files: 1 valid; 1 finding in the baseline",
            )

    # Above, both are obeyed; baselines are those of the run.
    every = owner.runs(root, "validate", ".")
    assert (every.code, counts(every)) == (
        1,
        "4 documents in 4 files: 2 valid, 2 invalid (2 findings)",
    )
    assert f"apps/shop/{BASELINE}: skipped: {ELSEWHERE}\n" in every.err
    assert f"apps/blog/{BASELINE}: skipped: {ELSEWHERE}\n" in every.err

    # In the root, CI and a baseline for all are added, and nothing else.
    before = new(root)
    top = owner.runs(root, *INIT)
    assert top.code == 0, top.err
    assert new(root) - before == {".github/workflows/widgets.yml", BASELINE}
    assert "another configuration or repository: apps/blog, apps/shop" in top.err
    assert owner.runs(root, "validate").code == 0
    assert owner.runs(root, *INIT).err.startswith("widgetschema: apps/blog/")
    assert new(root) == before | {".github/workflows/widgets.yml", BASELINE}

    # From elsewhere, files have the configuration of their application.
    file = shop / "widgets" / "b.json"
    away = owner.runs("/", "validate", file)
    assert (away.code, away.out.count("type /styles/fontId")) == (1, 1)
    assert owner.runs("/", "validate", root).code == 1
    shown = owner.runs("/", "validate", "--show-config", blog / "content" / "b.json").out
    assert "\nType: faq, unless the document names another\n" in shown
    assert "apps/blog/widgetschema.toml" in shown


def test_a_repository_with_yaml(tmp_path: Path, owner: Owner) -> None:
    job = b"test:\n  script: [make]  # all of it\n"
    root = commit(
        tmp_path / "yaml",
        {
            ".gitlab-ci.yml": job,
            "docker-compose.yml": b"services:\n  web:\n    image: x\n",
            "widgets/sale.yaml": b"content:\n  timerDays: 3\nsettings: {}\nstyles: {}\n",
            "widgets/old.yml": b'content:\n  timerDays: "3" # days\nsettings: {}\nstyles: {}\n',
            "widgets/new.json5": b"// ours\n{content: {}, settings: {}, styles: {},}\n",
        },
    )

    first = owner.runs(root, *INIT)

    assert first.code == 0, first.err
    suffixes = ("json5", "yml", "yaml")
    assert toml(root / "widgetschema.toml") == {
        "files": dict.fromkeys((f"widgets/**/*.{one}" for one in suffixes), "countdown")
    }
    assert known(root) == ["widgets/old.yml type /content/timerDays"]
    pipeline = (root / ".gitlab-ci.yml").read_bytes()
    assert pipeline.startswith(job)
    assert b'"widgetschema[formats] @ git+https://github.com/acme/widgetschema@' in pipeline
    for paths in ((), (".",), ("widgets/*.y*ml", "widgets/new.json5")):
        result = owner.runs(root, "validate", *paths)
        assert (result.code, counts(result)) == (
            0,
            "3 documents in 3 files: 2 valid; 1 finding in the baseline",
        )
    assert owner.runs(root, "validate", "--no-baseline", "--fix").code == 0
    assert b"timerDays: 3 # days\n" in (root / "widgets" / "old.yml").read_bytes()
    away = owner.runs("/", "validate", "--show-config", root / "widgets" / "sale.yaml")
    assert "\nType: countdown, unless the document names another\n" in away.out


def test_a_submodule_and_worktrees(tmp_path: Path, owner: Owner) -> None:
    library = commit(
        tmp_path / "library",
        {"widgets/l.json": BAD, "widgetschema.toml": b'[files]\n"widgets/*.json" = "countdown"\n'},
    )
    hooks = b"repos:\n- repo: https://host/other\n  rev: v1\n  hooks:\n  - id: other\n"
    root = commit(
        tmp_path / "application", {"widgets/a.json": GOOD, ".pre-commit-config.yaml": hooks}
    )
    git(root, "submodule", "add", "-q", str(library), "vendor/lib")
    git(root, "commit", "-qm", "the library")
    git(root, "worktree", "add", "-q", "trees/next", "-b", "next")
    git(root, "worktree", "add", "-q", str(tmp_path / "beside"), "-b", "beside")
    inner, within, beside = root / "vendor" / "lib", root / "trees" / "next", tmp_path / "beside"

    first = owner.runs(root, *INIT)

    assert first.code == 0, first.err
    assert toml(root / "widgetschema.toml") == {"files": {"widgets/**/*.json": "countdown"}}
    assert "another configuration or repository: vendor/lib" in first.err
    assert known(root) == ["vendor/lib/widgets/l.json type /styles/fontId"]
    assert b"- id: widgetschema-validate" in (root / ".pre-commit-config.yaml").read_bytes()
    assert new(inner) == set()
    for paths in ((), (".",), (root,)):
        result = owner.runs(root, "validate", *paths)
        assert (result.code, counts(result)) == (
            0,
            "2 documents in 2 files: 1 valid; 1 finding in the baseline",
        )
        assert "1 folder skipped: another worktree of a repository" in result.err
    listed = owner.runs(root, "validate", "--show-skipped", ".")
    assert "trees/next/: skipped: another worktree of a repository\n" in listed.err

    # The submodule neither silences the repository around it nor is silenced by it.
    assert owner.runs(inner, "validate").code == 1
    alone = owner.runs("/", "validate", inner / "widgets" / "l.json")
    assert alone.code == 1
    shown = owner.runs("/", "validate", "--show-config", inner / "widgets" / "l.json").out
    assert "vendor/lib/widgetschema.toml" in shown

    # A worktree is a repository of its own, wherever it is; then it still is no part of this one.
    for tree in (within, beside):
        assert owner.runs(tree, *INIT).code == 0
        assert toml(tree / "widgetschema.toml") == toml(root / "widgetschema.toml")
        result = owner.runs(tree, "validate", ".")
        assert (result.code, counts(result)) == (0, "1 document in 1 file: 1 valid")
    away = owner.runs("/", "validate", root)
    assert counts(away) == "2 documents in 2 files: 1 valid, 1 invalid (1 finding)"
    assert "no file matches" not in away.err
    assert "matches only" not in away.err


def test_a_project_without_git(tmp_path: Path, owner: Owner) -> None:
    root = tmp_path / "my project"
    widgets = root / "Widgets \u00fc"
    write(
        root,
        {
            ".gitignore": b"out/\n",
            ".github/dependabot.yml": b"version: 2\n",
            "out/x.json": BAD,
            "notes.txt": b"",
            "Widgets \u00fc/a b.json": GOOD,
            "Widgets \u00fc/c.json": BAD,
        },
    )

    asked = owner.runs(root, "init")
    assert (asked.code, (root / "widgetschema.toml").exists()) == (2, False)
    assert "pass --yes" in asked.err
    first = owner.runs(root, *INIT)

    assert first.code == 0, first.err
    assert toml(root / "widgetschema.toml") == {"files": {"Widgets \u00fc/**/*.json": "countdown"}}
    assert known(root) == ["Widgets \u00fc/c.json type /styles/fontId"]
    for folder, paths in ((root, ()), (root, (".",)), (widgets, ()), (root, (root / "Widgets*",))):
        result = owner.runs(folder, "validate", *paths)
        assert (result.code, counts(result)) == (
            0,
            "2 documents in 2 files: 1 valid; 1 finding in the baseline",
        )
    listed = owner.runs(root, "validate", "--show-skipped")
    assert "out/: skipped: ignored by git\n" in listed.err
    assert owner.runs("/", "validate", widgets / "a b.json").code == 0
    named = owner.runs(root, "validate", "out/x.json")  # it is named, and has no type
    assert (named.code, "cannot determine the widget type" in named.err) == (2, True)


FILES = 50_000
DATA_FILES = 5_000  # of them have names of data


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with 50,000 other files, of which git knows."""
    root = tmp_path_factory.mktemp("large") / "repository"
    git(root.parent, "init", "-q", str(root))
    names = []
    module = root / "module.py"
    module.touch()
    for folder in range(100):
        (root / "src" / f"m{folder}").mkdir(parents=True)
        for number in range(FILES // 100):
            suffix = "json" if number % 10 == 0 else "py"
            names.append(f"src/m{folder}/f{number}.{suffix}")
            if suffix == "json":
                (root / names[-1]).write_bytes(b"{}")
            else:
                (root / names[-1]).hardlink_to(module)  # cheaper than a file of its own
    empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    index = "".join(f"100644 {empty} 0\t{name}\n" for name in names)
    command = ["git", "update-index", "--index-info"]
    subprocess.run(command, input=index.encode(), cwd=root, check=True)
    write(root, {f"widgets/{number}.json": GOOD for number in range(20)})
    return root


def counted(root: Path, folder: str, *arguments: str) -> tuple[Run, dict[str, int]]:
    """A run of the command, and how often it opened files in a folder, by suffix."""
    out = root.parent / "opened.json"
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, str(root / folder), str(out), *arguments],
        cwd=root,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert out.exists(), done.stderr
    opened: dict[str, int] = json.loads(out.read_text())
    out.unlink()
    return Run.of(done.returncode, done.stdout, done.stderr), opened


def test_fifty_thousand_files(large: Path, owner: Owner) -> None:
    first, opened = counted(large, "src", *INIT)

    assert first.code == 0, first.err
    assert opened == {".json": DATA_FILES}  # once each, and no other
    assert toml(large / "widgetschema.toml") == {"files": {"widgets/**/*.json": "countdown"}}
    assert not (large / BASELINE).exists()
    again, opened = counted(large, "src", "validate", ".")
    assert (again.code, counts(again)) == (0, "20 documents in 20 files: 20 valid")
    assert f"{DATA_FILES:,} files skipped: no widget type" in again.err
    assert opened == {".json": DATA_FILES}
    away = owner.runs("/", "validate", large / "widgets")
    assert (away.code, counts(away)) == (0, "20 documents in 20 files: 20 valid")
    shown = owner.runs("/", "validate", "--show-config", large / "src" / "m0" / "f0.json").out
    assert "widgetschema.toml" in shown


def test_a_git_that_does_not_answer_is_announced(tmp_path: Path) -> None:
    root = commit(tmp_path / "repository", {"widgets/a.json": GOOD})
    (root / "widgetschema.toml").write_text('[files]\n"widgets/*.json" = "countdown"\n')
    bin, gate = tmp_path / "bin", tmp_path / "gate"
    bin.mkdir()
    os.mkfifo(gate)
    real = subprocess.run(["which", "git"], check=True, capture_output=True, text=True).stdout
    slow = bin / "git"
    slow.write_text(f'#!/bin/sh\nread line < "{gate}"\nexec {real.strip()} "$@"\n')
    slow.chmod(0o755)
    command = [sys.executable, "-m", "widgetschema", "validate"]
    path = f"{bin}{os.pathsep}{os.environ['PATH']}"

    with Terminal(command, root, environment(PATH=path, TERM="xterm")) as terminal:
        terminal.wait_for("looking for files …")
        with gate.open("w") as opened:  # git reads it now
            opened.write("go\n")
        assert terminal.wait_for_end() == 0

    assert "looking for files …\r\x1b[2K" in terminal.shown
    assert "1 document in 1 file: 1 valid" in terminal.shown
