"""Texts of the platform, made fit to be shown: without secrets, in one line, shortened.

A server may repeat what it was sent, in its error's text or in a header. Whatever of a response
comes to be seen, or kept, passes here.
"""

from __future__ import annotations

import base64
import contextlib
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote

import httpx

from widgetschema.platform.secret import Secret

_SHORTEST: Final = 4  # characters: to hide less would hide words, and no secret
_WINDOW: Final = 16  # characters; so many in a row are not in a text by chance
_LONGEST_FORM: Final = 12  # characters that one character of a secret may be written with
_SCHEME: Final = re.compile("(?:Basic|Bearer|Digest|Token) ", re.IGNORECASE)
# Headers that this package sends; any other may hold a secret.
_OURS: Final = frozenset(
    "accept accept-encoding connection content-length content-type host if-modified-since "
    "if-none-match user-agent".split()
)


class _Parts:
    """The parts of a secret that are as long as the window; its repr shows none of them."""

    __slots__ = ("_parts", "length")

    def __init__(self, secret: Secret) -> None:
        self.length = min(len(secret.reveal()), _WINDOW)
        self._parts = frozenset(
            secret.reveal()[start : start + self.length]
            for start in range(len(secret.reveal()) - self.length + 1)
        )

    def found_in(self, text: str) -> Iterator[int]:
        """Yield where one of them begins."""
        for start in range(len(text) - self.length + 1):
            if text[start : start + self.length] in self._parts:
                yield start


class Secrets:
    """The secrets that went out with a request: they can be searched for, but not shown."""

    __slots__ = ("_parts", "_secrets")

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._secrets = tuple(one for one in secrets if len(one.reveal()) >= _SHORTEST)
        self._parts: tuple[_Parts, ...] | None = None

    @classmethod
    def sent(cls, headers: httpx.Headers, others: Iterable[Secret] = ()) -> Secrets:
        """Return those in the headers of a request, and `others`, which are in its body."""
        return cls([*others, *(one for name in headers for one in _header_secrets(name, headers))])

    def scrub(self, text: str) -> str:
        """Return `text` with `…` for each secret: plain, percent-encoded, or escaped (JSON, HTML).

        A window slides over the text: no part of a secret that is as long as the window, or the
        whole of a shorter one, remains. The time grows with the text, whatever the secret: a
        server may have chosen both.
        """
        if self._parts is None:
            self._parts = tuple(map(_Parts, self._secrets))
        # All are searched for in the text as it came: replacing the beginning of a secret that is
        # written in one way would hide the rest of it, which is written in another.
        spans = [
            (places[start][0], places[start + parts.length - 1][1])
            for written in _WRITTEN
            for plain, places in [_read(text, written)]
            for parts in self._parts
            for start in parts.found_in(plain)
        ]
        pieces, end = [], -1
        for start, stop in sorted(spans):
            if start > end:
                pieces += [text[max(end, 0) : start], "…"]
            end = max(end, stop)
        return "".join([*pieces, text[max(end, 0) :]])

    def scrub_part(self, text: str) -> str:
        """Return `scrub(text)` for a text that was cut off, perhaps within a secret."""
        if not self._secrets:
            return text
        return self.scrub(text)[: -(_WINDOW - 1) * _LONGEST_FORM]

    def are_in(self, raw: bytes) -> bool:
        """Return whether a secret as long as the window is in `raw`, plain or as a JSON string."""
        return any(
            secret.reveal().encode(errors="replace") in raw
            or json.dumps(secret.reveal(), ensure_ascii=False)[1:-1].encode(errors="replace") in raw
            for secret in self._secrets
            if len(secret.reveal()) >= _WINDOW
        )


def _header_secrets(name: str, headers: httpx.Headers) -> list[Secret]:
    """Return the secrets in one header of a request; a scheme such as `Bearer` is no secret."""
    if name.lower() in _OURS:
        return []
    secrets = [Secret(headers[name].partition(" ")[2])]
    if not _SCHEME.match(headers[name]):
        secrets.append(Secret(headers[name]))
    if headers[name].lower().startswith("basic "):
        with contextlib.suppress(ValueError):
            secrets.append(Secret(_password(headers[name])))
    return secrets


def _password(basic: str) -> str:
    """Return the password of basic authentication (RFC 7617, section 2)."""
    return base64.b64decode(basic[6:]).decode(errors="replace").partition(":")[2]


def _read(text: str, written: re.Pattern[str] | None) -> tuple[str, Sequence[tuple[int, int]]]:
    """Decode a text; return it with the start and end of each character in the original.

    Nothing is said where nothing is written in the given way.
    """
    if written is not None and not written.search(text):
        return "", ()
    said: list[str] = []
    places: list[tuple[int, int]] = []
    end = 0
    for match in written.finditer(text) if written is not None else ():
        one = _character(match[0])
        said += [text[end : match.start()], one]
        places += zip(range(end, match.start()), range(end + 1, match.start() + 1), strict=True)
        places += [match.span()] * len(one)
        end = match.end()
    said.append(text[end:])
    places += zip(range(end, len(text)), range(end + 1, len(text) + 1), strict=True)
    return "".join(said), places


def _character(form: str) -> str:
    if form == "+":
        return " "
    if form[0] == "%":
        return unquote(form, errors="replace")
    if form[0] == "&":
        return html.unescape(form)
    if form[1] == "u":  # one character of UTF-16, or the two halves of one
        units = bytes.fromhex(form.replace("\\u", ""))
        return units.decode("utf-16-be", errors="surrogatepass")
    return _ESCAPED.get(form[1], form[1])


_PERCENT: Final = r"(?:%[0-9a-fA-F]{2})+"
_PAIR: Final = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE: Final = rf"{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\."
_ENTITY: Final = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);"
_ANY: Final = f"{_PERCENT}|{_ESCAPE}|{_ENTITY}"
# How characters may be written: plainly, in each of the three ways, and in all of them at once;
# and in forms, a plus is a space.
_WRITTEN: Final = (
    None,
    *(
        re.compile(one, re.DOTALL)
        for one in (_PERCENT, rf"{_PERCENT}|\+", _ESCAPE, _ENTITY, _ANY, rf"{_ANY}|\+")
    ),
)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
