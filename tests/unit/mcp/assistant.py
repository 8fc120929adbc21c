"""An assistant: what a client of the SDK does with the server, and what it is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from widgetschema import Catalog

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


def assert_is_useful(said: dict[str, Any]) -> None:
    assert said["tools"].keys() == READING
    for tool in said["tools"].values():
        assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)
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
