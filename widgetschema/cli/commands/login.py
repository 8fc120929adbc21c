"""`widgetschema login`: exchanges an authorization code for tokens and stores them."""

from __future__ import annotations

import os
import sys
import time
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import click

from widgetschema.cli.commands.logout import account_of, remove_cached_schemas
from widgetschema.cli.common import is_offline, token_file, waits
from widgetschema.cli.console.output import print_error, print_stderr, reason
from widgetschema.cli.declared import option
from widgetschema.cli.options import PlatformOptions, port_option
from widgetschema.errors import WidgetSchemaError
from widgetschema.files import open_file
from widgetschema.platform.auth.login import (
    CallbackListener,
    authorize_request,
    code_from,
    exchange,
    loopback_uri,
    new_state,
)
from widgetschema.platform.auth.storage import FileStorage, KeyringStorage, TokenStorage
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens, fits_form
from widgetschema.platform.client.client import Client
from widgetschema.platform.connection import Settings, storage_for
from widgetschema.platform.endpoints import parse_address
from widgetschema.platform.secret import Secret
from widgetschema.platform.variables import PREFIX
from widgetschema.text import printable

_T = TypeVar("_T")
_MOST: Final = 10_000  # characters of a secret or a code
_STDIN: Final = Secret("-")


@dataclass(frozen=True, slots=True)
class _LoginTarget:
    """The platform to log in to, and the credentials of the client."""

    base_url: str
    auth_url: str
    client_id: str
    client_secret: Secret


def _as_secret(ctx: click.Context, param: click.Parameter, value: str | None) -> Secret | None:
    """Return the code as a `Secret`; `_STDIN` itself stands for `-`."""
    if value is None:
        return None
    return _STDIN if value == "-" else Secret(value.strip())


