"""What several commands share: the option for schemas, and the catalog it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from widgetschema.catalog import Catalog
from widgetschema.store import Store, bundled

schemas_option: Callable[[Any], Any] = click.option(
    "--schemas",
    metavar="DIR",
    help="A folder of schemas (*.json, perhaps with a manifest.json). Default: the folder "
    "schemas of the project, then the bundled ones.",
)


def catalog_for(
    schemas: str | None, *, formats: bool = True, engine: str | None = None
) -> Catalog:
    """The catalog that the options mean. Raises `StoreError`."""
    if schemas is not None:
        return Catalog([Store(schemas), bundled()], formats=formats, engine=engine)
    if formats and engine is None:
        return Catalog.default()
    return Catalog(Catalog.default().sources, formats=formats, engine=engine)
