"""`widgetschema widgets`: the widgets of the account, as a table or as the records that came."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from widgetschema.cli.common import connected, refuse_offline
from widgetschema.cli.console.output import Output, print_error
from widgetschema.cli.options import platform_options
from widgetschema.jsontext import dump, preview
from widgetschema.reporters.style import columns
from widgetschema.text import one_line, printable

if TYPE_CHECKING:
    from widgetschema.platform import Widget

_SHOWN: Final = ("id", "type", "name", "status", "updated")
_WIDEST: Final = 60  # characters of a cell


@click.command("widgets")
@platform_options
@click.option("--project", metavar="ID", help="Only the widgets of this project.")
@click.option("--search", metavar="TEXT", help="Only the widgets that the platform finds by it.")
@click.option("--type", "type_id", metavar="ID", help="Only the widgets of this type.")
@click.option(
    "--fields",
    metavar="NAMES",
    help="Only these members of each record: names, with commas between them.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most N widgets. Default: all of them, or an error that says why not.",
)
@click.option(
    "--format",
    "layout",
    type=click.Choice(["text", "json", "ndjson"]),
    default="text",
    help="text: a table; json: an array of the records as they came, with all members; ndjson: "
    "one record a line. Default: text.",
)
def command(
    base_url: str | None,
    auth_url: str | None,
    project: str | None,
    search: str | None,
    type_id: str | None,
    fields: str | None,
    limit: int | None,
    layout: str,
) -> int:
    """List the widgets of the account: id, type, name, status, time of the last change.

    The records hold no widget data; the platform gives that by another operation.
    """
    names = None if fields is None else _names(fields)
    chosen: dict[str, Any] = {"fields": names, "project_id": project, "search": search}
    refuse_offline()
    with connected(base_url, auth_url) as client:
        widgets: Sequence[Widget]
        try:
            if limit is None:
                widgets = list(client.iter_widgets(type=type_id, **chosen))
            else:
                listing = client.widgets(limit=limit, type=type_id, **chosen)
                widgets = listing.docs[:limit]
                if listing.limit is not None and len(widgets) == listing.limit < limit:
                    print_error(f"the platform returns at most {listing.limit:,} widgets at a time")
        except ValueError as error:  # of the arguments: errors of the platform are no ValueErrors
            raise click.UsageError(str(error)) from None
    output = Output(None)
    records = [widget.members for widget in widgets]
    if layout == "ndjson":
        output.write("".join(dump(record, indent=False) + "\n" for record in records))
    elif layout == "json":
        output.write(dump(records))
    else:
        output.write(_table(records, names or _SHOWN))
    if not records:
        print_error("there are no widgets" + (" like that" if project or search or type_id else ""))
    return output.close()


def _names(fields: str) -> list[str]:
    names = list(dict.fromkeys(name.strip() for name in fields.split(",") if name.strip()))
    if not names:
        raise click.BadParameter("names of members, with commas between.", param_hint="--fields")
    return names


def _table(records: Iterable[Any], names: Sequence[str]) -> str:
    cells = [[printable(name).upper() for name in names]]
    cells += [[_cell(record.get(name)) for name in names] for record in records]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in cells
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _cell(value: Any) -> str:
    """One value in one line, shortened; what is not text as JSON."""
    if value is None or value == "":
        return "-"
    text = value if isinstance(value, str) else preview(value, _WIDEST)
    return one_line(text, _WIDEST)
