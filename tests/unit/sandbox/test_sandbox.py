"""The sandbox does what the platform's documentation says, over real TCP."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx
import pytest

from widgetschema.catalog.store import Store, bundled
from widgetschema.errors import MissingExtra, StoreError
from widgetschema.sandbox import REDIRECT_URI, LoggedRequest, Sandbox, app, running

RECORD = (
    "id name description type projectId previewImage status modelVersion created updated".split()
)
ENVELOPE = "total limit offset page pages docs".split()
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
SMALL = {"$id": "faq", "properties": {"data": {"enum": [1, 2]}}}


# Without it, each request would read all the certificates of this machine.
http = partial(httpx.request, verify=ssl.create_default_context())


class Clock:
    """A clock that tests set."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running({**bundled(), "faq": SMALL}) as it:
        yield it


def get(sandbox: Sandbox, path: str, **headers: str) -> httpx.Response:
    """A request with a good token to a path below the base address."""
    bearer = {"authorization": f"Bearer {sandbox.access_token()}", **headers}
    return http("GET", sandbox.base_url + path, headers=bearer)


def token(sandbox: Sandbox, **fields: str) -> httpx.Response:
    """A request to the token endpoint; an empty text leaves a field out."""
    known = {"client_id": sandbox.client_id, "client_secret": sandbox.client_secret}
    form = {name: value for name, value in {**known, **fields}.items() if value}
    return http("POST", f"{sandbox.auth_url}/oauth/token", data=form)


def exchange(sandbox: Sandbox, **fields: str) -> httpx.Response:
    known = {"grant_type": "authorization_code", "redirect_uri": REDIRECT_URI}
    if "code" not in fields:
        known["code"] = sandbox.code()
    return token(sandbox, **{**known, **fields})


def refresh(sandbox: Sandbox, refresh_token: str, **fields: str) -> httpx.Response:
    known = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    return token(sandbox, **{**known, **fields})


# The list of widgets (section 4.1)


def test_widgets_have_every_documented_member_and_no_other(sandbox: Sandbox) -> None:
    response = get(sandbox, "/widgets")

    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    listed = response.json()
    assert list(listed) == ENVELOPE
    numbers = {name: listed[name] for name in ENVELOPE[:-1]}
    assert numbers == {"total": 10, "limit": 10, "offset": 0, "page": 1, "pages": 3}
    assert len(listed["docs"]) == 10
    for record in listed["docs"]:
        assert list(record) == RECORD
        assert re.fullmatch(UUID, record["id"])
        assert re.fullmatch(UUID, record["projectId"])
        assert re.fullmatch(MOMENT, record["created"])
        assert re.fullmatch(MOMENT, record["updated"])
        assert record["status"] == "draft"
        assert type(record["modelVersion"]) is int
    assert {record["type"] for record in listed["docs"]} == {"countdown", "faq"}


@pytest.mark.parametrize(
    ("query", "limit", "docs", "pages"),
    [
        ("", 10, 10, 3),
        ("?limit=1", 1, 1, 25),
        ("?limit=24", 24, 24, 2),
        ("?limit=25", 25, 25, 1),
        ("?limit=1000000", 1000000, 25, 1),
        ("?limit=", 10, 10, 3),
        ("?offset=10&page=2", 10, 10, 3),
        ("?type=faq&limit=5", 5, 5, 3),
        ("?type=faq&limit=50", 50, 12, 1),
        ("?type=nothing", 10, 0, 1),
        ("?type=", 10, 10, 3),
    ],
)
def test_limit(query: str, limit: int, docs: int, pages: int, sandbox: Sandbox) -> None:
    listed = get(sandbox, f"/widgets{query}").json()

    assert len(listed["docs"]) == docs
    assert (listed["total"], listed["limit"], listed["pages"]) == (docs, limit, pages)
    assert (listed["offset"], listed["page"]) == (0, 1)


@pytest.mark.parametrize("limit", ["0", "-1", "1.5", "ten", "1e3", "9" * 5000, "%D9%A1", "%2B1"])
def test_a_bad_limit_is_refused(limit: str, sandbox: Sandbox) -> None:
    response = get(sandbox, f"/widgets?limit={limit}")

    assert response.status_code == 400
    assert response.json()["error"] == "invalid_request"
    assert "limit" in response.json()["error_description"]


@pytest.mark.parametrize(
    ("fields", "members"),
    [
        ("id", ["id"]),
        ("type,id", ["id", "type"]),
        (" id , nothing", ["id"]),
        ("nothing", []),
        ("", RECORD),
        (",", RECORD),
    ],
)
def test_fields(fields: str, members: list[str], sandbox: Sandbox) -> None:
    docs = get(sandbox, f"/widgets?fields={fields}").json()["docs"]

    assert [list(record) for record in docs] == [members] * 10


def test_project_and_type_and_search_choose(sandbox: Sandbox) -> None:
    every = get(sandbox, "/widgets?limit=100").json()["docs"]
    projects = {record["projectId"] for record in every}
    assert len(projects) == 3

    for name in ("projectId", "type"):
        for value in {record[name] for record in every}:
            docs = get(sandbox, f"/widgets?limit=100&{name}={value}").json()["docs"]
            assert docs == [record for record in every if record[name] == value]
    some = {"projectId": every[0]["projectId"], "type": "faq"}
    found = get(sandbox, f"/widgets?limit=100&{httpx.QueryParams(some)}").json()["docs"]
    assert found == [record for record in every if some.items() <= record.items()]
    assert found


