"""The guard for WSGI applications: middleware that checks widget data before the application."""

from __future__ import annotations

import io
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from widgetschema.errors import WidgetSchemaError
from widgetschema.integrations.bodies import checked_body, cut_off, too_large
from widgetschema.integrations.form_views import Answer
from widgetschema.integrations.guarding import Guard
from widgetschema.integrations.problems import RefusedRequest, naming_type

_CHUNK = 64 * 1024


class GuardMiddleware(Guard[WSGIApplication]):
    """Check the widget data in requests before a WSGI application gets them (PEP 3333).

    For the arguments, see `widgetschema.integrations.guarding.Guard`. The application may be
    `app.wsgi_app` of Flask.
    """

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Handle a request."""
        path = _text(environ.get("PATH_INFO", ""))
        mounted = _text(environ.get("SCRIPT_NAME", "")) + path
        raw_path = _text(environ.get("RAW_URI") or environ.get("REQUEST_URI") or "")
        try:
            match = self._match(environ["REQUEST_METHOD"], [path, mounted], raw_path)
            body = None if match is None else self._body(environ)
        except WidgetSchemaError as error:
            self._skip_body(environ)
            return _send(self._refusal(None, error), start_response)
        if match is None or body is None:
            return self._app(environ, start_response)
        try:
            with naming_type(match.of_application):
                checked_body(
                    body,
                    match.type,
                    self._catalog,
                    is_document=self._documents,
                    max_bytes=self._max_bytes,
                )
        except WidgetSchemaError as error:
            return _send(self._refusal(match, error), start_response)
        replayed = {**environ, "wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        replayed.pop("HTTP_TRANSFER_ENCODING", None)  # the whole body has been read
        return self._app(replayed, start_response)

    def _body(self, environ: WSGIEnvironment) -> bytes:
        """Return the body of a request.

        Raises:
            RefusedRequest: If it cannot be read.
            UnreadableDocument: If it is too large.
        """
        length = environ.get("CONTENT_LENGTH") or None
        is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        if is_chunked and (length is not None or not environ.get("wsgi.input_terminated")):
            detail = "send the body with a Content-Length, without Transfer-Encoding"
            raise RefusedRequest(411, detail)
        content_type = environ.get("CONTENT_TYPE", "")
        encodings = environ.get("HTTP_CONTENT_ENCODING", "").split(",")
        self._require_readable([content_type] if content_type else [], encodings, length)
        expected = self._max_bytes + 1 if is_chunked else int(length or 0)
        body = _read(environ["wsgi.input"], expected)
        if len(body) > self._max_bytes:
            raise too_large(self._max_bytes)
        if len(body) < expected and not is_chunked:
            raise cut_off()
        return body

    def _skip_body(self, environ: WSGIEnvironment) -> None:
        """Read a refused body: some servers send no response before the body was read."""
        length = environ.get("CONTENT_LENGTH") or ""
        if length.isascii() and length.isdigit() and len(length) < 18:
            _read(environ["wsgi.input"], min(int(length), self._max_bytes))


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
    start_response(
        f"{answer.status} {HTTPStatus(answer.status).phrase}", [*answer.sent_headers.items()]
    )
    return [answer.body]
