"""The summary in words that everybody reads: the verdict, mistakes, shares, sizes.

Plain text only; markup is made by the templates of `report`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from widgetschema.audit.reporters.summary import interval_text
from widgetschema.project.checking.results import MOST_FINDINGS
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
    return Verdict(*_headline(summary), tuple(_sentences(summary)))


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


def _sentences(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield what else a person has to know, each if it is so."""
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
