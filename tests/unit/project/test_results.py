"""The counts of a run, in words."""

from __future__ import annotations

import pytest

from widgetschema.project.checking.results import Summary


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        (Summary(files=1, valid=1), "1 document in 1 file: 1 valid"),
        (Summary(files=2, invalid=1, findings=2), "1 document in 2 files: 1 invalid (2 findings)"),
        (Summary(findings=1), "0 documents in 0 files: 0 valid, 1 finding about the configuration"),
        (
            Summary(files=3, valid=1, invalid=2, findings=2, warnings=1, problems=2),
            "3 documents in 3 files: 1 valid, 2 invalid (2 findings); 1 warning; 2 problems",
        ),
    ],
)
def test_a_summary_in_words(summary: Summary, text: str) -> None:
    assert str(summary) == text
