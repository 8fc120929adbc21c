"""`anyOf`, `oneOf`, `not`: which alternative a person meant, and what is wrong there.

Draft-07 validation specification, section 6.7. A value that fits none of five
alternatives has one mistake, not five. Of those for values of its kind, the alternative is
chosen that the value itself names (a member with `const` or `enum`), else the one with the
fewest findings, the deepest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any

from widgetschema.jsontext.equality import Options, canonical
from widgetschema.pointers import escape_token, pointer_of, unescape_token
from widgetschema.schema.keywords import ASSERTIONS
from widgetschema.validation.explain.conditions import tested_members
from widgetschema.validation.explain.violations import Described, Violation, tokens

if TYPE_CHECKING:
    from widgetschema.validation.explain.violations import Path
    from widgetschema.validation.explain.walk import Check, Explainer, Walk


def any_of(explainer: Explainer, pointer: str, schemas: list[Any]) -> Check:
    """Return the check of `anyOf`."""
    alternatives = Alternatives(explainer, "anyOf", pointer, len(schemas))

    def check(value: Any, path: Path, walk: Walk) -> None:
        if any(type(value) in node.accepts for node in alternatives.nodes):
            return
        results: list[list[Violation]] = []
        for node in alternatives.nodes:
            violations = walk.violations_of(node, value, path)
            if not violations:
                return
            results.append(violations)
        walk.gather(alternatives.choose(value, path, results, walk.explainer.chosen))

    return check


def one_of(explainer: Explainer, pointer: str, schemas: list[Any]) -> Check:
    """Return the check of `oneOf`."""
    alternatives = Alternatives(explainer, "oneOf", pointer, len(schemas))

    def check(value: Any, path: Path, walk: Walk) -> None:
        results = [walk.violations_of(node, value, path) for node in alternatives.nodes]
        fitting = [index for index, violations in enumerate(results) if not violations]
        if len(fitting) > 1:
            walk.violations.append(alternatives.several(value, path, fitting))
            walk.state.has_undecided = True
        elif not fitting:
            walk.gather(alternatives.choose(value, path, results, walk.explainer.chosen))

    return check


def negation(explainer: Explainer, pointer: str, schema: Any) -> Check:
    """Return the check of `not`."""
    node = explainer.node(f"{pointer}/not")
    shown = Described(explainer.linked.at[node.pointer])

    def check(value: Any, path: Path, walk: Walk) -> None:
        if not walk.violations_of(node, value, path):
            walk.violations.append(Violation("not", path, f"{pointer}/not", value, shown))

    return check


class Alternatives:
    """The branches of one `anyOf` or `oneOf`, and how to tell which one was meant."""

    def __init__(self, explainer: Explainer, keyword: str, pointer: str, number: int) -> None:
        self.explainer = explainer
        self.keyword = keyword
        self.place = f"{pointer}/{keyword}"
        self.nodes = [explainer.node(f"{self.place}/{index}") for index in range(number)]
        self.written = [f"{self.place}/{index}" for index in range(number)]
        self.discriminators = self._discriminators()
        self._tested: dict[int, list[str]] = {}
        self._unions: dict[tuple[int, ...], tuple[list[Options], Options]] = {}

    def title(self, index: int) -> str | int:
        """Return what a person may call a branch: its title, its definition's name, its index."""
        schema = self.explainer.linked.at[self.nodes[index].pointer]
        title = schema.get("title") if type(schema) is dict else None
        if isinstance(title, str) and title:
            return title
        around, _, name = self.nodes[index].pointer.rpartition("/")
        return unescape_token(name) if around.endswith("/definitions") else index

    def several(self, value: Any, path: Path, fitting: list[int]) -> Violation:
        """Return the violation of a value that matches several branches."""
        missing: list[str] = []
        if type(value) is dict:
            for name, allowed in self.discriminators:
                if name not in value and allowed.keys() >= {*fitting}:
                    values = [one for index in fitting for one in allowed[index].values]
                    detail: tuple[Any, ...] = ("missing", name, Options(values))
                    return Violation(self.keyword, path, self.place, value, detail)
            for index in fitting:
                if index not in self._tested:
                    pointer = self.nodes[index].pointer
                    self._tested[index] = tested_members(self.explainer, pointer)
                missing += [name for name in self._tested[index] if name not in value]
        titles = [self.title(index) for index in fitting]
        detail = ("several", titles, self._exclusive_members(value, fitting), missing)
        return Violation(self.keyword, path, self.place, value, detail)

    def _exclusive_members(self, value: Any, fitting: list[int]) -> list[str]:
        """Return a member for each of these branches that it alone requires; none if one has none.

        They are what makes the value match several branches.
        """
        if type(value) is not dict:
            return []
        required = [self._required(self.nodes[index].pointer) for index in fitting]
        times = Counter(name for names in required for name in names)
        own = [[name for name in names if times[name] == 1] for names in required]
        return [names[0] for names in own] if all(own) else []

    def _required(self, pointer: str) -> list[str]:
        """Return the members that a branch requires."""
        linked, names = self.explainer.linked, dict[str, None]()
        todo = [linked.target(pointer)]
        for one in todo:  # grows while it is gone through
            schema = linked.at[one]
            if type(schema) is not dict:
                continue
            names.update(dict.fromkeys(schema.get("required", ())))
            parts = (linked.target(f"{one}/allOf/{n}") for n in range(len(schema.get("allOf", ()))))
            todo += [part for part in parts if part not in todo]
        return list(names)

    def choose(
        self,
        value: Any,
        path: Path,
        results: list[list[Violation]],
        chosen: Mapping[str, Container[str]],
    ) -> list[Violation]:
        """Return the violations to report, given those of every branch (none is empty).

        They are those of the branch that is `chosen` for the value (`Explainer.with_chosen`).
        """
        if chosen:
            places = chosen.get(pointer_of(path), ())
            mine = [index for index, place in enumerate(self.written) if place in places]
            if len(mine) == 1:
                return results[mine[0]]
        if type(value) not in _CONTAINERS:
            choices = [found for found in results if not _is_only_null(found)]
            if len(choices) == 1 and not _at_value(choices[0], path, _KINDS | _VALUES):
                return choices[0]
            if all(_is_demand(one) for found in results for one in found):
                return [self._mismatch(value, path, results)]
        candidates = [*range(len(results))]
        inside = [index for index in candidates if not _is_of_other_kind(results[index], path)]
        if type(value) is dict:
            named = self._named(value, path, inside or candidates)
            if isinstance(named, Violation):
                return [named]
            if named:
                candidates, inside = named, [index for index in inside if index in named]
            groups = _missing_groups([results[index] for index in inside], path)
            if groups:
                detail = ("required", groups)
                return [Violation(self.keyword, path, self.place, value, detail)]
        near = [index for index in inside if _is_near(results[index], path)]
        is_listed = all(_at_value(results[index], path, _VALUES) for index in inside)
        if near and not (is_listed and len(inside) == len(candidates)):
            return _chosen(results[near[0]], among=inside)
        if is_listed:
            return [self._mismatch(value, path, [results[index] for index in candidates])]

        def order(index: int) -> tuple[bool, int, int]:
            found = results[index]
            return _knows_nothing(found, value, path), len(found), -_depth(found)

        best = min(inside, key=order)
        violations = _chosen(results[best], among=inside)
        if len(inside) == 1 or len(candidates) < len(results):
            return violations
        because = ("nearest", self.title(best), len(results))
        return [p._replace(because=p.because or because) for p in violations]

    def _named(
        self, value: dict[str, Any], path: Path, among: list[int]
    ) -> list[int] | Violation | None:
        """Return the branches that a value names; a violation if it names none `among` these."""
        for name, allowed in self.discriminators:
            every = allowed.keys() >= {*among}
            if name not in value:
                if every and self._all_require(name, among):
                    values = [one for options in allowed.values() for one in options.values]
                    detail = ("missing", name, Options(values))
                    return Violation(self.keyword, path, self.place, value, detail)
                continue
            fitting = [index for index, options in allowed.items() if value[name] in options]
            if fitting:
                return fitting
            if every:
                known = Options([one for options in allowed.values() for one in options.values])
                return Violation(
                    self.keyword, (path, name), self.place, value[name], ("one", known)
                )
        return None

    def _all_require(self, name: str, among: list[int]) -> bool:
        schemas = (self.explainer.linked.at[self.nodes[index].pointer] for index in among)
        return all(type(one) is dict and name in one.get("required", ()) for one in schemas)

    def _mismatch(self, value: Any, path: Path, results: list[list[Violation]]) -> Violation:
        """Return one violation for a value that is wrong as a whole in every branch.

        Its detail is all that is allowed: types, values, and violations of what else is demanded
        (those of one branch together).
        """
        names: list[str] = []
        listed: list[Options] = []
        demands: list[tuple[Violation, ...]] = []
        for violations in results:
            other: list[Violation] = []
            for violation in violations:
                keyword, detail = violation.keyword, violation.detail
                if violation.path != path:
                    continue
                if keyword == "type":
                    names += [name for name in detail if name not in names]
                elif keyword in _VALUES:
                    listed.append(detail)
                elif _is_mismatch(violation):
                    names += [name for name in detail[1] if name not in names]
                    listed.append(detail[2])
                    demands += detail[3]
                elif keyword != "false" and _is_demand(violation):
                    other.append(violation)
            if other:
                demands.append(tuple(other))
        return Violation(
            self.keyword,
            path,
            self.place,
            value,
            ("mismatch", names, self._merged(listed), demands),
        )

    def _merged(self, listed: list[Options]) -> Options:
        """Return the values of all these options; made once, since one list may refuse many."""
        if len(listed) == 1:
            return listed[0]
        key = tuple(map(id, listed))
        known = self._unions.get(key)
        if known is None:
            values = [one for options in listed for one in options.values]
            known = self._unions[key] = (listed, Options(_distinct(values)))
        return known[1]

    def _discriminators(self) -> list[tuple[str, dict[int, Options]]]:
        """Members that tell branches apart: name → branch → values allowed there."""
        by_name: dict[str, dict[int, Options]] = {}
        for index, node in enumerate(self.nodes):
            for name, options in self._tags(node.pointer).items():
                by_name.setdefault(name, {})[index] = Options(options)
        result = []
        for name, allowed in by_name.items():
            if len(allowed) > 1 and len(set(allowed.values())) == len(allowed):
                result.append((name, allowed))
        return sorted(result, key=lambda pair: -len(pair[1]))

    def _tags(self, pointer: str) -> dict[str, list[Any]]:
        """Return the members of a branch that have `const` or `enum`: name → values."""
        linked = self.explainer.linked
        schema = linked.at[linked.target(pointer)]
        tags: dict[str, list[Any]] = {}
        if type(schema) is not dict:
            return tags
        pointer = linked.target(pointer)
        for index in range(len(schema.get("allOf", ()))):
            tags.update(self._tags(f"{pointer}/allOf/{index}"))
        if "if" in schema and schema.get("else") is False:
            tags.update(self._tags(f"{pointer}/if"))
        for name in schema.get("properties", ()):
            member = linked.at[linked.target(f"{pointer}/properties/{escape_token(name)}")]
            if type(member) is dict and "const" in member:
                tags[name] = [member["const"]]
            elif type(member) is dict and "enum" in member:
                tags[name] = member["enum"]
        return tags


