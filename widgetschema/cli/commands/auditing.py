"""What `widgetschema audit` does: from its options to an exit code.

Partitions are checked by this machine or a cluster; what comes back is collected in order, and
lines of findings are written as they come. What is summed up last is the same however it was done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan
from widgetschema.audit.tally import exit_code
from widgetschema.cli.commands.planning import Planned, Wishes, planned
from widgetschema.cli.commands.recording import Record
from widgetschema.cli.console.output import (
    Output,
    encodable,
    escape_workflow_command,
    print_error,
    print_stderr,
    style_for,
)
from widgetschema.cli.console.progress import Throughput
from widgetschema.cli.console.signals import Interrupted, Interruptions
from widgetschema.cli.main import INTERRUPTED
from widgetschema.cli.shown import provenance_text
from widgetschema.errors import MissingExtra, WidgetSchemaError
from widgetschema.findings import Provenance
from widgetschema.project.checking.exit_codes import exit_code as code_of
from widgetschema.project.checking.results import reason
from widgetschema.reporters.audit import audit_text, done
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.audit.auditor import PartResult
    from widgetschema.audit.checkpoints import Checkpoints

__all__ = ["Wishes", "audit"]


def audit(wishes: Wishes, clock: Callable[[], float] = time.monotonic) -> int:
    """Check what was asked for; the exit code. `clock` gives the seconds of the progress bar."""
    wishes.check()
    if wishes.html is not None:
        _need_pages()
    what = planned(wishes, wishes.configuration())
    _say_what_was_before(wishes, what)
    collector = Collector(what.plan, what.problems)
    with (
        Interruptions() as interruptions,
        Record(wishes.findings) as findings,
        Record(wishes.invalid_ids, exact=True) as ids,
    ):
        run = _Run(what, collector, findings, ids, interruptions)
        stopped = run.go(wishes, clock)
        summary = collector.summary(complete=stopped is None)
        left = [one.path for one in (findings, ids) if one.is_file]
    codes = [exit_code(summary), findings.code, ids.code, _written(wishes, summary)]
    codes.append(_shown(wishes, summary))
    if stopped is not None:
        _say_how_to_go_on(wishes, what, summary, [one for one in left if one is not None])
        return INTERRUPTED if stopped == INTERRUPTED else max(*codes, stopped)
    codes.append(_empty(wishes, summary))
    if what.checkpoints is not None and findings.code == ids.code == codes[3] == 0:
        _forget(wishes, what.checkpoints, summary)
    if not wishes.quiet:
        _advise(wishes, summary)
    return max(codes)


class _Run(NamedTuple):
    """A plan that is carried out, and where its results go."""

    what: Planned
    collector: Collector
    findings: Record
    ids: Record
    interruptions: Interruptions

    def go(self, wishes: Wishes, clock: Callable[[], float]) -> int | None:
        """Collect all results; the exit code for what put an end to that before.

        Raises what keeps it from beginning; later, what is there is worth more.
        """
        meter = _Meter(self.what, clock, quiet=wishes.quiet)
        begun = False
        with closing(_results(wishes, self.what, meter)) as results:
            try:
                while (result := self._next(results)) is not None:
                    begun = True
                    self._collect(result)
                    meter.finished(result.number)
            except Interrupted:
                return INTERRUPTED
            except WidgetSchemaError as error:  # such as a cluster that is gone
                if not begun:
                    raise
                meter.clear()
                print_error(str(error))
                return code_of(error)
            finally:
                meter.clear()
        return None

    def _next(self, results: Iterator[PartResult]) -> PartResult | None:
        with self.interruptions.heard():
            return next(results, None)

    def _collect(self, result: PartResult) -> None:
        """Nothing may come between: a result is told of whole, or not at all."""
        self.collector.add(result)
        if self.findings.path is not None:
            self.findings.write(self.collector.finding_lines(result))
        if self.ids.path is not None:
            self.ids.write(self.collector.id_lines(result))


def _results(wishes: Wishes, what: Planned, meter: _Meter) -> Generator[PartResult, None, None]:
    if wishes.scheduler is not None:
        from widgetschema.audit.runners.cluster import run_cluster

        return run_cluster(
            what.plan,
            wishes.scheduler,
            checkpoints=what.checkpoints,
            progress=meter.advance,
            say=None if wishes.quiet else print_stderr,
        )
    from widgetschema.audit.runners.local import run_local

    progress = meter.advance if meter.is_shown else None
    return run_local(
        what.plan, what.jobs, checkpoints=what.checkpoints, progress=progress, warn=meter.warn
    )


class _Meter:
    """How far a run is, from what is known of each partition."""

    def __init__(self, what: Planned, clock: Callable[[], float], *, quiet: bool) -> None:
        plan, known = what.plan, what.checkpoints
        self._sizes = [_size(plan, number) for number in range(len(plan.partitions))]
        before = [known is not None and number in known for number in range(len(self._sizes))]
        todo = [size for size, is_there in zip(self._sizes, before, strict=True) if not is_there]
        total = None if None in todo else sum(size or 0 for size in todo)
        self._before = before
        self._done = 0
        self._records = 0
        self._under_way: dict[int, tuple[int, int]] = {}
        self._shown = Throughput(total, "checking", clock=clock)
        self._quiet = quiet

    @property
    def is_shown(self) -> bool:
        """Whether anybody looks at it."""
        return self._shown.is_shown and not self._quiet

    def advance(self, number: int, size: int, records: int) -> None:
        """So many bytes and records of a partition are done."""
        whole = self._sizes[number]
        self._under_way[number] = (size if whole is None else min(size, whole)), records
        self._draw()

    def finished(self, number: int) -> None:
        """A partition is done."""
        size, records = self._under_way.pop(number, (0, 0))
        if not self._before[number]:
            self._done += self._sizes[number] or size
            self._records += records
        self._draw()

    def clear(self) -> None:
        """Take it off the terminal."""
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
    """The bytes of a partition as stored; None if nobody knows."""
    total = 0
    for span in plan.partitions[number]:
        end = span.end if span.end is not None else plan.sources[span.source].size
        if end is None:
            return None
        total += max(0, end - span.start)
    return total


# Before it begins


def _need_pages() -> None:
    """Say now, and not after hours, that the library is missing."""
    from importlib.util import find_spec

    if find_spec("jinja2") is None:
        raise MissingExtra("audit", "the report as HTML needs the library Jinja2")


def _say_what_was_before(wishes: Wishes, what: Planned) -> None:
    """Whether there is something to go on with; it is forgotten, unless that was asked for."""
    if what.checkpoints is None:
        return
    number, every = what.checkpoints.number, len(what.plan.partitions)
    part = f"{100 * number // every} %"
    if wishes.resume and number:
        print_stderr(f"going on after {part}")
    elif wishes.resume:
        print_stderr("there is nothing to go on with: this begins at the beginning")
    elif number:
        print_stderr(
            f"an earlier run stopped at {part}; --resume would have gone on: this one begins anew"
        )
        what.checkpoints.clear()


# When it has ended


def _forget(wishes: Wishes, kept: Checkpoints, summary: Mapping[str, Any]) -> None:
    """Let go of what was kept, unless a cluster gave up what it may do another time."""
    is_left = kept.number < summary["partitions"]["all"]
    if wishes.scheduler is not None and summary["problems"] and is_left:
        print_error("not everything was done; for the rest, go on with: --resume")
    else:
        kept.clear()


def _written(wishes: Wishes, summary: Mapping[str, Any]) -> int:
    """Write the page; 0, or 3 if that cannot be."""
    if wishes.html is None:
        return 0
    import datetime

    from widgetschema.audit.page.report import render
    from widgetschema.files import write_atomically

    now = datetime.datetime.now(datetime.UTC)
    names = ", ".join(wishes.inputs[:3]) + (", …" if len(wishes.inputs) > 3 else "")
    page = render(summary, title=f"Audit of {names}", made=f"{now:%Y-%m-%d %H:%M} UTC")
    try:
        write_atomically(wishes.html, page)
    except OSError as error:
        print_error(f"{printable(wishes.html)}: cannot be written: {reason(error)}")
        return 3
    return 0


def _shown(wishes: Wishes, summary: Mapping[str, Any]) -> int:
    """Show the summary; the exit code for that."""
    output = Output(None)
    if wishes.output_format == "json":
        from widgetschema.jsontext import dump

        text = dump(summary)
        if not wishes.takes_stdout:
            output.write_exact(text)
    else:
        text = escape_workflow_command(
            audit_text(summary, style_for(wishes.color, wishes.takes_stdout))
        )
        if not wishes.takes_stdout:
            output.write(text)
    if wishes.takes_stdout:
        print_stderr(encodable(text.rstrip("\n")))
    return output.close()


def _empty(wishes: Wishes, summary: dict[str, Any]) -> int:
    """Say that there was no record, unless a problem says why; the exit code for that."""
    if summary["records"] or exit_code(summary) or wishes.allow_empty:
        return 0
    sources = plural(summary["sources"], "source")
    print_error(
        f"no record was checked: {sources} without any (pass --allow-empty if that is fine)"
    )
    return 3


def _say_how_to_go_on(
    wishes: Wishes, what: Planned, summary: Mapping[str, Any], files: list[str]
) -> None:
    told = f"stopped after {done(summary)}"
    if what.checkpoints is not None:
        told += "; go on with: --resume"
    print_error(told)
    for file in files + ([] if wishes.html is None else [wishes.html]):
        print_error(f"{printable(file)}: not all of it, since the run is not complete")


def _advise(wishes: Wishes, summary: Mapping[str, Any]) -> None:
    """What to do next, and where the schemas came from."""
    if summary["findings"]:
        more = [
            option
            for option, given in (
                ("every finding: --findings FILE", wishes.findings),
                ("the ids: --invalid-ids FILE", wishes.invalid_ids),
                ("a page to show: --html FILE", wishes.html),
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
    names = ("id", "source", "digest", "origin", "fetched", "stale", "unpinned", "own_id")
    return Provenance(**{name: one[name] for name in names if name in one})
