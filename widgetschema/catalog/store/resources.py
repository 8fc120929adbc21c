"""The schemas that a schema of a type may refer to: those that were given, and the bundled one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from widgetschema.catalog.store.store import PLUGIN, bundled
from widgetschema.files import digest
from widgetschema.findings import Provenance
from widgetschema.jsontext import dump


class Resources(Mapping[str, Any]):
    """The given resources, and the base schema; the bundled one is read if it is needed."""

    def __init__(self, plugin: Any, resources: Mapping[str, Any]) -> None:
        self.plugin = plugin
        self.resources = resources

    @property
    def given(self) -> frozenset[str]:
        """The names that do not stand for the bundled base schema."""
        return frozenset([*self.resources, *([PLUGIN] if self.plugin is not None else [])])

    def __getitem__(self, name: str) -> Any:
        if name == PLUGIN and self.plugin is not None:
            return self.plugin
        if name in self.resources:
            return self.resources[name]
        if name == PLUGIN:
            return bundled()[PLUGIN]
        raise KeyError(name)

    def __iter__(self) -> Any:
        yield from (name for name in self.resources if name != PLUGIN)
        yield PLUGIN

    def __len__(self) -> int:
        return len([*iter(self)])


def provenance_of(name: str, schema: Any, *, from_bundle: bool) -> Provenance:
    """Where a schema came from that nobody says anything of."""
    if name == PLUGIN and from_bundle:
        return bundled().provenance(PLUGIN)
    return Provenance(name, "given", digest(dump(schema, indent=False).encode()))
