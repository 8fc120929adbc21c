"""Facts: what a section of `doctor` finds, gathered even if the section fails or hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from widgetschema.errors import MissingExtra, WidgetSchemaError
from widgetschema.project.checking.results import reason

# Exit codes; the highest of all facts is that of the command.
INSTALLATION: Final = 2
CONFIGURATION: Final = 2
SCHEMAS: Final = 4
ACCESS: Final = 5

LOOK_AGAIN: Final = "then run: widgetschema doctor"
_BUSY_SHARE: Final = 0.01  # a section that uses this share of the processor does not hang
_MOST_PERIODS: Final = 6  # of `seconds`, for a section that does not hang

_INSTALL: Final = "python -m pip install --upgrade --force-reinstall widgetschema"
REINSTALL: Final = f"Repair the installation: {_INSTALL}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: its subject, and a text of one line.

    `code` is the exit code of a problem, else 0. A `note` is about something that is absent and
    need not be there. `remedy` is a sentence with a command that changes it.
    """

    name: str
    text: str
    code: int = 0
    note: bool = False
    remedy: str | None = None

    @property
    def state(self) -> str:
        """The state: `ok`, `note` or `trouble`."""
        if self.code:
            return "trouble"
        return "note" if self.note else "ok"


@dataclass(frozen=True, slots=True)
class Section:
    """The facts about one thing, in order."""

    name: str
    facts: tuple[Fact, ...]


def note(name: str, text: str, remedy: str | None = None) -> Fact:
    """Return a fact about something that is absent and need not be there."""
    return Fact(name, text, note=True, remedy=remedy)


def gather(
    name: str,
    find: Callable[[], Iterable[Fact]],
    *,
    code: int,
    seconds: float,
    remedy: str | None = None,
    late: str | None = None,
    clock: Callable[[], float] = time.process_time,
) -> Section:
    """Return the facts that `find` yields in time; an exception or a timeout becomes the last one.

    `find` runs in a thread of its own, since a keyring, a file system or a library may hang: then
    the thread is left behind, and its later facts are dropped.

    Args:
        name: The name of the section.
        find: Yields the facts.
        code: The exit code of an exception or a timeout.
        seconds: How long `find` may take if it hangs; several times as long while it uses the
            processor, since a machine may be slow.
        remedy: What to do about an exception or a timeout.
        late: The text of a timeout.
        clock: Returns the processor time of this process in seconds.
    """
    found: list[Fact] = []

    def work() -> None:
        try:
            for fact in find():
                found.append(fact)  # noqa: PERF402 - a timeout keeps those found so far
        except BaseException as error:  # engines may raise what is not an Exception
            found.append(_stopped(error, code, remedy))

    thread = threading.Thread(target=work, daemon=True)
    used = clock()
    thread.start()
    waited = 0.0
    for _ in range(_MOST_PERIODS):
        thread.join(seconds)
        waited += seconds
        used_before, used = used, clock()
        if not thread.is_alive() or used - used_before < seconds * _BUSY_SHARE:
            break
    facts = tuple(found)
    if thread.is_alive():
        text = late or f"stopped after {waited:g} s"
        facts = (*facts, Fact("time", text, code, remedy=remedy))
    return Section(name, facts)


def _stopped(error: BaseException, code: int, remedy: str | None) -> Fact:
    """Return a fact about an exception; the text of one that is not ours may contain anything."""
    if isinstance(error, MissingExtra):
        return Fact("problem", str(error), code, remedy=f"Install it: {install(error.extra)}")
    if isinstance(error, WidgetSchemaError):
        return Fact("problem", str(error), code, remedy=remedy)
    if isinstance(error, ImportError):
        what = f"{error.name or 'a library'} cannot be imported"
        return Fact("problem", what, INSTALLATION, remedy=REINSTALL)
    if isinstance(error, OSError):
        where = "" if error.filename is None else f"{error.filename}: "
        return Fact("problem", f"{where}{reason(error)}", code, remedy=remedy)
    return Fact("problem", f"cannot be examined ({type(error).__name__})", code, remedy=remedy)


def install(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"python -m pip install 'widgetschema[{extra}]'"


def next_step(sections: Iterable[Section]) -> str:
    """Return the one thing to do next.

    An error comes before advice. Among errors, what other things depend on comes first: the
    installation, then the configuration, the schemas, and last tokens and network.
    """
    facts = [fact for section in sections for fact in section.facts if fact.remedy is not None]
    first = min(facts, key=_rank, default=None)
    if first is None or first.remedy is None:
        return "No problems found. Check your data: widgetschema validate"
    return first.remedy


def _rank(fact: Fact) -> int:
    """Return the position of a remedy; that of a note, which is advice, is the last."""
    order = (CONFIGURATION, SCHEMAS, ACCESS, 0)
    return -1 if fact.remedy == REINSTALL else order.index(fact.code)


def exit_code(sections: Iterable[Section]) -> int:
    """Return the highest exit code of all facts."""
    return max((fact.code for section in sections for fact in section.facts), default=0)


def tidied(section: Section, tidy: Callable[[str], str]) -> Section:
    """Return the section with every text prepared for display."""
    facts = (
        replace(
            fact,
            name=tidy(fact.name),
            text=tidy(fact.text),
            remedy=None if fact.remedy is None else tidy(fact.remedy),
        )
        for fact in section.facts
    )
    return Section(section.name, tuple(facts))
