"""The pipeline of `widgetschema audit`: options, setup, results, summary, exit code.

Partitions are checked by this machine or a cluster. Their results are collected in order, and lines
of findings are written as they come. The summary is the same wherever it was made.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from widgetschema.audit.collector import Collector
from widgetschema.audit.comparison import compare
from widgetschema.audit.inputs.reading import consistent
from widgetschema.audit.inputs.sources import stored_size
from widgetschema.audit.pipeline.audit_options import STANDARD_STREAM, AuditOptions
from widgetschema.audit.pipeline.setup import AuditSetup, set_up
from widgetschema.audit.plan import Plan
from widgetschema.audit.reporters.summary import audit_text, done, invalid_share
from widgetschema.audit.summary import Gate, exit_code
from widgetschema.cli.console.output import (
    Output,
    encodable,
    escape_workflow_command,
    print_error,
    print_stderr,
    provenance_text,
    style_for,
    unwritable,
)
from widgetschema.cli.console.progress import Throughput
from widgetschema.cli.console.signals import Interrupted, Interruptions
from widgetschema.cli.pipeline.sample_output import for_file
from widgetschema.cli.pipeline.selection import require_jinja
from widgetschema.errors import WidgetSchemaError
from widgetschema.files import remove_unfinished, writing_atomically
from widgetschema.findings import Provenance
from widgetschema.project.checking.exit_codes import INTERRUPTED
from widgetschema.project.checking.exit_codes import exit_code as code_of
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.audit.checkpoints import Checkpoints
    from widgetschema.audit.findings_table import FindingsTable
    from widgetschema.audit.partition_result import PartitionResult
    from widgetschema.catalog.catalog import Catalog


def audit(options: AuditOptions, clock: Callable[[], float] = time.monotonic) -> int:
    """Run `widgetschema audit`; return the exit code. `clock` returns seconds for the progress."""
    earlier = options.earlier()
    if options.html is not None:
        require_jinja("the report as HTML")
    if options.wants_table:
        _findings_table()  # raises now if the library is missing
    setup = set_up(options, options.settings())
    _announce(setup, resume=options.resume)
    for note in _notes_on_tables(setup.plan):
        print_error(note)
    try:
        with consistent(setup.plan.sources) as sources, Interruptions() as interruptions:
            plan = setup.plan._replace(sources=tuple(sources))
            end = collect(options, setup._replace(plan=plan), interruptions, clock)
    except SourceFailed as error:  # a database that was there a moment ago
        print_error(error.message)
        return error.code
    if earlier:
        end.summary["comparison"] = compare(end.summary, earlier)
    gate = options.gate()
    codes = [exit_code(end.summary, gate), end.code, _write_page(options, end.summary)]
    is_written = codes[1] == codes[2] == 0
    takes_stdout = options.takes_stdout
    codes.append(print_summary(options, end.summary, audit_text, takes_stdout=takes_stdout))
    if end.stopped is not None:
        _print_how_to_resume(options, setup, end)
        return INTERRUPTED if end.stopped == INTERRUPTED else max(*codes, end.stopped)
    for note in _notes(setup.plan.catalog, end.summary):
        print_error(note)
    if not options.allow_empty:
        codes.append(_empty(end.summary))
    if gate is not None:
        _print_gate(gate, end.summary)
    if setup.checkpoints is not None and is_written:
        forget(setup.checkpoints, end.summary, on_cluster=options.scheduler is not None)
    if not options.quiet:
        _advise(options, end.summary)
    return max(codes)


class End(NamedTuple):
    """The end of a run.

    `stopped` is the exit code for what ended the run early, `code` that for lines that could not be
    written, `partial` the files that hold only a part of their lines.
    """

    collector: Collector
    summary: dict[str, Any]
    stopped: int | None
    code: int
    partial: list[str]


def collect(
    options: AuditOptions,
    setup: AuditSetup,
    interruptions: Interruptions,
    clock: Callable[[], float],
    label: str = "checking",
    each: Callable[[Collector, PartitionResult], None] | None = None,
) -> End:
    """Collect all results, and write lines as they come; `each` is called with each result.

    `label` says what is done, for the progress. Raises what keeps the run from beginning; later
    errors end it with what is there.
    """
    collector = Collector(setup.plan, setup.problems)
    meter = _ProgressMeter(setup, clock, label, quiet=options.quiet)
    stopped: int | None = None
    begun = False
    with (
        StreamedFile(options.findings, is_table=options.wants_table) as findings,
        StreamedFile(options.invalid_ids, exact=True) as ids,
        StreamedFile(options.quarantine, exact=True) as quarantine,
    ):
        with closing(_results(options, setup, meter)) as results:
            try:
                while (result := _next(results, interruptions)) is not None:
                    begun = True
                    collector.add(result)
                    if each is not None:
                        each(collector, result)
                    findings.write(collector.finding_lines(result))
                    ids.write(collector.id_lines(result))
                    quarantine.write(collector.quarantine_lines(result))
                    meter.finished(result.number)
            except Interrupted:
                stopped = INTERRUPTED
            except WidgetSchemaError as error:  # such as a cluster that is gone
                if not begun:
                    raise
                meter.clear()
                print_error(str(error))
                stopped = code_of(error)
            finally:
                meter.clear()
        summary = collector.summary(complete=stopped is None)
        streams = (findings, ids, quarantine)
        partial = [one.path for one in streams if one.is_file and one.path is not None]
    return End(collector, summary, stopped, max(one.code for one in streams), partial)


def _next(
    results: Iterator[PartitionResult], interruptions: Interruptions
) -> PartitionResult | None:
    # Interrupted only here: a result is written whole or not at all.
    with interruptions.interruptible():
        return next(results, None)


def _results(
    options: AuditOptions, setup: AuditSetup, meter: _ProgressMeter
) -> Generator[PartitionResult, None, None]:
    if options.scheduler is not None:
        from widgetschema.audit.runners.cluster import run_cluster

        return run_cluster(
            setup.plan,
            options.scheduler,
            checkpoints=setup.checkpoints,
            progress=meter.advance,
            notify=None if options.quiet else print_stderr,
        )
    from widgetschema.audit.runners.local import run_local

    progress = meter.advance if meter.is_shown else None
    return run_local(
        setup.plan, setup.jobs, checkpoints=setup.checkpoints, progress=progress, warn=meter.warn
    )


class _ProgressMeter:
    """The progress of a run, from what is known of each partition."""

    def __init__(
        self, setup: AuditSetup, clock: Callable[[], float], label: str, *, quiet: bool
    ) -> None:
        plan, known = setup.plan, setup.checkpoints
        self._sizes = [_size(plan, number) for number in range(len(plan.partitions))]
        before = [known is not None and number in known for number in range(len(self._sizes))]
        todo = [size for size, is_there in zip(self._sizes, before, strict=True) if not is_there]
        total = None if None in todo else sum(size or 0 for size in todo)
        self._before = before
        self._done = 0
        self._records = 0
        self._under_way: dict[int, tuple[int, int]] = {}
        self._shown = Throughput(total, label, clock=clock)
        self._quiet = quiet

    @property
    def is_shown(self) -> bool:
        """True if the progress is shown."""
        return self._shown.is_shown and not self._quiet

    def advance(self, number: int, size: int, records: int) -> None:
        """Record how many bytes and records of a partition are done."""
        whole = self._sizes[number]
        self._under_way[number] = (size if whole is None else min(size, whole)), records
        self._draw()

    def finished(self, number: int) -> None:
        """Record that a partition is done."""
        size, records = self._under_way.pop(number, (0, 0))
        if not self._before[number]:
            self._done += self._sizes[number] or size
            self._records += records
        self._draw()

    def clear(self) -> None:
        """Remove the progress from the terminal."""
        self._shown.clear()

    def warn(self, message: str) -> None:
        """Print a warning in its place."""
        self.clear()
        print_error(message)

    def _draw(self) -> None:
        if self.is_shown:
            now = self._under_way.values()
            self._shown.done(
                self._done + sum(size for size, _ in now),
                self._records + sum(records for _, records in now),
            )


def _size(plan: Plan, number: int) -> int | None:
    """Return the bytes of a partition as stored; None if unknown."""
    sizes = [stored_size(span, plan.sources) for span in plan.partitions[number]]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


# Before it begins


def _findings_table() -> type[FindingsTable]:
    """Return the class for findings as Parquet. Raises `MissingExtra`."""
    from widgetschema.audit.findings_table import FindingsTable

    return FindingsTable


def _announce(setup: AuditSetup, *, resume: bool) -> None:
    """Print how much an earlier run has done; without `resume`, forget it."""
    if setup.checkpoints is None:
        return
    number, every = setup.checkpoints.number, len(setup.plan.partitions)
    part = f"{100 * number // every} %"
    if resume and number:
        print_stderr(f"resuming after {part}")
        if any(one.layout == "postgresql" for one in setup.plan.sources):
            print_stderr("rows of the finished part that changed since are not read again")
    elif resume:
        print_stderr("nothing to resume with these options: starting from the beginning")
    elif number:
        print_stderr(
            f"an earlier run stopped at {part}; starting again (--resume would continue it)"
        )
        setup.checkpoints.clear()


def _notes_on_tables(plan: Plan) -> Iterator[str]:
    """Yield a note if nulls in a table are read as something else."""
    nested = [one for one in plan.sources if one.table is not None and one.table.nested]
    if nested:
        more = f" (and {plural(len(nested) - 1, 'more source')})" if len(nested) > 1 else ""
        yield (
            f"{printable(nested[0].name)}{more}: nested columns do not distinguish null from "
            "absent properties; both count as absent"
        )


# When it has ended


def forget(kept: Checkpoints, summary: Mapping[str, Any], *, on_cluster: bool) -> None:
    """Remove the checkpoints, unless a cluster gave up work that can be tried again."""
    is_left = kept.number < summary["partitions"]["all"]
    if on_cluster and summary["problems"] and is_left:
        print_error("some partitions were not checked; try them again with --resume")
    else:
        kept.clear()


def _write_page(options: AuditOptions, summary: Mapping[str, Any]) -> int:
    """Write the HTML page; return 0, or 3 if it cannot be written."""
    if options.html is None:
        return 0
    import datetime

    from widgetschema.audit.page import render
    from widgetschema.files import write_atomically

    now = datetime.datetime.now(datetime.UTC)
    names = ", ".join(options.inputs[:3]) + (", …" if len(options.inputs) > 3 else "")
    page = render(summary, title=f"Audit of {names}", made=f"{now:%Y-%m-%d %H:%M} UTC")
    try:
        write_atomically(options.html, page)
    except OSError as error:
        return unwritable(options.html, error)
    return 0


def print_summary(
    options: AuditOptions,
    summary: Mapping[str, Any],
    text_of: Callable[..., str],
    *,
    takes_stdout: bool,
) -> int:
    """Print the summary, on standard error if other lines take standard output.

    Returns:
        The exit code for that.
    """
    output = Output(None)
    if options.output_format == "json":
        from widgetschema.jsontext import dump

        text = dump(summary)
    else:
        text = escape_workflow_command(text_of(summary, style_for(options.color, takes_stdout)))
    if takes_stdout:
        print_stderr(encodable(text.rstrip("\n")))
    elif options.output_format == "json":
        output.write_exact(text)
    else:
        output.write(text)
    return output.close()


def _notes(catalog: Catalog, summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the notes on schemas."""
    for one in summary.get("schemas", ()):
        with contextlib.suppress(WidgetSchemaError):  # the base schema, or reported already
            note = catalog[one["id"]].note
            if note is not None:
                yield f"{one['id']}: {note}"


