"""The formats of draft-07 for the second engine, as the first one reads them.

These are the checks of jsonschema with what they decide otherwise, and grammars where those are
too lenient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any, Final
from unicodedata import bidirectional
from urllib.parse import quote

Check = Callable[[str], bool]
Checkers = Mapping[str, tuple[Callable[[object], bool], Any]]


def format_checks(known: Checkers) -> dict[str, Check]:
    """Return the checks of all formats that can be checked.

    Args:
        known: The checks of jsonschema, each with the errors that it may raise.
    """
    checks = {name: _one_line(_quiet(*checker)) for name, checker in known.items()}

    def is_hostname(text: str) -> bool:
        return checks["hostname"](text) and _has_host_labels(text)

    def is_idn_hostname(text: str) -> bool:
        ascii_text = _to_ascii(text)
        return ascii_text is not None and is_hostname(ascii_text)

    adapted: dict[str, tuple[str, Check]] = {  # each with a check that it needs
        **{name: (name, checks[name]) for name in _AS_KNOWN if name in checks},
        "date": ("date", lambda text: checks["date"](_known_year(text))),
        "time": ("time", lambda text: checks["time"](_known_second(text))),
        "date-time": ("date-time", lambda text: checks["date-time"](_known_moment(text))),
        "hostname": ("hostname", is_hostname),
        "idn-hostname": ("idn-hostname", is_idn_hostname),
        "iri": ("uri", lambda text: checks["uri"](_as_uri(text))),
        "iri-reference": ("uri-reference", lambda text: checks["uri-reference"](_as_uri(text))),
    }
    return {
        **{name: check for name, (needed, check) in adapted.items() if needed in known},
        "email": lambda text: text.isascii() and _is_mailbox(text, is_hostname),
        "idn-email": lambda text: _is_mailbox(text, is_idn_hostname),
        "uri-template": lambda text: _TEMPLATE.fullmatch(text) is not None,
        "json-pointer": lambda text: _POINTER.fullmatch(text) is not None,
        "relative-json-pointer": lambda text: _RELATIVE_POINTER.fullmatch(text) is not None,
    }


_AS_KNOWN: Final = ("ipv4", "ipv6", "uri", "uri-reference")


def _quiet(check: Callable[[object], bool], raises: Any) -> Check:
    def decide(text: str) -> bool:
        try:
            return bool(check(text))
        except raises:
            return False

    return decide


def _one_line(check: Check) -> Check:
    """Return a check that does not take a final line end for the end of the text."""
    return lambda text: "\n" not in text and check(text)


# RFC 3339 ---------------------------------------------------------------------------------

_LEAP_SECOND: Final = re.compile(
    r"([0-9]{2}):([0-9]{2}):60(?:\.[0-9]+)?(?:[zZ]|([+-])([0-9]{2}):([0-9]{2}))"
)


def _known_moment(text: str) -> str:
    return _known_year(text[:11]) + _known_second(text[11:])


def _known_year(text: str) -> str:
    """Return a date with the year 2000 for the year 0, which Python does not have."""
    return f"2000{text[4:]}" if text.startswith("0000") else text


def _known_second(text: str) -> str:
    """Return a time with the second 59 for a leap second, which ends a day in UTC."""
    match = _LEAP_SECOND.fullmatch(text)
    if match is None:
        return text
    hour, minute, sign, hours, minutes = match.groups()
    offset = int(f"{sign}1") * (60 * int(hours) + int(minutes)) if sign else 0
    ends_day = (60 * int(hour) + int(minute) - offset) % 1440 == 1439
    return f"{text[:6]}59{text[8:]}" if ends_day else text


# RFC 1123, 5890: hosts -------------------------------------------------------------------


def _has_host_labels(text: str) -> bool:
    """Return whether the labels of a host name are those of RFC 1123 and A-labels."""
    labels = text.split(".")
    return text.isascii() and all(
        label != "" and (label[2:4] != "--" or _is_a_label(label)) for label in labels
    )


def _is_a_label(label: str) -> bool:
    """Return whether a label stands for one of other characters, in any direction."""
    import idna

    try:
        text = label[4:].encode().decode("punycode")
        idna.check_label(idna.uts46_remap(text).replace("-", "a"))  # hyphens may stand anywhere
    except idna.IDNABidiError:
        pass
    except (idna.IDNAError, ValueError):
        return False
    is_canonical = label[4:].lower() == text.encode("punycode").decode().lower()
    return label.startswith("xn--") and is_canonical


def _to_ascii(text: str) -> str | None:
    """Return a host name in ASCII, or None if it cannot be written so (RFC 5891, UTS 46)."""
    import idna

    try:
        ascii_text = idna.encode(text, uts46=True).decode()
        labels = [idna.decode(label) for label in ascii_text.split(".")]
        if any(bidirectional(character) in ("R", "AL", "AN") for character in "".join(labels)):
            for label in labels:  # RFC 5893, section 2: all labels, then
                idna.check_bidi(label, check_ltr=True)
    except (idna.IDNAError, UnicodeError):
        return None
    return ascii_text


# RFC 5321, 6531: mailboxes ----------------------------------------------------------------

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+"
_LOCAL_PART: Final = re.compile(
    rf'{_ATOM}(?:\.{_ATOM})*|"(?:[ !#-\[\]-~\x80-\U0010ffff]|\\[!-~])*"'
)
_MAX_LOCAL_PART: Final = 64  # section 4.5.3.1.1


def _is_mailbox(text: str, is_host: Check) -> bool:
    local, _, domain = text.rpartition("@")
    if _LOCAL_PART.fullmatch(local) is None or len(local) > _MAX_LOCAL_PART:
        return False
    if domain.startswith("[") and domain.endswith("]"):
        return _is_address(domain[1:-1])
    return is_host(domain)


def _is_address(literal: str) -> bool:
    try:
        if literal[:5].lower() == "ipv6:":
            return "%" not in literal and bool(IPv6Address(literal[5:]))
        return bool(IPv4Address(literal))
    except AddressValueError:
        return False


# RFC 3987, 6570 ---------------------------------------------------------------------------

_OF_IRIS: Final = re.compile(
    "[\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U000e1000-\U000efffd"
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    + "]+"
)
_OF_QUERIES: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]+")
_ENCODED: Final = "%[0-9A-Fa-f]{2}"
_NAME: Final = (
    rf"(?:[A-Za-z0-9_]|{_ENCODED})(?:\.?(?:[A-Za-z0-9_]|{_ENCODED}))*(?::[1-9][0-9]{{0,3}}|\*)?"
)
_TEMPLATE: Final = re.compile(
    rf"(?:[!#$&'(-;=?-\[\]_a-z~\x80-\U0010ffff]|{_ENCODED}"
    rf"|\{{[+#./;?&=,!@|]?{_NAME}(?:,{_NAME})*\}})*"
)


def _as_uri(iri: str) -> str:
    """Return the URI that an IRI stands for (RFC 3987, sections 2.2 and 3.1)."""
    before, hash, fragment = iri.partition("#")
    path, mark, query = before.partition("?")
    query = _OF_QUERIES.sub(_encoded, query)
    return _OF_IRIS.sub(_encoded, f"{path}{mark}{query}{hash}{fragment}")


def _encoded(match: re.Match[str]) -> str:
    return quote(match.group())


# RFC 6901 ---------------------------------------------------------------------------------

_POINTER: Final = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_RELATIVE_POINTER: Final = re.compile(rf"(?:0|[1-9][0-9]*)(?:#|{_POINTER.pattern})")
