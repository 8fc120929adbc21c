"""Ignores, severities, and what is wrong with the ignores themselves."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from tests.unit.project.test_baseline import BAD, GOOD, TODAY, Triaged, triage_for, triaged
from tests.unit.project.test_fingerprints import results
from widgetschema.findings import Finding
from widgetschema.project.checking.results import DocumentResult, Problem, Summary
from widgetschema.project.checking.triage import CodeSelection, Triage
from widgetschema.project.config import load


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a bad file twice, in two folders, and a good one."""
    for folder in ("widgets", "old"):
        (tmp_path / "project" / folder).mkdir(parents=True)
        (tmp_path / "project" / folder / "bad.json").write_text(BAD)
    (tmp_path / "project" / "good.json").write_text(GOOD)
    return tmp_path / "project"


def check(root: Path, toml: str, *files: str) -> Triaged:
    """Return the rest of the findings in some files after the triage of a configuration."""
    names = [root / file for file in files or ("widgets/bad.json", "old/bad.json", "good.json")]
    return triaged(triage_for(root, toml), results(root.parent / "store", *names))


def ignore(**members: str) -> str:
    lines = [f"{name} = '{value}'\n" for name, value in {"reason": "old", **members}.items()]
    return "[[ignores]]\n" + "".join(lines)


def about(triage: Triage, *, everything: bool = True) -> list[str]:
    """Return the mistakes of the ignores, each by line, keyword and path."""
    return [
        f"{one.finding.line} {one.finding.keyword} {one.finding.path}"
        for checked in triage.ignore_findings(everything=everything)
        for one in checked.findings
    ]


def test_without_a_configuration_all_counts(root: Path) -> None:
    everything = check(root, "")
    assert len(everything.shown) == 8
    assert everything.counts == (0, 0)
    assert everything.triage.ignore_findings(everything=True) == []
    prints = [
        f.fingerprint
        for one in everything.results
        if isinstance(one, DocumentResult)
        for f in one.findings
    ]
    assert len(set(prints)) == 8


@pytest.mark.parametrize(
    ("members", "number"),
    [
        ({"path": "old/**"}, 4),
        ({"path": "old/*.json"}, 4),
        ({"path": "**/bad.json"}, 8),
        ({"path": "bad.json"}, 0),
        ({"keyword": "required"}, 4),
        ({"keyword": "minimum"}, 0),
        ({"path": "old/**", "keyword": "required"}, 2),
        ({"pointer": "/size"}, 2),
        ({"pointer": "/items"}, 0),
        ({"pointer": "/items/*"}, 4),
        ({"pointer": "/items/**"}, 4),
        ({"pointer": "/items/1"}, 2),
        ({"pointer": "/*"}, 4),
        ({"pointer": "/**"}, 8),
        ({"pointer": ""}, 0),
        ({"pointer": "/items/0", "keyword": "required", "path": "widgets/**"}, 1),
        ({"pointer": "/items/0", "keyword": "type"}, 0),
    ],
    ids=str,
)
def test_what_is_ignored(root: Path, members: dict[str, str], number: int) -> None:
    left = check(root, ignore(**members))
    assert left.counts == (0, number)
    assert len(left.shown) == 8 - number
    expected = [] if number else ["1 ignore.unused /ignores/0"]
    assert about(left.triage) == expected


def test_a_document_of_which_all_is_ignored_is_excused(root: Path) -> None:
    left = check(root, ignore(path="old/**"))
    summary = Summary()
    for one in left.results:
        assert isinstance(one, DocumentResult)
        summary = summary.with_document(one)
    assert (summary.invalid, summary.excused, summary.valid) == (1, 1, 1)
    assert (summary.ignored, summary.findings, summary.code) == (4, 4, 1)


def test_an_ignore_is_used_although_another_is_about_the_same(root: Path) -> None:
    left = check(root, ignore(path="old/**") + ignore(keyword="enum") + ignore(pointer="/x"))
    assert left.counts == (0, 5)
    assert about(left.triage) == ["7 ignore.unused /ignores/2"]


def test_what_is_excused_is_there_with_its_reasons(root: Path) -> None:
    toml = ignore(path="old/**", reason="a shop") + ignore(keyword="enum", reason="a size")
    left = check(root, toml, "old/bad.json")

    [document] = left.results
    assert isinstance(document, DocumentResult)
    reasons = {one.found.finding.keyword: one.reasons for one in document.suppressed}
    assert len(document.suppressed) == document.ignored == 4
    assert reasons["enum"] == ("a shop", "a size")
    assert {reason for keyword, reason in reasons.items() if keyword != "enum"} == {("a shop",)}
    assert all(one.found.fingerprint and not one.is_known for one in document.suppressed)


