"""Controls of applications: a template and two functions, registered by name or by entry point.

A control cannot lose data. Its text is compared with the one that was shown: if that came back, the
value keeps its bytes. What its markup would post untouched is checked when it is rendered, as a
browser would post it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, Final

from widgetschema.errors import ControlError, FormError
from widgetschema.forms.model import KINDS, Shape
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.jsontext import dump, plain_copy, preview
from widgetschema.jsontext.limits import Limits

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "widgetschema.controls"  # of entry points
TYPES: Final = ("string", "number", "boolean", "array", "object")
TEXT: Final = "text"  # in the context: what an untouched control posts
_NAME: Final = re.compile("[a-z][a-z0-9-]*")
_MAX_DEPTH: Final = Limits().max_depth


@dataclass(frozen=True)
class CustomControl:
    """A control of an application, for `kind` of a UI description.

    Args:
        name: Its name, of small letters, digits and dashes.
        template: A Jinja2 template for the control alone, without its label. It may use
            `attributes` (id, name and ARIA attributes, for the element that has the focus), `name`,
            `text`, `label`, `field`, and what `show` returns. Everything is escaped.
        show: Takes the value, None if there is none, and returns the context of the template. Its
            property `text` is what the untouched control posts; by default a string as it is, and
            any other value as JSON.
        read: Takes the posted text, which is not empty, and returns the value. It raises
            `ValueError` with a sentence for people if the text is no value.
        types: The JSON types that it can show. Other values are shown as JSON.
    """

    name: str
    template: str
    show: Callable[[Any], Mapping[str, Any]]
    read: Callable[[str], Any]
    types: tuple[str, ...] = TYPES

    def context(self, value: Any, place: str) -> dict[str, Any]:
        """Return the context of the template for a value. Raise `ControlError`.

        `place` is the JSON Pointer of the field, for errors.
        """
        try:
            context = {**self.show(value)}
        except Exception as error:
            raise self.error(place, f"show({preview(value)}) failed", error) from error
        text = context.get(TEXT, _default_text(value))
        if not isinstance(text, str):
            raise self.error(place, f"show returned a {TEXT} of type {type(text).__name__}")
        context[TEXT] = normalize_newlines(text) if value is not None else ""
        return context

    def text_of(self, value: Any, place: str) -> str:
        """Return the text of the untouched control for a value. Raise `ControlError`."""
        text: str = self.context(value, place)[TEXT]
        return text

    def json_of(self, text: str, place: str) -> str:
        """Return the JSON text of the value that a text means.

        Raises `ValueError` if it means none, and `ControlError` for any other failure.
        """
        try:
            value = self.read(text)
        except ValueError:
            raise
        except Exception as error:
            raise self.error(place, f"read({preview(text)}) failed", error) from error
        plain, unfit = plain_copy(value, _MAX_DEPTH)
        if unfit:
            raise self.error(place, f"read({preview(text)}) returned no JSON: {unfit[0].message}")
        return dump(plain, indent=False)

    def check_markup(self, markup: str, name: str, text: str, place: str) -> None:
        """Raise `ControlError` if untouched markup posts another text than the one that is shown.

        Nothing at all is fine, too: a value without a posted control stays as it is.
        """
        reader = _Reader(name)
        reader.feed(markup)
        reader.close()
        posted = [normalize_newlines(one) for one in reader.posted]
        if posted and posted[0] != text:
            said = f"its markup posts {preview(posted[0])}, untouched, and not {preview(text)}"
            raise self.error(place, said)

    def error(self, place: str, reason: str, cause: Exception | None = None) -> ControlError:
        """Return the error of this control at a field."""
        if cause is not None:
            reason = f"{reason}: {type(cause).__name__}: {cause}"
        return ControlError(self.name, place, reason)


def _default_text(value: Any) -> str:
    return value if isinstance(value, str) else dump(value, indent=False)


_registered: dict[str, CustomControl] = {}


def register_control(control: CustomControl) -> CustomControl:
    """Make a control known by its name, in this process.

    Args:
        control: The control.

    Returns:
        The same.

    Raises:
        FormError: The name or a type is not valid, or another control has the name.
    """
    _require_usable(control)
    if _registered.setdefault(control.name, control) != control:
        raise FormError(f"another control is registered as {preview(control.name)}")
    return control


def _require_usable(control: CustomControl) -> None:
    if not _NAME.fullmatch(control.name):
        raise FormError(
            "the name of a control must be of small letters, digits and dashes, not "
            f"{preview(control.name)}"
        )
    if control.name in KINDS:
        raise FormError(f"{preview(control.name)} is a kind of control already")
    unknown = [one for one in control.types if one not in TYPES]
    if unknown:
        known = ", ".join(TYPES)
        raise FormError(f"{preview(unknown[0])} is not a type of JSON values (known: {known})")


def known_controls() -> list[str]:
    """Return the names of all controls of applications."""
    return sorted({*_registered, *_entry_points()})


def find_control(name: str) -> CustomControl | None:
    """Return the control with a name; None if there is none.

    Raises `ControlError` if it is one of another package that cannot be used.
    """
    if name not in _registered and name in _entry_points():
        _load(name)
    return _registered.get(name)


def control_of(shape: Shape) -> CustomControl:
    """Return the control of a shape that has one of an application."""
    name = shape.ui.kind or ""
    control = find_control(name)
    if control is None:
        raise ControlError(name, "", "it is not registered in this process")
    return control


def _load(name: str) -> None:
    try:
        control = _entry_points()[name].load()
    except Exception as error:
        reason = f"it cannot be loaded: {type(error).__name__}: {error}"
        raise ControlError(name, "", reason) from error
    if not isinstance(control, CustomControl) or control.name != name:
        raise ControlError(name, "", "its entry point is not a CustomControl of this name")
    try:
        register_control(control)
    except FormError as error:
        raise ControlError(name, "", error.reason) from None


@cache
def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # only for a name that is not ours

    return {one.name: one for one in entry_points(group=GROUP)}


_SANITIZED: Final = {  # what inputs of these types can hold (HTML, section 4.10.5.1)
    "number": re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
    "date": re.compile(r"[0-9]{4,}-[0-9]{2}-[0-9]{2}"),
    "time": re.compile(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?"),
    "datetime-local": re.compile(r"[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9.]+)?"),
    "month": re.compile(r"[0-9]{4,}-[0-9]{2}"),
    "week": re.compile(r"[0-9]{4,}-W[0-9]{2}"),
}
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_NEVER: Final = ("submit", "button", "reset", "image", "file")


class _Reader(HTMLParser):
    """Reads what a browser would post for the controls of one name."""

    def __init__(self, name: str) -> None:
        super().__init__(convert_charrefs=True)
        self.name = name
        self.posted: list[str] = []  # in the order of the markup
        self._text: list[str] | None = None  # of an open textarea or option
        self._options: list[tuple[str | None, bool, str]] | None = None  # of an open select
        self._option: tuple[str | None, bool] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an input, or the beginning of another control."""
        given = {name: value or "" for name, value in attrs}
        is_ours = given.get("name") == self.name and "disabled" not in given
        if tag == "input" and is_ours:
            self.posted += _posted_by_input(given)
        elif tag == "textarea" and is_ours:
            self._text = []
        elif tag == "select" and is_ours:
            self._options = []
        elif tag == "option" and self._options is not None:
            self._end_option()
            self._option, self._text = (given.get("value"), "selected" in given), []

    def handle_data(self, data: str) -> None:
        """Note the text of a textarea or an option."""
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a control."""
        if tag == "textarea" and self._text is not None:
            text = "".join(self._text)
            self.posted.append(text[1:] if text.startswith("\n") else text)
            self._text = None
        elif tag == "option":
            self._end_option()
        elif tag == "select" and self._options is not None:
            self._end_option()
            chosen = [one for one in self._options if one[1]] or self._options[:1]
            self.posted += [text if value is None else value for value, _, text in chosen[-1:]]
            self._options = None

    def _end_option(self) -> None:
        if self._option is not None and self._options is not None:
            text = " ".join("".join(self._text or ()).split())
            self._options.append((*self._option, text))
        self._option = self._text = None


def _posted_by_input(given: Mapping[str, str]) -> list[str]:
    type, value = given.get("type", "text").lower(), given.get("value", "")
    if type in _NEVER:
        return []
    if type in ("checkbox", "radio"):
        return [given.get("value", "on")] if "checked" in given else []
    if type == "range":
        return [value if _is_in_range(given, value) else "(a number that the browser chooses)"]
    if type == "color":
        return [value if _COLOUR.fullmatch(value) else "#000000"]
    if type in _SANITIZED:
        return [value if _SANITIZED[type].fullmatch(value) else ""]
    if type != "hidden":
        value = value.replace("\n", "").replace("\r", "")
    return [value.strip(" \t\f") if type in ("email", "url") else value]


def _is_in_range(given: Mapping[str, str], value: str) -> bool:
    """Return True if a range input can hold a value: within its bounds, and on a step."""
    try:
        number = Decimal(value)
        least = Decimal(given.get("min") or "0")
        most = Decimal(given.get("max") or "100")
        if given.get("step") == "any":
            return least <= number <= most
        return least <= number <= most and (number - least) % Decimal(given.get("step") or 1) == 0
    except (InvalidOperation, ZeroDivisionError):
        return False