@pytest.mark.parametrize("search", ["GRÖSSE", "größe", "in the text"])
def test_search_is_in_name_and_description_in_any_case(search: str) -> None:
    widgets = [
        {"id": "1", "name": "Die Größe", "description": ""},
        {"id": "2", "name": "", "description": "groesse? GRÖSSE, In The TEXT"},
        {"id": "3", "name": "in the text"},
        {"id": "4", "type": search},
    ]
    with running({}, widgets=widgets) as sandbox:
        docs = get(sandbox, f"/widgets?search={search}").json()["docs"]

    assert [record["id"] for record in docs] == (
        ["2", "3"] if search == "in the text" else ["1", "2"]
    )


def test_given_widgets_are_listed_as_they_are_without_data() -> None:
    odd = {"id": 7, "extra": [None, 2**70], "data": {"content": {}}, "type": None}
    with running({}, widgets=[odd, {}]) as sandbox:
        docs = get(sandbox, "/widgets").json()["docs"]

    assert docs == [{"id": 7, "extra": [None, 2**70], "type": None}, {}]


def test_there_may_be_no_widgets() -> None:
    expected = {"total": 0, "limit": 10, "offset": 0, "page": 1, "pages": 1, "docs": []}
    with running(count=0) as without, running({}) as typeless:
        assert get(without, "/widgets").json() == expected
        assert get(typeless, "/widgets").json() == expected


# The schema (section 4.2)


@pytest.mark.parametrize("id", ["countdown", "plugin", "faq"])
def test_a_schema_is_served_whole_and_in_its_order(id: str, sandbox: Sandbox) -> None:
    response = get(sandbox, f"/widget-types/{id}/schema")

    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert "cache-control" not in response.headers
    expected = SMALL if id == "faq" else bundled()[id]
    assert response.json() == expected
    assert list(response.json()) == list(expected)


