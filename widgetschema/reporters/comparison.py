"""Comparisons of schemas as text and as JSON, for every command that reports changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from widgetschema.evolution.compare import Change, Comparison, StoredData
from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.reporters.style import Style, plain
from widgetschema.text import plural, printable

_ROLES: Final = {"breaking": "mark", "unknown": "keyword", "widening": "hint", "annotation": ""}
_FINDINGS: Final = 3  # findings shown of a witness
_COPY: Final = "before"  # a name for the copy of a folder


def comparison_text(
    comparison: Comparison, style: Style = plain, *, all_places: bool = False
) -> str:
    """Return a comparison as lines: a heading, then each change with its witness.

    With `all_places`, the other places of a change in a shared definition are listed.
    """
    old, new = printable(comparison.old.id), printable(comparison.new.id)
    name = new if old == new else f"{old} → {new}"
    lines = [f"{style('where', f'{name}:')} {_kind(comparison.verdict, comparison.summary, style)}"]
    for change in comparison:
        lines += _change(change, style)
        lines += [
            f"      also at {printable(other.own_place)}" for other in change.others * all_places
        ]
    return "".join(f"{line}\n" for line in lines)


def comparison_dict(comparison: Comparison, stored: StoredData | None = None) -> dict[str, Any]:
    """Return `Comparison.as_dict` with a member `summary`, the heading.

    With stored data, each change has a member `stored` (`records`, `projects`, `evidence`), and the
    comparison `stored_others`, the same of findings that belong to no change.
    """
    shown = {**comparison.as_dict(), "summary": comparison.summary}
    if stored is not None:
        for change, affected in zip(shown["changes"], stored.by_change, strict=True):
            change["stored"] = affected.as_dict()
        shown["stored_others"] = stored.others.as_dict()
    return shown


def stored_text(stored: Iterable[StoredData], style: Style = plain) -> str:
    """Return the changes that stored data tells something of, each with its counts."""
    lines: list[str] = []
    for one in stored:
        own = [*one.lines]
        if own:
            lines.append(f"{style('where', f'{printable(one.comparison.new.id)}:')} stored data")
        for change, counts in own:
            if change is None:
                lines.append(f"  not explained by a change: {counts}")
                continue
            kind = _kind(change.kind, change.kind, style)
            message = f"{printable(change.place)}: {printable(change.message)}"
            lines.append(f"  {kind} {message}: {counts}")
    return "".join(f"{line}\n" for line in lines)


def unknown_text(comparison: Comparison) -> str:
    """Return a warning that counts the unknown changes, or "" if there is none."""
    number = sum(change.kind == "unknown" for change in comparison)
    if not number:
        return ""
    return (
        f"{printable(comparison.new.id)}: {plural(number, 'change')} of unknown effect: no data "
        "was found that it breaks, but that is not proven"
    )


def migration_text(
    comparisons: Iterable[Comparison], arguments: Sequence[str], first: str = ""
) -> str:
    """Return how a migration is proposed for what breaks, or "" if nothing does.

    `arguments` are those of `migrate plan`, perhaps without the type; `first` is what to do before.
    """
    every = [*comparisons]
    broken = [one for one in every if one.breaking]
    number = sum(change.kind == "breaking" for one in broken for change in one)
    if not broken:
        return ""
    words = [*arguments]
    if len(every) > 1 and "--type" not in words:
        words += ["--type", broken[0].new.id if len(broken) == 1 else "ID"]
    command = printable(" ".join(["widgetschema migrate plan", *words]))
    done = f"{printable(first)}; then " if first else ""
    text = f"{plural(number, 'breaking change')}: {done}`{command}` proposes how to migrate"
    return f"{text} stored data"


def before_pull(folder: str) -> tuple[list[str], str]:
    """Return the schemas for `migrate plan` if a pull replaces a folder, and what to do first."""
    return [_COPY, folder], f"copy {folder} to {_COPY}, and pull"


def comparisons_text(
    comparisons: Sequence[Comparison],
    gone: Iterable[str] = (),
    added: Iterable[str] = (),
    style: Style = plain,
    *,
    all_places: bool = False,
) -> str:
    """Return several comparisons, and the ids of the types that only one side has.

    Of many, those without a change are only counted. `all_places` as of `comparison_text`.
    """
    shown = [one for one in comparisons if len(comparisons) == 1 or len(one)]
    parts = [comparison_text(one, style, all_places=all_places) for one in shown]
    parts += [
        f"{style('where', f'{printable(id)}:')} {style('mark', 'breaking')}: the type was removed\n"
        for id in gone
    ]
    parts += [
        f"{style('where', f'{printable(id)}:')} {style('hint', 'widening')}: new type\n"
        for id in added
    ]
    same = len(comparisons) - len(shown)
    if same:
        parts.append(f"{same:,} {'type' if same == 1 else 'types'} unchanged\n")
    return "".join(parts)


def is_comparison(begin: bytes) -> bool:
    """Return whether a file that begins so is such a text, or such a JSON object."""
    return _BEGINNING.match(begin) is not None or artifact_kind(begin) == "comparison"


_VERDICTS: Final = b"|".join(map(str.encode, [*_ROLES, "same"]))
_BEGINNING: Final = re.compile(
    rb"[^\n{]*:(?: |\x1b\[[0-9;]*m)*(?:%s)\b|[\d,]+ types? unchanged\n" % _VERDICTS
)


def comparisons_dict(
    comparisons: Sequence[Comparison],
    gone: Sequence[str] = (),
    added: Sequence[str] = (),
    others: Mapping[str, Any] | None = None,
    stored: Sequence[StoredData] | None = None,
) -> dict[str, Any]:
    """Return a JSON object: `version`, `breaking`, `harmless`, `comparisons`, `gone`, `added`.

    `gone` and `added` are the ids of types that only the older or the newer side has; `others`
    are further members, and `stored` the stored data of each comparison.
    """
    return {
        "version": 1,
        "breaking": bool(gone) or any(one.breaking for one in comparisons),
        "harmless": not gone and all(one.harmless for one in comparisons),
        "comparisons": [
            comparison_dict(one, data) for one, data in zip_longest(comparisons, stored or ())
        ],
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