def _chosen(violations: list[Violation], *, among: list[int]) -> list[Violation]:
    """Return the violations of the chosen branch: guesses, if there were others to choose."""
    return violations if len(among) == 1 else [p._replace(guessed=True) for p in violations]


def _knows_nothing(violations: list[Violation], value: Any, path: Path) -> bool:
    """Return whether a branch does not know any member of an object that has some."""
    if type(value) is not dict or not value:
        return False
    unknown = [one for one in violations if one.keyword == "additionalProperties"]
    return len([one for one in unknown if one.path[0] == path]) == len(value)


_KINDS = frozenset({"type", "false"})
_VALUES = frozenset({"const", "enum"})
_NUMBERS = frozenset({int, float})
_CONTAINERS = frozenset({dict, list})


def _at_value(violations: list[Violation], path: Path, keywords: frozenset[str]) -> bool:
    """Return whether the value as a whole violates one of these keywords."""
    return any(
        violation.path == path and (violation.keyword in keywords or _is_mismatch(violation))
        for violation in violations
    )


def _is_of_other_kind(violations: list[Violation], path: Path) -> bool:
    """Return whether a branch is for other values as a whole: of another type, or listed ones.

    A branch that lists values is not for an object or array that is none of them, for that may be
    right in part; nor for any other value if none of the listed ones is of its type.
    """
    for one in violations:
        keyword = one.keyword
        if one.path == path and (
            keyword in _KINDS
            or (keyword in _VALUES and not _lists_like(one.detail, one.value))
            or _is_mismatch(one)
        ):
            return True
    return False


