"""Servers that do their worst: nothing is shown, nothing is lost, and nobody waits for them."""

from __future__ import annotations

import asyncio
import gzip
import html
import json
import logging
import random
import re
import socket
import string
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.effort import bounded
from tests.listening import Listener
from tests.terminal import HANG
from tests.token_platform import async_client_for, platform, shown
from widgetschema.errors import PlatformError, TokenStorageError, Unreachable, UnusableResponse
from widgetschema.jsontext import read
from widgetschema.platform import AsyncClient, Client, Secret, TokenAuth
from widgetschema.platform.auth.storage import MemoryStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.client.redaction import Secrets
from widgetschema.platform.client.retrying import Retries
from widgetschema.platform.fetcher import Fetcher
from widgetschema.sandbox import REDIRECT_URI, running

ONCE = Retries(attempts=1)
EMPTY = b'{"docs": []}'
CANARY = "canary"
BOTH = pytest.mark.parametrize("kind", ["sync", "async"])
TELLING = 16  # characters of a secret that may not be seen in a row


# A server that sends what it is told, byte for byte


@dataclass(repr=False)
class Server:
    """A socket that listens; `respond` gets each request's connection and head.

    A connection is closed as soon as `respond` has returned. `over` is set at the end.
    """

    respond: Callable[[socket.socket, str], None]
    heads: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.listener = Listener(self._serve, backlog=256)
        self.url = f"http://127.0.0.1:{self.listener.port}"

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            received = b""
            while b"\r\n\r\n" not in received:
                received += (part := connection.recv(65_536))
                if not part:
                    return
            head, _, body = received.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: ([0-9]+)", head.lower())
            while len(body) < int(length[1] if length else 0):
                body += connection.recv(65_536)
            self.heads.append(head.decode("latin-1"))
            self.respond(connection, self.heads[-1])


@contextmanager
def serving(respond: Callable[[socket.socket, str], None]) -> Iterator[Server]:
    server = Server(respond)
    try:
        yield server
    finally:
        server.over.set()
        server.listener.close()


def always(raw: bytes) -> Callable[[socket.socket, str], None]:
    """The same answer to each request."""
    return lambda connection, _: connection.sendall(raw)


def http(body: bytes = EMPTY, status: int = 200, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", "Connection: close", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def ask(kind: str, url: str, operation: str, *arguments: Any, **named: Any) -> Any:
    """Return the result of an operation, by either client; `token` is one of the arguments."""
    token, options = named.pop("token", None), named.pop("options", {})
    auth = None if token is None else TokenAuth(MemoryStorage(Tokens(token, url)), base_url=url)
    options = {"auth_url": url, "auth": auth, "retries": ONCE, **options}
    if kind == "sync":
        with Client(url, **options) as client:
            return getattr(client, operation)(*arguments, **named)

    async def asked() -> Any:
        async with AsyncClient(url, **options) as client:
            return await getattr(client, operation)(*arguments, **named)

    return asyncio.run(asked())


# 1. What is shown of a response holds no secret, and takes no time to make

LONG = "".join(random.Random(1).choices(string.ascii_letters + string.digits + "-_", k=1_000))
PLAIN = "abcDEF-123456_7890canaryCANARYxyz+/=qrstuvw"


def in_json(text: str) -> str:
    """Write a string like libraries that escape slashes, too."""
    return json.dumps(text)[1:-1].replace("/", "\\/")


def in_utf16(text: str) -> list[int]:
    raw = text.encode("utf-16-be", errors="surrogatepass")
    return [int.from_bytes(raw[at : at + 2]) for at in range(0, len(raw), 2)]


WRITINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": lambda text: quote(text, safe=""),
    "percent, slashes plain": quote,
    "percent, as in a form": quote_plus,
    "percent, each": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "JSON": in_json,
    "JSON, each": lambda text: "".join(f"\\u{unit:04X}" for unit in in_utf16(text)),
    "HTML": html.escape,
    "HTML, each": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "HTML, each, hexadecimal": lambda text: "".join(f"&#x{ord(one):x};" for one in text),
}
BY_WRITING = pytest.mark.parametrize("write", WRITINGS.values(), ids=WRITINGS)


