"""Previews: what an application makes of widget data, shown in a frame beside the form.

A preview is the program of the application or of the person; the data is anybody's. The page of a
`RenderedPreview` runs no script, whatever is in the data, and has no origin (HTML, "sandboxing"),
so nothing in it can reach the editor.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

from widgetschema.editor.texts import text
from widgetschema.languages import current_language
from widgetschema.text import shorten

MAX_ADDRESS: Final = 32_000  # characters that servers and browsers take
_MAX_HTML: Final = 16 * 1024 * 1024
_MAX_SECONDS: Final = 30
_MAX_MESSAGE: Final = 4_000
_PLACE: Final = "{data}"

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


class Preview(Protocol):
    """A way to make a page of widget data.

    `sandbox` is the attribute of the frame, `source` the origin of its pages in a
    Content-Security-Policy.
    """

    @property
    def sandbox(self) -> str:
        """What pages in the frame may do."""
        ...

    @property
    def source(self) -> str:
        """Where pages in the frame come from."""
        ...

    def show(self, data: Any) -> PreviewPage:
        """Return the page for some data, which may be invalid; a page if that fails, too."""
        ...


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
            return message(text("preview.none"), str(error))
        except Exception as error:
            return message(text("preview.none"), f"{type(error).__name__}: {error}")
        if not isinstance(html, str):
            return message(text("preview.none"), text("preview.no-text", type=type(html).__name__))
        if len(html) > _MAX_HTML:
            said = text("preview.page-too-large", number=len(html))
            return message(text("preview.none"), said)
        return PreviewPage(html.encode("utf-8", "replace").decode())


class AddressPreview:
    """A preview by a page of another server, whose address has the data in place of `{data}`.

    Raises `PreviewError` for a template that no address can be made of.
    """

    sandbox: Final = "allow-scripts allow-same-origin allow-forms"

    def __init__(self, template: str) -> None:
        parts = urlsplit(template)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PreviewError("it must begin with http:// or https:// and a host")
        if _PLACE in parts.netloc or template.count(_PLACE) != 1:
            raise PreviewError(f"it must have {_PLACE} once, behind the host")
        if any(one.isspace() or one in "\"';," or not one.isprintable() for one in parts.netloc):
            raise PreviewError("its host has characters that no host has")
        if parts.hostname == "127.0.0.1":
            # A browser sends the cookies of the editor to all ports of its host (RFC 6265, 8.5).
            raise PreviewError("pages of the host 127.0.0.1 get the editor's cookie; use localhost")
        self._template = template
        self.source: Final = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    def show(self, data: Any) -> PreviewPage:
        """Return the address for some data."""
        quoted = quote(json.dumps(data, separators=(",", ":")), safe="")
        address = self._template.replace(_PLACE, quoted)
        if len(address) > MAX_ADDRESS:
            said = text("preview.address-too-large", number=len(address))
            return message(text("preview.none"), said)
        return PreviewPage(address=address)


def command_preview(command: Sequence[str]) -> Callable[[Any], str]:
    """Return the callable that runs a command: JSON on standard input, HTML on standard output."""

    def render(data: Any) -> str:
        sent = json.dumps(data).encode()
        try:
            run = subprocess.run(  # noqa: S603  the command is given by the person
                command, input=sent, capture_output=True, timeout=_MAX_SECONDS, check=False
            )
        except OSError as error:
            raise PreviewError(f"{command[0]}: {error.strerror or error}") from None
        except subprocess.TimeoutExpired:
            said = text("preview.too-slow", command=command[0], number=_MAX_SECONDS)
            raise PreviewError(said) from None
        if run.returncode:
            said = run.stderr.decode(errors="replace")[-_MAX_MESSAGE:]
            failed = text("preview.failed", command=command[0], code=run.returncode)
            raise PreviewError(f"{failed}\n{said}")
        return run.stdout.decode(errors="replace")

    return render


def message(title: str, sentence: str) -> PreviewPage:
    """Return a page with a message in place of a preview."""
    language = current_language()
    said = shorten(sentence, _MAX_MESSAGE).encode("utf-8", "replace").decode()
    page = _PAGE.format(
        lang=escape(language.tag),
        direction=language.direction,
        name=escape(text("side.preview")),
        title=escape(title),
        text=escape(said),
    )
    return PreviewPage(page)
