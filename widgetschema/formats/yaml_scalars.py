"""Plain scalars of YAML: what they are in the core schema of 1.2, and where 1.1 differs."""

from __future__ import annotations

import re
from typing import Final

from widgetschema.schema.keywords import texts

KINDS: Final = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
INTEGER: Final = re.compile(r"[-+]?[0-9]+")
FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_HEXADECIMAL: Final = re.compile(r"0x[0-9a-fA-F]+")
_WORDS: Final = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_LONGEST: Final = 1_000  # digits of an integer that is read exactly; no double has so many
_PLAIN: Final = re.compile(r"[A-Za-z_][\w-]*(?: [\w-]+)*", re.ASCII)

# YAML 1.1, from its language-independent types: https://yaml.org/type/
_TRUE: Final = frozenset("y Y yes Yes YES on On ON".split())
_FALSE: Final = frozenset("n N no No NO off Off OFF".split())
_OLD_BINARY: Final = re.compile(r"[-+]?0b[0-1_]+")
_OLD_OCTAL: Final = re.compile(r"[-+]?0[0-7_]+")
_OLD_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")
_OLD_HEXADECIMAL: Final = re.compile(r"[-+]?0x[0-9a-fA-F_]+")
_OLD_BASE_60: Final = re.compile(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+")
_OLD_FLOAT: Final = re.compile(r"[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*(?:[eE][-+][0-9]+)?")
_OLD_FLOAT_60: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*")
_OLD_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)
_MAY_DIFFER: Final = re.compile(r"[-+.0-9]|(?:[yYnN]|[oO][nNfF])")
_LONGEST_OLD: Final = 100  # characters of what is looked at


def core_value(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar in the core schema (YAML 1.2.2, section 10.3.2).

    An integer that no double can hold may be ±inf.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if INTEGER.fullmatch(text):
        return int(text) if len(text) <= _LONGEST else float(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8) if len(text) <= _LONGEST else float("inf")
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16) if len(text) <= _LONGEST else float("inf")
    return float(text) if FLOAT.fullmatch(text) else text


def older_value(text: str) -> str | None:
    """Return the meaning of a plain scalar in YAML 1.1, in words; None if 1.2 has the same."""
    if len(text) > _LONGEST_OLD or not _MAY_DIFFER.match(text):
        return None
    now, was = core_value(text), _older(text)
    if type(was) is str:
        return None if was == text else was
    if type(now) in (int, float) and now == was:
        return None
    return str(was).lower() if isinstance(was, bool) else texts()["yaml.number"](value=was)


def _older(text: str) -> str | int | float | bool:
    """Return the value in YAML 1.1; a word for what JSON does not have, and for a text itself."""
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    digits = text.replace("_", "").lstrip("+-")
    sign = -1 if text.startswith("-") else 1
    if _OLD_DECIMAL.fullmatch(text):
        return sign * int(digits)
    for pattern, base, prefix in (
        (_OLD_BINARY, 2, "0b"),
        (_OLD_HEXADECIMAL, 16, "0x"),
        (_OLD_OCTAL, 8, "0"),
    ):
        number = digits.removeprefix(prefix)
        if pattern.fullmatch(text) and number:
            return sign * int(number, base)
    if _OLD_BASE_60.fullmatch(text) or _OLD_FLOAT_60.fullmatch(text):
        total: int | float = 0
        for part in digits.split(":"):
            total = total * 60 + (float(part) if "." in part else int(part))
        return sign * total
    if _OLD_FLOAT.fullmatch(text) and any(map(str.isdigit, digits)):
        return sign * float(digits)
    if _OLD_TIMESTAMP.fullmatch(text):
        return texts()["yaml.a-timestamp"]()
    is_number = type(core_value(text)) in (int, float) and text not in _WORDS
    return texts()["yaml.a-text"]() if is_number else text


def number_token(text: str) -> str:
    """Return a JSON number as every version of YAML reads it: `1.0e+3` for `1e3`."""
    digits, exponent, power = text.replace("E", "e").partition("e")
    if not exponent or older_value(text) is None:
        return text
    fraction = "" if "." in digits else ".0"
    sign = "" if power[0] in "+-" else "+"
    return f"{digits}{fraction}{text[len(digits)]}{sign}{power}"


def is_text(text: str) -> bool:
    """Return whether a plain scalar is a text in every version of YAML."""
    return isinstance(core_value(text), str) and older_value(text) is None


def is_plain_text(text: str) -> bool:
    """Return whether a text can be written plainly, and is a text in every version of YAML."""
    return _PLAIN.fullmatch(text) is not None and is_text(text)
