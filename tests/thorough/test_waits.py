"""Servers that drip, hang or put off: a command ends at its deadline, whatever it has to fetch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import run
from tests.unit.platform.test_client import (
    Behaviour,
    answering,
    drip_body,
    drip_head,
    http,
    serving,
    silent,
)

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
# What the server does, and how many requests a command makes at most. Those that wait make no more
# than there are connections: each type by itself would take 24, and as many seconds.
ANSWERS: dict[str, tuple[Behaviour, int]] = {
    "silent": (silent, 10),
    "a head that drips": (drip_head, 10),
    "a body that drips": (drip_body, 10),
    "pauses": (answering(http(503, b"", "Retry-After: 1")), 50),
    "redirects": (answering(http(302, b"", "Location: /again")), 300),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(("behave", "most"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_ends(
    command: list[str],
    behave: Behaviour,
    most: int,
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
        result = run(capsys, *command, "--deadline", "1")

    assert result.code == 5
    assert len(server.asked) <= most
    if behave in (silent, drip_head, drip_body):
        assert f"waiting for {server.url}" in result.err
        assert "for at most 1 s (--deadline)" in result.err
        assert "given up after 1 s" in result.out + result.err
