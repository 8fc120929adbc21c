"""Measures `diff` on pairs of schemas, NAME/old.json and NAME/new.json.

    python -m tests.benchmarks.pairs FOLDER

Compares both files of each folder in a process of its own, and prints its processor time, its
memory and the kinds of the changes. Pairs beyond the limits are marked, and the exit code is 1.
References are looked up by name in `--beside`, and among all files of the pairs. Not a test: the
figures depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.benchmarks.timing import say, table
from widgetschema.evolution.compare.changes import KINDS

_MOST_SECONDS: Final = 20.0  # of processor time
_MOST_MEGABYTES: Final = 500.0


class Measured(NamedTuple):
    """One comparison: its exit code, its cost, and its changes; None without an answer."""

    code: int
    seconds: float
    megabytes: float
    changes: list[dict[str, Any]] | None

    @property
    def is_within(self) -> bool:
        """True if the comparison stayed within the limits."""
        return self.seconds <= _MOST_SECONDS and self.megabytes <= _MOST_MEGABYTES


def main() -> int:
    """Print a row for each pair, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pairs")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--beside", type=Path, help="a folder of schemas that are referred to")
    given = parser.parse_args()
    names = sorted(path.parent.name for path in given.folder.glob("*/old.json"))
    rows, is_good = [], True
    with tempfile.TemporaryDirectory() as shelf:
        beside = () if given.beside is None else given.beside.glob("*.json")
        for path in (*beside, *given.folder.glob("*/*.json")):
            shutil.copy(path, Path(shelf) / name_of(path))
        for name in names:
            measured = measure(given.folder / name, Path(shelf))
            kinds = Counter(change["kind"] for change in measured.changes or ())
            places = sum(1 + len(change["others"]) for change in measured.changes or ())
            mark = "" if measured.is_within else "beyond the limits"
            if measured.changes is None:
                mark = f"exit code {measured.code}"
            rows.append([
                name, f"{measured.seconds:.1f} s", f"{measured.megabytes:.0f} MB",
                *(f"{kinds[kind]:,}" for kind in KINDS), f"{places:,}", mark,
            ])  # fmt: skip
            print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
            is_good &= measured.is_within
    table("By pair", ["", "processor", "memory", *KINDS, "places", ""], rows)
    say(f"{len(rows)} pairs, {_MOST_SECONDS:.0f} s and {_MOST_MEGABYTES:.0f} MB allowed.")
    return 0 if is_good else 1


def name_of(path: Path) -> str:
    """Return the name by which others refer to a schema: that of its `$id`, or its own."""
    schema = json.loads(path.read_bytes())
    own_id = schema.get("$id", schema.get("id")) if type(schema) is dict else None
    name = own_id.rstrip("#").rpartition("/")[2] if type(own_id) is str else ""
    return name if name.endswith(".json") else path.name


def measure(pair: Path, shelf: Path) -> Measured:
    """Compare a pair in a process of its own, in a folder with all that it may refer to."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copytree(shelf, folder, dirs_exist_ok=True)
        files = [
            shutil.copy(pair / f"{side}.json", folder / f"{side}.json") for side in ("old", "new")
        ]
        output = folder / "output"
        words = [word for file in files for word in ("--data-schema", str(file))]
        command = [sys.executable, "-m", "widgetschema", "diff", *words, "--quiet"]
        command += ["--format", "json", "--output", str(output)]
        process = os.posix_spawn(sys.executable, command, os.environ)
        _, status, usage = os.wait4(process, 0)
        answer = json.loads(output.read_bytes()) if output.exists() else None
    found = None if answer is None else answer["comparisons"][0]["changes"]
    seconds, code = usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status)
    return Measured(code, seconds, usage.ru_maxrss / 1024, found)


if __name__ == "__main__":
    sys.exit(main())
