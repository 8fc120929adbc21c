"""What to write instead: the one table of hints, and only where they are sure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from widgetschema.documents import preview
from widgetschema.findings import display_path
from widgetschema.validator.equality import Options
from widgetschema.validator.explain import Problem
from widgetschema.validator.patterns import translate
from widgetschema.validator.sentences import alternatives
from widgetschema.words import plain_form

if TYPE_CHECKING:
    from widgetschema.validator.explain import Explainer


def hint(problem: Problem, explainer: Explainer) -> str | None:
    """What to write instead, if that is sure."""
    hinter = HINTS.get(problem.keyword)
    return hinter(problem, explainer) if hinter else None


_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")


def _type_hint(problem: Problem, explainer: Explainer) -> str | None:
    value, names = problem.value, problem.detail
    if type(value) is str:
        text = value.strip()
        number = "number" in names or ("integer" in names and not re.search("[.eE]", text))
        if number and _NUMBER.match(text):
            return f"write {text[:80]}, not {preview(value)}"
        if "boolean" in names and text.lower() in ("true", "false"):
            return f"write {text.lower()}, not {preview(value)}"
        if "null" in names and text.lower() in ("null", "none"):
            return f"write null, not {preview(value)}"
    elif type(value) in (int, float) and "boolean" in names and value in (0, 1):
        return f"write {'true' if value else 'false'}, not {preview(value)}"
    elif type(value) in (int, float, bool) and names == ("string",):
        return f'write "{preview(value)}", not {preview(value)}'
    return None


def _enum_hint(problem: Problem, explainer: Explainer) -> str | None:
    return _value_hint(problem.value, problem.detail)


def _value_hint(value: Any, options: Options) -> str | None:
    if type(value) is not str:
        text = preview(value)
        return f'write "{text}", not {text}' if text in options.texts else None
    likely = options.meant(value)
    if likely is None:
        others = [one for one in options.values if type(one) is not str]
        spelled = [one for one in others if preview(one) == value.strip()]
        return f"write {value.strip()}, not {preview(value)}" if len(spelled) == 1 else None
    if value.strip() == likely:
        return f"write {preview(likely)}, without the surplus space"
    if value.casefold() == likely.casefold():
        return f"write {preview(likely)}: upper and lower case matter"
    if plain_form(value) == plain_form(likely):
        return f"write {preview(likely)}"
    return f"did you mean {preview(likely)}?"


def _alternatives_hint(problem: Problem, explainer: Explainer) -> str | None:
    detail = problem.detail
    if detail[0] == "one":
        return _value_hint(problem.value, detail[1])
    if detail[0] == "mismatch":
        hint = _value_hint(problem.value, detail[2])
        return hint or _type_hint(problem._replace(detail=tuple(detail[1])), explainer)
    return None


def _unknown_hint(problem: Problem, explainer: Explainer) -> str | None:
    name, likely, is_missing, sections = problem.detail
    if sections:
        places = alternatives([display_path(section) for section in sections[:3]])
        return f"{preview(name)} belongs in {places}"
    if likely is None:
        return None
    if is_missing:
        return f"rename it to {preview(likely)}, which is missing"
    if plain_form(likely) == plain_form(name):
        return f"write {preview(likely)}"
    return f"did you mean {preview(likely)}?"


def _text_hint(problem: Problem, explainer: Explainer) -> str | None:
    """For a string that would do without the space around it."""
    value, keyword = problem.value, problem.keyword
    candidates = [value.strip()]
    if keyword == "format" and problem.detail == "date-time":
        candidates.append(value.strip().replace(" ", "T", 1))
        candidates += [f"{candidate}Z" for candidate in candidates]
        candidates.append(f"{value.strip()}T00:00:00Z")
    if keyword == "format" and problem.detail in ("uri", "iri"):
        candidates.append(f"https://{value.strip()}" if "." in value and value[:1] != "/" else "")
    if keyword == "pattern":
        leaf = explainer.leaf("pattern", translate(problem.detail[0]))
    else:
        leaf = explainer.leaf("format", problem.detail)
    for candidate in candidates:
        if candidate and candidate != value and leaf(candidate):
            surplus = ", without the surplus space" if candidate == value.strip() else ""
            return f"write {preview(candidate)}{surplus}"
    return None


def _name_hint(problem: Problem, explainer: Explainer) -> str | None:
    return hint(problem.detail[0], explainer)


HINTS: Final[dict[str, Callable[[Problem, Explainer], str | None]]] = {
    "type": _type_hint,
    "enum": _enum_hint,
    "const": _enum_hint,
    "anyOf": _alternatives_hint,
    "oneOf": _alternatives_hint,
    "additionalProperties": _unknown_hint,
    "pattern": _text_hint,
    "format": _text_hint,
    "propertyNames": _name_hint,
}
