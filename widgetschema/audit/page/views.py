"""The summary as what a page shows: the verdict in words, bars, tiles, rows, in reading order.

Values only, of plain text and numbers. Texts are what the sources have: whoever draws them cuts
and escapes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PureWindowsPath
from typing import Any, Final, Literal, NamedTuple

from widgetschema.audit.page.charts import Columns, Piece, columns, lengths, pieces
from widgetschema.audit.reporters.summary import (
    changes,
    group_counts,
    group_name,
    interval_text,
    passed_over,
    wildcard_advice,
)
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.project.checking.results import MOST_FINDINGS
from widgetschema.schema.keywords import keyword_of
from widgetschema.text import join, plural, share, short_number

MOST_BARS: Final = 10
_MOST_FOLDED: Final = 200  # bars that can be opened below these

Summary = Mapping[str, Any]
Tone = Literal["good", "bad", "notice"]


class Verdict(NamedTuple):
    """The verdict: a sentence, more of them, and whether that is good.

    "notice" is neither: nothing was found to be invalid, but not everything was checked.
    """

    tone: Tone
    headline: str
    more: tuple[str, ...] = ()


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


class GroupTable(NamedTuple):
    """The records by their value at a pointer, each with the length of its bar; `rest` says what is
    not listed.
    """

    label: str
    pointer: str
    shown: tuple[tuple[Summary, float], ...]
    folded: tuple[tuple[Summary, float], ...]
    rest: tuple[str, ...]


class Trend(NamedTuple):
    """The shares of invalid records in several audits, and what changed since the last one: sorts
    of changes with mistakes.
    """

    since: str
    bars: tuple[Bar, ...]
    headline: str
    changes: tuple[tuple[str, Summary], ...]
    more: tuple[str, ...]


class View(NamedTuple):
    """The content of a page that the summary does not have as it is.

    `wrong` and `unchecked` are its places, with and without a mistake in the data; `names` are
    those of places in groups.
    """

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
    names: Mapping[str, str]
    trend: Trend | None
    dates: Columns | None
    undated: int
    wrong: tuple[Summary, ...]
    unchecked: tuple[Summary, ...]
    other_places: str
    passed_over: tuple[str, ...]


def view_of(summary: Summary) -> View:
    """Return the view of a summary, as `audit.summary` makes them."""
    unchecked = tuple(place for place in summary["places"] if keeps_from_checking(place))
    wrong = [place for place in summary["places"] if not keeps_from_checking(place)]
    wrong.sort(key=lambda place: -place["records"])  # whom it concerns; else the order is kept
    tiles = _tiles(summary)
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
        tuple(map(_groups, summary["by"])),
        _names(wrong),
        None if summary["comparison"] is None else _trend(summary["comparison"]),
        columns(days, wholes),
        summary["undated"] + unknown,
        tuple(wrong),
        unchecked,
        _other_places(summary["other_places"]),
        tuple(passed_over(summary)),
    )


def keeps_from_checking(place: Summary) -> bool:
    """Return whether a place is one of records that were not checked."""
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
        key = (name_of(place), place["path"], place["type"] or "")
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


def path_of(place: Summary) -> str:
    """Return the JSON Pointer of a place as people read it; "" for that of a record as a whole."""
    is_whole = keeps_from_checking(place) and not place["path"]
    return "" if is_whole else display_pointer(place["path"])


def name_of(place: Summary) -> str:
    """Return the name of a place for people; all data of a widget has none of its own."""
    if keeps_from_checking(place) and not place["path"]:
        return ""
    return place["name"] or ("" if "*" in place["path"] else "The whole widget")


def _names(places: Iterable[Summary]) -> dict[str, str]:
    """Return the names of places by their paths, of those that are called the same in all types."""
    found: dict[str, str] = {}
    for place in places:
        name = name_of(place)
        if found.setdefault(place["path"], name) != name:
            found[place["path"]] = ""
    return found


def _groups(by: Summary) -> GroupTable:
    values = by["values"]
    rows = (*zip(values, lengths([one["invalid"] for one in values]), strict=True),)
    rest = []
    if left := values[MOST_BARS + _MOST_FOLDED :]:
        invalid = sum(one["invalid"] for one in left)
        rest.append(f"{plural(len(left), 'more value')} with {invalid:,} invalid widgets.")
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
        rows[:MOST_BARS],
        rows[MOST_BARS : MOST_BARS + _MOST_FOLDED],
        tuple(rest),
    )


def group_notes(group: Summary) -> str:
    """Return the other counts of the records with a value."""
    notes = (
        ("untyped", "of unknown type"),
        ("invalid_before", "invalid before"),
        ("mended", "mended"),
    )
    return ", ".join(f"{group[name]:,} {what}" for name, what in notes if group[name])


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
        (sort, place)
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


def advice_on(keyword: str) -> str:
    """Return the advice on a mistake for people who edit content."""
    advice = keyword_of(keyword).advice
    return f"{advice}." if isinstance(advice, str) and advice else ""


def where(example: Summary) -> str:
    """Return the file, the line and the place in it of an example or a problem."""
    file = "standard input" if example["file"] == "-" else example["file"]
    line = "" if example["line"] is None else f":{example['line']}"
    document = example.get("document")
    return f"{file}{line}{'#' + document if document else ''}"


def id_text(id: Any) -> str:
    """Return an id as people read it."""
    if id is None:
        return ""
    return id if isinstance(id, str) else json.dumps(id, ensure_ascii=False)


def _other_places(other: Summary) -> str:
    if not other["places"]:
        return ""
    found = plural(other["findings"], "mistake")
    return f"{plural(other['places'], 'more place')} with {found} had no room in the summary."


def schema_notes(schema: Summary) -> str:
    """Return the origin of a schema and its date, and that it may be out of date."""
    origin = without_folders(schema["origin"] or "")
    notes = [f"from {origin}"] if origin and origin != without_folders(schema["source"]) else []
    if schema["fetched"]:
        notes.append(f"fetched {schema['fetched']}")
    if schema["stale"]:
        notes.append("maybe out of date")
    return ", ".join(notes)


def without_folders(source: str) -> str:
    """Return the name of a file without the folders of a machine; an address as it is."""
    path = PureWindowsPath(source)  # knows both separators
    return path.name if path.root or source.startswith("file:") else source


# The verdict


def verdict(summary: Summary) -> Verdict:
    """Return the verdict on a summary, as `audit.summary` makes them."""
    return Verdict(*_headline(summary), tuple(_sentences(summary)))


def _headline(summary: Summary) -> tuple[Tone, str]:
    records, invalid = summary["records"], summary["invalid"]
    unchecked = summary["unreadable"] + summary["untyped"]
    gaps = summary["problems"] or summary["other_problems"]
    so_far = "" if summary["complete"] else "So far, "
    if not records:
        return "notice", _sentence(f"{so_far}no widget was checked")
    whole = plural(records, "widget")
    if invalid:
        verb = "is" if invalid == 1 else "are"
        breaks = "breaks" if invalid == 1 else "break"
        what = f"{verb} no longer valid" if summary["against"] else breaks
        return "bad", f"{so_far}{invalid:,} of {whole} {what} ({share(invalid, records)})"
    if unchecked == records:
        none = "the only widget could not" if records == 1 else f"none of {whole} could"
        return "notice", _sentence(f"{so_far}{none} be checked")
    if unchecked:
        but = f"but {unchecked:,} of {records:,} could not be checked"
        return "notice", _sentence(f"{so_far}no widget breaks, {but}")
    if summary["invalid_before"]:
        if gaps:
            return "notice", _sentence(f"{so_far}no widget that could be compared breaks")
        return "good", _sentence(f"{so_far}none of {whole} breaks that did not before")
    every = "the only widget is" if records == 1 else f"all {whole} are"
    if gaps:
        every = (
            "the only widget that could be read is"
            if records == 1
            else (f"all {whole} that could be read are")
        )
    tone: Tone = "notice" if gaps or not summary["complete"] else "good"
    return tone, _sentence(f"{so_far}{every} valid")


def _sentences(summary: Summary) -> Iterator[str]:
    """Yield the further sentences of the verdict that apply."""
    invalid, mended = summary["invalid"], summary["mended"]
    if sample := summary["sample"]:
        interval = interval_text(*sample["intervals"]["invalid"])
        yield (
            f"This is a sample of {100 * sample['share']:.4g} %; "
            f"{plural(sample['left_out'], 'widget')} were not checked. Of all widgets, {interval} "
            f"break (with {100 * sample['confidence']:.4g} % confidence)."
        )
    if summary["against"]:
        it_was = (
            "it was valid, by the newer ones it is"
            if invalid == 1
            else ("they were valid, by the newer ones they are")
        )
        yield (
            f"By the older schemas {it_was} not."
            if invalid
            else "Only widgets count that were valid by the older schemas."
        )
    if mended:
        was, are = ("was", "is") if mended == 1 else ("were", "are")
        yield f"{plural(mended, 'widget')} {was} invalid before and {are} valid now."
    if before := summary["invalid_before"]:
        what = f"{'more ' if invalid else ''}widget{' is' if before == 1 else 's are'}"
        was, its = ("was", "its mistakes") if before == 1 else ("were", "their mistakes")
        yield f"{before:,} {what} invalid, but {was} so before; {its} are not listed."
    unreadable, untyped = summary["unreadable"], summary["untyped"]
    unchecked = [f"{plural(unreadable, 'record')} could not be read"] if unreadable else []
    if untyped:
        number = f"{untyped:,}" if unreadable else plural(untyped, "record")
        unchecked.append(f"the widget type of {number} is not known")
    if unchecked:
        yield _sentence(f"{', and '.join(unchecked)}.")
    if truncated := summary["truncated"]:
        has = "has" if truncated == 1 else "have"
        yield (
            f"{plural(truncated, 'widget')} {has} more mistakes than are counted "
            f"(at most the first {MOST_FINDINGS:,})."
        )
    if problems := len(summary["problems"]) + summary["other_problems"]:
        there = "is" if problems == 1 else "are"
        yield f"There {there} {plural(problems, 'problem')} with what was to be read."
    elif not summary["records"]:
        yield "There is no record in what was read."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def size(number: int) -> str:
    """Bytes as people say it, by powers of 1,000."""
    amount = float(number)
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if amount < 999.5:
            return (
                f"{number:,} {unit}"
                if unit == "bytes"
                else f"{short_number(f'{amount:.3g}')} {unit}"
            )
        amount /= 1000
    return f"{amount:,.0f} PB"
