"""The summary of a migration in bulk: a JSON object whose member names are a contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from widgetschema.audit.migration.records import ALREADY, OTHER_TYPES
from widgetschema.audit.summary import problem_dict

if TYPE_CHECKING:
    from widgetschema.evolution.migrate import Migration
    from widgetschema.project.checking.results import Problem

VERSION: Final = 1
_OF_THE_AUDIT: Final = (
    "sources",
    "complete",
    "findings",
    "truncated",
    "places",
    "other_places",
    "other_problems",
    "passed_over",
    "other_passed_over",
)


def migration_summary(
    audit: Mapping[str, Any],
    counts: Mapping[str, int],
    migration: Migration,
    files: Mapping[str, int],
    problems: Sequence[Problem],
    unwritten: int = 0,
    *,
    is_dry: bool,
) -> dict[str, Any]:
    """Return the summary of a migration, as a JSON object.

    `records` are all of its type: `migrated`; `already` valid by the new schema, so that nothing
    had to be changed; left as they are since they would be `invalid` afterwards, since a step
    `failed`, since they were valid by neither schema before (`not_old`), or since their file could
    not be written (`unwritten`); and `unreadable`.
    `other_types` are records of other types, which are not among them. `ambiguous` are migrated
    records that both schemas accepted before. Each of the `steps` was `applied` at so many places,
    was `skipped` where it could not be certain, and what is `lost` is in the file of lost values.
    `places` and `problems` are as in the summary of an audit: they are about the records that were
    left, and the files. `files` were `changed`, `unchanged`, or `failed`: left since they could not
    be written. With `dry_run`, that is what would have been done.

    Args:
        audit: The summary of the audit of the records as they are afterwards.
        counts: What became of the records.
        migration: The migration.
        files: What became of the files.
        problems: The files that could not be written.
        unwritten: The number of records that would be migrated, but are in such files.
        is_dry: True if nothing was written.
    """
    names = {"not_old": "not-old"}
    kinds = ("migrated", ALREADY, "invalid", "failed", "not_old")
    records = {name: counts.get(names.get(name, name), 0) for name in kinds}
    records["migrated"] -= unwritten
    return {
        "version": VERSION,
        "plan": migration.plan.name,
        "dry_run": is_dry,
        "records": {
            "all": audit["records"],
            **records,
            "unwritten": unwritten,
            "unreadable": audit["unreadable"] + audit["untyped"],
        },
        "other_types": audit["input"].get(OTHER_TYPES, 0),
        "ambiguous": counts.get("ambiguous", 0),
        "steps": [
            {
                "step": number,
                "what": str(step),
                "line": step.line,
                "applied": counts.get(f"applied {number}", 0),
                "skipped": counts.get(f"skipped {number}", 0),
                "lost": counts.get(f"lost {number}", 0),
            }
            for number, step in enumerate(migration.steps, 1)
        ],
        "files": {name: files.get(name, 0) for name in ("changed", "unchanged", "failed")},
        **{name: audit[name] for name in _OF_THE_AUDIT},
        "problems": [*audit["problems"], *map(problem_dict, problems)],
    }
