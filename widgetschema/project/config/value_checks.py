"""Values of settings: read from text, checked against their schema, and resolved.

The checker knows the keywords of JSON Schema that `settings` uses. It speaks of TOML (tables, true
or false) and, unlike the validator, costs nothing to import; a test holds the two together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from widgetschema.findings import Finding
from widgetschema.pointers import escape_token
from widgetschema.project.config.rules import FORMATS, did_you_mean, quoted

Schema = Mapping[str, Any]

_EXPECTED: Final = {
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "array": "an array",
    "object": "a table",
}
_TYPES: Final[dict[str, Any]] = {"string": str, "boolean": bool, "array": list, "object": dict}
_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("0", "false", "no", "off")
_FEW: Final = 8  # settings that a hint can list
_DIGITS: Final = re.compile(r"[0-9]{1,15}")


def parse(schema: Schema, text: str) -> Any:
    """Return the value that a text means, or the text for `check` to refuse."""
    kind, word = schema.get("type"), text.lower()
    if kind == "boolean" and word in _TRUE + _FALSE:
        return word in _TRUE
    if kind == "integer" and _DIGITS.fullmatch(text):
        return int(text)
    if kind == "array":
        return [one.strip() for one in text.split(",") if one.strip()]
    return text


def resolve(schema: Schema, value: Any, folder: str) -> Any:
    """Return a checked value as it is used: paths below `folder` are absolute, arrays tuples."""
    format = schema.get("format")
    if format in ("path", "output-path"):
        return os.path.normpath(os.path.join(folder, value))
    if format == "reporter":
        name, equals, file = value.partition("=")
        return f"{name}={os.path.normpath(os.path.join(folder, file))}" if equals else name
    if format == "date" and isinstance(value, str):
        from datetime import date  # reading a file has brought it along

        return date.fromisoformat(value)
    if isinstance(value, list):
        return tuple(resolve(schema["items"], one, folder) for one in value)
    if "properties" in schema:
        of = schema["properties"]
        return {name: resolve(of[name], item, folder) for name, item in value.items()}
    if isinstance(value, dict):
        of = schema["additionalProperties"]
        return {name: resolve(of, item, folder) for name, item in value.items()}
    return int(value) if schema.get("type") == "integer" else value


def check(schema: Schema, value: Any, pointer: str, folder: str | None) -> Iterator[Finding]:
    """Yield the findings about a value at `pointer`.

    `folder` is the folder of the configuration file; None for an environment variable.
    """
    kind = schema.get("type")
    if schema.get("format") == "date" and _is_date(value):
        return
    if "enum" in schema:
        if value not in schema["enum"]:
            *choices, last = schema["enum"]
            expected = f"{', '.join(choices)} or {last}"
            hint = did_you_mean(value, schema["enum"])
            yield _unexpected("enum", pointer, expected, value, hint)
    elif kind == "integer":
        yield from _check_integer(schema, value, pointer)
    elif not isinstance(value, _TYPES[str(kind)]):
        expected = "a date" if schema.get("format") == "date" else _EXPECTED[str(kind)]
        yield _unexpected("type", pointer, expected, value)
    elif kind != "boolean":
        long = {"string": "Length", "array": "Items", "object": "Properties"}[str(kind)]
        most = schema.get(f"max{long}")
        if len(value) < schema.get(f"min{long}", 0):
            yield Finding(f"min{long}", pointer, "", "this is empty")
        elif most is not None and len(value) > most:
            unit = "characters" if kind == "string" else "entries"
            yield Finding(f"max{long}", pointer, "", f"this has more than {most:,} {unit}")
        elif kind == "string":
            fault = FORMATS[schema["format"]](value, folder) if "format" in schema else None
            if fault is not None:
                yield Finding("format", pointer, "", *fault)
        elif kind == "array":
            for index, item in enumerate(value):
                yield from check(schema["items"], item, f"{pointer}/{index}", folder)
        else:
            yield from _check_table(schema, value, pointer, folder)


def _check_integer(schema: Schema, value: Any, pointer: str) -> Iterator[Finding]:
    least, most = schema["minimum"], schema["maximum"]
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if not is_whole or isinstance(value, bool):
        keyword = "type"
    elif least <= value <= most:
        return
    else:
        keyword = "minimum" if value < least else "maximum"
    yield _unexpected(keyword, pointer, f"a whole number from {least:,} to {most:,}", value)


def _check_table(schema: Schema, table: Any, pointer: str, folder: str | None) -> Iterator[Finding]:
    for name in schema.get("required", ()):
        if name not in table:
            yield Finding("required", pointer, "", f"{name} is missing")
    any_of = [name for one in schema.get("anyOf", ()) for name in one["required"]]
    if any_of and table.keys().isdisjoint(any_of):
        message = f"{', '.join(any_of[:-1])} or {any_of[-1]} is missing"
        yield Finding("required", pointer, "", message)
    known, others = schema.get("properties", {}), schema["additionalProperties"]
    for name, item in table.items():
        place = f"{pointer}/{escape_token(name)}"
        if "propertyNames" in schema:
            for one in check(schema["propertyNames"], name, place, folder):
                yield Finding("propertyNames", place, "", one.message, one.hint)
        by_pattern = schema.get("patternProperties", {}).items()
        of = next((one for pattern, one in by_pattern if re.search(pattern, name)), others)
        of = known.get(name, of)
        if of is False:
            from widgetschema.removed import advice_on  # only for what is wrong

            removed = advice_on("setting", name) if not pointer else None
            hint = removed or did_you_mean(name, known) or _other_table(name, known)
            hint = hint or _every(known)
            message = f"unknown setting {quoted(name)}"
            yield Finding("additionalProperties", place, "", message, hint)
        else:
            yield from check(of, item, place, folder)


def _every(known: dict[str, Any]) -> str:
    """Return the hint that names all settings that are known here, or says how to list them."""
    if len(known) > _FEW:
        return "all settings are listed by: widgetschema config"
    return f"known settings: {', '.join(known)}"


def _other_table(name: str, known: dict[str, Any]) -> str | None:
    """Return the hint that names the table, among those known here, in which a setting belongs."""
    for table, schema in known.items():
        if name in schema.get("properties", {}):
            return f"it belongs in [{table}]"
        if name in schema.get("items", {}).get("properties", {}):
            return f"it belongs in [[{table}]]"
    return None


def _is_date(value: Any) -> bool:
    from datetime import date  # reading a file has brought it along

    return type(value) is date  # a datetime is a date by inheritance, too


def _unexpected(
    keyword: str, pointer: str, expected: str, value: Any, hint: str | None = None
) -> Finding:
    """Return the finding; it never shows the contents of a container, which may be large."""
    if isinstance(value, (list, dict)):
        shown = "an array" if isinstance(value, list) else "a table"
    elif isinstance(value, (str, int)):
        shown = quoted(value)
    else:
        shown = str(value)
    return Finding(keyword, pointer, "", f"expected {expected}, found {shown}", hint)
