"""`parse`: the values in a text of any format, each with the places in it."""

from __future__ import annotations

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.formats.model import Parsed
from widgetschema.formats.names import Format
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, SourceText, read


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
    from widgetschema.jsontext.diagnosis import decoded, size_finding

    size = len(raw) if isinstance(raw, bytes) else len(raw.encode(errors="surrogatepass"))
    if size > limits.max_bytes:
        raise UnreadableDocument(Report((size_finding(size, limits.max_bytes),), subject))
    text = decoded(raw) if isinstance(raw, bytes) else raw
    if isinstance(text, Finding):
        raise UnreadableDocument(Report((text,), subject))
    if format == "yaml":
        from widgetschema.formats.yaml import parse_yaml

        return parse_yaml(text, limits, subject)
    from widgetschema.formats.json5 import parse_json5

    return [parse_json5(text, limits, subject, extended=format == "json5")]
