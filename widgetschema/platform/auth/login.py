"""Login: the authorization URL (RFC 6749, section 4.1.1), the callback, the code exchange (4.1.3).

The callback listener is that of RFC 8252, section 7.3: on 127.0.0.1 only, for one response. It
rejects every other request and logs nothing, since the code is in the URL of the request. Nothing
is printed here.
"""

from __future__ import annotations

import hmac
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from widgetschema.errors import LoginRequired
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.tokens import Tokens, tokens_from
from widgetschema.platform.endpoints import parse_address
from widgetschema.platform.secret import Secret

if TYPE_CHECKING:
    from widgetschema.platform.client.client import Client


def new_state() -> str:
    """Return a new state that cannot be guessed (RFC 6749, section 10.12)."""
    return secrets.token_urlsafe(24)


def authorize_request(authorize_url: str, client_id: str, redirect_uri: str, state: str) -> str:
    """Return the URL to open in a browser; a query in `authorize_url` is kept.

    Raises `ValueError`, without the text, for what is no http(s) address.
    """
    base, _, query = authorize_url.strip().partition("?")
    parse_address(base, "the authorize URL")
    if "#" in query:
        raise ValueError("the authorize URL must not have a fragment (#)")
    parts = urlsplit(base)
    fields = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "state": state,
    }
    whole = "&".join(part for part in (query, urlencode(fields)) if part)
    return urlunsplit(parts._replace(query=whole))


def exchange(
    client: Client,
    storage: TokenStorage,
    *,
    client_id: str,
    client_secret: Secret,
    code: Secret,
    redirect_uri: str,
    clock: Callable[[], float],
) -> Tokens:
    """Spend the code, and keep what it gives: the tokens, of an account with a new name.

    A code can be spent once: see first whether the storage can be written (`probe`). Raises
    `PlatformError` and `TokenStorageError`.
    """
    response = client.exchange_code(
        client_id=client_id, client_secret=client_secret, code=code, redirect_uri=redirect_uri
    )
    assert client.auth_url is not None  # it has sent the code there
    tokens = tokens_from(
        response,
        base_url=client.base_url,
        auth_url=client.auth_url,
        client_id=client_id,
        client_secret=client_secret,
        obtained=clock(),
    )
    with storage.lock():
        storage.save(tokens)
    return tokens