def telling(secret: str, write: Callable[[str], str], text: str) -> list[str]:
    """The parts of a secret that can be read in a text: each long enough to tell something."""
    parts = (secret[at : at + TELLING] for at in range(len(secret) - TELLING + 1))
    return [part for part in parts if write(part) in text]


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        (LONG, f"invalid token: {LONG[:900]}... {'x' * 2_000}"),
        ("\\" * 64 + "x", "\\" * 200),
        ("\\" * 1_000, "\\" * 16_000),
        ("~" * 100_000, "hello ~~~"),
        ("~" * 100_000, "~" * 16_000),
        ("~" * 2_000 + "x", "~" * 16_000),
        ("%25" * 20 + "x", "%25" * 5_000),
        ("&" * 30 + "x", "&amp;" * 3_000),
        ('\\"' * 14 + "x", '\\\\\\"' * 4_000),
    ],
    ids=lambda value: f"{len(value)}",
)
def test_hiding_takes_no_time(secret: str, text: str) -> None:
    with bounded():
        scrubbed = Secrets([Secret(secret)]).scrub(text)
    assert not telling(LONG, str, scrubbed)


@BOTH
def test_the_beginning_of_a_token_in_an_error(kind: str) -> None:
    body = f'{{"error": "invalid token: {LONG[:900]}...", "trace": "{"x" * 2_000}"}}'.encode()
    with (
        bounded(),
        serving(always(http(body, 403))) as server,
        pytest.raises(PlatformError, match="invalid token: ") as caught,
    ):
        ask(kind, server.url, "widgets", token=Secret(LONG))
    assert not telling(LONG, str, shown(caught.value))


@BY_WRITING
def test_a_beginning_is_hidden_however_it_is_written(write: Callable[[str], str]) -> None:
    scrubbed = Secrets([Secret(PLAIN)]).scrub(f'{{"error": "not {write(PLAIN[:40])}… good"}}')
    assert not telling(PLAIN, write, scrubbed)
    assert scrubbed.endswith('… good"}')


@st.composite
def repeated(draw: st.DrawFn) -> tuple[str, Callable[[str], str], str]:
    """A secret, a way to write it, and a text that holds it so."""
    secret = draw(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=16))
    around = st.text(st.characters(codec="utf-8"), max_size=20).map(lambda text: f" {text} ")
    write = draw(st.sampled_from([*WRITINGS.values()]))
    if draw(st.booleans()):
        return secret, write, write(draw(around) + secret + draw(around))
    return secret, write, draw(around) + write(secret) + draw(around)


PERCENT_EACH = WRITINGS["percent, each"]


@given(repeated())
@example((PLAIN, in_json, f" {in_json(PLAIN)} "))  # what is hidden in one way is whole in another
@example((PLAIN, PERCENT_EACH, PERCENT_EACH(f" {PLAIN} ")))
@example(("spaces are in this secret", quote_plus, quote_plus("spaces are in this secret")))
@example(("\U0001f600" * 16, in_json, in_json("\U0001f600" * 16)))
def test_whatever_the_secret_and_however_it_is_written(
    case: tuple[str, Callable[[str], str], str],
) -> None:
    secret, write, text = case
    assert not telling(secret, write, Secrets([Secret(secret)]).scrub(text))


def test_a_secret_after_what_begins_like_it() -> None:
    secret = "a" * TELLING + "bcdefghijklmnopqrstuvw"
    assert not telling(secret, str, Secrets([Secret(secret)]).scrub(f"got aa{secret}"))


@given(st.text(min_size=16), st.text(max_size=200))
def test_a_text_without_the_secret_stays_as_it_is(secret: str, text: str) -> None:
    # "\0" is in no text that is written in any way, and so in no part of such a secret that is read
    secret = "\0".join(secret[at : at + 15] for at in range(0, len(secret), 15))
    assert Secrets([Secret(secret)]).scrub(text.replace("\0", "")) == text.replace("\0", "")


# 2. New tokens are not shown, whatever the status

NEW_TOKENS = json.dumps(
    {"access_token": f"{CANARY}-access", "expires_in": "1", "refresh_token": f"{CANARY}-refresh"}
).encode()
GRANTS = {
    "exchange_code": {"client_secret": "secret", "code": "a-code", "redirect_uri": REDIRECT_URI},
    "refresh": {"client_secret": "secret", "refresh_token": "a-refresh-token"},
}


