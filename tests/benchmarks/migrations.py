"""Plans between published versions of real schemas: `python -m tests.benchmarks.migrations FOLDER`.

Proposes a plan for each two successive versions in a folder that `tests.benchmarks.compare --fetch`
fills, and prints what is proposed for the changes that break data: a certain step, a guess, or
none. "New" are members that only the newer schema describes, where any value was allowed before:
only records that hold another value need a step. The last two columns are the share of the
generated records that are valid by the newer schema after the certain steps, and if all guesses are
taken as well. Not a test: nothing passes or fails.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.benchmarks.compare import pairs, read
from tests.benchmarks.timing import say, table
from tests.migrating import plan_of
from widgetschema import Migration, Plan
from widgetschema.errors import SchemaError
from widgetschema.evolution.compare import Comparison
from widgetschema.evolution.migrate import PlanSchema, format_plan
from widgetschema.evolution.migrate.proposals import ONLY_OTHERS, Proposals, propose

_KINDS: Final = ("certain", "guess", "none")


def main() -> None:
    """Both tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.migrations")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", default="", help="pairs whose name has this in it")
    parser.add_argument("--largest", type=int, default=400_000, help="bytes of a schema")
    parser.add_argument("--plans", type=Path, help="a folder to which the plans are written")
    given = parser.parse_args()
    rows: list[list[str]] = []
    steps: Counter[tuple[str, str]] = Counter()
    for old, new in pairs(given.folders):
        name = f"{old.stem} → {new.stem}"
        if given.only not in name:
            continue
        if max(old.stat().st_size, new.stat().st_size) > given.largest:
            say(f"not compared: {name}: too large")
            continue
        try:
            older, newer = read(old), read(new)
        except SchemaError as error:
            say(f"not compared: {name}: {type(error).__name__}")
            continue
        comparison = older.compare(newer)
        if comparison.harmless:
            continue
        nothing = older.migration(newer, plan_of("", older, newer))
        found = propose(comparison, nothing.old, nothing.new)
        for one in found.entries:
            kind = "none" if one.step is None else "certain" if one.is_active else "guess"
            steps["" if one.step is None else one.step.kind, kind] += 1
        if given.plans is not None:
            given.plans.mkdir(parents=True, exist_ok=True)
            text = format_plan(nothing.plan.old, nothing.plan.new, found.entries)
            (given.plans / f"{old.stem}.toml").write_text(text, encoding="utf-8")
        rows.append([name, *row(comparison, found, nothing)])
        print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    head = ["", "breaking", "unknown", "certain", "guessed", "new", "by hand", "renames", "valid"]
    table("By pair", [*head, "with guesses"], rows)
    table("By step", ["step", *_KINDS], [
        [name or "(none)", *(f"{steps[name, kind]:,}" for kind in _KINDS)]
        for name in sorted({name for name, _ in steps})
    ])  # fmt: skip


def row(comparison: Comparison, found: Proposals, nothing: Migration) -> list[str]:
    """The numbers of one pair."""
    kinds = Counter(change.kind for change in comparison)
    renames = sum(change.guess is not None for change in comparison)
    sides = [PlanSchema(id=one.version.id, digest=one.version.linked_digest)
             for one in (nothing.old, nothing.new)]  # fmt: skip
    steps = tuple(one.step for one in found.entries if one.step is not None)
    plan = Plan(old=sides[0], new=sides[1], steps=steps)
    everything = Migration(nothing.old, nothing.new, replace(plan, name="guesses"))
    valid = sum(everything.migrate_json(record).is_done for record in found.records)
    new = sum(
        change.keyword == "properties" and bool(change.parts) and change.guess is None
        for change in comparison
    )
    by_hand = sum(one.step is None and ONLY_OTHERS not in one.reason for one in found.entries)
    counts = (kinds["breaking"], kinds["unknown"], found.certain, found.guesses, new, by_hand)
    return [
        *map(str, counts), str(renames), f"{found.valid} of {found.tried}", f"{valid} of {found.tried}"
    ]  # fmt: skip


if __name__ == "__main__":
    main()
