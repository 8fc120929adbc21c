"""`widgetschema login`, `status` and `logout`, as processes where a terminal or browser matters."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest

from tests.command import INTERRUPTIBLE, Run, environment, run
from tests.listening import reserved_port
from tests.terminal import HANG, Terminal
from tests.token_platform import Platform, platform
from tests.unit.platform.test_token_storage import Vault
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.secret import Secret

Capture = pytest.CaptureFixture[str]
CANARY = "canary"
REDIRECT = "https://app.example/back"


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


def with_code(real: Platform, *more: str, code: str | None = None) -> list[str]:
    return [
        "login",
        *("--base-url", real.base_url, "--auth-url", real.url, "--client-id", "me"),
        *("--code", code or real.code, "--redirect-uri", REDIRECT, *more),
    ]


def kept(real: Platform) -> Tokens | None:
    return TokenFile().get(real.base_url)


def secrets_of(real: Platform) -> tuple[str, ...]:
    return (CANARY, real.access, real.refresh, real.code)


def hides(result: Run, real: Platform) -> bool:
    return not any(secret in result.out + result.err for secret in secrets_of(real))


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client secret is in the environment."""
    monkeypatch.setenv("WIDGETSCHEMA_CLIENT_SECRET", CANARY)


# login with a code


@pytest.mark.usefixtures("secret")
def test_login_with_a_code(real: Platform, capsys: Capture) -> None:
    before = time.time()
    result = run(capsys, *with_code(real))

    path = TokenFile().path
    assert result == Run(0, "", f"Logged in to {real.base_url}. Tokens are stored in {path}.\n")
    assert real.calls[0][1] == {
        "client_id": "me",
        "client_secret": CANARY,
        "grant_type": "authorization_code",
        "code": "code-0",
        "redirect_uri": REDIRECT,
    }
    tokens = kept(real)
    assert tokens is not None
    assert (tokens.access_token, tokens.client_secret) == (Secret("access-1"), Secret(CANARY))
    assert before <= tokens.obtained <= time.time()
    if os.name == "posix":
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_everything_can_come_from_the_environment_and_files(
    real: Platform, home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", f"{real.base_url}/")
    monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", real.url)
    monkeypatch.setenv("WIDGETSCHEMA_CLIENT_ID", "me")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{real.code}\n"))
    (home / "secret").write_text(f"{CANARY}\nmore\n")
    result = run(
        capsys,
        *("login", "--code", "-", "--redirect-uri", REDIRECT),
        *("--client-secret-file", home / "secret"),
    )

    assert result.code == 0
    assert real.calls[0][1]["client_secret"] == CANARY
    assert real.calls[0][1]["code"] == "code-0"


@pytest.mark.usefixtures("secret")
def test_the_next_login_needs_only_a_code(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, *with_code(real))
    monkeypatch.delenv("WIDGETSCHEMA_CLIENT_SECRET")
    real.code = "another"
    result = run(capsys, "login", "--code", "another", "--redirect-uri", REDIRECT)

    assert result.code == 0
    assert real.calls[1][1]["client_id"] == "me"
    assert real.calls[1][1]["client_secret"] == CANARY


@pytest.mark.parametrize(
    "changes", [("--auth-url", "http://127.0.0.1:1"), ("--client-id", "other")], ids=str
)
@pytest.mark.usefixtures("secret")
def test_a_kept_secret_is_for_its_own_client_and_place(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch, changes: tuple[str, str]
) -> None:
    run(capsys, *with_code(real))
    monkeypatch.delenv("WIDGETSCHEMA_CLIENT_SECRET")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    arguments = ("--client-id", "me", *changes, "--code", "x", "--redirect-uri", REDIRECT)
    result = run(capsys, "login", *arguments)

    assert result.code == 2
    assert "WIDGETSCHEMA_CLIENT_SECRET" in result.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--authorize-url"),
        (["--code", "x"], "--code requires --redirect-uri"),
        (["--port", "9", "--code", "x", "--redirect-uri", "x"], "--port requires"),
        (
            ["--port", "9", "--redirect-uri", "x", "--authorize-url", "https://x.example"],
            "--port requires --authorize-url, without --redirect-uri",
        ),
        (["--code", "x", "--redirect-uri", "x", "--authorize-url", "y"], "either --code"),
        (
            ["--code", "-", "--redirect-uri", "x", "--client-secret-file", "-"],
            "Only one of --code and --client-secret-file",
        ),
        (["--code", "x", "--redirect-uri", "x"], "BASE_URL; login does not use the configuration"),
        (["--code", "x", "--redirect-uri", "x", "--base-url", "https://x"], "Pass --auth-url"),
        (
            ["--code", "x", "--redirect-uri", "x", "--base-url", f"https://a:{CANARY}@x"],
            "user name or a password",
        ),
        (
            ["--code", "x", "--redirect-uri", "x", "--base-url", "http://x.example"],
            "plain http",
        ),
        (
            [
                *("--code", "x", "--redirect-uri", "x"),
                "--base-url",
                "https://x",
                "--auth-url",
                "https://y",
            ],
            "Pass --client-id",
        ),
        (
            [
                *("--code", "x", "--redirect-uri", "x", "--base-url", "https://x"),
                *("--auth-url", "https://y", "--client-id", "z"),
            ],
            "--client-secret-file",
        ),
        (["--code", "x", "--redirect-uri", "a\udcff"], "--redirect-uri contains"),
        (
            [
                *("--code", "x", "--redirect-uri", "x", "--base-url", "https://x"),
                *("--auth-url", "https://y", "--client-id", "a\nb"),
            ],
            "--client-id contains",
        ),
        (["--timeout", "0"], "--timeout"),
        (["--port", "70000"], "--port"),
        (["--client-secret", CANARY], "--client-secret"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_mistakes_in_use(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    result = run(capsys, "login", *arguments)

    assert result.code == 2
    assert said in " ".join(result.err.split())
    assert CANARY not in result.err


@pytest.mark.parametrize("content", [None, b"", b"\n\n", b"a\x00b\n", b"\xff\n", b"x" * 20_000])
def test_a_secret_file_of_no_use(
    real: Platform, home: Path, capsys: Capture, content: bytes | None
) -> None:
    if content is not None:
        (home / "secret").write_bytes(content)
    result = run(capsys, *with_code(real, "--client-secret-file", str(home / "secret")))

    assert result.code == 2
    assert real.calls == []


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("code", ["", " ", "a\nb", "a\x1bb", "a\udcff", "x" * 10_001])
def test_a_code_of_no_use(real: Platform, capsys: Capture, code: str) -> None:
    arguments = with_code(real)
    arguments[arguments.index("code-0")] = code
    result = run(capsys, *arguments)

    assert result.code == 2
    assert "The code must be one line of text" in result.err
    assert real.calls == []


def test_offline_there_is_no_login(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_OFFLINE", "1")
    result = run(capsys, *with_code(real))

    assert result.code == 2
    assert "WIDGETSCHEMA_OFFLINE" in result.err
    assert real.calls == []


# trouble


TROUBLE: dict[str, tuple[Any, str]] = {
    "no response": ("drop", "POST /oauth/token"),
    "invalid_grant": ((400, '{"error": "invalid_grant"}'), "→ 400"),
    "401": ((401, CANARY), "→ 401"),
    "500": ((500, f"{CANARY} code-0"), "→ 500"),
    "HTML": ((200, f"<html>{CANARY} code-0"), "not JSON"),
    "no token": ((200, f'{{"refresh_token": "{CANARY}"}}'), "access_token"),
    "an odd token": ((200, '{"access_token": "a b"}'), "a header cannot"),
}


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("name", TROUBLE)
def test_a_failed_login_says_so_and_leaves_what_there_was(
    real: Platform, capsys: Capture, name: str
) -> None:
    before = real.tokens(client_secret=None)
    TokenFile().put(before)
    real.trouble, said = TROUBLE[name]
    result = run(capsys, *with_code(real))

    assert result.code == 5
    assert said in result.err
    assert "Traceback" not in result.err
    assert result.out == ""
    assert hides(result, real)
    assert kept(real) == before
    assert real.refreshes == 1


@pytest.mark.usefixtures("secret")
def test_where_nothing_can_be_kept_the_code_is_not_spent(
    real: Platform, home: Path, capsys: Capture
) -> None:
    (home / "config").write_text("a file in the place of the folder")
    result = run(capsys, *with_code(real))

    assert result.code == 5
    assert "config" in result.err
    assert real.calls == []
    assert hides(result, real)


@pytest.mark.usefixtures("secret")
def test_a_broken_file_is_moved_aside(real: Platform, capsys: Capture) -> None:
    path = Path(TokenFile().path)
    path.parent.mkdir(parents=True)
    path.write_text(f'{{"access_token": "{CANARY}')
    result = run(capsys, *with_code(real))

    assert result.code == 0
    assert f"moved to {path}.broken" in result.err
    assert Path(f"{path}.broken").read_text() == f'{{"access_token": "{CANARY}'
    assert kept(real) is not None
    assert hides(result, real)


@pytest.mark.usefixtures("secret")
def test_a_variable_that_wins_is_mentioned(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", CANARY)
    result = run(capsys, *with_code(real))

    assert "WIDGETSCHEMA_ACCESS_TOKEN is set and overrides" in result.err
    assert hides(result, real)


@pytest.mark.usefixtures("secret")
def test_login_to_the_keyring_and_back(real: Platform, capsys: Capture, vault: Vault) -> None:
    first = run(capsys, *with_code(real, "--storage", "keyring"))
    assert first.code == 0
    assert "keyring (tests.unit.platform.test_token_storage.Vault)" in first.err
    assert list(vault.kept) == [("widgetschema", real.base_url)]
    assert CANARY not in Path(TokenFile().path).read_text()
    shown = run(capsys, "status")
    assert "keyring (tests" in shown.out
    assert shown.code == 0

    assert run(capsys, *with_code(real)).code == 0
    assert list(vault.kept) == [("widgetschema", real.base_url)], "where they were before"
    assert kept(real) is None

    assert run(capsys, *with_code(real, "--storage", "file")).code == 0
    assert vault.kept == {}
    assert kept(real) is not None


@pytest.mark.usefixtures("secret")
def test_a_profile_by_option(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = ("--profile", "work")
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", real.base_url)
    missing = run(capsys, "widgets", *work)
    assert (missing.code, run(capsys, "doctor", "--offline", *work).code) == (5, 5)
    assert "log in with: widgetschema login --profile work" in missing.err
    for command in (("pull", "a"), ("logout",), ("status",)):
        result = run(capsys, *command, *work)
        assert "tokens-work.json" in result.out + result.err

    assert "tokens-work.json" in run(capsys, *with_code(real, *work)).err
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "of the environment")
    status = json.loads(run(capsys, "status", "--format", "json", *work).out)
    assert (status["profile"], len(status["logins"])) == ("work", 1)
    assert "WIDGETSCHEMA_ACCESS_TOKEN" not in status["environment"]
    found = run(capsys, "doctor", "--offline", *work).out
    assert "/tokens-work.json" in found
    assert "WIDGETSCHEMA_ACCESS_TOKEN" not in found
    run(capsys, "widgets", *work)
    assert real.bearers == [f"Bearer {real.access}"]

    monkeypatch.delenv("WIDGETSCHEMA_ACCESS_TOKEN")
    assert "other profiles (--profile NAME): 'work'" in run(capsys, "status").out
    assert "the tokens of other profiles stay: 'work'" in run(capsys, "logout", "--all").err
    assert run(capsys, "logout", *work).code == 0
    assert "other profiles" not in run(capsys, "status").out


@pytest.mark.usefixtures("secret")
def test_two_accounts_on_one_platform(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, *with_code(real)).code == 0
    before = kept(real)
    monkeypatch.setenv("WIDGETSCHEMA_PROFILE", "work")
    assert run(capsys, "status").code == 5
    result = run(capsys, *with_code(real))

    assert "tokens-work.json" in result.err
    status = json.loads(run(capsys, "status", "--format", "json").out)
    assert status["profile"] == "work"
    assert before is not None
    assert status["logins"][0]["account"] != before.account
    assert run(capsys, "logout").code == 0
    monkeypatch.delenv("WIDGETSCHEMA_PROFILE")
    assert kept(real) == before
    monkeypatch.setenv("WIDGETSCHEMA_PROFILE", "../x")
    for command in ("status", "logout", "doctor", "widgets"):
        wrong = run(capsys, command)
        assert wrong.code == (5 if command == "doctor" else 2)
        assert "the profile '../x': its name can have letters" in wrong.err + wrong.out


@pytest.mark.usefixtures("secret")
def test_a_keyring_that_is_locked(real: Platform, capsys: Capture, vault: Vault) -> None:
    vault.trouble = RuntimeError(CANARY)
    result = run(capsys, *with_code(real, "--storage", "keyring"))

    assert result.code == 5
    assert "--storage file" in result.err
    assert real.calls == []
    assert hides(result, real)


# login with the browser


BROWSER = """
import sys, urllib.parse, urllib.request
query = urllib.parse.parse_qs(urllib.parse.urlsplit(sys.argv[1]).query)
fields = dict(field.split("=") for field in sys.argv[2].split("&"))
if fields.get("state") == "STATE":
    fields["state"] = query["state"][0]
url = query["redirect_uri"][0] + "?" + urllib.parse.urlencode(fields)
print(urllib.request.urlopen(url).read().decode())
"""


def in_browser(
    real: Platform, home: Path, answer: str, *more: str
) -> subprocess.CompletedProcess[str]:
    """Log in by a browser that at once comes back with `answer`."""
    script = home / "browser.py"
    script.write_text(BROWSER)
    return subprocess.run(
        [sys.executable, "-m", "widgetschema", "login", *browser_arguments(real), *more],
        env=environment(
            BROWSER=shlex.join([sys.executable, str(script), "%s", answer]),
            WIDGETSCHEMA_CLIENT_SECRET=CANARY,
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )


def browser_arguments(real: Platform) -> list[str]:
    return [
        *("--base-url", real.base_url, "--auth-url", real.url, "--client-id", "me"),
        *("--authorize-url", f"{real.url}/authorize?tenant=1"),
    ]


def test_login_with_the_browser(real: Platform, home: Path) -> None:
    result = in_browser(real, home, f"code={real.code}&state=STATE")

    assert result.returncode == 0, result.stderr
    assert (
        f"{real.url}/authorize?tenant=1&response_type=code&client_id=me&redirect" in result.stderr
    )
    assert "Logged in" in result.stderr
    assert "You can close this page" in result.stdout, "what the browser printed"
    form = real.calls[0][1]
    assert form["redirect_uri"].startswith("http://127.0.0.1:")
    assert form["redirect_uri"].endswith("/callback")
    assert form["code"] == "code-0"
    for secret in secrets_of(real):
        assert secret not in result.stdout + result.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_login_with_a_registered_redirect_uri(real: Platform, home: Path, host: str) -> None:
    with reserved_port() as port:
        registered = f"http://{host}:{port}/oauth/done"
        query = f"code={real.code}&state=STATE"
        result = in_browser(real, home, query, "--redirect-uri", registered)

    assert result.returncode == 0, result.stderr
    assert f"Waiting on {registered}" in result.stderr
    assert real.calls[0][1]["redirect_uri"] == registered


@pytest.mark.usefixtures("secret")
@pytest.mark.parametrize("is_right", [True, False])
def test_login_with_a_redirect_uri_elsewhere(
    real: Platform, capsys: Capture, monkeypatch: pytest.MonkeyPatch, is_right: bool
) -> None:
    """The browser cannot come back to the command, so the person pastes the address."""
    registered = "https://app.example/oauth/done"
    elsewhere = ("login", *browser_arguments(real), "--redirect-uri", registered, "--no-browser")
    refused = run(capsys, *elsewhere)
    assert refused.code == 2
    assert "Run it in a terminal, or pass --code" in refused.err

    command = [sys.executable, "-m", "widgetschema", *elsewhere]
    variables = environment(WIDGETSCHEMA_CLIENT_SECRET=CANARY)
    with Terminal(command, Path.cwd(), variables) as terminal:
        terminal.wait_for("browser ended at")
        state = re.search(r"state=([\w-]+)", terminal.shown)
        assert state is not None
        right = state[1] if is_right else "forged"
        terminal.type(f"{registered}?code={real.code}&state={right}\n")
        code = terminal.wait_for_end()

    assert code == (0 if is_right else 5), terminal.shown
    assert real.code not in terminal.shown
    assert [form["redirect_uri"] for _, form in real.calls] == [registered] * is_right


def test_the_platform_refuses_in_the_browser(real: Platform, home: Path) -> None:
    result = in_browser(real, home, "error=access_denied&state=STATE")

    assert result.returncode == 5
    assert "access was denied" in result.stderr
    assert real.calls == []


@pytest.mark.parametrize("answer", ["code=x&state=forged", "code=x", "error=access_denied"])
def test_a_forged_answer_is_not_taken(real: Platform, home: Path, answer: str) -> None:
    result = in_browser(real, home, answer, "--timeout", "1")

    assert result.returncode == 5
    assert "within 1 seconds" in result.stderr
    assert "--code CODE" in result.stderr
    assert real.calls == []


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *arguments],
        env=environment(WIDGETSCHEMA_CLIENT_SECRET=CANARY, BROWSER="false"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_it(real: Platform) -> None:
    with start("login", *browser_arguments(real), "--no-browser") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("Waiting"):
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG)

    assert process.returncode == 130
    assert (out, err) == ("", "widgetschema: interrupted\n")


def test_a_port_that_is_taken(real: Platform, capsys: Capture, monkeypatch: Any) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_CLIENT_SECRET", CANARY)
    port = real.url.rpartition(":")[2]
    result = run(capsys, "login", *browser_arguments(real), "--port", port, "--no-browser")

    assert result.code == 2
    assert f"127.0.0.1, port {port}: address already in use" in result.err


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_the_secret_is_asked_for_and_not_shown(real: Platform) -> None:
    import pty

    terminal, side = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "widgetschema", *with_code(real)],
        stdin=side,
        stdout=side,
        stderr=side,
        start_new_session=True,
        env=environment(),
    ) as process:
        os.close(side)
        shown = b""
        while b"Client secret" not in shown:
            shown += os.read(terminal, 1_000)
        os.write(terminal, f"{CANARY}\n".encode())
        try:
            while chunk := os.read(terminal, 1_000):
                shown += chunk
        except OSError:  # how Linux says that the other side is closed
            pass
        process.wait(HANG)
    os.close(terminal)

    assert process.returncode == 0, shown
    assert CANARY.encode() not in shown
    assert real.calls[0][1]["client_secret"] == CANARY


def test_logout_tells_of_files_that_may_hold_tokens_too(
    real: Platform, capsys: Capture, secret: None
) -> None:
    assert run(capsys, *with_code(real)).code == 0
    path = Path(TokenFile().path)
    left = [
        path.with_name("tokens.json.broken"),
        path.with_name(".tokens.json.widgetschema-0123456789abcdef"),
    ]
    for one in left:
        one.write_text("{}", encoding="utf-8")
    result = run(capsys, "logout", "--all")
    assert result.code == 0
    assert all(f"{one} may contain tokens as well" in result.err for one in left)