@BOTH
@pytest.mark.parametrize("operation", GRANTS)
@pytest.mark.parametrize("status", [202, 206, 302, 400, 401, 500, 502])
def test_new_tokens_are_never_shown(kind: str, operation: str, status: int) -> None:
    answer = http(NEW_TOKENS, status, "Content-Type: application/json", "Location: /elsewhere")
    with serving(always(answer)) as server, pytest.raises(PlatformError) as caught:
        ask(kind, server.url, operation, client_id="c", **GRANTS[operation])
    assert caught.value.status == status
    assert CANARY not in shown(caught.value)


# 3. Answers that never end


def test_a_server_that_drips_headers_keeps_no_connection_and_no_thread() -> None:
    connections = 3

    def respond(connection: socket.socket, head: str) -> None:
        if len(server.heads) <= connections:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while not server.over.wait(0.02):
                connection.sendall(b"a")
        connection.sendall(http())

    before = {*threading.enumerate()}

    def left() -> list[str]:
        return [
            thread.name
            for thread in threading.enumerate()
            if thread not in before and thread.name != "server"
        ]

    with (
        serving(respond) as server,
        Client(
            server.url, timeout=HANG, total_timeout=3, connections=connections, retries=ONCE
        ) as client,
    ):
        for _ in range(connections):
            with pytest.raises(Unreachable):
                client.widgets()
        for _ in range(40):
            with suppress(Unreachable):  # on a slow machine it is not asked in that time
                assert client.widgets().docs == ()
                break
        else:
            pytest.fail("no connection is free again")
        client.close()
        end = time.monotonic() + HANG
        while left():  # while the server drips on
            assert time.monotonic() < end, left()
            time.sleep(0.02)


HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 500
IMPATIENT: dict[str, Any] = {"timeout": 2, "total_timeout": 0.3, "retries": ONCE}


@contextmanager
def hinting() -> Iterator[tuple[Server, threading.Event, threading.Event]]:
    """A server that goes on with early hints.

    The first event is set when it has begun, the second when its client has hung up.
    """
    begun, gone = threading.Event(), threading.Event()

    def respond(connection: socket.socket, head: str) -> None:
        begun.set()
        try:
            while not server.over.is_set():
                connection.sendall(HINTS)
        except OSError:
            gone.set()

    with serving(respond) as server:
        yield server, begun, gone


def test_a_flood_of_early_hints_ends_with_the_time_for_it() -> None:
    with hinting() as (server, begun, gone), Client(server.url, **IMPATIENT) as client:
        while not begun.is_set():  # on a slow machine there is no connection in that time
            with pytest.raises(Unreachable):
                client.widgets()
        assert gone.wait(HANG)


def test_a_flood_of_early_hints_ends_for_tasks_too() -> None:
    async def asked(url: str, begun: threading.Event, gone: threading.Event) -> bool:
        async with AsyncClient(url, **IMPATIENT) as client:
            while not begun.is_set():
                with pytest.raises(Unreachable):
                    await client.widgets()
            return await asyncio.to_thread(gone.wait, HANG)

    with hinting() as (server, begun, gone):
        assert asyncio.run(asked(server.url, begun, gone))


# 4. The authorize page of the sandbox


@pytest.mark.parametrize(
    ("origin", "status"),
    [("own", 303), (None, 303), ("null", 403), ("https://evil.example", 403)],
)
def test_the_authorize_page_knows_its_own_form(origin: str | None, status: int) -> None:
    with running({}, count=0) as sandbox, httpx.Client(verify=False) as browser:
        query = {
            "response_type": "code",
            "client_id": sandbox.client_id,
            "redirect_uri": REDIRECT_URI,
        }
        page = browser.get(sandbox.authorize_url, params=query)
        assert page.status_code == 200
        # a browser that sends no referrer makes the origin of a form null
        assert page.headers.get("referrer-policy") != "no-referrer"
        sent = sandbox.url if origin == "own" else origin
        answer = browser.post(
            sandbox.authorize_url,
            data={**query, "decision": "allow"},
            headers={} if sent is None else {"origin": sent},
        )
        assert answer.status_code == status
        assert ("code=" in answer.headers.get("location", "")) is (status == 303)


# 5. The token is not kept with a schema that repeats it

ESCAPED: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: json.dumps(text)[1:-1],
    "slashes": in_json,
    "the first": lambda text: f"\\u{ord(text[0]):04x}{in_json(text[1:])}",
    "each": WRITINGS["JSON, each"],
}
ODD_TOKENS = ["abcDEF/123456+7890/canary==", 'abcDEF"123456\\7890canary==']


