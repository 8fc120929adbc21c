"""The rule of the plural of a PO file: which form a number has, by `gettext` of Python."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from gettext import GNUTranslations
from typing import Final

_MAGIC: Final = 0x950412DE
_HEADER_SIZE: Final = 28
_PROBE: Final = "n"
_PERIOD: Final = 100  # from here on, rules depend on the last two digits
ENGLISH_TABLE: Final = "101"


def plural_rule(value: str) -> tuple[int, Callable[[int], int]]:
    """Return the number of forms, and the function that gives the form of a number.

    Args:
        value: The value of `Plural-Forms` in the header of a PO file.

    Raises:
        ValueError: The rule cannot be used.
    """
    begin, _, _ = value.partition(";")
    name, _, number = begin.partition("=")
    if name.strip() != "nplurals" or not number.strip().isdecimal() or not 0 < int(number) < 10:
        raise ValueError("Plural-Forms must begin with nplurals=, a number from 1 to 9, and ;")
    count = int(number)
    forms = "\0".join(map(str, range(count)))
    header = f"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: {value}\n"
    probe = GNUTranslations(io.BytesIO(_mo([("", header), (f"{_PROBE}\0{_PROBE}", forms)])))

    def form(number: int) -> int:
        found = probe.ngettext(_PROBE, _PROBE, abs(number))
        return int(found) if found != _PROBE else count - 1

    if any(probe.ngettext(_PROBE, _PROBE, one) == _PROBE for one in range(2 * _PERIOD)):
        raise ValueError(f"the rule of Plural-Forms has more forms than nplurals={count}")
    return count, form


def plural_table(form: Callable[[int], int]) -> str:
    """Return the forms of the numbers from 0, a digit each, as scripts read them.

    The last digit holds for all numbers that follow; a table of 200 repeats its second half.
    """
    table = "".join(str(form(number)) for number in range(2 * _PERIOD))
    last = table[-1]
    short = table.rstrip(last) + last
    return short if len(short) <= _PERIOD else table


def _mo(texts: list[tuple[str, str]]) -> bytes:
    """Return an MO file in memory, the form of a catalog that `gettext` reads."""
    count = len(texts)
    tables = [_HEADER_SIZE, _HEADER_SIZE + 8 * count]
    position = _HEADER_SIZE + 16 * count
    index, data = b"", b""
    for one in [*(id for id, _ in texts), *(text for _, text in texts)]:
        raw = one.encode()
        index += struct.pack("<2I", len(raw), position + len(data))
        data += raw + b"\0"
    return struct.pack("<7I", _MAGIC, 0, count, *tables, 0, 0) + index + data
