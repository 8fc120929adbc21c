"""Translate the controls of a form of older data into controls of a form of the present data.

A row that no longer exists becomes a new one, so that what was typed into it is shown again.
A row that was not posted stays: it may have been removed, or be new since.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.forms.control_names import (
    ACTION,
    BASE,
    KIND,
    ORDER,
    ORIGIN,
    REMOVED,
    ROOT,
    companion_name,
    pointer_of,
    rest_name,
)
from widgetschema.forms.model import (
    CHOICE_KINDS,
    SELECTION_KINDS,
    Field,
    FormFinding,
    Message,
    PostedControls,
)
from widgetschema.forms.posted_controls import SHAPE
from widgetschema.forms.submit.buttons import is_new_row, next_row_number
from widgetschema.jsontext import preview
from widgetschema.jsontext.tree import Tree, parse, scanned
from widgetschema.pointers import display_pointer

_MAX_TEXT: Final = 2_000  # characters of a text that has no field any more


def translate_controls(
    posted: PostedControls, root: Field, edits: PostedControls, *, choices: bool
) -> PostedControls:
    """Return the controls of an older form that are in `edits` as those of the form of `root`.

    Without `choices`, those of enumerations and alternatives are left out: in another schema, an
    index is another choice. The rows around what was edited come along.
    """
    silent = (BASE, SHAPE, ACTION)
    # Of rows of the older data; those that can be restored are there again.
    of_rows = (companion_name(REMOVED, ROOT), companion_name(ORIGIN, ROOT))
    order = companion_name(ORDER, ROOT)
    typed = {
        name: one
        for name, one in posted.items()
        if name not in silent
        and not name.startswith(of_rows)
        and (name in edits or name.startswith(order))
    }
    fields = {field.name: field for field in root.walk()}
    if not choices:
        typed = {
            name: one
            for name, one in typed.items()
            if not name.startswith(companion_name(KIND, ROOT)) and not _is_choice(fields.get(name))
        }
    moved: dict[str, str] = {}  # rows that are new ones now: names of their controls
    orders = [name.removeprefix(ORDER) for name in typed if name.startswith(order)]
    for holder in sorted(orders, key=len):  # around first
        ids = [id for id in typed[companion_name(ORDER, holder)][0].split(",") if id]
        now = _present_name(holder, moved)
        rows = fields[now].pristine.rows if now in fields else ()
        known = frozenset(rows)
        number = next_row_number((*ids, *known))
        ids = [id for id in ids if id in known or is_new_row(id) or _is_typed(typed, holder, id)]
        for at, id in enumerate(ids):
            if id not in known and not is_new_row(id):
                ids[at] = f"+{number}"
                number += 1
                moved[f"{holder}/{id}"] = f"{now}/{ids[at]}"
        listed = frozenset(ids)  # others may be new since then: none is taken for removed
        ids += [row for row in rows if row not in listed]
        typed[companion_name(ORDER, holder)] = [",".join(ids)]
    return {_present_control(name, moved): values for name, values in typed.items()}


def lost_rest_controls(posted: PostedControls, root: Field) -> list[str]:
    """Return the controls for members or items without fields that now mean others.

    The order of members in the text decides which have fields, so in another text the same control
    may stand for other members.
    """
    rests = {field.name: field for field in root.walk() if field.is_rest}
    came = {name for name in posted if name.startswith(ROOT) and name.endswith(rest_name(""))}
    return sorted(
        name
        for name in came | rests.keys()
        if name not in came or name not in rests or not _is_same_rest(posted[name][0], rests[name])
    )


def gone_controls(
    typed: PostedControls, fields: Container[str], base: Tree | None, at: str
) -> Iterator[FormFinding]:
    """Yield findings about controls with a text that are in no form any more.

    `fields` are the names of those that are, and `base` is the text that they were made of, if
    that is known: what is in it was not typed.
    """
    for name, (text, *_) in typed.items():
        if not name.startswith(ROOT) or not text or name in fields or name.endswith(rest_name("")):
            continue
        pointer = pointer_of(name)
        element = None if base is None else base.at(pointer)
        if element is not None and text in (element.value, element.raw, element.dedented):
            continue
        said = {"place": display_pointer(pointer), "text": preview(text, _MAX_TEXT)}
        message = "the field {place}, which had {text}, is gone".format_map(said)
        hint = "copy the text if you need it"
        yield FormFinding("stale", at, "", message, hint, said=Message("stale.gone", said))


def is_inside(name: str, holders: tuple[str, ...]) -> bool:
    """Return True if a control belongs to one of these fields, or to one inside."""
    about = name[name.find(ROOT) :]
    return about in holders or any(about.startswith((f"{one}/", f"{one};")) for one in holders)


def _is_typed(typed: PostedControls, holder: str, id: str) -> bool:
    """Return True if there is any control for a row or for something in it."""
    row = f"{holder}/{id}"
    return any(
        name[name.find(ROOT) :] == row or name[name.find(ROOT) :].startswith((f"{row}/", f"{row};"))
        for name in typed
    )


def _is_same_rest(text: str, field: Field) -> bool:
    try:
        typed, pristine = parse(text).root, scanned(field.pristine.text)
    except UnreadableDocument:
        return False
    names = [sorted(member.name for member in one.members) for one in (typed, pristine)]
    return typed.kind == pristine.kind and names[0] == names[1]


def _is_choice(field: Field | None) -> bool:
    kinds = (*CHOICE_KINDS, *SELECTION_KINDS)
    return field is not None and field.kind in kinds and field.kind != "boolean"


def _present_control(control: str, moved: Mapping[str, str]) -> str:
    role, mark, rest = control.partition(ROOT)
    return role + _present_name(mark + rest, moved)


def _present_name(name: str, moved: Mapping[str, str]) -> str:
    """Return the name of a field whose row, or a row around it, was renamed."""
    at = len(name)
    while at > 0:
        if name[:at] in moved:
            return moved[name[:at]] + name[at:]
        at = max(name.rfind("/", 0, at), name.rfind(";", 0, at))
    return name
