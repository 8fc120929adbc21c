"""What several commands share: the option for schemas, and the catalog it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from widgetschema.catalog import Catalog
from widgetschema.cli.output import reason
from widgetschema.errors import StoreError
from widgetschema.store import Store, bundled

schemas_option: Callable[[Any], Any] = click.option(
    "--schemas",
    metavar="DIR",
    help="A folder of schemas (*.json, perhaps with a manifest.json). Default: the folder "
    "schemas of the project, then the bundled ones.",
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


def platform_options(command: Any) -> Any:
    """The options that say where the platform is: `base_url` and `auth_url`."""
    return _base_url(_auth_url(command))


def catalog_for(schemas: str | None, *, formats: bool = True, engine: str | None = None) -> Catalog:
    """The catalog that the options mean. Raises `StoreError`."""
    if schemas is not None:
        return Catalog([Store(schemas), bundled()], formats=formats, engine=engine)
    try:
        catalog = Catalog.default()
    except OSError as error:  # somebody removed the working directory, or closed it to us
        raise StoreError(error.filename or "the working directory", reason(error)) from None
    if formats and engine is None:
        return catalog
    return Catalog(catalog.sources, formats=formats, engine=engine)
