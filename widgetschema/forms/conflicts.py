"""Conflicts in a form: the control that decides each, its field, and its values for people."""

from __future__ import annotations

from typing import Final, NamedTuple

from widgetschema.forms.control_names import CHOICE, companion_name, control_name, encode_token
from widgetschema.forms.model import Field
from widgetschema.forms.row_names import item_names
from widgetschema.forms.secrecy import HIDDEN, secret_digest, with_stand_ins
from widgetschema.forms.texts import text
from widgetschema.forms.uploads import decode, is_digest, label_in_json, stored_file
from widgetschema.jsontext import dump
from widgetschema.jsontext.digests import short_digest
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.jsontext.tree import scalar_value, scanned
from widgetschema.pointers import parse_pointer
from widgetschema.text import shorten

_MAX_SHOWN: Final = 2_000  # characters of a value


class Shown(NamedTuple):
    """A value of a conflict for people: a text, and the address of its picture or ""."""

    text: str
    picture: str = ""


def choice_names(conflict: ConcurrentEdit) -> tuple[str, str, str]:
    """Return the name of the control that decides a conflict, and its values: mine and theirs.

    The values are those of this conflict only: if anybody edits the place again, it is open again.
    """
    parts = [f"{part is None}{part}" for part in (conflict.base, conflict.theirs)]
    parts = [f"{conflict.is_order}", *parts]
    seen = secret_digest(*parts) if conflict.is_secret else short_digest(parts)
    name = companion_name(CHOICE, control_name(conflict.path))
    return name, f"mine-{seen}", f"theirs-{seen}"


def field_at(root: Field, at: str, pointer: str) -> Field:
    """Return the field of a place in the text that a form was made of, or the next one around."""
    *_, field = _way_to(root, at, pointer)
    return field.chosen if field.shape.free else field


def labels_around(root: Field, at: str, pointer: str) -> str:
    """Return the labels of the fields around that of a place, from the outside: "Rows › Row 2"."""
    labels = [field.label for field in _way_to(root, at, pointer)[1:-1]]
    return " › ".join(filter(None, labels))


def _way_to(root: Field, at: str, pointer: str) -> list[Field]:
    way = [root]
    for token in parse_pointer(pointer)[len(parse_pointer(at)) :]:
        children = way[-1].chosen.children
        known = {child.name.rpartition("/")[2]: child for child in children}
        child = known.get(encode_token(token)) or next(
            (one for one in children if one.has_key and one.shown.key == token), None
        )
        if child is None:
            break
        way.append(child)
    return way


def shown_sides(
    conflict: ConcurrentEdit, field: Field | None, *, is_secret: bool
) -> tuple[Shown | None, Shown | None, Shown | None]:
    """Return for people what a place was, and both values of a conflict: mine and theirs.

    The order of a list is said by the names of its items.
    """
    base, mine, theirs = conflict.base, conflict.mine, conflict.theirs
    if conflict.is_order and field is not None:
        named = [item_names(raw or "[]", field) for raw in (base, mine, theirs)]
        if None not in named and len({*named}) == len({base, mine, theirs}):
            first, second, third = (Shown(shorten(name or "", _MAX_SHOWN)) for name in named)
            return first, second, third
    return (
        _shown_value(base, field, is_secret=is_secret),
        _shown_value(mine, field, is_secret=is_secret),
        _shown_value(theirs, field, is_secret=is_secret),
    )


def _shown_value(raw: str | None, field: Field | None, *, is_secret: bool) -> Shown | None:
    """Return a JSON text for people, and None for no value: a string without its quotes."""
    if raw is None:
        return None
    if is_secret:
        return Shown(HIDDEN)
    if raw[0] != '"':
        return Shown(shorten(_with_file_labels(raw), _MAX_SHOWN))
    value = str(scalar_value(raw))
    if value and field is not None and field.chosen.kind == "upload":
        if is_digest(value):
            return Shown(text("kind.upload"))
        if decode(value) is not None:
            file = stored_file(value, field.chosen.shape, "")
            return Shown(file.label, file.address if file.preview else "")
    return Shown(shorten(value, _MAX_SHOWN))


def _with_file_labels(raw: str) -> str:
    """Return a JSON text with the type and size of each long file in its place."""
    found, todo = [], [scanned(raw)]
    while todo:
        element = todo.pop()
        if element.kind == "string":
            label = label_in_json(str(element.value))
            found += [] if label is None else [(element, dump(label))]
        todo += [*(one.element for one in element.members), *element.items]
    return with_stand_ins(raw, found)
