"""The ignores of the configuration: which findings they excuse, and which of them are idle."""

from __future__ import annotations

import datetime
from typing import Final

from widgetschema.findings import Finding
from widgetschema.project.config import Configuration, Ignore

_SHOWN: Final = 120  # characters of a pattern or a reason in a message


class Ignores:
    """The ignores of one configuration on one day. Each that excuses something is remembered.

    What has expired excuses nothing any more; the day named by `expires` is its last.
    """

    def __init__(self, configuration: Configuration, today: datetime.date) -> None:
        self._configuration = configuration
        self._all = configuration.ignores
        self._today = today
        self._used: set[Ignore] = set()
        self._file: str | None = None  # the last file asked for, and the ignores about it
        self._about_it: tuple[Ignore, ...] = ()

    def excuse(self, file: str, keyword: str, path: str) -> bool:
        """Whether a finding is ignored; `file` as the user named it."""
        if not self._all:
            return False
        if file != self._file:
            self._file, self._about_it = file, self._about(file)
        found = [ignore for ignore in self._about_it if ignore.covers(path, keyword)]
        self._used.update(found)
        return bool(found)

    def findings(self, *, everything: bool, base: str = "") -> list[Finding]:
        """What is wrong with the ignores themselves, with their places in the configuration.

        Only who has checked `everything` that is configured knows that one is not used. `base`
        is the JSON Pointer of the configuration in its file.
        """
        found: list[Finding] = []
        for number, ignore in enumerate(self._all):
            place = f"{base}/ignores/{number}"
            if _has_expired(ignore, self._today):
                found.append(_expired(ignore, place))
            elif everything and ignore not in self._used:
                found.append(_unused(ignore, place))
        return found

    def _about(self, file: str) -> tuple[Ignore, ...]:
        # Standard input is no file, so no pattern of files is about it.
        ignores = self._all if file == "-" else self._configuration.ignores_for(file)
        return tuple(
            ignore
            for ignore in ignores
            if not _has_expired(ignore, self._today) and (file != "-" or ignore.path is None)
        )


def _has_expired(ignore: Ignore, today: datetime.date) -> bool:
    return ignore.expires is not None and ignore.expires < today


def _expired(ignore: Ignore, place: str) -> Finding:
    assert ignore.expires is not None
    message = (
        f"this ignore ({_described(ignore)}) was good until {ignore.expires.isoformat()}; its "
        f"reason was {_shown(ignore.reason)}"
    )
    hint = "mend what it ignored and remove it, or give it a later date"
    return Finding(
        "ignore.expired", place, "", message, hint, line=ignore.line, column=ignore.column
    )


def _unused(ignore: Ignore, place: str) -> Finding:
    message = f"nothing was found that this ignores ({_described(ignore)})"
    hint = "remove it, if what it was for is mended; or correct its path, pointer or keyword"
    return Finding(
        "ignore.unused", place, "", message, hint, line=ignore.line, column=ignore.column
    )


def _described(ignore: Ignore) -> str:
    parts = (("path", ignore.path), ("pointer", ignore.pointer), ("keyword", ignore.keyword))
    return ", ".join(f"{name} {_shown(text)}" for name, text in parts if text is not None)


def _shown(text: str) -> str:
    from widgetschema.jsontext import preview  # only for what is wrong

    return preview(text, _SHOWN)
