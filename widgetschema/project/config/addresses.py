"""Addresses of the platform, as a configuration may have them: no secret is ever repeated.

Whether an address can be asked at all, the client decides; that takes heavy imports.
"""

from __future__ import annotations

import re
from typing import Final

_ADDRESS: Final = re.compile(r"https?://[^\s/?#@\\]+(?:/[^\s?#\\]*)?")
_USER: Final = re.compile(r"(?<=://)[^\s\"]*@")


def address_fault(text: str) -> str | None:
    """Why a text is no address to be configured, without repeating it; None if it is one."""
    if not text.isprintable():
        return "it has a character that cannot be seen"
    if "@" in text:
        return "it holds a user name or a password (up to the @): remove that"
    if "?" in text or "#" in text:
        return "it has a query or a fragment: remove it, from ? or # on"
    if _ADDRESS.fullmatch(text) is None:
        return "it is no address: it should look like https://host/path"
    return None


def without_user(text: str) -> str:
    """The text with nothing of the user names and passwords in addresses that it may hold."""
    return _USER.sub("…@", text)
