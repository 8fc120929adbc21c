"""`widgetschema logout`: removes the stored tokens and the schemas cached with them."""

from __future__ import annotations

import os

import click

from widgetschema.cli.commands.status import profiles_text
from widgetschema.cli.common import token_file
from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.declared import Options, option
from widgetschema.cli.options import profile_option
from widgetschema.errors import StoreError, WidgetSchemaError
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.token_file import TokenFile, other_profiles
from widgetschema.platform.connection import storage_for
from widgetschema.platform.endpoints import parse_address
from widgetschema.platform.variables import PREFIX, VARIABLES
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.text import printable

_SECRETS = ("ACCESS_TOKEN", "REFRESH_TOKEN", "CLIENT_SECRET")


class LogoutOptions(Options):
    """The options of the command."""

    base_url: str | None = option(
        "--base-url",
        metavar="URL",
        help="Log out of this platform. Default: WIDGETSCHEMA_BASE_URL, or else the only login.",
        excludes=("everything",),
    )
    profile: str | None = profile_option
    everything: bool = option("--all", help="Remove the tokens of every platform.")


@LogoutOptions.command("logout")
def command(options: LogoutOptions) -> int:
    """Remove the stored tokens, client ID and client secret of a platform.

    Schemas cached for the account are removed as well; those of the project stay.

    The platform is not notified: copies of the tokens remain valid until they expire.
    """
    everything, file = options.everything, token_file(options.profile)
    code = 0
    addresses = file.base_urls() if everything else _selected_addresses(file, options.base_url)
    if not addresses:
        print_stderr(f"No tokens in {printable(file.path)}.")
    for address in addresses:
        storage = storage_for(file, address)
        account = account_of(storage)
        with storage.lock():
            removed = storage.clear()
        if removed:
            print_stderr(
                f"Removed the tokens for {printable(address)} from {printable(storage.describe())}."
            )
        else:
            print_stderr(f"No tokens for {printable(address)} in {printable(storage.describe())}.")
        code = max(code, remove_cached_schemas(address, account))
    others = other_profiles(file) if everything else []
    if others:
        print_error(
            f"the tokens of other profiles stay: {profiles_text(others)}; remove them with: "
            "widgetschema logout --all --profile NAME"
        )
    for left in file.left_over():
        print_error(
            f"{printable(left)} may contain tokens as well: remove it if you no longer need it"
        )
    for name in VARIABLES:
        if name in _SECRETS and os.environ.get(f"{PREFIX}{name}"):
            print_error(f"{PREFIX}{name} is still set: remove it from your environment")
    return code


def account_of(storage: TokenStorage) -> str:
    """Return the name of the account whose tokens are stored, or "" if none can be read."""
    try:
        tokens = storage.load()
    except WidgetSchemaError:
        return ""
    return "" if tokens is None else tokens.account


def remove_cached_schemas(address: str, account: str) -> int:
    """Remove the cached schemas of an account, and return the exit code."""
    from widgetschema.platform.fetcher import remove_cache

    if not account:
        return 0
    try:
        removed = remove_cache(address, account)
    except StoreError as error:
        print_error(f"the cached schemas of the account cannot be removed: {error}")
        return exit_code(error)
    if removed:
        print_stderr("Removed the cached schemas of the account.")
    return 0


def _selected_addresses(file: TokenFile, base_url: str | None) -> tuple[str, ...]:
    text = base_url or os.environ.get(f"{PREFIX}BASE_URL", "").strip()
    if text:
        what = "--base-url" if base_url else f"{PREFIX}BASE_URL"
        try:
            return (str(parse_address(text, what, insecure=True)),)
        except ValueError as error:
            raise click.UsageError(f"{error}.") from None
    known = file.base_urls()
    if len(known) > 1:
        names = ", ".join(map(printable, known))
        raise click.UsageError(f"There are several logins; pass --base-url or --all: {names}")
    return known
