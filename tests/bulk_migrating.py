"""Files of records to be migrated, and plans for them, for tests of migrations in bulk."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.migrating import NEW, migration
from widgetschema import Migration, WidgetType
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.catalog.portable import PortableCatalog


def plan_of(
    *inputs: object,
    made: Migration | None = None,
    new: WidgetType = NEW,
    size: int = 64 * 1024,
    **settings: Any,
) -> Plan:
    """Return the plan that migrates some files."""
    sources, partitions, problems = plan_sources([*map(str, inputs)], partition_bytes=size)
    assert not problems
    what = Settings("card", quarantine=True, findings=True, **settings)
    catalog = PortableCatalog({"card": new})
    made = made or migration()
    return Plan(what, catalog, tuple(sources), tuple(partitions), migration=made)


def lines(number: int) -> bytes:
    """Return lines of which some are to be changed."""
    kinds: list[Callable[[int], Any]] = [
        lambda index: {"heading": f"{index} ä", "legacy": index},
        lambda index: {"title": f"{index}", "shown": True},
        lambda index: {"heading": index},
    ]
    return b"".join(json.dumps(kinds[index % 3](index)).encode() + b"\n" for index in range(number))
