"""Problems in words: the one table of messages.

A sentence says what is there and what was asked for, in the words of JSON Schema: array,
object, member. The same text goes to the library, the command, CI and forms. What to
write instead is told by `hints`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from widgetschema.findings import Finding, Fix
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import display_pointer, pointer_of
from widgetschema.text import plural
from widgetschema.validation.explain.walk import Problem
from widgetschema.validation.patterns import pattern_fault

_MOST_VALUES: Final = 12
_ARTICLES: Final = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "an array",
    "object": "an object",
}
_FORMATS: Final = {  # the format in words, and a value that has it
    "date-time": ("a date-time", "2026-11-27T00:00:00Z"),
    "date": ("a date", "2026-11-27"),
    "time": ("a time", "09:30:00Z"),
    "email": ("an email address", "name@example.com"),
    "idn-email": ("an email address", "name@example.com"),
    "hostname": ("a host name", "www.example.com"),
    "idn-hostname": ("a host name", "www.example.com"),
    "ipv4": ("an IPv4 address", "192.0.2.1"),
    "ipv6": ("an IPv6 address", "2001:db8::1"),
    "uri": ("an absolute URI", "https://example.com/page"),
    "uri-reference": ("a URI reference", "/page?id=1"),
    "iri": ("an absolute IRI", "https://example.com/page"),
    "iri-reference": ("an IRI reference", "/page?id=1"),
    "uri-template": ("a URI template", "https://example.com/{id}"),
    "json-pointer": ("a JSON Pointer", "/content/title"),
    "relative-json-pointer": ("a relative JSON Pointer", "1/title"),
    "regex": ("an ECMA 262 regular expression", "^[a-z]+$"),
}


def finding(problem: Problem, hint: str | None, fix: Fix | None = None) -> Finding:
    """A problem as a finding."""
    keyword, path, place, value, detail, because, _ = problem
    message = MESSAGES[keyword](value, detail)
    if because:
        message += _condition(because, path)
    expected = EXPECTED.get(keyword)
    return Finding(
        keyword,
        pointer_of(path),
        place if place[:1] == "/" else "",
        message,
        hint,
        None,
        None,
        expected(detail) if expected else detail,
        fix,
    )


def type_name(value: Any) -> str:
    """The JSON type of a value, with its article."""
    if value is None:
        return "null"
    kind = type(value)
    if kind is bool:
        return "a boolean"
    if kind is str:
        return "a string"
    if kind is list:
        return "an array"
    return "an object" if kind is dict else "a number"


def alternatives(items: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


@cache
def _types(names: tuple[str, ...]) -> str:
    return alternatives([_ARTICLES[name] for name in names])


def _values(values: list[Any]) -> str:
    shown = [preview(value, 40) for value in values[:_MOST_VALUES]]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


# What is asked for, as the rest of a sentence after "must ": of simple schemas only.


def _demand(schema: Any) -> str | None:
    """A simple schema in words: `be a string`, `have the member "url"`."""
    if type(schema) is not dict:
        return None
    said: list[str] = []
    for keyword, argument in schema.items():
        if keyword in ("title", "description", "$comment", "default", "examples"):
            continue
        if keyword == "properties":
            members = [_member_demand(name, item) for name, item in argument.items()]
            said += [member or "" for member in members]
            continue
        if keyword == "required" and argument and set(argument) <= {*schema.get("properties", {})}:
            continue
        words = _DEMANDS.get(keyword)
        said.append(words(argument) if words else "")
    return " and ".join(said) if said and all(said) else None


def _member_demand(name: str, schema: Any) -> str | None:
    words = _demand(schema)
    shown = preview(name, 40)
    if words is None:
        return None
    if words.startswith("be "):
        return f"have {shown} as {words.removeprefix('be ')}"
    return f"have a member {shown} that must {words}"


_DEMANDS: Final[dict[str, Callable[[Any], str]]] = {
    "type": lambda names: f"be {_types(tuple(names) if type(names) is list else (names,))}",
    "const": lambda value: f"be {preview(value, 40)}",
    "enum": lambda values: f"be {alternatives([preview(value, 40) for value in values[:6]])}",
    "required": lambda names: (
        f"have the member{'s' * (len(names) > 1)} {' and '.join(preview(n, 40) for n in names)}"
        if names
        else ""
    ),
    "pattern": lambda pattern: f"match the pattern {_pattern(pattern)}",
    "format": lambda name: f"be {_FORMATS.get(name, ('of the format ' + str(name), ''))[0]}",
    "minimum": lambda limit: f"be at least {preview(limit)}",
    "maximum": lambda limit: f"be at most {preview(limit)}",
    "exclusiveMinimum": lambda limit: f"be greater than {preview(limit)}",
    "exclusiveMaximum": lambda limit: f"be less than {preview(limit)}",
    "multipleOf": lambda divisor: f"be a multiple of {preview(divisor)}",
    "minLength": lambda limit: f"have at least {plural(int(limit), 'character')}",
    "maxLength": lambda limit: f"have at most {plural(int(limit), 'character')}",
    "minItems": lambda limit: f"have at least {plural(int(limit), 'item')}",
    "maxItems": lambda limit: f"have at most {plural(int(limit), 'item')}",
    "minProperties": lambda limit: f"have at least {plural(int(limit), 'member')}",
    "maxProperties": lambda limit: f"have at most {plural(int(limit), 'member')}",
}


def _pattern(pattern: str) -> str:
    return preview(pattern)[1:-1].replace("\\\\", "\\")


def _condition(because: tuple[Any, ...], path: Any) -> str:
    kind = because[0]
    if kind == "present":
        return f" (required because the member {preview(because[1], 40)} is there)"
    if kind == "nearest":
        return f" (as {because[1]}, the nearest of {because[2]} alternatives)"
    _, schema, holds, place = because
    where = "" if place == path else f" of {display_pointer(pointer_of(place))}"
    words = _condition_words(schema)
    if words is None:
        return f" (the condition `if`{where} {'holds' if holds else 'does not hold'})"
    return f" (when {words})" if holds else f" (unless {words})"


def _condition_words(schema: Any) -> str | None:
    """`"kind" is "video"`: what an `if` asks for, as a clause."""
    if type(schema) is not dict or not schema.keys() <= {"properties", "required", "type"}:
        return None
    clauses: list[str] = []
    for name, item in schema.get("properties", {}).items():
        words = _demand(item)
        if words is None:
            return None
        verb = words.replace("be ", "is ", 1) if words.startswith("be ") else f"must {words}"
        clauses.append(f"{preview(name, 40)} {verb}")
    for name in schema.get("required", ()):
        if name not in schema.get("properties", {}):
            clauses.append(f"{preview(name, 40)} is there")
    return " and ".join(clauses) or None


# The messages: what a finding says, by keyword, from the offending value and the detail.


def _type_message(value: Any, names: tuple[str, ...]) -> str:
    if type(value) is float and "integer" in names:
        return f"{preview(value)} is not a whole number, but must be {_types(names)}"
    if value is None:
        return f"null is not allowed here: the value must be {_types(names)}"
    return f"{preview(value)} is {type_name(value)}, but must be {_types(names)}"


def _enum_message(value: Any, options: Options) -> str:
    allowed = options.shown(_values)
    if len(options.values) == 1:
        return f"{preview(value)} is not allowed: the value must be {allowed}"
    return f"{preview(value)} is not one of the allowed values: {allowed}"


def _alternatives_message(value: Any, detail: tuple[Any, ...]) -> str:
    if detail[0] == "several":
        names = " and ".join(detail[1])
        return f"the value fits {names}, but must fit exactly one of the alternatives"
    if detail[0] == "one":
        return _enum_message(value, detail[1])
    if detail[0] == "missing":
        allowed = detail[2].shown(_values)
        return f"the member {preview(detail[1])} is missing: it must be one of {allowed}"
    _, names, options = detail
    if not names and not options.values:
        return f"{preview(value)} fits none of the alternatives"
    if not names:
        return _enum_message(value, options)
    wanted = _types(tuple(names))
    if options.values:
        one_of = "" if len(options.values) == 1 else "one of "
        wanted += f", or {one_of}{options.shown(_values)}"
    if value is None:
        return f"null is not allowed here: the value must be {wanted}"
    if any(type(option) is type(value) for option in options.values):
        return f"{preview(value)} is not allowed: the value must be {wanted}"
    return f"{preview(value)} is {type_name(value)}, but must be {wanted}"


def _required_message(value: Any, name: str) -> str:
    return f"the member {preview(name)} is missing"


def _pattern_message(value: str, detail: tuple[str, bool]) -> str:
    pattern, decided = detail
    if decided:
        return f"{preview(value)} does not match the pattern {_pattern(pattern)}"
    return (
        f"whether {preview(value, 40)} matches the pattern {_pattern(pattern)} "
        "could not be decided within the step limit"
    )


def _format_message(value: str, name: str) -> str:
    words, example = _FORMATS[name]
    if name == "regex":
        return f"{preview(value)} is not {words}: {pattern_fault(value)}"
    return f"{preview(value)} is not {words} such as {example}"


def _size_message(unit: str, comparison: str) -> Callable[[Any, Any], str]:
    def message(value: Any, limit: Any) -> str:
        subject = preview(value, 40) if type(value) is str else f"the {type_name(value)[3:]}"
        size = plural(len(value), unit) if value else f"no {unit}s"
        return f"{subject} has {size}, but must have {comparison} {int(limit):,}"

    return message


def _contains_message(value: list[Any], schema: Any) -> str:
    words = _demand(schema)
    wanted = f"at least one must {words}" if words else "at least one must match `contains`"
    if not value:
        return f"the array is empty, but {wanted.replace('at least one', 'at least one item')}"
    return f"none of {plural(len(value), 'item')} is right: {wanted}"


def _name_message(name: str, detail: tuple[Problem, Any]) -> str:
    problem, _ = detail
    if problem.keyword == "false":
        return f"the member name {preview(name)} is not allowed: the object must be empty"
    sentence = MESSAGES[problem.keyword](problem.value, problem.detail)
    return f"the member name {preview(name)} is not allowed: {sentence}"


def _not_message(value: Any, schema: Any) -> str:
    words = _demand(schema)
    if words:
        return f"{preview(value)} must not {words}"
    return f"{preview(value)} matches the schema of `not`, which it must not"


MESSAGES: Final[dict[str, Callable[[Any, Any], str]]] = {
    "type": _type_message,
    "enum": _enum_message,
    "const": _enum_message,
    "required": _required_message,
    "additionalProperties": lambda value, detail: (
        f"the member {preview(detail[0])} is not known here"
    ),
    "additionalItems": lambda value, detail: (
        f"item {detail[0] + 1} of {detail[1]:,} is too many: the array must have "
        f"at most {plural(detail[0], 'item')}"
    ),
    "false": lambda value, detail: "nothing is allowed here",
    "minimum": lambda value, limit: f"{preview(value)} is less than the minimum, {preview(limit)}",
    "maximum": lambda value, limit: f"{preview(value)} is more than the maximum, {preview(limit)}",
    "exclusiveMinimum": lambda value, limit: (
        f"{preview(value)} must be greater than {preview(limit)}"
    ),
    "exclusiveMaximum": lambda value, limit: f"{preview(value)} must be less than {preview(limit)}",
    "multipleOf": lambda value, limit: f"{preview(value)} is not a multiple of {preview(limit)}",
    "minLength": _size_message("character", "at least"),
    "maxLength": _size_message("character", "at most"),
    "minItems": _size_message("item", "at least"),
    "maxItems": _size_message("item", "at most"),
    "minProperties": _size_message("member", "at least"),
    "maxProperties": _size_message("member", "at most"),
    "pattern": _pattern_message,
    "format": _format_message,
    "contentEncoding": lambda value, words: f"{preview(value)} is not valid {words}",
    "contentMediaType": lambda value, words: f"{preview(value)} is not valid {words}",
    "uniqueItems": lambda value, first: f"{preview(value)} is there already, as item {first + 1}",
    "contains": _contains_message,
    "dependencies": lambda value, detail: (
        f"the member {preview(detail[0])} is missing: it is required because "
        f"{preview(detail[1])} is there"
    ),
    "propertyNames": _name_message,
    "not": _not_message,
    "anyOf": _alternatives_message,
    "oneOf": _alternatives_message,
}


def _expected_alternatives(detail: tuple[Any, ...]) -> Any:
    if detail[0] == "several":
        return None
    if detail[0] == "missing":
        return detail[1]
    names = detail[1] if detail[0] == "mismatch" else []
    return [*names, *detail[-1].values]


def _expected_name(detail: tuple[Problem, Any]) -> Any:
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