def test_what_options_leave_out_has_no_reason(root: Path) -> None:
    codes = CodeSelection(select=frozenset({"none"}))
    triage = Triage(load(str(root), {}), None, str(root), today=TODAY, codes=codes)
    left = triaged(triage, results(root.parent / "store", root / "old/bad.json"))

    [document] = left.results
    assert isinstance(document, DocumentResult)
    assert (document.ignored, document.suppressed) == (4, ())


def test_only_who_checked_everything_knows_what_is_unused(root: Path) -> None:
    triage = check(root, ignore(path="old/**"), "good.json").triage
    assert about(triage, everything=False) == []
    assert about(triage) == ["1 ignore.unused /ignores/0"]


@pytest.mark.parametrize(
    ("expires", "ignored"),
    [("2025-06-14", 0), ("2025-06-15", 4), ("2025-06-16", 4), ("2999-12-31", 4)],
)
def test_expiry(root: Path, expires: str, ignored: int) -> None:
    for quote in ("'", ""):
        toml = f"[[ignores]]\npath = 'old/**'\nreason = 'soon'\nexpires = {quote}{expires}{quote}\n"
        left = check(root, toml)
        assert left.counts == (0, ignored)
        expected = [] if ignored else ["1 ignore.expired /ignores/0"]
        assert about(left.triage) == about(left.triage, everything=False) == expected


def test_today_is_today_unless_it_is_given(root: Path) -> None:
    yesterday = datetime.date.today() - datetime.timedelta(days=2)
    (root / "widgetschema.toml").write_text(ignore(path="old/**", expires=yesterday.isoformat()))
    triage = Triage(load(str(root), {}), None, str(root))
    assert about(triage) == ["1 ignore.expired /ignores/0"]


