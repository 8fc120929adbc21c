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
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

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
        """`text` with `…` for each secret: as it is, percent-encoded, or escaped (JSON, HTML)."""
        for secret in self._secrets:
            text = re.sub("".join(map(_forms, secret.reveal())), "…", text)
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


def _forms(character: str) -> str:
    """A pattern for one character of a secret, in all the ways in which it may be repeated."""
    if character.isascii() and character.isalnum():
        return character
    forms = [
        re.escape(character),
        f"(?i:{quote(character, safe='', errors='replace')})",
        "(?i:" + "".join(f"%{byte:02x}" for byte in character.encode(errors="replace")) + ")",
        re.escape(json.dumps(character)[1:-1]),
        r"(?i:\\u" + f"{ord(character):04x})" if ord(character) < 0x10000 else "",
        re.escape(f"\\{character}"),
        re.escape(html.escape(character)),
        f"&#0*{ord(character)};",
        f"(?i:&#x0*{ord(character):x};)",
        r"\+" if character == " " else "",
    ]
    return "(?:" + "|".join(filter(None, dict.fromkeys(forms))) + ")"
