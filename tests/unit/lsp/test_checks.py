"""The findings of documents are those of `validate`; of what is no widget, nothing is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.lsp.opened import at_cursor, project_in, project_of
from widgetschema.lsp.checks import MOST_ISSUES, check

DOCUMENT = '{"type": "countdown", "id": "x", "data": {"content": {"timerDays": "3"}}}'


def said(
    text: str, folder: Path, *, type_id: str | None = "countdown", more: str = ""
) -> list[str]:
    """The code and the marked text of each issue."""
    document, _ = at_cursor(text, folder / "a.json")
    issues = check(document, project_in(folder, type_id, more))
    return [f"{one.severity} {one.code} {document.text[one.start : one.end]}" for one in issues]


def test_a_mapped_file_has_its_findings(tmp_path: Path) -> None:
    text = '{"content": {"timerDays": "3"},\n "setings": {}, "styles": {}}'
    assert said(text, tmp_path) == ['error type "3"', 'error additionalProperties "setings"']


def test_a_finding_about_several_lines_marks_the_first(tmp_path: Path) -> None:
    assert said('{\n"content": [\n1],\n"settings": {}, "styles": {}}', tmp_path) == ["error type ["]


def test_severities_ignores_and_the_baseline_count(tmp_path: Path) -> None:
    text = '{"content": {"timerDays": "3", "x": 1}, "settings": {}, "styles": {"y": 1}}'
    more = '[severities]\ntype = "warning"\n[[ignores]]\npointer = "/styles/y"\nreason = "a test"\n'
    assert said(text, tmp_path, more=more) == ['warning type "3"', 'error additionalProperties "x"']
    entry = {"file": "a.json", "fingerprint": "0" * 16, "keyword": "type", "path": ""}
    baseline = json.dumps({"version": 1, "findings": [entry]}, indent=2)
    (tmp_path / "widgetschema-baseline.json").write_text(baseline)
    assert len(said(text, tmp_path, more=more)) == 2


@pytest.mark.parametrize("text", ["{", '{"content": ', "", "[1,]", "{'a': 1}", '"\ud800"'])
def test_what_is_not_json_is_a_finding(text: str, tmp_path: Path) -> None:
    assert [one.split()[1].partition(".")[0] for one in said(text, tmp_path)][:1] == ["json"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"name": "app", "type": "module"}', []),
        ('{"a": ', []),
        ("[1, 2", []),
        ('{"type": "Feature", "id": 1, "data": {}}', []),
        (DOCUMENT, ['error type "3"']),
        (DOCUMENT[:-1], ["error json.syntax "]),
        (DOCUMENT.replace('"countdown"', '"countdwn"'), True),
        (f"{DOCUMENT}\n{DOCUMENT}\n", ['error type "3"', 'error type "3"']),
    ],
)  # fmt: skip
def test_of_other_files_those_that_name_their_type(
    text: str, expected: list[str] | bool, tmp_path: Path
) -> None:
    found = said(text, tmp_path, type_id=None)
    if expected is True:
        assert len(found) == 1
    else:
        assert [
            one.removesuffix('"required"') for one in found if "required" not in one
        ] == expected


def test_an_excluded_file_is_not_checked(tmp_path: Path) -> None:
    assert said(DOCUMENT, tmp_path, type_id=None, more='exclude = ["a.json"]') == []


UNTITLED = "type: countdown\nid: '1'\ndata: {content: {timerDays: '3'}}\n"


@pytest.mark.parametrize(
    ("language", "text", "codes"),
    [
        ("json", DOCUMENT, {"type"}),
        ("jsonc", f"// a comment\n{DOCUMENT}", {"type"}),
        ("json5", "{type: 'countdown', id: '1', data: {content: {timerDays: '3'}}}", {"type"}),
        ("ndjson", f"{' '.join(DOCUMENT.split())}\n" * 2, {"type"}),
        ("yaml", UNTITLED, {"type"}),
        ("yaml", "type: countdown\nid: 1\ndata: [\n", {"yaml.syntax"}),
        ("yaml", "title: 'no widget'\n", set()),
        ("plaintext", DOCUMENT, set()),
        ("json", UNTITLED, {"json.syntax"}),
    ],
)
def test_an_untitled_document_names_its_type(
    language: str, text: str, codes: set[str], tmp_path: Path
) -> None:
    document, _ = at_cursor(text, language=language)
    found = {one.code for one in check(document, project_in(tmp_path))}
    assert (found >= codes) if codes else not found


def test_findings_are_bounded_and_that_is_said(tmp_path: Path) -> None:
    text = json.dumps([1] * (MOST_ISSUES + 5))
    schema = {"type": "array", "items": {"type": "string"}}
    document, _ = at_cursor(text, tmp_path / "a.json")
    issues = check(document, project_of(tmp_path, schema))
    assert len(issues) == MOST_ISSUES + 1
    assert [one.severity for one in issues].count("note") == 1


def test_a_report_of_ours_is_not_data(tmp_path: Path) -> None:
    assert said('{\n  "version": 1,\n  "findings": []\n}\n', tmp_path) == []
