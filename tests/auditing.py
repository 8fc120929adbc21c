"""Summaries of audits for tests: those of `tests/data/audit`, and one that is as large as can be."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "audit"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
TITLE = "Audit of exports/"
MADE = "22 November 2026, 10:30 UTC"

Json = Any


def summary(name: str, **changes: Json) -> Json:
    """One of the files, with other members."""
    return {**json.loads((FOLDER / f"{name}.json").read_text("utf-8")), **changes}


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
