"""The three operations of the platform's documentation, sections 4.1, 4.2 and 4.3.

What is an assumption of ours is listed in `assumptions`. Each returns the response to a request, or
raises `RequestRefused`; faults that concern its content are applied here.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime
from typing import Any, Final

from widgetschema.catalog.store import PLUGIN
from widgetschema.sandbox.content import (
    envelope,
    filter_widgets,
    is_current,
    parse_limit,
    prepare_schema,
    unlinkable,
    version,
)
from widgetschema.sandbox.faults import EXCHANGE, REFRESH, SCHEMA, WIDGETS
from widgetschema.sandbox.messages import (
    FORM,
    MOST_FORM_BYTES,
    RequestRefused,
    SandboxRequest,
    SandboxResponse,
    error_response,
    json_response,
    unique_fields,
)
from widgetschema.sandbox.state import Sandbox
from widgetschema.sandbox.tokens import Tokens

_FIELDS: Final = {
    "authorization_code": ("client_id", "client_secret", "code", "redirect_uri"),
    "refresh_token": ("client_id", "client_secret", "refresh_token"),
}


def list_widgets(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Return the widgets of the account, in their envelope (section 4.1)."""
    _check_bearer(sandbox, request)
    query = dict(request.query)
    limit = parse_limit(query)
    most = sandbox.faults.peek("max-limit", WIDGETS)
    if most and limit > most.number:
        sandbox.take("max-limit", WIDGETS)
        raise RequestRefused(400, "invalid_request", f"limit is at most {most.number}, not {limit}")
    clamp = sandbox.take("clamp", WIDGETS)
    if clamp:
        limit = min(limit, clamp.number)
    found = filter_widgets(sandbox.widgets, query)
    listed = envelope(found, limit, query.get("fields", ""))
    _apply_list_faults(sandbox, listed, len(found))
    return json_response(listed)


