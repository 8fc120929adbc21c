"""`widgetschema widgets`: a table, or the records as they came; one clean line for what fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import Run, run
from tests.unit.platform.test_client import Server, answering, http, serving, silent

Capture = pytest.CaptureFixture[str]

RECORDS: list[dict[str, Any]] = [
    {
        "id": "0c9b7b3e-0000-4000-8000-000000000001",
        "name": "Launch",
        "description": "",
        "type": "countdown",
        "projectId": "p",
        "previewImage": "",
        "status": "draft",
        "modelVersion": 3,
        "created": "2025-01-01T10:00:00.000Z",
        "updated": "2025-01-02T10:00:00.000Z",
        "unknown": {"kept": [1.0, None]},
    },
    {"id": "2", "name": "日本 \x1b[31mred\x07\nline\u202e" + "x" * 100, "type": None, "status": 7},
]
NAME = "日本 ·[31mred· line·" + "x" * 41 + "…"  # 60 characters; two of them are twice as wide
TABLE = (
    f"{'ID':36}  {'TYPE':9}  {'NAME':62}  STATUS  UPDATED\n"
    f"{RECORDS[0]['id']}  countdown  {'Launch':62}  draft   2025-01-02T10:00:00.000Z\n"
    f"{'2':36}  {'-':9}  {NAME}  7       -\n"
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user who has a token, and nothing else."""
    for name in ("REFRESH_TOKEN", "CLIENT_ID", "CLIENT_SECRET", "BASE_URL", "AUTH_URL", "OFFLINE"):
        monkeypatch.delenv(f"WIDGETSCHEMA_{name}", raising=False)
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "canary-token")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


def listing(records: Any) -> bytes:
    return http(200, json.dumps({"docs": records, "total": len(records)}).encode())


@pytest.fixture
def platform() -> Iterator[Server]:
    with serving(answering(listing(RECORDS))) as server:
        yield server


def widgets(capsys: Capture, server: Server, *arguments: str) -> Run:
    return run(capsys, "widgets", "--base-url", f"{server.url}/v1", *arguments)


def test_a_table(capsys: Capture, platform: Server) -> None:
    assert widgets(capsys, platform) == Run(0, TABLE, "")
    assert platform.asked[0].path == "/v1/widgets?limit=100"
    assert platform.asked[0].header("authorization") == "Bearer canary-token"


def test_the_address_of_the_environment(
    capsys: Capture, platform: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", f"{platform.url}/v1")

    assert run(capsys, "widgets").out == TABLE


def test_json_is_an_array_of_the_records(capsys: Capture, platform: Server) -> None:
    result = widgets(capsys, platform, "--format", "json")

    assert json.loads(result.out) == RECORDS
    assert list(json.loads(result.out)[0]) == list(RECORDS[0])
    assert "\x1b" not in result.out
    assert "\u202e" not in result.out


def test_ndjson_is_one_record_a_line(capsys: Capture, platform: Server) -> None:
    result = widgets(capsys, platform, "--format", "ndjson")

    assert [json.loads(line) for line in result.out.splitlines()] == RECORDS
    assert "\x1b" not in result.out


def test_filters(capsys: Capture, platform: Server) -> None:
    result = widgets(
        capsys,
        platform,
        "--project",
        "p/1",
        "--search",
        "a b",
        "--type",
        "faq",
        "--fields",
        " id,name,id,",
    )

    assert platform.asked[0].path == (
        "/v1/widgets?limit=100&fields=id,name&projectId=p%2F1&search=a%20b&type=faq"
    )
    assert result.out.splitlines()[0].split() == ["ID", "NAME"]
    assert result.code == 0


def test_fields_that_are_no_texts(capsys: Capture, platform: Server) -> None:
    result = widgets(capsys, platform, "--fields", "unknown,modelVersion,description")

    assert result.out.splitlines() == [
        "UNKNOWN                MODELVERSION  DESCRIPTION",
        '{"kept": [1.0, null]}  3             -',
        "-                      -             -",
    ]


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("statu", "no widget has a property 'statu'; did you mean 'status'? (known: created, "),
        ("model_version", "did you mean 'modelVersion'?"),
        ("unknwon", "did you mean 'unknown'?"),
        ("\x1bno", "no widget has a property '·no' (known: "),
    ],
)
@pytest.mark.parametrize("layout", ["text", "json"])
def test_a_field_that_no_widget_has(
    field: str, message: str, layout: str, capsys: Capture, platform: Server
) -> None:
    result = widgets(capsys, platform, "--fields", f"id,{field}", "--format", layout)

    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_a_documented_field_of_no_widget(capsys: Capture) -> None:
    with serving(answering(listing([]))) as server:
        assert widgets(capsys, server, "--fields", "created").code == 0
        assert widgets(capsys, server, "--fields", "createt").code == 2


