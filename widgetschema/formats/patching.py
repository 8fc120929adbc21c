"""`patch_text`: a text in any format with a JSON Patch applied, if nothing is lost by that.

JSON5 and JSONC are patched in their translation. In YAML, members are added and removed by whole
lines, or within the brackets of a flow collection. A patched text is read again: it must have the
value that the patch says, and each comment that it had.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.errors import PatchError, UnreadableDocument
from widgetschema.formats.json5 import Json5Text, single_quoted
from widgetschema.formats.model import Format, Parsed
from widgetschema.formats.parsing import parse
from widgetschema.formats.yaml import YamlText
from widgetschema.formats.yaml_scalars import is_plain_text, is_text, number_token
from widgetschema.jsontext import DEFAULT_LIMITS, Element, Limits, Tree, dump, patch, read
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import format_pointer, parse_pointer
from widgetschema.text import common_ends

_BREAK: Final = re.compile(r"\r\n?|\n")


class TextEdit(NamedTuple):
    """The text between two offsets becomes `text`."""

    start: int
    end: int
    text: str


class _Impossible(Exception):
    """The text cannot be patched without losing something, with the reason."""


def patch_text(
    parsed: Parsed,
    format: Format,
    operations: Sequence[Mapping[str, Any]],
    limits: Limits = DEFAULT_LIMITS,
) -> str:
    """Return the text of a value with the operations of a JSON Patch (RFC 6902).

    Args:
        parsed: The value and its text.
        format: The format of the text.
        operations: As for `jsontext.patch`. In YAML, only members can be added and removed, and
            only scalars be replaced.
        limits: How large the text may be.

    Returns:
        The new text.

    Raises:
        PatchError: If the operations cannot be applied, or something would be lost.
    """
    text = parsed.source.text
    if format == "json":
        return patch(text, operations, limits=limits)
    expected = read(patch(dump(parsed.value, indent=False), operations, limits=limits), limits)
    for index, operation in enumerate(operations):
        try:
            if isinstance(parsed.source, Json5Text):
                text = _patched_json5(parsed.source, operation, limits)
            else:
                edit = _yaml_edit(parsed, operation)
                text = f"{text[: edit.start]}{edit.text}{text[edit.end :]}"
            before, [parsed] = parsed, parse(text, format, limits)
            if _warned(parsed) - _warned(before):
                raise _Impossible("YAML 1.1 would read the new text differently")
        except (_Impossible, UnreadableDocument, ValueError) as error:
            raise PatchError(index, str(error)) from None
    if canonical(parsed.value) != canonical(expected):
        raise PatchError(len(operations) - 1, "other values would change")
    return text


def _warned(parsed: Parsed) -> set[str]:
    """Return the places of values that are written in a doubtful way."""
    return {one.finding.path for one in parsed.warnings}


def difference(old: str, new: str) -> TextEdit:
    """Return the least edit from one text to another."""
    start, end = common_ends(old, new)
    return TextEdit(start, len(old) - end, new[start : len(new) - end])


# JSON5 and JSONC


def _patched_json5(source: Json5Text, operation: Mapping[str, Any], limits: Limits) -> str:
    """Return the text after an operation that is applied to its translation."""
    if operation["op"] == "replace":
        edit = _json5_replacement(source, operation)
        return f"{source.text[: edit.start]}{edit.text}{source.text[edit.end :]}"
    old = source.translation
    start, end, new = difference(old, patch(old, [operation], limits=limits))
    while start and (source.is_within(start) or source.is_within(end)):
        moved = new[-1:] or old[end - 1]
        if old[start - 1] != moved or old[end - 1] != moved:
            break
        # The same edit, one character further to the left, where it may be between two tokens.
        start, end, new = start - 1, end - 1, (moved + new)[: len(new)]
    if source.is_within(start) or source.is_within(end):
        raise _Impossible("the edit would change how something else is written")
    first, last = source.offset_before(start), source.offset_before(end)
    text = source.text
    line_end = _line_end(text, last)
    if source.has_comment(first, last) or (end > start and source.has_comment(last, line_end)):
        raise _Impossible("a comment would be lost, or stand beside something else")
    if not new.startswith(",") or not source.has_comment(first, line_end):
        return f"{text[:first]}{new}{text[last:]}"
    rest = text[first:line_end]  # what is added goes behind the comment on this line
    if rest.lstrip().startswith(","):
        return f"{text[:line_end]}{new[1:]},{text[line_end:]}"
    return f"{text[:first]},{rest}{new[1:]}{text[line_end:]}"


def _json5_replacement(source: Json5Text, operation: Mapping[str, Any]) -> TextEdit:
    """Return the edit that writes a value in place of another, in the quotes that it has."""
    pointer, text = operation["path"], dump(operation["value"], indent=False)
    place = source.locate([pointer]).get(pointer)
    if place is None or source.has_comment(place.start, place.end):
        raise _Impossible("there is no such value, or it has a comment")
    if text.startswith('"') and source.text.startswith("'", place.start):
        text = single_quoted(text)
    return TextEdit(place.start, place.end, text)


# YAML


def _yaml_edit(parsed: Parsed, operation: Mapping[str, Any]) -> TextEdit:
    """Return the edit that an operation is."""
    assert isinstance(parsed.source, YamlText)
    *above, last = parse_pointer(operation["path"]) or [""]
    text, root = parsed.source.text, parsed.source.root
    around = Tree(text, root).at(format_pointer(above))
    if operation["op"] == "replace":
        return _replacement(parsed.source, operation)
    if around is None or around.kind != "object":
        raise _Impossible("only members of a mapping can be added and removed")
    if operation["op"] == "add" and around.member(last) is None:
        return _addition(text, around, last, operation["value"])
    if operation["op"] == "remove" and around.member(last) is not None:
        return _removal(text, around, last)
    raise _Impossible("the mapping has such a member, or none that is written in it")


def _replacement(source: YamlText, operation: Mapping[str, Any]) -> TextEdit:
    """Return the edit that writes another scalar, or an empty collection, in place of one."""
    pointer, value = operation["path"], operation["value"]
    place = source.locate([pointer]).get(pointer)
    if place is None or not source.is_own_token(place.start, place.end):
        raise _Impossible("it is not written as a single value")
    if type(value) is str and is_plain_text(value):
        return TextEdit(place.start, place.end, value)
    text = dump(value, indent=False)
    is_number = type(value) in (int, float)
    return TextEdit(place.start, place.end, number_token(text) if is_number else text)


def _addition(text: str, around: Element, name: str, value: Any) -> TextEdit:
    """Return the edit that adds a member behind the others of a mapping."""
    end = around.members[-1].element.end if around.members else around.start + 1
    if text.startswith("{", around.start):
        comma = ", " if around.members else ""
        return TextEdit(end, end, f"{comma}{dump(name, indent=False)}: {dump(value, indent=False)}")
    key_start = around.members[0].key_start
    line = max(text.rfind("\n", 0, key_start), text.rfind("\r", 0, key_start)) + 1
    indentation = " " * (key_start - line)
    newline = found.group() if (found := _BREAK.search(text)) else "\n"
    block = newline.join(indentation + one for one in _block({name: value}).split("\n"))
    while text[end - 1] in "\r\n":  # of a block scalar
        end -= 1
    end = _line_end(text, end)
    return TextEdit(end, end, f"{newline}{block}")


def _block(value: Any) -> str:
    """Return a value in block style, as every version of YAML reads it."""
    import yaml

    def represent(dumper: Any, text: str) -> Any:
        """Put a text in quotes that would be something else in any version."""
        style = None if is_text(text) else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)

    dumper_class: Any = type("Dumper", (yaml.SafeDumper,), {})
    dumper_class.add_representer(str, represent)
    dumped = yaml.dump(
        value, None, dumper_class, allow_unicode=True, sort_keys=False, width=float("inf")
    )
    return str(dumped).rstrip("\n")


def _removal(text: str, around: Element, name: str) -> TextEdit:
    """Return the edit that removes a member, with its lines."""
    members = around.members
    index = next(index for index, one in enumerate(members) if one.name == name)
    start, end = members[index].key_start, members[index].element.end
    if len(members) == 1:
        return TextEdit(around.start, around.end, "{}")
    is_last = index == len(members) - 1
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if not text.startswith("{", around.start) and not text[line:start].strip(" \t"):
        end = _line_end(text, end if text[end - 1] not in "\r\n" else end - 1)
        newline = _BREAK.match(text, end)
        return TextEdit(line, end if newline is None else newline.end(), "")
    if is_last:
        start, gap = members[index - 1].element.end, (members[index - 1].element.end, start)
    else:
        end, gap = members[index + 1].key_start, (end, members[index + 1].key_start)
    if "#" in text[slice(*gap)]:
        raise _Impossible("a comment would be lost")
    return TextEdit(start, end, "")


def _line_end(text: str, offset: int) -> int:
    """Return the end of the line of an offset, without its break."""
    found = _BREAK.search(text, offset)
    return len(text) if found is None else found.start()
