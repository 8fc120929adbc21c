"""`widgetschema sandbox`: a local stand-in of the platform, until it is interrupted."""

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
_ADVICE: Final = (
    "Faults are written NAME[=VALUE][@OPERATION][xTIMES]: status=503@schemax2 answers the first "
    "two requests for a schema with 503. The operations are widgets, schema, exchange, refresh, "
    "and token for the last two; without TIMES a fault lasts. Those that are given first come "
    "first."
)


class _Command(click.Command):
    """A command whose help ends with the faults and the assumptions."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Faults"):
            formatter.write(f"{_indented(_ADVICE, formatter)}\n\n")
            formatter.write_dl([(_written(name), kind.text) for name, kind in FAULTS.items()])
        with formatter.section("What is not documented, and is our assumption"):
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
    help="The port on 127.0.0.1. Default: any that is free.",
)
@click.option("--schemas", metavar="DIR", help="A folder of schemas. Default: the bundled ones.")
@click.option(
    "--widgets",
    metavar="FILE",
    help="The account's widgets: a JSON array of records, or an envelope with docs. Default: "
    "generated ones.",
)
@click.option(
    "--count",
    type=click.IntRange(0, 100_000),
    default=25,
    metavar="N",
    help="How many widgets are generated. Default: 25.",
)
@click.option(
    "--seed",
    default="0",
    metavar="SEED",
    help="What widgets, codes and tokens derive from. Default: 0.",
)
@click.option(
    "--latency",
    type=click.FloatRange(0, 3_600_000),
    default=0,
    metavar="MS",
    help="Milliseconds before each answer.",
)
@click.option(
    "--fault",
    "faults",
    callback=_faults,
    multiple=True,
    metavar="FAULT",
    help=f"Something that goes wrong: {GRAMMAR}, see below. May be repeated.",
)
@click.option(
    "--token-lifetime",
    type=click.FloatRange(0, 1e9),
    default=3600,
    metavar="S",
    help="Seconds until an access token expires. Default: 3600.",
)
@click.option(
    "--max-age",
    type=click.IntRange(0, 10**9),
    metavar="S",
    help="Send schemas with Cache-Control: max-age=S.",
)
@click.option("--client-id", default=CLIENT_ID, metavar="ID", help=f"Default: {CLIENT_ID}.")
@click.option(
    "--client-secret",
    default=CLIENT_SECRET,
    metavar="SECRET",
    help=f"It protects nothing. Default: {CLIENT_SECRET}.",
)
@click.option("--quiet", is_flag=True, help="No line on standard error for each request.")
def command(
    schemas: str | None, widgets: str | None, latency: float, quiet: bool, **options: Any
) -> int:
    """Run a local stand-in of the platform, with everything in memory.

    It prints what to set and how to log in, then a line for each request, and ends with Ctrl-C.
    It listens on 127.0.0.1 only, and its secrets are none. POST /sandbox/reset (with a header
    X-Sandbox) sets it back; see the README for the rest of /sandbox/.
    """
    store = None if schemas is None else Store(schemas)
    records = None if widgets is None else _records(widgets)
    if store is not None:
        for id in store:  # what cannot be read is told now
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
                _introduce(sandbox)
                wait_for_stop(stop)
        except ValueError as error:
            raise click.UsageError(f"{error}.") from None
        except OSError as error:
            raise click.UsageError(port_error(options["port"], error)) from None
    return 0


def _introduce(sandbox: RunningSandbox) -> None:
    """Say where it is and how to log in."""
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
        f"\n\n# log in with a code, which is good once and for ten minutes:\n"
        f"widgetschema login --redirect-uri {REDIRECT_URI} --code {sandbox.code()}\n"
        f"# or in a browser:\n"
        f"widgetschema login --authorize-url {sandbox.authorize_url}\n"
        f"# another code:\n"
        f"curl -s -X POST -H 'X-Sandbox: 1' {sandbox.url}/sandbox/codes\n"
    )
    output.flush()
    print_stderr(f"the sandbox is at {sandbox.url}; Ctrl-C ends it")


def _log(seen: LoggedRequest) -> None:
    shown = shorten(printable(seen.path), _LONGEST_PATH)
    status = str(seen.status) if seen.status else "closed"
    print_stderr(f"{printable(seen.method)} {shown} {status} {seen.milliseconds:.0f} ms")


def _records(path: str) -> Sequence[Mapping[str, Any]]:
    """The records in a file. Raises `UnreadableDocument` and `OSError`."""
    with open(path, "rb") as file:
        value = read(file.read(), subject=path)
    records, pointer = value, ""
    if isinstance(value, dict):
        records, pointer = value.get("docs"), "/docs"
    if not isinstance(records, list):
        message = 'neither an array of widget records nor an envelope with "docs"'
        raise UnreadableDocument(Report((Finding("type", "", "", message),), path))
    for index, record in enumerate(records):
        if not isinstance(record, dict):
            finding = Finding("type", f"{pointer}/{index}", "", "a widget record is an object")
            raise UnreadableDocument(Report((finding,), path))
    return records


def _indented(text: str, formatter: click.HelpFormatter) -> str:
    indent = " " * formatter.current_indent
    return click.wrap_text(text, formatter.width, indent, indent)


def _written(name: str) -> str:
    value = FAULTS[name].value
    if value is None:
        return name
    return f"{name}[={value}]"
