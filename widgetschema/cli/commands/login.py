"""`widgetschema login`: obtains tokens of the platform with a code, and keeps them."""

from __future__ import annotations

import os
import sys
import time
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import click

from widgetschema.cli.commands.logout import account_of, forget_schemas
from widgetschema.cli.console.output import print_error, print_stderr, reason
from widgetschema.cli.options import platform_options
from widgetschema.errors import WidgetSchemaError
from widgetschema.platform.auth.login import (
    CallbackListener,
    authorize_request,
    exchange,
    new_state,
)
from widgetschema.platform.auth.storage import FileStorage, KeyringStorage, TokenStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens, fits_form
from widgetschema.platform.client.client import Client
from widgetschema.platform.connection import PREFIX, Settings, storage_for
from widgetschema.platform.endpoints import checked_address
from widgetschema.platform.secret import Secret
from widgetschema.text import printable

_T = TypeVar("_T")
_MOST: Final = 10_000  # characters of a secret or a code
_STDIN: Final = Secret("-")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Where to log in, and as which client."""

    base_url: str
    auth_url: str
    client_id: str
    client_secret: Secret


def _as_secret(ctx: click.Context, param: click.Parameter, value: str | None) -> Secret | None:
    """The code as a `Secret`, from here on; `_STDIN` itself for `-`."""
    if value is None:
        return None
    return _STDIN if value == "-" else Secret(value.strip())


@click.command("login")
@platform_options
@click.option(
    "--client-id",
    metavar="ID",
    help="Default: WIDGETSCHEMA_CLIENT_ID, then the one of the last login.",
)
@click.option(
    "--client-secret-file",
    metavar="FILE",
    help="A file whose first line is the client secret; - is standard input. Default: "
    "WIDGETSCHEMA_CLIENT_SECRET, then that of the last login, then you are asked. It is no "
    "option of its own, since others on this machine can see those.",
)
@click.option(
    "--code",
    metavar="CODE",
    callback=_as_secret,
    help="An authorization code that the platform gave; - reads it from standard input.",
)
@click.option(
    "--redirect-uri", metavar="URI", help="With --code: the redirect URI it was asked for with."
)
@click.option(
    "--authorize-url",
    metavar="URL",
    help="Ask for the code in the browser, at this address. The platform does not document "
    "its own: you have to know it.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="With --authorize-url: the port of 127.0.0.1 to wait on. Default: any.",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 3600),
    default=120.0,
    help="How many seconds to wait for the browser. Default: 120.",
)
@click.option(
    "--storage",
    "kind",
    type=click.Choice(["file", "keyring"]),
    help="Where to keep the tokens: a file that only you can read, or the system's keyring. "
    "Default: where they were before, else a file.",
)
def command(
    base_url: str | None,
    auth_url: str | None,
    client_id: str | None,
    client_secret_file: str | None,
    code: Secret | None,
    redirect_uri: str | None,
    authorize_url: str | None,
    port: int,
    no_browser: bool,
    timeout: float,
    kind: str | None,
) -> int:
    """Log in: exchange an authorization code for tokens, and keep them.

    Either give a code that you have (--code, with --redirect-uri), or let the browser ask for
    one (--authorize-url): then this waits on 127.0.0.1, and the redirect URI is
    http://127.0.0.1:PORT/callback. Client ID and client secret are kept with the tokens, because
    every refresh takes them; what is not given is as it was at the last login. Before the code
    is spent, it is made sure that tokens can be kept.
    """
    _check_usage(code, redirect_uri, authorize_url, client_secret_file)
    file = TokenFile()
    settings = Settings.from_environment(os.environ)
    _usage(settings.check)
    if settings.offline:
        raise click.UsageError(f"{PREFIX}OFFLINE forbids the network; a login takes it.")
    wanted = _wanted(file, settings, base_url, auth_url, client_id, client_secret_file)
    if code is _STDIN:
        code = _first_line("-")
    if code is not None:
        code = _line(code, "the code")
    with _usage(lambda: Client(wanted.base_url, auth_url=wanted.auth_url)) as client:
        storage = _probed(file, wanted.base_url, kind)
        if authorize_url is not None:
            browser = None if no_browser else webbrowser.open
            code, redirect_uri = _from_browser(
                authorize_url, wanted.client_id, port, timeout, browser
            )
        assert code is not None  # `_check_usage` has seen to it
        assert redirect_uri is not None
        before = file.kept_in(wanted.base_url)
        account = "" if before is None else account_of(storage_for(file, wanted.base_url))
        _spend(client, storage, wanted, code, redirect_uri)
    if before == "keyring" and isinstance(storage, FileStorage):
        _forget(KeyringStorage(file, wanted.base_url))
    address, place = printable(wanted.base_url), printable(storage.describe())
    print_stderr(f"Logged in to {address}. Tokens are stored in {place}.")
    forget_schemas(wanted.base_url, account)  # of the login before, which nobody can name again
    _say_what_wins(settings)
    return 0


def _spend(
    client: Client, storage: TokenStorage, wanted: _Wanted, code: Secret, redirect_uri: str
) -> None:
    exchange(
        client,
        storage,
        base_url=wanted.base_url,
        auth_url=wanted.auth_url,
        client_id=wanted.client_id,
        client_secret=wanted.client_secret,
        code=code,
        redirect_uri=redirect_uri,
        clock=time.time,
    )


def _check_usage(
    code: Secret | None,
    redirect_uri: str | None,
    authorize_url: str | None,
    client_secret_file: str | None,
) -> None:
    if (code is None) == (authorize_url is None):
        raise click.UsageError(
            "Give either --code CODE with --redirect-uri URI, or --authorize-url URL (the "
            "platform's is not documented)."
        )
    if (code is None) != (redirect_uri is None):
        raise click.UsageError("--code and --redirect-uri belong together.")
    if redirect_uri is not None and not fits_form(Secret(redirect_uri)):
        raise click.UsageError("--redirect-uri has characters that cannot be sent.")
    if code is _STDIN and client_secret_file == "-":  # noqa: S105
        raise click.UsageError("Only one of --code and --client-secret-file can be -.")


def _wanted(
    file: TokenFile,
    settings: Settings,
    base_url: str | None,
    auth_url: str | None,
    client_id: str | None,
    client_secret_file: str | None,
) -> _Wanted:
    """By options, then by the environment, then as it was at the last login."""
    known = () if file.is_broken() else file.base_urls()
    base = base_url or settings.base_url or (known[0] if len(known) == 1 else None)
    base = _address(base, "--base-url", "BASE_URL")
    kept = _kept(file, base) if base in known else None
    auth = auth_url or settings.auth_url or (None if kept is None else kept.auth_url)
    auth = _address(auth, "--auth-url", "AUTH_URL")
    if kept is not None and kept.auth_url != auth:
        kept = None  # its client is known there, and to nobody else
    id = client_id or settings.client_id or (None if kept is None else kept.client_id)
    id = _named(id, "--client-id", "CLIENT_ID")
    if not fits_form(Secret(id)):
        raise click.UsageError("--client-id has characters that cannot be sent.")
    if kept is not None and kept.client_id != id:
        kept = None
    before = None if kept is None else kept.client_secret
    return _Wanted(base, auth, id, _client_secret(client_secret_file, settings, before))


def _kept(file: TokenFile, base_url: str) -> Tokens | None:
    """What is kept since the last login, if it can be had: nothing depends on it."""
    try:
        return storage_for(file, base_url).load()
    except WidgetSchemaError:
        return None


def _usage(action: Callable[[], _T]) -> _T:
    """Do it; a setting that cannot be is a mistake in the use of the command."""
    try:
        return action()
    except ValueError as error:
        problem = str(error)
    raise click.UsageError(f"{problem}.")


def _named(value: str | None, option: str, variable: str) -> str:
    if not value:
        raise click.UsageError(f"Give {option}, or set {PREFIX}{variable}.")
    return value


def _address(value: str | None, option: str, variable: str) -> str:
    text = _named(value, option, variable)
    return _usage(lambda: str(checked_address(text, f"{option} ({PREFIX}{variable})")))


def _client_secret(path: str | None, settings: Settings, before: Secret | None) -> Secret:
    if path is not None:
        return _line(_first_line(path), "the client secret")
    secret = settings.client_secret or before
    if secret is not None:
        return secret
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError(
            f"Set {PREFIX}CLIENT_SECRET, or give --client-secret-file (- is standard input)."
        )
    prompted = Secret(click.prompt("Client secret", hide_input=True, err=True).strip())
    return _line(prompted, "the client secret")


def _first_line(path: str) -> Secret:
    """The first line of a file, or of standard input."""
    if path == "-" and sys.stdin is None:
        raise click.UsageError("Standard input is closed.")
    problem = ""
    try:
        if path == "-":
            return Secret(sys.stdin.readline(_MOST + 1).strip())
        with open(path, encoding="utf-8-sig") as file:
            return Secret(file.readline(_MOST + 1).strip())
    except OSError as error:
        problem = reason(error)
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    raise click.UsageError(f"{printable(path)} cannot be read: {problem}.")


def _line(secret: Secret, what: str) -> Secret:
    """A secret that can be sent."""
    if not secret or not fits_form(secret) or len(secret.reveal()) > _MOST:
        raise click.UsageError(f"There has to be one line of text for {what}.")
    return secret


def _probed(file: TokenFile, base_url: str, kind: str | None) -> TokenStorage:
    """Where to keep the tokens, which has been written to. Raises `TokenStorageError`."""
    with file.lock():
        if file.is_broken():
            print_error(f"{file.path}: it is no file of tokens; it is now {file.set_aside()}")
        if kind is None:
            kind = file.kept_in(base_url) or "file"
        of_kind: dict[str, Any] = {"file": FileStorage, "keyring": KeyringStorage}
        storage: TokenStorage = of_kind[kind](file, base_url)
        storage.probe()
    return storage


def _from_browser(
    authorize_url: str,
    client_id: str,
    port: int,
    timeout: float,
    browser: Callable[[str], bool] | None,
) -> tuple[Secret, str]:
    """A code, and the redirect URI that it was asked for with."""
    state = new_state()
    try:
        listener = CallbackListener(state, port)
    except OSError as error:
        raise click.UsageError(f"127.0.0.1, port {port}: {reason(error)}.") from None
    with listener:
        address = _usage(
            lambda: authorize_request(authorize_url, client_id, listener.redirect_uri, state)
        )
        print_stderr(
            f"Allow the access in your browser, at this address:\n\n  {printable(address)}\n"
        )
        if browser is not None:
            browser(address)
        print_stderr(
            f"Waiting on {listener.redirect_uri} for {timeout:g} seconds (Ctrl-C to stop) ..."
        )
        return listener.wait(timeout), listener.redirect_uri


def _forget(storage: TokenStorage) -> None:
    with storage.lock():
        storage.clear()


def _say_what_wins(settings: Settings) -> None:
    for name, value in (
        ("ACCESS_TOKEN", settings.access_token),
        ("REFRESH_TOKEN", settings.refresh_token),
    ):
        if value is not None:
            print_error(f"{PREFIX}{name} is set, and wins over the tokens that are kept now")
