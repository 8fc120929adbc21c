"""The guard for WSGI applications: middleware that checks widget data before the application."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Mapping
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from widgetschema.catalog.catalog import Catalog
from widgetschema.integrations.bodies import CUT_OFF, MAX_BODY_BYTES
from widgetschema.integrations.form_views import Answer, answer_to
from widgetschema.integrations.guarding import CHECKED_METHODS, Guard, Match
from widgetschema.integrations.problems import Problem, problem

_CHUNK = 64 * 1024


class GuardMiddleware:
    """Check the widget data in requests before a WSGI application gets them (PEP 3333).

    The body of a request that matches is read, checked, and passed on, byte for byte. Otherwise,
    the response is a problem (RFC 9457), and the application is not called. Everything else is
    passed on unchanged.

    Args:
        app: The application, such as `app.wsgi_app` of Flask.
        paths: For each pattern of paths, such as `/widgets/{type}`, the id of the widget type: a
            text, or a placeholder of the pattern (`{type}`). None takes the member `type` of the
            documents. The first pattern that matches counts. A placeholder is one segment.
        catalog: The catalog, or a function that returns it.
        documents: The bodies are widget documents, not the data alone.
        methods: The methods whose bodies are checked. Any other method that might save data, such
            as PATCH, is refused (405).
        max_bytes: The largest body, in bytes.

    Raises:
        ValueError: For a pattern or a type that cannot be used.
    """

    def __init__(
        self,
        app: WSGIApplication,
        paths: Mapping[str, str | None],
        *,
        catalog: Catalog | Callable[[], Catalog] = Catalog.default,
        documents: bool = False,
        methods: Collection[str] = CHECKED_METHODS,
        max_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._app = app
        self._guard = Guard(
            paths, catalog=catalog, documents=documents, methods=methods, max_bytes=max_bytes
        )

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Handle a request."""
        path = _text(environ.get("PATH_INFO", ""))
        mounted = _text(environ.get("SCRIPT_NAME", "")) + path
        raw_path = _text(environ.get("RAW_URI") or environ.get("REQUEST_URI") or "")
        match = self._guard.match(environ["REQUEST_METHOD"], [path, mounted], raw_path)
        if match is None:
            return self._app(environ, start_response)
        body = match if isinstance(match, Problem) else self._body(environ)
        if isinstance(body, Problem):
            self._skip_body(environ)
            return _send(answer_to(body), start_response)
        assert isinstance(match, Match)
        refused = self._guard.check(match, body)
        if refused is not None:
            return _send(answer_to(refused), start_response)
        replayed = {**environ, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        replayed.pop("HTTP_TRANSFER_ENCODING", None)  # the whole body has been read
        return self._app(replayed, start_response)

    def _body(self, environ: WSGIEnvironment) -> bytes | Problem:
        """Return the body of a request, or the response that refuses it."""
        length = environ.get("CONTENT_LENGTH") or None
        is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        if is_chunked and (length is not None or not environ.get("wsgi.input_terminated")):
            return problem(411, "send the body with a Content-Length, without Transfer-Encoding")
        content_type = environ.get("CONTENT_TYPE", "")
        encoding = environ.get("HTTP_CONTENT_ENCODING", "")
        refused = self._guard.refused(
            [content_type] if content_type else [], encoding.split(","), length
        )
        if refused is not None:
            return refused
        expected = self._guard.max_bytes + 1 if is_chunked else int(length or 0)
        body = _read(environ["wsgi.input"], expected)
        if len(body) > self._guard.max_bytes:
            return self._guard.too_large()
        if len(body) < expected and not is_chunked:
            return CUT_OFF
        return body

    def _skip_body(self, environ: WSGIEnvironment) -> None:
        """Read a refused body: some servers send no response before the body was read."""
        length = environ.get("CONTENT_LENGTH") or ""
        if length.isascii() and length.isdigit() and len(length) < 18:
            _read(environ["wsgi.input"], min(int(length), self._guard.max_bytes))


def _read(stream: Any, size: int) -> bytes:
    """Read up to `size` bytes, fewer only at the end of the stream."""
    chunks = []
    while size > 0 and (chunk := stream.read(min(size, _CHUNK))):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _text(value: str) -> str:
    """Decode a text of the environment, whose characters stand for bytes (PEP 3333)."""
    return value.encode("latin-1", "replace").decode("utf-8", "replace")


def _send(answer: Answer, start_response: StartResponse) -> Iterable[bytes]:
    headers = {
        "Content-Type": answer.media_type,
        "Content-Length": str(len(answer.body)),
        **answer.headers,
    }
    start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", [*headers.items()])
    return [answer.body]
