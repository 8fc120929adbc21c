"""The probe of an address: one request, its response or why there is none; no secret is told."""

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
from widgetschema.errors import Unreachable, UnusableResponse
from widgetschema.platform.reachability import probe
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
        assert probe(sandbox.base_url) == 404


@pytest.mark.parametrize("status", [200, 204, 304, 401, 404, 418, 500, 503])
def test_any_status_counts(status: int) -> None:
    with serving(saying(answer(status))) as server:
        assert probe(server.url) == status
    assert len(server.heads) == 1


def test_one_request_without_anything_of_anybody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text(f"machine 127.0.0.1 login me password {CANARY}\n")
    for name in ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_SECRET"):
        monkeypatch.setenv(f"WIDGETSCHEMA_{name}", CANARY)
    with serving(saying(answer(200, f"Set-Cookie: a={CANARY}"))) as server:
        probe(f"{server.url}/platform/api/v1/")
        probe(f"{server.url}/platform/api/v1")

    assert len(server.heads) == 2
    assert server.heads[0] == server.heads[1]
    lines = server.heads[0].decode().lower().split("\r\n")
    assert lines[0] == "get /platform/api/v1 http/1.1"
    names = {line.partition(":")[0] for line in lines[1:] if line}
    assert names == {"host", "accept-encoding"}
    assert CANARY.encode() not in b"".join(server.heads)


def test_redirects_to_others_are_not_followed() -> None:
    location = "Location: //me:pw@other.example:8443/?token=y"
    with (
        serving(saying(answer(302, location))) as server,
        pytest.raises(UnusableResponse) as caught,
    ):
        probe(server.url)

    assert "it redirects to another origin, http://other.example:8443, " in str(caught.value)
    assert "token=" not in str(caught.value)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    "behave",
    [
        saying(),
        saying(b"SSH-2.0-OpenSSH_9\r\n"),
        saying(b"HTTP/1.1 200 OK\r\nContent-Le"),
        saying(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100_000),
    ],
    ids=["closes", "ssh", "cut off", "endless headers"],
)
def test_what_is_no_http(behave: Behave) -> None:
    with serving(behave) as server, pytest.raises(Unreachable, match="the connection was closed"):
        probe(server.url)


def test_a_body_is_not_waited_for() -> None:
    endless = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc"
    released = threading.Event()

    def behave(connection: socket.socket) -> None:
        connection.sendall(endless)
        released.wait(2 * HANG)

    with serving(behave) as server:
        status = probe(server.url, timeout=HANG)
        released.set()

    assert status == 200


@pytest.mark.parametrize(
    "behave",
    [
        saying(b"", pause=HANG),
        saying(b"HTTP/1.1 200 OK\r\n", *[b"a: b\r\n"] * 1_000, pause=0.1),
    ],
    ids=["silent", "a line now and then"],
)
def test_no_answer_in_time(behave: Behave) -> None:
    with serving(behave) as server, pytest.raises(Unreachable, match=r"given up after 0\.5 s"):
        probe(server.url, timeout=0.5)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_closed_port(scheme: str) -> None:
    with reserved_port() as port, pytest.raises(Unreachable, match="cannot connect"):
        probe(f"{scheme}://127.0.0.1:{port}/api")


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    with serving(saying(f"HTTP/1.1 {status} {CANARY}\r\n\r\n".encode())) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"me:{CANARY}@127.0.0.1:{proxy.port}")
        with pytest.raises(Unreachable, match="the proxy of the environment") as caught:
            probe("https://platform.example/api")

    assert proxy.heads[0].startswith(b"CONNECT platform.example:443 ")
    assert CANARY not in str(caught.value)


def test_this_machine_needs_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with reserved_port() as port, serving(saying(answer(200))) as server:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        assert probe(server.url) == 200


def test_certificates_that_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "none.pem").write_text(CANARY)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(ValueError, match="trusted certificates") as caught:
        probe("https://platform.example")
    assert CANARY not in str(caught.value)


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
        probe(address)
    assert CANARY not in str(caught.value)


def test_a_transport_of_somebody_else() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        assert "authorization" not in request.headers
        return httpx.Response(503)

    transport = httpx.MockTransport(handle)
    assert probe("https://platform.example/api", transport=transport) == 503
