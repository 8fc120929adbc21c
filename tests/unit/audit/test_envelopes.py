"""Records in the envelopes of other systems, and data in strings, have the same sums."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.audit.test_forms_of_input import plan_of
from tests.unit.audit.test_record_shapes import documents, run, sums
from tests.unit.audit.test_records import audited
from widgetschema import Catalog
from widgetschema.audit import audit
from widgetschema.audit.envelopes import is_empty_list, plain, unwrapped
from widgetschema.audit.plan import Settings
from widgetschema.audit.sampling import parse_sample
from widgetschema.reporters.audit import audit_text

Json = Any
ASKED = Settings(ids=True)


def extended(value: Json, *, canonical: bool) -> Json:
    """A value as mongoexport writes it."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {name: extended(item, canonical=canonical) for name, item in value.items()}
    if isinstance(value, list):
        return [extended(item, canonical=canonical) for item in value]
    if not canonical:
        return value
    if isinstance(value, float):
        return {"$numberDouble": repr(value)}
    small = -(2**31) <= value < 2**31
    return {"$numberInt" if small else "$numberLong": str(value)}


def mongo(one: Json, *, canonical: bool) -> Json:
    changed = {name: item for name, item in one.items() if name != "id"}
    return {"_id": {"$oid": one["id"]}, **extended(changed, canonical=canonical)}


def hit(one: Json) -> Json:
    """A hit of Elasticsearch, with its id around the record."""
    source = {name: item for name, item in one.items() if name != "id"}
    return {"_index": "widgets", "_id": one["id"], "_score": 1.0, "_source": source}


def event(one: Json) -> Json:
    return {"before": None, "after": one, "source": {"db": "w"}, "op": "u", "ts_ms": 1}


ENVELOPES: dict[str, tuple[Callable[[Json], Json], str, str]] = {
    "elasticsearch": (hit, "elasticsearch", ""),
    "debezium": (event, "debezium", ""),
    "debezium with schema": (lambda one: {"schema": {}, "payload": event(one)}, "debezium", ""),
    "canonical": (lambda one: mongo(one, canonical=True), "mongoexport", ""),
    "relaxed": (lambda one: mongo(one, canonical=False), "mongoexport", ""),
}


@pytest.mark.parametrize("name", ENVELOPES)
@pytest.mark.parametrize("type_id", [None, "countdown"])
def test_the_same_sums_in_each_envelope(tmp_path: Path, name: str, type_id: str | None) -> None:
    wrap, note, prefix = ENVELOPES[name]
    records = documents(5)
    asked = ASKED._replace(type_id=type_id)
    expected = run(tmp_path / "w.ndjson", records, asked)
    found = run(tmp_path / "w.ndjson", [wrap(one) for one in records], asked)
    assert sums(found, prefix) == sums(expected)
    assert found.summary["input"] == {note: len(records)}
    assert f"input: {len(records)} records are " in audit_text(found.summary)


def test_envelopes_that_are_not_taken_off(tmp_path: Path) -> None:
    records = [hit(one) for one in documents(6, 20)]
    for asked in (ASKED._replace(envelope="none"), ASKED._replace(kind="document")):
        assert run(tmp_path / "w.ndjson", records, asked).summary["valid"] == 0
    asked = ASKED._replace(data_pointer="/_source/data", type_pointer="/_source/type")
    assert run(tmp_path / "w.ndjson", records, asked).summary["valid"] > 0


def test_findings_in_an_envelope_are_where_they_are(tmp_path: Path) -> None:
    record = {"id": "w", "type": "faq", "data": {"items": [{"question": 1}]}}
    outcome = run(tmp_path / "w.ndjson", [hit(record)], ASKED._replace(findings=True))
    [finding] = outcome.findings
    assert (finding["document"], finding["path"]) == ("/_source", "/data/items/0/question")
    raw = (tmp_path / "w.ndjson").read_text()
    assert raw[finding["column"] - 1 :].startswith("1}")
    assert (finding["id"], outcome.ids) == ("w", ["w"])


