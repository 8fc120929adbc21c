"""A probe of the platform's address: one request without a token."""

from __future__ import annotations

import httpx

from widgetschema.errors import ErrorResponse, UnusableResponse
from widgetschema.platform.client.client import Client
from widgetschema.platform.client.messages import ApiRequest
from widgetschema.platform.client.retrying import Patience, RequestContext, exchange
from widgetschema.platform.endpoints import parse_address


def probe(
    base_url: str, *, timeout: float = 5.0, transport: httpx.BaseTransport | None = None
) -> int:
    """Return the HTTP status of a response to GET, whatever it is; its body is not read.

    Redirects are followed within the origin, and a proxy is taken from the environment, as by a
    `Client`. `timeout` is in seconds. Raises `Unreachable` if there is no response,
    `UnusableResponse` for a redirect to another origin, and `ValueError` for an address that no
    client would ask.
    """
    call = ApiRequest("GET", parse_address(base_url, "base_url"), "", retried=False)
    context = RequestContext(patience=Patience(timeout))
    with Client(base_url, transport=transport) as client:
        try:
            return client._run(exchange(call, context)).status
        except (ErrorResponse, UnusableResponse) as error:
            if error.status is None or 300 <= error.status < 400:
                raise
            return error.status
