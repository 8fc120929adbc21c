"""PO files: read entries strictly, and write them; and their rule of the plural, by `gettext`.

The format is that of GNU gettext, in UTF-8: comments, `msgctxt`, `msgid`, `msgid_plural`, `msgstr`
and `msgstr[N]`, strings over several lines, and the escapes backslash, quote, `n` and `t`. Anything
else is an error with its line: other escapes, the keyword `domain`, two entries for one text.
Entries that are marked `fuzzy` count as not translated; those marked obsolete (`#~`) are left out.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable, Iterable, Iterator
from gettext import GNUTranslations
from typing import Final, NamedTuple

from widgetschema.errors import InvalidTranslation

_LINE: Final = re.compile(r'(?:(msg[a-z_]+(?:\[\d\])?)[ \t]+)?"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"\\": "\\", '"': '"', "n": "\n", "t": "\t"}
_UNESCAPED: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})
_MAGIC: Final = 0x950412DE
_HEADER_SIZE: Final = 28
_PROBE: Final = "n"
_PERIOD: Final = 100  # from here on, rules depend on the last two digits
ENGLISH_TABLE: Final = "101"


class Entry(NamedTuple):
    """One entry of a PO file.

    `forms` are the translations, one for each form of the plural; empty texts are not translated,
    nor is what `is_fuzzy`. `comments` are written above the entry, for translators.
    """

    context: str
    id: str
    plural: str | None
    forms: tuple[str, ...]
    line: int = 0
    comments: tuple[str, ...] = ()
    is_fuzzy: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The context and the text, by which an entry is found."""
        return self.context, self.id

    @property
    def is_translated(self) -> bool:
        """True if all forms have a text."""
        return not self.is_fuzzy and bool(self.forms) and all(self.forms)


def read_po(text: str, name: str) -> list[Entry]:
    """Return the entries of a PO file, the header first if there is one.

    Args:
        text: The content of the file.
        name: The name of the file, for errors.

    Raises:
        InvalidTranslation: The file has something that this reader does not know.
    """
    found: dict[tuple[str, str], Entry] = {}
    for lines in _blocks(text):
        entry = _entry(lines, name)
        if entry is not None:
            if entry.key in found:
                first = found[entry.key].line
                raise InvalidTranslation(name, entry.line, f"this text is in line {first} already")
            found[entry.key] = entry
    return [*found.values()]


def write_po(entries: Iterable[Entry]) -> str:
    """Return the text of a PO file."""
    return "\n".join("".join(f"{line}\n" for line in _lines(entry)) for entry in entries)


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the numbered lines of each entry. One begins after an empty line, or a comment."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = line.strip(" \t\r")
        is_over = block and not block[-1][1].startswith("#")
        if not line or (is_over and line.startswith(("#", "msgctxt"))):
            if block:
                yield block
            block = []
        if line and not line.startswith("#~"):
            block.append((number, line))
    if block:
        yield block


def _entry(lines: list[tuple[int, str]], name: str) -> Entry | None:
    parts: dict[str, list[str]] = {}
    current: list[str] | None = None
    is_fuzzy, first = False, 0
    comments: list[str] = []
    for number, line in lines:
        if line.startswith("#"):
            if line.startswith("#,") and "fuzzy" in line:
                is_fuzzy = True
            else:
                comments.append(line)
            continue
        first = first or number
        match = _LINE.fullmatch(line)
        if match is None or (match[1] is None and current is None):
            raise InvalidTranslation(name, number, "expected a keyword and a text in quotes")
        if match[1] is not None:
            if match[1] in parts:
                raise InvalidTranslation(name, number, f"there are two {match[1]} in one entry")
            current = parts[match[1]] = []
        assert current is not None
        current.append(_unescaped(match[2], name, number))
    if not parts:
        return None
    texts = {key: "".join(those) for key, those in parts.items()}
    id, plural = texts.pop("msgid", None), texts.pop("msgid_plural", None)
    context = texts.pop("msgctxt", "")
    expected = ["msgstr"] if plural is None else [f"msgstr[{at}]" for at in range(len(texts))]
    if id is None or not texts or [*texts] != expected:
        asked = "msgid and msgstr" if plural is None else "msgid, msgid_plural and msgstr[0]"
        raise InvalidTranslation(name, first, f"an entry has {asked}, in this order")
    forms = tuple(texts.values())
    return Entry(context, id, plural, forms, first, tuple(comments), is_fuzzy and bool(id))


def _unescaped(text: str, name: str, line: int) -> str:
    def character(match: re.Match[str]) -> str:
        found = _ESCAPES.get(match[1])
        if found is None:
            raise InvalidTranslation(name, line, f"the escape {match[0]} is not known")
        return found

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _lines(entry: Entry) -> Iterator[str]:
    yield from entry.comments
    if entry.is_fuzzy:
        yield "#, fuzzy"
    if entry.context:
        yield from _written("msgctxt", entry.context)
    yield from _written("msgid", entry.id)
    if entry.plural is None:
        yield from _written("msgstr", entry.forms[0] if entry.forms else "")
        return
    yield from _written("msgid_plural", entry.plural)
    for at, form in enumerate(entry.forms):
        yield from _written(f"msgstr[{at}]", form)


def _written(keyword: str, text: str) -> Iterator[str]:
    """Yield the lines of a text: one, or one for each line of it."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        yield f'{keyword} "{text.translate(_UNESCAPED)}"'
        return
    yield f'{keyword} ""'
    for line in lines:
        yield f'"{line.translate(_UNESCAPED)}"'


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
