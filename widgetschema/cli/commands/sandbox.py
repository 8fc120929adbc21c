"""`widgetschema sandbox`: runs a local stand-in for the platform."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from widgetschema.catalog.store import Store
from widgetschema.cli.console.output import Output, print_stderr
from widgetschema.cli.console.signals import port_error, stop_on_signal, wait_for_stop
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import read
from widgetschema.sandbox import (
    ASSUMPTIONS,
    FAULTS,
    GRAMMAR,
    REDIRECT_URI,
    Fault,
    LoggedRequest,
    RunningSandbox,
    parse_fault,
    running,
)
from widgetschema.sandbox.state import CLIENT_ID, CLIENT_SECRET
from widgetschema.text import printable, shorten

_LONGEST_PATH: Final = 200
_FAULT_SYNTAX: Final = (
    "A fault is written NAME[=VALUE][@OPERATION][xTIMES]: status=503@schemax2 answers the first "
    "two requests for a schema with 503. The operations are widgets, schema, exchange, refresh, "
    "and token for the last two. Without TIMES, a fault is permanent. Faults apply in the order "
    "given."
)


class _Command(click.Command):
    """The command, whose help ends with the faults and the assumptions."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Faults"):
            formatter.write(f"{_indented(_FAULT_SYNTAX, formatter)}\n\n")
            formatter.write_dl([(_fault_syntax(name), kind.text) for name, kind in FAULTS.items()])
        with formatter.section("Assumptions where the platform is not documented"):
            formatter.write_dl([("-", assumption) for assumption in ASSUMPTIONS])


def _faults(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Sequence[Fault]:
    try:
        return [parse_fault(text) for text in value]
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command("sandbox", cls=_Command)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Listen on this port of 127.0.0.1. Default: any free port.",
)
@click.option(
    "--schemas",
    metavar="DIR",
    help="Serve the schemas in this folder. Default: the bundled schemas.",
)
@click.option(
    "--widgets",
    metavar="FILE",
    help="Serve the widgets in FILE: a JSON array of records, or an object with docs. Default: "
    "generated widgets.",
)
@click.option(
    "--count",
    type=click.IntRange(0, 100_000),
    default=25,
    metavar="N",
    help="Generate N widgets. Default: 25.",
)
@click.option(
    "--seed",
    default="0",
    metavar="SEED",
    help="Derive widgets, codes and tokens from this seed. Default: 0.",
)
@click.option(
    "--latency",
    type=click.FloatRange(0, 3_600_000),
    default=0,
    metavar="MS",
    help="Wait this many milliseconds before each response.",
)
@click.option(
    "--fault",
    "faults",
    callback=_faults,
    multiple=True,
    metavar="FAULT",
    help=f"Simulate a fault: {GRAMMAR}, see below. Can be repeated.",
)
@click.option(
    "--token-lifetime",
    type=click.FloatRange(0, 1e9),
    default=3600,
    metavar="S",
    help="Let access tokens expire after this many seconds. Default: 3600.",
)
@click.option(
    "--max-age",
    type=click.IntRange(0, 10**9),
    metavar="S",
    help="Send schemas with Cache-Control: max-age=S.",
)
@click.option(
    "--client-id", default=CLIENT_ID, metavar="ID", help=f"The client ID. Default: {CLIENT_ID}."
)
@click.option(
    "--client-secret",
    default=CLIENT_SECRET,
    metavar="SECRET",
    help=f"The client secret, which protects nothing. Default: {CLIENT_SECRET}.",
)
@click.option("--quiet", is_flag=True, help="Do not print requests.")
def command(
    schemas: str | None, widgets: str | None, latency: float, quiet: bool, **options: Any
) -> int:
    """Run a local stand-in for the platform that keeps everything in memory.

    The command prints which variables to set and how to log in, then a line for each request.
    Ctrl-C ends it. The sandbox listens on 127.0.0.1 only, and its secrets protect nothing. POST
    /sandbox/reset (with a header X-Sandbox) resets it; the manual describes the other paths below
    /sandbox/.
    """
    store = None if schemas is None else Store(schemas)
    records = None if widgets is None else _records(widgets)
    if store is not None:
        for id in store:  # raises now if it cannot be read
            store[id]
    with stop_on_signal() as stop:
        try:
            with running(
                store,
                widgets=records,
                latency=latency / 1000,
                log=None if quiet else _log,
                **options,
            ) as sandbox:
                _print_setup(sandbox)
                wait_for_stop(stop)
        except ValueError as error:
            raise click.UsageError(f"{error}.") from None
        except OSError as error:
            raise click.UsageError(port_error(options["port"], error)) from None
    return 0


def _print_setup(sandbox: RunningSandbox) -> None:
    """Print the address of the sandbox and how to log in."""
    set_up = {
        "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
        "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
        "WIDGETSCHEMA_CLIENT_ID": sandbox.client_id,
        "WIDGETSCHEMA_CLIENT_SECRET": sandbox.client_secret,
    }
    lines = [f"export {name}={shlex.quote(value)}" for name, value in set_up.items()]
    output = Output(None)
    output.write("\n".join(lines))
    output.write(
        f"\n\n# log in with a code, which is valid once and for ten minutes:\n"
        f"widgetschema login --redirect-uri {REDIRECT_URI} --code {sandbox.code()}\n"
        f"# or in the browser:\n"
        f"widgetschema login --authorize-url {sandbox.authorize_url}\n"
        f"# get another code:\n"
        f"curl -s -X POST -H 'X-Sandbox: 1' {sandbox.url}/sandbox/codes\n"
    )
    output.flush()
    print_stderr(f"sandbox running at {sandbox.url}; press Ctrl-C to stop")


def _log(request: LoggedRequest) -> None:
    path = shorten(printable(request.path), _LONGEST_PATH)
    status = str(request.status) if request.status else "closed"
    print_stderr(f"{printable(request.method)} {path} {status} {request.milliseconds:.0f} ms")


def _records(path: str) -> Sequence[Mapping[str, Any]]:
    """Return the records in a file. Raises `UnreadableDocument` and `OSError`."""
    with open(path, "rb") as file:
        value = read(file.read(), subject=path)
    records, pointer = value, ""
    if isinstance(value, dict):
        records, pointer = value.get("docs"), "/docs"
    if not isinstance(records, list):
        message = 'expected an array of widget records or an object with "docs"'
        raise UnreadableDocument(Report((Finding("type", "", "", message),), path))
    for index, record in enumerate(records):
        if not isinstance(record, dict):
            finding = Finding("type", f"{pointer}/{index}", "", "a widget record must be an object")
            raise UnreadableDocument(Report((finding,), path))
    return records


def _indented(text: str, formatter: click.HelpFormatter) -> str:
    indent = " " * formatter.current_indent
    return click.wrap_text(text, formatter.width, indent, indent)


def _fault_syntax(name: str) -> str:
    value = FAULTS[name].value
    if value is None:
        return name
    return f"{name}[={value}]"
