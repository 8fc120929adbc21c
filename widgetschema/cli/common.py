"""Catalog, client and schema folder, as several commands make them from their options."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

import click

from widgetschema.catalog.catalog import Catalog, Source, project_sources
from widgetschema.catalog.data_schemas import DataSchemas, refuse_data
from widgetschema.catalog.schema_files import parse_schema
from widgetschema.catalog.sources import Lookup
from widgetschema.catalog.store import MANIFEST, Store, is_pinned
from widgetschema.cli.console.output import print_error, usage_error
from widgetschema.cli.options import TypeOptions
from widgetschema.cli.settings import load_settings
from widgetschema.errors import (
    InvalidSchema,
    NotAvailableOffline,
    StoreError,
    UnknownWidgetType,
)
from widgetschema.files import LARGEST, read_file
from widgetschema.findings import Report
from widgetschema.project.config import Configuration
from widgetschema.project.config.value_checks import parse
from widgetschema.text import printable
from widgetschema.validation import check_schema

if TYPE_CHECKING:
    from widgetschema.catalog.widget_type import WidgetType
    from widgetschema.platform.auth.token_file import TokenFile
    from widgetschema.platform.client.client import Client
    from widgetschema.platform.fetcher import Fetcher
    from widgetschema.platform.fetcher.fetcher import Mode

_SERVER_DEADLINE: Final = 10.0  # seconds
_CLIENT: Final = "widgetschema.client"  # in the `meta` of the context


def catalog_for(
    configuration: Configuration, schemas: str | None = None, *, is_server: bool = False
) -> Catalog:
    """Return the catalog of a configuration; `schemas` is a folder from the command line.

    That of a server, which may run for weeks, follows the platform, too.

    Raises `StoreError`, and what `connected` raises.
    """
    folders = configuration.schema_folders if schemas is None else (schemas,)
    is_found = schemas is None and configuration.schemas is None
    sources: Sequence[Source | DataSchemas] = (
        project_sources(folders, is_found=is_found)
        if configuration.fetch is None
        else _fetching(configuration, folders, is_found=is_found, is_server=is_server)
    )
    if configuration.data_schemas:
        sources = [DataSchemas(configuration.data_schemas), *sources]
    return Catalog(
        sources,
        formats=configuration.formats,
        engine=configuration.engine,
        limits=configuration.limits,
        strict=configuration.strict_schema,
        describes=configuration.described,
        stale_while_revalidate=is_server,
        warn=print_error,
    )


def configured_type(options: TypeOptions) -> tuple[Catalog, WidgetType]:
    """Return a widget type by its id, or by the file of a schema of data, and its catalog.

    Raises a usage error if there is neither, and what `catalog_for` and a catalog raise.
    """
    id = options.only_type
    if id is None:
        raise click.UsageError("Missing argument 'ID', or option '--data-schema'.")
    catalog = catalog_for(options.settings(), options.schemas)
    try:
        widget_type = catalog[id]
    except UnknownWidgetType:
        if not os.path.isfile(id):
            raise
        shown = printable(id)
        raise click.UsageError(
            f"{shown} is a file, not the id of a widget type: pass --data-schema {shown} if its "
            "schema describes the data itself; otherwise pass its folder with --schemas."
        ) from None
    if widget_type.note is not None:
        print_error(f"{id}: {widget_type.note}")
    return catalog, widget_type


def project_folder(schemas: str | None) -> str:
    """Return the folder to write schemas to: the one given, the project's, or else a new one.

    Raises `StoreError` if there is a folder `schemas` without a manifest, which may be another's.
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
            f"the folder exists, but has no {MANIFEST}; to write the schemas of this project "
            "there, pass --schemas schemas",
        )
    return made


def refuse_offline() -> None:
    """Raise `NotAvailableOffline` if the network must not be used."""
    if is_offline():
        raise NotAvailableOffline(None, "WIDGETSCHEMA_OFFLINE is set")


def _fetching(
    configuration: Configuration, folders: Sequence[str], *, is_found: bool, is_server: bool
) -> list[Source]:
    """Return the sources of a catalog that may fetch: the project's folders, then the platform."""
    from widgetschema.platform.fetcher import frozen

    own = [Store(folder, is_found=is_found) for folder in folders]
    if configuration.fetch == "frozen":
        own = [store for store in own if len(store)] or [Store("schemas")]
        for store in own:
            frozen(store.folder)
        return [*own]
    mode = network_mode(str(configuration.fetch))
    return [*own, _LazyPlatform(configuration, folders, mode, is_server=is_server)]


