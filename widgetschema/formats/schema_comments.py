"""Comments by which code editors find the schema of a YAML text.

They stand for the member `$schema`. The YAML language server reads
`# yaml-language-server: $schema=…`, other editors `# $schema: …`.
"""

from __future__ import annotations

import re
from typing import Final

_NAMED: Final = re.compile(
    r"^\ufeff?[ \t]*#[ \t]*(?:yaml-language-server[ \t]*:[ \t]*\$schema[ \t]*=|\$schema[ \t]*:)"
    r"[ \t]*([^\s]+)",
    re.MULTILINE,
)
_NO_VALUE: Final = re.compile(r"\ufeff?(?:(?:(?:---)?[ \t]*(?:#.*)?|%.*)\r?\n)*")


def schema_comment(text: str, start: int = 0, end: int | None = None) -> str | None:
    """Return the address of the schema that a comment names before the first value of a text.

    Or of a document in it: what is between `start`, the end of the one before, and `end`, where its
    value begins.
    """
    if end is None:
        begin = _NO_VALUE.match(text)
        end = begin.end() if begin else 0
    found = _NAMED.search(text, start, end)
    return None if found is None else found[1]
