"""The templates of pages, which escape every text, and the filters that all of them use."""

from __future__ import annotations

from typing import Any, Final

from jinja2 import ChoiceLoader, PackageLoader
from markupsafe import Markup

from widgetschema.pointers import display_pointer
from widgetschema.templates import Environment
from widgetschema.text import join, plural, printable, share, shorten

_LONGEST: Final = 1_000  # characters that can be seen by pointing


def make_environment(package: str) -> Environment:
    """Return the templates of a package, in its folder `templates`, with those of this one."""
    loaders = [PackageLoader(name) for name in (package, __package__)]
    made = Environment(ChoiceLoader(loaders), finalize=_shown)
    made.filters |= {
        "cut": cut,
        "plural": plural,
        "pointer": display_pointer,
        "share": share,
        "steps": lambda numbers: join([f"step {number}" for number in numbers]),
    }
    return made


def _shown(value: Any) -> Any:
    """Return what is printed: numbers with separators, text that is printable."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return printable(value) if isinstance(value, str) else value


def cut(text: str, most: int = _LONGEST) -> str:
    """Return the beginning of a text that is too long; of a JSON Pointer, the end, too."""
    return shorten(text, most, tail=most // 3 if text.startswith("/") else 0)
