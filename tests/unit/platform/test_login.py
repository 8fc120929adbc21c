"""Logging in: the address to open, the listener for the browser, the exchange of the code."""

from __future__ import annotations

import contextlib
import http.client
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.listening import reserved_port
from tests.terminal import HANG
from tests.token_platform import CLIENT_ID, Platform, platform, shown
from widgetschema.errors import (
    ErrorResponse,
    LoginRequired,
    PlatformError,
    TokenStorageError,
    Unreachable,
    UnusableResponse,
)
from widgetschema.platform.auth.login import (
    CallbackListener,
    authorize_request,
    code_from,
    exchange,
    loopback_uri,
    new_state,
)
from widgetschema.platform.auth.storage import FileStorage, MemoryStorage, TokenStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.client.client import Client
from widgetschema.platform.secret import Secret

STATE = "the-state"
CANARY = "canary"
NOW = 1_700_000_000.0


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


@pytest.fixture
def listener() -> Iterator[CallbackListener]:
    """A listener that waits for `STATE`."""
    with CallbackListener(STATE) as one:
        yield one


def port_of(listener: CallbackListener) -> int:
    port = urlsplit(listener.redirect_uri).port
    assert port is not None
    return port


def ask(
    listener: CallbackListener, target: str, method: str = "GET", **headers: str
) -> tuple[int, str, Any]:
    """Status, page and headers of a request, as a browser makes it."""
    connection = http.client.HTTPConnection("127.0.0.1", port_of(listener), timeout=HANG)
    connection.request(method, target, headers=headers)
    response = connection.getresponse()
    page = response.read().decode()
    connection.close()
    return response.status, page, response.headers


# The address


def test_the_request_is_that_of_the_specification() -> None:
    address = authorize_request(
        "https://x.example/authorize", "a client&id", "http://127.0.0.1:1/callback", "s t"
    )

    assert address.startswith("https://x.example/authorize?")
    assert parse_qs(urlsplit(address).query) == {
        "response_type": ["code"],
        "client_id": ["a client&id"],
        "redirect_uri": ["http://127.0.0.1:1/callback"],
        "state": ["s t"],
    }


def test_a_query_of_the_address_is_kept() -> None:
    address = authorize_request("https://x.example/a?tenant=1&x=%2F", "c", "http://r", "s")

    assert urlsplit(address).query.startswith("tenant=1&x=%2F&response_type=code&")


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "x.example",
        "javascript:alert(1)",
        "file:///etc/passwd",
        f"https://me:{CANARY}@x.example/a",
        "https://x.example/a#b",
        "https://x.example/a?b#c",
        "http://x.example/a",
    ],
)
def test_what_is_no_address_to_open(bad: str) -> None:
    with pytest.raises(ValueError, match="authorize URL") as caught:
        authorize_request(bad, "c", "http://r", "s")
    assert CANARY not in str(caught.value)


def test_states_cannot_be_guessed() -> None:
    states = {new_state() for _ in range(100)}

    assert len(states) == 100
    assert all(len(state) >= 32 for state in states)


# The listener


def test_the_code_arrives(listener: CallbackListener) -> None:
    status, page, headers = ask(listener, f"/callback?code=a%20b%2B&state={STATE}")

    assert listener.wait(HANG) == Secret("a b+")
    assert status == 200
    assert "You can close this page" in page
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("text", "authority", "path"),
    [
        ("http://127.0.0.1:8765/callback", "127.0.0.1:8765", "/callback"),
        ("http://LOCALHOST:8765/a/b", "localhost:8765", "/a/b"),
        ("http://localhost", "localhost", "/"),
    ],
)
def test_redirect_uris_on_this_machine(text: str, authority: str, path: str) -> None:
    found = loopback_uri(text)
    assert found is not None
    assert (found.text, found.authority, found.path) == (text, authority, path)


@pytest.mark.parametrize(
    "text",
    [
        "https://127.0.0.1:8765/callback",
        "http://app.example:8765/callback",
        "http://127.0.0.1:8765/callback?a=b",
        "http://127.0.0.1:8765/#a",
        "http://me@127.0.0.1:8765/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:99999/",
        "http://[::1]:8765/",
        "myapp:/callback",
        "",
    ],
)
def test_redirect_uris_elsewhere(text: str) -> None:
    assert loopback_uri(text) is None


