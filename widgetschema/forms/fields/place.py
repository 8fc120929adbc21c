"""`Place`: where a field is built: names and paths, the element of the text, and the value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from widgetschema.forms.fields.description import Spots
from widgetschema.forms.model import Carried
from widgetschema.jsontext.tree import Element, Member


@dataclass(slots=True)
class Place:
    """Where a field is built, filled in by the field around it.

    `value` is what would come back there, or `shapes.ABSENT`. `key` is the name of an additional
    member, None of all others; `shown_key` the one that was posted. `shelved` says that it belongs
    to an alternative that is not chosen. `conditional` that a condition had a say in its schema.
    `moved` that the element was in another alternative, `carried` in which text it is then, if it
    is not in that of the form.
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
    moved: bool = False
    carried: Carried | None = None