@pytest.mark.parametrize("token", ODD_TOKENS)
@pytest.mark.parametrize(
    "place", ['{"type": "object", "title": "%s"}', '{"properties": {"%s": {}}}']
)
@pytest.mark.parametrize("write", ESCAPED.values(), ids=ESCAPED)
def test_a_schema_that_repeats_the_token_is_not_kept(
    tmp_path: Path, write: Callable[[str], str], place: str, token: str
) -> None:
    body = (place % write(token)).encode()
    said = json.loads(body)
    assert token in [said.get("title"), *said.get("properties", ())]
    with serving(always(http(body))) as server:
        storage = MemoryStorage(Tokens(Secret(token), server.url))
        auth = TokenAuth(storage, base_url=server.url)
        with Client(server.url, auth=auth, retries=ONCE, account="me") as client:
            fetcher = Fetcher(client, cache=tmp_path / "cache")
            with pytest.raises(UnusableResponse, match="repeats the token"):
                fetcher.fetch("faq")
    assert not (tmp_path / "cache").exists()


@BOTH
@pytest.mark.parametrize("token", ODD_TOKENS)
@pytest.mark.parametrize("write", ESCAPED.values(), ids=ESCAPED)
def test_a_list_that_repeats_the_token_is_refused(
    kind: str, write: Callable[[str], str], token: str
) -> None:
    body = b'{"docs": [{"id": "1", "name": "%s"}]}' % write(token).encode()
    with serving(always(http(body))) as server, pytest.raises(UnusableResponse) as caught:
        ask(kind, server.url, "widgets", token=Secret(token))
    assert not telling(token, str, shown(caught.value))


# 6. A refresh token that was replaced is kept, whoever has stopped waiting for it


def test_cancelled_during_a_refresh_with_rotation() -> None:
    with platform() as real:
        gate = threading.Event()
        real.rotates, real.hold = True, gate.wait
        storage = MemoryStorage(real.tokens())

        async def cancelled() -> None:
            client = async_client_for(real, storage)
            asking = asyncio.create_task(client.widgets())
            async with asyncio.timeout(HANG):
                while not real.refreshes:
                    await asyncio.sleep(0.01)
            asking.cancel()
            gate.set()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await client.aclose()

        asyncio.run(cancelled())
        kept = storage.load()
        assert real.refresh == "refresh-1"
        assert kept is not None
        assert kept.refresh_token == Secret("refresh-1")


# 7. A list that is small on the wire


def test_a_list_of_millions_is_refused_and_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    body = gzip.compress(b'{"docs": [' + b"{}," * 2_000_000 + b"{}]}", 6)
    ticked = threading.Event()

    def reading(*arguments: Any) -> Any:
        ticked.clear()
        assert ticked.wait(HANG), "the event loop stands still meanwhile"
        return read(*arguments)

    async def tick() -> None:
        while True:
            ticked.set()
            await asyncio.sleep(0.01)

    async def asked(url: str) -> None:
        ticking = asyncio.create_task(tick())
        async with AsyncClient(url, retries=ONCE) as client:
            with pytest.raises(UnusableResponse, match="widgets, more than"):
                await client.widgets()
        ticking.cancel()

    monkeypatch.setattr("widgetschema.platform.client.messages.read", reading)
    with serving(always(http(body, 200, "Content-Encoding: gzip"))) as server, bounded():
        asyncio.run(asked(server.url))


# 8. Logs

ECHOES = {
    "a header": "HTTP/1.1 400 X\r\nX-Echo: %s\r\nContent-Length: 0\r\n\r\n",
    "the name of a header": "HTTP/1.1 400 X\r\n%s: x\r\nContent-Length: 0\r\n\r\n",
    "the reason": "HTTP/1.1 400 %s\r\nContent-Length: 0\r\n\r\n",
    "what is no header": "HTTP/1.1 400 X\r\nX-Echo \0: %s\r\n\r\n",
    "what is no status": "HTTP/1.1 %s\r\n\r\n",
    "a length that is none": "HTTP/1.1 200 X\r\nContent-Length: %s\r\n\r\n",
    "a coding that is none": "HTTP/1.1 200 X\r\nTransfer-Encoding: %s\r\n\r\n",
    "a chunk that is none": "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n",
    "an early answer": "HTTP/1.1 103 X\r\nX-Echo: %s\r\n\r\nHTTP/1.1 400 X\r\n\r\n",
    "a redirect": "HTTP/1.1 302 X\r\nLocation: https://evil.example/%s\r\nContent-Length: 0\r\n\r\n",
}


