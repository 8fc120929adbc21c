"""Facts and troubles: what a section of `doctor` finds, gathered whatever happens meanwhile."""

from __future__ import annotations

import threading
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

LOOK_AGAIN: Final = "then look again: widgetschema doctor"
_INSTALL: Final = "python -m pip install --upgrade --force-reinstall widgetschema"
REINSTALL: Final = f"Mend the installation: {_INSTALL}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is so: what it is about, and what is said of it, in one line.

    `code` is the exit code of a trouble, else 0. A `note` is nothing wrong, and nothing that is
    there. `remedy` is a sentence with a command, for who wants to change it.
    """

    name: str
    text: str
    code: int = 0
    note: bool = False
    remedy: str | None = None

    @property
    def state(self) -> str:
        """`ok`, `note` or `trouble`."""
        if self.code:
            return "trouble"
        return "note" if self.note else "ok"


@dataclass(frozen=True, slots=True)
class Section:
    """The facts about one thing, in order."""

    name: str
    facts: tuple[Fact, ...]


def note(name: str, text: str, remedy: str | None = None) -> Fact:
    """A fact that is nothing wrong."""
    return Fact(name, text, note=True, remedy=remedy)


def gather(
    name: str,
    find: Callable[[], Iterable[Fact]],
    *,
    code: int,
    seconds: float,
    remedy: str | None = None,
    late: str | None = None,
) -> Section:
    """The facts that `find` gives one after the other, for as long as it may take.

    Whatever stops it is a fact itself, after those that were found; `code` and `remedy` are for
    that, and `late` says what it means if it takes too long. On a thread of its own, since a
    keyring, a file system or a library may hang: then that thread is left behind, and what it
    still finds is nobody's.
    """
    found: list[Fact] = []

    def work() -> None:
        try:
            for fact in find():
                found.append(fact)  # noqa: PERF402 - each is there as soon as it is found
        except BaseException as error:  # engines have some that are no Exception
            found.append(_stopped(error, code, remedy))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    facts = tuple(found)
    if thread.is_alive():
        text = late or f"no more than that was known after {seconds:g} s"
        facts = (*facts, Fact("time", text, code, remedy=remedy))
    return Section(name, facts)


def _stopped(error: BaseException, code: int, remedy: str | None) -> Fact:
    """What stopped a section. The text of an error that is not ours may hold anything."""
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
    return Fact("problem", f"it cannot be examined ({type(error).__name__})", code, remedy=remedy)


def install(extra: str) -> str:
    """The command that installs an extra."""
    return f"python -m pip install 'widgetschema[{extra}]'"


def next_step(sections: Iterable[Section]) -> str:
    """The one thing to do next: what else would only be in the way of comes first.

    That is the installation, then the configuration, schemas, what to check, and last tokens and
    network.
    """
    facts = [fact for section in sections for fact in section.facts if fact.remedy is not None]
    first = min(facts, key=_rank, default=None)
    if first is None or first.remedy is None:
        return "Nothing is wrong. Check the data: widgetschema validate"
    return first.remedy


def _rank(fact: Fact) -> int:
    """The lower, the sooner; a note counts between schemas and tokens."""
    order = (CONFIGURATION, SCHEMAS, 0, ACCESS)
    return -1 if fact.remedy == REINSTALL else order.index(fact.code)


def exit_code(sections: Iterable[Section]) -> int:
    """The highest code of a trouble."""
    return max((fact.code for section in sections for fact in section.facts), default=0)


def tidied(section: Section, tidy: Callable[[str], str]) -> Section:
    """The same with every text made fit to be shown."""
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
