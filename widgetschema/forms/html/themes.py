"""Themes of forms: the ready ones, which `forms.css` has, and style sheets of an application."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from widgetschema.errors import InvalidTemplate
from widgetschema.files import read_file
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.suggest import did_you_mean

THEMES: Final[Mapping[str, str]] = {
    "plain": "The default: light cards on a grey ground, with room around the fields.",
    "compact": "Smaller text, lower controls and narrower columns, for long forms.",
    "host": "The colors, fonts and corners of the page around it, by the custom properties of "
    "Bootstrap 5.3 or Tailwind CSS 4.",
}
_END: Final = re.compile("</(?=style)", re.IGNORECASE)

ThemeName = str | os.PathLike[str]


class Theme(NamedTuple):
    """A theme: the class of the elements that have it, and the rules that a page needs for it."""

    class_name: str = ""
    css: str = ""


def read_theme(theme: ThemeName) -> Theme:
    """Return a theme, by its name or by the path of a CSS file.

    Raises `InvalidTemplate` for an unknown name, and for a file that cannot be read as UTF-8.
    """
    if is_css_file(theme):
        try:
            css = normalize_newlines(read_file(theme, pipes=True).decode())  # as in HTML
            return Theme(css=_END.sub(r"<\\/", css))
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise InvalidTemplate(os.fspath(theme), None, f"it cannot be read: {reason}") from None
    return Theme(class_name=theme_class(theme))


def theme_class(theme: ThemeName) -> str:
    """Return the class of a ready theme; "" for the default.

    Raises `InvalidTemplate` for an unknown name, and for a CSS file, which belongs to a whole page.
    """
    if is_css_file(theme):
        problem = "a style sheet is not a theme of markup: link it in your page, after forms.css"
        raise InvalidTemplate(os.fspath(theme), None, problem)
    name = os.fspath(theme)
    if name not in THEMES:
        meant = did_you_mean(name, THEMES)
        known = ", ".join(THEMES)
        problem = f"there is no such theme{meant} (themes: {known}, or a file *.css)"
        raise InvalidTemplate(name, None, problem)
    return "" if name == "plain" else f"ws-theme-{name}"


def is_css_file(theme: ThemeName) -> bool:
    """Return True if a theme is given as a CSS file."""
    return not isinstance(theme, str) or theme.lower().endswith(".css")
