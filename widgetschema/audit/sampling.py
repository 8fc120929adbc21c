"""Samples of records: the same ones in every run, and what a share of them says of the whole.

A record is in the sample or not by a hash of its id; without one, by a hash of its text. So it does
not matter which process reads it, and a record stays in the sample when it is changed.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from widgetschema.audit.fast_path import value_probe
from widgetschema.audit.record_groups import group_value
from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import dump
from widgetschema.pointers import ValueAt
from widgetschema.project.checking.documents import Document

CONFIDENCE: Final = 0.95
_QUANTILE: Final = 1.959963984540054  # of the normal distribution: 0.975
_BITS: Final = 64
_SHARE: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,12})?) ?%", re.ASCII)
_LIST: Final = "/docs"  # with one, a text may hold several records, or none


class Sample(NamedTuple):
    """A sample of records: its share of all, as text and as a part of 2⁶⁴, and its seed."""

    text: str
    part: int
    seed: int = 0

    @property
    def share(self) -> float:
        """The share of the records, from 0 to 1."""
        return float(Fraction(self.part, 2**_BITS))


def parse_sample(text: str, seed: int = 0) -> Sample | None:
    """Return the sample that a text such as `1%` means; None if it is none."""
    match = _SHARE.fullmatch(text.strip())
    share = Fraction(0) if match is None else Fraction(match[1]) / 100
    if not 0 < share <= 1:
        return None
    return Sample(text.strip(), max(1, math.floor(share * 2**_BITS)), seed)


class Sampler:
    """Decides which records are in a sample.

    `documents` returns the documents in the value of a text, `read` the value of a text; both may
    raise `UnreadableDocument`. `at` is where in the value a document is.
    """

    def __init__(
        self,
        sample: Sample,
        id_pointer: str,
        documents: Callable[[Any], Sequence[Document]],
        read: Callable[[bytes], Any],
        *,
        at: str = "",
    ) -> None:
        self._part = sample.part
        self._seed = str(sample.seed).encode()
        self._id_at = ValueAt(id_pointer)
        self._probe = None if at else value_probe([id_pointer, _LIST])
        self._documents = documents
        self._read = read

    def left_out(self, text: bytes) -> int:
        """Return the number of records in a text if none of them is in the sample, else 0."""
        found = None if self._probe is None else self._probe(text)
        if found is not None and found[1] is None:
            return int(not self.keeps_row(found[0], text))
        try:
            parts = self._documents(self._read(text))
        except UnreadableDocument:
            return int(not self.keeps_row(None, text))
        return 0 if any(self.keeps(part, text) for part in parts) else len(parts)

    def keeps(self, part: Document, text: bytes) -> bool:
        """Return whether a record in a text is in the sample."""
        id = self._id_at(part.value)
        if part.pointer and not group_value(id):
            text = dump(part.value, indent=False).encode(errors="surrogatepass")
        return self.keeps_row(id, text)

    def keeps_row(self, id: Any, text: bytes) -> bool:
        """Return whether a record with this id, else with this text, is in the sample."""
        known = group_value(id)
        content = b"id" + known.encode() if known else b"=" + text
        digest = hashlib.blake2b(content, digest_size=_BITS // 8, key=self._seed).digest()
        return int.from_bytes(digest) < self._part


def wilson(part: int, whole: int) -> tuple[float, float]:
    """Return the interval of a share of all records, by that of a sample (Wilson, 1927)."""
    if not whole:
        return 0.0, 1.0
    share, squared = part / whole, _QUANTILE**2
    middle = share + squared / (2 * whole)
    width = _QUANTILE * math.sqrt(share * (1 - share) / whole + squared / (4 * whole**2))
    scale = 1 + squared / whole
    low = 0.0 if not part else (middle - width) / scale
    high = 1.0 if part == whole else (middle + width) / scale
    return round(max(0.0, low), 9), round(min(1.0, high), 9)
