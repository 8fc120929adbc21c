"""Errors: one tree, each with its fields, a text that helps, and a way through a pickle."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import pytest

from widgetschema import errors
from widgetschema.errors import (
    CannotGenerate,
    ChangesUnknown,
    ClusterError,
    ConfigurationError,
    ControlError,
    EngineUnavailable,
    ErrorResponse,
    FormError,
    IncompleteListing,
    InvalidFormDescription,
    InvalidPlan,
    InvalidSchema,
    InvalidTemplate,
    InvalidTranslation,
    InvalidTypeId,
    InvalidWidgetData,
    LoginRequired,
    MigrationFailed,
    MissingExtra,
    NotAvailableOffline,
    PatchError,
    PlatformError,
    ReferenceLoop,
    ReporterError,
    SchemaError,
    StaleForm,
    StoreError,
    TokenStorageError,
    TooManyFields,
    UnclearSchema,
    UnknownLanguage,
    UnknownWidgetType,
    Unreachable,
    UnreadableDocument,
    UnreadableSchema,
    UnresolvableReference,
    UnsharedInput,
    UnsupportedDialect,
    UnusableResponse,
    WidgetSchemaError,
)
from widgetschema.findings import Finding, Report

REPORT = Report((Finding("type", "/a", "/type", "is wrong", "write 1", 2, 3),), "data of faq")
REPORT_TEXT = "data of faq: 1 finding\n  2:3 type /a: is wrong\n    hint: write 1"

# error, its fields, its text
EXAMPLES: list[tuple[WidgetSchemaError, dict[str, Any], str]] = [
    (InvalidWidgetData(REPORT), {"report": REPORT}, REPORT_TEXT),
    (UnreadableDocument(REPORT), {"report": REPORT}, REPORT_TEXT),
    (InvalidSchema(REPORT), {"report": REPORT}, REPORT_TEXT),
    (
        UnknownWidgetType("contdown", ["countdown", "faq"], ["countdown"]),
        {"id": "contdown", "known": ("countdown", "faq"), "nearest": ("countdown",)},
        "unknown widget type 'contdown'; did you mean 'countdown'? (known: 'countdown', 'faq')",
    ),
    (
        UnknownWidgetType("x", []),
        {"id": "x", "known": (), "nearest": ()},
        "unknown widget type 'x' (known: none)",
    ),
    (
        UnknownWidgetType('{"content": {}}', ["faq"]),
        {"id": '{"content": {}}'},
        (
            """unknown widget type '{"content": {}}' (known: 'faq'); the id comes before the data, """
            """as in validate("countdown", data)"""
        ),
    ),
    (
        UnknownWidgetType("x\n" * 50, [f"type-{n:02}" for n in range(1013)]),
        {"id": "x\n" * 50},
        "unknown widget type '"
        + r"x\n" * 39
        + "x…' (known: "
        + ", ".join(f"'type-{n:02}'" for n in range(12))
        + " and 1,001 more)",
    ),
    (
        UnsupportedDialect("faq", "http://json-schema.org/draft-04/schema#"),
        {"schema": "faq", "dialect": "http://json-schema.org/draft-04/schema#"},
        (
            "schema 'faq' is written in the dialect 'http://json-schema.org/draft-04/schema#'; only "
            'draft-07 is supported ("$schema": "http://json-schema.org/draft-07/schema#")'
        ),
    ),
    (
        CannotGenerate("faq", "/definitions/a", "no text was found that matches 'a^'"),
        {"schema": "faq", "pointer": "/definitions/a"},
        ("schema 'faq', /definitions/a: cannot generate data: no text was found that matches 'a^'"),
    ),
    (InvalidPlan(REPORT), {"report": REPORT}, REPORT_TEXT),
    (
        MigrationFailed(REPORT, "invalid"),
        {"report": REPORT, "status": "invalid"},
        REPORT_TEXT,
    ),
    (
        PatchError(1, "there is no value at /a"),
        {"index": 1, "reason": "there is no value at /a"},
        "operation 2 of the patch: there is no value at /a",
    ),
    (
        ReporterError("csv", "it returned int instead of str"),
        {"format": "csv", "reason": "it returned int instead of str"},
        "report format 'csv': it returned int instead of str",
    ),
    (
        MissingExtra("hypothesis", "strategies need hypothesis"),
        {"extra": "hypothesis"},
        "strategies need hypothesis: install it with: pip install 'widgetschema[hypothesis]'",
    ),
    (
        UnsupportedDialect("faq", 7),
        {"schema": "faq", "dialect": 7},
        (
            "schema 'faq' is written in the dialect 7; only "
            'draft-07 is supported ("$schema": "http://json-schema.org/draft-07/schema#")'
        ),
    ),
    (
        UnresolvableReference(
            "faq",
            "/allOf/0/$ref",
            "plugn",
            "https://example.org/plugn",
            "no such schema",
            ["plugin"],
        ),
        {
            "schema": "faq",
            "pointer": "/allOf/0/$ref",
            "reference": "plugn",
            "resolved": "https://example.org/plugn",
            "reason": "no such schema",
            "nearest": ("plugin",),
        },
        (
            "schema 'faq', /allOf/0/$ref: cannot resolve $ref 'plugn' "
            "(resolved to 'https://example.org/plugn'): no such schema; nearest that exist: 'plugin'"
        ),
    ),
    (
        UnresolvableReference("faq", "", "#/x", "#/x", "nothing is there"),
        {"resolved": "#/x", "nearest": ()},
        "schema 'faq', (root): cannot resolve $ref '#/x': nothing is there",
    ),
    (
        UnclearSchema("faq", "it can refuse no data", "add assertions"),
        {"schema": "faq", "reason": "it can refuse no data", "advice": "add assertions"},
        "schema 'faq': it can refuse no data; add assertions",
    ),
    (
        ReferenceLoop("faq", ["", "/a/b", ""], "a reference leads back to itself"),
        {
            "schema": "faq",
            "pointers": ("", "/a/b", ""),
            "reason": "a reference leads back to itself",
        },
        "schema 'faq': a reference leads back to itself: (root) → /a/b → (root)",
    ),
    (
        ReferenceLoop("faq", [f"/{n}" for n in range(100)], "too far"),
        {"pointers": tuple(f"/{n}" for n in range(100))},
        "schema 'faq': too far: /0 → /1 → /2 → /3 → /4 → /5",
    ),
    (
        StoreError("schemas/manifest.json", "not a manifest; write it again"),
        {"path": "schemas/manifest.json", "reason": "not a manifest; write it again"},
        "schemas/manifest.json: not a manifest; write it again",
    ),
    (
        UnreadableSchema("note.json", "not a schema"),
        {"path": "note.json", "reason": "not a schema", "advice": ""},
        "note.json: not a schema",
    ),
    (
        EngineUnavailable("rust", "jsonschema-rs cannot be imported"),
        {"engine": "rust", "reason": "jsonschema-rs cannot be imported"},
        "engine 'rust' is not available: jsonschema-rs cannot be imported",
    ),
    (
        ClusterError("tcp://10.0.0.1:8786", "nobody answers"),
        {"address": "tcp://10.0.0.1:8786", "reason": "nobody answers"},
        "the cluster at tcp://10.0.0.1:8786: nobody answers",
    ),
    (
        UnsharedInput("tcp://10.0.0.1:8786", "a.ndjson", "no such file"),
        {"address": "tcp://10.0.0.1:8786", "source": "a.ndjson", "reason": "no such file"},
        (
            "a.ndjson: the workers of the cluster at tcp://10.0.0.1:8786 cannot read it: no such "
            "file; use a path that all machines share, or an address such as "
            "s3://bucket/widgets/*.ndjson"
        ),
    ),
    (
        ConfigurationError(REPORT),
        {"report": REPORT},
        REPORT_TEXT,
    ),
    (
        ChangesUnknown("there is none"),
        {"reason": "there is none"},
        "git cannot tell what has changed: there is none",
    ),
    (
        InvalidTypeId("../x", "it has a slash"),
        {"id": "../x", "reason": "it has a slash"},
        "'../x' cannot be the id of a widget type: it has a slash",
    ),
    (
        InvalidTypeId("\n" * 5_000, "it is too long"),
        {"id": "\n" * 5_000},
        "'" + r"\n" * 79 + "…' cannot be the id of a widget type: it is too long",
    ),
    (
        Unreachable("no answer in 10 seconds", method="GET", path="/widgets"),
        {"method": "GET", "path": "/widgets", "status": None, "request_id": None, "body": None},
        "GET /widgets: no answer in 10 seconds",
    ),
    (
        ErrorResponse(
            "try again later",
            method="GET",
            path="/widgets",
            status=503,
            request_id="r1",
            body="overloaded",
        ),
        {"status": 503, "request_id": "r1", "body": "overloaded", "retry_after": None},
        "GET /widgets → 503 (request r1): try again later; it says: overloaded",
    ),
    (
        UnusableResponse("the answer is not JSON", method="GET", path="/widgets", status=200),
        {"status": 200, "reason": "the answer is not JSON"},
        "GET /widgets → 200: the answer is not JSON",
    ),
    (
        IncompleteListing("the list was cut off", method="GET", path="/widgets", status=200),
        {"received": 0, "total": None},
        "GET /widgets → 200: the list was cut off; filter it by project, search or type",
    ),
    (
        LoginRequired("the refresh token is no longer accepted"),
        {"reason": "the refresh token is no longer accepted"},
        (
            "the refresh token is no longer accepted; log in with: widgetschema login "
            "--code CODE --redirect-uri URI"
        ),
    ),
    (
        TokenStorageError("tokens.json", "it is no JSON; move it away"),
        {"path": "tokens.json", "reason": "it is no JSON; move it away"},
        "tokens.json: it is no JSON; move it away",
    ),
    (
        NotAvailableOffline("faq", "it is not in the cache"),
        {"id": "faq", "reason": "it is not in the cache"},
        "the schema of widget type 'faq' is not available offline: it is not in the cache",
    ),
    (
        NotAvailableOffline(None, "WIDGETSCHEMA_OFFLINE is set"),
        {"id": None},
        "this requires network access: WIDGETSCHEMA_OFFLINE is set",
    ),
    (FormError("a file came back"), {"reason": "a file came back"}, "a file came back"),
    (
        StaleForm(),
        {},
        (
            "the data, the schema or this package has changed since this form was shown: nothing "
            "was saved; show "
            "`error.form`, which has what was typed"
        ),
    ),
    (
        UnknownLanguage("nl", ("de", "en")),
        {"tag": "nl", "known": ("de", "en")},
        "there is no translation into 'nl'; there are: de, en",
    ),
    (
        InvalidTranslation("de.po", 7, "the placeholder {number} is missing"),
        {"file": "de.po", "line": 7, "reason": "the placeholder {number} is missing"},
        "de.po, line 7: the placeholder {number} is missing",
    ),
    (
        TooManyFields(20_001, 20_000),
        {"count": 20_001, "limit": 20_000},
        "20,001 controls were submitted, but a form has at most 20,000",
    ),
    (
        InvalidTemplate("forms/field.html", 3, "unknown variable 'labl'"),
        {"file": "forms/field.html", "line": 3, "problem": "unknown variable 'labl'"},
        "forms/field.html, line 3: unknown variable 'labl'",
    ),
    (
        ControlError("stars", "/rating", "read('x') failed: KeyError: 'x'"),
        {"control": "stars", "place": "/rating"},
        "the control \"stars\" at /rating: read('x') failed: KeyError: 'x'",
    ),
    (
        InvalidFormDescription(REPORT),
        {"report": REPORT},
        str(REPORT),
    ),
]
IDS = [f"{type(error).__name__} {number}" for number, (error, _, _) in enumerate(EXAMPLES)]
TREE = {
    name: value
    for name, value in vars(errors).items()
    if inspect.isclass(value) and issubclass(value, BaseException) and not name.startswith("_")
}


@pytest.mark.parametrize(("error", "fields", "text"), EXAMPLES, ids=IDS)
def test_text_and_fields(error: WidgetSchemaError, fields: dict[str, Any], text: str) -> None:
    assert str(error) == text
    assert {name: getattr(error, name) for name in fields} == fields


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("error", [example[0] for example in EXAMPLES], ids=IDS)
def test_errors_pickle(error: WidgetSchemaError, protocol: int) -> None:
    error = copy.copy(error)
    error.add_note("a note")
    for again in (pickle.loads(pickle.dumps(error, protocol)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def test_there_is_an_example_of_each() -> None:
    abstract = {WidgetSchemaError, SchemaError, PlatformError}
    assert {type(error) for error, _, _ in EXAMPLES} == set(TREE.values()) - abstract


@pytest.mark.parametrize("name", list(TREE))
def test_one_tree(name: str) -> None:
    error = TREE[name]
    assert issubclass(error, WidgetSchemaError)
    assert error.__doc__
    assert errors.__doc__
    assert f" {name} " in f"{errors.__doc__} ".replace("\n", " "), "the screen does not show it"


def test_the_branches_of_the_tree() -> None:
    of_schemas = {InvalidSchema, UnsupportedDialect, UnresolvableReference, ReferenceLoop}
    of_schemas |= {CannotGenerate, UnclearSchema}
    assert {error for error in TREE.values() if issubclass(error, SchemaError)} == {
        SchemaError,
        *of_schemas,
    }
    assert {error for error in TREE.values() if issubclass(error, LookupError)} == {
        UnknownLanguage,
        UnknownWidgetType,
        NotAvailableOffline,
    }
    assert {error for error in TREE.values() if issubclass(error, ValueError)} == {
        InvalidTypeId,
        InvalidWidgetData,
    }


def test_a_text_for_an_error_without_more_words() -> None:
    assert str(WidgetSchemaError("what, where, and what to do")) == "what, where, and what to do"
    assert str(SchemaError("what, where, and what to do")) == "what, where, and what to do"


def test_an_error_keeps_what_it_was_given() -> None:
    known, pointers = ["a"], ["/a"]
    unknown = UnknownWidgetType("b", known)
    loop = ReferenceLoop("faq", pointers, "loop")
    known.append("b")
    pointers.append("/b")
    assert unknown.known == pickle.loads(pickle.dumps(unknown)).known == ("a",)
    assert loop.pointers == pickle.loads(pickle.dumps(loop)).pointers == ("/a",)
