"""Summaries of audits for tests: those of `tests/data/audit`, and one that is as large as can be."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from widgetschema.audit.comparison import Earlier, compare

FOLDER = Path(__file__).parent / "data" / "audit"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
TITLE = "Audit of exports/"
MADE = "22 November 2026, 10:30 UTC"

Json = Any


def summary(name: str, **changes: Json) -> Json:
    """One of the files, with other members."""
    return {**json.loads((FOLDER / f"{name}.json").read_text("utf-8")), **changes}


def full() -> Json:
    """A summary with answers to every question: groups, a trend, a sample."""
    of = summary("many")
    names = "records valid invalid invalid_before mended untyped unreadable findings".split()
    none = dict.fromkeys(names, 0)
    mistake = {"type": "countdown", "keyword": "enum", "path": "/content/countdownType"}
    mistakes = [{**mistake, "records": 9, "findings": 9}]
    values = [
        {
            **none,
            "value": f"b7f3a1de-52f3-4c0f-8f5e-{number:012}",
            "records": 9000 - 50 * number,
            "invalid": 900 - 40 * number,
            "mended": number,
            "mistakes": mistakes,
            "other_mistakes": 0,
        }
        for number in range(14)
    ]
    others = {**none, "groups": 4197, "records": 800_000, "invalid": 3000}
    by = {"pointer": "/projectId", "groups": 4211, "invalid_groups": 833, "values": values}
    of["by"] = [{**by, "other_groups": others, "without": {**none, "records": 12}}]
    old = deepcopy(of)
    old["invalid"] += 4000
    old["places"][0]["records"] -= 300
    del old["places"][4]
    old["by"][0]["values"][0]["value"] = "another-project"
    of["comparison"] = compare(of, [Earlier(f"reports/{n}.json", old) for n in range(2)])
    intervals = {"invalid": [0.0111, 0.0125], "unreadable": [0, 0.001], "untyped": [0, 0.001]}
    of["sample"] = {"share": 0.01, "seed": 0, "left_out": 99_000_000, "confidence": 0.95}
    of["sample"] |= {"intervals": intervals, "types": {}}
    return of | {"mended": 91}


def largest() -> Json:
    """A thousand places, three hundred types, eleven years of days, names without end."""
    whole = summary("many")
    known = [place for place in whole["places"] if place["type"]]
    places = []
    for number in range(1000):
        place = deepcopy(known[number % len(known)])
        name = "/a-long-name-of-a-member" * (40 if number % 50 == 0 else 1)
        place |= {
            "type": f"type-{number % 300}",
            "path": f"/content/blocks/*/part-{number}{name}",
            "records": 1 + 40_000 // (number + 1),
            "findings": 1 + 40_000 // (number + 1) + number % 3,
        }
        if number % 40 == 0:
            place["message"] = f"{'Lorem ipsum dolor ' * 100}{'x' * 500}"
        for example in place["examples"]:
            example |= {"file": "f" * 400, "id": "i" * 400, "path": place["path"]}
        places.append(place)
    days = [date(2015, 1, 1) + timedelta(number) for number in range(4000)]
    types: Json = [
        {"type": f"type-{n}", "records": 900 + n, "valid": 900, "invalid": n, "findings": n}
        for n in range(300)
    ]
    invalid = sum(one["invalid"] for one in types)
    counts = [invalid // 4000 + (at < invalid % 4000) for at in range(4000)]
    return whole | {
        "records": 300 * 900 + invalid,
        "valid": 300 * 900,
        "invalid": invalid,
        "unreadable": 0,
        "untyped": 0,
        "types": [{**one, "invalid_before": 0, "mended": 0} for one in types],
        "places": places,
        "other_places": {"places": 2311, "findings": 40_112},
        "dates": [
            {"date": str(day), "invalid": n} for day, n in zip(days, counts, strict=True) if n
        ],
        "undated": 0,
        "problems": whole["problems"] * 50,
        "other_problems": 4120,
    }