@pytest.mark.parametrize(
    ("id", "path"),
    [
        ("a/b", "a%2Fb"),
        ("..", "%2e%2e"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("50%", "50%25"),
        ("a?b#c", "a%3Fb%23c"),
        ("schema", "schema"),
        ("x" * 5000, "x" * 5000),
    ],
)
def test_an_id_is_data(id: str, path: str, sandbox: Sandbox) -> None:
    sandbox.set_schema(id, {"title": id})

    assert get(sandbox, f"/widget-types/{path}/schema").json() == {"title": id}


@pytest.mark.parametrize("path", ["Countdown", "", "%00", "countdown%2F", "..%2F..%2Fetc", "%FF"])
def test_an_unknown_type_is_not_found(path: str, sandbox: Sandbox) -> None:
    response = get(sandbox, f"/widget-types/{path}/schema")

    assert response.status_code == 404
    assert response.json()["error"] == "not_found"


def test_a_conditional_request_is_answered_with_304(sandbox: Sandbox) -> None:
    first = get(sandbox, "/widget-types/countdown/schema")
    tag, date = first.headers["etag"], first.headers["last-modified"]
    conditions: list[tuple[dict[str, str], int]] = [
        ({"if-none-match": tag}, 304),
        ({"if-none-match": f'"other", W/{tag}'}, 304),
        ({"if-none-match": "*"}, 304),
        ({"if-none-match": '"other"'}, 200),
        ({"if-modified-since": date}, 304),
        ({"if-modified-since": "Mon, 01 Jan 2024 00:00:00 GMT"}, 200),
        ({"if-modified-since": "yesterday"}, 200),
        ({"if-none-match": '"other"', "if-modified-since": date}, 200),
        ({"if-none-match": tag, "if-modified-since": "yesterday"}, 304),
    ]
    for headers, status in conditions:
        response = get(sandbox, "/widget-types/countdown/schema", **headers)
        assert response.status_code == status, headers
        assert response.headers["etag"] == tag
        assert response.headers["last-modified"] == date
        assert (response.content == b"") is (status == 304)


def test_a_changed_schema_has_other_validators(sandbox: Sandbox) -> None:
    before = get(sandbox, "/widget-types/faq/schema").headers
    sandbox.set_schema("faq", {**SMALL, "title": "new"})
    after = get(sandbox, "/widget-types/faq/schema", **{"if-none-match": before["etag"]})
    by_date = get(
        sandbox, "/widget-types/faq/schema", **{"if-modified-since": before["last-modified"]}
    )
    sandbox.reset()
    again = get(sandbox, "/widget-types/faq/schema", **{"if-none-match": after.headers["etag"]})

    assert after.json()["title"] == "new"
    assert by_date.status_code == after.status_code == again.status_code == 200
    assert again.headers["etag"] == before["etag"]
    assert again.headers["last-modified"] == before["last-modified"] != by_date.headers["date"]


def test_max_age() -> None:
    with running(max_age=60) as sandbox:
        first = get(sandbox, "/widget-types/countdown/schema")
        second = get(sandbox, "/widget-types/countdown/schema", **{"if-none-match": "*"})

    assert first.headers["cache-control"] == "private, max-age=60"
    assert (second.status_code, second.headers["cache-control"]) == (304, "private, max-age=60")


# The bearer header (section 5)


@pytest.mark.parametrize("path", ["/widgets", "/widget-types/countdown/schema"])
@pytest.mark.parametrize(
    ("authorization", "challenge"),
    [
        (None, 'Bearer realm="sandbox"'),
        ("Bearer", 'Bearer realm="sandbox"'),
        ("Basic YTpi", 'Bearer realm="sandbox"'),
        ("Bearer unknown", 'Bearer realm="sandbox", error="invalid_token"'),
        ("Bearer gr\xf6\xdfe", 'Bearer realm="sandbox", error="invalid_token"'),
    ],
)
def test_without_a_good_token_there_is_401(
    path: str, authorization: str | None, challenge: str, sandbox: Sandbox
) -> None:
    headers = [] if authorization is None else [(b"authorization", authorization.encode("latin-1"))]
    response = http("GET", sandbox.base_url + path, headers=headers)

    assert response.status_code == 401
    assert response.headers["www-authenticate"] == challenge
    assert set(response.json()) == {"error", "error_description"}


def test_the_scheme_is_read_in_any_case(sandbox: Sandbox) -> None:
    header = f"bEARER  {sandbox.access_token()}"
    assert get(sandbox, "/widgets", authorization=header).status_code == 200


def test_a_token_expires_and_a_refresh_helps() -> None:
    clock = Clock(1_800_000_000)
    with running(token_lifetime=100, clock=clock) as sandbox:
        tokens = exchange(sandbox).json()
        bearer = f"Bearer {tokens['access_token']}"
        assert tokens["expires_in"] == "100"
        clock.now += 99.9
        assert get(sandbox, "/widgets", authorization=bearer).status_code == 200
        clock.now += 0.1
        assert get(sandbox, "/widgets", authorization=bearer).status_code == 401
        newer = refresh(sandbox, tokens["refresh_token"]).json()
        bearer = f"Bearer {newer['access_token']}"
        assert get(sandbox, "/widgets", authorization=bearer).status_code == 200


def test_all_tokens_can_be_made_to_expire(sandbox: Sandbox) -> None:
    bearer = f"Bearer {sandbox.access_token()}"
    sandbox.expire_tokens()

    assert get(sandbox, "/widgets", authorization=bearer).status_code == 401
    assert get(sandbox, "/widgets").status_code == 200


# The token endpoint (section 4.3)


def test_an_exchange_gives_what_is_documented(sandbox: Sandbox) -> None:
    response = exchange(sandbox)

    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
    tokens = response.json()
    assert list(tokens) == "access_token expires_in refresh_token refresh_token_expires_in".split()
    assert all(type(value) is str for value in tokens.values())
    assert (tokens["expires_in"], tokens["refresh_token_expires_in"]) == ("3600", "2592000")
    assert len({tokens["access_token"], tokens["refresh_token"]}) == 2


def test_a_refresh_gives_what_is_documented(sandbox: Sandbox) -> None:
    first = exchange(sandbox).json()
    seen = {first["access_token"]}
    for _ in range(3):
        response = refresh(sandbox, first["refresh_token"])
        assert response.status_code == 200
        assert list(response.json()) == ["access_token", "expires_in"]
        assert response.json()["expires_in"] == "3600"
        seen.add(response.json()["access_token"])

    assert len(seen) == 4
    assert (sandbox.counters.exchanges, sandbox.counters.refreshes) == (1, 3)
    for access_token in seen:
        bearer = f"Bearer {access_token}"
        assert get(sandbox, "/widgets", authorization=bearer).status_code == 200


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"grant_type": ""}, 400, "invalid_request"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"client_id": ""}, 400, "invalid_request"),
        ({"client_secret": ""}, 400, "invalid_request"),
        ({"code": ""}, 400, "invalid_request"),
        ({"redirect_uri": ""}, 400, "invalid_request"),
        ({"client_id": "other"}, 401, "invalid_client"),
        ({"client_secret": "größe"}, 401, "invalid_client"),
        ({"code": "unknown"}, 400, "invalid_grant"),
        ({"redirect_uri": REDIRECT_URI + "/"}, 400, "invalid_grant"),
    ],
)
def test_an_exchange_that_is_wrong(
    fields: dict[str, str], status: int, error: str, sandbox: Sandbox
) -> None:
    code = sandbox.code()
    response = exchange(sandbox, **{"code": code, **fields})

    assert response.status_code == status
    assert response.json()["error"] == error
    assert response.headers["cache-control"] == "no-store"
    assert sandbox.counters.exchanges == 0
    assert exchange(sandbox, code=code).status_code == 200  # it was not spent


@pytest.mark.parametrize("name", ["refresh_token", "client_id", "client_secret", "grant_type"])
def test_a_refresh_needs_each_field(name: str, sandbox: Sandbox) -> None:
    refresh_token = exchange(sandbox).json()["refresh_token"]
    fields = {"grant_type": "refresh_token", "refresh_token": refresh_token, name: ""}
    response = token(sandbox, **fields)

    assert response.status_code == 400
    assert response.json()["error"] == "invalid_request"
    assert name in response.json()["error_description"]


def test_a_code_of_another_client_is_refused(sandbox: Sandbox) -> None:
    code = sandbox.code(REDIRECT_URI, "other")
    assert exchange(sandbox, code=code).json()["error"] == "invalid_grant"


