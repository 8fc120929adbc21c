"""The patterns of a configuration in one folder, so that a walk steps through each name once."""

from __future__ import annotations

from typing import Final, NamedTuple

from widgetschema.project.config.globs import Glob
from widgetschema.project.inputs.formats import COMPRESSED, SUFFIXES

DATA_SUFFIXES: Final = (*SUFFIXES, *(one + packed for one in SUFFIXES for packed in COMPRESSED))
_States = tuple[tuple[Glob, frozenset[int]], ...]


class FolderRules(NamedTuple):
    """The patterns of a configuration in one folder: those that may match in it, or below.

    `excluded` is the pattern that excludes the folder itself, None if there is none.
    """

    mapping: _States = ()
    excluding: _States = ()
    excluded: str | None = None

    def enter(self, name: str) -> FolderRules:
        """Return the rules of a folder in this one."""
        if not self.mapping and not self.excluding:
            return self
        return FolderRules(
            _step(self.mapping, name, hidden=False),
            _step(self.excluding, name, hidden=True),
            self.excluded or _matching(self.excluding, name, hidden=True),
        )

    def maps(self, name: str) -> str | None:
        """Return a pattern that maps a file of this folder; None if there is none."""
        return _matching(self.mapping, name, hidden=False) if self.mapping else None

    def excludes(self, name: str) -> str | None:
        """Return the pattern that excludes a file of this folder; None if there is none."""
        return self.excluded or _matching(self.excluding, name, hidden=True)

    @property
    def maps_any_name(self) -> bool:
        """True if a file that is mapped may have another name than a data file."""
        return not all(glob.ends_in(DATA_SUFFIXES) for glob, _ in self.mapping)


def _step(states: _States, name: str, *, hidden: bool) -> _States:
    after = ((glob, glob.step(state, name, hidden)) for glob, state in states)
    return tuple((glob, state) for glob, state in after if state)


def _matching(states: _States, name: str, *, hidden: bool) -> str | None:
    return next(
        (glob.text for glob, state in states if glob.is_end(glob.step(state, name, hidden))),
        None,
    )


NO_RULES: Final = FolderRules()
