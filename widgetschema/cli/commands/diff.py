"""`widgetschema diff`: compare schemas, and report which changes break stored data."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace

from widgetschema.cli.console.output import Output, encodable, print_error, print_stderr, style_for
from widgetschema.cli.declared import option, setting_option
from widgetschema.cli.options import (
    color_option,
    format_option,
)
from widgetschema.cli.pipeline.diff_operands import DiffOperands, PairOptions, resolve_operands
from widgetschema.cli.pipeline.regressions import RegressionCheck
from widgetschema.cli.settings import configurations_for
from widgetschema.evolution.compare import Comparison
from widgetschema.jsontext import dump
from widgetschema.project.checking.exit_codes import INTERRUPTED, exit_code
from widgetschema.project.config import Configuration
from widgetschema.reporters.comparison import (
    before_pull,
    comparisons_dict,
    comparisons_text,
    is_comparison,
    migration_text,
    stored_text,
    unknown_text,
)
from widgetschema.reporters.formats.text import TextReporter
from widgetschema.text import printable


class DiffOptions(PairOptions):
    """The options of the command."""

    strict_schema: bool = setting_option("strict-schema")
    allow_unknown: bool = option(
        "--allow-unknown", help="Do not exit with 1 for changes of unknown effect."
    )
    all_places: bool = option(
        "--all",
        help="List every place of a change in a definition that is used at several places.",
    )
    deadline: int | None = setting_option("deadline")
    output_format: str = format_option
    color: str = color_option


@DiffOptions.command("diff")
def command(options: DiffOptions) -> int:
    """Compare the schema OLD with the schema NEW, and report what breaks.

    OLD and NEW are each a file with a schema, - for standard input, a folder of schemas (then all
    types of both are compared), or the id of a widget type. A change is breaking if there is data
    that was valid and no longer is; an example is shown. It is widening if all valid data stays
    valid, and unknown if neither is certain: unknown changes also fail, unless --allow-unknown is
    given.

    Without NEW, OLD is compared with the schemas of the platform. Without OLD and NEW, the schemas
    of the project are compared with those of the platform.

    Exit codes: 0 nothing breaks, 1 something breaks or may break, 2 usage, 3 unreadable input,
    4 schema problem, 5 network or authentication.
    """
    settings = options.settings()
    files = options.files(is_comparison)
    # The newer types are checked below.
    lenient = replace(settings, strict_schema=False)
    operands = resolve_operands(options, lenient, older_drafts=True)
    if settings.strict_schema:
        operands = operands.without_lints()
    for id, error in operands.failed:
        print_error(f"{id}: {error}")
    for note in operands.notes:
        print_error(note)
    comparisons = [before.compare(after) for before, after in operands.pairs]
    report = _Report(options.output_format, options.output, options.color)
    report.write(operands, comparisons, all_places=options.all_places)
    advice = "" if options.allow_unknown else "; see --data and --allow-unknown"
    for text in filter(None, map(unknown_text, comparisons)):
        print_error(f"{text}{advice}")
    code = _code(operands, comparisons, allow_unknown=options.allow_unknown)
    regressions = None
    if options.paths:
        regressions = RegressionCheck(
            operands,
            comparisons,
            options.kind,
            configurations_for(settings).type_for,
            report.reporter,
            report.output,
        )
        try:
            regressions.run(files)
        except KeyboardInterrupt:
            print_error("interrupted")
            code = INTERRUPTED
        code = max(code, regressions.summary.code)
    code = max(code, report.close(operands, comparisons, regressions, code))
    if not options.quiet:
        print_stderr(_summary(operands, comparisons))
        if regressions is not None:
            print_stderr(regressions.text)
        advice = _migration_advice(options, settings, operands, comparisons)
        if advice and not operands.is_converted:
            print_stderr(advice)
    return code


def _migration_advice(
    options: DiffOptions,
    settings: Configuration,
    operands: DiffOperands,
    comparisons: list[Comparison],
) -> str:
    """Return how a migration is proposed; a pull must not replace the older schemas before that."""
    folder = None if options.arguments[1] is not None else operands.older_folder
    schemas: list[str] = []
    first = ""
    if folder is not None:
        is_one = options.old is not None and not os.path.isdir(options.old)
        type_id = operands.pairs[0][0].id if is_one else options.type_id
        options = options.replace(old=None, schemas=None, described=(), type_id=type_id)
        pulled = os.path.relpath(next(iter(settings.schema_folders), "schemas"))
        if os.path.abspath(folder) == os.path.abspath(pulled):
            schemas, first = before_pull(shlex.quote(folder))
        else:
            schemas, first = [shlex.quote(folder), shlex.quote(pulled)], "pull"
    words = [*schemas, *map(shlex.quote, options.words)]
    return migration_text(comparisons, words, first)


class _Report:
    """The report of a comparison: text as it comes, JSON at the end."""

    def __init__(self, format: str, output: str | None, color: str) -> None:
        self.output = Output(output)
        self._format = format
        self._style = style_for(color, output is not None)
        show = printable if output is not None else lambda text: encodable(printable(text))
        self.reporter = None if format == "json" else TextReporter(self._style, show)

    def write(
        self, operands: DiffOperands, comparisons: list[Comparison], *, all_places: bool
    ) -> None:
        """Write the changes as text."""
        if self._format == "text":
            removed, added = operands.removed, operands.added
            text = comparisons_text(comparisons, removed, added, self._style, all_places=all_places)
            self.output.write(text)

    def close(
        self,
        operands: DiffOperands,
        comparisons: list[Comparison],
        regressions: RegressionCheck | None,
        code: int,
    ) -> int:
        """Write the counts of stored data, or everything as JSON; return the output's exit code."""
        if self._format == "json":
            data = None if regressions is None else regressions.as_dict()
            failed = [{"id": id, "message": str(error)} for id, error in operands.failed]
            others = {"failed": failed, "data": data, "exit_code": code}
            stored = None if regressions is None else regressions.stored
            value = comparisons_dict(comparisons, operands.removed, operands.added, others, stored)
            self.output.write(dump(value))
        elif regressions is not None:
            self.output.write(stored_text(regressions.stored, self._style))
        return self.output.close()


def _code(operands: DiffOperands, comparisons: list[Comparison], *, allow_unknown: bool) -> int:
    broken = operands.removed or any(
        one.breaking or not (one.harmless or allow_unknown) for one in comparisons
    )
    return max([1 if broken else 0, *(exit_code(error) for _, error in operands.failed)])


def _summary(operands: DiffOperands, comparisons: list[Comparison]) -> str:
    """Return the counts of all verdicts in one line."""
    verdicts: list[str] = [one.verdict for one in comparisons]
    verdicts += ["breaking"] * len(operands.removed) + ["widening"] * len(operands.added)
    verdicts += ["failed"] * len(operands.failed)
    order = ("breaking", "unknown", "widening", "annotation", "same", "failed")
    counts = [f"{verdicts.count(one):,} {one}" for one in order if one in verdicts]
    return f"{len(verdicts):,} {'type' if len(verdicts) == 1 else 'types'}: {', '.join(counts)}"
