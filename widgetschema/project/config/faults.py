"""What is wrong with a configuration file: by its schema and by the rules, with positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from widgetschema.findings import Finding
from widgetschema.project.config.addresses import without_user
from widgetschema.project.config.positions import nearest
from widgetschema.project.config.reading import Source
from widgetschema.project.config.rules import rule_findings
from widgetschema.project.config.shape import fits

_MOST: Final = 100  # findings that are told
_MOST_VALUES: Final = 20_000  # far more than all entries that there may be
# These are about a name, not about what stands behind it.
_AT_THE_NAME: Final = frozenset({"additionalProperties", "propertyNames"})


def faults(source: Source) -> tuple[Finding, ...]:
    """The findings about a file, in its order; paths begin at our table."""
    if _is_huge(source.table):
        message = f"there are more than {_MOST_VALUES:,} values in this configuration"
        return _placed([Finding("toml.size", "", "", message)], source)
    found = list(islice(rule_findings(source.table, source.folder), _MOST + 1))
    if len(found) <= _MOST and not fits(source.table):
        said = {one.path for one in found}  # a rule says it better
        found += [one for one in _by_schema(source) if one.path not in said]
    if not found:
        return ()
    return _placed(found, source)


def _is_huge(table: Any) -> bool:
    todo, values = [table], 0
    while todo and values <= _MOST_VALUES:
        value = todo.pop()
        if isinstance(value, (dict, list)):
            values += len(value)
            todo += islice(value.values() if isinstance(value, dict) else value, _MOST_VALUES)
    return values > _MOST_VALUES


def _by_schema(source: Source) -> Iterable[Finding]:
    from widgetschema.project.config.schema import schema  # heavy, and most files are fine
    from widgetschema.validation import Validator

    return Validator(schema()).check(source.table)


def _placed(found: list[Finding], source: Source) -> tuple[Finding, ...]:
    told = found[:_MOST]
    if len(found) > _MOST:
        told.append(Finding("more", told[-1].path, "", "there are more findings than these"))
    places = nearest(source.text, [one.path for one in told], source.base)
    placed: list[Finding] = []
    for one in told:
        line, column, key_line, key_column = places[one.path]
        if one.keyword in _AT_THE_NAME:
            line, column = key_line, key_column
        # What is no JSON has hints for JSON, such as null, which TOML does not have.
        is_json = one.keyword.startswith("json.")
        hint = None if one.hint is None or is_json else without_user(one.hint)
        message = without_user(one.message)
        placed.append(replace(one, message=message, hint=hint, line=line, column=column))
    return tuple(sorted(placed, key=lambda one: (one.keyword == "more", one.line, one.column)))
