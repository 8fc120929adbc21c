"""What the short ways cost beside the least that they could: `python -m tests.benchmarks.targets`.

Prints a line for each target: met or missed. Both sides take turns in one process, and the best turn
of each counts, so that other work on the machine disturbs little.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import NamedTuple

import jsonschema_rs
import orjson

import widgetschema
from tests.benchmarks.payloads import VALID, VARIANTS
from tests.benchmarks.timing import Task, all_turns, flat_schema


class Target(NamedTuple):
    """A ratio of two processor times, and the most that it should be."""

    name: str
    ratio: float
    most: float

    def __str__(self) -> str:
        """One line: met or missed."""
        said = "met   " if self.ratio <= self.most else "missed"
        return f"{said} {self.name}: {self.ratio:.2f}, at most {self.most:.2f}"


def main() -> None:
    """Print all targets."""
    for target in targets():
        print(target, flush=True)


def targets() -> Iterator[Target]:
    """Measure each target."""
    yield from one_payload()
    yield from one_text()


def one_payload() -> Iterator[Target]:
    """`is_valid` of a dict."""
    countdown = widgetschema.widget_type("countdown")
    ours, engine = (
        countdown.is_valid,
        jsonschema_rs.Draft7Validator(flat_schema(countdown)).is_valid,
    )
    with_nulls = VARIANTS["with two nulls"]
    times = least(
        {
            "ours": lambda: ours(VALID),
            "engine": lambda: engine(VALID),
            "nulls": lambda: ours(with_nulls),
        }
    )
    yield Target("is_valid, times the engine alone", times["ours"] / times["engine"], 2.2)
    yield Target("is_valid with nulls, times without", times["nulls"] / times["ours"], 1.15)


def one_text() -> Iterator[Target]:
    """`is_valid_json` and `check_json` of a text in three layouts."""
    countdown = widgetschema.widget_type("countdown")
    engine = jsonschema_rs.Draft7Validator(flat_schema(countdown)).is_valid
    texts = {
        "compact": json.dumps(VALID, separators=(",", ":")).encode(),
        "with a space between tokens": json.dumps(VALID).encode(),
        "indented": json.dumps(VALID, indent=2).encode(),
    }
    for layout, text in texts.items():
        times = least(
            {
                "is_valid_json": lambda text=text: countdown.is_valid_json(text),  # type: ignore[misc]
                "check_json": lambda text=text: countdown.check_json(text),  # type: ignore[misc]
                "least": lambda text=text: engine(orjson.loads(text)),  # type: ignore[misc]
            }
        )
        for name in ("is_valid_json", "check_json"):
            said = f"{name}, {layout}, times orjson.loads and the engine"
            yield Target(said, times[name] / times["least"], 1.5)


def least(tasks: dict[str, Task], rounds: int = 300, seconds: float = 0.0005) -> dict[str, float]:
    """The best turn of each task, in seconds of processor time per call."""
    turns = all_turns(tasks, rounds, seconds, time.process_time)
    return {name: min(values) for name, values in turns.items()}


if __name__ == "__main__":
    main()
