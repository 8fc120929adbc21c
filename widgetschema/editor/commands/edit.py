"""`widgetschema edit`: edits a file in a form in the browser."""

from __future__ import annotations

import os

import click

from widgetschema.cli.console.output import print_error
from widgetschema.cli.declared import argument, option
from widgetschema.cli.options import ConfigurationOptions, TypeOptions, kind_option
from widgetschema.cli.page_options import (
    print_ui_notes,
    read_language,
    read_page_theme,
    read_ui,
)
from widgetschema.editor.commands.page import (
    ServedOptions,
    check_name,
    compressed_error,
    read_editable_text,
    read_preview,
    serve,
)
from widgetschema.files import read_head, remove_unfinished


class EditOptions(TypeOptions, ServedOptions, ConfigurationOptions):
    """The options of the command."""

    file: str = argument(metavar="FILE")
    type_id: str | None = option("--type", metavar="ID", help="The widget type of the data.")
    kind: str = kind_option(
        "Read the file as widget data, or as a widget document (a record with a data property)."
    )
    at: str | None = option(
        "--at",
        metavar="POINTER",
        help="Edit the document at this JSON Pointer, such as /docs/0. Default: the only one.",
    )


@EditOptions.command("edit")
def command(options: EditOptions) -> int:
    """Edit FILE in a form in the browser, with its JSON beside the form.

    FILE contains widget data or a widget document; its type is determined as in `validate`.
    The page shows findings, and the difference before you save. Everything that you do not edit
    stays the same, byte for byte. The page is served on 127.0.0.1; Ctrl-C ends it.
    """
    from widgetschema.cli.common import catalog_for
    from widgetschema.editor import DocumentOpener, EditorSession
    from widgetschema.project.checking.checker import Checker
    from widgetschema.project.edited_file import EditedFile

    check_name(options.file)
    _check(options.file, options.at)
    preview = read_preview(options.preview_command, options.preview_url)
    language = read_language(options.lang, options.translations)
    read_page_theme(options.theme)
    nearest = options.configurations()
    configuration, type_id = nearest.for_file(options.file), options.only_type
    for error in nearest.errors.values():
        raise error
    remove_unfinished([options.file])
    text = read_editable_text(options.file, configuration.limits)
    catalog = catalog_for(configuration, options.schemas)
    if type_id is not None:
        catalog[type_id]  # raises now if it is unknown or unusable
    checker = Checker(
        catalog,
        type_id=type_id,
        kind=options.kind,
        type_for=configuration.type_for,
        limits=configuration.limits,
    )
    opener = DocumentOpener(checker, options.file, at=options.at, ui=read_ui(options.ui))
    opened = opener.open(text)
    if opened.code:
        print_error(f"{options.file}: {opened.problem}")
        return opened.code
    print_ui_notes(opened.form, options.ui)
    note = None if opened.type_id is None else checker.note_on(opened.type_id)
    if note is not None:
        print_error(note)
    if opened.part is not None and opened.widget_type is not None:
        doubt = checker.note_on_kind(opened.part, opened.widget_type)
        if doubt is not None:
            print_error(f"{options.file}: {doubt}")
    what = f"{options.file} ({opened.type_id})" if opened.type_id else options.file
    session = EditorSession(EditedFile(options.file), opener, preview=preview, language=language)
    return serve(session, what, options)


def _check(file: str, at: str | None) -> None:
    """Raise a usage error unless FILE is a text file and `at` a JSON Pointer."""
    if os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file):
        raise click.UsageError(f"{file} is not a regular file: changes could not be saved.")
    if os.path.isfile(file) and read_head(file, 2) == b"\x1f\x8b":
        raise click.UsageError(compressed_error(file))
    if at is not None and at and not at.startswith("/"):
        raise click.UsageError(f"--at {at} is not a JSON Pointer: write --at /{at}")
