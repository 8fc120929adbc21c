"""Audits from Python: the counts of the command, as a value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from widgetschema import Catalog, UnknownWidgetType
from widgetschema.audit import AuditProblem, Mistake, Summary, TypeCounts, audit
from widgetschema.audit.inputs.inspection import require_no_password

DATA = {
    "type": "object",
    "properties": {"items": {"items": {"type": "string"}}},
    "required": ["items"],
}
SCHEMAS: dict[str, Any] = {"faq": {"properties": {"data": DATA}}, "poll": {"type": "object"}}
RECORDS = [
    {"id": "a", "type": "faq", "owner": "ann", "data": {"items": ["x"]}},
    {"id": "b", "type": "faq", "owner": "bob", "data": {"items": [1, 2]}},
    {"id": "c", "type": "faq", "owner": "bob", "data": {}},
    {"id": "d", "type": "poll", "owner": "ann", "data": {}},
    {"id": "e", "type": "fa", "owner": "ann", "data": {}},
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "schemas").mkdir()
    for id, schema in SCHEMAS.items():
        (tmp_path / "schemas" / f"{id}.json").write_text(json.dumps(schema), encoding="utf-8")
    lines = [*map(json.dumps, RECORDS), "{"]
    (tmp_path / "records.ndjson").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def audited(files: Path, *options: Any, **more: Any) -> Summary:
    return audit(files / "records.ndjson", Catalog(files / "schemas"), *options, **more)


def test_the_summary_is_a_value(files: Path) -> None:
    summary = audited(files)
    assert (summary.records, summary.valid, summary.invalid) == (6, 2, 2)
    assert (summary.unreadable, summary.untyped, summary.findings) == (1, 1, 5)
    assert summary.types == (TypeCounts("faq", 3, 1, 2, 0, 3), TypeCounts("poll", 1, 1, 0, 0, 0))
    mistake = next(one for one in summary.mistakes if one.keyword == "type")
    assert isinstance(mistake, Mistake)
    assert (mistake.path, mistake.records, mistake.findings) == ("/data/items/*", 1, 2)
    [example] = mistake.examples
    assert (example.id, example.line, example.path) == ("b", 2, "/data/items/0")
    assert summary.exit_code == 3
    assert str(summary).startswith("6 records in 1 source: ")
    assert json.loads(summary.to_json()) == summary.as_dict()
    assert hash(summary) == hash(audited(files))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, ()),
        ({"by": ("/owner",), "examples": 1}, ("--by", "/owner", "--examples", "1")),
        ({"type_id": "faq", "kind": "document"}, ("--type", "faq", "--as", "document")),
        ({"by": "/owner"}, ("--by", "/owner")),
        ({"decode_strings": True}, ("--decode-strings",)),
        ({"id_pointer": "/owner"}, ("--id-pointer", "/owner")),
    ],
)
def test_the_json_is_that_of_the_command(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    options: dict[str, Any],
    arguments: tuple[str, ...],
) -> None:
    file, schemas = str(files / "records.ndjson"), str(files / "schemas")
    # Without the unknown type, since hints name the types that the command knows besides.
    lines = [*map(json.dumps, RECORDS[:4]), "{"]
    (files / "records.ndjson").write_text("\n".join(lines), encoding="utf-8")
    done = run(capsys, "audit", file, "--schemas", schemas, "--format=json", *arguments)
    summary = audit([file], Catalog(schemas), **options)
    assert summary.as_dict() == json.loads(done.out)
    assert summary.exit_code == done.code


def test_older_schemas_excuse_what_was_invalid_before(files: Path) -> None:
    older = {**SCHEMAS, "faq": {"properties": {"data": {**DATA, "required": []}}}}
    summary = audited(files, against=Catalog(older))
    assert (summary.invalid, summary.invalid_before) == (1, 1)


def test_a_source_that_is_missing_is_a_problem(files: Path) -> None:
    summary = audit([files / "records.ndjson", files / "none.ndjson"], Catalog(files / "schemas"))
    [problem] = summary.problems
    assert isinstance(problem, AuditProblem)
    assert (problem.file, problem.code) == (str(files / "none.ndjson"), 3)
    assert summary.records == 6


def test_an_unknown_type_of_all_records_is_an_error(files: Path) -> None:
    with pytest.raises(UnknownWidgetType):
        audited(files, type_id="fa")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data_pointer": "x"}, "data_pointer: 'x' is not a JSON Pointer to a property: write /x"),
        ({"id_pointer": ""}, "id_pointer: '' is not a JSON Pointer"),
        ({"by": ("owner",)}, "by: 'owner' is not a JSON Pointer"),
        ({"by": ("/a", "/a")}, "by: the same pointer is given twice"),
        ({"by": [f"/{number}" for number in range(9)]}, "by: at most 8 pointers"),
        ({"kind": "all"}, "kind must be one of auto, data, document, not 'all'"),
        ({"at": "x"}, "at: 'x' is not a JSON Pointer"),
        ({"partition_bytes": 0}, "partition_bytes must be at least 1, not 0"),
        ({"max_bytes": 0}, "max_bytes must be at least 1"),
        ({"examples": -1}, "examples must be at least 0, not -1"),
        ({"jobs": 0}, "jobs must be at least 1"),
        ({"data_pointer": "/x", "kind": "data"}, "data_pointer and kind exclude each other"),
        ({"table": "a"}, "^table is for databases, and no input is one$"),
        ({"query": "SELECT 1"}, "query is for databases"),
        ({"key": "a"}, "key is for databases"),
        ({"data_column": "a"}, "^data_column is for tables, and no input is one$"),
        ({"type_column": "a"}, "type_column is for tables"),
        ({"id_column": "a"}, "id_column is for tables"),
        ({"table": "a", "query": "b"}, "table and query exclude each other"),
        ({"type_column": "a", "type_id": "faq"}, "type_column is of no use"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    files: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        audited(files, **options)


@pytest.mark.parametrize(
    "sources", [b"{}", [b"{}"], {"type": "faq"}, [{"type": "faq"}], [5], 5, None]
)
def test_sources_are_names(sources: Any) -> None:
    with pytest.raises(TypeError, match=r"^sources are the names of files.* call check_many$"):
        audit(sources, Catalog(SCHEMAS))


@pytest.mark.parametrize(
    "name",
    ["postgresql://ann:s3@host/db", "postgresql:///db?pass%77ord=s3", "dbname=db password=s3"],
)
def test_passwords_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="must not hold a password") as error:
        audit(name, Catalog(SCHEMAS), table="t")
    assert "s3" not in str(error.value)


@pytest.mark.parametrize("option", ["catalog", "against"])
def test_catalogs_are_no_names(files: Path, option: str) -> None:
    options: Any = {option: "schemas"}
    with pytest.raises(TypeError, match=f"{option} must be a Catalog, not str"):
        audit(files, **options)


@pytest.mark.parametrize("name", ["postgresql://ann@[::1]:5432/db", "postgresql:///db?port=1"])
def test_addresses_without_a_password_are_not_refused(name: str) -> None:
    require_no_password(name)


def test_advice_names_parameters(files: Path) -> None:
    (files / "w.csv").write_text("id,payload\n1,2\n", encoding="utf-8")
    text = {"id": "a", "type": "faq", "data": '{"items": []}'}
    (files / "s.ndjson").write_text(json.dumps(text), encoding="utf-8")
    summary = audit([files / "w.csv", files / "s.ndjson"], Catalog(SCHEMAS))

    [problem], [mistake] = summary.problems, summary.mistakes
    assert problem.message == (
        'it has no column "data": name the column with the data by data_column; '
        "its columns are: id, payload"
    )
    assert mistake.hint == "the data is JSON in a string: pass decode_strings to check it"
    assert "--" not in str(summary)
    (files / "u.ndjson").write_text('{"id": 1, "data": "--type"}', encoding="utf-8")
    summary = audit(files / "u.ndjson", Catalog(SCHEMAS), type_pointer="/kind")
    assert summary.mistakes[0].message.startswith(
        "cannot determine the widget type: there is none at /kind; pass type_id (known: "
    )
    assert "--" not in str(summary)
    assert audit(files / "s.ndjson", Catalog(SCHEMAS), decode_strings=True).exit_code == 0
