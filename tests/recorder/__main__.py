"""Compares what the package of an old commit does with what this tree does.

    python -m tests.recorder OLD_COMMIT [--only PATTERN] [--corpus DIR]

PATTERN selects runs by name, as in `samples/*`. DIR has `schemas/NAME.json` and may have
`valid/NAME/*.json`, `invalid/NAME/*.json` and `pairs/NAME/{old,new}.json`; without it, only the
files of this repository are used. The exit code is 1 if there is a difference that `accepted.toml`
does not name.
"""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
SHOWN: Final = 12  # lines of a difference
Recording = dict[str, dict[str, str]]


def main() -> None:
    """Record both sides, and compare them."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorder")
    parser.add_argument("old_commit")
    parser.add_argument("--only", metavar="PATTERN", default="*")
    parser.add_argument("--corpus", metavar="DIR", type=lambda name: Path(name).resolve())
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recorder-")))
        tree = folder / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the tree is removed
        stack.callback(subprocess.run, [*git, "remove", "--force", str(tree)], check=True)
        subprocess.run([*git, "add", "-q", "--detach", str(tree), options.old_commit], check=True)
        own = Path("tests", "recorder")
        shutil.copytree(ROOT / own, tree / own, dirs_exist_ok=True)
        arguments = [str(ROOT), "--only", options.only]
        arguments += ["--corpus", str(options.corpus)] if options.corpus else []
        sides = [(folder / name, path) for name, path in (("old", tree), ("new", ROOT))]
        processes = [_start(*side, arguments) for side in sides]
        for process in processes:
            stack.callback(process.terminate)
        codes = [process.wait() for process in processes]
        old, new = (_read(path / "recording") for path, _ in sides)
    for (path, _), code, recording in zip(sides, codes, (old, new), strict=True):
        if code:
            print(f"the {path.name} side ended with {code} after {[*recording][-1:]}")
    sys.exit(compare(old, new, options.only) or any(codes))


def _start(folder: Path, tree: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
    """Start a process that records what the package in a tree does."""
    folder.mkdir()
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
    variables |= {"LC_ALL": "C.UTF-8", "COLUMNS": "100", "TZ": "UTC"}
    side = [sys.executable, "-m", "tests.recorder.side", str(folder / "recording")]
    return subprocess.Popen([*side, *arguments], cwd=tree, env=variables)


def _read(path: Path) -> Recording:
    with path.open(encoding="utf-8") as lines:
        return dict(json.loads(line) for line in lines)


def compare(old: Recording, new: Recording, only: str) -> bool:
    """Print how two recordings differ; return whether they do where that is not accepted."""
    listed = tomllib.loads(Path(__file__).with_name("accepted.toml").read_text("utf-8"))
    accepted, refused = Counter[str](), 0
    for name in [*new, *(name for name in old if name not in new)]:
        if old.get(name) == new.get(name):
            continue
        reason = next((one["because"] for one in listed["accepted"] if _is_named(name, one)), None)
        raises = any(text.startswith("raised ") for text in new.get(name, {}).values())
        if reason is not None and not raises:
            accepted[reason] += 1
            continue
        refused += 1
        print(f"\n{name}")
        _print_difference(old.get(name, {}), new.get(name, {}))
    for entry in listed["accepted"]:
        if only == "*" or accepted[entry["because"]]:
            print(f"accepted {accepted[entry['because']]} times: {entry['because']}")
    print(f"{len(new)} runs; {refused} differ")
    return refused > 0


def _is_named(name: str, entry: dict[str, Any]) -> bool:
    """Return whether an entry accepts that a run differs."""
    subject = name.partition("/")[2].partition(" ")[0]
    named = any(fnmatch.fnmatchcase(name, pattern) for pattern in entry["runs"])
    return named and subject not in entry.get("unchanged", ())


def _print_difference(old: dict[str, str], new: dict[str, str]) -> None:
    for part in sorted(old.keys() | new.keys()):
        before, after = (side.get(part, "").splitlines() for side in (old, new))
        if before != after:
            lines = [line[:200] for line in difflib.unified_diff(before, after, n=0, lineterm="")]
            print(f"  {part}:", *lines[2 : SHOWN + 2], sep="\n    ")
            if len(lines) > SHOWN + 2:
                print(f"    ... {len(lines) - SHOWN - 2} more lines")


if __name__ == "__main__":
    main()
