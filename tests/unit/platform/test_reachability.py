"""Answers of an address: every way in which it may not, in words; and nothing is told."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.listening import Listener, reserved_port
from tests.terminal import HANG
from widgetschema.platform.reachability import Reachability, check_reachability
from widgetschema.sandbox import running

CANARY = "canary-4711"
Behave = Callable[[socket.socket], None]


class Server:
    """A port of this machine; `heads` is what was sent to it, up to the first empty line."""

    def __init__(self, behave: Behave) -> None:
        self.behave = behave
        self.heads: list[bytes] = []
        self.listener = Listener(self._serve)
        self.port = self.listener.port
        self.url = f"http://127.0.0.1:{self.port}"

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                part = connection.recv(65536)
                head += part
                if not part or head.startswith(b"\x16"):  # the hello of TLS
                    break
            self.heads.append(head)
            self.behave(connection)


@contextlib.contextmanager
def serving(behave: Behave) -> Iterator[Server]:
    server = Server(behave)
    try:
        yield server
    finally:
        server.listener.close()


def saying(*parts: bytes, pause: float = 0.0) -> Behave:
    def behave(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
            select.select([connection], [], [], pause)  # or until the client hangs up

    return behave


def answer(status: int, *headers: str, body: bytes = b"") -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_the_sandbox_answers() -> None:
    with running() as sandbox:
        reached = check_reachability(sandbox.base_url)

    assert reached.status is not None
    assert reached.reason is None
    assert reached.seconds > 0


@pytest.mark.parametrize("status", [200, 204, 304, 401, 404, 418, 500, 503])
def test_any_status_counts(status: int) -> None:
    with serving(saying(answer(status))) as server:
        reached = check_reachability(server.url)

    assert (reached.status, reached.reason, reached.proxy) == (status, None, None)


def test_one_request_without_anything_of_anybody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text(f"machine 127.0.0.1 login me password {CANARY}\n")
    for name in ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_SECRET"):
        monkeypatch.setenv(f"WIDGETSCHEMA_{name}", CANARY)
    with serving(saying(answer(200, f"Set-Cookie: a={CANARY}"))) as server:
        check_reachability(f"{server.url}/platform/api/v1/")
        check_reachability(f"{server.url}/platform/api/v1")

    assert len(server.heads) == 2
    assert server.heads[0] == server.heads[1]
    lines = server.heads[0].decode().lower().split("\r\n")
    assert lines[0] == "get /platform/api/v1 http/1.1"
    names = {line.partition(":")[0] for line in lines[1:] if line}
    assert names == {"host", "user-agent", "accept", "accept-encoding"}
    assert CANARY.encode() not in b"".join(server.heads)


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("https://other.example/x?token=y", "it redirects to https://other.example, which is not"),
        ("//me:pw@other.example:8443/", "it redirects to http://other.example:8443, which is not"),
        ("http://x:port/", "it redirects to an invalid address"),
        ("/login", None),
        ("", None),
    ],
)
def test_redirects_are_not_followed(location: str, said: str | None) -> None:
    with serving(saying(answer(302, f"Location: {location}"))) as server:
        reached = check_reachability(server.url)

    assert reached.status == 302
    assert len(server.heads) == 1
    if said is None:
        assert reached.reason is None
    else:
        assert (reached.reason or "").startswith(said)
        assert "token" not in (reached.reason or "")
        assert "pw" not in (reached.reason or "")


def test_a_redirect_to_this_machine_asks_nobody_else() -> None:
    with serving(saying(answer(200))) as other:
        with serving(saying(answer(307, f"Location: {other.url}/"))) as server:
            assert check_reachability(server.url).status == 307
        assert other.heads == []


@pytest.mark.parametrize(
    ("behave", "said"),
    [
        (saying(), "closed the connection, or does not speak HTTP"),
        (saying(b"SSH-2.0-OpenSSH_9\r\n"), "closed the connection, or does not speak HTTP"),
        (saying(b"\x15\x03\x01\x00\x02\x02\x46\r\n\r\n"), "does not speak HTTP"),
        (saying(b"HTTP/1.1 200 OK\r\nContent-Le"), "closed the connection"),
        (saying(b"HTTP/1.1 99999 X\r\n\r\n"), "does not speak HTTP"),
        (saying(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100_000), "does not speak HTTP"),
    ],
    ids=["closes", "ssh", "tls", "cut off", "odd status", "endless headers"],
)
def test_what_is_no_http(behave: Behave, said: str) -> None:
    with serving(behave) as server:
        reached = check_reachability(server.url)

    assert reached.status is None
    assert said in (reached.reason or "")


def test_a_body_is_not_waited_for() -> None:
    endless = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc"
    released = threading.Event()

    def behave(connection: socket.socket) -> None:
        connection.sendall(endless)
        released.wait(2 * HANG)

    with serving(behave) as server:
        reached = check_reachability(server.url, timeout=HANG)
        released.set()

    assert reached.status == 200


@pytest.mark.parametrize(
    "behave",
    [
        saying(b"", pause=HANG),
        saying(b"HTTP/1.1 200 OK\r\n", *[b"a: b\r\n"] * 1_000, pause=0.1),
    ],
    ids=["silent", "a line now and then"],
)
def test_no_answer_in_time(behave: Behave) -> None:
    with serving(behave) as server:
        reached = check_reachability(server.url, timeout=0.5)

    assert reached == Reachability(None, reached.seconds, "no response within 0.5 s")


def test_a_full_queue_is_no_connection() -> None:
    full = socket.socket()
    full.bind(("127.0.0.1", 0))
    full.listen(0)
    fillers = [socket.socket() for _ in range(3)]
    for filler in fillers:
        filler.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            filler.connect(full.getsockname())
    reached = check_reachability(f"http://127.0.0.1:{full.getsockname()[1]}", timeout=0.5)
    for one in (full, *fillers):
        one.close()

    assert reached.status is None
    assert "within 0.5 s" in (reached.reason or "")


@pytest.fixture
def closed_port() -> Iterator[int]:
    """The number of a port at which nothing listens."""
    with reserved_port() as port:
        yield port


def test_a_closed_port(closed_port: int) -> None:
    port = closed_port
    for scheme in ("http", "https"):
        reached = check_reachability(f"{scheme}://127.0.0.1:{port}/api")
        said = f"the connection was refused: nothing listens at 127.0.0.1:{port}"
        assert (reached.status, reached.reason) == (None, said)


def test_an_unknown_name() -> None:
    reached = check_reachability("https://nobody.invalid/api")

    assert reached.status is None
    assert reached.reason in (
        "the name nobody.invalid cannot be resolved (DNS)",
        "no response within 5 s",  # a resolver that nobody answers
    )


def test_plain_http_where_tls_is_expected() -> None:
    with serving(saying(answer(200))) as server:
        reached = check_reachability(f"https://127.0.0.1:{server.port}")

    assert reached.status is None
    assert (reached.reason or "").startswith("TLS failed (")


# Proxies


def test_a_proxy_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, closed_port: int
) -> None:
    port = closed_port
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:{CANARY}@127.0.0.1:{port}")
    reached = check_reachability("https://platform.example/api")

    assert reached.proxy == f"http://127.0.0.1:{port}"
    assert reached.reason == (
        f"the connection was refused: nothing listens at 127.0.0.1:{port} (through the proxy "
        f"http://127.0.0.1:{port} of the environment)"
    )
    assert CANARY not in repr(reached)


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    with serving(saying(f"HTTP/1.1 {status} {CANARY}\r\n\r\n".encode())) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"me:{CANARY}@127.0.0.1:{proxy.port}")
        reached = check_reachability("https://platform.example/api")

    assert proxy.heads[0].startswith(b"CONNECT platform.example:443 ")
    assert reached.reason == (
        f"the proxy http://127.0.0.1:{proxy.port} rejected the request (it says {status})"
    )
    assert CANARY not in repr(reached)


def test_a_proxy_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"ftp://{CANARY}")
    reached = check_reachability("https://platform.example/api")

    assert reached.status is None
    assert "is not a usable proxy" in (reached.reason or "")
    assert CANARY not in repr(reached)


def test_this_machine_needs_no_proxy(monkeypatch: pytest.MonkeyPatch, closed_port: int) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port}")
    with serving(saying(answer(200))) as server:
        reached = check_reachability(server.url)

    assert (reached.status, reached.proxy) == (200, None)


# Addresses, and transports of others


@pytest.mark.parametrize(
    "address",
    [
        "",
        "platform",
        "ftp://platform.example",
        "http://platform.example",
        f"https://me:{CANARY}@platform.example",
        f"https://platform.example?token={CANARY}",
    ],
)
def test_what_no_client_would_ask(address: str) -> None:
    with pytest.raises(ValueError, match="base_url") as caught:
        check_reachability(address)
    assert CANARY not in str(caught.value)


def test_a_transport_of_somebody_else() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        return httpx.Response(503)

    transport = httpx.MockTransport(handle)
    assert check_reachability("https://platform.example/api", transport=transport).status == 503


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (httpx.ConnectTimeout(CANARY), "no connection within 5 s"),
        (httpx.ConnectError(CANARY), "no connection: ConnectError"),
        (httpx.ReadError(CANARY), "the connection was lost: ReadError"),
        (httpx.UnsupportedProtocol(CANARY), "could not be made (UnsupportedProtocol)"),
        (RuntimeError(CANARY), "could not be made (RuntimeError)"),
    ],
)
def test_words_for_errors(error: Exception, said: str) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise error

    reached = check_reachability("https://platform.example", transport=httpx.MockTransport(handle))
    assert reached.status is None
    assert said in (reached.reason or "")
    assert CANARY not in (reached.reason or "")
