"""Texts in a language: plurals, numbers, lists, and translations that do not fit their text."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping

import pytest

from widgetschema.errors import InvalidTranslation
from widgetschema.languages import ENGLISH, Domain, Language, current_language, speaking
from widgetschema.languages.po import read_po
from widgetschema.schema.keywords import Counted, Joined, Text

TEXTS: Mapping[str, Text] = {
    "plain": "Remove",
    "named": "{before} became {after}",
    "count": Counted("1 item in {place}", "{number:,} items in {place}"),
    "limit": "at most {limit:,}",
    "list": Joined(", ", " or "),
    "script.count": Counted("1 field", "{number:,} fields"),
    "script.plain": "Done",
}
DOMAIN = Domain("test", TEXTS)
HEADER = 'msgid ""\nmsgstr "Plural-Forms: {}\\n"\n\n'
GERMAN = "nplurals=2; plural=n != 1;"
POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
JAPANESE = "nplurals=1; plural=0;"
FRENCH = "nplurals=2; plural=n > 1;"


def language(body: str, plural: str = GERMAN, tag: str = "xx") -> Language:
    text = HEADER.format(plural) + body
    return Language(tag, {entry.key: entry for entry in read_po(text, "xx.po")}, "xx.po")


def entry(name: str, *forms: str) -> str:
    """Return an entry of a PO file for a text of the table."""
    from widgetschema.languages.language import message_ids

    id, plural = message_ids(TEXTS[name])
    lines = [f'msgctxt "test.{name}"', f'msgid "{id}"']
    if plural is None:
        lines.append(f'msgstr "{forms[0]}"')
    else:
        lines.append(f'msgid_plural "{plural}"')
        lines += [f'msgstr[{at}] "{form}"' for at, form in enumerate(forms)]
    return "\n".join(lines) + "\n\n"


def test_a_text_without_a_translation_is_english() -> None:
    phrases = language(entry("plain", "")).phrases(DOMAIN)
    assert phrases["plain"]() == "Remove"
    assert phrases["count"](number=2_000, place="x") == "2,000 items in x"
    assert phrases["list"](items=["a", "b", "c"]) == "a, b or c"


def test_a_text_whose_english_has_changed_is_english() -> None:
    old = entry("plain", "Entfernen").replace("Remove", "Delete")
    assert language(old).phrases(DOMAIN)["plain"]() == "Remove"


def test_placeholders_may_change_places() -> None:
    phrases = language(entry("named", "aus {after} wurde {before}")).phrases(DOMAIN)
    assert phrases["named"](before="a", after="b") == "aus b wurde a"


def test_braces_in_values_and_texts_stay() -> None:
    phrases = language(entry("named", "{{{before}}} {after}")).phrases(DOMAIN)
    assert phrases["named"](before="{x}", after="{0.__class__}") == "{{x}} {0.__class__}"


def test_a_list_has_the_separators_of_its_language() -> None:
    phrases = language(entry("list", "{first}、{second}か{last}")).phrases(DOMAIN)
    assert phrases["list"](items=["a"]) == "a"
    assert phrases["list"](items=["a", "b"]) == "aかb"
    assert phrases["list"](items=["a", "b", "c"]) == "a、bかc"


NUMBERS = (
    'msgctxt "language.thousand"\nmsgid "1,000"\nmsgstr "{}"\n\n'
    'msgctxt "language.ten-thousand"\nmsgid "10,000"\nmsgstr "{}"\n\n'
)


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("1.000", "10.000", ["999", "1.000", "9.999", "10.000", "1.234.567"]),
        ("1000", "10.000", ["999", "1000", "9999", "10.000", "1.234.567"]),
        ("1\u202f000", "10\u202f000", ["999", "1\u202f000", "9\u202f999", "10\u202f000", None]),
        ("1000", "10000", ["999", "1000", "9999", "10000", "1234567"]),
    ],
)
def test_numbers_have_the_separators_of_their_language(
    first: str, second: str, shown: list[str | None]
) -> None:
    body = NUMBERS.format(first, second) + entry("limit", "höchstens {limit}")
    spoken = language(body)
    say = spoken.phrases(DOMAIN)["limit"]
    for number, text in zip((999, 1_000, 9_999, 10_000, 1_234_567), shown, strict=True):
        assert text is None or say(limit=number) == f"höchstens {text}"
    assert spoken.number(-1_000) == f"-{shown[1]}"


@pytest.mark.parametrize(
    ("plural", "forms", "expected"),
    [
        (POLISH, ["1 pole", "{number} pola", "{number} pól"], "0l 1e 2a 5l 12l 21l 22a 112l 122a"),
        (JAPANESE, ["{number}個"], "0個 1個 2個"),
        (FRENCH, ["{number} champ", "{number} champs"], "0p 1p 2s"),
        ("nplurals=2; plural=n > 999 ? 5 : n != 1;", ["{number}o", "{number}m"], "1o 2m 1000m"),
    ],
)
def test_plurals(plural: str, forms: list[str], expected: str) -> None:
    texts = [f"{form} {{place}}" for form in forms]
    say = language(entry("count", *texts), plural).phrases(DOMAIN)["count"]
    for case in expected.split():
        number = int(case[:-1])
        assert say(number=number, place="").strip().endswith(case[-1]), number


def test_scripts_get_the_forms_and_the_table_of_the_plural() -> None:
    forms = ["1 pole", "{number} pola", "{number} pól"]
    texts = json.loads(language(entry("script.count", *forms), POLISH).script_texts(DOMAIN))
    assert texts["count"] == ["1 pole", "{number:,} pola", "{number:,} pól"]
    assert texts["plain"] == "Done"
    assert [int(texts[""][at]) for at in (0, 1, 2, 5, 12, 22, 112, 122)] == [2, 0, 1, 2, 2, 1, 2, 1]
    assert len(texts[""]) == 200
    english = json.loads(ENGLISH.script_texts(DOMAIN))
    assert english == {"": "101", "count": ["1 field", "{number:,} fields"], "plain": "Done"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (entry("named", "{before}"), "the placeholder {after} is missing"),
        (entry("named", "{before} {after} {new}"), "there is no placeholder {new} in the English"),
        (entry("named", "{before} {after} {"), "a placeholder is a name in braces"),
        (entry("named", "{before} {after!r}"), "a placeholder is a name in braces"),
        (entry("named", "{before.x} {after}"), "a placeholder is a name in braces"),
        (entry("named", "{before} {after:,}"), "a placeholder is a name in braces"),
        (entry("named", "{} {after}"), "a placeholder is a name in braces"),
        (entry("named", "{{before}} {after}"), "the placeholder {before} is missing"),
        (entry("count", "eins in {place}", "viele in {place}"), "the placeholder {number} is"),
        (entry("count", "eins", "{number} in {place}"), "the placeholder {place} is missing"),
        (entry("count", "a {place}"), "1 forms of the plural, but Plural-Forms has 2"),
        (entry("list", "{last}, {second} oder {first}"), "a list is written {first}, {second}"),
        (NUMBERS.format("1.000", "10"), "write the number with the digits"),
        (NUMBERS.format("1.000", "10 .x000"), "write the number with the digits"),
        ('msgctxt "language.direction"\nmsgid "ltr"\nmsgstr "left"', "the direction is ltr or rtl"),
    ],
)
def test_a_translation_that_does_not_fit_is_refused(body: str, reason: str) -> None:
    with pytest.raises(InvalidTranslation) as caught:
        language(body)
    assert reason in str(caught.value)
    assert caught.value.line > 3


def test_a_form_of_the_plural_for_several_numbers_says_the_number() -> None:
    body = entry("count", "un champ {place}", "{number} champs {place}")
    language(body, GERMAN)
    with pytest.raises(InvalidTranslation, match="number"):  # in French, it stands for 0, too
        language(body, FRENCH)


@pytest.mark.parametrize(
    "plural",
    [
        "plural=n != 1;",
        "nplurals=0; plural=0;",
        "nplurals=1; plural=n;",
        "nplurals=2; plural=n ** 9;",
        "nplurals=2; plural=__import__('os');",
        "nplurals=2; plural=" + "(" * 99 + "n" + ")" * 99 + ";",
    ],
)
def test_a_rule_of_the_plural_that_cannot_be_used_is_refused(plural: str) -> None:
    with pytest.raises(InvalidTranslation) as caught:
        language("", plural)
    assert caught.value.line == 1


def test_another_encoding_is_refused() -> None:
    text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n'
    with pytest.raises(InvalidTranslation, match="the charset must be UTF-8, not ISO-8859-1"):
        Language("xx", {one.key: one for one in read_po(text, "xx.po")}, "xx.po")


def test_texts_are_read_in_the_current_language() -> None:
    german = language(entry("plain", "Entfernen"), tag="de")
    assert current_language() is ENGLISH
    with speaking(german):
        assert current_language().phrases(DOMAIN)["plain"]() == "Entfernen"
        with speaking(ENGLISH):
            assert current_language() is ENGLISH
        assert current_language() is german
    assert current_language() is ENGLISH


def test_a_language_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(language(entry("plain", "Entfernen"), FRENCH)))
    assert again.phrases(DOMAIN)["plain"]() == "Entfernen"
    assert again.plural_table == "001"


@pytest.mark.parametrize(
    ("number", "digits", "shown"),
    [
        (30.14, 1, "30,1"),
        (2.0, 1, "2"),
        (0.0, 2, "0"),
        (1_234.5, 1, "1.234,5"),
        (-1.25, 2, "-1,25"),
    ],
)
def test_fractions_have_the_decimal_mark_of_their_language(
    number: float, digits: int, shown: str
) -> None:
    body = NUMBERS.format("1.000", "10.000") + (
        'msgctxt "language.decimal"\nmsgid "1.5"\nmsgstr "1,5"\n\n'
    )
    assert language(body).decimal(number, digits) == shown
    assert ENGLISH.decimal(1_234.56, 1) == "1,234.6"


@pytest.mark.parametrize(
    ("tag", "expected"), [("de-AT", "Titel"), ("DE", "Titel"), ("en-GB", "Title"), ("fr", "Title")]
)
def test_a_language_chooses_among_texts_by_tag(tag: str, expected: str) -> None:
    assert Language(tag).choose({"nl": "Titel (nl)", "de": "Titel", "en": "Title"}) == expected
    assert Language(tag).choose({"nl": "Titel (nl)"}) == "Titel (nl)"


@pytest.mark.parametrize("said", ["1.5.", "2,5", "15", "1x5"])
def test_the_decimal_mark_is_one_sign(said: str) -> None:
    with pytest.raises(InvalidTranslation, match="the digits 1 and 5"):
        language(f'msgctxt "language.decimal"\nmsgid "1.5"\nmsgstr "{said}"\n\n')
