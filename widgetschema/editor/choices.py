"""The choices where a place was edited twice, in the words of the form.

Twice is: on this page and in the file, or in the form and in the JSON pane.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgetschema.editor.reconciliation import PageFields
from widgetschema.editor.texts import text
from widgetschema.forms.conflicts import ConflictChoice, conflict_choice, field_at
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.pointers import display_pointer

if TYPE_CHECKING:
    from widgetschema.forms import Form


def labels_of(form: Form | None, edits: Iterable[ConcurrentEdit]) -> tuple[str, ...]:
    """Return the labels of the fields at the places of edits, or these themselves, each once."""
    found: dict[str, None] = {}
    for path in (edit.path for edit in edits):
        is_shown = form is not None and f"{path}/".startswith(f"{form.at}/")
        field = field_at(form.root, form.at, path) if form is not None and is_shown else None
        found[display_pointer(path) if field is None else field.label] = None
    return tuple(found)


def member_choices(
    form: Form | None,
    conflicts: Iterable[ConcurrentEdit],
    fields: PageFields,
    sides: tuple[str, str],
) -> tuple[ConflictChoice, ...]:
    """Return the choice for each conflict; `sides` name the texts about mine and theirs."""
    root, at = (None, "") if form is None else (form.root, form.at)
    labels = text(sides[0]), text(sides[1])
    found = [conflict_choice(one, root, at, labels) for one in conflicts]
    return tuple(one._replace(chosen="".join(fields.get(one.name, ())[-1:])) for one in found)
