"""The Django integration, tested in a process of its own: Django has one configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).parents[1] / "django_suite"


def test_the_integration_with_django() -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "PG", "WIDGETSCHEMA_"))
    }
    environment["DJANGO_SETTINGS_MODULE"] = "tests.django_suite.settings"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", SUITE],
        cwd=SUITE.parents[1],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
