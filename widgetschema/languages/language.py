"""`Language`: the texts for people in one language, and the language in which texts are read now.

Texts belong to a domain, a table of English texts by name. In a PO file the context of a text is
its domain and its name (`form.row.remove`); placeholders have their names alone (`{number}`). The
translations of a text must have its placeholders; one that adds or omits a placeholder
is an error when the file is read. A text without a translation is shown in English.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.errors import InvalidTranslation
from widgetschema.languages.po import ENGLISH_TABLE, Entry, plural_rule, plural_table
from widgetschema.schema.keywords import Counted, Joined, Text, text_function

_FIELD: Final = re.compile(r"\{([a-z_]+)\}")
_BRACES: Final = re.compile(r"\{\{|\}\}|\{[a-z_]+\}")
_GROUPED: Final = re.compile(r"\{([a-z_]+):,\}")
_JOINED: Final = re.compile(r"\{first\}(.+)\{second\}(.+)\{last\}", re.DOTALL)
_PLURAL_FORMS: Final = re.compile(r"^Plural-Forms:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_CHARSET: Final = re.compile(r"^Content-Type:.*charset=(\S+)", re.MULTILINE | re.IGNORECASE)
SCRIPT: Final = "script."  # how the names of the texts for scripts begin
_TEN_THOUSAND: Final = 10_000
_SAMPLE: Final = 200  # numbers by which forms of the plural are told apart

ABOUT: Final[Mapping[str, Text]] = {
    "name": "English",  # the language's own name
    "direction": "ltr",  # or rtl
    "thousand": "1,000",  # as this number is written
    "ten-thousand": "10,000",
    "decimal": "1.5",
}
"""The facts about a language that its PO file says, as translations of those about English."""


class Domain(NamedTuple):
    """The English texts of one part of the package, by name."""

    name: str
    texts: Mapping[str, Text]

    def context(self, name: str) -> str:
        """Return the context of a text in PO files."""
        return f"{self.name}.{name}"

    def text(self, name: str, /, **parameters: Any) -> str:
        """Return the text of this name in the current language, with its parameters."""
        return current_language().phrases(self)[name](**parameters)


class Phrases(dict[str, Callable[..., str]]):
    """The texts of a domain in one language as functions of their parameters; made when used."""

    def __init__(self, language: Language, domain: Domain) -> None:
        super().__init__()
        self._language = language
        self._domain = domain

    def __missing__(self, name: str) -> Callable[..., str]:
        english = self._domain.texts[name]
        text = self[name] = self._language.function(self._domain.context(name), english)
        return text

    __hash__ = object.__hash__  # type: ignore[assignment]  # by identity: it only ever grows


class Plural(NamedTuple):
    """A translation that depends on a number: its forms, in the order of the plural rule."""

    forms: tuple[str, ...]


class Language:
    """One language with its texts.

    Attributes:
        tag: Its language tag (BCP 47), such as "de".
        plural_table: The forms of the plural by number; see `po.plural_table`.
    """

    def __init__(
        self, tag: str, entries: Mapping[tuple[str, str], Entry] | None = None, file: str = ""
    ) -> None:
        """Check the entries of a PO file.

        Raises:
            InvalidTranslation: A translation lacks a placeholder, or the header is not usable.
        """
        self.tag = tag
        self._made_of = tag, entries, file
        self._entries = dict(entries or {})
        header = self._entries.pop(("", ""), None)
        said = "" if header is None else header.forms[0]
        self.plural_table = ENGLISH_TABLE
        self._form: Callable[[int], int] = _english_form
        count = 2
        try:
            charset = _CHARSET.search(said)
            if charset is not None and charset[1].lower() not in ("utf-8", "charset"):
                raise ValueError(f"the charset must be UTF-8, not {charset[1]}")
            if rule := _PLURAL_FORMS.search(said):
                count, self._form = plural_rule(rule[1])
                self.plural_table = plural_table(self._form)
        except ValueError as error:
            line = 0 if header is None else header.line
            raise InvalidTranslation(file, line, str(error)) from None
        numbers = Counter(self._form(number) for number in range(_SAMPLE))
        single = {form for form, often in numbers.items() if often == 1}
        for entry in self._entries.values():
            reason = _mistake(entry, count, single)
            if reason:
                raise InvalidTranslation(file, entry.line, f"{entry.context}: {reason}")
        self._phrases: dict[str, Phrases] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_of

    def __repr__(self) -> str:
        return f"<Language {self.tag}>"

    @cached_property
    def name(self) -> str:
        """Its own name, such as "Deutsch"."""
        return self._about("name")

    @cached_property
    def direction(self) -> str:
        """The direction in which it is written: "ltr" or "rtl"."""
        return self._about("direction")

    @cached_property
    def separators(self) -> tuple[str, str]:
        """The separators of thousands: in 1,000, and in numbers from 10,000 on."""
        first, second = (self._about(name) for name in ("thousand", "ten-thousand"))
        return first[1:-3], second[2:-3]

    @cached_property
    def decimal_mark(self) -> str:
        """The mark between the whole part of a number and its fraction, as in 1.5."""
        return self._about("decimal")[1:-1]

    def phrases(self, domain: Domain) -> Phrases:
        """Return the texts of a domain."""
        found = self._phrases.get(domain.name)
        if found is None:
            found = self._phrases.setdefault(domain.name, Phrases(self, domain))
        return found

    def choose(self, texts: Mapping[str, str]) -> str:
        """Return the text of this language: by its tag, or the beginning of it; else English.

        Args:
            texts: A text by language tag, at least one; if none of them fits, the first is taken.
        """
        return own_text(self.tag, texts) or own_text("en", texts) or next(iter(texts.values()))

    def number(self, number: int) -> str:
        """Return a whole number with the separators of the language."""
        text = f"{number:,}"
        if "," not in text:
            return text
        return text.replace(",", self.separators[abs(number) >= _TEN_THOUSAND])

    def decimal(self, number: float, digits: int) -> str:
        """Return a number with the separators of the language.

        Args:
            number: The number.
            digits: How many digits there are after the decimal mark at most; zeros at the end are
                left out.
        """
        whole, _, fraction = f"{abs(number):.{digits}f}".partition(".")
        fraction = fraction.rstrip("0")
        text = self.number(int(whole)) + (f"{self.decimal_mark}{fraction}" if fraction else "")
        return f"-{text}" if number < 0 else text

    def translation(self, context: str, english: Text) -> Text | Plural | None:
        """Return the translation of a text; None if there is none."""
        id, plural = message_ids(english)
        entry = self._entries.get((context, id))
        if entry is None or not entry.is_translated or entry.plural != plural:
            return None
        if isinstance(english, Joined):
            match = _JOINED.fullmatch(entry.forms[0])
            return None if match is None else Joined(match[1], match[2])
        return entry.forms[0] if plural is None else Plural(entry.forms)

    def function(self, context: str, english: Text) -> Callable[..., str]:
        """Return a text as a function of its parameters, which have names."""
        found = self.translation(context, english)
        if found is None:
            return text_function(english)
        grouped = grouped_fields(english)
        if not isinstance(found, Plural):
            return self._grouping(text_function(found), grouped)
        forms = [self._grouping(text_function(form), grouped) for form in found.forms]
        return lambda number, **parameters: forms[self._form(number)](number=number, **parameters)

    def script_texts(self, domain: Domain) -> str:
        """Return the texts of a domain whose names begin with `script.` as a JSON object.

        A text with a number is an array of its forms; the member "" is the table of the plural.
        """
        found: dict[str, Any] = {"": self.plural_table}
        for name, english in domain.texts.items():
            if not name.startswith(SCRIPT):
                continue
            text: Text | Plural = self.translation(domain.context(name), english) or english
            if isinstance(text, Plural):
                text = Plural(tuple(_regrouped(form, english) for form in text.forms))
            elif isinstance(text, str):
                text = _regrouped(text, english)
            forms = text.forms if isinstance(text, Plural) else [*text]
            found[name.removeprefix(SCRIPT)] = text if isinstance(text, str) else forms
        return json.dumps(found, ensure_ascii=False)

    def is_translated(self, context: str, english: Text) -> bool:
        """Return True if a text has a translation."""
        return self.translation(context, english) is not None

    def _grouping(self, text: Callable[..., str], names: frozenset[str]) -> Callable[..., str]:
        """Return a text in which some parameters are numbers with separators."""
        if not names:
            return text

        def function(**parameters: Any) -> str:
            for name in names & parameters.keys():
                parameters[name] = self.number(parameters[name])
            return text(**parameters)

        return function

    def _about(self, name: str) -> str:
        found = self.translation(ABOUT_DOMAIN.context(name), ABOUT[name])
        return found if isinstance(found, str) else str(ABOUT[name])


ABOUT_DOMAIN: Final = Domain("language", ABOUT)


def own_text(tag: str, texts: Mapping[str, str]) -> str | None:
    """Return the text for a language tag, or the beginning of it; None or "" if there is none."""
    by_tag = {one.lower(): text for one, text in texts.items()}
    tag = tag.lower()
    while tag and tag not in by_tag:
        tag = tag.rpartition("-")[0]
    return by_tag.get(tag)


def _english_form(number: int) -> int:
    return int(number != 1)


def message_ids(english: Text) -> tuple[str, str | None]:
    """Return an English text as the `msgid` of PO files, and its `msgid_plural` if it has one."""
    if isinstance(english, Joined):
        return f"{{first}}{english.separator}{{second}}{english.last}{{last}}", None
    if isinstance(english, Counted):
        return _GROUPED.sub(r"{\1}", english.one), _GROUPED.sub(r"{\1}", english.other)
    return _GROUPED.sub(r"{\1}", english), None


def grouped_fields(english: Text) -> frozenset[str]:
    """Return the parameters of a text that are numbers with separators."""
    parts = (english,) if isinstance(english, str) else english
    return frozenset(name for part in parts for name in _GROUPED.findall(part))


def _regrouped(text: str, english: Text) -> str:
    """Return a translation whose placeholders of numbers with separators say so, as in English."""
    names = grouped_fields(english)
    return _FIELD.sub(lambda one: f"{{{one[1]}:,}}" if one[1] in names else one[0], text)


def _mistake(entry: Entry, count: int, single: set[int]) -> str:
    """Return the mistake in a translation; "" if there is none.

    `single` are the forms of the plural that stand for one number only: they may do without it.
    """
    if not entry.is_translated:
        return ""
    if entry.plural is not None and len(entry.forms) != count:
        return f"{len(entry.forms)} forms of the plural, but Plural-Forms has {count}"
    expected = {*_FIELD.findall(entry.id if entry.plural is None else entry.plural)}
    for at, form in enumerate(entry.forms):
        rest = _BRACES.sub("", form)
        if "{" in rest or "}" in rest:
            return "a placeholder is a name in braces, such as {name}; write {{ for a brace"
        actual = {*_FIELD.findall(form.replace("{{", "").replace("}}", ""))}
        if extra := actual - expected:
            return f"there is no placeholder {_braced(extra)} in the English text"
        optional = {"number"} if entry.plural is not None and at in single else set()
        if missing := expected - actual - optional:
            return f"the placeholder {_braced(missing)} is missing"
    if expected == {"first", "second", "last"} and _JOINED.fullmatch(entry.forms[0]) is None:
        return "a list is written {first}, {second} and {last}, in this order"
    return _mistake_about(entry)


def _mistake_about(entry: Entry) -> str:
    """Return the mistake in a fact about the language itself; "" if there is none."""
    text = entry.forms[0]
    if entry.context == ABOUT_DOMAIN.context("direction") and text not in ("ltr", "rtl"):
        return "the direction is ltr or rtl"
    for name, begin in (("thousand", "1"), ("ten-thousand", "10")):
        if entry.context == ABOUT_DOMAIN.context(name):
            inside = text[len(begin) : -3]
            if text != f"{begin}{inside}000" or any(one.isalnum() for one in inside):
                return "write the number with the digits 0 and 1, and the separator"
    if entry.context == ABOUT_DOMAIN.context("decimal"):
        if not re.fullmatch(r"1\W5", text):
            return "write the number with the digits 1 and 5, and the decimal mark"
    return ""


def _braced(names: set[str]) -> str:
    return " and ".join(f"{{{name}}}" for name in sorted(names))


ENGLISH: Final = Language("en")

_CURRENT: Final[ContextVar[Language]] = ContextVar("widgetschema_language", default=ENGLISH)


def current_language() -> Language:
    """Return the language in which texts are read now."""
    return _CURRENT.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Read all texts in a language, inside of a `with` statement."""
    token = _CURRENT.set(language)
    try:
        yield
    finally:
        _CURRENT.reset(token)
