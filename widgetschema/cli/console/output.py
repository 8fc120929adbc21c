"""Output: findings go to standard output or a file, everything else to standard error."""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TextIO

import click

from widgetschema.findings import Provenance
from widgetschema.project.checking.results import reason as reason
from widgetschema.reporters.style import Style, plain
from widgetschema.text import printable

_COLORS: Final = {
    "where": {"bold": True},
    "keyword": {"fg": "red"},
    "mark": {"fg": "red", "bold": True},
    "hint": {"fg": "green"},
}
UNWRITABLE: Final = 3
DEBUG: Final = "widgetschema.debug"  # in the `meta` of the context: whether --debug is given
# Control characters that JSON does not escape, and those that turn the direction of text.
_CONTROL: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def print_error(message: str) -> None:
    """Print a message, usually one line, to standard error."""
    print_stderr("widgetschema: " + "\n".join(map(printable, message.split("\n"))))


def provenance_text(provenance: Provenance) -> str:
    """Return where a schema came from; a path below the working directory is relative to it."""
    source = relative_path(provenance.source)
    return printable(str(replace(provenance, source=source)))


def relative_path(source: str) -> str:
    """Return a source; a path below the working directory is relative to it."""
    if not os.path.isabs(source):
        return source
    try:
        relative = os.path.relpath(source)
    except OSError:  # there is no working directory any more
        return source
    return source if relative.startswith(os.pardir) else relative


def usage_error(error: object) -> click.UsageError:
    """Return an error of the library as a usage error: a sentence, as click writes them."""
    text = str(error)
    return click.UsageError(text if text.endswith((".", "?")) else f"{text}.")


def print_stderr(text: str) -> None:
    """Print text to standard error, or nowhere if it is closed."""
    try:
        click.echo(escape_workflow_command(text), err=True)
    except OSError:
        _drop(sys.stderr)


def print_debug(message: str) -> None:
    """Print a line to standard error, if the option `--debug` is given."""
    context = click.get_current_context(silent=True)
    if context is not None and context.find_root().meta.get(DEBUG):
        print_stderr(f"debug: {printable(message)}")


def stdout_closed(error: OSError) -> int:
    """Drop further output, and return the exit code; report an error, such as of a full disk.

    A reader that closes its end (`| head`) has seen enough: that is no error.
    """
    _drop(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    print_error(f"standard output: {reason(error)}")
    return UNWRITABLE


def unwritable(path: str, error: OSError) -> int:
    """Report that a file cannot be written, and return the exit code."""
    print_error(f"{printable(path)}: cannot be written: {reason(error)}")
    return UNWRITABLE


def _drop(stream: TextIO) -> None:
    """Discard what is buffered and what will be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def style_for(color: str, to_file: bool) -> Style:
    """Return the style for `--color auto|always|never`; `NO_COLOR` is respected."""
    if color == "auto":
        on_terminal = not to_file and sys.stdout is not None and sys.stdout.isatty()
        wanted = on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    else:
        wanted = color == "always"
    if not wanted:
        return plain
    return lambda role, text: click.style(text, **_COLORS[role])  # type: ignore[arg-type]


class Output:
    """An output: standard output, written at once, or a file, written when it is complete.

    If standard output is closed, that is reported once and the run continues, so that its exit code
    is right. `escape` is applied to everything that goes to standard output.
    """

    def __init__(self, path: str | None, escape: Callable[[str], str] | None = None) -> None:
        self._path = path
        self._escape = escape
        self._parts: list[str] = []
        self._closed = path is None and sys.stdout is None
        self._code = 0

    def write(self, text: str) -> None:
        """Add text."""
        if not text or self._closed:
            return
        if self._path is not None:
            self._parts.append(text)
            return
        escaped_text = text if self._escape is None else self._escape(text)
        self._guarded(lambda: sys.stdout.write(encodable(escaped_text)))

    def write_exact(self, text: str | bytes) -> None:
        """Add text as UTF-8, or bytes, without escapes; a terminal gets safe text."""
        if self._closed or sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
            self.write(text if isinstance(text, str) else text.decode(errors="replace"))
            return
        self.flush()
        data = text.encode() if isinstance(text, str) else text
        self._guarded(lambda: sys.stdout.buffer.write(data))

    def flush(self) -> None:
        """Flush standard output, so that later messages on standard error come after it."""
        if self._path is None and not self._closed:
            self._guarded(sys.stdout.flush)

    def close(self) -> int:
        """Write the file or flush, and return the exit code: 3 if text could not be written."""
        if self._path is None:
            self.flush()
            return self._code
        text = escaped("".join(self._parts), "utf-8")
        from widgetschema.files import append, write_atomically  # most runs write no file

        is_summary = self._path == os.environ.get("GITHUB_STEP_SUMMARY")
        try:
            (append if is_summary else write_atomically)(self._path, text)
        except OSError as error:
            return unwritable(self._path, error)
        return 0

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            self._closed = True
            self._code = stdout_closed(error)


def write_output(text: str, path: str | None = None) -> int:
    """Write text to standard output, or to a file, and return the exit code."""
    output = Output(path)
    output.write(text)
    return output.close()


class _Unwritable(OSError):
    """The error that an output cannot be written; its file is the output."""


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Turn errors of the system into errors about an output, a file or a folder."""
    try:
        yield
    except _Unwritable:
        raise
    except OSError as error:
        text = f"cannot be written: {reason(error)}"
        raise _Unwritable(error.errno, text, path) from None


def in_github_workflow() -> bool:
    """Return whether this is a GitHub workflow, which obeys commands in the output."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def escape_workflow_command(text: str, instead: str = "##·[") -> str:
    """Return text without the `##[` that a GitHub workflow obeys anywhere in a line."""
    return text.replace("##[", instead) if "##[" in text and in_github_workflow() else text


def encodable(text: str) -> str:
    """Return text for standard output; what its encoding lacks or a terminal obeys is escaped."""
    return escaped(text, getattr(sys.stdout, "encoding", None) or "utf-8")


def escaped(text: str, encoding: str) -> str:
    r"""Text that can be encoded: other characters become escapes of JSON, `\u00e9`.

    They mean the same within JSON, and are readable everywhere else.
    """
    text = _CONTROL.sub(lambda match: _escapes(match.group()), text)
    return text.encode(encoding, errors=_JSON_ESCAPES).decode(encoding)


def _escapes(characters: str) -> str:
    return "".join(
        json.dumps(character)[1:-1] if character != "\x7f" else r"\u007f"
        for character in characters
    )


def _escape_error(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return _escapes(error.object[error.start : error.end]), error.end


_JSON_ESCAPES: Final = "widgetschema.json_escapes"
codecs.register_error(_JSON_ESCAPES, _escape_error)
