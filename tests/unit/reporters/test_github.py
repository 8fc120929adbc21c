"""GitHub: annotations that the runner understands, and a log in which nothing is a command."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reporting import FOLDER, NAMES, NASTY, TOKEN, found, many, ordinary, reports, understood
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Result,
    Severity,
)
from widgetschema.reporters.formats.github import MOST, GithubReporter
from widgetschema.text import printable

LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def annotated(results: Sequence[Result], hidden: int = 0) -> list[tuple[str, dict[str, str], str]]:
    """The annotations of a report, as the runner understands them."""
    log = understood(reports(results, hidden=hidden)["github"])
    return [one for one in log.commands if one[0] in LEVELS.values()]


def document(*ones: LocatedFinding, file: str = f"{FOLDER}/a.json") -> DocumentResult:
    return DocumentResult(file, kind="data", type_id="t", findings=ones)


TEXTS = st.text() | st.text("%0123456789ABCDF:,=\r\n", min_size=1) | st.just(NASTY)


@given(message=TEXTS, hint=TEXTS.filter(bool), path=TEXTS.map("/".__add__))
def test_what_the_runner_unescapes_is_what_was_said(message: str, hint: str, path: str) -> None:
    [(command, properties, text)] = annotated([document(found("type", path, message, hint))])

    assert command == "error"
    assert text == f"{printable(message)}\nhint: {printable(hint)}"
    assert properties["title"].startswith("type /")
    assert properties["file"] == "a.json"


@pytest.mark.parametrize("severity", list(LEVELS))
def test_levels_and_places(severity: Severity) -> None:
    one = found("format", severity=severity, message="odd")

    assert annotated([document(one)]) == [
        (
            LEVELS[severity],
            {
                "file": "a.json",
                "line": "3",
                "endLine": "3",
                "col": "5",
                "endColumn": "6",
                "title": "format /data/a",
            },
            "odd",
        )
    ]


@pytest.mark.parametrize(
    ("one", "place"),
    [
        (found(line=None), {}),
        (found()._replace(end_line=9, end_column=2), {"line": "3", "endLine": "9"}),
        (
            found()._replace(end_line=1, end_column=1),
            {"line": "3", "endLine": "3", "col": "5", "endColumn": "5"},
        ),
    ],
)
def test_other_places(one: LocatedFinding, place: dict[str, str]) -> None:
    [(_, properties, _)] = annotated([document(one)])

    assert {k: v for k, v in properties.items() if k not in ("file", "title")} == place


@pytest.mark.parametrize("name", NAMES)
def test_files_that_github_can_show(name: str) -> None:
    [(_, properties, message)] = annotated([document(found(), file=name)])

    if name.startswith(FOLDER) and name.isprintable():
        assert f"{FOLDER}/{properties['file']}" == name
        assert message == "it is wrong"
    else:
        assert "file" not in properties
        said = "standard input" if name == "-" else printable(name.removeprefix(f"{FOLDER}/"))
        assert message == f"{said}:3:5: it is wrong"


@pytest.mark.parametrize(
    ("errors", "warnings", "notes", "hidden", "shown", "rest"),
    [
        (0, 0, 0, 0, (0, 0, 0), None),
        (10, 10, 10, 0, (10, 10, 10), None),
        (11, 0, 0, 0, (10, 0, 0), "in the log of this step: 1 more error"),
        (
            1200,
            12,
            0,
            0,
            (10, 10, 0),
            "in the log of this step: 1,190 more errors, 2 more warnings",
        ),
        (0, 0, 11, 0, (0, 0, 9), "in the log of this step: 2 more notes"),
        (11, 0, 9, 0, (10, 0, 9), "in the log of this step: 1 more error"),
        (11, 0, 10, 0, (10, 0, 9), "in the log of this step: 1 more error, 1 more note"),
        (1, 0, 0, 7, (1, 0, 0), "not shown, because there are too many: 7 findings"),
        (
            1,
            0,
            10,
            7,
            (1, 0, 9),
            "in the log of this step: 1 more note; not shown, because there are too many: 7 findings",
        ),
    ],
)
def test_at_most_the_number_that_github_shows(
    errors: int,
    warnings: int,
    notes: int,
    hidden: int,
    shown: tuple[int, int, int],
    rest: str | None,
) -> None:
    ones = [found(severity="error")] * errors + [found(severity="warning")] * warnings
    made = annotated([document(*ones, *[found(severity="note")] * notes)], hidden)

    commands = [command for command, _, _ in made]
    last = [] if rest is None else [("notice", {"title": "widgetschema"}, rest)]
    assert made[len(made) - len(last) :] == last
    counts = tuple(commands.count(LEVELS[level]) for level in LEVELS)
    assert counts == (shown[0], shown[1], shown[2] + len(last))
    assert max(counts) <= MOST


def test_everything_is_in_the_log() -> None:
    log = understood(reports(many(500))["github"])

    assert sum(line.endswith(": it is wrong") for line in log.lines) == 500
    assert [one[0] for one in log.commands][:2] == ["group", "endgroup"]


def test_without_findings_there_is_nothing() -> None:
    assert reports([DocumentResult("a.json", type_id="t")])["github"] == ""


def test_a_problem_is_an_annotation_and_no_line() -> None:
    text = reports([Problem(f"{FOLDER}/a.json", "gone", 3)])["github"]

    assert text == "::error file=a.json,title=problem.file::gone\n"


@pytest.mark.parametrize(
    "hostile",
    [
        "::error::x",
        "  ::set-output name=a::b",
        "##[add-mask]x",
        "x ##[error]y",
        "::endgroup::",
        "::stop-commands::t",
        "\n::error::x",
        "\r::error::x",
        "%0A::error::x",
        NASTY,
    ],
)
def test_nothing_in_the_log_is_a_command(hostile: str) -> None:
    one = found(hostile, f"/{hostile}", hostile, hostile)
    text = reports([document(one, file=f"{FOLDER}/{hostile}")], resolved=[hostile])["github"]

    log = understood(text)
    assert [one[0] for one in log.commands] == ["group", "endgroup", "error"]
    outside = re.sub(rf"(?s)::stop-commands::{TOKEN}\n.*?\n::{TOKEN}::\n", "", text)
    assert len(outside.splitlines()) == 3


def test_the_token_is_another_each_time() -> None:
    tokens = set()
    for _ in range(5):
        text = GithubReporter(FOLDER).document(document(found()))
        match = re.search(r"^::stop-commands::([0-9a-f]{32})$", text, re.MULTILINE)
        assert match is not None
        tokens.add(match[1])
    assert len(tokens) == 5


def test_long_texts_are_cut() -> None:
    [(_, properties, message)] = annotated([document(found(path="/x" * 600, message="y" * 9000))])

    assert len(properties["title"]) <= 255
    assert len(message) <= 4096
    assert message.endswith("…")


def test_all_commands_of_an_ordinary_run_are_known() -> None:
    commands = {command for command, _, _ in understood(reports(ordinary())["github"]).commands}

    assert commands == {"group", "endgroup", "error", "warning", "notice"}
