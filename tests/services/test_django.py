"""The Django integration with PostgreSQL."""

from __future__ import annotations

import os

from tests.django_suite.running import run_suite


def test_the_integration_with_django_and_postgresql() -> None:
    code, output = run_suite(
        {name: value for name, value in os.environ.items() if name.startswith("PG")}
    )
    assert code == 0, output
