"""`widgetschema form`: a new widget by a form in a browser, or a form for another library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from widgetschema.cli.commands.serving import (
    check_name,
    describing,
    description,
    serve,
    serving_options,
)
from widgetschema.cli.common import configured_catalog
from widgetschema.cli.console.output import Output, print_error, reason
from widgetschema.cli.options import fetch_option, parse_seed, schemas_option
from widgetschema.cli.pipeline.selection import guard_output
from widgetschema.files import write_atomically
from widgetschema.jsontext import dump
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.forms import Form


@click.command("form")
@click.argument("type_id", metavar="ID")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--sample", is_flag=True, help="Begin with a sample. Default: the least valid data.")
@click.option("--seed", metavar="S", help="The seed of the sample: text or a number.")
@click.option(
    "--index", type=click.IntRange(min=0), metavar="N", help="Which sample of the seed. Default: 0."
)
@click.option("--document", is_flag=True, help="A widget document around the data.")
@click.option(
    "--export",
    type=click.Choice(["rjsf", "jsonforms", "html"]),
    help="Write the form for react-jsonschema-form or JSON Forms, or as a page; edit nothing.",
)
@click.option("--output", metavar="FILE", help="Where the export goes. Default: standard output.")
@schemas_option
@fetch_option
@serving_options
def command(
    type_id: str,
    file: str | None,
    sample: bool,
    seed: str | None,
    index: int | None,
    document: bool,
    export: str | None,
    output: str | None,
    schemas: str | None,
    fetch: str | None,
    ui: str | None,
    port: int,
    no_browser: bool,
) -> int:
    """Make a new widget of the type ID by a form, on a page on 127.0.0.1; see `edit`.

    It is written to FILE when it is saved, by default ID.json, which must not be there yet. With
    --export, the form is written for another library instead; what that cannot represent is said
    on standard error.
    """
    _refuse_meaningless(
        (not sample, {"--seed": seed, "--index": index}, "without --sample"),
        (export is None, {"--output": output}, "without --export"),
        (export is not None, {"FILE": file, "--port": port or None}, "with --export"),
    )
    guard_output(output, ui, schemas=schemas)
    catalog = configured_catalog(schemas, fetch)
    widget_type = catalog[type_id]
    value = widget_type.sample(parse_seed(seed), index or 0) if sample else widget_type.minimal()
    if document:
        value = widget_type.as_document(value, f"{seed or 0}/{index or 0}")
    text, at, said = dump(value), "/data" if document else "", description(ui)
    with describing(ui):
        form = widget_type.form_json(text, at=at, ui=said)
    if export is not None:
        return _export(form, export, output)
    from widgetschema.editor import DocumentOpener, EditedFile, EditorSession
    from widgetschema.project.checking.checker import Checker

    file = file or _default(type_id)
    _check_free(file)
    checker = Checker(catalog, type_id=type_id, kind="document" if document else "data")
    editing = EditorSession(EditedFile(file), DocumentOpener(checker, file, ui=said), text)
    return serve(editing, f"{file} ({type_id})", port=port, no_browser=no_browser)


def _check_free(file: str) -> None:
    """Raise a usage error if a new file cannot be made there."""
    check_name(file)
    if os.path.isdir(file):
        raise click.UsageError(f"{file} is a folder: give the name of a file in it.")
    if os.path.lexists(file):
        raise click.UsageError(f"{file} is there already: edit it with: widgetschema edit {file}")
    if not os.path.isdir(os.path.dirname(file) or "."):
        raise click.UsageError(f"there is no folder {os.path.dirname(file)}")


def _export(form: Form, target: str, output: str | None) -> int:
    """Write the form for somebody else; say what is lost."""
    if target == "html":
        return _written(form.page(), output)
    export = form.to_rjsf() if target == "rjsf" else form.to_jsonforms()
    code = _written(dump(export.as_dict()), output)
    if export.losses:
        losses = "\n".join(f"  {loss}" for loss in export.losses)
        print_error(
            f"{plural(len(export.losses), 'thing')} that {target} cannot represent:\n{losses}"
        )
    return code


def _written(text: str, output: str | None) -> int:
    """Write a text for a program; the exit code. Raises `OSError` with the name of the file."""
    if output is not None and output != "-":
        try:
            write_atomically(output, text)
        except OSError as error:
            raise OSError(error.errno, f"cannot be written: {reason(error)}", output) from None
        return 0
    out = Output(None)
    out.write_exact(text)
    return out.close()


def _default(type_id: str) -> str:
    """The name of a new file. Raises a usage error for an id that is no name of one."""
    name = f"{type_id}.json"
    if os.path.basename(name) != name or name.startswith(".") or not name.isprintable():
        raise click.UsageError(f"{type_id} is no name of a file: give FILE.")
    return name


def _refuse_meaningless(*rules: tuple[bool, dict[str, Any], str]) -> None:
    """Raise for what means nothing beside the rest: who gives it expects something else."""
    for holds, options, why in rules:
        given = [name for name, value in options.items() if value is not None]
        if holds and given:
            raise click.UsageError(f"{given[0]} means nothing {why}.")
