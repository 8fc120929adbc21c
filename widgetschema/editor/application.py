"""The Starlette application of the editor: a few routes, none of which ever names a file.

`EditorSession` decides what a request leads to, in a thread; here it becomes a response. The
controls of a form are read from the request within limits that are set on purpose.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from secrets import compare_digest, token_urlsafe
from typing import Any, Final, TypeVar
from urllib.parse import unquote_to_bytes

import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from widgetschema.editor.guard import PREVIEW, Guard, message_page
from widgetschema.editor.pages import ASSETS, THEME, Pages
from widgetschema.editor.reconciliation import PREFIX
from widgetschema.editor.session import EditorError, EditorSession, Saved
from widgetschema.editor.texts import text
from widgetschema.errors import FormError, TooManyFields
from widgetschema.forms.control_names import FILE, ROOT, companion_name
from widgetschema.forms.html.themes import Theme
from widgetschema.forms.posted_controls import MAX_CONTROLS
from widgetschema.languages import speaking

_CSRF: Final = "csrf"
MAX_BYTES: Final = 64 * 1024 * 1024
_DRAIN_FACTOR: Final = 16  # how many times as much as is taken is listened to
_NO_UTF_8: Final = re.compile(rb"%[Ff][EFef]")
_MAX_PAGE_CONTROLS: Final = 100  # controls of the page beside those of the form
_FILES: Final = companion_name(FILE, ROOT)  # the beginning of the names of their controls
_T = TypeVar("_T")

Endpoint = Callable[[Request], Awaitable[Response]]


def build_application(
    session: EditorSession,
    token: str,
    *,
    log: Callable[[str], None] | None = None,
    theme: Theme = Theme(),  # noqa: B008  immutable
    most_bytes: int = MAX_BYTES,
) -> ASGIApp:
    """Return the application of an editor session, behind its guard.

    `token` is the one in the address; `log` gets a line about an error of the editor itself.
    """
    source = "" if session.preview is None else session.preview.source
    routes = _Routes(session, log or (lambda line: None), theme, most_bytes)
    guard = Guard(routes.application, token, source)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        with speaking(session.language):
            await guard(scope, receive, send)

    return application


class _Routes:
    """The routes, and their responses."""

    def __init__(
        self, session: EditorSession, log: Callable[[str], None], theme: Theme, most_bytes: int
    ) -> None:
        self._session = session
        self._csrf = token_urlsafe(32)
        sandbox = None if session.preview is None else session.preview.sandbox
        self._pages = Pages(session.file.name, {PREFIX + _CSRF: self._csrf}, sandbox, theme)
        self._log = log
        self._most_bytes = most_bytes
        self.application = Starlette(
            routes=[
                Route("/", self._answering(self._page), methods=["GET"]),
                Route("/", self._answering(self._post), methods=["POST"]),
                Route("/live", self._answering(self._live), methods=["POST"]),
                Route(PREVIEW, self._answering(self._preview), methods=["GET"]),
                Route("/current", self._answering(self._current), methods=["GET"]),
                *(
                    Route(f"/assets/{name}", partial(_asset, name, text), methods=["GET"])
                    for name, text in ASSETS.items()
                ),
                Route(THEME, partial(_asset, THEME, lambda: theme.css), methods=["GET"]),
            ],
            exception_handlers={HTTPException: _not_found},
        )
        self.application.router.redirect_slashes = False

    async def _page(self, request: Request) -> Response:
        about = request.query_params
        view = await _in_thread(self._session.show, about.get("done", ""), about.get("step", ""))
        return HTMLResponse(await _in_thread(self._pages.page, view), view.status)

    async def _post(self, request: Request) -> Response:
        found = await _in_thread(self._session.post, await self._controls(request))
        if isinstance(found, Saved):
            return RedirectResponse(f"/?done={found.done}&step={found.step}", 303)
        return HTMLResponse(await _in_thread(self._pages.page, found), found.status)

    async def _live(self, request: Request) -> Response:
        fields = await self._controls(request)

        def answer() -> dict[str, Any]:
            return self._pages.answer(self._session.live_view(fields), fields)

        return _json(await _in_thread(answer))

    async def _preview(self, request: Request) -> Response:
        step = request.query_params.get("step", "")
        page = await _in_thread(self._session.previewed, step)
        return RedirectResponse(page.address, 303) if page.address else HTMLResponse(page.html)

    async def _current(self, request: Request) -> Response:
        about = request.query_params
        names = ("version", "type", "schema")
        is_current = await _in_thread(
            self._session.is_current, *(about.get(name, "") for name in names)
        )
        return _json({"current": is_current})

    async def _controls(self, request: Request) -> dict[str, list[str]]:
        """Return the controls that were sent. Raise `EditorError` and `TooManyFields`."""
        fields = await read_form(request, self._most_bytes)
        given = "".join(fields.get(PREFIX + _CSRF, ()))
        if not compare_digest(given.encode("utf-8", "replace"), self._csrf.encode()):
            raise EditorError(403, text("error.no-page-of-this"))
        return fields

    # What does not work

    def _answering(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint that always answers, and reports errors."""

        async def answer(request: Request) -> Response:
            try:
                return await endpoint(request)
            except EditorError as error:
                return _refusal(request, error.status, error.sentence, error.detail)
            except TooManyFields as error:
                sentence = text("error.too-many", number=error.count, most=error.limit)
                return _refusal(request, 422, sentence)
            except FormError as error:
                return _refusal(request, 422, text("error.form"), error.reason)
            except ClientDisconnect:
                return Response(status_code=400)  # the client is gone
            except Exception as error:
                return self._mistake(request, type(error).__name__)

        return answer

    def _mistake(self, request: Request, kind: str) -> Response:
        with suppress(OSError):
            self._log(f"the editor had an internal error, and went on: {kind}")
        return _refusal(request, 500, text("error.mistake", kind=kind))


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _refusal(request, error.status_code, text("error.no-page"))


