"""The result of a comparison: frozen values, and their text for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple

from widgetschema.findings import Finding
from widgetschema.jsontext import preview
from widgetschema.pointers import display_pointer, format_pointer, matches, parse_pointer
from widgetschema.text import plural

Kind = Literal["annotation", "widening", "unknown", "breaking"]
Verdict = Literal["same", "annotation", "widening", "unknown", "breaking"]
Scope = Literal["data", "document"]
GuessKind = Literal["rename", "move", "value"]

KINDS: Final[tuple[Kind, ...]] = ("breaking", "unknown", "widening", "annotation")  # worst first
_SHOWN: Final = 400  # characters of a witness that a person is shown
_MOST_COMPARED: Final = 100_000  # characters of a witness by which the least is found
_FITS: Final = 100  # characters of a witness that is shown with all that is around the change


class Version(NamedTuple):
    """The schema that was compared: the id of the widget type, and the linked schema's sha256."""

    id: str
    linked_digest: str


@dataclass(frozen=True, slots=True)
class Witness:
    """Data that was valid and no longer is; `findings` are those of the newer schema."""

    data: Any = field(hash=False)
    findings: tuple[Finding, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object: `data`, and `findings`, each as `Finding.as_dict`."""
        return {"data": self.data, "findings": [finding.as_dict() for finding in self.findings]}


class Pair(NamedTuple):
    """The old name of a thing, and the one that it probably has now.

    Both are JSON Pointer patterns of a member, or values of an enumeration.
    """

    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess at the meaning of a change, which the schemas do not give.

    `kind`: "rename" (a property has another name), "move" (properties are in another object), or
    "value" (values of an enumeration are written in another way). `pairs` are the removed
    properties or values, each with its replacement. `reason` is the evidence; `likely` is False if
    there is little. `sure` is True if the schemas are clear: the same letters, the same
    description, or all properties of one object. `differences` are the changes between the old and
    the new schema of the property, empty if both assert the same; their paths are those of the
    newer schema, and their witnesses are data of the property alone.
    """

    kind: GuessKind
    pairs: tuple[Pair, ...] = field(hash=False)
    reason: str
    likely: bool = True
    sure: bool = False
    differences: tuple[Change, ...] = ()

    def inside(self, path: str) -> Guess:
        """Return the same for data in which the value is at a path."""
        pairs = self.pairs
        if self.kind != "value":
            pairs = tuple(Pair(f"{path}{old}", f"{path}{new}") for old, new in pairs)
        differences = tuple(change.inside(path) for change in self.differences)
        return replace(self, pairs=pairs, differences=differences)

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; its member names are part of the contract."""
        return {
            "kind": self.kind,
            "pairs": [pair._asdict() for pair in self.pairs],
            "reason": self.reason,
            "likely": self.likely,
            "differences": [change.as_dict() for change in self.differences],
        }


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    `kind`: "breaking" (`witness` was valid and no longer is), "widening" (all data that was valid
    still is), "annotation" (no assertion changed), or "unknown". `path` is a JSON Pointer pattern
    into the instance (`*`: any property or item), relative to the data or, if `scope` is
    "document", to the widget document. `pointer` is the JSON Pointer of the keyword in the newer
    linked schema, or in the older one if it was removed. `old` and `new` are the values of the
    keyword, as JSON values; None if a schema does not have it. `subjects` are the properties or
    values that the change is about, if a keyword has several, such as those that are now required.
    `guess` is the probable meaning of the change. `narrows` is True for a requirement of the newer
    schema, False for one that only the older schema had. `parts` are the single changes that this
    one combines, empty for a single change: a renamed property is a removed and a new one. `others`
    are the same change at other places: a schema that is used there, too, has changed. They share
    the witness.
    """

    kind: Kind
    path: str
    pointer: str
    keyword: str
    message: str
    old: Any = field(default=None, hash=False)
    new: Any = field(default=None, hash=False)
    witness: Witness | None = None
    scope: Scope = "data"
    subjects: tuple[Any, ...] = field(default=(), hash=False)
    guess: Guess | None = None
    narrows: bool = True
    parts: tuple[Change, ...] = ()
    others: tuple[Change, ...] = ()

    def __str__(self) -> str:
        return f"{self.headline}" if self.witness is None else f"{self.headline}\n{self.proof}"

    @property
    def place(self) -> str:
        """The place of the change, and the number of other ones, for people."""
        more = f" and at {plural(len(self.others), 'other place')}" if self.others else ""
        return f"{self.own_place}{more}"

    @property
    def own_place(self) -> str:
        """The place of the change, for people."""
        shown = display_pointer(self.path)
        return shown if self.scope == "data" else f"{shown} of the document"

    @property
    def everywhere(self) -> tuple[Change, ...]:
        """The change at each of its places, as changes of a single place."""
        return (replace(self, others=()), *self.others) if self.others else (self,)

    @property
    def headline(self) -> str:
        """The change in one line."""
        return f"{self.kind} {self.place}: {self.message}"

    @property
    def proof(self) -> str:
        """The witness in lines, data and what the newer schema says of it.

        The data is shown from the place of the change up, as far as it is short.
        """
        if self.witness is None:
            return ""
        # Other changes may break the same data: prefer the findings about this one.
        own = [one for one in self.witness.findings if self.is_about(one)]
        shown = own or self.witness.findings
        path, data = _short_part(self.witness.data, shown[0].path)
        lines = [f"    was valid{f' at {display_pointer(path)}' * bool(path)}: {data}"]
        lines += [f"    now: {finding.headline}" for finding in shown[:3]]
        return "\n".join(lines)

    def inside(self, path: str) -> Change:
        """Return the same change for data in which the value is at a path."""
        return replace(
            self,
            path=f"{path}{self.path}",
            guess=None if self.guess is None else self.guess.inside(path),
            parts=tuple(part.inside(path) for part in self.parts),
        )

    def is_about(self, finding: Finding) -> bool:
        """Return True if a finding of the newer schema is about what this change changed."""
        if self.parts:
            return any(part.is_about(finding) for part in self.parts)
        if finding.keyword != self.keyword or not matches(self.path, finding.path):
            return False
        return finding.keyword != "required" or finding.expected in self.subjects

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; its member names are part of the contract."""
        return {
            "kind": self.kind,
            "scope": self.scope,
            "path": self.path,
            "pointer": self.pointer,
            "keyword": self.keyword,
            "message": self.message,
            "old": self.old,
            "new": self.new,
            "witness": None if self.witness is None else self.witness.as_dict(),
            "subjects": [*self.subjects],
            "narrows": self.narrows,
            "guess": None if self.guess is None else self.guess.as_dict(),
            "parts": [part.as_dict() for part in self.parts],
            "others": [
                {"path": one.path, "guess": None if one.guess is None else one.guess.as_dict()}
                for one in self.others
            ],
        }


def _short_part(data: Any, path: str) -> tuple[str, str]:
    """Return the greatest part of data that has a place and is short: its own place, its text."""
    tokens = parse_pointer(path)
    for depth, token in enumerate(tokens):
        shown = preview(data, _FITS + 1)
        if len(shown) <= _FITS:
            return format_pointer(tokens[:depth]), shown
        data = data[int(token) if type(data) is list else token]
    return path, preview(data, _SHOWN)


def grouped(changes: Iterable[Change]) -> list[Change]:
    """Return the changes, those of one shared definition that say the same as one."""
    groups: dict[Any, list[Change]] = {}
    for index, change in enumerate(changes):
        one = (change.kind, change.scope, change.pointer, change.keyword, change.message)
        # What was put together for a member has no pointer of its own.
        groups.setdefault((*one, change.narrows) if change.pointer else index, []).append(change)
    return [_as_one(group) if len(group) > 1 else group[0] for group in groups.values()]


def _as_one(changes: list[Change]) -> Change:
    """Return changes that share a witness or have one each as one, with the least witness."""
    first = min(changes, key=_explanation)
    return replace(first, others=tuple(one for one in changes if one is not first))


def _explanation(change: Change) -> tuple[bool, bool, int, int]:
    """Return a sort key: changes first that their witness shows, with few words."""
    findings = () if change.witness is None else change.witness.findings
    size = 0 if change.witness is None else len(preview(change.witness.data, _MOST_COMPARED))
    return (
        not any(map(change.is_about, findings)),
        not any(matches(change.path, finding.path) for finding in findings),
        size,
        len(change.path),
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes between two schemas, the worst first.

    A change in a definition that is used at several places is one change; `each_place` has it once
    for each of them.

    A comparison has no truth value, because both readings of `if comparison:` are tempting; ask
    `comparison.harmless`, `comparison.breaking`, or for the `verdict`.
    """

    old: Version
    new: Version
    changes: tuple[Change, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst kind of all changes; "same" if there are none."""
        kinds = {change.kind for change in self.changes}
        return next((kind for kind in KINDS if kind in kinds), "same")

    @property
    def breaking(self) -> bool:
        """True if some data that was valid is known to be invalid now."""
        return self.verdict == "breaking"

    @property
    def harmless(self) -> bool:
        """True if it is proven that all data that was valid is still valid."""
        return self.verdict not in ("breaking", "unknown")

    @property
    def each_place(self) -> Comparison:
        """The comparison with a change for each place."""
        every = tuple(single for change in self.changes for single in change.everywhere)
        return replace(self, changes=every)

    @property
    def summary(self) -> str:
        """The verdict and the counts in one line, without the ids."""
        if not self.changes:
            return "same"
        counts = {kind: sum(change.kind == kind for change in self.changes) for kind in KINDS}
        shown = ", ".join(f"{number:,} {kind}" for kind, number in counts.items() if number)
        return f"{self.verdict}: {plural(len(self.changes), 'change')} ({shown})"

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __repr__(self) -> str:
        return f"<Comparison of {self.old.id!r} with {self.new.id!r}: {self.summary}>"

    def __bool__(self) -> bool:
        raise TypeError("a Comparison has no truth value: use comparison.harmless (or .verdict)")

    def __str__(self) -> str:
        name = self.old.id if self.old.id == self.new.id else f"{self.old.id} → {self.new.id}"
        lines = [f"{name}: {self.summary}"]
        lines += [f"  {line}" for change in self.changes for line in str(change).split("\n")]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object: `old`, `new`, `verdict`, `breaking`, `harmless`, `changes`.

        `old` and `new` have `id` and `linked_digest`.
        """
        return {
            "old": self.old._asdict(),
            "new": self.new._asdict(),
            "verdict": self.verdict,
            "breaking": self.breaking,
            "harmless": self.harmless,
            "changes": [change.as_dict() for change in self.changes],
        }
