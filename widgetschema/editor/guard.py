"""Access to the editor: for the one browser that opened its address, from its own pages.

An ASGI application around the editor's. The address holds a one-time token, which is exchanged
for a cookie, which no page of another site sends along (RFC 6265bis, SameSite). Only the headers of
a request are read here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from html import escape
from secrets import compare_digest, token_urlsafe
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from widgetschema.editor.texts import text
from widgetschema.forms.content_policy import hash_source
from widgetschema.forms.html import stylesheet
from widgetschema.forms.markdown import STYLE_SOURCE
from widgetschema.forms.preview import PREVIEW_HEADERS
from widgetschema.forms.texts import text as form_text
from widgetschema.languages import current_language
from widgetschema.local_server import foreign_header

TOKEN: Final = "token"  # noqa: S105  the name of a parameter

_STYLE: Final = f"\n{stylesheet()}\n"  # inside of messages: assets are not for everybody
HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; "
    f"style-src 'self' {STYLE_SOURCE} {hash_source(_STYLE)}; "
    "script-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",  # with no-referrer, a form's Origin would be null
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

PREVIEW: Final = "/preview"  # the only page that is shown in a frame: of ours, and without scripts
_FRAMED: Final = {**HEADERS, **PREVIEW_HEADERS}

_DETAILS: Final = '<details><summary>{label}</summary><p lang="en" dir="ltr">{detail}</p></details>'
_PAGE: Final = """<!DOCTYPE html>
<html lang="{lang}" dir="{direction}"><head><meta charset="utf-8"><title>widgetschema</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>{style}</style>
</head><body class="ws-page"><main><h1>{title}</h1><p>{sentence}</p>{details}
<p><a href="/">{link}</a></p></main>
</body></html>
"""


class Guard:
    """Accepts requests from the editor's own pages; everything else gets a 403.

    `token` is the one in the address, `frames` the source of pages in frames, if there are any.
    Every answer gets the headers of `HEADERS`, the preview those of `PREVIEW_HEADERS`.
    """

    def __init__(self, application: ASGIApp, token: str, frames: str = "") -> None:
        policy = HEADERS["content-security-policy"]
        sources = f"; frame-src 'self' {frames}" if frames else ""
        self._headers = {**HEADERS, "content-security-policy": policy + sources}
        self._application = application
        self._token = token
        self._cookie = token_urlsafe(32)
        self._lock = threading.Lock()
        self._used = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it, with the headers of every response."""
        headers = _FRAMED if scope["path"] == PREVIEW else self._headers

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        refusal = self._answer(scope)
        await (refusal or self._application)(scope, receive, guarded)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the response in place of the application; None for a request that may go on."""
        headers, port = Headers(scope=scope), scope["server"][1]
        foreign = foreign_header(scope["method"], headers, scope["server"])
        if foreign == "host":
            return message_page(403, text("guard.wrong-host"))
        name = f"widgetschema-{port}"
        is_known = self._is_known(headers.getlist("cookie"), name)
        given = parse_qs(scope["query_string"].decode("latin-1")).get(TOKEN)
        if given and scope["path"] == "/" and scope["method"] == "GET":
            return self._exchange(given[-1], name, is_known=is_known)
        if not is_known:
            return message_page(403, text("guard.no-cookie"))
        is_page = "origin" in headers or "sec-fetch-site" in headers
        if foreign or (scope["method"] not in ("GET", "HEAD") and not is_page):
            return message_page(403, text("guard.foreign-origin"))
        return None

    def _exchange(self, given: str, cookie: str, *, is_known: bool) -> Response:
        if not _is_equal(given, self._token):
            return message_page(403, text("guard.other-address"))
        with self._lock:
            used, self._used = self._used, True
        if used and not is_known:
            return message_page(403, text("guard.used"))
        response = RedirectResponse("/", 303)
        if not is_known:
            response.set_cookie(cookie, self._cookie, path="/", httponly=True, samesite="strict")
        return response

    def _is_known(self, cookies: Iterable[str], name: str) -> bool:
        pairs = [one.strip().partition("=") for line in cookies for one in line.split(";")]
        return any(key == name and _is_equal(value, self._cookie) for key, _, value in pairs)


def message_page(status: int, sentence: str, detail: str = "") -> Response:
    """Return a page with one message, without a form or any input; its style is inside.

    `detail` is for developers, in English.
    """
    language = current_language()
    label = escape(form_text("details"))
    page = _PAGE.format(
        lang=escape(language.tag),
        direction=language.direction,
        style=_STYLE,
        title=escape(text("guard.title" if status != 404 else "guard.nothing")),
        sentence=escape(sentence),
        details=_DETAILS.format(label=label, detail=escape(detail)) if detail else "",
        link=escape(text("guard.link")),
    )
    return HTMLResponse(page, status)


def _is_equal(given: str, known: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), known.encode())
