"""Reports are valid by the schemas that others publish: SARIF by OASIS, JUnit by Jenkins."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
import xmlschema
from hypothesis import given, settings

from tests.browser.bundling import packages
from tests.distributions import source_package
from tests.effort import scaled
from tests.reporting import (
    FOLDER,
    NAMES,
    NASTY,
    ORDINARY_OUTCOME,
    RESULTS,
    SARIF,
    found,
    many,
    ordinary,
    reports,
    scalar_json,
)
from widgetschema.project.checking.results import DocumentResult, Excerpt, Problem, Result


@cache
def sarif_schema() -> Any:
    """Return the schema of the OASIS standard, as the package on npm carries it."""
    folder = packages() / "@microsoft" / "jest-sarif" / "lib" / "schemas"
    text = (folder / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
    # A pattern of this schema is no regular expression of ECMA 262: a bracket is too much. It is
    # about the property `language`, which our reports never have.
    schema = json.loads(text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}?$"))
    kind = jsonschema_rs.Draft4Validator if "id" in schema else jsonschema_rs.Draft7Validator
    return kind(schema, validate_formats=True)


@cache
def junit_schema() -> Any:
    """Return the XSD of Jenkins' xUnit plugin, as the source package of pytest carries it."""
    scripts = source_package("pytest", "9.2.0") / "testing" / "example_scripts"
    return xmlschema.XMLSchema10(scripts / "junit-10.xsd")


def assert_valid(texts: dict[str, str]) -> None:
    """Assert that the reports in these formats are valid by the schemas."""
    for format in SARIF:
        sarif_schema().validate(scalar_json(texts[format]))
    junit_schema().validate(texts["junit"])


def test_the_schemas_refuse_something() -> None:
    assert not sarif_schema().is_valid({"version": "2.1.0"})
    assert not junit_schema().is_valid("<testsuites><testsuite/></testsuites>")


NASTY_FINDING = found(
    NASTY, f"/{NASTY}", NASTY, NASTY, excerpt=Excerpt(NASTY, NASTY, NASTY), fingerprint="1"
)
RUNS: dict[str, list[Result]] = {
    "no files": [],
    "all valid": [DocumentResult("a.json", type_id="t")],
    "ordinary": ordinary(),
    "many": [*many(600)],
    "any text": [
        DocumentResult(
            f"{FOLDER}/{NASTY}", f"/{NASTY}", None, "data", NASTY, (NASTY_FINDING,), hint="look"
        ),
        DocumentResult(f"{FOLDER}/x.json", findings=(NASTY_FINDING,), readable=False),
        Problem(f"{FOLDER}/{NASTY}", NASTY, 2, f"/{NASTY}", 3, 4),
    ],
    "any file name": [
        result
        for name in NAMES
        for result in (
            DocumentResult(name, "/0", type_id="t", findings=(found(),)),
            Problem(name, "gone", 3),
        )
    ],
}


@pytest.mark.parametrize("results", RUNS.values(), ids=RUNS)
def test_reports_are_valid(results: list[Result]) -> None:
    assert_valid(reports(results))
    assert_valid(reports(results, hidden=1_234, resolved=[NASTY]))
    assert_valid(reports(results, **ORDINARY_OUTCOME))


@settings(max_examples=scaled(30))
@given(results=RESULTS)
def test_any_reports_are_valid(results: list[Result]) -> None:
    assert_valid(reports(results))
