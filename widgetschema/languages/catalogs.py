"""`Languages`: the languages of this package and of a folder, by tag, and the best for a person."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from widgetschema.errors import InvalidTranslation, UnknownLanguage
from widgetschema.files import read_file
from widgetschema.languages.language import ENGLISH, Language
from widgetschema.languages.po import Entry, read_po

_SUFFIX: Final = ".po"
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
_MOST_RANGES: Final = 32  # of a header
_WEIGHT: Final = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


class Languages:
    """The languages that there are, by tag. Each is read when it is first used, and then kept.

    A tag finds the language of its beginning, too: "de-AT" finds "de" if there is no other.

    Args:
        folder: A folder with files such as `nl.po`, for further languages. A file for a language
            that this package has needs only the texts that it says in another way.

    Raises:
        InvalidTranslation: The folder cannot be read.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self._own = {} if folder is None else _files_in(os.fspath(folder))
        self._tags = sorted({ENGLISH.tag, *_shipped_tags(), *self._own})
        self._found: dict[str, Language] = {}

    def __getitem__(self, tag: str) -> Language:
        """Return the language of a tag, or of its beginning.

        Raises:
            UnknownLanguage: There is none.
            InvalidTranslation: Its file cannot be used.
        """
        known = self._match(tag)
        if known is None:
            raise UnknownLanguage(tag, self._tags)
        language = self._found.get(known)
        if language is None:
            language = self._found.setdefault(known, self._read(known))
        return language

    def __contains__(self, tag: object) -> bool:
        return isinstance(tag, str) and self._match(tag) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)

    def best(self, accepted: str | None) -> Language:
        """Return the language that suits a person best; English if none does.

        Args:
            accepted: The header `Accept-Language` of a request (RFC 9110, section 12.5.4).
        """
        for tag in _accepted_tags(accepted or ""):
            if tag == "*":
                break
            if tag in self:
                return self[tag]
        return self[ENGLISH.tag]

    def best_of_environment(self, variables: Mapping[str, str]) -> Language:
        """Return the language of a person at a terminal, by `LC_ALL`, `LC_MESSAGES` or `LANG`."""
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        value = next((variables[name] for name in names if variables.get(name)), "")
        tag = re.split(r"[.@]", value, maxsplit=1)[0]
        return self[tag] if tag in self else self[ENGLISH.tag]

    def _match(self, tag: str) -> str | None:
        """Return the tag that there is for another one (RFC 4647, section 3.4)."""
        if not _TAG.fullmatch(tag):
            return None
        parts = tag.replace("_", "-").lower().split("-")
        known = {one.lower(): one for one in self._tags}
        while parts:
            found = known.get("-".join(parts))
            if found is not None:
                return found
            parts.pop()
        return None

    def _read(self, tag: str) -> Language:
        if tag not in self._own:
            return _shipped(tag)
        file = self._own[tag]
        try:
            text = read_file(file).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidTranslation(file, 0, f"the file cannot be read: {error}") from None
        own = {entry.key: entry for entry in read_po(text, file)}
        if tag in _shipped_tags():
            said = {key: entry for key, entry in own.items() if entry.id and entry.is_translated}
            own = {**_shipped_entries(tag), **said}
        return Language(tag, own, file)


def _files_in(folder: str) -> dict[str, str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        reason = f"the folder with translations cannot be read: {error.strerror}"
        raise InvalidTranslation(folder, 0, reason) from None
    found = {}
    for name in names:
        tag = name.removesuffix(_SUFFIX)
        if tag == name:
            continue
        if not _TAG.fullmatch(tag):
            path = os.path.join(folder, name)
            raise InvalidTranslation(path, 0, "a file is named by a language tag, such as nl.po")
        found[tag.replace("_", "-")] = os.path.join(folder, name)
    return found


def _accepted_tags(header: str) -> list[str]:
    """Return the tags of `Accept-Language`, the most wanted first; malformed ones are left out."""
    found = []
    for at, part in enumerate(header.split(",")[:_MOST_RANGES]):
        tag, _, weight = (one.strip() for one in part.partition(";"))
        match = _WEIGHT.fullmatch(weight.replace(" ", "")) if weight else None
        quality = float(match[1]) if match else 0.0 if weight else 1.0
        if quality and (tag == "*" or _TAG.fullmatch(tag)):
            found.append((-quality, at, tag))
    return [tag for _, _, tag in sorted(found)]


@cache
def _shipped_tags() -> tuple[str, ...]:
    folder = files(__package__).joinpath("translations")
    names = [one.name for one in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


@cache
def _shipped_entries(tag: str) -> dict[tuple[str, str], Entry]:
    """Return the entries of all packages that have translations: the core and extensions."""
    name = f"{tag}{_SUFFIX}"
    paths = [one.joinpath("translations", name) for one in files("widgetschema").iterdir()]
    texts = [path.read_text("utf-8") for path in paths if path.is_file()]
    return {entry.key: entry for text in texts for entry in read_po(text, name)}


@cache
def _shipped(tag: str) -> Language:
    if tag not in _shipped_tags():
        return ENGLISH
    return Language(tag, _shipped_entries(tag), f"{tag}{_SUFFIX}")


@cache
def shipped_languages() -> Languages:
    """Return the languages of this package."""
    return Languages()


def as_language(lang: str | Language) -> Language:
    """Return the language that an application asks for, by tag or as it is.

    Raises:
        UnknownLanguage: This package has none with the tag.
    """
    return lang if isinstance(lang, Language) else shipped_languages()[lang]
