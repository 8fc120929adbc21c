"""Results of an audit are those of `validate`, however records are divided."""

from __future__ import annotations

import codecs
import html
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import widgetschema
from tests.effort import scaled
from widgetschema.audit.auditor import Auditor
from widgetschema.audit.collector import MAX_PROBLEMS, Collector
from widgetschema.audit.inputs.sources import Source, Span
from widgetschema.audit.page import render
from widgetschema.audit.page.views import verdict
from widgetschema.audit.partition_result import PartitionResult, with_wildcards
from widgetschema.audit.plan import Plan, Settings
from widgetschema.audit.reporters.summary import audit_text
from widgetschema.audit.summary import exit_code
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import bundled
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import Limits, read
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.locations import UnlocatedResult
from widgetschema.project.checking.results import MOST_FINDINGS, DocumentResult, Problem
from widgetschema.project.inputs.model import Text

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "audit.md"
FAQ = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "properties": {"data": {"$ref": "#/definitions/Data"}},
    "definitions": {
        "Data": {
            "type": "object",
            "required": ["items"],
            "properties": {
                "items": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"question": {"type": "string"}}},
                },
                "open": {"type": "boolean"},
            },
        }
    },
}
MAP = {"properties": {"data": {"type": "object", "additionalProperties": {"type": "integer"}}}}
LIST = {"properties": {"data": {"type": ["array", "string", "null"]}}}
BROKEN = {"properties": {"data": {"type": "nothing"}}}
TYPES = {"faq": FAQ, "map": MAP, "list": LIST, "broken": BROKEN}


@cache
def catalog() -> Catalog:
    return Catalog([bundled(), TYPES])


def compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


class Pool(NamedTuple):
    """Lines of every sort, by what is most of the file."""

    data: tuple[bytes, ...]
    documents: tuple[bytes, ...]
    faqs: tuple[bytes, ...]
    odd: tuple[bytes, ...]


@cache
def pool() -> Pool:
    countdown = widgetschema.widget_type("countdown")
    data = list(countdown.samples(30))
    documents = [countdown.as_document(one, str(index)) for index, one in enumerate(data)]
    wrong = [case.data for case in countdown.near_misses()][::9]
    about = {"id": "f", "type": "faq", "updated": "2026-11-03T09:00:00Z"}
    faqs = [{**about, "data": {"items": [{"question": "é"}] * n}} for n in range(4)]
    record = {name: value for name, value in documents[0].items() if name != "data"}
    odd: list[Any] = [
        *wrong,
        *(countdown.as_document(data[0], "w") | {"data": one} for one in wrong[:6]),
        {**about, "data": {"items": [{"question": 1}, {}, {"question": None}], "open": 0}},
        {**about, "data": {"items": [], "more": {"docs": [1]}}},
        {**about, "data": {}, "docs": [], "total": 0},
        {**about, "data": {"items": []}, "docs": documents[:1]},
        {"docs": [documents[0], {**documents[1], "data": 1}, record], "total": 3},
        {"total": 0, "docs": []},
        [documents[0], {**documents[1], "data": {}}, 7],
        [],
        [1],
        [record],
        record,
        {**documents[2], "type": "unknown"},
        {**documents[2], "type": "broken"},
        {**documents[2], "type": 7},
        {name: value for name, value in documents[3].items() if name != "type"},
        {"$schema": "./countdown.json", **data[0]},
        {"$schema": "./countdown.json", **wrong[0]},
        {"$schema": "./faq.json", **documents[0]},
        {"data": data[0]},
        {"data": {"items": []}, "status": "draft"},
        {name: data[0][name] for name in reversed(data[0])},
        {name: documents[0][name] for name in reversed(documents[0])},
        {**data[0], "é\u2028": "\u2028\u0085"},
        {**documents[0], "id": 10**30},
        {**documents[0], "id": -1.5, "data": {"content": {"a/b~1": 1, "0": 2}}},
        None,
        "text",
        1e5,
    ]
    texts = [
        b'{"content":{},"content":{},"settings":{},"styles":{}}',
        b'{"content": {}, "settings": {}, "styles": {"skinId": 1e400}}',
        b'{"content":{},"settings":{},"styles":{"skinId":1.0}}',
        b'{"\\u0063ontent":{},"settings":{},"styles":{}}',
        b'{"content":{"postTitle":"\\ud800"},"settings":{},"styles":{}}',
        b'{"content":{"postTitle":"\xff"},"settings":{},"styles":{}}',
        b'{"content":{},"settings":{},"styles":{}} x',
        b"[" * 300 + b"]" * 300,
        b'{"id":"w","type":"countdown","type":"faq","data":{"items":[]}}',
        b"{",
        b"nul",
        b"\xef\xbb\xbf{}",
        b"",
        b"  \t ",
        b"",
    ]
    spaced = [json.dumps(one).encode() for one in (data[1], documents[1], wrong[1])]
    return Pool(
        tuple(map(compact, data)),
        tuple(map(compact, documents)),
        tuple(map(compact, faqs)),
        (*map(compact, odd), *texts, *spaced),
    )


def mixture(seed: int, number: int = 150) -> list[bytes]:
    """Lines of which most are alike, so that the lanes are on, and some are not."""
    chance = random.Random(seed)
    most = [chance.choice(pool()[:3]) for _ in range(2)]
    odd = chance.choice([0.02, 0.2, 0.9])
    return [
        chance.choice(pool().odd if chance.random() < odd else chance.choice(most))
        for _ in range(chance.choice([3, number]))
    ]


