"""jsonschema, the second engine: the fallback, and the oracle of the tests.

Brought to the same reading of patterns, numbers and content as the first one.
"""

from __future__ import annotations

import base64
import binascii
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import orjson

from widgetschema.errors import EngineUnavailable, InvalidSchema
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import preview
from widgetschema.jsontext.decimals import decimal_value
from widgetschema.jsontext.equality import canonical
from widgetschema.schema.keywords import FORMATS
from widgetschema.validation.engines.engine import Decide, is_pattern
from widgetschema.validation.engines.python_formats import Checkers, format_checks

if TYPE_CHECKING:
    from jsonschema import FormatChecker

_PATTERN_SECONDS: Final = 0.1  # this engine's patterns can only be limited by time
_STACK_BYTES: Final = 512 << 20  # of addresses; memory is what is used of them
_STACK_FRAMES: Final = 150_000  # 200 levels of data, at each of which 64 schemas apply in a row
_deep_stack: Final = threading.Lock()
_INSTALL: Final = "install it with: pip install 'widgetschema[python]'"


class PythonEngine:
    """jsonschema, brought to the same reading of patterns, numbers and content."""

    name = "python"

    def __init__(self) -> None:
        try:
            import jsonschema
            import regex
        except ImportError as error:
            raise EngineUnavailable("python", f"{error}; {_INSTALL}") from None
        self._regex = regex
        self._checker = _format_checker(jsonschema.Draft7Validator.FORMAT_CHECKER.checkers)
        self._error = jsonschema.ValidationError
        self._class = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
            jsonschema.Draft7Validator,
            {
                "pattern": self._pattern,
                "patternProperties": self._pattern_properties,
                "additionalProperties": self._additional_properties,
                "multipleOf": self._multiple_of,
                "uniqueItems": self._unique_items,
                "contentEncoding": self._content,
                "contentMediaType": self._content,
            },
        )

    def decider(self, schema: Any, formats: bool) -> Decide:
        """Compile a schema in engine form."""
        self._check_patterns(schema)
        validator = self._class(schema, format_checker=self._checker if formats else None)

        def decide(instance: Any) -> bool:
            try:
                return bool(validator.is_valid(instance))
            except RecursionError:
                return _on_a_deep_stack(lambda: bool(validator.is_valid(instance)))

        return decide

    def gave_up(self, pattern: str, text: str) -> bool:
        """Return whether a pattern took too long on this text."""
        return self._search(pattern, text) is None

    def places(self, schema: Any, formats: bool, instance: Any) -> Iterator[tuple[str, list[Any]]]:
        """Yield keyword and path of each error."""
        validator = self._class(schema, format_checker=self._checker if formats else None)
        for error in validator.iter_errors(instance):
            yield str(error.validator), list(error.absolute_path)

    def _check_patterns(self, schema: Any) -> None:
        """Compile every pattern, so that one that cannot be is known before it is needed."""
        todo = [schema]
        while todo:
            item = todo.pop()
            if type(item) is list:
                todo.extend(item)
            elif type(item) is dict:
                patterns = item.get("patternProperties", {})
                pattern = item.get("pattern")
                for text in (*patterns, *([pattern] if type(pattern) is str else [])):
                    try:
                        self._regex.compile(_ends(text))
                    except self._regex.error as error:
                        finding = Finding("pattern", "", "", f"{preview(text)}: {error}")
                        raise InvalidSchema(Report((finding,), "schema")) from None
                todo.extend(item[key] for key in item if key not in ("const", "enum"))

    def _search(self, pattern: str, text: str) -> bool | None:
        """Return whether a pattern in common form matches; None if that is not decided in time."""
        try:
            return self._regex.search(_ends(pattern), text, timeout=_PATTERN_SECONDS) is not None
        except TimeoutError:
            return None

    def _pattern(self, validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:
        if isinstance(instance, str) and not self._search(pattern, instance):
            yield self._error("pattern")

    def _pattern_properties(
        self, validator: Any, patterns: dict[str, Any], instance: Any, schema: Any
    ) -> Iterator[Any]:
        if isinstance(instance, dict):
            for pattern, subschema in patterns.items():
                for name, value in instance.items():
                    if self._search(pattern, name):
                        yield from validator.descend(
                            value, subschema, path=name, schema_path=pattern
                        )

    def _additional_properties(
        self, validator: Any, subschema: Any, instance: Any, schema: Any
    ) -> Iterator[Any]:
        if not isinstance(instance, dict):
            return
        properties = schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        for name, value in instance.items():
            if name not in properties and not any(self._search(p, name) for p in patterns):
                yield from validator.descend(value, subschema, path=name)

    def _multiple_of(
        self, validator: Any, divisor: Any, instance: Any, schema: Any
    ) -> Iterator[Any]:
        if isinstance(instance, (int, float)) and not isinstance(instance, bool):
            if decimal_value(instance) % decimal_value(divisor):
                yield self._error("multipleOf")

    def _unique_items(
        self, validator: Any, unique: Any, instance: Any, schema: Any
    ) -> Iterator[Any]:
        if unique and isinstance(instance, list):
            if len(set(map(canonical, instance))) < len(instance):
                yield self._error("uniqueItems")

    def _content(self, validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if not isinstance(instance, str):
            return
        text: str | bytes = instance
        try:
            if schema.get("contentEncoding") == "base64":
                text = base64.b64decode(instance, validate=True)
            if schema.get("contentMediaType") == "application/json":
                orjson.loads(text)
        except (binascii.Error, ValueError):
            yield self._error("content")


def _on_a_deep_stack(decide: Callable[[], bool]) -> bool:
    """Decide on a thread with a stack for data and schemas nested as deep as the limits allow."""
    from concurrent.futures import ThreadPoolExecutor  # few data are that deep

    with _deep_stack:  # both settings are those of the whole process
        size, frames = threading.stack_size(_STACK_BYTES), sys.getrecursionlimit()
        sys.setrecursionlimit(max(frames, _STACK_FRAMES))
        try:
            with ThreadPoolExecutor(1, "widgetschema-deep-data") as pool:
                return pool.submit(decide).result()
        except (RuntimeError, MemoryError):  # a RecursionError, or there is no room for the thread
            reason = "the data is nested too deep for it here; use the engine rust"
            raise EngineUnavailable("python", reason) from None
        finally:
            sys.setrecursionlimit(frames)
            threading.stack_size(size)


def _ends(pattern: str) -> str:
    """With `$` as the end of the text; as a character it has another spelling there."""
    return pattern.replace("$", r"\Z")


def _format_checker(known: Checkers) -> FormatChecker:
    """Return a checker of the formats of draft-07."""
    from jsonschema import FormatChecker

    checks = format_checks(known)
    missing = sorted(FORMATS.keys() - checks.keys() - {"regex"})
    if missing:
        reason = f"it cannot check the formats {', '.join(missing)}; {_INSTALL}"
        raise EngineUnavailable("python", reason)
    checker = FormatChecker(())
    checker.checkers["regex"] = (is_pattern, ())
    for name, check in checks.items():
        checker.checkers[name] = (_of_texts(check), ())
    return checker


def _of_texts(check: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or check(value)
