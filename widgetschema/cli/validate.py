"""`widgetschema validate`: check files, folders, globs and standard input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import click

from widgetschema.catalog import Catalog
from widgetschema.cli.common import (
    catalog_for,
    color_option,
    fetch_option,
    format_option,
    provenance_text,
    schemas_option,
)
from widgetschema.cli.inputs import Part, Text, iter_texts, kind_hint, parts
from widgetschema.cli.main import INTERRUPTED, exit_code
from widgetschema.cli.output import Output, complain, encodable, say, style_for
from widgetschema.cli.placing import placed, refused
from widgetschema.documents import DEFAULT_LIMITS, preview, read
from widgetschema.errors import UnknownWidgetType, UnreadableDocument, WidgetSchemaError
from widgetschema.findings import Provenance
from widgetschema.reporters import (
    Checked,
    JsonReporter,
    Problem,
    Reporter,
    Summary,
    TextReporter,
)
from widgetschema.reporters.results import safe
from widgetschema.widget_type import WidgetType


@click.command("validate")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--type", "type_id", metavar="ID", help="The widget type of everything checked.")
@schemas_option
@fetch_option
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="What the files hold: bare data, or widget documents (records with a member data). "
    "Default: auto, which looks.",
)
@format_option
@click.option("--output", metavar="FILE", help="Write the findings to a file.")
@click.option("--engine", type=click.Choice(["rust", "python"]), help="Default: rust.")
@click.option("--no-formats", is_flag=True, help="Do not check formats such as date-time and uri.")
@click.option(
    "--max-findings", type=click.IntRange(min=0), metavar="N", help="Show at most N findings."
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first document that fails.")
@click.option("--quiet", "-q", is_flag=True, help="No summary: findings and problems only.")
@color_option
def command(
    paths: tuple[str, ...],
    type_id: str | None,
    schemas: str | None,
    fetch: str | None,
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
    catalog = catalog_for(schemas, fetch=fetch, formats=not no_formats, engine=engine)
    if type_id is not None:
        catalog[type_id]  # raises now, and once, if it is unknown or its schema is no good
    run = Run(catalog, type_id, kind, _reporter(output_format, output, color, max_findings), output)
    try:
        run.go(iter_texts(paths, DEFAULT_LIMITS, schemas), fail_fast)
    except KeyboardInterrupt:
        complain("interrupted")
        return run.end(quiet, INTERRUPTED)
    return run.end(quiet)


def _reporter(format: str, output: str | None, color: str, most: int | None) -> Reporter:
    if format == "json":
        return JsonReporter(most)
    show = safe if output is not None else lambda text: encodable(safe(text))
    return TextReporter(style_for(color, output is not None), most, show)


class _NoType(NamedTuple):
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
        output: str | None,
    ) -> None:
        self.catalog = catalog
        self.type_id = type_id
        self.kind = kind
        self.reporter = reporter
        self.output = Output(output)
        self.summary = Summary()
        self.problems: list[Problem] = []
        self._types: dict[str, WidgetType | _NoType] = {}
        self._mentioned = ""  # the last file of which another type was mentioned

    def go(self, texts: Iterable[Text | Problem | str], fail_fast: bool) -> None:
        """Check everything."""
        for text in texts:
            if isinstance(text, str):
                self.summary = self.summary._replace(files=self.summary.files + 1)
                continue
            results = [text] if isinstance(text, Problem) else self.check(text)
            for result in results:
                if isinstance(result, Problem):
                    self.summary = self.summary.with_problem(result)
                    self.problems.append(result)
                    self.output.flush()
                    complain(str(result))
                else:
                    self.summary = self.summary.with_checked(result)
                    self.output.write(self.reporter.checked(result))
                if fail_fast and self.summary.code:
                    return

    def end(self, quiet: bool, code: int = 0) -> int:
        """Close the output, and sum up; the exit code, which is at least `code`."""
        self.summary = self.summary._replace(code=max(self.summary.code, code))
        self.output.write(self.reporter.end(self.summary, self.problems, self.schemas))
        code = max(self.summary.code, self.output.close())
        if not quiet:
            say(str(self.summary))
            if self.schemas:
                say(f"schemas: {'; '.join(provenance_text(one) for one in self.schemas)}")
        return code

    @property
    def schemas(self) -> list[Provenance]:
        """Where the schemas that decided came from, each once."""
        used = [one for one in self._types.values() if isinstance(one, WidgetType)]
        return [*dict.fromkeys(one for widget_type in used for one in widget_type.provenance)]

    def check(self, text: Text) -> Iterable[Checked | Problem]:
        """The documents of one text."""
        try:
            value = read(text.raw, DEFAULT_LIMITS, text.file)
        except UnreadableDocument as error:
            return [refused(text, error.report)]
        results = [self.check_part(text.file, part) for part in parts(value, self.kind)]
        if all(isinstance(result, Checked) and result.report.valid for result in results):
            return results
        return placed(results, text)

    def check_part(self, file: str, part: Part) -> Checked | Problem:
        """One document; paths begin at it, and there are no positions yet."""
        widget_type = self.type_of(part)
        if isinstance(widget_type, _NoType):
            return Problem(file, widget_type.message, widget_type.code, part.pointer)
        hint = None
        if part.kind == "document":
            self.mention_other_type(file, part)
            report = widget_type.check_document(part.value)  # gives the hint itself
        else:
            report = widget_type.check(part.value)
            hint = None if report.valid else kind_hint(part)
        return Checked(file, part.pointer, part.kind, widget_type.id, report, hint=hint)

    def mention_other_type(self, file: str, part: Part) -> None:
        """Say, once a file, that --type was stronger than a document's own type."""
        own = part.value.get("type") if type(part.value) is dict else None
        if self.type_id in (None, own) or not isinstance(own, str) or file == self._mentioned:
            return
        self._mentioned = file
        where = f" at {part.pointer}" if part.pointer else ""
        complain(
            f"{safe(file)}{safe(where)}: says that it is of the type {preview(own, 40)}, but is "
            f"checked as {preview(self.type_id, 40)}, because of --type"
        )

    def type_of(self, part: Part) -> WidgetType | _NoType:
        """The widget type to check a document against."""
        id = self.type_id
        if id is None and part.kind == "document":
            if type(part.value) is not dict:
                return _NoType("this is not an object, and so not a widget document", 1)
            id = part.value.get("type")
            if id is not None and not isinstance(id, str):
                message = 'the member "type" of the document is not a string: give --type ID'
                return _NoType(message, 2)
        if id is None:
            known = ", ".join(map(repr, self.catalog.ids()[:12]))
            hint = kind_hint(part)
            message = f"of which widget type is this? give --type ID (known: {known})"
            return _NoType(f"{message}; {hint}" if hint else message, 2)
        if id not in self._types:
            self._types[id] = self._load(id)
        return self._types[id]

    def _load(self, id: str) -> WidgetType | _NoType:
        try:
            return self.catalog[id]
        except UnknownWidgetType as error:
            return _NoType(str(error), 2)
        except WidgetSchemaError as error:
            message = f"the schema of widget type {id!r} cannot be used: {error}"
            return _NoType(message, exit_code(error))
