"""Geometries (RFC 7946): positions near each other, closed rings, bounding boxes.

A schema describes positions only as lists of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import atan2
from typing import Any, Final

_AREAS: Final = frozenset(("Polygon", "MultiPolygon"))
_SPREAD: Final = 0.02  # degrees around the first position: a town, not a continent
_DIGITS: Final = 4  # about ten metres
_BOX_LENGTH: Final = 4  # numbers of the bounding box of two-dimensional positions


def has_geometry(names: Iterable[str]) -> bool:
    """Return True if an object with these members may be a geometry, or have a bounding box."""
    members = {*names}
    return "bbox" in members or {"coordinates", "type"} <= members


class Geometry:
    """The members of an object that are a geometry: `coordinates`, and the bounding box."""

    __slots__ = ("_fits",)

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self._fits = fits

    def settle(self, value: dict[str, Any], rows: dict[str, int]) -> None:
        """Replace the positions with those of a realistic geometry, where the schema allows it."""
        drawn = dict(value)
        coordinates = drawn.get("coordinates")
        first = next(_positions(coordinates), None)
        if first is not None:
            near = _near(coordinates, first)
            drawn["coordinates"] = _closed(near) if drawn.get("type") in _AREAS else near
        given = drawn.get("bbox")
        if type(given) is list and len(given) == _BOX_LENGTH and (box := _box(drawn)):
            drawn["bbox"] = box
        if drawn != value and self._fits(drawn):
            value.update(drawn)


def _is_position(value: Any) -> bool:
    return (
        type(value) is list and len(value) > 1 and all(type(one) in (int, float) for one in value)
    )


def _positions(value: Any) -> Iterator[list[float]]:
    """Yield the positions of coordinates."""
    if _is_position(value):
        yield value
    elif type(value) is list:
        for item in value:
            yield from _positions(item)


def _near(value: Any, first: list[float]) -> Any:
    """Return coordinates whose positions are near the first one."""
    if _is_position(value):
        pairs = zip(value, first, strict=False)
        return [round(start + (one - start) * _SPREAD, _DIGITS) for one, start in pairs]
    return [_near(item, first) for item in value] if type(value) is list else value


def _closed(value: Any) -> Any:
    """Return the coordinates of areas without holes, as closed rings."""
    if type(value) is not list or not value:
        return value
    if not all(map(_is_position, value)):
        inner = [_closed(item) for item in value]
        is_area = all(map(_is_position, inner[0])) if type(inner[0]) is list else False
        return inner[:1] if is_area and inner[0] else inner
    east, north = (sum(one[axis] for one in value) / len(value) for axis in (0, 1))
    corners = sorted(value[:-1], key=lambda one: atan2(one[1] - north, one[0] - east))
    return [*corners, corners[0][:]] if corners else value


def _box(value: Any) -> list[float]:
    """Return the bounding box of all coordinates in a value; [] if there are none."""
    positions = [*_all_positions(value)]
    if not positions:
        return []
    east, north = ([one[axis] for one in positions] for axis in (0, 1))
    return [min(east), min(north), max(east), max(north)]


def _all_positions(value: Any) -> Iterator[list[float]]:
    """Yield the positions of all geometries in a value."""
    if type(value) is dict:
        yield from _positions(value.get("coordinates"))
        for name in ("geometry", "geometries", "features"):
            yield from _all_positions(value.get(name))
    elif type(value) is list:
        for item in value:
            yield from _all_positions(item)
