"""Python values that claim to be JSON: the fast guard, the slow walk, and the way out.

Everything that enters an engine passes here first, because an engine may crash or look
away: a value nested 50,000 deep can take the whole process down, and NaN, sets or bytes
slip through wherever a schema says nothing. Nothing here knows schemas.

What counts as JSON: None, bool, int, float, str, list and dict with str keys, and their
subclasses; tuples count as arrays, enum members as their values, UUIDs as their text
(what `orjson` writes). Everything else is a finding at its place.
"""

from __future__ import annotations

import enum
import json
import math
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from gc import get_referents
from math import isfinite
from typing import Any, Final

import orjson

from widgetschema.findings import Finding
from widgetschema.pointers import indices_of, pointer_of
from widgetschema.text import escaped, shorten

_OPTIONS: Final = (
    orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)
# The least integer that no double can hold: halfway between the largest double and what comes next.
BEYOND_DOUBLES: Final = 2**1024 - 2**970
_MOST_BITS: Final = 2_000  # of an integer that Python writes as text, whatever its limit of digits


# The encoder makes room in its buffer for items, not for the brackets that close containers: more
# than about 30 of these in a row and it writes behind its end (orjson 3.11.9). So it gets nothing
# that closes more, and behind the value comes a text, for which it does make room.
_DEEPEST: Final = 24
_ROOM: Final = "x" * 64
_NO_BRACKETS: Final = bytes(code for code in range(256) if code not in b"[{")
_MANY: Final = 256  # members on one level beyond which their types are looked at
_TOO_MANY: Final = 100_000  # … and beyond which containers that are shared are looked at once
_CONTAINERS: Final = frozenset({list, dict, tuple})
_PLAIN: Final = _CONTAINERS | {str, int, float, bool, type(None)}
_MOST_REPEATED: Final = 1_000_000  # values that a copy has more than once since they are shared
_SAME_IN_JSON: Final = _PLAIN - {tuple}  # what a parser could have returned


shallow_text: Final = orjson.dumps
"""Return the JSON text of a plain value that is nested no deeper than a guard vouches for."""


def accepts_none(value: Any) -> bool:
    """Return False."""
    return False


class Guard:
    """The cheap answer to "can JSON carry this value?", for payloads that are fine.

    `encode(value)` gives the JSON text where the encoder alone can vouch for the value,
    else None; then `plain_copy` decides, slowly and with findings. The encoder refuses
    sets, bytes, other keys than text, lone surrogates, cycles; it writes NaN as `null`,
    so if there is a `null` in the text, the floats are looked at. Nothing is vouched for that is
    nested deeper than `max_depth`, or than the encoder can be trusted with.
    """

    __slots__ = ("_max_depth", "levels")

    def __init__(self, max_depth: int) -> None:
        self._max_depth = max_depth
        self.levels: Final = min(max_depth, _DEEPEST)  # the most that it vouches for

    def encode(self, value: Any) -> bytes | None:
        """Return the JSON text of `value`, wrapped (see `decode`); None if it may not be exact."""
        levels = _levels(value, self.levels)
        if levels is None:
            return None
        try:
            encoded = orjson.dumps([value, _ROOM], None, _OPTIONS)
        except orjson.JSONEncodeError:
            return None
        return encoded if encoded.rfind(b"null") < 0 or _are_finite(levels) else None

    def decider(
        self,
        decide: Callable[[Any], bool],
        doubtful: Callable[[Any], bool],
        compile_accepts: Callable[[], Callable[[Any], bool]] = lambda: accepts_none,
    ) -> Callable[[Any], bool]:
        """Return `decide` behind the guard: `doubtful` gets what may not be exact, or is refused.

        The same steps as `encode`, in one function: every call costs a tenth here. What
        `compile_accepts` returns at the first call decides first. It accepts only what `decide`
        accepts, in at most `levels` containers and without NaN and infinities, so that the encoder
        has to vouch for the types alone.
        """
        most, dumps = self.levels, orjson.dumps
        depths = range(most)

        def guarded(instance: Any) -> bool:
            levels: list[list[Any]] | None
            levels, level = [], [instance]
            for _ in depths:
                levels.append(level)
                level = get_referents(*level)
                if not level:
                    break
                if len(level) > _MANY:
                    levels = _levels(instance, most)
                    break
            else:
                levels = None
            if levels is None:
                return doubtful(instance)
            try:
                encoded = dumps([instance, _ROOM], None, _OPTIONS)
                if encoded.rfind(b"null") < 0 or _are_finite(levels):
                    if decide(instance):
                        return True
                    if all(_SAME_IN_JSON.issuperset(map(type, level)) for level in levels):
                        return False
            except (TypeError, ValueError):  # the refusal of the encoder, or of the engine
                pass
            return doubtful(instance)

        accepts: Callable[[Any], bool]

        def at_first(instance: Any) -> bool:
            nonlocal accepts
            accepts = compile_accepts()
            return accepts(instance)

        accepts = at_first

        def is_valid(instance: Any) -> bool:
            try:
                if accepts(instance):
                    dumps(instance, None, _OPTIONS)
                    return True
            except (TypeError, ValueError):
                pass
            return guarded(instance)

        return is_valid

    def decode(self, encoded: bytes) -> Any:
        """Return the plain copy of the value that `encode` was given."""
        return orjson.loads(encoded)[0]

    def rewritten(self, value: Any, text: bytes) -> bytes | None:
        """Return the JSON text of a value that a strict parser made of this very text.

        It has no NaN, and is nested no deeper than there are brackets. None if it is nested deeper
        than the encoder may be trusted with.
        """
        if len(text.translate(None, _NO_BRACKETS)) > self.levels:
            if _levels(value, self.levels) is None:
                return None
        return shallow_text(value)

    def __reduce__(self) -> tuple[type[Guard], tuple[int]]:
        return Guard, (self._max_depth,)


