"""Read a `uiSchema` of react-jsonschema-form as a UI description, and say what it cannot use.

Its options are those of the documentation of react-jsonschema-form 6 ("uiSchema", "Widgets",
"Arrays"). Each can be written as `ui:NAME`, or as NAME in `ui:options`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from widgetschema.errors import InvalidFormDescription
from widgetschema.findings import Finding
from widgetschema.forms.custom_controls import find_control
from widgetschema.forms.fields.presentation import presentation
from widgetschema.forms.fields.ui_checks import check_against_schema
from widgetschema.forms.fields.ui_description import parse_ui_description
from widgetschema.jsontext import dump, preview
from widgetschema.pointers import (
    ANY,
    ANY_DEPTH,
    display_pointer,
    escape_token,
    parse_pattern,
    parse_pointer,
)
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.suggest import nearest
from widgetschema.validation import Validator

_PREFIX: Final = "ui:"
_JSON_FIELD: Final = "widgetschemaJson"  # of our own export
_TEXTS: Final = {"title": "label", "placeholder": "placeholder"}
_HELP: Final = ("description", "help")
_KINDS: Final = {
    "text": "text",
    "textarea": "long-text",
    "password": "password",
    "color": "colour",
    "email": "email",
    "uri": "url",
    "url": "url",
    "date": "date",
    "alt-date": "date",
    "date-time": "date-time",
    "datetime": "date-time",
    "datetime-local": "date-time",
    "alt-datetime": "date-time",
    "time": "time",
    "updown": "number",
    "number": "number",
    "range": "slider",
    "radio": "radios",
    "select": "select",
    "checkboxes": "checkboxes",
    _JSON_FIELD: "json",
}
# What these say is so in any case.
_DEFAULTS: Final[tuple[tuple[str, Any], ...]] = (
    ("readonly", False),
    ("disabled", False),
    ("inline", True),
    ("label", True),
    ("hideError", False),
    ("fieldReplacesAnyOrOneOf", True),
    ("fieldReplacesAnyOrOneOf", False),
    ("autofocus", False),
)
_KNOWN: Final = frozenset(
    "accept addable additionalFields allowClearTextInputs autocapitalize autocomplete autofocus "
    "chooseColumns classNames copyable definitions deprecatedHandling description disabled "
    "duplicateKeySuffixSeparator emptyValue enableMarkdownInDescription enableMarkdownInHelp "
    "enableOptionalDataFieldForType enumDisabled enumNames enumOrder expandable "
    "expandUiSchemaDefinitions field fieldReplacesAnyOrOneOf filePreview format globalOptions help "
    "hideClearButton hideError hideNowButton initialValue inline inputType label labelTemplate "
    "layoutGrid maxSize optgroups optionsSchemaSelector optionValueFormat order orderable "
    "placeholder readonly removable required rootFieldId rows step style submitButtonOptions title "
    "widget yearsRange".split()
)


class UnusedEntry(NamedTuple):
    """An entry of a `uiSchema` that a UI description has nothing for.

    `path` is its JSON Pointer in the `uiSchema`.
    """

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{display_pointer(self.path)}: {self.reason}"


class UiSchemaReading(NamedTuple):
    """A UI description (`ui` of `WidgetType.form`), and what of the `uiSchema` it does not have."""

    ui: dict[str, dict[str, Any]]
    unused: tuple[UnusedEntry, ...]


def read_ui_schema(
    ui_schema: Mapping[str, Any], schema: Mapping[str, Any] | None = None
) -> UiSchemaReading:
    """Return the UI description that says the same as a `uiSchema`.

    Args:
        ui_schema: The `uiSchema`, decoded from JSON.
        schema: The JSON Schema of the data, such as `WidgetType.data_schema(dialect="draft-07")`.
            Lists of `enumNames` can be used only with it, since they go by position.

    Returns:
        The description. Everything that it has no option for is in `unused`; so is, with the
        schema, what a form would refuse.

    Raises:
        SchemaError: The schema cannot be used.
    """
    return _Reading(None if schema is None else _tree_of(schema)).of(ui_schema)


def _tree_of(schema: Mapping[str, Any]) -> SchemaTree:
    validator = Validator(schema)
    return SchemaTree(validator.linked, validator.matches)


class _Reading:
    """One run of `read_ui_schema`."""

    def __init__(self, tree: SchemaTree | None) -> None:
        self.tree = tree
        self.ui: dict[str, dict[str, Any]] = {}
        self.places: dict[tuple[str, str], str] = {}  # of patterns and their options
        self.unused: list[UnusedEntry] = []

    def of(self, ui_schema: Mapping[str, Any]) -> UiSchemaReading:
        """Return what a whole `uiSchema` says."""
        todo: list[tuple[str, str, Any]] = [("", "", ui_schema)]
        while todo:
            pattern, at, given = todo.pop()
            if not isinstance(given, Mapping):
                self.lose(at, f"{preview(given, 40)} is not an object")
                continue
            self.places[pattern, ""] = at
            for place, name, value in _options(given, at):
                self.option(pattern, place, name, value)
            todo += reversed([*self.children(pattern, at, given)])
        while refused := self.refused():
            for finding in refused:
                self.remove(*parse_pointer(finding.path))
                self.lose(self.place_of(*parse_pointer(finding.path)), finding.message)
        return UiSchemaReading(self.ui, tuple(self.unused))

    def refused(self) -> tuple[Finding, ...]:
        """Return why a form would refuse the description."""
        try:
            description = parse_ui_description(self.ui)
            if description is not None and self.tree is not None:
                check_against_schema(description, self.tree.root)
        except InvalidFormDescription as error:
            return error.report.findings
        return ()

    def remove(self, *tokens: str) -> None:
        """Remove a part of the description, and what is empty without it."""
        holders: list[Any] = [self.ui]
        for token in tokens[:-1]:
            holders.append(holders[-1][int(token) if isinstance(holders[-1], list) else token])
        for holder, token in zip(reversed(holders), reversed(tokens), strict=True):
            del holder[int(token) if isinstance(holder, list) else token]
            if holder:
                break

    def place_of(self, pattern: str, option: str = "", *_: str) -> str:
        """Return where the `uiSchema` says an option of a pattern."""
        return self.places.get((pattern, option)) or self.places[pattern, ""]

    def lose(self, path: str, reason: str) -> None:
        """Record an entry that is not used."""
        self.unused.append(UnusedEntry(path, reason))

    def children(
        self, pattern: str, at: str, given: Mapping[str, Any]
    ) -> Iterator[tuple[str, str, Any]]:
        """Yield what is said of members and items: pattern, place, and what is said."""
        for name, value in given.items():
            place = f"{at}/{escape_token(name)}"
            if name.startswith(_PREFIX):
                continue
            if name == "items" and isinstance(value, list):
                yield from ((f"{pattern}/{n}", f"{place}/{n}", one) for n, one in enumerate(value))
            elif name == "items":
                yield f"{pattern}/{ANY}", place, value
            elif name in ("additionalProperties", "additionalItems"):
                self.lose(place, "no pattern means only what the schema does not name")
            elif name in ("anyOf", "oneOf"):
                self.lose(place, "options are for a place, and not for one of its alternatives")
            elif name in (ANY, ANY_DEPTH):
                self.lose(place, f"{preview(name)} in a pattern means any property")
            else:
                yield f"{pattern}/{escape_token(name)}", place, value

    def option(self, pattern: str, place: str, name: str, value: Any) -> None:
        """Use one option, or record why not."""
        if (name, value) in _DEFAULTS:
            return
        if name == "globalOptions" and isinstance(value, Mapping):
            for inner in value:
                self.lose(f"{place}/{escape_token(inner)}", "there are no options for all fields")
            return
        said = self.ui.setdefault(pattern, {})
        before = {**said}
        reason = self._use(pattern, said, name, value)
        changed = (one for one in said if said[one] != before.get(one))
        self.places.update(((pattern, one), place) for one in changed)
        if reason:
            self.lose(place, reason)
        if not said:
            del self.ui[pattern]

    def _use(self, pattern: str, said: dict[str, Any], name: str, value: Any) -> str:
        """Put an option into the description; return why that is not possible."""
        if name in _TEXTS or name in _HELP:
            if not isinstance(value, str) or (name == "title" and not value):
                return "it must be a text" if not isinstance(value, str) else "a label is not empty"
            if name in _TEXTS:
                said[_TEXTS[name]] = value
            else:  # there is one text for both, in this order
                texts = [said["help"], value] if "help" in said else [value]
                said["help"] = " ".join(texts if name == "help" else reversed(texts))
        elif name == "order":
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                return "it must be a list of names"
            said["order"] = [*dict.fromkeys(value)]
        elif name in ("readonly", "disabled") and value is True:
            said["readonly"] = True
        elif name in ("addable", "removable", "orderable") and type(value) is bool:
            said[name] = value
        elif name == "rows" and isinstance(value, int) and 1 <= value <= 40:
            said["lines"] = int(value)
        elif name == "inline":
            return "radio buttons are beside each other"
        elif name == "widget" and value == "hidden" and not pattern:
            return "the data as a whole cannot be hidden"
        elif name in ("widget", "field", "inputType"):
            return self._use_widget(said, name, value)
        elif name in ("enumNames", "enumDisabled"):
            return self._use_choices(pattern, said, name, value)
        elif name not in _KNOWN:
            close = nearest(name, _KNOWN, 1)
            hint = f"; did you mean {preview(_PREFIX + close[0])}?" if close else ""
            return f"react-jsonschema-form has no such option{hint}"
        else:
            return "there is no such option here"
        return ""

    def _use_widget(self, said: dict[str, Any], name: str, value: Any) -> str:
        if name == "widget" and value == "hidden":
            said["hidden"] = True
            return ""
        if not isinstance(value, str):
            return "it must be the name of a control"
        if name == "inputType" and value == "text":  # of numbers, too
            return ""
        kind = _KINDS.get(value) if name != "field" or value == _JSON_FIELD else None
        if kind is None and name != "inputType" and find_control(value) is not None:
            kind = value
        if kind is None:
            return f"no kind of control is like {preview(value)}"
        if name == "inputType" and "kind" in said:
            return f"the control is {preview(said['kind'])} already"
        said["kind"] = kind
        return ""

    def _use_choices(self, pattern: str, said: dict[str, Any], name: str, value: Any) -> str:
        choices: dict[str, Any] = {}
        if name == "enumDisabled" and isinstance(value, list):
            choices = {_choice_name(one): {"disabled": True} for one in value}
        elif name == "enumNames" and isinstance(value, Mapping):
            choices = {one: {"label": label} for one, label in value.items()}
        elif name == "enumNames" and isinstance(value, list):
            values = self._values(pattern)
            if values is None:
                return "they go by position: pass the `schema` of the data"
            pairs = zip(values, value, strict=False)
            choices = {_choice_name(one): {"label": label} for one, label in pairs}
        else:
            return "it must be a list, or names by value"
        if not all(isinstance(one.get("label", "-"), str) for one in choices.values()):
            return "labels must be texts"
        known = said.setdefault("choices", {})
        for one, options in choices.items():
            if options.get("label") != "":
                known[one] = {**known.get(one, {}), **options}
        return ""

    def _values(self, pattern: str) -> list[Any] | None:
        """Return the values of the enumeration at a place, in their order; None if unknown."""
        if self.tree is None:
            return None
        node: Node = self.tree.root
        for token in parse_pattern(pattern):
            node = presentation(node).node
            if token == ANY:
                node = node.item(node.tuple_length)
            elif token.isdecimal() and token.isascii() and "array" in node.kinds:
                node = node.item(int(token[:9]))
            else:
                node = node.child(token)
        values = next((value for _, value in node.said("enum")), None)
        return values if isinstance(values, list) else None


def _choice_name(value: Any) -> str:
    """Return the name that a value has in `choices`."""
    return value if isinstance(value, str) else dump(value, indent=False)


def _options(given: Mapping[str, Any], at: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the options of a place: where they are, their name without `ui:`, and their value."""
    for name, value in given.items():
        place = f"{at}/{escape_token(name)}"
        if name == "ui:options" and isinstance(value, Mapping):
            for inner, one in value.items():
                yield f"{place}/{escape_token(inner)}", inner, one
        elif name.startswith(_PREFIX):
            yield place, name.removeprefix(_PREFIX), value
