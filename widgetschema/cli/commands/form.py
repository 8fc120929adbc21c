"""`widgetschema form`: creates a widget in a form in the browser, or exports the form."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from widgetschema.cli.commands.editor_page import (
    check_name,
    print_ui_notes,
    read_language,
    read_page_theme,
    read_preview,
    read_ui,
    serve,
    serving_options,
)
from widgetschema.cli.common import configured_type
from widgetschema.cli.console.output import Output, print_error, reason
from widgetschema.cli.options import (
    data_schema_option,
    fetch_option,
    force_output_option,
    parse_seed,
    schemas_option,
    strict_schema_option,
)
from widgetschema.cli.pipeline.selection import guard_output, refuse_existing
from widgetschema.files import write_atomically
from widgetschema.jsontext import dump
from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.forms import Form
    from widgetschema.forms.exports import Export


@click.command("form")
@click.argument("type_id", metavar="[ID]", required=False)
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--sample", is_flag=True, help="Start with a sample. Default: minimal valid data.")
@click.option("--seed", metavar="S", help="Use this seed for the sample: a text or a number.")
@click.option(
    "--index",
    type=click.IntRange(min=0),
    metavar="N",
    help="Use the sample with this index. Default: 0.",
)
@click.option("--document", is_flag=True, help="Create a widget document around the data.")
@click.option(
    "--export",
    type=click.Choice(["rjsf", "jsonforms", "html"]),
    help="Export the form for react-jsonschema-form or JSON Forms, or as an HTML page.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="Write the export to FILE, or to a folder, with the components that it needs. Default: "
    "standard output.",
)
@force_output_option
@schemas_option
@data_schema_option
@fetch_option
@strict_schema_option
@serving_options
def command(
    type_id: str | None,
    file: str | None,
    sample: bool,
    seed: str | None,
    index: int | None,
    document: bool,
    export: str | None,
    output: str | None,
    force: bool,
    schemas: str | None,
    data_schema: str | None,
    fetch: str | None,
    strict_schema: bool,
    ui: str | None,
    theme: str | None,
    lang: str | None,
    translations: str | None,
    preview_command: str | None,
    preview_url: str | None,
    port: int,
    no_browser: bool,
) -> int:
    """Create a widget of the type ID in a form in the browser, as `edit` does.

    The widget is saved to FILE, by default ID.json, which must not exist yet. With --export, the
    form is written for another library instead; what that library cannot represent is listed on
    standard error. With --data-schema, ID can be left out: it is the name of that file then.
    """
    if data_schema is not None and file is None:
        type_id, file = None, type_id
    _refuse_without_effect(
        (not sample, {"--seed": seed, "--index": index}, "without --sample"),
        (export is None, {"--output": output}, "without --export"),
        (output is None, {"--force": force or None}, "without --output"),
        (export is not None, {"FILE": file, "--port": port or None}, "with --export"),
        (export is not None, {"--preview-command": preview_command}, "with --export"),
        (export is not None, {"--preview-url": preview_url}, "with --export"),
        (export not in (None, "html"), {"--theme": theme}, f"with --export {export}"),
    )
    preview = read_preview(preview_command, preview_url)
    language = read_language(lang, translations)
    page_theme = read_page_theme(theme)
    guard_output(output, ui, data_schema, schemas=schemas)
    refuse_existing(output, force=force, is_earlier=_is_export)
    catalog, widget_type = configured_type(
        type_id, schemas, fetch, data_schema, strict=strict_schema
    )
    value = widget_type.sample(parse_seed(seed), index or 0) if sample else widget_type.minimal()
    if document:
        value = widget_type.as_document(value, f"{seed or 0}/{index or 0}")
    text, at, ui_description = dump(value), "/data" if document else "", read_ui(ui)
    form = widget_type.form_json(text, at=at, ui=ui_description, lang=language)
    print_ui_notes(form, ui)
    if export is not None:
        return _export(form, export, output, theme, force=force)
    from widgetschema.editor import DocumentOpener, EditedFile, EditorSession
    from widgetschema.project.checking.checker import Checker

    file = file or _default_file(widget_type.id)
    _check_new_file(file)
    checker = Checker(catalog, type_id=widget_type.id, kind="document" if document else "data")
    session = EditorSession(
        EditedFile(file), DocumentOpener(checker, file, ui=ui_description), text, preview, language
    )
    return serve(
        session, f"{file} ({widget_type.id})", theme=page_theme, port=port, no_browser=no_browser
    )


def _check_new_file(file: str) -> None:
    """Raise a usage error if the file cannot be created."""
    check_name(file)
    if os.path.isdir(file):
        raise click.UsageError(f"{file} is a folder: name a file in it.")
    if os.path.lexists(file):
        raise click.UsageError(f"{file} exists already: run: widgetschema edit {file}")
    if not os.path.isdir(os.path.dirname(file) or "."):
        raise click.UsageError(f"There is no folder {os.path.dirname(file)}.")


def _export(form: Form, target: str, output: str | None, theme: str | None, *, force: bool) -> int:
    """Export the form, print what the target cannot represent, and return the exit code."""
    if target == "html":
        return _write(form.page(theme=theme or "plain"), output)
    export = form.to_rjsf() if target == "rjsf" else form.to_jsonforms()
    if output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output)):
        _write_folder(export, output, force=force)
        code = 0
    else:
        code = _write(dump(export.as_dict()), output)
        if export.fields:
            fields = ", ".join(export.fields)
            print_error(
                f"the form needs the field {fields}: export it to a folder, for example with "
                "--output form/, to get its component"
            )
    if export.losses:
        losses = "\n".join(f"  {loss}" for loss in export.losses)
        print_error(f"{target} cannot represent {plural(len(export.losses), 'rule')}:\n{losses}")
    return code


def _write_folder(export: Export, folder: str, *, force: bool) -> None:
    """Write all files of an export. Raise a usage error for one that somebody has changed."""
    for name, text in export.files.items():
        known = text.encode()

        def is_earlier(begin: bytes, known: bytes = known) -> bool:
            return known.startswith(begin) or _is_export(begin)

        refuse_existing(os.path.join(folder, name), force=force, is_earlier=is_earlier)
    try:
        export.write(folder)
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {reason(error)}", folder) from None


def _is_export(begin: bytes) -> bool:
    return artifact_kind(begin) == "exported form"


def _write(text: str, output: str | None) -> int:
    """Write a text for a program, and return the exit code. Raises `OSError` with the file name."""
    if output is not None and output != "-":
        try:
            write_atomically(output, text)
        except OSError as error:
            raise OSError(error.errno, f"cannot be written: {reason(error)}", output) from None
        return 0
    out = Output(None)
    out.write_exact(text)
    return out.close()


def _default_file(type_id: str) -> str:
    """Return the name of a new file. Raises a usage error if the id is not a file name."""
    name = f"{type_id}.json"
    if os.path.basename(name) != name or name.startswith(".") or not name.isprintable():
        raise click.UsageError(f"{type_id} cannot be a file name: pass FILE.")
    return name


def _refuse_without_effect(*rules: tuple[bool, dict[str, Any], str]) -> None:
    """Raise a usage error for an option that has no effect with the others."""
    for holds, options, why in rules:
        given = [name for name, value in options.items() if value is not None]
        if holds and given:
            raise click.UsageError(f"{given[0]} has no effect {why}.")
