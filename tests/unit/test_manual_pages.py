"""The pages of codes, as the manual, the terminal and reports show them."""

from __future__ import annotations

from email.message import Message
from importlib.util import find_spec, module_from_spec

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


@pytest.mark.parametrize(
    ("declared", "project", "page"),
    [
        ([], None, None),
        (["Homepage, https://w.example"], "https://w.example", None),
        (
            ["Documentation, https://w.example/docs/", "Other, ftp://w.example"],
            "https://w.example/docs/",
            "https://w.example/docs/reference/findings/type.html",
        ),
        (
            ["Homepage, https://w.example", "Documentation, https://docs.example"],
            "https://w.example",
            "https://docs.example/reference/findings/type.html",
        ),
        (["Documentation, javascript:alert(1)"], None, None),
    ],
)
def test_addresses_are_those_that_the_package_declares(
    declared: list[str], project: str | None, page: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = Message()
    for text in declared:
        metadata.add_header("Project-URL", text)
    monkeypatch.setattr("importlib.metadata.metadata", lambda name: metadata)
    spec = find_spec("widgetschema.manual_pages")
    assert spec is not None
    assert spec.loader is not None
    fresh = module_from_spec(spec)  # what the package declares is read once
    spec.loader.exec_module(fresh)
    assert fresh.project_address() == project
    assert fresh.code_address("type") == page
    assert fresh.code_address("nothing") is None
