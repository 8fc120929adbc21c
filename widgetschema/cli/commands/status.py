"""`widgetschema status`: shows the stored tokens: where, whose, and how old."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from widgetschema.cli.common import token_file
from widgetschema.cli.console.output import write_output
from widgetschema.cli.declared import Options
from widgetschema.cli.options import format_option, profile_option
from widgetschema.errors import WidgetSchemaError
from widgetschema.jsontext import dump
from widgetschema.platform.auth.token_file import TokenFile, other_profiles
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.connection import overriding, storage_for
from widgetschema.platform.variables import PREFIX
from widgetschema.text import plural, printable

_NO_TOKEN: Final = 5
_TOKENS: Final = ("ACCESS_TOKEN", "REFRESH_TOKEN")


class StatusOptions(Options):
    """The options of the command."""

    output_format: str = format_option
    profile: str | None = profile_option


@StatusOptions.command("status")
def command(options: StatusOptions) -> int:
    """Show the stored tokens: where they are, for which platform, and when they expire.

    Nothing is sent, and no part of a token or a secret is shown. The expiry times are
    those that the platform announced. Exit code 0 if there is a token, 5 if there is none.
    """
    file = token_file(options.profile)
    found, unreadable = read_logins(file)
    logins = [login_summary(tokens, where, time.time()) for tokens, where in found]
    variables = overriding(os.environ, options.profile)
    has_token = bool(logins) or any(f"{PREFIX}{name}" in variables for name in _TOKENS)
    value = {
        "version": 1,
        "file": file.path,
        "profile": file.profile,
        "other_profiles": other_profiles(file),
        "logins": logins,
        "environment": variables,
        "problems": [*file.problems(), *unreadable],
    }
    code = write_output(dump(value) if options.output_format == "json" else _text(value))
    return max(code, 0 if has_token else _NO_TOKEN)


def read_logins(file: TokenFile) -> tuple[list[tuple[Tokens, str]], list[str]]:
    """Return the tokens in a file and where each are stored, and why others cannot be read."""
    logins: list[tuple[Tokens, str]] = []
    problems: list[str] = []
    try:
        addresses = file.base_urls()
    except WidgetSchemaError as error:
        return [], [str(error)]
    for address in addresses:
        try:
            storage = storage_for(file, address)
            tokens, where = storage.load(), storage.describe()
        except WidgetSchemaError as error:
            problems.append(str(error))
            continue
        if tokens is None:
            problems.append(f"{address}: the tokens are missing from {where}")
        else:
            logins.append((tokens, where))
    return logins, problems


def login_summary(tokens: Tokens, kept_in: str, now: float) -> dict[str, Any]:
    """Return what may be shown of tokens.

    What the platform announced about their expiry is shown only if it was understood.
    """
    expires, refresh_expires = tokens.expires_at(), tokens.refresh_token_expires_at()
    return {
        "base_url": tokens.base_url,
        "auth_url": tokens.auth_url,
        "client_id": tokens.client_id,
        "account": tokens.account,
        "kept_in": kept_in,
        "obtained": _iso_time(tokens.obtained),
        "age": round(now - tokens.obtained),
        "expires_in": None if expires is None else str(tokens.expires_in).strip(),
        "expires": _iso_time(expires),
        "left": None if expires is None else round(expires - now),
        "has_refresh_token": tokens.refresh_token is not None,
        "refresh_token_expires": _iso_time(refresh_expires),
        "has_client_secret": tokens.client_secret is not None,
    }


def _iso_time(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):  # a wrong clock, or an edited file
        return None


def _text(value: dict[str, Any]) -> str:
    lines = [line for login in value["logins"] for line in _lines(login)]
    if not value["logins"]:
        lines.append(f"No tokens in {value['file']}.")
    if value["environment"]:
        names = ", ".join(value["environment"])
        lines.append(f"The environment overrides the stored tokens: {names}")
    if value["other_profiles"]:
        names = profiles_text(value["other_profiles"])
        lines.append(f"There are logins in other profiles (--profile NAME): {names}")
    lines += [f"Problem: {problem}" for problem in value["problems"]]
    return "".join(f"{printable(line)}\n" for line in lines)


def profiles_text(names: Sequence[str]) -> str:
    """Return the names of profiles as values of --profile, with commas."""
    return ", ".join(repr(name) if name else "'' (the login without a name)" for name in names)


def _lines(login: dict[str, Any]) -> list[str]:
    rows = {
        "token endpoint": login["auth_url"] or "unknown",
        "client id": login["client_id"] or "unknown",
        "client secret": "stored" if login["has_client_secret"] else "not stored",
        "account": login["account"] or "unnamed",
        "stored in": login["kept_in"],
        "obtained": f"{_approximate(login['age'])} ago ({login['obtained']})",
        "access token": access_token_text(login),
        "refresh token": refresh_token_text(login),
    }
    return [login["base_url"], *(f"  {name:<15} {text}" for name, text in rows.items())]


def access_token_text(login: dict[str, Any]) -> str:
    """Return a text about when an access token expires."""
    if login["left"] is None:
        return "no expiry in seconds"
    left = login["left"]
    when = (
        f"about {_approximate(left)} left"
        if left > 0
        else f"expired about {_approximate(-left)} ago"
    )
    return f"{when} (expires_in {login['expires_in']})"


def refresh_token_text(login: dict[str, Any]) -> str:
    """Return a text about the refresh token and when it may expire."""
    if not login["has_refresh_token"]:
        return "none"
    until = login["refresh_token_expires"]
    return "stored" if until is None else f"stored, may expire {until}"


def _approximate(seconds: float) -> str:
    seconds = max(0, round(seconds))
    for size, noun in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return plural(round(seconds / size), noun)
    return plural(seconds, "second")
