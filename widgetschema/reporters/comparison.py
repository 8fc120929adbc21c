"""Comparisons as people read them, and as JSON: used by every command that tells of changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from widgetschema.evolution.compare import Change, Comparison
from widgetschema.reporters.style import Style, plain
from widgetschema.text import plural, printable

_ROLES: Final = {"breaking": "mark", "unknown": "keyword", "widening": "hint", "annotation": ""}
_FINDINGS: Final = 3  # of a witness that are shown


def comparison_text(comparison: Comparison, style: Style = plain) -> str:
    """A comparison in lines: a heading, then each change, with its witness if it has one."""
    old, new = printable(comparison.old.id), printable(comparison.new.id)
    name = new if old == new else f"{old} → {new}"
    lines = [f"{style('where', f'{name}:')} {_kind(comparison.verdict, comparison.summary, style)}"]
    for change in comparison:
        lines += _change(change, style)
    return "".join(f"{line}\n" for line in lines)


def comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """A comparison as a JSON object, as `Comparison.as_dict`; `summary` is its heading."""
    return {**comparison.as_dict(), "summary": comparison.summary}


def unknown_text(comparison: Comparison) -> str:
    """Say how many changes are unknown, and what that means; empty if none is."""
    number = sum(change.kind == "unknown" for change in comparison)
    if not number:
        return ""
    return (
        f"{printable(comparison.new.id)}: {plural(number, 'change')} of unknown effect: not proven "
        "harmless, though no data was found that breaks"
    )


def comparisons_text(
    comparisons: Sequence[Comparison],
    gone: Iterable[str] = (),
    added: Iterable[str] = (),
    style: Style = plain,
) -> str:
    """Several comparisons, and the ids of the types that only one side has.

    Of many, those without a change are only counted.
    """
    shown = [one for one in comparisons if len(comparisons) == 1 or len(one)]
    parts = [comparison_text(one, style) for one in shown]
    parts += [
        f"{style('where', f'{printable(id)}:')} {style('mark', 'breaking')}: the type is gone\n"
        for id in gone
    ]
    parts += [
        f"{style('where', f'{printable(id)}:')} {style('hint', 'widening')}: a new type\n"
        for id in added
    ]
    same = len(comparisons) - len(shown)
    if same:
        parts.append(f"{same:,} {'type is' if same == 1 else 'types are'} the same\n")
    return "".join(parts)


def comparisons_dict(
    comparisons: Sequence[Comparison],
    gone: Sequence[str] = (),
    added: Sequence[str] = (),
    others: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A JSON object: `version`, `breaking`, `harmless`, `comparisons`, `gone`, `added`.

    `gone` and `added` are the ids of types that only the older or the newer side has; `others`
    are further members.
    """
    return {
        "version": 1,
        "breaking": bool(gone) or any(one.breaking for one in comparisons),
        "harmless": not gone and all(one.harmless for one in comparisons),
        "comparisons": [comparison_dict(one) for one in comparisons],
        "gone": [*gone],
        "added": [*added],
        **(others or {}),
    }


def _change(change: Change, style: Style) -> list[str]:
    kind = _kind(change.kind, change.kind, style)
    lines = [f"  {kind} {printable(change.place)}: {printable(change.message)}"]
    if change.witness is not None:
        data, *findings = change.proof.split("\n")
        lines.append(f"  {printable(data)}")
        lines += [f"  {printable(finding)}" for finding in findings[:_FINDINGS]]
    return lines


def _kind(kind: str, text: str, style: Style) -> str:
    role = _ROLES.get(kind)
    return style(role, text) if role else text
