"""Records by their values: exact for any number of values, however they were divided."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.audit.fast_path import value_probe
from widgetschema.audit.record_groups import (
    MOST_GROUPS,
    MOST_MISTAKES,
    STATUSES,
    RecordGroups,
    group_value,
)
from widgetschema.audit.tally import FindingGroup, GroupKey
from widgetschema.jsontext import read
from widgetschema.pointers import resolve_pointer

Json = Any
POINTERS = ("/a", "/b")
VALUES = st.one_of(st.none(), st.booleans(), st.integers(0, 4), st.sampled_from(["a", "1", ""]))
FOUND = st.dictionaries(st.sampled_from(["/x", "/x/y", "/z"]), st.integers(1, 3), max_size=3)
RECORDS = st.lists(
    st.tuples(st.tuples(VALUES, VALUES), st.sampled_from(STATUSES), FOUND), max_size=30
)


def finding_group(path: str) -> FindingGroup:
    return FindingGroup(GroupKey("t", "type", path), path)


def count(groups: RecordGroups, records: list[Json]) -> None:
    """Count some records, as a partition does."""
    for values, status, found in records:
        keys = tuple(map(group_value, values))
        if status == "valid":
            groups.count_valid([(keys, 1)])
        else:
            groups.count(keys, status, {finding_group(path): n for path, n in found.items()})


def divided(records: list[Json], size: int, most: int) -> Json:
    """The same records in partitions, each with few groups in memory."""
    whole = RecordGroups(most=most)
    for begin in range(0, len(records), size):
        rows: list[bytes] = []
        part = RecordGroups(rows.extend, most)
        count(part, records[begin : begin + size])
        part.flush()
        whole.add_rows(reversed(rows))
    return whole.as_dicts(POINTERS)


@given(RECORDS, st.integers(1, 9), st.integers(1, 4))
def test_divisions_and_spilled_rows_change_nothing(
    records: list[Json], size: int, most: int
) -> None:
    whole = RecordGroups()
    count(whole, records)

    expected = whole.as_dicts(POINTERS)

    assert divided(records, size, most) == expected
    for by in expected:
        parts = [*by["values"], by["without"], by["other_groups"]]
        assert sum(one["records"] for one in parts) == len(records)
        statuses = Counter(status for _, status, _ in records)
        for status in STATUSES:
            assert sum(one[status] for one in parts) == statuses[status]
        for one in by["values"]:
            assert one["findings"] == one["other_mistakes"] + sum(
                mistake["findings"] for mistake in one["mistakes"]
            )


def test_those_with_most_invalid_records_are_told_of_many() -> None:
    groups = RecordGroups(most=100)
    number = MOST_GROUPS + 700
    for value in range(number):
        groups.count_valid([((group_value(value),), 2)])
    for value in range(600, number):
        groups.count([group_value(value)], "invalid", {finding_group("/x"): value})

    [by] = groups.as_dicts(["/a"])

    assert (by["groups"], by["invalid_groups"]) == (number, number - 600)
    assert [one["value"] for one in by["values"]] == [*range(number)][: -MOST_GROUPS - 1 : -1]
    assert by["other_groups"]["groups"] == 700
    assert by["other_groups"]["records"] == 1400 + 100
    assert by["other_groups"]["invalid"] == 100


def test_mistakes_that_are_too_many_are_counted_together() -> None:
    order = [*range(3 * MOST_MISTAKES)]
    told = []
    for paths in (order, order[::-1]):
        groups = RecordGroups()
        for number in paths:
            groups.count([group_value("p")], "invalid", {finding_group(f"/{number:03}"): 1})
        told.append(groups.as_dicts(["/a"]))
    assert told[0] == told[1]
    [one] = told[0][0]["values"]
    assert [mistake["path"] for mistake in one["mistakes"]] == [f"/{n:03}" for n in range(10)]
    assert one["other_mistakes"] == 3 * MOST_MISTAKES - 10


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1", "1"),
        ("1.0", "1"),
        ("1e0", "1"),
        ("-0.0", "0"),
        ('"1"', '"1"'),
        ("true", "true"),
        ("0.5", "0.5"),
        ("null", ""),
        ("[]", ""),
        ('{"a": 1}', ""),
        ('""', '""'),
        ('"\\u00e9"', '"é"'),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("1e300", "1e+300"),
        (str(int(1e300)), "1e+300"),
        ("1" * 300, f'"{"1" * 200}… (sha256 25ddec32ae6c)"'),
    ],
)
def test_keys_of_values(text: str, key: str) -> None:
    assert group_value(read(text.encode())) == key


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), None, [1], {}])
def test_what_is_no_scalar_of_json_is_without_a_value(value: Json) -> None:
    groups = RecordGroups()
    groups.count_valid([((group_value(value),), 2)])

    [by] = groups.as_dicts(["/a"])

    assert (by["groups"], by["values"], by["without"]["records"]) == (0, [], 2)


@pytest.mark.parametrize("digits", [23, 300, 400, 5000])
def test_large_numbers_keep_their_digits(digits: int) -> None:
    groups = RecordGroups()
    numbers = [10 ** (digits - 1) + 1, 10 ** (digits - 1) + 2]
    for number in numbers:
        groups.count_valid([((group_value(number),), 1)])

    told = [one["value"] for one in groups.as_dicts(["/a"])[0]["values"]]

    assert told == numbers if digits < 60 else len({*told}) == 2
    assert all(len(str(one)) < 300 for one in told)


def test_long_texts_are_told_apart() -> None:
    long = "x" * 100_000
    keys = {group_value(long), group_value(f"{long}a"), group_value(f"{long}b")}
    assert len(keys) == 3
    assert max(map(len, keys)) < 300


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
)  # fmt: skip
NAMES = st.sampled_from(["a", "b", "0", "", "é", 'q"', "~", "/", "\\"])
TEXTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4)
)


@given(TEXTS, st.lists(st.sampled_from(["", "/a", "/a/b", "/b/0", "/0", "/", "/é", '/q"', "/~0"])))
def test_a_probe_finds_what_reading_finds(value: Json, pointers: list[str]) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        raw = text.encode()
        found = value_probe(pointers)(raw)
        if found is not None:
            known = read(raw)
            expected = [resolve_pointer(known, one) for one in pointers]
            assert [*map(group_value, found)] == [*map(group_value, expected)]


def test_a_probe_reads_most_texts() -> None:
    probe = value_probe(["/a", "/b/c", "/b/d/0"])
    assert probe(b'{"x": [1], "b": {"d": [3], "c": 2}, "a": "1"}') == ("1", 2, 3)
    assert probe(b"{}") == (None, None, None)
    assert probe(b"[]") is None
    assert value_probe(['/q"'])(b"{}") is None
