"""`widgetschema validate`: check files, folders, globs and standard input."""

from __future__ import annotations

from typing import Any

import click

from widgetschema.cli.options import (
    SINCE_THE_LAST_COMMIT,
    baseline_option,
    codes_option,
    color_option,
    configuration_options,
    data_schema_option,
    engine_option,
    fetch_option,
    jobs_option,
    no_formats_option,
    reporters_option,
    schemas_option,
    setting_option,
    strict_schema_option,
)


@click.command("validate")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--type", "type_id", metavar="ID", help="The widget type of all documents.")
@schemas_option
@data_schema_option
@fetch_option
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="Read files as widget data, or as widget documents (records with a member data). "
    "Default: auto, which detects it.",
)
@reporters_option
@click.option("--output", metavar="FILE", help="File for the first format that does not name one.")
@engine_option
@no_formats_option
@strict_schema_option
@codes_option(
    "--select",
    "Report only findings with these codes, and those that prevent a check. Can be repeated.",
)
@codes_option("--ignore", "Ignore findings with these codes. Can be repeated.")
@click.option(
    "--max-findings", type=click.IntRange(min=0), metavar="N", help="Show at most N findings."
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first document that fails.")
@click.option("--allow-empty", is_flag=True, help="Succeed even if there is no document to check.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@click.option("--statistics", is_flag=True, help="Print the number of findings of each code.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings and problems, but no summary.")
@color_option
@click.option(
    "--changed",
    is_flag=False,
    flag_value=SINCE_THE_LAST_COMMIT,
    metavar="[REF]",
    help="Check only files that changed since the last commit or since REF, according to git; all "
    "files if a schema or the configuration changed.",
)
@click.option(
    "--force-exclude",
    is_flag=True,
    help="Also skip named files that git ignores, that the configuration excludes, or that are "
    "neither mapped nor name their type. For hooks.",
)
@click.option(
    "--no-ignore-files",
    is_flag=True,
    help="Also check files that git ignores, folders of installed packages, and build folders.",
)
@click.option(
    "--show-config",
    metavar="FILE",
    help="Show the settings for FILE and where each comes from; check nothing.",
)
@click.option("--show-skipped", is_flag=True, help="List each skipped file, with the reason.")
@baseline_option
@click.option("--no-baseline", is_flag=True, help="Use no baseline: all findings count.")
@click.option(
    "--write-baseline",
    is_flag=True,
    help="Write the findings to the baseline; print how many there are of each code, and what "
    "a baseline cannot hold.",
)
@click.option(
    "--add-ignores",
    is_flag=True,
    help="Add the findings to the ignores of the nearest configuration, one entry for each file "
    "and code, with a reason to fill in.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Write safe fixes to the files: they change how a value is written where that is certain. "
    "For -, write the text to standard output, with the fixes.",
)
@setting_option("unsafe-fixes")
@click.option(
    "--stdin-filename",
    metavar="FILE",
    help="Check standard input as if it were this file, which is not read: for editors.",
)
@click.option(
    "--diff",
    is_flag=True,
    help="Show what --fix or --unsafe-fixes would change; write nothing. With --format json, as "
    "JSON.",
)
@jobs_option
@click.option("--watch", is_flag=True, help="Check again after each change, until Ctrl-C.")
@configuration_options
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Validate widget data against the schema of its type.

    PATH is a file (.json, .yaml, .json5 or .jsonc; .ndjson or .jsonl, one value per line; any of
    them compressed with gzip or zstd), a folder, a glob, or - for standard input. Without PATH, the
    folder of the configuration is checked, or this one. In folders, files are skipped that git
    ignores, or that neither name their type nor are mapped to one by the configuration.

    A file may contain widget data, a widget document, an array of either, or an envelope of the
    widgets list. Its type is --type or --data-schema, else the one that the document names (type,
    or $schema), else the one that the configuration gives the file.
    """
    from widgetschema.cli.pipeline.validation import ValidateOptions, validate

    shown = options.pop("show_config")
    given = ValidateOptions(paths, **options)
    if shown is None:
        return validate(given)
    from widgetschema.cli.commands.config import show_settings

    given.check()
    return show_settings(given.configurations(), shown, "text", no_config=given.no_config)
