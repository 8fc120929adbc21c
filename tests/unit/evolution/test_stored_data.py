"""Stored data held against a comparison: which change breaks a record, and which guess it confirms."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema import WidgetType
from widgetschema.evolution.compare import Change, StoredData
from widgetschema.reporters.comparison import comparison_dict, stored_text

TEXT = {"type": "string", "maxLength": 50}
ITEM = {"type": "object", "additionalProperties": False}


def widget_type(**properties: Any) -> WidgetType:
    required = [name for name in properties if name.startswith("tit")]
    schema = {"type": "object", "properties": properties, "required": required}
    return WidgetType.from_data_schema({**schema, "additionalProperties": False}, id="card")


OLD = widget_type(
    titel=TEXT,
    size={"enum": ["s", "m", "xl"]},
    tone={"enum": ["grey", "red"]},
    days={"type": "number"},
    list={"type": "array", "items": {**ITEM, "properties": {"q": TEXT}}},
)
NEW = widget_type(
    title=TEXT,
    size={"enum": ["xl"]},
    tone={"enum": ["gray", "red"]},
    days={"type": "number", "minimum": 0},
    list={"type": "array", "items": {**ITEM, "properties": {"question": TEXT}}},
)


def counted(*records: Any, is_document: bool = False) -> StoredData:
    stored = StoredData(OLD.compare(NEW))
    for record in records:
        stored.add(record, is_document=is_document)
        check = [one.check_document if is_document else one.check for one in (OLD, NEW)]
        if check[0](record).valid:
            findings = check[1](record).findings
            stored.add_broken(record, findings, is_document=is_document)
    return stored


def by_path(stored: StoredData) -> dict[str, tuple[int, int]]:
    pairs = zip(stored.comparison.changes, stored.by_change, strict=True)
    return {change.path: (one.records, len(one.projects)) for change, one in pairs if one.records}


@pytest.mark.parametrize(
    ("record", "paths"),
    [
        ({"titel": "a"}, {"/titel"}),
        ({"titel": "a", "size": "s"}, {"/titel", "/size"}),
        ({"titel": "a", "size": "xl", "tone": "grey"}, {"/titel", "/tone"}),
        ({"titel": "a", "days": -1}, {"/titel", "/days"}),
        ({"titel": "a", "list": [{}, {"q": "b"}, {"q": "c"}]}, {"/titel", "/list/*/q"}),
        ({"titel": 5}, set()),
    ],
)
def test_a_record_counts_once_for_each_change_that_breaks_it(record: Any, paths: set[str]) -> None:
    assert by_path(counted(record)) == dict.fromkeys(paths, (1, 0))


def test_documents_count_by_project() -> None:
    records = [
        {"id": f"w{number}", "projectId": f"p{number % 2}", "data": {"titel": "a", "size": "m"}}
        for number in range(5)
    ]
    stored = counted(*records, is_document=True)
    assert by_path(stored) == {"/titel": (5, 2), "/size": (5, 2)}
    assert stored.others.records == 0
    assert "/size: the values" in stored_text([stored])
    assert "no longer allowed: 5 records in 2 projects\n" in stored_text([stored])


@pytest.mark.parametrize(
    ("records", "text"),
    [
        ([{"titel": "a"}], "1 with the old name, 0 with the new one, none with both: confirmed"),
        ([{"title": "a"}], "0 with the old name, 1 with the new one, none with both"),
        (
            [{"titel": "a"}, {"titel": "a", "title": "b"}],
            "2 with the old name, 1 with the new one, 1 with both: not just renamed",
        ),
        ([{}], ""),
    ],
)
def test_stored_records_confirm_a_rename_or_refute_it(records: list[Any], text: str) -> None:
    evidence = evidence_of(counted(*records), "/titel")
    assert evidence.text == text


def test_stored_records_alone_do_not_confirm_a_rename() -> None:
    stored = StoredData(widget_type(heading=TEXT).compare(widget_type(name=TEXT)))
    stored.add({"heading": "a"}, is_document=False)
    text = "1 with the old name, 0 with the new one, none with both"
    assert evidence_of(stored, "/heading").text == text


def test_two_names_in_two_items_are_not_both_at_one_place() -> None:
    stored = counted({"list": [{"q": "a"}, {"question": "b"}]})
    assert evidence_of(stored, "/list/*/q").as_dict() == {"old": 1, "new": 1, "both": 0}


def test_values_are_only_counted() -> None:
    stored = counted({"tone": "grey"}, {"tone": "gray"}, {"tone": "gray"}, {"tone": "red"})
    assert evidence_of(stored, "/tone").text == "1 with an old value, 2 with a new one"


def test_the_counts_are_members_of_each_change() -> None:
    stored = counted({"titel": "a", "size": "m"})
    shown = comparison_dict(stored.comparison, stored)
    counts = {change["path"]: change["stored"]["records"] for change in shown["changes"]}
    assert counts == {"/titel": 1, "/size": 1, "/tone": 0, "/days": 0, "/list/*/q": 0}
    assert shown["stored_others"] == {"records": 0, "projects": 0, "evidence": None}


def test_a_finding_of_no_change_is_counted_apart() -> None:
    stored = StoredData(OLD.compare(OLD))
    stored.add_broken({}, NEW.check({}).findings, is_document=False)
    assert [(change, text) for change, text in stored.lines] == [(None, "1 record")]
    assert "not explained by a change: 1 record" in stored_text([stored])


def evidence_of(stored: StoredData, path: str) -> Any:
    [index] = [at for at, one in enumerate(stored.comparison.changes) if is_guess(one, path)]
    return stored.by_change[index].evidence


def is_guess(change: Change, path: str) -> bool:
    return change.path == path and change.guess is not None
