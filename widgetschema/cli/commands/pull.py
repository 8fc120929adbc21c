"""`widgetschema pull`: downloads schemas into the project, or shows what would change."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from typing import Any, Final

import click

from widgetschema.catalog.store import PLUGIN, Store
from widgetschema.cli.common import connected, project_folder, read_schema, refuse_offline
from widgetschema.cli.console.output import (
    print_error,
    print_stderr,
    provenance_text,
    style_for,
    write_output,
)
from widgetschema.cli.console.progress import with_progress
from widgetschema.cli.declared import argument, option, setting_option
from widgetschema.cli.options import (
    PlatformOptions,
    color_option,
    format_option,
)
from widgetschema.errors import InvalidSchema, StoreError, WidgetSchemaError
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

_UNKNOWN: Final = 5  # whether anything changed
_FOREIGN: Final = 4  # a schema with the `$id` of another type


class PullOptions(PlatformOptions):
    """The options of the command."""

    ids: tuple[str, ...] = argument(nargs=-1, metavar="[ID]...")
    all_used: bool = option("--all-used", help="Pull every type that a widget of the account uses.")
    excluded: tuple[str, ...] = option(
        "--exclude",
        multiple=True,
        metavar="ID",
        help="Leave out a type that --all-used or the folder selects. Can be repeated.",
    )
    keep_going: bool = option(
        "--keep-going",
        help="Skip types that cannot be pulled and write the others; the exit code reports the "
        "failure.",
    )
    schemas: str | None = option(
        "--schemas",
        metavar="DIR",
        help="Write to this folder. Default: the schemas folder of the project, or ./schemas.",
    )
    check: bool = option(
        "--check",
        help="Write nothing. Exit with 0 if nothing changed, 1 if a schema is new or changed, 4 if "
        "a schema has the $id of another type, 5 if the platform cannot be reached.",
    )
    is_frozen: bool = option(
        "--frozen",
        help="Verify the folder against its manifest, without network access.",
    )
    plugin: str | None = option(
        "--plugin", metavar="FILE", help="Use the base schema in FILE, and write it."
    )
    strict_schema: bool = setting_option("strict-schema")
    force: bool = option("--force", help="Replace files even if they were changed by hand.")
    no_cache: bool = option("--no-cache", help="Neither read nor write the schema cache.")
    connections: int = option(
        "--connections",
        type=click.IntRange(1, 64),
        default=10,
        help="Send at most N requests at once.",
    )
    output_format: str = format_option
    output: str | None = option(
        "--output", metavar="FILE", help="Write the changes to FILE. Default: standard output."
    )
    quiet: bool = option("--quiet", "-q", help="Print no summary.")
    color: str = color_option

    def refuse_conflicts(self) -> None:
        """Raise a usage error for options that exclude each other."""
        others = (self.check, self.all_used, self.excluded, self.keep_going, self.force)
        if self.is_frozen and (any(others) or self.plugin is not None):
            raise click.UsageError("--frozen can be combined only with IDs and --schemas.")


@PullOptions.command("pull")
def command(options: PullOptions) -> int:
    """Download schemas of widget types into the folder of the project.

    Without an ID, the types in the folder are pulled. Either all schemas are written or none,
    unless --keep-going is given. Each change is described, with an example of data that is no
    longer valid.

    If the command is killed while it writes, widgetschema reads either the old or the new folder.
    Other programs, such as git, may see old and new files side by side until the next pull cleans
    up.
    """
    folder = project_folder(options.schemas)
    if options.is_frozen:
        return _verify(folder, options)
    refuse_offline()
    ids, check, settings = _ids(options, folder), options.check, options.settings()
    with connected(settings, options.profile, connections=options.connections) as client:
        if options.all_used:
            ids = (*dict.fromkeys([*ids, *types_in_use(client, print_error)]),)
        ids = _without(ids, options.excluded)
        fetcher = Fetcher(
            client,
            cache=None if options.no_cache or check else cache_root(),
            mode="refresh",
            plugin=_given_plugin(options.plugin)
            if options.plugin is not None
            else own_plugin(folder, force=options.force or check),
            warn=print_error,
        )
        pull = plan(
            fetcher,
            folder,
            ids,
            connections=options.connections,
            progress=lambda values, number: with_progress(values, number, "schemas"),
            strict=settings.strict_schema,
        )
    code = _failures(pull, check)
    for lint in pull.lints:
        print_error(lint.message)
    for drift in pull.drifted:
        for lint in drift.lints:
            print_error(f"{drift.id}: {lint}")
    written = not check and (not code or (options.keep_going and not _blocked(pull)))
    if written:
        pull.write(force=options.force, keep_going=options.keep_going)
    if options.output_format == "json":
        changes = dump(_json(pull, written))
    else:
        style = style_for(options.color, options.output is not None)
        changes = "".join(_drift_text(drift, style) for drift in pull.drifted)
    code = max(code, write_output(changes, options.output))
    for text in _unknown_effects(pull):
        print_error(text)
    if not options.quiet:
        print_stderr(_summary(pull, options.excluded, written))
        for text in _migrations(pull, folder, check):
            print_stderr(text)
    if check:
        code = max(code, 1 if pull.drifted else 0, _FOREIGN if pull.lints else 0)
    return code


def _ids(options: PullOptions, folder: str) -> tuple[str, ...]:
    """Return the types that are named, or else those of the folder."""
    ids, all_used = options.ids, options.all_used
    if not ids and not all_used and os.path.isdir(folder) and os.listdir(folder):
        ids = Store(folder).ids
    if not ids and not all_used:
        raise click.UsageError("Nothing to pull: name widget types, or pass --all-used.")
    return ids


def _without(ids: tuple[str, ...], excluded: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types that are left; warn of an excluded one that is not among them."""
    for id in excluded:
        if id not in ids:
            print_error(f"--exclude {id}: this type is not selected")
    left = tuple(id for id in ids if id not in excluded)
    if ids and not left:
        raise click.UsageError("--exclude leaves no type to pull.")
    return left


