"""Sentences for changes: one for each, the same in all outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from widgetschema.evolution.compare.obstacles import Obstacle
from widgetschema.jsontext import preview
from widgetschema.schema.keywords import Texts, texts

_SHOWN: Final = 6  # values of a list


def sentence(obstacle: Obstacle, *, narrows: bool, sure: bool = True) -> str:
    """Return the sentence of a change, where `obstacle` is one of the newer schema
    (`narrows`) or of the older.
    """
    say = texts()
    was, now = sides(obstacle, narrows=narrows)
    fact, subject, left = obstacle.fact, obstacle.subject, obstacle.left
    direction = "narrower" if narrows else "wider"
    if fact == "type":
        if left is not None and any(not steps for steps, _ in obstacle.around):
            # About one of several alternatives: the others have their own.
            return say[f"type.{direction}"](subject=_types(say, left))
        return say["type.changed"](was=_types(say, was), now=_types(say, now))
    if fact == "others":
        if subject is None:
            return say[f"additionalProperties.{direction}"]()
        id = f"patternProperties.{direction if sure else 'changed'}"
        return say[id](subject=preview(subject))
    if fact == "items" and subject:
        size = say["count.item"](number=subject)
        return say[f"additionalItems.{direction}"](size=size)
    if fact == "dependency":
        name, other = map(preview, subject)
        return say[f"dependency.{direction}"](name=name, other=other)
    if fact in ("anyOf", "oneOf") and narrows and subject is not None:
        return say[f"{fact}.fewer"]()
    if fact == "member" and narrows and obstacle.keyword == "properties":
        fact = "properties"
    if f"{fact}.{direction}" in say:
        shown = f"{subject:,}" if fact == "more values" else preview(subject)
        right = obstacle.right if obstacle.keyword == "enum" else [obstacle.right]
        values = listed(right) if fact == "values" else ""
        return say[f"{fact}.{direction}"](subject=shown, was=values, now=values)
    return _limit(say, obstacle, was, now, narrows=narrows)


def sides(obstacle: Obstacle, *, narrows: bool) -> tuple[Any, Any]:
    """Return the values of the older and the newer schema."""
    both = (obstacle.left, obstacle.right)
    return both if narrows else both[::-1]


def subjects(obstacle: Obstacle) -> tuple[Any, ...]:
    """Return the members or values that an obstacle is about, if a keyword has several."""
    if obstacle.fact in ("required", "value", "member", "dependency"):
        return (obstacle.subject,)
    return ()


def _limit(say: Texts, obstacle: Obstacle, was: Any, now: Any, *, narrows: bool) -> str:
    """Return the sentence of a keyword whose value changed; bounds may have become excluded
    ones.
    """
    places = (obstacle.left_place, obstacle.right_place)
    old_place, new_place = places if narrows else places[::-1]
    old = _word(old_place) or obstacle.keyword
    new = _word(new_place) or obstacle.keyword
    if was is None:
        id = "limit.new"
    elif now is None:
        id = "limit.gone"
    else:
        id = "limit.changed" if old == new else "limit.replaced"
    if _is_about_alternative(obstacle):
        direction = "narrower" if narrows else "wider"
        id = f"{'limit.new' if obstacle.left is None else 'limit'}.{direction}"
    return say[id](old=old, new=new, was=preview(was), now=preview(now))


def _is_about_alternative(obstacle: Obstacle) -> bool:
    """Return True if only one of several alternatives differs from the other schema."""
    chosen = any(not steps and node.key.decided for steps, node in obstacle.around)
    return chosen and all(steps for steps, _ in obstacle.against)


def _word(place: str) -> str:
    word = place.rpartition("/")[2]
    return word if word.isalpha() else ""


def _types(say: Texts, value: Any) -> str:
    if value is None:
        return say["type.any"]()
    if not value:
        return say["type.none"]()
    return say["or-each"](items=[value] if type(value) is str else value)


def listed(values: Sequence[Any]) -> str:
    """Return the first of some values in words, and the number of the others."""
    say = texts()
    shown = say["list"](items=[preview(value) for value in values[:_SHOWN]])
    if len(values) <= _SHOWN:
        return shown
    return say["list.more"](items=shown, number=len(values) - _SHOWN)
