"""What is wrong with data that a form holds, numbers included that no double can hold.

The validator sees such a number as the nearest double, so that it still says everything else; the
number itself is reported in the words of `documents`.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from typing import Any

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.jsontext import read
from widgetschema.validation import Validator


def checked(validator: Validator, text: str, at: str, data: Any) -> tuple[Finding, ...]:
    """The findings about the data at `at` in a text; their paths are those in the whole text.

    `data` is its value, with plain numbers.
    """
    unreadable = _unreadable(validator, text, at)
    places = {finding.path for finding in unreadable}
    found = [replace(finding, path=at + finding.path) for finding in validator.check(data)]
    return (*unreadable, *(finding for finding in found if finding.path not in places))


def _unreadable(validator: Validator, text: str, at: str) -> tuple[Finding, ...]:
    """What keeps the text of the data from being read strictly: numbers, mostly."""
    try:
        read(text, validator.limits)
    except UnreadableDocument as error:
        return tuple(
            replace(finding, line=None, column=None)
            for finding in error.report
            if finding.path == at or finding.path.startswith(f"{at}/")
        )
    return ()


def plain_numbers(value: Any) -> Any:
    """The same value with each number in the range of a double; itself if nothing is to do."""
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
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
        elif _is_large(item):
            return True
    return False


def _is_large(value: Any) -> bool:
    """Whether a number is infinite as a double."""
    return type(value) is float and math.isinf(value)
