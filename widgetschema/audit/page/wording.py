"""The summary in words that everybody reads: the verdict, mistakes, shares, sizes.

Plain text only; markup is made by the templates of `report`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from widgetschema.project.checking.results import MOST_FINDINGS
from widgetschema.reporters.audit import interval_text
from widgetschema.text import plural, share, short_number

Tone = Literal["good", "bad", "notice"]


class Verdict(NamedTuple):
    """The verdict: a sentence, more of them, and whether that is good.

    "notice" is neither: nothing was found to be invalid, but not everything was checked.
    """

    tone: Tone
    headline: str
    more: tuple[str, ...] = ()


def verdict(summary: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a summary, as `tally` makes them."""
    tone, headline = _headline(summary)
    more = [
        _sampled(summary),
        _changed(summary),
        _mended(summary),
        _before(summary),
        _unchecked(summary),
        _truncated(summary),
        _problems(summary),
    ]
    return Verdict(tone, headline, tuple(filter(None, more)))


def _headline(summary: Mapping[str, Any]) -> tuple[Tone, str]:
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


def _sampled(summary: Mapping[str, Any]) -> str:
    sample = summary["sample"]
    if not sample:
        return ""
    interval = interval_text(*sample["intervals"]["invalid"])
    level = f"{100 * sample['confidence']:.4g} %"
    left_out = plural(sample["left_out"], "widget")
    return (
        f"This is a sample of {100 * sample['share']:.4g} %; {left_out} were not checked. Of all "
        f"widgets, {interval} break (with {level} confidence)."
    )


def _mended(summary: Mapping[str, Any]) -> str:
    number = summary["mended"]
    if not number:
        return ""
    was = (
        "widget was invalid before and is" if number == 1 else "widgets were invalid before and are"
    )
    return f"{number:,} {was} valid now."


def _changed(summary: Mapping[str, Any]) -> str:
    if not summary["against"]:
        return ""
    if not summary["invalid"]:
        return "Only widgets count that were valid by the older schemas."
    return (
        "By the older schemas it was valid, by the newer ones it is not."
        if summary["invalid"] == 1
        else "By the older schemas they were valid, by the newer ones they are not."
    )


def _before(summary: Mapping[str, Any]) -> str:
    number = summary["invalid_before"]
    if not number:
        return ""
    what = "widget is" if number == 1 else "widgets are"
    was, its = ("was", "its mistakes") if number == 1 else ("were", "their mistakes")
    more = "more " if summary["invalid"] else ""
    return f"{number:,} {more}{what} invalid, but {was} so before; {its} are not listed."


def _unchecked(summary: Mapping[str, Any]) -> str:
    unreadable, untyped = summary["unreadable"], summary["untyped"]
    parts = []
    if unreadable:
        parts.append(f"{plural(unreadable, 'record')} could not be read")
    if untyped:
        of = plural(untyped, "record") if not unreadable else f"{untyped:,}"
        parts.append(f"the widget type of {of} is not known")
    return _sentence(f"{', and '.join(parts)}.") if parts else ""


def _truncated(summary: Mapping[str, Any]) -> str:
    if not summary["truncated"]:
        return ""
    has = "has" if summary["truncated"] == 1 else "have"
    of = plural(summary["truncated"], "widget")
    return f"{of} {has} more mistakes than the first {MOST_FINDINGS:,}, which alone are counted."


def _problems(summary: Mapping[str, Any]) -> str:
    problems = len(summary["problems"]) + summary["other_problems"]
    if problems:
        there = "is" if problems == 1 else "are"
        return f"There {there} {plural(problems, 'problem')} with what was to be read."
    return "" if summary["records"] else "There is no record in what was read."


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
