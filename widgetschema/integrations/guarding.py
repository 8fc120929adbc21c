"""The guard in front of an application: which requests carry widget data, and what refuses them.

`asgi` and `wsgi` read the request and replay it. No request may pass because of the spelling of its
path or its method, so paths are compared in a normal form. If the path of a guarded request is not
in its normal form, the request is refused, since applications differ in how they read such a path.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeVar
from urllib.parse import unquote

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import WidgetSchemaError
from widgetschema.integrations import CatalogSource, require_catalog
from widgetschema.integrations.bodies import MAX_BODY_BYTES, require_json, too_large
from widgetschema.integrations.form_views import Answer, answer_to
from widgetschema.integrations.problems import RefusedRequest, problem_of
from widgetschema.text import shorten

SAFE_METHODS: Final = ("DELETE", "GET", "HEAD", "OPTIONS", "TRACE")  # these save no data
CHECKED_METHODS: Final = ("POST", "PUT")
_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_NOT_LITERAL: Final = re.compile("^:|[{}<>]")  # as frameworks write placeholders
_MAX_DECODINGS: Final = 5
App = TypeVar("App")
_log = logging.getLogger("widgetschema")


class Match(NamedTuple):
    """A request that the guard checks: the id of the widget type; None if the document names it.

    `of_application` is that id, if the application names it for all requests, else None.
    """

    type: str | None
    of_application: str | None


class _Rule(NamedTuple):
    """A pattern of paths, by segments, and the id of the type or the placeholder that is the id."""

    segments: tuple[str, ...]
    type: str | None

    def type_at(self, segments: Sequence[str]) -> tuple[str | None] | None:
        """Return the id of the type for a path, in a tuple; None if the pattern does not match."""
        if len(segments) != len(self.segments):
            return None
        values = {}
        for expected, segment in zip(self.segments, segments, strict=True):
            if _PLACEHOLDER.fullmatch(expected):
                values[expected] = segment
            elif expected.casefold() != segment.casefold():
                return None
        return (values.get(self.type, self.type) if self.type is not None else None,)

    def is_spelled(self, segments: Sequence[str]) -> bool:
        """Return whether the literal segments of a matching path are spelled as in the pattern."""
        return all(
            expected == segment or _PLACEHOLDER.fullmatch(expected) is not None
            for expected, segment in zip(self.segments, segments, strict=True)
        )


class Guard(Generic[App]):
    """Checks the widget data in requests before an application gets them.

    The body of a request that matches is read, checked, and passed on, byte for byte. Otherwise,
    the response is a problem (RFC 9457), and the application is not called. Everything else is
    passed on unchanged.

    Args:
        app: The application.
        paths: For each pattern of paths, such as `/widgets/{type}`, the id of the widget type: a
            text, or a placeholder of the pattern (`{type}`). None takes the property `type` of the
            documents. The first pattern that matches counts. A placeholder is one segment.
        catalog: The catalog, or a function that returns it.
        documents: The bodies are widget documents, not the data alone.
        methods: The methods whose bodies are checked. Any other method that might save data, such
            as PATCH, is refused (405).
        max_bytes: The largest body, in bytes.

    Raises:
        ValueError, TypeError: For a pattern, a type or a method that cannot be used.
    """

    def __init__(
        self,
        app: App,
        paths: Mapping[str, str | None],
        *,
        catalog: CatalogSource = Catalog.default,
        documents: bool = False,
        methods: Collection[str] = CHECKED_METHODS,
        max_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        require_catalog(catalog)
        self._app = app
        if not isinstance(paths, Mapping):
            raise TypeError(
                f'paths must be a dict such as {{"/widgets/{{type}}": "{{type}}"}}, not {paths!r}'
            )
        if isinstance(methods, str):
            raise TypeError(f"methods must be a list such as [{methods!r}], not a text")
        self._rules = [_rule(pattern, type, documents) for pattern, type in paths.items()]
        self._catalog = catalog
        self._documents = documents
        self._methods = frozenset(method.upper() for method in methods)
        self._max_bytes = max_bytes

    def _match(self, method: str, paths: Sequence[str], raw_path: str = "") -> Match | None:
        """Return the type that a request is checked for; None if it is not the guard's.

        Args:
            method: The method.
            paths: The decoded path, and those with and without the prefix of a mounted application.
            raw_path: The path as it was sent, if that is known.

        Raises:
            RefusedRequest: For another method, or a path that is not in its normal form.
        """
        method = method.upper()  # some applications ignore the case
        if method in SAFE_METHODS and method not in self._methods:
            return None
        raw_segments = _hidden_segments(raw_path.partition("?")[0])
        for rule in self._rules:
            match = _match(rule, paths, raw_segments)
            if match is not None and method not in self._methods:
                detail = "is not accepted here: send all of the data with PUT or POST"
                allowed = ", ".join(sorted({*SAFE_METHODS, *self._methods}))
                raise RefusedRequest(405, f"{shorten(method, 20)} {detail}", {"Allow": allowed})
            if match is not None:
                return match
        return None

    def _require_readable(
        self, content_types: Sequence[str], content_encodings: Sequence[str], length: str | None
    ) -> None:
        """Refuse a body before it is read, by its headers.

        Raises:
            RefusedRequest: If it cannot be JSON, or its length is not a number.
            UnreadableDocument: If it is too large.
        """
        if length is not None and not (length.isascii() and length.isdigit()):
            raise RefusedRequest(400, "the Content-Length is not a number")
        if length is not None and (len(length) > 18 or int(length) > self._max_bytes):
            raise too_large(self._max_bytes)
        require_json(content_types, content_encodings)

    def _refusal(self, match: Match | None, error: WidgetSchemaError) -> Answer:
        """Return the response to an error of a check. Errors of the server are logged."""
        is_named = match is not None and match.type is not None
        found = problem_of(error, unknown_type=404 if is_named else 422)
        if found.status >= 500:  # whose text does not say what failed
            _log.error("widget data cannot be checked", exc_info=error)
        return answer_to(found)


def _rule(pattern: str, type: str | None, documents: bool) -> _Rule:
    """Return the rule of a pattern. Raises `ValueError` and `TypeError`."""
    segments = pattern.strip("/").split("/")
    if not pattern.startswith("/") or not all(segments):
        raise ValueError(f'a pattern is a path such as "/widgets/{{type}}", not {pattern!r}')
    for segment in segments:
        if _NOT_LITERAL.search(segment) and _PLACEHOLDER.fullmatch(segment) is None:
            raise ValueError(
                f"in the pattern {pattern!r}, a placeholder is one whole segment such as "
                f'"{{type}}", not {segment!r}'
            )
    if not (type is None or isinstance(type, str)):
        raise TypeError(f"the type for {pattern!r} must be a text, not {type!r}")
    if type is None and not documents:
        raise ValueError(
            f"the type for {pattern!r} is missing: only documents name their type "
            "(documents=True); data needs an id, or a placeholder of the pattern"
        )
    if type is not None and _NOT_LITERAL.search(type) and type not in segments:
        raise ValueError(f"the type for {pattern!r} is {type}, which is not in the pattern")
    return _Rule(tuple(segments), type)


def _match(rule: _Rule, paths: Sequence[str], raw_segments: Sequence[str]) -> Match | None:
    """Return the type that a rule has for a request. Raises `RefusedRequest`."""
    for path in paths:
        segments = _normal_segments(path)
        found = rule.type_at(segments)
        if found is None:
            continue
        spelled = f"/{'/'.join(segments)}"
        is_spelled = path in (spelled, f"{spelled}/") and not raw_segments
        if not is_spelled or not rule.is_spelled(segments):
            raise _misspelled()
        named = rule.type is not None and _PLACEHOLDER.fullmatch(rule.type)
        return Match(found[0], None if named else rule.type)
    if raw_segments and rule.type_at(raw_segments[-len(rule.segments) :]) is not None:
        raise _misspelled()
    return None


def _normal_segments(path: str) -> list[str]:
    """Return the segments of a path, as the most tolerant application would read it."""
    segments: list[str] = []
    for segment in _decoded(path).replace("\\", "/").split("/"):
        name = segment.partition(";")[0].strip()  # parameters (RFC 3986, section 3.3)
        if name == "..":
            del segments[-1:]
        elif name not in ("", "."):
            segments.append(name)
    return segments


def _hidden_segments(raw_path: str) -> list[str]:
    """Return the segments of a path as it was sent, if one of them has an encoded slash.

    For some applications, that slash does not end the segment.
    """
    segments = [_decoded(segment) for segment in raw_path.split("/") if segment]
    return segments if any("/" in one or "\\" in one for one in segments) else []


def _decoded(text: str) -> str:
    """Return a text without percent-encoding, however often it was encoded."""
    for _ in range(_MAX_DECODINGS):
        decoded = unquote(text)
        if decoded == text:
            break
        text = decoded
    return text


def _misspelled() -> RefusedRequest:
    return RefusedRequest(400, "the path is not in its normal form")