def test_deletions_and_actions_are_no_records(tmp_path: Path) -> None:
    [record] = documents(7, 1)
    values = [
        {"before": {"id": 1}, "after": None, "source": {}, "op": "d"},
        {"before": None, "after": None, "source": {}, "op": "u", "updateDescription": {}},
        {"index": {"_index": "widgets", "_id": "1"}},
        record,
        {"delete": {"_index": "widgets", "_id": "2"}},
        {"update": {"_index": "widgets", "_id": "3"}},
    ]
    summary = run(tmp_path / "w.ndjson", values, ASKED).summary
    assert summary["records"] == 1
    assert summary["input"] == {"bulk_actions": 3, "changes_without_record": 1, "deletions": 1}
    assert "1 event of a change does not have its record" in audit_text(summary)


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ({"doc": {"a": 1}, "doc_as_upsert": True}, "partial update of Elasticsearch"),
        ({"script": {"source": "x"}, "upsert": {}}, "partial update of Elasticsearch"),
        ({"took": 1, "hits": {"hits": [1]}}, "write each hit on a line of its own"),
        ({"doc": {"a": 1}, "a": 1}, None),
        ({"upsert": {}}, None),
        ({"took": 1, "hits": 3}, None),
    ],
)
def test_other_values_of_elasticsearch_have_a_hint(
    tmp_path: Path, value: Json, hint: str | None
) -> None:
    outcome = run(
        tmp_path / "w.ndjson", [hit(documents(1, 1)[0]), value], ASKED._replace(findings=True)
    )
    [finding] = outcome.findings
    if hint is None:
        assert "Elasticsearch" not in (finding["hint"] or "")
    else:
        assert hint in finding["hint"]


@pytest.mark.parametrize(
    "response",
    [
        {"docs": []},
        {"took": 1, "hits": {"hits": []}},
        {"took": 1, "hits": {"total": {"value": 0}, "max_score": None, "hits": []}},
    ],
)
def test_an_empty_list_of_widgets_has_no_records(tmp_path: Path, response: Json) -> None:
    for asked in (ASKED, ASKED._replace(sample=parse_sample("1%"))):
        summary = run(tmp_path / "w.ndjson", [response], asked).summary
        assert (summary["records"], summary["sample"] and summary["sample"]["left_out"]) in (
            (0, None),
            (0, 0),
        )
    (tmp_path / "w.json").write_text(json.dumps(response, indent=1))
    assert audited(plan_of(tmp_path / "w.json")).summary["records"] == 0
    with_type = ASKED._replace(type_id="countdown")
    assert run(tmp_path / "w.ndjson", [response], with_type).summary["invalid"] == 1


