"""What options mean: the catalog, the platform, the folder of the project."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import click

from widgetschema.catalog import Catalog, Source
from widgetschema.checking.results import reason
from widgetschema.cli.output import complain
from widgetschema.cli.settled import in_force
from widgetschema.documents import DEFAULT_LIMITS, Limits, SourceText, read
from widgetschema.errors import InvalidSchema, NotAvailableOffline, StoreError
from widgetschema.findings import Provenance, Report
from widgetschema.store import MANIFEST, Store, bundled, find_project_store
from widgetschema.validator import check_schema

if TYPE_CHECKING:
    from widgetschema.fetcher import Fetcher
    from widgetschema.fetcher.fetching import Mode
    from widgetschema.platform.client import Client


def catalog_for(
    schemas: str | None,
    *,
    fetch: str | None = None,
    formats: bool = True,
    engine: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Catalog:
    """The catalog that the options mean. Raises `StoreError`, and what `connected` raises."""
    if fetch is not None:
        sources: Sequence[Source] = _fetching(schemas, fetch)
    elif schemas is not None:
        sources = [Store(schemas), bundled()]
    else:
        with _working_directory():
            catalog = Catalog.default()
        if formats and engine is None and limits == DEFAULT_LIMITS:
            return catalog
        sources = catalog.sources
    return Catalog(sources, formats=formats, engine=engine, limits=limits)


def configured_catalog(schemas: str | None, fetch: str | None = None) -> Catalog:
    """The catalog of a command that has no more options: the configuration says the rest.

    Raises as `catalog_for`, and `ConfigurationError`.
    """
    settled = in_force().with_arguments(fetch=fetch)
    return catalog_for(
        schemas if schemas is not None else settled.schemas,
        fetch=settled.fetch,
        formats=settled.formats,
        engine=settled.engine,
    )


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
    settled = in_force().schemas
    if settled is not None:
        return settled
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

    base_url = base_url or _configured_address()
    try:
        return connect(base_url=base_url, auth_url=auth_url, connections=connections)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _configured_address() -> str | None:
    """The platform that the configuration file names; it says which of the kept logins is meant.

    Anybody may have written that file, so tokens of the environment are never sent there, and no
    token endpoint is taken from it.
    """
    from widgetschema.platform.settings import Settings

    settled = in_force()
    own = Settings.from_environment(os.environ)
    if own.access_token or own.refresh_token or not settled.is_of_file("base-url"):
        return None
    return settled.base_url


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
