"""Plans of migrations with the schemas that they name, for all commands that carry one out."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Literal, NamedTuple

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.type_ids import nearest_ids
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import print_stderr
from widgetschema.cli.declared import Options, argument, option, setting_option
from widgetschema.cli.pipeline.diff_operands import resolve_operand
from widgetschema.errors import UnknownWidgetType
from widgetschema.evolution.migrate import Migration, PlanSchema, read_plan
from widgetschema.project.config import Configuration
from widgetschema.text import printable


class MigrationSetup(NamedTuple):
    """A migration, with the widget types that it leads from and to."""

    old: WidgetType
    new: WidgetType
    migration: Migration


class MigrationOptions(Options):
    """The options of `load_migration`."""

    plan: str = argument(metavar="PLAN.toml")
    old: str | None = option(
        "--old",
        metavar="OLD",
        help="The older schema: a file, a folder, or an id. Default: as the plan says.",
    )
    new: str | None = option(
        "--new",
        metavar="NEW",
        help="The newer schema: a file, a folder, or an id. Default: as the plan says.",
    )
    schemas: str | None = setting_option("schemas")
    allow_code: bool = option("--allow-code", help="Permit steps that call Python functions.")


def load_migration(options: MigrationOptions) -> MigrationSetup:
    """Return the migration of a plan file.

    The schemas are those that the options give, else the files that the plan names, relative to its
    folder, else those of the ids in the plan, in the catalog. A plan without active steps is noted
    on standard error. With `allow_code`, modules are also found in the folder of the plan, after
    those of this program.

    Raises `OSError` and `InvalidPlan` for the plan, and what `resolve_operand` raises.
    """
    file, settings = options.plan, options.settings()
    plan = read_plan(file)
    if not plan.steps:
        print_stderr(
            f"{printable(file)}: no step is active; remove the # from those that are right"
        )
    folder = os.path.dirname(file)
    catalogs: list[Catalog] = []

    def catalog() -> Catalog:
        if not catalogs:
            catalogs.append(catalog_for(settings, options.schemas))
        return catalogs[0]

    if options.allow_code and (modules := os.path.abspath(folder)) not in sys.path:
        sys.path.append(modules)
    older = _widget_type("--old", plan.old, options.old, folder, catalog, settings)
    newer = _widget_type("--new", plan.new, options.new, folder, catalog, settings)
    migration = older.migration(newer, plan, allow_code=options.allow_code)
    return MigrationSetup(older, newer, migration)


def _widget_type(
    name: str,
    side: PlanSchema,
    given: str | None,
    folder: str,
    catalog: Callable[[], Catalog],
    settings: Configuration,
) -> WidgetType:
    if given is None:
        given = side.id if side.schema is None else os.path.join(folder, side.schema)
        if side.schema is not None and not os.path.lexists(given):
            why = f"no such file or directory; name the schema of the plan by {name}"
            raise FileNotFoundError(errno.ENOENT, why, given)
    describes: Literal["data"] | None = "data" if side.data_schema else None
    found = resolve_operand(given, catalog, side.id, describes=describes)
    if isinstance(found, WidgetType):
        return found
    if side.id not in found.ids:
        raise UnknownWidgetType(side.id, found.ids, nearest_ids(side.id, found.ids))
    return Catalog([found], describes=settings.described)[side.id]
