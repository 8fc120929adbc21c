"""URI references as RFC 3986 has them, and as people and generators write them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final
from urllib.parse import quote, unquote_to_bytes

_PLAIN: Final = re.compile(r"[\w.~!$&'()*+,;=:@/?-]*(#[\w.~!$&'()*+,;=:@/?-]*)?", re.ASCII)
# Scheme and authority, path, query, fragment (appendix B).
_PARTS: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.S)
_IN_PATH: Final = "/!$&'()*+,;=:@~%"  # sections 3.3 to 3.5; and what is percent-encoded already
_ESCAPES: Final = re.compile("(%[0-9A-Fa-f]{2})+|%")


def encoded(reference: str) -> str:
    """Return a reference with what a URI reference cannot have percent-encoded.

    A `%` that does not begin the UTF-8 of a character stands for itself.
    """
    if _PLAIN.fullmatch(reference):
        return reference
    parts = _PARTS.fullmatch(reference)
    assert parts is not None  # it matches any text
    scheme, authority, *rest = parts.groups("")
    return f"{scheme}{authority}" + "".join(map(_encoded, rest))


def decoded(part: str) -> str:
    """Return a path or a fragment of an encoded reference with its characters as they are."""
    return unquote_to_bytes(part).decode(errors="surrogatepass") if "%" in part else part


def _encoded(part: str) -> str:
    escaped = _ESCAPES.sub(_own_escape, part)
    first = escaped[:1] if part[:1] in ("?", "#") else ""  # which begins a query or a fragment
    safe = f"{_IN_PATH}?" if first else _IN_PATH
    return first + quote(escaped.removeprefix(first), safe=safe, errors="surrogatepass")


def _own_escape(match: re.Match[str]) -> str:
    """Return escapes as they are if they stand for characters, else with each `%` as one."""
    if match[1] is not None:
        with suppress(UnicodeDecodeError):
            unquote_to_bytes(match[0]).decode(errors="surrogatepass")
            return match[0]
    return match[0].replace("%", "%25")
