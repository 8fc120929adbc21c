"""Reports about a migration: what is counted is all there, also where it is nothing."""

from __future__ import annotations

from tests.migrating import migration
from widgetschema.evolution.migrate.evidence import Evidence
from widgetschema.reporters.migration import evidence_dict


def test_the_counts_of_all_outcomes_are_there() -> None:
    evidence = Evidence(migration())
    evidence.add("a", '{"heading": "a"}')
    evidence.add("b", "{")
    shown = evidence_dict(evidence)
    assert shown["records"] == 2
    statuses = shown["statuses"]
    assert {status: number for status, number in statuses.items() if number} == {
        "migrated": 1,
        "not-old": 1,
    }
    assert len(statuses) > 2
