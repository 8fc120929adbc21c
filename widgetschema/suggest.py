"""Suggestions ("did you mean"), the words of a name, and singulars.

A word is near another one if it has the same letters in another case or with other separators
(`timer_title`, `timerTitle`), or is a few typing mistakes away (insert, delete, replace, swap).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Literal
from unicodedata import category

_MANY_WORDS: Final = 64  # in a vocabulary from which on an index pays


def nearest(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known words near `word`, best first, at most `most` of them."""
    limit = _mistakes_allowed(word)
    plain = plain_form(word)
    scored = []
    for candidate in known:
        if plain_form(candidate) == plain:
            scored.append((0, candidate))
        else:
            mistakes = distance(word, candidate, limit)
            if mistakes <= limit:
                scored.append((mistakes, candidate))
    scored.sort(key=lambda pair: pair[0])
    return [candidate for _, candidate in scored[:most]]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that names the known word near `word`, if there is one."""
    return "".join(f"; did you mean {one!r}?" for one in nearest(word, known, 1))


class Vocabulary:
    """Known words, prepared for many questions."""

    __slots__ = ("_entries", "_index", "_plain", "_sizes", "_sorted")

    def __init__(self, known: Iterable[str]) -> None:
        distinct = dict.fromkeys(known)
        self._entries = [(one, frozenset(one), _without_digits(one)) for one in distinct]
        self._plain: dict[str, list[str]] = {}
        for word in distinct:
            self._plain.setdefault(plain_form(word), []).append(word)
        self._index: _Index | None = None
        self._sorted: list[str] | None = None
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return len(self._entries)

    def _candidates(self, word: str, limit: int) -> Iterable[tuple[str, frozenset[str], str]]:
        """Return at least the words that are at most `limit` typing mistakes away from another."""
        if len(self._entries) < _MANY_WORDS:
            return self._entries
        if self._index is None:
            self._index = _Index([one for one, _, _ in self._entries])
        return map(self._entries.__getitem__, self._index.near(word, limit))

    def best_match(self, word: str, besides: Container[str] = ()) -> str | None:
        """Return the one word that `word` must have been, None where two are as likely.

        Words that are in `besides` are taken, so they cannot have been meant.
        """
        same = self._plain.get(plain_form(word))
        if same is not None:
            free = [one for one in same if one not in besides]
            if free:
                return free[0] if len(free) == 1 else None
        limit = _mistakes_allowed(word)
        if not limit:
            return None
        if limit == 2 and len(self._entries) >= _MANY_WORDS:
            best, least = self._nearest(word, 1, besides)  # there are far fewer of these
            if least == 1:
                return best
        return self._nearest(word, limit, besides)[0]

    def _nearest(self, word: str, limit: int, besides: Container[str]) -> tuple[str | None, int]:
        """Return the nearest word, None where two are as near; and how many mistakes away."""
        length, letters, bare = len(word), frozenset(word), _without_digits(word)
        best, least = None, limit + 1
        for one, its_letters, its_bare in self._candidates(word, limit):
            # `v2` is no misspelled `v1`
            if abs(len(one) - length) > limit or bare == its_bare or one in besides:
                continue
            if len(letters ^ its_letters) > 2 * limit:
                continue
            mistakes = distance(word, one, limit)
            if mistakes > least or mistakes > limit or _are_opposites(word, one):
                continue
            if mistakes < least:
                best, least = one, mistakes
            else:
                if least == 1:
                    return None, 1  # nothing can be nearer than these two
                best = None
        return best, least

    def abbreviated(self, word: str) -> str | None:
        """Return the one word that `word` abbreviates, or that abbreviates it: `week`, `weekly`.

        That is a likeness of the beginning only, and never certain.
        """
        plain = plain_form(word)
        if len(plain) < _SHORTEST_ABBREVIATION or plain in self._plain:
            return None
        if self._sorted is None:
            self._sizes = sorted({*map(len, self._plain)}, reverse=True)
            self._sorted = sorted(self._plain)
        start = bisect_left(self._sorted, plain)
        found = [one for one in self._sorted[start : start + 2] if one.startswith(plain)]
        if not found:
            least = max(_SHORTEST_STEM, len(plain) // 2)
            for size in self._sizes:
                if (
                    least <= size < len(plain)
                    and plain[size].isalpha()
                    and plain[:size] in self._plain
                ):
                    found = [plain[:size]]
                    break
        words = [one for form in found for one in self._plain[form]]
        return words[0] if len(words) == 1 else None

    def is_certain(self, word: str, meant: str) -> bool:
        """Return whether `word` can only be a misspelled `meant`, so that it may be replaced.

        `meant` is what `best_match` returned. No other known word may be near, even
        if it is farther away, or taken; and what differs has to be a slip, not another meaning.
        """
        same = self._plain.get(plain_form(word))
        if same is not None:
            return same == [meant] and _same_letters(word, meant)
        if not _is_slip(word, meant):
            return False
        limit = _mistakes_allowed(word)
        length, letters = len(word), frozenset(word)
        for one, its_letters, _ in self._candidates(word, limit):
            if one == meant or abs(len(one) - length) > limit:
                continue
            if len(letters ^ its_letters) <= 2 * limit and distance(word, one, limit) <= limit:
                return False
        return True


class _Index:
    """Many words by what is in them: to find those that can be near another one.

    A set of words is an integer, whose bit `i` stands for the word at index `i`.
    """

    __slots__ = ("_all", "_words")

    def __init__(self, words: Sequence[str]) -> None:
        size = len(words) // 8 + 1
        found: dict[Any, bytearray] = {}
        for index, word in enumerate(words):
            for one in (len(word), *_numbered(word), *_numbered(_pairs(word))):
                if one not in found:
                    found[one] = bytearray(size)
                found[one][index >> 3] |= 1 << (index & 7)
        self._all = (1 << len(words)) - 1
        self._words = {one: int.from_bytes(bits, "little") for one, bits in found.items()}

    def near(self, word: str, limit: int) -> Iterator[int]:
        """Yield the indices of the words that can be at most `limit` typing mistakes away.

        One mistake takes away at most one letter, and at most three pairs of neighbours (a swap).
        """
        found = 0
        for length in range(len(word) - limit, len(word) + limit + 1):
            found |= self._words.get(length, 0)
        found = self._with_most(_numbered(word), limit, found)
        found = self._with_most(_numbered(_pairs(word)), 3 * limit, found)
        bits = f"{found:b}"[::-1]
        at = bits.find("1")
        while at >= 0:
            yield at
            at = bits.find("1", at + 1)

    def _with_most(self, features: Iterable[Any], missing: int, among: int) -> int:
        """Return those words that have all features but for so many."""
        lacking = [among] + [0] * (missing + 1)  # words that lack at least so many
        for feature in features:
            without = self._all ^ self._words.get(feature, 0)
            for number in range(missing + 1, 0, -1):
                lacking[number] |= lacking[number - 1] & without
        return among & ~lacking[-1]


def _pairs(word: str) -> list[str]:
    """Return the neighbouring letters in a word; its ends count as letters."""
    return [one + other for one, other in zip(f"\0{word}", f"{word}\0", strict=True)]


def _numbered(items: Iterable[str]) -> list[tuple[str, int]]:
    """Return items, each with the number of times that it has come before."""
    counts: dict[str, int] = {}
    result = []
    for item in items:
        counts[item] = counts.get(item, -1) + 1
        result.append((item, counts[item]))
    return result


def plain_form(word: str) -> str:
    """Return a word without what people vary: letter case, `_`, `-`, `.` and white space."""
    folded = word.casefold()
    return folded if folded.isalnum() else folded.translate(_SEPARATORS)


def applicability(word: str, meant: str) -> Literal["safe", "unsafe"]:
    """Return whether it is safe to replace a word by the one that it must have been.

    It is where they differ in letter case, separators and space only, and have the same numbers:
    11.2 is not 1.12.
    """
    is_safe = plain_form(word) == plain_form(meant) and _numbers(word) == _numbers(meant)
    return "safe" if is_safe else "unsafe"


def _numbers(word: str) -> list[str]:
    return re.findall(r"^\s*-\d+|\d+", word)


_SEPARATORS = {ord(character): None for character in "_-. \t\n\r\xa0"}


def _mistakes_allowed(word: str) -> int:
    return 0 if len(word) < 3 else 1 if len(word) < 8 else 2


_NEGATIONS = ("un", "in", "im", "ir", "il", "dis", "de", "non", "no", "anti", "re", "pre", "sub")
_NO_DIGITS = {ord(digit): None for digit in "0123456789"}


def _without_digits(word: str) -> str:
    return word if word.isalpha() else word.translate(_NO_DIGITS)


def _are_opposites(one: str, other: str) -> bool:
    """Return whether one of two near words is the opposite of the other: `locked`, `unlocked`."""
    if len(one) == len(other):
        return False
    shorter, longer = sorted((one.casefold(), other.casefold()), key=len)
    return longer.endswith(shorter) and longer.removesuffix(shorter) in _NEGATIONS


_SHORTEST_ABBREVIATION: Final = 3
_SHORTEST_STEM: Final = 4
_SHORTEST_SLIP: Final = 4  # `rem` may be a misspelled `em`, or what it says
_DIGITS: Final = re.compile(r"\d+")
_INITIALS: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]|(?<=[a-z])[A-Z]")
_LEAD: Final = re.compile(r"\s*([-_.]*)")
_MARKS: Final = re.compile(r"[^A-Za-z\s_.-]+")
_OTHER_MEANINGS: Final = (  # pairs that are a slip apart, and yet are both meant
    ("min", "max"),
    ("min", "mid"),
    ("mid", "max"),
    ("x", "y"),
    ("x", "z"),
    ("y", "z"),
    ("row", "col"),
    ("on", "off"),
    ("from", "form"),
    ("lat", "lon"),
    ("lat", "lng"),
    ("http", "https"),
)
_OF_A_PAIR: Final = re.compile("|".join(word for pair in _OTHER_MEANINGS for word in pair))


def _same_letters(word: str, meant: str) -> bool:
    """Return whether two words of one plain form differ in letter case, separators and space only.

    A sign in front (`-name`) and the digits that belong together (`1.0`) have a meaning. Beyond
    ASCII, only a letter and its capital are the same: folding goes further (`ß`, `ss`).
    """
    if not meant.strip():
        return False
    if word.strip() == meant or (word.isascii() and word.lower() == meant.lower()):
        return True
    if _lead(word) != _lead(meant) or _DIGITS.findall(word) != _DIGITS.findall(meant):
        return False
    ours, theirs = word.translate(_SEPARATORS), meant.translate(_SEPARATORS)
    return (
        len(ours) == len(theirs)
        and any(map(str.isalpha, ours))
        and all(
            one == other or (one.swapcase() == other and other.swapcase() == one)
            for one, other in zip(ours, theirs, strict=True)
        )
    )


def _is_slip(word: str, meant: str) -> bool:
    """Return whether two words a few typing mistakes apart certainly mean the same.

    The mistakes are in ASCII letters and separators: another digit, sign or alphabet is no slip.
    Nor are they where a word begins: there many have their opposite (`ascending`, `importData`).
    """
    if min(len(word), len(meant)) < _SHORTEST_SLIP or _have_opposite_parts(word, meant):
        return False
    if not _same_initials(word, meant) or _differ_by_negation(word, meant):
        return False
    both = word + meant
    if both.isascii() and both.isalpha():
        return True
    return _lead(word) == _lead(meant) and _MARKS.findall(word) == _MARKS.findall(meant)


def _same_initials(word: str, meant: str) -> bool:
    """Return whether all parts of two words (`is`, `Open` of `isOpen`) begin alike.

    Where a part is more or less, the slip was at its beginning, and only the first one counts.
    """
    ours, theirs = ([one.casefold() for one in _INITIALS.findall(text)] for text in (word, meant))
    return ours == theirs if len(ours) == len(theirs) else ours[:1] == theirs[:1]


def _differ_by_negation(word: str, meant: str) -> bool:
    """Return whether one word is the other with a negation in it: `is_unlocked`."""
    shorter, longer = sorted((word.casefold(), meant.casefold()), key=len)
    more = len(longer) - len(shorter)
    return more > 0 and any(
        longer[at : at + more] in _NEGATIONS and longer[:at] + longer[at + more :] == shorter
        for at in range(len(shorter))
    )


def _have_opposite_parts(word: str, meant: str) -> bool:
    """Return whether a word of a pair stands where the other has its partner."""
    word, meant = word.casefold(), meant.casefold()
    return _OF_A_PAIR.search(word) is not None and any(
        _differ_by_swap(word, one, other, meant) or _differ_by_swap(word, other, one, meant)
        for one, other in _OTHER_MEANINGS
    )


def _differ_by_swap(word: str, one: str, other: str, result: str) -> bool:
    """Return whether `result` is `word` with `other` for `one`, at one place."""
    parts = word.split(one)
    return any(
        f"{one.join(parts[:place])}{other}{one.join(parts[place:])}" == result
        for place in range(1, len(parts))
    )


def _lead(word: str) -> str | None:
    found = _LEAD.match(word)
    return found and found.group(1)


def distance(one: str, other: str, limit: int) -> int:
    """Return the number of typing mistakes between two words, at most `limit + 1`.

    That is their optimal string alignment distance. The limit is 0, 1 or 2.
    """
    if one == other:
        return 0
    if not limit or abs(len(one) - len(other)) > limit:
        return limit + 1
    # What the words share at both ends needs no mistake: typically that leaves two letters.
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    if not one or not other:
        return len(one) + len(other)
    if len(one) == len(other) == 1 or (len(one) == 2 and one == other[::-1]):
        return 1
    if limit == 1:
        return 2  # there is a mistake at either end of what is left
    near = (
        _ends_differ(one[1:], other[1:])
        or _ends_differ(one[1:], other)
        or _ends_differ(one, other[1:])
        or (one[:2] == other[1::-1] and _ends_differ(one[2:], other[2:]))
    )
    return 2 if near else 3


def _ends_differ(one: str, other: str) -> bool:
    """Return whether words are the same but for one mistake at their end."""
    return (
        one[:-1] == other[:-1]
        or one[:-1] == other
        or one == other[:-1]
        or (one[-2:] == other[:-3:-1] and one[:-2] == other[:-2])
    )


# Letters by their shape: capital, `s` (the plural of an acronym), small, digit, else a gap.
_WORD: Final = re.compile("A{2,}s(?![as])|A+(?=A[as])|A?[as]+|A+|0+")


def split_words(name: str) -> list[str]:
    """Return the words of a name as they are written: `postButtonLink`, `HTML-text`."""
    shape = "".join(map(_shape, name))
    return [name[one.start() : one.end()] for one in _WORD.finditer(shape)]


def _shape(character: str) -> str:
    if character == "s":
        return "s"
    if character.isalpha() or category(character).startswith("M"):
        return "A" if character.isupper() else "a"
    return "0" if character.isdigit() else " "


_PLURALS: Final = (
    ("ookies", "ookie"), ("ovies", "ovie"), ("series", "series"), ("ies", "y"), ("sses", "ss"),
    ("xes", "x"), ("tches", "tch"), ("nches", "nch"), ("shes", "sh"), ("s", ""),
)  # fmt: skip


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """Return the singular of a word: `days` is `day`, `css` and `status` stay."""
    if len(word) < 3 or word.endswith(("ss", "us", "is")):
        return word
    ending, instead = next((one for one in _PLURALS if word.endswith(one[0])), ("", ""))
    return word.removesuffix(ending) + instead
