"""The summary of a migration as text: what became of the records, of each step, and the rest.

A summary is the JSON object that `widgetschema.audit.migration.summary` makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from widgetschema.audit.reporters.summary import finding_lines, passed_over, problem_lines
from widgetschema.reporters.style import Style, plain
from widgetschema.text import plural, printable

_MOST_IDLE: Final = 10  # steps that changed nothing, and are shown
_LEFT: Final = (
    ("invalid", "would not be valid afterwards"),
    ("failed", "cannot take a step"),
    ("not_old", "valid by neither schema"),
    ("unwritten", "in files that were not written"),
    ("unreadable", "unreadable"),
)


def migration_text(summary: Mapping[str, Any], style: Style = plain) -> str:
    """Return the whole summary; each line ends with a newline."""
    lines = [_verdict(summary), *_steps(summary["steps"])]
    if summary["ambiguous"]:
        lines.append(
            f"  {plural(summary['ambiguous'], 'migrated record')} valid by both schemas before: by "
            "these, a second run cannot know that it was migrated"
        )
    lines += finding_lines(summary, style)
    lines += problem_lines(summary)
    lines += passed_over(summary)
    return "".join(f"{line}\n" for line in lines)


def _verdict(summary: Mapping[str, Any]) -> str:
    return "; ".join(_verdict_parts(summary))


def _verdict_parts(summary: Mapping[str, Any]) -> Iterator[str]:
    records, files = summary["records"], summary["files"]
    of = f"{plural(records['all'], 'record')} in {plural(summary['sources'], 'file')}"
    would = "would be " if summary["dry_run"] else ""
    told = [f"{records['migrated']:,} {would}migrated"]
    if records["already"]:
        told.append(f"{records['already']:,} valid already")
    left = sum(records[name] for name, _ in _LEFT)
    if left:
        why = [f"{records[name]:,} {what}" for name, what in _LEFT if records[name]]
        told.append(f"{left:,} left unchanged ({', '.join(why)})")
    yield f"{of}: {', '.join(told)}"
    if summary["other_types"]:
        yield f"{plural(summary['other_types'], 'record')} of other types left alone"
    if records["all"] or files["changed"]:
        yield f"{plural(files['changed'], 'file')} {would}changed"
    if files["failed"]:
        yield f"{plural(files['failed'], 'file')} left unchanged"
    if not summary["complete"]:
        yield "incomplete"


def _steps(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    idle = [one for one in steps if not (one["applied"] or one["lost"] or one["skipped"])]
    omitted = {one["step"] for one in idle[_MOST_IDLE:]}
    yield from (_step(one) for one in steps if one["step"] not in omitted)
    if omitted:
        yield f"  {plural(len(omitted), 'other step')}: 0 places"


def _step(step: Mapping[str, Any]) -> str:
    text = f"  step {step['step']} ({printable(step['what'])}): {plural(step['applied'], 'place')}"
    if step["lost"]:
        text += f", {plural(step['lost'], 'value')} lost"
    if step["skipped"]:
        text += f", skipped at {step['skipped']:,}"
    return text
