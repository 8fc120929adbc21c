"""The grammar of ECMA 262 (sections 22.2.1 and B.1.2, with the Unicode reading of characters)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NoReturn

from widgetschema.validation.patterns.expression import (
    NEVER,
    Group,
    Node,
    PatternError,
    Reference,
    UnsupportedPattern,
    assertion,
    atom,
    choice,
    repetition,
    series,
)
from widgetschema.validation.patterns.properties import is_known_elsewhere, property_name

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
_QUANTIFIER: Final = re.compile(r"(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})(\??)")
_BOUNDS: Final[dict[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_GROUP: Final = re.compile(r"\(\?(?::|=|!|<=|<!|<([^>]*)>)")
_MODIFIERS: Final = re.compile(r"\(\?[ims]*(?:-[ims]*)?:")
_PROPERTY: Final = re.compile(r"[pP]\{([A-Za-z_]+(?:=[A-Za-z_0-9]+)?)\}")
_HEX: Final = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}")
_MAX_REPEAT: Final = 100_000
_REPEATS_TOO_MUCH: Final = f"repeats more than {_MAX_REPEAT:,} times"
_MAX_NESTING: Final = 100


class _Open:
    """A group that is not closed yet, or the whole pattern."""

    def __init__(
        self, begin: int, opening: str = "", number: int = 0, name: str | None = None
    ) -> None:
        self.begin = begin
        self.opening = opening
        self.number = number
        self.name = name
        self.branches: list[Node] = []
        self.parts: list[Node] = []
        self.names: set[str] = set()  # of groups in the last branch
        self.earlier_names: set[str] = set()


class Reader:
    """Reads one pattern; `references` are those that it has."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.groups = 0
        self.open = [_Open(0)]
        self.references: list[Reference] = []
        self.names: dict[str, list[int]] = {}
        self.total = 0
        for name in _captures(pattern):
            self.total += 1
            if name:
                self.names.setdefault(name, []).append(self.total)

    def run(self) -> Node:
        """Return the whole pattern. Raises `PatternError`."""
        while self.at < len(self.pattern):
            self.term()
        if len(self.open) > 1:
            self.at = self.open[-1].begin
            self.fail("a group is not closed")
        self.end_branch()
        root = choice(self.open[0].branches)
        self.limit(root)
        return root

    def term(self) -> None:
        """Read the next term, with its quantifier."""
        character, last = self.pattern[self.at], self.open[-1]
        if character == "(":
            self.group()
        elif character == "|":
            self.at += 1
            self.end_branch()
        elif character in "^$":
            self.at += 1
            last.parts.append(assertion(character))
        elif character in "*+?":
            self.fail(f"nothing to repeat before {character}")
        elif self.pattern.startswith(("\\b", "\\B"), self.at):
            self.at += 2
            edge = self.pattern[self.at - 1] == "b"
            last.parts.append(assertion(_BOUNDARY if edge else _NO_BOUNDARY))
        elif character == ")":
            closed = self.close()
            if "<" in closed.opening:
                self.open[-1].parts.append(closed)
            else:
                self.open[-1].parts.append(self.quantified(closed))
        else:
            last.parts.append(self.quantified(self.atom(character)))

    def atom(self, character: str) -> Node:
        """Read a character, a class or a reference."""
        if character == "[":
            return self.bracket()
        self.at += 1
        if character == "\\":
            return self.escape()
        return atom("[^\n\r\u2028\u2029]" if character == "." else _literal(character))

    def quantified(self, node: Node) -> Node:
        """Return a term as often as the quantifier behind it says, if there is one."""
        match = _QUANTIFIER.match(self.pattern, self.at)
        if match is None:
            return node
        sign, least, comma, most, lazy = match.groups()
        if any(len((bound or "").lstrip("0")) > 6 for bound in (least, most)):
            self.fail(_REPEATS_TOO_MUCH)
        low, high = _BOUNDS[sign] if sign else (int(least), int(most) if most else None)
        if not sign and not comma:
            high = low
        if high is not None and low > high:
            self.fail("the bounds of a repetition are in the wrong order")
        if max(low, high or 0) > _MAX_REPEAT:
            self.fail(_REPEATS_TOO_MUCH)
        node = repetition(node, low, high, lazy)
        self.limit(node)
        self.at = match.end()
        return node

    def limit(self, node: Node) -> None:
        """Refuse what repeats too much."""
        if node.size > _MAX_REPEAT:
            self.fail(_REPEATS_TOO_MUCH)

    def group(self) -> None:
        """Read the beginning of a group."""
        begin = self.at
        if len(self.open) > _MAX_NESTING:
            self.fail(f"groups are nested deeper than {_MAX_NESTING}")
        match, number, name = _GROUP.match(self.pattern, begin), 0, None
        if match:
            self.at, name = match.end(), match.group(1)
            if name is not None and "\\" in name:
                raise UnsupportedPattern("an escape in the name of a group", begin)
            if name is not None and not name.replace("$", "_").isidentifier():
                self.at = begin
                self.fail("the name of a group must be an identifier")
        elif _MODIFIERS.match(self.pattern, begin):
            raise UnsupportedPattern("a group with modifiers", begin)
        elif self.pattern.startswith("(?", begin):
            self.fail("a group that ECMA 262 does not have")
        else:
            self.at += 1
        if match is None or name is not None:
            self.groups += 1
            number = self.groups
        opening = "(" if number else self.pattern[begin : self.at]
        self.open.append(_Open(begin, opening, number, name))

    def close(self) -> Group:
        """Read the end of a group."""
        if len(self.open) == 1:
            self.fail("a ) without its (")
        self.at += 1
        self.end_branch()
        closed = self.open.pop()
        last = self.open[-1]
        own = {closed.name} if closed.name else set[str]()
        twice = (own & closed.earlier_names) | (last.names & (own | closed.earlier_names))
        if twice:
            self.at = closed.begin
            self.fail(f"two groups that may both take part are called {min(twice)}")
        last.names |= own | closed.earlier_names
        return Group(closed.opening, choice(closed.branches), closed.number)

    def end_branch(self) -> None:
        """End a branch of the innermost group."""
        last = self.open[-1]
        last.branches.append(series(last.parts))
        last.earlier_names |= last.names
        last.parts, last.names = [], set()

    def escape(self) -> Node:
        """Return a term that begins with a backslash; the cursor is behind it."""
        if self.at >= len(self.pattern):
            self.fail("a backslash at the end")
        character = self.pattern[self.at]
        if character in _CLASSES:
            self.at += 1
            return atom(f"[{_CLASSES[character]}]")
        if character in "pP":
            return atom(self.property())
        if character in "123456789" or character == "k":
            return self.reference(character)
        code = self.character_escape()
        return NEVER if code is None else atom(_literal(code))

    def reference(self, character: str) -> Node:
        """Return a reference to a group, or to each of one name: one at most has taken part."""
        begin = self.at - 1
        if character == "k":
            match = re.compile(r"k<([^>]*)>").match(self.pattern, self.at)
            if match is None or match.group(1) not in self.names:
                self.fail("\\k needs the name of a group")
            numbers = self.names[match.group(1)]
        else:
            match = re.compile(r"[0-9]{1,6}").match(self.pattern, self.at)
            numbers = [int(match.group()) if match else 0]
            if match is None or numbers[0] > self.total:
                self.fail(f"there is no group {numbers[0]}")
        self.at = match.end()
        found = [Reference(number, begin) for number in numbers]
        self.references += found
        return series(found) if len(found) == 1 else Group("(?:", series(found))

    def property(self) -> str:
        """Return a property of characters."""
        match = _PROPERTY.match(self.pattern, self.at)
        if match is None:
            self.fail("\\p needs a property: \\p{Letter}")
        name = property_name(match.group(1))
        if name is None:
            if is_known_elsewhere(match.group(1)):
                raise UnsupportedPattern(f"the property {match.group(1)}", self.at)
            self.fail(f"ECMA 262 has no property {match.group(1)} of characters")
        self.at = match.end()
        return f"\\{match.group()[0]}{{{name}}}"

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

    def bracket(self) -> Node:
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
            return atom(f"[\\x00-{_LAST}]") if negated else NEVER
        return atom(f"[{'^' * negated}{inside}]")

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

    def fail(self, reason: str) -> NoReturn:
        """Raise `PatternError` at the cursor."""
        raise PatternError(reason, self.at)


# Escapes and classes are passed over, also one without an end, which takes all that follows; what
# begins with ( is a capturing group.
_CAPTURES: Final = re.compile(
    r"\\.|\[(?:[^\]\\]|\\.)*+(?:\]|\\?\Z)|(\()(?:\?<(?![=!])([^>(]*)>|(?!\?))", re.DOTALL
)
_SYNTAX: Final = frozenset("\\^$.*+?()[]{}|/-&~#")


def _captures(pattern: str) -> Iterator[str | None]:
    """Yield the name of each capturing group, or None."""
    for match in _CAPTURES.finditer(pattern):
        if match.group(1):
            yield match.group(2)


def _literal(character: str) -> str:
    return f"\\x{ord(character):02x}" if character in _SYNTAX else character


def _inside(character: str | None) -> str:
    return "" if character is None else _literal(character)
