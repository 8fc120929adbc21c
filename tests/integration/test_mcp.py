"""The MCP server as a client of the SDK sees it, over both transports; who may not, and files."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.command import run
from widgetschema import Catalog
from widgetschema.mcp.server import PATH, make_server, serve_http

TOKEN = "a-token-for-tests-only"
MISTAKES = '{"content": {"timerDays": "3"}, "setings": {}, "styles": {"skinId": 1.0}}'
READING = {
    "check_data",
    "compare_schemas",
    "describe_widget_type",
    "edit_data",
    "fix_data",
    "list_widget_types",
    "make_samples",
    "read_schema",
}


async def talk(client: Client) -> dict[str, Any]:
    """Use the server as an assistant would, and return what it answered."""
    tools = (await client.list_tools()).tools
    checked = await client.call_tool("check_data", {"type": "countdown", "json_text": MISTAKES})
    fixed = await client.call_tool("fix_data", {"type": "countdown", "json_text": MISTAKES})
    unknown = await client.call_tool("check_data", {"type": "countdwn", "json_text": "{}"})
    misused = await client.call_tool("make_samples", {"type": "countdown", "count": 10_000})
    pages = (await client.list_resources()).resources
    page = await client.read_resource("widgetschema://manual/guides/ci")
    schema = await client.read_resource("widgetschema://schemas/countdown")
    with pytest.raises(MCPError, match="unknown widget type 'nope'"):
        await client.read_resource("widgetschema://schemas/nope")
    return {
        "tools": {tool.name: tool for tool in tools},
        "checked": checked.structured_content,
        "fixed": fixed.structured_content,
        "unknown": unknown,
        "misused": misused,
        "pages": {str(one.uri) for one in pages},
        "page": page.contents[0],
        "schema": schema.contents[0],
    }


def over_stdio(work: Callable[[Client], Awaitable[Any]], *arguments: str) -> Any:
    """Return the result of work with a client of the command."""

    async def connected() -> Any:
        command = ["-m", "widgetschema", "mcp", *arguments]
        started = StdioServerParameters(command=sys.executable, args=command, env={**os.environ})
        async with Client(stdio_client(started)) as client:
            return await work(client)

    return asyncio.run(connected())


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


def assert_is_useful(said: dict[str, Any]) -> None:
    assert said["tools"].keys() == READING
    assert all(tool.annotations.read_only_hint for tool in said["tools"].values())
    assert all(tool.description for tool in said["tools"].values())
    assert [one["path"] for one in said["checked"]["findings"]] == [
        "/content/timerDays",
        "/setings",
    ]
    assert said["fixed"]["valid"]
    assert said["fixed"]["json_text"] == MISTAKES.replace('"3"', "3").replace("seti", "setti")
    assert said["unknown"].is_error
    assert "did you mean 'countdown'" in said["unknown"].content[0].text
    assert said["misused"].is_error
    assert "less than or equal to 20" in said["misused"].content[0].text
    assert "widgetschema://manual/guides/ci" in said["pages"]
    assert said["page"].text.startswith("# Check in CI")
    assert json.loads(said["schema"].text) == Catalog.default()["countdown"].linked


def test_over_standard_input_and_output() -> None:
    assert_is_useful(over_stdio(talk))


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
        ({"host": "example.com"}, 403, "no address of the server"),
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
        ]

    more, written, refused = over_stdio(write, "--folder", str(tmp_path))

    assert more == {"read_file", "write_file"}
    assert written.structured_content["written"]
    assert (tmp_path / "a.json").read_text("utf-8") == valid
    assert refused.is_error
    assert "not in the folder" in refused.content[0].text
    assert not (tmp_path.parent / "b.json").exists()


def test_wrong_use(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--port requires --http" in run(capsys, "mcp", "--port", "1").err
    missing = run(capsys, "mcp", "--folder", tmp_path / "none")
    monkeypatch.setenv("WIDGETSCHEMA_MCP_TOKEN", "short")
    short = run(capsys, "mcp", "--http")

    assert missing.code == short.code == 2
    assert "is not a folder" in missing.err
    assert "at least 16" in short.err


def test_without_the_sdk_the_extra_is_named(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "widgetschema.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server", None)

    assert "pip install 'widgetschema[mcp]'" in run(capsys, "mcp").err
