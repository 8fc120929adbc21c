"""Which names and addresses are this machine, and nobody else's. No server is here."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

# An extension of ASGI that `serving` gives to applications: it ends the connection.
ABORT: Final = "widgetschema.abort"


def is_loopback(host: str) -> bool:
    """Whether a host (a name or an address, no port) is this machine."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):  # RFC 6761, section 6.3
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def without_port(host: str) -> str:
    """The name in a header Host."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]
