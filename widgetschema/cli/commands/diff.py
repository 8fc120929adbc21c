"""`widgetschema diff`: what changed between schemas, and whom it breaks."""

from __future__ import annotations

import click

from widgetschema.cli.console.output import Output, encodable, print_error, print_stderr, style_for
from widgetschema.cli.options import color_option, format_option, schemas_option
from widgetschema.cli.pipeline.diff_operands import Pairs, pairs_of
from widgetschema.cli.pipeline.regressions import Stopped
from widgetschema.cli.pipeline.selection import guard_output, without_outputs
from widgetschema.evolution.compare import Comparison
from widgetschema.jsontext import dump
from widgetschema.project.checking.exit_codes import INTERRUPTED, exit_code
from widgetschema.project.inputs.discovery import find_files
from widgetschema.reporters.comparison import comparisons_dict, comparisons_text, unknown_text
from widgetschema.reporters.formats.text import TextReporter
from widgetschema.text import printable


@click.command("diff")
@click.argument("old", metavar="[OLD]", required=False)
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--type", "type_id", metavar="ID", help="Of folders: compare this type only.")
@schemas_option
@click.option(
    "--plugin", metavar="FILE", help="The base schema plugin, for both sides. Default: their own."
)
@click.option(
    "--data",
    "paths",
    metavar="PATH",
    multiple=True,
    help="A file or folder of your data: which of it stops being valid. May be repeated.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="What the files of --data hold. Default: auto, which looks.",
)
@click.option(
    "--allow-unknown", is_flag=True, help="Do not exit with 1 for changes of unknown effect."
)
@format_option
@click.option("--output", metavar="FILE", help="Write to a file instead of standard output.")
@click.option("--quiet", "-q", is_flag=True, help="No summary.")
@color_option
def command(
    old: str | None,
    new: str | None,
    type_id: str | None,
    schemas: str | None,
    plugin: str | None,
    paths: tuple[str, ...],
    kind: str,
    allow_unknown: bool,
    output_format: str,
    output: str | None,
    quiet: bool,
    color: str,
) -> int:
    """Say what changed from the schema OLD to the schema NEW, and whom it breaks.

    OLD and NEW are each a file that holds a schema, - for standard input, a folder of schemas
    (then all types of both are compared), or the id of a widget type. A change is breaking if
    data was found that was valid and no longer is; that data is shown. It is widening if all that
    was valid is valid still, and unknown if neither is certain: unknown changes fail, too, unless
    --allow-unknown is given.

    Without NEW, OLD is compared with what the platform has; without either, the folder of the
    project is.

    Exit codes: 0 nothing breaks, 1 something does or may, 2 usage, 3 unreadable input, 4 schema
    problem, 5 network or login.
    """
    if old == new == "-":
        raise click.UsageError("Only one of OLD and NEW can be standard input.")
    outputs = guard_output(output, old, new, plugin, schemas=schemas)
    files = without_outputs(find_files(paths, schemas), outputs)
    pairs = pairs_of(old, new, schemas=schemas, plugin=plugin, type_id=type_id)
    for id, error in pairs.failed:
        print_error(f"{id}: {error}")
    comparisons = [before.compare(after) for before, after in pairs.both]
    shown = _Shown(output_format, output, color)
    shown.write(pairs, comparisons)
    advice = "" if allow_unknown else "; see --data, and --allow-unknown"
    for text in filter(None, map(unknown_text, comparisons)):
        print_error(f"{text}{advice}")
    code = _code(pairs, comparisons, allow_unknown=allow_unknown)
    if paths:
        stopped = Stopped(pairs, kind, shown.reporter, shown.output)
        try:
            stopped.go(files)
        except KeyboardInterrupt:
            print_error("interrupted")
            code = INTERRUPTED
        code = max(code, stopped.summary.code)
        shown.stopped = stopped
    code = max(code, shown.close(pairs, comparisons, code))
    if not quiet:
        print_stderr(_summary(pairs, comparisons))
        if shown.stopped is not None:
            print_stderr(shown.stopped.told)
    return code


class _Shown:
    """Where results go: text as they come, JSON when all is there."""

    def __init__(self, format: str, output: str | None, color: str) -> None:
        self.format = format
        self.style = style_for(color, output is not None)
        self.output = Output(output)
        self.stopped: Stopped | None = None
        show = printable if output is not None else lambda text: encodable(printable(text))
        self.reporter = None if format == "json" else TextReporter(self.style, show)

    def write(self, pairs: Pairs, comparisons: list[Comparison]) -> None:
        """What changed, as text."""
        if self.format == "text":
            self.output.write(comparisons_text(comparisons, pairs.gone, pairs.added, self.style))

    def close(self, pairs: Pairs, comparisons: list[Comparison], code: int) -> int:
        """Everything, as JSON; the exit code."""
        if self.format == "json":
            data = None if self.stopped is None else self.stopped.as_dict()
            failed = [{"id": id, "message": str(error)} for id, error in pairs.failed]
            others = {"failed": failed, "data": data, "exit_code": code}
            self.output.write(dump(comparisons_dict(comparisons, pairs.gone, pairs.added, others)))
        return self.output.close()


def _code(pairs: Pairs, comparisons: list[Comparison], *, allow_unknown: bool) -> int:
    broken = pairs.gone or any(
        one.breaking or not (one.harmless or allow_unknown) for one in comparisons
    )
    return max([1 if broken else 0, *(exit_code(error) for _, error in pairs.failed)])


def _summary(pairs: Pairs, comparisons: list[Comparison]) -> str:
    """The counts of all verdicts, in one line."""
    verdicts: list[str] = [one.verdict for one in comparisons]
    verdicts += ["breaking"] * len(pairs.gone) + ["widening"] * len(pairs.added)
    verdicts += ["failed"] * len(pairs.failed)
    order = ("breaking", "unknown", "widening", "annotation", "same", "failed")
    counts = [f"{verdicts.count(one):,} {one}" for one in order if one in verdicts]
    return f"{len(verdicts):,} {'type' if len(verdicts) == 1 else 'types'}: {', '.join(counts)}"
