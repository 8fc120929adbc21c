"""Translate the controls of a form of older data into controls of a form of the present data.

A row that no longer exists becomes a new one, so that what was typed into it is shown again.
A row that was not posted stays: it may have been removed, or be new since.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.forms.control_names import (
    ACTION,
    BASE,
    KIND,
    ORDER,
    ORIGIN,
    PRESENT,
    REMOVED,
    ROOT,
    companion_name,
    pointer_of,
    rest_name,
)
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    JSON_KINDS,
    KEPT,
    NUMBER_KINDS,
    SELECTION_KINDS,
    TEXT_KINDS,
    Field,
    FormFinding,
    Message,
    PostedControls,
)
from widgetschema.forms.posted_controls import SHAPE
from widgetschema.forms.submit.buttons import is_new_row, next_row_number
from widgetschema.jsontext import preview
from widgetschema.jsontext.digests import is_same_value
from widgetschema.jsontext.tokens import NUMBER
from widgetschema.jsontext.tree import Tree, parse, scanned
from widgetschema.pointers import display_pointer

_ROW: Final = re.compile(r"/\+?[0-9]+(?=[/;]|$)")
_FAMILIES: Final = {"text": TEXT_KINDS, "number": NUMBER_KINDS, "json": JSON_KINDS}
_MAX_TEXT: Final = 2_000  # characters of a text that has no field any more


def translate_controls(
    posted: PostedControls, root: Field, edits: PostedControls, *, choices: bool
) -> PostedControls:
    """Return the controls of an older form that are in `edits` as those of the form of `root`.

    Without `choices`, those of alternatives are left out: in another schema, an index is another
    one. The rows around what was edited come along.
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
        begin = companion_name(KIND, ROOT)
        typed = {name: one for name, one in typed.items() if not name.startswith(begin)}
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


def control_kinds(root: Field, *, each_row: bool = False) -> dict[str, Any]:
    """Return what controls of a form are made for, by their names with * for numbers of rows.

    Of one that chooses, that are the JSON texts of its choices, by their ids. A control of texts is
    not among them, and one of several kinds is None. With `each_row`, the names are those of rows.
    """
    found: dict[str, Any] = {}
    for field in root.walk():
        if field.kind not in (*CONTAINER_KINDS, "alternatives"):
            name, kind = field.name if each_row else _any_row(field.name), _kind_of(field)
            found[name] = kind if found.get(name, kind) == kind else None
    return {name: kind for name, kind in found.items() if kind != "text"}


def _kind_of(field: Field) -> Any:
    if field.kind in (*CHOICE_KINDS, *SELECTION_KINDS):
        return {choice.id: choice.value for choice in field.shape.choices}
    return next((kind for kind, those in _FAMILIES.items() if field.kind in those), field.kind)


def unlike_controls(
    posted: PostedControls, kinds: Mapping[str, Any], root: Field, base: Tree | None
) -> dict[str, str]:
    """Return the texts that were typed or chosen in controls that now have another kind.

    They are by the names of the controls. `kinds` are the `control_kinds` of the posted form, and
    `base` is the text that it was made of: what is in that was not typed.
    """
    fields = {field.name: field for field in root.walk()}
    found: dict[str, str] = {}
    for name in dict.fromkeys(one.removeprefix(PRESENT) for one in posted):
        text, *more = posted.get(name, [""])
        field = fields.get(name)
        if field is None:
            continue
        kind = kinds.get(name, kinds.get(_any_row(name), "text"))
        now = _kind_of(field)
        is_shown = now == "number" and kind == "text" and not NUMBER.fullmatch(text.strip())
        if kind == now or is_shown:
            continue
        element = None if base is None else base.at(pointer_of(name))
        said = raw = text
        if type(kind) is dict:
            ids = ",".join((text, *more)).split(",")
            chosen = [value for id in ids if type(value := kind.get(id, id)) is str]
            raw = ",".join(chosen)
            raw = f"[{raw}]" if element is not None and element.kind == "array" else raw
            said = ", ".join(map(_plain, chosen))
        is_kept = element is not None and (
            text in (KEPT, element.value, element.raw, element.dedented)
            or is_same_value(raw, element.raw)
        )
        found[name] = "" if is_kept else said
    return found


def _plain(raw: str) -> str:
    """Return a value as people read it: a text without its quotes."""
    try:
        element = parse(raw).root
    except UnreadableDocument:
        return raw
    return str(element.value) if element.kind == "string" else raw


def inactive_controls(root: Field) -> Iterator[str]:
    """Yield the names of the controls of alternatives that are not chosen."""
    for field in root.walk():
        if field.kind == "alternatives":
            for at, branch in enumerate(field.children):
                if at != field.shown.chosen:
                    yield from (one.name for one in branch.walk())


def _any_row(name: str) -> str:
    return _ROW.sub("/*", name)


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


def gone_texts(typed: PostedControls, fields: Container[str], base: Tree | None) -> dict[str, str]:
    """Return the texts that were typed into controls that are in no form any more, by their names.

    `fields` are the names of those that are, and `base` is the text that they were made of, if
    that is known: what is in it was not typed.
    """
    found: dict[str, str] = {}
    for name, (text, *_) in typed.items():
        if not name.startswith(ROOT) or not text or name in fields or name.endswith(rest_name("")):
            continue
        element = None if base is None else base.at(pointer_of(name))
        if element is None or text not in (element.value, element.raw, element.dedented):
            found[name] = text
    return found


def gone_findings(texts: Mapping[str, str], at: str) -> Iterator[FormFinding]:
    """Yield findings about `gone_texts`."""
    for name, text in texts.items():
        said = {"place": display_pointer(pointer_of(name)), "text": preview(text, _MAX_TEXT)}
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
