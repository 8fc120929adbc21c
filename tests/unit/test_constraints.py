"""`constraints.txt` pins everything that the tests and the build install, for each promised Python."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.checkout import ROOT
from tests.constraints import pins

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
PYTHONS = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["classifiers"]))
REQUIREMENTS = [
    requirement
    for lines in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for requirement in map(Requirement, lines)
    if requirement.name != PROJECT["name"]
]


@pytest.mark.parametrize("python", PYTHONS)
def test_each_requirement_has_a_pin_that_it_admits(python: str) -> None:
    pinned = pins(python)
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    for requirement in REQUIREMENTS:
        if requirement.marker is None or requirement.marker.evaluate({**environment}):
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier


def test_the_build_is_pinned_by_the_same_versions() -> None:
    pinned = pins()
    required = PYPROJECT["build-system"]["requires"]
    assert required == [f"{name}=={pinned[name]}" for name in sorted(map(_name, required))]


def _name(line: str) -> str:
    return canonicalize_name(Requirement(line).name)
