"""What to write instead: the one table of hints, and only where they are sure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.schema.keywords import Texts
from widgetschema.suggest import plain_form
from widgetschema.validation.explain.violations import Violation, tokens
from widgetschema.validation.patterns import translate

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer


def hint(violation: Violation, explainer: Explainer, instance: Any = None) -> str | None:
    """Return what to write instead, if that is sure. `instance` is the whole."""
    if violation.keyword == "additionalProperties":
        return _unknown_hint(violation, explainer, instance)
    hinter = HINTS.get(violation.keyword)
    return hinter(violation, explainer) if hinter else None


_LONGEST_NUMBER: Final = 40
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")

_WORDS: Final = {"true": True, "false": False, "null": None, "none": None}


def _type_hint(violation: Violation, explainer: Explainer) -> str | None:
    """Return the same value in another type, if that would be valid."""
    value, names = violation.value, violation.detail
    candidates: list[Any] = []
    if type(value) is str:
        text = value.strip()
        if _NUMBER.match(text) and len(text) <= _LONGEST_NUMBER:
            candidates.append(int(text) if text.lstrip("-").isdigit() else float(text))
        elif text.lower() in _WORDS:
            candidates.append(_WORDS[text.lower()])
    elif type(value) in (int, float, bool):
        if "boolean" in names and value in (0, 1):
            candidates.append(bool(value))
        if names == ("string",):
            candidates.append(preview(value))
    schema = violation.place.rpartition("/")[0]
    for candidate in candidates:
        if candidate in (math.inf, -math.inf) or not explainer.fits(schema, candidate):
            continue
        is_number = type(value) is str and type(candidate) in (int, float)
        spelled = value.strip() if is_number else preview(candidate)  # as it is: 1e3, 0.10
        return explainer.say["hint.write-not"](value=spelled, wrong=preview(value))
    return None


def _enum_hint(violation: Violation, explainer: Explainer) -> str | None:
    return _value_hint(explainer.say, violation.value, violation.detail)


def _value_hint(say: Texts, value: Any, options: Options) -> str | None:
    if type(value) is not str:
        text = preview(value)
        if text not in options.texts:
            return None
        return say["hint.write-not"](value=f'"{text}"', wrong=text)
    likely = options.best_match(value)
    if likely is None:
        others = [one for one in options.values if type(one) is not str]
        text = value.strip().casefold()
        spelled = [one for one in map(preview, others) if one.casefold() == text]
        if len(spelled) != 1:
            return None
        return say["hint.write-not"](value=spelled[0], wrong=preview(value))
    if value.strip() == likely:
        id = "hint.space"
    elif value.casefold() == likely.casefold():
        id = "hint.case"
    else:
        id = "hint.write" if plain_form(value) == plain_form(likely) else "hint.meant"
    return say[id](value=preview(likely))


def _alternatives_hint(violation: Violation, explainer: Explainer) -> str | None:
    detail = violation.detail
    if detail[0] == "one":
        return _value_hint(explainer.say, violation.value, detail[1])
    if detail[0] == "several" and detail[2]:
        return explainer.say["hint.exclusive"]()
    if detail[0] == "mismatch":
        said = _value_hint(explainer.say, violation.value, detail[2])
        for demand in detail[3]:
            said = said or hint(demand[0], explainer)
        return said or _type_hint(violation._replace(detail=tuple(detail[1])), explainer)
    return None


def _unknown_hint(violation: Violation, explainer: Explainer, instance: Any) -> str | None:
    say = explainer.say
    name, likely, renames = violation.detail
    places = _known_places(violation, explainer, instance)
    if places:
        return say["hint.belongs"](name=preview(name), places=say["or"](items=places))
    if likely is None:
        return None
    if renames:
        return say["hint.rename"](name=preview(likely))
    id = "hint.write" if plain_form(likely) == plain_form(name) else "hint.meant"
    return say[id](value=preview(likely))


def _known_places(violation: Violation, explainer: Explainer, instance: Any) -> list[str]:
    """Return the objects of the instance where an unknown member would be known, and valid."""
    sections = explainer.sections(violation.detail[0])
    if not sections:
        return []
    around = tokens(violation.path)[:-1]
    if not all(type(token) is str for token in around):
        return []
    places: list[str] = []
    for path, member in sections[:20]:
        way = parse_pointer(path)
        home: Any = instance
        for token in way:
            home = home.get(token) if type(home) is dict else None
        if type(home) is not dict or violation.detail[0] in home or way == around:
            continue
        if display_pointer(path) not in places and explainer.fits(member, violation.value):
            places.append(display_pointer(path))
    return places[:3]


def _text_hint(violation: Violation, explainer: Explainer) -> str | None:
    """For a string that would do without the space around it."""
    value, keyword = violation.value, violation.keyword
    candidates = [value.strip()]
    if keyword == "pattern":
        candidates.append("".join(value.split()))
    if keyword == "format" and violation.detail == "date-time":
        candidates.append(value.strip().replace(" ", "T", 1))
    if keyword == "format" and violation.detail in ("uri", "iri") and value.startswith("www."):
        candidates.append(f"https://{value.strip()}")
    if keyword == "pattern":
        leaf = explainer.leaf("pattern", translate(violation.detail[0]))
    else:
        leaf = explainer.leaf("format", violation.detail)
    for candidate in candidates:
        if candidate and candidate != value and leaf(candidate):
            id = "hint.space" if candidate == value.strip() else "hint.write"
            return explainer.say[id](value=preview(candidate))
    if keyword == "format" and violation.detail == "date-time":
        return _incomplete_date_time(explainer.say, value.strip(), leaf)
    return None


def _incomplete_date_time(say: Texts, text: str, leaf: Callable[[str], bool]) -> str | None:
    for candidate in (f"{text}T00:00:00Z", f"{text.replace(' ', 'T', 1)}Z"):
        if leaf(candidate):
            return say["hint.date-time"](value=preview(candidate))
    return None


def _name_hint(violation: Violation, explainer: Explainer) -> str | None:
    return hint(violation.detail[0], explainer)


HINTS: Final[dict[str, Callable[[Violation, Explainer], str | None]]] = {
    "type": _type_hint,
    "enum": _enum_hint,
    "const": _enum_hint,
    "anyOf": _alternatives_hint,
    "oneOf": _alternatives_hint,
    "pattern": _text_hint,
    "format": _text_hint,
    "propertyNames": _name_hint,
}
