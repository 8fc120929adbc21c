"""Reporters for programs and CI: official schemas, any text, any file name, the same counts."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.effort import calls, scaled
from tests.reporting import (
    DATA,
    FOLDER,
    NAMES,
    NASTY,
    ORDINARY_OUTCOME,
    RESULTS,
    SARIF,
    assert_well_formed,
    counted,
    found,
    many,
    ordinary,
    ordinary_reports,
    report,
    reporters,
    reports,
)
from widgetschema.jsontext import SourceText
from widgetschema.project.checking.results import DocumentResult, Excerpt, Problem, Result

FORMATS = sorted(reporters())
TOTAL = 8  # findings and problems of the ordinary run


@pytest.mark.parametrize("format", FORMATS)
def test_the_ordinary_run(format: str) -> None:
    text = ordinary_reports()[format]

    assert text == (DATA / "reporters" / f"ordinary.{format}").read_text(encoding="utf-8")
    assert_well_formed(format, text)
    assert counted(format, text) == TOTAL


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "results", [[], [DocumentResult("a.json", type_id="t")]], ids=["no files", "all valid"]
)
def test_nothing_found(format: str, results: list[Result]) -> None:
    text = reports(results)[format]

    assert_well_formed(format, text)
    assert counted(format, text) == 0


@pytest.mark.parametrize("format", FORMATS)
def test_ten_times_the_findings_cost_ten_times_as_much(format: str) -> None:
    results, fewer = many(600), many(60)
    text = report(reporters()[format], results)

    less = calls(lambda: report(reporters()[format], fewer))
    assert calls(lambda: report(reporters()[format], results)) < 12 * less
    assert counted(format, text) == 600
    assert_well_formed(format, text)


@pytest.mark.parametrize("format", FORMATS)
def test_any_text_anywhere(format: str) -> None:
    nasty = found(
        NASTY, f"/{NASTY}", NASTY, NASTY, excerpt=Excerpt(NASTY, NASTY, NASTY), fingerprint="1"
    )
    results: list[Result] = [
        DocumentResult(
            f"{FOLDER}/{NASTY}", f"/{NASTY}", None, "data", NASTY, (nasty,), hint="look"
        ),
        DocumentResult(f"{FOLDER}/x.json", findings=(nasty,), readable=False),
        Problem(f"{FOLDER}/{NASTY}", NASTY, 2, f"/{NASTY}", 3, 4),
    ]

    text = reports(results, resolved=[NASTY])[format]

    assert_well_formed(format, text)
    assert counted(format, text) == 3
    if format not in ("json", "ndjson", *SARIF, "gitlab"):  # JSON escapes, the rest replaces
        assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_any_file_name(format: str, name: str) -> None:
    results: list[Result] = [
        DocumentResult(name, "/0", type_id="t", findings=(found(),)),
        Problem(name, "gone", 3),
    ]

    text = reports(results)[format]

    assert_well_formed(format, text)
    assert counted(format, text) == 2


@settings(max_examples=scaled(30))
@given(results=RESULTS)
def test_any_results(results: list[Result]) -> None:
    expected = sum(len(one.findings) if isinstance(one, DocumentResult) else 1 for one in results)

    for format, text in reports(results).items():
        assert_well_formed(format, text)
        assert counted(format, text) == expected, format


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_hidden_is_said(format: str) -> None:
    text = reports(ordinary(), hidden=1_234)[format]

    assert_well_formed(format, text)
    if format in ("json", "ndjson"):
        assert '"truncated":' in text.replace("false", "")
    else:
        assert "1,2" in text or "1234" in text or format == "gitlab"


@pytest.mark.parametrize("format", FORMATS)
def test_schemas_and_what_is_resolved(format: str) -> None:
    text = reports(ordinary(), **ORDINARY_OUTCOME)[format]

    assert ("/content/size" in text) is (format != "gitlab")
    assert ("countdown.json" in text) is (format not in ("gitlab", "github"))


@pytest.mark.parametrize("format", ["sarif", "junit", "gitlab", "markdown"])
def test_what_goes_to_others_does_not_tell_of_this_machine(format: str) -> None:
    text = ordinary_reports()[format]

    assert FOLDER not in text
    assert "/home/" not in text


@pytest.mark.parametrize("format", ["ndjson", "gitlab", "github"])
def test_text_comes_as_results_come(format: str) -> None:
    reporter = reporters()[format]

    assert "it is wrong" in reporter.document(DocumentResult("a.json", findings=(found(),)))


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "junit"])
def test_valid_documents_are_not_kept(format: str) -> None:
    reporter = reporters()[format]
    tracemalloc.start()
    for index in range(5_000):
        reporter.document(
            DocumentResult(f"{FOLDER}/{index}.json", kind="data", type_id="countdown")
        )
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept < 50_000


@pytest.mark.parametrize("end", ["\u2028", "\x85", "\u2029", "\n", "\r", "\x0c"])
def test_a_line_of_ndjson_is_one_line_to_everybody(end: str) -> None:
    checked = DocumentResult(f"a{end}b", f"/{end}", None, "data", end, (found(message=f"x{end}y"),))

    text = reports([checked])["ndjson"]

    first, summary = text.splitlines()
    assert json.loads(first)["message"] == f"x{end}y"
    assert json.loads(first)["file"] == f"a{end}b"
    assert "summary" in json.loads(summary)


def test_gitlab_severities() -> None:
    results: list[Result] = [
        DocumentResult(
            "a", findings=tuple(found(severity=one) for one in ("error", "warning", "note"))
        ),
        DocumentResult("b", findings=(found("json.syntax"),), readable=False),
        Problem("c", "gone", 3),
    ]

    items: list[Any] = json.loads(reports(results)["gitlab"])

    assert [one["severity"] for one in items] == ["major", "minor", "info", "critical", "critical"]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (f"{FOLDER}/a b.json", "a b.json"),
        (f"{FOLDER}/x/../y.json", "y.json"),
        ("/elsewhere/x.json", "/elsewhere/x.json"),
        ("-", "-"),
    ],
)
def test_gitlab_paths(name: str, path: str) -> None:
    [item] = json.loads(reports([DocumentResult(name, findings=(found(line=None),))])["gitlab"])

    assert item["location"] == {"path": path, "lines": {"begin": 1}}


def test_places_are_those_of_the_file(tmp_path: Path) -> None:
    """Line, column and end of a finding cut exactly what is marked out of a file."""
    text = '{\r\n  "😀é": {"b": "\u202e"},\n  "a": "x" }'
    source = SourceText(text)
    located = source.locate(["/a"])["/a"]
    [(line, start), (end_line, end)] = source.positions([located.start, located.end])
    one = found(path="/a", line=line, column=start, excerpt=Excerpt(marked='"x"'))
    one = one._replace(end_line=end_line, end_column=end)

    made = reports([DocumentResult(str(tmp_path / "a.json"), findings=(one,))])

    [result] = json.loads(made["sarif"])["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    lines = text.split("\n")
    cut = lines[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
    assert cut == '"x"' == region["snippet"]["text"]
