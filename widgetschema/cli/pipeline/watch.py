"""`--watch`: check again after each change, and print only what is about changed files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.pipeline.selection import decides
from widgetschema.errors import MissingExtra, WidgetSchemaError
from widgetschema.project.checking.exit_codes import INTERRUPTED
from widgetschema.project.config.globs import has_wildcard
from widgetschema.project.config.settings import FILE, PYPROJECT
from widgetschema.project.inputs.formats import SUFFIXES
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.project.config import Configuration

_QUIET: Final = 300  # milliseconds without further changes that are waited for
_MOST: Final = 8  # changed files that are named

Run = Callable[["Configuration", Callable[[str], bool] | None], int]


def watch(
    paths: Sequence[str],
    load_settings: Callable[[], Configuration],
    report_files: Callable[[Configuration], frozenset[str]],
    run: Run,
    changes: Iterable[frozenset[str]] | None = None,
) -> int:
    """Check everything, then again after each change until Ctrl-C; the exit code of that is 0.

    `report_files` returns the files that a run writes itself: to take them for a change would never
    end. `run` checks everything and prints what is about some files. `changes` yields the absolute
    paths of files that changed together; by default the system does. Raises `MissingExtra`, and
    what a first run raises.
    """
    if "-" in paths:
        raise click.UsageError("--watch cannot watch standard input.")
    settings = load_settings()
    if changes is None:
        changes = _system_changes(_watched_folders(paths, settings))
    if run(settings, None) == INTERRUPTED:
        return 0
    print_stderr("watching; Ctrl-C ends")
    try:
        for changed in changes:
            try:
                written = report_files(load_settings())
            except (WidgetSchemaError, click.UsageError):
                written = frozenset()  # the run fails with this error, and writes nothing
            changed = frozenset(file for file in changed if os.path.realpath(file) not in written)
            if not changed:
                continue
            code, settings = _run_again(load_settings, run, changed, settings)
            if code == INTERRUPTED:
                break
    except KeyboardInterrupt:
        pass
    return 0


def _run_again(
    load_settings: Callable[[], Configuration],
    run: Run,
    changed: frozenset[str],
    before: Configuration,
) -> tuple[int, Configuration]:
    """Check once more; an unusable configuration or schema is reported, and waited on.

    `before` is the configuration until now: the schemas of a folder that is gone are no longer in
    the one that is returned.
    """
    started, code = time.monotonic(), 0
    names = sorted(os.path.relpath(file) for file in changed)
    more = f" and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    print_stderr(f"\nchanged: {', '.join(map(printable, names[:_MOST]))}{more}")
    settings = before
    try:
        settings = load_settings()
        affects_all = any(_affects_all(file, one) for file in changed for one in (before, settings))
        real = {os.path.realpath(file) for file in changed}
        code = run(settings, None if affects_all else lambda file: _is_in(file, real))
    except (WidgetSchemaError, click.UsageError) as error:
        print_error(error.format_message() if isinstance(error, click.UsageError) else str(error))
    print_stderr(f"{time.strftime('%H:%M:%S')}, after {time.monotonic() - started:.2f} s")
    return code, settings


def _is_in(file: str, changed: Iterable[str]) -> bool:
    """Return whether a file is one of those that changed, or in a folder that did."""
    real = os.path.join(os.path.realpath(file), "")
    return any(real.startswith(os.path.join(one, "")) for one in changed)


def _affects_all(file: str, settings: Configuration) -> bool:
    """Return whether a file decides about others: configuration, baseline, schemas.

    A folder does if one of these is in it.
    """
    if os.path.basename(file) in (FILE, PYPROJECT) or decides(file, settings):
        return True
    decisive = [settings.baseline, *settings.named_schemas, *settings.schema_folders]
    decisive += [] if settings.file is None else [settings.file]
    return any(_is_in(one, [os.path.realpath(file)]) for one in decisive)


def _watched_folders(paths: Sequence[str], settings: Configuration) -> list[str]:
    found = [settings.folder, *settings.schema_folders]
    found += map(os.path.dirname, settings.data_schemas.values())
    for path in paths:
        fixed = path
        while has_wildcard(fixed) and not os.path.lexists(fixed):
            fixed = os.path.dirname(fixed)
        found.append(fixed if os.path.isdir(fixed) else os.path.dirname(os.path.abspath(fixed)))
    real = sorted(
        {os.path.realpath(folder or ".") for folder in found if os.path.isdir(folder or ".")}
    )
    kept: list[str] = []
    for folder in real:  # a folder below another one is watched with it
        if not any(folder.startswith(os.path.join(above, "")) for above in kept):
            kept.append(folder)
    return kept


def _is_relevant(path: str) -> bool:
    """Return whether a run may read a file with this name, or it may be a folder of such files."""
    if path.lower().removesuffix(".gz").endswith((*SUFFIXES, ".toml")):
        return True
    return os.path.isdir(path) or not (os.path.splitext(path)[1] or os.path.exists(path))


def _system_changes(watched: list[str]) -> Iterator[frozenset[str]]:
    """Return an iterator of changed data, schemas and configuration.

    Raises `MissingExtra` at once, before anything is checked.
    """
    try:
        import watchfiles
    except ImportError:
        raise MissingExtra("watch", "--watch needs the library watchfiles") from None

    class Relevant(watchfiles.DefaultFilter):
        """Accepts the files that a run may read, and folders of them that come or go."""

        def __call__(self, change: watchfiles.Change, path: str) -> bool:
            return super().__call__(change, path) and _is_relevant(path)

    def changes() -> Iterator[frozenset[str]]:
        """Yield the files that changed together."""
        try:
            for together in watchfiles.watch(
                *watched, watch_filter=Relevant(), step=_QUIET, debounce=10 * _QUIET
            ):
                yield frozenset(path for _, path in together)
        except OSError as error:
            print_error(f"the system refuses to watch: {error}")

    return changes()
