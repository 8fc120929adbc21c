"""Putting a value where it belongs within other data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def reachable(data: Any, path: Sequence[str | int]) -> bool:
    """Whether there is something in data that a value can be put into at a path."""
    if not path:
        return False
    for step in path[:-1]:
        if type(data) is dict and step in data:
            data = data[step]
            continue
        if type(data) is not list or type(step) is not int or step >= len(data):
            return False
        data = data[step]
    last = path[-1]
    if type(data) is list:
        return type(last) is int and last <= len(data)
    return type(data) is dict and type(last) is str


def put(data: Any, path: Sequence[str | int], value: Any) -> Any:
    """A copy of data with a value at a path, which is `reachable`."""
    step, rest = path[0], path[1:]
    if type(data) is list:
        assert type(step) is int
        inner = put(data[step], rest, value) if rest else value
        return [*data[:step], inner, *data[step + 1 :]]
    return {**data, step: put(data[step], rest, value) if rest else value}
