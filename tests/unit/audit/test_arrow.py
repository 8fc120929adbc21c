"""Checks of Arrow columns: the same verdicts as of single checks, whatever the column is like."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pytest

import widgetschema
from tests.effort import calls
from widgetschema import Catalog, UnknownWidgetType, WidgetType
from widgetschema.audit import ARROW_RESULTS, check_arrow
from widgetschema.audit.arrow import _MOST_CHECKERS
from widgetschema.jsontext import Limits

SCHEMAS: dict[str, Any] = {
    "faq": {
        "type": "object",
        "properties": {
            "data": {
                "type": "object",
                "properties": {"items": {"items": {"type": "string"}}},
                "required": ["items"],
            }
        },
    },
    "poll": {"properties": {"data": {"additionalProperties": {"type": "integer"}}}},
    "broken": {"type": 5},
}
CATALOG = Catalog(SCHEMAS)
FAQ, POLL = CATALOG["faq"], CATALOG["poll"]
TEXTS = ['{"items": []}', '{"items": ["a", 1, 2]}', None, "{", "", "null", '{"items": ["b"]}', "{}"]
SPELLINGS: dict[str, Any] = {
    "compact": lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    "spaced": json.dumps,
    "indented": lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    "sorted": lambda value: json.dumps(value, sort_keys=True),
}
VERDICTS = [True, False, None, False, False, False, True, False]


def verdicts(results: Any) -> list[bool | None]:
    """Return the verdicts of a batch, which must agree with its findings."""
    assert results.schema == ARROW_RESULTS
    results.validate(full=True)
    valid: list[bool | None] = results["valid"].to_pylist()
    numbers = [None if one is None else len(one) for one in results["findings"].to_pylist()]
    assert [None if one is None else one == 0 for one in numbers] == valid
    return valid


def test_each_row_has_a_verdict_and_findings() -> None:
    results = check_arrow(pa.array(TEXTS), FAQ)
    assert verdicts(results) == VERDICTS
    findings = results["findings"].to_pylist()
    report = FAQ.check_json(str(TEXTS[1]))
    assert [(one["path"], one["message"]) for one in findings[1]] == [
        (one.path, one.message) for one in report
    ]
    assert {one["pattern"] for one in findings[1]} == {"/items/*"}
    assert findings[1][0] == {
        "keyword": "type",
        "path": "/items/1",
        "pattern": "/items/*",
        "schema_path": report.findings[0].schema_path,
        "message": report.findings[0].message,
        "hint": report.findings[0].hint,
        "expected": '["string"]',
        "line": None,
        "column": None,
    }
    [syntax] = findings[3]
    assert (syntax["keyword"], syntax["line"], syntax["column"]) == ("json.syntax", 1, 2)


def test_hints_name_no_option_of_the_command() -> None:
    texts = [json.dumps(json.dumps({"items": []}))]
    hints = [row[0]["hint"] for row in check_arrow(pa.array(texts), FAQ)["findings"].to_pylist()]
    assert hints == ["the data is JSON in a string: decode it first"]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS, pa.string()).cast(pa.binary()),
        pa.array(TEXTS, pa.large_string()).cast(pa.large_binary()),
        pa.array(["x", *TEXTS, "y"])[1:-1],
        pa.array(TEXTS).dictionary_encode(),
        pa.array(["x", *TEXTS, "y"]).dictionary_encode()[1:-1],
        pa.DictionaryArray.from_arrays(pa.array(range(len(TEXTS))), pa.array(TEXTS)),
        pa.chunked_array([TEXTS[:3], [], TEXTS[3:]], pa.string()),
        pa.chunked_array([pa.array(TEXTS[:3]).dictionary_encode(), pa.array(TEXTS[3:]).dictionary_encode()]),
        pa.ExtensionArray.from_storage(pa.json_(), pa.array(TEXTS)),
        pa.RunEndEncodedArray.from_arrays(range(1, len(TEXTS) + 1), TEXTS),
    ],
    ids=lambda column: str(column.type),
)  # fmt: skip
def test_verdicts_do_not_depend_on_how_texts_are_held(column: Any) -> None:
    assert verdicts(check_arrow(column, FAQ)) == VERDICTS
    types = pa.array(["faq"] * len(TEXTS))
    assert verdicts(check_arrow(column, types, catalog=CATALOG)) == VERDICTS


def test_values_with_views_in_them_may_have_types_of_their_own() -> None:
    kind = pa.struct([("items", pa.list_(pa.string_view()))])
    rows = pa.array([{"items": ["a"]}, {"items": [None]}, None], kind)
    types = pa.array(["faq", "faq", "poll"])
    assert verdicts(check_arrow(rows, types, catalog=CATALOG)) == [True, False, None]


def test_a_batch_and_a_table_have_a_column() -> None:
    table = pa.table({"id": range(len(TEXTS)), "data": TEXTS, "other": ["{}"] * len(TEXTS)})
    assert verdicts(check_arrow(table, FAQ)) == VERDICTS
    assert verdicts(check_arrow(table.to_batches()[0][2:], FAQ)) == VERDICTS[2:]
    assert verdicts(check_arrow(table, FAQ, column="other")) == [False] * len(TEXTS)
    with pytest.raises(KeyError):
        check_arrow(table, FAQ, column="content")


def test_no_rows_have_no_results() -> None:
    for empty in (
        pa.array([], pa.string()),
        pa.chunked_array([], pa.string()),
        pa.array([], pa.struct([])),
    ):
        assert verdicts(check_arrow(empty, FAQ)) == []
    assert verdicts(check_arrow(pa.array([], pa.string()), pa.array([], pa.string()))) == []


def test_all_nulls_have_no_results() -> None:
    assert verdicts(check_arrow(pa.nulls(3), FAQ)) == [None] * 3
    assert verdicts(check_arrow(pa.array([None, None], pa.string()), FAQ)) == [None] * 2


def test_values_of_structs_are_checked_without_members_that_are_null() -> None:
    rows = [
        {"items": ["a"], "more": None},
        None,
        {"items": None, "more": 1},
        {"items": [None], "more": 1},
    ]
    results = check_arrow(pa.array(rows), FAQ)
    assert verdicts(results) == [True, None, False, False]
    assert [[one["path"] for one in found or ()] for found in results["findings"].to_pylist()] == [
        [], [], [""], ["/items/0"],
    ]  # fmt: skip


def test_rows_may_have_types_of_their_own() -> None:
    texts = ['{"items": []}', '{"x": "1"}', '{"x": 1}', "{}", "{}", None, '{"items": 1}', "{}"]
    ids = ["faq", "poll", "poll", "fa", "broken", "fa", "faq", None]
    expected = [True, False, True, False, False, None, True, False]
    for types in (
        pa.array(ids),
        pa.array(ids).dictionary_encode(),
        pa.array(ids, pa.string_view()),
        pa.RunEndEncodedArray.from_arrays(range(1, len(ids) + 1), ids),
        pa.chunked_array([ids[:4], ids[4:]]),
    ):
        for data in (pa.array(texts), pa.chunked_array([texts[:3], texts[3:]])):
            results = check_arrow(data, types, catalog=CATALOG)
            assert verdicts(results) == expected
    messages = [found and found[0]["message"] for found in results["findings"].to_pylist()]
    assert messages[3].startswith("unknown widget type 'fa'")
    assert messages[4].startswith("the schema of widget type 'broken' cannot be used")
    assert messages[7] == "this row has no type"
    with pytest.raises(ValueError, match="widget_type has 1 type, but data has 2 rows"):
        check_arrow(pa.array(["1", "2"]), pa.array(["faq"]))


def test_a_small_index_may_name_as_many_types_as_it_can() -> None:
    ids = pa.array(["faq", *(f"type-{number}" for number in range(127))])
    types = pa.DictionaryArray.from_arrays(pa.array([0, None, 127], pa.int8()), ids)
    results = check_arrow(pa.array(['{"items": []}'] * 3), types, catalog=CATALOG)
    assert verdicts(results) == [True, False, False]


def test_documents_are_checked_as_documents() -> None:
    document = '{"type": "faq", "data": {"items": []}}'
    texts = pa.array([document, '{"items": []}', f"[{document}]"])
    assert verdicts(check_arrow(texts, FAQ, kind="document")) == [True, False, False]
    results = check_arrow(texts, FAQ)
    assert verdicts(results) == [False, True, False]
    assert "looks like a widget document" in results["findings"].to_pylist()[0][0]["hint"]


def test_findings_are_cut_at_the_limit() -> None:
    text = json.dumps({str(number): "1" for number in range(1_500)})
    for most in (1, 7, 1_000, 2_000):
        results = check_arrow(pa.array([text]), POLL, max_findings=most)
        assert [len(one) for one in results["findings"].to_pylist()] == [min(most, 1_500)]


def test_options_that_make_no_sense_are_refused() -> None:
    column = pa.array(TEXTS)
    with pytest.raises(ValueError, match="kind must be"):
        check_arrow(column, FAQ, kind="auto")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_findings must be"):
        check_arrow(column, FAQ, max_findings=0)
    with pytest.raises(UnknownWidgetType):
        check_arrow(column, "fa", catalog=CATALOG)
    with pytest.raises(TypeError, match="have no JSON"):
        check_arrow(pa.array([1], pa.timestamp("s")), FAQ)
    with pytest.raises(TypeError, match=r"data frame with pa\.table\(frame\)"):
        check_arrow({"data": TEXTS}, FAQ)
    for data in (TEXTS, None, "{}", pa.scalar("{}")):
        with pytest.raises(TypeError, match=r"^data must be an Arrow array.* call check_many$"):
            check_arrow(data, FAQ)
    for widget_type in (None, ["faq"], 5):
        with pytest.raises(TypeError, match=r"^widget_type must be an id, a WidgetType, or an"):
            check_arrow(column, widget_type)


def test_a_column_that_is_not_there_is_named_with_those_that_are() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array(["{}"]), pa.array([1])], ["Data", "id"])
    for data, kind in ((batch, "batch"), (pa.Table.from_batches([batch]), "table")):
        with pytest.raises(KeyError) as error:
            check_arrow(data, FAQ)
        assert error.value.args[0] == (
            f'this {kind} cannot be checked: it has no column "data"; did you mean "Data"? '
            "its columns are: Data, id; pass column=NAME"
        )
        assert len(check_arrow(data, FAQ, column="Data")) == 1
    twice = pa.RecordBatch.from_arrays([pa.array(["{}"])] * 2, ["data", "data"])
    with pytest.raises(KeyError, match='this batch has 2 columns "data": rename them'):
        check_arrow(twice, FAQ)


def test_an_id_means_the_type_of_the_default_catalog() -> None:
    countdown = widgetschema.widget_type("countdown")
    texts = [json.dumps(data) for data in countdown.samples(3)]
    assert verdicts(check_arrow(pa.array([*texts, "{}"]), "countdown")) == [True] * 3 + [False]
    assert verdicts(check_arrow(pa.array(texts), pa.array(["countdown"] * 3))) == [True] * 3


def test_each_distinct_value_is_checked_once() -> None:
    plain = pa.array(['{"items": []}', "{}", None] * 1_000)
    column = plain.dictionary_encode()
    assert verdicts(check_arrow(column, FAQ)) == [True, False, None] * 1_000
    assert 10 * calls(lambda: check_arrow(column, FAQ)) < calls(lambda: check_arrow(plain, FAQ))
    assert verdicts(check_arrow(column[:1], FAQ)) == [True]  # of a dictionary, what is used


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_many_rows_have_the_verdicts_of_single_checks(spelling: str) -> None:
    countdown = widgetschema.widget_type("countdown")
    choose = random.Random(7)
    values = [*countdown.samples(300), *(case.data for case in countdown.near_misses())]
    texts = [SPELLINGS[spelling](value) for value in choose.sample(values, len(values))]
    texts += texts[:50]
    for _ in range(2):  # as first met, and after learning
        results = check_arrow(pa.array(texts), countdown)
        assert verdicts(results) == [countdown.is_valid_json(text) for text in texts]
    for found, text in zip(results["findings"].to_pylist(), texts, strict=True):
        report = countdown.check_json(text)
        assert sorted(one["path"] for one in found) == sorted(one.path for one in report)


def test_threads_and_many_types_do_not_disturb_each_other() -> None:
    def check(number: int) -> list[bool | None]:
        """Check a column by a type of its own, in any thread."""
        own = WidgetType.from_data_schema({"maximum": number}, id=f"most-{number}")
        return verdicts(check_arrow(pa.array(["1", "50", "100"] * 4), own))

    with ThreadPoolExecutor(4) as pool:
        numbers = range(_MOST_CHECKERS + 20)
        for number, found in zip(numbers, pool.map(check, numbers), strict=True):
            assert found == [number >= 1, number >= 50, number >= 100] * 4


def test_limits_are_those_of_the_type() -> None:
    small = WidgetType.from_data_schema({}, id="small", limits=Limits(max_bytes=5))
    results = check_arrow(pa.array(["[1]", "[1, 2]"] * 50), small)
    assert verdicts(results) == [True, False] * 50
    assert results["findings"].to_pylist()[1][0]["keyword"] == "json.size"
