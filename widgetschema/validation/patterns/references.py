r"""The text that each reference of a pattern repeats.

ECMA 262 differs from the engines: a reference to a group that took no part matches the empty
text, and each round of a repetition begins with groups that have taken no part (section
22.2.2.3.1, step 4). So a reference can only repeat a group that stands before it in the same
round; every other one is empty. Where a group may have been left out, there is a case for either:
`(-)?a\1` becomes `(?:(-)a\1|a)`. Where the last round of a repetition decides, it stands alone:
`(?:(a)|b)*\1` becomes `(?:(?:(a)|b)*(a)\2|(?:(?:(a)|b)*b)?)`. In the result, each reference is to a
group that has certainly matched, and all engines agree about those.

The cases are tried in another order than the pattern says, which decides nothing but what a
lookaround finds first: where that matters, the pattern is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, count
from typing import Final, NamedTuple, NoReturn

from widgetschema.validation.patterns.expression import (
    EMPTY,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Repetition,
    Series,
    UnsupportedPattern,
    atom,
    children,
    choice,
    descendants,
    looks,
    repetition,
    series,
)

_MAX_COPIES: Final = 4  # of each part of a pattern, on average, that are looked at
_MIN_BUDGET: Final = 5_000
_TOO_MANY_CASES: Final = "it refers to many groups that may take no part"
_ANY: Final = atom("[\\x00-\U0010ffff]")


def bind(root: Node, references: Sequence[Reference]) -> Node:
    """Return an equivalent pattern each of whose references is to a group that has matched.

    Raises `UnsupportedPattern`.
    """
    try:
        return _Binding(root, references).node(root, _Scope())
    except RecursionError:
        raise UnsupportedPattern(_TOO_MANY_CASES, references[0].offset) from None


class _Scope(NamedTuple):
    """The facts that are known at a place of a pattern."""

    matched: frozenset[int] = frozenset()  # the groups that have certainly matched
    behind: frozenset[int] = frozenset()  # those that the same lookbehind matches before
    after: frozenset[int] = frozenset()  # those that are referred to behind this place
    first: bool = False  # whether it matters what a lookaround finds first
    backward: bool = False


class _Case(NamedTuple):
    """A part of a pattern in which a group has matched, or took no part."""

    node: Node
    matched: bool


class _Binding:
    """One run of `bind`."""

    def __init__(self, root: Node, references: Sequence[Reference]) -> None:
        self.offsets = {reference.number: reference.offset for reference in reversed(references)}
        self.first_offset = references[0].offset
        self.budget = _MIN_BUDGET + _MAX_COPIES * sum(1 for _ in descendants(root))
        self.numbers = count(-1, -1)  # of groups that the pattern does not have
        self.known_groups: dict[Node, frozenset[int]] = {}

    def node(self, node: Node, scope: _Scope) -> Node:
        """Return a part with its references bound."""
        self.spend()
        match node:
            case Repeated():
                return node
            case Reference(number=number):
                if number in scope.behind:
                    self.refuse_order(number)
                return self.repeated(number) if number in scope.matched else EMPTY
            case Series(parts=parts):
                return self.backward(parts, scope) if scope.backward else self.forward(parts, scope)
            case Choice(branches=branches):
                return choice([self.node(branch, scope) for branch in branches])
            case Group(opening=opening, body=body, number=number):
                if looks(opening):
                    seen = opening[-1] == "=" and not scope.after.isdisjoint(self.groups(body))
                    scope = scope._replace(first=seen, backward="<" in opening)
                return Group(opening, self.node(body, scope), number)
            case Repetition(body=body, low=low, high=high, lazy=lazy, hidden=hidden):
                return repetition(self.node(body, scope), low, high, lazy, hidden=hidden)
        return node

    def forward(self, parts: Sequence[Node], scope: _Scope, bound: Node | None = None) -> Node:
        """Return a series. From a part that may leave out a group to the last reference to that,
        or to a group around it, there is a series for each case.

        Args:
            parts: The parts to bind.
            scope: What is known before them.
            bound: A part before them that is bound.
        """
        referred = _referred(parts)
        behind = [*accumulate(reversed(referred), frozenset.union, initial=frozenset[int]())][::-1]
        done: list[Node] = []
        index = 0
        while bound is not None or index < len(parts):
            if bound is None:
                after = scope.after | behind[index + 1]
                bound = self.node(parts[index], scope._replace(after=after))
                index += 1
            number = min((self.groups(bound) & behind[index]) - scope.matched, default=None)
            if number is None:
                done.append(bound)
                bound = None
                continue
            cases = self.cases(bound, number)
            matched = scope._replace(matched=scope.matched | {number})
            if len(cases) == 1 and cases[0].matched:
                scope = matched
                continue
            if scope.first:
                self.refuse_order(number)
            copied = self.groups(bound) & matched.matched  # each case has its own of these
            end = max(at for at in range(index, len(parts)) if copied & referred[at]) + 1
            after = scope.after | behind[end]
            branches = [
                self.forward(
                    parts[index:end],
                    (matched if case.matched else scope)._replace(after=after),
                    case.node,
                )
                for case in cases
            ]
            bound, index = Group("(?:", choice(branches)), end
        return series(done)

    def backward(self, parts: Sequence[Node], scope: _Scope) -> Node:
        """Return a series of a lookbehind, whose last part is matched first."""
        done: list[Node] = []
        for part in reversed(parts):
            part = self.node(part, scope)
            scope = scope._replace(behind=scope.behind | self.groups(part))
            done.append(part)
        return series(reversed(done))

    def cases(self, node: Node, number: int) -> list[_Case]:
        """Return what a part matches, with a group and without it; one case that has not
        matched, at most.
        """
        self.spend()
        if number not in self.groups(node):
            return [_Case(node, False)]
        match node:
            case Group(number=own) if own == number:
                return [_Case(node, True)]
            case Group(opening=opening, body=body) if looks(opening):
                inner = self.cases(body, number)
                if len(inner) > 1 or not (_is_rigid if "<" in opening else _is_ordered)(body):
                    self.refuse_order(number)
                return [_Case(node, True)]
            case Group(opening=opening, body=body, number=own):
                inner = self.cases(body, number)
                if len(inner) == 1:
                    return [_Case(node, True)]
                return [_Case(Group(opening, one.node, own), one.matched) for one in inner]
            case Series(parts=parts):
                index = next(i for i, part in enumerate(parts) if number in self.groups(part))
                before, after = parts[:index], parts[index + 1 :]
                return [
                    _Case(series([*before, one.node, *after]), one.matched)
                    for one in self.cases(parts[index], number)
                ]
            case Choice(branches=branches):
                return _merged(case for branch in branches for case in self.cases(branch, number))
            case Repetition():
                return self.rounds(node, number)
        raise AssertionError(node)  # pragma: no cover

    def rounds(self, node: Repetition, number: int) -> list[_Case]:
        """Return the cases of a repetition, whose last round decides."""
        body, low, high = node.body, node.low, node.high
        inner = self.cases(body, number)
        if len(inner) == 1 and low > 0 and (body.shortest > 0 or low == high):
            return [_Case(node, True)]
        fewer = None if high is None else high - 1
        found = [] if low else [_Case(EMPTY, False)]
        for last, matched in inner:
            if body.shortest > 0:
                before = repetition(body, max(low - 1, 0), fewer, hidden=True)
                found.append(_Case(series([before, last]), matched))
                continue
            if low:
                before = repetition(body, low - 1, low - 1, hidden=True)
                found.append(_Case(series([before, last]), matched))
            if high is None or high > low:  # beyond the required rounds, none is empty
                before = repetition(body, low, fewer, hidden=True)
                found.append(_Case(series([before, self.consuming(last)]), matched))
        return _merged(found)

    def consuming(self, node: Node) -> Node:
        """Return what a node matches if that is not empty: less of the text is left behind it."""
        if node.shortest:
            return node
        number = next(self.numbers)
        rest = Group("(?=", Group("(", repetition(_ANY, 0, None), number))
        return series([rest, node, Group("(?!", self.repeated(number))])

    def groups(self, node: Node) -> frozenset[int]:
        """Return the groups that can be referred to behind a node."""
        found = self.known_groups.get(node)
        if found is None:
            found = frozenset[int]().union(*map(self.groups, children(node)))
            if isinstance(node, Group):
                # what is in a negative lookaround has not matched when that is passed
                found = frozenset() if node.opening[-1] == "!" else found | ({node.number} - {0})
            elif isinstance(node, Repetition) and node.hidden:
                found = frozenset()
            self.known_groups[node] = found
        return found

    def spend(self) -> None:
        """Count a part that is looked at; refuse the pattern if there are too many."""
        self.budget -= 1
        if self.budget < 0:
            raise UnsupportedPattern(_TOO_MANY_CASES, self.first_offset)

    def repeated(self, number: int) -> Repeated:
        """Return the text of a group once more."""
        return Repeated(number, self.offsets.get(number, self.first_offset))

    def refuse_order(self, number: int) -> NoReturn:
        """Refuse a reference that depends on how a lookaround is matched."""
        reason = f"what group {number} matches depends on the order in which a lookaround tries it"
        raise UnsupportedPattern(reason, self.offsets[number])


def _referred(parts: Sequence[Node]) -> list[frozenset[int]]:
    """Return the groups that each part refers to."""
    return [
        frozenset(node.number for node in descendants(part) if type(node) is Reference)
        for part in parts
    ]


def _merged(cases: Iterable[_Case]) -> list[_Case]:
    """Return cases with those together in which the group took no part."""
    cases = list(cases)
    matched = [case for case in cases if case.matched]
    missed = [case.node for case in cases if not case.matched]
    if len(missed) > 1:
        missed = [Group("(?:", choice(missed))]
    return [*matched, *(_Case(node, False) for node in missed)]


def _is_ordered(node: Node) -> bool:
    """Return whether engines try what a node may match in the order of ECMA 262, which refuses
    empty rounds of a repetition.
    """
    return all(
        part.body.shortest > 0 or part.low == part.high
        for part in descendants(node)
        if isinstance(part, Repetition)
    )


def _is_rigid(node: Node) -> bool:
    """Return whether it makes no difference from which end a node is matched."""
    return not any(
        isinstance(part, Repeated)
        or (isinstance(part, (Repetition, Choice)) and part.shortest != part.longest)
        or (isinstance(part, Repetition) and any(map(_captures, descendants(part))))
        for part in descendants(node)
    )


def _captures(node: Node) -> bool:
    return isinstance(node, Group) and node.number != 0
