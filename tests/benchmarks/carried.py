"""Samples of old schemas, carried over: `python -m tests.benchmarks.carried FOLDER --only NAME`.

For each two successive versions of a schema in a folder that `tests.benchmarks.compare --fetch`
fills, a plan is proposed, and all its steps are activated, guesses too (`--certain`: only those that
are certain). Samples of the old schema, written in several layouts, are migrated by `widgetschema
migrate apply`. Then each line is looked at: how many are valid by the new schema, and whether all
that no step leads to has the bytes that it had. The same command is run once more, is killed in the
middle, and run again: its files must be the same. Exits with 1 if anything of this is not so, or if
a record is valid before and not afterwards. `--samples 100000` takes minutes to hours.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.benchmarks.compare import pairs, read
from tests.benchmarks.timing import say, table
from tests.killing import kill_behind
from tests.migrating import plan_of
from widgetschema import WidgetType
from widgetschema.errors import SchemaError
from widgetschema.evolution.migrate import PlanSchema, Step, format_plan
from widgetschema.evolution.migrate.plan import Proposal
from widgetschema.evolution.migrate.proposals import propose
from widgetschema.jsontext.tree import Element, scanned
from widgetschema.pointers import ANY, ANY_DEPTH, parse_pattern

# Separators of items and names, and how many spaces are around the whole.
_LAYOUTS: Final = ((",", ":", 0), (", ", ": ", 0), (" ,", " : ", 1))
_APPLY: Final = (sys.executable, "-m", "widgetschema")
_PARTITIONS: Final = 5  # of the records of one pair


def main() -> None:
    """Carry the samples of all pairs over."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.carried")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", default="", help="pairs whose name has this in it")
    parser.add_argument("--samples", type=int, default=1_000, help="of each pair")
    parser.add_argument("--largest", type=int, default=60_000, help="bytes of a schema")
    parser.add_argument("--certain", action="store_true", help="leave guesses out")
    given = parser.parse_args()
    rows, is_wrong = [], False
    for old, new in pairs(given.folders):
        name = f"{old.stem} → {new.stem}"
        if given.only not in name:
            continue
        if max(old.stat().st_size, new.stat().st_size) > given.largest:
            say(f"not carried over: {name}: too large")
            continue
        try:
            counts = carried(old, new, given.samples, certain=given.certain)
        except SchemaError as error:
            say(f"not carried over: {name}: {error}")
            continue
        is_wrong = is_wrong or any(counts[column] for column in _WRONG)
        rows.append([name, *(f"{counts[column]:,}" for column in _COLUMNS)])
        print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    table("Carried over", ["", *_COLUMNS], rows)
    sys.exit(1 if is_wrong else 0)


_COLUMNS: Final = (
    "steps", "samples", "valid before", "changed", "valid", "kept bytes", "differ",
    "no longer valid", "not as one run",
)  # fmt: skip
_WRONG: Final = ("differ", "no longer valid", "not as one run")


