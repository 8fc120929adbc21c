"""`widgetschema migrate revert`: bring back what files were before a migration."""

from __future__ import annotations

from widgetschema.cli.declared import Options, argument, option


class RevertOptions(Options):
    """The options of the command."""

    undo: str = argument(metavar="FILE")
    dry_run: bool = option("--dry-run", help="Write nothing, and print what would be done.")


@RevertOptions.command("revert")
def command(options: RevertOptions) -> int:
    """Undo `migrate apply`, byte for byte.

    FILE is the undo file. A file that has changed since the migration stays as it is (exit code
    1), and the message says where it differs. When all files are as before, FILE is removed. If
    the undo file is missing or damaged, the exit code is 3.
    """
    from widgetschema.audit.pipeline.bulk_migration import revert_all

    return revert_all(options.undo, dry_run=options.dry_run)
