"""Choices: `anyOf`, `oneOf`, `if`, and schemas in `dependencies`, as branches in order.

Draft-07 validation specification, sections 6.5.7, 6.6 and 6.7.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from widgetschema.findings import escape_token
from widgetschema.schema.linking import is_schema, subschemas


class Branch(NamedTuple):
    """One way to make a choice: what then applies, is refused, must be there or must not.

    `pointer` is the subschema that the branch is named after.
    """

    pointer: str
    pointers: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


class Choice(NamedTuple):
    """`anyOf`, `oneOf`, `if`, or one schema of `dependencies`, at the pointer `place`."""

    keyword: str
    place: str
    branches: tuple[Branch, ...]


def choices_of(pointer: str, schema: Any) -> Iterator[Choice]:
    if type(schema) is not dict:
        return
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            places = [p for word, p, _ in subschemas(schema, pointer) if word == keyword]
            others = places if keyword == "oneOf" else []
            branches = tuple(Branch(p, (p,), tuple(q for q in others if q != p)) for p in places)
            yield Choice(keyword, f"{pointer}/{keyword}", branches)
    if "if" in schema and schema.keys() & {"then", "else"}:
        condition = f"{pointer}/if"
        then = (f"{pointer}/then",) if "then" in schema else ()
        other = (f"{pointer}/else",) if "else" in schema else ()
        yield Choice(
            "if",
            condition,
            (
                Branch(next(iter(then), condition), (condition, *then)),
                Branch(next(iter(other), condition), other, (condition,)),
            ),
        )


def needs_of(place: str, dependencies: dict[str, Any]) -> Iterator[Choice]:
    for name, needed in dependencies.items():
        if is_schema(needed):
            pointer = f"{place}/{escape_token(name)}"
            without, with_it = (
                Branch(pointer, absent=(name,)),
                Branch(pointer, (pointer,), (), (name,)),
            )
            yield Choice("dependencies", pointer, (without, with_it))
