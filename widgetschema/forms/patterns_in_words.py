"""Simple regular expressions in words: characters, a beginning, an end, a list of texts.

Only what can be said in full is said: of any other pattern, nothing is.
"""

from __future__ import annotations

import re
from typing import Final

from widgetschema.languages import Phrases

_ONE_CLASS: Final = re.compile(
    r"\^(?:\[((?:[^\\\]^]|\\[-\\./\w$()+*?|{}\[\]^#])+)\]|(\\d))(?:([+*])|\{(\d{1,4})\})\$"
)
_PART: Final = re.compile(r"([a-z])-([a-z])|([A-Z])-([A-Z])|(\d)-(\d)|\\?([^\w\s\\])|(\\d)|([ _])")
_LITERAL: Final = r"((?:[^\\\[\](){}.*+?|^$]|\\[./\-#$()+*?|:])+)"
_BEGINS: Final = re.compile(rf"\^{_LITERAL}(?:\.[*+])?")
_ENDS: Final = re.compile(rf"(?:\^?\.[*+])?{_LITERAL}\$")
_LISTED: Final = re.compile(rf"\^\(?(?:\?:)?({_LITERAL}(?:\|{_LITERAL})+)\)\$")
_FILLED: Final = frozenset({r"\S", r"\S+", r"^.*\S.*$", r"^(?!\s*$).+", r"[^\s]", r".*\S.*"})
_WEB_ADDRESS: Final = re.compile(r"\^https\?:(?:\\?/){2}(?:\.[*+]\$?)?")
_RANGES: Final = {("a", "z"): "small", ("A", "Z"): "capital", ("0", "9"): "digit"}


def pattern_advice(say: Phrases, pattern: str) -> str | None:
    """Return what a text for a pattern is like, as an instruction; None if it cannot be said."""
    if not pattern.isprintable():
        return None
    if pattern in _FILLED:
        return say["pattern.filled"]()
    if _WEB_ADDRESS.fullmatch(pattern):
        return say["pattern.begin-web"]()
    if match := _ONE_CLASS.fullmatch(pattern):
        characters = _characters(say, match[1] or match[2])
        if characters is None:
            return None
        if match[4]:
            return say["pattern.only-count"](number=int(match[4]), characters=characters)
        return say["pattern.only"](characters=characters)
    if match := _LISTED.fullmatch(pattern):
        return say["enum.choose"](values=say["list"](items=_unescaped(match[1]).split("|")))
    if match := _BEGINS.fullmatch(pattern):
        return say["pattern.begin"](text=_unescaped(match[1]))
    if match := _ENDS.fullmatch(pattern):
        return say["pattern.end"](text=_unescaped(match[1]))
    return None


def _characters(say: Phrases, inside: str) -> str | None:
    """Return the characters of a class in words."""
    kinds: list[str] = []
    others: list[str] = []
    position = 0
    while position < len(inside):
        part = _PART.match(inside, position)
        if part is None:
            return None
        position = part.end()
        bounds = tuple(one for one in part.groups()[:6] if one is not None)
        if part[8]:
            kinds.append("digit")
        elif len(bounds) == 2:
            name = _RANGES.get((bounds[0], bounds[1]))
            if name is None:
                return None
            kinds.append(name)
        elif part[9] == " ":
            kinds.append("space")
        elif part[0] == "-" and part.start() and position < len(inside):
            return None  # a range of other characters, or what engines read differently
        else:
            others.append(part[7] or part[9])
    order = [one for one in ("small", "capital", "digit", "space") if one in kinds]
    shown = [say[f"pattern.is-{one}"]() for one in order]
    return say["row"](items=[*shown, *dict.fromkeys(others)])


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
