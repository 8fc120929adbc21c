"""`widgetschema form`: creates a widget in a form in the browser, or exports the form."""

from __future__ import annotations

import os

import click

from widgetschema.cli.commands.form import (
    EXPORT_HELP,
    EXPORT_TARGETS,
    FormOptions,
    export_form,
    new_form,
    refuse_without_effect,
)
from widgetschema.cli.declared import argument, option
from widgetschema.editor.commands.page import ServedOptions, check_name, read_preview, serve


class NewFileOptions(FormOptions, ServedOptions):
    """The options of the command."""

    type_id: str | None = argument(metavar="[ID]", required=False)
    file: str | None = argument(metavar="[FILE]", required=False)
    export: str | None = option("--export", type=click.Choice(EXPORT_TARGETS), help=EXPORT_HELP)


@NewFileOptions.command("form")
def command(options: NewFileOptions) -> int:
    """Create a widget of the type ID in a form in the browser, as `edit` does.

    The widget is saved to FILE, by default ID.json, which must not exist yet. With --export, the
    form is written for another library instead; what that library cannot represent is listed on
    standard error. With --data-schema, ID can be omitted; it is then the name of that file.
    """
    if options.data_schema is not None and options.file is None:
        options = options.replace(type_id=None, file=options.type_id)
    is_exported = options.export is not None
    refuse_without_effect(
        (is_exported, {"FILE": options.file, "--port": options.port or None}, "with --export"),
        (is_exported, {"--preview-command": options.preview_command}, "with --export"),
        (is_exported, {"--preview-url": options.preview_url}, "with --export"),
    )
    preview = read_preview(options.preview_command, options.preview_url)
    new = new_form(options)
    if is_exported:
        return export_form(new, options)
    from widgetschema.editor import DocumentOpener, EditorSession
    from widgetschema.project.checking.checker import Checker
    from widgetschema.project.edited_file import EditedFile

    file = options.file or _default_file(new.widget_type.id)
    _check_new_file(file, options.data_schema)
    kind = "document" if options.document else "data"
    checker = Checker(new.catalog, type_id=new.widget_type.id, kind=kind)
    opener = DocumentOpener(checker, file, ui=new.ui)
    session = EditorSession(EditedFile(file), opener, new.text, preview, new.language)
    return serve(session, f"{file} ({new.widget_type.id})", options)


def _check_new_file(file: str, schema: str | None) -> None:
    """Raise a usage error if the file cannot be created."""
    check_name(file)
    if schema is not None and os.path.exists(file) and os.path.samefile(file, schema):
        raise click.UsageError(f"{file} is the schema: name the new file, in FILE.")
    if os.path.isdir(file):
        raise click.UsageError(f"{file} is a folder: name a file in it.")
    if os.path.lexists(file):
        raise click.UsageError(f"{file} exists already: run: widgetschema edit {file}")
    if not os.path.isdir(os.path.dirname(file) or "."):
        raise click.UsageError(f"There is no folder {os.path.dirname(file)}.")


def _default_file(type_id: str) -> str:
    """Return the name of a new file. Raises a usage error if the id is not a file name."""
    name = f"{type_id}.json"
    if os.path.basename(name) != name or name.startswith(".") or not name.isprintable():
        raise click.UsageError(f"{type_id} cannot be a file name: pass FILE.")
    return name
