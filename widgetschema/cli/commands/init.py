"""`widgetschema init`: sets up a repository."""

from __future__ import annotations

import click

from widgetschema.cli.declared import Options, option


class InitOptions(Options):
    """The options of the command."""

    yes: bool = option("--yes", "-y", is_flag=True, help="Write without asking.")
    skip: tuple[str, ...] = option(
        "--skip",
        type=click.Choice(["configuration", "baseline", "ci", "pre-commit"]),
        multiple=True,
        help="Do not propose this part. Can be repeated.",
    )
    owner: str | None = option(
        "--owner",
        metavar="ACCOUNT",
        help="The GitHub account from which CI and pre-commit install widgetschema. Default: the "
        "one that this installation came from.",
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
    from widgetschema.cli.pipeline.initialization import has_terminal, initialize
    from widgetschema.cli.pipeline.project_setup import is_account

    owner = options.owner
    if owner is not None and not is_account(owner):
        raise click.UsageError("--owner must be the name of an account on GitHub.")

    def confirm() -> bool:
        """Ask whether to write."""
        return click.confirm("Write these changes?", err=True)

    return initialize(
        owner=owner,
        skip=options.skip,
        is_confirmed=options.yes,
        confirm=confirm if has_terminal() else None,
    )
