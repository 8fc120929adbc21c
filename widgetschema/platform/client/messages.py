"""Requests and responses as values, and the errors and cache directives read from a response.

Every error is built here but raised elsewhere, so that no traceback shows a frame of this module.
"""

from __future__ import annotations

import json
import math
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

import httpx

from widgetschema.errors import ErrorResponse, PlatformError, UnreadableDocument, UnusableResponse
from widgetschema.jsontext import Limits, read
from widgetschema.platform.client.redaction import Secrets
from widgetschema.platform.client.transport import CODINGS, CUT, END, FAULT, LIMIT, LOCATION
from widgetschema.platform.endpoints import Address
from widgetschema.platform.secret import Secret
from widgetschema.text import one_line

_BODY: Final = 200  # characters that are shown of a body
_READ: Final = 16 * 1024  # bytes of a body that are looked at, to show that
_REQUEST_ID: Final = 100  # characters that are shown of the id of a request
_REQUEST_IDS: Final = (
    "x-request-id request-id x-correlation-id x-amzn-requestid x-amz-request-id "
    "x-ms-request-id x-trace-id cf-ray traceparent"
).split()
_OAUTH_ERROR: Final = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]{1,60}")  # RFC 6749, section 5.2
_NO_LIMIT: Final = 2**62  # bytes: the transport has limited them
_DIAGNOSED: Final = 1024 * 1024  # bytes of a text that is diagnosed
_SPACE: Final = b" \t\r\n\xef\xbb\xbf"  # white space, and the bytes of a byte order mark


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request to be made, perhaps several times.

    `path` and `query` are as they are sent; `form` is a body (fields, in order) or None;
    `limit` is the most bytes of a decoded response; `retried` says whether asking again is safe.
    """

    method: str
    address: Address
    path: str
    query: str = ""
    form: Sequence[tuple[str, Secret | str]] | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    limit: int = 0
    retried: bool = True
    authenticated: bool = True
    absent: str = "there is nothing at this address: check the base URL, version segment included"

    @property
    def address_name(self) -> str:
        """The name of the address that the request goes to, for messages."""
        return "base URL" if self.authenticated else "auth URL"

    @property
    def whole_path(self) -> str:
        """The path as sent, that of the base address included; no query."""
        return f"{self.address.path}{self.path}"

    @property
    def url(self) -> str:
        """The address, without its query."""
        return f"{self.address.origin}{self.whole_path}"

    def request(self, target: str | None = None, end: float = math.inf) -> httpx.Request:
        """Return a new request; `target` is another path and query of the same origin.

        Its response has to be whole at `end`, in monotonic seconds.
        """
        query = f"?{self.query}" if self.query else ""
        return httpx.Request(
            self.method,
            self.address.origin + (f"{self.whole_path}{query}" if target is None else target),
            headers={**self.headers, "accept-encoding": CODINGS, **self._content_type()},
            content=None if self.form is None else _encoded(self.form),
            extensions={LIMIT: self.limit, END: end},
        )

    def _content_type(self) -> dict[str, str]:
        form = "application/x-www-form-urlencoded"
        return {} if self.form is None else {"content-type": form}


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A response, whatever its status; `secrets` are those that its request held.

    `fault` says why the body cannot be used, `location` where it redirects to; the body is cut
    off if `cut`. `authorized` says whether the request had a header `Authorization`.
    """

    status: int
    headers: httpx.Headers = field(repr=False)
    body: bytes = field(repr=False)
    secrets: Secrets = field(repr=False)
    fault: str | None = field(default=None, repr=False)
    location: str | None = field(default=None, repr=False)
    cut: bool = False
    authorized: bool = True

    def header(self, name: str) -> str | None:
        """Return a header, unless it repeats a secret."""
        value = self.headers.get(name)
        return value if value is None or self.secrets.scrub(value) == value else None


@dataclass(frozen=True, slots=True)
class SendFailure:
    """The lack of a whole response; `passing` if there may be one the next time."""

    reason: str
    passing: bool = True


SendResult = ApiResponse | SendFailure


def read_response(response: httpx.Response, call: ApiRequest) -> ApiResponse:
    """Return a response of httpx as a value."""
    return ApiResponse(
        response.status_code,
        response.headers,
        response.content,
        sent_secrets(response.request, call),
        response.extensions.get(FAULT),
        response.extensions.get(LOCATION),
        bool(response.extensions.get(CUT)),
        "authorization" in response.request.headers,
    )


def sent_secrets(request: httpx.Request, call: ApiRequest) -> Secrets:
    """Return the secrets of a request: all fields of its form are."""
    fields = [value for name, value in call.form or () if name != "grant_type"]
    return Secrets.sent(
        request.headers, [one if isinstance(one, Secret) else Secret(one) for one in fields]
    )


