"""The summary: its order and its bounds, exit codes, the gate, names of places."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema.audit.inputs.sources import Source
from widgetschema.audit.plan import Plan, Settings
from widgetschema.audit.summary import (
    MAX_PLACES,
    PlaceNames,
    RunState,
    exit_code,
    parse_gate,
    summary,
)
from widgetschema.audit.tally import INVALID, Example, Tally
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled
from widgetschema.project.checking.results import Problem

PLAN = Plan(Settings("countdown"), Catalog([bundled()]), (Source("f", "f"),), ((), ()))


def places_of(counts: dict[tuple[str | None, str, str], int]) -> Tally:
    tally = Tally()
    for key, number in counts.items():
        example = Example(tally.findings, "f", 1, "", "w", key[2], "m", None)
        place = tally.groups.group(*key, lambda _: frozenset())
        place.note("m", None)
        place.add(1, number, [example], 3)
        tally.findings += number
    return tally


def test_places_with_most_findings_come_first() -> None:
    tally = places_of(
        {("b", "type", "/x"): 2, ("a", "type", "/y"): 2, ("a", "type", "/x"): 2, (None, "k", ""): 9}
    )
    told = summary(PLAN, tally, RunState(2, True))
    order = [(one["type"], one["path"], one["findings"]) for one in told["places"]]
    assert order == [(None, "", 9), ("a", "/x", 2), ("a", "/y", 2), ("b", "/x", 2)]
    assert [one["id"] for one in told["schemas"]] == ["countdown", "plugin"]
    assert told["older_schemas"] == []


def test_a_summary_has_only_so_many_places() -> None:
    counts: dict[tuple[str | None, str, str], int] = {
        ("a", "type", f"/{n}"): n + 2 for n in range(MAX_PLACES + 50)
    }
    counts["broken", "problem.schema", ""] = 1
    told = summary(PLAN, places_of(counts), RunState(2, True))
    assert len(told["places"]) == MAX_PLACES
    assert told["places"][0]["findings"] == MAX_PLACES + 51
    assert told["places"][-1]["keyword"] == "problem.schema"
    assert told["other_places"] == {"places": 51, "findings": sum(n + 2 for n in range(51))}
    assert exit_code(told) == 4


def test_examples_may_be_none() -> None:
    plan = PLAN._replace(settings=Settings(examples=0))
    [place] = summary(plan, places_of({("a", "type", "/x"): 1}), RunState(2, True))["places"]
    assert (place["message"], place["examples"]) == ("m", [])


CODES: list[tuple[dict[str, Any], int]] = [
    ({}, 0),
    ({"invalid": 1}, 1),
    ({"invalid_before": 1}, 0),
    ({"unreadable": 1, "invalid": 1}, 3),
    ({"places": [{"keyword": "problem.type"}]}, 2),
    ({"places": [{"keyword": "problem.document"}]}, 1),
    ({"places": [{"keyword": "problem.network"}], "unreadable": 2}, 5),
    ({"problems": [{"code": 4}, {"code": 3}]}, 4),
    ({"other_problems": 1}, 3),
]


@pytest.mark.parametrize(("more", "code"), CODES)
def test_exit_codes(more: dict[str, Any], code: int) -> None:
    assert exit_code({**summary(PLAN, Tally(), RunState(0, False)), **more}) == code


def test_the_members_of_a_summary_are_a_contract() -> None:
    tally = Tally()
    tally.count("countdown", INVALID)
    tally.count_date("2026-01-01")
    trouble = Problem("f", "gone", 3, line=1)
    told = summary(PLAN, tally, RunState(1, False, (trouble,), 2))
    assert (
        list(told)
        == (
            "version records valid invalid unreadable untyped invalid_before mended findings truncated sample lines bytes "
            "sources complete partitions types places other_places dates undated by input problems other_problems "
            "passed_over other_passed_over against comparison schemas older_schemas"
        ).split()
    )
    assert told["types"] == [
        {
            "type": "countdown",
            "records": 1,
            "valid": 0,
            "invalid": 1,
            "invalid_before": 0,
            "mended": 0,
            "findings": 0,
        }
    ]
    assert told["problems"] == [
        {"file": "f", "line": 1, "keyword": "problem.file", "message": "gone", "code": 3}
    ]
    day = {"date": "2026-01-01", "invalid": 1}
    assert (told["dates"], told["other_problems"]) == ([day], 2)


# The gate


@pytest.mark.parametrize(
    ("text", "invalid", "records", "is_admitted"),
    [
        ("0", 0, 0, True),
        ("0", 1, 1, False),
        ("10", 10, 10, True),
        ("10", 11, 10**9, False),
        ("0.1%", 1, 1000, True),
        ("0.1 %", 1, 999, False),
        ("0.1%", 10**12 // 1000 + 1, 10**12, False),
        ("0%", 0, 5, True),
        ("0%", 1, 10**12, False),
        ("100%", 7, 7, True),
        ("0.000000000001%", 1, 10**14, True),
    ],
)
def test_limits_are_exact(text: str, invalid: int, records: int, is_admitted: bool) -> None:
    gate = parse_gate(text)
    assert gate is not None
    assert gate.admits(invalid, records) is is_admitted


@pytest.mark.parametrize(
    "text", ["", "%", "-1", "1.5", "101%", "1e3", "٣", "1,000", "0.1%%", "ten"]
)
def test_other_texts_are_no_gate(text: str) -> None:
    assert parse_gate(text) is None


# Names of places: titles of the schema, else the words of the member names

ITEM = {"type": "object", "properties": {"answerText": {}, "n": {"title": "Number "}}}
DATA = {
    "type": "object",
    "properties": {
        "questions": {"title": "All questions", "type": "array", "items": ITEM},
        "nested": {"$ref": "#/definitions/N"},
    },
}
SCHEMA = {
    "properties": {"data": DATA},
    "definitions": {"N": {"title": "A\nnest", "properties": {"nested": {"$ref": "#/definitions/N"}}}},
}  # fmt: skip
OWN_DATA = {"type": "object", "properties": {"data": {"title": "Own"}, "x": {}}}
OWN = {"properties": {"data": OWN_DATA}}
NAMES = PlaceNames(Catalog([{"t": SCHEMA, "own": OWN, "broken": {"properties": 3}}]))


@pytest.mark.parametrize(
    ("type_id", "path", "name"),
    [
        ("t", "", ""),
        ("t", "/data", ""),
        ("t", "/questions", "All questions"),
        ("t", "/data/questions", "All questions"),
        ("t", "/data/questions/*/answerText", "All questions › Answer text"),
        ("t", "/questions/*/n", "All questions › Number"),
        ("t", "/questions/*", "All questions (any)"),
        ("t", "/questions/0/n", "All questions › 0 › Number"),
        ("t", "/**", ""),
        ("t", "/nested/nested", "A nest › A nest"),
        ("t", f"/{'nested/' * 50}other~1Name", " › ".join([*["A nest"] * 7, "Other name"])),
        ("t", "/updatedAt", "Updated at"),
        ("own", "/data", "Own"),
        ("own", "/x", "X"),
        ("broken", "/data/showTitle", "Show title"),
        ("gone", "/data/showTitle", "Show title"),
        (None, "/data/showTitle", "Show title"),
    ],
)
def test_names(type_id: str | None, path: str, name: str) -> None:
    assert NAMES.name(type_id, path) == name


def test_data_may_be_elsewhere() -> None:
    names = PlaceNames(Catalog([{"t": SCHEMA}]), "/after/data")
    assert names.name("t", "/after/data/questions") == "All questions"
    assert names.name("t", "/after/id") == "After › ID"
