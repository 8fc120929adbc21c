"""The notices of the editor: what happened, and what a person can do about it.

Where a place was edited twice (on this page and in the file, or in the form and in the JSON pane),
its choices are in the words of the form.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

from widgetschema.editor.reconciliation import PageFields
from widgetschema.editor.texts import text
from widgetschema.editor.views import DiffLine, Notice, NoticeAction, diff_lines
from widgetschema.errors import StoreError
from widgetschema.forms.conflicts import ConflictChoice, conflict_choice, field_at
from widgetschema.forms.texts import text as form_text
from widgetschema.jsontext.merging import ConcurrentEdit
from widgetschema.pointers import display_pointer
from widgetschema.project.edited_file import FileVersion
from widgetschema.text import shorten

if TYPE_CHECKING:
    from widgetschema.forms import Form

_KINDS: Final[dict[str, Literal["done", "problem"]]] = {
    "done.undone": "done",
    "done.undone-beside": "done",
    "notice.not-undone": "problem",
    "notice.invalid": "problem",
    "notice.write-failed": "problem",
    "notice.not-complete": "problem",
    "notice.forgotten": "problem",
    "notice.reviewed-other": "problem",
}
_REASONS: Final[Mapping[int, str]] = {
    errno.ENOSPC: "reason.no-space",
    errno.EDQUOT: "reason.quota",
    errno.EACCES: "reason.denied",
    errno.EPERM: "reason.denied",
    errno.EROFS: "reason.read-only",
    errno.ENOENT: "reason.not-found",
    errno.ENOTDIR: "reason.not-found",
    errno.EISDIR: "reason.folder",
    errno.EFBIG: "reason.too-large",
    errno.EIO: "reason.device",
}
_BY_REASON: Final = {os.strerror(number): name for number, name in _REASONS.items()} | {
    "is not a regular file": "reason.no-file"
}
RULES: Final = "rules"  # the notice that the schema has changed
ROWS: Final = "rows"  # the notice that rows cannot be restored in their list
_MOST_PLACES: Final = 5  # that are named
_LONGEST: Final = 400  # characters of their names


def notice(name: str, **parameters: Any) -> Notice:
    """Return the notice that is only a sentence: the text of this name."""
    return Notice(text(name, **parameters), _KINDS.get(name, "notice"))


def saved() -> Notice:
    """Return the notice that the file is saved."""
    return Notice(form_text("notice.saved"), "done")


def file_changed(before: str | None, now: FileVersion, name: str) -> Notice:
    """Return the notice that the file is not the one that the page was made of."""
    if now.problem:
        sentence = text("notice.unreadable-file", reason=now.problem)
        return Notice(sentence, "problem", outside=True)
    if now.raw is None:
        again = NoticeAction(text("choice.write-again"), "overwrite")
        return Notice(text("notice.gone"), "problem", (again,), outside=True)
    lines: tuple[DiffLine, ...] = ()
    if before is not None and now.text is not None:
        lines = diff_lines(before, now.text, name)
    return Notice(
        text("notice.changed"),
        "problem",
        (
            NoticeAction(text("choice.load"), address="/"),
            NoticeAction(text("choice.overwrite"), "overwrite"),
        ),
        lines,
        text("difference.file"),
        outside=True,
    )


def conflicting_edits(
    lines: tuple[DiffLine, ...], choices: tuple[ConflictChoice, ...] = ()
) -> Notice:
    """Return the notice that both form and pane changed since they last agreed."""
    return Notice(
        text("notice.conflict"),
        "problem",
        (
            *((NoticeAction(text("choice.apply"), "merge"),) if choices else ()),
            NoticeAction(text("choice.form"), "form"),
            NoticeAction(text("choice.json"), "pane"),
        ),
        lines,
        text("difference.conflict"),
        choices=choices,
    )


def concurrent_edits(
    choices: tuple[ConflictChoice, ...], changed: Notice, *, is_own: bool
) -> Notice:
    """Return the notice that the file and the page were edited at the same places.

    `changed` is the notice that the file is another one; `is_own` is True if it was saved on
    another page of this editor.
    """
    own = text("notice.both-edited.tab" if is_own else "notice.both-edited.file")
    actions = (NoticeAction(text("choice.apply"), "merge"), changed.actions[0])
    return replace(changed, text=own, choices=choices, actions=actions)


def merged_edits(places: Sequence[str], *, is_own: bool) -> Notice:
    """Return the notice that edits of others, at these places, have come in."""
    shown = places[:_MOST_PLACES]
    more = ("…",) if len(places) > len(shown) else ()
    keep = f"{'tab' if is_own else 'file'}:{', '.join((*shown, *more))}"
    found = kept(keep)
    assert found is not None
    return found


def kept(keep: str) -> Notice | None:
    """Return the notice that stays on the page for a while, by its `keep`; None for others."""
    kind, mark, places = shorten(keep, _LONGEST).partition(":")
    if keep in (RULES, ROWS):
        return Notice(text(f"notice.{keep}"), keep=keep)
    if not mark or kind not in ("tab", "file"):
        return None
    return Notice(text(f"notice.merged.{kind}", places=places), keep=f"{kind}:{places}")


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


def io_reason(error: OSError | StoreError) -> str:
    """Return why a file cannot be read or written, as the end of a sentence.

    Rare reasons are in the words of the system.
    """
    reason = error.reason if isinstance(error, StoreError) else error.strerror or str(error)
    number = None if isinstance(error, StoreError) else error.errno
    name = _BY_REASON.get(reason) if number is None else _REASONS.get(number)
    if name is not None:
        return text(name)
    return f"{reason[:1].lower()}{reason[1:]}" if reason[1:2].islower() else reason
