"""`widgetschema status` and `widgetschema logout`: what is said of tokens, and removed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import keyring
import pytest

from tests.command import Run, run
from tests.token_platform import Platform, platform
from tests.unit.platform.test_token_storage import Vault
from widgetschema import Fetcher, Store
from widgetschema.platform import SchemaResponse
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.fetcher import cache_folder, cache_root
from widgetschema.platform.secret import Secret

Capture = pytest.CaptureFixture[str]
CANARY = "canary"


@pytest.fixture
def real() -> Iterator[Platform]:
    """A platform on a port of this machine."""
    with platform() as state:
        yield state


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and an environment that says nothing."""
    for name in [name for name in os.environ if name.startswith("WIDGETSCHEMA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "config"))
    return tmp_path


@pytest.fixture
def vault() -> Iterator[Vault]:
    """The keyring of this process, for as long as a test takes."""
    before = keyring.get_keyring()
    one = Vault()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


# status


def test_status_of_nothing(capsys: Capture) -> None:
    result = run(capsys, "status")

    assert result == Run(5, f"No tokens in {TokenFile().path}.\n", "")
    value = json.loads(run(capsys, "status", "--format", "json").out)
    assert value == {
        "version": 1,
        "file": TokenFile().path,
        "profile": "",
        "other_profiles": [],
        "logins": [],
        "environment": [],
        "problems": [],
    }


def test_status_says_where_whose_and_how_old(real: Platform, capsys: Capture) -> None:
    now = time.time()
    TokenFile().put(
        real.tokens(
            access_token=Secret(CANARY),
            expires_in="3600",
            obtained=now - 2_880,
            refresh_token_expires_in="2592000",
            refresh_token_obtained=now,
        )
    )
    result = run(capsys, "status")

    lines = [" ".join(line.split()) for line in result.out.splitlines()]
    assert result.code == 0
    assert result.err == ""
    assert lines[0] == real.base_url
    assert f"token endpoint {real.url}" in lines
    assert "client id the-client" in lines
    assert "client secret stored" in lines
    assert "account somebody" in lines
    assert f"stored in {TokenFile().path}" in lines
    assert any(line.startswith("obtained 48 minutes ago (2") for line in lines)
    assert "access token about 12 minutes left (expires_in 3600)" in lines
    assert any(line.startswith("refresh token stored, may expire 2") for line in lines)
    for secret in (CANARY, "refresh-0", "hush"):
        assert secret not in result.out


@pytest.mark.parametrize(
    ("expires_in", "age", "said"),
    [
        (None, 0, "no expiry in seconds"),
        (CANARY, 0, "no expiry in seconds"),
        ("\x1b[31m", 0, "no expiry in seconds"),
        ("60", 9_060, "expired about 2 hours ago (expires_in 60)"),
        (" 10800 ", 0, "about 3 hours left (expires_in 10800)"),
        ("7776000.0", 0, "about 90 days left (expires_in 7776000.0)"),
    ],
)
def test_status_of_an_expiry(
    real: Platform, capsys: Capture, expires_in: str | None, age: float, said: str
) -> None:
    TokenFile().put(real.tokens(expires_in=expires_in, obtained=time.time() - age))
    result = run(capsys, "status")

    assert said in " ".join(result.out.split())
    assert CANARY not in result.out + run(capsys, "status", "--format", "json").out


def test_status_in_json(real: Platform, capsys: Capture) -> None:
    TokenFile().put(real.tokens(refresh_token=None, obtained=1_700_000_000.0, expires_in="60"))
    result = run(capsys, "status", "--format", "json")

    (login,) = json.loads(result.out)["logins"]
    assert login.pop("age") > 0
    assert login.pop("left") < 0
    assert login == {
        "base_url": real.base_url,
        "auth_url": real.url,
        "client_id": "the-client",
        "account": "somebody",
        "kept_in": TokenFile().path,
        "obtained": "2023-11-14T22:13:20+00:00",
        "expires_in": "60",
        "expires": "2023-11-14T22:14:20+00:00",
        "has_refresh_token": False,
        "refresh_token_expires": None,
        "has_client_secret": True,
    }


def test_status_names_the_variables_that_win(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_SECRET", "BASE_URL"):
        monkeypatch.setenv(f"WIDGETSCHEMA_{name}", CANARY)
    result = run(capsys, "status")

    assert result.code == 0
    assert (
        "overrides the stored tokens: WIDGETSCHEMA_ACCESS_TOKEN, WIDGETSCHEMA_REFRESH" in result.out
    )
    assert CANARY not in result.out
    monkeypatch.delenv("WIDGETSCHEMA_ACCESS_TOKEN")
    monkeypatch.delenv("WIDGETSCHEMA_REFRESH_TOKEN")
    assert run(capsys, "status").code == 5


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_status_reports_loose_permissions(real: Platform, capsys: Capture) -> None:
    TokenFile().put(real.tokens())
    os.chmod(TokenFile().path, 0o604)
    result = run(capsys, "status")

    assert f"Problem: {TokenFile().path}: others can access it (mode 604): chmod 600" in result.out


def spoil_file() -> None:
    Path(TokenFile().path).write_text(f"[{CANARY}")


def spoil_entry() -> None:
    path = Path(TokenFile().path)
    value = json.loads(path.read_text())
    value["logins"] = dict.fromkeys(value["logins"], CANARY)
    path.write_text(json.dumps(value))


def obey() -> None:
    path = Path(TokenFile().path)
    value = json.loads(path.read_text())
    value["logins"] = {"\x1b[31m\u202e": {"access_token": CANARY, "client_id": "\x07"}}
    path.write_text(json.dumps(value))


@pytest.mark.parametrize(
    ("spoil", "code"), [(spoil_file, 5), (spoil_entry, 5), (obey, 0)], ids=lambda f: str(f)[:20]
)
def test_status_of_a_spoilt_file(
    real: Platform, capsys: Capture, spoil: Callable[[], None], code: int
) -> None:
    TokenFile().put(real.tokens())
    spoil()
    result = run(capsys, "status")

    assert result.code == code
    assert ("Problem:" in result.out) == (code == 5)
    assert CANARY not in result.out + result.err
    assert all(character.isprintable() or character == "\n" for character in result.out)


# logout


@pytest.mark.parametrize("option", [(), ("--all",)])
def test_logout_without_a_login(capsys: Capture, option: tuple[str, ...]) -> None:
    result = run(capsys, "logout", *option)

    assert (result.code, result.err) == (0, f"No tokens in {TokenFile().path}.\n")


def test_logout_removes_the_only_login(real: Platform, capsys: Capture) -> None:
    TokenFile().put(real.tokens())
    path = TokenFile().path
    result = run(capsys, "logout")

    assert result == Run(0, "", f"Removed the tokens for {real.base_url} from {path}.\n")
    assert not os.path.exists(path)
    again = run(capsys, "logout")
    assert again == Run(0, "", f"No tokens in {path}.\n")
    named = run(capsys, "logout", "--base-url", real.base_url)
    assert named == Run(0, "", f"No tokens for {real.base_url} in {path}.\n")


@dataclass(frozen=True)
class Whose:
    """A client of which no more is asked than whose it is."""

    base_url: str
    account: str

    def fetch_schema(
        self, id: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> SchemaResponse:
        return SchemaResponse(200, self.base_url, schema={"type": "object"})


def cache(tokens: Tokens) -> Path:
    """Fetch a schema for an account; the folder that it is cached in."""
    _ = Fetcher(Whose(tokens.base_url, tokens.account), cache=cache_root())["faq"]
    folder = Path(cache_folder(cache_root(), tokens.base_url, tokens.account))
    assert "faq" in Store(folder)
    return folder


def test_logout_removes_what_was_cached_for_the_account(real: Platform, capsys: Capture) -> None:
    own, other = real.tokens(), real.tokens(base_url="https://other.example")
    for tokens in (own, other):
        TokenFile().put(tokens)
    mine, theirs, another = cache(own), cache(other), cache(replace(own, account="another"))

    result = run(capsys, "logout", "--base-url", real.base_url)

    assert result.code == 0
    assert "Removed the cached schemas of the account." in result.err
    assert (mine.exists(), theirs.exists(), another.exists()) == (False, True, True)
    assert run(capsys, "logout", "--all").code == 0
    assert (theirs.exists(), another.exists()) == (False, True)


def test_a_cache_that_cannot_be_removed_is_said(real: Platform, capsys: Capture) -> None:
    tokens = real.tokens()
    TokenFile().put(tokens)
    (cache(tokens) / "somebody's folder").mkdir()

    result = run(capsys, "logout")

    assert result.code == 4
    assert "the cached schemas of the account cannot be removed" in result.err
    assert TokenFile().base_urls() == ()


def test_another_login_removes_what_was_cached_for_the_one_before(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = replace(real.tokens(), auth_url=real.url)
    TokenFile().put(before)
    folder = cache(before)
    monkeypatch.setenv("WIDGETSCHEMA_CLIENT_SECRET", CANARY)
    result = run(
        capsys,
        "login",
        *("--base-url", real.base_url, "--auth-url", real.url, "--client-id", "me"),
        *("--code", real.code, "--redirect-uri", "https://app.example/back"),
    )

    assert result.code == 0
    assert not folder.exists()


def test_logout_of_one_of_several(real: Platform, capsys: Capture) -> None:
    other = "https://other.example"
    TokenFile().put(real.tokens())
    TokenFile().put(real.tokens(base_url=other))

    ambiguous = run(capsys, "logout")
    assert ambiguous.code == 2
    assert "--base-url or --all" in ambiguous.err
    assert run(capsys, "logout", "--base-url", f"{other}/").code == 0
    assert TokenFile().base_urls() == (real.base_url,)
    TokenFile().put(real.tokens(base_url=other))
    assert run(capsys, "logout", "--all").err.count("Removed") == 2
    assert TokenFile().base_urls() == ()


def test_logout_of_the_keyring(real: Platform, capsys: Capture, vault: Vault) -> None:
    from widgetschema.platform.auth.storage import KeyringStorage

    KeyringStorage(TokenFile(), real.base_url).save(real.tokens())
    result = run(capsys, "logout")

    assert "from keyring" in result.err
    assert vault.kept == {}
    assert TokenFile().base_urls() == ()


def test_profiles(real: Platform, capsys: Capture) -> None:
    TokenFile(profile="").put(real.tokens())
    unnamed = "'' (the login without a name)"
    assert unnamed in run(capsys, "status", "--profile", "work").out
    assert unnamed in run(capsys, "logout", "--all", "--profile", "work").err
    for command in ("status", "logout", "widgets", "pull a"):
        assert run(capsys, *command.split(), "--profile", "two words").code == 2


def test_logout_names_variables_that_stay(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", CANARY)
    result = run(capsys, "logout")

    assert "WIDGETSCHEMA_ACCESS_TOKEN is still set" in result.err
    assert CANARY not in result.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("--all", "--base-url", "https://x"), 2), (("--base-url", f"https://a:{CANARY}@x"), 2)],
)
def test_logout_misused(capsys: Capture, arguments: tuple[str, ...], code: int) -> None:
    result = run(capsys, "logout", *arguments)

    assert result.code == code
    assert CANARY not in result.err


def test_logout_of_a_broken_file_leaves_it(real: Platform, capsys: Capture) -> None:
    TokenFile().put(real.tokens())
    spoil_file()
    result = run(capsys, "logout")

    assert result.code == 5
    assert "it is not JSON" in result.err
    assert Path(TokenFile().path).read_text() == f"[{CANARY}"
    assert CANARY not in result.err
