"""The options of `widgetschema migrate apply`, each declared once, and what they mean."""

from __future__ import annotations

import os
from typing import Final

import click

from widgetschema.audit.pipeline.audit_options import STANDARD_STREAM, AuditOptions, BulkOptions
from widgetschema.cli.declared import option
from widgetschema.cli.pipeline.migration_setup import MigrationOptions

UNDO: Final = ".undo.ndjson"  # what the names of files end with
LOST: Final = ".lost.ndjson"


class MigrateOptions(MigrationOptions, BulkOptions):
    """The options of the command."""

    dry_run: bool = option("--dry-run", help="Write nothing, and print what would be done.")
    diff: bool = option("--diff", help="Write nothing, and print the changes as a patch.")
    output: str | None = option(
        "--output",
        metavar="FOLDER",
        help="Write all files to this folder, and leave the originals as they are.",
    )
    undo: str | None = option(
        "--undo",
        metavar="FILE",
        help="Keep what is replaced in this file, for migrate revert. Default: beside the plan, "
        "PLAN.undo.ndjson.",
    )
    lost: str | None = option(
        "--lost",
        metavar="FILE",
        help="Keep what steps drop in this file. Default: PLAN.lost.ndjson, beside the plan or in "
        "the folder of --output.",
    )
    quarantine: str | None = option(
        "--quarantine",
        metavar="FILE",
        help="Write the records that could not be migrated, unchanged, one per line.",
    )
    findings: str | None = option(
        "--findings",
        metavar="FILE",
        help="Write why records could not be migrated, one JSON object per line.",
    )
    type_id: str | None = option(
        "--type",
        metavar="ID",
        help="The type to migrate, as documents name it and the configuration maps files. Default: "
        "that of the plan.",
    )

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that exclude each other."""
        if STANDARD_STREAM in self.inputs:
            raise click.UsageError("Standard input cannot be migrated: name files.")
        if self.output is not None and self.undo is not None:
            raise click.UsageError("--undo is for files that are replaced: --output leaves them.")
        if self.output is not None and self.is_dry:
            raise click.UsageError("--output cannot be combined with --dry-run and --diff.")
        self.audit.refuse_conflicts()

    @property
    def audit(self) -> AuditOptions:
        """The options of the audit that a migration in bulk is: those of the same names."""
        names = self.declared.keys() & AuditOptions.declared.keys()
        return AuditOptions(**{name: getattr(self, name) for name in names})

    @property
    def is_dry(self) -> bool:
        """True if no file is written anew."""
        return self.dry_run or self.diff

    @property
    def undo_file(self) -> str:
        """The undo file."""
        return self._beside_the_plan(UNDO) if self.undo is None else self.undo

    @property
    def lost_file(self) -> str:
        """The file of what is lost: in the output folder, if there is one."""
        if self.lost is not None:
            return self.lost
        file = self._beside_the_plan(LOST)
        return file if self.output is None else os.path.join(self.output, os.path.basename(file))

    def _beside_the_plan(self, suffix: str) -> str:
        return os.path.splitext(self.plan)[0] + suffix
