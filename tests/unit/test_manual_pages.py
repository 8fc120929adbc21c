"""The pages of codes, as the manual, the terminal and reports show them."""

from __future__ import annotations

import pytest

from widgetschema.manual_pages import (
    as_text,
    code_page,
    manual_folder,
    manual_pages,
    reported,
    standalone,
)

CODES = [one.code for one in reported()]


def test_the_manual_is_at_hand() -> None:
    pages = manual_pages(manual_folder())

    assert {"guides/ci", "reference/settings", "tutorial/index"} <= pages.keys()


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_for_the_terminal(code: str) -> None:
    text = as_text(code_page(code), lambda heading: f"== {heading} ==")
    lines = text.split("\n")

    assert lines[0] == f"== {code} =="
    assert "== How to fix it ==" in lines
    assert "```" not in text
    assert "](" not in text
    prose = [one for one in lines if one and not one.startswith("    ")]
    assert all(len(one) <= 80 or " " not in one.strip() for one in prose)


def test_code_is_indented_and_not_wrapped() -> None:
    long = "x" * 50 + " " + "y" * 50
    page = ["# `a`", "", "See [the *list*](../b.md).", "", "```json", long, "# no heading", "```"]

    assert as_text(page, str.upper) == f"A\n\nSee the *list*.\n\n    {long}\n    # no heading\n"


def test_a_page_by_itself_has_no_links_to_others() -> None:
    assert standalone(["[`ignores`](../settings.md) and <https://example.com/>"]) == (
        "`ignores` and <https://example.com/>\n"
    )
