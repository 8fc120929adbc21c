"""Rows of an application: the same results and counts as of the command, one row at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import widgetschema
from tests.command import run
from widgetschema import Catalog
from widgetschema.audit import RowResult, check_many

SCHEMAS: dict[str, Any] = {
    "faq": {"properties": {"data": {"type": "object", "required": ["items"]}}},
    "poll": {"properties": {"data": {"additionalProperties": {"type": "integer"}}}},
    "broken": {"type": 5},
}


@dataclass
class Row:
    key: str
    kind: Any
    data: Any


ROWS = [
    Row("a", "faq", {"items": []}),
    Row("b", "faq", {}),
    Row("c", "poll", {"x": "1", "y": "2", "z": 3}),
    Row("d", "fa", {}),
    Row("e", "broken", {}),
    Row("f", None, {}),
    Row("g", "faq", {"items": float("nan")}),
    Row("h", "poll", b'{"x": 1}'),
    Row("i", "poll", b'{"x": "1"}'),
    Row("j", "poll", b'{"x": 1'),
    Row("k", "poll", b'{"x": 1, "x": 2}'),
]


def audited(rows: Any, **options: Any) -> Any:
    return check_many(
        rows,
        **{
            "type_of": lambda row: row.kind,
            "data_of": lambda row: row.data,
            "id_of": lambda row: row.key,
            "catalog": Catalog(SCHEMAS),
            **options,
        },
    )


def test_each_row_has_a_result() -> None:
    results = list(audited(ROWS))

    assert [(one.id, one.status, len(one.report)) for one in results] == [
        ("a", "valid", 0),
        ("b", "invalid", 1),
        ("c", "invalid", 2),
        ("d", "untyped", 1),
        ("e", "untyped", 1),
        ("f", "untyped", 1),
        ("g", "invalid", 1),
        ("h", "valid", 0),
        ("i", "invalid", 1),
        ("j", "unreadable", 1),
        ("k", "unreadable", 1),
    ]
    assert [one.type_id for one in results] == [row.kind for row in ROWS]
    messages = {one.id: one.report.findings[0].message for one in results if len(one.report)}
    assert messages["d"].startswith("unknown widget type 'fa'")
    assert messages["e"].startswith("the schema of widget type 'broken' cannot be used: ")
    assert messages["f"] == "this row has no type"
    by_id = {one.id: one.report for one in results}
    assert by_id["c"] == Catalog(SCHEMAS)["poll"].check(ROWS[2].data)
    assert (by_id["i"].findings[0].line, by_id["i"].findings[0].column) == (1, 7)


def test_the_summary_counts_what_came_so_far() -> None:
    audit = audited(ROWS)
    assert audit.summary["records"] == 0
    _ = next(audit), next(audit)
    assert (audit.summary["records"], audit.summary["complete"]) == (2, False)
    for _ in audit:
        pass
    summary = audit.summary
    schemas = summary.pop("schemas")
    assert summary == {
        "records": 11,
        "valid": 2,
        "invalid": 4,
        "unreadable": 2,
        "untyped": 3,
        "findings": 10,
        "truncated": 0,
        "complete": True,
        "types": [
            {"type": "faq", "records": 3, "valid": 1, "invalid": 2, "findings": 2},
            {"type": "poll", "records": 3, "valid": 1, "invalid": 2, "findings": 3},
        ],
    }
    assert [one["id"] for one in schemas] == ["faq", "poll"]
    assert repr(audit) == "<RowAudit: 11 records so far>"


def test_the_counts_are_those_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "schemas").mkdir()
    for id, schema in SCHEMAS.items():
        (tmp_path / "schemas" / f"{id}.json").write_text(json.dumps(schema))
    rows = [{"kind": row.kind, "data": row.data} for row in ROWS[:5]]
    lines = [json.dumps({"type": row["kind"], "id": "x", "data": row["data"]}) for row in rows]
    (tmp_path / "rows.ndjson").write_text("\n".join(lines))
    folder = str(tmp_path / "schemas")
    done = run(capsys, "audit", str(tmp_path / "rows.ndjson"), "--schemas", folder, "--format=json")
    command = json.loads(done.out)
    audit = check_many(
        rows,
        type_of=lambda row: row["kind"],
        data_of=lambda row: row["data"],
        catalog=Catalog(folder),
    )
    statuses = {one.status for one in audit}

    assert statuses == {"valid", "invalid", "untyped"}
    assert {name: command[name] for name in audit.summary if name not in ("types", "schemas")} == {
        name: count for name, count in audit.summary.items() if name not in ("types", "schemas")
    }
    assert audit.summary["types"] == [
        {name: count for name, count in one.items() if name not in ("invalid_before", "mended")}
        for one in command["types"]
    ]


def test_without_a_type_a_record_is_a_document_that_names_its_own() -> None:
    wrong = '{"type": "poll",\n "data": {"x": "1"}}'
    records: list[Any] = [
        {"type": "faq", "data": {"items": []}},
        b'{"type": "faq", "data": {}}',
        wrong.encode(),
        {"type": "poll", "data": {"x": float("inf")}},
        {"type": "fa", "data": {}},
        {"type": 5, "data": {}},
        {"data": {}},
        [],
        b"{",
        b'{"type": "faq"}',
    ]
    audit = check_many(records, catalog=Catalog(SCHEMAS))
    results = list(audit)

    assert [(one.type_id, one.status) for one in results] == [
        ("faq", "valid"),
        ("faq", "invalid"),
        ("poll", "invalid"),
        ("poll", "invalid"),
        ("fa", "untyped"),
        (5, "untyped"),
        (None, "untyped"),
        (None, "untyped"),
        (None, "unreadable"),
        ("faq", "invalid"),
    ]
    located = results[2].report.findings[0]
    assert (located.path, located.line, located.column) == ("/data/x", 2, 16)
    assert results[2].report == Catalog(SCHEMAS)["poll"].check_document_json(wrong)
    assert [audit.summary[name] for name in ("valid", "invalid", "unreadable", "untyped")] == [
        1, 4, 1, 4,
    ]  # fmt: skip
    texts = check_many([wrong, "{"], catalog=Catalog(SCHEMAS), is_json=True)
    assert [one.status for one in texts] == ["invalid", "unreadable"]


def test_rows_without_data_are_checked_as_null_among_json_texts() -> None:
    catalog = Catalog(SCHEMAS)
    audit = check_many(['{"items": []}', None, "{}"], "faq", catalog=catalog, is_json=True)
    results = list(audit)

    assert [one.status for one in results] == ["valid", "invalid", "invalid"]
    assert results[1].report == catalog["faq"].check(None)
    assert audit.summary["complete"] is True
    documents = check_many([None, '{"type": "poll", "data": {}}'], catalog=catalog, is_json=True)
    assert [one.status for one in documents] == ["untyped", "valid"]


@pytest.mark.parametrize("records", ["rows.ndjson", b"{}", {"type": "faq"}], ids=type)
def test_one_record_is_no_list_of_records(records: Any) -> None:
    with pytest.raises(TypeError, match=r"must be a list of records.* to check files, call audit"):
        check_many(records)


@pytest.mark.parametrize("type_of", ["faq", None])
def test_a_str_with_json_text_that_is_not_read_gets_advice(type_of: str | None) -> None:
    text = '{"type": "faq", "data": {"items": []}}'
    results = [*check_many([text, "no"], type_of, catalog=Catalog(SCHEMAS))]
    hints = [[one.hint for one in result.report.findings] for result in results]
    assert hints[0] == ["this is JSON text: pass is_json=True to check its content"]
    assert hints[1] != hints[0]
    kind = check_many([text], catalog=Catalog(SCHEMAS), is_json=True)
    assert [result.status for result in kind] == ["valid"]


def test_one_row_is_held_at_a_time() -> None:
    alive = 0

    class Held:
        data: Any = {"items": []}  # noqa: RUF012

        def __init__(self) -> None:
            nonlocal alive
            alive += 1

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def rows() -> Iterator[Held]:
        for _ in range(1_000):
            yield Held()
            assert alive <= 2

    results = check_many(
        rows(), type_of="faq", data_of=lambda row: row.data, catalog=Catalog(SCHEMAS)
    )
    assert sum(one.status == "valid" for one in results) == 1_000
    assert results.summary["types"][0]["valid"] == 1_000


def test_without_an_id_rows_are_numbered_and_the_type_may_be_fixed() -> None:
    texts = ['{"items": []}', "{}"]
    results = check_many(texts, type_of="faq", data_of=str, is_json=True, catalog=Catalog(SCHEMAS))
    assert [(one.id, one.type_id, one.status) for one in results] == [
        (0, "faq", "valid"),
        (1, "faq", "invalid"),
    ]


def test_many_findings_are_cut() -> None:
    data = {str(number): "1" for number in range(1_500)}
    results = audited([Row("a", "poll", data)])
    (result,) = results
    assert isinstance(result, RowResult)
    assert (len(result.report), result.report.truncated) == (1_000, True)
    assert results.summary["truncated"] == 1


def test_a_type_is_looked_up_once() -> None:
    schemas = dict(SCHEMAS)
    catalog = Catalog(schemas, max_age=0.001, clock=iter(range(10_000)).__next__)
    results = audited([ROWS[0]] * 3, catalog=catalog)
    first = next(results)
    schemas["faq"] = {"not": {}}
    assert [one.status for one in results] == ["valid"] * 2
    digests = [one["digest"] for one in results.summary["schemas"]]
    assert digests == [first.report.schemas[0].digest]


def test_what_a_function_of_the_caller_raises_reaches_the_caller() -> None:
    with pytest.raises(AttributeError):
        list(audited([object()]))


def test_by_default_the_catalog_is_the_default_one() -> None:
    (result,) = check_many([{}], type_of="countdown", data_of=dict)
    assert result.report == widgetschema.check("countdown", {})
