"""`widgetschema migrate apply`: carry files over to a newer schema, by the steps of a plan."""

from __future__ import annotations

from typing import Any

import click

from widgetschema.cli.options import (
    color_option,
    configuration_options,
    data_pointer_option,
    format_option,
    id_pointer_option,
    jobs_option,
    record_kind_option,
    type_pointer_option,
)
from widgetschema.cli.pipeline.migration_setup import migration_options


@click.command("apply")
@click.argument("plan", metavar="PLAN.toml")
@click.argument("inputs", nargs=-1, required=True, metavar="PATH...")
@click.option("--dry-run", is_flag=True, help="Write nothing, and print what would be done.")
@click.option("--diff", is_flag=True, help="Write nothing, and print the changes as a patch.")
@click.option(
    "--output",
    metavar="FOLDER",
    help="Write all files anew in this folder, and leave those that are there as they are.",
)
@click.option(
    "--undo",
    metavar="FILE",
    help="Keep what is replaced in this file, for migrate revert. Default: beside the plan, "
    "PLAN.undo.ndjson.",
)
@click.option(
    "--lost",
    metavar="FILE",
    help="Keep what steps drop in this file. Default: PLAN.lost.ndjson, beside the plan or in the "
    "folder of --output.",
)
@click.option(
    "--quarantine",
    metavar="FILE",
    help="Write the records that are left, as they are, one per line.",
)
@click.option(
    "--findings",
    metavar="FILE",
    help="Write why records are left, one JSON object per finding and line.",
)
@migration_options
@click.option(
    "--type",
    "type_id",
    metavar="ID",
    help="Migrate the documents of this widget type. Default: that of the plan.",
)
@type_pointer_option
@data_pointer_option
@id_pointer_option
@record_kind_option
@jobs_option
@click.option(
    "--partition-size",
    metavar="SIZE",
    default="16MiB",
    help="Migrate this much at a time; a run that is stopped goes on behind it. Default: 16MiB.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Migrate with the workers of a Dask cluster, such as tcp://host:8786.",
)
@format_option
@click.option("--quiet", "-q", is_flag=True, help="Print no progress and no advice.")
@color_option
@configuration_options
def command(
    plan: str,
    inputs: tuple[str, ...],
    old: str | None,
    new: str | None,
    dry_run: bool,
    diff: bool,
    output: str | None,
    undo: str | None,
    lost: str | None,
    allow_code: bool,
    **options: Any,
) -> int:
    """Carry stored records over to a newer schema.

    Apply the steps of a plan. PATH is a file with widget data or documents, NDJSON, a folder or a
    glob. Everything else in the files keeps every byte. A record is written only if it is valid
    afterwards; the others stay as they are, counted and named. A file is replaced whole or not at
    all. If the command is stopped, run it again to continue.

    Exit code 1 if records are left that are not valid.
    """
    from widgetschema.audit.pipeline.bulk_migration import MigrateOptions, apply
    from widgetschema.audit.pipeline.setup import AuditOptions

    audit = AuditOptions(inputs, **options)
    return apply(
        MigrateOptions(plan, audit, old, new, undo, lost, output, dry_run, diff, allow_code)
    )
