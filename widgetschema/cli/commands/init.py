"""`widgetschema init`: sets up a repository."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

import click

from widgetschema.cli.console.output import UNWRITABLE, Output, print_error, print_stderr, reason
from widgetschema.cli.declared import Options, option
from widgetschema.cli.pipeline.initialization import Proposal, propose
from widgetschema.cli.pipeline.project_setup import is_source, write_changes
from widgetschema.fixes import unified_diff
from widgetschema.text import plural, printable

_NOT_CONFIRMED: Final = 2  # exit codes


class InitOptions(Options):
    """The options of the command."""

    yes: bool = option("--yes", "-y", help="Write without asking.")
    skip: tuple[str, ...] = option(
        "--skip",
        type=click.Choice(["configuration", "baseline", "ci", "pre-commit"]),
        multiple=True,
        help="Do not propose this part. Can be repeated.",
    )
    owner: str | None = option(
        "--owner",
        metavar="OWNER[@COMMIT]",
        help="The GitHub account from which CI and pre-commit install widgetschema, and the "
        "commit. Default: those that this installation came from.",
    )


@InitOptions.command("init")
def command(options: InitOptions) -> int:
    """Set up a repository: configuration, baseline, CI and pre-commit.

    It maps files that name a known widget type, or whose data is valid by exactly one schema, and
    records existing findings in a baseline. It adds a step to the CI of the repository (GitHub or
    GitLab), and an entry to the configuration of pre-commit, if there is one.

    The command shows the changes, and writes them only if you agree. If you run it again, it
    proposes only what is missing. Files keep their formatting, nothing is overwritten, and the
    network is not used. Exit code 2 if there are changes, but neither a terminal nor --yes; 3 if a
    file cannot be written.
    """
    if options.owner is not None and not is_source(options.owner):
        raise click.UsageError(
            "--owner must be the name of an account on GitHub, or OWNER@COMMIT with all 40 digits "
            "of the commit."
        )
    has_terminal = sys.stdin is not None and sys.stdin.isatty()
    return initialize(options, _confirm if has_terminal else None)


def initialize(options: InitOptions, confirm: Callable[[], bool] | None) -> int:
    """Propose, show, ask and write; return the exit code.

    `confirm` asks the user; it is None if there is nobody to ask.
    """
    proposal = propose(options.settings(), owner=options.owner, skip=options.skip)
    output = Output(None)
    for change in proposal.changes:
        name = os.path.relpath(change.path).replace(os.sep, "/")
        output.write_exact(unified_diff(change.before or "", change.after, name))
    code = output.close()
    for remark in proposal.remarks:
        print_error(remark)
    if proposal.baseline is not None:
        number = plural(proposal.baseline.number, "finding")
        name = printable(os.path.relpath(proposal.baseline.path))
        print_stderr(f"{name} (new file): {number}, which will not fail")
    if proposal.is_empty:
        print_stderr(f"Nothing to write. Next: {proposal.next_step}")
        return code
    if not options.yes:
        if confirm is None:
            print_error("nothing was written, since there is no terminal to ask; pass --yes")
            return max(code, _NOT_CONFIRMED)
        if not confirm():
            print_stderr("Nothing was written.")
            return code
    return max(code, _write(proposal))


def _confirm() -> bool:
    return click.confirm("Write these changes?", err=True)


def _write(proposal: Proposal) -> int:
    """Write what was shown, and say so; return the exit code."""
    if not write_changes(proposal.changes):
        return UNWRITABLE
    if proposal.baseline is not None:
        path = printable(os.path.relpath(proposal.baseline.path))
        try:
            print_stderr(f"wrote {path}: {proposal.baseline.write()}")
        except OSError as error:
            print_error(f"{path}: not written: {reason(error)}")
            return UNWRITABLE
    print_stderr(f"Next: {proposal.next_step}")
    return 0
