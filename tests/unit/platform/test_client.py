"""The client over real TCP, sync and async: what goes over the wire, and hostile answers."""

from __future__ import annotations

import base64
import contextlib
import gc
import gzip
import json
import logging
import os
import socket
import ssl
import threading
import time
import traceback
import tracemalloc
import weakref
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from tests.forking import exit_code, forked
from tests.listening import Listener, reserved_port
from tests.terminal import HANG
from widgetschema.errors import (
    ErrorResponse,
    LoginRequired,
    PlatformError,
    Unreachable,
    UnusableResponse,
)
from widgetschema.platform import AsyncClient, Client, Secret
from widgetschema.platform.client.retrying import Retries

TOKEN = "canary-T0ken/with+odd=characters"
SECRET = "canary-Cl1ent&secret/with%odd"
CODE = "canary-C0de+of=one login"
REFRESH = "canary-Refr3sh/t0ken~with.odd"
CANARY = "canary"
MB = 1024 * 1024
ONCE = Retries(attempts=1)
QUICK = Retries(attempts=3, backoff=0.0)
EMPTY = b'{"docs": []}'


# A server that does as it is told, byte for byte


@dataclass(repr=False)
class Asked:
    """One request as it came in."""

    head: str
    body: bytes

    @property
    def line(self) -> str:
        return self.head.partition("\r\n")[0]

    @property
    def path(self) -> str:
        return self.line.split(" ")[1]

    def header(self, name: str) -> str | None:
        for line in self.head.split("\r\n")[1:]:
            key, _, value = line.partition(": ")
            if key.lower() == name:
                return value
        return None


Behaviour = Callable[[socket.socket, Asked], None]


@dataclass(repr=False)
class Server:
    """A listening socket; each connection has a thread, each request is answered by `behave`."""

    behave: Behaviour
    asked: list[Asked] = field(default_factory=list)
    closed: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.listener = Listener(self._serve)
        self.url = f"http://127.0.0.1:{self.listener.port}"

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, ValueError):
            while True:
                head = b""
                while b"\r\n\r\n" not in head:
                    part = connection.recv(65536)
                    if not part:
                        self.closed.set()
                        return
                    head += part
                head, _, body = head.partition(b"\r\n\r\n")
                asked = Asked(head.decode("latin-1"), body)
                while len(asked.body) < int(asked.header("content-length") or 0):
                    asked.body += connection.recv(65536)
                self.asked.append(asked)
                self.behave(connection, asked)
        self.closed.set()


@contextlib.contextmanager
def serving(behave: Behaviour) -> Iterator[Server]:
    server = Server(behave)
    try:
        yield server
    finally:
        server.listener.close()


