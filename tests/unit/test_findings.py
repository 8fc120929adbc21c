"""Findings and reports: frozen values, their text, their JSON, and JSON Pointers."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.findings import Finding, Fix, Provenance, Report, make_finding
from widgetschema.text import duration
from widgetschema.validation import Validator

FULL = Finding(
    "enum",
    "/a~1b/0",
    "/properties/a~1b/items/enum",
    "not allowed",
    "write 1",
    3,
    7,
    [1, {"x": None}],
)
BARE = Finding("type", "", "/type", "is a string, but must be an object")


# ---- Finding ----


@pytest.mark.parametrize(
    ("move", "to"),
    [
        (Finding.with_position, {"line": 3, "column": 7}),
        (Finding.with_path, {"path": "/a/0", "indices": (-1,)}),
    ],
    ids=["position", "path"],
)
def test_another_place_changes_nothing_else(
    move: Callable[..., Finding], to: dict[str, Any]
) -> None:
    fields = dataclasses.fields(Finding)
    values: dict[str, Any] = {one.name: object() for one in fields}
    moved = move(Finding(**values), *to.values())
    assert {one.name: getattr(moved, one.name) for one in fields} == values | to


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (FULL, "3:7 enum /a~1b/0: not allowed\n    hint: write 1"),
        (BARE, "type (root): is a string, but must be an object"),
        (Finding("json.empty", "", "", "empty", None, 1, 1), "1:1 json.empty (root): empty"),
        (Finding("type", "/", "", "m"), "type /: m"),
        (Finding("type", "/a\n\x1b", "", "m", ""), "type /a\\n\\u001b: m\n    hint: "),
    ],
    ids=["all", "least", "of a text", "empty name", "odd name"],
)
def test_the_text_of_a_finding(finding: Finding, text: str) -> None:
    assert str(finding) == text
    assert finding.headline == text.split("\n")[0]


def test_the_member_names_of_a_finding_are_a_contract() -> None:
    assert list(FULL.as_dict().items()) == [
        ("keyword", "enum"),
        ("path", "/a~1b/0"),
        ("schema_path", "/properties/a~1b/items/enum"),
        ("message", "not allowed"),
        ("hint", "write 1"),
        ("line", 3),
        ("column", 7),
        ("expected", [1, {"x": None}]),
        ("fix", None),
    ]
    names = [field.name for field in dataclasses.fields(Finding) if field.compare]
    assert names == list(FULL.as_dict())
    assert Finding(**FULL.as_dict()) == FULL
    optional = ("hint", "line", "column", "expected", "fix")
    assert [BARE.as_dict()[name] for name in optional] == [None] * 5
    fix = Fix("value", "1")
    assert dataclasses.replace(BARE, fix=fix).as_dict()["fix"] == {
        "replace": "value",
        "text": "1",
        "applicability": "safe",
    }


@pytest.mark.parametrize("name", [*FULL.as_dict(), "other"])
@pytest.mark.parametrize("value", [FULL, Report((FULL,))], ids=["finding", "report"])
def test_values_are_frozen(value: Finding | Report, name: str) -> None:
    with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
        setattr(value, name, "changed")
    assert value in (FULL, Report((FULL,)))


def test_findings_that_are_equal_hash_alike_whatever_was_expected() -> None:
    assert len({FULL, copy.deepcopy(FULL), BARE}) == 2
    assert hash(FULL) == hash(dataclasses.replace(FULL, expected={"not": ["hashable"]}))
    assert dataclasses.replace(FULL, expected=2) != FULL
    assert len({Report((FULL,)), Report((FULL,)), Report()}) == 2


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    "value",
    [FULL, BARE, Report(), Report((FULL, BARE), "faq")],
    ids=["full", "bare", "valid", "invalid"],
)
def test_values_pickle(value: Finding | Report, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(value, protocol))
    assert again == value
    assert type(again) is type(value)
    assert copy.deepcopy(value) == value


# ---- Report ----


def test_a_valid_report() -> None:
    report = Report()
    assert report.valid
    assert (list(report), len(report), report.findings) == ([], 0, ())
    assert str(report) == "instance: valid"
    assert report.as_dict() == {
        "subject": "instance",
        "valid": True,
        "findings": [],
        "truncated": False,
        "schemas": [],
    }


def test_an_invalid_report() -> None:
    report = Report((FULL, BARE), 'data of widget type "faq"')
    assert not report.valid
    assert (list(report), len(report)) == ([FULL, BARE], 2)
    assert str(report) == (
        'data of widget type "faq": 2 findings\n'
        "  3:7 enum /a~1b/0: not allowed\n"
        "    hint: write 1\n"
        "  type (root): is a string, but must be an object"
    )
    assert str(Report((BARE,))).startswith("instance: 1 finding\n")


@pytest.mark.parametrize("report", [Report(), Report((BARE,))], ids=["valid", "invalid"])
def test_a_report_has_no_truth_value(report: Report) -> None:
    for question in (bool, lambda one: not one, lambda one: 1 if one else 2):
        with pytest.raises(TypeError, match=r"no truth value: use report\.valid"):
            question(report)


def test_a_report_as_json() -> None:
    report = Report((FULL, Finding("type", "/é", "", "ü\u2028")), "größe")
    text = report.to_json()
    assert json.loads(text) == report.as_dict()
    assert list(json.loads(text)) == ["subject", "valid", "findings", "truncated", "schemas"]
    assert text.startswith('{\n  "subject": "größe",\n  "valid": false,\n  "findings": [\n')
    assert "ü\u2028" in text


FINDINGS = st.builds(
    Finding,
    st.sampled_from(["type", "json.depth"]),
    st.text(st.characters(), max_size=6),
    st.text(max_size=6),
    st.text(max_size=6),
    st.none() | st.text(max_size=6),
    st.none() | st.integers(1, 99),
    st.none() | st.integers(1, 99),
    st.none() | st.booleans() | st.lists(st.text(max_size=3) | st.integers(), max_size=3),
)


@given(st.lists(FINDINGS, max_size=4), st.text(max_size=6))
def test_a_report_says_all_its_findings(findings: list[Finding], subject: str) -> None:
    report = Report(tuple(findings), subject)
    loaded = json.loads(report.to_json())
    assert Report(tuple(Finding(**one) for one in loaded["findings"]), loaded["subject"]) == report
    assert loaded["valid"] is report.valid is (len(report) == 0)
    assert pickle.loads(pickle.dumps(report)) == report
    for finding in report:
        assert str(finding) in str(report)


# ---- Pointers and counts ----


def test_expected_may_be_any_json_value() -> None:
    expected: Any
    for expected in (None, 0, "a", [1], {"a": 1}):
        finding = Finding("const", "", "", "m", expected=expected)
        assert json.loads(Report((finding,)).to_json())["findings"][0]["expected"] == expected


def test_a_very_long_path_is_cut_in_the_middle() -> None:
    finding = Finding("type", "/" + "a" * 1_000_000 + "/end", "", "no")
    assert len(str(finding)) < 520
    assert "…" in str(finding)
    assert "/end type" not in str(finding)
    assert str(finding).endswith("/end: no")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 seconds"),
        (1, "1 second"),
        (59.9, "59 seconds"),
        (60, "1 minute"),
        (3_599, "59 minutes"),
        (3_600, "1 hour"),
        (86_399, "23 hours"),
        (86_400, "1 day"),
        (86_400 * 1_234, "1,234 days"),
    ],
)
def test_a_length_of_time_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


class TestProvenance:
    DIGEST = "0123456789abcdef" * 4

    @pytest.mark.parametrize(
        ("more", "text"),
        [
            ({}, "faq: bundled (0123456789ab)"),
            ({"origin": "https://x"}, "faq: bundled (0123456789ab, from https://x)"),
            ({"origin": "bundled"}, "faq: bundled (0123456789ab)"),
            ({"stale": True}, "faq: bundled (0123456789ab, stale)"),
            ({"fetched": "nonsense"}, "faq: bundled (0123456789ab, fetched at an unknown time)"),
        ],
    )
    def test_in_words(self, more: dict[str, Any], text: str) -> None:
        assert str(Provenance("faq", "bundled", self.DIGEST, **more)) == text

    @pytest.mark.parametrize("suffix", ["Z", "+00:00", ""])
    def test_its_age(self, suffix: str) -> None:
        moment = datetime.now(UTC) - timedelta(hours=3, minutes=5)
        fetched = moment.strftime("%Y-%m-%dT%H:%M:%S") + suffix
        assert Provenance("faq", "x", self.DIGEST, fetched=fetched).age == "3 hours ago"
        assert Provenance("faq", "x", self.DIGEST).age is None

    def test_as_json(self) -> None:
        value = Provenance("faq", "x", self.DIGEST, "y", "z", True).as_dict()
        assert value == {
            "id": "faq",
            "source": "x",
            "digest": self.DIGEST,
            "origin": "y",
            "fetched": "z",
            "stale": True,
        }

    def test_it_is_no_part_of_what_makes_reports_equal(self) -> None:
        one = Provenance("faq", "x", self.DIGEST)
        assert Report((), "x", (one,)) == Report((), "x")


# ---- For frameworks ----

DATA = {
    "type": "object",
    "required": ["title"],
    "additionalProperties": False,
    "dependencies": {"a/b": ["0"]},
    "properties": {
        "title": {"type": "string"},
        "0": {"type": "object", "properties": {"1": {"type": "number"}}},
        "a/b": {"type": "array", "items": {"type": "array", "items": {"required": ["é"]}}},
        "kind": {
            "oneOf": [
                {"required": ["of"], "properties": {"of": {"const": "a"}}},
                {"required": ["of"], "properties": {"of": {"const": "b"}}},
            ]
        },
    },
}


@pytest.mark.parametrize(
    ("data", "path", "target", "loc", "fragment"),
    [
        ({}, "", "/title", ("title",), "#/title"),
        ({"title": 1}, "/title", "/title", ("title",), "#/title"),
        ({"title": "", "x y": 1}, "/x y", "/x y", ("x y",), "#/x%20y"),
        ({"title": "", "0": {"1": ""}}, "/0/1", "/0/1", ("0", "1"), "#/0/1"),
        ({"title": "", "a/b": [], "1": 0}, "", "/0", ("0",), "#/0"),
        (
            {"title": "", "0": {}, "a/b": [[], [0, {}]]},
            "/a~1b/1/1",
            "/a~1b/1/1/é",
            ("a/b", 1, 1, "é"),
            "#/a~1b/1/1/%C3%A9",
        ),
        ({"title": "", "kind": {}}, "/kind", "/kind/of", ("kind", "of"), "#/kind/of"),
    ],
    ids=["missing", "wrong", "unknown", "names like indices", "dependency", "items", "branch"],
)
@pytest.mark.parametrize("engine", ["rust", "python"])
def test_findings_know_their_target(
    data: Any, path: str, target: str, loc: tuple[str | int, ...], fragment: str, engine: str
) -> None:
    report = Validator(DATA, engine=engine).check(data)
    finding = next(one for one in report if one.path == path)
    assert (finding.target, finding.loc, finding.fragment) == (target, loc, fragment)
    nested = report.nested()
    for token in loc:
        nested = nested[token]
    assert finding.message in nested[0]
    assert finding in report.by_path()[path]


@pytest.mark.parametrize("text", ['{"0": [[1e999]]}', '{"0": [[{"1": 1, "1": 2}]]}'])
def test_findings_about_text_know_indices_too(text: str) -> None:
    [finding] = Validator(True).check_json(text)
    assert finding.loc[:3] == ("0", 0, 0)
    assert all(type(token) is str for token in finding.loc[3:])


def test_findings_about_values_know_indices_too() -> None:
    [finding] = Validator(True).check({"0": [(1, float("nan"))]})
    assert finding.loc == ("0", 0, 1)


def test_a_prefix_leaves_indices_where_they_are() -> None:
    [finding] = Validator({"items": {"type": "string"}}).check(["", 1])
    assert dataclasses.replace(finding, path=f"/data/7{finding.path}").loc == ("data", "7", 1)


def test_a_prefix_is_a_pointer() -> None:
    report = Validator({"type": "string"}).check(1)
    with pytest.raises(ValueError, match=r"a JSON Pointer such as '/data', not 'data'"):
        report.to_problem(prefix="data")
    for wrong in ("/a~b", "/a~", "/~01~2", "/~~01"):
        with pytest.raises(ValueError, match=r"with ~0 for ~ and ~1 for / in a name, not '/"):
            report.to_problem(prefix=wrong)
    [error] = report.to_problem(prefix="/a~0b~1c~01")["errors"]
    assert error["pointer"] == "#/a~0b~1c~01"


def test_the_fragments_of_rfc_6901() -> None:
    pointers = {
        "": "#",
        "/foo/0": "#/foo/0",
        "/": "#/",
        "/a~1b": "#/a~1b",
        "/c%d": "#/c%25d",
        "/e^f": "#/e%5Ef",
        "/g|h": "#/g%7Ch",
        "/i\\j": "#/i%5Cj",
        '/k"l': "#/k%22l",
        "/ ": "#/%20",
        "/m~0n": "#/m~0n",
    }
    assert {path: Finding("type", path, "", "").fragment for path in pointers} == pointers


def test_problem_details() -> None:
    report = Validator(DATA).check_json('{\n "title": 1,\n "titel": 2}')
    assert report.to_problem(prefix="/data") == {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": "instance: 2 findings",
        "errors": [
            {
                "detail": "1 is a number, but must be a string",
                "pointer": "#/data/title",
                "code": "type",
                "hint": 'write "1", not 1',
                "line": 2,
                "column": 11,
            },
            {
                "detail": 'unknown property "titel"',
                "pointer": "#/data/titel",
                "code": "additionalProperties",
                "line": 3,
                "column": 2,
            },
        ],
    }
    assert report.to_problem(status=400)["title"] == "Bad Request"
    first = report.to_problem(most=1)
    assert first["errors"] == report.to_problem()["errors"][:1]
    assert first["truncated"] is True


@pytest.mark.parametrize(
    "path", [f"/{'n' * 100_000}/0", "/n" * 100_000, f"/{'é' * 100_000}/0", "/" + "~1" * 50_000]
)
def test_problem_details_have_a_bounded_size(path: str) -> None:
    huge = Finding("type", path, "", "m" * 100_000, "h" * 100_000)
    problem = Report((huge,) * 10_000, "s" * 100_000).to_problem(prefix="/data")
    assert len(json.dumps(problem)) < 1_000_000
    pointer = unquote(problem["errors"][0]["pointer"])
    assert f"#/data{path}".startswith(pointer)
    assert len(pointer) <= 1_001


def test_messages_of_a_place_and_of_what_is_inside() -> None:
    own = "non_field_errors"
    report = Report(
        (
            Finding("minProperties", "", "", "few", "add some"),
            Finding("type", "/a/0/b", "", "bad", indices=(-2,)),
            Finding("maxItems", "/a", "", "many"),
            Finding("type", f"/{own}", "", "odd"),
        )
    )
    assert report.nested() == {
        own: ["few (add some)", "odd"],
        "a": {own: ["many"], 0: {"b": ["bad"]}},
    }
    assert report.nested("__all__")["__all__"] == ["few (add some)"]
    inner = Report((Finding("a", "", "", "x"), Finding("b", f"/{own}/c", "", "y")))
    assert inner.nested() == {own: {own: ["x"], "c": ["y"]}}
    assert Report().nested() == {}


def test_messages_of_deep_data() -> None:
    nested = Report((Finding("a", "/a" * 5_000, "", "x"),)).nested()
    for _ in range(4_999):
        nested = nested["a"]
    assert nested == {"a": ["x"]}


def test_findings_that_are_made_faster_are_no_different() -> None:
    fix = Fix("value", '"b"')
    members = ("enum", "/a/0", "/items/enum", "wrong", "try b", 1, 2, ["b"], fix)
    made, constructed = make_finding(*members, (-1,)), Finding(*members, (-1,))
    assert type(made) is Finding
    assert (made, hash(made), repr(made)) == (constructed, hash(constructed), repr(constructed))
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == constructed
    assert dataclasses.replace(made, line=5) == dataclasses.replace(constructed, line=5)
    assert made.indices == pickle.loads(pickle.dumps(made)).indices == (-1,)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.line = 7  # type: ignore[misc]