class _LazyPlatform(Mapping[str, Any]):
    """The platform as a source that connects only when it is asked for a schema.

    Its answers hold for the whole command, or for a server as long as those of the platform. Any
    number of threads may share it.
    """

    def __init__(
        self,
        configuration: Configuration,
        folders: Sequence[str],
        mode: Mode,
        *,
        is_server: bool,
    ) -> None:
        self._configuration = configuration
        self._folders = folders
        self._mode = mode
        self._is_server = is_server
        self._context = click.get_current_context()  # other threads have none
        self._answers: dict[str, Lookup] = {}
        self._connecting = Lock()
        self._connected: Fetcher | None = None

    @property
    def _fetcher(self) -> Fetcher:
        with self._connecting:
            if self._connected is None:
                self._connected = self._connect()
            return self._connected

    def _connect(self) -> Fetcher:
        from widgetschema.platform.fetcher import Fetcher, cache_root, own_plugin

        plugin = next(filter(None, map(own_plugin, self._folders)), None)
        client = self._context.meta.get(_CLIENT)  # of another configuration: one deadline for all
        if client is None:
            client = self._context.meta[_CLIENT] = connected(self._configuration)
            self._context.call_on_close(client.close)
        return Fetcher(
            client,
            cache=cache_root(),
            mode=self._mode,
            plugin=plugin,
            # A command can wait as long as the client does.
            deadline=_SERVER_DEADLINE if self._is_server else None,
            warn=print_error,
        )

    def lookup(self, id: str) -> Lookup:
        """Return the schema with this id, if the platform has it."""
        if self._is_server:
            return self._fetcher.lookup(id)
        if id not in self._answers:
            self._answers[id] = self._fetcher.lookup(id)._replace(fresh_for=math.inf)
        return self._answers[id]

    def expire(self) -> None:
        """Ask the platform again at the next look-up."""
        self._answers.clear()
        self._fetcher.expire()

    def list_ids(self) -> tuple[str, ...]:
        """Return the ids in the cache; for a server, a request may be made for those in use."""
        return self._fetcher.list_ids() if self._is_server else tuple(self)

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


def connected(
    configuration: Configuration, profile: str | None = None, *, connections: int = 10
) -> Client:
    """Return a client for the platform that options, the environment or a login name.

    It says what it waits for, and gives up at the deadline.

    Raises `LoginRequired`, `TokenStorageError`, and a usage error for an invalid address.
    """
    from widgetschema.platform.connection import connect

    names = ["base_url", "auth_url"]
    given = [name for name in names if configuration.origins[name.replace("_", "-")].is_option]
    if _selects_login(configuration, profile):
        given.append("base_url")
    addresses = {name: getattr(configuration, name) for name in given}
    try:
        return connect(
            **addresses, profile=profile, connections=connections, **waits(configuration)
        )
    except ValueError as error:
        raise usage_error(error) from None


def waits(configuration: Configuration) -> dict[str, Any]:
    """Return the arguments of a client about the waits of a command."""
    seconds = configuration.deadline
    told: set[bool] = set()

    def tell(address: str) -> None:
        is_token = address.endswith("/oauth/token")
        if is_token not in told:
            told.add(is_token)
            print_error(f"waiting for {address}, for at most {seconds} s (--deadline)")

    return {"total_timeout": float(seconds), "gives_up": True, "on_wait": tell}


def _selects_login(configuration: Configuration, profile: str | None) -> bool:
    """Return whether the configuration file names the platform, which selects one of the logins.

    Anybody may have written that file, so tokens of the environment are never sent there, and no
    token endpoint is read from it.
    """
    from widgetschema.platform.connection import Settings

    own = Settings.from_environment(os.environ).with_profile(profile)
    has_tokens = bool(own.access_token or own.refresh_token)
    return configuration.is_from_file("base-url") and not has_tokens


def network_mode(mode: str) -> Mode:
    """Return the mode of a fetcher; the variable WIDGETSCHEMA_OFFLINE overrides it."""
    return "offline" if is_offline() else cast("Mode", mode)


def is_offline() -> bool:
    """Return whether `WIDGETSCHEMA_OFFLINE` forbids the network; another text is a usage error."""
    value = parse({"type": "boolean"}, os.environ.get("WIDGETSCHEMA_OFFLINE", "").strip())
    if value and isinstance(value, str):
        raise click.UsageError("WIDGETSCHEMA_OFFLINE must be true or false.")
    return bool(value)


def token_file(profile: str | None) -> TokenFile:
    """Return the file of the tokens of a profile. Raises a usage error for an unusable name."""
    from widgetschema.platform.auth.token_file import TokenFile

    try:
        return TokenFile(profile=profile)
    except ValueError as error:
        raise usage_error(error) from None


def read_schema(path: str) -> Any:
    """Return the schema in a file or on standard input (-), after checking it.

    Raises `OSError`, `UnreadableDocument`, `InvalidSchema`; `StoreError` if it seems to be data.
    """
    name = "standard input" if path == "-" else path
    if path == "-":
        if sys.stdin is None:
            raise OSError(0, "standard input is closed", name)
        raw = sys.stdin.buffer.read(LARGEST + 1)  # a schema has less, and reading it says so
    else:
        raw = read_file(path, pipes=True)
    schema, source = parse_schema(raw, name)
    refuse_data(schema, name)
    report = check_schema(schema, subject=name)
    if not report.valid:
        raise InvalidSchema(Report(source.place(report.findings), name))
    return schema
