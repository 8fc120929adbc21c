"""`widgetschema lsp`: serves the checks to code editors over the language server protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from widgetschema.cli.declared import Options, option, setting_option
from widgetschema.errors import MissingExtra

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.project.config import Configuration


class LspOptions(Options):
    """The options of the command."""

    schemas: str | None = setting_option("schemas")
    stdio: bool = option(
        "--stdio", help="Use standard input and output, which is also the default."
    )


@LspOptions.command("lsp")
def command(options: LspOptions) -> int:
    """Serve the checks to code editors over the language server protocol (LSP).

    Your editor starts this command; see the guide to editors. It communicates over standard
    input and output, logs to standard error, and never uses the network. It reports the findings
    of `validate`, with the configuration nearest to each file.
    """
    from widgetschema.cli.common import catalog_for

    try:
        from widgetschema.lsp.server import serve
    except ImportError as error:
        raise MissingExtra("lsp", "the language server needs the library pygls") from error
    context = click.get_current_context()

    def create(configuration: Configuration) -> Catalog:
        """Return the catalog of a configuration, in any thread."""
        with context.scope(cleanup=False):
            return catalog_for(configuration, options.schemas)

    return serve(create)
