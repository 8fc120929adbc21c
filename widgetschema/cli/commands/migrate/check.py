"""`widgetschema migrate check`: evidence for a plan, before any data is changed."""

from __future__ import annotations

from typing import Final

import click

from widgetschema.cli.console.output import Output, encodable, print_stderr, style_for
from widgetschema.cli.declared import option
from widgetschema.cli.options import (
    color_option,
    data_kind_option,
    format_option,
    parse_seed,
)
from widgetschema.cli.pipeline.migration_setup import MigrationOptions, load_migration
from widgetschema.text import printable

_UNREADABLE: Final = 3  # an exit code


class CheckOptions(MigrationOptions, own_last=True):
    """The options of the command."""

    paths: tuple[str, ...] = option(
        "--data",
        metavar="PATH",
        multiple=True,
        help="File or folder of your data, to be migrated for evidence as well; nothing is "
        "written. Can be repeated.",
    )
    kind: str = data_kind_option
    samples: int = option(
        "--samples",
        type=click.IntRange(0, 1_000_000),
        default=200,
        metavar="N",
        help="Migrate N samples of the old schema. Default: 200.",
    )
    seed: str | None = option("--seed", metavar="SEED", help="The seed of the samples. Default: 0.")
    output_format: str = format_option
    quiet: bool = option("--quiet", "-q", is_flag=True, help="Print no summary.")
    color: str = color_option


@CheckOptions.command("check")
def command(options: CheckOptions) -> int:
    """Try a plan without writing data.

    Migrate the minimal and the maximal data of the old schema, each case of its coverage set,
    samples and, with --data, stored records. Each result must be valid by the new schema;
    otherwise, show the finding, the record and the steps about that place. List the steps that
    never apply, the steps that collide, and the values that are lost.

    Exit codes: 0 all come out valid, 1 some do not, 2 usage or an unusable plan, 3 unreadable
    input, 4 schema problem.
    """
    from widgetschema.cli.pipeline.migration_evidence import generated_evidence, stored_evidence
    from widgetschema.jsontext import dump
    from widgetschema.project.inputs.discovery import find_files
    from widgetschema.project.inputs.folders import Search
    from widgetschema.reporters.migration import evidence_dict, evidence_text, evidence_verdict

    plan, paths = options.plan, options.paths
    setup = load_migration(options)
    files = find_files(paths, Search(schemas_in=lambda _: options.schemas))
    evidence = generated_evidence(setup, options.samples, parse_seed(options.seed))
    stored = stored_evidence(setup, options.kind, files) if paths else None
    code = max(0 if evidence.holds else 1, 0 if stored is None else stored.code)
    output = Output(None)
    if options.output_format == "json":
        value = {
            "version": 1,
            "plan": plan,
            "cases": evidence_dict(evidence),
            "data": None if stored is None else evidence_dict(stored.evidence),
            "exit_code": code,
        }
        output.write(dump(value))
    else:
        style = style_for(options.color, to_file=False)
        text = evidence_text(evidence, "generated case", style)
        if stored is not None:
            text += evidence_text(stored.evidence, "stored record", style)
        output.write(encodable(text))
    if not options.quiet:
        every = [evidence] if stored is None else [evidence, stored.evidence]
        verdict = evidence_verdict(every, all_read=stored is None or stored.code < _UNREADABLE)
        print_stderr(f"{printable(plan)}: {verdict}")
    return max(code, output.close())
