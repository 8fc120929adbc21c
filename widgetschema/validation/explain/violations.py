"""`Violation`: one mistake before it is put into words, and which mistakes follow from others."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from widgetschema.jsontext.equality import Options
from widgetschema.schema.keywords import Texts

Path = tuple[Any, ...]  # (path of what is around it, token); the root is ()
Way = tuple[Any, ...]  # the tokens of a path, outermost first


class Described:
    """A schema that messages put in words; these are kept, since one schema is often violated."""

    __slots__ = ("_words", "schema")

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self._words: tuple[Texts, str | None] | None = None

    def words(self, say: Texts, describe: Callable[[Texts, Any], str | None]) -> str | None:
        """Return what `describe` makes of the schema."""
        if self._words is None or self._words[0] is not say:
            self._words = (say, describe(say, self.schema))
        return self._words[1]


class Condition(NamedTuple):
    """The outcome of an `if` for the value at `path`, as the reason for a violation.

    `place` is the pointer of the keyword. `missing` are members that the value does not have and
    that could turn the outcome: draft-07 lets `properties` hold for members that are absent
    (section 6.5.4). `evident` is whether the value shows all else that the schema asks for.
    `is_met` is whether the value is valid against `schema`; that is the opposite of `holds` where
    the `if` is the `not` of it. `tested` are the scalar members that the outcome depends on: on
    each of them if it is met, else on all of them together.
    """

    schema: Described
    holds: bool
    path: Path
    place: str
    missing: tuple[str, ...] = ()
    evident: bool = True
    is_met: bool = True
    tested: tuple[str, ...] = ()


class Violation(NamedTuple):
    """One mistake, not yet in words.

    `place` is the pointer of the keyword in the linked schema, `value` the offending
    value, `detail` what the keyword asks for (its form depends on the keyword), `because`
    the condition under which it applies, if any. It is `guessed` if it is of one alternative
    and another may have been meant.
    """

    keyword: str
    path: Path
    place: str
    value: Any
    detail: Any = None
    because: Condition | tuple[Any, ...] = ()
    guessed: bool = False


def tokens(path: Path) -> list[Any]:
    """Return the tokens of a path, outermost first."""
    result: list[Any] = []
    while path:
        path, token = path
        result.append(token)
    result.reverse()
    return result


# Mistakes of a member as such: its value may have another one.
_OF_THE_MEMBER: Final = frozenset(
    {"additionalItems", "additionalProperties", "false", "propertyNames"}
)


def without_consequences(violations: list[Violation]) -> list[Violation]:
    """Return the violations of one place less those that follow from another one.

    What is of the wrong type cannot have the right value; who lacks a required member
    has too few.
    """
    keywords = {violation.keyword for violation in violations}
    if "type" in keywords:
        kept = {"type", *_OF_THE_MEMBER}
        return [violation for violation in violations if violation.keyword in kept]
    if "required" in keywords:
        violations = [one for one in violations if one.keyword != "minProperties"]
    listed = [options for options in map(_options, violations) if options is not None]
    if len(listed) < 2:
        return violations
    return [one for one in violations if not _is_narrowed(_options(one), listed)]


def _options(violation: Violation) -> Options | None:
    """Return the values of which a violation asks for one, if that is all that it asks for."""
    keyword, detail = violation.keyword, violation.detail
    options: Options | None = None
    if violation.because:
        return None
    if keyword in ("const", "enum"):
        options = detail
    elif keyword in ("anyOf", "oneOf") and detail[0] == "mismatch" and not (detail[1] or detail[3]):
        options = detail[2]
    return options


def _is_narrowed(options: Options | None, listed: list[Options]) -> bool:
    """Return whether other options are fewer, and all among these."""
    return options is not None and any(
        len(other.values) < len(options.values) and all(map(options.__contains__, other.values))
        for other in listed
    )


def found_again(violations: list[Violation], path: Path, way: Callable[[Path], Way]) -> set[int]:
    """Return the indexes of violations of a value, or inside it, that others say as well.

    They are of the same subschema and the same value, and differ by the way that leads there. What
    holds without a condition is said without one; of several conditions, the first is told. Some
    conditions inside of the value are kept beside it, since one may prove to be undecided.
    """
    plain: set[tuple[Any, ...]] = set()  # what is said without a condition
    first: dict[tuple[Any, ...], int] = {}  # indexes by what is said under which condition
    reasons: dict[tuple[Any, ...], int] = {}  # how many conditions inside there are for it
    again: set[int] = set()
    depth: int | None = None
    for index, one in enumerate(violations):
        said = (id(way(one.path)), one.place, id(one.detail))
        because, reason = one.because, 0
        if not because:
            if said in plain:
                again.add(index)
            plain.add(said)
            continue
        if type(because) is Condition and because.path is not path:
            if depth is None:
                depth = len(way(path))
            if len(way(because.path)) > depth:
                reason = id(because)
        if first.setdefault((said, reason), index) != index:
            again.add(index)
        elif reason:
            reasons[said] = reasons.get(said, 0) + 1
            if reasons[said] > _MOST_REASONS:
                again.add(index)
    again.update(index for (said, _), index in first.items() if said in plain)
    return again


_MOST_REASONS: Final = 2


class Outcome(NamedTuple):
    """The results of `decide`: ids of violations that follow from others, and new violations."""

    dropped: frozenset[int]
    added: list[Violation]


def decide(
    value: Any, path: Path, violations: list[Violation], is_wrong: Callable[[str], bool]
) -> Outcome:
    """Drop the violations under undecided conditions, of those at a value and inside it.

    A condition about a missing member is undecided if its absence is a mistake itself, or if
    conditions that exclude each other all hold: then the absence is reported in their place.
    In the same way a value matches several alternatives that describe a missing member. A
    condition about members that are wrong themselves is undecided, too: `is_wrong` tells that of
    the name of a member.

    An unknown member and a missing one, by two schemas, are one mistake if it is misspelled.
    """
    dropped = set(map(id, _misspelled(violations, path)))
    conditional = [(one, _condition_at(one, path)) for one in violations]
    if not any(what is not None or _is_ambiguous(one, path) for one, what in conditional):
        return Outcome(frozenset(dropped), [])
    absent = {name for violation in violations for name in _absent(violation, path)}
    wrong: dict[str, bool] = {}
    undecided: dict[str, list[tuple[Condition, Violation]]] = {}
    for violation, condition in conditional:
        if _is_ambiguous(violation, path) and not absent.isdisjoint(violation.detail[3]):
            dropped.add(id(violation))
        if condition is None:
            continue
        for name in condition.tested:
            if name not in wrong:
                wrong[name] = is_wrong(name)
        doubts = [wrong[name] for name in condition.tested]
        is_doubtful = any(doubts) if condition.is_met else doubts and all(doubts)
        if is_doubtful or not absent.isdisjoint(condition.missing):
            dropped.add(id(violation))
        elif condition.holds and len(condition.missing) == 1:
            undecided.setdefault(condition.missing[0], []).append((condition, violation))
    added: list[Violation] = []
    for name, found in undecided.items():
        conditions = {condition.place: condition.schema for condition, _ in found}
        same = found[0][1]
        if all(
            (one.keyword, one.path, one.detail) == (same.keyword, same.path, same.detail)
            for _, one in found
        ):
            continue
        options = _exclusive_options(name, tuple(conditions.values()))
        if options is not None:
            dropped.update(id(violation) for _, violation in found)
            detail = ("missing", name, options)
            added.append(Violation("if", path, found[0][0].place, value, detail))
    return Outcome(frozenset(dropped), added)


def _condition_at(violation: Violation, path: Path) -> Condition | None:
    """Return the condition about members of the value at `path`, if it is under one."""
    condition = violation.because
    if isinstance(condition, Condition) and condition.path == path:
        return condition if condition.missing or condition.tested else None
    return None


def _misspelled(violations: list[Violation], path: Path) -> list[Violation]:
    """Return the violations that say again that a member of the value at `path` is misspelled.

    What is said without a condition is kept, since nothing else can make it drop.
    """
    lacking: dict[str, list[Violation]] = {}
    for one in violations:
        for name in _lacked(one, path):
            lacking.setdefault(name, []).append(one)
    again: list[Violation] = []
    for unknown in violations if lacking else ():
        if unknown.keyword == "additionalProperties" and unknown.path[0] == path:
            missing = lacking.get(unknown.detail[1], [])
            if not unknown.because:
                again += missing
            elif not all(one.because for one in missing):
                again.append(unknown)
    return again


def _lacked(violation: Violation, path: Path) -> list[str]:
    """Return the members each of which is all that the value at `path` lacks, by a violation."""
    if violation.path != path:
        return []
    if violation.keyword in ("anyOf", "oneOf") and violation.detail[0] == "required":
        return [names[0] for names in violation.detail[1] if len(names) == 1]
    return [violation.detail] if violation.keyword == "required" else []


def _is_ambiguous(violation: Violation, path: Path) -> bool:
    """Return whether the value at `path` matches several alternatives."""
    if violation.keyword != "oneOf" or violation.detail[0] != "several":
        return False
    return violation.path == path


def _absent(violation: Violation, path: Path) -> tuple[str, ...]:
    """Return the members of the value at `path` that a violation calls missing or misspelled."""
    keyword, detail = violation.keyword, violation.detail
    if isinstance(violation.because, Condition) and violation.because.missing:
        return ()
    if keyword == "additionalProperties":
        return (detail[1],) if detail[1] is not None and violation.path[0] == path else ()
    if violation.path != path:
        return ()
    if keyword == "required":
        return (detail,)
    if keyword == "dependencies":
        return (detail[0],)
    if keyword in ("anyOf", "oneOf") and detail[0] == "missing":
        return (detail[1],)
    return ()


@lru_cache(maxsize=128)  # what is missing is often missing in many items
def _exclusive_options(name: str, conditions: tuple[Described, ...]) -> Options | None:
    """Return the values of a member by which conditions exclude each other, if they do."""
    values: list[Any] = []
    for one in conditions:
        schema = one.schema
        member = schema.get("properties", {}).get(name) if type(schema) is dict else None
        if type(member) is not dict or not member.keys() & {"const", "enum"}:
            return None
        values += [member["const"]] if "const" in member else member["enum"]
    options = Options(values)
    return options if len(conditions) > 1 and options.is_distinct else None