def test_tokens_are_no_tokens_of_another_kind(sandbox: Sandbox) -> None:
    tokens = exchange(sandbox).json()

    assert refresh(sandbox, tokens["access_token"]).json()["error"] == "invalid_grant"
    assert exchange(sandbox, code=tokens["refresh_token"]).json()["error"] == "invalid_grant"
    bearer = f"Bearer {tokens['refresh_token']}"
    assert get(sandbox, "/widgets", authorization=bearer).status_code == 401


def test_a_code_is_good_once_and_for_ten_minutes() -> None:
    clock = Clock(1_800_000_000)
    with running(clock=clock, refresh_lifetime=1000) as sandbox:
        used, late, old = sandbox.code(), sandbox.code(), sandbox.code()
        tokens = exchange(sandbox, code=used).json()
        again = exchange(sandbox, code=used)
        clock.now += 599
        in_time = exchange(sandbox, code=late)
        clock.now += 1
        too_late = exchange(sandbox, code=old)
        clock.now += 400
        expired = refresh(sandbox, tokens["refresh_token"])

    assert tokens["refresh_token_expires_in"] == "1000"
    assert in_time.status_code == 200
    for refused in (again, too_late, expired):
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize(
    ("content", "media_type", "status"),
    [
        (b"grant_type=refresh_token&grant_type=refresh_token", None, 400),
        (b'{"grant_type": "refresh_token"}', "application/json", 400),
        (b"", None, 400),
        (b"\xff=%ff&%00", None, 400),
        (b"&".join(b"x%d=" % n for n in range(200)), None, 400),
        (b"x" * 70_000, None, 413),
        (b"x" * 5_000_000, None, 413),
    ],
)
def test_a_form_that_is_none(
    content: bytes, media_type: str | None, status: int, sandbox: Sandbox
) -> None:
    headers = {"content-type": media_type or "application/x-www-form-urlencoded; charset=utf-8"}
    address = f"{sandbox.auth_url}/oauth/token"
    response = http("POST", address, content=content, headers=headers)

    assert response.status_code == status
    assert response.json()["error"] == "invalid_request"
    assert exchange(sandbox).status_code == 200  # the next one is served


def test_a_form_that_never_ends_is_nothing(sandbox: Sandbox) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(sandbox.url).port or 0)) as raw:
        raw.sendall(b"POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nx")
    assert exchange(sandbox).status_code == 200
    assert sandbox.counters.requests == 1


def test_unknown_fields_of_a_form_are_passed_over(sandbox: Sandbox) -> None:
    assert exchange(sandbox, scope="all", code_verifier="x").status_code == 200


# Everything else


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/oauth/token", 405, "POST"),
        ("POST", "/platform/api/v1/widgets", 405, "GET, HEAD"),
        ("DELETE", "/platform/api/v1/widget-types/x/schema", 405, "GET, HEAD"),
        ("PUT", "/oauth/authorize", 405, "GET, HEAD, POST"),
        ("GET", "/sandbox/faults", 405, "PUT, DELETE"),
        ("GET", "/platform/api/v1/widgets/", 404, None),
        ("GET", "/platform/api/v2/widgets", 404, None),
        ("GET", "/", 404, None),
        ("GET", "/platform/api/v1/widget-types/a%0Ab/schema", 404, None),
        ("POST", "/sandbox/", 404, None),
        ("OPTIONS", "/platform/api/v1/widgets", 405, "GET, HEAD"),
    ],
)
def test_other_methods_and_paths(
    method: str, path: str, status: int, allow: str | None, sandbox: Sandbox
) -> None:
    response = http(method, sandbox.url + path)

    assert response.status_code == status
    assert response.headers.get("allow") == allow
    assert set(response.json()) == {"error", "error_description"}
    assert sandbox.counters["unknown"] == 1


def test_head_is_get_without_a_body(sandbox: Sandbox) -> None:
    bearer = {"authorization": f"Bearer {sandbox.access_token()}"}
    path = f"{sandbox.base_url}/widget-types/countdown/schema"
    response = http("HEAD", path, headers=bearer)

    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(len(http("GET", path, headers=bearer).content))


def test_every_answer_has_a_request_id_and_the_date_of_the_clock() -> None:
    with running(clock=lambda: 1_800_000_000.9) as sandbox:
        answers = [get(sandbox, "/widgets"), exchange(sandbox), http("GET", sandbox.url)]

    assert [answer.headers["x-request-id"] for answer in answers] == [
        "sandbox-000001",
        "sandbox-000002",
        "sandbox-000003",
    ]
    assert {answer.headers["date"] for answer in answers} == {"Fri, 15 Jan 2027 08:00:00 GMT"}
    assert all("server" not in answer.headers for answer in answers)


def transcript(sandbox: Sandbox) -> list[Any]:
    tokens = exchange(sandbox).json()
    made = [
        sandbox.code(),
        sandbox.access_token(),
        tokens,
        refresh(sandbox, tokens["refresh_token"]),
    ]
    made[-1] = made[-1].json()
    return [*made, get(sandbox, "/widgets?limit=99").json()]


def test_a_run_repeats_and_a_seed_makes_another() -> None:
    def run(seed: int | str) -> list[Any]:
        with running(seed=seed) as sandbox:
            first = transcript(sandbox)
            sandbox.reset()
            assert transcript(sandbox) == first
            return first

    first, again, other = run(0), run("0"), run(1)

    assert first == again
    assert all(one != another for one, another in zip(first, other, strict=True))
    for made in (first, other):
        assert not any(str(text).startswith("-") for text in made[:2])  # no option of a command


