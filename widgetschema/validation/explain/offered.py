"""`effective_fixes`: which of the fixes that are proposed end their findings, and cause none.

All fixes of a check are tried together. To find out takes another check of the value, and most
fixes are never read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Fix
from widgetschema.jsontext import Limits
from widgetschema.jsontext.limits import MOST_LEVELS

Signature = tuple[str, str, str]  # keyword, path and schema path of a finding
NO_FIXES: Final[Mapping[Signature, Fix]] = {}
_MOST: Final = 10_000  # findings of a check whose fixes are tried
_NO_LIMITS: Final = Limits(MOST_LEVELS, 1 << 62)  # what is tried has been checked before


def effective_fixes(
    text: bytes, check: Callable[[Any, int], Sequence[Finding]]
) -> Mapping[Signature, Fix]:
    """Return the fixes of the findings about what a JSON text says, as far as they are some.

    `check` returns the first findings about a value, with the fixes that are proposed. Of too many
    findings, none has a fix.
    """
    from widgetschema.fixes import with_effective_fixes  # few fixes are read
    from widgetschema.formats.parsing import parse

    with suppress(UnreadableDocument):
        [parsed] = parse(text, "json", _NO_LIMITS)
        proposed = check(parsed.value, _MOST + 1)
        if len(proposed) > _MOST:
            return NO_FIXES
        findings = with_effective_fixes(
            parsed,
            proposed,
            lambda value: check(value, _MOST + 1),
            lambda new: parse(new, "json", _NO_LIMITS)[0],
        )
        return {
            (one.keyword, one.path, one.schema_path): one.fix
            for one in findings
            if one.fix is not None
        }
    return NO_FIXES
