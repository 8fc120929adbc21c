"""The way in: the page about one file, over loopback, while a context lasts.

The libraries that this takes are imported when it is called: whoever has not installed the extra
is told what is missing. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from secrets import token_urlsafe

from widgetschema.editor.editing import Editing
from widgetschema.errors import MissingExtra
from widgetschema.local_server import serving as serving_locally


@contextmanager
def serving(
    editing: Editing,
    *,
    port: int = 0,
    log: Callable[[str], None] | None = None,
) -> Iterator[str]:
    """Serve the page; the address to open, which holds a token that is good once.

    Port 0 is any that is free. `log` gets a line about a mistake of our own, in the thread of the
    server. Raises `MissingExtra`, and `OSError` for a port that is taken.
    """
    try:
        import python_multipart  # noqa: F401  Starlette asks for it too late

        from widgetschema.editor.guard import TOKEN
        from widgetschema.editor.web import build

        token = token_urlsafe(32)
        application = build(editing, token, log=log)
        server = serving_locally(application, "127.0.0.1", port, "the editor")
    except ImportError:
        needed = "the editor needs Starlette, uvicorn, python-multipart and Jinja2"
        raise MissingExtra("editor", needed) from None
    with server as url:
        yield f"{url}/?{TOKEN}={token}"
