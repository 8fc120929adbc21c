"""Tell which rows of a form the page has already, so that an answer need not have them again.

A page shows what the server has sent, with what people have typed since. So a row stays if nothing
was posted about it and it is built as before: only its place, its number and the name of its
control may be others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from widgetschema.forms.control_names import ORDER, RESET, companion_name
from widgetschema.forms.fields.overlay import Overlay
from widgetschema.forms.form_state import FormState
from widgetschema.forms.html.page_elements import tools_of_rows
from widgetschema.forms.model import Field
from widgetschema.forms.submit.steps import PostedPage


def staying_rows(page: PostedPage, form: FormState, moved: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the rows of a form that a page has already.

    Args:
        page: The controls that were posted.
        form: The form to show next.
        moved: The names of its rows by those on the page, if they differ.
    """
    reading = page.reading
    reset = {name: one for name, one in page.controls.items() if RESET in one}
    edited, kept = Overlay(reading.controls | reset), Overlay(form.posted or {})
    before: dict[str, tuple[Field, Field]] = {}
    on_page = [*_holders_with_rows(reading.root)]
    for is_moved in (False, True):  # the name of a row that has moved may be that of one before
        for holder, rows in on_page:
            [order] = page.controls.get(companion_name(ORDER, holder.name), [""])[:1]
            shown = frozenset(order.split(","))
            for row in rows:
                if row.row not in shown or edited.is_about(row.name):
                    continue
                if (row.name in moved) is is_moved:
                    before[moved.get(row.name, row.name)] = holder, row
    tools_before = {id(holder): tools_of_rows(holder) for holder, _ in on_page}
    found = set()
    for holder, rows in _holders_with_rows(form.root):
        tools_now = tools_of_rows(holder)
        for row in rows:
            if row.name not in before or kept.is_about(row.name):
                continue
            holder_before, row_before = before[row.name]
            tools = tools_before[id(holder_before)]
            if tools(row_before) == tools_now(row) and _is_alike(row_before, row):
                found.add(row.name)
    return frozenset(found)


def _holders_with_rows(root: Field) -> Iterator[tuple[Field, list[Field]]]:
    for holder in root.walk():
        rows = [child for child in holder.children if child.row]
        if rows:
            yield holder, rows


def _is_alike(before: Field, now: Field) -> bool:
    """Return True if two rows are shown alike but for their number, and are as in the data."""
    if before is now:
        return True
    todo, is_row = [(before, now)], True
    begins = len(before.name), len(now.name), len(before.id), len(now.id)
    while todo:
        one, other = todo.pop()
        is_another = one.kind == "custom" and one.path != other.path
        if other.findings or is_another or _content(one) != _content(other):
            return False
        if not is_row and _names(one, *begins[::2]) != _names(other, *begins[1::2]):
            return False
        if len(one.children) != len(other.children):
            return False
        todo += zip(one.children, other.children, strict=True)
        is_row = False
    return _text(before) == _text(now)


def _names(field: Field, name: int, id: int) -> tuple[str, ...]:
    """Return what a field in a row is called there."""
    return field.name[name:], field.id[id:], field.label, field.row


def _text(row: Field) -> str | None:
    return None if row.original is None else row.original.raw


def _content(field: Field) -> tuple[object, ...]:
    """Return what the markup of an unedited field depends on, beside its name and its label."""
    return (
        *(field.shape, field.pristine, field.shown, field.states, field.choices, field.note),
        *(field.member is None, field.has_key, field.needs_value, field.opened, field.omitted),
        *(field.read_only, field.is_rest, field.is_unread, field.concealed, field.former),
        *(field.offered, field.tells_secret, field.gone, field.transferred),
    )
