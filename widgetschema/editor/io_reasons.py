"""The reasons why the system cannot read or write a file, in the language of a person."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Final

from widgetschema.editor.texts import text
from widgetschema.errors import StoreError

_TEXTS: Final[Mapping[int, str]] = {
    errno.ENOSPC: "reason.no-space",
    errno.EDQUOT: "reason.quota",
    errno.EACCES: "reason.denied",
    errno.EPERM: "reason.denied",
    errno.EROFS: "reason.read-only",
    errno.ENOENT: "reason.not-found",
    errno.ENOTDIR: "reason.not-found",
    errno.EISDIR: "reason.folder",
    errno.EFBIG: "reason.too-large",
    errno.EIO: "reason.device",
}
_BY_REASON: Final = {os.strerror(number): name for number, name in _TEXTS.items()} | {
    "is not a regular file": "reason.no-file"
}


def io_reason(error: OSError | StoreError) -> str:
    """Return why a file cannot be read or written, as the end of a sentence.

    Rare reasons are in the words of the system.
    """
    reason = error.reason if isinstance(error, StoreError) else error.strerror or str(error)
    number = None if isinstance(error, StoreError) else error.errno
    name = _BY_REASON.get(reason) if number is None else _TEXTS.get(number)
    if name is not None:
        return text(name)
    return f"{reason[:1].lower()}{reason[1:]}" if reason[1:2].islower() else reason
