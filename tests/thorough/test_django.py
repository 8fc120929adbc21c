"""The Django integration with SQLite."""

from __future__ import annotations

from tests.django_suite.running import run_suite


def test_the_integration_with_django() -> None:
    code, output = run_suite({})
    assert code == 0, output
