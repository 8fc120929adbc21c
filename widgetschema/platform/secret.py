"""`Secret`: a text that is not shown by accident in a log, an error or a traceback."""

from __future__ import annotations

import hmac
from typing import Final, NoReturn

_HIDDEN: Final = "Secret(…)"


class Secret:
    """A token, a client secret or a code.

    `repr`, `str` and formatting hide it, also where a traceback shows local variables; it
    refuses to be pickled. `reveal()` gives the text: call it where the text is used, inside an
    expression, and bind it to no name.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text."""
        return self._text

    def __repr__(self) -> str:
        return _HIDDEN

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return _HIDDEN

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        one, two = (text.encode(errors="surrogatepass") for text in (self._text, other._text))
        return hmac.compare_digest(one, two)

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret cannot be pickled")


def as_secret(text: Secret | str, kind: str = "secret") -> Secret:
    """Return a secret that may come as plain text; raise `TypeError` for anything else."""
    if not isinstance(text, (str, Secret)):
        raise TypeError(f"a {kind} is a str or a Secret, not {type(text).__name__}")
    return text if isinstance(text, Secret) else Secret(text)
