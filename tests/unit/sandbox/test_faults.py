"""Each fault of the sandbox does what its name says, where it should, and as often."""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.sandbox.test_sandbox import Clock, exchange, get, http, refresh
from widgetschema.catalog.store import bundled
from widgetschema.errors import UnresolvableReference
from widgetschema.sandbox import (
    FAULTS,
    Fault,
    LoggedRequest,
    Sandbox,
    app,
    parse_fault,
    running,
)
from widgetschema.schema.linking import link

SCHEMA = "/widget-types/countdown/schema"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running() as it:
        yield it


def ask(sandbox: Sandbox, operation: str) -> httpx.Response:
    """One request for an operation that would be answered with 200."""
    if operation == "widgets":
        return get(sandbox, "/widgets")
    if operation == "schema":
        return get(sandbox, SCHEMA)
    if operation == "exchange":
        return exchange(sandbox)
    refresh_token = sandbox.tokens.new_refresh(sandbox.client_id)
    return refresh(sandbox, refresh_token)


EVERY = pytest.mark.parametrize("operation", ["widgets", "schema", "exchange", "refresh"])


# The grammar


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("close", Fault("close")),
        ("closex3", Fault("close", times=3)),
        ("close@schema", Fault("close", operation="schema")),
        ("close@tokenx2", Fault("close", operation="token", times=2)),
        ("status=503", Fault("status", "503")),
        ("status=503@schemax2", Fault("status", "503", "schema", 2)),
        ("expires-in", Fault("expires-in")),
        ("expires-in=", Fault("expires-in", "")),
        ("expires-in=@exchange", Fault("expires-in", "", "exchange")),
        ("expires-in=2030-01-01T00:00:00Z", Fault("expires-in", "2030-01-01T00:00:00Z")),
        ("expires-in=a=b", Fault("expires-in", "a=b")),
        ("redirect=http://localhost:9/x", Fault("redirect", "http://localhost:9/x")),
        ("content-type=text/xml; a=b", Fault("content-type", "text/xml; a=b")),
    ],
)
def test_a_fault_has_a_text(text: str, fault: Fault) -> None:
    assert parse_fault(text) == fault
    assert str(fault) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("statsu=503", "unknown fault 'statsu'; did you mean 'status'"),
        ("nothing-like-it", "unknown fault 'nothing-like-it' (known: status,"),
        ("", "unknown fault ''"),
        ("Status", "did you mean 'status'"),
        ("close=1", "takes no value, not '1'"),
        ("status=200", "STATUS is from 400 to 599, not '200'"),
        ("status=600", "STATUS is from 400 to 599"),
        ("status=", "STATUS is from 400 to 599, not ''"),
        ("status=5_0", "STATUS is from"),
        ("status=-1", "STATUS is from"),
        ("slow=soon", "MS is from 0 to"),
        ("slow=99999999999", "MS is from 0 to"),
        ("clamp=0", "N is from 1 to"),
        ("close@nowhere", "no operation 'nowhere' (known: widgets, schema, exchange,"),
        ("status=503@nowhere", "no operation 'nowhere'"),
        ("close@", "not a fault: 'close@'; write NAME[=VALUE][@OPERATION][xTIMES]"),
        ("rotate@schema", "cannot happen at 'schema' (only at: refresh)"),
        ("clamp=3@token", "cannot happen at 'token' (only at: widgets)"),
        ("closex0", "TIMES is 1 or more, not 0"),
        ("redirect=evil", "not an address"),
        ("redirect=http://[", "not an address"),
        ("redirect=ftp://x", "not an address"),
        ("charset=klingon", "no encoding of text 'klingon'"),
        ("charset=hex", "no encoding of text"),
        ("content-type=a\r\nb: c", "cannot be in a header"),
        ("content-type=", "cannot be in a header"),
    ],
)
def test_what_is_no_fault_is_told(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        parse_fault(text)


@given(st.text(max_size=40) | st.text("closestatu=@x0123456789-", max_size=30))
def test_any_text_is_a_fault_or_an_error(text: str) -> None:
    try:
        fault = parse_fault(text)
    except ValueError:
        return
    assert parse_fault(str(fault)) == fault


def test_every_fault_is_tested_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")

    untested = [name for name in FAULTS if f'"{name}' not in source.partition("def ask(")[2]]
    assert untested == []


# In place of the operation


@EVERY
def test_status(operation: str, sandbox: Sandbox) -> None:
    sandbox.fault("status=502x2")

    answers = [ask(sandbox, operation) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [502, 502, 200]
    assert answers[0].json()["error"] == "sandbox_fault"


def test_a_fault_may_be_for_one_operation(sandbox: Sandbox) -> None:
    sandbox.fault("status@schema", "status=429@token", "status=500@refresh")
    operations = ["widgets", "schema", "exchange", "refresh"]

    statuses = [ask(sandbox, operation).status_code for operation in operations]

    assert statuses == [200, 503, 429, 429]
    sandbox.clear_faults()
    assert {ask(sandbox, operation).status_code for operation in operations} == {200}


def test_faults_come_one_after_the_other(sandbox: Sandbox) -> None:
    sandbox.fault("status=500x1", "rate-limitx1")
    sandbox.fault(Fault("status", "503", "widgets", 1))

    assert [ask(sandbox, "widgets").status_code for _ in range(4)] == [500, 429, 503, 200]


def test_faults_at_the_start_come_back_with_a_reset() -> None:
    with running(faults=["status=500x1"]) as sandbox:
        assert [ask(sandbox, "widgets").status_code for _ in range(2)] == [500, 200]
        sandbox.fault("status=501")
        sandbox.reset()
        assert [ask(sandbox, "widgets").status_code for _ in range(2)] == [500, 200]


@EVERY
def test_a_replaced_operation_is_not_carried_out(operation: str, sandbox: Sandbox) -> None:
    code = sandbox.code()
    sandbox.fault("status@exchangex1", "close@refreshx1")

    assert exchange(sandbox, code=code).status_code == 503
    assert exchange(sandbox, code=code).status_code == 200
    with pytest.raises(httpx.RemoteProtocolError):
        ask(sandbox, "refresh")
    assert sandbox.counters.refreshes == 0


@EVERY
def test_rate_limit(operation: str) -> None:
    with running(clock=Clock(1_800_000_000)) as sandbox:
        sandbox.fault("rate-limit=7x1", "rate-limit-date=7x1", "rate-limitx1")
        seconds, date, bare = (ask(sandbox, operation) for _ in range(3))

    assert {answer.status_code for answer in (seconds, date, bare)} == {429}
    assert seconds.headers["retry-after"] == "7"
    assert date.headers["retry-after"] == "Fri, 15 Jan 2027 08:00:07 GMT"
    moments = (parsedate_to_datetime(date.headers[name]) for name in ("retry-after", "date"))
    assert next(moments).timestamp() - next(moments).timestamp() == 7
    assert "retry-after" not in bare.headers


@EVERY
def test_close(operation: str, sandbox: Sandbox) -> None:
    sandbox.fault("closex1")

    with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
        ask(sandbox, operation)
    assert ask(sandbox, operation).status_code == 200
    assert sandbox.counters.statuses == {0: 1, 200: 1}


def test_close_takes_our_own_server() -> None:
    async def ask_without_a_server() -> None:
        transport = httpx.ASGITransport(app=app(faults=["close"]))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            await client.get("/platform/api/v1/widgets")

    with pytest.raises(ConnectionResetError, match=r"widgetschema\.sandbox\.running"):
        anyio.run(ask_without_a_server)


@EVERY
def test_html_and_empty(operation: str, sandbox: Sandbox) -> None:
    sandbox.fault("htmlx1", "emptyx1")
    html, empty = ask(sandbox, operation), ask(sandbox, operation)

    assert (html.status_code, empty.status_code) == (200, 200)
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert "<html>" in html.text
    assert (empty.content, empty.headers["content-type"]) == (b"", "application/json")


def test_bomb(sandbox: Sandbox) -> None:
    sandbox.fault("bomb=20@widgets")
    unpacker = zlib.decompressobj(wbits=31)
    received, text = 0, b""
    bearer = {"authorization": f"Bearer {sandbox.access_token()}"}
    with httpx.stream("GET", f"{sandbox.base_url}/widgets", headers=bearer) as response:
        assert response.headers["content-encoding"] == "gzip"
        assert "content-length" not in response.headers
        for piece in response.iter_raw():
            received += len(piece)
            text += unpacker.decompress(piece)

    assert unpacker.eof
    assert received < 50_000
    assert len(text) > 20 * 1024 * 1024
    assert json.loads(text)["docs"] == []


@pytest.mark.parametrize("fault", ["bomb=10000", "endless=10000", "drip=100000"])
def test_who_has_seen_enough_can_go(fault: str) -> None:
    seen: list[LoggedRequest] = []
    with running(faults=[f"{fault}x1"], log=seen.append) as sandbox:
        bearer = {"authorization": f"Bearer {sandbox.access_token()}"}
        with httpx.stream("GET", f"{sandbox.base_url}/widgets", headers=bearer) as response:
            if not fault.startswith("drip"):
                assert next(response.iter_raw())
        assert ask(sandbox, "schema").status_code == 200  # others are answered
        while len(seen) < 2:  # it is not sent to the end, which would take minutes
            time.sleep(0.01)

    assert sorted(one.path.rpartition("/")[2] for one in seen) == ["schema", "widgets"]


def test_endless(sandbox: Sandbox) -> None:
    sandbox.fault("endless=3")
    response = ask(sandbox, "schema")

    assert response.headers["transfer-encoding"] == "chunked"
    assert "content-length" not in response.headers
    assert 3 * 1024 * 1024 < len(response.content) < 3 * 1024 * 1024 + 100
    assert response.json()["total"] == 0


@EVERY
def test_redirect_to_another_host(operation: str, sandbox: Sandbox) -> None:
    other = sandbox.url.replace("127.0.0.1", "localhost")
    sandbox.fault("redirectx1", "redirect=http://localhost:9x1", "redirect=http://localhost:9/px1")

    default, host, path = (ask(sandbox, operation) for _ in range(3))

    assert {answer.status_code for answer in (default, host, path)} == {307}
    asked = default.request.url.raw_path.decode()
    assert default.headers["location"] == other + asked
    assert host.headers["location"] == f"http://localhost:9{asked}"
    assert path.headers["location"] == "http://localhost:9/p"


def test_who_follows_a_redirect_with_the_token_is_found_out(sandbox: Sandbox) -> None:
    sandbox.fault("redirectx1")
    bearer = {"authorization": f"Bearer {sandbox.access_token()}"}
    address = f"{sandbox.base_url}/widgets?limit=3"
    careful = http("GET", address, headers=bearer, follow_redirects=True)

    assert careful.status_code == 401  # httpx drops the header for another host
    assert careful.url.host == "localhost"
    assert careful.url.query == b"limit=3"
    assert list(sandbox.counters.token_hosts) == ["127.0.0.1"]
    http("GET", str(careful.url), headers=bearer)
    assert list(sandbox.counters.token_hosts) == ["127.0.0.1", "localhost"]


def test_redirect_loop(sandbox: Sandbox) -> None:
    sandbox.fault("redirect-loop")
    with httpx.Client(follow_redirects=True) as client, pytest.raises(httpx.TooManyRedirects):
        client.get(f"{sandbox.base_url}/widgets?limit=3")


@pytest.mark.parametrize(("fault", "status"), [("echo", 400), ("echo=200", 200), ("echo=500", 500)])
def test_echo(fault: str, status: int, sandbox: Sandbox) -> None:
    sandbox.fault(fault)

    listed = get(sandbox, "/widgets?search=canary-0", authorization="Bearer canary-1")
    tokens = exchange(sandbox, code="canary-2", client_secret="canary-3")

    assert (listed.status_code, tokens.status_code) == (status, status)
    for text in (listed.text, listed.headers["x-request-id"]):
        assert "Bearer canary-1" in text
    assert "canary-0" in listed.text
    for canary in ("canary-2", "canary-3"):
        assert canary in tokens.text
        assert canary in tokens.headers["x-request-id"]
    assert tokens.json()["form"]["code"] == "canary-2"


def test_echo_of_anything_can_be_sent(sandbox: Sandbox) -> None:
    sandbox.fault("echo")
    form = {"content-type": "application/x-www-form-urlencoded"}
    for content in (b"", b"\xff\r\nx: y", "ö=ü&\x00".encode(), b"a&" * 30_000):
        address = f"{sandbox.auth_url}/oauth/token"
        response = http("POST", address, content=content, headers=form)
        assert response.status_code == 400
        assert response.headers["x-request-id"]


# In time


@EVERY
def test_slow(operation: str, sandbox: Sandbox) -> None:
    sandbox.fault("slow=150x1")
    response = ask(sandbox, operation)

    assert response.status_code == 200
    assert response.elapsed.total_seconds() > 0.14
    assert not sandbox.faults.texts()  # once it was


def test_slow_ones_do_not_hold_up_others() -> None:
    with ThreadPoolExecutor(4) as pool, running(faults=["slow=60000@schema"]) as sandbox:
        waiting = [pool.submit(ask, sandbox, "schema") for _ in range(4)]
        while sandbox.counters["schema"] < 4:
            time.sleep(0.01)
        assert ask(sandbox, "widgets").status_code == 200
        counters = sandbox.counters

    assert counters.in_flight_at_most == 5
    assert counters.statuses == {200: 1}
    assert all(isinstance(one.exception(), httpx.TransportError) for one in waiting)


@EVERY
def test_drip(operation: str, sandbox: Sandbox) -> None:
    whole = ask(sandbox, operation)
    sandbox.fault("drip=20x1")
    response = ask(sandbox, operation)

    assert response.elapsed.total_seconds() > 0.18
    assert len(response.content) == len(whole.content) == int(response.headers["content-length"])


def test_a_drip_is_sent_in_ten_pieces() -> None:
    """Look at what is sent: how much of it a client reads at once depends on its speed."""
    sandbox = app(faults=["drip=0"])
    pieces: list[bytes] = []

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            pieces.append(message.get("body", b""))
            await send(message)

        await sandbox(scope, receive, sent)

    async def ask() -> bytes:
        transport = httpx.ASGITransport(app=watched)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            bearer = {"authorization": f"Bearer {sandbox.state.sandbox.access_token()}"}
            return (await client.get(f"/platform/api/v1{SCHEMA}", headers=bearer)).content

    content = anyio.run(ask)

    assert len([*filter(None, pieces)]) == 10
    assert json.loads(content) == bundled()["countdown"]


# Tokens


def test_unauthorized_after(sandbox: Sandbox) -> None:
    sandbox.fault("unauthorized-after=2")

    def call(access_token: str) -> int:
        return get(sandbox, SCHEMA, authorization=f"Bearer {access_token}").status_code

    tokens = exchange(sandbox).json()
    assert [call(tokens["access_token"]) for _ in range(4)] == [200, 200, 401, 401]
    newer = refresh(sandbox, tokens["refresh_token"]).json()
    assert [call(newer["access_token"]) for _ in range(3)] == [200, 200, 401]
    assert call(tokens["access_token"]) == 401


def test_unauthorized_after_may_be_for_some_tokens_only(sandbox: Sandbox) -> None:
    sandbox.fault("unauthorized-after=0x1")
    first, second = sandbox.access_token(), sandbox.access_token()

    statuses = [
        get(sandbox, "/widgets", authorization=f"Bearer {access_token}").status_code
        for access_token in (first, second, first, second)
    ]

    assert statuses == [401, 200, 401, 200]


def test_rotate(sandbox: Sandbox) -> None:
    sandbox.fault("rotate")
    names = "access_token expires_in refresh_token refresh_token_expires_in".split()
    old = exchange(sandbox).json()["refresh_token"]
    for _ in range(3):
        members = refresh(sandbox, old).json()
        assert list(members) == names
        assert members["refresh_token"] != old
        again = refresh(sandbox, old)
        assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
        old = members["refresh_token"]


def test_a_rotation_may_be_lost_on_the_way(sandbox: Sandbox) -> None:
    sandbox.fault("rotate", "cut@refreshx1")
    refresh_token = exchange(sandbox).json()["refresh_token"]

    with pytest.raises(httpx.RemoteProtocolError):
        refresh(sandbox, refresh_token)
    assert sandbox.counters.refreshes == 1
    assert refresh(sandbox, refresh_token).json()["error"] == "invalid_grant"


@pytest.mark.parametrize("operation", ["exchange", "refresh"])
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("expires-in=3600", "3600"),
        ("expires-in=3600.0", "3600.0"),
        ("expires-in=1h", "1h"),
        ("expires-in=2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
        ("expires-in=", ""),
        ("expires-in=date", "2027-01-15T09:00:00Z"),
        ("expires-in=epoch", "1800003600"),
        ("expires-number", 3600),
        ("expires-in", None),
    ],
)
def test_expires_in(operation: str, fault: str, expected: Any) -> None:
    with running(clock=Clock(1_800_000_000), faults=[fault]) as sandbox:
        members = ask(sandbox, operation).json()

    assert members.get("expires_in") == expected
    assert ("expires_in" in members) is (expected is not None)
    assert "access_token" in members


def test_expires_in_may_be_a_fraction() -> None:
    with running(token_lifetime=0.25) as sandbox:
        assert exchange(sandbox).json()["expires_in"] == "0.25"
        sandbox.fault("expires-number")
        assert exchange(sandbox).json()["expires_in"] == 0.25


# The list of widgets


@pytest.mark.parametrize(
    ("fault", "query", "limit", "docs", "total", "distinct"),
    [
        ("clamp=4", "", 4, 4, 4, 4),
        ("clamp=4", "?limit=2", 2, 2, 2, 2),
        ("clamp=4", "?limit=100", 4, 4, 4, 4),
        ("truncate=3", "?limit=100", 100, 3, 25, 3),
        ("truncate=3", "?limit=2", 2, 2, 2, 2),
        ("truncate=0", "", 10, 0, 10, 0),
        ("duplicates", "", 10, 10, 10, 9),
        ("duplicates", "?limit=1", 1, 1, 1, 1),
        ("total-all", "", 10, 10, 25, 10),
        ("total-more=7", "", 10, 10, 17, 10),
        ("total-more", "?limit=100", 100, 25, 26, 25),
    ],
)
def test_lists(
    fault: str,
    query: str,
    limit: int,
    docs: int,
    total: int,
    distinct: int,
    sandbox: Sandbox,
) -> None:
    sandbox.fault(fault)
    listed = get(sandbox, f"/widgets{query}").json()

    assert (listed["limit"], len(listed["docs"]), listed["total"]) == (limit, docs, total)
    assert len({record["id"] for record in listed["docs"]}) == distinct


def test_a_maximum_limit(sandbox: Sandbox) -> None:
    sandbox.fault("max-limit=20")

    assert get(sandbox, "/widgets?limit=21").status_code == 400
    assert len(get(sandbox, "/widgets?limit=20").json()["docs"]) == 20


def test_numbers_of_the_envelope(sandbox: Sandbox) -> None:
    sandbox.fault("no-numbers")

    assert list(get(sandbox, "/widgets").json()) == ["docs"]
    sandbox.clear_faults()
    sandbox.fault("text-numbers")
    listed = get(sandbox, "/widgets").json()
    assert {name: listed[name] for name in listed if name != "docs"} == {
        "total": "10",
        "limit": "10",
        "offset": "0",
        "page": "1",
        "pages": "3",
    }


# Schemas


def test_changed(sandbox: Sandbox) -> None:
    sandbox.fault("changed")
    original = bundled()["countdown"]
    answers = [ask(sandbox, "schema") for _ in range(6)]

    assert answers[0].json() == original
    assert len({answer.headers["etag"] for answer in answers}) == 6
    assert len({answer.headers["last-modified"] for answer in answers}) == 6
    enums = "countdownType", "postCountdownType"
    content = [answer.json()["definitions"]["IPluginContent"]["properties"] for answer in answers]
    allowed = [[properties[name]["enum"] for name in enums] for properties in content]
    whole, other = allowed[0]
    assert allowed[1:5] == [
        [[*whole, "sandbox-1"], other],
        [whole[1:], other],
        [whole, [*other, "sandbox-3"]],
        [whole, other[1:]],
    ]
    tag = {"if-none-match": answers[-1].headers["etag"]}
    assert get(sandbox, SCHEMA, **tag).status_code == 200


def test_changed_after_some_answers_and_so_often(sandbox: Sandbox) -> None:
    sandbox.fault("changed=2x2")
    tags = [ask(sandbox, "schema").headers["etag"] for _ in range(8)]

    assert [tags.index(tag) for tag in tags] == [0, 0, 2, 2, 4, 4, 4, 4]
    sandbox.reset()
    sandbox.fault("changed=2x2")
    assert [ask(sandbox, "schema").headers["etag"] for _ in range(8)] == tags


@pytest.mark.parametrize("schema", [{"type": "object"}, {"enum": [1]}, True])
def test_any_schema_can_change(schema: Any) -> None:
    with running({"x": schema}, faults=["changed"]) as sandbox:
        served = [get(sandbox, "/widget-types/x/schema").json() for _ in range(3)]

    assert served[0] == schema
    if schema is not True:
        assert served[0] != served[1] != served[2] != served[0]


def test_unlinkable(sandbox: Sandbox) -> None:
    sandbox.fault("unlinkable")
    schema = ask(sandbox, "schema").json()

    link(bundled()["countdown"], {"plugin": bundled()["plugin"]})
    with pytest.raises(UnresolvableReference):
        link(schema, {"plugin": bundled()["plugin"]})
    for odd in (True, {"allOf": 3}):
        sandbox.set_schema("odd", odd)
        served = get(sandbox, "/widget-types/odd/schema").json()
        assert "$ref" in served["allOf"][-1]


def test_not_modified(sandbox: Sandbox) -> None:
    sandbox.fault("not-modified")
    response = ask(sandbox, "schema")

    assert (response.status_code, response.content) == (304, b"")
    assert "content-type" not in response.headers


@pytest.mark.parametrize(
    ("fault", "tag", "date"),
    [
        ("no-validators", False, False),
        ("no-etag", False, True),
        ("no-last-modified", True, False),
    ],
)
def test_without_validators(fault: str, tag: bool, date: bool, sandbox: Sandbox) -> None:
    whole = ask(sandbox, "schema").headers
    sandbox.fault(fault)
    conditions = {
        "if-none-match": (whole["etag"], tag),
        "if-modified-since": (whole["last-modified"], date),
    }
    for name, (value, known) in conditions.items():
        response = get(sandbox, SCHEMA, **{name: value})
        assert response.status_code == (304 if known else 200)
        assert ("etag" in response.headers, "last-modified" in response.headers) == (tag, date)


def test_no_plugin(sandbox: Sandbox) -> None:
    sandbox.fault("no-plugin")

    assert get(sandbox, "/widget-types/plugin/schema").status_code == 404
    assert ask(sandbox, "schema").status_code == 200


# The bytes


@EVERY
def test_invalid_json_and_bom_and_charset(operation: str, sandbox: Sandbox) -> None:
    sandbox.fault("invalid-jsonx1")
    half = ask(sandbox, operation)
    sandbox.fault("bomx1")
    marked = ask(sandbox, operation)
    sandbox.fault("charsetx1")
    coded = ask(sandbox, operation)

    assert {answer.status_code for answer in (half, marked, coded)} == {200}
    with pytest.raises(json.JSONDecodeError):
        json.loads(half.text)
    assert marked.content.startswith(b"\xef\xbb\xbf{")
    json.loads(marked.content[3:])
    assert coded.headers["content-type"] == "application/json; charset=utf-8"
    json.loads(coded.content.decode("utf-16"))
    with pytest.raises(UnicodeDecodeError):
        coded.content.decode()


def test_charset_and_content_type_by_name(sandbox: Sandbox) -> None:
    sandbox.set_schema("x", {"title": "Größe €"})
    sandbox.fault("charset=latin-1", "content-typex1", "content-type=application/xml")
    plain, xml = (get(sandbox, "/widget-types/x/schema") for _ in range(2))

    assert "Größe ?".encode("latin-1") in plain.content
    assert plain.headers["content-type"] == "text/plain"
    assert xml.headers["content-type"] == "application/xml"


@EVERY
def test_cut(operation: str, sandbox: Sandbox) -> None:
    sandbox.fault("cutx1")

    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        ask(sandbox, operation)
    assert ask(sandbox, operation).status_code == 200


@pytest.mark.parametrize(("fault", "sent"), [("cut=0", 0), ("cut=10", 10), ("cut=9999999", -1)])
def test_cut_after_so_many_bytes(fault: str, sent: int, sandbox: Sandbox) -> None:
    sandbox.fault(fault)
    bearer = {"authorization": f"Bearer {sandbox.access_token()}"}
    with httpx.stream("GET", sandbox.base_url + SCHEMA, headers=bearer) as response:
        length = int(response.headers["content-length"])
        with pytest.raises(httpx.RemoteProtocolError):
            response.read()

    assert response.num_bytes_downloaded == (length - 1 if sent < 0 else sent)


def test_bytes_of_an_error_may_be_spoilt_too(sandbox: Sandbox) -> None:
    sandbox.fault("status=503", "bomx1", "content-type=text/html")
    first, second = ask(sandbox, "widgets"), ask(sandbox, "widgets")

    assert first.content.startswith(b"\xef\xbb\xbf")
    assert (second.status_code, second.headers["content-type"]) == (503, "text/html")