@pytest.mark.parametrize(
    "value",
    [
        {"_source": {}},
        {"op": "u", "after": {}},
        {"op": 1, "source": {}, "after": {}},
        {"index": {}},
        {"index": {"_id": 1}, "more": 1},
        {"_id": "a"},
        {"_id": {"$oid": "a", "b": 1}},
        {"payload": {}},
        {"docs": [], "a": 1},
        {"hits": {"hits": []}},
        {"docs": [], "type": "a"},
        [1],
        None,
    ],
)
def test_what_only_looks_like_an_envelope_is_none(value: Json) -> None:
    assert unwrapped(value) is None
    assert not is_empty_list(value)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"$oid": "5f"}, "5f"),
        ({"$date": "2026-11-03T10:00:00Z"}, "2026-11-03T10:00:00Z"),
        ({"$date": {"$numberLong": "1565546054692"}}, "2019-08-11T17:54:14.692Z"),
        ({"$date": {"$numberLong": "-1"}}, "1969-12-31T23:59:59.999Z"),
        ({"$date": 0}, "1970-01-01T00:00:00.000Z"),
        ({"$numberInt": "-5"}, -5),
        ({"$numberLong": "9007199254740993"}, 9007199254740993),
        ({"$numberDouble": "1.5"}, 1.5),
        ({"$numberDecimal": "1E+3"}, 1000.0),
        ({"$uuid": "a-b"}, "a-b"),
        (
            {"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "04"}},
            "00010203-0405-0607-0809-0a0b0c0d0e0f",
        ),
        ({"a": [{"$numberInt": "1"}]}, {"a": [1]}),
        ({"$ref": "#/a"}, {"$ref": "#/a"}),
    ],
)
def test_extended_json_means(written: Json, meant: Json) -> None:
    unsayable: set[str] = set()
    found = plain(written, unsayable)
    assert (found, type(found), unsayable) == (meant, type(meant), set())


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ({"$numberDouble": "NaN"}, "$numberDouble"),
        ({"$numberDecimal": "Infinity"}, "$numberDecimal"),
        ({"$numberInt": "x"}, "$numberInt"),
        ({"$numberInt": 5}, "$numberInt"),
        ({"$date": {"$numberLong": "9" * 18}}, "$date"),
        ({"$binary": {"base64": base64.b64encode(b"a").decode(), "subType": "00"}}, "$binary"),
        ({"$binary": {"base64": "AAEC", "subType": "04"}}, "$binary"),
        ({"$binary": {"base64": "-", "subType": "04"}}, "$binary"),
        ({"$binary": {"subType": "04"}}, "$binary"),
        ({"$binary": "AAEC"}, "$binary"),
        ({"$minKey": 1}, "$minKey"),
        ({"$timestamp": {"t": 1, "i": 1}}, "$timestamp"),
    ],
)
def test_what_json_has_no_value_for_stays_and_is_told(
    tmp_path: Path, written: Json, name: str
) -> None:
    unsayable: set[str] = set()
    assert plain(written, unsayable) == written
    assert unsayable == {name}
    record = {"_id": {"$oid": "a"}, "type": "faq", "data": {"items": [], "x": written}}
    summary = run(tmp_path / "w.ndjson", [record], ASKED).summary
    assert summary["input"] == {"mongoexport": 1, f"without_meaning {name}": 1}


