"""Comparisons as text and as JSON, and how they are recognized."""

from __future__ import annotations

import click
import pytest

from widgetschema import WidgetType
from widgetschema.jsontext import dump
from widgetschema.reporters.comparison import comparisons_dict, comparisons_text, is_comparison

OLD = WidgetType.from_data_schema({"type": "string"}, id="a")
NEWER = [{"type": "string"}, {"type": "number"}, {}, {"type": "string", "title": "A"}]


@pytest.mark.parametrize("schema", NEWER)
def test_what_was_written_is_recognized(schema: dict[str, str]) -> None:
    comparison = OLD.compare(WidgetType.from_data_schema(schema, id="b"))
    for text in (
        comparisons_text([comparison]),
        comparisons_text([comparison], style=lambda _, text: click.style(text, fg="red")),
        comparisons_text([], ["a"]),
        comparisons_text([], [], ["a"]),
        comparisons_text([OLD.compare(OLD)] * 2),
        dump(comparisons_dict([comparison])),
    ):
        assert is_comparison(text.encode())


@pytest.mark.parametrize("text", ["", "{}", "notes: all of them", '{"a": "breaking"}', "# Title"])
def test_other_text_is_not(text: str) -> None:
    assert not is_comparison(text.encode())
