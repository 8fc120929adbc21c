"""Labels: names in words, names as they are, rows and alternatives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.forms.fields.labels import (
    label_from_name,
    literal_label,
    number_duplicates,
    row_label,
)

WORDS: list[tuple[str, str]] = [
    ("postButtonLink", "Post button link"),
    ("customCSS", "Custom CSS"),
    ("faq_items", "FAQ items"),
    ("imageUrl", "Image URL"),
    ("imageUrls", "Image URLs"),
    ("fontId", "Font ID"),
    ("customCss", "Custom CSS"),
    ("h2Size", "H2 size"),
    ("ids", "IDs"),
    ("URL", "URL"),
    ("imageURLs", "Image URLs"),
    ("item2Title", "Item 2 title"),
    ("labels2", "Labels 2"),
    ("showAModal", "Show a modal"),
    ("post-button--link", "Post button link"),
    ("Title of the page", "Title of the page"),
    ("größeMax", "Größe max"),
    ("éléments", "Éléments"),
    ("標題", "標題"),
    ("a/b", "A b"),
    ("a\nb", "A b"),
    ("</script>", "Script"),
    ("__proto__", "Proto"),
    ("x", "X"),
    ("", "(empty name)"),
    ("/", "/"),
    (".", "."),
    ("42", "42"),
    (" ", '" "'),
    ("\u200f", '"\\u200f"'),
    ("🎉", "🎉"),
]


@pytest.mark.parametrize(("name", "label"), WORDS, ids=[repr(row[0]) for row in WORDS])
def test_a_name_in_words(name: str, label: str) -> None:
    assert label_from_name(name) == label


AS_THEY_ARE: list[tuple[str, str]] = [
    ("en-US", "en-US"),
    ("primary colour", "primary colour"),
    ("", "(empty name)"),
    ("a\nb", '"a\\nb"'),
    ("\0", '"\\u0000"'),
    ("a\u2028b", '"a\\u2028b"'),
    ("\u202eabc", '"\\u202eabc"'),
    ("\t", '"\\t"'),
    ("x" * 200, "x" * 79 + "…"),
]


@pytest.mark.parametrize(("name", "label"), AS_THEY_ARE, ids=[repr(r[0])[:20] for r in AS_THEY_ARE])
def test_a_name_that_somebody_chose(name: str, label: str) -> None:
    assert literal_label(name) == label


@given(st.text())
def test_any_name_gives_one_short_line_that_can_be_seen(name: str) -> None:
    for label in (label_from_name(name), literal_label(name)):
        assert label.strip()
        assert label.isprintable()
        assert len(label) <= 200


def test_a_name_of_a_megabyte_is_cut() -> None:
    assert len(label_from_name("ab" * 500_000)) <= 80


@pytest.mark.parametrize(
    ("label", "row"),
    [
        ("Slides", "Slide"),
        ("FAQ items", "FAQ item"),
        ("Container bg", "Container bg"),
        ("Categories", "Category"),
        ("Custom CSS", "Custom CSS"),
        ("Status", "Status"),
        ("Days of the sales", "Days of the sale"),
        ("Data", "Data"),
    ],
)
def test_a_row_has_the_name_of_one(label: str, row: str) -> None:
    assert row_label(label) == row


def test_labels_that_are_there_twice_are_numbered() -> None:
    assert number_duplicates(["Text", "Group", "List", "Group"]) == [
        "Text",
        "Group 1",
        "List",
        "Group 2",
    ]
    assert number_duplicates([]) == []
