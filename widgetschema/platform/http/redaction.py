"""What the platform says, made fit to be shown: without secrets, in one line, shortened.

A server may repeat what it was sent, in its error's text or in a header. Whatever of an answer
comes to be seen, or kept, passes here.
"""

from __future__ import annotations

import base64
import contextlib
import html
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final
from urllib.parse import unquote

import httpx

from widgetschema.platform.secret import Secret

_SHORTEST: Final = 4  # characters: to hide less would hide words, and no secret
_TELLING: Final = 16  # characters that nobody writes by chance
_LONGEST_FORM: Final = 12  # characters that one character of a secret may be written with
# Headers that this package sends; what is in any other was put there by somebody else.
_OURS: Final = frozenset(
    "accept accept-encoding connection content-length content-type host if-modified-since "
    "if-none-match user-agent".split()
)


class Secrets:
    """The secrets that went out with a request; they can be looked for, and not be seen."""

    __slots__ = ("_secrets",)

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._secrets = tuple(one for one in secrets if len(one.reveal()) >= _SHORTEST)

    @classmethod
    def sent(cls, headers: httpx.Headers, others: Iterable[Secret] = ()) -> Secrets:
        """Those in the headers of a request, and `others`, which are in its body."""
        return cls([*others, *(one for name in headers for one in _of_header(name, headers))])

    def scrub(self, text: str) -> str:
        """`text` with `…` for each secret: as it is, percent-encoded, or escaped (JSON, HTML).

        The beginning of a secret goes, too, if it is long enough to tell something. The time
        that it takes grows with the text, whatever the secret: a server may have chosen both.
        """
        for secret in self._secrets:
            for written in _WRITTEN:
                text = _without(text, secret, written)
        return text

    def scrub_part(self, text: str) -> str:
        """`scrub` for a text that was cut off: half a secret at its end goes, too."""
        longest = max((len(secret.reveal()) for secret in self._secrets), default=0)
        return self.scrub(text)[: -longest * _LONGEST_FORM or None]

    def are_in(self, raw: bytes) -> bool:
        """Whether one that cannot be there by chance is part of `raw`, as it is."""
        return any(
            len(secret.reveal()) >= _TELLING and secret.reveal().encode(errors="replace") in raw
            for secret in self._secrets
        )


def one_line(text: str, limit: int) -> str:
    """At most `limit` characters in one line, with nothing in it that a terminal would obey."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(character if character.isprintable() else "·" for character in line)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _of_header(name: str, headers: httpx.Headers) -> list[Secret]:
    """What to hide of one header of a request; `Bearer` and the like say nothing."""
    if name.lower() in _OURS:
        return []
    found = [Secret(headers[name]), Secret(headers[name].partition(" ")[2])]
    if headers[name].lower().startswith("basic "):
        with contextlib.suppress(ValueError):
            found.append(Secret(_password(headers[name])))
    return found


def _password(basic: str) -> str:
    """The password of basic authentication (RFC 7617, section 2)."""
    return base64.b64decode(basic[6:]).decode(errors="replace").partition(":")[2]


def _without(text: str, secret: Secret, written: re.Pattern[str] | None) -> str:
    """`text` without a secret, where characters are written in one way."""
    plain, starts = _read(text, written)
    if plain is None:
        return text
    pieces, end = [], 0
    head = min(len(secret.reveal()), _TELLING)
    at = plain.find(secret.reveal()[:head])
    while at >= 0:
        length = _alike(plain, at, secret)
        pieces += [text[end : starts[at]], "…"]
        end = starts[at + length]
        at = plain.find(secret.reveal()[:head], at + length)
    return "".join([*pieces, text[end:]])


def _alike(text: str, at: int, secret: Secret) -> int:
    """How many characters of a secret stand at a place of a text, from its first on."""
    pairs = zip(text[at : at + len(secret.reveal())], secret.reveal(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _read(text: str, written: re.Pattern[str] | None) -> tuple[str | None, Sequence[int]]:
    """What a text says, and where each of its characters begins; None if it says it plainly."""
    if written is None:
        return text, range(len(text) + 1)
    said: list[str] = []
    starts: list[int] = []
    for match in written.finditer(text):
        one = _character(match[0])
        said.append(one)
        starts += [match.start()] * len(one)
    plain = "".join(said)
    return (None if plain == text else plain), [*starts, len(text)]


def _character(form: str) -> str:
    if len(form) == 1:
        return " " if form == "+" else form
    if form[0] == "%":
        return unquote(form, errors="replace")
    if form[0] == "&":
        return html.unescape(form)
    if form[1] == "u":
        return chr(int(form[2:], 16))
    return _ESCAPED.get(form[1], form[1])


_PERCENT: Final = r"(?:%[0-9a-fA-F]{2})+"
_ESCAPE: Final = r"\\u[0-9a-fA-F]{4}|\\."
_ENTITY: Final = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);"
# How characters may be written: plainly, in each of the three ways, and in all of them at once.
_WRITTEN: Final = (
    None,
    *(
        re.compile(f"{one}|.", re.DOTALL)
        for one in (_PERCENT, _ESCAPE, _ENTITY, f"{_PERCENT}|{_ESCAPE}|{_ENTITY}")
    ),
)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
