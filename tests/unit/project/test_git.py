"""Changes according to git, in real repositories; and that none of them runs anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from widgetschema.errors import ChangesUnknown
from widgetschema.project.git import ChangedFiles, affects_everything, changed_files

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
Git = Callable[..., str]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment in which nobody's own configuration counts."""
    (tmp_path / "home").mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "home"),
        "GIT_CONFIG_GLOBAL": str(tmp_path / "home" / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
    }


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The folder of a repository, which `git` makes."""
    return tmp_path / "repository"


@pytest.fixture
def git(repository: Path, environ: dict[str, str]) -> Git:
    """Runs git in the repository, whose first commit has `a.json` and `b/c.json`."""

    def run(*arguments: str | Path, cwd: Path = repository) -> str:
        own = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false")
        command = ["git", *own, "-c", "protocol.file.allow=always", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=cwd, env=environ, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    write(repository / "a.json", "1")
    write(repository / "b" / "c.json", "2")
    run("init", "-q", "-b", "main")
    run("add", "-A")
    run("commit", "-qm", "first")
    return run


def write(path: Path, text: str = "new") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(root: Path, paths: frozenset[str]) -> list[str]:
    return sorted(os.path.relpath(path, os.path.realpath(root)) for path in paths)


@pytest.fixture
def look(repository: Path, environ: dict[str, str], git: Git) -> Callable[..., Any]:
    """Return the changes in the repository: files, deleted, folders, relative to it."""

    def run(ref: str | None = None, cwd: Path = repository, **more: str) -> list[list[str]]:
        found = changed_files(ref, str(cwd), environ={**environ, **more})
        return [names(repository, paths) for paths in found]

    return run


Look = Callable[..., list[list[str]]]


def test_nothing_has_changed(look: Look) -> None:
    assert look() == look("HEAD") == look("main") == [[], [], []]


def test_staged_and_not_and_new_and_deleted(repository: Path, git: Git, look: Look) -> None:
    write(repository / ".gitignore", "*.log\n")
    write(repository / "a.json", "changed")
    write(repository / "b" / "staged.json")
    write(repository / "b" / "new.json")
    write(repository / "b" / "ignored.log")
    git("add", "b/staged.json")
    (repository / "b" / "c.json").unlink()
    files = [".gitignore", "a.json", "b/new.json", "b/staged.json"]
    assert look() == [files, ["b/c.json"], []]
    assert look(cwd=repository / "b") == look()


def test_what_is_staged_counts_although_the_file_is_as_it_was(
    repository: Path, git: Git, look: Look
) -> None:
    write(repository / "a.json", "changed")
    git("add", "a.json")
    write(repository / "a.json", "1")
    assert look() == [["a.json"], [], []]


def test_what_git_shall_forget_is_still_there(repository: Path, git: Git, look: Look) -> None:
    git("rm", "-q", "--cached", "a.json")
    assert look() == [["a.json"], [], []]
    git("mv", "b/c.json", "d.json")
    assert look() == [["a.json", "d.json"], ["b/c.json"], []]


def test_other_times_are_no_change(repository: Path, look: Look) -> None:
    os.utime(repository / "a.json", (1, 1))
    os.utime(repository / "b" / "c.json", (1, 1))
    write(repository / "b" / "c.json", "3")
    assert look() == [["b/c.json"], [], []]
    (repository / "a.json").chmod(0o755)
    assert look() == [["a.json", "b/c.json"], [], []]


def test_since_a_branch_went_apart(repository: Path, git: Git, look: Look) -> None:
    git("switch", "-qc", "topic")
    write(repository / "topic.json")
    git("add", "-A")
    git("commit", "-qm", "topic")
    write(repository / "new.json")
    git("switch", "-q", "main")
    write(repository / "main.json")
    git("add", "main.json")
    git("commit", "-qm", "main")
    git("switch", "-q", "topic")
    assert look("main") == [["new.json", "topic.json"], [], []]
    assert look("main~1") == look("main")
    assert look("HEAD~1") == look("main")
    assert look() == [["new.json"], [], []]


def test_without_commits_everything_is_new(
    tmp_path: Path, environ: dict[str, str], git: Git
) -> None:
    fresh = tmp_path / "fresh"
    write(fresh / "a.json")
    git("init", "-q", fresh, cwd=tmp_path)
    git("add", "a.json", cwd=fresh)
    write(fresh / "b" / "new.json")
    found = changed_files(None, str(fresh), environ=environ)
    assert names(fresh, found.files) == ["a.json", "b/new.json"]
    with pytest.raises(ChangesUnknown, match='git knows no commit "main"'):
        changed_files("main", str(fresh), environ=environ)


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
@pytest.mark.parametrize(
    "name",
    [b"line\nbreak.json", b'quote".json', b"'.json", b" .json", b"-rf.json", b"\xff\xfe.json",
     "é.json".encode(), b"tab\t.json", b":(top)a.json", b"*.json", b"back\\slash.json"],
)  # fmt: skip
def test_hostile_names(repository: Path, git: Git, look: Look, name: bytes) -> None:
    path = Path(os.fsdecode(os.fsencode(repository) + b"/b/" + name))
    try:
        write(path)
    except OSError:
        pytest.skip("this system has no such names")
    expected = [[f"b/{os.fsdecode(name)}"], [], []]
    assert look() == expected
    git("add", "-A")
    assert look() == expected
    git("commit", "-qm", "it")
    assert look() == [[], [], []]
    path.unlink()
    assert look() == [[], *expected[:1], []]


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("", "the ref is empty"),
        (" ", "the ref is empty"),
        ("--output=x", 'is not a ref; name a branch'),
        ("-h", "is not a ref"),
        ("a\nb", "is not a ref"),
        ("a\0b", "is not a ref"),
        ("nowhere", 'git knows no commit "nowhere"; name a branch, a tag or a commit'),
        ("0" * 40, "git knows no commit"),
        ("main..main", "git knows no commit"),
        ("^main", "git knows no commit"),
        ("HEAD:a.json", "git knows no commit"),
        ("x" * 10_000, "git knows no commit"),
        ("$(touch hacked)", "git knows no commit"),
        ("orphan", '"orphan" and HEAD have no commit in common; name a ref that has'),
    ],
    ids=lambda value: value[:20],
)  # fmt: skip
def test_refs_that_are_none(repository: Path, git: Git, look: Look, ref: str, message: str) -> None:
    git("switch", "-q", "--orphan", "orphan")
    git("commit", "-qm", "orphan", "--allow-empty")
    git("switch", "-q", "main")
    with pytest.raises(ChangesUnknown) as caught:
        look(ref)
    shown = str(caught.value)
    assert message in shown
    assert shown.startswith("git cannot tell what has changed: ")
    assert shown.isprintable()
    assert len(shown) < 300
    assert sorted(os.listdir(repository)) == [".git", "a.json", "b"]


def test_a_shallow_clone_says_what_to_fetch(
    tmp_path: Path, repository: Path, environ: dict[str, str], git: Git
) -> None:
    git("switch", "-qc", "topic")
    for number in range(3):
        write(repository / "a.json", str(number))
        git("commit", "-qam", "more")
    git("switch", "-q", "main")
    write(repository / "main.json")
    git("add", "-A")
    git("commit", "-qm", "main")
    clone = tmp_path / "clone"
    git(
        "clone",
        "-q",
        "--depth",
        "1",
        "--no-single-branch",
        repository.as_uri(),
        clone,
        cwd=tmp_path,
    )
    for ref in ("origin/topic", "main~1"):
        with pytest.raises(ChangesUnknown, match="fetch-depth: 0"):
            changed_files(ref, str(clone), environ=environ)
    git("fetch", "-q", "--unshallow", cwd=clone)
    found = changed_files("origin/topic", str(clone), environ=environ)
    assert names(clone, found.files) == ["main.json"]


def test_no_repository(tmp_path: Path, environ: dict[str, str]) -> None:
    environ["GIT_CEILING_DIRECTORIES"] = str(tmp_path)
    (tmp_path / "plain").mkdir()
    with pytest.raises(ChangesUnknown, match="not a git repository"):
        changed_files(None, str(tmp_path / "plain"), environ=environ)
    with pytest.raises(ChangesUnknown, match="git cannot be run in"):
        changed_files(None, str(tmp_path / "none"), environ=environ)


def test_no_git(
    repository: Path, git: Git, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("git")
    assert real is not None
    monkeypatch.chdir(repository)
    shutil.copy(sys.executable, repository / "git")
    for path in ("", ".", str(repository.parent), f".{os.pathsep}{os.pathsep}relative"):
        with pytest.raises(ChangesUnknown, match="git is not installed"):
            changed_files(None, str(repository), environ={**environ, "PATH": path})
    path = f".{os.pathsep}{os.path.dirname(real)}"
    found = changed_files(None, str(repository), environ={**environ, "PATH": path})
    assert names(repository, found.files) == ["git"]


def test_a_bare_repository_has_no_files(
    tmp_path: Path, repository: Path, git: Git, environ: dict[str, str]
) -> None:
    git("clone", "-q", "--bare", repository.as_uri(), tmp_path / "bare", cwd=tmp_path)
    with pytest.raises(ChangesUnknown, match="work tree"):
        changed_files(None, str(tmp_path / "bare"), environ=environ)


def test_a_damaged_repository(repository: Path, look: Look) -> None:
    (repository / ".git" / "index").write_bytes(b"no index")
    with pytest.raises(ChangesUnknown, match="index"):
        look()
    (repository / ".git" / "config").write_text("[core\n")
    with pytest.raises(ChangesUnknown, match="config"):
        look()


def test_worktrees(tmp_path: Path, git: Git, environ: dict[str, str]) -> None:
    tree = tmp_path / "tree"
    git("worktree", "add", "-q", tree, "-b", "other")
    write(tree / "b" / "new.json")
    found = changed_files(None, str(tree / "b"), environ=environ)
    assert names(tree, found.files) == ["b/new.json"]


def test_a_folder_by_way_of_a_link(
    tmp_path: Path, repository: Path, git: Git, environ: dict[str, str]
) -> None:
    (tmp_path / "link").symlink_to(repository)
    path = write(tmp_path / "link" / "new.json")
    found = changed_files(None, str(tmp_path / "link"), environ=environ)
    assert found.files == {os.path.realpath(path)}
    assert found.has(str(path))


def test_links_and_what_they_lead_to(repository: Path, git: Git, look: Look) -> None:
    (repository / "link.json").symlink_to("a.json")
    (repository / "folder").symlink_to("b")
    assert look() == [["a.json", "link.json"], [], ["b"]]
    git("add", "-A")
    git("commit", "-qm", "links")
    assert look() == [[], [], []]
    (repository / "link.json").unlink()
    (repository / "link.json").symlink_to("nowhere")
    assert look() == [["link.json", "nowhere"], [], []]


@pytest.fixture
def hooked(repository: Path, git: Git, environ: dict[str, str]) -> Callable[..., list[str]]:
    """Makes a hook that writes what has changed to a file, outside; runs git; reads it."""

    def run(hook: str, *arguments: str, cwd: str = ".") -> list[str]:
        out = repository.parent / "seen"
        code = (
            "import os, sys\n"
            "from widgetschema.project.git import changed_files\n"
            f"os.chdir({cwd!r})\n"
            "found = changed_files(None, os.getcwd())\n"
            f"open({str(out)!r}, 'w').write('\\n'.join(sorted(found.files | found.deleted)))\n"
        )
        script = repository.parent / "hook.py"
        script.write_text(code)
        path = repository / ".git" / "hooks" / hook
        write(path, f"#!/bin/sh\nexec '{sys.executable}' '{script}'\n")
        path.chmod(0o755)
        git(*arguments)
        return names(repository, frozenset(out.read_text().splitlines()))

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="hooks are scripts of a shell")
def test_within_hooks(repository: Path, git: Git, hooked: Callable[..., list[str]]) -> None:
    write(repository / "new.json")
    write(repository / "a.json", "changed")
    git("add", "new.json")
    assert hooked("pre-commit", "commit", "-qm", "x") == ["a.json", "new.json"]
    write(repository / "b" / "c.json", "changed")
    found = hooked("pre-commit", "commit", "-qm", "x", "b/c.json", cwd="b")
    assert found == ["a.json", "b/c.json"]
    write(repository / "b" / "c.json", "again")
    assert hooked("pre-commit", "commit", "-qam", "x") == ["a.json", "b/c.json"]
    git("init", "-q", "--bare", "../remote")
    write(repository / "later.json")
    assert hooked("pre-push", "push", "-q", "../remote", "main", cwd="b") == ["later.json"]


def test_variables_of_another_repository(
    tmp_path: Path, repository: Path, git: Git, look: Look, environ: dict[str, str]
) -> None:
    other = tmp_path / "other"
    write(other / "x.json")
    git("init", "-q", other)
    write(repository / "new.json")
    theirs = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / "objects"),
        "GIT_PREFIX": "b/",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_TRACE": "1",
    }
    assert look(**theirs) == [["new.json"], [], []]


def test_a_repository_that_is_elsewhere(
    tmp_path: Path, repository: Path, git: Git, environ: dict[str, str]
) -> None:
    (repository / ".git").rename(tmp_path / "dots")
    write(repository / "new.json")
    environ |= {"GIT_CEILING_DIRECTORIES": str(tmp_path), "GIT_DIR": "../dots"}
    found = changed_files(None, str(repository), environ=environ)
    assert names(repository, found.files) == ["new.json"]
    environ |= {"GIT_DIR": "../../dots", "GIT_WORK_TREE": ".."}
    found = changed_files(None, str(repository / "b"), environ=environ)
    assert names(repository, found.files) == ["new.json"]


TRAP = """
[core]
    fsmonitor = {trap}
    hooksPath = {hooks}
    sshCommand = {trap}
    pager = {trap}
    editor = {trap}
    alternateRefsCommand = {trap}
