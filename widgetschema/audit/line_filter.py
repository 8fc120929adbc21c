"""A filter of lines: it accepts those that the fast path of their type accepts.

A fast path accepts nothing that is not valid as one kind of one type. The filter makes sure that a
text is of that kind and type to begin with, and that no fast path is tried in vain for long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from widgetschema.audit.fast_path import (
    FastPath,
    build_fast_path,
    fast_path_of,
    value_probe,
)
from widgetschema.audit.plan import Settings
from widgetschema.pointers import parse_pointer
from widgetschema.project.checking.checker import TYPE_MEMBER, Checker, TypeProblem
from widgetschema.schema.describes import RECORD_MEMBERS

Kind = Literal["data", "document", "pointer"]  # of the last, `data_pointer` leads to the data

_FEW: Final = 64  # records of a type for which no fast path is built
_MOST_PAUSE: Final = 64  # blocks for which a fast path is not tried that was of no use
_MARKS: Final = (TYPE_MEMBER, "id", *sorted(RECORD_MEMBERS - {TYPE_MEMBER, "id"}))
_PATIENCE: Final = 32  # records without the mark, until another one is chosen
# Members that make more of a value than data, or than one document.
_ENVELOPE: Final = ("docs",)
_MORE: Final = ("data",)


class FastRoute:
    """The fast path for one kind of one type."""

    def __init__(self, fast_path: FastPath) -> None:
        self.rejected = fast_path.rejected
        self._left = 0  # blocks for which it is not tried
        self._pause = 1

    def pays(self, lines: int) -> bool:
        """Return whether it should be tried for lines that others have rejected."""
        if self._left:
            self._left -= 1
            return False
        return lines > 0

    def tried(self, lines: int, accepted: int) -> None:
        """Note how many lines were accepted, which decides when it is tried again."""
        if accepted * 8 >= lines:
            self._pause = 1
        else:
            self._left = self._pause
            self._pause = min(2 * self._pause, _MOST_PAUSE)


class LineFilter:
    """Sorts lines: `rejected` tells which ones need a second look, and counts the others.

    With `must_say_type`, no document is accepted that does not say the type of all records.
    """

    def __init__(
        self, settings: Settings, checker: Checker, *, must_say_type: bool = False
    ) -> None:
        self._settings = settings
        self._pins_type = must_say_type or settings.type_id is None
        self._checker = checker
        self._mark = TYPE_MEMBER  # the record member by which documents are known to be some
        self._unmarked = 0
        tokens = parse_pointer(settings.type_pointer)
        self._type_member = tokens[0] if len(tokens) == 1 else None
        by_member = settings.type_id is None and self._type_member in RECORD_MEMBERS
        self._needs_mark = settings.kind == "auto" and not by_member
        self._seen: dict[str, int] = {}  # records of each known type
        self._routes: dict[tuple[str, Kind], FastRoute | None] = {}
        self._order: list[Kind] = self._kinds()
        self._current: str | None = settings.type_id
        self._mixed = False
        self._type_of = value_probe([settings.type_pointer])

    def _kinds(self) -> list[Kind]:
        """Return the kinds that records can be of, and be accepted as."""
        kind, by_member = self._settings.kind, self._settings.type_id is None
        if self._settings.decode_strings or self._settings.at:
            return []  # what is checked is not the whole text
        if self._settings.data_pointer is not None:
            return ["pointer"]
        kinds: list[Kind] = [] if by_member and self._type_member == TYPE_MEMBER else ["data"]
        return [one for one in (*kinds, "document") if kind in ("auto", one)]

    def rejected(self, lines: list[bytes], count: Callable[[str, int], None]) -> Iterable[int]:
        """Return the indices of the lines that are not accepted, in order.

        `count` is called with a type and the number of its lines that are.
        """
        if not self._order:
            return range(len(lines))
        if self._settings.type_id is not None:
            return self._of_type(self._settings.type_id, lines, count)
        return self._of_many(lines, count)

    def rejected_by_type(
        self, lines: list[bytes], types: Sequence[Any], count: Callable[[str, int], None]
    ) -> Iterable[int]:
        """Return the indices of the lines that are not accepted, whose types are known."""
        first = types[0] if types else None
        if types.count(first) == len(types) and type(first) is str:
            known = not isinstance(self._checker.widget_type(first), TypeProblem)
            return self._of_type(first, lines, count) if known else range(len(lines))
        return self._of_groups(lines, self._grouped(enumerate(types)), count)

    def note_valid(self, value: Any, kind: str) -> None:
        """Note a valid record that was not accepted: perhaps another mark fits these better."""
        if not self._needs_mark or kind != "document" or type(value) is not dict:
            return
        marks = [name for name in _MARKS if type(value.get(name)) is str]
        if not marks or self._mark in marks:
            return
        self._unmarked += 1
        if self._unmarked >= _PATIENCE:
            self._unmarked = 0
            self._mark = marks[0]
            self._routes.clear()

    def _pins(self, type_id: str) -> dict[str, str | None]:
        """Return the members that make sure that a text is a document, and of its type."""
        pins: dict[str, str | None] = {}
        if self._needs_mark and self._settings.data_pointer is None:
            pins[self._mark] = None
        if self._pins_type and self._type_member is not None:
            pins[self._type_member] = type_id
        return pins

    def _of_type(
        self, type_id: str, lines: list[bytes], count: Callable[[str, int], None]
    ) -> Iterable[int]:
        """Filter lines of one type by its fast paths, first the one that accepts more."""
        left: list[int] | None = None
        accepted: dict[Kind, int] = {}
        seen = self._note(type_id, len(lines))
        for kind in self._order:
            route = self._route(type_id, kind, seen)
            if route is None:
                continue
            some = lines if left is None else [lines[index] for index in left]
            if route.pays(len(some)):
                still = route.rejected(some)
                accepted[kind] = len(some) - len(still)
                route.tried(len(some), accepted[kind])
                left = still if left is None else [left[index] for index in still]
        if left is None:
            return range(len(lines))
        count(type_id, len(lines) - len(left))
        if len(accepted) > 1:
            self._order.sort(key=lambda kind: -accepted.get(kind, 0))
        return left

    def _of_many(self, lines: list[bytes], count: Callable[[str, int], None]) -> Iterable[int]:
        """Filter lines that each say their type, most often that of the line before."""
        # Where no pin can tell the type of what is accepted, each line is asked for its type.
        tried = None if self._mixed or self._type_member is None else self._current
        left = range(len(lines)) if tried is None else self._of_type(tried, lines, count)
        found = ((index, self._type_of(lines[index])) for index in left)
        groups = self._grouped((index, None if one is None else one[0]) for index, one in found)
        sizes = {type_id: len(group) for type_id, group in groups.items() if type_id is not None}
        if tried is not None:
            among = len(lines) - sum(map(len, groups.values()))
            sizes[tried] = among + sizes.get(tried, 0)
        rest = self._of_groups(lines, groups, count, tried)
        self._current = max(sizes, key=lambda one: sizes[one], default=self._current)
        self._mixed = bool(sizes) and 2 * max(sizes.values()) < len(lines)
        return rest

    def _of_groups(
        self,
        lines: list[bytes],
        groups: Mapping[str | None, list[int]],
        count: Callable[[str, int], None],
        tried: str | None = None,
    ) -> list[int]:
        """Filter lines that are grouped by type; those of the type that was `tried` are left."""
        rest: list[int] = []
        for type_id, group in groups.items():
            if type_id is None or type_id == tried:
                rest += group
                continue
            still = self._of_type(type_id, [lines[index] for index in group], count)
            rest += [group[index] for index in still]
        rest.sort()
        return rest

    def _grouped(self, types: Iterable[tuple[int, Any]]) -> dict[str | None, list[int]]:
        """Return the indices of lines by their types, None where there is no such type."""
        groups: dict[str | None, list[int]] = {}
        for index, type_id in types:
            groups.setdefault(type_id if type(type_id) is str else None, []).append(index)
        unknown: list[int] = []
        for type_id in [*groups]:
            if type_id is None or isinstance(self._checker.widget_type(type_id), TypeProblem):
                unknown += groups.pop(type_id)
        if unknown:
            groups[None] = unknown
        return groups

    def _note(self, type_id: str, records: int) -> int:
        """Return the number of records of a type so far."""
        seen = self._seen[type_id] = self._seen.get(type_id, 0) + records
        return seen

    def _route(self, type_id: str, kind: Kind, seen: int) -> FastRoute | None:
        """Return the route for a kind of a type; None if there is none, or not yet."""
        key = type_id, kind
        if key not in self._routes and seen >= _FEW:
            self._routes[key] = self._built(type_id, kind)
        return self._routes.get(key)

    def _built(self, type_id: str, kind: Kind) -> FastRoute | None:
        widget_type = self._checker.widget_type(type_id)
        if isinstance(widget_type, TypeProblem):
            return None
        settings = self._settings
        if settings.data_pointer is not None:
            validator = widget_type.validator_at(settings.data_pointer)
            fast_path = build_fast_path(validator, self._pins(type_id))
        elif kind == "document":
            fast_path = fast_path_of(widget_type, "document", self._pins(type_id), absent=_ENVELOPE)
        else:
            by_member = settings.type_id is None and self._type_member is not None
            pins = {self._type_member or "": type_id} if by_member else None
            more = (*_MORE, *_ENVELOPE) if settings.kind == "auto" else ()
            fast_path = fast_path_of(widget_type, "data", pins, absent=more)
        return None if fast_path is None else FastRoute(fast_path)
