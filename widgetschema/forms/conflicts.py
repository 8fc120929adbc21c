"""Conflicts in a form: the control that decides each, and the field that it is about."""

from __future__ import annotations

from widgetschema.forms.control_names import CHOICE, companion_name, control_name, encode_token
from widgetschema.forms.model import Field
from widgetschema.forms.secrecy import secret_digest
from widgetschema.jsontext.digests import short_digest
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.pointers import parse_pointer


def choice_names(conflict: ConcurrentEdit) -> tuple[str, str, str]:
    """Return the name of the control that decides a conflict, and its values: mine and theirs.

    The values are those of this conflict only: if anybody edits the place again, it is open again.
    """
    parts = [f"{part is None}{part}" for part in (conflict.base, conflict.theirs)]
    parts = [f"{conflict.is_order}", *parts]
    seen = secret_digest(*parts) if conflict.is_secret else short_digest(parts)
    name = companion_name(CHOICE, control_name(conflict.path))
    return name, f"mine-{seen}", f"theirs-{seen}"


def field_at(root: Field, at: str, pointer: str) -> Field:
    """Return the field of a place in the text that a form was made of, or the next one around."""
    field = root
    for token in parse_pointer(pointer)[len(parse_pointer(at)) :]:
        field = field.chosen
        known = {child.name.rpartition("/")[2]: child for child in field.children}
        child = known.get(encode_token(token)) or next(
            (one for one in field.children if one.has_key and one.shown.key == token), None
        )
        if child is None:
            break
        field = child
    return field.chosen if field.shape.free else field
