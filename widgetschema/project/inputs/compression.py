"""How bytes are packed and encoded, as their first ones say; and unpacking them piece by piece.

However small the packed bytes of something huge are, only a piece of it is held at a time.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol, cast

from widgetschema.errors import MissingExtra
from widgetschema.project.inputs.sources import Compression

if TYPE_CHECKING:
    from typing import IO

HEAD: Final = 8  # bytes that are enough to say it, mostly
HEADER: Final = 512  # bytes that are enough
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = (
    b"\x28\xb5\x2f\xfd",
    *(bytes([0x50 + number]) + b"\x2a\x4d\x18" for number in range(16)),  # may be skipped
)
_OTHERS: Final = (
    (b"BZh", "is packed with bzip2"),
    (b"\xfd7zXZ\x00", "is packed with xz"),
    (b"\x04\x22\x4d\x18", "is packed with lz4"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive"),
    (b"PK\x03\x04", "is a zip archive"),
    (b"PAR1", "is a Parquet file"),
    (b"Obj\x01", "is an Avro file"),
)
_TAR: Final = slice(257, 262), b"ustar"  # of POSIX.1-1988, and of GNU
_UTF: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_ZEROS: Final = {  # where they are among the first four bytes
    (1, 2, 3): "UTF-32",
    (0, 1, 2): "UTF-32",
    (1, 3): "UTF-16",
    (0, 2): "UTF-16",
}
_AT_ONCE: Final = 128 * 1024
_WITH_HEADER: Final = 31  # zlib's number for the format of gzip, the largest window


class Packed(Protocol):
    """Something that can be read on."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


class Damaged(Exception):
    """What is packed cannot be unpacked."""


def compression_of(head: bytes) -> Compression:
    """How a source that begins so is compressed, if it can be read."""
    if head.startswith(_GZIP):
        return "gzip"
    return "zstd" if head.startswith(_ZSTD) else ""


def no_text(head: bytes) -> str | None:
    """What a source that begins so is, as the end of a sentence, if it is nothing with lines."""
    where, mark = _TAR
    if head[where] == mark and b"\0" in head[: where.start]:  # which is in no JSON text
        return "is a tar archive"
    return next((what for mark, what in _OTHERS if head.startswith(mark)), None)


def encoding_of(head: bytes) -> str | None:
    """The encoding of a text that begins so, where it is not UTF-8 (RFC 4627, section 3)."""
    for mark, name in _UTF:
        if head.startswith(mark):
            return name
    zeros = [index for index, byte in enumerate(head[:4]) if not byte]
    return _ZEROS.get(tuple(zeros))


def unpacked(compression: Compression, packed: Packed) -> Callable[[int], bytes]:
    """Reads what is unpacked: at most so many bytes, none at the end.

    Raises `EOFError` where the packed bytes end too early, `Damaged`, `MissingExtra`.
    """
    return _gunzipped(packed) if compression == "gzip" else _from_zstd(packed)


def _gunzipped(packed: Packed) -> Callable[[int], bytes]:
    """All members of a gzip file (RFC 1952); `gzip.GzipFile` takes half as long again."""
    member = zlib.decompressobj(_WITH_HEADER)
    waiting = b""

    def read(size: int) -> bytes:
        nonlocal member, waiting
        while True:
            data = waiting or packed.read(_AT_ONCE)
            waiting = b""
            if member.eof:
                if not data:
                    return b""
                data = data.lstrip(b"\0")  # tapes are filled up with these
                if not data:
                    continue
                member = zlib.decompressobj(_WITH_HEADER)
            elif not data:
                raise EOFError
            try:
                piece = member.decompress(data, size)
            except zlib.error as error:
                raise Damaged(str(error)) from None
            waiting = member.unused_data or member.unconsumed_tail
            if piece:
                return piece

    return read


def _from_zstd(packed: Packed) -> Callable[[int], bytes]:
    """All frames of a zstd file (RFC 8878)."""
    if sys.version_info >= (3, 14):
        from compression import zstd  # few sources are packed so
    else:
        try:
            from backports import zstd
        except ImportError:
            raise MissingExtra("audit", "zstd needs the library backports.zstd") from None
    file = zstd.ZstdFile(cast("IO[bytes]", packed))

    def read(size: int) -> bytes:
        try:
            return file.read1(size)  # what there is, before what is wrong behind it
        except zstd.ZstdError as error:
            raise Damaged(str(error)) from None

    return read
