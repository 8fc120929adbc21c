"""Where the results of `validate` go: a reporter and an output for each format asked for."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import click

from widgetschema.cli.console.output import (
    Output,
    encodable,
    escape_workflow_command,
    in_github_workflow,
    style_for,
)
from widgetschema.cli.console.progress import is_terminal
from widgetschema.errors import WidgetSchemaError
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.project.checking.results import Outcome, Problem, Summary
from widgetschema.project.report_formats import (
    AUTO,
    PLAIN_ESCAPE,
    STANDARD_OUTPUT,
    InvalidReportTarget,
    ReportContext,
    Reporter,
    create_reporter,
    parse_target,
    report_format,
)
from widgetschema.text import printable

_COMMAND: Final = re.compile("^( *)::", re.MULTILINE)


class Sink(NamedTuple):
    """A reporter, and where its text goes."""

    reporter: Reporter
    output: Output


def sinks_for(
    reporters: Sequence[str], output: str | None, *, folder: str, color: str, diff: bool = False
) -> list[Sink]:
    """The sinks of a run. With `diff`, standard output is for the difference alone.

    Raises a usage error for formats that there are not, and for outputs in each other's way.
    """
    sinks: list[Sink] = []
    files: set[str] = set()
    for name, file in _placed(reporters, output):
        if name == AUTO:
            name = "github" if in_github_workflow() and not is_terminal(sys.stdout) else "text"
        if diff and file is None:
            continue
        to_file = file is not None
        show = printable if to_file else _shown
        context = ReportContext(folder, style_for(color, to_file), show, to_file)
        reporter = create_reporter(name, context)
        mend = None if to_file or not in_github_workflow() else _disarming(name)
        sinks.append(Sink(reporter, Output(file, mend)))
        if file is not None:
            real = os.path.realpath(file)
            if real in files and (os.path.isfile(real) or not os.path.exists(real)):
                raise click.UsageError(f"Two formats cannot share the file {printable(file)}.")
            files.add(real)
    if sum(sink.output.is_stdout for sink in sinks) > 1:
        raise click.UsageError(
            "Two formats cannot share standard output: give all but one a file, as in "
            "--format sarif=report.sarif"
        )
    return sinks


def report_stop(sinks: Sequence[Sink], error: WidgetSchemaError, file: str | None) -> None:
    """Have the reports say that a run did not begin: older ones must not stand for it.

    `file` is what the problem is shown at, if the error names none.
    """
    place = getattr(error, "path", None) or file or "."
    problem = Problem(place, str(error), exit_code(error))
    outcome = Outcome(Summary().with_problem(problem), [problem])
    for sink in sinks:
        sink.output.write(sink.reporter.problem(problem) + sink.reporter.end(outcome))
        sink.output.close()


def reports(reporters: Sequence[str], output: str | None) -> frozenset[str]:
    """The real paths of the files that reports are written to. Raises as `sinks_for`."""
    return frozenset(os.path.realpath(file) for _, file in _placed(reporters, output) if file)


def _placed(reporters: Sequence[str], output: str | None) -> list[tuple[str, str | None]]:
    """Formats, and their files; the first that names none gets `output`."""
    try:
        formats: list[tuple[str, str | None]] = [parse_target(text) for text in reporters]
    except InvalidReportTarget as error:
        raise click.UsageError(str(error)) from None
    for name, _ in formats:
        if name != AUTO:
            report_format(name)  # from now on, its earlier reports are recognized
    if output is None:
        return formats
    free = next((index for index, (_, file) in enumerate(formats) if file is None), None)
    if free is None:
        raise click.UsageError(
            "--output has nothing to write: each format names a file already. Give one without, as "
            "in --format text"
        )
    formats[free] = (formats[free][0], None if output in STANDARD_OUTPUT else output)
    return formats


def _disarming(name: str) -> Callable[[str], str] | None:
    """What takes from a format whatever a workflow would obey; what it means stays the same."""
    instead = report_format(name).escape
    if instead is None:
        return None

    def disarm(text: str) -> str:
        text = escape_workflow_command(text, instead)
        return _COMMAND.sub(r"\1·::", text) if instead == PLAIN_ESCAPE else text

    return disarm


def _shown(text: str) -> str:
    return encodable(escape_workflow_command(printable(text)))
