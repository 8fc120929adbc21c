"""JSON Pointers (RFC 6901), and patterns of them: the one language for places in data.

A pattern is a JSON Pointer in which the token `*` stands for any one member or item, and `**` for
any number of them, none included: `/items/*/title`, `/styles/**`, `/**/title`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from widgetschema.text import escaped, printable, shorten

ANY: Final = "*"
ANY_DEPTH: Final = "**"
_LONGEST_SHOWN: Final = 500  # characters of a pointer
_LONGEST_INDEX: Final = 20  # digits
_BAD_ESCAPE: Final = re.compile("~(?![01])")
_NOT_QUOTED: Final = "/~!$&'()*+,;=:@?"  # what a fragment may have (RFC 3986, section 3.5)

Value = TypeVar("Value")


class PointerError(ValueError):
    """A text that is no JSON Pointer, or no pattern of them; `hint` says what to write."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


def escape_token(token: str) -> str:
    """Return a member name as a reference token of a JSON Pointer (RFC 6901, section 3)."""
    if "~" in token or "/" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def unescape_token(token: str) -> str:
    """Return the member name that a reference token stands for (RFC 6901, section 4)."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def is_pointer(text: str) -> bool:
    """Return whether a text is a JSON Pointer (RFC 6901, section 3)."""
    return text[:1] in ("", "/") and _BAD_ESCAPE.search(text) is None


def not_to_member(text: str) -> str | None:
    """Return what is wrong with a text that is no JSON Pointer to a member; else None."""
    if text and is_pointer(text):
        return None
    hint = "~0 for ~, and ~1 for /"
    if text[:1] != "/":
        names = text[2:].split(".") if text[:2] == "$." else text.removeprefix("#/").split("/")
        hint = format_pointer(names) if text else "the name of the property after a slash"
    return f"{printable(text)!r} is not a JSON Pointer to a property: write {printable(hint)}"


def parse_pointer(pointer: str) -> list[str]:
    """Return the unescaped reference tokens of a valid JSON Pointer."""
    tokens = pointer.split("/")[1:]
    return [*map(unescape_token, tokens)] if "~" in pointer else tokens


def format_pointer(tokens: Iterable[str | int]) -> str:
    """Return the JSON Pointer of member names and indices."""
    return "".join(f"/{escape_token(str(token))}" for token in tokens)


def pointer_of(path: tuple[Any, ...]) -> str:
    """Return the JSON Pointer of a path kept as `((((), "a"), 0), "b")`: cheap to extend."""
    pointer = ""
    while path:
        path, token = path
        if type(token) is str and ("~" in token or "/" in token):
            token = escape_token(token)
        pointer = f"/{token}{pointer}"
    return pointer


def pattern_of(path: tuple[Any, ...]) -> str:
    """Return the pattern of a path kept as for `pointer_of`: `*` stands for array items."""
    pattern = ""
    while path:
        path, token = path
        if type(token) is int:
            token = ANY
        elif "~" in token or "/" in token:
            token = escape_token(token)
        pattern = f"/{token}{pattern}"
    return pattern


def indices_of(path: tuple[Any, ...]) -> tuple[int, ...]:
    """Return where integers are in a path kept as for `pointer_of`, counted from its end."""
    indices: list[int] = []
    position = 0
    while path:
        path, token = path
        position -= 1
        if type(token) is int:
            indices.append(position)
    return tuple(reversed(indices)) if indices else ()


def fragment_of(pointer: str) -> str:
    """Return a JSON Pointer as a URI fragment identifier (RFC 6901, section 6)."""
    from urllib.parse import quote  # few need it

    return f"#{quote(pointer, safe=_NOT_QUOTED, errors='replace')}"


def resolve_pointer(value: Any, pointer: str, default: Any = None) -> Any:
    """Return what a JSON Pointer refers to in a JSON value, `default` if there is nothing."""
    for token in parse_pointer(pointer):
        if type(value) is dict and token in value:
            value = value[token]
        elif type(value) is list and is_index(token) and int(token) < len(value):
            value = value[int(token)]
        else:
            return default
    return value


class ValueAt:
    """A function that returns what one JSON Pointer refers to in a value; None for nothing."""

    __slots__ = ("_name", "_pointer")

    def __init__(self, pointer: str) -> None:
        self._pointer = pointer
        tokens = parse_pointer(pointer)
        self._name = tokens[0] if len(tokens) == 1 else None  # of most

    def __call__(self, value: Any) -> Any:
        """Return what the pointer refers to in this value."""
        if self._name is None or type(value) is not dict:
            return resolve_pointer(value, self._pointer)
        return value.get(self._name)


def is_index(token: str) -> bool:
    """Return whether a token can be the index of an item: digits, without a leading zero."""
    if not (token.isascii() and token.isdigit() and len(token) < _LONGEST_INDEX):
        return False
    return token[0] != "0" or len(token) == 1


def display_pointer(pointer: str) -> str:
    """Return a JSON Pointer for people: in one line, of bearable length, `(root)` if empty."""
    return escaped(shorten(pointer, _LONGEST_SHOWN, tail=99)) or "(root)"


def parse_pattern(pattern: str) -> list[str]:
    """Return the tokens of a pattern, which may be `*` and `**`. Raises `PointerError`."""
    if pattern and not pattern.startswith("/"):
        raise PointerError("it is not a JSON Pointer", "begin with a slash")
    if not is_pointer(pattern):
        raise PointerError("write ~0 for ~, and ~1 for / within a name")
    tokens: list[str] = []
    for token in parse_pointer(pattern):
        if token != ANY_DEPTH or tokens[-1:] != [ANY_DEPTH]:
            tokens.append(token)
    return tokens


@lru_cache(maxsize=4096)
def _pattern(text: str) -> Patterns[bool]:
    return Patterns({text: True})


def matches(pattern: str, pointer: str) -> bool:
    """Return whether a pattern matches a JSON Pointer. Raises `PointerError`."""
    places = _pattern(pattern).root
    for token in parse_pointer(pointer):
        places = step(places, token)
        if not places:
            return False
    return any(place.value for place in places)


class PatternNode(Generic[Value]):
    """The first tokens that some patterns share, and the value of the one that ends here.

    `bare` is the same node without the value; `whole`, that of a bare one with it.
    """

    __slots__ = ("bare", "children", "is_any_depth", "value", "whole")

    def __init__(self, whole: PatternNode[Value] | None = None) -> None:
        self.value: Value | None = None
        self.children: dict[str, PatternNode[Value]] = {} if whole is None else whole.children
        self.is_any_depth = False
        self.whole: PatternNode[Value] = self if whole is None else whole
        self.bare: PatternNode[Value] = PatternNode(self) if whole is None else self


Places = tuple[PatternNode[Value], ...]  # where patterns are after some tokens, most exact first


class Patterns(Generic[Value]):
    """Values by pattern, to be walked down token by token: see `step`.

    A walk takes at most as many steps as the lengths of patterns and pointer multiplied.
    """

    def __init__(self, values: Mapping[str, Value]) -> None:
        """Prepare patterns. Raises `PointerError`."""
        root = PatternNode[Value]()
        for pattern, value in values.items():
            node = root
            for token in parse_pattern(pattern):
                node = node.children.setdefault(token, PatternNode())
                node.is_any_depth = node.bare.is_any_depth = token == ANY_DEPTH
            node.value = value
        self.root: Places[Value] = _with_any_depth([root])


def step(places: Places[Value], token: str) -> Places[Value]:
    """Return where patterns are after one more token; empty if none can match any more.

    A pattern that names the token comes first, then `*`, then `**`.
    """
    found = [
        place.children[key] for key in (token, ANY) for place in places if key in place.children
    ]
    return _with_any_depth([*found, *(place.whole for place in places if place.is_any_depth)])


def _with_any_depth(nodes: Sequence[PatternNode[Value]]) -> Places[Value]:
    """Return the nodes, each followed by the one after `**`, which may stand for no token."""
    found: dict[PatternNode[Value], None] = {}
    for node in nodes:
        found[node] = None
        deep = node.children.get(ANY_DEPTH)
        if deep is not None:
            found[deep] = None
    return tuple(found)
