"""A preview of the countdown: reads its data as JSON, and prints a page with its first moment.

    widgetschema edit sale.json --preview-command "python examples/countdown_preview.py"

A preview shows data that somebody is typing: properties may be missing or of another type, so each
is read with a default, and everything is escaped.
"""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from html import escape
from typing import Any

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<style>
body {{ margin: 0; font: 16px/1.4 system-ui, sans-serif; background: {page}; color: #1c1c28; }}
main {{ margin: 24px auto; max-width: 56rem; padding: 24px; text-align: center;
  background: {container}; border-radius: {radius}px; }}
h1 {{ margin: 0 0 16px; font-size: 1.5em; }}
ul {{ display: flex; flex-wrap: wrap; justify-content: center; gap: 12px; margin: 0; padding: 0;
  list-style: none; }}
li {{ min-width: 4.5rem; padding: 12px; background: {cards}; color: #fff;
  border: {border}px solid {border_color}; border-radius: {card_radius}px; }}
b {{ display: block; font-size: {size}px; font-variant-numeric: tabular-nums; }}
</style></head>
<body><main>{heading}<ul>{units}</ul></main></body></html>
"""
UNITS = (("Days", "timerDays", 86_400), ("Hours", "timerHours", 3_600),
         ("Minutes", "timerMinutes", 60), ("Seconds", "timerSeconds", 1))  # fmt: skip
SIZES = {"small": 24, "medium": 36, "big": 56}


def render(data: Any, now: datetime | None = None) -> str:
    """Return a page with the countdown as it begins at `now`, by default this moment."""
    content, settings, styles = (_object(data, name) for name in ("content", "settings", "styles"))
    left = _seconds_left(content, now or datetime.now(UTC))
    units = []
    for unit, _, seconds in UNITS:
        if settings.get(f"show{unit}", True) is not False:
            number, left = divmod(left, seconds)
            label = _text(content.get(f"{unit.lower()}Label"), unit)
            shown = f"<span>{escape(label)}</span>" if settings.get("showLabels", True) else ""
            units.append(f"<li><b>{number:02d}</b>{shown}</li>")
    title = _text(content.get("timerTitle"), "")
    has_title = title and settings.get("showTitle", True) is not False
    return PAGE.format(
        title=escape(title or "Countdown"),
        heading=f"<h1>{escape(title)}</h1>" if has_title else "",
        units="".join(units),
        page="#ffffff",
        container=_colour(styles.get("containerBg"), "#f4f4f8"),
        cards=_colour(styles.get("cardsBg"), "#1c1c28"),
        radius=_number(styles.get("containerBorderRadius"), 12),
        card_radius=_number(styles.get("cardsBorderRadius"), 8),
        border=_number(styles.get("cardsBorderWidth"), 0),
        border_color=_colour(styles.get("cardsBorderColor"), "#1c1c28"),
        size=SIZES.get(_text(styles.get("countdownSize"), ""), 36),
    )


def _seconds_left(content: dict[str, Any], now: datetime) -> int:
    if content.get("countdownType") == "count-to-date":
        try:
            end = datetime.fromisoformat(_text(content.get("expDate"), ""))
            end = end if end.tzinfo else end.replace(tzinfo=UTC)
            return max(0, int((end - now).total_seconds()))
        except ValueError:
            pass  # no date yet
    return max(0, sum(_number(content.get(name), 0) * size for _, name, size in UNITS))


def _object(data: Any, name: str) -> dict[str, Any]:
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _text(value: Any, default: str) -> str:
    return value if isinstance(value, str) else default


def _number(value: Any, default: int) -> int:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return int(min(max(value, 0), 10**6)) if is_number else default


def _colour(value: Any, default: str) -> str:
    """Return a colour that cannot be anything else in a style sheet."""
    first = value[0] if isinstance(value, list) and value else value
    is_colour = isinstance(first, str) and re.fullmatch(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]+", first)
    return str(first) if is_colour else default


if __name__ == "__main__":
    sys.stdout.write(render(json.load(sys.stdin)))
