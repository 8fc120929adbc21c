"""Choice of platform and tokens: arguments, environment, kept logins; and what never mixes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.token_platform import Platform, platform, shown
from widgetschema.errors import LoginRequired, PlatformError, TokenStorageError
from widgetschema.platform.auth.storage import MemoryStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.client.retrying import Retries
from widgetschema.platform.connection import (
    Connection,
    Settings,
    aconnect,
    connect,
    connection_for,
)
from widgetschema.platform.secret import Secret
from widgetschema.platform.variables import VARIABLES

X = "https://x.example/api/v1"
Y = "https://y.example/api/v1"
AUTH = "https://auth.example"
CANARY = "canary"


@pytest.fixture
def file(tmp_path: Path) -> TokenFile:
    """A token file that is not there yet."""
    return TokenFile(tmp_path / "widgetschema" / "tokens.json")


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


def kept(base_url: str, **changes: Any) -> Tokens:
    fields: dict[str, Any] = {
        "access_token": Secret("kept"),
        "refresh_token": Secret("kept refresh"),
        "auth_url": AUTH,
        "client_id": "kept id",
        "client_secret": Secret("kept secret"),
        "account": "kept account",
    }
    return Tokens(base_url=base_url, **{**fields, **changes})


def env(**variables: str) -> dict[str, str]:
    return {f"WIDGETSCHEMA_{name}": value for name, value in variables.items()}


def choose(
    base_url: str | None = None,
    auth_url: str | None = None,
    *,
    environ: dict[str, str],
    **more: Any,
) -> Connection:
    return connection_for(base_url, auth_url, Settings.from_environment(environ), **more)


def access(storage: Any) -> str:
    tokens = storage.load()
    assert tokens is not None
    revealed: str = tokens.access_token.reveal()
    return revealed


def test_settings_are_read_and_hidden() -> None:
    settings = Settings.from_environment(
        env(
            ACCESS_TOKEN=f" {CANARY}-a\n",
            REFRESH_TOKEN=f"{CANARY}-r",
            CLIENT_ID="id",
            CLIENT_SECRET=f"{CANARY}-s",
            BASE_URL=X,
            AUTH_URL=" ",
        )
    )

    assert settings == Settings(
        Secret(f"{CANARY}-a"), Secret(f"{CANARY}-r"), "id", Secret(f"{CANARY}-s"), X
    )
    assert CANARY not in repr(settings)


@pytest.mark.parametrize("text", [f"{CANARY}\udcff", f"{CANARY}\nX: y", f"{CANARY}\x00"])
@pytest.mark.parametrize("name", [name for name in VARIABLES if name != "OFFLINE"])
def test_what_cannot_be_sent_is_an_error_without_it(file: TokenFile, name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"WIDGETSCHEMA_{name}") as caught:
        connect(environ=env(**{name: text}), file=file)
    hidden = name in ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_SECRET")
    assert CANARY not in (shown(caught.value) if hidden else str(caught.value))


def test_two_accounts_on_one_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("", "work"):
        file = TokenFile(profile=name)
        with file.lock():
            file.put(Tokens(Secret("a"), X, account=f"account {name}"))
    overriding = env(ACCESS_TOKEN="b", BASE_URL=X)

    assert connect(environ={}).account == "account "
    assert connect(environ=env(PROFILE="work")).account == "account work"
    assert connect(environ=overriding, profile="work").account == "account work"
    assert connect(environ=overriding | env(PROFILE="work")).account.startswith("env-")
    assert connect(environ=env(PROFILE="work"), profile="").account == "account "
    with pytest.raises(LoginRequired, match=r"no login in .*tokens-other\.json"):
        connect(environ={}, profile="other")
    with pytest.raises(ValueError, match="letters, digits"):
        connect(environ=env(PROFILE="../x"))


def test_advice_repeats_the_profile_and_the_address(
    real: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    real.refuses_all, real.refresh = True, "revoked"
    file, profile = TokenFile(profile="work"), "widgetschema login --profile work"
    file.put(real.tokens(refresh_token=Secret("old")))
    for base_url, login in ((None, profile), (real.base_url, f"{profile} --base-url {real.url}")):
        with connect(base_url=base_url, environ=env(PROFILE="work")) as client:
            with pytest.raises(LoginRequired, match="refresh token") as caught:
                client.widgets()
            assert login in caught.value.advice
    with pytest.raises(LoginRequired, match=f"{profile} --base-url {X} "):
        connect(base_url=X, environ={}, profile="work")
    Path(file.path).write_text("{")
    with pytest.raises(TokenStorageError, match=profile):
        connect(environ={}, profile="work")


def test_an_error_does_not_show_the_environment(file: TokenFile) -> None:
    for make in (connect, aconnect):
        with pytest.raises(LoginRequired) as caught:
            make(environ=env(ACCESS_TOKEN=CANARY), file=file)
        assert CANARY not in shown(caught.value)


# The platform


def test_the_argument_wins_then_the_environment_then_the_only_login(file: TokenFile) -> None:
    for base_url in (X, Y):
        file.put(kept(base_url))

    assert choose(X, environ=env(BASE_URL=Y), file=file).base_url == X
    assert choose(environ=env(BASE_URL=Y), file=file).base_url == Y
    with pytest.raises(ValueError, match="several logins"):
        choose(environ={}, file=file)
    file.drop(X)
    assert choose(environ={}, file=file).base_url == Y
    file.drop(Y)
    with pytest.raises(LoginRequired, match="WIDGETSCHEMA_BASE_URL"):
        choose(environ={}, file=file)


@pytest.mark.parametrize(
    "spelling", [f"{X}/", "HTTPS://X.Example/api/v1", "https://x.example:443/api/v1", f" {X} "]
)
def test_an_address_has_one_spelling(file: TokenFile, spelling: str) -> None:
    file.put(kept(X))

    assert choose(spelling, environ={}, file=file).base_url == X


@pytest.mark.parametrize("other", ["https://x.example/api/v2", "https://x.example", f"{X}/more"])
def test_tokens_are_not_for_another_path(file: TokenFile, other: str) -> None:
    file.put(kept(X))

    with pytest.raises(LoginRequired, match="there are no tokens for"):
        choose(other, environ={}, file=file)


@pytest.mark.parametrize(
    "bad", ["x", "ftp://x", f"https://me:{CANARY}@x.example", f"{X}?a={CANARY}"]
)
def test_what_is_no_address(file: TokenFile, bad: str) -> None:
    cases: list[tuple[str | None, dict[str, str]]] = [
        (bad, {}),
        (None, env(BASE_URL=bad)),
        (X, env(AUTH_URL=bad)),
    ]
    for base_url, variables in cases:
        with pytest.raises(ValueError, match=r"(?i)base_url|auth_url") as caught:
            choose(base_url, environ=variables, file=file)
        assert CANARY not in str(caught.value)


# The tokens


def test_a_token_of_the_environment_wins_and_is_not_mixed(file: TokenFile) -> None:
    file.put(kept(X))
    found = choose(environ=env(BASE_URL=X, ACCESS_TOKEN="env"), file=file)

    assert found.storage.describe() == "the environment variables WIDGETSCHEMA_…"
    tokens = found.storage.load()
    assert tokens is not None
    assert tokens.access_token == Secret("env")
    assert (tokens.refresh_token, tokens.client_secret, tokens.auth_url) == (None, None, None)


def test_a_token_of_the_environment_is_for_its_own_platform(file: TokenFile) -> None:
    file.put(kept(X))
    variables = env(BASE_URL=Y, AUTH_URL="https://auth-y.example", ACCESS_TOKEN="env")
    variables |= env(CLIENT_ID="id", CLIENT_SECRET="env secret")

    found = choose(X, environ=variables, file=file)
    assert access(found.storage) == "kept"
    assert found.auth_url == AUTH
    assert (found.client_id, found.client_secret) == (None, None)
    assert access(choose(f"{Y}/", environ=variables, file=file).storage) == "env"
    file.drop(X)
    with pytest.raises(LoginRequired):
        choose(X, environ=variables, file=file)


def test_a_token_of_the_environment_needs_a_platform(file: TokenFile) -> None:
    file.put(kept(X))

    with pytest.raises(LoginRequired, match="WIDGETSCHEMA_BASE_URL"):
        choose(environ=env(ACCESS_TOKEN="env"), file=file)
    found = choose(X, environ=env(ACCESS_TOKEN="env"), file=file)
    assert access(found.storage) == "env"


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({}, "WIDGETSCHEMA_CLIENT_ID, WIDGETSCHEMA_CLIENT_SECRET, WIDGETSCHEMA_AUTH_URL"),
        ({"CLIENT_ID": "c", "AUTH_URL": AUTH}, "or else WIDGETSCHEMA_CLIENT_SECRET"),
    ],
)
def test_a_refresh_token_alone_needs_more(
    file: TokenFile, variables: dict[str, str], missing: str
) -> None:
    with pytest.raises(LoginRequired, match=missing):
        choose(X, environ=env(REFRESH_TOKEN="r", **variables), file=file)


def test_credentials_of_the_environment_win_over_kept_ones(file: TokenFile) -> None:
    file.put(kept(X))
    variables = env(CLIENT_ID="env id", CLIENT_SECRET="env secret")
    found = choose(environ=variables, file=file)

    assert access(found.storage) == "kept"
    assert (found.client_id, found.client_secret) == ("env id", Secret("env secret"))


def test_kept_tokens_are_sent_to_no_other_token_endpoint(file: TokenFile) -> None:
    file.put(kept(X))

    evil = "https://evil.example"
    cases: list[tuple[str | None, dict[str, str]]] = [(evil, {}), (None, env(AUTH_URL=evil))]
    for auth_url, variables in cases:
        with pytest.raises(LoginRequired, match="are not sent to"):
            choose(X, auth_url, environ=variables, file=file)
    assert choose(X, f"{AUTH}/", environ={}, file=file).auth_url == AUTH


def test_a_login_without_a_token_endpoint_takes_the_one_that_is_given(file: TokenFile) -> None:
    file.put(kept(X, auth_url=None))

    assert choose(X, AUTH, environ={}, file=file).auth_url == AUTH


def test_a_given_storage_is_the_only_source(file: TokenFile) -> None:
    storage = MemoryStorage(kept(X))
    found = choose(X, environ=env(ACCESS_TOKEN="env"), storage=storage, file=file)

    assert found.storage is storage
    with pytest.raises(LoginRequired, match="another platform"):
        choose(Y, environ={}, storage=storage, file=file)
    with pytest.raises(LoginRequired):
        choose(X, environ={}, storage=MemoryStorage(), file=file)


def test_accounts_of_the_environment_have_names_that_tell_nothing(file: TokenFile) -> None:
    def account(**variables: str) -> str:
        return choose(X, environ=env(**variables), file=file).account

    one, other = account(ACCESS_TOKEN="one"), account(ACCESS_TOKEN="other")
    assert one != other
    assert one == account(ACCESS_TOKEN="one")
    assert one.startswith("env-")
    assert len(one) == 20
    with_refresh = {account(ACCESS_TOKEN=text, REFRESH_TOKEN="r") for text in "ab"}
    assert len(with_refresh) == 1, "a new access token is the same account"
    file.put(kept(X))
    assert choose(X, environ={}, file=file).account == "kept account"


# Clients


def test_connect_makes_a_client_that_renews(real: Platform, file: TokenFile) -> None:
    file.put(real.tokens())
    with connect(environ={}, file=file) as client:
        assert client.widgets().docs == ()
        assert client.account == "somebody"
        assert client.base_url == real.base_url

    assert real.refreshes == 1


def test_aconnect_makes_one_for_tasks(real: Platform, file: TokenFile) -> None:
    file.put(real.tokens())

    async def main() -> None:
        async with aconnect(environ={}, file=file) as client:
            await client.widgets()

    asyncio.run(main())
    assert real.refreshes == 1


def test_a_bearer_alone_works_until_it_is_refused(real: Platform, file: TokenFile) -> None:
    variables = env(BASE_URL=real.base_url, ACCESS_TOKEN=real.access)
    with connect(environ=variables, file=file) as client:
        client.widgets()
        real.access = "another"
        with pytest.raises(LoginRequired, match="no refresh token") as caught:
            client.widgets()
    assert caught.value.advice.startswith("replace or unset WIDGETSCHEMA_ACCESS_TOKEN;")


def test_a_refresh_token_of_the_environment_is_used_and_nothing_is_written(
    real: Platform, file: TokenFile, tmp_path: Path
) -> None:
    variables = env(
        BASE_URL=real.base_url,
        AUTH_URL=real.url,
        REFRESH_TOKEN=real.refresh,
        CLIENT_ID="c",
        CLIENT_SECRET="s",
    )
    with connect(environ=variables, file=file) as client:
        client.widgets()
        client.widgets()

    assert real.refreshes == 1
    assert list(tmp_path.iterdir()) == []


def test_a_secret_of_the_environment_is_sent_and_not_kept(real: Platform, file: TokenFile) -> None:
    file.put(real.tokens(client_secret=None))
    with connect(environ=env(CLIENT_SECRET=CANARY), file=file) as client:
        client.widgets()

    assert real.calls[1][1]["client_secret"] == CANARY
    assert CANARY not in Path(file.path).read_text()


def test_failures_of_a_connected_client_show_no_secret(real: Platform, file: TokenFile) -> None:
    real.trouble = (500, f"{CANARY}-r {CANARY}-s")
    variables = env(
        BASE_URL=real.base_url,
        AUTH_URL=real.url,
        ACCESS_TOKEN=f"{CANARY}-a",
        REFRESH_TOKEN=f"{CANARY}-r",
        CLIENT_ID="c",
        CLIENT_SECRET=f"{CANARY}-s",
    )
    once = Retries(attempts=1)
    with (
        connect(environ=variables, file=file, retries=once) as client,
        pytest.raises(PlatformError) as caught,
    ):
        client.widgets()

    assert CANARY not in shown(caught.value)
