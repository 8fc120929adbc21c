"""Texts: realistic ones by name, title and format; by pattern; and of any length.

Validation specification, sections 6.3, 7 and 8.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final

from widgetschema.cached import cached_property
from widgetschema.jsontext import preview
from widgetschema.pointers import pointer_of
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.model import (
    CHARACTERS_PER_CONTAINER,
    Chooser,
    DeadEnd,
    Path,
    Planner,
    ScalarStep,
)
from widgetschema.samples.values import RandBelow
from widgetschema.samples.values import Text as Draw
from widgetschema.samples.values.automata import find_like, find_text
from widgetschema.samples.values.formats import (
    Pool,
    content_text,
    format_text,
    is_of_birth,
    moment,
)
from widgetschema.samples.values.grammars import GRAMMARS, Grammar
from widgetschema.samples.values.likely import MIN_LIKELY, likely_texts
from widgetschema.samples.values.realism import fitted, is_moment, text_for
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.tree import Node

_MAX_TRIES: Final = 20
_LIKELY_FROM_PATTERN: Final = 24  # texts from which the likely ones that fit a pattern are taken
_MAX_ADAPTED: Final = 24  # realistic texts that are adapted to patterns, formats and lengths
_MAX_VARIANTS: Final = 1_000  # texts of a format, for items that differ
_MAX_SHORT: Final = 8  # and of the shortest ones
_DATES: Final = {"date", "date-time"}
_CONSTRAINING: Final = ("format", "pattern", "contentEncoding", "contentMediaType")
MAX_WRITTEN_CHARACTERS: Final = 100_000  # characters that are written out to reach a bound
# Breaks programs that count bytes, or that take a code point for a character.
NOT_ASCII: Final = "Zoë 🎉 日本 e\u0301 \u202bשלום\u202c"


class Text(ScalarStep):
    """A text of `low` to `high` characters (code points; None: any number).

    It is `free` if it has neither a pattern nor a format.
    """

    keyword = "text"

    def __init__(self, plan: Planner, node: Node, names: tuple[str, ...]) -> None:
        super().__init__(plan, node, names)
        self.low, self.high = node.least("minLength"), node.most("maxLength")
        if self.high is not None and self.low > self.high:
            raise DeadEnd(node.pointer, "minLength is more than maxLength")
        if self.low > MAX_WRITTEN_CHARACTERS:
            reason = f"minLength is more than {MAX_WRITTEN_CHARACTERS:,} characters"
            raise DeadEnd(node.pointer, reason, given_up=True)
        self.patterns = [plan.pattern(pattern) for pattern in node.texts("pattern")]
        formats, locale = node.texts("format"), plan.locale
        makers = [format_text(format_name, names, locale) for format_name in formats]
        encodings, media = node.texts("contentEncoding"), node.texts("contentMediaType")
        makers.append(content_text(next(iter(encodings), None), next(iter(media), None), self.low))
        known = [maker for maker in makers if maker is not None]
        self.special = bool(known)  # its form is prescribed, so it cannot be cut
        self.free = not known and not self.patterns
        title = node.annotation("title")
        is_date = is_moment(names, title) or not _DATES.isdisjoint(formats)
        is_date = is_date and not is_of_birth(names)
        self._in_horizon = is_date and locale.horizon is not None
        self._adapted: Sequence[str] = ()  # accepted texts, where these are hard to find
        self._is_outside = False  # a date is outside of the horizon, and a warning was given
        self.text = known[0] if known else text_for(names, title, locale)
        self._bounded = bool(self.low or self.high is not None)
        if self._bounded and isinstance(self.text, Pool):
            most = MAX_WRITTEN_CHARACTERS if self.high is None else self.high
            self._bounded = not all(self.low <= len(text) <= most for text in self.text.texts)
        doubtful = self._bounded if self.special else False
        doubtful = doubtful or len(known) > 1 or bool(self.patterns or node.key.refused)
        self._is_accepted = plan.checker(node) if doubtful else None
        if self._is_accepted is not None and (self.special or self.patterns or node.missed):
            self.text = self._fitting(moment(names, locale.horizon, time=False))
        self._cost = self.low // CHARACTERS_PER_CONTAINER
        if self._is_accepted is None and not self._cost:
            self.fast = self.draw if self._bounded and not self.special else self.text
            if isinstance(self.fast, Pool):
                self.pool = self.fast.texts

    def _fitting(self, dates: Draw) -> Draw:
        """Return the maker of realistic texts that are accepted; any one if there are none."""
        texts = some_texts(self.text)
        accepted = [*filter(self._is_fitting, texts)]
        if len(accepted) == len(texts):
            return self.text
        found: Sequence[str] = ()
        asserted = FORMATS.keys() >= {*self.node.texts("format")}
        if self.patterns and asserted:
            days = some_texts(dates) if is_moment(self.names, self.node.annotation("title")) else ()
            found = likely_texts(texts, days, self.plan.locale, self._is_fitting)
            horizon = self.plan.locale.horizon
            if not found and self._in_horizon and horizon is not None:
                found = [*filter(self._is_fitting, horizon.some_days())]
        several = self.special or len(self.patterns) > 1 or self.node.missed
        if not found and len(accepted) < MIN_LIKELY and several:
            self._adapted = tuple(dict.fromkeys((*accepted, *self._nearest(texts))))
            found = self._adapted if self.special else ()
        return Pool(found or accepted) if found or accepted else self.text

    def _nearest(self, texts: Sequence[str]) -> Sequence[str]:
        """Return accepted texts that are like these ones, as far as the schema lets them be."""
        some = tuple(dict.fromkeys((*texts[:_MAX_ADAPTED], *sorted(texts, key=len)[:_MAX_SHORT])))
        assert self._is_accepted is not None
        # A format that nobody checks is still what is meant.
        for asserted, (missed, low, high) in product((True, False), self._ways()):
            language = self.language(formats=asserted, missed=missed)
            limits = [high, *(one.longest for one in self._grammars if asserted)]
            most = min((limit for limit in limits if limit is not None), default=None)
            found = [*find_like(*language, some, low, most)]
            if not found and low:
                short = find_like(*language, some, 0, most)
                found = [long for text in short for long in self.lengthen(text, low)]
            if not found and (shortest := find_text(*language, low, most).text) is not None:
                found.append(shortest)
            if accepted := [*filter(self._is_accepted, found)]:
                return [*filter(self._is_fitting, accepted)] or accepted
        return ()

    def _ways(self) -> Iterator[tuple[tuple[str, ...], int, int | None]]:
        """Yield patterns to miss, and lengths: those of the node, then each with one that falsifies
        a refused schema.
        """
        yield (), self.low, self.high
        for pointer in self.node.key.refused:
            yield from self._ways_around(pointer)

    def _ways_around(self, pointer: str) -> Iterator[tuple[tuple[str, ...], int, int | None]]:
        """Yield those that falsify a refused schema by one of its keywords."""
        schema = self.node.tree.linked.at.get(pointer)
        if type(schema) is not dict:
            return
        if "maxLength" in schema:
            yield (), max(self.low, int(schema["maxLength"]) + 1), self.high
        if "minLength" in schema:
            yield (), self.low, int(schema["minLength"]) - 1
        if "pattern" in schema:
            yield (schema["pattern"],), self.low, self.high
        if schema.get("format") in GRAMMARS:
            yield GRAMMARS[schema["format"]].matched[:1], self.low, self.high

    def _is_excluded(self) -> bool:
        """Return True if a refused schema is known to leave no text, or not known to leave one."""
        return any(
            all(
                find_text(*self.language(formats=False, missed=missed), low, high).none
                for missed, low, high in self._ways_around(pointer)
            )
            for pointer in self.node.key.refused
        )

    def language(
        self, *, formats: bool = True, missed: Sequence[str] = (), without: str | None = None
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return the patterns that texts match, those of formats among them, and do not match.

        `missed` are more of the latter; `without` is one that need not match.
        """
        grammars = self._grammars if formats else ()
        matched = {*self.node.texts("pattern")}.difference((without,))
        matched.update(pattern for grammar in grammars for pattern in grammar.matched)
        unwanted = {*self.node.missed, *missed}
        unwanted.update(pattern for grammar in grammars for pattern in grammar.missed)
        return frozenset(matched), frozenset(unwanted)

    def variants(self) -> Iterator[str]:
        """Yield texts of the format, which are hardly ever alike."""
        randbelow = StreamChooser("variants").randbelow
        patterns = [self.plan.pattern(grammar.matched[0]) for grammar in self._grammars]
        for _ in range(_MAX_VARIANTS if patterns else 0):
            text = patterns[0].make(randbelow, self.low, self.high)
            yield from () if text is None else (text,)

    @property
    def _grammars(self) -> Sequence[Grammar]:
        texts = self.node.texts
        names = (*texts("format"), *(texts("contentEncoding") or texts("contentMediaType")))
        return [GRAMMARS[name] for name in names if name in GRAMMARS]

    def _is_fitting(self, text: str) -> bool:
        """Return whether a text is accepted, and in the horizon if it is a date."""
        horizon = self.plan.locale.horizon if self._in_horizon else None
        if horizon is not None and not horizon.has(text):
            return False
        return self._is_accepted is None or self._is_accepted(text)

    def draw(self, randbelow: RandBelow) -> str:
        """Return a realistic text; it may still violate a pattern or a format."""
        text = self.text(randbelow)
        if self._bounded and not self.special:
            text = fitted(text, self.low, self.high, randbelow, self.plan.locale)
        return text

    def simplest(self, randbelow: RandBelow) -> str:
        """Return the shortest text that is easily made."""
        if self.patterns or self.special:
            made = None if self._in_horizon else self.from_pattern(randbelow)
            return made or self.draw(randbelow)
        return self.of_length(self.low, randbelow)

    def from_pattern(
        self, randbelow: RandBelow, low: int = 0, high: int | None = None, *, plain: bool = False
    ) -> str | None:
        """Return a text made by the first pattern, or None if there is no pattern."""
        if not self.patterns:
            return None
        most = self.high if high is None else high
        return self.patterns[0].make(randbelow, max(low, self.low), most, plain=plain)

    def of_length(self, length: int, randbelow: RandBelow) -> str:
        """Return a text of a number of characters."""
        if self.patterns:
            return self.from_pattern(randbelow, length, length) or ""
        return fitted(
            self.text(randbelow) if length else "", length, length, randbelow, self.plan.locale
        )

    def lengthen(self, text: str, length: int) -> list[str]:
        """Return texts of a number of characters, lengthened in ways that may keep their form."""
        letters = "a" * (length - len(text))
        if not self.special:
            return [
                fitted(text, length, length, StreamChooser("stretched").randbelow, self.plan.locale)
            ]
        return [letters + text, text + letters] if letters else []

    def make(self, chooser: Chooser, path: Path) -> str:
        """Return the text that the chooser wants, or another one if that is invalid."""
        if self._cost:
            chooser.budget -= self._cost
            if chooser.budget < chooser.floor:
                raise self.too_large(chooser)
        value: str = chooser.scalar(self, path)
        if self._is_accepted is not None and not self._is_accepted(value):
            value = self._search_text(chooser)
        if self._in_horizon and self._is_accepted is not None and not self._is_outside:
            self._warn_if_outside(path, value)
        chooser.on_made(self, path, value)
        return value

    def _warn_if_outside(self, path: Path, value: str) -> None:
        """Warn, once, of a date outside of the horizon that the schema requires."""
        horizon = self.plan.locale.horizon
        if horizon is None or horizon.has(value):
            return
        self._is_outside = True
        warnings.warn(
            f"{pointer_of(path)}: {value} is outside of the horizon {horizon}: no date within it "
            "was found that the schema allows",
            UserWarning,
            stacklevel=2,
        )

    def _search_text(self, chooser: Chooser) -> str:
        """Return another text, which the engine accepts."""
        assert self._is_accepted is not None
        for _ in range(_MAX_TRIES):
            for value in self._candidates(chooser.randbelow, plain=chooser.is_plain):
                if self._is_accepted(value):
                    return value
            chooser.effort -= 1
            if chooser.effort < 0:
                break
        asked = [
            f"{word} {preview(text, 60)}"
            for word in _CONSTRAINING
            for text in self.node.texts(word)
        ]
        asked += [
            f"{word} {one}"
            for word in ("minLength", "maxLength")
            for _, one in self.node.said(word)
        ]
        asked += ["what it must not be"] if self.node.key.refused else []
        place = self.node.place("pattern") or self.node.pointer
        patterns, missed = frozenset(self.node.texts("pattern")), frozenset(self.node.missed)
        is_certain = find_text(patterns, missed, self.low, self.high).none or self._is_excluded()
        reason = f"no text was found that fits all of: {', '.join(asked)}"
        raise DeadEnd(place, reason, given_up=not is_certain)

    def _candidates(self, randbelow: RandBelow, *, plain: bool) -> Iterator[str]:
        """Yield texts that may fit: by pattern, by format, and combinations of both."""
        form, plain = self.draw(randbelow), plain or self._in_horizon
        yield form
        some = (pattern.make(randbelow, plain=plain) for pattern in self.patterns)
        made = [text for text in some if text is not None]
        if self.patterns:
            by_pattern = self.from_pattern(randbelow, plain=plain)
            yield from () if by_pattern is None else (by_pattern,)
        if self._adapted:
            yield self._adapted[randbelow(len(self._adapted))]
        if self.special:
            for text in made:
                for cut in range(len(text) + 5):
                    yield text + form[cut:]
                    yield (form[:-cut] if cut else form) + text
            yield from self.lengthen(form, self.low)
        if self.node.key.refused:
            yield from (form.upper(), form.lower(), form.title(), form.replace(" ", "-"))
            length = max(self.low, min(4, 4 if self.high is None else self.high))
            yield from (one * length for one in "0-A_é")

    @cached_property
    def boundaries(self) -> list[tuple[str, str]]:
        """Return texts at and next to the bounds of length, and other edge cases, with names."""
        randbelow = StreamChooser("boundaries").randbelow
        found: list[tuple[str, str]] = []
        if self.low and not self.special:
            found += [("minLength", self.of_length(self.low, randbelow))]
            found += [("minLength+1", self.of_length(self.low + 1, randbelow))]
        if self.high is not None and self.high <= MAX_WRITTEN_CHARACTERS and not self.special:
            found += [("maxLength", self.of_length(self.high, randbelow))]
            found += [("maxLength-1", self.of_length(max(self.high - 1, 0), randbelow))]
        if self.free:
            found += [("empty", ""), ("not-ascii", NOT_ASCII)]
            found += [("padded", f" {self.text(randbelow)} ")]
        most = float("inf") if self.high is None else self.high
        named: dict[str, str] = {}
        for name, text in found:
            if self.low <= len(text) <= most and (
                self._is_accepted is None or self._is_accepted(text)
            ):
                named.setdefault(text, name)
        return [(name, text) for text, name in named.items()]


def some_texts(text: Callable[[RandBelow], str]) -> Sequence[str]:
    """Return some texts of a maker; all texts if it draws from a pool."""
    if isinstance(text, Pool):
        return text.texts
    randbelow = StreamChooser("likely").randbelow
    return [text(randbelow) for _ in range(_LIKELY_FROM_PATTERN)]
