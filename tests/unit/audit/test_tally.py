"""Counts that can be added up in any grouping: the same bytes, whatever is too many."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema import Validator
from widgetschema.audit.tally import (
    BEFORE,
    VALID,
    Example,
    FindingGroup,
    FindingGroups,
    GroupKey,
    Tally,
    day_of,
    generalize,
)
from widgetschema.validation.explain.deferred import DeferredFinding

NAMES = frozenset({"content", "title", "items"})
MOST = 3  # places on each level: few enough that most tests have too many

# What happens: a valid record, or findings about an invalid one.
PATHS = st.lists(st.sampled_from(["content", "title", "*", "x", "y", "z1", "z2"]), max_size=3).map(
    lambda tokens: "".join(f"/{token}" for token in tokens)
)
FOUND = st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["type", "enum"]), PATHS)
EVENTS = st.lists(
    st.one_of(st.sampled_from(["valid", "before", "unreadable"]), st.lists(FOUND, max_size=4)),
    max_size=25,
)


def names(type_id: str | None) -> frozenset[str]:
    return NAMES


def put(tally: Tally, event: Any, number: int) -> None:
    """Count one record, number `number` of all."""
    tally.lines += 1
    if event == "valid":
        tally.count("a", VALID)
    elif event == "before":
        tally.count("b", BEFORE)
    elif event == "unreadable":
        tally.unreadable += 1
    else:
        tally.count_invalid("b", len(event))
        tally.count_date(f"2026-01-{number % 28 + 1:02}" if number % 3 else None)
        for type_id, keyword, path in event:
            place = tally.groups.group(type_id, keyword, path, names)
            place.note("m" if number % 9 else "n", None if number % 7 else "h")
            place.count_value(f"v{number % 97}")
            place.add(1, 1, [Example(tally.findings, "f", number, "", None, path, "m", None)], 2)
            tally.findings += 1


def tally_of(events: list[Any], first: int = 0) -> Tally:
    tally = Tally(2, MOST)
    for number, event in enumerate(events, first):
        put(tally, event, number)
    return tally


def packed(tally: Tally) -> str:
    return json.dumps(tally.as_dict())


def copied(tally: Tally) -> Tally:
    return Tally.from_dict(json.loads(packed(tally)), 2, MOST)


@given(EVENTS, EVENTS, EVENTS)
def test_adding_up_is_associative(first: list[Any], second: list[Any], third: list[Any]) -> None:
    at = len(first), len(first) + len(second)
    whole = packed(tally_of(first + second + third))
    parts = tally_of(first), tally_of(second, at[0]), tally_of(third, at[1])

    left = copied(parts[0])
    left.merge(copied(parts[1]))
    left = copied(left)
    left.merge(copied(parts[2]))

    right = copied(parts[1])
    right.merge(copied(parts[2]))
    start = copied(parts[0])
    start.merge(right)

    assert packed(left) == packed(start) == whole
    assert packed(copied(left)) == whole


@given(EVENTS)
def test_nothing_is_lost(events: list[Any]) -> None:
    tally = tally_of(events)
    places = list(tally.groups)
    assert sum(place.findings for place in places) == tally.findings
    assert tally.records == len(events)
    assert sum(tally.dates.values()) + tally.undated == sum(map(_is_invalid, events))
    assert len([place for place in places if place.key.level == 0]) <= MOST
    for place in places:
        assert [one.at for one in place.examples] == sorted(one.at for one in place.examples)
        assert 1 <= len(place.examples) <= 2


def _is_invalid(event: Any) -> bool:
    return isinstance(event, list)


def test_names_that_the_schema_knows_are_kept() -> None:
    places = FindingGroups(1, most=2)
    for name in ("w1", "w2", "title", "w3", "w4"):
        place = places.group("t", "type", f"/content/{name}", names)
        place.add(1, 1, [Example(int(name[-1:] == "4"), 0, 1, "", None, name, "", None)], 1)
    told = {(one.key.path, one.key.level): one.findings for one in places}
    assert told == {("/content/title", 0): 1, ("/content/w1", 0): 1, ("/content/*", 1): 3}


def test_there_is_an_end_to_places() -> None:
    places = FindingGroups(1, most=50)
    for number in range(5_000):
        path = f"/x{number}" * (number % 70 + 1)
        place = places.group("t", "type", path, names)
        place.add(1, 1, [Example(number, 0, 1, "", None, path, "", None)], 1)
    every = list(places)
    assert len(every) <= 2 * 50 + 1
    assert sum(place.findings for place in every) == 5_000
    assert every[-1].key == GroupKey("t", "type", "/**", 2)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ""),
        ("/content/title", "/content/title"),
        ("/content/other", "/content/*"),
        ("/items/*/q", "/items/*/*"),
        ("/a~1b", "/*"),
    ],
)
def test_names_that_the_schema_does_not_know(path: str, expected: str) -> None:
    assert generalize(path, NAMES) == expected


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-11-03T09:30:00.000Z", "2026-11-03"),
        ("2026-11-03 09:30", "2026-11-03"),
        ("2024-02-29", "2024-02-29"),
        ("2026-02-29", None),
        ("2026-11-031", None),
        ("2026-W45-1", None),
        ("20261103", None),
        ("٢٠٢٦-11-03", None),
        ("1899-12-31", None),
        ("2200-01-01", None),
        ("", None),
        (None, None),
        (1, None),
        (["2026-11-03"], None),
    ],
)
def test_days(value: Any, day: str | None) -> None:
    assert day_of(value) == day


# The texts that all findings of a group share

WHEN = {"if": {"required": ["a"]}, "then": {"required": ["b"]}}


@pytest.mark.parametrize(
    ("schema", "values", "message", "hint"),
    [
        ({"required": ["title"]}, [{}, {"x": 1}], 'the property "title" is missing', None),
        ({"required": ["title"]}, [{}, {"titel": 1}], 'the property "title" is missing', ""),
        ({"enum": ["large"]}, ["larg", "largee"], "", "did you mean"),
        ({"enum": ["large"]}, ["larg", "x"], "", ""),
        ({"enum": ["large"]}, ["x", "y"], "", None),
        ({"maxItems": 1}, [[1, 2], [3, 4]], "the array has 2 items, but", None),
        ({"maxItems": 1}, [[1, 2], [1, 2, 3]], "", None),
        ({"items": WHEN}, [[{"a": 1}], [0, {"a": 1}]], 'the property "b" is missing', None),
    ],
)  # fmt: skip
def test_message_and_hint_are_those_of_all_findings(
    schema: Any, values: list[Any], message: str, hint: str | None
) -> None:
    for some in permutations([*values, values[0]]):
        group = FindingGroup(GroupKey("t", "k", ""), "")
        for value in some:
            [finding] = Validator(schema).check_plain(value).findings
            assert isinstance(finding, DeferredFinding)
            if group.findings:
                group.note_words(finding, *finding.general)
            else:
                group.words(finding)
            group.findings += 1
        assert group.message.startswith(message)
        assert bool(group.message) == bool(message)
        assert (group.hint is None) == (hint is None)
        assert hint is None or (group.hint or "").startswith(hint)
        assert bool(group.hint) == bool(hint)