def http(status: int = 200, body: bytes = EMPTY, *headers: str, length: int | None = None) -> bytes:
    length = len(body) if length is None else length
    lines = [
        f"HTTP/1.1 {status} X",
        *headers,
        *([f"Content-Length: {length}"] if length >= 0 else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def answering(*answers: bytes) -> Behaviour:
    """The answers, one after the other, and the last for ever."""
    left = list(answers)

    def behave(connection: socket.socket, asked: Asked) -> None:
        connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    return behave


def then_close(*parts: bytes, pause: float = 0.0) -> Behaviour:
    def behave(connection: socket.socket, asked: Asked) -> None:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        connection.shutdown(socket.SHUT_RDWR)
        raise OSError

    return behave


def echo(status: int, encoded: bool = False) -> Behaviour:
    """Repeat all that was sent: in the reason phrase, in headers, in the body."""

    def behave(connection: socket.socket, asked: Asked) -> None:
        said = (asked.header("authorization") or "") + asked.body.decode()
        body = json.dumps({"error": said, "access_token": "", "of": asked.head}).encode()
        answer = (
            f'HTTP/1.1 {status} {said}\r\nX-Request-Id: {said}\r\nETag: "{said}"\r\n'
            f"Location: /{said}\r\nContent-Type: {said}\r\nSet-Cookie: a={said}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(answer.encode() + body)

    return behave


# Both clients


class Bearer(httpx.Auth):
    """The token, on every request it is asked for; on a 401 once more."""

    def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
        request.headers["Authorization"] = f"Bearer {TOKEN}"
        response = yield request
        if response.status_code == 401:  # type: ignore[attr-defined]
            yield request


Operation = Callable[[Any], Any]


def run_sync(base_url: str, operation: Operation, **options: Any) -> Any:
    with Client(base_url, **options) as client:
        result = operation(client)
        return list(result) if isinstance(result, Iterator) else result


def run_async(base_url: str, operation: Operation, **options: Any) -> Any:
    client = AsyncClient(base_url, **options)  # outside of any event loop

    async def main() -> Any:
        async with client:
            result = operation(client)
            if isinstance(result, AsyncIterator):
                return [item async for item in result]
            return await result

    return anyio.run(main)


Run = Callable[..., Any]


@pytest.fixture(params=[run_sync, run_async], ids=["sync", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


def widgets(client: Any) -> Any:
    return client.widgets()


def fetch(client: Any) -> Any:
    return client.fetch_schema("faq")


def exchange(client: Any) -> Any:
    return client.exchange_code(
        client_id="me", client_secret=SECRET, code=CODE, redirect_uri="http://127.0.0.1/"
    )


def refresh(client: Any) -> Any:
    return client.refresh(client_id="me", client_secret=Secret(SECRET), refresh_token=REFRESH)


# What goes over the wire


def test_a_request_on_the_wire(run: Run) -> None:
    with serving(answering(http())) as server:
        result = run(
            f"{server.url}/platform/api/v1/", lambda client: client.widgets(limit=3, search="a b")
        )

    assert result.docs == ()
    assert server.asked[0].line == "GET /platform/api/v1/widgets?limit=3&search=a%20b HTTP/1.1"
    assert sorted(server.asked[0].head.lower().split("\r\n")[1:]) == [
        "accept-encoding: gzip",
        "accept: application/json",
        f"host: {server.url.removeprefix('http://')}",
        f"user-agent: widgetschema/{version('widgetschema')}",
    ]


@pytest.mark.parametrize(
    ("id", "sent"),
    [
        ("%2e%2e", "%252e%252e"),
        ("a?b#c", "a%3Fb%23c"),
        ("é ü", "%C3%A9%20%C3%BC"),
        ("a..b", "a..b"),
    ],
)
def test_an_id_on_the_wire(run: Run, id: str, sent: str) -> None:
    with serving(answering(http(200, b"{}"))) as server:
        assert run(server.url, lambda client: client.widget_type_schema(id)) == {}

    assert server.asked[0].path == f"/widget-types/{sent}/schema"


def test_all_widgets_on_the_wire(run: Run) -> None:
    def behave(connection: socket.socket, asked: Asked) -> None:
        limit = int(asked.path.rpartition("=")[2])
        docs = [{"id": str(number)} for number in range(min(limit, 150))]
        connection.sendall(http(200, json.dumps({"docs": docs, "limit": limit}).encode()))

    with serving(behave) as server:
        found = run(server.url, lambda client: client.iter_widgets())

    assert [widget.id for widget in found] == [str(number) for number in range(150)]
    assert [asked.path for asked in server.asked] == ["/widgets?limit=100", "/widgets?limit=400"]
    assert server.listener.accepted == 1


def test_a_code_on_the_wire(run: Run) -> None:
    with serving(answering(http(200, b'{"access_token": "t", "expires_in": "3600"}'))) as server:
        tokens = run(
            "https://platform.invalid",
            exchange,
            auth_url=server.url,
            auth=Bearer(),
            headers={"Authorization": "Bearer other", "X-Gateway": "g"},
        )

    asked = server.asked[0]
    assert tokens.access_token.reveal() == "t"
    assert asked.line == "POST /oauth/token HTTP/1.1"
    assert asked.header("authorization") is None
    assert asked.header("x-gateway") == "g"
    assert asked.header("content-type") == "application/x-www-form-urlencoded"
    assert dict(httpx.QueryParams(asked.body.decode())) == {
        "client_id": "me",
        "client_secret": SECRET,
        "grant_type": "authorization_code",
        "code": CODE,
        "redirect_uri": "http://127.0.0.1/",
    }


def test_a_refresh_on_the_wire(run: Run) -> None:
    with serving(answering(http(200, b'{"access_token": "t"}'))) as server:
        tokens = run(server.url, refresh, auth_url=f"{server.url}/base/", auth=Bearer())

    assert tokens.refresh_token is None
    assert server.asked[0].path == "/base/oauth/token"
    assert dict(httpx.QueryParams(server.asked[0].body.decode())) == {
        "client_id": "me",
        "client_secret": SECRET,
        "grant_type": "refresh_token",
        "refresh_token": REFRESH,
    }


def test_headers_of_the_user(run: Run) -> None:
    headers = {"X-Gateway": "g", "user-agent": "mine/1", "ACCEPT": "application/x"}
    with serving(answering(http())) as server:
        run(server.url, widgets, headers=headers, auth=Bearer())

    asked = server.asked[0]
    assert asked.head.lower().count("user-agent") == asked.head.lower().count("accept:") == 1
    assert asked.header("user-agent") == "mine/1"
    assert asked.header("x-gateway") == "g"
    assert asked.header("authorization") == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    "headers",
    [
        {"a b": "c"},
        {"": "c"},
        {"a": "c\r\nd: e"},
        {"a": "\x00"},
        {"a": ""},
        {"a": "é"},
        {"content-length": "3"},
    ],
    ids=str,
)
def test_headers_that_cannot_be_sent(headers: dict[str, str]) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match=r"^headers: "):
            kind("https://h.example", headers=headers)


def test_no_netrc_and_no_cookies(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text(f"machine 127.0.0.1 login me password {TOKEN}\ndefault login me password x\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    cookie = http(503, b"", "Set-Cookie: session=1; Path=/")
    with serving(answering(cookie, http())) as server:
        run(server.url, widgets, retries=QUICK)

    assert len(server.asked) == 2
    for asked in server.asked:
        assert asked.header("authorization") is None
        assert asked.header("cookie") is None


def test_what_a_client_says_of_itself() -> None:
    for kind in (Client, AsyncClient):
        client = kind("https://H.example:443/v1/", auth_url="https://a.example/", account="acc")
        assert (client.base_url, client.origin) == ("https://h.example/v1", "https://h.example")
        assert (client.auth_url, client.account) == ("https://a.example", "acc")
        assert repr(client) == f"{kind.__name__}('https://h.example/v1')"
    assert Client("https://h.example").auth_url is None
    assert Client("https://h.example").account == ""


@pytest.mark.parametrize("address", ["http://h.example", "https://me:sesame@h.example", "h"])
def test_addresses_are_checked(address: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match="base_url") as caught:
            kind(address)
        with pytest.raises(ValueError, match="auth_url"):
            kind("https://h.example", auth_url=address)
        assert "sesame" not in str(caught.value)


def test_there_is_at_least_one_connection() -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match="connections"):
            kind("https://h.example", connections=0)


def test_a_proxy_of_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with serving(answering(http(407, b""))) as proxy, serving(answering(http())) as server:
        monkeypatch.setenv("https_proxy", proxy.url)
        monkeypatch.setenv("http_proxy", proxy.url)
        with pytest.raises(Unreachable, match="proxy"):
            run("https://platform.invalid/v1", widgets, retries=ONCE)
        run(server.url, widgets, retries=ONCE)

    assert [asked.line for asked in proxy.asked] == ["CONNECT platform.invalid:443 HTTP/1.1"]
    assert len(server.asked) == 1


def test_a_transport_of_the_user(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    seen: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        return httpx.Response(200, json={"docs": []})

    run("https://h.example/v1", widgets, transport=httpx.MockTransport(handle))

    assert seen == ["https://h.example/v1/widgets"]


# Redirects


@pytest.mark.parametrize("operation", [widgets, exchange])
@pytest.mark.parametrize("status", [301, 302, 307])
def test_nothing_goes_to_another_origin(run: Run, operation: Operation, status: int) -> None:
    with serving(answering(http())) as other:
        elsewhere = answering(http(status, b"", f"Location: {other.url}/widgets"))
        with serving(elsewhere) as server, pytest.raises(UnusableResponse, match="redirects"):
            run(server.url, operation, auth=Bearer(), auth_url=server.url)

    assert other.listener.accepted == 0
    assert len(server.asked) == 1


def test_the_token_follows_within_the_origin(run: Run) -> None:
    moved = http(308, b"", "Location: /v2/widgets?x=1")
    with serving(answering(moved, http())) as server:
        run(server.url, widgets, auth=Bearer())

    assert [asked.path for asked in server.asked] == ["/widgets", "/v2/widgets?x=1"]
    assert server.asked[1].header("authorization") == f"Bearer {TOKEN}"


# Answers that are too large, or not what they say


def zeros(megabytes: int) -> bytes:
    """So many megabytes of zeros, in a thousandth of that: gzip members that follow each other."""
    return gzip.compress(bytes(MB), 9) * megabytes


BOMB = zeros(300)
GZIP = "Content-Encoding: gzip"


def endless(connection: socket.socket, asked: Asked) -> None:
    connection.sendall(http(200, b"[", length=-1))
    while True:
        connection.sendall(b" " * 65536)


TOO_LARGE: dict[str, Behaviour] = {
    "a bomb": answering(http(200, BOMB, GZIP)),
    "a bomb within a bomb": answering(
        http(200, gzip.compress(BOMB), "Content-Encoding: gzip, gzip")
    ),
    "endless": endless,
    "endless by its length": answering(http(200, b"[" + b" " * 6 * MB)),
}


@pytest.mark.parametrize("behave", TOO_LARGE.values(), ids=TOO_LARGE)
def test_what_is_too_large_takes_no_memory(run: Run, behave: Behaviour) -> None:
    with serving(behave) as server:
        tracemalloc.start()
        try:
            with pytest.raises(
                UnusableResponse, match=r"larger than 5,242,880 bytes|was not requested"
            ):
                run(server.url, fetch, retries=ONCE)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak < 40 * MB


@pytest.mark.parametrize("status", [401, 404, 503])
def test_an_error_may_be_a_bomb_too(run: Run, status: int) -> None:
    with serving(answering(http(status, BOMB, GZIP))) as server:
        tracemalloc.start()
        try:
            with pytest.raises(ErrorResponse):
                run(server.url, fetch, retries=ONCE, auth=Bearer())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak < 10 * MB
    assert len(server.asked) == (2 if status == 401 else 1)


def test_as_large_as_it_may_be(run: Run) -> None:
    body = b"{}" + b" " * (5 * MB - 2)
    with serving(answering(http(200, body), http(200, gzip.compress(body), GZIP))) as server:
        assert len(run(server.url, fetch).raw) == 5 * MB
        assert len(run(server.url, fetch).raw) == 5 * MB


def test_a_listing_may_be_larger(run: Run) -> None:
    body = b'{"docs": []}' + b" " * (6 * MB)
    with serving(answering(http(200, body))) as server:
        assert run(server.url, widgets).docs == ()


WHOLE = b'{"type": "object"}'
CODED: dict[str, bytes] = {
    "gzip": http(200, gzip.compress(WHOLE), GZIP),
    "x-gzip": http(200, gzip.compress(WHOLE), "Content-Encoding: X-GZIP"),
    "deflate": http(200, zlib.compress(WHOLE), "Content-Encoding: deflate"),
    "identity": http(200, WHOLE, "Content-Encoding: identity"),
    "two members": http(200, gzip.compress(WHOLE[:5]) + gzip.compress(WHOLE[5:]), GZIP),
    "an empty member": http(200, gzip.compress(b"") + gzip.compress(WHOLE), GZIP),
}


@pytest.mark.parametrize("answer", CODED.values(), ids=CODED)
def test_content_codings(run: Run, answer: bytes) -> None:
    with serving(answering(answer)) as server:
        assert run(server.url, fetch).raw == WHOLE


def test_compressed_byte_by_byte(run: Run) -> None:
    packed = gzip.compress(WHOLE)
    parts = [
        http(200, b"", GZIP, length=len(packed)),
        *(packed[i : i + 1] for i in range(len(packed))),
    ]
    with serving(then_close(*parts)) as server:
        assert run(server.url, fetch).raw == WHOLE


WRONGLY_CODED = {
    "brotli": (http(200, b"\x0b\x02\x80{}", "Content-Encoding: br"), r"encoding \(br\) was not"),
    "twice": (
        http(200, gzip.compress(gzip.compress(WHOLE)), "Content-Encoding: gzip, gzip"),
        r"encoding \(gzip, gzip\)",
    ),
    "not compressed": (http(200, WHOLE, GZIP), "compression is broken"),
    "members without end": (http(200, gzip.compress(b"") * 10_000, GZIP), "larger than"),
    "rubbish after it": (
        http(200, gzip.compress(WHOLE) + b"rubbish", GZIP),
        "compression is broken",
    ),
}


@pytest.mark.parametrize(("answer", "reason"), WRONGLY_CODED.values(), ids=WRONGLY_CODED)
def test_content_that_is_wrongly_coded(run: Run, answer: bytes, reason: str) -> None:
    with serving(answering(answer)) as server, pytest.raises(UnusableResponse, match=reason):
        run(server.url, fetch)

    assert len(server.asked) == 1


def test_nothing_is_compressed_in_a_304(run: Run) -> None:
    with serving(answering(http(304, b"", GZIP))) as server:
        answer = run(server.url, lambda client: client.fetch_schema("faq", etag='"1"'))

    assert answer.not_modified


# Answers that do not come, or not whole


CUT_OFF: dict[str, Behaviour] = {
    "no response": then_close(),
    "half a head": then_close(b"HTTP/1.1 200 OK\r\nConte"),
    "half a body": then_close(http(200, b'{"docs": ', length=100)),
    "half a chunk": then_close(http(200, b"ff\r\n{", "Transfer-Encoding: chunked", length=-1)),
    "half of what is compressed": then_close(http(200, gzip.compress(EMPTY)[:-9], GZIP, length=-1)),
    "no HTTP": then_close(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
}


@pytest.mark.parametrize("cut", CUT_OFF.values(), ids=CUT_OFF)
def test_what_is_cut_off_is_asked_again(run: Run, cut: Behaviour) -> None:
    turns = iter([cut, cut, answering(http())])
    with serving(lambda connection, asked: next(turns)(connection, asked)) as server:
        assert run(server.url, widgets, retries=QUICK).docs == ()

    assert len(server.asked) == 3


@pytest.mark.parametrize("cut", CUT_OFF.values(), ids=CUT_OFF)
def test_a_code_is_never_sent_again(run: Run, cut: Behaviour) -> None:
    with serving(cut) as server, pytest.raises(Unreachable) as caught:
        run(server.url, exchange, auth_url=server.url, retries=QUICK)

    assert len(server.asked) == 1
    assert caught.value.path == "/oauth/token"
    assert (caught.value.status, caught.value.body) == (None, None)


def test_nobody_listens(run: Run) -> None:
    cannot = r"cannot connect.*tried 3 times.*check the network"
    with reserved_port() as port, pytest.raises(Unreachable, match=cannot):
        run(f"http://127.0.0.1:{port}", widgets, retries=QUICK)


@pytest.mark.parametrize(
    ("cause", "attempts"),
    [(ssl.SSLCertVerificationError("signed by itself"), 1), (OSError("refused"), 3)],
    ids=["certificate", "refused"],
)
def test_a_bad_certificate_is_not_tried_again(cause: Exception, attempts: int) -> None:
    asked = []

    def refuse(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        between = OSError("what the HTTP library makes of it")
        between.__context__ = cause
        raise httpx.ConnectError("no") from between

    transport = httpx.MockTransport(refuse)
    client = Client("http://127.0.0.1", transport=transport, retries=QUICK)
    with client, pytest.raises(Unreachable):
        client.widgets()
    assert len(asked) == attempts


def drip_head(connection: socket.socket, asked: Asked) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def drip_body(connection: socket.socket, asked: Asked) -> None:
    connection.sendall(http(200, b"{", length=1000))
    while True:
        connection.sendall(b" ")
        time.sleep(0.05)


def silent(connection: socket.socket, asked: Asked) -> None:
    connection.recv(1)


@pytest.mark.parametrize(
    ("behave", "timeout"), [(drip_head, HANG), (drip_body, HANG), (silent, HANG), (silent, 0.3)]
)
def test_an_answer_has_to_end_in_time(run: Run, behave: Behaviour, timeout: float) -> None:
    options: Any = {"retries": ONCE, "timeout": timeout, "total_timeout": min(0.6, timeout)}
    with serving(behave) as server:
        while not server.asked:  # on a slow machine there is no connection in that time
            with pytest.raises(Unreachable, match="in time"):
                run(server.url, widgets, **options)
        # What was given up is closed, at the latest when something more comes.
        assert behave is silent or server.closed.wait(HANG)


def test_a_slow_answer_that_ends_in_time(run: Run) -> None:
    def behave(connection: socket.socket, asked: Asked) -> None:
        for byte in http():
            connection.sendall(bytes([byte]))
            time.sleep(0.002)

    with serving(behave) as server:
        assert run(server.url, widgets, timeout=HANG).docs == ()


def test_waits_are_handed_out(run: Run) -> None:
    slept: list[float] = []

    async def asleep(seconds: float) -> None:
        slept.append(seconds)

    options: dict[str, Any] = {"random": lambda: 0.5, "clock": lambda: 0.0}
    options["sleep"] = slept.append if run is run_sync else asleep
    answers = (http(429, b"", "Retry-After: 3"), http(503, b""), http())
    with serving(answering(*answers)) as server:
        run(server.url, widgets, **options)

    assert slept == [3.125, 0.25]


# Many at once


def test_threads_share_a_client() -> None:
    busy = Busy()
    with (
        serving(busy) as server,
        Client(server.url, connections=4, auth=Bearer()) as client,
        ThreadPoolExecutor(32) as pool,
    ):
        found = list(pool.map(lambda n: client.widget_type_schema(f"t{n}"), range(200)))

    assert found == [{"title": f"/widget-types/t{n}/schema"} for n in range(200)]
    assert busy.most == 4
    assert server.listener.accepted == 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_fork_has_connections_of_its_own() -> None:
    both = threading.Barrier(2)

    def behave(connection: socket.socket, asked: Asked) -> None:
        if asked.path != "/widget-types/first/schema":
            both.wait(HANG)  # on one connection, they would never be two at a time
        connection.sendall(http(200, json.dumps({"title": asked.path}).encode()))

    with serving(behave) as server, Client(server.url, retries=ONCE, timeout=HANG) as client:
        client.widget_type_schema("first")

        def fetched() -> int:
            found = client.widget_type_schema("child")
            return 7 if found == {"title": "/widget-types/child/schema"} else 1

        child = forked(fetched)
        found = client.widget_type_schema("parent")

        assert found == {"title": "/widget-types/parent/schema"}
        assert exit_code(child) == 7


def test_tasks_share_a_client() -> None:
    busy = Busy()
    found: dict[int, Any] = {}

    async def main(url: str) -> None:
        async with AsyncClient(url, connections=4, auth=Bearer()) as client:

            async def one(n: int) -> None:
                found[n] = await client.widget_type_schema(f"t{n}")

            async with anyio.create_task_group() as tasks:
                for n in range(200):
                    tasks.start_soon(one, n)

    with serving(busy) as server:
        anyio.run(main, server.url)

    assert found == {n: {"title": f"/widget-types/t{n}/schema"} for n in range(200)}
    assert busy.most == 4
    assert server.listener.accepted == 4


class Busy:
    """Answers with the path, slowly; counts how many it answers at once."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = threading.Lock()
        self.full = threading.Event()  # four came, as they must: however slow the machine is

    def __call__(self, connection: socket.socket, asked: Asked) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        if self.most >= 4:
            self.full.set()
        self.full.wait(HANG)
        time.sleep(0.005)
        with self.lock:
            self.now -= 1
        connection.sendall(http(200, json.dumps({"title": asked.path}).encode()))


class Counting(httpx.Auth):
    """Sets an event when so many requests have begun, with or without a connection."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.begun = threading.Event()
        self.lock = threading.Lock()

    def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
        with self.lock:
            self.left -= 1
        if not self.left:
            self.begun.set()
        yield request


def test_waiting_for_a_connection_is_no_timeout(run: Run) -> None:
    """`timeout` is for a step of the network; whoever waits for its turn takes none."""
    auth = Counting(8)
    options: dict[str, Any] = {"auth": auth, "connections": 1, "timeout": 0.001, "retries": ONCE}

    def respond(request: httpx.Request) -> httpx.Response:
        assert auth.begun.wait(HANG)
        return httpx.Response(200, content=EMPTY)

    async def respond_later(request: httpx.Request) -> httpx.Response:
        while not auth.begun.is_set():
            await anyio.sleep(0)
        return httpx.Response(200, content=EMPTY)

    if run is run_sync:
        transport = httpx.MockTransport(respond)
        slow = Client("http://127.0.0.1", transport=transport, total_timeout=HANG, **options)
        with slow as client, ThreadPoolExecutor(8) as pool:
            assert [one.docs for one in pool.map(lambda _: client.widgets(), range(8))] == [()] * 8
    else:
        transport = httpx.MockTransport(respond_later)
        run("http://127.0.0.1", eight, transport=transport, total_timeout=HANG, **options)


async def eight(client: AsyncClient) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(client.widgets)


def test_but_it_ends_in_time(run: Run) -> None:
    """The only connection is held: the request that has it is late, and so are those that wait."""
    over = threading.Event()

    def hold(request: httpx.Request) -> httpx.Response:
        over.wait(HANG)
        return httpx.Response(200, content=EMPTY)

    async def hold_on(request: httpx.Request) -> httpx.Response:
        await anyio.sleep(HANG)
        return httpx.Response(200, content=EMPTY)

    def late(client: Client) -> str:
        with pytest.raises(Unreachable, match=r"in time.*given up after 0\.05 s") as caught:
            client.widgets()
        return str(caught.value)

    async def all_late(client: AsyncClient) -> None:
        async def one() -> None:
            with pytest.raises(Unreachable, match=r"in time.*given up after 0\.05 s"):
                await client.widgets()

        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(one)

    options: dict[str, Any] = {"connections": 1, "timeout": HANG, "total_timeout": 0.05}
    if run is run_sync:
        transport = httpx.MockTransport(hold)
        slow = Client("http://127.0.0.1", transport=transport, **options)
        with slow as client, ThreadPoolExecutor(8) as pool:
            assert len([*pool.map(lambda _: late(client), range(8))]) == 8
            over.set()
    else:
        run("http://127.0.0.1", all_late, transport=httpx.MockTransport(hold_on), **options)


def test_what_takes_long_is_announced() -> None:
    """Once for an operation, with the address; not for what comes at once."""
    announced: list[str] = []
    said = threading.Event()

    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/widgets":
            assert said.wait(HANG)
        return httpx.Response(200, content=EMPTY)

    def tell(address: str) -> None:
        announced.append(address)
        said.set()

    def made(seconds: float) -> Client:
        transport = httpx.MockTransport(respond)
        url = "http://127.0.0.1"
        return Client(url, transport=transport, total_timeout=seconds, on_wait=tell)

    with made(HANG * 1000) as client:
        client.fetch_schema("faq")
    with made(0.01 * HANG) as client, contextlib.suppress(Unreachable):
        client.widgets()
    assert said.wait(HANG)
    assert announced == ["http://127.0.0.1/widgets"]


@pytest.mark.parametrize("behave", [silent, drip_head, drip_body])
def test_a_task_that_is_cancelled_leaves_nothing_open(behave: Behaviour) -> None:
    turns = iter([behave, answering(http())])

    async def main(url: str) -> None:
        async with AsyncClient(url, connections=1) as client:
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(client.widgets)
                    while not server.asked:
                        await anyio.sleep(0.01)
                    scope.cancel()
            assert scope.cancelled_caught
            with anyio.fail_after(HANG):
                assert (await client.widgets()).docs == ()

    with serving(lambda connection, asked: next(turns)(connection, asked)) as server:
        anyio.run(main, server.url)
        assert server.closed.wait(HANG)


def test_a_connection_is_free_while_auth_renews_a_token(run: Run) -> None:
    """An `httpx.Auth` that sends a request of its own, by the same client, needs one."""

    class Renewing(httpx.Auth):
        client: Any

        def sync_auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
            yield request
            self.client.refresh(client_id="me", client_secret="secret", refresh_token="old")
            yield request

        async def async_auth_flow(self, request: httpx.Request) -> AsyncIterator[httpx.Request]:  # type: ignore[override]
            yield request
            await self.client.refresh(client_id="me", client_secret="secret", refresh_token="old")
            yield request

    auth = Renewing()

    def operation(client: Any) -> Any:
        auth.client = client
        return client.widgets()

    answers = (http(401, b"no"), http(200, b'{"access_token": "t"}'), http())
    with serving(answering(*answers)) as server:
        run(server.url, operation, auth=auth, auth_url=server.url, connections=1, retries=ONCE)

    assert len(server.asked) == 3


def test_a_secret_has_a_type(run: Run) -> None:
    with pytest.raises(TypeError, match="not NoneType"):
        run(
            "https://h.example",
            lambda client: client.refresh(client_id="me", client_secret=None, refresh_token="r"),
            auth_url="https://h.example",
        )


def test_an_error_keeps_nothing_alive() -> None:
    """An error on the thread of an attempt is gone with it, without the collector."""

    class Payload:
        pass

    alive: list[weakref.ref[Payload]] = []

    def handle(request: httpx.Request) -> httpx.Response:
        payload = Payload()
        alive.append(weakref.ref(payload))
        raise httpx.ReadError("no")

    gc.disable()
    try:
        with (
            Client(
                "https://h.example", transport=httpx.MockTransport(handle), retries=ONCE
            ) as client,
            pytest.raises(Unreachable),
        ):
            client.widgets()
        assert [reference() for reference in alive] == [None]
    finally:
        gc.enable()


def test_a_closed_client() -> None:
    client = Client("https://h.example")
    client.close()
    with pytest.raises(RuntimeError, match="closed"):
        client.widgets()


# Secrets


def everything_about(error: BaseException | None) -> str:
    """All that somebody may come to see of an error, and of those that led to it."""
    told: list[str] = []
    todo, seen = [error], set[int]()
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        lines = traceback.TracebackException.from_exception(one, capture_locals=True).format()
        told += [str(one), repr(one), repr(one.args), repr(one.__dict__), *lines]
        todo += [one.__cause__, one.__context__]
    return "\n".join(told)


FAILURES: dict[str, Behaviour] = {
    **CUT_OFF,
    **{
        f"repeats all, status {status}": echo(status)
        for status in (200, 302, 400, 401, 403, 404, 418, 429, 503)
    },
    "an unfinished body": then_close(http(200, b'{"a": "' + TOKEN.encode(), length=9999)),
    "a bomb": TOO_LARGE["a bomb"],
    "not compressed": answering(http(200, TOKEN.encode(), GZIP)),
    "coded by the token": answering(http(200, b"{}", f"Content-Encoding: {TOKEN}")),
    "a page": answering(http(200, b"<p>" + TOKEN.encode())),
    "no JSON": answering(http(200, b'{"access_token": "' + TOKEN.encode() + b'", }')),
    "another token, broken": answering(http(200, b'{"access_token": "canary\\n"}')),
    "another token twice": answering(
        http(200, b'{"access_token": "canary", "access_token": "canary"}')
    ),
    "too slow": drip_body,
}


@pytest.mark.parametrize("operation", [widgets, fetch, exchange, refresh])
@pytest.mark.parametrize("failure", FAILURES)
def test_secrets_are_in_no_error_and_no_log(
    run: Run, operation: Operation, failure: str, caplog: pytest.LogCaptureFixture
) -> None:
    if failure.startswith("another token") and operation in (widgets, fetch):
        return  # only the token endpoint has tokens to give
    caplog.set_level(logging.INFO, "httpcore")  # at DEBUG it tells the headers of responses
    caplog.set_level(logging.DEBUG)
    with serving(FAILURES[failure]) as server, pytest.raises(PlatformError) as caught:
        run(
            server.url,
            operation,
            auth_url=server.url,
            auth=Bearer(),
            retries=ONCE,
            total_timeout=0.3 if failure == "too slow" else HANG,
        )
    assert CANARY not in everything_about(caught.value)
    assert CANARY not in caplog.text
    assert caplog.records


def test_an_unsent_token_is_not_shown(run: Run) -> None:
    """The HTTP library shows the header that it refuses to send."""

    class Odd(httpx.Auth):
        def __init__(self, value: bytes) -> None:
            self.value = Secret(value.decode("latin-1"))

        def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
            request.headers["Authorization"] = self.value.reveal()
            yield request

    with serving(answering(http())) as server:
        for value in (b"Bearer canary\n", b"Bearer ca\r\nX: nary", b"Bearer canary\x00"):
            with pytest.raises(Unreachable, match="characters that HTTP forbids") as caught:
                run(server.url, widgets, auth=Odd(value))
            caught.value.__traceback__ = _without_this_test(caught.value.__traceback__)
            assert CANARY not in everything_about(caught.value)


def _without_this_test(frames: Any) -> Any:
    """The traceback below the frames of this file, which know the secrets."""
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    return frames


def test_a_password_is_a_secret_too(run: Run) -> None:
    def behave(connection: socket.socket, asked: Asked) -> None:
        _, _, basic = (asked.header("authorization") or "").partition(" ")
        body = f"no: {basic} is {base64.b64decode(basic).decode()}".encode()
        connection.sendall(http(401, body))

    with serving(behave) as server, pytest.raises(ErrorResponse) as caught:
        run(server.url, widgets, auth=httpx.BasicAuth("me", TOKEN))

    assert caught.value.body == "no: … is me:…"


def test_what_auth_raises_goes_through(run: Run) -> None:
    class NoToken(httpx.Auth):
        def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
            if request.url:
                raise LoginRequired("no token")
            yield request

    with pytest.raises(LoginRequired):
        run("https://h.example", widgets, auth=NoToken())


@pytest.mark.parametrize("token", [TOKEN, Secret(TOKEN), lambda: TOKEN, lambda: Secret(TOKEN)])
def test_a_token_of_the_user(run: Run, token: Any) -> None:
    with serving(answering(http())) as server:
        run(server.url, widgets, token=token)
        with pytest.raises(UnusableResponse):  # nor does the token endpoint get it
            run(server.url, refresh, auth_url=server.url, token=token)

    assert [one.header("authorization") for one in server.asked] == [f"Bearer {TOKEN}", None]


@pytest.mark.parametrize(
    ("token", "error", "text"),
    [
        ("", LoginRequired, "the access token is empty; pass a client another token"),
        (f"{CANARY}\n", LoginRequired, "characters that a header cannot contain"),
        (lambda: CANARY.encode(), TypeError, "a token is a str or a Secret, not bytes"),
        (7, TypeError, "not int"),
    ],
)
def test_a_token_that_cannot_be_sent(
    run: Run, token: Any, error: type[Exception], text: str
) -> None:
    with serving(answering(http())) as server, pytest.raises(error, match=text) as caught:
        run(server.url, widgets, token=token)

    caught.value.__traceback__ = None
    assert CANARY not in everything_about(caught.value)
    assert server.asked == []


def test_a_token_or_an_auth() -> None:
    with pytest.raises(ValueError, match="a token or an auth, not both"):
        Client("https://h.example", token=TOKEN, auth=Bearer())


def test_accounts_share_connections(run: Run) -> None:
    def both(client: Any) -> Any:
        other = client.for_account(httpx.BasicAuth("me", "x"), "another")
        assert (client.account, other.account) == ("one", "another")
        if isinstance(client, Client):
            with other:
                return [other.widgets(), client.widgets()]

        async def use() -> list[Any]:
            async with other:
                return [await other.widgets(), await client.widgets()]

        return use()

    with serving(answering(http())) as server:
        run(server.url, both, token=TOKEN, account="one", connections=1)

    assert server.listener.accepted == 1
    said = [one.header("authorization") or "" for one in server.asked]
    assert [one.partition(" ")[0] for one in said] == ["Basic", "Bearer"]


def test_the_log_tells_little(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "widgetschema")
    with serving(answering(http(503), http())) as server:
        run(
            f"{server.url}/v1",
            lambda client: client.widgets(search="private"),
            retries=QUICK,
            auth=Bearer(),
        )

    told = [record.getMessage() for record in caplog.records if record.name == "widgetschema"]
    assert [line.split(",")[0] for line in told] == [
        "GET /v1/widgets → 503",
        "GET /v1/widgets → 200",
    ]
    assert [line.rpartition(", ")[2] for line in told] == ["attempt 1", "attempt 2"]
