"""The notices of the editor: what happened, and what a person can do about it."""

from __future__ import annotations

from typing import Final, Literal

from widgetschema.editor.edited_file import FileVersion
from widgetschema.editor.texts import text
from widgetschema.editor.views import DiffLine, Notice, NoticeAction, diff_lines

_KINDS: Final[dict[str, Literal["done", "problem"]]] = {
    "done.saved": "done",
    "done.undone": "done",
    "done.undone-beside": "done",
    "notice.not-undone": "problem",
    "notice.not-complete": "problem",
    "notice.forgotten": "problem",
    "notice.reviewed-other": "problem",
}
DONE: Final = {"saved": "done.saved", "undone": "done.undone"}


def notice(name: str) -> Notice:
    """Return the notice that is only a sentence: the text of this name."""
    return Notice(text(name), _KINDS.get(name, "notice"))


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


def conflicting_edits(lines: tuple[DiffLine, ...]) -> Notice:
    """Return the notice that both form and pane changed since they last agreed."""
    return Notice(
        text("notice.conflict"),
        "problem",
        (NoticeAction(text("choice.form"), "form"), NoticeAction(text("choice.json"), "pane")),
        lines,
        text("difference.conflict"),
    )


def invalid(number: int) -> Notice:
    """Return the notice that a document with problems was not saved."""
    return Notice(text("notice.invalid", number=number), "problem")


def write_failed(reason: str) -> Notice:
    """Return the notice that the system did not write the file."""
    return Notice(text("notice.write-failed", reason=reason), "problem")
