"""Faults on demand: their names, their grammar, and how often each of them still happens.

    NAME[=VALUE][@OPERATION][xTIMES]      status=503@schemax2

A value that itself ends like `@schema` or `x2` needs `Fault(...)`, or the object of the control
interface. Those within an operation are applied in `operations`, the others in `handling`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from widgetschema.suggest import did_you_mean

GRAMMAR: Final = "NAME[=VALUE][@OPERATION][xTIMES]"

WIDGETS: Final = "widgets"
SCHEMA: Final = "schema"
EXCHANGE: Final = "exchange"
REFRESH: Final = "refresh"
TOKEN: Final = "token"  # noqa: S105  both operations of the token endpoint
OPERATIONS: Final = (WIDGETS, SCHEMA, EXCHANGE, REFRESH)

_API: Final = (WIDGETS, SCHEMA)
_TOKENS: Final = (EXCHANGE, REFRESH)
_LARGEST: Final = 10_000_000
_FAULT: Final = re.compile(
    r"(?P<name>[^=@]*?)(?:=(?P<value>.*?))?"
    r"(?:@(?P<operation>[a-z]+?))?(?:x(?P<times>[0-9]{1,9}))?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of fault: what it does, what its value is, and where it can happen.

    `value` is how the value is written in the help (None: it takes none). A number lies between
    `least` and `most`. Without a value it is `default`, if there is one.
    """

    text: str
    operations: tuple[str, ...] = OPERATIONS
    value: str | None = None
    default: str | None = None
    least: int = 0
    most: int = _LARGEST

    @property
    def is_number(self) -> bool:
        """True if the value is a whole number."""
        return self.value not in (None, "TEXT", "URL", "NAME")


