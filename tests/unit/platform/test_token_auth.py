"""`TokenAuth`: who gets a token, when it is renewed, and that one renews for all."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.token_platform import INVALID_GRANT, NOW, Platform, client_for, platform, shown
from widgetschema.errors import (
    ErrorResponse,
    LoginRequired,
    PlatformError,
    TokenStorageError,
    Unreachable,
    UnusableResponse,
)
from widgetschema.platform.auth.auth import TokenAuth
from widgetschema.platform.auth.storage import FileStorage, MemoryStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.secret import Secret

CANARY = "canary"


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


class Unwritable(MemoryStorage):
    """Can be read, and not written."""

    def save(self, tokens: Tokens) -> None:
        raise TokenStorageError("/read/only", "cannot be written: No space left on device")


class Unlockable(MemoryStorage):
    """Another process holds the lock, and does not let go."""

    def lock(self) -> AbstractContextManager[None]:
        raise TokenStorageError("/tokens.json", "another process has held its lock for 3 minutes")


# Who gets a token


def test_a_good_token_is_sent_and_nothing_else(real: Platform) -> None:
    storage = MemoryStorage(real.tokens(access_token=Secret(real.access)))
    with client_for(real, storage) as client:
        client.widgets()
        client.widgets()

    assert real.bearers == ["Bearer access-0"] * 2
    assert real.refreshes == 0


BASE = "https://platform.example/api/v1"


@pytest.mark.parametrize(
    ("url", "carried"),
    [
        ("https://platform.example/api/v1/widgets", True),
        ("https://platform.example:443/api/v1/widgets", True),
        ("https://PLATFORM.example/elsewhere", True),
        ("http://platform.example/api/v1/widgets", False),
        ("https://platform.example:8443/api/v1/widgets", False),
        ("https://api.platform.example/", False),
        ("https://platform.example.evil.example/", False),
        ("https://platform.example@evil.example/", False),
        ("https://evil.example/platform.example", False),
        ("http://127.0.0.1/", False),
    ],
)
def test_a_token_goes_to_one_origin(url: str, carried: bool) -> None:
    seen = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("Authorization"))
        return httpx.Response(200)

    auth = TokenAuth(MemoryStorage(Tokens(Secret("good"), BASE)), base_url=BASE)
    with httpx.Client(transport=httpx.MockTransport(answer), auth=auth) as client:
        client.get(url)

    assert seen == ["Bearer good" if carried else None]


@pytest.mark.parametrize("elsewhere", ["https://evil.example/x", "http://platform.example/x"])
def test_a_redirect_carries_no_token_elsewhere(elsewhere: str) -> None:
    seen = {}

    def answer(request: httpx.Request) -> httpx.Response:
        seen[str(request.url)] = request.headers.get("Authorization")
        if request.url.path.startswith("/api"):
            return httpx.Response(302, headers={"Location": elsewhere})
        return httpx.Response(200)

    auth = TokenAuth(MemoryStorage(Tokens(Secret("good"), BASE)), base_url=BASE)
    transport = httpx.MockTransport(answer)
    with httpx.Client(transport=transport, auth=auth, follow_redirects=True) as client:
        client.get(f"{BASE}/widgets")

    assert seen == {f"{BASE}/widgets": "Bearer good", elsewhere: None}


def test_no_tokens_is_an_error_that_says_what_to_do(real: Platform) -> None:
    message = "log in with: widgetschema login"
    with client_for(real, MemoryStorage()) as client, pytest.raises(LoginRequired, match=message):
        client.widgets()
    assert real.calls == []


@pytest.mark.parametrize("token", ["a b", "caf\u00e9", "a\u2028b"])
def test_a_token_that_no_header_can_carry(real: Platform, token: str) -> None:
    storage = MemoryStorage(real.tokens(access_token=Secret(CANARY + token)))
    message = "a header cannot contain"
    with (
        client_for(real, storage) as client,
        pytest.raises(LoginRequired, match=message) as caught,
    ):
        client.widgets()
    assert CANARY not in shown(caught.value)


# On a 401


def test_a_401_renews_once_and_sends_once_more(real: Platform) -> None:
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client:
        client.widgets()
        client.widgets()

    assert real.bearers == ["Bearer stale", "Bearer access-1", "Bearer access-1"]
    assert real.calls[1] == (
        "token",
        {
            "client_id": "the-client",
            "client_secret": "hush",
            "grant_type": "refresh_token",
            "refresh_token": "refresh-0",
        },
    )
    kept = storage.load()
    assert kept == real.tokens(access_token=Secret("access-1"), expires_in="3600", obtained=NOW)


def test_a_second_401_is_the_answer(real: Platform) -> None:
    real.refuses_all = True
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client, pytest.raises(ErrorResponse) as caught:
        client.widgets()

    assert caught.value.status == 401
    assert real.refreshes == 1
    assert len(real.bearers) == 2


def test_a_rotated_refresh_token_is_kept_and_used(real: Platform) -> None:
    real.rotates = True
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client:
        for _ in range(3):
            client.widgets()
            real.access = "another"

    forms = [form["refresh_token"] for kind, form in real.calls if kind == "token"]
    assert forms == ["refresh-0", "refresh-1", "refresh-2"]
    kept = storage.load()
    assert kept is not None
    assert kept.refresh_token == Secret("refresh-3")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"refresh_token": None}, "there is no refresh token"),
        ({"client_id": None}, "WIDGETSCHEMA_CLIENT_ID"),
        ({"client_secret": None}, "WIDGETSCHEMA_CLIENT_SECRET"),
        ({"auth_url": None}, "WIDGETSCHEMA_AUTH_URL"),
    ],
)
def test_what_cannot_be_renewed_takes_a_login(
    real: Platform, changes: dict[str, Any], reason: str
) -> None:
    storage = MemoryStorage(real.tokens(**changes))
    with client_for(real, storage) as client, pytest.raises(LoginRequired, match=reason):
        client.widgets()

    assert real.refreshes == 0
    assert storage.load() == real.tokens(**changes)


def test_given_credentials_win_over_kept_ones(real: Platform) -> None:
    storage = MemoryStorage(real.tokens(client_id="kept", client_secret=None))
    with client_for(real, storage, client_id="given", client_secret=Secret("too")) as client:
        client.widgets()

    form = real.calls[1][1]
    assert (form["client_id"], form["client_secret"]) == ("given", "too")
    kept = storage.load()
    assert kept is not None
    assert (kept.client_id, kept.client_secret) == ("kept", None)


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (INVALID_GRANT, "does not accept the refresh token (400 invalid_grant)"),
        ((403, '{"error": "invalid_grant"}'), "does not accept the refresh token (403"),
        ((400, "{}"), "does not accept the refresh token (400)"),
        ((401, "<html>"), "does not accept the refresh token (401)"),
        (
            (401, '{"error": "invalid_client"}'),
            "does not accept the client id and client secret (invalid_client)",
        ),
    ],
)
def test_a_refused_refresh_token_takes_a_login_and_is_not_removed(
    real: Platform, trouble: tuple[int, str], reason: str
) -> None:
    real.trouble = trouble
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client, pytest.raises(LoginRequired) as caught:
        client.widgets()

    assert reason in str(caught.value)
    assert real.refreshes == 1
    assert storage.load() == real.tokens()


def test_a_refused_refresh_token_is_not_tried_again(real: Platform) -> None:
    real.trouble = INVALID_GRANT
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client:
        for _ in range(3):
            with pytest.raises(LoginRequired):
                client.widgets()
        assert real.refreshes == 1
        # until somebody logs in again
        storage.save(real.tokens(access_token=Secret(real.access), refresh_token=Secret("r")))
        client.widgets()
    assert real.refreshes == 1


def test_after_invalid_grant_what_another_process_got_is_used(real: Platform) -> None:
    """Another machine, which knows no lock, has renewed while we asked."""

    class Late(MemoryStorage):
        loads = 0

        def load(self) -> Tokens | None:
            self.loads += 1
            late = self.loads >= 3  # first use, under the lock, after the refusal
            return real.tokens(access_token=Secret(real.access)) if late else super().load()

    real.trouble = INVALID_GRANT
    with client_for(real, Late(real.tokens())) as client:
        client.widgets()

    assert real.bearers == ["Bearer stale", "Bearer access-0"]
    assert real.refreshes == 1


def test_what_another_process_renewed_is_used_without_asking(real: Platform) -> None:
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client:
        real.trouble = INVALID_GRANT
        with pytest.raises(LoginRequired):
            client.widgets()
        real.calls.clear()
        storage.save(real.tokens(access_token=Secret(real.access)))
        client.widgets()

    assert real.bearers == ["Bearer stale", "Bearer access-0"]
    assert real.refreshes == 0


def test_a_logout_meanwhile_is_respected(real: Platform) -> None:
    storage = MemoryStorage(real.tokens(access_token=Secret(real.access)))
    with client_for(real, storage) as client:
        client.widgets()
        storage.clear()
        real.access = "another"
        with pytest.raises(LoginRequired, match="were removed"):
            client.widgets()

    assert real.refreshes == 0
    assert storage.load() is None


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [("drop", Unreachable), ((500, "x"), ErrorResponse), ((200, "<html>"), UnusableResponse)],
)
def test_a_refresh_that_fails_when_needed_is_that_error(
    real: Platform, trouble: Any, kind: type[PlatformError]
) -> None:
    real.trouble = trouble
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client:
        with pytest.raises(kind) as caught:
            client.widgets()
        assert caught.value.path == "/oauth/token"
        assert storage.load() == real.tokens()
        real.trouble = None
        client.widgets()


def test_an_access_token_that_cannot_be_sent_is_not_kept(real: Platform) -> None:
    real.trouble = (200, '{"access_token": "canary\\r\\nX: y", "expires_in": "60"}')
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client, pytest.raises(PlatformError) as caught:
        client.widgets()

    assert CANARY not in shown(caught.value)
    assert storage.load() == real.tokens()


def test_a_refresh_token_that_cannot_be_sent_is_not_kept(real: Platform) -> None:
    real.trouble = (200, '{"access_token": "access-0", "refresh_token": "a\\u0000b"}')
    storage = MemoryStorage(real.tokens())
    with client_for(real, storage) as client:
        client.widgets()

    kept = storage.load()
    assert kept is not None
    assert kept.refresh_token == Secret("refresh-0")


# Before it expires


@pytest.mark.parametrize(
    ("expires_in", "age", "renewed"),
    [
        ("3600", 0, False),
        ("3600", 3_500, False),
        ("3600", 3_550, True),
        ("3600", 10_000, True),
        ("60", 30, False),  # the leeway is a tenth of such a life
        ("60", 55, True),
        ("PT1H", 3_550, False),  # the 401 decides
        (str(int(NOW) + 30), 0, False),
        ("never", 10_000, False),
        ("0", 10_000, False),
        ("-1", 10_000, False),
        (None, 10_000, False),
        ("2001-01-01", 10_000, False),
    ],
)
def test_a_token_is_renewed_shortly_before_it_may_expire(
    real: Platform, expires_in: str | None, age: float, renewed: bool
) -> None:
    good = real.tokens(access_token=Secret(real.access), expires_in=expires_in, obtained=NOW - age)
    with client_for(real, MemoryStorage(good)) as client:
        client.widgets()

    assert real.refreshes == (1 if renewed else 0)
    assert real.bearers == ["Bearer access-1" if renewed else "Bearer access-0"]


@pytest.mark.parametrize("trouble", ["drop", (503, "x"), (200, "<html>"), INVALID_GRANT])
def test_an_early_refresh_that_fails_does_no_harm(real: Platform, trouble: Any) -> None:
    real.trouble = trouble
    good = real.tokens(access_token=Secret(real.access), expires_in="3600", obtained=NOW - 3_590)
    with client_for(real, MemoryStorage(good)) as client:
        for _ in range(3):
            client.widgets()

    assert real.bearers == ["Bearer access-0"] * 3
    assert real.refreshes == 1, "and it is not tried again at once"


def test_an_early_refresh_that_failed_is_tried_again_later(real: Platform) -> None:
    moment = [NOW]
    real.trouble = (503, "x")
    good = real.tokens(access_token=Secret(real.access), expires_in="3600", obtained=NOW - 3_590)
    with client_for(real, MemoryStorage(good), now=lambda: moment[0]) as client:
        client.widgets()
        moment[0] += 31
        real.trouble = None
        client.widgets()

    assert real.bearers == ["Bearer access-0", "Bearer access-1"]


def test_no_early_refresh_without_a_refresh_token(real: Platform) -> None:
    good = real.tokens(
        access_token=Secret(real.access), refresh_token=None, expires_in="1", obtained=NOW - 60
    )
    with client_for(real, MemoryStorage(good)) as client:
        client.widgets()

    assert real.refreshes == 0


def test_without_an_access_token_the_refresh_comes_first(real: Platform) -> None:
    with client_for(real, MemoryStorage(real.tokens(access_token=Secret("")))) as client:
        client.widgets()

    assert real.bearers == ["Bearer access-1"]


def test_a_lock_that_is_never_free_matters_only_when_needed(real: Platform) -> None:
    good = real.tokens(access_token=Secret(real.access), expires_in="3600", obtained=NOW - 3_590)
    with client_for(real, Unlockable(good)) as client:
        client.widgets()
        real.access = "another"
        with pytest.raises(TokenStorageError, match="has held its lock"):
            client.widgets()


# What cannot be kept


@pytest.mark.parametrize(
    ("rotates", "level", "text"),
    [
        (False, logging.WARNING, "other processes, and later ones"),
        (True, logging.ERROR, "log in again"),
    ],
)
def test_tokens_that_cannot_be_kept_are_used_and_that_is_said_once(
    real: Platform,
    caplog: pytest.LogCaptureFixture,
    rotates: bool,
    level: int,
    text: str,
) -> None:
    real.rotates = rotates
    with client_for(real, Unwritable(real.tokens())) as client:
        for _ in range(3):
            client.widgets()
            real.access = "another"
        real.refuses_all = True
        with pytest.raises(ErrorResponse):
            client.widgets()

    said = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.levelno for record in said] == [level]
    assert "No space left on device" in said[0].getMessage()
    assert text in said[0].getMessage()
    assert "stale" not in real.bearers[1:], "the older tokens in the storage are not taken"


def test_a_storage_that_breaks_meanwhile_does_not_stop_us(
    real: Platform, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    file.put(real.tokens(access_token=Secret(real.access)))
    with client_for(real, FileStorage(file, real.base_url)) as client:
        client.widgets()
        (tmp_path / "tokens.json").write_text("{broken")
        real.access = "another"
        client.widgets()

    assert real.refreshes == 1
    assert (tmp_path / "tokens.json").read_text() == "{broken"
    assert "cannot be stored" in caplog.text
