"""The notices of the editor: what happened, and what a person can do about it."""

from __future__ import annotations

from typing import Final

from widgetschema.editor.edited_file import FileVersion
from widgetschema.editor.texts import text
from widgetschema.editor.views import DiffLine, Notice, NoticeAction, diff_lines

DONE: Final = {
    "saved": Notice(text("done.saved"), "done"),
    "undone": Notice(text("done.undone"), "done"),
}
UNDONE_BESIDE: Final = Notice(text("done.undone-beside"), "done")
NOT_UNDONE: Final = Notice(text("notice.not-undone"), "problem")
NOT_THERE: Final = Notice(text("notice.new-file"))
MARK: Final = Notice(text("notice.mark"))
NOTHING_TO_SAVE: Final = Notice(text("notice.nothing-to-save"))
NOT_COMPLETE: Final = Notice(text("notice.not-complete"), "problem")
FORGOTTEN: Final = Notice(text("notice.forgotten"), "problem")
REVIEWED_OTHER: Final = Notice(text("notice.reviewed-other"), "problem")


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
