"""`Step`: the base class of all kinds of steps, and `Run`, one document that steps change.

A step is a frozen value. Its fields are its options in the plan file, where their names have dashes
for underscores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

from widgetschema.cached import cached_property
from widgetschema.jsontext import dump
from widgetschema.jsontext.draft import Node, Place, places
from widgetschema.pointers import (
    ANY,
    ANY_DEPTH,
    Patterns,
    display_pointer,
    escape_token,
    format_pointer,
    matches,
    parse_pattern,
)

WILD: Final = (ANY, ANY_DEPTH)
# The JSON Schemas of what several kinds have as options.
POINTER: Final = {"type": "string", "maxLength": 1000, "pattern": "^(/|$)"}
JSON_TEXT: Final = {"type": "string", "minLength": 1}


class Lost(NamedTuple):
    """A value that a step took from a document.

    Args:
        step: The number of the step in its plan, from 1.
        pointer: The JSON Pointer in the data where it was when the step came to it.
        text: Its JSON text.
    """

    step: int
    pointer: str
    text: str


class StepFailed(Exception):
    """A step that cannot be carried out in a document."""

    def __init__(self, pointer: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message
        self.hint = hint


class Run:
    """The data of one document, and what a step has done in it so far."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.step = 0
        self.applied = 0
        self.skipped = 0
        self.lost: list[Lost] = []

    def begin(self, number: int) -> None:
        """Begin with the next step."""
        self.step, self.applied, self.skipped = number, 0, 0

    def lose(self, place: Place) -> None:
        """Keep what the step takes away."""
        self.lost.append(Lost(self.step, place.pointer, place.node.text))

    def put(self, place: Place, node: Node) -> None:
        """Put another value at a place."""
        if place.parent is None:
            self.root = node
        else:
            place.parent.replace(place.token, node)

    def putter(self, place: Place) -> Callable[[Node], None]:
        """Return the function that puts a value at a place."""
        return lambda node: self.put(place, node)


def fail(pointer: str, message: str, hint: str | None = None) -> NoReturn:
    """Give up the migration of a document."""
    raise StepFailed(pointer, message, hint)


def option(description: str, **schema: Any) -> dict[str, Any]:
    """Return the metadata of a field that is an option of plan files: its JSON Schema."""
    return {"schema": {"description": description, **schema}}


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a migration: what it does at the places that the pattern `at` leads to.

    `line` is its line in the plan file; None if the step is in no file.
    """

    at: str = field(
        metadata=option(
            "Pattern of JSON Pointers in the data: * is one token, ** any number of tokens.",
            **POINTER,
        )
    )
    line: int | None = field(default=None, compare=False, repr=False)

    kind: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for the manual and for help."""
    runs_code: ClassVar[bool] = False

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of a step of this kind, as a table of the plan file."""
        options = {
            option_field.name.replace("_", "-"): option_field
            for option_field in fields(cls)
            if option_field.metadata
        }
        return {
            "description": cls.summary,
            "type": "object",
            "additionalProperties": False,
            "required": [
                "kind",
                *(name for name, one in options.items() if _default(one) is MISSING),
            ],
            "properties": {
                "kind": {"const": cls.kind},
                **{name: one.metadata["schema"] for name, one in options.items()},
            },
        }

    # Each kind says what it does

    def apply(self, run: Run) -> None:
        """Carry the step out. Raises `StepFailed`."""
        raise NotImplementedError

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return False if the step certainly does nothing at a place, by its Python value.

        The places are those of `seen_at`; `parent` is None for the root.
        """
        return True

    @property
    def reversed(self) -> Step | None:
        """The step that brings back what this one changed; None if there is none."""
        return None

    @property
    def is_idempotent(self) -> bool:
        """True if it changes nothing where it was carried out before."""
        return True

    @property
    def loses(self) -> str | None:
        """The loss, in words; None if nothing is lost."""
        return None

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """Options that cannot be used, each with the reason, beyond what their schemas say."""
        yield from ()

    @property
    def destinations(self) -> tuple[str, ...]:
        """The patterns of the places at which it puts a value where none was."""
        return ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The patterns of the places whose values it takes or changes."""
        return (self.at,)

    @property
    def results(self) -> tuple[str, ...]:
        """The patterns of the places at which values are that it made or moved."""
        return self.destinations or (self.at,)

    @property
    def makes(self) -> tuple[Any, ...] | None:
        """The values that it can make; None if they depend on what is there."""
        return None

    @property
    def missing(self) -> Iterator[str]:
        """The reasons why code that it needs cannot be loaded."""
        yield from ()

    # What follows for all kinds

    @property
    def seen_at(self) -> str:
        """The pattern of the places that decide whether the step applies."""
        return self.at

    @property
    def needles(self) -> frozenset[str] | None:
        """JSON tokens, one of which is in each text that the step applies to; None if unknown."""
        names = [token for token in self.tokens if token not in WILD and not token.isdigit()]
        return frozenset({dump(names[-1], indent=False)}) if names else None

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of `at`."""
        return parse_pattern(self.at)

    @cached_property
    def _pattern(self) -> Patterns[bool]:
        return Patterns({self.seen_at: True})

    def places(self, run: Run) -> list[Place]:
        """Return the places in a document."""
        return places(run.root, self._pattern)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made again when it is needed."""
        return {
            option_field.name: getattr(self, option_field.name) for option_field in fields(self)
        }

    def as_table(self) -> dict[str, Any]:
        """Return the step as a table of a plan file; options that are not given are left out."""
        table: dict[str, Any] = {"kind": self.kind, "at": self.at}
        for option_field in fields(self):
            value = getattr(self, option_field.name)
            if option_field.name not in ("at", "line") and value != _default(option_field):
                table[option_field.name.replace("_", "-")] = value
        return table

    def __str__(self) -> str:
        return f"{self.kind} {display_pointer(self.at)}"


def _default(one: Field[Any]) -> Any:
    """Return the default of a field; `MISSING` if it has none."""
    return one.default if one.default_factory is MISSING else one.default_factory()


def parent_pattern(tokens: list[str]) -> str:
    """Return the pattern of what holds the member that a pattern ends with."""
    return format_pointer(tokens[:-1])


def names_member(step: Step) -> Iterator[tuple[str, str]]:
    """Yield a fault unless the pattern of a step ends with the name of a member."""
    if not step.tokens:
        yield "at", "this is the whole data: write the JSON Pointer of a property"
    elif step.tokens[-1] in WILD:
        yield "at", f"it ends with {step.tokens[-1]}: write the name of a property there"


def leads_to_items(tokens: list[str]) -> bool:
    """Return whether a pattern may lead into a list that takes the place of a value."""
    return ANY_DEPTH in tokens and (tokens[-1] in WILD or tokens[-1].isdigit())


def is_inside(pattern: str, path: str) -> bool:
    """Return True if a path is at a place that a pattern matches, or inside of it."""
    tokens = path.split("/")
    return any(matches(pattern, "/".join(tokens[: end + 1])) for end in range(len(tokens)))


def below(pointer: str, name: str) -> str:
    """Return the JSON Pointer of a member."""
    return f"{pointer}/{escape_token(name)}"