FAULTS: Final[Mapping[str, Kind]] = {
    # Answers in place of the operation, which is not carried out.
    "status": Kind("an error status", value="STATUS", default="503", least=400, most=599),
    "rate-limit": Kind("429; Retry-After in seconds, if there is a value", value="SECONDS"),
    "rate-limit-date": Kind(
        "429; Retry-After as a date, that many seconds from now", value="SECONDS", default="1"
    ),
    "close": Kind("the connection is closed without a response"),
    "html": Kind("200 with the HTML of a login page"),
    "empty": Kind("200 with an empty body"),
    "bomb": Kind("a small gzip body of MB megabytes", value="MB", default="200", least=1),
    "endless": Kind("MB megabytes without Content-Length", value="MB", default="200", least=1),
    "redirect": Kind("307 to URL; by default to the other name of this machine", value="URL"),
    "redirect-loop": Kind("307 to the same address"),
    "echo": Kind(
        "a response that repeats the Authorization header and the form",
        value="STATUS",
        default="400",
        least=200,
        most=599,
    ),
    # In time.
    "slow": Kind("MS milliseconds before the response", value="MS", default="1000"),
    # Within the operation.
    "unauthorized-after": Kind(
        "an access token is revoked after N calls", _API, value="N", default="0"
    ),
    "rotate": Kind("a refresh gives a new refresh token; the old one is void", (REFRESH,)),
    "expires-in": Kind(
        "expires_in is TEXT (may be empty; date, epoch: computed); without a value it is absent",
        _TOKENS,
        value="TEXT",
    ),
    "expires-number": Kind("expires_in is a JSON number", _TOKENS),
    "clamp": Kind("limit is never more than N", (WIDGETS,), value="N", default="10", least=1),
    "max-limit": Kind(
        "400 for a limit of more than N", (WIDGETS,), value="N", default="50", least=1
    ),
    "truncate": Kind(
        "at most N widgets in docs, the rest of the envelope as if all were there",
        (WIDGETS,),
        value="N",
        default="5",
    ),
    "duplicates": Kind("the last widget in docs repeats the first", (WIDGETS,)),
    "total-all": Kind("total counts all that match, also beyond the limit", (WIDGETS,)),
    "total-more": Kind(
        "total is larger by N than docs", (WIDGETS,), value="N", default="1", least=1
    ),
    "text-numbers": Kind("the numbers of the envelope are strings", (WIDGETS,)),
    "no-numbers": Kind("the envelope holds only docs", (WIDGETS,)),
    "changed": Kind(
        "after each N responses, another version of the schema; TIMES: how many versions",
        (SCHEMA,),
        value="N",
        default="1",
        least=1,
    ),
    "unlinkable": Kind("the schema has a $ref that leads nowhere", (SCHEMA,)),
    "not-modified": Kind("304, conditional or not", (SCHEMA,)),
    "no-validators": Kind("neither ETag nor Last-Modified", (SCHEMA,)),
    "no-etag": Kind("Last-Modified only", (SCHEMA,)),
    "no-last-modified": Kind("ETag only", (SCHEMA,)),
    "no-plugin": Kind("404 for the base schema plugin", (SCHEMA,)),
    # To the bytes of the response.
    "invalid-json": Kind("the second half of the body is missing; its length is right"),
    "bom": Kind("the body begins with a byte order mark"),
    "charset": Kind(
        "the body is in the encoding NAME and says it is UTF-8", value="NAME", default="utf-16"
    ),
    "content-type": Kind("Content-Type is TEXT", value="TEXT", default="text/plain"),
    "drip": Kind("the body in ten pieces, MS milliseconds before each", value="MS", default="100"),
    "cut": Kind(
        "the connection is closed after BYTES bytes of the body; by default half of it",
        value="BYTES",
    ),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        name: The name, one of `FAULTS`.
        value: Its value, if it has one.
        operation: The operation at which it happens; None for all.
        times: The number of times that it happens; None for always.

    Raises:
        ValueError: If there is no such fault, or it cannot have this value or operation.
    """

    name: str
    value: str | None = None
    operation: str | None = None
    times: int | None = None

    def __post_init__(self) -> None:
        kind = FAULTS.get(self.name)
        if kind is None:
            meant = did_you_mean(self.name, FAULTS)
            raise ValueError(f"unknown fault {self.name!r}{meant} (known: {', '.join(FAULTS)})")
        self._check_value(kind)
        if self.operation is not None and not set(_group(self.operation)) & set(kind.operations):
            where = ", ".join(kind.operations)
            raise ValueError(
                f"fault {self.name!r} cannot happen at {self.operation!r} (only at: {where})"
            )
        if self.times is not None and self.times < 1:
            raise ValueError(f"fault {self.name!r}: TIMES is 1 or more, not {self.times}")

    def __str__(self) -> str:
        value = "" if self.value is None else f"={self.value}"
        operation = "" if self.operation is None else f"@{self.operation}"
        times = "" if self.times is None else f"x{self.times}"
        return f"{self.name}{value}{operation}{times}"

    @property
    def text(self) -> str:
        """The value, or what stands for it."""
        return self.value if self.value is not None else FAULTS[self.name].default or ""

    @property
    def number(self) -> int:
        """The value as a number."""
        return int(self.text)

    def applies(self, operation: str) -> bool:
        """Return whether the fault can happen at an operation."""
        wanted = OPERATIONS if self.operation is None else _group(self.operation)
        return operation in wanted and operation in FAULTS[self.name].operations

    def _check_value(self, kind: Kind) -> None:
        value, name = self.value, f"fault {self.name!r}"
        if value is None:
            return
        if kind.value is None:
            raise ValueError(f"{name} takes no value, not {value!r}")
        if kind.is_number:
            known = re.fullmatch("[0-9]{1,9}", value)
            if not known or not kind.least <= int(value) <= kind.most:
                least, most = kind.least, kind.most
                raise ValueError(f"{name}: {kind.value} is from {least} to {most}, not {value!r}")
        elif kind.value == "URL" and not _is_address(value):
            raise ValueError(f"{name}: not an address such as http://127.0.0.1:9999: {value!r}")
        elif kind.value == "NAME" and not _is_encoding(value):
            raise ValueError(f"{name}: there is no encoding of text {value!r}")
        elif self.name == "content-type" and not re.fullmatch("[ -~]+", value):
            raise ValueError(f"{name}: cannot be in a header: {value!r}")


def parse_fault(text: str) -> Fault:
    """Parse a fault: `status=503@schemax2`. Raises `ValueError`."""
    found = _FAULT.fullmatch(text)
    if found is None:
        known = ", ".join((*OPERATIONS, TOKEN))
        raise ValueError(f"not a fault: {text!r}; write {GRAMMAR} (operations: {known})")
    times = found["times"]
    return Fault(found["name"], found["value"], found["operation"], int(times) if times else None)


def as_fault(given: Fault | str | Mapping[str, Any]) -> Fault:
    """Return a fault from a value, a text, or an object with the members of `Fault`.

    Raises `ValueError`.
    """
    if isinstance(given, Fault):
        return given
    if isinstance(given, str):
        return parse_fault(given)
    known: dict[str, type] = {"name": str, "value": str, "operation": str, "times": int}
    if isinstance(given, Mapping) and isinstance(given.get("name"), str):
        if all(name in known and type(given[name]) in (known[name], type(None)) for name in given):
            return Fault(**given)
    raise ValueError(f'not a fault: write "{GRAMMAR}", or an object of {", ".join(known)}')


class ActiveFaults:
    """The faults that can still happen, in the order in which they were given."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._active: list[tuple[Fault, int | None]] = []
        self.add(faults)

    def add(self, faults: Iterable[Fault]) -> None:
        """Add faults."""
        self._active += [(fault, fault.times) for fault in faults]

    def clear(self) -> None:
        """Remove all faults."""
        self._active.clear()

    def take(self, names: Iterable[str], operation: str) -> Fault | None:
        """Return the first of these that happens at an operation now, and count it."""
        for index, (fault, left) in enumerate(self._active):
            if fault.name in names and fault.applies(operation):
                if left is not None:
                    self._active[index : index + 1] = [(fault, left - 1)] if left > 1 else []
                return fault
        return None

    def peek(self, name: str, operation: str) -> Fault | None:
        """Return the first with this name at an operation, without counting it."""
        for fault, _ in self._active:
            if fault.name == name and fault.applies(operation):
                return fault
        return None

    def texts(self) -> list[str]:
        """Return the faults as text, with how often they still happen."""
        return [
            str(Fault(fault.name, fault.value, fault.operation, left))
            for fault, left in self._active
        ]


def _group(operation: str) -> tuple[str, ...]:
    """Return the operations that a name stands for. Raises `ValueError`."""
    if operation == TOKEN:
        return _TOKENS
    if operation not in OPERATIONS:
        known = ", ".join((*OPERATIONS, TOKEN))
        raise ValueError(f"there is no operation {operation!r} (known: {known})")
    return (operation,)


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and value.isprintable()
    except ValueError:
        return False


def _is_encoding(name: str) -> bool:
    try:
        return bool("{}".encode(name))
    except (LookupError, ValueError):
        return False
