"""The gate: numbers and shares, exactly at their limit and one above it."""

from __future__ import annotations

import pytest

from widgetschema.audit.gate import parse_gate


@pytest.mark.parametrize(
    ("text", "invalid", "records", "is_admitted"),
    [
        ("0", 0, 0, True),
        ("0", 1, 1, False),
        ("10", 10, 10, True),
        ("10", 11, 10**9, False),
        ("0.1%", 1, 1000, True),
        ("0.1 %", 1, 999, False),
        ("0.1%", 10**12 // 1000 + 1, 10**12, False),
        ("0%", 0, 5, True),
        ("0%", 1, 10**12, False),
        ("100%", 7, 7, True),
        ("0.000000000001%", 1, 10**14, True),
    ],
)
def test_limits_are_exact(text: str, invalid: int, records: int, is_admitted: bool) -> None:
    gate = parse_gate(text)
    assert gate is not None
    assert gate.admits(invalid, records) is is_admitted


@pytest.mark.parametrize(
    "text", ["", "%", "-1", "1.5", "101%", "1e3", "٣", "1,000", "0.1%%", "ten"]
)
def test_other_texts_are_no_gate(text: str) -> None:
    assert parse_gate(text) is None
