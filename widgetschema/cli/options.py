"""The options that several commands share. Light: every command pays for these."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import click

from widgetschema.project.report_formats import own_names

# What the option --changed says by itself: no name that git takes for a commit.
SINCE_THE_LAST_COMMIT: Final = "since the last commit"

_INTEGER: Final = re.compile("0|-?[1-9][0-9]{0,17}")  # a seed that is the same text again

schemas_option: Callable[[Any], Any] = click.option(
    "--schemas",
    metavar="DIR",
    help="A folder of schemas (*.json, perhaps with a manifest.json). Default: the folder "
    "schemas of the project, then the bundled ones.",
)

format_option: Callable[[Any], Any] = click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Default: text.",
)
color_option: Callable[[Any], Any] = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Default: auto; the variable NO_COLOR turns it off.",
)

_base_url: Callable[[Any], Any] = click.option(
    "--base-url",
    metavar="URL",
    help="The platform's address, version segment included. Default: WIDGETSCHEMA_BASE_URL, then "
    "the one that was logged in to.",
)
_auth_url: Callable[[Any], Any] = click.option(
    "--auth-url",
    metavar="URL",
    help="The address that /oauth/token is below. Default: WIDGETSCHEMA_AUTH_URL, then the one "
    "that was logged in to.",
)


fetch_option: Callable[[Any], Any] = click.option(
    "--fetch",
    type=click.Choice(["auto", "offline", "refresh", "frozen"]),
    help="Where schemas may come from that the folder does not have: the platform, by way of a "
    "cache (auto), the cache alone (offline), the platform alone (refresh); or nowhere: "
    "everything is verified against the manifest of the folder (frozen). Without this option "
    "nothing is fetched.",
)


def platform_options(command: Any) -> Any:
    """The options that say where the platform is: `base_url` and `auth_url`."""
    return _base_url(_auth_url(command))


formats_option: Callable[[Any], Any] = click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT[=FILE]",
    help=f"Write a report in this format: {', '.join(own_names())}, or one that an installed "
    "package adds; to FILE, or to standard output. Can be repeated. Default: auto, which means "
    "github in GitHub Actions and text elsewhere.",
)

_config: Callable[[Any], Any] = click.option(
    "--config",
    metavar="FILE",
    help="The configuration. Default: widgetschema.toml or pyproject.toml, here or above.",
)
_no_config: Callable[[Any], Any] = click.option(
    "--no-config", is_flag=True, help="Read no configuration."
)


def configuration_options(command: Any) -> Any:
    """The options that say which configuration holds: `config` and `no_config`."""
    return _config(_no_config(command))


def seed_of(given: str | None) -> int | str:
    """The seed that a text means: a number, if it is one."""
    if given is None:
        return 0
    try:
        given.encode()
    except UnicodeEncodeError:
        raise click.BadParameter("this is not text.", param_hint="--seed") from None
    return int(given) if _INTEGER.fullmatch(given) else given
