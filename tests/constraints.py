"""The pinned packages, `constraints.txt`."""

from __future__ import annotations

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.checkout import ROOT


def pins(python: str | None = None) -> dict[str, str]:
    """Return the pinned version of each package, for this Python or another version such as "3.13"."""
    environment = (
        {} if python is None else {"python_version": python, "python_full_version": f"{python}.0"}
    )
    versions: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({**environment}):
                [pin] = requirement.specifier
                versions[canonicalize_name(requirement.name)] = pin.version
    return versions
