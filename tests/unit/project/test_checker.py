"""Documents in a text, and the widget type of each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from widgetschema.catalog.catalog import Catalog
from widgetschema.findings import Fix
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.locations import UnlocatedResult
from widgetschema.project.checking.results import DocumentResult, Problem
from widgetschema.project.inputs.model import Text

OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}}
LIST = {"type": "array", "items": {"type": "integer"}}
KNOWN = (
    'the known types are "demo", "faq"; one that is not to be checked belongs in foreign-types in the '
    "configuration"
)
EITHER = {"anyOf": [OBJECT, LIST]}


def checker(data: Any, **options: Any) -> Checker:
    catalog = Catalog([{"demo": {"properties": {"data": data}}}])
    return Checker(catalog, **options)


def found(check: Checker, value: Any) -> list[tuple[str, str, list[str]]]:
    """Return pointer and kind of each document, and the paths of its findings."""
    results = [*check.check_value("a.json", value)]
    assert all(isinstance(one, UnlocatedResult) for one in results), results
    return [
        (one.document.pointer, str(one.document.kind), [finding.path for finding in one.findings])
        for one in results
        if isinstance(one, UnlocatedResult)
    ]


ITEMS = [("/0", "data", []), ("/1", "data", ["/n"]), ("/2", "data", [""])]


@pytest.mark.parametrize("kind", ["auto", "data"])
@pytest.mark.parametrize(
    ("schema", "documents"),
    [
        (OBJECT, ITEMS),
        ({"allOf": [{}, {"anyOf": [OBJECT]}]}, ITEMS),
        ({"oneOf": [{**OBJECT, "required": ["n"]}, {"type": "null"}]}, None),
        ({"not": {"type": "array"}}, None),
        ({"enum": [{"n": 1}]}, None),
        ({"type": ["object", "array", "number"]}, [("", "data", [])]),
        ({"minProperties": 1}, [("", "data", [])]),
        (LIST, [("", "data", ["/0", "/1"])]),
        ({"type": ["array", "object"], "maxItems": 0}, [("", "data", [""])]),
    ],
)
def test_an_array_is_a_list_of_data_unless_it_may_be_data(
    schema: Any, documents: list[Any] | None, kind: str
) -> None:
    results = found(checker(schema, type_id="demo", kind=kind), [{"n": 1}, {"n": "x"}, 3])
    if documents is None:
        assert [pointer for pointer, _, _ in results] == ["/0", "/1", "/2"]
    else:
        assert results == documents


def test_one_alternative_that_allows_an_array_is_enough() -> None:
    [(pointer, _, paths)] = found(checker(EITHER, type_id="demo"), [1, {"n": "x"}])
    assert (pointer, paths) == ("", ["/1"])


def test_a_list_is_one_where_its_file_is_mapped() -> None:
    check = checker(OBJECT, type_for={"a.json": "demo"}.get)
    assert [pointer for pointer, _, _ in found(check, [{}, {}])] == ["/0", "/1"]


CLOSED = {"properties": {"n": {"type": "integer"}}, "additionalProperties": False}
DESCRIBED = {"properties": {"$schema": {"const": "demo"}, "n": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        (CLOSED, []),
        (DESCRIBED, ["/$schema"]),
        ({"allOf": [{"$ref": "#/properties/data/allOf/1"}, DESCRIBED]}, ["/$schema"]),
        ({"type": "object", "anyOf": [DESCRIBED, {"required": ["n"]}]}, ["/$schema"]),
    ],
)
def test_the_member_of_editors_is_data_if_the_schema_describes_it(
    schema: Any, paths: list[str]
) -> None:
    [(_, _, found_at)] = found(checker(schema, type_id="demo"), {"$schema": "./other.json"})
    assert found_at == paths


@pytest.mark.parametrize("is_comment", [False, True])
def test_a_named_schema_of_data_decides_that_what_looks_like_a_document_is_data(
    is_comment: bool,
) -> None:
    check = Checker(Catalog([{"note": {"required": ["title"], "type": "object"}}]))
    value = {"type": "x", "data": {}}
    if is_comment:
        [result] = check.check_value("a.yaml", value, "note")
    else:
        [result] = check.check_value("a.yaml", {"$schema": "note", **value})
    assert isinstance(result, UnlocatedResult)
    assert (result.document.kind, result.document.type_id) == ("data", "note")
    assert [finding.keyword for finding in result.findings] == ["required"]


def test_items_may_name_their_type() -> None:
    check = checker(OBJECT)
    [first, second] = check.check_value("a.json", [{"$schema": "demo"}, {"n": 1}])
    assert isinstance(first, UnlocatedResult)
    assert (first.document.pointer, first.document.type_id) == ("/0", "demo")
    assert isinstance(second, Problem)
    assert (second.pointer, second.code) == ("/1", 2)


def test_without_a_type_a_list_is_one_problem() -> None:
    [problem] = checker(OBJECT).check_value("a.json", [{"n": 1}, {"n": 2}])
    assert isinstance(problem, Problem)
    assert (problem.pointer, problem.code) == ("", 2)


def test_an_empty_list_is_no_data() -> None:
    assert found(checker(OBJECT, type_id="demo"), []) == [("", "data", [""])]


def test_documents_are_no_data() -> None:
    value = [{"id": "1", "type": "demo", "data": {"n": 1}}, {"n": 1}]
    [result] = checker(OBJECT, type_id="demo", kind="data").check_value("a.json", value)
    assert isinstance(result, UnlocatedResult)
    assert result.document.pointer == ""
    assert "widget documents" in str(result.document.hint)


def test_findings_about_items_have_their_places() -> None:
    text = '[\n  {"n": 1},\n  {"n": "1"}\n]'
    valid, invalid = checker(OBJECT, type_id="demo").check(Text("a.json", text.encode()))
    assert isinstance(valid, DocumentResult)
    assert isinstance(invalid, DocumentResult)
    assert (valid.name, invalid.name) == ("a.json#/0", "a.json#/1")
    [one] = invalid.findings
    assert (one.finding.path, one.finding.line, one.finding.column) == ("/1/n", 3, 9)
    assert one.excerpt.marked == '"1"'


# A type that does not exist


@pytest.mark.parametrize(
    ("name", "message", "hint", "fix"),
    [
        (
            "dmeo",
            'unknown widget type "dmeo"',
            'did you mean "demo"?',
            Fix("value", '"demo"', "unsafe"),
        ),
        ("Demo", 'unknown widget type "Demo"', 'write "demo"', Fix("value", '"demo"')),
        ("faqs", 'unknown widget type "faqs"', 'did you mean "faq"?', None),
        ("q", 'unknown widget type "q"', KNOWN, None),
        ("", 'unknown widget type ""', KNOWN, None),
        (7, 'the property "type", which names the widget type, must be a string', None, None),
        ([], 'the property "type", which names the widget type, must be a string', None, None),
    ],
)
def test_an_unknown_type_is_a_finding(
    name: Any, message: str, hint: str | None, fix: Fix | None
) -> None:
    schema = {"properties": {"data": OBJECT}}
    check = Checker(Catalog([{"demo": schema, "faq": schema}]))
    text = json.dumps({"id": "1", "data": {}, "type": name})
    [result] = check.check(Text("a.json", text.encode()))
    assert isinstance(result, DocumentResult)
    [one] = result.findings
    assert (one.finding.keyword, one.finding.path) == ("document.type", "/type")
    assert (one.finding.message, one.finding.hint, one.finding.fix) == (message, hint, fix)
    assert (one.finding.line, one.finding.column) == (1, text.rindex(json.dumps(name)) + 1)
    assert (result.kind, result.type_id, result.failed) == ("document", None, True)


def test_a_named_type_without_its_engine_is_a_problem() -> None:
    catalog = Catalog([{"demo": OBJECT}], engine="other")
    [problem] = Checker(catalog).check_value("a.json", {"type": "demo", "data": {}})
    assert isinstance(problem, Problem)
    assert (problem.code, "engine 'other' is not available" in problem.message) == (2, True)


def test_a_long_list_of_types_is_cut() -> None:
    names = [f"t{number:02}" for number in range(15)]
    check = Checker(Catalog([{name: {} for name in names}]))
    [result] = check.check_value("a.json", {"id": "1", "type": "widget", "data": {}})
    assert isinstance(result, UnlocatedResult)
    assert '"t11" and 3 more; one' in str(result.findings[0].hint)


def test_a_mapped_type_that_does_not_exist_is_a_problem() -> None:
    [problem] = checker(OBJECT, type_for=lambda file: "dmeo").check_value("a.json", {"n": 1})
    assert isinstance(problem, Problem)
    assert problem.code == 2


@pytest.mark.parametrize(
    ("name", "text", "options", "checked", "place"),
    [
        ("a.json", "[0, 0, 0, 0, 0]", {"max_findings": 3}, 3, ("/3", 1)),
        ("a.yaml", "- 0\n" * 5, {"max_findings": 3}, 3, ("/3", 4)),
        ("a.yaml", "---\n0\n" * 5, {"max_findings": 3}, 3, ("", 8)),
        ("a.json", "[{}, {}, 0, {}, 0]", {"max_findings": 1}, 3, ("/3", 1)),
        ("a.json", "[{}, {}, {}]", {"max_documents": 2}, 2, ("/2", 1)),
        ("a.yaml", "---\n{}\n" * 3, {"max_documents": 2}, 2, ("", 6)),
        ("a.json", "[0, 0, 0]", {"max_findings": 3, "max_documents": 3}, 3, None),
        ("a.json", "[0, 0, 0, {}]", {"max_findings": 4}, 4, None),
    ],
)
def test_a_text_is_checked_until_there_is_enough(
    name: str, text: str, options: Any, checked: int, place: tuple[str, int] | None
) -> None:
    results = checker(OBJECT, type_id="demo", kind="data", **options).check(
        Text(name, text.encode())
    )
    assert all(isinstance(one, DocumentResult) for one in results[:checked])
    left = [
        (one.pointer, one.line)
        for one in results[checked:]
        if isinstance(one, Problem) and one.truncated
    ]
    assert left == ([] if place is None else [place])
    assert len(results) == checked + len(left)


def test_a_text_with_very_many_faults_says_that_it_is_not_read_on() -> None:
    for number in (999, 2_000):
        text = "{" + ", ".join(['"a": 1'] * (number + 1)) + "}"
        result, *others = checker(OBJECT, type_id="demo").check(Text("a.json", text.encode()))
        assert isinstance(result, DocumentResult)
        assert len(result.findings) == min(number, 1_000)
        assert [isinstance(one, Problem) and one.truncated for one in others] == [True] * (
            number > 1_000
        )


def test_a_type_is_looked_up_again_once_it_is_forgotten() -> None:
    schemas: dict[str, Any] = {"demo": {"properties": {"data": OBJECT}}}
    now = [0.0]
    catalog = Catalog(schemas, max_age=1, clock=lambda: now[0])
    check = Checker(catalog, type_id="demo", kind="data")
    assert found(check, {"n": 1}) == [("", "data", [])]
    schemas["demo"] = {"properties": {"data": LIST}}
    now[0] += 100
    assert found(check, {"n": 1}) == [("", "data", [])]  # a run has one version of a type
    check.forget_types()
    assert found(check, {"n": 1}) == [("", "data", [""])]