def carried(old: Path, new: Path, samples: int, *, certain: bool) -> Counter[str]:
    """Carry samples over, and count what became of them."""
    older, newer = read(old), read(new)
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        before, after, again = (
            Path(folder, "records.ndjson"),
            Path(folder, "out", "records.ndjson"),
            Path(folder, "again", "records.ndjson"),
        )
        plan = Path(folder, "plan.toml")
        steps = proposed(older, newer, certain=certain)
        sides = [
            PlanSchema(id=one.id, digest=one.linked_digest, schema=f"{path}", data_schema=True)
            for one, path in ((older, old.resolve()), (newer, new.resolve()))
        ]
        plan.write_text(format_plan(sides[0], sides[1], [Proposal(step=one) for one in steps]))
        with before.open("w") as file:
            for index, data in enumerate(older.samples(samples)):
                file.write(f"{laid_out(data, index)}\n")
        size = max(before.stat().st_size // _PARTITIONS, 1)
        options = ["--jobs=1", "--quiet", f"--partition-size={size}"]
        commands = [
            ["migrate", "apply", f"{plan}", f"{before}", f"--output={to.parent}",
             f"--lost={to.parent}.ndjson", *options]
            for to in (after, again)
        ]  # fmt: skip
        counts["killed"] = kill_behind(_PARTITIONS // 2, *commands[1]) == -signal.SIGKILL
        for one in commands:
            done = subprocess.run([*_APPLY, *one], check=False, cwd=folder)
            if done.returncode > 1:
                raise SystemExit(f"migrate apply ended with {done.returncode}")
        same = (
            one.read_bytes() == other.read_bytes()
            for one, other in (
                (after, again),
                (Path(f"{after.parent}.ndjson"), Path(f"{again.parent}.ndjson")),
            )
            if one.exists() or other.exists()
        )
        counts["not as one run"] = not all(same) or not counts["killed"]
        counts["steps"] = len(steps)
        with before.open() as olds, after.open() as news:
            for was, now in zip_longest(olds, news, fillvalue=""):
                count(counts, was.rstrip("\n"), now.rstrip("\n"), newer, steps)
    assert counts["samples"] == samples
    return counts


def proposed(older: WidgetType, newer: WidgetType, *, certain: bool) -> list[Step]:
    """Return the steps that are proposed."""
    migration = older.migration(newer, plan_of("", older, newer))
    found = propose(older.compare(newer), migration.old, migration.new)
    return [
        one.step for one in found.entries if one.step is not None and (one.is_active or not certain)
    ]


def laid_out(data: Any, index: int) -> str:
    """Return data as JSON text on one line, in one of several layouts."""
    between, after, around = _LAYOUTS[index % len(_LAYOUTS)]
    text = json.dumps(data, separators=(between, after), ensure_ascii=index % 2 == 0)
    return f"{' ' * around}{text}{' ' * around}"


def count(counts: Counter[str], was: str, now: str, newer: WidgetType, steps: list[Step]) -> None:
    """Count what became of one record."""
    counts["samples"] += 1
    is_valid = newer.is_valid_json(now)
    was_valid = newer.is_valid_json(was)
    counts["valid before"] += was_valid
    counts["valid"] += is_valid
    counts["no longer valid"] += was_valid and not is_valid
    counts["changed"] += was != now
    patterns = [parse_pattern(at) for one in steps for at in (one.at, *one.destinations)]
    same = was == now or all(kept(scanned(was), scanned(now), patterns))
    counts["kept bytes" if same else "differ"] += 1


def kept(was: Element, now: Element | None, patterns: Iterable[list[str]]) -> Iterator[bool]:
    """Yield for each part of a value that no pattern leads to, or into, if its bytes are the same."""
    alive = [*patterns]
    if any(not [token for token in one if token != ANY_DEPTH] for one in alive):
        return  # a step changes the value itself
    if now is None or not alive or was.kind != now.kind:
        yield now is not None and was.raw == now.raw
        return
    if was.kind == "array" and len(was.items) != len(now.items):
        return  # items were dropped: which of them is not known here
    olds, news = children(was), children(now)
    for token, child in olds.items():
        yield from kept(child, news.get(token), [*below(alive, token)])
    if not olds:
        yield was.raw == now.raw or bool(news)


def children(element: Element) -> dict[str, Element]:
    """Return members and items by their tokens."""
    found = {one.name: one.element for one in element.members}
    return found or {str(index): one for index, one in enumerate(element.items)}


def below(patterns: Iterable[list[str]], token: str) -> Iterator[list[str]]:
    """Yield what is left of patterns one token further."""
    for one in patterns:
        if one[0] == ANY_DEPTH:
            yield one
            yield from below([one[1:]], token)
        elif one[0] in (ANY, token):
            yield one[1:]


if __name__ == "__main__":
    main()
