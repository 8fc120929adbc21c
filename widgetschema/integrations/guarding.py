"""The guard in front of an application: which requests carry widget data, and what refuses them.

`asgi` and `wsgi` read the request and replay it. No request may pass because of the spelling of its
path or its method, so paths are compared in a normal form. If the path of a guarded request is not
in its normal form, the request is refused, since applications differ in how they read such a path.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import WidgetSchemaError
from widgetschema.integrations.bodies import (
    MAX_BODY_BYTES,
    CatalogSource,
    checked_body,
    refused_body,
    too_large,
)
from widgetschema.integrations.problems import Problem, problem, problem_of
from widgetschema.text import shorten

SAFE_METHODS: Final = ("DELETE", "GET", "HEAD", "OPTIONS", "TRACE")  # these save no data
CHECKED_METHODS: Final = ("POST", "PUT")
_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MAX_DECODINGS: Final = 5
_log = logging.getLogger("widgetschema")


class Match(NamedTuple):
    """A request that the guard checks: the id of the widget type; None if the document names it."""

    type: str | None


Decision = Match | Problem | None


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


class Guard:
    """Decides which requests carry widget data, and checks their bodies.

    Args:
        paths: For each pattern of paths, such as `/widgets/{type}`, the id of the widget type: a
            text, or a placeholder of the pattern (`{type}`). None takes the member `type` of the
            documents. The first pattern that matches counts.
        catalog: The catalog, or a function that returns it.
        documents: The bodies are widget documents, not the data alone.
        methods: The methods whose bodies are checked. Any other method that might save data, such
            as PATCH, is refused.
        max_bytes: The largest body.

    Raises:
        ValueError: For a pattern or a type that cannot be used.
    """

    def __init__(
        self,
        paths: Mapping[str, str | None],
        *,
        catalog: CatalogSource = Catalog.default,
        documents: bool = False,
        methods: Collection[str] = CHECKED_METHODS,
        max_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._rules = [_rule(pattern, type, documents) for pattern, type in paths.items()]
        self.catalog = catalog
        self.documents = documents
        self._methods = frozenset(method.upper() for method in methods)
        self.max_bytes = max_bytes

    def match(self, method: str, paths: Iterable[str], raw_path: str = "") -> Decision:
        """Return whether a request is checked, or refused; None if it is not the guard's.

        Args:
            method: The method.
            paths: The decoded path, and those with and without the prefix of a mounted application.
            raw_path: The path as it was sent, if that is known.
        """
        method = method.upper()  # some applications ignore the case
        if method in SAFE_METHODS and method not in self._methods:
            return None
        paths = [*paths]
        raw_segments = _hidden_segments(raw_path.partition("?")[0])
        for rule in self._rules:
            match = _match(rule, paths, raw_segments)
            if isinstance(match, Match) and method not in self._methods:
                return self._wrong_method(method)
            if match is not None:
                return match
        return None

    def _wrong_method(self, method: str) -> Problem:
        name = shorten(method, 20)
        detail = f"{name} is not accepted here: send all of the data with PUT or POST"
        allowed = ", ".join(sorted({*SAFE_METHODS, *self._methods}))
        return problem(405, detail)._replace(headers={"Allow": allowed})

    def refused(
        self,
        content_types: Sequence[str],
        content_encodings: Sequence[str],
        length: str | None = None,
    ) -> Problem | None:
        """Return the response to a body that is refused unread, None if it may be read.

        Args:
            content_types: The values of all headers `Content-Type`.
            content_encodings: The values of all headers `Content-Encoding`.
            length: The header `Content-Length`, if there is one.
        """
        if length is not None and not (length.isascii() and length.isdigit()):
            return problem(400, "the Content-Length is not a number")
        if length is not None and (len(length) > 18 or int(length) > self.max_bytes):
            return self.too_large()
        return refused_body(content_types, content_encodings)

    def too_large(self) -> Problem:
        """Return the response to a body that is too large."""
        return problem_of(too_large(self.max_bytes))

    def check(self, match: Match, body: bytes) -> Problem | None:
        """Return the response to invalid data; None if it is valid. May wait for a schema.

        Args:
            match: What `match` returned.
            body: The body of the request.
        """
        try:
            checked_body(
                body,
                match.type,
                self.catalog,
                is_document=self.documents,
                max_bytes=self.max_bytes,
            )
        except WidgetSchemaError as error:
            return self.refusal(match, error)
        return None

    def refusal(self, match: Match, error: WidgetSchemaError) -> Problem:
        """Return the response to an error of a check. Errors of the server are logged.

        Args:
            match: What `match` returned.
            error: The error.
        """
        found = problem_of(error, unknown_type=422 if match.type is None else 404)
        if found.status >= 500:  # whose text does not say what failed
            _log.error("widget data cannot be checked", exc_info=error)
        return found


def _rule(pattern: str, type: str | None, documents: bool) -> _Rule:
    """Return the rule of a pattern. Raises `ValueError`."""
    segments = pattern.strip("/").split("/")
    if not pattern.startswith("/") or not all(segments):
        raise ValueError(f'a pattern is a path such as "/widgets/{{type}}", not {pattern!r}')
    for segment in segments:
        if ("{" in segment or "}" in segment) and _PLACEHOLDER.fullmatch(segment) is None:
            raise ValueError(
                f"in the pattern {pattern!r}, a placeholder is one whole segment such as "
                f'"{{type}}", not {segment!r}'
            )
    if type is None and not documents:
        raise ValueError(
            f"the type for {pattern!r} is missing: only documents name their type "
            "(documents=True); data needs an id, or a placeholder of the pattern"
        )
    if type is not None and type.startswith("{") and type not in segments:
        raise ValueError(f"the type for {pattern!r} is {type}, which is not in the pattern")
    return _Rule(tuple(segments), type)


def _match(rule: _Rule, paths: Sequence[str], raw_segments: Sequence[str]) -> Decision:
    for path in paths:
        segments = _normal_segments(path)
        found = rule.type_at(segments)
        if found is None:
            continue
        spelled = f"/{'/'.join(segments)}"
        is_spelled = path in (spelled, f"{spelled}/") and not raw_segments
        if not is_spelled or not rule.is_spelled(segments):
            return _MISSPELLED
        return Match(found[0])
    if raw_segments and rule.type_at(raw_segments[-len(rule.segments) :]) is not None:
        return _MISSPELLED
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


_MISSPELLED: Final = problem(400, "the path is not in its normal form")
