"""This project as people use it from a repository, and the Git of nobody in particular."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from tests.command import environment
from widgetschema import __version__

ROOT = Path(__file__).resolve().parent.parent
PLACE = "https://github.com/OWNER/widgetschema"  # where the README says that it is
TAG = f"v{__version__}"
_LEFT_OUT = {".git", ".coverage", ".hypothesis", "__pycache__", "build", "dist"}


def git_environment(home: Path, **more: str) -> dict[str, str]:
    """The variables for Git, whose configuration is nobody's."""
    rest = {
        name: value
        for name, value in environment().items()
        if not name.startswith(("GIT_", "PRE_COMMIT_", "GITHUB_", "WIDGETSCHEMA_", "XDG_"))
        and name not in ("SKIP", "PYTHONPATH")
    }
    return {
        **rest,
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        **more,
    }


def git(folder: Path, *arguments: str) -> str:
    """Run Git in a folder; what it prints."""
    command = ["git", "-c", "init.defaultBranch=main", "-c", "safe.directory=*", *arguments]
    process = subprocess.run(
        command,
        cwd=folder,
        env=git_environment(folder),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def at_its_place(project: Path) -> dict[str, str]:
    """The variables with which Git finds a repository of this machine at PLACE."""
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{project}.insteadOf",
        "GIT_CONFIG_VALUE_0": PLACE,
    }


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that is made once for all the modules and processes that run tests together."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / name
    with FileLock(f"{folder}.lock"):
        if not (folder / "made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / "made").touch()
    return folder


def project(factory: pytest.TempPathFactory) -> Path:
    """Make this project a repository that somebody uses, at the tag of its version."""

    def make(folder: Path) -> None:
        for name in _tracked():
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy)
        git(folder, "init", "--quiet")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "all")
        git(folder, "tag", TAG)

    return made_once(factory, "project", make)


def hooks(factory: pytest.TempPathFactory) -> Path:
    """A folder of pre-commit that has installed the hooks of `project`."""
    ours = project(factory)

    def make(folder: Path) -> None:
        (folder / "first").mkdir()
        configure(folder / "first", "widgetschema-validate")
        run = pre_commit(folder / "first", folder, "install-hooks", **at_its_place(ours))
        assert run.returncode == 0, run.stdout + run.stderr

    return made_once(factory, "hooks", make)


def configure(folder: Path, *hooks: str) -> None:
    """Make a folder a repository with a configuration of pre-commit that has these hooks."""
    lines = [f"  - repo: {PLACE}", f"    rev: {TAG}", "    hooks:"]
    lines += [f"      - id: {hook}" for hook in hooks]
    text = "\n".join(["repos:", *lines, ""])
    (folder / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")


def pre_commit(
    folder: Path, home: Path, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run pre-commit in a repository; `home` is what `hooks` gives."""
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", *arguments, "--color", "never"],
        cwd=folder,
        env=git_environment(folder.parent, PRE_COMMIT_HOME=str(home), **more),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def _tracked() -> list[str]:
    if (ROOT / ".git").exists():
        listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    return [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*")
        if path.is_file() and not _is_left_out(path.relative_to(ROOT))
    ]


def _is_left_out(path: Path) -> bool:
    first = path.parts[0]
    return bool(_LEFT_OUT & {*path.parts}) or first.startswith(".venv") or first.endswith("_cache")
