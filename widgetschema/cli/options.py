"""The options that several commands share. Light: every command pays for these."""

from __future__ import annotations

import re
from typing import Any, Final

import click

from widgetschema.cli.declared import Options, option, setting_option
from widgetschema.cli.settings import configurations_for, load_settings
from widgetschema.project.config import Configuration, Configurations
from widgetschema.project.config.rules import keyword_fault
from widgetschema.project.config.settings import SETTINGS

# What the option --changed says by itself: no name that git takes for a commit.
SINCE_THE_LAST_COMMIT: Final = "since the last commit"

_INTEGER: Final = re.compile("0|-?[1-9][0-9]{0,17}")  # a seed that is the same text again


def codes_option(name: str, help: str, **others: Any) -> Any:
    """Return an option that takes codes of findings, with commas, and can be repeated."""
    attributes = {"multiple": True, "metavar": "CODE,...", "callback": _codes, **others}
    return option(name, help=help, **attributes)


def _codes(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> frozenset[str]:
    found = frozenset(code.strip() for text in value for code in text.split(",") if code.strip())
    for code in sorted(found):
        fault = keyword_fault(code, None)
        if fault is not None:
            raise click.BadParameter("; ".join(filter(None, fault)), ctx, param)
    if value and not found:
        raise click.BadParameter("name at least one code of findings.", ctx, param)
    return found


def _only_file(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> str | None:
    """Return the file of --data-schema. Raises a usage error if there are several."""
    if len(value) > 1:
        raise click.UsageError(
            "Pass --data-schema only once. To use several schemas, name them in the "
            "configuration under [data-schemas].",
            ctx,
        )
    return next(iter(value), None)


force_output_option: Any = option(
    "--force", help="Replace the file of --output if it exists already."
)
format_option: Any = option(
    "--format",
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="The format of the output.",
)


def kind_option(text: str) -> Any:
    """Declare the option that says what is read: widget data, or widget documents."""
    return option(
        "--as",
        type=click.Choice(["data", "document", "auto"]),
        default="auto",
        help=f"{text} Default: auto, which detects it.",
    )


def port_option(text: str) -> Any:
    """Declare the option that says which port of this machine a command listens on."""
    kind = click.IntRange(0, 65535)
    return option("--port", type=kind, default=0, help=f"{text} Default: any free port.")


data_kind_option: Any = kind_option(
    "Read the files of --data as widget data, or as widget documents."
)
color_option: Any = option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Color the output. Default: auto; the variable NO_COLOR turns it off.",
)


profile_option: Any = option(
    "--profile",
    metavar="NAME",
    help="Use the stored login with this name, if you have several accounts on one platform; "
    "tokens in the environment are then ignored. Default: WIDGETSCHEMA_PROFILE, or else the login "
    "without a name.",
)


class ConfigurationOptions(Options):
    """The options for the configuration."""

    config: str | None = option(
        "--config",
        excludes=("no_config",),
        metavar="FILE",
        help="The configuration file. Default: widgetschema.toml or pyproject.toml, here or above.",
    )
    no_config: bool = option("--no-config", help="Do not read a configuration file.")

    def settings(self) -> Configuration:
        """Return the settings in force for the command. Raises `ConfigurationError`."""
        return self.apply(load_settings(self.config, no_config=self.no_config))

    def configurations(self, run: Configuration | None = None) -> Configurations:
        """Return the configurations of a run and its files. Raises `ConfigurationError`."""
        return configurations_for(
            self.settings() if run is None else run,
            self.config,
            no_config=self.no_config,
            options=self.apply,
        )


class PlatformOptions(Options):
    """The options for the platform."""

    base_url: str | None = setting_option("base-url")
    auth_url: str | None = setting_option("auth-url")
    profile: str | None = profile_option
    deadline: int | None = setting_option("deadline")


class CatalogOptions(Options):
    """The options for the schemas of widget types."""

    schemas: str | None = setting_option("schemas")
    fetch: str | None = setting_option("fetch")
    deadline: int | None = setting_option("deadline")
    strict_schema: bool = setting_option("strict-schema")


class TypeOptions(CatalogOptions):
    """The options for a widget type; each command declares its own `type_id`."""

    type_id: str | None = None
    data_schema: str | None = option(  # one entry of the setting `data-schemas`
        "--data-schema",
        metavar="FILE",
        multiple=True,
        callback=_only_file,
        help=SETTINGS["data-schemas"].option_help,
    )

    @property
    def only_type(self) -> str | None:
        """The id of the widget type, if one is given; without --type, that of the schema's file."""
        file = self.data_schema
        if self.type_id is not None or file is None:
            return self.type_id
        from widgetschema.catalog.schema_files import parsed
        from widgetschema.catalog.type_ids import id_in_file
        from widgetschema.errors import StoreError
        from widgetschema.files import read_bytes

        try:
            schema = None if file == "-" else parsed(read_bytes(file), file)
        except StoreError:  # using it says why
            schema = None
        return id_in_file(schema, file)

    @property
    def given_settings(self) -> dict[str, Any]:
        """The values that options give to settings, by their names in Python.

        Raises a usage error for a --data-schema that is no file.
        """
        given, id = super().given_settings, self.only_type
        if self.data_schema is None or id is None:
            return {**given, "data_schemas": None}
        if not id or self.data_schema == "-":
            raise click.UsageError("--data-schema needs the name of a file.")
        return {**given, "data_schemas": {id: self.data_schema}}


def parse_seed(given: str | None) -> int | str:
    """Return the seed that a text means: a number, if it is one."""
    if given is None:
        return 0
    try:
        given.encode()
    except UnicodeEncodeError:
        raise click.BadParameter("this is not text.", param_hint="--seed") from None
    return int(given) if _INTEGER.fullmatch(given) else given
