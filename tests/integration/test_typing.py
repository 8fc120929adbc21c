"""What a type checker makes of the public types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytest.importorskip("mypy")


def test_code_after_the_truth_value_of_a_result_is_checked(tmp_path: Path) -> None:
    code = """
from widgetschema import Report
from widgetschema.evolution.compare import Comparison

def told(report: Report, comparison: Comparison) -> None:
    if report:
        print("wrong")
    after_report: int = "text"
    assert not comparison
    after_comparison: int = "text"
"""
    file = tmp_path / "told.py"
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(file)],
        cwd=ROOT,
        env={**os.environ, "MYPY_FORCE_COLOR": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if "Incompatible types" in line]
    numbers = [line.split(": error")[0].rpartition(":")[2] for line in lines]
    assert numbers == ["8", "10"], done.stdout + done.stderr
    assert "unreachable" not in done.stdout
