"""`widgetschema pull`: schemas of the platform into the project's folder, or what would change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

import click

from widgetschema.catalog.store import PLUGIN, Store
from widgetschema.cli.common import connected, project_folder, read_schema, refuse_offline
from widgetschema.cli.console.output import Output, print_error, print_stderr, style_for
from widgetschema.cli.console.progress import with_progress
from widgetschema.cli.options import color_option, format_option, platform_options
from widgetschema.cli.provenance_text import provenance_text
from widgetschema.errors import WidgetSchemaError
from widgetschema.files import digest
from widgetschema.findings import Provenance
from widgetschema.jsontext import dump
from widgetschema.platform.fetcher import (
    Drift,
    Fetcher,
    Pull,
    cache_root,
    frozen,
    own_plugin,
    plan,
    types_in_use,
)
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.reporters.style import Style
from widgetschema.text import plural, printable

_UNKNOWN: Final = 5  # nobody can tell, for whatever reason
_FOREIGN: Final = 4  # the schema of another type


@click.command("pull")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all-used", is_flag=True, help="Pull each type that a widget of the account has.")
@click.option(
    "--exclude",
    "excluded",
    multiple=True,
    metavar="ID",
    help="Leave a type out, which --all-used or the folder would bring in. May be repeated.",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Skip the types that cannot be pulled, and write the others; the exit code tells.",
)
@click.option(
    "--schemas",
    metavar="DIR",
    help="The folder to write to. Default: the folder schemas of the project, else ./schemas.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing: exit 0 if all is the same, 1 if something is new or changed, 4 if a "
    "schema has the $id of another type, 5 if nobody can tell.",
)
@click.option(
    "--frozen",
    "is_frozen",
    is_flag=True,
    help="No network: verify the folder against its manifest.",
)
@click.option("--plugin", metavar="FILE", help="The base schema to use, and to write.")
@click.option("--force", is_flag=True, help="Replace files that were changed by hand, too.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache of the user.")
@click.option(
    "--connections",
    type=click.IntRange(1, 64),
    default=10,
    metavar="N",
    help="Requests at once. Default: 10.",
)
@format_option
@click.option("--output", metavar="FILE", help="Write what changed to a file.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
@color_option
@platform_options
def command(
    ids: tuple[str, ...],
    all_used: bool,
    excluded: tuple[str, ...],
    keep_going: bool,
    schemas: str | None,
    check: bool,
    is_frozen: bool,
    plugin: str | None,
    force: bool,
    no_cache: bool,
    connections: int,
    output_format: str,
    output: str | None,
    quiet: bool,
    color: str,
    base_url: str | None,
    auth_url: str | None,
) -> int:
    """Pull schemas of widget types into the folder of the project.

    Without an ID: the types that the folder has. All of them are written, or none (but see
    --keep-going). What changed is said in words, with an example of data that was valid and no
    longer is.

    If a pull is killed while it writes, widgetschema reads the old folder or the new one, never a
    mixture. Other programs, git among them, may see old and new files side by side until the next
    pull, which cleans up.
    """
    folder = project_folder(schemas)
    if is_frozen:
        if check or all_used or excluded or keep_going or plugin is not None or force:
            raise click.UsageError("--frozen only verifies: it goes with IDs and --schemas alone.")
        return _verify(folder, ids, output_format, output, quiet)
    refuse_offline()
    ids = _ids(ids, folder, all_used)
    with connected(base_url, auth_url, connections=connections) as client:
        if all_used:
            ids = (*dict.fromkeys([*ids, *types_in_use(client, print_error)]),)
        ids = _without(ids, excluded)
        fetcher = Fetcher(
            client,
            cache=None if no_cache or check else cache_root(),
            mode="refresh",
            plugin=_given_plugin(plugin)
            if plugin is not None
            else own_plugin(folder, force=force or check),
            warn=print_error,
        )
        found = plan(
            fetcher,
            folder,
            ids,
            connections=connections,
            progress=lambda values, number: with_progress(values, number, "schemas"),
        )
    code = _failures(found, check)
    for lint in found.lints:
        print_error(lint.message)
    written = not check and (not code or (keep_going and not _blocked(found)))
    if written:
        found.write(force=force, keep_going=keep_going)
    shown = Output(output)
    if output_format == "json":
        shown.write(dump(_as_dict(found, written)))
    else:
        shown.write(_as_text(found, style_for(color, output is not None)))
    for text in _unknown(found):
        print_error(text)
    if not quiet:
        print_stderr(_summary(found, excluded, written))
    if check:
        code = max(code, 1 if found.drifted else 0, _FOREIGN if found.lints else 0)
    return max(code, shown.close())


def _ids(ids: tuple[str, ...], folder: str, all_used: bool) -> tuple[str, ...]:
    """The types that are named, else those of the folder."""
    if not ids and not all_used and os.path.isdir(folder) and os.listdir(folder):
        ids = Store(folder).ids
    if not ids and not all_used:
        raise click.UsageError("What should be pulled? Name widget types, or give --all-used.")
    return ids


def _without(ids: tuple[str, ...], excluded: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types that are left; warn of an excluded one that is not among them."""
    for id in excluded:
        if id not in ids:
            print_error(f"--exclude {id}: no such type would be pulled")
    left = tuple(id for id in ids if id not in excluded)
    if ids and not left:
        raise click.UsageError("--exclude leaves no type to pull.")
    return left


