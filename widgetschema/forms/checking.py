"""Check the data of a form, including numbers that no double can hold.

The validator sees such a number as the nearest double, so that it still reports everything else;
the number itself is reported in the words of `jsontext`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.forms import digests
from widgetschema.forms.examples import Examples
from widgetschema.forms.model import FormFinding, Suggestion
from widgetschema.jsontext import Limits, SourceText, read
from widgetschema.jsontext.tree import Tree
from widgetschema.pointers import is_index
from widgetschema.validation import Validator
from widgetschema.validation.explain.deferred import DeferredFinding
from widgetschema.validation.explain.hints import hint

_LONGEST_SUGGESTION: Final = 2_000  # characters of JSON that a button offers


class SchemaChecks:
    """Checks against one linked schema: of the data as a whole, and against its subschemas.

    Safe to share among threads.
    """

    def __init__(self, validator: Validator) -> None:
        self.validator = validator
        self._subschema_validators: dict[tuple[str, ...], Validator] = {}

    @property
    def limits(self) -> Limits:
        """The limits within which texts are read."""
        return self.validator.limits

    def report(self, findings: tuple[Finding, ...]) -> Report:
        """Return a report about the data."""
        return Report(findings, self.validator.subject, self.validator.schemas)

    def check(
        self, text: str, at: str, data: Any, chosen: Mapping[str, Container[str]] | None = None
    ) -> tuple[Finding, ...]:
        """Return the findings about the data at `at` in a text, with paths in the whole text.

        `data` is its value, with plain numbers; `chosen` are the schemas of the alternatives that
        a person chose, by the JSON Pointer of the value in `data`.
        """
        numbers = unreadable(text, at, self.limits)
        paths = {finding.path for finding in numbers}
        validator = self.validator.with_chosen(chosen) if chosen else self.validator
        found = _explained(validator, data, at)
        return (*numbers, *(finding for finding in found if finding.path not in paths))

    def accepts(self, pointers: tuple[str, ...]) -> Callable[[Any], bool]:
        """Return a predicate: these schemas accept the value."""
        return self._subschema_validator(pointers).is_valid

    def find(self, pointers: tuple[str, ...], value: Any, at: str) -> list[Finding]:
        """Return the findings of these schemas about the value at `at`."""
        return _explained(self._subschema_validator(pointers), value, at)

    @cached_property
    def schema_digest(self) -> str:
        """The digest of what the schema asserts."""
        return digests.schema_digest(self.validator.linked)

    @cached_property
    def examples(self) -> Examples:
        """Examples of valid values, for sentences about findings."""
        return Examples(self.validator)

    def _subschema_validator(self, pointers: tuple[str, ...]) -> Validator:
        validator = self._subschema_validators.get(pointers)
        if validator is None:
            known = self.validator
            linked = known.linked.conjunction(pointers)
            validator = self._subschema_validators[pointers] = Validator.from_linked(
                linked, formats=known.formats, engine=known.engine, limits=known.limits
            )
        return validator


def unreadable(text: str, at: str, limits: Limits) -> tuple[Finding, ...]:
    """Return what keeps the text of the value at `at` from being read strictly: numbers, mostly."""
    try:
        read(text, limits)
    except UnreadableDocument as error:
        found = (one for one in error.report if f"{one.path}/".startswith(f"{at}/"))
        return tuple(replace(one, line=None, column=None) for one in found)
    return ()


def _explained(validator: Validator, value: Any, at: str) -> list[Finding]:
    """Return the findings about the value at `at`, with what they are made of."""
    return [
        replace(
            FormFinding.of(one, one.violation, _suggestion(one))
            if isinstance(one, DeferredFinding)
            else one,
            path=at + one.path,
        )
        for one in validator.iter_findings(value)
    ]


def _suggestion(finding: DeferredFinding) -> Suggestion | None:
    """Return what a hint says to write, if that is valid there."""
    violation, explainer = finding.violation, finding.explainer
    said = hint(violation, explainer, finding.instance)
    replacement = None if said is None else said.replacement
    if said is None or replacement is None or len(replacement.text) > _LONGEST_SUGGESTION:
        return None
    is_of_member = violation.keyword in ("anyOf", "oneOf") and violation.detail[0] == "one"
    if replacement.replace == "value" and not is_of_member:
        value = json.loads(replacement.text)
        if not explainer.fits(violation.place.rpartition("/")[0], value):
            return None
    return Suggestion(replacement, said.of)


def with_indices(findings: Sequence[Finding], tree: Tree) -> tuple[Finding, ...]:
    """Return findings with paths in a text, which know the indices of arrays in these."""
    return tuple(
        replace(finding, indices=tree.indices(finding.path))
        if any(token and is_index(token) for token in finding.path.split("/"))
        else finding
        for finding in findings
    )


def with_lines(findings: Sequence[Finding], text: str) -> tuple[Finding, ...]:
    """Return findings with paths in a text, with its lines and columns, in the same order."""
    if not findings:
        return ()
    placed = {(one.keyword, one.path): one for one in SourceText(text).place(findings)}
    there = [(one, placed[one.keyword, one.path]) for one in findings]
    return tuple(replace(one, line=at.line, column=at.column) for one, at in there)


def plain_numbers(value: Any) -> Any:
    """Return the value with each number in the range of a double; itself if nothing changes."""
    if not _has_large(value):
        return value
    holder: list[Any] = [value]
    todo: list[Any] = [holder]
    while todo:
        container = todo.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            item = container[key]
            if isinstance(item, (dict, list)):
                container[key] = item.copy()
                todo.append(container[key])
            elif _is_large(item):
                container[key] = sys.float_info.max if item > 0 else -sys.float_info.max
    return holder[0]


def _has_large(value: Any) -> bool:
    todo: list[Any] = [[value]]
    while todo:
        container = todo.pop()
        for item in container.values() if isinstance(container, dict) else container:
            if isinstance(item, (dict, list)):
                todo.append(item)
            elif _is_large(item):
                return True
    return False


def _is_large(value: Any) -> bool:
    """Return True for a number that is infinite as a double."""
    return type(value) is float and math.isinf(value)
