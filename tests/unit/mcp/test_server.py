"""The server as a client of the SDK sees it over HTTP: tools, files, resources, and refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.unit.mcp.assistant import READING, assert_is_useful, talk
from widgetschema import Catalog
from widgetschema.manual_pages import code_page, standalone
from widgetschema.mcp.server import PATH, make_server, serve_http

TOKEN = "a-token-for-tests-only"


def over_http(work: Callable[[Client], Awaitable[Any]], origin: str) -> Any:
    """Return the result of work with a client of the server at an origin."""

    async def connected() -> Any:
        headers = {"authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(f"{origin}{PATH}", http_client=http)) as client,
        ):
            return await work(client)

    return asyncio.run(connected())


def test_over_http() -> None:
    with serve_http(make_server(Catalog.default()), TOKEN) as origin:
        assert_is_useful(over_http(talk, origin))


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ({"authorization": ""}, 401, "token is missing or wrong"),
        ({"authorization": f"Bearer {TOKEN}x"}, 401, "token is missing or wrong"),
        ({"authorization": "Bearer \u00e9"}, 401, "token is missing or wrong"),
        ({"origin": "https://example.com"}, 403, "other sites"),
        ({"origin": "null"}, 403, "other sites"),
        ({"origin": "http://127.0.0.1:9999"}, 403, "other sites"),
        ({"host": "example.com"}, 403, "not an address of the server"),
        ({"host": "127.0.0.1"}, 403, "not an address of the server"),
        ({"host": "127.0.0.1:8931.example.com"}, 403, "not an address of the server"),
    ],
)
def test_who_has_no_business_here_is_refused(
    headers: dict[str, str], status: int, reason: str
) -> None:
    sent = {"authorization": f"Bearer {TOKEN}", "accept": "application/json", **headers}
    encoded = {name.encode(): value.encode() for name, value in sent.items()}
    with serve_http(make_server(Catalog.default()), TOKEN) as origin:
        answer = httpx2.post(f"{origin}{PATH}", headers=encoded, json={})

    assert answer.status_code == status
    assert reason in answer.text
    assert TOKEN not in answer.text


def test_files_are_written_only_in_the_folder_that_was_named(tmp_path: Path) -> None:
    valid = json.dumps({"content": {}, "settings": {}, "styles": {}})

    async def write(client: Client) -> list[Any]:
        arguments = {"type": "countdown", "json_text": valid}
        return [
            {tool.name for tool in (await client.list_tools()).tools} - READING,
            await client.call_tool("write_file", {"path": "a.json", **arguments}),
            await client.call_tool("write_file", {"path": "../b.json", **arguments}),
            await client.call_tool("write_file", {"path": f"{'x' * 300}.json", **arguments}),
        ]

    with serve_http(make_server(Catalog.default(), str(tmp_path)), TOKEN) as origin:
        more, written, refused, unreadable = over_http(write, origin)

    assert more == {"read_file", "write_file"}
    assert written.structured_content["written"]
    assert (tmp_path / "a.json").read_text("utf-8") == valid
    assert refused.is_error
    assert "not in the folder" in refused.content[0].text
    assert not (tmp_path.parent / "b.json").exists()
    assert unreadable.is_error
    assert unreadable.content[0].text.endswith("the file cannot be used: File name too long")


def test_errors_that_nobody_expects_are_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")

    class Broken(dict[str, Any]):
        """A source that raises what no source should."""

        def __contains__(self, id: object) -> bool:
            raise KeyError("secret of the source" * 100)

    async def ask(client: Client) -> Any:
        return await client.call_tool("check_data", {"type": "x", "json_text": "{}"})

    with serve_http(make_server(Catalog(Broken())), TOKEN) as origin:
        result = over_http(ask, origin)
    assert result.is_error
    assert "an error in widgetschema, not in what you passed (KeyError: " in result.content[0].text
    assert len(result.content[0].text) < 500
    assert "check_data failed" in caplog.text


def test_unknown_arguments_are_refused() -> None:
    async def ask(client: Client) -> list[str]:
        given = {"type": "countdown", "json_text": "{}"}
        wrong: list[dict[str, Any]] = [{"kinds": "document"}, {"x" * 500: 1}]
        calls: list[Any] = [
            await client.call_tool("check_data", {**given, **more}) for more in wrong
        ]
        calls.append(await client.call_tool("list_widget_types", {"x": 1}))
        assert all(one.is_error for one in calls)
        return [one.content[0].text for one in calls]

    with serve_http(make_server(Catalog.default()), TOKEN) as origin:
        close, other, none = over_http(ask, origin)
    assert close == 'check_data has no argument "kinds"; did you mean kind?'
    assert other.endswith("; it has type, json_text and kind")
    assert len(other) < 200
    assert none == 'list_widget_types has no argument "x"; it has none'


WRONG_ARGUMENTS: list[tuple[str, dict[str, Any], str]] = [
    (
        "check_data",
        {"type": "countdown"},
        "check_data requires the argument json_text: Widget data as JSON text",
    ),
    (
        "check_data",
        {"type": 5, "kind": "dat"},
        (
            "check_data cannot use the argument type: 5 is a number, but must be a string "
            '(write "5", not 5); '
            "requires the argument json_text: Widget data as JSON text; "
            'cannot use the argument kind: "dat" is not one of the allowed values: "data", '
            '"document" (did you mean "data"?)'
        ),
    ),
    (
        "edit_data",
        {"type": "countdown", "patch": [{}, 5, 6]},
        "edit_data cannot use the argument patch: 5 is a number, but must be an object",
    ),
    (
        "describe_widget_type",
        {"type": "countdown", "max_chars": "many"},
        (
            "describe_widget_type cannot use the argument max_chars: "
            '"many" is a string, but must be an integer'
        ),
    ),
    (
        "describe_widget_type",
        {"type": "countdown", "max_chars": None},
        (
            "describe_widget_type cannot use the argument max_chars: "
            "null is not allowed here: the value must be an integer"
        ),
    ),
]


def test_arguments_that_are_missing_or_wrong() -> None:
    async def ask(client: Client) -> list[Any]:
        return [await client.call_tool(tool, given) for tool, given, _ in WRONG_ARGUMENTS]

    with serve_http(make_server(Catalog.default()), TOKEN) as origin:
        results = over_http(ask, origin)
    assert all(one.is_error for one in results)
    assert [one.content[0].text for one in results] == [text for *_, text in WRONG_ARGUMENTS]


def test_codes_are_explained() -> None:
    async def ask(client: Client) -> str:
        page: Any = await client.read_resource("widgetschema://codes/json.syntax")
        with pytest.raises(MCPError, match=r'there is no code "requird"; did you mean required\?'):
            await client.read_resource("widgetschema://codes/requird")
        return str(page.contents[0].text)

    with serve_http(make_server(Catalog.default()), TOKEN) as origin:
        assert over_http(ask, origin) == standalone(code_page("json.syntax"))


def test_clients_at_once(tmp_path: Path) -> None:
    """Of several that create or replace a file, one does, and the others are told."""
    valid = json.dumps({"content": {}, "settings": {}, "styles": {}})

    async def write(client: Client) -> list[bool]:
        arguments = {"path": "a.json", "type": "countdown", "json_text": valid}
        calls = [client.call_tool("write_file", arguments) for _ in range(5)]
        return [one.is_error for one in await asyncio.gather(*calls)]

    server = make_server(Catalog.default(), str(tmp_path))
    with serve_http(server, TOKEN) as origin, ThreadPoolExecutor(2) as pool:
        failed = [
            one for ones in pool.map(lambda _: over_http(write, origin), range(2)) for one in ones
        ]
    assert sorted(failed) == [False, *[True] * 9]
    assert (tmp_path / "a.json").read_text("utf-8") == valid
