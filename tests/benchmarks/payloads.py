"""The payloads that all benchmarks share: one countdown as people save it, whole and broken."""

from __future__ import annotations

import copy
import random
from typing import Any

VALID: dict[str, Any] = {
    "content": {
        "timerTitle": "Black Friday ends in",
        "postTitle": "The sale is over",
        "postDescription": "Thank you for stopping by. The next sale starts in spring.",
        "countdownType": "count-to-date",
        "expDate": "2027-11-26T00:00:00Z",
        "daysLabel": "Days",
        "hoursLabel": "Hours",
        "minutesLabel": "Minutes",
        "secondsLabel": "Seconds",
        "timerDays": 3,
        "timerHours": 12,
        "timerMinutes": 30,
        "timerSeconds": 0,
        "postCountdownType": "message",
        "showPostConfetti": True,
        "showPostCountdown": False,
        "postButtonText": "See all offers",
        "postButtonLink": "https://example.com/offers",
    },
    "settings": {
        "showTitle": True,
        "showContainer": True,
        "showCards": True,
        "showLabels": True,
        "showDays": True,
        "showHours": True,
        "showMinutes": True,
        "showSeconds": False,
        "showColon": True,
        "showPostContainer": False,
    },
    "styles": {
        "mainWrapper": {},
        "title": {"fontSize": 32, "color": "#1c1c28"},
        "container": {"padding": "24px"},
        "cards": {},
        "numbers": {"fontWeight": 700},
        "labels": {},
        "labels2": {},
        "postContainer": {},
        "postTitle": {},
        "postDescription": {},
        "layoutId": "default",
        "fontId": "inter",
        "customCSS": ".timer { letter-spacing: 0.02em; }",
        "skinId": 4,
        "animationType": "flip",
        "layout": "layout-2",
        "containerBg": ["#ffffff", "#f4f4f8"],
        "cardsBg": ["#1c1c28"],
        "postContainerBg": ["#ffffff"],
        "containerBorderRadius": 12,
        "cardsBorderRadius": 8,
        "cardsBorderWidth": 0,
        "cardsBorderColor": "#1c1c28",
        "colonColor": "#1c1c28",
        "separatorColor": "#d0d0d8",
        "countdownSize": "medium",
    },
}


def broken() -> dict[str, Any]:
    """The same with five mistakes: two enums, a number in quotes, a misspelled member, a type."""
    data = copy.deepcopy(VALID)
    data["content"]["countdownType"] = "Count-to-date"
    data["content"]["timerDays"] = "3"
    data["settings"]["showTitel"] = data["settings"].pop("showTitle")
    data["styles"]["layout"] = "layout-9"
    data["styles"]["containerBg"][0] = 5
    return data


def spoil(data: dict[str, Any], number: int) -> None:
    """Put other wrong values into the broken payload."""
    data["content"]["countdownType"] = f"Count-to-dat{number}"
    data["content"]["timerDays"] = f"{number}"
    data["styles"]["layout"] = f"layout-{number + 10}"
    data["styles"]["containerBg"][0] = number


_WRONG = (
    ("content", "countdownType"),
    ("content", "timerDays"),
    ("settings", None),
    ("styles", "layout"),
    ("styles", "containerBg"),
)


def spoiled(number: int, mistakes: int) -> dict[str, Any]:
    """The valid payload with so many of the five mistakes; each number has other wrong values."""
    data, wrong = copy.deepcopy(VALID), broken()
    spoil(wrong, number)
    for index in range(mistakes):
        section, name = _WRONG[(number + index) % len(_WRONG)]
        if name is None:
            data[section] = wrong[section]
        else:
            data[section][name] = wrong[section][name]
    return data


def of_colours(number: int) -> dict[str, Any]:
    """A valid payload that holds `number` colours, of 10 bytes each as JSON text."""
    data = copy.deepcopy(VALID)
    data["styles"]["containerBg"] = ["#1c1c28"] * number
    return data


def _with(**extra: Any) -> dict[str, Any]:
    """The valid payload with more members in an object that is open."""
    data = copy.deepcopy(VALID)
    data["styles"]["title"].update(extra)
    return data


VARIANTS: dict[str, dict[str, Any]] = {
    "as above": VALID,
    "with two nulls": _with(shadow=None, outline=None),
    "with a null and a fraction": _with(shadow=None, opacity=0.5),
    'with the word "null" in a text': _with(label="null and void"),
    "with 30 more brackets": _with(steps=[[] for _ in range(30)]),
    "five mistakes": broken(),
}


def many_names(number: int) -> list[str]:
    """Names as in a large `enum`: `icon-late-moral`."""
    choose = random.Random(1)
    words = ["".join(choose.choices("etaoinshrdlucm", k=choose.randint(3, 7))) for _ in range(300)]
    names: set[str] = set()
    while len(names) < number:
        names.add(f"icon-{choose.choice(words)}-{choose.choice(words)}")
    return sorted(names)


def few_letters(number: int) -> list[str]:
    """Names of few letters, so that each has many others near it."""
    choose = random.Random(3)
    names: set[str] = set()
    while len(names) < number:
        names.add("".join(choose.choices("abcd", k=9)))
    return sorted(names)


def misspelled(names: list[str], number: int) -> list[str]:
    """Some of the names, each with one typing mistake that makes it none of them."""
    choose, known = random.Random(2), frozenset(names)
    wrong: list[str] = []
    while len(wrong) < number:
        name = choose.choice(names)
        at = choose.randrange(len(name) - 1)
        head, tail = name[:at], name[at:]
        slips = (f"{head}{tail[1]}{tail[0]}{tail[2:]}", head + tail[1:], f"{head}z{tail}")
        word = choose.choice(slips)
        if word not in known:
            wrong.append(word)
    return wrong
