"""The summary of an audit as text: the verdict, what is left out, nothing that a terminal obeys."""

from __future__ import annotations

import pytest

from tests.auditing import NAMES, summary
from widgetschema.audit.reporters.summary import audit_text, done, verdict


def counts(**more: object) -> dict[str, object]:
    """A summary of nothing, but for some members."""
    names = "records valid invalid unreadable untyped invalid_before mended findings truncated lines bytes"
    nothing: dict[str, object] = {
        **dict.fromkeys([*names.split(), "sources"], 0),
        "complete": True,
        "partitions": {"done": 2, "all": 2},
        "types": [],
        "places": [],
        "other_places": {"places": 0, "findings": 0},
        "problems": [],
        "other_problems": 0,
        "against": False,
        "sample": None,
    }
    return {**nothing, **more}


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (counts(), "0 records in 0 sources: nothing to check"),
        (counts(records=1, valid=1, sources=1), "1 record in 1 source: all valid"),
        (
            counts(records=1_000, valid=988, invalid=12, findings=14, sources=2),
            "1,000 records in 2 sources: 988 valid, 12 invalid; 14 findings",
        ),
        (
            counts(records=4, invalid=1, unreadable=1, untyped=2, findings=4, other_problems=1),
            "4 records in 0 sources: 1 invalid, 1 unreadable, 2 of unknown type, 1 problem; 4 findings",
        ),
        (
            counts(records=3, valid=1, invalid=1, invalid_before=1, findings=1, against=True),
            "3 records in 0 sources: 1 valid, 1 no longer valid, 1 invalid before; 1 finding",
        ),
        (
            counts(records=3, valid=2, invalid_before=1, against=True),
            "3 records in 0 sources: 2 valid, 1 invalid before, none became invalid",
        ),
        (
            counts(records=9, valid=9, complete=False, partitions={"done": 1, "all": 3}),
            "9 records in 0 sources: all valid so far; incomplete: 33 % checked",
        ),
    ],
)
def test_the_verdict(of: dict[str, object], told: str) -> None:
    assert verdict(of) == told
    assert audit_text(of).splitlines()[0] == told


def test_of_nothing_all_is_done() -> None:
    assert done(counts(partitions={"done": 0, "all": 0})) == "0 %"


def test_what_is_left_out() -> None:
    example = {"file": "a", "line": 1, "document": "", "id": 7, "path": "/x", "message": "odd"}
    place = {
        "type": "faq",
        "keyword": "type",
        "path": "/x",
        "records": 5,
        "findings": 6,
        "message": "odd",
        "hint": None,
        "examples": [example, {**example, "line": None, "document": "/docs/3"}],
    }
    problem = {"file": "b", "line": None, "keyword": "problem.file", "message": "gone", "code": 3}
    lines = audit_text(
        counts(
            places=[place] * 22,
            other_places={"places": 3, "findings": 30},
            problems=[problem] * 25,
            other_problems=2,
        )
    ).splitlines()

    assert lines[1:5] == [
        "5 records: faq: type /x: odd",
        "  a:1 7",
        "  a at /docs/3 7",
        "  … and 3 more",
    ]
    assert lines.count(lines[1]) == 20
    assert lines.count("b: gone") == 20
    assert "… and 5 others (42 findings)" in lines
    assert lines[-1] == "… and 7 more problems"


def test_of_what_is_summed_up_nobody_knows_how_many_records_it_are() -> None:
    example = {"file": "a", "line": 1, "document": "", "id": 7, "path": "/b", "message": "odd"}
    place = {"type": "t", "keyword": "type", "path": "/*", "records": 5, "message": "odd"}
    place |= {"hint": None, "summed": True, "examples": [example]}
    lines = audit_text(counts(places=[place])).splitlines()

    assert lines[1:4] == [
        "at most 5 records: t: type /*: odd",
        "  a:1 7 /b",
        "  … and at most 4 more",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_a_terminal_obeys(name: str) -> None:
    text = audit_text(summary(name))

    assert text.endswith("\n")
    assert all(line.isprintable() for line in text.splitlines())
