"""`FastPath`: one typed decoder that tells certainly valid texts from all others.

A text is accepted only if the decoder of a type that the schema made takes it, and if what was
decoded, written again, is the very same bytes: so nothing was lost, no name was there twice, and
no number, escape or white space was spelt in another way. A text that is rejected is not invalid:
it takes the slow path.

Any draft-07 schema may have a fast path. There is none where the engine would have to decide about
the whole text, since that takes as long as the slow path: a root with `not`, `contains`, a list of
`items` that may have more, `if` or `dependencies` without named members, alternatives between
objects that no member tells apart and that do not only look at members by name; and where pins
meet such a root. What each place becomes, `types` says.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.jsontext import Limits
from widgetschema.jsontext.reading import may_exceed_doubles
from widgetschema.schema.tree import Node
from widgetschema.validation.fast_path.member_order import MemberOrder
from widgetschema.validation.fast_path.residual_checks import SHALLOW
from widgetschema.validation.fast_path.types import Path, TypeBuilder
from widgetschema.validation.fast_path.value_types import Check, Inexpressible

_REFUSALS: Final = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)
_FIRST_WAIT: Final = 16  # rejected texts before it learns for the first time
_WAIT_FACTOR: Final = 4  # times as many before it learns again
_SAMPLE_SIZE: Final = 64
_MOST_REBUILDS: Final = 8  # how often it learns
_MOST_LEVELS: Final = 4  # objects in objects that it learns about at once
_MOST_POOR_ROUNDS: Final = 2  # how often nearly all may be rejected, although valid
_LEAST_ACCEPTED: Final = 0.25  # of the texts must be accepted, or asking costs more than it gives

ReadValid = Callable[[bytes], tuple[Any, bool] | None]
"""The value of a text that is readable and valid, and whether it is compact; else None."""


# The decoder takes integers of any size, and the long way refuses those that no double can hold.
_SHORT: Final = 309  # bytes: fewer have no such integer


def _is_large(text: bytes) -> bool:
    return len(text) >= _SHORT and may_exceed_doubles(text)


class _Decoder(NamedTuple):
    """The decoder and its check: made once, and replaced as a whole."""

    decode: Callable[[bytes], Any]
    check: Check | None
    places: frozenset[Path]
    deep: bool


class FastPath:
    """A decoder that accepts certainly valid texts, in the time that parsing takes.

    `members` are all names that the root object of an accepted text can have; None if they are
    not known, or if it need not be an object. Learns from what it rejects; safe to share among
    threads.
    """

    def __init__(
        self,
        root: Node,
        build: Callable[[MemberOrder], TypeBuilder],
        read_valid: ReadValid,
        limits: Limits,
        members: frozenset[str] | None = None,
    ) -> None:
        self.members = members
        self._root = root
        self._build = build
        self._read_valid = read_valid
        self._most, self._levels = limits.max_bytes, limits.max_depth
        self._member_order = MemberOrder()
        encoder = msgspec.json.Encoder()
        self._encode, self._encode_into = encoder.encode, encoder.encode_into
        self._learning = threading.Lock()
        self._rebuilds = 0
        self._poor_rounds = 0
        self._asked = self._rejections = 0  # since it last learned
        self._wait = _FIRST_WAIT
        self._decoder: _Decoder | None = self._make_decoder()

    def _make_decoder(self) -> _Decoder:
        builder = self._build(self._member_order)
        type_, check = builder.build(self._root)
        try:
            decode = msgspec.json.Decoder(type_).decode
        except (TypeError, ValueError, RecursionError) as error:
            raise Inexpressible from error
        return _Decoder(decode, check, frozenset(builder.places), builder.deep)

    def accepts(self, text: bytes) -> bool:
        """Return whether a text is certainly readable and valid."""
        decoder = self._decoder
        if decoder is None:
            return False
        try:
            if decoder.deep:
                is_accepted = not (_is_large(text) or self._rejected_deep(decoder, [text]))
                self._asked += is_accepted
                return is_accepted or not self._learn_from([text], [0])
            value = decoder.decode(text)
            if self._encode(value) == text and len(text) <= self._most and not _is_large(text):
                if decoder.check is None or decoder.check(value):
                    self._asked += 1
                    return True
        except _REFUSALS:
            pass
        return not self._learn_from([text], [0])

    def rejected(self, lines: Sequence[bytes]) -> list[int]:
        """Return the indices of the texts that the fast path does not accept."""
        decoder = self._decoder
        if decoder is None:
            return list(range(len(lines)))
        missed = self._rejected(decoder, lines)
        if may_exceed_doubles(b"\n".join(lines)):
            large = (index for index, line in enumerate(lines) if _is_large(line))
            missed = sorted({*missed, *large})
        if missed:
            return self._learn_from(lines, missed)
        self._asked += len(lines)
        return missed

    def _rejected(self, decoder: _Decoder, lines: Sequence[bytes]) -> list[int]:
        decode, check, encode_into = decoder.decode, decoder.check, self._encode_into
        buffer, missed = bytearray(4096), []
        most = self._most
        if decoder.deep:
            return self._rejected_deep(decoder, lines)
        if check is not None or sum(map(len, lines)) > most:
            for index, line in enumerate(lines):
                try:
                    value = decode(line)
                    encode_into(value, buffer)
                    if buffer == line and (check is None or check(value)) and len(line) <= most:
                        continue
                except _REFUSALS:
                    pass
                missed.append(index)
            return missed
        for index, line in enumerate(lines):  # the hottest loop there is: nothing may be added
            try:
                encode_into(decode(line), buffer)
                if buffer == line:
                    continue
            except _REFUSALS:
                pass
            missed.append(index)
        return missed

    def _rejected_deep(self, decoder: _Decoder, lines: Sequence[bytes]) -> list[int]:
        """Return the same, where something is nested as deep as the limits allow."""
        decode, check, encode_into = decoder.decode, decoder.check, self._encode_into
        buffer, missed = bytearray(4096), []
        most, levels, is_shallow_text = self._most, self._levels, False
        try:
            for index, line in enumerate(lines):
                try:
                    value = decode(line)
                    encode_into(value, buffer)
                    if buffer == line and len(line) <= most:
                        if (line.count(b"{") + line.count(b"[") <= levels) is not is_shallow_text:
                            is_shallow_text = not is_shallow_text
                            SHALLOW.set(is_shallow_text)
                        if check is None or check(value):
                            continue
                except _REFUSALS:
                    pass
                missed.append(index)
        finally:
            SHALLOW.set(False)
        return missed

    # Learning

    def _learn_from(self, lines: Sequence[bytes], missed: list[int]) -> list[int]:
        """Return what is still rejected after learning from it, if it is time to learn."""
        self._asked += len(lines)
        self._rejections += len(missed)
        if self._rejections < self._wait or not self._learning.acquire(blocking=False):
            return missed
        try:
            step = -(-len(missed) // _SAMPLE_SIZE)
            decoder = self._relearn([lines[index] for index in missed[::step]])
        except RecursionError:  # too far down the stack to learn anything
            return missed
        finally:
            self._learning.release()
        if decoder is None:
            return missed
        again = [lines[index] for index in missed]
        still = {*self._rejected(decoder, again)}
        return [missed[at] for at, line in enumerate(again) if at in still or _is_large(line)]

    def _relearn(self, texts: list[bytes]) -> _Decoder | None:
        """Return a new decoder, if these texts have shown something new."""
        accepted = 1 - self._rejections / max(self._asked, 1)
        self._asked = self._rejections = 0
        self._wait *= _WAIT_FACTOR
        valid = [judged for judged in map(self._read_valid, texts) if judged is not None]
        if self._rebuilds and accepted < _LEAST_ACCEPTED and 2 * len(valid) > len(texts):
            self._poor_rounds += 1
        if self._poor_rounds >= _MOST_POOR_ROUNDS:
            self._decoder = None
            return None
        compact = [value for value, is_compact in valid if is_compact]
        self._rebuilds += 1
        if not compact or self._rebuilds > _MOST_REBUILDS or self._decoder is None:
            return None
        decoder = self._decoder
        known: frozenset[Path] = frozenset()
        for _ in range(_MOST_LEVELS):  # what is learnt shows new objects, from which to learn
            new = decoder.places - known
            if not new:
                break
            known |= new
            for value in compact:
                self._member_order.learn(value, known, new)
            try:
                decoder = self._make_decoder()
            except Inexpressible:  # what was learnt has led too far: the last is well enough
                break
        self._decoder = decoder
        return decoder


def member_probe(*names: str) -> Callable[[bytes], str | None]:
    """Return a function that returns the text of a member of the root object of a JSON text.

    `names` lead to it from object to object. None if it is not there, or no text, or if the whole
    is not readable.
    """
    probe: Any = str
    try:
        for name in reversed(names):
            field = msgspec.field(name=name, default=None)
            probe = msgspec.defstruct("Probe", [("value", probe | None, field)], gc=False)
        decode = msgspec.json.Decoder(probe).decode
    except (ValueError, TypeError):  # names in which something is to be escaped
        return _slow_probe(names)
    depth = len(names)

    def value_of(text: bytes) -> str | None:
        try:
            found: Any = decode(text)
        except _REFUSALS:
            return None
        for _ in range(depth):
            found = None if found is None else found.value
        return found  # type: ignore[no-any-return]

    return value_of


def _slow_probe(names: Sequence[str]) -> Callable[[bytes], str | None]:
    decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode

    def value_of(text: bytes) -> str | None:
        try:
            for name in names:
                text = decode(text)[name]
            found = msgspec.json.decode(text)
        except (*_REFUSALS, KeyError):
            return None
        return found if type(found) is str else None

    return value_of
