"""Two versions of a small widget type, and plans between them, for tests of migrations."""

from __future__ import annotations

from typing import Any

from widgetschema import Migration, Plan, WidgetType
from widgetschema.evolution.migrate import parse_plan

OPEN: dict[str, Any] = {"type": "object"}


def widget_type(schema: Any, name: str = "card") -> WidgetType:
    """Return a type of a schema of its data."""
    return WidgetType.from_data_schema(schema, id=name)


def closed(*required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has no other members."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


OLD = widget_type(
    closed(
        "heading",
        heading={"type": "string"},
        size={"enum": ["s", "m"]},
        days={"type": "string"},
        legacy={},
        rest={},
    )
)
NEW = widget_type(
    closed(
        "title",
        "shown",
        title={"type": "string"},
        size={"enum": ["small", "medium"]},
        days={"type": "number"},
        shown={"type": "boolean"},
        rest={},
    )
)
STEPS = """
[[steps]]
kind = "rename"
at = "/heading"
to = "title"

[[steps]]
kind = "map"
at = "/size"
values = { s = "small", m = "medium" }

[[steps]]
kind = "cast"
at = "/days"
to = "number"

[[steps]]
kind = "drop"
at = "/legacy"

[[steps]]
kind = "default"
at = "/shown"
value = true
"""


def plan_text(steps: str, old: WidgetType = OLD, new: WidgetType = NEW, more: str = "") -> str:
    """Return the text of a plan file between two types."""
    sides = (
        f'[{name}]\nid = "{side.id}"\ndigest = "{side.linked_digest}"\n'
        for name, side in (("old", old), ("new", new))
    )
    return "\n".join([*sides, more, steps])


def plan_of(steps: str, old: WidgetType = OLD, new: WidgetType = NEW, more: str = "") -> Plan:
    """Return a plan between two types."""
    return parse_plan(plan_text(steps, old, new, more), name="plan.toml")


def migration(
    steps: str = STEPS,
    old: WidgetType = OLD,
    new: WidgetType = NEW,
    more: str = "",
    *,
    allow_code: bool = False,
) -> Migration:
    """Return the migration of a plan between two types."""
    return old.migration(new, plan_of(steps, old, new, more), allow_code=allow_code)


def between_open(steps: str, *, allow_code: bool = False) -> Migration:
    """Return a migration between two types that accept any object: only the steps decide."""
    old, new = widget_type({**OPEN, "title": "old"}), widget_type({**OPEN, "title": "new"})
    return migration(steps, old, new, allow_code=allow_code)


def step(kind: str, at: str, **options: str) -> str:
    """Return a step of a plan file; options are TOML."""
    lines = [f"{name.replace('_', '-')} = {value}" for name, value in options.items()]
    return "\n".join(["[[steps]]", f"kind = '{kind}'", f"at = '{at}'", *lines, ""])
