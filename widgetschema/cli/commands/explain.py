"""`widgetschema explain`: the manual's page about a code of findings, in the terminal."""

from __future__ import annotations

import os
import re
from typing import Final

import click

from widgetschema.cli.console.output import Output, style_for, write_output
from widgetschema.cli.declared import argument
from widgetschema.cli.options import ConfigurationOptions, color_option, format_option
from widgetschema.jsontext import dump
from widgetschema.manual_pages import as_text, code_page, reported
from widgetschema.pointers import display_pointer
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.config.rules import codes_like
from widgetschema.reporters.style import table
from widgetschema.schema.keywords import KEYWORDS, Keyword
from widgetschema.text import printable

_FINGERPRINT: Final = re.compile("[0-9a-f]{20}")


class ExplainOptions(ConfigurationOptions):
    """The options of the command."""

    code: str | None = argument(required=False)
    output_format: str = format_option
    color: str = color_option


@ExplainOptions.command("explain")
def command(options: ExplainOptions) -> int:
    """Explain a code of findings: what it means, an example, and how to fix it.

    CODE is a code from a report, such as type or json.syntax. Without it, all codes are listed.
    CODE can also be the fingerprint of a finding. The command searches the baseline for it, then
    checks the files of the configuration, or of this folder.
    """
    code, is_json = options.code, options.output_format == "json"
    if code is None:
        every = [*reported()]
        if is_json:
            return write_output(dump({"version": 1, "codes": [_as_dict(one) for one in every]}))
        return write_output(table([(one.code, one.rule) for one in every]))
    found: str | None = None
    if _FINGERPRINT.fullmatch(code):
        found, code = _finding(code, options)
    entry = _entry(code)
    if is_json:
        return write_output(dump({"version": 1, "finding": found, **_as_dict(entry)}))
    style = style_for(options.color, to_file=False)
    head = "" if found is None else f"{found}\n\n"
    page = as_text(code_page(entry.code), lambda text: style("keyword", text))
    return write_output(head + page)


def _entry(code: str) -> Keyword:
    """Return the entry of a code with which there are findings."""
    entry = KEYWORDS.get(code)
    if entry is not None and entry.repair:
        return entry
    shown = printable(code[:100])
    if entry is not None:
        raise click.UsageError(f"{shown!r} is a keyword of schemas, which no finding is about.")
    hint = codes_like(code[:100], [one.code for one in reported()])  # a question, or a command
    message = f"Unknown code {shown!r}; {hint}"
    raise click.UsageError(message)


def _as_dict(one: Keyword) -> dict[str, str | bool | None]:
    return {
        "code": one.code,
        "category": one.category,
        "rule": one.rule,
        "description": one.description,
        "repair": one.repair,
        "fix": one.fix or None,
        "specification": one.specification,
    }


def _finding(fingerprint: str, options: ExplainOptions) -> tuple[str, str]:
    """Return a finding as text, and its code."""
    from widgetschema.cli.pipeline.result_dispatch import OpenReport
    from widgetschema.cli.pipeline.validate_options import ValidateOptions
    from widgetschema.cli.pipeline.validation import plan
    from widgetschema.project.checking.baseline import Baseline

    settings = options.settings()
    if os.path.lexists(settings.baseline):
        for entry in Baseline.load(settings.baseline):
            if entry.fingerprint == fingerprint:
                name = printable(os.path.relpath(settings.baseline))
                return f"{printable(str(entry))} (in {name})", entry.keyword
    search = _Search(fingerprint)
    run = ValidateOptions(
        config=options.config, no_config=options.no_config, quiet=True, allow_empty=True
    )
    reports = [OpenReport(search, Output(None))]
    plan(run, settings)._replace(reports=reports).run()
    if search.found is None:
        raise click.UsageError(
            f"No finding has the fingerprint {fingerprint}, neither in the baseline nor in the "
            "files that are checked here. Pass the code of the finding instead."
        )
    return search.found


class _Search:
    """A reporter that writes nothing, and keeps the finding with a fingerprint."""

    def __init__(self, fingerprint: str) -> None:
        self.found: tuple[str, str] | None = None
        self._fingerprint = fingerprint

    def document(self, document: DocumentResult) -> str:
        """Look at the findings of a document, those that do not count among them."""
        for one in (*document.findings, *(excused.found for excused in document.suppressed)):
            if one.fingerprint == self._fingerprint:
                code, path = one.finding.keyword, display_pointer(one.finding.path)
                line = "" if one.finding.line is None else f":{one.finding.line}"
                text = f"{document.file}{line}: {code} {path}: {one.finding.message}"
                self.found = printable(text), code
        return ""

    def problem(self, problem: Problem) -> str:
        """Look at a problem."""
        if problem.fingerprint == self._fingerprint:
            self.found = printable(str(problem)), problem.keyword
        return ""

    def end(self, outcome: Outcome) -> str:
        """Look at the problems that do not count."""
        for excused in outcome.suppressed:
            self.problem(excused.found)
        return ""
