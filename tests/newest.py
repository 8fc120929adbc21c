"""Run the tests that depend on other packages with the newest releases of these, beyond the caps too.

`python -m tests.newest` installs the checkout without constraints into `build/newest`, upgrades the
packages that `pyproject.toml` caps, and runs the tests whose outcome depends on what decides verdicts
or reads and writes text. It prints a line for each package that is newer than its pin. With names of
packages, only these are newer than their pins, which shows the one that a failure comes from.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.checkout import ROOT
from tests.constraints import pins

FOLDER: Final = ROOT / "build" / "newest"
PYTHON: Final = str(FOLDER / "bin" / "python")

# Releases that are never tried, each with what it does.
REFUSED: Final = {"orjson": "!=3.12.*,!=3.13.*"}  # writes past its buffer on deeply nested tuples

TESTS: Final = (
    "tests/thorough/test_conformance.py",  # the official suite
    "tests/properties/test_engines_agree.py",
    "tests/properties/test_samples.py",
    "tests/unit/formats",
    "tests/unit/forms/test_html.py",
    "tests/unit/jsontext",
    "tests/unit/validation",
)


def capped() -> list[str]:
    """Return the names of the packages that `pyproject.toml` caps and the tests install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines, names = [*project["dependencies"], "widgetschema[test]"], []
    while lines:
        requirement = Requirement(lines.pop())
        if requirement.name == project["name"]:
            lines += [line for extra in requirement.extras for line in extras[extra]]
        elif any(part.operator in ("<", "<=", "==", "~=") for part in requirement.specifier):
            names.append(canonicalize_name(requirement.name))
    return sorted({*names})


def install(*arguments: str) -> None:
    """Install packages into the environment, whatever constraints the caller has set."""
    variables = {name: text for name, text in os.environ.items() if name != "PIP_CONSTRAINT"}
    options = ("--quiet", "--disable-pip-version-check", "--upgrade", "--upgrade-strategy=eager")
    command = [PYTHON, "-m", "pip", "install", *options, *arguments]
    subprocess.run(command, cwd=ROOT, env=variables, check=True)


def installed() -> dict[str, str]:
    """Return the version of each package of the environment."""
    command = [PYTHON, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout
    return {canonicalize_name(row["name"]): row["version"] for row in json.loads(listed)}


def main(names: list[str]) -> int:
    """Install, test, and print a line for each package that is newer than its pin."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(FOLDER)], check=True)
    if names:
        install("-c", "constraints.txt", "-e", ".[test]")
    else:
        install("-e", ".[test]")
    install(*(name + REFUSED.get(name, "") for name in names or capped()))
    pinned = pins()
    newer = {
        name: version
        for name, version in installed().items()
        if name in pinned and Version(version) > Version(pinned[name])
    }
    if not newer:
        print("no package is newer than its pin")
        return 0
    command = [PYTHON, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", *TESTS]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    result = "passed" if code == 0 else "failed, alone or with the others"
    for name, version in sorted(newer.items()):
        print(f"{name} {version} (pinned {pinned[name]}): {result}")
    if code:
        print("python -m tests.newest PACKAGE tries one of them alone")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
