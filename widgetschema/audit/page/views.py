"""The summary as what a page shows: bars, tiles, rows, in the order in which they are read.

Values only, of plain text and numbers. Texts are what the sources have: whoever draws them cuts
and escapes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import PureWindowsPath
from typing import Any, Final, NamedTuple

from widgetschema.audit.page.charts import Columns, Piece, columns, lengths, pieces
from widgetschema.audit.page.wording import Verdict, size, verdict
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.reporters.audit import (
    changes,
    group_counts,
    group_name,
    passed_over,
    values_text,
    wildcard_advice,
)
from widgetschema.schema.keywords import keyword_of
from widgetschema.text import join, plural, share

MOST_BARS: Final = 10
_MOST_GROUP_MISTAKES: Final = 3  # of a value
_MOST_FOLDED: Final = 200  # bars that can be opened below these

Summary = Mapping[str, Any]


class Bar(NamedTuple):
    """A bar with its label: `code` is a keyword, a JSON Pointer, an id; `name` is words for it.

    `note` says more of it, `told` the number as people read it; `row` is it in a table.
    """

    name: str
    code: str
    note: str
    type: str
    value: int
    told: str
    width: float
    row: tuple[str | int, ...] = ()


class Bars(NamedTuple):
    """Bars by size. `folded` are those that have to be opened; `rest` says what is not there."""

    shown: tuple[Bar, ...]
    folded: tuple[Bar, ...]
    rest: str
    rest_value: int

    @property
    def value(self) -> int:
        """The sum of all counts."""
        return sum(bar.value for bar in (*self.shown, *self.folded)) + self.rest_value


class Tile(NamedTuple):
    """A number of records, with its name; `sort` is that of its piece in the bar of the whole."""

    name: str
    value: int
    note: str
    sort: str


class ExampleRow(NamedTuple):
    """A record with a mistake: where it is, its id, and what is not as in the first of them."""

    where: str
    id: str
    path: str
    message: str


class PlaceRow(NamedTuple):
    """A place in the data where mistakes were made, all by one keyword.

    `name` is what people call it, `advice` what they would do. There are no more `records` than
    that if it is `at_most`: some may be counted twice.
    """

    keyword: str
    label: str
    advice: str
    type: str
    name: str
    path: str
    records: int
    at_most: bool
    findings: int
    share: str
    width: float
    message: str
    values: str
    hint: str
    examples: tuple[ExampleRow, ...]


class GroupMistake(NamedTuple):
    """A sort of mistake in words, the place with its name, if there is one, and the records."""

    label: str
    name: str
    path: str
    records: int


class GroupRow(NamedTuple):
    """The records with one value: how many, how many are invalid, and their mistakes in words."""

    name: str
    records: int
    invalid: int
    share: str
    width: float
    more: str
    mistakes: tuple[GroupMistake, ...]


class GroupTable(NamedTuple):
    """The records by their value at a pointer; `rest` says what is not listed."""

    label: str
    pointer: str
    shown: tuple[GroupRow, ...]
    folded: tuple[GroupRow, ...]
    rest: tuple[str, ...]


class ChangeRow(NamedTuple):
    """A mistake that is new, gone, or made in more or fewer records."""

    sort: str
    type: str
    name: str
    path: str
    message: str
    before: int
    now: int


class Trend(NamedTuple):
    """The shares of invalid records in several audits, and what changed since the last one."""

    since: str
    bars: tuple[Bar, ...]
    headline: str
    changes: tuple[ChangeRow, ...]
    more: tuple[str, ...]


class SchemaRow(NamedTuple):
    """The provenance of a schema, without the folders of any machine."""

    id: str
    digest: str
    source: str
    more: str


class View(NamedTuple):
    """All that a page shows."""

    verdict: Verdict
    facts: tuple[str, ...]
    unfinished: str
    tiles: tuple[Tile, ...]
    whole: tuple[Piece, ...]
    types: Bars
    longest: str
    members: Bars
    mistakes: Bars
    groups: tuple[GroupTable, ...]
    trend: Trend | None
    dates: Columns | None
    undated: int
    places: tuple[PlaceRow, ...]
    other_places: str
    unchecked: tuple[PlaceRow, ...]
    problems: tuple[tuple[str, str, str], ...]
    other_problems: int
    passed_over: tuple[str, ...]
    schemas: tuple[SchemaRow, ...]
    older_schemas: tuple[SchemaRow, ...]
    many_types: bool
    against: bool


def view_of(summary: Summary) -> View:
    """Return what a page shows of a summary, as `tally` makes them."""
    unchecked = [place for place in summary["places"] if _keeps_from_checking(place)]
    wrong = [place for place in summary["places"] if not _keeps_from_checking(place)]
    wrong.sort(key=lambda place: -place["records"])  # whom it concerns; else the order is kept
    tiles, names = _tiles(summary), _names(wrong)
    days, wholes, unknown = _days(summary["dates"])
    return View(
        verdict(summary),
        _facts(summary),
        _unfinished(summary),
        tiles,
        tuple(pieces([(tile.sort, tile.value) for tile in tiles if tile.sort])),
        _types(summary),
        _longest(summary["types"]),
        _members(wrong, summary["other_places"]),
        _mistakes(wrong, summary["other_places"]),
        tuple(_groups(by, names) for by in summary["by"]),
        None if summary["comparison"] is None else _trend(summary["comparison"]),
        columns(days, wholes),
        summary["undated"] + unknown,
        tuple(_place(place, summary["invalid"]) for place in wrong),
        _other_places(summary["other_places"]),
        tuple(_place(place, summary["records"]) for place in unchecked),
        tuple(_problem(problem) for problem in summary["problems"]),
        summary["other_problems"],
        tuple(passed_over(summary)),
        tuple(map(_schema, summary["schemas"])),
        tuple(map(_schema, summary["older_schemas"])),
        len(summary["types"]) > 1,
        summary["against"],
    )


def _keeps_from_checking(place: Summary) -> bool:
    return str(place["keyword"]).startswith(("json.", "problem."))


def _facts(summary: Summary) -> tuple[str, ...]:
    read = (
        plural(summary["sources"], "source"),
        size(summary["bytes"]),
        plural(summary["lines"], "line"),
    )
    return read if summary["records"] else read[:1]


def _unfinished(summary: Summary) -> str:
    if summary["complete"]:
        return ""
    done, whole = summary["partitions"]["done"], summary["partitions"]["all"]
    parts = f"{done:,} of {plural(whole, 'part')} {'is' if whole == 1 else 'are'} done"
    return f"The audit was not finished: {parts} ({share(done, whole)}). All numbers are of these."


def _tiles(summary: Summary) -> tuple[Tile, ...]:
    records = summary["records"]

    def tile(name: str, member: str, sort: str) -> Tile:
        return Tile(name, summary[member], share(summary[member], records) if records else "", sort)

    against = summary["against"]
    made = [
        Tile("Widgets", records, "in the sample" if summary["sample"] else "in all", ""),
        tile("Valid", "valid", "valid"),
        tile("No longer valid" if against else "Invalid", "invalid", "invalid"),
    ]
    if against or summary["invalid_before"]:
        made.append(tile("Invalid before, too", "invalid_before", "before"))
    made += [
        tile("Unreadable", "unreadable", "unreadable"),
        tile("Type unknown", "untyped", "untyped"),
    ]
    return tuple(made)


def _types(summary: Summary) -> Bars:
    types = sorted(summary["types"], key=lambda one: (-_broken(one), -one["records"], one["type"]))
    shares = [_broken(one) for one in types]
    widths = lengths(shares if len(types) > 1 else [*shares, 1.0])  # a single one: of its own
    made = []
    for one, width in zip(types, widths, strict=False):
        invalid, records = one["invalid"], one["records"]
        told = f"none of {records:,}"
        if invalid:
            told = f"{invalid:,} of {records:,} · {share(invalid, records)}"
        before = one["invalid_before"]
        note = f"{one['valid']:,} valid" + (f", {before:,} invalid before" if before else "")
        note += f", {one['mended']:,} mended" if one["mended"] else ""
        row = (one["type"], records, invalid)
        made.append(Bar("", one["type"], note, "", invalid, told, width, row))
    rest = made[MOST_BARS + _MOST_FOLDED :]
    invalid = sum(bar.value for bar in rest)
    said = f"{plural(len(rest), 'more type')}: {invalid:,} invalid" if rest else ""
    return Bars(
        tuple(made[:MOST_BARS]),
        tuple(made[MOST_BARS : MOST_BARS + _MOST_FOLDED]),
        said,
        invalid,
    )


def _broken(type: Summary) -> float:
    """Return the share of a type that is invalid."""
    return type["invalid"] / type["records"] if type["records"] else 0.0


def _longest(types: Sequence[Summary]) -> str:
    """Return the share that the longest bar of several types stands for."""
    if len(types) < 2:
        return ""
    one = max(types, key=_broken)
    return share(one["invalid"], one["records"])


def _members(places: Iterable[Summary], other: Summary) -> Bars:
    found: dict[tuple[str, str, str], int] = {}
    for place in places:
        key = (_name(place), place["path"], place["type"] or "")
        found[key] = found.get(key, 0) + place["findings"]
    rows = [(name, display_pointer(path), type) for name, path, type in found]
    return _counted(rows, list(found.values()), other, "more place")


def _mistakes(places: Iterable[Summary], other: Summary) -> Bars:
    found: dict[str, int] = {}
    for place in places:
        found[place["keyword"]] = found.get(place["keyword"], 0) + place["findings"]
    rows = [(keyword_of(keyword).label, keyword, "") for keyword in found]
    return _counted(rows, list(found.values()), other, "more sort")


def _counted(
    rows: Sequence[tuple[str, str, str]], values: Sequence[int], other: Summary, noun: str
) -> Bars:
    """Return the largest of several counts as bars, and the rest as one."""
    whole = sum(values) + other["findings"]
    bars = [
        Bar(
            name,
            code,
            "",
            type,
            value,
            f"{value:,} · {share(value, whole)}",
            width,
            (name, code, type, value),
        )
        for (name, code, type), value, width in zip(rows, values, lengths(values), strict=True)
    ]
    bars.sort(key=lambda bar: (-bar.value, bar.code, bar.type))
    rest = bars[MOST_BARS:]
    said = [f"{plural(len(rest), noun)}: {sum(bar.value for bar in rest):,}"] if rest else []
    if other["findings"]:
        said.append(f"at places that are not listed: {other['findings']:,}")
    left = sum(bar.value for bar in rest) + other["findings"]
    return Bars(tuple(bars[:MOST_BARS]), (), "; ".join(said).capitalize(), left)


def _days(dates: Iterable[Summary]) -> tuple[list[tuple[date, int]], dict[date, int], int]:
    """Return the invalid records of each day, all records of each, and those without a day."""
    days, wholes, unknown = [], {}, 0
    for one in dates:
        try:
            day = date.fromisoformat(one["date"])
        except ValueError:
            unknown += one["invalid"]
            continue
        days.append((day, one["invalid"]))
        if one["records"] is not None:
            wholes[day] = one["records"]
    return days, wholes, unknown


def _name(place: Summary) -> str:
    """Return what people call a place; all data of a widget has no name of its own."""
    return place["name"] or ("" if "*" in place["path"] else "The whole widget")


def _names(places: Iterable[Summary]) -> dict[str, str]:
    """Return the names of places by their paths, of those that are called the same in all types."""
    found: dict[str, str] = {}
    for place in places:
        name = _name(place)
        if found.setdefault(place["path"], name) != name:
            found[place["path"]] = ""
    return found


def _groups(by: Summary, names: Mapping[str, str]) -> GroupTable:
    values = [_group(one, names) for one in by["values"]]
    widths = lengths([one.invalid for one in values])
    rows = [one._replace(width=width) for one, width in zip(values, widths, strict=True)]
    rest = []
    if by["other_groups"]["records"]:
        number = plural(by["other_groups"]["groups"], "more value")
        rest.append(f"{number}: {group_counts(by['other_groups'])}.")
    if by["without"]["records"]:
        rest.append(f"Without a text, number or boolean there: {group_counts(by['without'])}.")
    if advice := wildcard_advice(by):
        rest.append(f"{advice}.")
    return GroupTable(
        " › ".join(map(label_from_name, parse_pointer(by["pointer"]))),
        by["pointer"],
        tuple(rows[:MOST_BARS]),
        tuple(rows[MOST_BARS : MOST_BARS + _MOST_FOLDED]),
        (*_more_groups(rows[MOST_BARS + _MOST_FOLDED :]), *rest),
    )


def _more_groups(rows: Sequence[GroupRow]) -> list[str]:
    invalid = sum(row.invalid for row in rows)
    return [f"{plural(len(rows), 'more value')} with {invalid:,} invalid widgets."] if rows else []


def _group(one: Summary, names: Mapping[str, str]) -> GroupRow:
    more = [
        f"{one[name]:,} {what}"
        for name, what in (
            ("untyped", "of unknown type"),
            ("invalid_before", "invalid before"),
            ("mended", "mended"),
        )
        if one[name]
    ]
    mistakes = [
        GroupMistake(
            keyword_of(each["keyword"]).label,
            names.get(each["path"], ""),
            display_pointer(each["path"]),
            each["records"],
        )
        for each in one["mistakes"][:_MOST_GROUP_MISTAKES]
    ]
    return GroupRow(
        group_name(one["value"]),
        one["records"],
        one["invalid"],
        share(one["invalid"], one["records"]),
        0.0,
        ", ".join(more),
        tuple(mistakes),
    )


def _trend(comparison: Summary) -> Trend:
    trend = comparison["trend"]
    shares = [one["invalid"] / one["records"] if one["records"] else 0.0 for one in trend]
    bars = [
        Bar(
            PureWindowsPath(one["name"]).name if one["name"] else "Now",
            "",
            "" if one["complete"] else "not finished",
            "",
            one["invalid"],
            f"{one['invalid']:,} of {one['records']:,} · {share(one['invalid'], one['records'])}",
            width,
        )
        for one, width in zip(trend, lengths(shares), strict=True)
    ]
    rows = [
        ChangeRow(
            sort,
            place["type"] or "",
            "" if _keeps_from_checking(place) else _name(place),
            display_pointer(place["path"]),
            place["message"],
            place["records_before"],
            place["records"],
        )
        for sort in ("new", "more", "fewer", "gone")
        for place in comparison[sort][:MOST_BARS]
    ]
    more = [
        f"{len(comparison[sort]) - MOST_BARS:,} more: {sort}."
        for sort in ("new", "more", "fewer", "gone")
        if len(comparison[sort]) > MOST_BARS
    ]
    if not comparison["is_certain"]:
        more.append("Not all mistakes are listed in both, so some may be neither new nor gone.")
    if comparison["schemas"]:
        more.append(f"The schemas changed, too: {join(comparison['schemas'][:MOST_BARS])}.")
    for by in comparison["by"]:
        for sort in ("new", "gone"):
            if by[sort]:
                names = ", ".join(map(group_name, by[sort][:MOST_BARS]))
                cut = ", …" if by[sort][MOST_BARS:] else ""
                what = "with invalid widgets now" if sort == "new" else "without any now"
                more.append(f"{display_pointer(by['pointer'])} {what}: {names}{cut}.")
    headline = f"{changes(comparison)}.".replace("findings", "mistakes").capitalize()
    return Trend(bars[-2].name, tuple(bars), headline, tuple(rows), tuple(more))


def _place(place: Summary, whole: int) -> PlaceRow:
    path = (
        "" if _keeps_from_checking(place) and not place["path"] else display_pointer(place["path"])
    )
    records = place["records"]
    examples = [
        ExampleRow(
            _where(example),
            _id(example["id"]),
            display_pointer(example["path"]) if example["path"] != place["path"] else "",
            example["message"] if example["message"] != place["message"] else "",
        )
        for example in place["examples"]
    ]
    return PlaceRow(
        place["keyword"],
        keyword_of(place["keyword"]).label,
        _advice(place["keyword"]),
        place["type"] or "",
        _name(place) if path else "",
        path,
        records,
        place.get("summed", False),
        place["findings"],
        share(records, whole),
        lengths([records, max(whole, records)])[0],
        place["message"],
        values_text(place),
        place["hint"] or "",
        tuple(examples),
    )


def _advice(keyword: str) -> str:
    """Return what people who edit content are told to do about a mistake."""
    advice = keyword_of(keyword).advice
    return f"{advice}." if isinstance(advice, str) and advice else ""


def _where(example: Summary) -> str:
    file = "standard input" if example["file"] == "-" else example["file"]
    line = "" if example["line"] is None else f":{example['line']}"
    return f"{file}{line}{'#' + example['document'] if example['document'] else ''}"


def _id(id: Any) -> str:
    if id is None:
        return ""
    return id if isinstance(id, str) else json.dumps(id, ensure_ascii=False)


def _other_places(other: Summary) -> str:
    if not other["places"]:
        return ""
    found = plural(other["findings"], "mistake")
    return f"{plural(other['places'], 'more place')} with {found} had no room in the summary."


def _problem(problem: Summary) -> tuple[str, str, str]:
    place = _where({"file": problem["file"], "line": problem["line"], "document": ""})
    return place, keyword_of(problem["keyword"]).label, problem["message"]


def _schema(schema: Summary) -> SchemaRow:
    source, origin = _without_folders(schema["source"]), _without_folders(schema["origin"] or "")
    more = [f"from {origin}"] if origin and origin != source else []
    if schema["fetched"]:
        more.append(f"fetched {schema['fetched']}")
    if schema["stale"]:
        more.append("maybe out of date")
    return SchemaRow(schema["id"], schema["digest"][:12], source, ", ".join(more))


def _without_folders(source: str) -> str:
    """Return the name of a file without the folders of a machine; an address as it is."""
    path = PureWindowsPath(source)  # knows both separators
    return path.name if path.root or source.startswith("file:") else source