# What httpx raises when there is no response; and what a token with odd characters makes it raise.
SEND_ERRORS: Final = (httpx.HTTPError, httpx.InvalidURL, UnicodeError)


def read_failure(error: BaseException, secrets: Secrets) -> SendFailure:
    """Return an error of httpx as a value; its text is used only if the network wrote it."""
    if isinstance(error, httpx.TimeoutException):
        return SendFailure(_TIMEOUTS.get(type(error), "no response in time"))
    if isinstance(error, httpx.ConnectError):
        detail = one_line(secrets.scrub(str(error)), 160)
        reason = f"cannot connect ({detail})" if detail else "cannot connect"
        return SendFailure(reason, not _is_about_certificates(error))
    if isinstance(error, httpx.ProxyError):
        return SendFailure("the proxy of the environment rejected the request")
    if isinstance(error, (httpx.NetworkError, httpx.RemoteProtocolError)):
        return SendFailure("the connection was closed before the response was complete")
    if isinstance(error, (httpx.LocalProtocolError, UnicodeError)):
        reason = (
            "the request cannot be sent: a header (the token?) has characters that HTTP forbids"
        )
        return SendFailure(reason, passing=False)
    return SendFailure(f"the request cannot be sent ({type(error).__name__})", passing=False)


_TIMEOUTS: Final[dict[type[BaseException], str]] = {
    httpx.ConnectTimeout: "no connection in time",
    httpx.ReadTimeout: "no complete response in time",
    httpx.WriteTimeout: "the request could not be sent in time",
    httpx.PoolTimeout: "no connection was free in time",
}


