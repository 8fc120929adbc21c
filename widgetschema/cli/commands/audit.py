"""`widgetschema audit`: check every widget there is, and say which break, and how."""

from __future__ import annotations

from typing import Any

import click

from widgetschema.cli.options import (
    color_option,
    configuration_options,
    engine_option,
    fetch_option,
    format_option,
    jobs_option,
    no_formats_option,
    schemas_option,
)


@click.command("audit")
@click.argument("inputs", nargs=-1, required=True, metavar="PATH...")
@click.option("--type", "type_id", metavar="ID", help="The widget type of all records.")
@click.option(
    "--type-member",
    metavar="NAME",
    default="type",
    help="The member of a record that says its type. Default: type.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="What the records are: bare data, or widget documents. Default: auto, which looks.",
)
@schemas_option
@fetch_option
@click.option(
    "--against",
    metavar="OLD",
    help="Tell only of records that were valid by OLD, and are not now: a folder of schemas, a "
    "file that holds one, or the id of a widget type.",
)
@click.option(
    "--findings", metavar="FILE", help="Write every finding, a JSON object a line; - for output."
)
@click.option("--invalid-ids", metavar="FILE", help="Write the ids of invalid records, one a line.")
@click.option("--html", metavar="FILE", help="Write a page with charts, for people.")
@format_option
@click.option(
    "--id-member",
    metavar="NAME",
    default="id",
    help="The member of a record that names it. Default: id.",
)
@click.option(
    "--date-member",
    metavar="NAME",
    default="updated",
    help="The member that says when a record was changed. Default: updated.",
)
@click.option(
    "--examples",
    type=click.IntRange(0, 100),
    default=3,
    metavar="N",
    help="Examples of each mistake. Default: 3.",
)
@engine_option
@no_formats_option
@jobs_option
@click.option(
    "--partition-size",
    metavar="SIZE",
    default="16MiB",
    help="How much is done, and kept for --resume, at a time. Default: 16MiB.",
)
@click.option("--resume", is_flag=True, help="Go on where the same run was broken off.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Have the workers of a Dask cluster check, such as tcp://host:8786.",
)
@click.option(
    "--strict-inputs", is_flag=True, help="Fail if a file of a folder is not read (exit code 3)."
)
@click.option("--allow-empty", is_flag=True, help="Succeed even if there is no record to check.")
@click.option("--quiet", "-q", is_flag=True, help="No progress, and no advice at the end.")
@color_option
@configuration_options
def command(inputs: tuple[str, ...], **options: Any) -> int:
    """Check millions of records against the schemas of their types, and sum up what is wrong.

    PATH is a file (a JSON text a line, whatever it is called; .json holds one,
    unless its first lines are values), a folder, a glob,
    - for standard input, or an address such as s3://bucket/widgets/*.ndjson; each may be packed by
    gzip or zstd. The type of a record is --type, else what its member says.

    Ctrl-C gives the summary so far; --resume goes on with the rest.
    """
    from widgetschema.cli.pipeline.audit import audit
    from widgetschema.cli.pipeline.audit_setup import AuditOptions

    return audit(AuditOptions(inputs, **options))
