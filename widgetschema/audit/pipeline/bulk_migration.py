"""The pipelines of `widgetschema migrate apply` and `revert`: files written anew, and back.

A migration in bulk is an audit of what the records become: it has the same partitions, processes,
clusters and checkpoints, and each result has the edits of its files. These are written as they
come, in order, by this process alone.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from widgetschema.audit.inputs.sources import Source
from widgetschema.audit.migration.rewriter import InFolder, InPlace, Rewriter, Shown, Target
from widgetschema.audit.migration.summary import migration_summary
from widgetschema.audit.migration.undo import (
    NotReplaceable,
    UndoFile,
    lost_lines,
    migrated_files,
    open_undo,
    revert,
    sections,
)
from widgetschema.audit.pipeline.audit_options import AuditOptions
from widgetschema.audit.pipeline.auditing import collect, forget, print_summary
from widgetschema.audit.pipeline.migrate_options import LOST, UNDO, MigrateOptions
from widgetschema.audit.pipeline.setup import AuditSetup, BulkMigration, set_up
from widgetschema.audit.reporters.bulk_migration import migration_text
from widgetschema.audit.summary import exit_code
from widgetschema.catalog.portable import PortableCatalog
from widgetschema.cli.console.output import (
    UNWRITABLE,
    Output,
    print_error,
    print_stderr,
    unwritable,
    write_output,
)
from widgetschema.cli.console.signals import Interruptions
from widgetschema.cli.pipeline.fixing import name_in_patch
from widgetschema.cli.pipeline.migration_setup import load_migration
from widgetschema.cli.pipeline.selection import overwrite_error
from widgetschema.errors import StoreError
from widgetschema.files import folder_lock, open_file, remove, remove_unfinished, writing_atomically
from widgetschema.fixes import unified_diff
from widgetschema.project.checking.exit_codes import INTERRUPTED
from widgetschema.project.checking.results import reason
from widgetschema.text import join, plural, printable

if TYPE_CHECKING:
    from widgetschema.audit.collector import Collector
    from widgetschema.audit.partition_result import PartitionResult
    from widgetschema.evolution.migrate import Migration

_WAIT: Final = 2.0  # seconds for another run


def apply(options: MigrateOptions, clock: Callable[[], float] = time.monotonic) -> int:
    """Run `widgetschema migrate apply`; return the exit code."""
    settings = options.audit.settings()
    _, new, migration = load_migration(options)
    own = _own_files(options, migration)
    written = [options.lost_file, *([] if options.output else [options.undo_file])]
    if options.lost is None and options.output and not os.path.isdir(options.output):
        written = []  # the folder is made with the first file in it
    type_id = options.type_id or new.id
    asked = options.audit.replace(type_id=type_id)
    catalog = PortableCatalog({type_id: new})
    with contextlib.ExitStack() as stack:
        undo = None  # before files are looked for: a killed run may have left one
        if options.output is None:
            versions = (migration.plan.old.digest, migration.plan.new.digest)
            try:
                with contextlib.ExitStack() as held:
                    undo = held.enter_context(open_undo(options.undo_file, versions))
                    undo.check()
                    _require_own_lost(options)  # while the reverted files are still known
                    if options.is_dry:
                        undo = None
                    else:
                        undo.recover()
                        stack.push(held.pop_all())
            except StoreError as error:
                print_error(printable(str(error)))
                return UNWRITABLE
        done = _files_done(options, migration) if options.output is None else frozenset[str]()
        configurations = options.audit.configurations(settings)

        def type_for(file: str) -> str | None:
            """Return the type of a file, by its own name if not by that of a link."""
            return configurations.type_for(file) or configurations.type_for(os.path.realpath(file))

        bulk = BulkMigration(catalog, migration, type_for, own, done, written)
        setup = set_up(asked, settings, bulk)
        _require_writable(setup.plan.sources)
        if setup.checkpoints is not None and setup.checkpoints.number:
            part = 100 * setup.checkpoints.number // len(setup.plan.partitions)
            print_stderr(f"going on after {part} %, which an earlier run has done")
        target, write_lost = _target(options, setup, undo, stack)
        if not options.is_dry:
            remove_unfinished(_files_written(options, setup.plan.sources))
        return _run(options, asked, setup, target, write_lost, clock)


def _run(
    options: MigrateOptions,
    asked: AuditOptions,
    setup: AuditSetup,
    target: Target,
    write_lost: Callable[[], int],
    clock: Callable[[], float],
) -> int:
    rewriter = Rewriter(setup.plan.sources, target)
    migration = setup.plan.migration
    assert migration is not None

    def write(collector: Collector, result: PartitionResult) -> None:
        """Write the edits of a result."""
        for part in collector.edits(result):
            rewriter.add(*part)

    with Interruptions() as interruptions:
        try:
            end = collect(asked, setup, interruptions, clock, "migrating", write)
            if end.stopped is None:
                rewriter.finish()
        finally:
            rewriter.stop()
    summary = migration_summary(
        end.summary,
        end.collector.migration,
        migration,
        rewriter.files,
        rewriter.problems,
        rewriter.unwritten,
        is_dry=options.is_dry,
    )
    lost_code = write_lost()
    codes = [exit_code({**end.summary, "problems": summary["problems"]}), end.code, lost_code]
    takes_stdout = options.diff or asked.takes_stdout
    codes.append(print_summary(asked, summary, migration_text, takes_stdout=takes_stdout))
    if end.stopped is not None:
        print_error("stopped; the same command goes on from there")
        return INTERRUPTED if end.stopped == INTERRUPTED else max(*codes, end.stopped)
    if setup.checkpoints is not None:
        forget(setup.checkpoints, end.summary, on_cluster=asked.scheduler is not None)
    if not asked.quiet:
        _advise(options, summary, lost_code)
    return max(codes)


def _own_files(options: MigrateOptions, migration: Migration) -> frozenset[str]:
    """Return the plan and its schemas, which are no data, and must not be written."""
    folder = os.path.dirname(options.plan)
    sides = (migration.plan.old.schema, migration.plan.new.schema)
    files = [options.plan, *(os.path.join(folder, one) for one in sides if one is not None)]
    files += [one for one in (options.old, options.new) if one is not None]
    own = frozenset(map(os.path.realpath, files))
    for file in (*options.audit.files, options.undo_file, options.lost_file):
        if os.path.realpath(file) in own:
            raise click.UsageError(overwrite_error(file, "the migration reads it"))
    return own


def _files_done(options: MigrateOptions, migration: Migration) -> frozenset[str]:
    """Return the files that must not be migrated again, since a step would do its work twice.

    Raises a usage error if one of them was changed since: nobody knows which of its records are
    new.
    """
    step = migration.plan.repeats
    if step is None or migration.plan.model_version is not None:
        return frozenset()
    versions = (migration.plan.old.digest, migration.plan.new.digest)
    found = migrated_files(options.undo_file, versions)
    for file, is_same in found.items():
        if not is_same:
            raise click.UsageError(
                f"{printable(file)} was migrated, and was changed since. A step ({step}) would "
                "do its work twice: revert the migration, or give the plan a [model-version]."
            )
    if found:
        print_stderr(f"{plural(len(found), 'file')} migrated before and left alone")
    return frozenset(found)


def _require_writable(sources: Sequence[Source]) -> None:
    """Raise a usage error for what cannot be written as it is read."""
    for source in sources:
        why = None
        if not source.is_local:
            why = "only files of this machine can be migrated: copy it, then put it back"
        elif source.table is not None:
            why = "tables and databases cannot be migrated: export their records as NDJSON"
        elif source.compression:
            why = f"it is compressed by {source.compression}: decompress it first"
        if why is not None:
            raise click.UsageError(f"{printable(source.name)}: {why}.")


# Where the files go


def _target(
    options: MigrateOptions,
    setup: AuditSetup,
    undo: UndoFile | None,
    stack: contextlib.ExitStack,
) -> tuple[Target, Callable[[], int]]:
    """Return where files go, and what writes what they lose at the end: it returns an exit code."""
    if undo is not None:
        return InPlace(undo), lambda: _write_lost(options)
    if options.output is None:
        return Shown(_patches(stack) if options.diff else None), lambda: 0
    names = _names_in(options.output, setup.plan.sources)
    if os.path.realpath(options.lost_file) in map(names, setup.plan.sources):
        raise click.UsageError(
            f"{printable(options.lost_file)} is a migrated file: name another one by --lost."
        )
    lost = _LostFile(options.lost_file, is_ours=options.lost is None)
    stack.push(lost.opened)
    return InFolder(names, lost.write), lost.finish


def _files_written(options: MigrateOptions, sources: Sequence[Source]) -> Iterator[str]:
    """Yield the files that a run may write."""
    yield options.lost_file
    names = None if options.output is None else _names_in(options.output, sources)
    for source in sources:
        yield source.address if names is None else names(source)


def _patches(stack: contextlib.ExitStack) -> Callable[[str, str, str], None]:
    output = Output(None)
    stack.callback(output.close)

    def show(old: str, new: str, name: str) -> None:
        """Print the difference between two texts."""
        output.write_exact(unified_diff(old, new, name_in_patch(name)))

    return show


def _names_in(folder: str, sources: Sequence[Source]) -> Callable[[Source], str]:
    """Return the names of new files, below a folder as the old ones are here.

    Raises a usage error if two would be the same, or one would replace an old one.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    own = {os.path.realpath(source.address) for source in sources}
    for source in sources:
        relative = os.path.relpath(source.name)
        if os.path.isabs(source.name) or relative.startswith(os.pardir):
            relative = os.path.basename(source.name)
        path = os.path.realpath(os.path.join(folder, relative))
        if path in own:
            raise click.UsageError(overwrite_error(path, "it is migrated"))
        if path in taken:
            raise click.UsageError(
                f"--output: two files would be {printable(path)}: migrate them one by one."
            )
        taken.add(path)
        names[source.address] = path
    return lambda source: names[source.address]


