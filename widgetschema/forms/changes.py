"""The changes of data in the words of a form: "Timer days: 3 → 5", "Button 2: removed".

Two values are compared, not two texts: what is only spelled in another way is no change. Items of
lists are matched as in a merge, so that one that was moved is told as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from widgetschema.fixes.diff import longest_increasing
from widgetschema.forms.advice import Adviser
from widgetschema.forms.secrecy import HIDDEN, is_hidden
from widgetschema.jsontext import dump
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.merging import aligned_items
from widgetschema.jsontext.tree import scanned
from widgetschema.pointers import escape_token, parse_pointer
from widgetschema.text import common_ends

ABSENT: Final = object()
_LONGEST: Final = 60  # characters of a text that is shown whole
_CONTEXT: Final = 20  # characters that are shown around what has changed in a longer one


class Part(NamedTuple):
    """A part of a value in words; `changed` if it is what differs."""

    text: str
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One change of data.

    Attributes:
        kind: What happened: "changed", "added", "removed", "moved" or "renamed".
        path: The JSON Pointer in the new data; of what was removed, in the old data.
        labels: The labels of the fields that lead there; the last one is that of the value.
        before: The old value; None if there was none, the old name of what was renamed, or the old
            position (from 1) of what was moved.
        after: The new value, name or position; None if there is none.
        before_parts: The old value in words, shortened, with the parts that differ.
        after_parts: The new value in words.
    """

    kind: Literal["changed", "added", "removed", "moved", "renamed"]
    path: str
    labels: tuple[str, ...]
    before: Any = None
    after: Any = None
    before_parts: tuple[Part, ...] = ()
    after_parts: tuple[Part, ...] = ()

    @property
    def label(self) -> str:
        """The label of what changed."""
        return self.labels[-1] if self.labels else ""

    def __str__(self) -> str:
        where = " › ".join(self.labels)
        before, after = (
            "".join(part.text for part in parts) for parts in (self.before_parts, self.after_parts)
        )
        if self.kind in ("changed", "moved", "renamed"):
            verb = "" if self.kind == "changed" else f"{self.kind}, "
            return f"{where}: {verb}{before} → {after}"
        value = after if self.kind == "added" else before
        return f"{where}: {self.kind}, {value}" if value else f"{where}: {self.kind}"


class Side(NamedTuple):
    """One side of a comparison: a value at a place, and the words of its form.

    The value has placeholders of its secrets.
    """

    value: Any
    at: str
    words: Adviser


def compare(before: Side, after: Side) -> tuple[Change, ...]:
    """Return the changes from one value to another, in the order of the new one."""
    comparison = _Comparison(before, after)
    return tuple(comparison.values(before.value, after.value, before.at, after.at))


