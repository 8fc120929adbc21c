"""`deferred_finding`: a finding whose texts are written when they are read.

For audits, which count many findings and show few. The instance must not change in the meantime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from widgetschema.findings import ExtendedFinding, Finding, Fix
from widgetschema.jsontext import dump_line
from widgetschema.pointers import pattern_of, pointer_of
from widgetschema.validation.explain.checks import hint_of, words_key
from widgetschema.validation.explain.messages import general_message, is_general, message
from widgetschema.validation.explain.offered import effective_fix
from widgetschema.validation.explain.violations import Violation

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer

_set: Final = object.__setattr__  # findings are frozen
_SLOTS: Final = ("_explainer", "_instance", "_made", "violation")


class DeferredFinding(ExtendedFinding):
    """The finding of a violation: what it does not have yet is made when it is read."""

    __slots__ = _SLOTS

    violation: Violation
    _explainer: Explainer
    _instance: Any
    _made: Finding | None

    def __getattr__(self, name: str) -> Any:
        """Return a field that is read for the first time; then most of them are there."""
        if name not in _MADE:
            raise AttributeError(name)
        explainer = self._explainer
        if name == "path":  # it needs no words
            _set(self, name, pointer_of(self.violation.path))
            return self.path
        if self._made is None:
            made = explainer.finding_of(self.violation, explainer, self._instance)
            for one in _IN_WORDS:
                _set(self, one, getattr(made, one))
            _set(self, "_made", made)
        if name == "fix" and self._made is not None:
            is_proposed = self._made.fix is not None  # to try it takes another check
            _set(self, name, self._effective_fix() if is_proposed else None)
        return getattr(self, name)

    def _effective_fix(self) -> Fix | None:
        return effective_fix(self, self._explainer.effective_fixes, dump_line(self._instance))

    @property
    def words_key(self) -> tuple[Any, ...] | None:
        """All that message and hint depend on, besides the schema; None if that is too much."""
        if self._made is not None:  # perhaps with another hint
            return None
        violation = self.violation
        if violation.keyword == "required" and not violation.because:
            schema = self._explainer.linked.at[violation.place[: -len("/required")]]
            if schema.get("additionalProperties") is False:  # so there is no hint
                return violation.place, violation.detail
            return None
        return words_key(violation)

    @property
    def words(self) -> tuple[str, str | None]:
        """The message and the hint, without looking for a fix."""
        if self._made is not None:
            return self.message, self.hint
        return message(self.violation, self._explainer.say), self.hint_alone

    @property
    def hint_alone(self) -> str | None:
        """The hint, without the message."""
        if self._made is not None:
            return self.hint
        return hint_of(self.violation, self._explainer, self._instance)

    @property
    def pattern(self) -> str:
        """The path with `*` for array items."""
        return pattern_of(self.violation.path)

    @property
    def general(self) -> tuple[str, str | None]:
        """The message less what depends on the value; and the value in words, if it is shown."""
        return general_message(self.violation, self._explainer.say)

    @property
    def is_general(self) -> bool:
        """True if the message is the general one, provided that it shows no value."""
        return is_general(self.violation)

    def with_position(self, line: int | None, column: int | None) -> DeferredFinding:
        """Return the same finding at a line and a column."""
        return self._with(line=line, column=column)

    def with_hint(self, hint: str | None) -> DeferredFinding:
        """Return the same finding with another hint."""
        _ = self.hint  # so that all fields are there
        return self._with(hint=hint)

    def _with(self, **changes: Any) -> DeferredFinding:
        copy = deferred_finding(self.violation, self._explainer, self._instance)
        if self._made is not None:
            for one in _IN_WORDS:
                _set(copy, one, getattr(self, one))
            _set(copy, "_made", self._made)
        _set(copy, "line", self.line)
        _set(copy, "column", self.column)
        for name, value in changes.items():
            _set(copy, name, value)
        return copy


_IN_WORDS: Final = ("path", "schema_path", "message", "hint", "expected", "indices")
_MADE: Final = (*_IN_WORDS, "fix")


class _Draft(ExtendedFinding):
    """A finding that is being built: three times as fast while it is not frozen."""

    __slots__ = _SLOTS
    __setattr__ = object.__setattr__


def deferred_finding(violation: Violation, explainer: Explainer, instance: Any) -> DeferredFinding:
    """Return the finding of a violation: a `FindingOf`."""
    draft: Any = _Draft.__new__(_Draft)
    draft.violation = violation
    draft._explainer = explainer
    draft._instance = instance
    draft._made = None
    draft.keyword = violation.keyword
    draft.line = draft.column = None
    draft.__class__ = DeferredFinding
    finding: DeferredFinding = draft
    return finding
