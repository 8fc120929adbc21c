"""`--watch`: check again whenever something changes, and tell only of what changed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import click

from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.main import INTERRUPTED
from widgetschema.cli.selecting import folders
from widgetschema.errors import MissingExtra, WidgetSchemaError
from widgetschema.project.inputs.formats import SUFFIXES
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.cli.commands.validating import Wishes
    from widgetschema.project.config import Configuration

_CALM: Final = 300  # milliseconds without further changes that are waited for
_MOST: Final = 8  # changed files that are named
_CONFIGURATION: Final = ("pyproject.toml", "widgetschema.toml")


def watch(wishes: Wishes, changes: Iterable[frozenset[str]] | None = None) -> int:
    """Check all, then again with each change, until Ctrl-C; the exit code of that is 0.

    `changes` gives the absolute paths of files that changed together; by default the system does.
    Raises `MissingExtra`, and what a first run raises.
    """
    from widgetschema.cli.commands.validating import Session

    if "-" in wishes.paths:
        raise click.UsageError("--watch cannot watch standard input.")
    configuration = wishes.configuration()
    changes = _changes(_watched(wishes, configuration)) if changes is None else changes
    if Session(wishes, configuration).go() == INTERRUPTED:
        return 0
    print_stderr("watching; Ctrl-C ends")
    try:
        for changed in changes:
            written = _reports(wishes)
            changed = frozenset(file for file in changed if os.path.realpath(file) not in written)
            if changed and _again(wishes, changed) == INTERRUPTED:
                break
    except KeyboardInterrupt:
        pass
    return 0


def _again(wishes: Wishes, changed: frozenset[str]) -> int:
    """Check once more; a configuration or a schema that is no good is said, and waited on."""
    from widgetschema.cli.commands.validating import Session

    started, code = time.monotonic(), 0
    names = sorted(os.path.relpath(file) for file in changed)
    more = f" and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    print_stderr(f"\nchanged: {', '.join(map(printable, names[:_MOST]))}{more}")
    try:
        configuration = wishes.configuration()
        decides = any(_decides(file, configuration) for file in changed)
        real = {os.path.realpath(file) for file in changed}
        about = None if decides else (lambda file: os.path.realpath(file) in real)
        code = Session(wishes, configuration).go(about)
    except (WidgetSchemaError, click.UsageError) as error:
        print_error(error.format_message() if isinstance(error, click.UsageError) else str(error))
    print_stderr(f"{time.strftime('%H:%M:%S')}, after {time.monotonic() - started:.2f} s")
    return code


def _reports(wishes: Wishes) -> frozenset[str]:
    """What a run writes itself: who takes that for a change, runs for ever."""
    from widgetschema.cli.commands.sinks import reports

    try:
        return reports(wishes.configuration().reporters, wishes.output)
    except (WidgetSchemaError, click.UsageError):
        return frozenset()  # such a run says so, and writes nothing


def _decides(file: str, configuration: Configuration) -> bool:
    """Whether a file says something about all others."""
    if os.path.basename(file) in _CONFIGURATION or file == configuration.file:
        return True
    if os.path.realpath(file) == os.path.realpath(configuration.baseline):
        return True
    folder = os.path.dirname(os.path.realpath(file))
    return any(folder == os.path.realpath(one) for one in folders(configuration))


def _watched(wishes: Wishes, configuration: Configuration) -> list[str]:
    """The folders to look at."""
    found = [configuration.folder, *folders(configuration)]
    for path in wishes.paths:
        fixed = path
        while any(character in fixed for character in "*?[") and not os.path.lexists(fixed):
            fixed = os.path.dirname(fixed)
        found.append(fixed if os.path.isdir(fixed) else os.path.dirname(os.path.abspath(fixed)))
    real = sorted(
        {os.path.realpath(folder or ".") for folder in found if os.path.isdir(folder or ".")}
    )
    kept: list[str] = []
    for folder in real:  # what is below another one is watched with it
        if not any(folder.startswith(os.path.join(above, "")) for above in kept):
            kept.append(folder)
    return kept


def _changes(watched: list[str]) -> Iterator[frozenset[str]]:
    """What the system says has changed: data, schemas, configuration.

    Raises `MissingExtra` at once, before anything is checked.
    """
    try:
        import watchfiles
    except ImportError:
        raise MissingExtra("watch", "--watch needs the library watchfiles") from None

    class Relevant(watchfiles.DefaultFilter):
        """What a run may read."""

        def __call__(self, change: watchfiles.Change, path: str) -> bool:
            name = path.lower().removesuffix(".gz")
            return name.endswith((*SUFFIXES, ".toml")) and super().__call__(change, path)

    def changes() -> Iterator[frozenset[str]]:
        try:
            for together in watchfiles.watch(
                *watched, watch_filter=Relevant(), step=_CALM, debounce=10 * _CALM
            ):
                yield frozenset(path for _, path in together)
        except OSError as error:
            print_error(f"the system does not let us watch: {error}")

    return changes()
