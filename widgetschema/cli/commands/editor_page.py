"""What `edit` and `form` have in common: the editor in a browser until somebody ends it."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.console.signals import port_error, stop_on_signal, wait_for_stop
from widgetschema.errors import InvalidFormDescription
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import Limits, SourceText, preview, read
from widgetschema.project.inputs.formats import is_lines
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.editor import EditorSession

# A page sends a text twice, in the form and in the pane, and a byte of it as three: an eighth of
# what the editor takes.
_MOST_BYTES: Final = 8 * 1024 * 1024

_port: Callable[[Any], Any] = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="The port on 127.0.0.1. Default: any that is free.",
)
_no_browser: Callable[[Any], Any] = click.option(
    "--no-browser", is_flag=True, help="Print the address only."
)
_ui: Callable[[Any], Any] = click.option(
    "--ui",
    metavar="FILE",
    help="A UI description: labels, helps and kinds by JSON Pointer, as JSON.",
)


def serving_options(command: Any) -> Any:
    """The options of a command with a page: `ui`, `port` and `no_browser`."""
    return _ui(_port(_no_browser(command)))


def serve(editing: EditorSession, what: str, *, port: int, no_browser: bool) -> int:
    """Serve the page until somebody ends the command; the exit code. `what` is edited there."""
    from widgetschema.editor import serving

    with stop_on_signal() as stop:
        try:
            with serving(editing, port=port, log=print_error) as address:
                print_stderr(f"{printable(what)} is edited at {address}")
                print_stderr("the address is good once, in one browser; Ctrl-C ends the editor")
                if not no_browser and _can_show():
                    threading.Thread(target=_show, args=(address,), daemon=True).start()
                wait_for_stop(stop)
        except OSError as error:
            raise click.UsageError(port_error(port, error)) from None
    return 0


def check_name(file: str) -> None:
    """Raise a usage error for a name that stands for something else than one JSON text."""
    if file == "-":
        raise click.UsageError("What is edited has to be a file: there is nothing to save - in.")
    if file.lower().endswith(".gz"):
        raise click.UsageError(packed(file))
    if is_lines(file):
        raise click.UsageError(f"{file} holds a value on each line: edit a file with one value.")


def packed(file: str) -> str:
    """What there is to say of a file that is packed."""
    return f"{file} is packed: unpack it, edit that, and pack it again."


def description(path: str | None) -> Mapping[str, Any] | None:
    """The UI description in a file.

    Raises `OSError`, `UnreadableDocument`, `InvalidFormDescription`.
    """
    if path is None:
        return None
    with open(path, "rb") as file:
        raw = file.read()
    value = read(raw, subject=path)
    if not isinstance(value, dict):
        message = f"{preview(value, 40)} is no UI description, which is an object"
        finding = Finding("type", "", "", message, expected="object")
        raise InvalidFormDescription(Report((finding,), path))
    return value


@contextlib.contextmanager
def describing(path: str | None) -> Iterator[None]:
    """Errors about a UI description get the name of its file, and lines and columns."""
    try:
        yield
    except InvalidFormDescription as error:
        if path is None:
            raise
        with open(path, "rb") as file:
            findings = SourceText(file.read()).place(error.report.findings)
        raise InvalidFormDescription(Report(findings, path)) from None


def text_of(path: str, limits: Limits) -> str:
    """The text of a file that can be edited: it is text, and a page can carry it.

    Raises `OSError` and `UnreadableDocument`.
    """
    most = min(limits.max_bytes, _MOST_BYTES)
    with open(path, "r+b") as file:  # who may not write to it, may not edit it
        raw = file.read(most + 1)
    if len(raw) > most:
        size = f"it has {os.path.getsize(path):,} bytes, and may have {most:,}"
        raise OSError(errno.EFBIG, f"too large to be edited: {size}", path)
    text = raw.decode("utf-8-sig", "replace")
    if "\0" in text or text.encode() not in (raw, raw[3:]):
        read(raw, limits, path)  # this says what is wrong, and where
    return text


def _can_show() -> bool:
    """Whether there is somewhere to show a page; else a browser for terminals would open."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _show(address: str) -> None:
    import webbrowser

    with contextlib.suppress(webbrowser.Error, OSError):  # the address is printed
        webbrowser.open(address)
