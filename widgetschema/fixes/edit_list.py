"""`edit_list`: the edits of a fixed text for programs, as ranges in the text and as a JSON Patch.

The ranges are those of the text as it was, in its order, and do not overlap: each is replaced by
itself. The patch (RFC 6902) does the same to the value; its operations are applied in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from widgetschema.findings import Finding
from widgetschema.fixes.edits import Edit
from widgetschema.fixes.fixing import Fixed
from widgetschema.jsontext import SourceText, read
from widgetschema.pointers import escape_token


class FixedValue(NamedTuple):
    """A value of a file, and what was fixed in it.

    Its text begins in that of the file at an offset, in a line.
    """

    offset: int
    line: int
    fixed: Fixed


class TextEdit(NamedTuple):
    """The text from `start` to `end` becomes `text`, which ends the findings."""

    start: int
    end: int
    text: str
    findings: tuple[Finding, ...]


def edit_list(text: str, values: Sequence[FixedValue]) -> dict[str, Any]:
    """Return the edits of the text of a file as a JSON object with `edits` and `patches`.

    `edits` has an entry for each range. `patches` has one for each value that was fixed: `patch` is
    None where `json_patch` has none.
    """
    edits = [
        edit._replace(start=value.offset + edit.start, end=value.offset + edit.end)
        for value in values
        for edit in text_edits(value.fixed)
    ]
    offsets = [offset for edit in edits for offset in (edit.start, edit.end)]
    positions = iter(SourceText(text).positions(offsets))
    return {
        "edits": [_as_dict(edit, next(positions), next(positions)) for edit in edits],
        "patches": [
            {"line": value.line, "patch": json_patch(value.fixed)}
            for value in values
            if value.fixed.rounds
        ],
    }


def _as_dict(edit: TextEdit, start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    return {
        "line": start[0],
        "column": start[1],
        "offset": edit.start,
        "end_line": end[0],
        "end_column": end[1],
        "end_offset": edit.end,
        "replacement": edit.text,
        "findings": [
            {
                "keyword": finding.keyword,
                "path": finding.path,
                "message": finding.message,
                "applicability": finding.fix and finding.fix.applicability,
            }
            for finding in edit.findings
        ],
    }


def text_edits(fixed: Fixed) -> list[TextEdit]:
    """Return the edits that lead from the text as it was to the fixed one, in its order."""
    done: list[TextEdit] = []
    for edits in fixed.rounds:
        done = _compose(done, edits)
    return done


def _compose(done: Sequence[TextEdit], edits: Iterable[Edit]) -> list[TextEdit]:
    """Return edits and those that were made after them as edits of the first text.

    An edit replaces a whole token, with all that was edited in it.
    """
    composed: list[TextEdit] = []
    at = moved = 0  # how far the text after the edits before `at` has moved
    for edit in sorted(edits, key=lambda one: one.start):
        while at < len(done) and done[at].start + moved + len(done[at].text) <= edit.start:
            composed.append(done[at])
            moved += _growth(done[at])
            at += 1
        start, findings = edit.start - moved, edit.findings
        while at < len(done) and done[at].start + moved < edit.end:
            findings = (*done[at].findings, *findings)
            moved += _growth(done[at])
            at += 1
        composed.append(TextEdit(start, edit.end - moved, edit.text, findings))
    return [*composed, *done[at:]]


def _growth(edit: TextEdit) -> int:
    return len(edit.text) - (edit.end - edit.start)


def json_patch(fixed: Fixed) -> list[dict[str, Any]] | None:
    """Return the JSON Patch (RFC 6902) from the value of a text to that of the fixed text.

    None if the text could not be read before: then there is no value to apply it to.
    """
    if any(edit.target[1] == "character" for edits in fixed.rounds for edit in edits):
        return None
    return [one for edits in fixed.rounds for one in _operations(edits)]


def _operations(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return the operations of a round: values, then names, those of inner objects first.

    So no operation renames what a later one has in its path.
    """
    values: list[dict[str, Any]] = []
    names: list[Edit] = []
    for edit in edits:
        path, what = edit.target
        fix = edit.findings[0].fix
        assert fix is not None
        if what == "name":
            names.append(edit)
        else:
            values.append({"op": "replace", "path": path, "value": read(fix.text)})
    names.sort(key=lambda edit: -edit.target[0].count("/"))
    return values + [
        {
            "op": "move",
            "from": edit.target[0],
            "path": f"{edit.target[0].rpartition('/')[0]}/{escape_token(edit.name)}",
        }
        for edit in names
    ]
