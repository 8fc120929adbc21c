r"""ECMA 262 regular expressions, brought into a form that every engine reads the same way.

Draft-07 says that patterns are ECMA 262 (validation specification, section 4.3). Engines
bring their own dialects: `\d` may match Arabic digits, `$` a final newline, `[^]` may be
an error. Here a pattern is read by ECMA's grammar (sections 22.2.1 and B.1.2, with the
Unicode reading of characters) and written again with none of those differences left:
classes spelled out, names of groups turned to numbers, escapes turned to characters.

Nothing is matched here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NoReturn


class PatternError(ValueError):
    """A text that is not an ECMA 262 regular expression; `offset` counts from 0."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason, offset)
        self.reason = reason
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.reason} at offset {self.offset}"


@lru_cache(maxsize=1024)
def translate(pattern: str) -> str:
    """Return the pattern in the common form. Raises `PatternError`."""
    return _Translation(pattern).run()


def pattern_fault(pattern: str) -> str | None:
    """Return why a text is not an ECMA 262 regular expression, or None if it is one."""
    try:
        translate(pattern)
    except PatternError as error:
        return str(error)
    return None


_LAST: Final = "\U0010ffff"
_WORD: Final = "0-9A-Z_a-z"
_SPACE: Final = "\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_CLASSES: Final = {  # the inside of a bracket expression for each class escape
    "d": "0-9",
    "D": f"\\x00-/:-{_LAST}",
    "w": _WORD,
    "W": f"\\x00-/:-@\\x5b-\\x5e`\\x7b-{_LAST}",
    "s": _SPACE,
    "S": "\\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e"
    f"\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-{_LAST}",
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_BOUNDARY: Final = f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))"
_NO_BOUNDARY: Final = f"(?:(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}]))"
_NEVER: Final = "(?!)"
_QUANTIFIER: Final = re.compile(r"(?:[*+?]|\{([0-9]+)(?:,([0-9]*))?\})\??")
_GROUP: Final = re.compile(r"\(\?(?::|=|!|<=|<!|<([A-Za-z_$][\w$]*)>)")
_PROPERTY: Final = re.compile(r"[pP]\{([A-Za-z_]+(?:=[A-Za-z_0-9]+)?)\}")
_HEX: Final = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}")
_NOT_REPEATED: Final = re.compile(r"[$^|(]|\\[bB]")
_MAX_REPEAT: Final = 100_000
_MAX_NESTING: Final = 100


