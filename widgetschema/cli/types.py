"""`widgetschema types`: the widget types there are, and where they come from."""

from __future__ import annotations

import click

from widgetschema.cli.common import catalog_for, schemas_option
from widgetschema.cli.output import Output, complain
from widgetschema.documents import dump
from widgetschema.errors import WidgetSchemaError
from widgetschema.store import Store


@click.command("types")
@schemas_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Default: text.",
)
@click.option("--pin", is_flag=True, help="Write the manifest of --schemas for its files as they are.")
def command(schemas: str | None, output_format: str, pin: bool) -> int:
    """List the widget types: id, title, source, digest of the linked schema."""
    from widgetschema.cli.main import exit_code

    if pin:
        if schemas is None:
            raise click.UsageError("--pin needs --schemas DIR: the folder to pin.")
        complain(f"wrote {Store(schemas).pin()}")
    catalog = catalog_for(schemas)
    rows: list[dict[str, str | None]] = []
    code = 0
    for id in catalog.ids():
        try:
            widget_type = catalog[id]
        except WidgetSchemaError as error:
            complain(f"the schema of widget type {id!r} cannot be used: {error}")
            code = max(code, exit_code(error))
            continue
        rows.append(
            {
                "id": widget_type.id,
                "title": widget_type.title,
                "source": widget_type.source,
                "digest": widget_type.digest,
            }
        )
        for lint in widget_type.lints:
            complain(f"{id}: {lint}")
    output = Output(None)
    output.write(dump({"version": 1, "types": rows}) if output_format == "json" else _table(rows))
    output.close()
    return code


def _table(rows: list[dict[str, str | None]]) -> str:
    cells = [["ID", "TITLE", "SOURCE", "DIGEST"]]
    cells += [
        [str(row["id"]), row["title"] or "-", str(row["source"]), str(row["digest"])[:12]]
        for row in rows
    ]
    widths = [max(len(row[column]) for row in cells) for column in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return "".join(f"{line.rstrip()}\n" for line in lines)
