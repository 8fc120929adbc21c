"""Facts: what a section of `doctor` finds, gathered even if the section fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from widgetschema.errors import MissingExtra, WidgetSchemaError
from widgetschema.project.checking.results import reason

# Exit codes; the highest of all facts is that of the command.
INSTALLATION: Final = 2
CONFIGURATION: Final = 2
SCHEMAS: Final = 4
ACCESS: Final = 5

_INSTALL: Final = "python -m pip install --upgrade --force-reinstall widgetschema"
REINSTALL: Final = f"Repair the installation: {_INSTALL}"


class Fact(NamedTuple):
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


class Section(NamedTuple):
    """The facts about one thing, in order."""

    name: str
    facts: tuple[Fact, ...]


def note(name: str, text: str, remedy: str | None = None) -> Fact:
    """Return a fact about something that is absent and need not be there."""
    return Fact(name, text, note=True, remedy=remedy)


def gather(
    name: str, find: Callable[[], Iterable[Fact]], code: int, remedy: str | None = None
) -> Section:
    """Return the facts that `find` yields; an exception becomes the last one, with a code."""
    facts: list[Fact] = []
    try:
        for fact in find():
            facts.append(fact)  # noqa: PERF402 - those before an exception count
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # engines may raise what is not an Exception
        facts.append(_stopped(error, code, remedy))
    return Section(name, tuple(facts))


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
