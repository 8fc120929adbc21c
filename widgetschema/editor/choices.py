"""The choices where a place was edited twice, in the words of the form.

Twice is: on this page and in the file, or in the form and in the JSON pane.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgetschema.editor.reconciliation import PageFields
from widgetschema.editor.texts import text
from widgetschema.editor.views import MemberChoice
from widgetschema.forms.conflicts import (
    choice_names,
    field_at,
    group_at,
    labels_around,
    shown_sides,
)
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.pointers import display_pointer

if TYPE_CHECKING:
    from widgetschema.forms import Form


def label_of(form: Form | None, path: str) -> str:
    """Return the label of the field at a place, or the place itself if there is none."""
    if form is None or not f"{path}/".startswith(f"{form.at}/"):
        return display_pointer(path)
    return form.label(field_at(form.root, form.at, path))


def labels_of(form: Form | None, edits: Iterable[ConcurrentEdit]) -> tuple[str, ...]:
    """Return the labels of the places of edits, each once."""
    return tuple(dict.fromkeys(label_of(form, edit.path) for edit in edits))


def member_choices(
    form: Form | None,
    conflicts: Iterable[ConcurrentEdit],
    fields: PageFields,
    sides: tuple[str, str],
) -> tuple[MemberChoice, ...]:
    """Return the choice for each conflict; `sides` name the texts about mine and theirs."""
    return tuple(_choice(form, one, fields, sides) for one in conflicts)


def _choice(
    form: Form | None, conflict: ConcurrentEdit, fields: PageFields, sides: tuple[str, str]
) -> MemberChoice:
    name, mine, theirs = choice_names(conflict)
    field, group, around = None, None, ""
    if form is not None and f"{conflict.path}/".startswith(f"{form.at}/"):
        field = field_at(form.root, form.at, conflict.path)
        group = group_at(form.root, form.at, conflict.path)
        around = labels_around(form.root, form.at, conflict.path)
    base, *shown = shown_sides(conflict, field, group, is_secret=conflict.is_secret)
    values = zip((mine, theirs), map(text, sides), shown, strict=True)
    return MemberChoice(
        name,
        label_of(form, conflict.path),
        around,
        base,
        conflict.is_order,
        tuple(values),
        "".join(fields.get(name, ())[-1:]),
    )
