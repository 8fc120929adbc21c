"""Two schemas that both apply, as one that means the same; only where that is exact.

Draft-07's keywords are independent of each other but for a few that look at their neighbours:
`additionalProperties` at `properties` and `patternProperties`, `additionalItems` at `items`,
`then` and `else` at `if`. Where such a neighbour would change, two schemas stay two.
"""

from __future__ import annotations

from typing import Any, Final

# What says nothing of validity: the first one is kept.
_ANNOTATIONS: Final = frozenset("$comment $schema default description examples title".split())
_MEMBERS: Final = frozenset("additionalProperties patternProperties properties".split())
_ITEMS: Final = frozenset("additionalItems items".split())
_CONDITION: Final = frozenset("else if then".split())
_GREATEST: Final = frozenset("exclusiveMinimum minItems minLength minProperties minimum".split())
_LEAST: Final = frozenset("exclusiveMaximum maxItems maxLength maxProperties maximum".split())


def merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any] | None:
    """The schema that says what both say, `first` in front; None if that takes two."""
    if "$ref" in first or "$ref" in second:
        return None
    if not (_apart(first, second, _ITEMS) and _apart(first, second, _CONDITION)):
        return None
    result = dict(first)
    if not _members(result, second):
        return None
    for keyword, value in second.items():
        if keyword in _MEMBERS:
            continue
        if keyword not in result:
            result[keyword] = value
        elif keyword == "allOf":
            result[keyword] = [*result[keyword], *value]
        elif keyword == "required":
            result[keyword] = list(dict.fromkeys([*result[keyword], *value]))
        elif keyword in _GREATEST:
            result[keyword] = max(result[keyword], value)
        elif keyword in _LEAST:
            result[keyword] = min(result[keyword], value)
        elif keyword not in _ANNOTATIONS and not _same(result[keyword], value):
            return None
    return result


def _apart(first: dict[str, Any], second: dict[str, Any], keywords: frozenset[str]) -> bool:
    """Whether at most one of the two has any of these keywords, or both the same."""
    one = {keyword: first[keyword] for keyword in keywords & first.keys()}
    other = {keyword: second[keyword] for keyword in keywords & second.keys()}
    return not one or not other or _same(one, other)


def _members(result: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether what `second` says of members could be put into `result`."""
    if _apart(result, second, _MEMBERS):
        result.update({keyword: second[keyword] for keyword in second if keyword in _MEMBERS})
        return True
    if any("additionalProperties" in schema for schema in (result, second)):
        return False
    for keyword in ("properties", "patternProperties"):
        one, other = result.get(keyword, {}), second.get(keyword, {})
        if not all(_same(one[name], other[name]) for name in one.keys() & other.keys()):
            return False
        if one or other:
            result[keyword] = {**one, **other}
    return True


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same: 1 and true are not."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if type(one) is list:
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