def _empty(summary: Mapping[str, Any]) -> int:
    """Print that there was no record unless a problem explains it; return the exit code."""
    if summary["records"] or exit_code(dict(summary)):
        return 0
    sources = plural(summary["sources"], "source")
    print_error(
        f"no record was checked: {sources} without any (pass --allow-empty if that is fine)"
    )
    return 3


def _print_gate(gate: Gate, summary: Mapping[str, Any]) -> None:
    """Print whether the gate admits the invalid records."""
    is_admitted = gate.admits(summary["invalid"], summary["records"])
    told = invalid_share(summary)
    print_error(
        f"--max-invalid {gate.text}: {told}, {'within' if is_admitted else 'over'} the limit"
    )


def _print_how_to_resume(options: AuditOptions, setup: AuditSetup, end: End) -> None:
    message = f"stopped after {done(end.summary)}"
    if setup.checkpoints is not None:
        message += "; continue with --resume"
    print_error(message)
    for file in end.partial + ([] if options.html is None else [options.html]):
        print_error(f"{printable(file)}: incomplete, since the run is not complete")


def _advise(options: AuditOptions, summary: Mapping[str, Any]) -> None:
    """Print what to do next, and where the schemas came from."""
    if summary["findings"]:
        more = [
            option
            for option, given in (
                ("every finding: --findings FILE", options.findings),
                ("the ids: --invalid-ids FILE", options.invalid_ids),
                ("a page to show: --html FILE", options.html),
            )
            if given is None
        ]
        if more:
            print_stderr("; ".join(more))
    for name, label in (("schemas", "schemas"), ("older_schemas", "older schemas")):
        known = [_provenance(one) for one in summary.get(name, ())]
        if known:
            print_stderr(f"{label}: {'; '.join(provenance_text(one) for one in known[:12])}")
            if len(known) > 12:
                print_stderr(f"… and {plural(len(known) - 12, 'more schema')}")


