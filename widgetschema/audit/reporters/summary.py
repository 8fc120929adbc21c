"""The summary of an audit as text: the verdict, then each kind of finding with examples.

A summary is the JSON object that `widgetschema.audit.summary` makes; nothing is counted here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from widgetschema.pointers import ANY, ANY_DEPTH, display_pointer, parse_pointer
from widgetschema.project.checking.results import MOST_FINDINGS
from widgetschema.reporters.style import Style, plain
from widgetschema.text import plural, printable, share, short_number

_PLACES: Final = 20  # kinds of findings shown; the rest is counted
_PROBLEMS: Final = 20
_GROUPS: Final = 10  # values of a pointer of --by that are shown
_CHANGES: Final = 10  # of each sort that are shown
_MISTAKES: Final = 3  # of each of them
_LONGEST_VALUE: Final = 60  # characters of a value that is listed
_WORTH_TELLING: Final = ("invalid", "untyped", "mended")
_SCALAR: Final = re.compile(r"-?[0-9.]+(?:[eE][-+]?[0-9]+)?|true|false")


def audit_text(summary: Mapping[str, Any], style: Style = plain) -> str:
    """Return the whole summary; each line ends with a newline."""
    lines = [verdict(summary)]
    if summary["sample"] is not None:
        lines += [f"  {line}" for line in sample_lines(summary["sample"])]
    if len(summary["types"]) > 1:
        lines += [f"  {_type(one)}" for one in summary["types"]]
    lines += finding_lines(summary, style)
    for by in summary.get("by", ()):
        lines += _groups(by)
    if summary["truncated"]:
        lines.append(truncated(summary))
    if summary.get("comparison") is not None:
        lines += _comparison(summary["comparison"])
    lines += problem_lines(summary)
    lines += _input(summary)
    lines += passed_over(summary)
    return "".join(f"{line}\n" for line in lines)


def finding_lines(summary: Mapping[str, Any], style: Style = plain) -> Iterator[str]:
    """Yield the lines on each kind of finding; what is left out is counted."""
    for place in summary["places"][:_PLACES]:
        yield from _place(place, style)
    yield from _left_out(summary)


# What is said of the input, by the names of the summary: one, several.
_READ: Final = {
    "arrays": ("file is a JSON array", "files are JSON arrays"),
    "concatenated": (
        "file has JSON texts one after the other",
        "files have JSON texts one after the other",
    ),
    "sequences": ("file is a JSON text sequence", "files are JSON text sequences"),
    "carriage_returns": (
        "file ends its lines with carriage returns",
        "files end their lines with carriage returns",
    ),
    "byte_order_marks": ("byte order mark was skipped", "byte order marks were skipped"),
    "not_utf8": (
        "table has ids or other cells that are not UTF-8: their bytes are written as \\xNN",
        "tables have ids or other cells that are not UTF-8: their bytes are written as \\xNN",
    ),
    "without_document": (
        "record has null where its document would be, and was skipped",
        "records have null where their documents would be, and were skipped",
    ),
    "blank_lines": ("empty line was skipped", "empty lines were skipped"),
}


def _input(summary: Mapping[str, Any]) -> list[str]:
    """Return a line on what was noticed about the input, if there is anything."""
    counts = summary.get("input", {})
    told = [
        f"{counts[name]:,} {one if counts[name] == 1 else several}"
        for name, (one, several) in _READ.items()
        if counts.get(name)
    ]
    return [f"input: {'; '.join(told)}"] if told else []


_NAMES: Final = {"invalid_before": "invalid before", "untyped": "of unknown type"}


def _numbers(counts: Mapping[str, Any], *names: str) -> list[str]:
    """Return the numbers of records of some statuses, in words; zeros are left out."""
    return [f"{counts[name]:,} {_NAMES.get(name, name)}" for name in names if counts[name]]


def verdict(summary: Mapping[str, Any]) -> str:
    """Return the counts of a summary in one line."""
    counts = summary
    of = f"{plural(counts['records'], 'record')} in {plural(counts['sources'], 'source')}"
    invalid = "no longer valid" if counts["against"] else "invalid"
    parts = []
    if 0 < counts["valid"] < counts["records"]:
        parts.append(f"{counts['valid']:,} valid")
    if counts["invalid"]:
        parts.append(f"{counts['invalid']:,} {invalid}")
    parts += _numbers(counts, "invalid_before", "unreadable", "untyped")
    if counts["mended"]:
        parts.append(f"{counts['mended']:,} of the valid ones mended")
    problems = len(counts["problems"]) + counts["other_problems"]
    if counts["records"] and counts["valid"] == counts["records"]:
        parts.append("all valid" if counts["complete"] else "all valid so far")
    elif counts["records"] and not counts["invalid"] and counts["against"] and not problems:
        parts.append("none became invalid")
    if problems:
        parts.append(plural(problems, "problem"))
    left = len(counts.get("passed_over", ())) + counts.get("other_passed_over", 0)
    if left:
        parts.append(f"{plural(left, 'file')} not read")
    text = ", ".join(parts) or "nothing to check"
    if counts["findings"]:
        least = "at least " if counts["truncated"] else ""
        text += f"; {least}{plural(counts['findings'], 'finding')}"
    if not counts["complete"]:
        text += f"; incomplete: {done(counts)} checked"
    return f"{of}: {text}"


def sample_lines(sample: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about the sample that was checked, and what it says of all records."""
    left_out = plural(sample["left_out"], "record")
    yield f"a sample of {100 * sample['share']:.4g} %; {left_out} not checked"
    low, high = sample["intervals"]["invalid"]
    level = f"{100 * sample['confidence']:.4g} %"
    yield f"of all records, {interval_text(low, high)} are invalid ({level} interval)"