def test_what_is_said_about_an_ignore(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expired = ignore(path="old/**", keyword="enum", reason="not\tyet", expires="2025-01-31")
    toml = f"# ignores\n\n{expired}  {ignore(pointer='/a/*')}"
    triage = check(root, toml).triage
    [checked] = triage.ignore_findings(everything=True)
    assert (checked.kind, checked.readable, checked.failed) == (None, True, True)
    assert Path(checked.file).samefile(root / "widgetschema.toml")
    messages = [one.finding.message for one in checked.findings]
    assert messages == [
        'this ignore (path "old/**", keyword "enum") expired on 2025-01-31; its reason was "not\\tyet"',
        'this ignore matched no finding (pointer "/a/*")',
    ]
    assert [(one.finding.line, one.finding.column) for one in checked.findings] == [(3, 1), (8, 3)]
    monkeypatch.chdir(root)
    [checked] = triage.ignore_findings(everything=True)
    assert checked.file == "widgetschema.toml"


def test_the_fingerprint_of_an_ignore_is_its_own(root: Path) -> None:
    [one] = check(root, ignore(pointer="/a")).triage.ignore_findings(everything=True)
    [more] = check(root, ignore(pointer="/b") + ignore(pointer="/a")).triage.ignore_findings(
        everything=True
    )
    assert len({found.fingerprint for found in more.findings}) == 2
    assert one.findings[0].fingerprint in {found.fingerprint for found in more.findings}


def test_a_configuration_in_a_project_file(root: Path) -> None:
    (root / "pyproject.toml").write_text(
        "[tool.widgetschema]\n[[tool.widgetschema.ignores]]\npointer = '/a'\nreason = 'old'\n"
    )
    triage = Triage(load(str(root), {}), None, str(root), today=TODAY)
    assert about(triage) == ["2 ignore.unused /tool/widgetschema/ignores/0"]


def test_findings_about_ignores_have_severities(root: Path) -> None:
    toml = "[severities]\n'ignore.unused' = 'SEVERITY'\n" + ignore(pointer="/a")
    [checked] = check(root, toml.replace("SEVERITY", "note")).triage.ignore_findings(
        everything=True
    )
    assert [one.severity for one in checked.findings] == ["note"]
    assert not checked.failed
    assert about(check(root, toml.replace("SEVERITY", "off")).triage) == []


def test_severities(root: Path) -> None:
    left = check(root, "severities = {enum = 'warning', type = 'note', required = 'off'}")
    [bad, also, _] = left.results
    assert isinstance(bad, DocumentResult)
    assert isinstance(also, DocumentResult)
    assert [one.severity for one in bad.findings] == ["warning", "note"]
    assert not bad.failed
    assert (bad.ignored, bad.known, bad.excused) == (0, 0, False)
    assert {one.fingerprint for one in bad.findings}.isdisjoint(
        one.fingerprint for one in also.findings
    )


def test_whether_a_finding_counts(root: Path) -> None:
    triage = triage_for(
        root, "severities = {type = 'off', enum = 'note'}\n" + ignore(path="old/**")
    )
    enum, type = (Finding(keyword, "/size", "", "") for keyword in ("enum", "type"))
    assert triage.counts(str(root / "widgets" / "a.json"), enum)
    assert not triage.counts(str(root / "widgets" / "a.json"), type)
    assert about(triage) == ["2 ignore.unused /ignores/0"]
    assert not triage.counts(str(root / "old" / "a.json"), enum)
    assert about(triage) == []


def test_a_severity_leaves_fingerprints(root: Path) -> None:
    def prints(toml: str) -> set[str]:
        left = check(root, toml)
        return {
            f.fingerprint
            for one in left.results
            if isinstance(one, DocumentResult)
            for f in one.findings
        }

    assert prints("severities = {enum = 'off'}") < prints("")
    assert prints("severities = {enum = 'note'}") == prints("")
    assert prints(ignore(pointer="/items/0")) < prints("")


def test_standard_input_is_about_no_pattern_of_files(root: Path) -> None:
    found = [
        one._replace(file="-") for one in results(root.parent / "store", root / "old/bad.json")
    ]
    assert triaged(triage_for(root, ignore(path="**")), found).counts == (0, 0)
    assert triaged(triage_for(root, ignore(keyword="enum")), found).counts == (0, 1)


@pytest.mark.parametrize(
    ("members", "code", "file", "is_ignored"),
    [
        ({"keyword": "problem.type"}, 2, "old/bad.json", True),
        ({"path": "old/**"}, 3, "old/bad.json", True),
        ({"path": "old/**", "pointer": "/docs/*"}, 1, "old/bad.json", True),
        ({"path": "widgets/**"}, 2, "old/bad.json", False),
        ({"path": "old/**"}, 3, "old/none.json", False),
        ({"path": "old/**"}, 4, "old/bad.json", False),
        ({"keyword": "problem.network"}, 5, "old/bad.json", False),
    ],
    ids=str,
)
def test_problems(
    root: Path, members: dict[str, str], code: int, file: str, is_ignored: bool
) -> None:
    problem = Problem(str(root / file), "a problem", code, "/docs/1", 3)
    left = triaged(triage_for(root, ignore(**members)), [problem, problem])
    assert left.counts == (0, 2 * is_ignored)
    reasons = [(one.found.message, one.reasons) for one in left.triage.suppressed]
    assert reasons == [("a problem", ("old",))] * (2 * is_ignored)
    prints = {one.fingerprint for one in left.results if isinstance(one, Problem)}
    assert len(prints) == (0 if is_ignored else 2)
    assert about(left.triage) == ([] if is_ignored else ["1 ignore.unused /ignores/0"])


def test_what_is_no_json_can_be_ignored_but_is_never_right(root: Path) -> None:
    (root / "old" / "bad.json").write_text("{")
    left = check(root, ignore(path="old/**"), "old/bad.json")
    [checked] = left.results
    assert isinstance(checked, DocumentResult)
    assert (checked.findings, checked.ignored, checked.excused) == ((), 1, True)
    assert checked.as_dict()["valid"] is False


SELECTIONS = [
    (CodeSelection(), 8),
    (CodeSelection(frozenset({"required"})), 4),
    (CodeSelection(frozenset({"required", "enum"})), 6),
    (CodeSelection(ignore=frozenset({"required"})), 4),
    (CodeSelection(frozenset({"required", "enum"}), frozenset({"required"})), 2),
]


@pytest.mark.parametrize(("codes", "number"), SELECTIONS)
def test_selected_codes(root: Path, codes: CodeSelection, number: int) -> None:
    files = [root / file for file in ("widgets/bad.json", "old/bad.json")]
    triage = Triage(load(str(root), {}), None, str(root), today=TODAY, codes=codes)
    left = triaged(triage, results(root.parent / "store", *files))
    assert (len(left.shown), left.counts) == (number, (0, 8 - number))
    for code in ("required", "enum", "type"):
        finding = Finding(code, "/size", "", "")
        assert triage.counts("a.json", finding) == codes.selects(code)


def test_what_options_leave_out_does_not_make_an_ignore_unused(root: Path) -> None:
    (root / "widgetschema.toml").write_text(ignore(keyword="enum") + ignore(pointer="/x"))
    for codes, expected in (
        (CodeSelection(frozenset({"required"})), []),
        (CodeSelection(ignore=frozenset({"enum"})), ["4 ignore.unused /ignores/1"]),
    ):
        triage = Triage(load(str(root), {}), None, str(root), today=TODAY, codes=codes)
        triaged(triage, results(root.parent / "store", root / "old" / "bad.json"))
        assert about(triage) == expected


def test_what_keeps_data_from_being_checked_is_always_selected() -> None:
    codes = CodeSelection(frozenset({"enum"}))
    assert [codes.selects(one) for one in ("json.syntax", "problem.file", "type")] == [
        True,
        True,
        False,
    ]
