"""`widgetschema widgets`: lists the widgets of the account, as a table or as records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from widgetschema.cli.common import connected, refuse_offline
from widgetschema.cli.console.output import print_error, usage_error, write_output
from widgetschema.cli.declared import option
from widgetschema.cli.options import PlatformOptions
from widgetschema.jsontext import dump, preview
from widgetschema.reporters.style import table
from widgetschema.text import one_line, printable

if TYPE_CHECKING:
    from widgetschema.platform import Widget

_SHOWN: Final = ("id", "type", "name", "status", "updated")
_WIDEST: Final = 60  # characters of a cell


class WidgetsOptions(PlatformOptions):
    """The options of the command."""

    project: str | None = option(
        "--project", metavar="ID", help="List only the widgets of this project."
    )
    search: str | None = option(
        "--search",
        metavar="TEXT",
        help="List only the widgets that the platform finds for this text.",
    )
    type_id: str | None = option("--type", metavar="ID", help="List only the widgets of this type.")
    fields: str | None = option(
        "--fields",
        metavar="NAMES",
        help="Request only these properties of each record: names, separated by commas.",
    )
    limit: int | None = option(
        "--limit",
        type=click.IntRange(min=1),
        help="List at most N widgets. Default: all; if the platform does not return all, the "
        "command fails.",
    )
    layout: str = option(
        "--format",
        type=click.Choice(["text", "json", "ndjson"]),
        default="text",
        help="text: a table. json: an array of complete records. ndjson: one record per line.",
    )


@WidgetsOptions.command("widgets")
def command(options: WidgetsOptions) -> int:
    """List the widgets of the account: id, type, name, status, and time of the last change.

    The records contain no widget data: another operation of the platform returns it.
    """
    names = None if options.fields is None else _names(options.fields)
    project, search, type_id = options.project, options.search, options.type_id
    chosen: dict[str, Any] = {"fields": names, "project_id": project, "search": search}
    limit = options.limit
    refuse_offline()
    with connected(options.settings(), options.profile) as client:
        widgets: Sequence[Widget]
        try:
            if limit is None:
                widgets = list(client.iter_widgets(type=type_id, **chosen))
            else:
                listing = client.widgets(limit=limit, type=type_id, **chosen)
                widgets = listing.docs[:limit]
                if listing.limit is not None and len(widgets) == listing.limit < limit:
                    print_error(f"the platform returns at most {listing.limit:,} widgets at a time")
        except ValueError as error:  # about the arguments
            raise usage_error(error) from None
    records = [widget.members for widget in widgets]
    if options.layout == "ndjson":
        text = "".join(dump(record, indent=False) + "\n" for record in records)
    elif options.layout == "json":
        text = dump(records)
    else:
        text = _table(records, names or _SHOWN)
    code = write_output(text)
    if not records:
        print_error(
            "no widgets match" if project or search or type_id else "the account has no widgets"
        )
    return code


def _names(fields: str) -> list[str]:
    names = list(dict.fromkeys(name.strip() for name in fields.split(",") if name.strip()))
    if not names:
        raise click.BadParameter(
            "expected names of properties, separated by commas.", param_hint="--fields"
        )
    return names


def _table(records: Iterable[Any], names: Sequence[str]) -> str:
    cells = [[printable(name).upper() for name in names]]
    cells += [[_cell(record.get(name)) for name in names] for record in records]
    return table(cells)


def _cell(value: Any) -> str:
    """Return a value in one line, shortened; JSON unless it is a string."""
    if value is None or value == "":
        return "-"
    text = value if isinstance(value, str) else preview(value, _WIDEST)
    return one_line(text, _WIDEST)