class LoginOptions(PlatformOptions):
    """The options of the command."""

    client_id: str | None = option(
        "--client-id",
        metavar="ID",
        help="The client ID. Default: WIDGETSCHEMA_CLIENT_ID, or else that of the last login.",
    )
    client_secret_file: str | None = option(
        "--client-secret-file",
        metavar="FILE",
        help="Read the client secret from the first line of FILE; - is standard input. Default: "
        "WIDGETSCHEMA_CLIENT_SECRET, or else that of the last login, or else a prompt. There is no "
        "option for the secret itself: other users of the machine could see it.",
    )
    code: Secret | None = option(
        "--code",
        metavar="CODE",
        callback=_as_secret,
        help="Exchange this authorization code; - reads it from standard input.",
    )
    redirect_uri: str | None = option(
        "--redirect-uri",
        metavar="URI",
        help="The redirect URI that the code was requested with; with --authorize-url, one that is "
        "registered for the app. If it is not on 127.0.0.1 or localhost, the command asks for the "
        "address that the browser ends at. Default with --authorize-url: "
        "http://127.0.0.1:PORT/callback.",
    )
    authorize_url: str | None = option(
        "--authorize-url",
        metavar="URL",
        help="Request the code in the browser at this address. The platform does not document its "
        "address.",
    )
    port: int = port_option("Wait on this port of 127.0.0.1. Requires --authorize-url.")
    no_browser: bool = option("--no-browser", help="Print the address without opening a browser.")
    timeout: float = option(
        "--timeout",
        type=click.FloatRange(1, 3600),
        default=120,
        metavar="S",
        help="Wait this many seconds for the browser.",
    )
    kind: str | None = option(
        "--storage",
        type=click.Choice(["file", "keyring"]),
        help="Store the tokens in a file that only you can read, or in the system's keyring. "
        "Default: where they are now, or else a file.",
    )

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that exclude or require each other."""
        if (self.code is None) == (self.authorize_url is None):
            raise click.UsageError(
                "Pass either --code CODE with --redirect-uri URI, or --authorize-url URL, the "
                "address at which users of the platform allow an app to act for them."
            )
        if self.code is not None and self.redirect_uri is None:
            raise click.UsageError("--code requires --redirect-uri.")
        if self.port and (self.authorize_url is None or self.redirect_uri is not None):
            raise click.UsageError("--port requires --authorize-url, without --redirect-uri.")
        if self.redirect_uri is not None and not fits_form(Secret(self.redirect_uri)):
            raise click.UsageError("--redirect-uri contains characters that cannot be sent.")
        if self.code is _STDIN and self.client_secret_file == "-":  # noqa: S105
            raise click.UsageError("Only one of --code and --client-secret-file can be -.")


@LoginOptions.command("login")
def command(options: LoginOptions) -> int:
    """Log in to the platform: exchange an authorization code for tokens, and store them.

    Pass a code that you have (--code with --redirect-uri), or request one in the browser
    (--authorize-url). The client ID and the client secret are stored with the tokens, because every
    refresh needs them.
    Other values default to those of the last login. Before the code is exchanged, the
    command checks that tokens can be stored.
    """
    file, code = token_file(options.profile), options.code
    redirect_uri = options.redirect_uri
    settings = Settings.from_environment(os.environ)
    _or_usage_error(settings.check)
    if is_offline():
        raise click.UsageError(f"{PREFIX}OFFLINE is set, but login requires network access.")
    target = _login_target(file, settings, options)
    if code is _STDIN:
        code = _first_line("-")
    if code is not None:
        code = _sendable(code, "The code")
    with _or_usage_error(
        lambda: Client(target.base_url, auth_url=target.auth_url, **waits(options.settings()))
    ) as client:
        storage = _writable_storage(file, target.base_url, options.kind)
        if code is None or redirect_uri is None:
            code, redirect_uri = _from_browser(options, target.client_id)
        before = file.kept_in(target.base_url)
        account = "" if before is None else account_of(storage_for(file, target.base_url))
        exchange(
            client,
            storage,
            client_id=target.client_id,
            client_secret=target.client_secret,
            code=code,
            redirect_uri=redirect_uri,
            clock=time.time,
        )
    if before == "keyring" and isinstance(storage, FileStorage):
        _clear(KeyringStorage(file, target.base_url))
    address, place = printable(target.base_url), printable(storage.describe())
    print_stderr(f"Logged in to {address}. Tokens are stored in {place}.")
    # Of the previous login, which can no longer be named.
    remove_cached_schemas(target.base_url, account)
    _warn_about_environment(settings)
    return 0


def _login_target(file: TokenFile, settings: Settings, options: LoginOptions) -> _LoginTarget:
    """Return what to log in to: by options, the environment, or else the last login."""
    known = () if file.is_broken() else file.base_urls()
    base = options.base_url or settings.base_url or (known[0] if len(known) == 1 else None)
    base = _address(base, "--base-url", "BASE_URL")
    kept = _last_login(file, base) if base in known else None
    auth = options.auth_url or settings.auth_url or (None if kept is None else kept.auth_url)
    auth = _address(auth, "--auth-url", "AUTH_URL")
    if kept is not None and kept.auth_url != auth:
        kept = None  # another token endpoint does not know this client
    id = options.client_id or settings.client_id or (None if kept is None else kept.client_id)
    id = _required(id, "--client-id", "CLIENT_ID")
    if not fits_form(Secret(id)):
        raise click.UsageError("--client-id contains characters that cannot be sent.")
    if kept is not None and kept.client_id != id:
        kept = None
    before = None if kept is None else kept.client_secret
    return _LoginTarget(
        base, auth, id, _client_secret(options.client_secret_file, settings, before)
    )


def _last_login(file: TokenFile, base_url: str) -> Tokens | None:
    """Return the tokens of the last login, or None if there are none or they cannot be read."""
    try:
        return storage_for(file, base_url).load()
    except WidgetSchemaError:
        return None


def _or_usage_error(action: Callable[[], _T]) -> _T:
    """Return what `action` returns; a `ValueError` becomes a usage error."""
    try:
        return action()
    except ValueError as error:
        problem = str(error)
    raise click.UsageError(f"{problem}.")


def _required(value: str | None, option: str, variable: str) -> str:
    if not value:
        file = "login does not use the configuration file"  # anybody may have written it
        raise click.UsageError(f"Pass {option}, or set {PREFIX}{variable}; {file}.")
    return value


def _address(value: str | None, option: str, variable: str) -> str:
    text = _required(value, option, variable)
    return _or_usage_error(lambda: str(parse_address(text, f"{option} ({PREFIX}{variable})")))


def _client_secret(path: str | None, settings: Settings, before: Secret | None) -> Secret:
    if path is not None:
        return _sendable(_first_line(path), "The client secret")
    secret = settings.client_secret or before
    if secret is not None:
        return secret
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError(
            f"Set {PREFIX}CLIENT_SECRET, or pass --client-secret-file (- is standard input)."
        )
    prompted = Secret(click.prompt("Client secret", hide_input=True, err=True).strip())
    return _sendable(prompted, "The client secret")


def _first_line(path: str) -> Secret:
    """Return the first line of a file or of standard input."""
    if path == "-" and sys.stdin is None:
        raise click.UsageError("Standard input is closed.")
    problem = ""
    try:
        if path == "-":
            return Secret(sys.stdin.readline(_MOST + 1).strip())
        with open_file(path, pipes=True) as file:
            return Secret(file.readline(_MOST + 1).decode("utf-8-sig").strip())
    except OSError as error:
        problem = reason(error)
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    raise click.UsageError(f"{printable(path)} cannot be read: {problem}.")


def _sendable(secret: Secret, what: str) -> Secret:
    """Return the secret if it can be sent."""
    if not secret or not fits_form(secret) or len(secret.reveal()) > _MOST:
        raise click.UsageError(f"{what} must be one line of text.")
    return secret


def _writable_storage(file: TokenFile, base_url: str, kind: str | None) -> TokenStorage:
    """Return the storage for the tokens, after a trial write. Raises `TokenStorageError`."""
    with file.lock():
        if file.is_broken():
            print_error(f"{file.path}: not a token file; moved to {file.set_aside()}")
        if kind is None:
            kind = file.kept_in(base_url) or "file"
        of_kind: dict[str, Any] = {"file": FileStorage, "keyring": KeyringStorage}
        storage: TokenStorage = of_kind[kind](file, base_url)
        storage.probe()
    return storage


def _from_browser(options: LoginOptions, client_id: str) -> tuple[Secret, str]:
    """Return a code, and the redirect URI that it was requested with."""
    state, redirect_uri, port = new_state(), options.redirect_uri, options.port
    here = None if redirect_uri is None else loopback_uri(redirect_uri)
    if redirect_uri is not None and here is None:
        if sys.stdin is None or not sys.stdin.isatty():
            raise click.UsageError(
                "--redirect-uri is not on this machine, so the command asks for the address that "
                "the browser ended at. Run it in a terminal, or pass --code."
            )
        _show_address(options, client_id, redirect_uri, state)
        text = click.prompt("The address that the browser ended at", hide_input=True, err=True)
        return code_from(Secret(text.strip()), state), redirect_uri
    try:
        listener = CallbackListener(state, port, here)
    except OSError as error:
        port = port if here is None else here.port
        raise click.UsageError(f"127.0.0.1, port {port}: {reason(error)}.") from None
    with listener:
        _show_address(options, client_id, listener.redirect_uri, state)
        seconds = f"{options.timeout:g} seconds"
        print_stderr(f"Waiting on {listener.redirect_uri} for {seconds} (Ctrl-C to stop) ...")
        return listener.wait(options.timeout), listener.redirect_uri


def _show_address(options: LoginOptions, client_id: str, redirect_uri: str, state: str) -> None:
    authorize_url = options.authorize_url or ""
    address = _or_usage_error(
        lambda: authorize_request(authorize_url, client_id, redirect_uri, state)
    )
    print_stderr(f"Open this address in your browser and allow access:\n\n  {printable(address)}\n")
    if not options.no_browser:
        webbrowser.open(address)


def _clear(storage: TokenStorage) -> None:
    with storage.lock():
        storage.clear()


def _warn_about_environment(settings: Settings) -> None:
    for name, value in (
        ("ACCESS_TOKEN", settings.access_token),
        ("REFRESH_TOKEN", settings.refresh_token),
    ):
        if value is not None:
            print_error(f"{PREFIX}{name} is set and overrides the stored tokens")
