r"""Patterns as Ajv compiles them: with the flag `u`, which refuses what web pages get away with.

`\-` and `\_` outside of a class, a lone `{` or `]`, `\07`: without the flag these are texts, with
it the schema cannot be used at all (ECMA 262, section B.1.2). A pattern with one of them is
written in the common form of `validator.patterns`, which has none. Nothing is matched here.
"""

from __future__ import annotations

import re
from typing import Final

from widgetschema.validation.patterns import translate

_ESCAPE: Final = (
    r"\\(?:[\^$\\.*+?()\[\]{}|/dDwWsSbBtnvfr]|0(?![0-9])|c[A-Za-z]|x[0-9A-Fa-f]{2}"
    r"|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}"
)
# Groups of no name, classes without ranges between classes, quantifiers behind atoms.
_PLAIN: Final = re.compile(
    rf"(?:[^\\\[\](){{}}*+?|]|{_ESCAPE})|\||\((?:\?:)?|\)"
    rf"|\[\^?(?:[^\\\[\]]|{_ESCAPE}|-))*\]"
    r"|(?<=[^(|*+?])[*+?]\??|(?<=[^(|*+?])\{[0-9]+(?:,[0-9]*)?\}\??)*+"
)
_CLASS_IN_RANGE: Final = re.compile(r"\\[dDwWsS]-(?!\])|-\\[dDwWsS]")


def unicode_pattern(pattern: str) -> str:
    """A pattern that means the same and that the flag `u` accepts. Raises `PatternError`."""
    if _PLAIN.fullmatch(pattern) and not _CLASS_IN_RANGE.search(pattern):
        return pattern
    return translate(pattern)
