"""Standard output, beside messages on standard error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from widgetschema.cli.console.output import Output


def test_what_is_flushed_comes_before_what_is_printed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shown"
    with path.open("w", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdout", file)
        output = Output(None)
        output.write("a finding\n")
        assert path.read_text(encoding="utf-8") == ""
        output.flush()
        assert path.read_text(encoding="utf-8") == "a finding\n"
        assert output.close() == 0
