"""The Django example with its admin, served by a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.checkout import ROOT
from tests.terminal import HANG


@contextmanager
def started() -> Iterator[str]:
    """Serve the example, on SQLite and with the schemas of the package, and yield its address."""
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.django_suite.settings"}
    for name in ("PGHOST", "WIDGETSCHEMA_SCHEMAS"):
        variables.pop(name, None)
    command = [sys.executable, "-m", "tests.django_suite.serving"]
    with subprocess.Popen(
        command, cwd=ROOT, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address, "the server does not start"
            yield address
        finally:
            server.stdin.close()
            try:
                server.wait(HANG)
            finally:
                server.kill()