class _Comparison:
    def __init__(self, before: Side, after: Side) -> None:
        self.old, self.new = before.words, after.words

    def values(self, old: Any, new: Any, old_path: str, new_path: str) -> Iterator[Change]:
        """Yield the changes of one value, from the inside of containers."""
        if old is ABSENT:
            yield from self._whole("added", new, new_path, self.new)
        elif new is ABSENT:
            yield from self._whole("removed", old, old_path, self.old)
        elif canonical(old) == canonical(new):
            return
        elif type(old) is dict and type(new) is dict:
            yield from self._members(old, new, old_path, new_path)
        elif type(old) is list and type(new) is list and not self._is_selection(new_path):
            yield from self._items(old, new, old_path, new_path)
        else:
            yield self._change(old, new, old_path, new_path)

    def _is_selection(self, path: str) -> bool:
        field = self.new.fields.get(path)
        return field is not None and field.kind == "checkboxes"

    def _members(
        self, old: dict[str, Any], new: dict[str, Any], old_path: str, new_path: str
    ) -> Iterator[Change]:
        gone = [name for name in old if name not in new]
        come = [name for name in new if name not in old]
        renamed = _renamed(old, new, gone, come)
        for name in gone:
            if name not in renamed:
                at = f"{old_path}/{escape_token(name)}"
                yield from self.values(old[name], ABSENT, at, at)
        names = {after: before for before, after in renamed.items()}
        for name, value in new.items():
            at = f"{new_path}/{escape_token(name)}"
            if name in names:
                labels = self._labels(at, self.new)
                before, after = Part(names[name]), Part(name)
                yield Change("renamed", at, labels, names[name], name, (before,), (after,))
                continue
            was = old.get(name, ABSENT)
            yield from self.values(was, value, f"{old_path}/{escape_token(name)}", at)

    def _items(
        self, old: list[Any], new: list[Any], old_path: str, new_path: str
    ) -> Iterator[Change]:
        before_text, after_text = (scanned(dump(items, indent=False)) for items in (old, new))
        pairs = [(was, at) for at, was in enumerate(aligned_items(before_text, after_text))]
        taken = {before for before, _ in pairs if before is not None}
        for index, item in enumerate(old):
            if index not in taken:
                yield from self.values(item, ABSENT, f"{old_path}/{index}", "")
        there = [(after, before) for before, after in pairs if before is not None]
        stay = {before for _, before in longest_increasing(there)}  # all others were moved
        for before, after in pairs:
            at = f"{new_path}/{after}"
            if before is None:
                yield from self.values(ABSENT, new[after], "", at)
                continue
            if before not in stay:
                position = (Part(str(before + 1)),), (Part(str(after + 1)),)
                labels = self._labels(f"{old_path}/{before}", self.old)
                yield Change("moved", at, labels, before + 1, after + 1, *position)
            yield from self.values(old[before], new[after], f"{old_path}/{before}", at)

    def _whole(
        self, kind: Literal["added", "removed"], value: Any, path: str, words: Adviser
    ) -> Iterator[Change]:
        """Yield what was added or removed: the members of a group that a form names, one by one."""
        field = words.fields.get(path)
        if type(value) is dict and value and field is not None and not field.row:
            if field.kind in ("object", "alternatives"):
                for name, item in value.items():
                    yield from self._whole(kind, item, f"{path}/{escape_token(name)}", words)
                return
        is_container = type(value) in (dict, list) and not self._is_selection(path)
        shown = () if is_container else marked("", _shown(words, value, path))[1]
        parts, value = tuple(shown), _without_secrets(value)
        labels = self._labels(path, words)
        if kind == "added":
            yield Change("added", path, labels, None, value, (), parts)
        else:
            yield Change("removed", path, labels, value, None, parts, ())

    def _change(self, old: Any, new: Any, old_path: str, new_path: str) -> Change:
        before = _shown(self.old, old, old_path)
        after = _shown(self.new, new, new_path)
        if before == after != HIDDEN:  # 5 and "5": what differs is only the type
            before, after = (self.new.described(one) for one in (old, new))
        parts = marked(before, after)
        values = _without_secrets(old), _without_secrets(new)
        return Change("changed", new_path, self._labels(new_path, self.new), *values, *parts)

    def _labels(self, path: str, words: Adviser) -> tuple[str, ...]:
        labels, at = [], ""
        root = next(iter(words.fields), "")
        for token in parse_pointer(path):
            at = f"{at}/{escape_token(token)}"
            if not f"{root}/".startswith(f"{at}/"):  # not the document around the data
                labels.append(words.plain_name(at, token))
        return tuple(labels) or (words.plain_name(root, ""),)


def _without_secrets(value: Any) -> Any:
    """Return a value for other programs: None for a secret, and what people read inside others."""
    if is_hidden(value):
        return None
    if type(value) is list:
        return [HIDDEN if is_hidden(one) else _without_secrets(one) for one in value]
    if type(value) is dict:
        return dict(zip(value, _without_secrets([*value.values()]), strict=True))
    return value


def _shown(words: Adviser, value: Any, path: str) -> str:
    if is_hidden(value):
        return HIDDEN
    field = words.fields.get(path)
    is_plain = field is None or not (field.shape.choices or field.kind == "upload")
    if type(value) is str and value and is_plain:
        return value
    return words.value(value, field)


def marked(before: str, after: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return two texts as parts, shortened around the part that differs if they are long."""
    if max(len(before), len(after)) <= _LONGEST:
        return (Part(before, changed=True),), (Part(after, changed=True),)
    start, end = common_ends(before, after)
    start = _word_begins(before[:start])
    end = _word_begins(before[len(before) - end :][::-1])
    return _parts(before, start, end), _parts(after, start, end)


def _word_begins(text: str) -> int:
    """Return the length of a common text, without a word that is cut at its end."""
    space = max(text.rfind(" "), text.rfind("\n"))
    return space + 1 if len(text) - space <= _CONTEXT else len(text)


def _parts(text: str, start: int, end: int) -> tuple[Part, ...]:
    """Return a text of which all but `start` characters before and `end` after it differ."""
    head, tail = text[:start], text[len(text) - end :]
    middle = text[start : len(text) - end]
    if len(head) > _CONTEXT:
        head = f"…{head[-_CONTEXT:]}"
    if len(tail) > _CONTEXT:
        tail = f"{tail[:_CONTEXT]}…"
    if len(middle) > 2 * _LONGEST:
        middle = f"{middle[:_LONGEST]} … {middle[-_LONGEST:]}"
    return tuple(Part(one, changed=one is middle) for one in (head, middle, tail) if one)


def _renamed(
    old: dict[str, Any], new: dict[str, Any], gone: Sequence[str], come: Sequence[str]
) -> dict[str, str]:
    """Return the members that have another name and the same value, if that is unmistakable."""
    if not gone or not come:
        return {}
    before = Counter(canonical(old[name]) for name in gone)
    after = Counter(canonical(new[name]) for name in come)
    by_value = {canonical(new[name]): name for name in come}
    return {
        name: by_value[key]
        for name in gone
        if before[key := canonical(old[name])] == after.get(key, 0) == 1
    }
