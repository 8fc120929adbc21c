"""The types that the fast path is built of, and real schemas: decoded in other processes."""

from __future__ import annotations

from tests import real_schemas
from tests.type_combinations import cases, in_processes


def test_every_combination_of_types_agrees_with_the_engine() -> None:
    indices = [*range(len(cases()))]
    outcome = in_processes("tests.type_combinations", indices, 2)
    assert not outcome.wrong
    assert outcome.cases == len(indices)
    assert outcome.fast_paths > 0.9 * outcome.cases
    assert outcome.accepted > 0.9 * outcome.valid, "rejecting everything is sound, and of no use"


def test_real_schemas_agree_with_the_engine() -> None:
    outcome = real_schemas.outcome_of(None, 2)
    assert not outcome.wrong
    assert outcome.cases == len(real_schemas.schema_files(None))
    assert outcome.fast_paths > outcome.cases / 2
    assert outcome.accepted > outcome.valid / 2
