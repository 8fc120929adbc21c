"""The summary as a page for people: one HTML file that loads nothing else.

No font, no address: everything is in it, and its Content-Security-Policy says so. It can be read
without its only script, which filters, downloads tables and opens everything for printing.
Jinja2 is an extra: it is imported when a page is made.

- `templates` make HTML of the summary: every text that is put into one is made printable and
  escaped, and they shorten what is long; `views`: what they have to find out or add up, and the
  verdict in words; `charts`: the geometry of pictures.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from widgetschema.audit.page import views
from widgetschema.errors import MissingExtra

if TYPE_CHECKING:
    from widgetschema.templates import Environment


def render(summary: Mapping[str, Any], *, title: str, made: str) -> str:
    """Return the page about a summary, as `Collector.summary` returns it.

    `title` says what was checked, `made` when, as text. The same arguments make the same page.
    Nothing in them becomes markup; what a terminal or a line of text would obey becomes `·`. Of
    mistakes that are too many, the rest is counted.

    Raises `MissingExtra` without Jinja2.
    """
    try:
        templates = _templates()
    except ImportError:
        raise MissingExtra("audit", "the report as HTML needs the library Jinja2") from None
    script = templates.get_template("report.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = templates.get_template("page.html")
    return page.render(summary=summary, title=title, made=made, script=script, digest=digest)


@cache
def _templates() -> Environment:
    from widgetschema.reporters.pages.environment import make_environment

    made = make_environment("widgetschema.audit.page")
    made.globals["views"] = views
    return made