def test_the_code_of_an_address_that_was_pasted() -> None:
    right = f"https://app.example/done?x=1&code=a%20b&state={STATE}"
    assert code_from(Secret(right), STATE) == Secret("a b")
    for wrong in (
        right.replace(STATE, "forged"),
        "https://app.example/done",
        "",
        CANARY,
        "http://[",
    ):
        with pytest.raises(LoginRequired, match="no code of this login") as caught:
            code_from(Secret(f"{wrong}#{CANARY}"), STATE)
        assert CANARY not in str(caught.value)
    with pytest.raises(LoginRequired, match="access was denied"):
        code_from(Secret(f"https://app.example/done?error=access_denied&state={STATE}"), STATE)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (f"error=access_denied&state={STATE}", "access was denied"),
        (f"error=server_error&state={STATE}", "server_error"),
        (f"error=%1b[31m{CANARY}&state={STATE}&code=x", "its reason is unknown"),
    ],
)
def test_the_platform_refuses(listener: CallbackListener, query: str, reason: str) -> None:
    status, page, _ = ask(listener, f"/callback?{query}")

    assert status == 200
    assert "refused" in page
    with pytest.raises(LoginRequired, match=reason) as caught:
        listener.wait(HANG)
    assert CANARY not in str(caught.value) + page


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/favicon.ico", 404),
        ("/", 404),
        (f"/callback/?code=x&state={STATE}", 404),
        (f"/x/callback?code=x&state={STATE}", 404),
        ("/callback", 400),
        ("/callback?code=x", 400),
        ("/callback?code=x&state=", 400),
        ("/callback?code=x&state=other", 400),
        ("/callback?error=access_denied", 400),
        ("/callback?error=access_denied&state=other", 400),
        (f"/callback?state={STATE}", 400),
        (f"/callback?code=&state={STATE}", 400),
        (f"/callback?code=x&code=y&state={STATE}", 400),
        (f"/callback?code=x&state={STATE}&state=other", 400),
        (f"/callback?code=x&state=other&state={STATE}", 400),
        (f"/callback?code={'x' * 9_000}&state={STATE}", 400),
        (f"/callback?code=x&state={STATE}" + "&a=1" * 60, 400),
        ("/callback?code=x&state=%ff%00%f0", 400),
        (f"/callback?code=<script>alert(1)</script>&state=<{CANARY}>", 400),
    ],
)
def test_what_is_not_the_answer_is_sent_away(
    listener: CallbackListener, target: str, status: int
) -> None:
    answer = ask(listener, target)

    assert answer[0] == status
    assert "script" not in answer[1]
    assert CANARY not in answer[1]
    ask(listener, f"/callback?code=good&state={STATE}")
    assert listener.wait(HANG) == Secret("good")


@pytest.mark.parametrize("host", ["evil.example", "localhost", "127.0.0.1", "", "127.0.0.1:1"])
def test_a_page_that_calls_this_machine_by_another_name(
    listener: CallbackListener, host: str
) -> None:
    assert ask(listener, f"/callback?code=x&state={STATE}", Host=host)[0] == 400
    with pytest.raises(LoginRequired):
        listener.wait(0.05)


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "OPTIONS", "<b>"])
def test_other_methods_are_refused(listener: CallbackListener, method: str) -> None:
    status, page, _ = ask(listener, f"/callback?code=x&state={STATE}", method)

    assert status == 501
    assert "<b>" not in page


def test_connections_that_say_nothing_are_in_nobodys_way(listener: CallbackListener) -> None:
    address = ("127.0.0.1", port_of(listener))
    silent = [socket.create_connection(address) for _ in range(20)]
    ask(listener, f"/callback?code=good&state={STATE}")

    assert listener.wait(HANG) == Secret("good")
    for one in silent:
        one.close()


