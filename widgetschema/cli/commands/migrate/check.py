"""`widgetschema migrate check`: evidence for a plan, before any data is changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from widgetschema.cli.console.output import print_stderr, style_for, write_output
from widgetschema.cli.declared import option
from widgetschema.cli.options import (
    color_option,
    data_kind_option,
    format_option,
    parse_seed,
)
from widgetschema.cli.pipeline.migration_setup import (
    MigrationOptions,
    MigrationSetup,
    load_migration,
)
from widgetschema.cli.pipeline.selection import (
    refuse_existing,
    require_jinja,
)
from widgetschema.cli.settings import configurations_for
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.cli.pipeline.migration_evidence import StoredEvidence
    from widgetschema.evolution.migrate import Evidence

MADE_BY: Final = b'content="widgetschema migrate check"'

_UNREADABLE: Final = 3  # an exit code


class CheckOptions(MigrationOptions):
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
        help="Migrate N samples of the old schema.",
    )
    seed: str | None = option("--seed", metavar="SEED", help="The seed of the samples. Default: 0.")
    html: str | None = option(
        "--html",
        metavar="FILE",
        help="Write a page for people: what changes, examples before and after, what is lost, and "
        "what remains to be done by hand.",
    )
    output_format: str = format_option
    quiet: bool = option("--quiet", "-q", help="Print no summary.")
    color: str = color_option


@CheckOptions.command("check")
def command(options: CheckOptions) -> int:
    """Try a plan without writing data.

    Migrate the minimal and the maximal data of the old schema, each case of its coverage set,
    samples and, with --data, stored records. Each result must be valid by the new schema;
    otherwise, show the finding, the record and the steps for that place. List the steps that
    never apply, the steps that collide, and the values that are lost.

    Exit codes: 0 all results are valid, 1 some are not, 2 usage or an unusable plan, 3 unreadable
    input, 4 schema problem.
    """
    from widgetschema.cli.pipeline.migration_evidence import generated_evidence, stored_evidence
    from widgetschema.jsontext import dump
    from widgetschema.project.inputs.discovery import find_files
    from widgetschema.project.inputs.folders import Search
    from widgetschema.reporters.migration import evidence_dict, evidence_text, evidence_verdict

    plan, schemas, paths, html = options.plan, options.schemas, options.paths, options.html
    if html is not None:
        require_jinja("a page as HTML")
    refuse_existing(html, force=None, is_earlier=lambda begin: MADE_BY in begin)
    setup = load_migration(options)
    files = find_files(paths, Search(schemas_in=lambda _: schemas))
    type_for = configurations_for(options.settings()).type_for
    evidence = generated_evidence(setup, options.samples, parse_seed(options.seed))
    stored = stored_evidence(setup, options.kind, files, type_for) if paths else None
    code = max(0 if evidence.holds else 1, 0 if stored is None else stored.code)
    if options.output_format == "json":
        value = {
            "version": 1,
            "plan": plan,
            "cases": evidence_dict(evidence),
            "data": None if stored is None else evidence_dict(stored.evidence),
            "exit_code": code,
        }
        text = dump(value)
    else:
        style = style_for(options.color, to_file=False)
        text = evidence_text(evidence, "generated case", style)
        if stored is not None:
            text += evidence_text(stored.evidence, "stored record", style)
    code = max(code, write_output(text))
    if html is not None:
        code = max(code, _write_page(html, setup, plan, evidence, stored))
    if not options.quiet:
        every = [evidence] if stored is None else [evidence, stored.evidence]
        verdict = evidence_verdict(every, all_read=stored is None or stored.code < _UNREADABLE)
        print_stderr(f"{printable(plan)}: {verdict}")
    return code


def _write_page(
    html: str,
    setup: MigrationSetup,
    plan: str,
    generated: Evidence,
    stored: StoredEvidence | None,
) -> int:
    """Write the page, and return the exit code."""
    from widgetschema.reporters.migration import notes
    from widgetschema.reporters.pages.migration import render

    evidence = {"generated cases": generated}
    noted = notes(generated, "generated case")
    if stored is not None:
        evidence["stored records"] = stored.evidence
        noted += [f"stored records: {one}" for one in notes(stored.evidence, "stored record")]
    page = render(
        setup.old.compare(setup.new),
        setup.migration,
        evidence,
        notes=noted,
        title=plan,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    )
    return write_output(page, html)
