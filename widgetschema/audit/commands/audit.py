"""`widgetschema audit`: check all stored widgets, and summarize the findings."""

from __future__ import annotations

from typing import Any

import click

from widgetschema.cli.options import (
    color_option,
    configuration_options,
    data_pointer_option,
    data_schema_option,
    engine_option,
    fetch_option,
    format_option,
    id_pointer_option,
    jobs_option,
    no_formats_option,
    record_kind_option,
    schemas_option,
    strict_schema_option,
    type_pointer_option,
)


@click.command("audit")
@click.argument("inputs", nargs=-1, required=True, metavar="PATH...")
@click.option("--type", "type_id", metavar="ID", help="The widget type of all records.")
@type_pointer_option
@data_pointer_option
@click.option(
    "--data-column",
    metavar="NAME",
    help="Column of a table with the widget data; * for rows that are the records. Default: data.",
)
@click.option(
    "--type-column",
    metavar="NAME",
    help="Column of a table with the types. Default: type, if there is one.",
)
@click.option("--table", metavar="NAME", help="Table of a database.")
@click.option("--query", metavar="SQL", help="Query of a database, in place of --table.")
@click.option(
    "--key",
    metavar="COLUMN",
    help="Divide the rows of a database by this column. Default: its primary key.",
)
@record_kind_option
@click.option(
    "--at",
    metavar="POINTER",
    help="JSON Pointer to the document in a record, such as /after; the other pointers begin "
    "there. Default: the record is the document.",
)
@click.option(
    "--decode-strings", is_flag=True, help="Read data that is a string as JSON, and check that."
)
@click.option(
    "--input-format",
    type=click.Choice(["auto", "lines", "array", "concatenated", "sequence"]),
    default="auto",
    help="Read files as a JSON text per line, as the items of an array (also within the platform's "
    "list), as texts one after the other, or as a JSON text sequence (RFC 7464). Default: auto, "
    "which goes by the name and the first bytes of a file.",
)
@schemas_option
@data_schema_option
@fetch_option
@click.option(
    "--against",
    metavar="OLD",
    help="Report only records that were valid by OLD and no longer are: a folder of schemas, a "
    "file with a schema (with --data-schema, one of the data itself), or the id of a widget type.",
)
@click.option(
    "--findings",
    metavar="FILE",
    help="Write all findings, one JSON object per line; as a table, if FILE ends in .parquet.",
)
@click.option(
    "--invalid-ids",
    metavar="FILE",
    help="Write the ids of invalid records, one per line.",
)
@click.option(
    "--quarantine",
    metavar="FILE",
    help="Write the invalid records as they are, one per line.",
)
@click.option("--html", metavar="FILE", help="Write an HTML page with charts.")
@format_option
@click.option(
    "--compare",
    metavar="FILE",
    multiple=True,
    help="Compare with the summary of an earlier audit (--format json). Repeatable, oldest first.",
)
@id_pointer_option
@click.option(
    "--id-column",
    metavar="NAME",
    help="Column of a table with the ids. Default: id, if there is one.",
)
@click.option(
    "--date-pointer",
    metavar="POINTER",
    default="/updated",
    help="JSON Pointer to the date of a record's last change. Default: /updated.",
)
@click.option(
    "--by",
    metavar="POINTER",
    multiple=True,
    help="Count records by their value at a JSON Pointer, such as /projectId. Repeatable.",
)
@click.option(
    "--examples",
    type=click.IntRange(0, 100),
    default=3,
    metavar="N",
    help="Examples of each finding. Default: 3.",
)
@click.option(
    "--sample",
    metavar="SHARE",
    help="Check only a sample of the records, such as 1%, the same one in every run.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63),
    default=0,
    metavar="N",
    help="Seed of the sample. Default: 0.",
)
@click.option(
    "--max-invalid",
    metavar="LIMIT",
    help="Succeed if no more records than this are invalid: a share such as 0.1%, or a number.",
)
@engine_option
@no_formats_option
@strict_schema_option
@jobs_option
@click.option(
    "--partition-size",
    metavar="SIZE",
    default="16MiB",
    help="Check this much at a time, and keep the result for --resume. Default: 16MiB.",
)
@click.option("--resume", is_flag=True, help="Continue where the same run stopped.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Check with the workers of a Dask cluster, such as tcp://host:8786.",
)
@click.option(
    "--strict-inputs", is_flag=True, help="Fail if a file of a folder is not read (exit code 3)."
)
@click.option("--allow-empty", is_flag=True, help="Succeed even if there is no record to check.")
@click.option("--quiet", "-q", is_flag=True, help="Print no progress and no advice.")
@color_option
@configuration_options
def command(inputs: tuple[str, ...], **options: Any) -> int:
    """Check millions of records against the schemas of their types, and summarize the findings.

    PATH is a file (one JSON text per line, an array, or what --input-format says), a table
    (Parquet, Arrow, CSV), a database (SQLite, postgresql://HOST/NAME), a folder, a glob, - for
    standard input, or an address such as s3://bucket/widgets/*.ndjson; files may be compressed by
    gzip or zstd. The type of a record is --type or --data-schema, else the one that it names, or
    its row.

    Ctrl-C prints the summary so far; --resume continues with the rest.
    """
    from widgetschema.audit.pipeline.auditing import audit
    from widgetschema.audit.pipeline.setup import AuditOptions

    return audit(AuditOptions(inputs, **options))
