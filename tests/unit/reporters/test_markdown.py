"""Markdown: what is shown is what was said, by GitHub's own renderer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reporting import FOLDER, NASTY, Page, found, many, page, report
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem, Result, Summary
from widgetschema.reporters.formats.markdown import LARGEST, MarkdownReporter
from widgetschema.text import printable

TAGS = set("h2 p table thead tbody tr th td code br details summary ul li".split())


def markdown(results: Iterable[Result], **outcome: Any) -> str:
    """The report."""
    return report(MarkdownReporter(FOLDER), results, **outcome)


def shown(results: Iterable[Result], **outcome: Any) -> Page:
    """The page that is made of the report; it has no tags but ours."""
    made = page(markdown(results, **outcome))
    others = {tag for tag in made.tags if not tag.startswith("a mailto:")} - TAGS
    assert others == set()
    return made


def squeezed(text: str) -> str:
    """Text as a page shows it: white space is one space."""
    return re.sub(r"\s+", " ", text).strip()


@given(st.text() | st.just(NASTY), st.text() | st.just(NASTY), st.text(min_size=1))
def test_what_is_shown_is_what_was_said(message: str, path: str, hint: str) -> None:
    file = printable(message.replace("/", "").replace(".", "")) or "x"
    one = found("pattern", f"/{path}", message, hint)

    [[where, what, text]] = shown([DocumentResult(f"{FOLDER}/{file}", findings=(one,))]).rows

    assert squeezed(where) == squeezed(printable(f"{file}:3:5"))
    assert what.startswith("pattern at /")
    assert squeezed(text) == squeezed(f"{printable(message)}\n💡 {printable(hint)}")


@pytest.mark.parametrize(
    "text",
    [
        NASTY,
        "a|b",
        "\\|",
        "\\\\|",
        "`a|b`",
        "<script>alert(1)</script>",
        "<!-- x -->",
        "&lt; &#60; &amp;",
        "[x](http://y.z)",
        "![x](http://y.z)",
        "http://y.z https://y.z www.y.z WWW.y.z",
        "*a* **b** _c_ __d__ ~~e~~",
        "| a | b |\n| - | - |",
        "$x$ $$y$$",
        "@someone #123",
        "]]>",
        "</code></td></table></details>",
        "- x",
        "# x",
        "1. x",
        "    x",
    ],
)
def test_markup_is_no_markup(text: str) -> None:
    one = found("type", f"/{text}", text, text)
    results: list[Result] = [
        DocumentResult(f"{FOLDER}/{text}", findings=(one,)),
        Problem(f"{FOLDER}/x", text, 3),
    ]

    made = shown(results, resolved=[text])

    assert [len(row) for row in made.rows] == [3, 3]
    assert squeezed(made.rows[1][2]) == squeezed(printable(text))
    assert squeezed(printable(text))[:150] in squeezed(made.text.rpartition("no longer there")[2])


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([], "✅ Nothing to check"),
        ([DocumentResult("a")], "✅ Everything is valid"),
        (
            [DocumentResult("a"), DocumentResult("b", known=1)],
            "✅ No new findings: 1 in the baseline",
        ),
        ([DocumentResult("a", ignored=2)], "✅ No new findings: 2 ignored"),
        (
            [
                DocumentResult("a", known=1, ignored=2),
                DocumentResult("b", findings=(found(severity="note"),)),
            ],
            "⚠️ No new findings: 1 in the baseline, 2 ignored, 1 warning",
        ),
        ([DocumentResult("a", findings=(found(severity="note"),))], "⚠️ Valid, with 1 warning"),
        ([DocumentResult("a", findings=(found(), found()))], "❌ 2 findings"),
        (
            [
                DocumentResult("a", findings=(found(),)),
                DocumentResult("b", findings=(found(),), readable=False),
                Problem("c", "gone", 3),
                Problem("d", "gone", 3),
            ],
            "❌ 1 finding, 1 unreadable text, 2 problems",
        ),
    ],
)
def test_the_verdict(results: list[Result], verdict: str) -> None:
    assert markdown(results).startswith(f"## {verdict}\n\n")


def test_it_is_never_larger_than_github_takes() -> None:
    number = 10_000
    widest = "`😀" * 2_000
    lines = [widest] * 1_000

    text = markdown(many(number), resolved=lines, hidden=5)

    assert len(text.encode()) < LARGEST
    made = page(text)
    more = re.search(r"^… and ([\d,]+) more$", made.text, re.MULTILINE)
    assert more is not None
    assert len(made.rows) + int(more[1].replace(",", "")) == number + 5
    assert "… and 950 more" in text


def test_wide_rows_are_cut() -> None:
    one = found(message="`😀" * 5_000, hint="`" * 9_000)

    text = markdown([DocumentResult("a", findings=(one,) * 2_000)])

    assert len(text.encode()) < LARGEST
    assert "more" in text


def test_a_run_that_was_interrupted_is_not_fine() -> None:
    text = MarkdownReporter(FOLDER).end(Outcome(Summary(valid=3, code=130)))

    assert text.startswith("## ❌ Not everything could be checked\n")
