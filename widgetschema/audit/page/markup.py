"""The page as markup, by the templates of this package and Jinja2.

Every text that is put into a template is made printable and escaped; the templates shorten what
is long. The size of the page is limited here.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from widgetschema.audit.page.views import PlaceRow, View
from widgetschema.text import plural, printable, share, shorten

_ROOM: Final = 600 * 1024  # bytes for the rows of all tables of places
_OPEN: Final = 20  # rows that need not be opened
_WITH_EXAMPLES: Final = 100
_LONGEST: Final = 1_000  # characters that can be seen by pointing
_LONGEST_CELL: Final = 300  # characters of a cell of a table to download


class Row(NamedTuple):
    """A row of a table of places: all but its first cell is drawn; `csv` are its values."""

    place: PlaceRow
    markup: Markup
    csv: str


class TableRows(NamedTuple):
    """Rows of a table: those that are shown, those to be opened, and a line about the rest."""

    shown: Sequence[Row]
    folded: Sequence[Row]
    rest: str


class Member(NamedTuple):
    """The rows of one place."""

    rows: Sequence[Row]


class TypeRows(NamedTuple):
    """The members of one type with mistakes; `told` says how many of its widgets are invalid."""

    id: str
    told: str
    members: Sequence[Member]
    is_open: bool


def draw(view: View, title: str, made: str) -> str:
    """Return the whole page."""
    places, used = _rows(view.places, _ROOM, checked=True)
    left = max(_ROOM // 4, _ROOM - used)
    unchecked, _ = _rows(view.unchecked, left, checked=False)
    templates = environment()
    script = templates.get_template("report.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return templates.get_template("page.html").render(
        view=view,
        title=title,
        made=made,
        places=places,
        types=_by_type(view, (*places.shown, *places.folded)),
        unchecked=unchecked,
        script=Markup(script),  # noqa: S704  it is a file of this package
        digest=digest,
    )


def _by_type(view: View, rows: Sequence[Row]) -> list[TypeRows]:
    """Return the rows by type and member: those with the most invalid widgets come first."""
    types: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        types.setdefault(row.place.type, {}).setdefault(row.place.path, []).append(row)
    told = {bar.code: bar.told for bar in (*view.types.shown, *view.types.folded)}
    order = [*told, *(id for id in types if id not in told)]
    made, opened = [], 0
    for id in order:
        if id in types:
            members = [Member(member) for member in types[id].values()]
            is_open = opened < _OPEN
            opened += sum(len(member.rows) for member in members)
            made.append(TypeRows(id, told.get(id, ""), members, is_open))
    return made


def _rows(places: Sequence[PlaceRow], room: int, **options: bool) -> tuple[TableRows, int]:
    """Return the rows of places that fit into `room` bytes, and the bytes that they take."""
    template = environment().get_template("place.html")
    rows: list[Row] = []
    used = 0
    for place in places:
        if len(rows) >= _WITH_EXAMPLES:
            place = place._replace(examples=())
        drawn = Markup(template.render(place=place, **options))  # noqa: S704  it is a template's
        names = (place.type, place.name, place.path, place.keyword, place.label)
        csv = _csv([*names, place.records, place.findings, place.message])
        used += len(drawn.encode()) + len(csv.encode()) + 2 * len(place.path.encode())
        if used > room:
            break
        rows.append(Row(place, drawn, csv))
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


def _csv(values: Sequence[Any]) -> str:
    """Return the values of a row for the script, which writes them as CSV."""
    shown = [printable(_cut(one, _LONGEST_CELL)) if isinstance(one, str) else one for one in values]
    return json.dumps(shown, ensure_ascii=False)


@cache
def environment() -> Environment:
    """Return the templates of this package; they escape every text."""
    made = Environment(
        loader=PackageLoader("widgetschema.audit.page"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    made.filters["cut"] = _cut
    made.filters["csv"] = _csv
    made.filters["share"] = share
    return made
