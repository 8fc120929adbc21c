"""The checks: each keyword of draft-07 as a function of value, path and run.

Sections of the validation specification are named beside the groups. Alternatives
(`anyOf`, `oneOf`) and conditions have a file of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from widgetschema.findings import Finding
from widgetschema.jsontext.equality import Options
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.validation.engines.compiler import Compiler
from widgetschema.validation.engines.engine import FORMATS
from widgetschema.validation.explain import fixes, hints, sentences
from widgetschema.validation.explain.alternatives import any_of, conditional, negation, one_of
from widgetschema.validation.explain.containers import array_checks, object_checks
from widgetschema.validation.explain.walk import Problem
from widgetschema.validation.patterns import translate

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Check, Explainer, Path, Run

TYPES: Final[dict[str, tuple[type, ...]]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}
ALL_TYPES: Final = frozenset((type(None), bool, int, float, str, list, dict))
_ANNOTATIONS: Final = ANNOTATIONS | {"$id"}


def put_in_words(problem: Problem, explainer: Explainer, instance: Any) -> Finding:
    """A problem as a finding."""
    hint = hints.hint(problem, explainer, instance)
    fix = None if hint is None else fixes.fix(problem, explainer, instance)
    return sentences.finding(problem, hint, fix)


def accepted_types(schema: Any) -> frozenset[type]:
    """The Python types whose every value the schema accepts, seen at a glance."""
    if type(schema) is not dict:
        return ALL_TYPES if schema else frozenset()
    keywords = schema.keys() - _ANNOTATIONS
    if not keywords:
        return ALL_TYPES
    if keywords == {"type"}:
        return _types_of(schema["type"])
    if keywords == {"anyOf"}:
        return frozenset().union(*(accepted_types(branch) for branch in schema["anyOf"]))
    return frozenset()


def accepted_texts(schema: Any) -> frozenset[str]:
    """The strings that the schema accepts because it lists them."""
    if type(schema) is not dict or not schema.keys() - _ANNOTATIONS <= {"type", "enum", "const"}:
        return frozenset()
    if str not in _types_of(schema.get("type", "string")):
        return frozenset()
    lists = [schema[keyword] for keyword in ("enum",) if keyword in schema]
    lists += [[schema["const"]]] if "const" in schema else []
    texts = [{item for item in items if type(item) is str} for items in lists]
    return frozenset(set.intersection(*texts)) if texts else frozenset()


def _types_of(value: str | list[str]) -> frozenset[type]:
    names = [value] if type(value) is str else value
    return frozenset(kind for name in names for kind in TYPES[name])


def compile_checks(
    explainer: Explainer, pointer: str, schema: Any
) -> dict[type, tuple[Check, ...]]:
    """For each type of value, the checks of one schema, in the order they should run."""
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
        for kind in ALL_TYPES - _types_of(written):
            table[kind] = (mismatch,)
        if "integer" in names and "number" not in names:
            fraction = _fraction(f"{pointer}/type", names)
            table[float] = (fraction, *whole, *own[float], *inside)
    return table


def _false(pointer: str) -> Check:
    def check(value: Any, path: Path, run: Run) -> None:
        run.problems.append(Problem("false", path, pointer, value))

    return check


def _type_mismatch(place: str, names: tuple[str, ...]) -> Check:
    def check(value: Any, path: Path, run: Run) -> bool:
        run.problems.append(Problem("type", path, place, value, names))
        return True

    return check


def _fraction(place: str, names: tuple[str, ...]) -> Check:
    def check(value: float, path: Path, run: Run) -> bool:
        if value.is_integer():
            return False
        run.problems.append(Problem("type", path, place, value, names))
        return True

    return check


class _Checks(Compiler):
    """The checks of one schema object, by group."""

    # 6.1: any type

    def values(self) -> list[Check]:
        checks: list[Check] = []
        for keyword in ("const", "enum"):
            if keyword in self.schema:
                allowed = self.schema[keyword]
                options = allowed if keyword == "enum" else [allowed]
                checks.append(self._one_of_values(keyword, options))
        return checks

    def _one_of_values(self, keyword: str, options: list[Any]) -> Check:
        allowed, place = Options(options), self.place(keyword)

        def check(value: Any, path: Path, run: Run) -> bool:
            if value in allowed:
                return False
            run.problems.append(Problem(keyword, path, place, value, allowed))
            return True

        return check

    # 6.2: numbers

    def number(self) -> list[Check]:
        checks = [
            *self.simple("minimum", lambda value, limit: value < limit),
            *self.simple("maximum", lambda value, limit: value > limit),
            *self.simple("exclusiveMinimum", lambda value, limit: value <= limit),
            *self.simple("exclusiveMaximum", lambda value, limit: value >= limit),
        ]
        if "multipleOf" in self.schema:
            checks += self.engine("multipleOf", self.schema["multipleOf"])
        return checks

    # 6.3, 7, 8: strings

    def string(self) -> list[Check]:
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

        def check(value: str, path: Path, run: Run) -> None:
            if not leaf(value):
                decided = not engine.gave_up(common, value)
                run.problems.append(Problem("pattern", path, place, value, (pattern, decided)))

        return [check]

    def _content(self) -> list[Check]:
        names = [name for name in ("contentEncoding", "contentMediaType") if name in self.schema]
        schema = {name: self.schema[name] for name in names}
        leaf = self.explainer.engine.decider(schema, True)
        keyword, place = names[0], self.place(names[0])
        described = " and ".join(str(schema[name]) for name in names)

        def check(value: str, path: Path, run: Run) -> None:
            if not leaf(value):
                run.problems.append(Problem(keyword, path, place, value, described))

        return [check]

    # 6.6, 6.7: conditions and compositions

    def applicators(self) -> list[Check]:
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

        def check(value: Any, path: Path, run: Run) -> None:
            for node in nodes:
                if type(value) not in node.accepts:
                    run.push_once(node, value, path)

        return check
