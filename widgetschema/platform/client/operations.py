"""The three documented operations as generators: what to send, and what the response means.

No I/O: each yields steps (`Send`, `Sleep`), is sent what came of them, and returns its result.
Unknown members are kept, what is documented may be missing. Values that a response holds are
never bound to a name where an error is raised: they may repeat a secret.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

from widgetschema.catalog.type_ids import schema_path
from widgetschema.errors import ErrorResponse, IncompleteListing
from widgetschema.platform.client.messages import (
    ApiRequest,
    ApiResponse,
    conditions,
    json_value,
    max_age,
    no_store,
    unusable_response,
    validator,
)
from widgetschema.platform.client.retrying import Operation, RequestContext, exchange
from widgetschema.platform.endpoints import Address
from widgetschema.platform.responses import TokenResponse, Widget, WidgetList
from widgetschema.platform.secret import Secret
from widgetschema.schema.describes import RECORD_MEMBERS
from widgetschema.suggest import nearest
from widgetschema.text import one_line, plural, printable

SCHEMA_BYTES: Final = 5 * 1024 * 1024
LISTING_BYTES: Final = 64 * 1024 * 1024
_NO_SUCH_TYPE: Final = (
    "there is no such widget type (or not for this account), or the base URL, including its "
    "version segment, is wrong"
)
_NO_ENDPOINT: Final = (
    "there is no token endpoint at this address: check the auth URL, to which /oauth/token is added"
)
_NOT_ASKED: Final = "it is a 304 to an unconditional request"
_DIGITS: Final = re.compile(r"([0-9]{1,15})(?:\.0{1,15})?")
_TOKEN_BYTES: Final = 256 * 1024
_FIRST_LIMIT: Final = 100  # widgets asked for at first, when all are wanted …
_GROWTH: Final = 4  # … and how many times more, as long as a list comes back full
_MOST_WIDGETS: Final = 100_000
_SHRINKING: Final = 10  # how many times fewer, as long as the limit is refused
# Any other 4xx may refuse a limit that is too large: how errors look is not documented.
_NOT_ABOUT_LIMITS: Final = (401, 403, 404, 407, 408, 429)


@dataclass(frozen=True, slots=True)
class SchemaResponse:
    """The schema of a widget type as the platform answered: `status` is 200, or 304 for "as
    you have it" (then `raw` is empty and `schema` None).

    `raw` is the decoded body, byte for byte; `schema` its JSON value, an object or a boolean.
    `etag` and `last_modified` are for the next conditional request (RFC 9110, section 13);
    `max_age` is for how many seconds the response is fresh, None if it does not say; `date` is
    when the server made it; `no_store` forbids to write it to disk; `cache_control` is the header
    that says so. `url` is the address, without a query.
    """

    status: int
    url: str
    raw: bytes = field(default=b"", repr=False)
    schema: Any = field(default=None, repr=False, hash=False)
    etag: str | None = None
    last_modified: str | None = None
    max_age: float | None = None
    date: str | None = None
    no_store: bool = False
    cache_control: str | None = None

    @property
    def not_modified(self) -> bool:
        """True if the copy that the conditions of the request describe is current."""
        return self.status == 304


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The addresses of the platform, and the headers that each of its requests has."""

    base: Address
    auth: Address | None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Filters:
    """The parameters of the widgets list (section 4.1): which fields, which widgets.

    `fields` are names with commas between them.
    """

    fields: str | None = None
    project_id: str | None = None
    search: str | None = None
    type: str | None = None

    def query(self, limit: int | None) -> str:
        """Return the query of the URL; commas stay readable. Raises `ValueError`."""
        if limit is not None and (isinstance(limit, bool) or limit < 1):
            raise ValueError("limit must be a number of widgets, at least 1")
        wanted = {
            "limit": None if limit is None else str(limit),
            "fields": self.fields,
            "projectId": self.project_id,
            "search": self.search,
            "type": self.type,
        }
        given = {name: value for name, value in wanted.items() if value is not None}
        for name in given:
            if any("\ud800" <= character <= "\udfff" for character in given[name]):
                raise ValueError(f"{name}: a lone surrogate is not a character")
        return urlencode(given, safe=",", quote_via=quote)

    def unknown_field(self, widgets: Collection[Widget]) -> str | None:
        """Return the sentence about a field that no widget has and that is not documented."""
        known = sorted(RECORD_MEMBERS.union(*(widget.members for widget in widgets)))
        for name in map(str.strip, (self.fields or "").split(",")):
            if name and name not in known:
                meant = "".join(f"; did you mean {one!r}?" for one in nearest(name, known, 1))
                found = printable(name)
                return f"no widget has a property {found!r}{meant} (known: {', '.join(known)})"
        return None


