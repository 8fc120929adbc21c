"""`widgetschema translations`: the languages of forms and the editor, and what a file lacks."""

from __future__ import annotations

import os
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import click

from widgetschema.cli.console.output import Output, print_error, writing
from widgetschema.cli.declared import Options, argument, option
from widgetschema.errors import InvalidTranslation
from widgetschema.files import read_file, replace_file
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.languages import Domain
    from widgetschema.languages.po import Entry

_MOST_LISTED: Final = 20


class TranslationsOptions(Options):
    """The options of the command."""

    files: tuple[str, ...] = argument(metavar="[FILE]...", nargs=-1)
    template: bool = option("--template", help="Print the template of a new file.")
    update: bool = option(
        "--update",
        help="Add the texts that are missing to each FILE, and mark those whose English has "
        "changed.",
    )


@TranslationsOptions.command("translations")
def command(options: TranslationsOptions) -> int:
    """List the languages of forms, or check FILE, a translation of their texts.

    A FILE is a PO file (GNU gettext), named by its language tag: nl.po. Each text without a
    translation is listed. Without a FILE, the languages of this package are listed.
    """
    files, update = options.files, options.update
    if options.template and (files or update):
        raise click.UsageError("--template has no effect with FILE or --update.")
    if update and not files:
        raise click.UsageError("--update needs a FILE.")
    out = Output(None)
    if options.template:
        from widgetschema.languages.coverage import template as entries
        from widgetschema.languages.po import write_po

        out.write_exact(write_po(entries(_domains(), "TAG")))
        return out.close()
    if not files:
        _list(out)
        return out.close()
    incomplete = [file for file in files if not _check(out, file, update=update)]
    return max(out.close(), int(bool(incomplete)))


def _list(out: Output) -> None:
    from widgetschema.languages import shipped_languages

    languages = shipped_languages()
    for tag in languages:
        out.write(f"{tag}  {languages[tag].name}\n")


def _check(out: Output, file: str, *, update: bool) -> bool:
    """Check a file, print what it lacks, and return True if that is nothing."""
    from widgetschema.languages.coverage import coverage
    from widgetschema.languages.po import write_po

    raw = read_file(file, pipes=True)
    entries = _entries(file, raw)
    found = coverage(entries, _domains(file))
    if update:
        with writing(file):
            replace_file(file, write_po(found.entries), raw)
    for context in found.missing[:_MOST_LISTED]:
        changed = ", whose English has changed" if context in found.changed else ""
        out.write(f"{file}: no translation of {context}{changed}\n")
    more = len(found.missing) - _MOST_LISTED
    if more > 0:
        out.write(f"{file}: and of {plural(more, 'further text')}\n")
    if found.unused:
        verb = "removed" if update else "has"
        names = ", ".join(found.unused[:_MOST_LISTED])
        print_error(f"{file}: {verb} {plural(len(found.unused), 'text')} of no use: {names}")
    total = len(found.entries) - 1
    out.write(f"{file}: {total - len(found.missing):,} of {total:,} texts are translated\n")
    return not found.missing


def _entries(file: str, raw: bytes) -> list[Entry]:
    """Return the entries of the content of a file. Raises `InvalidTranslation`."""
    from widgetschema.languages import Language
    from widgetschema.languages.po import read_po

    try:
        entries = read_po(raw.decode("utf-8"), file)
    except UnicodeDecodeError as error:
        raise InvalidTranslation(file, 0, f"the file is not UTF-8: {error}") from None
    Language(os.path.basename(file), {entry.key: entry for entry in entries}, file)  # checks it
    return entries


def _domains(file: str = "") -> tuple[Domain, ...]:
    """Return the texts of all parts of the package; for a file of one part, those of that part."""
    from widgetschema.extensions import extension_texts
    from widgetschema.forms.texts import ADVICE_DOMAIN, FORM_DOMAIN
    from widgetschema.languages.language import ABOUT_DOMAIN

    core = (ABOUT_DOMAIN, FORM_DOMAIN, ADVICE_DOMAIN)
    by_package = {"languages": core, **extension_texts()}
    folder = os.path.dirname(os.path.realpath(file))
    for package, domains in by_package.items():
        if folder == str(files("widgetschema").joinpath(package, "translations")):
            return domains
    return tuple(domain for domains in by_package.values() for domain in domains)
