"""The subject of a whole schema, by its title and the names of its members.

The meaning of a name depends on the subject: the `description` of a page differs from that of a
plugin, and the `title` of a citation is that of a work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from widgetschema.samples.values.formats import forms, words_of
from widgetschema.schema.linking import LinkedSchema

_TECHNICAL: Final = frozenset(
    """api arg argument auth branch build cache cli cluster command commit compiler config
    configuration container cpu daemon database debug dependency deploy directory docker endpoint
    entrypoint env environment exclude exec executable export extends extension file folder glob
    handler hook host ignore import include input job lint linter log logger memory middleware
    module namespace node output package parser path pipeline plugin port processor protocol proxy
    query regex registry repo repository retry rule runner runtime sandbox schema script server
    service shell source src storage task template test thread timeout tls token tool version
    git workflow workspace""".split()
)
_EDITORIAL: Final = frozenset(
    """align animation answer author avatar background badge bg border button caption card color
    colour content countdown cta currency discount event font gallery gradient heading headline
    image label layout logo margin padding person photo picture placeholder popup position price
    product question quote radius rating review shadow slide social style subtitle testimonial text
    theme timer title video""".split()
)
_MIN_TECHNICAL: Final = 3  # technical names in the schema of a software configuration
_OF_FILES: Final = frozenset(
    """a an and config configuration data definition definitions document file files for format
    from in json of or rfc schema schemas the to toml v with xml yaml yml""".split()
)
_MAX_TITLE_WORDS: Final = 6  # words in a title that is a name, not a sentence


_MEMBER: Final = re.compile(r"/properties/([^/]+)\Z")


class Subject(NamedTuple):
    """The subject of a schema.

    `name` is "" if it is not known. `technical` is True if the data configures software.
    """

    name: str
    technical: bool


def subject_of(linked: LinkedSchema) -> Subject:
    """Return the subject of a schema."""
    title = linked.schema.get("title") if type(linked.schema) is dict else None
    title = title if type(title) is str else ""
    return Subject(_name(title or _last_segment(linked.id)), _is_technical(linked.at, title))


def _last_segment(identifier: str | None) -> str:
    """Return the last segment of an `$id`, without its suffix."""
    return (identifier or "").rstrip("/#").rpartition("/")[2].partition(".")[0]


def _name(title: str) -> str:
    """Return a title without words such as "schema" and "configuration"."""
    words = [word for word in words_of(title) if word not in _OF_FILES and word.isalpha()]
    return " ".join(words) if len(words) <= _MAX_TITLE_WORDS else ""


def _is_technical(pointers: Iterable[str], title: str) -> bool:
    """Return True if more names of members are about software than about content.

    Words of the title count twice.
    """
    names = {match[1] for match in map(_MEMBER.search, pointers) if match is not None}
    said = [forms(words_of(name)) for name in names]
    technical = sum(not words.isdisjoint(_TECHNICAL) for words in said)
    technical += 2 * len(forms(words_of(title)) & (_TECHNICAL - {"schema"}))
    editorial = sum(not words.isdisjoint(_EDITORIAL) for words in said)
    return technical >= _MIN_TECHNICAL and technical > editorial
