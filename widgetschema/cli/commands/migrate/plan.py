"""`widgetschema migrate plan`: propose the steps that carry data over to a newer schema."""

from __future__ import annotations

import os

import click

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.console.output import Output, print_error, print_stderr
from widgetschema.cli.pipeline.diff_operands import (
    Argument,
    DiffOperands,
    PairOptions,
    resolve_operands,
)
from widgetschema.cli.pipeline.stored_data import others_left
from widgetschema.cli.settings import configurations_for
from widgetschema.evolution.migrate import Plan, PlanSchema, format_plan
from widgetschema.text import plural, printable


@PairOptions.command("plan")
def command(options: PairOptions) -> int:
    """Propose a plan that carries data over.

    OLD and NEW are two schemas, as for diff. A step is active only if it is certain: the value that
    it changes is valid in its new place, nothing is lost, and the schemas show that its meaning is
    the same. With --data, renames that stored records confirm are active, too. Guesses are comments
    with their reason: activate those that are right. Changes without a step are comments with an
    example.

    Exit codes: 0 the plan was written, 2 usage, 3 unreadable input, 4 schema problem, 5 network or
    authentication.
    """
    from widgetschema.cli.pipeline.regressions import RegressionCheck
    from widgetschema.evolution.migrate.proposals import propose

    output, files = options.output, options.files()
    settings = options.settings()
    operands = resolve_operands(options, settings)
    older, newer = _only_pair(operands)
    for note in operands.notes:
        print_error(note)
    comparison = older.compare(newer)
    if not comparison.changes:
        print_error(f"OLD and NEW are the same: {printable(older.id)} has not changed")
    sink = Output(output)
    codes, stored = [0], None
    if options.paths:
        type_for = configurations_for(settings).type_for
        comparisons = [comparison.each_place]
        check = RegressionCheck(operands, comparisons, options.kind, type_for, None, sink)
        check.run(files)
        if check.others:
            print_error(others_left(check.others))
        if check.unreadable is not None:
            number, why = check.summary.unreadable, check.unreadable.findings[0].finding.headline
            first = f"{printable(check.unreadable.file)}: {why}"
            print_error(f"{plural(number, 'record')} unreadable, such as {first}")
        codes += [problem.code for problem in check.problems]
        codes.append(3 if check.summary.unreadable else 0)
        stored = check.stored[0]
    folder = os.path.dirname(output) if output is not None else ""
    before, after = (
        _plan_schema(one, argument, folder)
        for one, argument in zip((older, newer), options.arguments, strict=True)
    )
    migration = older.migration(newer, Plan(old=before, new=after))
    found = propose(comparison, migration.old, migration.new, stored)
    heading = (
        f"Migration of {older.id}: {comparison.summary}.\n"
        f"{plural(found.certain, 'certain step')}, {plural(found.guesses, 'guessed step')}, "
        f"{plural(found.unsolved, 'change')} without a step. Guesses are comments: review them.\n"
        f"With the active steps, {found.valid:,} of {plural(found.tried, 'generated record')} come "
        "out valid."
    )
    sink.write(format_plan(before, after, found.entries, heading=heading))
    if not options.quiet:
        print_stderr(heading.replace("\n", " "))
    return max(*codes, sink.close())


def _only_pair(operands: DiffOperands) -> tuple[WidgetType, WidgetType]:
    """Return the one pair of widget types. Raises what is wrong with a schema."""
    for _, error in operands.failed:
        raise error
    if len(operands.pairs) != 1:
        known = [one.id for one, _ in operands.pairs]
        if not known:
            raise click.UsageError("There is no widget type that both OLD and NEW have.")
        shown = printable(", ".join(known[:5]))
        raise click.UsageError(f"A plan is for one widget type: pass --type ({shown}, …).")
    return operands.pairs[0]


def _plan_schema(one: WidgetType, argument: Argument | None, folder: str) -> PlanSchema:
    """Return a side of a plan; its file is named relative to the folder of the plan."""
    file = None
    if argument is not None and os.path.exists(argument.text):
        file = os.path.relpath(argument.text, folder or ".")
    is_data = file is not None and argument is not None and argument.describes == "data"
    return PlanSchema(id=one.id, digest=one.linked_digest, schema=file, data_schema=is_data)
