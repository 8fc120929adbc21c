"""`widgetschema bundle`: writes a self-contained schema for editors and other validators."""

from __future__ import annotations

from typing import Any

from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import escaped, print_error, write_output
from widgetschema.cli.declared import argument, option
from widgetschema.cli.options import CatalogOptions, force_output_option
from widgetschema.cli.pipeline.selection import refuse_existing
from widgetschema.jsontext import dump
from widgetschema.project.checking.artifacts import BUNDLED


class BundleOptions(CatalogOptions):
    """The options of the command."""

    type_id: str = argument(metavar="ID")
    output: str | None = option(
        "--output", metavar="FILE", help="Write to FILE. Default: standard output."
    )
    force: bool = force_output_option


@BundleOptions.command("bundle")
def command(options: BundleOptions) -> int:
    """Write the linked schema of the widget type ID, with its base schemas, as one file.

    Every reference in the file is a JSON Pointer, so that it means the same to all validators. The
    file describes what the schema describes: a widget document, or the data itself (see
    `widgetschema types`).
    """
    widget_type = catalog_for(options.settings(), options.schemas)[options.type_id]
    for lint in widget_type.lints:
        print_error(f"{options.type_id}: {lint}")
    text = escaped(dump(_with_comment(widget_type.bundle())), "utf-8")
    refuse_existing(options.output, force=options.force, text=text)
    return write_output(text, options.output)


def _with_comment(schema: Any) -> Any:
    """Return a schema that begins with a comment, by which it is recognized as no data."""
    if not isinstance(schema, dict):  # a comment needs an object, so an equal one is written
        schema = {} if schema else {"not": {}}
    own = schema.get("$comment")
    comment = f"{BUNDLED}: {own}" if isinstance(own, str) else BUNDLED
    return {"$comment": comment} | schema | {"$comment": comment}
