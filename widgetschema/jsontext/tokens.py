"""The tokens of JSON texts (RFC 8259): the one grammar for locating, for trees and for diagnosis.

`ITEM` and `MEMBER` go through a text that is JSON, one match for each value and closing bracket,
since it was read before. Only the diagnosis, which has to say what is wrong between two tokens,
takes them one by one.
"""

from __future__ import annotations

import json
import re
from typing import Final

_SPACE: Final = r"[ \t\n\r]*+"
_HEX: Final = "[0-9a-fA-F]"
_STRING: Final = rf'"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u{_HEX * 4})*+"'
_NUMBER: Final = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_LITERAL: Final = r"(?:true|false|null)(?![\w$])"
_VALUE: Final = rf"({_STRING}|[\[{{]|{_NUMBER}|{_LITERAL})"  # up to the bracket of a container
_READ: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'  # a string, in a text that is known to be JSON

SPACE: Final = re.compile(_SPACE)
STRING: Final = re.compile(_STRING)
NUMBER: Final = re.compile(_NUMBER)
LITERAL: Final = re.compile(_LITERAL)
# What comes next in an array or an object: its last group is the value, if it is not the end.
ITEM: Final = re.compile(rf"[ \t\n\r,]*+(?:{_VALUE}|\])")
MEMBER: Final = re.compile(rf"[ \t\n\r,]*+(?:({_STRING}){_SPACE}:{_SPACE}{_VALUE}|\}})")
_TO_BRACKET: Final = re.compile(rf'(?:[^"\[\]{{}}]++|{_READ})*+[\[\]{{}}]')


def string_value(text: str, start: int, end: int) -> str:
    """Return the value of the string that is written, with its quotes, from `start` to `end`."""
    value = text[start + 1 : end - 1]
    return str(json.loads(text[start:end])) if "\\" in value else value


def skip_container(text: str, at: int) -> int:
    """Return the offset behind a container, `at` being behind its opening bracket."""
    depth = 1
    while depth:
        match = _TO_BRACKET.match(text, at)
        if match is None:
            raise not_json(at)
        at = match.end()
        depth += 1 if text[at - 1] in "{[" else -1
    return at


def not_json(at: int) -> ValueError:
    """Return the error about a text that was not read before."""
    return ValueError(f"not JSON at offset {at}: read the text before locating in it")