def test_too_many_connections_are_closed_and_the_listener_lives(listener: CallbackListener) -> None:
    address = ("127.0.0.1", port_of(listener))
    crowd = [socket.create_connection(address) for _ in range(60)]
    for one in crowd:
        one.close()
    while True:  # until those who have gone are noticed
        with contextlib.suppress(OSError, http.client.HTTPException):
            ask(listener, f"/callback?code=good&state={STATE}")
            break

    assert listener.wait(HANG) == Secret("good")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"\x00" * 70_000,
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n",
    ],
    ids=["TLS", "no target", "odd version", "long", "many headers"],
)
def test_what_is_no_request(
    listener: CallbackListener, sent: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", port_of(listener))) as one:
        one.sendall(sent)
    ask(listener, f"/callback?code=good&state={STATE}")

    assert listener.wait(HANG) == Secret("good")
    assert capfd.readouterr() == ("", "")


def test_only_this_machine_is_listened_to(listener: CallbackListener) -> None:
    assert listener.redirect_uri == f"http://127.0.0.1:{port_of(listener)}/callback"
    with socket.socket() as other:
        other.settimeout(HANG)
        # were it listening on all addresses, another loopback address would answer
        assert other.connect_ex(("127.0.0.2", port_of(listener))) != 0


def test_nobody_comes_back() -> None:
    with (
        CallbackListener(STATE) as listener,
        pytest.raises(LoginRequired, match=r"within 0\.2 seconds"),
    ):
        listener.wait(0.2)


def test_a_port_is_free_again_at_once(listener: CallbackListener) -> None:
    with reserved_port() as port:
        for _ in range(3):
            with CallbackListener(STATE, port) as one:
                assert port_of(one) == port
                ask(one, f"/callback?code=x&state={STATE}")
    with pytest.raises(OSError, match="in use"):
        CallbackListener(STATE, port_of(listener))


def test_nothing_is_logged(
    listener: CallbackListener, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    ask(listener, f"/callback?code={CANARY}&state=other")
    ask(listener, f"/callback?code={CANARY}&state={STATE}")
    ask(listener, f"/callback?code={CANARY}", "POST")

    assert listener.wait(HANG) == Secret(CANARY)
    assert caplog.text == ""
    assert capfd.readouterr() == ("", "")


def test_no_thread_is_left() -> None:
    before = {*threading.enumerate()}  # another test's may end meanwhile
    with CallbackListener(STATE) as listener:
        assert {*threading.enumerate()} - before
        ask(listener, f"/callback?code=x&state={STATE}")
    while {*threading.enumerate()} - before:
        time.sleep(0.01)


# The exchange


def spend(real: Platform, storage: TokenStorage, **changes: Any) -> Tokens:
    fields: dict[str, Any] = {
        "client_id": CLIENT_ID,
        "client_secret": Secret("hush"),
        "code": Secret(real.code),
        "redirect_uri": "http://127.0.0.1:1/callback",
        "clock": lambda: NOW,
    }
    with Client(real.base_url, auth_url=real.url) as client:
        return exchange(client, storage, **{**fields, **changes})


def test_a_code_becomes_tokens_that_are_kept(real: Platform) -> None:
    storage = MemoryStorage()
    tokens = spend(real, storage)

    assert storage.load() == tokens
    assert tokens == Tokens(
        Secret("access-1"),
        real.base_url,
        auth_url=real.url,
        refresh_token=Secret("refresh-1"),
        expires_in="3600",
        refresh_token_expires_in="30d",
        obtained=NOW,
        refresh_token_obtained=NOW,
        client_id=CLIENT_ID,
        client_secret=Secret("hush"),
        account=tokens.account,
    )
    assert real.calls == [
        (
            "token",
            {
                "client_id": CLIENT_ID,
                "client_secret": "hush",
                "grant_type": "authorization_code",
                "code": "code-0",
                "redirect_uri": "http://127.0.0.1:1/callback",
            },
        )
    ]
    assert spend(real, storage).account != tokens.account


FAILURES: dict[str, tuple[Any, type[Exception]]] = {
    "no response": ("drop", Unreachable),
    "400": ((400, f'{{"error": "invalid_grant", "x": "{CANARY}-code"}}'), ErrorResponse),
    "401": ((401, f"{CANARY}-secret"), ErrorResponse),
    "500": ((500, f"{CANARY}-code {CANARY}-secret"), ErrorResponse),
    "HTML": ((200, f"<html>{CANARY}-code"), UnusableResponse),
    "no token": ((200, f'{{"refresh_token": "{CANARY}-token"}}'), UnusableResponse),
    "a token that is no text": ((200, f'{{"access_token": ["{CANARY}"]}}'), UnusableResponse),
    "an unsendable token": ((200, f'{{"access_token": "{CANARY} x"}}'), UnusableResponse),
    "an unsendable refresh token": (
        (200, f'{{"access_token": "{CANARY}", "refresh_token": "{CANARY}\\u0000"}}'),
        UnusableResponse,
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failed_exchange_is_tried_once_keeps_what_there_was_and_shows_no_secret(
    real: Platform,
    name: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    real.trouble, kind = FAILURES[name]
    before = Tokens(Secret("before"), real.base_url)
    storage = MemoryStorage(before)

    with pytest.raises(PlatformError) as caught:
        spend(
            real,
            storage,
            client_secret=Secret(f"{CANARY}-secret"),
            code=Secret(f"{CANARY}-code"),
        )

    assert type(caught.value) is kind
    assert real.refreshes == 1
    assert storage.load() is before
    for place in (shown(caught.value), caplog.text, *capfd.readouterr()):
        assert CANARY not in place


def test_tokens_that_cannot_be_kept_are_an_error_that_shows_none(
    real: Platform, tmp_path: Path
) -> None:
    path = tmp_path / "tokens.json"
    path.mkdir()
    with pytest.raises(TokenStorageError) as caught:
        spend(real, FileStorage(TokenFile(path), real.base_url), client_secret=Secret(CANARY))

    for secret in (CANARY, "access-1", "refresh-1", "code-0"):
        assert secret not in shown(caught.value)


def test_the_probe_finds_out_before(real: Platform, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    places: list[Callable[[], TokenFile]] = [
        lambda: TokenFile(blocked / "widgetschema" / "tokens.json"),
        lambda: TokenFile(tmp_path),
    ]
    for place in places:
        with pytest.raises(TokenStorageError):
            FileStorage(place(), real.base_url).probe()
    assert os.listdir(tmp_path) == ["file"]
