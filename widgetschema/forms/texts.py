"""The texts of forms that are not about findings, by name: labels, notes, bounds.

A text is a template with named parameters; one with a number has a form for one and another for
more. Findings have their texts in the keyword registry. All are read in the current language:
call `text` when something is shown, never when a module is imported.
"""

from __future__ import annotations

from typing import Final

from widgetschema.languages import Domain, Phrases, current_language
from widgetschema.schema.keywords import Counted, Text, texts_of

TEXTS: Final[dict[str, Text]] = {
    # Kinds of values, as labels of alternatives
    "kind.text": "Text",
    "kind.long-text": "Text",
    "kind.css": "CSS",
    "kind.url": "Web address",
    "kind.email": "Email address",
    "kind.colour": "Color",
    "kind.date-time": "Date and time",
    "kind.date": "Date",
    "kind.time": "Time",
    "kind.password": "Password",
    "kind.upload": "File",
    "kind.markdown": "Text",
    "kind.number": "Number",
    "kind.integer": "Whole number",
    "kind.slider": "Number",
    "kind.boolean": "Yes or no",
    "kind.enum": "Choice",
    "kind.checkboxes": "Several choices",
    "kind.constant": "Fixed value",
    "kind.object": "Group",
    "kind.object-with": "{group} with {names}",
    "kind.list": "List",
    "kind.tuple": "List",
    "kind.alternatives": "One of several kinds",
    "kind.custom": "Value",
    "kind.json": "Free-form value",
    "kind.json.array": "Free-form list",
    "kind.json.object": "Free-form group",
    # The types of a free value
    "type.string": "Text",
    "type.number": "Number",
    "type.boolean": "Yes or no",
    "type.array": "List",
    "type.object": "Group",
    "type.null": "No value",
    "type.json": "Code (JSON)",
    "type": "Kind of value",
    "type.of": "Kind of value of {label}",
    "type.change": "Change",
    "type.change-of": "Change the kind of value of {label}",
    # Choices
    "choice.yes": "Yes",
    "choice.no": "No",
    "choice.unset": "Not set",
    "choice.null": "No value",
    "choice.empty": "(empty text)",
    "choice.kept": "{value} (kept)",
    "choice.default": "Default ({label})",
    # Labels
    "label.data": "Data",
    "label.empty-name": "(empty name)",
    "label.new-member": "New entry",
    "label.rest-item": Counted("{label}: 1 further item", "{label}: {number:,} further items"),
    "label.rest-member": Counted("{label}: 1 further entry", "{label}: {number:,} further entries"),
    # Notes: why a value is shown as code
    "note.character": "Shown as code (JSON), because it has a character that cannot be typed",
    "note.fields": "Shown as code (JSON), because this form has no room for more fields",
    "note.rest": "This form has no room for more fields: all others are here, as code (JSON)",
    "note.depth": "Shown as code (JSON), because it has more levels than a form can show",
    "note.type": "Shown as code (JSON), because another kind of value is expected here",
    "note.alternatives": "Shown as code (JSON), because there are too many kinds to choose from",
    "note.secret": "Not shown, because it holds a secret",
    "note.read-only": "Cannot be changed here",
    "note.former": "Does not apply to the current answers",
    "note.large": "Shown as code (JSON), because it has more than {number:,} parts",
    "note.nothing": "Nothing can be entered here",
    # Notices
    "notice.saved": "Saved.",
    "notice.merged": Counted(
        "Saved, together with 1 change that somebody else has made since you opened the form.",
        "Saved, together with {number:,} changes that somebody else has made since you opened the "
        "form.",
    ),
    "notice.merged-unsaved": Counted(
        "1 change that somebody else has made since you opened the form is here as well. Nothing "
        "is saved yet.",
        "{number:,} changes that somebody else has made since you opened the form are here as "
        "well. Nothing is saved yet.",
    ),
    # Bounds
    "bound.range": "{low} to {high}",
    "bound.least": "at least {limit}",
    "bound.most": "at most {limit}",
    "bound.above": "more than {limit}",
    "bound.below": "less than {limit}",
    "bound.multiple": "a multiple of {limit}",
    "bound.unique": "no two alike",
    "bound.exactly": "exactly {count}",
    "bound.counts": "{least:,} to {count}",
    "count.character": Counted("1 character", "{number:,} characters"),
    "count.item": Counted("1 item", "{number:,} items"),
    "count.member": Counted("1 entry", "{number:,} entries"),
    # The states of a value, in the menu of its field
    "state.unset": "Not set",
    "state.null": "No value",
    "state.empty": "Empty text",
    "state.set": "As entered",
    "state.kept": "Kept as it is",
    "menu": "More",
    "menu.others": "Show other kinds of value",
    "menu.of": "More for {label}",
    "menu.value": "Value of {label}",
    # What an empty control says
    "empty.default": "Default: {value}",
    "empty.secret": "Stored, not shown",
    "empty.example": "e.g. {example}",
    "help.examples": "for example {examples}",
    # Markdown
    "markdown.preview": "Preview",
    "markdown.preview-of": "Preview of {label}",
    "markdown.too-long": "A text of more than {number:,} characters has no preview",
    # Files
    "upload.stored": "{type}, {size}",
    "upload.bytes": Counted("1 byte", "{number:,} bytes"),
    "upload.kilobytes": "{size} kB",
    "upload.megabytes": "{size} MB",
    "upload.unreadable": "Text that is not a file, {count}",
    "upload.download": "Download",
    "upload.download-of": "Download {label}",
    # Around fields
    "field.required": "required",
    "field.default": "Default:",
    "page.title": "Form",
    "nav": "Sections",
    "nav.set": "set:",
    "nav.problems": "problems:",
    "menus.show": "Show the menu of each field",
    # Buttons: what people see, and with the label of the field for those who only hear it
    "button.save": "Save",
    "button.check": "Check",
    "button.add": "Add",
    "button.add-to": "Add to {label}",
    "button.add-part": "Add {label}",
    "button.drop": "Remove everything that does not apply",
    "button.restore": "Bring back",
    "button.restore-part": "Bring back {label}",
    "button.for": "{button} for {label}",
    "row.name": "Name",
    "row.name-of": "Name of {label}",
    "row.up": "Move up",
    "row.up-of": "Move {label} up",
    "row.down": "Move down",
    "row.down-of": "Move {label} down",
    "row.copy": "Duplicate",
    "row.copy-of": "Duplicate {label}",
    "row.removed": "Removed: {label}",
    "row.restore": "Undo",
    "row.restore-of": "(bring back {label})",
    "value.removed": "Removed.",
    "row.remove": "Remove",
    "row.remove-of": "Remove {label}",
    # The preview beside a form
    "preview.frame": "Preview of the widget",
    "preview.width": "Width of the preview",
    "preview.phone": "Phone",
    "preview.tablet": "Tablet",
    "preview.desktop": "Desktop",
    "preview.show": "Show the preview",
    "preview.none": "There is no preview",
    "preview.no-form": "The data cannot be read.",
    "preview.no-text": "This is not text: {type}",
    "preview.page-too-large": "The page is too large: {number:,} characters",
    # Problems
    "problems": Counted("There is 1 problem", "There are {number:,} problems"),
    "problem": "Problem:",
    "details": "Details",
    "details.of": "Details for developers: {label}",
    "details.hint": "hint: {hint}",
    # Values that somebody else has changed, too
    "conflict": "Somebody else has changed this since the form was shown. It was:",
    "conflict.order": "Somebody else has changed the order of the items since the form was shown. "
    "It was:",
    "conflict.mine": "Keep mine:",
    "conflict.theirs": "Take theirs:",
    "conflict.unset": "not set",
    "conflict.removed": "removed",
    "conflict.differs": "changed: {labels}",  # the members of a value that is not shown
    # What the script says
    "script.no-answer": "Not checked: there is no answer.",
    "script.logged-out": "Not checked: you may have been logged out.",
    "script.stale": "Not checked: somebody else has changed this since the form was shown. What "
    "you have entered is checked when you save.",
    "script.refused": "Not checked: the server answers {status}.",
    "script.done": "{button}: done",
    "script.fine": "No problems",
    "script.problems": Counted("1 problem", "{number:,} problems"),
    "script.find": "Find a field",
    "script.find-by-key": "Find a field (/)",
    "script.only-set": "Only set",
    "script.only-found": "Only with problems",
    "script.found": Counted("1 field found", "{number:,} fields found"),
    "script.not-found": "Nothing found",
    "script.not-listed": Counted("1 more: type to find it", "{number:,} more: type to find them"),
    "script.pick": "Choose {label}",
    "script.drag": "Drag to move",
    "script.moved": "{label} is number {position} of {number} now",
    "script.removed": "Removed.",
    "script.undo": "Undo",
    "script.undo-of": "Undo: bring back {label}",
    "script.too-large": "This file is too large: at most {most}",
    "script.empty-file": "This file is empty: choose another one",
    "script.more": "More",
    "script.more-for": "More for {label}",
    "script.moment-time": "{label}: time",
    "script.moment-zone": "{label}: time zone",
    "script.moment-your-zone": "Your time zone",
    "script.moment-no-zone": "No time zone",
    "script.moment-elsewhere": "{moment} in {zone}",
    "script.moment-stays": "Still {offset}; on this day, {zone} has {own}",
    "script.moment-use": "Use {offset}",
    "script.moment-needs-date": "Choose a date, too",
    "script.moment-incomplete": "Not complete: the value is as before",
    "script.moment-not-shown": "Shown as text: the date control cannot show it",
    "script.moment-as-parts": "Edit as date and time",
    "script.moment-as-text": "Edit as text",
}


FORM_DOMAIN: Final = Domain("form", TEXTS)
ADVICE_DOMAIN: Final = Domain("advice", texts_of("editor"))  # findings, and what a value has to be
text: Final = FORM_DOMAIN.text


def advice() -> Phrases:
    """Return the sentences of the keyword registry for people, in the current language."""
    return current_language().phrases(ADVICE_DOMAIN)
