"""Plans of migrations with the schemas that they name, for all commands that carry one out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import configured_catalog
from widgetschema.cli.console.output import print_stderr
from widgetschema.cli.declared import option
from widgetschema.cli.options import Decorator, schemas_option
from widgetschema.cli.pipeline.diff_operands import resolve_operand
from widgetschema.cli.settings import load_settings
from widgetschema.errors import UnknownWidgetType
from widgetschema.evolution.migrate import Migration, PlanSchema, read_plan
from widgetschema.suggest import nearest
from widgetschema.text import printable


class MigrationSetup(NamedTuple):
    """A migration, with the widget types that it leads from and to."""

    old: WidgetType
    new: WidgetType
    migration: Migration


old_option: Decorator = option(
    "--old",
    metavar="OLD",
    help="The older schema: a file, a folder, or an id. Default: as the plan says.",
)
new_option: Decorator = option(
    "--new",
    metavar="NEW",
    help="The newer schema: a file, a folder, or an id. Default: as the plan says.",
)
allow_code_option: Decorator = option(
    "--allow-code", is_flag=True, help="Permit steps that call functions of Python."
)


def migration_options(command: Any) -> Any:
    """Add the options of `load_migration`: `old`, `new`, `schemas` and `allow_code`."""
    return old_option(new_option(schemas_option(allow_code_option(command))))


def load_migration(
    file: str, *, old: str | None, new: str | None, schemas: str | None, allow_code: bool
) -> MigrationSetup:
    """Return the migration of a plan file.

    The schemas are those that the options give, else the files that the plan names, relative to its
    folder, else those of the ids in the plan, in the catalog. A plan without active steps is noted
    on standard error. With `allow_code`, modules are also found in the folder of the plan, after
    those of this program.

    Raises `OSError` and `InvalidPlan` for the plan, and what `resolve_operand` raises.
    """
    plan = read_plan(file)
    if not plan.steps:
        print_stderr(
            f"{printable(file)}: no step is active; remove the # from those that are right"
        )
    folder = os.path.dirname(file)
    catalogs: list[Catalog] = []

    def catalog() -> Catalog:
        if not catalogs:
            catalogs.append(configured_catalog(schemas))
        return catalogs[0]

    if allow_code and (modules := os.path.abspath(folder)) not in sys.path:
        sys.path.append(modules)
    older = _widget_type(plan.old, old, folder, catalog)
    newer = _widget_type(plan.new, new, folder, catalog)
    return MigrationSetup(older, newer, older.migration(newer, plan, allow_code=allow_code))


def _widget_type(
    side: PlanSchema, given: str | None, folder: str, catalog: Callable[[], Catalog]
) -> WidgetType:
    if given is None:
        given = side.id if side.schema is None else os.path.join(folder, side.schema)
    describes: Literal["data"] | None = "data" if side.data_schema else None
    store, single = resolve_operand(given, catalog, side.id, describes=describes)
    if single is not None:
        return single
    assert store is not None
    if side.id not in store.ids:
        raise UnknownWidgetType(side.id, store.ids, nearest(side.id, store.ids))
    return Catalog([store], describes=load_settings().described)[side.id]
