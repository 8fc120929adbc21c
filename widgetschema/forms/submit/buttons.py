"""The buttons of a form: each changes the posted controls, and nothing else.

A button whose field does not exist does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from widgetschema.forms import control_names as names
from widgetschema.forms.control_names import Action, pointer_of
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.overlay import Overlay
from widgetschema.forms.fields.value_transfer import (
    merge_with_draft,
    reads_alike,
    transferable_text,
)
from widgetschema.forms.model import (
    CHOICE_KINDS,
    HOLDER_KINDS,
    NULL,
    TYPED_KINDS,
    UNSET,
    Field,
    PostedControls,
)
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.posted_controls import (
    can_restore_typed,
    controls_of,
    hides_typed,
    is_typed_since,
    says_typed,
    typed_mark,
    with_added,
    without_fields,
)
from widgetschema.forms.row_names import member_of, naming_field
from widgetschema.forms.submit.edit_plan import field_text, unreadable_in
from widgetschema.forms.submit.removed_rows import (
    removed_row,
    removed_rows,
    renamed,
    with_removed_rows,
)
from widgetschema.forms.submit.suggestions import content_of
from widgetschema.jsontext import Limits, dump
from widgetschema.jsontext.digests import is_same_value
from widgetschema.jsontext.tree import Element, Tree, scanned
from widgetschema.text import printable, shorten

_MAX_NAME: Final = 40  # characters of the name of a removed row
_NEW: Final = re.compile(r"\+([1-9][0-9]{0,8})")


def press_button(posted: PostedControls, action: Action, root: Field) -> PostedControls:
    """Return the controls after a button was pressed on the form of `root`."""
    if action.verb == names.CHECK:
        return posted
    if action.verb == names.OPEN:
        return _opened_part(posted, action.name, root)
    if action.verb == names.DROP:
        field = root.find(action.name)
        dropped = [] if field is None else [child for child in field.children if child.former]
        removed = [control for child in dropped for control in removal_of(child)]
        return {**posted, **{name: [value] for name, value in removed}}
    if action.verb == names.RESTORE:
        return _restored(posted, action.name, root)
    if action.verb == names.ADD:
        field = root.find(action.name)
        if field is None or field.is_full:
            return posted
        rows = (*field.shown.rows, _new_row(posted, field))
        return _with_rows(posted, field, rows)
    around, _, row = action.name.rpartition("/")
    field = root.find(around)
    if field is None or row not in field.shown.rows:
        return posted
    if action.verb == names.COPY and field.is_full:
        return posted
    if action.verb == names.COPY:
        return _with_copy(posted, field, row)
    if action.verb == names.REMOVE:
        posted = _without_row(posted, field, row)
    return _with_rows(posted, field, _moved_rows(field.shown.rows, row, action.verb))


def with_typed_texts(posted: PostedControls, root: Field) -> PostedControls:
    """Return the controls with the text that was typed last into each field, to be restored.

    What is typed into a field that a page showed as taken away, or in it, sets it. So does what is
    typed beside the choice of no text: without a script, nobody knows which was first.
    """
    found = dict(posted)
    for field in root.walk():
        state = names.companion_name(names.STATE, field.name)
        chosen = found.get(state, [""])[0]
        if chosen in names.LEFT.values():
            is_set = any(is_typed_since(one, posted) for one in field.walk())
        else:
            is_set = (
                chosen in (names.EMPTIED, UNSET, NULL)
                and field.kind in (*TYPED_KINDS, "custom")
                and is_typed_since(field, posted)
            )
        if is_set:
            found[state] = ["set"]
        if field.name not in posted or not says_typed(field):
            continue
        control = names.companion_name(names.TYPED, field.name)
        typed = field.shown.text or (normalize_newlines(posted[field.name][0]) if is_set else "")
        mark = typed_mark(field, typed)
        is_gone = not (mark and (is_set or field.shown.state not in names.LEFT))
        if typed == field.pristine.text or (is_gone and hides_typed(field)):
            found.pop(control, None)
        elif mark:
            found[control] = [mark]
    return found


def removal_of(field: Field) -> Iterator[tuple[str, str]]:
    """Yield the controls that remove the value of a field, with their values."""
    field = field.chosen
    if field.shown.state == "unset":
        return
    if field.kind in CHOICE_KINDS:
        yield field.name, UNSET
    elif "unset" in field.states:
        yield names.companion_name(names.STATE, field.name), "unset"
    else:
        yield field.name, ""


def _without_row(posted: PostedControls, holder: Field, row: str) -> PostedControls:
    """Return the controls without those about a row, which can be restored."""
    name = names.row_name(holder.name, row)
    child = next((child for child in holder.children if child.name == name), None)
    label = "" if child is None else _label_of_row(holder, child)
    removed = removed_row(posted, holder.name, holder.shown.rows, row, label)
    rows = (*removed_rows(posted, holder.name), removed)
    return with_removed_rows(without_fields(posted, [name]), holder.name, rows)


def _label_of_row(holder: Field, row: Field) -> str:
    """Return the label of a row, with its own name: others get its number."""
    named = naming_field(row) if holder.kind == "list" else None
    name = "" if named is None else printable(named.shown.text.strip())
    return f"{row.label} ({shorten(name, _MAX_NAME)})" if name else row.label


def _restored(posted: PostedControls, name: str, root: Field) -> PostedControls:
    """Return the controls with what was removed: a row, a new group, or the text of a field."""
    field, (around, _, id) = root.find(name), name.rpartition("/")
    holder = root.find(around)
    rows = () if holder is None else removed_rows(posted, holder.name)
    row = next((one for one in reversed(rows) if one.id == id), None)
    if holder is not None and row is not None:
        shown, is_there = holder.shown.rows, field is not None
        if not (is_there or is_new_row(id) or id in holder.pristine.rows):
            return posted
        posted = with_removed_rows(posted, around, [one for one in rows if one is not row])
        typed = {one: posted[one] for one in controls_of(posted, name) if one[0] == names.ROOT}
        posted |= row.restored(name) | {one: texts for one, texts in typed.items() if any(texts)}
        at = shown.index(row.after) + 1 if row.after in shown else 0
        return posted if is_there else _with_rows(posted, holder, (*shown[:at], id, *shown[at:]))
    if field is None:
        return posted
    last = posted.get(names.companion_name(names.TYPED, name))
    last = last if can_restore_typed(field) else None
    posted = without_fields(posted, [name])
    if last is None and field.gone is not None:
        content = content_of(field, field.gone)
        last = None if content is None else [content]
    if last is None or field.kind in HOLDER_KINDS:
        return posted
    state = {names.companion_name(names.STATE, name): ["set"]} if field.states else {}
    return {**posted, name: last, **state}


def _with_copy(posted: PostedControls, holder: Field, row: str) -> PostedControls:
    """Return the controls with a copy of a row of a list after it.

    The copy is a new row that is made of the same item, and has the same controls: what cannot be
    read, and what was typed into other alternatives, is copied, too.
    """
    if holder.kind == "object":
        return posted
    new, at = _new_row(posted, holder), holder.shown.rows.index(row) + 1
    name, copy = (names.row_name(holder.name, id) for id in (row, new))
    copied = renamed(controls_of(posted, name), name, copy)
    if not is_new_row(row):
        copied[names.companion_name(names.ORIGIN, copy)] = [row]
    return _with_rows(
        {**posted, **copied}, holder, (*holder.shown.rows[:at], new, *holder.shown.rows[at:])
    )


def tree_of(root: Field, name: str, tree: Tree) -> Tree:
    """Return the text in which a field has its value: `tree`, or a text that was transferred."""
    for field in root.walk():
        around = field.transferred
        if around is not None and f"{name}/".startswith((f"{field.name}/", f"{field.name};")):
            tree = around.tree
    return tree


def carry_value(
    posted: PostedControls,
    action: Action,
    root: Field,
    tree: Tree,
    limits: Limits,
    as_posted: PostedControls,
) -> PostedControls:
    """Return the controls with a value moved to the alternative that was chosen on a live page.

    What was typed there since the page was made stays: `as_posted` tells it.
    """
    around, _, index = action.name.rpartition(";")
    field = root.find(around)
    if field is None or field.kind != "alternatives" or index not in _alternative_ids(field):
        return posted
    typed = [one for one in field.chosen.walk() if is_typed_since(one, as_posted)]
    tree = tree_of(root, around, tree)
    return _transferred(posted, field, int(index), tree, limits, typed)


def follow_choices(posted: PostedControls, root: Field, source: FormSource) -> PostedControls:
    """Return the controls with typed input moved to the alternative that was chosen after it.

    That is for a page without a script. An alternative that was typed into itself keeps that, and
    so does the one of a value that earlier posts have edited.
    """
    asked = (
        names.companion_name(names.KIND, names.ROOT),
        names.companion_name(names.WAS, names.ROOT),
    )
    if not any(name.startswith(asked) for name in posted):
        return posted
    overlay = Overlay(posted)
    for field in root.walk():
        if field.kind != "alternatives" or not field.children:
            continue
        was = overlay.first(names.companion_name(names.WAS, field.name))
        index = int(was) if was in _alternative_ids(field) else field.pristine.chosen
        left, target = field.children[index], field.children[field.shown.chosen]
        if left is target or overlay.is_about(target.name):
            continue
        if field.shown.chosen == field.pristine.chosen and source.is_edited(pointer_of(field.name)):
            continue
        if overlay.is_about(left.name):
            tree = tree_of(root, field.name, source.tree)
            posted = _transferred(posted, field, index, tree, source.checks.limits)
    return posted


def _alternative_ids(field: Field) -> list[str]:
    return [str(at) for at in range(len(field.children))]


def _transferred(
    posted: PostedControls,
    field: Field,
    index: int,
    tree: Tree,
    limits: Limits,
    typed: Sequence[Field] = (),
) -> PostedControls:
    """Return the controls with the value of an alternative in the one that is chosen.

    What that cannot hold stays where it is. The chosen one keeps of its draft what the other one
    could not hold, and its members of which something was `typed`, or all of a value without
    members. Of a free value there is one draft, if it can be held altogether: what was removed from
    it is not there again.
    """
    source, target = field.children[index], field.children[field.shown.chosen]
    if any(one.shape.secret for one in source.walk()):
        return posted  # it could be seen there
    text = None if source is target else field_text(source, tree, limits)
    if text is None:
        return posted
    held = transferable_text(scanned(text), target.shape, source.shape.node)
    if held is not None and typed:
        held = _without_typed(scanned(held), target, typed)
    if held is None:
        return posted
    changed, original = without_fields(posted, [target.name]), field.original
    unread = (name for name in unreadable_in(target, limits) if name in posted)
    changed |= {name: posted[name] for name in unread}
    is_back = field.shown.chosen == field.pristine.chosen
    draft = field_text(target, tree, limits) if is_back or len(changed) < len(posted) else None
    there = draft and transferable_text(scanned(draft), source.shape, target.shape.node)
    if draft is not None and there is None:
        return posted
    is_whole = is_same_value(held, text) and not unreadable_in(source, limits)
    if field.shape.free and is_whole:
        changed, draft = without_fields(changed, [source.name]), None
    if draft is not None:
        held = merge_with_draft(scanned(draft), scanned(held), scanned(there or ""))
    if original is not None:
        if is_back and reads_alike(scanned(held), original):
            return changed  # as it was
        if draft is None and text == original.raw:
            return changed  # it is shown there by itself
    changed[names.companion_name(names.FROM, target.name)] = [held]
    return changed


def _without_typed(held: Element, target: Field, typed: Sequence[Field]) -> str | None:
    """Return the members of a value about which nothing was typed; None if it has no members."""
    if held.kind != "object" or target.chosen.kind != "object":
        return None
    kept = {
        child.shown.key if child.has_key else member_of(child)
        for child in target.chosen.children
        if any(one in typed for one in child.walk())
    }
    parts = (f"{dump(one.name)}: {one.element.raw}" for one in held.members if one.name not in kept)
    return f"{{{', '.join(parts)}}}"


def _new_row(posted: PostedControls, holder: Field) -> str:
    """Return the id of the next new row; those that can be restored keep theirs."""
    removed = (row.id for row in removed_rows(posted, holder.name))
    return new_row_id((*holder.shown.rows, *removed))


def new_row_id(rows: tuple[str, ...]) -> str:
    """Return the id of the next new row."""
    return f"+{next_row_number(rows)}"


def next_row_number(rows: Iterable[str]) -> int:
    """Return the number of the next new row."""
    numbers = [int(match[1]) for match in map(_NEW.fullmatch, rows) if match]
    return max(numbers, default=0) + 1


def is_new_row(row: str) -> bool:
    """Return True if an id is that of a new row."""
    return _NEW.fullmatch(row) is not None


def _moved_rows(rows: tuple[str, ...], row: str, verb: str) -> tuple[str, ...]:
    at = rows.index(row)
    rest = [*rows[:at], *rows[at + 1 :]]
    if verb != names.REMOVE:
        rest.insert(max(at - 1, 0) if verb == names.UP else at + 1, row)
    return tuple(rest)


def _with_rows(posted: PostedControls, field: Field, rows: tuple[str, ...]) -> PostedControls:
    changed = {**posted, names.companion_name(names.ORDER, field.name): [",".join(rows)]}
    if field.shown.state != "set" and field.states:
        changed[names.companion_name(names.STATE, field.name)] = ["set"]
    if not field.opened:
        changed[names.companion_name(names.OPEN, field.name)] = ["1"]
    return changed


def _opened_part(posted: PostedControls, name: str, root: Field) -> PostedControls:
    field = root.find(name)
    if field is None:
        return posted
    changed = {**posted, names.companion_name(names.OPEN, name): ["1"]}
    if field.shown.state == "set":
        return changed
    if not (field.shown.rows or removed_rows(posted, name)):
        is_shown_empty = field.kind == "list" and field.opened and not field.shape.least
        if is_shown_empty and not field.is_full:  # else nothing would change on the page
            return _with_rows(changed, field, (_new_row(posted, field),))
        return with_added(changed, name)
    return changed | {names.companion_name(names.STATE, name): ["set"]}
