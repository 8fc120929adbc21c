"""Texts that a PO file lacks."""

from __future__ import annotations

from widgetschema.languages import Domain
from widgetschema.languages.coverage import coverage, template
from widgetschema.languages.language import ABOUT_DOMAIN
from widgetschema.languages.po import read_po, write_po
from widgetschema.schema.keywords import Counted, Joined, Text

TEXTS: dict[str, Text] = {
    "a": "One",
    "b": Counted("1 item", "{number:,} items"),
    "c": Joined(", ", " or "),
}
DOMAIN = Domain("test", TEXTS)
FILE = """\
msgid ""
msgstr "Language: de\\n"

# kept
#. made anew
msgctxt "test.b"
msgid "1 item"
msgid_plural "{number} items"
msgstr[0] "ein Ding"
msgstr[1] "{number} Dinge"

msgctxt "test.a"
msgid "Once"
msgstr "Eins"

msgctxt "test.gone"
msgid "Gone"
msgstr "Weg"
"""


def test_a_template_has_each_text_with_what_translators_need() -> None:
    header, *entries = template([ABOUT_DOMAIN, DOMAIN], "nl")
    assert "Language: nl\n" in header.forms[0]
    by_context = {entry.context: entry for entry in entries}
    assert by_context["language.direction"].comments[0].startswith("#. ltr, or rtl")
    assert by_context["test.c"].comments[0].startswith("#. a list")
    assert by_context["test.a"].comments == ()
    assert by_context["test.b"].forms == ("", "")
    assert not any(entry.is_translated for entry in entries)


def test_a_file_is_compared_with_all_texts() -> None:
    found = coverage(read_po(FILE, "de.po"), [DOMAIN])
    assert found.missing == ("test.a", "test.c")
    assert found.changed == ("test.a",)
    assert found.unused == ("test.gone",)
    header, changed, kept, new = found.entries
    assert header.forms == ("Language: de\n",)
    assert (changed.id, changed.forms, changed.is_fuzzy) == ("One", ("Eins",), True)
    assert (kept.forms, kept.comments) == (("ein Ding", "{number} Dinge"), ("# kept",))
    assert (new.id, new.forms) == ("{first}, {second} or {last}", ("",))
    again = coverage(read_po(write_po(found.entries), "de.po"), [DOMAIN])
    assert (again.missing, again.changed, again.unused) == (found.missing, (), ())


def test_a_changed_text_without_a_translation_is_a_new_one() -> None:
    old = FILE.replace('"Eins"', '""')
    [_, entry, *_] = coverage(read_po(old, "de.po"), [DOMAIN]).entries
    assert (entry.forms, entry.is_fuzzy) == (("",), False)
    counted = FILE.replace(
        'msgid "Once"\nmsgstr "Eins"', 'msgid "Once"\nmsgid_plural "Twice"\nmsgstr[0] "Eins"'
    )
    [_, entry, *_] = coverage(read_po(counted, "de.po"), [DOMAIN]).entries
    assert (entry.forms, entry.is_fuzzy) == (("",), False)
