"""`recover_value`: read an incomplete text in YAML, JSON5 or JSONC, such as one being typed.

If the text can be read, the value is the same as that of `parse`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from widgetschema.errors import MissingExtra, UnreadableDocument
from widgetschema.formats.names import Format
from widgetschema.jsontext import DEFAULT_LIMITS, Element, Limits


class Recovered(NamedTuple):
    """The value of a text: `root` says where its parts are, as far as they are in the text.

    Kinds of elements are those of `jsontext.recovery`.
    """

    root: Element
    value: Any


def recover_value(text: str, format: Format, limits: Limits = DEFAULT_LIMITS) -> Recovered:
    """Return the value of a text in YAML (of one document), JSON5 or JSONC."""
    if format != "yaml":
        from widgetschema.formats.json5 import recover_json5

        return Recovered(*recover_json5(text, limits, extended=format == "json5"))
    from widgetschema.formats.yaml import YamlText, parse_yaml
    from widgetschema.formats.yaml_recovery import recover_yaml, yaml_value

    try:
        values = parse_yaml(text, limits, "document")
    except (UnreadableDocument, MissingExtra):
        values = []
    if len(values) == 1 and isinstance(values[0].source, YamlText):
        return Recovered(values[0].source.root, values[0].value)
    root = recover_yaml(text, limits)
    return Recovered(root, yaml_value(root))
