"""`widgetschema sandbox`: runs a local stand-in for the platform."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from click.core import ParameterSource

from widgetschema.catalog.store import Store
from widgetschema.cli.console.output import Output, print_debug, print_stderr
from widgetschema.cli.console.signals import port_error, stop_on_signal, wait_for_stop
from widgetschema.cli.declared import Options, argument, option
from widgetschema.cli.options import port_option
from widgetschema.errors import UnreadableDocument
from widgetschema.files import FOLDER_VARIABLES, read_file
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import read
from widgetschema.sandbox import (
    ASSUMPTIONS,
    FAULTS,
    GRAMMAR,
    REDIRECT_URI,
    Fault,
    LoggedRequest,
    Sandbox,
    parse_fault,
    running,
)
from widgetschema.sandbox.child import run_child
from widgetschema.sandbox.state import CLIENT_ID, CLIENT_SECRET
from widgetschema.text import printable, shorten

_LONGEST_PATH: Final = 200
_FAULT_SYNTAX: Final = (
    "A fault is written NAME[=VALUE][@OPERATION][xTIMES]: status=503@schemax2 answers the first "
    "two requests for a schema with 503. The operations are widgets, schema, exchange, refresh, "
    "and token for the last two. Without TIMES, a fault is permanent. Faults apply in the order "
    "given."
)


class _Explained(click.Command):
    """A command whose help ends with the faults and the assumptions."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Faults"):
            formatter.write(f"{_indented(_FAULT_SYNTAX, formatter)}\n\n")
            formatter.write_dl([(_fault_syntax(name), kind.text) for name, kind in FAULTS.items()])
        with formatter.section("Assumptions where the platform is not documented"):
            formatter.write_dl([("-", assumption) for assumption in ASSUMPTIONS])


class _Sandbox(_Explained, click.Group):
    """The command, which may have another one below it."""