def test_reset_forgets(sandbox: Sandbox) -> None:
    code, access_token = sandbox.code(), sandbox.access_token()
    sandbox.set_schema("new", {})
    sandbox.set_schema("faq", True)
    sandbox.fault("status=500")
    get(sandbox, "/widgets")

    sandbox.reset()

    assert sandbox.counters.requests == 0
    refused = http(
        "GET", f"{sandbox.base_url}/widgets", headers={"authorization": f"Bearer {access_token}"}
    )
    assert refused.status_code == 401
    assert exchange(sandbox, code=code).json()["error"] == "invalid_grant"
    assert get(sandbox, "/widget-types/new/schema").status_code == 404
    assert get(sandbox, "/widget-types/faq/schema").json() == SMALL


def test_counters(sandbox: Sandbox) -> None:
    tokens = exchange(sandbox).json()
    refresh(sandbox, tokens["refresh_token"])
    refresh(sandbox, "unknown")
    get(sandbox, "/widgets")
    get(sandbox, "/widget-types/countdown/schema")
    http("GET", f"{sandbox.base_url}/widgets")
    http("GET", sandbox.authorize_url)
    http("GET", sandbox.url.replace("127.0.0.1", "localhost"), headers={"authorization": "x"})

    counters = sandbox.counters
    assert counters.operations == {
        "exchange": 1,
        "refresh": 2,
        "widgets": 2,
        "schema": 1,
        "authorize": 1,
        "unknown": 1,
    }
    assert counters.statuses == {200: 4, 400: 2, 401: 1, 404: 1}
    assert (counters.exchanges, counters.refreshes, counters.requests) == (1, 1, 8)
    assert counters["widgets"] == 2
    assert counters["nothing"] == 0
    assert counters.in_flight_at_most == 1
    assert counters.token_hosts == ("127.0.0.1", "localhost")


# The authorize page


def ask(sandbox: Sandbox, **fields: str) -> httpx.Response:
    known = {
        "response_type": "code",
        "client_id": sandbox.client_id,
        "redirect_uri": "http://127.0.0.1:9/cb?x=1",
        "state": "a&b=<ö>",
    }
    query = {name: value for name, value in {**known, **fields}.items() if value}
    return http("GET", sandbox.authorize_url, params=query)


def form_of(page: str) -> dict[str, str]:
    from html import unescape

    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def returned(response: httpx.Response) -> dict[str, list[str]]:
    """Return the parameters that the browser is sent back with."""
    assert response.status_code == 303
    assert response.headers["cache-control"] == "no-store"
    location = urlsplit(response.headers["location"])
    assert (location.netloc, location.path) == ("127.0.0.1:9", "/cb")
    return parse_qs(location.query)


def test_the_page_has_two_buttons_and_allow_gives_a_code(sandbox: Sandbox) -> None:
    page = ask(sandbox)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert re.findall(r'<button name="decision" value="(\w+)">(\w+)<', page.text) == [
        ("allow", "Allow"),
        ("deny", "Deny"),
    ]
    form = form_of(page.text)

    back = returned(http("POST", sandbox.authorize_url, data={**form, "decision": "allow"}))

    assert (back["x"], back["state"]) == (["1"], ["a&b=<ö>"])
    [code] = back["code"]
    wrong = exchange(sandbox, code=code, redirect_uri="http://127.0.0.1:9/cb")
    assert wrong.json()["error"] == "invalid_grant"
    right = exchange(sandbox, code=code, redirect_uri="http://127.0.0.1:9/cb?x=1")
    assert right.status_code == 200


def test_deny_gives_an_error(sandbox: Sandbox) -> None:
    form = form_of(ask(sandbox, state="").text)
    back = returned(http("POST", sandbox.authorize_url, data={**form, "decision": "deny"}))

    assert back == {"x": ["1"], "error": ["access_denied"]}


@pytest.mark.parametrize(("auto", "member"), [("1", "code"), ("deny", "error")])
def test_auto_answers_at_once(auto: str, member: str, sandbox: Sandbox) -> None:
    back = returned(ask(sandbox, auto=auto))

    assert set(back) == {"x", "state", member}


def test_another_response_type_is_sent_back(sandbox: Sandbox) -> None:
    for wrong in ("token", ""):
        back = returned(ask(sandbox, response_type=wrong, auto="1"))
        assert back["error"] == ["unsupported_response_type"]


