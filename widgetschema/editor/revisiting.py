"""Say which edit was undone or redone: the sentence about it, and the field that it changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from widgetschema.editor.history import PANE
from widgetschema.editor.pane_places import pane_places
from widgetschema.editor.texts import text
from widgetschema.editor.views import Revisit, View
from widgetschema.forms.control_names import ROOT
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.text import common_length


class _Changed(NamedTuple):
    id: str = ""
    label: str = ""


def revisit(before: View, after: View, names: Collection[str], *, is_undo: bool) -> Revisit:
    """Return what to say on the way from one view to another; `names` are the changed controls."""
    in_pane = PANE in names
    field = _changed_in_text(before, after) if in_pane else _changed_control(after, names)
    place = field.label or (text("step.json") if in_pane else "")
    done = "step.undone" if is_undo else "step.redone"
    return Revisit(text(f"{done}-at", place=place) if place else text(done), field.id)


def _changed_control(view: View, names: Collection[str]) -> _Changed:
    """Return the outermost field with such a control; if it is gone, the one around it."""
    if view.form is None or not names:
        return _Changed()
    form = view.form
    fields = {field.name: field for field in form}
    name = min((name[name.find(ROOT) :] for name in names), key=len)
    while name not in fields and "/" in name:
        name = name.rpartition("/")[0]
    field = fields.get(name)
    return _Changed() if field is None else _Changed(field.id, form.label(field))


def _changed_in_text(before: View, after: View) -> _Changed:
    """Return the innermost field at the first difference of the panes."""
    one, other = normalize_newlines(before.pane), normalize_newlines(after.pane)
    offset = len(other[: common_length(one, other)].encode("utf-16-le", "surrogatepass")) // 2
    around = [one for one in pane_places(after).fields if one.start <= offset <= one.end]
    if not around:
        return _Changed()
    place = min(reversed(around), key=lambda one: one.end - one.start)
    return _Changed(place.id, place.label)
