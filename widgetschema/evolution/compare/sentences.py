"""Changes in words: one plain sentence each, the same whoever shows it."""

from __future__ import annotations

from typing import Any, Final

from widgetschema.evolution.compare.obstacles import Obstacle
from widgetschema.jsontext import preview
from widgetschema.text import plural

# What narrows, and what widens; {subject}, {was} and {now} are shown as JSON.
_SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "value": ("the value {subject} is no longer allowed", "the value {subject} is allowed now"),
    "more values": ("{subject} more values are no longer allowed", "{subject} more are allowed"),
    "values": (
        "values were not listed, and only {now} is allowed now",
        "only {was} was allowed, and other values are now",
    ),
    "uniqueItems": ("no two items may be equal now", "items may be equal now"),
    "required": (
        "the member {subject} must be there now",
        "the member {subject} need not be there any more",
    ),
    "member": ("the member {subject} is no longer known", "new member {subject}"),
    "nothing": ("nothing is allowed here any more", "something is allowed here now"),
    "contains": (
        "what one of the items must be has changed",
        "what one of the items must be is less strict",
    ),
    "propertyNames": (
        "how members may be called has changed",
        "how members may be called is less strict",
    ),
    "anyOf": ("the alternatives (anyOf) have changed", "there are more alternatives (anyOf)"),
    "oneOf": ("the alternatives (oneOf) have changed", "there are more alternatives (oneOf)"),
    "if": ("what depends on a condition (if) has changed",) * 2,
    "not": ("what must not match (not) has changed", "less is refused (not)"),
    "effort": ("the schemas are too large or too nested here to be compared to the end",) * 2,
}
_OTHERS: Final = {
    True: "{which} are no longer allowed",
    False: "{which} are allowed now",
}


def sentence(obstacle: Obstacle, *, narrows: bool, sure: bool = True) -> str:
    """Return the sentence of a change, where `obstacle` is one of the newer schema
    (`narrows`) or of the older.
    """
    was, now = sides(obstacle, narrows=narrows)
    subject = obstacle.subject
    if obstacle.left is not None and any(not steps for steps, _ in obstacle.around):
        if obstacle.fact == "type":  # of one of several alternatives: the others have their own
            return (
                f"the type {_types(obstacle.left)} is {'no longer' if narrows else 'now'} allowed"
            )
    if obstacle.fact == "type":
        return f"the type was {_types(was)} and is {_types(now)}"
    if obstacle.fact == "others" and subject is not None and not sure:
        return f"what is said of members whose names match {preview(subject)} has changed"
    if obstacle.fact == "others":
        which = "members that are described nowhere"
        if subject is not None:
            which = f"members whose names match {preview(subject)}"
        return _OTHERS[narrows].format(which=which)
    if obstacle.fact == "items":
        which = f"more than {plural(subject, 'item')}" if subject else "items"
        return f"{which} {'are no longer' if narrows else 'are now'} allowed"
    if obstacle.fact in ("anyOf", "oneOf") and narrows and subject is not None:
        return f"one of the alternatives ({obstacle.fact}) is no longer there"
    if obstacle.fact == "member" and narrows and obstacle.keyword == "properties":
        return f"the member {preview(subject)} is no longer allowed"
    if obstacle.fact == "dependency":
        name, other = map(preview, subject)
        tail = "must be there, too" if narrows else "need not be there any more"
        return f"where the member {name} is, {other} {tail}"
    if obstacle.fact in _SENTENCES:
        form = _SENTENCES[obstacle.fact][0 if narrows else 1]
        shown = f"{subject:,}" if obstacle.fact == "more values" else preview(subject)
        return form.format(subject=shown, was=_listed(was), now=_listed(now))
    return _limit(obstacle, was, now, narrows=narrows)


def sides(obstacle: Obstacle, *, narrows: bool) -> tuple[Any, Any]:
    """Return what the older and the newer schema say."""
    both = (obstacle.left, obstacle.right)
    return both if narrows else both[::-1]


def _limit(obstacle: Obstacle, was: Any, now: Any, *, narrows: bool) -> str:
    """Return the sentence of a keyword whose value changed; bounds may have become excluded
    ones.
    """
    places = (obstacle.left_place, obstacle.right_place)
    old_place, new_place = places if narrows else places[::-1]
    old_word = _word(old_place) or obstacle.keyword
    new_word = _word(new_place) or obstacle.keyword
    if was is None:
        return f"there was no {new_word}, and it is {preview(now)} now"
    if now is None:
        return f"the {old_word} was {preview(was)}, and there is none now"
    again = "" if old_word == new_word else f"the {new_word} "
    return f"the {old_word} was {preview(was)} and {again}is {preview(now)}"


def _word(place: str) -> str:
    word = place.rpartition("/")[2]
    return word if word.isalpha() else ""


def _types(value: Any) -> str:
    if value is None:
        return "anything"
    if not value:
        return "nothing"
    return value if type(value) is str else " or ".join(value)


def _listed(value: Any) -> str:
    if type(value) is not list:
        return preview(value)
    shown = ", ".join(map(preview, value[:6]))
    return shown if len(value) <= 6 else f"{shown} and {len(value) - 6:,} more"