@pytest.mark.parametrize(
    "fields",
    [
        {"client_id": "other"},
        {"client_id": ""},
        {"redirect_uri": ""},
        {"redirect_uri": "https://example.com/cb"},
        {"redirect_uri": "http://example.com/cb"},
        {"redirect_uri": "http://127.0.0.1.example.com/cb"},
        {"redirect_uri": "http://127.0.0.1@example.com/cb"},
        {"redirect_uri": "http://127.0.0.1:x/cb"},
        {"redirect_uri": "http://[/cb"},
        {"redirect_uri": "http://127.0.0.1/cb#here"},
        {"redirect_uri": "http://127.0.0.1/cb\r\nx: y"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": "//127.0.0.1/cb"},
        {"redirect_uri": "http:/cb"},
    ],
)
def test_what_must_not_be_sent_back_is_shown(fields: dict[str, str], sandbox: Sandbox) -> None:
    for response in (
        ask(sandbox, auto="1", **fields),
        http(
            "POST",
            sandbox.authorize_url,
            data={"client_id": sandbox.client_id, "decision": "allow", **fields},
        ),
    ):
        assert response.status_code == 400
        assert "location" not in response.headers
        assert "<h1>This does not work</h1>" in response.text


@pytest.mark.parametrize(
    "redirect_uri",
    ["http://localhost/", "http://127.0.0.1", "http://[::1]:9/ö", "http://a.localhost:80/x"],
)
def test_loopback_in_every_spelling(redirect_uri: str, sandbox: Sandbox) -> None:
    response = ask(sandbox, redirect_uri=redirect_uri, auto="1")

    assert response.status_code == 303
    [code] = parse_qs(urlsplit(response.headers["location"]).query)["code"]
    assert exchange(sandbox, code=code, redirect_uri=redirect_uri).status_code == 200


def test_the_page_escapes_what_it_shows(sandbox: Sandbox) -> None:
    evil = '"><script>alert(1)</script>'
    page = ask(sandbox, state=evil, redirect_uri=f"http://127.0.0.1/{evil}")

    assert page.status_code == 200
    assert "<script" not in page.text
    assert form_of(page.text)["state"] == evil
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_a_decision_is_one_of_two(sandbox: Sandbox) -> None:
    form = form_of(ask(sandbox).text)
    assert http("POST", sandbox.authorize_url, data=form).status_code == 400
    twice = {**form, "decision": ["allow", "deny"]}
    assert http("POST", sandbox.authorize_url, data=twice).status_code == 400


# The control interface


def control(
    sandbox: Sandbox, method: str, path: str, value: Any = None, **headers: str
) -> httpx.Response:
    address = f"{sandbox.url}/sandbox/{path}"
    if value is None:
        return http(method, address, headers={"x-sandbox": "1", **headers})
    return http(method, address, json=value, headers=headers)


def test_other_processes_can_do_what_tests_do(sandbox: Sandbox) -> None:
    made = control(sandbox, "POST", "codes")
    assert (made.status_code, made.json()["redirect_uri"]) == (201, REDIRECT_URI)
    assert exchange(sandbox, code=made.json()["code"]).status_code == 200
    other = {"redirect_uri": "https://example.com/cb"}
    code = control(sandbox, "POST", "codes", other).json()["code"]
    assert exchange(sandbox, code=code, **other).status_code == 200

    assert control(sandbox, "PUT", "schemas/a%2Fb", {"title": "x"}).status_code == 200
    assert get(sandbox, "/widget-types/a%2Fb/schema").json() == {"title": "x"}
    assert control(sandbox, "DELETE", "schemas/faq").json()["schemas"] == [
        "countdown",
        "plugin",
        "a/b",
    ]
    assert get(sandbox, "/widget-types/faq/schema").status_code == 404

    faults = ["status=503x2", {"name": "close", "operation": "schema"}]
    shown = control(sandbox, "PUT", "faults", faults).json()["faults"]
    assert shown == ["status=503x2", "close@schema"]
    assert get(sandbox, "/widgets").status_code == 503
    state = control(sandbox, "GET", "state").json()
    assert state["faults"] == ["status=503x1", "close@schema"]
    assert state["operations"] == {"exchange": 2, "schema": 2, "widgets": 1}
    assert state["statuses"] == {"200": 3, "404": 1, "503": 1}
    assert (state["exchanges"], state["refreshes"], state["in_flight_at_most"]) == (2, 0, 1)
    assert (state["widgets"], state["token_hosts"]) == (25, ["127.0.0.1"])
    assert control(sandbox, "DELETE", "faults").json() == {"faults": []}
    assert get(sandbox, "/widgets").status_code == 200

    bearer = f"Bearer {sandbox.access_token()}"
    assert control(sandbox, "POST", "expire").status_code == 200
    assert get(sandbox, "/widgets", authorization=bearer).status_code == 401
    after = control(sandbox, "POST", "reset").json()
    assert (after["requests"], after["schemas"]) == (0, ["countdown", "plugin", "faq"])


@pytest.mark.parametrize(
    ("method", "path", "value", "said"),
    [
        ("PUT", "faults", ["statsu"], "did you mean 'status'"),
        ("PUT", "faults", {"name": "close"}, "array"),
        ("PUT", "faults", ["close", 3], "not a fault"),
        ("PUT", "faults", [{"name": "close", "else": 1}], "not a fault"),
        ("PUT", "faults", [{"name": "close", "times": True}], "not a fault"),
        ("PUT", "faults", [{"name": "close", "times": 0}], "1 or more"),
        ("POST", "codes", ["x"], "object"),
        ("POST", "codes", {"redirect_uri": 1}, "strings"),
    ],
)
def test_control_says_what_is_wrong(
    method: str, path: str, value: Any, said: str, sandbox: Sandbox
) -> None:
    sandbox.fault("status=418")
    response = control(sandbox, method, path, value)

    assert response.status_code == 400
    assert said in response.json()["error_description"]
    assert get(sandbox, "/widgets").status_code == 418  # nothing has changed


def test_a_schema_has_to_be_json(sandbox: Sandbox) -> None:
    address = f"{sandbox.url}/sandbox/schemas/x"
    headers = {"content-type": "application/json"}
    for body in (b"{", b'{"a": 1, "a": 2}', b"NaN", b""):
        assert http("PUT", address, content=body, headers=headers).status_code == 400
    huge = http("PUT", address, content=b" " * (9 * 1024 * 1024), headers=headers)
    assert huge.status_code == 413


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("POST", {}),
        ("POST", {"content-type": "text/plain"}),
        ("POST", {"content-type": "application/x-www-form-urlencoded"}),
        ("POST", {"x-sandbox": "1", "host": "evil.example"}),
        ("POST", {"x-sandbox": "1", "host": "127.0.0.1.evil.example:80"}),
        ("POST", {"x-sandbox": "1", "host": "127.0.0.1:{port}.evil.example"}),
        ("POST", {"x-sandbox": "1", "host": "localhost@evil.example"}),
        ("POST", {"x-sandbox": "1", "host": "127.0.0.1"}),
        ("POST", {"x-sandbox": "1", "origin": "http://127.0.0.1:9999"}),
        ("POST", {"x-sandbox": "1", "origin": "http://localhost:{port}"}),
        ("POST", {"x-sandbox": "1", "sec-fetch-site": "same-site"}),
        ("POST", {"x-sandbox": "1", "origin": "https://evil.example"}),
        ("POST", {"x-sandbox": "1", "origin": "null"}),
        ("GET", {"host": "evil.example"}),
        ("GET", {"origin": "http://evil.example"}),
        ("GET", {"origin": "http://["}),
    ],
)
def test_control_is_not_for_web_pages(
    method: str, headers: dict[str, str], sandbox: Sandbox
) -> None:
    path = "reset" if method == "POST" else "state"
    sandbox.fault("status=418")
    port = sandbox.url.rpartition(":")[2]
    headers = {name: value.format(port=port) for name, value in headers.items()}
    response = http(method, f"{sandbox.url}/sandbox/{path}", headers=headers)

    assert response.status_code == 403
    assert get(sandbox, "/widgets").status_code == 418