def interval_text(low: float, high: float) -> str:
    """Return an interval of shares, such as `0.12 % to 0.31 %`."""
    return f"{_percent(low, math.floor)} to {_percent(high, math.ceil)}"


def _percent(share: float, towards: Callable[[float], int]) -> str:
    """Return a share in percent with two digits that count, rounded outwards."""
    if not share:
        return "0 %"
    digits = max(0, 1 - math.floor(math.log10(100 * share)))
    rounded = towards(100 * share * 10**digits) / 10**digits
    return f"{short_number(f'{rounded:.{digits}f}')} %"


def truncated(summary: Mapping[str, Any]) -> str:
    """Return a sentence about records with more findings than are counted."""
    has = "has" if summary["truncated"] == 1 else "have"
    of = plural(summary["truncated"], "record")
    return f"{of} {has} more findings than are counted (at most the first {MOST_FINDINGS:,})"


def done(summary: Mapping[str, Any]) -> str:
    """Return the share of the partitions that are done, such as `43 %`."""
    partitions = summary["partitions"]
    return f"{100 * partitions['done'] // max(1, partitions['all'])} %"


def _type(one: Mapping[str, Any]) -> str:
    records = plural(one["records"], "record")
    numbers = _numbers(one, "invalid", "invalid_before", "mended")
    return f"{printable(str(one['type']))}: {', '.join([records, *numbers])}"


def _place(place: Mapping[str, Any], style: Style) -> Iterator[str]:
    type_id = "" if place["type"] is None else f"{printable(place['type'])}: "
    about = f"{printable(place['keyword'])} {printable(display_pointer(place['path']))}"
    most = "at most " if place.get("summed") else ""  # a record may have several of them
    records = style("where", f"{most}{plural(place['records'], 'record')}:")
    yield f"{records} {type_id}{style('keyword', about)}: {printable(place['message'])}"
    text = values_text(place)
    if text:
        yield f"  {printable(text)}"
    for example in place["examples"]:
        yield f"  {_example(example, place)}"
    if len(place["examples"]) < place["records"] and place["examples"]:
        yield f"  … and {most}{place['records'] - len(place['examples']):,} more"
    if place["hint"]:
        yield f"  {style('hint', 'hint')}: {printable(place['hint'])}"


