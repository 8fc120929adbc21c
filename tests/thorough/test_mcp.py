"""The MCP server as a process: over standard input and output, with schemas of a platform."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import click
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.command import INTERRUPTIBLE, environment
from tests.terminal import HANG
from tests.unit.mcp.assistant import READING, assert_is_useful, talk
from widgetschema.catalog.sources import LookupSource
from widgetschema.cli.common import catalog_for
from widgetschema.cli.settings import load_settings
from widgetschema.sandbox import running

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


def over_stdio(work: Callable[[Client], Awaitable[Any]], *arguments: str) -> Any:
    """Return the result of work with a client of the command."""

    async def connected() -> Any:
        command = ["-m", "widgetschema", "mcp", *arguments]
        started = StdioServerParameters(command=sys.executable, args=command, env={**os.environ})
        async with Client(stdio_client(started)) as client:
            return await work(client)

    return asyncio.run(connected())


def test_over_standard_input_and_output() -> None:
    assert_is_useful(over_stdio(talk))


def test_a_folder_has_tools_for_files(tmp_path: Path) -> None:
    async def tools(client: Client) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert over_stdio(tools, "--folder", str(tmp_path)) == READING | {"read_file", "write_file"}


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
