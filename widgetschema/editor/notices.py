"""The notices of the editor: every sentence that tells a person what happened or what to do."""

from __future__ import annotations

from typing import Final

from widgetschema.editor.edited_file import FileVersion
from widgetschema.editor.views import DiffLine, Notice, NoticeAction, diff_lines

DONE: Final = {
    "saved": Notice("Saved.", "done"),
    "undone": Notice("The file is as it was before the last save.", "done"),
}
UNDONE_BESIDE: Final = Notice(
    "The file is as it was before the last save; your edits are still here, and not saved.", "done"
)
NOT_UNDONE: Final = Notice(
    "Nothing was undone: there is no save, or the file is no longer what was saved.", "problem"
)
NOT_THERE: Final = Notice("There is no such file yet: it is written when you save.")
MARK: Final = Notice(
    "The file begins with a byte order mark, which JSON does not allow: it goes when you save."
)
NOTHING_TO_SAVE: Final = Notice("There is nothing to save: the file has all of this.")
NOT_COMPLETE: Final = Notice(
    "Nothing was saved: something cannot be read. What you typed is still here; fix it first.",
    "problem",
)
FORGOTTEN: Final = Notice(
    "The editor no longer knows the text that this page was made of. This is the text of its JSON "
    "pane; edits in the form since the last check are not in it. Nothing was saved.",
    "problem",
)


def file_changed(before: str | None, now: FileVersion, name: str) -> Notice:
    """Return the notice that the file is not the one that the page was made of."""
    keep = NoticeAction("Keep my edits and overwrite …", "overwrite")
    if now.problem:
        sentence = f"The file cannot be read: {now.problem}. Nothing is saved until it can."
        return Notice(sentence, "problem", outside=True)
    if now.raw is None:
        return Notice(
            "The file is no longer there. Nothing is saved until you choose.",
            "problem",
            (NoticeAction("Keep my edits and write it again …", "overwrite"),),
            outside=True,
        )
    lines: tuple[DiffLine, ...] = ()
    if before is not None and now.text is not None:
        lines = diff_lines(before, now.text, name)
    return Notice(
        "The file was changed by somebody else since this page was made of it. Nothing is saved "
        "until you choose.",
        "problem",
        (NoticeAction("Load the file again, without my edits", address="/"), keep),
        lines,
        "What was changed in the file",
        outside=True,
    )


def conflicting_edits(lines: tuple[DiffLine, ...]) -> Notice:
    """Return the notice that both form and pane changed since they last agreed."""
    return Notice(
        "Both the form and the JSON were changed since they last were the same. Which of them is "
        "to count?",
        "problem",
        (
            NoticeAction("Keep what is in the form", "form"),
            NoticeAction("Keep what is in the JSON", "pane"),
        ),
        lines,
        "From the form to the JSON",
    )


def not_saved(why: str) -> Notice:
    """Return the notice that nothing was saved, for a reason that a person can look at."""
    return Notice(f"Nothing was saved. {why}", "problem")


def write_failed(reason: str) -> Notice:
    """Return the notice that the system did not write the file."""
    return Notice(f"Nothing was saved: the file cannot be written: {reason}.", "problem")
