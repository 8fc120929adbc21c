"""Blame: which edits did not mend what they should, or made something new wrong.

Something new is blamed on an edit at its place, below it, or as near above it as there is one.
Where several are as near, halves of them are left out by turns, for all places at once, until
one is left of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.fixes.edits import Edit, Place, Renames

_Sign = tuple[str, str, str]  # what makes a finding the same before and after


def blamed(
    edits: Sequence[Edit],
    before: Sequence[Finding],
    after: Sequence[Finding],
    check: Callable[[Sequence[Edit]], Sequence[Finding]],
    *,
    thorough: bool,
) -> set[Place]:
    """The places of the edits that must not stay; empty if all may.

    `before` are the findings of the text as it was, `after` those with all edits; `check` gives
    those with some of them. Who is not `thorough` blames all that are suspect, and searches
    nothing. Raises what `check` raises, except `UnreadableDocument`.
    """
    renames = Renames(edits)
    failed = _failed(edits, after, renames)
    if failed:
        return failed
    new = _new(before, after, renames)
    if not new:
        return set()
    suspects = _suspects(edits, new, renames)
    if not thorough:
        return {edit.place for some, _ in suspects.values() for edit in some}
    return _searched(edits, suspects, before, check)


def _failed(edits: Sequence[Edit], after: Sequence[Finding], renames: Renames) -> set[Place]:
    """The edits after which the same is still wrong at their place."""
    still = {(finding.keyword, finding.path) for finding in after}
    return {
        edit.place
        for edit in edits
        for finding in edit.findings
        if (finding.keyword, renames.after(edit.place[0])) in still
    }


def _new(before: Sequence[Finding], after: Sequence[Finding], renames: Renames) -> Counter[_Sign]:
    """What is wrong after, and was not before; names may have changed."""
    known = Counter((one.keyword, renames.after(one.path), one.schema_path) for one in before)
    return Counter((one.keyword, one.path, one.schema_path) for one in after) - known


def _suspects(
    edits: Sequence[Edit], new: Counter[_Sign], renames: Renames
) -> dict[str, tuple[list[Edit], list[_Sign]]]:
    """By the path of what is around them: the edits that may be to blame, and for what."""
    below: dict[str, list[Edit]] = {}
    for edit in edits:
        for path in _upwards(renames.after(edit.place[0])):
            below.setdefault(path, []).append(edit)
    suspects: dict[str, tuple[list[Edit], list[_Sign]]] = {}
    for sign in new:
        nearest = next((path for path in _upwards(sign[1]) if path in below), "")
        suspects.setdefault(nearest, (below.get(nearest, [*edits]), []))[1].append(sign)
    return suspects


def _upwards(path: str) -> list[str]:
    """The path, and those of all that is around it, up to the root."""
    paths = [path]
    while path:
        path = path.rpartition("/")[0]
        paths.append(path)
    return paths


def _searched(
    edits: Sequence[Edit],
    suspects: dict[str, tuple[list[Edit], list[_Sign]]],
    before: Sequence[Finding],
    check: Callable[[Sequence[Edit]], Sequence[Finding]],
) -> set[Place]:
    """One edit of each group of suspects: without it, something new was not there."""
    groups = [(some, signs) for some, signs in suspects.values()]
    while any(len(some) > 1 for some, _ in groups):
        halves = [some[: (len(some) + 1) // 2] for some, _ in groups]
        left_out = {
            edit.place
            for (some, _), half in zip(groups, halves, strict=True)
            if len(some) > 1
            for edit in half
        }
        kept = [edit for edit in edits if edit.place not in left_out]
        try:
            new = _new(before, check(kept), Renames(kept))
        except UnreadableDocument:  # a name that another edit had made free
            return {edit.place for some, _ in groups for edit in some}
        groups = [
            (some, signs)
            if len(some) == 1
            else (some[len(half) :] if all(sign in new for sign in signs) else half, signs)
            for (some, signs), half in zip(groups, halves, strict=True)
        ]
    return {edit.place for some, _ in groups for edit in some}
