"""Widgets by the thousand for tests of `audit`: valid ones, and near misses among them."""

from __future__ import annotations

import json
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import widgetschema
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled

EVERY = 100  # of so many widgets, one has a mistake


def widgets(number: int) -> bytes:
    """So many countdowns as NDJSON; each hundredth is a near miss."""
    valid, wrong = _kinds()
    misses = cycle(wrong)
    every = islice(cycle(valid), number)
    return b"".join(
        next(misses) if index % EVERY == EVERY - 1 else line for index, line in enumerate(every)
    )


@cache
def _kinds() -> tuple[list[bytes], list[bytes]]:
    # The same again and again: nothing here depends on what is in them.
    countdown = widgetschema.widget_type("countdown")
    valid = [_line(data) for data in countdown.samples(999)]
    return valid, [_line(case.data) for case in countdown.near_misses()]


def _line(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def write(path: Path, number: int) -> None:
    """Write a file of so many widgets."""
    path.write_bytes(widgets(number))


def plan_of(*inputs: object, partition_bytes: int = 64 * 1024) -> Plan:
    """The plan for countdowns in some files."""
    names = [str(one) for one in inputs]
    sources, partitions, problems = plan_sources(names, partition_bytes=partition_bytes)
    assert not problems
    by = ("/content/countdownType", "/styles/skinId")
    settings = Settings("countdown", findings=True, ids=True, by=by, quarantine=True)
    return Plan(settings, Catalog([bundled()]), tuple(sources), tuple(partitions))
