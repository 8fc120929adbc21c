"""The page about a plan: what each step does and loses, and nothing in it becomes markup."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.migrating import NEW, OLD, STEPS, between_open, migration, step
from widgetschema import Migration
from widgetschema.evolution.migrate import Evidence
from widgetschema.reporters.pages.migration import render, sentence

HOSTILE = '<script>alert("x")</script>&\u202e\x07'


def page_of(migration: Migration, *texts: str, title: str = "plan.toml") -> LexborHTMLParser:
    collected = Evidence(migration)
    for number, text in enumerate(texts):
        collected.add(f"record {number}", text)
    evidence = {"stored records": collected}
    markup = render(OLD.compare(NEW), migration, evidence, notes=[title], title=title, made="today")
    return LexborHTMLParser(markup)


def words(page: LexborHTMLParser, selector: str) -> str:
    return " ".join(" ".join(node.text(separator=" ").split()) for node in page.css(selector))


def test_the_page_says_what_changes_and_what_is_lost() -> None:
    text = '{"heading": "A", "size": "s", "days": "1.50", "legacy": [7], "rest": 1.10}'
    page = page_of(migration(STEPS), text, text)
    assert words(page, "#verdict") == "Every record comes out valid"
    assert "migrated 2" in words(page, ".au-tiles")
    assert "/legacy : 2 values in stored records, by step 4" in words(page, "section ul").replace(
        "/ legacy", "/legacy"
    )
    assert "such as [7]" in words(page, "section ul")
    assert 'the property "shown" is now required' in words(page, "#changes ~ ul")
    examples = [[line.text() for line in one.css("span")] for one in page.css("pre.mi-diff")]
    assert examples[0][1:3] == ['−   "heading": "A",', '+   "title": "A",']
    assert '+   "days": 1.50,' in examples[2]
    assert [line[0] for line in examples[4]] == [" ", " ", "+", " "]  # a comma is no change
    assert "1.10" in examples[4][1]
    assert not page.css("#hand")


def test_what_remains_is_at_the_top_with_an_example() -> None:
    page = page_of(migration(""), '{"heading": "A"}', '{"heading": 5}')
    assert words(page, "#verdict") == "1 record of 2 would not come out valid"
    assert "1 record would stay" in words(page, ".au-verdict p")
    assert words(page, "#hand ~ ol pre") == '{"heading": "A"} {"heading": 5}'
    assert "The plan has no active step." in words(page, "main")


def test_nothing_becomes_markup_and_nothing_is_loaded() -> None:
    name = "</pre><b>"
    table = step("rename", "/*/x", to=f"'{name}'") + step("drop", "/gone")
    page = page_of(
        between_open(table), f'{{"a": {{"x": "{name}"}}, "gone": "{name}"}}', title=HOSTILE
    )
    assert not page.css("script, b, link[href^=http], [src], [style], [onclick]")
    assert name in words(page, "pre.mi-diff")
    assert not {"\x07", "\u202e"} & {*(page.html or "")}
    [policy] = page.css("meta[http-equiv=Content-Security-Policy]")
    assert policy.attributes["content"] == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    )


SENTENCES = {
    step("rename", "/a", to="'b'"): 'Gets the name "b".',
    step("move", "/a", to="'/b/c'"): "Moves to /b/c.",
    step("map", "/a", values="{ x = 1, y = 2 }"): '"x" becomes 1 and "y" becomes 2.',
    step(
        "clamp", "/a", minimum="1", max_length="5"
    ): "Values out of bounds are changed: at least 1 and at most 5 characters.",
    step("round", "/a"): "Numbers are rounded to multiples of 1.",
    step("cast", "/a", to="'integer'"): "Becomes a whole number where that is certain.",
    step("wrap", "/a"): "Becomes a list of one item.",
    step("unwrap", "/a"): "A list of one item becomes that item.",
    step("default", "/a", json="'null'"): "Where it is missing, it is added: null.",
    step("split", "/a", separator="','"): 'A text is split at "," into a list.',
    step("join", "/a", separator="','", members="['b', 'c']"): '"b" and "c" become one text, with '
    '"," between them.',
    step("drop", "/a"): "Is removed.",
    step("drop", "/a", if_empty="true"): "Is removed where it is empty.",
    step("drop", "/a", unless="'false'"): "Is removed: values other than false allows.",
    step("python", "/a", python="'builtins:str'"): "The function builtins:str gives the new value.",
}


@pytest.mark.parametrize(("text", "said"), SENTENCES.items())
def test_each_kind_of_step_has_a_sentence(text: str, said: str) -> None:
    [one] = between_open(text, allow_code=True).steps
    assert sentence(one) == said


def test_only_the_beginning_of_a_long_example_is_shown() -> None:
    text = '{"a": [' + ", ".join(f'"{number}"' for number in range(100)) + "]}"
    page = page_of(between_open(step("cast", "/a/*", to="'integer'")), text)
    lines = page.css("pre.mi-diff span")
    assert len(lines) == 41
    assert "more lines" in lines[-1].text()
