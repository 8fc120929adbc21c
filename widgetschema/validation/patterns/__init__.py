r"""ECMA 262 regular expressions, brought into a form that every engine reads the same way.

Draft-07 says that patterns are ECMA 262 (validation specification, section 4.3). Engines
bring their own dialects: `\d` may match Arabic digits, `$` a final newline, `[^]` may be
an error, `\1` may fail where the group took no part. `reading` reads a pattern by ECMA's
grammar, `references` decides which text each reference repeats, and the tree of both
(`expression`) is written again with none of those differences left: classes spelled out,
names of groups turned to numbers, escapes turned to characters.

Nothing is matched here.
"""

from __future__ import annotations

from functools import lru_cache

from widgetschema.validation.patterns.expression import PatternError as PatternError
from widgetschema.validation.patterns.expression import UnsupportedPattern as UnsupportedPattern
from widgetschema.validation.patterns.expression import write
from widgetschema.validation.patterns.reading import Reader


@lru_cache(maxsize=1024)
def translate(pattern: str) -> str:
    """Return the pattern in the common form. Raises `PatternError`, or `UnsupportedPattern`
    if it cannot be brought into that form.
    """
    reader = Reader(pattern)
    root = reader.run()
    if reader.references:
        from widgetschema.validation.patterns.references import bind  # few patterns have any

        root = bind(root, reader.references)
    return write(root)


def pattern_fault(pattern: str) -> str | None:
    """Return why a text is not an ECMA 262 regular expression, or None if it is one."""
    try:
        translate(pattern)
    except UnsupportedPattern:
        return None
    except PatternError as error:
        return str(error)
    return None
