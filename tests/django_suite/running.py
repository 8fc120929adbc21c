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
# Seconds, less than a test of any suite may take: the failure says which test of this suite hangs, or
# that the process does not end after all of them.
_ONE_TEST: Final = 4 * HANG
_ALL_TESTS: Final = 8 * HANG


def run_suite(variables: Mapping[str, str]) -> tuple[int, str]:
    """Run all tests of the suite with SQLite, or with the PostgreSQL that `PGHOST` names.

    Returns the exit code, and what was printed.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "PG", "WIDGETSCHEMA_"))
    }
    environment |= {"DJANGO_SETTINGS_MODULE": "tests.django_suite.settings", **variables}
    options = ["-q", "-p", "no:cacheprovider", "-o", f"faulthandler_timeout={_ONE_TEST}"]
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, SUITE],
        cwd=SUITE.parents[1],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        try:
            output, _ = process.communicate(timeout=_ALL_TESTS)
        except subprocess.TimeoutExpired:
            process.kill()
            output = process.communicate(timeout=HANG)[0]
            output += f"it has not ended after {_ALL_TESTS} s"
    return process.returncode, output
