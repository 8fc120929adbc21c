"""Files in data: texts in base64 (`contentEncoding`), some with a media type (`contentMediaType`).

A stored file is not in the control of its field, so that an unchanged one is not sent back. The
type of a file follows from its first bytes alone: a browser never decides by its name.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_extension
from secrets import token_bytes
from typing import Any, Final, NamedTuple

from widgetschema.cached import Recent
from widgetschema.forks import renew_in_forks
from widgetschema.forms.model import Shape
from widgetschema.forms.texts import text
from widgetschema.languages import current_language

MOST_BYTES: Final = 1_000_000  # of a file, unless a UI description says otherwise
MOST_SHOWN: Final = 300_000  # bytes of a stored file that a page has, for a preview and a download
LARGE: Final = 10_000  # characters of a file in base64 that a page does not send again and again
PREVIEWED: Final = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
EMPTY: Final = "="  # the text of the control for a file without content
TOO_LARGE: Final = "=="  # for one that is not sent back by the page that refuses it
_MOST_REMEMBERED: Final = 64_000_000  # characters
_LONGEST_IN_JSON: Final = 500  # characters of a file that are shown as they are
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
)
_KNOWN: Final = PREVIEWED | {"application/pdf"}
_SVG: Final = "image/svg+xml"
_JSON: Final = "application/json"
_TYPE_NAMES: Final = {
    "image/gif": "GIF",
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/webp": "WebP",
    "application/pdf": "PDF",
    "text/csv": "CSV",
    _SVG: "SVG",
    _JSON: "JSON",
}  # those that people know by a name
_STANDARD: Final = str.maketrans("-_", "+/")  # from the alphabet for addresses (RFC 4648, 5)


@dataclass(frozen=True)
class StoredFile:
    """A file as a form shows it: `address` is a data URL, "" for a large one."""

    label: str
    name: str
    address: str
    preview: bool


class Refusal(NamedTuple):
    """The reason why a file cannot be stored: for developers, and as a message of the registry."""

    message: str
    id: str
    parameters: Mapping[str, Any]


def media_type_of(shape: Shape) -> str:
    """Return the media type of the files of a place, without parameters; "" for any."""
    found = shape.node.texts("contentMediaType")
    return found[0].partition(";")[0].strip().lower() if found else ""


def limit_of(shape: Shape) -> int:
    """Return the number of bytes that a file may have."""
    most = MOST_BYTES if shape.ui.bytes is None else shape.ui.bytes
    characters = shape.node.most("maxLength")
    return most if characters is None else min(most, characters // 4 * 3)


def decode(value: str) -> bytes | None:
    """Return the content of a file in base64; None if the text is none.

    It may have line breaks, the alphabet for addresses, and no padding: data of other programs has.
    """
    said = "".join(value.split()).translate(_STANDARD)
    try:
        return base64.b64decode(f"{said}{'=' * (-len(said) % 4)}", validate=True)
    except (binascii.Error, ValueError):
        return None


def encode(content: bytes) -> str:
    """Return a file in base64."""
    return base64.b64encode(content).decode()


def media_type(content: bytes) -> str:
    """Return the media type that the first bytes of a file tell; "" if they tell none."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((type for begin, type in _SIGNATURES if content.startswith(begin)), "")


def stored_file(value: str, shape: Shape, name: str) -> StoredFile:
    """Return how a file in base64 is shown; `name` is that of its member."""
    content = decode(value)
    if content is None:
        count = text("count.character", number=len(value))
        return StoredFile(text("upload.unreadable", count=count), "", "", preview=False)
    kind = media_type(content)
    type = kind or media_type_of(shape)
    label = _label(type, len(content))
    if len(content) > MOST_SHOWN:
        return StoredFile(label, "", "", preview=False)
    has_preview = kind in PREVIEWED
    # Nothing but a picture has a type here: a browser only ever saves it.
    address = f"data:{kind if has_preview else 'application/octet-stream'};base64,{encode(content)}"
    extension = guess_extension(type) or ".bin"
    return StoredFile(label, f"{name}{extension}", address, has_preview)


