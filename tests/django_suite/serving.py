"""The test project as a server of its own, for a browser: `python -m tests.django_suite.serving`.

It prints its address, and runs until its standard input is closed.
"""

from __future__ import annotations

import os
import socketserver
import sys
import threading
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication


class ThreadedServer(socketserver.ThreadingMixIn, WSGIServer):
    """A server with a thread for each connection."""

    daemon_threads = True
    request_queue_size = 512


class QuietHandler(WSGIRequestHandler):
    """A handler that does not log requests."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def server_of(application: WSGIApplication) -> WSGIServer:
    """Return a server on a free port of the loopback interface."""
    return make_server("127.0.0.1", 0, application, ThreadedServer, QuietHandler)


def main() -> None:
    """Serve the project with a few rows, and somebody who may edit everything."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.django_suite.settings")
    django.setup()
    from django.contrib.auth.models import User
    from django.test.utils import setup_databases, teardown_databases
    from shop.models import Page, Widget  # type: ignore[import-not-found]

    from tests.django_suite.shelf.models import Shelf

    config = setup_databases(verbosity=0, interactive=False)
    User.objects.create_superuser("editor", password="editor")
    page = Page.objects.create(title="p")
    data = {"items": [{"q": "Why?"}], "accent": "#00ff00"}
    Widget.objects.create(name="w", type="faq", data=data, page=page)
    bad = {"items": [{"q": "Why?"}, {"q": "a", "rank": -1}], "accent": "red"}
    Widget.objects.bulk_create([Widget(name="bad", type="faq", data=data)])
    Widget.objects.filter(name="bad").update(data=bad)
    Shelf.objects.create()
    server = server_of(StaticFilesHandler(get_wsgi_application()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()
    server.shutdown()
    server.server_close()
    teardown_databases(config, verbosity=0)


if __name__ == "__main__":
    main()
