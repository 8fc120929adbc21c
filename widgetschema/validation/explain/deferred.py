"""`DeferredFinding`: a finding that makes its texts, and tries its fix, when these are read.

Many findings are counted, and few are shown. What a finding is made of is kept: the violation, and
the instance, which nobody changes; a value that its owner may change has been copied before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from widgetschema.findings import ExtendedFinding, Finding, Fix
from widgetschema.pointers import indices_of, pattern_of, pointer_of
from widgetschema.validation.explain.checks import finding_of, hint_of, words_key
from widgetschema.validation.explain.messages import (
    expected,
    general_message,
    is_general,
    message,
    schema_path,
)
from widgetschema.validation.explain.violations import Violation

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer

_set: Final = object.__setattr__  # findings are frozen
_SLOTS: Final = ("explainer", "has_own_hint", "instance", "violation")


class DeferredFinding(ExtendedFinding):
    """The finding of a violation: a field that it does not have yet is made when it is read.

    Its fix is proposed until it is read: a fix that does not end its finding, or causes another
    one, is no fix. To find out takes another check of the instance.
    """

    __slots__ = _SLOTS

    violation: Violation
    explainer: Explainer
    instance: Any  # the whole
    has_own_hint: bool  # another one than that of the violation

    def __getattr__(self, name: str) -> Any:
        """Return a field that is read for the first time."""
        make = _MAKE.get(name)
        if make is None:
            raise AttributeError(name)
        value = make(self)
        _set(self, name, value)
        return value

    @property
    def proposed(self) -> Finding:
        """The finding with the fix that is proposed, if there is one."""
        finding = finding_of(self.violation, self.explainer, self.instance)
        return finding.with_hint(self.hint) if self.has_own_hint else finding

    @property
    def words_key(self) -> tuple[Any, ...] | None:
        """All that message and hint depend on, besides the schema; None if that is too much."""
        if self.has_own_hint:
            return None
        violation = self.violation
        if violation.keyword == "required" and not violation.because:
            schema = self.explainer.linked.at[violation.place[: -len("/required")]]
            if schema.get("additionalProperties") is False:  # so there is no hint
                return violation.place, violation.detail
            return None
        return words_key(violation)

    @property
    def pattern(self) -> str:
        """The path with `*` for array items."""
        return pattern_of(self.violation.path)

    @property
    def general(self) -> tuple[str, str | None]:
        """The message less what depends on the value; and the value in words, if it is shown."""
        return general_message(self.violation, self.explainer.say)

    @property
    def is_general(self) -> bool:
        """True if the message is the general one, provided that it shows no value."""
        return is_general(self.violation)

    def with_position(self, line: int | None, column: int | None) -> DeferredFinding:
        """Return the same finding at a line and a column."""
        copy = deferred_finding(self.violation, self.explainer, self.instance)
        _set(copy, "line", line)
        _set(copy, "column", column)
        if self.has_own_hint:
            _set(copy, "hint", self.hint)
            _set(copy, "has_own_hint", True)
        return copy

    def with_hint(self, hint: str | None) -> DeferredFinding:
        """Return the same finding with another hint."""
        copy = self.with_position(self.line, self.column)
        _set(copy, "hint", hint)
        _set(copy, "has_own_hint", True)
        return copy


def _effective_fix(finding: DeferredFinding) -> Fix | None:
    if finding.hint is None and not finding.has_own_hint:
        return None  # without a hint, no fix is proposed
    if finding.proposed.fix is None:
        return None
    return finding.explainer.effective_fix(finding, finding.instance)


_MAKE: Final[dict[str, Callable[[DeferredFinding], Any]]] = {
    "path": lambda one: pointer_of(one.violation.path),
    "schema_path": lambda one: schema_path(one.violation),
    "message": lambda one: message(one.violation, one.explainer.say),
    "hint": lambda one: hint_of(one.violation, one.explainer, one.instance),
    "expected": lambda one: expected(one.violation),
    "indices": lambda one: indices_of(one.violation.path),
    "fix": _effective_fix,
    "line": lambda one: None,
    "column": lambda one: None,
    "has_own_hint": lambda one: False,
}


class _Draft(ExtendedFinding):
    """A finding that is being built: three times as fast while it is not frozen."""

    __slots__ = _SLOTS
    __setattr__ = object.__setattr__


def deferred_finding(violation: Violation, explainer: Explainer, instance: Any) -> DeferredFinding:
    """Return the finding of a violation: a `FindingOf`."""
    draft: Any = _Draft.__new__(_Draft)
    draft.violation = violation
    draft.explainer = explainer
    draft.instance = instance
    draft.keyword = violation.keyword
    draft.__class__ = DeferredFinding
    finding: DeferredFinding = draft
    return finding


def with_proposed_fix(finding: Finding) -> Finding:
    """Return a finding with the fix that is proposed: all that it says is made now."""
    return finding.proposed if isinstance(finding, DeferredFinding) else finding
