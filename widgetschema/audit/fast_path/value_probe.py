"""A probe of JSON texts: the values at some JSON Pointers, without the rest of the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from widgetschema.pointers import format_pointer, parse_pointer, resolve_pointer

_REFUSALS: Final = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


def value_probe(pointers: Sequence[str]) -> Callable[[bytes], tuple[Any, ...] | None]:
    """Return a function that returns the values at these pointers of a JSON text; None for nothing.

    Only the members of the root object that the pointers begin with are decoded. The function
    returns None where that is not possible: then the whole text has to be read.
    """
    names = [*dict.fromkeys(parse_pointer(pointer)[:1][0] for pointer in pointers if pointer)]
    fields = [
        (f"_{number}", Any, msgspec.field(name=name, default=None))
        for number, name in enumerate(names)
        if name.isprintable() and not {*name} & {'"', "\\"}
    ]
    if len(fields) < len(names) or "" in pointers:
        return lambda _: None
    decode = msgspec.json.Decoder(msgspec.defstruct("Probe", fields, gc=False)).decode
    if names == [token for pointer in pointers for token in parse_pointer(pointer)]:
        return _members_probe(decode)
    rest = [
        (f"_{names.index(first)}", format_pointer(tokens))
        for first, *tokens in map(parse_pointer, pointers)
    ]

    def values_of(text: bytes) -> tuple[Any, ...] | None:
        try:
            found = decode(text)
        except _REFUSALS:
            return None
        return tuple(
            resolve_pointer(getattr(found, field), pointer) if pointer else getattr(found, field)
            for field, pointer in rest
        )

    return values_of


def _members_probe(decode: Callable[[bytes], Any]) -> Callable[[bytes], tuple[Any, ...] | None]:
    """Return the probe of different members of the root object."""
    as_tuple = msgspec.structs.astuple

    def values_of(text: bytes) -> tuple[Any, ...] | None:
        try:
            return as_tuple(decode(text))
        except _REFUSALS:
            return None

    return values_of