def _provenance(one: Mapping[str, Any]) -> Provenance:
    names = "id source digest origin fetched stale unpinned own_id describes".split()
    return Provenance(**{name: one[name] for name in names if name in one})


# Lines that are written during the run


class StreamedFile:
    """Lines that are written during a run: to a file, to standard output (`-`), or nowhere (None).

    A context manager; an exception or interruption within it leaves no file behind. In JSON lines,
    characters that a terminal would obey are escaped; `exact` lines are not JSON. A file that
    `is_table` has the findings of the lines as Parquet. `code` is the
    exit code: 0, or 3 if lines could not be written; that is printed once, and the run goes on.
    """

    def __init__(self, path: str | None, *, exact: bool = False, is_table: bool = False) -> None:
        self.path = path
        self._is_table = is_table
        self.code = 0
        self._escape = _encodable if exact else for_file
        self._output = Output(None) if path == STANDARD_STREAM else None
        self._file: TextIO | None = None
        self._table: FindingsTable | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> StreamedFile:
        if self.path is not None and self._output is None:
            self._guarded(self._open, self.path)
        return self

    def __exit__(self, *error: object) -> None:
        if self._output is not None:
            self.code = max(self.code, self._output.close())
        if self._table is not None and error[0] is None:
            self._guarded(self._table.close)
        self._guarded(self._stack.__exit__, *error)

    @property
    def is_file(self) -> bool:
        """True if a file is being written."""
        return self._file is not None

    def write(self, texts: Iterable[str]) -> None:
        """Write texts of some lines each."""
        for text in texts:
            if self._output is not None:
                self._output.write_exact(self._escape(text))
            elif self._table is not None:
                self._guarded(self._table.write, text)
            elif self._file is not None:
                self._guarded(self._file.write, self._escape(text))
            else:
                return

    def _open(self, path: str) -> None:
        remove_unfinished([path])
        self._file = self._stack.enter_context(writing_atomically(path))
        if self._is_table:
            self._table = _findings_table()(self._file.buffer)

    def _guarded(self, action: Callable[..., object], *arguments: object) -> None:
        try:
            action(*arguments)
        except OSError as error:
            self._file = self._table = None
            self.code = unwritable(self.path or "", error)
            stack = self._stack.pop_all()
            with contextlib.suppress(OSError):
                stack.__exit__(type(error), error, error.__traceback__)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
