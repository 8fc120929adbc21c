"""Serve the editor of one file over the loopback interface.

The libraries for that are imported when it is called, so that the error for a missing extra can
say what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from secrets import token_urlsafe

from widgetschema.editor.session import EditorSession
from widgetschema.errors import MissingExtra
from widgetschema.forms.html.themes import Theme
from widgetschema.local_server import serving as serving_locally


@contextmanager
def serving(
    session: EditorSession,
    *,
    port: int = 0,
    log: Callable[[str], None] | None = None,
    theme: Theme = Theme(),  # noqa: B008  immutable
) -> Iterator[str]:
    """Serve the editor while the context lasts; yield the address, with its one-time token.

    Port 0 is any free port. `log` gets a line about an error of the editor itself, in the thread
    of the server. Raises `MissingExtra`, and `OSError` for a port that is taken.
    """
    try:
        import python_multipart  # noqa: F401  Starlette asks for it too late

        from widgetschema.editor.application import build_application
        from widgetschema.editor.guard import TOKEN

        token = token_urlsafe(32)
        application = build_application(session, token, log=log, theme=theme)
        server = serving_locally(application, "127.0.0.1", port, "the editor")
    except ImportError:
        needed = "the editor needs Starlette, uvicorn, python-multipart and Jinja2"
        raise MissingExtra("editor", needed) from None
    with server as url:
        yield f"{url}/?{TOKEN}={token}"
