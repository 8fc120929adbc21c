"""All kinds of steps by their names, and their JSON Schemas."""

from __future__ import annotations

from typing import Any, Final

from widgetschema.evolution.migrate.steps.cast import Cast
from widgetschema.evolution.migrate.steps.clamp import Clamp
from widgetschema.evolution.migrate.steps.default import Default
from widgetschema.evolution.migrate.steps.drop import Drop
from widgetschema.evolution.migrate.steps.lists import Unwrap, Wrap
from widgetschema.evolution.migrate.steps.map_values import Map
from widgetschema.evolution.migrate.steps.move import Move
from widgetschema.evolution.migrate.steps.python import Python
from widgetschema.evolution.migrate.steps.rename import Rename
from widgetschema.evolution.migrate.steps.round_numbers import Round
from widgetschema.evolution.migrate.steps.step import POINTER, Step
from widgetschema.evolution.migrate.steps.texts import Join, Split

KINDS: Final[dict[str, type[Step]]] = {
    kind.kind: kind
    for kind in (
        Rename,
        Move,
        Map,
        Clamp,
        Round,
        Cast,
        Wrap,
        Unwrap,
        Default,
        Split,
        Join,
        Drop,
        Python,
    )
}


def step_schema(kind: type[Step]) -> dict[str, Any]:
    """Return the JSON Schema of a step of some kind, as a table of the plan file."""
    return {
        "description": kind.summary,
        "type": "object",
        "additionalProperties": False,
        "required": ["kind", "at", *kind.required],
        "properties": {
            "kind": {"const": kind.kind},
            "at": {
                "description": "Pattern of JSON Pointers in the data: * is one token, ** any "
                "number of tokens.",
                **POINTER,
            },
            **kind.options,
        },
    }


def step_of(table: dict[str, Any], line: int | None = None) -> Step:
    """Return the step of a table that is valid by its schema."""
    options = {name.replace("-", "_"): value for name, value in table.items() if name != "kind"}
    return KINDS[table["kind"]](**options, line=line)