def test_a_limit(capsys: Capture, platform: Server) -> None:
    result = widgets(capsys, platform, "--limit", "1", "--format", "json")

    assert platform.asked[0].path == "/v1/widgets?limit=1"
    assert json.loads(result.out) == RECORDS[:1]


def test_a_limit_that_the_platform_lowers(capsys: Capture) -> None:
    lowered = http(200, json.dumps({"docs": RECORDS, "limit": "2"}).encode())
    with serving(answering(lowered)) as server:
        result = widgets(capsys, server, "--limit", "50")

    assert (result.code, result.out) == (0, TABLE)
    assert "the platform returns at most 2 widgets at a time" in result.err


@pytest.mark.parametrize(
    ("layout", "out"),
    [("json", "[]\n"), ("ndjson", ""), ("text", "ID  TYPE  NAME  STATUS  UPDATED\n")],
)
def test_none(capsys: Capture, layout: str, out: str) -> None:
    with serving(answering(listing([]))) as server:
        result = widgets(capsys, server, "--format", layout, "--search", "x")

    assert result == Run(0, out, "widgetschema: no widgets match\n")


FAILURES = {
    "a token that is refused": (http(401, b"no canary-token"), 5, "no longer accepted"),
    "a list that is cut off": (
        http(200, json.dumps({"docs": RECORDS, "total": 9}).encode()),
        5,
        "is incomplete: only 2 of 9 came",
    ),
    "a login page": (http(200, b"<html>\x1b[2J", "Content-Type: text/html"), 5, "login page"),
}


@pytest.mark.parametrize(("answer", "code", "message"), FAILURES.values(), ids=FAILURES)
def test_failures(capsys: Capture, answer: bytes, code: int, message: str) -> None:
    with serving(answering(answer)) as server:
        result = widgets(capsys, server)

    assert result.code == code
    assert result.out == ""
    assert message in result.err
    assert "canary" not in result.err
    assert result.err.count("\n") == 1
    assert result.err.rstrip("\n").isprintable()


def test_a_platform_that_does_not_respond(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_DEADLINE", "1")
    with serving(silent) as server:
        result = widgets(capsys, server)

    assert result.code == 5
    announced, error = result.err.splitlines()
    assert announced == (
        f"widgetschema: waiting for {server.url}/v1/widgets, for at most 1 s (--deadline)"
    )
    assert "no complete response in time" in error
    assert "given up after 1 s" in error


def test_a_pause_that_is_too_long(capsys: Capture) -> None:
    with serving(answering(http(503, b"", "Retry-After: 60"))) as server:
        result = widgets(capsys, server)

    assert (result.code, len(server.asked)) == (5, 1)
    assert "503" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--base-url", "https://h.example", "--deadline", "0"], "--deadline"),
        (["--base-url", "http://h.example"], "plain http"),
        (["--base-url", "https://me:sesame@h.example"], "user name or a password"),
        (["--base-url", "https://h.example", "--search", "\udcff"], "surrogate"),
        (["--base-url", "https://h.example", "--limit", "0"], "--limit"),
        (["--base-url", "https://h.example", "--fields", " , "], "--fields"),
        (["--base-url", "https://h.example", "--format", "xml"], "--format"),
    ],
)
def test_usage(capsys: Capture, arguments: list[str], message: str) -> None:
    result = run(capsys, "widgets", *arguments)

    assert result.code == 2
    assert message in result.err
    assert "sesame" not in result.err


def test_without_a_token(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WIDGETSCHEMA_ACCESS_TOKEN")
    result = run(capsys, "widgets", "--base-url", "https://h.example")

    assert result.code == 5
    assert "widgetschema login" in result.err