def values_text(place: Mapping[str, Any]) -> str:
    """Return the number of times that each wrong value occurs at a place, if that is known."""
    values = place.get("values", ())
    if not values or (len(values) == 1 and not place["other_values"]):
        return ""
    short = [one for one in values if len(one["value"]) <= _LONGEST_VALUE]
    if not short:
        return ""  # the examples quote some
    listed = ", ".join(f"{one['value']} ({one['findings']:,})" for one in short)
    left = sum(one["findings"] for one in values if one not in short) + place["other_values"]
    others = f"; other values ({left:,})" if left else ""
    return f"{'values' if place['all_values'] else 'values, some of many'}: {listed}{others}"


def _example(example: Mapping[str, Any], place: Mapping[str, Any]) -> str:
    line = "" if example["line"] is None else f":{example['line']}"
    text = f"{printable(example['file'])}{line}"
    if example["document"]:
        text += f" at {printable(display_pointer(example['document']))}"
    if example["id"] is not None:
        text += f" {printable(str(example['id']))}"
    if example["path"] != place["path"]:
        text += f" {printable(display_pointer(example['path']))}"
    if example["message"] != place["message"]:
        text += f": {printable(example['message'])}"
    return text


def _groups(by: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about the records by their value at a pointer."""
    pointer = printable(display_pointer(by["pointer"]))
    values = plural(by["groups"], "value")
    there = "is" if by["groups"] == 1 else "are"
    yield f"by {pointer}: there {there} {values}, {by['invalid_groups']:,} with invalid records"
    told = [one for one in by["values"][:_GROUPS] if any(map(one.get, _WORTH_TELLING))]
    for one in told:
        yield f"  {printable(group_name(one['value']))}: {group_counts(one)}"
        mistakes = [_mistake(mistake) for mistake in one["mistakes"][:_MISTAKES]]
        if mistakes:
            others = one["findings"] - sum(each["findings"] for each in one["mistakes"][:_MISTAKES])
            more = f", and {plural(others, 'other finding')}" if others else ""
            yield f"    {', '.join(mistakes)}{more}"
    left = by["invalid_groups"] - sum(1 for one in told if one["invalid"])
    if left:
        yield f"  … and {plural(left, 'other value')} with invalid records"
    if by["without"]["records"]:
        yield f"  without a text, number or boolean there: {group_counts(by['without'])}"
    if advice := wildcard_advice(by):
        yield f"  {advice}"


def wildcard_advice(by: Mapping[str, Any]) -> str:
    """Return advice if no record has a value at a pointer that looks like a pattern; else ""."""
    wildcard = next((one for one in parse_pointer(by["pointer"]) if one in (ANY, ANY_DEPTH)), None)
    if by["groups"] or wildcard is None:
        return ""
    return (
        f"{wildcard} is the name of a property here, not a wildcard: pass a pointer to one value "
        "of each record"
    )


def group_name(value: Any) -> str:
    """Return the value of a group as text: a number that is a text is in quotes."""
    is_plain = type(value) is str and value and not _SCALAR.fullmatch(value)
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def group_counts(one: Mapping[str, Any]) -> str:
    """Return the numbers of records of a group that are not valid."""
    said = _numbers(one, "invalid", "invalid_before", "untyped", "unreadable", "mended")
    return f"{plural(one['records'], 'record')}, {', '.join(said) or 'none invalid'}"


def _mistake(mistake: Mapping[str, Any]) -> str:
    type_id = "" if mistake["type"] is None else f"{printable(mistake['type'])}: "
    about = f"{printable(mistake['keyword'])} {printable(display_pointer(mistake['path']))}"
    return f"{type_id}{about} ({mistake['findings']:,})"


def _comparison(comparison: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about what changed since an earlier summary."""
    *earlier, now = comparison["trend"]
    for one in (*earlier, now):
        name = "now" if one["name"] is None else printable(one["name"])
        part = "" if one["complete"] else ", incomplete"
        yield f"{name}: {invalid_share(one)}{part}"
    yield f"since {printable(earlier[-1]['name'])}: {changes(comparison)}"
    for sort in ("new", "more", "fewer", "gone"):
        places = comparison[sort]
        for place in places[:_CHANGES]:
            type_id = "" if place["type"] is None else f"{printable(place['type'])}: "
            about = f"{printable(place['keyword'])} {printable(display_pointer(place['path']))}"
            records = f"{place['records_before']:,} → {plural(place['records'], 'record')}"
            yield f"  {sort}: {records}: {type_id}{about}: {printable(place['message'])}"
        if places[_CHANGES:]:
            yield f"  … and {len(places) - _CHANGES:,} {sort}"
    yield from (f"  {line}" for line in comparison_notes(comparison))


def comparison_notes(comparison: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines on what changed besides the kinds of findings, and how certain it all is."""
    for by in comparison["by"]:
        pointer = printable(display_pointer(by["pointer"]))
        before, number = by["invalid_groups_before"], plural(by["invalid_groups"], "value")
        yield f"by {pointer}: {before:,} → {number} with invalid records"
        for sort in ("new", "gone"):
            if by[sort]:
                names = [printable(group_name(value)) for value in by[sort][:_CHANGES]]
                more = "" if len(by[sort]) <= _CHANGES else ", …"
                yield f"  {sort}: {', '.join(names)}{more}"
    if not comparison["is_certain"]:
        yield "not all findings are listed in both, so some may be neither new nor gone"
    if comparison["schemas"]:
        yield f"schemas that changed: {', '.join(map(printable, comparison['schemas']))}"


def changes(comparison: Mapping[str, Any]) -> str:
    """Return the numbers of kinds of findings that changed, in a line."""
    said = [
        f"{len(comparison[sort]):,} {what}"
        for sort, what in (
            ("new", "new"),
            ("more", "with more records"),
            ("fewer", "with fewer records"),
            ("gone", "gone"),
        )
        if comparison[sort]
    ]
    return f"kinds of findings: {', '.join(said)}" if said else "the same kinds of findings"


def invalid_share(counts: Mapping[str, Any]) -> str:
    """Return the number of invalid records and their share."""
    told = f" ({share(counts['invalid'], counts['records'])})" if counts["invalid"] else ""
    return f"{counts['invalid']:,} of {plural(counts['records'], 'record')} invalid{told}"


def _left_out(summary: Mapping[str, Any]) -> Iterator[str]:
    hidden = summary["places"][_PLACES:]
    number = len(hidden) + summary["other_places"]["places"]
    if number:
        findings = sum(one["findings"] for one in hidden) + summary["other_places"]["findings"]
        yield f"… and {plural(number, 'other')} ({plural(findings, 'finding')})"


def passed_over(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about files that were not read, because they are not data."""
    files = summary.get("passed_over", ())
    for one in files[:_PROBLEMS]:
        yield f"{printable(one['file'])}: {printable(one['message'])}"
    number = len(files[_PROBLEMS:]) + summary.get("other_passed_over", 0)
    if number:
        yield f"… and {plural(number, 'more file')} not read"


def problem_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line on each problem; what is left out is counted."""
    problems = summary["problems"]
    for one in problems[:_PROBLEMS]:
        line = "" if one["line"] is None else f":{one['line']}"
        yield f"{printable(one['file'])}{line}: {printable(one['message'])}"
    number = len(problems[_PROBLEMS:]) + summary["other_problems"]
    if number:
        yield f"… and {plural(number, 'more problem')}"
