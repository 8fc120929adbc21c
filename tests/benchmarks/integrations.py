"""The cost of the checks in applications: `python -m tests.benchmarks.integrations`.

All times are processor time. A request goes straight into the application, without a server and a
network, so the guard is compared with nearly nothing: what it costs is the difference.

With `--write` the tables go into `tables.md`. Needs the extra `test`. Not a test: nothing here
passes or fails.
"""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

import widgetschema
from tests.benchmarks.payloads import VALID
from tests.benchmarks.timing import Task, in_tables, table, take_turns, versions
from widgetschema import Accounts, Client
from widgetschema.audit import check_many
from widgetschema.integrations import asgi, wsgi
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.secret import Secret

BODY = json.dumps(VALID).encode()
INVALID = BODY.replace(b'"timerDays": 3', b'"timerDays": "soon"')
PATHS = {"/widgets/{type}": "{type}"}
REQUESTS = 100
ROWS = 2_000


def main() -> None:
    """All tables."""
    with in_tables("integrations"):
        versions("starlette", "anyio", "httpx")
        middleware()
        rows()
        clients()


def middleware() -> None:
    """Requests to guarded and unguarded applications."""
    tasks: dict[str, Task] = {
        "ASGI, unguarded": partial(asgi_requests, asgi_app, BODY),
        "ASGI, guarded": partial(asgi_requests, asgi.GuardMiddleware(asgi_app, PATHS), BODY),
        "ASGI, guarded, refused": partial(
            asgi_requests, asgi.GuardMiddleware(asgi_app, PATHS), INVALID
        ),
        "ASGI, body in a thread": partial(asgi_requests, threaded_app, BODY),
        "WSGI, unguarded": partial(wsgi_requests, wsgi_app, BODY),
        "WSGI, guarded": partial(wsgi_requests, wsgi.GuardMiddleware(wsgi_app, PATHS), BODY),
        "WSGI, guarded, refused": partial(
            wsgi_requests, wsgi.GuardMiddleware(wsgi_app, PATHS), INVALID
        ),
    }
    times = take_turns(tasks, clock=time.process_time)
    table(
        f"A request with {len(BODY):,} bytes to an application that reads them",
        ["", "median"],
        [[name, f"{value / REQUESTS * 1e6:,.0f} µs"] for name, value in times.items()],
    )


async def asgi_app(scope: Any, receive: Any, send: Any) -> None:
    """Read the body, and say so."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def threaded_app(scope: Any, receive: Any, send: Any) -> None:
    """Hand the body to a thread, as applications do that store it."""
    from anyio.to_thread import run_sync

    message = await receive()
    await run_sync(len, message["body"])
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def asgi_requests(app: Callable[..., Awaitable[None]], body: bytes) -> None:
    """Send requests, one after another."""

    async def run() -> None:
        for _ in range(REQUESTS):
            scope = {
                "type": "http",
                "method": "PUT",
                "path": "/widgets/countdown",
                "raw_path": b"/widgets/countdown",
                "headers": [(b"content-type", b"application/json")],
            }
            await app(scope, received, sent)

    async def received() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def sent(message: Any) -> None:
        """Take no notice of it."""

    asyncio.run(run())


def wsgi_app(environ: Any, start_response: Any) -> Iterable[bytes]:
    """Read the body, and say so."""
    environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    start_response("204 No Content", [])
    return []


def wsgi_requests(app: Any, body: bytes) -> None:
    """Send requests, one after another."""
    for _ in range(REQUESTS):
        environ = {
            "REQUEST_METHOD": "PUT",
            "SCRIPT_NAME": "",
            "PATH_INFO": "/widgets/countdown",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }
        app(environ, lambda status, headers: None)


def rows() -> None:
    """Rows of an application, as Python values and as text."""
    countdown = widgetschema.widget_type("countdown")
    texts = [BODY] * ROWS
    tenth = [INVALID if number % 10 == 0 else BODY for number in range(ROWS)]

    def audited(texts: list[bytes], **options: Any) -> int:
        return sum(1 for _ in check_many(texts, "countdown", **options))

    def values(texts: list[bytes]) -> int:
        return audited(texts, data_of=json.loads)

    def text(texts: list[bytes]) -> int:
        return audited(texts)

    tasks: dict[str, Task] = {
        "`json.loads` alone": lambda: [json.loads(one) for one in texts],
        "`json.loads`, `is_valid`": lambda: [countdown.is_valid(json.loads(one)) for one in texts],
        "`check_many`, values": partial(values, texts),
        "`check_many`, values, 10 % invalid": partial(values, tenth),
        "`is_valid_json`": lambda: [countdown.is_valid_json(one) for one in texts],
        "`check_many`, text": partial(text, texts),
        "`check_many`, text, 10 % invalid": partial(text, tenth),
    }
    times = take_turns(tasks, clock=time.process_time)
    table(
        f"A row with {len(BODY):,} bytes of JSON",
        ["", "median"],
        [[name, f"{value / ROWS * 1e6:,.1f} µs"] for name, value in times.items()],
    )


def clients() -> None:
    """The first request of a user needs a client."""
    address = "https://platform.example/v1"
    text = Tokens(Secret("a"), address, address, Secret("b")).to_json().reveal()
    users = iter(range(10**9))
    accounts: Accounts[int] = Accounts(
        address,
        address,
        client_id="app",
        client_secret="secret",
        redirect_uri="https://app.example/callback",
        load=lambda user: text,
        save=lambda user, _: None,
    )

    def own() -> None:
        with Client(address, token="secret"):
            pass

    tasks: dict[str, Task] = {
        "`Accounts.catalog(user)`, a new user, the tokens loaded": lambda: accounts.catalog(
            next(users)
        ),
        "`Accounts.catalog(user)`, a known user": lambda: accounts.catalog(0),
        "`Client`, one for each user": own,
    }
    times = take_turns(tasks, clock=time.process_time)
    least = times["`Accounts.catalog(user)`, a new user, the tokens loaded"]
    data = [[name, f"{v * 1e6:,.1f} µs", f"{v / least:,.2f}"] for name, v in times.items()]
    table("Connections to the platform", ["", "median", "times a new user"], data)
    accounts.close()


if __name__ == "__main__":
    main()