def test_a_page_under_another_name_gets_no_code(sandbox: Sandbox) -> None:
    query = {
        "response_type": "code",
        "client_id": sandbox.client_id,
        "redirect_uri": "http://127.0.0.1/",
        "auto": "1",
    }
    response = http("GET", sandbox.authorize_url, params=query, headers={"host": "evil.example"})

    assert response.status_code == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_control_is_for_this_machine(name: str, sandbox: Sandbox) -> None:
    host = f"{name}:{sandbox.url.rpartition(':')[2]}"
    for headers in ({}, {"origin": f"http://{host}", "sec-fetch-site": "same-origin"}):
        assert control(sandbox, "GET", "state", host=host, **headers).status_code == 200


def test_control_is_for_this_machine_by_its_other_address() -> None:
    with running(host="::1") as sandbox:
        assert control(sandbox, "GET", "state").status_code == 200
        assert control(sandbox, "GET", "state", host="127.0.0.1").status_code == 403


# How it runs


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_it_listens_on_loopback(host: str) -> None:
    with running(host=host) as sandbox:
        assert get(sandbox, "/widgets").status_code == 200
        assert sandbox.auth_url == sandbox.url
        assert sandbox.base_url == f"{sandbox.url}/platform/api/v1"
        assert sandbox.authorize_url == f"{sandbox.url}/oauth/authorize"


@pytest.mark.parametrize("host", ["0.0.0.0", "", "::", "192.0.2.1", "example.com"])
def test_it_listens_nowhere_else(host: str) -> None:
    with pytest.raises(ValueError, match="loopback interface only"), running(host=host):
        pass


def test_a_port_that_is_taken_is_an_error(sandbox: Sandbox) -> None:
    port = urlsplit(sandbox.url).port
    assert port is not None
    with pytest.raises(OSError, match=r"[Aa]ddress already in use"), running(port=port):
        pass


def test_it_stops_whatever_is_going_on() -> None:
    failures: list[Exception] = []

    def slow_request(sandbox: Sandbox) -> None:
        try:
            get(sandbox, "/widgets")
        except httpx.TransportError as error:
            failures.append(error)

    with running(latency=3_600) as sandbox:
        port = urlsplit(sandbox.url).port
        idle = socket.create_connection(("127.0.0.1", port or 0))
        half = socket.create_connection(("127.0.0.1", port or 0))
        half.sendall(b"POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nx")
        thread = threading.Thread(target=slow_request, args=(sandbox,))
        thread.start()
        while sandbox.counters["widgets"] == 0:
            time.sleep(0.01)
    thread.join()

    assert len(failures) == 1
    for connection in (idle, half):
        connection.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port or 0))
    assert not [one for one in threading.enumerate() if one.name == "widgetschema-sandbox"]


def test_it_stops_when_a_test_fails() -> None:
    with pytest.raises(KeyError), running() as sandbox:
        raise KeyError
    with pytest.raises(httpx.ConnectError):
        http("GET", sandbox.url)


def test_several_run_beside_each_other() -> None:
    with running(seed=1) as one, running(seed=2) as other:
        assert get(one, "/widgets").json() != get(other, "/widgets").json()
        mixed = get(one, "/widgets", authorization=f"Bearer {other.access_token()}")
        assert mixed.status_code == 401


