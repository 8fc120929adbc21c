"""What several commands share: the option for schemas, and the catalog it means."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import click

from widgetschema.catalog import Catalog, Source
from widgetschema.cli.output import complain, reason
from widgetschema.documents import SourceText, read
from widgetschema.errors import InvalidSchema, NotAvailableOffline, StoreError
from widgetschema.findings import Provenance, Report
from widgetschema.reporters.results import safe
from widgetschema.store import MANIFEST, Store, bundled, find_project_store
from widgetschema.validator import check_schema

if TYPE_CHECKING:
    from widgetschema.fetcher import Fetcher
    from widgetschema.fetcher.fetching import Mode
    from widgetschema.platform.client import Client

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


def provenance_text(provenance: Provenance) -> str:
    """Where a schema came from, in a few words; a file below the working directory by its path."""
    source = provenance.source
    if os.path.isabs(source):
        relative = os.path.relpath(source)
        source = source if relative.startswith(os.pardir) else relative
    return safe(str(replace(provenance, source=source)))


def catalog_for(
    schemas: str | None,
    *,
    fetch: str | None = None,
    formats: bool = True,
    engine: str | None = None,
) -> Catalog:
    """The catalog that the options mean. Raises `StoreError`, and what `connected` raises."""
    if fetch is not None:
        return Catalog(_fetching(schemas, fetch), formats=formats, engine=engine)
    if schemas is not None:
        return Catalog([Store(schemas), bundled()], formats=formats, engine=engine)
    with _working_directory():
        catalog = Catalog.default()
    if formats and engine is None:
        return catalog
    return Catalog(catalog.sources, formats=formats, engine=engine)


@contextlib.contextmanager
def _working_directory() -> Iterator[None]:
    try:
        yield
    except OSError as error:  # somebody removed the working directory, or closed it to us
        raise StoreError(error.filename or "the working directory", reason(error)) from None


def project_folder(schemas: str | None) -> str:
    """The folder of schemas that is written to: the one given, the project's, else a new one.

    Raises `StoreError` if there is a folder `schemas` of which nobody knows whose it is.
    """
    if schemas is not None:
        return schemas
    with _working_directory():
        found = find_project_store(os.getcwd())
        made = os.path.join(os.getcwd(), "schemas")
        if found is None and os.path.isdir(made) and os.listdir(made):
            raise StoreError(
                made,
                f"there is such a folder, without a {MANIFEST}; if it is to hold the schemas of "
                "this project, give --schemas schemas",
            )
    return found or made


def refuse_offline() -> None:
    """Raise `NotAvailableOffline` if the network must not be used."""
    if network_mode("refresh") == "offline":
        raise NotAvailableOffline(None, "WIDGETSCHEMA_OFFLINE is set")


def _fetching(schemas: str | None, fetch: str) -> list[Source]:
    """The sources of a catalog that may fetch: the project's folder, then the platform."""
    from widgetschema.fetcher import frozen

    with _working_directory():
        folder = schemas if schemas is not None else find_project_store(os.getcwd())
    if fetch == "frozen":
        frozen(folder or "schemas")
        return [Store(folder or "schemas")]
    own: list[Source] = [] if folder is None else [Store(folder)]
    return [*own, _Later(folder, network_mode(fetch))]


class _Later(Mapping[str, Any]):
    """The platform as a source; whoever finds everything before it need not be logged in."""

    def __init__(self, folder: str | None, mode: Mode) -> None:
        self._folder = folder
        self._mode = mode

    @cached_property
    def _fetcher(self) -> Fetcher:
        from widgetschema.fetcher import Fetcher, cache_folder, own_plugin

        client = connected(None, None)
        click.get_current_context().call_on_close(client.close)
        return Fetcher(
            client,
            cache=cache_folder(client.base_url, client.account),
            mode=self._mode,
            plugin=None if self._folder is None else own_plugin(self._folder),
            warn=complain,
        )

    def __getitem__(self, id: str) -> Any:
        return self._fetcher[id]

    def __contains__(self, id: object) -> bool:
        return id in self._fetcher

    def __iter__(self) -> Iterator[str]:
        return iter(self._fetcher)

    def __len__(self) -> int:
        return len(self._fetcher)

    def __str__(self) -> str:
        return str(self._fetcher)

    def provenance(self, id: str) -> Provenance:
        """Where a schema came from."""
        return self._fetcher.provenance(id)


def connected(base_url: str | None, auth_url: str | None, *, connections: int = 10) -> Client:
    """A client of the platform that the options, the environment or a login mean.

    Raises `LoginRequired`, `TokenStorageError`, and a usage error for what is no address.
    """
    from widgetschema.platform.settings import connect

    try:
        return connect(base_url=base_url, auth_url=auth_url, connections=connections)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def network_mode(mode: str) -> Mode:
    """The mode of a fetcher; the variable WIDGETSCHEMA_OFFLINE is stronger."""
    from widgetschema.platform.settings import is_offline

    return "offline" if is_offline(os.environ) else cast("Mode", mode)


def read_schema(path: str) -> Any:
    """The schema in a file, or on standard input (-); it is valid as such.

    Raises `OSError`, `UnreadableDocument`, `InvalidSchema`.
    """
    name = "standard input" if path == "-" else path
    if path == "-":
        if sys.stdin is None:
            raise OSError(0, "standard input is closed", name)
        raw = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            raw = file.read()
    schema = read(raw, subject=name)
    report = check_schema(schema, subject=name)
    if not report.valid:
        raise InvalidSchema(Report(SourceText(raw).place(report.findings), name))
    return schema