class _Translation:
    """One pattern: a cursor on the way in, pieces on the way out."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.groups = 0
        self.open: list[int] = []
        self.sizes = [0]  # characters to match at most once, of each open group
        self.last = 0  # the size of the last term
        self.names = self._names()
        self.total = self._count_groups()

    def run(self) -> str:
        """Return the whole pattern in common form."""
        pieces: list[str] = []
        while self.at < len(self.pattern):
            start = self.at
            piece = self.term()
            pieces.append(piece)
            if not _NOT_REPEATED.match(self.pattern, start):
                self.quantifier(pieces)
            if self.at == start:
                self.fail("cannot read on")
        if self.open:
            self.at = self.open[-1]
            self.fail("a group is not closed")
        return "".join(pieces)

    def term(self) -> str:
        """Return the next term, without its quantifier."""
        character = self.pattern[self.at]
        self.last = 1
        if character == "(":
            self.sizes.append(0)
        elif character == ")" and self.open:
            self.last = self.sizes.pop()
            self.sizes[-1] += self.last
        else:
            self.sizes[-1] += 1
        if character == "\\":
            self.at += 1
            return self.escape()
        if character == "[":
            return self.bracket()
        if character == "(":
            return self.group()
        self.at += 1
        if character == ")":
            if not self.open:
                self.at -= 1
                self.fail("a ) without its (")
            self.open.pop()
            return ")"
        if character == ".":
            return "[^\n\r\u2028\u2029]"
        if character in "*+?":
            self.at -= 1
            self.fail(f"nothing to repeat before {character}")
        if character in "^$|":
            return character
        return _literal(character)

    def quantifier(self, pieces: list[str]) -> None:
        """Append a quantifier, if there is one."""
        match = _QUANTIFIER.match(self.pattern, self.at)
        if match is None:
            return
        least, most = match.groups()
        bounds = [int(bound) for bound in (least, most) if bound and len(bound) < 9]
        if (least and len(bounds) < 1 + bool(most)) or max(bounds, default=0) > _MAX_REPEAT:
            self.fail(f"repeats more than {_MAX_REPEAT:,} times")
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            self.fail("the bounds of a repetition are in the wrong order")
        self.sizes[-1] += self.last * (max(bounds, default=1) - 1)
        if self.sizes[-1] > _MAX_REPEAT:
            self.fail(f"repeats more than {_MAX_REPEAT:,} times")
        self.at = match.end()
        pieces.append(match.group())

    def group(self) -> str:
        """Return the beginning of a group."""
        self.open.append(self.at)
        if len(self.open) > _MAX_NESTING:
            self.fail(f"groups are nested deeper than {_MAX_NESTING}")
        match = _GROUP.match(self.pattern, self.at)
        if match:
            self.at = match.end()
            if match.group(1) is None:
                return match.group()
        elif self.pattern.startswith("(?", self.at):
            self.fail("a group that ECMA 262 does not have")
        else:
            self.at += 1
        self.groups += 1
        return "("

    def escape(self) -> str:
        """Return a term that begins with a backslash; the cursor is behind it."""
        if self.at >= len(self.pattern):
            self.fail("a backslash at the end")
        character = self.pattern[self.at]
        if character in _CLASSES:
            self.at += 1
            return f"[{_CLASSES[character]}]"
        if character in "bB":
            self.at += 1
            return _BOUNDARY if character == "b" else _NO_BOUNDARY
        if character in "pP":
            return self.property()
        if character in "123456789" or character == "k":
            return self.backreference(character)
        code = self.character_escape()
        return _NEVER if code is None else _literal(code)

    def backreference(self, character: str) -> str:
        """Return a reference to a group."""
        if character == "k":
            match = re.compile(r"k<([^>]*)>").match(self.pattern, self.at)
            if match is None or match.group(1) not in self.names:
                self.fail("\\k needs the name of a group")
            number = self.names[match.group(1)]
        else:
            match = re.compile(r"[0-9]{1,6}").match(self.pattern, self.at)
            number = int(match.group()) if match else 0
            if match is None or number > self.total:
                self.fail(f"there is no group {number}")
        self.at = match.end()
        return f"(?:\\{number})"

    def property(self) -> str:
        """Return a property of characters."""
        match = _PROPERTY.match(self.pattern, self.at)
        if match is None:
            self.fail("\\p needs a property: \\p{Letter}")
        self.at = match.end()
        return "\\" + match.group()

    def character_escape(self) -> str | None:
        """Return the character that an escape stands for, or None for half of a surrogate pair."""
        character = self.pattern[self.at]
        if character in _CONTROLS:
            self.at += 1
            return _CONTROLS[character]
        if character == "0" and not self.pattern[self.at + 1 : self.at + 2].isdigit():
            self.at += 1
            return "\x00"
        if character == "c" and re.compile("c[A-Za-z]").match(self.pattern, self.at):
            self.at += 2
            return chr(ord(self.pattern[self.at - 1]) % 32)
        match = _HEX.match(self.pattern, self.at)
        if match:
            self.at = match.end()
            return self.code_point(int(match.group(1) or match.group(2) or match.group(3), 16))
        if character.isalnum() and character.isascii():
            self.fail(f"\\{character} is not an escape that ECMA 262 has")
        self.at += 1
        return character

    def code_point(self, code: int) -> str | None:
        """Return the character of a code point, or None for half of a surrogate pair."""
        if 0xD800 <= code < 0xDC00:
            low = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.pattern, self.at)
            if low:
                self.at = low.end()
                return chr(0x10000 + ((code - 0xD800) << 10) + (int(low.group(1), 16) - 0xDC00))
        if code > 0x10FFFF:
            self.fail("there is no such character")
        return None if 0xD800 <= code < 0xE000 else chr(code)

    def bracket(self) -> str:
        """Return a bracket expression."""
        start = self.at
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        parts: list[str] = []
        while True:
            if self.at >= len(self.pattern):
                self.at = start
                self.fail("a [ without its ]")
            if self.pattern[self.at] == "]":
                self.at += 1
                break
            parts.append(self.class_range())
        inside = "".join(parts)
        if not inside:
            return f"[\\x00-{_LAST}]" if negated else _NEVER
        return f"[{'^' * negated}{inside}]"

    def class_range(self) -> str:
        """Return a character, a class or a range within brackets."""
        first, first_class = self.class_atom()
        if not self.pattern.startswith("-", self.at) or self.pattern.startswith("-]", self.at):
            return first_class or _inside(first)
        dash = self.at
        self.at += 1
        if self.at >= len(self.pattern):
            return first_class or _inside(first)
        last, last_class = self.class_atom()
        if first_class is not None or last_class is not None:
            return (first_class or _inside(first)) + _inside("-") + (last_class or _inside(last))
        if first is None or last is None:
            return ""
        if first > last:
            self.at = dash
            self.fail("a range whose end is before its beginning")
        return f"{_inside(first)}-{_inside(last)}"

    def class_atom(self) -> tuple[str | None, str | None]:
        """Return one character (None for a lone surrogate), or the inside of a class escape."""
        character = self.pattern[self.at]
        self.at += 1
        if character != "\\":
            return character, None
        if self.at >= len(self.pattern):
            self.fail("a backslash at the end")
        escaped = self.pattern[self.at]
        if escaped in _CLASSES:
            self.at += 1
            return None, _CLASSES[escaped]
        if escaped in "pP":
            return None, self.property()
        if escaped == "b":
            self.at += 1
            return "\b", None
        if escaped in "123456789":
            self.fail("a reference to a group inside a class")
        return self.character_escape(), None

    def _names(self) -> dict[str, int]:
        names: dict[str, int] = {}
        number = 0
        for match in _CAPTURES.finditer(self.pattern):
            if match.group(0).startswith("("):
                number += 1
                if match.group(1):
                    names[match.group(1)] = number
        return names

    def _count_groups(self) -> int:
        return sum(match.group(0).startswith("(") for match in _CAPTURES.finditer(self.pattern))

    def fail(self, reason: str) -> NoReturn:
        """Raise `PatternError` at the cursor."""
        raise PatternError(reason, self.at)


# Escapes and classes are passed over; what begins with ( is a capturing group.
_CAPTURES: Final = re.compile(
    r"\\.|\[(?:[^\]\\]|\\.)*\]|\((?:\?<([A-Za-z_$][\w$]*)>|(?!\?))", re.DOTALL
)
_SYNTAX: Final = frozenset("\\^$.*+?()[]{}|/-&~#")


def _literal(character: str) -> str:
    return f"\\x{ord(character):02x}" if character in _SYNTAX else character


def _inside(character: str | None) -> str:
    return "" if character is None else _literal(character)
