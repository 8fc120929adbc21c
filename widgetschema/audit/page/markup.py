"""The page as markup, by the templates of this package and Jinja2.

Every text that is put into a template is made printable and escaped; the templates shorten what
is long. The size of the page is limited here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from widgetschema.audit.page.views import PlaceRow, View
from widgetschema.text import plural, printable, shorten

_ROOM: Final = 700 * 1024  # bytes for the rows of all tables of places
_OPEN: Final = 20  # rows that need not be opened
_WITH_EXAMPLES: Final = 100
_LONGEST: Final = 1_000  # characters that can be seen by pointing


class TableRows(NamedTuple):
    """Rows of a table: those that are shown, those to be opened, and a line about the rest."""

    shown: Sequence[Markup]
    folded: Sequence[Markup]
    rest: str


def draw(view: View, title: str, made: str) -> str:
    """Return the whole page."""
    places, used = _rows(view.places, _ROOM, typed=view.many_types, checked=True)
    left = max(_ROOM // 4, _ROOM - used)
    unchecked, _ = _rows(view.unchecked, left, typed=True, checked=False)
    page = _environment().get_template("page.html")
    return page.render(view=view, title=title, made=made, places=places, unchecked=unchecked)


def _rows(places: Sequence[PlaceRow], room: int, **options: bool) -> tuple[TableRows, int]:
    """Return the rows of places that fit into `room` bytes, and the bytes that they take."""
    template = _environment().get_template("place.html")
    rows: list[Markup] = []
    used = 0
    for place in places:
        if len(rows) >= _WITH_EXAMPLES:
            place = place._replace(examples=())
        row = Markup(template.render(place=place, **options))  # noqa: S704  it is a template's
        used += len(row.encode())
        if used > room:
            break
        rows.append(row)
    left = places[len(rows) :]
    rest = ""
    if left:
        found = plural(sum(place.findings for place in left), "mistake")
        rest = f"{plural(len(left), 'more place')} with {found} had no room on this page."
    return TableRows(rows[:_OPEN], rows[_OPEN:], rest), used


def _shown(value: Any) -> Any:
    """Return what is printed: numbers with separators, text that is printable."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return printable(value) if isinstance(value, str) else value


def _cut(text: str, most: int = _LONGEST) -> str:
    """Return the beginning of a text that is too long; of a JSON Pointer, the end, too."""
    return shorten(text, most, tail=most // 3 if text.startswith("/") else 0)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("widgetschema.audit.page"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["cut"] = _cut
    return environment
