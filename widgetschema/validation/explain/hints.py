"""Hints at what to write instead: the one table. What is not sure is a question, or says "may".

A hint is a message with its parameters, and the one thing to write, if there is one: reports put
the message in words, forms make a button of the other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from urllib.parse import quote

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Fix
from widgetschema.jsontext import dump, preview, read
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import display_pointer, parse_pointer
from widgetschema.schema.keywords import Texts
from widgetschema.suggest import Vocabulary, plain_form
from widgetschema.validation.explain.violations import Condition, Violation, tokens
from widgetschema.validation.patterns import translate

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer


class Hint(NamedTuple):
    """A message with its parameters, and what to write, if it names one thing.

    `replaces` says what of the place is to be replaced by `value`, as in `Fix`; None for nothing
    certain. `raw` is the JSON text of the value, if it is spelled in a certain way. The name is
    that of another member of the object, if that is `of`.
    """

    id: str
    parameters: Mapping[str, str]
    replaces: Literal["value", "name"] | None = None
    value: Any = None
    raw: str | None = None
    of: str | None = None

    def text(self, say: Texts) -> str:
        """Return the hint in words."""
        return say[self.id](**self.parameters)

    @property
    def replacement(self) -> Fix | None:
        """The text to write, as a fix has it; it is not as certain as one."""
        if self.replaces is None:
            return None
        text = dump(self.value, indent=False) if self.raw is None else self.raw
        return Fix(self.replaces, text)


def _write(id: str, value: Any, raw: str | None = None, **parameters: str) -> Hint:
    """Return the hint to write a value; `raw` is its JSON text, if that is another one."""
    shown = preview(value) if raw is None else raw
    return Hint(id, {"value": shown, **parameters}, "value", value, raw)


def _rename(id: str, name: str) -> Hint:
    """Return the hint to give a member another name."""
    key = "name" if id == "hint.rename" else "value"
    return Hint(id, {key: preview(name)}, "name", name)


def hint(violation: Violation, explainer: Explainer, instance: Any = None) -> Hint | None:
    """Return what to write instead, if that is likely. `instance` is the whole."""
    if violation.keyword == "additionalProperties":
        return _unknown_hint(violation, explainer, instance)
    hinter = HINTS.get(violation.keyword)
    said = hinter(violation, explainer) if hinter else None
    because = violation.because
    if said is None and isinstance(because, Condition) and because.path == violation.path:
        for name in because.missing:
            said = said or _misspelling_hint(violation, explainer, name)
    return said


_LONGEST_NUMBER: Final = 40
_QUANTITY: Final = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)\s*[A-Za-z]{1,4}\Z")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")

_WORDS: Final = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
    **dict.fromkeys(("null", "none")),
}


def _type_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    """Return the same value in another type, if that would be valid."""
    value, names = violation.value, violation.detail
    candidates: list[Any] = []
    if type(value) is str:
        text = value.strip()
        if _NUMBER.match(text) and len(text) <= _LONGEST_NUMBER:
            candidates.append(int(text) if text.lstrip("-").isdigit() else float(text))
        elif text.lower() in _WORDS:
            candidates.append(_WORDS[text.lower()])
        elif quantity := _QUANTITY.match(text[:_LONGEST_NUMBER]):
            text = quantity[1]
            if _NUMBER.match(text):
                candidates.append(int(text) if text.lstrip("-").isdigit() else float(text))
    elif type(value) in (int, float, bool):
        if "boolean" in names and value in (0, 1):
            candidates.append(bool(value))
        if "string" in names and {"string", "null"}.issuperset(names):
            candidates.append(preview(value))
    schema = violation.place.rpartition("/")[0]
    for candidate in candidates:
        if candidate in (math.inf, -math.inf) or not explainer.fits(schema, candidate):
            continue
        is_number = type(value) is str and type(candidate) in (int, float)
        spelled = text if is_number else None  # as it is: 1e3, 0.10
        return _write("hint.write-not", candidate, spelled, wrong=preview(value))
    if type(value) is str and (kind := _kind_of_text(value)) in names:
        return Hint("hint.not-text", {"kind": str(kind)})
    if value == [] and "object" in names and explainer.fits(schema, {}):  # as PHP writes it
        return _write("hint.write-not", {}, wrong="[]")
    if "array" in names and value not in (None, {}) and explainer.fits(schema, [value]):
        return _write("hint.list", [value])
    if type(value) is list and len(value) == 1 and explainer.fits(schema, value[0]):
        return _write("hint.no-list", value[0])
    return None


def _kind_of_text(text: str) -> str | None:
    """Return which container a string is the JSON text of."""
    text = text.strip()
    kind = {"{}": "object", "[]": "array"}.get(f"{text[:1]}{text[-1:]}")
    if kind is None or len(text) > _LONGEST_TEXT:
        return None
    try:
        read(text)
    except UnreadableDocument:
        return None
    return kind


_LONGEST_TEXT: Final = 100_000  # characters of a string that is read as JSON


def _missing_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    detail = violation.detail
    if violation.keyword == "required":
        return _misspelling_hint(violation, explainer, detail)
    return _misspelling_hint(violation, explainer, detail[violation.keyword == "if"])


def _misspelling_hint(violation: Violation, explainer: Explainer, missing: str) -> Hint | None:
    """Return the member of an object that may be a misspelling of one that is missing."""
    members = violation.value
    if type(members) is not dict or len(members) > _MOST_MEMBERS:
        return None
    at, place = explainer.linked.at, violation.place.rpartition("/")[0]
    while place not in at:  # a list of schemas, or an object of them
        place = place.rpartition("/")[0]
    asked = at[place]
    if asked.get("additionalProperties") is False:
        return None  # unknown members are findings, with hints of their own
    known = asked.get("properties", ())
    likely = Vocabulary(name for name in members if name not in known).best_match(missing)
    if likely is None or explainer.sections(likely):
        return None
    rivals = [name for name in asked.get("required", ()) if name not in members]
    if rivals and Vocabulary([*rivals, missing]).best_match(likely) != missing:
        return None
    return Hint(
        "hint.misspelled",
        {"name": preview(likely), "meant": preview(missing)},
        "name",
        missing,
        of=likely,
    )


_MOST_MEMBERS: Final = 200  # in which a misspelling is looked for


def _enum_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    return _value_hint(violation.value, violation.detail)


def _value_hint(value: Any, options: Options) -> Hint | None:
    if type(value) is list and len(value) == 1 and value[0] in options:
        return _write("hint.no-list", value[0])
    if type(value) is not str:
        text = preview(value)
        if text not in options.texts:
            return None
        return _write("hint.write-not", text, wrong=text)
    likely = options.best_match(value)
    if likely is None:
        if options.others:
            text = value.strip().casefold()
            spelled = [one for one in options.others if preview(one).casefold() == text]
            if len(spelled) == 1:
                return _write("hint.write-not", spelled[0], wrong=preview(value))
        likely = options.abbreviated(value)
        return None if likely is None else _write("hint.meant", likely)
    if value.strip() == likely:
        id = "hint.space"
    elif value.casefold() == likely.casefold():
        id = "hint.case"
    else:
        id = "hint.write" if plain_form(value) == plain_form(likely) else "hint.meant"
    return _write(id, likely)


def _alternatives_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    detail = violation.detail
    if detail[0] == "one":
        return _value_hint(violation.value, detail[1])
    if detail[0] == "missing":
        return _misspelling_hint(violation, explainer, detail[1])
    if detail[0] == "required":
        names = dict.fromkeys(name for group in detail[1] for name in group)
        hints = (_misspelling_hint(violation, explainer, name) for name in names)
        return next((one for one in hints if one is not None), None)
    if detail[0] == "several" and detail[2]:
        return Hint("hint.exclusive", {})
    if detail[0] == "mismatch":
        said = _value_hint(violation.value, detail[2])
        for demand in detail[3]:
            said = said or hint(demand[0], explainer)
        return said or _type_hint(violation._replace(detail=tuple(detail[1])), explainer)
    return None


def _unknown_hint(violation: Violation, explainer: Explainer, instance: Any) -> Hint | None:
    name, likely, renames = violation.detail
    places = _known_places(violation, explainer, instance)
    if places:
        joined = explainer.say["or"](items=places)
        return Hint("hint.belongs", {"name": preview(name), "places": joined})
    if likely is None:
        return _abbreviation_hint(violation, explainer)
    if renames:
        return _rename("hint.rename", likely)
    return _rename("hint.write" if plain_form(likely) == plain_form(name) else "hint.meant", likely)


def _abbreviation_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    schema = explainer.linked.at[violation.place.rpartition("/")[0]]
    names = tuple(schema.get("properties", ()))
    if len(names) > _MOST_MEMBERS:
        return None
    likely = _vocabulary(names).abbreviated(violation.detail[0])
    return None if likely is None else _rename("hint.meant", likely)


@lru_cache(maxsize=64)
def _vocabulary(names: tuple[str, ...]) -> Vocabulary:
    return Vocabulary(names)


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


def _text_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    """Return a string in another spelling that the pattern or the format accepts."""
    value, keyword = violation.value, violation.keyword
    if keyword == "pattern" and not violation.detail[1]:
        return None  # matching it takes too long
    candidates = [value.strip()]
    if keyword == "pattern":
        candidates += ["".join(value.split()), value.lower(), value.upper()]
    day = _DAY.match(value.strip())
    if day and (keyword == "pattern" or violation.detail in ("date", "date-time")):
        year, month, date, rest = day.groups()
        candidates.append(f"{year}-{month:0>2}-{date:0>2}{rest}")
    if keyword == "format" and violation.detail == "date-time":
        candidates.append(candidates[-1].replace(" ", "T", 1))
    if keyword == "format" and violation.detail in ("uri", "iri") and _HOST.match(value.strip()):
        candidates.append(f"https://{value.strip()}")
    if keyword == "format" and violation.detail in ("uri", "uri-reference"):
        candidates.append(percent_encoded(value.strip()))
    if keyword == "pattern":
        leaf = explainer.leaf("pattern", translate(violation.detail[0]))
    else:
        leaf = explainer.leaf("format", violation.detail)
    for candidate in candidates:
        if candidate and candidate != value and leaf(candidate):
            id = "hint.space" if candidate == value.strip() else "hint.write"
            if candidate in (value.lower(), value.upper()):
                id = "hint.case"
            return _write(id, candidate)
    if keyword == "format" and violation.detail == "date-time":
        text = candidates[-2] if day else value.strip()
        return _incomplete_time("hint.date-time", text, leaf)
    if keyword == "format" and violation.detail == "time":
        return _incomplete_time("hint.time", value.strip(), leaf)
    return None


def percent_encoded(text: str) -> str:
    """Return a text with what a URI cannot have percent-encoded (RFC 3986, section 2.1)."""
    return quote(text, safe=_OF_URIS, errors="replace")


_OF_URIS: Final = "%:/?#[]@!$&'()*+,;=\\"  # with a backslash, which stands for a slash
_HOST: Final = re.compile(
    r"(www\.|[a-z0-9-]+\.(com|org|net|io|dev|app|de|eu|co|gov|edu)(?=[/:?#]|\Z))"
)
_DAY: Final = re.compile(r"([0-9]{4})[-./]([0-9]{1,2})[-./]([0-9]{1,2})(?![0-9])(.*)\Z")


def _incomplete_time(id: str, text: str, leaf: Callable[[str], bool]) -> Hint | None:
    joined = text.replace(" ", "T", 1)
    for candidate in (f"{joined}T00:00:00Z", f"{joined}Z", f"{joined}:00Z", joined.upper()):
        if leaf(candidate):
            return _write(id, candidate)
    return None


def _name_hint(violation: Violation, explainer: Explainer) -> Hint | None:
    inner: Violation = violation.detail[0]
    said = hint(inner, explainer)
    if said is None or inner.keyword == "type":  # a name is always a string
        return None
    if said.replaces is None:
        return said
    return said._replace(replaces="name") if type(said.value) is str else None


HINTS: Final[dict[str, Callable[[Violation, Explainer], Hint | None]]] = {
    "type": _type_hint,
    "enum": _enum_hint,
    "const": _enum_hint,
    "required": _missing_hint,
    "dependencies": _missing_hint,
    "if": _missing_hint,
    "anyOf": _alternatives_hint,
    "oneOf": _alternatives_hint,
    "pattern": _text_hint,
    "format": _text_hint,
    "propertyNames": _name_hint,
}
