"""Texts that a PO file lacks: the template of all texts, and files compared with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from widgetschema.languages.language import Domain, message_ids
from widgetschema.languages.po import Entry
from widgetschema.schema.keywords import Joined, Text

_HEADER: Final = """\
Language: {tag}
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
Plural-Forms: nplurals=2; plural=n != 1;
"""
_HINTS: Final = {
    "language.name": "the name of your language in your language",
    "language.direction": "ltr, or rtl for a language that is written from right to left",
    "language.thousand": "the number, as your language writes it",
    "language.ten-thousand": "the number, as your language writes it",
    "language.decimal": "the number, as your language writes it",
}
_LIST: Final = "a list: what stands between its items, and before the last one"


@dataclass(frozen=True)
class Coverage:
    """A PO file compared with all texts.

    Attributes:
        entries: The entries of the file as they should be: those of all texts, in their order. A
            translation whose English has changed is marked `fuzzy`.
        missing: The contexts of texts without a translation.
        changed: Those of translations whose English has changed; they are missing, too.
        unused: The contexts of entries that belong to no text, and are left out of `entries`.
    """

    entries: tuple[Entry, ...]
    missing: tuple[str, ...]
    changed: tuple[str, ...]
    unused: tuple[str, ...]


def template(domains: Iterable[Domain], tag: str = "") -> list[Entry]:
    """Return the entries of all texts, without translations, for a new language."""
    return [
        Entry("", "", None, (_HEADER.format(tag=tag),)),
        *(
            _empty_entry(domain.context(name), english)
            for domain in domains
            for name, english in domain.texts.items()
        ),
    ]


def coverage(entries: Sequence[Entry], domains: Iterable[Domain]) -> Coverage:
    """Compare the entries of a PO file with all texts."""
    by_context = {entry.context: entry for entry in entries}
    header, *texts = template(domains)
    found = [by_context.get("", header)]
    missing, changed = [], []
    for empty in texts:
        entry = by_context.get(empty.context)
        if entry is None:
            found.append(empty)
        elif (entry.id, entry.plural) == (empty.id, empty.plural):
            found.append(entry._replace(comments=(*_notes(entry), *empty.comments)))
        else:
            found.append(_outdated(entry, empty))
            changed.append(empty.context)
        if not found[-1].is_translated:
            missing.append(empty.context)
    known = {entry.context for entry in texts}
    unused = [entry.context for entry in entries if entry.id and entry.context not in known]
    return Coverage(tuple(found), tuple(missing), tuple(changed), tuple(unused))


def _empty_entry(context: str, english: Text) -> Entry:
    id, plural = message_ids(english)
    hint = _HINTS.get(context) or (_LIST if isinstance(english, Joined) else "")
    comments = (f"#. {hint}",) if hint else ()
    return Entry(context, id, plural, ("",) if plural is None else ("", ""), comments=comments)


def _outdated(entry: Entry, empty: Entry) -> Entry:
    """Return a translation of an earlier text, to be looked at."""
    same_number = (entry.plural is None) == (empty.plural is None)
    forms = entry.forms if same_number else empty.forms
    notes = (*_notes(entry), *empty.comments)
    if not any(forms):
        return empty._replace(comments=notes)
    return empty._replace(forms=forms, comments=notes, is_fuzzy=True)


def _notes(entry: Entry) -> Iterator[str]:
    """Yield the comments of translators; all others are made anew."""
    return (one for one in entry.comments if one == "#" or one.startswith("# "))
