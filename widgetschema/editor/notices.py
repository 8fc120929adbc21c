"""The notices of the editor: what happened, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from widgetschema.editor.texts import text
from widgetschema.editor.views import DiffLine, Notice, NoticeAction, diff_lines
from widgetschema.forms.conflicts import ConflictChoice
from widgetschema.forms.texts import text as form_text
from widgetschema.project.edited_file import FileVersion
from widgetschema.text import shorten

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
