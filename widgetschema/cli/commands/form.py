"""`widgetschema form`: exports the form of a widget type."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from widgetschema.cli.common import configured_type
from widgetschema.cli.console.output import Output, print_error, writing
from widgetschema.cli.declared import argument, option
from widgetschema.cli.options import TypeOptions, force_output_option, parse_seed
from widgetschema.cli.page_options import (
    PageOptions,
    print_ui_notes,
    read_language,
    read_page_theme,
    read_ui,
)
from widgetschema.cli.pipeline.selection import refuse_existing
from widgetschema.files import write_atomically
from widgetschema.jsontext import dump
from widgetschema.pointers import display_pointer
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.catalog.widget_type import WidgetType
    from widgetschema.forms import Form
    from widgetschema.forms.exports import Export
    from widgetschema.languages import Language

EXPORT_TARGETS: Final = ("rjsf", "jsonforms", "html")
EXPORT_HELP: Final = "Export the form for react-jsonschema-form or JSON Forms, or as an HTML page."


class FormOptions(TypeOptions, PageOptions):
    """The options of the command."""

    type_id: str | None = argument(metavar="[ID]", required=False)
    export: str | None = option(
        "--export", type=click.Choice(EXPORT_TARGETS), required=True, help=EXPORT_HELP
    )
    sample: bool = option(
        "--sample", help="Start with a sample. Default: what the schema declares."
    )
    seed: str | None = option(
        "--seed", metavar="S", help="Use this seed for the sample: a text or a number."
    )
    index: int | None = option(
        "--index",
        type=click.IntRange(min=0),
        help="Use the sample with this index. Default: 0.",
    )
    document: bool = option("--document", help="Create a widget document around the data.")
    output: str | None = option(
        "--output",
        metavar="FILE",
        help="Write the export to FILE, or to a folder, with the components that it needs. "
        "Default: standard output.",
    )
    force: bool = force_output_option


class NewForm(NamedTuple):
    """A form with the data that it starts with, and what it was made from."""

    form: Form
    text: str
    catalog: Catalog
    widget_type: WidgetType
    ui: Mapping[str, Any] | None
    language: Language


@FormOptions.command("form")
def command(options: FormOptions) -> int:
    """Export the form of the type ID, for another library or as a page.

    What the library cannot represent is listed on standard error. With --data-schema, ID can be
    omitted; it is then the name of that file.
    """
    return export_form(new_form(options), options)


def new_form(options: FormOptions) -> NewForm:
    """Return the form that the options describe. Raises a usage error if they exclude each other.

    Raises what `configured_type` raises, and `CannotGenerate` for a sample.
    """
    export, output, seed = options.export, options.output, options.seed
    refuse_without_effect(
        (not options.sample, {"--seed": seed, "--index": options.index}, "without --sample"),
        (export is None, {"--output": output}, "without --export"),
        (output is None, {"--force": options.force or None}, "without --output"),
        (export not in (None, "html"), {"--theme": options.theme}, f"with --export {export}"),
    )
    language = read_language(options.lang, options.translations)
    read_page_theme(options.theme)
    refuse_existing(output, force=True, read=_read(options))  # what exists: with the text
    catalog, widget_type = configured_type(options)
    if options.sample:
        value = widget_type.sample(parse_seed(seed), options.index or 0)
    else:
        value = widget_type.new_data()
    if options.document:
        value = widget_type.as_document(value, f"{seed or 0}/{options.index or 0}")
    text, at, ui = dump(value), "/data" if options.document else "", read_ui(options.ui)
    form = widget_type.form_json(text, at=at, ui=ui, lang=language)
    print_ui_notes(form, options.ui)
    for path in form.refused_defaults:
        print_error(f"{display_pointer(path)}: the default is not used: its own schema refuses it")
    return NewForm(form, text, catalog, widget_type, ui, language)


def export_form(new: NewForm, options: FormOptions) -> int:
    """Export a form, print what the target cannot represent, and return the exit code."""
    form, target, output = new.form, options.export, options.output
    if target == "html":
        return _write(form.page(theme=options.theme or "plain"), options)
    export = form.to_rjsf() if target == "rjsf" else form.to_jsonforms()
    if output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output)):
        _write_folder(export, output, options)
        code = 0
    else:
        code = _write(dump(export.as_dict()), options)
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


def _read(options: FormOptions) -> list[str | None]:
    """Return the files that the command reads."""
    return [options.data_schema, options.ui]


def _write_folder(export: Export, folder: str, options: FormOptions) -> None:
    """Write all files of an export. Raise a usage error for one with other content."""
    for name, text in export.files.items():
        path = os.path.join(folder, name)
        refuse_existing(path, force=options.force, text=text, read=_read(options))
    with writing(folder):
        export.write(folder)


def _write(text: str, options: FormOptions) -> int:
    """Write a text for a program, and return the exit code. Raises `OSError` with the file name."""
    output = options.output
    refuse_existing(output, force=options.force, text=text)
    if output is not None and output != "-":
        with writing(output):
            write_atomically(output, text)
        return 0
    out = Output(None)
    out.write_exact(text)
    return out.close()


def refuse_without_effect(*rules: tuple[bool, dict[str, Any], str]) -> None:
    """Raise a usage error for an option that has no effect with the others."""
    for holds, options, why in rules:
        given = [name for name, value in options.items() if value is not None]
        if holds and given:
            raise click.UsageError(f"{given[0]} has no effect {why}.")
