"""Previews that a person asks for on the command line: by a command, or by another server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import quote, urlsplit

from widgetschema.editor.texts import text
from widgetschema.forms.preview import PreviewError, PreviewPage, RenderedPreview, preview_message

MAX_ADDRESS: Final = 32_000  # characters that servers and browsers take
_MAX_SECONDS: Final = 30
_MAX_MESSAGE: Final = 4_000
_PLACE: Final = "{data}"


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
            raise PreviewError(f"it must have {_PLACE} exactly once, after the host")
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
            return preview_message(said)
        return PreviewPage(address=address)


Preview = AddressPreview | RenderedPreview
"""A way to make a page of widget data, for a frame with its `sandbox`, from its `source`."""


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
