"""Find the fields and findings of a view in the text of its JSON pane.

The script marks lines with them. Offsets are those of a script: in UTF-16 units (ECMA-262, section
6.1.4), of a text whose lines end with LF, as a text area has it (HTML, "API value").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from widgetschema.editor.views import View
from widgetschema.findings import Finding
from widgetschema.forms.advice import general_advice
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.jsontext import SourceText

_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


class FieldPlace(NamedTuple):
    """The place of a field: its id, its label, and where its member or item begins and ends."""

    id: str
    label: str
    start: int
    end: int


class FindingPlace(NamedTuple):
    """The place of a finding, and what it says: for people who edit content, then in detail."""

    text: str
    start: int
    end: int


class PanePlaces(NamedTuple):
    """The places in a pane; those of fields are in the order of the form, outer ones first."""

    fields: tuple[FieldPlace, ...] = ()
    findings: tuple[FindingPlace, ...] = ()


def pane_places(view: View) -> PanePlaces:
    """Return where the fields and findings of a view are in its pane.

    A pane that no form can be made of has the places of the reasons; one that differs from the
    form has none.
    """
    text = normalize_newlines(view.pane)
    units = _units(text)
    if view.is_refused:
        return PanePlaces(findings=tuple(_refusals(view.refused.refusals, text, units)))
    form = view.form
    if form is None or text != normalize_newlines(view.text):
        return PanePlaces()
    fields = [field for field in form if field.path is not None]
    source = SourceText(text)
    paths = {field.path for field in fields if field.path is not None}
    located = source.locate({*paths, *(finding.path for finding in view.shown_findings)})
    places = []
    for field in fields:
        at = located.get(field.path or "")
        if at is not None:
            start = at.start if at.key_start is None else at.key_start
            places.append(FieldPlace(field.id, form.label(field), units(start), units(at.end)))
    findings = []
    for finding in view.shown_findings:
        start, end = source.span(finding, located)
        said = f"{form.sentence(finding)}\n{_message(finding)}"
        findings.append(FindingPlace(said, units(start), units(end)))
    return PanePlaces(tuple(places), tuple(findings))


def _refusals(
    findings: Iterable[Finding], text: str, units: Callable[[int], int]
) -> Iterable[FindingPlace]:
    """Yield the places of findings that have a line and a column."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for finding in findings:
        if finding.line is None or finding.column is None:
            continue
        line = starts[min(finding.line, len(starts)) - 1]
        start = min(line + finding.column - 1, len(text))
        said = f"{general_advice(finding.keyword)}\n{_message(finding)}"
        yield FindingPlace(said, units(start), units(min(start + 1, len(text))))


def _message(finding: Finding) -> str:
    return f"{finding.message}; hint: {finding.hint}" if finding.hint else finding.message


def _units(text: str) -> Callable[[int], int]:
    """Return the function that turns an offset in characters into one in UTF-16 units."""
    if text.isascii():
        return lambda offset: offset
    astral = [match.start() for match in _ASTRAL.finditer(text)]
    return lambda offset: offset + bisect_left(astral, offset)
