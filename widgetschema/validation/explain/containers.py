"""The checks of arrays and objects (validation specification, sections 6.4 and 6.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from widgetschema.findings import escape_token
from widgetschema.jsontext.equality import canonical
from widgetschema.suggest import Vocabulary
from widgetschema.validation.engines.compiler import Compiler
from widgetschema.validation.explain.walk import Problem
from widgetschema.validation.patterns import translate

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Check, Path, Run


def array_checks(compiler: Compiler) -> list[Check]:
    checks = [
        *compiler.simple("minItems", lambda value, limit: len(value) < limit),
        *compiler.simple("maxItems", lambda value, limit: len(value) > limit),
    ]
    if compiler.schema.get("uniqueItems") is True:
        checks.append(_unique(compiler))
    if "items" in compiler.schema:
        checks.append(
            _tuple(compiler) if type(compiler.schema["items"]) is list else _items(compiler)
        )
    if "contains" in compiler.schema:
        checks.append(_contains(compiler))
    return checks


def _items(compiler: Compiler) -> Check:
    node = compiler.node("items")
    accepts = node.accepts

    def check(value: list[Any], path: Path, run: Run) -> None:
        if accepts.issuperset(map(type, value)):
            return
        run.push_each(node, range(len(value)), value, path)

    return check


def _tuple(compiler: Compiler) -> Check:
    nodes = [compiler.node("items", index) for index in range(len(compiler.schema["items"]))]
    more = compiler.node("additionalItems") if "additionalItems" in compiler.schema else None
    closed = compiler.schema.get("additionalItems") is False
    place = compiler.place("additionalItems")

    def check(value: list[Any], path: Path, run: Run) -> None:
        for index, (node, item) in enumerate(zip(nodes, value, strict=False)):
            run.todo.append((node, item, (path, index)))
        if closed and len(value) > len(nodes):
            here = (path, len(nodes))
            detail = (len(nodes), len(value))
            run.problems.append(Problem("additionalItems", here, place, value[len(nodes)], detail))
        elif more is not None:
            run.push_each(more, range(len(nodes), len(value)), value, path)

    return check


def _unique(compiler: Compiler) -> Check:
    place = compiler.place("uniqueItems")

    def check(value: list[Any], path: Path, run: Run) -> None:
        first: dict[Any, int] = {}
        for index, item in enumerate(value):
            before = first.setdefault(canonical(item), index)
            if before != index:
                run.problems.append(Problem("uniqueItems", (path, index), place, item, before))
                if run.stops():
                    return

    return check


def _contains(compiler: Compiler) -> Check:
    node, place = compiler.node("contains"), compiler.place("contains")
    wanted = compiler.schema["contains"]

    def check(value: list[Any], path: Path, run: Run) -> None:
        for index, item in enumerate(value):
            if not run.walk(node, item, (path, index)):
                return
        run.problems.append(Problem("contains", path, place, value, wanted))

    return check


def object_checks(compiler: Compiler) -> list[Check]:
    checks = [
        *compiler.simple("minProperties", lambda value, limit: len(value) < limit),
        *compiler.simple("maxProperties", lambda value, limit: len(value) > limit),
    ]
    if compiler.schema.keys() & {
        "properties",
        "patternProperties",
        "additionalProperties",
        "required",
    }:
        checks.append(_members(compiler))
    if "dependencies" in compiler.schema:
        checks.append(_dependencies(compiler))
    if "propertyNames" in compiler.schema:
        checks.append(_names(compiler))
    return checks


def _members(compiler: Compiler) -> Check:
    names = compiler.schema.get("properties", ())
    nodes = {name: compiler.node("properties", name) for name in names}
    accepted = {name: node.accepts for name, node in nodes.items()}.get
    others = _other_members(compiler)
    strays = _Strays(compiler)
    required = strays.required

    def check(value: dict[str, Any], path: Path, run: Run) -> None:
        unknown: list[str] = []
        for name, item in value.items():
            accepts = accepted(name)
            if accepts is None:
                unknown.append(name)
            elif type(item) not in accepts:
                node = nodes[name]
                if type(item) is not str or item not in node.texts:
                    run.todo.append((node, item, (path, name)))
        if others is not None:
            unknown = others(value, unknown, path, run)
        if unknown or not required <= value.keys():
            strays.report(value, path, run, unknown)

    return check


def _other_members(
    compiler: Compiler,
) -> Callable[[dict[str, Any], list[str], Path, Run], list[str]] | None:
    """`patternProperties` and `additionalProperties`: which members are left over.

    None if all that `properties` does not name are left over.
    """
    patterns = []
    for pattern in compiler.schema.get("patternProperties", ()):
        matches = compiler.explainer.leaf("pattern", translate(pattern))
        patterns.append((matches, compiler.node("patternProperties", pattern)))
    additional = compiler.schema.get("additionalProperties", True)
    if not patterns and additional is False:
        return None
    more = compiler.node("additionalProperties") if type(additional) is dict else None

    def others(value: dict[str, Any], rest: list[str], path: Path, run: Run) -> list[str]:
        matched: set[str] = set()
        for matches, node in patterns:
            names = [name for name in value if matches(name)]
            if names:
                matched.update(names)
                run.push_each(node, names, value, path)
        rest = [name for name in rest if name not in matched]
        if additional is False:
            return rest
        if more is not None and rest:
            run.push_each(more, rest, value, path)
        return []

    return others


def _dependencies(compiler: Compiler) -> Check:
    place = compiler.place("dependencies")
    named = {
        name: needed
        for name, needed in compiler.schema["dependencies"].items()
        if type(needed) is list
    }
    nodes = {
        name: compiler.node("dependencies", name)
        for name in compiler.schema["dependencies"]
        if name not in named
    }

    def check(value: dict[str, Any], path: Path, run: Run) -> None:
        for name, needed in named.items():
            if name in value:
                for other in needed:
                    if other not in value:
                        here = f"{place}/{escape_token(name)}"
                        detail = (other, name)
                        run.problems.append(Problem("dependencies", path, here, value, detail))
        for name, node in nodes.items():
            if name in value:
                because = ("present", name)
                problems = run.walk(node, value, path)
                run.problems.extend(p._replace(because=p.because or because) for p in problems)

    return check


def _names(compiler: Compiler) -> Check:
    node, place = compiler.node("propertyNames"), compiler.place("propertyNames")

    def check(value: dict[str, Any], path: Path, run: Run) -> None:
        for name in value:
            problems = run.walk(node, name, ())
            if problems:
                detail = (problems[0], compiler.schema["propertyNames"])
                here = problems[0].place if problems[0].keyword != "false" else place
                run.problems.append(Problem("propertyNames", (path, name), here, name, detail))
                if run.stops():
                    return

    return check


class _Strays:
    """Unknown and missing members of one object; a misspelt one is one mistake, not two."""

    def __init__(self, compiler: Compiler) -> None:
        self.names: list[str] = list(dict.fromkeys(compiler.schema.get("required", ())))
        self.required = frozenset(self.names)
        self.unknown_place = compiler.place("additionalProperties")
        self.missing_place = compiler.place("required")
        self.vocabulary = Vocabulary(compiler.schema.get("properties", ()))

    def report(self, value: dict[str, Any], path: Path, run: Run, unknown: list[str]) -> None:
        missing = [name for name in self.names if name not in value]
        guesses = self.guesses(unknown, value, run)
        renamed = {
            name: likely
            for name, likely in guesses.items()
            if likely in missing and not run.explainer.sections(name)
        }
        for name in unknown:
            if run.stops():
                break
            detail = (name, guesses.get(name), name in renamed)
            run.problems.append(
                Problem(
                    "additionalProperties", (path, name), self.unknown_place, value[name], detail
                )
            )
        misspelt = {*renamed.values()}
        for name in missing:
            if name not in misspelt:
                run.problems.append(Problem("required", path, self.missing_place, value, name))

    def guesses(self, unknown: list[str], value: dict[str, Any], run: Run) -> dict[str, str]:
        """For unknown members the known one that each was meant to be, unless two are rivals."""
        claims: dict[str, list[str]] = {}
        for name in unknown:
            run.state.effort -= len(self.vocabulary)
            if run.state.effort <= 0:
                break
            likely = self.vocabulary.meant(name, value)
            if likely is not None:
                claims.setdefault(likely, []).append(name)
        return {names[0]: likely for likely, names in claims.items() if len(names) == 1}