# What is lost


def _require_own_lost(options: MigrateOptions) -> None:
    """Raise a usage error if the file of what is lost has values of another run."""
    path = options.lost_file
    if not _holds_own(path, options.undo_file):
        raise click.UsageError(
            f"{printable(path)} holds values that another migration lost: keep it, and name "
            "another file by --lost."
        )


def _holds_own(path: str, undo: str) -> bool:
    """Return whether a file of lost values has none but those of an undo file, from the first."""
    if not os.path.isfile(path):  # the null device holds nothing
        return True
    with open_file(path) as file:
        for known in lost_lines(undo):
            if (line := file.read(len(known))) != known:
                return not line
        return not file.read(1)


def _private_lines(path: str) -> contextlib.AbstractContextManager[TextIO]:
    """Open a file for lost values, which only its owner may read, as it has stored data."""
    return writing_atomically(path, mode=0o600)


class _LostFile:
    """The file of what is lost beside new files, which is opened for the first value.

    If there is none, the file of an earlier run is removed if it `is_ours`, with a name of our own.
    """

    def __init__(self, path: str, *, is_ours: bool) -> None:
        self.path = path
        self.opened = contextlib.ExitStack()
        self._is_ours = is_ours
        self._file: TextIO | None = None

    def write(self, line: bytes) -> None:
        """Write a lost value. Raises `OSError`."""
        if self._file is None:
            self._file = self.opened.enter_context(_private_lines(self.path))
        self._file.buffer.write(line)

    def finish(self) -> int:
        """Write all to the disk; return the exit code."""
        try:
            self.opened.close()
            if self._is_ours and self._file is None and os.path.isfile(self.path):
                remove(self.path)
        except OSError as error:
            return unwritable(self.path, error)
        return 0


