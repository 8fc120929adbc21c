"""Controls of another form than the present one, which nothing can be merged with.

They are those of a form of another schema, or of a page that does not say its text.
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
    HOLDER_KINDS,
    KEPT,
    NUMBER_KINDS,
    TEXT_KINDS,
    Field,
    FormFinding,
    Message,
    PostedControls,
)
from widgetschema.forms.posted_controls import SHAPE
from widgetschema.forms.submit.buttons import is_new_row
from widgetschema.jsontext import preview
from widgetschema.jsontext.digests import is_same_value
from widgetschema.jsontext.tokens import NUMBER
from widgetschema.jsontext.tree import Tree, parse
from widgetschema.pointers import display_pointer

_ROW: Final = re.compile(r"/\+?[0-9]+(?=[/;]|$)")
_FAMILIES: Final = {"text": TEXT_KINDS, "number": NUMBER_KINDS, "json": ("json",)}
_MAX_TEXT: Final = 2_000  # characters of a text that has no field any more


def present_controls(posted: PostedControls, root: Field, *, choices: bool) -> PostedControls:
    """Return the controls of another form that mean the same in the form of `root`.

    All rows that it has stay: one that was not posted may be new. Without `choices`, the controls
    of alternatives are left out: in another schema, an index is another one.
    """
    of_rows = (companion_name(REMOVED, ROOT), companion_name(ORIGIN, ROOT))
    of_alternatives = () if choices else (companion_name(KIND, ROOT),)
    silent = (BASE, SHAPE, ACTION)
    found = {
        name: values
        for name, values in posted.items()
        if name not in silent and not name.startswith((*of_rows, *of_alternatives))
    }
    fields = {companion_name(ORDER, field.name): field for field in root.walk()}
    for name in found.keys() & fields.keys():
        rows = fields[name].pristine.rows
        ids = [id for id in found[name][0].split(",") if id in rows or is_new_row(id)]
        found[name] = [",".join(dict.fromkeys((*ids, *rows)))]
    return found


def control_kinds(root: Field) -> dict[str, Any]:
    """Return what controls of a form are made for, by their names with * for numbers of rows.

    Of one that chooses, that are the JSON texts of its choices, by their ids. A control of texts is
    not among them, and one of several kinds is None.
    """
    found: dict[str, Any] = {}
    for field in root.walk():
        if field.kind not in HOLDER_KINDS:
            name, kind = _any_row(field.name), _kind_of(field)
            found[name] = kind if found.get(name, kind) == kind else None
    return {name: kind for name, kind in found.items() if kind != "text"}


def _kind_of(field: Field) -> Any:
    if field.kind in (*CHOICE_KINDS, "checkboxes"):
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
        kind = kinds.get(_any_row(name), "text")
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


def is_of_rest(name: str) -> bool:
    """Return True for the control of what has no fields: in another form, of something else."""
    return name.endswith(rest_name(""))


def gone_texts(typed: PostedControls, fields: Container[str], base: Tree | None) -> dict[str, str]:
    """Return the texts that were typed into controls that are in no form any more, by their names.

    `fields` are the names of those that are, and `base` is the text that they were made of, if
    that is known: what is in it was not typed.
    """
    found: dict[str, str] = {}
    for name, (text, *_) in typed.items():
        if not name.startswith(ROOT) or not text or name in fields:
            continue
        element = None if base is None else base.at(pointer_of(name))
        if element is None or text not in (element.value, element.raw, element.dedented):
            found[name] = text
    return found


def gone_findings(texts: Mapping[str, str], at: str) -> Iterator[FormFinding]:
    """Yield findings about typed texts, by the names of their controls, that no form can hold."""
    for name, text in texts.items():
        said = {"place": display_pointer(pointer_of(name)), "text": preview(text, _MAX_TEXT)}
        message = "the field {place}, which had {text}, is gone".format_map(said)
        hint = "copy the text if you need it"
        yield FormFinding("stale", at, "", message, hint, said=Message("stale.gone", said))


def is_inside(name: str, holders: tuple[str, ...]) -> bool:
    """Return True if a control belongs to one of these fields, or to one inside."""
    about = name[name.find(ROOT) :]
    return about in holders or any(about.startswith((f"{one}/", f"{one};")) for one in holders)