def label_in_json(value: str) -> str | None:
    """Return what a text in JSON for people has in place of a long file; None if it is none."""
    if is_digest(value):
        return text("kind.upload")
    content = decode(value) if len(value) > _LONGEST_IN_JSON else None
    return None if content is None else _label(media_type(content), len(content))


def _label(type: str, size: int) -> str:
    if not type:
        return size_text(size)
    return text("upload.stored", type=_TYPE_NAMES.get(type, type), size=size_text(size))


def size_text(size: int) -> str:
    """Return a size for people, with three digits or all before the decimal mark."""
    if size < 1_000:
        return text("upload.bytes", number=size)
    name, unit = ("kilobytes", 1_000) if size < 999_500 else ("megabytes", 1_000_000)
    whole = len(str(size // unit))
    return text(f"upload.{name}", size=current_language().decimal(size / unit, max(0, 3 - whole)))


def refusal(value: str, shape: Shape) -> Refusal | None:
    """Return why a file that was chosen cannot be stored at a place; None if it can."""
    wanted, most = media_type_of(shape), limit_of(shape)
    if value == EMPTY:
        return Refusal("the file is empty", "contentMediaType.empty", {})
    content = None if value == TOO_LARGE else decode(value)
    if value == TOO_LARGE or (content is not None and len(content) > most):
        message = f"the file has more than {most:,} bytes"
        return Refusal(message, "contentMediaType.too-large", {"most": size_text(most)})
    if content is None:
        return Refusal("this is not a file in base64", "contentMediaType.not-base64", {})
    if not _is_of_type(content, wanted):
        said = {"type": _TYPE_NAMES.get(wanted, wanted)}
        return Refusal(f"the file is not {wanted}", "contentMediaType.other-type", said)
    return None


def text_to_send_back(value: str, shape: Shape) -> str:
    """Return what a page has of a file that was chosen: not of one that is too large."""
    refused = refusal(value, shape) if value else None
    return (
        TOO_LARGE if refused is not None and refused.id == "contentMediaType.too-large" else value
    )


def _is_of_type(content: bytes, wanted: str) -> bool:
    found = media_type(content)
    family, _, kind = wanted.partition("/")
    if not wanted or wanted in (found, "*/*", "application/octet-stream"):
        return True
    if wanted in _KNOWN or found:
        return kind == "*" and found.startswith(f"{family}/")
    is_text = family == "text" or wanted in (_SVG, _JSON)
    try:
        said = content.decode() if is_text else ""
    except UnicodeDecodeError:
        return False
    if wanted == _SVG:
        return "<svg" in said
    return wanted != _JSON or _is_json(said)


def _is_json(said: str) -> bool:
    try:
        json.loads(said)
    except (ValueError, RecursionError):
        return False
    return True


def digest_text(raw: str) -> str:
    """Return the JSON text that stands for a large file in the page: its digest."""
    return f'"sha256:{sha256(raw.encode(errors="surrogatepass")).hexdigest()}"'


def is_digest(value: str) -> bool:
    """Return True if a string stands for a large file in the page."""
    return _DIGEST.fullmatch(value) is not None


class ChosenFiles:
    """Files that people have chosen on pages that are open, so that each is sent once.

    The answer to a live check gives a page a token for each file that it sent; the next checks send
    the token. The last files are kept, in this process: without the file, a page sends it again.
    """

    def __init__(self, most: int = _MOST_REMEMBERED) -> None:
        self._key = token_bytes()
        self._texts = Recent[str, str](most_size=most, size_of=len)
        self._lock = threading.Lock()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Renew the lock, which another thread of the parent may hold."""
        self._lock = threading.Lock()

    def keep(self, value: str) -> str:
        """Return the token for a file in base64."""
        said = value.encode(errors="surrogatepass")
        token = hmac.digest(self._key, said, "sha256").hex()
        with self._lock:
            self._texts.keep(token, value)
        return token

    def get(self, token: str) -> str | None:
        """Return the file of a token; None if it is not here."""
        with self._lock:
            return self._texts.get(token)


CHOSEN_FILES: Final = ChosenFiles()
