"""Comparisons of summaries: what is new, gone, more and fewer; and texts that are none."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.auditing import summary
from widgetschema.audit.comparison import Earlier, NotASummary, compare, parse_summary

Json = Any


def raw(value: Json) -> bytes:
    return json.dumps(value).encode()


def test_a_summary_is_the_same_as_itself() -> None:
    of = summary("many")

    told = compare(of, [Earlier("a", parse_summary(raw(of)))])

    assert [told[sort] for sort in ("new", "gone", "more", "fewer", "schemas")] == [[]] * 5
    assert [one["name"] for one in told["trend"]] == ["a", None]
    assert {one["invalid"] for one in told["trend"]} == {of["invalid"]}
    assert all(one["invalid"] == one["invalid_before"] for one in told["types"])


def test_what_changed() -> None:
    old, new = summary("many"), summary("many")
    new["other_places"] = old["other_places"] = {"places": 0, "findings": 0}
    first, second, third, *_ = new["places"]
    gone = old["places"][0]
    new["places"] = new["places"][1:]
    second["records"] += 5
    third["records"] -= 1
    added = deepcopy(first) | {"path": "/data/added", "records": 2}
    new["places"].append(added)
    other_message = deepcopy(second) | {"about": "another", "records": 1}
    new["places"].append(other_message)
    new["schemas"][0]["digest"] = "0" * 64

    told = compare(new, [Earlier("older", old), Earlier("old", old)])

    assert [(one["path"], one["records"]) for one in told["new"]] == [
        ("/data/added", 2),
        (second["path"], 1),
    ]
    assert [(one["path"], one["records_before"]) for one in told["gone"]] == [
        (gone["path"], gone["records"])
    ]
    assert [one["records"] - one["records_before"] for one in told["more"]] == [5]
    assert [one["records"] - one["records_before"] for one in told["fewer"]] == [-1]
    assert told["schemas"] == [new["schemas"][0]["id"]]
    assert [one["name"] for one in told["trend"]] == ["older", "old", None]
    assert told["is_certain"] is True


@pytest.mark.parametrize(
    "changes", [{"complete": False}, {"other_places": {"places": 1, "findings": 1}}]
)
def test_lists_that_are_not_whole_make_no_certainty(changes: Json) -> None:
    old = summary("zero")
    assert compare(old, [Earlier("old", old)])["is_certain"] is True
    assert compare(old, [Earlier("old", old | changes)])["is_certain"] is False
    assert compare(old | changes, [Earlier("old", old)])["is_certain"] is False


def by(*invalid: Json, number: int | None = None) -> Json:
    values = [{"value": value, "invalid": 1} for value in invalid]
    groups = len(invalid) if number is None else number
    return [{"pointer": "/p", "groups": 9, "invalid_groups": groups, "values": values}]


def test_values_that_became_invalid() -> None:
    old, new = summary("zero", by=by("a", True, 2)), summary("zero", by=by("a", 1, 2))

    [told] = compare(new, [Earlier("old", old)])["by"]

    assert (told["new"], told["gone"], told["is_certain"]) == ([1], [True], True)
    [told] = compare(new | {"by": by("a", number=9)}, [Earlier("old", old)])["by"]
    assert told["is_certain"] is False
    assert compare(summary("zero"), [Earlier("old", old)])["by"] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "it is empty; write the new summary to another file"),
        (b" \n", "it is empty"),
        (b"{", "it is not JSON: the text ends inside an object"),
        (b"\xff", "it is not JSON"),
        (b"[]", "it is not a summary"),
        (b'{"version": 1}', "it is not a summary"),
        (b'{"version": true, "types": [], "places": [], "by": [], "schemas": []}', "is not a"),
        (b'{"version": 1, "types": [], "places": [], "by": [], "schemas": []}', "was changed"),
        (raw(summary("many", version=2)), "its version is 2, later than 1: upgrade widgetschema"),
        (raw(summary("many", places=[3])), "it was changed"),
        (raw(summary("many", records="9")), "it was changed"),
        (raw(summary("many", by=[{"pointer": "/a", "values": [{"value": []}]}])), "was changed"),
    ],
)
def test_what_is_no_summary(text: bytes, said: str) -> None:
    with pytest.raises(NotASummary, match=said):
        parse_summary(text)


@pytest.mark.parametrize("other", [None, 1, 1.5, True, "x", [], {}])
@pytest.mark.parametrize("name", ["type", "keyword", "path", "message", "records"])
@pytest.mark.parametrize("list_name", ["places", "types"])
def test_a_summary_with_a_value_of_another_type_is_compared_or_refused(
    list_name: str, name: str, other: Json
) -> None:
    changed = summary("many")
    for index in range(len(changed[list_name])):
        one = deepcopy(changed)
        one[list_name][index][name] = other
        try:
            earlier = parse_summary(raw(one))
        except NotASummary:
            continue
        compare(changed, [Earlier("old", earlier)])


def test_another_question_is_not_compared() -> None:
    with pytest.raises(NotASummary, match="only one is made with --against"):
        compare(summary("zero"), [Earlier("old", summary("against"))])


def test_another_sample_is_not_compared() -> None:
    whole, sample = summary("many"), summary("many", sample={"share": 0.01, "seed": 0})
    for other in (whole, summary("many", sample={"share": 0.1, "seed": 0})):
        for now, before in ((sample, other), (other, sample)):
            with pytest.raises(NotASummary, match="different samples"):
                compare(now, [Earlier("old", before)])
    assert compare(sample, [Earlier("old", parse_summary(raw(sample)))])["gone"] == []
