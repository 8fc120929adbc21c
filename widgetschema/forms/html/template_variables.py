"""The templates of forms, and the variables that each of them gets.

The manual lists them, and templates of an application are checked against them. `Field` is
`widgetschema.forms.model.Field`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

KINDS: Final = "kinds/"  # how the names of controls begin


class TemplateSpec(NamedTuple):
    """A template: its purpose, and its variables with their meanings."""

    purpose: str
    variables: Mapping[str, str]


_BUTTONS: Final = {
    "do": "the name of all buttons",
    "focus": "the id of the element that gets the focus, or none",
}
# Of all frames, and of the controls and parts that they include
FIELD: Final[Mapping[str, str]] = {
    "field": "the `Field`: `id`, `name`, `kind`, `path`, `shape`, `shown`, `choices`, `findings` …",
    "label": "its label",
    "name": "the name of its control",
    "text": "the text in its control",
    "attributes": "`id`, `name` and the ARIA attributes of its control, as markup",
    "described": "the attribute `aria-describedby`, or nothing",
    "says": "the attributes `aria-invalid` and `aria-required`, or nothing",
    "focused": "the attribute `autofocus`, or nothing",
    "required": "it must have a value",
    "helped": "it has help, limits, a default or a note: include `help.html`",
    "suggestions": "texts to offer while somebody types",
    "default": "the default in words, or an empty text",
    "quiet": "the control itself says the default",
    "wide": "it takes all columns",
    "bare": "its label is for screen readers only",
    "states": "its menu, as markup, or nothing",
    "type": "of a free value: the control that chooses its type, as markup, or nothing",
    "errors": "its findings, as markup, or nothing",
    "hidden": "it is not shown, as other values are: needs the attribute `hidden`",
    "emptied": "its value was taken away, and can be restored: include `emptied.html`",
    "typed": "the text that was typed last, or none: `name` and `value` of a hidden control",
    "can_start": "it is a group without a value: include `start.html`",
    "was_set": "it has a value in the data",
    "fold": "for a group that can be closed: `open`, and `named`, the field with its name; or none",
    **_BUTTONS,
}
_FRAME: Final = {**FIELD, "control": "the template of its control, to be included"}
_TYPED: Final = {**FIELD, "placeholder": "what the empty control says"}
_LINES: Final = {**_TYPED, "lines": "the height of the text area"}
_COLUMNS: Final = {"columns": "the number of columns in the UI description, or none"}
_CONTAINER: Final = {
    "field": FIELD["field"],
    "members": "the fields of its properties that are in no tab, as markup",
    "tabs": "its tabs, as markup, or nothing",
    **_COLUMNS,
    "rows": "its rows, as markup",
    "rest": "the field of the properties that have no fields, as markup, or nothing",
    "order": "the name of the control with the order of its rows, or none",
    "add": "the value of the button that adds a row, or none",
    "added": "what that button adds, such as `slide`, or an empty text",
    "drop": "the value of the button that removes properties that do not apply, or none",
    "offered": "names to choose from while the name of a property is typed",
    "opened": "the name of the control that keeps it open, or none",
    "removed": "rows that can be restored, or none: `name` and `value` of a hidden control, "
    "`label` and `restore` of the button for the last one",
    **_BUTTONS,
}

TEMPLATES: Final[Mapping[str, TemplateSpec]] = {
    "page": TemplateSpec(
        "a whole page",
        {
            "form": "the form, as markup",
            "title": "the title",
            "language": "the language of its texts: `tag`, `direction`",
            "assets": "the address of `forms.css` and `forms.js`, or none",
            "stylesheet": "the style sheet, as markup, to be inside of the page without `assets`",
            "script": "the script, likewise",
            "preview_script": "the script of a preview, likewise, or nothing",
            "theme": "the rules of a theme in a CSS file, as markup, or nothing",
            "theme_class": "the class of a ready theme, or an empty text",
            "notice": "a sentence above the form, or an empty text",
            "announced": "the notice gets the focus, so that screen readers begin with it",
        },
    ),
    "form": TemplateSpec(
        "the form: outline, sections, buttons",
        {
            "root": "the `Field` of the data as a whole",
            "summary": "the findings, as markup",
            "help": "the description of the data as a whole, or an empty text",
            "errors": "the findings of the data as a whole, as markup, or nothing",
            "conflicts": "choices where others have edited the same, as markup, or nothing",
            "nav": "the outline: each section, or list of groups, with its numbers of findings, of "
            "fields that are set, and of all fields, and its rows: each with the field that names "
            "it, or none, and its number of findings",
            "parts": "the sections and what is between them, in the order of the properties, as "
            "markup",
            "has_files": "it has fields for files, so the form element needs `enctype`",
            "menus": "some fields have a menu",
            "has_buttons": "it has buttons: without `submit`, the Enter key presses the first",
            "changed": "the form has edits that are not saved",
            "controls": "names and values of hidden controls",
            "hidden": "names and values of your hidden controls",
            "do": "the name of all buttons",
            "action": "the address that the form is sent to",
            "method": "the method that it is sent with",
            "live": "the address of live checks, or none",
            "submit": "the label of the button that saves, or none for no buttons",
            "preview": "the frame of the preview, as markup, or nothing",
            "tag": "the `<form>` element belongs to it",
            "language": "the language of its texts: `tag`, `direction`",
            "script_texts": "the texts of the script, as JSON for `data-texts`",
            "theme_class": "the class of a ready theme, or an empty text",
        },
    ),
    "summary": TemplateSpec(
        "all findings above the form",
        {
            "id": "its id",
            "found": "the findings: `finding`, `field` (or none), `label`, `sentence`, `place`",
            "focused": "it gets the focus",
        },
    ),
    "preview": TemplateSpec(
        "the frame of a preview, with buttons for its width",
        {
            "address": "the address of its first page",
            "posts": "it is made of the controls of the form, which are sent to that address",
            "frame": "the name of the frame",
            "sandbox": "the rights of its pages",
            "do": "the name of all buttons",
        },
    ),
    "conflicts": TemplateSpec(
        "choices where others have edited the same",
        {
            "conflicts": "each with `field`, `path`, `around` (the labels of the fields around), "
            "`is_order`, `name` of its control, `base` (the value before) and `sides` (value of "
            "the control, label, value); a value has `text` and `picture`, an address, or is "
            "nothing",
        },
    ),
    "section": TemplateSpec("the frame of a section", _FRAME),
    "group": TemplateSpec("the frame of a group: an object, a list, or alternatives", _FRAME),
    "members": TemplateSpec(
        "a group of properties in a UI description",
        {
            "id": "its id",
            "group": "the group: `label`, `help` …",
            "members": "its fields, as markup",
            "fold": "it can be closed",
            "open": "it is open at first",
            "hidden": "none of its fields is shown",
            **_COLUMNS,
        },
    ),
    "tabs": TemplateSpec(
        "the tabs of an object in a UI description",
        {
            "id": "the id of the object",
            "tabs": "each with `id`, `label`, `open`, `hidden`, `found` (the number of findings), "
            "and `members` and `sections`, as markup",
            **_COLUMNS,
        },
    ),
    "drafts": TemplateSpec(
        "a free value with what was typed into it as another type",
        {
            "shown": "the field, as markup",
            "drafts": "fields that are not shown, as markup",
            "carried": "names and values of hidden controls",
        },
    ),
    "closed": TemplateSpec("the frame of a part that is opened on demand", FIELD),
    "field": TemplateSpec("the frame of a field with one control", _FRAME),
    "radios": TemplateSpec("the frame of segments", _FRAME),
    "checkboxes": TemplateSpec("the frame of checkboxes for a list", _FRAME),
    "help": TemplateSpec("help, limits, default and note of a field", FIELD),
    "emptied": TemplateSpec("the button that restores a value that was taken away", FIELD),
    "start": TemplateSpec("the button of a part without a value", FIELD),
    "errors": TemplateSpec(
        "the findings of a field",
        {
            "field": FIELD["field"],
            "problems": "the findings: `finding`, `sentence`, `place`, `button` (or none)",
            "do": _BUTTONS["do"],
        },
    ),
    "states": TemplateSpec(
        "the items in the menu of a field",
        {
            "states": "each with its label and the value that chooses it",
            "state": "the present one",
            "was": "the one in the data",
            "name": "the name of their control",
        },
    ),
    "rows": TemplateSpec("the rows of a container, and the button that adds one", _CONTAINER),
    "row": TemplateSpec(
        "one row with its buttons",
        {
            "field": FIELD["field"],
            "control": "its field, as markup",
            "key": "the name of the control with the name of an additional property, or none",
            "lines": "the number of lines in that name",
            "offered": "the id of the list of names to choose from, or none",
            "is_free": "its value is free: it has a control that chooses the type",
            "moves": "buttons that move it: `up` or `down`, value, sign",
            "stuck": "those of them that have no effect, at the ends of the list",
            "copy": "the value of the button that duplicates it, or none",
            "copied": "the name and the value of a hidden control, of a duplicate, or none",
            "remove": "the value of the button that removes it",
            **_BUTTONS,
        },
    ),
    **{
        KINDS + kind: TemplateSpec(f"the control {of}", _TYPED)
        for kind, of in {
            "text": "of a text in one line",
            "email": "of an email address",
            "colour": "of a color",
            "date-time": "of a date with its time",
            "date": "of a date",
            "time": "of a time",
            "password": "of a secret: a text, or JSON",
            "number": "of a number",
            "integer": "of a whole number",
            "slider": "of a number with a slider",
        }.items()
    },
    "kinds/url": TemplateSpec(
        "the control of a web address",
        {**_TYPED, "picture": "it is that of a picture, to be shown beside it"},
    ),
    "kinds/long-text": TemplateSpec("the control of a text in several lines", _LINES),
    "kinds/upload": TemplateSpec(
        "the control of a file",
        {
            **_TYPED,
            "sent": "the text of the hidden control, in base64: a file that was chosen before",
            "stored": "the file that is there: `label`, `name`, `address`, `preview`; or none",
            "accept": "its media type, or nothing",
            "most": "how many bytes it may have",
            "most_text": "that in words",
        },
    ),
    "kinds/css": TemplateSpec("the control of CSS", _LINES),
    "kinds/markdown": TemplateSpec(
        "the control of a text in Markdown",
        {
            **_LINES,
            "rendered": "the page with the text, for the `srcdoc` of a frame with `sandbox`: "
            "empty for an empty text, or none without the extra `markdown`",
        },
    ),
    "kinds/json": TemplateSpec("the control of a value as JSON", _LINES),
    "kinds/boolean": TemplateSpec(
        "the switch of yes or no",
        {**FIELD, "present": "the name of a hidden control, which is sent if it is off, too"},
    ),
    "kinds/radios": TemplateSpec(
        "the segments of a choice of few", {**FIELD, "pictures": "some of them have a picture"}
    ),
    "kinds/checkboxes": TemplateSpec(
        "the checkboxes of a list of choices",
        {
            **FIELD,
            "present": "the name of a hidden control, which is sent if none is checked, too",
            "selected": "the `id`s of the choices that are checked",
        },
    ),
    "kinds/select": TemplateSpec(
        "the list of a choice of many",
        {**FIELD, "foreign": "the present value is none of the choices"},
    ),
    "kinds/constant": TemplateSpec("the only value that is allowed", FIELD),
    "kinds/custom": TemplateSpec(
        "a control of the application", {**FIELD, "markup": "the control, as markup"}
    ),
    "kinds/read-only": TemplateSpec("a value that is only shown", _LINES),
    "kinds/object": TemplateSpec("the properties of an object", _CONTAINER),
    "kinds/tuple": TemplateSpec("the items of a list of fixed length", _CONTAINER),
    "kinds/list": TemplateSpec("the items of a list", _CONTAINER),
    "kinds/alternatives": TemplateSpec(
        "the choice among alternatives, with the fields of each",
        {
            **FIELD,
            "branches": "each with its index, its `Field`, and that as markup",
            "kind_name": "the name of the control that chooses",
            "chosen": "the index of the chosen one",
            "carried": "names and values of hidden controls",
            "carry": "how the value of the button begins that the script presses",
            "opened": _CONTAINER["opened"],
        },
    ),
}


def variables_of(name: str) -> Mapping[str, str]:
    """Return the variables of a template by its name; of an unknown one, those of a field."""
    spec = TEMPLATES.get(name)
    return FIELD if spec is None else spec.variables
