"""Findings by the place in the data that they are about: each is claimed by one field.

A field claims what is found at its path. What nobody below a container has claimed, the container
has: a finding about a member that no field shows is not lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from widgetschema.findings import Finding, escape_token

# A finding about a member that is missing has the path of the object.
_ABOUT_MEMBERS = frozenset({"required", "dependencies"})
OF_CHOICE = frozenset({"anyOf", "oneOf"})  # beside the control that chooses


class Placed:
    """Findings that wait for their fields."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._left: dict[str, list[tuple[int, Finding]]] = {}
        for at, finding in enumerate(findings):
            self._left.setdefault(_place(finding), []).append((at, finding))
        self._paths = sorted(self._left)

    def of_choice(self, path: str) -> tuple[Finding, ...]:
        """What is found at a path about the choice of an alternative."""
        found = self._left.get(path, ())
        chosen = [one for one in found if one[1].keyword in OF_CHOICE]
        if chosen:
            self._left[path] = [one for one in found if one[1].keyword not in OF_CHOICE]
        return _in_order(chosen)

    def below(self, path: str) -> tuple[Finding, ...]:
        """What is left at a path, and below it."""
        found = [*self._left.pop(path, ())]
        begin = f"{path}/"
        for at in range(bisect_left(self._paths, begin), len(self._paths)):
            if not self._paths[at].startswith(begin):
                break
            found += self._left.pop(self._paths[at], ())
        return _in_order(found)


def _place(finding: Finding) -> str:
    if finding.keyword in _ABOUT_MEMBERS and type(finding.expected) is str:
        return f"{finding.path}/{escape_token(finding.expected)}"
    return finding.path


def _in_order(found: Sequence[tuple[int, Finding]]) -> tuple[Finding, ...]:
    return tuple(finding for _, finding in sorted(found, key=lambda one: one[0]))