UUID = {"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "04"}}


@pytest.mark.parametrize(
    ("id", "is_certain"),
    [
        ("a", False),
        (5, False),
        ({"a": 1}, False),
        ({"$numberLong": "5"}, True),
        ({"$uuid": "a"}, True),
        (UUID, True),
    ],
)
def test_documents_of_mongoexport_may_have_any_id(
    tmp_path: Path, id: Json, is_certain: bool
) -> None:
    records = documents(9)
    expected = run(tmp_path / "w.ndjson", records, ASKED)
    written = [{"_id": id, **extended(one, canonical=True)} for one in records]
    forced = ASKED._replace(envelope="mongoexport")
    for asked in (forced, *([ASKED] if is_certain else [])):
        found = run(tmp_path / "w.ndjson", written, asked)
        assert sums(found) == sums(expected)
        assert found.summary["input"] == {"mongoexport": len(records)}
    for asked in (ASKED._replace(kind="document"), ASKED._replace(data_pointer="/data")):
        plainly = run(tmp_path / "w.ndjson", records, asked)
        found = run(tmp_path / "w.ndjson", written, asked._replace(envelope="mongoexport"))
        assert sums(found)[0] == sums(plainly)[0]


def test_values_of_mongoexport_have_a_hint_if_nothing_else_tells(tmp_path: Path) -> None:
    record = {"_id": "a", "type": "poll", "data": {"x": {"$numberInt": "5"}, "y": "1"}}
    schema = {"properties": {"data": {"additionalProperties": {"type": "integer"}}}}
    (tmp_path / "w.ndjson").write_text(json.dumps(record), encoding="utf-8")
    catalog = Catalog({"poll": schema})
    hints = {one.path: one.hint for one in audit(tmp_path / "w.ndjson", catalog).mistakes}
    assert hints["/data/x"] == (
        'this is Extended JSON of MongoDB: pass envelope="mongoexport" to read it'
    )
    assert "MongoDB" not in (hints["/data/y"] or "")
    forced = audit(tmp_path / "w.ndjson", catalog, envelope="mongoexport")
    assert [one.path for one in forced.mistakes] == ["/data/y"]


@pytest.mark.parametrize("canonical", [True, False])
def test_events_of_mongodb_have_records_in_strings(tmp_path: Path, canonical: bool) -> None:
    records = documents(10)
    written = [
        event(one) | {"after": json.dumps(mongo(one, canonical=canonical))} for one in records
    ]
    found = run(tmp_path / "w.ndjson", written, ASKED._replace(decode_strings=True))
    assert sums(found) == sums(run(tmp_path / "w.ndjson", records, ASKED))
    assert found.summary["input"] == {"debezium": len(records), "mongoexport": len(records)}

    for asked in (ASKED, ASKED._replace(type_id="countdown")):
        plainly = run(tmp_path / "w.ndjson", written, asked).summary
        assert plainly["valid"] == 0
        assert {one["hint"] for one in plainly["places"]} == {
            "the data is JSON in a string: pass --decode-strings to check it"
        }
    broken = [event({}) | {"after": "{"}]
    summary = run(tmp_path / "w.ndjson", broken, ASKED._replace(decode_strings=True)).summary
    assert (summary["unreadable"], summary["records"]) == (1, 1)
    assert "/after" in json.dumps(summary["places"])


def test_strings_that_hold_strings_are_encoded_twice(tmp_path: Path) -> None:
    asked = ASKED._replace(decode_strings=True)
    record = {"type": "countdown", "data": json.dumps(json.dumps({"content": {}}))}
    for value in (record, json.dumps(json.dumps(record))):
        [place] = run(tmp_path / "w.ndjson", [value], asked).summary["places"]
        assert place["hint"] == (
            "the data is encoded twice: the string that was read holds JSON in a string"
        )


def test_strings_may_hold_whole_records(tmp_path: Path) -> None:
    records = documents(11)
    asked = ASKED._replace(decode_strings=True)
    expected = run(tmp_path / "w.ndjson", records, asked)
    found = run(tmp_path / "w.ndjson", [json.dumps(one) for one in records], asked)
    assert sums(found) == sums(expected)
    extended_json = [json.dumps({"_id": "a", **extended(one, canonical=True)}) for one in records]
    forced = run(tmp_path / "w.ndjson", extended_json, asked._replace(envelope="mongoexport"))
    assert sums(forced) == sums(expected)
    data: Json = {"content": {}, "settings": {}, "styles": {}}
    several = [[json.dumps(data), json.dumps(data)]]
    found = run(tmp_path / "w.ndjson", several, asked._replace(type_id="countdown"))
    assert (found.summary["records"], found.summary["valid"]) == (2, 2)


def test_data_in_strings(tmp_path: Path) -> None:
    records = documents(8)
    expected = run(tmp_path / "w.ndjson", records, ASKED)
    strings = [{**one, "data": json.dumps(one["data"])} for one in records]
    found = run(tmp_path / "w.ndjson", strings, ASKED._replace(decode_strings=True))
    assert sums(found) == sums(expected)
    objects = [one for one in strings if one["data"].startswith("{")]
    for place in run(tmp_path / "w.ndjson", objects, ASKED).summary["places"]:
        assert place["hint"] == "the data is JSON in a string: pass --decode-strings to check it"
    pointers = ASKED._replace(decode_strings=True, data_pointer="/data")
    assert sums(run(tmp_path / "w.ndjson", strings, pointers))[0] == sums(expected)[0]
    broken = [{**strings[0], "data": "{"}, *strings[1:]]
    summary = run(tmp_path / "w.ndjson", broken, ASKED._replace(decode_strings=True)).summary
    assert (summary["unreadable"], summary["records"]) == (1, len(records))