def _refusal(request: Request, status: int, sentence: str, detail: str = "") -> Response:
    if request.url.path == "/live":
        return _json({"notice": sentence, **({"detail": detail} if detail else {})}, status)
    return message_page(status, sentence, detail)


def _json(value: Any, status: int = 200) -> Response:
    """JSON in ASCII, since data may hold what no UTF-8 can."""
    return Response(json.dumps(value), status, media_type="application/json")


async def _asset(name: str, text: Callable[[], str], request: Request) -> Response:
    media_type = "text/css" if name.endswith(".css") else "text/javascript"
    return Response(text(), media_type=media_type)


async def _in_thread(work: Callable[..., _T], *arguments: Any) -> _T:
    return await anyio.to_thread.run_sync(work, *arguments)


async def read_form(request: Request, most_bytes: int = MAX_BYTES) -> dict[str, list[Any]]:
    """Return the controls by name, with their values in order: texts and files.

    Raises `EditorError` for a body that is too large or no form, `TooManyFields`, and the errors of
    `Request.stream`.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise EditorError(415, text("error.no-form"))
    body = await _body(request, most_bytes)
    if media_type == "multipart/form-data":
        pairs = await _multipart(request.headers, body, most_bytes)
    else:
        pairs = _urlencoded(body)
    found: dict[str, list[Any]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


async def _body(request: Request, most: int) -> bytes:
    body, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= most:
            body += chunk
        elif size > most * _DRAIN_FACTOR:
            break
    # A browser reads the answer after it has sent everything; otherwise it reports an error.
    if size > most:
        raise EditorError(413, text("error.too-large", most=most))
    return bytes(body)


def _urlencoded(body: bytes) -> list[tuple[str, str]]:
    most = MAX_CONTROLS + _MAX_PAGE_CONTROLS
    count = body.count(b"&") + 1
    if count > most:
        raise TooManyFields(count, MAX_CONTROLS)
    try:
        return parse_urlencoded(body)
    except ValueError:
        raise EditorError(422, text("error.not-utf-8")) from None


def parse_urlencoded(body: bytes) -> list[tuple[str, str]]:
    """Return the pairs of a posted form, as `urllib.parse.parse_qsl` does, in half of the time.

    All is decoded at once, with bytes that UTF-8 does not have in place of `&` and `=`. Raises
    `ValueError` for what is not UTF-8.
    """
    if not body.isascii() or _NO_UTF_8.search(body):
        raise ValueError("not UTF-8")
    marked = body.replace(b"+", b" ").replace(b"&", b"\xff").replace(b"=", b"\xfe")
    parts = (part.partition(b"\xfe") for part in unquote_to_bytes(marked).split(b"\xff") if part)
    return [(name.decode(), value.replace(b"\xfe", b"=").decode()) for name, _, value in parts]


async def _multipart(headers: Headers, body: bytes, most: int) -> list[tuple[str, Any]]:
    async def stream() -> AsyncIterator[bytes]:
        yield body

    most_fields = MAX_CONTROLS + _MAX_PAGE_CONTROLS
    parser = MultiPartParser(
        headers,
        stream(),  # type: ignore[arg-type]
        max_files=most_fields,
        max_fields=most_fields,
        max_part_size=most,
    )
    try:
        form = await parser.parse()
    except MultiPartException as error:
        if body.count(b"form-data") > most_fields:
            raise TooManyFields(body.count(b"form-data"), MAX_CONTROLS) from None
        raise EditorError(422, text("error.unreadable"), error.message) from None
    pairs: list[tuple[str, Any]] = []
    try:
        for name, value in form.multi_items():
            if isinstance(value, str):
                pairs.append((name, value))
            elif not name.startswith(_FILES):
                reason = "a file was sent in place of a text"
                raise EditorError(422, text("error.unreadable"), reason)
            elif value.filename:  # something was chosen
                pairs.append((name, await value.read()))
    finally:
        await form.close()
    return pairs
