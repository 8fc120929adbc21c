"""The fixes of violations: the one table, beside that of hints.

A hint is advice, and may be wrong. A safe fix may be written without anybody looking: it changes
how a value is written, where nothing else can have been meant and nothing is lost: a number or a
boolean in quotes where only that type fits, extra space, another case or other separators. An
unsafe fix picks the one word that is near. Nothing here deletes or moves anything, adds what is not
there, or turns what is no string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from widgetschema.findings import Fix
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import Options
from widgetschema.suggest import Vocabulary, applicability, distance, plain_form
from widgetschema.validation.explain.violations import Violation, tokens

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer

# Up to 15 significant digits survive every reader of JSON (IEEE 754 double precision).
_MOST_DIGITS: Final = 15
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE][+-]?[0-9]{1,2})?\Z")
_NUMBERS: Final = frozenset({"integer", "number"})
_IN_A_BRANCH: Final = re.compile(r"/(?:anyOf|oneOf)/[0-9]+/(?:enum|const)\Z")
_MOST_SIBLINGS: Final = 64
_LONGEST_NAME: Final = 200


def fix(violation: Violation, explainer: Explainer, instance: Any) -> Fix | None:
    """Return the fix of a violation that has a hint; `instance` is the whole."""
    if violation.guessed:
        return None  # another alternative may have been meant
    if violation.keyword == "additionalProperties":
        return _unknown_fix(violation, explainer)
    if violation.keyword == "propertyNames":
        return _name_fix(violation, explainer, instance)
    fix_function = FIXES.get(violation.keyword)
    text = (
        fix_function(violation, explainer)
        if fix_function and type(violation.value) is str
        else None
    )
    return None if text is None else _value_fix(violation.value, text)


def _value_fix(value: str, text: str) -> Fix:
    """Return the fix that writes the JSON `text` in place of a string."""
    if not text.startswith('"'):
        return Fix("value", text)
    return Fix("value", text, applicability(value, json.loads(text)))


def _type_fix(violation: Violation, explainer: Explainer) -> str | None:
    return _unquoted(violation.value, violation.detail)  # that it fits, the hint says


def _unquoted(value: str, names: Iterable[str]) -> str | None:
    """Return the quoted text as JSON, as it is spelled, if only its type is allowed."""
    wanted = [name for name in names if name != "null"]
    if not wanted:
        return None
    if _NUMBERS.issuperset(wanted):
        number = _NUMBER.match(value.strip())
        if number is None:
            return None
        whole, fraction = number.groups()
        digits = len(whole) if fraction is None else len((whole + fraction).lstrip("0"))
        return number[0] if digits <= _MOST_DIGITS else None
    text = value.strip().lower()
    return text if wanted == ["boolean"] and text in ("true", "false") else None


def _options_fix(violation: Violation, explainer: Explainer) -> str | None:
    value = violation.value
    if _IN_A_BRANCH.search(violation.place) and (
        _unquoted(value, ["number"]) or _unquoted(value, ["boolean"])
    ):
        return None  # another branch may take it without the quotes
    return _option(violation.value, violation.detail)


def _option(value: str, options: Options) -> str | None:
    """Return the allowed value that a string must have been."""
    if not options.others or not _spells(value, options.others):
        meant = options.certain_match(value)
        return None if meant is None else _quoted(meant)
    if options.texts:
        return None
    return _unquoted(value, {_name_of(one) for one in options.others})


def _spells(text: str, values: list[Any]) -> bool:
    """Return whether a string looks like one of the values."""
    text = text.strip().casefold()
    return any(preview(value).casefold() == text for value in values)


def _name_of(value: Any) -> str:
    if value is None:
        return "null"
    if type(value) in (int, float):
        return "number"
    return "boolean" if type(value) is bool else "other"


def _alternatives_fix(violation: Violation, explainer: Explainer) -> str | None:
    """For a value that fits none of some types and values."""
    value, detail = violation.value, violation.detail
    if detail[0] == "one":
        return _option(value, detail[1])
    if detail[0] != "mismatch":
        return None
    _, names, options, demands = detail
    if demands:
        numbers = any(_unquoted(value, [name]) for name in names)
        return None if numbers or options.values else _trimmed(violation, explainer)
    if not options.values:
        text = _unquoted(value, names)
    elif any(_unquoted(value, [name]) for name in names):
        text = None  # `"True"` may be the string or the boolean
    else:
        text = _option(value, options)
    return text if text is not None and _fits(violation, explainer, json.loads(text)) else None


def _trimmed(violation: Violation, explainer: Explainer) -> str | None:
    """Return a string without the space around it, if nothing else is wrong with it."""
    value, detail = violation.value, violation.detail
    if violation.keyword == "pattern" and not detail[1]:
        return None  # it is not known whether it matches
    if violation.keyword == "format" and detail == "regex":
        return None  # space has a meaning there
    text = value.strip()
    if not text or text == value or not _fits(violation, explainer, text):
        return None
    return _quoted(text)


def _unknown_fix(violation: Violation, explainer: Explainer) -> Fix | None:
    """Return the name of an unknown, misspelled member. The check has ruled out rivals."""
    name, likely, _ = violation.detail
    if likely is None or explainer.sections(name):
        return None  # known elsewhere: it may be in the wrong place
    schema = explainer.linked.at[violation.place.rpartition("/")[0]]
    if not _is_certain(tuple(schema.get("properties", ())), name, likely):
        return None
    if "patternProperties" in schema and plain_form(name) != plain_form(likely):
        return None  # names that cannot be listed may be near, too
    return Fix("name", _quoted(likely), applicability(name, likely))


def _is_certain(names: tuple[str, ...], name: str, likely: str) -> bool:
    return len(name) <= _LONGEST_NAME and _looked_up(names, name, likely)


@lru_cache(maxsize=256)  # one slip is often made in many items, and in many files
def _looked_up(names: tuple[str, ...], name: str, likely: str) -> bool:
    return Vocabulary(names).is_certain(name, likely)


def _name_fix(violation: Violation, explainer: Explainer, instance: Any) -> Fix | None:
    """Return the correct name of a member that `propertyNames` refuses."""
    inner: Violation = violation.detail[0]
    repaired = fix(inner, explainer, violation.value)
    members = instance
    for token in tokens(violation.path)[:-1]:
        members = members[token]
    if repaired is None or len(members) > _MOST_SIBLINGS or explainer.sections(violation.value):
        return None
    name = json.loads(repaired.text)
    if type(name) is not str or name in members:
        return None
    allowed = inner.detail if isinstance(inner.detail, Options) else None
    others = (one for one in members if one != violation.value)
    if any(_claims(one, name, allowed) for one in others):
        return None
    return Fix("name", repaired.text, repaired.applicability)


def _claims(other: str, name: str, allowed: Options | None) -> bool:
    """Return whether another member may have been meant to have this name."""
    if plain_form(other) == plain_form(name):
        return True
    return allowed is not None and other not in allowed and distance(other, name, 2) <= 2


def _fits(violation: Violation, explainer: Explainer, value: Any) -> bool:
    """Return whether the schema that refused a value accepts another one."""
    return explainer.fits(violation.place.rpartition("/")[0], value)


def _quoted(text: str) -> str:
    """Return a string as JSON text, with invisible characters escaped."""
    if text.isprintable():
        return json.dumps(text) if '"' in text or "\\" in text else f'"{text}"'
    return json.dumps(text)


FIXES: Final[dict[str, Callable[[Violation, Explainer], str | None]]] = {
    "type": _type_fix,
    "enum": _options_fix,
    "const": _options_fix,
    "anyOf": _alternatives_fix,
    "oneOf": _alternatives_fix,
    "pattern": _trimmed,
    "format": _trimmed,
}
