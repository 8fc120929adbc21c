"""`FastPath`: one typed decoder that tells certainly valid texts from all others.

A text is accepted only if the decoder of a type that the schema made takes it, and nothing was
lost on the way. The decoder is as strict as `read`, but for three things: of members with the same
name it keeps the last, it takes integers that no double can hold, and it follows any nesting. The
types limit the nesting, and large integers are looked for. Then what was decoded is written again.
If that is the very same text, nothing was lost. If it is not, the text is spelled in another way,
and both must have as many colons: a member that was lost has taken its own with it. A text that is
rejected is not invalid: it takes the slow path.

Any draft-07 schema may have a fast path. There is none where the engine would have to decide about
the whole text, since that takes as long as the slow path: a root with `not`, `contains`, `items`
one by one that are not alike, `if` or `dependencies` without named members, alternatives between
objects that no member tells apart and that do not only look at members by name; and where pins meet
such a root. What each place becomes, `types` says.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

import msgspec

from widgetschema.audit.fast_path.member_order import MemberOrder
from widgetschema.audit.fast_path.residual_checks import ResidualChecks
from widgetschema.audit.fast_path.types import Path, Pins, TypeBuilder
from widgetschema.audit.fast_path.value_types import Check, Inexpressible
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.jsontext import Limits, read
from widgetschema.jsontext.reading import has_escaped_colon, may_exceed_doubles
from widgetschema.schema.linking import LinkedSchema, link
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.validation import Validator
from widgetschema.validation.engines import Decide, compile_form, load_engine

_REFUSALS: Final = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)
_FIRST_WAIT: Final = 16  # texts that were rejected, or reordered, before it learns
_WAIT_FACTOR: Final = 4  # times as many before it learns again
_SAMPLE_SIZE: Final = 64
_MOST_REBUILDS: Final = 8  # how often it learns
_MOST_LEVELS: Final = 4  # objects in objects that it learns about at once

ReadValid = Callable[[bytes], tuple[Any] | None]
"""The value of a text that is readable and valid, alone in a tuple; else None."""


class _Decoder(NamedTuple):
    """The decoder and its check: made once, and replaced as a whole."""

    decode: Callable[[bytes], Any]
    check: Check | None
    places: frozenset[Path]


class FastPath:
    """A decoder that accepts certainly valid texts, in little more time than parsing takes.

    Learns the names and the order of members from what it does not take as it is; safe to share
    among threads.
    """

    def __init__(
        self,
        root: Node,
        build: Callable[[MemberOrder], TypeBuilder],
        read_valid: ReadValid,
        limits: Limits,
    ) -> None:
        self._root = root
        self._build = build
        self._read_valid = read_valid
        self._most = limits.max_bytes
        self._member_order = MemberOrder()
        self._encode_into = msgspec.json.Encoder().encode_into
        self._learning = threading.Lock()
        self._rebuilds = 0
        self._odd = 0  # texts that were rejected, or reordered, since it last learned
        self._wait = _FIRST_WAIT
        self._decoder = self._make_decoder()

    def _make_decoder(self) -> _Decoder:
        builder = self._build(self._member_order)
        type_, check = builder.build(self._root)
        try:
            decode = msgspec.json.Decoder(type_).decode
        except (TypeError, ValueError, RecursionError) as error:
            raise Inexpressible from error
        return _Decoder(decode, check, frozenset(builder.places))

    def accepts(self, text: bytes) -> bool:
        """Return whether a text is certainly readable and valid."""
        return not self.rejected((text,))

    def rejected(self, lines: Sequence[bytes]) -> list[int]:
        """Return the indices of the texts that the fast path does not accept."""
        missed, reordered = self._decoded(self._decoder, lines)
        self._odd += len(missed) + len(reordered)
        if self._odd >= self._wait:
            newer = self._learn([lines[index] for index in sorted({*missed, *reordered})])
            if newer is not None and missed:
                still, _ = self._decoded(newer, [lines[index] for index in missed])
                missed = [missed[at] for at in still]
        return missed

    def _decoded(self, decoder: _Decoder, lines: Sequence[bytes]) -> tuple[list[int], list[int]]:
        """Return the indices of the texts that are rejected, and of those that are accepted, but
        seem to have their members in another order.
        """
        decode, check, encode_into = decoder.decode, decoder.check, self._encode_into
        buffer = bytearray(4096 if len(lines) > 1 else 0)
        missed, reordered = [], []
        for index, line in enumerate(lines):  # the hottest loop there is
            try:
                value = decode(line)
                encode_into(value, buffer)
                if buffer != line:
                    if line.count(b":") != buffer.count(b":") or has_escaped_colon(line):
                        missed.append(index)
                        continue
                    if len(buffer) == len(line):
                        reordered.append(index)
                if check is None or check(value):
                    continue
            except _REFUSALS:
                pass
            missed.append(index)
        is_large = self._is_large
        if is_large(b"\n".join(lines)):
            missed = sorted({*missed, *(at for at, line in enumerate(lines) if is_large(line))})
        return missed, reordered

    def _is_large(self, text: bytes) -> bool:
        """Return whether a text may be beyond the limits of bytes or of numbers."""
        return len(text) > self._most or may_exceed_doubles(text)

    # Learning

    def _learn(self, texts: list[bytes]) -> _Decoder | None:
        """Return a new decoder, if these texts have shown something new."""
        if not self._learning.acquire(blocking=False):
            return None
        try:
            return self._relearn(texts[:: -(-len(texts) // _SAMPLE_SIZE)] if texts else [])
        except RecursionError:  # too far down the stack to learn anything
            return None
        finally:
            self._learning.release()

    def _relearn(self, texts: list[bytes]) -> _Decoder | None:
        self._odd = 0
        self._wait *= _WAIT_FACTOR
        self._rebuilds += 1
        if self._rebuilds > _MOST_REBUILDS:
            return None
        valid = [read[0] for read in map(self._read_valid, texts) if read is not None]
        if not valid:
            return None
        decoder = self._decoder
        known: frozenset[Path] = frozenset()
        for _ in range(_MOST_LEVELS):  # what is learned shows new objects, from which to learn
            new = decoder.places - known
            if not new:
                break
            known |= new
            for value in valid:
                self._member_order.learn(value, known, new)
            try:
                decoder = self._make_decoder()
            except Inexpressible:  # what was learned has led too far: the last is well enough
                break
        self._decoder = decoder
        return decoder


# Whatever the engine is asked, about scalars, members or whole values, it is asked with the form of
# the schema that it decides with, so its answers are those of the slow path.


def fast_path_of(
    widget_type: WidgetType,
    kind: Literal["data", "document"],
    pinned: Mapping[str, str | None] | None = None,
    *,
    absent: Collection[str] = (),
) -> FastPath | None:
    """Return the fast path of data, or of documents, which have data; as `build_fast_path`."""
    if kind == "data":
        return build_fast_path(widget_type.validator, pinned, absent=absent)
    validator = widget_type.document_validator
    return build_fast_path(validator, pinned, present=("data",), absent=absent)


def build_fast_path(
    validator: Validator,
    pinned: Mapping[str, str | None] | None = None,
    *,
    present: Collection[str] = (),
    absent: Collection[str] = (),
) -> FastPath | None:
    """Return a typed decoder that tells certainly valid texts from all others.

    `pinned` are members of the root object that must be there with this text, or with any if
    None; `present` are members that must be there, `absent` those that must not. None if no type
    expresses the schema. Each call builds a fast path of its own: milliseconds, or half a second
    for a huge schema.
    """
    linked, limits, formats = validator.linked, validator.limits, validator.formats
    engine, decide = load_engine(validator.engine), validator.decides

    def compile(linked: LinkedSchema) -> Decide:
        try:
            return compile_form(engine, linked, formats)
        except InvalidSchema as error:
            raise Inexpressible from error

    compiled: dict[str, Check] = {}

    def leaf(schema: Any) -> Check:
        key = repr(schema)
        if key not in compiled:
            compiled[key] = compile(link(schema))
        return compiled[key]

    @cache
    def pattern(text: str) -> Decide:
        return compile(link({"pattern": text}))

    def read_valid(text: bytes) -> tuple[Any] | None:
        try:
            value = read(text, limits)
        except UnreadableDocument:
            return None
        return (value,) if decide(value) else None

    root = SchemaTree(linked, lambda text, name: pattern(text)(name)).root
    pins = Pins(pinned or {}, present, absent) if pinned or present or absent else None
    residual = ResidualChecks(compile)

    def builder(order: MemberOrder) -> TypeBuilder:
        return TypeBuilder(
            leaf, residual, order.order, formats=formats, max_depth=limits.max_depth, pins=pins
        )

    try:
        return FastPath(root, builder, read_valid, limits)
    except (Inexpressible, RecursionError):  # of the latter, schemas that refer far into themselves
        return None