def _blocked(found: Pull) -> bool:
    """Return whether nothing can be written in spite of --keep-going; then say why."""
    ids = ", ".join(drift.id for drift in found.blocking)
    if ids:
        print_error(f"the base schema changes, and these cannot be checked against it: {ids}")
    return bool(ids)


def _failures(found: Pull, check: bool) -> int:
    """Say what could not be had; the exit code for it."""
    for one in found.failed:
        print_error(f"{one.id}: {one.error}")
    codes = [exit_code(one.error) for one in found.failed if one.error]
    return max((_UNKNOWN if check else code for code in codes), default=0)


def _given_plugin(path: str) -> tuple[Any, Provenance]:
    schema = read_schema(path)
    return schema, Provenance(PLUGIN, path, digest(dump(schema).encode()))


def _verify(
    folder: str, ids: tuple[str, ...], output_format: str, output: str | None, quiet: bool
) -> int:
    verified = frozen(folder, ids)
    shown = Output(output)
    if output_format == "json":
        shown.write(dump({"version": 1, "schemas": [one.as_dict() for one in verified]}))
    else:
        shown.write("".join(f"{provenance_text(one)}\n" for one in verified))
    if not quiet:
        print_stderr(f"{plural(len(verified), 'schema')} verified")
    return shown.close()


def _as_text(found: Pull, style: Style) -> str:
    return "".join(_drift_text(drift, style) for drift in found.drifted)


def _unknown(found: Pull) -> Iterator[str]:
    """Say of which types nobody can tell what the change does to stored data."""
    compared = [drift.comparison for drift in found.drifted if drift.comparison is not None]
    if compared:
        from widgetschema.reporters.comparison import unknown_text  # most pulls change nothing

        yield from filter(None, map(unknown_text, compared))


def _drift_text(drift: Drift, style: Style) -> str:
    heading = f"{style('where', printable(drift.id))}: {drift.state}"
    if drift.provenance is not None and drift.provenance.source == "bundled":
        heading += ", the bundled one, since the platform has none"
    if drift.state == "gone":
        heading += ": the platform does not know this type any more; its file stays"
    elif drift.error is not None:
        heading += f"; the one before cannot be used: {printable(str(drift.error))}"
    if drift.comparison is None or drift.error is not None:
        return f"{heading}\n"
    from widgetschema.reporters.comparison import comparison_text  # most pulls change nothing

    return comparison_text(drift.comparison, style)


def _summary(found: Pull, excluded: tuple[str, ...], written: bool) -> str:
    states = [drift.state for drift in found.drifts]
    parts = [
        f"{states.count(state):,} {state}"
        for state in ("new", "changed", "gone", "same", "failed")
        if state in states
    ]
    text = f"{plural(len(states), 'schema')}: {', '.join(parts)}"
    if written and found.failed:
        text += f"; skipped: {printable(', '.join(drift.id for drift in found.failed))}"
    if excluded:
        text += f"; excluded: {printable(', '.join(excluded))}"
    if not written:
        return f"{text}; nothing was written"
    return f"{text}; in {printable(os.path.relpath(found.folder))}"


def _as_dict(found: Pull, written: bool) -> dict[str, Any]:
    from widgetschema.reporters.comparison import comparison_dict

    return {
        "version": 1,
        "folder": os.path.relpath(found.folder),
        "written": written,
        "schemas": [
            {
                "id": drift.id,
                "state": drift.state,
                "provenance": _dict(drift.provenance),
                "before": _dict(drift.before),
                "comparison": None
                if drift.comparison is None
                else comparison_dict(drift.comparison),
                "error": None if drift.error is None else _error(drift.error),
            }
            for drift in found.drifts
        ],
    }


def _dict(provenance: Provenance | None) -> dict[str, Any] | None:
    return None if provenance is None else provenance.as_dict()


def _error(error: WidgetSchemaError) -> dict[str, Any]:
    return {"message": str(error), "code": exit_code(error)}
