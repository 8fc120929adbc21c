"""The content of the page that a summary does not have as it is, for the templates.

Values only, of plain text and numbers. Texts are what the sources have: the templates cut and
escape them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PureWindowsPath
from typing import Any, Final, Literal, NamedTuple

from widgetschema.audit.page.charts import Columns, Piece, columns, lengths, pieces
from widgetschema.audit.reporters.summary import changes as changes
from widgetschema.audit.reporters.summary import comparison_notes as comparison_notes
from widgetschema.audit.reporters.summary import (
    group_counts,
    sample_lines,
    truncated,
    wildcard_advice,
)
from widgetschema.audit.reporters.summary import group_name as group_name
from widgetschema.audit.reporters.summary import passed_over as passed_over
from widgetschema.audit.reporters.summary import values_text as values_text
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.schema.keywords import keyword_of
from widgetschema.text import plural, printable, share, shorten

MOST_BARS: Final = 10
MOST_FOLDED: Final = 200  # bars that can be opened below these
MOST_PLACES: Final = 300  # that are listed
_WITH_EXAMPLES: Final = 100
_OPEN: Final = 20  # places that need not be opened
_LONGEST_CELL: Final = 300  # characters of a cell of a table to download

Summary = Mapping[str, Any]


class Verdict(NamedTuple):
    """The verdict: a sentence, more of them, and whether that is good.

    "notice" is neither: nothing was found to be invalid, but not everything was checked.
    """

    tone: Literal["good", "bad", "notice"]
    headline: str
    more: tuple[str, ...]


def verdict(summary: Summary) -> Verdict:
    """Return the verdict on a summary."""
    records, invalid = summary["records"], summary["invalid"]
    names = ("unreadable", "untyped", "problems", "other_problems")
    widgets = plural(records, "widget")
    before = summary["invalid_before"]
    tone: Literal["good", "bad", "notice"] = "notice"
    if not records:
        headline = "no widget was checked"
    elif invalid:
        verb = "is" if invalid == 1 else "are"
        what = "no longer valid" if summary["against"] else "invalid"
        tone = "bad"
        headline = f"{invalid:,} of {widgets} {verb} {what} ({share(invalid, records)})"
    elif any(summary[name] for name in names):
        found = "became invalid" if before else "is invalid"
        headline = f"no widget {found}, but not everything could be checked"
    else:
        tone = "good" if summary["complete"] else "notice"
        headline = f"none of {widgets} became invalid" if before else f"{widgets}, all valid"
    headline = headline if summary["complete"] else f"so far, {headline}"
    more = [] if summary["sample"] is None else [*sample_lines(summary["sample"])]
    more += [truncated(summary)] if summary["truncated"] else []
    if mended := summary["mended"]:
        more.append(f"valid now, and not before: {plural(mended, 'widget')}")
    return Verdict(tone, _sentence(headline), tuple(f"{_sentence(one)}." for one in more))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def unfinished(summary: Summary) -> str:
    """Return a sentence about an audit that was not finished."""
    done, whole = summary["partitions"]["done"], summary["partitions"]["all"]
    parts = f"{done:,} of {plural(whole, 'part')} {'is' if whole == 1 else 'are'} done"
    return f"The audit was not finished: {parts} ({share(done, whole)}). All numbers are of these."


class Tile(NamedTuple):
    """A number of records, with its name; `sort` is that of its piece in the bar of the whole."""

    name: str
    value: int
    note: str
    sort: str


def tiles(summary: Summary) -> list[Tile]:
    """Return the numbers of records, first of all of them."""
    records, against = summary["records"], summary["against"]
    made = [Tile("Widgets", records, "in the sample" if summary["sample"] else "in all", "")]
    for name, member, sort in (
        ("Valid", "valid", "valid"),
        ("No longer valid" if against else "Invalid", "invalid", "invalid"),
        ("Invalid before, too", "invalid_before", "before"),
        ("Unreadable", "unreadable", "unreadable"),
        ("Type unknown", "untyped", "untyped"),
    ):
        value = summary[member]
        if sort != "before" or value or against:
            made.append(Tile(name, value, share(value, records) if records else "", sort))
    return made


def whole(summary: Summary) -> list[Piece]:
    """Return the parts of all records."""
    return pieces([(tile.sort, tile.value) for tile in tiles(summary) if tile.sort])


# Bars


def width(value: float, of: float) -> float:
    """Return the length of a bar that shows a part of a whole."""
    return lengths([value, max(value, of)])[0]


def csv(*values: Any) -> str:
    """Return the values of a row for the script, which writes them as CSV."""
    shown = [
        printable(shorten(one, _LONGEST_CELL)) if isinstance(one, str) else one for one in values
    ]
    return json.dumps(shown, ensure_ascii=False)


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
    row: tuple[str | int, ...]


class Bars(NamedTuple):
    """Bars by size. `folded` are those that have to be opened; `rest` says what is not there."""

    shown: Sequence[Bar]
    folded: Sequence[Bar]
    rest: str
    rest_value: int

    @property
    def value(self) -> int:
        """The sum of all counts."""
        return sum(bar.value for bar in (*self.shown, *self.folded)) + self.rest_value


def type_bars(summary: Summary) -> Bars:
    """Return the types by the share of their widgets that is invalid."""
    types = sorted(summary["types"], key=lambda one: (-_broken(one), -one["records"], one["type"]))
    shares = [_broken(one) for one in types]
    widths = lengths(shares if len(types) > 1 else [*shares, 1.0])  # a single one: of its own
    bars = []
    for one, width in zip(types, widths, strict=False):
        id, invalid, records = one["type"], one["invalid"], one["records"]
        told = f"{invalid:,} of {records:,} · {share(invalid, records)}"
        notes = [f"{one['valid']:,} valid"]
        for member, what in (("invalid_before", "invalid before"), ("mended", "mended")):
            notes += [f"{one[member]:,} {what}"] if one[member] else []
        row = (id, records, invalid)
        bars.append(Bar("", id, ", ".join(notes), "", invalid, told, width, row))
    rest = bars[MOST_BARS + MOST_FOLDED :]
    left = sum(bar.value for bar in rest)
    said = f"{plural(len(rest), 'more type')}: {left:,} invalid" if rest else ""
    return Bars(bars[:MOST_BARS], bars[MOST_BARS : MOST_BARS + MOST_FOLDED], said, left)


def _broken(type: Summary) -> float:
    """Return the share of a type that is invalid."""
    return type["invalid"] / type["records"] if type["records"] else 0.0


def member_bars(summary: Summary) -> Bars:
    """Return the places in the data by their mistakes."""
    found: dict[tuple[str, str, str], int] = {}
    for place in wrong_places(summary):
        key = (name_of(place), display_pointer(place["path"]), place["type"] or "")
        found[key] = found.get(key, 0) + place["findings"]
    return _counted(found, summary["other_places"], "more place")


def mistake_bars(summary: Summary) -> Bars:
    """Return the sorts of mistakes."""
    found: dict[tuple[str, str, str], int] = {}
    for place in wrong_places(summary):
        key = (label_of(place["keyword"]), place["keyword"], "")
        found[key] = found.get(key, 0) + place["findings"]
    return _counted(found, summary["other_places"], "more sort")


def _counted(found: Mapping[tuple[str, str, str], int], other: Summary, noun: str) -> Bars:
    """Return the largest of several counts as bars, and the rest as one."""
    whole = sum(found.values()) + other["findings"]
    bars = []
    for ((name, code, type), value), width in zip(
        found.items(), lengths([*found.values()]), strict=True
    ):
        told = f"{value:,} · {share(value, whole)}"
        bars.append(Bar(name, code, "", type, value, told, width, (name, code, type, value)))
    bars.sort(key=lambda bar: (-bar.value, bar.code, bar.type))
    rest = bars[MOST_BARS:]
    said = [f"{plural(len(rest), noun)}: {sum(bar.value for bar in rest):,}"] if rest else []
    if other["findings"]:
        said.append(f"at places that are not listed: {other['findings']:,}")
    left = sum(bar.value for bar in rest) + other["findings"]
    return Bars(bars[:MOST_BARS], (), "; ".join(said).capitalize(), left)


def dates(summary: Summary) -> Columns | None:
    """Return the invalid records by day, or longer times."""
    return columns([(date.fromisoformat(one["date"]), one["invalid"]) for one in summary["dates"]])


# Places


class TypePlaces(NamedTuple):
    """The places of one type by member; `told` says how many of its widgets are invalid."""

    id: str
    told: str
    members: Sequence[Sequence[Summary]]
    is_open: bool


def keeps_from_checking(place: Summary) -> bool:
    """Return whether a place is one of records that were not checked."""
    return str(place["keyword"]).startswith(("json.", "problem."))


def unchecked_places(summary: Summary) -> list[Summary]:
    """Return the places of records that were not checked."""
    return [place for place in summary["places"] if keeps_from_checking(place)]


def wrong_places(summary: Summary) -> list[Summary]:
    """Return the places with mistakes in the data; those of the most records come first."""
    wrong = [place for place in summary["places"] if not keeps_from_checking(place)]
    return sorted(wrong, key=lambda place: -place["records"])


def places_by_type(summary: Summary) -> list[TypePlaces]:
    """Return the places that are listed: those of the types with the most invalid widgets first."""
    types: dict[str, dict[str, list[Summary]]] = {}
    for number, place in enumerate(wrong_places(summary)[:MOST_PLACES]):
        listed = place if number < _WITH_EXAMPLES else {**place, "examples": ()}
        members = types.setdefault(place["type"] or "", {})
        members.setdefault(place["path"], []).append(listed)
    bars = type_bars(summary)
    told = {bar.code: bar.told for bar in (*bars.shown, *bars.folded)}
    made, opened = [], 0
    for id in dict.fromkeys((*told, *types)):
        if id in types:
            made.append(TypePlaces(id, told.get(id, ""), [*types[id].values()], opened < _OPEN))
            opened += sum(map(len, types[id].values()))
    return made


def places_left(summary: Summary) -> str:
    """Return a sentence about the places with mistakes that are not listed; "" if all are."""
    left, other = wrong_places(summary)[MOST_PLACES:], summary["other_places"]
    number = len(left) + other["places"]
    if not number:
        return ""
    found = plural(sum(place["findings"] for place in left) + other["findings"], "mistake")
    return f"{plural(number, 'more place')} with {found} not listed."


def path_of(place: Summary) -> str:
    """Return the JSON Pointer of a place as people read it; "" for that of a record as a whole."""
    is_whole = keeps_from_checking(place) and not place["path"]
    return "" if is_whole else display_pointer(place["path"])


def name_of(place: Summary) -> str:
    """Return the name of a place for people; all data of a widget has none of its own."""
    if keeps_from_checking(place) and not place["path"]:
        return ""
    return place["name"] or ("" if "*" in place["path"] else "The whole widget")


def names_of_paths(places: Iterable[Summary]) -> dict[str, str]:
    """Return the names of places by their paths, of those that are called the same in all types."""
    found: dict[str, str] = {}
    for place in places:
        name = name_of(place)
        if found.setdefault(place["path"], name) != name:
            found[place["path"]] = ""
    return found


def label_of(keyword: str) -> str:
    """Return the words for a sort of mistake."""
    return keyword_of(keyword).label


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


# Groups, earlier audits and schemas


def pointer_label(pointer: str) -> str:
    """Return words for a JSON Pointer."""
    return " › ".join(map(label_from_name, parse_pointer(pointer)))


def groups_left(by: Summary) -> Iterator[str]:
    """Yield sentences about the records whose values at a pointer are not listed."""
    left = by["values"][MOST_BARS + MOST_FOLDED :]
    if left:
        invalid = sum(one["invalid"] for one in left)
        yield f"{plural(len(left), 'more value')} with {invalid:,} invalid widgets."
    if by["other_groups"]["records"]:
        number = plural(by["other_groups"]["groups"], "more value")
        yield f"{number}: {group_counts(by['other_groups'])}."
    if by["without"]["records"]:
        yield f"Without a text, number or boolean there: {group_counts(by['without'])}."
    if advice := wildcard_advice(by):
        yield f"{advice}."


def file_name(path: str) -> str:
    """Return the name of a file without its folders."""
    return PureWindowsPath(path).name  # knows both separators


def trend_widths(comparison: Summary) -> list[float]:
    """Return the lengths of the bars of several audits."""
    return lengths([_broken(one) for one in comparison["trend"]])


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
