"""What the platform says, made fit to be shown: without secrets, in one line, shortened.

A server may repeat what it was sent, in its error's text or in a header. Whatever of an answer
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
        # All are looked for in the text as it came: who hides the beginning of a secret that is
        # written in one way would no longer find the rest of it, which is written in another.
        spans = [
            span
            for written in _WRITTEN
            for plain, places in [_read(text, written)]
            for secret in self._secrets
            for span in _spans(plain, places, secret)
        ]
        pieces, end = [], -1
        for start, stop in sorted(spans):
            if start > end:
                pieces += [text[max(end, 0) : start], "…"]
            end = max(end, stop)
        return "".join([*pieces, text[max(end, 0) :]])

    def scrub_part(self, text: str) -> str:
        """`scrub` for a text that was cut off: half a secret at its end goes, too."""
        longest = max((len(secret.reveal()) for secret in self._secrets), default=0)
        return self.scrub(text)[: -longest * _LONGEST_FORM or None]

    def are_in(self, raw: bytes) -> bool:
        """Whether one that cannot be there by chance is part of `raw`, as it is or quoted."""
        return any(
            secret.reveal().encode(errors="replace") in raw
            or json.dumps(secret.reveal(), ensure_ascii=False)[1:-1].encode(errors="replace") in raw
            for secret in self._secrets
            if len(secret.reveal()) >= _TELLING
        )


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


def _spans(
    plain: str, places: Sequence[tuple[int, int]], secret: Secret
) -> Iterator[tuple[int, int]]:
    """Where a secret stands in a text, or a beginning of it that is long enough to tell.

    By the failure function of Knuth, Morris and Pratt, since one may begin within another.
    """
    head = min(len(secret.reveal()), _TELLING)
    if secret.reveal()[:head] not in plain:
        return
    shorter = _beginnings(secret)
    length = 0  # of the longest beginning of the secret that ends here
    for at, character in enumerate(plain):
        while length and (length == len(shorter) or secret.reveal()[length] != character):
            length = shorter[length - 1]
        length += secret.reveal()[length] == character
        if length >= head:
            yield places[at + 1 - length][0], places[at][1]


def _beginnings(secret: Secret) -> list[int]:
    """For each beginning of a secret, the length of the next shorter one that it ends with."""
    shorter, length = [0], 0
    for character in secret.reveal()[1:]:
        while length and secret.reveal()[length] != character:
            length = shorter[length - 1]
        length += secret.reveal()[length] == character
        shorter.append(length)
    return shorter


def _read(text: str, written: re.Pattern[str] | None) -> tuple[str, Sequence[tuple[int, int]]]:
    """What a text says, and where each of its characters is written, from and to.

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
