"""What an answer says about keeping it: validators, and how long it is fresh (RFC 9111)."""

from __future__ import annotations

import re
from typing import Final

from widgetschema.platform.client.answers import Answer

_SECONDS: Final = re.compile(r"[0-9]{1,10}")
# A directive with its value, which may be quoted (RFC 9111, section 5.2).
_DIRECTIVE: Final = re.compile(r'([!#$%&\'*+.^_`|~\w-]+)(?:=(?:"([^"]*)"|([^\s,;"]*)))?', re.ASCII)
_CONDITION: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?")


def conditions(etag: str | None, last_modified: str | None) -> dict[str, str]:
    """The headers of a conditional request (RFC 9110, sections 13.1.2 and 13.1.3).

    What no header can hold was never a validator: it is left out.
    """
    wanted = {"if-none-match": etag, "if-modified-since": last_modified}
    return {name: value for name, value in wanted.items() if value and _CONDITION.fullmatch(value)}


def validator(answer: Answer, name: str) -> str | None:
    """A header to be kept and sent again later: None if it cannot be sent, or has a secret."""
    value = answer.header(name)
    return value if value is not None and _CONDITION.fullmatch(value) else None


def max_age(answer: Answer) -> float | None:
    """For how many seconds the answer is fresh; None if it does not say.

    `max-age` (RFC 9111, section 5.2.2.1) less the header `Age`; 0 for `no-cache` and `no-store`,
    and for a `max-age` that is no number (section 4.2.1 wants that taken as stale).
    """
    directives = _directives(answer)
    if any(name in ("no-cache", "no-store") for name, _ in directives):
        return 0.0
    ages = [_seconds(value) for name, value in directives if name == "max-age"]
    if not ages:
        return None
    return max(0.0, min(ages) - _seconds(answer.headers.get("age", "").strip()))


def no_store(answer: Answer) -> bool:
    """Whether the answer must not be written to disk (RFC 9111, section 5.2.2.5)."""
    return any(name == "no-store" for name, _ in _directives(answer))


def _directives(answer: Answer) -> list[tuple[str, str]]:
    found = _DIRECTIVE.findall(answer.headers.get("cache-control", ""))
    return [(name.lower(), quoted or plain) for name, quoted, plain in found]


def _seconds(text: str) -> float:
    return float(text) if _SECONDS.fullmatch(text) else 0.0
