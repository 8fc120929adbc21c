"""`widgetschema migrate apply`: carry files over to a newer schema, by the steps of a plan."""

from __future__ import annotations

from widgetschema.audit.pipeline.migrate_options import MigrateOptions


@MigrateOptions.command("apply")
def command(options: MigrateOptions) -> int:
    """Carry stored records over to a newer schema.

    Apply the steps of a plan. PATH is a file with widget data or documents, NDJSON, a folder or a
    glob. Every other byte of the files stays as it was. A record is written only if it is valid
    afterwards; the others stay as they are, counted and named. A file is replaced whole or not at
    all. If the command is stopped, run it again to continue.

    Exit code 1 if some records could not be migrated.
    """
    from widgetschema.audit.pipeline.bulk_migration import apply

    return apply(options)