def _write_lost(options: MigrateOptions) -> int:
    """Write what was lost, of which the undo file has all; return the exit code."""
    lines = lost_lines(options.undo_file)
    try:
        first = next(lines, None)
        if first is None:
            return 0
        with _private_lines(options.lost_file) as file:
            for line in chain([first], lines):
                file.buffer.write(line)
    except OSError as error:
        return unwritable(options.lost_file, error)
    except StoreError as error:
        print_error(f"{printable(options.lost_file)}: cannot be written: {printable(str(error))}")
        return UNWRITABLE
    return 0


def _advise(options: MigrateOptions, summary: dict[str, Any], lost_code: int) -> None:
    """Print where what is needed later is, and what to do about what was left."""
    is_written = not options.is_dry and not lost_code and os.path.exists(options.lost_file)
    if any(step["lost"] for step in summary["steps"]) and is_written:
        print_stderr(f"lost values: {printable(options.lost_file)}")
    if summary["files"]["changed"] and not options.is_dry and options.output is None:
        print_stderr(f"to undo it: widgetschema migrate revert {printable(options.undo_file)}")


# Back


def _lost_beside(undo: str) -> list[str]:
    """Return the file with the values that are back, unless it has others or another name."""
    path = undo.removesuffix(UNDO) + LOST
    is_there = undo.endswith(UNDO) and os.path.isfile(path)
    return [path] if is_there and _holds_own(path, undo) else []


def revert_all(undo: str, *, dry_run: bool = False) -> int:
    """Run `widgetschema migrate revert`; return the exit code."""
    codes, counts = [0], {True: 0, False: 0}
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(folder_lock(os.path.realpath(undo), _WAIT))
            every = [*sections(undo)]
        except StoreError as error:
            print_error(printable(str(error)))
            return UNWRITABLE
        if not dry_run:
            files = [section.file for section in every]
            remove_unfinished([*files, undo.removesuffix(UNDO) + LOST])
        for section in reversed(every):
            try:
                counts[revert(undo, section, dry_run=dry_run)] += 1
            except NotReplaceable as error:
                print_error(f"{printable(section.file)}: {error}")
                codes.append(1)
            except StoreError as error:  # the undo file is damaged there
                print_error(printable(str(error)))
                codes.append(UNWRITABLE)
            except OSError as error:
                codes.append(unwritable(section.file, error))
        removed = []
        for file in [*_lost_beside(undo), undo] if max(codes) == 0 and not dry_run else ():
            try:
                remove(os.path.realpath(file))
                remove(file)  # a link to it
                removed.append(file)
            except OSError as error:
                print_error(f"{printable(file)}: cannot be removed: {reason(error)}")
                codes.append(UNWRITABLE)
    would = "would be " if dry_run else ""
    text = f"{plural(counts[True], 'file')} {would}as before"
    if counts[False]:
        text += f", {counts[False]:,} already"
    if removed:
        text += f"; no longer needed, so removed: {join([printable(one) for one in removed])}"
    return max(*codes, write_output(f"{text}\n"))
