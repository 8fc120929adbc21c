"""JUnit: a case per document, one fault per case, findings that can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from tests.reporting import (
    FOLDER,
    assert_well_formed,
    found,
    junit_lines,
    ordinary,
    reports,
)
from widgetschema.project.checking.results import DocumentResult, Problem, Result


def suite_of(results: Sequence[Result]) -> ElementTree.Element:
    """The one suite of the report."""
    text = reports(results)["junit"]
    assert_well_formed("junit", text)
    [suite] = ElementTree.fromstring(text.encode())
    return suite


def test_the_counts_are_those_of_the_cases() -> None:
    suite = suite_of(ordinary())

    cases = suite.findall("testcase")
    assert suite.attrib["tests"] == str(len(cases)) == "8"
    for attribute, element in (
        ("failures", "failure"),
        ("errors", "error"),
        ("skipped", "skipped"),
    ):
        holders = [case for case in cases if case.find(element) is not None]
        assert suite.attrib[attribute] == str(len(holders))
    assert suite.attrib["time"] == "1.250"
    assert suite.attrib["timestamp"] == "2027-01-15T08:00:00"


@pytest.mark.parametrize(
    ("result", "classname", "name", "fault"),
    [
        (DocumentResult("a.json", kind="data", type_id="t"), "t", "a.json", None),
        (
            DocumentResult("a.json", kind="document", findings=(found(),)),
            "document",
            "a.json",
            "failure",
        ),
        (DocumentResult("a", "/x/0", 3, "data", "t", (found(),)), "t", "a:3#/x/0", "failure"),
        (DocumentResult("a", findings=(found(),), readable=False), "unreadable", "a", "error"),
        (DocumentResult("a", type_id="t", findings=(found(severity="warning"),)), "t", "a", None),
        (DocumentResult("a", type_id="t", known=2), "t", "a", "skipped"),
        (DocumentResult("a", readable=False, ignored=1), "unreadable", "a", "skipped"),
        (Problem("a", "gone", 3), "problem.file", "a", "error"),
        (Problem("a", "odd", 2, "/0", 4), "problem.type", "a:4#/0", "error"),
        (Problem("-", "odd", 2), "problem.type", "-", "error"),
    ],
)
def test_a_case(result: Result, classname: str, name: str, fault: str | None) -> None:
    file = result.file if result.file == "-" else f"{FOLDER}/{result.file}"
    [case] = suite_of([result._replace(file=file)]).findall("testcase")

    assert (case.attrib["classname"], case.attrib["name"]) == (classname, name)
    assert [child.tag for child in case] == ([] if fault is None else [fault])


def test_a_fault_has_all_findings_of_its_document() -> None:
    one = found("format", message="first", hint="do this", severity="warning")
    other = found("type", message="second", line=9)
    text = reports([DocumentResult("a", findings=(one, other, other))])["junit"]

    [failure] = ElementTree.fromstring(text.encode()).iter("failure")
    assert failure.attrib["type"] == "type"
    assert failure.attrib["message"] == "9:5 type /data/a: second (and 2 more)"
    assert (failure.text or "").strip("\n").split("\n") == [
        "3:5 warning: format /data/a: first",
        "  hint: do this",
        "9:5 type /data/a: second",
        "9:5 type /data/a: second",
    ]


def test_what_is_not_to_be_shown_is_a_fault_all_the_same() -> None:
    one = found("type", message="first")
    results = [
        DocumentResult("a", type_id="t", findings=(one, one, one)).cut(1),
        DocumentResult("b", type_id="t", findings=(one,)).cut(0),
        DocumentResult("c", findings=(one,), readable=False).cut(0),
    ]
    suite = suite_of(results)

    faults = [case[0] for case in suite.findall("testcase")]
    assert [(fault.tag, fault.attrib["type"], fault.attrib["message"]) for fault in faults] == [
        ("failure", "type", "3:5 type /data/a: first (and 2 more)"),
        ("failure", "hidden", "1 finding, not shown"),
        ("error", "hidden", "1 finding, not shown"),
    ]
    assert [(fault.text or "").splitlines()[-1].strip() for fault in faults] == [
        "… and 2 more findings, not shown",
        "… and 1 more finding, not shown",
        "… and 1 more finding, not shown",
    ]
    assert len(junit_lines(reports(results)["junit"])) == 1


def test_remarks_are_in_the_output_of_the_suite() -> None:
    suite = suite_of(
        [DocumentResult(f"{FOLDER}/a b", findings=(found(severity="note", message="odd"),))]
    )

    assert suite.findtext("system-out") == "3:5 note: type /data/a: odd (a b)\n"


def test_the_number_of_findings_is_a_property() -> None:
    suite = suite_of(ordinary())

    properties = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert properties["findings"] == str(len(junit_lines(reports(ordinary())["junit"]))) == "8"


def test_what_xml_cannot_carry_is_replaced() -> None:
    every = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xFFFE, 0xFFFF, 0x1FFFE]))
    text = reports(
        [DocumentResult("a", type_id=every, findings=(found(message=every, hint=every),))]
    )

    assert_well_formed("junit", text["junit"])
    assert junit_lines(text["junit"]) == [f"3:5 type /data/a: {'·' * 9} {'·' * 59}"]
