"""What options mean: the catalog, the platform, the folder of the project."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import click

from widgetschema.catalog.catalog import Catalog, Lookup, Source, project_sources
from widgetschema.catalog.store import MANIFEST, Store, is_pinned
from widgetschema.cli.console.output import print_error
from widgetschema.cli.settings import load_settings
from widgetschema.errors import InvalidSchema, NotAvailableOffline, StoreError
from widgetschema.findings import Report
from widgetschema.jsontext import SourceText, read
from widgetschema.project.config import Configuration
from widgetschema.validation import check_schema

if TYPE_CHECKING:
    from widgetschema.platform.client.client import Client
    from widgetschema.platform.fetcher import Fetcher
    from widgetschema.platform.fetcher.fetcher import Mode


def catalog_for(configuration: Configuration, schemas: str | None = None) -> Catalog:
    """The catalog that a configuration means; `schemas` is a folder that was named.

    Raises `StoreError`, and what `connected` raises.
    """
    folders = configuration.schema_folders if schemas is None else (schemas,)
    is_found = schemas is None and configuration.schemas is None
    sources: Sequence[Source] = (
        project_sources(folders, is_found=is_found)
        if configuration.fetch is None
        else _fetching(folders, configuration.fetch, is_found=is_found)
    )
    return Catalog(
        sources,
        formats=configuration.formats,
        engine=configuration.engine,
        limits=configuration.limits,
        warn=print_error,
    )


def configured_catalog(schemas: str | None, fetch: str | None = None) -> Catalog:
    """The catalog of a command that has no more options: the configuration says the rest.

    Raises as `catalog_for`, and `ConfigurationError`.
    """
    return catalog_for(load_settings().with_options(fetch=fetch), schemas)


def project_folder(schemas: str | None) -> str:
    """The folder of schemas that is written to: the one given, the project's, else a new one.

    Raises `StoreError` if there is a folder `schemas` of which nobody knows whose it is.
    """
    if schemas is not None:
        return schemas
    configuration = load_settings()
    if configuration.schemas is not None:
        return configuration.schemas
    pinned = next(filter(is_pinned, configuration.schema_folders), None)
    if pinned is not None:
        return pinned
    made = os.path.join(configuration.directory, "schemas")
    if os.path.isdir(made) and os.listdir(made):
        raise StoreError(
            made,
            f"there is such a folder, without a {MANIFEST}; if it is to hold the schemas of "
            "this project, give --schemas schemas",
        )
    return made


def refuse_offline() -> None:
    """Raise `NotAvailableOffline` if the network must not be used."""
    if network_mode("refresh") == "offline":
        raise NotAvailableOffline(None, "WIDGETSCHEMA_OFFLINE is set")


def _fetching(folders: Sequence[str], fetch: str, *, is_found: bool) -> list[Source]:
    """The sources of a catalog that may fetch: the project's folders, then the platform."""
    from widgetschema.platform.fetcher import frozen

    own = [Store(folder, is_found=is_found) for folder in folders]
    if fetch == "frozen":
        own = [store for store in own if len(store)] or [Store("schemas")]
        for store in own:
            frozen(store.folder)
        return [*own]
    return [*own, _Later(folders, network_mode(fetch))]


class _Later(Mapping[str, Any]):
    """The platform as a source; whoever finds everything before it need not be logged in.

    What it answers holds for the whole command.
    """

    def __init__(self, folders: Sequence[str], mode: Mode) -> None:
        self._folders = folders
        self._mode = mode
        self._answers: dict[str, Lookup] = {}

    @cached_property
    def _fetcher(self) -> Fetcher:
        from widgetschema.platform.fetcher import Fetcher, cache_root, own_plugin

        client = connected(None, None)
        click.get_current_context().call_on_close(client.close)
        return Fetcher(
            client,
            cache=cache_root(),
            mode=self._mode,
            plugin=next(filter(None, map(own_plugin, self._folders)), None),
            deadline=None,  # a command can wait as long as the client does
            warn=print_error,
        )

    def lookup(self, id: str) -> Lookup:
        """The schema with this id, if the platform has it."""
        if id not in self._answers:
            self._answers[id] = self._fetcher.lookup(id)._replace(fresh_for=math.inf)
        return self._answers[id]

    def expire(self) -> None:
        """Ask again at the next look-up."""
        self._answers.clear()
        self._fetcher.expire()

    def __getitem__(self, id: str) -> Any:
        found = self.lookup(id)
        if not found.is_known:
            raise KeyError(id)
        return found.schema

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.lookup(id).is_known

    def __iter__(self) -> Iterator[str]:
        return iter(self._fetcher)

    def __len__(self) -> int:
        return len(self._fetcher)

    def __str__(self) -> str:
        return str(self._fetcher)


def connected(base_url: str | None, auth_url: str | None, *, connections: int = 10) -> Client:
    """A client of the platform that the options, the environment or a login mean.

    Raises `LoginRequired`, `TokenStorageError`, and a usage error for what is no address.
    """
    from widgetschema.platform.connection import connect

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
    from widgetschema.platform.connection import Settings

    settled = load_settings()
    own = Settings.from_environment(os.environ)
    if own.access_token or own.refresh_token or not settled.is_from_file("base-url"):
        return None
    return settled.base_url


def network_mode(mode: str) -> Mode:
    """The mode of a fetcher; the variable WIDGETSCHEMA_OFFLINE is stronger."""
    from widgetschema.platform.connection import is_offline

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
