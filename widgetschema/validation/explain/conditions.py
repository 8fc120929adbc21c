"""`if`, `then`, `else`: what a condition requires, and how far the value shows the condition.

Draft-07 validation specification, section 6.6. `if` holds as well where members that it
describes are absent; such a condition is never told as if they were there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from widgetschema.jsontext.equality import Options
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.validation.explain.messages import sentence
from widgetschema.validation.explain.violations import Condition, Described, Violation

if TYPE_CHECKING:
    from widgetschema.validation.explain.violations import Path
    from widgetschema.validation.explain.walk import Check, Explainer, Walk


def conditional(explainer: Explainer, pointer: str, schema: dict[str, Any]) -> Check:
    """Return the check of `if`, `then`, `else`."""
    place = f"{pointer}/if"
    node = explainer.node(place)
    asked = explainer.linked.at[node.pointer]
    negated = explainer.node(f"{node.pointer}/not") if _is_negation(asked) else None
    shown = Described(explainer.linked.at[(negated or node).pointer])
    branches = {
        holds: explainer.node(f"{pointer}/{keyword}")
        for holds, keyword in ((True, "then"), (False, "else"))
        if keyword in schema
    }
    refused = {
        holds for holds, one in branches.items() if explainer.linked.at[one.pointer] is False
    }
    tested: list[str] | None = None
    only = [] if False in branches else _constants(explainer, node.pointer)

    def check(value: Any, path: Path, walk: Walk) -> None:
        nonlocal tested
        if type(value) is dict:
            for name, options in only:  # most often, this is the condition of another kind
                if name in value and value[name] not in options:
                    return
        against = walk.violations_of(node, value, path)
        branch = branches.get(not against)
        if against and False in refused:
            walk.gather(against)  # `else: false` requires what `if` asks for
            return
        if not against and True in refused and negated is not None:
            walk.gather(walk.violations_of(negated, value, path))  # what `not` excludes
            return
        violations = walk.violations_of(branch, value, path) if branch is not None else []
        if not violations:
            return
        is_met = bool(against) == (negated is not None)
        missing: tuple[str, ...] = ()
        outcome: tuple[str, ...] = ()
        if type(value) is dict:
            if tested is None:
                tested = tested_members(explainer, (negated or node).pointer)
            if negated is None and is_met:
                missing = tuple(name for name in tested if name not in value)
            elif all(one.keyword == "required" and one.path == path for one in against):
                missing = tuple(dict.fromkeys(one.detail for one in against))
            if is_met:
                outcome = tuple(name for name in tested if _is_scalar(value, name))
            else:
                unmet = against if negated is None else walk.violations_of(negated, value, path)
                outcome = _refused(value, path, unmet)
        evident = not is_met or _is_shown(shown.schema, value, missing)
        condition = Condition(shown, not against, path, place, missing, evident, is_met, outcome)
        if missing or outcome:
            walk.state.has_undecided = True
        if not against and True in refused:
            violations = [one._replace(detail=condition) for one in violations]
        other = branches.get(bool(against))
        always = [] if other is None else walk.violations_of(other, value, path)
        plain = [one for one in violations if not one.because]
        found = []
        for one in violations:
            if one.because and _is_said(explainer, one, plain):
                continue
            found.append(one if _is_said(explainer, one, always) else _because(one, condition))
        walk.gather(found)

    return check


def _is_said(explainer: Explainer, one: Violation, violations: list[Violation]) -> bool:
    """Return whether other violations say the same, be it under another condition."""
    say, what = explainer.say, (one.keyword, one.path)
    return any(
        (other.keyword, other.path) == what and sentence(other, say) == sentence(one, say)
        for other in violations
    )


def _constants(explainer: Explainer, pointer: str) -> list[tuple[str, Options]]:
    """Return members with `const` or `enum`, by which a value is known not to fit a schema."""
    linked = explainer.linked
    schema = linked.at[pointer]
    found: list[tuple[str, Options]] = []
    for name in schema.get("properties", ()) if type(schema) is dict else ():
        member = linked.at[linked.target(f"{pointer}/properties/{escape_token(name)}")]
        if type(member) is dict and member.keys() & {"const", "enum"}:
            found.append(
                (name, Options([member["const"]] if "const" in member else member["enum"]))
            )
    return found


def _because(violation: Violation, condition: Condition) -> Violation:
    """Return a violation under a condition; of several, an undecided one tells most."""
    if violation.because and not condition.missing:
        return violation
    return violation._replace(because=condition)


def _refused(value: dict[str, Any], path: Path, violations: list[Violation]) -> tuple[str, ...]:
    """Return the scalar members by which a condition does not hold; none if by others as well."""
    names: dict[str, None] = {}
    for one in violations:
        if not one.path or one.path[0] != path or not _is_scalar(value, one.path[1]):
            return ()
        names[one.path[1]] = None
    return tuple(names)


def _is_scalar(value: dict[str, Any], name: str) -> bool:
    """Return whether a member is there, and is no container: its own mistakes are cheap to find."""
    return name in value and type(value[name]) not in (dict, list)


def _is_negation(schema: Any) -> bool:
    return type(schema) is dict and schema.keys() == {"not"}


def tested_members(explainer: Explainer, pointer: str) -> list[str]:
    """Return the members for which a schema asks something; it may hold without them."""
    linked = explainer.linked
    names: dict[str, None] = {}
    todo, seen = [pointer], set()
    for one in todo:  # grows while it is gone through
        target = linked.target(one)
        schema = linked.at[target]
        if type(schema) is not dict or target in seen:
            continue
        seen.add(target)
        for name in schema.get("properties", ()):
            member = explainer.node(f"{target}/properties/{escape_token(name)}")
            if not member.accepts.issuperset(_ALL_TYPES):
                names[name] = None
        todo += [f"{target}/allOf/{index}" for index in range(len(schema.get("allOf", ())))]
    return list(names)


_ALL_TYPES: Final = frozenset((type(None), bool, int, float, str, list, dict))
_TYPES_OF: Final[dict[str | None, tuple[type, ...]]] = {
    None: tuple(_ALL_TYPES),
    "string": (str,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}


def _is_shown(schema: Any, value: Any, missing: tuple[str, ...] = ()) -> bool:
    """Return whether a value that a schema accepts shows what the schema describes.

    No keyword holds only because it asks nothing of a value of that type, and no member only
    because it is absent, except those that are named as missing.
    """
    if type(schema) is not dict:
        return True  # it asks nothing
    kind = type(value)
    for keyword, argument in schema.items():
        known = KEYWORDS.get(keyword)
        if known is None or known.category == "annotation":
            continue
        if kind not in _TYPES_OF[known.instance]:
            return False
        if keyword == "properties" and not all(
            _is_shown(member, value[name]) if name in value else name in missing
            for name, member in argument.items()
        ):
            return False
    return True
