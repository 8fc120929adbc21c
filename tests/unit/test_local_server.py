"""Requests to a server on this machine that come from pages of others, and its end."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest

from tests.terminal import HANG
from widgetschema.local_server import ABORT, foreign_header, serving

FOUR: tuple[str, int] = ("127.0.0.1", 8931)


@pytest.mark.parametrize(
    ("host", "server"),
    [
        ("127.0.0.1:8931", FOUR),
        ("localhost:8931", FOUR),
        ("[::1]:8931", ("::1", 8931)),
        ("localhost:8931", ("::1", 8931)),
        ("127.0.0.1", ("127.0.0.1", 80)),
        ("127.0.0.1:80", ("127.0.0.1", 80)),
        ("localhost", ("localhost", None)),
    ],
)
def test_a_server_is_addressed_by_its_name_and_port(
    host: str, server: tuple[str, int | None]
) -> None:
    assert foreign_header("POST", {"host": host}, server) is None
    own = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    assert foreign_header("POST", own, server) is None
    assert foreign_header("POST", {**own, "origin": "null"}, server) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:8931.example.com",
        "127.0.0.1:8931@example.com",
        "127.0.0.1.example.com:8931",
        "127.9.9.9:8931",
        "[::1]:8931",
        "x.localhost:8931",
        "LOCALHOST:8931",
        "localhost.:8931",
        "example.com:8931",
        " 127.0.0.1:8931",
    ],
)
def test_another_host_is_refused(host: str) -> None:
    assert foreign_header("GET", {"host": host}, FOUR) == "host"


def test_a_request_without_a_host_is_refused() -> None:
    assert foreign_header("GET", {}, FOUR) == "host"


@pytest.mark.parametrize("server", [("", None), ("192.0.2.1", 80), ("example.com", 80)])
def test_a_server_on_another_interface_has_no_pages(server: tuple[str, int | None]) -> None:
    assert foreign_header("GET", {"host": server[0]}, server) == "host"
    assert foreign_header("GET", {"host": "localhost"}, server) == "host"


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "http://127.0.0.1",
        "http://127.0.0.1:9999",
        "http://127.0.0.1:8931.example.com",
        "http://localhost:8931",
        "https://127.0.0.1:8931",
        "https://example.com",
        "http://[",
    ],
)
def test_another_origin_is_refused(method: str, origin: str) -> None:
    headers = {"host": "127.0.0.1:8931", "origin": origin}
    assert foreign_header(method, headers, FOUR) == "origin"


@pytest.mark.parametrize("site", ["none", "same-site", "cross-site"])
def test_a_link_leads_here_and_changes_nothing(site: str) -> None:
    headers = {"host": "127.0.0.1:8931", "sec-fetch-site": site}
    assert foreign_header("GET", headers, FOUR) is None
    assert foreign_header("POST", headers, FOUR) == "origin"


def test_a_server_that_ends_leaves_no_connection_that_comes_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(HANG)

    def connect(port: int) -> None:
        with ExitStack() as connections, suppress(OSError):
            while True:
                connection = socket.create_connection(("127.0.0.1", port))
                connections.enter_context(connection).sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                is_coming.set()

    unclosed: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", unclosed.append)
    for _ in range(5):
        is_coming = threading.Event()
        with serving(slow, "127.0.0.1", 0, "a server that ends") as origin:
            port = int(origin.rpartition(":")[2])
            threads = [threading.Thread(target=connect, args=(port,)) for _ in range(3)]
            for thread in threads:
                thread.start()
            assert is_coming.wait(HANG)
        for thread in threads:
            thread.join(HANG)
        gc.collect()
    assert unclosed == []


def test_an_application_can_end_its_connection() -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/abort":
            scope["extensions"][ABORT]()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    with serving(application, "127.0.0.1", 0, "a server") as origin:
        answer = httpx.get(f"{origin}/", trust_env=False)
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{origin}/abort", trust_env=False)
    assert answer.status_code == 204
    assert not {"server", "date"} & {*answer.headers}  # the application says what it wants to
