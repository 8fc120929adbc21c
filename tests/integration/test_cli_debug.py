"""`-v` and `--debug`: requests and decisions of the cache on standard error, without secrets."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.command import run
from widgetschema.cli.main import _COMMANDS, cli
from widgetschema.sandbox import REDIRECT_URI, Sandbox, running

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A sandbox; the environment is logged in to it."""
    with running() as made:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", made.base_url)
        monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", made.auth_url)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.chdir(tmp_path)
        yield made


def logged(err: str) -> list[str]:
    """The lines of the log, without times."""
    lines = [line for line in err.splitlines() if line.startswith(("debug: ", "warning: "))]
    return [re.sub(r"\d+ ms|\d+ (second|minute)s?", "…", line) for line in lines]


SAMPLE = ("sample", "countdown", "--fetch", "auto", "--seed", "1")


def test_requests_and_decisions(
    sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", sandbox.access_token())
    quiet = run(capsys, *SAMPLE)
    assert not logged(quiet.err)

    again = run(capsys, *SAMPLE, "-v")
    assert (again.code, again.out) == (0, quiet.out)
    assert "debug: schema 'countdown': the copy in the cache is fresh, checked … ago" in (
        logged(again.err)
    )

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    cold = logged(run(capsys, "--debug", *SAMPLE, "-v").err)
    assert cold.count("debug: schema 'countdown': not in the cache") == 1
    assert any(
        re.match(r"debug: GET \S+/countdown/schema → 200, …, attempt 1", one) for one in cold
    )
    assert not logging.getLogger("widgetschema").handlers


def test_failures(sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", sandbox.access_token())
    sandbox.fault("status=404@schema")

    result = run(capsys, "pull", "countdown", "-v")
    assert result.code == 5
    assert any("/countdown/schema → 404" in line for line in logged(result.err))


def test_a_refused_token(
    sandbox: Sandbox, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "of-another-day")
    refused = "debug: GET /platform/api/v1/widgets → 401: the access token was refused"

    result = run(capsys, "widgets", "-v")
    assert (result.code, logged(result.err)) == (5, [refused])

    for name in ("client_id", "client_secret"):
        monkeypatch.setenv(f"WIDGETSCHEMA_{name.upper()}", getattr(sandbox, name))
    refresh_token = sandbox.tokens.new_refresh(sandbox.client_id)
    monkeypatch.setenv("WIDGETSCHEMA_REFRESH_TOKEN", refresh_token)
    renewed = run(capsys, "widgets", "-v")
    assert renewed.code == 0
    assert [line.partition(", ")[0] for line in logged(renewed.err)] == [
        refused,
        "debug: POST /oauth/token → 200",
        "debug: GET /platform/api/v1/widgets → 200",
    ]
    assert "of-another-day" not in result.err + renewed.err


def test_no_secret_is_printed(sandbox: Sandbox, capsys: Capture) -> None:
    code = sandbox.code()
    secrets = [code, sandbox.client_secret]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WIDGETSCHEMA_CLIENT_ID", sandbox.client_id)
        patch.setenv("WIDGETSCHEMA_CLIENT_SECRET", sandbox.client_secret)
        login = run(capsys, "login", "-v", "--redirect-uri", REDIRECT_URI, "--code", code)
        listed = run(capsys, "widgets", "--debug")
    text = login.err + login.out + listed.err
    assert any("/widgets" in line for line in logged(listed.err)), (login, listed)
    assert any("/oauth/token" in line for line in logged(login.err))
    for secret in secrets:
        assert secret not in text
    assert "Bearer" not in text
    tokens = re.findall(r'"(?:access|refresh)_token": ?"([^"]+)"', _stored())
    assert len(tokens) == 2
    for token in tokens:
        assert token not in text


def _stored() -> str:
    """The text of all files of tokens."""
    files = [path for path in Path("config").rglob("*") if path.is_file()]
    assert files
    return "".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("name", sorted(_COMMANDS))
def test_every_command_has_it(name: str) -> None:
    command = cli.get_command(
        cli.make_context("widgetschema", [name, "--help"], resilient_parsing=True), name
    )

    assert command is not None
    below = command.commands if isinstance(command, click.Group) else {}
    for one in (command, *below.values()):
        [option] = [param for param in one.params if "--debug" in param.opts]
        assert option.opts == ["-v", "--debug"]
