"""`widgetschema audit`: check all stored widgets, and summarize the findings."""

from __future__ import annotations

from widgetschema.audit.pipeline.audit_options import AuditOptions


@AuditOptions.command("audit")
def command(options: AuditOptions) -> int:
    """Check millions of records against the schemas of their types, and summarize the findings.

    PATH is a file (one JSON text per line, an array, or what --input-format says), a table
    (Parquet, Arrow, CSV), a database (SQLite, postgresql://HOST/NAME), a folder, a glob, - for
    standard input, or an address such as s3://bucket/widgets/*.ndjson; files may be compressed by
    gzip or zstd. The type of a record is --type or --data-schema, else the one that the record or
    its row names.

    Ctrl-C prints the summary so far; --resume continues with the rest.
    """
    from widgetschema.audit.pipeline.auditing import audit

    return audit(options)
