"""The keyword registry is complete, and its texts fit what is said with them."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import widgetschema
from widgetschema.schema.keywords import (
    FORMATS,
    KEYWORDS,
    Counted,
    Joined,
    codes,
    keyword_of,
    texts,
)
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.validation.explain.fixes import FIXES
from widgetschema.validation.explain.messages import MESSAGES

FINDINGS = {code: one for code, one in KEYWORDS.items() if one.category != "annotation"}


def test_every_keyword_of_the_metaschema_has_an_entry() -> None:
    assert {*METASCHEMA["properties"]} == {
        code for code, one in KEYWORDS.items() if one.value is not None
    }
    assert {*MESSAGES} <= {*KEYWORDS}


@pytest.mark.parametrize("code", FINDINGS)
def test_an_entry_is_complete(code: str) -> None:
    one = FINDINGS[code]
    assert one.label
    assert one.rule
    assert one.description.endswith(".")
    assert one.repair.endswith(".") or not one.selectable
    assert one.specification or one.category in ("input", "configuration", "form", "migration")
    assert one.selectable or not one.exit_code
    kinds = ("document", "type", "file", "schema", "network")  # in the order of their exit codes
    own = {f"problem.{kind}": exit_code for exit_code, kind in enumerate(kinds, 1)}
    assert one.exit_code == own.get(code)


def test_rules_are_told_apart() -> None:
    assert len({one.rule for one in FINDINGS.values()}) == len(FINDINGS)
    assert keyword_of("unheard.of").specification is None
    assert "unheard.of" in keyword_of("unheard.of").rule
    assert keyword_of("type") is KEYWORDS["type"]


def test_codes() -> None:
    assert codes("number") == [
        "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
    ]  # fmt: skip


def test_codes_in_the_source_have_entries() -> None:
    for path in Path(widgetschema.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Finding(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                for code in node.args[:1]:
                    if not isinstance(code, ast.Constant):
                        continue
                    assert code.value in KEYWORDS, (path, node.lineno)


def test_a_message_is_declared_once() -> None:
    declared = [id for one in KEYWORDS.values() for id in one.messages]
    assert len(declared) == len(set(declared))
    own = [id for one in KEYWORDS.values() for id in one.editor_messages]
    assert len(own) == len(set(own))
    for one in KEYWORDS.values():
        for id in one.editor_messages.keys() - one.messages.keys():
            assert id.startswith(f"{one.code}.")


@pytest.mark.parametrize("code", FINDINGS)
def test_each_code_has_advice_for_people_who_edit_content(code: str) -> None:
    one = FINDINGS[code]
    said = texts("editor")[code]()
    assert said == one.advice
    for text in (one.advice, *one.editor_messages.values()):
        forms = [text] if isinstance(text, str) else [*text]
        for form in forms:
            assert not form.endswith(".")
            words = set(form.lower().replace(",", " ").split())
            assert not words & {"string", "integer", "array", "object", "null", "boolean"}
            assert not words & {"member", "property", "schema", "pointer", "must be valid"}
    assert said[0].isupper()


@pytest.mark.parametrize("id", [id for one in KEYWORDS.values() for id in one.messages])
def test_a_text_takes_its_parameters(id: str) -> None:
    [text] = [one.messages[id] for one in KEYWORDS.values() if id in one.messages]
    assert not isinstance(text, Joined)
    template = text.other if isinstance(text, Counted) else text
    names = {name for _, name, _, _ in Formatter().parse(template) if name}
    values = {name: f"<{name}>" for name in names} | ({"number": 2} if id != text else {})
    said = texts()[id](**values)
    assert all(f"<{name}>" in said for name in names - {"number"})


def test_what_fix_does_is_described() -> None:
    """Fixes of keywords that are not in `FIXES` rename a member; the others replace a value."""
    described = {code for code, one in KEYWORDS.items() if one.fix}
    renaming = {"additionalProperties", "propertyNames"}
    of_texts = {"json.syntax", "json.encoding", "document.type"}
    assert described == {*FIXES, *renaming, *of_texts}


def test_texts_of_one_two_three_and_more_parameters() -> None:
    say = texts()
    assert say["false"]() == "nothing is allowed here"
    assert say["hint.meant"](value="x") == "did you mean x?"
    assert say["count.item"](number=1) == "1 item"
    assert say["count.item"](number=1200) == "1,200 items"
    assert say["or"](items=["a"]) == "a"
    assert say["or"](items=["a", "b"]) == "a or b"
    assert say["or"](items=["a", "b", "c"]) == "a, b or c"
    assert say["and"](items=[]) == ""
    assert say["limit.replaced"](old="o", new="n", was=1, now=2) == "the o was 1 and the n is 2"
    assert "false" in say
    assert "unheard of" not in say


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_words(name: str) -> None:
    assert texts()[f"format.is-{name}"]()
