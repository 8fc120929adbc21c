"""Realistic values: what a text, a number or an object is likely to be, by the names it has.

The noun decides, and in English the noun comes last: `postButtonText` is a text, that of a
button; `buttonColor` is a colour. So names are read from their last word to their first, the
innermost name first, then the title, then the names around.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from widgetschema.samples.values import RandBelow, Text
from widgetschema.samples.values.formats import (
    Pool,
    by_noun,
    decided,
    forms,
    moment,
    uuid_text,
    web_address,
)
from widgetschema.samples.values.formats import words_of as words_of
from widgetschema.samples.values.kinds import MAPS, NUMBERS, TEXTS, Range
from widgetschema.samples.values.locales import Locale

# Texts ------------------------------------------------------------------------------------

_TEXT_RULES: Final = by_noun(TEXTS)
_MAP_RULES: Final = by_noun(MAPS)
_NUMBER_RULES: Final = by_noun(NUMBERS)
# What all members of a section are that is named so: `colors.muted`, but not `author.foo`.
_SHARED: Final = frozenset(
    """colour gradient font css_size css_extent css_border css_shadow label button message error
    placeholder caption alt opening_hours price secret""".split()
)
_TRANSPARENT: Final = {("default",), ("value",)}  # the name around says what it is
_ADDRESS: Final = frozenset("url uri href src link".split())
# Meanings of names that are cached: the same names come again and again.
_CACHE_SIZE: Final = 1 << 14


def text_for(names: Sequence[str], title: str | None, locale: Locale) -> Text:
    """Return the maker of texts for a member: `names` lead to it, outermost first."""
    kind = _kind((*names,), title)
    if kind in locale.pools:
        return Pool(locale.pools[kind])
    return _MAKERS[kind]((*names[:-1], title or "", *names[-1:]), locale)


def is_moment(names: Sequence[str], title: str | None) -> bool:
    """Return True if a text is a date, by its names."""
    return _kind((*names,), title) == "moment"


@lru_cache(maxsize=_CACHE_SIZE)
def _kind(names: tuple[str, ...], title: str | None) -> str:
    """Return the kind of a text: a pool, or one that is made."""
    kind = decided(names, title, _TEXT_RULES, alone=True)
    if kind is None and names[1:] and words_of(names[-1]) in _TRANSPARENT:
        return _kind(names[:-1], None)
    return kind or _shared(names)


def _shared(names: tuple[str, ...]) -> str:
    """Return the kind of a member whose own name says nothing: that of its section, if it is
    shared.
    """
    kind = decided(names[:-1], None, _TEXT_RULES, alone=True)
    if kind is None:
        return "phrase"
    nameless = all(word.isdigit() for word in words_of(names[-1]))
    if nameless or kind in _SHARED or not _ADDRESS.isdisjoint(forms(words_of(names[-2]))):
        return kind
    return "caption" if kind == "url" else "phrase"


def _id_text(randbelow: RandBelow) -> str:
    return f"{randbelow(1 << 32):08x}"


def _secret_text(randbelow: RandBelow) -> str:
    return f"example-{randbelow(1 << 62):016x}{randbelow(1 << 62):016x}"


_MAKERS: Final[Mapping[str, Callable[[Sequence[str], Locale], Text]]] = {
    "named": lambda _, locale: Pool(locale.pools["project_name"]),
    "url": web_address,
    "moment": lambda names, locale: moment(names, locale.horizon),
    "id": lambda names, _: _id_text,
    "uuid": lambda names, _: uuid_text,
    "secret": lambda names, _: _secret_text,
}


def name_for(names: Sequence[str], locale: Locale) -> Text:
    """Return the maker of names for the members of a map, which has names itself."""
    pool = decided(names, None, _MAP_RULES)
    return Pool(locale.pools[pool or "map_name"])


def fitted(text: str, low: int, high: int | None, randbelow: RandBelow, locale: Locale) -> str:
    """Return the text cut or lengthened to `low` to `high` characters (code points)."""
    if high is not None and len(text) > high:
        return _cut(text, low, high, randbelow, locale)
    return text if len(text) >= low else _lengthened(text, low, high, randbelow, locale)


_CODE: Final = re.compile(r"[\w-]*[\d_-][\w-]*")  # 3f2a91c0, KB-20417, css_class
_PROSE: Final = re.compile(r"[^\W\d_][^\d#@/_{}<>=]* [^\d#@/_{}<>=]*")


def _cut(text: str, low: int, high: int, randbelow: RandBelow, locale: Locale) -> str:
    """Return the text cut at the end of a word, unless too much would go."""
    enough = max(low, high // 2)
    end = text.rfind(" ", 0, high + 1)
    whole = text[: max(end, 0)].rstrip(" ,;:–-")
    if whole and len(whole) >= enough:
        return whole
    if high < 3 or not _PROSE.fullmatch(text):
        part = text[:high].rstrip()
        return part if len(part) >= low else part.ljust(low, "1")
    if len(whole) < high // 2:
        made = _padded("", enough, randbelow, locale)
        return made[:1].upper() + made[1:]
    return _padded(whole, low, randbelow, locale)


def _padded(text: str, length: int, randbelow: RandBelow, locale: Locale) -> str:
    """Return the text with whole words behind it, up to a length: "Made" becomes "Made!"."""
    if not text:
        return _padded("-", length + 2, randbelow, locale)[2:]
    words = locale.pools["filler"]
    first = randbelow(len(words))
    words = (*words[first:], *words[:first])
    text = text.rstrip(".!?… ") or text
    while (missing := length - len(text)) > 2:
        text += " " + max((word for word in words if len(word) < missing), key=len)
    return text + ("", "!", " 2")[missing]


def _lengthened(text: str, low: int, high: int | None, randbelow: RandBelow, locale: Locale) -> str:
    """Return the text with words behind it, of which the last ones are chosen to fit."""
    if _CODE.fullmatch(text):
        return (text * (low // len(text) + 1))[:low]
    words = locale.pools["filler"]
    first = randbelow(len(words))
    joint = "-" if "://" in text else " "
    more = joint.join((*words[first:], *words[:first])) + joint
    longer = f"{text}{joint if text else ''}{more * (low // len(more) + 2)}"
    end = longer.find(joint, low)
    if high is None or end <= high:
        return longer[:end]
    if joint == "-":
        return longer[:low] if longer[low - 1] != joint else f"{longer[: low - 1]}s"
    start = max(len(text), longer.rfind(joint, 0, low))
    return _padded(longer[:start], low, lambda _: first, locale)


# Texts that belong together ---------------------------------------------------------------

# What is the same in the whole record; all else belongs together within one object.
_OF_RECORD: Final = frozenset(("label_days", "colour_background"))
_ROLES: Final = (  # of colours, by the words of their names
    ("colour_background", frozenset("bg background fill backdrop canvas".split())),
    ("colour_line", frozenset("border outline line stroke divider separator shadow".split())),
    ("colour_text", frozenset("text title label font heading number caption foreground".split())),
)


# A member of an ensemble: its name; its text in each row, or two of which its items are in turn;
# and for each text of its pool the row. Plain tuples, since they are unpacked for every object.
_Part = tuple[str, Sequence[str] | None, Sequence[list[str]], Mapping[str, int]]


class Ensemble:
    """Members of an object whose texts belong together, and with `key` also those of other
    objects of the record.
    """

    __slots__ = ("_key", "_parts")

    def __init__(self, key: str | None, parts: Sequence[_Part]) -> None:
        self._key = key
        self._parts = parts

    def settle(self, value: dict[str, Any], rows: dict[str, int]) -> None:
        """Replace what was drawn on its own by what fits the first of it; `rows` are those of the
        record.
        """
        key = self._key
        row = rows.get(key) if key else None
        for name, texts, turns, rows_of in self._parts:
            old = value.get(name)
            if not old:  # it is not there, or an empty array
                continue
            if row is None:
                row = rows_of[old if texts else old[0]]
                if key:
                    rows[key] = row
            value[name] = texts[row] if texts else (turns[row] * len(old))[: len(old)]


class Followers(Ensemble):
    """Members with values of their own, which follow the ensemble where they can: a country from
    a list of codes. The parts of the ensemble itself come first.
    """

    __slots__ = ("_followers",)

    def __init__(
        self,
        key: str | None,
        parts: Sequence[_Part],
        followers: Mapping[str, Sequence[str | int | None]],
    ) -> None:
        super().__init__(key, parts)
        self._followers = followers

    def settle(self, value: dict[str, Any], rows: dict[str, int]) -> None:
        """Settle the ensemble, and then what follows it."""
        row = None
        for name, texts, _, rows_of in self._parts:
            if texts is not None and value.get(name):
                row = rows_of[value[name]]
                break
        super().settle(value, rows)
        if row is not None:
            for name, some in self._followers.items():
                if name in value and some[row] is not None:
                    value[name] = some[row]


class Ordered:
    """Two members of an object of which the first is never more than the second: start and end."""

    __slots__ = ("_first", "_fits", "_second")

    def __init__(self, first: str, second: str, fits: Callable[[Any, Any], bool]) -> None:
        self._first, self._second, self._fits = first, second, fits

    def settle(self, value: dict[str, Any], rows: dict[str, int]) -> None:
        """Exchange the two, if they are the wrong way around and each may be the other."""
        first, second = value.get(self._first), value.get(self._second)
        if type(first) is type(second) and isinstance(first, (str, int, float)):
            if first > second and self._fits(first, second):  # type: ignore[operator]
                value[self._first], value[self._second] = second, first


# Fmt: skip.
_PAIRS: Final = (
    ("start", "end"),
    ("start", "finish"),
    ("begin", "end"),
    ("from", "to"),
    ("from", "until"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("opens", "closes"),
    ("open", "close"),
    ("created", "updated"),
    ("created", "modified"),
    ("lower", "upper"),
    ("birth", "death"),
    ("soft", "hard"),
    ("released", "accessed"),
    ("departure", "arrival"),
    ("valid", "expires"),
)


def ordered_names(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the members that are in order: `startDate` and `endDate`, `minSize` and `maxSize`."""
    by_words = {words_of(name): name for name in names}
    found = []
    for words, name in by_words.items():
        for first, second in _PAIRS:
            if first in words:
                other = tuple(second if word == first else word for word in words)
                if other in by_words:
                    found.append((name, by_words[other]))
    return found


