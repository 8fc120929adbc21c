"""The core of the client, without any I/O: what is sent, what answers mean, when is asked again."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.errors import (
    ErrorResponse,
    IncompleteListing,
    InvalidTypeId,
    PlatformError,
    Unreachable,
    UnusableResponse,
)
from widgetschema.platform import Secret, Widget
from widgetschema.platform.client.messages import ApiResponse, SendFailure, SendResult
from widgetschema.platform.client.operations import (
    Endpoints,
    Filters,
    Operations,
    SchemaResponse,
    comma_separated,
)
from widgetschema.platform.client.redaction import Secrets
from widgetschema.platform.client.retrying import (
    Operation,
    Patience,
    RequestContext,
    Retries,
    Send,
    Sleep,
    http_date,
)
from widgetschema.platform.client.transport import END
from widgetschema.platform.endpoints import parse_address, proxy_for
from widgetschema.text import one_line

T = TypeVar("T")

BASE = parse_address("https://platform.example/platform/api/v1", "base_url")
ENDPOINTS = Endpoints(
    BASE, parse_address("https://login.example", "auth_url"), {"user-agent": "tests"}
)
NOW = 1_700_000_000.0
CONTEXT = RequestContext(Retries(), now=lambda: NOW, clock=lambda: 0.0, random=lambda: 1.0)
OPERATIONS = Operations(ENDPOINTS, CONTEXT)
NO_FILTERS = Filters()
TOKEN = "canary-T0ken/with+odd=characters&more"
DOWN = SendFailure("the connection closed")


def answer(
    status: int = 200,
    value: Any = None,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    location: str | None = None,
    **named: str,
) -> ApiResponse:
    """A response whose request held TOKEN; header names are written with `_`."""
    given = {**(headers or {}), **named}
    named = {name.replace("_", "-"): text for name, text in given.items()}
    raw = json.dumps(value).encode() if body is None else body
    secrets = Secrets([Secret(TOKEN)])
    return ApiResponse(status, httpx.Headers(named), raw, secrets, location=location)


def drive(
    operation: Operation[T], *replies: SendResult
) -> tuple[T, list[httpx.Request], list[float]]:
    """Run an operation on replies; what it returns, sends, and how long it waits."""
    waiting = list(replies)
    sent: list[httpx.Request] = []
    slept: list[float] = []
    reply: SendResult | None = None
    while True:
        try:
            step = operation.send(reply)
        except StopIteration as done:
            assert not waiting, "not all replies were wanted"
            return done.value, sent, slept
        except PlatformError:
            assert not waiting, "not all replies were wanted"
            raise
        if isinstance(step, Send):
            sent.append(step.request)
            reply = waiting.pop(0)
        else:
            assert isinstance(step, Sleep)
            slept.append(step.seconds)
            reply = None


def listing(count: int, **envelope: Any) -> ApiResponse:
    docs = [{"id": f"w{index}"} for index in range(count)]
    return answer(value={"docs": docs, **envelope})


# The list


def test_a_list_is_typed_and_keeps_unknown_members() -> None:
    record = {
        "id": "1",
        "projectId": "p",
        "previewImage": "",
        "modelVersion": 3.0,
        "status": "draft",
        "extra": [1],
    }
    envelope = {"total": 1.0, "limit": 10, "offset": 0, "page": 1, "pages": 1, "next": None}
    result, sent, _ = drive(
        OPERATIONS.widgets(NO_FILTERS, None), answer(value={"docs": [record], **envelope})
    )

    assert result.docs == (
        Widget(
            id="1",
            project_id="p",
            preview_image="",
            model_version=3,
            status="draft",
            members=record,
        ),
    )
    assert (result.total, result.limit, result.offset, result.page, result.pages) == (
        1,
        10,
        0,
        1,
        1,
    )
    assert result.members == envelope
    assert type(result.total) is int
    assert str(sent[0].url) == "https://platform.example/platform/api/v1/widgets"
    assert sent[0].headers["user-agent"] == "tests"
    assert "authorization" not in sent[0].headers


def test_the_documented_parameters() -> None:
    filters = Filters(
        comma_separated(name for name in ("id", "name")), "p/1", "two words & é", "countdown"
    )
    _, sent, _ = drive(OPERATIONS.widgets(filters, 5), listing(0))

    assert sent[0].url.raw_path == (
        b"/platform/api/v1/widgets?limit=5&fields=id,name&projectId=p%2F1"
        b"&search=two%20words%20%26%20%C3%A9&type=countdown"
    )


@pytest.mark.parametrize("field", ["statu", "id,statu", " statu"])
def test_a_field_that_no_widget_has(field: str) -> None:
    for operation in (
        OPERATIONS.widgets(Filters(field), 5),
        OPERATIONS.all_widgets(Filters(field)),
    ):
        with pytest.raises(ValueError, match="no widget has a property 'statu'; did you mean"):
            drive(operation, listing(2))
    for field in ("unknown", "id, created,"):  # a widget has it, and it is documented
        drive(OPERATIONS.widgets(Filters(field), 5), answer(value={"docs": [{"unknown": 1}]}))


@pytest.mark.parametrize("status", [400, 413, 422])
def test_if_every_limit_is_refused_it_is_about_something_else(status: int) -> None:
    refusal = answer(status, {"message": "no such project"})
    with pytest.raises(ErrorResponse, match="no such project"):
        drive(OPERATIONS.all_widgets(NO_FILTERS), refusal, refusal, refusal)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_is_not_about_the_limit_is_asked_once(status: int) -> None:
    with pytest.raises(ErrorResponse):
        drive(OPERATIONS.all_widgets(NO_FILTERS), answer(status, {}))


@pytest.mark.parametrize(
    "filters", [Filters(search="\udcff"), Filters("a,\ud800"), Filters(type="\udfff")]
)
def test_a_filter_that_is_no_text(filters: Filters) -> None:
    with pytest.raises(ValueError, match=r"^(search|fields|type): a lone surrogate"):
        drive(OPERATIONS.widgets(filters, None))


@pytest.mark.parametrize("limit", [0, -1, True])
def test_a_limit_that_is_none(limit: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        drive(OPERATIONS.widgets(NO_FILTERS, limit))


@pytest.mark.parametrize("member", ["id", "name", "type", "projectId", "modelVersion", "updated"])
@pytest.mark.parametrize("wrong", [None, [], {}, True, 1.5], ids=repr)
def test_members_that_are_missing_or_of_another_type(member: str, wrong: Any) -> None:
    record = {member: wrong}
    result, _, _ = drive(OPERATIONS.widgets(NO_FILTERS, None), answer(value={"docs": [record, {}]}))

    assert result.docs == (Widget(members=record), Widget())
    assert result.total is None


NO_LISTS = {
    "no object": ([], "not a JSON object"),
    "no docs": ({"total": 0}, 'no array "docs"'),
    "docs no array": ({"docs": {}}, 'no array "docs"'),
    "docs null": ({"docs": None}, 'no array "docs"'),
    "a record no object": ({"docs": [{}, "w"]}, "element 1 of docs"),
}


@pytest.mark.parametrize(("value", "reason"), NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_no_list(value: Any, reason: str) -> None:
    with pytest.raises(UnusableResponse, match=reason) as caught:
        drive(OPERATIONS.widgets(NO_FILTERS, None), answer(value=value))

    assert caught.value.path == "/platform/api/v1/widgets"
    assert (caught.value.method, caught.value.status) == ("GET", 200)


# All widgets


WHOLE: dict[str, tuple[list[ApiResponse], int]] = {
    "none": ([listing(0)], 0),
    "short of the limit": ([listing(99)], 99),
    "just the limit, and the total counts all": (
        [listing(100, total=100), listing(100, total=100), listing(1, total=100)],
        100,
    ),
    "a clamped limit, and the total counts all": (
        [listing(50, limit=50, total=50), listing(1, limit=1, total=50)],
        50,
    ),
    "numbers as texts": ([listing(100, total="120"), listing(120, total="120")], 120),
    "just the limit, and the server says so": (
        [listing(100, limit=100), listing(100, limit=400)],
        100,
    ),
    "many": ([listing(100), listing(400), listing(1600), listing(1700)], 1700),
    "the total says how many to ask for": (
        [listing(100, total=5000), listing(5000, total=5000)],
        5000,
    ),
    "a server that knows no limit": ([listing(250), listing(250)], 250),
    "a total that counts less": ([listing(3, total=1)], 3),
    "page and pages as documented": (
        [listing(3, total=3, limit=100, offset=0, page=1, pages=1)],
        3,
    ),
    "a lower limit that is not reached": ([listing(49, limit=50)], 49),
}


@pytest.mark.parametrize(("replies", "count"), WHOLE.values(), ids=WHOLE)
def test_all_widgets(replies: list[ApiResponse], count: int) -> None:
    result, _, _ = drive(OPERATIONS.all_widgets(NO_FILTERS), *replies)

    assert [widget.id for widget in result] == [f"w{index}" for index in range(count)]


def test_limits_grow() -> None:
    _, sent, _ = drive(
        OPERATIONS.all_widgets(Filters("id", search="x")),
        listing(100),
        listing(400, total=9000),
        listing(9000),
    )

    assert [request.url.query for request in sent] == [
        b"limit=100&fields=id&search=x",
        b"limit=400&fields=id&search=x",
        b"limit=9001&fields=id&search=x",
    ]


TWICE = answer(value={"docs": [{"id": "a"}, {"id": "b"}, {"id": "a"}]})
CUT_OFF: dict[str, tuple[list[ApiResponse], str, int, int | None]] = {
    "a clamped limit": ([listing(50, limit=50)], "at most 50 at a time", 50, None),
    "a clamped limit with pages": ([listing(50, limit=50, total=60)], "at most 50", 50, 60),
    "clamped later on": (
        [listing(100, limit=100), listing(250, limit=250)],
        "at most 250",
        250,
        None,
    ),
    "a clamped limit as a text": ([listing(50, limit="50")], "at most 50", 50, None),
    "clamped, and the total counts what came": (
        [listing(50, limit=50, total=50), listing(1, limit=1, total=1)],
        "at most 50",
        50,
        50,
    ),
    "clamped without a word": (
        [listing(100), listing(100)],
        "100 came for both limits, 100 and 400",
        100,
        None,
    ),
    "the default for a limit that is too large": (
        [listing(100), listing(10)],
        "10 came for a limit of 400, and 100 for a lower one",
        10,
        None,
    ),
    "a larger total as a text": ([listing(50, total="120")], "only 50 of 120 came", 50, 120),
    "a larger total as the text of a float": ([listing(50, total="120.0")], "of 120", 50, 120),
    "a larger total as a text with spaces": ([listing(50, total=" 120 ")], "of 120", 50, 120),
    "a larger total": ([listing(7, total=8)], "only 7 of 8 came", 7, 8),
    "a total as a float": ([listing(7, total=8.0)], "only 7 of 8 came", 7, 8),
    "more pages": ([listing(7, pages=2)], "2 pages", 7, None),
    "an offset": ([listing(7, offset=3)], "start with the first", 7, None),
    "a later page": ([listing(7, page=2)], "start with the first", 7, None),
    "ids that repeat": ([TWICE], "1 widget appeared twice", 3, None),
    "ids that repeat on a full page": (
        [answer(value={"docs": [{"id": "a"}] * 100})],
        "99 widgets appeared twice",
        100,
        None,
    ),
    "a larger total than any limit that is accepted": (
        [answer(422, {"message": "limit"}), listing(10, total=500)],
        "10 came, and a limit of 100 is refused",
        10,
        500,
    ),
    "endless": (
        [listing(limit) for limit in (100, 400, 1600, 6400, 25600, 100_000)],
        "100,000 or more",
        100_000,
        None,
    ),
}


@pytest.mark.parametrize(("replies", "reason", "received", "total"), CUT_OFF.values(), ids=CUT_OFF)
def test_a_list_that_is_cut_off(
    replies: list[ApiResponse], reason: str, received: int, total: int | None
) -> None:
    with pytest.raises(IncompleteListing, match=reason) as caught:
        drive(OPERATIONS.all_widgets(NO_FILTERS), *replies)

    assert (caught.value.received, caught.value.total) == (received, total)


def test_without_ids_nothing_is_compared() -> None:
    result, _, _ = drive(
        OPERATIONS.all_widgets(Filters("name")), answer(value={"docs": [{"name": "a"}] * 3})
    )

    assert len(result) == 3


def list_of(
    there: int, maximum: int, *, refuses: bool, numbers: Mapping[str, Any]
) -> tuple[int | None, int]:
    """Count the widgets of a platform with a maximum limit, and the requests for them.

    `numbers` says of which the envelope tells: `limit` as applied, `total` of all.
    """
    operation = OPERATIONS.all_widgets(NO_FILTERS)
    step, requests = next(operation), 0
    while True:
        assert isinstance(step, Send)
        requests += 1
        asked = int(step.request.url.params["limit"])
        applied = min(asked, maximum)
        told = {"limit": applied, "total": there}
        envelope = {name: numbers[name](told[name]) for name in numbers}
        refused = refuses and asked > maximum
        reply = answer(422, {}) if refused else listing(min(there, applied), **envelope)
        try:
            step = operation.send(reply)
        except StopIteration as done:
            return len(done.value), requests
        except IncompleteListing:
            return None, requests


KINDS = st.sampled_from([int, str, float])
NUMBERS = st.one_of(
    st.fixed_dictionaries({"limit": KINDS}, optional={"total": KINDS}),
    st.fixed_dictionaries({"total": KINDS}),
)


@given(st.integers(0, 700), st.integers(1, 500), NUMBERS)
def test_a_clamped_list_is_whole_or_an_error(
    there: int, maximum: int, numbers: Mapping[str, Any]
) -> None:
    came, _ = list_of(there, maximum, refuses=False, numbers=numbers)

    assert came in (there, None)
    if there < maximum:
        assert came == there


@given(st.integers(0, 700), st.integers(1, 500), NUMBERS | st.just({}))
def test_a_maximum_limit_is_found(there: int, maximum: int, numbers: Mapping[str, Any]) -> None:
    """All of them where the maximum allows that, else an error; in few requests."""
    came, requests = list_of(there, maximum, refuses=True, numbers=numbers)

    assert came in (there, None)
    if there < maximum:
        assert came == there
    assert requests <= 14


@pytest.mark.parametrize(
    ("there", "maximum", "requests"),
    [(7, 50, 2), (7, 99, 2), (40, 50, 6), (120, 200, 4), (7, 5, None), (120, 100, None)],
)
def test_requests_for_a_maximum(there: int, maximum: int, requests: int | None) -> None:
    came, made = list_of(there, maximum, refuses=True, numbers={})

    assert (came, made) == (there, requests) if requests else came is None


# A schema


def test_a_schema_with_what_is_needed_to_keep_it() -> None:
    raw = b'{"type" : "object"}\n'
    reply = answer(
        body=raw,
        etag='W/"1"',
        last_modified="Mon, 13 Jan 2025 10:00:00 GMT",
        cache_control="private, max-age=300",
        age="20",
        date="Tue, 14 Jan 2025 10:00:00 GMT",
    )
    result, sent, _ = drive(OPERATIONS.schema("a b", None, None), reply)

    url = "https://platform.example/platform/api/v1/widget-types/a%20b/schema"
    assert result == SchemaResponse(
        200,
        url,
        raw,
        {"type": "object"},
        'W/"1"',
        "Mon, 13 Jan 2025 10:00:00 GMT",
        280.0,
        "Tue, 14 Jan 2025 10:00:00 GMT",
        cache_control="private, max-age=300",
    )
    assert not result.not_modified
    assert str(sent[0].url) == url
    assert "if-none-match" not in sent[0].headers


def test_a_conditional_request() -> None:
    when = "Mon, 13 Jan 2025 10:00:00 GMT"
    result, sent, _ = drive(
        OPERATIONS.schema("faq", '"1"', when), answer(304, body=b"", etag='"1"')
    )

    assert sent[0].headers["if-none-match"] == '"1"'
    assert sent[0].headers["if-modified-since"] == when
    assert result.not_modified
    assert (result.status, result.raw, result.schema, result.etag) == (304, b"", None, '"1"')


@pytest.mark.parametrize("etag", ["", 'a"\r\nX: y', "é", '"' + "x" * 1000 + '"'], ids=ascii)
def test_what_no_header_can_hold_is_no_condition(etag: str) -> None:
    _, sent, _ = drive(OPERATIONS.schema("faq", etag, None), answer(value={}))

    assert "if-none-match" not in sent[0].headers


def test_nothing_changed_though_nobody_asked() -> None:
    with pytest.raises(UnusableResponse, match="unconditional request"):
        drive(OPERATIONS.schema("faq", None, None), answer(304, body=b""))


@pytest.mark.parametrize("value", [True, False, {}])
def test_any_schema(value: Any) -> None:
    result, _, _ = drive(OPERATIONS.schema("faq", None, None), answer(value=value))

    assert result.schema == value


NO_SCHEMAS = {
    "an array": (b"[]", {}, "neither a JSON object nor a boolean"),
    "null": (b"null", {}, "neither"),
    "cut off": (b'{"a": ', {}, "not JSON"),
    "empty": (b"", {}, "not JSON"),
    "twice the same member": (b'{"a": 1, "a": 2}', {}, "not JSON"),
    "NaN": (b'{"a": NaN}', {}, "not JSON"),
    "a byte order mark": (b"\xef\xbb\xbf{}", {}, "not JSON"),
    "not UTF-8": (b'{"a": "\xe9"}', {}, "not JSON"),
    "too deep": (b"[" * 3000 + b"]" * 3000, {}, "not JSON"),
    "a login page": (b"<!doctype html><p>Log in</p>", {"content_type": "text/html"}, "login page"),
    "a login page that says it is JSON": (
        b"\n <html>",
        {"content_type": "application/json"},
        r"content type application/json\): perhaps a login page",
    ),
    "a login page that says nothing": (b"<html>", {}, "not said"),
    "spaces without end": (b" " * 3_000_000 + b"x", {}, "not JSON$|not JSON;"),
    "large, and cut off": (b"[" + b'{"a": 1}, ' * 300_000, {}, "not JSON;"),
    "large, and twice the same": (
        b"[" + b"1, " * 500_000 + b'{"a":1, "a":1}]',
        {},
        "appears twice",
    ),
    "the token alone": (TOKEN.encode(), {}, "not JSON;"),
    "the token after much": (b"{'" + b"x" * 15 + TOKEN.encode(), {}, "not JSON;"),
    "the token": (json.dumps({"title": TOKEN}).encode(), {}, "repeats the token"),
}


@pytest.mark.parametrize(("body", "headers", "reason"), NO_SCHEMAS.values(), ids=NO_SCHEMAS)
def test_what_is_no_schema(body: bytes, headers: dict[str, str], reason: str) -> None:
    with pytest.raises(UnusableResponse, match=reason) as caught:
        drive(OPERATIONS.schema("faq", None, None), answer(body=body, headers=headers))

    assert caught.value.path == "/platform/api/v1/widget-types/faq/schema"
    assert "canary" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content_type", ["", "text/plain", "text/html", "application/schema+json"])
def test_the_body_counts_not_the_content_type(content_type: str) -> None:
    reply = answer(value={}, content_type=content_type)

    assert drive(OPERATIONS.schema("faq", None, None), reply)[0].schema == {}


@pytest.mark.parametrize("id", ["..", "a/b", "\x00", "x" * 5000])
def test_an_id_that_is_none_makes_no_request(id: str) -> None:
    with pytest.raises(InvalidTypeId):
        drive(OPERATIONS.schema(id, None, None))


@pytest.mark.parametrize(
    ("cache_control", "age", "expected"),
    [
        (None, None, None),
        ("public", None, None),
        ("max-age=60", None, 60.0),
        ("MAX-AGE=60", "59", 1.0),
        ('max-age="60", private="a, max-age=1"', None, 60.0),
        ("max-age=60, max-age=30", None, 30.0),
        ("max-age=60", "61", 0.0),
        ("max-age=60", "soon", 60.0),
        ("max-age=-1", None, 0.0),
        ("max-age=", None, 0.0),
        ("max-age=9999999999999999999", None, 0.0),
        ("s-maxage=60", None, None),
        ("x-max-age=60", None, None),
        ("no-cache, max-age=60", None, 0.0),
        ("No-Store", None, 0.0),
        ('no-cache="set-cookie", max-age=60', None, 0.0),
        (",,;==,,", None, None),
    ],
)
def test_how_long_it_is_fresh(cache_control: str | None, age: str | None, expected: float) -> None:
    headers = {"cache_control": cache_control, "age": age}
    given = {name: text for name, text in headers.items() if text is not None}

    assert (
        drive(OPERATIONS.schema("faq", None, None), answer(value={}, headers=given))[0].max_age
        == expected
    )


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("no-store", True),
        ("private, No-Store, max-age=60", True),
        ('private="no-store"', False),
        ("no-cache", False),
    ],
)
def test_what_must_not_be_stored(header: str, expected: bool) -> None:
    made, _, _ = drive(OPERATIONS.schema("faq", None, None), answer(value={}, cache_control=header))

    assert (made.no_store, made.cache_control) == (expected, header)


def test_a_validator_that_repeats_the_token_is_not_kept() -> None:
    reply = answer(value={}, etag=f'"{TOKEN}"', last_modified=f"{TOKEN}", date=TOKEN)
    result, _, _ = drive(OPERATIONS.schema("faq", None, None), reply)

    assert (result.etag, result.last_modified, result.date) == (None, None, None)


# Tokens


SECRET = Secret("s=1&x")


def refreshed(*replies: SendResult) -> Any:
    return drive(OPERATIONS.refresh("me & co", SECRET, Secret("r+1")), *replies)


def exchanged(*replies: SendResult) -> Any:
    operation = OPERATIONS.exchange_code("me & co", SECRET, Secret("c"), "http://127.0.0.1/")
    return drive(operation, *replies)


def test_tokens_are_asked_for_by_a_form() -> None:
    _, sent, _ = refreshed(answer(value={"access_token": "a"}))

    assert sent[0].method == "POST"
    assert str(sent[0].url) == "https://login.example/oauth/token"
    assert sent[0].headers["content-type"] == "application/x-www-form-urlencoded"
    assert sent[0].read() == (
        b"client_id=me+%26+co&client_secret=s%3D1%26x&grant_type=refresh_token&refresh_token=r%2B1"
    )
    assert "s=1" not in repr(sent[0])


@pytest.mark.parametrize(
    ("raw", "text"),
    [("3600", "3600"), (3600, "3600"), (3600.5, "3600.5"), (None, None), ([], None)],
)
def test_expiry_is_a_text(raw: Any, text: str | None) -> None:
    value = {"access_token": "a", "refresh_token": "r", "expires_in": raw, "token_type": "Bearer"}
    result = refreshed(answer(value={**value, "refresh_token_expires_in": raw}))[0]

    assert result.access_token.reveal() == "a"
    assert result.refresh_token.reveal() == "r"
    assert (result.expires_in, result.refresh_token_expires_in) == (text, text)
    assert result.members == {"token_type": "Bearer"}


NO_TOKENS = {
    "no object": b'["new-secret"]',
    "none": b'{"token": "new-secret"}',
    "no text": b'{"access_token": ["new-secret"]}',
    "empty": b'{"access_token": "", "refresh_token": "new-secret"}',
    "a line break": b'{"access_token": "new-secret\\n"}',
    "a space": b'{"access_token": "new-secret and"}',
    "not ASCII": b'{"access_token": "new-secret\xc3\xa9"}',
    "cut off": b'{"access_token": "new-secret',
    "no JSON": b"access_token=new-secret",
    "twice": b'{"access_token": "new-secret", "access_token": "new-secret"}',
    "a page": b"<p>new-secret",
}


@pytest.mark.parametrize("body", NO_TOKENS.values(), ids=NO_TOKENS)
def test_what_is_no_token_is_not_shown(body: bytes) -> None:
    with pytest.raises(UnusableResponse) as caught:
        refreshed(answer(body=body))

    assert "new-secret" not in f"{caught.value} {caught.value.__dict__}"
    assert "\\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"error": "invalid_grant", "error_description": "used"}', "invalid_grant"),
        (b'{"error": "custom"}', "custom"),
        (b'{"error": ["invalid_grant"]}', None),
        (b'{"error": "a\\nb"}', None),
        (json.dumps({"error": TOKEN[:60] + TOKEN[60:]}).encode(), None),
        (b"invalid_grant", None),
    ],
)
def test_errors_of_oauth_have_a_name(body: bytes, error: str | None) -> None:
    with pytest.raises(ErrorResponse, match="token endpoint refused") as caught:
        refreshed(answer(400, body=body))

    assert caught.value.oauth_error == error


def test_other_errors_have_none() -> None:
    with pytest.raises(ErrorResponse) as caught:
        drive(OPERATIONS.widgets(NO_FILTERS, None), answer(400, {"error": "invalid_grant"}))

    assert caught.value.oauth_error is None


def test_there_must_be_an_address() -> None:
    with pytest.raises(ValueError, match="auth_url"):
        drive(Operations(Endpoints(BASE, None), CONTEXT).refresh("me", SECRET, Secret("r")))


# Asking again


def ask(*replies: SendResult, context: RequestContext = CONTEXT) -> Any:
    return drive(Operations(ENDPOINTS, context).widgets(NO_FILTERS, None), *replies)


@pytest.mark.parametrize(
    "reply", [DOWN, *(answer(status) for status in (429, 500, 502, 503, 504, 520))]
)
def test_what_may_pass_is_asked_again(reply: SendResult) -> None:
    result, sent, slept = ask(reply, reply, reply, listing(1))

    assert len(result.docs) == 1
    assert slept == [0.25, 0.5, 1.0]
    assert len({id(request) for request in sent}) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 410, 422, 501, 505])
def test_what_will_not_pass_is_an_error_at_once(status: int) -> None:
    with pytest.raises(ErrorResponse) as caught:
        ask(answer(status, {"message": "no"}, x_request_id="r-1"))

    assert (caught.value.status, caught.value.request_id) == (status, "r-1")
    assert caught.value.body == '{"message": "no"}'


@pytest.mark.parametrize("status", [202, 204, 206, 300, 305, 418])
def test_other_statuses_are_no_answer(status: int) -> None:
    with pytest.raises(PlatformError) as caught:
        ask(answer(status, {}))

    assert caught.value.status == status
    assert isinstance(caught.value, ErrorResponse) == (status >= 400)


def test_attempts_end() -> None:
    with pytest.raises(Unreachable, match="tried 4 times") as caught:
        ask(DOWN, DOWN, DOWN, DOWN)
    with pytest.raises(ErrorResponse):
        ask(*[answer(503)] * 4)

    assert "https://platform.example" in str(caught.value)
    assert caught.value.status is None


def test_what_cannot_pass_is_not_tried_again() -> None:
    with pytest.raises(Unreachable, match="bad certificate"):
        ask(SendFailure("bad certificate", passing=False))


@pytest.mark.parametrize("reply", [DOWN, answer(429), answer(503, retry_after="1")])
def test_a_code_is_sent_once(reply: SendResult) -> None:
    with pytest.raises(PlatformError):
        exchanged(reply)


@pytest.mark.parametrize("reply", [DOWN, answer(429), answer(503)])
def test_a_refresh_is_sent_again(reply: SendResult) -> None:
    assert refreshed(reply, answer(value={"access_token": "a"}))[2] == [0.25]


DATE = "Tue, 14 Nov 2023 22:13:20 GMT"  # NOW
LATER = "Tue, 14 Nov 2023 22:13:50 GMT"


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"retry_after": "7"}, 7.25),
        ({"retry_after": " 0 "}, 0.25),
        ({"retry_after": LATER}, 30.25),
        ({"retry_after": "Tuesday, 14-Nov-23 22:13:50 GMT"}, 30.25),
        ({"retry_after": "Tue Nov 14 22:13:50 2023"}, 30.25),
        ({"retry_after": LATER, "date": "Tue, 14 Nov 2023 22:13:40 GMT"}, 10.25),
        ({"retry_after": DATE}, 0.25),
        ({"retry_after": "Tue, 14 Nov 1999 22:13:20 GMT"}, 0.25),
        ({"retry_after": "60"}, 60.25),
        ({"retry_after": "-1"}, 0.25),
        ({"retry_after": "1.5"}, 0.25),
        ({"retry_after": "soon"}, 0.25),
        ({"retry_after": "Tue, 99 Nov 2023 99:13:50 GMT"}, 0.25),
        ({"retry_after": "x" * 10_000}, 0.25),
    ],
    ids=lambda value: str(value)[:60],
)
def test_retry_after(headers: dict[str, str], waited: float) -> None:
    assert ask(answer(429, headers=headers), listing(0))[2] == [waited]


@pytest.mark.parametrize("text", ["61", "86400", "9999999999", "Wed, 15 Nov 2023 22:13:20 GMT"])
def test_nobody_waits_too_long(text: str) -> None:
    with pytest.raises(ErrorResponse) as caught:
        ask(answer(503, retry_after=text))

    assert caught.value.retry_after is not None
    assert caught.value.retry_after > 60


def test_too_many_requests_says_how_long() -> None:
    with pytest.raises(ErrorResponse, match="wait 3,600 s"):
        ask(answer(429, retry_after="3600"))


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_waits_have_a_cap(attempt: int, chance: float) -> None:
    retries = Retries(backoff=0.5, factor=3.0, cap=8.0)

    assert 0 <= chance * retries.longest(attempt) <= 8.0
    assert retries.longest(1) == 0.5


@pytest.mark.parametrize(
    "options",
    [
        {"attempts": 0},
        {"backoff": -1.0},
        {"cap": math.inf},
        {"factor": math.nan},
        {"most_wait": -1.0},
    ],
    ids=str,
)
def test_retries_that_mean_nothing(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Retries"):
        Retries(**options)


@given(st.text(max_size=120))
def test_any_date(text: str) -> None:
    date = http_date(text)

    assert date is None or math.isfinite(date)


# How long it may take


class Time:
    """A clock, and replies that take time."""

    def __init__(self, seconds: float, *, adds_up: bool = False) -> None:
        self.now = 1000.0
        context = replace(CONTEXT, clock=lambda: self.now, patience=Patience(seconds, adds_up))
        self.operations = Operations(ENDPOINTS, context)

    def drive(self, operation: Operation[T], *replies: tuple[float, SendResult]) -> T:
        """Run an operation on replies, each after so many seconds, or when its time is over."""
        waiting = list(replies)
        self.ends: list[float] = []
        reply: SendResult | None = None
        while True:
            try:
                step = operation.send(reply)
            except StopIteration as done:
                assert not waiting, "not all replies were wanted"
                result: T = done.value
                return result
            if isinstance(step, Sleep):
                self.now += step.seconds
                reply = None
                continue
            end: float = step.request.extensions[END]
            self.ends.append(end - 1000)
            seconds, reply = waiting.pop(0)
            if self.now + seconds >= end:
                self.now, reply = end, LATE
            else:
                self.now += seconds

    @property
    def passed(self) -> float:
        return self.now - 1000.0


LATE = SendFailure("no complete response in time")
TOO_MANY = answer(429, retry_after="25")
CALLS: dict[str, Callable[[Operations], Operation[Any]]] = {
    "list": lambda operations: operations.widgets(NO_FILTERS, 1),
    "all": lambda operations: operations.all_widgets(NO_FILTERS),
    "schema": lambda operations: operations.schema("faq", None, None),
    "refresh": lambda operations: operations.refresh("me", SECRET, Secret("r")),
}
WAITS: dict[str, tuple[list[tuple[float, SendResult]], float, str]] = {
    "a response that drips": ([(math.inf, LATE)], 30.0, "in time.*given up after 30 s"),
    "connections that are lost": ([(9.0, DOWN)] * 4, 30.0, "tried 4 times, given up after 30 s"),
    "a status that may pass": ([(12.0, answer(503))] * 3, 30.0, "in time.*tried 3 times"),
    "pauses": ([(0.0, TOO_MANY), (0.0, TOO_MANY)], 25.25, "wait 25 s"),
    "one long pause": ([(0.0, answer(429, retry_after="60"))], 0.0, "wait 60 s"),
    "a date in the far future": (
        [(0.0, answer(503, retry_after="Wed, 15 Nov 2999 22:13:20 GMT"))],
        0.0,
        "try again later",
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("replies", "passed", "message"), WAITS.values(), ids=WAITS)
def test_a_request_ends_with_all_its_attempts_and_pauses(
    replies: list[tuple[float, SendResult]],
    passed: float,
    message: str,
    call: Callable[[Operations], Operation[Any]],
) -> None:
    time = Time(30)
    for again in (0, 1):
        with pytest.raises(PlatformError, match=message):
            time.drive(call(time.operations), *replies)
        assert time.passed == passed * (again + 1)  # each request has all of the time
        assert {*time.ends} == {30 + passed * again}


def test_redirects_are_part_of_a_request() -> None:
    time = Time(30)
    slow = (8.0, answer(302, location="/again"))
    with pytest.raises(Unreachable, match="given up after 30 s"):
        time.drive(time.operations.widgets(NO_FILTERS, 1), *[slow] * 4)
    assert time.ends == [30.0] * 4


def test_each_list_has_its_own_time() -> None:
    time = Time(30)
    lists = [(20.0, listing(100)), (20.0, listing(400)), (20.0, listing(500))]
    assert len(time.drive(time.operations.all_widgets(NO_FILTERS), *lists)) == 500
    assert time.passed == 60


def test_a_command_gives_up_once_for_all_requests() -> None:
    time = Time(30, adds_up=True)
    call = CALLS["schema"]
    with pytest.raises(ErrorResponse, match="wait 25 s"):
        time.drive(call(time.operations), (0.0, TOO_MANY), (0.0, TOO_MANY))
    with pytest.raises(Unreachable, match="given up after 30 s"):
        time.drive(call(time.operations), (math.inf, LATE))
    assert time.passed == 30
    for _ in range(50):
        with pytest.raises(Unreachable, match=r"not requested.*given up after 30 s"):
            time.drive(call(time.operations))
    assert time.passed == 30


@pytest.mark.parametrize(
    "usable", [answer(value={}), answer(404), answer(401), answer(304, etag='"1"')], ids=repr
)
def test_a_usable_response_starts_the_time_of_a_command_again(usable: ApiResponse) -> None:
    time = Time(30, adds_up=True)
    for _ in range(3):
        with pytest.raises(ErrorResponse, match="wait 25 s"):
            time.drive(CALLS["schema"](time.operations), (0.0, TOO_MANY), (0.0, TOO_MANY))
        with contextlib.suppress(ErrorResponse):
            time.drive(time.operations.schema("faq", '"1"', None), (1.0, usable))


def test_requests_at_the_same_time_do_not_add_up() -> None:
    time = Time(30, adds_up=True)
    several = [CALLS["schema"](time.operations) for _ in range(10)]
    for one in several:
        one.send(None)
    time.now += 12
    for one in several:
        with pytest.raises(ErrorResponse):
            one.send(answer(503, retry_after="60"))
    time.now += 29  # nothing is waited for
    time.drive(CALLS["schema"](time.operations), (17.9, answer(value={})))


def test_a_command_that_goes_on_tries_again_some_time() -> None:
    time = Time(30, adds_up=True)
    for _ in range(2):
        with pytest.raises(Unreachable, match="given up after 30 s"):
            time.drive(CALLS["schema"](time.operations), (math.inf, LATE))
        with pytest.raises(Unreachable, match="not requested"):
            time.drive(CALLS["schema"](time.operations))
        time.now += 30


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_a_time_that_is_none(seconds: float) -> None:
    with pytest.raises(ValueError, match="total_timeout"):
        Patience(seconds)


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("/elsewhere?x=1", b"/elsewhere?x=1"),
        ("other", b"/platform/api/v1/other"),
        ("https://platform.example:443/a", b"/a"),
        ("//PLATFORM.example/a", b"/a"),
        ("https://user:password@platform.example/a", b"/a"),
    ],
)
def test_redirects_within_the_origin(status: int, location: str, path: bytes) -> None:
    _, sent, _ = ask(answer(status, location=location), listing(0))

    assert sent[1].url.raw_path == path
    assert sent[1].url.netloc == b"platform.example"
    assert not sent[1].url.userinfo


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("https://evil.example/x?y", "https://evil.example,"),
        ("http://platform.example/platform/api/v1/widgets", "http://platform.example,"),
        ("https://platform.example:8443/", "https://platform.example:8443,"),
        ("//evil.example", "https://evil.example,"),
        ("https://platform.example@evil.example/", "https://evil.example,"),
        ("https://platform.example.evil.example/", "evil.example,"),
        ("https://" + "e" * 500 + ".example", "e…,"),
        ("javascript:alert(1)", "another origin"),
        ("file:///etc/passwd", "another origin"),
        ("https://[::1", "an invalid address"),
        (f"/login?token={TOKEN}", "repeats the token"),
        (f"https://{TOKEN.partition('/')[0]}.evil.example/", "another origin"),
        ("", "without a location"),
        (None, "without a location"),
    ],
)
def test_redirects_that_are_not_followed(location: str | None, reason: str) -> None:
    reply = answer(302, body=b"") if location is None else answer(302, body=b"", location=location)
    with pytest.raises(UnusableResponse, match=reason) as caught:
        ask(reply)

    assert caught.value.status == 302
    assert TOKEN not in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_redirects_end() -> None:
    with pytest.raises(UnusableResponse, match="more than 5 times"):
        ask(*[answer(302, location="/again")] * 6)


def test_a_form_is_sent_to_no_other_address() -> None:
    with pytest.raises(UnusableResponse, match="redirects a POST"):
        refreshed(answer(307, location="https://login.example/elsewhere"))


# What is shown


def test_an_error_says_what_and_where() -> None:
    with pytest.raises(ErrorResponse) as caught:
        ask(
            answer(
                404,
                body=b"no\nsuch\x1b[31m thing\x00" + b"x" * 1000,
                x_correlation_id="c\x07" + "9" * 500,
            )
        )

    text = str(caught.value)
    assert text.startswith("GET /platform/api/v1/widgets → 404 (request c·999")
    assert "check the base URL" in text
    assert "it says: no such·[31m thing·xxx" in text
    assert caught.value.body is not None
    assert len(caught.value.body) == 200
    assert caught.value.request_id is not None
    assert len(caught.value.request_id) == 100
    assert text.isprintable()


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "log in again"),
        (403, "whose token"),
        (404, "base URL"),
        (429, "wait"),
        (500, "later"),
    ],
)
def test_errors_advise(status: int, advice: str) -> None:
    with pytest.raises(ErrorResponse, match=advice):
        ask(*[answer(status)] * (4 if status in (429, 500) else 1))


def test_a_request_without_a_token_was_not_authorized() -> None:
    refused = replace(answer(401), authorized=False)
    with pytest.raises(ErrorResponse, match="no token was sent: log in, or give the client a tok"):
        ask(refused)


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        (answer(404), "no token endpoint at this address: check the auth URL"),
        (answer(403), "check client id, client secret, and the address of the token endpoint"),
        (SendFailure("no connection", passing=False), "check the network and the auth URL"),
    ],
)
def test_errors_of_the_token_endpoint_advise_about_it(reply: Any, advice: str) -> None:
    with pytest.raises(PlatformError, match=advice) as caught:
        refreshed(reply)
    assert "base URL" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error", "advice"),
    [
        (400, "invalid_grant", "the code, which works once .*, and the redirect URI"),
        (400, None, "the code, which works once .*, and the redirect URI"),
        (400, "invalid_request", "the code, which works once .*, and the redirect URI"),
        (401, "invalid_client", "check the client id and the client secret"),
        (400, "invalid_client", "check the client id and the client secret"),
        (401, None, "check client id, client secret, and the address of the token endpoint"),
    ],
)
def test_errors_of_a_login_advise_about_what_was_refused(
    status: int, error: str | None, advice: str
) -> None:
    reply = answer(status, body=b"no") if error is None else answer(status, {"error": error})
    with pytest.raises(ErrorResponse, match=advice):
        exchanged(reply)


def test_a_refused_refresh_is_not_about_a_code() -> None:
    with pytest.raises(ErrorResponse, match=r"the refresh token was used, revoked, or has expired"):
        refreshed(answer(400, {"error": "invalid_grant"}))


def _percent(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


ECHOES = {
    "as it is": TOKEN,
    "percent-encoded": TOKEN.replace("/", "%2F")
    .replace("+", "%2B")
    .replace("=", "%3D")
    .replace("&", "%26"),
    "in lower case": TOKEN.replace("/", "%2f")
    .replace("+", "%2b")
    .replace("=", "%3d")
    .replace("&", "%26"),
    "as JSON": json.dumps(TOKEN),
    "as other JSON": json.dumps(TOKEN)
    .replace("/", "\\/")
    .replace("&", "\\u0026")
    .replace("+", "\\u002B"),
    "as HTML": TOKEN.replace("&", "&amp;")
    .replace("/", "&#47;")
    .replace("+", "&#x2B;")
    .replace("=", "&#x3d;"),
    "in a sentence": f"the token {TOKEN!r} is unknown",
    "twice": TOKEN * 2,
    "after much": " " * 300 + TOKEN,
    "across the end": "x" * 190 + TOKEN,
}


@pytest.mark.parametrize("text", ECHOES.values(), ids=ECHOES)
def test_a_token_that_is_repeated_is_hidden(text: str) -> None:
    with pytest.raises(ErrorResponse) as caught:
        ask(answer(400, body=text.encode(), x_request_id=f"id {text}"))

    shown = f"{caught.value} {caught.value.__dict__}"
    assert "T0ken" not in shown
    assert "canary" not in shown
    assert "characters" not in shown


def test_half_a_token_at_the_end_of_what_was_read() -> None:
    body = (TOKEN * 1000)[: 64 * 1024 - 5].encode()
    reply = ApiResponse(400, httpx.Headers(), body, Secrets([Secret(TOKEN)]), cut=True)
    with pytest.raises(ErrorResponse) as caught:
        ask(reply)

    assert "canary" not in str(caught.value)


def test_secrets_of_headers() -> None:
    headers = httpx.Headers(
        {
            "Authorization": "Basic bWU6b3BlbitzZXNhbWU=",
            "X-Api-Key": "k-123456",
            "Cookie": "session=abcdef",
            "User-Agent": "harmless",
        }
    )
    secrets = Secrets.sent(headers, [Secret("form-field"), Secret("abc")])

    told = "bWU6b3BlbitzZXNhbWU= open%2Bsesame k-123456 session=abcdef form-field harmless abc"
    assert secrets.scrub(told) == "… … … … … harmless abc"


@given(st.text(min_size=4, max_size=20), st.text(max_size=10), st.text(max_size=10))
def test_no_secret_gets_through(text: str, before: str, after: str) -> None:
    secrets = Secrets([Secret(text)])

    for form in (text, json.dumps(text)[1:-1], httpx.QueryParams({"": text}).__str__()[1:]):
        assert text not in secrets.scrub(f"{before}{form}{after}") or text == "…" * len(text)


LONG_SECRET = "canary-" + "".join(chr(ord("a") + at * 7 % 26) + str(at) for at in range(40))


@given(st.integers(0, len(LONG_SECRET) - 16), st.integers(16, len(LONG_SECRET)))
def test_no_part_of_a_secret_gets_through(start: int, length: int) -> None:
    part = LONG_SECRET[start : start + length]
    text = Secrets([Secret(LONG_SECRET)]).scrub(f"before {part} after")

    if len(part) >= 16:
        assert text == "before … after"


@pytest.mark.parametrize("length", range(1, len(LONG_SECRET)))
def test_a_text_that_is_cut_within_a_secret_shows_none_of_it(length: int) -> None:
    part = Secrets([Secret(LONG_SECRET)]).scrub_part("-" * 500 + LONG_SECRET[:length])

    assert set(part) <= {"-", "…"}


@given(st.text(), st.integers(2, 50))
def test_one_line(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert line.isprintable()
    assert len(line) <= limit


# Addresses


@pytest.mark.parametrize(
    ("text", "address", "origin"),
    [
        ("https://h.example", "https://h.example", "https://h.example"),
        ("https://h.example/", "https://h.example", "https://h.example"),
        ("HTTPS://H.Example:443/a/b//", "https://h.example/a/b", "https://h.example"),
        ("https://h.example:8443/a%2Fb", "https://h.example:8443/a%2Fb", "https://h.example:8443"),
        (" https://h.example/v1\n", "https://h.example/v1", "https://h.example"),
        ("http://localhost:8000/v1", "http://localhost:8000/v1", "http://localhost:8000"),
        ("http://127.9.9.9", "http://127.9.9.9", "http://127.9.9.9"),
        ("http://[::1]:80/", "http://[::1]", "http://[::1]"),
        (
            "https://bücher.example/é",
            "https://xn--bcher-kva.example/%C3%A9",
            "https://xn--bcher-kva.example",
        ),
    ],
)
def test_addresses(text: str, address: str, origin: str) -> None:
    checked = parse_address(text, "base_url")

    assert (str(checked), checked.origin) == (address, origin)
    assert str(parse_address(str(checked), "base_url")) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "h.example",
        "/v1",
        "ftp://h.example",
        "https://",
        "https:///v1",
        "https://user:sesame@h.example",
        "https://sesame@h.example",
        "https://h.example/?key=sesame",
        "https://h.example/#sesame",
        "https://h.example/?",
        "https://h.example:sesame/",
        "https://h.example:99999",
        "https://h exa\nmple/sesame",
        "https://[sesame",
        "http://h.example",
        "http://localhost.example",
        "http://127.0.0.1.example",
        "http://10.0.0.1",
        "javascript:alert(1)",
        None,
        7,
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError, match=r"^base_url ") as caught:
        parse_address(text, "base_url")

    assert "sesame" not in str(caught.value)


def test_plain_http_if_somebody_insists() -> None:
    assert str(parse_address("http://h.example", "base_url", insecure=True)) == "http://h.example"


PROXIES = {
    "HTTP_PROXY": "",
    "HTTPS_PROXY": "proxy.example:3128",
    "ALL_PROXY": "",
    "NO_PROXY": "near.example",
}


@pytest.mark.parametrize(
    ("address", "proxy"),
    [
        ("https://h.example", "http://proxy.example:3128"),
        ("https://near.example", None),
        ("https://127.0.0.1", None),
        ("https://localhost", None),
    ],
)
def test_proxies(monkeypatch: pytest.MonkeyPatch, address: str, proxy: str | None) -> None:
    for name, value in PROXIES.items():
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(name.lower(), value)

    assert proxy_for(parse_address(address, "base_url")) == proxy


@pytest.mark.parametrize(
    "proxy", ["ftp://me:sesame@p", "http://", "http://[sesame", "http://p:sesame"]
)
def test_what_is_no_proxy(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(ValueError, match="HTTPS_PROXY") as caught:
        proxy_for(parse_address("https://h.example", "base_url"))

    assert "sesame" not in str(caught.value)