def _faults(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> Sequence[Fault]:
    try:
        return [parse_fault(text) for text in value]
    except ValueError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


class ServingOptions(Options):
    """The options that decide what the sandbox serves."""

    port: int = port_option("Listen on this port of 127.0.0.1.")
    schemas: str | None = option(
        "--schemas",
        metavar="DIR",
        help="Serve the schemas in this folder. Default: the bundled schemas.",
    )
    widgets: str | None = option(
        "--widgets",
        metavar="FILE",
        help="Serve the widgets in FILE: a JSON array of records, or an object with docs. Default: "
        "generated widgets.",
    )
    count: int = option(
        "--count",
        type=click.IntRange(0, 100_000),
        default=25,
        help="Generate N widgets.",
    )
    seed: str = option(
        "--seed",
        default="0",
        metavar="SEED",
        help="Derive widgets, codes and tokens from this seed.",
    )
    latency: float = option(
        "--latency",
        type=click.FloatRange(0, 3_600_000),
        default=0,
        metavar="MS",
        help="Wait this many milliseconds before each response.",
    )
    faults: Sequence[Fault] = option(
        "--fault",
        callback=_faults,
        multiple=True,
        metavar="FAULT",
        help=f"Simulate a fault: {GRAMMAR}, see below. Can be repeated.",
    )
    token_lifetime: float = option(
        "--token-lifetime",
        type=click.FloatRange(0, 10**9),
        default=3600,
        metavar="S",
        help="Let access tokens expire after this many seconds.",
    )
    max_age: int | None = option(
        "--max-age",
        type=click.IntRange(0, 10**9),
        metavar="S",
        help="Send schemas with Cache-Control: max-age=S.",
    )
    client_id: str = option(
        "--client-id", default=CLIENT_ID, metavar="ID", help=f"The client ID. Default: {CLIENT_ID}."
    )
    client_secret: str = option(
        "--client-secret",
        default=CLIENT_SECRET,
        metavar="SECRET",
        help=f"The client secret, which protects nothing. Default: {CLIENT_SECRET}.",
    )


class SandboxOptions(ServingOptions):
    """The options of the command."""

    quiet: bool = option("--quiet", help="Do not print requests.")


class RunOptions(ServingOptions):
    """The options of the command that runs another one."""

    log: bool = option("--log", help="Print requests to standard error.")
    words: tuple[str, ...] = argument(
        nargs=-1, required=True, metavar="-- COMMAND [ARG]...", type=click.UNPROCESSED
    )


@SandboxOptions.group(
    "sandbox",
    _Sandbox,
    invoke_without_command=True,
    subcommand_metavar="[run -- COMMAND [ARG]...]",
)
def command(options: SandboxOptions) -> int:
    """Run a local stand-in for the platform that keeps everything in memory.

    The command prints which variables to set and how to log in, then a line for each request.
    Ctrl-C ends it. The sandbox listens on 127.0.0.1 only, and its secrets protect nothing. POST
    /sandbox/reset (with a header X-Sandbox) resets it; the manual describes the other paths below
    /sandbox/.

    In scripts, use `widgetschema sandbox run -- COMMAND`.
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        given = [name for name in ctx.params if _is_given(ctx, name)]
        if given:
            name = given[0].replace("faults", "fault").replace("_", "-")
            raise click.UsageError(f"Write --{name} after run.")
        return 0
    with _serving(options, log=not options.quiet) as sandbox, stop_on_signal() as stop:
        _print_setup(sandbox)
        wait_for_stop(stop)
    return 0


@RunOptions.command("run", _Explained, context_settings={"allow_interspersed_args": False})
def run(options: RunOptions) -> int:
    """Run COMMAND with a sandbox, and end the sandbox with it.

    COMMAND starts when the sandbox is ready. It gets the variables WIDGETSCHEMA_BASE_URL,
    WIDGETSCHEMA_AUTH_URL, WIDGETSCHEMA_CLIENT_ID, WIDGETSCHEMA_CLIENT_SECRET and
    WIDGETSCHEMA_ACCESS_TOKEN, so it is logged in, and SANDBOX_URL, the address of /sandbox/. Its
    caches and stored tokens are in a temporary folder (WIDGETSCHEMA_CACHE_DIR and
    WIDGETSCHEMA_TOKENS_DIR), so it neither reads nor writes yours. It receives the signals of this
    process, whose exit code is that of COMMAND; 126 and 127 mean that it could not be run.
    """
    with (
        TemporaryDirectory(prefix="widgetschema-", ignore_cleanup_errors=True) as folder,
        _serving(options, log=options.log) as sandbox,
    ):
        own = {name: os.path.join(folder, name) for name in FOLDER_VARIABLES}
        variables = {**_variables(sandbox), **_session(sandbox), **own}
        print_debug(f"{printable(options.words[0])} gets {', '.join(sorted(variables))}")
        code = run_child(options.words, {**os.environ, **variables})
        print_debug(f"exit code {code}")
        return code


command.add_command(run)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT


@contextlib.contextmanager
def _serving(options: ServingOptions, *, log: bool) -> Iterator[Sandbox]:
    """Run the sandbox that options describe. Raises usage errors, and what reading files raises."""
    store = None if options.schemas is None else Store(options.schemas)
    records = None if options.widgets is None else _records(options.widgets)
    if store is not None:
        for id in store:  # raises now if it cannot be read
            store[id]
    with contextlib.ExitStack() as stack:
        try:
            sandbox = stack.enter_context(
                running(
                    store,
                    widgets=records,
                    count=options.count,
                    seed=options.seed,
                    latency=options.latency / 1000,
                    faults=options.faults,
                    token_lifetime=options.token_lifetime,
                    max_age=options.max_age,
                    client_id=options.client_id,
                    client_secret=options.client_secret,
                    port=options.port,
                    log=_log if log else None,
                )
            )
        except ValueError as error:
            raise click.UsageError(f"{error}.") from None
        except OSError as error:
            raise click.UsageError(port_error(options.port, error)) from None
        yield sandbox


def _variables(sandbox: Sandbox) -> dict[str, str]:
    """Return the environment variables that lead to the sandbox."""
    return {
        "WIDGETSCHEMA_BASE_URL": sandbox.base_url,
        "WIDGETSCHEMA_AUTH_URL": sandbox.auth_url,
        "WIDGETSCHEMA_CLIENT_ID": sandbox.client_id,
        "WIDGETSCHEMA_CLIENT_SECRET": sandbox.client_secret,
    }


def _session(sandbox: Sandbox) -> dict[str, str]:
    """Return the variables of a command that is logged in, and may control the sandbox."""
    return {
        "WIDGETSCHEMA_ACCESS_TOKEN": sandbox.access_token(),
        "WIDGETSCHEMA_REFRESH_TOKEN": "",  # one of another platform would be sent here
        "WIDGETSCHEMA_OFFLINE": "",
        "WIDGETSCHEMA_PROFILE": "",
        "SANDBOX_URL": sandbox.url,
    }


def _print_setup(sandbox: Sandbox) -> None:
    """Print the address of the sandbox and how to log in."""
    lines = [f"export {name}={shlex.quote(value)}" for name, value in _variables(sandbox).items()]
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
    value = read(read_file(path, pipes=True), subject=path)
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
