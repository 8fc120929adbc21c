"""Labels of members, rows and alternatives, where the schema has no `title` for them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from widgetschema.forms.texts import text
from widgetschema.jsontext import preview
from widgetschema.languages import current_language
from widgetschema.suggest import singular, split_words
from widgetschema.text import shorten

_MAX_NAME: Final = 80  # characters of a name that are shown

# Words that are written in capitals.
_ACRONYMS: Final = frozenset("api css cta faq html id js rss seo svg url".split())


def label_from_name(name: str) -> str:
    """Return a member name in words: `postButtonLink` as "Post button link"."""
    return _in_words(name) or literal_label(name)


@lru_cache(maxsize=4096)
def _in_words(name: str) -> str:
    """Return a member name in words; "" if it has no letters."""
    parts = _join_numbers(split_words(name[:_MAX_NAME]))
    if not any(part[0].isalpha() for part in parts):
        return ""
    words = [_spelled(part) for part in parts]
    first = words[0]
    return " ".join([first[0].upper() + first[1:], *words[1:]])


def literal_label(name: str) -> str:
    """Return a name that a person chose, as one line of text with invisible characters escaped."""
    if not name:
        return text("label.empty-name")
    name = shorten(name, _MAX_NAME)
    return name if name.isprintable() and not name.isspace() else preview(name, 2 * _MAX_NAME)


def row_label(label: str) -> str:
    """Return the label of one item of a list with this label: "Slide" for "Slides".

    In other languages than English, it is that of the list: their plurals are formed otherwise.
    """
    if current_language().tag.partition("-")[0] != "en":
        return label
    head, space, last = label.rpartition(" ")
    return f"{head}{space}{singular(last)}"


def in_a_sentence(label: str) -> str:
    """Return a label as a part of a sentence: "slide" for "Slide", but "FAQ" and "Big Ben"."""
    if current_language().tag.partition("-")[0] == "de" or label[1:] != label[1:].lower():
        return label
    return label[:1].lower() + label[1:]


def number_duplicates(labels: list[str]) -> list[str]:
    """Return the labels, with a number after those that occur more than once."""
    often = Counter(labels)
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(f"{label} {seen[label]}" if often[label] > 1 else label)
    return found


def _join_numbers(parts: list[str]) -> list[str]:
    """Return the words with a number joined to a single letter before it: `h2` is one word."""
    found: list[str] = []
    for part in parts:
        if part.isdigit() and found and len(found[-1]) == 1 and found[-1].isalpha():
            found[-1] += part
        else:
            found.append(part)
    return found


def _spelled(part: str) -> str:
    """Return a word within a label: `CSS` and `URLs` in capitals, not the `A` of `showAModal`."""
    word = part.lower()
    one = word.removesuffix("s")
    if word in _ACRONYMS or one in _ACRONYMS:
        return word.upper() if word in _ACRONYMS else f"{one.upper()}s"
    return part if len(part) > 1 and part[:2].isupper() else word
