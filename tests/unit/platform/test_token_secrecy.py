"""No token and no secret is in an error, its traceback, a log or the output of a request."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.token_platform import (
    Platform,
    async_client_for,
    client_for,
    platform,
    shown,
)
from widgetschema.errors import (
    LoginRequired,
    PlatformError,
    TokenStorageError,
)
from widgetschema.platform.auth.storage import FileStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.secret import Secret


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


CANARY = "canary"


def failing(real: Platform, tmp_path: Path) -> dict[str, Callable[[], None]]:
    """Return the set-up of each failure."""
    file = tmp_path / "tokens.json"

    def trouble(value: Any) -> Callable[[], None]:
        return lambda: setattr(real, "trouble", value)

    echo = json.dumps({"error": "server_error", "you_sent": [f"{CANARY}-1", f"{CANARY}-2"]})
    return {
        "no response": trouble("drop"),
        "400": trouble((400, echo)),
        "401": trouble((401, echo)),
        "invalid_grant": trouble((400, f'{{"error": "invalid_grant", "x": "{CANARY}-1"}}')),
        "500": trouble((500, echo)),
        "HTML": trouble((200, f"<html>{CANARY}-1</html>")),
        "no token": trouble((200, f'{{"refresh_token": "{CANARY}-1"}}')),
        "an unsendable token": trouble((200, f'{{"access_token": "{CANARY}-9\\u0001"}}')),
        "a corrupt file": lambda: (file.write_text(f'{{"x": "{CANARY}-1'), None)[1],
        "an odd entry": lambda: (
            file.write_text(
                json.dumps({"version": 1, "logins": {real.base_url: {"x": f"{CANARY}-1"}}})
            ),
            None,
        )[1],
    }


FAILURES = list(failing(Platform(), Path()))


@pytest.mark.parametrize("kind", ["threads", "tasks"])
@pytest.mark.parametrize("name", FAILURES)
def test_no_secret_is_in_an_error_a_log_or_the_output(
    real: Platform,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    name: str,
    kind: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    file = TokenFile(tmp_path / "tokens.json")
    file.put(
        real.tokens(
            access_token=Secret(f"{CANARY}-0"),
            refresh_token=Secret(f"{CANARY}-1"),
            client_secret=Secret(f"{CANARY}-2"),
        )
    )
    storage = FileStorage(file, real.base_url)
    failing(real, tmp_path)[name]()

    def in_a_thread() -> None:
        with client_for(real, storage) as client:
            client.widgets()

    async def in_a_task() -> None:
        async with async_client_for(real, storage) as client:
            await client.widgets()

    with pytest.raises((PlatformError, LoginRequired, TokenStorageError)) as caught:
        in_a_thread() if kind == "threads" else asyncio.run(in_a_task())

    output = capfd.readouterr()
    for place in (shown(caught.value), caplog.text, output.out, output.err):
        assert CANARY not in place


def test_no_secret_is_in_the_warning_that_tokens_cannot_be_kept(
    real: Platform, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    real.rotates = True
    file = TokenFile(tmp_path / "tokens.json")
    file.put(real.tokens())
    with client_for(real, FileStorage(file, real.base_url)) as client:
        client.widgets()
        (tmp_path / "tokens.json").unlink()
        (tmp_path / "tokens.json").mkdir()
        real.access = "another"
        real.refresh = "refresh-1"
        client.widgets()

    assert "cannot be stored" in caplog.text
    for secret in ("stale", "access-", "refresh-0", "refresh-1", "refresh-2", "hush"):
        assert secret not in caplog.text
