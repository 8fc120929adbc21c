"""Run the tests of this folder with a PostgreSQL of their own; arguments are those of pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.services.postgresql import running

with running() as environment:
    command = [sys.executable, "-m", "pytest", "-q", *sys.argv[1:], str(Path(__file__).parent)]
    status = subprocess.run(command, env={**os.environ, **environment}, check=False).returncode
sys.exit(status)
