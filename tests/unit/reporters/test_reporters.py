"""Reporters: frames whose marks are under the value, safe text, JSON that says it all."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.cli.console.output import Output
from widgetschema.cli.pipeline.result_dispatch import OpenReport, ResultDispatcher
from widgetschema.findings import Finding, Fix, Provenance
from widgetschema.formats.model import Parsed
from widgetschema.jsontext import SourceText
from widgetschema.project.checking.locations import UnlocatedResult, locate
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Outcome,
    Problem,
    Summary,
)
from widgetschema.project.checking.runner import FileResults
from widgetschema.project.checking.triage import Triage
from widgetschema.project.config import load
from widgetschema.project.report_formats import ReportContext, create_reporter
from widgetschema.reporters.formats.json import JsonReporter
from widgetschema.reporters.formats.junit import JunitReporter
from widgetschema.reporters.formats.text import TextReporter
from widgetschema.reporters.style import columns, plain
from widgetschema.text import printable

# Text of every sort: plain, wide, combining, control, bidi, beyond the first plane.
texts = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from("ab\t\x00\x1b\x7f\x9b\u0301\u202e\u200d\ufe0f日本é😀\u3000"),
    max_size=120,
)


def checked(text: str, *findings: Finding, **fields: Any) -> DocumentResult:
    """A document of this text, with these findings in their places."""
    document = DocumentResult("x.json", kind="data", type_id="t", **fields)
    [result] = locate([UnlocatedResult(document, findings)], Parsed(None, SourceText(text)))
    assert isinstance(result, DocumentResult)
    return result


def frames(shown: str) -> list[tuple[str, str]]:
    """Per frame, the source line and the line with the mark, both without the margin."""
    found = re.findall(r"^  +\d+ \| (.*)\n +\| (.*)$", shown, re.MULTILINE)
    return [(source, mark) for source, mark in found]


def cut(text: str, start: int, end: int) -> str:
    """Return the part of a text that is shown between two columns of a terminal."""
    at, inside = 0, ""
    for character in text:
        if start <= at < end:
            inside += character
        at += columns(character)
    return inside


WRONG = Finding("type", "/a", "/type", "it is wrong", "do this")


@pytest.mark.parametrize(
    ("text", "source", "mark"),
    [
        ('{"a": 12}', '{"a": 12}', "      ^^"),
        ('{\n    "a": 12\n}', '"a": 12', "     ^^"),
        ('{\n\t\t"a":\t12\n}', '"a": 12', "     ^^"),
        ('{"a":\r\n12\r\n}', "12", "^^"),
        ('{"a":\n{\r\n"b": 1}}', "{", "^"),
        ('{"a": [1,\n2]}', '{"a": [1,', "      ^^^"),
        ('{"日本": 1, "a": "日"}', '{"日本": 1, "a": "日"}', "                 ^^^^"),
        ('{"e\u0301": 1, "a": "o\u0308"}', '{"e\u0301": 1, "a": "o\u0308"}', "              ^^^"),
        ('{"❤\ufe0f": 1, "a": 1}', '{"❤\ufe0f": 1, "a": 1}', "              ^"),
        ('{"x\u202ey": "\x9b", "a": 1}', '{"x·y": "·", "a": 1}', "                  ^"),
        ('{"\x7f": 1, "a": "\u200b"}', '{"·": 1, "a": "·"}', "              ^^^"),
        (
            '{"b": "' + "x" * 100 + '", "a": 12}',
            "…" + "x" * 32 + '", "a": 12}',
            " " * 41 + "^^",
        ),
        (
            '{"a": "' + "x" * 200 + '"}',
            '{"a": "' + "x" * 89 + "…",
            "      " + "^" * 90,
        ),
        (
            '{"b": "' + "x" * 50 + '", "a": "' + "y" * 200 + '"}',
            "…" + "x" * 32 + '", "a": "' + "y" * 55 + "…",
            " " * 41 + "^" * 56,
        ),
        (
            "{" + " " * 200 + '"a": 1}',
            "…" + " " * 35 + '"a": 1}',
            " " * 41 + "^",
        ),
        ("{\n" + " " * 200 + '"a": 1}', '"a": 1}', "     ^"),
        ('{"a": 1,' + " " * 87 + "}", '{"a": 1,' + " " * 87 + "}", "      ^"),
        ('{"a": 1,' + " " * 88 + "}", '{"a": 1,' + " " * 88 + "…", "      ^"),
        ('{"a": 1,' + " " * 88 + "\n}", '{"a": 1,' + " " * 88, "      ^"),
        ('{"a": 1,' + " " * 88 + "\r\n}", '{"a": 1,' + " " * 88, "      ^"),
    ],
)
def test_the_mark_is_under_the_value(text: str, source: str, mark: str) -> None:
    shown = TextReporter().document(checked(text, WRONG))

    assert frames(shown) == [(source, mark)]
    assert shown.endswith("\n  hint: do this\n")


def test_the_frame_of_a_long_minified_line_is_a_window() -> None:
    members = ",".join(f'"m{index}":"value {index}"' for index in range(5_000))
    text = f'{{{members},"a":"3"}}'
    findings = [replace(WRONG, path=f"/m{index}") for index in range(0, 5_000, 5)]

    shown = TextReporter().document(checked(text, *findings, WRONG))

    assert len(text) > 100_000
    assert len(frames(shown)) == 1_001
    assert max(map(len, shown.splitlines())) < 120
    assert all(cut(source, mark.index("^"), len(mark))[0] == '"' for source, mark in frames(shown))


@given(before=texts, value=texts, after=texts, is_ascii=st.booleans())
def test_any_value_is_shown_safely_above_its_mark(
    before: str, value: str, after: str, is_ascii: bool
) -> None:
    written = json.dumps(value, ensure_ascii=is_ascii)
    text = f'{{{json.dumps("0" + before, ensure_ascii=is_ascii)}: 1, "a": {written}, "z": '
    text += f"{json.dumps(after, ensure_ascii=is_ascii)}}}"

    shown = TextReporter().document(checked(text, WRONG))

    assert all(line.isprintable() for line in shown.split("\n"))
    [(source, mark)] = frames(shown)
    above = cut(source, mark.index("^"), len(mark))
    assert re.fullmatch(r" *\^+", mark)
    assert printable(written).startswith(above.rstrip())
    assert above == printable(written)[: len(above)]
    assert len(above) >= min(len(written), 40)


@given(name=texts, sentence=texts, hint=texts, file=texts)
def test_nothing_that_a_terminal_obeys_passes(
    name: str, sentence: str, hint: str, file: str
) -> None:
    finding = Finding("type", "", "", sentence or "x", hint or "x")
    result = checked(json.dumps({name: 1}), finding, hint="look")._replace(file=file)

    shown = TextReporter().document(result)

    assert all(line.isprintable() for line in shown.split("\n"))
    assert str(Problem(file, "odd", 3, "/docs/0", 4)).isprintable()


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("e\u0301", 1),
        ("❤\ufe0f", 1),
        ("ﾊ", 1),
        ("a\u20dd", 1),
        ("한", 2),
        ("😀", 2),
        ("", 0),
    ],
)
def test_columns(text: str, width: int) -> None:
    assert columns(text) == width


def test_roles_are_styled_and_nothing_else() -> None:
    roles: list[tuple[str, str]] = []

    def style(role: str, text: str) -> str:
        roles.append((role, text))
        return f"<{text}>"

    result = checked('{"a": 12}', WRONG, hint="the whole")
    shown = TextReporter(style).document(result)

    assert shown == (
        "<x.json:1:7:> <type /a>: it is wrong\n"
        '  1 | {"a": <12>}\n'
        "    |       <^^>\n"
        "  <hint>: do this\n"
        "x.json: <hint>: the whole\n"
    )
    assert {role for role, _ in roles} == {"where", "keyword", "mark", "hint"}


def test_what_is_shown_may_be_longer_than_the_source() -> None:
    def show(text: str) -> str:
        return text.replace("é", "[e]").replace("…", "...")

    text = '{"' + "é" * 40 + '": "é", "a": "é"}'
    [(source, mark)] = frames(TextReporter(show=show).document(checked(text, WRONG)))

    assert source.startswith("...")
    assert cut(source, mark.index("^"), len(mark)) == '"[e]"'


# Counting


def invalid(number: int) -> DocumentResult:
    text = json.dumps({f"a{index}": index for index in range(number)})
    return checked(text, *(replace(WRONG, path=f"/a{index}") for index in range(number)))


UNREADABLE = DocumentResult(
    "x.json", findings=(LocatedFinding(replace(WRONG, path="", line=1, column=1)),), readable=False
)
VALID = DocumentResult("x.json", kind="data", type_id="t")


@pytest.mark.parametrize("most", [None, 0, 1, 2, 3, 4, 5, 6, 7])
def test_no_finding_is_lost_from_the_count(
    most: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = (VALID, invalid(2), UNREADABLE, VALID, invalid(1), invalid(2))
    triage = Triage(load(str(tmp_path), {}), None, str(tmp_path))
    as_json, as_xml = tmp_path / "out.json", tmp_path / "out.xml"
    reports = [
        OpenReport(JunitReporter(str(tmp_path)), Output(str(as_xml))),
        OpenReport(TextReporter(), Output(None)),
        OpenReport(JsonReporter(), Output(str(as_json))),
    ]

    dispatcher = ResultDispatcher(triage, reports, most)
    dispatcher.add(FileResults("x.json", results))
    assert dispatcher.close([], everything=False) == 3
    shown, parsed = capsys.readouterr().out, json.loads(as_json.read_text(encoding="utf-8"))

    expected = 6 if most is None else min(most, 6)
    more = re.search(r"^… and (\d) more findings?$", shown, re.MULTILINE)
    assert len(re.findall(r"^x.json:\d+:\d+: type", shown, re.MULTILINE)) == expected
    assert (int(more[1]) if more else 0) == 6 - expected
    assert sum(len(document["findings"]) for document in parsed["documents"]) == expected
    assert parsed["truncated"] == (expected < 6)
    assert parsed["summary"]["findings"] == 5
    assert dispatcher.summary == Summary(
        files=1, valid=2, invalid=3, unreadable=1, findings=5, code=3
    )
    assert not any(document["valid"] for document in parsed["documents"])
    [suite] = ElementTree.parse(as_xml).getroot()
    assert [suite.attrib[name] for name in ("failures", "errors", "skipped")] == ["3", "1", "0"]


def test_a_document_whose_errors_are_not_shown_fails_as_before() -> None:
    warning = LocatedFinding(WRONG, severity="warning")
    document = DocumentResult(
        "x.json", findings=(warning, LocatedFinding(WRONG), LocatedFinding(WRONG))
    )

    cut = document.cut(1)

    assert cut.findings == (warning,)
    assert cut.failed
    assert not cut.as_dict()["valid"]
    assert not document._replace(findings=(warning, warning)).cut(1).failed


def test_summary_keeps_the_highest_code_in_any_order() -> None:
    four, two = Problem("x", "odd", 4), Problem("x", "odd", 2)

    assert Summary().with_problem(four).with_document(UNREADABLE).with_problem(two).code == 4
    assert Summary().with_document(invalid(1)).with_problem(two).with_document(VALID).code == 2
    assert Summary().with_problem(two).with_document(UNREADABLE).with_document(invalid(1)).code == 3
    assert Summary().with_document(VALID).code == 0


def test_json_has_the_members_of_the_classes() -> None:
    reporter = JsonReporter()
    document, problem = invalid(1), Problem("y.json", "odd", 2, "/docs/1", 7)
    [one] = document.findings
    finding = replace(one.finding, fix=Fix("value", "0"))
    one = one._replace(finding=finding, severity="warning", fingerprint="abc")
    document = document._replace(findings=(one,))
    summary = Summary(files=1).with_document(document).with_problem(problem)

    reporter.document(document)
    schema = Provenance(
        "faq", "schemas/faq.json", "0" * 64, "https://platform.example", "2026-11-21"
    )
    value = json.loads(reporter.end(Outcome(summary, [problem], [schema], resolved=["x"])))

    assert value == {
        "version": 1,
        "summary": summary.as_dict(),
        "schemas": [schema.as_dict()],
        "truncated": False,
        "documents": [document.as_dict()],
        "problems": [
            {
                "file": "y.json",
                "pointer": "/docs/1",
                "line": 7,
                "message": "odd",
                "code": 2,
                "keyword": "problem.type",
                "fingerprint": "",
            }
        ],
        "resolved": ["x"],
    }
    assert value["documents"][0]["findings"] == [
        {
            "keyword": "type",
            "path": "/a0",
            "schema_path": "/type",
            "message": "it is wrong",
            "hint": "do this",
            "line": 1,
            "column": 8,
            "expected": None,
            "fix": {"replace": "value", "text": "0", "applicability": "safe"},
            "end_line": 1,
            "end_column": 9,
            "severity": "warning",
            "fingerprint": "abc",
        }
    ]


@pytest.mark.parametrize("name", ["github", "json", "junit", "markdown", "ndjson", "sarif", "text"])
def test_what_was_not_looked_for_is_told(name: str, tmp_path: Path) -> None:
    problem = Problem("x.json", "there are more", 1, truncated=True)
    context = ReportContext(str(tmp_path), plain, printable, False)
    for problems in ([], [problem]):
        outcome = Outcome(Summary(invalid=1, findings=9), problems, hidden=5)
        reporter = create_reporter(name, context)
        text = reporter.document(invalid(2)) + reporter.end(outcome)
        assert "5" in text or "truncated" in text
        if name not in ("json", "junit", "ndjson"):
            assert ("at least 5 " in text) == bool(problems)
    outcome = Outcome(Summary(invalid=1, findings=9), [problem])
    text = create_reporter(name, context).end(outcome)
    assert name not in ("json", "ndjson") or '"truncated":true' in text.replace(" ", "")


def test_a_file_is_left_when_nothing_more_of_it_would_be_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    triage = Triage(load(str(tmp_path), {}), None, str(tmp_path))
    reports = [OpenReport(TextReporter(), Output(None))]
    dispatcher = ResultDispatcher(triage, reports, 1, enough=3)
    part = FileResults("x.json", (invalid(2),))
    for number, is_enough in enumerate([False, True]):
        results = part._replace(is_first=not number)
        dispatcher.add(results)
        assert not dispatcher.has_enough(results._replace(is_complete=True))
        assert dispatcher.has_enough(results) == is_enough
    other = part._replace(file="y.json")
    dispatcher.add(other)
    assert not dispatcher.has_enough(other)
    assert dispatcher.close([], everything=False) == 1
    said = capsys.readouterr()
    assert "x.json: there are at least 3 findings that are not shown; the rest" in said.err
    assert said.out.endswith("… and at least 5 more findings\n")


def test_the_first_result_that_fails_may_be_the_last(tmp_path: Path) -> None:
    triage = Triage(load(str(tmp_path), {}), None, str(tmp_path))
    dispatcher = ResultDispatcher(triage, [], fail_fast=True)
    dispatcher.add(FileResults("x.json", (VALID, invalid(2), VALID, invalid(1))))
    assert dispatcher.has_failed
    assert dispatcher.summary == Summary(files=1, valid=1, invalid=1, findings=2, code=1)


@pytest.mark.parametrize(("number", "rest"), [(20, ""), (21, "1 other"), (23, "3 others")])
def test_of_what_is_no_longer_found_the_first_are_listed(number: int, rest: str) -> None:
    text = TextReporter().end(Outcome(Summary(), resolved=[f"line {n}" for n in range(number)]))

    *lines, advice = text.splitlines()
    assert lines[:20] == [f"no longer found: line {n}" for n in range(20)]
    assert [line.rpartition(": ")[2] for line in lines[20:]] == [rest] * bool(rest)
    assert advice == "--write-baseline removes what is no longer found, and adds what is new"
