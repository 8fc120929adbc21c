"""The options of `widgetschema validate`, each declared once, and the settings that they give."""

from __future__ import annotations

from typing import Literal

import click

from widgetschema.cli.declared import argument, option, setting_option
from widgetschema.cli.options import (
    SINCE_THE_LAST_COMMIT,
    ConfigurationOptions,
    TypeOptions,
    codes_option,
    color_option,
    kind_option,
)


class ValidateOptions(TypeOptions, ConfigurationOptions):
    """The options of the command."""

    paths: tuple[str, ...] = argument(nargs=-1, metavar="[PATH]...")
    type_id: str | None = option("--type", metavar="ID", help="The widget type of all documents.")
    kind: str = kind_option(
        "Read files as widget data, or as widget documents (records with a data property)."
    )
    formats: tuple[str, ...] = setting_option("reporters", "--output-format")
    output: str | None = option(
        "--output", metavar="FILE", help="File for the first format that does not name one."
    )
    engine: str | None = setting_option("engine")
    no_formats: bool = setting_option("formats")
    select: frozenset[str] = codes_option(
        "--select",
        "Report only findings with these codes, and those that prevent a check. Can be repeated.",
        excludes=("write_baseline",),
    )
    ignore: frozenset[str] = codes_option(
        "--ignore",
        "Ignore findings with these codes. Can be repeated.",
        excludes=("write_baseline",),
    )
    max_findings: int | None = option(
        "--max-findings", type=click.IntRange(min=0), help="Show at most N findings."
    )
    fail_fast: bool = option(
        "--fail-fast",
        help="Stop at the first document that fails.",
        excludes=("write_baseline",),
    )
    allow_empty: bool = option(
        "--allow-empty", help="Succeed even if there is no document to check."
    )
    exit_zero: bool = option("--exit-zero", help="Exit with 0 even if there are findings.")
    statistics: bool = option("--statistics", help="Print the number of findings of each code.")
    quiet: bool = option("--quiet", "-q", help="Print findings and problems, but no summary.")
    color: str = color_option
    changed: str | None = option(
        "--changed",
        is_flag=False,
        flag_value=SINCE_THE_LAST_COMMIT,
        metavar="[REF]",
        help="Check only files that changed since the last commit or since REF, according to git; "
        "all files if a schema or the configuration changed.",
    )
    force_exclude: bool = option(
        "--force-exclude",
        help="Also skip named files that git ignores, that the configuration excludes, or that are "
        "neither mapped nor name their type. For hooks.",
    )
    no_ignore_files: bool = option(
        "--no-ignore-files",
        help="Also check files that git ignores, folders of installed packages, and build folders.",
    )
    show_config: str | None = option(
        "--show-config",
        metavar="FILE",
        help="Show the settings for FILE and where each comes from; check nothing.",
    )
    show_skipped: bool = option("--show-skipped", help="List each skipped file, with the reason.")
    baseline: str | None = setting_option("baseline", excludes=("no_baseline",))
    no_baseline: bool = option("--no-baseline", help="Use no baseline: all findings count.")
    write_baseline: bool = option(
        "--write-baseline",
        help="Write the findings to the baseline: new ones are added, and those that are gone are "
        "removed. Print how many there are of each code, and what a baseline cannot hold.",
    )
    add_ignores: bool = option(
        "--add-ignores",
        help="Add the findings to the ignores of the nearest configuration, one entry for each "
        "file and code, with a reason to fill in.",
        excludes=(
            "watch",
            "fix",
            "unsafe_fixes",
            "diff",
            "write_baseline",
            "fail_fast",
            "stdin_filename",
            "no_config",
        ),
    )
    fix: bool = option(
        "--fix",
        help="Write safe fixes to the files: they change how a value is written where that is "
        "certain. For -, write the text to standard output, with the fixes.",
        excludes=("diff", "write_baseline"),
    )
    unsafe_fixes: bool = setting_option("unsafe-fixes", excludes=("write_baseline",))
    stdin_filename: str | None = option(
        "--stdin-filename",
        metavar="FILE",
        help="Check standard input as if it were this file, which is not read: for editors.",
        excludes=("write_baseline", "watch", "changed"),
    )
    diff: bool = option(
        "--diff",
        help="Show what --fix or --unsafe-fixes would change; write nothing. With --format json, "
        "as JSON.",
        excludes=("write_baseline",),
    )
    jobs: int | None = setting_option("jobs")
    watch: bool = option(
        "--watch",
        help="Check again after each change, until Ctrl-C.",
        excludes=("fix", "write_baseline", "unsafe_fixes"),
    )

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that exclude each other."""
        super().refuse_conflicts()
        if self.stdin_filename is not None and self.paths not in ((), ("-",)):
            raise click.UsageError("--stdin-filename takes no path but -, standard input.")

    @property
    def fixes(self) -> Literal["write", "diff"] | None:
        """The way to apply fixes: write or show them; None for neither."""
        if self.diff:
            return "diff"
        return "write" if self.fix or self.unsafe_fixes else None

    @property
    def input_name(self) -> str | None:
        """The name of standard input, if its text is read at once, to be fixed or named."""
        if self.fixes is not None and self.paths == ("-",):
            return self.stdin_filename or "-"
        return self.stdin_filename
