"""`widgetschema validate`: check files, folders, globs and standard input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import click

from widgetschema.catalog import Catalog
from widgetschema.cli.common import catalog_for, schemas_option
from widgetschema.cli.inputs import Part, Text, is_document, is_record, iter_texts, parts
from widgetschema.cli.output import Output, complain, style_for
from widgetschema.documents import DEFAULT_LIMITS, SourceText, read
from widgetschema.errors import UnknownWidgetType, UnreadableDocument, WidgetSchemaError
from widgetschema.findings import Report
from widgetschema.reporters import (
    Checked,
    JsonReporter,
    Problem,
    Reporter,
    Summary,
    TextReporter,
)
from widgetschema.widget_type import WidgetType


@click.command("validate")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--type", "type_id", metavar="ID", help="The widget type of everything checked.")
@schemas_option
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="What the files hold: bare data, or widget documents (records with a member data). "
    "Default: auto, which looks.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Default: text.",
)
@click.option("--output", metavar="FILE", help="Write the findings to a file.")
@click.option("--engine", type=click.Choice(["rust", "python"]), help="Default: rust.")
@click.option("--no-formats", is_flag=True, help="Do not check formats (date-time, uri, …).")
@click.option(
    "--max-findings", type=click.IntRange(min=0), metavar="N", help="Show at most N findings."
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first document that fails.")
@click.option("--quiet", "-q", is_flag=True, help="No summary: findings and problems only.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Default: auto; the variable NO_COLOR turns it off.",
)
def command(
    paths: tuple[str, ...],
    type_id: str | None,
    schemas: str | None,
    kind: str,
    output_format: str,
    output: str | None,
    engine: str | None,
    no_formats: bool,
    max_findings: int | None,
    fail_fast: bool,
    quiet: bool,
    color: str,
) -> int:
    """Check widget data against the schema of its type.

    PATH is a file (.json; .ndjson or .jsonl, one value per line; any of them gzipped), a
    folder, a glob, or - for standard input. A file may hold bare data, a widget document,
    an array of documents, or an envelope of the widgets list. A document's own type picks
    the schema, unless --type is given.
    """
    if not paths:
        raise click.UsageError("What should be checked? Name files or folders, or - for input.")
    catalog = catalog_for(schemas, formats=not no_formats, engine=engine)
    if type_id is not None and type_id not in catalog:
        catalog[type_id]  # raises, with the nearest ids
    reporter: Reporter
    if output_format == "json":
        reporter = JsonReporter(max_findings)
    else:
        reporter = TextReporter(style_for(color, output is not None), max_findings)
    run = Run(catalog, type_id, kind, reporter, Output(output))
    try:
        run.go(paths, fail_fast)
    except KeyboardInterrupt:
        run.end(quiet)
        raise
    run.end(quiet)
    return run.summary.code


@dataclass(frozen=True, slots=True)
class _NoType:
    """Why a document has no widget type to be checked against."""

    message: str
    code: int


class Run:
    """One run: texts in, results out, problems on the way said at once."""

    def __init__(
        self,
        catalog: Catalog,
        type_id: str | None,
        kind: str,
        reporter: Reporter,
        output: Output,
    ) -> None:
        self.catalog = catalog
        self.type_id = type_id
        self.kind = kind
        self.reporter = reporter
        self.output = output
        self.summary = Summary()
        self.problems: list[Problem] = []
        self._types: dict[str, WidgetType | _NoType] = {}

    def go(self, paths: tuple[str, ...], fail_fast: bool) -> None:
        """Check everything."""
        for text in iter_texts(paths, DEFAULT_LIMITS):
            if isinstance(text, str):
                self.summary = replace(self.summary, files=self.summary.files + 1)
                continue
            results = [text] if isinstance(text, Problem) else self.check(text)
            for result in results:
                if isinstance(result, Problem):
                    self.summary = self.summary.with_problem(result)
                    self.problems.append(result)
                    complain(f"{result.file}: {result.message}")
                else:
                    self.summary = self.summary.with_checked(result)
                    self.output.write(self.reporter.checked(result))
                if fail_fast and self.summary.code:
                    return

    def end(self, quiet: bool) -> None:
        """Close the output, and sum up."""
        self.output.write(self.reporter.end(self.summary, self.problems))
        self.output.close()
        if not quiet:
            click.echo(str(self.summary), err=True)

    def check(self, text: Text) -> Iterator[Checked | Problem]:
        """The documents of one text."""
        source = SourceText(b"")
        try:
            value = read(text.raw, DEFAULT_LIMITS, text.file)
        except UnreadableDocument as error:
            source = SourceText(text.raw, text.line_offset)
            findings = tuple(
                replace(finding, line=(finding.line or 1) + text.line_offset)
                for finding in error.report
            )
            report = Report(findings, text.file)
            yield Checked(text.file, "", "data", None, report, source, readable=False)
            return
        for part in parts(value, self.kind):
            widget_type = self.type_of(part)
            if isinstance(widget_type, _NoType):
                where = text.file if not part.pointer else f"{text.file} at {part.pointer}"
                yield Problem(where, widget_type.message, widget_type.code)
                continue
            report = (
                widget_type.check(part.value)
                if part.kind == "data"
                else widget_type.check_document(part.value)
            )
            if not report.valid:
                source = source if source.text else SourceText(text.raw, text.line_offset)
                report = _placed(report, part, source)
            hint = None if report.valid else _hint(part)
            yield Checked(
                text.file, part.pointer, part.kind, widget_type.id, report, source, hint=hint
            )

    def type_of(self, part: Part) -> WidgetType | _NoType:
        """The widget type to check a document against."""
        id = self.type_id
        if id is None and part.kind == "document" and type(part.value) is dict:
            own = part.value.get("type")
            if own is not None and not isinstance(own, str):
                return _NoType("the member type of the document is no text: give --type ID", 2)
            id = own
        if id is None:
            known = ", ".join(self.catalog.ids())
            return _NoType(f"of which widget type is this? give --type ID (known: {known})", 2)
        if id not in self._types:
            self._types[id] = self._load(id)
        return self._types[id]

    def _load(self, id: str) -> WidgetType | _NoType:
        from widgetschema.cli.main import exit_code

        try:
            return self.catalog[id]
        except UnknownWidgetType as error:
            return _NoType(str(error), 2)
        except WidgetSchemaError as error:
            return _NoType(f"the schema of widget type {id!r} cannot be used: {error}", exit_code(error))


def _placed(report: Report, part: Part, source: SourceText) -> Report:
    """The report with the paths and positions of the file."""
    findings = report.findings
    if part.pointer:
        findings = tuple(
            replace(finding, path=part.pointer + finding.path) for finding in findings
        )
    return Report(source.place(findings), report.subject)


def _hint(part: Part) -> str | None:
    """Whether the document looks as if it were of another kind than it was checked as."""
    value: Any = part.value
    if part.kind == "data" and is_document(value):
        return "this looks like a widget document: check it with --as document"
    if part.kind == "data" and is_record(value):
        return "this looks like a record of the widgets list, which carries no data"
    if part.kind == "document" and type(value) is dict and "data" not in value:
        return "if this is bare data, check it with --as data"
    return None
