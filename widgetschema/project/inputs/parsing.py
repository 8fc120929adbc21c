"""The values in the texts of files, by the formats that their names say."""

from __future__ import annotations

from widgetschema.formats.model import Parsed
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import Limits
from widgetschema.project.inputs.formats import format_of_file
from widgetschema.project.inputs.model import Text


def parse_text(text: Text, limits: Limits) -> list[Parsed]:
    """Return the values in a text of a file. Raises `UnreadableDocument` and `MissingExtra`."""
    return parse(text.raw, format_of_file(text.file), limits, text.file, text.line_offset)
