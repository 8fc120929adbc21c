"""The page that `edit` and `form` serve until they are stopped."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import shutil
import sys
import threading
from typing import TYPE_CHECKING, Final

import click

from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.console.signals import port_error, stop_on_signal, wait_for_stop
from widgetschema.cli.declared import option
from widgetschema.cli.options import port_option
from widgetschema.cli.page_options import PageOptions, read_page_theme
from widgetschema.files import open_file
from widgetschema.jsontext import Limits, read
from widgetschema.project.inputs.formats import format_of_file, is_lines
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.editor import EditorSession
    from widgetschema.editor.preview import Preview

# A page posts a text twice, in the form and in the pane, and a byte of it as three: an eighth of
# what the editor accepts.
_MOST_BYTES: Final = 8 * 1024 * 1024


class ServedOptions(PageOptions):
    """The options of a served page: those of a page, then its preview, port and browser."""

    preview_command: str | None = option(
        "--preview-command",
        metavar="COMMAND",
        help="Show the output of COMMAND beside the form: it gets the data as JSON on standard "
        "input and prints an HTML page.",
    )
    preview_url: str | None = option(
        "--preview-url",
        metavar="URL",
        help="Show this page beside the form, with the data as JSON in place of {data}.",
    )
    port: int = port_option("Serve the page on this port of 127.0.0.1.")
    no_browser: bool = option("--no-browser", help="Print the address without opening a browser.")


def read_preview(command: str | None, url: str | None) -> Preview | None:
    """Return the preview that the options ask for. Raise a usage error for an unusable one."""
    if command is None and url is None:
        return None
    from widgetschema.editor.preview import AddressPreview, command_preview
    from widgetschema.forms.preview import PreviewError, RenderedPreview

    if command is not None and url is not None:
        raise click.UsageError("--preview-command and --preview-url exclude each other.")
    try:
        if url is not None:
            return AddressPreview(url)
        words = shlex.split(command or "")
    except PreviewError as error:
        raise click.UsageError(f"--preview-url {url}: {error}.") from None
    except ValueError as error:
        raise click.UsageError(f"--preview-command {command}: {error}.") from None
    if not words or shutil.which(words[0]) is None:
        raise click.UsageError(f"--preview-command {command}: there is no such command.")
    return RenderedPreview(command_preview(words))


def serve(editing: EditorSession, what: str, options: ServedOptions) -> int:
    """Serve the page that edits `what` until the command is stopped, and return the exit code."""
    from widgetschema.editor import serving

    theme, port = read_page_theme(options.theme), options.port
    with stop_on_signal() as stop:
        try:
            with serving(editing, port=port, log=print_error, theme=theme) as address:
                print_stderr(f"editing {printable(what)} at {address}")
                print_stderr("the address is valid once, in one browser; press Ctrl-C to stop")
                if not options.no_browser and _has_browser():
                    threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
                wait_for_stop(stop)
        except OSError as error:
            raise click.UsageError(port_error(port, error)) from None
    return 0


def check_name(file: str) -> None:
    """Raise a usage error if the name is not that of a file with one JSON value."""
    if file == "-":
        raise click.UsageError("Standard input cannot be edited: name a file.")
    if file.lower().endswith(".gz"):
        raise click.UsageError(compressed_error(file))
    if is_lines(file):
        raise click.UsageError(f"{file} contains a value per line: edit a file with one value.")
    if format_of_file(file) != "json":
        todo = "name a file that ends in .json"
        if os.path.lexists(file):
            todo = "edit it as text, and check it with: widgetschema validate"
        raise click.UsageError(f"{file} is not JSON, and forms edit JSON only: {todo}")


def compressed_error(file: str) -> str:
    """Return the error for a compressed file."""
    return f"{file} is compressed: decompress it, edit it, and compress it again."


def read_editable_text(path: str, limits: Limits) -> str:
    """Return the text of a file that can be edited: UTF-8, and not too large for a page.

    Raises `OSError` and `UnreadableDocument`.
    """
    most = min(limits.max_bytes, _MOST_BYTES)
    with open_file(path, "r+b") as file:  # fails now if it cannot be written
        raw = file.read(most + 1)
    if len(raw) > most:
        size = f"{os.path.getsize(path):,} bytes; the limit is {most:,}"
        raise OSError(errno.EFBIG, f"too large to edit: {size}", path)
    text = raw.decode("utf-8-sig", "replace")
    if "\0" in text or text.encode() not in (raw, raw[3:]):
        read(raw, limits, path)  # raises an error with the position
    return text


def _has_browser() -> bool:
    """Return whether a graphical browser can open; otherwise one for terminals would."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _open_browser(address: str) -> None:
    import webbrowser

    with contextlib.suppress(webbrowser.Error, OSError):  # the address is printed
        webbrowser.open(address)