[diff]
    external = {trap}
[diff "trap"]
    command = {trap}
    textconv = {trap}
[filter "trap"]
    clean = {trap}
    smudge = {trap}
    process = {trap}
    required = true
[filter "a=b.c"]
    clean = {trap}
    required = true
[extensions]
    partialClone = origin
[remote "origin"]
    url = ext::{trap}
    promisor = true
    uploadpack = {trap}
[protocol]
    allow = always
[alias]
    rev-parse = !{trap}
    diff-index = !{trap}
    ls-files = !{trap}
[pager]
    diff-index = {trap}
[submodule]
    recurse = true
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the trap is a script of a shell")
def test_a_repository_runs_nothing(
    tmp_path: Path, repository: Path, git: Git, look: Look, environ: dict[str, str]
) -> None:
    sprung = tmp_path / "sprung"
    trap = write(tmp_path / "trap", f'#!/bin/sh\necho "$0 $*" >> {sprung}\n')
    trap.chmod(0o755)
    for hook in (
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "fsmonitor-watchman",
    ):
        shutil.copy(trap, write(tmp_path / "hooks" / hook))
    write(repository / "new.json")
    write(repository / ".gitattributes", "*.json filter=trap diff=trap\nb/* filter=a=b.c\n")
    write(repository / ".git" / "info" / "attributes", "*.json filter=trap diff=trap\n")
    git("add", "-A")
    with (repository / ".git" / "config").open("a") as file:
        file.write(TRAP.format(trap=trap, hooks=tmp_path / "hooks"))
    (repository / "a.json").touch()  # git would look into it, by way of the filter
    missing = git("rev-parse", "HEAD:b/c.json")
    (repository / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    os.utime(repository / "b" / "c.json", (1, 1))
    assert look() == [[".gitattributes", "new.json"], [], []]
    assert look("main~0") == look()
    with pytest.raises(ChangesUnknown):
        look("f" * 40)
    assert not sprung.exists(), sprung.read_text()
    subprocess.run(["git", "status"], cwd=repository, env=environ, check=False, capture_output=True)
    assert sprung.exists()  # git itself walks into it


def test_nothing_is_written(repository: Path, look: Look) -> None:
    def all_of_it() -> dict[str, tuple[int, bytes]]:
        files = (path for path in (repository / ".git").rglob("*") if path.is_file())
        return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

    os.utime(repository / "a.json", (1, 1))
    write(repository / "new.json")
    before = all_of_it()
    look()
    look("main")
    assert all_of_it() == before


def test_other_repositories_inside(
    tmp_path: Path, repository: Path, git: Git, look: Look, environ: dict[str, str]
) -> None:
    source = tmp_path / "source"
    write(source / "x.json")
    git("init", "-q", source)
    git("add", "-A", cwd=source)
    git("commit", "-qm", "x", cwd=source)
    git("submodule", "--quiet", "add", source.as_uri(), "module")
    git("commit", "-qam", "module")
    write(repository / "module" / "x.json", "changed")
    assert look() == [[], [], []]
    git("commit", "-qam", "x", cwd=repository / "module")
    assert look() == [[], [], ["module"]]
    git("clone", "-q", source.as_uri(), "nested")
    assert look() == [[], [], ["module", "nested"]]
    found = changed_files(None, str(repository), environ=environ)
    assert found.has(str(repository / "module" / "x.json"))
    assert not found.has(str(repository / "module2" / "x.json"))
    assert found.touches_schemas(str(repository / "module"))
    assert found.touches_schemas(str(repository / "module" / "schemas"))
    assert look(cwd=repository / "nested") == [[], [], []]


def changed(root: Path, *, files: str = "", deleted: str = "") -> ChangedFiles:
    def real(text: str) -> frozenset[str]:
        return frozenset(os.path.join(os.path.realpath(root), name) for name in text.split())

    return ChangedFiles(real(files), real(deleted))


@pytest.mark.parametrize(
    ("files", "deleted", "expected"),
    [
        ("", "", False),
        ("widgets/a.json schemas/README.md schemas/old/a.json", "widgets/b.json", False),
        ("schemas/plugin.json", "", True),
        ("schemas/manifest.json", "", True),
        ("", "schemas/countdown.json", True),
        ("elsewhere.json", "", True),
        ("widgetschema.toml", "", True),
        ("", "widgetschema.toml", True),
        ("baseline.json", "", True),
        ("", "baseline.json", True),
        ("", "gone/countdown.json", True),
        ("other/widgetschema.toml", "", False),
    ],
)
def test_what_every_result_depends_on(
    tmp_path: Path, files: str, deleted: str, expected: bool
) -> None:
    write(tmp_path / "schemas" / "plugin.json")
    write(tmp_path / "elsewhere.json")
    (tmp_path / "schemas" / "linked.json").symlink_to("../elsewhere.json")
    assert expected == affects_everything(
        changed(tmp_path, files=files, deleted=deleted),
        schemas_folders=[str(tmp_path / "schemas"), str(tmp_path / "gone")],
        configuration_file=str(tmp_path / "widgetschema.toml"),
        baseline=str(tmp_path / "baseline.json"),
    )


def test_without_a_configuration(tmp_path: Path) -> None:
    found = changed(tmp_path, files="widgetschema.toml")
    assert not affects_everything(found, schemas_folders=[], configuration_file=None, baseline=None)


def test_everything_depends_on_names_as_they_are_given(
    repository: Path, git: Git, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository / "schemas" / "a.json")
    write(repository / "b" / "widgetschema.toml")
    found = changed_files(None, str(repository), environ=environ)
    monkeypatch.chdir(repository / "b")
    for schemas, file in ((["../schemas"], None), ([], "widgetschema.toml")):
        assert affects_everything(
            found, schemas_folders=schemas, configuration_file=file, baseline=None
        )
