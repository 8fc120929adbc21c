"""Read a `uiSchema` of react-jsonschema-form as a UI description, and say what it cannot use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from widgetschema.pointers import ANY, ANY_DEPTH, escape_token

_PREFIX: Final = "ui:"
_TEXTS: Final = {"title": "label", "help": "help", "description": "help", "placeholder": "example"}
_KINDS: Final = {
    "text": "text",
    "textarea": "long-text",
    "color": "colour",
    "email": "email",
    "uri": "url",
    "date": "date",
    "date-time": "date-time",
    "time": "time",
}


class UiSchemaReading(NamedTuple):
    """A UI description (`ui` of `WidgetType.form`), and what of the `uiSchema` it does not have.

    `unused` are JSON Pointers into the `uiSchema`.
    """

    ui: dict[str, dict[str, Any]]
    unused: tuple[str, ...]


def read_ui_schema(ui_schema: Mapping[str, Any]) -> UiSchemaReading:
    """Return the UI description that says the same as a `uiSchema`.

    Args:
        ui_schema: The `uiSchema`, decoded from JSON.

    Returns:
        The description. Titles, help, placeholders, orders, hidden members and the widgets that are
        kinds of text are used; everything else is in `unused`.
    """
    ui: dict[str, dict[str, Any]] = {}
    unused: list[str] = []
    todo: list[tuple[str, str, Any]] = [("", "", ui_schema)]
    while todo:
        pattern, at, given = todo.pop()
        if not isinstance(given, Mapping):
            unused.append(at)
            continue
        for place, name, value in _options(given, at):
            option = _option(name, value)
            if option is None or option[0] in ui.get(pattern, ()):
                unused.append(place)
            else:
                ui.setdefault(pattern, {}).update([option])
        for name, value in given.items():
            place = f"{at}/{escape_token(name)}"
            if name.startswith(_PREFIX):
                continue
            if name == "items" and isinstance(value, list):
                items = [(f"{pattern}/{n}", f"{place}/{n}", one) for n, one in enumerate(value)]
                todo += reversed(items)
            elif name == "items":
                todo.append((f"{pattern}/{ANY}", place, value))
            elif name in (ANY, ANY_DEPTH, "additionalProperties", "anyOf", "oneOf"):
                unused.append(place)
            else:
                todo.append((f"{pattern}/{escape_token(name)}", place, value))
    return UiSchemaReading(ui, tuple(unused))


def _options(given: Mapping[str, Any], at: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the options of a place: where they are, their name without `ui:`, and their value."""
    for name, value in given.items():
        place = f"{at}/{escape_token(name)}"
        if name == "ui:options" and isinstance(value, Mapping):
            for inner, one in value.items():
                yield f"{place}/{escape_token(inner)}", inner, one
        elif name.startswith(_PREFIX):
            yield place, name.removeprefix(_PREFIX), value


def _option(name: str, value: Any) -> tuple[str, Any] | None:
    """Return an option of a UI description with its value; None if there is none like it."""
    if name in _TEXTS and isinstance(value, str) and (value or name != "title"):
        return _TEXTS[name], value
    if name == "order" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "order", [*dict.fromkeys(value)]
    if name == "widget" and value == "hidden":
        return "hidden", True
    if name == "widget" and isinstance(value, str) and value in _KINDS:
        return "kind", _KINDS[value]
    return None
