"""Forms in several languages: every text of the page, the words of a description, right to left."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.checkout import ROOT
from tests.posting import forms_of
from widgetschema import InvalidFormDescription, Languages, UnknownLanguage, widget_type
from widgetschema.forms import Form
from widgetschema.languages import ENGLISH, Language, as_language, current_language
from widgetschema.languages.po import Entry

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "maxLength": 5},
        "number": {"type": "number", "minimum": 0, "maximum": 3000},
        "size": {"enum": ["small", "big"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 1, "uniqueItems": True},
        "free": {"type": "object"},
        "either": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"x": {}}}]},
    },
    "required": ["number"],
    "additionalProperties": False,
}
DATA = {"title": "abcdefgh", "number": "7", "size": "large", "tags": ["a", "b"], "extra": 1}
HEBREW = Languages(ROOT / "tests" / "data" / "translations")["he"]


def form(lang: str | Language, **options: Any) -> Form:
    return forms_of(SCHEMA).form(DATA, language=as_language(lang), **options)


def in_brackets() -> Language:
    """Return a language that has each text in brackets, so that others are seen."""
    from widgetschema.forms.texts import ADVICE_DOMAIN, FORM_DOMAIN
    from widgetschema.languages.coverage import template

    entries = {}
    for entry in template([FORM_DOMAIN, ADVICE_DOMAIN])[1:]:
        texts = (entry.id,) if entry.plural is None else (entry.plural, entry.plural)
        is_list = "{first}" in entry.id
        forms = texts if is_list else tuple(f"⟦{text}⟧" for text in texts)
        if not entry.context.startswith("language."):
            entries[entry.key] = entry._replace(forms=forms)
    return Language("qps", entries)


def test_every_text_of_a_page_is_translated() -> None:
    """Text in no brackets is a label, a value, or a detail for developers."""
    page = LexborHTMLParser(form(in_brackets()).page(title="⟦⟧"))
    page.strip_tags(["script", "style", "code"])
    for one in page.css("[lang=en], textarea, .ws-details ul"):
        one.decompose()
    shown = [node.text(deep=False) for node in page.root.traverse()]  # type: ignore[union-attr]
    names = ("aria-label", "title", "placeholder", "data-hint")
    for element in page.css("*"):
        shown += [f"{element.attributes[name]}" for name in names if element.attributes.get(name)]
    data = {"Title", "Number", "Size", "Tags", "Free", "Either", "extra", "small", "big", "Tags 1"}
    data |= {"Tags 2", '"large"', "X"}
    nested = re.compile(r"⟦[^⟦⟧]*⟧")
    for text in shown:
        while nested.search(text):
            text = nested.sub("", text)
        assert not re.search(r"[A-Za-z]{2,}", text) or text.strip() in data, text


def test_no_text_of_a_template_stays_in_the_language_that_came_first() -> None:
    for lang, check in (("en", "Check"), ("de", "Prüfen"), ("fr", "Vérifier"), ("en", "Check")):
        page = LexborHTMLParser(form(lang).render())
        button = page.css_first('button[value="check"]')
        assert button is not None
        assert button.text() == check


def test_findings_and_buttons_are_in_the_language() -> None:
    german = form("de")
    said = {finding.keyword: german.sentence(finding) for finding in german.report}
    assert said["maxLength"] == "Um 3 Zeichen kürzen: Platz ist für 5"
    assert said["type"] == "Bitte eine Zahl eingeben, zum Beispiel 3"
    assert said["enum"] == "Eines davon wählen: small, big"
    [finding] = [one for one in german.report if one.keyword == "type"]
    assert finding.message == '"7" is a string, but must be a number'  # for developers
    button = german.button(finding)
    assert button is not None
    assert button.label == "7 verwenden"


def test_forms_of_several_languages_share_nothing() -> None:
    labels = {}
    for lang in ("en", "de", "es", "fr", "en"):
        field = form(lang).field("/size")
        assert field is not None
        labels[lang] = field.choices[0].label
    assert labels == {
        "en": "Not set",
        "de": "Nicht festgelegt",
        "es": "Sin definir",
        "fr": "Non défini",
    }
    assert current_language() is ENGLISH


def test_a_submission_has_the_language_of_its_form() -> None:
    submission = form("fr").submit({"#/title": "abcdefghi"})
    assert submission.form.language.tag == "fr"
    found = submission.answer()
    assert "4 caractères" in found["findings"][0]["message"]
    assert "Il y a" in submission.form.render()
    [change] = submission.changes
    assert change.label == "Title"


def test_a_form_in_another_language_is_read_alike() -> None:
    english, german = form("en"), form("de")
    posted = {"base#": english.base, "#/title": "abc"}
    assert german.submit(posted).data["title"] == "abc"


def test_a_pickled_form_keeps_its_language() -> None:
    again = pickle.loads(pickle.dumps(widget_type("countdown").form(lang="de")))
    assert again.language.tag == "de"
    assert "Speichern" in again.render()


def test_a_page_says_its_language_and_direction() -> None:
    for lang, tag, direction in (
        ("en", "en", "ltr"),
        ("de-AT", "de", "ltr"),
        (HEBREW, "he", "rtl"),
    ):
        page = LexborHTMLParser(form(lang).page())
        for selector in ("html", ".ws-form"):
            element = page.css_first(selector)
            assert element is not None
            assert (element.attributes["lang"], element.attributes["dir"]) == (tag, direction)
        detail = page.css_first(".ws-details li")
        assert detail is not None
        assert (detail.attributes["lang"], detail.attributes["dir"]) == ("en", "ltr")


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(UnknownLanguage, match="there are: de, en, es, fr"):
        widget_type("countdown").form(lang="xx")


def test_translations_are_escaped() -> None:
    key = ("form.button.save", "Save")
    hostile = Language("xx", {key: Entry(*key, None, ("</button><script>alert(1)</script>",))})
    page = form(hostile).render()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


UI = {
    "/title": {"label": {"en": "Title", "de": "Überschrift", "fr-CA": "Titre"}, "help": "!"},
    "/size": {"choices": {"small": {"label": {"de": "klein", "en": "Small"}}, "big": "BIG"}},
    "": {"groups": [{"label": {"de": "Anfang"}, "members": ["title"], "help": {"en": "Start"}}]},
}


@pytest.mark.parametrize(
    ("lang", "label", "choices"),
    [
        ("de", "Überschrift", ["klein", "BIG"]),
        ("en", "Title", ["Small", "BIG"]),
        ("es", "Title", ["Small", "BIG"]),  # there is none: English
    ],
)
def test_a_description_has_texts_by_language(lang: str, label: str, choices: list[str]) -> None:
    shown = form(lang, ui=UI)
    title, size = shown.field("/title"), shown.field("/size")
    assert title is not None
    assert size is not None
    assert (title.label, title.shape.help) == (label, "!")
    assert [choice.label for choice in size.shape.choices] == choices
    assert "Anfang" in shown.render()  # the only one


@pytest.mark.parametrize(
    ("texts", "pointer"),
    [
        ({"de": 3}, "/~1title/label/de"),
        ({"de": ""}, "/~1title/label/de"),
        ({}, "/~1title/label"),
        ({"german!": "x"}, "/~1title/label/german!"),
    ],
)
def test_texts_by_language_that_cannot_be_used(texts: Any, pointer: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        form("de", ui={"/title": {"label": texts}})
    assert [finding.path for finding in caught.value.report] == [pointer]
