"""`widgetschema migrate test`: property tests of a plan, run or written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from widgetschema.cli.console.output import escaped, print_stderr, write_output
from widgetschema.cli.declared import option
from widgetschema.cli.options import force_output_option
from widgetschema.cli.pipeline.migration_setup import MigrationOptions, load_migration
from widgetschema.cli.pipeline.selection import refuse_existing
from widgetschema.text import plural, printable, shorten

if TYPE_CHECKING:
    from widgetschema.cli.pipeline.migration_tests import MigrationTrial
    from widgetschema.evolution.migrate import Step

_WIDEST = 400


class TestOptions(MigrationOptions):
    """The options of the command."""

    examples: int = option(
        "--examples",
        type=click.IntRange(1, 1_000_000),
        default=200,
        help="Generate N examples for each test.",
    )
    output: str | None = option(
        "--output",
        metavar="FILE",
        help="Write the tests for pytest to FILE, and run none. The plan must name both schemas.",
    )
    force: bool = force_output_option


@TestOptions.command("test")
def command(options: TestOptions) -> int:
    """Test a plan with generated data.

    Hypothesis generates data that the old schema accepts. After the migration, the new schema must
    accept it. Steps that can be reversed must bring back the original. The simplest data that fails
    is shown. Requires the extra hypothesis.

    Exit codes: 0 the tests pass, 1 one fails, 2 usage or an unusable plan, 3 unreadable input,
    4 schema problem.
    """
    from widgetschema.cli.pipeline.migration_tests import try_migration, written_tests

    setup = load_migration(options)
    plan, output = options.plan, options.output
    if output is not None:
        text = written_tests(setup, plan, os.path.dirname(output) or ".")
        if text is None:
            raise click.UsageError("The plan must name the files of both schemas: key `schema`.")
        text = escaped(text, "utf-8")
        refuse_existing(output, force=options.force, text=text, read=[plan])
        return write_output(text, output)
    trial = try_migration(setup, options.examples)
    lines = []
    if trial.failure is not None:
        data, findings = trial.failure
        lines.append("valid data does not come out valid; the simplest:")
        lines.append(f"  {shorten(data, _WIDEST)}")
        lines += [f"  {one.headline}" for one in findings[:3]]
    else:
        counted = f"{plural(trial.examples, 'example')}, {trial.migrated:,} of them migrated"
        lines.append(f"valid data comes out valid: {counted}")
    if trial.not_back is not None:
        way = trial.not_back
        lines.append(f"step {way.number} and its reverse change data; the simplest:")
        lines.append(f"  before: {shorten(way.before, _WIDEST)}")
        lines.append(f"  after:  {shorten(way.after, _WIDEST)}")
    elif trial.failure is None:
        for number, step in enumerate(setup.migration.steps, 1):
            lines.append(f"  step {number} ({step}): {_way_back(trial, number, step)}")
    code = write_output("".join(f"{printable(line)}\n" for line in lines))
    print_stderr(f"{printable(plan)}: {'all tests pass' if trial.holds else 'a test fails'}")
    return max(code, 0 if trial.holds else 1)


def _way_back(trial: MigrationTrial, number: int, step: Step) -> str:
    """Return how often a step was reversed, in words."""
    if step.reversed is None:
        return "cannot be reversed"
    back, uncertain = trial.back[number], trial.uncertain[number]
    if not back and not uncertain:
        return "never applied"
    said = f"brought back the original in {plural(back, 'example')}"
    return f"{said}; not certain in {uncertain:,}" if uncertain else said
