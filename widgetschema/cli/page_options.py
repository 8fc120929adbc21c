"""The options of a page with a form: description, theme, language."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from widgetschema.cli.console.output import print_error
from widgetschema.cli.declared import Options, option
from widgetschema.errors import FormError, UnknownLanguage

if TYPE_CHECKING:
    from widgetschema.forms import Form
    from widgetschema.forms.html.themes import Theme
    from widgetschema.languages import Language


class PageOptions(Options):
    """The options of a page: its description, theme and language."""

    ui: str | None = option(
        "--ui",
        metavar="FILE",
        help="Read a UI description from FILE, JSON or TOML: labels, help, groups and more, by "
        "JSON Pointer.",
    )
    theme: str | None = option(
        "--theme",
        metavar="NAME",
        help="Use this theme: plain, compact, host, or your own CSS file. Default: plain.",
    )
    lang: str | None = option(
        "--lang",
        metavar="TAG",
        help="Show the page in this language, such as de. Default: that of LC_ALL, LC_MESSAGES or "
        "LANG, or English.",
    )
    translations: str | None = option(
        "--translations",
        metavar="DIR",
        help="Read translations from DIR, PO files such as nl.po.",
    )


def read_language(lang: str | None, folder: str | None) -> Language:
    """Return the language of a page. Raise a usage error for one that is unknown.

    Raises `InvalidTranslation`.
    """
    from widgetschema.languages import Languages

    languages = Languages(folder)
    if lang is None:
        return languages.best_of_environment(os.environ)
    try:
        return languages[lang]
    except UnknownLanguage as error:
        hint = "" if folder else "; for another one, pass --translations DIR"
        raise click.UsageError(f"--lang: {error}{hint}.") from None


def read_ui(path: str | None) -> Mapping[str, Any] | None:
    """Return the UI description in a file. Raises as `read_ui_description`."""
    if path is None:
        return None
    from widgetschema.forms import read_ui_description

    return read_ui_description(path)


def print_ui_notes(form: Form | None, path: str | None) -> None:
    """Print the notes on the UI description of a form, which is in a file."""
    for note in () if form is None else form.ui_notes:
        hint = "" if note.hint is None else f"; {note.hint}"
        print_error(f"{path}:{note.line}:{note.column}: {note.message}{hint}")


def read_page_theme(theme: str | None) -> Theme:
    """Return the theme that the option asks for. Raise a usage error for one that is unknown."""
    from widgetschema.forms.html.themes import read_theme

    try:
        return read_theme(theme or "plain")
    except FormError as error:
        raise click.UsageError(f"--theme: {error}.") from None
