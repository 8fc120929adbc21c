"""The counts of a run in words, and what its exit code says."""

from __future__ import annotations

import signal

import pytest

from widgetschema.project.checking.exit_codes import INTERRUPTED
from widgetschema.project.checking.results import Summary


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        (Summary(), "0 documents in 0 files: 0 valid"),
        (Summary(files=1, valid=1), "1 document in 1 file: 1 valid"),
        (Summary(findings=1), "0 documents in 0 files: 0 valid, 1 finding about the configuration"),
        (
            Summary(files=2, invalid=2, findings=3000),
            "2 documents in 2 files: 2 invalid (3,000 findings)",
        ),
        (
            Summary(files=1, valid=1000, invalid=1, findings=1, unreadable=2, problems=1),
            "1,001 documents in 1 file: 1,000 valid, 1 invalid (1 finding); 2 unreadable; 1 problem",
        ),
        (
            Summary(files=1, valid=1, excused=2, warnings=1, known=3, ignored=4, fixed=5),
            "3 documents in 1 file: 1 valid; 1 warning; 5 findings fixed; 3 findings in the baseline; 4 findings ignored",
        ),
    ],
)
def test_summary_in_one_line(summary: Summary, text: str) -> None:
    assert str(summary) == text


def test_the_exit_code_of_an_interrupted_run_is_that_of_shells() -> None:
    assert INTERRUPTED == 128 + signal.SIGINT
