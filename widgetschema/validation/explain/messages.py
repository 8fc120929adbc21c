"""Violations in words: which message a violation has, with which parameters.

This module decides what is said, the keyword registry how: `say[id](...)` is the text of a message
in the register of `say`. The library, the command, CI and forms show the same text. `hints` says
what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Literal, Protocol

from widgetschema.findings import Finding, Fix, make_finding
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import display_pointer, indices_of, pattern_of, pointer_of
from widgetschema.schema.keywords import FORMATS, KEYWORDS, Texts
from widgetschema.validation.explain.violations import Condition, Described, Violation
from widgetschema.validation.patterns import pattern_fault

_MOST_VALUES: Final = 12
_UNSAID: Final = ("title", "description", "$comment", "default", "examples")


def finding(violation: Violation, say: Texts, hint: str | None, fix: Fix | None = None) -> Finding:
    """Return the finding of a violation, with the texts of `say`."""
    path = violation.path
    return make_finding(
        violation.keyword,
        pointer_of(path),
        schema_path(violation),
        message(violation, say),
        hint,
        None,
        None,
        expected(violation),
        fix,
        indices_of(path),
    )


def schema_path(violation: Violation) -> str:
    """Return the pointer of the keyword; empty if that is in no schema."""
    return violation.place if violation.place[:1] == "/" else ""


def expected(violation: Violation) -> Any:
    """Return the JSON value that the keyword asks for."""
    made = EXPECTED.get(violation.keyword)
    return made(violation.detail) if made else violation.detail


def message(violation: Violation, say: Texts) -> str:
    """Return the message of a violation, with the reason for the requirement."""
    text, because = sentence(violation, say), violation.because
    if because and because is not violation.detail:
        return _with_reason(say, text, because, violation.path)
    return text


def sentence(violation: Violation, say: Texts) -> str:
    """Return what is wrong, without the reason why it is required."""
    return MESSAGES[violation.keyword](say, violation.value, violation.detail, preview)


def general_message(violation: Violation, say: Texts) -> tuple[str, str | None]:
    """Return the message of a violation less what depends on the value, and the value in words.

    The value is None if the message does not show it. Violations of one keyword, at places that
    have one pattern, are the same mistake if their general messages are the same.
    """
    keyword, path, _, value, detail, because, _ = violation
    shown: str | None = None

    def show(value: Any, limit: int = 80) -> str:
        nonlocal shown
        shown = preview(value, limit)
        return say["general.value"]()

    message = (_GENERAL.get(keyword) or MESSAGES[keyword])(say, value, detail, show)
    if because and because is not detail:
        message = _with_reason(say, message, because, path, pattern_of)
    return message, shown


def is_general(violation: Violation) -> bool:
    """Return whether a message is the general one, provided that this shows no value."""
    because = violation.because
    return violation.keyword not in _GENERAL and (not because or because is violation.detail)


_TYPES: Final = {
    type(None): "type.is-null",
    bool: "type.is-boolean",
    str: "type.is-string",
    list: "type.is-array",
    dict: "type.is-object",
}


def _type_of(say: Texts, value: Any) -> str:
    """Return the JSON type of a value, with its article."""
    return say[_TYPES.get(type(value), "type.is-number")]()


@cache
def _types(say: Texts, names: tuple[str, ...]) -> str:
    return say["or"](items=[say[f"type.is-{name}"]() for name in names])


def _values(say: Texts, values: Sequence[Any]) -> str:
    shown = say["list"](items=[preview(value, 40) for value in values[:_MOST_VALUES]])
    more = len(values) - _MOST_VALUES
    return shown if more <= 0 else say["list.more"](items=shown, number=more)


def _allowed(say: Texts, options: Options) -> str:
    return options.text(lambda values: _values(say, values))


def _count(say: Texts, number: int, unit: str) -> str:
    return say[f"count.{unit}"](number=number)


# What a simple schema asks for: as the rest of a sentence after "must" (a demand), or after the
# name of what has it (a clause). `Words` are a verb phrase (false), or what follows after "be".

Words = tuple[str, bool]
Form = Literal["demand", "clause"]


def demand(say: Texts, schema: Any) -> str | None:
    """Return a simple schema in words, `be a string`, or None."""
    words = _words(say, schema, "demand")
    return None if words is None else _verb(say, words, "demand")


def _verb(say: Texts, words: Words, form: Form) -> str:
    return say[f"be.{form}"](what=words[0]) if words[1] else words[0]


def _words(say: Texts, schema: Any, form: Form) -> Words | None:
    if type(schema) is not dict:
        return None
    said: list[Words | None] = []
    for keyword, argument in schema.items():
        if keyword in _UNSAID:
            continue
        if keyword == "properties":
            said += [_member_words(say, name, item, form) for name, item in argument.items()]
            continue
        if keyword == "required" and argument and set(argument) <= {*schema.get("properties", {})}:
            continue
        words = _WORDS.get(keyword)
        said.append(words(say, argument, form) if words else None)
    found = [one for one in said if one is not None]
    if not found or len(found) < len(said):
        return None
    first, *others = found
    text = say["and"](items=[first[0], *(_verb(say, one, form) for one in others)])
    return text, first[1]


def _member_words(say: Texts, name: str, schema: Any, form: Form) -> Words | None:
    words = _words(say, schema, form)
    if words is None:
        return None
    shown = preview(name, 40)
    if words[1]:
        return say[f"properties.{form}-be"](name=shown, what=words[0]), False
    return say[f"properties.{form}"](name=shown, rest=words[0]), False


def _names_words(say: Texts, names: list[str], form: Form) -> Words | None:
    if not names:
        return None
    shown = say["and"](items=[preview(name, 40) for name in names])
    return say[f"required.{form}"](number=len(names), names=shown), False


def _limit_words(keyword: str) -> Callable[[Texts, Any, Form], Words]:
    unit = KEYWORDS[keyword].unit
    if unit is not None:
        return lambda say, limit, form: (
            say[f"{keyword}.{form}"](size=_count(say, int(limit), unit)),
            False,
        )
    return lambda say, limit, form: (say[f"{keyword}.demand"](limit=preview(limit)), True)


def _enum_words(say: Texts, values: list[Any]) -> str:
    """Return all values, or how many there are: what is said of a condition has to be true."""
    if len(values) <= _MOST_WORDS:
        return say["or"](items=[preview(value, 40) for value in values])
    shown = say["list"](items=[preview(value, 40) for value in values[:_MOST_WORDS]])
    more = say["list.more"](items=shown, number=len(values) - _MOST_WORDS)
    return say["be.one-of"](values=more)


_MOST_WORDS: Final = 6
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SIZES: Final = tuple(code for code, one in KEYWORDS.items() if one.unit is not None)
_WORDS: Final[dict[str, Callable[[Texts, Any, Form], Words | None]]] = {
    "type": lambda say, names, _: (
        _types(say, tuple(names) if type(names) is list else (names,)),
        True,
    ),
    "const": lambda say, value, _: (preview(value, 40), True),
    "enum": lambda say, values, _: (_enum_words(say, values), True),
    "required": _names_words,
    "pattern": lambda say, pattern, form: (
        say[f"pattern.{form}"](pattern=_pattern(pattern)),
        False,
    ),
    "format": lambda say, name, _: (_format(say, name), True),
    **{keyword: _limit_words(keyword) for keyword in (*_BOUNDS, *_SIZES)},
}


def _pattern(pattern: str) -> str:
    return preview(pattern)[1:-1].replace("\\\\", "\\")


def _format(say: Texts, name: Any) -> str:
    known = type(name) is str and name in FORMATS
    return say[f"format.is-{name}"]() if known else say["format.is-other"](name=name)


# Why a schema applies.


def _with_reason(
    say: Texts,
    sentence: str,
    because: Condition | tuple[Any, ...],
    path: Any,
    written: Callable[[Any], str] = pointer_of,
) -> str:
    """Return a sentence with its reason; paths are `written` as pointers, or as patterns."""
    if isinstance(because, Condition):
        return _with_condition(say, sentence, because, path, written)
    if because[0] == "present":
        return say["because.present"](sentence=sentence, name=preview(because[1], 40))
    title = _title(say, because[1])
    return say["because.nearest"](sentence=sentence, title=title, number=because[2])


def _with_condition(
    say: Texts, sentence: str, because: Condition, path: Any, written: Callable[[Any], str]
) -> str:
    condition = _condition_clause(say, because, path)
    if condition is not None:
        id = "because.when" if because.is_met else "because.unless"
        return say[id](sentence=sentence, condition=condition)
    id = "because.if" if because.holds else "because.else"
    if because.path == path:
        return say[id](sentence=sentence)
    return say[f"{id}-of"](sentence=sentence, place=display_pointer(written(because.path)))


def _condition_clause(say: Texts, condition: Condition, path: Any) -> str | None:
    """Return what a condition asks for as a clause, as far as the value shows it, or None."""
    if not condition.evident:
        return None
    if condition.missing and condition.holds:
        return _condition(say, condition.schema.schema, condition.missing)
    clause = condition.schema.words(say, _condition)
    if clause is None and condition.path == path:
        words = _words(say, condition.schema.schema, "clause")
        if words is not None:
            return say["condition.value"](clause=_verb(say, words, "clause"))
    return clause


def _condition(say: Texts, schema: Any, missing: Sequence[str] = ()) -> str | None:
    """Return what an `if` asks for as a clause, `"kind" is "video"`, or None.

    The members named as missing are told as such: `"kind" is missing or "video"`.
    """
    if type(schema) is not dict or not schema.keys() <= {"properties", "required", "type"}:
        return None
    clauses: list[str] = []
    needed = dict.fromkeys(schema.get("required", ()))
    for name, item in schema.get("properties", {}).items():
        if (item is True or item == {}) and name in needed:
            continue
        words = _words(say, item, "clause")
        if words is None:
            return None
        needed.pop(name, None)
        shown, clause = preview(name, 40), _verb(say, words, "clause")
        if name not in missing:
            clauses.append(say["condition.member"](name=shown, clause=clause))
        elif words[1]:
            clauses.append(say["condition.is-or-missing"](name=shown, what=words[0]))
        else:
            clauses.append(say["condition.member-or-missing"](name=shown, clause=clause))
    clauses += [say["condition.present"](name=preview(name, 40)) for name in needed]
    return say["and"](items=clauses) if clauses else None


def _title(say: Texts, title: str | int) -> str:
    """Return what a branch is called: by its title or name, or by its index."""
    if isinstance(title, int):
        return say["alternative.number"](number=title + 1)
    return say["alternative.title"](title=title)


# The messages: what a finding says, by keyword, from the offending value and the detail. The value
# itself is shown by `show`, unless nothing but its size or its name is said.


class Show(Protocol):
    """Puts a value in words, of at most `limit` characters; by default `preview`."""

    def __call__(self, value: Any, limit: int = 80) -> str:
        """Return the value in words."""


# Puts a violation of one keyword in words, from its value and its detail.
Message = Callable[[Texts, Any, Any, Show], str]


def _type_message(say: Texts, value: Any, names: tuple[str, ...], show: Show) -> str:
    if type(value) is float and "integer" in names:
        return say["type.fraction"](value=show(value), types=_types(say, names))
    if value is None:
        return say["type.null"](value=show(value), types=_types(say, names))
    before, after = _around_value(say, _TYPES.get(type(value), "type.is-number"), names)
    return f"{before}{show(value)}{after}"


@cache
def _around_value(say: Texts, kind: str, names: tuple[str, ...]) -> tuple[str, str]:
    """Return the text before and after the value in the commonest of all messages."""
    text = say["type"](value="\0", type=say[kind](), types=_types(say, names))
    before, _, after = text.partition("\0")
    return before, after


def _enum_message(say: Texts, value: Any, options: Options, show: Show) -> str:
    id = "enum.one" if len(options.values) == 1 else "enum"
    return say[id](value=show(value), values=_allowed(say, options))


def _alternatives_message(say: Texts, value: Any, detail: tuple[Any, ...], show: Show) -> str:
    if detail[0] == "several":
        matching = say["and"](items=[_title(say, title) for title in detail[1]])
        if not detail[2]:
            return say["alternatives.several"](matching=matching)
        members = say["and"](items=[preview(name, 40) for name in detail[2]])
        id = (
            "alternatives.exclusive"
            if int in map(type, detail[1])
            else "alternatives.exclusive-titles"
        )
        return say[id](members=members, matching=matching)
    if detail[0] == "required":
        groups = [say["and"](items=[preview(one, 40) for one in names]) for names in detail[1]]
        if len(groups) > _MOST_WORDS:
            more = say["alternatives.others"](number=len(groups) - _MOST_WORDS)
            groups = [*groups[:_MOST_WORDS], more]
        if all(len(names) == 1 for names in detail[1]):
            return say["required"](name=say["or"](items=groups))
        return say["alternatives.required"](groups=say["or-each-of"](items=groups))
    if detail[0] == "one":
        return _enum_message(say, value, detail[1], show)
    if detail[0] == "missing":
        values = _allowed(say, detail[2])
        return say["alternatives.missing"](name=preview(detail[1]), values=values)
    _, names, options, demands = detail
    if demands:
        return say["alternatives.demands"](
            value=show(value), demands=_demands(say, names, options, demands)
        )
    if not names and not options.values:
        return say["alternatives.none"](value=show(value))
    if not names:
        return _enum_message(say, value, options, show)
    types = _types(say, tuple(names))
    if options.values:
        id = "alternatives.types" if len(options.values) == 1 else "alternatives.types-or-one"
        types = say[id](types=types, values=_allowed(say, options))
    if value is None:
        return say["type.null"](value=show(value), types=types)
    if any(type(option) is type(value) for option in options.values):
        return say["enum.one"](value=show(value), values=types)
    return say["type"](value=show(value), type=_type_of(say, value), types=types)


def _false_message(say: Texts, value: Any, condition: Condition | None, show: Show) -> str:
    if condition is None:
        return say["false"]()
    clause = _condition_clause(say, condition, condition.path)
    return say["false.if"]() if clause is None else say["false.when"](condition=clause)


def _demands(
    say: Texts, names: list[str], options: Options, demands: list[tuple[Violation, ...]]
) -> str:
    """Return all that alternatives allow, as the rest of a sentence after "must"."""
    said = [say["be.demand"](what=_types(say, (name,))) for name in names]
    phrases = dict.fromkeys(
        say["and"](items=[_violated_demand(say, one) for one in together]) for together in demands
    )
    said += [*phrases][:_MOST_DEMANDS]
    if len(phrases) > _MOST_DEMANDS:
        said.append(say["alternatives.more"](number=len(phrases) - _MOST_DEMANDS))
    if options.values:
        id = "be.demand" if len(options.values) == 1 else "alternatives.be-one-of"
        said.append(say[id](what=_allowed(say, options)))
    return say["or"](items=said)


_MOST_DEMANDS: Final = 4


def _violated_demand(say: Texts, violation: Violation) -> str:
    """Return what the keyword of a violation demands, as the rest of a sentence after "must"."""
    keyword, detail = violation.keyword, violation.detail
    words = _WORDS[keyword](say, detail[0] if keyword == "pattern" else detail, "demand")
    return _verb(say, words, "demand") if words is not None else keyword


def _pattern_message(say: Texts, value: str, detail: tuple[str, bool], show: Show) -> str:
    pattern, decided = detail
    if decided:
        return say["pattern"](value=show(value), pattern=_pattern(pattern))
    return say["pattern.undecided"](value=show(value, 40), pattern=_pattern(pattern))


def _format_message(say: Texts, value: str, name: str, show: Show) -> str:
    if name == "regex":
        fault = pattern_fault(value)
        return say["format.regex"](value=show(value), format=_format(say, name), fault=fault)
    format = _format(say, name)
    return say["format"](value=show(value), format=format, example=FORMATS[name])


def _limit_message(keyword: str) -> Message:
    return lambda say, value, limit, show: say[keyword](value=show(value), limit=preview(limit))


def _size_message(keyword: str) -> Message:
    unit = KEYWORDS[keyword].unit or ""

    def message(say: Texts, value: Any, limit: Any, show: Show) -> str:
        if type(value) is str:
            subject = preview(value, 40)
        else:
            subject = say["count.array" if type(value) is list else "count.object"]()
        size = _count(say, len(value), unit) if value else say[f"count.no-{unit}"]()
        return say[keyword](value=subject, size=size, limit=f"{int(limit):,}")

    return message


def _contains_message(say: Texts, value: list[Any], schema: Described, show: Show) -> str:
    words = schema.words(say, demand)
    if not value:
        return say["contains.empty"](demand=words) if words else say["contains.empty-schema"]()
    size = _count(say, len(value), "item")
    if words:
        return say["contains"](size=size, demand=words)
    return say["contains.schema"](size=size)


def _name_message(say: Texts, name: str, detail: tuple[Violation, Any], show: Show) -> str:
    violation, _ = detail
    if violation.keyword == "false":
        return say["propertyNames.none"](name=preview(name))
    because = MESSAGES[violation.keyword](say, violation.value, violation.detail, preview)
    return say["propertyNames"](name=preview(name), because=because)


def _not_message(say: Texts, value: Any, schema: Described, show: Show) -> str:
    words = schema.words(say, demand)
    if words:
        return say["not"](value=show(value), demand=words)
    return say["not.schema"](value=show(value))


def _content_message(say: Texts, value: str, words: str, show: Show) -> str:
    return say["content"](value=show(value), content=words)


MESSAGES: Final[dict[str, Message]] = {
    "type": _type_message,
    "enum": _enum_message,
    "const": _enum_message,
    "required": lambda say, value, name, show: say["required"](name=preview(name)),
    "additionalProperties": lambda say, value, detail, show: say["additionalProperties"](
        name=preview(detail[0])
    ),
    "additionalItems": lambda say, value, detail, show: say["additionalItems"](
        number=detail[0] + 1, total=f"{detail[1]:,}", size=_count(say, detail[0], "item")
    ),
    "false": _false_message,
    **{keyword: _limit_message(keyword) for keyword in _BOUNDS},
    **{keyword: _size_message(keyword) for keyword in _SIZES},
    "pattern": _pattern_message,
    "format": _format_message,
    "contentEncoding": _content_message,
    "contentMediaType": _content_message,
    "uniqueItems": lambda say, value, first, show: say["uniqueItems"](
        value=show(value), number=first + 1
    ),
    "contains": _contains_message,
    "dependencies": lambda say, value, detail, show: say["dependencies"](
        name=preview(detail[0]), other=preview(detail[1])
    ),
    "propertyNames": _name_message,
    "not": _not_message,
    "if": lambda say, value, detail, show: say["if.missing"](
        name=preview(detail[1]), values=_allowed(say, detail[2])
    ),
    "anyOf": _alternatives_message,
    "oneOf": _alternatives_message,
}


# General messages, of keywords whose messages depend on more of the value than its text.


def _general_size(keyword: str) -> Message:
    unit = KEYWORDS[keyword].unit or ""
    return lambda say, value, limit, show: say[f"{keyword}.general"](
        size=_count(say, int(limit), unit)
    )


def _general_contains(say: Texts, value: list[Any], schema: Described, show: Show) -> str:
    words = schema.words(say, demand)
    if not value:
        return _contains_message(say, value, schema, show)
    return say["contains.general"](demand=words) if words else say["contains.general-schema"]()


def _general_format(say: Texts, value: str, name: str, show: Show) -> str:
    if name != "regex":
        return _format_message(say, value, name, show)
    return say["format.general-regex"](value=show(value), format=_format(say, name))


_GENERAL: Final[dict[str, Message]] = {
    "additionalItems": lambda say, value, detail, show: say["additionalItems.general"](
        size=_count(say, detail[0], "item")
    ),
    **{keyword: _general_size(keyword) for keyword in _SIZES},
    "format": _general_format,
    "uniqueItems": lambda say, value, first, show: say["uniqueItems.general"](value=show(value)),
    "contains": _general_contains,
}


def _expected_alternatives(detail: tuple[Any, ...]) -> Any:
    if detail[0] == "several":
        return None
    if detail[0] == "missing":
        return detail[1]
    if detail[0] == "required":
        return list(dict.fromkeys(name for names in detail[1] for name in names))
    if detail[0] == "one":
        return detail[1].values
    _, names, options, demands = detail
    return [*names, *options.values] if not demands else None


def _expected_name(detail: tuple[Violation, Any]) -> Any:
    inner = detail[0]
    return EXPECTED[inner.keyword](inner.detail) if inner.keyword in EXPECTED else inner.detail


def _first(detail: Any) -> Any:
    return detail[0]


def _nothing(detail: Any) -> None:
    return None


# The member `expected` of a finding, by keyword, where it is not the detail itself.
EXPECTED: Final[dict[str, Callable[[Any], Any]]] = {
    "type": list,
    "enum": lambda options: options.values,
    "const": lambda options: options.values[0],
    "if": lambda detail: detail[1],
    "anyOf": _expected_alternatives,
    "oneOf": _expected_alternatives,
    "propertyNames": _expected_name,
    "pattern": _first,
    "dependencies": _first,
    "additionalItems": _first,
    "additionalProperties": _nothing,
    "false": _nothing,
    "not": _nothing,
    "contains": _nothing,
    "uniqueItems": _nothing,
}
