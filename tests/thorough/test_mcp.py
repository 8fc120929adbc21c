"""The MCP server as a client of the SDK sees it, over both transports; who may not, and files."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.command import INTERRUPTIBLE, environment, run
from tests.terminal import HANG
from widgetschema import Catalog
from widgetschema.catalog.sources import LookupSource
from widgetschema.cli.common import catalog_for
from widgetschema.cli.settings import load_settings
from widgetschema.manual_pages import code_page, standalone
from widgetschema.mcp.server import PATH, make_server, serve_http
from widgetschema.sandbox import running

TOKEN = "a-token-for-tests-only"
MISTAKES = '{"content": {"timerDays": "3"}, "setings": {}, "styles": {"skinId": 1.0}}'
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
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
    fixed = await client.call_tool(
        "fix_data", {"type": "countdown", "json_text": MISTAKES, "unsafe_fixes": True}
    )
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
    assert said["misused"].content[0].text == (
        "make_samples cannot use the argument count: 10000 is more than the maximum, 20"
    )
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
        ({"origin": "http://127.0.0.1:9999"}, 403, "other sites"),
        ({"host": "example.com"}, 403, "no address of the server"),
        ({"host": "127.0.0.1"}, 403, "no address of the server"),
        ({"host": "127.0.0.1:8931.example.com"}, 403, "no address of the server"),
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


def test_errors_that_nobody_expects_are_one_sentence() -> None:
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


def test_schemas_of_the_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(client: Client) -> tuple[Any, Any]:
        listed = await client.call_tool("list_widget_types", {})
        checks = [
            client.call_tool("check_data", {"type": "faq", "json_text": "1"}) for _ in range(5)
        ]
        return listed.structured_content, [
            one.structured_content for one in await asyncio.gather(*checks)
        ]

    monkeypatch.chdir(tmp_path)
    with running({"faq": {"properties": {"data": {"type": "string"}}}}, count=3) as sandbox:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", sandbox.base_url)
        monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", sandbox.access_token())
        listed, checked = over_stdio(ask, "--fetch", "auto")
        assert [one["id"] for one in listed["types"]] == ["faq"]
        assert [len(one["findings"]) for one in checked] == [1] * 5
        assert sandbox.counters["schema"] == 1

        with click.Context(click.Command("mcp")):
            catalog = catalog_for(load_settings().with_options(fetch="auto"), is_server=True)
            source = catalog.sources[-1]
            assert isinstance(source, LookupSource)
            # As long as the platform says, or an hour, and not for the whole command.
            assert 0 < source.lookup("faq").fresh_for <= 3600


@pytest.mark.parametrize("arguments", [(), ("--http",)])
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_ends_it(arguments: tuple[str, ...]) -> None:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-c", INTERRUPTIBLE, "mcp", *arguments]
    with subprocess.Popen(command, env=environment(), **pipes) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        if arguments:
            assert b"serving at" in process.stderr.readline()
        else:
            process.stdin.write(json.dumps(HELLO).encode() + b"\n")
            process.stdin.flush()
            assert b"serverInfo" in process.stdout.readline()
        process.send_signal(signal.SIGINT)  # while it reads its input, which stays open
        assert process.wait(HANG) == (0 if arguments else -signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()


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
