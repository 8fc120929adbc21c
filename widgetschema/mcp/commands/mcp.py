"""`widgetschema mcp`: serves the checks to assistants over the Model Context Protocol."""

from __future__ import annotations

import os
import secrets
from typing import Final

import click

from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.console.signals import (
    killed_by_interrupt,
    port_error,
    stop_on_signal,
    wait_for_stop,
)
from widgetschema.cli.declared import Options, option, setting_option
from widgetschema.cli.options import port_option
from widgetschema.errors import MissingExtra
from widgetschema.text import printable

_TOKEN: Final = "WIDGETSCHEMA_MCP_TOKEN"  # noqa: S105  the name of the variable
_SHORTEST_TOKEN: Final = 16


class McpOptions(Options):
    """The options of the command."""

    schemas: str | None = setting_option("schemas")
    fetch: str | None = setting_option("fetch")
    deadline: int | None = setting_option("deadline")
    folder: str | None = option(
        "--folder",
        metavar="DIR",
        help="Offer tools that read and write the JSON files in DIR. Default: no files.",
    )
    http: bool = option(
        "--http",
        help="Serve over streamable HTTP on 127.0.0.1. Default: standard input and output.",
    )
    port: int = port_option("With --http, listen on this port.")


@McpOptions.command("mcp")
def command(options: McpOptions) -> int:
    """Serve the checks to assistants over the Model Context Protocol (MCP).

    The tools list and describe widget types, check and fix data, generate samples, compare
    schemas, and fill in data step by step. They write nothing, unless --folder names a folder.
    With --http, each request needs a token: the value of WIDGETSCHEMA_MCP_TOKEN, or else one that
    the command generates and prints.
    """
    folder, http, port = options.folder, options.http, options.port
    if port and not http:
        raise click.UsageError("--port requires --http.")
    if folder is not None and not os.path.isdir(folder):
        raise click.UsageError(f"{printable(folder)} is not a folder: pass --folder DIR.")
    try:
        from widgetschema.mcp.server import PATH, make_server, serve_http
    except ImportError as error:
        raise MissingExtra("mcp", "the MCP server needs the library mcp") from error
    server = make_server(catalog_for(options.settings(), options.schemas, is_server=True), folder)
    if not http:
        with killed_by_interrupt():
            server.run("stdio")
        return 0
    token = os.environ.get(_TOKEN) or secrets.token_urlsafe(32)
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise click.UsageError(
            f"{_TOKEN} must have at least {_SHORTEST_TOKEN} printable ASCII characters."
        )
    with stop_on_signal() as stop:
        try:
            with serve_http(server, token, port=port) as origin:
                print_error(f"serving at {origin}{PATH}; press Ctrl-C to stop")
                if _TOKEN not in os.environ:
                    print_stderr(f"send this header: Authorization: Bearer {token}")
                wait_for_stop(stop)
        except OSError as error:
            raise click.UsageError(port_error(port, error)) from None
    return 0
