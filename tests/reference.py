"""The parts of reference pages that are made of what the package declares.

`python -m tests.manual --write` writes them into the pages; see there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import click
from click.testing import CliRunner

from tests.python_reference import entries
from widgetschema.manual_pages import reported
from widgetschema.removed import REMOVED, Kind


def settings() -> Iterator[str]:
    """Yield a section for each setting."""
    from widgetschema.project.config.settings import SETTINGS

    for setting in SETTINGS.values():
        schema = setting.schema
        yield from (f"## `{setting.name}`", "")
        yield from (f"{setting.help} {setting.details}".strip().replace("*", r"\*"), "")
        of_run = "the run: the configuration nearest to the working directory"
        yield f"- Belongs to {of_run if setting.scope == 'run' else 'each file: its nearest one'}"
        if setting.default not in (None, (), {}):
            yield f"- Default: `{_toml(setting.default)}`"
        if "enum" in schema:
            yield f"- One of: {', '.join(f'`{choice}`' for choice in schema['enum'])}"
        if "maximum" in schema:
            yield f"- From {schema['minimum']:,} to {schema['maximum']:,}"
        if setting.variable:
            yield f"- Environment variable: `{setting.variable}`"
        if setting.option:
            yield f"- Option: `{setting.option}`"
        members = schema.get("items", {}).get("properties", {})
        for name, member in members.items():
            yield f"- `{name}`: {member['description']}".replace("*", r"\*")
        yield ""


def variables() -> Iterator[str]:
    """Yield the environment variables that are not settings."""
    from widgetschema.files import FOLDER_VARIABLES
    from widgetschema.platform.variables import PREFIX, VARIABLES
    from widgetschema.project.config.settings import FILE_VARIABLE, SETTINGS

    settings = {setting.variable for setting in SETTINGS.values()}
    yield from ("| variable | meaning |", "| --- | --- |")
    yield f"| `{FILE_VARIABLE}` | The configuration file, in place of the nearest one. |"
    for name, meaning in VARIABLES.items():
        if PREFIX + name not in settings:
            yield f"| `{PREFIX}{name}` | {meaning} |"
    for name, meaning in FOLDER_VARIABLES.items():
        yield f"| `{name}` | {meaning} |"


def exit_codes() -> Iterator[str]:
    """Yield the table of the errors behind each exit code."""
    from widgetschema.project.checking.exit_codes import EXIT_CODES

    yield "| exit code | errors |"
    yield "| --- | --- |"
    codes = sorted({code for _, code in EXIT_CODES})
    for code in codes:
        names = sorted(kind.__name__ for kind, one in EXIT_CODES if one == code)
        yield f"| {code} | {', '.join(f'`{name}`' for name in names)} |"


def assumptions() -> Iterator[str]:
    """Yield what the sandbox assumes of the platform."""
    from widgetschema.sandbox import ASSUMPTIONS

    yield from (f"- {assumption}" for assumption in ASSUMPTIONS)


def report_formats() -> Iterator[str]:
    """Yield the table of report formats."""
    from widgetschema.project.report_formats import AUTO, own_names, report_format

    yield "| format | for |"
    yield "| --- | --- |"
    for name in own_names():
        if name != AUTO:
            yield f"| `{name}` | {report_format(name).description} |"
    yield f"| `{AUTO}` | `github` in a GitHub workflow, `text` elsewhere; the default |"


def themes() -> Iterator[str]:
    """Yield the table of the ready themes of forms."""
    from widgetschema.forms.html.themes import THEMES

    yield from ("| theme | look |", "| --- | --- |")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in THEMES.items())


def templates() -> Iterator[str]:
    """Yield the templates of forms with their variables."""
    from widgetschema.forms.html.template_variables import FIELD, TEMPLATES

    yield from ("### Variables of a field", "", "| variable | meaning |", "| --- | --- |")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in FIELD.items())
    yield from ("", "### All templates", "")
    for name, spec in TEMPLATES.items():
        yield from (f"#### `{name}.html`", "", f"{spec.purpose[:1].upper()}{spec.purpose[1:]}.", "")
        own = dict(spec.variables)
        if FIELD.keys() <= own.keys():
            yield from ("All [variables of a field](#variables-of-a-field).", "")
            own = {one: meaning for one, meaning in own.items() if one not in FIELD}
        if own:
            yield from ("| variable | meaning |", "| --- | --- |")
            yield from (f"| `{one}` | {meaning} |" for one, meaning in own.items())
            yield ""


def custom_properties() -> Iterator[str]:
    """Yield the table of the custom properties of forms, from the style sheet."""
    from widgetschema.forms.html import stylesheet

    css = stylesheet()
    dark = dict(re.findall(r"(--ws-[\w-]+): light-dark\([^,]+, (#\w+)\);", css))
    found = re.findall(
        r"^  (--ws-[\w-]+): ([^;]+); /\* (.+) \*/$", css[: css.index("\n}")], re.MULTILINE
    )
    yield from ("| custom property | for | default | dark |", "| --- | --- | --- | --- |")
    for name, value, meaning in found:
        shown = f"`{dark[name]}`" if name in dark else ""
        yield f"| `{name}` | {meaning} | `{value}` | {shown} |"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def findings(*category: str) -> Iterator[str]:
    """Yield the table of the codes of a category, with links to their pages."""
    yield from ("| code | what has to be | `--fix` |", "| --- | --- | --- |")
    for one in reported():
        if one.category == " ".join(category):
            link = f"[`{one.code}`](findings/{one.code}.md)"
            yield f"| {link} | {one.rule} | {'yes' if one.fix else ''} |"


def commands() -> Iterator[str]:
    """Yield the help of each command."""
    from widgetschema.cli.main import cli

    def of(command: click.Command, words: tuple[str, ...]) -> Iterator[str]:
        name = " ".join(("widgetschema", *words))
        result = CliRunner().invoke(
            cli, [*words, "--help"], prog_name="widgetschema", terminal_width=88
        )
        yield from (f"## `{name}`", "", "```text", result.output.rstrip(), "```", "")
        if isinstance(command, click.Group):
            with click.Context(command) as context:
                for inner in command.list_commands(context):
                    found = command.get_command(context, inner)
                    assert found is not None
                    yield from of(found, (*words, inner))

    yield from of(cli, ())


def ui_options() -> Iterator[str]:
    """Yield a section for each option of a UI description."""
    from widgetschema.forms import ui_description_schema

    definitions = ui_description_schema()["definitions"]
    for name, option in definitions["options"]["properties"].items():
        yield from (f"### `{name}`", "", option["description"], "")
        yield f"- Type: {option['type']}" if "type" in option else ""
        if "allOf" in option:
            yield "- Type: string, or an object with a string for each language"
        choices = [one for part in option.get("anyOf", ()) for one in part.get("enum", ())]
        choices = option.get("enum", choices)
        if choices:
            yield f"- One of: {', '.join(f'`{choice}`' for choice in choices)}"
        target = option.get("items", {}).get("$ref", "").removeprefix("#/definitions/")
        for member, inner in definitions.get(target, {}).get("properties", {}).items():
            inner = definitions.get(inner.get("$ref", "").removeprefix("#/definitions/"), inner)
            yield f"- `{member}`: {inner['description']}"
        yield ""


def steps() -> Iterator[str]:
    """Yield a section for each kind of step of a migration."""
    from widgetschema.evolution.migrate.plan import KINDS

    for name, kind in KINDS.items():
        yield from (f"## `{name}`", "", kind.summary, "")
        table = kind.schema()
        for option in [*table["properties"]][2:]:  # all have a kind, and a place
            schema = table["properties"][option]
            needed = " (required)" if option in table["required"] else ""
            yield f"- `{option}`{needed}: {schema['description']}".replace("*", r"\*")
            if "enum" in schema:
                yield f"  One of: {', '.join(f'`{choice}`' for choice in schema['enum'])}."
        yield ""


def removed(kind: Kind) -> Iterator[str]:
    """Yield a table of removed names of a kind, and what to do instead."""
    yield from (f"| {kind} | instead |", "| --- | --- |")
    for name, advice in REMOVED[kind].items():
        advice = re.sub(r"--[a-z-]+( /\w+)?|[\w.]+\.\w+", r"`\g<0>`", advice)
        yield f"| `{name}` | {advice[0].upper()}{advice[1:]} |"


PARTS: Final[dict[str, Callable[..., Iterator[str]]]] = {
    "findings": findings,
    "commands": commands,
    "python": entries,
    "settings": settings,
    "steps": steps,
    "variables": variables,
    "exit-codes": exit_codes,
    "assumptions": assumptions,
    "report-formats": report_formats,
    "ui-options": ui_options,
    "themes": themes,
    "custom-properties": custom_properties,
    "templates": templates,
    "removed": removed,
}


def generated(name: str) -> str:
    """Return a part of a page: `name` is one of `PARTS`, and what it is about."""
    kind, *about = name.split()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(PARTS[kind](*about)).strip("\n") + "\n")
