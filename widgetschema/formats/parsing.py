"""Read a text of any format: `parse` if it is whole, `recover_value` while somebody is typing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from widgetschema.errors import MissingExtra, UnreadableDocument
from widgetschema.formats.model import Format, Parsed
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, SourceText, read

if TYPE_CHECKING:
    from widgetschema.jsontext import Element


def parse(
    raw: bytes | str,
    format: Format,
    limits: Limits = DEFAULT_LIMITS,
    subject: str = "document",
    line_offset: int = 0,
) -> list[Parsed]:
    """Return the values in a text; only YAML may have several. `line_offset` as for `SourceText`.

    Raises `UnreadableDocument`, and `MissingExtra` for YAML if its parser is not installed.
    """
    if format == "json":
        value = read(raw, limits, subject)
        return [Parsed(value, SourceText(raw, line_offset, value))]
    from widgetschema.jsontext.diagnosis import text_of

    text = text_of(raw, limits.max_bytes, subject)
    if format == "yaml":
        from widgetschema.formats.yaml import parse_yaml

        return parse_yaml(text, limits, subject)
    from widgetschema.formats.json5 import parse_json5

    return [parse_json5(text, limits, subject, extended=format == "json5")]


class Recovered(NamedTuple):
    """The value of a text: `root` says where its parts are, as far as they are in the text.

    Kinds of elements are those of `jsontext.recovery`.
    """

    root: Element
    value: Any


def recover_value(text: str, format: Format) -> Recovered:
    """Return the value of a text in YAML (of one document), JSON5 or JSONC, complete or not.

    If the text can be read, the value is the same as that of `parse`.
    """
    if format != "yaml":
        from widgetschema.formats.json5 import recover_json5

        return Recovered(*recover_json5(text, extended=format == "json5"))
    from widgetschema.formats.yaml import YamlText, parse_yaml
    from widgetschema.formats.yaml_recovery import recover_yaml, yaml_value

    try:
        values = parse_yaml(text, DEFAULT_LIMITS, "document")
    except (UnreadableDocument, MissingExtra):
        values = []
    if len(values) == 1 and isinstance(values[0].source, YamlText):
        return Recovered(values[0].source.root, values[0].value)
    root = recover_yaml(text)
    return Recovered(root, yaml_value(root))
