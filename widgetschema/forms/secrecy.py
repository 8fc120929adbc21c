"""Secrets of a form: what is said of them, and texts without them.

No page, finding or change has the value of a secret; `fields.secrets` says which values are some.
"""

from __future__ import annotations

import hmac
import re
import secrets
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from widgetschema.findings import Finding
from widgetschema.forms.model import Field, FormFinding
from widgetschema.jsontext.tree import Element

HIDDEN: Final = "\u2022\u2022\u2022\u2022\u2022\u2022"  # in place of a secret, for people
STAND_IN: Final = "null"  # in place of a secret, in JSON
_ABOUT_NAMES: Final = ("form.name", "json.duplicate-member")  # findings that tell no value
_CONCEALED: Final = 'the secret does not meet "{}"'


_CONCEALED_TEXT: Final = re.compile(f"{HIDDEN}[0-9a-f]+")
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


def secret_digest(*parts: str) -> str:
    """Return a digest that tells nothing to whoever does not have the key."""
    whole = "".join(f"{len(part)}:{part}" for part in parts)
    coded = whole.encode("utf-8", "surrogatepass")
    return hmac.new(_KEYS[-1], coded, "sha256").hexdigest()[:_MOST]


def concealed_text(digest: str) -> str:
    """Return a text in place of a secret; it is the same for secrets with this digest."""
    return f"{HIDDEN}{secret_digest(digest)}"


def is_concealed_text(value: object) -> bool:
    """Return True for a text in place of a secret."""
    return type(value) is str and _CONCEALED_TEXT.fullmatch(value) is not None


def digests_text(digests: Iterable[str]) -> str:
    """Return digests as a text without `-`, with the name of their key in front."""
    return ".".join((secret_digest("key"), *digests))


def digests_of_text(text: str) -> frozenset[str] | None:
    """Return the digests in a text; None, with a warning, if they were made with another key."""
    key, *digests = text.split(".")
    if key != secret_digest("key"):
        warnings.warn(
            "a form with secrets was shown by a process with another key, so nobody can tell "
            "whether they were replaced meanwhile: call widgetschema.forms.use_secret_key in each "
            "process",
            UserWarning,
            stacklevel=2,
        )
        return None
    return frozenset(digests)


def any_row(path: str) -> str:
    """Return a JSON Pointer with `*` for indices: the same for the same place in all rows."""
    return _INDEX.sub("/*", path)


def has_secret(field: Field) -> bool:
    """Return True if a field is that of a secret, or holds one."""
    return any(one.shape.secret for one in field.walk())


def concealed_findings(findings: Sequence[Finding], root: Field) -> tuple[Finding, ...]:
    """Return the findings without the values of secrets, which messages and hints may show."""
    secrets = [one for one in root.walk() if one.shape.secret and one.path is not None]
    if not secrets:
        return tuple(findings)
    return tuple(_concealed(one) if _tells(one, secrets) else one for one in findings)


def _tells(finding: Finding, secrets: Iterable[Field]) -> bool:
    if finding.keyword in _ABOUT_NAMES:
        return False
    said = f"{finding.message} {finding.hint}"
    for field in secrets:
        path = str(field.path)
        if f"{finding.path}/".startswith(f"{path}/"):
            return True
        if f"{path}/".startswith(f"{finding.path}/") and any(one in said for one in _values(field)):
            return True
    return False


def _values(field: Field) -> list[str]:
    """Return the texts by which a message may show a secret."""
    found = [field.shown.text]
    if field.original is not None:
        found += [str(field.original.value), field.original.raw.strip('"')[:20]]
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
