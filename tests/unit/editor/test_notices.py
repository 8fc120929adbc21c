"""The reasons for I/O errors, in the language of a person."""

from __future__ import annotations

import errno
import os

import pytest

from widgetschema.editor.notices import io_reason
from widgetschema.errors import StoreError
from widgetschema.languages import as_language, speaking


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        (
            errno.ENOSPC,
            "there is no space left on the device",
            "auf dem Datenträger ist kein Platz",
        ),
        (errno.EACCES, "you do not have permission", "Sie haben keine Berechtigung"),
        (errno.EROFS, "the file system is read-only", "das Dateisystem ist schreibgeschützt"),
        (errno.ENOENT, "the file or its folder does not exist", "existiert nicht"),
        (errno.EFBIG, "the file would be too large", "die Datei würde zu groß"),
    ],
)
def test_common_reasons_are_translated(number: int, english: str, german: str) -> None:
    said = os.strerror(number)
    for error in (OSError(number, said, "x"), StoreError("x", said)):
        assert io_reason(error) == english
        with speaking(as_language("de")):
            assert german in io_reason(error)


def test_rare_reasons_are_in_the_words_of_the_system() -> None:
    assert io_reason(OSError(errno.EMFILE, "Too many open files")) == "too many open files"
    assert io_reason(StoreError("x", "is not a regular file")) == "it is not a regular file"
    assert io_reason(StoreError("x", "ETXTBSY is rare")) == "ETXTBSY is rare"
