"""`Place`: where a field is built: names and paths, the element of the text, and the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from widgetschema.documents.tree import Element, Member
from widgetschema.forms.fields.description import Spots


@dataclass(slots=True)
class Place:
    """Where a field is built, filled in by the field around it.

    `value` is what would come back there, or `shapes.ABSENT`. `key` is the name of an additional
    member, None of all others; `shown_key` the one that was posted. `shelved` says that it belongs
    to an alternative that is not chosen. `conditional` that a condition had a say in its schema.
    """

    name: str
    id: str
    path: str | None
    element: Element | None
    value: Any
    label: str = ""
    level: int = 0
    spots: Spots = ()
    member: Member | None = None
    row: str = ""
    key: str | None = None
    shown_key: str | None = None
    forced: bool = False
    shelved: bool = False
    conditional: bool = False
