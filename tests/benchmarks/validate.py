"""Speed of checking, beside its peers, in one run: `python -m tests.benchmarks.validate`.

Prints Markdown tables of ratios; `tests.benchmarks.timing` says how they are measured.

With `--write` the tables go into `tables.md`. Needs the extras `test` and `bench`.
The commands are installed into environments of their own, as their users would. Not a
test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any

import fastjsonschema
import jsonschema
import jsonschema_rs
import yaml

import widgetschema
from tests.benchmarks.payloads import (
    VALID,
    VARIANTS,
    broken,
    few_letters,
    many_names,
    misspelled,
    of_colours,
    spoil,
)
from tests.benchmarks.timing import (
    ROOT,
    Task,
    compare,
    flat_schema,
    fresh,
    in_tables,
    processor_time,
    table,
    take_turns,
    versions,
)
from widgetschema import Report
from widgetschema.jsontext import Limits
from widgetschema.schema.linking import link
from widgetschema.validation import Validator

PEERS = ("jsonschema-rs", "jsonschema", "fastjsonschema", "check-jsonschema")


def main() -> None:
    """All tables."""
    with in_tables():
        versions(*PEERS)
        one_payload()
        variants()
        five_mistakes()
        by_keyword()
        large_enum()
        the_command()
        growth()


def one_payload() -> None:
    """`is_valid` of one valid countdown payload, as a dict."""
    countdown = widgetschema.widget_type("countdown")
    flat, document = flat_schema(countdown), {"data": VALID}
    tasks: dict[str, Task] = {}
    raw = jsonschema_rs.Draft7Validator(flat).is_valid
    fast = fastjsonschema.compile(flat)
    slow = jsonschema.Draft7Validator(flat).is_valid
    linked = jsonschema.Draft7Validator(countdown.linked).is_valid
    ours = countdown.is_valid
    assert ours(VALID)
    assert raw(VALID)
    assert slow(VALID)
    tasks["widgetschema"] = lambda: ours(VALID)
    tasks["jsonschema-rs, unguarded"] = lambda: raw(VALID)
    tasks["fastjsonschema"] = lambda: fast(VALID)
    tasks["jsonschema, flat schema"] = lambda: slow(VALID)
    tasks["jsonschema, linked schema"] = lambda: linked(document)
    compare(
        "One valid payload", take_turns(tasks, clock=time.process_time), "widgetschema", 1e-6, "µs"
    )


def variants() -> None:
    """`is_valid` of payloads that hold what costs more, and of an invalid one."""
    countdown = widgetschema.widget_type("countdown")
    raw = jsonschema_rs.Draft7Validator(flat_schema(countdown)).is_valid
    ours = countdown.is_valid
    tasks: dict[str, Task] = {}
    for name, data in VARIANTS.items():
        assert ours(data) is raw(data) is (name != "five mistakes")
        tasks[name] = lambda data=data: ours(data)  # type: ignore[misc]
        tasks[f"{name}, raw"] = lambda data=data: raw(data)  # type: ignore[misc]
    times = take_turns(tasks, clock=time.process_time)
    rows = [
        [
            name,
            f"{times[name] * 1e6:.2f} µs",
            f"{times[name] / times['as above']:.2f}",
            f"{times[name] / times[f'{name}, raw']:.2f}",
        ]
        for name in VARIANTS
    ]
    header = ["", "`is_valid`", "times the first", "times jsonschema-rs, unguarded"]
    table("One payload, by what is in it", header, rows)


def five_mistakes() -> None:
    """All findings of an invalid payload, their messages included."""
    countdown = widgetschema.widget_type("countdown")
    data = broken()
    document = {"data": data}
    validator = jsonschema.Draft7Validator(flat_schema(countdown))
    linked = jsonschema.Draft7Validator(countdown.linked)
    rust = jsonschema_rs.Draft7Validator(flat_schema(countdown))
    assert len(countdown.check(data)) == 5
    other, numbers = broken(), count()

    def otherwise() -> object:
        spoil(other, next(numbers))
        return [one.message for one in countdown.check(other)]

    tasks: dict[str, Task] = {
        "widgetschema, with hints": lambda: texts(countdown.check(data)),
        "widgetschema, messages of other wrong values each time": otherwise,
        "widgetschema, no text": lambda: countdown.check(data),
        "jsonschema, flat schema": lambda: [e.message for e in validator.iter_errors(data)],
        "jsonschema, linked schema": lambda: [e.message for e in linked.iter_errors(document)],
        "jsonschema-rs, unguarded": lambda: [error.message for error in rust.iter_errors(data)],
    }
    times = take_turns(tasks, clock=time.process_time)
    compare("All findings of five mistakes", times, "widgetschema, with hints", 1e-6, "µs")


def texts(report: Report) -> object:
    """All that a report says, which is put into words when it is read."""
    return [(one.message, one.hint) for one in report]


def large_enum() -> None:
    """All findings, with "did you mean", of wrong values where an `enum` has very many."""
    tasks: dict[str, Task] = {}
    for title, names in (
        ("words", many_names(20_000)),
        ("numbered, `item-00001`", [f"item-{number:05}" for number in range(20_000)]),
        ("of four letters, `abacadabb`", few_letters(20_000)),
    ):
        schema = {"items": {"enum": names}}
        ours, rust = Validator(schema), jsonschema_rs.Draft7Validator(schema)
        every = misspelled(names, 5_000)
        some = every[:1_000]
        wrong = iter([every[at : at + 1_000] for at in range(0, len(every), 1_000)])  # each once
        assert len(ours.check(some[:10])) == 10
        tasks[f"widgetschema, {title}"] = lambda ours=ours, wrong=wrong: texts(  # type: ignore[misc]
            ours.check(next(wrong))
        )
        tasks[f"jsonschema-rs, {title}"] = lambda rust=rust, some=some: [  # type: ignore[misc]
            error.message for error in rust.iter_errors(some)
        ]
    times = take_turns(tasks, 3, 0, time.process_time)
    title = "1,000 wrong values, an enum of 20,000"
    compare(title, times, "widgetschema, words", 1e-3, "ms")


def by_keyword() -> None:
    """The cost of one finding among many of its kind, each about another value."""
    kinds = [f"kind{letter}" for letter in "abcdefghijklmnopqrst"]
    conditions = [
        {"if": {"properties": {"type": {"const": kind}}}, "then": {"required": [f"of {kind}"]}}
        for kind in kinds
    ]
    union = [{"type": "number"}, {"const": "auto"}, {"type": "string", "pattern": "^[0-9]+px$"}]
    numbers = count()
    makes: dict[str, tuple[Any, Callable[[int], Any]]] = {
        "`type`, a number in quotes": ({"type": "number"}, str),
        "`enum` of 20 texts": ({"enum": kinds}, "kind{}".format),
        "`anyOf` of three scalars": ({"anyOf": union}, "{} px".format),
        "`required` by one of 20 conditions": (
            {"required": ["type"], "allOf": conditions},
            lambda number: {"type": kinds[number % 20], "number": number},
        ),
    }
    tasks: dict[str, Task] = {}
    for name, (schema, make) in makes.items():
        validator = Validator({"items": schema})
        assert len(validator.check([make(next(numbers)) for _ in range(100)])) == 100
        tasks[name] = lambda validator=validator, make=make: texts(  # type: ignore[misc]
            validator.check([make(next(numbers)) for _ in range(100)])
        )
    times = take_turns(tasks, clock=time.process_time)
    rows = [[name, f"{value / 100 * 1e6:.1f} µs"] for name, value in times.items()]
    table("One finding of 100, of items that were never seen before", ["", "median"], rows)


def the_command() -> None:
    """The command on one file and on a thousand: cold, again, and with nothing to do."""
    countdown = widgetschema.widget_type("countdown")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        ours, theirs = (
            fresh(root / "ours", str(ROOT), "widgetschema"),
            fresh(root / "theirs", f"check-jsonschema=={version('check-jsonschema')}"),
        )
        schema = root / "flat.json"
        schema.write_text(json.dumps(flat_schema(countdown)), encoding="utf-8")
        (root / "widgets").mkdir()
        files = []
        for number in range(1000):
            files.append(root / "widgets" / f"{number:04}.json")
            files[-1].write_text(json.dumps(VALID, indent=2), encoding="utf-8")
        for title, some in (("one small file", files[:1]), ("1,000 small files", files)):
            names = [str(file) for file in some]
            our_command = [ours, "validate", "--jobs", "1", "--type", "countdown", *names]
            their_command = [theirs, "--schemafile", str(schema), *names]
            tasks: dict[str, Task] = {
                "widgetschema": lambda command=our_command: processor_time(command),  # type: ignore[misc]
                "check-jsonschema": lambda command=their_command: processor_time(command),  # type: ignore[misc]
            }
            times = take_turns(tasks, rounds=9, seconds=0)
            compare(f"The command on {title}, one process", times, "widgetschema", 1e-3, "ms")
        yaml_files(root, theirs, schema)
        nothing(ours, root)


def yaml_files(root: Path, theirs: str, schema: Path) -> None:
    """The command on a thousand small files in YAML."""
    ours = fresh(root / "formats", f"{ROOT}[formats]", "widgetschema")
    (root / "yaml").mkdir()
    text = yaml.safe_dump(VALID, sort_keys=False)
    names = [str(root / "yaml" / f"{number:04}.yaml") for number in range(1000)]
    for name in names:
        Path(name).write_text(text, encoding="utf-8")
    our_command = [ours, "validate", "--jobs", "1", "--type", "countdown", *names]
    tasks: dict[str, Task] = {
        "widgetschema": lambda: processor_time(our_command),
        "check-jsonschema": lambda: processor_time([theirs, "--schemafile", str(schema), *names]),
    }
    times = take_turns(tasks, rounds=5, seconds=0)
    compare("The command on 1,000 small YAML files, one process", times, "widgetschema", 1e-3, "ms")


def nothing(ours: str, root: Path) -> None:
    """A run that a configuration gives nothing to do, beside the import of click."""
    folder = root / "nothing"
    folder.mkdir()
    (folder / "widgetschema.toml").write_text('[files]\n"none/*.json" = "countdown"\n', "utf-8")
    python = str(Path(ours).parent / "python")
    tasks: dict[str, Task] = {
        "python -c 'import click'": lambda: processor_time([python, "-c", "import click"]),
        "widgetschema validate": lambda: processor_time(
            [ours, "validate", "--allow-empty"], cwd=str(folder)
        ),
    }
    times = take_turns(tasks, rounds=15, seconds=0)
    compare("Nothing to do", times, "python -c 'import click'", 1e-3, "ms")


def growth() -> None:
    """Cost against the size of a valid payload, and against the number of mistakes."""
    countdown = widgetschema.widget_type("countdown")
    limits = Limits(max_bytes=1 << 30)
    linked = link(countdown.schema, {"plugin": countdown.linked["definitions"]["plugin"]})
    validator = Validator.from_linked(linked.for_member("data"), limits=limits)
    rows = []
    for size in (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000):
        data = of_colours(max(1, (size - 1200) // 10))
        text = json.dumps(data, separators=(",", ":")).encode()
        tasks: dict[str, Task] = {
            "dict": lambda data=data: validator.is_valid(data),  # type: ignore[misc]
            "text": lambda text=text: validator.check_json(text),  # type: ignore[misc]
        }
        times = take_turns(tasks, 5 if size < 10_000_000 else 3, clock=time.process_time)
        per_kb = [value / len(text) * 1e9 for value in times.values()]
        rows.append([f"{len(text):,} bytes", f"{per_kb[0]:.2f} µs", f"{per_kb[1]:.2f} µs"])
    table("Cost per KB of a valid payload", ["", "is_valid(dict)", "check_json(bytes)"], rows)
    rows = []
    for mistakes in (1, 10, 100, 1_000, 10_000, 100_000):
        data = of_colours(100_000)
        step = 100_000 // mistakes
        for number in range(mistakes):
            data["styles"]["containerBg"][number * step] = number
        text = json.dumps(data).encode()
        assert len(validator.check(data)) == mistakes
        tasks = {
            "check": lambda data=data: texts(validator.check(data)),  # type: ignore[misc]
            "check_json": lambda text=text: texts(validator.check_json(text)),  # type: ignore[misc]
        }
        times = take_turns(tasks, rounds=3, clock=time.process_time)
        shown = [f"{value * 1e3:,.1f} ms" for value in times.values()]
        rows.append([f"{mistakes:,}", *shown])
    header = ["mistakes", "check(dict)", "check_json(bytes), with positions"]
    table("Mistakes among 100,000 items", header, rows)


if __name__ == "__main__":
    main()