def comma_separated(fields: str | Iterable[str] | None) -> str | None:
    """Return names of fields as one text."""
    return fields if fields is None or isinstance(fields, str) else ",".join(fields)


class Operations:
    """The operations of the platform, each a generator of the steps to take."""

    def __init__(self, endpoints: Endpoints, context: RequestContext) -> None:
        self.endpoints = endpoints
        self._context = context

    def widgets(self, filters: Filters, limit: int | None) -> Operation[WidgetList]:
        """Request one list of widgets (section 4.1). Raises `ValueError` for unknown fields."""
        listing = yield from self._listing(filters, limit)
        if (problem := filters.unknown_field(listing.docs)) is not None:
            del listing
            raise ValueError(problem)
        return listing

    def all_widgets(self, filters: Filters) -> Operation[tuple[Widget, ...]]:
        """Return all widgets. Raises `IncompleteListing`, and `ValueError` for unknown fields."""
        widgets = yield from self._all(filters)
        if (problem := filters.unknown_field(widgets)) is not None:
            del widgets
            raise ValueError(problem)
        return widgets

    def _listing(self, filters: Filters, limit: int | None) -> Operation[WidgetList]:
        call = ApiRequest(
            "GET",
            self.endpoints.base,
            "/widgets",
            filters.query(limit),
            headers={"accept": "application/json", **self.endpoints.headers},
            limit=LISTING_BYTES,
        )
        response = yield from exchange(call, self._context)
        made = _listing(response)
        if isinstance(made, str):
            raise unusable_response(call, response, made)
        return made

    def _all(self, filters: Filters) -> Operation[tuple[Widget, ...]]:
        """Return all widgets: ask for longer lists until one is known to be whole.

        Only `limit` is documented, so there is no other way. Its maximum is not: a limit that is
        refused is lowered, then the largest that is accepted is searched for, if it is needed.
        Raises `IncompleteListing`.
        """
        # `accepted` is the largest limit that is, `refused` the lowest that is not.
        limit, accepted, refused = _FIRST_LIMIT, 0, 0
        longest = WidgetList()  # as long as its limit, which was `accepted`
        refusal: ErrorResponse | None = None
        while True:
            try:
                listing = yield from self._listing(filters, limit)
            except ErrorResponse as error:
                if not 400 <= error.status < 500 or error.status in _NOT_ABOUT_LIMITS:
                    raise
                refusal, refused = refusal or error, limit
                if limit == 1:
                    raise refusal from None  # whatever the limit: it is about something else
            else:
                if (problem_found := _inconsistency(listing, limit, len(longest.docs))) is not None:
                    raise self._incomplete(listing, problem_found, 200)
                problem = _truncation(listing, limit, 0 if refused else accepted)
                if problem is None and len(listing.docs) < limit:
                    return listing.docs
                longest, accepted = listing, limit
                if problem is not None:
                    break
            limit = _next_limit(longest, accepted, refused)
            if limit == accepted:
                problem = f"there are {limit:,} or more, which is the most that is requested"
                if refused:
                    problem = (
                        f"only {len(longest.docs):,} came, and a limit of {refused:,} is refused"
                    )
                break
        if (yield from self._counts_all(filters, longest)):
            return longest.docs
        status = refusal.status if refusal is not None else 200
        raise self._incomplete(longest, problem, status)

    def schema(
        self, id: str, etag: str | None, last_modified: str | None
    ) -> Operation[SchemaResponse]:
        """Request the schema of a widget type (section 4.2), on conditions if there are any."""
        asked = conditions(etag, last_modified)
        call = ApiRequest(
            "GET",
            self.endpoints.base,
            schema_path(id),
            headers={
                "accept": "application/schema+json, application/json",
                **self.endpoints.headers,
                **asked,
            },
            limit=SCHEMA_BYTES,
            absent=_NO_SUCH_TYPE,
        )
        response = yield from exchange(call, self._context)
        if response.status == 304:
            if not asked:
                raise unusable_response(call, response, _NOT_ASKED)
            return _schema_response(call, response, None)
        made = _schema(call, response)
        if isinstance(made, str):
            raise unusable_response(call, response, made)
        return made

    def exchange_code(
        self, client_id: str, client_secret: Secret, code: Secret, redirect_uri: str
    ) -> Operation[TokenResponse]:
        """Exchange an authorization code for tokens (section 4.3); sent once, never again."""
        fields: list[tuple[str, Secret | str]] = [
            ("client_id", client_id),
            ("client_secret", client_secret),
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
        ]
        return self._tokens(fields, retried=False)

    def refresh(
        self, client_id: str, client_secret: Secret, refresh_token: Secret
    ) -> Operation[TokenResponse]:
        """Refresh an access token (section 4.3)."""
        fields: list[tuple[str, Secret | str]] = [
            ("client_id", client_id),
            ("client_secret", client_secret),
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ]
        return self._tokens(fields, retried=True)

    def _tokens(
        self, fields: list[tuple[str, Secret | str]], *, retried: bool
    ) -> Operation[TokenResponse]:
        """Request tokens (section 4.3), without a header `Authorization`."""
        if self.endpoints.auth is None:
            raise ValueError("this requires auth_url, the address to which /oauth/token is added")
        own = {
            name: value for name, value in self.endpoints.headers.items() if name != "authorization"
        }
        call = ApiRequest(
            "POST",
            self.endpoints.auth,
            "/oauth/token",
            form=fields,
            headers={"accept": "application/json", **own},
            limit=_TOKEN_BYTES,
            retried=retried,
            authenticated=False,
            absent=_NO_ENDPOINT,
        )
        response = yield from exchange(call, self._context)
        made = "it has no body" if response.status == 304 else _token_response(response)
        if isinstance(made, str):
            raise unusable_response(call, response, made, quote=False)
        return made

    def _counts_all(self, filters: Filters, listing: WidgetList) -> Operation[bool]:
        """Return whether `total` says that a list is complete.

        It is documented as the number of widgets *returned*, which says nothing. It counts all if
        it is the same when a single widget is asked for.
        """
        if listing.total != len(listing.docs) or listing.total < 2:
            return False
        single = yield from self.widgets(filters, 1)
        return single.total == listing.total and len(single.docs) < listing.total

    def _incomplete(self, listing: WidgetList, problem: str, status: int) -> IncompleteListing:
        error = IncompleteListing(
            f"the list of widgets is incomplete: {problem}",
            method="GET",
            path=f"{self.endpoints.base.path}/widgets",
            status=status,
        )
        error.received, error.total = len(listing.docs), listing.total
        return error