def test_it_prints_and_logs_nothing(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("DEBUG"), running(faults=["close@widgets", "cut"]) as sandbox:
        with pytest.raises(httpx.TransportError):
            get(sandbox, "/widgets")
        with pytest.raises(httpx.TransportError):
            get(sandbox, "/widget-types/countdown/schema")
        with socket.create_connection(("127.0.0.1", urlsplit(sandbox.url).port or 0)) as raw:
            raw.sendall(b"what is this?\r\n\r\n")
            assert raw.recv(1000).startswith(b"HTTP/1.1 400 ")

    assert [one for one in caplog.records if one.name.startswith("uvicorn")] == []
    assert capfd.readouterr() == ("", "")


def test_a_log_gets_each_request_without_its_query() -> None:
    seen: list[LoggedRequest] = []
    with running(log=seen.append, faults=["close@widgetsx1"]) as sandbox:
        with pytest.raises(httpx.TransportError):
            get(sandbox, "/widgets?search=secret")
        get(sandbox, "/widget-types/count%20down/schema?x=secret")
        control(sandbox, "GET", "state")

    assert [(one.method, one.path, one.status) for one in seen] == [
        ("GET", "/platform/api/v1/widgets", 0),
        ("GET", "/platform/api/v1/widget-types/count%20down/schema", 404),
        ("GET", "/sandbox/state", 200),
    ]
    assert all(0 < one.milliseconds < 5000 for one in seen)


def test_an_application_can_be_given_or_used_without_a_server() -> None:
    application = app(count=3)
    state = application.state.sandbox
    assert isinstance(state, Sandbox)
    with running(application) as sandbox:
        assert sandbox is state
        assert get(sandbox, "/widgets").json()["total"] == 3
    with pytest.raises(TypeError, match="options"), running(application, count=3):
        pass

    async def ask() -> int:
        transport = httpx.ASGITransport(app=application)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            bearer = {"authorization": f"Bearer {state.access_token()}"}
            return (await client.get("/platform/api/v1/widgets", headers=bearer)).status_code

    assert anyio.run(ask) == 200


def test_any_store_will_do(tmp_path: Any) -> None:
    (tmp_path / "faq.json").write_text('{"title": "Questions"}')
    with running(Store(tmp_path)) as sandbox:
        assert get(sandbox, "/widget-types/faq/schema").json() == {"title": "Questions"}
        assert get(sandbox, "/widgets").json()["docs"][0]["type"] == "faq"
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(StoreError):
        app(Store(tmp_path))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: app(widgets=["x"]), "/0: a widget record is an object"),  # type: ignore[list-item]
        (lambda: app(widgets=[{"id": {1}}]), "is not JSON"),
        (lambda: app(faults=["nothing"]), "unknown fault"),
        (lambda: app(client_id=""), "client_id"),
        (lambda: app(latency=-1), "latency"),
        (lambda: app(token_lifetime=float("nan")), "token_lifetime"),
        (lambda: app(refresh_lifetime=float("inf")), "refresh_lifetime"),
        (lambda: app(client_secret="größe"), "client_secret"),
    ],
)
def test_what_cannot_be_is_told_at_the_start(make: Callable[[], object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()


def test_the_fixture_runs_one_for_each_test(widgetschema_sandbox: Sandbox) -> None:
    assert get(widgetschema_sandbox, "/widgets").json()["total"] == 10
    assert widgetschema_sandbox.counters.requests == 1


WITHOUT = """
import sys
for name in ("starlette", "uvicorn"):
    sys.modules[name] = None
import widgetschema.sandbox
from widgetschema.errors import MissingExtra
from widgetschema.sandbox import app, running
def run():
    with running():
        pass
for make in (app, run):
    try:
        make()
    except MissingExtra as error:
        assert error.extra == "sandbox"
        print(error)
"""


def test_without_the_extra_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines() == [str(MissingExtra("sandbox", NEEDS))] * 2
    assert "pip install 'widgetschema[sandbox]'" in done.stdout


NEEDS = "the sandbox requires Starlette and uvicorn"


def test_the_fixture_without_the_extra_is_one_clear_line(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        "import sys\nfor name in ('starlette', 'uvicorn'):\n    sys.modules[name] = None\n"
    )
    pytester.makepyfile("def test_it(widgetschema_sandbox):\n    pass\n")
    result = pytester.runpytest_subprocess("-pno:cacheprovider", "-pno:randomly")

    result.assert_outcomes(errors=1)
    assert f"{NEEDS}: install it with: pip" in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_many_at_once_take_as_long_as_latency_wants(sandbox: Sandbox) -> None:
    address = f"{sandbox.base_url}/widget-types/countdown/schema"
    bearer = {"authorization": f"Bearer {sandbox.access_token()}"}

    def worker(client: httpx.Client) -> int:
        return [client.get(address).status_code for _ in range(2)].count(200)

    with httpx.Client(headers=bearer) as client, ThreadPoolExecutor(10) as pool:
        client.get(address)
        for latency in (1, 8, 64):  # seconds, until all of them ask before the first is answered
            sandbox.latency = latency
            started = time.perf_counter()
            assert sum(pool.map(worker, [client] * 10)) == 20
            assert time.perf_counter() - started >= 2 * latency  # two rounds
            if sandbox.counters.in_flight_at_most == 10:
                break

    assert sandbox.counters.in_flight_at_most == 10
