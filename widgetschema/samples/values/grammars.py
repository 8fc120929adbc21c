r"""The grammars of formats as regular expressions, so that they can be combined with patterns.

Every text of a grammar has the format. A grammar may lack some texts that have it: expressions with
groups in groups, most scripts in host names, a second 60 other than that before midnight in UTC.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Grammar(NamedTuple):
    """Texts that match all of some patterns, and none of others, up to a length."""

    matched: tuple[str, ...]
    missed: tuple[str, ...] = ()
    longest: int | None = None


def _whole(*patterns: str) -> tuple[str, ...]:
    return tuple(f"^(?:{pattern})$" for pattern in patterns)


# RFC 3339 ---------------------------------------------------------------------------------

_LEAP_YEAR: Final = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_DATE: Final = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|{_LEAP_YEAR}-02-29)"
)
_HOUR: Final = "(?:[01][0-9]|2[0-3])"
_TIME: Final = (
    rf"(?:{_HOUR}:[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:[zZ]|[+-]{_HOUR}:[0-5][0-9])"
    r"|23:59:60(?:\.[0-9]+)?(?:[zZ]|[+-]00:00))"
)

# Addresses --------------------------------------------------------------------------------

_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4: Final = rf"(?:{_BYTE}\.){{3}}{_BYTE}"
_GROUP: Final = "[0-9A-Fa-f]{1,4}"


def _ipv6() -> str:
    """Return the pattern of an IPv6 address: eight groups, or fewer with `::` for the others."""
    pairs = [f"(?:{_GROUP}:){{7}}{_GROUP}", f"(?:{_GROUP}:){{6}}{_IPV4}"]
    for before in range(8):
        head = f"(?:{_GROUP}:){{{before - 1}}}{_GROUP}" if before else ""
        after = [f"(?:{_GROUP}(?::{_GROUP}){{0,{6 - before}}})?"] if before < 7 else [""]
        after += [f"(?:{_GROUP}:){{0,{5 - before}}}{_IPV4}"] if before < 6 else []
        pairs += [f"{head}::{tail}" for tail in after]
    return "|".join(pairs)


_IPV6: Final = f"(?:{_ipv6()})"


def _hosts(edge: str, inner: str) -> str:
    label = f"{edge}(?:{inner}{{0,61}}{edge})?"
    return rf"{label}(?:\.{label})*"


_HOST: Final = _hosts("[A-Za-z0-9]", "[A-Za-z0-9-]")
_FOREIGN: Final = "[a-z0-9ß-öø-ÿа-яぁ-ゖァ-ヺー一-龥]"  # letters of which every sequence is allowed
_IDN_LABEL: Final = f"(?:{_FOREIGN}{{1,12}}|[A-Za-z0-9](?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?)"
_IDN_HOST: Final = rf"{_IDN_LABEL}(?:\.{_IDN_LABEL})*"
_A_LABEL: Final = r"(?:^|[@.])[^@.]{2}--"  # which has to be Punycode


def _mailbox(host: str, more: str) -> Grammar:
    """Return the grammar of mailboxes; `more` are characters of a name beyond ASCII."""
    atom = f"[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~{more}-]+"
    quoted = rf'"(?:[ !#-;=-\[\]-~{more}]|\\[!-;=-~])*"'
    address = rf"\[(?:{_IPV4}|[iI][pP][vV]6:{_IPV6})\]"
    whole = rf"(?:{atom}(?:\.{atom})*|{quoted})@(?:{host}|{address})"
    return Grammar(_whole(whole, ".{1,64}@[^@]*"), (_A_LABEL,), 254)


# RFC 3986, 3987, 6570 ---------------------------------------------------------------------

_ENCODED: Final = "%[0-9A-Fa-f]{2}"
_OF_IRIS: Final = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"


def _resource(more: str, *, relative: bool) -> Grammar:
    """Return the grammar of URIs, or IRIs: `more` are their characters beyond ASCII."""
    plain = rf"A-Za-z0-9._~!$&'()*+,;=\-{more}"
    inside = rf"(?:[{plain}:@]|{_ENCODED})"
    host = rf"(?:\[{_IPV6}\]|(?:[{plain}]|{_ENCODED})*)"
    authority = rf"//(?:(?:[{plain}:]|{_ENCODED})*@)?{host}(?::[0-9]*)?(?:/{inside}*)*"
    absolute = f"/(?:{inside}+(?:/{inside}*)*)?"
    query = rf"(?:\?(?:[{plain}:@/?]|{_ENCODED})*)?(?:#(?:[{plain}:@/?]|{_ENCODED})*)?"
    whole = f"[A-Za-z][A-Za-z0-9+.-]*:(?:{authority}|{absolute}|{inside}+(?:/{inside}*)*|){query}"
    if relative:
        first = rf"(?:[{plain}@]|{_ENCODED})+"
        whole += f"|(?:{authority}|{absolute}|{first}(?:/{inside}*)*|){query}"
    return Grammar(_whole(whole))


_VARIABLE: Final = (
    rf"(?:[A-Za-z0-9_]|{_ENCODED})(?:\.?(?:[A-Za-z0-9_]|{_ENCODED}))*(?::[1-9][0-9]{{0,3}}|\*)?"
)
_TEMPLATE: Final = (
    rf"(?:[!#$&'(-;=?-\[\]_a-z~\x80-\ud7ff\ue000-\uffff]|{_ENCODED}"
    rf"|\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}})*"
)
_POINTER: Final = "(?:/(?:[^~/]|~[01])*)*"

# Expressions, content ---------------------------------------------------------------------

_PLAIN: Final = r"[^\\^$.*+?()\[\]{}|/\n\r\u2028\u2029]"
_CLASS: Final = r"\[\^?(?:[a-z]-z|[A-Z]-Z|[0-9]-9|[a-zA-Z0-9_ ])+\]"
_ATOM: Final = rf"(?:{_PLAIN}|\.|\\[dDsSwW.*+?^$|/(){{}}\[\]\\]|{_CLASS})"
_TIMES: Final = r"(?:[*+?]|\{[0-9]\}|\{[0-9],\})?"
_SERIES: Final = f"(?:{_ATOM}{_TIMES})*"
_SEVERAL: Final = rf"{_SERIES}(?:\|{_SERIES})*"
_REGEX: Final = rf"\^?(?:{_ATOM}{_TIMES}|\((?:\?:)?{_SEVERAL}\){_TIMES}|\|)*\$?"
_BASE64: Final = (
    "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"
)
_SCALAR: Final = r'(?:null|true|false|-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?|"[ !#-\[\]-~]*")'
_MEMBER: Final = rf'"[ !#-\[\]-~]*": ?{_SCALAR}'
_JSON: Final = (
    rf"(?:{_SCALAR}|\[(?:{_SCALAR}(?:, ?{_SCALAR})*)?\]|\{{(?:{_MEMBER}(?:, ?{_MEMBER})*)?\}})"
)

GRAMMARS: Final[dict[str, Grammar]] = {
    "date": Grammar(_whole(_DATE)),
    "time": Grammar(_whole(_TIME)),
    "date-time": Grammar(_whole(f"{_DATE}[Tt]{_TIME}")),
    "email": _mailbox(_HOST, ""),
    "idn-email": _mailbox(_IDN_HOST, "\x80-\ud7ff\ue000-\uffff"),
    "hostname": Grammar(_whole(_HOST), (_A_LABEL,), 253),
    "idn-hostname": Grammar(_whole(_IDN_HOST), (_A_LABEL,), 63),
    "ipv4": Grammar(_whole(_IPV4)),
    "ipv6": Grammar(_whole(_IPV6)),
    "uri": _resource("", relative=False),
    "uri-reference": _resource("", relative=True),
    "iri": _resource(_OF_IRIS, relative=False),
    "iri-reference": _resource(_OF_IRIS, relative=True),
    "uri-template": Grammar(_whole(_TEMPLATE)),
    "json-pointer": Grammar(_whole(_POINTER)),
    "relative-json-pointer": Grammar(_whole(f"(?:0|[1-9][0-9]*)(?:#|{_POINTER})")),
    "regex": Grammar(_whole(_REGEX)),
    "uuid": Grammar(_whole("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")),
    "base64": Grammar(_whole(_BASE64)),
    "application/json": Grammar(_whole(_JSON)),
}
"""By format, content encoding or media type."""