@BOTH
@pytest.mark.parametrize("answer", ECHOES.values(), ids=ECHOES)
def test_no_log_holds_a_token_that_comes_back(
    kind: str, answer: str, caplog: pytest.LogCaptureFixture
) -> None:
    token = f"{CANARY}1234567890abcdef"
    caplog.set_level(logging.DEBUG)
    with (
        serving(always((answer % token).encode())) as server,
        pytest.raises(PlatformError) as caught,
    ):
        ask(kind, server.url, "widgets", token=Secret(token))
    assert CANARY not in shown(caught.value)
    assert any(record.name.startswith("httpcore") for record in caplog.records)
    assert [one.getMessage() for one in caplog.records if CANARY in one.getMessage()] == []
    assert CANARY not in caplog.text


# 9. Cancelled in the middle of a response


def test_cancelled_while_tokens_come_in() -> None:
    sent = threading.Event()

    def respond(connection: socket.socket, head: str) -> None:
        connection.sendall(http(NEW_TOKENS)[: -len(NEW_TOKENS) // 2])
        sent.set()
        server.over.wait()

    async def cancelled(url: str) -> str:
        async with AsyncClient(url, auth_url=url) as client:
            asking = asyncio.create_task(
                client.exchange_code(
                    client_id="c",
                    client_secret=f"{CANARY}-client-secret",
                    code=f"{CANARY}-code",
                    redirect_uri=REDIRECT_URI,
                )
            )
            async with asyncio.timeout(HANG):
                while not sent.is_set():
                    await asyncio.sleep(0.01)
            with pytest.raises(TimeoutError) as caught:
                await asyncio.wait_for(asking, 0.3)
            return shown(caught.value)

    with serving(respond) as server:
        text = asyncio.run(cancelled(server.url))
    assert "client.py" in text  # frames are looked at
    assert CANARY not in text


# 10 and 11. The file of tokens


def tokens_for(base_url: str, refresh_token: str) -> Tokens:
    return Tokens(Secret("access"), base_url, refresh_token=Secret(refresh_token))


def test_a_lock_that_cannot_be_taken_is_an_error(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    (tmp_path / "tokens.json.lock").symlink_to(tmp_path / "nowhere" / "lock")
    with pytest.raises(TokenStorageError, match=r"tokens\.json\.lock"), file.lock():
        pytest.fail("two of us would be here at once")


def test_a_login_that_is_too_large_does_not_spoil_the_others(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    small = tokens_for("https://a.example", f"{CANARY}-small")
    file.put(small)
    before = (tmp_path / "tokens.json").read_bytes()
    with pytest.raises(TokenStorageError, match="too large") as caught:
        file.put(tokens_for("https://b.example", CANARY + "é" * 200_000))
    assert CANARY not in shown(caught.value)
    assert (tmp_path / "tokens.json").read_bytes() == before
    assert TokenFile(tmp_path / "tokens.json").get("https://a.example") == small


# 12. Headers are bytes


@pytest.mark.parametrize(
    "header",
    [
        'ETag: "\xff\xfe\x80"',
        "Last-Modified: \xff\xfe\x80",
        "Date: \xff\xfe\x80",
        "Cache-Control: max-age=\xb2",
        "Content-Type: application/json; charset=\xff",
        "X-Request-Id: \xff\xfe\x80",
        'Set-Cookie: \xff="\x80"',
        'X-\xff: "\x80"',
    ],
)
def test_headers_of_any_bytes_are_no_failure(tmp_path: Path, header: str) -> None:
    answer = http(b'{"type": "object"}', 200, header)
    now = 1_800_000_000.0
    with (
        serving(always(answer)) as server,
        Client(server.url, retries=ONCE, account="me") as client,
    ):
        if header.startswith("X-\xff"):  # no name of a header: no response, and no crash
            with pytest.raises(Unreachable):
                client.fetch_schema("faq")
            return
        for later in (0.0, 7_200.0):

            def clock(later: float = later) -> float:
                return now + later

            fetcher = Fetcher(client, cache=tmp_path / "cache", clock=clock)
            assert fetcher["faq"] == {"type": "object"}
        assert len(server.heads) == 2
        response = client.fetch_schema("faq", etag='"1"', last_modified="yesterday")
        again = client.fetch_schema("faq", etag=response.etag, last_modified=response.last_modified)
        assert again.schema == {"type": "object"}
    assert all(head.isascii() for head in server.heads)
