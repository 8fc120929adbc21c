"""`offered_finding`: a finding whose fix is tried out when it is read.

A fix that does not end its finding, or causes another one, is no fix. To find out takes another
check of the value, and most fixes are never read. All fixes of a check are tried together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import ExtendedFinding, Finding, Fix
from widgetschema.jsontext import Limits
from widgetschema.jsontext.limits import MOST_LEVELS

Signature = tuple[str, str, str]  # keyword, path and schema path of a finding
FixesOf = Callable[[bytes], Mapping[Signature, Fix]]  # of the findings about what a JSON text says
NO_FIXES: Final[Mapping[Signature, Fix]] = {}
_MOST: Final = 10_000  # findings of a check whose fixes are tried
_NO_LIMITS: Final = Limits(MOST_LEVELS, 1 << 62)  # what is tried has been checked before
_SLOTS: Final = ("_fixes_of", "_text")
_set: Final = object.__setattr__  # findings are frozen


class OfferedFinding(ExtendedFinding):
    """A finding for which a fix is proposed: it has that only if it is one."""

    __slots__ = _SLOTS

    _fixes_of: FixesOf
    _text: bytes

    def __getattr__(self, name: str) -> Any:
        """Return the fix, which is read for the first time."""
        if name != "fix":
            raise AttributeError(name)
        fix = effective_fix(self, self._fixes_of, self._text)
        _set(self, "fix", fix)
        return fix

    def with_position(self, line: int | None, column: int | None) -> OfferedFinding:
        """Return the same finding at a line and a column."""
        return _offered(self, self._fixes_of, self._text, line, column, self.hint)

    def with_hint(self, hint: str | None) -> OfferedFinding:
        """Return the same finding with another hint."""
        return _offered(self, self._fixes_of, self._text, self.line, self.column, hint)


class _Draft(ExtendedFinding):
    """A finding that is being built: faster while it is not frozen."""

    __slots__ = _SLOTS
    __setattr__ = object.__setattr__


def offered_finding(finding: Finding, fixes_of: FixesOf, text: bytes) -> OfferedFinding:
    """Return a finding that proposes a fix; `text` is the JSON text of what was checked."""
    return _offered(finding, fixes_of, text, finding.line, finding.column, finding.hint)


def _offered(
    finding: Finding,
    fixes_of: FixesOf,
    text: bytes,
    line: int | None,
    column: int | None,
    hint: str | None,
) -> OfferedFinding:
    draft: Any = _Draft.__new__(_Draft)
    draft.keyword = finding.keyword
    draft.path = finding.path
    draft.schema_path = finding.schema_path
    draft.message = finding.message
    draft.hint = hint
    draft.line = line
    draft.column = column
    draft.expected = finding.expected
    draft.indices = finding.indices
    draft._fixes_of = fixes_of
    draft._text = text
    draft.__class__ = OfferedFinding
    offered: OfferedFinding = draft
    return offered


def effective_fix(finding: Finding, fixes_of: FixesOf, text: bytes) -> Fix | None:
    """Return the fix of a finding about what this JSON text says, if it is one."""
    signature = (finding.keyword, finding.path, finding.schema_path)
    return fixes_of(text).get(signature)


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
