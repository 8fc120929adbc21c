"""The summary of an audit: a JSON object whose member names are a contract, and its exit code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.audit.plan import Plan
from widgetschema.audit.sampling import CONFIDENCE, Sample, wilson
from widgetschema.audit.tally import INVALID, Example, FindingGroup, Tally
from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import WidgetSchemaError
from widgetschema.forms.fields.labels import label_from_name
from widgetschema.pointers import parse_pointer
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.results import Problem
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.schema.tree.navigation import children
from widgetschema.text import one_line

if TYPE_CHECKING:
    from widgetschema.schema.tree import Node

MAX_PLACES: Final = 1_000  # that are in the summary
VERSION: Final = 1  # of the format of summaries
_TOLD_VALUES: Final = 10  # of a place
_GATE: Final = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,12}))? ?(%?)", re.ASCII)
_ANY: Final = ("*", "**")
_LONGEST: Final = 80  # characters of one name
_MOST_NAMES: Final = 8  # of a place; of more, the last
_DATA: Final = "data"  # the member of a document that people edit


class RunState(NamedTuple):
    """The state of an audit: partitions that are done, whether these are all, and problems.

    `passed_over` are sources that are no data.
    """

    done: int
    complete: bool
    problems: tuple[Problem, ...] = ()
    other_problems: int = 0
    passed_over: tuple[Problem, ...] = ()
    other_passed_over: int = 0


def summary(
    plan: Plan, tally: Tally, stage: RunState, groups: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """Return the summary of an audit, as a JSON object.

    `records` are all there are: `valid`, `invalid`, `unreadable` (not JSON, or too large),
    `untyped` (of no known type) and `invalid_before` (with an older catalog: invalid by that, too;
    nothing else is said of these). `mended` records are valid, but were not by the older catalog.
    `findings` are all that is said of records; there are more if
    some are `truncated`: of each record only the first 1,000 are looked for. `types` by id;
    `places` by findings, each with a `name` for people; in a `path`, `*` is any array item, or,
    where the place is `summed`, the names of many members that the schema does not know: then at
    most so many `records` have them.
    `sample` says which records were checked, if these are not all, and has the 95 % intervals
    (Wilson) of the shares that are invalid, unreadable and untyped, and of the share that is
    invalid of each type. `dates` are days of invalid records. `input` has what was noticed about
    the input, as far as there is any: sources that are `arrays`, `concatenated` texts or
    `sequences` (RFC 7464), whose lines end with `carriage_returns` alone, or that begin with
    `byte_order_marks`, which are skipped, as are `blank_lines`; tables of CSV with cells that are
    `not_utf8`;
    records `without_document`, which are not counted. `by` has the counts by the values at each
    pointer: see `RecordGroups.as_dicts`.
    `passed_over` are files of folders that
    were not read, since they are no JSON text, or this package wrote them; and links to other
    folders.
    `comparison` is that with earlier summaries, if it was asked for (`comparison.compare`). Nothing
    else in it depends on who did the audit, or when.
    """
    places, others = _ranked(list(tally.groups))
    settings = plan.settings
    names = PlaceNames(plan.catalog, settings.data_pointer)
    ids = sorted({*tally.types, *filter(None, [settings.type_id])})
    return {
        "version": VERSION,
        **tally.record_counts(),
        "sample": None if settings.sample is None else _sample(settings.sample, tally),
        "lines": tally.lines,
        "bytes": tally.bytes,
        "sources": len(plan.sources),
        "complete": stage.complete,
        "partitions": {"done": stage.done, "all": len(plan.partitions)},
        "types": tally.type_counts(),
        "places": [
            _place(place, settings.examples, _records(tally, place), names) for place in places
        ],
        "other_places": {
            "places": len(others),
            "findings": sum(place.findings for place in others),
        },
        "dates": [
            {"date": day, "invalid": invalid} for day, invalid in sorted(tally.dates.items())
        ],
        "undated": tally.undated,
        "by": _with_paths(groups, tally),
        "input": {name: tally.input[name] for name in sorted(tally.input)},
        "problems": [*map(problem_dict, stage.problems)],
        "other_problems": stage.other_problems,
        "passed_over": [{"file": one.file, "message": one.message} for one in stage.passed_over],
        "other_passed_over": stage.other_passed_over,
        "against": plan.older is not None,
        "comparison": None,
        "schemas": _schemas(plan.catalog, ids),
        "older_schemas": [] if plan.older is None else _schemas(plan.older, ids),
    }


def _with_paths(groups: Sequence[dict[str, Any]], tally: Tally) -> list[dict[str, Any]]:
    """Return groups whose mistakes have the path of the one place that they are about, if so."""
    paths: dict[tuple[str | None, str, str], set[str]] = {}
    for place in tally.groups:
        key = place.key
        for path in (place.general, key.path):
            paths.setdefault((key.type_id, key.keyword, path), set()).add(key.path)
    for mistake in (one for by in groups for value in by["values"] for one in value["mistakes"]):
        told = paths.get((mistake["type"], mistake["keyword"], mistake["path"]), ())
        if len(told) == 1:
            [mistake["path"]] = told
    return [*groups]


def exit_code(summary: dict[str, Any], gate: Gate | None = None) -> int:
    """Return the highest exit code that applies; of a run that was interrupted, to what it did.

    Invalid records that the `gate` admits are no reason to fail.
    """
    invalid = summary["invalid"]
    is_admitted = gate is not None and gate.admits(invalid, summary["records"])
    codes: list[int] = [0, *(problem["code"] for problem in summary["problems"])]
    codes += [3] if summary["unreadable"] or summary["other_problems"] else []
    codes += [1] if (invalid and not is_admitted) or summary["untyped"] else []
    codes += [_CODES.get(place["keyword"], 0) for place in summary["places"]]
    return max(codes)


def _sample(sample: Sample, tally: Tally) -> dict[str, Any]:
    """Return the data of a sample, and the intervals of the shares of all records."""
    counts = tally.record_counts()
    names = ("invalid", "unreadable", "untyped")
    return {
        "share": sample.share,
        "seed": sample.seed,
        "left_out": tally.left_out,
        "confidence": CONFIDENCE,
        "intervals": {name: wilson(counts[name], counts["records"]) for name in names},
        "types": {
            one["type"]: wilson(one["invalid"], one["records"]) for one in tally.type_counts()
        },
    }


_CODES: Final = {code: one.exit_code for code, one in KEYWORDS.items() if one.exit_code}


def _ranked(places: list[FindingGroup]) -> tuple[list[FindingGroup], list[FindingGroup]]:
    """Return the groups that are shown, most findings first, and the others.

    What kept records from being checked is always told: the exit code depends on it.
    """
    places.sort(key=_weight)
    if len(places) > MAX_PLACES:
        places.sort(key=lambda place: place.key.keyword not in _CODES)
    return sorted(places[:MAX_PLACES], key=_weight), places[MAX_PLACES:]


def _weight(place: FindingGroup) -> tuple[int, str, str, str, int, str]:
    key = place.key
    return -place.findings, key.type_id or "", key.path, key.keyword, key.level, key.about


def _records(tally: Tally, place: FindingGroup) -> int:
    """Return the number of records that have findings in a group.

    Of one that is summed up, it is at most as many: no more than there are of this type, and if
    there are fewer examples than are kept, these are all.
    """
    if not place.key.level:
        return place.records
    counts = tally.types.get(place.key.type_id or "")
    told = tally.unreadable + tally.untyped + (0 if counts is None else counts[INVALID])
    kept = len(place.examples)
    return min(place.records, told, kept if kept < tally.groups.examples else told)


def _place(place: FindingGroup, examples: int, records: int, names: PlaceNames) -> dict[str, Any]:
    values = sorted(place.values.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOLD_VALUES]
    others = place.findings - sum(findings for _, findings in values)
    return {
        "type": place.key.type_id,
        "keyword": place.key.keyword,
        "path": place.key.path,
        "name": names.name(place.key.type_id, place.key.path),
        "records": records,
        "findings": place.findings,
        "summed": place.key.level > 0,
        "about": place.key.about,
        "message": place.message or place.key.about or f"for example: {place.examples[0].message}",
        "hint": place.hint or None,
        "values": [{"value": value, "findings": findings} for value, findings in values],
        "other_values": others if values else 0,
        "all_values": not values or sum(place.values.values()) == place.findings,
        "examples": [_example(one) for one in place.examples[:examples]],
    }


def _example(example: Example) -> dict[str, Any]:
    names = ("file", "line", "document", "id", "path", "message")
    return {name: getattr(example, name) for name in names}


def problem_dict(problem: Problem) -> dict[str, Any]:
    """Return a problem as a summary has it."""
    names = ("file", "line", "keyword", "message", "code")
    return {name: getattr(problem, name) for name in names}


def _schemas(catalog: Catalog, ids: list[str]) -> list[dict[str, Any]]:
    return [schema.as_dict() for schema in Checker(catalog).schemas_of(ids)]


# How many records may be invalid


class Gate(NamedTuple):
    """The most records that may be invalid: a number of them, or a share of all.

    `text` is the gate as it was given.
    """

    text: str
    number: Fraction
    is_share: bool

    def admits(self, invalid: int, records: int) -> bool:
        """Return whether no more records are invalid than may be."""
        limit = self.number * records if self.is_share else self.number
        return invalid <= limit


def parse_gate(text: str) -> Gate | None:
    """Return the gate that a text such as `0.1%` or `10` means; None if it is none."""
    match = _GATE.fullmatch(text.strip())
    if match is None:
        return None
    whole, decimals, percent = match.groups()
    number = Fraction(f"{whole}.{decimals or 0}")
    if percent:
        return Gate(text.strip(), number / 100, True) if number <= 100 else None
    return Gate(text.strip(), number, False) if decimals is None else None


# What people call a place


class PlaceNames:
    """The names of places in the data for people: by titles in the schemas, else by their words."""

    def __init__(self, catalog: Catalog, data_pointer: str | None = None) -> None:
        self._catalog = catalog
        self._data = [_DATA] if data_pointer is None else parse_pointer(data_pointer)
        self._nodes: dict[tuple[str | None, ...], list[Node]] = {}  # by type and tokens

    def name(self, type_id: str | None, path: str) -> str:
        """Return the name of a place in a record, such as `Questions › Answer`; "" for all."""
        tokens = parse_pointer(path)
        nodes = self._root(type_id)
        size = len(self._data)
        is_own = size == 1 and any(_DATA in node.properties for node in nodes)
        if tokens[:size] == self._data and not is_own:
            del tokens[:size]
        names = []
        for depth, token in enumerate(tokens, start=1):
            place = (type_id, *tokens[:depth])
            if place not in self._nodes:
                self._nodes[place] = self._below(nodes, token)
            nodes = self._nodes[place]
            if token in _ANY:
                continue
            titles = (node.annotation("title") for node in nodes)
            title = next((one for one in titles if type(one) is str and one.strip()), None)
            names.append(one_line(title or label_from_name(token), _LONGEST))
        if tokens and tokens[-1] in _ANY and names:
            names[-1] = f"{names[-1]} (any)"
        return " › ".join(names[-_MOST_NAMES:])

    def _root(self, type_id: str | None) -> list[Node]:
        try:
            return [] if type_id is None else [self._catalog[type_id].schema_tree.root]
        except WidgetSchemaError:  # which the summary says
            return []

    @staticmethod
    def _below(nodes: list[Node], token: str) -> list[Node]:
        below: dict[Any, Node] = {
            one.key: one for node in nodes for one in children(node, token.replace("**", "*"))
        }
        return [*below.values()][:20]
