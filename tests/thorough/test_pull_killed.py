"""`kill -9` at each change that `pull` makes: the folder is the old one, or the new one, and links."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import environment
from tests.killing import killed_at
from widgetschema import Store
from widgetschema.cli import main
from widgetschema.platform.fetcher import frozen

# The suite runs in several processes, each with a thread that does nothing but wait.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),
]

IDS = tuple(f"type-{number}" for number in range(3))


def schema(id: str, version: int) -> dict[str, Any]:
    return {
        "$id": id,
        "title": f"{version}",
        "allOf": [{"$ref": "plugin"}],
        "properties": {"data": {"type": "object", "description": "x" * 5_000}},
    }


class Sandbox:
    """A sandbox in a process of its own, so that this one has no threads when it forks."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "widgetschema", "sandbox", "--quiet"],
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
        )
        assert self.process.stdout is not None
        self.variables: dict[str, str] = {}
        for line in self.process.stdout:
            if not line.startswith("export "):
                break
            name, _, value = line.removeprefix("export ").strip().partition("=")
            self.variables[name] = value
        self.url = self.variables["WIDGETSCHEMA_AUTH_URL"]
        code = json.loads(self.ask("POST", "/sandbox/codes", {}))["code"]
        self.variables |= {
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        self.code = code

    def ask(self, method: str, path: str, value: Any) -> bytes:
        request = urllib.request.Request(
            self.url + path,
            json.dumps(value).encode(),
            {"Content-Type": "application/json", "X-Sandbox": "1"},
            method=method,
        )
        with urllib.request.urlopen(request) as answer:
            content: bytes = answer.read()
        return content

    def publish(self, version: int) -> None:
        for id in IDS:
            self.ask("PUT", f"/sandbox/schemas/{id}", schema(id, version))


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    made = Sandbox(tmp_path)
    try:
        for name, value in made.variables.items():
            monkeypatch.setenv(name, value)
        redirect = "http://127.0.0.1:8765/callback"
        assert main(["login", "--code", made.code, "--redirect-uri", redirect]) == 0
        yield made
    finally:
        made.process.terminate()
        made.process.communicate(timeout=120)


def pull(folder: Path) -> None:
    """Pull in this process, which is a child of the test's, and say nothing."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    assert main(["pull", "--schemas", str(folder), *IDS]) == 0


def versions(folder: Path) -> set[str]:
    """The versions that a folder has, all of its schemas verified, and linked."""
    if not folder.exists():
        return set()
    assert {one.id for one in frozen(folder)} == {*IDS, "plugin"}
    store = Store(folder)
    return {store[id]["title"] for id in IDS}


@pytest.mark.parametrize("there", [True, False], ids=["an old folder", "no folder"])
def test_killed_at_any_moment(sandbox: Sandbox, tmp_path: Path, there: bool) -> None:
    above, cache = tmp_path / "project", tmp_path / "cache"
    folder, old = above / "schemas", {"0"} if there else set()
    above.mkdir()
    target = folder if there else tmp_path / "other"  # of which only the cache remains
    for version in (-1, 0) if there else (1,):  # twice: children find every module loaded
        sandbox.publish(version)
        assert main(["pull", "--schemas", str(target), *IDS]) == 0
    sandbox.publish(1)
    shutil.copytree(above, tmp_path / "project before")
    shutil.copytree(cache, tmp_path / "cache before")
    seen = []
    for moment in range(1, 10_000):
        for changed in (above, cache):
            shutil.rmtree(changed)
            shutil.copytree(f"{changed} before", changed)
        killed = killed_at(moment, lambda: pull(folder), changes=True)
        after = versions(folder)
        assert after in (old, {"1"}), f"killed at change {moment}"
        seen.append(after)
        if moment % 4 == 0 or not killed:  # the next one clears up
            assert not killed_at(-1, lambda: pull(folder))
            assert versions(folder) == {"1"}
            names = {path.name for path in [*above.iterdir(), *folder.iterdir()]}
            assert not any(name.startswith(".") for name in names)
        if not killed:
            break
    assert seen.count(old) > 10
    assert seen[-1] == {"1"}
