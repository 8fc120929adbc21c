"""The comparison of a summary with earlier ones: what is new, what is gone, and the trend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.audit.summary import VERSION
from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import read

_TREND: Final = (
    "records valid invalid unreadable untyped invalid_before mended findings complete".split()
)
_LISTS: Final = ("types", "places", "by", "schemas")
_MOST_VALUES: Final = 50  # of a pointer, new or gone, that are listed

Summary = Mapping[str, Any]
Key = tuple[Any, ...]


class Earlier(NamedTuple):
    """An earlier summary; `name` says which one it is."""

    name: str
    summary: Summary


class NotASummary(ValueError):
    """A text is not the summary of an audit, or cannot be compared; the message says why."""


def parse_summary(raw: bytes) -> Summary:
    """Return the summary that `audit --format json` wrote. Raises `NotASummary`."""
    if not raw.strip():
        raise NotASummary("it is empty; write the new summary to another file than the earlier one")
    try:
        value = read(raw)
    except UnreadableDocument as error:
        raise NotASummary(f"it is not JSON: {error.report.findings[0].message}") from error
    summary: Summary = value
    version = value.get("version") if type(value) is dict else None
    if type(version) is not int or not all(type(value.get(name)) is list for name in _LISTS):
        raise NotASummary("it is not a summary that audit --format json wrote")
    if version > VERSION:
        raise NotASummary(f"its version is {version}, later than {VERSION}: upgrade widgetschema")
    try:
        nothing = {**value, **{name: [] for name in _LISTS}}
        for other in (value, nothing):  # all that is listed is in both, or gone
            compare(other, [Earlier("", value)])
    except (KeyError, TypeError, AttributeError) as error:
        raise NotASummary("it was changed since audit --format json wrote it") from error
    return summary


def compare(summary: Summary, earlier: Sequence[Earlier]) -> dict[str, Any]:
    """Return the changes since the last of some earlier summaries, and the trend since the first.

    `trend` has the counts of each, and last those of this one, with the name null. Of the places
    with findings, `new` ones were not there before, `gone` ones are no longer there, and of `more`
    and `fewer` the number of records changed; those before are `records_before`. `is_certain` is
    false if one of the two did not list all of its places, or is not complete: what is new or gone
    may then only not have been listed. `by` has the values that have invalid records now and had
    none before, or the other way around. Raises `NotASummary` if the two answer other questions.
    """
    sample = _sample(summary)
    for one in earlier:
        require_same_question(one.summary, against=summary["against"], sample=sample)
    last = earlier[-1].summary
    trend = [_counts(one.name, one.summary) for one in earlier]
    return {
        "trend": [*trend, _counts(None, summary)],
        "is_certain": _is_whole(summary) and _is_whole(last),
        **_places(summary, last),
        "types": _types(summary, last),
        "by": _by(summary, last),
        "schemas": _schemas(summary, last),
    }


def require_same_question(
    earlier: Summary, *, against: bool, sample: tuple[float, int] | None
) -> None:
    """Raise `NotASummary` if an audit like this asks something else than an earlier one.

    `sample` is the share and the seed of the records that are checked, if these are not all.
    """
    if earlier["against"] != against:
        raise NotASummary("of the two audits, only one is made with --against")
    if _sample(earlier) != sample:
        raise NotASummary(
            "the two audits checked different samples: what is missing in one may only not be in "
            "its sample; pass the same --sample and --seed to both, or to none"
        )


def _sample(summary: Summary) -> tuple[float, int] | None:
    sample = summary["sample"]
    return None if sample is None else (sample["share"], sample["seed"])


def _counts(name: str | None, summary: Summary) -> dict[str, Any]:
    counts = {count: summary[count] for count in _TREND}
    if not all(type(count) in (int, bool) for count in counts.values()):
        raise TypeError
    return {"name": name, **counts}


def _is_whole(summary: Summary) -> bool:
    return bool(summary["complete"]) and not summary["other_places"]["places"]


def _places(now: Summary, before: Summary) -> dict[str, list[dict[str, Any]]]:
    here, there = _by_key(now["places"]), _by_key(before["places"])
    told: dict[str, list[dict[str, Any]]] = {"new": [], "gone": [], "more": [], "fewer": []}
    for key, place in here.items():
        older = there.get(key)
        was = 0 if older is None else older["records"]
        if older is None:
            told["new"].append(_place(place, place["records"], 0))
        elif place["records"] != was:
            sort = "more" if place["records"] > was else "fewer"
            told[sort].append(_place(place, place["records"], was))
    told["gone"] = [_place(one, 0, one["records"]) for key, one in there.items() if key not in here]
    for places in told.values():
        places.sort(key=lambda one: -abs(one["records"] - one["records_before"]))
    return told


def _by_key(places: Sequence[Summary]) -> dict[Key, Summary]:
    names = ("type", "keyword", "path", "summed", "about")
    return {tuple(place[name] for name in names): place for place in places}


def _place(place: Summary, records: int, before: int) -> dict[str, Any]:
    told = {name: place[name] for name in ("type", "keyword", "path", "name", "message")}
    if not all(type(text) is str or text is None for text in told.values()):
        raise TypeError
    _require_counts(records, before)
    return {**told, "records": records, "records_before": before}


def _types(now: Summary, before: Summary) -> list[dict[str, Any]]:
    here = {one["type"]: one for one in now["types"]}
    there = {one["type"]: one for one in before["types"]}
    if not all(type(id) is str for id in (*here, *there)):
        raise TypeError
    return [
        {
            "type": id,
            **_of("records", here.get(id), there.get(id)),
            **_of("invalid", here.get(id), there.get(id)),
        }
        for id in sorted({*here, *there})
    ]


def _of(name: str, now: Summary | None, before: Summary | None) -> dict[str, int]:
    counts = [0 if one is None else one[name] for one in (now, before)]
    _require_counts(*counts)
    return {name: counts[0], f"{name}_before": counts[1]}


def _require_counts(*values: object) -> None:
    """Raise `TypeError` for values that are no counts, which the report relies on."""
    if any(type(value) is not int for value in values):
        raise TypeError


def _by(now: Summary, before: Summary) -> list[dict[str, Any]]:
    there = {one["pointer"]: one for one in before["by"]}
    return [_values(one, there[one["pointer"]]) for one in now["by"] if one["pointer"] in there]


def _values(now: Summary, before: Summary) -> dict[str, Any]:
    here, there = _invalid(now), _invalid(before)
    new = [value for key, value in here.items() if key not in there]
    gone = [value for key, value in there.items() if key not in here]
    listed = [one["invalid_groups"] <= len(_invalid(one)) for one in (now, before)]
    return {
        "pointer": now["pointer"],
        "is_certain": all(listed),
        "invalid_groups": now["invalid_groups"],
        "invalid_groups_before": before["invalid_groups"],
        "new": new[:_MOST_VALUES],
        "gone": gone[:_MOST_VALUES],
    }


def _invalid(by: Summary) -> dict[Key, Any]:
    """Return the listed values that have invalid records; `1` and `true` are not the same."""
    return {
        (type(one["value"]) is bool, one["value"]): one["value"]
        for one in by["values"]
        if one["invalid"]
    }


def _schemas(now: Summary, before: Summary) -> list[str]:
    """Return the ids of the schemas that both have, and that are not the same."""
    there = {one["id"]: one["digest"] for one in before["schemas"]}
    return [
        one["id"] for one in now["schemas"] if there.get(one["id"], "") not in ("", one["digest"])
    ]