def is_shallow(value: Any, levels: int) -> bool:
    """Return whether a value is certainly nested in no more than `levels` containers."""
    return _levels(value, levels) is not None


def _levels(value: Any, most: int) -> list[list[Any]] | None:
    """Return a value, the members of it, the members of these …; None if there may be too many.

    All members of a level are taken at once; on a level that a value makes too large by sharing its
    containers, each container is looked at once. Whatever is of another type leads
    to its class, and by that way to more members than a level may have without their types being
    looked at: then nothing is certain, since an enum member, say, may hold anything.
    """
    levels, level = [], [value]
    for _ in range(most):
        levels.append(level)
        members = get_referents(*level)
        if not members:  # as most often: scalars have none
            return levels
        if len(level) > _MANY:
            if not _PLAIN.issuperset(map(type, level)):
                return None
            if len(level) > _TOO_MANY:
                once = {id(one): one for one in level if type(one) in _CONTAINERS}
                members = get_referents(*once.values())
        level = members
    return None


def _are_finite(levels: list[list[Any]]) -> bool:
    """Return whether no float among the members is NaN or infinite."""
    for level in levels:
        for member in level:
            if type(member) is float and not isfinite(member):
                return False
    return True


def plain_copy(value: Any, max_depth: int) -> tuple[Any, tuple[Finding, ...]]:
    """`value` in exact builtin types, and a finding for each part JSON cannot carry.

    Iterative, so that no nesting can exhaust the stack. Parts that cannot be carried are
    None in the copy; the copy is only worth using if there are no findings. A container in several
    places is copied for each; a value that is too large by that is refused as a whole.
    """
    walk = _PlainWalk(max_depth)
    holder: list[Any] = [None]
    walk.put(holder, 0, value, (), 0)
    while walk.todo:
        walk.step()
        if walk.repeated > _MOST_REPEATED:
            walk.refuse_as_too_large()
            return None, tuple(walk.findings)
    return holder[0], tuple(walk.findings)