class TextMember(NamedTuple):
    """A member that is a text, or a list of texts, from `pool`.

    Without a pool, it has values of its own, such as numbers; `fits` decides whether another value
    may replace them.
    """

    title: str | None
    pool: Sequence[str] | None
    is_list: bool
    is_number: bool
    fits: Callable[[Any], bool]

    def accepted(self, text: str) -> str | int | None:
        """Return a text as a value that the member allows, or None."""
        value = int(text) if self.is_number and text.isdigit() else text
        possible = type(value) is int or not self.is_number
        return value if possible and self.fits(value) else None


def in_ensemble(names: tuple[str, ...], title: str | None, locale: Locale) -> bool:
    """Return True if texts of a member may belong together with others."""
    column = _column(names, title)
    return any(column in columns for columns in locale.ensembles)


def _column(names: tuple[str, ...], title: str | None) -> str:
    kind = _kind(names, title)
    if kind != "colour":
        return kind
    words = frozenset(words_of(names[-1]))
    return next((role for role, some in _ROLES if not some.isdisjoint(words)), "colour_accent")


def ensembles_for(
    names: Sequence[str], members: Mapping[str, TextMember], locale: Locale
) -> list[Ensemble]:
    """Return the ensembles of the members of an object, which has names itself."""
    found: list[Ensemble] = []
    for columns in locale.ensembles:
        key = next((one for one in columns if one in _OF_RECORD), None)
        parts: list[_Part] = []
        followers: dict[str, list[str | int | None]] = {}
        others: dict[str, tuple[str, TextMember]] = {}
        for name, member in members.items():
            column = _column((*names[-1:], name), member.title)
            own = locale.pools.get("colour" if column.startswith("colour_") else column)
            pool, is_list = member.pool, member.is_list
            if pool is not own or pool is None:
                if not is_list:
                    others[name] = column, member
                continue
            if column not in columns or (is_list and "colour_line" not in columns):
                continue
            texts = columns[column]
            turns = (
                [[*two] for two in zip(texts, columns["colour_line"], strict=True)]
                if is_list
                else []
            )
            rows = {text: index * len(texts) // len(pool) for index, text in enumerate(pool)}
            parts.append((name, None if is_list else texts, turns, rows))
        if parts:
            followers = _followers(columns, others)
        if followers:
            found.append(Followers(key, parts, followers))
        elif len(parts) > 1 or (parts and key):
            found.append(Ensemble(key, parts))
    return found


def _followers(
    columns: Mapping[str, Sequence[str]], others: Mapping[str, tuple[str, TextMember]]
) -> dict[str, list[str | int | None]]:
    """Return the texts of each row that members with values of their own allow."""
    found = {}
    for name, (column, member) in others.items():
        for one in (column, *(["country_code"] if column == "country" else [])):
            some = [member.accepted(text) for text in columns.get(one, ())]
            if any(some):
                found[name] = some
                break
    return found


class Defaults:
    """A member of an object that is one of its options, or the index of one."""

    __slots__ = ("_fits", "_name", "_options")

    def __init__(self, name: str, options: str, fits: Callable[[Any], bool]) -> None:
        self._name, self._options, self._fits = name, options, fits

    def settle(self, value: dict[str, Any], rows: dict[str, int]) -> None:
        """Replace what is not among the options."""
        options, old = value.get(self._options), value.get(self._name)
        if type(options) is not list or not options:
            return
        if type(old) is int and not 0 <= old < len(options):
            new = old % len(options)
        elif type(old) is str and old not in options:
            new = options[0]
        else:
            return
        if self._fits(new):
            value[self._name] = new


_OPTIONS: Final = frozenset(("options", "choices"))
_CHOSEN: Final = {("default",), ("selected",), ("default", "option"), ("selected", "option")}


def defaults_in(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the members that are one of the options of their object, each with those."""
    by_words = {name: words_of(name) for name in names}
    options = next((name for name in by_words if name in _OPTIONS), None)
    return [(name, options) for name, words in by_words.items() if options and words in _CHOSEN]


# Members that identify their object, the most likely one first.
IDENTIFYING: Final = tuple(
    "name title label question language key login organization institution id".split()
)


def identifying_name(names: Iterable[str]) -> str | None:
    """Return the member that identifies an object, which people hardly ever leave out."""
    known = {*names}
    return next((name for name in IDENTIFYING if name in known), None)


# Numbers ----------------------------------------------------------------------------------


_FROM: Final = frozenset("min minimum from start starts begin begins low lowest lower".split())
_TO: Final = frozenset(
    "max maximum to until till end ends high highest upper exp expires expiry deadline".split()
)


def number_for(names: Sequence[str], title: str | None) -> Range:
    """Return the likely range of a number, and the size of its steps.

    What has `min` in its name is in the lower half, so that it is less than what has `max`.
    """
    low, high, step = decided(names, title, _NUMBER_RULES) or (0, 100, 1)
    words = frozenset(words_of(names[-1])) if names else frozenset()
    bottom, top = not words.isdisjoint(_FROM), not words.isdisjoint(_TO)
    if bottom == top:
        return low, high, step
    half = round((high - low) / step) // 2
    if bottom:
        return low, round(low + half * step, 6), step
    return round(low + (half + 1) * step, 6), high, step


# Objects ----------------------------------------------------------------------------------

_STYLED: Final = frozenset("style css appearance theme design look".split())
_LETTERED: Final = frozenset(
    "title subtitle heading headline label text number description caption paragraph quote".split()
)
_LETTERS: Final[Mapping[str, tuple[Any, ...]]] = {
    "fontSize": (16, 12, 14, 18, 20, 24, 32, 48),
    "fontWeight": (400, 300, 500, 600, 700),
    "textAlign": ("left", "center", "right"),
    "letterSpacing": ("0", "0.02em", "1px"),
    "lineHeight": (1.5, 1.2, 1.4, 1.6),
    "textTransform": ("none", "uppercase", "capitalize"),
}
_BOX: Final[Mapping[str, tuple[Any, ...]]] = {
    "padding": ("16px", "0", "8px", "24px", "8px 16px"),
    "margin": ("0", "8px", "0 auto", "16px 0"),
    "borderRadius": (0, 4, 8, 12, 16),
    "maxWidth": ("100%", "480px", "960px"),
    "opacity": (1, 0.9, 0.8),
}


def object_for(names: Sequence[str], locale: Locale) -> Callable[[RandBelow], dict[str, Any]]:
    """Return the maker of objects of which only the names are known: styles, or nearly empty."""
    colours = locale.pools["colour"]
    words = [forms(words_of(name)) for name in names]
    if all(_STYLED.isdisjoint(word) for word in words):
        neutral = {"name": locale.pools["title"], "note": locale.pools["phrase"]}
        return _objects(neutral, 2)
    if words[-1] & _LETTERED:
        return _objects({"color": colours, **_LETTERS}, 3)
    return _objects(
        {"backgroundColor": colours, **_BOX, "boxShadow": locale.pools["css_shadow"]}, 3
    )


def _objects(
    pools: Mapping[str, tuple[Any, ...]], most: int
) -> Callable[[RandBelow], dict[str, Any]]:
    """Return the maker of objects of at most `most` of the members, neighbours each time."""
    members = tuple(pools.items())

    def draw(randbelow: RandBelow) -> dict[str, Any]:
        """Return an object."""
        count = randbelow(most + 1)
        first = randbelow(len(members)) if count else 0
        chosen = (members[(first + index) % len(members)] for index in range(count))
        return {name: pool[randbelow(len(pool))] for name, pool in chosen}

    return draw
