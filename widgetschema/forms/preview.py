"""Previews: what an application makes of widget data, shown in a frame beside the form.

A preview is a program of the application; the data is anybody's. The page of a `RenderedPreview`
runs no script, whatever is in the data, and has no origin (HTML, "sandboxing"), so nothing in it
can reach the page around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final, NamedTuple

from widgetschema.forms.checking import plain_numbers
from widgetschema.forms.texts import text
from widgetschema.jsontext import Limits, plain_copy
from widgetschema.languages import current_language
from widgetschema.text import shorten

_MAX_HTML: Final = 16 * 1024 * 1024
_MAX_MESSAGE: Final = 4_000

# Of the pages that a callable makes: they are data, and may only be looked at, in a frame of ours.
PREVIEW_HEADERS: Final[Mapping[str, str]] = {
    "cache-control": "no-store",
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline' https:; "
    "img-src data: https:; font-src data: https:; media-src data: https:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
}

_PAGE: Final = """<!DOCTYPE html>
<html lang="{lang}" dir="{direction}"><head><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
</head><body><main><h1>{title}</h1><pre style="white-space: pre-wrap">{text}</pre></main></body>
</html>
"""


class PreviewError(Exception):
    """A preview cannot be made; the message says why."""


class PreviewPage(NamedTuple):
    """The page in the frame: its HTML, or the address that has it."""

    html: str = ""
    address: str = ""


class RenderedPreview:
    """A preview by a callable that returns a whole HTML page for some data.

    The page may have styles, and images, fonts and media by https or data addresses. The callable
    gets the data as Python values of its own, valid or not, in any thread. If it raises, the frame
    says so.
    """

    sandbox: Final = ""
    source: Final = "'self'"

    def __init__(self, render: Callable[[Any], str]) -> None:
        self._render = render

    def show(self, data: Any) -> PreviewPage:
        """Return the page for some data."""
        try:
            html: object = self._render(data)
        except PreviewError as error:
            return preview_message(str(error))
        except Exception as error:
            return preview_message(f"{type(error).__name__}: {error}")
        if not isinstance(html, str):
            return preview_message(text("preview.no-text", type=type(html).__name__))
        if len(html) > _MAX_HTML:
            said = text("preview.page-too-large", number=len(html))
            return preview_message(said)
        return PreviewPage(html.encode("utf-8", "replace").decode())


def own_copy(data: Any, limits: Limits) -> Any:
    """Return the data of a form as Python values that a preview may change."""
    return plain_copy(plain_numbers(data), limits.max_depth)[0]


def preview_message(sentence: str, title: str = "") -> PreviewPage:
    """Return a page with a message in place of a preview."""
    language = current_language()
    said = shorten(sentence, _MAX_MESSAGE).encode("utf-8", "replace").decode()
    page = _PAGE.format(
        lang=escape(language.tag),
        direction=language.direction,
        name=escape(text("preview.frame")),
        title=escape(title or text("preview.none")),
        text=escape(said),
    )
    return PreviewPage(page)