def plan_for(path: Path, cuts: Sequence[int], asked: Settings, **more: Any) -> Plan:
    """A plan of one file of lines, whose partitions begin at the cuts."""
    size = path.stat().st_size
    edges = sorted({0, size, *(cut for cut in cuts if 0 < cut < size)})
    spans = [Span(0, start, end) for start, end in itertools.pairwise(edges)]
    partitions = tuple((span,) for span in spans) or ((Span(0, 0, size),),)
    return Plan(asked, catalog(), (Source("w.ndjson", str(path), size),), partitions, **more)


class Outcome(NamedTuple):
    """All that comes of an audit."""

    summary: dict[str, Any]
    findings: list[dict[str, Any]]
    ids: list[str]
    text: str


def collected(plan: Plan, results: Sequence[PartitionResult]) -> Outcome:
    collector = Collector(plan)
    texts: list[str] = []
    ids: list[str] = []
    for result in results:
        collector.add(result)
        texts += collector.finding_lines(result)
        ids += collector.id_lines(result)
    text = "".join(texts)
    assert text.endswith("\n") or not text
    found = [json.loads(line) for line in text.split("\n")[:-1]]
    return Outcome(collector.summary(), found, "".join(ids).split("\n")[:-1], text)


def audited(plan: Plan, block_bytes: int = 4096) -> Outcome:
    auditor = Auditor(plan, block_bytes=block_bytes)
    return collected(plan, [auditor.audit(number) for number in range(len(plan.partitions))])


ASKED = [
    Settings("countdown", kind="auto"),
    Settings("countdown", kind="data"),
    Settings("countdown", kind="document"),
    Settings("list", kind="auto"),
    Settings("map", kind="auto"),
    Settings(None, kind="auto"),
    Settings(None, kind="document"),
    Settings(None, kind="data"),
    Settings(None, kind="auto", type_pointer="/status"),
    Settings("broken"),
]
ASKED = [one._replace(findings=True, ids=True) for one in ASKED]


class Expected(NamedTuple):
    """The answers of `validate` for each line."""

    sorts: Counter[str]
    types: Counter[tuple[str, str]]
    findings: list[tuple[Any, ...]]


def oracle(lines: Sequence[bytes], asked: Settings) -> Expected:
    """Return the answers of the checker, line by line, without anything that an audit does.

    A byte order mark at the beginning is one of the file: an audit skips it, and says so.
    """
    checker = Checker(
        catalog(), type_id=asked.type_id, kind=asked.kind, type_pointer=asked.type_pointer
    )
    sorts: Counter[str] = Counter()
    types: Counter[tuple[str, str]] = Counter()
    found: list[tuple[Any, ...]] = []
    for number, line in enumerate([lines[0].removeprefix(codecs.BOM_UTF8), *lines[1:]], 1):
        if not line.strip():
            continue
        try:
            value = read(line)
        except UnreadableDocument as error:
            sorts["unreadable"] += 1
            found += [
                (number, "", asked.type_id, one.keyword, one.path, one.message)
                for one in error.report
            ]
            continue
        for result in checker.check_value("", value):
            if isinstance(result, Problem):
                sorts["untyped"] += 1
                at = (number, result.pointer, None, result.keyword, "", result.message)
                found.append(at)
                continue
            checked = result.document
            sort = "invalid" if result.findings else "valid"
            if checked.type_id is None:
                sorts["untyped"] += 1
            else:
                sorts[sort] += 1
                types[str(checked.type_id), sort] += 1
            found += [
                (number, checked.pointer, checked.type_id, one.keyword, one.path, one.message)
                for one in result.findings
            ]
    return Expected(sorts, types, found)


NAMES = ("line", "document", "type", "keyword", "path", "message")


@settings(
    max_examples=scaled(30),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(0, 2**32),
    asked=st.sampled_from(ASKED),
    cuts=st.lists(st.integers(1, 100_000), max_size=4),
    block_bytes=st.sampled_from([50, 3_000, 100_000]),
)
@example(seed=26, asked=ASKED[1], cuts=[], block_bytes=50)  # begins with a byte order mark
def test_an_audit_says_what_validate_says(
    tmp_path: Path, seed: int, asked: Settings, cuts: list[int], block_bytes: int
) -> None:
    lines = mixture(seed)
    file = tmp_path / "w.ndjson"
    file.write_bytes(b"\n".join(lines))
    whole = audited(plan_for(file, [], asked), 100_000)
    expected = oracle(lines, asked)
    summary = whole.summary

    assert {sort: summary[sort] for sort in expected.sorts} == dict(expected.sorts)
    assert summary["records"] == expected.sorts.total()
    assert (
        Counter(
            {
                (one["type"], sort): one[sort]
                for one in summary["types"]
                for sort in ("valid", "invalid")
                if one[sort]
            }
        )
        == expected.types
    )
    told = [tuple(one[name] for name in NAMES) for one in whole.findings]
    if asked.type_id == "broken":  # the type is known, though it cannot be used
        expected = expected._replace(
            findings=[(*a[:2], "broken", *a[3:]) for a in expected.findings]
        )
    known = [(*a[:2], None, *a[3:]) if a[3] == "problem.schema" else a for a in told]
    wanted = [(*a[:2], None, *a[3:]) if a[3] == "problem.schema" else a for a in expected.findings]
    assert known == wanted
    assert summary["findings"] == len(expected.findings)
    assert sum(one["findings"] for one in summary["places"]) == len(expected.findings)
    assert len(whole.ids) == summary["invalid"]

    parts = audited(plan_for(file, cuts, asked), block_bytes)
    assert parts.text == whole.text
    assert parts.ids == whole.ids
    parts.summary["partitions"] = whole.summary["partitions"]
    assert json.dumps(parts.summary) == json.dumps(whole.summary)