def get_schema(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Return the schema of a widget type (section 4.2)."""
    _check_bearer(sandbox, request)
    served = sandbox.schemas.get(request.id)
    if served is None or (request.id == PLUGIN and sandbox.take("no-plugin", SCHEMA)):
        raise RequestRefused(404, "not_found", f"there is no widget type {request.id[:100]!r}")
    earlier = sandbox.count_schema_response(request.id)
    changed = sandbox.faults.peek("changed", SCHEMA)
    if changed:
        number = min(earlier // changed.number, changed.times or earlier)
        served = prepare_schema(version(served.value, number))
    if sandbox.take("unlinkable", SCHEMA):
        served = prepare_schema(unlinkable(served.value))
    headers = {"content-type": "application/json"}
    bare = sandbox.take("no-validators", SCHEMA)
    if not bare and not sandbox.take("no-etag", SCHEMA):
        headers["etag"] = served.etag
    if not bare and not sandbox.take("no-last-modified", SCHEMA):
        headers["last-modified"] = served.last_modified
    if sandbox.max_age is not None:
        headers["cache-control"] = f"private, max-age={sandbox.max_age}"
    given = request.headers.get
    tag = given("if-none-match") if "etag" in headers else None
    since = given("if-modified-since") if "last-modified" in headers else None
    if is_current(served, tag, since) or sandbox.take("not-modified", SCHEMA):
        del headers["content-type"]
        return SandboxResponse(304, headers=headers)
    return SandboxResponse(200, served.body, headers)


def get_token(sandbox: Sandbox, request: SandboxRequest) -> SandboxResponse:
    """Exchange a code or a refresh token (section 4.3); errors are those of RFC 6749, 5.2."""
    fields = _token_fields(request)
    client_id = fields["client_id"]
    known = fields["client_secret"].encode(), sandbox.client_secret.encode()
    if client_id != sandbox.client_id or not hmac.compare_digest(*known):
        raise RequestRefused(401, "invalid_client", "client_id or client_secret is wrong")
    tokens = sandbox.tokens
    if fields["grant_type"] == "authorization_code":
        tokens.spend_code(fields["code"], client_id, fields["redirect_uri"])
        members = _access_members(sandbox, tokens, EXCHANGE)
        members["refresh_token"] = tokens.new_refresh(client_id)
        members["refresh_token_expires_in"] = _seconds(tokens.refresh_lifetime)
        sandbox.count_grant(EXCHANGE)
    else:
        tokens.use_refresh(fields["refresh_token"], client_id, void=False)
        rotate = sandbox.take("rotate", REFRESH)
        members = _access_members(sandbox, tokens, REFRESH)
        if rotate:
            tokens.use_refresh(fields["refresh_token"], client_id, void=True)
            members["refresh_token"] = tokens.new_refresh(client_id)
            members["refresh_token_expires_in"] = _seconds(tokens.refresh_lifetime)
        sandbox.count_grant(REFRESH)
    return json_response(members, cache_control="no-store", pragma="no-cache")


def refusal(refused: RequestRefused) -> SandboxResponse:
    """Return the response to a refused request."""
    response = error_response(refused.status, refused.code, refused.description)
    if refused.code == "unauthorized":  # RFC 6750, section 3.1: no error code without a token
        return response.with_headers(www_authenticate='Bearer realm="sandbox"')
    if refused.code == "invalid_token":
        return response.with_headers(
            www_authenticate='Bearer realm="sandbox", error="invalid_token"'
        )
    return response


def _check_bearer(sandbox: Sandbox, request: SandboxRequest) -> None:
    """Refuse a request without a valid token (section 5). Raises `RequestRefused`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise RequestRefused(
            401, "unauthorized", "send the header Authorization: Bearer ACCESS_TOKEN"
        )
    fault = sandbox.faults.peek("unauthorized-after", request.operation)
    used_up = sandbox.tokens.use_access(token.strip(), fault.number if fault else None)
    if used_up:
        sandbox.take("unauthorized-after", request.operation)
        raise RequestRefused(401, "invalid_token", "this access token has been revoked")


def _token_fields(request: SandboxRequest) -> dict[str, str]:
    if request.media_type != FORM:
        raise RequestRefused(400, "invalid_request", f"send the parameters as {FORM}")
    if len(request.body) > MOST_FORM_BYTES:
        raise RequestRefused(413, "invalid_request", "the form is too large")
    fields = unique_fields(request.form)
    grant = fields.get("grant_type")
    if grant is None:
        raise RequestRefused(400, "invalid_request", "grant_type is missing")
    if grant not in _FIELDS:
        known = " and ".join(_FIELDS)
        raise RequestRefused(400, "unsupported_grant_type", f"grant_type is one of {known}")
    missing = [name for name in _FIELDS[grant] if name not in fields]
    if missing:
        raise RequestRefused(400, "invalid_request", f"missing: {', '.join(missing)}")
    return fields


def _access_members(sandbox: Sandbox, tokens: Tokens, operation: str) -> dict[str, Any]:
    """Return `access_token` and `expires_in`, which faults may change."""
    members: dict[str, Any] = {"access_token": tokens.new_access(sandbox.client_id)}
    expires: Any = _seconds(tokens.lifetime)
    fault = sandbox.take("expires-in", operation)
    if fault and fault.value is None:
        return members
    if fault:
        moment = sandbox.clock() + tokens.lifetime
        computed = {"date": _date(moment), "epoch": str(int(moment))}
        expires = computed.get(fault.text, fault.text)
    if sandbox.take("expires-number", operation):
        expires = tokens.lifetime if tokens.lifetime % 1 else int(tokens.lifetime)
    return {**members, "expires_in": expires}


def _apply_list_faults(sandbox: Sandbox, listed: dict[str, Any], matched: int) -> None:
    """Apply faults to the envelope."""
    docs = listed["docs"]
    if len(docs) > 1 and sandbox.take("duplicates", WIDGETS):
        docs[-1] = docs[0]
    truncate = sandbox.take("truncate", WIDGETS)
    if truncate:
        del docs[truncate.number :]
    if sandbox.take("total-all", WIDGETS):
        listed["total"] = matched
    more = sandbox.take("total-more", WIDGETS)
    if more:
        listed["total"] += more.number
    numbers = [name for name in listed if name != "docs"]
    if sandbox.take("text-numbers", WIDGETS):
        listed.update({name: str(listed[name]) for name in numbers})
    if sandbox.take("no-numbers", WIDGETS):
        for name in numbers:
            del listed[name]


def _seconds(lifetime: float) -> str:
    return f"{lifetime:.3f}".rstrip("0").rstrip(".")


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
