"""The texts of the editor's pages, by name; those of the form in it are in `forms.texts`.

A text is a template with named parameters; one with a number has a form for one and another for
more.
"""

from __future__ import annotations

from typing import Final

from widgetschema.languages import Domain
from widgetschema.schema.keywords import Counted, Text

TEXTS: Final[dict[str, Text]] = {
    # The bar
    "bar.check": "Check",
    "bar.review": "Review changes",
    "bar.save": "Save",
    "bar.undo": "Undo",
    "bar.redo": "Redo",
    "bar.undo-save": "Undo last save",
    "bar.reload": "Reload",
    "bar.json": "JSON",
    # The status
    "verdict.fine": "Everything is fine",
    "verdict.problems": Counted("1 problem", "{number:,} problems"),
    "verdict.later": "Not complete yet",
    "verdict.unreadable": "The JSON cannot be read",
    "verdict.unchecked": "Cannot be checked",
    "save.not-saved": "Not saved",
    "save.saved": "Saved",
    "save.saved-anyway": "Saved anyway",
    "save.unchanged": "No changes",
    "status.choose": "You need to choose",
    "step.undone": "Undone",
    "step.undone-at": "Undone: {place}",
    "step.redone": "Redone",
    "step.redone-at": "Redone: {place}",
    "step.json": "JSON",
    # Problems that the form does not show
    "document.problems": Counted(
        "1 problem outside the form. Fix it in the JSON.",
        "{number:,} problems outside the form. Fix them in the JSON.",
    ),
    "refused": "This JSON cannot be read.",
    "refused.form": "The form stays as it was until you fix the JSON.",
    "refused.at": "Line {line}, column {column}",
    "refused.restore": "Go back to what is in the form",
    "no-form.unreadable": "The form appears when the JSON can be read. Fix the JSON first.",
    "no-form.data": "There is nothing to fill in: this widget has no data.",
    "no-form.document": "There is no form for this: the file has no widget here, or several.",
    "no-form.type": "There is no form for this: the type of the widget is not known.",
    "no-form.schema": "There is no form for this: the rules of this widget cannot be used.",
    "no-form.network": "There is no form yet: the rules of this widget could not be loaded.",
    "details": "Details",
    "details.hint": "hint: {hint}",
    # The review
    "review.title": "Changes to {name}",
    "review.arrow": "→",  # from an old value to a new one; ← where people read from the right
    "review.moved": "moved from position {before} to {after}",
    "review.renamed": "renamed, was “{before}”",
    "review.added": "added",
    "review.removed": "removed",
    "review.more": Counted("and 1 further change", "and {number:,} further changes"),
    "review.same-values": "All fields stay the same. Only the layout of the text changes.",
    "review.text": "The text: {removed} removed, {added} added",
    "review.lines": Counted("1 line", "{number:,} lines"),
    "review.unread": "Part of the form cannot be read and is not listed here. Correct it to save.",
    "review.insist": Counted(
        "Save anyway, with 1 problem", "Save anyway, with {number:,} problems"
    ),
    "review.save": "Save",
    "review.back": "Continue editing",
    "difference": "Lines that differ",
    "difference.more": Counted("and 1 more line", "and {number:,} more lines"),
    # Beside the form
    "side": "Beside the form",
    "side.json": "JSON",
    "side.preview": "Preview",
    "side.use": "Use this JSON",
    "side.findings": "Problems in the JSON",
    # Notices
    "done.undone": "The last save is undone. The file is as it was before.",
    "done.undone-beside": "The last save is undone. Your edits are still here, not saved.",
    "notice.not-undone": "Nothing was undone: there is no save to undo, or the file has "
    "changed since.",
    "notice.new-file": "This is a new file. It is created when you save.",
    "notice.mark": "The file begins with an invisible mark (a byte order mark) that JSON does not "
    "allow. Saving removes it.",
    "notice.nothing-to-save": "There is nothing to save.",
    "notice.not-complete": "Not saved. Something you entered cannot be used. It is still here: "
    "fix it, then save.",
    "notice.forgotten": "Not saved. This page was open too long, and the editor has lost track of "
    "it. You see the text of the JSON. Your last edits in the form may be missing.",
    "notice.changed": "The file has changed since you opened it. Nothing is saved until you "
    "choose.",
    "notice.gone": "The file is gone. Nothing is saved until you choose.",
    "notice.unreadable-file": "The file cannot be read, so nothing can be saved: {reason}.",
    "notice.conflict": "You have changed the same value in the form and in the JSON. Which one "
    "do you want to keep?",
    "notice.reviewed-other": "Not saved. The text has changed since you looked at it. Look again.",
    "notice.invalid": Counted(
        "Not saved yet. There is 1 problem: fix it, or save anyway.",
        "Not saved yet. There are {number:,} problems: fix them, or save anyway.",
    ),
    "notice.write-failed": "Not saved. The file cannot be written: {reason}.",
    "notice.merged.file": "The file has changed. The changes are here as well: {places}.",
    "notice.merged.tab": "You have saved this file in another tab. Those changes are here as well: "
    "{places}.",
    "notice.look-first": "Not saved yet. Look at what has changed, then save.",
    "notice.both-edited.file": "The file has changed, and you have edited the same field. "
    "Choose which to keep. Nothing is saved until you have chosen.",
    "notice.both-edited.tab": "You have edited the same field in another tab, and saved it there. "
    "Choose which to keep. Nothing is saved until you have chosen.",
    "notice.rows": "The JSON or the file has changed since rows were removed. To get these back, "
    "press Undo at the top of the page.",
    "notice.rules": "The rules of this widget have changed since you opened this page. Everything "
    "is checked with the new ones now.",
    "conflict.was": "It was:",
    "conflict.order": "The order of the items. It was:",
    "conflict.unset": "not set",
    "conflict.removed": "removed",
    "conflict.mine": "On this page:",
    "conflict.file": "In the file:",
    "conflict.form": "In the form:",
    "conflict.json": "In the JSON:",
    "choice.apply": "Continue with these",
    "choice.load": "Discard my edits and load the file",
    "choice.overwrite": "Keep my edits and overwrite the file …",
    "choice.write-again": "Keep my edits and create the file again …",
    "choice.form": "Keep the form",
    "choice.json": "Keep the JSON",
    "difference.file": "What has changed in the file",
    "difference.conflict": "From the form to the JSON",
    # The preview
    "preview.not-yet": "There is no preview yet",
    "preview.unreadable": "The JSON or its type cannot be read.",
    "preview.address-too-large": "The data is too large for an address: {number:,} characters",
    "preview.too-slow": "{command} took longer than {number} seconds",
    "preview.failed": "{command} exited with {code}",
    # What keeps a request from being answered
    "guard.title": "This does not work",
    "guard.nothing": "There is nothing here",
    "guard.link": "Open the editor",
    "guard.wrong-host": "This is not the address of the editor: use the one that the command "
    "printed.",
    "guard.no-cookie": "This browser has not opened the editor yet: open the address that the "
    "command printed, including its token. The address changes each time the command is "
    "started.",
    "guard.used": "This address has already been opened, perhaps in another browser, and works "
    "only once. Continue in that browser, or press Ctrl-C and start the command again for a new "
    "address.",
    "guard.other-address": "This is not the token of this editor: use the address that the "
    "command printed.",
    "guard.foreign-origin": "This request did not come from a page of the editor, so nothing "
    "was done.",
    "error.no-preview": "This editor has no preview.",
    "error.forgotten": "The editor no longer knows the edit that this is about.",
    "error.unreadable-file": "The file cannot be read: {reason}.",
    "reason.no-space": "there is no space left on the device",
    "reason.quota": "your storage quota is used up",
    "reason.denied": "you do not have permission",
    "reason.read-only": "the file system is read-only",
    "reason.not-found": "the file or its folder does not exist",
    "reason.folder": "it is a folder",
    "reason.no-file": "it is not a regular file",
    "reason.too-large": "the file would be too large",
    "reason.device": "the device reported an error",
    "error.no-text": "The file is not text in UTF-8, so it cannot be shown.",
    "error.no-page": "The editor has only one page.",
    "error.no-page-of-this": "This did not come from a page of this editor: open it again.",
    "error.too-many": "The page has sent {number:,} fields, and a form has at most {most:,}. "
    "Nothing was saved.",
    "error.form": "The editor cannot use what this page has sent. Nothing was saved.",
    "error.mistake": "The editor had an internal error ({kind}). Nothing was saved; go back and "
    "try again.",
    "error.no-form": "This is not what a form sends.",
    "error.too-large": "This is more than the editor takes: at most {most:,} bytes.",
    "error.not-utf-8": "The request is not text in UTF-8. Nothing was done.",
    "error.unreadable": "The request cannot be read.",
    # What the scripts say
    "script.silent": "The editor does not answer. Is it still running? What you typed is only on "
    "this page.",
    "script.place": "Line {line}, column {column}",
    "script.line": "Line {line}: {said}",
    "script.go": "Go to {label}",
    "script.data": "the data",
}

EDITOR_DOMAIN: Final = Domain("editor", TEXTS)
text: Final = EDITOR_DOMAIN.text
