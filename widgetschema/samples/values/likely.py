"""Likely texts where the schema has a pattern: what the name asks for, spelled so that it fits.

A pattern says how a text is spelled, the name what it is. So the texts of the name are tried
first, as they are and in the spellings that identifiers have; then those kinds of texts that
patterns are mostly written for. What none of these is like is left to `regular`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from widgetschema.samples.values.formats import words_of
from widgetschema.samples.values.locales import Locale

_MAX_TRIED: Final = 48  # texts of one kind that are tried
MIN_LIKELY: Final = 3  # likely texts are enough
_MIN_LETTERS: Final = 4  # letters of a word that says something
_PROBE_SIZE: Final = 6  # one of so many texts must fit, or none is tried

Accepts = Callable[[str], bool]


def _words(text: str) -> list[str]:
    found = (re.sub(r"[^a-z0-9]", "", word) for word in words_of(text))
    return [word for word in found if word][:4]


def _one_word(text: str) -> str:
    """Return a word that is no article or preposition."""
    return next((word for word in _words(text) if len(word) >= _MIN_LETTERS), "")


def _camel(text: str) -> str:
    first, *rest = _words(text) or [""]
    return first + "".join(word.title() for word in rest)


_SPELLINGS: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: "-".join(_words(text)),
    lambda text: "_".join(_words(text)),
    _camel,
    lambda text: "".join(word.title() for word in _words(text)),
    lambda text: "_".join(_words(text)).upper(),
    _one_word,
    lambda text: _one_word(text).upper(),
    lambda text: ".".join(_words(text)),
    lambda text: "/" + "-".join(_words(text)),
    lambda text: "./" + "-".join(_words(text)),
    lambda text: "@" + "-".join(_words(text)),
    lambda text: " ".join(_words(text)).capitalize(),
)
# Kinds of texts that patterns ask for, those with the most form first.
_KINDS: Final = (
    "page_url image_url email colour version semantic_version short_date clock_time phone commit "
    "css_size percentage span memory_size language locale_tag country_code currency postcode ipv4 "
    "hostname media_type package_name file_path file_name path constant expression slug word number"
).split()


def likely_texts(
    texts: Sequence[str], dates: Sequence[str], locale: Locale, accepts: Accepts
) -> tuple[str, ...]:
    """Return texts that are accepted, of one kind; none if there are too few.

    `texts` are those of the name; `dates` days in ISO 8601, if the name asks for a date.
    """
    for some in _tried(texts, dates, locale):
        if any(map(accepts, some[:_PROBE_SIZE])):
            found = tuple(dict.fromkeys(one for one in some[:_MAX_TRIED] if accepts(one)))
            if len(found) >= MIN_LIKELY:
                return found
    return ()


def _tried(texts: Sequence[str], dates: Sequence[str], locale: Locale) -> Iterator[Sequence[str]]:
    yield texts
    if dates:
        yield dates
        yield [date[:7] for date in dates]
        yield [date[:4] for date in dates]
        yield [date.replace("-", "") for date in dates]
        yield [f"{date}T08:00:00Z" for date in dates]
        yield [f"{date} 08:00:00" for date in dates]
    for spelled in _SPELLINGS:
        yield [*dict.fromkeys(map(spelled, texts))]
    for kind in _KINDS:
        yield locale.pools[kind]
    for spelled in _SPELLINGS:
        yield [*map(spelled, locale.pools["slug"])]


# Examples in a description ------------------------------------------------------------------

_EXAMPLE: Final = re.compile(
    r"(?:\be\.\s?g\.|\bfor (?:example|instance)\b|\bexamples?:)[,:]?\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED: Final = re.compile(r"""\s*(?:,|or|and|/)?\s*(?P<quote>["'`“])(?P<text>[^"'`”\n]+)["'`”]""")
_ENDS: Final = re.compile(r"\.(?=\s|$)|\)|;|\n")
_GOES_ON: Final = re.compile(r"\) [a-z]")
_BETWEEN: Final = re.compile(r",? or |, (?:and )?")
_MAX_TEXT: Final = 100
_MAX_WORD: Final = 40


def examples_in(description: str) -> list[str]:
    """Return the examples that a description gives: "e.g. Fluent, Beginner"."""
    found = _EXAMPLE.search(description[:1000])
    if found is None:
        return []
    rest = found["rest"]
    quoted, at = [], 0
    while (one := _QUOTED.match(rest, at)) is not None:
        quoted.append(one["text"])
        at = one.end()
    if quoted:
        return quoted
    end = _ENDS.search(rest)
    if end is not None and _GOES_ON.match(rest, end.start()):
        return []  # "the (e.g. Git) commit hash": an example of another thing
    sentence = rest[: end.start() if end is not None else None].strip()
    parts = [part.strip() for part in _BETWEEN.split(sentence)]
    if found.start() == 0 and len(sentence) <= _MAX_TEXT:
        return [part for part in parts if part] if max(map(len, parts)) <= _MAX_WORD else [sentence]
    # In the middle of a sentence, only what is no prose.
    named = re.search(r"[A-Z0-9_/@.-]", sentence) and not re.search(r"\b[a-z]+ [a-z]+\b", sentence)
    return parts if sentence and len(sentence) <= _MAX_WORD and named else []


def is_placeholder(value: Any) -> bool:
    """Return True if an example is only a placeholder, such as "Sample name"."""
    return type(value) is str and len(value) <= _MAX_WORD and "sample" in words_of(value)
