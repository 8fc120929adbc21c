"""The examples of the guide on engines: the same sums as of an audit, wherever data is checked."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.engines import (
    ENGINES,
    LINES,
    Sums,
    make_records,
    run_apart,
    sums_of_audit,
    sums_of_results,
)
from tests.terminal import HANG
from widgetschema.audit import audit

RECORDS = 200_000
BY_HAND = ("Ray",)  # half a gigabyte for one example


class Records(NamedTuple):
    """A folder with records, and the sums of their audit."""

    folder: Path
    expected: Sums


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = tmp_path_factory.mktemp("engines")
    make_records(folder, RECORDS)
    expected = sums_of_audit(audit(folder / LINES))
    assert min(expected[:4]) > 0
    assert sum(expected[:4]) == RECORDS
    return Records(folder, expected)


@pytest.mark.parametrize("engine", [one for one in ENGINES if one not in BY_HAND])
def test_an_engine_has_the_sums_of_the_audit(records: Records, engine: str) -> None:
    run_apart(engine, records.folder, timeout=5 * HANG)
    assert sums_of_results(records.folder) == records.expected
