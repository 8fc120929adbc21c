"""`widgetschema status`: where the tokens are, whose they are, and how old."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import Any, Final

import click

from widgetschema.cli.console.output import Output
from widgetschema.cli.options import format_option
from widgetschema.errors import WidgetSchemaError
from widgetschema.jsontext import dump
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.connection import PREFIX, VARIABLES, storage_for
from widgetschema.text import plural, printable

_NO_TOKEN: Final = 5
_TOKENS: Final = ("ACCESS_TOKEN", "REFRESH_TOKEN")


@click.command("status")
@format_option
def command(output_format: str) -> int:
    """Say where the tokens are, for which platforms, and how old. Nothing is sent.

    No part of a token or a secret is shown. When a token expires is what it says of itself: the
    platform decides. Exit code 0 if there is a token, 5 if there is none.
    """
    file = TokenFile()
    problems = list(file.problems())
    logins: list[dict[str, Any]] = []
    try:
        addresses = file.base_urls()
    except WidgetSchemaError as error:
        addresses = ()
        problems.append(str(error))
    for address in addresses:
        try:
            storage = storage_for(file, address)
            tokens = storage.load()
        except WidgetSchemaError as error:
            problems.append(str(error))
            continue
        if tokens is None:
            problems.append(f"{address}: its tokens are gone from {storage.describe()}")
        else:
            logins.append(described(tokens, storage.describe(), time.time()))
    variables = [f"{PREFIX}{name}" for name in VARIABLES if os.environ.get(f"{PREFIX}{name}")]
    has_token = bool(logins) or any(f"{PREFIX}{name}" in variables for name in _TOKENS)
    value = {
        "version": 1,
        "file": file.path,
        "logins": logins,
        "environment": variables,
        "problems": problems,
    }
    output = Output(None)
    output.write(dump(value) if output_format == "json" else _text(value))
    return max(output.close(), 0 if has_token else _NO_TOKEN)


def described(tokens: Tokens, kept_in: str, now: float) -> dict[str, Any]:
    """What may be said of tokens.

    What the platform says of their life is shown only where it was understood: else it might
    be anything.
    """
    expires, refresh_expires = tokens.expires_at(), tokens.refresh_token_expires_at()
    return {
        "base_url": tokens.base_url,
        "auth_url": tokens.auth_url,
        "client_id": tokens.client_id,
        "account": tokens.account,
        "kept_in": kept_in,
        "obtained": _moment(tokens.obtained),
        "age": round(now - tokens.obtained),
        "expires_in": None if expires is None else str(tokens.expires_in).strip(),
        "expires": _moment(expires),
        "left": None if expires is None else round(expires - now),
        "has_refresh_token": tokens.refresh_token is not None,
        "refresh_token_expires": _moment(refresh_expires),
        "has_client_secret": tokens.client_secret is not None,
    }


def _moment(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):  # a clock, or somebody's editing
        return None


def _text(value: dict[str, Any]) -> str:
    lines = [line for login in value["logins"] for line in _lines(login)]
    if not value["logins"]:
        lines.append(f"There are no tokens in {value['file']}.")
    if value["environment"]:
        names = ", ".join(value["environment"])
        lines.append(f"The environment wins over what is kept: {names}")
    lines += [f"Problem: {problem}" for problem in value["problems"]]
    return "".join(f"{printable(line)}\n" for line in lines)


def _lines(login: dict[str, Any]) -> list[str]:
    rows = {
        "token endpoint": login["auth_url"] or "not known",
        "client id": login["client_id"] or "not known",
        "client secret": "kept" if login["has_client_secret"] else "not kept",
        "account": login["account"] or "without a name",
        "kept in": login["kept_in"],
        "obtained": f"{_about(login['age'])} ago ({login['obtained']})",
        "access token": expiry(login),
        "refresh token": refresh(login),
    }
    return [login["base_url"], *(f"  {name:<15} {text}" for name, text in rows.items())]


def expiry(login: dict[str, Any]) -> str:
    """What is said of when an access token expires."""
    if login["left"] is None:
        return "does not say in seconds when it expires"
    left = login["left"]
    when = f"about {_about(left)} left" if left > 0 else f"about {_about(-left)} past"
    return f"says {login['expires_in']}: {when}"


def refresh(login: dict[str, Any]) -> str:
    """Whether there is a refresh token, and until when."""
    if not login["has_refresh_token"]:
        return "none"
    until = login["refresh_token_expires"]
    return "kept" if until is None else f"kept, may expire {until}"


def _about(seconds: float) -> str:
    seconds = max(0, round(seconds))
    for size, noun in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return plural(round(seconds / size), noun)
    return plural(seconds, "second")
