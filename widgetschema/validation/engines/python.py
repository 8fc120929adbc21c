"""jsonschema, the second engine: the fallback, and the oracle of the tests.

Brought to the same reading of patterns, numbers and content as the first one.
"""

from __future__ import annotations

import base64
import binascii
import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import orjson

from widgetschema.errors import EngineUnavailable, InvalidSchema
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import preview
from widgetschema.jsontext.decimals import multiples_of
from widgetschema.jsontext.equality import NotPlain, canonical
from widgetschema.schema.keywords import FORMATS
from widgetschema.validation.engines.engine import DECIMAL_MULTIPLE, Decide, is_pattern
from widgetschema.validation.engines.python_formats import Checkers, format_checks

if TYPE_CHECKING:
    from jsonschema import FormatChecker

# This engine's patterns can only be limited by time: that of one match, that which all matches of a
# check may take beyond what an ordinary match needs, and that which each of them may take anyway.
_MATCH_SECONDS: Final = 0.1
_CHECK_SECONDS: Final = 0.5
_LAST_SECONDS: Final = 0.0001
_STACK_BYTES: Final = 512 << 20  # of addresses; memory is what is used of them
_STACK_FRAMES: Final = 150_000  # 200 levels of data, at each of which 64 schemas apply in a row
_deep_stack: Final = threading.Lock()
_INSTALL: Final = "install it with: pip install 'widgetschema[python]'"


class _Check(threading.local):
    """The state of the check that a thread is at.

    A check is one decision about an instance, with the decisions about its parts that explain it.
    """

    def __init__(self) -> None:
        self.begin({}, False)

    def begin(self, definitions: dict[str, Any], within: bool) -> None:
        """Begin to decide about an instance, or about a part of it."""
        self.definitions = definitions
        self.known: dict[tuple[str, int], bool] = {}  # by reference and value
        self.begun: list[Any] = []  # generators: to end one deep in the stack takes long
        if not within:
            self.seconds_left = _CHECK_SECONDS
            self.undecided: set[tuple[str, str]] = set()  # patterns and texts

    def end(self) -> None:
        """Forget what nothing needs after the decision."""
        self.known.clear()
        self.begun.clear()


class PythonEngine:
    """jsonschema, brought to the same reading of patterns, numbers and content."""

    name = "python"
    is_quick = False

    def __init__(self) -> None:
        try:
            import jsonschema
            import regex
        except ImportError as error:
            raise EngineUnavailable("python", f"{error}; {_INSTALL}") from None
        self._regex = regex
        self._checker = _format_checker(jsonschema.Draft7Validator.FORMAT_CHECKER.checkers)
        self._error = jsonschema.ValidationError
        self._check = _Check()
        self._class = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
            jsonschema.Draft7Validator,
            {
                "$ref": self._ref,
                "pattern": self._pattern,
                "patternProperties": self._pattern_properties,
                "additionalProperties": self._additional_properties,
                DECIMAL_MULTIPLE: self._multiple_of,
                "uniqueItems": self._unique_items,
                "contentEncoding": self._content,
                "contentMediaType": self._content,
            },
            type_checker=jsonschema.Draft7Validator.TYPE_CHECKER.redefine("array", _is_array),
        )

    def decider(self, schema: Any, formats: bool, *, within: bool = False) -> Decide:
        """Compile a schema in engine form."""
        self._check_patterns(schema)
        validator = self._class(schema, format_checker=self._checker if formats else None)
        definitions = schema.get("definitions", {}) if type(schema) is dict else {}

        def is_valid(instance: Any) -> bool:
            self._check.begin(definitions, within)
            try:
                return bool(validator.is_valid(instance))
            finally:
                self._check.end()

        def decide(instance: Any) -> bool:
            try:
                return is_valid(instance)
            except RecursionError:
                return _on_a_deep_stack(lambda: is_valid(instance))

        return decide

    def shallow_decider(self, schema: Any, formats: bool, levels: int) -> Decide | None:
        """Return None: to this engine, NaN is a number."""
        return None

    def gave_up(self, pattern: str, text: str) -> bool:
        """Return whether a pattern took too long on this text."""
        return self._search(pattern, text) is None

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
        check = self._check
        if check.undecided and (pattern, text) in check.undecided:
            return None
        seconds, began = max(min(check.seconds_left, _MATCH_SECONDS), _LAST_SECONDS), monotonic()
        try:
            return self._regex.search(_ends(pattern), text, timeout=seconds) is not None
        except TimeoutError:
            check.undecided.add((pattern, text))
            return None
        finally:
            check.seconds_left -= max(0.0, monotonic() - began - _LAST_SECONDS)

    def _ref(self, validator: Any, ref: str, instance: Any, schema: Any) -> Iterator[Any]:
        """Decide once about a value and a subschema, however many ways lead there."""
        known, definitions = self._check.known, self._check.definitions
        key = (ref, id(instance))
        is_valid = known.get(key)
        if is_valid is None:
            target = definitions[ref.removeprefix("#/definitions/")]
            errors = validator.evolve(schema=target).iter_errors(instance)
            is_valid = True
            for _ in errors:  # not `next`, whose frames are those of C, which are fewer
                is_valid = False
                break
            known[key] = is_valid
            self._check.begun.append(errors)
        if not is_valid:
            yield self._error("$ref")

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
        if not multiples_of(divisor)(instance):  # a number: see `_multiple_of` of the form
            yield self._error("multipleOf")

    def _unique_items(
        self, validator: Any, unique: Any, instance: Any, schema: Any
    ) -> Iterator[Any]:
        if unique and validator.is_type(instance, "array"):
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


def _is_array(checker: Any, instance: Any) -> bool:
    if type(instance) is tuple:
        raise NotPlain(tuple)
    return isinstance(instance, list)


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
