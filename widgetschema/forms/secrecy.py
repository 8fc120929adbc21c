"""Secrets of a form: what is said of them, and texts without them.

No page, finding or change has the value of a secret; `fields.secrets` says which values are some.
"""

from __future__ import annotations

import hmac
import re
import secrets
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from widgetschema.findings import Finding
from widgetschema.forms.model import Field, FormFinding
from widgetschema.jsontext.tree import Element

HIDDEN: Final = "\u2022\u2022\u2022\u2022\u2022\u2022"  # in place of a secret, for people
_ABOUT_NAMES: Final = ("form.name", "json.duplicate-member")  # findings that tell no value
_CONCEALED: Final = 'the secret does not meet "{}"'


_PLACEHOLDER: Final = re.compile(rf'(?<!\\)"{HIDDEN}[0-9a-f]{{16}}"(?!\s*:)')
_INDEX: Final = re.compile(r"/[0-9]+(?=/|\Z)")
_MOST: Final = 16  # characters of a digest
_KEYS: Final = [secrets.token_bytes(32)]  # the last one is used


def use_secret_key(key: str | bytes) -> None:
    """Set the key of the digests by which forms notice that a stored secret was replaced.

    Each process has a random key, which processes that it forks share. Call this when an
    application starts whose processes are started one by one, or on several machines.

    Args:
        key: The same in all processes, at least 16 bytes that nobody can guess.

    Raises:
        ValueError: The key is too short.

    """
    coded = key.encode() if isinstance(key, str) else bytes(key)
    if len(coded) < _MOST:
        raise ValueError(f"the key of secrets must have at least {_MOST} bytes, not {len(coded)}")
    _KEYS.append(coded)


def _digest(*parts: str) -> str:
    """Return a digest that tells nothing to whoever does not have the key."""
    whole = "".join(f"{len(part)}:{part}" for part in parts)
    coded = whole.encode("utf-8", "surrogatepass")
    return hmac.new(_KEYS[-1], coded, "sha256").hexdigest()[:_MOST]


def placeholder(*parts: str) -> str:
    """Return the JSON text in place of a secret, by which only who has the key knows it again."""
    return f'"{HIDDEN}{_digest(*parts)}"'


def is_placeholder(raw: str) -> bool:
    """Return True for the JSON text in place of a secret."""
    return _PLACEHOLDER.fullmatch(raw) is not None


def is_hidden(value: object) -> bool:
    """Return True for the value of a text in place of a secret."""
    return type(value) is str and is_placeholder(f'"{value}"')


def has_placeholder(text: str) -> bool:
    """Return True if a JSON text has a text in place of a secret."""
    return HIDDEN in text and _PLACEHOLDER.search(text) is not None


def without_placeholders(text: str) -> str:
    """Return a JSON text with null for each secret, whatever the key is."""
    return _PLACEHOLDER.sub("null", text) if HIDDEN in text else text


def with_hidden(text: str) -> str:
    """Return a JSON text with dots for each secret, for people who only read it."""
    return _PLACEHOLDER.sub(f'"{HIDDEN}"', text) if HIDDEN in text else text


def key_name() -> str:
    """Return a digest of the key by which texts in place of secrets are made."""
    return _digest("key")


def is_own_key(name: str) -> bool:
    """Return True for the name of the present key; else warn."""
    if name == key_name():
        return True
    warnings.warn(
        "a form with secrets was shown by a process with another key, so it is unknown "
        "whether they were replaced meanwhile: call widgetschema.forms.use_secret_key in each "
        "process",
        UserWarning,
        stacklevel=2,
    )
    return False


def any_row(path: str) -> str:
    """Return a JSON Pointer with `*` for indices: the same for the same place in all rows."""
    return _INDEX.sub("/*", path)


def concealed_findings(
    findings: Sequence[Finding], root: Field, real: Callable[[Element, str], Element]
) -> tuple[Finding, ...]:
    """Return the findings without the values of secrets, which messages and hints may show.

    `real` returns the value at a JSON Pointer with its secrets.
    """
    secrets = {
        str(one.path): _values(one, real)
        for one in root.walk()
        if one.shape.secret and one.path is not None
    }
    if not secrets:
        return tuple(findings)
    return tuple(_concealed(one) if _tells(one, secrets) else one for one in findings)


def _tells(finding: Finding, secrets: Mapping[str, Sequence[str]]) -> bool:
    if finding.keyword in _ABOUT_NAMES:
        return False
    said = f"{finding.message} {finding.hint}"
    for path, values in secrets.items():
        if f"{finding.path}/".startswith(f"{path}/"):
            return True
        if f"{path}/".startswith(f"{finding.path}/") and any(one in said for one in values):
            return True
    return False


def _values(field: Field, real: Callable[[Element, str], Element]) -> list[str]:
    """Return the texts by which a message may show a secret."""
    found = [field.shown.text]
    if field.original is not None:
        stored = real(field.original, str(field.path))
        found += [str(stored.value), stored.raw.strip('"')[:20]]
    return [one for one in found if one]


def _concealed(finding: Finding) -> Finding:
    changed = replace(finding, message=_CONCEALED.format(finding.keyword), hint=None)
    if isinstance(changed, FormFinding):
        changed = replace(changed, suggestion=None)
    return changed


def with_stand_ins(text: str, stand_ins: Iterable[tuple[Element, str]]) -> str:
    """Return a JSON text with stand-ins for some values."""
    parts, at = [], 0
    for element, other in sorted(stand_ins, key=lambda one: one[0].start):
        if element.start >= at:  # not inside another one
            parts += [text[at : element.start], other]
            at = element.end
    return "".join((*parts, text[at:]))
