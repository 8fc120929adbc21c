"""`DeferredFinding`: a finding that is put into words when these are read.

For audits, which count many findings and show few. The instance must not change in the meantime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from widgetschema.findings import ExtendedFinding
from widgetschema.pointers import pattern_of, pointer_of
from widgetschema.validation.explain.messages import general_message
from widgetschema.validation.explain.violations import Violation

if TYPE_CHECKING:
    from widgetschema.validation.explain.walk import Explainer

_set: Final = object.__setattr__  # findings are frozen


class DeferredFinding(ExtendedFinding):
    """The finding of a violation: what it does not have yet is made when it is read."""

    __slots__ = ("_explainer", "_instance", "_is_made", "violation")

    violation: Violation
    _explainer: Explainer
    _instance: Any
    _is_made: bool

    def __init__(self, violation: Violation, explainer: Explainer, instance: Any) -> None:
        _set(self, "violation", violation)
        _set(self, "_explainer", explainer)
        _set(self, "_instance", instance)
        _set(self, "_is_made", False)
        _set(self, "keyword", violation.keyword)
        _set(self, "line", None)
        _set(self, "column", None)

    def __getattr__(self, name: str) -> Any:
        """Return a field that is read for the first time; then all of them are there."""
        if name not in _MADE or self._is_made:
            raise AttributeError(name)
        if name == "path":  # it needs no words
            _set(self, name, pointer_of(self.violation.path))
            return self.path
        explainer = self._explainer
        made = explainer.rules.finding_of(self.violation, explainer, self._instance)
        for one in _MADE:
            _set(self, one, getattr(made, one))
        _set(self, "_is_made", True)
        return getattr(self, name)

    @property
    def words_key(self) -> tuple[Any, ...] | None:
        """All that message and hint depend on, besides the schema; None if that is too much."""
        if self._is_made:  # perhaps with another hint
            return None
        return self._explainer.rules.words_key(self.violation)

    @property
    def pattern(self) -> str:
        """The path with `*` for array items."""
        return pattern_of(self.violation.path)

    @property
    def general(self) -> tuple[str, str | None]:
        """The message less what depends on the value; and the value in words, if it is shown."""
        return general_message(self.violation, self._explainer.say)

    def with_position(self, line: int | None, column: int | None) -> DeferredFinding:
        """Return the same finding at a line and a column."""
        return self._with(line=line, column=column)

    def with_hint(self, hint: str | None) -> DeferredFinding:
        """Return the same finding with another hint."""
        _ = self.hint  # so that all fields are there
        return self._with(hint=hint)

    def _with(self, **changes: Any) -> DeferredFinding:
        copy = DeferredFinding(self.violation, self._explainer, self._instance)
        if self._is_made:
            for one in _MADE:
                _set(copy, one, getattr(self, one))
            _set(copy, "_is_made", True)
        _set(copy, "line", self.line)
        _set(copy, "column", self.column)
        for name, value in changes.items():
            _set(copy, name, value)
        return copy


_MADE: Final = ("path", "schema_path", "message", "hint", "expected", "fix", "indices")
