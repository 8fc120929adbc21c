"""Evidence about migrations as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from widgetschema.evolution.migrate.evidence import Evidence
from widgetschema.evolution.migrate.migration import Status
from widgetschema.reporters.style import Style, plain, table
from widgetschema.text import plural, printable, shorten

_STATUSES: Final[dict[Status, str]] = {
    "migrated": "migrated",
    "unchanged": "valid by the new schema as they are",
    "already": "migrated already",
    "not-old": "not valid by the old schema",
    "invalid": "not valid by the new schema afterwards",
    "failed": "in which a step cannot be carried out",
}
_WIDEST: Final = 120
_MOST_IDLE: Final = 10  # steps that never apply, and are shown


def evidence_text(evidence: Evidence, of: str, style: Style = plain) -> str:
    """Return evidence as lines; `of` says what the records are: `case`, or `record`."""
    role = "hint" if evidence.holds else "mark"
    lines = [f"{style(role, plural(evidence.records, of))}: {_counts(evidence)}"]
    lines += [f"  {line}" for line in _steps(evidence)]
    idle = evidence.idle[_MOST_IDLE:] if evidence.records else ()
    told = notes(evidence, of, _MOST_IDLE)
    if idle:
        never = "never applies" if len(idle) == 1 else "never apply"
        told.append(f"{plural(len(idle), 'other step')} {never}")
    for note in told:
        lines.append(f"  {style('keyword', 'note')}: {printable(note)}")
    for problem in evidence.problems:
        others = f" (and {problem.records - 1:,} more)" if problem.records > 1 else ""
        lines.append(
            f"  {style('mark', problem.status)} {printable(problem.record)}{others}: "
            f"{printable(problem.finding.headline)}"
        )
        if problem.status == "invalid":
            lines.append(f"      {_about(problem.steps)}")
        lines.append(f"      record: {printable(shorten(problem.text, _WIDEST))}")
    if evidence.omitted:
        lines.append(f"  {plural(evidence.omitted, 'other problem')} not shown")
    return "".join(f"{line}\n" for line in lines)


def evidence_verdict(evidence: Sequence[Evidence], *, all_read: bool) -> str:
    """Return the verdict about all evidence; `all_read` is False if some data was not read."""
    if not all(one.holds for one in evidence):
        return "not every record comes out valid"
    before = sum(one.statuses.get("not-old", 0) for one in evidence)
    that = " that was read" if not all_read else ""
    if not before:
        return f"every record{that} comes out valid"
    return (
        f"every valid record{that} comes out valid; not valid before, and left as they are: "
        f"{plural(before, 'record')}"
    )


def _counts(evidence: Evidence) -> str:
    parts = [
        f"{evidence.statuses[status]:,} {words}"
        for status, words in _STATUSES.items()
        if evidence.statuses.get(status)
    ]
    return ", ".join(parts) or "nothing to migrate"


def _steps(evidence: Evidence) -> list[str]:
    rows = []
    idle = {id(one) for one in evidence.idle[_MOST_IDLE:] if not one.skipped}
    for one in evidence.steps:
        if id(one) in idle:
            continue
        said = [f"{plural(one.places, 'place')} in {one.records:,}"]
        said += [f"{one.skipped:,} skipped"] if one.skipped else []
        if one.example is not None:
            record, lost = one.example
            what = printable(shorten(lost.text, 40))
            said.append(f"{one.lost:,} lost, such as {what} in {printable(record)}")
        rows.append([f"step {one.number}", printable(str(one.step)), "; ".join(said)])
    return [line.rstrip() for line in table(rows).splitlines()] if rows else []


def _about(steps: tuple[int, ...]) -> str:
    if not steps:
        return "no step is about this place"
    numbers = ", ".join(map(str, steps))
    return f"{'step' if len(steps) == 1 else 'steps'} about this place: {numbers}"


def notes(evidence: Evidence, of: str, most_idle: int | None = None) -> list[str]:
    """Return what people should know about a plan, though it is no error.

    Of the steps that never apply, only the first `most_idle` are named.
    """
    found = [*evidence.collisions]
    for one in evidence.idle[:most_idle] if evidence.records else ():
        unknown = evidence.unknown(one.step)
        why = f": {unknown}" if unknown else ""
        found.append(f"step {one.number} ({one.step}) never applies{why}")
    if evidence.repeated:
        found.append(
            f"a second migration would change {plural(evidence.repeated, of)} again, such as "
            f"{evidence.repeated_in}: migrate documents with a model-version, or only once"
        )
    return found


def evidence_dict(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as a JSON object; its member names are part of the contract."""
    return {
        "records": evidence.records,
        "holds": evidence.holds,
        "statuses": {status: evidence.statuses.get(status, 0) for status in _STATUSES},
        "steps": [
            {
                "number": one.number,
                "kind": one.step.kind,
                "at": one.step.at,
                "line": one.step.line,
                "records": one.records,
                "places": one.places,
                "skipped": one.skipped,
                "lost": one.lost,
                "loses": one.step.loses,
            }
            for one in evidence.steps
        ],
        "problems": [
            {
                "status": one.status,
                "records": one.records,
                "record": one.record,
                "text": one.text,
                "steps": [*one.steps],
                "finding": one.finding.as_dict(),
            }
            for one in evidence.problems
        ],
        "omitted": evidence.omitted,
        "repeated": evidence.repeated,
        "ambiguous": evidence.ambiguous,
        "notes": notes(evidence, "record"),
    }
