"""Durations of saves in the example applications: `python -m tests.benchmarks.saves`.

The example saves widgets one after another, while its platform is healthy, answers nothing, closes
connections, refuses, or has a new schema for each look-up. Every 20th save, all that is known is
due to be looked up again. The situations take turns, round by round. What counts is the time until
the response, since waiting is no work of the processor; so the worst save of a round also shows
what else the machine did.

With `--write` the tables go into the manual. Needs the extra `test`. Not a test: nothing here
passes or fails.
"""

from __future__ import annotations

import logging
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import httpx

from tests.benchmarks.timing import in_readme, say, table, versions
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
from widgetschema.sandbox import RunningSandbox

SAVES = 100  # in a round
ROUNDS = 15
DUE = 20  # saves between look-ups
HEALTHY = "healthy"


class Situations:
    """What the platform does, by name. Each is entered, and called before each look-up."""

    def __init__(self, sandbox: RunningSandbox, gate: Gate) -> None:
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


@contextmanager
def fastapi(clock: Clock) -> Iterator[tuple[Situations, httpx.AsyncClient, Callable[[], None]]]:
    """The FastAPI example: the situations, a client, and what looks all schemas up at once."""
    gate = Gate()
    with (
        TemporaryDirectory() as folder,
        gated_sandbox(gate) as sandbox,
        loaded(sandbox, clock, Path(folder, "db"), lambda _: None) as example,
    ):
        yield (
            Situations(sandbox, gate),
            client(example, "ann"),
            lambda: example.accounts.catalog("ann").refresh(),
        )


def main() -> None:
    """All tables."""
    with in_readme("saves"):
        versions("fastapi", "starlette", "sqlalchemy")
        clock = Clock()
        logging.disable()  # the reasons of refused saves
        with fastapi(clock) as (situations, http, catch_up):
            anyio.run(measure, "The FastAPI example", situations, http, catch_up, clock)


async def measure(
    title: str,
    situations: Situations,
    http: httpx.AsyncClient,
    catch_up: Callable[[], None],
    clock: Clock,
) -> None:
    """One table."""
    names = list(situations.all)
    medians: dict[str, list[float]] = {name: [] for name in names}
    worst: dict[str, list[float]] = {name: [] for name in names}
    statuses: dict[str, set[int]] = {name: set() for name in names}
    await log_in(http, situations.sandbox)
    await put(http, "1", VALID)
    for turn in range(ROUNDS):
        for name in names:
            times = []
            for number in range(SAVES):
                if number % DUE == 0:
                    situations.all[name]()
                    clock.now += 100
                start = time.perf_counter()
                statuses[name].add(await put(http, f"{number}", VALID))
                times.append(time.perf_counter() - start)
            if turn:  # the first one warms up
                medians[name].append(statistics.median(times))
                worst[name].append(max(times))
            situations.heal()
            clock.now += 100
            await anyio.to_thread.run_sync(catch_up)
    say(f"{SAVES} saves in a round, and a look-up after every {DUE}.\n")
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
    header = ["the platform is", "status", "median", "times healthy", "worst", "times healthy"]
    table(title, header, rows)


if __name__ == "__main__":
    main()
