"""The Django integration with SQLite."""

from __future__ import annotations

from tests.django_suite.running import run_suite


def test_the_integration_with_django() -> None:
    run = run_suite({})
    assert run.returncode == 0, run.stdout + run.stderr