def _is_about_certificates(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def error_for(
    response: ApiResponse, call: ApiRequest, retry_after: float | None = None
) -> PlatformError:
    """Return the error for a response that is no success."""
    if response.status < 400:
        return unusable_response(call, response, "this status is not documented")
    error = ErrorResponse(_advice(response, call, retry_after), **_known(response, call))
    error.retry_after = retry_after
    error.oauth_error = _oauth_error(response) if call.form is not None else None
    return error


def unusable_response(
    call: ApiRequest, response: ApiResponse, reason: str, *, quote: bool = True
) -> UnusableResponse:
    """Return the error for a response that cannot be used; `quote` shows its body."""
    known = _known(response, call)
    return UnusableResponse(reason, **{**known, "body": known["body"] if quote else None})


def json_value(response: ApiResponse, *, quote: bool = True) -> tuple[Any, str | None]:
    """Return the JSON value of a response, and None; or None, and why there is none.

    What is wrong with the text is said only if `quote`, since that may repeat some of it.
    """
    if response.fault is not None:
        return None, f"the response cannot be read: {response.fault}"
    large = len(response.body) > _DIAGNOSED
    try:
        if large:  # a document is diagnosed at leisure: a second for each megabyte
            json.loads(response.body)
        return read(response.body, Limits(max_bytes=_NO_LIMIT), "response"), None
    except UnreadableDocument as error:
        findings = error.report.findings
    except (ValueError, RecursionError):
        findings = ()
    kind = one_line(response.secrets.scrub(response.headers.get("content-type", "")), 60)
    if response.body[:_READ].lstrip(_SPACE).startswith(b"<") or "html" in kind.lower():
        kind = kind or "not said"
        return None, f"the response is not JSON (content type {kind}): perhaps a login page"
    text = "" if large else response.body.decode(errors="replace")
    if not findings or not quote or response.secrets.scrub(text) != text:
        return None, "the response is not JSON"
    return None, f"the response is not JSON: {one_line(findings[0].message, 100)}"


def _known(response: ApiResponse, call: ApiRequest) -> dict[str, Any]:
    return {
        "method": call.method,
        "path": one_line(call.whole_path, 500),
        "status": response.status,
        "request_id": _request_id(response),
        "body": _shown_body(response, call),
    }


def _request_id(response: ApiResponse) -> str | None:
    for name in _REQUEST_IDS:
        shown = one_line(response.secrets.scrub(response.headers.get(name, "")), _REQUEST_ID)
        if shown:
            return shown
    return None


def _shown_body(response: ApiResponse, call: ApiRequest) -> str | None:
    """Return the beginning of a body, unless it may hold new tokens, whatever its status."""
    if call.form is not None and (response.status < 400 or b"_token" in response.body):
        return None
    text = response.body[:_READ].decode(errors="replace")
    cut = response.cut or len(response.body) > _READ
    scrub = response.secrets.scrub_part if cut else response.secrets.scrub
    return one_line(scrub(text), _BODY) or None


def _oauth_error(response: ApiResponse) -> str | None:
    """Return the OAuth error code (RFC 6749, section 5.2), such as invalid_grant."""
    value, _ = json_value(response)
    code = value.get("error") if type(value) is dict else None
    if not isinstance(code, str) or not _OAUTH_ERROR.fullmatch(code):
        return None
    return code if response.secrets.scrub(code) == code else None


def _advice(response: ApiResponse, call: ApiRequest, retry_after: float | None) -> str:
    """Return a sentence about what to do."""
    status = response.status
    if call.form is not None and status in (400, 401, 403):
        code = _oauth_error(response)
        said = f" ({code})" if code else ""
        return f"the token endpoint refused{said}: {_grant_advice(call, status, code)}"
    if status == 401 and not response.authorized:
        return "no token was sent: log in, or give the client a token"
    if status == 404:
        return call.absent
    if status == 429:
        when = "a while" if retry_after is None else f"{retry_after:,.0f} s"
        return f"too many requests: wait {when}, then send fewer"
    if status >= 500:
        return "the platform has a problem: try again later"
    return _ADVICE.get(status, "the request was refused")


def _grant_advice(call: ApiRequest, status: int, code: str | None) -> str:
    """Return what to check after a token endpoint has refused (RFC 6749, section 5.2)."""
    if code in _CLIENT_ADVICE:
        return _CLIENT_ADVICE[code]
    is_exchange = ("grant_type", "authorization_code") in (call.form or ())
    if code == "invalid_grant":
        return _CODE_ADVICE if is_exchange else _REFRESH_ADVICE
    return _CODE_ADVICE if is_exchange and status == 400 else _OTHER_ADVICE


_ADVICE: Final = {
    400: "the request was refused: check its options",
    401: "the token was not accepted: log in again, or give the client another token",
    403: "this account may not do that: check whose token it is and what it permits",
    407: "the proxy requires a login: add it to the proxy's address in the environment",
    408: "the platform waited too long for the request: try again",
    414: "the request is too long: shorten the search",
}
_CLIENT_ADVICE: Final = {
    "invalid_client": "check the client id and the client secret",
    "unauthorized_client": "this client may not do that: check how the app is registered",
}
_CODE_ADVICE: Final = (
    "check the code, which works once and for a short time (get a new one), and the redirect URI, "
    "which must be the one that the code was requested with"
)
_REFRESH_ADVICE: Final = "the refresh token was used, revoked, or has expired: log in again"
_OTHER_ADVICE: Final = "check client id, client secret, and the address of the token endpoint"


def _encoded(form: Sequence[tuple[str, Secret | str]]) -> bytes:
    """Encode a form; nothing here can fail, since a traceback would show it."""
    return urlencode(
        [(name, value.reveal() if isinstance(value, Secret) else value) for name, value in form],
        errors="surrogatepass",
    ).encode()


_SECONDS: Final = re.compile(r"[0-9]{1,10}")
# A directive with its value, which may be quoted (RFC 9111, section 5.2).
_DIRECTIVE: Final = re.compile(r'([!#$%&\'*+.^_`|~\w-]+)(?:=(?:"([^"]*)"|([^\s,;"]*)))?', re.ASCII)
_CONDITION: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?")


def conditions(etag: str | None, last_modified: str | None) -> dict[str, str]:
    """Return the headers of a conditional request (RFC 9110, sections 13.1.2 and 13.1.3).

    What a header cannot contain was never a validator: it is left out.
    """
    wanted = {"if-none-match": etag, "if-modified-since": last_modified}
    return {name: value for name, value in wanted.items() if value and _CONDITION.fullmatch(value)}


def validator(response: ApiResponse, name: str) -> str | None:
    """Return a validator to send again later; None if it cannot be sent, or has a secret."""
    value = response.header(name)
    return value if value is not None and _CONDITION.fullmatch(value) else None


def max_age(response: ApiResponse) -> float | None:
    """Return the seconds for which the response is fresh; None if it does not say.

    `max-age` (RFC 9111, section 5.2.2.1) less the header `Age`; 0 for `no-cache` and `no-store`,
    and for a `max-age` that is no number (section 4.2.1 wants that taken as stale).
    """
    directives = _directives(response)
    if any(name in ("no-cache", "no-store") for name, _ in directives):
        return 0.0
    ages = [_seconds(value) for name, value in directives if name == "max-age"]
    if not ages:
        return None
    return max(0.0, min(ages) - _seconds(response.headers.get("age", "").strip()))


def no_store(response: ApiResponse) -> bool:
    """Return whether the response must not be written to disk (RFC 9111, section 5.2.2.5)."""
    return any(name == "no-store" for name, _ in _directives(response))


def _directives(response: ApiResponse) -> list[tuple[str, str]]:
    directives = _DIRECTIVE.findall(response.headers.get("cache-control", ""))
    return [(name.lower(), quoted or plain) for name, quoted, plain in directives]


def _seconds(text: str) -> float:
    return float(text) if _SECONDS.fullmatch(text) else 0.0
