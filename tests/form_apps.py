"""The small applications of the manual, loaded once each: a framework has one configuration.

And a server for those of WSGI.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from socketserver import ThreadingMixIn
from types import ModuleType
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from tests.terminal import HANG

FOLDER: Final = Path(__file__).parent / "data" / "forms" / "apps"


@cache
def application(name: str) -> ModuleType:
    """The module of an application; it is known by its name, as Django wants it."""
    spec = spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 512


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def wsgi_served(app: Any) -> Iterator[str]:
    """The origin of a WSGI application, on a port of its own."""
    with make_server("127.0.0.1", 0, app, _Server, _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(HANG)
