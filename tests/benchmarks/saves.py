"""Durations of saves in the example applications: `python -m tests.benchmarks.saves`.

Each example saves widgets one after another, while its platform is healthy, answers nothing, closes
connections, refuses, or has a new schema for each look-up. Every 20th save, all that is known is
due to be looked up again. The situations take turns, round by round. What counts is the time until
the response, since waiting is no work of the processor; so the worst save of a round also shows
what else the machine did.

With `--write` the tables go into `tables.md`. Needs the extra `test`. Not a test: nothing here
passes or fails.
"""

from __future__ import annotations

import logging
import os
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import anyio

from tests.benchmarks.timing import in_tables, say, table, versions
from tests.fastapi_example import (
    CHANGED,
    COUNTDOWN,
    VALID,
    Clock,
    Gate,
    client,
    gated_sandbox,
    loaded,
    log_in,
    put,
)
from widgetschema.sandbox import Sandbox

SAVES = 100  # in a round
ROUNDS = 15
DUE = 20  # saves between look-ups
HEALTHY = "healthy"


class Situations:
    """The situations of the platform, by name. Each is entered, and called before each look-up."""

    def __init__(self, sandbox: Sandbox, gate: Gate) -> None:
        self.sandbox = sandbox
        self.gate = gate
        self._versions = count()

    @property
    def all(self) -> dict[str, Callable[[], None]]:
        return {
            HEALTHY: lambda: None,
            "slow: it answers nothing": self.gate.close,
            "down: it closes connections": lambda: self.sandbox.fault("close"),
            "refusing (500)": lambda: self.sandbox.fault("status=500"),
            "refusing (403), so the save is refused": lambda: self.sandbox.fault("status=403"),
            "another schema at each look-up": self.change,
        }

    def change(self) -> None:
        schema = {**CHANGED, "title": f"version {next(self._versions)}"}
        self.sandbox.set_schema("countdown", schema)

    def heal(self) -> None:
        self.gate.is_open.set()
        self.sandbox.clear_faults()
        self.sandbox.set_schema("countdown", COUNTDOWN)


class Application(NamedTuple):
    """An example under way: its situations, a save, and what looks all schemas up at once."""

    situations: Situations
    save: Callable[[int], Awaitable[int]]
    catch_up: Callable[[], None]


@asynccontextmanager
async def fastapi(clock: Clock) -> AsyncIterator[Application]:
    """The FastAPI example."""
    gate = Gate()
    with (
        TemporaryDirectory() as folder,
        gated_sandbox(gate) as sandbox,
        loaded(sandbox, clock, Path(folder, "db"), lambda _: None) as example,
    ):
        http = client(example, "ann")
        await log_in(http, sandbox)
        yield Application(
            Situations(sandbox, gate),
            lambda number: put(http, f"{number}", VALID),
            lambda: example.accounts.catalog("ann").refresh(),
        )


@asynccontextmanager
async def django(clock: Clock) -> AsyncIterator[Application]:
    """The Django example: the API of REST framework, without a server."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.django_suite.settings"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # to make the tables
    from tests.django_suite.measuring import example

    gate = Gate()
    with gated_sandbox(gate) as sandbox, example(sandbox, clock) as (save, catalog):
        yield Application(
            Situations(sandbox, gate),
            lambda _: anyio.to_thread.run_sync(save),
            catalog.refresh,
        )
        gate.is_open.set()


def main() -> None:
    """All tables."""
    with in_tables("saves"):
        versions("fastapi", "starlette", "sqlalchemy", "django", "djangorestframework")
        say(f"{SAVES} saves in a round, and a look-up after every {DUE}.\n")
        logging.disable()  # the reasons of refused saves
        for title, example in (("FastAPI", fastapi), ("Django", django)):
            anyio.run(measure, f"The {title} example", example)


async def measure(title: str, example: Callable[[Clock], Any]) -> None:
    """One table."""
    clock = Clock()
    async with example(clock) as app:
        rows = await rows_of(app, clock)
    header = ["the platform is", "status", "median", "times healthy", "worst", "times healthy"]
    table(title, header, rows)


async def rows_of(app: Application, clock: Clock) -> list[list[str]]:
    """The rows of one table."""
    names = list(app.situations.all)
    medians: dict[str, list[float]] = {name: [] for name in names}
    worst: dict[str, list[float]] = {name: [] for name in names}
    statuses: dict[str, set[int]] = {name: set() for name in names}
    await app.save(1)
    for turn in range(ROUNDS):
        for name in names:
            times = []
            for number in range(SAVES):
                if number % DUE == 0:
                    app.situations.all[name]()
                    clock.now += 100
                start = time.perf_counter()
                statuses[name].add(await app.save(number))
                times.append(time.perf_counter() - start)
            if turn:  # the first one warms up
                medians[name].append(statistics.median(times))
                worst[name].append(max(times))
            app.situations.heal()
            clock.now += 100
            await anyio.to_thread.run_sync(app.catch_up)
    rows = []
    for name in names:
        middle, most = statistics.median(medians[name]), statistics.median(worst[name])
        healthy = statistics.median(medians[HEALTHY]), statistics.median(worst[HEALTHY])
        rows.append(
            [
                name,
                ", ".join(map(str, sorted(statuses[name]))),
                f"{middle * 1000:.1f} ms",
                f"{middle / healthy[0]:.2f}",
                f"{most * 1000:.1f} ms",
                f"{most / healthy[1]:.2f}",
            ]
        )
    return rows


if __name__ == "__main__":
    main()