PATH: Final = "/callback"
_HOST: Final = "127.0.0.1"
_MOST_REQUESTS: Final = 32  # at a time
_LONGEST_TARGET: Final = 8_192
# Errors that the platform may name (RFC 6749, section 4.1.2.1); no other text is repeated.
_ERRORS: Final = {
    "access_denied": "access was denied",
    "invalid_request": "the platform rejected the request (invalid_request)",
    "unauthorized_client": "this client may not request codes (unauthorized_client)",
    "unsupported_response_type": "the platform issues no codes (unsupported_response_type)",
    "invalid_scope": "the platform rejected the scope (invalid_scope)",
    "server_error": "the platform failed (server_error)",
    "temporarily_unavailable": "the platform is not available (temporarily_unavailable)",
}
# Constants: nothing that was received is ever shown.
_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>widgetschema</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body {{ font: 1.1em/1.5 sans-serif; max-width: 30em; margin: 4em auto }}</style>
<p>{}</p></html>
"""
_GOT_CODE: Final = _PAGE.format("You are logged in. You can close this page.").encode()
_GOT_ERROR: Final = _PAGE.format("The platform refused. See the terminal.").encode()
_NOT_OURS: Final = _PAGE.format("This is not the expected response.").encode()
_HEADERS: Final = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Connection": "close",
}


@dataclass(frozen=True, slots=True)
class LoopbackUri:
    """A redirect URI on this machine: `text` as it was registered, and its parts.

    `authority` is what a browser sends as `Host`.
    """

    text: str
    authority: str
    port: int
    path: str


def loopback_uri(text: str) -> LoopbackUri | None:
    """Return a redirect URI that a listener on 127.0.0.1 can serve; None for any other.

    That is an http address of 127.0.0.1 or localhost (RFC 8252, section 7.3).
    """
    try:
        parts = urlsplit(text)
        port = 80 if parts.port is None else parts.port
    except ValueError:
        return None
    is_here = parts.scheme == "http" and parts.hostname in (_HOST, "localhost")
    if not is_here or parts.query or parts.fragment or "@" in parts.netloc or not port:
        return None
    return LoopbackUri(text, parts.netloc.lower(), port, parts.path or "/")


def code_from(address: Secret, state: str) -> Secret:
    """Return the code in the address that a browser was sent to.

    Raises `LoginRequired`, without the address, if there is none.
    """
    answer = _answer(address, state.encode())
    if answer is None:
        answer = LoginRequired(
            "the address has no code of this login",
            "copy the whole address that the browser ended at",
        )
    if isinstance(answer, LoginRequired):
        raise answer
    return answer


class CallbackListener:
    """A server on a port of 127.0.0.1 (0: any free one), as a context manager.

    `state` is the text that the platform has to give back, `redirect_uri` a registered address on
    this machine, which determines the port. Raises `OSError` for a port that is taken.
    """

    def __init__(self, state: str, port: int = 0, redirect_uri: LoopbackUri | None = None) -> None:
        self._answers: queue.SimpleQueue[Secret | LoginRequired] = queue.SimpleQueue()
        self._registered = redirect_uri
        self._server = _Server(state, self._answers.put, port, redirect_uri)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def redirect_uri(self) -> str:
        """The address that the platform sends the browser to."""
        if self._registered is not None:
            return self._registered.text
        return f"http://{_HOST}:{self._server.server_port}{PATH}"

    def __enter__(self) -> CallbackListener:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait(self, timeout: float) -> Secret:
        """Return the code. Raises `LoginRequired` if it is refused, or after `timeout` seconds."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            try:
                # In short turns: not every system lets a long wait be interrupted.
                answer = self._answers.get(timeout=min(left, 0.5))
            except queue.Empty:
                continue
            if isinstance(answer, Secret):
                return answer
            raise answer
        raise LoginRequired(
            f"the browser did not come back from the platform within {timeout:g} seconds",
            "if it cannot reach this machine, use --code CODE --redirect-uri URI",
        )


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = _MOST_REQUESTS
    block_on_close = False  # a browser keeps connections open in advance, and says nothing

    def __init__(
        self,
        state: str,
        take: Callable[[Secret | LoginRequired], None],
        port: int,
        registered: LoopbackUri | None,
    ) -> None:
        self._state = state.encode()
        self._take = take
        self._room = threading.BoundedSemaphore(_MOST_REQUESTS)
        super().__init__((_HOST, port if registered is None else registered.port), _Handler)
        ours = f"{_HOST}:{self.server_port}"
        self.authority = ours if registered is None else registered.authority
        self.path = PATH if registered is None else registered.path

    def server_bind(self) -> None:
        # Without the lookup of our own name that HTTPServer makes: it can take seconds.
        if os.name == "posix":  # elsewhere it would let others take the port away
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = _HOST, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that has gone."""

    def answer_to(self, target: Secret) -> tuple[int, bytes]:
        """Return status and page for a request of `target`, and hand on the code that it brings."""
        answer = _answer(target, self._state)
        if answer is None:
            return 400, _NOT_OURS
        self._take(answer)
        return 200, _GOT_CODE if isinstance(answer, Secret) else _GOT_ERROR


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10
    protocol_version = "HTTP/1.0"  # one request for each connection
    server_version, sys_version = "widgetschema", ""

    def do_GET(self) -> None:
        if (
            self.headers.get("Host", "").lower() != self.server.authority
            or len(self.path) > _LONGEST_TARGET
        ):
            self._send(400, _NOT_OURS)  # another name for this machine: not our address
        elif self.path.partition("?")[0] != self.server.path:
            self._send(404, _NOT_OURS)  # the icon, for example
        else:
            self._send(*self.server.answer_to(Secret(self.path)))

    def _send(self, status: int, page: bytes) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Length": str(len(page))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: there is a code in it."""


def _answer(target: Secret, state: bytes) -> Secret | LoginRequired | None:
    """Return the code of a request, or why there is none; None if it is not of this login."""
    fields = _fields_of(target)
    if not hmac.compare_digest(fields.get("state", "").encode(), state):
        return None
    if "error" in fields:
        why = _ERRORS.get(fields["error"], "the platform refused, and its reason is unknown")
        return LoginRequired(f"there is no code: {why}", "run the command again")
    return Secret(fields["code"]) if fields.get("code") else None


def _fields_of(target: Secret) -> dict[str, str]:
    """Return the query's fields; none if one is repeated (RFC 6749, section 3.1)."""
    try:
        fields = parse_qs(urlsplit(target.reveal()).query, max_num_fields=50)
    except ValueError:
        return {}
    if any(len(values) > 1 for values in fields.values()):
        return {}
    return {name: values[0] for name, values in fields.items()}
