"""`Running`: what holds a sandbox that answers over TCP, for tests in the same process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from widgetschema.sandbox.faults import Fault
from widgetschema.sandbox.state import REDIRECT_URI, Counters, Sandbox

API: Final = "/platform/api/v1"
TOKEN_PATH: Final = "/oauth/token"  # noqa: S105
AUTHORIZE: Final = "/oauth/authorize"


@dataclass(frozen=True)
class Running:
    """A sandbox at an address: `url` is its origin, as `http://127.0.0.1:49152`."""

    url: str
    sandbox: Sandbox

    @property
    def base_url(self) -> str:
        """The platform's base address, version segment included."""
        return f"{self.url}{API}"

    @property
    def auth_url(self) -> str:
        """The address that `/oauth/token` is below."""
        return self.url

    @property
    def authorize_url(self) -> str:
        """The authorize page."""
        return f"{self.url}{AUTHORIZE}"

    @property
    def client_id(self) -> str:
        """The one client that is registered."""
        return self.sandbox.client_id

    @property
    def client_secret(self) -> str:
        """The client's secret, which is none."""
        return self.sandbox.client_secret

    @property
    def counters(self) -> Counters:
        """What has happened, as it is now."""
        return self.sandbox.counters

    def code(self, redirect_uri: str = REDIRECT_URI) -> str:
        """A fresh authorisation code for an exchange with this redirect URI."""
        return self.sandbox.code(redirect_uri)

    def access_token(self) -> str:
        """A fresh access token, without an exchange."""
        return self.sandbox.access_token()

    def expire_tokens(self) -> None:
        """All access tokens expire now; refresh tokens do not."""
        self.sandbox.expire_tokens()

    def set_schema(self, id: str, schema: Any) -> None:
        """Serve another schema, or one more."""
        self.sandbox.set_schema(id, schema)

    def fault(self, *faults: Fault | str) -> None:
        """More faults, such as `"status=503x2"`. Raises `ValueError`."""
        self.sandbox.fault(*faults)

    def clear_faults(self) -> None:
        """No more faults."""
        self.sandbox.clear_faults()

    def reset(self) -> None:
        """Back to the beginning: schemas, codes, tokens, faults, counters."""
        self.sandbox.reset()
