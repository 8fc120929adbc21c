"""Files `.gitignore`, where git itself cannot be asked: by the library `pathspec`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.errors import StoreError
from widgetschema.files import read_bytes
from widgetschema.text import printable

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NAME: Final = ".gitignore"
_MOST_BYTES: Final = 256 * 1024
# The library makes regular expressions of patterns, and what each `*` costs multiplies.
_MOST_STARS: Final = 4
_STARS: Final = re.compile(r"\*+")


def is_ignored(path: str, top: str, warn: Callable[[str], None]) -> bool:
    """Return whether a file below `top`, or a folder that it is in, is ignored.

    Both are absolute paths. `warn` as for `IgnoreRules`.
    """
    rules = IgnoreRules(warn)
    here = top
    *folders, name = os.path.relpath(path, top).split(os.sep)
    for folder in folders:
        rules = rules.enter(here, (_NAME,))
        if rules.ignores(here, folder, is_folder=True):
            return True
        here = os.path.join(here, folder)
    return rules.enter(here, (_NAME,)).ignores(here, name)


class IgnoreRules(NamedTuple):
    """The files `.gitignore` that concern a folder, each with the folder that it is in.

    `warn` is told of lines that are not followed.
    """

    warn: Callable[[str], None]
    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    @staticmethod
    def above(folder: str, top: str, warn: Callable[[str], None]) -> IgnoreRules:
        """Return the rules of the folders from `top` down to the one that a folder is in."""
        rules = IgnoreRules(warn)
        names = os.path.relpath(folder, top).split(os.sep)
        here = top
        for name in names if names != [os.curdir] else ():
            rules = rules.enter(here, (_NAME,))
            here = os.path.join(here, name)
        return rules

    def enter(self, folder: str, names: Container[str]) -> IgnoreRules:
        """Return the rules in a folder, an absolute path, that has files with these names."""
        path = os.path.join(folder, _NAME)
        if _NAME not in names or not os.path.isfile(path):
            return self
        try:
            raw = read_bytes(path, _MOST_BYTES)
        except StoreError:
            self.warn(f"{printable(path)}: cannot be read, or is too large: not followed")
            return self
        from pathspec import GitIgnoreSpec  # here, as most folders have no such file

        lines = os.fsdecode(raw.removeprefix(b"\xef\xbb\xbf")).splitlines()
        spec = GitIgnoreSpec.from_lines([one for one in lines if self._is_usable(one, path)])
        return self._replace(specs=(*self.specs, (os.path.join(folder, ""), spec)))

    def ignores(self, folder: str, name: str, *, is_folder: bool = False) -> bool:
        """Return whether a file, or a folder, in a folder is ignored; the nearest rule decides."""
        path = os.path.join(folder, name)
        for base, spec in reversed(self.specs):
            inner = path[len(base) :].replace(os.sep, "/")
            decided = spec.check_file(f"{inner}/" if is_folder else inner).include
            if decided is not None:
                return decided
        return False

    def _is_usable(self, line: str, path: str) -> bool:
        from pathspec import GitIgnoreSpec

        try:
            if len(_STARS.findall(line)) <= _MOST_STARS or line.startswith("#"):
                GitIgnoreSpec.from_lines([line])
                return True
        except ValueError:
            pass
        self.warn(f"{printable(path)}: this line is not followed: {printable(line[:80])}")
        return False