class _PlainWalk:
    """One run of `plain_copy`: containers still to copy, and what was found."""

    def __init__(self, max_depth: int) -> None:
        self.max_depth = max_depth
        self.findings: list[Finding] = []
        # (source, copy, path, ids of the containers around it), depth first, in order
        self.todo: list[tuple[Any, Any, tuple[Any, ...], int, Any]] = []
        self.open_ids: list[int] = []
        # containers by id, kept alive so that no other gets the id; how much was copied again
        self.known: dict[int, Any] = {}
        self.repeated = 0

    def step(self) -> None:
        """Copy members of the innermost container up to the first container in it."""
        source, copy, path, depth, members = self.todo[-1]
        del self.open_ids[depth:]
        self.open_ids.append(id(source))
        for key, item in members:
            before = len(self.todo)
            if type(copy) is dict:
                name = self._key(key, path)
                if name is None:
                    continue
                copy[name] = None
                self.put(copy, name, item, (path, name), depth + 1)
            else:
                copy.append(None)
                self.put(copy, key, item, (path, key), depth + 1)
            if len(self.todo) > before:
                return  # go down first, then come back to this iterator
        self.todo.pop()

    def put(self, holder: Any, key: Any, value: Any, path: tuple[Any, ...], depth: int) -> None:
        """Copy a value into its place; a container is copied later."""
        if value is None or value is True or value is False:
            holder[key] = value
        elif isinstance(value, enum.Enum) and not isinstance(value, (str, int, float)):
            self.put(holder, key, value.value, path, depth)
        elif isinstance(value, str):
            holder[key] = self._text(str.__str__(value), path)
        elif isinstance(value, int):
            holder[key] = self._integer(int(value), path)
        elif isinstance(value, float):
            holder[key] = self._float(float(value), path)
        elif isinstance(value, (dict, list, tuple)):
            self._container(holder, key, value, path, depth)
        elif isinstance(value, uuid.UUID):
            holder[key] = str(value)
        else:
            kind = type(value).__name__
            hint = _TYPE_HINTS.get(kind)
            if type(value).__module__ == "numpy":
                if kind not in _NUMPY_ONLY:
                    hint = f"use value.{'tolist' if kind == 'ndarray' else 'item'}()"
                kind = f"numpy.{kind}"
            self._add("json.type", path, f"a Python {kind} is not a JSON value", hint)

    def _container(
        self, holder: Any, key: Any, value: Any, path: tuple[Any, ...], depth: int
    ) -> None:
        if id(value) in self.open_ids[:depth]:
            self._add("json.cycle", path, "the value contains itself", None)
            return
        if depth >= self.max_depth:
            self._add("json.depth", path, depth_message(self.max_depth), None)
            return
        if id(value) in self.known:
            self.repeated += 1 + len(value)
        self.known[id(value)] = value
        copy: Any = {} if isinstance(value, dict) else []
        holder[key] = copy
        members: Iterator[Any] = (
            iter(list(value.items())) if isinstance(value, dict) else iter(enumerate(list(value)))
        )
        self.todo.append((value, copy, path, depth, members))

    def refuse_as_too_large(self) -> None:
        """Add the finding about a value that shares its containers too often."""
        message = f"shared lists and objects repeat more than {_MOST_REPEATED:,} values"
        self._add("json.size", (), message, "JSON has each of them in full: share fewer")

    def _key(self, key: Any, path: tuple[Any, ...]) -> str | None:
        if isinstance(key, str):
            return self._text(str.__str__(key), path)
        shown = preview(key) if key is None or isinstance(key, (int, float)) else None
        name = shown or f"of type {type(key).__name__}"
        hint = f'write "{shown}", in quotes' if shown else None
        self._add("json.key", path, f"a member name must be text, but one is {name}", hint)
        return None

    def _text(self, text: str, path: tuple[Any, ...]) -> str | None:
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError as error:
            self._add("json.surrogate", path, surrogate_message(ord(text[error.start])), None)
            return None
        return text

    def _integer(self, number: int, path: tuple[Any, ...]) -> int | None:
        if number.bit_length() >= 1024 and abs(number) >= BEYOND_DOUBLES:
            text = str(number) if number.bit_length() < _MOST_BITS else ""
            self._add("json.number", path, number_message(text), None)
            return None
        return number

    def _float(self, number: float, path: tuple[Any, ...]) -> float | None:
        if math.isfinite(number):
            return number
        name = "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"
        self._add("json.number", path, f"JSON has no {name}", "use null, or leave it out")
        return None

    def _add(self, keyword: str, path: tuple[Any, ...], message: str, hint: str | None) -> None:
        indices = indices_of(path)
        self.findings.append(Finding(keyword, pointer_of(path), "", message, hint, indices=indices))


_TYPE_HINTS: Final = {
    "datetime": "use value.isoformat()",
    "date": "use value.isoformat()",
    "time": "use value.isoformat()",
    "Decimal": "use float(value), or str(value) to keep every digit",
    "bytes": "use value.decode()",
    "bytearray": "use value.decode()",
    "set": "use sorted(value)",
    "frozenset": "use sorted(value)",
    "generator": "use list(value)",
    "deque": "use list(value)",
    "range": "use list(value)",
    "mappingproxy": "use dict(value)",
    "datetime64": "use str(value)",
    "timedelta64": "use str(value)",
    "coroutine": "write `await` before the call that made it",
}

