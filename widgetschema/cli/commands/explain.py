"""`widgetschema explain`: the manual's page about a code of findings, in the terminal."""

from __future__ import annotations

import click

from widgetschema.cli.console.output import Output, style_for
from widgetschema.cli.declared import Options, argument
from widgetschema.cli.options import color_option, format_option
from widgetschema.jsontext import dump
from widgetschema.manual_pages import as_text, code_page, reported
from widgetschema.project.config.rules import codes_like
from widgetschema.reporters.style import table
from widgetschema.schema.keywords import KEYWORDS, Keyword
from widgetschema.text import printable


class ExplainOptions(Options):
    """The options of the command."""

    code: str | None = argument(required=False)
    output_format: str = format_option
    color: str = color_option


@ExplainOptions.command("explain")
def command(options: ExplainOptions) -> int:
    """Explain a code of findings: what it means, an example, and how to fix it.

    CODE is a code from a report, such as type or json.syntax. Without it, all codes are listed.
    """
    output, code = Output(None), options.code
    if code is None:
        every = [*reported()]
        if options.output_format == "json":
            output.write(dump({"version": 1, "codes": [_as_dict(one) for one in every]}))
        else:
            output.write(table([(one.code, one.rule) for one in every]))
        return output.close()
    entry = _entry(code)
    if options.output_format == "json":
        output.write(dump({"version": 1, **_as_dict(entry)}))
        return output.close()
    style = style_for(options.color, to_file=False)
    output.write(as_text(code_page(entry.code), lambda text: style("keyword", text)))
    return output.close()


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
