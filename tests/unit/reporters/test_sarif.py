"""SARIF: what GitHub code scanning and viewers read of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import pytest

from tests.reporting import (
    FOLDER,
    NAMES,
    NASTY,
    ORDINARY_OUTCOME,
    assert_well_formed,
    found,
    ordinary,
    report,
    reports,
)
from widgetschema.catalog.catalog import Catalog, widget_type
from widgetschema.findings import Finding, Fix
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.results import (
    DocumentResult,
    Excerpt,
    LocatedFinding,
    Problem,
    Result,
    Severity,
    Suppressed,
)
from widgetschema.project.inputs.model import Text
from widgetschema.reporters.formats.sarif import MOST, SarifReporter
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.text import printable


def run_of(results: Sequence[Result], **outcome: Any) -> Any:
    """The one run of the report."""
    text = reports(results, **outcome)["sarif"]
    assert_well_formed("sarif", text)
    [run] = json.loads(text)["runs"]
    return run


def result_of(one: LocatedFinding, file: str = f"{FOLDER}/a.json") -> Any:
    """The one result of a run that found this."""
    [result] = run_of([DocumentResult(file, findings=(one,))])["results"]
    return result


def test_rules_are_those_of_the_results() -> None:
    run = run_of(ordinary())

    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert [one["id"] for one in rules] == sorted({one["ruleId"] for one in run["results"]})
    assert all({"shortDescription", "fullDescription", "help"} <= {*one} for one in rules)


def test_the_tool_has_its_version() -> None:
    driver = run_of([])["tool"]["driver"]

    assert driver["name"] == "widgetschema"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", driver["version"])
    assert driver["rules"] == []


def test_a_rule_has_the_page_of_its_code() -> None:
    run = run_of([DocumentResult(f"{FOLDER}/a.json", findings=(found(), found("foreign.code")))])

    by_id = {one["id"]: one for one in run["tool"]["driver"]["rules"]}
    markdown = by_id["type"]["help"]["markdown"]
    assert markdown.startswith("# `type`\n")
    assert "](" not in markdown
    assert "markdown" not in by_id["foreign.code"]["help"]


def test_the_folder_of_files_is_described_without_its_path() -> None:
    run = run_of(ordinary())

    assert {*run["originalUriBaseIds"]} == {"%SRCROOT%"}
    assert "uri" not in run["originalUriBaseIds"]["%SRCROOT%"]


@pytest.mark.parametrize("severity", ["error", "warning", "note"])
def test_severities_are_levels(severity: Severity) -> None:
    assert result_of(found(severity=severity))["level"] == severity


@pytest.mark.parametrize("name", NAMES)
def test_addresses_lead_to_the_file(name: str) -> None:
    location = result_of(found(), name)["locations"][0]["physicalLocation"]["artifactLocation"]

    uri = location["uri"]
    assert uri.isascii()
    back = unquote(urlsplit(uri).path, errors="surrogateescape")
    if name == "-":
        assert location == {"uri": "-", "description": {"text": "standard input"}}
    elif name.startswith(FOLDER):
        assert location["uriBaseId"] == "%SRCROOT%"
        assert (urlsplit(uri).scheme, urlsplit(uri).netloc) == ("", "")
        assert f"{FOLDER}/{back}" == name
    else:
        assert "uriBaseId" not in location
        assert uri == f"file://{name}"


def test_the_region_of_a_finding() -> None:
    one = found(line=3, column=5, excerpt=Excerpt("", '"12"', ""))

    location = result_of(one)["locations"][0]

    assert location["physicalLocation"]["region"] == {
        "startLine": 3,
        "startColumn": 5,
        "endLine": 3,
        "endColumn": 9,
        "snippet": {"text": '"12"'},
    }
    assert location["logicalLocations"] == [{"name": "a", "fullyQualifiedName": "/data/a"}]


@pytest.mark.parametrize(
    ("one", "region"),
    [
        (found(line=None), {"startLine": 1}),
        (
            found()._replace(end_line=1, end_column=1),
            {"startLine": 3, "startColumn": 5},
        ),
        (
            found(excerpt=Excerpt("", "12…", ""))._replace(end_column=90),
            {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 90},
        ),
        (
            found(excerpt=Excerpt("", "{", ""))._replace(end_line=9, end_column=2),
            {"startLine": 3, "startColumn": 5, "endLine": 9, "endColumn": 2},
        ),
    ],
    ids=["no position", "no end", "cut", "several lines"],
)
def test_regions_without_a_snippet(one: LocatedFinding, region: dict[str, int]) -> None:
    assert result_of(one)["locations"][0]["physicalLocation"]["region"] == region


def test_fingerprints() -> None:
    assert result_of(found(fingerprint="abc"))["partialFingerprints"] == {"widgetschema/v1": "abc"}
    one, other = result_of(found()), result_of(found(path="/data/b"))
    assert one["partialFingerprints"] != other["partialFingerprints"]


@pytest.mark.parametrize(
    ("keyword", "replace", "is_offered"),
    [
        ("type", "value", True),
        ("enum", "value", True),
        ("additionalProperties", "name", True),
        ("propertyNames", "name", True),
        ("additionalProperties", "value", False),
        ("required", "name", False),
        ("type", "name", False),
    ],
)
def test_a_fix_is_offered_where_it_replaces_what_is_marked(
    keyword: str, replace: Any, is_offered: bool
) -> None:
    result = result_of(found(keyword, fix=Fix(replace, '"x"')))

    assert ("fixes" in result) is is_offered
    if is_offered:
        [change] = result["fixes"][0]["artifactChanges"]
        assert change["artifactLocation"]["uri"] == "a.json"
        assert change["replacements"] == [
            {
                "deletedRegion": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 7},
                "insertedContent": {"text": '"x"'},
            }
        ]


@pytest.mark.parametrize(
    ("applicability", "text"),
    [
        ("safe", "Safe fix, applied by widgetschema validate --fix"),
        ("unsafe", "Unsafe fix, applied by widgetschema validate --unsafe-fixes"),
    ],
)
def test_a_fix_says_whether_it_is_safe(applicability: Literal["safe", "unsafe"], text: str) -> None:
    [fix] = result_of(found("enum", fix=Fix("value", '"x"', applicability)))["fixes"]
    assert fix["description"] == {"text": text}
    assert fix["properties"] == {"applicability": applicability}


def test_the_fixes_of_a_report_mend_the_file() -> None:
    """From the file to the report and back: only by what SARIF says of it."""
    countdown = widget_type("countdown")
    good = json.dumps(countdown.maximal(), indent=2, ensure_ascii=False)
    name, number = "fontId", re.search(r'"[A-Za-z]+": (\d+),?$', good, re.MULTILINE)
    assert number is not None
    bad = good[: number.start(1)] + f'"{number[1]}"' + good[number.end(1) :]
    bad = bad.replace(f'"{name}"', '"fontid"', 1).replace("\n", "\r\n")
    checker = Checker(Catalog.default(), type_id="countdown", kind="data")

    run = run_of(checker.check(Text(f"{FOLDER}/a.json", bad.encode())))

    assert sorted(one["ruleId"] for one in run["results"]) == ["additionalProperties", "type"]
    fixed = bad.split("\n")
    for result in reversed(run["results"]):
        [change] = result["fixes"][0]["artifactChanges"]
        [replacement] = change["replacements"]
        at = replacement["deletedRegion"]
        line = fixed[at["startLine"] - 1]
        text = replacement["insertedContent"]["text"]
        line = line[: at["startColumn"] - 1] + text + line[at["endColumn"] - 1 :]
        fixed[at["startLine"] - 1] = line
    assert "\n".join(fixed) == good.replace("\n", "\r\n")


def test_no_fix_for_what_is_no_file_or_has_no_place() -> None:
    fix = Fix("value", "1")
    assert "fixes" not in result_of(found(fix=fix), "-")
    assert "fixes" not in result_of(found(fix=fix), f"{FOLDER}/a.json.GZ")
    assert "fixes" not in result_of(found(fix=fix, line=None))
    assert "fixes" not in result_of(found(fix=fix)._replace(end_line=1))


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ('must be {"a": [1]}', 'must be {"a": [1]}'),
        ("a [b] (c)", "a [b] (c)"),
        ("see {0} and {x}", "see {{0}} and {{x}}"),
        ("[click](http://x.y)", r"\[click\](http://x.y)"),
        (r"[a\](b)", r"\[a\\\](b)"),
        ("a\x1bb\nc", "a·b·c"),
    ],
)
def test_nothing_in_a_message_is_a_link_or_a_placeholder(sentence: str, text: str) -> None:
    assert result_of(found(message=sentence))["message"] == {"text": text}


def test_a_hint_is_in_a_line_of_its_own() -> None:
    message = result_of(found(message="it is wrong", hint="do this"))["message"]

    assert message == {"text": "it is wrong\nhint: do this"}


@pytest.mark.parametrize(
    ("results", "code", "is_successful"),
    [
        ([], 0, True),
        ([DocumentResult("a", findings=(found(),))], 1, True),
        ([DocumentResult("a", findings=(found(),), readable=False)], 3, True),
        ([Problem("a", "gone", 3)], 3, True),
        ([Problem("a", "which type?", 2)], 2, False),
        ([Problem("a", "no schema", 4), Problem("b", "gone", 3)], 4, False),
        ([Problem("a", "no network", 5)], 5, False),
    ],
)
def test_the_invocation(results: list[Result], code: int, is_successful: bool) -> None:
    [invocation] = run_of(results)["invocations"]

    assert invocation == {"executionSuccessful": is_successful, "exitCode": code}


def test_problems_are_results() -> None:
    results = run_of([Problem(f"{FOLDER}/a.json", "gone", 3), Problem("b", "odd", 2, "/x", 7, 9)])

    first, second = results["results"]
    assert (first["ruleId"], second["ruleId"]) == ("problem.file", "problem.type")
    assert second["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 7,
        "startColumn": 9,
    }


def test_what_does_not_count_is_suppressed() -> None:
    old, odd = found("enum", fingerprint="old"), found("type", fingerprint="odd")
    suppressed = (
        Suppressed(old, ("in the baseline known.json",), is_known=True),
        Suppressed(odd, ("the shop needs it", NASTY), is_known=False),
    )
    gone = Suppressed(Problem(f"{FOLDER}/b.json", "gone", 3), ("moving",), is_known=False)
    document = DocumentResult(
        f"{FOLDER}/a.json", findings=(found(fingerprint="new"),), suppressed=suppressed
    )

    results = run_of([document], has_baseline=True, suppressed=[gone])["results"]

    by_code = [(one["ruleId"], one.get("baselineState")) for one in results]
    assert by_code == [
        ("type", "new"),
        ("enum", "unchanged"),
        ("type", None),
        ("problem.file", None),
    ]
    assert "suppressions" not in results[0]
    reasons = [
        [(each["kind"], each["justification"]) for each in one["suppressions"]]
        for one in results[1:]
    ]
    assert reasons == [
        [("external", "in the baseline known.json")],
        [("external", "the shop needs it"), ("external", printable(NASTY))],
        [("external", "moving")],
    ]


def test_without_a_baseline_nothing_is_new() -> None:
    assert "baselineState" not in result_of(found())


def test_code_scanning_gets_only_what_counts() -> None:
    text = reports(ordinary(), **ORDINARY_OUTCOME)["github-sarif"]

    assert "suppressions" not in text
    assert "unchanged" not in text
    [run] = json.loads(text)["runs"]
    rules = {one["id"] for one in run["tool"]["driver"]["rules"]}
    assert rules == {one["ruleId"] for one in run["results"]}


def installed_with(folder: Path, *urls: str) -> dict[str, str]:
    """The environment of a process that finds the package installed with these addresses."""
    declared = folder / "widgetschema-9.9.9.dist-info"
    declared.mkdir()
    lines = ["Metadata-Version: 2.4", "Name: widgetschema", "Version: 9.9.9"]
    lines += [f"Project-URL: {url}" for url in urls]
    (declared / "METADATA").write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.mark.parametrize(
    ("urls", "information", "page"),
    [
        ([], None, None),
        (["Homepage, javascript:alert(1)", "Documentation, no address"], None, None),
        (["Repository, https://code.example/w"], None, None),
        (["Homepage, https://w.example/"], "https://w.example/", None),
        (
            ["documentation, https://docs.example/en/"],
            "https://docs.example/en/",
            "https://docs.example/en/reference/findings/type.html",
        ),
        (
            ["Homepage, https://w.example", "Documentation, https://docs.example"],
            "https://w.example",
            "https://docs.example/reference/findings/type.html",
        ),
    ],
    ids=["none", "not for the web", "others", "home page", "manual", "both"],
)
def test_addresses_are_those_that_the_package_declares(
    tmp_path: Path, urls: list[str], information: str | None, page: str | None
) -> None:
    (tmp_path / "bad.json").write_text(
        '{"content": 1, "settings": {}, "styles": {}}', encoding="utf-8"
    )

    command = [sys.executable, "-m", "widgetschema", "validate", "--format", "sarif"]
    text = subprocess.run(
        [*command, "--no-config", "--type", "countdown", "bad.json"],
        env=installed_with(tmp_path, *urls),
        cwd=tmp_path,
        check=False,
        capture_output=True,
    ).stdout

    [run] = json.loads(text)["runs"]
    driver = run["tool"]["driver"]
    [rule] = [one for one in driver["rules"] if one["id"] == "type"]
    assert driver.get("informationUri") == information
    specification = KEYWORDS["type"].specification
    assert rule["helpUri"] == (page or specification)


def test_more_than_github_takes_is_cut_and_said() -> None:
    assert MOST == 25_000

    def finding(severity: Severity, number: int) -> tuple[LocatedFinding, ...]:
        one = Finding("type", "/a", "", severity, line=1, column=1)
        return (LocatedFinding(one, severity=severity, fingerprint="x"),) * number

    results: list[Result] = [
        DocumentResult("known", suppressed=(Suppressed(found(), ("known",), is_known=True),)),
        DocumentResult("notes", findings=finding("note", 10)),
        DocumentResult("warnings", findings=finding("warning", 50)),
        DocumentResult("errors", findings=finding("error", 5)),
    ]

    text = report(SarifReporter(FOLDER, most=50), results, hidden=3)
    assert_well_formed("sarif", text)
    [run] = json.loads(text)["runs"]

    levels = [one["level"] for one in run["results"]]
    assert levels == ["warning"] * 45 + ["error"] * 5
    left_out, hidden = run["invocations"][0]["toolExecutionNotifications"]
    assert left_out["message"]["text"] == "16 more findings left out: GitHub accepts at most 50"
    assert hidden["message"]["text"].startswith("3 more findings left out")
