"""Servers that drip, hang or put off: a command ends at its deadline, whatever it has to fetch."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from tests.terminal import HANG
from tests.unit.platform.test_client import (
    Asked,
    Behaviour,
    answering,
    drip_body,
    drip_head,
    http,
    serving,
    silent,
)
from widgetschema import Catalog, Client, Fetcher, Unreachable

TYPES = [f"t{index}" for index in range(24)]
COMMANDS: dict[str, list[str]] = {
    "widgets": ["widgets"],
    "pull": ["pull", *TYPES, "--schemas", "pulled"],
    "pull, one at a time": ["pull", *TYPES, "--schemas", "pulled", "--connections", "1"],
    "pull what is used": ["pull", "--all-used", "--schemas", "pulled"],
    "validate": ["validate", "--fetch", "auto", "."],
    "validate anew": ["validate", "--fetch", "refresh", "--jobs", "2", "."],
    "audit": ["audit", "--fetch", "auto", "all.ndjson"],
    "sample": ["sample", "t1", "--fetch", "auto"],
    "bundle": ["bundle", "t1", "--fetch", "auto"],
    "login": [
        *("login", "--code", "c", "--redirect-uri", "http://127.0.0.1/"),
        *("--client-id", "me", "--client-secret-file", "secret"),
    ],
}
ANSWERS: dict[str, Behaviour] = {
    "silent": silent,
    "a head that drips": drip_head,
    "a body that drips": drip_body,
    "pauses": answering(http(503, b"", "Retry-After: 1")),
    "redirects": answering(http(302, b"", "Location: /again")),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("behave", ANSWERS.values(), ids=ANSWERS)
def test_a_command_ends(
    command: list[str],
    behave: Behaviour,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("CONFIG", "CACHE", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "a-token")
    Path("secret").write_text("a secret", encoding="utf-8")
    records = [{"type": id, "data": {}} for id in TYPES]
    for record in records:
        Path(f"{record['type']}.json").write_text(json.dumps(record), encoding="utf-8")
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    Path("all.ndjson").write_text(lines, encoding="utf-8")

    with serving(behave) as server:
        monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", server.url)
        monkeypatch.setenv("WIDGETSCHEMA_AUTH_URL", server.url)
        began = time.monotonic()
        result = run(capsys, *command, "--deadline", "1")

    assert result.code == 5
    # One second, and what the command does besides; each type by itself would take 24.
    assert time.monotonic() - began < 15
    if behave in (silent, drip_head, drip_body):
        assert f"waiting for {server.url}" in result.err
        assert "for at most 1 s (--deadline)" in result.err
        assert "given up after 1 s" in result.out + result.err


def test_responses_that_come_put_the_deadline_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Eight responses, half a second each: together, they take longer than the deadline."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WIDGETSCHEMA_ACCESS_TOKEN", "a-token")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))

    def behave(connection: socket.socket, asked: Asked) -> None:
        time.sleep(0.5)
        connection.sendall(http(200, b'{"type": "object", "properties": {"data": {}}}'))

    with serving(behave) as server:
        arguments = ["--base-url", server.url, "--connections", "1", "--deadline", "3"]
        assert run(capsys, "pull", *TYPES[:7], "--schemas", "pulled", *arguments).code == 0

    assert len(server.asked) == 8


def test_many_tasks_have_one_deadline(tmp_path: Path) -> None:
    """50 types, and 32 threads that look for them: none waits for a thread and then once more."""

    async def main(url: str) -> list[Any]:
        with Client(url, timeout=HANG) as client:
            fetcher = Fetcher(client, cache=None, deadline=3, warn=lambda _: None)
            catalog = Catalog([fetcher])
            loads = (catalog.aload(f"t{index}") for index in range(50))
            return await asyncio.gather(*loads, return_exceptions=True)

    with serving(silent) as server:
        began = time.monotonic()
        outcomes = asyncio.run(main(server.url))

    assert time.monotonic() - began < 6
    assert {type(one) for one in outcomes} == {Unreachable}
