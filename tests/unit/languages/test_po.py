"""PO files are read strictly, with the line of a mistake, and written as they are read."""

from __future__ import annotations

import pytest

from widgetschema.errors import InvalidTranslation
from widgetschema.languages.po import Entry, read_po, write_po

FILE = """\
# of the file
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=n != 1;\\n"

#. for translators
#: forms/texts.py
msgctxt "form.row.remove"
msgid "Remove"
msgstr "Entfernen"

msgctxt "form.problems"
msgid "1 problem"
msgid_plural "{number} problems"
msgstr[0] "1 Problem"
msgstr[1] "{number} Probleme"
msgctxt "form.next"
msgid "a \\"quoted\\" back\\\\slash\\tand a tab"
msgstr ""

#, fuzzy
#| msgid "before"
msgctxt "form.fuzzy"
msgid "A guess"
msgstr "Geraten"

#~ msgid "gone"
#~ msgstr "weg"
"""


def test_entries_are_read() -> None:
    header, remove, problems, escaped, guess = read_po(FILE, "de.po")
    assert header.forms == ("Language: de\nPlural-Forms: nplurals=2; plural=n != 1;\n",)
    assert remove == Entry(
        "form.row.remove",
        "Remove",
        None,
        ("Entfernen",),
        9,
        ("#. for translators", "#: forms/texts.py"),
    )
    assert problems.plural == "{number} problems"
    assert problems.forms == ("1 Problem", "{number} Probleme")
    assert escaped.id == 'a "quoted" back\\slash\tand a tab'
    assert not escaped.is_translated
    assert not guess.is_translated


def test_what_is_written_is_read_back() -> None:
    entries = read_po(FILE, "de.po")
    again = read_po(write_po(entries), "de.po")
    assert [one._replace(line=0) for one in again] == [one._replace(line=0) for one in entries]
    assert read_po("\ufeff" + FILE.replace("\n", "\r\n"), "de.po") == entries


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("msgid 'a'", 1, "expected a keyword and a text in quotes"),
        ('msgid "a" "b"', 1, "expected a keyword and a text in quotes"),
        ('\n"a"', 2, "expected a keyword and a text in quotes"),
        ('msgid "a\nmsgstr "b"', 1, "expected a keyword and a text in quotes"),
        ('msgid "a"\nmsgstr "\\x41"', 2, r"the escape \x is not known"),
        ('msgid "a"\nmsgid "b"\nmsgstr ""', 2, "there are two msgid in one entry"),
        ('msgstr "a"', 1, "an entry has msgid and msgstr, in this order"),
        ('domain "a"', 1, "expected a keyword and a text in quotes"),
        ('msgid "a"\nmsgstr[0] "b"', 1, "an entry has msgid and msgstr, in this order"),
        (
            'msgid "a"\nmsgid_plural "b"\nmsgstr[1] "b"',
            1,
            "an entry has msgid, msgid_plural and msgstr[0], in this order",
        ),
        ('msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"', 4, "this text is in line 1 already"),
    ],
)
def test_mistakes_have_a_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(InvalidTranslation) as caught:
        read_po(text, "de.po")
    assert (caught.value.file, caught.value.line, caught.value.reason) == ("de.po", line, reason)
