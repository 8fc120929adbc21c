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

from jinja2 import Environment
from markupsafe import Markup

from widgetschema.audit.page import views
from widgetschema.audit.page.charts import lengths
from widgetschema.audit.page.views import Summary, View
from widgetschema.audit.reporters.summary import group_name, values_text
from widgetschema.reporters.pages.environment import cut, make_environment
from widgetschema.schema.keywords import keyword_of
from widgetschema.text import plural, printable

_ROOM: Final = 600 * 1024  # bytes for the rows of all tables of places
_OPEN: Final = 20  # rows that need not be opened
_WITH_EXAMPLES: Final = 100
_LONGEST_CELL: Final = 300  # characters of a cell of a table to download


class Row(NamedTuple):
    """A row of a table of places: all but its first cell is drawn; `csv` are its values."""

    place: Summary
    markup: Markup
    csv: str


class TableRows(NamedTuple):
    """Rows of a table: those that are shown, those to be opened, and a line about the rest."""

    shown: Sequence[Row]
    folded: Sequence[Row]
    rest: str


class TypeRows(NamedTuple):
    """The rows of one type by its places; `told` says how many of its widgets are invalid."""

    id: str
    told: str
    members: Sequence[Sequence[Row]]
    is_open: bool


def draw(summary: Summary, title: str, made: str) -> str:
    """Return the whole page."""
    view = views.view_of(summary)
    places, used = _rows(view.wrong, _ROOM, summary["invalid"], checked=True)
    left = max(_ROOM // 4, _ROOM - used)
    unchecked, _ = _rows(view.unchecked, left, summary["records"], checked=False)
    templates = environment()
    script = templates.get_template("report.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return templates.get_template("page.html").render(
        summary=summary,
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
        members = types.setdefault(row.place["type"] or "", {})
        members.setdefault(row.place["path"], []).append(row)
    told = {bar.code: bar.told for bar in (*view.types.shown, *view.types.folded)}
    order = [*told, *(id for id in types if id not in told)]
    made, opened = [], 0
    for id in order:
        if id in types:
            made.append(TypeRows(id, told.get(id, ""), [*types[id].values()], opened < _OPEN))
            opened += sum(map(len, types[id].values()))
    return made


def _rows(
    places: Sequence[Summary], room: int, whole: int, *, checked: bool
) -> tuple[TableRows, int]:
    """Return the rows of places that fit into `room` bytes, and the bytes that they take.

    Their records are shares of the whole.
    """
    template = environment().get_template("place.html")
    rows: list[Row] = []
    used = 0
    for place in places:
        if len(rows) >= _WITH_EXAMPLES:
            place = {**place, "examples": ()}
        drawn = Markup(template.render(place=place, whole=whole, checked=checked))  # noqa: S704
        keyword, path = place["keyword"], views.path_of(place)
        names = (place["type"] or "", views.name_of(place), path, keyword, _label(keyword))
        csv = _csv([*names, place["records"], place["findings"], place["message"]])
        used += len(drawn.encode()) + len(csv.encode()) + 2 * len(path.encode())
        if used > room:
            break
        rows.append(Row(place, drawn, csv))
    left = places[len(rows) :]
    rest = ""
    if left:
        found = plural(sum(place["findings"] for place in left), "mistake")
        rest = f"{plural(len(left), 'more place')} with {found} had no room on this page."
    return TableRows(rows[:_OPEN], rows[_OPEN:], rest), used


def _label(keyword: str) -> str:
    return keyword_of(keyword).label


def _width(value: int, whole: int) -> float:
    """Return the length of a bar that shows a part of a whole."""
    return lengths([value, max(value, whole)])[0]


def _csv(values: Sequence[Any]) -> str:
    """Return the values of a row for the script, which writes them as CSV."""
    shown = [printable(cut(one, _LONGEST_CELL)) if isinstance(one, str) else one for one in values]
    return json.dumps(shown, ensure_ascii=False)


@cache
def environment() -> Environment:
    """Return the templates of this package."""
    made = make_environment("widgetschema.audit.page")
    made.filters |= {
        "advice": views.advice_on,
        "csv": _csv,
        "group_name": group_name,
        "group_notes": views.group_notes,
        "id": views.id_text,
        "is_unchecked": views.keeps_from_checking,
        "label": _label,
        "name": views.name_of,
        "path": views.path_of,
        "schema_notes": views.schema_notes,
        "values": values_text,
        "where": views.where,
        "width": _width,
        "without_folders": views.without_folders,
    }
    return made
