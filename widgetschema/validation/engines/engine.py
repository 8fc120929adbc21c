"""The protocol of engines, and the form of a schema that engines get.

An engine decides: is this instance valid? It is asked about whole instances, and by the
explainer about single values against single keywords where dialects differ (`pattern`,
`format`, content). It never explains.

Engines see their own form of the schema (`engine_form`): only what is reachable, only
assertions, no `$id`, no reference but to a generated name. So there is nothing in it to
fetch, to resolve differently, or to trip over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from widgetschema.errors import InvalidSchema
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import preview
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import ASSERTIONS, FORMATS
from widgetschema.schema.linking import MANY, NAMED, ONE, LinkedSchema, is_schema
from widgetschema.schema.metaschema import DRAFT7

Decide = Callable[[Any], bool]

DECIMAL_MULTIPLE: Final = "decimalMultipleOf"  # a keyword of both engines
_EXACT: Final = 2**50  # integers up to here are the same as doubles, also divided by each other
_NO_NUMBERS: Final = ("null", "boolean", "string", "array", "object")
_CONTENT: Final = ("contentEncoding", "contentMediaType")
_REFERS_BEHIND: Final = re.compile(r"\(\?<[=!].*\(\?:\\[1-9]", re.DOTALL)  # in common form
_OF_MAILBOXES: Final = {  # what RFC 5321, section 4.1.2, asks for besides what engines check
    "email": r"^[^\x09]*$",
    "idn-email": r"^(?:[^\x09\x5c]|\x5c[!-~])*$",
}


class Engine(Protocol):
    """The interface of an engine."""

    name: str
    is_quick: bool  # whether a decision takes less time than to look at an instance in Python

    def decider(self, schema: Any, formats: bool, *, within: bool = False) -> Decide:
        """Compile a schema in engine form; the result says whether an instance is valid.

        What is decided `within` a check shares the time that matching patterns may take.
        """

    def shallow_decider(self, schema: Any, formats: bool, levels: int) -> Decide | None:
        """Compile a schema in engine form so that it accepts only what is in few containers.

        Nothing is accepted that is in more than `levels`, or has NaN or an infinity in it. Types of
        Python that JSON has not may be taken for those that it has. None if this engine cannot do
        that for this schema.
        """

    def gave_up(self, pattern: str, text: str) -> bool:
        """Return whether a pattern, in common form, ran into its limit on this text."""


def engine_form(linked: LinkedSchema, formats: bool) -> Any:
    """Return the linked schema as engines get it; its patterns are known to be right."""
    root = linked.target(linked.root)
    forms = _Forms(linked, formats)
    body = forms.body(root)
    definitions: dict[str, Any] = {}
    while forms.pending:
        pointer = forms.pending.pop()
        definitions[forms.names[pointer]] = forms.body(pointer)
    if type(body) is not dict:
        return body
    return {"$schema": f"{DRAFT7}#", **body, "definitions": definitions}


class _Forms:
    """One run of `engine_form`: the names given to targets, and which are to be written."""

    def __init__(self, linked: LinkedSchema, formats: bool) -> None:
        self.linked = linked
        self.formats = formats
        self.names: dict[str, str] = {}
        self.pending: list[str] = []
        self.shared = {linked.target(pointer) for pointer in linked.references.values()}

    def form(self, pointer: str) -> Any:
        """Return the form of a subschema in its place: itself, or a reference to its name."""
        target = self.linked.target(pointer)
        if target not in self.shared:
            return self.body(target)
        if target not in self.names:
            self.names[target] = f"s{len(self.names)}"
            self.pending.append(target)
        return {"$ref": f"#/definitions/{self.names[target]}"}

    def body(self, pointer: str) -> Any:
        """Return the form of a schema."""
        schema = self.linked.at[pointer]
        if type(schema) is not dict:
            return schema
        body: dict[str, Any] = {}
        for keyword, value in schema.items():
            here = f"{pointer}/{keyword}"
            if keyword in ASSERTIONS:
                body[keyword] = value
            elif keyword == "pattern":
                body[keyword] = _common(value)
            elif self.formats and (
                value in FORMATS if keyword == "format" else keyword in _CONTENT
            ):
                body[keyword] = value
            elif keyword == "patternProperties":
                self.pattern_properties(body, value, here)
            elif keyword in NAMED and keyword != "definitions":
                body[keyword] = {
                    name: self.form(f"{here}/{escape_token(name)}") if is_schema(item) else item
                    for name, item in value.items()
                }
            elif keyword in MANY and type(value) is list:
                body[keyword] = [self.form(f"{here}/{index}") for index in range(len(value))]
            elif keyword == "additionalItems" and type(schema.get("items")) is not list:
                continue  # it says nothing then, but not every engine knows
            elif keyword in ONE:
                body[keyword] = self.form(here)
        return completed(body)

    def pattern_properties(self, body: dict[str, Any], value: dict[str, Any], here: str) -> None:
        """Add `patternProperties` to a form, with patterns in common form."""
        forms: dict[str, Any] = {}
        for pattern in value:
            place = f"{here}/{escape_token(pattern)}"
            common = _common(pattern)
            form = self.form(place)
            # two spellings of one pattern: both apply
            forms[common] = {"allOf": [forms[common], form]} if common in forms else form
        body["patternProperties"] = forms


def completed(body: dict[str, Any]) -> dict[str, Any]:
    """Return a schema in engine form with what engines decide otherwise added, or in its place."""
    parts: list[Any] = []
    pattern = _OF_MAILBOXES.get(body.get("format", ""))
    if pattern is not None:
        parts.append({"pattern": pattern})
    if "multipleOf" in body:
        body = {**body}
        parts.append(_multiple_of(body.pop("multipleOf")))
    return {**body, "allOf": [*body.get("allOf", ()), *parts]} if parts else body


def _multiple_of(divisor: float) -> Any:
    """Return `multipleOf` in engine form: engines divide doubles, which are not exact decimals.

    They are asked about integers of which they are certain, and `multiples_of` about other numbers.
    """
    certain: dict[str, Any] = {"type": [*_NO_NUMBERS]}
    if type(divisor) is int and divisor <= _EXACT:
        certain = {"multipleOf": divisor, "minimum": -_EXACT, "maximum": _EXACT}
        certain["type"] = [*_NO_NUMBERS, "integer"]
    return {"anyOf": [certain, {DECIMAL_MULTIPLE: divisor}]}


def compile_form(engine: Engine, linked: LinkedSchema, formats: bool) -> Decide:
    """Return the decision about whole instances. Raises `InvalidSchema`, naming a pattern that the
    engine cannot compile.
    """
    try:
        return engine.decider(engine_form(linked, formats), formats)
    except (InvalidSchema, ValueError):
        subject = f"schema {linked.id or 'schema'!r}"
        for pointer, schema in linked.at.items():
            for place, pattern in _patterns(schema, pointer):
                reason = _refusal(engine, pattern)
                if reason is not None:
                    message = f"the pattern {preview(pattern)} {reason}"
                    finding = Finding("pattern", place, "", message)
                    raise InvalidSchema(Report((finding,), subject)) from None
        raise


def _patterns(schema: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if type(schema) is dict and "$ref" not in schema:
        if "pattern" in schema:
            yield f"{pointer}/pattern", schema["pattern"]
        for pattern in schema.get("patternProperties", ()):
            yield f"{pointer}/patternProperties/{escape_token(pattern)}", pattern


def _refusal(engine: Engine, pattern: str) -> str | None:
    """Return why an engine cannot compile a pattern."""
    from widgetschema.validation.patterns import UnsupportedPattern

    try:
        common = _common(pattern)
        engine.decider({"pattern": common}, False)
    except UnsupportedPattern as error:
        return f"is not supported: {error}"
    except InvalidSchema:
        if _REFERS_BEHIND.search(common):  # engines say no reason
            return "cannot be compiled: perhaps because it refers to a group within a lookbehind"
        return "cannot be compiled: it is too large, or nested too deeply"
    return None


def is_pattern(text: object) -> bool:
    """Return whether a text has the format `regex`; any other value has."""
    from widgetschema.validation.patterns import pattern_fault

    return not isinstance(text, str) or pattern_fault(text) is None


def _common(pattern: str) -> str:
    from widgetschema.validation.patterns import translate  # most schemas have no pattern

    return translate(pattern)
