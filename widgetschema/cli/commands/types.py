"""`widgetschema types`: lists the widget types and where they come from."""

from __future__ import annotations

from typing import Any

import click

from widgetschema.catalog.catalog import missing_folder
from widgetschema.catalog.store import MANIFEST, Store, write_manifest
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import print_error, reason, relative_path, write_output
from widgetschema.cli.declared import option
from widgetschema.cli.options import CatalogOptions, format_option
from widgetschema.errors import UnknownWidgetType, WidgetSchemaError
from widgetschema.jsontext import dump
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.reporters.style import table
from widgetschema.text import printable


class TypesOptions(CatalogOptions):
    """The options of the command."""

    output_format: str = format_option
    pin: bool = option("--pin", help="Write the manifest of --schemas for its current files.")


@TypesOptions.command("types")
def command(options: TypesOptions) -> int:
    """List the widget types: id, title, what the schema describes, its source, and its digest."""
    schemas = options.schemas
    if options.pin:
        if schemas is None:
            raise click.UsageError("--pin requires --schemas DIR.")
        try:
            print_error(f"wrote {write_manifest(schemas)}")
        except OSError as error:
            print_error(f"{schemas}: {MANIFEST} cannot be written: {reason(error)}")
            return 3
    settings = options.settings()
    catalog = catalog_for(settings, schemas)
    rows: list[dict[str, Any]] = []
    code = 0
    for id in catalog.ids():
        try:
            widget_type = catalog[id]
        except UnknownWidgetType:  # it was listed by the cache
            print_error(f"the platform no longer has widget type {id!r}")
            continue
        except WidgetSchemaError as error:
            print_error(f"the schema of widget type {id!r} cannot be used: {error}")
            code = max(code, exit_code(error))
            continue
        rows.append(
            {
                "id": widget_type.id,
                "title": widget_type.title,
                "describes": widget_type.describes,
                "source": widget_type.source,
                **({"unpinned": True} if _is_unpinned(widget_type) else {}),
                "digest": widget_type.digest,
                "linked_digest": widget_type.linked_digest,
            }
        )
        for lint in (*filter(None, [widget_type.unclear]), *widget_type.lints):
            print_error(f"{id}: {lint}")
    for store in catalog.sources:
        if isinstance(store, Store) and not store.is_bundled:
            for path, why in store.others():
                print_error(f"{relative_path(path)} is not a type: {why}")
    if note := missing_folder(catalog.sources, settings.directory):
        print_error(note)
    is_json = options.output_format == "json"
    return max(code, write_output(dump({"version": 1, "types": rows}) if is_json else _table(rows)))


def _is_unpinned(widget_type: WidgetType) -> bool:
    return any(one.unpinned for one in widget_type.provenance if one.id == widget_type.id)


def _source(row: dict[str, Any]) -> str:
    source = relative_path(row["source"])
    return f"{source} (unpinned)" if row.get("unpinned") else source


def _table(rows: list[dict[str, Any]]) -> str:
    cells = [["ID", "TITLE", "DESCRIBES", "SOURCE", "DIGEST"]]
    cells += [
        [
            printable(text or "-")
            for text in (row["id"], row["title"], row["describes"], _source(row))
        ]
        + [str(row["digest"])[:12]]
        for row in rows
    ]
    return table(cells)
