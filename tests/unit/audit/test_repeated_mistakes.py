"""Mistakes that many records have: the same sums as if each record were the first of an audit."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.soundness import instance_of, whole_schema
from widgetschema import Catalog, SchemaError
from widgetschema.audit.auditor import Auditor
from widgetschema.audit.collector import Collector
from widgetschema.audit.inputs.sources import Block
from widgetschema.audit.partition_result import joined
from widgetschema.audit.plan import Plan, Settings, plan_sources

SETTINGS = Settings(type_id="a", kind="data", date_pointer="/day")
PAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "parts"],
    "properties": {
        "title": {"type": "string", "maxLength": 5},
        "parts": {"type": "object", "properties": {"size": {"enum": ["s", "l"]}, "name": {}}, "required": ["name"]},
        "any": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "day": {},
    },
}  # fmt: skip
GOOD = {"title": "a", "parts": {"size": "s", "name": ""}}


def summary(
    folder: Path,
    schema: Any,
    settings: Settings,
    portions: Sequence[Sequence[bytes]],
    *,
    anew: bool,
) -> bytes:
    """Sum up what an auditor finds in portions of a file, or one for each that knows nothing."""
    file = folder / "records.jsonl"
    file.write_bytes(b"".join(line + b"\n" for portion in portions for line in portion))
    sources, partitions, problems = plan_sources([str(file)])
    assert (problems, len(partitions)) == ([], 1)

    def plan() -> Plan:
        return Plan(settings, Catalog([{"a": schema}]), tuple(sources), tuple(partitions))

    auditor, whole = Auditor(plan()), plan()
    parts, number = [], 0
    for portion in portions:
        if anew:
            auditor = Auditor(plan())
        block = Block([*portion], number + 1, stored=1)
        parts.append(auditor.audit_blocks(0, [block], (number, number)))
        number += len(portion)
    collector = Collector(whole)
    collector.add(joined(parts, settings.examples))
    return json.dumps(collector.summary()).encode()


def assert_same_sums(folder: Path, schema: Any, records: Sequence[Any], rnd: random.Random) -> None:
    """Compare audits of some records, in several portions, with those that know nothing."""
    lines = [json.dumps(record).encode() for record in records]
    for examples in (0, 3):
        settings = SETTINGS._replace(examples=examples)
        expected = summary(folder, schema, settings, [[line] for line in lines], anew=True)
        cuts = sorted(rnd.choices(range(len(lines) + 1), k=2))
        some = [lines[: cuts[0]], lines[cuts[0] : cuts[1]], lines[cuts[1] :]]
        for portions in ([lines], [[line] for line in lines], [one for one in some if one]):
            assert summary(folder, schema, settings, portions, anew=False) == expected


TITLES: list[Any] = [1, 2, None, [], {"a": 1}, "a", 3]
MISTAKES: dict[str, list[Any]] = {
    "a missing member": [{"parts": {"name": 1}}],
    "a missing member, and a similar one": [{"Title": "a", "parts": {"name": 1}}, {"parts": {"name": 1}}],
    "a missing member of an open object": [
        {"title": "a", "parts": {"size": "s"}},
        {"title": "a", "parts": {"nam": 1}},
        {"title": "a", "parts": {"other": 1}},
    ],
    "a type, by value": [{**GOOD, "title": title} for title in TITLES],
    "JSON in a string": [{"title": "a", "parts": parts} for parts in (1, "x", '{"name": 1}', " [1]")],
    "listed values": [{**GOOD, "parts": {"name": 1, "size": size}} for size in ("S", "m", 1, "s")],
    "a limit": [{**GOOD, "title": title} for title in ("abcdef", "a" * 3000, "a")],
    "days": [{"parts": {"name": 1}, "day": day} for day in ("2026-11-03", "2026-11-04T10:00:00Z", 5)],
    "ids, and a record": [{"parts": {"name": 1}, "id": "x"}, {"parts": {"name": 1}, "projectId": 1}],
    "a value of another kind": [[], {}, 1, [{"parts": {}}], {"data": {"parts": {"name": 1}}}],
    "two at once": [{"parts": {}}, {"parts": {"name": 1}}, {"title": 1, "parts": {}}],
    "another schema": [{"parts": {"name": 1}, "$schema": "https://example.com/x"}, {"parts": {"name": 1}}],
}  # fmt: skip


@pytest.mark.parametrize("name", list(MISTAKES))
def test_sums_of_records_with_one_mistake(name: str, tmp_path: Path) -> None:
    records = [record for record in MISTAKES[name] for _ in range(12)]
    assert_same_sums(tmp_path, PAGE, [*records, GOOD, *records[::-1]], random.Random(1))


def test_sums_of_records_with_any_mistakes(tmp_path: Path) -> None:
    rnd = random.Random(2)
    every = [record for records in MISTAKES.values() for record in records]
    assert_same_sums(tmp_path, PAGE, [rnd.choice(every) for _ in range(100)], rnd)
    for name in ("a missing member", "a type, by value", "days"):
        some = [*MISTAKES[name], *every]
        weights = [len(every)] * len(MISTAKES[name]) + [1] * len(every)
        assert_same_sums(tmp_path, PAGE, rnd.choices(some, weights, k=40), rnd)


@given(st.integers(0, 2**32))
def test_sums_of_random_records(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rnd = random.Random(seed)
    schema = whole_schema(rnd)
    instances = [instance_of(rnd, schema, schema) for _ in range(6)]
    records = [rnd.choice(instances[:3]) if rnd.random() < 0.7 else rnd.choice(instances) for _ in range(40)]  # fmt: skip
    try:
        assert_same_sums(tmp_path_factory.mktemp("audit"), schema, records, rnd)
    except SchemaError:
        return
