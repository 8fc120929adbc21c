"""The checks: each keyword of draft-07 as a function of value, path and walk.

Sections of the validation specification are named beside the groups. Alternatives
(`anyOf`, `oneOf`) and conditions have a file of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from widgetschema.findings import Finding
from widgetschema.jsontext.decimals import multiples_of
from widgetschema.jsontext.equality import Options, canonical
from widgetschema.pointers import escape_token, indices_of, pointer_of
from widgetschema.schema.keywords import FORMATS
from widgetschema.suggest import Vocabulary
from widgetschema.validation.explain import fixes, hints, messages
from widgetschema.validation.explain.alternatives import any_of, negation, one_of
from widgetschema.validation.explain.conditions import conditional
from widgetschema.validation.explain.violations import Described, Violation
from widgetschema.validation.explain.walk import ALL_TYPES, types_of
from widgetschema.validation.patterns import translate

if TYPE_CHECKING:
    from widgetschema.validation.explain.violations import Path
    from widgetschema.validation.explain.walk import Check, Explainer, Node, Walk


# Of these keywords, what is said of a scalar depends on nothing but the scalar and the schema.
_ABOUT_THE_VALUE: Final = frozenset({"type", "enum", "const"})
_KNOWN_TYPES: Final = frozenset({int, bool, type(None)})
_LONGEST_KNOWN: Final = 100  # characters of a text that is remembered
_MOST_KNOWN: Final = 256  # so few stay in the caches of a processor


def finding_of(violation: Violation, explainer: Explainer, instance: Any) -> Finding:
    """Return a violation as a finding.

    One mistake is often made in many places, so its words are kept.
    """
    key = words_key(violation)
    if key is None:
        return _finding(violation, explainer, instance)
    known = explainer.known_findings
    detail, finding = known.get(key, (None, None))
    if finding is None or detail is not violation.detail:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        finding = _finding(violation, explainer, instance)
        known[key] = violation.detail, finding
        return finding
    return finding.with_path(pointer_of(violation.path), indices_of(violation.path))


def words_key(violation: Violation) -> tuple[Any, ...] | None:
    """Return all that its words depend on, besides the schema; None if that is too much."""
    keyword, _, place, value, _, because, guessed = violation
    if keyword not in _ABOUT_THE_VALUE or because:
        return None
    inside = value[0] if type(value) is list and len(value) == 1 else value
    kind = type(inside)
    if kind in _KNOWN_TYPES or (kind is str and len(inside) < _LONGEST_KNOWN):
        return place, kind, inside, inside is value, guessed
    return (place, kind, guessed) if kind in (list, dict) and not value else None


def _finding(violation: Violation, explainer: Explainer, instance: Any) -> Finding:
    hint = hint_of(violation, explainer, instance)
    fix = None if hint is None else fixes.fix(violation, explainer, instance)
    return messages.finding(violation, explainer.say, hint, fix)


def hint_of(violation: Violation, explainer: Explainer, instance: Any) -> str | None:
    """Return the text of the hint for a violation."""
    hint = hints.hint(violation, explainer, instance)
    return None if hint is None else hint.text(explainer.say)


def compile_checks(
    explainer: Explainer, pointer: str, schema: Any
) -> dict[type, tuple[Check, ...]]:
    """For each type of value, the checks of one schema, in the order they should walk."""
    if type(schema) is not dict:
        refuse = () if schema else (_false(pointer),)
        return dict.fromkeys(ALL_TYPES, refuse)
    compiler = _Checks(explainer, pointer, schema)
    own: dict[type, list[Check]] = {
        str: compiler.string(),
        int: compiler.number(),
        float: compiler.number(),
        list: array_checks(compiler),
        dict: object_checks(compiler),
    }
    # The value as a whole first: once that is wrong, its details are noise.
    whole = compiler.values()
    inside = compiler.applicators()
    table = {kind: (*whole, *own.get(kind, ()), *inside) for kind in ALL_TYPES}
    if "type" in schema:
        written = schema["type"]
        names = tuple(written) if type(written) is list else (written,)
        mismatch = _type_mismatch(f"{pointer}/type", names)
        for kind in ALL_TYPES - types_of(written):
            table[kind] = (mismatch,)
        if "integer" in names and "number" not in names:
            fraction = _fraction(f"{pointer}/type", names)
            table[float] = (fraction, *whole, *own[float], *inside)
    return table


def _false(pointer: str) -> Check:
    def check(value: Any, path: Path, walk: Walk) -> None:
        walk.violations.append(Violation("false", path, pointer, value))

    return check


def _type_mismatch(place: str, names: tuple[str, ...]) -> Check:
    def check(value: Any, path: Path, walk: Walk) -> bool:
        walk.violations.append(Violation("type", path, place, value, names))
        return True

    return check


def _fraction(place: str, names: tuple[str, ...]) -> Check:
    def check(value: float, path: Path, walk: Walk) -> bool:
        if value.is_integer():
            return False
        walk.violations.append(Violation("type", path, place, value, names))
        return True

    return check


class Compiler:
    """One schema object on its way to checks: its keywords, its place, its subschemas."""

    def __init__(self, explainer: Explainer, pointer: str, schema: dict[str, Any]) -> None:
        self.explainer = explainer
        self.pointer = pointer
        self.schema = schema

    def place(self, keyword: str) -> str:
        """Return the pointer of a keyword."""
        return f"{self.pointer}/{keyword}"

    def node(self, keyword: str, *tokens: Any) -> Node:
        """Return the node of a subschema."""
        path = "".join(f"/{escape_token(str(token))}" for token in (keyword, *tokens))
        return self.explainer.node(self.pointer + path)

    def simple(self, keyword: str, fails: Callable[[Any, Any], bool]) -> list[Check]:
        """Return a check of `fails(value, limit)`, if the schema has the keyword."""
        if keyword not in self.schema:
            return []
        limit, place = self.schema[keyword], self.place(keyword)

        def check(value: Any, path: Path, walk: Walk) -> None:
            if fails(value, limit):
                walk.violations.append(Violation(keyword, path, place, value, limit))

        return [check]

    def engine(self, keyword: str, argument: Any) -> list[Check]:
        """Return a check that the engine decides."""
        leaf, place = self.explainer.leaf(keyword, argument), self.place(keyword)
        limit = self.schema[keyword]

        def check(value: Any, path: Path, walk: Walk) -> None:
            if not leaf(value):
                walk.violations.append(Violation(keyword, path, place, value, limit))

        return [check]


class _Checks(Compiler):
    """The checks of one schema object, by group."""

    # 6.1: any type

    def values(self) -> list[Check]:
        """Return the checks of `const` and `enum`."""
        checks: list[Check] = []
        for keyword in ("const", "enum"):
            if keyword in self.schema:
                allowed = self.schema[keyword]
                options = allowed if keyword == "enum" else [allowed]
                checks.append(self._one_of_values(keyword, options))
        return checks

    def _one_of_values(self, keyword: str, options: list[Any]) -> Check:
        allowed, place = Options(options), self.place(keyword)

        def check(value: Any, path: Path, walk: Walk) -> bool:
            if value in allowed:
                return False
            walk.violations.append(Violation(keyword, path, place, value, allowed))
            return True

        return check

    # 6.2: numbers

    def number(self) -> list[Check]:
        """Return the checks of numbers."""
        return [
            *self.simple("minimum", lambda value, limit: value < limit),
            *self.simple("maximum", lambda value, limit: value > limit),
            *self.simple("exclusiveMinimum", lambda value, limit: value <= limit),
            *self.simple("exclusiveMaximum", lambda value, limit: value >= limit),
            *self.simple("multipleOf", lambda value, limit: not multiples_of(limit)(value)),
        ]

    # 6.3, 7, 8: strings

    def string(self) -> list[Check]:
        """Return the checks of strings."""
        checks = [
            *self.simple("minLength", lambda value, limit: len(value) < limit),
            *self.simple("maxLength", lambda value, limit: len(value) > limit),
        ]
        if "pattern" in self.schema:
            checks += self._pattern()
        if self.explainer.formats:
            if self.schema.get("format") in FORMATS:
                checks += self.engine("format", self.schema["format"])
            if "contentEncoding" in self.schema or "contentMediaType" in self.schema:
                checks += self._content()
        return checks

    def _pattern(self) -> list[Check]:
        place, pattern = self.place("pattern"), self.schema["pattern"]
        common = translate(pattern)
        leaf, engine = self.explainer.leaf("pattern", common), self.explainer.engine

        def check(value: str, path: Path, walk: Walk) -> None:
            if not leaf(value):
                decided = not engine.gave_up(common, value)
                walk.violations.append(Violation("pattern", path, place, value, (pattern, decided)))

        return [check]

    def _content(self) -> list[Check]:
        names = [name for name in ("contentEncoding", "contentMediaType") if name in self.schema]
        schema = {name: self.schema[name] for name in names}
        leaf = self.explainer.engine.decider(schema, True, within=True)
        keyword, place = names[0], self.place(names[0])
        described = " and ".join(str(schema[name]) for name in names)

        def check(value: str, path: Path, walk: Walk) -> None:
            if not leaf(value):
                walk.violations.append(Violation(keyword, path, place, value, described))

        return [check]

    # 6.6, 6.7: conditions and compositions

    def applicators(self) -> list[Check]:
        """Return the checks of conditions and compositions."""
        checks: list[Check] = []
        if "allOf" in self.schema:
            checks.append(self._all_of())
        if "anyOf" in self.schema:
            checks.append(any_of(self.explainer, self.pointer, self.schema["anyOf"]))
        if "oneOf" in self.schema:
            checks.append(one_of(self.explainer, self.pointer, self.schema["oneOf"]))
        if "not" in self.schema:
            checks.append(negation(self.explainer, self.pointer, self.schema["not"]))
        if "if" in self.schema and ("then" in self.schema or "else" in self.schema):
            checks.append(conditional(self.explainer, self.pointer, self.schema))
        return checks

    def _all_of(self) -> Check:
        nodes = [self.node("allOf", index) for index in range(len(self.schema["allOf"]))]
        nodes.reverse()  # what is put onto the work last is done first

        def check(value: Any, path: Path, walk: Walk) -> None:
            for node in nodes:
                if type(value) not in node.accepts and not node.is_valid(value):
                    walk.push_once(node, value, path)

        return check


def array_checks(compiler: Compiler) -> list[Check]:
    """Return the checks of arrays (section 6.4)."""
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

    def check(value: list[Any], path: Path, walk: Walk) -> None:
        if accepts.issuperset(map(type, value)):
            return
        walk.push_each(node, range(len(value)), value, path)

    return check


def _tuple(compiler: Compiler) -> Check:
    nodes = [compiler.node("items", index) for index in range(len(compiler.schema["items"]))]
    more = compiler.node("additionalItems") if "additionalItems" in compiler.schema else None
    closed = compiler.schema.get("additionalItems") is False
    place = compiler.place("additionalItems")

    def check(value: list[Any], path: Path, walk: Walk) -> None:
        for index, (node, item) in enumerate(zip(nodes, value, strict=False)):
            if type(item) not in node.accepts and not node.is_valid(item):
                walk.todo.append((node, item, (path, index)))
        if closed and len(value) > len(nodes):
            here = (path, len(nodes))
            detail = (len(nodes), len(value))
            walk.violations.append(
                Violation("additionalItems", here, place, value[len(nodes)], detail)
            )
        elif more is not None:
            walk.push_each(more, range(len(nodes), len(value)), value, path)

    return check


def _unique(compiler: Compiler) -> Check:
    place = compiler.place("uniqueItems")

    def check(value: list[Any], path: Path, walk: Walk) -> None:
        first: dict[Any, int] = {}
        for index, item in enumerate(value):
            before = first.setdefault(canonical(item), index)
            if before != index:
                walk.violations.append(Violation("uniqueItems", (path, index), place, item, before))
                if walk.stops():
                    return

    return check


def _contains(compiler: Compiler) -> Check:
    node, place = compiler.node("contains"), compiler.place("contains")
    wanted = Described(compiler.schema["contains"])

    def check(value: list[Any], path: Path, walk: Walk) -> None:
        for index, item in enumerate(value):
            if not walk.violations_of(node, item, (path, index)):
                return
        walk.violations.append(Violation("contains", path, place, value, wanted))

    return check


def object_checks(compiler: Compiler) -> list[Check]:
    """Return the checks of objects (section 6.5)."""
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
    member_errors = _MemberErrors(compiler)
    required = member_errors.required

    def check(value: dict[str, Any], path: Path, walk: Walk) -> None:
        unknown: list[str] = []
        for name, item in value.items():
            accepts = accepted(name)
            if accepts is None:
                unknown.append(name)
            elif type(item) not in accepts:
                node = nodes[name]
                if type(item) is str and item in node.texts:
                    continue
                if not node.is_valid(item):
                    walk.todo.append((node, item, (path, name)))
        if others is not None:
            unknown = others(value, unknown, path, walk)
        if unknown or not required <= value.keys():
            member_errors.report(value, path, walk, unknown)

    return check


def _other_members(
    compiler: Compiler,
) -> Callable[[dict[str, Any], list[str], Path, Walk], list[str]] | None:
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

    def others(value: dict[str, Any], rest: list[str], path: Path, walk: Walk) -> list[str]:
        matched: set[str] = set()
        for matches, node in patterns:
            names = [name for name in value if matches(name)]
            if names:
                matched.update(names)
                walk.push_each(node, names, value, path)
        rest = [name for name in rest if name not in matched]
        if additional is False:
            return rest
        if more is not None and rest:
            walk.push_each(more, rest, value, path)
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
    at = compiler.explainer.linked.at
    refused = {node.pointer for node in nodes.values() if at[node.pointer] is False}

    def check(value: dict[str, Any], path: Path, walk: Walk) -> None:
        for name, needed in named.items():
            if name in value:
                for other in needed:
                    if other not in value:
                        here = f"{place}/{escape_token(name)}"
                        detail = (other, name)
                        walk.violations.append(Violation("dependencies", path, here, value, detail))
        for name, node in nodes.items():
            if name in value:
                if node.pointer in refused:
                    item = (path, name)
                    walk.violations.append(Violation("false", item, node.pointer, value[name]))
                    continue
                because = ("present", name)
                violations = walk.violations_of(node, value, path)
                walk.gather([p._replace(because=p.because or because) for p in violations])

    return check


def _names(compiler: Compiler) -> Check:
    node, place = compiler.node("propertyNames"), compiler.place("propertyNames")

    def check(value: dict[str, Any], path: Path, walk: Walk) -> None:
        for name in value:
            violations = walk.violations_of(node, name, ())
            if violations:
                detail = (violations[0], compiler.schema["propertyNames"])
                here = violations[0].place if violations[0].keyword != "false" else place
                walk.violations.append(Violation("propertyNames", (path, name), here, name, detail))
                if walk.stops():
                    return

    return check


class _MemberErrors:
    """Unknown and missing members of one object; a misspelled one is one mistake, not two."""

    def __init__(self, compiler: Compiler) -> None:
        self.names: list[str] = list(dict.fromkeys(compiler.schema.get("required", ())))
        self.required = frozenset(self.names)
        self.unknown_place = compiler.place("additionalProperties")
        self.missing_place = compiler.place("required")
        self.vocabulary = Vocabulary(compiler.schema.get("properties", ()))

    def report(self, value: dict[str, Any], path: Path, walk: Walk, unknown: list[str]) -> None:
        """Report the unknown and missing members of an object."""
        missing = [name for name in self.names if name not in value]
        guesses = self.guesses(unknown, value, walk)
        renamed = {
            name: likely
            for name, likely in guesses.items()
            if likely in missing and not walk.explainer.sections(name)
        }
        for name in unknown:
            if walk.stops():
                break
            detail = (name, guesses.get(name), name in renamed)
            if name in guesses:
                walk.state.has_undecided = True
            walk.violations.append(
                Violation(
                    "additionalProperties", (path, name), self.unknown_place, value[name], detail
                )
            )
        misspelled = {*renamed.values()}
        for name in missing:
            if name not in misspelled:
                walk.violations.append(Violation("required", path, self.missing_place, value, name))

    def guesses(self, unknown: list[str], value: dict[str, Any], walk: Walk) -> dict[str, str]:
        """For unknown members the known one that each was meant to be, unless two are rivals."""
        claims: dict[str, list[str]] = {}
        for name in unknown:
            walk.state.effort -= len(self.vocabulary)
            if walk.state.effort <= 0:
                break
            likely = self.vocabulary.best_match(name, value)
            if likely is not None:
                claims.setdefault(likely, []).append(name)
        return {names[0]: likely for likely, names in claims.items() if len(names) == 1}
