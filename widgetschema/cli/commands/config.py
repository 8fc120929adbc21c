"""`widgetschema config`: every setting, and where its value comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from widgetschema.catalog.store import is_pinned
from widgetschema.cli.console.output import write_output
from widgetschema.cli.declared import argument, option
from widgetschema.cli.options import ConfigurationOptions, format_option
from widgetschema.jsontext import dump
from widgetschema.project.config import Configuration, Configurations, Ignore, search_folders
from widgetschema.project.config.paths import relative_path
from widgetschema.project.config.rules import redact_users
from widgetschema.project.config.settings import FILE, FILE_VARIABLE, PYPROJECT
from widgetschema.reporters.style import columns
from widgetschema.text import printable

_PATHS: Final = ("schemas", "baseline")


class ConfigOptions(ConfigurationOptions):
    """The options of the command."""

    file: str | None = argument(required=False)
    output_format: str = format_option
    is_schema: bool = option("--schema", help="Print the JSON Schema of the configuration.")


@ConfigOptions.command("config")
def command(options: ConfigOptions) -> int:
    """Show every setting, and where its value comes from; with FILE, those in force for that file.

    An environment variable overrides the configuration file, and the file overrides the default;
    options of the other commands override all three. The file is the nearest widgetschema.toml,
    or pyproject.toml with a table [tool.widgetschema], from the working directory upwards to the
    folder that has .git. Settings of files come from the nearest one to each file.
    """
    if options.is_schema:
        from widgetschema.project.config.settings import schema  # only here

        return write_output(dump(schema()))
    configuration = options.settings()
    if options.file is not None:
        configurations = options.configurations(configuration)
        return show_settings(
            configurations, options.file, options.output_format, no_config=options.no_config
        )
    searched = _searched(configuration, configuration.directory, no_config=options.no_config)
    if options.output_format == "json":
        return write_output(dump(_as_dict(configuration, searched)))
    return write_output(_text(configuration, searched))


def show_settings(
    configurations: Configurations, file: str, output_format: str, *, no_config: bool
) -> int:
    """Show the settings that are in force for a file, and why; return the exit code."""
    configuration = configurations.for_file(file)
    for error in configurations.errors.values():
        raise error
    folder, name = os.path.split(os.path.abspath(file))
    rules = configuration.rules_in(folder)
    type_id = configuration.type_for(file)
    pattern, excluded = rules.maps(name), rules.excludes(name)
    searched = _searched(configuration, folder, no_config=no_config)
    if output_format == "json":
        about = {"file": file, "type": type_id, "mapped": pattern, "excluded": excluded}
        return write_output(dump({**_as_dict(configuration, searched), "about": about}))
    lines = [f"File: {file}"]
    if type_id is not None:
        lines.append(f"Type: {type_id}, unless the document names another")
    elif pattern is not None:
        lines.append(f"Type: the document has to name it; {pattern!r} of include matches")
    else:
        lines.append("Type: the document has to name it; no pattern maps the file")
    if excluded is not None:
        lines.append(f"Excluded: unless the file is named, by {excluded!r}")
    lines += [printable(remark) for remark in configurations.remarks]
    about_file = "".join(f"{printable(line)}\n" for line in lines)
    return write_output(about_file + _text(configuration, searched))


def _searched(configuration: Configuration, folder: str, *, no_config: bool) -> list[str]:
    """Return the folders, from one upwards, in which no configuration file was found."""
    return [] if no_config or configuration.file else search_folders(folder)


def _as_dict(configuration: Configuration, searched: Sequence[str]) -> dict[str, Any]:
    """Return the configuration as a JSON object; its member names are part of the contract."""
    return {
        "version": 1,
        "file": configuration.file,
        "folder": configuration.folder,
        "searched": list(searched),
        "schema_folders": list(configuration.schema_folders),
        "settings": {
            setting.name: {"value": _plain(value), "origin": str(origin)}
            for setting, value, origin in configuration.items()
        },
    }


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return redact_users(value)
    if isinstance(value, Ignore):
        members = {
            "path": value.path,
            "pointer": value.pointer,
            "keyword": value.keyword,
            "reason": value.reason,
            "expires": None if value.expires is None else value.expires.isoformat(),
            "line": value.line,
            "column": value.column,
        }
        return _plain(members)
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _text(configuration: Configuration, searched: Sequence[str]) -> str:
    rows: list[tuple[str, str, str]] = [("SETTING", "FROM", "VALUE")]
    for setting, value, origin in configuration.items():
        lines = _lines(setting.name, value, configuration.directory)
        if setting.name == "schemas" and value is None:
            lines = [_folder(one, configuration.directory) for one in configuration.schema_folders]
        for index, line in enumerate(lines or ["-"]):
            rows.append(("", "", line) if index else (setting.name, str(origin), line))
    cells = [tuple(printable(redact_users(cell)) for cell in row) for row in rows]
    widths = [max(columns(row[column]) for row in cells) for column in range(2)]
    lines = [_heading(configuration, searched), ""]
    for *front, last in cells:
        padded = [
            cell + " " * (width - columns(cell)) for cell, width in zip(front, widths, strict=True)
        ]
        lines.append("  ".join([*padded, last]).rstrip())
    return "".join(f"{line}\n" for line in lines)


def _heading(configuration: Configuration, searched: Sequence[str]) -> str:
    if configuration.file is not None:
        name = relative_path(configuration.file, configuration.directory)
        named = os.environ.get(FILE_VARIABLE, "").strip()
        by = f" ({FILE_VARIABLE})" if named and _is_same(named, configuration) else ""
        return printable(f"Configuration: {name}{by}")
    if not searched:
        return "Configuration: no file, because of --no-config"
    where = searched[0] if len(searched) == 1 else f"{searched[0]} and above, up to {searched[-1]}"
    return printable(
        f"Configuration: no file ({FILE}, or {PYPROJECT} with [tool.widgetschema], in {where})"
    )


def _is_same(named: str, configuration: Configuration) -> bool:
    return os.path.normpath(os.path.join(configuration.directory, named)) == configuration.file


def _lines(name: str, value: Any, directory: str) -> list[str]:
    """Return a value in lines: one, or one for each entry of a table or an array."""
    if value is None or value in ((), {}):
        return ["-"]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if name in _PATHS:
        return [relative_path(value, directory)]
    if name == "reporters":
        return [_reporter(one, directory) for one in value]
    if name == "data-schemas":
        return [f"{id} = {relative_path(file, directory)}" for id, file in value.items()]
    if name == "types":
        value = {f"{id}.{key}": item for id, one in value.items() for key, item in one.items()}
    if isinstance(value, Mapping):
        return [f"{key} = {item}" for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [_ignore(one) if isinstance(one, Ignore) else str(one) for one in value]
    return [f"{value:,}" if isinstance(value, int) else str(value)]


def _folder(path: str, directory: str) -> str:
    return relative_path(path, directory) + ("" if is_pinned(path) else " (no manifest)")


def _reporter(text: str, directory: str) -> str:
    format, equals, file = text.partition("=")
    return f"{format}={relative_path(file, directory)}" if equals and os.path.isabs(file) else text


def _ignore(one: Ignore) -> str:
    about = [one.path or "", one.pointer or "", one.keyword or ""]
    until = "" if one.expires is None else f" (until {one.expires.isoformat()})"
    return f"{' '.join(filter(None, about))}: {one.reason}{until}"
