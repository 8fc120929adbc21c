"""Records whose document is inside them, and data in strings, have the same sums."""

from __future__ import annotations

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
from widgetschema.audit.plan import Settings
from widgetschema.audit.reporters.summary import audit_text
from widgetschema.audit.sampling import parse_sample

Json = Any
ASKED = Settings(ids=True)


def event(document: Json) -> Json:
    return {"before": None, "after": document, "source": {"db": "w"}, "op": "u"}


WRAPPED: dict[str, tuple[Callable[[Json], Json], str]] = {
    "an event of Debezium": (event, "/after"),
    "an event with its schema": (lambda one: {"payload": event(one)}, "/payload/after"),
    "a hit of Elasticsearch": (lambda one: {"_id": 1, "_source": one}, "/_source"),
    "a name with a slash": (lambda one: {"a/b": one}, "/a~1b"),
    "an item of an array": (lambda one: {"versions": [None, one]}, "/versions/1"),
}


@pytest.mark.parametrize("name", WRAPPED)
@pytest.mark.parametrize("type_id", [None, "countdown"])
def test_the_same_sums_wherever_the_document_is(
    tmp_path: Path, name: str, type_id: str | None
) -> None:
    wrap, at = WRAPPED[name]
    records = documents(5)
    asked = ASKED._replace(type_id=type_id, by=("/type",), sample=parse_sample("50%"))
    expected = run(tmp_path / "w.ndjson", records, asked)
    found = run(tmp_path / "w.ndjson", [wrap(one) for one in records], asked._replace(at=at))
    assert sums(found) == sums(expected)
    assert found.summary["by"] == expected.summary["by"]
    assert run(tmp_path / "w.ndjson", [wrap(one) for one in records], asked).summary["valid"] == 0


@pytest.mark.parametrize(
    "asked",
    [{"kind": "document"}, {"data_pointer": "/data"}, {"kind": "data", "at": "/after/data"}],
)
def test_other_options_begin_at_the_document(tmp_path: Path, asked: Json) -> None:
    settings = ASKED._replace(type_id="countdown")._replace(at="/after")._replace(**asked)
    records = [one for one in documents(6) if one["type"] == "countdown"]
    found = run(tmp_path / "w.ndjson", [event(one) for one in records], settings)
    plainly = run(tmp_path / "w.ndjson", records, ASKED._replace(type_id="countdown"))
    assert found.summary["valid"] == plainly.summary["valid"] > 0


def test_findings_are_where_they_are(tmp_path: Path) -> None:
    record = {"id": "w", "type": "faq", "data": {"items": [{"question": 1}]}}
    asked = ASKED._replace(at="/after", findings=True, quarantine=True)
    outcome = run(tmp_path / "w.ndjson", [event(record)], asked)
    [finding] = outcome.findings
    assert (finding["document"], finding["path"]) == ("/after", "/data/items/0/question")
    raw = (tmp_path / "w.ndjson").read_text()
    assert raw[finding["column"] - 1 :].startswith("1}")
    assert (finding["id"], outcome.ids) == ("w", ["w"])


def test_null_is_no_document_and_nothing_is_a_mistake(tmp_path: Path) -> None:
    [record] = documents(7, 1)
    values = [event(None), event(record), record, [event(record)], 3]
    summary = run(tmp_path / "w.ndjson", values, ASKED._replace(at="/after")).summary
    assert (summary["records"], summary["unreadable"]) == (4, 3)
    assert summary["input"] == {"without_document": 1}
    assert "1 record has null where its document would be" in audit_text(summary)
    assert {place["message"] for place in summary["places"]} >= {
        "this record has nothing at /after"
    }
    (tmp_path / "w.json").write_text(json.dumps(values, indent=1))
    whole = audited(plan_of(tmp_path / "w.json", ASKED._replace(at="/after"))).summary
    assert (whole["records"], whole["unreadable"]) == (4, 3)


def test_at_in_python_begins_with_a_slash(tmp_path: Path) -> None:
    (tmp_path / "w.ndjson").write_text(json.dumps(event({"type": "poll", "data": {"x": "1"}})))
    catalog = Catalog({"poll": {"properties": {"data": {"properties": {"x": {"type": "null"}}}}}})
    assert [one.path for one in audit(tmp_path / "w.ndjson", catalog, at="/after").mistakes] == [
        "/data/x"
    ]
    [place] = audit(tmp_path / "w.ndjson", catalog, at="/before/x").mistakes
    assert (place.message, place.hint) == (
        "this record has nothing at /before/x",
        "at says that the document of a record is there",
    )
    with pytest.raises(ValueError, match="at: 'after' is not a JSON Pointer"):
        audit(tmp_path / "w.ndjson", catalog, at="after")


@pytest.mark.parametrize("asked", [{}, {"sample": parse_sample("1%")}])
def test_an_empty_list_of_widgets_has_no_records(tmp_path: Path, asked: Json) -> None:
    settings = ASKED._replace(**asked)
    summary = run(tmp_path / "w.ndjson", [{"docs": []}], settings).summary
    assert (summary["records"], summary["sample"] and summary["sample"]["left_out"]) in (
        (0, None),
        (0, 0),
    )
    (tmp_path / "w.json").write_text(json.dumps({"docs": []}, indent=1))
    assert audited(plan_of(tmp_path / "w.json")).summary["records"] == 0
    with_type = ASKED._replace(type_id="countdown")
    assert run(tmp_path / "w.ndjson", [{"docs": []}], with_type).summary["invalid"] == 1


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
    events = [event(json.dumps(one)) for one in records]
    for sample in (None, parse_sample("100%")):
        there = asked._replace(at="/after", sample=sample)
        assert sums(run(tmp_path / "w.ndjson", events, there))[0] == sums(expected)[0]
        summary = run(tmp_path / "w.ndjson", [event("{"), *events], there).summary
        assert (summary["unreadable"], summary["records"]) == (1, len(records) + 1)
        assert "/after" in json.dumps(summary["places"])
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
