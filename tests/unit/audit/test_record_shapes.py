"""Records of other shapes give the sums of the same widgets as documents."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.unit.audit.test_records import Outcome, audited, catalog, plan_for
from widgetschema.audit.auditor import Auditor
from widgetschema.audit.plan import Settings
from widgetschema.catalog.widget_type import WidgetType

Json = Any


def documents(seed: int, number: int = 200) -> list[Json]:
    """Widget documents of two types, most of them valid."""
    chance = random.Random(seed)
    countdown = catalog()["countdown"]
    samples = [*countdown.samples(20)]
    wrong = [case.data for case in countdown.near_misses()][::9]
    result: list[Json] = []
    for index in range(number):
        about = {"id": f"w{index}", "updated": f"2026-11-{1 + index % 28:02}"}
        if chance.random() < 0.2:
            items = [{"question": chance.choice(["a", "b", 3])}]
            result.append({**about, "type": "faq", "data": {"items": items}})
        else:
            data = chance.choice(wrong if chance.random() < 0.1 else samples)
            result.append({**about, "type": "countdown", "data": data})
    return result


def run(file: Path, records: list[Json], asked: Settings) -> Outcome:
    """The outcome of records, one a line."""
    file.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in records))
    size = file.stat().st_size
    return audited(plan_for(file, range(0, size, max(1, size // 3)), asked))


def sums(outcome: Outcome, prefix: str = "") -> Json:
    """All that does not depend on the shape of a record; `prefix` leads to what is a document."""
    summary = outcome.summary
    counts = {name: summary[name] for name in ("records", "valid", "invalid", "untyped", "types")}
    places = [
        (one["type"], one["keyword"], one["path"].removeprefix(prefix), one["findings"])
        for one in summary["places"]
    ]
    return counts, sorted(places), summary["dates"], outcome.ids


def nested(one: Json) -> Json:
    """A record of events, with the type beside the data."""
    return {
        "op": "u",
        "key": {"$oid": one["id"]},
        "meta": {"type": one["type"], "at": one["updated"]},
        "after": {"data": one["data"], "more": [{"a": 1}]},
    }


def flat(one: Json) -> Json:
    """A row of a table, with other names."""
    return {"pk": one["id"], "kind": one["type"], "at": one["updated"], "body": one["data"]}


SHAPES: list[tuple[Callable[[Json], Json], Settings, str]] = [
    (
        nested,
        Settings(
            type_pointer="/meta/type",
            data_pointer="/after/data",
            id_pointer="/key/$oid",
            date_pointer="/meta/at",
            ids=True,
        ),
        "/after",
    ),
    (
        flat,
        Settings(
            type_pointer="/kind",
            data_pointer="/body",
            id_pointer="/pk",
            date_pointer="/at",
            ids=True,
        ),
        "",
    ),
]


@pytest.mark.parametrize(("shape", "asked", "prefix"), SHAPES, ids=["nested", "flat"])
def test_pointers_lead_to_the_same_sums(
    tmp_path: Path, shape: Callable[[Json], Json], asked: Settings, prefix: str
) -> None:
    for seed in range(3):
        records = documents(seed)
        expected = run(tmp_path / "w.ndjson", records, Settings(ids=True))
        found = run(tmp_path / "w.ndjson", [shape(one) for one in records], asked)
        counts, places, dates, ids = sums(expected)
        if prefix == "":
            places = [(*one[:2], one[2].replace("/data", "/body", 1), one[3]) for one in places]
        assert sums(found, prefix) == (counts, places, dates, ids)


@pytest.mark.parametrize(("shape", "asked", "prefix"), SHAPES, ids=["nested", "flat"])
def test_most_records_take_the_fast_path(
    tmp_path: Path, shape: Callable[[Json], Json], asked: Settings, prefix: str
) -> None:
    data = [*catalog()["countdown"].samples(20)]
    record = {"id": "a", "updated": "2026-11-03", "type": "countdown"}
    records = [shape({**record, "data": data[index % 20]}) for index in range(2000)]
    file = tmp_path / "w.ndjson"
    file.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in records))
    auditor = Auditor(plan_for(file, [], asked), block_bytes=4096)
    checked = 0
    check = auditor._records.results

    def counted(value: Json) -> Any:
        """Count what the filter of lines leaves."""
        nonlocal checked
        checked += 1
        return check(value)

    auditor._records.results = counted  # type: ignore[method-assign]
    auditor.audit(0)
    assert 0 < checked < 500


def test_findings_say_where_they_are_in_the_record(tmp_path: Path) -> None:
    record = nested({"id": "w", "type": "faq", "updated": "", "data": {"items": [{"question": 1}]}})
    asked = SHAPES[0][1]._replace(findings=True)
    outcome = run(tmp_path / "w.ndjson", [record], asked)
    [finding] = outcome.findings
    assert finding["path"] == "/after/data/items/0/question"
    assert finding["column"] == orjson.dumps(record).index(b"1}]") + 1
    assert outcome.ids == ["w"]


@pytest.mark.parametrize(
    ("record", "keyword", "path"),
    [
        ({"meta": {"type": "faq"}}, "required", ""),
        ({"meta": {"type": "faq"}, "after": None}, "type", "/after"),
        ({"meta": {"type": "faq"}, "after": {}}, "required", "/after"),
        ({"meta": {"type": 7}, "after": {"data": {}}}, "document.type", "/meta/type"),
        ({"meta": {}, "after": {"data": {}}}, "problem.type", ""),
        ({"meta": {"type": "fax"}, "after": {"data": {}}}, "document.type", "/meta/type"),
    ],
)
def test_a_record_without_data_or_type_is_not_passed_over(
    tmp_path: Path, record: Json, keyword: str, path: str
) -> None:
    outcome = run(tmp_path / "w.ndjson", [record] * 100, SHAPES[0][1]._replace(findings=True))
    assert outcome.summary["valid"] == 0
    assert {(one["keyword"], one["path"]) for one in outcome.findings} == {(keyword, path)}


def test_a_pointer_into_an_array_is_said_to_lead_nowhere(tmp_path: Path) -> None:
    asked = Settings(type_id="faq", data_pointer="/a/0", findings=True)
    outcome = run(tmp_path / "w.ndjson", [{"a": [{"items": []}]}], asked)
    [finding] = outcome.findings
    assert (finding["keyword"], finding["path"]) == ("type", "/a")
    assert finding["hint"].startswith("--data-pointer leads through objects only: '0' is the name")


def test_a_type_that_is_named_deep_in_bare_data_is_no_data(tmp_path: Path) -> None:
    type_: WidgetType = catalog()["countdown"]
    records = [{"meta": {"type": "countdown"}, **one} for one in type_.samples(100)]
    outcome = run(tmp_path / "w.ndjson", records, Settings(type_pointer="/meta/type"))
    assert outcome.summary["valid"] == 100
    records[3] = {**records[3], "meta": {"kind": "countdown"}}
    records[4] = {**records[4], "meta": {"type": "faq"}}
    outcome = run(tmp_path / "w.ndjson", records, Settings(type_pointer="/meta/type"))
    assert (outcome.summary["valid"], outcome.summary["records"]) == (98, 100)


def test_two_members_of_one_name_lead_to_data_of_documents_in_documents() -> None:
    validator = catalog()["faq"].validator_at("/data/data")
    assert validator.is_valid({"data": {"data": {"items": []}}})
    [finding] = validator.check({"data": {"data": {"items": 3}}})
    assert finding.path == "/data/data/items"
    assert not validator.is_valid({"data": {"items": []}})
