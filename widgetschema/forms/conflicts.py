"""Conflicts in a form: the control that decides each, its field, and its values for people."""

from __future__ import annotations

from typing import Final, NamedTuple

from widgetschema.forms.control_names import CHOICE, companion_name, control_name, encode_token
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.forms.model import Field
from widgetschema.forms.row_names import item_names, member_of
from widgetschema.forms.secrecy import HIDDEN, with_stand_ins
from widgetschema.forms.texts import text
from widgetschema.forms.uploads import decode, is_digest, label_in_json, stored_file
from widgetschema.jsontext import dump
from widgetschema.jsontext.digests import short_digest, value_digest
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.jsontext.tree import scalar_value, scanned
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.text import shorten

_MAX_SHOWN: Final = 2_000  # characters of a value
_MAX_LABELS: Final = 5  # of members that differ


class Shown(NamedTuple):
    """A value of a conflict for people: a text, and the address of its picture or "".

    `note` says what differs in a value with secrets, or is "".
    """

    text: str
    picture: str = ""
    note: str = ""


class ConflictChoice(NamedTuple):
    """A conflict for a person to decide: the name of the control, and its values for people.

    `field` is that of the place, or the next one around; None if no form has it. `around` has the
    labels of the fields around it. `base` is the value before. Each of the `sides`, mine and
    theirs, has the value of the control, its label, and the value of the place for people. None is
    no value. `chosen` is the value that was posted.
    """

    name: str
    path: str
    field: Field | None
    around: str
    is_order: bool
    base: Shown | None
    sides: tuple[tuple[str, str, Shown | None], ...]
    chosen: str = ""

    @property
    def label(self) -> str:
        """The label of the field, or the place itself."""
        return self.path if self.field is None else self.field.label


def conflict_choice(
    conflict: ConcurrentEdit, root: Field | None, at: str, labels: tuple[str, str]
) -> ConflictChoice:
    """Return a conflict for a person to decide.

    `root` has the fields of the form of the data at `at`, if there is one; `labels` are those of
    both sides.
    """
    name, *values = choice_names(conflict)
    path, field, group, around = conflict.path, None, None, ""
    if root is not None and f"{path}/".startswith(f"{at}/"):
        field, group = field_at(root, at, path), _group_at(root, at, path)
        around = " › ".join(one.label for one in _way_to(root, at, path)[1:-1] if one.label)
    base, *shown = _shown_sides(conflict, field, group)
    sides = tuple(zip(values, labels, shown, strict=True))
    return ConflictChoice(
        name, display_pointer(path), field, around, conflict.is_order, base, sides
    )


def choice_names(conflict: ConcurrentEdit) -> tuple[str, str, str]:
    """Return the name of the control that decides a conflict, and its values: mine and theirs.

    The values are those of this conflict only: if anybody edits the place again, it is open again;
    an edit of one's own takes back the choice of theirs.
    """
    parts = [f"{part is None}{part}" for part in (conflict.base, conflict.theirs, conflict.mine)]
    mine, theirs = (short_digest([f"{conflict.is_order}", *seen]) for seen in (parts[:2], parts))
    name = companion_name(CHOICE, control_name(conflict.path))
    return name, f"mine-{mine}", f"theirs-{theirs}"


def field_at(root: Field, at: str, pointer: str) -> Field:
    """Return the field of a place in the text that a form was made of, or the next one around."""
    *_, field = _way_to(root, at, pointer)
    return field.chosen if field.shape.free else field


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


def _group_at(root: Field, at: str, pointer: str) -> Field | None:
    """Return the field with the members of a place; for a row without one, that of another row.

    None if the place has no members that are described one by one, such as a secret.
    """
    way = _way_to(root, at, pointer)
    missing = len(parse_pointer(pointer)) - len(parse_pointer(at)) + 1 - len(way)
    found = way[-1].chosen
    if missing == 1 and found.kind == "list" and found.children:
        found = found.children[0].chosen
    elif missing:
        return None
    return found if found.kind == "object" else None


def _shown_sides(
    conflict: ConcurrentEdit, field: Field | None, group: Field | None = None
) -> tuple[Shown | None, Shown | None, Shown | None]:
    """Return for people what a place was, and both values of a conflict: mine and theirs.

    The order of a list is said by the names of its items. Of a value with secrets, the labels of
    the members that differ are said, if `_group_at` has found them.
    """
    base, mine, theirs = conflict.base, conflict.mine, conflict.theirs
    if conflict.is_secret and group is not None and not conflict.is_order:
        was = None if base is None else Shown(HIDDEN)
        return was, _hidden_side(base, mine, group), _hidden_side(base, theirs, group)
    if conflict.is_order and field is not None:
        named = [item_names(raw or "[]", field) for raw in (base, mine, theirs)]
        if None not in named and len({*named}) == len({base, mine, theirs}):
            first, second, third = (Shown(shorten(name or "", _MAX_SHOWN)) for name in named)
            return first, second, third
    return (
        _shown_value(base, field, is_secret=conflict.is_secret),
        _shown_value(mine, field, is_secret=conflict.is_secret),
        _shown_value(theirs, field, is_secret=conflict.is_secret),
    )


def _hidden_side(base: str | None, raw: str | None, group: Field) -> Shown | None:
    """Return a value with secrets, of which people read only where it differs from `base`."""
    if raw is None:
        return None
    before, now = (None if one is None else _members(one) for one in (base, raw))
    if before is None or now is None:
        return Shown(HIDDEN)
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if not names:
        return Shown(HIDDEN)
    known = {one.shown.key if one.has_key else member_of(one): one.label for one in group.children}
    labels = [known.get(name) or label_from_name(name) for name in names[:_MAX_LABELS]]
    more = ("…",) if len(names) > len(labels) else ()
    return Shown(HIDDEN, note=text("conflict.differs", labels=", ".join((*labels, *more))))


def _members(raw: str) -> dict[str, str] | None:
    """Return the digests of an object's members by their names; None for any other value."""
    value = scanned(raw)
    if value.kind != "object":
        return None
    return {one.name: value_digest(one.element) for one in value.members}


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
    texts = [element for _, element in scanned(raw).walk() if element.kind == "string"]
    labels = ((element, label_in_json(str(element.value))) for element in texts)
    return with_stand_ins(raw, [(one, dump(label)) for one, label in labels if label is not None])
