"""`widgetschema edit`: edits a file in a form in the browser."""

from __future__ import annotations

import os

import click

from widgetschema.cli.console.output import print_error
from widgetschema.cli.options import (
    configuration_options,
    data_schema_option,
    data_schemas,
    fetch_option,
    only_type,
    schemas_option,
    strict_schema_option,
)
from widgetschema.cli.page_options import (
    page_options,
    print_ui_notes,
    read_language,
    read_page_theme,
    read_ui,
)
from widgetschema.editor.commands.page import (
    check_name,
    compressed_error,
    preview_options,
    read_editable_text,
    read_preview,
    serve,
)


@click.command("edit")
@click.argument("file", metavar="FILE")
@click.option("--type", "type_id", metavar="ID", help="The widget type of the data.")
@schemas_option
@data_schema_option
@fetch_option
@strict_schema_option
@click.option(
    "--as",
    "kind",
    type=click.Choice(["data", "document", "auto"]),
    default="auto",
    help="Read the file as widget data, or as a widget document (a record with a member data). "
    "Default: auto, which detects it.",
)
@click.option(
    "--at",
    metavar="POINTER",
    help="Edit the document at this JSON Pointer, such as /docs/0. Default: the only one.",
)
@page_options
@preview_options
@configuration_options
def command(
    file: str,
    type_id: str | None,
    schemas: str | None,
    data_schema: str | None,
    fetch: str | None,
    strict_schema: bool,
    kind: str,
    at: str | None,
    ui: str | None,
    theme: str | None,
    lang: str | None,
    translations: str | None,
    preview_command: str | None,
    preview_url: str | None,
    port: int,
    no_browser: bool,
    config: str | None,
    no_config: bool,
) -> int:
    """Edit FILE in a form in the browser, with its JSON beside the form.

    FILE contains widget data or a widget document; its type is determined as in `validate`.
    The page shows findings, and the difference before you save. Everything that you do not edit
    stays the same, byte for byte. The page is served on 127.0.0.1; Ctrl-C ends it.
    """
    from widgetschema.cli.common import catalog_for
    from widgetschema.cli.settings import configurations_for, load_settings
    from widgetschema.editor import DocumentOpener, EditedFile, EditorSession
    from widgetschema.project.checking.checker import Checker

    check_name(file)
    _check(file, at)
    preview = read_preview(preview_command, preview_url)
    language = read_language(lang, translations)
    page_theme = read_page_theme(theme)
    run = load_settings(config, no_config=no_config)
    nearest = configurations_for(run, config, no_config=no_config)
    configuration = nearest.for_file(file)
    for error in nearest.errors.values():
        raise error
    configuration = configuration.with_options(
        fetch=fetch,
        data_schemas=data_schemas(type_id, data_schema),
        strict_schema=strict_schema or None,
    )
    type_id = only_type(type_id, data_schema)
    text = read_editable_text(file, configuration.limits)
    catalog = catalog_for(configuration, schemas)
    if type_id is not None:
        catalog[type_id]  # raises now if it is unknown or unusable
    checker = Checker(
        catalog,
        type_id=type_id,
        kind=kind,
        type_for=configuration.type_for,
        limits=configuration.limits,
    )
    opener = DocumentOpener(checker, file, at=at, ui=read_ui(ui))
    opened = opener.open(text)
    if opened.code:
        print_error(f"{file}: {opened.problem}")
        return opened.code
    print_ui_notes(opened.form, ui)
    note = None if opened.type_id is None else checker.note_on(opened.type_id)
    if note is not None:
        print_error(note)
    if opened.part is not None and opened.widget_type is not None:
        doubt = checker.note_on_kind(opened.part, opened.widget_type)
        if doubt is not None:
            print_error(f"{file}: {doubt}")
    what = f"{file} ({opened.type_id})" if opened.type_id else file
    session = EditorSession(EditedFile(file), opener, preview=preview, language=language)
    return serve(session, what, theme=page_theme, port=port, no_browser=no_browser)


def _check(file: str, at: str | None) -> None:
    """Raise a usage error unless FILE is a text file and `at` a JSON Pointer."""
    if os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file):
        raise click.UsageError(f"{file} is not a regular file: changes could not be saved.")
    if _is_compressed(file):
        raise click.UsageError(compressed_error(file))
    if at is not None and at and not at.startswith("/"):
        raise click.UsageError(f"--at {at} is not a JSON Pointer: write --at /{at}")


def _is_compressed(file: str) -> bool:
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as stream:
        return stream.read(2) == b"\x1f\x8b"