def _lists_like(options: Options, value: Any) -> bool:
    """Return whether a value is no container, and of the type of one of the options."""
    if type(value) is str:
        return bool(options.texts)
    like = _NUMBERS if type(value) in _NUMBERS else {type(value)} - _CONTAINERS
    return any(type(one) in like for one in options.others)


def _missing_groups(results: list[list[Violation]], path: Path) -> list[list[str]]:
    """Return the members of which one group has to be added, if that is all that is wrong."""
    if len(results) < 2:
        return []
    groups: list[list[str]] = []
    for violations in results:
        if any(one.keyword != "required" or one.path != path or one.because for one in violations):
            return []
        groups.append([one.detail for one in violations])
    different = [*dict.fromkeys(map(tuple, groups))]
    sets = {frozenset(one) for one in different}
    shortest = min(map(len, sets))  # none of these contains another: often they are all
    least = [
        [*one]
        for one in different
        if len(one) == shortest or not any(map(frozenset(one).__gt__, sets))
    ]
    return least if len(least) > 1 else []


def _is_only_null(violations: list[Violation]) -> bool:
    """Return whether the branch is the one for null, beside others."""
    only = violations[0]
    return len(violations) == 1 and (
        (only.keyword == "type" and only.detail == ("null",))
        or (only.keyword in _VALUES and only.detail.values == [None])
    )


# `uniqueItems` is about containers alone, whose type is wrong then.
_DEMANDS = frozenset({*ASSERTIONS, "type", "enum", "const", "pattern", "format", "false"}) - {
    "uniqueItems"
}


def _is_demand(violation: Violation) -> bool:
    """Return whether a violation of a value that is no container is put in words with others."""
    return not violation.because and (violation.keyword in _DEMANDS or _is_mismatch(violation))


def _distinct(values: list[Any]) -> list[Any]:
    """Return JSON values less those that are equal to an earlier one."""
    return list({canonical(value): value for value in reversed(values)}.values())[::-1]


def _is_near(violations: list[Violation], path: Path) -> bool:
    """Return whether a misspelled value is all that is wrong."""
    if len(violations) != 1 or violations[0].path != path or violations[0].keyword not in _VALUES:
        return False
    value, options = violations[0].value, violations[0].detail
    return type(value) is str and options.best_match(value) is not None


def _is_mismatch(violation: Violation) -> bool:
    return violation.keyword in ("anyOf", "oneOf") and violation.detail[0] == "mismatch"


def _depth(violations: list[Violation]) -> int:
    paths = {id(violation.path): violation.path for violation in violations}
    return max(len(tokens(path)) for path in paths.values())
