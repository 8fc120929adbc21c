"""Names of rows: the text that tells an item of a list from the others, never a secret."""

from __future__ import annotations

from typing import Final

from widgetschema.forms import control_names as names
from widgetschema.forms.model import TEXT_KINDS, Field
from widgetschema.forms.secrecy import is_placeholder
from widgetschema.jsontext.tree import Element, scanned
from widgetschema.text import shorten

_NAMES: Final = ("title", "name", "label", "heading", "headline", "question", "caption", "text")
_LONGEST: Final = 60  # characters of a name among others
_NO_NAME: Final = "…"


def naming_field(row: Field) -> Field | None:
    """Return the field that tells a row from others: its title, name or label, else its first text.

    One that is empty names nothing, unless all are.
    """
    row = row.chosen
    if row.kind in TEXT_KINDS and not row.shape.secret:
        return row
    texts = [
        child
        for child in map(shown_field, row.children)
        if child.kind in TEXT_KINDS and not child.shape.secret
    ]
    ranks = {name: rank for rank, name in enumerate(_NAMES)}

    def rank(child: Field) -> tuple[bool, int]:
        return not child.shown.text.strip(), ranks.get(member_of(child).lower(), len(_NAMES))

    return min(texts, key=rank, default=None)


def shown_field(field: Field) -> Field:
    """Return the field that is on the page for a free value; any other field as it is."""
    return field.children[field.shown.chosen] if field.shape.free and field.children else field


def item_names(raw: str, holder: Field) -> str | None:
    """Return the items of a list, a JSON text, by their names; None if none of them has one.

    `holder` is the field of the list: what names its rows also names other items.
    """
    children = holder.chosen.children
    rows = [row.chosen for row in children if not (row.is_rest or row.is_unread)]
    known = [member_of(field) for field in map(naming_field, rows) if field is not None]
    members = [*dict.fromkeys(known)]
    found = [_item_name(item, members) for item in scanned(raw).items]
    if not any(found):
        return None
    return ", ".join(shorten(name, _LONGEST) if name else _NO_NAME for name in found)


def member_of(field: Field) -> str:
    """Return the name of the member that a field is about."""
    return names.decode_token(field.name.rpartition("/")[2].partition(";")[0])


def _item_name(item: Element, members: list[str]) -> str:
    if item.kind == "string":
        return "" if is_placeholder(item.raw) else str(item.value)
    for name in members:
        member = item.member(name)
        if member is not None and (said := _item_name(member.element, [])):
            return said
    return ""
