"""`widgetschema mcp`: wrong use, and a missing extra."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import run


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
