"""`widgetschema form`: creates a widget in a form in the browser, or exports the form."""

from __future__ import annotations

import os
from typing import Any

import click

from widgetschema.cli.commands.form import (
    EXPORT_HELP,
    EXPORT_TARGETS,
    FormOptions,
    export_form,
    form_options,
    new_form,
    refuse_without_effect,
)
from widgetschema.cli.page_options import read_page_theme
from widgetschema.editor.commands.page import check_name, preview_options, read_preview, serve


@click.command("form")
@click.argument("type_id", metavar="[ID]", required=False)
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--export", type=click.Choice(EXPORT_TARGETS), help=EXPORT_HELP)
@form_options
@preview_options
def command(
    type_id: str | None,
    file: str | None,
    export: str | None,
    preview_command: str | None,
    preview_url: str | None,
    port: int,
    no_browser: bool,
    **options: Any,
) -> int:
    """Create a widget of the type ID in a form in the browser, as `edit` does.

    The widget is saved to FILE, by default ID.json, which must not exist yet. With --export, the
    form is written for another library instead; what that library cannot represent is listed on
    standard error. With --data-schema, ID can be left out: it is the name of that file then.
    """
    if options["data_schema"] is not None and file is None:
        type_id, file = None, type_id
    refuse_without_effect(
        (export is not None, {"FILE": file, "--port": port or None}, "with --export"),
        (export is not None, {"--preview-command": preview_command}, "with --export"),
        (export is not None, {"--preview-url": preview_url}, "with --export"),
    )
    given = FormOptions(type_id, export, **options)
    preview = read_preview(preview_command, preview_url)
    new = new_form(given)
    if export is not None:
        return export_form(new, given)
    from widgetschema.editor import DocumentOpener, EditedFile, EditorSession
    from widgetschema.project.checking.checker import Checker

    file = file or _default_file(new.widget_type.id)
    _check_new_file(file)
    kind = "document" if given.document else "data"
    checker = Checker(new.catalog, type_id=new.widget_type.id, kind=kind)
    opener = DocumentOpener(checker, file, ui=new.ui)
    session = EditorSession(EditedFile(file), opener, new.text, preview, new.language)
    theme, what = read_page_theme(given.theme), f"{file} ({new.widget_type.id})"
    return serve(session, what, theme=theme, port=port, no_browser=no_browser)


def _check_new_file(file: str) -> None:
    """Raise a usage error if the file cannot be created."""
    check_name(file)
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
