"""The mapping that `init` proposes: which files hold widget data, and patterns that match them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import MissingExtra, UnreadableDocument, WidgetSchemaError
from widgetschema.jsontext import preview
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.documents import Document
from widgetschema.project.config.globs import GlobError, parse_glob
from widgetschema.project.inputs.model import PassedOver, Text
from widgetschema.project.inputs.streams import read_stream
from widgetschema.project.inputs.texts import parse_text
from widgetschema.suggest import Vocabulary
from widgetschema.text import plural, printable

_MOST_TEXTS: Final = 100  # of a file, such as the lines of an NDJSON file
_MOST_SINGLE: Final = 20  # patterns of single files in a folder
_DRAFTS: Final = "json-schema.org/"
_PATTERN: Final = "\0"  # in a note: the pattern of its first file
_BEGINNING: Final = 64 * 1024  # bytes of a broken text that are looked at
_NUMBER: Final = re.compile(r"\d+(?=[^\d/]*$)")  # the last in a name
_WORD: Final = re.compile(r"[\w$.-]+")
_COMPRESSIONS: Final = (".gz", ".zst")
_SAME_FORMAT: Final = {".yml": ".yaml", ".jsonl": ".ndjson"}


class Evidence(NamedTuple):
    """Evidence in a file of the widget types of its documents.

    `types` are certain: documents name them, or data is valid by no other schema. `near` are those
    that the file may be meant for, although it is not valid. `is_named` says whether all documents
    name a type, `is_unreadable` whether the file may be meant for any; `is_other` whether it is no
    widget data, `is_schema` whether that is because it is a schema. `unknown` is a type that a
    document names and that has no schema. `note` is for people.
    `is_partial` says that only the beginning of the file was examined.
    """

    types: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()
    is_named: bool = False
    is_unreadable: bool = False
    is_other: bool = False
    is_schema: bool = False
    is_mapped: bool = False
    unknown: str | None = None
    note: str | None = None
    is_partial: bool = False

    @property
    def is_unrelated(self) -> bool:
        """True if a check certainly skips the file, unless it is mapped."""
        is_doubtful = self.is_unreadable or self.is_partial or self.note is not None
        return not (self.types or self.near or is_doubtful)


class ProposedMapping(NamedTuple):
    """Entries for the settings `files` and `include`, and remarks about files that fit in none."""

    files: dict[str, str]
    include: tuple[str, ...]
    remarks: list[str]


class Examiner:
    """Examines files without a mapping, by the types of a catalog.

    `checker` has no mapping either. Schemas that cannot be used are left out; `remarks` say so.
    """

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._members: dict[str, tuple[WidgetType, frozenset[str]]] = {}
        self.remarks: list[str] = []
        for id in checker.catalog.ids():
            found = checker.widget_type(id)
            if isinstance(found, WidgetType):
                self._members[id] = found, _members_of(found)
            else:
                self.remarks.append(found.message)

    def examine(self, name: str) -> Evidence | None:
        """Return what a file says about its widget types; None for one that a check passes over."""
        parts: list[Evidence] = []
        for one in read_stream(name, self._checker.limits.max_bytes):
            if isinstance(one, PassedOver):
                return None
            if isinstance(one, Text):
                parts += self._text(one)
            elif one is not None:
                parts.append(Evidence(is_unreadable=True, note=one.message))
            if len(parts) >= _MOST_TEXTS:
                return _joined(parts)._replace(is_partial=True)
        return _joined(parts)

    def _text(self, text: Text) -> list[Evidence]:
        try:
            values = parse_text(text, self._checker.limits)
        except MissingExtra as error:
            return [self._unreadable(text.raw)._replace(note=str(error))]
        except UnreadableDocument:
            return [self._unreadable(text.raw)]
        return [
            self._document(text.file, document)
            for value in values
            for document in self._checker.documents(text.file, value.value, value.schema)
        ]

    def _unreadable(self, raw: bytes) -> Evidence:
        """Return what a broken text says: a configuration with comments has none of our members."""
        text = raw[:_BEGINNING].replace(b"\0", b"").decode(errors="replace")  # UTF-16, too
        words = {*_WORD.findall(text)}
        names = ({id, *members} for id, (_, members) in self._members.items())
        is_other = bool(words) and all(words.isdisjoint(some) for some in names)
        return Evidence(is_unreadable=not is_other, is_other=is_other)

    def _document(self, file: str, document: Document) -> Evidence:
        found = self._checker.type_of(file, document)
        if isinstance(found, WidgetType):
            return Evidence(types=frozenset({found.id}), is_named=True)
        if found.type_id is not None:
            return Evidence(near=frozenset({found.type_id}))
        if document.kind == "data":
            return self._data(document.value)
        own = document.value.get("type") if type(document.value) is dict else None
        if not isinstance(own, str):
            return Evidence(is_other=True)
        meant = Vocabulary(self._checker.catalog.ids()).best_match(own)
        if meant is not None:
            return Evidence(near=frozenset({meant}))
        if {"projectId", "modelVersion", "previewImage"} & document.value.keys():
            return Evidence(is_other=True, note=f"no schema of the type {preview(own, 40)}")
        return Evidence(is_other=True, unknown=own)

    def _data(self, value: Any) -> Evidence:
        values = value if type(value) is list and value else [value]
        if any(type(one) is not dict or not one for one in values):
            return Evidence(is_other=True)
        if _is_schema(value):
            return Evidence(is_other=True, is_schema=True)
        near = [
            (id, widget_type)
            for id, (widget_type, members) in self._members.items()
            if all(one.keys() <= members for one in values)
        ]
        fits = [id for id, one in near if all(map(one.is_valid, values))]
        if len(fits) == 1:
            return Evidence(types=frozenset(fits))
        ids = frozenset(fits or (id for id, _ in near))
        note = None
        if fits:
            note = f"valid by several schemas ({', '.join(fits[:3])})"
        elif len(ids) == 1:
            note = (
                f"the properties are those of {printable(min(ids))}, but the data is not valid; if "
                f"it is meant for that, map it under [files]: {_PATTERN} = {printable(min(ids))!r}"
            )
        return Evidence(near=ids, is_other=not ids, note=note)


def propose_mapping(files: Mapping[str, Evidence]) -> ProposedMapping:
    """Return the mapping for files by their paths, with `/`, relative to the configuration.

    A folder gets a pattern for each suffix if every file in it of the same format is of the same
    type, or might be; other files get one each, or one for those that differ by a number. Files
    that are mapped already count, but need no pattern.
    """
    patterns: dict[str, str | None] = {}
    remarks: list[str] = []
    left: dict[str, Evidence] = {}
    for format in dict.fromkeys(map(_format, files)):
        some = {name: one for name, one in files.items() if _format(name) == format}
        for folder, type_id in [*_folders(some)]:
            within = [name for name in some if name.startswith(f"{folder}/")]
            for name in within:
                if not some.pop(name).is_mapped:
                    pattern = f"{escaped_pattern(folder)}/**/*{escaped_pattern(_suffix(name))}"
                    patterns[pattern] = type_id
        left |= some
    for folder, single in groupby(sorted(_single(left)), os.path.dirname):
        paths, own = [*single], dict[str, str | None]()
        for path in paths:
            if not left[path].is_mapped:
                pattern, names = _single_pattern(path, left)
                (own[pattern],) = left[path].types
                left.update({name: left[name]._replace(is_mapped=True) for name in names})
        if len(own) > _MOST_SINGLE:
            remarks.append(
                f"{printable(folder or os.curdir)}: {len(paths):,} files hold widget data, "
                "among others that do not: map them with a pattern of your own"
            )
            continue
        patterns |= own
    for pattern in [one for one in patterns if not _is_pattern(one)]:
        del patterns[pattern]
        remarks.append(
            f"not mapped: {printable(pattern)}: no pattern can have this name; rename the file or "
            "its folder"
        )
    named = {pattern: type_id for pattern, type_id in patterns.items() if type_id is not None}
    include = tuple(pattern for pattern in patterns if pattern not in named)
    return ProposedMapping(named, include, [*remarks, *_notes(left)])


def schema_folders(files: Mapping[str, Evidence]) -> list[str]:
    """Return the folders in which every file `*.json` is a schema.

    One inside another belongs to that, whose schemas may refer to its files.
    """
    by_folder: dict[str, list[bool]] = {}
    for name, evidence in files.items():
        if name.endswith(".json"):
            by_folder.setdefault(os.path.dirname(name), []).append(evidence.is_schema)
    found: list[str] = []
    for folder in sorted(folder for folder, every in by_folder.items() if folder and all(every)):
        if not any(folder.startswith(f"{one}/") for one in found):
            found.append(folder)
    return found


def _folders(files: Mapping[str, Evidence]) -> Iterator[tuple[str, str | None]]:
    """Yield the folders that get a pattern, with its type; None if documents name theirs."""
    below: dict[str, list[str]] = {}
    certain = {os.path.dirname(name) for name, one in files.items() if one.types}
    doubtful = {*map(os.path.dirname, files)} - certain  # files directly in these may be anything
    for name in files:
        folder = os.path.dirname(name)
        while folder:
            below.setdefault(folder, []).append(name)
            folder = os.path.dirname(folder)
    done: list[str] = []
    for folder in sorted(below, key=lambda one: (one.count("/"), one)):
        if folder in doubtful or any(folder.startswith(f"{one}/") for one in done):
            continue
        if folder != os.path.commonpath(map(os.path.dirname, below[folder])):
            continue  # all of its files are in one folder below
        types = _common_types(files[name] for name in below[folder])
        if types:
            done.append(folder)
            yield folder, next(iter(types)) if len(types) == 1 else None


def _common_types(every: Iterable[Evidence]) -> frozenset[str]:
    """Return the types of files that are alike: one for all, or those that documents name."""
    every = list(every)
    certain = frozenset[str]().union(*(one.types for one in every))
    if any(one.is_other for one in every) or not certain:
        return frozenset()
    rest = [one for one in every if not one.types and not one.is_unreadable]
    if any(not one.near & certain for one in rest):
        return frozenset()
    if len(certain) > 1 and not all(one.is_named for one in every if one.types):
        return frozenset()
    return certain


def _single(files: Mapping[str, Evidence]) -> Iterator[str]:
    """Yield the files that need a pattern each: what names its type is checked without one."""
    for name, one in files.items():
        if len(one.types) == 1 and not (one.is_named or one.is_other or one.is_mapped):
            yield name


def _single_pattern(path: str, files: Mapping[str, Evidence]) -> tuple[str, list[str]]:
    """Return the pattern of a file, and the files that it maps.

    `*` stands for the last number in the name if there are more files of that type that match, and
    none that is of another.
    """
    stem, suffix = path[: -len(_suffix(path))], _suffix(path)
    numbered = _NUMBER.sub("*", escaped_pattern(stem)) + escaped_pattern(suffix)
    if _is_pattern(numbered):
        glob = parse_glob(numbered)
        names = [name for name in files if glob.matches(name.split("/"))]
        if len(names) > 1 and _common_types(files[one] for one in names) == files[path].types:
            return numbered, names
    return escaped_pattern(path), [path]


def _notes(files: Mapping[str, Evidence]) -> Iterator[str]:
    by_note: dict[str, list[str]] = {}
    for name, one in files.items():
        if one.note is not None and not (one.types or one.is_mapped):
            by_note.setdefault(one.note, []).append(name)
    for note, names in sorted(by_note.items()):
        first = printable(min(names))
        note = note.replace(_PATTERN, repr(printable(escaped_pattern(min(names)))))
        yield f"not mapped: {plural(len(names), 'file')}, such as {first}: {note}"
    # A check takes their types for known ones that are misspelled.
    folders = {os.path.dirname(name) for name, one in files.items() if one.is_named}
    beside: dict[str, list[str]] = {}
    for name, one in files.items():
        if one.unknown is not None and not one.is_mapped and os.path.dirname(name) in folders:
            beside.setdefault(one.unknown, []).append(name)
    for id, names in sorted(beside.items()):
        yield (
            f"{plural(len(names), 'file')} of the type {preview(id, 40)}, such as "
            f"{printable(min(names))}, will fail: there is no schema of it; add the schema, or, if "
            f"it is not to be checked, add the type to foreign-types in the configuration"
        )
    failing = {name for names in beside.values() for name in names}
    others = sorted(
        name
        for name, one in files.items()
        if one.note is None
        and name not in failing
        and not (one.types or one.is_mapped or one.is_schema)
    )
    if others:
        some = printable(", ".join(others[:3]))
        yield (
            f"not mapped: {plural(len(others), 'file')} of no known widget type, such as {some}: "
            "map what holds widget data under [files] in the configuration"
        )


def _joined(parts: list[Evidence]) -> Evidence:
    """Return the evidence of a file from that of its documents."""
    if not parts:
        return Evidence(is_other=True)
    types = frozenset[str]().union(*(one.types for one in parts))
    return Evidence(
        types=types,
        near=frozenset[str]().union(*(one.near for one in parts)),
        is_named=bool(types) and all(one.is_named for one in parts if one.types),
        is_unreadable=all(one.is_unreadable for one in parts),
        is_other=any(one.is_other for one in parts),
        is_schema=all(one.is_schema for one in parts),
        unknown=next((one.unknown for one in parts if one.unknown is not None), None),
        note=next((one.note for one in parts if one.note is not None), None),
    )


def _members_of(widget_type: WidgetType) -> frozenset[str]:
    """Return the members that a type declares for its data, at the top."""
    try:
        node = widget_type.schema_tree.root.of_kind("object")
        names = set(node.properties)
        for choice in node.choices:
            for index in range(len(choice.branches)):
                names |= node.choose(choice, index).properties.keys()
    except WidgetSchemaError:
        return frozenset()
    return frozenset(names)


def _is_schema(value: Any) -> bool:
    """Return whether a value says that it is a schema of documents or of data."""
    if type(value) is not dict:
        return False
    dialect = value.get("$schema")
    return isinstance(dialect, str) and _DRAFTS in dialect


def _suffix(name: str) -> str:
    stem, suffix = os.path.splitext(name)
    return os.path.splitext(stem)[1] + suffix if suffix in _COMPRESSIONS else suffix


def _format(name: str) -> str:
    suffix = _suffix(name)
    return _SAME_FORMAT.get(suffix, suffix)


def escaped_pattern(path: str) -> str:
    """Return a pattern that matches a path; `?` stands for a `*` in it."""
    return path.replace("*", "?")


def _is_pattern(text: str) -> bool:
    try:
        parse_glob(text)
    except GlobError:
        return False
    return True
