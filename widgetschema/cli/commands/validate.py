"""`widgetschema validate`: check files, folders, globs and standard input."""

from __future__ import annotations

from typing import Any

import click

from widgetschema.cli.options import (
    SINCE_THE_LAST_COMMIT,
    baseline_option,
    color_option,
    configuration_options,
    engine_option,
    fetch_option,
    jobs_option,
    no_cache_option,
    no_formats_option,
    reporters_option,
    schemas_option,
)


@click.command("validate")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--type", "type_id", metavar="ID", help="The widget type of everything checked.")
@schemas_option
@fetch_option
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="What the files hold: bare data, or widget documents (records with a member data). "
    "Default: auto, which looks.",
)
@reporters_option
@click.option(
    "--output", metavar="FILE", help="Where the first format goes that does not name a file."
)
@engine_option
@no_formats_option
@click.option(
    "--max-findings", type=click.IntRange(min=0), metavar="N", help="Show at most N findings."
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first document that fails.")
@click.option("--allow-empty", is_flag=True, help="Succeed even if there is no document to check.")
@click.option("--quiet", "-q", is_flag=True, help="No summary: findings and problems only.")
@color_option
@click.option(
    "--changed",
    is_flag=False,
    flag_value=SINCE_THE_LAST_COMMIT,
    metavar="[REF]",
    help="Only files that git says have changed: since the last commit, or since REF. All, if a "
    "schema or the configuration has changed.",
)
@click.option(
    "--only-mapped",
    is_flag=True,
    help="Of the files named, pass over those that the configuration does not map to a type; if "
    "it maps none, those that do not say their type. For hooks.",
)
@baseline_option
@click.option("--no-baseline", is_flag=True, help="Whatever is found counts.")
@click.option("--write-baseline", is_flag=True, help="Write what is found to the baseline.")
@click.option("--fix", is_flag=True, help="Mend in the files what is certain, and loses nothing.")
@click.option("--diff", is_flag=True, help="Show what --fix would do; write nothing.")
@jobs_option
@no_cache_option
@click.option("--watch", is_flag=True, help="Check again whenever something changes. Ctrl-C ends.")
@configuration_options
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Check widget data against the schema of its type.

    PATH is a file (.json; .ndjson or .jsonl, one value per line; any of them gzipped), a
    folder, a glob, or - for standard input; without any, it is all that the configuration maps. A
    file may hold bare data, a widget document, an array of documents, or an envelope of the
    widgets list. Its type is --type, else what the document says (type, or $schema), else what
    the configuration says of the file.
    """
    from widgetschema.cli.pipeline.validation import ValidateOptions, validate

    return validate(ValidateOptions(paths, **options))
