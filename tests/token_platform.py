"""A platform of a few lines for tests of tokens: real HTTP, and everything it does is counted.

The sandbox stands in for the platform as documented; this one does on demand what no platform
should, and keeps its answers in the hands of the test.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from traceback import walk_stack
from typing import Any, Final
from urllib.parse import parse_qs

from tests.terminal import HANG
from widgetschema.platform.auth.auth import TokenAuth
from widgetschema.platform.auth.renewal import Exclusive
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.client.client import AsyncClient, Client
from widgetschema.platform.client.retrying import Retries
from widgetschema.platform.secret import Secret

CLIENT_ID = "the-client"
NOW = 1_700_000_000.0
ONCE = Retries(attempts=1)
_WAITS: Final[Any] = {"timeout": HANG, "total_timeout": HANG}  # a slow machine decides nothing
INVALID_GRANT = (400, '{"error": "invalid_grant"}')


class Platform:
    """Its state: which tokens are good, and what the token endpoint answers.

    `trouble` is what the token endpoint does instead of what is asked: `(status, body)`, or
    "drop" for no answer at all. `calls` holds what was asked for: ("api", bearer) and
    ("token", form).
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.calls: list[tuple[str, Any]] = []
        self.access = "access-0"
        self.refresh = "refresh-0"
        self.code = "code-0"
        self.rotates = False
        self.expires_in: Any = "3600"
        self.trouble: tuple[int, str] | str | None = None
        self.refuses_all = False
        self.count = 0
        self.url = ""
        self.hold: Callable[[], object] = lambda: None  # called before tokens are sent

    @property
    def base_url(self) -> str:
        return f"{self.url}/platform/api/v1"

    @property
    def refreshes(self) -> int:
        """Return the number of requests to refresh."""
        return sum(1 for kind, _ in self.calls if kind == "token")

    @property
    def bearers(self) -> list[str | None]:
        """The bearers of the requests for widgets."""
        return [value for kind, value in self.calls if kind == "api"]

    def wait_for(self, requests: int, renewals: Callable[[], int]) -> None:
        """Wait until so many requests for widgets came, and each that made one wants new tokens.

        `renewals` counts those that do: see `renewing_threads`, `renewing_tasks`.
        """
        for _ in range(12_000):
            if len(self.bearers) >= requests and renewals() >= requests:
                break
            time.sleep(0.01)

    def tokens(self, **changes: Any) -> Tokens:
        """Tokens that were good, the access token being refused by now."""
        fields: dict[str, Any] = {
            "access_token": Secret("stale"),
            "base_url": self.base_url,
            "auth_url": self.url,
            "refresh_token": Secret(self.refresh),
            "client_id": CLIENT_ID,
            "client_secret": Secret("hush"),
            "account": "somebody",
        }
        return Tokens(**{**fields, **changes})

    def token_answer(self, form: dict[str, str]) -> tuple[int, str]:
        """The answer of the token endpoint, as documented."""
        with self.lock:
            self.calls.append(("token", form))
            if self.trouble is not None:
                return self.trouble if isinstance(self.trouble, tuple) else (0, "")
            first = form["grant_type"] == "authorization_code"
            good = (
                form.get("code") == self.code
                if first
                else form.get("refresh_token") == self.refresh
            )
            if not good:
                return 400, '{"error": "invalid_grant"}'
            self.count += 1
            self.access = f"access-{self.count}"
            answer = {"access_token": self.access, "expires_in": self.expires_in}
            if self.rotates or first:
                self.refresh = f"refresh-{self.count}"
                answer |= {"refresh_token": self.refresh, "refresh_token_expires_in": "30d"}
            return 200, json.dumps(answer)

    def api_answer(self, bearer: str | None) -> tuple[int, str]:
        """The answer of the list of widgets."""
        with self.lock:
            self.calls.append(("api", bearer))
            if bearer != f"Bearer {self.access}" or self.refuses_all:
                return 401, '{"error": "unauthorized"}'
            return 200, '{"total": 0, "limit": 10, "offset": 0, "page": 1, "pages": 1, "docs": []}'


@contextmanager
def platform() -> Iterator[Platform]:
    """A platform that answers on a port of this machine."""
    state = Platform()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(*state.api_answer(self.headers.get("Authorization")))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, text = state.token_answer({k: v[0] for k, v in parse_qs(body).items()})
            state.hold()
            if state.trouble != "drop":
                self.answer(status, text)

        def answer(self, status: int, text: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 256
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def renewing_threads() -> int:
    """Return the number of threads that renew tokens, or wait for the one that does."""
    frames = [frame for one in sys._current_frames().values() for frame, _ in walk_stack(one)]
    flows = [frame for frame in frames if frame.f_code is TokenAuth.sync_auth_flow.__code__]
    return sum(isinstance(flow.f_locals.get("step"), Exclusive) for flow in flows)


def renewing_tasks(loop: asyncio.AbstractEventLoop, own: int) -> int:
    """Return the number of tasks that renew tokens, or wait for the one that does.

    They are the tasks of an event loop that are not the `own` ones of a test.
    """
    return len(asyncio.all_tasks(loop)) - own


def shown(error: BaseException) -> str:
    """All that a crash reporter may show of an error, with the local variables of each frame.

    Errors that it was raised from, or while handling, count too; frames of the tests do not.
    """
    texts: list[str] = []
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        texts += [str(one), repr(one), repr(one.args), repr(vars(one))]
        for frame in traceback.TracebackException.from_exception(one, capture_locals=True).stack:
            if (
                Path(__file__).parent not in Path(frame.filename).parents
                and frame.filename != "<string>"
            ):
                texts.append(f"{frame.filename}:{frame.lineno} {frame.name} {frame.locals}")
        waiting += [other for other in (one.__cause__, one.__context__) if other is not None]
    return "\n".join(texts)


def client_for(
    real: Platform, storage: TokenStorage, *, now: Callable[[], float] = lambda: NOW, **auth: Any
) -> Client:
    """A client, as `connect` makes it."""
    token_auth = TokenAuth(storage, base_url=real.base_url, clock=now, **auth)
    client = Client(real.base_url, auth_url=real.url, auth=token_auth, retries=ONCE, **_WAITS)
    token_auth.use(client)
    return client


def async_client_for(real: Platform, storage: TokenStorage) -> AsyncClient:
    token_auth = TokenAuth(storage, base_url=real.base_url)
    client = AsyncClient(real.base_url, auth_url=real.url, auth=token_auth, retries=ONCE, **_WAITS)
    token_auth.use(client)
    return client
