"""Run the thorough tier: the tests that need other programs, and all examples of each property.

    .venv/bin/pip install -c constraints.txt -e '.[test,engines]' && .venv/bin/python -m tests.thorough

Arguments are those of pytest, such as `-n 2`. `--missing` prints the packages of Debian whose programs
are not on this machine; without these, nothing is run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Final

from tests.checkout import ROOT
from tests.chromium import NAMES
from tests.services import postgresql

# Programs of which one is enough, and the package of Debian that has it.
PROGRAMS: Final = (
    (("git",), "git"),
    (("patch",), "patch"),
    (("openssl",), "openssl"),
    (("zsh",), "zsh"),
    (("fish",), "fish"),
    (("npm",), "npm"),
    (("java",), "default-jre-headless"),
    (NAMES, "chromium"),
    (("firefox-esr", "firefox"), "firefox-esr"),
)

# Each is a run of its own: while Playwright runs, no other test may run an event loop.
RUNS: Final = (
    ("tests/browser",),
    ("tests/thorough", "tests/services"),
    ("tests/unit", "tests/integration", "tests/properties", "-m", "hypothesis"),
)
OPTIONS: Final = ("--hypothesis-profile=full", "--max-worker-restart=0", "-p", "no:cacheprovider")


def missing() -> list[str]:
    """Return the packages of Debian whose programs are not on this machine."""
    packages = [package for names, package in PROGRAMS if not any(map(shutil.which, names))]
    if not postgresql.installed():
        packages.append("postgresql")
    return packages


def main(arguments: list[str]) -> int:
    """Run all, whatever fails; return the highest exit code."""
    packages = missing()
    if arguments == ["--missing"]:
        print(*packages)
        return 0
    if packages:
        print(f"programs are missing: apt-get install {' '.join(packages)}", file=sys.stderr)
        return 1
    # More workers than there are cores: these tests also wait, for servers, browsers and packages.
    workers = f"-n{(os.cpu_count() or 1) + 2}"
    code = 0
    with postgresql.running() as variables:
        environment = {**os.environ, **variables}
        for run in RUNS:
            command = [sys.executable, "-m", "pytest", workers, *OPTIONS, *run, *arguments]
            status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
            code = max(code, status)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
