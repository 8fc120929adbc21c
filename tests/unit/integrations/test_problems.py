"""Errors as HTTP responses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from widgetschema import errors
from widgetschema.findings import Finding, Report
from widgetschema.integrations.problems import problem_of

SECRET = "tok-5ecret"
REPORT = Report((Finding("required", "", "", "missing", expected="é"),))


def platform(kind: type[errors.PlatformError], **more: Any) -> errors.PlatformError:
    error = kind(f"no, {SECRET}", method="GET", path=f"/{SECRET}", body=SECRET)
    error.__dict__.update(more)
    return error


def raised() -> list[tuple[errors.WidgetSchemaError, int]]:
    """Every public error, as it may be raised, and its status."""
    size = Report((Finding("json.size", "", "", "large"),))
    return [
        (errors.InvalidWidgetData(REPORT), 422),
        (errors.UnreadableDocument(REPORT), 400),
        (errors.UnreadableDocument(size), 413),
        (errors.UnknownWidgetType("a", ["b"]), 422),
        (errors.InvalidTypeId("../a", "it has a slash"), 422),
        (errors.StaleForm(), 409),
        (errors.TooManyFields(20_001, 20_000), 413),
        (errors.FormError("a control is a file"), 400),
        (errors.InvalidTemplate(SECRET, 3, SECRET), 500),
        (errors.ControlError("stars", "/a", SECRET), 500),
        (errors.InvalidFormDescription(Report((Finding("kind", "", "", SECRET),))), 500),
        (errors.UnknownLanguage(SECRET, [SECRET]), 500),
        (errors.InvalidTranslation(SECRET, 1, SECRET), 500),
        (errors.LoginRequired(SECRET), 401),
        (platform(errors.PlatformError), 503),
        (platform(errors.Unreachable), 503),
        (platform(errors.ErrorResponse, status=429, retry_after=1.2), 503),
        (platform(errors.UnusableResponse), 503),
        (platform(errors.IncompleteListing), 503),
        (errors.NotAvailableOffline("a", SECRET), 503),
        (errors.InvalidSchema(Report((Finding("type", "", "", SECRET),))), 502),
        (errors.UnsupportedDialect("a", SECRET), 502),
        (errors.UnresolvableReference("a", "", SECRET, SECRET, SECRET), 502),
        (errors.ReferenceLoop("a", [SECRET], SECRET), 502),
        (errors.UnclearSchema("a", SECRET, SECRET), 502),
        (errors.CannotGenerate("a", "", SECRET), 502),
        (errors.SchemaError(SECRET), 502),
        (errors.StoreError(f"/{SECRET}", SECRET), 500),
        (errors.UnreadableSchema(f"/{SECRET}", SECRET), 500),
        (errors.ConfigurationError(Report((Finding("type", "", "", SECRET),))), 500),
        (errors.ChangesUnknown(SECRET), 500),
        (errors.TokenStorageError(SECRET, SECRET), 500),
        (errors.ClusterError(SECRET, SECRET), 500),
        (errors.UnsharedInput(SECRET, SECRET, SECRET), 500),
        (errors.InvalidPlan(Report((Finding("type", "", "", SECRET),))), 500),
        (errors.MigrationFailed(Report((Finding("type", "", "", SECRET),)), "invalid"), 500),
        (errors.PatchError(0, SECRET), 500),
        (errors.ReporterError(SECRET, SECRET), 500),
        (errors.MissingExtra("forms", SECRET), 500),
        (errors.EngineUnavailable("rust", SECRET), 500),
        (errors.WidgetSchemaError(SECRET), 500),
    ]


@pytest.mark.parametrize(("error", "status"), raised(), ids=lambda one: type(one).__name__)
def test_every_error_is_a_response_without_secrets(
    error: errors.WidgetSchemaError, status: int
) -> None:
    problem = problem_of(error)
    assert problem.status == problem.body["status"] == status
    assert json.loads(problem.to_bytes()) == problem.body
    assert SECRET not in f"{problem}"
    assert problem.body["title"]
    assert problem.body["detail"]


def test_there_is_a_response_for_each_error() -> None:
    todo: list[type[errors.WidgetSchemaError]] = [errors.WidgetSchemaError]
    for kind in todo:
        todo += kind.__subclasses__()
    public = {kind for kind in todo if kind.__module__ == errors.__name__}
    tried = {type(error) for error, _ in raised()}
    assert {kind.__name__ for kind in public - tried} == {"_ReportError"}


def test_pointers_are_those_of_the_body() -> None:
    [error] = problem_of(errors.InvalidWidgetData(REPORT), prefix="/data").body["errors"]
    assert error["pointer"] == "#/data/%C3%A9"
    [error] = problem_of(errors.UnreadableDocument(REPORT), prefix="/data").body["errors"]
    assert error["pointer"] == "#/%C3%A9"


def test_an_unknown_type_in_the_address_is_not_found() -> None:
    error = errors.UnknownWidgetType("countdwn", ["countdown", "private"], ["countdown"])
    problem = problem_of(error, unknown_type=404)
    assert problem.status == 404
    assert problem.body["nearest"] == ["countdown"]
    assert "private" not in str(problem.body)
    assert len(problem_of(errors.UnknownWidgetType("x" * 100_000, [])).to_bytes()) < 1_000


def test_headers() -> None:
    later = platform(errors.ErrorResponse, status=429, retry_after=1.2)
    assert problem_of(later).headers == {"Retry-After": "2"}
    assert "Bearer" in problem_of(errors.LoginRequired("no")).headers["WWW-Authenticate"]
    assert problem_of(platform(errors.Unreachable)).headers == {}


def test_half_a_character_is_replaced() -> None:
    text = problem_of(errors.FormError("\ud800")).to_bytes()
    assert json.loads(text)["detail"] == "?"
