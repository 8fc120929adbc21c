"""Run the tests of the Django integration in a process of their own: Django has one configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.terminal import HANG

SUITE: Final = Path(__file__).parent


def run_suite(variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run all tests of the suite with SQLite, or with the PostgreSQL that `PGHOST` names."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "PG", "WIDGETSCHEMA_"))
    }
    environment |= {"DJANGO_SETTINGS_MODULE": "tests.django_suite.settings", **variables}
    bound = (
        f"faulthandler_timeout={4 * HANG}"  # for a test; the timeout is for the end of the process
    )
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", bound, SUITE],
        cwd=SUITE.parents[1],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=8 * HANG,
    )