def _blocked(pull: Pull) -> bool:
    """Return whether --keep-going cannot help, after printing why."""
    ids = ", ".join(drift.id for drift in pull.blocking)
    if ids:
        print_error(f"the base schema changes, but these types cannot be checked against it: {ids}")
    return bool(ids)


def _failures(pull: Pull, check: bool) -> int:
    """Print which types failed, and return the exit code."""
    for one in pull.failed:
        print_error(f"{one.id}: {one.error}")
    errors = [one.error for one in pull.failed if one.error]
    return max(
        (
            _UNKNOWN if check and not isinstance(error, InvalidSchema) else exit_code(error)
            for error in errors
        ),
        default=0,
    )


def _given_plugin(path: str) -> tuple[Any, Provenance]:
    schema = read_schema(path)
    return schema, Provenance(PLUGIN, path, digest(dump(schema).encode()))


def _verify(folder: str, options: PullOptions) -> int:
    verified = frozen(folder, options.ids)
    text = "".join(f"{provenance_text(one)}\n" for one in verified)
    if options.output_format == "json":
        text = dump({"version": 1, "schemas": [one.as_dict() for one in verified]})
    code = write_output(text, options.output)
    if not options.quiet:
        print_stderr(f"{plural(len(verified), 'schema')} verified")
    return code


def _unknown_effects(pull: Pull) -> Iterator[str]:
    """Yield warnings about changes whose effect on stored data is unknown."""
    compared = [drift.comparison for drift in pull.drifted if drift.comparison is not None]
    if compared:
        from widgetschema.reporters.comparison import unknown_text  # most pulls change nothing

        yield from filter(None, map(unknown_text, compared))


def _migrations(pull: Pull, folder: str, check: bool) -> Iterator[str]:
    """Yield how migrations of what breaks are proposed."""
    broken = [one for one in pull.drifted if one.comparison is not None and one.comparison.breaking]
    if broken:
        from widgetschema.reporters.comparison import before_pull, migration_text

        shown = shlex.quote(os.path.relpath(folder))
        schemas, first = before_pull(shown)
        if not check:
            schemas = ["OLD", shown]
            first = "get OLD, the schemas before this pull, from version control"
        for drift in broken:
            assert drift.comparison is not None
            words = [*schemas, "--type", shlex.quote(drift.id)]
            text = migration_text([drift.comparison], words, first)
            yield f"{printable(drift.id)}: {text}"


def _drift_text(drift: Drift, style: Style) -> str:
    heading = f"{style('where', printable(drift.id))}: {drift.state}"
    if drift.provenance is not None and drift.provenance.source == "bundled":
        heading += ", bundled: the platform has none"
    if drift.state == "gone":
        heading += ": the platform no longer has this type; its file stays"
    elif drift.error is not None:
        error = drift.error
        # Advice about the previous file is none: it is replaced.
        reason = error.reason if isinstance(error, StoreError) else str(error)
        heading += f"; the previous schema cannot be compared: {printable(reason)}"
    elif drift.comparison is not None and not drift.comparison.changes:
        heading += ", but not what it means: the $id, for example, or the order of members"
    if drift.comparison is None or not drift.comparison.changes:
        return f"{heading}\n"
    from widgetschema.reporters.comparison import comparison_text  # most pulls change nothing

    return comparison_text(drift.comparison, style)


def _summary(pull: Pull, excluded: tuple[str, ...], written: bool) -> str:
    states = [drift.state for drift in pull.drifts]
    parts = [
        f"{states.count(state):,} {state}"
        for state in ("new", "changed", "gone", "same", "failed")
        if state in states
    ]
    text = f"{plural(len(states), 'schema')}: {', '.join(parts)}"
    if written and pull.failed:
        text += f"; skipped: {printable(', '.join(drift.id for drift in pull.failed))}"
    if excluded:
        text += f"; excluded: {printable(', '.join(excluded))}"
    if not written:
        return f"{text}; nothing written"
    return f"{text}; in {printable(os.path.relpath(pull.folder))}"


def _json(pull: Pull, written: bool) -> dict[str, Any]:
    from widgetschema.reporters.comparison import comparison_dict

    return {
        "version": 1,
        "folder": os.path.relpath(pull.folder),
        "written": written,
        "schemas": [
            {
                "id": drift.id,
                "state": drift.state,
                "provenance": _provenance_json(drift.provenance),
                "before": _provenance_json(drift.before),
                "comparison": None
                if drift.comparison is None
                else comparison_dict(drift.comparison),
                "error": None if drift.error is None else _error_json(drift.error),
            }
            for drift in pull.drifts
        ],
    }


def _provenance_json(provenance: Provenance | None) -> dict[str, Any] | None:
    return None if provenance is None else provenance.as_dict()


def _error_json(error: WidgetSchemaError) -> dict[str, Any]:
    return {"message": str(error), "code": exit_code(error)}
