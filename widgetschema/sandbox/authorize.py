"""The authorize page: people allow or deny, and are sent back to the client (RFC 6749, 4.1).

The platform's own is not documented: this one is an assumption. It redirects to loopback
addresses only, so that no code leaves this machine.
"""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from widgetschema.local_server import is_loopback
from widgetschema.sandbox.messages import (
    RequestRefused,
    SandboxRequest,
    SandboxResponse,
    unique_fields,
)
from widgetschema.sandbox.state import Sandbox

_HEADERS: Final = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "same-origin",  # with none, a form's Origin would be null
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'",
}
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>body {{ font: 1.1em/1.5 sans-serif; max-width: 30em; margin: 4em auto; padding: 0 1em }}
button {{ font: inherit; padding: .4em 1.2em }}</style></head>
<body><h1>{title}</h1>
{body}
</body>
</html>
"""
_QUESTION: Final = """<p><strong>{client}</strong> wants to see the widgets of the sandbox.
It would be sent to <code>{redirect_uri}</code>.</p>
<form method="post" action="authorize">
{hidden}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>"""
_CARRIED_FIELDS: Final = ("response_type", "client_id", "redirect_uri", "state")
_DECISIONS: Final = {"1": "allow", "allow": "allow", "deny": "deny"}


def authorize_page(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Return the page that asks; with `auto`, redirect at once."""
    try:
        fields = unique_fields(request.query)
        _check(sandbox, fields)
    except RequestRefused as refused:
        return _page(refused.status, "This does not work", f"<p>{escape(refused.description)}</p>")
    if fields.get("response_type") != "code":
        return _redirect_back(fields, error="unsupported_response_type")
    decision = _DECISIONS.get(fields.get("auto", ""))
    if decision:
        return _redirect_decision(sandbox, fields, decision)
    hidden = "\n".join(
        f'<input type="hidden" name="{name}" value="{escape(fields[name])}">'
        for name in _CARRIED_FIELDS
        if name in fields
    )
    client, redirect_uri = escape(fields["client_id"]), escape(fields["redirect_uri"])
    body = _QUESTION.format(client=client, redirect_uri=redirect_uri, hidden=hidden)
    return _page(200, "Widget platform sandbox", body)


def authorize_decision(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Redirect after one of the buttons was pressed."""
    try:
        fields = unique_fields(request.form)
        _check(sandbox, fields)
        if fields.get("decision") not in ("allow", "deny"):
            raise RequestRefused(400, "invalid_request", "decision is allow or deny")
    except RequestRefused as refused:
        return _page(refused.status, "This does not work", f"<p>{escape(refused.description)}</p>")
    return _redirect_decision(sandbox, fields, fields["decision"])


def _check(sandbox: Sandbox, fields: dict[str, str]) -> None:
    """Refuse what must not be redirected (RFC 6749, section 4.1.2.1). Raises `RequestRefused`."""
    if fields.get("client_id") != sandbox.client_id:
        raise RequestRefused(400, "invalid_request", f"client_id is not {sandbox.client_id}")
    address = fields.get("redirect_uri", "")
    try:
        parts = urlsplit(address)
        known = parts.scheme == "http" and is_loopback(parts.hostname or "")
        parts.port  # noqa: B018  raises if it is none
    except ValueError:
        known = False
    if not known or parts.fragment or not address.isprintable():
        reason = "redirect_uri is not a loopback address, such as http://127.0.0.1:8765/callback"
        raise RequestRefused(400, "invalid_request", reason)


def _redirect_decision(sandbox: Sandbox, fields: dict[str, str], decision: str) -> SandboxResponse:
    if decision == "deny":
        return _redirect_back(fields, error="access_denied")
    return _redirect_back(fields, code=sandbox.code(fields["redirect_uri"], fields["client_id"]))


def _redirect_back(fields: dict[str, str], **members: str) -> SandboxResponse:
    """Send the browser back to the client."""
    if "state" in fields:
        members["state"] = fields["state"]
    address = fields["redirect_uri"]
    joint = "&" if urlsplit(address).query else "?"
    location = quote(f"{address}{joint}{urlencode(members)}", safe=":/?#[]@!$&'()*+,;=%")
    return SandboxResponse(303, headers={"location": location, "cache-control": "no-store"})


def _page(status: int, title: str, body: str) -> SandboxResponse:
    return SandboxResponse(status, _PAGE.format(title=title, body=body).encode(), _HEADERS)