def _next_limit(longest: WidgetList, accepted: int, refused: int) -> int:
    """Return the limit to try next; `accepted`, if no larger one is of use."""
    if not accepted:
        return max(1, refused // _SHRINKING)
    total = longest.total or 0
    if refused and refused <= total:  # what is accepted is too little for them all
        return accepted
    wanted = min(_MOST_WIDGETS, max(accepted * _GROWTH, total + 1))
    return (accepted + refused) // 2 if refused and wanted >= refused else wanted


def _inconsistency(listing: WidgetList, limit: int, before: int) -> str | None:
    """Return the proof that a list is wrong or incomplete, None if there is none.

    `before` is how many widgets came for a lower limit: a platform may take the default for a limit
    that is too large.
    `total` is documented as the number of widgets returned; if it is more than came from a list
    that was not cut by its limit, something is missing.
    """
    received = len(listing.docs)
    ids = [widget.id for widget in listing.docs if widget.id is not None]
    if len(set(ids)) < len(ids):
        return f"{plural(len(ids) - len(set(ids)), 'widget')} appeared twice"
    if received < before:
        return f"{received:,} came for a limit of {limit:,}, and {before:,} for a lower one"
    if listing.offset or (listing.page or 1) > 1:
        return "it does not start with the first widget"
    if received >= min(limit, limit if listing.limit is None else listing.limit):
        return None
    if (listing.total or 0) > received:
        return f"only {received:,} of {listing.total:,} came"
    if (listing.pages or 1) > 1:
        return f"only {received:,} came, and there are {listing.pages:,} pages"
    return None


def _truncation(listing: WidgetList, limit: int, accepted: int) -> str | None:
    """Return the reason why a list may have been cut below its limit, None if it was not.

    The platform reports a lower limit, and that many came; or it reports none, and as many came as
    for the lower limit that was `accepted` before (0 if there was none, or if limits that are too
    large are refused).
    """
    received = len(listing.docs)
    if listing.limit is not None:
        if listing.limit < limit and received >= listing.limit:
            return f"the platform returns at most {listing.limit:,} at a time, and that many came"
    elif received == accepted > 0:
        return f"{received:,} came for both limits, {accepted:,} and {limit:,}"
    return None


# From a response to a value, or to what is wrong with it


def _listing(response: ApiResponse) -> WidgetList | str:
    value, problem = json_value(response)
    if problem is not None:
        return problem
    if type(value) is not dict:
        return "the list of widgets is not a JSON object"
    docs = value.get("docs")
    if type(docs) is not list:
        return 'the list of widgets has no array "docs"'
    if len(docs) > _MOST_WIDGETS:
        return f"the list has {plural(len(docs), 'widget')}, more than {_MOST_WIDGETS:,}"
    if _repeats_secret(response, value):
        return "the list of widgets repeats the token that was sent"
    wrong = next((index for index, one in enumerate(docs) if type(one) is not dict), None)
    if wrong is not None:
        return f"the element {wrong} of docs is not a JSON object"
    return WidgetList(
        docs=tuple(map(_widget, docs)),
        total=_integer(value.get("total")),
        limit=_integer(value.get("limit")),
        offset=_integer(value.get("offset")),
        page=_integer(value.get("page")),
        pages=_integer(value.get("pages")),
        members={name: member for name, member in value.items() if name != "docs"},
    )


def _widget(record: dict[str, Any]) -> Widget:
    return Widget(
        id=_text(record.get("id")),
        name=_text(record.get("name")),
        description=_text(record.get("description")),
        type=_text(record.get("type")),
        project_id=_text(record.get("projectId")),
        preview_image=_text(record.get("previewImage")),
        status=_text(record.get("status")),
        model_version=_integer(record.get("modelVersion")),
        created=_text(record.get("created")),
        updated=_text(record.get("updated")),
        members=record,
    )


def _schema(call: ApiRequest, response: ApiResponse) -> SchemaResponse | str:
    value, problem = json_value(response)
    if problem is not None:
        return problem
    if type(value) not in (dict, bool):
        return "the schema is neither a JSON object nor a boolean"
    if _repeats_secret(response, value):
        return "the schema repeats the token that was sent, so it cannot be cached"
    return _schema_response(call, response, value)


def _repeats_secret(response: ApiResponse, value: Any) -> bool:
    """Return whether a response repeats a secret of its request, escaped or not."""
    return response.secrets.are_in(response.body) or (
        b"\\" in response.body
        and response.secrets.are_in(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    )


def _schema_response(call: ApiRequest, response: ApiResponse, value: Any) -> SchemaResponse:
    return SchemaResponse(
        304 if response.status == 304 else 200,
        call.url,
        b"" if response.status == 304 else response.body,
        value,
        validator(response, "etag"),
        validator(response, "last-modified"),
        max_age(response),
        validator(response, "date"),
        no_store(response),
        response.header("cache-control"),
    )


def _token_response(response: ApiResponse) -> TokenResponse | str:
    """Return the tokens of a response, or why there are none, without quoting it."""
    value, problem = json_value(response, quote=False)
    if problem is not None:
        return problem
    if type(value) is not dict:
        return "the response of the token endpoint is not a JSON object"
    access = value.get("access_token")
    if not isinstance(access, str) or not access:
        return "the response of the token endpoint has no access_token"
    if not (access.isascii() and access.isprintable()) or " " in access:
        return (
            "the access_token has characters that a header cannot contain (RFC 6750, section 2.1)"
        )
    refresh = _text(value.get("refresh_token"))
    documented = ("access_token", "expires_in", "refresh_token", "refresh_token_expires_in")
    return TokenResponse(
        Secret(access),
        _as_text(value.get("expires_in")),
        Secret(refresh) if refresh else None,
        _as_text(value.get("refresh_token_expires_in")),
        {name: member for name, member in value.items() if name not in documented},
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: Any) -> int | None:
    """Return a documented integer: 3 and 3.0 are the same in JSON; texts are read, too."""
    if isinstance(value, str):
        digits = _DIGITS.fullmatch(value.strip())
        return int(digits[1]) if digits else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if math.isfinite(value) and value == int(value) else None


def _as_text(value: Any) -> str | None:
    """Return a text as it came, and a number as a text, since the documented type is one."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return one_line(str(value), 200) if not isinstance(value, str) else value
