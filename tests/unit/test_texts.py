"""Templates and scripts have no sentences of their own: these are in the modules of texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from jinja2 import Environment, nodes

import widgetschema
from widgetschema.editor.texts import TEXTS as EDITOR_TEXTS
from widgetschema.forms.texts import TEXTS as FORM_TEXTS
from widgetschema.languages.language import SCRIPT

ROOT: Final = Path(widgetschema.__file__).parent
TEMPLATES: Final = [*ROOT.glob("forms/html/**/*.html"), *ROOT.glob("editor/**/*.html")]
SCRIPTS: Final = [
    *ROOT.glob("forms/html/static/**/*.js"),
    *ROOT.glob("editor/assets/*.js"),
    *ROOT.glob("integrations/**/*.js"),
]

_JINJA: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
_TAG: Final = re.compile(r"<[^<>]*>")
_SHOWN: Final = re.compile(r"\b(?:aria-label|alt|placeholder|title)=[\"']([^\"']*)[\"']")
_WORDS: Final = re.compile(r"[A-Z][a-z]+(?: |$|…|:)|(?<![\w-])[A-Za-z][a-z]+,? [a-z]+(?![\w-])")
_KEYS: Final = re.compile(
    r"(Arrow|Alt|End|Enter|Escape|Delete|Home|Tab|DOM)\w*$|Control\+|Accept$|use strict$"
    r"|[a-z]+[A-Z]\w*$|input, select"
)
_LITERAL: Final = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`")
_COMMENT: Final = re.compile(r"/\*(?s:.*?)\*/|(?m:^\s*//.*$)|(?<=[;,{(]) // .*")


def words_in_template(source: str) -> Iterator[str]:
    """Yield the words that a template shows by itself."""
    tree = Environment(autoescape=True).parse(source)
    named = {id(one.node) for one in tree.find_all(nodes.Filter) if one.name == "text"}
    markup = _JINJA.sub("\0", source)
    yield from (shown for shown in _SHOWN.findall(markup) if shown.strip("\0"))
    markup = re.sub(r"<(style|script)\b.*?</\1>", "", markup, flags=re.DOTALL)
    yield from re.findall(
        r"[^\W\d_]{2,}[^\0]*",
        re.sub(r"&\w+;", "", _TAG.sub("\0", markup).replace("widgetschema", "")),
    )
    for const in tree.find_all(nodes.Const):
        is_shown = isinstance(const.value, str) and id(const) not in named
        if is_shown and _WORDS.search(const.value) and "-" not in const.value:
            yield const.value


def sentences_in_script(source: str) -> Iterator[str]:
    """Yield the literals of a script that are words for people."""
    for found in _LITERAL.finditer(_COMMENT.sub("", source)):
        literal = re.sub(
            r"\$\{[^}]*\}", "\0", next(one for one in found.groups() if one is not None)
        )
        if (
            _WORDS.search(literal)
            and not _KEYS.match(literal)
            and not re.search(r"[\[#=>]", literal)
        ):
            yield literal


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_templates_say_nothing_by_themselves(path: Path) -> None:
    assert [*words_in_template(path.read_text())] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_say_nothing_by_themselves(path: Path) -> None:
    assert [*sentences_in_script(path.read_text())] == []


@pytest.mark.parametrize(
    ("find", "source"),
    [
        (words_in_template, "<b>Add</b>"),
        (words_in_template, '<b title="Move up">{{ x }}</b>'),
        (words_in_template, "<p>{% if x %}not set{% endif %}</p>"),
        (words_in_template, "{{ 'not set' if x else 'removed' }}"),
        (sentences_in_script, 'say(root, "Not checked: there is no answer.");'),
        (sentences_in_script, "say(root, `${number} fields found`);"),
        (sentences_in_script, 'button.textContent = "Undo";'),
        (sentences_in_script, 'const A = 1; // why\nsay("Not checked");'),
    ],
)
def test_sentences_are_found(find: Callable[[str], Iterator[str]], source: str) -> None:
    assert [*find(source)]


def test_names_in_templates_and_scripts_are_known() -> None:
    for part, texts in (("forms", FORM_TEXTS), ("editor", EDITOR_TEXTS)):
        for path in (one for one in TEMPLATES if one.is_relative_to(ROOT / part)):
            for name in re.findall(r'"([\w.-]+)"\|text\b', path.read_text()):
                assert name in texts, (path, name)
        used = {*_phrases(one for one in SCRIPTS if one.is_relative_to(ROOT / part))}
        known = {name.removeprefix(SCRIPT) for name in texts if name.startswith(SCRIPT)}
        assert used <= known
        assert {*known} - used <= {"only-set", "only-found"}  # which the script names in a table


def _phrases(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from re.findall(r'phrase\(\w+, "([\w-]+)"', path.read_text())
