"""jsonschema-rs, the engine that decides where its wheel is installed: microseconds a check.

Importing this module raises `ImportError` where the wheel is missing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import jsonschema_rs

from widgetschema.errors import InvalidSchema
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import dump
from widgetschema.jsontext.decimals import multiples_of
from widgetschema.validation.engines.engine import DECIMAL_MULTIPLE, Decide, is_pattern

_BACKTRACK_LIMIT: Final = 100_000  # steps of a pattern that needs backtracking: about 2 ms


class RustEngine:
    """jsonschema-rs: decides, in microseconds."""

    name = "rust"
    is_quick = True

    def __init__(self) -> None:
        self._compiled_pattern = lru_cache(maxsize=256)(
            lambda pattern: self._compile({"pattern": pattern}, False)
        )
        self._email = jsonschema_rs.EmailOptions(allow_display_text=False)
        self._patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACK_LIMIT)

    def _compile(self, schema: Any, formats: bool) -> Any:
        # A format of our own makes every check slower by half, so only where it is asked for.
        text = dump(schema, indent=False)
        own = {"regex": is_pattern} if '"format":"regex"' in text else None
        keywords: dict[str, Any] | None
        keywords = {DECIMAL_MULTIPLE: _MultipleOf} if f'"{DECIMAL_MULTIPLE}":' in text else None
        try:
            return jsonschema_rs.Draft7Validator(
                schema,
                validate_formats=formats,
                formats=own,
                keywords=keywords,
                pattern_options=self._patterns,
                email_options=self._email,
                offline=True,
            )
        except (jsonschema_rs.ValidationError, ValueError) as error:
            message = f"the engine cannot compile the schema: {str(error).partition(chr(10))[0]}"
            finding = Finding("pattern" if "regex" in message else "schema", "", "", message[:400])
            raise InvalidSchema(Report((finding,), "schema")) from None

    def decider(self, schema: Any, formats: bool, *, within: bool = False) -> Decide:
        """Compile a schema in engine form."""
        decide: Decide = self._compile(schema, formats).is_valid
        return decide

    def shallow_decider(self, schema: Any, formats: bool, levels: int) -> Decide | None:
        """Compile a schema in engine form so that it accepts only what is in few containers.

        It looks at every number, and to this engine NaN and the infinities are none.
        """
        from widgetschema.validation.engines.shallow import shallow_form  # not every run needs it

        shallow = shallow_form(schema, levels)
        return None if shallow is None else self.decider(shallow, formats)

    def gave_up(self, pattern: str, text: str) -> bool:
        """Return whether a pattern ran into the step limit on this text."""
        errors = self._compiled_pattern(pattern).iter_errors(text)
        undecided = ("BacktrackLimitExceeded", "RegexEngineFailure")
        return any(type(error.kind).__name__ in undecided for error in errors)


class _MultipleOf:
    """The keyword `decimalMultipleOf`, in the form that the engine asks for."""

    def __init__(self, parent_schema: Any, value: Any, schema_path: Any) -> None:
        self._is_multiple = multiples_of(value)

    def validate(self, instance: Any) -> None:
        """Raise an error for what is no multiple."""
        if not self._is_multiple(instance):
            raise ValueError


def _use_once() -> None:
    """Use all of the engine that it sets up on first use, under locks of its own.

    That happens while this module is imported, and so never while the process forks.
    """
    schema = {"pattern": "a", "format": "one", "two": 2, "properties": {"a": {"$ref": "#"}}}
    validator = jsonschema_rs.Draft7Validator(
        schema, validate_formats=True, formats={"one": bool}, keywords={"two": _MultipleOf}
    )
    validator.is_valid({"a": 3})
    for error in validator.iter_errors("b"):
        str(error.kind)


_use_once()
