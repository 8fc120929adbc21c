"""Helpers of the benchmarks: taking turns, tables, and the file that they go to.

Competitors take turns, round by round, and the median round of each counts, so that a machine
whose speed drifts drifts for all of them.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import widgetschema

Task = Callable[[], object]

ROOT = Path(__file__).resolve().parents[2]
TABLES = Path(__file__).with_name("tables.md")
LINES: list[str] = []


class Seconds(float):
    """The result of a task that has looked at a clock of its own."""


def take_turns(
    tasks: dict[str, Task],
    rounds: int = 15,
    seconds: float = 0.02,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The median time of each task, in seconds per call; about so many seconds per turn."""
    times = all_turns(tasks, rounds, seconds, clock)
    return {name: statistics.median(values) for name, values in times.items()}


def all_turns(
    tasks: dict[str, Task],
    rounds: int = 15,
    seconds: float = 0.02,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """The times of each task, in seconds per call, turn by turn.

    Of tasks that are work of this process alone, `time.process_time` is what others do not disturb.
    """
    numbers = {name: _calls_in(task, seconds) for name, task in tasks.items()}
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            told: object = None
            start = clock()
            for _ in range(numbers[name]):
                told = task()
            spent = (clock() - start) / numbers[name]
            times[name].append(told if isinstance(told, Seconds) else spent)
    return times


def _calls_in(task: Task, seconds: float) -> int:
    task()  # whatever is made at the first call is made now
    if not seconds:
        return 1
    start = time.perf_counter()
    task()
    once = time.perf_counter() - start
    return max(1, int(seconds / max(once, 1e-7)))


def versions(*names: str) -> None:
    """Say of which versions the tables are."""
    say(f"Python {sys.version.split()[0]}; {', '.join(map(installed, names))}.\n")


def installed(name: str) -> str:
    """A library with its version."""
    return f"{name} {version(name)}"


def say(text: str = "") -> None:
    """Print a line, and keep it for the tables."""
    print(text, flush=True)
    LINES.append(text)


def table(title: str, header: list[str], rows: list[list[str]]) -> None:
    """One Markdown table."""
    say(f"**{title}**\n")
    for row in [header, ["---"] * len(header), *rows]:
        say("| " + " | ".join(row) + " |")
    say()


def compare(title: str, times: dict[str, float], ours: str, unit: float, suffix: str) -> None:
    """A table of times and ratios to ours."""
    rows = [
        [name, f"{value / unit:.2f} {suffix}", f"{value / times[ours]:,.2f}"]
        for name, value in times.items()
    ]
    table(title, ["", "median", "times ours"], rows)


@contextmanager
def in_tables(section: str = "") -> Iterator[None]:
    """With `--write`: put all that is said inside between the markers of a section of `TABLES`."""
    wanted = "--write" in sys.argv
    if wanted:
        _around(section)  # a missing place is reported before anything is measured
    yield
    if wanted:
        before, after = _around(section)
        TABLES.write_text("\n".join((before, *LINES, after)), encoding="utf-8")


def _around(section: str) -> tuple[str, str]:
    """The tables up to those of a section, and from their end on, markers included."""
    name = f"benchmarks: {section}" if section else "benchmarks"
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, begun, rest = TABLES.read_text(encoding="utf-8").partition(f"{begin}\n")
    _, ended, after = rest.partition(end)
    if not (begun and ended):
        sys.exit(f"{TABLES} has no place for the tables: put the lines {begin} and {end} there")
    return before + begin, end + after


def flat_schema(widget_type: widgetschema.WidgetType) -> dict[str, Any]:
    """The schema of the data alone, every reference local: the easiest for other validators."""
    linked = widget_type.linked
    plugin = {key: value for key, value in linked["definitions"]["plugin"].items() if key != "$id"}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "allOf": [
            {"$ref": "#/definitions/IPluginData"},
            {"$ref": "#/definitions/plugin/properties/data"},
        ],
        "definitions": {**linked["definitions"], "plugin": plugin},
    }


def run(command: list[str], cwd: str | None = None, **variables: str) -> None:
    """One run of a command, its output thrown away."""
    subprocess.run(
        command,
        check=True,
        cwd=cwd,
        env={**os.environ, **variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def fresh(folder: Path, package: str, command: str = "check-jsonschema") -> str:
    """A command, installed as its users do, in an environment of its own; its path."""
    venv.create(folder, with_pip=True)
    run([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", package])
    return str(folder / "bin" / command)


def processor_time(command: list[str], cwd: str | None = None, **variables: str) -> Seconds:
    """The processor time of one run of a command, and of what it starts and waits for."""
    before = children_time()
    run(command, cwd, **variables)
    return Seconds(children_time() - before)


def children_time() -> float:
    """The processor time of all processes that this one started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
