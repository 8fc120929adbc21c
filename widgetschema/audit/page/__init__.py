"""The summary as a page for people: one HTML file that loads nothing else.

No font, no address: everything is in it, and its Content-Security-Policy says so. It can be read
without its only script, which filters, downloads tables and opens everything for printing.
Jinja2 is an extra: it is imported when a page is made.

- `markup` and `templates` make HTML of the summary; `views`: what they have to find out or add up,
  and the verdict in words; `charts`: the geometry of pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from widgetschema.errors import MissingExtra


def render(summary: Mapping[str, Any], *, title: str, made: str) -> str:
    """Return the page about a summary, as `Collector.summary` returns it.

    `title` says what was checked, `made` when, as text. The same arguments make the same page.
    Nothing in them becomes markup; what a terminal or a line of text would obey becomes `·`. The
    page has about a megabyte at the most: of mistakes that are too many, the rest is counted.

    Raises `MissingExtra` without Jinja2.
    """
    try:
        from widgetschema.audit.page.markup import draw
    except ImportError:
        raise MissingExtra("audit", "the report as HTML needs the library Jinja2") from None
    return draw(summary, title, made)