def test_the_lanes_are_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Valid lines are not read: else the other tests would prove little."""
    from widgetschema.audit import auditor as auditing

    read_long: list[bytes] = []

    def counting(raw: bytes, *more: Any) -> Any:
        read_long.append(raw)
        return read(raw, *more)

    monkeypatch.setattr(auditing, "read", counting)
    for lines, asked in [
        (pool().data, Settings("countdown", kind="auto")),
        (pool().data, Settings("countdown", kind="data")),
        (pool().documents, Settings("countdown", kind="auto")),
        (pool().documents, Settings(None, kind="auto")),
        ([*pool().documents, *pool().faqs], Settings(None, kind="auto")),
        ([*pool().data, *pool().documents], Settings("countdown", kind="auto")),
        ([_without_type(one) for one in pool().documents], Settings("countdown", kind="auto")),
    ]:
        file = tmp_path / "w.ndjson"
        file.write_bytes(b"".join(line + b"\n" for line in lines) * 60)
        read_long.clear()
        outcome = audited(plan_for(file, [], asked), 64 * 1024)
        assert outcome.summary["valid"] == outcome.summary["records"] == 60 * len(lines)
        assert len(read_long) < outcome.summary["records"] / 4, asked


def _without_type(document: bytes) -> bytes:
    value = json.loads(document)
    return compact({name: member for name, member in value.items() if name != "type"})


def write_lines(path: Path, *values: Any) -> Path:
    path.write_bytes(b"".join(compact(value) + b"\n" for value in values))
    return path


def faq(id: Any, updated: Any = None, **data: Any) -> dict[str, Any]:
    document = {"id": id, "type": "faq", "updated": updated, "data": {"items": [], **data}}
    return {name: value for name, value in document.items() if value is not None}


ASK = Settings(findings=True, ids=True)


def test_findings_are_complete(tmp_path: Path) -> None:
    good = faq("fine")
    bad = faq('x"y', items=[{"question": 1}])
    file = write_lines(tmp_path / "w.ndjson", good, bad, [good, faq(7, open="true")])
    outcome = audited(plan_for(file, [], ASK))
    good_and_bad = file.read_text(encoding="utf-8").splitlines()

    def column(line: str, name: str) -> int:
        return line.index(name) + len(name) + 1

    assert outcome.findings == [
        {
            "file": "w.ndjson",
            "line": 2,
            "column": column(good_and_bad[1], '"question":'),
            "document": "",
            "id": 'x"y',
            "type": "faq",
            "keyword": "type",
            "path": "/data/items/0/question",
            "schema_path": "/definitions/Data/properties/items/items/properties/question/type",
            "message": "1 is a number, but must be a string",
            "hint": 'write "1", not 1',
            "expected": ["string"],
            "fix": outcome.findings[0]["fix"],
        },
        {
            "file": "w.ndjson",
            "line": 3,
            "column": column(good_and_bad[2], '"open":'),
            "document": "/1",
            "id": 7,
            "type": "faq",
            "keyword": "type",
            "path": "/data/open",
            "schema_path": "/definitions/Data/properties/open/type",
            "message": '"true" is a string, but must be a boolean',
            "hint": 'write true, not "true"',
            "expected": ["boolean"],
            "fix": {"replace": "value", "text": "true", "applicability": "safe"},
        },
    ]
    assert list(outcome.findings[0]) == list(outcome.findings[1])
    [first, second] = outcome.summary["places"]
    assert (first["path"], second["path"]) == ("/data/items/*/question", "/data/open")
    assert second == {
        "type": "faq",
        "keyword": "type",
        "path": "/data/open",
        "name": "Open",
        "records": 1,
        "findings": 1,
        "summed": False,
        "about": "the value is a string, but must be a boolean",
        "message": '"true" is a string, but must be a boolean',
        "hint": 'write true, not "true"',
        "values": [{"value": '"true"', "findings": 1}],
        "other_values": 0,
        "all_values": True,
        "examples": [
            {
                "file": "w.ndjson",
                "line": 3,
                "document": "/1",
                "id": 7,
                "path": "/data/open",
                "message": '"true" is a string, but must be a boolean',
            }
        ],
    }


def test_lines_are_counted_from_the_beginning_of_the_file(tmp_path: Path) -> None:
    lines = [b""] * 40 + [b"{"] + [compact(faq(n)) for n in range(60)] + [b"[", b"", b"{}"]
    file = tmp_path / "w.ndjson"
    file.write_bytes(b"\n".join(lines))
    for size in (10, 100, 1000):
        outcome = audited(plan_for(file, range(0, 100_000, size), ASK), 33)
        assert [one["line"] for one in outcome.findings] == [41, 102, 104]
        examples = [e for place in outcome.summary["places"] for e in place["examples"]]
        assert sorted(one["line"] for one in examples) == [41, 102, 104]
        assert outcome.summary["lines"] == len(lines)


def test_many_sources_in_one_partition(tmp_path: Path) -> None:
    names = ["a.ndjson", "b.ndjson", "c.json"]
    write_lines(tmp_path / names[0], faq(1), faq(2, open=1), faq(3))
    write_lines(tmp_path / names[1], faq(4, open=1))
    text = json.dumps([faq(5), faq(6, open=[1])], indent=2)
    (tmp_path / names[2]).write_text(text, encoding="utf-8")
    sources = [
        Source(name, str(tmp_path / name), (tmp_path / name).stat().st_size) for name in names
    ]
    sources[2] = sources[2]._replace(layout="whole")
    spans = (Span(0, 0, 40), Span(0, 40, sources[0].size), Span(1), Span(2))
    for partitions in ((spans,), (spans[:1], spans[1:]), tuple((span,) for span in spans)):
        outcome = audited(Plan(ASK, catalog(), tuple(sources), partitions))
        places = [(one["file"], one["line"], one["document"]) for one in outcome.findings]
        line = text[: text.index('"open"')].count("\n") + 1
        assert places == [("a.ndjson", 2, ""), ("b.ndjson", 1, ""), ("c.json", line, "/1")]
        column = len(text.splitlines()[line - 1].partition('"open": ')[0] + '"open": ') + 1
        assert outcome.findings[2]["column"] == column
        assert outcome.summary["sources"] == 3
        assert outcome.summary["valid"] == 3


@pytest.mark.parametrize("name", ["good", "bad", "broken", "documents"])
def test_a_whole_text_is_placed_as_validate_places_it(tmp_path: Path, name: str) -> None:
    text = {
        "good": json.dumps(faq(1), indent=1),
        "bad": json.dumps(faq(1, items=[{"question": [1]}], open=3), indent=4),
        "broken": '{\n  "a": 1,\n  "a": NaN,\n',
        "documents": json.dumps([faq(1), faq(2, open=1), {"type": "no", "data": 1}], indent=2),
    }[name]
    file = tmp_path / "w.json"
    file.write_text(text, encoding="utf-8")
    source = Source("w.json", str(file), file.stat().st_size, "whole")
    outcome = audited(Plan(ASK, catalog(), (source,), ((Span(0),),)))
    expected: list[tuple[Any, ...]] = []
    for result in Checker(catalog()).check(Text("w.json", text.encode())):
        if isinstance(result, DocumentResult):
            cut = len(result.pointer)
            expected += [
                (one.keyword, result.pointer, one.path[cut:], one.line, one.column, one.message)
                for one in (located.finding for located in result.findings)
            ]
        else:
            at = (result.line, result.column)
            expected.append((result.keyword, result.pointer, "", *at, result.message))
    names = ("keyword", "document", "path", "line", "column", "message")
    told = [tuple(one[name] for name in names) for one in outcome.findings]
    assert sorted(told, key=repr) == sorted(expected, key=repr)


def test_what_is_too_large_is_named(tmp_path: Path) -> None:
    file = tmp_path / "w.ndjson"
    large = compact(faq("x" * 500))
    file.write_bytes(b"\n".join([compact(faq(1)), large, compact(faq(2)), large]))
    outcome = audited(plan_for(file, [30, 500], ASK, max_bytes=200), 64)
    assert (outcome.summary["valid"], outcome.summary["unreadable"]) == (2, 2)
    assert [one["line"] for one in outcome.findings] == [2, 4]
    [result] = Checker(catalog(), limits=Limits(max_bytes=200)).check(Text("w", large[:201]))
    assert isinstance(result, DocumentResult)
    assert outcome.findings[0]["message"] == result.findings[0].finding.message
    assert outcome.findings[0]["column"] == 1
    assert exit_code(outcome.summary) == 3


def test_columns_are_those_of_validate(tmp_path: Path) -> None:
    values = [faq("ä" * 3, items=[{"question": [1]}], open=3), [5, faq(2)], {"type": "no"}]
    lines = [json.dumps(value, ensure_ascii=False) for value in values]
    file = tmp_path / "w.ndjson"
    file.write_text(" \r\n".join(lines) + " \n", encoding="utf-8")
    result = Checker(catalog()).check(Text("w", file.read_bytes().split(b"\n")[0], 1))

    outcome = audited(plan_for(file, [], ASK))

    assert isinstance(result[0], DocumentResult)
    expected = [(1, one.finding.path, one.finding.column) for one in result[0].findings]
    told = [(one["line"], one["path"], one["column"]) for one in outcome.findings]
    assert told[:2] == expected
    assert [one[::2] for one in told[2:]] == [(2, 2), (3, 1)]
    summaries = [audited(plan_for(file, [], some)).summary for some in (ASK, Settings())]
    assert summaries[0] == summaries[1]


def test_a_whole_text_that_is_too_large_is_named(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.json", faq("x" * 500))
    source = Source("w.json", str(file), file.stat().st_size, "whole")
    plan = Plan(ASK, catalog(), (source,), ((Span(0),),), max_bytes=200)
    [finding] = (outcome := audited(plan)).findings
    assert (finding["keyword"], finding["line"], finding["expected"]) == ("json.size", 1, 200)
    assert outcome.summary["bytes"] > 500


def test_problems_beyond_a_hundred_are_counted(tmp_path: Path) -> None:
    sources = tuple(Source(f"{n}", str(tmp_path / str(n)), 9) for n in range(MAX_PROBLEMS + 7))
    plan = Plan(ASK, catalog(), sources, tuple((Span(n, 0, 9),) for n in range(len(sources))))
    summary = audited(plan).summary
    assert (len(summary["problems"]), summary["other_problems"]) == (MAX_PROBLEMS, 7)
    assert [one["file"] for one in summary["problems"]] == [*map(str, range(MAX_PROBLEMS))]


def test_a_source_that_fails_is_a_problem_once(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.ndjson", *[faq(n) for n in range(9)])
    plan = plan_for(file, range(0, 1000, 100), ASK)
    file.unlink()
    summary = audited(plan).summary
    [problem] = summary["problems"]
    assert (problem["file"], problem["keyword"], problem["code"]) == ("w.ndjson", "problem.file", 3)
    assert (summary["records"], summary["complete"], exit_code(summary)) == (0, True, 3)


def test_sources_that_fail_in_one_partition_are_told_apart(tmp_path: Path) -> None:
    sources = tuple(Source(f"{name}.ndjson", str(tmp_path / name), 9) for name in ("a\udcff", "b"))
    plan = Plan(ASK, catalog(), sources, ((Span(0, 0, 9), Span(1, 0, 9)),))
    summary = audited(plan).summary
    assert [one["file"] for one in summary["problems"]] == ["a\\udcff.ndjson", "b.ndjson"]
    assert json.dumps(summary, ensure_ascii=False).encode()


# Whom a change breaks


def test_against_tells_only_of_what_was_valid_before(tmp_path: Path) -> None:
    narrow = {"properties": {"data": {"type": "object", "required": ["a"]}}}
    wide = {"properties": {"data": {"type": ["object", "null"]}}}
    new, old = {"t": narrow, "added": narrow}, {"t": wide, "gone": wide}
    values: list[tuple[dict[str, Any], str]] = [
        ({"id": 1, "type": "t", "data": {"a": 1}}, "valid"),
        ({"id": 2, "type": "t", "data": {}}, "invalid"),
        ({"id": 3, "type": "t", "data": None}, "invalid"),
        ({"id": 4, "type": "t", "data": 7}, "invalid_before"),
        ({"id": 5, "type": "t"}, "untyped"),
        ({"id": 6, "type": "added", "data": {}}, "invalid_before"),
        ({"id": 7, "type": "added", "data": {"a": 0}}, "valid"),
        ({"id": 8, "type": "gone", "data": {}}, "untyped"),
    ]
    file = write_lines(tmp_path / "w.ndjson", *(value for value, _ in values))
    plan = plan_for(file, [], ASK)._replace(catalog=Catalog([new]), older=Catalog([old]))
    outcome = audited(plan)
    expected = Counter(sort for _, sort in values)
    assert {sort: outcome.summary[sort] for sort in expected} == dict(expected)
    assert outcome.ids == ["2", "3"]
    assert [one["id"] for one in outcome.findings] == [2, 3, 5, 8]
    assert outcome.summary["against"] is True
    assert {one["id"] for one in outcome.summary["older_schemas"]} >= {"t"}
    bare = write_lines(tmp_path / "w.ndjson", {"a": 1}, {}, None, 7, {"$schema": "x"})
    plan = plan_for(bare, [], ASK._replace(type_id="t", kind="data"))
    summary = audited(plan._replace(catalog=Catalog([new]), older=Catalog([old]))).summary
    assert [summary[sort] for sort in ("valid", "invalid", "invalid_before")] == [1, 3, 1]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["compact", "spaced"])
def test_records_that_a_change_mends_are_counted(
    tmp_path: Path, separators: tuple[str, str]
) -> None:
    narrow = {"properties": {"data": {"type": "object", "required": ["a"]}}}
    wide = {"properties": {"data": {"type": "object", "required": ["b"]}}}
    new, old = {"t": wide, "added": wide}, {"t": narrow}
    kinds = [
        ({"type": "t", "data": {"a": 1, "b": 1}}, "valid"),
        ({"type": "t", "data": {"b": 1}}, "mended"),
        ({"type": "t", "data": {"a": 1}}, "invalid"),
        ({"type": "t", "data": {}}, "invalid_before"),
        ({"type": "added", "data": {"b": 1}}, "valid"),
    ]
    number = 500  # enough for fast paths of both catalogs
    records = [kinds[n * n % 7 % len(kinds)] for n in range(number)]
    file = tmp_path / "w.ndjson"
    lines = [
        json.dumps({"id": n, "even": n % 2, **record}, separators=separators)
        for n, (record, _) in enumerate(records)
    ]
    file.write_text("".join(f"{line}\n" for line in lines))
    plan = plan_for(file, [], Settings(by=("/even",)))
    plan = plan._replace(catalog=Catalog([new]), older=Catalog([old]))

    told = audited(plan).summary

    expected = Counter(sort for _, sort in records)
    assert told["mended"] == expected["mended"] > 50
    assert told["valid"] == expected["valid"] + expected["mended"]
    assert [told[sort] for sort in ("invalid", "invalid_before")] == [
        expected[sort] for sort in ("invalid", "invalid_before")
    ]
    assert {one["type"]: one["mended"] for one in told["types"]} == {
        "added": 0,
        "t": expected["mended"],
    }
    [by] = told["by"]
    assert {one["value"]: one["mended"] for one in by["values"]} == Counter(
        n % 2 for n, (_, sort) in enumerate(records) if sort == "mended"
    )
    assert not told["problems"], "valid records of a new type need not be compared"


def test_an_older_schema_that_is_broken_is_a_problem(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.ndjson", *[faq(n, open=1) for n in range(5)])
    plan = plan_for(file, [], ASK)._replace(older=Catalog([{"faq": BROKEN}]))
    summary = audited(plan).summary
    assert (summary["invalid"], summary["invalid_before"]) == (5, 0)
    [problem] = summary["problems"]
    assert problem["code"] == exit_code(summary) == 4
    assert problem["message"].startswith("the older schema of widget type 'faq' cannot be used")


def test_a_broken_schema_is_told_for_each_type(tmp_path: Path) -> None:
    broken = Catalog([{"one": BROKEN, "two": BROKEN}])
    values: list[dict[str, Any]] = [
        {"id": n, "type": ("one", "two", "three")[n % 3], "data": {}} for n in range(9)
    ]
    file = write_lines(tmp_path / "w.ndjson", *values)
    summary = audited(plan_for(file, [], ASK)._replace(catalog=broken)).summary
    assert summary["untyped"] == 9
    assert [(one["type"], one["keyword"], one["records"]) for one in summary["places"]] == [
        (None, "document.type", 3),
        ("one", "problem.schema", 3),
        ("two", "problem.schema", 3),
    ]
    assert exit_code(summary) == 4


# Ids, dates, and what is large

IDS = [
    ("w-1", "w-1"),
    ("é ü", "é ü"),
    ("", '""'),
    ("a\nb", '"a\\nb"'),
    ("a\u2028b", '"a\\u2028b"'),
    ("a\x85b", '"a\\u0085b"'),
    ('"q"', '"\\"q\\""'),
    (12, "12"),
    (-1.5, "-1.5"),
    (2**70, str(2**70)),
    (True, "w.ndjson:{line}"),
    (None, "w.ndjson:{line}"),
    ([1], "w.ndjson:{line}"),
]


def test_ids_are_one_a_line(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.ndjson", *(faq(id, open=1) for id, _ in IDS))
    expected = [text.format(line=number) for number, (_, text) in enumerate(IDS, 1)]
    cuts: Sequence[int]
    for cuts in ([], [60, 200]):
        assert audited(plan_for(file, cuts, ASK)).ids == expected
    asked = ASK._replace(id_pointer="/name")
    line = write_lines(tmp_path / "w.ndjson", [faq(1), faq(2, open=1)])
    assert audited(plan_for(line, [], asked)).ids == ["w.ndjson:1#/1"]


def test_dates_are_those_of_invalid_records(tmp_path: Path) -> None:
    days = [
        "2026-11-03T10:00:00Z",
        "2026-11-03",
        "2026-02-30",
        "soon",
        20261103,
        None,
        "2025-01-01",
    ]
    values = [faq(n, day, open=1) for n, day in enumerate(days)] + [faq(9, "2026-11-04")]
    file = write_lines(tmp_path / "w.ndjson", *values)
    every: list[Sequence[int]] = [[], range(0, 1000, 70)]
    for cuts in every:
        summary = audited(plan_for(file, cuts, ASK)).summary
        assert summary["dates"] == [
            {"date": "2025-01-01", "invalid": 1},
            {"date": "2026-11-03", "invalid": 2},
        ]
        assert summary["undated"] == 4
    asked = ASK._replace(date_pointer="/id")
    assert audited(plan_for(file, [], asked)).summary["undated"] == len(days)


def test_a_record_with_very_many_findings(tmp_path: Path) -> None:
    most = MOST_FINDINGS
    assert f"at most {most:,} for one record" in GUIDE.read_text("utf-8")
    items = [{"question": n} for n in range(3 * most)]
    records = [faq(1, items=items), faq(2, items=items[:1]), faq(3, items=items[:most])]
    file = write_lines(tmp_path / "w.ndjson", *records)
    outcome = audited(plan_for(file, [], ASK))
    assert len(outcome.findings) == 2 * most + 1
    [place] = outcome.summary["places"]
    assert (place["findings"], place["records"]) == (2 * most + 1, 3)
    assert (outcome.summary["findings"], outcome.summary["truncated"]) == (2 * most + 1, 1)
    assert audited(plan_for(file, [40_000, 80_000], ASK)).summary["truncated"] == 1
    text = audit_text(outcome.summary)
    assert "; at least 2,001 findings\n" in text
    assert "1 record has more findings than are counted (at most the first 1,000)" in text
    said = "1 record has more findings than are counted (at most the first 1,000)."
    assert said in verdict(outcome.summary).more


class Hungry(Catalog):
    """For one of its types there is never enough memory."""

    def __getitem__(self, id: str) -> WidgetType:
        if id == "huge":
            raise MemoryError
        return super().__getitem__(id)


@pytest.mark.parametrize("layout", ["lines", "whole"])
def test_a_record_for_which_there_is_no_memory(tmp_path: Path, layout: Any) -> None:
    values = [{"$schema": "huge", "items": []}, faq(2), faq(3, open=1)]
    file = write_lines(tmp_path / "w.ndjson", *values[: 1 if layout == "whole" else 3])
    plan = plan_for(file, [], ASK)._replace(catalog=Hungry([{**TYPES, "huge": FAQ}]))
    plan = plan._replace(sources=(plan.sources[0]._replace(layout=layout),))
    outcome = audited(plan)
    assert outcome.summary["unreadable"] == 1
    assert outcome.summary["records"] == (1 if layout == "whole" else 3)
    assert (outcome.findings[0]["line"], outcome.findings[0]["keyword"]) == (1, "json.size")
    [problem] = outcome.summary["problems"]
    assert (problem["line"], problem["code"]) == (1, 3)
    assert "not enough memory" in problem["message"]


def test_each_example_is_another_record(tmp_path: Path) -> None:
    items = [{"question": n} for n in range(4)]
    records = [faq(n, items=items[: n + 1]) for n in range(4)]
    file = write_lines(tmp_path / "w.ndjson", *records)
    [place] = audited(plan_for(file, [], Settings())).summary["places"]
    assert (place["records"], place["findings"], place["summed"]) == (4, 10, False)
    assert [one["line"] for one in place["examples"]] == [1, 2, 3]


@pytest.mark.parametrize("cuts", [[], [20], [20_000]])
def test_no_more_records_have_a_mistake_than_there_are(cuts: list[int], tmp_path: Path) -> None:
    wrong: list[dict[str, Any]] = [
        *(dict.fromkeys(map(str, range(n, n + 1_000)), "no") for n in (0, 1_000, 2_000)),
        {"zz": ""},
    ]
    values = [{"id": n, "type": "map", "data": data} for n, data in enumerate(wrong * 2)]
    file = write_lines(tmp_path / "w.ndjson", *values)
    for shown, records, lines in ((3, 8, [1, 3, 4]), (9, 6, [1, 3, 4, 5, 7, 8])):
        summary = audited(plan_for(file, cuts, Settings(examples=shown))).summary
        [summed] = [one for one in summary["places"] if one["summed"]]
        assert (summed["path"], summed["findings"], summed["records"]) == ("/data/*", 2002, records)
        assert [one["line"] for one in summed["examples"]] == lines


def test_what_was_expected_is_told_exactly(tmp_path: Path) -> None:
    deep: Any = []
    for _ in range(60):
        deep = [deep]
    enums = {"huge": [2**70], "deep": [deep], "text": ["é\u2028"], "mixed": [None, True, 1.5]}
    data = {"type": "object", "properties": {name: {"enum": of} for name, of in enums.items()}}
    types = Catalog([{"t": {"properties": {"data": data}}}])
    values = [{"id": 1, "type": "t", "data": {name: "no"}} for name in enums]
    plan = plan_for(write_lines(tmp_path / "w.ndjson", *values), [], ASK)._replace(catalog=types)
    outcome = audited(plan)
    assert [one["expected"] for one in outcome.findings] == [*enums.values()]
    assert len(outcome.text.splitlines()) == len(enums)


def test_findings_that_were_cut_short_are_told_as_far_as_they_are(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.ndjson", *[faq(str(n), open=1) for n in range(5_000)])
    plan = plan_for(file, [], ASK)
    result = Auditor(plan).audit(0)
    some = collected(plan, [result._replace(findings=result.findings[:-200])]).findings
    assert 100 < len(some) < 5_000
    assert [one["line"] for one in some] == [*range(1, len(some) + 1)]


def test_what_is_long_is_cut_in_the_summary(tmp_path: Path) -> None:
    long = "n" * 100_000
    file = write_lines(tmp_path / "w.ndjson", faq(long, items=[{"question": {long: 1}}]))
    write = {"type": "map", "id": 1, "data": {long: "x"}}
    file.write_bytes(file.read_bytes() + compact(write) + b"\n")
    outcome = audited(plan_for(file, [], ASK))
    assert len(json.dumps(outcome.summary["places"])) < 20_000
    assert outcome.findings[1]["path"] == f"/data/{long}"
    assert len(outcome.findings[0]["id"]) < 2_000
    assert outcome.ids == [long, "1"]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("", {}, ""),
        ("/a/0", {"a": [1]}, "/a/*"),
        ("/a/0", {"a": {"0": 1}}, "/a/0"),
        ("/0/1/b", [[0, {"b": 1}]], "/*/*/b"),
        ("/a~11/2", {"a/1": [0, 1, 2]}, "/a~11/*"),
        ("/12/a", {"12": {"a": 0}}, "/12/a"),
        ("/a/3/a1", None, "/a/*/a1"),
    ],
)
def test_items_of_arrays_are_one_place(path: str, value: Any, expected: str) -> None:
    assert with_wildcards(path, value) == expected


def test_progress_and_processes(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.ndjson", *[faq(n) for n in range(200)])
    plan = plan_for(file, [5_000], ASK)
    told: list[tuple[int, int]] = []
    results = [Auditor(plan).audit(number, lambda *now: told.append(now)) for number in (0, 1)]
    assert sum(told[-1]) > 0
    assert max(size for size, _ in told) <= file.stat().st_size
    assert results == [Auditor(plan).audit(number) for number in (0, 1)]


def test_results_must_come_in_order(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "w.ndjson", *[faq(n) for n in range(20)])
    plan = plan_for(file, [500], ASK)
    first, second = (Auditor(plan).audit(number) for number in (0, 1))
    collector = Collector(plan, [Problem("gone", "it is gone", 3)])
    with pytest.raises(ValueError, match="partition 0 is next, not 1"):
        collector.add(second)
    collector.add(first)
    with pytest.raises(ValueError, match="added last"):
        collector.finding_lines(second)
    summary = collector.summary()
    assert (summary["complete"], summary["partitions"]) == (False, {"done": 1, "all": 2})
    assert summary["problems"][0]["file"] == "gone"
    collector.add(second)
    assert collector.summary()["complete"] is True
    assert collector.summary(complete=False)["complete"] is False


def test_what_the_checker_calls_unplaced_is_still_what_it_gives() -> None:
    """The oracle of this file relies on it."""
    checker = Checker(catalog(), type_id="faq", kind="data")
    [result] = checker.check_value("", {"items": 1})
    assert isinstance(result, UnlocatedResult)
    assert isinstance(catalog()["faq"], WidgetType)


def test_data_may_say_its_type_in_a_member_that_its_schema_does_not_know(tmp_path: Path) -> None:
    countdown = widgetschema.widget_type("countdown")
    values = [{"kind": "countdown", **countdown.sample(index)} for index in range(300)]
    values[7] = {"kind": "countdown", "$schema": "countdown.json", **countdown.sample(7)}
    values[8] = {"kind": "countdown", "$schema": "countdown.json"}
    values[9] = {"kinds": "countdown", **values[9]}
    values[10]["kind"] = 3
    file = tmp_path / "w.ndjson"
    file.write_bytes(b"".join(orjson.dumps(value) + b"\n" for value in values))
    outcome = audited(plan_for(file, [], Settings(type_pointer="/kind", findings=True)), 100_000)
    assert {one["line"]: one["keyword"] for one in outcome.findings} == {
        9: "required",
        10: "additionalProperties",
        11: "document.type",
    }
    assert outcome.summary["valid"] == 297


# What is said of a place is true of all that is counted there


def places_of(*records: Any, folder: Path, cuts: Sequence[int] = ()) -> list[dict[str, Any]]:
    file = write_lines(folder / "w.ndjson", *records)
    places: list[dict[str, Any]] = audited(plan_for(file, cuts, Settings())).summary["places"]
    return places


def countdown(**data: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
    kept = {name: value for name, value in (whole | data).items() if value is not None}
    return {"id": "1", "type": "countdown", "data": kept}


def test_members_that_are_missing_are_told_apart(tmp_path: Path) -> None:
    records = [countdown(content=None)] * 3 + [countdown(styles=None)] * 7
    places = places_of(*records, folder=tmp_path)
    assert [(one["message"], one["records"]) for one in places] == [
        ('the property "styles" is missing', 7),
        ('the property "content" is missing', 3),
    ]


def test_types_that_are_unknown_are_told_apart(tmp_path: Path) -> None:
    records = [{"id": "1", "type": "faqq", "data": {}}] * 3
    records += [{"id": "1", "type": "carousel", "data": {}}] * 7
    places = places_of(*records, folder=tmp_path)
    assert [one["records"] for one in places] == [7, 3]
    assert '"carousel"' in places[0]["message"] or "'carousel'" in places[0]["message"]
    assert "faqq" not in places[0]["message"]
    assert "faqq" in places[1]["message"]


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>|\u200b", "", page)))


def test_values_are_counted_and_no_hint_is_for_another_value(tmp_path: Path) -> None:
    values = ["Tick"] * 2 + ["flap"] * 5 + ["tick "]
    records = [countdown(styles={"animationType": value}) for value in values]
    [place] = places_of(*records, folder=tmp_path)
    assert place["message"].startswith("the value is not one of the allowed values: ")
    assert "Tick" not in place["message"]
    assert place["hint"] is None
    assert [*place["values"], place["other_values"]] == [
        {"value": '"flap"', "findings": 5},
        {"value": '"Tick"', "findings": 2},
        {"value": '"tick "', "findings": 1},
        0,
    ]
    summary = audited(plan_for(tmp_path / "w.ndjson", [], Settings())).summary
    told = 'values: "flap" (5), "Tick" (2), "tick " (1)'
    assert f"\n  {told}\n" in audit_text(summary)
    assert told in text_of(render(summary, title="", made=""))
    [place] = places_of(*records[:2], folder=tmp_path)
    assert place["message"].startswith('"Tick" is not one of the allowed values: ')
    assert place["hint"] is not None
    text = audit_text(audited(plan_for(tmp_path / "w.ndjson", [], Settings())).summary)
    assert "\n  values" not in text


@pytest.mark.parametrize(
    ("schema", "values", "messages"),
    [
        ({"type": "string"}, [1, 2, None], ["the value is a number, but must be a string", "null"]),
        ({"minLength": 4}, ["a", "bb", ""], ["the value must have at least 4 characters"]),
        ({"maxItems": 1}, [[1, 2], [1, 2, 3]], ["the value must have at most 1 item"]),
        ({"items": [True], "additionalItems": False}, [[1, 2], [1, 2, 3]], ["the array must have"]),
        ({"pattern": "^a+$"}, ["b", "c"], ["the value does not match the pattern ^a+$"]),
        ({"uniqueItems": True}, [[1, 1], [2, 3, 3]], ["the value is a duplicate"]),
        ({"minimum": 5}, [1, 2.5], ["the value is less than the minimum, 5"]),
        ({"const": 5}, [1, "5"], ["the value is not allowed: the value must be 5"]),
        ({"format": "date"}, ["x", "y"], ["the value is not a date such as 2026-11-27"]),
        (
            {"format": "regex"},
            ["[a", "a{2,1}"],
            ["the value is not an ECMA 262 regular expression"],
        ),
    ],
)
def test_what_messages_have_in_common(
    schema: Any, values: list[Any], messages: list[str], tmp_path: Path
) -> None:
    data = {"type": "object", "properties": {"x": schema}}
    types = Catalog([{"t": {"properties": {"data": data}}}])
    records = [{"id": 1, "type": "t", "data": {"x": value}} for value in values]
    plan = plan_for(write_lines(tmp_path / "w.ndjson", *records), [], ASK)
    places = audited(plan._replace(catalog=types)).summary["places"]
    assert len(places) == len(messages)
    for place, message in zip(places, messages, strict=True):
        assert place["message"].startswith(message)


@pytest.mark.parametrize("number", [10, 49, 51, 3 * 50])
def test_values_are_the_same_however_records_are_divided(number: int, tmp_path: Path) -> None:
    draw = random.Random(number)
    names = [f"v{draw.randrange(number)}" for _ in range(1_500)]
    records = [countdown(styles={"animationType": name}) for name in names]
    told = [
        places_of(*records, folder=tmp_path, cuts=cuts)
        for cuts in ([], [50_000], range(100, 190_000, 700), range(999, 190_000, 17_000))
    ]
    assert all(one == told[0] for one in told)
    [place] = told[0]
    counts = Counter(names)
    for one in place["values"]:
        assert counts[one["value"].strip('"')] == one["findings"]
    listed = sum(one["findings"] for one in place["values"])
    assert listed + place["other_values"] == place["findings"] == 1_500
    assert place["all_values"] is (len(counts) <= 50)
    if place["all_values"]:
        most = [one["findings"] for one in place["values"]]
        assert most == sorted(counts.values(), reverse=True)[:10]
    plan = plan_for(tmp_path / "w.ndjson", [], Settings())
    text = audit_text(audited(plan).summary)
    assert ("values, some of many: " in text) is not place["all_values"]
    assert f"; other values ({place['other_values']:,})" in text or number == 10