_NUMPY_ONLY: Final = frozenset({"datetime64", "timedelta64", "complex64", "complex128"})
"""Types of numpy whose `item()` is no JSON value either."""


def awaitable_message(value: Any, wanted: str) -> str:
    """Return the sentence about an awaitable that was given in place of its result."""
    kind = type(value).__name__
    return (
        f"this is an awaitable ({kind}), not {wanted}: write `await` before the call that made it"
    )


def depth_message(max_depth: int) -> str:
    """Return the sentence about a value that is nested too deep."""
    return f"nested deeper than the limit of {max_depth:,} levels"


def surrogate_message(code: int) -> str:
    """Return the sentence about an unpaired surrogate."""
    return f"half of a surrogate pair (U+{code:04X}) is not a character"


def number_message(text: str) -> str:
    """Return the sentence about a number that no double can hold; `text` may be empty."""
    return f"the number {shorten(text, 40)}".rstrip() + " is too large for a double (about 1.8e308)"


def dump(value: Any, *, indent: bool = True) -> str:
    """Return the JSON text of a plain value, with a final newline if indented.

    The order of members and Unicode are kept.
    """
    with suppress(orjson.JSONEncodeError):
        return _encoded(value, indent=indent).decode()
    separators = None if indent else (",", ":")
    text = json.dumps(
        value, ensure_ascii=False, indent=2 if indent else None, separators=separators
    )
    return text + "\n" if indent else text


def dump_line(value: Any) -> bytes:
    """Return the JSON text of a plain value on one line, as UTF-8."""
    with suppress(orjson.JSONEncodeError):
        return _encoded(value, indent=False)
    return dump(value, indent=False).encode()


def _encoded(value: Any, *, indent: bool) -> bytes:
    """Return what the encoder writes; integers of more than 64 bits and what is too deep for it are
    a `JSONEncodeError`.
    """
    if indent:  # then it makes room for each bracket
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    if not is_shallow(value, _DEEPEST):
        raise orjson.JSONEncodeError("nested too deep")
    return orjson.dumps(value)


_LARGEST_SHORT: Final = 10**15
_LITERALS: Final = {True: "true", False: "false", None: "null"}


def preview(value: Any, limit: int = 80) -> str:
    """Return `value` as JSON text of at most `limit` characters, cut with `…`: never the whole."""
    if type(value) is str and len(value) < limit - 1 and value.isprintable():
        if '"' not in value and "\\" not in value:
            return f'"{value}"'
    elif type(value) is int and -_LARGEST_SHORT < value < _LARGEST_SHORT:
        return shorten(str(value), limit)
    elif value is True or value is False or value is None:
        return shorten(_LITERALS[value], limit)
    parts: list[str] = []
    _preview_into(value, limit + 1, parts.append)
    text = "".join(parts)
    return shorten(text, limit)


def _preview_into(value: Any, left: int, emit: Callable[[str], Any]) -> int:
    """Emit the JSON text of `value` until `left` characters are used; what is left of it."""
    if isinstance(value, str):
        text = value[: max(left, 0)]
        text = json.dumps(text, ensure_ascii=False) if text.isprintable() else f'"{escaped(text)}"'
        if len(value) > max(left, 0):
            text = text[:-1] + "…"
        emit(text)
        return left - len(text)
    if isinstance(value, (dict, list)):
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        emit(opening)
        left -= 1
        for index, key in enumerate(value):
            if left <= 0:
                return left
            if index:
                emit(", ")
                left -= 2
            item = key
            if isinstance(value, dict):
                left = _preview_into(key, left, emit)
                emit(": ")
                left -= 2
                item = value[key]
            left = _preview_into(item, left, emit)
        emit(closing)
        return left - 1
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    text = number_text(int(value)) if is_integer else json.dumps(value)
    emit(text)
    return left - len(text)


def number_text(number: int) -> str:
    """Return an integer's digits, also past Python's limit on how many it prints."""
    try:
        return str(number)
    except ValueError:
        digits = number.bit_length() * 30103 // 100000
        return f"an integer of about {digits:,} digits"
